/*
 * one_ply.h - programs that look one ply ahead: they score each move and play the best. The frame
 * of the 1983 book's programs (kind `book`).
 * SPDX-License-Identifier: MIT
 *
 * A program scores a move and may have book lines. The frame plays the best score, at random
 * between equal ones. (The listings add RND(1) to integer scores, which has the same effect.)
 */
#ifndef SEARCH_ONE_PLY_H
#define SEARCH_ONE_PLY_H

#include "search/player_kind.h"

struct one_ply_program {
	/* The score of a move for the seat that plays it; literal: exactly as in the listing. */
	int32_t (*score)(const void *state, qv_move move, bool literal);
	/*
	 * Book lines: whether only moves for which `prefers` is true are considered; may be NULL.
	 */
	bool (*knows)(const void *state);
	bool (*prefers)(const void *state, qv_move move);
	bool has_literal;          /* the listing has a second reading */
	/*
	 * A program that looks further ahead has a player of its own, which alone reads the settings
	 * `sort` and `prune`. NULL: the frame.
	 */
	player_maker *make;
};

player_maker one_ply_player_new; /* `own` of the setup is a struct one_ply_program */

#endif
