/*
 * protocol.h - the engine's side of a protocol: a line in, lines out. It does no input or output
 * and starts no thread: the same object serves standard input, a socket and a test.
 * SPDX-License-Identifier: MIT
 *
 *   next = connection_line(c, line, length, &out)   print out
 *   NEXT_LINE    pass the next line
 *   NEXT_THINK   call connection_think, in another thread if lines are to be read meanwhile, and
 *                when it returns connection_answer, whose lines end the task; it may return
 *                NEXT_THINK again, because a line may have waited for the answer
 *   NEXT_QUIT    no more lines; a running task has been stopped, and still gets its answer
 *
 * connection_line and connection_answer must not run at the same time, nor may their lines be
 * interleaved: hold one lock around call and print. connection_think needs no lock.
 */
#ifndef PROTOCOLS_PROTOCOL_H
#define PROTOCOLS_PROTOCOL_H

#include "base/text.h"

enum { CONNECTION_LINE_MOST = 1 << 20 }; /* bytes; a longer line gets an error */

struct connection;

/* What the caller has to do next. */
enum next_step { NEXT_LINE, NEXT_THINK, NEXT_QUIT };

struct connection_setup {
	const struct qv_context *context;
	const char *protocol; /* "qgp", "ugi", "uci", "xboard", "external", "hub", "gomocup",
			       * "nboard", "gtp" */
	const char *game;     /* the first game */
	const char *player;   /* a player spec; NULL: the strongest player */
	struct qv_defaults defaults;
	bool no_times; /* print no times */
	/*
	 * How long a task runs before root moves are reported. 0: some seconds, or with no_times
	 * never; below 0: from the start.
	 */
	int64_t moves_after_us;
};

/* QV_UNKNOWN: no such protocol or game. QV_UNSUPPORTED: the game does not fit the protocol. */
enum qv_status connection_new(const struct connection_setup *setup, struct connection **out,
			      struct qv_error *error);
void connection_free(struct connection *c); /* NULL is fine; not during connection_think */

/* The line is NUL-terminated and may be changed; length counts NULs inside it, too. */
enum next_step connection_line(struct connection *c, char *line, size_t length, struct string *out);
/* Instead of a line longer than CONNECTION_LINE_MOST. */
void connection_line_too_long(struct connection *c, struct string *out);
/* Stops the task; from any thread. */
void connection_stop(struct connection *c);
/* No more lines will come: as after NEXT_QUIT. */
void connection_end(struct connection *c);

/* Prints lines during a task; called by the thread of connection_think. */
typedef void connection_print(void *ctx, const struct string *lines);
/* Does the task; `print` may be NULL. */
void connection_think(struct connection *c, connection_print *print, void *ctx);
/* After connection_think: appends the answer, and handles lines that have waited for it. */
enum next_step connection_answer(struct connection *c, struct string *out);

#endif
