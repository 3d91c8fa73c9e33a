/*
 * lurgee_evaluate.h - the Lurgee framework's reversi: its move ordering and evaluations.
 * SPDX-License-Identifier: MIT
 *
 * The terms are differences, me minus the opponent, and most of them count only what has changed
 * since the root of the search. Their weights depend on five bands of discs; the last band is what
 * a search from there can fill. The framework's release and its documents differ in weights and in
 * what some terms count; both are sets of weights here.
 */
#ifndef GAMES_REVERSI_LURGEE_EVALUATE_H
#define GAMES_REVERSI_LURGEE_EVALUATE_H

#include "lurgee/order_key.h"
#include "lurgee/search.h"
#include "games/reversi/evaluate.h"

enum { REVERSI_BANDS = 5 };

enum {
	REVERSI_L_DISCS = 0 * REVERSI_BANDS,     /* gained */
	REVERSI_L_POTENTIAL = 1 * REVERSI_BANDS, /* empty squares next to the opponent's discs */
	REVERSI_L_MOBILITY = 2 * REVERSI_BANDS,
	REVERSI_L_CORNERS = 3 * REVERSI_BANDS,   /* gained */
	REVERSI_L_EDGES = 4 * REVERSI_BANDS,     /* gained */
	/* discs placed, not turned over, beside empty corners */
	REVERSI_L_X_SQUARES = 5 * REVERSI_BANDS,
	REVERSI_L_WIPE_OUT = 6 * REVERSI_BANDS,  /* the cost of losing all discs */
	/* Switches: 0 or not. */
	REVERSI_L_FLIPPABLE, /* potential: only where the disc could be turned over from there */
	REVERSI_L_C_SQUARES, /* edges: including the squares beside the corners */
	/* mobility, potential: minus their values at the root of the search */
	REVERSI_L_FROM_START,
	REVERSI_L_WEIGHTS,
};

static const int32_t reversi_lurgee_weights[REVERSI_L_WEIGHTS] = {
	[REVERSI_L_DISCS] = 0, 0, 0, 4, 1,
	[REVERSI_L_POTENTIAL] = 5, 4, 3, 2, 0,
	[REVERSI_L_MOBILITY] = 7, 6, 5, 4, 0,
	[REVERSI_L_CORNERS] = 35, 35, 35, 35, 0,
	[REVERSI_L_EDGES] = 0, 3, 4, 5, 0,
	[REVERSI_L_X_SQUARES] = -8, -8, -8, -8, 0,
	[REVERSI_L_WIPE_OUT] = 1000,
};

static const int32_t reversi_lurgee22_weights[REVERSI_L_WEIGHTS] = {
	[REVERSI_L_DISCS] = 0, 0, 0, 4, 1,
	[REVERSI_L_POTENTIAL] = 7, 4, 3, 2, 0,
	[REVERSI_L_MOBILITY] = 7, 6, 5, 4, 0,
	[REVERSI_L_CORNERS] = 35, 35, 35, 35, 0,
	[REVERSI_L_EDGES] = 0, 2, 3, 4, 0,
	[REVERSI_L_X_SQUARES] = -8, -8, -8, -8, 0,
	[REVERSI_L_WIPE_OUT] = 1000,
	[REVERSI_L_FLIPPABLE] = 1, 1, 1,
};

static const int32_t reversi_alternative_weights[REVERSI_L_WEIGHTS] = {
	[REVERSI_L_DISCS] = 1, 1, 2, 4, 1,
	[REVERSI_L_POTENTIAL] = 7, 4, 3, 2, 0,
	[REVERSI_L_CORNERS] = 35, 35, 35, 35, 0,
	[REVERSI_L_WIPE_OUT] = 1000,
	[REVERSI_L_FLIPPABLE] = 1, 1, 1,
};

static const int32_t reversi_greed_weights[REVERSI_L_WEIGHTS] = {
	[REVERSI_L_DISCS] = 1, 1, 1, 1, 1, [REVERSI_L_WIPE_OUT] = 1000,
};

static const struct qv_weight reversi_lurgee_names[] = {
	{ "discs", REVERSI_L_DISCS, REVERSI_BANDS },
	{ "potential", REVERSI_L_POTENTIAL, REVERSI_BANDS },
	{ "mobility", REVERSI_L_MOBILITY, REVERSI_BANDS },
	{ "corners", REVERSI_L_CORNERS, REVERSI_BANDS },
	{ "edges", REVERSI_L_EDGES, REVERSI_BANDS },
	{ "x-squares", REVERSI_L_X_SQUARES, REVERSI_BANDS },
	{ "wipe-out", REVERSI_L_WIPE_OUT, 1 },	 { "flippable", REVERSI_L_FLIPPABLE, 1 },
	{ "c-squares", REVERSI_L_C_SQUARES, 1 }, { "from-start", REVERSI_L_FROM_START, 1 },
	{ 0 },
};

