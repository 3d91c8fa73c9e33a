/*
 * train.h - draughts: trains the weights of the patterns in rounds (rounds.h).
 * SPDX-License-Identifier: MIT
 *
 * The first round's games are played with the hand-written evaluation, those of the others with the
 * weights of the round before. Each game starts with random moves. Then both sides play by the
 * selective search with a fixed number of nodes.
 *
 * Every position in which the side to move cannot capture is a lesson. Its target is the result of
 * the game blended with the score of the search. The weights minimise the squared error of the
 * expected result, 1 / (1 + exp(-value / DRAUGHTS_CURVE)), plus an L2 penalty (fit.c).
 */
#ifndef LEARN_DRAUGHTS_TRAIN_H
#define LEARN_DRAUGHTS_TRAIN_H

#include "base/memory.h"
#include "games/draughts/pattern.h"
#include "learn/rounds.h"

enum {
	DRAUGHTS_CURVE = 110,	      /* points at which 73 % is expected */
	DRAUGHTS_LESSONS_A_GAME = 63, /* at most */
};

/* A position for the side to move, whose board is turned so that it is Black. */
struct draughts_lesson {
	uint32_t mine, theirs, kings; /* square 1 is bit 0 */
	int16_t score;		      /* of the search */
	uint8_t result;		      /* 0 lost, 1 drawn, 2 won */
	uint8_t unused;
};
_Static_assert(sizeof(struct draughts_lesson) == 16, "as in files");

/* A game, as in files. */
struct draughts_lessons {
	int32_t count;
	int32_t result; /* for Black, as in a lesson */
	uint8_t unused[8];
	struct draughts_lesson list[DRAUGHTS_LESSONS_A_GAME];
};

struct draughts_plan {
	uint64_t seed;
	int rounds;
	int64_t games;	/* of a round */
	int64_t nodes;	/* for a move */
	int remember;	/* rounds whose games a fit uses, its own included */
	int iterations; /* passes over all lessons */
	int blend;	/* per cent of the search's score in the target */
	int penalty;	/* L2 penalty: a weight's pull to 0 */
	int least;	/* a pattern with fewer lessons has the weight 0 */
	int step;	/* initial step of Adam, in hundredths of a point */
};

/* As train_plan_parse of reversi. */
enum qv_status draughts_plan_parse(const char *text, struct draughts_plan *out,
				   struct qv_error *error);

/* The result of a fit, or of a round. */
struct draughts_round {
	struct rounds_news round;
	int64_t lessons;
	double before, after; /* error of the expected result on the games held back */
};

/* Fits the weights to the games of `count`, the last of which are a round's. */
struct draughts_fit_job {
	const struct draughts_lessons *games;
	int64_t count, round;
	const struct draughts_plan *plan;
	const struct qv_flag *stop; /* NULL: never */
	const struct qv_allocator *allocator;
};

/* fit.c. The result depends on the games and the plan alone. */
enum qv_status draughts_fit(const struct draughts_fit_job *job, struct draughts_patterns *patterns,
			    struct draughts_round *news, struct qv_error *error);

/* A training to run. The pointers are borrowed. */
struct draughts_job {
	struct draughts_plan plan;
	const char *folder; /* created if it does not exist */
	int threads;
	const struct qv_flag *stop;				      /* NULL: never */
	void *ctx;						      /* of the two callbacks */
	void (*progress)(void *ctx, int round, int64_t games);	      /* may be NULL */
	void (*round)(void *ctx, const struct draughts_round *round); /* may be NULL */
};

/* Sets *out to the last round's weights, the same for any number of threads. Fails as rounds_run. */
enum qv_status draughts_train(const struct draughts_job *job, const struct qv_allocator *allocator,
			      struct draughts_patterns *out, struct qv_error *error);

#endif
