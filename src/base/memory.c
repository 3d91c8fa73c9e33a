/*
 * memory.c - memory from the caller's allocator, arrays that grow, and arenas.
 * SPDX-License-Identifier: MIT
 *
 * An arena gets one block for a whole search: the caller adds up arena_need for everything it will
 * take, so that arena_take cannot fail later and the search allocates nothing.
 */
#define _DEFAULT_SOURCE      /* for madvise */
#include "base/memory.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { ALIGNMENT = 64 };     /* alignment of arena blocks: a cache line */

static void *malloc_resize(void *ctx, void *block, size_t old_size, size_t new_size)
{
	(void)ctx;
	if (!new_size) {
		free(block);
		return NULL;
	}
	/* calloc gets fresh pages that are already zero, which makes large tables cheap. */
	return old_size ? realloc(block, new_size) : calloc(1, new_size);
}

const struct qv_allocator mem_malloc = { malloc_resize, NULL };

void *mem_new(const struct qv_allocator *a, size_t count, size_t size)
{
	if (size && count > SIZE_MAX / 2 / size)
		return NULL;
	size_t bytes = count && size ? count * size : 1;
	void *block = a->resize(a->ctx, NULL, 0, bytes);
	if (block && a->resize != malloc_resize)
		memset(block, 0, bytes);
	return block;
}

void *mem_resize(const struct qv_allocator *a, void *block, size_t old_size, size_t new_size)
{
	return a->resize(a->ctx, block, block ? old_size : 0, new_size);
}

void mem_free(const struct qv_allocator *a, void *block, size_t size)
{
	if (block)
		a->resize(a->ctx, block, size ? size : 1, 0);
}

bool mem_reserve(const struct qv_allocator *a, void *array, size_t *room, size_t need, size_t size)
{
	enum { FIRST_ROOM = 16 };
	void *block;
	if (need <= *room)
		return true;
	size_t larger = *room ? 2 * *room : FIRST_ROOM;
	if (larger < need)
		larger = need;
	if (larger > SIZE_MAX / 2 / size)
		return false;
	memcpy(&block, array, sizeof block);
	block = mem_resize(a, block, *room * size, larger * size);
	if (!block)
		return false;
	memcpy(array, &block, sizeof block);
	*room = larger;
	return true;
}

void mem_prefer_large_pages(void *block, size_t size)
{
#ifdef MADV_HUGEPAGE
	const uintptr_t page = 4096, from = ((uintptr_t)block + page - 1) / page * page;
	const uintptr_t to = ((uintptr_t)block + size) / page * page;
	if (to > from)
		madvise((void *)from, to - from, MADV_HUGEPAGE);
#else
	(void)block, (void)size;
#endif
}

char *mem_strdup(const struct qv_allocator *a, const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = mem_new(a, size, 1);
	if (copy)
		memcpy(copy, text, size);
	return copy;
}

void mem_strfree(const struct qv_allocator *a, char *text)
{
	if (text)
		mem_free(a, text, strlen(text) + 1);
}

size_t arena_need(size_t count, size_t size)
{
	if (size && count > (SIZE_MAX / 4 - ALIGNMENT) / size)
		return SIZE_MAX / 4;         /* more than any allocator can provide */
	return (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

enum qv_status arena_init(struct arena *a, const struct qv_allocator *allocator, size_t size)
{
	*a = (struct arena){ .allocator = allocator, .size = size + ALIGNMENT };
	a->data = mem_new(allocator, a->size, 1);
	if (!a->data)
		return QV_NO_MEMORY;
	a->used = (ALIGNMENT - (uintptr_t)a->data % ALIGNMENT) % ALIGNMENT;
	return QV_OK;
}

void *arena_take(struct arena *a, size_t count, size_t size)
{
	size_t need = arena_need(count, size);
	if (need > a->size - a->used)
		return NULL;
	void *block = a->data + a->used;
	a->used += need;
	return block;
}

void arena_release(struct arena *a)
{
	if (a->data)
		mem_free(a->allocator, a->data, a->size);
	*a = (struct arena){ 0 };
}
