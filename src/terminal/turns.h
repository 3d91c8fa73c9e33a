/*
 * turns.h - games in which a turn has many moves (struct turn_words of search/engine.h).
 * SPDX-License-Identifier: MIT
 *
 * The orders of the present turn, revoking one of them, and what happened in the last turns. A turn
 * is all the moves that a seat makes in a row; an order is one of these moves. Everything is read
 * from the record, so undo, redo and loading need no care. All functions may overwrite the scratch
 * state.
 */
#ifndef TERMINAL_TURNS_H
#define TERMINAL_TURNS_H

#include "terminal/view.h"

/* The descriptions of the session's game; NULL: in it a turn is a move. Static. */
const struct turn_words *turns_words(const struct session *s);

/* Adds the orders of the turn being played, "1. move A1 B2 12"; none if the game is over. */
void turns_orders(struct session *s, struct text_list *w);
/*
 * Takes back one order of this turn, 1 is the first, and plays the later ones again. *revoked: its
 * name. QV_ILLEGAL: there is no such order, or a later one is not legal without it. After a failure
 * nothing has changed.
 */
enum qv_status session_revoke(struct session *s, int number, struct move_name *revoked,
			      struct qv_error *error);
/* Takes back all orders of this turn. */
enum qv_status session_revoke_all(struct session *s, struct qv_error *error);

/*
 * Adds what the turns did that ended at a ply after `since`, a line each, from the viewer's own
 * last turn on; then what the viewer lost since. The viewer is the person to move, or the only
 * person.
 */
void turns_news(struct session *s, int since, struct string *out);
/* The ply at which the last turn ended; 0: no turn has. */
int turns_ended_at(struct session *s);
/* How many turns have ended since a person last ended one; at most QV_MAX_SEATS + 2. */
int turns_without_person(struct session *s);

#endif
