/*
 * server_play_terms.c - tests of plays: clocks, dice, rematch, setups, bounds.
 * SPDX-License-Identifier: MIT
 */
#include "support/play_checks.h"

#include "support/dice.h"
#include "support/promises.h"

/* ---- Clocks ---- */

static void test_play__clocks_run_from_the_first_move_on(void **state)
{
	struct table t;
	open_table(state, "noughts", SEATS("ann", "bob"), "60+2", &t);
	sees_text(&t, "clocks.terms", "1m+2s");
	t.now += 30000;
	sees_number(&t, "clocks.running", 0);
	assert_int_equal(hosted_due(t.play), -1);
	moved(&t, "ann", "5");
	sees_number(&t, "clocks.left.0", 60000);
	sees_number(&t, "clocks.running", 2);
	hosted_committed(t.play, hosted_version(t.play), t.now + 5); /* the disk took 5 ms */
	t.now += 5;
	t.now += 10000;
	sees_number(&t, "clocks.left.1", 50000);
	moved(&t, "bob", "1");
	sees_number(&t, "clocks.left.1", 52000);
	sees_number(&t, "clocks.running", 1);
	t.now += 1000;
	done(&t, "bob", "{\"action\":\"offer\",\"kind\":\"draw\"}"); /* the clock goes on */
	t.now += 1000;
	moved(&t, "ann", "9");
	sees_number(&t, "clocks.left.0", 60000);
	/* The server dies for an hour: nobody pays for that. */
	t.now += 3600000;
	struct hosted_game *again = table_again(&t);
	hosted_free(t.play);
	t.play = again;
	sees_number(&t, "clocks.left.1", 52000);
	sees_number(&t, "clocks.running", 2);
	assert_int_equal(hosted_due(t.play), t.now + 52001);
	table_close(&t);
}

/* Days for each move pass while the server is down, too, and a move gives them back. */
static void test_play__days_for_each_move(void **state)
{
	const int64_t hour = 3600, day = 24 * hour;
	struct table t;
	struct hosted_game *again;
	open_table(state, "noughts", SEATS("ann", "bob"), "3d/move", &t);
	t.second = 1000000;
	sees_text(&t, "clocks.terms", "3d/move");
	sees_number(&t, "clocks.running", 0);
	moved(&t, "ann", "5");
	sees_number(&t, "clocks.running", 2);
	t.now += 1000 * hour;
	t.second += hour;
	assert_int_equal(table_act(&t, "ann", "{\"action\":\"offer\",\"kind\":\"draw\"}"), VERDICT_OK);
	sees_number(&t, "clocks.left.1", 1000 * (3 * day - hour));
	t.now += 1000; /* since the machine was started again */
	t.second += 2 * day;
	again = table_again(&t);
	assert_int_equal(hosted_lines(again), 0);
	hosted_free(t.play);
	t.play = again;
	sees_number(&t, "clocks.left.1", 1000 * (day - hour));
	assert_int_equal(hosted_due(t.play), t.now + 1000 * (day - hour) + 1);
	moved(&t, "bob", "1");
	sees_number(&t, "clocks.left.1", 1000 * 3 * day);
	sees_number(&t, "clocks.left.0", 1000 * 3 * day);
	/* A move that is taken back begins the turn anew. */
	t.now += 1000 * day;
	t.second += day;
	assert_int_equal(table_act(&t, "bob", "{\"action\":\"offer\",\"kind\":\"undo\"}"), VERDICT_OK);
	done(&t, "ann", "{\"action\":\"accept\",\"kind\":\"undo\"}");
	sees_number(&t, "clocks.left.1", 1000 * 3 * day);
	/* Nobody looks for four days: the flag falls as soon as somebody does. */
	t.second += 4 * day;
	again = table_again(&t);
	hosted_free(t.play);
	t.play = again;
	assert_true(hosted_tick(t.play, t.now, NULL));
	table_store(&t);
	sees_text(&t, "result", "win 1");
	table_close(&t);
}

