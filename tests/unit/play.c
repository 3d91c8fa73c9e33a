/*
 * play.c - a game in progress: turns, undo to one's own move, seats, chapters, clocks, dice, and
 * what happens when memory runs out.
 * SPDX-License-Identifier: MIT
 */
#include "support/table.h"

#include "support/meter.h"
#include "support/scale.h"

/* ---- Hints, thoughts, the bell ---- */

static void test_play__yes_plays_the_hint_of_this_position(void **state)
{
	struct table t;
	table_open(&t, *state, "noughts", SEATS("human", FIRST));
	assert_says(say(&t, "yes"), "yes: type 'hint' first.");
	assert_says(say(&t, HINT), "Hint: ");
	const char *played = say(&t, "y");
	assert_says(played, "play ");
	assert_int_equal(ply(&t), 2);
	assert_says(say(&t, "yes"), "type 'hint' first");
	say(&t, "undo");
	say(&t, "yes"); /* the position of the hint again */
	assert_int_equal(ply(&t), 2);
	say(&t, "new");
	assert_says(say(&t, "yes"), "type 'hint' first");
	assert_says(say(&t, "yes please"), "yes: it takes nothing after it");
	table_close(&t);
}

/* Collects the lines that a terminal would show while the computer thinks. */
static void show_thoughts(void *ctx, const char *line)
{
	struct string *out = ctx;
	assert_true(strlen(line) < 40);
	string_addf(out, "%s\n", line);
}

static void test_play__thoughts_are_shown_when_wanted(void **state)
{
	struct table t;
	struct string live = { .allocator = &mem_malloc };
	table_open(&t, *state, "connect4", SEATS("human", "alphabeta:depth=4,tt=1,iterate=1"));
	assert_null(strstr(say(&t, "1"), "Thoughts"));
	assert_says(say(&t, "thoughts maybe"), "thoughts: 'on' or 'off' is expected.");
	assert_says(say(&t, "thoughts on"), "thoughts are shown");
	t.talk.screen.width = 40;
	t.talk.show_thoughts = show_thoughts;
	t.talk.show_ctx = &live;
	assert_says(say(&t, "2"), "Thoughts: Score ");
	assert_non_null(live.data);
	assert_says(live.data, " at depth 2. Line: ");
	string_release(&live);
	say(&t, "thoughts off");
	assert_null(strstr(say(&t, "7"), "Thoughts"));
	assert_null(live.data);
	table_close(&t);
}

static void test_play__the_bell_rings_at_moves_and_refusals(void **state)
{
	struct table t;
	table_open(&t, *state, "noughts", SEATS("human", FIRST));
	t.talk.screen.terminal = true;
	assert_null(strchr(say(&t, "x"), '\a'));
	assert_says(say(&t, "bell on"), "The bell rings when");
	assert_says(say(&t, "x"), "\a");
	assert_says(say(&t, "5"), "\a");
	assert_null(strchr(say(&t, "moves"), '\a'));
	t.talk.screen.terminal = false; /* a pipe */
	assert_null(strchr(say(&t, "x"), '\a'));
	table_close(&t);
}

/* Q, Y and W as in the 1983 program, on a person's turn; then `q` leaves again. */
static void test_play__warptrog_has_its_own_keys(void **state)
{
	struct table t;
	table_open(&t, *state, "warptrog", SEATS("human", "human"));
	assert_says(say(&t, "board"), "Move 1. ");
	assert_says(say(&t, "Y"), "yes: type 'hint' first.");
	assert_says(say(&t, "Q"), "Hint: ");
	assert_false(t.talk.quit);
	say(&t, "Y");
	assert_int_equal(ply(&t), 1);
	assert_says(say(&t, "help"), "On your turn: q is hint, y is yes, w is warp.");
	/* Every landing is a sentence, and the warp is one move for the counter. */
	const char *warped = say(&t, "w");
	assert_says(warped, "The Trog on ");
	assert_says(warped, "Move 2. ");
	assert_null(strstr(warped, "Dice"));
	say(&t, "edit ......VVT.VV............vv.tvv...... 1 0 5");
	assert_says(say(&t, "w"), "'warp': no warps left.");
	say(&t, "/q");
	assert_true(t.talk.quit);
	table_close(&t);
}

