/*
 * perft.c - leaves counted from the start against known numbers: alone, with a table, in threads,
 * and as a plug-in's game.
 * SPDX-License-Identifier: MIT
 *
 * tests/data/<game>-perft.txt holds the numbers, a depth and its leaves on each line.
 */
#include "support/desk.h"

#include <stdio.h>

#include "support/scale.h"

enum { MOST_DEPTHS = 32 };

static int read_counts(const char *game, uint64_t counts[MOST_DEPTHS])
{
	char path[512], line[256];
	int depth = 0;
	snprintf(path, sizeof path, "%s/%.*s-perft.txt", TEST_DATA, (int)strcspn(game, ":"), game);
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	while (fgets(line, sizeof line, file)) {
		int read_depth;
		unsigned long long leaves;
		if (line[0] == '#')
			continue;
		assert_int_equal(sscanf(line, "%d %llu", &read_depth, &leaves), 2);
		assert_int_equal(read_depth, ++depth);
		counts[depth] = leaves;
	}
	fclose(file);
	return depth;
}

static uint64_t count(const struct desk *d, const struct qv_perft_limits *limits)
{
	uint64_t leaves = 0;
	struct qv_error error = { "" };
	if (qv_perft(d->context, d->rules.game, d->state, limits, &leaves, &error) != QV_OK)
		fail_msg("%s", error.text);
	return leaves;
}

/*
 * Each depth in every way, as long as there are not too many leaves; the deepest must be reached at
 * full scale.
 */
static void check_counts(const char *game, bool as_plugin, uint64_t most_leaves, int deepest)
{
	static const struct {
		size_t hash_bytes;
		int threads;
	} ways[] = { { 0, 0 }, { 0, 2 }, { 16 << 20, 0 }, { 1 << 16, 1 }, { 1 << 20, 3 } };
	enum { WAYS = sizeof ways / sizeof *ways, WAYS_IF_MANY = 3, MANY = 100000000 };
	uint64_t counts[MOST_DEPTHS];
	const int depths = read_counts(game, counts);
	struct qv_context *context = desk_context(NULL);
	struct desk d;
	int reached = 0;
	desk_open(&d, context, game, "start");
	if (as_plugin)
		desk_as_plugin(&d);
	for (int depth = 1;
	     depth <= depths && counts[depth] <= (uint64_t)scaled((int64_t)most_leaves); depth++) {
		for (int i = 0; i < (counts[depth] < MANY ? WAYS : WAYS_IF_MANY); i++) {
			const struct qv_perft_limits limits = { .size = sizeof limits,
								.depth = depth,
								.hash_bytes = ways[i].hash_bytes,
								.threads = ways[i].threads };
			const uint64_t leaves = count(&d, &limits);
			if (leaves != counts[depth])
				fail_msg("%s %d, way %d: %llu", game, depth, i,
					 (unsigned long long)leaves);
		}
		reached = depth;
	}
	print_message("%s%s to depth %d\n", game, as_plugin ? " as a plug-in" : "", reached);
	assert_true(reached >= (scaled(100) >= 100 ? deepest : deepest - 2));
	desk_close(&d);
	qv_context_free(context);
}

static void test_perft__known_counts(void **unused)
{
	(void)unused;
	check_counts("noughts", false, 300000000, 9);
	check_counts("connect4", false, 300000000, 10);
	check_counts("reversi", false, 300000000, 11);
	check_counts("hexapawn", false, 300000000, 7);
	check_counts("hexapawn:blocked=draw", false, 300000000, 7);
	check_counts("noughts3d", false, 1000000000, 5);
	check_counts("minichess", false, 10000000, 7);
	check_counts("draughts", false, 20000000, 10);
}

static void test_perft__known_counts_over_the_plugin_interface(void **unused)
{
	(void)unused;
	check_counts("noughts", true, 30000000, 9);
	check_counts("connect4", true, 30000000, 8);
	check_counts("reversi", true, 30000000, 10);
	check_counts("hexapawn", true, 30000000, 7);
	check_counts("noughts3d", true, 30000000, 4);
	check_counts("minichess", true, 1000000, 6);
	check_counts("draughts", true, 1000000, 8);
}

