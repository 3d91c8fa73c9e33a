/*
 * starchess_admiral.c - our own player of Star Chess: its turns, its models of the others, and how
 * it finds out which one fits.
 * SPDX-License-Identifier: MIT
 */
#include "games/starchess/admiral.h"

#include "support/check.h"
#include "support/scale.h"
#include "support/starchess_desk.h"

enum { LIMIT = 200 };

static void test_turns__are_legal_and_within_the_limit(void **state)
{
	const struct desk d = desk_at(*state);
	struct qv_random r = { 13, 0 };
	for (int64_t i = 0; i < scaled(60); i++) {
		struct qv_player *player;
		struct qv_answer answer = { .size = sizeof answer };
		struct twin_galaxy g;
		char spec[64];
		any_galaxy(&r, &g, LIMIT);
		struct starchess s = state_of(&d, &g);
		const uint64_t nodes = 1 + qv_random_below(&r, 2000);
		snprintf(spec, sizeof spec, "admiral:nodes=%d,model=%d", (int)nodes, (int)(i % 7));
		assert_int_equal(qv_player_new(*state, &d.rules, spec, NULL, &player, NULL), QV_OK);
		do {
			assert_int_equal(qv_player_think(player, &s, NULL, NULL, &answer, NULL),
					 QV_OK);
			assert_true(answer.nodes <= nodes);
			assert_true(qv_move_legal(d.rules.game, &s, answer.move));
			starchess_play(&s, answer.move);
		} while (sc_kind(answer.move) != SC_END);
		qv_player_free(player);
	}
}

static void test_nodes__lead_to_the_same_turn_on_any_number_of_threads(void **state)
{
	const struct desk d = desk_at(*state);
	struct qv_random r = { 17, 0 };
	for (int64_t i = 0; i < scaled(10); i++) {
		struct twin_galaxy g;
		any_galaxy(&r, &g, LIMIT);
		const struct starchess s = state_of(&d, &g);
		const struct qv_answer one = ask(&d, &s, "admiral:nodes=3000");
		const struct qv_answer two = ask(&d, &s, "admiral:nodes=3000,threads=3");
		assert_int_equal(one.line_length, two.line_length);
		assert_memory_equal(one.line, two.line, (size_t)one.line_length * sizeof *one.line);
		assert_true(one.nodes == two.nodes && one.score == two.score);
	}
}

/* Its model of the others, asked for one of them, is the turn that player makes. */
static void test_models__do_what_a_predictor_does(void **state)
{
	const struct desk d = desk_at(*state);
	struct relative_maps maps;
	struct qv_random r = { 19, 0 };
	relative_prepare(&maps);
	for (int64_t i = 0; i < scaled(20); i++) {
		struct predictor p = { .maps = &maps };
		struct sc_galaxy view, after, expected;
		struct twin_galaxy g;
		uint16_t left_out;
		const struct qv_limits none = { .size = sizeof none };
		const struct settings settings = { 0 };
		any_galaxy(&r, &g, LIMIT);
		for (int k = 0; k < 16; k++) {
			g.at[k / 4][k % 4].active = g.at[k / 4][k % 4].ships;
			g.at[k / 4][k % 4].worked = 0;
		}
		struct starchess s = state_of(&d, &g);
		const int me = s.seat;
		relative_view(&view, &s.g, me);
		budget_start(&p.budget, &settings, &none, 0);
		assert_true(predict_model(&p, &view, 1, &after, &left_out));
		const struct qv_answer answer = ask(&d, &s, "mask:turns=1");
		for (int k = 0; k < answer.line_length; k++)
			starchess_play(&s, answer.line[k]);
		relative_view(&expected, &s.g, me);
		assert_memory_equal(&after, &expected, sizeof after);
	}
}

static struct predictor predictor_with(const struct relative_maps *maps,
				       struct predict_known *known)
{
	const struct qv_limits none = { .size = sizeof none };
	const struct settings settings = { 0 };
	struct predictor p = { .maps = maps, .known = known };
	budget_start(&p.budget, &settings, &none, 0);
	return p;
}

