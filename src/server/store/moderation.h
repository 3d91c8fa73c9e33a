/*
 * moderation.h - what protects people from each other: reports, suspensions, and the audit trail.
 * SPDX-License-Identifier: MIT
 *
 * Operators read them with questions (statements.h); the enums name the columns of the rows.
 */
#ifndef SERVER_STORE_MODERATION_H
#define SERVER_STORE_MODERATION_H

#include "server/store/store.h"

/* ---- Reports: ASK_REPORTS, ASK_REPORT, ASK_REPORTS_OF ---- */

enum { STORE_REPORT_TEXT = 2048 }; /* buffer for what a reporter writes */

/* All texts are borrowed. */
struct store_report {
	const char *id;
	int64_t made;	      /* seconds since 1970 */
	const char *reporter; /* a user; "": was deleted */
	const char *kind;     /* "game" or "study" ... */
	const char *object;   /* ... and its id */
	const char *about;    /* the user that it is about */
	const char *shown;    /* the name or title, as the reporter saw it */
	const char *reason, *text;
	const char *network; /* of the reporter's address, as in the audit trail */
};
enum report_column {
	REPORT_ID,
	REPORT_MADE,
	REPORT_REPORTER,
	REPORT_KIND,
	REPORT_OBJECT,
	REPORT_ABOUT,
	REPORT_SHOWN,
	REPORT_REASON,
	REPORT_TEXT,
	REPORT_CLOSED, /* seconds since 1970; 0: it waits */
	REPORT_NETWORK,
};
/*
 * The unit fails if this reporter has reported the same already, or if too many wait: of the reporter
 * (20), of the network (40, and 3 about one object), of the object (10), or in all (2,000).
 */
enum qv_status store_add_report(struct store *s, const struct store_report *report);
/* The unit fails unless the report waits. */
enum qv_status store_close_report(struct store *s, const char *id, int64_t now);

/* ---- Suspensions: ASK_SUSPENSIONS ---- */

enum { STORE_TARGET = 64, STORE_REASON = 256, STORE_SUSPENSIONS = 1000 };

struct store_suspension {
	char target[STORE_TARGET]; /* the id of a user, or an address as limits_address writes it */
	char reason[STORE_REASON];
	int64_t made, until; /* seconds since 1970; until 0: without end */
};
enum suspension_column { SUSPENSION_TARGET, SUSPENSION_REASON, SUSPENSION_MADE, SUSPENSION_UNTIL };

/*
 * As the user of a revocation: the suspensions have changed. Every server reads them again.
 */
#define STORE_SUSPENDED "!"

enum qv_status store_suspend(struct store *s, const struct store_suspension *suspension);
enum qv_status store_unsuspend(struct store *s, const char *target, int64_t now);
bool store_row_suspension(const struct store_rows *rows, size_t row, struct store_suspension *out);

/* ---- The audit trail: ASK_AUDIT ---- */

/* All texts are borrowed and may be "". Equal ones of the same second are counted in one row. */
struct store_audit {
	int64_t made; /* seconds since 1970 */
	const char *what;
	const char *user;
	const char *network; /* of the visitor's address, without its last part */
	const char *detail;
};
enum audit_column { AUDIT_MADE, AUDIT_WHAT, AUDIT_USER, AUDIT_NETWORK, AUDIT_DETAIL, AUDIT_TIMES };
enum qv_status store_add_audit(struct store *s, const struct store_audit *entry);

#endif
