/*
 * wire_gomocup.c - the protocol of Gomocup: transcripts of the engine with every command, in the
 * right and in the wrong order; and what the manager sends, and what it makes of a brain's lines.
 * SPDX-License-Identifier: MIT
 */
#include "support/wire_bench.h"

#include "base/flag.h"
#include "games/gomoku/rules.h"
#include "protocols/engine.h"

/* ---- The engine ---- */

/* What was printed, without DEBUG lines and those of MESSAGE that report a search. */
static const char *printed(struct bench *b)
{
	string_add(&b->out, "", 1);
	char *to = b->out.data;
	for (char *line = b->out.data, *end; *line; line = end) {
		end = strchr(line, '\n');
		assert_non_null(end); /* lines are whole */
		end++;
		if (strncmp(line, "DEBUG depth ", 12) == 0 ||
		    strncmp(line, "MESSAGE depth ", 14) == 0)
			continue;
		memmove(to, line, (size_t)(end - line));
		to += end - line;
	}
	*to = '\0';
	return b->out.data;
}

/* The answer to lines, which are separated by '/'. */
static const char *ask_all(struct bench *b, const char *lines)
{
	char copy[1024], *rest = copy;
	b->out.length = 0;
	snprintf(copy, sizeof copy, "%s", lines);
	while (rest) {
		const char *line = scan_cut(&rest, '/');
		finish(b, feed(b, line));
	}
	return printed(b);
}

/* Whether the text matches; '@' stands for a point on the board. */
static bool matches(const char *pattern, const char *text, int size)
{
	for (; *pattern; pattern++) {
		int64_t x, y;
		if (*pattern != '@') {
			if (*pattern != *text++)
				return false;
			continue;
		}
		if (!scan_int(&text, 0, size - 1, &x) || !scan_literal(&text, ",") ||
		    !scan_int(&text, 0, size - 1, &y))
			return false;
	}
	return !*text;
}

struct exchange {
	const char *lines, *answer;
};

static void compare(const char *game, const char *player, int size, const struct exchange *turns)
{
	struct bench b = { 0 };
	bench_open_game(&b, "gomocup", game, player);
	for (int i = 0; turns[i].lines; i++) {
		const char *answer = ask_all(&b, turns[i].lines);
		if (!matches(turns[i].answer, answer, size))
			fail_msg("turn %d, '%s': expected '%s', got '%s'", i, turns[i].lines,
				 turns[i].answer, answer);
	}
	bench_close(&b);
}

#define QUICK "threats:depth=2,tt=1"

static void test_gomocup__a_game_from_start_to_end(void **state)
{
	(void)state;
	static const struct exchange turns[] = {
		{ "ABOUT", "name=\"Quevedo\", version=\"" QV_VERSION "\", author=\"the authors of "
			   "Quevedo\"\n" },
		{ "START 20", "OK\n" },
		{ "INFO timeout_turn 1000/INFO timeout_match 100000/INFO max_memory 83886080/INFO "
		  "game_type 1/INFO rule 0/INFO folder here/INFO evaluate 3,4/INFO weather fine",
		  "" },
		{ "INFO time_left 100000/BEGIN", "@\n" },
		{ "", "" },
		{ "RESTART", "OK\n" },
		{ "turn 0,0", "@\n" },
		{ "  TURN   19 , 19  ", "@\n" },
		{ "RECTSTART 15,15", "OK\n" },
		{ "BOARD/7,7,1/8,8,2/DONE", "@\n" },
		{ "BOARD/DONE", "@\n" },
		{ "RESTART/PLAY 7,7/TURN 8,8", "OK\n7,7\n@\n" },
		{ "RESTART/PLAY 7,7/TAKEBACK 7,7/BEGIN", "OK\n7,7\nOK\n@\n" },
		{ NULL, NULL },
	};
	compare("gomoku", QUICK, 20, turns);
}

/* The strongest player is the default; START makes it. */
static void test_gomocup__the_default_player_moves(void **state)
{
	(void)state;
	static const struct exchange turns[] = {
		{ "START 15", "OK\n" },
		{ "INFO timeout_turn 0/BEGIN", "@\n" },
		{ "INFO timeout_turn 20/TURN 0,0", "@\n" },
		{ "INFO timeout_turn 60000/INFO time_left 40/TURN 0,14", "@\n" },
		{ "INFO time_left -5/TURN 14,14", "@\n" },
		{ NULL, NULL },
	};
	compare("gomoku", NULL, 15, turns);
}