static void test_play__flag_falls(void **state)
{
	struct table t;
	open_table(state, "noughts", SEATS("ann", "bob"), "10s", &t);
	moved(&t, "ann", "5");
	const int64_t due = hosted_due(t.play);
	assert_int_equal(due, t.now + 10001);
	t.now = due - 1;
	assert_false(hosted_tick(t.play, t.now, NULL));
	t.now = due;
	move_refused(&t, "bob", "1", VERDICT_NOT_NOW); /* too late, though nobody has said so yet */
	refused(&t, "bob", "{\"action\":\"resign\"}", VERDICT_NOT_NOW);
	assert_true(hosted_tick(t.play, t.now, NULL));
	table_store(&t);
	assert_true(table_same(&t, "ann"));
	sees_text(&t, "result", "win 1");
	sees_text(&t, "reason", "time");
	sees_number(&t, "clocks.left.1", 0);
	sees_number(&t, "clocks.running", 0);
	assert_int_equal(hosted_due(t.play), -1);
	assert_false(hosted_tick(t.play, t.now + 100000, NULL));
	table_close(&t);
	/* A flag that is taken back gets a minute. */
	open_table(state, "noughts", SEATS("ann", "level:1"), "10s", &t);
	moved(&t, "ann", "5");
	computer_moves(&t);
	t.now += 20000;
	assert_true(hosted_tick(t.play, t.now, NULL));
	table_store(&t);
	sees_text(&t, "result", "win 2");
	done(&t, "ann", "{\"action\":\"undo\"}");
	sees_text(&t, "result", NULL);
	sees_number(&t, "clocks.left.0", 60000);
	table_close(&t);
	/* Of three, a computer goes on with the time of the beginning. */
	open_table(state, "toy-three", SEATS("ann", "ann", "ann"), "10s", &t);
	moved(&t, "ann", "1");
	t.now += 20000;
	assert_true(hosted_tick(t.play, t.now, NULL));
	table_store(&t);
	assert_true(table_same(&t, "ann"));
	assert_false(hosted_over(t.play));
	struct hosted_think think;
	assert_true(hosted_wants_think(t.play, t.now, &think));
	assert_true(think.time_ms > 10 && think.time_ms < 10000);
	table_close(&t);
}

static void test_play__clocks_wait_for_open_seats_and_pauses(void **state)
{
	struct table t;
	open_table(state, "noughts", SEATS("ann", "open"), "1m", &t);
	moved(&t, "ann", "5");
	sees_number(&t, "clocks.running", 0);
	t.now += 50000;
	done(&t, "bob", "{\"action\":\"join\"}");
	sees_number(&t, "clocks.running", 2);
	sees_number(&t, "clocks.left.1", 60000);
	t.now += 1000;
	hosted_pause(t.play, true, t.now);
	assert_int_equal(hosted_due(t.play), -1);
	t.now += 90000;
	sees_number(&t, "clocks.left.1", 59000);
	hosted_pause(t.play, false, t.now);
	t.now += 1000;
	moved(&t, "bob", "1");
	sees_number(&t, "clocks.left.1", 58000);
	table_close(&t);
}

/* ---- Dice ---- */

static void test_play__dice_are_promised_and_shown(void **state)
{
	struct table t;
	open_table(state, "toy-die", SEATS("ann", "bob"), NULL, &t);
	sees_text(&t, "dice.mode", "server");
	json_t *promise = seen(&t, "dice.commit");
	assert_int_equal(json_string_length(promise), 64);
	static struct promises promises;
	char *all = table_seen(t.play, "ann", t.now);
	assert_true(promise_made(&promises, json_string_value(promise)));
	assert_true(promises_see(&promises, all, strlen(all)));
	for (size_t i = 0; i < t.count; i++) /* not even the store has the secret */
		assert_true(promises_see(&promises, t.lines[i], strlen(t.lines[i])));
	free(all);
	move_refused(&t, "ann", "roll 1", VERDICT_NOT_NOW);
	refused(&t, "bob", "{\"action\":\"throw\",\"seed\":\"b\"}", VERDICT_NOT_NOW);
	assert_int_equal(hosted_due(t.play), -1); /* ann throws when she likes */
	done(&t, "ann", "{\"action\":\"throw\",\"seed\":\"my luck\"}");
	json_t *last = seen(&t, "dice.last");
	const char *commit, *secret, *seed, *move;
	json_int_t number;
	assert_int_equal(json_unpack(last, "{s:s,s:s,s:s,s:I,s:s}", "commit", &commit, "secret",
				     &secret, "seed", &seed, "number", &number, "move", &move),
			 0);
	assert_string_equal(commit, json_string_value(promise));
	assert_string_equal(seed, "my luck");
	assert_true(dice_verify(commit, secret, seed, "abc", 0, 6, (uint64_t)number));
	assert_string_equal(move, number < 3 ? "roll 1" : number < 5 ? "roll 2" : "roll 3");
	sees_text(&t, "line.0.move", move);
	sees_text(&t, "dice.commit", NULL);
	refused(&t, "ann", "{\"action\":\"throw\"}", VERDICT_NOT_NOW);
	json_decref(promise);
	json_decref(last);
	table_close(&t);
}

