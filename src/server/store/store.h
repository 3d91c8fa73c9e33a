/*
 * store.h - the server's database: users, games and their event lines; also the users and games of
 * the IMCS server.
 * SPDX-License-Identifier: MIT
 *
 * Writes are queued and never wait for the disk. A unit of work is everything queued since the last
 * store_end_unit (or since store_open), and store_end_unit ends it. A unit is written whole or not
 * at all, and apart from the others: one that fails takes none with it. A thread of the store's own
 * commits all complete units that wait in one transaction, in order. What `done` reports as true is
 * on disk, in the file that the path names; what it reports as false is not and will not be. If the
 * connection to the database is lost, `done` waits until this is known; only a store that closes
 * gives up (store_is_unsure).
 *
 * Reads are questions. store_read queues one; threads of the store's own ask the database, through
 * connections of their own. A question sees all units whose `done` was called before it was asked.
 *
 * All functions are for one thread, the caller's; only `wake` is called from others. Texts are
 * copied when they are written; those passed to a callback are valid until it returns. In the API a
 * "play" is a game in progress or finished.
 */
#ifndef SERVER_STORE_STORE_H
#define SERVER_STORE_STORE_H

#include "base/histogram.h"
#include "quevedo.h"
#include "server/store/statements.h"
#include "server/store/values.h"

struct store;

enum {
	STORE_ID = 24,	      /* buffer for the id of a user or play, with its NUL */
	STORE_GAME = 128,     /* ... for the name of a game with its options */
	STORE_NAME = 128,     /* ... for a name in UTF-8 */
	STORE_PASSWORD = 128, /* ... for the hash of a password */
	STORE_TOKEN = 32,     /* bytes of a token's hash */
	STORE_TITLE = 512,    /* buffer for the title of a study in UTF-8 */
	STORE_EMAIL = 256,    /* ... for an e-mail address */
	STORE_LABEL = 64,     /* ... for what a session or a token is called */
	STORE_PURPOSE = 16,   /* ... for what a code is for */
	STORE_SESSIONS = 50,  /* sessions of one user; a new one replaces the one unused for longest */
	STORE_REVOCATIONS = 1000, /* most rows of ASK_REVOCATIONS */
	STORE_NODE = 64,      /* ... for the id of a node, which is a server among many */
};

/*
 * How much may be stored. Beyond `most_bytes`, or if the disk has less than `least_free`, moves are
 * refused, too; only what removes something is written.
 */
struct store_marks {
	int64_t most_bytes; /* of the database; 0: no limit */
	/* Bytes of the disk, of SQLite only; 0: a quarter of 5 %, but at most 64 MiB. */
	int64_t least_free;
};

struct store_setup {
	const char *place;	 /* postgres://..., as libpq takes it; NULL or "": a file in DATA */
	const char *folder;	 /* DATA; created for its owner only, if it is missing */
	void (*wake)(void *ctx); /* from the store's threads: call store_deliver soon */
	void *ctx;
	size_t queue_bytes; /* limit of the queue; 0: 32 MiB */
	size_t check_bytes; /* a larger database is not checked when it is opened; 0: 64 MiB */
	int answer_ms;	    /* how long a read waits for PostgreSQL; 0: 12 s. For tests */
	size_t rows_bytes;  /* limit of one result; 0: 64 MiB. For tests */
	bool manual;	    /* no threads: store_step does their work. For tests */
	int64_t (*now_us)(void *ctx); /* a monotonic clock, from any thread; NULL: the real one */
	const char *vfs;    /* of SQLite; NULL: its own. For tests */
	/*
	 * The name of this server among others, of ASCII letters, digits and ".:_-". address: where
	 * the others reach it; the store then writes signs of life, twice a second. heard: what a
	 * server told, called from store_deliver; text NULL: some texts may be missing.
	 */
	const char *node, *address;
	void (*heard)(void *ctx, const char *from, const char *text, size_t size);
	struct store_marks marks;
	bool shared; /* for a command beside a server: the database exists, and is not migrated */
};

/*
 * Opens the database, creating or migrating it, and starts the threads. That of SQLite is
 * DATA/quevedo.db. If it is migrated it is copied before, to quevedo.db.VERSION.bak. One
 * larger than check_bytes is checked for damage after an unclean end only, while the store is used:
 * store_failing returns the result.
 * QV_IO: another server uses the folder (DATA/lock), or the database is damaged, of another program,
 * or of a newer version.
 */
enum qv_status store_open(const struct store_setup *setup, struct store **out,
			  struct qv_error *error);
/*
 * Writes what is queued, including a unit that was not ended, and calls the `done` functions; what
 * those queue is dropped (QV_STOPPED). Questions that wait get an error. NULL is fine.
 */
void store_close(struct store *s);

/*
 * Ends the unit. done, if not NULL, is called from store_deliver, in the order of the units: true
 * when the unit is on disk; false when it is not in the database. On any status but QV_OK the
 * unit was dropped, and done is never called: so this is the one status that must be looked at.
 */
enum qv_status store_end_unit(struct store *s, void (*done)(void *ctx, bool ok), void *ctx);
/*
 * Calls the `done` of units that were written or have failed, then of questions that were answered.
 * They may queue and read.
 */
