/*
 * wire_chess.c - UCI and XBoard as pure objects: transcripts of the engine's sides.
 * SPDX-License-Identifier: MIT
 */
#include "support/check.h"
#include "support/desk.h"
#include "support/meter.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "wire/wire.h"

/* ---- The engine's sides ---- */

struct bench {
	struct qv_context *context;
	struct wire *wire;
	struct string out;
	bool stop_first; /* the stop comes before the thinking has begun */
};

static void collect(void *ctx, const struct string *lines)
{
	struct bench *b = ctx;
	string_add(&b->out, lines->data, lines->length);
}

static void bench_open(struct bench *b, const char *protocol, const char *player)
{
	struct qv_error error = { "" };
	*b = (struct bench){ .context = desk_context(NULL), .out = { .allocator = &mem_malloc } };
	const struct wire_setup setup = { .context = b->context,
					  .protocol = protocol,
					  .game = "chess",
					  .player = player,
					  .defaults = { .seed = 1, .threads = 1, .hash_mb = 1 },
					  .no_times = true };
	if (wire_new(&setup, &b->wire, &error) != QV_OK)
		fail_msg("%s", error.text);
}

static void bench_close(struct bench *b)
{
	wire_free(b->wire);
	string_release(&b->out);
	qv_context_free(b->context);
}

static enum wire_next feed(struct bench *b, const char *bytes)
{
	const size_t length = strlen(bytes);
	char *line = malloc(length + 1);
	memcpy(line, bytes, length + 1);
	const enum wire_next next = wire_line(b->wire, line, length, &b->out);
	free(line);
	return next;
}

static const char *text_of(struct bench *b)
{
	string_add(&b->out, "", 1);
	b->out.length--;
	return b->out.data;
}

/* All tasks that a line begins, to their end. */
static void finish(struct bench *b, enum wire_next next)
{
	while (next == WIRE_THINK) {
		if (b->stop_first)
			wire_stop(b->wire);
		wire_think(b->wire, collect, b);
		next = wire_answer(b->wire, &b->out);
	}
}

/* What a line is answered, thinking included; stands until the next call. */
static const char *ask(struct bench *b, const char *line)
{
	b->out.length = 0;
	finish(b, feed(b, line));
	return text_of(b);
}

struct turn {
	const char *line, *answer;
};

/* An answer that begins with '*' is the end of what is said. */
static void transcript(const char *protocol, const char *player, const struct turn *turns)
{
	struct bench b;
	bench_open(&b, protocol, player);
	for (int i = 0; turns[i].line; i++) {
		const char *answer = ask(&b, turns[i].line), *want = turns[i].answer;
		const size_t all = strlen(answer), part = *want == '*' ? strlen(want + 1) : 0;
		const bool same =
			*want == '*' ? all >= part && strcmp(answer + all - part, want + 1) == 0
				     : strcmp(answer, want) == 0;
		if (!same)
			fail_msg("line %d, '%s': expected '%s', got '%s'", i, turns[i].line, want,
				 answer);
	}
	bench_close(&b);
}

/* ---- UCI ---- */

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
		{ "go infinite", "info depth 0 score cp 0\nbestmove (none)\n" },
		{ "position fen nonsense", "*\n" },
		{ "position", "" },
		{ "position nowhere", "" },
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
		"\noption name BookFile type string default <empty>\n"
	};
	struct bench b;
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
					     "go perft 1 depth 1",
					     "go wtime 99999999999999999999 depth 1",
					     "go depth 99999999999 nodes 200" };
	struct bench b;
	bench_open(&b, "uci", NULL);
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		expect_move(&b, lines[i]);
	assert_non_null(strstr(ask(&b, "go depth 1 searchmoves a2a3"), "\nbestmove a2a3"));
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
	struct bench b;
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
	struct bench b;
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
	/* Up to the first that is no move. */
	assert_non_null(
		strstr(ask(&b, "position startpos moves e2e4 e2e4 e7e5"), "error: move 'e2e4'"));
	assert_non_null(strstr(ask(&b, "go depth 1 searchmoves c7c5"), "bestmove c7c5"));
	bench_close(&b);
}

/* A game of thousands of moves comes in one line. */
static void test_uci__a_long_game(void **state)
{
	(void)state;
	struct bench b;
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
	struct bench b;
	bench_open(&b, "uci", "alphabeta:depth=1,tt=0");
	assert_int_equal(feed(&b, "go infinite"), WIRE_THINK);
	assert_int_equal(feed(&b, "isready"), WIRE_ON);
	assert_string_equal(text_of(&b), "readyok\n");
	feed(&b, "position fen 7k/5Q2/6K1/8/8/8/8/8 w - - 0 1");
	feed(&b, "isready"); /* the search has not been stopped: it need not wait for its end */
	assert_string_equal(text_of(&b), "readyok\nreadyok\n");
	feed(&b, "stop");
	feed(&b, "go depth 1");
	feed(&b, "isready");
	assert_string_equal(text_of(&b), "readyok\nreadyok\n");
	finish(&b, WIRE_THINK);
	const char *second = strstr(strstr(text_of(&b), "bestmove ") + 1, "bestmove f7g7");
	assert_non_null(second);
	assert_string_equal(strchr(second, '\n'), "\nreadyok\n");
	/* At the end everything that was begun is answered. */
	b.out.length = 0;
	assert_int_equal(feed(&b, "go infinite"), WIRE_THINK);
	feed(&b, "go infinite");
	assert_int_equal(feed(&b, "quit"), WIRE_QUIT);
	finish(&b, WIRE_THINK);
	assert_non_null(strstr(strstr(text_of(&b), "bestmove ") + 1, "bestmove "));
	bench_close(&b);
}

