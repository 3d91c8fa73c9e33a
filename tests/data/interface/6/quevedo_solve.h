/*
 * quevedo_solve.h - the values of positions: solvers, certificates and endgame tables.
 * SPDX-License-Identifier: MIT
 *
 * A part of quevedo.h, which includes it. A solver proves whether a position is won, drawn or lost.
 * A certificate writes such a proof down, so that another program can check it. Endgame tables hold
 * the values of all positions of a game, or of its last part (quevedo_index.h).
 */
#ifndef QUEVEDO_SOLVE_H
#define QUEVEDO_SOLVE_H

/* ---- Solving ---- */

enum qv_value {
	QV_VALUE_UNKNOWN,          /* not proven, for example because it was stopped */
	QV_VALUE_LOSS,             /* for the seat to move, like the other two */
	QV_VALUE_DRAW,
	QV_VALUE_WIN,
};

struct qv_solve_limits {
	bool distance;             /* also find the number of plies to the end */
	const atomic_bool *stop;   /* may be NULL */
	bool margin;               /* also find the margin, if the game's solver supports it */
	int threads;               /* upper limit, if the game's solver supports threads; 0: one */
};

struct qv_solution {
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
 * Proves the values of positions, with the game's own solver if it has one, else with a two-player
 * search of increasing depth. It works for games of two seats without chance and ignores
 * repetition. Its tables keep results from one position to the next. Use a solver from one thread
 * at a time; the context must outlive it.
 */
struct qv_solver;
/* Creates a solver with hash_bytes for its tables; free it with qv_solver_free. */
QV_API enum qv_status qv_solver_new(const struct qv_context *context, const struct qv_rules *rules,
				    size_t hash_bytes, struct qv_solver **out,
				    struct qv_error *error);
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
 * Proves the value of a position. On QV_STOPPED *out is valid, too: its value is unknown, unless
 * only the distance was still missing.
 */
QV_API enum qv_status qv_solver_solve(struct qv_solver *solver, const void *state,
				      const struct qv_solve_limits *limits,
				      struct qv_solution *out, struct qv_error *error);

struct qv_certify {
	bool distance;             /* also find the number of plies to the end */
	const atomic_bool *stop;   /* may be NULL */
	uint64_t most;             /* upper limit of positions; 0: as many as memory allows */
	/*
	 * Called from time to time with the positions found so far and how many of them are done;
	 * may be NULL.
	 */
	void (*progress)(void *ctx, uint64_t done, uint64_t known);
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
				 const struct qv_certify *how, struct qv_solution *out,
				 struct qv_error *error);

/* ---- Endgame tables ---- */

/* Progress of building or checking tables. */
struct qv_tables_news {
	const char *space;         /* the last space of the group that is being processed */
	int level;                 /* plies from the end; -1 for the first pass */
	double part;               /* the fraction of the level that is done, 0 to 1 */
};

struct qv_tables_job {
	const char *folder;        /* the files are FOLDER/GAME/SPACE.qvt */
	const char *up_to;         /* build only up to the group of this space; NULL: all */
	int threads;               /* the result does not depend on it */
	/* Faster: keep a count of open moves per position; doubles the memory. */
	bool counters;
	int64_t checkpoint_ms;     /* time between checkpoints; 0: as often as possible */
	const atomic_bool *stop;   /* may be NULL */
	void (*progress)(void *ctx, const struct qv_tables_news *news);    /* may be NULL */
	void *ctx;
};

struct qv_tables_plan {
	int spaces, finished;      /* spaces in all, and those whose table exists */
	uint64_t numbers;          /* size of all spaces together */
	/* How many of them are positions, estimated from a sample. */
	double positions;
	uint64_t memory;           /* peak, in bytes, if a value fits into one byte */
	uint64_t disk;             /* upper limit, in bytes, if a value fits into one byte */
	double seconds;            /* a rough estimate */
	bool open_ended;           /* the index has no `parents`: it may take many times longer */
};
/* Estimates the work that remains from a sample of each space. Writes no file. */
QV_API enum qv_status qv_tables_plan(const struct qv_context *context, const struct qv_rules *rules,
				     const struct qv_tables_job *job, struct qv_tables_plan *out,
				     struct qv_error *error);
/*
 * Builds the tables that are missing, and resumes an earlier run from its last checkpoint, however
 * that run ended. QV_STOPPED: the work so far is saved. QV_ILLEGAL: the game's index contradicts
 * its rules.
 */
QV_API enum qv_status qv_tables_build(const struct qv_context *context,
				      const struct qv_rules *rules, const struct qv_tables_job *job,
				      struct qv_error *error);

struct qv_tables_report {
	uint64_t entries, wrong;
	char first_wrong[160];     /* a sentence about the first wrong entry, if there is one */
};
/*
 * Verifies every entry against its successors, using only the rules. QV_OK: the check was done; see
 * out->wrong.
 */
QV_API enum qv_status qv_tables_check(const struct qv_context *context,
				      const struct qv_rules *rules, const struct qv_tables_job *job,
				      struct qv_tables_report *out, struct qv_error *error);

/* Facts about one table. */
struct qv_table {
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
/* Opens FOLDER/GAME. Tables that are missing are no error here. Close with qv_tables_close. */
QV_API enum qv_status qv_tables_open(const struct qv_context *context, const struct qv_rules *rules,
				     const char *folder, struct qv_tables **out,
				     struct qv_error *error);
QV_API void qv_tables_close(struct qv_tables *tables);      /* NULL is fine */
/* Describes the table of a space, numbered from 0. False: there is no such space. */
QV_API bool qv_tables_at(struct qv_tables *tables, int space, struct qv_table *out);
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

#endif
