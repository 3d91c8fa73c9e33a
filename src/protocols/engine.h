/*
 * engine.h - what the protocols of an engine share: the object itself, and what a protocol is.
 * SPDX-License-Identifier: MIT
 */
#ifndef PROTOCOLS_ENGINE_H
#define PROTOCOLS_ENGINE_H

#include "protocols/engine_session.h"
#include "protocols/words.h"

struct wire_ops {
	const char *name;
	bool strict; /* a NUL in a line is an error; else it is passed over */
	/* The line holds no NUL and no control character. */
	enum wire_next (*line)(struct wire *w, char *line, struct string *out);
	/* A line that is no text; why says so. */
	void (*bad_line)(struct wire *w, const char *why, struct string *out);
	/* Line 1 is the best, of as many as the thinker is asked for. */
	void (*info)(struct wire *w, int line, const struct qv_answer *so_far, struct string *out);
	bool bounds;               /* info is told of bounds too */
	/* The search goes to its n-th move, from 1; may be NULL. */
	void (*root_move)(struct wire *w, qv_move move, int n, int depth, struct string *out);
	void (*answer)(struct wire *w, struct string *out);
	/* After an answer, if no line waits: what to do next; may be NULL. */
	enum wire_next (*idle)(struct wire *w, struct string *out);
	/* Whether the game can be played by it at all. */
	enum qv_status (*fits)(const struct qv_game *game, struct qv_error *error);
	/* State of its own, zeroed, and what makes and frees what is in it; all may be 0. */
	size_t own_size;
	enum qv_status (*make)(struct wire *w, struct qv_error *error);
	void (*release)(struct wire *w);
};
extern const struct wire_ops wire_qgp, wire_ugi, wire_uci, wire_xboard;

enum { WIRE_LATER_MOST = 4 << 20 };        /* bytes of lines that wait */

struct wire {
	const struct wire_ops *ops;
	struct thinker thinker;
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
enum wire_next wire_begin(struct wire *w);
/* Keeps a line until the task is over; false: there is no room. */
bool wire_defer(struct wire *w, const char *line);
static inline bool wire_waits(const struct wire *w)
{
	return w->later_at < w->later.length;
}
/* Whether such a line waits, before any whose first word is `until`. */
bool wire_awaits(const struct wire *w, const char *line, const char *until);
/* Whether it has thought so long that it should say which move it is at. */
bool wire_says_moves(const struct wire *w);
/* Says what is known at the end, unless just that was said last. */
void wire_last_info(struct wire *w, struct string *out);

#endif
