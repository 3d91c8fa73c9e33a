/*
 * evaluate.h - an evaluation of Warp Trog for the side to move, or for the side whose warp is under
 * way.
 * SPDX-License-Identifier: MIT
 *
 * Each side has a value: its men, their advance and support, warps, mobility, and what it can
 * capture. After a warp the other side moves, so threats are counted for the side that moves next.
 * Between two lone Trogs the distance decides: without warps, the side that moves next loses if it
 * is even.
 */
#ifndef WARPTROG_EVALUATE_H
#define WARPTROG_EVALUATE_H

#include "games/warptrog/rules.h"

enum {
	WARPTROG_W_VALG,
	WARPTROG_W_TROG,
	WARPTROG_W_ADVANCE,   /* a rank that a Valg has advanced */
	WARPTROG_W_SUPPORT,   /* a man with a friend beside it */
	WARPTROG_W_WARP,      /* a warp left */
	WARPTROG_W_EARLY,     /* visits after a Trog's square in a warp, while warps are left */
	WARPTROG_W_MOBILITY,  /* a square that men can go to */
	WARPTROG_W_TAKE_VALG, /* a Valg that the side can capture, and it moves next */
	WARPTROG_W_TAKE_TROG,
	WARPTROG_W_THREAT_VALG, /* the same, and the other side moves next */
	WARPTROG_W_THREAT_TROG,
	WARPTROG_W_CHASE,      /* a step of a Trog to its nearest enemy, for the stronger side */
	WARPTROG_W_OPPOSITION, /* two lone Trogs, and the distance wins */
	WARPTROG_WEIGHTS,
};

/* The value of a win where chances are averaged; no evaluation with these weights reaches it. */
enum { WARPTROG_WIN = 3000 };
/* An evaluation v is an expected result of tanh(v / scale), fitted to games of level 3. */
#define WARPTROG_SCALE 650.0

static const int32_t warptrog_weights[WARPTROG_WEIGHTS] = {
	[WARPTROG_W_VALG] = 100,       [WARPTROG_W_TROG] = 300,	      [WARPTROG_W_ADVANCE] = 12,
	[WARPTROG_W_SUPPORT] = 10,     [WARPTROG_W_WARP] = 150,	      [WARPTROG_W_EARLY] = 1,
	[WARPTROG_W_MOBILITY] = 4,     [WARPTROG_W_TAKE_VALG] = 60,   [WARPTROG_W_TAKE_TROG] = 200,
	[WARPTROG_W_THREAT_VALG] = 10, [WARPTROG_W_THREAT_TROG] = 15, [WARPTROG_W_CHASE] = 6,
	[WARPTROG_W_OPPOSITION] = 60,
};

static const struct qv_weight warptrog_weight_names[] = {
	{ "valg", WARPTROG_W_VALG, 1 },
	{ "trog", WARPTROG_W_TROG, 1 },
	{ "advance", WARPTROG_W_ADVANCE, 1 },
	{ "support", WARPTROG_W_SUPPORT, 1 },
	{ "warp", WARPTROG_W_WARP, 1 },
	{ "early", WARPTROG_W_EARLY, 1 },
	{ "mobility", WARPTROG_W_MOBILITY, 1 },
	{ "take-valg", WARPTROG_W_TAKE_VALG, 1 },
	{ "take-trog", WARPTROG_W_TAKE_TROG, 1 },
	{ "threat-valg", WARPTROG_W_THREAT_VALG, 1 },
	{ "threat-trog", WARPTROG_W_THREAT_TROG, 1 },
	{ "chase", WARPTROG_W_CHASE, 1 },
	{ "opposition", WARPTROG_W_OPPOSITION, 1 },
	{ NULL, 0, 0 },
};

/* A weight that counts `count` times for a seat; the product may need more than 32 bits. */
QV_ALWAYS_INLINE int64_t warptrog_weigh(struct qv_terms *terms, const int32_t *w, int place,
					int seat, int32_t count)
{
	if (terms)
		qv_term_add(terms, place, NULL, seat, count, (int64_t)w[place] * count);
	return (int64_t)w[place] * count;
}

/* The material as the 1983 book counts it: 1 for a Valg, 3 for a Trog. */
static inline int32_t warptrog_material(const struct warptrog *s, int seat)
{
	return bits_count(s->men[seat]) + 2 * bits_count(s->men[seat] & s->trogs);
}

static inline int warptrog_distance(int a, int b)
{
	const int files = a % WARPTROG_SIZE - b % WARPTROG_SIZE,
		  ranks = a / WARPTROG_SIZE - b / WARPTROG_SIZE;
	return (files < 0 ? -files : files) + (ranks < 0 ? -ranks : ranks);
}

