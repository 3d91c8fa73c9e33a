/*
 * dice.h - the outcomes of a dice roll, and what goes into a roll that people can verify.
 * SPDX-License-Identifier: MIT
 */
#ifndef SESSION_DICE_H
#define SESSION_DICE_H

#include "quevedo.h"

enum { DICE_SECRET = 32, DICE_HEX = 2 * DICE_SECRET + 1 };

/* What a verifiable roll follows from. */
struct dice {
	unsigned char secret[DICE_SECRET];
	const char *seed, *game; /* the player's text, and the id of the game */
	int ply;		 /* moves and rolls before it */
};

void dice_hex(const unsigned char secret[DICE_SECRET], char out[DICE_HEX]);
bool dice_from_hex(const char *hex, unsigned char secret[DICE_SECRET]);

/* The sum of the weights of all outcomes in a state where chance moves; > 0. */
uint64_t dice_weights(const struct qv_game *game, const void *state);
/* The outcome of a number below that sum: each takes as many numbers as its weight, in list order. */
qv_move dice_outcome(const struct qv_game *game, const void *state, uint64_t number);

#endif
