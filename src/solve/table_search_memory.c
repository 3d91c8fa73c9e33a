/*
 * table_search_memory.c - what is known of positions before the tables.
 * SPDX-License-Identifier: MIT
 */
#include "solve/table_search_memory.h"

#include <unistd.h>

#include "base/file.h"

enum { WAYS = 4, MOST_BYTES = 1 << 30 };

enum qv_status above_memory_init(struct above_memory *m, const struct qv_allocator *allocator,
				 size_t bytes)
{
	*m = (struct above_memory){ .allocator = allocator, .places = WAYS };
	while (m->places * 2 * sizeof *m->list <= bytes)
		m->places *= 2;
	m->list = mem_new(allocator, m->places, sizeof *m->list);
	return m->list ? QV_OK : QV_NO_MEMORY;
}

void above_memory_release(struct above_memory *m)
{
	mem_free(m->allocator, m->list, m->list ? m->places * sizeof *m->list : 0);
	*m = (struct above_memory){ .places = 0 };
}

static struct above_bounds *set_of(const struct above_memory *m, uint64_t key)
{
	return m->list + (qv_mix(key) & (m->places - 1) & ~(size_t)(WAYS - 1));
}

const struct above_bounds *above_peek(const struct above_memory *m, uint64_t key)
{
	const struct above_bounds *set = set_of(m, key);
	for (int i = 0; i < WAYS; i++)
		if (set[i].key == key)
			return &set[i];
	return NULL;
}

struct above_bounds *above_recall(struct above_memory *m, uint64_t key)
{
	struct above_bounds *set = set_of(m, key);
	for (int i = 0; i < WAYS; i++)
		if (set[i].key == key)
			return &set[i];
	struct above_bounds *cheapest = set;
	for (int i = 1; i < WAYS; i++)
		if (set[i].nodes < cheapest->nodes)
			cheapest = &set[i];
	*cheapest = (struct above_bounds){ key, 0, ABOVE_LOSS, ABOVE_WIN };
	return cheapest;
}

enum qv_status above_make_room(struct above_memory *m, size_t count)
{
	struct above_memory larger;
	if (m->places >= 2 * count)
		return QV_OK;
	size_t places = m->places;
	while (places < 2 * count)
		places *= 2;
	const enum qv_status status =
		above_memory_init(&larger, m->allocator, places * sizeof *larger.list);
	if (status != QV_OK)
		return status;
	for (size_t i = 0; i < m->places; i++)
		if (above_says_something(&m->list[i]))
			*above_recall(&larger, m->list[i].key) = m->list[i];
	above_memory_release(m);
	*m = larger;
	return QV_OK;
}

/* ---- files ---- */

enum qv_status above_memory_keep(const struct above_memory *m, const char *game, const char *path,
				 struct qv_error *error)
{
	struct above_packed packed;
	struct file_writer writer = { 0 };
	enum qv_status status = above_memory_pack(m, game, &packed, error);
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

enum qv_status above_memory_take(struct above_memory *m, const char *game, const char *path,
				 struct qv_error *error)
{
	struct file_bytes file = { 0 };
	if (access(path, F_OK) != 0)
		return QV_OK;
	enum qv_status status = file_read(m->allocator, path, MOST_BYTES, &file, error);
	if (status == QV_OK)
		status = above_memory_read(m, game, file.data, file.size, path, error);
	file_release(m->allocator, &file);
	return status;
}
