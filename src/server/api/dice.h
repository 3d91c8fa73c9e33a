/*
 * dice.h - dice rolls that players can verify: the hash of a secret is published before the roll, the
 * secret itself after it.
 * SPDX-License-Identifier: MIT
 *
 * The server draws a secret and publishes its SHA-256. Then the player sends a seed, any text.
 * Secret and seed together determine the roll, so neither side alone can choose it. The server then
 * shows the secret, and anybody can compute the roll again (docs/api.md has the commands).
 */
#ifndef SERVER_API_DICE_H
#define SERVER_API_DICE_H

#include "session/game_session.h"

/* The commitment: hex of the SHA-256 of the secret. */
void dice_commit(const unsigned char secret[DICE_SECRET], char out[DICE_HEX]);

/*
 * The roll, from 0 to weights - 1, each equally likely: the first 8 bytes, big endian, of the SHA-256
 * of secret, seed, id and ply (decimal) in a row, modulo weights. A number that would favour some
 * outcomes (2^64 is not a multiple of weights) is hashed again with a byte 1 after all that, then 2,
 * and so on.
 */
uint64_t dice_number(const struct dice *dice, uint64_t weights);

/* Does the number follow from commitment, secret and seed? The texts may be anything. */
bool dice_verify(const char *commit, const char *secret, const char *seed, const char *game,
		 int ply, uint64_t weights, uint64_t number);

#endif
