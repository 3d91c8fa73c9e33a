/*
 * draughts.c - what counts as a gain in draughts: pieces. Crowning a man is not a gain.
 * SPDX-License-Identifier: MIT
 */
#include "base/bits.h"
#include "games/draughts/rules.h"
#include "puzzle/plain.h"

int32_t draughts_pieces(const void *state, int seat)
{
	const struct draughts *s = state;
	return bits_count(s->pieces[seat]);
}