void store_deliver(struct store *s);
/*
 * In manual mode: does the work that was queued first, and is to be delivered afterwards. That is
 * one question, or the commit of all queued units. False: nothing is queued.
 */
bool store_step(struct store *s);
/* The last failure of a unit, "" if none failed. For the operator's log, not for visitors. */
struct qv_error store_last_error(struct store *s);
/*
 * Did the last commit fail for a reason that is not a unit's own fault? Then *why (may be NULL) is
 * set, for the log. A database that was removed or replaced fails until the store is opened again.
 */
bool store_failing(struct store *s, struct qv_error *why);
/* Within the `done` of a unit that was not written: was that the store's fault, not the unit's? */
bool store_unit_failed(const struct store *s);
/*
 * In a `done` that store_close calls with false: the connection was lost, and what became of the unit
 * is not known. It may be in the database, or come there yet.
 */
bool store_is_unsure(struct store *s);
/*
 * For how long the oldest write has waited, in ms, and at least 1; 0: there is none. queued: among
 * those that the writer has not begun with.
 */
struct store_delay {
	int64_t queued_ms, oldest_ms;
};
struct store_delay store_delay(struct store *s);
/* Queues a write that changes nothing, so that store_failing is up to date. */
void store_probe(struct store *s);

/*
 * ---- Writes. QV_NO_MEMORY: the queue is full (503) and the whole unit is dropped; store_end_unit
 * returns the same status. QV_BAD_INPUT: a text is too long; likewise. ----
 */

struct store_play {
	char id[STORE_ID], game[STORE_GAME];
	char owner[STORE_ID];	  /* the user that created it, who must be in the store */
	int64_t created, updated; /* seconds since 1970 */
	bool is_private;	  /* never in the lobby */
	bool going;		  /* not over */
	int open_seats;		  /* waiting for a player */
	int64_t lines;		  /* how many lines it has; ignored in writes */
	char node[STORE_NODE];	  /* the server that it belongs to; "": none */
	int64_t epoch;		  /* how often it was taken over */
};

/* A new play without lines; its header is its line 0, by store_add_event. */
enum qv_status store_add_play(struct store *s, const struct store_play *play);
/* Line numbers begin at 0 and increase by one: a unit that leaves a gap or repeats one fails. */
enum qv_status store_add_event(struct store *s, const char *play, int64_t number, const char *line,
			       size_t size);
/* The unit fails unless the play has this epoch: otherwise it belongs to another server. */
enum qv_status store_set_play(struct store *s, const char *play, int64_t epoch, bool going,
			      int open_seats, int64_t updated);
/* The node is alive for that long from now on. */
enum qv_status store_put_node(struct store *s, const char *node, int64_t alive_ms,
			      const char *address);
/*
 * The same for a node that is alive. The unit fails if it was not, even for a moment, since others
 * may have taken its plays over.
 */
enum qv_status store_keep_node(struct store *s, const char *node, int64_t alive_ms,
			       const char *address);
/* Removes nodes that ended long ago without a word. */
enum qv_status store_tidy_nodes(struct store *s);
enum qv_status store_drop_node(struct store *s, const char *node);
/*
 * Tells a server something, or all of them, this one included (to: ""). It is heard if the unit is
 * written, in the order of commits. At most STORE_TELL_MOST bytes of UTF-8 without NUL.
 */
enum qv_status store_tell(struct store *s, const char *to, const char *text, size_t size);
enum { STORE_TELL_MOST = 4 << 20 };
/*
 * Do the units with nothing but texts, with one more of that size, take no more than 1/share of the
 * queue? Whoever tells much asks first, so that there is room for what is to be kept.
 */
bool store_tell_fits(const struct store *s, size_t size, int share);
/* Inserts the user or changes its name; `created` is used for a new user only. */
enum qv_status store_put_user(struct store *s, const char *user, const char *name, int64_t created);
/* Inserts the user unless the store has it. */
enum qv_status store_add_user(struct store *s, const char *user, const char *name, int64_t created);
/* Adds the play to the plays of a user who has or had a seat in it. Twice is fine. */
enum qv_status store_put_seat(struct store *s, const char *user, const char *play);
/* Whether the play is among the games in progress of those who have or had a seat in it. */
enum qv_status store_set_seats(struct store *s, const char *play, bool going);

/* A finished game in the list of a player; all texts are borrowed. */
struct store_finished {
	const char *user, *play; /* both must be in the store */
	const char *game;	 /* its name without options */
	const char *outcome;	 /* a word for the user's result */
	const char *opponents;	 /* the names of the other players */
	const char *entry;	 /* what the list shows: any text */
	int64_t ended;		 /* seconds since 1970 */
};
/* Adds the game to the user's list, or changes its entry. */
enum qv_status store_put_finished(struct store *s, const struct store_finished *finished);
/* Removes the game from the user's list, or with "" from all lists. The game itself stays. */
enum qv_status store_drop_finished(struct store *s, const char *user, const char *play);

/* The play is not STORE_UNLISTED any more. */
enum qv_status store_drop_unlisted(struct store *s, const char *play);

struct store_puzzle {
	char id[STORE_ID];
	double rating, deviation, volatility; /* as in Glicko-2 */
	int64_t tries, solved;
};
/*
 * The user has tried a puzzle of that game: inserts its statistics, or changes them; tries and solved
 * are added. Nothing changes if the user has tried it before. store_put_attempt follows.
 */
