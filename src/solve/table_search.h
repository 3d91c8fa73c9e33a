/*
 * table_search.h - a search that solves positions before the tables: it ends when it reaches them.
 * SPDX-License-Identifier: MIT
 *
 * Tables may cover only the last part of a game. In nine men's morris, for example, no space holds
 * positions with men still to be placed. Such positions are solved by an alpha-beta search down to
 * the tables, with a transposition table in which symmetric positions share an entry. As in the
 * tables, repetitions and move counters are ignored.
 *
 * The bounds found from the start position can be saved in a file beside the tables, so that
 * players need not search again. docs/tables.md describes the file.
 */
#ifndef SOLVE_TABLE_SEARCH_H
#define SOLVE_TABLE_SEARCH_H

#include "solve/probe.h"

/* ---- the transposition table ---- */

enum { TABLE_SEARCH_LOSS = -1, TABLE_SEARCH_DRAW = 0, TABLE_SEARCH_WIN = 1 };

/* Bounds that took fewer nodes are faster to search again than to load. */
enum { TABLE_SEARCH_WORTH = 256 };

/* The value of the position is from low to high. */
struct table_search_bounds {
	uint64_t key;	/* 0: an empty entry */
	uint32_t nodes; /* most nodes that a search of it took */
	int8_t low, high;
};

/* {0} is a valid memory without entries, good only for release. */
struct table_search_memory {
	const struct qv_allocator *allocator;
	struct table_search_bounds *list;
	size_t places; /* a power of two */
};

/* As many entries as fit in `bytes`, rounded down to a power of two, but at least four. */
enum qv_status table_search_memory_init(struct table_search_memory *m,
					const struct qv_allocator *allocator, size_t bytes);
/* Frees the entries; a {0} one is fine. */
void table_search_memory_release(struct table_search_memory *m);

/* The entry of a key, which must not be 0. A new key replaces the cheapest entry of its set. */
struct table_search_bounds *table_search_memory_entry(struct table_search_memory *m, uint64_t key);

/* Whether the entry excludes a value: that is all a file needs to hold. */
static inline bool table_search_is_bounded(const struct table_search_bounds *b)
{
	return b->key && (b->low > TABLE_SEARCH_LOSS || b->high < TABLE_SEARCH_WIN);
}

static inline bool table_search_is_worth_saving(const struct table_search_bounds *b)
{
	return table_search_is_bounded(b) && b->nodes >= TABLE_SEARCH_WORTH;
}

/* A file in memory: free `room` bytes with the memory's allocator. */
struct table_search_packed {
	unsigned char *file;
	size_t size, room;
};
/*
 * Makes the file of the bounds for the game of that name. The caller frees out->file.
 * QV_UNSUPPORTED: there are too many bounds.
 */
enum qv_status table_search_memory_pack(const struct table_search_memory *m, const char *game,
					struct table_search_packed *out, struct qv_error *error);

/*
 * Adds the bounds of a file, growing the memory if necessary. A missing file is QV_OK.
 * QV_BAD_INPUT: the file has another format, belongs to another game, or is damaged; then nothing
 * has changed.
 */
enum qv_status table_search_memory_load(struct table_search_memory *m, const char *game,
					const char *path, struct qv_error *error);
/* The same for a file's contents; `name` is used in error messages. */
enum qv_status table_search_memory_read(struct table_search_memory *m, const char *game,
					const void *file, size_t size, const char *name,
					struct qv_error *error);

/* ---- the search ---- */

enum { TABLE_SEARCH_PLIES = 40 }; /* most plies to the tables; more than any game needs */

struct table_search;

struct table_search_limits {
	const struct qv_flag *stop;   /* may be NULL */
	int64_t until_us;	   /* deadline by clock_us; 0: none */
	const struct qv_solve_limits *solve; /* nodes and watch apply, too; may be NULL */
};

/*
 * The tables must outlive the search. `bytes` is the size of its transposition table. Loads what
 * table_search_save has written beside the tables; QV_BAD_INPUT if that file is damaged.
 */
enum qv_status table_search_new(struct qv_tables *tables, size_t bytes, struct table_search **out,
				struct qv_error *error);
void table_search_free(struct table_search *a); /* NULL is fine */

/*
 * The value for the side to move, and a move that keeps it; no distance. The game must not have
 * ended, and the position must be in no space. QV_STOPPED: out->move, if it was set, does not lose;
 * QV_IO: a table that is needed is missing; QV_UNKNOWN: the tables are too many plies away.
 */
enum qv_status table_search_solve(struct table_search *a, const void *state,
				  const struct table_search_limits *limits, struct qv_solution *out,
				  struct qv_error *error);

/* Writes the bounds found so far to start.qva beside the tables. */
enum qv_status table_search_save(const struct table_search *a, struct qv_error *error);

#endif
