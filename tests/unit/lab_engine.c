/*
 * lab_engine.c - the laboratory's requests to the engine for browsers, in native code: what they
 * return must follow from the rules and from the other requests.
 * SPDX-License-Identifier: MIT
 */
#include "support/lab_desk.h"

/* ---- Proofs ---- */

static void test_lab__a_proof_ends_with_the_value_of_the_position(void **state)
{
	static const char *const moves[] = { "", "\"a1-a2\"", "\"a1-a2\",\"b3-b2\"", "\"b1-b2\"" };
	(void)state;
	for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
		char value[16];
		const json_t *r =
			lab_ask("solve", "{\"game\":\"hexapawn\",\"moves\":[%s]}", moves[i]);
		snprintf(value, sizeof value, "%s", text_of(r, "value"));
		r = lab_ask("proof", "{\"game\":\"hexapawn\",\"moves\":[%s]}", moves[i]);
		assert_string_equal(text_of(r, "result"), value);
		const json_t *growth = json_object_get(r, "growth"),
			     *steps = list_of(growth, "steps");
		assert_string_equal(text_of(growth, "kind"), "proof");
		assert_int_equal(json_array_size(steps), number_of(r, "seen"));
		/* Each node is new once, though two proofs may visit it. */
		size_t added = 0;
		for (size_t k = 0; k < json_array_size(steps); k++)
			added += (size_t)json_integer_value(
				json_array_get(json_array_get(steps, k), 1));
		assert_int_equal(added, json_array_size(list_of(json_object_get(growth, "nodes"),
								"parent")));
		/* If the first seat cannot win, the other one is the attacker of a second tree. */
		const json_t *attackers = list_of(growth, "attackers");
		assert_int_equal(json_array_size(attackers), strcmp(value, "win") == 0 ? 1 : 2);
	}
	assert_refused("proof", "{\"game\":\"race\"}", 409,
		       "position: a dice roll is next, not a player's move");
	assert_refused("proof", "{\"game\":\"hexapawn\",\"nodes\":0}", 400,
		       "nodes: a whole number from 1 to 10000000 is expected");
}

/* ---- Words ---- */

/* A tree that grows has words for its steps. */
static void test_lab__steps_have_words(void **state)
{
	char body[64];
	(void)state;
	const json_t *r = lab_ask("trace", "{\"game\":\"noughts\",\"player\":\"mcts:playouts=5\","
					   "\"log\":true}");
	const int id = (int)number_of(r, "id");
	r = lab_ask("trace/words", "{\"id\":%d,\"visit\":4}", id);
	assert_non_null(strstr(text_of(r, "text"), "visits of the root: 5."));
	snprintf(body, sizeof body, "{\"id\":%d,\"visit\":5}", id);
	assert_refused("trace/words", body, 404, "visit: the log has 5");
}

/* ---- Waves ---- */

/* The moves of a position of a wave, by its definition. */
static void check_wave_position(const json_t *r, int plies)
{
	const json_t *moves = list_of(r, "moves"), *move;
	const bool wins = plies % 2;
	size_t i;
	int before = 0;
	assert_string_equal(text_of(r, "value"), wins ? "win" : "loss");
	assert_int_equal(number_of(r, "in"), plies);
	json_array_foreach(moves, i, move)
	{
		const char *value = text_of(move, "value");
		if (json_is_true(json_object_get(move, "before"))) {
			before++;
			assert_int_equal(number_of(move, "in"), plies - 1);
			assert_string_equal(value, wins ? "loss" : "win");
		} else if (wins && strcmp(value, "loss") == 0) {
			assert_true(number_of(move, "in") > plies - 1);
		} else if (!wins) {
			/* All moves lose; none lasts longer. */
			assert_string_equal(value, "win");
			assert_true(number_of(move, "in") < plies - 1);
		}
	}
	assert_true(plies ? before > 0 : !json_array_size(moves) || !before);
}

/* The map has as many positions of each wave. */
static void check_map(const json_t *r, json_int_t counts[][2], size_t n, json_int_t all)
{
	const json_t *waves = list_of(r, "waves"), *one;
	json_int_t found[64] = { 0 };
	size_t i;
	assert_int_equal(json_array_size(waves), all);
	json_array_foreach(waves, i, one) if (json_integer_value(one) >= 0)
		found[json_integer_value(one)]++;
	for (i = 0; i < n; i++)
		assert_int_equal(found[i], counts[i][0] + counts[i][1]);
}

