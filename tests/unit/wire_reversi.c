/*
 * wire_reversi.c - NBoard and GTP: transcripts of the engine with every command, in the right and in
 * the wrong order; and what the managers send, and what they make of an engine's lines.
 * SPDX-License-Identifier: MIT
 */
#include "support/wire_bench.h"

#include "games/reversi/rules.h"
#include "protocols/engine.h"

#define START "BO[8 ---------------------------O*------*O--------------------------- *]"
#define QUICK "alphabeta:depth=2,tt=1"

/* ---- Transcripts ---- */

/*
 * The lines are separated by '|'. A '@' of the answer stands for a square, upper
 * case, and '~' for a number.
 */
struct exchange {
	const char *lines, *answer;
};

static bool matches(const char *pattern, const char *text)
{
	for (; *pattern; pattern++, text++) {
		if (*pattern == '@') {
			if (*text < 'A' || *text > 'P' || !is_digit(text[1]))
				return false;
			text += is_digit(text[2]) ? 2 : 1;
		} else if (*pattern == '~') {
			text += strspn(text, "-.0123456789") - 1;
		} else if (*pattern != *text) {
			return false;
		}
	}
	return !*text;
}

/* What was printed, without the progress of searches. */
static const char *printed(struct bench *b)
{
	string_add(&b->out, "", 1);
	char *to = b->out.data;
	for (char *line = b->out.data, *end; *line; line = end) {
		end = strchr(line, '\n');
		assert_non_null(end); /* lines are whole */
		end++;
		if (strncmp(line, "search ", 7) == 0 || strncmp(line, "nodestats ", 10) == 0)
			continue;
		memmove(to, line, (size_t)(end - line));
		to += end - line;
	}
	*to = '\0';
	return b->out.data;
}

static void compare(const char *protocol, const char *game, const char *player,
		    const struct exchange *turns)
{
	struct bench b = { 0 };
	bench_open_game(&b, protocol, game, player);
	for (int i = 0; turns[i].lines; i++) {
		char copy[1024], *rest = copy;
		b.out.length = 0;
		snprintf(copy, sizeof copy, "%s", turns[i].lines);
		while (rest) {
			const char *line = scan_cut(&rest, '|');
			finish(&b, feed(&b, line));
		}
		const char *answer = printed(&b);
		if (!matches(turns[i].answer, answer))
			fail_msg("turn %d, '%s': expected '%s', got '%s'", i, turns[i].lines,
				 turns[i].answer, answer);
	}
	bench_close(&b);
}

/* ---- NBoard, the engine ---- */

static void test_nboard__a_game(void **state)
{
	(void)state;
	static const struct exchange turns[] = {
		{ "nboard 2", "set myname Quevedo\n" },
		{ "set depth 3", "set myname Quevedo3\n" },
		{ "set contempt 10|unknown line", "" },
		{ "set game (;GM[Othello]PC[NBoard]RE[+12]TI[15:00]TY[8]" START
		  "B[F5]W[F6//3.5];)",
		  "" },
		{ "ping 17", "pong 17\n" },
		/* The answer does not change the board. */
		{ "move C4/1.25/2|go", "status Quevedo is thinking\n=== @/~/0.00\nstatus\n" },
		{ "move f4", "" },
		{ "E3", "status error: move 'e3': not a legal move here\n" },
		{ "go", "status error: move 'e3': not a legal move here\n" },
		{ "set game (;GM[Othello]" START ";)|F5|D6", "" },
		{ "learn", "learned\n" },
		{ NULL, NULL },
	};
	compare("nboard", "reversi", QUICK, turns);
}

