/*
 * protocol.h - the engine's side of a protocol: a line in, lines out. No input or output here, and no
 * thread: the same object talks on standard input, on a socket and in a test.
 * SPDX-License-Identifier: MIT
 *
 *   next = wire_line(w, line, length, &out)   print out
 *   WIRE_ON      give it the next line
 *   WIRE_THINK   call wire_think, in another thread if lines are to be heard meanwhile, and when
 *                it is back wire_answer, whose lines end the thinking; it may say WIRE_THINK
 *                again, since lines may have waited for the answer
 *   WIRE_QUIT    no more lines; if it thinks, it has been told to stop, and still answers
 *
 * wire_line and wire_answer must not run at the same time, nor the lines of one be printed in
 * between those of the other: one lock around call and print. wire_think needs none.
 */
#ifndef PROTOCOLS_PROTOCOL_H
#define PROTOCOLS_PROTOCOL_H

#include "base/text.h"

enum { WIRE_LINE_MOST = 1 << 20 };         /* bytes; longer ones get an error for an answer */

struct wire;

enum wire_next { WIRE_ON, WIRE_THINK, WIRE_QUIT };

struct wire_setup {
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

enum qv_status wire_new(const struct wire_setup *setup, struct wire **out, struct qv_error *error);
void wire_free(struct wire *w);            /* NULL is fine; not while it thinks */

/* The line is NUL-terminated and may be written to; length counts NULs inside it too. */
enum wire_next wire_line(struct wire *w, char *line, size_t length, struct string *out);
/* A line longer than WIRE_LINE_MOST has come. */
void wire_line_too_long(struct wire *w, struct string *out);
/* Stops the thinking as if the line had come; from any thread. */
void wire_stop(struct wire *w);
/* No more lines will come: as WIRE_QUIT. */
void wire_end(struct wire *w);

/* Told lines while it thinks. */
typedef void wire_say(void *ctx, const struct string *lines);
void wire_think(struct wire *w, wire_say *say, void *ctx);
enum wire_next wire_answer(struct wire *w, struct string *out);

#endif
