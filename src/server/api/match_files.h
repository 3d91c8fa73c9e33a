/*
 * match_files.h - matches to be looked at: what the journals in a folder say, as JSON.
 * SPDX-License-Identifier: MIT
 *
 * A journal is read whole each time, whether a referee is still writing it or not: half a line at
 * its end is left out. Reading may take a second for the largest; call it on a worker. Nothing is
 * kept between calls, and any thread may call.
 */
#ifndef SERVER_API_MATCH_FILES_H
#define SERVER_API_MATCH_FILES_H

#include <jansson.h>

#include "quevedo.h"

enum {
	MATCH_FILES_MOST_BYTES = 64 << 20,   /* a larger journal is refused */
	MATCH_FILES_MOST_FILES = 200,        /* of a folder; the names that come first */
	MATCH_FILES_MOST_GAMES = 500,        /* in the list of a match, the newest */
	MATCH_FILES_NAME = 100,
};

/* Letters, digits, '.', '_' and '-', not beginning with '.': no way out of the folder. */
bool match_file_name_ok(const char *name);

/* The matches of a folder by name (MatchEntry); other files are left out. NULL: no memory. */
json_t *match_files_list(const struct qv_context *context, const char *folder);

/*
 * One match (Match), or one of its games (MatchRecord; numbers from 1). QV_UNKNOWN: there is no
 * such match or game; QV_BAD_INPUT: the file is no journal, or too large.
 */
enum qv_status match_file_read(const struct qv_context *context, const char *folder, const char *name,
			   json_t **out, struct qv_error *error);
enum qv_status match_file_game(const struct qv_context *context, const char *folder, const char *name,
			  int64_t number, json_t **out, struct qv_error *error);

/* Differs when the file has changed; quick. 0: there is none. */
uint64_t match_file_stamp(const char *folder, const char *name);

#endif
