/*
 * player_1983.c - the 1983 book's hexapawn: one ply, with the game's evaluation `book`.
 * SPDX-License-Identifier: MIT
 *
 * The listing compares partial sums and adds its random number nine times; what the text means is
 * done here, once each. It plays either side; the listing has the upper one only.
 */
#include "games/hexapawn/player_1983.h"

#include "games/hexapawn/rules.h"
#include "search/one_ply.h"

static int32_t score(const void *state, qv_move move, bool literal)
{
	struct hexapawn next = *(const struct hexapawn *)state;
	(void)literal;
	hexapawn_play(&next, move);
	return -hexapawn_evaluate(&next, hexapawn_weights);
}

static const struct one_ply_program program = { score, NULL, NULL, false };

enum qv_status hexapawn_book_new(const struct player_setup *setup, struct qv_player **out,
				 struct qv_error *error)
{
	return one_ply_player_new(setup, &program, out, error);
}
