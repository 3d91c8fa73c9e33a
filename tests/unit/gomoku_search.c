/*
 * gomoku_search.c - go-moku: the player `threats` finds and stops what is forced, agrees with plain
 * alpha-beta on short wins, and plays every variant to the end.
 * SPDX-License-Identifier: MIT
 */
#include "games/gomoku/shapes.h"

#include "core/context.h"
#include "quevedo.h"

#include "support/check.h"
#include "support/scale.h"

static struct qv_context *context;

static int set_up_context(void **unused)
{
	(void)unused;
	context = qv_context_new(NULL);
	return context ? 0 : -1;
}

static int free_context(void **unused)
{
	(void)unused;
	qv_context_free(context);
	return 0;
}

static struct qv_rules rules_of(const char *name)
{
	struct qv_rules rules;
	struct qv_error error = { "" };
	if (qv_rules_parse(context, name, &rules, &error) != QV_OK)
		fail_msg("%s: %s", name, error.text);
	return rules;
}

static struct qv_player *player_of(const struct qv_rules *rules, const char *spec)
{
	struct qv_player *player = NULL;
	struct qv_error error = { "" };
	if (qv_player_new(context, rules, spec, NULL, &player, &error) != QV_OK)
		fail_msg("%s: %s", spec, error.text);
	return player;
}

static struct qv_answer think(struct qv_player *player, const struct gomoku *s)
{
	const struct qv_limits limits = { .size = sizeof limits };
	struct qv_answer answer = { .size = sizeof answer };
	struct qv_error error = { "" };
	if (qv_player_think(player, s, &limits, NULL, &answer, &error) != QV_OK)
		fail_msg("%s", error.text);
	return answer;
}

/* The move of a player in a position, as text, and its score in *score. */
static const char *best_move(const char *name, const char *text, const char *spec, int32_t *score)
{
	static char move[QV_MOVE_TEXT];
	const struct qv_rules rules = rules_of(name);
	struct qv_player *player = player_of(&rules, spec);
	struct gomoku s;
	struct qv_error error = { "" };
	if (qv_position_parse(&rules, text, &s, &error) != QV_OK)
		fail_msg("%s: %s", text, error.text);
	const struct qv_answer answer = think(player, &s);
	struct qv_text out = { move, sizeof move, 0 };
	gomoku_move_text(&s, answer.move, &out);
	*score = answer.score;
	qv_player_free(player);
	return move;
}

static void test_search__forced_moves(void **unused)
{
	int32_t score;
	(void)unused;
	/* Five; a block; a straight four; a block of the middle of a split four. */
	assert_string_equal(best_move("gomoku:size=9", "9/9/9/9/ooo6/oxxxx4/9/9/9 x",
				      "threats:depth=1", &score),
			    "f4");
	assert_int_equal(score, QV_WIN - 1);
	assert_string_equal(best_move("gomoku:size=9", "9/9/9/9/xoooo4/1xxx5/9/9/9 x",
				      "threats:depth=2", &score),
			    "f5");
	best_move("gomoku:size=9", "9/9/9/9/9/2xxx4/9/9/oo1o5 x", "threats:depth=1", &score);
	assert_int_equal(score, QV_WIN - 3);
	assert_string_equal(best_move("gomoku:size=9", "9/9/9/9/oo1oo4/x1x1x1x2/9/9/9 x",
				      "threats:depth=4", &score),
			    "c5");
	/* Two fives cannot be stopped. */
	best_move("gomoku:size=9", "9/9/9/9/1oooo4/x1x1x1x2/9/9/9 x", "threats:depth=3", &score);
	assert_int_equal(score, 2 - QV_WIN);
	/* On the empty board, the middle. */
	assert_string_equal(best_move("gomoku", "start", "threats:depth=4", &score), "h8");
}

/* A random position of a game that goes on, with stones near the middle. */
static bool make_position(struct qv_random *r, const struct qv_rules *rules, struct gomoku *s)
{
	const int stones = 6 + (int)qv_random_below(r, 14);
	int32_t points[QV_MAX_SEATS];
	rules->game->start(rules->options, s);
	for (int i = 0; i < stones; i++) {
		const int point = gomoku_point(1 + (int)qv_random_below(r, 7),
					       1 + (int)qv_random_below(r, 7));
		if (gomoku_is_empty(s, point) && gomoku_allows(s, point))
			gomoku_play(s, (qv_move)point);
		if (gomoku_result(s, points) != QV_GOING)
			return false;
	}
	return true;
}

