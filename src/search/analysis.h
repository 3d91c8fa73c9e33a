/*
 * analysis.h - the best lines of a position (multi-PV), reported as the search deepens.
 * SPDX-License-Identifier: MIT
 *
 * Line k is a search without the first moves of lines 1 to k - 1. If the player deepens
 * iteratively, all lines are searched to depth 1, then all to depth 2, and so on; otherwise one
 * after the other.
 */
#ifndef SEARCH_ANALYSIS_H
#define SEARCH_ANALYSIS_H

#include "quevedo.h"

/* All borrowed for the call. */
struct analysis_setup {
	const struct qv_allocator *allocator;
	struct qv_player *player;
	const char *spec;                  /* the player's spec, for error messages */
	const struct qv_game *game;
	const void *state;                 /* a player is to move, and the game has not ended */
	/* Runs the player, with run_ctx: for external engines. NULL: the player itself. */
	enum qv_status (*run)(void *ctx, struct qv_player *player, const void *state,
			      const struct qv_limits *limits, const struct qv_listener *listener,
			      struct qv_answer *out, struct qv_error *error);
	void *run_ctx;
	int lines;                         /* lines wanted; a position may have fewer moves */
	/*
	 * For all lines together, in addition to the player's own limits for each line. The shorter
	 * of time_ms and aim_ms applies; `only` restricts the first moves of all lines.
	 */
	struct qv_limits limits;
	/*
	 * Reports a line, counted from 1. Lines of one depth come together, the best first. A
	 * status other than QV_OK ends the analysis, and analysis_run returns it; a search in
	 * progress ends only if the callback sets the stop flag, too.
	 */
	enum qv_status (*report)(void *ctx, int line, const struct qv_answer *answer,
			       struct qv_error *error);
	/* As in struct qv_listener, counting the moves of earlier lines; may be NULL. */
	void (*root_move)(void *ctx, qv_move move, int n, int depth);
	void *ctx;
};

/*
 * Runs in the caller's thread. QV_STOPPED: a limit or the stop flag ended it after the last report.
 */
enum qv_status analysis_run(const struct analysis_setup *setup, struct qv_error *error);

#endif