static void test_play__landings_can_be_typed(void **state)
{
	struct table t;
	table_open(&t, *state, "warptrog", SEATS("human", "human"));
	say(&t, "dice typed");
	assert_says(say(&t, "warp"), "Type the square where the Trog lands.");
	assert_says(say(&t, "f6"), "6  .  .  .  .  . (T)");
	table_close(&t);
}

/* ---- Moves, undo and redo ---- */

static void test_play__undo_goes_back_to_ones_own_move(void **state)
{
	struct table t;
	table_open(&t, *state, "noughts", SEATS("human", FIRST));
	say(&t, "5");
	assert_int_equal(ply(&t), 2);
	say(&t, "9");
	assert_int_equal(ply(&t), 4);
	say(&t, "undo");
	assert_int_equal(ply(&t), 2);
	say(&t, "undo");
	assert_int_equal(ply(&t), 0);
	assert_says(say(&t, "undo"), "undo: there is no move to take back.");
	say(&t, "redo 2");
	assert_int_equal(ply(&t), 4);
	assert_says(say(&t, "redo"), "redo: nothing has been taken back.");
	say(&t, "undo 99");
	assert_int_equal(ply(&t), 0);
	say(&t, "redo");
	assert_int_equal(ply(&t), 2);
	table_close(&t);
}

static void test_play__in_the_second_seat_the_computers_opening_stays(void **state)
{
	struct table t;
	table_open(&t, *state, "noughts", SEATS(FIRST, "human"));
	settle(&t);
	assert_int_equal(ply(&t), 1);
	assert_says(say(&t, "undo"), "no move to take back");
	assert_int_equal(ply(&t), 1);
	say(&t, "9");
	assert_int_equal(ply(&t), 3);
	say(&t, "undo");
	assert_int_equal(ply(&t), 1);
	table_close(&t);
}

static void test_play__among_people_undo_takes_one_move(void **state)
{
	struct table t;
	table_open(&t, *state, "connect4", SEATS("human", "human"));
	say(&t, "4");
	say(&t, "4");
	say(&t, "3");
	say(&t, "undo");
	assert_int_equal(ply(&t), 2);
	say(&t, "5");
	say(&t, "undo");
	assert_says(say(&t, "variations"), "3  5");
	say(&t, "3");
	say(&t, "undo 2");
	assert_int_equal(ply(&t), 1);
	say(&t, "redo 5");
	assert_position(&t, "......./......./......./......./...o.../..xx... o");
	assert_says(say(&t, "line"), "1. 4  2. 4  3. 3");
	table_close(&t);
}

static void test_play__a_line_that_is_no_move_changes_nothing(void **state)
{
	static const char *const lines[] = { "zz",
					     "e9",
					     "d3 d3",
					     "undo x",
					     "undo 0",
					     "undo -1",
					     "redo 99999999999999",
					     "level 99",
					     "level x",
					     "seat 3 human",
					     "seat 1",
					     "seat 1 nobody",
					     "seat 1 level:99",
					     "swap 2",
					     "edit xyz",
					     "load nowhere",
					     "load",
					     "save",
					     "clock soon",
					     "dice typed",
					     "roll 3",
					     "note \xff",
					     "hint nobody",
					     "hint human",
					     "resign now",
					     "/d3",
					     "new game",
					     "\x1b[31m",
					     "position x",
					     "moves x",
					     "help me",
					     "quit now",
					     "go on" };
	struct table t;
	table_open(&t, *state, "reversi", SEATS("human", FIRST));
	say(&t, "d3");
	const int before = ply(&t);
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		const char *answer = say(&t, lines[i]);
		assert_true(strlen(answer) > 3);
		for (const char *c = answer; *c; c++)
			assert_true(*c == '\n' || (unsigned char)*c >= ' ');
		assert_int_equal(ply(&t), before);
		assert_int_equal(settle(&t), TALK_ASK);
	}
	assert_int_equal(t.talk.session->chapter_count, 1);
	table_close(&t);
}