/* The lines before version 0.11 had the secret before the roll, where exports showed it. */
static void test_play__old_secrets_are_not_used_for_rolls_to_come(void **state)
{
	static const char secret[] =
		"00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
	struct table t;
	struct dice dice = { .seed = "old", .game = "abc", .ply = 0 };
	char line[128], hash[DICE_HEX], roll[96];
	open_table(state, "toy-die", SEATS("ann", "bob"), NULL, &t);
	assert_true(dice_from_hex(secret, dice.secret));
	dice_commit(dice.secret, hash);
	const int number = (int)dice_number(&dice, 6);
	snprintf(line, sizeof line, "{\"play\":\"commit\",\"secret\":\"%s\"}", secret);
	snprintf(roll, sizeof roll, "{\"play\":\"throw\",\"seed\":\"old\",\"number\":%d}", number);
	assert_non_null(strstr(t.lines[t.count - 1], "\"commit\""));
	free(t.lines[t.count - 1]);
	t.lines[t.count - 1] = strdup(line);
	hosted_free(t.play);
	t.play = table_again(&t);
	json_t *promise = seen(&t, "dice.commit");
	assert_string_not_equal(json_string_value(promise), hash);
	json_decref(promise);
	/* What was rolled with it is as it was. */
	t.lines = realloc(t.lines, (t.count + 1) * sizeof *t.lines);
	t.lines[t.count++] = strdup(roll);
	hosted_free(t.play);
	t.play = table_again(&t);
	sees_text(&t, "dice.last.commit", hash);
	sees_text(&t, "dice.last.secret", secret);
	table_close(&t);
}

static void test_play__undo_does_not_change_the_luck(void **state)
{
	struct table t;
	open_table(state, "toy-die", SEATS("ann", "ann"), NULL, &t);
	done(&t, "ann", "{\"action\":\"throw\",\"seed\":\"one\"}");
	json_t *first = seen(&t, "dice.last");
	for (int i = 0; i < 5; i++) {
		done(&t, "ann", "{\"action\":\"undo\",\"plies\":1}");
		done(&t, "ann", "{\"action\":\"throw\",\"seed\":\"another\"}");
		json_t *again = seen(&t, "dice.last");
		assert_true(json_equal(first, again));
		json_decref(again);
	}
	sees_count(&t, "tree", 2);
	json_decref(first);
	table_close(&t);
}

static void test_play__computers_throws_are_anybodys_or_the_servers(void **state)
{
	struct table t;
	open_table(state, "toy-die", SEATS("level:1", "bob"), NULL, &t);
	refused(&t, "eve", "{\"action\":\"throw\"}", VERDICT_NOT_YOURS);
	assert_int_equal(hosted_due(t.play), t.now + HOSTED_DICE_MS);
	done(&t, "bob", "{\"action\":\"throw\",\"seed\":\"for you\"}");
	table_close(&t);
	open_table(state, "toy-die", SEATS("level:1", "level:1"), NULL, &t);
	t.now = hosted_due(t.play);
	assert_false(hosted_tick(t.play, t.now - 1, NULL));
	assert_true(hosted_tick(t.play, t.now, NULL));
	assert_true(hosted_only_moved(t.play));
	table_store(&t);
	assert_true(table_same(&t, "ann"));
	sees_text(&t, "dice.last.seed", "");
	computer_moves(&t);
	table_close(&t);
}

static void test_play__typed_dice_are_moves(void **state)
{
	struct qv_rules rules;
	struct table t;
	struct hosted_setup setup = { .id = "abc",
				    .owner = "ann",
				    .rules = &rules,
				    .owner_name = "ann",
				    .typed_dice = true };
	assert_int_equal(qv_rules_parse(*state, "toy-die", &rules, NULL), QV_OK);
	assert_int_equal(table_open(&t, *state, &setup), VERDICT_OK);
	sees_text(&t, "dice.mode", "typed");
	sees_text(&t, "dice.commit", NULL);
	sees_text(&t, "seats.1.kind", "computer");
	refused(&t, "ann", "{\"action\":\"throw\"}", VERDICT_NOT_NOW);
	move_refused(&t, "ann", "roll 7", VERDICT_NOT_NOW);
	move_refused(&t, "eve", "roll 1", VERDICT_NOT_YOURS);
	moved(&t, "ann", "roll 2");
	moved(&t, "ann", "step");
	moved(&t, "ann", "roll 1"); /* the computer's throw */
	computer_moves(&t);
	assert_int_equal(hosted_due(t.play), -1);
	table_close(&t);
}

/* ---- Luck ---- */

static void sees_real(const struct table *t, const char *path, double expected)
{
	json_t *value = seen(t, path);
	if (!json_is_real(value) || json_real_value(value) != expected)
		fail_msg("%s is %g, not %g", path, json_real_value(value), expected);
	json_decref(value);
}

static bool is_seen(const struct table *t, const char *path)
{
	json_t *value = seen(t, path);
	const bool found = value && !json_is_null(value);
	json_decref(value);
	return found;
}