static bool is_decided(int32_t score)
{
	return score > QV_MAX_EVAL || score < -QV_MAX_EVAL;
}

/* The line must be legal and, if the score is a win or loss, lead there. */
static void check_line(const struct gomoku *from, const struct qv_answer *answer)
{
	struct gomoku s = *from;
	for (int i = 0; i < answer->line_length; i++) {
		qv_move list[GOMOKU_MAX_MOVES];
		int32_t points[QV_MAX_SEATS];
		bool legal = false;
		assert_int_equal(gomoku_result(&s, points), QV_GOING);
		for (int n = gomoku_moves(&s, list); n > 0; n--)
			legal |= list[n - 1] == answer->line[i];
		assert_true(legal);
		gomoku_play(&s, answer->line[i]);
	}
	if (!answer->proven || !is_decided(answer->score))
		return;
	const int32_t size = answer->score > 0 ? answer->score : -answer->score;
	assert_int_equal(answer->line_length, QV_WIN - size);
	assert_int_equal(s.winner, 1 + (answer->score > 0 ? from->turn : 1 - from->turn));
}

/* Within three plies wins and losses are the same as those of alpha-beta at full width. */
static void test_search__short_wins_are_exact(void **unused)
{
	static const char *const names[] = { "gomoku:size=9", "gomoku:size=9,rule=exact",
					     "gomoku:size=9,rule=renju" };
	struct qv_random r = { qv_random_key(5, 5), 0 };
	int decided = 0;
	(void)unused;
	for (int k = 0; k < 3; k++) {
		const struct qv_rules rules = rules_of(names[k]);
		struct qv_player *plain = player_of(&rules, "alphabeta:depth=3,tt=1");
		struct qv_player *threats = player_of(&rules, "threats:depth=3,tt=1");
		for (int64_t i = scaled(40); i > 0; i--) {
			struct gomoku s;
			if (!make_position(&r, &rules, &s))
				continue;
			const struct qv_answer ours = think(threats, &s), theirs = think(plain, &s);
			check_line(&s, &ours);
			if (is_decided(theirs.score)) {
				decided++;
				assert_int_equal(ours.score, theirs.score);
				assert_true(ours.proven);
			} else if (is_decided(ours.score)) {
				assert_true(QV_WIN - abs(ours.score) > 3);
			}
		}
		qv_player_free(plain);
		qv_player_free(threats);
	}
	assert_true(decided > 0);
}

/* Plays a game against itself; returns the number of plies. */
static int play_game(const char *name, const char *spec)
{
	const struct qv_rules rules = rules_of(name);
	struct qv_player *player = player_of(&rules, spec);
	struct gomoku s;
	int32_t points[QV_MAX_SEATS];
	int plies = 0;
	rules.game->start(rules.options, &s);
	for (; gomoku_result(&s, points) == QV_GOING; plies++) {
		const struct qv_answer answer = think(player, &s);
		check_line(&s, &answer);
		gomoku_play(&s, answer.move);
	}
	qv_player_free(player);
	return plies;
}

static void test_search__plays_every_variant(void **unused)
{
	static const char *const names[] = { "gomoku:size=9", "gomoku:size=9,rule=exact",
					     "gomoku:size=9,rule=renju",
					     "gomoku:size=9,opening=swap2",
					     "gomoku:size=20,rule=renju,opening=swap2" };
	(void)unused;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		assert_true(play_game(names[i], "threats:nodes=300,tt=1") > 8);
		assert_true(play_game(names[i], "threats:depth=1,blunder=30,random=1,tt=0") > 8);
	}
	assert_true(play_game("gomoku", "threats:nodes=1000,tt=1,threads=2") > 8);
}

/* Without a limit of its own the player stops at depth 6, unless the caller limits its work. */
static void test_search__default_depth_yields(void **unused)
{
	const struct qv_rules rules = rules_of("gomoku:size=9");
	static const char *const specs[] = { "threats:tt=1", "threats:tt=1,depth=6" };
	(void)unused;
	for (int i = 0; i < 2; i++) {
		struct qv_player *player = player_of(&rules, specs[i]);
		struct qv_limits limits = { .size = sizeof limits };
		struct qv_answer answer = { .size = sizeof answer };
		struct gomoku s;
		rules.game->start(rules.options, &s);
		gomoku_play(&s, (qv_move)gomoku_point(4, 4));
		gomoku_play(&s, (qv_move)gomoku_point(4, 5));
		assert_int_equal(qv_player_think(player, &s, &limits, NULL, &answer, NULL), QV_OK);
		assert_int_equal(answer.depth, 6);
		limits.nodes = 100 * answer.nodes;
		assert_int_equal(qv_player_think(player, &s, &limits, NULL, &answer, NULL), QV_OK);
		assert_true(i ? answer.depth == 6 : answer.depth > 6);
		qv_player_free(player);
	}
}

