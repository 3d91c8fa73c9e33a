/*
 * turn_log.c - generates a turn of Star Chess with its commands recorded.
 * SPDX-License-Identifier: MIT
 *
 * The turn generator (turn.h) is a template. It is stamped here a second time, with logging, so
 * that the copy that the tree search uses pays nothing for it.
 */
#include "games/starchess/turn_log.h"

#define TURN(f) logged_##f
#define TURN_LOGS 1
#include "games/starchess/turn.h"

void log_turn(const struct relative_maps *maps, const struct requests *r, unsigned mask,
	      const struct turn_past *past, const struct forced *forced, struct sc_galaxy *g,
	      struct turn_log *log)
{
	log->count = 0;
	logged_make(g, maps, r, mask, past, forced, log);
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
