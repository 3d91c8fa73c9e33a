/*
 * wire_chess.c - XBoard as a pure object: transcripts of the engine's side; and what must hold for
 * it and for UCI.
 * SPDX-License-Identifier: MIT
 */
#include "support/meter.h"
#include "support/wire_bench.h"

static void begins(const char *text, const char *with)
{
	if (strncmp(text, with, strlen(with)) != 0)
		fail_msg("'%s' does not begin with '%s'", text, with);
}

static const char plain[] = "alphabeta:depth=1,tt=0,sort=0,killers=0,history=0";

static void test_xboard__a_game(void **state)
{
	(void)state;
	static const struct turn turns[] = {
		{ "xboard", "" },
		{ "protover 1", "" },
		{ "accepted ping", "" },
		{ "rejected name", "" },
		{ "new", "" },
		{ "random", "" },
		{ "level 40 5 0", "" },
		{ "level 0 0:30 1.5", "" },
		{ "post", "" },
		{ "nopost", "" },
		{ "easy", "" },
		{ "time 3000", "" },
		{ "otim 3000", "" },
		{ "ping 1", "pong 1\n" },
		{ "force", "" },
		{ "usermove e2e4", "" },
		{ "usermove e2e4", "Illegal move: e2e4\n" },
		{ "usermove", "Illegal move: \n" },
		{ "e7e5", "" },
		{ "e5e4", "Illegal move: e5e4\n" },
		{ "Nf3", "" },
		{ "undo", "" },
		{ "remove", "" },
		{ "undo", "Error (nothing to take back): undo\n" },
		{ "remove", "Error (nothing to take back): remove\n" },
		{ "setboard 7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "" },
		{ "go", "move f7g7\n1-0 {White mates}\n" },
		{ "usermove h8g8", "Illegal move (the game has ended): h8g8\n" },
		{ "go", "" },
		{ "result 1-0 {White mates}", "" },
		{ "force", "" },
		{ "setboard 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "" },
		{ "setboard nonsense", "*\n" },
		{ "setboard 4k3/8/8/8/8/QQQQQQQQ/PPPPPPPP/4K3 w - - 0 1",
		  "tellusererror Illegal position: position: White has 17 pieces; at most 16 are "
		  "allowed\n" },
		{ "setboard 4k3/8/8/8/8/QQ6/PPPPPPPP/4K3 w - - 0 1", "" },
		{ "setboard rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/QNBQKBNQ w kq - 0 1", "" },
		{ "setboard 4k3/pppppppp/8/8/8/8/PPPPPPPP/1NNNKNN1 w - - 0 1", "" },
		{ "setboard", "Error (bad argument): setboard\n" },
		{ "new", "" },
		{ "force", "" },
		{ "setboard 8/8/8/8/8/7k/8/r6K b - - 0 1", "*\n" },
		{ "hint", "" },
		{ "bk", " There is no book.\n\n" },
		{ "draw", "" },
		{ "?", "" },
		{ ".", "" },
		{ "hello", "Error (unknown command): hello\n" },
		{ "variant normal", "" },
		{ "variant bughouse", "Error (unsupported variant): bughouse\n" },
		{ "memory 1", "" },
		{ "memory much", "Error (bad argument): memory\n" },
		{ "cores 1", "" },
		{ "cores 0", "Error (bad argument): cores\n" },
		{ "egtpath nalimov /none", "" },
		{ "option MultiPV=2", "" },
		{ "option MultiPV=0",
		  "Error (option): MultiPV: '0' is not a whole number from 1 to "
		  "256\n" },
		{ "option MultiPV=1", "" },
		{ "option Clear Hash", "" },
		{ "option Nothing=1", "Error (no such option): Nothing\n" },
		{ "st 0.1", "" },
		{ "st soon", "Error (bad argument): st\n" },
		{ "sd 1", "" },
		{ "sd deep", "Error (bad argument): sd\n" },
		{ "level", "Error (bad argument): level\n" },
		{ "level 40 5:", "Error (bad argument): level\n" },
		{ "level 40 5 x", "Error (bad argument): level\n" },
		{ "time x", "Error (bad argument): time\n" },
		{ "otim", "Error (bad argument): otim\n" },
		{ "protover", "Error (bad argument): protover\n" },
		{ "name somebody", "" },
		{ "rating 1 2", "" },
		{ "computer", "" },
		{ "ics -", "" },
		{ "nps 0", "" },
		{ "", "" },
		{ 0 },
	};
	transcript("xboard", plain, turns);
}

static void test_xboard__says_what_it_can(void **state)
{
	(void)state;
	struct bench b = { 0 };
	bench_open(&b, "xboard", NULL);
	const char *features = ask(&b, "protover 2");
	begins(features, "feature done=0\n");
	static const char *const said[] = { " ping=1 ",
					    " setboard=1 ",
					    " usermove=1 ",
					    " sigint=0 ",
					    " variants=\"normal,fischerandom\"\n",
					    " memory=1 ",
					    " smp=1 ",
					    "option=\"MultiPV -spin 1 1 256\"\n",
					    "option=\"ClearHash -button\"\n",
					    "option=\"MoveOverhead -spin 30 0 10000\"\n" };
	for (size_t i = 0; i < sizeof said / sizeof *said; i++)
		if (!strstr(features, said[i]))
			fail_msg("%s", said[i]);
	assert_string_equal(features + strlen(features) - 15, "feature done=1\n");
	bench_close(&b);
}

/* After its own move and after the opponent's; the result is said once. */
static void test_xboard__plays_and_ends(void **state)
{
	(void)state;
	struct bench b = { 0 };
	bench_open(&b, "xboard", plain);
	ask(&b, "new");
	ask(&b, "sd 1");
	begins(ask(&b, "usermove e2e4"), "move ");
	ask(&b, "force");
	ask(&b, "setboard 7k/5Q2/6K1/8/8/8/8/8 w - - 0 1");
	ask(&b, "playother");
	assert_string_equal(ask(&b, "usermove f7g7"), "1-0 {White mates}\n");
	ask(&b, "force");
	ask(&b, "setboard 7k/8/6K1/8/8/8/8/5Q2 w - - 0 1");
	ask(&b, "playother");
	assert_string_equal(ask(&b, "usermove f1f7"), "1/2-1/2 {Draw by rule}\n");
	ask(&b, "new");
	ask(&b, "post");
	assert_non_null(strstr(ask(&b, "usermove d2d4"), "\t"));
	ask(&b, "new");
	ask(&b, "force");
	static const char *const shuffle[] = { "g1f3", "g8f6", "f3g1", "f6g8",
					       "g1f3", "g8f6", "f3g1" };
	for (size_t i = 0; i < sizeof shuffle / sizeof *shuffle; i++)
		assert_string_equal(ask(&b, shuffle[i]), "");
	ask(&b, "white");
	ask(&b, "black");
	assert_string_equal(ask(&b, "f6g8"), "");
	bench_close(&b);
}

static void test_xboard__edits_positions(void **state)
{
	(void)state;
	static const struct turn turns[] = {
		{ "force", "" },
		{ "edit", "" },
		{ "#", "" },
		{ "Kg6", "" },
		{ "Qf7", "" },
		{ "Pa1", "" },
		{ "xa1", "" },
		{ "c", "" },
		{ "Kh8", "" },
		{ "Zh8", "Error (no such "
			 "man or square): Zh8\n" },
		{ "Kz9", "Error (no such man or square): Kz9\n" },
		{ ".", "" },
		{ "go", "move f7g7\n1-0 {White mates}\n" },
		{ "new", "" },
		{ "force", "" },
		{ "edit", "" },
		{ "xd1", "" },
		{ ".", "" },
		{ "d1d2", "Illegal move: d1d2\n" },
		{ "edit", "" },
		{ "#", "" },
		{ ".", "*\n" },
		{ "e2e4", "" },
		{ "black", "" },
		{ "edit", "" },
		{ ".", "" },
		{ "e7e5", "" },
		{ "black", "" },
		{ "white", "" },
		{ "d2d4", "" },
		{ 0 },
	};
	transcript("xboard", plain, turns);
}

static void test_xboard__breaks_off_what_is_not_wanted(void **state)
{
	(void)state;
	struct bench b = { 0 };
	bench_open(&b, "xboard", plain);
	ask(&b, "new");
	/* A move that is thought about comes to nothing if the game is taken away. */
	b.out.length = 0;
	assert_int_equal(feed(&b, "usermove e2e4"), NEXT_THINK);
	feed(&b, "ping 3");
	feed(&b, "force");
	feed(&b, "undo");
	feed(&b, "usermove d2d4");
	feed(&b, "post");
	finish(&b, NEXT_THINK);
	assert_string_equal(text_of(&b), "pong 3\n");
	assert_string_equal(ask(&b, "usermove d7d5"), "");
	/* ... and one that is wanted now comes before the pong. */
	b.out.length = 0;
	ask(&b, "nopost");
	assert_int_equal(feed(&b, "go"), NEXT_THINK);
	feed(&b, "ping 4");
	feed(&b, "?");
	finish(&b, NEXT_THINK);
	const char *move = strstr(text_of(&b), "move ");
	assert_non_null(move);
	assert_string_equal(strchr(move, '\n'), "\npong 4\n");
	/* Lines that wait for the end of an analysis are taken as if each had come in its time. */
	ask(&b, "new");
	assert_int_equal(feed(&b, "analyze"), NEXT_THINK);
	static const char *const waiting[] = { "exit", "go", "?", "ping 5", "playother", "ping 6" };
	b.out.length = 0;
	for (size_t i = 0; i < sizeof waiting / sizeof *waiting; i++)
		assert_int_equal(feed(&b, waiting[i]), NEXT_LINE);
	finish(&b, NEXT_THINK);
	char said[8];
	int length = 0;
	assert_int_equal(sscanf(text_of(&b), "move %7s\n%n", said, &length), 1);
	assert_string_equal(b.out.data + length, "pong 5\npong 6\n");
	/* ... and a move that comes to nothing is not begun. */
	assert_int_equal(feed(&b, "analyze"), NEXT_THINK);
	b.out.length = 0;
	feed(&b, "exit");
	feed(&b, "go");
	feed(&b, "force");
	feed(&b, "ping 7");
	finish(&b, NEXT_THINK);
	assert_string_equal(text_of(&b), "pong 7\n");
	/* A user's move with a ping behind it. */
	b.out.length = 0;
	feed(&b, "force");
	ask(&b, "new");
	assert_int_equal(feed(&b, "usermove e2e4"), NEXT_THINK);
	assert_int_equal(feed(&b, "quit"), NEXT_QUIT);
	b.out.length = 0;
	finish(&b, NEXT_THINK);
	assert_string_equal(text_of(&b), "");
	bench_close(&b);
}

/* Each move is hurried by what comes after it; else this takes minutes. */
static void test_xboard__hurries_each_move(void **state)
{
	(void)state;
	static const char *const lines[] = { "?", "ping 8", "usermove d2d4", "?", "ping 9" };
	struct bench b = { 0 };
	bench_open(&b, "xboard", "alphabeta:tt=0");
	ask(&b, "new");
	ask(&b, "st 100");
	assert_int_equal(feed(&b, "usermove e2e4"), NEXT_THINK);
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		assert_int_equal(feed(&b, lines[i]), NEXT_LINE);
	finish(&b, NEXT_THINK);
	begins(text_of(&b), "move ");
	assert_non_null(strstr(strstr(b.out.data, "\npong 8\nmove "), "\npong 9\n"));
	bench_close(&b);
}

static void test_xboard__analyses(void **state)
{
	(void)state;
	struct bench b = { 0 };
	bench_open(&b, "xboard", plain);
	ask(&b, "new");
	ask(&b, "post");
	assert_int_equal(feed(&b, "analyze"), NEXT_THINK);
	feed(&b, ".");
	assert_string_equal(text_of(&b), "stat01: 0 0 0 20 20\n");
	feed(&b, "ping 1"); /* nothing is owed */
	assert_non_null(strstr(text_of(&b), "pong 1\n"));
	feed(&b, "usermove e2e4");
	feed(&b, "exclude e7e5");
	feed(&b, "exclude e7e9");
	feed(&b, "include e7e5");
	feed(&b, "exclude all");
	feed(&b, "include d7d5");
	b.out.length = 0;
	connection_think(b.connection, collect, &b);
	assert_int_equal(connection_answer(b.connection, &b.out),
			 NEXT_THINK); /* it goes on by itself */
	assert_non_null(strstr(text_of(&b), "Illegal move: e7e9\n"));
	feed(&b, "exit");
	b.out.length = 0;
	connection_think(b.connection, collect, &b);
	assert_int_equal(connection_answer(b.connection, &b.out), NEXT_LINE);
	assert_non_null(strstr(text_of(&b), "\td7d5"));
	assert_null(strstr(b.out.data, "move "));
	assert_string_equal(ask(&b, "usermove e7e5"), "");
	bench_close(&b);
}

/* One line with the score of what cannot change; once for each position. */
static void test_xboard__analyses_the_end(void **state)
{
	(void)state;
	static const struct turn turns[] = {
		{ "post", "" },
		{ "force", "" },
		{ "setboard 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "" },
		{ "analyze", "100 -100000 0 0\t\n" },
		{ "ping 1", "pong 1\n" },
		{ ".", "" },
		{ "setboard 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "100 0 0 0\t\n" },
		{ "setboard 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "100 -100000 0 0\t\n" },
		{ "nopost", "" },
		{ "setboard 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "" },
		{ 0 },
	};
	transcript("xboard", plain, turns);
}

/* Castling is O-O in both directions; `new` is chess again. Option names go without blanks. */
static void test_xboard__fischerandom(void **state)
{
	(void)state;
	static const struct turn turns[] = {
		{ "variant fischerandom", "" },
		{ "force", "" },
		{ "setboard 4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1", "" },
		{ "usermove O-O-O", "" },
		{ "undo", "" },
		{ "usermove f1g1", "" },
		{ "setboard r2k3r/8/8/8/8/8/P2ppppp/KR6 b kq - 0 1", "" },
		{ "exclude all", "" },
		{ "include O-O", "" },
		{ "new", "" },
		{ "force", "" },
		{ "setboard 4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1", "*\n" },
		{ "variant normal", "" },
		{ "variant losers", "Error (unsupported variant): losers\n" },
		{ "option MoveOverhead=50", "" },
		{ "option move overhead=40", "" },
		{ "option UCI_Variant=reversi", "Error (no such option): UCI_Variant\n" },
		{ 0 },
	};
	struct bench b = { 0 };
	transcript("xboard", plain, turns);
	bench_open(&b, "xboard", plain);
	ask(&b, "variant fischerandom");
	ask(&b, "force");
	ask(&b, "sd 3");
	/* The king does not move, and the rook mates where it could not go by itself. */
	ask(&b, "setboard 4rkr1/4p1p1/8/8/8/8/8/6KR w H - 0 1");
	assert_string_equal(ask(&b, "go"), "move O-O\n1-0 {White mates}\n");
	bench_close(&b);
}

/* A new game is analysed too, and an analysis has a hint. */
static void test_xboard__goes_on_analysing(void **state)
{
	(void)state;
	struct bench b = { 0 };
	bench_open(&b, "xboard", plain);
	ask(&b, "usermove e2e4");
	assert_int_equal(feed(&b, "analyze"), NEXT_THINK);
	feed(&b, "new");
	connection_think(b.connection, collect, &b);
	assert_int_equal(connection_answer(b.connection, &b.out), NEXT_THINK);
	connection_stop(b.connection);
	connection_think(b.connection, collect, &b);
	b.out.length = 0;
	feed(&b, "hint");
	begins(text_of(&b), "Hint: ");
	assert_non_null(strchr("12", b.out.data[7])); /* White's */
	feed(&b, "exit");
	finish(&b, NEXT_THINK);
	b.out.length = 0;
	assert_string_equal(ask(&b, "usermove e2e4"), "");
	bench_close(&b);
}

/* While it is paused it thinks about nothing; then it goes on with what it owes. */
static void test_xboard__pauses(void **state)
{
	(void)state;
	struct bench b = { 0 };
	bench_open(&b, "xboard", plain);
	ask(&b, "new");
	assert_int_equal(feed(&b, "usermove e2e4"), NEXT_THINK);
	feed(&b, "pause");
	finish(&b, NEXT_THINK);
	assert_string_equal(text_of(&b), "");
	assert_string_equal(ask(&b, "ping 1"), "pong 1\n");
	begins(ask(&b, "resume"), "move ");
	/* All in one breath. */
	b.out.length = 0;
	assert_int_equal(feed(&b, "usermove d2d4"), NEXT_THINK);
	feed(&b, "pause");
	feed(&b, "resume");
	feed(&b, "ping 2");
	finish(&b, NEXT_THINK);
	begins(text_of(&b), "move ");
	assert_non_null(strstr(b.out.data, "\npong 2\n"));
	ask(&b, "pause");
	ask(&b, "new");
	begins(ask(&b, "usermove e2e4"), "move ");
	bench_close(&b);
}

/* The moves of the book, as heavy as they are, each line after a blank, and an empty line. */
static void test_xboard__shows_its_book(void **state)
{
	(void)state;
	struct bench b = { 0 };
	bench_open(&b, "xboard", plain);
	assert_string_equal(ask(&b, "bk"), " There is no book.\n\n");
	assert_string_equal(ask(&b, "option BookFile=own:chess"), "");
	const char *said = ask(&b, "bk");
	assert_non_null(strstr(said, " e2e4 "));
	assert_non_null(strstr(said, " %"));
	for (const char *line = said; *line != '\n'; line = strchr(line, '\n') + 1)
		assert_int_equal(*line, ' ');
	assert_string_equal(said + strlen(said) - 2, "\n\n");
	ask(&b, "force");
	ask(&b, "usermove a2a3");
	ask(&b, "usermove h7h6");
	assert_string_equal(ask(&b, "bk"), " The position is not in the book.\n\n");
	bench_close(&b);
}

/* Which bound a score is; where the search has come to. */
static void test_xboard__tells_of_its_search(void **state)
{
	(void)state;
	struct bench b = { 0 };
	bench_open(&b, "xboard", "negascout:window=4,tt=0,depth=4");
	ask(&b, "post");
	const char *said = ask(&b, "go");
	assert_true(strstr(said, " ?\n") || strstr(said, " !\n"));
	ask(&b, "new");
	assert_int_equal(feed(&b, "analyze"), NEXT_THINK);
	connection_stop(b.connection);
	connection_think(b.connection, collect, &b);
	b.out.length = 0;
	feed(&b, ".");
	int left, all;
	char move[8];
	assert_int_equal(sscanf(text_of(&b), "stat01: 0 %*u %*d %d %d %7s\n", &left, &all, move),
			 3);
	assert_int_equal(all, 20);
	assert_in_range(left, 0, 19);
	feed(&b, "exit");
	finish(&b, NEXT_THINK);
	bench_close(&b);
}

/* On the opponent's time: a hit is answered from there, another move begins anew. */
static void test_xboard__ponders(void **state)
{
	(void)state;
	struct bench b = { 0 };
	bench_open(&b, "xboard", "alphabeta:depth=2,tt=0");
	ask(&b, "new");
	ask(&b, "sd 2");
	ask(&b, "hard");
	b.out.length = 0;
	assert_int_equal(feed(&b, "usermove e2e4"), NEXT_THINK);
	connection_think(b.connection, collect, &b);
	assert_int_equal(connection_answer(b.connection, &b.out), NEXT_THINK);
	b.out.length = 0;
	feed(&b, "hint");
	char hint[16] = "", line[32];
	assert_int_equal(sscanf(text_of(&b), "Hint: %15s", hint), 1);
	b.out.length = 0;
	feed(&b, "time 1000");
	snprintf(line, sizeof line, "usermove %s", hint);
	assert_int_equal(feed(&b, line), NEXT_LINE);
	connection_think(b.connection, collect, &b);
	assert_int_equal(connection_answer(b.connection, &b.out),
			 NEXT_THINK); /* and ponders again */
	begins(text_of(&b), "move ");
	feed(&b, "hint");
	assert_int_equal(sscanf(strstr(text_of(&b), "Hint"), "Hint: %15s", hint), 1);
	b.out.length = 0;
	feed(&b, strcmp(hint, "a2a3") ? "usermove a2a3" : "usermove h2h3");
	connection_think(b.connection, collect, &b);
	assert_int_equal(connection_answer(b.connection, &b.out), NEXT_THINK);
	assert_string_equal(text_of(&b), "");
	connection_think(b.connection, collect, &b);
	assert_int_equal(connection_answer(b.connection, &b.out), NEXT_THINK);
	begins(text_of(&b), "move ");
	feed(&b, "easy");
	finish(&b, NEXT_THINK);
	assert_string_equal(ask(&b, "ping 1"), "pong 1\n");
	bench_close(&b);
}

static void test_chess_protocols__any_bytes(void **state)
{
	(void)state;
	static const char *const protocols[] = { "uci", "xboard" };
	for (int i = 0; i < 2; i++) {
		struct bench b = { 0 };
		bench_open(&b, protocols[i], plain);
		for (int c = 1; c < 256; c++) {
			const char line[] = { 'u', 's', 'e', 'r',     'm', 'o',
					      'v', 'e', ' ', (char)c, 'x', 0 };
			ask(&b, "force");
			ask(&b, line);
			ask(&b, line + 8);
		}
		char nul[] = "ping\0pong";
		b.out.length = 0;
		connection_line(b.connection, nul, 9, &b.out);
		connection_line_too_long(b.connection, &b.out);
		assert_string_equal(text_of(&b), i ? "Error (unknown command): pingpong\n"
						     "Error (the line is too long): ?\n"
						   : "");
		bench_close(&b);
	}
}

/* Each allocation fails once: nothing breaks, and everything is given back. */
static void test_chess_protocols__survive_want_of_memory(void **state)
{
	(void)state;
	static const char *const uci[] = { "uci",
					   "position startpos moves e2e4 e7e5",
					   "isready",
					   "go depth 1",
					   "setoption name Hash value 1",
					   "setoption name MultiPV value 2",
					   "ucinewgame",
					   "go depth 1",
					   "go perft 2",
					   "setoption name UCI_LimitStrength value true",
					   "go depth 1",
					   NULL };
	static const char *const xboard[] = { "protover 2",
					      "new",
					      "hard",
					      "usermove e2e4",
					      "setboard 7k/5Q2/6K1/8/8/8/8/8 w - - 0 1",
					      "force",
					      "undo",
					      "memory 1",
					      "bk",
					      "pause",
					      "go",
					      "resume",
					      "quit",
					      NULL };
	for (int n = 1, failed = 1; failed; n++) {
		failed = 0;
		for (int p = 0; p < 2; p++) {
			struct meter m = meter_make();
			const struct qv_allocator allocator = { meter_resize, &m };
			struct bench b = { .out = { .allocator = &mem_malloc },
					   .stop_first = true };
			meter_arm(&m, n, false);
			b.context = qv_context_new(&allocator);
			const struct connection_setup setup = { .context = b.context,
								.protocol = p ? "xboard" : "uci",
								.game = "chess",
								.player = plain,
								.defaults = { .seed = 1,
									      .threads = 1 },
								.no_times = true };
			if (b.context && connection_new(&setup, &b.connection, NULL) == QV_OK)
				for (const char *const *line = p ? xboard : uci; *line; line++)
					ask(&b, *line);
			failed |= m.failed;
			bench_close(&b);
			assert_int_equal(m.blocks, 0);
			assert_int_equal(m.wrong_sizes, 0);
		}
	}
}

static void test_xboard__is_for_chess(void **state)
{
	(void)state;
	struct qv_context *context = desk_context(NULL);
	struct qv_error error = { "" };
	struct connection *connection = NULL;
	const struct connection_setup setup = { .context = context,
						.protocol = "xboard",
						.game = "noughts",
						.defaults = {
							.seed = 1, .threads = 1, .hash_mb = 1 } };
	assert_int_equal(connection_new(&setup, &connection, &error), QV_UNSUPPORTED);
	assert_non_null(strstr(error.text, "it is for chess"));
	qv_context_free(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_xboard__a_game),
		cmocka_unit_test(test_xboard__says_what_it_can),
		cmocka_unit_test(test_xboard__plays_and_ends),
		cmocka_unit_test(test_xboard__edits_positions),
		cmocka_unit_test(test_xboard__breaks_off_what_is_not_wanted),
		cmocka_unit_test(test_xboard__hurries_each_move),
		cmocka_unit_test(test_xboard__analyses),
		cmocka_unit_test(test_xboard__goes_on_analysing),
		cmocka_unit_test(test_xboard__analyses_the_end),
		cmocka_unit_test(test_xboard__fischerandom),
		cmocka_unit_test(test_xboard__pauses),
		cmocka_unit_test(test_xboard__shows_its_book),
		cmocka_unit_test(test_xboard__tells_of_its_search),
		cmocka_unit_test(test_xboard__ponders),
		cmocka_unit_test(test_chess_protocols__any_bytes),
		cmocka_unit_test(test_chess_protocols__survive_want_of_memory),
		cmocka_unit_test(test_xboard__is_for_chess),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
