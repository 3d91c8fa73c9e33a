/*
 * log.h - the log of a search: every visit to every node, in the order in which it happened.
 * SPDX-License-Identifier: MIT
 *
 *   log_new(&setup, &log, error)
 *   listener = log_listener(log), and let a player think with it
 *   log_finish(log, &answer, error)
 *   log_json, log_words, log_html; then log_free(log)
 *
 * trace.h keeps one tree, that of the last iteration; the log keeps everything, so that a search
 * can be stepped through. In games with two seats all values and windows are those of the seat to
 * move at the root. A visit comes after its parent and before the visits below it, so the events
 * of the search follow from the array alone: visit i is entered at step i, and left as soon as the
 * next visit is not below it.
 *
 * The counts of minimax to mtdf follow from the visits. Nodes: the visits without passes and
 * without those that search a move again (QV_VISIT_AGAIN); with top=N also one for each move that is
 * scored to find the best N, at the root once and at each visit with QV_WHY_TOP below it.
 * Evaluations: the reasons leaf, stand-pat, razor and hard; with hard=N one for each move at depth 2
 * and more that is tested and then searched; those of top=N; with ply1 one for the root and for each
 * of its moves; with move-eval only one for each node. What a search does after its last iteration,
 * to complete the line of a proven value, is no part of the log.
 */
#ifndef TRACE_LOG_H
#define TRACE_LOG_H

#include "base/json.h"
#include "base/map.h"
#include "trace/trace.h"

enum {
	LOG_NOBODY = -2,	     /* seat of a node where the game is over; QV_CHANCE is -1 */
	LOG_PLIES = 2 * QV_MAX_LINE, /* visits deeper than that are only counted */
};

/* One visit. Other visits are indexes into the array; -1: none. */
struct log_visit {
	int parent;	/* -1: a pass over the root */
	int end;	/* just after its last descendant */
	int move;	/* text of the move that led to it, an index into the names; 0: none */
	int best;	/* the same for its best move; 0: none */
	int ply, depth; /* plies from the root; plies left to the horizon, below 0 beyond it */
	int seat;	/* who moves at the node; QV_CHANCE: a roll; LOG_NOBODY: the game is over */
	int sign;	/* turns reported values into the root's */
	double alpha, beta; /* as the node was entered; infinite where open */
	double value;	    /* NAN: the search was stopped here, or a probe searched no move */
	double number;	    /* of the reason `why` */
	unsigned flags;	    /* QV_VISIT_... */
	unsigned reasons;   /* a bit for each enum qv_why that was reported */
	int why;	    /* the last reason, or -1: all moves were searched */
	int64_t values;	    /* index of the first of `seats` numbers in log.vectors; -1: none */
	bool left;	    /* the search has left the node */
	int untried;	    /* after QV_WHY_CUT: how many moves were left */
};

/* One step of a tree that grows (struct qv_growth). */
struct log_growth {
	int node;	/* the node at the end of the path, an index into log.grown */
	size_t first;	/* the numbers of the path, pairs from log.vectors[first] on */
	int count;	/* pairs: one for each node of the path, the root first */
	int64_t result; /* index of the first of `seats` numbers in log.vectors; -1: none */
	int attacker;	/* proofs: the seat whose win is to be proven; else -1 */
	bool added;
};

struct log_grown {
	int parent, move; /* as in struct log_visit */
	int seat;	  /* who moves there, as in struct log_visit */
	qv_move played;	  /* the move itself */
	int proven;	  /* mcts: the step after which its value is proven; -1: it is not */
};

struct log {
	struct trace_setup setup; /* max_nodes: so many visits or steps are kept at most */
	const struct qv_game *game;
	int root_seat;
	struct log_visit *visits;
	int count;
	size_t room;
	struct log_growth *steps;
	int step_count;
	size_t step_room;
	struct log_grown *grown; /* nodes in the order of their birth; the root first */
	int grown_count;
	size_t grown_room;
	double ucb; /* the constant of UCB1; 0: not mcts */
	double *vectors;
	size_t vector_count, vector_room;
	struct string names; /* texts of moves, each with a NUL; a text occurs once */
	size_t *name_at;     /* where each text begins; the first is empty */
	int name_count;
	size_t name_room;
	uint64_t seen;	      /* visits or steps in all; more than kept if there was no room */
	uint64_t evaluations; /* reasons with a static value: leaf, stand-pat, razor, hard */
	uint64_t cuts;
	bool own_values; /* reported values are not all those of the root's seat */
	/* Of the last complete iteration; the answer's also count how a proven line was completed. */
	uint64_t iteration_nodes, iteration_evals;
	struct qv_answer answer;
	char move[QV_MOVE_TEXT]; /* the chosen one */
	/* While the search runs. */
	int open[LOG_PLIES + 1];	/* the visit at each ply of the path; -1: not kept */
	qv_move tried[LOG_PLIES + 1];	/* the last move that was tried at each ply of the path */
	int tried_count[LOG_PLIES + 1]; /* and how many were */
	unsigned char *states;		/* the positions of the path, and one to replay moves on */
	struct map names_by_text;	/* indexes of names, by the hash of their text */
	struct map grown_by_parent;	/* indexes of grown nodes, by parent and move */
	bool failed;			/* out of memory */
};

/* Creates an empty log with copies of the setup's root and player; free it with log_free. On failure *out is NULL. */
enum qv_status log_new(const struct trace_setup *setup, struct log **out, struct qv_error *error);
void log_free(struct log *l); /* NULL is fine */
/* For one search, from setup.root. The log must outlive it. */
struct qv_listener log_listener(struct log *l);
/* For `watch` of the limits: stops a search that reports nothing. */
bool log_watch(void *log, uint64_t nodes);
/* Completes the log. QV_UNSUPPORTED: the player reported no visits and no steps. */
enum qv_status log_finish(struct log *l, const struct qv_answer *answer, struct qv_error *error);

/* The text of a move; "" for index 0. */
const char *log_name(const struct log *l, int name);
/* Whether the value of a visit is exact or a bound, by its window. */
enum trace_bound log_bound(const struct log_visit *v);
/* Whether moves or outcomes were left out because the value had left the window. */
bool log_is_cut(const struct log_visit *v);

/* How a side is called: "White" by the colour of its pieces, "X" by their
 * shape, or "Player 1". */
void log_side(const struct log *l, int seat, struct qv_text *out);
/* A value as text: "3", or "a win for Red in 3 moves". (words.c) */
struct trace_label log_number(const struct log *l, double value);
/* The window of a visit, appended to out: "[-1, open]". (words.c) */
void log_window(const struct log *l, const struct log_visit *v, struct string *out);

/*
 * What happens at a visit, in one to three sentences for a reader who knows no search: appended to
 * out. (words.c)
 */
void log_words(const struct log *l, int visit, struct string *out);
/* The same for a step of a tree that grows. */
void log_step_words(const struct log *l, int step, struct string *out);

/* The whole log in columns (README.md); NULL: no memory. */
json_t *log_json(const struct log *l);
/* One HTML file that shows the search and steps through it, without any other file. (html.c) */
void log_html(const struct log *l, struct string *out);

#endif
