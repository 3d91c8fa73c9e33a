/*
 * dice.h - dice that nobody has to believe in: a secret promised before the throw, shown after it.
 * SPDX-License-Identifier: MIT
 *
 * The server draws a secret and publishes its SHA-256. Then the player says a seed, any text.
 * Secret and seed together give the throw, so neither side alone has a say in it; the secret is
 * shown, and whoever doubts computes it again (docs/api.md has the commands).
 */
#ifndef SERVER_API_DICE_H
#define SERVER_API_DICE_H

#include "quevedo.h"

enum { DICE_SECRET = 32, DICE_HEX = 2 * DICE_SECRET + 1 };

/* What goes into a throw. */
struct dice {
	unsigned char secret[DICE_SECRET];
	const char *seed, *play; /* texts: the player's, and the id of the play */
	int ply;		 /* moves and throws before it */
};

void dice_hex(const unsigned char secret[DICE_SECRET], char out[DICE_HEX]);
bool dice_from_hex(const char *hex, unsigned char secret[DICE_SECRET]);
/* The promise: hex of the SHA-256 of the secret. */
void dice_commit(const unsigned char secret[DICE_SECRET], char out[DICE_HEX]);

/* Of all outcomes in a state where chance moves; > 0. */
uint64_t dice_weights(const struct qv_game *game, const void *state);
/*
 * The throw, from 0 to weights - 1, each as likely: the first 8 bytes, big endian, of the SHA-256
 * of secret, seed, id and ply (decimal) in a row, modulo weights. A number that would favour some
 * outcomes (2^64 is no multiple of weights) is hashed again with a byte 1 after all that, then 2,
 * and so on.
 */
uint64_t dice_number(const struct dice *dice, uint64_t weights);
/* The outcome that the number falls on: each takes as many numbers as its weight, in list order. */
qv_move dice_outcome(const struct qv_game *game, const void *state, uint64_t number);

/* Was the number what the promise and the seed had to give? All texts may be anything. */
bool dice_verify(const char *commit, const char *secret, const char *seed, const char *play,
		 int ply, uint64_t weights, uint64_t number);

#endif
