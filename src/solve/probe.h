/*
 * probe.h - finished tables as a book to look things up in: only the blocks asked for are read.
 * SPDX-License-Identifier: MIT
 */
#ifndef SOLVE_PROBE_H
#define SOLVE_PROBE_H

#include "solve/table_cache.h"

enum {
	PROBE_WAYS = 4,            /* places where a block may be kept */
	PROBE_SETS = 1 << 12,      /* of such places: 1 GB of blocks at most */
	PROBE_FILES = 64,          /* files kept open; a process may not open many more */
};

struct probe_block {
	int space;                 /* plus one; 0: nothing is kept here */
	uint64_t number;
	unsigned char *data;
};

struct qv_tables {
	struct spaces spaces;
	struct shelf shelf;
	struct table_file *files;  /* of the spaces; open if they were asked of late */
	int open[PROBE_FILES];     /* the spaces of those, plus one; 0: none */
	int oldest_file;           /* of these, the next to go */
	struct probe_block (*cache)[PROBE_WAYS];       /* the latest of a set first */
	struct arena arena;
	struct slot *slots;        /* a position's moves, and a successor */
};

/* Takes the spaces over, whatever happens. */
enum qv_status probe_new(struct spaces *spaces, const char *folder, struct qv_tables **out,
			 struct qv_error *error);
void probe_free(struct qv_tables *t);
/* The facts of a space's table; there is false if it is not finished. */
void probe_table(struct qv_tables *t, int space, struct qv_table *out);
/* Value and plies, without a move. QV_UNKNOWN as below. */
enum qv_status probe_value(struct qv_tables *t, const void *state, struct qv_solution *out,
			   struct qv_error *error);
/* Value, plies and a move that keeps both. QV_UNKNOWN: no table has the position. */
enum qv_status probe_state(struct qv_tables *t, const void *state, struct qv_solution *out,
			   struct qv_error *error);

#endif
