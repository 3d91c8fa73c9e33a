/*
 * rounds.h - learning in rounds: games are played, weights are fitted to them, better games are
 * played with these, and so on.
 * SPDX-License-Identifier: MIT
 *
 * The first round's games are played with what is there before, those of each later one with the
 * weights of the round before. All that a run makes lies in one folder: round-N.games and
 * round-N.weights, and in `weights` those of the last round that was finished. A run that was
 * stopped goes on from there; one of another plan is refused. The same plan gives the same weights,
 * on any number of threads.
 */
#ifndef LEARN_ROUNDS_H
#define LEARN_ROUNDS_H

#include "quevedo.h"

/* What a round came to. */
struct rounds_news {
	int number;    /* from 1 */
	uint64_t hash; /* of the weights */
	double seconds_playing, seconds_fitting;
	bool resumed; /* it was there already: only number and hash are known */
};

/* How often, where to, and who listens. */
struct rounds_job {
	uint64_t seed;
	int rounds;
	int64_t games;	    /* of a round */
	int remember;	    /* rounds whose games a fit takes, its own too */
	const char *folder; /* is made, if need be */
	int threads;
	const atomic_bool *stop;				  /* NULL: never */
	void *ctx;						  /* of the two below */
	void (*progress)(void *ctx, int round, int64_t games);	  /* NULL: nobody asks */
	void (*round)(void *ctx, const struct rounds_news *news); /* NULL: nobody asks */
};

/* What is learned. All functions get `learner` first. */
struct rounds_subject {
	void *learner;
	size_t game_size; /* of a game, in memory and in files */
	int64_t batch;	  /* games between two looks at the file */
	size_t file_most; /* of a file of weights */
	/* What the games of a round depend on: the first line of their file, without its end. */
	void (*title)(const void *learner, int round, char *out, size_t size);

	/* A thread's player, for one round; worker is the thread's number. `end` is called after a
	 * failed `begin` too. */
	size_t player_size;
	enum qv_status (*begin)(void *learner, int worker, uint64_t seed, void *player,
				struct qv_error *error);
	void (*end)(void *player);
	enum qv_status (*play)(void *player, int64_t number, void *game, struct qv_error *error);

	/* Changes the weights; of each `round` games some may be held back. */
	enum qv_status (*fit)(void *learner, const void *games, int64_t count, int64_t round,
			      struct qv_error *error);

	/* The weights as a file, of at most file_most bytes, and back. */
	enum qv_status (*write)(void *learner, char *out, size_t *size, struct qv_error *error);
	enum qv_status (*read)(void *learner, const char *data, size_t size,
			       struct qv_error *error);
	uint64_t (*hash)(const void *learner);
};

enum qv_status rounds_run(const struct rounds_job *job, const struct rounds_subject *subject,
			  const struct qv_allocator *allocator, struct qv_error *error);

#endif
