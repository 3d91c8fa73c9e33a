/*
 * spec.h - player specs: `KIND[:key=value,...]` into settings. One table holds every kind and every
 * key.
 * SPDX-License-Identifier: MIT
 */
#ifndef SEARCH_SPEC_H
#define SEARCH_SPEC_H

#include "quevedo.h"

enum kind {
	KIND_RANDOM,
	KIND_LEVEL,
	KIND_MINIMAX,
	KIND_NEGAMAX,
	KIND_ALPHABETA,
	KIND_NEGASCOUT,
	KIND_MTDF,
	KIND_SELECTIVE,
	KIND_MCTS,
	KIND_EXPECTIMAX,
	KIND_MAXN,
	KIND_PARANOID,
	KIND_BRS,
	KIND_LURGEE,
	KIND_SEED,
	KIND_MACHINE,
	KIND_BOOK,
	KIND_LEARN,
	KIND_PERFECT,
	KIND_MASK,
	KIND_ADMIRAL,
	KIND_COUNT,
};

enum {
	SPEC_PATH = 256,
	SPEC_NAME = 32,
	SPEC_LINE = 128,
	SPEC_WEIGHT = 80,
	SPEC_MAX_THREADS = 256,
	SPEC_MAX_TABLE = 1 << 20, /* MB */
	SPEC_SEED_MS = 7500,      /* a move of `seed`: 300 s for forty */
};

/* The words of `search=` and of `ladder=`, in the order of spec.c. */
enum { SEARCH_NEGAMAX, SEARCH_NEGASCOUT };
enum { LADDER_OWN, LADDER_LURGEE, LADDER_LURGEE22 };

/* Zero means: no such limit, or off. Plain data. */
struct settings {
	enum kind kind;
	uint64_t seed;
	int64_t level, ladder;
	int64_t depth, time_ms, nodes, evals;
	int64_t threads, tt, tt_exact;
	int64_t iterate, window, sort, deep, killers, history, quiet, razor, hard, top, chopper,
		keep_line, random;
	int64_t margin, blunder;   /* how it errs */
	int64_t null_move, lmr, late, futility, see, delta, checks, extend, singular, iir, probcut,
		follow, correct, twofold;  /* selective */
	int64_t ply1, move_eval, exchange, phases, stack;
	int64_t playouts, explore;
	int64_t star;
	int64_t prune;             /* maxn, paranoid, brs */
	int64_t literal;           /* book */
	int64_t train;             /* learn: games against itself */
	int64_t search, bye;       /* lurgee */
	int64_t solve;             /* places left */
	int64_t turns, masks, all_masks, gains, skip_dead, build_threat, garrison; /* mask */
	int64_t model;             /* admiral: how the others think */
	int64_t no_book;           /* book=none */
	int64_t weighted;          /* of a book, by weight; 0: the heaviest */
	char book[SPEC_PATH], line[SPEC_LINE];
	char file[SPEC_PATH];
	char tables[SPEC_PATH];    /* perfect: the folder; none: it solves by itself */
	char eval[SPEC_NAME], weights[SPEC_PATH];
	char weight[SPEC_WEIGHT];  /* one of them: `corner[2]:25` */
};

/*
 * Reads a spec; what it leaves open comes from the kind's presets and from defaults (may be NULL).
 */
enum qv_status spec_parse(const char *text, const struct qv_defaults *defaults,
			  struct settings *out, struct qv_error *error);

/* What is said of a book there holds here too. */
void spec_take_book(struct settings *set, const struct settings *from);

/* For people: the kinds with their keys and presets. */
void spec_help(struct qv_text *out);

#endif
