/*
 * tune.h - tunes one weight of an evaluation: which value plays best?
 * SPDX-License-Identifier: MIT
 *
 * For each value a match is played between the player with that value and the unchanged player. All
 * matches use the same openings, and each opening is played with the seats both ways.
 */
#ifndef MATCH_TUNE_H
#define MATCH_TUNE_H

#include "match/match.h"

enum {
	TUNE_NAME = 64,
	TUNE_VALUES = 1000,        /* at most */
	TUNE_SPEC = 1024,
};

/* The weight and its values: FROM, FROM + STEP, ... up to TO. */
struct tune_range {
	char name[TUNE_NAME];      /* `threat`, or `corner[2]` */
	int from, to, step, count;
};
/* Reads NAME=FROM:TO:STEP. QV_BAD_INPUT: malformed, or more than TUNE_VALUES values. */
enum qv_status tune_range_parse(const char *text, struct tune_range *out, struct qv_error *error);

/* The result of one value. */
struct tune_value {
	int value;
	bool current;              /* the value that the player has now */
	struct tally games;
	struct statistics statistics;   /* by pairs, where the game has two seats */
};

/* Plain data; what it points to is borrowed. */
struct tune_job {
	struct qv_rules rules;
	const char *player;        /* its spec; NULL: tune_player of the game */
	struct tune_range range;
	int64_t games;             /* for each value */
	uint64_t seed;
	int random_plies, max_plies, jobs;
	int threads, hash_mb;
	const struct qv_flag *stop;   /* may be NULL */
	/* Called after each game with the number of the value; may be NULL. */
	void (*game)(void *ctx, int number, const struct match_totals *so_far);
	void *ctx;
};

/* The default player for this game: quick, and random among equal moves. */
const char *tune_player(const struct qv_game *game);

struct tune_outcome {
	int32_t current;           /* the weight that the player has now */
	int done;                  /* values whose match is complete, also after QV_STOPPED */
};

/*
 * Plays all matches, one after the other. values: an array of range.count. QV_UNKNOWN: the player
 * has no such weight. After QV_STOPPED the first out->done values are valid.
 */
enum qv_status tune_run(const struct qv_context *context, const struct tune_job *job,
			struct tune_value *values, struct tune_outcome *out,
			struct qv_error *error);

#endif
