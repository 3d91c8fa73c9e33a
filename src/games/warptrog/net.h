/*
 * net.h - a neural network that evaluates Warp Trog, trained by games against itself and the 1983 program.
 * SPDX-License-Identifier: MIT
 *
 * One hidden layer of squared and clipped sums. Its inputs are each side's men on their squares, the
 * warps left, the expected captures of a warp, and a parity: the number of men on dark squares. Every
 * move changes that number by one, so the parity shows who has the opposition until the next capture
 * or warp. It also chooses the output weights, together with the number of men. A second output is
 * the value of a warp, the mean over all landings. Part of the weights depends on who plays: two equal
 * players, or a player against the 1983 program (the option `contempt` of expectimax). All arithmetic of the layers is in integers, so
 * values are the same on every machine.
 */
#ifndef WARPTROG_NET_H
#define WARPTROG_NET_H

#include "games/warptrog/rules.h"

enum {
	WARPTROG_HIDDEN = 32,
	WARPTROG_PHASES = 4,	   /* by the number of men on the board */
	WARPTROG_NET_WARPS = 6,	   /* 0 to 5; more count as 5 */
	WARPTROG_NET_ONE = 1024,   /* 1 in the hidden layer */
	WARPTROG_OUT_ONE = 256,	   /* 1 in the output weights */
	WARPTROG_GAIN_ONE = 256,   /* a capture */
	WARPTROG_NET_VALUE = 2900, /* a sure win; game.c's WARPTROG_WIN is for won games alone */
};

/* Who is to move: one of two equal players, or one of a player and a weaker one. */
enum warptrog_role { WARPTROG_EQUAL, WARPTROG_STRONGER, WARPTROG_WEAKER, WARPTROG_ROLES };

struct warptrog_outputs {
	int16_t of[WARPTROG_ROLES][2][WARPTROG_PHASES][WARPTROG_HIDDEN]; /* by parity and phase */
	int16_t bias[WARPTROG_ROLES][2][WARPTROG_PHASES];
};

/* The weights, trained by temporal differences. The index before `own, theirs` is the seat to move. */
struct warptrog_net {
	int16_t men[2][4][WARPTROG_SQUARES][WARPTROG_HIDDEN]; /* own Valg, own Trog, theirs */
	int16_t warps[WARPTROG_ROLES][2][2][WARPTROG_NET_WARPS][WARPTROG_HIDDEN]; /* own, theirs */
	int16_t gain[2][2][WARPTROG_HIDDEN];		     /* captures of a warp: own, theirs */
	int16_t bias[WARPTROG_ROLES][2][2][WARPTROG_HIDDEN]; /* by seat to move and parity */
	struct warptrog_outputs value, warp;
};

/* The value for s->turn, from -WARPTROG_NET_VALUE to WARPTROG_NET_VALUE. */
int32_t warptrog_net_evaluate(const struct warptrog *s);

#endif
