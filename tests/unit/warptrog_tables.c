/*
 * warptrog_tables.c - the endgame tables of Warp Trog: every built-in entry, values against the
 * literal rules, the positions that have none, and the players that use them.
 * SPDX-License-Identifier: MIT
 */
#include "support/table_spots.h"

#include "games/warptrog/index.h"
#include "twins/twin.h"

enum { MOST = 64, MOVE = 16, MEN = 2 * WARPTROG_SQUARES, UNKNOWN = -1 };

/* ---- Entries ---- */

static void test_built_in__every_entry_follows_from_the_rules(void **state)
{
	const struct spot s = spot_at(*state, "warptrog", NULL);
	assert_int_equal(tables_check_built_in(*state, &s.rules, "vv-v"), 287496);
}

/* Trog against Trog is never a draw: the side to move wins if the distance is odd. */
static void test_built_in__two_trogs_are_decided_by_their_distance(void **state)
{
	struct qv_tables *tables = spot_tables(*state, "warptrog", NULL);
	int longest[2] = { 0, 0 };
	for (int a = 0; a < WARPTROG_SQUARES; a++)
		for (int b = 0; b < WARPTROG_SQUARES; b++) {
			const struct warptrog s = { .men = { UINT64_C(1) << a, UINT64_C(1) << b },
						    .trogs = UINT64_C(1) << a | UINT64_C(1) << b,
						    .warping = WARPTROG_NONE,
						    .last = WARPTROG_NONE };
			const int distance = abs(a % 6 - b % 6) + abs(a / 6 - b / 6);
			struct qv_solution found = { .size = sizeof found };
			if (a == b)
				continue;
			assert_int_equal(qv_tables_probe(tables, &s, &found, NULL), QV_OK);
			assert_int_equal(found.value, distance % 2 ? QV_VALUE_WIN : QV_VALUE_LOSS);
			if (found.in > longest[distance % 2])
				longest[distance % 2] = found.in;
		}
	assert_int_equal(longest[1], 17);
	assert_int_equal(longest[0], 18);
	qv_tables_close(tables);
}

/* ---- The literal rules ---- */

/* Man and square of side 1, the same of side 2, and the side to move. */
static int ending_number(const char *position)
{
	int man[2] = { UNKNOWN, UNKNOWN };
	for (int i = 0; i < WARPTROG_SQUARES; i++) {
		const char *kind = position[i] == '.' ? NULL : strchr("TVtv", position[i]);
		if (kind)
			man[(kind - "TVtv") / 2] = (int)(kind - "TVtv") % 2 * WARPTROG_SQUARES + i;
	}
	return man[0] < 0 || man[1] < 0 ? UNKNOWN
					: (man[0] * MEN + man[1]) * 2 + position[37] - '1';
}

/* False: there is no such position. */
static bool ending_position(int number, char position[QV_POSITION_TEXT])
{
	const int first = number / 2 / MEN, second = number / 2 % MEN;
	const int from = first % WARPTROG_SQUARES, other = second % WARPTROG_SQUARES;
	snprintf(position, QV_POSITION_TEXT, "%036d %d 0 0", 0, number % 2 + 1);
	memset(position, '.', WARPTROG_SQUARES);
	position[from] = first == from ? 'T' : 'V';
	position[other] = second == other ? 't' : 'v';
	return from != other && !(first != from && from >= 30) && !(second != other && other < 6);
}

/*
 * Solves all endings of two men by the twin's rules: level by level, a position is won if a move
 * leads to a lost one, and lost if every move leads to a won one.
 */
