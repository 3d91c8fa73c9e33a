/*
 * analysis.h - the best lines of a position, told as the search deepens.
 * SPDX-License-Identifier: MIT
 *
 * Line k is the search without the first moves of the lines before it. Several lines of a search
 * that deepens go side by side: all of depth 1, all of depth 2, and so on; of other players, one
 * after the other.
 */
#ifndef SEARCH_ANALYSIS_H
#define SEARCH_ANALYSIS_H

#include "quevedo.h"

/* All borrowed for the call. */
struct analysis_setup {
	const struct qv_allocator *allocator;
	struct qv_player *player;
	const char *spec;                  /* what errors call it */
	const struct qv_game *game;
	const void *state;                 /* a player is to move, and the game goes on */
	/* How the player is asked, with think_ctx, for programs outside; NULL: as any of the library. */
	enum qv_status (*think)(void *ctx, struct qv_player *player, const void *state,
				const struct qv_limits *limits, const struct qv_listener *listener,
				struct qv_answer *out, struct qv_error *error);
	void *think_ctx;
	int lines;                         /* wanted; there may be fewer moves */
	/*
	 * For all lines together, besides the player's own limits for each. Of times the shorter
	 * one is the limit; `only` are the first moves of all lines.
	 */
	struct qv_limits limits;
	/*
	 * A line, from 1, as far as it is known. Lines of one depth come together, the best first.
	 * Anything but QV_OK ends it all and is what analysis_run returns; whoever is told by a
	 * search that goes on sets the stop flag too.
	 */
	enum qv_status (*tell)(void *ctx, int line, const struct qv_answer *answer,
			       struct qv_error *error);
	/* Of lines side by side: as a listener's, the moves of earlier lines counted too; may be NULL. */
	void (*root_move)(void *ctx, qv_move move, int n, int depth);
	void *ctx;
};

/* QV_OK, or QV_STOPPED: what is known has been told. */
enum qv_status analysis_run(const struct analysis_setup *setup, struct qv_error *error);

#endif