#define REVERSI_ALL_EDGES UINT64_C(0x7e8181818181817e)
#define REVERSI_MIDDLE_ROWS UINT64_C(0x00ffffffffffff00)

/* What a search keeps of its root position. */
struct reversi_lurgee_root {
	uint64_t was[2];           /* discs of each seat */
	uint64_t was_empty;
	uint64_t edges;
	uint64_t level, upright, slanting; /* discs that count for `potential` along these lines */
	/* the values of the terms there, for each seat, subtracted */
	int32_t base[REVERSI_BANDS][2];
};

/* The empty squares next to these discs, by the definition that the weights select. */
static inline uint64_t reversi_lurgee_next_to(const struct reversi_lurgee_root *r, uint64_t discs,
					      uint64_t empty)
{
	const uint64_t level = discs & r->level, upright = discs & r->upright;
	const uint64_t slanting = discs & r->slanting;
	const uint64_t beside = level | slanting << 8 | slanting >> 8;
	const uint64_t sideways = (beside << 1 & ~REVERSI_LEFT) | (beside & ~REVERSI_LEFT) >> 1;
	return (sideways | upright << 8 | upright >> 8) & empty;
}

/* Empty squares next to the other side's discs, minus those next to one's own. */
static inline int32_t reversi_lurgee_potential(const struct reversi_lurgee_root *r,
					       uint64_t mine, uint64_t theirs)
{
	const uint64_t empty = ~(mine | theirs);
	return bits_count(reversi_lurgee_next_to(r, theirs, empty)) -
	       bits_count(reversi_lurgee_next_to(r, mine, empty));
}

static inline int32_t reversi_lurgee_mobility(uint64_t mine, uint64_t theirs)
{
	return bits_count(reversi_mobility(mine, theirs)) -
	       bits_count(reversi_mobility(theirs, mine));
}

/* Computes the terms of the root position. */
static inline void reversi_lurgee_prepare(const struct reversi *s, const int32_t *w,
					  struct reversi_lurgee_root *r)
{
	const uint64_t all = ~UINT64_C(0), mine = s->mover, theirs = s->other;
	const bool flippable = w[REVERSI_L_FLIPPABLE] != 0;
	r->was[s->seat] = mine;
	r->was[s->seat ^ 1] = theirs;
	r->was_empty = ~(mine | theirs);
	r->edges = w[REVERSI_L_C_SQUARES] ? REVERSI_ALL_EDGES : REVERSI_EDGES;
	r->level = flippable ? REVERSI_INNER : all;
	r->upright = flippable ? REVERSI_MIDDLE_ROWS : all;
	r->slanting = r->level & r->upright;
	const int32_t discs = bits_count(mine) - bits_count(theirs);
	const int32_t potential = reversi_lurgee_potential(r, mine, theirs);
	const int32_t mobility = reversi_lurgee_mobility(mine, theirs);
	for (int band = 0; band < REVERSI_BANDS; band++) {
		int32_t there = w[REVERSI_L_DISCS + band] * discs;
		if (w[REVERSI_L_FROM_START])
			there += w[REVERSI_L_POTENTIAL + band] * potential +
				 w[REVERSI_L_MOBILITY + band] * mobility;
		r->base[band][s->seat] = there;
		r->base[band][s->seat ^ 1] = -there;
	}
}

/* The band of weights: by discs, or the last one if the search can fill the board. */
static inline int reversi_lurgee_band(int discs, int depth)
{
	if (discs <= 48)
		return (discs > 16) + (discs > 32);
	return discs < 64 - depth ? 3 : 4;
}

/* The number of the squares that I have, minus the opponent's. */
static inline int32_t reversi_lurgee_more(uint64_t mine, uint64_t theirs, uint64_t squares)
{
	return bits_count(mine & squares) - bits_count(theirs & squares);
}

