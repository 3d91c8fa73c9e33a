/*
 * lurgee_evaluate.h - the Lurgee framework's connect-four: its move ordering and evaluations.
 * SPDX-License-Identifier: MIT
 *
 * Of the 69 groups of four squares each side counts those where only it has discs, by their number.
 * The 48 groups that are not vertical are one word, each a bit at its left end, the horizontal ones
 * shifted up by 28. So three words with the next members give all counts by binary addition. The
 * vertical groups come from a table of column contents.
 */
#ifndef GAMES_CONNECT4_LURGEE_EVALUATE_H
#define GAMES_CONNECT4_LURGEE_EVALUATE_H

#include "lurgee/order_key.h"
#include "lurgee/search.h"
#include "games/connect4/rules.h"

enum {
	C4_L_ONE,        /* for each group with one disc */
	C4_L_TWO,        /* doubled for each group with two; counts even without any */
	C4_L_THREE,      /* doubled for each group with three */
	C4_L_NO_THREE,   /* instead, if it has no three */
	C4_L_FOUR,       /* a won game */
	C4_L_PLY,        /* minus this for each ply up to it */
	C4_L_HEIGHT,     /* minus this for each row up to the disc that won it */
	C4_L_LOSER,      /* 0: the side that has lost counts nothing */
	C4_L_WEIGHTS,
};

static const int32_t c4_lurgee_weights[C4_L_WEIGHTS] = {
	[C4_L_ONE] = 2, [C4_L_TWO] = 2, [C4_L_THREE] = 4, [C4_L_NO_THREE] = 4,
	[C4_L_FOUR] = 5000, [C4_L_LOSER] = 1,
};

static const int32_t c4_lurgee22_weights[C4_L_WEIGHTS] = {
	[C4_L_ONE] = 2, [C4_L_TWO] = 2, [C4_L_THREE] = 4,
	[C4_L_FOUR] = 5000, [C4_L_PLY] = 10, [C4_L_HEIGHT] = 1,
};

static const struct qv_weight c4_lurgee_names[] = {
	{ "one", C4_L_ONE, 1 },		    { "two", C4_L_TWO, 1 },
	{ "three", C4_L_THREE, 1 },	    { "no-three", C4_L_NO_THREE, 1 },
	{ "four", C4_L_FOUR, 1 },	    { "ply", C4_L_PLY, 1 },
	{ "height", C4_L_HEIGHT, 1 },	    { "loser", C4_L_LOSER, 1 },
	{ 0 },
};

/* ---- Groups that are not vertical ---- */

#define C4_LEFT_HALF UINT64_C(0x000000000fffffff)      /* columns 1 to 4 */
#define C4_LOW_ROWS (C4_BOTTOM * 0x07 & C4_LEFT_HALF)  /* ends of those that rise to the right */
#define C4_HIGH_ROWS (C4_BOTTOM * 0x38 & C4_LEFT_HALF) /* ... that fall */
#define C4_LEVEL_PART (C4_LEFT_HALF << 28)

/* The groups whose k-th square, from 0 at the left end, is among the discs. */
static inline uint64_t c4_lurgee_members(uint64_t discs, int k)
{
	return (discs >> k * (C4_STRIDE + 1) & C4_LOW_ROWS) |
	       (discs >> k * (C4_STRIDE - 1) & C4_HIGH_ROWS) |
	       (discs << (28 - k * C4_STRIDE) & C4_LEVEL_PART);
}

/* The groups in which a side has any disc, one, two, three or four. */
struct c4_lurgee_groups {
	uint64_t any, one, two, three, four;
};

__attribute__((always_inline)) static inline struct c4_lurgee_groups
c4_lurgee_count(uint64_t discs)
{
	const uint64_t a = c4_lurgee_members(discs, 0), b = c4_lurgee_members(discs, 1);
	const uint64_t c = c4_lurgee_members(discs, 2), d = c4_lurgee_members(discs, 3);
	const uint64_t left = a ^ b, left_two = a & b, right = c ^ d, right_two = c & d;
	const uint64_t odd = left ^ right, pair = left_two | right_two;
	return (struct c4_lurgee_groups){
		.any = left | right | pair,
		.one = odd & ~pair,
		.two = (left & right) | ((left_two ^ right_two) & ~odd),
		.three = odd & pair,
		.four = left_two & right_two,
	};
}

