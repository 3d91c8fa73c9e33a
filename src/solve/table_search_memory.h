/*
 * table_search_memory.h - what is known of positions before the tables: bounds of their values, by key.
 * SPDX-License-Identifier: MIT
 *
 * What a search from the start has found can be kept in a file beside the tables, so that players
 * need not search it again. docs/tables.md draws the file.
 */
#ifndef SOLVE_TABLE_SEARCH_MEMORY_H
#define SOLVE_TABLE_SEARCH_MEMORY_H

#include "base/memory.h"

enum { ABOVE_LOSS = -1, ABOVE_DRAW = 0, ABOVE_WIN = 1 };

/* What was found in fewer nodes is sooner found again than read. */
enum { ABOVE_WORTH = 256 };

/* The value of the position is from low to high. */
struct above_bounds {
	uint64_t key;   /* 0: an empty place */
	uint32_t nodes; /* that it took to find that, at most */
	int8_t low, high;
};

/* {0} is a valid empty one, in which nothing can be kept. */
struct above_memory {
	const struct qv_allocator *allocator;
	struct above_bounds *list;
	size_t places; /* a power of two */
};

enum qv_status above_memory_init(struct above_memory *m, const struct qv_allocator *allocator,
				 size_t bytes);
void above_memory_release(struct above_memory *m);

/* The place of a key, not 0, among its few; a new one takes that of the cheapest. */
struct above_bounds *above_recall(struct above_memory *m, uint64_t key);

/* NULL: nothing is known of it. */
const struct above_bounds *above_peek(const struct above_memory *m, uint64_t key);

static inline bool above_says_something(const struct above_bounds *b)
{
	return b->key && (b->low > ABOVE_LOSS || b->high < ABOVE_WIN);
}

static inline bool above_is_worth_keeping(const struct above_bounds *b)
{
	return above_says_something(b) && b->nodes >= ABOVE_WORTH;
}

/* Room for twice as many: a place has few neighbours to give way to. */
enum qv_status above_make_room(struct above_memory *m, size_t count);

/* ---- in a file ---- */

/* Of the memory's allocator: `room` bytes. */
struct above_packed {
	unsigned char *file;
	size_t size, room;
};
enum qv_status above_memory_pack(const struct above_memory *m, const char *game,
				 struct above_packed *out, struct qv_error *error);

/* Writes what is known for the game of that name, whole or not at all. */
enum qv_status above_memory_keep(const struct above_memory *m, const char *game, const char *path,
				 struct qv_error *error);
/*
 * Adds what a file knows, and makes room for it. QV_OK without a file too; QV_BAD_INPUT: it is not
 * such a file, of another game, or damaged. Then nothing has changed.
 */
enum qv_status above_memory_take(struct above_memory *m, const char *game, const char *path,
				 struct qv_error *error);
/* The same of a file in memory; `name` is for errors. */
enum qv_status above_memory_read(struct above_memory *m, const char *game, const void *file,
				 size_t size, const char *name, struct qv_error *error);

#endif
