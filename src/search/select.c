/*
 * select.c - the selective search: its switches, and what it remembers from move to move.
 * SPDX-License-Identifier: MIT
 */
#include "search/select.h"

/* The natural logarithm in 1/SELECT_ONE, by squaring: no library's rounding enters the tree. */
static int natural_log(unsigned x)
{
	int whole = 31 - __builtin_clz(x);
	uint64_t y = ((uint64_t)x << 32) >> whole; /* from 1 to 2, 32 bits after the point */
	int64_t log2 = (int64_t)whole << 16;
	for (int bit = 15; bit >= 0; bit--) {
		y = (uint64_t)(((unsigned __int128)y * y) >> 32);
		if (y >> 33) {
			y >>= 1;
			log2 |= (int64_t)1 << bit;
		}
	}
	return (int)(log2 * 45426 / 65536 * SELECT_ONE / 65536); /* log 2 is 45426 / 65536 */
}

void select_init(struct select *t, const struct settings *set)
{
	t->null_move = set->null_move;
	t->lmr = set->lmr;
	t->late = set->late;
	t->futility = set->futility;
	t->exchange = set->see;
	t->delta = set->delta;
	t->checks = set->checks;
	t->extend = set->extend;
	t->singular = set->singular;
	t->iir = set->iir;
	t->probcut = set->probcut;
	t->follow = set->follow;
	t->correct = set->correct;
	t->twofold = set->twofold;
	t->plies = t->room + SELECT_BEFORE;
	for (int i = 1; i < SELECT_LOG_ROOM; i++)
		t->reductions[i] = natural_log((unsigned)i);
	select_forget(t);
}

void select_forget(struct select *t)
{
	memset(t->routes, 0, sizeof t->routes);
	memset(t->takes, 0, sizeof t->takes);
	memset(t->follows, 0, sizeof t->follows);
	memset(t->errors, 0, sizeof t->errors);
	memset(t->values, 0, sizeof t->values);
	for (int i = 0; i < SELECT_PLACES; i++)
		t->replies[i] = QV_NO_MOVE;
}

void select_start(struct select *t)
{
	t->pass_from = 0;
	t->pass_seat = 0;
	for (int i = 0; i < SELECT_BEFORE + DUEL_MAX_PLY + 2; i++)
		t->room[i] = (struct select_ply){
			.standing = SELECT_NO_VALUE,
			.place = -1,
			.except = QV_NO_MOVE,
			.killers = { QV_NO_MOVE, QV_NO_MOVE },
		};
}
