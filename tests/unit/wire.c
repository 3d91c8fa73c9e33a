/*
 * wire.c - the protocols as pure objects: transcripts of the engine's side with every command and
 * every error, what the manager makes of an engine's lines, and lines out of bytes.
 * SPDX-License-Identifier: MIT
 */
#include "support/check.h"
#include "support/desk.h"
#include "support/meter.h"

#include <stdlib.h>

#include "base/lines.h"
#include "protocols/manager.h"
#include "protocols/protocol.h"

/* ---- The engine's side ---- */

struct bench {
	struct qv_context *context;
	struct connection *connection;
	struct string out;
	bool stop_first; /* the stop comes before the thinking has begun */
};

static void collect(void *ctx, const struct string *lines)
{
	struct bench *b = ctx;
	string_add(&b->out, lines->data, lines->length);
}

static void bench_open(struct bench *b, const char *protocol, const char *game)
{
	struct qv_error error = { "" };
	*b = (struct bench){ .context = desk_context(NULL), .out = { .allocator = &mem_malloc } };
	const struct connection_setup setup = {
		.context = b->context,
		.protocol = protocol,
		.game = game,
		.defaults = { .seed = 1, .threads = 1, .hash_mb = 1 },
		.no_times = true
	};
	if (connection_new(&setup, &b->connection, &error) != QV_OK)
		fail_msg("%s", error.text);
}

static void bench_close(struct bench *b)
{
	connection_free(b->connection);
	string_release(&b->out);
	qv_context_free(b->context);
}

static enum next_step feed(struct bench *b, const char *bytes, size_t length)
{
	char *line = malloc(length + 1);
	memcpy(line, bytes, length);
	line[length] = '\0';
	const enum next_step next = connection_line(b->connection, line, length, &b->out);
	free(line);
	return next;
}

/* What a line is answered, thinking included; stands until the next call. */
static const char *ask(struct bench *b, const char *line)
{
	b->out.length = 0;
	if (feed(b, line, strlen(line)) == NEXT_THINK) {
		if (b->stop_first)
			connection_stop(b->connection);
		connection_think(b->connection, collect, b);
		connection_answer(b->connection, &b->out);
	}
	string_add(&b->out, "", 1);
	return b->out.data;
}

struct turn {
	const char *line, *answer;
};

static void transcript(const char *protocol, const char *game, const struct turn *turns)
{
	struct bench b;
	bench_open(&b, protocol, game);
	for (int i = 0; turns[i].line; i++) {
		const char *answer = ask(&b, turns[i].line);
		if (strcmp(answer, turns[i].answer) != 0)
			fail_msg("line %d, '%s': expected '%s', got '%s'", i, turns[i].line,
				 turns[i].answer, answer);
	}
	bench_close(&b);
}

static void test_qgp__a_game_from_hello_to_end(void **state)
{
	(void)state;
	static const struct turn turns[] = {
		{ "set depth 9", "ok\n" },
		{ "newgame noughts 1 2", "ok\n" },
		{ "position start", "ok\n" },
		{ "play 1, 4", "ok\n" },
		{ " play\t2 ,  5 ", "ok\n" },
		{ "show", "position xx.oo.... x\nseat 1\nresult none\nmoves 3, 6, 7, 8, 9\nok\n" },
		{ "go depth 1", "info depth 1 score win 1 nodes 5 evals 4 considered 5 pv 3\n"
				"bestmove 3\n" },
		{ "solve", "value win move 3\n" },
		{ "solve distance", "value win in 1 move 3\n" },
		{ "play 3", "ok\n" },
		{ "show", "position xxxoo.... o\nseat 2\nresult win 1\nmoves\nok\n" },
		{ "go", "error over go: the game has ended\n" },
		{ "solve", "error over solve: the game has ended\n" },
		{ "undo", "ok\n" },
		{ "show", "position xx.oo.... x\nseat 1\nresult none\nmoves 3, 6, 7, 8, 9\nok\n" },
		{ "undo 4", "ok\n" },
		{ "show", "position ......... x\nseat 1\nresult none\n"
			  "moves 1, 2, 3, 4, 5, 6, 7, 8, 9\nok\n" },
		{ "position xoxoxo.x. o", "ok\n" },
		{ "ping", "pong\n" },
		{ "ping  a b ", "pong a b\n" },
		{ "stop", "ok\n" },
		{ "", "" },
		{ "   ", "" },
		{ "# a remark", "" },
		{ 0 },
	};
	transcript("qgp", "noughts", turns);
}

