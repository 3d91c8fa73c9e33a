/*
 * ugi.h - what the engine's sides of UGI and UCI share.
 * SPDX-License-Identifier: MIT
 */
#ifndef PROTOCOLS_UGI_H
#define PROTOCOLS_UGI_H

#include "protocols/engine.h"

#define UGI_NOT_SAID INT64_MIN /* of a clock */

/* A command, and when it may be taken while a task runs. */
struct ugi_command {
	const char *name; /* NULL ends a table */
	enum wire_next (*run)(struct wire *w, char *rest, struct string *out);
	enum {
		UGI_LATER, /* after the answer */
		UGI_AT_ONCE,
		UGI_IN_TURN, /* at once, but after lines that wait for a search that is to stop */
	} when;
};
/* Runs the line's command; one that is not there is ignored. */
enum wire_next ugi_dispatch(struct wire *w, const struct ugi_command *commands, char *line,
			    struct string *out);

/* As wire_begin; a stop or a hit that waits behind the line is for this task. */
enum wire_next ugi_begin(struct wire *w);
enum wire_next ugi_ponder_hit(struct wire *w, char *rest, struct string *out);
enum qv_status ugi_fits(const struct qv_game *game, struct qv_error *error);
enum wire_next ugi_remark(struct string *out, const struct qv_error *error); /* WIRE_ON */
void ugi_bad_line(struct wire *w, const char *why, struct string *out);
/* Whether the last position was refused. If so, prints the reason. */
bool ugi_no_position(const struct wire *w, struct string *out);

enum wire_next ugi_is_ready(struct wire *w, char *rest, struct string *out);
enum wire_next ugi_new_game(struct wire *w, char *rest, struct string *out);
enum wire_next ugi_stop(struct wire *w, char *rest, struct string *out);
enum wire_next ugi_quit(struct wire *w, char *rest, struct string *out);
/*
 * Sets the position and plays all of its moves; `on`: past a draw that nobody claims. If the
 * position or a move is bad, nothing is searched until the next valid `position`: the manager would
 * take a move from the old position for an answer to the new one.
 */
enum wire_next ugi_position(struct wire *w, char *rest, bool on, struct string *out);
enum qv_status ugi_play(struct thinker *t, const char *move, bool on, struct qv_error *error);
/* A game that is drawn goes on from where it is; QV_OK does not say that it can. */
enum qv_status ugi_play_on(struct thinker *t, struct qv_error *error);

/* The number, or the bound that it is beyond; false: it is none. */
bool ugi_number(const char *word, int64_t min, int64_t max, int64_t *out);
void ugi_add_score(const struct qv_answer *a, struct string *out);

#endif
