/*
 * fit.h - reversi: fits the weights of the patterns to games, by least squares.
 * SPDX-License-Identifier: MIT
 *
 * Every position after the random opening is a sample: its patterns, and the final disc difference
 * for the side to move. The weights of a phase minimise the squared error over its samples plus an
 * L2 penalty, which keeps rarely seen patterns near 0. They are computed by the conjugate gradient
 * method. One thread processes the samples of a phase in a fixed order, so the result depends on
 * the games alone.
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

/* One game out of this many of each round is held back to test the weights. */
enum { HELD_BACK_ONE_OF = 16 };

struct games {
	const struct game_record *list;
	int64_t count, round;              /* in all, and of one round */
};

/*
 * The samples of the games held back, or of the others. QV_BAD_INPUT: a game has an illegal move.
 * Release it on failure, too.
 */
enum qv_status samples_init(struct samples *s, const struct qv_allocator *allocator,
			    const struct games *games, bool held_back, struct qv_error *error);
void samples_release(struct samples *s, const struct qv_allocator *allocator);

struct fit_plan {
	int iterations;
	int penalty;                       /* L2 penalty, in equivalent samples of value 0 */
	int least;                         /* a weight with fewer samples is set to 0 */
};

/* Sets the weights of one phase. reversi_patterns_init must have been called for `out`. */
enum qv_status fit_phase(const struct samples *s, const struct fit_plan *plan, int phase,
			 struct reversi_patterns *out, const struct qv_allocator *allocator,
			 struct qv_error *error);

/* The root mean squared error of a phase, in discs; -1: it has no samples. */
double fit_error(const struct samples *s, const struct reversi_patterns *p, int phase);
int64_t fit_samples(const struct samples *s, int phase);   /* number of samples of a phase */

#endif
