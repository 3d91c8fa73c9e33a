/*
 * match_files.h - matches for the page: the journals in a folder, as JSON.
 * SPDX-License-Identifier: MIT
 *
 * A journal is read whole each time, also while a match is writing it: an incomplete last line is
 * left out. Reading may take a second for the largest, so do it in a worker. No state is kept
 * between calls; any thread may call.
 */
#ifndef SERVER_API_MATCH_FILES_H
#define SERVER_API_MATCH_FILES_H

#include <jansson.h>

#include "quevedo.h"

enum {
	MATCH_FILES_MOST_BYTES = 64 << 20, /* a larger journal is refused */
	MATCH_FILES_MOST_FILES = 200,	   /* of a folder, the first by name */
	MATCH_FILES_MOST_GAMES = 500,	   /* in the list of a match, the newest */
	MATCH_FILES_NAME = 100,
};

/*
 * Is it made of letters, digits, '.', '_' and '-', and not hidden? So it cannot leave the folder.
 */
bool match_file_name_ok(const char *name);

/* The matches of a folder by name (MatchEntry); other files are left out. NULL: out of memory. */
json_t *match_files_list(const struct qv_context *context, const char *folder);

/*
 * One match (Match), or one of its games (MatchRecord; numbers from 1). QV_UNKNOWN: no such match
 * or game; QV_BAD_INPUT: the file is not a journal, or too large. The caller drops *out.
 */
enum qv_status match_file_read(const struct qv_context *context, const char *folder,
			       const char *name, json_t **out, struct qv_error *error);
enum qv_status match_file_game(const struct qv_context *context, const char *folder,
			       const char *name, int64_t number, json_t **out,
			       struct qv_error *error);

/* A number that differs when the file has changed; quick. 0: no such file. */
uint64_t match_file_stamp(const char *folder, const char *name);

#endif