/* ---- Tables ---- */

/*
 * The squares numbered by their rank and, within a rank, by column; so of a set of moves the next
 * one is the highest bit.
 */
static const uint8_t c4_lurgee_order[C4_WIDTH * C4_STRIDE] = {
	0, 4, 12, 13, 5, 1, 0, 6, 20, 26, 27, 21, 7, 0,
	14, 28, 36, 37, 29, 15, 0, 24, 34, 40, 41, 35, 25, 0,
	16, 30, 38, 39, 31, 17, 0, 8, 22, 32, 33, 23, 9, 0,
	2, 10, 18, 19, 11, 3, 0,
};
static const uint8_t c4_lurgee_square[C4_WIDTH * C4_HEIGHT] = {
	0, 5, 42, 47, 1, 4, 7, 12, 35, 40, 43, 46, 2, 3,
	14, 19, 28, 33, 44, 45, 8, 11, 36, 39, 21, 26, 9, 10,
	15, 18, 29, 32, 37, 38, 22, 25, 16, 17, 30, 31, 23, 24,
};

struct c4_lurgee_root {
	/*
	 * How many of a column's three groups have one, two, three, four discs of the side to move
	 * alone, then the same for the other: one byte each. By the contents of the column: the
	 * discs of the side to move below a 1 at the first empty square.
	 */
	uint64_t columns[1 << C4_STRIDE];
	/* The bit, in c4_lurgee_order, of the square above a column's discs. */
	uint64_t tops[C4_WIDTH][1 << C4_HEIGHT];
};

/* The counts of a column's three groups, packed in bytes. */
static inline uint64_t c4_lurgee_column(unsigned mover, unsigned other)
{
	uint64_t counts = 0;
	for (int low = 0; low + 4 <= C4_HEIGHT; low++) {
		const unsigned mine = mover >> low & 15, theirs = other >> low & 15;
		if (mine && !theirs)
			counts += UINT64_C(1) << 8 * (bits_count(mine) - 1);
		if (theirs && !mine)
			counts += UINT64_C(1) << 8 * (bits_count(theirs) + 3);
	}
	return counts;
}

/* Fills the tables of a search. */
static inline void c4_lurgee_prepare(const struct c4 *s, const int32_t *weights,
				     struct c4_lurgee_root *r)
{
	(void)s, (void)weights;
	for (unsigned height = 0; height <= C4_HEIGHT; height++)
		for (unsigned mover = 0; mover < 1U << height; mover++)
			r->columns[(1U << height) + mover] =
				c4_lurgee_column(mover, ((1U << height) - 1) ^ mover);
	for (int column = 0; column < C4_WIDTH; column++)
		for (int height = 0; height <= C4_HEIGHT; height++) {
			const int order = c4_lurgee_order[column * C4_STRIDE + height];
			r->tops[column][(1 << height) - 1] = (uint64_t)(height < C4_HEIGHT)
							     << order;
		}
}

/* The counts of the vertical groups of all columns, added bytewise. */
static inline uint64_t c4_lurgee_upright(const struct c4_lurgee_root *r, const struct c4 *s)
{
	const uint64_t code = s->mover + s->all + C4_BOTTOM;
	uint64_t counts = 0;
#pragma GCC unroll 7
	for (int column = 0; column < C4_WIDTH; column++)
		counts += r->columns[code >> column * C4_STRIDE & ((1 << C4_STRIDE) - 1)];
	return counts;
}

/* ---- The evaluator ---- */

/* The value of a side's groups; counts: its vertical ones. */
__attribute__((always_inline)) static inline int64_t
c4_lurgee_side(const struct c4_lurgee_groups *mine, uint64_t theirs, uint64_t counts,
	       const int32_t *w)
{
	enum { MOST = 40 };        /* the sum is cut far below that */
	const int one = bits_count(mine->one & ~theirs) + (int)(counts & 255);
	const int two = bits_count(mine->two & ~theirs) + (int)(counts >> 8 & 255);
	const int three = bits_count(mine->three & ~theirs) + (int)(counts >> 16 & 255);
	return w[C4_L_ONE] * one +
	       (int64_t)w[C4_L_TWO] * (INT64_C(1) << (two < MOST ? two : MOST)) +
	       (three ? (int64_t)w[C4_L_THREE] * (INT64_C(1) << (three < MOST ? three : MOST))
		      : w[C4_L_NO_THREE]);
}