enum qv_status store_put_puzzle(struct store *s, const char *user, int64_t day, const char *game,
				const struct store_puzzle *puzzle);
/*
 * Notes that the user, who need not be in the store, has tried the puzzle. Twice is fine. day: since
 * 1970.
 */
enum qv_status store_put_attempt(struct store *s, const char *user, const char *game,
				 const char *puzzle, int64_t day);

/*
 * A finished game in the index of positions, for the opening explorer. Positions are numbers of the
 * caller's choice; all texts are borrowed.
 */
struct store_explored {
	const char *play;   /* must be in the store */
	const char *game;   /* its name with options */
	int64_t mark;	    /* of the numbers: see store_drop_outdated */
	int result;	    /* 0: a draw; else the seat that won, from 1 */
	bool is_public;	    /* everybody may see that it was played */
	const char *entry;  /* what the explorer shows: any text */
	const char *visits; /* JSON: [[position, move, level], ...]; each position once */
};
/* As `level` of a visit: who played the move, if it was not a computer of a known level. */
enum { LEVEL_UNKNOWN = 0, LEVEL_PERSON = -1, LEVEL_CHANCE = -2 };

/* Puts the game into the index, instead of what the index has of it. */
enum qv_status store_put_explored(struct store *s, const struct store_explored *explored);
/* Removes the game from the index. */
enum qv_status store_drop_explored(struct store *s, const char *play);
/* Removes from the index games of these rules with this mark, at most `most`. */
enum qv_status store_drop_outdated(struct store *s, const char *game, int64_t mark, int most);

struct store_study {
	char id[STORE_ID], owner[STORE_ID]; /* the owner must be in the store */
	char title[STORE_TITLE];
	int64_t version;	  /* 1 for a new one; each change adds 1 */
	int64_t created, updated; /* seconds since 1970 */
	int chapters;		  /* how many */
};
/* body: its contents, any text. */
enum qv_status store_add_study(struct store *s, const struct store_study *study, const char *body);
/* Replaces title and contents; the unit fails unless the study has this version. */
enum qv_status store_set_study(struct store *s, const struct store_study *study, const char *body);
enum qv_status store_drop_study(struct store *s, const char *study);

/* ---- Writes of accounts: accounts.c ---- */

/* Inserts the account, or changes its name and password; the unit fails if the login is taken. */
enum qv_status store_put_account(struct store *s, const char *user, const char *login,
				 const char *skeleton, const char *password_hash);
enum qv_status store_set_password(struct store *s, const char *user, const char *password_hash);
/*
 * The unit fails unless the account still has this password, or unless this session or token of the
 * user still holds ("": a cookie without a session). For whoever was checked before the unit began:
 * meanwhile another one, perhaps of another server, may have ended it.
 */
enum qv_status store_if_password(struct store *s, const char *user, const char *password_hash);
enum qv_status store_if_issuer(struct store *s, const char *user, const char *issuer);
enum qv_status store_set_email(struct store *s, const char *user, const char *email);

/* A login: the cookie of a browser names it. seen: the day of its last use. */
struct store_session {
	char id[STORE_ID], user[STORE_ID];
	char label[STORE_LABEL]; /* what the visitor calls it, such as the browser's name */
	int64_t created, seen;	 /* seconds since 1970 */
};
enum qv_status store_put_session(struct store *s, const struct store_session *session);
enum qv_status store_session_seen(struct store *s, const char *session, int64_t day);

/* A token of a program; used: the day of its last use, 0: never. */
struct store_token {
	char id[STORE_ID], user[STORE_ID];
	char label[STORE_LABEL];
	uint8_t hash[STORE_TOKEN]; /* for writes only */
	int64_t created, used;
};
enum qv_status store_put_token(struct store *s, const struct store_token *token);
enum qv_status store_token_used(struct store *s, const char *token, int64_t day);

/* A one-time code, which the user gets by mail or from the operator. */
struct store_code {
	uint8_t hash[STORE_TOKEN];
	char user[STORE_ID];
	char purpose[STORE_PURPOSE];
	char email[STORE_EMAIL]; /* the address that it confirms, or "" */
	int64_t expires;	 /* seconds since 1970 */
};
enum qv_status store_put_code(struct store *s, const struct store_code *code);
/* The code is used: the unit fails unless it is there. */
enum qv_status store_take_code(struct store *s, const uint8_t hash[STORE_TOKEN]);
/* All codes of the user for that purpose; "": for any. */
enum qv_status store_drop_codes(struct store *s, const char *user, const char *purpose);

/* A guess of that name was right, and so the wrong ones before it are forgotten. See ASK_GUESS. */
enum qv_status store_drop_guess(struct store *s, const char *name);

/*
 * What ends, and since when nothing accepts it any more. Each also adds a revocation, which all
 * servers of the database read (store_list_revocations).
 */

/* All sessions of the user but `kept` ("": all), and all cookies without a session. */
enum qv_status store_end_cookies(struct store *s, const char *user, const char *kept, int64_t now);
/* The cookies of the user without a session: of a guest, or from before there were sessions. */
enum qv_status store_end_unnamed(struct store *s, const char *user, int64_t now);
enum qv_status store_end_session(struct store *s, const char *user, const char *session,
				 int64_t now);
