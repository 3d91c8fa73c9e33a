/*
 * dice.h - verifies a dice roll as a player can: from commitment, secret and seed alone.
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_DICE_H
#define TEST_DICE_H

#include "server/api/secrets.h"

/* Does the number follow from commitment, secret and seed? The texts may be anything. */
static inline bool dice_verify(const char *commit, const char *secret, const char *seed,
			       const char *game, int ply, uint64_t weights, uint64_t number)
{
	char promised[DICE_HEX];
	struct dice dice = { .seed = seed, .game = game, .ply = ply };
	if (!weights || !dice_from_hex(secret, dice.secret))
		return false;
	dice_commit(dice.secret, promised);
	return strcmp(promised, commit) == 0 && dice_number(&dice, weights) == number;
}

#endif