/* The stones decide on the colour: a row of four is completed, whichever side it is. */
static void test_gomocup__a_board_in_any_order(void **state)
{
	(void)state;
	static const struct exchange turns[] = {
		{ "START 15", "OK\n" },
		/* Black to move, one point wins. */
		{ "BOARD/3,0,2/4,14,1/5,14,1/4,0,2/2,14,2/6,14,1/3,14,1/14,0,2/DONE", "7,14\n" },
		/* The same for White. */
		{ "BOARD/3,0,2/4,14,1/5,14,1/4,0,2/2,14,2/6,14,1/3,14,1/14,0,2/14,2,2/DONE",
		  "7,14\n" },
		/* An opponent's four is blocked. */
		{ "BOARD/2,14,1/3,14,2/4,14,2/5,14,2/6,14,2/0,0,1/14,0,1/DONE", "7,14\n" },
		{ NULL, NULL },
	};
	compare("gomoku", QUICK, 15, turns);
}

static void test_gomocup__refusals_change_nothing(void **state)
{
	(void)state;
	static const struct exchange turns[] = {
		{ "BEGIN", "ERROR START must come first\n" },
		{ "TURN 1,1", "ERROR START must come first\n" },
		{ "PLAY 1,1", "ERROR START must come first\n" },
		{ "TAKEBACK 1,1", "ERROR START must come first\n" },
		{ "RESTART", "ERROR START must come first\n" },
		{ "BOARD/1,1,1/DONE", "ERROR START must come first\n" },
		{ "SWAP2BOARD/DONE", "ERROR START must come first\n" },
		{ "DONE", "ERROR DONE: BOARD must come first\n" },
		{ "START", "ERROR START '': expected a size\n" },
		{ "START big", "ERROR START 'big': expected a size\n" },
		{ "START 8", "ERROR size 8: expected 9 to 20\n" },
		{ "START 21", "ERROR size 21: expected 9 to 20\n" },
		{ "START -1", "ERROR size -1: expected 9 to 20\n" },
		{ "RECTSTART 30,20", "ERROR RECTSTART 30,20: only square boards are supported\n" },
		{ "RECTSTART 15", "ERROR RECTSTART '15': expected WIDTH,HEIGHT\n" },
		{ "RECTSTART 15,15,15", "ERROR RECTSTART '15,15,15': expected WIDTH,HEIGHT\n" },
		{ "BEGIN", "ERROR START must come first\n" },
		{ "START 9", "OK\n" },
		{ "PLAY 4,4", "4,4\n" },
		{ "BEGIN", "ERROR BEGIN: the board is not empty; send RESTART first\n" },
		{ "TURN 4,4", "ERROR move 'e5': e5 is occupied\n" },
		{ "PLAY 4,4", "ERROR move 'e5': e5 is occupied\n" },
		{ "TURN 9,0", "ERROR 9,0 is not on the board of size 9\n" },
		{ "TURN -1,0", "ERROR -1,0 is not on the board of size 9\n" },
		{ "TURN", "ERROR '': expected X,Y\n" },
		{ "TURN 1", "ERROR '1': expected X,Y\n" },
		{ "TURN 1,2,3", "ERROR '1,2,3': expected X,Y and nothing else\n" },
		{ "TURN 99999999999999999999,1", "ERROR '99999999999999999999,1': expected X,Y\n" },
		{ "TAKEBACK 1,1", "ERROR TAKEBACK 1,1: there is no stone\n" },
		{ "START 30", "ERROR size 30: expected 9 to 20\n" },
		{ "HELLO", "UNKNOWN command 'HELLO'\n" },
		{ "YXSHOWINFO", "UNKNOWN command 'YXSHOWINFO'\n" },
		{ "1,1,1", "UNKNOWN command '1,1,1'\n" },
		{ "\x01", "ERROR the line holds control characters\n" },
		/* Lists answer once, at their end. */
		{ "BOARD/1,1/1,2,1/DONE", "ERROR '1,1': expected X,Y,FIELD\n" },
		{ "BOARD/1,1,3/DONE", "ERROR '1,1,3': expected the field 1 or 2\n" },
		{ "BOARD/1,1,1/1,1,2/DONE", "ERROR '1,1,2': this point was sent twice\n" },
		{ "BOARD/what/DONE", "ERROR 'what': expected X,Y\n" },
		{ "BOARD/\x02/DONE", "ERROR the line holds control characters\n" },
		{ "BOARD/1,1,1/DONE",
		  "ERROR BOARD: 1 own stones and 0 of the opponent; expected as many, or one more "
		  "of the opponent\n" },
		{ "BOARD/1,1,2/INFO rule 0/TAKEBACK 4,4/PLAY 4,4",
		  "ERROR the list of stones has no DONE\nOK\n4,4\n" },
		{ "SWAP2BOARD/1,1/DONE", "ERROR SWAP2BOARD: 1 stones; expected 0, 3 or 5\n" },
		{ "SWAP2BOARD/1,1,x/DONE", "ERROR '1,1,x': expected X,Y\n" },
		/* After all of that the board still has one stone. */
		{ "TAKEBACK 4,4/BEGIN", "OK\n@\n" },
		{ NULL, NULL },
	};
	compare("gomoku", QUICK, 9, turns);
}