static void *hit_soon(void *ctx)
{
	const struct timespec moment = { 0, 20000000 };
	struct bench *b = ctx;
	char line[] = "ponderhit";
	struct string out = { .allocator = &mem_malloc };
	nanosleep(&moment, NULL);
	wire_line(b->wire, line, strlen(line), &out);
	string_release(&out);
	return NULL;
}

/* Known at once, and still held back until the opponent has moved. */
static void test_uci__holds_its_move_while_it_ponders(void **state)
{
	(void)state;
	struct bench b;
	pthread_t other;
	bench_open(&b, "uci", "alphabeta:depth=1,tt=0");
	assert_int_equal(feed(&b, "go ponder wtime 60000 btime 60000"), WIRE_THINK);
	assert_int_equal(pthread_create(&other, NULL, hit_soon, &b), 0);
	finish(&b, WIRE_THINK);
	pthread_join(other, NULL);
	assert_non_null(strstr(text_of(&b), "bestmove "));
	bench_close(&b);
}

/* ---- XBoard ---- */

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
	struct bench b;
	bench_open(&b, "xboard", NULL);
	const char *features = ask(&b, "protover 2");
	assert_ptr_equal(strstr(features, "feature done=0\n"), features);
	static const char *const said[] = { " ping=1 ",
					    " setboard=1 ",
					    " usermove=1 ",
					    " sigint=0 ",
					    " variants=\"normal\"\n",
					    " memory=1 ",
					    " smp=1 ",
					    "option=\"MultiPV -spin 1 1 256\"\n",
					    "option=\"Clear Hash -button\"\n" };
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
	struct bench b;
	bench_open(&b, "xboard", plain);
	ask(&b, "new");
	ask(&b, "sd 1");
	assert_ptr_equal(strstr(ask(&b, "usermove e2e4"), "move "), b.out.data);
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
	struct bench b;
	bench_open(&b, "xboard", plain);
	ask(&b, "new");
	/* A move that is thought about comes to nothing if the game is taken away. */
	b.out.length = 0;
	assert_int_equal(feed(&b, "usermove e2e4"), WIRE_THINK);
	feed(&b, "ping 3");
	feed(&b, "force");
	feed(&b, "undo");
	feed(&b, "usermove d2d4");
	feed(&b, "post");
	finish(&b, WIRE_THINK);
	assert_string_equal(text_of(&b), "pong 3\n");
	assert_string_equal(ask(&b, "usermove d7d5"), "");
	/* ... and one that is wanted now comes before the pong. */
	b.out.length = 0;
	ask(&b, "nopost");
	assert_int_equal(feed(&b, "go"), WIRE_THINK);
	feed(&b, "ping 4");
	feed(&b, "?");
	finish(&b, WIRE_THINK);
	const char *move = strstr(text_of(&b), "move ");
	assert_non_null(move);
	assert_string_equal(strchr(move, '\n'), "\npong 4\n");
	/* A user's move with a ping behind it. */
	b.out.length = 0;
	feed(&b, "force");
	ask(&b, "new");
	assert_int_equal(feed(&b, "usermove e2e4"), WIRE_THINK);
	assert_int_equal(feed(&b, "quit"), WIRE_QUIT);
	b.out.length = 0;
	finish(&b, WIRE_THINK);
	assert_string_equal(text_of(&b), "");
	bench_close(&b);
}

static void test_xboard__analyses(void **state)
{
	(void)state;
	struct bench b;
	bench_open(&b, "xboard", plain);
	ask(&b, "new");
	ask(&b, "post");
	assert_int_equal(feed(&b, "analyze"), WIRE_THINK);
	feed(&b, ".");
	assert_string_equal(text_of(&b), "stat01: 0 0 0 0 0\n");
	feed(&b, "ping 1"); /* nothing is owed */
	assert_non_null(strstr(text_of(&b), "pong 1\n"));
	feed(&b, "usermove e2e4");
	feed(&b, "exclude e7e5");
	feed(&b, "exclude e7e9");
	feed(&b, "include e7e5");
	feed(&b, "exclude all");
	feed(&b, "include d7d5");
	b.out.length = 0;
	wire_think(b.wire, collect, &b);
	assert_int_equal(wire_answer(b.wire, &b.out), WIRE_THINK); /* it goes on by itself */
	assert_non_null(strstr(text_of(&b), "Illegal move: e7e9\n"));
	feed(&b, "exit");
	b.out.length = 0;
	wire_think(b.wire, collect, &b);
	assert_int_equal(wire_answer(b.wire, &b.out), WIRE_ON);
	assert_non_null(strstr(text_of(&b), "\td7d5"));
	assert_null(strstr(b.out.data, "move "));
	assert_string_equal(ask(&b, "usermove e7e5"), "");
	bench_close(&b);
}

