/*
 * duel.h - the two-player search: what the driver (duel.c) and the stamped recursion (duel.inc.h)
 * share.
 * SPDX-License-Identifier: MIT
 *
 * The driver owns iterations, windows, MTD(f), threads, limits and the answer; the template knows
 * the game and searches one depth with one window. Values are for the seat to move; see QV_WIN.
 */
#ifndef SEARCH_DUEL_H
#define SEARCH_DUEL_H

#include "search/pace.h"
#include "search/slots.h"
#include "search/table.h"

enum {
	DUEL_MAX_PLY = QV_MAX_LINE,        /* of a position below the root */
	DUEL_MAX_DEPTH = 100,              /* quiescence goes on from there */
	DUEL_MAX_KILLERS = 8,
	DUEL_HISTORY = 1 << 12,            /* places of the history table, for each seat */
	DUEL_INFINITE = QV_WIN + 2,        /* beyond every value */
	DUEL_FULL_WIDTH = 3,               /* top-N begins in iterations deeper than this */
};

/* A value this large is a win proven to the end of the game. */
static inline bool duel_is_win(int32_t value)
{
	return value > QV_MAX_EVAL;
}

static inline bool duel_is_loss(int32_t value)
{
	return value < -QV_MAX_EVAL;
}

struct select;

struct duel_ply {
	qv_move *line;             /* best line from here; DUEL_MAX_PLY of room */
	int line_length;
	int path_first;            /* repetition: no earlier place of the path can come again */
	bool on_kept;              /* every move that led here is the kept line's */
	int64_t carried;           /* by the line to here, for the root's seat: duel_value.h */
	int32_t *scores;           /* of the moves, for sorting */
	qv_move killers[DUEL_MAX_KILLERS];
};

/* Where a walk through the moves of a node stands. {-1} is before the first. */
struct duel_cursor {
	int place;                 /* of the move in the list */
	int tried;                 /* how many places */
	int count; /* of a counted move: the numbers from here down are still to come */
};

struct root_move {
	qv_move move;
	int32_t value;             /* in the last iteration; a bound for all but the best */
};

/*
 * One thread of a search. The template reads the switches and keeps the counters; the driver does
 * the rest.
 */
struct duel_worker {
	/* Switches, fixed during a search. */
	const struct qv_game *game;
	const void *weights;
	const struct qv_evaluation *custom;        /* NULL: the stamp's own evaluation, inlined */
	int32_t (*recall)(const void *state, const void *weights, void *memory); /* may be NULL */
	void *memory;              /* of recall, memory_size bytes */
	size_t memory_size;
	bool special;              /* a leaf's value is duel_line_value's; needs custom */
	bool carries;              /* lines carry something along: ply1 or move_eval */
	bool move_eval, exchange;
	bool stack;                /* no recursion: stack.inc.h */
	int ply1;                  /* 1: material at the end of a line; 2: everything */
	struct table *table;                       /* NULL: none */
	const struct qv_listener *listener; /* NULL: nobody asked for branches, nodes or leaves */
	const struct qv_listener *ear; /* told of bounds and root moves, in an iteration; else NULL */
	bool literal; /* minimax written out: a maximum for one seat, a minimum for the other */
	bool prune;                /* alpha-beta */
	bool scout;                /* later moves first get a window of nothing */
	bool deep;                 /* cut-offs reach down any number of plies */
	bool plain_window;         /* prune and deep, no scout: a child's window is its parent's */
	bool exact;                /* entries of the table count at exactly their depth only */
	bool sort, history, quiet, random;
	bool repeats;              /* the game has a repetition rule */
	bool ordered; /* sort, killers or history is on: every node's moves get scores */
	bool plain_leaf;           /* a leaf needs nothing but one evaluation */
	bool bare;                 /* alpha-beta and nothing else */
	int killers, top;
	int32_t spread;            /* so far below the best the root's moves must show themselves */

