/*
 * cube.h - what a position is worth with the doubling cube, and the decisions about it.
 * SPDX-License-Identifier: MIT
 *
 * Values are for the seat that is to roll. In a money game a value is in points, the cube included.
 * In a match it is 2 * (the chance to win the match) - 1. So the other seat's value is always the
 * negative one.
 *
 * The formula is Janowski's. With a dead cube, which nobody can turn, the value is linear in the
 * chance to win. With a live cube, which is turned at the last moment at which it can be taken, it
 * is piecewise linear between the points at which a seat cashes. The true value is between the two;
 * the cube life index says where.
 */
#ifndef BACKGAMMON_CUBE_H
#define BACKGAMMON_CUBE_H

#include "games/backgammon/chances.h"
#include "games/backgammon/match_equity.h"

/* The cube and the score as the seat to roll sees them. */
struct cube_view {
	const struct match_equity *match; /* NULL: a money game */
	int value;			  /* of the cube */
	int owner;			  /* 1: this seat; -1: the other; 0: in the middle */
	int away[2];			  /* points needed in the match: this seat's, the other's */
	bool live;			  /* the cube is in use, and it is not the Crawford game */
	bool after_crawford;
	bool jacoby; /* gammons count only once the cube has been turned */
	bool beavers;
};

/* As a seat sees it. `table` is used if the state is of a match. */
struct cube_view cube_view_of(const struct backgammon *s, int seat,
			      const struct match_equity *table);
/* The same as the other seat sees it. */
struct cube_view cube_turned(const struct cube_view *v);
/* After this seat has doubled and the other has taken. */
struct cube_view cube_doubled(const struct cube_view *v);

/* Whether this seat may double and has any use for it. */
bool cube_can_double(const struct cube_view *v);

/* The value of winning (points > 0) or losing 1, 2 or 3 times the value of the cube. */
double cube_points(const struct cube_view *v, int points);

/* The value if the cube is never turned again; linear in the chances. */
double cube_dead_worth(const struct cube_view *v, const struct backgammon_chances *c);
/* Janowski's value. life: the cube life index, 0 (dead) to 1 (live). */
double cube_worth(const struct cube_view *v, const struct backgammon_chances *c, double life);
/* The cube life index of a position: lower in short races. */
double cube_life(const struct backgammon *s);

/* The values of a double for the seat that doubles. */
struct cube_offer {
	double keep; /* it does not double */
	double take, drop;
};

/* The value after the best answer: a take, a drop, or a beaver if `v` has them. */
double cube_offer_worth(const struct cube_view *v, const struct cube_offer *o);
/* `v` is before the double. Too good to double is a no. */
bool cube_should_double(const struct cube_view *v, const struct cube_offer *o);
bool cube_should_take(const struct cube_offer *o);
bool cube_should_beaver(const struct cube_view *v, const struct cube_offer *o);
/* The value for the doubler after a beaver, which he may drop, too. */
double cube_beaver_worth(const struct cube_view *v, const struct cube_offer *o);

#endif
