/*
 * dice.c - dice rolls that players can verify: the hash of a secret is published before the roll, the
 * secret itself after it.
 * SPDX-License-Identifier: MIT
 */
#include "server/api/dice.h"

#include <sodium.h>

_Static_assert(DICE_SECRET == crypto_hash_sha256_BYTES, "a hash is written as a secret is");

enum { MOST_RETRIES = 255 };

void dice_commit(const unsigned char secret[DICE_SECRET], char out[DICE_HEX])
{
	unsigned char hash[DICE_SECRET];
	crypto_hash_sha256(hash, secret, DICE_SECRET);
	dice_hex(hash, out);
}

/* retry 0: the first hash. */
static uint64_t hash_number(const struct dice *dice, int retry)
{
	char ply[16];
	const unsigned char extra = (unsigned char)retry;
	unsigned char hash[DICE_SECRET];
	crypto_hash_sha256_state sum;
	snprintf(ply, sizeof ply, "%d", dice->ply);
	crypto_hash_sha256_init(&sum);
	crypto_hash_sha256_update(&sum, dice->secret, DICE_SECRET);
	crypto_hash_sha256_update(&sum, (const void *)dice->seed, strlen(dice->seed));
	crypto_hash_sha256_update(&sum, (const void *)dice->game, strlen(dice->game));
	crypto_hash_sha256_update(&sum, (const void *)ply, strlen(ply));
	if (retry)
		crypto_hash_sha256_update(&sum, &extra, 1);
	crypto_hash_sha256_final(&sum, hash);
	uint64_t number = 0;
	for (int i = 0; i < 8; i++)
		number = number << 8 | hash[i];
	return number;
}

uint64_t dice_number(const struct dice *dice, uint64_t weights)
{
	/* Below the last whole multiple of weights every remainder is as likely. */
	const uint64_t tail = (0 - weights) % weights, last = UINT64_MAX - tail;
	uint64_t number = hash_number(dice, 0);
	for (int retry = 1; number > last && retry <= MOST_RETRIES; retry++)
		number = hash_number(dice, retry);
	return number % weights;
}

bool dice_verify(const char *commit, const char *secret, const char *seed, const char *game,
		 int ply, uint64_t weights, uint64_t number)
{
	char promised[DICE_HEX];
	struct dice dice = { .seed = seed, .game = game, .ply = ply };
	if (!weights || !dice_from_hex(secret, dice.secret))
		return false;
	dice_commit(dice.secret, promised);
	return strcmp(promised, commit) == 0 && dice_number(&dice, weights) == number;
}
