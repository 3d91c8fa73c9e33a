/*
 * draughts_tables.c - the endgame tables of draughts: published numbers of positions, every built-in
 * entry, values against the literal rules, and the players that use them.
 * SPDX-License-Identifier: MIT
 */
#include "support/table_spots.h"

#include "games/draughts/index.h"
#include "twins/twin.h"

enum { TEXT = TWIN_DRAUGHTS_TEXT, MOVES = TWIN_DRAUGHTS_MOVES, POSITION = 256, UNKNOWN = -1 };

static void text_of(const struct draughts *s, char position[POSITION])
{
	position[0] = '\0';
	draughts_position_text(s, &(struct qv_text){ position, POSITION, 0 });
}

/* ---- The number of positions ---- */

/*
 * As published: all ways to place the pieces, men not on the row where they are crowned, without the
 * side to move. Positions in which one side has no pieces are counted.
 */
static const uint64_t published[DRAUGHTS_INDEX_PIECES + 1] = { 1,	  120,	   6972,
							       261224,	  7092774, 148688232,
							       2503611964 };

/* Counts the positions of up to `left` more pieces, square by square. */
static void count_placements(int square, int placed, int left, uint64_t *counts)
{
	counts[placed]++;
	if (!left)
		return;
	for (; square <= 32; square++) {
		const int kinds = 4 - (square <= 4) - (square >= 29);
		for (int i = 0; i < kinds; i++)
			count_placements(square + 1, placed + 1, left - 1, counts);
	}
}

static void test_index__placing_pieces_square_by_square_gives_the_published_numbers(void **state)
{
	uint64_t counts[5] = { 0 };
	(void)state;
	count_placements(1, 0, 4, counts);
	for (int pieces = 1; pieces <= 4; pieces++)
		assert_int_equal(counts[pieces], published[pieces]);
}

/* Positions with only one side's pieces, which are in no space: for both colours. */
static uint64_t one_sided(int pieces)
{
	uint64_t ways = 0;
	for (int men = 0; men <= pieces; men++)
		ways += 2 * rank_choose(DRAUGHTS_MAN_SQUARES, men) *
			rank_choose(DRAUGHTS_SQUARES - men, pieces - men);
	return ways;
}

/* The numbers of a space that are positions, by the number of Black's men in their own first row. */
static uint64_t filled(const struct draughts_ending *e)
{
	uint64_t ways = 0;
	for (int home = 0; home <= e->men[0] && home <= DRAUGHTS_ROW; home++) {
		const int others = e->men[0] - home; /* where White's men may be, too */
		ways += rank_choose(DRAUGHTS_ROW, home) *
			rank_choose(DRAUGHTS_MAN_SQUARES - DRAUGHTS_ROW, others) *
			rank_choose(DRAUGHTS_MAN_SQUARES - others, e->men[1]);
	}
	return ways * e->king_sets[0] * e->king_sets[1] * (e->even ? 1 : 2);
}

/*
 * A space counts a position and the one with colours exchanged once, but with both sides to move; or
 * once with one side to move, if the sides have the same pieces. That is the number of positions of
 * both colours without the side to move.
 */
static void test_index__spaces_have_the_published_numbers_of_positions(void **state)
{
	static struct draughts_aid aid;
	uint64_t counts[DRAUGHTS_INDEX_PIECES + 1] = { 0 };
	(void)state;
	draughts_prepare(&aid, NULL);
	for (int i = 0; i < DRAUGHTS_SPACES; i++) {
		const struct draughts_ending *e = &aid.endings[i];
		counts[e->kings[0] + e->men[0] + e->kings[1] + e->men[1]] += filled(e);
	}
	for (int pieces = 1; pieces <= DRAUGHTS_INDEX_PIECES; pieces++)
		assert_int_equal(counts[pieces] + one_sided(pieces), published[pieces]);
}

