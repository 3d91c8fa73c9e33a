/*
 * table_cache.c - the finished tables of a game, loaded into memory whole and on demand.
 * SPDX-License-Identifier: MIT
 *
 * For the builder and the checker, which look at every entry. (Players read single blocks instead:
 * probe.c.) Loading is guarded by a mutex; a lookup in a loaded space costs one acquire load and no
 * lock. The first failure is kept, and no further table is loaded after it.
 */
#include "solve/table_cache.h"

enum qv_status table_cache_init(struct table_cache *s, const struct spaces *spaces,
				const char *folder, struct qv_error *error)
{
	*s = (struct table_cache){ .spaces = spaces };
	if (!*folder)
		return qv_fail(error, QV_IO, "tables: the folder's name is empty");
	if (snprintf(s->folder, sizeof s->folder, "%s/%s", folder, spaces->name) >=
	    (int)sizeof s->folder)
		return qv_fail(error, QV_IO, "%.100s: the path is too long", folder);
	s->list = mem_new(spaces->allocator, (size_t)spaces->count, sizeof *s->list);
	if (!s->list)
		return qv_fail(error, QV_NO_MEMORY, "tables: out of memory");
	mutex_init(&s->lock);
	return QV_OK;
}

void table_cache_drop(struct table_cache *s, int space)
{
	values_release(&s->list[space].values, s->spaces->allocator);
	atomic_store(&s->list[space].loaded, false);
}

void table_cache_release(struct table_cache *s)
{
	for (int i = 0; s->list && i < s->spaces->count; i++)
		table_cache_drop(s, i);
	if (s->list) {
		mem_free(s->spaces->allocator, s->list,
			 (size_t)s->spaces->count * sizeof *s->list);
		mutex_release(&s->lock);
	}
	*s = (struct table_cache){ .spaces = NULL };
}

bool table_cache_path(const struct table_cache *s, int space, const char *extension,
		      char path[4096])
{
	return snprintf(path, 4096, "%s/%s.%s", s->folder, s->spaces->list[space].name, extension) <
	       4096;
}

enum qv_status table_cache_open(const struct table_cache *s, int space, const char *extension,
				struct table_file *out, struct qv_error *error)
{
	char path[4096];
	const struct qv_space *expected = &s->spaces->list[space];
	if (!table_cache_path(s, space, extension, path))
		return qv_fail(error, QV_IO, "%.100s: the path is too long", s->folder);
	enum qv_status status = table_open(out, s->spaces->allocator, path, error);
	if (status != QV_OK)
		return status;
	const struct table_facts *facts = &out->facts;
	const bool finished = strcmp(extension, "part") != 0;
	if (strcmp(facts->game, s->spaces->name) == 0 &&
	    strcmp(facts->space, expected->name) == 0 && facts->size == expected->size &&
	    (facts->level == TABLE_FINISHED) == finished)
		return QV_OK;
	status = qv_fail(error, QV_BAD_INPUT, "%.130s: wrong table: %.40s, space %.31s%s", path,
			 facts->game, facts->space,
			 facts->size != expected->size			? ", of another size"
			 : (facts->level == TABLE_FINISHED) != finished ? ", in another state"
									: "");
	table_close(out);
	return status;
}

bool table_cache_has(const struct table_cache *s, int space)
{
	struct table_file file;
	const bool there = table_cache_open(s, space, "qvt", &file, NULL) == QV_OK;
	if (there)
		table_close(&file);
	return there;
}

static enum qv_status load(struct table_cache *s, int space)
{
	struct table_file file;
	enum qv_status status = table_cache_open(s, space, "qvt", &file, &s->error);
	if (status != QV_OK)
		return status;
	status = table_read(&file, &s->list[space].values, &s->error);
	table_close(&file);
	return status;
}

bool table_cache_load(struct table_cache *s, int space)
{
	mutex_lock(&s->lock);
	if (!atomic_load(&s->list[space].loaded) && s->status == QV_OK) {
		s->status = load(s, space);
		if (s->status == QV_OK)
			atomic_store_explicit(&s->list[space].loaded, true, memory_order_release);
	}
	const bool loaded = atomic_load(&s->list[space].loaded);
	mutex_unlock(&s->lock);
	return loaded;
}