/* The strongest player solves the end; a game that is over has no move. */
static void test_nboard__ends_of_games(void **state)
{
	(void)state;
	struct bench b = { 0 };
	bench_open_game(&b, "nboard", "reversi", NULL);
	ask(&b, "set depth 20");
	ask(&b, "set game (;GM[Othello]BO[8 "
		"*O******************************************************O*****-- O];)");
	const char *answer = ask(&b, "go");
	assert_non_null(strstr(answer, "=== "));
	assert_non_null(strstr(answer, " 100%\n"));
	answer = ask(&b, "analyze");
	assert_non_null(strstr(answer, "analysis 0 "));
	ask(&b, "set game (;GM[Othello]BO[8 "
		"**************************************************************** *];)");
	assert_string_equal(ask(&b, "go"), "status error: go: the game has ended\n");
	assert_string_equal(ask(&b, "analyze"),
			    "status Quevedo is analyzing the game\nanalysis 0 64.00\nstatus\n");
	bench_close(&b);
}

static void test_nboard__hints_and_analysis(void **state)
{
	(void)state;
	struct bench b = { 0 };
	bench_open_game(&b, "nboard", "reversi", QUICK);
	ask(&b, "set depth 2");
	ask(&b, "set game (;GM[Othello]" START "B[F5];)");
	const char *answer = ask(&b, "hint 3");
	int lines = 0;
	for (const char *at = answer; (at = strstr(at, " 0 2\n")); at++)
		lines++;
	assert_int_equal(lines, 3);
	assert_non_null(strstr(answer, "status Quevedo is analyzing\nsearch "));
	assert_null(strstr(answer, "==="));
	assert_string_equal(ask(&b, "hint 0"),
			    "status error: hint '0': expected 1 to 64\n");
	/* From the end to the start, which leaves the game as it was. */
	answer = ask(&b, "analyze");
	assert_non_null(strstr(answer, "analysis 1 "));
	assert_true(strstr(answer, "analysis 0 ") > strstr(answer, "analysis 1 "));
	assert_int_equal(qv_record_ply(b.connection->engine.record), 1);
	bench_close(&b);
}

/* The pong comes after the answer of the search that the ping stops. */
static void test_nboard__ping_stops(void **state)
{
	(void)state;
	struct bench b = { 0 };
	bench_open_game(&b, "nboard", "reversi", QUICK);
	assert_int_equal(feed(&b, "go"), NEXT_THINK);
	assert_int_equal(feed(&b, "ping 5"), NEXT_LINE);
	assert_true(qv_flag_is_set(&b.connection->engine.stop));
	assert_int_equal(feed(&b, "move c4"), NEXT_LINE);
	finish(&b, NEXT_THINK);
	const char *text = text_of(&b);
	assert_non_null(strstr(text, "\n=== "));
	assert_true(strstr(text, "pong 5\n") > strstr(text, "=== "));
	assert_int_equal(qv_record_ply(b.connection->engine.record), 1);
	/* During an analysis it ends that. */
	b.out.length = 0;
	assert_int_equal(feed(&b, "analyze"), NEXT_THINK);
	assert_int_equal(feed(&b, "ping 6"), NEXT_LINE);
	finish(&b, NEXT_THINK);
	assert_non_null(strstr(text_of(&b), "status\npong 6\n"));
	assert_int_equal(qv_record_ply(b.connection->engine.record), 1);
	bench_close(&b);
}

/* ---- NBoard, the manager ---- */

