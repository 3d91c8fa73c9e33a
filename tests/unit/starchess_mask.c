/*
 * starchess_mask.c - the mask predictor against its literal twin: the same turn, score and counts.
 * SPDX-License-Identifier: MIT
 */
#include "games/starchess/predict.h"

#include <jansson.h>

#include "games/starchess/players.h"
#include "support/check.h"
#include "support/scale.h"
#include "support/starchess_desk.h"

enum { LIMIT = 200, TEXT = 1024 };

/* The turn is the twin's, to the word. */
static void must_be_turn(const struct desk *d, const struct twin_galaxy *g, const char *spec,
			 const struct qv_answer *answer, const struct twin_thought *t)
{
	struct starchess s = state_of(d, g);
	for (int i = 0; i < t->count && i < answer->line_length; i++) {
		char text[QV_MOVE_TEXT] = "";
		struct qv_text out = { text, sizeof text, 0 };
		assert_true(qv_move_legal(d->rules.game, &s, answer->line[i]));
		starchess_move_text(&s, answer->line[i], &out);
		if (strcmp(text, t->commands[i]) != 0) {
			char position[TEXT];
			twin_starchess_write(g, position, sizeof position);
			fail_msg("%s: command %d is %s, not %s, at %s", spec, i + 1, text,
				 t->commands[i], position);
		}
		starchess_play(&s, answer->line[i]);
	}
	assert_int_equal(answer->line_length, t->count);
	assert_int_equal(answer->score, t->score);
}

static void check(const struct desk *d, const struct twin_galaxy *g, const char *keys,
		  struct twin_thought t)
{
	char spec[128];
	const struct starchess s = state_of(d, g);
	twin_starchess_think(g, &t);
	snprintf(spec, sizeof spec, "mask:turns=%d,literal=1%s", t.turns, keys);
	const struct qv_answer literal = ask(d, &s, spec);
	must_be_turn(d, g, spec, &literal, &t);
	assert_int_equal(literal.nodes, t.generated);
	assert_int_equal(literal.evals, t.evaluated);
	snprintf(spec, sizeof spec, "mask:turns=%d%s", t.turns, keys);
	const struct qv_answer quick = ask(d, &s, spec);
	must_be_turn(d, g, spec, &quick, &t);
	assert_true(quick.nodes <= literal.nodes);
	snprintf(spec, sizeof spec, "mask:turns=%d,threads=3%s", t.turns, keys);
	const struct qv_answer shared = ask(d, &s, spec);
	must_be_turn(d, g, spec, &shared, &t);
	assert_int_equal(shared.nodes, quick.nodes);
	assert_int_equal(shared.evals, quick.evals);
}

static void check_many(const struct qv_context *context, int64_t positions, uint64_t seed,
		       const char *keys, struct twin_thought t)
{
	const struct desk d = desk_at(context);
	struct qv_random r = { seed, 0 };
	for (int64_t i = 0; i < scaled(positions); i++) {
		struct twin_galaxy g;
		any_galaxy(&r, &g, LIMIT);
		check(&d, &g, keys, t);
	}
}

static void test_turns__of_one_turn_are_the_twins(void **state)
{
	check_many(*state, 1500, 1, ",masks=0", (struct twin_thought){ .turns = 0 });
	check_many(*state, 600, 2, "", (struct twin_thought){ .turns = 0, .masks = true });
}

static void test_trees__are_the_twins(void **state)
{
	check_many(*state, 100, 3, "", (struct twin_thought){ .turns = 1, .masks = true });
}

static void test_trees__with_all_masks(void **state)
{
	const struct desk d = desk_at(*state);
	const struct twin_thought t = { .turns = 1, .masks = true, .all_masks = true };
	for (int64_t seed = 0; seed < scaled(2); seed++) {
		char text[TEXT] = "";
		struct qv_text out = { text, sizeof text, 0 };
		const int64_t options[] = { SC_MIXED, LIMIT, 1000, seed };
		struct starchess s;
		struct twin_galaxy g;
		starchess_start(&s, options);
		starchess_position_text(&s, &out);
		twin_starchess_read(&g, text, LIMIT);
		check(&d, &g, ",all-masks=1", t);
	}
}

