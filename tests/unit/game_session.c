/*
 * game_session.c - tests of the rules that all games in progress share: rolls, time earned, undo and
 * redo, giving up, rotating seats.
 * SPDX-License-Identifier: MIT
 */
#include "support/check.h"

#include "session/game_session.h"

static struct game_session game_of(const struct qv_context *context, const char *name)
{
	const struct time_control control = { .base_ms = 60000, .added_ms = 1000 };
	struct game_session g;
	struct qv_record *record = NULL;
	struct qv_rules rules;
	assert_int_equal(qv_rules_parse(context, name, &rules, NULL), QV_OK);
	assert_int_equal(qv_record_new(context, &rules, NULL, &record, NULL), QV_OK);
	assert_int_equal(game_session_init(&g, context, record, &control), QV_OK);
	return g;
}

static void play(struct game_session *g, const char *text)
{
	qv_move move;
	const int seat = game_seat_to_move(g);
	assert_int_equal(qv_move_parse(game_rules(g), g->record->state, text, &move, NULL), QV_OK);
	assert_int_equal(qv_record_play(g->record, move, -1, NULL), QV_OK);
	game_count_move(g, seat);
}

/* The bits of ctx, an unsigned, are the seats that are people; QV_CHANCE is bit 31. */
static bool is_among(const void *ctx, int seat)
{
	const unsigned *people = ctx;
	return *people >> (seat & 31) & 1;
}

static int64_t left_ms(const struct game_session *g, int seat)
{
	return game_clock_left(&g->clock, seat, 0);
}

static void test_game_session__undo_goes_to_where_somebody_acted(void **state)
{
	const unsigned first = 1, second = 2, both = 3, nobody = 0;
	struct game_session g = game_of(*state, "noughts");
	assert_int_equal(game_undo_plies(&g, 1, is_among, &both), -1);
	play(&g, "1");
	assert_int_equal(game_undo_plies(&g, 1, is_among, &second), -1);
	play(&g, "2");
	play(&g, "3");
	assert_int_equal(game_undo_plies(&g, 1, is_among, &both), 1);
	assert_int_equal(game_undo_plies(&g, 1, is_among, &first), 1);
	assert_int_equal(game_undo_plies(&g, 1, is_among, &second), 2);
	assert_int_equal(game_undo_plies(&g, 2, is_among, &first), 3);
	assert_int_equal(game_undo_plies(&g, 9, is_among, &first), 3);
	assert_int_equal(game_undo_plies(&g, 9, is_among, &second), 2);
	assert_int_equal(game_undo_plies(&g, 1, is_among, &nobody), -1);
	assert_int_equal(qv_record_undo(g.record, 3, NULL), QV_OK);
	assert_int_equal(game_redo_most(&g), 3);
	assert_int_equal(game_redo_plies(&g, 1, is_among, &first), 2);
	assert_int_equal(game_redo_plies(&g, 1, is_among, &second), 1);
	assert_int_equal(game_redo_plies(&g, 2, is_among, &second), 3);
	game_session_release(&g);
}

/* An end by resignation or time is taken back first, even if nobody else has acted. */
static void test_game_session__an_end_can_always_be_taken_back(void **state)
{
	const unsigned first = 1, second = 2;
	struct game_session g = game_of(*state, "noughts");
	play(&g, "1");
	assert_int_equal(qv_record_end(g.record, 0, "resigns"), QV_OK);
	assert_true(game_is_over(&g));
	assert_int_equal(game_undo_plies(&g, 1, is_among, &second), 0);
	assert_int_equal(game_undo_plies(&g, 2, is_among, &second), 0);
	assert_int_equal(game_undo_plies(&g, 1, is_among, &first), 1);
	assert_false(game_can_redo_end(&g));
	assert_int_equal(qv_record_undo(g.record, 0, NULL), QV_OK);
	assert_true(game_can_redo_end(&g));
	game_session_release(&g);
}

