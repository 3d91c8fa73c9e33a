/*
 * server_play.c - tests of plays: what each may do and may not, consent, seats, computers.
 * SPDX-License-Identifier: MIT
 */
#include "support/play_checks.h"

/* ---- Moves ---- */

static void test_play__only_who_is_to_move_moves(void **state)
{
	struct table t;
	open_table(state, "noughts", SEATS("ann", "bob"), NULL, &t);
	move_refused(&t, "eve", "5", VERDICT_NOT_YOURS);
	move_refused(&t, "", "5", VERDICT_NOT_YOURS);
	move_refused(&t, "bob", "5", VERDICT_NOT_NOW);
	move_refused(&t, "ann", "", VERDICT_MALFORMED);
	move_refused(&t, "ann", "99", VERDICT_NOT_NOW);
	move_refused(&t, "ann",
		     "a text that is far too long to be a move, of any game there is, or was", VERDICT_MALFORMED);
	t.now += 2500;
	moved(&t, "ann", "5");
	assert_true(hosted_only_moved(t.play));
	move_refused(&t, "ann", "1", VERDICT_NOT_NOW);
	move_refused(&t, "bob", "5", VERDICT_NOT_NOW);
	moved(&t, "bob", "1");
	sees_count(&t, "line", 2);
	sees_text(&t, "line.0.move", "5");
	sees_number(&t, "line.1.seat", 2);
	sees_number(&t, "version", 2);
	sees_number(&t, "cursor", 2);
	json_t *seconds = seen(&t, "line.0.seconds"), *you = seen(&t, "seats.0.you"),
	       *other = seen(&t, "seats.1.you"), *owner = seen(&t, "owner");
	assert_true(json_real_value(seconds) == 2.5);
	assert_true(json_is_true(you) && json_is_false(other) && json_is_true(owner));
	json_decref(seconds), json_decref(you), json_decref(other), json_decref(owner);
	table_close(&t);
}

static void test_play__move_message_tells_what_the_whole_play_does(void **state)
{
	static const char *const common[] = { "id",   "version",  "view",   "redo",  "clocks",
					      "dice", "thinking", "result", "reason" };
	struct table t;
	open_table(state, "race", SEATS("ann", "bob"), "5m", &t);
	done(&t, "ann", "{\"action\":\"throw\",\"seed\":\"x\"}");
	assert_true(hosted_only_moved(t.play));
	json_t *move = game_move_json(t.play, t.now), *whole = table_json(t.play, "ann", 0, t.now);
	for (size_t i = 0; i < sizeof common / sizeof *common; i++)
		assert_true(json_equal(json_object_get(move, common[i]),
				       json_object_get(whole, common[i])));
	assert_true(json_equal(json_object_get(move, "node"), json_object_get(whole, "cursor")));
	assert_true(json_equal(json_object_get(move, "move"),
			       json_array_get(json_object_get(whole, "line"), 0)));
	json_decref(move);
	json_decref(whole);
	table_close(&t);
}

/* Two Trogs that go back and forth never end a game by the rules. */
static void test_play__a_game_without_room_for_a_move_is_a_draw(void **state)
{
	static const char *const moves[] = { "c2c1", "d5d6", "c1c2", "d6d5" };
	struct table t;
	int plies = 0;
	open_table(state, "warptrog", SEATS("ann", "bob"), NULL, &t);
	for (; !hosted_over(t.play) && plies < HOSTED_MAX_LINES; plies++)
		assert_int_equal(table_move(&t, plies % 2 ? "bob" : "ann", moves[plies % 4]),
				 VERDICT_OK);
	assert_true(plies > HOSTED_MAX_LINES - 100);
	assert_true(hosted_over(t.play));
	sees_text(&t, "result", "draw");
	sees_text(&t, "reason", "too long");
	table_close(&t);
}

