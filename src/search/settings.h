/*
 * settings.h - the parsed settings of a player spec: plain data for every search.
 * SPDX-License-Identifier: MIT
 */
#ifndef SEARCH_SETTINGS_H
#define SEARCH_SETTINGS_H

#include "quevedo.h"

struct player_kind;
struct probcut;

enum {
	SETTINGS_PATH = 256,
	SETTINGS_NAME = 32,
	SETTINGS_LINE = 128,
	SETTINGS_WEIGHT = 80,
	SETTINGS_MAX_THREADS = 256,
	SETTINGS_MAX_TABLE = 1 << 20, /* MB */
	SETTINGS_OWN = 320,	      /* bytes for a kind's own settings */
};

/* The values of `weighted`. */
enum { BOOK_HEAVIEST, BOOK_BY_WEIGHT, BOOK_EVEN };

/* Zero means: no such limit, or off. A kind leaves fields that are not its own at zero. */
struct settings {
	const struct player_kind *kind;
	uint64_t seed;
	int64_t depth, time_ms, nodes, evals, playouts; /* limits of a move */
	bool default_limit; /* that limit is the kind's, and yields to the caller's: budget_yields */
	int64_t threads, tt, tt_exact;			/* tt: MB */
	int64_t iterate, window, sort, deep, killers, history, quiet, razor, hard, top, chopper,
		keep_line, random;
	int64_t margin, blunder; /* deliberate errors */
	int64_t null_move, lmr, late, futility, see, delta, checks, extend, singular, iir, probcut,
		follow, correct, twofold; /* selective */
	int64_t ply1, move_eval, exchange, phases, stack;
	int64_t explore;		 /* mcts */
	int64_t star, chance_cost, samples, contempt; /* expectimax */
	int64_t prune;			 /* maxn, paranoid, brs */
	int64_t literal;		 /* programs of 1983 and their like: the listing to the letter */
	int64_t solve;			 /* empty squares from which the endgame solver is used */
	int64_t prove;			 /* nodes for the solver or tables, before the search */
	int64_t no_book;		 /* book=none */
	int64_t weighted;		 /* which of several book moves: one of the following */
	int64_t recall;			 /* how often it plays from the book, in percent */
	char book[SETTINGS_PATH], line[SETTINGS_LINE];
	char eval[SETTINGS_NAME], weights[SETTINGS_PATH];
	char weight[SETTINGS_WEIGHT]; /* one of them: `corner[2]:25` */
	_Alignas(8) unsigned char own[SETTINGS_OWN]; /* a struct of the kind's own */
};

/*
 * Endgame tables for the inner nodes of a search. Each thread of the search opens its own prober
 * while the search is created; the rest is borrowed only until then.
 */
struct search_tables {
	const struct qv_allocator *allocator;
	const struct qv_rules *rules;
	const char *folder; /* of tables besides those of the library; NULL: none */
	enum qv_status (*open)(const struct search_tables *tables, void **prober,
			       struct qv_error *error);
	void (*close)(void *prober); /* NULL is fine */
	/* Value and plies of a position in which the game goes on. False: no table contains it. */
	bool (*probe)(void *prober, const void *state, struct qv_solution *out);
};

/* The arguments of a search's constructor. It copies the settings and borrows the rest. */
struct search_setup {
	const struct qv_game *game;
	const void *ops; /* the game's stamp: struct duel_ops, chance_ops or multi_ops */
	const struct qv_allocator *allocator;
	const struct settings *settings;
	const struct qv_evaluation *evaluation; /* NULL: the game's first */
	const void *weights;			/* NULL: the evaluation's own */
	const struct search_tables *tables;	/* for the selective search; NULL: none */
	const struct probcut *probcut;		/* of this evaluation; NULL: none */
};

#endif
