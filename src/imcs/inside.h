/*
 * inside.h - the IMCS server from inside, for the files that make it up.
 * SPDX-License-Identifier: MIT
 *
 * A peer gives commands, waits (for a hash, or with an offer), or plays. Whoever something was said
 * to, or who may have a line to be read now, is *touched*: at the end of every call the touched
 * have their lines read, and then hear in one write what there is to say (imcs_settle).
 */
#ifndef IMCS_INSIDE_H
#define IMCS_INSIDE_H

#include "imcs/server.h"
#include "session/game_session.h"

enum peer_mode {
	PEER_COMMANDS,
	PEER_HASHING,  /* waits for imcs_password */
	PEER_OFFERING, /* waits for somebody to accept */
	PEER_PLAYING,
	PEER_STOPPING, /* the admin who waits for the last game */
	PEER_CLOSED,   /* is told what is left, and no more */
};

/* What is asked of the host while PEER_HASHING. */
enum peer_wish { WISH_ME, WISH_REGISTER, WISH_PASSWORD };

struct imcs_peer {
	void *conn;
	enum peer_mode mode;
	int account; /* -1: not logged in */
	char address[IMCS_ADDRESS];
	struct string in, out;
	size_t read;   /* of `in`, what was read */
	bool skipping; /* inside a line that is too long */
	bool ended;    /* it sends no more */
	bool gone;     /* ... and cannot hear either */
	enum peer_wish wish;
	char wish_name[IMCS_NAME + 1];
	struct entry *entry; /* its offer or its game */
	bool touched, told;  /* it is in the list of these */
	struct imcs_peer *next_touched, *next_told, *next, *before;
};

/* A line of `list`: an offer, or a game. */
struct entry {
	int64_t id;
	struct imcs_peer *offerer; /* NULL: it is a game */
	char color;		   /* the offerer's: W, B, or ? */
	int64_t offer_s[2];	   /* the offerer's time, the other's */

	struct imcs_peer *peers[2];  /* White, Black; NULL: gone */
	int accounts[2], ratings[2]; /* ratings: at the beginning */
	struct game_session game;    /* empty while it is an offer */
	struct string log;
	struct entry *next, *before;
};

struct imcs {
	struct imcs_setup setup;
	const struct qv_allocator *allocator;
	struct qv_rules rules;
	struct imcs_account *accounts;
	int account_count;
	size_t account_room;
	struct imcs_peer *peers;
	struct entry *first, *last;
	int64_t next_id, now;
	bool stopping, stopped, settling;
	struct imcs_peer *admin;		  /* who stops it; NULL: nobody, or gone */
	struct imcs_peer *greeted;		  /* who came last; NULL: gone already */
	struct imcs_peer *touched, **touched_end; /* whose lines are to be read */
	struct imcs_peer *told;			  /* who are to hear what was said */
};

/* ---- imcs.c ---- */

void imcs_touch(struct imcs *s, struct imcs_peer *p);
void imcs_say(struct imcs *s, struct imcs_peer *p, const char *format, ...)
	__attribute__((format(printf, 3, 4))); /* a line; its end is added */
void imcs_close_peer(struct imcs *s, struct imcs_peer *p);
struct entry *imcs_add_entry(struct imcs *s, int64_t id); /* at the end; NULL: no memory */
void imcs_drop_entry(struct imcs *s, struct entry *e);
/* Puts it behind all others. */
void imcs_last_entry(struct imcs *s, struct entry *e);
int imcs_account_number(const struct imcs *s, const char *name); /* -1: none */
/* Ends all offers of the account, or of all if it is -1; how many. */
int imcs_clean(struct imcs *s, int account);
/* The last game is over and it was to stop: says so. */
void imcs_see_stop(struct imcs *s);

/* ---- imcs_commands.c ---- */

/* A line in command mode; it may be written to. */
void imcs_command(struct imcs *s, struct imcs_peer *p, char *line, size_t length);
void imcs_wish_done(struct imcs *s, struct imcs_peer *p, const char *hash, bool good);

/* ---- imcs_games.c ---- */

bool imcs_is_on_move(const struct imcs_peer *p);
/* An offer becomes a game. False: no memory; nothing has changed. */
bool imcs_begin_game(struct imcs *s, struct entry *e, struct imcs_peer *other, bool other_is_white);
void imcs_play_line(struct imcs *s, struct imcs_peer *p, const char *line, size_t length);
void imcs_line_too_long(struct imcs *s, struct imcs_peer *p, const char *begin, size_t length);
/* One who plays will say nothing any more. */
void imcs_leave_game(struct imcs *s, struct imcs_peer *p);
void imcs_end_game(struct imcs *s, struct entry *e, int winner, enum imcs_end end);

#endif