/* Limits a score to QV_MAX_EVAL. */
static inline int32_t c4_lurgee_cut(int64_t score)
{
	return score > QV_MAX_EVAL    ? QV_MAX_EVAL
	       : score < -QV_MAX_EVAL ? -QV_MAX_EVAL
				      : (int32_t)score;
}

/* The value for the side to move, `ply` plies down the line that ended with the last move. */
__attribute__((always_inline)) static inline int32_t
c4_lurgee_score(const struct c4_lurgee_root *r, const struct c4 *s, qv_move last, int ply,
		const int32_t *w)
{
	const struct c4_lurgee_groups mine = c4_lurgee_count(s->mover);
	const struct c4_lurgee_groups theirs = c4_lurgee_count(s->mover ^ s->all);
	const uint64_t upright = c4_lurgee_upright(r, s);
	const int64_t my_value = c4_lurgee_side(&mine, theirs.any, upright, w);
	const int64_t their_value = c4_lurgee_side(&theirs, mine.any, upright >> 32, w);
	if (!theirs.four && !(upright >> 56)) /* only the last to move can have a four */
		return c4_lurgee_cut(my_value - their_value);
	/* A won game is worth less if it is won later, or in a higher row if the weights say so. */
	const int64_t won = w[C4_L_FOUR] - (int64_t)w[C4_L_PLY] * ply -
			    w[C4_L_HEIGHT] * (bits_lowest(last) % C4_STRIDE + 1);
	return c4_lurgee_cut((w[C4_L_LOSER] ? my_value : 0) - won);
}

/* ---- The order of moves ---- */

/*
 * The moves, and a sort key for each: its rank is the number of groups through its square, then its
 * column. 0 moves: the game is over.
 */
static inline int c4_lurgee_moves(const struct c4 *s, qv_move *list, uint32_t *keys)
{
	int n = 0;
	if (c4_has_four(s->mover ^ s->all))
		return 0;
	for (uint64_t left = c4_playable(s); left; left = bits_rest(left)) {
		const int square = bits_lowest(left);
		list[n] = left & (0 - left);
		keys[n] = order_key(c4_fours_through[square], (unsigned)square, n);
		n++;
	}
	return n;
}

/* Picks them one after the other: what is left, by the order of squares. */
struct c4_lurgee_picker {
	uint64_t left, playable;
};

/* False: the game is over. */
static inline bool c4_lurgee_begin(const struct c4_lurgee_root *r, const struct c4 *s,
				   struct c4_lurgee_picker *p)
{
	uint64_t left = 0;
	if (c4_has_four(s->mover ^ s->all))
		return false;
#pragma GCC unroll 7
	for (int column = 0; column < C4_WIDTH; column++)
		left |= r->tops[column][s->all >> column * C4_STRIDE & ((1 << C4_HEIGHT) - 1)];
	*p = (struct c4_lurgee_picker){ left, c4_playable(s) };
	return left != 0;
}

/* Takes out a killer move if it is legal, so that it is not picked again. */
static inline bool c4_lurgee_take_out(struct c4_lurgee_picker *p, uint32_t id, qv_move *move,
				      unsigned *place)
{
	const uint64_t column = UINT64_C(0x3f) << id * C4_STRIDE;
	*move = p->playable & column;
	*place = id;
	if (*move)
		p->left &= ~(UINT64_C(1) << c4_lurgee_order[bits_lowest(*move)]);
	return *move != 0;
}

static inline qv_move c4_lurgee_pick(struct c4_lurgee_picker *p)
{
	if (!p->left)
		return QV_NO_MOVE;
	const int highest = bits_highest(p->left);
	p->left ^= UINT64_C(1) << highest;
	return UINT64_C(1) << c4_lurgee_square[highest];
}

/* To the framework a move is a column, wherever the disc lands. */
static inline uint32_t c4_lurgee_id(qv_move move)
{
	return (uint32_t)bits_lowest(move) / C4_STRIDE;
}

static inline int c4_lurgee_left(const struct c4 *s)
{
	return bits_count(C4_BOARD & ~s->all);
}

#endif
