/*
 * rules.h - 3D noughts and crosses (Qubic): four in a line in a 4x4x4 cube. Crosses moves first.
 * SPDX-License-Identifier: MIT
 *
 * Square 16 * level + 4 * row + column is a bit of a word; a move is that bit alone. The number of
 * a square has six binary digits, two for each coordinate. All 76 lines and all 192 symmetries are
 * simple in these digits.
 */
#ifndef NOUGHTS3D_RULES_H
#define NOUGHTS3D_RULES_H

#include "base/bits.h"
#include "quevedo.h"

struct n3 {
	uint64_t mine;             /* marks of the side to move */
	uint64_t theirs;
};
_Static_assert(sizeof(struct n3) == 16, "no padding");

enum { N3_SIDE = 4, N3_SQUARES = 64, N3_LINES = 76, N3_DIRECTIONS = 13, N3_SYMMETRIES = 192 };

static inline void n3_start(struct n3 *s, const int64_t *options)
{
	(void)options;
	*s = (struct n3){ 0, 0 };
}

static inline int n3_seat(const struct n3 *s)
{
	return bits_count(s->mine | s->theirs) & 1;
}

/* In the order of the squares. */
static inline int n3_moves(const struct n3 *s, qv_move *list)
{
	int n = 0;
	for (uint64_t free = ~(s->mine | s->theirs); free; free = bits_rest(free))
		list[n++] = free & (0 - free);
	return n;
}

static inline void n3_play(struct n3 *s, qv_move move)
{
	const uint64_t mine = s->mine | move;
	s->mine = s->theirs;
	s->theirs = mine;
}

/*
 * The lines, by direction. X(step, starts, ...): for each square a in starts there is a line of a,
 * a + step, a + 2 step and a + 3 step. Step 1 leads to the next column, 4 to the next row, 16 to
 * the next level; the other steps are sums and differences of these. The last two numbers are for
 * counting: shifted up by `place`, the starts of all directions with the same word do not overlap.
 */
#define N3_EACH_DIRECTION(X)                              \
	X(1, UINT64_C(0x1111111111111111), 0, 0)          \
	X(4, UINT64_C(0x000f000f000f000f), 1, 0)          \
	X(16, UINT64_C(0x000000000000ffff), 2, 0)         \
	X(4 + 1, UINT64_C(0x0001000100010001), 0, 1)      \
	X(4 - 1, UINT64_C(0x0008000800080008), 0, 0)      \
	X(16 + 1, UINT64_C(0x1111), 0, 2)                 \
	X(16 - 1, UINT64_C(0x8888), 0, 15)                \
	X(16 + 4, UINT64_C(0x000f), 1, 4)                 \
	X(16 - 4, UINT64_C(0xf000), 1, 0)                 \
	X(16 + 4 + 1, UINT64_C(0x0001), 2, 16)            \
	X(16 + 4 - 1, UINT64_C(0x0008), 2, 16)            \
	X(16 - 4 + 1, UINT64_C(0x1000), 2, 16)            \
	X(16 - 4 - 1, UINT64_C(0x8000), 2, 16)

/* The first squares of the full lines of a direction. */
static inline uint64_t n3_fours(uint64_t stones, int step, uint64_t starts)
{
	const uint64_t pairs = stones & (stones >> step);
	return pairs & (pairs >> 2 * step) & starts;
}

static inline bool n3_has_four(uint64_t stones)
{
	uint64_t fours = 0;
#define X(step, starts, word, place) fours |= n3_fours(stones, step, starts);
	N3_EACH_DIRECTION(X)
#undef X
	return fours != 0;
}

static inline enum qv_outcome n3_result(const struct n3 *s, int32_t *points)
{
	const bool won = n3_has_four(s->theirs);       /* only the last to move can have a four */
	if (!won && ~(s->mine | s->theirs))
		return QV_GOING;
	const int mover = n3_seat(s);
	points[mover] = 0;
	points[1 - mover] = won;
	return QV_ENDED;
}

static inline int n3_count(const struct n3 *s)
{
	return n3_has_four(s->theirs) ? 0 : bits_count(~(s->mine | s->theirs));
}

static inline uint64_t n3_hash(const struct n3 *s)
{
	return qv_mix(s->mine + qv_mix(s->theirs + UINT64_C(0x9e3779b97f4a7c15)));
}

/* Lists the lines through a square, at most N3_THROUGH; returns how many. */
enum { N3_THROUGH = 7 };
static inline int n3_lines_through(int square, uint64_t lines[N3_THROUGH])
{
	const int column = square & 3, row = square >> 2 & 3, level = square >> 4;
	int n = 0;
	lines[n++] = UINT64_C(0xf) << (square & 60);
	lines[n++] = UINT64_C(0x1111) << (square & 51);
	lines[n++] = UINT64_C(0x0001000100010001) << (square & 15);
	if (column == row)
		lines[n++] = UINT64_C(0x8421) << 16 * level;
	if (column + row == 3)
		lines[n++] = UINT64_C(0x1248) << 16 * level;
	if (column == level)
		lines[n++] = UINT64_C(0x0008000400020001) << 4 * row;
	if (column + level == 3)
		lines[n++] = UINT64_C(0x0001000200040008) << 4 * row;
	if (row == level)
		lines[n++] = UINT64_C(0x1000010000100001) << column;
	if (row + level == 3)
		lines[n++] = UINT64_C(0x0001001001001000) << column;
	if (column == row && column == level)
		lines[n++] = UINT64_C(0x8000040000200001);
	if (column + row == 3 && row == level)
		lines[n++] = UINT64_C(0x1000020000400008);
	if (column + row == 3 && column == level)
		lines[n++] = UINT64_C(0x0008004002001000);
	if (column == row && column + level == 3)
		lines[n++] = UINT64_C(0x0001002004008000);
	return n;
}

