/*
 * one_ply.h - programs that try each move once, score what comes of it, and play the best: the
 * frame of the 1983 book's (kind `book`).
 * SPDX-License-Identifier: MIT
 *
 * A program gives a score for a move, and may know positions by heart. The frame does the rest: the
 * best score is kept, and chance decides between equals. (The listings add RND(1) to whole scores,
 * which comes to the same.)
 */
#ifndef SEARCH_ONE_PLY_H
#define SEARCH_ONE_PLY_H

#include "search/player_kind.h"

struct one_ply_program {
	/* How good a move is for the one who makes it; literal: as the listing has it. */
	int32_t (*score)(const void *state, qv_move move, bool literal);
	/* Book lines: whether only moves that pass `prefers` are to be looked at; may be NULL. */
	bool (*knows)(const void *state);
	bool (*prefers)(const void *state, qv_move move);
	bool has_literal;          /* the listing has a second reading */
};

player_maker one_ply_player_new; /* `own` of the setup is a struct one_ply_program */

#endif