static void test_play__rules_end_it_and_then_little_is_left_to_do(void **state)
{
	static const char *const moves[] = { "1", "4", "2", "5", "3" };
	struct table t;
	open_table(state, "noughts", SEATS("ann", "bob"), NULL, &t);
	for (int i = 0; i < 5; i++)
		moved(&t, i % 2 ? "bob" : "ann", moves[i]);
	sees_text(&t, "result", "win 1");
	sees_text(&t, "reason", NULL);
	sees_text(&t, "view.result", "win 1");
	assert_true(hosted_over(t.play));
	move_refused(&t, "bob", "9", VERDICT_NOT_NOW);
	refused(&t, "bob", "{\"action\":\"resign\"}", VERDICT_NOT_NOW);
	refused(&t, "bob", "{\"action\":\"offer\",\"kind\":\"draw\"}", VERDICT_NOT_NOW);
	refused(&t, "bob", "{\"action\":\"undo\"}", VERDICT_NOT_NOW);
	refused(&t, "bob", "{\"action\":\"swap\"}", VERDICT_NOT_NOW);
	refused(&t, "bob", "{\"action\":\"leave\"}", VERDICT_NOT_NOW);
	refused(&t, "eve", "{\"action\":\"join\"}", VERDICT_NOT_NOW);
	refused(&t, "bob", "{\"action\":\"seat\",\"seat\":1,\"spec\":\"level:1\"}", VERDICT_NOT_NOW);
	refused(&t, "bob", "{\"action\":\"note\",\"text\":\"well played\"}", VERDICT_NOT_NOW);
	table_close(&t);
}

/* ---- Actions as words ---- */

static void test_play__malformed_actions_are_refused(void **state)
{
	static const char *const bad[] = {
		"null",
		"[]",
		"\"undo\"",
		"{}",
		"{\"action\":1}",
		"{\"action\":\"dance\"}",
		"{\"action\":\"undo\",\"plies\":\"1\"}",
		"{\"action\":\"undo\",\"plies\":-1}",
		"{\"action\":\"undo\",\"plies\":1.5}",
		"{\"action\":\"undo\",\"ply\":1}",
		"{\"action\":\"goto\"}",
		"{\"action\":\"goto\",\"node\":99}",
		"{\"action\":\"goto\",\"node\":-1}",
		"{\"action\":\"offer\"}",
		"{\"action\":\"offer\",\"kind\":\"peace\"}",
		"{\"action\":\"accept\",\"kind\":7}",
		"{\"action\":\"seat\",\"seat\":3,\"spec\":\"level:1\"}",
		"{\"action\":\"seat\",\"spec\":\"level:1\"}",
		"{\"action\":\"seat\",\"seat\":1}",
		"{\"action\":\"seat\",\"seat\":2,\"spec\":\"\"}",
		"{\"action\":\"seat\",\"seat\":2,\"spec\":\"program:x\"}",
		"{\"action\":\"join\",\"name\":\"\"}",
		"{\"action\":\"join\",\"name\":\"  \"}",
		"{\"action\":\"join\",\"name\":\"a\\tb\"}",
		"{\"action\":\"join\",\"name\":\"a\\u202eb\"}",
		"{\"action\":\"join\",\"name\":\"abcdefghijklmnopqrstuvwxy\"}",
		"{\"action\":\"throw\",\"seed\":\"\\u00e9\"}",
		"{\"action\":\"throw\",\"seed\":1}",
		"{\"action\":\"note\"}",
		"{\"action\":\"note\",\"text\":5}",
		"{\"action\":\"resign\",\"seat\":0}",
		"{\"action\":\"rematch\",\"now\":true}",
		"{\"action\":\"move_now\",\"seat\":2}",
		"{\"action\":\"engine\"}",
		"{\"action\":\"engine\",\"engine\":\"steam\"}",
	};
	struct table t;
	open_table(state, "noughts", SEATS("ann", "level:1"), NULL, &t);
	moved(&t, "ann", "5");
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		refused(&t, "ann", bad[i], VERDICT_MALFORMED);
	table_close(&t);
}

static void test_play__strangers_may_only_look(void **state)
{
	static const char *const all[] = {
		"{\"action\":\"undo\"}",
		"{\"action\":\"redo\"}",
		"{\"action\":\"goto\",\"node\":0}",
		"{\"action\":\"resign\"}",
		"{\"action\":\"resign\",\"seat\":1}",
		"{\"action\":\"offer\",\"kind\":\"draw\"}",
		"{\"action\":\"accept\",\"kind\":\"draw\"}",
		"{\"action\":\"decline\",\"kind\":\"draw\"}",
		"{\"action\":\"swap\"}",
		"{\"action\":\"seat\",\"seat\":2,\"spec\":\"level:1\"}",
		"{\"action\":\"leave\"}",
		"{\"action\":\"throw\"}",
		"{\"action\":\"note\",\"text\":\"x\"}",
		"{\"action\":\"move_now\"}",
		"{\"action\":\"engine\",\"engine\":\"browser\"}",
		"{\"action\":\"rematch\"}",
	};
	struct table t;
	open_table(state, "noughts", SEATS("ann", "bob"), NULL, &t);
	moved(&t, "ann", "5");
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		refused(&t, "eve", all[i], VERDICT_NOT_YOURS);
		refused(&t, "", all[i], VERDICT_NOT_YOURS);
	}
	table_close(&t);
}

