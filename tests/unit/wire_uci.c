/*
 * protocol_uci.c - UCI as a pure object: transcripts of the engine's side.
 * SPDX-License-Identifier: MIT
 */
#include "support/odd_armies.h"
#include "support/wire_bench.h"

#include <inttypes.h>
#include <pthread.h>
#include <time.h>

static void test_uci__a_game(void **state)
{
	(void)state;
	static const struct turn turns[] = {
		{ "isready", "readyok\n" },
		{ "ucinewgame", "" },
		{ "position startpos moves e2e4 e7e5", "" },
		{ "go depth 1", "*\n" },
		{ "position fen 7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "" },
		{ "go depth 1", "info depth 1 multipv 1 score mate 1 nodes 26 pv f7g7\n"
				"bestmove f7g7\n" },
		{ "position fen 7k/5Q2/6K1/8/8/8/8/8 w - - 0 1 moves f7g7", "" },
		{ "go", "info depth 0 score mate 0\nbestmove (none)\n" },
		{ "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "" },
		{ "go movetime 5", "info depth 0 score cp 0\nbestmove (none)\n" },
		{ "position fen nonsense", "*\n" },
		{ "position fen", "info string error: position: no FEN follows\n" },
		{ "position fen moves e2e4", "info string error: position: no FEN follows\n" },
		{ "position", "info string error: position: expected startpos or fen\n" },
		{ "position nowhere",
		  "info string error: position: expected startpos or fen\n" },
		{ "register later", "" },
		{ "debug on", "info string debug: all is told anyway\n" },
		{ "debug off", "" },
		{ "nonsense", "" },
		{ "well now isready", "readyok\n" },
		{ "", "" },
		{ "stop", "" },
		{ "ponderhit", "" },
		{ 0 },
	};
	transcript("uci", "alphabeta:depth=1,tt=0,sort=0,killers=0,history=0", turns);
}

static void test_uci__says_who_it_is(void **state)
{
	(void)state;
	static const char *const lines[] = {
		"id name Quevedo ",
		"\nid author ",
		"\noption name Hash type spin default 1 min 1 max ",
		"\noption name Threads type spin default 1 min 1 max 256\n",
		"\noption name Clear Hash type button\n",
		"\noption name MultiPV type spin default 1 min 1 max 256\n",
		"\noption name Ponder type check default false\n",
		"\noption name UCI_AnalyseMode type check default false\n",
		"\noption name BookFile type string default <empty>\n",
		"\noption name UCI_Chess960 type check default false\n",
		"\noption name UCI_ShowWDL type check default false\n",
		"\noption name UCI_Variant type combo default chess var ",
		" var reversi ",
	};
	struct bench b = { 0 };
	bench_open(&b, "uci", NULL);
	const char *hello = ask(&b, "uci");
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		if (!strstr(hello, lines[i]))
			fail_msg("%s", lines[i]);
	assert_string_equal(hello + strlen(hello) - 7, "\nuciok\n");
	bench_close(&b);
}

static void test_uci__options(void **state)
{
	(void)state;
	static const struct turn turns[] = {
		{ "setoption name hash value 2", "" },
		{ "setoption name Hash value 0",
		  "info string error: Hash: '0' is not a whole number from 1 to 1048576\n" },
		{ "setoption name Hash",
		  "info string error: Hash: '' is not a whole number from 1 to "
		  "1048576\n" },
		{ "setoption name Threads value 2", "" },
		{ "setoption name Threads value 1", "" },
		{ "setoption name  clear   hash", "" },
		{ "setoption name Clear Hash value", "" },
		{ "setoption name clear hash", "" },
		{ "setoption name Ponder value true", "" },
		{ "setoption name Ponder value perhaps",
		  "info string error: Ponder: 'perhaps' is neither true nor false\n" },
		{ "setoption name Move Overhead value 100", "" },
		{ "setoption name UCI_Opponent value GM 2800 human Gary Kasparov", "" },
		{ "setoption name UCI_AnalyseMode value true", "" },
		{ "setoption name OwnBook value false", "" },
		{ "setoption name BookFile value <empty>", "" },
		{ "setoption name BookFile value a,b",
		  "info string error: book: its name has a comma, or more than 1023 characters\n" },
		{ "setoption name BookFile value /nowhere/at/all.bin", "*\n" },
		{ "setoption name Player value wizard",
		  "info string error: player 'wizard': no such "
		  "kind\n" },
		{ "setoption name Player value alphabeta:depth=1", "" },
		{ "setoption name Player value <empty>", "" },
		{ "setoption name nothing value 9", "" },
		{ "setoption hash 9", "" },
		{ "setoption", "" },
		{ "isready", "readyok\n" },
		{ 0 },
	};
	transcript("uci", NULL, turns);
}

/* Castling is king takes rook; without the option it is refused, and no move follows. */
static void test_uci__chess960(void **state)
{
	(void)state;
	static const struct turn turns[] = {
		{ "position fen 4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1", "*\n" },
		{ "go depth 1", "*\n" },
		{ "setoption name UCI_Chess960 value true", "" },
		{ "position fen 4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1 moves f1b1", "" },
		{ "position fen 4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1 moves f1c1",
		  "*\n" },
		{ "position fen 3k4/8/8/8/8/8/8/6KR w H - 0 1", "" },
		{ "position startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1h1", "" },
		{ "position startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1",
		  "*\n" },
		{ "setoption name UCI_Chess960 value false", "" },
		{ "position startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1", "" },
		{ "setoption name UCI_Chess960 value perhaps",
		  "info string error: UCI_Chess960: 'perhaps' is neither true nor false\n" },
		{ 0 },
	};
	struct bench b = { 0 };
	transcript("uci", NULL, turns);
	bench_open(&b, "uci", NULL);
	assert_non_null(
		strstr(ask(&b, "position fen 4k3/8/8/8/8/8/8/6KR w H - 0 1"), "error: position: "));
	assert_non_null(strstr(ask(&b, "go depth 1"), "bestmove (none)\n"));
	ask(&b, "setoption name UCI_Chess960 value true");
	assert_string_equal(ask(&b, "position fen 4k3/8/8/8/8/8/8/6KR w H - 0 1"), "");
	assert_non_null(strstr(ask(&b, "go perft 1"), "g1h1: 1\n"));
	bench_close(&b);
}

/* Other games by their names, with their own moves; options of chess are not theirs. */
static void test_uci__variants(void **state)
{
	(void)state;
	static const struct turn turns[] = {
		{ "setoption name UCI_Chess960 value true", "" },
		{ "setoption name UCI_Variant value connect4", "" },
		{ "position startpos moves 4 4 4", "" },
		{ "setoption name UCI_ShowWDL value true",
		  "info string error: UCI_ShowWDL: it is not for this game\n" },
		{ "setoption name UCI_Variant value crazyhouse",
		  "info string error: UCI_Variant: there is no variant 'crazyhouse'\n" },
		{ "setoption name UCI_Variant value backgammon",
		  "info string error: UCI_Variant: there is no variant 'backgammon'\n" },
		{ "position startpos moves 4 4 4", "" },
		{ "setoption name UCI_Variant value Chess", "" },
		{ "position fen 4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1 moves f1b1", "" },
		{ 0 },
	};
	transcript("uci", "alphabeta:depth=1,tt=0", turns);
}

/* Chances for the side to move: thousandths, which sum up to a thousand. */
static void test_uci__shows_wins_draws_and_losses(void **state)
{
	(void)state;
	struct bench b = { 0 };
	int wins, draws, losses;
	bench_open(&b, "uci", "alphabeta:depth=1,tt=0");
	assert_null(strstr(ask(&b, "go depth 1"), " wdl "));
	ask(&b, "setoption name UCI_ShowWDL value true");
	const char *wdl = strstr(ask(&b, "go depth 1"), " wdl ");
	assert_non_null(wdl);
	assert_int_equal(sscanf(wdl, " wdl %d %d %d nodes", &wins, &draws, &losses), 3);
	assert_int_equal(wins + draws + losses, 1000);
	assert_true(draws > wins && draws > losses);
	ask(&b, "position fen 3qk3/8/8/8/8/8/8/4K3 w - - 0 1");
	wdl = strstr(ask(&b, "go depth 1"), " wdl ");
	assert_int_equal(sscanf(wdl, " wdl %d %d %d", &wins, &draws, &losses), 3);
	assert_true(wins < 10 && losses > 900);
	ask(&b, "position fen 7k/5Q2/6K1/8/8/8/8/8 w - - 0 1");
	assert_non_null(strstr(ask(&b, "go depth 1"), " score mate 1 wdl 1000 0 0 "));
	bench_close(&b);
}

/* The last line, which must be a move of the right kind. */
static void expect_move(struct bench *b, const char *line)
{
	const char *answer = ask(b, line), *best = strstr(answer, "bestmove ");
	if (!best || !strncmp(best, "bestmove (none)", 15) || strstr(best + 1, "bestmove "))
		fail_msg("%s: %s", line, answer);
}

static void test_uci__limits_of_every_kind(void **state)
{
	(void)state;
	static const char *const lines[] = { "go depth 2",
					     "go nodes 500",
					     "go movetime 1",
					     "go movetime 0",
					     "go nodes 0",
					     "go depth 0 nodes 10",
					     "go wtime 100",
					     "go btime 100",
					     "go wtime 0 btime 0",
					     "go wtime -500 btime 10 winc 0 binc 0",
					     "go wtime 100 btime 100 movestogo 1",
					     "go wtime 50 btime 50 winc 10 binc 10 movestogo 40",
					     "go movetime x depth 1",
					     "go depth 1 searchmoves e2e4 d2d4",
					     "go searchmoves e2e4 xx depth 1",
					     "go mate 1 nodes 300",
					     "go wtime 99999999999999999999 depth 1",
					     "go depth 99999999999 nodes 200" };
	struct bench b = { 0 };
	bench_open(&b, "uci", NULL);
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		expect_move(&b, lines[i]);
	assert_non_null(strstr(ask(&b, "go depth 1 searchmoves a2a3"), "\nbestmove a2a3"));
	ask(&b, "ucinewgame"); /* else much is known already, and little has to be stored */
	assert_non_null(strstr(ask(&b, "go nodes 20000"), " seldepth "));
	assert_non_null(strstr(b.out.data, " hashfull "));
	ask(&b, "position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
	assert_non_null(strstr(ask(&b, "go mate 2"), "score mate 1"));
	assert_non_null(strstr(b.out.data, "bestmove a1a8"));
	b.stop_first = true;
	expect_move(&b, "go infinite");
	expect_move(&b, "go");
	expect_move(&b, "go ponder wtime 1000 btime 1000");
	bench_close(&b);
}

static void test_uci__several_lines(void **state)
{
	(void)state;
	struct bench b = { 0 };
	bench_open(&b, "uci", NULL);
	ask(&b, "setoption name MultiPV value 3");
	const char *answer = ask(&b, "go depth 2");
	for (int depth = 1; depth <= 2; depth++)
		for (int line = 1; line <= 3; line++) {
			char begin[64];
			snprintf(begin, sizeof begin,
				 "info depth %d seldepth %d multipv %d score cp ", depth, depth,
				 line);
			answer = strstr(answer, begin);
			if (!answer)
				fail_msg("%s in %s", begin, b.out.data);
		}
	assert_non_null(strstr(answer, "\nbestmove "));
	/* Two moves are all there are. */
	ask(&b, "position fen 7k/8/8/8/8/8/1r6/K7 w - - 0 1");
	ask(&b, "go depth 1 searchmoves a1b2");
	assert_null(strstr(b.out.data, "multipv 2"));
	/* Who has one move alone still has that. */
	ask(&b, "setoption name Player value random");
	expect_move(&b, "go depth 1");
	bench_close(&b);
}

/* What nobody has claimed is played on. */
static void test_uci__goes_on_after_a_draw(void **state)
{
	(void)state;
	struct bench b = { 0 };
	bench_open(&b, "uci", "alphabeta:depth=1,tt=0");
	assert_string_equal(
		ask(&b, "position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8"), "");
	expect_move(&b, "go depth 1");
	assert_string_equal(ask(&b,
				"position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 "
				"g1f3 g8f6 f3g1 f6g8 e2e4"),
			    "");
	expect_move(&b, "go depth 1");
	ask(&b, "position fen 7k/8/8/8/8/8/8/KQ6 b - - 99 80 moves h8g8 b1b2");
	assert_string_equal(text_of(&b), "");
	expect_move(&b, "go depth 1");
	/* Past a draw as well a move that is none spoils it all. */
	assert_non_null(strstr(ask(&b, "position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 "
				       "f6g8 e2e5"),
			       "error: move 'e2e5'"));
	assert_non_null(strstr(ask(&b, "go depth 1"), "\nbestmove (none)\n"));
	bench_close(&b);
}

/* ---- A position that is refused ---- */

#define NO_POSITION "info string error: no valid position: "
#define NO_MOVE NO_POSITION "move 'e2e4': not a legal move here\n"

/* No answer is for a position that nobody sent; the next good one ends this. */
static void test_uci__has_no_move_after_a_refused_position(void **state)
{
	(void)state;
	static const struct turn turns[] = {
		{ "position startpos", "" },
		{ "go depth 1", "*\n" },
		{ "position fen 4k3/8/8/8/8/QQQQQQQQ/PPPPPPPP/4K3 w - - 0 1",
		  "info string error: position: White has 17 pieces; at most 16 are allowed\n" },
		{ "go depth 6", NO_POSITION
		  "position: White has 17 pieces; at most 16 are allowed\nbestmove (none)\n" },
		{ "position startpos moves e2e4 e2e4 e7e5",
		  "info string error: move 'e2e4': not a legal move here\n" },
		{ "isready", "readyok\n" },
		{ "go depth 1 searchmoves e2e4", NO_MOVE "bestmove (none)\n" },
		{ "go wtime 1000 btime 1000", NO_MOVE "bestmove (none)\n" },
		{ "go", NO_MOVE "bestmove (none)\n" },
		{ "go perft 3", NO_MOVE },
		{ "stop", "" },
		{ "ponderhit", "" },
		{ "setoption name MultiPV value 2", "" },
		{ "ucinewgame", "" },
		{ "go movetime 5", NO_MOVE "bestmove (none)\n" },
		{ "position fen 7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "" },
		{ "go perft 1", "*\nNodes searched: 26\n" },
		{ "setoption name MultiPV value 1", "" },
		{ "go depth 1", "*\nbestmove f7g7\n" },
		{ 0 },
	};
	transcript("uci", "alphabeta:depth=1,tt=0,sort=0,killers=0,history=0", turns);
}

/* That there is no move waits for the stop or the hit, as any other answer. */
static void test_uci__holds_that_there_is_no_position(void **state)
{
	(void)state;
	static const char *const asked[] = { "go infinite", "go ponder wtime 9 btime 9" };
	struct bench b = { 0 };
	bench_open(&b, "uci", "alphabeta:depth=1,tt=0");
	ask(&b, "position startpos moves e2e4 e2e4");
	for (int i = 0; i < 2; i++) {
		b.out.length = 0;
		assert_int_equal(feed(&b, asked[i]), NEXT_THINK);
		assert_string_equal(text_of(&b), NO_MOVE);
		feed(&b, i ? "ponderhit" : "stop");
		finish(&b, NEXT_THINK);
		assert_string_equal(text_of(&b), NO_MOVE "bestmove (none)\n");
	}
	/* A refusal while it thinks is for what comes after it. */
	b.out.length = 0;
	ask(&b, "position startpos");
	assert_int_equal(feed(&b, "go infinite"), NEXT_THINK);
	feed(&b, "position startpos moves e2e4 e2e4");
	feed(&b, "go depth 1");
	feed(&b, "position startpos moves e2e4");
	feed(&b, "go depth 1 searchmoves c7c5");
	feed(&b, "stop");
	finish(&b, NEXT_THINK);
	const char *none = strstr(text_of(&b), NO_MOVE "bestmove (none)\n");
	assert_non_null(none);
	assert_true(strstr(b.out.data, "bestmove ") < none);
	assert_non_null(strstr(none, "\nbestmove c7c5"));
	bench_close(&b);
}

/* A line that cannot be read may have been a position. */
static void test_uci__has_no_move_after_a_line_that_is_lost(void **state)
{
	(void)state;
	struct bench b = { 0 };
	struct string later = { .allocator = &mem_malloc };
	bench_open(&b, "uci", "alphabeta:depth=1,tt=0");
	ask(&b, "position startpos");
	connection_line_too_long(b.connection, &b.out);
	assert_string_equal(text_of(&b), "");
	assert_string_equal(ask(&b, "go depth 1"),
			    NO_POSITION "the line is too long\nbestmove (none)\n");
	assert_string_equal(ask(&b, "position startpos"), "");
	expect_move(&b, "go depth 1");
	assert_string_equal(ask(&b, "position fen 7k/5Q2/6K1/8/\x07/8/8/8 w - - 0 1"), "");
	assert_string_equal(ask(&b, "go depth 1"),
			    NO_POSITION "the line holds control characters\nbestmove (none)\n");
	/* Lost while it thinks, behind a good one that waits. */
	ask(&b, "position startpos");
	assert_int_equal(feed(&b, "go infinite"), NEXT_THINK);
	feed(&b, "position startpos moves e2e4");
	connection_line_too_long(b.connection, &b.out);
	feed(&b, "go depth 1");
	feed(&b, "stop");
	finish(&b, NEXT_THINK);
	assert_non_null(strstr(text_of(&b), NO_POSITION));
	assert_string_equal(b.out.data + b.out.length - 17, "\nbestmove (none)\n");
	/* So many lines wait that a position finds no room. */
	ask(&b, "position startpos");
	b.out.length = 0;
	string_addf(&later, "setoption name %0*d", 1000000, 0);
	assert_int_equal(feed(&b, "go infinite"), NEXT_THINK);
	for (int i = 0; i < 4; i++)
		feed(&b, later.data);
	assert_string_equal(text_of(&b), "");
	later.length = 0;
	string_addf(&later, "position startpos moves %0*d", 200000, 0);
	feed(&b, later.data);
	assert_non_null(strstr(text_of(&b), "too much to do later"));
	feed(&b, "go depth 1");
	feed(&b, "stop");
	finish(&b, NEXT_THINK);
	assert_string_equal(b.out.data + b.out.length - 17, "\nbestmove (none)\n");
	string_release(&later);
	bench_close(&b);
}

/* What others play is played. */
static void test_uci__plays_odd_armies(void **state)
{
	(void)state;
	struct bench b = { 0 };
	bench_open(&b, "uci", NULL);
	for (int i = 0; i < ODD_ARMIES; i++) {
		char line[128];
		snprintf(line, sizeof line, "position fen %s", odd_armies[i]);
		assert_string_equal(ask(&b, line), "");
		expect_move(&b, "go nodes 2000");
	}
	bench_close(&b);
}

/* A game of thousands of moves comes in one line. */
static void test_uci__a_long_game(void **state)
{
	(void)state;
	struct bench b = { 0 };
	struct string line = { .allocator = &mem_malloc };
	bench_open(&b, "uci", "alphabeta:depth=1,tt=0");
	string_addf(&line, "position startpos moves");
	for (int i = 0; i < 1000; i++)
		string_addf(&line, " g1f3 g8f6 f3g1 f6g8");
	string_addf(&line, " e2e4");
	assert_string_equal(ask(&b, line.data), "");
	assert_non_null(strstr(ask(&b, "go depth 1 searchmoves e7e5"), "bestmove e7e5"));
	string_release(&line);
	bench_close(&b);
}

/* Lines that come while it thinks: some are taken at once, the others after the answer. */
static void test_uci__lines_wait_for_the_answer(void **state)
{
	(void)state;
	struct bench b = { 0 };
	bench_open(&b, "uci", "alphabeta:depth=1,tt=0");
	assert_int_equal(feed(&b, "go infinite"), NEXT_THINK);
	assert_int_equal(feed(&b, "isready"), NEXT_LINE);
	assert_string_equal(text_of(&b), "readyok\n");
	feed(&b, "position fen 7k/5Q2/6K1/8/8/8/8/8 w - - 0 1");
	feed(&b, "isready"); /* the search has not been stopped: it need not wait for its end */
	assert_string_equal(text_of(&b), "readyok\nreadyok\n");
	feed(&b, "stop");
	feed(&b, "go depth 1");
	feed(&b, "isready");
	assert_string_equal(text_of(&b), "readyok\nreadyok\n");
	finish(&b, NEXT_THINK);
	const char *second = strstr(strstr(text_of(&b), "bestmove ") + 1, "bestmove f7g7");
	assert_non_null(second);
	assert_string_equal(strchr(second, '\n'), "\nreadyok\n");
	/* At the end everything that was begun is answered. */
	b.out.length = 0;
	assert_int_equal(feed(&b, "go infinite"), NEXT_THINK);
	feed(&b, "go infinite");
	assert_int_equal(feed(&b, "quit"), NEXT_QUIT);
	finish(&b, NEXT_THINK);
	assert_non_null(strstr(strstr(text_of(&b), "bestmove ") + 1, "bestmove "));
	bench_close(&b);
}

/* All at once: each stop and each hit is for the search before it, though that waits for its turn.
 */
static void test_uci__stops_what_waits(void **state)
{
	(void)state;
	static const char *const lines[] = { "stop",
					     "position startpos moves e2e4",
					     "go infinite",
					     "stop",
					     "go ponder wtime 9 btime 9",
					     "ponderhit",
					     "go depth 1",
					     "position startpos",
					     "go infinite",
					     "stop",
					     "isready" };
	struct bench b = { 0 };
	bench_open(&b, "uci", "alphabeta:depth=1,tt=0");
	assert_int_equal(feed(&b, "go infinite"), NEXT_THINK);
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		assert_int_equal(feed(&b, lines[i]), NEXT_LINE);
	finish(&b, NEXT_THINK);
	int count = 0;
	for (const char *at = text_of(&b); (at = strstr(at, "bestmove ")); at++)
		count++;
	assert_int_equal(count, 5);
	assert_string_equal(b.out.data + b.out.length - 9, "\nreadyok\n");
	bench_close(&b);
}

static void *hit_soon(void *ctx)
{
	const struct timespec moment = { 0, 20000000 };
	struct bench *b = ctx;
	char line[] = "ponderhit";
	struct string out = { .allocator = &mem_malloc };
	nanosleep(&moment, NULL);
	connection_line(b->connection, line, strlen(line), &out);
	string_release(&out);
	return NULL;
}

/* Known at once, and still held back until the opponent has moved. */
static void test_uci__holds_its_move_while_it_ponders(void **state)
{
	(void)state;
	struct bench b = { 0 };
	pthread_t other;
	bench_open(&b, "uci", "alphabeta:depth=1,tt=0");
	assert_int_equal(feed(&b, "go ponder wtime 60000 btime 60000"), NEXT_THINK);
	assert_int_equal(pthread_create(&other, NULL, hit_soon, &b), 0);
	finish(&b, NEXT_THINK);
	pthread_join(other, NULL);
	assert_non_null(strstr(text_of(&b), "bestmove "));
	bench_close(&b);
}

/* Who is weaker sees less; what is out of bounds changes nothing. */
static void test_uci__limits_its_strength(void **state)
{
	(void)state;
	struct bench b = { 0 };
	int64_t least, most, usual;
	bench_open(&b, "uci", NULL);
	const char *hello = ask(&b, "uci");
	assert_non_null(
		strstr(hello, "\noption name UCI_LimitStrength type check default false\n"));
	const char *elo = strstr(hello, "\noption name UCI_Elo type spin default ");
	assert_non_null(elo);
	assert_int_equal(
		sscanf(elo + 38, "%" SCNd64 " min %" SCNd64 " max %" SCNd64, &usual, &least, &most),
		3);
	assert_true(least < usual && usual < most);
	uint64_t before = 0;
	assert_string_equal(ask(&b, "setoption name UCI_LimitStrength value true"), "");
	for (int64_t rating = least; rating <= most; rating += 50) {
		char line[64];
		snprintf(line, sizeof line, "setoption name UCI_Elo value %" PRId64, rating);
		assert_string_equal(ask(&b, line), "");
		ask(&b, "position startpos moves e2e4 d7d5 e4d5 d8d5 b1c3");
		const char *said = ask(&b, "go wtime 900000 btime 900000"), *at = said,
			   *nodes = said;
		while ((at = strstr(at + 1, " nodes ")))
			nodes = at;
		const uint64_t made = strtoull(nodes + 7, NULL, 10);
		/* Below, only the choice between moves changes; from some rating up, the nodes do.
		 */
		assert_true(made >= before);
		assert_true(made > 0 && made < 1000000);
		before = made > 2000 ? made : 0;
		assert_non_null(strstr(said, "\nbestmove "));
	}
	assert_true(before > 0);
	assert_non_null(
		strstr(ask(&b, "setoption name UCI_Elo value 99"), "is not a whole number from"));
	assert_non_null(
		strstr(ask(&b, "setoption name UCI_Elo value strong"), "info string error: "));
	assert_non_null(strstr(ask(&b, "setoption name UCI_LimitStrength"), "info string error: "));
	/* It goes before the player, until it is off again. */
	ask(&b, "setoption name Player value alphabeta:depth=1,tt=0");
	assert_non_null(strstr(ask(&b, "go depth 3"), "info depth 3 "));
	ask(&b, "setoption name UCI_LimitStrength value false");
	assert_null(strstr(ask(&b, "go depth 3"), "info depth 2 "));
	bench_close(&b);
}

/* Below the best, among moves that are near it: other seeds play other moves. */
static void test_uci__errs_where_it_is_weak(void **state)
{
	(void)state;
	struct bench b = { 0 };
	bench_open(&b, "uci", NULL);
	ask(&b, "setoption name UCI_LimitStrength value true");
	ask(&b, "setoption name UCI_Elo value 1100");
	char first[8] = "", other[8];
	int differ = 0;
	for (int i = 0; i < 20; i++) {
		const char *best = strstr(ask(&b, "go movetime 1000"), "bestmove ");
		assert_int_equal(sscanf(best, "bestmove %7s", i ? other : first), 1);
		differ += i && strcmp(first, other) != 0;
	}
	assert_true(differ > 0);
	bench_close(&b);
}

/* As Stockfish says it. */
static void test_uci__counts_leaves(void **state)
{
	(void)state;
	struct bench b = { 0 };
	bench_open(&b, "uci", NULL);
	assert_non_null(strstr(ask(&b, "go perft 3"), "\nNodes searched: 8902\n"));
	assert_non_null(strstr(b.out.data, "e2e4: 600\n"));
	assert_null(strstr(b.out.data, "bestmove"));
	ask(&b, "position fen 7k/5Q2/6K1/8/8/8/8/8 w - - 0 1");
	assert_non_null(strstr(ask(&b, "go perft 1"), "f7g7: 1\n"));
	assert_non_null(strstr(ask(&b, "go perft 0"), "\nNodes searched: "));
	/* Where the game is over, too: it counts beyond draws. */
	ask(&b, "position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
	assert_string_equal(ask(&b, "go perft 2"), "\nNodes searched: 0\n");
	ask(&b, "position fen 7k/8/6K1/8/8/8/8/8 b - - 0 1");
	assert_string_equal(ask(&b, "go perft 1"), "h8g8: 1\n\nNodes searched: 1\n");
	ask(&b, "position startpos");
	b.stop_first = true;
	assert_string_equal(ask(&b, "go perft 9"), "info string error: perft: stopped\n");
	b.stop_first = false;
	expect_move(&b, "go depth 1");
	bench_close(&b);
}

/* Where the game has ended nothing is thought about, and still the answer waits for the stop. */
static void test_uci__holds_that_there_is_no_move(void **state)
{
	(void)state;
	static const char *const asked[] = { "go infinite", "go ponder wtime 9 btime 9" };
	struct bench b = { 0 };
	bench_open(&b, "uci", "alphabeta:depth=1,tt=0");
	ask(&b, "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
	for (int i = 0; i < 2; i++) {
		b.out.length = 0;
		assert_int_equal(feed(&b, asked[i]), NEXT_THINK);
		feed(&b, "isready");
		assert_string_equal(text_of(&b), "info depth 0 score cp 0\nreadyok\n");
		feed(&b, i ? "ponderhit" : "stop");
		finish(&b, NEXT_THINK);
		assert_string_equal(text_of(&b),
				    "info depth 0 score cp 0\nreadyok\nbestmove (none)\n");
	}
	bench_close(&b);
}

/* ---- What is told of a search ---- */

/* An info line with a score: its depth, value and bound (1, -1 or 0). */
struct told {
	int depth, value, bound;
};

/* The next such line; NULL: there is none. */
static const char *next_told(const char *text, struct told *out)
{
	for (; *text; text = strchr(text, '\n') + 1) {
		const char *score = strstr(text, " score cp "), *end = strchr(text, '\n');
		if (!score || score > end || sscanf(text, "info depth %d", &out->depth) != 1)
			continue;
		const char *low = strstr(text, " lowerbound "),
			   *high = strstr(text, " upperbound ");
		out->value = atoi(score + 10);
		out->bound = low && low < end ? 1 : high && high < end ? -1 : 0;
		return end + 1;
	}
	return NULL;
}

/* Bounds are bounds: where nothing is guessed about, the value of the same depth is beyond them. */
static void test_uci__tells_bounds(void **state)
{
	(void)state;
	struct bench b = { 0 };
	struct told told, low = { 0 }, high = { 0 };
	int lows = 0, highs = 0;
	bench_open(&b, "uci", "negascout:window=4,tt=0,depth=4");
	static const char *const places[] = {
		"position startpos", "position startpos moves e2e4 d7d5 e4d5 d8d5 b1c3",
		"position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
	};
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		assert_string_equal(ask(&b, places[i]), "");
		const char *at = ask(&b, "go depth 4");
		while ((at = next_told(at, &told))) {
			if (told.bound) {
				*(told.bound > 0 ? &low : &high) = told;
				lows += told.bound > 0;
				highs += told.bound < 0;
				continue;
			}
			assert_true(low.depth != told.depth || low.value <= told.value);
			assert_true(high.depth != told.depth || high.value >= told.value);
			low = high = (struct told){ 0 };
		}
	}
	assert_true(lows > 0 && highs > 0);
	bench_close(&b);
}

/* Wherever the search ends, what it says last is no bound. */
static void test_uci__ends_with_a_value(void **state)
{
	(void)state;
	struct bench b = { 0 };
	struct told told = { 0 };
	int bounds = 0;
	bench_open(&b, "uci", "selective:window=2,tt=1");
	ask(&b, "position startpos moves e2e4 d7d5 e4d5 d8d5 b1c3");
	for (int nodes = 100; nodes < 4000; nodes += 177) {
		char line[32];
		snprintf(line, sizeof line, "go nodes %d", nodes);
		const char *at = ask(&b, line);
		while ((at = next_told(at, &told)))
			bounds += told.bound != 0;
		assert_int_equal(told.bound, 0);
	}
	assert_true(bounds > 10);
	bench_close(&b);
}

/* Each move once in a pass, counted from 1; in a short search nothing of it. */
static void test_uci__tells_which_move_it_is_at(void **state)
{
	(void)state;
	struct bench b = { .moves_after_us = -1 };
	bench_open(&b, "uci", "alphabeta:depth=2,tt=0");
	const char *at = ask(&b, "go depth 2");
	for (int depth = 1; depth <= 2; depth++) {
		char seen[20][8] = { "" };
		for (int n = 1; n <= 20; n++) {
			int said_depth, said_n;
			at = strstr(at, " currmove ");
			assert_non_null(at);
			while (at > b.out.data && at[-1] != '\n')
				at--;
			assert_int_equal(sscanf(at,
						"info depth %d currmove %7s currmovenumber %d\n",
						&said_depth, seen[n - 1], &said_n),
					 3);
			at = strchr(at, '\n');
			assert_int_equal(said_depth, depth);
			assert_int_equal(said_n, n);
			for (int i = 0; i < n - 1; i++)
				assert_string_not_equal(seen[i], seen[n - 1]);
		}
	}
	assert_null(strstr(at, "currmove"));
	/* Of several lines, each one with the moves that are left; they are counted on. */
	ask(&b, "setoption name MultiPV value 2");
	const char *lines = ask(&b, "go depth 2");
	for (int depth = 1; depth <= 2; depth++)
		for (int line = 1; line <= 2; line++)
			for (int n = line; n <= 20; n++) {
				int said_depth, said_n;
				lines = strstr(lines, "info depth ");
				while (strncmp(strchr(lines + 11, ' '), " currmove ", 10) != 0)
					lines = strstr(lines + 1, "info depth ");
				assert_int_equal(
					sscanf(lines,
					       "info depth %d currmove %*s currmovenumber %d",
					       &said_depth, &said_n),
					2);
				assert_int_equal(said_depth, depth);
				assert_int_equal(said_n, n);
				lines++;
			}
	bench_close(&b);
	b = (struct bench){ 0 };
	bench_open(&b, "uci", "alphabeta:depth=2,tt=0");
	assert_null(strstr(ask(&b, "go depth 2"), "currmove"));
	bench_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_uci__a_game),
		cmocka_unit_test(test_uci__says_who_it_is),
		cmocka_unit_test(test_uci__options),
		cmocka_unit_test(test_uci__chess960),
		cmocka_unit_test(test_uci__variants),
		cmocka_unit_test(test_uci__shows_wins_draws_and_losses),
		cmocka_unit_test(test_uci__limits_of_every_kind),
		cmocka_unit_test(test_uci__several_lines),
		cmocka_unit_test(test_uci__goes_on_after_a_draw),
		cmocka_unit_test(test_uci__has_no_move_after_a_refused_position),
		cmocka_unit_test(test_uci__holds_that_there_is_no_position),
		cmocka_unit_test(test_uci__has_no_move_after_a_line_that_is_lost),
		cmocka_unit_test(test_uci__plays_odd_armies),
		cmocka_unit_test(test_uci__a_long_game),
		cmocka_unit_test(test_uci__lines_wait_for_the_answer),
		cmocka_unit_test(test_uci__stops_what_waits),
		cmocka_unit_test(test_uci__holds_its_move_while_it_ponders),
		cmocka_unit_test(test_uci__holds_that_there_is_no_move),
		cmocka_unit_test(test_uci__limits_its_strength),
		cmocka_unit_test(test_uci__errs_where_it_is_weak),
		cmocka_unit_test(test_uci__counts_leaves),
		cmocka_unit_test(test_uci__tells_bounds),
		cmocka_unit_test(test_uci__ends_with_a_value),
		cmocka_unit_test(test_uci__tells_which_move_it_is_at),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