/* All numbers of up to four pieces; at a smaller scale, of up to three. */
static void test_index__every_position_has_its_own_number(void **state)
{
	static struct draughts_aid aid;
	const int most = scaled(100) >= 100 ? 4 : 3;
	uint64_t counts[5] = { 0 };
	(void)state;
	draughts_prepare(&aid, NULL);
	for (int i = 0; i < DRAUGHTS_SPACES; i++) {
		const struct draughts_ending *e = &aid.endings[i];
		const int pieces = e->kings[0] + e->men[0] + e->kings[1] + e->men[1];
		uint64_t positions = 0, lost = 0;
		for (uint64_t number = 0; pieces <= most && number < e->size; number++) {
			struct draughts s;
			struct qv_place place;
			if (!draughts_decode(&s, &aid, NULL, i, number))
				continue;
			positions++;
			lost += !draughts_find(&s, &aid, &place) || place.space != i ||
				place.number != number;
		}
		assert_int_equal(lost, 0);
		if (pieces > most)
			continue;
		assert_int_equal(positions, filled(e));
		counts[pieces] += positions;
	}
	for (int pieces = 2; pieces <= most; pieces++)
		assert_int_equal(counts[pieces] + one_sided(pieces), published[pieces]);
}

/* The first and last numbers, and random ones. */
static void test_index__large_spaces_find_what_they_decode(void **state)
{
	static struct draughts_aid aid;
	struct qv_random random = { 3, 1 };
	struct qv_space space;
	(void)state;
	draughts_prepare(&aid, NULL);
	assert_false(draughts_space(NULL, DRAUGHTS_SPACES, &space));
	for (int i = 0; i < DRAUGHTS_SPACES; i++) {
		assert_true(draughts_space(NULL, i, &space));
		for (int k = 0; k < 1000; k++) {
			const uint64_t number = k == 0	 ? 0
						: k == 1 ? space.size - 1
							 : qv_random_below(&random, space.size);
			struct draughts s;
			struct qv_place place;
			if (!draughts_decode(&s, &aid, NULL, i, number))
				continue;
			assert_true(draughts_find(&s, &aid, &place));
			assert_int_equal(place.space, i);
			assert_int_equal(place.number, number);
		}
	}
}

static void test_index__exchanged_colours_share_a_number(void **state)
{
	static const struct {
		const char *space, *one, *other;
	} cases[] = {
		{ "kk-m", "B:W20:BK1,K7", "W:WK32,K26:B13" },
		{ "kk-m", "W:W20:BK1,K7", "B:WK32,K26:B13" },
		{ "km-km", "B:WK4,20:BK1,9", "W:WK32,24:BK29,13" },
		{ "kmm-k", "W:WK4,20,21:BK1", "B:WK32:BK29,12,13" },
	};
	static struct draughts_aid aid;
	draughts_prepare(&aid, NULL);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct spot one = spot_at(*state, "draughts", cases[i].one),
				  other = spot_at(*state, "draughts", cases[i].other);
		struct qv_place a, b;
		struct qv_space space;
		assert_true(draughts_find((const void *)one.state, &aid, &a));
		assert_true(draughts_find((const void *)other.state, &aid, &b));
		assert_true(draughts_space(NULL, a.space, &space));
		assert_string_equal(space.name, cases[i].space);
		assert_int_equal(a.space, b.space);
		assert_int_equal(a.number, b.number);
	}
}

static void test_index__has_no_positions_with_seven_pieces(void **state)
{
	const struct spot s = spot_at(*state, "draughts", "B:WK32,K31,K30:BK1,K2,K3,K4");
	static struct draughts_aid aid;
	struct qv_place place;
	draughts_prepare(&aid, NULL);
	assert_false(draughts_find((const void *)s.state, &aid, &place));
}

/* ---- Entries ---- */

static void test_built_in__every_entry_follows_from_the_rules(void **state)
{
	const struct spot s = spot_at(*state, "draughts", NULL);
	assert_int_equal(tables_check_built_in(*state, &s.rules, "mm-m"), 202280);
}

/* ---- The literal rules ---- */

/* Square and kind of Black's piece, the same of White's, and the side to move. */
enum { PIECES = 64, ENDINGS = PIECES * PIECES * 2 };

static bool ending_position(int number, char position[POSITION])
{
	const int black = number / 2 / PIECES, white = number / 2 % PIECES;
	const bool kings[2] = { black >= 32, white >= 32 };
	const int squares[2] = { black % 32 + 1, white % 32 + 1 };
	snprintf(position, POSITION, "%c:W%s%d:B%s%d", number % 2 ? 'W' : 'B', kings[1] ? "K" : "",
		 squares[1], kings[0] ? "K" : "", squares[0]);
	return squares[0] != squares[1] && (kings[0] || squares[0] <= 28) &&
	       (kings[1] || squares[1] > 4);
}