static void test_qgp__hello_says_who_and_what(void **state)
{
	(void)state;
	struct bench b;
	bench_open(&b, "qgp", "noughts");
	const char *hello = ask(&b, "qgp 1");
	assert_ptr_equal(strstr(hello, "name Quevedo "), hello);
	assert_non_null(strstr(hello, "\ngames noughts "));
	assert_non_null(strstr(hello, " toy-three"));
	assert_non_null(strstr(hello, "\noption player text\noption depth number 0 0 100\n"));
	assert_string_equal(hello + strlen(hello) - 4, "\nok\n");
	assert_string_equal(ask(&b, "set Player alphabeta:depth=2,tt=0"), "ok\n");
	const char *options = ask(&b, "options");
	assert_ptr_equal(strstr(options, "option player text alphabeta:depth=2,tt=0\n"), options);
	assert_string_equal(ask(&b, "set player"), "ok\n");
	bench_close(&b);
}

/* Every error code, and that the state is as before it. */
static void test_qgp__errors_are_named_and_change_nothing(void **state)
{
	(void)state;
	static const struct turn turns[] = {
		{ "hello", "error unknown 'hello': there is no such command\n" },
		{ "QGP 1", "error unknown 'QGP': there is no such command\n" },
		{ "qgp", "error version qgp '': only version 1 is spoken here\n" },
		{ "qgp 2", "error version qgp '2': only version 1 is spoken here\n" },
		{ "options all", "error syntax options: nothing may follow it\n" },
		{ "set", "error syntax set: which option?\n" },
		{ "set colour red", "error option set 'colour': there is no such option\n" },
		{ "set depth", "error option depth: '' is not a whole number from 0 to 100\n" },
		{ "set depth 101",
		  "error option depth: '101' is not a whole number from 0 to 100\n" },
		{ "set player wizard", "error option player 'wizard': no such kind\n" },
		{ "set player expectimax", "error option player expectimax: needs a game of two "
					   "players with dice; noughts is not one; "
					   "alphabeta, negascout and mcts play it\n" },
		{ "newgame", "error syntax newgame: which game?\n" },
		{ "newgame golf", "error game game 'golf': no such game; 'quevedo games' lists "
				  "them\n" },
		{ "newgame noughts 3", "error syntax newgame: seat '3' must be 1 to 2\n" },
		{ "position", "error syntax position: 'start' or a position is missing\n" },
		{ "play", "error syntax play: move 1 is empty\n" },
		{ "play 1,,2", "error syntax play: move 2 is empty\n" },
		{ "undo", "error illegal undo 1: only 0 moves were played\n" },
		{ "play 1, 2", "ok\n" },
		{ "undo 3", "error illegal undo 3: only 2 moves were played\n" },
		{ "undo 0", "error syntax undo '0': how many moves?\n" },
		{ "undo all", "error syntax undo 'all': how many moves?\n" },
		{ "go fast", "error syntax go: 'fast' is no limit, has no right value or is given "
			     "twice\n" },
		{ "go depth", "error syntax go: 'depth' is no limit, has no right value or is given "
			      "twice\n" },
		{ "go depth 2 depth 2", "error syntax go: 'depth' is no limit, has no right value "
					"or is given twice\n" },
		{ "go clock 3 1000 0", "error syntax go: 'clock' is no limit, has no right value "
				       "or is given twice\n" },
		{ "go clock 1 1000", "error syntax go: 'clock' is no limit, has no right value or "
				     "is given twice\n" },
		{ "solve now", "error syntax solve 'now': only 'distance' may stand here\n" },
		{ "show me", "error syntax show: nothing may follow it\n" },
		{ "stop it", "error syntax stop: nothing may follow it\n" },
		{ "quit now", "error syntax quit: nothing may follow it\n" },
		{ "show", "position xo....... x\nseat 1\nresult none\nmoves 3, 4, 5, 6, 7, 8, 9\n"
			  "ok\n" },
		{ 0 },
	};
	transcript("qgp", "noughts", turns);
}

