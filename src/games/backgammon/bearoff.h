/*
 * bearoff.h - the one-sided bear-off table: how many rolls a seat needs to bear off all its men.
 * SPDX-License-Identifier: MIT
 *
 * For up to 15 men on points 1 to 6 and no contact, the table has the probability of each number of
 * rolls if every turn keeps the average number as low as possible. Probabilities are integers in
 * units of 2^-58, so that the table is the same on every machine. Each is rounded once per roll, so
 * its error is below 16 units.
 */
#ifndef BACKGAMMON_BEAROFF_H
#define BACKGAMMON_BEAROFF_H

#include "base/memory.h"
#include "games/backgammon/rules.h"

enum {
	BEAROFF_POSITIONS = 54264, /* C(15 + 6, 6) */
	BEAROFF_ROLLS = 31,	   /* 90 pips need at most 30 rolls, of three pips each */
};

#define BEAROFF_ONE (UINT64_C(1) << 58)

struct bearoff {
	uint64_t chance[BEAROFF_POSITIONS][BEAROFF_ROLLS]; /* of exactly so many rolls, from 0 */
	uint64_t mean[BEAROFF_POSITIONS];		   /* rolls on average */
};

/*
 * The number of a position, in the order of GNU Backgammon: men on point 6 count most, all men off
 * is 0. `men` is as in struct backgammon, with no man above point 6. A turn always leads to a
 * smaller number.
 */
int bearoff_index(const uint8_t *men);
/* Writes the men of a position by its number, those that are off included. */
void bearoff_men(int index, uint8_t men[BACKGAMMON_PLACES]);

/* Computes the table, in about a second. NULL: not enough memory. Free it with bearoff_free. */
struct bearoff *bearoff_new(const struct qv_allocator *allocator);
void bearoff_free(const struct qv_allocator *allocator, struct bearoff *table);

#endif
