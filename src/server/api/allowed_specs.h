/*
 * allowed_specs.h - which players strangers may ask for.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_API_ALLOWED_SPECS_H
#define SERVER_API_ALLOWED_SPECS_H

#include "server/jobs/table_lookup.h"

enum {
	SPECS_TABLE_MB = 64,       /* the largest table */
	SPECS_TIME_MS = 10000,     /* the longest thought */
};

/*
 * Whether a computer of this spec may sit at this game: no other programs, no files, one thread, a
 * bounded table, tables for perfect play where it takes them; and whether such a player can be made
 * at all. QV_UNSUPPORTED: it may not.
 */
enum qv_status specs_check(const struct qv_context *context, const struct table_lookup *lookup,
			   const struct qv_rules *rules, const char *spec, struct qv_error *error);

#endif
