/*
 * orders.h - Star Chess: a planned turn, given out command by command while the game goes as
 * planned.
 * SPDX-License-Identifier: MIT
 */
#ifndef GAMES_STARCHESS_ORDERS_H
#define GAMES_STARCHESS_ORDERS_H

#include "games/starchess/turn_log.h"

struct orders {
	struct starchess expected;         /* the position where the next command belongs */
	qv_move moves[TURN_COMMANDS];
	int next, count;
	int32_t score;
	int depth;
};

/* Forgets the planned turn. */
static inline void orders_forget(struct orders *o)
{
	o->next = o->count = 0;
}

/* A command in the numbering of the rules. */
qv_move orders_absolute(qv_move move, int me);

/* Stores the commands of a turn, which are in the view of the faction to move in *s. */
void orders_take(struct orders *o, const struct starchess *s, const struct turn_log *log);

/* Whether the next command belongs here. Then it goes into the answer, with those that follow. */
bool orders_give(struct orders *o, const struct starchess *s, struct qv_answer *out);

/*
 * If only some moves are allowed: keeps the answer's move if it is one of them, otherwise takes the
 * first of them.
 */
void orders_obey(const struct qv_limits *limits, const struct starchess *s, struct qv_answer *out);

/*
 * Decides a whole turn, passes it to orders_take, and sets the counts of the answer. True: stopped.
 */
typedef bool orders_decide(struct qv_player *player, const struct starchess *s,
			   const struct qv_limits *limits, struct qv_answer *out);

/*
 * The think function of such a player: gives the next command, after deciding a new turn if needed.
 */
enum qv_status orders_think(struct orders *o, struct qv_player *player, orders_decide *decide,
			    const void *state, const struct qv_limits *limits,
			    const struct qv_listener *listener, struct qv_answer *out);

#endif
