/*
 * index.h - numbers the positions of Warp Trog with few men and no warps left, for endgame tables.
 * SPDX-License-Identifier: MIT
 *
 * Without warps nothing is random, and no move brings a warp back. A space holds the positions with
 * the same men: t is a Trog and v a Valg, and the side with more Trogs comes first, or with as many
 * Trogs the side with more Valgs (tt-v). Captures and promotions lead to earlier spaces. Up to five
 * men are numbered.
 *
 * The board is turned so that side 1 is the first side of the name. If both sides have the same men,
 * side 1 is the side to move. A position and its mirror image share the smaller number. A number
 * consists of the sets of squares of each side's Trogs and Valgs, and the side to move.
 *
 * rules=1983 has no tables: what line 1020 removes depends on the last move, and differs for the two
 * sides.
 */
#ifndef WARPTROG_INDEX_H
#define WARPTROG_INDEX_H

#include "base/rank.h"
#include "games/warptrog/rules.h"

enum {
	WARPTROG_INDEX_MEN = 5,	 /* of both sides */
	WARPTROG_INDEX_SIDE = 4, /* of one side */
	WARPTROG_SPACES = 45,
	WARPTROG_VALG_SQUARES = WARPTROG_SQUARES - WARPTROG_SIZE, /* all but the far rank */
	WARPTROG_SETS = 1 + 36 + 630 + 7140 + 58905,		  /* of up to four squares */
	WARPTROG_MAX_PARENTS = 4 * WARPTROG_INDEX_SIDE,
};

/* The men of a space. */
struct warptrog_ending {
	int trogs[2], valgs[2];
	bool even; /* both sides have the same */
	uint64_t size;
};

/* Precomputed data. */
struct warptrog_aid {
	struct warptrog_ending endings[WARPTROG_SPACES];
	/* The space, by the Trogs and Valgs of the first side and of the other. */
	uint8_t space[WARPTROG_INDEX_SIDE + 1][WARPTROG_INDEX_SIDE + 1][WARPTROG_INDEX_SIDE + 1]
		     [WARPTROG_INDEX_SIDE + 1];
	/* The sets of squares: smaller ones first, then in the order of their numbers. */
	uint64_t sets[WARPTROG_SETS];
	uint32_t first[WARPTROG_INDEX_SIDE + 1]; /* of each size */
};

/* The sets of squares where a side's Trogs or Valgs may be. */
static inline uint64_t warptrog_trog_sets(int trogs)
{
	return rank_choose(WARPTROG_SQUARES, trogs);
}

static inline uint64_t warptrog_valg_sets(int valgs)
{
	return rank_choose(WARPTROG_VALG_SQUARES, valgs);
}

/* Whether the first side of a name may have these men; then *e is filled in. */
static inline bool warptrog_ending_make(struct warptrog_ending *e, int men, int trogs, int first,
					int valgs)
{
	const int others = trogs - first, left = men - trogs - valgs;
	if (others < 0 || left < 0 || first + valgs < 1 || others + left < 1 || first < others ||
	    (first == others && valgs < left))
		return false;
	*e = (struct warptrog_ending){ .trogs = { first, others },
				       .valgs = { valgs, left },
				       .even = first == others && valgs == left };
	e->size = warptrog_trog_sets(first) * warptrog_valg_sets(valgs) *
		  warptrog_trog_sets(others) * warptrog_valg_sets(left) * (e->even ? 1 : 2);
	return true;
}

/* Lists the spaces: fewer men first, and of as many men those with more Trogs. Returns how many. */
static inline int warptrog_endings(struct warptrog_ending *list)
{
	int n = 0;
	for (int men = 2; men <= WARPTROG_INDEX_MEN; men++)
		for (int trogs = men; trogs >= 0; trogs--)
			for (int first = trogs; first >= 0; first--)
				for (int valgs = men - trogs; valgs >= 0; valgs--)
					n += warptrog_ending_make(&list[n], men, trogs, first,
								  valgs);
	return n;
}

