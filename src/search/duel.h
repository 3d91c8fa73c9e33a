/*
 * duel.h - the two-player searches (minimax to MTD(f), and the selective search): what the driver
 * (duel.c) and the stamped recursion (duel.inc.h) share.
 * SPDX-License-Identifier: MIT
 *
 * The driver does iterative deepening, aspiration windows, MTD(f), threads (lazy SMP), limits and
 * the answer; the template is compiled for one game and searches one depth with one window. Values
 * are for the seat to move; see QV_WIN.
 */
#ifndef SEARCH_DUEL_H
#define SEARCH_DUEL_H

#include <stdatomic.h>

#include "search/budget.h"
#include "search/probcut.h"
#include "search/slots.h"
#include "search/table.h"

enum {
	DUEL_MAX_PLY = QV_MAX_LINE,        /* deepest ply, quiescence search included */
	DUEL_MAX_DEPTH = 100,              /* deepest iteration */
	DUEL_MAX_KILLERS = 8,
	DUEL_HISTORY = 1 << 12,            /* entries of the history table, for each seat */
	DUEL_INFINITE = QV_WIN + 2,        /* beyond every value */
	DUEL_FULL_WIDTH = 3,               /* top-N applies in iterations deeper than this */
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
	qv_move *line;             /* principal variation from here; DUEL_MAX_PLY of room */
	int line_length;
	int path_first;            /* repetition: no earlier position of the path can recur */
	bool on_kept;              /* all moves that led here are those of the kept line */
	int64_t carried;           /* sum along the line, for the root's seat: duel_value.c */
	int32_t *scores;           /* of the moves, for move ordering */
	qv_move killers[DUEL_MAX_KILLERS];
};

/* The position in a node's moves. {0} is before the first. */
struct duel_cursor {
	int place;                 /* of the move in the list */
	int tried;                 /* number of listed moves taken so far */
	int count; /* of a counted move: the numbers below this one are still to come */
};

/* The move that is searched at a ply, for a listener (duel_watch.c). */
struct duel_watch {
	qv_move move;
	unsigned flags;	    /* QV_VISIT_...: why it was tried early */
	bool by_rule;	    /* the node's moves were ordered by duel_order */
	qv_move table_move; /* of the node; QV_NO_MOVE: none */
};

struct root_move {
	qv_move move;
	int32_t value;             /* in the last iteration; an upper bound for all but the best */
};

/*
 * One thread of a search. The template reads the switches and updates the counters; the driver
 * manages the rest.
 */
struct duel_worker {
	/* Switches, fixed during a search. */
	const struct qv_game *game;
	const void *weights;
	const struct qv_evaluation *custom;        /* NULL: the stamp's own evaluation, inlined */
	/* Incremental evaluation; may be NULL. */
	int32_t (*recall)(const void *state, const void *weights, void *memory);
	void *memory;              /* of recall, memory_size bytes */
	size_t memory_size;
	bool special;              /* leaves are valued by duel_line_value; needs custom */
	bool carries;              /* lines carry a sum along: ply1 or move_eval */
	bool move_eval, exchange;
	bool stack;                /* search without recursion: stack.inc.h */
	int ply1;                  /* 1: only material at the end of a line; 2: all terms */
	struct table *table;                       /* transposition table; NULL: off */
	const struct qv_listener *listener; /* NULL: no callback for branches, nodes or leaves */
	const struct qv_listener *progress; /* for bounds and root moves; NULL between iterations */
	bool literal; /* minimax written out: a maximum for one seat, a minimum for the other */
	bool prune;                /* alpha-beta */
	bool scout;                /* negascout: null window first for later moves */
	bool deep;                 /* deep cut-offs: bounds are passed down any number of plies */
	bool plain_window;         /* prune and deep, no scout: a child's window is its parent's */
	bool exact;                /* table entries apply only at exactly their depth */
	bool sort, history, quiet, random;
	bool repeats;              /* the game has a repetition rule */
	bool ordered; /* sort, killers or history is on: every node's moves get scores */
	bool plain_leaf;           /* a leaf needs one evaluation and nothing else */
	bool bare;                 /* alpha-beta and nothing else */
	bool polls_ahead; /* watched: limits are tested as if leaves were plain */
	int killers, top;
	const struct probcut *probcut;             /* Multi-ProbCut; NULL: off */
	int32_t confidence;        /* of probcut: standard errors, in percent */
	bool drops; /* top or probcut: moves are left out, so that a win need not be the shortest */
	int32_t spread;            /* root moves this far below the best need exact values */

	/* Switches that the driver changes between passes. */
	bool razor;
	int32_t hard;              /* hard pruning: points below the root's value; 0: off */
	int iteration;             /* depth of the current iteration */

	/* Counters. */
	uint64_t nodes, evals;
	int deepest;               /* deepest ply (selective search only) */
	uint64_t scored;           /* evaluations carried along lines; not counted in evals */
	uint64_t unproven;         /* heuristic values used, besides evals; see is_proven */
	uint64_t borrowed;         /* those of them that may be wrong on this path (repetition) */
	struct budget budget;          /* this worker's share of the limits; poll with duel_poll */

	/* Repetition: hashes of the game so far and of the line being searched. */
	uint64_t *path;
	int path_root;             /* index of the root in the path */
	int oldest_repeated;	   /* earliest index repeated in the subtree; INT_MAX: none */
	bool rests;                /* a value of this iteration depends on the game so far */