static void test_play__mistakes_name_what_is_near(void **state)
{
	struct table t;
	table_open(&t, *state, "reversi", SEATS("human", "human"));
	assert_says(say(&t, "d2"), "'d2': not a legal move here; near it: d3.");
	assert_says(say(&t, "udno"), "did you mean 'undo'?");
	assert_says(say(&t, "perhaps"), "neither a legal move ('moves') nor a command ('help')");
	say(&t, "D3");
	assert_int_equal(ply(&t), 1);
	table_close(&t);
	table_open(&t, *state, "hexapawn", SEATS("human", "human"));
	assert_says(say(&t, "a1"), "near it: a1-a2");
	table_close(&t);
}

static void test_play__an_empty_line_draws_the_board_again(void **state)
{
	struct table t;
	table_open(&t, *state, "hexapawn", SEATS("human", "human"));
	assert_string_equal(say(&t, "  "),
			    "\n3 p p p\n2 . . .\n1 P P P\n  a b c\nWhite to move.\n");
	assert_string_equal(say(&t, "a1-a2"),
			    "\n3 p p p\n2(P). .\n1 . P P\n  a b c\nBlack to move.\n");
	table_close(&t);
}

static void test_play__an_empty_line_plays_the_only_move(void **state)
{
	struct table t;
	table_open(&t, *state, "noughts", SEATS("human", "human"));
	say(&t, "edit xxoooxx.. o");
	assert_says(say(&t, ""), "Seat 2 to move.\n");
	say(&t, "8");
	assert_says(say(&t, ""), "Seat 1 plays 9.");
	assert_position(&t, "xxoooxxox o");
	say(&t, "");
	assert_position(&t, "xxoooxxox o");
	say(&t, "back");
	assert_says(say(&t, "board"), "The only move: 9 (Enter plays it).");
	table_close(&t);
	/* One move, but a number to choose: it is not the only one. */
	table_open(&t, *state, "toy-counted", SEATS("human", "human"));
	say(&t, "edit 0 3 0 1");
	assert_null(strstr(say(&t, ""), "only"));
	assert_position(&t, "0 3 0 1");
	say(&t, "take b 2");
	assert_says(say(&t, "board"), "The only move: take b 1 (Enter plays it).");
	say(&t, "");
	assert_position(&t, "0 0 0 1");
	table_close(&t);
}

static void test_play__other_words_for_commands(void **state)
{
	struct table t;
	table_open(&t, *state, "noughts", SEATS("human", FIRST));
	say(&t, "5");
	assert_int_equal(ply(&t), 2);
	say(&t, "takeback");
	assert_int_equal(ply(&t), 0);
	assert_says(say(&t, "b"), "to move.");
	assert_says(say(&t, "board now"), "it takes nothing after it");
	assert_false(t.talk.quit);
	say(&t, "exit");
	assert_true(t.talk.quit);
	table_close(&t);
}

static void test_play__counted_moves_are_typed_with_their_number(void **state)
{
	struct table t;
	table_open(&t, *state, "toy-counted", SEATS("human", "human"));
	assert_says(say(&t, "moves"), "take a 5 (1 to 5)");
	say(&t, "take b 3");
	assert_position(&t, "5 2 5 2");
	say(&t, "c5");
	assert_position(&t, "5 2 0 1");
	table_close(&t);
}

/* ---- Seats ---- */

static void test_play__levels_and_sides_change_in_mid_game(void **state)
{
	struct table t;
	table_open(&t, *state, "connect4", (struct session_setup){ 0 });
	const struct session *s = t.talk.session;
	assert_string_equal(session_spec(s, 0), "human");
	assert_string_equal(session_spec(s, 1), "level:5");
	say(&t, "4");
	assert_says(say(&t, "level 2"), "level 2 from here on");
	assert_string_equal(session_spec(s, 1), "level:2");
	assert_int_equal(ply(&t), 2);
	say(&t, "swap");
	assert_string_equal(session_spec(s, 0), "level:2");
	assert_string_equal(session_spec(s, 1), "human");
	assert_int_equal(ply(&t), 3); /* it moved at once */
	say(&t, "seat 1 human");
	assert_int_equal(session_people(s), 2);
	assert_says(say(&t, "level 3"), "level: no computer plays");
	say(&t, "go");
	assert_int_equal(ply(&t), 4);
	table_close(&t);
}

