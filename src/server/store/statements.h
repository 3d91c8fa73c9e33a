/*
 * statements.h - all statements of the store, one table for all drivers.
 * SPDX-License-Identifier: MIT
 *
 * To add a statement: name it in one of the two enums, and give its text in statements.c. The text
 * must be right for SQLite and for PostgreSQL: parameters are ?1, ?2 ..., strings are in single
 * quotes, now_ms() is the time of the database in milliseconds since 1970, and the sum of a column
 * is CAST AS BIGINT. What has no common form gets a second text in `postgres`.
 */
#ifndef SERVER_STORE_STATEMENTS_H
#define SERVER_STORE_STATEMENTS_H

#include "quevedo.h"

/* Reads. The comment says which values a question takes. */
enum store_question {
	ASK_PLAY,  /* id: one row at most, for store_row_play */
	ASK_LINES, /* id: rows for store_row_line */
	ASK_LOAD,  /* id: as ASK_PLAY, and its lines in rows->next; one consistent snapshot */
	/* Rows for store_row_play and store_row_header; latest updated first. */
	ASK_GOING,    /* most */
	ASK_OF_USER,  /* most, user */
	ASK_UNLISTED, /* most */
	ASK_GOING_OF, /* most, user: in progress, created by the user or with a seat of the user */
	ASK_COUNT_GOING, /* user: how many such plays there are, at most 2000 */
	/* Rows for store_row_tally. */
	ASK_TALLY,     /* position */
	ASK_OWN_TALLY, /* position, user */
	/* Rows for store_row_entry. */
	ASK_VISITORS,	    /* position, most */
	ASK_OWN_VISITORS,   /* position, user, most */
	ASK_FINISHED,	    /* store_ask_finished; also for store_row_place and store_rows_looked */
	ASK_FINISHED_COUNT, /* the first seven values of ASK_FINISHED, which it follows */
	ASK_UNEXPLORED,	    /* last: one row, for store_row_unexplored */
	ASK_NEXT_MARK,	    /* rules, mark: the next pair of the index, for store_row_mark */
	ASK_PUZZLES,	    /* game: rows for store_row_puzzle */
	ASK_PUZZLE,	    /* game, id: one row at most, likewise */
	ASK_ATTEMPT,	    /* user, game, puzzle: a row if the user has tried it */
	/* Rows for store_row_study. */
	ASK_STUDY,   /* id */
	ASK_STUDIES, /* user, most */
	ASK_LATEST_STUDIES, /* most: all of them */
	/* Of moderation.h. */
	ASK_REPORTS,	 /* most: those that wait first, the latest first */
	ASK_REPORT,	 /* id: one row at most */
	ASK_REPORTS_OF,	 /* user: what that user has reported */
	ASK_SUSPENSIONS, /* nothing: all of them, at most STORE_SUSPENSIONS */
	ASK_SUSPENSION,	 /* target: one row at most */
	ASK_AUDIT,	 /* most: the latest first */
	ASK_AUDIT_OF,	 /* user: likewise, of that user */
	/* One row at most, for store_row_user. */
	ASK_USER_BY_ID,	   /* id */
	ASK_USER_BY_LOGIN, /* login */
	ASK_USER_BY_SKELETON, /* skeleton */
	ASK_ACCOUNTS,	   /* login after which they begin, most: rows for store_row_user */
	ASK_IDENTITY,	   /* user, issuer: for store_row_identity */
	ASK_TOKEN,	   /* hash: one row at most, for store_row_token */
	ASK_TOKEN_BY_ID,   /* id: one row at most, for store_row_token */
	ASK_TOKENS,	   /* user: rows for store_row_token */
	ASK_SESSIONS,	   /* user: rows for store_row_session */
	ASK_CODE,	   /* hash: one row at most, for store_row_code */
	ASK_REVOCATIONS,   /* number: those after it, for store_row_revocation */
	/*
	 * name, time: a guess at a secret (login_limits.c). One row: whether it is refused, and for
	 * how many ms the next one will be. Time: in ms since 1970; 0: that of the database.
	 */
	ASK_GUESS,
	ASK_GUESS_WAIT, /* likewise: a row if it would be refused, with the ms; it counts nothing */
	ASK_LAST_REVOCATION, /* nothing: one number */
	ASK_DELETION,	   /* nothing: user and play of a deletion that is not complete */
	ASK_NEXT_PLAY,	   /* user, play: the next one, and how many others have seats in it */
	ASK_FINISHED_OF,   /* play: user, opponents and entry in the lists of its players */
	ASK_EXPLORED_OF,   /* play: a row for store_row_entry at most */
	ASK_ATTEMPTS,	   /* user: rows for store_row_entry */
	/* Rows for store_row_imcs_user. */
	ASK_IMCS_USERS,	   /* version, most: the next ones that have a higher version */
	ASK_IMCS_ALL,	   /* number, most: the next ones, in order of registration; column 5: number */
	ASK_IMCS_PLAYERS,  /* two names */
	ASK_IMCS_VERSION,  /* nothing: the last version */
	ASK_IMCS_GAMES,	   /* id, 0 for all in progress: rows for store_row_imcs_game */
	ASK_IMCS_LAST,	   /* nothing: one number */
	/* Nothing: games in progress that no server has, or whose play has not ended with them. */
	ASK_IMCS_LEFT, /* as ASK_IMCS_GAMES */
	/* Time in seconds: games that ended after it, but whose play has not. */
	ASK_IMCS_STALE, /* as ASK_IMCS_GAMES */
	ASK_IMCS_ENTRIES,  /* node, most: what the other servers list, for store_row_imcs_entry */
	ASK_IMCS_OWN,	   /* node: the ids of what it lists */
	ASK_IMCS_NEXT,	   /* nothing: a number for an offer, unique among all servers */
	/*
	 * id of a play, id of this node: takes the play over if it is this node's, nobody's, or of a
	 * node that is no longer alive. A row with the new epoch and, in PostgreSQL, the node that had
	 * it; or none. It changes the play, so it waits for the units that were ended before it.
	 */
	ASK_CLAIM,
	ASK_NODES, /* nothing: id, until and address of the nodes that are alive */
	ASK_LATEST, /* most: all plays, as ASK_GOING */
	/* Of upkeep.c. */
	ASK_NEXT_PLAYS,	  /* last id, most: ids in their order */
	ASK_QUOTAS,	  /* day, last name, most: name and used */
	ASK_OLD_PLAYS,	  /* before, last updated, last id, most, going: id, updated, lines, goes */
	ASK_OLD_STUDIES,  /* before, last id, most: id, goes */
	ASK_IDLE_USERS,	  /* likewise */
	ASK_OLD_ATTEMPTS, /* before (day), most: how many there are, up to that */
	ASK_OLD_QUOTAS,	  /* likewise */
	ASK_OLD_GUESSES,  /* before (ms), most: likewise */
	ASK_OLD_CODES,	  /* now (s), most: likewise */
	ASK_OLD_REMOVALS, /* before (s), most: likewise */
	ASK_REMOVALS,	  /* number, most: those after it */
	ASK_MARK,	  /* what: its value; no row: there is none */
	ASK_NEWEST,	  /* nothing: the latest time (s) of anything that visitors did */
	ASK_OLD_REPORTS,  /* likewise */
	ASK_OLD_SUSPENSIONS, /* likewise */
	ASK_OLD_AUDIT,	  /* likewise */
	ASK_FREE_PAGES,	  /* nothing: how many can be given back */
	ASK_FACTS,	  /* nothing: the fields of struct store_facts */
	/* Of queue.c; in SQLite the queue is always empty. */
	ASK_QUEUE,     /* node: one row, for store_row_queue */
	ASK_JOBS,      /* node: number, attempt and whether a worker has it, of its jobs */
	ASK_TAKE_JOB,  /* worker, lease in ms, least urgent: one row at most, for store_row_job */
	ASK_KEEP_JOBS, /* worker, lease in ms, "NODE/NUMBER/ATTEMPT ...": node, number and hurry of
			  those that the worker still has, whose leases it renews */
	ASK_KINDS
};

