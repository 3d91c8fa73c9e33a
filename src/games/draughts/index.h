/*
 * index.h - numbers the positions of draughts with up to six pieces, for endgame tables.
 * SPDX-License-Identifier: MIT
 *
 * A space holds the positions with the same pieces: k is a king and m a man, and the side with more
 * pieces comes first, or with as many pieces the side with more kings (kk-m). Captures and
 * promotions lead to earlier spaces, so each space is a group. A man's other moves stay in it.
 *
 * The board is turned so that the first side of the name is Black. If both sides have the same
 * pieces, Black is the side to move. There is no other symmetry, because turning the board by half
 * is the only way to put dark squares on dark squares and exchanges the directions of the men. So
 * every position has a number of its own.
 *
 * A number consists of the set of squares of Black's men among 1 to 28, of White's men among 5 to
 * 32, of Black's kings among the squares without men and of White's among those left, and the side
 * to move. Numbers with two men on one square are holes.
 */
#ifndef DRAUGHTS_INDEX_H
#define DRAUGHTS_INDEX_H

#include "base/rank.h"
#include "games/draughts/rules.h"

enum {
	DRAUGHTS_INDEX_PIECES = 6, /* of both sides */
	DRAUGHTS_INDEX_SIDE = 5,   /* of one side */
	DRAUGHTS_SPACES = 82,
	DRAUGHTS_ROW = 4,				      /* squares in a row */
	DRAUGHTS_MAN_SQUARES = 28,			      /* all but the last row */
	DRAUGHTS_SETS = 1 + 32 + 496 + 4960 + 35960 + 201376, /* of up to five squares */
	DRAUGHTS_MAX_PARENTS = 4 * DRAUGHTS_INDEX_SIDE,
};

/* The pieces of a space. */
struct draughts_ending {
	int kings[2], men[2];
	bool even; /* both sides have the same */
	uint32_t king_sets[2], man_sets[2];
	uint64_t size;
};

/* Precomputed data, about 1 MB. */
struct draughts_aid {
	struct draughts_ending endings[DRAUGHTS_SPACES];
	/* The space, by the kings and men of the first side and of the other. */
	uint8_t space[DRAUGHTS_INDEX_SIDE + 1][DRAUGHTS_INDEX_SIDE + 1][DRAUGHTS_INDEX_SIDE + 1]
		     [DRAUGHTS_INDEX_SIDE + 1];
	uint32_t choose[DRAUGHTS_SQUARES][DRAUGHTS_INDEX_SIDE + 1]; /* rank_choose */
	/* The sets of squares: smaller ones first, then in the order of their numbers. */
	uint32_t sets[DRAUGHTS_SETS];
	uint32_t first[DRAUGHTS_INDEX_SIDE + 1]; /* of each size */
};

/* ---- the spaces ---- */

/* Whether the first side of a name may have these pieces; then *e is filled in. */
static inline bool draughts_ending_make(struct draughts_ending *e, int pieces, int kings, int first,
					int men)
{
	const int others = kings - first, left = pieces - kings - men;
	const int more = (first + men) - (others + left);
	if (others < 0 || left < 0 || first + men < 1 || others + left < 1 || more < 0 ||
	    (more == 0 && first < others))
		return false;
	*e = (struct draughts_ending){ .kings = { first, others },
				       .men = { men, left },
				       .even = more == 0 && first == others };
	for (int side = 0, squares = DRAUGHTS_SQUARES - men - left; side < 2; side++) {
		e->man_sets[side] = (uint32_t)rank_choose(DRAUGHTS_MAN_SQUARES, e->men[side]);
		e->king_sets[side] = (uint32_t)rank_choose(squares, e->kings[side]);
		squares -= e->kings[side];
	}
	e->size = (uint64_t)e->man_sets[0] * e->man_sets[1] * e->king_sets[0] * e->king_sets[1] *
		  (e->even ? 1 : 2);
	return true;
}

/* Lists the spaces: fewer pieces first, then those with more kings. Returns how many there are. */
static inline int draughts_endings(struct draughts_ending *list)
{
	int n = 0;
	for (int pieces = 2; pieces <= DRAUGHTS_INDEX_PIECES; pieces++)
		for (int kings = pieces; kings >= 0; kings--)
			for (int first = kings; first >= 0; first--)
				for (int men = pieces - kings; men >= 0; men--)
					n += draughts_ending_make(&list[n], pieces, kings, first,
								  men);
	return n;
}