/* UNKNOWN: one side has no pieces. */
static int ending_number(const char *position)
{
	int pieces[2] = { UNKNOWN, UNKNOWN };
	for (int side = 0; side < 2; side++) {
		const char *c = strstr(position, side ? ":W" : ":B") + 2;
		const bool king = *c == 'K';
		const int square = atoi(c + king);
		pieces[side] = square ? 32 * king + square - 1 : UNKNOWN;
	}
	return pieces[0] < 0 || pieces[1] < 0
		       ? UNKNOWN
		       : (pieces[0] * PIECES + pieces[1]) * 2 + (position[0] == 'W');
}

/* Plays a move and forgets the count of moves without progress. */
static void play_literally(char *position, const char *move)
{
	assert_true(twin_draughts_play(position, move));
	char *count = strstr(position, ":H");
	if (count)
		*count = '\0';
}

/*
 * Solves all endings of two pieces by the twin's rules: level by level, a position is won if a move
 * leads to a lost one, and lost if every move leads to a won one.
 */
static void test_values__of_two_pieces_are_those_of_a_literal_solution(void **state)
{
	enum { FEW = 8, END = -2, LEVELS = 32 };
	static int next[ENDINGS][FEW], count[ENDINGS], in[ENDINGS];
	static char list[MOVES][TEXT];
	char position[POSITION], after[POSITION];
	for (int i = 0; i < ENDINGS; i++) {
		in[i] = UNKNOWN;
		if (!ending_position(i, position))
			continue;
		count[i] = twin_draughts_moves(position, list);
		assert_true(count[i] <= FEW);
		for (int k = 0; k < count[i]; k++) {
			memcpy(after, position, sizeof after);
			play_literally(after, list[k]);
			const int to = ending_number(after);
			next[i][k] = to < 0 ? END : to;
		}
	}
	for (int plies = 0; plies < LEVELS; plies++)
		for (int i = 0; i < ENDINGS; i++) {
			int won = 0;
			bool wins = false;
			if (in[i] != UNKNOWN || !ending_position(i, position))
				continue;
			for (int k = 0; k < count[i]; k++) {
				const int to = next[i][k], value = to == END ? 0 : in[to];
				wins |= value == plies - 1 && value % 2 == 0;
				won += value != UNKNOWN && value < plies && value % 2;
			}
			if (wins || won == count[i])
				in[i] = plies;
		}
	struct qv_tables *tables = spot_tables(*state, "draughts", NULL);
	int compared = 0;
	for (int i = 0; i < ENDINGS; i++) {
		struct qv_solution found = { .size = sizeof found };
		if (!ending_position(i, position))
			continue;
		const struct spot s = spot_at(*state, "draughts", position);
		assert_int_equal(qv_tables_probe(tables, s.state, &found, NULL), QV_OK);
		assert_int_equal(found.in, in[i]);
		assert_int_equal(found.value, in[i] == UNKNOWN ? QV_VALUE_DRAW
					      : in[i] % 2      ? QV_VALUE_WIN
							       : QV_VALUE_LOSS);
		compared++;
	}
	assert_int_equal(compared, 2 * (published[2] - one_sided(2)));
	qv_tables_close(tables);
}

/* Value and plies of a position by the values after each of the twin's moves. */
static struct qv_solution one_ply(struct qv_context *context, struct qv_tables *tables,
				  const char *position)
{
	static char list[MOVES][TEXT];
	struct qv_solution best = { .size = sizeof best, .value = QV_VALUE_LOSS, .in = 0 };
	const int n = twin_draughts_moves(position, list);
	for (int i = 0; i < n; i++) {
		char after[POSITION];
		struct qv_solution found = { .size = sizeof found,
					     .value = QV_VALUE_LOSS,
					     .in = 0 };
		snprintf(after, sizeof after, "%s", position);
		play_literally(after, list[i]);
		if (twin_draughts_moves(after, (char[MOVES][TEXT]){ "" })) {
			const struct spot s = spot_at(context, "draughts", after);
			assert_int_equal(qv_tables_probe(tables, s.state, &found, NULL), QV_OK);
		}
		const enum qv_value value =
			(enum qv_value)(QV_VALUE_WIN + QV_VALUE_LOSS - (int)found.value);
		const bool sooner = found.in + 1 < best.in, later = found.in + 1 > best.in;
		if (i == 0 || value > best.value ||
		    (value == best.value && (value == QV_VALUE_WIN ? sooner : later)))
			best = (struct qv_solution){ .size = sizeof(struct qv_solution),
						     .value = value,
						     .in = found.in + 1 };
	}
	if (best.value == QV_VALUE_DRAW)
		best.in = UNKNOWN;
	return best;
}

