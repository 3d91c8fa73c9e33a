/*
 * fit.h - reversi: weights of patterns from games.
 * SPDX-License-Identifier: MIT
 *
 * Every position after the moves by chance is a sample: its patterns, and what the game ended with
 * for the side to move. The weights of a phase are those with the least squared error over its
 * samples, and a penalty on their size: what was seldom seen stays near 0. The conjugate gradient
 * method finds them. The samples of a phase are gone through by one thread in one order, so the
 * result depends on the games alone.
 */
#ifndef LEARN_REVERSI_FIT_H
#define LEARN_REVERSI_FIT_H

#include "learn/reversi/selfplay.h"

struct sample {
	uint64_t mover, other;
	int32_t score;                     /* discs at the end, for the side to move */
	int32_t unused;
};

enum { SAMPLE_DISCS = 65 };

/* Samples by their number of discs. {0} is a valid empty one. */
struct samples {
	struct sample *list;
	int64_t count, room;
	int64_t first[SAMPLE_DISCS + 1];   /* of each number of discs; the last is `count` */
};

/* Of each round, one game of so many is held back, to test the weights with. */
enum { HELD_BACK_ONE_OF = 16 };

struct games {
	const struct game_record *list;
	int64_t count, round;              /* in all, and of one round */
};

/*
 * The samples of these games: those held back, or the others. QV_BAD_INPUT if one of them breaks
 * the rules. Release it on failure too.
 */
enum qv_status samples_init(struct samples *s, const struct qv_allocator *allocator,
			    const struct games *games, bool held_back, struct qv_error *error);
void samples_release(struct samples *s, const struct qv_allocator *allocator);

struct fit_plan {
	int iterations;
	int penalty;                       /* as so many samples that say 0 */
	int least;                         /* a weight that fewer samples ask for is 0 */
};

/* Sets the weights of one phase, from these samples. The steps of `out` are there. */
enum qv_status fit_phase(const struct samples *s, const struct fit_plan *plan, int phase,
			 struct reversi_patterns *out, const struct qv_allocator *allocator,
			 struct qv_error *error);

/* The root of the mean squared error in discs, of a phase; -1: there is no sample. */
double fit_error(const struct samples *s, const struct reversi_patterns *p, int phase);
int64_t fit_samples(const struct samples *s, int phase);   /* how many the error is of */

#endif