static void test_play__computers_alone_play_to_the_end(void **state)
{
	struct table t;
	table_open(&t, *state, "noughts",
		   SEATS("alphabeta:depth=9,tt=0", "alphabeta:depth=9,tt=0"));
	assert_int_equal(settle(&t), TALK_ASK);
	assert_int_equal(session_turn(t.talk.session), TURN_OVER);
	const char *text = heard(&t);
	assert_says(text, "A draw. Score ");
	assert_says(text, "Seat 1 (alphabeta:depth=9,tt=0) plays ");
	const int end = ply(&t);
	assert_says(say(&t, "5"), "the game is over; 'new', 'undo'");
	say(&t, "undo 2"); /* they wait for a word now */
	assert_int_equal(ply(&t), end - 2);
	say(&t, "go");
	assert_int_equal(session_turn(t.talk.session), TURN_OVER);
	table_close(&t);
}

static void test_play__a_stop_pauses_computers_and_hurries_an_opponent(void **state)
{
	const struct qv_flag stop = { 1 };
	struct table t;
	table_open(&t, *state, "connect4", SEATS("negascout:depth=30", "negascout:depth=30"));
	t.talk.stop = &stop;
	assert_int_equal(talk_next(&t.talk), TALK_THINK);
	talk_think(&t.talk);
	assert_says(heard(&t), "Stopped. 'go' goes on.");
	assert_int_equal(talk_next(&t.talk), TALK_ASK);
	assert_int_equal(ply(&t), 0);
	table_close(&t);
	table_open(&t, *state, "connect4", SEATS("human", "negascout:depth=30"));
	t.talk.stop = &stop;
	say(&t, "4");
	assert_int_equal(ply(&t), 2);
	table_close(&t);
}

static void test_play__seats_that_cannot_be_are_refused(void **state)
{
	static const char *const wrong[] = { "nobody", "level:99", "level:0",
					     "",       "Human",	   "alphabeta:depth=x" };
	struct qv_error error;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct table t = { .now = 0 };
		error.text[0] = '\0';
		assert_int_not_equal(
			table_try(&t, *state, "noughts", SEATS("human", wrong[i]), &error), QV_OK);
		assert_true(error.text[0]);
		assert_null(t.talk.session);
	}
	struct qv_player *player = NULL;
	struct desk d;
	desk_open(&d, *state, "noughts", "start");
	assert_int_equal(qv_player_new(*state, &d.rules, "human", NULL, &player, &error),
			 QV_UNSUPPORTED);
	assert_says(error.text, "people play games only");
	desk_close(&d);
}

static void test_play__any_number_of_seats(void **state)
{
	struct table t;
	table_open(&t, *state, "toy-three", SEATS("human", "human", "random"));
	say(&t, "1");
	assert_says(say(&t, "resign"), "Seat 2 resigns. The computer plays on.");
	assert_int_equal(session_people(t.talk.session), 1);
	for (int i = 0; i < 20 && session_turn(t.talk.session) != TURN_OVER; i++)
		say(&t, "1");
	assert_int_equal(session_turn(t.talk.session), TURN_OVER);
	assert_says(say(&t, ""), "Score ");
	table_close(&t);
	table_open(&t, *state, "toy-solo", (struct session_setup){ 0 });
	assert_int_equal(session_people(t.talk.session), 1);
	say(&t, "go");
	assert_true(ply(&t) > 0);
	say(&t, "swap");
	assert_says(say(&t, "resign"), "You (seat 1) resign.");
	assert_int_equal(session_turn(t.talk.session), TURN_OVER);
	table_close(&t);
}