enum qv_status store_drop_token(struct store *s, const char *user, const char *token, int64_t now);
enum qv_status store_drop_tokens(struct store *s, const char *user, int64_t now);

/*
 * Deletes account, credentials and e-mail address of the user, who is called `name` from now on;
 * and notes that games, studies, lists and attempts are still to be removed, in portions.
 */
enum qv_status store_delete_user(struct store *s, const char *user, const char *name, int64_t now);
/* That has been done for the games up to this one, in the order of ids; or for all. */
enum qv_status store_deletion_at(struct store *s, const char *user, const char *play);
enum qv_status store_drop_deletion(struct store *s, const char *user);
/* Removes at most so many of the user's studies, and as many attempts at puzzles. */
enum qv_status store_drop_lists(struct store *s, const char *user, int most);
/* Replaces the text of a line, or the names in the lists. */
enum qv_status store_set_line(struct store *s, const char *play, int64_t number, const char *line);
enum qv_status store_set_finished(struct store *s, const char *user, const char *play,
				  const char *opponents, const char *entry);
enum qv_status store_set_explored(struct store *s, const char *play, const char *entry);
/* ---- Questions: see statements.h ---- */

/*
 * Copies the values and asks the question. done is called from store_deliver: with rows, which it
 * frees, or with an error. On any status but QV_OK it is never called. QV_NO_MEMORY: too much waits
 * (503). QV_BAD_INPUT: the values are not those of the question, or a text has a NUL.
 */
typedef void store_answer_fn(void *ctx, struct store_rows *rows, const struct qv_error *error);
enum qv_status store_read(struct store *s, enum store_question question,
			  const struct store_value *values, int count, store_answer_fn *done,
			  void *ctx);
/* ... for an address: addresses take turns, and so does the server itself, for which store_read is. */
enum qv_status store_read_for(struct store *s, const char *address, enum store_question question,
			      const struct store_value *values, int count, store_answer_fn *done,
			      void *ctx);

/*
 * Asks on the caller's thread and waits: for the start of a program. The values must fit, and the
 * question change nothing. The caller frees *out, which is NULL on failure.
 */
enum qv_status store_read_now(struct store *s, enum store_question question,
			      const struct store_value *values, struct store_rows **out,
			      struct qv_error *error);

/* ---- Reads that wait for the database. QV_UNKNOWN: not found; QV_IO: it cannot be read. ---- */

/* Return false to stop: the read returns QV_STOPPED. */
typedef bool store_line_fn(void *ctx, int64_t number, const char *line, size_t size);
/* header: line 0 of the play; "" with size 0 if it has no lines. */
typedef bool store_play_fn(void *ctx, const struct store_play *play, const char *header,
			   size_t size);

/* The play without its lines. */
enum qv_status store_find_play(struct store *s, const char *play, struct store_play *out,
			       struct qv_error *error);
/* The play (out may be NULL) and all its lines in order, as one consistent snapshot. */
enum qv_status store_load_play(struct store *s, const char *play, struct store_play *out,
			       store_line_fn *on_line, void *ctx, struct qv_error *error);

enum store_list {
	STORE_GOING,	/* all in progress, for a restart */
	STORE_OF_USER,	/* created by the user, or with the user in a seat */
	STORE_LATEST,	/* all */
	STORE_UNLISTED, /* ended before there were lists of finished games; at most 2000 */
};
/* Latest updated first; most: 0 for all. user: for STORE_OF_USER, otherwise NULL. */
enum qv_status store_list_plays(struct store *s, enum store_list list, const char *user, int most,
				store_play_fn *on_play, void *ctx, struct qv_error *error);

/* A place in a list of finished games: that of a game. */
struct store_place {
	int64_t ended;
	const char *play; /* NULL: the beginning of the list */
};
/*
 * Which finished games: texts that are "" and times that are 0 do not matter. Only 2000 games are
 * looked at, matching or not: the first after a place.
 */
struct store_search {
	const char *game, *outcome;
	const char *opponent;	/* part of a name; the case of ASCII letters does not matter */
	int64_t since, until;	/* of the end: from `since` on, before `until` */
	int64_t first, most;	/* skips `first` of them */
	struct store_place after;
};
enum { STORE_SEARCH_VALUES = 9 };
/* The values of ASK_FINISHED; texts are borrowed. */
void store_ask_finished(const char *user, const struct store_search *search,
			struct store_value values[STORE_SEARCH_VALUES]);

/* How often a move was played in a position, in games with the same result. */
struct store_tally {
	const char *move; /* of the rows */
	int result;	  /* as in struct store_explored */
	int64_t games;
	int64_t people;		   /* games in which a person played it */
	int64_t computers, levels; /* ... and a computer of a known level; the sum of the levels */
};

/* The contents end with a NUL. */
typedef void store_study_fn(void *ctx, const struct store_study *study, const char *body);
enum qv_status store_find_study(struct store *s, const char *id, store_study_fn *on_study, void *ctx,
				struct qv_error *error);
/* The studies of a user, latest updated first, at most `most`; the body is "". */
enum qv_status store_list_studies(struct store *s, const char *user, int most,
				  store_study_fn *on_study, void *ctx, struct qv_error *error);