/* To know positions again saves some, and changes nothing. */
static void test_models__with_and_without_memory_agree(void **state)
{
	const struct desk d = desk_at(*state);
	struct relative_maps maps;
	struct qv_random r = { 23, 0 };
	struct predict_known *known = calloc(1, sizeof *known);
	uint64_t with = 0, without = 0;
	assert_non_null(known);
	relative_prepare(&maps);
	for (int64_t i = 0; i < 20; i++) {
		struct predictor forgets = predictor_with(&maps, NULL);
		struct predictor knows = predictor_with(&maps, known);
		struct sc_galaxy view, one, two;
		struct twin_galaxy g;
		uint16_t left_out[2];
		any_galaxy(&r, &g, LIMIT);
		const struct starchess s = state_of(&d, &g);
		relative_view(&view, &s.g, s.seat);
		assert_true(predict_model(&forgets, &view, 2, &one, &left_out[0]));
		assert_true(predict_model(&knows, &view, 2, &two, &left_out[1]));
		assert_memory_equal(&one, &two, sizeof one);
		assert_int_equal(left_out[0], left_out[1]);
		with += knows.generated;
		without += forgets.generated;
	}
	assert_true(with < without);
	free(known);
}

/* What a predictor left out makes its turn again; where it is too deep, a shallower one replies. */
static void test_replies__follow_what_was_left_out_or_fits(void **state)
{
	const struct desk d = desk_at(*state);
	struct relative_maps maps;
	struct qv_random r = { 29, 0 };
	relative_prepare(&maps);
	for (int64_t i = 0; i < scaled(20); i++) {
		struct predictor p = predictor_with(&maps, NULL);
		struct sc_galaxy view, one, two;
		struct twin_galaxy g;
		struct reply thinks = { .model = 6 };
		any_galaxy(&r, &g, LIMIT);
		const struct starchess s = state_of(&d, &g);
		relative_view(&view, &s.g, s.seat);
		p.reply_nodes = 1;
		assert_true(predict_reply(&p, &view, &thinks, &one));
		assert_int_equal(thinks.model, REPLY_SURE);
		struct reply same = { .left_out = thinks.left_out };
		assert_true(predict_reply(&p, &view, &same, &two));
		assert_memory_equal(&one, &two, sizeof one);
	}
}

/* Plays the turn of a player. */
static void play_turn(struct qv_player *player, struct starchess *s)
{
	struct qv_answer answer = { .size = sizeof answer };
	int32_t points[QV_MAX_SEATS];
	do {
		assert_int_equal(qv_player_think(player, s, NULL, NULL, &answer, NULL), QV_OK);
		starchess_play(s, answer.move);
	} while (sc_kind(answer.move) != SC_END && starchess_result(s, points) == QV_GOING);
}

/* Watches three predictors for some turns of a game; returns what it takes the first of them for.
 */
static int watched(const struct desk *d, const char *spec, int turns)
{
	struct relative_maps maps;
	struct watch watch = { 0 };
	struct qv_player *own, *other;
	struct starchess s;
	int32_t points[QV_MAX_SEATS];
	relative_prepare(&maps);
	assert_int_equal(qv_player_new(d->context, &d->rules, "mask:masks=0", NULL, &own, NULL),
			 QV_OK);
	assert_int_equal(qv_player_new(d->context, &d->rules, spec, NULL, &other, NULL), QV_OK);
	d->rules.game->start(d->rules.options, &s);
	for (int i = 0; i < turns && starchess_result(&s, points) == QV_GOING; i++) {
		struct predictor p = predictor_with(&maps, NULL);
		struct sc_galaxy view;
		p.reply_nodes = 3000;
		relative_view(&view, &s.g, 0);
		watch_learn(&watch, &p, &view, 100000);
		play_turn(own, &s);
		relative_view(&view, &s.g, 0);
		watch_begin(&watch, &view, NULL);
		while (s.seat != 0)
			play_turn(other, &s);
	}
	qv_player_free(own);
	qv_player_free(other);
	return watch_model(&watch, 1);
}

