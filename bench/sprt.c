/*
 * sprt.c - verifies the error rate of the sequential probability ratio test: a player against
 * itself, many times.
 * SPDX-License-Identifier: MIT
 * usage: bench_sprt [GAME [SPEC [RUNS [PLIES [pairs]]]]]
 *
 * Each run is a match with its own seed that continues until the test has decided between elo0=0
 * and elo1=50. H0 is true, so about 95 % of the runs must accept it, in about as many games as
 * Wald's formula predicts. Games start with PLIES random moves. docs/results/strength.md has the
 * output.
 */
#include <stdio.h>
#include <stdlib.h>

#include "match/match.h"
#include "match/sprt.h"

struct run {
	struct sprt sprt;
	bool pairs;
	struct sprt_state state;
};

static void fail(const char *what)
{
	fprintf(stderr, "bench_sprt: %s\n", what);
	exit(1);
}

static bool decide(void *ctx, const struct match_game *game, const struct match_totals *so_far)
{
	struct run *r = ctx;
	(void)game;
	r->state = r->pairs ? sprt_of_pairs(&r->sprt, &so_far->pairs[1])
			    : sprt_of_games(&r->sprt, &so_far->meetings[1]);
	return r->state.verdict == SPRT_GOING_ON;
}

struct sums {
	int64_t runs, accepted, games;
	struct tally results;
	struct pair_tally pairs;
};

static void play(const struct qv_context *context, const struct match_plan *plan, struct run *r,
		 struct sums *sums)
{
	const struct match_run run = { .no_times = true, .listener = { .game = decide, .ctx = r } };
	struct match_totals totals;
	struct qv_error error;
	if (match_run(context, plan, &run, &totals, &error) != QV_OK)
		fail(error.text);
	if (r->state.verdict == SPRT_GOING_ON)
		fail("a run did not end");
	const struct tally *t = &totals.meetings[1];
	const struct pair_tally *p = &totals.pairs[1];
	sums->runs++;
	sums->accepted += r->state.verdict == SPRT_H0;
	sums->games += totals.games;
	sums->results.wins += t->wins, sums->results.draws += t->draws;
	sums->results.losses += t->losses;
	sums->pairs.ll += p->ll, sums->pairs.ld += p->ld, sums->pairs.wl += p->wl;
	sums->pairs.dd += p->dd, sums->pairs.wd += p->wd, sums->pairs.ww += p->ww;
	totals_release(&totals);
}

/* The variance of a game's score; for pairs, scaled to one game. */
static double variance(const struct sums *s, bool pairs)
{
	if (pairs) {
		const double n = (double)pair_tally_pairs(&s->pairs);
		return 2 * ((double)(s->pairs.ll + s->pairs.ww) / 4 +
			    (double)(s->pairs.ld + s->pairs.wd) / 16) / n;
	}
	return (double)(s->results.wins + s->results.losses) / 4 / (double)s->games;
}

int main(int argc, char **argv)
{
	const char *game = argc > 1 ? argv[1] : "connect4";
	const char *spec = argc > 2 ? argv[2] : "alphabeta:depth=3,random=1";
	const int runs = argc > 3 ? atoi(argv[3]) : 200;
	struct qv_context *context = qv_context_new(NULL);
	struct qv_error error;
	struct run r = { .pairs = argc > 5 };
	struct sums sums = { 0 };
	const struct match_player players[2] = { { "one", spec }, { "other", spec } };
	struct match_plan plan = { .players = players, .player_count = 2, .games = 100000,
				   .pairs = r.pairs, .hash_mb = 1,
				   .random_plies = argc > 4 ? atoi(argv[4]) : 4 };
	if (!context || sprt_parse("elo0=0,elo1=50", &r.sprt, &error) != QV_OK)
		fail("out of memory");
	if (qv_rules_parse(context, game, &plan.rules, &error) != QV_OK)
		fail(error.text);
	for (int i = 0; i < runs; i++) {
		plan.seed = (uint64_t)i + 1;
		play(context, &plan, &r, &sums);
	}
	const double wald = sprt_expected_length(&r.sprt, variance(&sums, r.pairs));
	printf("| %s | `%s` | %d | %s | %lld | %.1f %% | %.1f %% | %.1f | %.1f |\n", game, spec,
	       plan.random_plies, r.pairs ? "pairs" : "games", (long long)sums.runs,
	       100.0 * (double)sums.results.draws / (double)sums.games,
	       100.0 * (double)sums.accepted / (double)sums.runs,
	       (double)sums.games / (double)sums.runs, wald);
	qv_context_free(context);
	return 0;
}