/* Writes. */
enum store_change {
	WRITE_PLAY = ASK_KINDS,
	WRITE_EVENT,
	WRITE_SET_PLAY,
	WRITE_USER,
	WRITE_NEW_USER,
	WRITE_ACCOUNT,
	WRITE_TOKEN,
	WRITE_DROP_TOKEN,
	WRITE_SEAT,
	WRITE_SET_SEATS,
	WRITE_FINISHED,
	WRITE_DROP_FINISHED,
	WRITE_EXPLORED,
	WRITE_VISITS,
	WRITE_DROP_EXPLORED,
	WRITE_DROP_OUTDATED,
	WRITE_DROP_UNLISTED,
	WRITE_PUZZLE,
	WRITE_ATTEMPT,
	WRITE_STUDY,
	WRITE_SET_STUDY,
	WRITE_DROP_STUDY,
	WRITE_REPORT,
	WRITE_CLOSE_REPORT,
	WRITE_FORGET_REPORTS,
	WRITE_UNNAME_REPORTS,
	WRITE_SUSPENSION,
	WRITE_DROP_SUSPENSION,
	WRITE_AUDIT,
	WRITE_IMCS_USER,
	WRITE_IMCS_GAME,
	WRITE_END_IMCS_LEFT,
	WRITE_IMCS_VERSION,
	WRITE_NEW_IMCS_USER,
	WRITE_IMCS_PASSWORD,
	WRITE_IMCS_RATING,
	WRITE_IMCS_CHANGE,
	WRITE_IMCS_OFFER,
	WRITE_IMCS_BEGIN,
	WRITE_DROP_IMCS_ENTRY,
	WRITE_DROP_IMCS_OFFERS,
	WRITE_DROP_IMCS_DEAD,
	WRITE_MARK,
	WRITE_DROP_REMOVALS,
	WRITE_END_SESSIONS,
	WRITE_END_CODES,
	WRITE_END_UNNAMED,
	WRITE_REDO_PASSWORD,
	WRITE_REDO_EMAIL,
	WRITE_REDO_EPOCH,
	/* Of accounts.c. */
	WRITE_EPOCH,
	WRITE_REVOKE,
	WRITE_PRUNE_REVOCATIONS,
	WRITE_IF_PASSWORD,
	WRITE_IF_ISSUER,
	WRITE_SESSION,
	WRITE_REVOKE_TRIMMED,
	WRITE_TRIM_SESSIONS,
	WRITE_SESSION_SEEN,
	WRITE_RENEW_SESSIONS,
	WRITE_DROP_SESSION,
	WRITE_DROP_SESSIONS,
	WRITE_TOKEN_USED,
	WRITE_DROP_TOKENS,
	WRITE_PASSWORD,
	WRITE_EMAIL,
	WRITE_CODE,
	WRITE_TAKE_CODE,
	WRITE_DROP_CODES,
	WRITE_DROP_ACCOUNT,
	WRITE_FORGET_STUDIES,
	WRITE_FORGET_ATTEMPTS,
	WRITE_DELETION,
	WRITE_DELETION_AT,
	WRITE_DROP_DELETION,
	WRITE_LINE,
	WRITE_FINISHED_TEXTS,
	WRITE_EXPLORED_ENTRY,
	WRITE_NODE,
	WRITE_KEEP_NODE,
	WRITE_SIGN, /* as WRITE_KEEP_NODE, but it does not fail */
	WRITE_TIDY_NODES,
	WRITE_DROP_NODE,
	WRITE_TELL, /* see bus.c */
	WRITE_QUOTA,
	WRITE_DROP_SEATS,
	WRITE_DROP_EVENTS,
	WRITE_DROP_IMCS_PLAY,
	WRITE_DROP_PLAY,
	WRITE_DROP_OLD_STUDY,
	WRITE_DROP_USER,
	WRITE_DROP_ATTEMPTS,
	WRITE_DROP_QUOTAS,
	WRITE_DROP_GUESS,
	WRITE_DROP_GUESSES,
	WRITE_DROP_OLD_CODES,
	WRITE_DROP_OLD_REPORTS,
	WRITE_DROP_OLD_SUSPENSIONS,
	WRITE_DROP_OLD_AUDIT,
	/* Of queue.c. */
	WRITE_JOB,
	WRITE_DROP_JOB,
	WRITE_HURRY_JOB,
	WRITE_FINISH_JOB,
	WRITE_RETURN_JOB,
	WRITE_TIDY_JOBS,
	WRITE_WORKER,
	WRITE_DROP_WORKER,
	WRITE_TIDY_WORKERS,
	WRITE_GIVE_BACK, /* free pages, to the disk */
	WRITE_PROBE, /* changes nothing, but writes to the disk */
	STATEMENT_KINDS
};

enum { STORE_PORTION = 1000 }; /* rows of one result, where anybody can make there be many */
enum { STATEMENT_VALUES = 12 }; /* the most that a statement takes */

struct store_statement {
	const char *types; /* of the parameters: t text, n number, r real, b bytes */
	const char *sql;   /* NULL: each driver has its own */
	const char *postgres; /* where its dialect needs another text */
	const char *unless; /* a write that must change one row; otherwise it fails with this text */
	int then;	    /* the question that follows in the same snapshot, with the first of the
			       same values; 0: none */
	bool changes;	    /* a question that changes rows, so the writer asks it */
	bool shared;	    /* a write of rows that other servers write, too; its unit is a
			       transaction of its own, which locks no rows of other units */
	bool removes;	    /* a write that removes, or keeps nothing; it is not refused if space is
			       short */
};

/*
 * Does the row of a node hold? No lease is longer than 15 minutes: a row that seems to hold longer
 * is older than a clock that was set back.
 */
#define NODE_HOLDS(node_) node_ ".until > now_ms() AND " node_ ".until <= now_ms() + 900000"

extern const struct store_statement store_statements[STATEMENT_KINDS];

#endif