struct store_user {
	char id[STORE_ID], name[STORE_NAME];
	char login[STORE_NAME];		    /* "": no account */
	char password_hash[STORE_PASSWORD]; /* likewise */
	char email[STORE_EMAIL];	    /* "": none */
	int64_t created;
	int64_t epoch; /* counts what has ended; 0: cookies without a session are valid */
};
enum qv_status store_user_by_id(struct store *s, const char *id, struct store_user *out,
				struct qv_error *error);
/* Letter case does not matter. */
enum qv_status store_user_by_login(struct store *s, const char *login, struct store_user *out,
				   struct qv_error *error);
/* The accounts after that login, in the order of logins. Return false to stop: QV_STOPPED. */
typedef bool store_user_fn(void *ctx, const struct store_user *user);
enum qv_status store_list_accounts(struct store *s, const char *after, int most,
				   store_user_fn *on_user, void *ctx, struct qv_error *error);

/* What a cookie or a seat token says, and whether that is still so. */
struct store_identity {
	bool stored;  /* the user is in the store; if not, all else is 0 */
	int64_t epoch; /* of the user */
	bool session; /* the issuer is a session of the user, of this epoch ... */
	bool token;   /* ... or a token of the user */
	int64_t day;  /* of the issuer's last use */
};

enum qv_status store_find_token(struct store *s, const char *id, struct store_token *out,
				struct qv_error *error);
typedef void store_session_fn(void *ctx, const struct store_session *session);
typedef void store_token_fn(void *ctx, const struct store_token *token);
/* Latest seen or created first. */
enum qv_status store_list_sessions(struct store *s, const char *user, store_session_fn *on_session,
				   void *ctx, struct qv_error *error);
enum qv_status store_list_tokens(struct store *s, const char *user, store_token_fn *on_token,
				 void *ctx, struct qv_error *error);

/* As issuer of a revocation: the cookies without a session; all tokens. */
#define STORE_UNNAMED "-"
#define STORE_ALL_TOKENS "*"
struct store_revocation {
	int64_t number;
	char user[STORE_ID];   /* "": the issuer is a play that was deleted */
	char issuer[STORE_ID]; /* "": all cookies of the user, but those of the session `kept` */
	char kept[STORE_ID];
};
/* The highest number so far; 0: none. */
enum qv_status store_last_revocation(struct store *s, int64_t *out, struct qv_error *error);

/* The user's next game after that one, in the order of ids; shared: others have seats, too. */
enum qv_status store_next_play(struct store *s, const char *user, const char *after,
			       char out[STORE_ID], bool *shared, struct qv_error *error);
/* The puzzles that the user has tried, as "GAME PUZZLE"; until it returns. */
typedef void store_entry_fn(void *ctx, const char *entry, size_t size);
enum qv_status store_list_attempts(struct store *s, const char *user, store_entry_fn *on_entry,
				   void *ctx, struct qv_error *error);

/* ---- IMCS: users with their ratings, and games with their logs ---- */

struct store_imcs_user {
	char name[STORE_NAME]; /* unique, case-sensitive */
	char user[STORE_ID];   /* its user id in store.h, which must be in the store */
	char password_hash[STORE_PASSWORD];
	int rating;
	int64_t version; /* ignored in writes */
};

/* An offer, or a game in progress, that a server lists. */
struct store_imcs_entry {
	int64_t id;
	char node[STORE_NODE];
	char white[STORE_NAME], black[STORE_NAME]; /* of an offer: who offers, and "" */
	char color;				   /* of who offers */
	int64_t offer_s[2];			   /* seconds of who offers, and of the other */
	int ratings[2];				   /* of White and Black, or of who offers */
};

struct store_imcs_game {
	int64_t id;
	char white[STORE_NAME], black[STORE_NAME];
	char play[STORE_ID];	  /* the play that shows it on the page; "": none */
	int64_t began, ended;	  /* seconds since 1970; ended 0: in progress */
	const char *result, *log; /* "" while it is in progress */
	size_t log_size;
};

/* Inserts the user, or changes its password only. */
enum qv_status store_put_imcs_user(struct store *s, const struct store_imcs_user *user);
/* The unit fails if the name is taken, or if the name of an account has this skeleton. */
enum qv_status store_add_imcs_user(struct store *s, const struct store_imcs_user *user,
				   const char *skeleton);
enum qv_status store_set_imcs_password(struct store *s, const char *name, const char *hash);
enum qv_status store_set_imcs_rating(struct store *s, const char *name, int rating);
/* Adds to the rating, whatever other games have made of it. */
enum qv_status store_change_imcs_rating(struct store *s, const char *name, int change);
/* Inserts the game, or changes its end, result and log; the unit fails if the game has ended. */
enum qv_status store_put_imcs_game(struct store *s, const struct store_imcs_game *game);

/* Lists an offer. The unit fails if the account has `most` entries, or all accounts `most_all`. */
enum qv_status store_add_imcs_offer(struct store *s, const struct store_imcs_entry *offer, int most,
				    int most_all);
/* The offer becomes a game. */
enum qv_status store_begin_imcs_game(struct store *s, const struct store_imcs_entry *entry);
enum qv_status store_drop_imcs_entry(struct store *s, int64_t id);
/*
 * A game that no server has ends without a result, and leaves the list; ended: seconds since 1970.
 * The unit fails if the game has ended, or if the server that lists it is alive after all.
 */