/* How near a side's Trogs are to the enemy: for each, 10 less the distance of the nearest one. */
static inline int warptrog_nearness(const struct warptrog *s, int seat)
{
	int sum = 0;
	for (uint64_t left = s->men[seat] & s->trogs; left; left = bits_rest(left)) {
		int best = 0;
		for (uint64_t foes = s->men[1 - seat]; foes; foes = bits_rest(foes)) {
			const int near =
				10 - warptrog_distance(bits_lowest(left), bits_lowest(foes));
			best = near > best ? near : best;
		}
		sum += best;
	}
	return sum;
}

/* The value of a side; `next` is the side that moves next. */
QV_ALWAYS_INLINE int64_t warptrog_side_as(const struct warptrog *s, int seat, int next,
					  const int32_t *w, struct qv_terms *terms)
{
	const uint64_t mine = s->men[seat], theirs = s->men[1 - seat], trogs = mine & s->trogs,
		       valgs = mine & ~trogs;
	const uint64_t reach = (warptrog_around(trogs) & ~mine) |
			       (warptrog_ahead(valgs, seat) & ~warptrog_closed_to_valgs(s, seat));
	const uint64_t takes = reach & theirs;
	int advance = 0, early = 0;
	for (uint64_t left = valgs; left; left = bits_rest(left)) {
		const int rank = bits_lowest(left) / WARPTROG_SIZE;
		advance += seat ? WARPTROG_SIZE - 1 - rank : rank;
	}
	for (uint64_t left = s->warps[seat] ? trogs : 0; left; left = bits_rest(left))
		early += WARPTROG_SQUARES - 1 - warptrog_visit(bits_lowest(left));
	const bool first = seat == next;
	const bool stronger = warptrog_material(s, seat) > warptrog_material(s, 1 - seat);
	return warptrog_weigh(terms, w, WARPTROG_W_VALG, seat, bits_count(valgs)) +
	       warptrog_weigh(terms, w, WARPTROG_W_TROG, seat, bits_count(trogs)) +
	       warptrog_weigh(terms, w, WARPTROG_W_ADVANCE, seat, advance) +
	       warptrog_weigh(terms, w, WARPTROG_W_SUPPORT, seat,
			      bits_count(warptrog_supported(s, seat))) +
	       warptrog_weigh(terms, w, WARPTROG_W_WARP, seat, s->warps[seat]) +
	       warptrog_weigh(terms, w, WARPTROG_W_EARLY, seat, early) +
	       warptrog_weigh(terms, w, WARPTROG_W_MOBILITY, seat, bits_count(reach)) +
	       warptrog_weigh(terms, w, first ? WARPTROG_W_TAKE_VALG : WARPTROG_W_THREAT_VALG, seat,
			      bits_count(takes & ~s->trogs)) +
	       warptrog_weigh(terms, w, first ? WARPTROG_W_TAKE_TROG : WARPTROG_W_THREAT_TROG, seat,
			      bits_count(takes & s->trogs)) +
	       warptrog_weigh(terms, w, WARPTROG_W_CHASE, seat,
			      stronger ? warptrog_nearness(s, seat) : 0);
}

/* Two lone Trogs: the side that the distance favours, or -1. */
static inline int warptrog_opposition(const struct warptrog *s, int next)
{
	const uint64_t all = s->men[0] | s->men[1];
	if (bits_count(s->men[0]) != 1 || bits_count(s->men[1]) != 1 || (all & ~s->trogs))
		return -1;
	const bool odd = warptrog_distance(bits_lowest(s->men[0]), bits_lowest(s->men[1])) & 1;
	return odd ? next : 1 - next;
}

/* The value for s->turn. The term `limit` keeps it within the bounds. */
QV_ALWAYS_INLINE int32_t warptrog_evaluate_as(const struct warptrog *s, const void *weights,
					      struct qv_terms *terms)
{
	const int32_t *w = weights;
	const int me = s->turn, next = s->warping == WARPTROG_NONE ? me : 1 - me;
	const int favoured = warptrog_opposition(s, next);
	int64_t value = warptrog_side_as(s, me, next, w, terms) -
			warptrog_side_as(s, 1 - me, next, w, terms);
	if (favoured >= 0) {
		/* Warps can change the parity. */
		const int count = s->warps[1 - favoured] ? 1 : 4;
		const int64_t worth =
			warptrog_weigh(terms, w, WARPTROG_W_OPPOSITION, favoured, count);
		value += favoured == me ? worth : -worth;
	}
	const int64_t bounded = value > QV_MAX_EVAL    ? QV_MAX_EVAL
				: value < -QV_MAX_EVAL ? -QV_MAX_EVAL
						       : value;
	if (terms && bounded != value)
		qv_term_add(terms, -1, "limit", me, 0, bounded - value);
	return (int32_t)bounded;
}

static inline int32_t warptrog_evaluate(const struct warptrog *s, const void *weights)
{
	return warptrog_evaluate_as(s, weights, NULL);
}

#endif