static void test_values__of_two_men_are_those_of_a_literal_solution(void **state)
{
	enum { POSITIONS = MEN * MEN * 2, FEW = 8, END = -2 };
	static int next[POSITIONS][FEW], count[POSITIONS], in[POSITIONS];
	static char list[MOST][MOVE];
	char position[QV_POSITION_TEXT], after[QV_POSITION_TEXT];
	for (int i = 0; i < POSITIONS; i++) {
		in[i] = UNKNOWN;
		count[i] = 0;
		if (!ending_position(i, position))
			continue;
		const int n = twin_warptrog.moves(position, list, MOST);
		for (int k = 0; k < n; k++) {
			memcpy(after, position, sizeof after);
			assert_true(twin_warptrog.play(after, sizeof after, list[k]));
			const int to = ending_number(after);
			next[i][count[i]++] = to < 0 ? END : to; /* the last man was captured */
		}
	}
	for (int plies = 0; plies < 64; plies++)
		for (int i = 0; i < POSITIONS; i++) {
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
	struct qv_tables *tables = spot_tables(*state, "warptrog", NULL);
	for (int i = 0; i < POSITIONS; i++) {
		struct qv_solution found = { .size = sizeof found };
		if (!ending_position(i, position))
			continue;
		const struct spot s = spot_at(*state, "warptrog", position);
		assert_int_equal(qv_tables_probe(tables, s.state, &found, NULL), QV_OK);
		assert_int_equal(found.in, in[i]);
		assert_int_equal(found.value, in[i] % 2 ? QV_VALUE_WIN : QV_VALUE_LOSS);
	}
	qv_tables_close(tables);
}

/* Whether the side to move wins within the plies, by trying all of the twin's moves. */
static bool wins_within(const char *position, int plies)
{
	char list[MOST][MOVE], next[MOST][MOVE];
	if (plies < 1)
		return false;
	const int n = twin_warptrog.moves(position, list, MOST);
	for (int i = 0; i < n; i++) {
		char after[QV_POSITION_TEXT], reply[QV_POSITION_TEXT];
		snprintf(after, sizeof after, "%s", position);
		twin_warptrog.play(after, sizeof after, list[i]);
		const int m = twin_warptrog.moves(after, next, MOST);
		bool wins = true;
		for (int k = 0; k < m && wins; k++) {
			memcpy(reply, after, sizeof reply);
			twin_warptrog.play(reply, sizeof reply, next[k]);
			wins = wins_within(reply, plies - 2);
		}
		if (wins)
			return true;
	}
	return false;
}

/* Random positions of three and four men; at a larger scale more plies are searched. */
static void test_values__agree_with_a_search_by_the_literal_rules(void **state)
{
	const int most = scaled(1) > 1 ? 5 : 3;
	struct tables_folder folder = tables_folder_new();
	const struct spot start = spot_at(*state, "warptrog", NULL);
	const struct qv_game *game = start.rules.game;
	const struct qv_tables_job job = {
		.size = sizeof job,
		.folder = folder.path, .up_to = "tt-tt", .threads = 1, .checkpoint_ms = 60000
	};
	static struct warptrog_aid aid;
	struct qv_random random = { 7, 1 };
	struct qv_space space;
	assert_int_equal(qv_tables_build(*state, &start.rules, &job, NULL), QV_OK);
	struct qv_tables *tables = spot_tables(*state, "warptrog", folder.path);
	warptrog_prepare(&aid, start.rules.options);
	for (int i = 3; i <= 10; i++) {
		assert_true(warptrog_space(start.rules.options, i, &space));
		for (int64_t left = scaled(12); left > 0;) {
			char position[QV_POSITION_TEXT] = "";
			struct warptrog s;
			struct qv_solution found = { .size = sizeof found };
			if (!warptrog_decode(&s, &aid, start.rules.options, i,
					     qv_random_below(&random, space.size)))
				continue;
			left--;
			assert_int_equal(qv_tables_probe(tables, &s, &found, NULL), QV_OK);
			game->position_text(&s, &(struct qv_text){ position, sizeof position, 0 });
			for (int plies = 1; plies <= most; plies += 2)
				assert_int_equal(wins_within(position, plies),
						 found.value == QV_VALUE_WIN && found.in <= plies);
		}
	}
	qv_tables_close(tables);
	tables_folder_free(&folder);
}

/* ---- The index ---- */

static void test_index__symmetric_positions_share_a_number(void **state)
{
	static const struct {
		const char *space, *one, *other;
	} cases[] = {
		{ "tt-v", "T..T....................v........... 1 0 0",
		  "..T..T.......................v...... 1 0 0" },
		{ "tt-v", "T..T....................v........... 2 0 0",
		  "......V.......................t..t.. 1 0 0" },
		{ "tv-tv", "VT..................t.........v..... 1 0 0",
		  "V.............T...............vt.... 2 0 0" },
	};
	const struct spot s = spot_at(*state, "warptrog", NULL);
	static struct warptrog_aid aid;
	warptrog_prepare(&aid, s.rules.options);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct spot one = spot_at(*state, "warptrog", cases[i].one),
				  other = spot_at(*state, "warptrog", cases[i].other);
		struct qv_place a, b;
		struct qv_space space;
		assert_true(warptrog_find((const void *)one.state, &aid, &a));
		assert_true(warptrog_find((const void *)other.state, &aid, &b));
		assert_true(warptrog_space(s.rules.options, a.space, &space));
		assert_string_equal(space.name, cases[i].space);
		assert_int_equal(a.space, b.space);
		assert_int_equal(a.number, b.number);
	}
}