	/* The root. */
	void *root_state;
	int root_seat;
	int32_t root_static;
	struct root_move *root;
	int root_count;
	bool found;                /* a best move was found in this search */
	qv_move best_move;
	int32_t best_value;
	qv_move *best_line;
	int best_length;
	bool blunders;             /* this time it plays the worst move */
	struct root_move chosen;   /* by margin or blunder, not the best; or QV_NO_MOVE */
	const qv_move *kept; /* the last principal variation, tried first at each ply: kept_room */
	int kept_length;
	struct qv_random random_numbers;

	struct duel_ply *plies;
	struct slot *slots;        /* for plug-ins, and for stack; else NULL */
	struct stack_frame *frames;        /* for stack; else NULL */
	int32_t *history_table;    /* [2][DUEL_HISTORY] */
	struct select *select;     /* of the selective search (select.h); else NULL */
	/* Endgame tables: `probe` of struct search_tables, and its prober; NULL: none. */
	bool (*probe)(void *prober, const void *state, struct qv_solution *out);
	void (*close_prober)(void *prober);
	void *prober;

	/* The driver's own. */
	struct duel *duel;
	struct arena arena;
	size_t path_room, root_room;       /* capacities of path and root */
	qv_move *kept_room;
	void *first_state;         /* the original root, while root_state moves along a line */
	struct duel_watch *watch;  /* for each ply */
	unsigned pass_flags;       /* QV_VISIT_... of this pass over the root */
	int id;                    /* 0: the caller's thread, whose result is the answer */
};

/* A frame of the search without recursion (stack.inc.h): the local variables of a node. */
struct stack_frame {
	int depth;                 /* plies to the horizon */
	int32_t alpha, beta;       /* the initial window */
	int32_t low, best;         /* the current alpha, and the best value so far */
	int n, place;              /* number of moves; index of the best one */
	struct duel_cursor cursor;
	qv_move move;              /* the one being searched */
	bool scored;               /* the moves have scores: the highest come first */
	bool later;                /* a move has been searched before */
	bool scouted;              /* the move is being searched with a null window */
	bool turns;                /* the other seat moves after the move */
	uint64_t key, guessed;     /* table key; evals + unproven when the node was opened */
	int older_repeated;
};

/* The kinds of the two-player search (duel_player.c). */
enum duel_variant {
	DUEL_MINIMAX,
	DUEL_NEGAMAX,
	DUEL_ALPHABETA,
	DUEL_NEGASCOUT,
	DUEL_MTDF,
	DUEL_SELECTIVE,
	DUEL_OWN, /* a recursion that a game brings along */
};

/* The functions of a stamp. */
struct duel_ops {
	bool dynamic;              /* needs slots */
	/* Lists the moves of w->root_state into w->root, and sets its seat and static value. */
	void (*prepare)(struct duel_worker *w);
	/*
	 * Searches w->root to that depth; sets best_* when a move raises alpha. Returns the best
	 * value (fail-soft).
	 */
	int32_t (*search)(struct duel_worker *w, int depth, int32_t alpha, int32_t beta);
	/*
	 * A win or loss within this many plies is exact; one further away is forced, but there may
	 * be a shorter one, so it does not count as proven. 0: all are exact.
	 */
	int exact_plies;
};

/* Called before root move i, counted from 0, is searched: informs the listener. */
static inline void duel_report_root_move(const struct duel_worker *w, int i, int depth)
{
	if (w->progress && w->progress->root_move)
		w->progress->root_move(w->progress->ctx, w->root[i].move, i + 1, depth);
}

/* Called when nodes reach budget.check_at: true if the search must stop now. */
bool duel_poll(struct duel_worker *w);

/* A search that keeps its transposition table, history and best line from move to move. */
struct duel {
	const struct qv_game *game;
	const struct duel_ops *ops;
	const struct qv_allocator *allocator;
	struct settings settings;
	const struct qv_evaluation *evaluation; /* NULL: the game has none */
	int phase; /* of the last root, if phases=1; -1: no search yet */
	struct table table;
	struct duel_worker *workers; /* the first is the caller's thread */
	int worker_count;	     /* settings.threads; 1 without a table */
	qv_move kept[QV_MAX_LINE];   /* rest of the last PV, after its first two moves */
	int kept_length;
	uint64_t kept_hash; /* of the position where that begins */

	/* The search in progress. */
	struct budget budget; /* limits of all workers together, at the start */
	atomic_bool halt;     /* set when the first worker is done */
	int max_depth;
};

/* Allocates table and workers. Fails only for lack of memory; free it with duel_free. */
enum qv_status duel_new(const struct search_setup *setup, struct duel **out,
			struct qv_error *error);
void duel_free(struct duel *d);        /* NULL is fine */
/* Before a new game: clears all that it has learned; random numbers restart from settings.seed. */
void duel_forget(struct duel *d);
/*
 * Searches within the smaller of the caller's limits and the settings', in settings.threads
 * threads, and joins them. QV_STOPPED: limits->stop was set; *out is then the best answer so far.
 * One call at a time.
 */
enum qv_status duel_run(struct duel *d, const void *state, const struct qv_limits *limits,
			const struct qv_listener *listener, struct qv_answer *out,
			struct qv_error *error);

/* ---- between duel.c and duel_iterate.c ---- */

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
