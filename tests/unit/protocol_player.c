/*
 * protocol_player.c - programs outside as players: whole games move for move as in-process play,
 * programs that misbehave in every way, several at once, and nothing left behind.
 * SPDX-License-Identifier: MIT
 */
#include "support/check.h"
#include "support/desk.h"
#include "support/meter.h"
#include "support/scale.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "programs/child.h"
#include "programs/players.h"
#include "programs/protocol_spec.h"

static void no_child_is_left(void)
{
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

enum { MOST_PLAYERS = 4, TRIES = 6 };

/*
 * What a test has open. A test that fails leaves it to close_bench: no program of one test is there
 * in the next, and nothing leaks but what the failed check stepped over.
 */
struct bench {
	struct qv_context *context;
	struct qv_player *players[MOST_PLAYERS];
};

static int open_bench(void **state)
{
	struct bench *b = calloc(1, sizeof *b);
	if (!b)
		return -1;
	b->context = desk_context(NULL);
	*state = b;
	return 0;
}

static void close_players(struct bench *b)
{
	for (int i = 0; i < MOST_PLAYERS; i++) {
		qv_player_free(b->players[i]);
		b->players[i] = NULL;
	}
}

static int close_bench(void **state)
{
	struct bench *b = *state;
	close_players(b);
	qv_context_free(b->context);
	free(b);
	return waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD ? 0 : -1;
}

/* A new game; five seconds for a hello are much, but not for every machine under every load. */
static void begin_game(struct qv_player *player)
{
	int tries = 0;
	do
		qv_player_new_game(player);
	while (player_fault(player) == FAULT_HELLO && ++tries < TRIES);
}

static struct qv_player *open_player(struct bench *b, const char *game, const char *spec)
{
	const struct qv_context *context = b->context;
	int place = 0;
	while (place < MOST_PLAYERS && b->players[place])
		place++;
	assert_true(place < MOST_PLAYERS);
	const struct qv_defaults defaults = {
		.size = sizeof defaults, .seed = 1, .threads = 1, .hash_mb = 1
	};
	struct qv_rules rules;
	struct qv_player *player = NULL;
	struct qv_error error = { "" };
	if (qv_rules_parse(context, game, &rules, &error) != QV_OK ||
	    player_open(context, &rules, spec, &defaults, &player, &error) != QV_OK)
		fail_msg("%s: %s", spec, error.text);
	b->players[place] = player;
	return player;
}

/* ---- Whole games ---- */

/* The first of these that knows games of this kind; all of them can be played twice alike. */
static const char *spec_for(const struct qv_context *context, const struct qv_rules *rules)
{
	static const char *const specs[] = { "alphabeta:depth=3,tt=1,random=1",
					     "expectimax:depth=2", "maxn:depth=2,random=1",
					     "mcts:playouts=50,tt=1" };
	const struct qv_defaults defaults = {
		.size = sizeof defaults, .seed = 1, .threads = 1, .hash_mb = 1
	};
	/* These have many moves, and long games. */
	if (strcmp(rules->game->name, "chess") == 0 || strcmp(rules->game->name, "gomoku") == 0)
		return "alphabeta:depth=2,tt=1,random=1";
	if (strcmp(rules->game->name, "backgammon") == 0)
		return "expectimax:depth=1";
	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
		struct qv_player *player = NULL;
		const enum qv_status status =
			qv_player_new(context, rules, specs[i], &defaults, &player, NULL);
		qv_player_free(player);
		if (status == QV_OK)
			return specs[i];
	}
	fail_msg("%s: nobody plays it", rules->game->name);
	return NULL;
}

static void throw_dice(struct qv_record *record, uint64_t *throws)
{
	const struct qv_game *game = qv_record_rules(record)->game;
	qv_move list[QV_MAX_MOVES];
	const int count = game->moves(qv_record_state(record), list);
	const uint64_t which = qv_random_below_at(7, (*throws)++, (uint64_t)count);
	assert_int_equal(qv_record_play(record, list[which], -1, NULL), QV_OK);
}