static void check_waves(const char *game, const char *space, int each)
{
	json_int_t sum = 0, counts[64][2];
	const json_t *r = lab_ask("wave", "{\"game\":\"%s\"%s}", game, space), *wave;
	const json_t *waves = list_of(r, "waves");
	const size_t n = json_array_size(waves);
	size_t i;
	assert_true(n > 3 && n < 64);
	json_array_foreach(waves, i, wave)
	{
		assert_int_equal(number_of(wave, "plies"), i);
		counts[i][0] = number_of(wave, "wins");
		counts[i][1] = number_of(wave, "losses");
		/* Only a loss can end a game here, so wins take an odd number of plies. */
		assert_int_equal(counts[i][i % 2], 0);
		sum += counts[i][0] + counts[i][1];
	}
	assert_int_equal(sum + number_of(r, "draws"), number_of(r, "positions"));
	const json_int_t all = number_of(r, "positions");
	check_map(lab_ask("wave/map", "{\"game\":\"%s\"%s}", game, space), counts, n, all);
	for (i = 0; i < n; i++) {
		const json_int_t count = counts[i][0] + counts[i][1];
		for (int k = 0; k < each && k < count; k++) {
			r = lab_ask("wave/position",
				    "{\"game\":\"%s\"%s,\"wave\":%d,\"index\":%lld}", game, space,
				    (int)i, (long long)(k * count / each));
			check_wave_position(r, (int)i);
		}
	}
}

static void test_lab__waves_follow_from_each_other(void **state)
{
	(void)state;
	check_waves("hexapawn", "", 20);
	check_waves("noughts", "", 20);
	check_waves("chess", ",\"space\":\"krk\"", 4);
	/* A position by its text: the wave of the start is the value of the game. */
	const json_t *r =
		lab_ask("wave/position", "{\"game\":\"hexapawn\",\"position\":\"start\"}");
	check_wave_position(r, 6);
	r = lab_ask("wave/position", "{\"game\":\"noughts\",\"position\":\"start\"}");
	assert_string_equal(text_of(r, "value"), "draw");
	assert_refused("wave/position", "{\"game\":\"hexapawn\",\"position\":\"no\"}", 400,
		       "position: rank 3: expected three squares of 'P', 'p' or '.'");
	assert_refused("wave", "{\"game\":\"chess\"}", 409,
		       "wave: chess has too many positions; choose a smaller space");
	assert_refused("wave", "{\"game\":\"reversi\"}", 409,
		       "tables: reversi has no index of positions");
	assert_refused("wave/position", "{\"game\":\"hexapawn\",\"wave\":7}", 409,
		       "index: the wave has no such position");
}

/* ---- The learner ---- */

/* The game that removed the bead of a move from its box; 0: it is still there. */
static json_int_t removed_in(const json_t *box, const char *move)
{
	const json_t *list = list_of(box, "moves"), *bead;
	size_t i;
	json_array_foreach(list, i,
			   bead) if (strcmp(text_of(bead, "move"), move) ==
				     0) return json_integer_value(json_object_get(bead, "removed"));
	fail_msg("the box has no bead %s", move);
	return 0;
}

/* A learner draws beads that are in the box, unless it is empty. */
static void check_played(const json_t *played, size_t games, const json_t *boxes)
{
	const json_t *game, *bead;
	size_t i, k;
	assert_int_equal(json_array_size(played), games);
	json_array_foreach(played, i, game)
	{
		const json_t *beads = list_of(game, "beads");
		const size_t plies = json_array_size(list_of(game, "moves"));
		assert_in_range(2 * json_array_size(beads), plies - 1, plies + 1);
		json_array_foreach(beads, k, bead)
		{
			const json_t *box = json_array_get(boxes, (size_t)number_of(bead, "box"));
			const json_int_t gone = removed_in(box, text_of(bead, "move"));
			assert_true(number_of(box, "game") <= (json_int_t)i + 1);
			assert_true(!gone || gone > (json_int_t)i || !number_of(box, "beads"));
		}
	}
}

