/*
 * train.h - reversi: weights of patterns learned in rounds of games and fits.
 * SPDX-License-Identifier: MIT
 *
 * As rounds.h has it; the first round's games are played with the evaluation by hand.
 */
#ifndef LEARN_REVERSI_TRAIN_H
#define LEARN_REVERSI_TRAIN_H

#include "learn/reversi/fit.h"
#include "learn/rounds.h"

struct train_plan {
	uint64_t seed;
	int rounds;
	int64_t games;                     /* of a round */
	int depth, solve;                  /* of the games' players */
	int remember;                      /* rounds whose games a fit takes, its own too */
	struct fit_plan fit;
};

/*
 * A plan from text, `rounds=4,games=1000`: the keys are the fields' names, and what it leaves out
 * is as plan.c has it. The seed is left alone.
 */
enum qv_status train_plan_parse(const char *text, struct train_plan *out, struct qv_error *error);
void train_plan_text(const struct train_plan *plan, char *out, size_t size);   /* all of it */

/* What a round came to. */
struct train_round {
	struct rounds_news round;
	int64_t samples;                   /* of the fit */
	double before, after;              /* error in discs on the games held back, of all phases */
	double error[PATTERN_PHASES];      /* ... after, of each; -1: no sample */
};

struct train_job {
	struct train_plan plan;
	const char *folder;                /* is made, if need be */
	int threads;
	const atomic_bool *stop;           /* NULL: never */
	void *ctx;
	void (*progress)(void *ctx, int round, int64_t games);     /* NULL: nobody asks */
	void (*round)(void *ctx, const struct train_round *round); /* NULL: nobody asks */
};

/* Sets *out to the last round's weights. The same plan gives the same, on any number of threads. */
enum qv_status train_run(const struct train_job *job, const struct qv_allocator *allocator,
			 struct reversi_patterns *out, struct qv_error *error);

#endif