/* Ranks for a list of moves are those of the single moves. */
static void test_search__lists_are_ranked_like_moves(void **unused)
{
	static const char *const names[] = { "gomoku:size=9", "gomoku:rule=exact",
					     "gomoku:rule=renju,size=20" };
	struct qv_random r = { qv_random_key(7, 7), 0 };
	(void)unused;
	for (int i = 0; i < 300; i++) {
		const struct qv_rules rules = rules_of(names[i % 3]);
		qv_move moves[GOMOKU_MAX_MOVES];
		int32_t ranks[GOMOKU_MAX_MOVES];
		struct gomoku s;
		if (!make_position(&r, &rules, &s))
			continue;
		const int n = gomoku_moves(&s, moves);
		gomoku_ranks(&s, moves, n, ranks);
		for (int k = 0; k < n; k++)
			assert_int_equal(ranks[k], gomoku_rank(&s, moves[k]));
	}
}

/* What the board keeps up to date is what a scan of the position finds. */
static void check_board(const struct threat_board *b)
{
	struct threat_board fresh;
	threat_board_set(&fresh, &b->s);
	assert_memory_equal(b->with, fresh.with, sizeof fresh.with);
	assert_memory_equal(b->worth, fresh.worth, sizeof fresh.worth);
	assert_memory_equal(b->makes, fresh.makes, sizeof fresh.makes);
	for (int colour = 0; colour < 2; colour++)
		assert_memory_equal(b->shapes[colour], fresh.shapes[colour],
				    SHAPES * sizeof fresh.shapes[colour][0]);
}

/* Threats, worth and shapes of points stay right while stones are put and taken back. */
static void test_search__boards_are_kept_up_to_date(void **unused)
{
	enum { STONES = 60 };
	static const char *const names[] = { "gomoku:size=9", "gomoku:rule=exact",
					     "gomoku:rule=renju,size=20" };
	struct qv_random r = { qv_random_key(9, 9), 0 };
	(void)unused;
	for (int i = 0; i < 30; i++) {
		const struct qv_rules rules = rules_of(names[i % 3]);
		struct threat_board b;
		struct threat_undo undo[STONES];
		int points[STONES], n = 0;
		struct gomoku s;
		rules.game->start(rules.options, &s);
		threat_board_set(&b, &s);
		while (n < STONES) {
			points[n] = gomoku_point((int)qv_random_below(&r, 9),
						 (int)qv_random_below(&r, 9));
			if (!gomoku_is_empty(&b.s, points[n]))
				continue;
			threat_board_play(&b, points[n], &undo[n], true);
			check_board(&b);
			n++;
		}
		while (n--) {
			threat_board_undo(&b, points[n], &undo[n], true);
			check_board(&b);
		}
	}
}

/* The searches for threats at the root keep the limits, too. */
static void test_search__limits_hold_for_threats(void **unused)
{
	enum { MORE = 1500 };
	const struct qv_rules rules = rules_of("gomoku");
	struct gomoku s;
	(void)unused;
	assert_int_equal(qv_position_parse(&rules, "h8 i9 g9 i7 g7 h9", &s, NULL), QV_OK);
	for (uint64_t nodes = 10000; nodes <= 80000; nodes += 10000) {
		struct qv_player *player = player_of(&rules, "threats:tt=16");
		const struct qv_limits limits = { .size = sizeof limits, .nodes = nodes };
		struct qv_answer answer = { .size = sizeof answer };
		assert_int_equal(qv_player_think(player, &s, &limits, NULL, &answer, NULL), QV_OK);
		assert_true(answer.nodes <= nodes + MORE);
		qv_player_free(player);
	}
}

/*
 * books/gomoku.openings: each opening is legal and differs from all others under symmetry. There are
 * 35 replies to a stone in the centre, and 15 to the stone above it.
 */