static void test_qgp__a_bad_position_or_move_changes_nothing(void **state)
{
	(void)state;
	static const char *const bad[] = { "position xxxxxxxxx x", "position xo", "play 3, 3",
					   "play 9, 1", "play ten", "newgame noughts:size=4" };
	struct bench b;
	bench_open(&b, "qgp", "noughts");
	assert_string_equal(ask(&b, "play 1, 2"), "ok\n");
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		const char *answer = ask(&b, bad[i]);
		if (strncmp(answer, "error ", 6) != 0 || strchr(answer, '\n')[1])
			fail_msg("%s: %s", bad[i], answer);
		assert_ptr_equal(strstr(ask(&b, "show"), "position xo....... x\n"), b.out.data);
	}
	bench_close(&b);
}

static void test_qgp__dice_and_several_seats(void **state)
{
	(void)state;
	struct bench b;
	bench_open(&b, "qgp", "race");
	assert_non_null(strstr(ask(&b, "show"), "seat chance\nresult none\nmoves roll 1, "));
	assert_string_equal(ask(&b, "go"),
			    "error chance go: chance is to move; tell the throw with 'play'\n");
	assert_string_equal(ask(&b, "solve"), "error unsupported solve: only games of two seats "
					      "without chance are solved\n");
	assert_string_equal(ask(&b, "play roll 6"), "ok\n");
	assert_non_null(strstr(ask(&b, "show"), "seat 1\n"));
	assert_non_null(strstr(ask(&b, "go depth 1"), "\nbestmove "));
	assert_string_equal(ask(&b, "newgame toy-three 2 3"), "ok\n");
	assert_non_null(strstr(ask(&b, "show"), "seat 1\n"));
	assert_non_null(strstr(ask(&b, "go depth 2 clock 1 5000 0 clock 2 5000 0 clock 3 9 0"),
			       "\nbestmove "));
	bench_close(&b);
}

/* A clock that has run out, or nearly, still gets an answer. */
static void test_qgp__limits_of_every_kind(void **state)
{
	(void)state;
	static const char *const lines[] = { "go movetime 1",
					     "go nodes 100",
					     "go evals 10",
					     "go depth 3 nodes 1000 evals 1000 movetime 1000",
					     "go clock 1 0 0 clock 2 0 0",
					     "go clock 1 -50 0",
					     "go clock 2 1000 10 depth 2",
					     "go clock 1 60000 100 depth 1" };
	struct bench b;
	bench_open(&b, "qgp", "connect4");
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		assert_non_null(strstr(ask(&b, lines[i]), "\nbestmove "));
	b.stop_first = true;
	assert_non_null(strstr(ask(&b, "go infinite"), "bestmove "));
	assert_string_equal(ask(&b, "solve"), "value unknown\n");
	bench_close(&b);
}

