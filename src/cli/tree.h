/*
 * tree.h - the searched tree as a listener heard of it, and its four ways out.
 * SPDX-License-Identifier: MIT
 *
 * Of two seats, all values and windows are for the seat to move at the root, as the book draws
 * them: its own moves take the largest, the opponent's the smallest.
 */
#ifndef CLI_TREE_H
#define CLI_TREE_H

#include "cli/player_answer.h"

enum grown_kind {
	GROWN_INNER, /* looked into */
	GROWN_LEAF,  /* evaluated */
	GROWN_END,   /* the game has ended there */
	GROWN_KNOWN, /* not looked into: the table knew it, or it was given up */
};

enum grown_bound { GROWN_EXACT, GROWN_AT_MOST, GROWN_AT_LEAST };

/* A position and the move that led to it. Places are in the array of nodes; -1: none. */
struct grown_node {
	int parent, prev, last_child; /* prev: the sibling before */
	int end;       /* just behind its last descendant; once the tree is finished */
	int ply, seat; /* plies from the root; who played the move, or QV_CHANCE */
	int sign;      /* of values told, to make them the root's */
	qv_move move;
	size_t name;	   /* its text, in `names` */
	size_t skipped;	   /* the texts of the moves not tried here, one behind the other */
	int skipped_count; /* 0 unless a move that was tried is kept */
	int32_t value, alpha, beta;
	enum grown_kind kind;
	int passes;	 /* how often it was searched; only the last is kept */
	uint64_t hidden; /* nodes below it that are not kept */
	bool told;	 /* its value is known: the search came back from it */
	bool cut;	 /* after it the rest was left out */
	bool best;	 /* on the best line */
};

/* Preorder; the root is the first, and has no move. */
struct grown {
	struct grown_node *nodes;
	int count, most;	    /* most: room */
	int deepest, deepest_asked; /* ply that is kept; that was to be */
	struct string names;
	uint64_t made, leaves, cuts;
	int depth;     /* of the iteration */
	bool complete; /* ... which was searched to its end */
};

/* Room for so many nodes; nodes deeper than that ply are only counted. */
enum qv_status grown_init(struct grown *t, int64_t most, int64_t deepest);
void grown_release(struct grown *t);

/* Lets the player search and keeps the tree of its last complete iteration: at most max_nodes, no
 * deeper than depth. */
enum qv_status grown_grow(struct grown *t, struct thought *thought, int64_t max_nodes,
			  int64_t depth);

const char *grown_name(const struct grown *t, const struct grown_node *n);
/* The k-th move not tried at the node. */
const char *grown_skipped(const struct grown *t, const struct grown_node *n, int k);
enum grown_bound grown_bound(const struct grown_node *n);
bool grown_is_open(int32_t edge);	      /* no value lies beyond it */
uint64_t grown_hidden(const struct grown *t); /* nodes not kept, in all */

struct grown_words {
	char text[64];
};
struct grown_words grown_value(const struct grown_node *n);  /* as "<=-3" or "win in 4" */
struct grown_words grown_number(int32_t value);		     /* "-inf", "+inf", "win in 4", "-3" */
struct grown_words grown_window(const struct grown_node *n); /* as "[-1, +inf]" */
void grown_add_remarks(const struct grown *t, const struct thought *thought, struct string *out,
		       const char *before, const char *after);

void grown_text(const struct grown *t, const struct thought *thought, struct string *out);
json_t *grown_json(const struct grown *t, const struct thought *thought);
void grown_dot(const struct grown *t, const struct thought *thought, struct string *out);
enum qv_status grown_svg(const struct grown *t, const struct thought *thought, struct cli *c);

#endif