/* Plays the line of the longest win of each space by the twin's rules, and tries every move in it. */
static void test_values__longest_wins_end_as_the_literal_rules_say(void **state)
{
	static const int longest[] = { 11, 12, 13, 34, 34, 48, 48, 62, 62 };
	struct qv_tables *tables = spot_tables(*state, "draughts", NULL);
	struct qv_table table = { .size = sizeof table };
	struct draughts s;
	for (int i = 0; i < 9; i++) {
		char position[POSITION], move[TEXT];
		int points[2];
		assert_true(qv_tables_at(tables, i, &table));
		assert_int_equal(table.longest, longest[i]);
		assert_int_equal(qv_tables_longest(tables, i, &s, NULL), QV_OK);
		text_of(&s, position);
		for (int left = longest[i]; left > 0; left--) {
			const struct spot at = spot_at(*state, "draughts", position);
			struct qv_solution found = { .size = sizeof found };
			assert_false(twin_draughts_over(position, points));
			assert_int_equal(qv_tables_probe(tables, at.state, &found, NULL), QV_OK);
			assert_int_equal(found.value, left % 2 ? QV_VALUE_WIN : QV_VALUE_LOSS);
			assert_int_equal(found.in, left);
			assert_int_equal(one_ply(*state, tables, position).in, left);
			draughts_move_text((const void *)at.state, found.move,
					   &(struct qv_text){ move, sizeof move, 0 });
			play_literally(position, move);
		}
		assert_true(twin_draughts_over(position, points));
	}
	assert_true(qv_tables_at(tables, 9, &table));
	assert_false(table.there);
	assert_int_equal(qv_tables_longest(tables, 9, &s, NULL), QV_IO);
	assert_int_equal(qv_tables_longest(tables, DRAUGHTS_SPACES, &s, NULL), QV_UNKNOWN);
	qv_tables_close(tables);
}

/* Random positions of three pieces, and of four in the first two spaces. */
static void test_values__follow_from_the_moves_of_the_literal_rules(void **state)
{
	struct tables_folder folder = tables_folder_new();
	static struct draughts_aid aid;
	const struct spot start = spot_at(*state, "draughts", NULL);
	const struct qv_tables_job job = {
		.size = sizeof job,
		.folder = folder.path, .up_to = "kk-kk", .threads = 1, .checkpoint_ms = 60000
	};
	struct qv_random random = { 7, 1 };
	assert_int_equal(qv_tables_build(*state, &start.rules, &job, NULL), QV_OK);
	struct qv_tables *tables = spot_tables(*state, "draughts", folder.path);
	draughts_prepare(&aid, NULL);
	for (int i = 3; i <= 10; i++)
		for (int64_t left = scaled(100); left > 0;) {
			char position[POSITION];
			struct draughts s;
			struct qv_solution found = { .size = sizeof found };
			if (!draughts_decode(&s, &aid, NULL, i,
					     qv_random_below(&random, aid.endings[i].size)))
				continue;
			left--;
			assert_int_equal(qv_tables_probe(tables, &s, &found, NULL), QV_OK);
			text_of(&s, position);
			const struct qv_solution expected = one_ply(*state, tables, position);
			assert_int_equal(found.value, expected.value);
			assert_int_equal(found.in, expected.in);
		}
	qv_tables_close(tables);
	tables_folder_free(&folder);
}

/* ---- Use ---- */

/* The longest win of two men against one; the loser moves first. */
#define LONGEST "W:W7:B2,4"