/* Both are asked for every move, and must agree; told: by the moves so far, or by the position. */
static void play_game(const struct qv_context *context, const struct qv_rules *rules,
		      struct qv_player *outside, struct qv_player *inside, bool told,
		      int64_t most_plies)
{
	struct qv_record *record = NULL;
	int32_t points[QV_MAX_SEATS];
	uint64_t throws = 0;
	assert_int_equal(qv_record_new(context, rules, NULL, &record, NULL), QV_OK);
	begin_game(outside);
	qv_player_new_game(inside);
	for (int ply = 0; ply < most_plies && qv_record_result(record, points) == QV_GOING; ply++) {
		const void *state = qv_record_state(record);
		struct qv_limits limits = { .size = sizeof limits };
		struct qv_answer a = { .size = sizeof a }, b = { .size = sizeof b };
		struct qv_error error = { "" };
		const struct player_news news = { .record = record };
		if (rules->game->seat(state) == QV_CHANCE) {
			throw_dice(record, &throws);
			continue;
		}
		if (told)
			limits.history = qv_record_history(record, &limits.history_count);
		if (player_think(outside, told ? &news : NULL, state, &limits, NULL, &a, &error) !=
		    QV_OK)
			fail_msg("%s, ply %d: %s", rules->game->name, ply, error.text);
		assert_int_equal(player_think(inside, NULL, state, &limits, NULL, &b, &error),
				 QV_OK);
		if (a.move != b.move || a.nodes != b.nodes || a.score != b.score)
			fail_msg("%s, ply %d: outside %llx score %d nodes %llu, inside %llx score %d "
				 "nodes %llu",
				 rules->game->name, ply, (unsigned long long)a.move, a.score,
				 (unsigned long long)a.nodes, (unsigned long long)b.move, b.score,
				 (unsigned long long)b.nodes);
		assert_int_equal(qv_record_play(record, a.move, -1, &error), QV_OK);
	}
	assert_true(qv_record_ply(record) > 0);
	qv_record_free(record);
}

static void compare(struct bench *b, const struct qv_game *game, const char *protocol, bool told)
{
	const struct qv_context *context = b->context;
	char spec[1024];
	struct qv_rules rules;
	assert_int_equal(qv_rules_parse(context, game->name, &rules, NULL), QV_OK);
	const char *who = spec_for(context, &rules);
	/* The mark of blanks that a command line has no way to quote: none may be in the path. */
	/* A hub engine would search for ever; each player is less deep. */
	snprintf(spec, sizeof spec, "%s:%s%s engine %s --protocol %s --plugin %s --hash 1 --player %s",
		 protocol, strcmp(protocol, "hub") == 0 ? "depth=99,cmd=" : "", QUEVEDO, game->name, protocol, TOY_PLUGIN, who);
	struct qv_player *outside = open_player(b, game->name, spec);
	struct qv_player *inside = open_player(b, game->name, who);
	play_game(context, &rules, outside, inside, told, 8 + scaled(52));
	/* The next one begins as the first did: nothing is remembered. */
	play_game(context, &rules, outside, inside, told, 8);
	assert_int_equal(player_fault(outside), FAULT_NONE);
	close_players(b);
}

static void test_protocol_player__plays_every_game_as_in_process(void **state)
{
	struct bench *b = *state;
	const struct qv_game *game;
	int games = 0;
	/* Where programs start slowly, a game is told in one way only. */
	const bool both = scaled(100) >= 20;
	for (int i = 0; (game = qv_game_at(b->context, i)); i++, games++) {
		compare(b, game, "qgp", games % 2);
		if (both)
			compare(b, game, "qgp", !(games % 2));
	}
	assert_true(games >= 14);
}

/* Hub writes moves, positions and scores in its own way; whole games agree all the same. */
static void test_protocol_player__hub_plays_whole_games(void **state)
{
	struct bench *b = *state;
	struct qv_rules rules;
	assert_int_equal(qv_rules_parse(b->context, "draughts", &rules, NULL), QV_OK);
	compare(b, rules.game, "hub", true);
	compare(b, rules.game, "hub", false);
}