/* On field 7 of 9 a 2, of weight 2 in 6, wins; to step instead of running gives the game away. */
static void test_play__luck_and_losses_are_shown(void **state)
{
	struct qv_rules rules;
	struct table t;
	struct hosted_setup setup = { .id = "abc",
				      .owner = "ann",
				      .rules = &rules,
				      .position = "7 0 1 -",
				      .owner_name = "ann",
				      .typed_dice = true };
	assert_int_equal(qv_rules_parse(*state, "toy-die", &rules, NULL), QV_OK);
	assert_int_equal(table_open(&t, *state, &setup), VERDICT_OK);
	sees_real(&t, "luck.seats.0", 0);
	moved(&t, "ann", "roll 2");
	sees_real(&t, "line.0.luck", 0.667);
	sees_number(&t, "line.0.roller", 1);
	assert_false(is_seen(&t, "luck.result") || is_seen(&t, "line.0.loss"));
	moved(&t, "ann", "step");
	assert_true(is_seen(&t, "line.1.loss") && !is_seen(&t, "line.1.luck"));
	sees_text(&t, "line.1.best", "run");
	done(&t, "ann", "{\"action\":\"undo\"}");
	moved(&t, "ann", "run");
	sees_real(&t, "line.1.loss", 0);
	assert_false(is_seen(&t, "line.1.best"));
	sees_real(&t, "luck.seats.0", 0.667);
	sees_real(&t, "luck.result", 1);
	sees_real(&t, "luck.skill", 0.333);
	/* A game that is loaded has the same figures. */
	assert_true(table_same(&t, "ann"));
	table_close(&t);
	/* Between two people losses are shown only after the end. */
	open_table(state, "toy-die", SEATS("ann", "bob"), NULL, &t);
	done(&t, "ann", "{\"action\":\"throw\",\"seed\":\"x\"}");
	assert_true(is_seen(&t, "line.0.luck"));
	moved(&t, "ann", "step");
	assert_false(is_seen(&t, "line.1.loss"));
	done(&t, "bob", "{\"action\":\"resign\"}");
	assert_true(is_seen(&t, "line.1.loss"));
	sees_real(&t, "luck.result", 1);
	table_close(&t);
	open_table(state, "noughts", SEATS("ann", "bob"), NULL, &t);
	moved(&t, "ann", "5");
	assert_false(is_seen(&t, "luck") || is_seen(&t, "line.0.loss"));
	table_close(&t);
}

/* ---- Rematch ---- */

static void test_play__rematch_turns_the_seats(void **state)
{
	struct table t, u;
	struct hosted_setup setup;
	open_table(state, "noughts", SEATS("ann", "bob"), "5m", &t);
	refused(&t, "ann", "{\"action\":\"rematch\"}", VERDICT_NOT_NOW);
	done(&t, "ann", "{\"action\":\"resign\"}");
	assert_int_equal(hosted_rematched(t.play, "next", &t.error), VERDICT_NOT_NOW);
	done(&t, "ann", "{\"action\":\"rematch\"}");
	assert_false(hosted_rematch_due(t.play));
	done(&t, "bob", "{\"action\":\"accept\",\"kind\":\"rematch\"}");
	assert_true(hosted_rematch_due(t.play));
	refused(&t, "bob", "{\"action\":\"rematch\"}", VERDICT_NOT_NOW);
	hosted_rematch_setup(t.play, &setup);
	setup.id = "next";
	assert_int_equal(table_open(&u, *state, &setup), VERDICT_OK);
	assert_int_equal(hosted_rematched(t.play, "next", &t.error), VERDICT_OK);
	table_store(&t);
	assert_true(table_same(&t, "ann"));
	sees_text(&t, "rematch", "next");
	refused(&t, "bob", "{\"action\":\"rematch\"}", VERDICT_NOT_NOW);
	sees_text(&u, "seats.0.name", "bob");
	sees_text(&u, "seats.1.name", "ann");
	sees_text(&u, "clocks.terms", "5m");
	moved(&u, "bob", "5");
	table_close(&t);
	table_close(&u);
}

/* ---- Setups ---- */

static void test_play__setups_from_moves_and_records(void **state)
{
	static const char *const moves[] = { "5", "1" };
	static const char record[] =
		"{\"quevedo\":1,\"game\":\"noughts\",\"position\":\"start\","
		"\"seats\":[\"x\",\"y\"]}\n"
		"{\"move\":\"5\",\"seat\":1,\"time\":2.3}\n{\"clock\":{\"seat\":1,\"ms\":5}}\n"
		"{\"note\":\"centre\"}\n{\"move\":\"1\",\"seat\":2}\n{\"undo\":1}\n"
		"{\"move\":\"2\",\"seat\":2}\n{\"result\":\"draw\",\"reason\":\"agreed\"}\n";
	struct qv_rules rules;
	struct table t;
	struct hosted_setup setup = { .id = "abc",
				    .owner = "ann",
				    .rules = &rules,
				    .owner_name = "ann",
				    .moves = moves,
				    .move_count = 2,
				    .clock = "1m" };
	assert_int_equal(qv_rules_parse(*state, "noughts", &rules, NULL), QV_OK);
	assert_int_equal(table_open(&t, *state, &setup), VERDICT_OK);
	assert_true(table_same(&t, "ann"));
	sees_count(&t, "line", 2);
	sees_number(&t, "clocks.running", 0); /* nobody has moved here yet */
	table_close(&t);
	setup.rules = NULL;
	setup.record = record;
	setup.record_size = strlen(record);
	assert_int_equal(table_open(&t, *state, &setup), VERDICT_OK);
	assert_true(table_same(&t, "ann"));
	sees_text(&t, "reason", "agreed");
	sees_text(&t, "tree.1.note", "centre");
	sees_number(&t, "clocks.left.0", 60000);
	sees_count(&t, "tree", 4);
	done(&t, "ann", "{\"action\":\"undo\"}");
	sees_text(&t, "reason", NULL);
	table_close(&t);
}

