/*
 * train.h - chess: weights of the evaluation learned in rounds of games and fits.
 * SPDX-License-Identifier: MIT
 *
 * The first round's games are played with the weights that the caller gives, those of each later
 * one with the weights of the round before. All that a run makes lies in one folder: round-N.games
 * and round-N.weights, and in `weights` those of the last round that was finished. A run that was
 * stopped goes on from there; one of another plan is refused.
 */
#ifndef LEARN_CHESS_TRAIN_H
#define LEARN_CHESS_TRAIN_H

#include "learn/chess/fit.h"

struct chess_plan {
	uint64_t seed;
	int rounds;
	int64_t games;			      /* of a round */
	int64_t nodes;			      /* for a move */
	int remember;			      /* rounds whose games a fit takes, its own too */
	int iterations, blend, penalty, step; /* as in struct fit_job */
};

/* As train_plan_parse of reversi. */
enum qv_status chess_plan_parse(const char *text, struct chess_plan *out, struct qv_error *error);

/* What a round came to. */
struct chess_round {
	int number; /* from 1 */
	struct fit_news fit;
	uint64_t hash; /* of the weights */
	double seconds_playing, seconds_fitting;
	bool resumed; /* it was there already: only number and hash are known */
};

struct chess_job {
	struct chess_plan plan;
	const char *folder; /* is made, if need be */
	int threads;
	const atomic_bool *stop; /* NULL: never */
	void *ctx;
	void (*progress)(void *ctx, int round, int64_t games);	   /* NULL: nobody asks */
	void (*round)(void *ctx, const struct chess_round *round); /* NULL: nobody asks */
};

/*
 * Sets weights[2 * CHESS_WEIGHTS] to the last round's; before, they are those to begin with. The
 * same plan gives the same, on any number of threads.
 */
enum qv_status chess_train(const struct chess_job *job, const struct qv_allocator *allocator,
			   int32_t *weights, struct qv_error *error);

/* The weights as a file has them: `name = mg eg ...`. Returns the length, 0 if there is no room. */
size_t chess_weights_text(const int32_t *weights, char *out, size_t size);

#endif