static void test_experiments__are_the_twins(void **state)
{
	struct twin_thought t = { .turns = 1, .masks = true, .gains = true };
	check_many(*state, 25, 4, ",gains=1", t);
	t = (struct twin_thought){ .turns = 1, .masks = true, .count_builds = true };
	check_many(*state, 25, 5, ",build-threat=1", t);
	t = (struct twin_thought){ .turns = 1, .masks = true, .old_garrison = true };
	check_many(*state, 25, 6, ",garrison=3", t);
	t = (struct twin_thought){ .turns = 1, .masks = true, .skip_dead = true };
	check_many(*state, 25, 7, ",skip-dead=1", t);
}

/* Whole games of two-turn players: what the twin thinks of some of their turns. */
static void test_games__the_twin_would_play_the_same(void **state)
{
	const struct desk d = desk_at(*state);
	struct qv_player *player;
	struct starchess s;
	struct qv_random r = { 9, 0 };
	int32_t points[QV_MAX_SEATS];
	assert_int_equal(qv_player_new(*state, &d.rules, "mask", NULL, &player, NULL), QV_OK);
	d.rules.game->start(d.rules.options, &s);
	int64_t compared = 0;
	while (starchess_result(&s, points) == QV_GOING && compared < scaled(6)) {
		struct qv_answer answer = { .size = sizeof answer };
		if (qv_random_below(&r, 40) == 0) {
			char text[TEXT] = "";
			struct qv_text out = { text, sizeof text, 0 };
			struct twin_galaxy g;
			starchess_position_text(&s, &out);
			twin_starchess_read(&g, text, LIMIT);
			check(&d, &g, ",skip-dead=1",
			      (struct twin_thought){ .turns = 1, .masks = true, .skip_dead = true });
			if (compared++ == 0)
				check(&d, &g, "", (struct twin_thought){ .turns = 2, .masks = true });
		}
		do {
			assert_int_equal(qv_player_think(player, &s, NULL, NULL, &answer, NULL), QV_OK);
			starchess_play(&s, answer.move);
		} while (sc_kind(answer.move) != SC_END);
	}
	assert_true(compared > 0);
	qv_player_free(player);
}

/* ---- How it thinks, told ---- */

static json_t *explained(const struct desk *d, const struct starchess *s, const char *spec)
{
	struct string out = { .allocator = &mem_malloc };
	struct qv_player *player;
	struct qv_error error = { "" };
	assert_int_equal(qv_player_new(d->context, &d->rules, spec, NULL, &player, NULL), QV_OK);
	const struct qv_limits limits = { .size = sizeof limits };
	if (starchess_explain(player, s, &limits, &out, &error) != QV_OK)
		fail_msg("%s: %s", spec, error.text);
	json_t *told = json_loads(out.data, 0, NULL);
	assert_non_null(told);
	string_release(&out);
	qv_player_free(player);
	return told;
}

static int64_t told_number(const json_t *told, const char *name)
{
	return json_integer_value(json_object_get(told, name));
}

/* The turn, its score and the counts are the player's; the line ends where the score comes from. */
static void must_explain(const struct desk *d, const struct starchess *s, const char *spec)
{
	const struct qv_answer answer = ask(d, s, spec);
	json_t *told = explained(d, s, spec);
	const json_t *line = json_object_get(told, "line"), *first = json_array_get(line, 0);
	const json_t *commands = json_object_get(first, "commands");
	const json_t *mask = json_array_get(json_object_get(told, "masks"),
					    (size_t)told_number(told, "chosen"));
	const json_t *scores = json_object_get(mask, "scores");
	const json_t *last = json_array_get(line, json_array_size(line) - 1);
	struct starchess at = *s;
	assert_int_equal(told_number(told, "generated"), answer.nodes);
	assert_int_equal(told_number(told, "evaluated"), answer.evals);
	assert_int_equal(json_array_size(commands), answer.line_length);
	for (int i = 0; i < answer.line_length; i++) {
		char text[QV_MOVE_TEXT] = "";
		struct qv_text out = { text, sizeof text, 0 };
		starchess_move_text(&at, answer.line[i], &out);
		assert_string_equal(json_string_value(json_array_get(commands, (size_t)i)), text);
		starchess_play(&at, answer.line[i]);
	}
	assert_int_equal(json_integer_value(json_array_get(scores, s->seat)), answer.score);
	assert_true(json_equal(json_object_get(last, "scores"), scores));
	json_decref(told);
}

