/*
 * trace.h - the tree that a search visited: captured through a listener, then drawn.
 * SPDX-License-Identifier: MIT
 *
 *   trace_capture_new(&setup, &capture, error)
 *   listener = trace_capture_listener(capture), and let a player think with it
 *   trace_capture_finish(capture, &answer, &trace, error)
 *   trace_text, trace_json, trace_dot or trace_svg
 *   trace_release(&trace), trace_capture_free(capture)
 *
 * In games with two seats all values and windows are for the seat to move at the root: its own
 * moves take the maximum, the opponent's the minimum.
 */
#ifndef TRACE_TRACE_H
#define TRACE_TRACE_H

#include "base/json.h"

enum trace_kind {
	TRACE_INNER, /* its moves were searched */
	TRACE_LEAF,  /* evaluated */
	TRACE_END,   /* the game has ended there */
	TRACE_KNOWN, /* not searched: answered by the transposition table, or given up */
};

/* What a value says about the true one. */
enum trace_bound { TRACE_EXACT, TRACE_AT_MOST, TRACE_AT_LEAST };

/* A position and the move that led to it. Other nodes are indexes into the array; -1: none. */
struct trace_node {
	int parent, prev, last_child; /* prev: the sibling before */
	int end;		      /* just after its last descendant; set by finish */
	int ply, seat;		      /* plies from the root; who made the move, or QV_CHANCE */
	int sign;		      /* turns reported values into the root's */
	qv_move move;
	size_t name;	   /* its text, in `names` */
	size_t untried;	   /* the texts of the moves not tried here, one after the other */
	int untried_count; /* 0 unless a move that was tried is kept */
	int32_t value, alpha, beta;
	enum trace_kind kind;
	int passes;	 /* how often it was searched; only the last search is kept */
	uint64_t hidden; /* nodes below it that are not kept */
	bool has_value;	 /* the search returned from it */
	bool cut;	 /* its value made the search skip the moves after it */
	bool best;	 /* on the principal variation */
};

/* What is searched and how much is kept. Pointers are borrowed until the trace is released. */
struct trace_setup {
	const struct qv_allocator *allocator;
	struct qv_rules rules;
	const void *root;   /* the position that is searched */
	const char *player; /* its spec, for titles and errors */
	bool short_moves;   /* write moves in the game's short notation, which it must have */
	int64_t max_nodes;  /* without the root */
	int64_t max_ply;    /* nodes deeper than that are only counted */
};

/* In preorder; the root is the first node and has no move. {0} is a valid empty one. */
struct trace {
	struct trace_setup setup;
	struct trace_node *nodes;
	int count, room;	     /* nodes in use, and allocated */
	int deepest;		     /* the deepest ply that is kept */
	struct string names;	     /* texts of moves, each with a NUL */
	uint64_t made, leaves, cuts; /* nodes, evaluations and cut-offs of the iteration */
	int depth;		     /* of the iteration */
	bool complete;		     /* the iteration was searched to its end */
	char move[QV_MOVE_TEXT];     /* the chosen one */
};

void trace_release(struct trace *t); /* frees its contents; an empty one is accepted */

/* ---- Capturing ---- */

/* A tree while a search reports it. */
struct trace_capture;

/* Creates a capture; free it with trace_capture_free. On failure *out is NULL. */
enum qv_status trace_capture_new(const struct trace_setup *setup, struct trace_capture **out,
				 struct qv_error *error);
void trace_capture_free(struct trace_capture *c); /* NULL is fine */

/* For one search, from setup.root. The capture must outlive it. */
struct qv_listener trace_capture_listener(struct trace_capture *c);

/* A search that has reported nothing after so many nodes will report nothing at all. */
enum { TRACE_SILENT = 1000 };

/* For `watch` of the limits: stops a search that reports nothing. */
bool trace_capture_watch(void *capture, uint64_t nodes);

/*
 * Moves the tree of the last complete iteration, or of a first one that was stopped, to *out.
 * Release it. QV_UNSUPPORTED: the player reported no tree.
 */
enum qv_status trace_capture_finish(struct trace_capture *c, const struct qv_answer *answer,
				    struct trace *out, struct qv_error *error);

/* Whether the search reports visits, or how a tree grows: then a log can show it. */
bool trace_capture_seen(const struct trace_capture *c);

/*
 * QV_UNSUPPORTED: the player reports no tree; the error names one of the game that does. seen: a log
 * can show its search.
 */
enum qv_status trace_refuse(const struct trace_setup *setup, bool seen, struct qv_error *error);

/* ---- Reading ---- */

/* The text of the move that led to the node; "root" for the root. Valid as long as the trace. */
const char *trace_name(const struct trace *t, const struct trace_node *n);
/* The k-th move that was not tried at the node, from 0 to untried_count - 1. */
const char *trace_untried(const struct trace *t, const struct trace_node *n, int k);
/* Whether the value is exact or a bound. */
enum trace_bound trace_bound(const struct trace_node *n);
uint64_t trace_hidden(const struct trace *t); /* nodes not kept, in all */

/* A short text, returned by value. */
struct trace_label {
	char text[64];
};
struct trace_label trace_value(const struct trace_node *n);  /* as "<=-3" or "win in 4" */
struct trace_label trace_window(const struct trace_node *n); /* as "[-1, +inf]" */
/* Adds sentences on what the nodes do not show, each followed by `after`. */
void trace_add_remarks(const struct trace *t, struct string *out, const char *after);

/* ---- Drawing ---- */

/*
 * Each writes the whole tree: as indented lines, as nested objects (NULL: no memory), for Graphviz,
 * or as a picture. The texts are appended to `out`; check out->failed at the end.
 */
void trace_text(const struct trace *t, struct string *out);
json_t *trace_json(const struct trace *t);
void trace_dot(const struct trace *t, struct string *out);
enum qv_status trace_svg(const struct trace *t, struct string *out, struct qv_error *error);

#endif