/* Each move that lost its bead really loses; *early and *late: wins in the first and last games. */
static void check_lesson(const char *request, int *early, int *late)
{
	char position[64], move[16];
	json_t *r = json_deep_copy(lab_ask("learn", "%s", request)), *one;
	const json_t *removed = list_of(r, "removed"), *results = list_of(r, "results");
	const size_t games = json_array_size(results);
	size_t i;
	assert_int_equal(number_of(r, "games"), games);
	json_array_foreach(removed, i, one)
	{
		assert_in_range(number_of(one, "game"), 1, games);
		snprintf(position, sizeof position, "%s", text_of(one, "position"));
		snprintf(move, sizeof move, "%s", text_of(one, "move"));
		const json_t *view =
			lab_ask("positions",
				"{\"game\":\"hexapawn\",\"position\":\"%s\",\"moves\":[\"%s\"]}",
				position, move);
		if (!json_is_null(json_object_get(view, "result")))
			continue;
		assert_string_equal(
			text_of(lab_ask("solve",
					"{\"game\":\"hexapawn\",\"position\":\"%s\",\"moves\":[\"%s\"]}",
					position, move),
				"value"),
			"win");
	}
	*early = *late = 0;
	for (i = 0; i < 20; i++) {
		*early += json_integer_value(json_array_get(results, i)) > 0;
		*late += json_integer_value(json_array_get(results, games - 1 - i)) > 0;
	}
	/* The boxes: as many moves without a bead. */
	const json_t *boxes = list_of(lab_ask("boxes", "%s", request), "boxes");
	check_played(list_of(r, "played"), games, boxes);
	size_t gone = 0;
	assert_int_equal(json_array_size(boxes), number_of(r, "boxes"));
	json_array_foreach(boxes, i, one)
	{
		const json_t *list = list_of(one, "moves"), *bead;
		json_int_t left = 0;
		size_t k;
		json_array_foreach(list, k, bead)
		{
			const bool kept = json_is_null(json_object_get(bead, "removed"));
			left += kept;
			gone += !kept;
		}
		assert_int_equal(left, number_of(one, "beads"));
	}
	assert_int_equal(gone, json_array_size(removed));
	json_decref(r);
}

static void test_lab__the_learner_loses_beads_and_then_no_more_games(void **state)
{
	int early, late;
	(void)state;
	/* The second seat of hexapawn can always win. */
	check_lesson("{\"games\":400,\"seed\":1,\"seat\":2}", &early, &late);
	assert_true(early < 18);
	assert_int_equal(late, 20);
	check_lesson("{\"games\":40,\"seed\":5,\"opponent\":\"perfect\"}", &early, &late);
	assert_refused(
		"learn", "{\"game\":\"race\"}", 409,
		"player learn: needs a game of two players without dice, whose moves have no "
		"numbers; race is not one");
}

/* ---- Temporal differences ---- */

/* The same training in slices, each of which continues where the one before ended. */
static void check_slices(const json_t *whole)
{
	char progress[256] = "";
	json_t *curve = json_array();
	for (int done = 0; done < 300; done += 75) {
		const json_t *r = lab_ask("td",
					  "{\"games\":300,\"every\":100,\"test\":30,\"seed\":9,"
					  "\"slice\":75%s}",
					  progress);
		json_array_extend(curve, json_object_get(r, "curve"));
		snprintf(progress, sizeof progress, ",\"progress\":\"%s\"", text_of(r, "progress"));
	}
	assert_true(json_equal(curve, json_object_get(whole, "curve")));
	assert_true(json_equal(json_object_get(last.body, "weights"),
			       json_object_get(whole, "weights")));
	assert_string_equal(text_of(last.body, "progress"), text_of(whole, "progress"));
	json_decref(curve);
}

