/*
 * table_cache.h - the finished tables of a game, loaded into memory whole and on demand.
 * SPDX-License-Identifier: MIT
 */
#ifndef SOLVE_TABLE_CACHE_H
#define SOLVE_TABLE_CACHE_H

#include "base/threads.h"
#include "solve/table_file.h"

enum { TABLE_CACHE_PATH = 3072 };

struct table_cache_space {
	struct values values; /* valid once `loaded` is set */
	atomic_bool loaded;
};

/* {0} is a valid empty cache. */
struct table_cache {
	const struct spaces *spaces;
	char folder[TABLE_CACHE_PATH];	/* of the game with its options */
	struct table_cache_space *list; /* NULL: empty, and the mutex is not in use */
	struct mutex lock;		/* held while loading */
	enum qv_status status;		/* QV_OK, or why the first space failed to load */
	struct qv_error error;
};

/* Loads nothing yet. `folder` holds the tables of all games. The spaces must outlive the cache. */
enum qv_status table_cache_init(struct table_cache *s, const struct spaces *spaces,
				const char *folder, struct qv_error *error);
void table_cache_release(struct table_cache *s);
/* Frees the memory of a space. No other thread may use the cache meanwhile. */
void table_cache_drop(struct table_cache *s, int space);

/* Writes "FOLDER/SPACE.EXTENSION" to path; false: it is too long. */
bool table_cache_path(const struct table_cache *s, int space, const char *extension,
		      char path[4096]);
/*
 * Opens a finished table (extension "qvt") or a checkpoint ("part"). QV_BAD_INPUT if it belongs to
 * another game, space or size. Close it with table_close.
 */
enum qv_status table_cache_open(const struct table_cache *s, int space, const char *extension,
				struct table_file *out, struct qv_error *error);
/* Whether the finished table of a space exists and opens. */
bool table_cache_has(const struct table_cache *s, int space);

/* Loads the space unless it is loaded; any thread. False: see s->status and s->error. */
bool table_cache_load(struct table_cache *s, int space);

/*
 * Looks up one code, loading the space first if necessary; any thread. Fails as table_cache_load.
 */
static inline bool table_cache_get(struct table_cache *s, int space, uint64_t number,
				   uint32_t *code)
{
	if (!atomic_load_explicit(&s->list[space].loaded, memory_order_acquire) &&
	    !table_cache_load(s, space))
		return false;
	*code = values_get(&s->list[space].values, number);
	return true;
}

#endif
