/*
 * rollout.h - rolls a backgammon position out: plays it to the end many times.
 * SPDX-License-Identifier: MIT
 *
 * Each game ends with exact chances, or after `truncate` turns with the static evaluation. From them
 * the luck of its rolls is subtracted (variance reduction): for each roll, the chances after it minus
 * their mean over all rolls, by the static evaluation. The mean over many games stays the same, but
 * the error becomes several times smaller.
 *
 * Games come in blocks of 36, one for each first roll; the second roll is another one in each of 36
 * blocks. All dice follow from the seed and the number of the game, so any part of a roll-out can be
 * computed at any time and in any thread, with the same result to the last bit. Two positions that
 * are rolled out with one seed get the same dice, so their difference is known better than each.
 *
 * Without the cube the equity is that of a money game. With it (cubeful), seats choose turns, double,
 * take, drop and beaver by the values of cube.h, and the luck of a roll is the change of that value.
 * The equity is then in points of a given cube, in matches too: 1 is worth as much as winning the
 * value of this cube, -1 as much as losing it. After a drop the chances are those of the position.
 */
#ifndef BACKGAMMON_ROLLOUT_H
#define BACKGAMMON_ROLLOUT_H

#include "games/backgammon/equity.h"

enum {
	ROLLOUT_BLOCK = 36,	     /* games */
	ROLLOUT_MAX_BLOCKS = 100000, /* of a roll-out */
	ROLLOUT_MAX_TURNS = 10000,   /* of a game; it is cut there and counted as it stands */
	ROLLOUT_EQUITY = BACKGAMMON_OUTPUTS,
	ROLLOUT_VALUES, /* the chances, and the equity */
};

struct rollout {
	struct backgammon start; /* plain (equity_plain); its seat is to roll */
	uint64_t seed;
	int plies;    /* by which turns are chosen: 0 or 1 */
	int truncate; /* turns; 0: to the end of the game */
	bool plain;   /* without variance reduction */
	bool cubeful;
	bool rolls_first;      /* cubeful: the seat to roll does not double before its first roll */
	struct cube_view cube; /* cubeful: as this seat sees it */
	struct cube_view unit; /* cubeful: likewise; equities are in points of this cube */
};

/* A value of cube.h in points of a cube, and back. */
double rollout_points(const struct cube_view *v, double worth);
double rollout_worth(const struct cube_view *v, double points);

/* What the games of a block add up to, for the seat that is to roll at the start. */
struct rollout_block {
	double sum[ROLLOUT_VALUES], square[ROLLOUT_VALUES];
};

/* Plays one block. False: the budget of `e` stopped it. */
bool rollout_block(const struct rollout *r, struct equity *e, int64_t block,
		   struct rollout_block *out);

/* Means and their standard errors over blocks. */
struct rollout_result {
	int64_t games;
	double mean[ROLLOUT_VALUES], error[ROLLOUT_VALUES];
};
struct rollout_result rollout_sum(const struct rollout_block *blocks, int64_t count);

/*
 * The standard error of the difference of two equities, from blocks with the same dice. At least two
 * blocks are needed; with fewer it is 0.
 */
double rollout_difference_error(const struct rollout_block *a, const struct rollout_block *b,
				int64_t count);

#endif
