/*
 * fit.h - chess: fits the weights of the evaluation to training positions (Texel tuning).
 * SPDX-License-Identifier: MIT
 *
 * The evaluation is a linear combination of weights, whose coefficients chess_trace records. A
 * logistic curve maps it to an expected score. Gradient descent (Adam) minimises the squared error
 * against the games' results blended with the search's scores. The positions are processed in parts
 * of fixed size whose sums are added in order, so the result does not depend on the number of
 * threads.
 */
#ifndef LEARN_CHESS_FIT_H
#define LEARN_CHESS_FIT_H

#include "learn/chess/selfplay.h"

struct fit_job {
	const struct lessons *games;
	int64_t count; /* of games */
	int64_t round; /* games of a round; one of LESSON_HELD_BACK is for testing */
	uint64_t seed; /* of the random numbers */
	int iterations;
	int blend;   /* percentage of the search's score in the target */
	int penalty; /* L2 penalty on changes of the weights, in equivalent positions */
	int step;    /* initial learning rate, in hundredths of a weight */
	int threads;
	const atomic_bool *stop; /* NULL: never */
	const struct qv_allocator *allocator;
};

struct fit_news {
	int64_t lessons;      /* positions trained on */
	double before, after; /* root mean squared error on the games held back */
	int curve;	      /* scale of the logistic curve, in centipawns */
};

/* One game out of this many of each round is held back to test the weights. */
enum { LESSON_HELD_BACK = 16 };

/* Of the games [first, last): those held back, or the others. */
struct fit_games {
	int64_t first, last;
	bool held_back;
};

/*
 * Calls `take` for each position of the games. If it returns false, the result is QV_NO_MEMORY.
 * QV_BAD_INPUT: a position is invalid.
 */
enum qv_status fit_each_lesson(const struct fit_job *job, const struct fit_games *which,
			       bool (*take)(void *ctx, const struct lesson *lesson,
					    const struct chess *s),
			       void *ctx, struct qv_error *error);

/* The number of positions that fit_each_lesson visits. */
int64_t fit_count_lessons(const struct fit_job *job, const struct fit_games *which);

/* Changes the weights. QV_BAD_INPUT: a position is invalid; QV_STOPPED: job->stop was set. */
enum qv_status chess_fit(const struct fit_job *job, int32_t *weights, struct fit_news *news,
			 struct qv_error *error);

/* 1 / (1 + exp(-x)) by additions and multiplications only: the same on every machine. */
double chess_logistic(double x);

#endif