static void test_qgp__while_it_thinks_it_hears_stop_ping_and_quit_alone(void **state)
{
	(void)state;
	static const char *const refused[] = { "qgp 1",    "options", "set depth 1", "newgame noughts",
					       "play 1",   "undo",    "show",	     "go",
					       "position start", "solve" };
	struct bench b;
	bench_open(&b, "qgp", "noughts");
	assert_int_equal(feed(&b, "go infinite", 11), NEXT_THINK);
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		const char *answer = ask(&b, refused[i]);
		assert_ptr_equal(strstr(answer, "error busy "), answer);
	}
	assert_string_equal(ask(&b, "ping 7"), "pong 7\n");
	assert_string_equal(ask(&b, "nonsense"),
			    "error unknown 'nonsense': there is no such command\n");
	assert_string_equal(ask(&b, "stop"), "ok\n");
	assert_string_equal(ask(&b, "stop"), "ok\n");
	assert_int_equal(feed(&b, "quit", 4), NEXT_QUIT);
	connection_think(b.connection, collect, &b);
	b.out.length = 0;
	connection_answer(b.connection, &b.out);
	string_add(&b.out, "", 1);
	assert_non_null(strstr(b.out.data, "\nbestmove "));
	assert_string_equal(ask(&b, "play 1"), "ok\n");
	bench_close(&b);
}

static void test_qgp__any_bytes_are_answered(void **state)
{
	(void)state;
	struct bench b;
	bench_open(&b, "qgp", "noughts");
	for (int c = 1; c < 256; c++) {
		const char line[] = { 'p', 'l', 'a', 'y', ' ', (char)c, '\0' };
		const char *answer = ask(&b, line);
		const bool legal = c >= '1' && c <= '9';
		if (strncmp(answer, legal ? "ok\n" : "error ", legal ? 3 : 6) != 0)
			fail_msg("byte %d: %s", c, answer);
		if (legal)
			assert_string_equal(ask(&b, "undo"), "ok\n");
	}
	b.out.length = 0;
	feed(&b, "ping\0pong", 9);
	connection_line_too_long(b.connection, &b.out);
	string_add(&b.out, "", 1);
	assert_string_equal(b.out.data, "error syntax the line holds control characters\n"
					"error syntax the line is too long\n");
	bench_close(&b);
}

#define NO_POSITION "info string error: no valid position: "

static void test_ugi__a_game(void **state)
{
	(void)state;
	static const struct turn turns[] = {
		{ "isready", "readyok\n" },
		{ "setoption name Depth value 9", "" },
		{ "setoption name nothing value 9", "" },
		{ "setoption name depth value deep",
		  "info string error: depth: 'deep' is not a whole number from 0 to 100\n" },
		{ "uginewgame", "" },
		{ "position startpos moves 1 4 2 5", "" },
		{ "query gameover", "response false\n" },
		{ "query p1turn", "response true\n" },
		{ "query result", "response none\n" },
		{ "query weather", "" },
		{ "go depth 1", "info depth 1 score mate 1 nodes 5 pv 3\nbestmove 3\n" },
		{ "position fen xx.oo.... x moves 3", "" },
		{ "query result", "response p1win\n" },
		{ "query gameover", "response true\n" },
		{ "go", "info string error: go: the game has ended\nbestmove (none)\n" },
		{ "position startpos moves 1 1", "info string error: move '1': not a legal move here\n" },
		{ "query result", NO_POSITION "move '1': not a legal move here\nresponse none\n" },
		{ "go depth 1", NO_POSITION "move '1': not a legal move here\nbestmove (none)\n" },
		{ "position nowhere",
		  "info string error: position: expected startpos or fen\n" },
		{ "query p1turn",
		  NO_POSITION "position: expected startpos or fen\nresponse none\n" },
		{ "query weather", "" },
		{ "uginewgame", "" },
		{ "go infinite",
		  NO_POSITION "position: expected startpos or fen\nbestmove (none)\n" },
		{ "stop", "" },
		{ "nonsense", "" },
		{ "", "" },
		{ "position startpos", "" },
		{ "query p1turn", "response true\n" },
		{ "go depth 1", "info depth 1 score cp 4 nodes 9 pv 5\nbestmove 5\n" },
		{ 0 },
	};
	transcript("ugi", "noughts", turns);
}

