/*
 * probe.h - finished endgame tables (tablebases), probed block by block.
 * SPDX-License-Identifier: MIT
 */
#ifndef SOLVE_PROBE_H
#define SOLVE_PROBE_H

#include "solve/table_file.h"

enum {
	PROBE_WAYS = 4,	      /* blocks in a set of the cache */
	PROBE_SETS = 1 << 12, /* sets; with 64 KB a block the cache grows to 1 GB at most */
	PROBE_FILES = 64,     /* files kept open; a process may not open many more */
};

/* A decompressed block of a table. */
struct probe_block {
	int space; /* plus one; 0: this block is empty */
	uint64_t number;
	unsigned char *data;
};

/* The open tables of a game; opaque to users of the library. */
struct qv_tables {
	struct spaces spaces;
	struct table_cache cache;
	struct table_file *files; /* one for each space; most of them closed */
	int open[PROBE_FILES];	  /* the spaces whose file is open, plus one; 0: unused */
	int oldest_file;	  /* index in `open` of the file to close next */
	struct probe_block (*blocks)[PROBE_WAYS]; /* the most recently used of a set first */
	struct arena arena;
	struct slot *slots; /* for a position's moves, and for a successor */
};

/*
 * Opens the tables under `folder`, which holds those of all games; missing ones are noticed when
 * probed. NULL: only those that are part of the library, which are always used in place of files. Takes ownership of the contents of *spaces, on failure too. One thread at a time may use
 * the result; free it with probe_free.
 */
enum qv_status probe_new(struct spaces *spaces, const char *folder, struct qv_tables **out,
			 struct qv_error *error);
void probe_free(struct qv_tables *t); /* NULL is fine */
/* The facts of a space's table; out->there is false if the table is missing or not finished. */
void probe_table(struct qv_tables *t, int space, struct qv_table *out);
/* As qv_tables_longest, for a space that exists. */
enum qv_status probe_longest(struct qv_tables *t, int space, void *state, struct qv_error *error);
/* Value and plies to the end, without a move. Fails as probe_state does. */
enum qv_status probe_value(struct qv_tables *t, const void *state, struct qv_solution *out,
			   struct qv_error *error);
/*
 * Value, plies to the end, and a move that keeps both. QV_UNKNOWN: no table contains the position;
 * QV_IO or QV_BAD_INPUT: the table is missing or damaged.
 */
enum qv_status probe_state(struct qv_tables *t, const void *state, struct qv_solution *out,
			   struct qv_error *error);

#endif