static void test_explanation__is_what_the_player_does(void **state)
{
	static const char *const specs[] = { "mask:turns=0", "mask:turns=1", "mask", "mask:masks=0",
					     "mask:turns=1,all-masks=1", "mask:skip-dead=1",
					     "mask:turns=1,gains=1", "mask:garrison=3,literal=1" };
	const struct desk d = desk_at(*state);
	struct qv_player *player;
	struct starchess s;
	int32_t points[QV_MAX_SEATS];
	assert_int_equal(qv_player_new(*state, &d.rules, "mask:turns=1", NULL, &player, NULL), QV_OK);
	d.rules.game->start(d.rules.options, &s);
	int64_t commands = 0;
	for (; starchess_result(&s, points) == QV_GOING && commands < scaled(600); commands++) {
		struct qv_answer answer = { .size = sizeof answer };
		if (commands % 7 == 0)
			must_explain(&d, &s, specs[(size_t)commands / 7 % (sizeof specs / sizeof *specs)]);
		assert_int_equal(qv_player_think(player, &s, NULL, NULL, &answer, NULL), QV_OK);
		starchess_play(&s, answer.move);
	}
	assert_true(commands > 7);
	qv_player_free(player);
}

static void test_explanation__requests_are_those_of_the_rules(void **state)
{
	const struct desk d = desk_at(*state);
	struct starchess s;
	/* Yellow's 9 ships reach A2 and stand in B1; red's home is safe. */
	assert_int_equal(
		qv_position_parse(
			&d.rules,
			"SC1 turn=9 move=1 f1=0,0 f2=0,0 f3=0,0 f4=0,0 A1=T1:1000:0/1:20:20 A2=B1:60:0 "
			"A3=B2:50:0/2:9:9 A4=T2:1000:0 B1=B1:40:0/4:2:2 B2=B0 B3=B0 B4=B0 C1=B4:30:0 C2=B0 "
			"C3=B0 C4=B0 D1=T4:1000:0 D2=B0 D3=B0 D4=T3:1000:0",
			&s, NULL),
		QV_OK);
	json_t *told = explained(&d, &s, "mask:turns=0");
	char *requests = json_dumps(json_object_get(told, "requests"), JSON_COMPACT);
	assert_string_equal(
		requests,
		"[{\"sector\":\"B1\",\"goal\":\"free a colony\",\"priority\":2,\"least\":1,\"most\":6,\"threat\":2},"
		"{\"sector\":\"C1\",\"goal\":\"attack a colony\",\"priority\":3,\"least\":3,\"most\":50,\"threat\":2},"
		"{\"sector\":\"A3\",\"goal\":\"attack a colony\",\"priority\":3,\"least\":10,\"most\":50,\"threat\":9},"
		"{\"sector\":\"A2\",\"goal\":\"guard a colony\",\"priority\":4,\"least\":4,\"most\":27,\"threat\":9},"
		"{\"sector\":\"B2\",\"goal\":\"found a colony\",\"priority\":4,\"least\":31,\"most\":53,\"threat\":11},"
		"{\"sector\":\"B3\",\"goal\":\"found a colony\",\"priority\":4,\"least\":29,\"most\":47,\"threat\":9},"
		"{\"sector\":\"C2\",\"goal\":\"found a colony\",\"priority\":4,\"least\":22,\"most\":26,\"threat\":2}]");
	free(requests);
	json_decref(told);
}

/* ---- The view ---- */

static void test_views__turn_into_each_other(void **unused)
{
	struct relative_maps maps;
	struct qv_random r = { 11, 0 };
	(void)unused;
	relative_prepare(&maps);
	for (int i = 0; i < 200; i++) {
		struct sc_galaxy g, view, next, direct;
		uint16_t *words = (uint16_t *)(void *)&g;
		for (size_t k = 0; k < sizeof g / 2; k++)
			words[k] = (uint16_t)qv_random_next(&r);
		g.defeated &= 15;
		for (int me = 0; me < SC_FACTIONS; me++) {
			relative_view(&view, &g, me);
			relative_next(&maps, &next, &view);
			relative_view(&direct, &g, (me + 1) % SC_FACTIONS);
			assert_memory_equal(&next, &direct, sizeof next);
		}
		assert_int_equal(relative_set(sc_near(g.terran), 2),
				 relative_reach(&maps, relative_set(g.terran, 2)));
	}
	for (int f = 0; f < SC_FACTIONS; f++)
		assert_int_equal(sc_orders[0][relative_homes[f]], sc_homes[f]);
}

/* ---- The player ---- */