static void test_play__names_are_short_and_visible(void **state)
{
	(void)state;
	assert_true(hosted_name_ok("Ann"));
	assert_true(hosted_name_ok("Jos\xc3\xa9 \xe2\x99\x9e"));
	assert_true(hosted_name_ok("abcdefghijklmnopqrstuvwx"));
	assert_true(hosted_name_ok("\xf0\x9f\x99\x82\xf0\x9f\x99\x82\xf0\x9f\x99\x82"));
	assert_false(hosted_name_ok(""));
	assert_false(hosted_name_ok("   "));
	assert_false(hosted_name_ok("abcdefghijklmnopqrstuvwxy"));
	assert_false(hosted_name_ok("a\nb"));
	assert_false(hosted_name_ok("a\x7f"));
	assert_false(hosted_name_ok("\xff\xfe"));
	assert_false(hosted_name_ok("a\xc2\x85")); /* a control character of two bytes */
	assert_false(hosted_name_ok("a\xe2\x80\xae"
				  "b"));
}

/* ---- Undo, redo, goto ---- */

static void test_play__undo_is_free_against_computers(void **state)
{
	struct table t;
	open_table(state, "noughts", SEATS("ann", "level:1"), NULL, &t);
	refused(&t, "ann", "{\"action\":\"undo\"}", VERDICT_NOT_NOW);
	refused(&t, "ann", "{\"action\":\"undo\",\"plies\":1}", VERDICT_NOT_NOW);
	refused(&t, "ann", "{\"action\":\"redo\"}", VERDICT_NOT_NOW);
	moved(&t, "ann", "5");
	computer_moves(&t);
	moved(&t, "ann", "9");
	computer_moves(&t);
	refused(&t, "ann", "{\"action\":\"undo\",\"plies\":5}", VERDICT_NOT_NOW);
	done(&t, "ann", "{\"action\":\"undo\"}"); /* the computer's move, and ann's own */
	sees_count(&t, "line", 2);
	sees_number(&t, "redo", 2);
	done(&t, "ann", "{\"action\":\"undo\",\"plies\":1}");
	sees_count(&t, "line", 1);
	done(&t, "ann", "{\"action\":\"redo\"}");
	sees_count(&t, "line", 2);
	done(&t, "ann", "{\"action\":\"redo\",\"plies\":2}");
	sees_count(&t, "line", 4);
	refused(&t, "ann", "{\"action\":\"redo\"}", VERDICT_NOT_NOW);
	done(&t, "ann", "{\"action\":\"undo\",\"plies\":4}");
	sees_count(&t, "line", 0);
	refused(&t, "ann", "{\"action\":\"redo\",\"plies\":5}", VERDICT_NOT_NOW);
	table_close(&t);
}

static void test_play__goto_walks_the_tree(void **state)
{
	struct table t;
	open_table(state, "noughts", SEATS("ann", "ann"), NULL, &t);
	moved(&t, "ann", "5"); /* nodes 1, 2, 3 */
	moved(&t, "ann", "1");
	moved(&t, "ann", "9");
	done(&t, "ann", "{\"action\":\"undo\",\"plies\":2}");
	moved(&t, "ann", "2"); /* node 4, beside 2 */
	moved(&t, "ann", "8"); /* 5 */
	sees_number(&t, "cursor", 5);
	sees_number(&t, "tree.4.parent", 1);
	sees_number(&t, "tree.0.parent", -1);
	refused(&t, "ann", "{\"action\":\"goto\",\"node\":5}", VERDICT_NOT_NOW);
	done(&t, "ann", "{\"action\":\"goto\",\"node\":3}");
	sees_number(&t, "cursor", 3);
	sees_text(&t, "line.1.move", "1");
	sees_count(&t, "line", 3);
	done(&t, "ann", "{\"action\":\"goto\",\"node\":0}");
	sees_count(&t, "line", 0);
	done(&t, "ann", "{\"action\":\"goto\",\"node\":4}");
	sees_number(&t, "cursor", 4);
	sees_count(&t, "tree", 6);
	/* The journal inside stays one that anybody can load. */
	struct qv_record *again = NULL;
	struct qv_text text = { NULL, 0, 0 };
	qv_record_save(hosted_record(t.play), &text);
	char *journal = malloc(text.length + 1);
	text = (struct qv_text){ journal, text.length + 1, 0 };
	qv_record_save(hosted_record(t.play), &text);
	assert_int_equal(qv_record_load(t.context, journal, text.length, &again, NULL), QV_OK);
	assert_int_equal(qv_record_ply(again), 2);
	qv_record_free(again);
	free(journal);
	table_close(&t);
}

