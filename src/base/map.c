/*
 * map.c - a hash map with open addressing and linear probing.
 * SPDX-License-Identifier: MIT
 *
 * At most half of the entries are used, tombstones of removed values included, so a lookup soon
 * reaches a free entry. Removing a value moves no other, so that map_next can continue after it.
 * The table is rebuilt when it gets half full, and becomes at most a third full: adding is O(1)
 * amortized.
 */
#include "base/map.h"

#include "base/memory.h"

enum { LEAST = 16 };

/* The key of an entry without a value. */
enum { FREE, REMOVED };

static size_t first_place(const struct map *m, uint64_t key)
{
	return (size_t)qv_mix(key) & (m->capacity - 1);
}

static bool is_free(const struct map_entry *e)
{
	return !e->value && e->key == FREE;
}

void map_release(struct map *m)
{
	mem_free(m->allocator, m->entries, m->capacity * sizeof *m->entries);
	*m = (struct map){ .allocator = m->allocator, .text_at = m->text_at };
}

static void put(struct map *m, uint64_t key, void *value)
{
	size_t place = first_place(m, key);
	while (m->entries[place].value)
		place = (place + 1) & (m->capacity - 1);
	m->used += is_free(&m->entries[place]);
	m->entries[place] = (struct map_entry){ key, value };
	m->count++;
}

bool map_add(struct map *m, uint64_t key, void *value)
{
	if (2 * (m->used + 1) > m->capacity) {
		/*
		 * Rebuild the table so that it is at most a third full with one value more. It may
		 * shrink if many values were removed.
		 */
		struct map larger = { .allocator = m->allocator,
				      .text_at = m->text_at,
				      .capacity = LEAST };
		while (larger.capacity < 3 * (m->count + 1))
			larger.capacity *= 2;
		larger.entries = mem_new(m->allocator, larger.capacity, sizeof *larger.entries);
		if (!larger.entries)
			return false;
		for (size_t i = 0; i < m->capacity; i++)
			if (m->entries[i].value)
				put(&larger, m->entries[i].key, m->entries[i].value);
		map_release(m);
		*m = larger;
	}
	put(m, key, value);
	return true;
}

/*
 * The next entry of the key's probe sequence, from step *at on, that holds the key; NULL: no more.
 */
static struct map_entry *next_entry(const struct map *m, uint64_t key, size_t *at)
{
	for (; *at < m->capacity; ++*at) {
		struct map_entry *e = &m->entries[(first_place(m, key) + *at) & (m->capacity - 1)];
		if (is_free(e))
			break;
		if (e->value && e->key == key) {
			++*at;
			return e;
		}
	}
	*at = m->capacity;
	return NULL;
}

void *map_next_of(const struct map *m, uint64_t key, size_t *at)
{
	const struct map_entry *e = next_entry(m, key, at);
	return e ? e->value : NULL;
}

void *map_find(const struct map *m, uint64_t key)
{
	size_t at = 0;
	return map_next_of(m, key, &at);
}

void map_remove(struct map *m, uint64_t key, const void *value)
{
	struct map_entry *e;
	size_t at = 0;
	while ((e = next_entry(m, key, &at)) && e->value != value)
		;
	if (!e)
		return;
	*e = (struct map_entry){ REMOVED, NULL };
	m->count--;
	/* Tombstones before a free entry are useless: make them free entries, too. */
	const size_t mask = m->capacity - 1;
	for (size_t place = (size_t)(e - m->entries);
	     is_free(&m->entries[(place + 1) & mask]) && !m->entries[place].value &&
	     m->entries[place].key == REMOVED;
	     place = (place - 1) & mask) {
		m->entries[place].key = FREE;
		m->used--;
	}
}

static const char *text_of(const struct map *m, const void *value)
{
	return (const char *)value + m->text_at;
}

static uint64_t hash_text(const char *text)
{
	return qv_hash_bytes(text, strlen(text));
}

bool map_add_text(struct map *m, void *value)
{
	return map_add(m, hash_text(text_of(m, value)), value);
}

void *map_find_text(const struct map *m, const char *text)
{
	const uint64_t key = hash_text(text);
	size_t at = 0;
	void *value;
	while ((value = map_next_of(m, key, &at)) && strcmp(text_of(m, value), text) != 0)
		;
	return value;
}

void map_remove_text(struct map *m, const void *value)
{
	map_remove(m, hash_text(text_of(m, value)), value);
}

void *map_next(const struct map *m, size_t *at)
{
	while (*at < m->capacity) {
		void *value = m->entries[(*at)++].value;
		if (value)
			return value;
	}
	return NULL;
}
