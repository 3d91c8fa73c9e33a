/*
 * match_cache.h - what is kept of journals of matches, between the two files that read them.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_API_MATCH_CACHE_H
#define SERVER_API_MATCH_CACHE_H

#include <limits.h>

#include "server/api/match_files.h"

/* A file of the folder, as it is now. */
struct match_place {
	char path[PATH_MAX];
	uint64_t stamp; /* as match_file_stamp */
	size_t size;
	bool running; /* a match has a lock on it */
};
/* False: the name is not allowed, or there is no such file. */
bool match_place_find(const struct match_folder *folder, const char *name,
		      struct match_place *out);

/* Adds to match_cache_bytes; a cache that is NULL is fine here and below. */
void match_cache_count(struct match_cache *cache, size_t bytes);
/* The text of the match, if it is kept and the file has not changed. The caller frees it. */
char *match_cache_find(struct match_cache *cache, const char *name,
		       const struct match_place *place);
/* Keeps a copy of the text. */
void match_cache_keep(struct match_cache *cache, const char *name, const struct match_place *place,
		      const char *text);

#endif
