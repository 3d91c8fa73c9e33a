/*
 * index.h - numbers the positions of nine men's morris without men in hand; the 16 symmetric
 * positions share a number.
 * SPDX-License-Identifier: MIT
 *
 * Colours do not matter once all men are placed. Space `a-b` has the positions where the side to
 * move has a men and the other b. Moves lead from a-b to b-a, so the two form a group. Captures
 * lead to fewer men in all, and those spaces come first.
 *
 * The larger side (the mover's if equal) is turned and mirrored into the smallest of its symmetric
 * sets. These sets, the classes, are numbered. The smaller side is transformed along and numbered
 * among the sets of points that the larger leaves free. If some symmetries leave the larger side
 * unchanged, the smallest such number counts; the others are holes, a few per cent.
 *
 * All of it is looked up in tables of about 12 MB, struct morris_aid, which morris_prepare fills.
 */
#ifndef MORRIS_INDEX_H
#define MORRIS_INDEX_H

#include "games/morris/rules.h"

enum {
	MORRIS_SPACES = 49,
	MORRIS_SETS = 2578829,     /* of 3 to 9 of the 24 points */
	MORRIS_CLASSES = 164466,   /* of these, not symmetric to each other */
	MORRIS_SMALL_SETS = 73690, /* of the points that a larger or equal side leaves free */
	MORRIS_HALF = 1 << 12,     /* sets of half of the points */
	MORRIS_SIXTH = 1 << 6,     /* sets of six of them */
	MORRIS_OPERATION = 20,     /* where the symmetry starts in an entry of `orbit` */
	MORRIS_MAX_PARENTS = 54,   /* three men may have come from 18 points each */
};

/* The tables of the index, about 12 MB. */
struct morris_aid {
	/*
	 * The number of a set among those of the same size: the part of its upper half, by size,
	 * plus the part of its lower half.
	 */
	uint32_t rank_high[MORRIS_MEN + 1][MORRIS_HALF];
	uint16_t rank_low[MORRIS_HALF];
	uint8_t image[8][256];     /* of a ring, by symmetry */
	/*
	 * The bits of a set closed up where the first index has zeros, and the reverse; its size.
	 */
	uint8_t squeeze[MORRIS_SIXTH][MORRIS_SIXTH], spread[MORRIS_SIXTH][MORRIS_SIXTH];
	uint8_t sixth[MORRIS_SIXTH];
	uint8_t men[MORRIS_SPACES][2];     /* of the side to move, of the other */
	uint8_t space[MORRIS_MEN + 1][MORRIS_MEN + 1];
	uint32_t ways[MORRIS_MEN + 1][MORRIS_MEN + 1]; /* sets beside a larger side, by sizes */
	/* By size: where the sets, the classes and the small sets start. */
	uint32_t first_set[MORRIS_MEN + 1], first_class[MORRIS_MEN + 1],
		first_small[MORRIS_MEN + 1];
	uint16_t stabiliser[MORRIS_CLASSES];     /* bit k: symmetry k leaves the class unchanged */
	uint32_t smallest[MORRIS_CLASSES];       /* the set that represents the class */
	uint32_t small_sets[MORRIS_SMALL_SETS];
	uint32_t orbit[MORRIS_SETS];             /* the class, and the symmetry that leads to it */
};

/*
 * index.c: slots of struct qv_index. morris_prepare fills the tables; it takes a fraction of a
 * second.
 */
bool morris_space(const int64_t *options, int space, struct qv_space *out);
void morris_prepare(struct morris_aid *aid, const int64_t *options);

/* The number of a set among those of its size, by two table lookups. */
static inline uint32_t morris_set_rank(const struct morris_aid *aid, uint32_t set, int size)
{
	return aid->rank_high[size][set / MORRIS_HALF] + aid->rank_low[set % MORRIS_HALF];
}

/* The same as morris_image_points, by table. */
static inline uint32_t morris_operate(const struct morris_aid *aid, uint32_t points, unsigned k)
{
	const uint8_t *ring = aid->image[k & 7];
	const uint32_t out = ring[points & 0xff], mid = ring[points >> 8 & 0xff],
		       in = ring[points >> 16];
	return mid << 8 | (k & 8 ? in | out << 16 : out | in << 16);
}