/* UGI's scores and counts differ in detail, so its games are compared by noughts' full depth. */
static void test_protocol_player__ugi_plays_whole_games(void **state)
{
	static const char *const games[] = { "noughts", "connect4", "hexapawn", "reversi" };
	struct bench *b = *state;
	const struct qv_context *context = b->context;
	for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
		char spec[1024];
		struct qv_rules rules;
		struct qv_record *record = NULL;
		int32_t points[QV_MAX_SEATS];
		const char *who = "alphabeta:depth=3,tt=1";
		snprintf(spec, sizeof spec, "ugi:depth=9,cmd=%s engine %s --protocol ugi --hash 1 --player %s",
			 QUEVEDO, games[i], who);
		struct qv_player *outside = open_player(b, games[i], spec);
		struct qv_player *inside = open_player(b, games[i], who);
		begin_game(outside);
		assert_int_equal(qv_rules_parse(context, games[i], &rules, NULL), QV_OK);
		assert_int_equal(qv_record_new(context, &rules, NULL, &record, NULL), QV_OK);
		while (qv_record_result(record, points) == QV_GOING) {
			struct qv_answer theirs = { .size = sizeof theirs },
					 ours = { .size = sizeof ours };
			const struct player_news news = { .record = record };
			assert_int_equal(player_think(outside, &news, qv_record_state(record), NULL,
						      NULL, &theirs, NULL),
					 QV_OK);
			assert_int_equal(player_think(inside, &news, qv_record_state(record), NULL,
						      NULL, &ours, NULL),
					 QV_OK);
			assert_true(theirs.move == ours.move);
			assert_int_equal(theirs.nodes, ours.nodes);
			assert_int_equal(qv_record_play(record, theirs.move, -1, NULL), QV_OK);
		}
		qv_record_free(record);
		close_players(b);
	}
}

/* ---- Misbehaviour ---- */

struct trial {
	const char *protocol, *mode;
	enum player_fault fault;   /* FAULT_NONE: it plays */
	enum qv_status status;
	const char *words;         /* of the fault; NULL: any */
	/* What came of it. */
	enum player_fault found;
	char found_words[256];
	enum qv_status answered;
	struct qv_error error;
	int moves;
	int64_t us;
};

/*
 * Plays noughts, or draughts by Hub, against itself until something happens. Who is to run out of time gets little, and
 * the others much: how fast this machine is does not matter.
 */
static void misbehave_once(struct trial *t)
{
	struct qv_context *context = qv_context_new(NULL);
	struct qv_record *record = NULL;
	struct qv_rules rules;
	struct qv_player *player = NULL;
	int32_t points[QV_MAX_SEATS];
	char spec[512];
	const int64_t began = clock_us();
	snprintf(spec, sizeof spec, "%s:time=%s,cmd=%s %s 1", t->protocol,
		 t->fault == FAULT_TIMEOUT ? "100ms" : "60s", MOCK_ENGINE, t->mode);
	t->answered = qv_rules_parse(context, strcmp(t->protocol, "hub") == 0 ? "draughts" : "noughts",
				     &rules, &t->error);
	if (t->answered == QV_OK)
		t->answered = player_open(context, &rules, spec, NULL, &player, &t->error);
	if (t->answered == QV_OK)
		t->answered = qv_record_new(context, &rules, NULL, &record, &t->error);
	while (t->answered == QV_OK && qv_record_result(record, points) == QV_GOING) {
		const struct player_news news = { .record = record };
		struct qv_answer answer = { .size = sizeof answer };
		t->answered = player_think(player, &news, qv_record_state(record), NULL, NULL,
					   &answer, &t->error);
		if (t->answered == QV_OK)
			t->answered = qv_record_play(record, answer.move, -1, &t->error);
		t->moves++;
	}
	t->found = player ? player_fault(player) : FAULT_NONE;
	snprintf(t->found_words, sizeof t->found_words, "%s",
		 player ? player_fault_words(player) : "");
	qv_record_free(record);
	qv_player_free(player);
	qv_context_free(context);
	t->us = clock_us() - began;
}

/* Once more where the machine was too slow for a hello. */
static void *misbehave(void *ctx)
{
	struct trial *t = ctx;
	int tries = 0;
	do
		misbehave_once(t);
	while (t->found == FAULT_HELLO && t->fault != FAULT_HELLO && ++tries < TRIES);
	return NULL;
}

static bool is_late(enum player_fault fault)
{
	return fault == FAULT_HELLO || fault == FAULT_TIMEOUT;
}

