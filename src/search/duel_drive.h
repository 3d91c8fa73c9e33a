/*
 * duel_drive.h - inside the two-player search's driver: one search in progress.
 * SPDX-License-Identifier: MIT
 */
#ifndef SEARCH_DUEL_DRIVE_H
#define SEARCH_DUEL_DRIVE_H

#include "search/duel.h"

struct duel {
	const struct qv_game *game;
	const struct duel_ops *ops;
	const struct qv_allocator *allocator;
	struct settings settings;
	const struct qv_evaluation *evaluation;    /* NULL: the game has none */
	int phase;                         /* of the last root, if phases count; -1: none yet */
	struct table table;
	struct duel_worker
		*workers; /* settings.threads of them; the first is the caller's thread */
	int worker_count;
	qv_move kept[QV_MAX_LINE];         /* expected after the move played and its reply */
	int kept_length;
	uint64_t kept_hash;                /* of the position where it begins */

	/* The search in progress. */
	struct pace pace;                  /* as it starts; the limits of all workers together */
	atomic_bool halt;                  /* the first worker is done */
	int max_depth;
};

/* Deepens until a limit or a proof; fills *out as it goes and tells the listener. */
void duel_iterate(struct duel_worker *w, const struct qv_listener *listener, struct qv_answer *out);
/* Deepens without an answer, from a depth of its own, for the table's sake. */
void duel_help(struct duel_worker *w);
/*
 * Makes the line of a proven answer reach the end of the game; if a limit forbids, it is cut where
 * it is sure.
 */
void duel_complete_line(struct duel_worker *w, struct qv_answer *out);

#endif