/* The members of `set` within `kept`, closed up as if `kept` were all points. */
static inline uint32_t morris_squeeze(const struct morris_aid *aid, uint32_t set, uint32_t kept)
{
	uint32_t out = 0;
	int shift = 0;
#pragma GCC unroll 4
	for (int i = 0; i < MORRIS_POINTS; i += 6) {
		const uint32_t part = kept >> i & (MORRIS_SIXTH - 1);
		out |= (uint32_t)aid->squeeze[part][set >> i & (MORRIS_SIXTH - 1)] << shift;
		shift += aid->sixth[part];
	}
	return out;
}

/* The reverse of morris_squeeze. */
static inline uint32_t morris_spread(const struct morris_aid *aid, uint32_t set, uint32_t kept)
{
	uint32_t out = 0;
	for (int i = 0; i < MORRIS_POINTS; i += 6) {
		const uint32_t part = kept >> i & (MORRIS_SIXTH - 1);
		out |= (uint32_t)aid->spread[part][set & (MORRIS_SIXTH - 1)] << i;
		set >>= aid->sixth[part];
	}
	return out;
}

/* The larger side, and its part of the number. */
struct morris_class {
	uint32_t class, kept;      /* the points that it leaves free */
	uint32_t operation;        /* the symmetry that leads to the class */
	uint32_t stabiliser;
};

/* Looks up the class of the larger side and the symmetry that leads to it. */
static inline struct morris_class morris_classify(const struct morris_aid *aid, uint32_t large,
						  int size)
{
	const uint32_t entry =
		aid->orbit[aid->first_set[size] + morris_set_rank(aid, large, size)];
	const uint32_t class = entry & ((1U << MORRIS_OPERATION) - 1);
	return (struct morris_class){ class, MORRIS_BOARD & ~aid->smallest[class],
				      entry >> MORRIS_OPERATION, aid->stabiliser[class] };
}

/*
 * The number of the smaller side beside a class with symmetries, and how many of them keep both
 * sides.
 */
static inline uint32_t morris_least(const struct morris_aid *aid, const struct morris_class *c,
				    uint32_t small, int size, uint32_t *weight)
{
	uint32_t least = UINT32_MAX;
	*weight = 0;
	for (uint64_t left = c->stabiliser; left; left = bits_rest(left)) {
		const uint32_t image = morris_operate(aid, small, (unsigned)bits_lowest(left));
		const uint32_t rank =
			morris_set_rank(aid, morris_squeeze(aid, image, c->kept), size);
		*weight += image == small;
		least = rank < least ? rank : least;
	}
	return least;
}

/* The number of the smaller side, given as it stands on the board. */
static inline uint32_t morris_beside(const struct morris_aid *aid, const struct morris_class *c,
				     uint32_t small, int size, uint32_t *weight)
{
	small = morris_operate(aid, small, c->operation);
	*weight = 1;
	if (c->stabiliser != 1)
		return morris_least(aid, c, small, size, weight);
	return morris_set_rank(aid, morris_squeeze(aid, small, c->kept), size);
}

/*
 * Finds the places of positions that all have the same numbers of men, as the parents of a position
 * do. Neighbours in the list often share the larger side, whose class is then kept.
 */
static inline void morris_find_parents(const struct morris *list, int n, const void *tables,
				       struct qv_place *out)
{
	if (n < 1)
		return;
	const struct morris_aid *aid = tables;
	const int turn = list->turn, a = bits_count(list->men[turn]),
		  b = bits_count(list->men[1 - turn]);
	const bool mover = a >= b; /* whether the mover is the larger side */
	const int most = mover ? a : b, fewest = mover ? b : a, large = mover ? turn : 1 - turn;
	const uint32_t first = aid->first_class[most], ways = aid->ways[most][fewest];
	const int space = aid->space[a][b];
	struct morris_class c = { 0 };
	uint32_t last = 0;
	for (int i = 0; i < n; i++) {
		const uint32_t set = list[i].men[large];
		if (set != last)
			c = morris_classify(aid, set, most);
		last = set;
		out[i].space = space;
		out[i].number = (uint64_t)(c.class - first) * ways +
				morris_beside(aid, &c, list[i].men[1 - large], fewest,
					      &out[i].weight);
	}
}

