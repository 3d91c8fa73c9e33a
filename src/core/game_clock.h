/*
 * game_clock.h - the clocks of a game: each seat's time runs only while that seat thinks.
 * SPDX-License-Identifier: MIT
 *
 * The caller says what time it is, in milliseconds since any fixed moment, so that tests can too.
 */
#ifndef CORE_GAME_CLOCK_H
#define CORE_GAME_CLOCK_H

#include "quevedo.h"

/* So much for the game, and so much more after each move. base_ms 0: no clock. */
struct timer_terms {
	int64_t base_ms, added_ms;
};

struct timer {
	struct timer_terms terms;
	int64_t left_ms[QV_MAX_SEATS];
	int64_t since_ms; /* when it was started */
	int64_t spent_ms; /* on this turn, up to then */
	int seat;	  /* whose time runs; -1: nobody's */
};

/*
 * Reads `5m`, `300` or `300+3`: TIME or TIME+TIME, where TIME is a number of
 * seconds or has a unit, h, m, s or ms; `off` is no clock. False: it is none of these.
 */
bool timer_parse(const char *text, struct timer_terms *out);
/* The same text back: `5m`, `300+3`. */
void timer_text(const struct timer_terms *terms, struct qv_text *out);

void timer_init(struct timer *t, const struct timer_terms *terms);
bool timer_on(const struct timer *t);
void timer_start(struct timer *t, int seat, int64_t now_ms); /* seat -1: nobody pays */
void timer_stop(struct timer *t, int64_t now_ms);	     /* not running: nothing */
/* The turn is over: returns what it took; the increment is added if a move was made. */
int64_t timer_turn(struct timer *t, int seat, bool moved);
int64_t timer_left(const struct timer *t, int seat, int64_t now_ms); /* below 0: the flag fell */

#endif