/* An end by word in the middle of the tree is passed by, and found again where it was said. */
static void test_play__goto_passes_ends_by_word(void **state)
{
	struct table t;
	open_table(state, "noughts", SEATS("ann", "ann"), NULL, &t);
	moved(&t, "ann", "5"); /* nodes 1, 2 */
	moved(&t, "ann", "1");
	done(&t, "ann", "{\"action\":\"undo\",\"plies\":1}");
	done(&t, "ann", "{\"action\":\"resign\"}"); /* at node 1 */
	done(&t, "ann", "{\"action\":\"goto\",\"node\":2}");
	sees_text(&t, "result", NULL);
	done(&t, "ann", "{\"action\":\"goto\",\"node\":1}");
	done(&t, "ann", "{\"action\":\"resign\"}");
	done(&t, "ann", "{\"action\":\"goto\",\"node\":0}");
	done(&t, "ann", "{\"action\":\"goto\",\"node\":2}");
	sees_count(&t, "line", 2);
	sees_text(&t, "result", NULL);
	table_close(&t);
}

static void test_play__undo_among_persons_needs_consent(void **state)
{
	struct table t;
	open_table(state, "noughts", SEATS("ann", "bob"), NULL, &t);
	moved(&t, "ann", "5");
	refused(&t, "ann", "{\"action\":\"redo\"}", VERDICT_NOT_NOW);
	refused(&t, "ann", "{\"action\":\"goto\",\"node\":0}", VERDICT_NOT_NOW);
	refused(&t, "ann", "{\"action\":\"seat\",\"seat\":2,\"spec\":\"level:1\"}", VERDICT_NOT_NOW);
	refused(&t, "bob", "{\"action\":\"undo\"}", VERDICT_NOT_NOW); /* has not moved yet */
	refused(&t, "bob", "{\"action\":\"accept\",\"kind\":\"undo\"}", VERDICT_NOT_NOW);
	done(&t, "ann", "{\"action\":\"undo\"}");
	sees_count(&t, "line", 1);
	sees_text(&t, "offers.0.kind", "undo");
	sees_number(&t, "offers.0.seat", 1);
	refused(&t, "ann", "{\"action\":\"undo\"}", VERDICT_NOT_NOW);
	refused(&t, "ann", "{\"action\":\"accept\",\"kind\":\"undo\"}", VERDICT_NOT_NOW);
	done(&t, "bob", "{\"action\":\"decline\",\"kind\":\"undo\"}");
	sees_count(&t, "offers", 0);
	done(&t, "ann", "{\"action\":\"offer\",\"kind\":\"undo\"}");
	moved(&t, "bob", "1"); /* which is an answer too */
	assert_false(hosted_only_moved(t.play));
	sees_count(&t, "offers", 0);
	done(&t, "ann", "{\"action\":\"undo\"}");
	done(&t, "bob", "{\"action\":\"accept\",\"kind\":\"undo\"}");
	sees_count(&t, "line", 0);
	sees_number(&t, "redo", 2);
	table_close(&t);
}