static void test_game_session__the_roll_is_of_the_seat_that_moves_next(void **state)
{
	const unsigned first = 1, second = 2;
	struct game_session g = game_of(*state, "race");
	struct qv_random random = { .key = 3 };
	assert_int_equal(game_seat_to_move(&g), QV_CHANCE);
	assert_int_equal(game_roller(&g), 0);
	assert_int_equal(game_time_seat(&g, is_among, &first), 0);
	assert_int_equal(game_time_seat(&g, is_among, &second), -1);
	const qv_move roll = game_random_move(&g, &random);
	assert_true(qv_move_legal(game_rules(&g), g.record->state, roll));
	assert_int_equal(qv_record_play(g.record, roll, -1, NULL), QV_OK);
	game_count_move(&g, QV_CHANCE);
	assert_int_equal(left_ms(&g, 0), 60000); /* a roll earns nothing */
	assert_int_equal(game_time_seat(&g, is_among, &second), game_seat_to_move(&g));
	assert_int_equal(qv_record_end(g.record, -1, "agreed"), QV_OK);
	assert_int_equal(game_time_seat(&g, is_among, &first), -1);
	game_session_release(&g);
}

/* The landings of a warp are rolled by the side that warps, though the other one moves after it. */
static void test_game_session__a_landing_is_of_the_seat_that_warps(void **state)
{
	struct game_session g = game_of(*state, "warptrog");
	play(&g, "warp");
	assert_int_equal(game_seat_to_move(&g), QV_CHANCE);
	assert_int_equal(game_roller(&g), 0);
	play(&g, "land f6");
	play(&g, "warp");
	assert_int_equal(game_roller(&g), 1);
	game_session_release(&g);
}

/* A turn of many moves earns its increment once. */
static void test_game_session__the_last_move_of_a_turn_earns_time(void **state)
{
	qv_move list[QV_MAX_MOVES];
	struct game_session g = game_of(*state, "starchess");
	const int seat = game_seat_to_move(&g);
	struct qv_text text;
	char name[QV_MOVE_TEXT];
	const int count = game_rules(&g)->moves(g.record->state, list);
	for (int i = 0; i < count && qv_record_ply(g.record) == 0; i++) {
		text = (struct qv_text){ name, sizeof name, 0 };
		game_rules(&g)->move_text(g.record->state, list[i], &text);
		if (strcmp(name, "end") != 0)
			play(&g, name);
	}
	assert_int_equal(qv_record_ply(g.record), 1);
	assert_int_equal(game_seat_to_move(&g), seat);
	assert_int_equal(left_ms(&g, seat), 60000);
	play(&g, "end");
	assert_int_equal(left_ms(&g, seat), 61000);
	game_session_release(&g);
}

static void test_game_session__who_gives_up(void **state)
{
	char spec[GAME_LEVEL_SPEC];
	struct game_session two = game_of(*state, "noughts"), four = game_of(*state, "starchess");
	assert_false(game_takes_over(&four));
	two.substitutes = four.substitutes = true;
	assert_false(game_takes_over(&two));
	assert_int_equal(game_winner_without(&two, 0), 1);
	assert_int_equal(game_winner_without(&two, 1), 0);
	assert_true(game_takes_over(&four));
	assert_int_equal(game_winner_without(&four, 2), -1);
	assert_int_equal(game_level_count(game_rules(&four)), 7);
	game_substitute(game_rules(&four), "human", spec);
	assert_string_equal(spec, "level:4");
	game_substitute(game_rules(&four), "level:4", spec);
	assert_string_equal(spec, "random");
	game_session_release(&two);
	game_session_release(&four);
}

static void test_game_session__seats_rotate(void **state)
{
	(void)state;
	char seats[4][3] = { "aa", "bb", "cc", "dd" };
	game_rotate_seats(seats, 4, sizeof seats[0]);
	assert_string_equal(seats[0], "dd");
	assert_string_equal(seats[1], "aa");
	assert_string_equal(seats[3], "cc");
	game_rotate_seats(seats, 1, sizeof seats[0]);
	assert_string_equal(seats[0], "dd");
}

static int setup(void **state)
{
	*state = qv_context_new(NULL);
	return *state ? 0 : -1;
}

static int teardown(void **state)
{
	qv_context_free(*state);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_game_session__undo_goes_to_where_somebody_acted),
		cmocka_unit_test(test_game_session__an_end_can_always_be_taken_back),
		cmocka_unit_test(test_game_session__the_roll_is_of_the_seat_that_moves_next),
		cmocka_unit_test(test_game_session__a_landing_is_of_the_seat_that_warps),
		cmocka_unit_test(test_game_session__the_last_move_of_a_turn_earns_time),
		cmocka_unit_test(test_game_session__who_gives_up),
		cmocka_unit_test(test_game_session__seats_rotate),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
