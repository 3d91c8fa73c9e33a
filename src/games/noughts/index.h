/*
 * index.h - numbers the 765 positions of noughts and crosses, up to symmetry, for tables.
 * SPDX-License-Identifier: MIT
 *
 * There is a space for each number of marks. The full board comes first, because moves lead there.
 * The number of a position combines which squares are taken with which of these hold crosses. Of
 * the eight symmetric positions the smallest number counts.
 */
#ifndef NOUGHTS_INDEX_H
#define NOUGHTS_INDEX_H

#include "base/rank.h"
#include "games/noughts/rules.h"

enum { NOUGHTS_SQUARES = 9, NOUGHTS_SYMMETRIES = 8 };

/* Space n has the positions with 9 - n marks; false: there is no such space. */
static inline bool noughts_space(const int64_t *options, int space, struct qv_space *out)
{
	const int stones = NOUGHTS_SQUARES - space;
	(void)options;
	if (stones < 0)
		return false;
	snprintf(out->name, sizeof out->name, "ply%d", stones);
	out->group = space;
	out->size = rank_choose(NOUGHTS_SQUARES, stones) * rank_choose(stones, (stones + 1) / 2);
	return true;
}

/* The number of the position as it stands, without symmetry. */
static inline uint64_t noughts_number(const struct noughts *s)
{
	const uint64_t all = (uint64_t)noughts_occupied(s);
	const int stones = bits_count(all);
	return rank_of(all) * rank_choose(stones, (stones + 1) / 2) +
	       rank_of(rank_squeeze(s->stones[0], ~all));
}

/* Sets *out to the place of a position: the smallest number among its symmetries. */
static inline bool noughts_find(const struct noughts *s, const void *aid, struct qv_place *out)
{
	(void)aid;
	const uint64_t own = noughts_number(s);
	*out = (struct qv_place){ NOUGHTS_SQUARES - bits_count((uint64_t)noughts_occupied(s)), 0, own };
	for (int k = 0; k < NOUGHTS_SYMMETRIES; k++) {
		struct noughts image;
		noughts_image(s, k, &image);
		const uint64_t number = noughts_number(&image);
		out->weight += number == own;
		out->number = number < out->number ? number : out->number;
	}
	return true;
}

/* Makes the position with a number; false: the number is not in use. */
static inline bool noughts_decode(struct noughts *s, const void *aid, const int64_t *options,
				  int space, uint64_t number)
{
	const int stones = NOUGHTS_SQUARES - space, crosses = (stones + 1) / 2;
	const uint64_t ways = rank_choose(stones, crosses), all = rank_set(number / ways, stones);
	struct qv_place place;
	(void)options;
	s->stones[0] = (uint16_t)rank_spread(rank_set(number % ways, crosses), ~all);
	s->stones[1] = (uint16_t)(all & ~(uint64_t)s->stones[0]);
	/* The first line ends the game, so the side to move cannot have one. */
	return !noughts_has_line(s->stones[noughts_seat(s)]) && noughts_find(s, aid, &place) &&
	       place.number == number;
}

#endif
