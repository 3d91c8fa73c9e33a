/*
 * solve.h - the values of positions: solvers, certificates and endgame tables.
 * SPDX-License-Identifier: MIT
 *
 * A part of quevedo.h, which includes it. A solver proves whether a position is won, drawn or lost.
 * A certificate writes such a proof down, so that another program can check it. Endgame tables hold
 * the values of all positions of a game, or of its last part (quevedo/index.h).
 */
#ifndef QUEVEDO_SOLVE_H
#define QUEVEDO_SOLVE_H

#include "rules.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Solving ---- */

enum qv_value {
	QV_VALUE_UNKNOWN,          /* not proven, for example because it was stopped */
	QV_VALUE_LOSS,             /* for the seat to move, like the other two */
	QV_VALUE_DRAW,
	QV_VALUE_WIN,
};

struct qv_solve_limits {
	size_t size;               /* sizeof(struct qv_solve_limits) */
	bool distance;             /* also find the number of plies to the end */
	const struct qv_flag *stop;   /* may be NULL */
	bool margin;               /* also find the margin, if the game's solver supports it */
	int threads;               /* upper limit, if the game's solver supports threads; 0: one */
	uint64_t nodes;            /* stop after about this many; 0: no limit */
	/*
	 * Called from time to time with the nodes so far, in the thread that called
	 * qv_solver_solve. Returns false to stop. May be NULL.
	 */
	bool (*watch)(void *ctx, uint64_t nodes);
	void *ctx;
	/*
	 * Follows the search for the value (quevedo/visit.h): growth of a proof search, visits of a
	 * depth-first one. NULL: nobody does. Its `next` is ignored. A game's own solver may report
	 * nothing.
	 */
	const struct qv_listener *listener;
};

struct qv_solution {
	size_t size;               /* sizeof(struct qv_solution) */
	enum qv_value value;
	/* Plies to the end of a win or loss with best play by both sides; -1: unknown. */
	int in;
	qv_move move;              /* a move that keeps value and distance; QV_NO_MOVE: not found */
	uint64_t nodes;
	double seconds;
	bool has_margin;           /* `margin` below was requested and found */
	/* Final lead in points; in reversi the winner also gets the empty squares. */
	int32_t margin;
};

/*
 * Proves the values of positions: with built-in tables (chess with three pieces), with the game's own
 * solver if it has one, or with a two-player search of increasing depth. It works for games of two
 * seats without chance and ignores repetition. Its tables keep results from one position to the
 * next. Use a solver from one thread at a time; the context must outlive it.
 */
struct qv_solver;
/*
 * Endgame tables in a foreign format, such as Syzygy tables of chess. The functions are the
 * caller's; any thread may call them, several at the same time.
 */
struct qv_prober {
	size_t size;               /* sizeof(struct qv_prober) */
	/*
	 * Fills in the value with counters respected, and a move that keeps it; `in` is not used.
	 * False: no table contains the position.
	 */
	bool (*probe)(void *ctx, const struct qv_rules *rules, const void *state,
		      struct qv_solution *out);
	/* Uses the tables of this folder instead of those before; "": none. */
	enum qv_status (*open)(void *ctx, const char *folder, struct qv_error *error);
	void *ctx;
};
struct qv_defaults;
/* Creates a solver with hash_bytes for its tables; free it with qv_solver_free. */
QV_API enum qv_status qv_solver_new(const struct qv_context *context, const struct qv_rules *rules,
				    size_t hash_bytes, struct qv_solver **out,
				    struct qv_error *error);
/*
 * The same; chess also uses the endgame tables of the folder defaults->tables (below) and of
 * defaults->prober. The latter have no distances. Both may be NULL.
 */
QV_API enum qv_status qv_solver_new_with(const struct qv_context *context,
					 const struct qv_rules *rules,
					 const struct qv_defaults *defaults, size_t hash_bytes,
					 struct qv_solver **out, struct qv_error *error);
/* The method of qv_solver_new_by. The functions are otherwise the same. */
enum qv_solve_by {
	QV_BY_ANY,                 /* the game's own solver if there is one, else QV_BY_SEARCH */
	QV_BY_SEARCH,              /* two-player search of increasing depth */
	QV_BY_PROOF,               /* df-pn; QV_UNSUPPORTED if you request the distance */
	QV_BY_OWN,                 /* the game's own solver; QV_UNSUPPORTED if it has none */
};
QV_API enum qv_status qv_solver_new_by(const struct qv_context *context,
				       const struct qv_rules *rules, enum qv_solve_by by,
				       size_t hash_bytes, struct qv_solver **out,
				       struct qv_error *error);