static void test_play__resigning_gives_the_game_to_the_other(void **state)
{
	int32_t points[QV_MAX_SEATS] = { 0 };
	struct table t;
	table_open(&t, *state, "connect4", SEATS("human", FIRST));
	say(&t, "4");
	const char *text = say(&t, "resign");
	assert_says(text, "You (Red) resign.");
	assert_says(text, "Yellow (" FIRST ") wins.");
	assert_int_equal(qv_record_result(session_record(t.talk.session), points), QV_ENDED);
	assert_int_equal(qv_winner(session_game(t.talk.session), points), 1);
	assert_says(say(&t, "resign"), "resign: the game is over.");
	say(&t, "undo"); /* takes back the word, and nothing else */
	assert_int_equal(session_turn(t.talk.session), TURN_PERSON);
	assert_int_equal(ply(&t), 2);
	say(&t, "redo");
	assert_int_equal(session_turn(t.talk.session), TURN_OVER);
	table_close(&t);
}

/* ---- Chapters ---- */

static void test_play__setting_up_a_position_can_be_undone(void **state)
{
	struct table t;
	table_open(&t, *state, "noughts", SEATS("human", "human"));
	say(&t, "5");
	assert_says(say(&t, "edit"), "....x.... o");
	assert_says(say(&t, "nonsense"), ": ");
	assert_position(&t, "....x.... o");
	say(&t, "edit");
	say(&t, "");
	assert_position(&t, "....x.... o");
	say(&t, "edit");
	say(&t, "x..oo..x. x");
	assert_position(&t, "x..oo..x. x");
	say(&t, "6");
	say(&t, "new"); /* from the same position */
	assert_position(&t, "x..oo..x. x");
	assert_says(say(&t, "undo"), "To the earlier game.");
	assert_position(&t, "x..oox.x. o");
	say(&t, "undo");
	say(&t, "undo");
	assert_position(&t, "....x.... o");
	assert_says(say(&t, "redo"), "To the later game.");
	assert_position(&t, "x..oo..x. x");
	table_close(&t);
}

static void test_play__old_chapters_are_dropped_and_the_rest_stands(void **state)
{
	struct table t;
	char position[32];
	table_open(&t, *state, "noughts", SEATS("human", "human"));
	for (int i = 0; i < 3 * SESSION_CHAPTERS; i++) {
		snprintf(position, sizeof position, "edit ......... x");
		position[5 + i % 9] = 'x';
		position[15] = 'o';
		say(&t, position);
		assert_true(t.talk.session->chapter_count <= SESSION_CHAPTERS);
	}
	for (int i = 0; i < SESSION_CHAPTERS - 1; i++)
		say(&t, "undo");
	assert_says(say(&t, "undo"), "no move to take back");
	assert_int_equal(t.talk.session->chapter, 0);
	table_close(&t);
}

static void test_play__save_and_load_give_the_game_back(void **state)
{
	struct table t;
	table_open(&t, *state, "connect4", SEATS("human", FIRST));
	say(&t, "4");
	say(&t, "4");
	say(&t, "undo");
	say(&t, "note an idea");
	assert_says(say(&t, "note"), "an idea");
	assert_says(say(&t, "save one"), "Saved in one.");
	assert_says(say(&t, "save"), "Saved in one."); /* its own file */
	assert_says(say(&t, "save two"), "'save! FILE' overwrites it");
	const size_t size = t.box.size;
	say(&t, "seat 2 human");
	say(&t, "1");
	say(&t, "2");
	assert_says(say(&t, "load one"), "Loaded from one");
	assert_int_equal(ply(&t), 2);
	assert_string_equal(session_spec(t.talk.session, 1), FIRST);
	assert_says(say(&t, "note"), "an idea");
	assert_int_equal(session_record(t.talk.session)->journal.length, size);
	assert_memory_equal(session_record(t.talk.session)->journal.data, t.box.data, size);
	say(&t, "redo");
	assert_int_equal(ply(&t), 4);
	assert_says(say(&t, "save! two"), "Saved in two.");
	talk_end(&t.talk);
	assert_string_equal(heard(&t), ""); /* nothing to warn of */
	say(&t, "1");
	talk_end(&t.talk);
	assert_says(heard(&t), "The game was not saved");
	t.box.data[3] = '!';
	assert_says(say(&t, "load two"), "two: line 1: ");
	table_close(&t);
}