static void test_gomocup__the_end_of_a_game(void **state)
{
	(void)state;
	static const struct exchange turns[] = {
		{ "START 15", "OK\n" },
		{ "BOARD/0,0,2/1,0,2/2,0,2/3,0,2/0,5,1/1,5,1/2,5,1/3,5,1/DONE", "4,5\n" },
		{ "TURN 4,0", "ERROR move 'e15': the game has ended\n" },
		{ "PLAY 4,0", "ERROR move 'e15': the game has ended\n" },
		{ "TAKEBACK 4,5", "OK\n" },
		{ "PLAY 9,9", "9,9\n" },
		/* The stone that wins stays, and can be taken back. */
		{ "TURN 4,0", "ERROR go: the game has ended\n" },
		{ "TURN 5,0", "ERROR move 'f15': the game has ended\n" },
		{ "TAKEBACK 4,0", "OK\n" },
		{ "TAKEBACK 0,0",
		  "ERROR position: x moves first, so x must have as many stones as o, or one "
		  "more\n" },
		{ "TURN 9,8", "@\n" },
		{ NULL, NULL },
	};
	compare("gomoku", QUICK, 15, turns);
}

/* Impossible INFO is reported by the next command that asks for a move. */
static void test_gomocup__info(void **state)
{
	(void)state;
	static const char six[] = "BOARD/0,0,1/1,0,1/2,0,1/4,0,1/5,0,1/0,9,2/2,9,2/4,9,2/6,9,2/"
				  "8,9,2/DONE";
	const struct exchange turns[] = {
		{ "INFO rule 2/INFO rule 8/START 15", "OK\n" },
		{ "BEGIN",
		  "ERROR INFO rule 8: expected 0, 1 or 4; continuous games and caro are not "
		  "supported\n" },
		{ "TURN 1,1",
		  "ERROR INFO rule 8: expected 0, 1 or 4; continuous games and caro are not "
		  "supported\n" },
		{ "INFO rule 0/INFO max_memory 1000/BOARD/DONE",
		  "ERROR INFO max_memory 1000: at least 16777216 are needed\n" },
		{ "INFO max_memory 0/INFO time_left soon/INFO timeout_turn -3", "" },
		{ "BEGIN",
		  "MESSAGE INFO timeout_turn '-3' is ignored: expected a whole number\n@\n" },
		{ "RESTART/BEGIN", "OK\n@\n" },
		/* The rule may come after START, and in the middle of a game. */
		{ six, "3,0\n" },
		{ "TAKEBACK 3,0/INFO rule 1/PLAY 3,0/TURN 10,12", "OK\n3,0\n@\n" },
		{ "INFO rule 4/RESTART/PLAY 7,7/TURN 0,0/TURN 0,14", "OK\n7,7\n@\n@\n" },
		{ "INFO suggest 1/RESTART/BEGIN", "OK\nSUGGEST @\n" },
		{ "PLAY 3,3", "3,3\n" },
		{ "TURN 4,4", "SUGGEST @\n" },
		{ "PLAY 5,5", "5,5\n" },
		{ NULL, NULL },
	};
	compare("gomoku", QUICK, 15, turns);
}