static void test_ugi__limits_of_every_kind(void **state)
{
	(void)state;
	static const char *const lines[] = { "go movetime 1", "go nodes 100", "go depth 2 nodes x",
					     "go p1time 0 p2time 0 p1inc x",
					     "go p1time -5 p1inc 0", "go p2time 100 depth 2",
					     "go p1time 1000 p2time 9 p1inc 10 p2inc 10 what" };
	struct bench b;
	bench_open(&b, "ugi", "connect4");
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		assert_non_null(strstr(ask(&b, lines[i]), "\nbestmove "));
	b.stop_first = true;
	assert_non_null(strstr(ask(&b, "go infinite"), "bestmove "));
	bench_close(&b);
}

static void test_ugi__is_for_two_seats_without_chance(void **state)
{
	(void)state;
	struct qv_context *context = desk_context(NULL);
	static const char *const games[] = { "race", "toy-three" };
	for (int i = 0; i < 2; i++) {
		struct qv_error error = { "" };
		struct connection *connection = NULL;
		const struct connection_setup setup = {
			.context = context,
			.protocol = "ugi",
			.game = games[i],
			.defaults = { .seed = 1, .threads = 1, .hash_mb = 1 }
		};
		assert_int_equal(connection_new(&setup, &connection, &error), QV_UNSUPPORTED);
		assert_non_null(strstr(error.text, "use qgp"));
	}
	qv_context_free(context);
}

/* ---- Want of memory ---- */

static int closings(const char *answer)
{
	static const char *const words[] = { "ok\n", "error memory ", "bestmove ", "value " };
	int count = 0;
	for (const char *line = answer; *line; line = strchr(line, '\n') + 1) {
		assert_non_null(strchr(line, '\n'));
		for (size_t i = 0; i < sizeof words / sizeof *words; i++)
			count += strncmp(line, words[i], strlen(words[i])) == 0;
	}
	return count;
}

/* Each allocation fails once: every line still gets its one answer, and the rest goes on. */
static void test_qgp__survives_want_of_memory(void **state)
{
	(void)state;
	static const char *const lines[] = { "newgame noughts", "position x........ o", "play 5",
					     "show", "go depth 2", "solve distance", "undo",
					     "set player alphabeta:depth=1,tt=0", "go depth 1",
					     "newgame connect4", "play 4, 4", "set player",
					     "go nodes 50" };
	struct meter m = meter_make();
	const struct qv_allocator allocator = { meter_resize, &m };
	bool failed = true;
	for (int n = 1; failed; n++) {
		assert_true(n < 2000);
		meter_arm(&m, n, false);
		struct bench b = { .out = { .allocator = &mem_malloc } };
		b.context = qv_context_new(&allocator);
		const struct connection_setup setup = {
			.context = b.context,
			.protocol = "qgp",
			.game = "noughts",
			.defaults = { .seed = 1, .threads = 1, .hash_mb = 1 },
			.no_times = true
		};
		if (b.context && connection_new(&setup, &b.connection, NULL) == QV_OK)
			for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
				if (closings(ask(&b, lines[i])) != 1 && !strstr(b.out.data, "illegal"))
					fail_msg("allocation %d, %s: %s", n, lines[i], b.out.data);
		failed = m.calls >= n;
		bench_close(&b);
		assert_int_equal(m.bytes, 0);
	}
}

/* ---- The manager's side ---- */

static enum manager_event tell(struct manager *m, const char *line)
{
	char copy[512];
	snprintf(copy, sizeof copy, "%s", line);
	return m->ops->line(m, copy, strlen(copy));
}