/* All at once: children of several threads do not get into each other's way. */
static void test_protocol_player__names_every_fault(void **state)
{
	(void)state;
	static struct trial trials[] = {
		{ .protocol = "qgp", .mode = "good", .fault = FAULT_NONE, .words = "" },
		{ .protocol = "qgp",
		  .mode = "crash-start",
		  .fault = FAULT_CRASH,
		  .status = QV_IO,
		  .words = "it ended during the handshake: exit status 1" },
		{ .protocol = "qgp",
		  .mode = "crash-hello",
		  .fault = FAULT_CRASH,
		  .status = QV_IO,
		  .words = "it was killed during the handshake by signal 6 (Aborted)" },
		{ .protocol = "qgp",
		  .mode = "crash",
		  .fault = FAULT_CRASH,
		  .status = QV_IO,
		  .words = "it was killed by signal 6 (Aborted)" },
		{ .protocol = "qgp", .mode = "crash-later", .fault = FAULT_CRASH, .status = QV_IO },
		{ .protocol = "qgp", .mode = "crash-after", .fault = FAULT_CRASH, .status = QV_IO },
		{ .protocol = "qgp",
		  .mode = "half",
		  .fault = FAULT_CRASH,
		  .status = QV_IO,
		  .words = "it ended: exit status 0" },
		{ .protocol = "qgp", .mode = "silent", .fault = FAULT_HELLO, .status = QV_IO },
		{ .protocol = "qgp", .mode = "no-hello", .fault = FAULT_HELLO, .status = QV_IO },
		{ .protocol = "qgp",
		  .mode = "stubborn-start",
		  .fault = FAULT_HELLO,
		  .status = QV_IO },
		{ .protocol = "qgp",
		  .mode = "silent-move",
		  .fault = FAULT_TIMEOUT,
		  .status = QV_IO },
		{ .protocol = "qgp", .mode = "stubborn", .fault = FAULT_TIMEOUT, .status = QV_IO },
		{ .protocol = "qgp", .mode = "stubborn-quit", .fault = FAULT_NONE },
		{ .protocol = "qgp",
		  .mode = "illegal",
		  .fault = FAULT_ILLEGAL,
		  .status = QV_ILLEGAL,
		  .words = "it played the illegal move over there" },
		{ .protocol = "qgp",
		  .mode = "empty",
		  .fault = FAULT_ILLEGAL,
		  .status = QV_ILLEGAL,
		  .words = "it played the illegal move ''" },
		{ .protocol = "qgp",
		  .mode = "garbage-start",
		  .fault = FAULT_GARBAGE,
		  .status = QV_IO },
		{ .protocol = "qgp", .mode = "garbage", .fault = FAULT_GARBAGE, .status = QV_IO },
		{ .protocol = "qgp", .mode = "nul", .fault = FAULT_GARBAGE, .status = QV_IO },
		{ .protocol = "qgp", .mode = "bad-info", .fault = FAULT_GARBAGE, .status = QV_IO },
		{ .protocol = "qgp", .mode = "twice", .fault = FAULT_GARBAGE, .status = QV_IO },
		{ .protocol = "qgp", .mode = "refuse", .fault = FAULT_REFUSED, .status = QV_IO },
		{ .protocol = "qgp",
		  .mode = "refuse-game",
		  .fault = FAULT_REFUSED,
		  .status = QV_IO },
		{ .protocol = "qgp", .mode = "flood-start", .fault = FAULT_FLOOD, .status = QV_IO },
		{ .protocol = "qgp", .mode = "flood", .fault = FAULT_FLOOD, .status = QV_IO },
		{ .protocol = "qgp", .mode = "long-start", .fault = FAULT_LINE, .status = QV_IO },
		{ .protocol = "qgp", .mode = "long-line", .fault = FAULT_LINE, .status = QV_IO },
		{ .protocol = "ugi", .mode = "good", .fault = FAULT_ILLEGAL, .status = QV_ILLEGAL },
		{ .protocol = "ugi", .mode = "crash", .fault = FAULT_CRASH, .status = QV_IO },
		{ .protocol = "ugi",
		  .mode = "silent-move",
		  .fault = FAULT_TIMEOUT,
		  .status = QV_IO },
		{ .protocol = "ugi",
		  .mode = "garbage-start",
		  .fault = FAULT_ILLEGAL,
		  .status = QV_ILLEGAL },
		{ .protocol = "ugi", .mode = "long-line", .fault = FAULT_LINE, .status = QV_IO },
		{ .protocol = "uci", .mode = "good", .fault = FAULT_ILLEGAL, .status = QV_ILLEGAL },
		{ .protocol = "uci", .mode = "crash", .fault = FAULT_CRASH, .status = QV_IO },
		{ .protocol = "uci",
		  .mode = "silent",
		  .fault = FAULT_HELLO,
		  .status = QV_IO,
		  .words = "it did not say hello in time: no 'uciok'" },
		{ .protocol = "uci",
		  .mode = "silent-move",
		  .fault = FAULT_TIMEOUT,
		  .status = QV_IO },
		{ .protocol = "xboard",
		  .mode = "good",
		  .fault = FAULT_ILLEGAL,
		  .status = QV_ILLEGAL },
		{ .protocol = "xboard",
		  .mode = "mute",
		  .fault = FAULT_ILLEGAL,
		  .status = QV_ILLEGAL },
		{ .protocol = "xboard",
		  .mode = "no-ping",
		  .fault = FAULT_ILLEGAL,
		  .status = QV_ILLEGAL },
		{ .protocol = "xboard",
		  .mode = "illegal",
		  .fault = FAULT_ILLEGAL,
		  .status = QV_ILLEGAL },
		{ .protocol = "xboard",
		  .mode = "resign",
		  .fault = FAULT_RESIGNED,
		  .status = QV_IO },
		{ .protocol = "xboard",
		  .mode = "refuse-move",
		  .fault = FAULT_REFUSED,
		  .status = QV_IO },
		{ .protocol = "xboard",
		  .mode = "crash-start",
		  .fault = FAULT_CRASH,
		  .status = QV_IO },
		{ .protocol = "xboard",
		  .mode = "silent-move",
		  .fault = FAULT_TIMEOUT,
		  .status = QV_IO },
		{ .protocol = "xboard", .mode = "flood", .fault = FAULT_FLOOD, .status = QV_IO },
		{ .protocol = "hub",
		  .mode = "good",
		  .fault = FAULT_ILLEGAL,
		  .status = QV_ILLEGAL,
		  .words = "it played the illegal move 1" },
		{ .protocol = "hub",
		  .mode = "illegal",
		  .fault = FAULT_ILLEGAL,
		  .status = QV_ILLEGAL,
		  .words = "it played the illegal move over there" },
		{ .protocol = "hub",
		  .mode = "bad-info",
		  .fault = FAULT_ILLEGAL,
		  .status = QV_ILLEGAL,
		  .words = "it played the illegal move ''" },
		{ .protocol = "hub",
		  .mode = "silent",
		  .fault = FAULT_HELLO,
		  .status = QV_IO,
		  .words = "it did not say hello in time: no 'wait'" },
		{ .protocol = "hub",
		  .mode = "no-ready",
		  .fault = FAULT_HELLO,
		  .status = QV_IO,
		  .words = "it did not say hello in time: no 'ready' or 'pong'" },
		{ .protocol = "hub",
		  .mode = "refuse-game",
		  .fault = FAULT_REFUSED,
		  .status = QV_IO,
		  .words = "it refused what it was told: error not today" },
		{ .protocol = "hub", .mode = "refuse", .fault = FAULT_REFUSED, .status = QV_IO },
		{ .protocol = "hub", .mode = "crash", .fault = FAULT_CRASH, .status = QV_IO },
		{ .protocol = "hub",
		  .mode = "silent-move",
		  .fault = FAULT_TIMEOUT,
		  .status = QV_IO },
		{ .protocol = "hub", .mode = "flood", .fault = FAULT_FLOOD, .status = QV_IO },
	};
	enum { TRIALS = sizeof trials / sizeof *trials, ALLOWED_US = 60000000 };
	pthread_t threads[TRIALS];
	for (int i = 0; i < TRIALS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, misbehave, &trials[i]), 0);
	for (int i = 0; i < TRIALS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < TRIALS; i++) {
		struct trial *t = &trials[i];
		/* On a busy machine its time may end before a flood has reached its limit: alone, then. */
		for (int again = 0; again < 20 && is_late(t->found) && !is_late(t->fault); again++)
			misbehave(t);
		if (t->found != t->fault || t->answered != t->status || t->us > ALLOWED_US ||
		    (t->words && strcmp(t->words, t->found_words) != 0))
			fail_msg("%s %s: fault '%s', status %d, '%s', '%s', %lld us, %d moves",
				 t->protocol, t->mode, player_fault_text(t->found), t->answered,
				 t->error.text, t->found_words, (long long)t->us, t->moves);
	}
	no_child_is_left();
}