/* The slots of struct qv_index. */
static inline bool warptrog_space(const int64_t *options, int space, struct qv_space *out)
{
	struct warptrog_ending list[WARPTROG_SPACES + 1];
	if (options[WARPTROG_OPTION_RULES] != WARPTROG_TEXT || space >= warptrog_endings(list))
		return false;
	const struct warptrog_ending *e = &list[space];
	char *name = out->name;
	*out = (struct qv_space){ .group = space, .size = e->size };
	for (int side = 0; side < 2; side++) {
		for (int i = 0; i < e->trogs[side]; i++)
			*name++ = 't';
		for (int i = 0; i < e->valgs[side]; i++)
			*name++ = 'v';
		if (!side)
			*name++ = '-';
	}
	return true;
}

static inline void warptrog_prepare(struct warptrog_aid *aid, const int64_t *options)
{
	struct warptrog_ending list[WARPTROG_SPACES + 1];
	const int spaces = warptrog_endings(list);
	(void)options;
	for (int i = 0; i < spaces; i++) {
		const struct warptrog_ending *e = &list[i];
		aid->endings[i] = *e;
		aid->space[e->trogs[0]][e->valgs[0]][e->trogs[1]][e->valgs[1]] = (uint8_t)i;
	}
	uint32_t n = 1; /* the empty set is the first */
	for (int men = 1; men <= WARPTROG_INDEX_SIDE; men++) {
		uint64_t set = (UINT64_C(1) << men) - 1;
		aid->first[men] = n;
		while (set <= WARPTROG_BOARD) {
			aid->sets[n++] = set;
			/* The next larger number with as many bits. */
			const uint64_t low = set & -set, up = set + low;
			set = up | ((set ^ up) / low) >> 2;
		}
	}
}

/* Exchanges left and right. */
static inline uint64_t warptrog_mirror(uint64_t squares)
{
	uint64_t out = 0;
	for (int file = 0; file < WARPTROG_SIZE / 2; file++) {
		const int by = WARPTROG_SIZE - 1 - 2 * file;
		out |= (squares & WARPTROG_FILE_A << file) << by |
		       (squares >> by & WARPTROG_FILE_A << file);
	}
	return out;
}

/* Exchanges top and bottom. */
static inline uint64_t warptrog_flip(uint64_t squares)
{
	uint64_t out = 0;
	for (int rank = 0; rank < WARPTROG_SIZE; rank++)
		out |= (squares >> WARPTROG_SIZE * rank & WARPTROG_RANK_1)
		       << WARPTROG_SIZE * (WARPTROG_SIZE - 1 - rank);
	return out;
}

/* The number of the position as it stands; side 1 has the first men of the ending. */
static inline uint64_t warptrog_number(const struct warptrog_ending *e, const uint64_t *men,
				       uint64_t trogs, int turn)
{
	const uint64_t valgs[2] = { men[0] & ~trogs, (men[1] & ~trogs) >> WARPTROG_SIZE };
	uint64_t number = 0;
	for (int side = 0; side < 2; side++) {
		number = number * warptrog_trog_sets(e->trogs[side]) + rank_of(men[side] & trogs);
		number = number * warptrog_valg_sets(e->valgs[side]) + rank_of(valgs[side]);
	}
	return number + (!e->even && turn ? e->size / 2 : 0);
}

