/*
 * chances.h - the chances of a backgammon position: wins, gammons and backgammons of both seats.
 * SPDX-License-Identifier: MIT
 */
#ifndef BACKGAMMON_CHANCES_H
#define BACKGAMMON_CHANCES_H

#include "games/backgammon/rules.h"

enum {
	BACKGAMMON_WIN_ANY,
	BACKGAMMON_WIN_GAMMON,
	BACKGAMMON_WIN_BACKGAMMON,
	BACKGAMMON_LOSE_GAMMON,
	BACKGAMMON_LOSE_BACKGAMMON,
	BACKGAMMON_OUTPUTS,
};

/*
 * Probabilities for the seat s->turn, which is to roll; dice and cube are ignored. Gammons include
 * backgammons.
 */
struct backgammon_chances {
	float of[BACKGAMMON_OUTPUTS];
};

struct backgammon_nets;

/* The static estimate of the nets. If the game has ended, it is exact. */
void backgammon_chances(const struct backgammon_nets *nets, const struct backgammon *s,
			struct backgammon_chances *out);

/* The cubeless money equity in points. */
static inline float backgammon_equity(const struct backgammon_chances *c)
{
	const float gammons = c->of[BACKGAMMON_WIN_GAMMON] - c->of[BACKGAMMON_LOSE_GAMMON];
	const float backgammons =
		c->of[BACKGAMMON_WIN_BACKGAMMON] - c->of[BACKGAMMON_LOSE_BACKGAMMON];
	return 2 * c->of[BACKGAMMON_WIN_ANY] - 1 + gammons + backgammons;
}

/* The same chances, as the other seat sees them. */
static inline struct backgammon_chances backgammon_flip(const struct backgammon_chances *c)
{
	return (struct backgammon_chances){
		.of = { 1 - c->of[BACKGAMMON_WIN_ANY], c->of[BACKGAMMON_LOSE_GAMMON],
			c->of[BACKGAMMON_LOSE_BACKGAMMON], c->of[BACKGAMMON_WIN_GAMMON],
			c->of[BACKGAMMON_WIN_BACKGAMMON] }
	};
}

/* The built-in nets: constant data. */
const struct backgammon_nets *backgammon_nets(void);

#endif