static void open_at(void **state, const char *game, const char *position, struct table *t)
{
	const struct hosted_user ann = { "ann", "ann" };
	struct qv_rules rules;
	struct hosted_setup setup = { .id = "abc", .owner = "ann", .rules = &rules, .owner_name = "ann",
				    .position = position, .seat_count = 2 };
	assert_int_equal(qv_rules_parse(*state, game, &rules, NULL), QV_OK);
	for (int i = 0; i < 2; i++)
		assert_true(hosted_seat_read(&setup.seats[i], "human", &ann));
	assert_int_equal(table_open(t, *state, &setup), VERDICT_OK);
}

/* What the board does not show: too many quiet moves, and a position that came back. */
static void test_play__draws_by_rule_have_a_reason(void **state)
{
	static const char *const there_and_back[] = { "g1-g4", "a1-a4", "g4-g1", "a4-a1" };
	struct table t;
	open_at(state, "morris", "..........WB.B.W..B.WB.W W 0 0 19", &t);
	sees_text(&t, "reason", NULL);
	moved(&t, "ann", "g1-g4");
	sees_text(&t, "result", "draw");
	sees_text(&t, "reason", "count");
	done(&t, "ann", "{\"action\":\"undo\"}");
	sees_text(&t, "reason", NULL);
	table_close(&t);
	open_at(state, "morris:repeat=2", "..........WB.B.W..B.WB.W W 0 0 0", &t);
	for (int i = 0; i < 4; i++) {
		sees_text(&t, "result", NULL);
		moved(&t, "ann", there_and_back[i]);
	}
	sees_text(&t, "result", "draw");
	sees_text(&t, "reason", "repetition");
	table_close(&t);
}

static void test_play__bad_setups_are_refused(void **state)
{
	static const char *const illegal[] = { "5", "5" };
	struct qv_rules rules;
	struct table t;
	const struct hosted_setup good = {
		.id = "abc", .owner = "ann", .rules = &rules, .owner_name = "ann"
	};
	assert_int_equal(qv_rules_parse(*state, "noughts", &rules, NULL), QV_OK);
	struct hosted_setup setup = good;
	setup.clock = "soon";
	assert_int_equal(table_open(&t, *state, &setup), VERDICT_MALFORMED);
	setup = good;
	setup.position = "nonsense";
	assert_int_equal(table_open(&t, *state, &setup), VERDICT_MALFORMED);
	setup = good;
	setup.moves = illegal;
	setup.move_count = 2;
	assert_int_equal(table_open(&t, *state, &setup), VERDICT_MALFORMED);
	setup = good;
	setup.seat_count = 3;
	assert_int_equal(table_open(&t, *state, &setup), VERDICT_MALFORMED);
	setup = good;
	setup.owner_name = "";
	assert_int_equal(table_open(&t, *state, &setup), VERDICT_MALFORMED);
	setup = good;
	setup.id = "a\"b";
	assert_int_equal(table_open(&t, *state, &setup), VERDICT_MALFORMED);
	setup = good;
	setup.record = "{}";
	setup.record_size = 2;
	assert_int_equal(table_open(&t, *state, &setup), VERDICT_MALFORMED);
	char *long_record = malloc(2 * HOSTED_MAX_LINES);
	memset(long_record, '\n', 2 * HOSTED_MAX_LINES);
	setup.record = long_record;
	setup.record_size = 2 * HOSTED_MAX_LINES;
	assert_int_equal(table_open(&t, *state, &setup), VERDICT_MALFORMED);
	assert_non_null(strstr(t.error.text, "more than 10000 lines"));
	free(long_record);
}

static void test_play__lobby_entry(void **state)
{
	struct table t;
	open_table(state, "noughts", SEATS("ann", "open"), "5m", &t);
	json_t *entry = game_lobby_json(t.play, 3);
	char *text = json_dumps(entry, JSON_COMPACT | JSON_SORT_KEYS);
	assert_string_equal(text,
			    "{\"clock\":\"5m\",\"created\":5,\"dice\":null,\"game\":\"noughts\",\"id\":\"abc\","
			    "\"seats\":[{\"kind\":\"person\",\"name\":\"ann\"},"
			    "{\"kind\":\"open\",\"name\":\"\"}],\"title\":\"Noughts and crosses\","
			    "\"watchers\":3}");
	free(text);
	json_decref(entry);
	table_close(&t);
}

/* ---- Bounds ---- */