static inline bool warptrog_find(const struct warptrog *s, const void *aid, struct qv_place *out)
{
	const struct warptrog_aid *a = aid;
	uint64_t men[2] = { s->men[0], s->men[1] }, trogs = s->trogs;
	int trog_count[2], valg_count[2], turn = s->turn;
	if (s->rules != WARPTROG_TEXT || s->warping != WARPTROG_NONE || s->warps[0] ||
	    s->warps[1] || !men[0] || !men[1] || bits_count(men[0] | men[1]) > WARPTROG_INDEX_MEN)
		return false;
	for (int side = 0; side < 2; side++) {
		trog_count[side] = bits_count(men[side] & trogs);
		valg_count[side] = bits_count(men[side] & ~trogs);
	}
	const int more = trog_count[1] != trog_count[0] ? trog_count[1] - trog_count[0]
							: valg_count[1] - valg_count[0];
	const int first = more ? more > 0 : turn;
	if (first) {
		men[0] = warptrog_flip(s->men[1]);
		men[1] = warptrog_flip(s->men[0]);
		trogs = warptrog_flip(trogs);
		turn = 1 - turn;
	}
	const int space = a->space[trog_count[first]][valg_count[first]][trog_count[1 - first]]
				  [valg_count[1 - first]];
	const struct warptrog_ending *e = &a->endings[space];
	const uint64_t mirrored[2] = { warptrog_mirror(men[0]), warptrog_mirror(men[1]) };
	const uint64_t own = warptrog_number(e, men, trogs, turn),
		       other = warptrog_number(e, mirrored, warptrog_mirror(trogs), turn);
	*out = (struct qv_place){ space, own == other ? 2 : 1, own < other ? own : other };
	return true;
}

/* Takes the last digit off a number: a set of squares of this many men. */
static inline uint64_t warptrog_digit(const struct warptrog_aid *aid, uint64_t *number, int men,
				      uint64_t base)
{
	const uint64_t digit = *number % base;
	*number /= base;
	return aid->sets[aid->first[men] + digit];
}

/* False: two men on one square, or the mirror image has the smaller number. */
static inline bool warptrog_decode(struct warptrog *s, const void *aid, const int64_t *options,
				   int space, uint64_t number)
{
	const struct warptrog_aid *a = aid;
	const struct warptrog_ending *e = &a->endings[space];
	uint64_t left = e->even ? number : number % (e->size / 2);
	int men = 0;
	*s = (struct warptrog){ .turn = !e->even && number >= e->size / 2,
				.warping = WARPTROG_NONE,
				.rules = (uint8_t)options[WARPTROG_OPTION_RULES],
				.last = WARPTROG_NONE };
	for (int side = 1; side >= 0; side--) {
		const uint64_t valgs = warptrog_digit(a, &left, e->valgs[side],
						      warptrog_valg_sets(e->valgs[side])),
			       trogs = warptrog_digit(a, &left, e->trogs[side],
						      warptrog_trog_sets(e->trogs[side]));
		s->men[side] = trogs | (side ? valgs << WARPTROG_SIZE : valgs);
		s->trogs |= trogs;
		men += e->trogs[side] + e->valgs[side];
	}
	if (bits_count(s->men[0] | s->men[1]) < men ||
	    bits_count(s->trogs) < e->trogs[0] + e->trogs[1])
		return false;
	const uint64_t mirrored[2] = { warptrog_mirror(s->men[0]), warptrog_mirror(s->men[1]) };
	return warptrog_number(e, mirrored, warptrog_mirror(s->trogs), s->turn) >= number;
}

/* The positions from which a move without a capture or promotion leads here. */
static inline int warptrog_parents(const struct warptrog *s, struct warptrog *list)
{
	const int side = 1 - s->turn;
	const uint64_t all = s->men[0] | s->men[1];
	int n = 0;
	for (uint64_t left = s->men[side]; left; left = bits_rest(left)) {
		const uint64_t to = left & -left;
		/* Seen from the other side, one rank back is one rank ahead. */
		uint64_t from =
			(s->trogs & to ? warptrog_around(to) : warptrog_ahead(to, 1 - side)) & ~all;
		for (; from; from = bits_rest(from)) {
			const uint64_t origin = from & -from;
			struct warptrog *p = &list[n++];
			*p = *s;
			p->turn = (uint8_t)side;
			p->men[side] ^= to | origin;
			p->trogs ^= s->trogs & to ? to | origin : 0;
		}
	}
	return n;
}

#endif
