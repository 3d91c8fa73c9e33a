/*
 * starchess.h - galaxies for tests of Star Chess.
 * SPDX-License-Identifier: MIT
 */
#ifndef SUPPORT_STARCHESS_H
#define SUPPORT_STARCHESS_H

#include "quevedo.h"
#include "twins/starchess.h"

/* Any galaxy: factions with a few colonies and fleets, rich or poor, within a turn or not. */
static inline void any_galaxy(struct qv_random *r, struct twin_galaxy *g, int limit)
{
	*g = (struct twin_galaxy){ .turn = 1 + (int)qv_random_below(r, (uint64_t)limit),
				   .move = 1 + (int)qv_random_below(r, 4),
				   .limit = limit };
	const int crowd = 2 + (int)qv_random_below(r, 3);
	for (int i = 0; i < 16; i++) {
		struct twin_sector *s = &g->at[i / 4][i % 4];
		s->planet = qv_random_below(r, 2) ? 'T' : 'B';
		if (!qv_random_below(r, (uint64_t)crowd)) {
			s->colony = 1 + (int)qv_random_below(r, 4);
			s->population = 20 + (int)qv_random_below(r, 500);
		}
		if (!qv_random_below(r, (uint64_t)crowd)) {
			s->fleet = 1 + (int)qv_random_below(r, 4);
			s->ships = 1 + (int)qv_random_below(r, qv_random_below(r, 20) ? 80 : 999);
			s->active = s->ships;
		}
	}
	for (int f = 1; f <= 4; f++) {
		struct twin_sector *home = &g->at[twin_home(f).column][twin_home(f).row];
		home->planet = 'T';
		home->colony = f;
		home->population = 20 + (int)qv_random_below(r, 981);
		g->materials[f] = (int)qv_random_below(r, 3000);
		g->credits[f] = (int)qv_random_below(r, 5000);
		if (!qv_random_below(r, 20))
			g->materials[f] = g->credits[f] = 999999999;
	}
	for (int i = 0; i < 16 && qv_random_below(r, 2); i++) {
		struct twin_sector *s = &g->at[i / 4][i % 4];
		if (s->fleet == g->move)
			s->active = (int)qv_random_below(r, (uint64_t)s->ships + 1);
		if (s->colony == g->move)
			s->worked = (int)qv_random_below(r, (uint64_t)s->population + 1);
	}
}

#endif