static void test_play__notes_and_talk_are_bounded(void **state)
{
	char action[2200], text[2100];
	struct table t;
	open_table(state, "noughts", SEATS("ann", "ann"), NULL, &t);
	memset(text, 'x', sizeof text);
	snprintf(action, sizeof action, "{\"action\":\"note\",\"text\":\"%.2001s\"}", text);
	refused(&t, "ann", action, VERDICT_MALFORMED);
	snprintf(action, sizeof action, "{\"action\":\"note\",\"text\":\"%.2000s\"}", text);
	assert_int_equal(table_act(&t, "ann", action), VERDICT_OK);
	int said = 1;
	while (table_act(&t, "ann", "{\"action\":\"note\",\"text\":\"a\"}") == VERDICT_OK)
		said++;
	assert_int_equal(said, HOSTED_MAX_TALK);
	refused(&t, "ann", "{\"action\":\"swap\"}", VERDICT_NOT_NOW);
	moved(&t, "ann", "5"); /* but the game goes on */
	done(&t, "ann", "{\"action\":\"resign\",\"seat\":2}");
	table_close(&t);
}

/* Strangers have phrases, and no other way to say something. */
static void test_play__no_free_text_between_people(void **state)
{
	static const char note[] = "{\"action\":\"note\",\"text\":\"see my shop\"}";
	static const char record[] = "{\"quevedo\":1,\"game\":\"noughts\",\"position\":\"start\","
				     "\"tags\":{\"Event\":\"shop\"},\"seats\":[\"shop\",\"y\"]}\n"
				     "{\"note\":\"shop\"}\n{\"move\":\"5\",\"seat\":1}\n"
				     "{\"note\":\"shop\"}\n";
	struct table t;
	open_table(state, "noughts", SEATS("ann", "bob"), NULL, &t);
	refused(&t, "ann", note, VERDICT_NOT_NOW);
	moved(&t, "ann", "5");
	done(&t, "bob", "{\"action\":\"resign\"}");
	refused(&t, "ann", note, VERDICT_NOT_NOW); /* for ever */
	table_close(&t);
	/* What is written before somebody comes. */
	open_table(state, "noughts", SEATS("ann", "open"), NULL, &t);
	refused(&t, "ann", note, VERDICT_NOT_NOW);
	table_close(&t);
	open_table(state, "noughts", SEATS("ann", "level:1"), NULL, &t);
	done(&t, "ann", note);
	refused(&t, "ann", "{\"action\":\"seat\",\"seat\":2,\"spec\":\"open\"}", VERDICT_NOT_NOW);
	done(&t, "ann", "{\"action\":\"leave\"}");
	refused(&t, "bob", "{\"action\":\"join\"}", VERDICT_NOT_NOW);
	table_close(&t);
	/* What a record brings along. */
	const struct hosted_setup setup = { .id = "abc",	  .owner = "ann",
					    .owner_name = "ann",  .record = record,
					    .seats = { { SEAT_PERSON, "ann", "ann", "" },
						       { .kind = SEAT_OPEN } },
					    .seat_count = 2,
					    .record_size = sizeof record - 1 };
	assert_int_equal(table_open(&t, *state, &setup), VERDICT_OK);
	assert_true(table_same(&t, "ann"));
	for (size_t i = 0; i < t.count; i++)
		assert_null(strstr(t.lines[i], "shop"));
	done(&t, "bob", "{\"action\":\"join\"}");
	moved(&t, "bob", "1");
	table_close(&t);
}

/* A record of Star Chess that goes to its start and back `walks` times; the caller frees it. */
static char *walking_record(int plies, int walks)
{
	const size_t room = 100 + 20 * (size_t)plies + 40 * (size_t)walks;
	char *record = malloc(room);
	struct qv_text out = { record, room, 0 };
	qv_put(&out, "{\"quevedo\":1,\"game\":\"starchess\",\"position\":\"start\",\"seats\":[]}\n");
	for (int i = 0; i < plies; i++)
		qv_put(&out, "{\"move\":\"end\"}\n");
	for (int i = 0; i < walks; i++) {
		qv_put(&out, "{\"undo\":");
		qv_put_int(&out, plies);
		qv_put(&out, "}\n{\"redo\":");
		qv_put_int(&out, plies);
		qv_put(&out, "}\n");
	}
	assert_true(out.length < room);
	return record;
}

static enum verdict open_walking(void **state, int plies, int walks, struct table *t)
{
	char *record = walking_record(plies, walks);
	const struct hosted_setup setup = { .id = "abc", .owner = "ann", .owner_name = "ann",
					  .record = record, .record_size = strlen(record) };
	const enum verdict verdict = table_open(t, *state, &setup);
	free(record);
	return verdict;
}