static void test_solver__looks_up_positions(void **state)
{
	static const struct {
		const char *position;
		enum qv_value value;
		int in;
	} cases[] = {
		{ "B:WK32:BK23", QV_VALUE_DRAW, UNKNOWN },
		{ "B:WK18:BK15", QV_VALUE_WIN, 1 },
		{ LONGEST, QV_VALUE_LOSS, 62 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct spot s = spot_at(*state, "draughts", cases[i].position);
		spot_solves_to(&s, cases[i].value, cases[i].in);
	}
}

/* Moves without progress draw before the loss that the table has; a draw stays one. */
static void test_solver__knows_no_value_where_the_count_draws(void **state)
{
	static const struct {
		const char *position;
		enum qv_value value;
	} cases[] = {
		{ "W:WK9:BK1,K2:H40", QV_VALUE_LOSS },
		{ "W:WK9:BK1,K2:H60", QV_VALUE_UNKNOWN },
		{ "B:WK32:BK23:H60", QV_VALUE_DRAW },
	};
	const struct qv_solve_limits limits = { .size = sizeof limits, .distance = true };
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct spot s = spot_at(*state, "draughts", cases[i].position);
		struct qv_solver *solver;
		struct qv_solution found = { .size = sizeof found };
		assert_int_equal(
			qv_solver_new_tables(*state, &s.rules, NULL, 1 << 20, &solver, NULL),
			QV_OK);
		assert_int_equal(qv_solver_solve(solver, s.state, &limits, &found, NULL), QV_OK);
		assert_int_equal(found.value, cases[i].value);
		qv_solver_free(solver);
	}
}

static void test_players__win_in_the_moves_of_the_table(void **state)
{
	const struct spot s = spot_at(*state, "draughts", LONGEST);
	char spec[STRONGEST_SPEC];
	strongest_player(s.rules.game, "time=10s", spec);
	spot_ends_in(&s, spec, 62);
	spot_ends_in(&s, "level:17", 62);
}

/* Positions that no table contains are searched as before. */
static void test_players__search_other_positions(void **state)
{
	const struct spot s = spot_at(*state, "draughts", NULL);
	spot_searches_alike(&s, "selective:depth=4,prove=30000", "selective:depth=4");
}

/* ---- Inside the search ---- */

/* A player with the tables of a folder. */
static struct qv_player *player_with(const struct spot *s, const char *spec, const char *folder)
{
	const struct qv_defaults defaults = { .size = sizeof defaults, .tables = folder };
	struct qv_player *player;
	assert_int_equal(qv_player_new(s->context, &s->rules, spec, &defaults, &player, NULL),
			 QV_OK);
	return player;
}

static int32_t score_of(struct qv_player *player, const struct spot *s)
{
	struct qv_answer a = { .size = sizeof a };
	const struct qv_limits limits = limits_at(s);
	qv_player_new_game(player);
	assert_int_equal(qv_player_think(player, s->state, &limits, NULL, &a, NULL), QV_OK);
	return a.score;
}

/* A random position with this many pieces. */
static void random_position(struct qv_random *random, int pieces, struct draughts *s)
{
	*s = (struct draughts){ .turn = (uint8_t)qv_random_below(random, 2) };
	for (int placed = 0; placed < pieces;) {
		const int square = (int)qv_random_below(random, 32) + 1;
		const uint64_t bit = draughts_bit(draughts_bit_of(square));
		const int side = placed % 2;
		const bool king = qv_random_below(random, 2);
		if ((s->pieces[0] | s->pieces[1]) & bit ||
		    (!king && bit & draughts_last_row(side)))
			continue;
		s->pieces[side] |= bit;
		s->kings |= king ? bit : 0;
		placed++;
	}
}

/*
 * With the built-in tables a search of four pieces claims no win or loss that the tables of four do
 * not have, and has the exact value where a capture is due. With the tables of four pieces the same
 * holds for five.
 */