	/* Switches that the driver changes between passes. */
	bool razor;
	int32_t hard;              /* 0: off */
	int iteration;             /* the depth now searched to */

	/* Counters. */
	uint64_t nodes, evals;
	int deepest;               /* ply, if the search counts it */
	uint64_t scored;           /* evaluations that lines carry along, no guesses themselves */
	uint64_t unproven;         /* values taken that are not the game's own, besides evals */
	uint64_t borrowed;         /* those among them that may hold on another path only */
	struct pace pace;          /* this worker's share; ask duel_poll, not pace_poll */

	/* Repetition: hashes of the game so far and of the line being searched. */
	uint64_t *path;
	int path_root;             /* place of the root */
	int oldest_repeated;	   /* the earliest place that the subtree rests on; INT_MAX: none */
	bool rests;                /* a pass of this iteration rested on a place before the root */

	/* The root. */
	void *root_state;
	int root_seat;
	int32_t root_static;
	struct root_move *root;
	int root_count;
	bool found;                /* a best move was found, in this iteration or before */
	qv_move best_move;
	int32_t best_value;
	qv_move *best_line;
	int best_length;
	bool blunders;             /* this time it plays the worst that it sees */
	struct root_move chosen;   /* instead of the best, by the last whole iteration; or no move */
	const qv_move *kept; /* a line expected to be good, tried first at each ply: kept_room */
	int kept_length;
	struct qv_random random_numbers;

	struct duel_ply *plies;
	struct slot *slots;        /* for plug-ins, and for stack; else NULL */
	struct stack_frame *frames;        /* for stack */
	int32_t *history_table;    /* [2][DUEL_HISTORY] */
	struct select *select;     /* of the selective search (select.h); else NULL */

	/* The driver's own. */
	struct duel *duel;
	struct arena arena;
	int path_capacity, root_capacity;
	qv_move *kept_room;
	void *first_state;         /* of the search, while the root walks along a line */
	int id;
};

/* The kinds of the two-player search (search/duel_kinds.c). */
enum duel_variant {
	DUEL_MINIMAX,
	DUEL_NEGAMAX,
	DUEL_ALPHABETA,
	DUEL_NEGASCOUT,
	DUEL_MTDF,
	DUEL_SELECTIVE,
};

/* What a stamp offers. */
struct duel_ops {
	bool dynamic;              /* needs slots */
	/* Lists the moves of w->root_state into w->root, and takes its seat and static value. */
	void (*prepare)(struct duel_worker *w);
	/*
	 * Searches w->root to that depth; sets best_* when a move raises alpha. Returns the best
	 * value (fail-soft).
	 */
	int32_t (*search)(struct duel_worker *w, int depth, int32_t alpha, int32_t beta);
};

/* Before a move of the root is searched, counted from 0: tells who wants to know. */
static inline void duel_tell_move(const struct duel_worker *w, int i, int depth)
{
	if (w->ear && w->ear->root_move)
		w->ear->root_move(w->ear->ctx, w->root[i].move, i + 1, depth);
}

/* Called when nodes reach pace.check_at: true if the search must stop now. */
bool duel_poll(struct duel_worker *w);

struct duel_setup {
	const struct qv_game *game;
	const struct duel_ops *ops;
	const struct qv_allocator *allocator;
	const struct settings *settings;
	const struct qv_evaluation *evaluation;    /* NULL: the game's first; borrowed */
	const void *weights;                       /* NULL: the evaluation's own; borrowed */
};

/* A search that remembers its table, history and best line from move to move. */
struct duel;
enum qv_status duel_new(const struct duel_setup *setup, struct duel **out, struct qv_error *error);
void duel_free(struct duel *d);
void duel_forget(struct duel *d);
enum qv_status duel_run(struct duel *d, const void *state, const struct qv_limits *limits,
			const struct qv_listener *listener, struct qv_answer *out,
			struct qv_error *error);

#endif