QV_API void qv_solver_free(struct qv_solver *solver);       /* NULL is fine */
/*
 * Proves the value of a position. QV_STOPPED: the stop flag, the node limit or `watch` ended it.
 * *out is then valid, too: its value is unknown, unless only the distance was still missing.
 */
QV_API enum qv_status qv_solver_solve(struct qv_solver *solver, const void *state,
				      const struct qv_solve_limits *limits,
				      struct qv_solution *out, struct qv_error *error);

struct qv_certify_job {
	size_t size;               /* sizeof(struct qv_certify_job) */
	bool distance;             /* also find the number of plies to the end */
	const struct qv_flag *stop;   /* may be NULL */
	uint64_t most;             /* upper limit of positions; 0: as many as memory allows */
	/*
	 * Called from time to time with the positions found so far and how many of them are done;
	 * may be NULL.
	 */
	void (*progress)(void *ctx, uint64_t done, uint64_t known);
	/* As in struct qv_solve_limits, for each position that is solved; may be NULL. */
	bool (*watch)(void *ctx, uint64_t nodes);
	/*
	 * Writes the next piece of the certificate. If it returns false, qv_certify fails with
	 * QV_IO.
	 */
	bool (*write)(void *ctx, const char *data, size_t size);
	void *ctx;
};

/*
 * Proves the value and writes a certificate of it: for each position that can arise, the move that
 * holds the value (docs/formats.md). The program quevedo-check verifies it with nothing but the
 * rules. Discard what was written unless the function returns QV_OK and the value is known.
 */
QV_API enum qv_status qv_certify(struct qv_solver *solver, const void *state,
				 const struct qv_certify_job *how, struct qv_solution *out,
				 struct qv_error *error);

/* ---- Endgame tables ---- */

/* Progress of building or checking tables. */
struct qv_tables_news {
	const char *space;         /* the last space of the group that is being processed */
	int level;                 /* plies from the end; -1 for the first pass */
	double part;               /* the fraction of the level that is done, 0 to 1 */
	const char *note; /* a remark for the user, such as a damaged checkpoint, or NULL */
};

/*
 * Processes, called ranks, that build tables together. Each holds its part of the positions of the
 * group that is being solved. The caller supplies the communication, for example by MPI. Every rank
 * calls the functions in the same order, from the thread that called qv_tables_build, so each call
 * waits for the others. The ranks must have the same byte order and see the same folder.
 */
struct qv_tables_ranks {
	size_t size;               /* sizeof(struct qv_tables_ranks) */
	int rank, count; /* the number of this process, from 0, and how many there are */
	/* Replaces each value by its maximum over all ranks. */
	void (*max)(void *ctx, int64_t *values, int count);
	/*
	 * Sends to every rank and receives from every rank, this one included. `to` holds
	 * to_bytes[0] bytes for rank 0, followed by to_bytes[1] bytes for rank 1, and so on; `from`
	 * and from_bytes in the same way. The sizes of both sides always fit each other.
	 */
	void (*exchange)(void *ctx, const void *to, const size_t *to_bytes, void *from,
			 const size_t *from_bytes);
	void *ctx;
};

struct qv_tables_job {
	size_t size;               /* sizeof(struct qv_tables_job) */
	const char *folder;        /* the files are FOLDER/GAME/SPACE.qvt */
	const char *up_to;         /* build only up to the group of this space; NULL: all */
	int threads;               /* the result does not depend on it */
	/* Faster: keep a count of open moves per position; doubles the memory. */
	bool counters;
	int64_t checkpoint_ms;     /* time between checkpoints; 0: as often as possible */
	const struct qv_flag *stop;   /* may be NULL */
	void (*progress)(void *ctx, const struct qv_tables_news *news);    /* may be NULL */
	void *ctx;
	const struct qv_tables_ranks *ranks; /* NULL: this process builds alone */
};

