/*
 * chess_positions.h - positions of chess by chance.
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_CHESS_POSITIONS_H
#define TEST_CHESS_POSITIONS_H

#include "games/chess/rules.h"
#include "support/search.h"

/* After up to 200 plies of random play. */
static inline struct chess any_position(struct qv_context *context, struct qv_random *random)
{
	const struct qv_game *game = spot_at(context, "chess", NULL).rules.game;
	const struct spot s = spot_random(context, game, 200, random);
	struct chess here;
	memcpy(&here, s.state, sizeof here);
	return here;
}

#endif
