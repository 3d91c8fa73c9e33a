/*
 * engine.h - what the protocols of an engine share: the object itself, and what a protocol is.
 * SPDX-License-Identifier: MIT
 */
#ifndef WIRE_ENGINE_H
#define WIRE_ENGINE_H

#include "wire/thinker.h"
#include "wire/words.h"

struct wire_ops {
	const char *name;
	/* The line holds no NUL and no control character. */
	enum wire_next (*line)(struct wire *w, char *line, struct string *out);
	/* A line that is no text; why says so. */
	void (*bad_line)(struct wire *w, const char *why, struct string *out);
	void (*info)(struct wire *w, const struct qv_answer *so_far, struct string *out);
	void (*answer)(struct wire *w, struct string *out);
	/* Whether the game can be played by it at all. */
	enum qv_status (*fits)(const struct qv_game *game, struct qv_error *error);
};
extern const struct wire_ops wire_qgp, wire_ugi;

struct wire {
	const struct wire_ops *ops;
	struct thinker thinker;
	bool no_times;
	bool busy;                 /* a task was begun, and its answer has not been taken */
	struct qv_answer told;     /* what was last said while thinking; depth 0: nothing */
};

/* A task was begun: lines that disturb it are refused from now on. */
enum wire_next wire_begin(struct wire *w);
/* Says what is known at the end, unless just that was said last. */
void wire_last_info(struct wire *w, struct string *out);

#endif
