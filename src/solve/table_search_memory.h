/*
 * table_search_memory.h - the transposition table of the search before the tables: value bounds by
 * key.
 * SPDX-License-Identifier: MIT
 *
 * The bounds found from the start position can be saved in a file beside the tables, so that
 * players need not search again. docs/tables.md describes the file.
 */
#ifndef SOLVE_TABLE_SEARCH_MEMORY_H
#define SOLVE_TABLE_SEARCH_MEMORY_H

#include "base/memory.h"

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
void table_search_memory_release(struct table_search_memory *m);

/* The entry of a key, which must not be 0. A new key replaces the cheapest entry of its set. */
struct table_search_bounds *table_search_memory_entry(struct table_search_memory *m, uint64_t key);

/* The same without adding the key; NULL: it has no entry. */
const struct table_search_bounds *table_search_memory_find(const struct table_search_memory *m,
							   uint64_t key);

static inline bool table_search_is_bounded(const struct table_search_bounds *b)
{
	return b->key && (b->low > TABLE_SEARCH_LOSS || b->high < TABLE_SEARCH_WIN);
}

static inline bool table_search_is_worth_saving(const struct table_search_bounds *b)
{
	return table_search_is_bounded(b) && b->nodes >= TABLE_SEARCH_WORTH;
}

/* Grows to at least 2 * count entries, since a key has only four to choose from. */
enum qv_status table_search_memory_reserve(struct table_search_memory *m, size_t count);

/* ---- files ---- */

/* A file in memory: free `room` bytes with the memory's allocator. */
struct table_search_packed {
	unsigned char *file;
	size_t size, room;
};
enum qv_status table_search_memory_pack(const struct table_search_memory *m, const char *game,
					struct table_search_packed *out, struct qv_error *error);

/* Saves the bounds for the game of that name; the file appears complete or not at all. */
enum qv_status table_search_memory_save(const struct table_search_memory *m, const char *game,
					const char *path, struct qv_error *error);
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

#endif