/* The slots of struct qv_index. */
static inline bool draughts_space(const int64_t *options, int space, struct qv_space *out)
{
	struct draughts_ending list[DRAUGHTS_SPACES + 1];
	(void)options;
	if (space >= draughts_endings(list))
		return false;
	const struct draughts_ending *e = &list[space];
	char *name = out->name;
	*out = (struct qv_space){ .group = space, .size = e->size };
	for (int side = 0; side < 2; side++) {
		for (int i = 0; i < e->kings[side]; i++)
			*name++ = 'k';
		for (int i = 0; i < e->men[side]; i++)
			*name++ = 'm';
		if (!side)
			*name++ = '-';
	}
	return true;
}

static inline void draughts_prepare(struct draughts_aid *aid, const int64_t *options)
{
	struct draughts_ending list[DRAUGHTS_SPACES + 1];
	const int spaces = draughts_endings(list);
	uint32_t n = 1; /* the empty set is the first */
	(void)options;
	for (int i = 0; i < spaces; i++) {
		const struct draughts_ending *e = &list[i];
		aid->endings[i] = *e;
		aid->space[e->kings[0]][e->men[0]][e->kings[1]][e->men[1]] = (uint8_t)i;
	}
	for (int square = 0; square < DRAUGHTS_SQUARES; square++)
		for (int k = 0; k <= DRAUGHTS_INDEX_SIDE; k++)
			aid->choose[square][k] = (uint32_t)rank_choose(square, k);
	for (int pieces = 1; pieces <= DRAUGHTS_INDEX_SIDE; pieces++) {
		uint64_t set = (UINT64_C(1) << pieces) - 1;
		aid->first[pieces] = n;
		while (set <= UINT32_MAX) {
			aid->sets[n++] = (uint32_t)set;
			/* The next larger number with as many bits. */
			const uint64_t low = set & -set, up = set + low;
			set = up | ((set ^ up) / low) >> 2;
		}
	}
}

/* ---- sets of squares, in which square 1 is bit 0 ---- */

/* Leaves out the dummy squares of a bitboard, and the reverse. */
static inline uint32_t draughts_pack(uint64_t bits)
{
	return (uint32_t)((bits & 0xff) | (bits >> 1 & 0xff00) | (bits >> 2 & 0xff0000) |
			  (bits >> 3 & 0xff000000));
}

static inline uint64_t draughts_unpack(uint32_t squares)
{
	const uint64_t s = squares;
	return (s & 0xff) | (s & 0xff00) << 1 | (s & 0xff0000) << 2 | (s & 0xff000000) << 3;
}

/* Turns the board by half: square 1 becomes 32. */
static inline uint32_t draughts_turn(uint32_t squares)
{
	squares = (squares >> 1 & 0x55555555) | (squares & 0x55555555) << 1;
	squares = (squares >> 2 & 0x33333333) | (squares & 0x33333333) << 2;
	squares = (squares >> 4 & 0x0f0f0f0f) | (squares & 0x0f0f0f0f) << 4;
	return (uint32_t)(bits_flip_bytes(squares) >> 32);
}

/* The number of a set among those of its size, as if the squares of `gone` did not exist. */
static inline uint32_t draughts_rank_set(const struct draughts_aid *aid, uint32_t set,
					 uint32_t gone)
{
	uint32_t rank = 0;
	for (int k = 1; set; set &= set - 1, k++) {
		const int square = bits_lowest(set);
		const uint32_t below = (UINT32_C(1) << square) - 1;
		rank += aid->choose[square - bits_count(gone & below)][k];
	}
	return rank;
}

/* Puts the squares of `gone` back: each pushes those from its own place on up by one. */
static inline uint32_t draughts_widen(uint32_t set, uint32_t gone)
{
	for (; gone; gone &= gone - 1) {
		const uint32_t below = (gone & -gone) - 1;
		set = (set & below) | (set & ~below) << 1;
	}
	return set;
}

/* ---- for the selective search ---- */

static inline bool draughts_few(const struct draughts *s)
{
	return bits_count(s->pieces[0] | s->pieces[1]) <= DRAUGHTS_INDEX_PIECES;
}

static inline int draughts_plies_left(const struct draughts *s)
{
	return DRAUGHTS_QUIET - s->quiet;
}

/* ---- numbers ---- */

