/*
 * player_1983.h - the 1983 book's hexapawn program: one ply with the evaluation `book`.
 * SPDX-License-Identifier: MIT
 *
 * The listing compares partial sums and adds its random number nine times. This program does what
 * the text means: each once. It plays either side; the listing plays the upper side only.
 */
#ifndef GAMES_HEXAPAWN_PLAYER_1983_H
#define GAMES_HEXAPAWN_PLAYER_1983_H

#include "games/hexapawn/rules.h"
#include "search/one_ply.h"

static int32_t hexapawn_1983_score(const void *state, qv_move move, bool literal)
{
	struct hexapawn next = *(const struct hexapawn *)state;
	(void)literal;
	hexapawn_play(&next, move);
	return -hexapawn_evaluate(&next, hexapawn_weights);
}

static const struct one_ply_program hexapawn_program_1983 = { hexapawn_1983_score, NULL, NULL, false };

#endif