/* A program that is not there is a fault like the others, told when a game begins. */
static void test_protocol_player__a_missing_program_is_said(void **state)
{
	struct bench *b = *state;
	struct qv_player *player = open_player(b, "noughts", "qgp:/no/such/program");
	struct qv_error error = { "" };
	struct qv_answer answer = { .size = sizeof answer };
	struct desk d;
	desk_open(&d, b->context, "noughts", "start");
	assert_int_equal(player_ready(player, &error), QV_IO);
	assert_int_equal(player_fault(player), FAULT_START);
	assert_string_equal(error.text, "/no/such/program: it could not be started: "
					"No such file or directory");
	qv_player_new_game(player);
	assert_int_equal(player_think(player, NULL, d.state, NULL, NULL, &answer, &error), QV_IO);
	assert_int_equal(player_fault(player), FAULT_START);
	desk_close(&d);
}

/* After a fault it is started anew, and plays on. */
static void test_protocol_player__starts_anew_after_a_fault(void **state)
{
	struct bench *b = *state;
	struct qv_player *player = open_player(b, "noughts", "qgp:" MOCK_ENGINE " crash-later");
	struct qv_answer answer = { .size = sizeof answer };
	struct desk d;
	desk_open(&d, b->context, "noughts", "start");
	for (int round = 0; round < 3; round++) {
		begin_game(player);
		assert_int_equal(player_fault(player), FAULT_NONE);
		for (int i = 0; i < 2; i++)
			assert_int_equal(player_think(player, NULL, d.state, NULL, NULL, &answer,
						      NULL),
					 QV_OK);
		assert_int_equal(player_think(player, NULL, d.state, NULL, NULL, &answer, NULL),
				 QV_IO);
		assert_int_equal(player_fault(player), FAULT_CRASH);
	}
	/* One that ended between two games owes nobody a move. */
	player = open_player(b, "noughts", "qgp:" MOCK_ENGINE " crash-after");
	for (int round = 0; round < 3; round++) {
		begin_game(player);
		assert_int_equal(player_think(player, NULL, d.state, NULL, NULL, &answer, NULL),
				 QV_OK);
	}
	desk_close(&d);
}

