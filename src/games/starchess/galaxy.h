/*
 * galaxy.h - Star Chess: sixteen sectors, four factions; combat, economy and the end of a turn.
 * SPDX-License-Identifier: MIT
 *
 * A set of sectors is a word of 16 bits; populations and ships are 16 lanes of 16 bits. Sectors may
 * be numbered in any order: the rules use A1 A2 A3 A4 B1 ... D4, a player uses its own order
 * (games/starchess/relative.h). What depends on the numbering is an argument.
 */
#ifndef STARCHESS_GALAXY_H
#define STARCHESS_GALAXY_H

#include "base/bits.h"
#include "quevedo.h"

enum {
	SC_SECTORS = 16,
	SC_FACTIONS = 4,
	SC_MOST_SHIPS = 999,	/* of a fleet */
	SC_SETTLERS = 20,	/* ships that become a colony, and its inhabitants */
	SC_TERRAFORM = 1000,	/* materials */
	SC_SHIP_MATERIALS = 20, /* to build one ship */
	SC_SHIP_CREDITS = 40,
	SC_SHIP_WORKERS = 10,
	SC_KEEP_MATERIALS = 10, /* to support one ship for a turn */
	SC_KEEP_CREDITS = 20,
	SC_TERRAN_MOST = 1000, /* inhabitants */
	SC_BARREN_MOST = 200,
	SC_TERRAN_GROWTH = 20, /* per cent a turn */
	SC_BARREN_GROWTH = 10,
	SC_MOST_BOMBS = 50, /* per cent of a population */
	SC_COLONY_POINTS = 10,
	SC_MAX_RESERVE = 999999999, /* what cannot be written is lost */
};

/*
 * What the factions own at a moment between commands. A sector is in at most one set of colonies
 * and in at most one set of fleets. Without padding, so that it can be compared and hashed as
 * bytes.
 */
struct sc_galaxy {
	uint16_t population[SC_SECTORS]; /* 0: no colony */
	uint16_t ships[SC_SECTORS];	 /* 0: no fleet */
	uint16_t colonies[SC_FACTIONS];	 /* sets of sectors */
	uint16_t fleets[SC_FACTIONS];
	uint16_t terran;
	uint16_t defeated; /* a set of factions; their reserves are 0 */
	int32_t materials[SC_FACTIONS], credits[SC_FACTIONS];
};
_Static_assert(sizeof(struct sc_galaxy) == 116, "no padding");

/*
 * A loop over the sectors of a set, in ascending order. The set is evaluated once, before the first
 * pass, so the body may change what it was computed from.
 */