/* Up to the moment when a move is awaited. */
static void manager_asked(struct manager *m, const struct manager_ops *ops, struct string *out)
{
	const struct manager_question q = { .start = NULL, .moves = "", .legal = "1, 2", .seats = 2,
					    .depth = 3 };
	*m = (struct manager){ .ops = ops };
	ops->hello(m, out);
	tell(m, "name x");
	tell(m, "wants moves");
	tell(m, ops == &manager_qgp ? "ok" : "ugiok");
	out->length = 0;
	ops->ask(m, &q, out);
	string_add(out, "", 1);
}

static void test_qgp_manager__says_and_counts(void **state)
{
	(void)state;
	struct string out = { .allocator = &mem_malloc };
	struct manager m = { .ops = &manager_qgp };
	m.ops->hello(&m, &out);
	assert_int_equal(tell(&m, "name Deep \x01 Thought"), MANAGER_QUIET);
	assert_int_equal(tell(&m, "games noughts"), MANAGER_QUIET);
	assert_int_equal(tell(&m, "option depth number 1 1 9"), MANAGER_QUIET);
	assert_int_equal(tell(&m, "# remark"), MANAGER_QUIET);
	assert_int_equal(tell(&m, ""), MANAGER_QUIET);
	assert_int_equal(tell(&m, "ok"), MANAGER_READY);
	assert_string_equal(m.name, "Deep ? Thought");
	m.ops->set(&m, "depth", "4", &out);
	m.ops->new_game(&m, "noughts", &out);
	assert_int_equal(tell(&m, "ok"), MANAGER_QUIET);
	assert_int_equal(tell(&m, "ok"), MANAGER_READY);
	const struct manager_question q = { .start = "here", .moves = "1, 2", .legal = "3",
					    .seats = 2, .depth = 3, .nodes = 4, .evals = 5,
					    .time_ms = 6, .clocks = true, .left_ms = { 10, -3 },
					    .added_ms = { 1, 2 } };
	m.ops->ask(&m, &q, &out);
	m.ops->stop(&m, &out);
	m.ops->quit(&m, &out);
	string_add(&out, "", 1);
	assert_string_equal(out.data,
			    "qgp 1\nset depth 4\nnewgame noughts\nposition here\nplay 1, 2\n"
			    "go depth 3 nodes 4 evals 5 movetime 6 clock 1 10 1 clock 2 -3 2\n"
			    "stop\nquit\n");
	string_release(&out);
}

static void test_qgp_manager__reads_what_the_engine_claims(void **state)
{
	(void)state;
	struct string out = { .allocator = &mem_malloc };
	struct manager m;
	manager_asked(&m, &manager_qgp, &out);
	assert_string_equal(out.data, "position start\nmoves 1, 2\ngo depth 3\n");
	assert_int_equal(tell(&m, "ok"), MANAGER_QUIET);
	assert_int_equal(tell(&m, "ok"), MANAGER_QUIET);
	assert_int_equal(tell(&m, "info depth 4 score -12 nodes 77 evals 8 considered 9 sel 3 pv a, b"),
			 MANAGER_INFO);
	assert_int_equal(m.info.depth, 4);
	assert_int_equal(m.info.score, -12);
	assert_int_equal(m.info.nodes, 77);
	assert_int_equal(m.info.evals, 8);
	assert_int_equal(m.info.considered, 9);
	assert_false(m.info.proven);
	assert_string_equal(m.info.pv, "a, b");
	assert_int_equal(tell(&m, "info score win 7"), MANAGER_INFO);
	assert_true(m.info.proven && m.info.score == QV_WIN - 7);
	assert_int_equal(tell(&m, "info score loss 4"), MANAGER_INFO);
	assert_true(m.info.proven && m.info.score == 4 - QV_WIN);
	assert_int_equal(tell(&m, "info score draw"), MANAGER_INFO);
	assert_true(m.info.proven && m.info.score == 0);
	assert_int_equal(tell(&m, "info score exact -3"), MANAGER_INFO);
	assert_true(m.info.proven && m.info.score == -3);
	assert_int_equal(tell(&m, "info score 9999999999999"), MANAGER_INFO);
	assert_int_equal(m.info.score, QV_MAX_EVAL);
	m.ops->stop(&m, &out);
	assert_int_equal(tell(&m, "bestmove  roll 3 1 "), MANAGER_MOVE);
	assert_string_equal(m.move, "roll 3 1");
	assert_int_equal(tell(&m, "ok"), MANAGER_READY);
	string_release(&out);
}