/* ---- Stopping ---- */

static void *set_soon(void *ctx)
{
	const struct timespec soon = { 0, 30000000 };
	nanosleep(&soon, NULL);
	qv_flag_set(ctx);
	return NULL;
}

static void test_protocol_player__passes_a_stop_on(void **state)
{
	struct bench *b = *state;
	struct qv_player *player =
		open_player(b, "reversi",
			    "qgp:" QUEVEDO " engine reversi --hash 1 --player alphabeta:depth=60");
	struct desk d;
	desk_open(&d, b->context, "reversi", "start");
	begin_game(player);
	int late = 0;
	for (int early = 0; early < 2; early++) {
		struct qv_flag stop = { early };
		const struct qv_limits limits = { .size = sizeof limits, .stop = &stop };
		struct qv_answer answer = { .size = sizeof answer };
		struct qv_error error = { "" };
		pthread_t thread;
		assert_int_equal(pthread_create(&thread, NULL, set_soon, &stop), 0);
		const enum qv_status status =
			player_think(player, NULL, d.state, &limits, NULL, &answer, &error);
		pthread_join(thread, NULL);
		/* A second after the stop is much, but not for every machine under every load. */
		if (player_fault(player) == FAULT_TIMEOUT && late++ < 5) {
			begin_game(player);
			early--;
			continue;
		}
		if (status != QV_STOPPED)
			fail_msg("status %d: %s", status, error.text);
		assert_true(qv_move_legal(d.rules.game, d.state, answer.move));
	}
	desk_close(&d);
}

