/*
 * rounds.h - training in rounds: each round plays games with the current weights and fits new ones.
 * SPDX-License-Identifier: MIT
 *
 * The first round's games are played with the initial weights, those of each later one with the
 * weights of the round before. All results are in one folder: round-N.games and round-N.weights;
 * the file `weights` is a copy of the last finished round's. A stopped run resumes from there; a
 * folder of another plan is refused. The same plan gives the same weights, on any number of
 * threads.
 */
#ifndef LEARN_ROUNDS_H
#define LEARN_ROUNDS_H

#include "quevedo.h"

/* The result of a round. */
struct rounds_news {
	int number;    /* from 1 */
	uint64_t hash; /* of the weights */
	double seconds_playing, seconds_fitting;
	bool resumed; /* finished by an earlier run: only number and hash are set */
};

/* The game-independent part of a plan. All of it is borrowed. */
struct rounds_job {
	uint64_t seed;
	int rounds;
	int64_t games;	    /* of a round */
	int remember;	    /* rounds whose games a fit uses, its own included */
	const char *folder; /* created if it does not exist */
	int threads;
	const struct qv_flag *stop; /* NULL: never */
	/* Called after each batch with the number of games played in the round. May be NULL. */
	void (*progress)(void *ctx, int round, int64_t games);
	void *ctx; /* of progress */
};

/*
 * What is trained: a game's players, games and weights. Only play runs on worker threads, each with
 * its own player; all others run on the thread of rounds_run.
 */
struct rounds_subject {
	void *learner;
	size_t game_size; /* of a game, in memory and in files */
	int64_t batch;	  /* games between two writes to the file */
	size_t file_most; /* largest size of a file of weights */
	/* All that a round's games depend on: the first line of their file, without a newline. */
	void (*title)(const void *learner, int round, char *out, size_t size);

	/* One thread's player for a round. `end` is called after a failed `begin`, too. */
	size_t player_size;
	enum qv_status (*begin)(void *learner, int worker, uint64_t seed, void *player,
				struct qv_error *error);
	void (*end)(void *player);
	enum qv_status (*play)(void *player, int64_t number, void *game, struct qv_error *error);

	/* Fits the weights; some of each `round` games may be held back for testing. */
	enum qv_status (*fit)(void *learner, const void *games, int64_t count, int64_t round,
			      struct qv_error *error);

	/* Write the weights as a file of at most file_most bytes, and read them back. */
	enum qv_status (*write)(void *learner, char *out, size_t *size, struct qv_error *error);
	enum qv_status (*read)(void *learner, const char *data, size_t size,
			       struct qv_error *error);
	uint64_t (*hash)(const void *learner);
	/* Called after each round. */
	void (*report)(void *learner, const struct rounds_news *news);
};

/*
 * Runs or resumes the training. QV_STOPPED: job->stop was set; QV_BAD_INPUT: another plan's folder.
 */
enum qv_status rounds_run(const struct rounds_job *job, const struct rounds_subject *subject,
			  const struct qv_allocator *allocator, struct qv_error *error);

#endif