/* The board's text comes from the protocol's own points: a forbidden one is refused. */
static void test_gomocup__renju_forbids(void **state)
{
	(void)state;
	const struct exchange turns[] = {
		{ "INFO rule 4/START 15", "OK\n" },
		/* Black: 5,7 6,7 and 7,5 7,6; White far away. 7,7 makes two open threes. */
		{ "PLAY 5,7/PLAY 0,0/PLAY 6,7/PLAY 14,0/PLAY 7,5/PLAY 0,14/PLAY 7,6/PLAY 14,14",
		  "5,7\n0,0\n6,7\n14,0\n7,5\n0,14\n7,6\n14,14\n" },
		{ "TURN 7,7", "ERROR move 'h8': h8 is forbidden to Black: it makes a double "
			      "three\n" },
		{ "INFO rule 0/TURN 7,7", "@\n" },
		{ NULL, NULL },
	};
	compare("gomoku:rule=freestyle", QUICK, 15, turns);
}

static void test_gomocup__swap2(void **state)
{
	(void)state;
	static const struct exchange turns[] = {
		{ "START 15", "OK\n" },
		{ "SWAP2BOARD/DONE", "@ @ @\n" },
		{ "RESTART/SWAP2BOARD/DONE", "OK\n@ @ @\n" },
		/* Black has two stones in the centre, White one in a corner: Black is better. */
		{ "RESTART/SWAP2BOARD/7,7/0,0/8,8/DONE", "OK\nSWAP\n" },
		{ "BOARD/7,7,1/0,0,2/8,8,1/1,1,2/DONE", "@\n" },
		/* White is to move and has the centre. */
		{ "RESTART/SWAP2BOARD/0,0/7,7/14,14/DONE", "OK\n@\n" },
		{ "TURN 0,14", "@\n" },
		{ "RESTART/SWAP2BOARD/7,7/0,0/8,8/14,0/7,9/DONE", "OK\nSWAP\n" },
		{ "TURN 6,10", "@\n" },
		/* As rapfi expects the stones. */
		{ "RESTART/SWAP2BOARD/7,7,2/0,0,1/8,8,2/DONE", "OK\nSWAP\n" },
		{ "RESTART/SWAP2BOARD/0,0/7,7/14,14/7,8/0,14/DONE", "OK\n@\n" },
		{ NULL, NULL },
	};
	compare("gomoku:opening=swap2", QUICK, 15, turns);
}

/* ---- During a search ---- */

static void test_gomocup__lines_wait_for_the_answer(void **state)
{
	(void)state;
	struct bench b = { 0 };
	bench_open_game(&b, "gomocup", "gomoku", QUICK);
	ask_all(&b, "START 15");
	b.out.length = 0;
	assert_int_equal(feed(&b, "BEGIN"), NEXT_THINK);
	assert_int_equal(feed(&b, "INFO timeout_turn 0"), NEXT_LINE);
	assert_int_equal(feed(&b, "TURN 0,0"), NEXT_LINE);
	assert_int_equal(feed(&b, "ABOUT"), NEXT_LINE);
	assert_int_equal(b.out.length, 0);
	finish(&b, NEXT_THINK);
	const char *text = printed(&b);
	assert_true(matches("@\n@\nname=\"Quevedo\", version=\"" QV_VERSION
			    "\", author=\"the authors of Quevedo\"\n",
			    text, 15));
	/* A new game ends the search. */
	b.out.length = 0;
	assert_int_equal(feed(&b, "TURN 14,14"), NEXT_THINK);
	assert_int_equal(feed(&b, "RESTART"), NEXT_LINE);
	assert_true(flag_is_set(&b.connection->engine.stop));
	finish(&b, NEXT_THINK);
	assert_true(matches("@\nOK\n", printed(&b), 15));
	/* After END nothing is printed, not even an answer that is owed. */
	b.out.length = 0;
	assert_int_equal(feed(&b, "BEGIN"), NEXT_THINK);
	assert_int_equal(feed(&b, "TURN 1,1"), NEXT_LINE);
	assert_int_equal(feed(&b, "END"), NEXT_QUIT);
	connection_think(b.connection, collect, &b);
	assert_int_equal(connection_answer(b.connection, &b.out), NEXT_QUIT);
	assert_int_equal(b.out.length, 0);
	bench_close(&b);
}

static void test_gomocup__only_gomoku(void **state)
{
	(void)state;
	struct qv_context *context = desk_context(NULL);
	struct connection *c = NULL;
	struct qv_error error;
	const struct connection_setup setup = { .context = context,
						.protocol = "gomocup",
						.game = "noughts" };
	assert_int_equal(connection_new(&setup, &c, &error), QV_UNSUPPORTED);
	assert_string_equal(error.text, "protocol gomocup: only gomoku fits it, not noughts");
	qv_context_free(context);
}

