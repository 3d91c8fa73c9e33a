/*
 * map.h - a hash map: values that are found by a number or by a text.
 * SPDX-License-Identifier: MIT
 *
 * Values are pointers, never NULL. The map does not own what they point to. Each map has one kind
 * of key:
 *
 *   numbers of 64 bits   Several values may have the same number, so a hash can serve as the key,
 *                        with map_next_of to look at all that share it.
 *   texts                The key stands in the value itself, as an array of char at text_at. It
 *                        must not change while the value is in the map.
 *
 * { .allocator = a } is a valid empty map, with .text_at = offsetof(...) for texts. Looking up does
 * not change a map, so threads may do that together; everything else is for one thread at a time.
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include "quevedo.h"

struct map_entry {
	uint64_t key; /* of a text: its hash */
	void *value;  /* NULL: free, or removed */
};

struct map {
	const struct qv_allocator *allocator;
	size_t text_at;
	size_t count; /* values */
	/* Inside: open addressing, a power of two of entries or none. */
	struct map_entry *entries;
	size_t capacity, used; /* used: entries that hold a value, or did */
};

/* Frees the map's own memory; it is empty then, and usable. */
void map_release(struct map *m);

/* ---- By number ---- */

/* False: no memory, and nothing has changed. Other values of that key stay. */
bool map_add(struct map *m, uint64_t key, void *value);
void *map_find(const struct map *m, uint64_t key); /* one value of that key; NULL: there is none */
/* The values of a key, one at each call; NULL: no more. *at is 0 before the first call. */
void *map_next_of(const struct map *m, uint64_t key, size_t *at);
void map_remove(struct map *m, uint64_t key, const void *value); /* fine if it is not there */

/* ---- By text ---- */

/* As above. The text must be new to the map. */
bool map_add_text(struct map *m, void *value);
void *map_find_text(const struct map *m, const char *text);
void map_remove_text(struct map *m, const void *value);

/* ---- All values ---- */

/*
 * One value at each call, in no special order; NULL: no more. *at is 0 before the first call.
 * Between two calls values may be removed, and freed. After one was added, values may be left out
 * or come twice.
 */
void *map_next(const struct map *m, size_t *at);

/* ---- Numbers as values, such as places in an array ---- */

static inline void *map_of_number(size_t number)
{
	return (void *)((uintptr_t)number + 1);
}

static inline size_t map_to_number(const void *value)
{
	return (size_t)((uintptr_t)value - 1);
}

#endif