static void test_player__stops_at_once_with_a_legal_turn(void **state)
{
	const struct desk d = desk_at(*state);
	struct qv_player *player;
	struct qv_answer answer = { .size = sizeof answer };
	struct starchess s;
	struct qv_flag stop = { 1 };
	struct qv_limits limits = { .size = sizeof limits, .stop = &stop };
	d.rules.game->start(d.rules.options, &s);
	assert_int_equal(qv_player_new(*state, &d.rules, "mask:turns=5", NULL, &player, NULL), QV_OK);
	assert_int_equal(qv_player_think(player, &s, &limits, NULL, &answer, NULL), QV_STOPPED);
	assert_true(qv_move_legal(d.rules.game, &s, answer.move));
	qv_player_new_game(player);
	limits = (struct qv_limits){ .size = sizeof(struct qv_limits), .nodes = 10 };
	assert_int_equal(qv_player_think(player, &s, &limits, NULL, &answer, NULL), QV_OK);
	assert_true(answer.nodes <= 10);
	qv_player_free(player);
}

static void test_player__goes_on_with_its_turn(void **state)
{
	const struct desk d = desk_at(*state);
	struct qv_player *player;
	struct qv_answer first = { .size = sizeof first }, later = { .size = sizeof later };
	struct starchess s;
	d.rules.game->start(d.rules.options, &s);
	assert_int_equal(qv_player_new(*state, &d.rules, "mask", NULL, &player, NULL), QV_OK);
	assert_int_equal(qv_player_think(player, &s, NULL, NULL, &first, NULL), QV_OK);
	for (int i = 0; i < first.line_length; i++) {
		if (i) {
			assert_int_equal(qv_player_think(player, &s, NULL, NULL, &later, NULL), QV_OK);
			assert_true(later.move == first.line[i]);
			assert_int_equal(later.nodes, 0);
		}
		starchess_play(&s, first.line[i]);
	}
	assert_int_equal(s.seat, 1);
	qv_player_free(player);
}

static void test_player__is_for_star_chess_alone(void **state)
{
	struct qv_rules rules;
	struct qv_player *player;
	struct qv_error error;
	assert_int_equal(qv_rules_parse(*state, "noughts", &rules, NULL), QV_OK);
	assert_int_equal(qv_player_new(*state, &rules, "mask", NULL, &player, &error),
			 QV_UNSUPPORTED);
	assert_non_null(strstr(error.text, "it plays starchess"));
}

/* Requests that are overlooked at random cannot be explained; the same seed overlooks the same. */
static void test_player__overlooks_requests_by_its_seed(void **state)
{
	const struct desk d = desk_at(*state);
	struct starchess s;
	struct string out = { .allocator = &mem_malloc };
	struct qv_error error = { "" };
	const struct qv_limits limits = { .size = sizeof limits };
	struct qv_answer answers[2] = { { .size = sizeof *answers }, { .size = sizeof *answers } };
	int moved = 0;
	d.rules.game->start(d.rules.options, &s);
	for (uint64_t seed = 1; seed <= 20; seed++) {
		const struct qv_defaults defaults = {
			.size = sizeof defaults, .seed = seed, .threads = 1, .hash_mb = 1
		};
		for (int i = 0; i < 2; i++) {
			struct qv_player *player;
			assert_int_equal(qv_player_new(d.context, &d.rules, "mask:miss=80",
						       &defaults, &player, NULL),
					 QV_OK);
			assert_int_equal(qv_player_think(player, &s, NULL, NULL, &answers[i], NULL),
					 QV_OK);
			assert_int_equal(starchess_explain(player, &s, &limits, &out, &error),
					 QV_UNSUPPORTED);
			qv_player_free(player);
		}
		assert_int_equal(answers[0].move, answers[1].move);
		moved += sc_kind(answers[0].move) == SC_MOVE;
	}
	string_release(&out);
	assert_true(moved > 2 && moved < 18); /* one of three requests is seen, or none */
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
		cmocka_unit_test(test_turns__of_one_turn_are_the_twins),
		cmocka_unit_test(test_trees__are_the_twins),
		cmocka_unit_test(test_trees__with_all_masks),
		cmocka_unit_test(test_experiments__are_the_twins),
		cmocka_unit_test(test_games__the_twin_would_play_the_same),
		cmocka_unit_test(test_explanation__is_what_the_player_does),
		cmocka_unit_test(test_explanation__requests_are_those_of_the_rules),
		cmocka_unit_test(test_views__turn_into_each_other),
		cmocka_unit_test(test_player__stops_at_once_with_a_legal_turn),
		cmocka_unit_test(test_player__goes_on_with_its_turn),
		cmocka_unit_test(test_player__is_for_star_chess_alone),
		cmocka_unit_test(test_player__overlooks_requests_by_its_seed),
	};
	return cmocka_run_group_tests(tests, make_context, free_context);
}
