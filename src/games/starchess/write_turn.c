/*
 * write_turn.c - the turn of a mask, written down.
 * SPDX-License-Identifier: MIT
 */
#include "games/starchess/write_turn.h"

#define TURN(f) written_##f
#define TURN_LOGS 1
#include "games/starchess/turn.h"

void write_turn(const struct relative_maps *maps, const struct requests *r, unsigned mask,
		const struct turn_past *past, const struct forced *forced, struct sc_galaxy *g,
		struct turn_log *log)
{
	log->count = 0;
	written_make(g, maps, r, mask, past, forced, log);
}

void turn_past_of(const struct starchess *s, struct turn_past *past)
{
	for (int i = 0; i < SC_SECTORS; i++) {
		const unsigned at = sc_orders[s->seat][i];
		const bool own = s->g.fleets[s->seat] >> at & 1;
		past->inactive[i] = (uint16_t)(own ? s->g.ships[at] - s->active[at] : 0);
		past->worked[i] = s->worked[at];
	}
}