/* The value for the side to move, at the end of a line of `depth` plies. */
static inline int32_t reversi_lurgee_score(const struct reversi_lurgee_root *r,
					   const struct reversi *s, int depth,
					   const int32_t *weights)
{
	const uint64_t mine = s->mover, theirs = s->other, empty = ~(mine | theirs);
	if (!mine || !theirs)
		return mine ? weights[REVERSI_L_WIPE_OUT] : -weights[REVERSI_L_WIPE_OUT];
	const int discs = bits_count(mine), all = discs + bits_count(theirs);
	const int band = reversi_lurgee_band(all, depth);
	const int32_t *w = weights + band;
	int32_t score = w[REVERSI_L_DISCS] * (2 * discs - all) - r->base[band][s->seat];
	if (w[REVERSI_L_POTENTIAL])
		score += w[REVERSI_L_POTENTIAL] * reversi_lurgee_potential(r, mine, theirs);
	if (w[REVERSI_L_MOBILITY])
		score += w[REVERSI_L_MOBILITY] * reversi_lurgee_mobility(mine, theirs);
	if (r->was_empty & ~empty & (REVERSI_CORNERS | REVERSI_X_SQUARES)) {
		const uint64_t beside = reversi_x_squares(empty & REVERSI_CORNERS);
		score += w[REVERSI_L_CORNERS] *
				 reversi_lurgee_more(mine, theirs, REVERSI_CORNERS & r->was_empty) +
			 w[REVERSI_L_X_SQUARES] *
				 reversi_lurgee_more(mine, theirs, beside & r->was_empty);
	}
	const uint64_t my_edges = mine & ~r->was[s->seat] & r->edges;
	const uint64_t their_edges = theirs & ~r->was[s->seat ^ 1] & r->edges;
	return score + w[REVERSI_L_EDGES] * (bits_count(my_edges) - bits_count(their_edges));
}

/* ---- the order of moves ---- */

/* By square alone: higher ranks are tried first, within a rank the later square. */
static const int8_t reversi_lurgee_ranks[64] = {
	50, 10, 40, 30, 30, 40, 10, 50,
	10, 0,	20, 20, 20, 20, 0,  10,
	40, 20, 20, 20, 20, 20, 20, 40,
	30, 20, 20, 0,	0,  20, 20, 30,
	30, 20, 20, 0,	0,  20, 20, 30,
	40, 20, 20, 20, 20, 20, 20, 40,
	10, 0,	20, 20, 20, 20, 0,  10,
	50, 10, 40, 30, 30, 40, 10, 50,
};

/*
 * The moves, and a sort key for each, with its place in the framework's list, that of the squares.
 * 0 moves: the side to move has none.
 */
static inline int reversi_lurgee_moves(const struct reversi *s, qv_move *list, uint32_t *keys)
{
	int n = 0;
	for (uint64_t left = reversi_mobility(s->mover, s->other); left; left = bits_rest(left)) {
		const int square = bits_lowest(left);
		list[n] = (qv_move)square;
		keys[n] = order_key(reversi_lurgee_ranks[square], (unsigned)square, n);
		n++;
	}
	return n;
}

/* Picks them one after the other: squares of equal rank together, the highest rank first. */
struct reversi_lurgee_picker {
	uint64_t left;
	int rank;
};

enum { REVERSI_L_RANKS = 6 };
static const uint64_t reversi_lurgee_ranked[REVERSI_L_RANKS] = {
	UINT64_C(0x8100000000000081),
	UINT64_C(0x2400810000810024),
	UINT64_C(0x1800008181000018),
	UINT64_C(0x003c7e66667e3c00),
	UINT64_C(0x4281000000008142),
	UINT64_C(0x0042001818004200),
};

/* False: the side to move has no move. */
static inline bool reversi_lurgee_begin(const struct reversi_lurgee_root *r,
					const struct reversi *s, struct reversi_lurgee_picker *p)
{
	(void)r;
	*p = (struct reversi_lurgee_picker){ .left = reversi_mobility(s->mover, s->other) };
	return p->left != 0;
}

/* Takes out a killer move if it is legal, so that it is not picked again. */
static inline bool reversi_lurgee_take_out(struct reversi_lurgee_picker *p, uint32_t id,
					   qv_move *move, unsigned *place)
{
	if (!(p->left >> id & 1))
		return false;
	p->left ^= UINT64_C(1) << id;
	*move = *place = id;
	return true;
}

static inline qv_move reversi_lurgee_pick(struct reversi_lurgee_picker *p)
{
	for (; p->rank < REVERSI_L_RANKS; p->rank++) {
		const uint64_t here = p->left & reversi_lurgee_ranked[p->rank];
		if (!here)
			continue;
		const int square = bits_highest(here);
		p->left ^= UINT64_C(1) << square;
		return (qv_move)square;
	}
	return QV_NO_MOVE;
}

static inline uint32_t reversi_lurgee_id(qv_move move)
{
	return (uint32_t)move;
}

/* No line is longer than the number of empty squares. */
static inline int reversi_lurgee_left(const struct reversi *s)
{
	return bits_count(~(s->mover | s->other));
}

#endif
