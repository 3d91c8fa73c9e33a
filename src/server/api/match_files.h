/*
 * match_files.h - matches for the page: the journals in a folder, as JSON.
 * SPDX-License-Identifier: MIT
 *
 * A journal may be read while a match is writing it: an incomplete last line is left out. Reading may
 * take seconds for the largest, so do it in a worker. What was read is kept in a cache until the file
 * changes. Any thread may call.
 */
#ifndef SERVER_API_MATCH_FILES_H
#define SERVER_API_MATCH_FILES_H

#include <jansson.h>

#include "quevedo.h"

enum {
	MATCH_FILES_MOST_BYTES = 64 << 20, /* a larger journal is refused */
	MATCH_FILES_MOST_FILES = 200,	   /* of a folder, the first by name */
	MATCH_FILES_MOST_GAMES = 500,	   /* in the list of a match, the newest */
	MATCH_FILES_LIST_BYTES = 64 << 20, /* that one list reads, of all journals together */
	MATCH_FILES_NAME = 100,
};

struct match_cache;
/* NULL: out of memory. */
struct match_cache *match_cache_new(void);
void match_cache_free(struct match_cache *cache); /* NULL is fine */
/* How many bytes of journals were read so far. */
int64_t match_cache_bytes(struct match_cache *cache);

/* Where the journals are, and how to read them. Plain data; all is borrowed. */
struct match_folder {
	const struct qv_context *context;
	const char *path;
	struct match_cache *cache;    /* NULL: nothing is kept */
	const struct qv_flag *stop; /* once it is set, reading ends: QV_STOPPED. NULL: none */
};

/*
 * Is it made of letters, digits, '.', '_' and '-', and not hidden? So it cannot leave the folder.
 */
bool match_file_name_ok(const char *name);

/*
 * The matches of a folder by name (MatchEntry); other files are left out. Of a journal only the plan
 * is parsed, and the results are counted. If that would be more than MATCH_FILES_LIST_BYTES, `games`
 * is too small, and the next list continues. NULL: out of memory, or stopped.
 */
json_t *match_files_list(const struct match_folder *folder);

/*
 * One match (Match), or one of its games (MatchRecord; numbers from 1). QV_UNKNOWN: no such match
 * or game; QV_BAD_INPUT: the file is not a journal, or too large. The caller drops *out.
 */
enum qv_status match_file_read(const struct match_folder *folder, const char *name, json_t **out,
			       struct qv_error *error);
enum qv_status match_file_game(const struct match_folder *folder, const char *name, int64_t number,
			       json_t **out, struct qv_error *error);
/* One match as text, from the cache if the file has not changed. The caller frees *out. */
enum qv_status match_file_text(const struct match_folder *folder, const char *name, char **out,
			       struct qv_error *error);

/* A number that differs when the file has changed; quick. 0: no such file. */
uint64_t match_file_stamp(const char *folder, const char *name);

#endif