/* What strangers bring is bounded; a game that was stored before there was a bound still loads. */
static void test_play__walks_in_a_record_are_bounded(void **state)
{
	enum { PLIES = 200, MOST = HOSTED_MAX_REDONE / PLIES };
	static char undo[] = "{\"undo\":200}", redo[] = "{\"redo\":200}";
	struct table t;
	assert_int_equal(open_walking(state, PLIES, MOST + 1, &t), VERDICT_MALFORMED);
	assert_non_null(strstr(t.error.text, "redo: more than 100000 plies in all"));
	assert_int_equal(open_walking(state, PLIES, MOST, &t), VERDICT_OK);
	char **lines = malloc((t.count + 2) * sizeof *lines);
	memcpy(lines, t.lines, t.count * sizeof *lines);
	lines[t.count] = undo;
	lines[t.count + 1] = redo;
	struct hosted_game *stored = NULL;
	assert_int_equal(hosted_load(*state, &t.host, (const char *const *)lines, t.count + 2, t.now,
				   &stored, &t.error),
			 VERDICT_OK);
	assert_int_equal(qv_record_ply(hosted_record(stored)), PLIES);
	hosted_free(stored);
	free(lines);
	table_close(&t);
}

/* Players cannot make by hand what a record may not contain: whoever loads the game redoes it all. */
static void test_play__walks_of_players_are_bounded(void **state)
{
	enum { PLIES = 200 };
	struct table t;
	char undo[64], redo[64];
	assert_int_equal(open_walking(state, PLIES, 0, &t), VERDICT_OK);
	snprintf(undo, sizeof undo, "{\"action\":\"undo\",\"plies\":%d}", PLIES);
	snprintf(redo, sizeof redo, "{\"action\":\"redo\",\"plies\":%d}", PLIES);
	int walks = 0;
	for (; walks < 1000; walks++) {
		if (table_act(&t, "ann", undo) != VERDICT_OK)
			break;
		if (table_act(&t, "ann", redo) != VERDICT_OK)
			break;
	}
	assert_int_equal(walks, HOSTED_MAX_REDONE / PLIES);
	assert_in_range(hosted_record(t.play)->redone, 1, HOSTED_MAX_REDONE);
	/* So does a game that is loaded after a restart. */
	struct hosted_game *stored = NULL;
	assert_int_equal(hosted_load(*state, &t.host, (const char *const *)t.lines, t.count, t.now,
				     &stored, &t.error),
			 VERDICT_OK);
	assert_in_range(hosted_record(stored)->redone, 1, HOSTED_MAX_REDONE);
	hosted_free(stored);
	table_close(&t);
}

/* A record with so many texts of 1900 bytes, of one kind; the caller frees it. */
static char *wordy_record(const char *kind, int count)
{
	enum { LENGTH = 1900 };
	const bool tags = strcmp(kind, "tag") == 0, notes = strcmp(kind, "note") == 0;
	const size_t room = (size_t)count * (LENGTH + 100) + 200;
	char *record = malloc(room), text[LENGTH + 1] = "", name[32];
	struct qv_text out = { record, room, 0 };
	memset(text, 'x', LENGTH);
	qv_put(&out, "{\"quevedo\":1,\"game\":\"noughts\",\"position\":\"start\"");
	qv_put(&out, tags ? ",\"tags\":{\"A\":\"b\"" : "}\n");
	for (int i = 0; i < count; i++) {
		snprintf(name, sizeof name, ",\"T%d\":\"", i);
		qv_put(&out, tags    ? name
			     : notes ? "{\"note\":\""
				     : "{\"result\":\"draw\",\"reason\":\"");
		qv_put(&out, text);
		qv_put(&out, tags ? "\"" : notes ? "\"}\n" : "\"}\n{\"undo\":0}\n");
	}
	qv_put(&out, tags ? "}}\n" : "");
	assert_true(out.length < room);
	return record;
}

/* Texts that were replaced are stored, too. */
static void test_play__the_bytes_of_a_record_are_bounded(void **state)
{
	static const char *const kinds[] = { "note", "reason", "tag" };
	enum { MANY = 280, SOME = 200 }; /* RECORD_MAX_TAGS would stop more tags */
	char action[1000], text[900];
	struct table t;
	for (int i = 0; i < 6; i++) {
		const bool large = i < 3;
		char *record = wordy_record(kinds[i % 3], large ? MANY : SOME);
		const struct hosted_setup setup = { .id = "abc", .owner = "ann",
						    .owner_name = "ann", .record = record,
						    .record_size = strlen(record) };
		assert_int_equal(large, setup.record_size > HOSTED_MAX_BYTES);
		assert_int_equal(table_open(&t, *state, &setup),
				 large ? VERDICT_MALFORMED : VERDICT_OK);
		free(record);
		if (!large)
			table_close(&t);
	}
	/* A game that has reached the bound takes no notes, but moves. */
	open_table(state, "noughts", SEATS("ann", "ann"), NULL, &t);
	memset(text, 'x', sizeof text);
	snprintf(action, sizeof action, "{\"action\":\"note\",\"text\":\"%.900s\"}", text);
	while (table_act(&t, "ann", action) == VERDICT_OK)
		assert_true(hosted_record(t.play)->journal.length <= HOSTED_MAX_BYTES + 20);
	assert_non_null(strstr(t.error.text, "note: the game has too many already"));
	moved(&t, "ann", "5");
	done(&t, "ann", "{\"action\":\"offer\",\"kind\":\"draw\"}");
	assert_true(hosted_over(t.play));
	table_close(&t);
}

