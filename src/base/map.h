/*
 * map.h - a hash map from numbers or texts to pointers.
 * SPDX-License-Identifier: MIT
 *
 * Values are pointers, never NULL. The map does not own what they point to. Each map has one kind
 * of key:
 *
 *    64-bit numbers  Several values may share a number, so a hash can serve as the key; then
 *                    map_next_of returns all candidates.
 *    texts           The key is stored in the value itself, as an array of char at offset text_at.
 *                    It must not change while the value is in the map.
 *
 * { .allocator = a } is a valid empty map, with .text_at = offsetof(...) for texts. Lookups do not
 * change a map, so threads may share it for reading; changes need exclusive access.
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include "quevedo.h"

struct map_entry {
	uint64_t key; /* for texts: the hash */
	void *value;  /* NULL: free, or removed */
};

struct map {
	const struct qv_allocator *allocator;
	size_t text_at;
	size_t count; /* values */
	/* Private: open addressing; capacity is a power of two, or 0. */
	struct map_entry *entries;
	size_t capacity, used; /* used: entries that hold a value or a tombstone */
};

/* Frees the map's own memory. The map is then empty and can be used again. */
void map_release(struct map *m);

/* ---- By number ---- */

/*
 * Adds a value. Other values of the same key stay. False: not enough memory, and nothing has
 * changed.
 */
bool map_add(struct map *m, uint64_t key, void *value);
void *map_find(const struct map *m, uint64_t key); /* any value of the key, or NULL */
/* Returns the values of a key one by one, then NULL. Set *at to 0 before the first call. */
void *map_next_of(const struct map *m, uint64_t key, size_t *at);
void map_remove(struct map *m, uint64_t key, const void *value); /* does nothing if it is absent */

/* ---- By text ---- */

/* As above, except that a text must not be added twice. */
bool map_add_text(struct map *m, void *value);
void *map_find_text(const struct map *m, const char *text);
void map_remove_text(struct map *m, const void *value);

/* ---- All values ---- */

/*
 * Returns all values one by one, in no particular order, then NULL. Set *at to 0 before the first
 * call. Values may be removed and freed between two calls. If one is added, others may be missed or
 * returned twice.
 */
void *map_next(const struct map *m, size_t *at);

/* ---- Numbers as values, such as array indexes ---- */

static inline void *map_of_number(size_t number)
{
	return (void *)((uintptr_t)number + 1);
}

static inline size_t map_to_number(const void *value)
{
	return (size_t)((uintptr_t)value - 1);
}

#endif