/* On the opponent's time: a hit is answered from there, another move begins anew. */
static void test_xboard__ponders(void **state)
{
	(void)state;
	struct bench b;
	bench_open(&b, "xboard", "alphabeta:depth=2,tt=0");
	ask(&b, "new");
	ask(&b, "sd 2");
	ask(&b, "hard");
	b.out.length = 0;
	assert_int_equal(feed(&b, "usermove e2e4"), WIRE_THINK);
	wire_think(b.wire, collect, &b);
	assert_int_equal(wire_answer(b.wire, &b.out), WIRE_THINK);
	b.out.length = 0;
	feed(&b, "hint");
	char hint[16] = "", line[32];
	assert_int_equal(sscanf(text_of(&b), "Hint: %15s", hint), 1);
	b.out.length = 0;
	feed(&b, "time 1000");
	snprintf(line, sizeof line, "usermove %s", hint);
	assert_int_equal(feed(&b, line), WIRE_ON);
	wire_think(b.wire, collect, &b);
	assert_int_equal(wire_answer(b.wire, &b.out), WIRE_THINK); /* and ponders again */
	assert_ptr_equal(strstr(text_of(&b), "move "), b.out.data);
	feed(&b, "hint");
	assert_int_equal(sscanf(strstr(text_of(&b), "Hint"), "Hint: %15s", hint), 1);
	b.out.length = 0;
	feed(&b, strcmp(hint, "a2a3") ? "usermove a2a3" : "usermove h2h3");
	wire_think(b.wire, collect, &b);
	assert_int_equal(wire_answer(b.wire, &b.out), WIRE_THINK);
	assert_string_equal(text_of(&b), "");
	wire_think(b.wire, collect, &b);
	assert_int_equal(wire_answer(b.wire, &b.out), WIRE_THINK);
	assert_ptr_equal(strstr(text_of(&b), "move "), b.out.data);
	feed(&b, "easy");
	finish(&b, WIRE_THINK);
	assert_string_equal(ask(&b, "ping 1"), "pong 1\n");
	bench_close(&b);
}

static void test_chess_protocols__any_bytes(void **state)
{
	(void)state;
	static const char *const protocols[] = { "uci", "xboard" };
	for (int i = 0; i < 2; i++) {
		struct bench b;
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
		wire_line(b.wire, nul, 9, &b.out);
		wire_line_too_long(b.wire, &b.out);
		assert_string_equal(text_of(&b),
				    i ? "Error (the line holds control characters): ?\n"
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
					   NULL };
	static const char *const xboard[] = { "protover 2",
					      "new",
					      "hard",
					      "usermove e2e4",
					      "setboard 7k/5Q2/6K1/8/8/8/8/8 w - - 0 1",
					      "force",
					      "undo",
					      "memory 1",
					      "go",
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
			const struct wire_setup setup = { .context = b.context,
							  .protocol = p ? "xboard" : "uci",
							  .game = "chess",
							  .player = plain,
							  .defaults = { .seed = 1, .threads = 1 },
							  .no_times = true };
			if (b.context && wire_new(&setup, &b.wire, NULL) == QV_OK)
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
	struct wire *wire = NULL;
	const struct wire_setup setup = { .context = context,
					  .protocol = "xboard",
					  .game = "noughts",
					  .defaults = { .seed = 1, .threads = 1, .hash_mb = 1 } };
	assert_int_equal(wire_new(&setup, &wire, &error), QV_UNSUPPORTED);
	assert_non_null(strstr(error.text, "it is for chess"));
	qv_context_free(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_uci__a_game),
		cmocka_unit_test(test_uci__says_who_it_is),
		cmocka_unit_test(test_uci__options),
		cmocka_unit_test(test_uci__limits_of_every_kind),
		cmocka_unit_test(test_uci__several_lines),
		cmocka_unit_test(test_uci__goes_on_after_a_draw),
		cmocka_unit_test(test_uci__a_long_game),
		cmocka_unit_test(test_uci__lines_wait_for_the_answer),
		cmocka_unit_test(test_uci__holds_its_move_while_it_ponders),
		cmocka_unit_test(test_xboard__a_game),
		cmocka_unit_test(test_xboard__says_what_it_can),
		cmocka_unit_test(test_xboard__plays_and_ends),
		cmocka_unit_test(test_xboard__edits_positions),
		cmocka_unit_test(test_xboard__breaks_off_what_is_not_wanted),
		cmocka_unit_test(test_xboard__analyses),
		cmocka_unit_test(test_xboard__ponders),
		cmocka_unit_test(test_chess_protocols__any_bytes),
		cmocka_unit_test(test_chess_protocols__survive_want_of_memory),
		cmocka_unit_test(test_xboard__is_for_chess),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
