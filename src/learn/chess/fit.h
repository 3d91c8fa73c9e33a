/*
 * fit.h - chess: weights from lessons.
 * SPDX-License-Identifier: MIT
 *
 * The evaluation is a sum of weights, each taken so many times (chess_trace). A logistic curve
 * makes of it an expected result; the weights are moved down the gradient of the squared error
 * against how the games ended, mixed with what the search said (Texel's method, with Adam's steps).
 * Lessons are gone through in parts of fixed size, whose sums are added in order: the result does
 * not depend on the number of threads.
 */
#ifndef LEARN_CHESS_FIT_H
#define LEARN_CHESS_FIT_H

#include "learn/chess/selfplay.h"

struct fit_job {
	const struct lessons *games;
	int64_t count; /* of games */
	int64_t round; /* games of a round: one of HELD_BACK is kept for the test */
	uint64_t seed; /* of what is drawn by chance */
	int iterations;
	int blend;   /* how much of the search's score is in the aim, in hundredths */
	int penalty; /* on leaving the weights as they are: as so many lessons */
	int step;    /* of a weight in an iteration, at first, in hundredths */
	int threads;
	const atomic_bool *stop; /* NULL: never */
	const struct qv_allocator *allocator;
};

struct fit_news {
	int64_t lessons;      /* learned from */
	double before, after; /* root of the mean squared error, of those held back */
	int curve;	      /* the score, in hundredths of a pawn, at which e : 1 is expected */
};

/* Of each round, one game of so many is held back, to test the weights with. */
enum { LESSON_HELD_BACK = 16 };

/* Games number `first` to before `last`: those of them that are held back, or the others. */
struct fit_games {
	int64_t first, last;
	bool held_back;
};

/*
 * Hands on the lessons of the games, until `take` fails for want of memory. QV_BAD_INPUT: a lesson
 * is no position.
 */
enum qv_status fit_each_lesson(const struct fit_job *job, const struct fit_games *which,
			       bool (*take)(void *ctx, const struct lesson *lesson,
					    const struct chess *s),
			       void *ctx, struct qv_error *error);

/* How many lessons that are. */
int64_t fit_count_lessons(const struct fit_job *job, const struct fit_games *which);

/* Changes the weights. QV_BAD_INPUT: a lesson is no position. */
enum qv_status chess_fit(const struct fit_job *job, int32_t *weights, struct fit_news *news,
			 struct qv_error *error);

/* 1 / (1 + exp(-x)) by additions and multiplications only: the same on every machine. */
double chess_logistic(double x);

#endif
