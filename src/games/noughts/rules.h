/*
 * rules.h - noughts and crosses: three in a row on a 3x3 board. Crosses moves first.
 * SPDX-License-Identifier: MIT
 *
 * Squares are bits 0 to 8, row by row from the top left. A move is the number of its square. Each
 * side is a set of squares, so a line is one comparison.
 */
#ifndef NOUGHTS_RULES_H
#define NOUGHTS_RULES_H

#include "base/bits.h"
#include "quevedo.h"

struct noughts {
	uint16_t stones[2];        /* crosses, noughts */
};
_Static_assert(sizeof(struct noughts) == 4, "no padding");

enum { NOUGHTS_FULL = 0x1ff, NOUGHTS_LINES = 8 };

/* The rows, the columns and the two diagonals, as sets of squares. */
static const uint16_t noughts_lines[NOUGHTS_LINES] = {
	0x007, 0x038, 0x1c0, 0x049, 0x092, 0x124, 0x111, 0x054,
};

static inline void noughts_start(struct noughts *s, const int64_t *options)
{
	(void)options;
	*s = (struct noughts){ { 0, 0 } };
}

static inline int noughts_occupied(const struct noughts *s)
{
	return s->stones[0] | s->stones[1];
}

/* Both sides take turns, so the number of marks shows whose turn it is. */
static inline int noughts_seat(const struct noughts *s)
{
	return bits_count((uint64_t)noughts_occupied(s)) & 1;
}

/* In the order of the squares. */
static inline int noughts_moves(const struct noughts *s, qv_move *list)
{
	int n = 0;
	for (int free = ~noughts_occupied(s) & NOUGHTS_FULL; free; free &= free - 1)
		list[n++] = (qv_move)bits_lowest((uint64_t)free);
	return n;
}

static inline void noughts_play(struct noughts *s, qv_move move)
{
	s->stones[noughts_seat(s)] |= (uint16_t)(1 << move);
}

static inline bool noughts_has_line(int stones)
{
	for (int i = 0; i < NOUGHTS_LINES; i++)
		if ((stones & noughts_lines[i]) == noughts_lines[i])
			return true;
	return false;
}

/* Only the last to move can have a line. */
static inline enum qv_outcome noughts_result(const struct noughts *s, int32_t *points)
{
	const int last = 1 - noughts_seat(s);
	const bool won = noughts_has_line(s->stones[last]);
	if (!won && noughts_occupied(s) != NOUGHTS_FULL)
		return QV_GOING;
	points[last] = won;
	points[1 - last] = 0;
	return QV_ENDED;
}

static inline uint64_t noughts_hash(const struct noughts *s)
{
	return qv_mix(((uint64_t)s->stones[0] << 16 | s->stones[1]) + 1);
}

/* Lines still open to me minus those open to the opponent, weighted by the marks in them. */
QV_ALWAYS_INLINE int32_t noughts_evaluate_as(const struct noughts *s, const void *weights,
					     struct qv_terms *terms)
{
	const int32_t *w = weights;        /* of an open line with 0, 1, 2, 3 marks */
	const int me = noughts_seat(s), mine = s->stones[me], theirs = s->stones[1 - me];
	int32_t value = 0;
	for (int i = 0; i < NOUGHTS_LINES; i++) {
		const int line = noughts_lines[i];
		if (!(theirs & line))
			value += qv_weigh(terms, w, bits_count((uint64_t)(mine & line)), me, 1);
		if (!(mine & line))
			value -= qv_weigh(terms, w, bits_count((uint64_t)(theirs & line)), 1 - me,
					  1);
	}
	return value;
}

static inline int32_t noughts_evaluate(const struct noughts *s, const void *weights)
{
	return noughts_evaluate_as(s, weights, NULL);
}

/* Move ordering: the centre first, then the corners. */
static inline int32_t noughts_rank(const struct noughts *s, qv_move move)
{
	(void)s;
	return move == 4 ? 2 : !(move & 1);
}

/* Symmetry k: bit 2 mirrors left to right, then come k & 3 quarter turns clockwise. */
static inline qv_move noughts_image_move(const struct noughts *s, int k, qv_move move)
{
	(void)s;
	int x = (int)move % 3, y = (int)move / 3;
	if (k & 4)
		x = 2 - x;
	for (int turns = k & 3; turns; turns--) {
		const int old_x = x;
		x = 2 - y;
		y = old_x;
	}
	return (qv_move)(y * 3 + x);
}

static inline void noughts_image(const struct noughts *s, int k, struct noughts *out)
{
	struct noughts image = { { 0, 0 } };
	for (int seat = 0; seat < 2; seat++)
		for (int left = s->stones[seat]; left; left &= left - 1)
			image.stones[seat] |=
				(uint16_t)(1 << noughts_image_move(
						   s, k, (qv_move)bits_lowest((uint64_t)left)));
	*out = image;
}

/*
 * text.c: the slots of struct qv_game with these names. The parser refuses positions that no game
 * can reach, and leaves *s unchanged if it fails.
 */
void noughts_move_text(const struct noughts *s, qv_move move, struct qv_text *out);
void noughts_position_text(const struct noughts *s, struct qv_text *out);
enum qv_status noughts_position_parse(struct noughts *s, const int64_t *options, const char *text,
				      struct qv_error *error);
void noughts_draw(const struct noughts *s, bool unicode, struct qv_text *out);

extern const struct qv_board noughts_board;     /* board.c */

#endif
