/*
 * select.c - the selective search: its switches and history tables.
 * SPDX-License-Identifier: MIT
 *
 * The recursion is in select.inc.h. Logarithms for late move reductions are computed in integers,
 * so that the tree, and with it the bench signature, is the same on every machine.
 */
#include "search/select.h"

/* The natural logarithm in 1/SELECT_ONE, by repeated squaring; no rounding of a math library. */
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
	memset(t->history, 0, sizeof t->history);
	memset(t->capture_history, 0, sizeof t->capture_history);
	memset(t->continuation_history, 0, sizeof t->continuation_history);
	memset(t->corrections, 0, sizeof t->corrections);
	memset(t->values, 0, sizeof t->values);
	for (int i = 0; i < SELECT_PLACES; i++)
		t->countermoves[i] = QV_NO_MOVE;
}

void select_start(struct select *t)
{
	t->pass_from = 0;
	t->pass_seat = 0;
	t->nested = 0;
	t->early = 0;
	for (int i = 0; i < SELECT_BEFORE + DUEL_MAX_PLY + 2; i++)
		t->room[i] = (struct select_ply){
			.standing = SELECT_NO_VALUE,
			.place = -1,
			.except = QV_NO_MOVE,
			.killers = { QV_NO_MOVE, QV_NO_MOVE },
		};
}
