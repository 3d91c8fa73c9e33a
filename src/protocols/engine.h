/*
 * engine.h - what the protocols of an engine share: the connection, and what makes up a protocol.
 * SPDX-License-Identifier: MIT
 *
 * To add a protocol, write its functions and their struct protocol_ops, declare it here and list it
 * in protocol.c. The connection calls them under the caller's lock, except for info and root_move,
 * which run in the searching thread while `line` may run in another one. They may use the game and
 * the answer they are given; of the protocol's own data they may only use atomic fields.
 */
#ifndef PROTOCOLS_ENGINE_H
#define PROTOCOLS_ENGINE_H

#include "protocols/engine_session.h"
#include "protocols/words.h"

/* The functions of a protocol. They append complete lines to `out`. */
struct protocol_ops {
	const char *name;
	bool strict; /* a NUL in a line is an error; else it is ignored */
	bool drops_controls; /* control characters but tabs are ignored */
	/* Handles a line, which is trimmed and has no control characters but tabs. */
	enum next_step (*line)(struct connection *c, char *line, struct string *out);
	/* A line that could not be read; `why` is the reason. */
	void (*bad_line)(struct connection *c, const char *why, struct string *out);
	/* Progress of a search. Line 1 is the best of the principal variations. */
	void (*info)(struct connection *c, int line, const struct qv_answer *so_far,
		     struct string *out);
	bool bounds; /* info gets bounds, too */
	/* The search begins its n-th root move, from 1; may be NULL. */
	void (*root_move)(struct connection *c, qv_move move, int n, int depth, struct string *out);
	/* The task is done. */
	void (*answer)(struct connection *c, struct string *out);
	/* After an answer, if no line waits: begins what is to do next; may be NULL. */
	enum next_step (*idle)(struct connection *c, struct string *out);
	/* Whether the protocol can represent the game; may be NULL. */
	enum qv_status (*fits)(const struct qv_game *game, struct qv_error *error);
	/* The size of connection.own, which is zeroed; what fills it and frees its contents. */
	size_t own_size;
	enum qv_status (*make)(struct connection *c, struct qv_error *error);
	void (*release)(struct connection *c);
};
extern const struct protocol_ops protocol_qgp, protocol_ugi, protocol_uci, protocol_xboard,
	protocol_external, protocol_hub, protocol_gomocup, protocol_nboard, protocol_gtp;

enum { CONNECTION_LATER_MOST = 4 << 20 }; /* bytes of waiting lines */

struct connection {
	const struct protocol_ops *ops;
	struct engine_session engine;
	bool no_times;		 /* print no times, so that the output is reproducible */
	bool busy;		 /* a task was begun, and its answer has not been taken */
	int64_t began_us;	 /* when it was begun */
	int64_t moves_after_us;	 /* after this time, root moves are reported */
	bool ended;		 /* no more lines come: stop whatever is begun */
	struct qv_answer told;	 /* the last info of the task; depth 0: none */
	struct string later;	 /* lines that wait for the answer, each ended by NUL */
	size_t later_at;	 /* where the first of them begins */
	struct qv_error refused; /* UCI, UGI, Hub: why the last position is not valid; "": it is */
	void *own;		 /* the protocol's own data */
};

/* A task was begun: its answer is awaited from now on. Returns NEXT_THINK. */
enum next_step connection_begin(struct connection *c);
/* The same for protocols with a queue: a waiting `stop`, or the word `hit`, applies to the task. */
enum next_step connection_begin_queued(struct connection *c, const char *hit);
/* Queues a line until the task is over; false: no room, or no memory. */
bool connection_defer(struct connection *c, const char *line);
static inline bool connection_waits(const struct connection *c)
{
	return c->later_at < c->later.length;
}
/* The waiting lines one by one: start with *at 0, and call it until it returns NULL. */
const char *connection_waiting(const struct connection *c, size_t *at);
/* The command `quit` of protocols whose commands are functions in a table. */
static inline enum next_step connection_quit(struct connection *c, char *rest, struct string *out)
{
	(void)c, (void)rest, (void)out;
	return NEXT_QUIT;
}
/* Prints the final state of the search, unless the last info said the same. */
void connection_last_info(struct connection *c, struct string *out);

#endif