static void test_search__values_are_those_of_the_tables(void **state)
{
	struct tables_folder folder = tables_folder_new();
	struct spot s = spot_at(*state, "draughts", NULL);
	const struct qv_tables_job job = {
		.size = sizeof job,
		.folder = folder.path, .up_to = "mm-mm", .threads = 1, .checkpoint_ms = 60000
	};
	struct qv_random random = { 11, 1 };
	const int64_t positions = scaled(600);
	int decided = 0, forced = 0;
	/* The tables of four pieces take long with a sanitizer, which sees tables built elsewhere. */
	if (scaled(100) < 20) {
		tables_folder_free(&folder);
		skip();
	}
	assert_int_equal(qv_tables_build(*state, &s.rules, &job, NULL), QV_OK);
	struct qv_tables *tables = spot_tables(*state, "draughts", folder.path);
	struct qv_player *deep = player_with(&s, "selective:depth=9", NULL),
			 *shallow = player_with(&s, "selective:depth=1", NULL),
			 *five = player_with(&s, "selective:depth=1", folder.path);
	for (int64_t left = positions; left > 0; left--) {
		struct draughts position;
		struct qv_solution found = { .size = sizeof found };
		random_position(&random, left % 2 ? 4 : 5, &position);
		memcpy(s.state, &position, sizeof position);
		if (!draughts_can_move(&position))
			continue;
		const bool takes = draughts_takers(&position);
		char text[POSITION];
		text_of(&position, text);
		if (left % 2 == 0) {
			if (!takes)
				continue;
			found = one_ply(*state, tables, text);
		} else {
			assert_int_equal(qv_tables_probe(tables, &position, &found, NULL), QV_OK);
			const int32_t score = score_of(deep, &s);
			const bool won = score > QV_MAX_EVAL, lost = score < -QV_MAX_EVAL;
			decided += won || lost;
			assert_true(!won || found.value == QV_VALUE_WIN);
			assert_true(!lost || found.value == QV_VALUE_LOSS);
		}
		if (!takes)
			continue;
		forced++;
		/* The capture ends the count; a longer win or loss may be drawn by it. */
		const bool sure = found.in <= DRAUGHTS_QUIET + 1;
		const int32_t score = score_of(left % 2 ? shallow : five, &s);
		const int32_t sign = found.value == QV_VALUE_DRAW  ? 0
				     : found.value == QV_VALUE_WIN ? 1
								   : -1;
		assert_int_equal((score > 10000) - (score < -10000), sign);
		if (sure)
			assert_int_equal(score, sign * (QV_WIN - found.in));
	}
	/* A tenth of them; a small sample may have fewer. */
	const int64_t least = positions < 600 ? positions / 40 : positions / 10;
	assert_true(decided >= least);
	assert_true(forced >= least);
	qv_player_free(deep);
	qv_player_free(shallow);
	qv_player_free(five);
	qv_tables_close(tables);
	tables_folder_free(&folder);
}

/* A search of one ply plays the longest win, and the longest defence, by the tables alone. */
static void test_search__a_won_position_makes_progress(void **state)
{
	struct spot s = spot_at(*state, "draughts", LONGEST);
	struct qv_player *player = player_new(&s, "selective:depth=1");
	int32_t points[QV_MAX_SEATS];
	for (int left = 62; left > 0; left--) {
		struct qv_answer a = { .size = sizeof a };
		const struct qv_limits limits = limits_at(&s);
		assert_int_equal(qv_player_think(player, s.state, &limits, NULL, &a, NULL), QV_OK);
		assert_int_equal(a.score, left % 2 ? QV_WIN - left : left - QV_WIN);
		spot_play(&s, a.move);
	}
	assert_int_equal(s.rules.game->result(s.state, points), QV_ENDED);
	qv_player_free(player);
}

/* A win that comes after the draw by count is no win, though better than none. */
static void test_search__respects_the_count(void **state)
{
	const struct spot soon = spot_at(*state, "draughts", "W:WK9:BK1,K2:H40"),
			  late = spot_at(*state, "draughts", "W:WK9:BK1,K2:H60");
	assert_true(think_to(&soon, "selective", 1).score < -QV_MAX_EVAL);
	const int32_t score = think_to(&late, "selective", 1).score;
	assert_true(score < -10000 && score > -QV_MAX_EVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_index__placing_pieces_square_by_square_gives_the_published_numbers),
		cmocka_unit_test(test_index__spaces_have_the_published_numbers_of_positions),
		cmocka_unit_test(test_index__every_position_has_its_own_number),
		cmocka_unit_test(test_index__large_spaces_find_what_they_decode),
		cmocka_unit_test(test_index__exchanged_colours_share_a_number),
		cmocka_unit_test(test_index__has_no_positions_with_seven_pieces),
		cmocka_unit_test(test_built_in__every_entry_follows_from_the_rules),
		cmocka_unit_test(test_values__of_two_pieces_are_those_of_a_literal_solution),
		cmocka_unit_test(test_values__longest_wins_end_as_the_literal_rules_say),
		cmocka_unit_test(test_values__follow_from_the_moves_of_the_literal_rules),
		cmocka_unit_test(test_solver__looks_up_positions),
		cmocka_unit_test(test_solver__knows_no_value_where_the_count_draws),
		cmocka_unit_test(test_players__win_in_the_moves_of_the_table),
		cmocka_unit_test(test_players__search_other_positions),
		cmocka_unit_test(test_search__values_are_those_of_the_tables),
		cmocka_unit_test(test_search__a_won_position_makes_progress),
		cmocka_unit_test(test_search__respects_the_count),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