enum qv_status store_end_imcs_left(struct store *s, int64_t id, int64_t ended);
/* All offers of an account; and all entries of servers that are dead. */
enum qv_status store_drop_imcs_offers(struct store *s, const char *name);
enum qv_status store_drop_dead_imcs(struct store *s);

/*
 * All, in order of registration. *version: what has a higher one has changed meanwhile. Return false
 * to stop: QV_STOPPED.
 */
typedef bool store_imcs_user_fn(void *ctx, const struct store_imcs_user *user);
enum qv_status store_imcs_users(struct store *s, store_imcs_user_fn *on_user, void *ctx,
				int64_t *version, struct qv_error *error);
/* The game of that id; id 0: all games in progress. */
typedef bool store_imcs_game_fn(void *ctx, const struct store_imcs_game *game);
enum qv_status store_imcs_games(struct store *s, int64_t id, store_imcs_game_fn *on_game, void *ctx,
				struct qv_error *error);
/* Games in progress that no server has any more, and ended ones whose play is in progress. */
enum qv_status store_imcs_left(struct store *s, store_imcs_game_fn *on_game, void *ctx,
			       struct qv_error *error);
/* The highest id of a game; 0: no games. */
enum qv_status store_imcs_last(struct store *s, int64_t *out, struct qv_error *error);

/* Opens a store for the reading functions above only, also while a server uses it. */
enum qv_status store_open_reader(const struct store_setup *setup, struct store **out,
				 struct qv_error *error);
void store_close_reader(struct store *s); /* NULL is fine */

/*
 * ---- What rows hold. False: there is no such row, or a text is too long, so the database is damaged.
 * Texts are valid until the rows are freed. ----
 */

bool store_row_play(const struct store_rows *rows, size_t row, struct store_play *out);
/* Line 0 of the play; "" with size 0 if it has no lines. */
const char *store_row_header(const struct store_rows *rows, size_t row, size_t *size);
/*
 * A line of that play. One that is not what was stored under this number comes as a text that is no
 * line of a game.
 */
const char *store_row_line(const struct store_rows *rows, size_t row, const char *play,
			   int64_t *number, size_t *size);
const char *store_row_entry(const struct store_rows *rows, size_t row, size_t *size);
/* The place of a row of ASK_FINISHED. Its text is of the rows. */
struct store_place store_row_place(const struct store_rows *rows, size_t row);
/* What ASK_FINISHED has looked at: the rows in `next`. */
struct store_looked {
	int64_t count; /* of those that match */
	bool more;     /* the list has others after the last one */
	struct store_place last;
};
struct store_looked store_rows_looked(const struct store_rows *rows);
bool store_row_puzzle(const struct store_rows *rows, size_t row, struct store_puzzle *out);
bool store_row_tally(const struct store_rows *rows, size_t row, struct store_tally *out);
/* The rules, and the mark of their numbers. */
const char *store_row_mark(const struct store_rows *rows, size_t row, int64_t *mark);
/* As store_next_unexplored. */
bool store_row_unexplored(const struct store_rows *rows, char last[STORE_ID], char out[STORE_ID]);
bool store_row_study(const struct store_rows *rows, size_t row, struct store_study *out,
		     const char **body);
bool store_row_user(const struct store_rows *rows, size_t row, struct store_user *out);
void store_row_identity(const struct store_rows *rows, struct store_identity *out);
bool store_row_session(const struct store_rows *rows, size_t row, struct store_session *out);
bool store_row_token(const struct store_rows *rows, size_t row, struct store_token *out);
bool store_row_code(const struct store_rows *rows, struct store_code *out);
bool store_row_revocation(const struct store_rows *rows, size_t row, struct store_revocation *out);
bool store_row_imcs_user(const struct store_rows *rows, size_t row, struct store_imcs_user *out);
bool store_row_imcs_game(const struct store_rows *rows, size_t row, struct store_imcs_game *out);
bool store_row_imcs_entry(const struct store_rows *rows, size_t row, struct store_imcs_entry *out);

/* ---- Upkeep: upkeep.c ---- */

/* As it was after the last commit, or when the store was opened. */
struct store_space {
	int64_t bytes;	    /* of the database; SQLite: without pages that are free */
	int64_t disk, free; /* bytes of the disk, and those that are free; 0: not known */
	bool tight;	    /* nothing new should be begun: the marks are near */
	bool full;	    /* only what removes something is written */
};
struct store_space store_space(struct store *s);
const char *store_space_text(struct store_space space); /* "ok", "tight" or "full" */

/* Adds to what a visitor has stored on that day (since 1970). */
enum qv_status store_add_quota(struct store *s, const char *name, int64_t day, int64_t bytes);
typedef void store_quota_fn(void *ctx, const char *name, int64_t used);
/* All quotas of that day. */
enum qv_status store_list_quotas(struct store *s, int64_t day, store_quota_fn *on_quota, void *ctx,
				 struct qv_error *error);

/*
 * Removes the play with everything that refers to it. The unit fails if there is no such play, or if
 * it was updated at `before` or later.
 */
enum qv_status store_drop_play(struct store *s, const char *play, int64_t before);
/* The same, of a play that a running server may have in memory: a revocation unloads it there. */
enum qv_status store_delete_play(struct store *s, const char *play, int64_t now);

