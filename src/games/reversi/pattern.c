/*
 * pattern.c - reversi: the patterns of the trained evaluation, and their places on the board.
 * SPDX-License-Identifier: MIT
 *
 * The eleven patterns are listed once. reversi_patterns_init places each of them on the board under
 * all eight symmetries, and skips a place that has the same squares as one before.
 */
#include "games/reversi/pattern.h"

/*
 * The squares in the order of their digits, least significant first; and that order from the other
 * side, if the pattern is symmetric.
 */
struct pattern {
	uint32_t first;
	int length;
	bool has_mirror;
	uint8_t squares[PATTERN_SQUARES], mirror[PATTERN_SQUARES];
};

#define REVERSED_8                     \
	{                              \
		7, 6, 5, 4, 3, 2, 1, 0 \
	}
static const struct pattern patterns[] = {
	{ PATTERN_EDGE,
	  10,
	  true,
	  { 0, 1, 2, 3, 4, 5, 6, 7, 9, 14 },
	  { 7, 6, 5, 4, 3, 2, 1, 0, 9, 8 } },
	{ PATTERN_OBLONG, 10, false, { 0, 1, 2, 3, 4, 8, 9, 10, 11, 12 }, { 0 } },
	{ PATTERN_CORNER,
	  9,
	  true,
	  { 0, 1, 2, 8, 9, 10, 16, 17, 18 },
	  { 0, 3, 6, 1, 4, 7, 2, 5, 8 } },
	{ PATTERN_ROW_2, 8, true, { 8, 9, 10, 11, 12, 13, 14, 15 }, REVERSED_8 },
	{ PATTERN_ROW_3, 8, true, { 16, 17, 18, 19, 20, 21, 22, 23 }, REVERSED_8 },
	{ PATTERN_ROW_4, 8, true, { 24, 25, 26, 27, 28, 29, 30, 31 }, REVERSED_8 },
	{ PATTERN_DIAGONAL_8, 8, true, { 0, 9, 18, 27, 36, 45, 54, 63 }, REVERSED_8 },
	{ PATTERN_DIAGONAL_7, 7, true, { 1, 10, 19, 28, 37, 46, 55 }, { 6, 5, 4, 3, 2, 1, 0 } },
	{ PATTERN_DIAGONAL_6, 6, true, { 2, 11, 20, 29, 38, 47 }, { 5, 4, 3, 2, 1, 0 } },
	{ PATTERN_DIAGONAL_5, 5, true, { 3, 12, 21, 30, 39 }, { 4, 3, 2, 1, 0 } },
	{ PATTERN_DIAGONAL_4, 4, true, { 4, 13, 22, 31 }, { 3, 2, 1, 0 } },
	{ PATTERN_MY_MOVES, 0, false, { 0 }, { 0 } },
	{ PATTERN_THEIR_MOVES, 0, false, { 0 }, { 0 } },
};
_Static_assert(sizeof patterns / sizeof *patterns == PATTERN_KINDS, "as the header says");

static uint64_t squares_image(const struct pattern *p, int image)
{
	uint64_t set = 0;
	for (int i = 0; i < p->length; i++)
		set |= reversi_image_squares(UINT64_C(1) << p->squares[i], image);
	return set;
}

/* Whether an earlier symmetry covers the same squares. */
static bool is_seen(const struct pattern *p, int image)
{
	for (int i = 0; i < image; i++)
		if (squares_image(p, i) == squares_image(p, image))
			return true;
	return false;
}

static void add_place(struct reversi_patterns *out, const struct pattern *p, int image, int slot)
{
	uint16_t power = 1;
	for (int i = 0; i < p->length; i++, power = (uint16_t)(3 * power)) {
		const int square =
			bits_lowest(reversi_image_squares(UINT64_C(1) << p->squares[i], image));
		for (unsigned discs = 0; discs < 16; discs++)
			if (discs >> square % 4 & 1)
				out->steps[square / 4][discs][slot] += power;
	}
}

void reversi_patterns_init(struct reversi_patterns *out)
{
	int slot = 0;
	memset(out->steps, 0, sizeof out->steps);
	for (const struct pattern *p = patterns; p->length; p++)
		for (int image = 0; image < 8; image++)
			if (!is_seen(p, image))
				add_place(out, p, image, slot++);
}

static const struct pattern *pattern_of(uint32_t place)
{
	const struct pattern *p = patterns + PATTERN_KINDS - 1;
	while (p->first > place)
		p--;
	return p;
}

uint32_t reversi_pattern_same(uint32_t place)
{
	const struct pattern *p = pattern_of(place);
	uint32_t digits[PATTERN_SQUARES], rest = place - p->first, other = 0;
	if (!p->has_mirror)
		return place;
	for (int i = 0; i < p->length; i++, rest /= 3)
		digits[i] = rest % 3;
	for (int i = p->length - 1; i >= 0; i--)
		other = 3 * other + digits[p->mirror[i]];
	return p->first + other < place ? p->first + other : place;
}