/* ---- The child itself ---- */

static void read_file(const char *path, char *text, size_t size)
{
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	text[fread(text, 1, size - 1, file)] = '\0';
	fclose(file);
}

static void test_child__what_it_started_ends_with_it(void **state)
{
	(void)state;
	char path[] = "/tmp/quevedo-orphan-XXXXXX", command[512], text[64] = "";
	struct child child;
	char *line;
	size_t length;
	close(mkstemp(path));
	snprintf(command, sizeof command, "%s orphan %s", MOCK_ENGINE, path);
	assert_int_equal(child_start(&child, &mem_malloc, command, NULL, NULL, NULL), QV_OK);
	const int64_t until = clock_us() + 60000000;
	assert_int_equal(child_write(&child, "qgp 1\n", 6, until), CHILD_LINE);
	assert_int_equal(child_read(&child, until, &line, &length), CHILD_LINE);
	read_file(path, text, sizeof text);
	const pid_t orphan = (pid_t)atoi(text);
	assert_true(orphan > 1);
	child_end(&child, false);
	/* It is nobody's child of ours; the system buries it when it gets to that. */
	for (int i = 0; i < 2000 && kill(orphan, 0) == 0; i++) {
		char name[64], state_text[512] = "";
		snprintf(name, sizeof name, "/proc/%d/stat", (int)orphan);
		FILE *file = fopen(name, "r");
		if (file && fgets(state_text, sizeof state_text, file) && strstr(state_text, ") Z")) {
			fclose(file);
			break;
		}
		if (file)
			fclose(file);
		assert_true(i < 1999);
		const struct timespec moment = { 0, 5000000 };
		nanosleep(&moment, NULL);
	}
	unlink(path);
	no_child_is_left();
}

static void test_child__inherits_no_descriptor_of_the_library(void **state)
{
	(void)state;
	char path[] = "/tmp/quevedo-files-XXXXXX", command[512], before[256] = "", after[256] = "";
	struct child first, second;
	char *line;
	size_t length;
	close(mkstemp(path));
	snprintf(command, sizeof command, "%s descriptors %s", MOCK_ENGINE, path);
	const int64_t until = clock_us() + 60000000;
	for (int i = 0; i < 2; i++) {
		struct child *c = i ? &second : &first;
		assert_int_equal(child_start(c, &mem_malloc, command, NULL, NULL, NULL), QV_OK);
		assert_int_equal(child_write(c, "qgp 1\n", 6, until), CHILD_LINE);
		assert_int_equal(child_read(c, until, &line, &length), CHILD_LINE);
		read_file(path, i ? after : before, sizeof after);
	}
	/* The pipes to the first are not among what the second has. */
	assert_string_equal(before, after);
	child_end(&first, true);
	child_end(&second, true);
	unlink(path);
	no_child_is_left();
}

static void nothing(int signal_number)
{
	(void)signal_number;
	fail_msg("%s", "SIGPIPE was raised");
}

/* Writing to the dead is an answer and no signal; a deaf child costs only the time given. */
static void test_child__writing_is_safe(void **state)
{
	(void)state;
	static char much[1 << 20];
	struct child child;
	struct sigaction before, raised = { .sa_handler = nothing };
	char *line;
	size_t length;
	sigaction(SIGPIPE, &raised, &before);
	assert_int_equal(child_start(&child, &mem_malloc, "true", NULL, NULL, NULL), QV_OK);
	assert_int_equal(child_read(&child, clock_us() + 60000000, &line, &length), CHILD_ENDED);
	enum child_got got = CHILD_LINE;
	for (int i = 0; i < 5000 && got == CHILD_LINE; i++) {
		/* Its output may be closed a moment before its input is. */
		nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
		got = child_write(&child, "x\n", 2, clock_us() + 60000000);
	}
	assert_int_equal(got, CHILD_ENDED);
	child_end(&child, false);
	sigaction(SIGPIPE, &before, NULL);
	assert_int_equal(child_start(&child, &mem_malloc, "sleep 100", NULL, NULL, NULL), QV_OK);
	memset(much, 'x', sizeof much);
	assert_int_equal(child_write(&child, much, sizeof much, clock_us() + 20000), CHILD_TIMEOUT);
	assert_int_equal(child_read(&child, clock_us() + 20000, &line, &length), CHILD_TIMEOUT);
	child_end(&child, false);
	child_end(&child, false);
	no_child_is_left();
}

