/*
 * wave.h - a small game solved backwards in memory, wave by wave: the positions that are decided in
 * 0 plies, then those in 1 ply, and so on.
 * SPDX-License-Identifier: MIT
 *
 * It is the retrograde analysis of endgame tables (src/solve), without their files.
 */
#ifndef CORE_WAVE_H
#define CORE_WAVE_H

#include "solve/retro.h"

/* Most numbers of all spaces together, so that it takes about a second. */
enum { WAVE_NUMBERS = 1 << 20, WAVE_PLIES = 1 << 16 };

struct wave_count {
	uint64_t wins, losses; /* for the side to move */
};

struct wave {
	struct spaces spaces;
	struct table_cache cache; /* the values of all spaces that are solved */
	int end;		  /* so many spaces are */
	uint64_t positions, draws;
	struct wave_count *counts; /* by plies to the end */
	int plies;		   /* how many: one more than the longest win or loss */
};

/*
 * Solves the spaces of a game up to the named one, or all of them if it is NULL. QV_UNSUPPORTED: the
 * game has no index, or its spaces are too large. Free it with wave_free; on failure *out is NULL.
 */
enum qv_status wave_new(const struct qv_allocator *allocator, const struct qv_rules *rules,
			const char *up_to, struct wave **out, struct qv_error *error);
void wave_free(struct wave *w); /* NULL is fine */

/* Position `index`, from 0, of those decided in so many plies. False: the index is too large. */
bool wave_position(const struct wave *w, int plies, uint64_t index, void *state);
/* The code of a position (table_file.h). False: it is in none of the spaces. */
bool wave_code(const struct wave *w, const void *state, uint32_t *code);

#endif
