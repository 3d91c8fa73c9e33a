/*
 * toys.h - games too small to be worth playing, which together use every part of struct qv_game.
 * SPDX-License-Identifier: MIT
 *
 * A toy includes the public header and nothing else of the project, so that the same files also
 * make a plug-in.
 */
#ifndef TOYS_H
#define TOYS_H

#include "quevedo.h"

extern const struct qv_game toy_die;     /* chance, with unequal weights */
extern const struct qv_game toy_three;   /* three seats out of turn */
extern const struct qv_game toy_four;    /* four seats in turn, who often share the first place */
extern const struct qv_game toy_repeat;  /* a repetition rule, and a draw by count */
extern const struct qv_game toy_counted; /* counted moves, options, a board; no evaluation */
extern const struct qv_game toy_quiet;   /* captures, a quiet test, two seats out of turn, images */
extern const struct qv_game toy_solo;    /* one seat */
extern const struct qv_game toy_sling;   /* repetition in spite of a counter: repeat_hash */
extern const struct qv_game toy_trade;   /* material, phases, scores of moves */

/* Without end unless somebody errs; three ways to number its positions. */
extern const struct qv_game toy_trog, toy_trog_forward, toy_trog_images;

/* Reads the character c, or a whole number from 0 to max written plainly, and steps past it. */
static inline bool toy_read_char(const char **text, char c)
{
	if (**text != c)
		return false;
	++*text;
	return true;
}

static inline bool toy_read_number(const char **text, int max, int *out)
{
	const char *t = *text;
	int value = 0;
	if (t[0] == '0' && t[1] >= '0' && t[1] <= '9')
		return false;              /* each position has one text only */
	for (; *t >= '0' && *t <= '9'; t++) {
		value = value * 10 + (*t - '0');
		if (value > max)
			return false;
	}
	if (t == *text)
		return false;
	*text = t;
	*out = value;
	return true;
}

#endif