static void test_index__has_only_positions_without_chance(void **state)
{
	static const char *const none[] = {
		"T....................t.............. 1 1 0",
		"T....................t.............. 1 0 1",
		"T....................t.............. 1 0 0 warp a1",
		"TTT..................ttt............ 1 0 0",
	};
	const struct spot start = spot_at(*state, "warptrog", NULL);
	static struct warptrog_aid aid;
	struct qv_place place;
	warptrog_prepare(&aid, start.rules.options);
	for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
		const struct spot s = spot_at(*state, "warptrog", none[i]);
		assert_false(warptrog_find((const void *)s.state, &aid, &place));
	}
}

/* Line 1020 of the listing makes values depend on the last move. */
static void test_index__rules_of_1983_have_no_tables(void **state)
{
	const struct spot s = spot_at(*state, "warptrog:rules=1983",
				      "T....................t.............. 1 0 0");
	struct qv_tables *tables;
	struct qv_error error = { "" };
	struct qv_answer a = { .size = sizeof a };
	assert_int_equal(qv_tables_open(*state, &s.rules, NULL, &tables, &error), QV_UNSUPPORTED);
	assert_string_equal(error.text, "tables: warptrog has no tables with these options");
	struct qv_player *player = player_new(&s, "expectimax:depth=2,prove=1000");
	const struct qv_limits limits = limits_at(&s);
	assert_int_equal(qv_player_think(player, s.state, &limits, NULL, &a, NULL), QV_OK);
	assert_int_equal(a.table_hits, 0);
	assert_false(a.proven);
	qv_player_free(player);
}

/* An index that numbers positions with warps. */
static bool decode_with_warp(const void *aid, const int64_t *options, int space, uint64_t number,
			     void *state)
{
	struct warptrog *s = state;
	const bool there = warptrog_decode(s, aid, options, space, number);
	s->warps[0] = s->warps[1] = 1;
	return there;
}

static bool find_with_warp(const void *aid, const void *state, struct qv_place *out)
{
	struct warptrog s = *(const struct warptrog *)state;
	s.warps[0] = s.warps[1] = 0;
	return warptrog_find(&s, aid, out);
}

static void test_index__conformance_refuses_positions_where_chance_may_move(void **state)
{
	static struct qv_game broken;
	static struct qv_index index;
	struct spot s = spot_at(*state, "warptrog", NULL);
	const struct qv_conformance how = { .size = sizeof how, .seed = 7, .games = 1 };
	struct qv_error error = { "" };
	broken = *s.rules.game;
	index = *broken.index;
	index.decode = decode_with_warp;
	index.find = find_with_warp;
	index.parents = NULL;
	index.max_parents = 0;
	broken.index = &index;
	s.rules.game = &broken;
	assert_int_equal(qv_conform(*state, &s.rules, &how, &error), QV_ILLEGAL);
	assert_non_null(strstr(error.text, "a move does not give the turn to the other player"));
}

/* ---- Use ---- */