static inline bool draughts_find(const struct draughts *s, const void *aid, struct qv_place *out)
{
	const struct draughts_aid *a = aid;
	uint32_t own[2] = { draughts_pack(s->pieces[0]), draughts_pack(s->pieces[1]) };
	uint32_t kings = draughts_pack(s->kings);
	int king_count[2], man_count[2], turn = s->turn;
	if (!own[0] || !own[1] || bits_count(own[0] | own[1]) > DRAUGHTS_INDEX_PIECES)
		return false;
	for (int side = 0; side < 2; side++) {
		king_count[side] = bits_count(own[side] & kings);
		man_count[side] = bits_count(own[side] & ~kings);
	}
	/* Find the first side, and make it Black. */
	int more = king_count[1] + man_count[1] - king_count[0] - man_count[0];
	if (!more)
		more = king_count[1] - king_count[0];
	const int first = more ? more > 0 : turn;
	if (first) {
		const uint32_t turned = draughts_turn(own[0]);
		own[0] = draughts_turn(own[1]);
		own[1] = turned;
		kings = draughts_turn(kings);
		turn = 1 - turn;
	}
	/* Compose the number. */
	const int space = a->space[king_count[first]][man_count[first]][king_count[1 - first]]
				  [man_count[1 - first]];
	const struct draughts_ending *e = &a->endings[space];
	const uint32_t men = (own[0] | own[1]) & ~kings;
	uint64_t number = draughts_rank_set(a, own[0] & men, 0);
	number = number * e->man_sets[1] + draughts_rank_set(a, (own[1] & men) >> DRAUGHTS_ROW, 0);
	number = number * e->king_sets[0] + draughts_rank_set(a, own[0] & kings, men);
	number = number * e->king_sets[1] + draughts_rank_set(a, own[1] & kings, men | own[0]);
	*out = (struct qv_place){ space, 1, number + (!e->even && turn ? e->size / 2 : 0) };
	return true;
}

/* Takes the last digit off a number: a set of this many squares. */
static inline uint32_t draughts_digit(const struct draughts_aid *aid, uint64_t *number, int pieces,
				      uint32_t base)
{
	const uint64_t digit = *number % base;
	*number /= base;
	return aid->sets[aid->first[pieces] + digit];
}

/* False: two men on one square. */
static inline bool draughts_decode(struct draughts *s, const void *aid, const int64_t *options,
				   int space, uint64_t number)
{
	const struct draughts_aid *a = aid;
	const struct draughts_ending *e = &a->endings[space];
	const bool turn = !e->even && number >= e->size / 2;
	uint64_t left = turn ? number - e->size / 2 : number;
	(void)options;
	uint32_t white_kings = draughts_digit(a, &left, e->kings[1], e->king_sets[1]),
		 black_kings = draughts_digit(a, &left, e->kings[0], e->king_sets[0]);
	const uint32_t white_men = draughts_digit(a, &left, e->men[1], e->man_sets[1])
				   << DRAUGHTS_ROW,
		       black_men = draughts_digit(a, &left, e->men[0], e->man_sets[0]);
	black_kings = draughts_widen(black_kings, black_men | white_men);
	white_kings = draughts_widen(white_kings, black_men | white_men | black_kings);
	*s = (struct draughts){ .pieces = { draughts_unpack(black_men | black_kings),
					    draughts_unpack(white_men | white_kings) },
				.kings = draughts_unpack(black_kings | white_kings),
				.turn = turn };
	return !(black_men & white_men);
}

/*
 * The positions from which a move without a capture or promotion leads here. Where the side that
 * moved could have captured, it had to.
 */
static inline int draughts_parents(const struct draughts *s, struct draughts *list)
{
	const int side = 1 - s->turn, back = draughts_forward(s->turn);
	const uint64_t empty = draughts_empty(s);
	int n = 0;
	for (uint64_t left = s->pieces[side]; left; left = bits_rest(left)) {
		const uint64_t to = left & -left;
		const bool king = s->kings & to;
		const int last = king ? 3 : back + 1;
		for (int d = king ? 0 : back; d <= last; d++) {
			const uint64_t from = draughts_shift(to, d) & empty;
			struct draughts *p = &list[n];
			if (!from)
				continue;
			*p = *s;
			p->turn = (uint8_t)side;
			p->quiet = 0;
			p->pieces[side] ^= to | from;
			p->kings ^= king ? to | from : 0;
			n += !draughts_takers(p);
		}
	}
	return n;
}

/* The captures or promotions, which leave the group; *staying is the number of other moves. */
static inline int draughts_leaves(const struct draughts *s, qv_move *list, int *staying)
{
	const uint64_t takers = draughts_takers(s), last = draughts_last_row(s->turn);
	int n = 0;
	*staying = 0;
	if (takers)
		return draughts_list_captures(s, takers, s->turn, list);
	const int steps = draughts_list_steps(s, s->turn, list);
	for (int i = 0; i < steps; i++) {
		const bool king = s->kings >> draughts_from(list[i]) & 1;
		if (!king && draughts_bit(draughts_to(list[i])) & last)
			list[n++] = list[i];
	}
	*staying = steps - n;
	return n;
}

#endif