static void test_qgp_manager__garbage_is_named(void **state)
{
	(void)state;
	static const char *const garbage[] = {
		"hello",	   "ok ok",		 "info depth many", "info score win",
		"info score good", "info nodes -1",	 "name late",	    "bestmove 1",
		"\xff\xfe",	   "Traceback (most recent call last):" };
	struct string out = { .allocator = &mem_malloc };
	struct manager m;
	for (size_t i = 0; i < sizeof garbage / sizeof *garbage; i++) {
		manager_asked(&m, &manager_qgp, &out);
		/* A move before the answers to what was told before it is out of turn. */
		if (strcmp(garbage[i], "ok ok") == 0)
			continue;
		if (tell(&m, garbage[i]) != MANAGER_GARBAGE)
			fail_msg("%s", garbage[i]);
		assert_true(strlen(m.error.text) > 2);
	}
	manager_asked(&m, &manager_qgp, &out);
	char with_nul[] = "ok\0ok";
	assert_int_equal(m.ops->line(&m, with_nul, 5), MANAGER_GARBAGE);
	assert_int_equal(tell(&m, "error illegal no\x07"), MANAGER_REFUSED);
	assert_string_equal(m.error.text, "error illegal no?");
	m = (struct manager){ .ops = &manager_qgp };
	assert_int_equal(tell(&m, "ok"), MANAGER_GARBAGE);
	string_release(&out);
}

static void test_ugi_manager__ignores_what_it_does_not_know(void **state)
{
	(void)state;
	struct string out = { .allocator = &mem_malloc };
	struct manager m;
	manager_asked(&m, &manager_ugi, &out);
	assert_string_equal(out.data, "position startpos\ngo depth 3\n");
	assert_int_equal(tell(&m, "what?"), MANAGER_QUIET);
	assert_int_equal(tell(&m, "readyok"), MANAGER_QUIET);
	assert_int_equal(tell(&m, "info string depth 9 pv x"), MANAGER_INFO);
	assert_int_equal(m.info.depth, 0);
	assert_int_equal(tell(&m, "info depth 5 score cp 33 nodes 8 nps 3 pv a b"), MANAGER_INFO);
	assert_int_equal(m.info.depth, 5);
	assert_int_equal(m.info.score, 33);
	assert_int_equal(m.info.nodes, 8);
	assert_string_equal(m.info.pv, "a b");
	assert_int_equal(tell(&m, "info score mate 3"), MANAGER_INFO);
	assert_true(m.info.proven && m.info.score == QV_WIN - 5);
	assert_int_equal(tell(&m, "info score mate -2"), MANAGER_INFO);
	assert_int_equal(m.info.score, 4 - QV_WIN);
	assert_int_equal(tell(&m, "bestmove a1-a2 ponder x"), MANAGER_MOVE);
	assert_string_equal(m.move, "a1-a2");
	assert_int_equal(tell(&m, "bestmove again"), MANAGER_QUIET);
	out.length = 0;
	m.ops->set(&m, "Skill Level", "", &out);
	m.ops->new_game(&m, "noughts", &out);
	const struct manager_question q = { .start = "f g", .moves = "a b", .legal = "",
					    .clocks = true, .seats = 2, .left_ms = { 1, 2 },
					    .added_ms = { 3, 4 } };
	m.ops->ask(&m, &q, &out);
	m.ops->stop(&m, &out);
	m.ops->quit(&m, &out);
	string_add(&out, "", 1);
	assert_string_equal(out.data, "setoption name Skill Level value <empty>\nuginewgame\nisready\n"
				      "position fen f g moves a b\n"
				      "go p1time 1 p2time 2 p1inc 3 p2inc 4\nstop\nquit\n");
	string_release(&out);
}

