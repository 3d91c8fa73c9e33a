/*
 * commands.h - what talk.c and the commands in orders.c share.
 * SPDX-License-Identifier: MIT
 */
#ifndef TERMINAL_COMMANDS_H
#define TERMINAL_COMMANDS_H

#include "terminal/dialogue.h"

/* A command: what is typed, and what it does. A failure is said by the caller. */
struct order {
	const char *name, *other; /* other: a short form, or NULL */
	const char *argument, *help;
	enum qv_status (*run)(struct talk *t, const char *argument, struct qv_error *error);
};

extern const struct order orders[]; /* a NULL name ends it */
const struct order *order_find(const char *name);

/* turn_orders.c: where a turn is many moves */
enum qv_status order_orders(struct talk *t, const char *argument, struct qv_error *error);
enum qv_status order_revoke(struct talk *t, const char *argument, struct qv_error *error);
enum qv_status order_news(struct talk *t, const char *argument, struct qv_error *error);
bool order_is_for_turns(const struct order *o);
/* The orders of this turn, in a sentence. */
void talk_orders(struct talk *t);
/* What happened in turns that ended after a ply. */
void talk_news(struct talk *t, int since);
/* What can be ordered, and what the drawing means. */
void talk_turn_help(struct talk *t);

/* A sentence to the person. */
void talk_say(struct talk *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Plays a move that was found, and says so in the name of the seat. */
enum qv_status talk_play(struct talk *t, qv_move move, bool say, struct qv_error *error);
/* Reads a roll: `roll 3 1`, or only `3 1`. */
enum qv_status talk_roll_typed(struct talk *t, const char *text, struct qv_error *error);

#endif
