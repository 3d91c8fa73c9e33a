/*
 * connect4_solver.c - the mean time in which connect-four positions of public sets are solved, with
 * distance.
 * SPDX-License-Identifier: MIT
 *
 *     bench_connect4_solver [FILE...]
 *     bench_connect4_solver discs=N COUNT [THREADS]
 *
 * The second form solves positions of random games with N discs, each with a new solver, and prints
 * the mean and the longest processor and wall-clock time.
 *
 * A line of a set has the columns played and the score (see tests/data/connect4-end-easy.txt). One
 * solver solves all positions of a set in order; its table needs no clearing between them. The time
 * is processor time, the best of several rounds, each with a new solver. A wrong value ends the
 * program with status 1.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "quevedo.h"

enum { ROUNDS = 5, MOST_POSITIONS = 10000, COLUMNS = 64 };

struct problem {
	char columns[COLUMNS];
	int score;
};

static void fail(const char *what, const char *why)
{
	fprintf(stderr, "bench_connect4_solver: %s: %s\n", what, why);
	exit(1);
}

static double seconds_of(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double processor_seconds(void)
{
	return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

static int read_set(const char *path, struct problem *set)
{
	char line[256];
	int n = 0;
	FILE *file = fopen(path, "r");
	if (!file)
		fail(path, "cannot be read");
	while (n < MOST_POSITIONS && fgets(line, sizeof line, file))
		if (line[0] != '#' && sscanf(line, "%63s %d", set[n].columns, &set[n].score) == 2)
			n++;
	fclose(file);
	if (n == 0)
		fail(path, "has no positions");
	return n;
}

/* 22 minus the winner's discs at the end, negative if the side to move loses. */
static int score_of(const struct qv_solution *s, int discs)
{
	const int winners = (discs + s->in + 1) / 2;
	return s->value == QV_VALUE_WIN  ? 22 - winners :
	       s->value == QV_VALUE_LOSS ? winners - 22 : 0;
}

/* The seconds to solve the set; the positions are parsed beforehand. */
static double solve_set(const struct qv_context *context, const struct qv_rules *rules,
			const struct problem *set, int n, unsigned char *states,
			uint64_t *nodes)
{
	const struct qv_solve_limits limits = { .size = sizeof limits, .distance = true };
	struct qv_solver *solver;
	struct qv_solution solution = { .size = sizeof solution };
	if (qv_solver_new(context, rules, (size_t)64 << 20, &solver, NULL) != QV_OK)
		fail("solver", "out of memory");
	*nodes = 0;
	const double started = processor_seconds();
	for (int i = 0; i < n; i++) {
		const void *state = states + (size_t)i * rules->game->state_size;
		if (qv_solver_solve(solver, state, &limits, &solution, NULL) != QV_OK ||
		    score_of(&solution, (int)strlen(set[i].columns)) != set[i].score)
			fail(set[i].columns, "wrong answer");
		*nodes += solution.nodes;
	}
	const double seconds = processor_seconds() - started;
	qv_solver_free(solver);
	return seconds;
}

static void measure(const struct qv_context *context, const struct qv_rules *rules,
		    const char *path)
{
	struct problem *set = calloc(MOST_POSITIONS, sizeof *set);
	unsigned char *states = malloc(MOST_POSITIONS * rules->game->state_size);
	uint64_t nodes = 0;
	double best = 0;
	if (!set || !states)
		fail(path, "out of memory");
	const int n = read_set(path, set);
	for (int i = 0; i < n; i++) {
		void *state = states + (size_t)i * rules->game->state_size;
		if (qv_position_parse(rules, set[i].columns, state, NULL) != QV_OK)
			fail(set[i].columns, "no position");
	}
	for (int round = 0; round < ROUNDS; round++) {
		const double seconds = solve_set(context, rules, set, n, states, &nodes);
		best = round == 0 || seconds < best ? seconds : best;
	}
	const char *slash = strrchr(path, '/');
	printf("%s: %d positions, mean %.2f us, %.1f nodes\n", slash ? slash + 1 : path, n,
	       1e6 * best / n, (double)nodes / n);
	free(states);
	free(set);
}

