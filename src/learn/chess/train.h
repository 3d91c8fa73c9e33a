/*
 * train.h - chess: weights of the evaluation learned in rounds of games and fits.
 * SPDX-License-Identifier: MIT
 *
 * As rounds.h has it; the first round's games are played with the evaluation by hand, and with the
 * weights that the caller gives if those are what is learned.
 */
#ifndef LEARN_CHESS_TRAIN_H
#define LEARN_CHESS_TRAIN_H

#include "learn/chess/fit.h"
#include "learn/rounds.h"

struct chess_plan {
	uint64_t seed;
	int rounds;
	int64_t games;			      /* of a round */
	int64_t nodes;			      /* for a move */
	int remember;			      /* rounds whose games a fit takes, its own too */
	int iterations, blend, penalty, step; /* as in struct fit_job */
	bool net;			      /* it is the net that learns */
};

/* As train_plan_parse of reversi. */
enum qv_status chess_plan_parse(const char *text, struct chess_plan *out, struct qv_error *error);

/* What a round came to. */
struct chess_round {
	struct rounds_news round;
	struct fit_news fit; /* not if the round is resumed */
};

struct chess_job {
	struct chess_plan plan;
	const char *folder; /* is made, if need be */
	int threads;
	const struct judge *judge; /* who scores positions; NULL: the search that plays */
	const atomic_bool *stop;   /* NULL: never */
	void *ctx;
	void (*progress)(void *ctx, int round, int64_t games);	   /* NULL: nobody asks */
	void (*round)(void *ctx, const struct chess_round *round); /* NULL: nobody asks */
};

/*
 * Sets weights to the last round's: int32_t[2 * CHESS_WEIGHTS], which before are those to begin
 * with, or a struct chess_net if the plan says so. The same plan gives the same, on any number of
 * threads.
 */
enum qv_status chess_train(const struct chess_job *job, const struct qv_allocator *allocator,
			   void *weights, struct qv_error *error);

/* The weights as a file has them: `name = mg eg ...`. Returns the length, 0 if there is no room. */
size_t chess_weights_text(const int32_t *weights, char *out, size_t size);

#endif