/*
 * The last time (s) that was no surprise: of the last removal, or without one the latest of anything
 * that visitors did; 0: they did nothing yet. A clock that is more than STORE_SURPRISE_S after it may
 * be wrong, and nothing is removed until the operator says that it is right, with store_set_clock.
 */
enum { STORE_SURPRISE_S = 7 * 86400 };
/* kept: whether it was set, and need not be. */
enum qv_status store_find_clock(struct store *s, int64_t *out, bool *kept, struct qv_error *error);
enum qv_status store_set_clock(struct store *s, int64_t now);

/* What is removed, and how far the removal has come. Zero but for the first fields: a new one. */
struct store_prune {
	/* seconds since 1970: what was last used earlier is removed; 0: nothing but unfinished games */
	int64_t before;
	int64_t today;	 /* in days: quotas of earlier days are removed */
	int64_t now;	 /* seconds since 1970: codes that have expired by then are removed */
	int64_t unfinished; /* likewise, of games in progress; 0: all stay */
	bool dry_run;	 /* only counts */
	/* Must the play stay this time? It may be in use. NULL: none must. */
	bool (*keep)(void *ctx, const char *play);
	/* Adds to a unit that removes users what goes out with it. NULL: nothing. */
	void (*fill)(void *ctx);
	void *ctx;
	enum store_prune_phase {
		PRUNE_UNFINISHED,
		PRUNE_GAMES,
		PRUNE_STUDIES,
		PRUNE_USERS,
		PRUNE_ATTEMPTS,
		PRUNE_QUOTAS,
		PRUNE_GUESSES,
		PRUNE_CODES,
		PRUNE_REMOVALS,
		PRUNE_REPORTS,
		PRUNE_SUSPENSIONS,
		PRUNE_AUDIT,
		PRUNE_PAGES,
		PRUNE_DONE,
	} phase;

	struct store_pruned {
		int64_t games, lines, studies, users, attempts, quotas, pages;
	} removed;		     /* so far */
	struct store_pruned portion; /* that is on its way, or was the last */
	bool busy;		     /* a portion is on its way */
	bool failed;		     /* then the error says why, and the phase is PRUNE_DONE */
	struct qv_error error;
	struct store *store;
	int64_t last_updated; /* of the last game that was looked at */
	char last[STORE_ID];  /* the last game, study or user */
};
enum { PRUNE_ROWS = 100, PRUNE_LINES = 2000 };
/*
 * Begins to remove the next portion: it looks at PRUNE_ROWS rows at most, and removes lines until
 * there are PRUNE_LINES, but at least one game. Only guests have something removed: users without an
 * account and without a name at IMCS. Does nothing while `busy`. The prune must live until then; a
 * store that closes ends it.
 */
void store_prune_step(struct store *s, struct store_prune *prune);
/* Makes a database that never gave space back do so, which copies it whole. No server may run. */
enum qv_status store_vacuum(const char *folder, struct qv_error *error);
/* The same at postgres://..., table by table. */
enum qv_status store_vacuum_postgres(const char *place, struct qv_error *error);

struct store_facts {
	int64_t version, users, accounts, games, going, studies;
	int64_t oldest; /* when the game that was not changed for the longest time was changed */
};
enum qv_status store_find_facts(struct store *s, struct store_facts *out, struct qv_error *error);
/* The next plays in the order of their ids, after `last`; at most PRUNE_ROWS. Returns how many. */
enum qv_status store_next_plays(struct store *s, const char *last, char out[PRUNE_ROWS][STORE_ID],
				int *count, struct qv_error *error);
/* Does a server use the folder? most_bytes: of its marks; 0: no limit, or no server. */
bool store_is_served(const char *folder, int64_t *most_bytes);

/* ---- What a restore must not bring back: removals.c ---- */

#define STORE_NOBODY "Deleted user" /* what a user is called whose account was deleted */

/*
 * what: account, game, study, token (id: which one was deleted); password, email, epoch (id: of the
 * user; value: the new hash, address or epoch).
 */
struct store_removal {
	char what[16], id[STORE_ID], value[STORE_EMAIL];
	int64_t made; /* seconds since 1970 */
};
typedef void store_removal_fn(void *ctx, const struct store_removal *removal);
/* All of the last 100 days, in their order. */
enum qv_status store_list_removals(struct store *s, store_removal_fn *on_removal, void *ctx,
				   struct qv_error *error);
/* Reads {"made","what","id","value"}. QV_BAD_INPUT: it is something else. */
enum qv_status store_read_removal(const char *line, size_t size, struct store_removal *out,
				  struct qv_error *error);
/* Does it again, where it is not done. Reads, too, but not what waits to be written. */
enum qv_status store_redo(struct store *s, const struct store_removal *removal, int64_t now,
			  struct qv_error *error);
/*
 * After a restore, while no server runs: ends all sessions and codes. dice: random; from now on
 * rolls to come have other secrets, since the old ones may have been seen.
 */
enum qv_status store_end_all(struct store *s, const char *dice);
/* The value of a mark; "": there is none. */
enum { STORE_MARK = 64 };
enum qv_status store_find_mark(struct store *s, const char *what, char out[STORE_MARK],
			       struct qv_error *error);
