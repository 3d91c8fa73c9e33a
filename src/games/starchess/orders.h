/*
 * orders.h - a turn that has been decided: its commands are given out one by one, as long as the game
 * goes as it was meant to.
 * SPDX-License-Identifier: MIT
 */
#ifndef GAMES_STARCHESS_ORDERS_H
#define GAMES_STARCHESS_ORDERS_H

#include "games/starchess/turn_log.h"

struct orders {
	struct starchess expected;         /* where the next command belongs */
	qv_move moves[TURN_COMMANDS];
	int next, count;
	int32_t score;
	int depth;
};

static inline void orders_forget(struct orders *o)
{
	o->next = o->count = 0;
}

/* A command in the numbering of the rules. */
qv_move orders_absolute(qv_move move, int me);

/* Takes over the commands of a turn of the faction to move in *s, which are in its view. */
void orders_take(struct orders *o, const struct starchess *s, const struct turn_log *log);

/* Whether the next command belongs here; then it goes into the answer, with all that follow. */
bool orders_give(struct orders *o, const struct starchess *s, struct qv_answer *out);

/* Where only some moves are allowed: the answer's, if it is one of them, or else the first of them. */
void orders_obey(const struct qv_limits *limits, const struct starchess *s, struct qv_answer *out);

/* Decides a whole turn and hands it to orders_take; sets the counts of the answer. True: stopped. */
typedef bool orders_decide(struct qv_player *player, const struct starchess *s,
			   const struct qv_limits *limits, struct qv_answer *out);

/* What a player of turns does when it is to think: the next command, after deciding if need be. */
enum qv_status orders_think(struct orders *o, struct qv_player *player, orders_decide *decide,
			    const void *state, const struct qv_limits *limits,
			    const struct qv_listener *listener, struct qv_answer *out);

#endif
