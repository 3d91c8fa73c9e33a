/*
 * protocol.h - the engine's side of a protocol: a line in, lines out. No input or output here, and no
 * thread: the same object talks on standard input, on a socket and in a test.
 * SPDX-License-Identifier: MIT
 *
 *   next = connection_line(c, line, length, &out)   print out
 *   NEXT_LINE      give it the next line
 *   NEXT_THINK   call connection_think, in another thread if lines are to be heard meanwhile, and when
 *                it is back connection_answer, whose lines end the thinking; it may say NEXT_THINK
 *                again, since lines may have waited for the answer
 *   NEXT_QUIT    no more lines; if it thinks, it has been told to stop, and still answers
 *
 * connection_line and connection_answer must not run at the same time, nor the lines of one be printed in
 * between those of the other: one lock around call and print. connection_think needs none.
 */
#ifndef PROTOCOLS_PROTOCOL_H
#define PROTOCOLS_PROTOCOL_H

#include "base/text.h"

enum { CONNECTION_LINE_MOST = 1 << 20 }; /* bytes; longer ones get an error for an answer */

struct connection;

enum next_step { NEXT_LINE, NEXT_THINK, NEXT_QUIT };

struct connection_setup {
	const struct qv_context *context;
	const char *protocol;              /* "qgp", "ugi", "uci", "xboard" */
	const char *game;                  /* to begin with */
	const char *player;                /* NULL: the strongest there is */
	struct qv_defaults defaults;
	bool no_times;                     /* says of nothing how long it took */
	/*
	 * So long it thinks before it says which move it is at. 0: some seconds, or with no_times never;
	 * below 0: none.
	 */
	int64_t moves_after_us;
};

enum qv_status connection_new(const struct connection_setup *setup, struct connection **out,
			      struct qv_error *error);
void connection_free(struct connection *c); /* NULL is fine; not while it thinks */

/* The line is NUL-terminated and may be written to; length counts NULs inside it too. */
enum next_step connection_line(struct connection *c, char *line, size_t length, struct string *out);
/* A line longer than CONNECTION_LINE_MOST has come. */
void connection_line_too_long(struct connection *c, struct string *out);
/* Stops the thinking as if the line had come; from any thread. */
void connection_stop(struct connection *c);
/* No more lines will come: as NEXT_QUIT. */
void connection_end(struct connection *c);

/* Told lines while it thinks. */
typedef void connection_print(void *ctx, const struct string *lines);
void connection_think(struct connection *c, connection_print *say, void *ctx);
enum next_step connection_answer(struct connection *c, struct string *out);

#endif
