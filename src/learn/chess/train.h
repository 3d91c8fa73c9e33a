/*
 * train.h - chess: trains the evaluation's weights or the neural network in rounds (rounds.h).
 * SPDX-License-Identifier: MIT
 *
 * The first round's games are played with the hand-crafted evaluation, with the caller's weights if
 * those are being trained.
 */
#ifndef LEARN_CHESS_TRAIN_H
#define LEARN_CHESS_TRAIN_H

#include "learn/chess/fit.h"
#include "learn/rounds.h"

struct chess_plan {
	uint64_t seed;
	int rounds;
	int64_t games;			      /* of a round */
	int64_t nodes;			      /* per move */
	int remember;			      /* rounds whose games a fit uses, its own included */
	int iterations, blend, penalty, step; /* as in struct fit_job */
	bool net;			      /* trains the network, not the weights */
};

/* Parses `rounds=4,games=1000`; missing keys get their defaults. The seed is left alone. */
enum qv_status chess_plan_parse(const char *text, struct chess_plan *out, struct qv_error *error);

/* The result of a round. */
struct chess_round {
	struct rounds_news round;
	struct fit_news fit; /* not set if the round was resumed */
};

struct chess_job {
	struct chess_plan plan;
	const char *folder; /* created if it does not exist */
	int threads;
	const struct judge *judge; /* scores positions; NULL: the playing search does */
	const atomic_bool *stop;   /* NULL: never */
	void *ctx;
	void (*progress)(void *ctx, int round, int64_t games);	   /* may be NULL */
	void (*round)(void *ctx, const struct chess_round *round); /* may be NULL */
};

/*
 * Sets weights to the last round's: int32_t[2 * CHESS_WEIGHTS], which hold the initial weights
 * before, or, with plan.net, a struct chess_net. The same plan gives the same result, on any number
 * of threads. Fails as rounds_run does.
 */
enum qv_status chess_train(const struct chess_job *job, const struct qv_allocator *allocator,
			   void *weights, struct qv_error *error);

/* Writes the weights as text, `name = mg eg ...`. Returns the length; 0: out is too small. */
size_t chess_weights_text(const int32_t *weights, char *out, size_t size);

#endif
