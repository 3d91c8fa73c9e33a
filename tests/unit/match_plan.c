/*
 * match_plan.c - which game is played when, against a count by hand; openings from text.
 * SPDX-License-Identifier: MIT
 */
#include "support/desk.h"

#include "match/opening.h"

static const struct match_player many[] = { { "A", "random" }, { "B", "random" },
					    { "C", "random" }, { "D", "random" },
					    { "E", "random" } };

static struct match_plan plan_for(const struct qv_context *context, const char *game, int players,
				  int64_t games)
{
	struct match_plan plan = { .players = many, .player_count = players, .games = games,
				   .seed = 7 };
	struct qv_error error = { "" };
	assert_int_equal(qv_rules_parse(context, game, &plan.rules, &error), QV_OK);
	assert_int_equal(plan_check(&plan, &error), QV_OK);
	return plan;
}

static void test_plan__two_players_swap_seats_and_share_the_dice(void **state)
{
	const struct match_plan plan = plan_for(*state, "race", 2, 20);
	for (int64_t n = 0; n < 20; n += 2) {
		struct match_seating a, b;
		plan_seating(&plan, n, &a);
		plan_seating(&plan, n + 1, &b);
		assert_int_equal(a.player[0], 0);
		assert_int_equal(a.player[1], 1);
		assert_int_equal(b.player[0], 1);
		assert_int_equal(b.player[1], 0);
		assert_true(a.opening_key == b.opening_key && a.round == b.round);
		for (int seat = 0; seat < 2; seat++) {
			const uint64_t pair = (uint64_t)n / 2;
			const uint64_t key = qv_random_key(qv_random_key(7, pair), (uint64_t)seat);
			assert_true(a.chance_key[seat] == key && b.chance_key[seat] == key);
			assert_true(a.seed[seat] != b.seed[seat]);
		}
	}
}

/* With keep_seats each game is a round: the first player always begins, and the dice differ. */
static void test_plan__players_can_keep_their_seats(void **state)
{
	struct match_plan plan = plan_for(*state, "race", 2, 20);
	struct qv_error error;
	plan.keep_seats = true;
	assert_int_equal(plan_check(&plan, &error), QV_OK);
	for (int64_t n = 0; n < 20; n++) {
		struct match_seating s;
		plan_seating(&plan, n, &s);
		assert_int_equal(s.round, n);
		assert_true(s.player[0] == 0 && s.player[1] == 1);
		assert_true(s.chance_key[0] == qv_random_key(qv_random_key(7, (uint64_t)n), 0));
	}
	plan.pairs = true;
	assert_int_equal(plan_check(&plan, &error), QV_BAD_INPUT);
}

/* Every two meet equally often, in both seats, before anybody meets again. */
static void test_plan__round_robin_is_complete(void **state)
{
	for (int players = 3; players <= 5; players++) {
		const int meetings = players * (players - 1) / 2;
		const struct match_plan plan =
			plan_for(*state, "noughts", players, 2 * meetings * 3);
		int met[5][5] = { { 0 } };
		assert_int_equal(plan_lineups(&plan), meetings);
		for (int64_t n = 0; n < plan.games; n++) {
			struct match_seating s;
			plan_seating(&plan, n, &s);
			assert_int_not_equal(s.player[0], s.player[1]);
			met[s.player[0]][s.player[1]]++;
			if ((n + 1) % (2 * meetings))
				continue;
			for (int a = 0; a < players; a++)
				for (int b = 0; b < players; b++)
					assert_int_equal(met[a][b],
							 a == b ? 0 : (n + 1) / (2 * meetings));
		}
	}
}

static void test_plan__gauntlet_is_the_first_against_each(void **state)
{
	struct match_plan plan = plan_for(*state, "noughts", 5, 100);
	plan.gauntlet = true;
	assert_int_equal(plan_lineups(&plan), 4);
	for (int64_t n = 0; n < 100; n++) {
		struct match_seating s;
		plan_seating(&plan, n, &s);
		assert_int_equal(s.player[n % 2], 0);
		assert_int_equal(s.player[1 - n % 2], 1 + n / 2 % 4);
	}
}

/* Of five, those at most two places apart: seven pairs, each in both seats, in the order of names. */
static void test_plan__neighbours_only(void **state)
{
	static const int expected[][2] = { { 0, 1 }, { 0, 2 }, { 1, 2 }, { 1, 3 },
					   { 2, 3 }, { 2, 4 }, { 3, 4 } };
	struct match_plan plan = plan_for(*state, "noughts", 5, 100);
	struct qv_error error = { "" };
	plan.near = 2;
	assert_int_equal(plan_check(&plan, &error), QV_OK);
	assert_int_equal(plan_lineups(&plan), 7);
	for (int64_t n = 0; n < 100; n++) {
		struct match_seating s;
		plan_seating(&plan, n, &s);
		assert_int_equal(s.player[n % 2], expected[n / 2 % 7][0]);
		assert_int_equal(s.player[1 - n % 2], expected[n / 2 % 7][1]);
	}
	for (plan.near = 4; plan.near <= 32; plan.near += 28)
		assert_int_equal(plan_lineups(&plan), 10);
	plan.near = 33;
	assert_int_equal(plan_check(&plan, &error), QV_BAD_INPUT);
	plan.near = -1;
	assert_int_equal(plan_check(&plan, &error), QV_BAD_INPUT);
	plan.near = 1;
	plan.gauntlet = true;
	assert_int_equal(plan_check(&plan, &error), QV_BAD_INPUT);
	plan = plan_for(*state, "toy-three", 4, 9);
	plan.near = 1;
	assert_int_equal(plan_check(&plan, &error), QV_UNSUPPORTED);
}

