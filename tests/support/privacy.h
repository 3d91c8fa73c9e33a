/*
 * privacy.h - compares what the page about privacy lists with the columns of a real database.
 * SPDX-License-Identifier: MIT
 */
#ifndef SUPPORT_PRIVACY_H
#define SUPPORT_PRIVACY_H

#include <string.h>

#include "support/check.h"
#include "server/store/privacy.h"

/* The column is in exactly one row of store_privacy, and that one is about this kind of database. */
static inline void privacy_check(const char *table, const char *column, bool postgres)
{
	const size_t length = strlen(column);
	int found = 0;
	for (int i = 0; i < store_privacy_count; i++) {
		const struct store_privacy *row = &store_privacy[i];
		if (strcmp(row->table, table) != 0 || (row->postgres && !postgres))
			continue;
		for (const char *at = row->fields; *at; at += strspn(at, " ")) {
			found += strcspn(at, " ") == length && strncmp(at, column, length) == 0;
			at += strcspn(at, " ");
		}
	}
	if (found != 1)
		fail_msg("%s.%s: %d rows of privacy.c have it", table, column, found);
}

/* How many columns of such a database the rows have. */
static inline int privacy_columns(bool postgres)
{
	int count = 0;
	for (int i = 0; i < store_privacy_count; i++) {
		const char *at = store_privacy[i].fields;
		if (store_privacy[i].postgres && !postgres)
			continue;
		for (count++; (at = strchr(at, ' ')); at++)
			count++;
	}
	return count;
}

#endif