/* How many servers of the database are alive. */
enum qv_status store_count_nodes(struct store *s, size_t *out, struct qv_error *error);

/* ---- Backup ---- */

/*
 * Copies the database of the folder, as it is at this moment, into a new file, also while a server
 * is writing. The copy is checked and gets its name only when it is complete. Needs no open store.
 * QV_ILLEGAL: the file already exists.
 */
enum qv_status store_backup(const char *folder, const char *file, struct qv_error *error);
/*
 * Makes a backup the database of the folder, which is created if it is missing. The backup is checked
 * first and stays as it is; the old database stays beside the new one, under the name that `kept`
 * gets ("": there was none). Fails if a server uses the folder; then nothing has changed. settle: is
 * called with the folder of the copy before it becomes the database, which fails if this does; may
 * be NULL.
 */
enum { STORE_KEPT = 2112 };
typedef enum qv_status store_settle_fn(void *ctx, const char *folder, struct qv_error *error);
enum qv_status store_restore(const char *folder, const char *file, store_settle_fn *settle,
			     void *ctx, char kept[STORE_KEPT], struct qv_error *error);

/* ---- PostgreSQL: postgres_copy.c ---- */

enum { STORE_KEY = 32, STORE_TABLES = 64 };

/*
 * The key that all servers of a database share. The first one puts `key` there; afterwards `key` is
 * what is there. place: postgres://...; its tables are created or migrated.
 */
enum qv_status store_find_key(const char *place, unsigned char key[STORE_KEY],
			      struct qv_error *error);

/* A copy of everything, from SQLite in `folder` to PostgreSQL at `place`, or back. */
struct store_transfer {
	const char *folder, *place;
	bool back;
	const struct qv_flag *stop; /* may be NULL */
	/* The key of a server that uses the folder. write_key refuses to replace another one. */
	enum qv_status (*read_key)(const char *folder, unsigned char key[STORE_KEY],
				   struct qv_error *error);
	enum qv_status (*write_key)(const char *folder, const unsigned char key[STORE_KEY],
				    struct qv_error *error);
};
struct store_transferred {
	int64_t rows;
	int count;
	struct {
		char name[40];
		int64_t rows;
	} tables[STORE_TABLES];
};
/*
 * Both databases are migrated first. Fails if a server uses one of them, or if the target has rows:
 * then nothing is written. The copy is one transaction, which is committed if what it has written
 * is equal to the source, row by row. QV_STOPPED: by `stop`.
 */
enum qv_status store_transfer(const struct store_transfer *setup, struct store_transferred *out,
			      struct qv_error *error);

/* ---- The queue of jobs for workers, processes that only think: queue.c. PostgreSQL only ---- */

/*
 * A job of a server, by its node and number. A worker takes it (ASK_TAKE_JOB) with a lease, which it
 * renews (ASK_KEEP_JOBS). A job whose lease has ended is taken again, at most three times in all.
 */
struct store_job {
	char node[STORE_NODE];
	int64_t number;
	int64_t attempt; /* how often it was taken */
	int64_t limit_ms; /* how long it may run */
	bool urgent;
	bool hurry;	  /* it shall end soon */
	const char *body; /* what is to be done: any text. Of the rows, if it was read */
};
enum qv_status store_add_job(struct store *s, const struct store_job *job);
enum qv_status store_drop_job(struct store *s, const struct store_job *job);
enum qv_status store_hurry_job(struct store *s, const struct store_job *job);
/* Removes the job: the unit fails unless it is that worker's, at this attempt. */
enum qv_status store_finish_job(struct store *s, const struct store_job *job, const char *worker);
/* The worker that has it cannot run it any more; it does not count as an attempt. */
enum qv_status store_return_job(struct store *s, const struct store_job *job, const char *worker);
/* Removes jobs of servers that have ended, and workers that have. */
enum qv_status store_tidy_queue(struct store *s);
/* The worker is alive for that long from now on. name: of its machine, for the operator. */
enum qv_status store_put_worker(struct store *s, const char *worker, int64_t alive_ms, int threads,
				const char *name);
enum qv_status store_drop_worker(struct store *s, const char *worker);
/* Of the row of ASK_TAKE_JOB. False: it is missing or damaged. */
bool store_row_job(const struct store_rows *rows, struct store_job *out);

struct store_queue {
	int64_t workers, threads;	/* that are alive */
	int64_t waiting, running;	/* jobs */
	int64_t others, others_urgent;	/* jobs of other servers than the one that asks */
};
void store_row_queue(const struct store_rows *rows, struct store_queue *out);
/* Waits for the database. */
enum qv_status store_find_queue(struct store *s, struct store_queue *out, struct qv_error *error);

/* ---- Figures for the operator ---- */

struct store_figures {
	size_t queued_bytes; /* of units and questions that are not yet delivered */
	int queued_units;    /* that wait for the writer */
	int questions;	     /* that are not yet delivered */
	int64_t oldest_ms;   /* as in store_delay */
	uint64_t failed_units, failed_reads;
	struct histogram unit_seconds;	 /* from store_end_unit to the disk */
	struct histogram commit_seconds; /* of one commit */
	struct histogram commit_units;	 /* units in one commit */
	struct histogram read_seconds;	 /* from store_read to the answer */
};
void store_figures(struct store *store, struct store_figures *out);

#endif