static uint64_t games_ending_at(const struct qv_game *game, const void *state, int ply)
{
	qv_move list[64];
	int32_t points[QV_MAX_SEATS];
	if (ply == 0)
		return game->result(state, points) == QV_ENDED;
	uint64_t ended = 0, next[8];
	assert_true(game->state_size <= sizeof next);
	for (int n = game->moves(state, list); n > 0; n--) {
		memcpy(next, state, game->state_size);
		game->play(next, list[n - 1]);
		ended += games_ending_at(game, next, ply - 1);
	}
	return ended;
}

/* What the published convention and ours differ by. */
static void test_perft__reversi_games_that_end_early(void **unused)
{
	(void)unused;
	struct qv_context *context = desk_context(NULL);
	struct desk d;
	desk_open(&d, context, "reversi", "start");
	for (int ply = 0; ply < 9; ply++)
		assert_int_equal(games_ending_at(d.rules.game, d.state, ply), 0);
	assert_int_equal(games_ending_at(d.rules.game, d.state, 9), 228);
	desk_close(&d);
	qv_context_free(context);
}

static void test_perft__depths_at_the_edge(void **unused)
{
	(void)unused;
	struct qv_context *context = desk_context(NULL);
	struct desk going, ended;
	desk_open(&going, context, "noughts", "xx.oo.... x");
	desk_open(&ended, context, "noughts", "xxxoo.... o");
	for (int threads = 0; threads <= 2; threads++) {
		struct qv_perft_limits limits = { .size = sizeof limits, .threads = threads };
		assert_int_equal(count(&going, &limits), 1);
		assert_int_equal(count(&ended, &limits), 1); /* ends exactly there */
		limits.depth = 1;
		assert_int_equal(count(&ended, &limits), 0);
		assert_int_equal(count(&going, &limits), 5);
		limits.depth = 100;
		assert_int_equal(count(&going, &limits), 0);
	}
	static const int bad[] = { -1, 101, INT32_MIN, INT32_MAX };
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct qv_error error = { "" };
		uint64_t leaves = 77;
		const struct qv_perft_limits limits = { .size = sizeof limits, .depth = bad[i] };
		assert_int_equal(
			qv_perft(context, going.rules.game, going.state, &limits, &leaves, &error),
			QV_BAD_INPUT);
		assert_memory_equal(error.text, "depth: ", 7);
		assert_int_equal(leaves, 77);
	}
	desk_close(&going);
	desk_close(&ended);
	qv_context_free(context);
}

static void test_perft__stopped_before_it_starts(void **unused)
{
	(void)unused;
	struct qv_context *context = desk_context(NULL);
	struct desk d;
	desk_open(&d, context, "connect4", "start");
	struct qv_flag stop = { 1 };
	for (int threads = 0; threads <= 2; threads++) {
		struct qv_error error = { "" };
		uint64_t leaves = 0;
		const struct qv_perft_limits limits = { .size = sizeof limits,
							.depth = 20,
							.hash_bytes = 1 << 20,
							.threads = threads,
							.stop = &stop }; /* weeks, if it went on */
		assert_int_equal(qv_perft(context, d.rules.game, d.state, &limits, &leaves, &error),
				 QV_STOPPED);
		assert_string_equal(error.text, "perft: stopped");
	}
	qv_flag_clear(&stop);
	const struct qv_perft_limits limits = { .size = sizeof limits,
						.depth = 4,
						.threads = 2,
						.stop = &stop };
	assert_int_equal(count(&d, &limits), 2401);
	desk_close(&d);
	qv_context_free(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_perft__known_counts),
		cmocka_unit_test(test_perft__known_counts_over_the_plugin_interface),
		cmocka_unit_test(test_perft__reversi_games_that_end_early),
		cmocka_unit_test(test_perft__depths_at_the_edge),
		cmocka_unit_test(test_perft__stopped_before_it_starts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