/*
 * Move ordering: a line with marks of one side only counts more, the more marks it has. Completing
 * an own line comes first, then blocking one. The values are large, so that the search's own
 * history adds little.
 */
static inline int32_t n3_rank(const struct n3 *s, qv_move move)
{
	static const int32_t make[N3_SIDE] = { 1 << 8, 4 << 8, 16 << 8, 1 << 20 };
	static const int32_t spoil[N3_SIDE] = { 0, 3 << 8, 12 << 8, 1 << 17 };
	uint64_t lines[N3_THROUGH];
	int32_t value = 0;
	for (int n = n3_lines_through(bits_lowest(move), lines); n > 0; n--) {
		const uint64_t line = lines[n - 1];
		if (!(s->theirs & line))
			value += make[bits_count(s->mine & line)];
		else if (!(s->mine & line))
			value += spoil[bits_count(s->theirs & line)];
	}
	return value;
}

/* ---- Symmetries ---- */

/* The squares whose number has a 1 in digit d. */
static const uint64_t n3_digit[6] = {
	UINT64_C(0xaaaaaaaaaaaaaaaa), UINT64_C(0xcccccccccccccccc), UINT64_C(0xf0f0f0f0f0f0f0f0),
	UINT64_C(0xff00ff00ff00ff00), UINT64_C(0xffff0000ffff0000), UINT64_C(0xffffffff00000000),
};

/* Moves every mark to the square whose number differs in digit d. */
static inline uint64_t n3_flip(uint64_t stones, int d)
{
	return (stones & n3_digit[d]) >> (1 << d) | (stones & ~n3_digit[d]) << (1 << d);
}

/* Moves every mark to the square whose number has digits d and e swapped; d < e. */
static inline uint64_t n3_exchange(uint64_t stones, int d, int e)
{
	const int distance = (1 << e) - (1 << d);
	const uint64_t differ =
		((stones >> distance) ^ stones) & n3_digit[d] & ~n3_digit[e];
	return stones ^ differ ^ (differ << distance);
}

/* Swaps two coordinates: 0 columns, 1 rows, 2 levels. */
static inline uint64_t n3_turn(uint64_t stones, int one, int other)
{
	return n3_exchange(n3_exchange(stones, 2 * one, 2 * other), 2 * one + 1, 2 * other + 1);
}

/*
 * Symmetry k. Lines stay lines if the coordinates change places (6 ways), and if the places 0123 of
 * all three are renamed alike by a permutation that keeps opposite places opposite (8 ways: swap
 * the two digits and flip either). Rows or levels may also be reversed alone, 3210, by flipping
 * both digits (4 ways). Reversing columns alone is the same as reversing all three and then the
 * other two. 6 * 8 * 4 = 192.
 */
static inline uint64_t n3_transform(uint64_t stones, int k)
{
	const int flips = k & 3, reversed = k >> 2 & 3, axes = k >> 5;
	for (int axis = 0; axis < 3; axis++) {
		const int turned = axis && reversed >> (axis - 1) & 1 ? 3 : 0;
		for (int digit = 0; digit < 2; digit++)
			if ((flips ^ turned) >> digit & 1)
				stones = n3_flip(stones, 2 * axis + digit);
		if (k >> 4 & 1)
			stones = n3_exchange(stones, 2 * axis, 2 * axis + 1);
	}
	if (axes & 1)
		stones = n3_turn(stones, 0, 1);
	if (axes >> 1)
		stones = n3_turn(stones, axes >> 1 & 1 ? 0 : 1, 2);
	return stones;
}

static inline void n3_image(const struct n3 *s, int k, struct n3 *out)
{
	*out = (struct n3){ n3_transform(s->mine, k), n3_transform(s->theirs, k) };
}

static inline qv_move n3_image_move(const struct n3 *s, int k, qv_move move)
{
	(void)s;
	return n3_transform(move, k);
}

/* text.c: the slots of struct qv_game with these names. */
void n3_move_text(const struct n3 *s, qv_move move, struct qv_text *out);
void n3_position_text(const struct n3 *s, struct qv_text *out);
enum qv_status n3_position_parse(struct n3 *s, const int64_t *options, const char *text,
				 struct qv_error *error);
void n3_draw(const struct n3 *s, bool unicode, struct qv_text *out);

extern const struct qv_board n3_board;     /* board.c */

#endif
