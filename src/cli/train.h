/*
 * train.h - the command train: what the games that learn share.
 * SPDX-License-Identifier: MIT
 */
#ifndef CLI_TRAIN_H
#define CLI_TRAIN_H

#include "cli/cli.h"
#include "learn/rounds.h"

struct train_values {
	const char *plan; /* NULL: not given */
};

/* A training in progress, and who is told of it. */
struct train_run {
	struct cli *c;
	int rounds;
	int64_t games;	     /* of a round */
	enum qv_status told; /* of what was printed */
};

/* For the jobs' `progress`; NULL: nobody would see it. */
void (*train_progress(void))(void *ctx, int round, int64_t games);

/*
 * Tells of a round: the two writers add what the game's fit has to say, unless it was resumed. ctx
 * is theirs.
 */
void train_tell(struct train_run *r, const struct rounds_news *news, const void *ctx,
		json_t *(*fields)(json_t *o, const void *ctx),
		void (*words)(struct string *out, const void *ctx));

/* After it: clears the line of progress; a stop is an answer, no error. */
enum qv_status train_ended(const struct train_run *r, enum qv_status status);

enum qv_status train_reversi(struct cli *c, const struct qv_rules *rules);
enum qv_status train_chess(struct cli *c, const struct qv_rules *rules);

#endif
