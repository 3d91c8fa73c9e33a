/*
 * turns.h - games in which a turn is many moves (struct turn_words of search/engine.h).
 * SPDX-License-Identifier: MIT
 *
 * The orders of the turn, one of them revoked, and what happened in the last turns.
 * A turn is all the moves that a seat makes in a row. Everything is read from the record, so undo,
 * redo and loading need no care.
 */
#ifndef TERMINAL_TURNS_H
#define TERMINAL_TURNS_H

#include "terminal/view.h"

/* The words of the session's game; NULL: in it a turn is a move. */
const struct turn_words *turns_words(const struct session *s);

/* Plies first to end - 1. */
struct turn {
	int first, end, seat;
};
enum { TURNS_KEPT = QV_MAX_SEATS + 2 };
/*
 * The last turns, oldest first, at most TURNS_KEPT. The last of them is the one being played, which
 * may be empty; when the game is over it is the one that ended it, or empty.
 */
int turns_last(struct session *s, struct turn list[TURNS_KEPT]);

/* The orders of the turn being played: "1. move A1 B2 12". */
void turns_orders(struct session *s, struct text_list *w);
/*
 * Takes back one order of this turn, 1 is the first, and plays the later ones again. QV_ILLEGAL:
 * there is none, or a later one cannot be without it; nothing has changed then.
 */
enum qv_status session_revoke(struct session *s, int number, struct move_name *revoked,
			      struct qv_error *error);
/* Takes back all of them. */
enum qv_status session_revoke_all(struct session *s, struct qv_error *error);

/*
 * What the turns did that ended at a ply after `since`, a line each, up to the last one of who
 * reads it; then what that seat lost.
 */
void turns_news(struct session *s, int since, struct string *out);
/* The ply at which the last turn ended; 0: none has. */
int turns_ended_at(struct session *s);
/* Turns that have ended since a person last ended one; at most TURNS_KEPT. */
int turns_without_person(struct session *s);

#endif
