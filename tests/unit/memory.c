/*
 * memory.c - running out of memory is survivable: whatever is being done, each of our allocations
 * fails once, and then each with all after it.
 * SPDX-License-Identifier: MIT
 *
 * Every job must say QV_NO_MEMORY or succeed all the same, give back what it took, leave its
 * outputs alone, and do its work when asked again.
 */
#include "support/desk.h"

#include <stdio.h>
#include <unistd.h>

#include "support/meter.h"
#include "support/scale.h"

/*
 * A job and what it needs. run does one piece of work, and can be called again after it has failed.
 */
struct bench {
	struct meter meter;
	struct qv_allocator allocator;
	struct qv_context *context;
	struct desk desk;
	const char *game, *spec;
	struct qv_player *player; /* for jobs that keep theirs */
	struct qv_answer answer;
	uint64_t history[600];
	int history_count;
	struct qv_error error;
};

typedef enum qv_status job(struct bench *b);

static void bench_open(struct bench *b, const char *game, const char *spec)
{
	*b = (struct bench){ .meter = meter_make(), .game = game, .spec = spec };
	b->answer.size = sizeof b->answer;
	b->allocator = (struct qv_allocator){ meter_resize, &b->meter };
	b->context = desk_context(&b->allocator);
	desk_open(&b->desk, b->context, game, "start");
}

static void bench_close(struct bench *b)
{
	qv_player_free(b->player);
	desk_close(&b->desk);
	qv_context_free(b->context);
	assert_int_equal(b->meter.blocks, 0);
	assert_int_equal(b->meter.bytes, 0);
	assert_int_equal(b->meter.wrong_sizes, 0);
}

/* One failure, and the same work again without. False: there were fewer allocations than that. */
static bool fail_once(struct bench *b, job *run, int64_t n, bool from_there_on)
{
	b->error.text[0] = '\0';
	meter_arm(&b->meter, n, from_there_on);
	const int64_t blocks = b->meter.blocks;
	const enum qv_status status = run(b);
	const bool failed = b->meter.failed;
	meter_arm(&b->meter, 0, false);
	if (status != QV_OK && status != QV_NO_MEMORY)
		fail_msg("%s %s, allocation %lld: %s: %s", b->game, b->spec, (long long)n,
			 qv_status_text(status), b->error.text);
	if (status == QV_NO_MEMORY) {
		assert_true(failed);
		assert_non_null(strstr(b->error.text, ": "));
		const int64_t left = b->meter.blocks;
		assert_int_equal(run(b), QV_OK);
		/* Nothing is left but what the context keeps for all: a book. */
		if (!b->player && left != blocks)
			assert_int_equal(left, b->meter.blocks);
	}
	return failed;
}

/*
 * Fails every n-th allocation of the job; beyond the first `closely` only some. Returns how many
 * there are.
 */
static int64_t survive(const char *game, const char *spec, job *prepare, job *run, int64_t closely)
{
	int64_t n = 1;
	for (int mode = 0; mode < 2; mode++)
		for (n = 1;; n += n < closely ? 1 : 1 + n / 3) {
			struct bench b;
			bench_open(&b, game, spec);
			assert_int_equal(prepare ? prepare(&b) : QV_OK, QV_OK);
			const bool failed = fail_once(&b, run, n, mode == 1);
			bench_close(&b);
			if (!failed)
				break;
		}
	return n - 1;
}

/* ---- Players ---- */

static enum qv_status make_and_think(struct bench *b)
{
	const struct qv_defaults defaults = {
		.size = sizeof defaults, .seed = 1, .threads = 1, .hash_mb = 1
	};
	struct qv_player *player = NULL;
	enum qv_status status =
		qv_player_new(b->context, &b->desk.rules, b->spec, &defaults, &player, &b->error);
	if (status != QV_OK) {
		assert_null(player);
		return status;
	}
	const struct qv_answer unspoilt = { .size = sizeof unspoilt, .depth = 77, .nodes = 77 };
	struct qv_answer answer = unspoilt;
	status = qv_player_think(player, b->desk.state, NULL, NULL, &answer, &b->error);
	if (status == QV_OK)
		assert_true(qv_move_legal(b->desk.rules.game, b->desk.state, answer.move));
	else
		assert_memory_equal(&answer, &unspoilt, sizeof answer);
	qv_player_free(player);
	return status;
}