static void test_play__loading_another_game_goes_on_with_that(void **state)
{
	struct table t;
	table_open(&t, *state, "race", SEATS("human", "random"));
	const char *journal = "{\"quevedo\":1,\"game\":\"noughts\",\"position\":\"start\","
			      "\"seats\":[\"Alice\",\"human\"]}\n{\"move\":\"5\"}\n";
	settle(&t);
	strcpy(t.box.path, "n");
	strcpy(t.box.data, journal);
	t.box.size = strlen(journal);
	t.box.there = true;
	say(&t, "load n");
	assert_string_equal(session_game(t.talk.session)->name, "noughts");
	assert_string_equal(session_spec(t.talk.session, 0), "human"); /* no Alice can be made */
	assert_position(&t, "....x.... o");
	say(&t, "1");
	say(&t, "undo 3");
	say(&t, "undo");
	assert_string_equal(session_game(t.talk.session)->name, "race");
	table_close(&t);
}

/* ---- Dice ---- */

static void test_play__dice_are_thrown_from_the_seed(void **state)
{
	struct table a, b;
	table_open(&a, *state, "race", SEATS("human", "random"));
	table_open(&b, *state, "race", SEATS("human", "random"));
	for (int i = 0; i < 30 && session_turn(a.talk.session) != TURN_OVER; i++) {
		struct text_list legal = { .allocator = &mem_malloc };
		settle(&a);
		legal_words(a.talk.session, false, &legal);
		say(&a, legal.text[0]);
		say(&b, legal.text[0]);
		text_list_release(&legal);
	}
	assert_memory_equal(session_state(a.talk.session), session_state(b.talk.session),
			    session_game(a.talk.session)->state_size);
	say(&b, "undo 5"); /* and played again, the same dice fall */
	say(&b, "redo 5");
	assert_memory_equal(session_state(a.talk.session), session_state(b.talk.session),
			    session_game(a.talk.session)->state_size);
	say(&a, "new");
	settle(&a);
	table_close(&a);
	table_close(&b);
}

static void test_play__dice_are_typed_when_asked_for(void **state)
{
	struct session_setup typed = SEATS("human", "human");
	char prompt[TALK_PROMPT];
	struct table t;
	typed.typed_dice = true;
	table_open(&t, *state, "race", typed);
	settle(&t);
	talk_prompt(&t.talk, prompt);
	assert_string_equal(prompt, "dice> ");
	assert_says(say(&t, "7"), "no such roll");
	assert_says(say(&t, "roll 9"), "not a legal move here");
	assert_int_equal(ply(&t), 0);
	say(&t, "6");
	assert_says(say(&t, "moves"), "0-1");
	say(&t, "undo"); /* a wrong throw can be said again */
	say(&t, "roll 4");
	assert_says(say(&t, "moves"), "pass");
	assert_says(say(&t, "roll 4"), "there is nothing to roll");
	say(&t, "pass");
	say(&t, "roll"); /* the program rolls for once */
	assert_int_equal(ply(&t), 3);
	assert_says(say(&t, "dice thrown"), "The program rolls the dice.");
	assert_says(say(&t, "dice badly"), "'typed' or 'thrown'");
	table_close(&t);
}

/* On field 7 of 9 a 2, of weight 2 in 6, wins. To step instead of running gives the game away. */
static void test_play__luck_and_the_tutor(void **state)
{
	struct table t;
	struct session_setup typed = SEATS("human", "human");
	typed.typed_dice = true;
	table_open(&t, *state, "toy-die", typed);
	say(&t, "edit 7 0 1 -");
	assert_says(say(&t, "roll 2"), "Luck +0.67 (very lucky).");
	assert_null(strstr(say(&t, "step"), "very bad"));
	say(&t, "undo");
	assert_says(say(&t, "tutor sometimes"), "tutor: 'on' or 'off' is expected.");
	assert_says(say(&t, "tutor on"), "The tutor reports doubtful, bad and very bad moves.");
	assert_says(say(&t, "step"), "That move is very bad (?"
				     "?): it loses ");
	assert_says(say(&t, "note"), "?? loses ");
	assert_says(say(&t, "note"), "(very bad): run is better");
	say(&t, "undo");
	const char *end = say(&t, "run");
	assert_null(strstr(end, "That move is"));
	assert_says(end, "Luck: seat 1 +0.67, seat 2 +0.00. For seat 1: ");
	assert_says(end, "result +1 = luck +0.67, skill");
	assert_says(end, "Lost by errors: ");
	say(&t, "edit 6 0 1 -");
	say(&t, "roll 1");
	assert_says(say(&t, "note"), "luck ");
	table_close(&t);
	table_open(&t, *state, "noughts", SEATS("human", "human"));
	assert_says(say(&t, "tutor on"), "tutor: only in games with dice.");
	assert_null(strstr(say(&t, "5"), "Luck"));
	table_close(&t);
}