static void test_play__orders_of_ones_own_turn_are_taken_back_at_once(void **state)
{
	struct table t;
	open_table(state, "starchess", SEATS("ann", "bob", "ann", "bob"), NULL, &t);
	moved(&t, "ann", "move A1 A2 5");
	moved(&t, "ann", "scrap A1 2");
	done(&t, "ann", "{\"action\":\"undo\",\"plies\":2}");
	sees_count(&t, "line", 0);
	moved(&t, "ann", "move A1 A2 5");
	moved(&t, "ann", "end");
	moved(&t, "bob", "scrap A4 1");
	done(&t, "bob", "{\"action\":\"undo\",\"plies\":2}"); /* ann's end, too: an offer */
	sees_count(&t, "line", 3);
	sees_text(&t, "offers.0.kind", "undo");
	done(&t, "bob", "{\"action\":\"undo\",\"plies\":1}");
	sees_count(&t, "line", 2);
	done(&t, "ann", "{\"action\":\"undo\",\"plies\":1}"); /* it is not her turn any more */
	sees_count(&t, "line", 2);
	table_close(&t);
}

/* ---- Offers ---- */

static void test_play__draw_by_agreement(void **state)
{
	struct table t;
	open_table(state, "noughts", SEATS("ann", "bob"), NULL, &t);
	moved(&t, "ann", "5");
	done(&t, "ann", "{\"action\":\"offer\",\"kind\":\"draw\"}");
	refused(&t, "ann", "{\"action\":\"offer\",\"kind\":\"draw\"}", VERDICT_NOT_NOW);
	moved(&t, "bob", "1"); /* lapses */
	sees_count(&t, "offers", 0);
	refused(&t, "bob", "{\"action\":\"accept\",\"kind\":\"draw\"}", VERDICT_NOT_NOW);
	done(&t, "ann", "{\"action\":\"offer\",\"kind\":\"draw\"}");
	moved(&t, "ann", "2"); /* her own move leaves it standing */
	sees_count(&t, "offers", 1);
	done(&t, "bob", "{\"action\":\"accept\",\"kind\":\"draw\"}");
	sees_text(&t, "result", "draw");
	sees_text(&t, "reason", "agreed");
	sees_text(&t, "view.result", "draw");
	sees_count(&t, "view.moves", 0);
	table_close(&t);
}

static void test_play__two_who_offer_the_same_agree(void **state)
{
	struct table t;
	open_table(state, "noughts", SEATS("ann", "bob"), NULL, &t);
	done(&t, "ann", "{\"action\":\"swap\"}");
	sees_text(&t, "seats.0.name", "ann");
	done(&t, "bob", "{\"action\":\"offer\",\"kind\":\"swap\"}");
	sees_text(&t, "seats.0.name", "bob");
	sees_text(&t, "seats.1.name", "ann");
	sees_count(&t, "offers", 0);
	table_close(&t);
}

static void test_play__computers_agree_to_no_draw(void **state)
{
	struct table t;
	open_table(state, "noughts", SEATS("ann", "level:1"), NULL, &t);
	refused(&t, "ann", "{\"action\":\"offer\",\"kind\":\"draw\"}", VERDICT_NOT_NOW);
	done(&t, "ann", "{\"action\":\"swap\"}");
	sees_text(&t, "seats.0.spec", "level:1");
	sees_text(&t, "seats.0.name", "Beginner");
	computer_moves(&t);
	table_close(&t);
	open_table(state, "noughts", SEATS("ann", "ann"), NULL, &t);
	done(&t, "ann", "{\"action\":\"offer\",\"kind\":\"draw\"}");
	sees_text(&t, "reason", "agreed");
	table_close(&t);
}

static void test_play__of_three_all_have_to_agree(void **state)
{
	struct table t;
	open_table(state, "toy-three", SEATS("ann", "bob", "cid"), NULL, &t);
	done(&t, "bob", "{\"action\":\"offer\",\"kind\":\"draw\"}");
	done(&t, "cid", "{\"action\":\"accept\",\"kind\":\"draw\"}");
	refused(&t, "cid", "{\"action\":\"accept\",\"kind\":\"draw\"}", VERDICT_NOT_NOW);
	assert_false(hosted_over(t.play));
	sees_count(&t, "offers", 1);
	done(&t, "ann", "{\"action\":\"accept\",\"kind\":\"draw\"}");
	sees_text(&t, "result", "draw");
	table_close(&t);
}

/* ---- Giving up, seats ---- */

