/*
 * index.h - numbers the positions of hexapawn for tables; mirrored positions share a number.
 * SPDX-License-Identifier: MIT
 *
 * One space holds them all. A number has the squares as digits in base three, and the side to move.
 * Many numbers have no position, but the space is so small that it does not matter.
 */
#ifndef HEXAPAWN_INDEX_H
#define HEXAPAWN_INDEX_H

#include "games/hexapawn/rules.h"

enum { HEXAPAWN_BOARDS = 19683 /* three to the ninth */ };

/* The only space is number 0. */
static inline bool hexapawn_space(const int64_t *options, int space, struct qv_space *out)
{
	(void)options;
	*out = (struct qv_space){ .name = "all", .size = 2 * HEXAPAWN_BOARDS };
	return space == 0;
}

/* The number of the position as it stands, not mirrored. */
static inline uint64_t hexapawn_number(const struct hexapawn *s)
{
	uint64_t number = 0;
	for (int square = 8; square >= 0; square--)
		number = 3 * number + (s->pawns[0] >> square & 1) + 2 * (s->pawns[1] >> square & 1);
	return number + s->turn * (uint64_t)HEXAPAWN_BOARDS;
}

/* Sets *out to the place of a position: the smaller number of itself and its mirror image. */
static inline bool hexapawn_find(const struct hexapawn *s, const void *aid, struct qv_place *out)
{
	(void)aid;
	struct hexapawn mirrored;
	hexapawn_image(s, 1, &mirrored);
	const uint64_t own = hexapawn_number(s), other = hexapawn_number(&mirrored);
	*out = (struct qv_place){ 0, own == other ? 2 : 1, own < other ? own : other };
	return true;
}

/* Makes the position with a number; false: the number is not in use. */
static inline bool hexapawn_decode(struct hexapawn *s, const void *aid, const int64_t *options,
				   int space, uint64_t number)
{
	struct qv_place place;
	(void)space;
	*s = (struct hexapawn){ .turn = number >= HEXAPAWN_BOARDS, .blocked = (uint8_t)options[0] };
	uint64_t left = number % HEXAPAWN_BOARDS;
	for (int square = 0; square < 9; square++, left /= 3)
		if (left % 3)
			s->pawns[left % 3 - 1] |= (uint16_t)(1 << square);
	/* As the checks of hexapawn_position_parse. */
	const int mover = s->turn, other = 1 - mover;
	return bits_count(s->pawns[0]) <= 3 && bits_count(s->pawns[1]) <= 3 && s->pawns[other] &&
	       !(s->pawns[mover] & hexapawn_goal[mover]) &&
	       bits_count(s->pawns[other] & hexapawn_goal[other]) <= 1 &&
	       hexapawn_find(s, aid, &place) && place.number == number;
}

#endif