static void test_memory__making_every_kind_of_player_and_thinking(void **unused)
{
	static const char *const games[] = { "noughts",   "connect4",    "reversi",
					     "toy-quiet", "toy-counted", "toy-repeat" };
	static const char *const specs[] = {
		"random",
		"level:1",
		"level:3",
		"minimax:depth=2",
		"negamax:depth=2",
		"alphabeta:depth=3,tt=0",
		"alphabeta:depth=3,tt=1",
		"negascout:depth=3,tt=1,killers=3",
		"alphabeta:depth=3,tt=1,quiet=0,stack=1",
		"mtdf:depth=3,tt=1,random=1",
		"alphabeta:depth=3,tt=1,threads=2",
		"negascout:depth=3,tt=1,threads=4",
		"mcts:playouts=60",
	};
	(void)unused;
	for (size_t i = 0; i < sizeof games / sizeof *games; i++)
		for (size_t j = 0; j < sizeof specs / sizeof *specs; j++)
			assert_true(survive(games[i], specs[j], NULL, make_and_think, 1000) >= 2);
	assert_true(survive("noughts", "book", NULL, make_and_think, 1000) == 3);
	assert_true(survive("reversi", "lurgee:depth=2,weight=discs[1]:3", NULL, make_and_think,
			    1000) == 2);
	assert_true(survive("reversi", "level:2,book=own,line=Tiger", NULL, make_and_think, 1000) >= 9);
	assert_true(survive("toy-die", "random", NULL, make_and_think, 1000) == 3);
	assert_true(survive("toy-three", "mcts:playouts=60", NULL, make_and_think, 1000) >= 3);
	assert_true(survive("toy-three", "maxn:depth=3", NULL, make_and_think, 1000) >= 4);
	assert_true(survive("toy-repeat", "paranoid:depth=3", NULL, make_and_think, 1000) >= 5);
	assert_true(survive("reversi", "brs:depth=2,random=1", NULL, make_and_think, 1000) >= 4);
	assert_true(survive("toy-solo", "mcts:playouts=60,tt=0", NULL, make_and_think, 1000) >= 3);
}

static void test_memory__reading_weights(void **unused)
{
	(void)unused;
	char path[] = "/tmp/test-memory-XXXXXX", spec[64];
	const int file = mkstemp(path);
	FILE *out = fdopen(file, "w");
	assert_non_null(out);
	for (int i = 0; i < 1000; i++)
		fprintf(out, "# a comment that makes the file grow past what is read at once\n");
	fprintf(out, "threat = 20\nmiddle = 5\n");
	fclose(out);
	snprintf(spec, sizeof spec, "alphabeta:depth=3,tt=1,weights=%s", path);
	assert_true(survive("connect4", spec, NULL, make_and_think, 1000) >= 8);
	unlink(path);
	static const char one[] = "alphabeta:depth=2,tt=1,weight=threat:3";
	assert_true(survive("connect4", one, NULL, make_and_think, 1000) >= 4);
}

static enum qv_status make_player(struct bench *b)
{
	b->player = desk_player(&b->desk, b->spec, 1);
	return QV_OK;
}

/* The kings walk to and fro: a history as long as a game can have. */
static enum qv_status think_with_history(struct bench *b)
{
	const struct qv_limits limits = { .size = sizeof limits, .history = b->history,
					  .history_count = b->history_count };
	return qv_player_think(b->player, b->desk.state, &limits, NULL, &b->answer, &b->error);
}

/* The player has thought before, with a short history; now comes a long one. */
static enum qv_status prepare_history(struct bench *b)
{
	for (size_t i = 0; i < sizeof b->history / sizeof *b->history; i++)
		b->history[i] = qv_random_at(1, i);
	make_player(b);
	b->history_count = 3;
	assert_int_equal(think_with_history(b), QV_OK);
	b->history_count = sizeof b->history / sizeof *b->history;
	return QV_OK;
}

