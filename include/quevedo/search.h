/*
 * search.h - part of quevedo.h: players, which choose moves, and how to limit and follow them.
 * SPDX-License-Identifier: MIT
 */
#ifndef QUEVEDO_SEARCH_H
#define QUEVEDO_SEARCH_H

#include "rules.h"
#include "visit.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { QV_MAX_LINE = 128 };        /* moves of a principal variation */
enum { QV_OPENING_NAME = 128 };	   /* bytes of the name of an opening, NUL included */

/*
 * The limits of one search. 0 or NULL in a field means no such limit here; the limits in the
 * player's spec still apply. They replace only the limit that a kind of player has when its spec
 * names none (`quevedo help KIND`). nodes = UINT64_MAX: until it is stopped.
 */
struct qv_limits {
	size_t size;               /* sizeof(struct qv_limits) */
	int depth;
	uint64_t nodes, evals;
	int64_t time_ms;           /* hard limit */
	/* Target: the search may use less for an obvious move, more in doubt. */
	int64_t aim_ms;
	/*
	 * Pondering: while this flag is set, the time limits are suspended. The caller owns and
	 * clears it.
	 */
	const struct qv_flag *ponder;
	/*
	 * Ends the search. The caller owns the flag, clears it before the search starts and may set
	 * it from any thread. The search only reads it, so a stop before the first node counts,
	 * too. NULL: no stop.
	 */
	const struct qv_flag *stop;
	/*
	 * repeat_hash of the positions since the last irreversible move, oldest first, without the
	 * current one. qv_record_history returns this array.
	 */
	const uint64_t *history;
	int history_count;
	/*
	 * Search only these root moves; the score, even a proven one, is then theirs. NULL, or no
	 * legal move among them: all moves.
	 */
	const qv_move *only;
	int only_count;
	/*
	 * Called from time to time with the nodes so far, in the thread that called
	 * qv_player_think. Returns false to end the search, as `stop` does. May be NULL.
	 */
	bool (*watch)(void *ctx, uint64_t nodes);
	void *watch_ctx;
};

struct qv_answer {
	size_t size;               /* sizeof(struct qv_answer) */
	qv_move move;              /* always legal; QV_NO_MOVE if the game has ended */
	/*
	 * For the seat to move, in points of the evaluation; a win in n plies is QV_WIN - n. mcts,
	 * which has no evaluation: its mean result, from -1000 for a loss to 1000 for a win.
	 */
	int32_t score;
	bool proven;               /* the score is the game-theoretic value, not an estimate */
	bool unsolved;             /* a solver gave up: the move is legal, and there is no score */
	bool rests_on_repetition;  /* a proven score is valid for this history only */
	int bound;                 /* 1: the true score is at least this; -1: at most; 0: exact */
	int depth;                 /* plies of the last complete iteration */
	int deepest;               /* the largest ply that was reached; 0: not counted */
	int table_permille;        /* how full the transposition table is; 0 without a table */
	uint64_t nodes;            /* positions made by playing a move */
	uint64_t evals;            /* calls of the evaluation */
	uint64_t considered;       /* moves tried in the whole tree */
	uint64_t table_hits;	   /* positions found in endgame tables instead of a search */
	double seconds;
	int line_length;
	qv_move line[QV_MAX_LINE]; /* principal variation; line[0] is move */
	/* The move is from an opening book, not searched: the name of the opening; else "". */
	char book[QV_OPENING_NAME];
};

/*
 * Callbacks that follow a search. They run in the thread that called qv_player_think. Each function
 * may be NULL.
 */