static void test_nboard_manager__speaks_nboard(void **state)
{
	(void)state;
	struct string out = { .allocator = &mem_malloc };
	struct manager m = { .ops = manager_find("nboard", 6) };
	struct reversi s;
	reversi_start(&s, NULL);
	m.ops->hello(&m, &out);
	assert_string_equal(said(&out), "nboard 2\nset depth 12\nping 1\n");
	assert_int_equal(tell(&m, "set myname Edax 21"), MANAGER_QUIET);
	assert_int_equal(tell(&m, "pong 1"), MANAGER_READY);
	assert_string_equal(m.name, "Edax 21");
	struct manager_question q = { .moves = "f5 f6 pass d3",
				      .state = &s,
				      .seats = 2,
				      .depth = 5,
				      .clocks = true,
				      .left_ms = { 65900, 1 },
				      .added_ms = { 2000, 0 } };
	m.ops->ask(&m, &q, &out);
	assert_string_equal(said(&out),
			    "ping 2\nset depth 5\nset game (;GM[Othello]PC[Quevedo]PB[Black]"
			    "PW[White]RE[?]TI[1:05/0:02]TY[8]" START
			    "B[F5]W[F6]B[PA]W[D3];)\ngo\n");
	assert_int_equal(tell(&m, "=== a1 stale"), MANAGER_QUIET);
	assert_int_equal(tell(&m, "pong 2"), MANAGER_QUIET);
	assert_int_equal(tell(&m, "status thinking"), MANAGER_QUIET);
	assert_int_equal(tell(&m, "search F5-d6PA -1.25,3 0 12@73% x"), MANAGER_INFO);
	assert_string_equal(m.info.pv, "f5 d6 pass");
	assert_int_equal(m.info.score, -10);
	assert_int_equal(m.info.depth, 12);
	assert_int_equal(tell(&m, "nodestats 35805 0.01"), MANAGER_INFO);
	assert_int_equal(m.info.nodes, 35805);
	assert_int_equal(tell(&m, "=== d6 2.50 0.0"), MANAGER_MOVE);
	assert_string_equal(m.move, "d6");
	assert_int_equal(m.info.score, 20);
	/* A time for each move; a stop without an answer. */
	q = (struct manager_question){ .moves = "", .state = &s, .seats = 2, .time_ms = 1000 };
	m.ops->ask(&m, &q, &out);
	assert_non_null(strstr(said(&out), "TI[0:30]"));
	assert_int_equal(tell(&m, "pong 3"), MANAGER_QUIET);
	assert_int_equal(tell(&m, "search C4 0 0 3"), MANAGER_INFO);
	m.ops->stop(&m, &out);
	assert_string_equal(said(&out), "ping 4\n");
	assert_int_equal(tell(&m, "pong 4"), MANAGER_MOVE);
	assert_string_equal(m.move, "c4");
	string_release(&out);
}

/* ---- GTP, the engine ---- */

static void test_gtp__a_game(void **state)
{
	(void)state;
	static const struct exchange turns[] = {
		{ "1 protocol_version", "=1 2\n\n" },
		{ "name # comment", "= Quevedo\n\n" },
		{ "version", "= " QV_VERSION "\n\n" },
		{ "\r|# nothing|", "" },
		{ "known_command genmove|known_command dance", "= true\n\n= false\n\n" },
		{ "boardsize 8|boardsize 19|boardsize big",
		  "=\n\n? unacceptable size\n\n? boardsize not an integer\n\n" },
		{ "clear_board|komi 6.5|komi", "=\n\n=\n\n? komi not a float\n\n" },
		{ "play black D3|play b c3|play white z9|play white d3",
		  "=\n\n? illegal move\n\n? illegal move\n\n? illegal move\n\n" },
		{ "play green c3|play white", "? invalid color or coordinate\n\n"
					      "? invalid color or coordinate\n\n" },
		{ "genmove b|23 genmove White", "? wrong color\n\n=23 @\n\n" },
		{ "reg_genmove b|reg_genmove w", "= @\n\n? wrong color\n\n" },
		{ "undo|undo|undo", "=\n\n=\n\n? cannot undo\n\n" },
		{ "time_settings 5 2 1|time_left b 3.5 0|time_left b x 0|time_settings 1",
		  "=\n\n=\n\n? syntax error: expected COLOR TIME STONES\n\n"
		  "? syntax error: expected three whole numbers\n\n" },
		{ "set_game Othello|set_game Go|list_games",
		  "=\n\n? unsupported game\n\n= Othello\n\n" },
		{ "final_score|loadsgf /nonexistent", "? cannot score\n\n? cannot load file\n\n" },
		{ "dance", "? unknown command\n\n" },
		{ "99999999999 name", "? syntax error: the number of the command is too large\n\n" },
		{ "5 quit", "=5\n\n" },
		{ NULL, NULL },
	};
	compare("gtp", "reversi", QUICK, turns);
}

