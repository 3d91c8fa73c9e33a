/*
 * allowed_specs.h - which player specs a visitor may use.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_API_ALLOWED_SPECS_H
#define SERVER_API_ALLOWED_SPECS_H

#include "server/jobs/search_jobs.h"

enum {
	SPECS_TABLE_MB = 64,   /* the largest transposition table */
	SPECS_TIME_MS = 10000, /* the longest time for a move */
};

/*
 * Checks that a computer player of this spec is valid for the game and allowed on a server: no
 * other programs, no files, one thread, a bounded transposition table; `perfect` needs its endgame
 * tables. QV_UNSUPPORTED: not allowed.
 */
enum qv_status specs_check(const struct qv_context *context, struct table_lookup *lookup,
			   const struct qv_rules *rules, const char *spec, struct qv_error *error);

#endif