static void test_memory__history_that_grows(void **unused)
{
	static const char *const specs[] = { "alphabeta:depth=4,tt=1",
					     "negascout:depth=4,tt=1,threads=3",
					     "minimax:depth=3", "mcts:playouts=60" };
	(void)unused;
	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
		assert_true(survive("toy-repeat", specs[i], prepare_history, think_with_history,
				    1000) >= 1);
}

/* A player that failed to think is none the worse: it answers as one that never failed. */
static void test_memory__failed_player_thinks_as_before(void **unused)
{
	(void)unused;
	struct bench whole, b;
	bench_open(&whole, "toy-repeat", "alphabeta:depth=6,tt=1");
	prepare_history(&whole);
	assert_int_equal(think_with_history(&whole), QV_OK);
	bench_open(&b, "toy-repeat", "alphabeta:depth=6,tt=1");
	prepare_history(&b);
	meter_arm(&b.meter, 1, true);
	for (int i = 0; i < 5; i++)
		assert_int_equal(think_with_history(&b), QV_NO_MEMORY);
	meter_arm(&b.meter, 0, false);
	assert_int_equal(think_with_history(&b), QV_OK);
	assert_true(same_answer(&b.answer, &whole.answer));
	bench_close(&whole);
	bench_close(&b);
}

/* Once it is made and has thought, a player needs no more memory. */
static void test_memory__nothing_is_allocated_while_playing(void **unused)
{
	static const char *const games[] = { "noughts", "connect4", "reversi", "toy-quiet",
					     "toy-repeat" };
	(void)unused;
	for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
		struct bench b;
		bench_open(&b, games[i], "alphabeta:depth=4,tt=1,threads=2");
		make_player(&b);
		assert_int_equal(think_with_history(&b), QV_OK);
		meter_arm(&b.meter, 1, true);
		for (int ply = 0; ply < 8 && desk_going(&b.desk); ply++) {
			assert_int_equal(think_with_history(&b), QV_OK);
			b.desk.rules.game->play(b.desk.state, b.answer.move);
		}
		qv_player_new_game(b.player);
		assert_int_equal(b.meter.calls, 0);
		bench_close(&b);
	}
}

/* ---- Perft ---- */

static enum qv_status count_leaves(struct bench *b)
{
	static const struct {
		size_t hash_bytes;
		int threads;
	} ways[] = { { 0, 0 }, { 1 << 16, 0 }, { 0, 3 }, { 1 << 16, 2 } };
	const int way = atoi(b->spec);
	const struct qv_perft_limits limits = { .size = sizeof limits,
						.depth = 5,
						.hash_bytes = ways[way].hash_bytes,
						.threads = ways[way].threads };
	uint64_t leaves = 77;
	const enum qv_status status = qv_perft(b->context, b->desk.rules.game, b->desk.state,
					       &limits, &leaves, &b->error);
	if (status != QV_OK)
		assert_int_equal(leaves, 77);
	else
		assert_int_equal(leaves, strcmp(b->game, "noughts") == 0   ? 15120
					 : strcmp(b->game, "reversi") == 0 ? 1396
									   : 16807);
	return status;
}

static void test_memory__perft(void **unused)
{
	static const char *const games[] = { "noughts", "connect4", "reversi" };
	static const char *const ways[] = { "0", "1", "2", "3" };
	(void)unused;
	for (size_t i = 0; i < 3; i++)
		for (size_t j = 0; j < 4; j++)
			assert_true(survive(games[i], ways[j], NULL, count_leaves, 1000) >=
				    (j ? 2 : 1));
}

/* ---- Contexts and plug-ins ---- */

static void test_memory__context(void **unused)
{
	(void)unused;
	struct meter meter = meter_make();
	const struct qv_allocator allocator = { meter_resize, &meter };
	meter_arm(&meter, 1, false);
	assert_null(qv_context_new(&allocator));
	struct qv_context *context = qv_context_new(&allocator);
	assert_non_null(context);
	struct desk d;
	desk_open(&d, context, "reversi", "start");
	meter_arm(&meter, 1, true);
	assert_null(qv_state_new(context, d.rules.game));
	/* Names, positions and moves need none. */
	struct qv_rules rules;
	qv_move move;
	assert_int_equal(qv_rules_parse(context, "othello", &rules, NULL), QV_OK);
	assert_int_equal(qv_position_parse(&rules, "start", d.state, NULL), QV_OK);
	assert_int_equal(qv_move_parse(rules.game, d.state, "D3", &move, NULL), QV_OK);
	assert_int_equal(meter.calls, 1);
	desk_close(&d);
	qv_context_free(context);
	assert_int_equal(meter.blocks, 0);
	assert_int_equal(meter.bytes, 0);
}

