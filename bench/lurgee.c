/*
 * lurgee.c - how many evaluations a second the Lurgee framework's search makes: the table of
 * docs/results/performance.md.
 * SPDX-License-Identifier: MIT
 *
 * Processor time, the best of several rounds; the counts are the same on every machine.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "quevedo.h"

enum { ROUNDS = 5, POSITIONS = 4 };

static const struct {
	const char *game;
	int depth;
	double release;            /* the release's evaluations a second on this kind of machine */
} games[] = {
	{ "reversi", 9, 450000 },
	{ "connect4", 12, 1600000 },
	{ "morris", 7, 1600000 },
};

static const char *const searches[] = {
	"search=negamax,iterate=0,killers=0",
	"search=negascout,iterate=0,killers=0",
	"search=negascout,iterate=1,killers=4",
};

static void must(enum qv_status status, const struct qv_error *error)
{
	if (status == QV_OK)
		return;
	fprintf(stderr, "bench_lurgee: %s\n", error->text);
	exit(1);
}

static double processor_seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Random play, but never into the end of the game. */
static void wander(const struct qv_game *game, void *state, void *scratch, int plies)
{
	struct qv_random random = { (uint64_t)plies, 0 };
	qv_move list[QV_MAX_MOVES];
	int32_t points[QV_MAX_SEATS];
	for (int i = 0; i < plies; i++) {
		memcpy(scratch, state, game->state_size);
		const uint64_t n = (uint64_t)game->moves(state, list);
		game->play(scratch, list[qv_random_below(&random, n)]);
		if (game->result(scratch, points) == QV_GOING)
			memcpy(state, scratch, game->state_size);
	}
}

static uint64_t search_all(struct qv_player *player, void *const *states)
{
	const struct qv_limits none = { .size = sizeof none };
	struct qv_error error;
	struct qv_answer answer = { .size = sizeof answer };
	uint64_t evals = 0;
	for (int i = 0; i < POSITIONS; i++) {
		must(qv_player_think(player, states[i], &none, NULL, &answer, &error), &error);
		evals += answer.evals;
	}
	return evals;
}

static void measure(const struct qv_context *context, const struct qv_rules *rules,
		    void *const *states, int depth, const char *search, double release)
{
	struct qv_error error;
	struct qv_player *player;
	uint64_t evals = 0;
	double best = 1e9;
	char spec[160];
	snprintf(spec, sizeof spec, "lurgee:eval=lurgee22,book=none,depth=%d,%s", depth, search);
	must(qv_player_new(context, rules, spec, NULL, &player, &error), &error);
	for (int round = 0; round < ROUNDS; round++) {
		const double started = processor_seconds();
		evals = search_all(player, states);
		const double seconds = processor_seconds() - started;
		best = seconds < best ? seconds : best;
	}
	qv_player_free(player);
	printf("%-10s %-40s %10llu evals  %7.1f M/s  %5.1f times the release\n", rules->game->name,
	       search, (unsigned long long)evals, (double)evals / best / 1e6,
	       (double)evals / best / release);
}

/* A game's name as argument: only that one. */
int main(int argc, char **argv)
{
	static const int plies[POSITIONS] = { 0, 8, 16, 24 };
	struct qv_context *context = qv_context_new(NULL);
	for (size_t g = 0; context && g < sizeof games / sizeof *games; g++) {
		struct qv_rules rules;
		struct qv_error error;
		void *states[POSITIONS];
		if (argc > 1 && strcmp(argv[1], games[g].game) != 0)
			continue;
		must(qv_rules_parse(context, games[g].game, &rules, &error), &error);
		void *scratch = malloc(rules.game->state_size);
		for (int i = 0; i < POSITIONS; i++) {
			states[i] = malloc(rules.game->state_size);
			must(scratch && states[i] ? QV_OK : QV_NO_MEMORY, &error);
			must(qv_position_parse(&rules, NULL, states[i], &error), &error);
			wander(rules.game, states[i], scratch, plies[i]);
		}
		for (size_t i = 0; i < sizeof searches / sizeof *searches; i++)
			measure(context, &rules, states, games[g].depth, searches[i],
				games[g].release);
		for (int i = 0; i < POSITIONS; i++)
			free(states[i]);
		free(scratch);
	}
	qv_context_free(context);
	return 0;
}
