/*
 * memory.h - the allocator at the border, and the arena that one search lives in.
 * SPDX-License-Identifier: MIT
 *
 * Sizes are given back on free, so that an allocator need keep no headers. All blocks are aligned
 * for any type.
 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include "quevedo.h"

extern const struct qv_allocator mem_malloc;     /* malloc and free */

void *mem_new(const struct qv_allocator *a, size_t count,
	      size_t size); /* zeroed; NULL: no memory, or an overflow */
void *mem_resize(const struct qv_allocator *a, void *block, size_t old_size, size_t new_size);
void mem_free(const struct qv_allocator *a, void *block, size_t size);   /* NULL is fine */
/*
 * Makes room for at least `need` items of a size in an array that grows, twice as many if it has
 * to. `array` is the address of the pointer to it, NULL while it is empty; *room counts its items.
 * False: no memory, and array and room stay as they are. Free with mem_free, room times size.
 */
bool mem_reserve(const struct qv_allocator *a, void *array, size_t *room, size_t need, size_t size);
/*
 * A wish to the system, for a table that is read all over the place for seconds: with small pages
 * nearly every look misses the processor's list of them. The first touch of a page gets slower.
 */
void mem_prefer_large_pages(void *block, size_t size);
char *mem_strdup(const struct qv_allocator *a, const char *text);
void mem_strfree(const struct qv_allocator *a, char *text);

/* One block, carved from the front; freed as a whole. {0} is a valid empty arena. */
struct arena {
	const struct qv_allocator *allocator;
	unsigned char *data;
	size_t size, used;
};

enum qv_status arena_init(struct arena *a, const struct qv_allocator *allocator, size_t size);
void *arena_take(struct arena *a, size_t count, size_t size);    /* zeroed; NULL: it does not fit */
size_t arena_need(size_t count, size_t size);    /* what arena_take(count, size) uses, at most */
void arena_release(struct arena *a);

#endif