/* Sets *out to the place of a position; false: men in hand, or fewer than three on a side. */
static inline bool morris_find(const struct morris *s, const void *tables, struct qv_place *out)
{
	if (bits_count(s->men[0]) < MORRIS_FEWEST || bits_count(s->men[1]) < MORRIS_FEWEST ||
	    s->hand[0] || s->hand[1])
		return false;
	morris_find_parents(s, 1, tables, out);
	return true;
}

/* Makes the position with a number; false: the number is a hole. */
static inline bool morris_decode(struct morris *s, const void *tables, const int64_t *options,
				 int space, uint64_t number)
{
	const struct morris_aid *aid = tables;
	const int a = aid->men[space][0], b = aid->men[space][1];
	const bool mover = a >= b;
	const int most = mover ? a : b, fewest = mover ? b : a;
	const uint64_t ways = aid->ways[most][fewest];
	const uint32_t class = aid->first_class[most] + (uint32_t)(number / ways);
	const uint32_t rank = (uint32_t)(number % ways), large = aid->smallest[class];
	const uint32_t small = morris_spread(aid, aid->small_sets[aid->first_small[fewest] + rank],
					     MORRIS_BOARD & ~large);
	const struct morris_class c = { class, MORRIS_BOARD & ~large, 0, aid->stabiliser[class] };
	uint32_t weight;
	morris_start(s, options);
	s->hand[0] = s->hand[1] = 0;
	s->men[0] = mover ? large : small;
	s->men[1] = mover ? small : large;
	return c.stabiliser == 1 || morris_least(aid, &c, small, fewest, &weight) == rank;
}

/*
 * The positions from which a move without a capture leads here. A man in a mill cannot have moved
 * last, because closing a mill always captures.
 */
static inline int morris_parents(const struct morris *s, struct morris *list)
{
	const int mover = 1 - s->turn;
	const uint32_t men = s->men[mover], empty = MORRIS_BOARD & ~(men | s->men[s->turn]);
	const bool flies = s->flying && bits_count(men) == MORRIS_FEWEST;
	struct morris parent = *s;
	int n = 0;
	parent.turn = (uint8_t)mover;
	parent.quiet = 0;
	for (uint64_t left = men & ~morris_in_mills(men); left; left = bits_rest(left)) {
		const uint32_t to = (uint32_t)(left & (0 - left));
		const uint32_t from = flies ? empty : empty & morris_near(to);
		for (uint64_t each = from; each; each = bits_rest(each)) {
			parent.men[mover] = (men ^ to) | (uint32_t)(each & (0 - each));
			list[n++] = parent;
		}
	}
	return n;
}

/* The moves that capture, and so leave the group; *staying is the number of other moves. */
static inline int morris_leaves(const struct morris *s, qv_move *list, int *staying)
{
	const uint32_t men = s->men[s->turn], empty = MORRIS_BOARD & ~(men | s->men[1 - s->turn]);
	const bool flies = morris_is_flying(s);
	int n = 0;
	*staying = flies ? bits_count(men) * bits_count(empty) : morris_steps(men, empty);
	/* Too many: the man that moves may be one that the line still needs. */
	for (uint64_t left = morris_closing(men) & empty; left; left = bits_rest(left)) {
		const uint32_t to = (uint32_t)(left & (0 - left));
		for (uint64_t from = flies ? men : men & morris_near(to); from;
		     from = bits_rest(from)) {
			const int point = bits_lowest(from);
			if (!(morris_closing(men ^ morris_bit(point)) & to))
				continue;
			n = morris_list(s, point, to, morris_takable(s), list, n);
			--*staying;
		}
	}
	return n;
}

#endif