static int games_of(const struct qv_context *context)
{
	int n = 0;
	while (qv_game_at(context, n))
		n++;
	return n;
}

static void test_memory__loading_a_plugin(void **unused)
{
	(void)unused;
	int64_t failures = 0;
	struct qv_context *whole = desk_context(NULL);
	const int all = games_of(whole);
	qv_context_free(whole);
	for (int mode = 0; mode < 2; mode++)
		for (int64_t n = 1;; n++) {
			struct meter meter = meter_make();
			const struct qv_allocator allocator = { meter_resize, &meter };
			struct qv_context *context = qv_context_new(&allocator);
			struct qv_error error = { "" };
			const int before = games_of(context);
			meter_arm(&meter, n, mode == 1);
			const enum qv_status status = qv_context_load(context, TOY_PLUGIN, &error);
			const bool failed = meter.failed;
			meter_arm(&meter, 0, false);
			assert_int_equal(status, failed ? QV_NO_MEMORY : QV_OK);
			failures += failed;
			if (failed) {
				assert_string_equal(error.text, "plug-in: out of memory");
				assert_int_equal(games_of(context), before);
				assert_int_equal(qv_context_load(context, TOY_PLUGIN, &error),
						 QV_OK);
			}
			assert_int_equal(games_of(context), all);
			qv_context_free(context);
			assert_int_equal(meter.blocks, 0);
			assert_int_equal(meter.bytes, 0);
			assert_int_equal(meter.wrong_sizes, 0);
			if (!failed)
				break;
		}
	assert_true(failures >= 2 * 3); /* handles, the path, games */
}

/* ---- Records and the conformance suite ---- */

static enum qv_status load_record(struct bench *b)
{
	static const char journal[] =
		"{\"quevedo\":1,\"game\":\"connect4\",\"position\":\"start\"}\n"
		"{\"move\":\"4\"}\n{\"move\":\"4\"}\n{\"undo\":1}\n{\"move\":\"5\"}\n";
	struct qv_record *record = NULL;
	const enum qv_status status =
		qv_record_load(b->context, journal, sizeof journal - 1, &record, &b->error);
	if (status == QV_OK)
		assert_int_equal(qv_record_ply(record), 2);
	else
		assert_null(record);
	qv_record_free(record);
	return status;
}

static void test_memory__loading_a_record(void **unused)
{
	(void)unused;
	assert_true(survive("connect4", "record", NULL, load_record, 1000) >= 3);
}

static enum qv_status conform(struct bench *b)
{
	const struct qv_conformance how = {
		.size = sizeof how, .seed = 5, .games = 1, .search_depth = 2
	};
	return qv_conform(b->context, &b->desk.rules, &how, &b->error);
}

static void test_memory__conformance_suite(void **unused)
{
	(void)unused;
	assert_true(survive("noughts", "conform", NULL, conform, scaled(60)) >= 30);
	assert_true(survive("toy-repeat", "conform", NULL, conform, scaled(60)) >= 30);
	assert_true(survive("toy-die", "conform", NULL, conform, scaled(60)) >= 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_memory__making_every_kind_of_player_and_thinking),
		cmocka_unit_test(test_memory__reading_weights),
		cmocka_unit_test(test_memory__history_that_grows),
		cmocka_unit_test(test_memory__failed_player_thinks_as_before),
		cmocka_unit_test(test_memory__nothing_is_allocated_while_playing),
		cmocka_unit_test(test_memory__perft),
		cmocka_unit_test(test_memory__context),
		cmocka_unit_test(test_memory__loading_a_plugin),
		cmocka_unit_test(test_memory__loading_a_record),
		cmocka_unit_test(test_memory__conformance_suite),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
