/*
 * memory.h - memory from the caller's allocator, arrays that grow, and arenas.
 * SPDX-License-Identifier: MIT
 *
 * The caller passes the size of a block when it is freed, so that an allocator need not store it.
 * All blocks are aligned for any type.
 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include "quevedo.h"

extern const struct qv_allocator mem_malloc;     /* malloc and free */

/* A zeroed array. NULL: not enough memory, or count * size overflows. */
void *mem_new(const struct qv_allocator *a, size_t count, size_t size);
/* As qv_allocator.resize; new bytes are not zeroed. */
void *mem_resize(const struct qv_allocator *a, void *block, size_t old_size, size_t new_size);
void mem_free(const struct qv_allocator *a, void *block, size_t size);   /* NULL is fine */
/*
 * Grows an array to at least `need` items, doubling its capacity if necessary. `array` is the
 * address of the pointer to the array, NULL while it is empty; *room is its capacity in items of
 * `size` bytes. False: not enough memory, and array and room are unchanged. Free it with mem_free
 * and room * size.
 */
bool mem_reserve(const struct qv_allocator *a, void *array, size_t *room, size_t need, size_t size);
/*
 * Advises the system to use huge pages, for a large table that is read at random: with small pages
 * nearly every access misses the TLB. The first access to a page becomes slower.
 */
void mem_prefer_large_pages(void *block, size_t size);
/*
 * A copy of a text, to be freed with mem_strfree while its length is unchanged. NULL: not enough
 * memory.
 */
char *mem_strdup(const struct qv_allocator *a, const char *text);
void mem_strfree(const struct qv_allocator *a, char *text);

/*
 * One block from which smaller ones are taken; it is freed as a whole. {0} is a valid empty arena.
 */
struct arena {
	const struct qv_allocator *allocator;
	unsigned char *data;
	size_t size, used;
};

enum qv_status arena_init(struct arena *a, const struct qv_allocator *allocator, size_t size);
/* Zeroed, aligned to 64; NULL: it does not fit. */
void *arena_take(struct arena *a, size_t count, size_t size);
/* Upper limit of the bytes that arena_take(count, size) uses. */
size_t arena_need(size_t count, size_t size);
void arena_release(struct arena *a);

#endif