/* A side that must pass is passed for; after the end both sides pass. */
static void test_gtp__passes(void **state)
{
	(void)state;
	struct bench b = { 0 };
	bench_open_game(&b, "gtp", "reversi", QUICK);
	struct qv_error error;
	/* Black has no move, White takes the last square. */
	assert_int_equal(
		engine_position(&b.connection->engine,
				"OOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOX- X",
				&error),
		QV_OK);
	assert_string_equal(ask(&b, "reg_genmove b"), "= PASS\n\n");
	assert_string_equal(ask(&b, "genmove w"), "= H8\n\n");
	assert_string_equal(ask(&b, "final_score"), "= W+64\n\n");
	assert_string_equal(ask(&b, "genmove b"), "= PASS\n\n");
	assert_string_equal(ask(&b, "play w pass"), "=\n\n");
	assert_string_equal(ask(&b, "play w a1"), "? illegal move\n\n");
	for (int i = 0; i < 4; i++) /* two late passes, the move and the pass before it */
		assert_string_equal(ask(&b, "undo"), "=\n\n");
	assert_string_equal(ask(&b, "undo"), "? cannot undo\n\n");
	bench_close(&b);
}

/* The letters of go-moku leave out I. */
static void test_gtp__gomoku(void **state)
{
	(void)state;
	static const struct exchange turns[] = {
		{ "boardsize 15|play b J8|play w I8|play w K8",
		  "=\n\n=\n\n? invalid color or coordinate\n\n=\n\n" },
		{ "genmove b", "= @\n\n" },
		{ "boardsize 4", "? unacceptable size\n\n" },
		{ "set_game gomoku|list_games", "=\n\n= Gomoku\n\n" },
		{ NULL, NULL },
	};
	struct bench b = { 0 };
	compare("gtp", "gomoku", "alphabeta:depth=1,tt=1", turns);
	bench_open_game(&b, "gtp", "gomoku:opening=swap2", QUICK);
	ask(&b, "play b J8");
	assert_string_equal(move_text(b.connection->engine.rules.game,
				      engine_state(&b.connection->engine),
				      qv_record_move(b.connection->engine.record, 0))
				    .text,
			    "i8");
	assert_non_null(strstr(ask(&b, "showboard"), "g h j k"));
	bench_close(&b);
}

/* Lines wait for the answer, `quit` too, and each answer has its number. */
static void test_gtp__lines_wait(void **state)
{
	(void)state;
	struct bench b = { 0 };
	bench_open_game(&b, "gtp", "reversi", QUICK);
	assert_int_equal(feed(&b, "1 genmove b"), NEXT_THINK);
	assert_int_equal(feed(&b, "2 genmove w"), NEXT_LINE);
	assert_int_equal(feed(&b, "3 name"), NEXT_LINE);
	assert_int_equal(feed(&b, "4 quit"), NEXT_LINE);
	finish(&b, NEXT_THINK);
	assert_true(matches("=1 @\n\n=2 @\n\n=3 Quevedo\n\n=4\n\n", text_of(&b)));
	bench_close(&b);
}

/* ---- GTP, the manager ---- */