/* ---- The manager ---- */

/* The position after moves, on a board of 15. */
static struct gomoku after(int rule, const char *moves)
{
	struct gomoku board;
	gomoku_start(&board, (const int64_t[]){ 15, rule, 0 });
	while (*moves) {
		int64_t row;
		const int column = *moves++ - 'a';
		assert_true(scan_int(&moves, 1, 15, &row));
		gomoku_play(&board, (qv_move)gomoku_point((int)row - 1, column));
		moves += *moves == ' ';
	}
	return board;
}

static void test_gomocup_manager__plays_a_game(void **state)
{
	(void)state;
	struct string out = { .allocator = &mem_malloc };
	struct manager m = { .ops = manager_find("gomocup", 7) };
	assert_non_null(m.ops);
	m.ops->hello(&m, &out);
	assert_string_equal(said(&out), "ABOUT\n");
	assert_int_equal(tell(&m, "MESSAGE loading"), MANAGER_QUIET);
	assert_int_equal(tell(&m, "name=\"Big Brain\", version=\"1.0\""), MANAGER_READY);
	assert_string_equal(m.name, "Big Brain");
	m.ops->set(&m, "max_memory", "1000000", &out);
	m.ops->new_game(&m, "gomoku:rule=renju", &out);
	assert_string_equal(said(&out), "INFO max_memory 1000000\nSTART 15\nINFO rule 4\n"
					"INFO game_type 1\n");
	assert_int_equal(tell(&m, ""), MANAGER_QUIET);
	assert_int_equal(tell(&m, "OK"), MANAGER_READY);
	struct gomoku board = after(GOMOKU_RENJU, "");
	struct manager_question q = {
		.moves = "", .legal = "", .state = &board, .seats = 2, .time_ms = 500
	};
	m.ops->ask(&m, &q, &out);
	assert_string_equal(said(&out), "INFO timeout_match 0\nINFO timeout_turn 500\n"
					"INFO time_left 2147483647\nBEGIN\n");
	assert_int_equal(tell(&m, "DEBUG 1,1 looks good"), MANAGER_QUIET);
	assert_int_equal(tell(&m, "thinking"), MANAGER_QUIET);
	assert_int_equal(tell(&m, "7,6\r"), MANAGER_MOVE);
	assert_string_equal(m.move,
			    "7,6\r"); /* lines come without their end, else it is no point */
	m.asked = true;
	assert_int_equal(tell(&m, " 7, 6 "), MANAGER_MOVE);
	assert_string_equal(m.move, "h9");
	assert_int_equal(tell(&m, "7,6"), MANAGER_QUIET);
	/* The game goes on: just the new stone. */
	q.moves = "h9 a15";
	board = after(GOMOKU_RENJU, q.moves);
	m.ops->ask(&m, &q, &out);
	assert_string_equal(said(&out), "INFO time_left 2147483647\nTURN 0,0\n");
	assert_int_equal(tell(&m, "SUGGEST 8,8"), MANAGER_MOVE);
	assert_string_equal(m.move, "i7");
	/* The suggestion is confirmed first; now there are clocks. */
	q.moves = "h9 a15 i7 a14";
	q.clocks = true;
	q.time_ms = 0;
	q.left_ms[0] = 9000;
	board = after(GOMOKU_RENJU, q.moves);
	m.ops->ask(&m, &q, &out);
	assert_string_equal(said(&out), "PLAY 8,8\nINFO timeout_turn 9000\nINFO time_left 9000\n"
					"TURN 0,1\n");
	assert_int_equal(tell(&m, "8,8"), MANAGER_QUIET);
	assert_int_equal(tell(&m, "6,6"), MANAGER_MOVE);
	/* Another game: all stones in their order. */
	q.moves = "h8 a1 b2 c3";
	board = after(GOMOKU_RENJU, q.moves);
	m.ops->ask(&m, &q, &out);
	assert_string_equal(said(&out),
			    "START 15\nINFO rule 4\nINFO game_type 1\nINFO time_left 9000\n"
			    "BOARD\n7,7,1\n0,14,2\n1,13,1\n2,12,2\nDONE\n");
	assert_int_equal(tell(&m, "OK"), MANAGER_QUIET);
	assert_int_equal(tell(&m, "ERROR I am tired"), MANAGER_REFUSED);
	assert_string_equal(m.error.text, "ERROR I am tired");
	m.ops->stop(&m, &out);
	m.ops->quit(&m, &out);
	assert_string_equal(said(&out), "END\n");
	string_release(&out);
}

