/*
 * dice.c - dice that nobody has to believe in: a secret promised before the throw, shown after it.
 * SPDX-License-Identifier: MIT
 */
#include "server/api/dice.h"

#include <sodium.h>

_Static_assert(DICE_SECRET == crypto_hash_sha256_BYTES, "a promise is written as a secret is");

enum { MOST_RETRIES = 255 };

void dice_hex(const unsigned char secret[DICE_SECRET], char out[DICE_HEX])
{
	sodium_bin2hex(out, DICE_HEX, secret, DICE_SECRET);
}

bool dice_from_hex(const char *hex, unsigned char secret[DICE_SECRET])
{
	size_t length = 0;
	return strlen(hex) == DICE_HEX - 1 &&
	       sodium_hex2bin(secret, DICE_SECRET, hex, DICE_HEX - 1, NULL, &length, NULL) == 0 &&
	       length == DICE_SECRET;
}

void dice_commit(const unsigned char secret[DICE_SECRET], char out[DICE_HEX])
{
	unsigned char hash[DICE_SECRET];
	crypto_hash_sha256(hash, secret, DICE_SECRET);
	dice_hex(hash, out);
}

uint64_t dice_weights(const struct qv_game *game, const void *state)
{
	qv_move list[QV_MAX_MOVES];
	const int count = game->moves(state, list);
	uint64_t sum = 0;
	for (int i = 0; i < count; i++)
		sum += game->weight(state, list[i]);
	return sum;
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
	crypto_hash_sha256_update(&sum, (const void *)dice->play, strlen(dice->play));
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

qv_move dice_outcome(const struct qv_game *game, const void *state, uint64_t number)
{
	qv_move list[QV_MAX_MOVES];
	const int count = game->moves(state, list);
	for (int i = 0; i < count; i++) {
		const uint64_t weight = game->weight(state, list[i]);
		if (number < weight)
			return list[i];
		number -= weight;
	}
	return QV_NO_MOVE;
}

bool dice_verify(const char *commit, const char *secret, const char *seed, const char *play,
		 int ply, uint64_t weights, uint64_t number)
{
	char promised[DICE_HEX];
	struct dice dice = { .seed = seed, .play = play, .ply = ply };
	if (!weights || !dice_from_hex(secret, dice.secret))
		return false;
	dice_commit(dice.secret, promised);
	return strcmp(promised, commit) == 0 && dice_number(&dice, weights) == number;
}