static void test_gtp_manager__speaks_gtp(void **state)
{
	(void)state;
	struct string out = { .allocator = &mem_malloc };
	struct manager m = { .ops = manager_find("gtp", 3) };
	m.ops->hello(&m, &out);
	assert_string_equal(said(&out), "name\n");
	assert_int_equal(tell(&m, "= Edax"), MANAGER_READY);
	assert_string_equal(m.name, "Edax");
	m.ops->new_game(&m, "reversi", &out);
	assert_string_equal(said(&out), "boardsize 8\nclear_board\n");
	assert_int_equal(tell(&m, ""), MANAGER_QUIET);
	assert_int_equal(tell(&m, "="), MANAGER_QUIET);
	assert_int_equal(tell(&m, "="), MANAGER_READY);
	struct manager_question q = { .moves = "d3",
				      .seats = 2,
				      .seat = 1,
				      .clocks = true,
				      .left_ms = { 9000, 8500 },
				      .added_ms = { 1000, 1000 } };
	m.ops->ask(&m, &q, &out);
	assert_string_equal(said(&out), "play b d3\ntime_settings 8 1 1\ntime_left w 8 0\n"
					"genmove w\n");
	for (int i = 0; i < 3; i++)
		assert_int_equal(tell(&m, "="), MANAGER_QUIET);
	assert_int_equal(tell(&m, "= C3"), MANAGER_MOVE);
	assert_string_equal(m.move, "c3");
	/* The next question has only what is new; another game has all. */
	q = (struct manager_question){ .moves = "d3 c3 c4 pass", .seats = 2, .time_ms = 1500 };
	m.ops->ask(&m, &q, &out);
	assert_string_equal(said(&out), "play b c4\nplay w pass\ntime_left b 2 1\ngenmove b\n");
	for (int i = 0; i < 3; i++)
		assert_int_equal(tell(&m, "="), MANAGER_QUIET);
	assert_int_equal(tell(&m, "= pass"), MANAGER_MOVE);
	assert_string_equal(m.move, "pass");
	q = (struct manager_question){ .moves = "d33", .seats = 2, .seat = 1 };
	m.ops->ask(&m, &q, &out);
	assert_string_equal(said(&out), "clear_board\nplay b d33\ngenmove w\n");
	assert_int_equal(tell(&m, "="), MANAGER_QUIET);
	assert_int_equal(tell(&m, "? illegal move"), MANAGER_REFUSED);
	assert_string_equal(m.error.text, "? illegal move");
	string_release(&out);
}

static void test_gtp_manager__gomoku_and_resignation(void **state)
{
	(void)state;
	struct string out = { .allocator = &mem_malloc };
	struct manager m = { .ops = manager_find("gtp", 3) };
	m.ops->new_game(&m, "gomoku:size=19", &out);
	assert_string_equal(said(&out), "boardsize 19\nclear_board\n");
	const struct manager_question q = { .moves = "h8 i8", .seats = 2 };
	m.ops->ask(&m, &q, &out);
	assert_string_equal(said(&out), "play b h8\nplay w j8\ngenmove b\n");
	tell(&m, "=");
	tell(&m, "=");
	assert_int_equal(tell(&m, "= K10"), MANAGER_MOVE);
	assert_string_equal(m.move, "j10");
	m.ops->ask(&m, &(struct manager_question){ .moves = "h8 i8 j10 a1", .seats = 2 }, &out);
	assert_string_equal(said(&out), "play w a1\ngenmove b\n");
	tell(&m, "=");
	assert_int_equal(tell(&m, "= resign"), MANAGER_RESIGNS);
	string_release(&out);
}

/* ---- Which games ---- */

static void test_protocols__fit_their_games(void **state)
{
	(void)state;
	static const char *const bad[][2] = {
		{ "nboard", "gomoku" }, { "gtp", "chess" }, { "gtp", "gomoku:opening=swap2" }
	};
	struct qv_context *context = desk_context(NULL);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct qv_rules rules;
		struct qv_error error = { "" };
		const struct manager_ops *ops = manager_find(bad[i][0], strlen(bad[i][0]));
		assert_int_equal(qv_rules_parse(context, bad[i][1], &rules, &error), QV_OK);
		assert_int_equal(ops->fits(&rules, &error), QV_UNSUPPORTED);
	}
	qv_context_free(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nboard__a_game),
		cmocka_unit_test(test_nboard__ends_of_games),
		cmocka_unit_test(test_nboard__hints_and_analysis),
		cmocka_unit_test(test_nboard__ping_stops),
		cmocka_unit_test(test_nboard_manager__speaks_nboard),
		cmocka_unit_test(test_gtp__a_game),
		cmocka_unit_test(test_gtp__passes),
		cmocka_unit_test(test_gtp__gomoku),
		cmocka_unit_test(test_gtp__lines_wait),
		cmocka_unit_test(test_gtp_manager__speaks_gtp),
		cmocka_unit_test(test_gtp_manager__gomoku_and_resignation),
		cmocka_unit_test(test_protocols__fit_their_games),
	};
	return cmocka_run_group_tests_name("wire_reversi", tests, NULL, NULL);
}
