/*
 * duel_driver.h - the state of the two-player search's driver, shared by duel.c, duel_iterate.c and
 * duel_player.c.
 * SPDX-License-Identifier: MIT
 */
#ifndef SEARCH_DUEL_DRIVER_H
#define SEARCH_DUEL_DRIVER_H

#include "search/duel.h"

struct duel {
	const struct qv_game *game;
	const struct duel_ops *ops;
	const struct qv_allocator *allocator;
	struct settings settings;
	const struct qv_evaluation *evaluation;    /* NULL: the game has none */
	int phase;                         /* of the last root, if phases=1; -1: no search yet */
	struct table table;
	struct duel_worker
		*workers; /* settings.threads of them; the first is the caller's thread */
	int worker_count;
	qv_move kept[QV_MAX_LINE];         /* rest of the last PV, after its first two moves */
	int kept_length;
	uint64_t kept_hash;                /* of the position where that begins */

	/* The search in progress. */
	struct pace pace;                  /* limits of all workers together, at the start */
	atomic_bool halt;                  /* set when the first worker is done */
	int max_depth;
};

/*
 * Iterative deepening until a limit is reached or the value is proven. Updates *out and calls the
 * listener after each iteration.
 */
void duel_iterate(struct duel_worker *w, const struct qv_listener *listener, struct qv_answer *out);
/* A helper thread: deepens without an answer, to fill the shared transposition table (lazy SMP). */
void duel_run_helper(struct duel_worker *w);
/*
 * Extends the line of a proven answer to the end of the game, by further searches. If a limit stops
 * it, the line ends at the last proven move.
 */
void duel_complete_line(struct duel_worker *w, struct qv_answer *out);

#endif
