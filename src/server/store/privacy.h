/*
 * privacy.h - what is stored about people, and for how long.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_STORE_PRIVACY_H
#define SERVER_STORE_PRIVACY_H

#include <stdbool.h>

enum { STORE_CODE_DAYS = 1, STORE_REVOCATION_DAYS = 1, STORE_BATCH_DAYS = 1,
       STORE_REPORT_DAYS = 90, STORE_AUDIT_DAYS = 180, STORE_REMOVAL_DAYS = 100 };

/* Every column of every table, with SQLite and with PostgreSQL, is in one row. */
struct store_privacy {
	const char *table, *fields; /* fields: names of columns, with blanks between them */
	const char *purpose, *kept; /* keys of what the page says about them */
	int days;		    /* that the text of `kept` names; 0: none of its own */
	bool postgres;		    /* only PostgreSQL has it */
};
extern const struct store_privacy store_privacy[];
extern const int store_privacy_count;

#endif
