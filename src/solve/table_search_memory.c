/*
 * table_search_memory.c - the transposition table of the search before the tables.
 * SPDX-License-Identifier: MIT
 *
 * Set-associative: a key may be in 4 entries, and a new key replaces the one that was cheapest to
 * compute. The file format is in table_search_file.c.
 */
#include "solve/table_search_memory.h"

#include <unistd.h>

#include "base/file.h"

enum { WAYS = 4, MOST_BYTES = 1 << 30 };

enum qv_status table_search_memory_init(struct table_search_memory *m,
					const struct qv_allocator *allocator, size_t bytes)
{
	*m = (struct table_search_memory){ .allocator = allocator, .places = WAYS };
	while (m->places * 2 * sizeof *m->list <= bytes)
		m->places *= 2;
	m->list = mem_new(allocator, m->places, sizeof *m->list);
	return m->list ? QV_OK : QV_NO_MEMORY;
}

void table_search_memory_release(struct table_search_memory *m)
{
	mem_free(m->allocator, m->list, m->list ? m->places * sizeof *m->list : 0);
	*m = (struct table_search_memory){ .places = 0 };
}

static struct table_search_bounds *set_of(const struct table_search_memory *m, uint64_t key)
{
	return m->list + (qv_mix(key) & (m->places - 1) & ~(size_t)(WAYS - 1));
}

const struct table_search_bounds *table_search_memory_find(const struct table_search_memory *m,
							   uint64_t key)
{
	const struct table_search_bounds *set = set_of(m, key);
	for (int i = 0; i < WAYS; i++)
		if (set[i].key == key)
			return &set[i];
	return NULL;
}

struct table_search_bounds *table_search_memory_entry(struct table_search_memory *m, uint64_t key)
{
	struct table_search_bounds *set = set_of(m, key);
	for (int i = 0; i < WAYS; i++)
		if (set[i].key == key)
			return &set[i];
	struct table_search_bounds *cheapest = set;
	for (int i = 1; i < WAYS; i++)
		if (set[i].nodes < cheapest->nodes)
			cheapest = &set[i];
	*cheapest = (struct table_search_bounds){ key, 0, TABLE_SEARCH_LOSS, TABLE_SEARCH_WIN };
	return cheapest;
}

enum qv_status table_search_memory_reserve(struct table_search_memory *m, size_t count)
{
	struct table_search_memory larger;
	if (m->places >= 2 * count)
		return QV_OK;
	size_t places = m->places;
	while (places < 2 * count)
		places *= 2;
	const enum qv_status status =
		table_search_memory_init(&larger, m->allocator, places * sizeof *larger.list);
	if (status != QV_OK)
		return status;
	for (size_t i = 0; i < m->places; i++)
		if (table_search_is_bounded(&m->list[i]))
			*table_search_memory_entry(&larger, m->list[i].key) = m->list[i];
	table_search_memory_release(m);
	*m = larger;
	return QV_OK;
}

/* ---- files ---- */

enum qv_status table_search_memory_save(const struct table_search_memory *m, const char *game,
					const char *path, struct qv_error *error)
{
	struct table_search_packed packed;
	struct file_writer writer = { 0 };
	enum qv_status status = table_search_memory_pack(m, game, &packed, error);
	if (status != QV_OK)
		return status;
	status = file_create(&writer, m->allocator, path, error);
	if (status == QV_OK)
		status = file_write(&writer, packed.file, packed.size, error);
	if (status == QV_OK)
		status = file_keep(&writer, error);
	else
		file_abandon(&writer);
	mem_free(m->allocator, packed.file, packed.room);
	return status;
}

enum qv_status table_search_memory_load(struct table_search_memory *m, const char *game,
					const char *path, struct qv_error *error)
{
	struct file_bytes file = { 0 };
	if (access(path, F_OK) != 0)
		return QV_OK;
	enum qv_status status = file_read(m->allocator, path, MOST_BYTES, &file, error);
	if (status == QV_OK)
		status = table_search_memory_read(m, game, file.data, file.size, path, error);
	file_release(m->allocator, &file);
	return status;
}