static void test_lab__a_curve_is_the_same_each_time(void **state)
{
	static const char body[] = "{\"games\":300,\"every\":100,\"test\":30,\"seed\":9}";
	(void)state;
	json_t *r = json_deep_copy(lab_ask("td", "%s", body));
	const json_t *curve = list_of(r, "curve");
	assert_int_equal(json_array_size(curve), 4);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(number_of(json_array_get(curve, i), "games"), 100 * i);
	assert_true(number_of(json_object_get(r, "weights"), "entered") > 10);
	assert_true(json_equal(json_object_get(json_array_get(curve, 3), "weights"),
			       json_object_get(r, "weights")));
	assert_true(json_equal(r, lab_ask("td", "%s", body)));
	/* The moves are those of a whole game. */
	json_t *moves = json_deep_copy(list_of(r, "moves"));
	json_t *request = json_pack("{s:s, s:O}", "game", "race", "moves", moves);
	char *text = json_dumps(request, JSON_COMPACT);
	engine_request("positions", text);
	assert_int_equal(last.status, 200);
	assert_false(json_is_null(json_object_get(last.body, "result")));
	free(text);
	json_decref(request);
	json_decref(moves);
	check_slices(r);
	json_decref(r);
	assert_refused("td", "{\"progress\":\"0\"}", 400, "progress: not one of such a training");
	assert_refused("td", "{\"games\":1000,\"every\":1}", 400,
		       "every: at most 500 points are allowed");
	assert_refused("td", "{\"game\":\"chess\"}", 409, "game: only race has such a learner");
}

/* ---- The machine of 1912 ---- */

static void test_lab__the_machine_names_its_rule(void **state)
{
	static const char *const fens[] = {
		"K7/R7/8/8/8/1k6/8/8 w - - 0 1",  "K7/R7/8/8/8/5k2/8/8 w - - 0 1",
		"K7/8/8/8/R7/5k2/8/8 w - - 0 1",  "8/8/8/5K2/R7/5k2/8/8 w - - 0 1",
		"8/8/8/4K3/R7/5k2/8/8 w - - 0 1", "8/8/8/3K4/R7/5k2/8/8 w - - 0 1",
	};
	(void)state;
	for (size_t i = 0; i < 6; i++) {
		const json_t *r = lab_ask("machine", "{\"position\":\"%s\"}", fens[i]);
		const json_t *rules = list_of(r, "rules");
		assert_int_equal(number_of(r, "rule"), i + 1);
		assert_int_equal(json_array_size(rules), 6);
		size_t first = 0;
		while (!json_is_true(json_object_get(json_array_get(rules, first), "applies")))
			first++;
		assert_int_equal(first, i);
		assert_string_equal(text_of(r, "text"), text_of(json_array_get(rules, i), "text"));
		char move[16];
		snprintf(move, sizeof move, "%s", text_of(r, "move"));
		r = lab_ask("move",
			    "{\"game\":\"chess\",\"position\":\"%s\",\"player\":\"machine\"}",
			    fens[i]);
		assert_string_equal(text_of(r, "move"), move);
	}
	assert_refused("machine", "{}", 400, "position: missing");
	assert_refused("machine", "{\"game\":\"reversi\"}", 409,
		       "game: only chess has this machine");
	missing = "chess"; /* whether the request names it or not */
	assert_refused("machine", "{}", 409, "data: chess is not loaded");
	missing = "";
}

/* ---- The mask predictor ---- */

/* The commands of all turns of an expected line, as a list of moves. */
static void write_moves(const json_t *line, char *out, size_t size)
{
	const json_t *turn, *command;
	size_t i, k;
	*out = '\0';
	json_array_foreach(line, i, turn)
		json_array_foreach(json_object_get(turn, "commands"), k, command)
			snprintf(out + strlen(out), size - strlen(out), "%s\"%s\"", *out ? "," : "",
				 json_string_value(command));
}

