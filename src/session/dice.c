/*
 * dice.c - the outcomes of a dice roll by their weights, and secrets as hexadecimal digits.
 * SPDX-License-Identifier: MIT
 */
#include "session/dice.h"

#include "base/scan.h"

void dice_hex(const unsigned char secret[DICE_SECRET], char out[DICE_HEX])
{
	for (int i = 0; i < DICE_SECRET; i++)
		snprintf(out + 2 * i, 3, "%02x", secret[i]);
}

bool dice_from_hex(const char *hex, unsigned char secret[DICE_SECRET])
{
	if (strlen(hex) != DICE_HEX - 1)
		return false;
	for (int i = 0; i < DICE_SECRET; i++) {
		const int high = hex_digit(hex[2 * i]), low = hex_digit(hex[2 * i + 1]);
		if (high < 0 || low < 0)
			return false;
		secret[i] = (unsigned char)(high << 4 | low);
	}
	return true;
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