static void test_solver__looks_up_three_men(void **state)
{
	static const struct {
		const char *rules, *position;
		enum qv_value value;
		int in;
	} cases[] = {
		{ "warptrog", "T....................t.............. 1 0 0", QV_VALUE_LOSS, 10 },
		{ "warptrog:warps=0", "T....................t.............. 1 0 0", QV_VALUE_LOSS,
		  10 },
		{ "warptrog", "T.....t............................. 1 0 0", QV_VALUE_WIN, 1 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct spot s = spot_at(*state, cases[i].rules, cases[i].position);
		spot_solves_to(&s, cases[i].value, cases[i].in);
	}
}

static void test_solver__refuses_what_no_table_contains(void **state)
{
	const struct spot s = spot_at(*state, "warptrog", NULL);
	const struct qv_solve_limits limits = { .size = sizeof limits, .distance = true };
	struct qv_solver *solver;
	struct qv_solution found = { .size = sizeof found };
	struct qv_error error = { "" };
	struct qv_player *player;
	assert_int_equal(qv_solver_new(*state, &s.rules, 1 << 20, &solver, NULL), QV_OK);
	assert_int_equal(qv_solver_solve(solver, s.state, &limits, &found, &error), QV_UNKNOWN);
	assert_string_equal(error.text,
			    "solve: warptrog has chance, and no table contains this position");
	qv_solver_free(solver);
	assert_int_equal(qv_solver_new_by(*state, &s.rules, QV_BY_SEARCH, 1 << 20, &solver, NULL),
			 QV_UNSUPPORTED);
	assert_int_equal(qv_player_new(*state, &s.rules, "perfect",
				       &(struct qv_defaults){ .size = sizeof(struct qv_defaults) },
				       &player, NULL),
			 QV_UNSUPPORTED);
}

static void test_players__win_in_the_moves_of_the_table(void **state)
{
	const struct spot s =
		spot_at(*state, "warptrog", "T....................t.............. 1 0 0");
	char spec[STRONGEST_SPEC];
	strongest_player(s.rules.game, "time=10s", spec);
	spot_ends_in(&s, spec, 10);
	spot_ends_in(&s, "level:8", 10);
}

/* Positions that no table contains are searched as before. */
static void test_players__search_other_positions(void **state)
{
	const struct spot s = spot_at(*state, "warptrog", NULL);
	const struct qv_answer with =
		spot_searches_alike(&s, "expectimax:depth=4,prove=30000", "expectimax:depth=4");
	assert_int_equal(with.table_hits, 0);
}

static void test_files__damage_is_an_error(void **state)
{
	struct tables_folder folder = tables_folder_new();
	char path[160];
	const struct spot s =
		spot_at(*state, "warptrog", "TTT..................t.............. 1 0 0");
	const struct qv_tables_job job = {
		.size = sizeof job,
		.folder = folder.path, .up_to = "ttt-t", .threads = 1, .checkpoint_ms = 60000
	};
	struct qv_solution found = { .size = sizeof found };
	struct qv_error error = { "" };
	assert_int_equal(qv_tables_build(*state, &s.rules, &job, NULL), QV_OK);
	struct qv_tables *tables = spot_tables(*state, "warptrog", folder.path);
	assert_int_equal(qv_tables_probe(tables, s.state, &found, NULL), QV_OK);
	assert_int_equal(found.value, QV_VALUE_WIN);
	qv_tables_close(tables);
	snprintf(path, sizeof path, "%s/warptrog/ttt-t.qvt", folder.path);
	FILE *file = fopen(path, "r+b");
	assert_non_null(file);
	assert_int_equal(fseek(file, 300, SEEK_SET), 0);
	assert_int_equal(fputc('x', file), 'x');
	assert_int_equal(fclose(file), 0);
	tables = spot_tables(*state, "warptrog", folder.path);
	assert_int_equal(qv_tables_probe(tables, s.state, &found, &error), QV_BAD_INPUT);
	assert_non_null(strstr(error.text, "ttt-t.qvt: "));
	qv_tables_close(tables);
	tables_folder_free(&folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_built_in__every_entry_follows_from_the_rules),
		cmocka_unit_test(test_built_in__two_trogs_are_decided_by_their_distance),
		cmocka_unit_test(test_values__of_two_men_are_those_of_a_literal_solution),
		cmocka_unit_test(test_values__agree_with_a_search_by_the_literal_rules),
		cmocka_unit_test(test_index__symmetric_positions_share_a_number),
		cmocka_unit_test(test_index__has_only_positions_without_chance),
		cmocka_unit_test(test_index__rules_of_1983_have_no_tables),
		cmocka_unit_test(test_index__conformance_refuses_positions_where_chance_may_move),
		cmocka_unit_test(test_solver__looks_up_three_men),
		cmocka_unit_test(test_solver__refuses_what_no_table_contains),
		cmocka_unit_test(test_players__win_in_the_moves_of_the_table),
		cmocka_unit_test(test_players__search_other_positions),
		cmocka_unit_test(test_files__damage_is_an_error),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
