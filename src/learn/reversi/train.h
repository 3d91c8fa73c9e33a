/*
 * train.h - reversi: trains the weights of the patterns in rounds (rounds.h).
 * SPDX-License-Identifier: MIT
 *
 * The first round's games are played with the hand-crafted evaluation.
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
	int remember;                      /* rounds whose games a fit uses, its own included */
	struct fit_plan fit;
};

/*
 * Parses a plan, `rounds=4,games=1000`: the keys are the names of the fields, and missing keys get
 * the defaults of plan.c. The seed is left alone.
 */
enum qv_status train_plan_parse(const char *text, struct train_plan *out, struct qv_error *error);
void train_plan_text(const struct train_plan *plan, char *out, size_t size);   /* all keys */

/* The result of a round. */
struct train_round {
	struct rounds_news round;
	int64_t samples;                   /* of the fit */
	double before, after;              /* error in discs on the games held back, all phases */
	double error[PATTERN_PHASES];      /* ... after the fit, for each phase; -1: no samples */
};

struct train_job {
	struct train_plan plan;
	const char *folder;                /* created if it does not exist */
	int threads;
	const atomic_bool *stop;           /* NULL: never */
	void *ctx;
	void (*progress)(void *ctx, int round, int64_t games);     /* may be NULL */
	void (*round)(void *ctx, const struct train_round *round); /* may be NULL */
};

/*
 * Sets *out to the last round's weights, the same for any number of threads. Fails as rounds_run.
 */
enum qv_status train_run(const struct train_job *job, const struct qv_allocator *allocator,
			 struct reversi_patterns *out, struct qv_error *error);

#endif
