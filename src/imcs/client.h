/*
 * client.h - the client's side of IMCS: lines of a server in, lines to it out.
 * SPDX-License-Identifier: MIT
 *
 * One object serves one connection, and thus at most one game. It tolerates what the original
 * server really sends: mixed line ends, diagnostics between the lines, refused moves, games that
 * end without a result. It does no input or output and reads no clock: the driver sends `out`,
 * searches a move when it is asked for one, and reports the end of the connection.
 *
 *   imcs_client_line(c, line, length, &out)
 *   CLIENT_TURN     think for imcs_client_time(c), then imcs_client_move(c, move, &out)
 *   CLIENT_WAIT     nobody offers a game: after a while, imcs_client_again(c, &out)
 *   CLIENT_OVER     the game, or the list, is complete; the connection can be closed
 *   CLIENT_REFUSED  the server has refused the request; the reason is in c->text
 */
#ifndef IMCS_CLIENT_H
#define IMCS_CLIENT_H

#include "imcs/server.h"

enum { CLIENT_TEXT = 200, CLIENT_NAME = 64, CLIENT_LINE = 4096, CLIENT_REFUSALS = 256 };

enum client_wish { CLIENT_LIST, CLIENT_OFFER, CLIENT_ACCEPT };

struct imcs_client_setup {
	const struct qv_context *context; /* borrowed, as are the texts */
	const char *user, *password;
	bool enroll; /* register a new user; log in if the name already exists */
	enum client_wish wish;
	char color;	   /* W, B, or ? */
	int64_t id;	   /* CLIENT_ACCEPT: this game; 0: any */
	const char *times; /* CLIENT_OFFER: "300" or "300 60"; NULL: the server's default */
};

enum client_said {
	CLIENT_ON,	/* nothing for the driver to do */
	CLIENT_IN,	/* logged in */
	CLIENT_OFFERED, /* the offer c->id waits for an opponent */
	CLIENT_LISTED,	/* CLIENT_LIST: c->text is a line of it */
	CLIENT_BEGINS,
	CLIENT_TURN,
	CLIENT_WAIT,
	CLIENT_OVER,
	CLIENT_REFUSED,
};

/* Read it, but change it by the functions alone. */
struct imcs_client {
	struct imcs_client_setup setup;
	const struct qv_allocator *allocator;
	struct qv_rules rules;
	int state;		  /* of the conversation */
	int64_t id;		  /* of the offer or the game; 0: not known */
	bool offering;		  /* an offer waits for somebody */
	bool playing, over;	  /* a game has begun; ... and is over */
	int seat;		  /* IMCS_WHITE or IMCS_BLACK */
	int64_t own_ms, other_ms; /* at the last prompt */
	struct qv_record *record; /* of the game; NULL: not yet */
	bool has_result;
	int winner;		/* -1: a draw */
	char text[CLIENT_TEXT]; /* result, reason, or listed line: printable ASCII */
	/* Moves that the server did not take in this position, against our rules. */
	qv_move refused[CLIENT_REFUSALS];
	int refused_count;
	int strays; /* lines that mean nothing here */

	bool moved;		    /* our move is on its way: the last of the record */
	char board[64];		    /* the dump so far, as the game writes positions */
	int board_lines;	    /* -1: none, or broken */
	int64_t found_id;	    /* in a list */
	char opponent[CLIENT_NAME]; /* as the list calls it; "": nobody says */
};

/* *c is the caller's; release it. */
enum qv_status imcs_client_init(struct imcs_client *c, const struct imcs_client_setup *setup,
				struct qv_error *error);
void imcs_client_release(struct imcs_client *c);

/* A line of the server without its end; any bytes. */
enum client_said imcs_client_line(struct imcs_client *c, const char *line, size_t length,
				  struct string *out);
/* The server has closed: CLIENT_OVER if that was to be, else CLIENT_REFUSED. */
enum client_said imcs_client_end(struct imcs_client *c);

/* How long to think, in ms: the clock shared among the moves up to the 40th, less what is lost. */
int64_t imcs_client_time(const struct imcs_client *c);
/* After CLIENT_TURN, a legal move; QV_NO_MOVE resigns. */
enum qv_status imcs_client_move(struct imcs_client *c, qv_move move, double seconds,
				struct string *out, struct qv_error *error);
void imcs_client_again(struct imcs_client *c, struct string *out);

#endif