/* Three seats: the last name fills up, everybody sits everywhere; of more, all sets of three. */
static void test_plan__seats_rotate(void **state)
{
	struct match_plan plan = plan_for(*state, "toy-three", 2, 9);
	static const int expected[3][3] = { { 0, 1, 1 }, { 1, 0, 1 }, { 1, 1, 0 } };
	struct match_seating s;
	for (int64_t n = 0; n < 9; n++) {
		plan_seating(&plan, n, &s);
		assert_memory_equal(s.player, expected[n % 3], sizeof expected[0]);
	}
	plan = plan_for(*state, "toy-three", 5, 30);
	int seen[5][5][5] = { { { 0 } } };
	assert_int_equal(plan_lineups(&plan), 10);
	for (int64_t n = 0; n < 30; n++) {
		plan_seating(&plan, n, &s);
		seen[s.player[0]][s.player[1]][s.player[2]]++;
	}
	for (int a = 0; a < 5; a++)
		for (int b = 0; b < 5; b++)
			for (int c = 0; c < 5; c++) {
				const bool cyclic = (a < b && b < c) || (b < c && c < a) ||
						    (c < a && a < b);
				assert_int_equal(seen[a][b][c], cyclic);
			}
}

static void test_plan__refuses_what_cannot_be_played(void **state)
{
	struct match_plan plan = plan_for(*state, "noughts", 2, 1);
	struct qv_error error = { "" };
	static const struct match_player twins[] = { { "A", "random" }, { "A", "random" } };
	plan.games = 0;
	assert_int_equal(plan_check(&plan, &error), QV_BAD_INPUT);
	plan.games = 2;
	plan.player_count = 1;
	assert_int_equal(plan_check(&plan, &error), QV_BAD_INPUT);
	plan.player_count = 2;
	plan.players = twins;
	assert_int_equal(plan_check(&plan, &error), QV_BAD_INPUT);
	assert_string_equal(error.text, "player A: the name is given twice");
	plan.players = many;
	assert_int_equal(qv_rules_parse(*state, "toy-solo", &plan.rules, &error), QV_OK);
	assert_int_equal(plan_check(&plan, &error), QV_UNSUPPORTED);
	assert_int_equal(qv_rules_parse(*state, "toy-three", &plan.rules, &error), QV_OK);
	plan.pairs = true;
	assert_int_equal(plan_check(&plan, &error), QV_UNSUPPORTED);
}

static enum qv_status read(const struct qv_context *context, const char *game, const char *text,
			   struct opening_list *list, struct qv_error *error)
{
	struct qv_rules rules;
	assert_int_equal(qv_rules_parse(context, game, &rules, error), QV_OK);
	return openings_read(context, &rules, text, strlen(text), 0, list, error);
}

static void test_openings__are_positions_or_moves(void **state)
{
	struct opening_list list;
	struct qv_error error = { "" };
	assert_int_equal(read(*state, "noughts",
			      "# first\n5, 1\n\n  x..oo..x. x \r\n5 1 9\n", &list, &error),
			 QV_OK);
	assert_int_equal(list.count, 3);
	assert_string_equal(list.openings[0].position, "start");
	assert_string_equal(list.openings[0].moves, "5, 1");
	assert_string_equal(list.openings[1].position, "x..oo..x. x");
	assert_string_equal(list.openings[1].moves, "");
	assert_string_equal(list.openings[2].moves, "5 1 9");
	openings_release(&list);
}

static void test_openings__name_the_line_that_is_wrong(void **state)
{
	struct opening_list list;
	struct qv_error error = { "" };
	assert_int_not_equal(read(*state, "noughts", "5\n5 5\n", &list, &error), QV_OK);
	assert_non_null(strstr(error.text, "openings, line 2: "));
	assert_int_not_equal(read(*state, "noughts", "1 4 2 5 3\n", &list, &error), QV_OK);
	assert_non_null(strstr(error.text, "the game is over"));
	assert_int_not_equal(read(*state, "noughts", "1 4 2 5 3 6\n", &list, &error), QV_OK);
	assert_int_not_equal(read(*state, "noughts", "# nothing\n", &list, &error), QV_OK);
	assert_string_equal(error.text, "openings: the file has no openings");
}

static int set_up(void **state)
{
	*state = desk_context(NULL);
	return 0;
}

static int tear_down(void **state)
{
	qv_context_free(*state);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plan__two_players_swap_seats_and_share_the_dice),
		cmocka_unit_test(test_plan__players_can_keep_their_seats),
		cmocka_unit_test(test_plan__round_robin_is_complete),
		cmocka_unit_test(test_plan__gauntlet_is_the_first_against_each),
		cmocka_unit_test(test_plan__neighbours_only),
		cmocka_unit_test(test_plan__seats_rotate),
		cmocka_unit_test(test_plan__refuses_what_cannot_be_played),
		cmocka_unit_test(test_openings__are_positions_or_moves),
		cmocka_unit_test(test_openings__name_the_line_that_is_wrong),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