/* From a position, whose stones have no order, and for White. */
static void test_gomocup_manager__positions_and_faults(void **state)
{
	(void)state;
	struct string out = { .allocator = &mem_malloc };
	struct manager m = { .ops = manager_find("gomocup", 7) };
	m.ops->hello(&m, &out);
	assert_int_equal(tell(&m, "UNKNOWN command"), MANAGER_READY);
	assert_string_equal(m.name, "");
	m.ops->new_game(&m, "gomoku:size=20", &out);
	assert_int_equal(tell(&m, "ERROR size"), MANAGER_REFUSED);
	said(&out);
	m.ops->new_game(&m, "gomoku:rule=exact", &out);
	assert_string_equal(said(&out), "START 15\nINFO rule 1\nINFO game_type 1\n");
	assert_int_equal(tell(&m, "OK"), MANAGER_READY);
	struct gomoku board = after(GOMOKU_EXACT, "h8 a1 b2");
	struct manager_question q = { .start = "rows x",
				      .moves = "b2",
				      .legal = "",
				      .state = &board,
				      .seats = 2,
				      .seat = 1 };
	m.ops->ask(&m, &q, &out);
	assert_string_equal(said(&out), "INFO timeout_match 0\nINFO timeout_turn 1000\n"
					"INFO time_left 2147483647\n"
					"BOARD\n0,14,1\n7,7,2\n1,13,2\nDONE\n");
	assert_int_equal(tell(&m, "15,0"), MANAGER_MOVE);
	assert_string_equal(m.move, "15,0"); /* not on the board, so not legal */
	m.ops->ask(&m, &q, &out);
	said(&out);
	assert_int_equal(tell(&m, "SUGGEST 3,3"), MANAGER_MOVE);
	q.moves = "b2 d12 e5";
	board = after(GOMOKU_EXACT, "h8 a1 b2 d12 e5");
	m.ops->ask(&m, &q, &out);
	assert_string_equal(said(&out), "PLAY 3,3\nINFO time_left 2147483647\nTURN 4,10\n");
	assert_int_equal(tell(&m, "4,4"), MANAGER_GARBAGE);
	assert_int_equal(tell(&m, "UNKNOWN TURN"), MANAGER_REFUSED);
	string_release(&out);
}

static void test_gomocup_manager__fits_gomoku_without_swap2(void **state)
{
	(void)state;
	struct qv_context *context = desk_context(NULL);
	const struct manager_ops *ops = manager_find("gomocup", 7);
	struct qv_rules rules;
	struct qv_error error;
	assert_int_equal(qv_rules_parse(context, "gomoku:size=9", &rules, &error), QV_OK);
	assert_int_equal(ops->fits(&rules, &error), QV_OK);
	assert_int_equal(qv_rules_parse(context, "gomoku:opening=swap2", &rules, &error), QV_OK);
	assert_int_equal(ops->fits(&rules, &error), QV_UNSUPPORTED);
	assert_int_equal(qv_rules_parse(context, "reversi", &rules, &error), QV_OK);
	assert_int_equal(ops->fits(&rules, &error), QV_UNSUPPORTED);
	qv_context_free(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gomocup__a_game_from_start_to_end),
		cmocka_unit_test(test_gomocup__the_default_player_moves),
		cmocka_unit_test(test_gomocup__a_board_in_any_order),
		cmocka_unit_test(test_gomocup__refusals_change_nothing),
		cmocka_unit_test(test_gomocup__the_end_of_a_game),
		cmocka_unit_test(test_gomocup__info),
		cmocka_unit_test(test_gomocup__renju_forbids),
		cmocka_unit_test(test_gomocup__swap2),
		cmocka_unit_test(test_gomocup__lines_wait_for_the_answer),
		cmocka_unit_test(test_gomocup__only_gomoku),
		cmocka_unit_test(test_gomocup_manager__plays_a_game),
		cmocka_unit_test(test_gomocup_manager__positions_and_faults),
		cmocka_unit_test(test_gomocup_manager__fits_gomoku_without_swap2),
	};
	return cmocka_run_group_tests_name("wire_gomocup", tests, NULL, NULL);
}
