/*
 * view.h - part of quevedo.h: boards and positions as JSON and as pictures, and the trees of searches.
 * SPDX-License-Identifier: MIT
 *
 * docs/boards.md and docs/formats.md describe the JSON. Texts of any length are written: to measure
 * one, write it to { NULL, 0, 0 } first.
 */
#ifndef QUEVEDO_VIEW_H
#define QUEVEDO_VIEW_H

#include "search.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The empty board, the same for all positions: `null` if the game has none. */
QV_API enum qv_status qv_board_json(const struct qv_context *context, const struct qv_rules *rules,
				    struct qv_text *out, struct qv_error *error);
/* A position: its text, whose turn it is, the moves with their clicks, and what stands where. */
QV_API enum qv_status qv_position_json(const struct qv_context *context,
				       const struct qv_rules *rules, const void *state,
				       struct qv_text *out, struct qv_error *error);
/* A position as a complete SVG document. QV_UNSUPPORTED: the game has no board. */
QV_API enum qv_status qv_position_svg(const struct qv_context *context,
				      const struct qv_rules *rules, const void *state,
				      struct qv_text *out, struct qv_error *error);

/* The form of a tree. */
enum qv_tree_form { QV_TREE_TEXT, QV_TREE_JSON, QV_TREE_DOT, QV_TREE_SVG };

struct qv_tree_job {
	size_t size;               /* sizeof(struct qv_tree_job) */
	const char *player;        /* a spec, as for qv_player_new */
	const struct qv_defaults *defaults;    /* may be NULL */
	enum qv_tree_form form;
	int64_t max_nodes;         /* show at most this many nodes; 0: 1000 */
	int max_ply;               /* show this many plies; 0: all */
	const struct qv_flag *stop;            /* may be NULL */
	/* Writes the next part of the tree. If it returns false, the function fails with QV_IO. */
	bool (*write)(void *ctx, const char *data, size_t size);
	void *ctx;
};
/*
 * Lets a player search the position and writes the tree that it visited, in its last complete
 * iteration. *answer, unless answer is NULL, becomes its answer. QV_UNSUPPORTED: the player reports
 * no tree, as mcts and solvers do not.
 */
QV_API enum qv_status qv_search_tree(const struct qv_context *context, const struct qv_rules *rules,
				     const void *state, const struct qv_tree_job *job,
				     struct qv_answer *answer, struct qv_error *error);

#ifdef __cplusplus
}
#endif

#endif
