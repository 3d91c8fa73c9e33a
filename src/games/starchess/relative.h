/*
 * relative.h - the galaxy in the view of the faction to move.
 * SPDX-License-Identifier: MIT
 *
 * Sectors are numbered in the order of the faction to move, which is faction 0; the next one is 1,
 * and so on. Orders and homes are rotated by a quarter from each faction to the next, so one
 * permutation leads from any view to the next faction's, ties go to the lowest set bit, and nothing
 * here depends on who moves.
 */
#ifndef GAMES_STARCHESS_RELATIVE_H
#define GAMES_STARCHESS_RELATIVE_H

#include "games/starchess/rules.h"

/* The homes of factions 0 to 3. */
static const uint8_t relative_homes[SC_FACTIONS] = { 0, 6, 15, 9 };
#define RELATIVE_HOMES (1U << 0 | 1U << 6 | 1U << 15 | 1U << 9)

/* Column and row of each sector, in the view of faction 1 of the rules. */
static const int8_t relative_x[SC_SECTORS] = { 0, 0, 1, 2, 1, 0, 0, 1, 2, 3, 3, 2, 1, 2, 3, 3 };
static const int8_t relative_y[SC_SECTORS] = { 0, 1, 0, 0, 1, 2, 3, 2, 1, 0, 1, 2, 3, 3, 2, 3 };

/* The sectors within distance 1 of each, and within distance 2. */
static const uint16_t relative_near[SC_SECTORS] = {
	0x0017, 0x00b7, 0x011f, 0x071c, 0x09bf, 0x10f2, 0x10e0, 0x39f2,
	0x4f9c, 0x0708, 0x4f08, 0xfd90, 0x38e0, 0xf880, 0xed00, 0xe800,
};
static const uint16_t relative_near2[SC_SECTORS] = {
	0x09bf, 0x39ff, 0x4fbf, 0x4fbf, 0xffff, 0x39ff, 0x39f2, 0xffff,
	0xffff, 0x4f9c, 0xff9c, 0xffff, 0xfdf2, 0xfdf2, 0xff9c, 0xfd90,
};

/* Sector n of the next faction's view is this sector of the present view. */
#define RELATIVE_TURN 6, 12, 5, 1, 7, 13, 15, 11, 4, 0, 2, 8, 14, 10, 3, 9
static const uint8_t relative_turn[SC_SECTORS] = { RELATIVE_TURN };

/* The same tables for each half of a set of sectors. */
struct relative_maps {
	uint16_t near[2][256];             /* a set and its neighbours */
	uint16_t turn[2][256];             /* a set in the next view */
};

/* Fills the maps. */
static inline void relative_prepare(struct relative_maps *maps)
{
	for (unsigned half = 0; half < 2; half++)
		for (unsigned set = 0; set < 256; set++) {
			unsigned near = 0, turned = 0;
			for (unsigned i = 0; i < SC_SECTORS; i++) {
				if (set << 8 * half >> i & 1)
					near |= relative_near[i];
				turned |= (set << 8 * half >> relative_turn[i] & 1) << i;
			}
			maps->near[half][set] = (uint16_t)near;
			maps->turn[half][set] = (uint16_t)turned;
		}
}

/* A set of sectors and all their neighbours. */
static inline unsigned relative_reach(const struct relative_maps *maps, unsigned set)
{
	return maps->near[0][set & 255] | maps->near[1][set >> 8];
}

/* A set of sectors in the view of the next faction. */
static inline uint16_t relative_turned(const struct relative_maps *maps, unsigned set)
{
	return maps->turn[0][set & 255] | maps->turn[1][set >> 8];
}

/* Lanes pass between inlined functions only, so the calling convention for them does not matter. */
#pragma GCC diagnostic ignored "-Wpsabi"

typedef uint16_t lanes __attribute__((vector_size(2 * SC_SECTORS)));

/* Copies of sixteen numbers; memory need not be aligned. */
static inline lanes lanes_load(const uint16_t *from)
{
	lanes all;
	memcpy(&all, from, sizeof all);
	return all;
}

static inline void lanes_store(uint16_t *to, const lanes *all)
{
	memcpy(to, all, sizeof *all);
}

#ifdef __has_builtin
#if __has_builtin(__builtin_shufflevector)
#define LANES_SHUFFLE 1
#endif
#endif

/* Sixteen lanes in the view of the next faction. */
static inline void relative_turn_lanes(uint16_t *to, const uint16_t *from)
{
#ifdef LANES_SHUFFLE
	const lanes before = lanes_load(from);
	const lanes after = __builtin_shufflevector(before, before, RELATIVE_TURN);
	lanes_store(to, &after);
#else
	for (int i = 0; i < SC_SECTORS; i++)
		to[i] = from[relative_turn[i]];
#endif
}

/* The same galaxy in the view of the next faction; `to` must be another object. */
static inline void relative_next(const struct relative_maps *maps, struct sc_galaxy *to,
				 const struct sc_galaxy *from)
{
	relative_turn_lanes(to->population, from->population);
	relative_turn_lanes(to->ships, from->ships);
	for (int f = 0; f < SC_FACTIONS; f++) {
		const int next = (f + 1) % SC_FACTIONS;
		to->colonies[f] = relative_turned(maps, from->colonies[next]);
		to->fleets[f] = relative_turned(maps, from->fleets[next]);
		to->materials[f] = from->materials[next];
		to->credits[f] = from->credits[next];
	}
	to->terran = relative_turned(maps, from->terran);
	to->defeated = (uint16_t)((from->defeated >> 1 | from->defeated << 3) & 15);
}

/* A set of sectors of the rules in the view of faction `me`. */
static inline uint16_t relative_set(unsigned set, int me)
{
	unsigned out = 0;
	for (int i = 0; i < SC_SECTORS; i++)
		out |= (set >> sc_orders[me][i] & 1) << i;
	return (uint16_t)out;
}

/* The galaxy in the view of faction `me` of the rules. */
static inline void relative_view(struct sc_galaxy *to, const struct sc_galaxy *from, int me)
{
	for (int i = 0; i < SC_SECTORS; i++) {
		to->population[i] = from->population[sc_orders[me][i]];
		to->ships[i] = from->ships[sc_orders[me][i]];
	}
	for (int f = 0; f < SC_FACTIONS; f++) {
		const int whose = (f + me) % SC_FACTIONS;
		to->colonies[f] = relative_set(from->colonies[whose], me);
		to->fleets[f] = relative_set(from->fleets[whose], me);
		to->materials[f] = from->materials[whose];
		to->credits[f] = from->credits[whose];
	}
	to->terran = relative_set(from->terran, me);
	to->defeated = (uint16_t)((from->defeated >> me | from->defeated << (SC_FACTIONS - me)) & 15);
}

#endif