static void test_search__openings_differ(void **unused)
{
	enum { CENTRAL = 35, ALL = 50 };
	const struct qv_rules rules = rules_of("gomoku");
	FILE *file = fopen(TEST_DATA "/../../books/gomoku.openings", "r");
	uint64_t found[ALL];
	char line[128];
	int count = 0;
	(void)unused;
	assert_non_null(file);
	while (fgets(line, sizeof line, file)) {
		struct gomoku s, other;
		line[strcspn(line, "\n")] = '\0';
		if (*line == '#')
			continue;
		assert_true(count < ALL);
		assert_int_equal(qv_position_parse(&rules, line, &s, NULL), QV_OK);
		assert_int_equal(s.count, 2);
		assert_true(gomoku_has_stone(&s, GOMOKU_BLACK,
					     gomoku_point(count < CENTRAL ? 7 : 8, 7)));
		for (int k = 0; k < 8; k++) {
			gomoku_image(&s, k, &other);
			for (int i = 0; i < count; i++)
				assert_true(found[i] != other.hash);
		}
		found[count++] = s.hash;
	}
	fclose(file);
	assert_int_equal(count, ALL);
}

/* Engines and analyses add a limit of their own to the name of the strongest player. */
static void test_search__the_strongest_player_takes_a_limit(void **unused)
{
	static const char *const limits[] = { "depth=100", "time=1s" };
	const struct qv_rules rules = rules_of("gomoku");
	const struct qv_defaults defaults = {
		.size = sizeof defaults, .seed = 1, .threads = 1, .hash_mb = 1
	};
	(void)unused;
	for (int i = 0; i < 2; i++) {
		char spec[STRONGEST_SPEC];
		struct qv_player *player = NULL;
		struct qv_error error;
		strongest_player(rules.game, limits[i], spec);
		if (qv_player_new(context, &rules, spec, &defaults, &player, &error) != QV_OK)
			fail_msg("%s: %s", spec, error.text);
		qv_player_free(player);
	}
}

/* How many steps a point is from the nearest stone, or on the empty board from the middle. */
static int steps_away(const struct gomoku *s, int point)
{
	const int row = point / GOMOKU_SIDE, column = point % GOMOKU_SIDE;
	int nearest = s->count ? GOMOKU_SIDE : abs(row - s->size / 2);
	if (!s->count && abs(column - s->size / 2) > nearest)
		nearest = abs(column - s->size / 2);
	for (int r = 0; r < s->size; r++)
		for (int c = 0; c < s->size; c++) {
			const int dr = abs(r - row), dc = abs(c - column), far = dr > dc ? dr : dc;
			if (far < nearest && !gomoku_is_empty(s, gomoku_point(r, c)))
				nearest = far;
		}
	return nearest;
}

/* The levels that err on purpose play near the stones. */
static void test_gomoku_search__weak_levels_stay_near(void **unused)
{
	static const char *const variants[] = { "gomoku", "gomoku:size=19,rule=renju" };
	(void)unused;
	for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
		const struct qv_rules rules = rules_of(variants[v]);
		const char *const *levels = qv_levels(rules.game);
		for (int k = 0; levels[k]; k++) {
			int32_t points[QV_MAX_SEATS];
			struct gomoku s;
			if (!strstr(levels[k], "margin=") && !strstr(levels[k], "blunder="))
				continue;
			struct qv_player *player = player_of(&rules, levels[k]);
			rules.game->start(rules.options, &s);
			for (int ply = 0; ply < scaled(30); ply++) {
				if (rules.game->result(&s, points) != QV_GOING)
					break;
				const struct qv_answer answer = think(player, &s);
				assert_in_range(steps_away(&s, (int)answer.move), 0, 2);
				rules.game->play(&s, answer.move);
			}
			qv_player_free(player);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_search__forced_moves),
		cmocka_unit_test(test_search__short_wins_are_exact),
		cmocka_unit_test(test_search__plays_every_variant),
		cmocka_unit_test(test_search__default_depth_yields),
		cmocka_unit_test(test_search__lists_are_ranked_like_moves),
		cmocka_unit_test(test_search__boards_are_kept_up_to_date),
		cmocka_unit_test(test_search__limits_hold_for_threats),
		cmocka_unit_test(test_search__openings_differ),
		cmocka_unit_test(test_search__the_strongest_player_takes_a_limit),
		cmocka_unit_test(test_gomoku_search__weak_levels_stay_near),
	};
	return cmocka_run_group_tests(tests, set_up_context, free_context);
}
