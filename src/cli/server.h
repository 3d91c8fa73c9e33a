/*
 * server.h - the verbs of the command server that have files of their own, and what they share.
 * SPDX-License-Identifier: MIT
 */
#ifndef CLI_SERVER_H
#define CLI_SERVER_H

#include "cli/cli.h"
#include "server/store/store.h"

/* The options of all verbs. */
struct server_values {
	int64_t older, most;
	const char *store, *removals, *until, *reason;
	bool dry_run, unfinished, vacuum, clock_is_right, back;
};

/* Opens the store of --data beside a server that may run. *out stays as it is on failure. */
enum qv_status server_open(struct cli *c, char folder[FOLDER_PATH], struct store **out);

/* Ends the unit of work and waits until it is on disk. */
enum qv_status server_commit(struct cli *c, struct store *store);

/*
 * Adds to the unit that the operator has done this. id: of the thing; user: whom it concerns; "": none.
 */
void server_note(struct store *store, const char *verb, const char *id, const char *user);
/* Ends the unit like server_commit, and prints what was done to the thing of that name. */
enum qv_status server_done(struct cli *c, struct store *store, const char *done, const char *name);

/* "2026-11-18T05:41:32Z" */
struct time_text {
	char text[24];
};
struct time_text time_text(int64_t seconds);

enum qv_status server_check(struct cli *c);  /* server_check.c */
/* Copies the store of --data to PostgreSQL at `store`, or back. server_migrate.c */
enum qv_status server_migrate(struct cli *c, const char *store, bool back);
/*
 * What root has made in the folder of another user becomes that user's: the service runs as a user of
 * its own, and could not open it. server_migrate.c
 */
void server_hand_over(const char *folder);
/* After a restore: ends sessions and codes, and does again what the file lists. server_restore.c */
enum qv_status server_restored(struct cli *c, const char *store, const char *removals);
enum qv_status server_removals(struct cli *c); /* prints such a list; likewise */
enum qv_status server_users(struct cli *c);  /* server_users.c */
enum qv_status server_tokens(struct cli *c); /* likewise */

/* server_moderation.c */
enum qv_status server_studies(struct cli *c);
enum qv_status server_reports(struct cli *c);
enum qv_status server_suspend(struct cli *c);
enum qv_status server_unsuspend(struct cli *c);
enum qv_status server_suspensions(struct cli *c);
enum qv_status server_audit(struct cli *c);

#endif
