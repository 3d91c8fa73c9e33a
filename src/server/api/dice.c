/*
 * dice.c - dice rolls that players can verify; secrets.h describes them.
 * SPDX-License-Identifier: MIT
 *
 * Also part of the engine for browsers (server/wasm).
 */
#include <sodium/crypto_hash_sha256.h>

#include "server/api/secrets.h"

enum { MOST_ROLLS = 255 }; /* hashes of one dice roll after the first */

_Static_assert(crypto_hash_sha256_BYTES == DICE_SECRET, "a hash is written as a secret is");

void dice_commit(const unsigned char secret[DICE_SECRET], char out[DICE_HEX])
{
	unsigned char hash[crypto_hash_sha256_BYTES];
	crypto_hash_sha256(hash, secret, DICE_SECRET);
	dice_hex(hash, out);
}

/* The first 8 bytes of the hash; retry 0: the first one. */
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

/* The number of retries is bounded, but a single one is hardly ever needed. */
uint64_t dice_number(const struct dice *dice, uint64_t weights)
{
	/* Below the last whole multiple of weights every remainder is as likely. */
	const uint64_t tail = (0 - weights) % weights, last = UINT64_MAX - tail;
	uint64_t number = hash_number(dice, 0);
	for (int retry = 1; number > last && retry <= MOST_ROLLS; retry++)
		number = hash_number(dice, retry);
	return number % weights;
}