/* From the start with two turns ahead and with one, and then after the turns that are expected. */
static void test_lab__the_tree_of_masks_explains_the_choice(void **state)
{
	char moves[800] = "";
	(void)state;
	for (int turns = 1; turns <= 3; turns++) {
		json_t *plain = json_deep_copy(lab_ask(
			"explanations",
			"{\"game\":\"starchess\",\"moves\":[%s],\"player\":\"mask:turns=%d\"}",
			moves, 1 + turns % 2));
		json_t *r = json_deep_copy(
			       lab_ask("mask",
				       "{\"game\":\"starchess\",\"moves\":[%s],\"nodes\":20000,"
				       "\"player\":\"mask:turns=%d\"}",
				       moves, 1 + turns % 2)),
		       *node;
		const json_t *tree = json_object_get(r, "tree"), *nodes = list_of(tree, "nodes");
		const json_t *masks = list_of(r, "masks");
		size_t i, roots = 0;
		assert_int_equal(number_of(tree, "seen"), json_array_size(nodes));
		json_array_foreach(nodes, i, node)
		{
			const json_int_t parent = number_of(node, "parent"),
					 best = number_of(node, "best");
			assert_true(parent < (json_int_t)i);
			if (parent < 0) {
				/* The turns of the root are the masks. */
				const json_t *mask = json_array_get(masks, roots++);
				assert_true(json_equal(json_object_get(node, "scores"),
						       json_object_get(mask, "scores")));
				assert_true(json_equal(json_object_get(node, "without"),
						       json_object_get(mask, "without")));
			}
			/* What a turn leads to is what the chosen reply leads to. */
			if (best >= 0)
				assert_true(json_equal(
					json_object_get(node, "scores"),
					json_object_get(json_array_get(nodes, (size_t)best),
							"scores")));
		}
		assert_int_equal(roots, json_array_size(masks));
		/* The chosen turns, one after the other, are the expected line. */
		size_t at = 0, turn;
		const json_t *line = list_of(r, "line"), *expected;
		for (json_int_t left = number_of(r, "chosen"); left >= 0; at++)
			if (number_of(json_array_get(nodes, at), "parent") < 0 && left-- == 0)
				break;
		json_array_foreach(line, turn, expected)
		{
			const json_t *one = json_array_get(nodes, at);
			assert_true(json_equal(json_object_get(one, "seat"),
					       json_object_get(expected, "seat")));
			assert_true(json_equal(json_object_get(one, "without"),
					       json_object_get(expected, "without")));
			assert_true(json_equal(json_object_get(one, "commands"),
					       json_object_get(expected, "commands")));
			at = (size_t)number_of(one, "best");
		}
		assert_int_equal(turn, number_of(r, "levels"));
		/* Every turn that was made is in the tree. */
		assert_int_equal(number_of(tree, "seen"), number_of(r, "generated"));
		if (turns == 2)
			write_moves(line, moves, sizeof moves);
		json_object_del(r, "tree");
		assert_true(json_equal(r, plain));
		json_decref(plain);
		json_decref(r);
	}
	assert_refused("mask", "{\"game\":\"chess\"}", 409,
		       "game: only starchess has a mask predictor");
}

/* The depth of the move that a player finds; extra: further fields. */
static int depth_of(const char *player, const char *extra)
{
	const json_t *r =
		lab_ask("move", "{\"game\":\"noughts\",\"player\":\"%s\"%s}", player, extra);
	return (int)number_of(json_object_get(json_object_get(r, "thoughts"), "line"), "depth");
}

/*
 * The bound of a job is not what somebody wants to spend; a time in the request is. Noughts has nine
 * plies, so no clock ends these searches.
 */
static void test_lab__a_time_in_a_request_replaces_a_default_depth(void **state)
{
	(void)state;
	assert_int_equal(depth_of("alphabeta", ""), 6);
	assert_int_equal(depth_of("alphabeta", ",\"time\":3600000"), 9);
	assert_int_equal(depth_of("alphabeta", ",\"aim\":3600000"), 9);
	assert_int_equal(depth_of("alphabeta:depth=3", ",\"time\":3600000"), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lab__a_proof_ends_with_the_value_of_the_position),
		cmocka_unit_test(test_lab__steps_have_words),
		cmocka_unit_test(test_lab__waves_follow_from_each_other),
		cmocka_unit_test(test_lab__the_learner_loses_beads_and_then_no_more_games),
		cmocka_unit_test(test_lab__a_curve_is_the_same_each_time),
		cmocka_unit_test(test_lab__the_machine_names_its_rule),
		cmocka_unit_test(test_lab__the_tree_of_masks_explains_the_choice),
		cmocka_unit_test(test_lab__a_time_in_a_request_replaces_a_default_depth),
	};
	return cmocka_run_group_tests_name("lab_engine", tests, open_engine, close_engine);
}
