/*
 * table_cache.h - the finished tables of a game: which are there, and whole spaces in memory on demand.
 * SPDX-License-Identifier: MIT
 */
#ifndef SOLVE_TABLE_CACHE_H
#define SOLVE_TABLE_CACHE_H

#include "base/threads.h"
#include "solve/table_file.h"

enum { SHELF_PATH = 3072 };

struct shelf_space {
	struct values values;      /* once `loaded` says so */
	atomic_bool loaded;
};

/* {0} is a valid empty one. */
struct shelf {
	const struct spaces *spaces;
	char folder[SHELF_PATH];   /* of the game with its options */
	struct shelf_space *list;  /* NULL: empty, and the mutex is not in use */
	struct mutex lock;         /* of loading */
	enum qv_status status;     /* of the first space that could not be loaded */
	struct qv_error error;
};

/* `folder` holds the tables of all games. The spaces must outlive the shelf. */
enum qv_status shelf_init(struct shelf *s, const struct spaces *spaces, const char *folder,
			  struct qv_error *error);
void shelf_release(struct shelf *s);
void shelf_drop(struct shelf *s, int space);     /* gives its memory back; no other thread reads */

/* "FOLDER/SPACE.EXTENSION"; false: too long. */
bool shelf_path(const struct shelf *s, int space, const char *extension, char path[4096]);
/* Opens a finished table, or with "part" a checkpoint, and sees that it is of this space. */
enum qv_status shelf_open(const struct shelf *s, int space, const char *extension,
			  struct table_file *out, struct qv_error *error);
bool shelf_has(const struct shelf *s, int space);        /* a finished table that opens */

/* Loads the space if it is not there yet; any thread. False: s->status and s->error say why. */
bool shelf_load(struct shelf *s, int space);

static inline bool shelf_get(struct shelf *s, int space, uint64_t number, uint32_t *code)
{
	if (!atomic_load_explicit(&s->list[space].loaded, memory_order_acquire) &&
	    !shelf_load(s, space))
		return false;
	*code = values_get(&s->list[space].values, number);
	return true;
}

#endif
