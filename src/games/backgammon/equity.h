/*
 * equity.h - looks ahead over the dice: the chances of a position and its value with the cube.
 * SPDX-License-Identifier: MIT
 *
 * Plies are counted as GNU Backgammon counts them. 0: the static evaluation of a position whose
 * seat is to roll. 1: the mean over the 21 rolls, each with the reply that is best by the static
 * evaluation. n: the same with the values of n - 1 plies after the replies; these are still chosen
 * by the static evaluation.
 *
 * With the cube, a seat within the look-ahead doubles, takes and drops by the values one ply less
 * deep. Janowski's formula (cube.h) values the leaves. Where the bear-off tables are exact, they
 * replace the look-ahead.
 */
#ifndef BACKGAMMON_EQUITY_H
#define BACKGAMMON_EQUITY_H

#include "base/memory.h"
#include "games/backgammon/bearoff_chances.h"
#include "games/backgammon/cube.h"
#include "search/budget.h"

enum {
	EQUITY_MAX_PLIES = 3,
	EQUITY_UNIT = 1000,   /* values are reported in thousandths of a point */
	EQUITY_MAX_VIEWS = 2, /* given to equity_look_ahead */
};

struct equity_cache_entry; /* in equity.c */

/* An evaluator with its cache and counts. Use it from one thread. */
struct equity {
	const struct backgammon_nets *nets;
	struct backgammon_tables *tables; /* NULL: none */
	struct budget budget;		  /* started by the caller */
	uint64_t nodes, evals;
	/* How replies are chosen: by seat to roll, the weight of each chance. Set by equity_aim. */
	double weight[2][BACKGAMMON_OUTPUTS];
	const struct qv_allocator *allocator;
	struct equity_cache_entry *cache; /* NULL: none */
	size_t cache_size;		  /* entries, a power of two */
	/* NULL: no callback for single nodes. Else the ply of the node that is looked ahead from. */
	const struct qv_listener *listener;
	int ply;
};

/*
 * tables: NULL, or what outlives the evaluator. megabytes: of the cache; 0: none. QV_NO_MEMORY
 * leaves `e` as one without a cache.
 */
enum qv_status equity_init(struct equity *e, const struct qv_allocator *allocator,
			   struct backgammon_tables *tables, size_t megabytes);
void equity_release(struct equity *e);

/*
 * The men of a state and its dice, as a money game without a cube. The cube and the score are in a
 * view instead, so that a game that ends within the look-ahead does not start the next one.
 */
struct backgammon equity_plain(const struct backgammon *s);

/* Chooses replies by what results count in this view of s->turn. */
void equity_aim(struct equity *e, const struct backgammon *s, const struct cube_view *v);

/* The static evaluation of a plain state: by the tables, from the cache or by the nets. */
void equity_static(struct equity *e, const struct backgammon *s, struct backgammon_chances *out);

/*
 * Looks ahead from a plain state whose seat is to roll. Sets the chances for that seat and its value
 * in each of the views, at most EQUITY_MAX_VIEWS. doubles: it may double before this roll. If the
 * budget stops the search, the results are meaningless.
 */
void equity_look_ahead(struct equity *e, const struct backgammon *s, int plies, bool doubles,
		       const struct cube_view *views, int count, struct backgammon_chances *out,
		       double *worth);

/*
 * The static estimate of a state where the game goes on, in points for a seat: with the cube, and
 * in a match 2 * (the chance to win it) - 1. Dice do not count. The slot `equity` of struct engine.
 */
double equity_estimate(const void *state, int seat);

#endif