/* A move with a blank cannot be said in UGI: told before anything goes wrong. */
static void test_protocol_player__ugi_is_for_games_that_fit(void **state)
{
	(void)state;
	struct qv_context *context = desk_context(NULL);
	struct qv_rules rules;
	struct qv_player *player = NULL;
	struct qv_error error = { "" };
	assert_int_equal(qv_rules_parse(context, "race", &rules, NULL), QV_OK);
	assert_int_equal(player_open(context, &rules, "ugi:x", NULL, &player, &error),
			 QV_UNSUPPORTED);
	assert_int_equal(qv_rules_parse(context, "toy-three", &rules, NULL), QV_OK);
	assert_int_equal(player_open(context, &rules, "ugi:x", NULL, &player, &error),
			 QV_UNSUPPORTED);
	qv_context_free(context);
}

/* ---- Memory ---- */

/* Each allocation fails once: no answer but QV_NO_MEMORY, nothing kept, no child left. */
static void test_protocol_player__survives_want_of_memory(void **state)
{
	(void)state;
	struct meter m = meter_make();
	const struct qv_allocator allocator = { meter_resize, &m };
	bool failed = true;
	int late = 0;
	for (int n = 1; failed; n++) {
		assert_true(n < 200 && late < TRIES);
		meter_arm(&m, n, false);
		struct qv_context *context = qv_context_new(&allocator);
		struct qv_rules rules;
		struct qv_player *player = NULL;
		struct qv_answer answer = { .size = sizeof answer };
		struct qv_error error = { "" };
		failed = !context;
		if (!failed) {
			void *at = qv_rules_parse(context, "noughts", &rules, NULL) == QV_OK ?
					   qv_state_new(context, rules.game) :
					   NULL;
			enum qv_status status = at ? QV_OK : QV_NO_MEMORY;
			if (at) {
				rules.game->start(rules.options, at);
				status = player_open(context, &rules, "qgp:" MOCK_ENGINE " good",
						     NULL, &player, &error);
			}
			if (status == QV_OK)
				status = player_think(player, NULL, at, NULL, NULL, &answer, &error);
			failed = status != QV_OK;
			/* Too slow a machine: once more, with the same allocation. */
			const bool slow = player && player_fault(player) == FAULT_HELLO;
			late += slow;
			n -= slow;
			qv_player_free(player);
			if (at)
				qv_state_free(context, rules.game, at);
			assert_true(status == QV_OK || status == QV_NO_MEMORY || slow);
		}
		qv_context_free(context);
		assert_int_equal(m.bytes, 0);
	}
	no_child_is_left();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_protocol_player__plays_every_game_as_in_process, open_bench,
						close_bench),
		cmocka_unit_test_setup_teardown(test_protocol_player__ugi_plays_whole_games, open_bench,
						close_bench),
		cmocka_unit_test_setup_teardown(test_protocol_player__hub_plays_whole_games, open_bench,
						close_bench),
		cmocka_unit_test(test_protocol_player__names_every_fault),
		cmocka_unit_test_setup_teardown(test_protocol_player__a_missing_program_is_said, open_bench,
						close_bench),
		cmocka_unit_test_setup_teardown(test_protocol_player__starts_anew_after_a_fault, open_bench,
						close_bench),
		cmocka_unit_test_setup_teardown(test_protocol_player__passes_a_stop_on, open_bench,
						close_bench),
		cmocka_unit_test(test_child__what_it_started_ends_with_it),
		cmocka_unit_test(test_child__inherits_no_descriptor_of_the_library),
		cmocka_unit_test(test_child__writing_is_safe),
		cmocka_unit_test(test_protocol_player__ugi_is_for_games_that_fit),
		cmocka_unit_test(test_protocol_player__survives_want_of_memory),
	};
	/* For the programs that are started, not for this one: looking for leaks takes them seconds. */
	setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
