/*
 * requests.h - what a faction wants at the start of its turn: a request for each sector with a
 * threat or an opportunity, for ships that may go there.
 * SPDX-License-Identifier: MIT
 *
 * Priorities: 1 frees the home world, 2 frees other colonies and attacks home worlds, 3 attacks
 * other colonies, 4 garrisons threatened colonies and founds new ones. The numbers of all sectors
 * are computed at once, in sixteen lanes.
 */
#ifndef GAMES_STARCHESS_REQUESTS_H
#define GAMES_STARCHESS_REQUESTS_H

#include "games/starchess/relative.h"

enum { PRIORITIES = 4 };

/* Experiments that the author of the original player gave up. */
struct mask_habits {
	bool build_threat;         /* ships that could be built count as a threat too */
	bool garrison_early;       /* garrisons have priority 3 */
};

/* Made once from the position at the start of the turn; the same for all masks. */
struct requests {
	uint16_t least[SC_SECTORS], most[SC_SECTORS];      /* ships, for sectors of `full` */
	uint16_t full;                     /* one request per sector */
	uint16_t by_priority[PRIORITIES];  /* subsets of it */
	uint16_t settle;                   /* those that ask for a colony */
	uint16_t reach;                    /* where own ships may go */
	uint8_t fleets[SC_SECTORS];        /* own fleets, the largest first */
	int fleet_count;
};

static const lanes lane_bits = { 1, 2, 4, 8, 16, 32, 64, 128,
				 256, 512, 1024, 2048, 4096, 8192, 16384, 32768 };

/* All ones in the lanes of a set. */
static inline lanes lanes_of(unsigned set)
{
	const lanes all = (lanes){ 0 } + (uint16_t)set;
	return (lanes)((all & lane_bits) == lane_bits);
}

/*
 * Enemy ships in each sector, or able to move there; with `build_threat` also those that enemy
 * colonies could build, in their own sectors.
 */
static inline lanes threats_of(const struct relative_maps *maps, const struct mask_habits *habits,
			       const struct sc_galaxy *g)
{
	lanes threat = { 0 };
	for (int f = 1; f < SC_FACTIONS; f++) {
		const unsigned reach = relative_reach(maps, g->colonies[f]);
		SC_EACH(i, g->fleets[f]) {
			const unsigned there = (relative_near[i] & reach) | 1U << i;
			threat += lanes_of(there) & ((lanes){ 0 } + g->ships[i]);
		}
		if (!habits->build_threat)
			continue;
		const int paid = sc_least(g->materials[f] / SC_SHIP_MATERIALS,
					  g->credits[f] / SC_SHIP_CREDITS);
		SC_EACH(at, g->colonies[f]) {
			const int built = sc_least(paid, g->population[at] / SC_SHIP_WORKERS);
			threat += lanes_of(1U << at) & ((lanes){ 0 } + (uint16_t)built);
		}
	}
	return threat;
}

/* Lane by lane: `yes` where the lane of `where` is all ones, `no` where it is 0. */
static inline lanes lanes_choose(lanes where, lanes yes, lanes no)
{
	return (where & yes) | (~where & no);
}

/*
 * Makes the requests of the faction to move from its view of the galaxy. Own colonies without a
 * threat need none.
 */
static inline void requests_make(struct requests *r, const struct relative_maps *maps,
				 const struct mask_habits *habits, const struct sc_galaxy *g)
{
	const unsigned own = g->colonies[0], enemies = sc_enemy_fleets(g, 0);
	const unsigned foreign = g->colonies[1] | g->colonies[2] | g->colonies[3];
	const unsigned enemy_homes = (g->colonies[1] & 1U << relative_homes[1]) |
				     (g->colonies[2] & 1U << relative_homes[2]) |
				     (g->colonies[3] & 1U << relative_homes[3]);
	uint16_t threats[SC_SECTORS];
	const lanes threat = threats_of(maps, habits, g);
	lanes_store(threats, &threat);
	unsigned safe = 0;
	SC_EACH(i, own)
		safe |= (unsigned)!threats[i] << i;
	const unsigned reach = relative_reach(maps, own), full = reach & ~safe;
	const unsigned garrison = full & own & ~enemies, settle = full & ~own & ~foreign;
	r->reach = (uint16_t)reach;
	r->full = (uint16_t)full;
	r->settle = (uint16_t)settle;
	r->by_priority[0] = (uint16_t)(own & enemies & 1U);
	r->by_priority[1] = (uint16_t)((own & enemies & ~1U) | (full & enemy_homes));
	r->by_priority[2] = (uint16_t)((full & foreign & ~enemy_homes) |
				       (habits->garrison_early ? garrison : 0));
	r->by_priority[3] = (uint16_t)(settle | (habits->garrison_early ? 0 : garrison));
	/* Ships: to hold a colony, to attack one, or to settle. */
	const lanes ours = lanes_of(own), theirs = lanes_of(foreign);
	const lanes thrice = threat * 3, settlers = (lanes){ 0 } + SC_SETTLERS;
	const lanes fifty = (lanes){ 0 } + SC_MOST_BOMBS;
	const lanes attack = lanes_choose((lanes)(thrice > fifty), thrice, fifty);
	const lanes least = lanes_choose(ours, threat / 3 + 1,
					 lanes_choose(theirs, threat + 1, threat + settlers));
	const lanes most =
		lanes_choose(ours, thrice, lanes_choose(theirs, attack, thrice + settlers));
	lanes_store(r->least, &least);
	lanes_store(r->most, &most);
	/* The fleets: largest first, ties as numbered. */
	int n = 0;
	SC_EACH(fleet, g->fleets[0]) {
		int k = n++;
		for (; k > 0 && g->ships[r->fleets[k - 1]] < g->ships[fleet]; k--)
			r->fleets[k] = r->fleets[k - 1];
		r->fleets[k] = (uint8_t)fleet;
	}
	r->fleet_count = n;
}

/* Drops the requests of a set of sectors. */
static inline void requests_drop(struct requests *r, unsigned set)
{
	r->full &= (uint16_t)~set;
	r->settle &= (uint16_t)~set;
	for (int p = 0; p < PRIORITIES; p++)
		r->by_priority[p] &= (uint16_t)~set;
}

#endif