static void test_play__resign(void **state)
{
	struct table t;
	open_table(state, "noughts", SEATS("ann", "bob"), NULL, &t);
	refused(&t, "ann", "{\"action\":\"resign\",\"seat\":2}", VERDICT_NOT_YOURS);
	done(&t, "ann", "{\"action\":\"resign\"}");
	sees_text(&t, "result", "win 2");
	sees_text(&t, "reason", "resigns");
	table_close(&t);
	open_table(state, "noughts", SEATS("ann", "level:1"), NULL, &t);
	moved(&t, "ann", "5");
	done(&t, "ann", "{\"action\":\"resign\"}");
	sees_text(&t, "result", "win 2");
	done(&t, "ann", "{\"action\":\"undo\",\"plies\":0}"); /* only the end */
	sees_text(&t, "result", NULL);
	sees_count(&t, "line", 1);
	table_close(&t);
	open_table(state, "toy-solo", SEATS("ann"), NULL, &t);
	done(&t, "ann", "{\"action\":\"resign\"}");
	sees_text(&t, "reason", "resigns");
	table_close(&t);
}

static void test_play__of_more_than_two_a_computer_goes_on(void **state)
{
	struct table t;
	open_table(state, "toy-three", SEATS("ann", "bob", "ann"), NULL, &t);
	moved(&t, "ann", "1"); /* now it is the turn of seat 2, or so */
	done(&t, "bob", "{\"action\":\"resign\"}");
	sees_text(&t, "result", NULL);
	sees_text(&t, "seats.1.kind", "computer");
	json_t *spec = seen(&t, "seats.1.spec");
	assert_memory_equal(json_string_value(spec), "level:", 6);
	json_decref(spec);
	table_close(&t);
}

static void test_play__open_seats_are_joined_and_left(void **state)
{
	struct table t;
	open_table(state, "noughts", SEATS("ann", "open"), NULL, &t);
	assert_true(hosted_has_open_seat(t.play));
	refused(&t, "ann", "{\"action\":\"join\"}", VERDICT_NOT_NOW);
	refused(&t, "bob", "{\"action\":\"join\",\"seat\":1}", VERDICT_NOT_NOW);
	refused(&t, "", "{\"action\":\"join\"}", VERDICT_NOT_YOURS);
	moved(&t, "ann", "5"); /* need not wait */
	done(&t, "bob", "{\"action\":\"join\",\"name\":\"Bob \\u00e9\"}");
	sees_text(&t, "seats.1.name", "Bob \xc3\xa9");
	refused(&t, "eve", "{\"action\":\"join\"}", VERDICT_NOT_NOW);
	done(&t, "bob", "{\"action\":\"leave\"}"); /* it had begun: that is giving up */
	sees_text(&t, "result", "win 1");
	table_close(&t);
	open_table(state, "noughts", SEATS("ann", "bob"), NULL, &t);
	done(&t, "bob", "{\"action\":\"leave\"}");
	sees_text(&t, "result", NULL);
	sees_text(&t, "seats.1.kind", "open");
	done(&t, "ann", "{\"action\":\"seat\",\"seat\":2,\"spec\":\"level:2\"}");
	sees_text(&t, "seats.1.spec", "level:2");
	done(&t, "ann", "{\"action\":\"seat\",\"seat\":2,\"spec\":\"human\"}");
	sees_text(&t, "seats.1.name", "ann");
	done(&t, "ann", "{\"action\":\"seat\",\"seat\":1,\"spec\":\"open\"}");
	sees_text(&t, "seats.0.kind", "open");
	table_close(&t);
}

static void test_play__owner_governs_what_only_computers_play(void **state)
{
	struct table t;
	open_table(state, "noughts", SEATS("level:1", "level:2"), NULL, &t);
	computer_moves(&t);
	computer_moves(&t);
	refused(&t, "eve", "{\"action\":\"undo\"}", VERDICT_NOT_YOURS);
	done(&t, "ann", "{\"action\":\"undo\"}");
	sees_count(&t, "line", 1);
	done(&t, "ann", "{\"action\":\"seat\",\"seat\":2,\"spec\":\"human\"}");
	moved(&t, "ann", "9");
	table_close(&t);
}

/* ---- Computers ---- */