/* ---- Clocks ---- */

/* A line typed after so many milliseconds at the prompt. */
static const char *say_after(struct table *t, int64_t ms, const char *line)
{
	settle(t);
	heard(t);
	session_clock_start(t->talk.session);
	t->now += ms;
	session_clock_stop(t->talk.session);
	if (!talk_check_flag(&t->talk))
		talk_line(&t->talk, line);
	t->now += 5000; /* what the program does is nobody's time */
	settle(t);
	return heard(t);
}

static void test_play__a_clock_counts_only_who_thinks(void **state)
{
	struct session_setup timed = SEATS("human", "human");
	struct table t;
	timed.control = (struct time_control){ .base_ms = 60000, .added_ms = 2000 };
	table_open(&t, *state, "connect4", timed);
	const struct session *s = t.talk.session;
	say_after(&t, 10000, "hint " FIRST);
	say_after(&t, 5000, "4");
	assert_int_equal(session_left_ms(s, 0), 60000 - 15000 + 2000);
	assert_int_equal(session_left_ms(s, 1), 60000);
	assert_says(say_after(&t, 1500, "4"), "Clocks 0:47, 1:01.");
	assert_int_equal(session_left_ms(s, 1), 60000 - 1500 + 2000);
	assert_int_equal(qv_record_clock_left(session_record(s), 0), 47000);
	char prompt[TALK_PROMPT];
	talk_prompt(&t.talk, prompt);
	assert_string_equal(prompt, "seat 1 0:47> ");
	const char *text = say_after(&t, 47001, "3");
	assert_says(text, "Red: the time is up.");
	assert_says(text, "Yellow wins.");
	assert_int_equal(ply(&t), 2); /* the move came too late */
	say(&t, "undo");
	assert_int_equal(session_turn(s), TURN_PERSON);
	assert_int_equal(session_flag(s), -1);
	assert_says(say(&t, "clock off"), "Clock: off.");
	say_after(&t, 10000000, "3");
	assert_int_equal(ply(&t), 3);
	assert_says(say(&t, "clock 5m"), "Clock: 5m.");
	assert_int_equal(session_left_ms(s, 0), 300000);
	table_close(&t);
}

static void test_play__a_loaded_game_goes_on_with_its_clocks(void **state)
{
	struct session_setup timed = SEATS("human", "human");
	struct table t;
	timed.control = (struct time_control){ .base_ms = 60000 };
	table_open(&t, *state, "noughts", timed);
	say_after(&t, 10000, "5");
	say_after(&t, 20000, "1");
	say(&t, "save c");
	say(&t, "clock off");
	say(&t, "load c");
	assert_int_equal(session_left_ms(t.talk.session, 0), 50000);
	assert_int_equal(session_left_ms(t.talk.session, 1), 40000);
	table_close(&t);
}

/* ---- Memory ---- */

/* A conversation that uses everything, with little to think. */
static void converse(struct table *t)
{
	static const char *const lines[] = { "5",
					     "",
					     "moves",
					     HINT,
					     "x9",
					     "undo",
					     "redo",
					     "level 2",
					     "swap",
					     "note n",
					     "save f",
					     "line",
					     "edit x..oo..x. x",
					     "6",
					     "undo 2",
					     "load f",
					     "help",
					     "seat 1 human",
					     "seat 2 human",
					     "7",
					     "resign",
					     "undo",
					     "variations",
					     "new",
					     "go" };
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		for (int j = 0; j < 20 && talk_next(&t->talk) == TALK_THINK; j++)
			talk_think(&t->talk);
		talk_line(&t->talk, lines[i]);
		string_release(&t->talk.out);
	}
	talk_end(&t->talk);
	string_release(&t->talk.out);
}