struct qv_tables_estimate {
	size_t size;               /* sizeof(struct qv_tables_estimate) */
	int spaces, finished;      /* spaces in all, and those whose table exists */
	uint64_t numbers;          /* size of all spaces together */
	/* How many of them are positions, estimated from a sample. */
	double positions;
	/* Peak, in bytes, if a value fits into one byte; of each rank. */
	uint64_t memory;
	uint64_t disk;             /* upper limit, in bytes, if a value fits into one byte */
	double seconds;            /* a rough estimate */
	bool open_ended;           /* the index has no `parents`: it may take many times longer */
};
/* Estimates the work that remains from a sample of each space. Writes no file. */
QV_API enum qv_status qv_tables_plan(const struct qv_context *context, const struct qv_rules *rules,
				     const struct qv_tables_job *job,
				     struct qv_tables_estimate *out, struct qv_error *error);
/*
 * Builds the tables that are missing, and resumes an earlier run from its last checkpoint, however
 * that run ended. QV_STOPPED: the work so far is saved. QV_ILLEGAL: the game's index contradicts
 * its rules.
 */
QV_API enum qv_status qv_tables_build(const struct qv_context *context,
				      const struct qv_rules *rules, const struct qv_tables_job *job,
				      struct qv_error *error);

struct qv_tables_report {
	size_t size;               /* sizeof(struct qv_tables_report) */
	uint64_t entries, wrong;
	char first_wrong[160];     /* a sentence about the first wrong entry, if there is one */
	int checked, spaces;	   /* tables that were checked, and spaces up to job->up_to */
};
/*
 * Verifies every entry of the tables in the folder against its successors, using only the rules.
 * Tables that were never built are left out, unless job->up_to names them. QV_OK: the check was
 * done; see out->wrong. QV_IO: there is no table, or a table needs one that is missing.
 */
QV_API enum qv_status qv_tables_check(const struct qv_context *context,
				      const struct qv_rules *rules, const struct qv_tables_job *job,
				      struct qv_tables_report *out, struct qv_error *error);

/* Facts about one table. */
struct qv_table {
	size_t size;               /* sizeof(struct qv_table) */
	struct qv_space space;
	bool there;                /* the table is complete; if not, the fields below are 0 or -1 */
	uint64_t wins, draws, losses, holes;   /* for the side to move */
	int longest;               /* most plies of a win or loss; -1: the table has neither */
	uint64_t bytes;            /* size of the file */
};
/*
 * The endgame tables of a game, opened for probing. Only the parts that are probed are read. Use it
 * from one thread at a time; the context must outlive it.
 */
struct qv_tables;
/*
 * Opens FOLDER/GAME. Tables that are missing are no error here. Tables that are built in, as those
 * of chess with three pieces, are used in place of files; folder NULL: only these. Close with
 * qv_tables_close.
 */
QV_API enum qv_status qv_tables_open(const struct qv_context *context, const struct qv_rules *rules,
				     const char *folder, struct qv_tables **out,
				     struct qv_error *error);
QV_API void qv_tables_close(struct qv_tables *tables);      /* NULL is fine */
/*
 * Describes the table of a space, numbered from 0. False: there is no such space, or out->size is
 * not set.
 */
QV_API bool qv_tables_at(struct qv_tables *tables, int space, struct qv_table *out);
/*
 * Writes a position of the space whose win or loss takes qv_table.longest plies. It reads the table
 * up to there. QV_UNKNOWN: there is no such space, or all its positions are draws. QV_IO or
 * QV_BAD_INPUT: its table is missing or damaged.
 */
QV_API enum qv_status qv_tables_longest(struct qv_tables *tables, int space, void *state,
					struct qv_error *error);
/*
 * Looks up value, plies to the end, and a move that keeps both. It ignores repetition and counters
 * that draw. QV_UNKNOWN: the position is in no space. QV_IO: its table is missing or unreadable.
 */
QV_API enum qv_status qv_tables_probe(struct qv_tables *tables, const void *state,
				      struct qv_solution *out, struct qv_error *error);
/*
 * The tables as a solver. A position outside them is searched until the tables are reached; its
 * distance is then unknown. hash_bytes is for that search. The value is unknown where a counter
 * draws the line. QV_IO: a table that is needed is missing.
 */
QV_API enum qv_status qv_solver_new_tables(const struct qv_context *context,
					   const struct qv_rules *rules, const char *folder,
					   size_t hash_bytes, struct qv_solver **out,
					   struct qv_error *error);

#ifdef __cplusplus
}
#endif

#endif