static void test_play__a_play_that_is_full_can_still_be_ended(void **state)
{
	struct table t;
	struct hosted_think think;
	open_table(state, "noughts", SEATS("ann", "level:1"), NULL, &t);
	assert_int_equal(table_move(&t, "ann", "5"), VERDICT_OK);
	int walks = 0;
	while (table_act(&t, "ann",
			 walks % 2 ? "{\"action\":\"redo\",\"plies\":1}"
				   : "{\"action\":\"undo\",\"plies\":1}") == VERDICT_OK)
		walks++;
	assert_true(t.count <= HOSTED_MAX_LINES && t.count > HOSTED_MAX_LINES - 100);
	assert_false(hosted_wants_think(t.play, t.now, &think));
	done(&t, "ann", "{\"action\":\"resign\"}");
	assert_true(hosted_over(t.play));
	table_close(&t);
}

static void test_play__lines_that_are_no_plays_are_refused(void **state)
{
	struct table t;
	open_table(state, "toy-die", SEATS("ann", "bob"), "5m", &t);
	done(&t, "ann", "{\"action\":\"throw\",\"seed\":\"q\"}");
	const char *lines[32];
	struct hosted_game *p = NULL;
	assert_true(t.count < 30);
	assert_int_equal(hosted_load(*state, &t.host, NULL, 0, 0, &p, &t.error), VERDICT_MALFORMED);
	for (size_t left_out = 0; left_out < t.count; left_out++) { /* a line is missing */
		size_t n = 0;
		for (size_t i = 0; i < t.count; i++)
			if (i != left_out)
				lines[n++] = t.lines[i];
		const enum verdict verdict = hosted_load(*state, &t.host, lines, n, 0, &p, &t.error);
		assert_int_equal(verdict,
				 left_out + 1 < t.count && !strstr(t.lines[left_out], "\"throw\"")
					 ? VERDICT_MALFORMED
					 : VERDICT_OK);
		if (verdict == VERDICT_OK)
			hosted_free(p);
	}
	static const char *const odd[] = {
		"",
		"5",
		"{}",
		"{\"play\":\"dance\"}",
		"{\"play\":1}",
		"{\"play\":\"sit\",\"seat\":3}",
		"{\"play\":\"sit\",\"seat\":1,\"user\":\"x\"}",
		"{\"play\":\"accept\",\"kind\":\"draw\",\"seat\":1}",
		"{\"play\":\"next\",\"id\":\"x\"}",
		"{\"play\":\"commit\",\"secret\":\"00\"}",
		"{\"quevedo\":1,\"game\":\"noughts\",\"position\":\"start\"}"
	};
	for (size_t k = 0; k < sizeof odd / sizeof *odd; k++) {
		for (size_t i = 0; i < t.count; i++)
			lines[i] = t.lines[i];
		lines[t.count] = odd[k];
		assert_int_equal(hosted_load(*state, &t.host, lines, t.count + 1, 0, &p, &t.error),
				 VERDICT_MALFORMED);
		assert_memory_equal(t.error.text, "line ", 5);
	}
	table_close(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_play__clocks_run_from_the_first_move_on),
		cmocka_unit_test(test_play__days_for_each_move),
		cmocka_unit_test(test_play__flag_falls),
		cmocka_unit_test(test_play__clocks_wait_for_open_seats_and_pauses),
		cmocka_unit_test(test_play__dice_are_promised_and_shown),
		cmocka_unit_test(test_play__old_secrets_are_not_used_for_rolls_to_come),
		cmocka_unit_test(test_play__undo_does_not_change_the_luck),
		cmocka_unit_test(test_play__computers_throws_are_anybodys_or_the_servers),
		cmocka_unit_test(test_play__typed_dice_are_moves),
		cmocka_unit_test(test_play__luck_and_losses_are_shown),
		cmocka_unit_test(test_play__rematch_turns_the_seats),
		cmocka_unit_test(test_play__setups_from_moves_and_records),
		cmocka_unit_test(test_play__draws_by_rule_have_a_reason),
		cmocka_unit_test(test_play__bad_setups_are_refused),
		cmocka_unit_test(test_play__lobby_entry),
		cmocka_unit_test(test_play__notes_and_talk_are_bounded),
		cmocka_unit_test(test_play__no_free_text_between_people),
		cmocka_unit_test(test_play__walks_in_a_record_are_bounded),
		cmocka_unit_test(test_play__walks_of_players_are_bounded),
		cmocka_unit_test(test_play__the_bytes_of_a_record_are_bounded),
		cmocka_unit_test(test_play__a_play_that_is_full_can_still_be_ended),
		cmocka_unit_test(test_play__lines_that_are_no_plays_are_refused),
	};
	return cmocka_run_group_tests(tests, begin, end);
}
