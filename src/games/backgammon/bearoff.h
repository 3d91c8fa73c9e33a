/*
 * bearoff.h - the one-sided bear-off table: how many rolls a seat needs to bear off all its men.
 * SPDX-License-Identifier: MIT
 *
 * For up to 15 men on points 1 to 6 and no contact, the table has the probability of each number of
 * rolls if every turn keeps the average number as low as possible. For 15 men it also has the
 * rolls to the first man off, which saves the gammon, if every turn keeps their average low.
 *
 * Probabilities are integers in units of 1/65535, rounded as GNU Backgammon rounds them, so that
 * the table equals its gnubg_os0.bd and is the same on every machine. The rounding moves an average
 * by at most 0.0002 rolls.
 */
#ifndef BACKGAMMON_BEAROFF_H
#define BACKGAMMON_BEAROFF_H

#include "base/memory.h"
#include "games/backgammon/rules.h"

enum {
	BEAROFF_POSITIONS = 54264, /* C(15 + 6, 6) */
	BEAROFF_FULL = 38760,	   /* C(14 + 6, 6): the first position with 15 men */
	BEAROFF_ROLLS = 31,	   /* 90 pips need at most 30 rolls, of three pips each */
	BEAROFF_ONE = 65535,
};

struct bearoff {
	uint16_t all[BEAROFF_POSITIONS][BEAROFF_ROLLS]; /* of exactly so many rolls, from 0 */
	uint16_t first[BEAROFF_POSITIONS - BEAROFF_FULL][BEAROFF_ROLLS];
	uint32_t all_mean[BEAROFF_POSITIONS]; /* rolls on average, in the same unit */
	uint32_t first_mean[BEAROFF_POSITIONS - BEAROFF_FULL];
};

/*
 * The number of a position, in the order of GNU Backgammon: fewer men come first, and all men off
 * is 0. `men` is as in struct backgammon, with no man above point 6. A turn always leads to a
 * smaller number.
 */
int bearoff_index(const uint8_t *men);
/* Writes the men of a position by its number, those that are off included. */
void bearoff_men(int index, uint8_t men[BACKGAMMON_PLACES]);

/*
 * Calls `visit` for the position after each way to play the dice, larger die first, from a position
 * with men on points 1 to 6 only. A position may come more than once.
 */
typedef void bearoff_visit(void *ctx, int index);
void bearoff_turns(const uint8_t *men, int larger, int smaller, bearoff_visit *visit, void *ctx);

/* Computes the table, in less than a second. NULL: not enough memory. Free it with bearoff_free. */
struct bearoff *bearoff_new(const struct qv_allocator *allocator);
void bearoff_free(const struct qv_allocator *allocator, struct bearoff *table);

#endif
