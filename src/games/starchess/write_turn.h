/*
 * write_turn.h - the same turn as in the tree, with its commands written down.
 * SPDX-License-Identifier: MIT
 */
#ifndef GAMES_STARCHESS_WRITE_TURN_H
#define GAMES_STARCHESS_WRITE_TURN_H

#include "games/starchess/predict.h"
#include "games/starchess/turn_log.h"

void write_turn(const struct relative_maps *maps, const struct requests *r, unsigned mask,
		const struct turn_past *past, const struct forced *forced, struct sc_galaxy *g,
		struct turn_log *log);

/* What the faction to move has done this turn already, in its view. */
void turn_past_of(const struct starchess *s, struct turn_past *past);

#endif
