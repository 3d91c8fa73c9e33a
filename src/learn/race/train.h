/*
 * train.h - Race!: temporal-difference learning of the weights of the evaluation.
 * SPDX-License-Identifier: MIT
 *
 * The weights begin at 0. Both seats play the move that leads to the best value, but now and then a
 * random one. After each move the value of the position before is moved a little towards the value
 * of the position after it, and at the end towards the result: TD(lambda). The value of a position
 * is tanh(evaluation / RACE_SCALE). Every so many games there is a point of a curve: the error, the
 * weights, and how often they win against another player. The same plan gives the same curve on
 * every machine.
 */
#ifndef LEARN_RACE_TRAIN_H
#define LEARN_RACE_TRAIN_H

#include "base/json.h"
#include "base/memory.h"
#include "games/race/evaluate.h"

struct race_plan {
	uint64_t seed;
	int64_t games;
	int64_t every; /* games between two points of the curve */
	int64_t test;  /* games against the other player at each point */
	int rate;      /* how far a value moves, in thousandths */
	int lambda;    /* in hundredths */
	int wild;      /* random moves, in hundredths */
};

/* Fills in *out from KEY=N,... with defaults; seed is not a key. */
enum qv_status race_plan_parse(const char *text, struct race_plan *out, struct qv_error *error);

/* A point of the curve, after `games` games. */
struct race_point {
	int64_t games;
	double error;	     /* root mean square of value minus result, since the last point */
	int64_t won, tested; /* against the other player */
	int32_t weights[RACE_WEIGHTS]; /* rounded, as the evaluation takes them */
};

/* As JSON; NULL: no memory. */
json_t *race_weights_json(const int32_t *weights);
json_t *race_point_json(const struct race_point *point);

/* No weight gets beyond this, which no sensible training reaches: no evaluation overflows. */
#define RACE_WEIGHT_MOST 1e6

/*
 * How far a training has come: all that the games to come depend on, so that a training in slices
 * is the same as a whole one. {0}: it has not begun.
 */
struct race_progress {
	int64_t games;
	double weights[RACE_WEIGHTS];
	double squares; /* of value minus result, since the last point */
	int64_t positions;
};

/*
 * As text, of 16 hexadecimal digits for each number. The other way it fails with QV_BAD_INPUT if it
 * cannot be a training of the plan.
 */
void race_progress_text(const struct race_progress *progress, struct qv_text *out);
enum qv_status race_progress_parse(const char *text, const struct race_plan *plan,
				   struct race_progress *out, struct qv_error *error);

struct race_job {
	struct race_plan plan;
	struct race_progress
		*progress; /* where to continue, and where it got; NULL: from the start */
	int64_t slice;	   /* play at most so many games; 0: all of the plan */
	/* The other player, of Race!, which plays seat 1 and seat 2 by turns. NULL: no tests. */
	struct qv_player *opponent;
	const struct qv_flag *stop; /* NULL: never */
	int64_t until_us;	 /* it also stops at this time of clock_us; 0: never */
	/* Called for each point, the first before any game. */
	void (*point)(void *ctx, const struct race_point *point);
	/* Called before each roll and move of the last of these games; may be NULL. */
	void (*played)(void *ctx, const struct race *s, qv_move move);
	void *ctx;
};

/* Trains; the last weights go to `weights`. QV_STOPPED: job->stop was set, or the time is over. */
enum qv_status race_train(const struct race_job *job, int32_t weights[RACE_WEIGHTS],
			  struct qv_error *error);

/* How often the move of highest value by these weights beats the one by the others; seats by turns. */
int64_t race_duel(const int32_t *weights, const int32_t *others, int64_t games, uint64_t seed);

/* For tests: the evaluation for seat 0 as a function of real weights, and its gradient. */
double race_value(const struct race *s, const double *w, double *gradient);

#endif