#define SC_EACH(sector, set)                                                    \
	for (unsigned sector##_set = (set), sector = 0;                         \
	     sector##_set && (sector = (unsigned)bits_lowest(sector##_set), 1); \
	     sector##_set &= sector##_set - 1)

/* Sectors with a colony, and those with ships of others than `me`. */
static inline unsigned sc_all_colonies(const struct sc_galaxy *g)
{
	return g->colonies[0] | g->colonies[1] | g->colonies[2] | g->colonies[3];
}

static inline unsigned sc_enemy_fleets(const struct sc_galaxy *g, int me)
{
	return (g->fleets[0] | g->fleets[1] | g->fleets[2] | g->fleets[3]) &
	       ~(unsigned)g->fleets[me];
}

/* All ships of a faction. */
static inline int sc_ships_of(const struct sc_galaxy *g, int faction)
{
	int ships = 0;
	SC_EACH(i, g->fleets[faction])
		ships += g->ships[i];
	return ships;
}

/* The faction whose set has the sector; -1: none. */
static inline int sc_owner(const uint16_t sets[SC_FACTIONS], unsigned sector)
{
	for (int f = 0; f < SC_FACTIONS; f++)
		if (sets[f] >> sector & 1)
			return f;
	return -1;
}

/* ---- Combat ---- */

/* What is left of the larger of two fleets after combat; 0 if they are equal. */
static inline int sc_left_of(int large, int small)
{
	return large - (large < 2 * small ? small : large < 3 * small ? small / 2 : 0);
}

/*
 * Ships of a faction enter a sector, from elsewhere or newly built: they join its own, or fight.
 * Returns how many of them are left.
 */
static inline int sc_arrive(struct sc_galaxy *g, int me, unsigned sector, int count)
{
	const uint16_t here = (uint16_t)(1U << sector);
	const int there = g->ships[sector];
	if (!there || g->fleets[me] & here) {
		g->ships[sector] = (uint16_t)(there + count);
		g->fleets[me] |= here;
		return count;
	}
	if (count < there) {
		g->ships[sector] = (uint16_t)sc_left_of(there, count);
		return 0;
	}
	const int left = count == there ? 0 : sc_left_of(count, there);
	for (int f = 0; f < SC_FACTIONS; f++)
		g->fleets[f] &= (uint16_t)~here;
	g->fleets[me] |= left ? here : 0;
	g->ships[sector] = (uint16_t)left;
	return left;
}

/* Removes ships of a faction from a sector. */
static inline void sc_leave(struct sc_galaxy *g, int me, unsigned sector, int count)
{
	g->ships[sector] = (uint16_t)(g->ships[sector] - count);
	if (!g->ships[sector])
		g->fleets[me] &= (uint16_t) ~(1U << sector);
}

/* ---- Economy ---- */

/* The smaller of two numbers. */
static inline int sc_least(int a, int b)
{
	return a < b ? a : b;
}

/* How many ships may still join the faction's own in a sector. */
static inline int sc_room(const struct sc_galaxy *g, int me, unsigned sector)
{
	return SC_MOST_SHIPS - (g->fleets[me] >> sector & 1 ? g->ships[sector] : 0);
}

/* The most ships that an own colony can build if `worked` of its colonists have worked. */
static inline int sc_can_build(const struct sc_galaxy *g, int me, unsigned sector, int worked)
{
	const int idle = g->population[sector] - worked;
	const int staffed = (idle > 0 ? idle : 0) / SC_SHIP_WORKERS;
	const int paid =
		sc_least(g->materials[me] / SC_SHIP_MATERIALS, g->credits[me] / SC_SHIP_CREDITS);
	return sc_least(sc_least(paid, staffed), sc_room(g, me, sector));
}

/* What colonies yield in a turn, before ships are paid. */
struct sc_income {
	int materials, credits; /* credits minus what colonies consume */
};

/*
 * The income of one colony per turn. Terran planets yield both goods; barren ones yield more
 * materials and cost credits.
 */
static inline struct sc_income sc_colony_income(const struct sc_galaxy *g, unsigned sector)
{
	const int people = g->population[sector];
	if (g->terran >> sector & 1)
		return (struct sc_income){ sc_least(people, 200), sc_least(people, 1000) };
	return (struct sc_income){ sc_least(5 * people, 1000), -sc_least(people, 200) };
}

/* The income of all colonies of a faction that are not blockaded. */
static inline struct sc_income sc_income_of(const struct sc_galaxy *g, int me)
{
	struct sc_income sum = { 0, 0 };
	SC_EACH(i, g->colonies[me] & ~sc_enemy_fleets(g, me)) {
		const struct sc_income one = sc_colony_income(g, i);
		sum.materials += one.materials;
		sum.credits += one.credits;
	}
	return sum;
}

/* The number of ships that the reserves can support, once the income is added. */
static inline int sc_capacity(int materials, int credits)
{
	return sc_least(materials / SC_KEEP_MATERIALS,
			(credits > 0 ? credits : 0) / SC_KEEP_CREDITS);
}

/*
 * Scraps `excess` of a faction's ships: of each fleet its share, rounded down; the rest one ship
 * each from the fleets with the largest remainders, ties in `order` (NULL: as numbered).
 */
static inline void sc_scrap_excess(struct sc_galaxy *g, int me, int excess, int ships,
				   const uint8_t *order)
{
	int rest[SC_SECTORS], left = excess;
	const unsigned fleets = g->fleets[me];
	SC_EACH(i, fleets) {
		const int share = excess * g->ships[i] / ships;
		rest[i] = excess * g->ships[i] % ships;
		left -= share;
		sc_leave(g, me, i, share);
	}
	for (; left > 0; left--) {
		int most = 0;
		unsigned at = 0;
		for (unsigned k = 0; k < SC_SECTORS; k++) {
			const unsigned i = order ? order[k] : k;
			if (fleets >> i & 1 && rest[i] > most) {
				most = rest[i];
				at = i;
			}
		}
		rest[at] = 0;
		sc_leave(g, me, at, 1);
	}
}

/*
 * Adds the income, pays for all ships, and scraps those that cannot be paid. Reserves are never
 * negative, and what exceeds SC_MAX_RESERVE is lost.
 */
static inline void sc_pay_support(struct sc_galaxy *g, int me, const uint8_t *order)
{
	const struct sc_income income = sc_income_of(g, me);
	const int materials = g->materials[me] + income.materials;
	const int credits = g->credits[me] + income.credits;
	const int capacity = sc_capacity(materials, credits);
	int ships = sc_ships_of(g, me);
	if (ships > capacity) {
		sc_scrap_excess(g, me, ships - capacity, ships, order);
		ships = capacity;
	}
	const int kept = credits - SC_KEEP_CREDITS * ships;
	g->materials[me] = sc_least(materials - SC_KEEP_MATERIALS * ships, SC_MAX_RESERVE);
	g->credits[me] = sc_least(kept > 0 ? kept : 0, SC_MAX_RESERVE);
}

/* ---- The end of a turn ---- */

/*
 * Ends the turn of faction `me`, in the order of the rules. reach: the sectors within distance 1 of
 * its colonies; homes: the home sector of each faction; order: as in sc_scrap_excess.
 */
static inline void sc_end_turn(struct sc_galaxy *g, int me, unsigned reach,
			       const uint8_t homes[SC_FACTIONS], const uint8_t *order)
{
	/* Fleets too far away from all colonies are lost. */
	const unsigned lost = g->fleets[me] & ~reach;
	SC_EACH(i, lost)
		g->ships[i] = 0;
	g->fleets[me] &= (uint16_t)~lost;
	sc_pay_support(g, me, order);
	/* Fleets bombard enemy colonies in their sectors. Small colonies perish. */
	SC_EACH(at, g->fleets[me] & sc_all_colonies(g) & ~(unsigned)g->colonies[me]) {
		const int people = g->population[at];
		const int left = people - people * sc_least(g->ships[at], SC_MOST_BOMBS) / 100;
		const uint16_t others = (uint16_t) ~(1U << at);
		g->population[at] = (uint16_t)(left < SC_SETTLERS ? 0 : left);
		if (left >= SC_SETTLERS)
			continue;
		g->terran &= others;
		for (int f = 0; f < SC_FACTIONS; f++)
			g->colonies[f] &= others;
	}
	/* Factions that have lost their home world are defeated: everything they own is removed. */
	for (int f = 0; f < SC_FACTIONS; f++) {
		if (g->defeated >> f & 1 || g->colonies[f] >> homes[f] & 1)
			continue;
		SC_EACH(colony, g->colonies[f])
			g->population[colony] = 0;
		SC_EACH(fleet, g->fleets[f])
			g->ships[fleet] = 0;
		g->colonies[f] = g->fleets[f] = 0;
		g->materials[f] = g->credits[f] = 0;
		g->defeated |= (uint16_t)(1U << f);
	}
	/* Colonies that are not blockaded grow. */
	SC_EACH(colony, g->colonies[me] & ~sc_enemy_fleets(g, me)) {
		const bool terran = g->terran >> colony & 1;
		const int people = g->population[colony];
		const int most = terran ? SC_TERRAN_MOST : SC_BARREN_MOST;
		const int rate = terran ? SC_TERRAN_GROWTH : SC_BARREN_GROWTH;
		if (people < most)
			g->population[colony] =
				(uint16_t)sc_least(people + people * rate / 100, most);
	}
}

/* Whether only one faction is left. */
static inline bool sc_is_won(const struct sc_galaxy *g)
{
	return bits_count(g->defeated) == SC_FACTIONS - 1;
}

/* ---- The score ---- */

/* The ships of a faction, and ten for each colony. */
static inline int32_t sc_strength(const struct sc_galaxy *g, int faction)
{
	return sc_ships_of(g, faction) + SC_COLONY_POINTS * bits_count(g->colonies[faction]);
}

/* Compares strengths: three times a faction's own minus the others', stronger ones doubled. */
static inline void sc_compare(const int32_t strength[SC_FACTIONS], int32_t scores[SC_FACTIONS])
{
	for (int f = 0; f < SC_FACTIONS; f++) {
		int32_t others = 0;
		for (int p = 0; p < SC_FACTIONS; p++)
			others += (p == f ? 0 : strength[p]) << (strength[p] > strength[f]);
		scores[f] = (SC_FACTIONS - 1) * strength[f] - others;
	}
}

/* Sets the score of each faction, by which a drawn game and the players judge a position. */
static inline void sc_scores(const struct sc_galaxy *g, int32_t scores[SC_FACTIONS])
{
	int32_t strength[SC_FACTIONS];
	for (int f = 0; f < SC_FACTIONS; f++)
		strength[f] = sc_strength(g, f);
	sc_compare(strength, scores);
}

#endif