static void test_play__late_answers_of_computers_are_dropped(void **state)
{
	struct table t;
	struct hosted_think think;
	open_table(state, "noughts", SEATS("ann", "level:1"), NULL, &t);
	assert_false(hosted_wants_think(t.play, t.now, &think));
	moved(&t, "ann", "5");
	assert_true(hosted_wants_think(t.play, t.now, &think));
	assert_int_equal(think.seat, 1);
	assert_string_equal(think.spec, "level:1");
	done(&t, "ann", "{\"action\":\"note\",\"text\":\"hm\"}"); /* no reason to think again */
	const uint64_t turn = think.turn;
	done(&t, "ann", "{\"action\":\"undo\"}");
	moved(&t, "ann", "5");
	assert_int_equal(hosted_computer_move(t.play, turn, 0, 0, t.now, &t.error), VERDICT_NOT_NOW);
	assert_int_equal(hosted_lines(t.play), 0);
	assert_true(hosted_wants_think(t.play, t.now, &think));
	assert_int_equal(hosted_computer_move(t.play, think.turn, 4, 0, t.now, &t.error),
			 VERDICT_NOT_NOW); /* taken */
	done(&t, "ann", "{\"action\":\"note\",\"text\":\"\"}");
	computer_moves(&t);
	moved(&t, "ann", "9");
	assert_true(hosted_wants_think(t.play, t.now, &think));
	assert_int_equal(hosted_computer_fails(t.play, think.turn, t.now, &t.error), VERDICT_OK);
	table_store(&t);
	assert_true(table_same(&t, "ann"));
	sees_text(&t, "result", "win 1");
	table_close(&t);
}

/* One person alone may hurry a computer, for its whole turn and for no other. */
static void test_play__a_computer_is_told_to_move_now(void **state)
{
	static const char now[] = "{\"action\":\"move_now\"}";
	struct table t;
	struct hosted_think think;
	open_table(state, "noughts", SEATS("ann", "level:1"), NULL, &t);
	refused(&t, "ann", now, VERDICT_NOT_NOW); /* her own turn */
	moved(&t, "ann", "5");
	refused(&t, "eve", now, VERDICT_NOT_YOURS);
	assert_true(hosted_wants_think(t.play, t.now, &think));
	assert_false(think.now);
	const uint64_t turn = think.turn;
	done(&t, "ann", now);
	done(&t, "ann", now); /* a second time does no harm */
	assert_int_equal(hosted_lines(t.play), 0);
	assert_true(hosted_wants_think(t.play, t.now, &think));
	assert_true(think.now && think.turn == turn);
	computer_moves(&t);
	refused(&t, "ann", now, VERDICT_NOT_NOW);
	moved(&t, "ann", "9");
	assert_true(hosted_wants_think(t.play, t.now, &think));
	assert_false(think.now);
	done(&t, "ann", "{\"action\":\"resign\"}");
	refused(&t, "ann", now, VERDICT_NOT_NOW);
	table_close(&t);
	/* Another person plays, too. */
	open_table(state, "starchess", SEATS("level:1", "ann", "bob", "level:1"), NULL, &t);
	refused(&t, "ann", now, VERDICT_NOT_NOW);
	table_close(&t);
	/* A turn of many moves. */
	open_table(state, "starchess", SEATS("level:1", "ann", "level:1", "level:1"), NULL, &t);
	done(&t, "ann", now);
	for (int i = 0; i < 3; i++) {
		assert_true(hosted_wants_think(t.play, t.now, &think));
		assert_int_equal(think.now, think.seat == 0);
		computer_moves(&t);
	}
	table_close(&t);
}

static const char browser[] = "{\"action\":\"engine\",\"engine\":\"browser\"}";
static const char server[] = "{\"action\":\"engine\",\"engine\":\"server\"}";

static enum verdict engine_move(struct table *t, const char *user, const char *move)
{
	const struct hosted_user who = { user, user };
	json_t *turn = seen(t, "turn");
	const enum verdict verdict = hosted_engine_move(
		t->play, &who, (uint64_t)json_integer_value(turn), move, t->now, &t->error);
	json_decref(turn);
	table_store(t);
	return verdict;
}