struct qv_listener {
	size_t size;               /* sizeof(struct qv_listener) */
	void *ctx;                 /* passed to each function */
	/* Another listener of the same search, called after this one; NULL: no other. */
	const struct qv_listener *next;
	/*
	 * Before each iteration of iterative deepening, with its depth. A repetition with a wider
	 * window is the same iteration. mcts, solvers and book moves have no such iterations.
	 */
	void (*iteration_start)(void *ctx, int depth);
	/* After each complete iteration. */
	void (*iteration)(void *ctx, const struct qv_answer *so_far);
	/*
	 * The score fell outside the window: it is only a bound, and the iteration is repeated with
	 * a wider window.
	 */
	void (*bound)(void *ctx, const struct qv_answer *so_far);
	/* Before the n-th root move, from 1, is searched in the iteration of this depth. */
	void (*root_move)(void *ctx, qv_move move, int n, int depth);
	/*
	 * Before a move is searched: the position before the move, its ply from the root, and the
	 * window.
	 */
	void (*branch)(void *ctx, const void *state, qv_move move, int ply, int32_t alpha,
		       int32_t beta);
	/*
	 * After a move was searched: its value for the seat that played it, and whether it caused a
	 * cut-off of the moves after it.
	 */
	void (*node)(void *ctx, qv_move move, int ply, int32_t value, bool cut);
	/* At a leaf: the position and its evaluation. */
	void (*leaf)(void *ctx, const void *state, int ply, int32_t value);
	/*
	 * Every visit to a node (quevedo/visit.h): when it is entered, what happens there, the
	 * values of all seats where each plays for itself, and its value when it is left with the
	 * best move, or QV_NO_MOVE; NAN after a probe (QV_VISIT_PROBE) that searched no move. A
	 * search that is stopped does not leave its open nodes.
	 */
	void (*enter)(void *ctx, const struct qv_visit *visit);
	void (*why)(void *ctx, int ply, enum qv_why why, double number);
	void (*values)(void *ctx, int ply, const double *values);
	void (*leave)(void *ctx, int ply, double value, qv_move best);
	/* After each step of a tree that grows. */
	void (*growth)(void *ctx, const struct qv_growth *step);
};

/* Values for what a player spec leaves open. */
struct qv_defaults {
	size_t size;               /* sizeof(struct qv_defaults) */
	uint64_t seed;
	int threads, hash_mb;
	const char *tables; /* folder where players look for endgame tables; NULL: none */
	const struct qv_prober *prober; /* other tables; must outlive the players; NULL: none */
	bool no_book;		   /* levels play without the program's opening book */
};

/*
 * A player chooses moves. Use it from one thread at a time.
 */
struct qv_player;
/*
 * The specs of level:1, level:2, ..., NULL-terminated: the game's own, or general ones that suit
 * it.
 */
QV_API const char *const *qv_levels(const struct qv_game *game);
/*
 * Creates a player from a spec (`quevedo help players`). The rules are copied; the context must
 * outlive the player. defaults may be NULL. Free it with qv_player_free.
 */
QV_API enum qv_status qv_player_new(const struct qv_context *context, const struct qv_rules *rules,
				    const char *spec, const struct qv_defaults *defaults,
				    struct qv_player **out, struct qv_error *error);
QV_API void qv_player_free(struct qv_player *player);       /* NULL is fine */
/*
 * Clears what earlier searches left in the player and restarts its random numbers. The player
 * `learn` keeps what it has learned from games.
 */
QV_API void qv_player_new_game(struct qv_player *player);
/*
 * Reports the end of a game that the player took part in; state is the final position. The player
 * `learn` remembers losing moves and writes its file. For other players it does nothing.
 */
QV_API enum qv_status qv_player_game_over(struct qv_player *player, const void *state,
					  struct qv_error *error);
/*
 * Chooses a move. Returns QV_OK, or QV_STOPPED if a stop ended the search early; *out is valid in
 * both cases. limits and listener may be NULL.
 */
QV_API enum qv_status qv_player_think(struct qv_player *player, const void *state,
				      const struct qv_limits *limits,
				      const struct qv_listener *listener, struct qv_answer *out,
				      struct qv_error *error);


#ifdef __cplusplus
}
#endif

#endif