static void test_play__survives_every_failed_allocation(void **unused)
{
	(void)unused;
	for (int mode = 0; mode < 2; mode++)
		for (int64_t n = 1;; n += n < 40 ? 1 : 1 + n / (scaled(100) >= 100 ? 24 : 6)) {
			struct meter meter = meter_make();
			const struct qv_allocator allocator = { meter_resize, &meter };
			struct qv_context *context = desk_context(&allocator);
			struct table t = { .context = context };
			struct qv_error error = { "" };
			meter_arm(&meter, n, mode == 1);
			const enum qv_status status =
				table_try(&t, context, "noughts", SEATS("human", FIRST), &error);
			if (status == QV_OK) {
				talk_begin(&t.talk);
				converse(&t);
			} else {
				assert_int_equal(status, QV_NO_MEMORY);
				assert_true(error.text[0]);
			}
			const bool failed = meter.failed;
			meter_arm(&meter, 0, false);
			if (status == QV_OK) { /* and it can still be played */
				talk_line(&t.talk, "edit ......... x");
				talk_line(&t.talk, "seat 1 human");
				talk_line(&t.talk, "seat 2 human");
				talk_line(&t.talk, "5");
				assert_position(&t, "....x.... o");
			}
			table_close(&t);
			qv_context_free(context);
			assert_int_equal(meter.blocks, 0);
			assert_int_equal(meter.wrong_sizes, 0);
			if (!failed)
				break;
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_play__yes_plays_the_hint_of_this_position),
		cmocka_unit_test(test_play__thoughts_are_shown_when_wanted),
		cmocka_unit_test(test_play__the_bell_rings_at_moves_and_refusals),
		cmocka_unit_test(test_play__warptrog_has_its_own_keys),
		cmocka_unit_test(test_play__landings_can_be_typed),
		cmocka_unit_test(test_play__undo_goes_back_to_ones_own_move),
		cmocka_unit_test(test_play__in_the_second_seat_the_computers_opening_stays),
		cmocka_unit_test(test_play__among_people_undo_takes_one_move),
		cmocka_unit_test(test_play__a_line_that_is_no_move_changes_nothing),
		cmocka_unit_test(test_play__mistakes_name_what_is_near),
		cmocka_unit_test(test_play__an_empty_line_draws_the_board_again),
		cmocka_unit_test(test_play__an_empty_line_plays_the_only_move),
		cmocka_unit_test(test_play__other_words_for_commands),
		cmocka_unit_test(test_play__counted_moves_are_typed_with_their_number),
		cmocka_unit_test(test_play__levels_and_sides_change_in_mid_game),
		cmocka_unit_test(test_play__computers_alone_play_to_the_end),
		cmocka_unit_test(test_play__a_stop_pauses_computers_and_hurries_an_opponent),
		cmocka_unit_test(test_play__seats_that_cannot_be_are_refused),
		cmocka_unit_test(test_play__any_number_of_seats),
		cmocka_unit_test(test_play__resigning_gives_the_game_to_the_other),
		cmocka_unit_test(test_play__setting_up_a_position_can_be_undone),
		cmocka_unit_test(test_play__old_chapters_are_dropped_and_the_rest_stands),
		cmocka_unit_test(test_play__save_and_load_give_the_game_back),
		cmocka_unit_test(test_play__loading_another_game_goes_on_with_that),
		cmocka_unit_test(test_play__dice_are_thrown_from_the_seed),
		cmocka_unit_test(test_play__dice_are_typed_when_asked_for),
		cmocka_unit_test(test_play__luck_and_the_tutor),
		cmocka_unit_test(test_play__a_clock_counts_only_who_thinks),
		cmocka_unit_test(test_play__a_loaded_game_goes_on_with_its_clocks),
		cmocka_unit_test(test_play__survives_every_failed_allocation),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