/* Her engine finds the moves of the computer; the game checks them. */
static void test_play__an_engine_of_the_player_moves_for_a_computer(void **state)
{
	const struct hosted_user ann = { "ann", "ann" };
	struct table t;
	struct hosted_think think;
	open_table(state, "noughts", SEATS("ann", "level:1"), NULL, &t);
	sees_text(&t, "engine", "server");
	moved(&t, "ann", "5");
	assert_int_equal(engine_move(&t, "ann", "1"), VERDICT_NOT_NOW); /* the server thinks */
	done(&t, "ann", browser);
	sees_text(&t, "engine", "browser");
	assert_true(hosted_is_thinking(t.play));
	assert_false(hosted_wants_think(t.play, t.now, &think));
	refused(&t, "ann", "{\"action\":\"move_now\"}", VERDICT_NOT_NOW);
	move_refused(&t, "ann", "1",
		     VERDICT_NOT_NOW); /* without the turn it would be her own move */
	assert_int_equal(engine_move(&t, "eve", "1"), VERDICT_NOT_YOURS);
	assert_int_equal(engine_move(&t, "ann", "5"), VERDICT_NOT_NOW); /* taken */
	assert_int_equal(engine_move(&t, "ann", "1"), VERDICT_OK);
	assert_true(hosted_only_moved(t.play));
	assert_true(table_same(&t, "ann"));
	assert_int_equal(engine_move(&t, "ann", "2"), VERDICT_NOT_NOW); /* her own turn */
	moved(&t, "ann", "9");
	/* Late: the turn has gone, though the computer is to move again. */
	json_t *turn = seen(&t, "turn");
	done(&t, "ann", "{\"action\":\"undo\"}");
	moved(&t, "ann", "3");
	assert_int_equal(hosted_engine_move(t.play, &ann, (uint64_t)json_integer_value(turn), "2",
					    t.now, &t.error),
			 VERDICT_NOT_NOW);
	json_decref(turn);
	done(&t, "ann", server);
	assert_true(hosted_wants_think(t.play, t.now, &think));
	table_close(&t);
}

/* Where something depends on it, the server thinks, whatever was requested. */
static void test_play__the_server_thinks_where_it_counts(void **state)
{
	static const struct {
		const char *game, *clock, *seats[3];
	} cases[] = {
		{ "noughts", "5m", { "level:1", "ann", NULL } },
		{ "backgammon", NULL, { "level:1", "ann", NULL } },
	};
	struct table t;
	struct hosted_think think;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		open_table(state, cases[i].game, cases[i].seats, cases[i].clock, &t);
		done(&t, "ann", browser);
		sees_text(&t, "engine", "server");
		table_close(&t);
	}
	open_table(state, "starchess", SEATS("level:1", "ann", "open", "level:1"), NULL, &t);
	done(&t, "ann", browser);
	sees_text(&t, "engine", "browser");
	assert_false(hosted_wants_think(t.play, t.now, &think));
	done(&t, "bob", "{\"action\":\"join\"}");
	sees_text(&t, "engine", "server");
	assert_true(hosted_wants_think(t.play, t.now, &think));
	refused(&t, "ann", browser, VERDICT_NOT_NOW); /* bob plays, too */
	table_close(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_play__only_who_is_to_move_moves),
		cmocka_unit_test(test_play__move_message_tells_what_the_whole_play_does),
		cmocka_unit_test(test_play__a_game_without_room_for_a_move_is_a_draw),
		cmocka_unit_test(test_play__rules_end_it_and_then_little_is_left_to_do),
		cmocka_unit_test(test_play__malformed_actions_are_refused),
		cmocka_unit_test(test_play__strangers_may_only_look),
		cmocka_unit_test(test_play__names_are_short_and_visible),
		cmocka_unit_test(test_play__undo_is_free_against_computers),
		cmocka_unit_test(test_play__goto_walks_the_tree),
		cmocka_unit_test(test_play__goto_passes_ends_by_word),
		cmocka_unit_test(test_play__undo_among_persons_needs_consent),
		cmocka_unit_test(test_play__orders_of_ones_own_turn_are_taken_back_at_once),
		cmocka_unit_test(test_play__draw_by_agreement),
		cmocka_unit_test(test_play__two_who_offer_the_same_agree),
		cmocka_unit_test(test_play__computers_agree_to_no_draw),
		cmocka_unit_test(test_play__of_three_all_have_to_agree),
		cmocka_unit_test(test_play__resign),
		cmocka_unit_test(test_play__of_more_than_two_a_computer_goes_on),
		cmocka_unit_test(test_play__open_seats_are_joined_and_left),
		cmocka_unit_test(test_play__owner_governs_what_only_computers_play),
		cmocka_unit_test(test_play__late_answers_of_computers_are_dropped),
		cmocka_unit_test(test_play__a_computer_is_told_to_move_now),
		cmocka_unit_test(test_play__an_engine_of_the_player_moves_for_a_computer),
		cmocka_unit_test(test_play__the_server_thinks_where_it_counts),
	};
	return cmocka_run_group_tests(tests, begin, end);
}
