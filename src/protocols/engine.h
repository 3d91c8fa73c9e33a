/*
 * engine.h - what the protocols of an engine share: the object itself, and what a protocol is.
 * SPDX-License-Identifier: MIT
 */
#ifndef PROTOCOLS_ENGINE_H
#define PROTOCOLS_ENGINE_H

#include "protocols/engine_session.h"
#include "protocols/words.h"

struct protocol_ops {
	const char *name;
	bool strict; /* a NUL in a line is an error; else it is passed over */
	/* The line holds no NUL and no control character. */
	enum next_step (*line)(struct connection *c, char *line, struct string *out);
	/* A line that is no text; why says so. */
	void (*bad_line)(struct connection *c, const char *why, struct string *out);
	/* Line 1 is the best, of as many as the engine is asked for. */
	void (*info)(struct connection *c, int line, const struct qv_answer *so_far,
		     struct string *out);
	bool bounds;               /* info is told of bounds too */
	/* The search goes to its n-th move, from 1; may be NULL. */
	void (*root_move)(struct connection *c, qv_move move, int n, int depth, struct string *out);
	void (*answer)(struct connection *c, struct string *out);
	/* After an answer, if no line waits: what to do next; may be NULL. */
	enum next_step (*idle)(struct connection *c, struct string *out);
	/* Whether the game can be played by it at all. */
	enum qv_status (*fits)(const struct qv_game *game, struct qv_error *error);
	/* State of its own, zeroed, and what makes and frees what is in it; all may be 0. */
	size_t own_size;
	enum qv_status (*make)(struct connection *c, struct qv_error *error);
	void (*release)(struct connection *c);
};
extern const struct protocol_ops protocol_qgp, protocol_ugi, protocol_uci, protocol_xboard;

enum { CONNECTION_LATER_MOST = 4 << 20 }; /* bytes of lines that wait */

struct connection {
	const struct protocol_ops *ops;
	struct engine_session engine;
	bool no_times;
	bool busy;                 /* a task was begun, and its answer has not been taken */
	int64_t began_us;          /* the task */
	int64_t moves_after_us;    /* since then: so long it does not say which move it is at */
	bool ended;                /* no more lines come: what is begun is stopped at once */
	struct qv_answer told;     /* what was last said while thinking; depth 0: nothing */
	struct string later;       /* lines that wait for the answer, each ended by NUL */
	size_t later_at;           /* the first of them */
	struct qv_error refused;   /* UCI, UGI: why the last position is not valid; "": it is */
	void *own;                 /* of the protocol */
};

/* A task was begun: lines that disturb it are refused from now on. */
enum next_step connection_begin(struct connection *c);
/* Keeps a line until the task is over; false: there is no room. */
bool connection_defer(struct connection *c, const char *line);
static inline bool connection_waits(const struct connection *c)
{
	return c->later_at < c->later.length;
}
/* Whether such a line waits, before any whose first word is `until`. */
bool connection_awaits(const struct connection *c, const char *line, const char *until);
/* Whether it has thought so long that it should say which move it is at. */
bool connection_says_moves(const struct connection *c);
/* Says what is known at the end, unless just that was said last. */
void connection_last_info(struct connection *c, struct string *out);

#endif