/* ---- Lines ---- */

/* Feeds bytes in pieces of a size, and joins what comes out: [line], or ! for one too long. */
static void cut(const char *bytes, size_t length, size_t piece, struct string *out)
{
	struct lines l;
	char *line;
	size_t n, room;
	enum lines_got got;
	assert_int_equal(lines_init(&l, &mem_malloc, 8), QV_OK);
	out->length = 0;
	while (length) {
		char *to = lines_space(&l, &room);
		assert_true(room > 0);
		const size_t part = piece < room ? piece : room;
		const size_t now = part < length ? part : length;
		memcpy(to, bytes, now);
		lines_took(&l, now);
		bytes += now;
		length -= now;
		while ((got = lines_next(&l, &line, &n)) != LINES_NONE)
			string_addf(out, got == LINES_LINE ? "[%s]%zu" : "!", line, n);
	}
	if (lines_last(&l, &line, &n) == LINES_LINE)
		string_addf(out, "(%s)%zu", line, n);
	string_add(out, "", 1);
	lines_release(&l);
}

static void test_lines__are_the_same_however_they_come(void **state)
{
	(void)state;
	static const struct {
		const char *bytes, *lines;
	} cases[] = {
		{ "a\nbc\r\n\n\r\nd", "[a]1[bc]2[]0[]0(d)1" },
		{ "12345678\n12345678\r\nx\n", "[12345678]8[12345678]8[x]1" },
		{ "123456789\nok\n", "![ok]2" },
		{ "123456789\r\nok\n", "![ok]2" },
		{ "12345678901234567890123456789012345678901234567890\nok\n123456789012",
		  "![ok]2!" },
		{ "1234567890\n1234567890\n\n", "!![]0" },
		{ "", "" },
		{ "12345678", "(12345678)8" },
		{ "a\rb\n", "[a\rb]3" },
	};
	struct string out = { .allocator = &mem_malloc };
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (size_t piece = 1; piece < 60; piece++) {
			cut(cases[i].bytes, strlen(cases[i].bytes), piece, &out);
			if (strcmp(out.data, cases[i].lines) != 0)
				fail_msg("case %zu in pieces of %zu: %s", i, piece, out.data);
		}
	cut("a\0b\n", 4, 2, &out);
	assert_string_equal(out.data, "[a]3");
	string_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_qgp__a_game_from_hello_to_end),
		cmocka_unit_test(test_qgp__hello_says_who_and_what),
		cmocka_unit_test(test_qgp__errors_are_named_and_change_nothing),
		cmocka_unit_test(test_qgp__a_bad_position_or_move_changes_nothing),
		cmocka_unit_test(test_qgp__dice_and_several_seats),
		cmocka_unit_test(test_qgp__limits_of_every_kind),
		cmocka_unit_test(test_qgp__while_it_thinks_it_hears_stop_ping_and_quit_alone),
		cmocka_unit_test(test_qgp__any_bytes_are_answered),
		cmocka_unit_test(test_qgp__survives_want_of_memory),
		cmocka_unit_test(test_ugi__a_game),
		cmocka_unit_test(test_ugi__limits_of_every_kind),
		cmocka_unit_test(test_ugi__is_for_two_seats_without_chance),
		cmocka_unit_test(test_qgp_manager__says_and_counts),
		cmocka_unit_test(test_qgp_manager__reads_what_the_engine_claims),
		cmocka_unit_test(test_qgp_manager__garbage_is_named),
		cmocka_unit_test(test_ugi_manager__ignores_what_it_does_not_know),
		cmocka_unit_test(test_lines__are_the_same_however_they_come),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