/* A position of a random game that has not ended. */
static void wander(const struct qv_game *game, const struct qv_rules *rules, int discs,
		   struct qv_random *random, void *state)
{
	qv_move list[QV_MAX_MOVES];
	int32_t points[QV_MAX_SEATS];
	qv_position_parse(rules, "start", state, NULL);
	for (int i = 0; i < discs; i++) {
		game->play(state, list[qv_random_below(random, (uint64_t)game->moves(state, list))]);
		if (game->result(state, points) != QV_GOING) {
			qv_position_parse(rules, "start", state, NULL);
			i = -1;
		}
	}
}

struct times {
	double sum, longest;
};

static void add_time(struct times *t, double seconds)
{
	t->sum += seconds;
	t->longest = seconds > t->longest ? seconds : t->longest;
}

static void measure_random(const struct qv_context *context, const struct qv_rules *rules,
			   int discs, int count, int threads)
{
	const struct qv_solve_limits limits = { .size = sizeof limits,
						.distance = true,
						.threads = threads };
	struct qv_random random = { .key = 4 };
	void *state = malloc(rules->game->state_size);
	struct times work = { 0, 0 }, wall = { 0, 0 };
	uint64_t nodes = 0, most_nodes = 0;
	if (!state || discs < 0 || discs > 30 || count < 1 || threads < 1)
		fail("discs", "0 to 30, at least one position, and one thread");
	for (int i = 0; i < count; i++) {
		struct qv_solver *solver;
		struct qv_solution solution = { .size = sizeof solution };
		wander(rules->game, rules, discs, &random, state);
		const double work_before = processor_seconds(), before = seconds_of(CLOCK_MONOTONIC);
		if (qv_solver_new(context, rules, (size_t)64 << 20, &solver, NULL) != QV_OK ||
		    qv_solver_solve(solver, state, &limits, &solution, NULL) != QV_OK)
			fail("solver", "out of memory");
		add_time(&work, processor_seconds() - work_before);
		add_time(&wall, seconds_of(CLOCK_MONOTONIC) - before);
		qv_solver_free(solver);
		nodes += solution.nodes;
		most_nodes = solution.nodes > most_nodes ? solution.nodes : most_nodes;
	}
	printf("%d discs: %d positions, processors mean %.1f ms, longest %.1f ms; clock mean %.1f ms, "
	       "longest %.1f ms; mean %.0f nodes, most %.0f\n",
	       discs, count, 1e3 * work.sum / count, 1e3 * work.longest, 1e3 * wall.sum / count,
	       1e3 * wall.longest, (double)nodes / count, (double)most_nodes);
	free(state);
}

int main(int argc, char **argv)
{
	static const char *const sets[] = { BENCH_DATA "/connect4-end-easy.txt",
					    BENCH_DATA "/connect4-middle-easy.txt",
					    BENCH_DATA "/connect4-begin-easy.txt" };
	struct qv_context *context = qv_context_new(NULL);
	struct qv_rules rules;
	if (!context || qv_rules_parse(context, "connect4", &rules, NULL) != QV_OK)
		fail("connect4", "no such game");
	if (argc >= 3 && argc <= 4 && strncmp(argv[1], "discs=", 6) == 0) {
		measure_random(context, &rules, atoi(argv[1] + 6), atoi(argv[2]),
			       argc > 3 ? atoi(argv[3]) : 1);
		argc = 0;
	}
	for (int i = 1; i < argc; i++)
		measure(context, &rules, argv[i]);
	for (size_t i = 0; argc == 1 && i < sizeof sets / sizeof *sets; i++)
		measure(context, &rules, sets[i]);
	qv_context_free(context);
	return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