static void test_watch__finds_out_how_far_the_others_look(void **state)
{
	const struct desk d = desk_at(*state);
	const struct watch nothing = { 0 };
	assert_int_equal(watch_model(&nothing, 1), WATCH_FIRST);
	assert_int_equal(watched(&d, "mask:masks=0", 25), 0);
	assert_int_equal(watched(&d, "mask:turns=1", 25), 2);
	assert_int_equal(watched(&d, "mask:turns=2", 25), 3);
	assert_int_equal(watched(&d, "mask:turns=3", 25), 4);
}

/* Nothing to move, nothing to build: there is nothing to think about. */
static void test_turns__without_a_choice_are_played_at_once(void **state)
{
	const struct desk d = desk_at(*state);
	struct starchess s;
	struct qv_error error = { "" };
	const char *text =
		"SC1 turn=9 move=1 f1=0,0 f2=500,900 f3=500,900 f4=500,900 A1=T1:1000:0 A2=B0 A3=B0 "
		"A4=T2:900:0/2:30:30 B1=B0 B2=B0 B3=B0 B4=B0 C1=B0 C2=B0 C3=B0 C4=B0 "
		"D1=T4:900:0/4:30:30 D2=B0 D3=B0 D4=T3:900:0/3:30:30";
	if (qv_position_parse(&d.rules, text, &s, &error) != QV_OK)
		fail_msg("%s", error.text);
	const struct qv_answer answer = ask(&d, &s, "admiral:nodes=100000");
	assert_int_equal(sc_kind(answer.move), SC_END);
	assert_in_range(answer.nodes, 1, 4);
	assert_int_equal(answer.evals, 0);
}

static void test_threads__make_legal_turns_and_stop(void **state)
{
	const struct desk d = desk_at(*state);
	struct qv_random r = { 31, 0 };
	for (int64_t i = 0; i < scaled(8); i++) {
		struct qv_player *player;
		struct qv_answer answer = { .size = sizeof answer };
		struct twin_galaxy g;
		struct qv_flag stop = { (int32_t)(i % 2) };
		const struct qv_limits limits = { .size = sizeof limits, .stop = &stop };
		any_galaxy(&r, &g, LIMIT);
		struct starchess s = state_of(&d, &g);
		assert_int_equal(qv_player_new(*state, &d.rules, "admiral:time=5ms,threads=3", NULL,
					       &player, NULL),
				 QV_OK);
		const enum qv_status status =
			qv_player_think(player, &s, &limits, NULL, &answer, NULL);
		assert_true(status == QV_OK || (stop.value && status == QV_STOPPED));
		for (int k = 0; k < answer.line_length; k++) {
			assert_true(qv_move_legal(d.rules.game, &s, answer.line[k]));
			starchess_play(&s, answer.line[k]);
		}
		qv_player_free(player);
	}
}

static int make_context(void **state)
{
	*state = qv_context_new(NULL);
	return *state ? 0 : -1;
}

static int free_context(void **state)
{
	qv_context_free(*state);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_turns__are_legal_and_within_the_limit),
		cmocka_unit_test(test_turns__without_a_choice_are_played_at_once),
		cmocka_unit_test(test_nodes__lead_to_the_same_turn_on_any_number_of_threads),
		cmocka_unit_test(test_threads__make_legal_turns_and_stop),
		cmocka_unit_test(test_models__do_what_a_predictor_does),
		cmocka_unit_test(test_models__with_and_without_memory_agree),
		cmocka_unit_test(test_replies__follow_what_was_left_out_or_fits),
		cmocka_unit_test(test_watch__finds_out_how_far_the_others_look),
	};
	return cmocka_run_group_tests(tests, make_context, free_context);
}
