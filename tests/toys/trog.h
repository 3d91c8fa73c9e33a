/*
 * trog.h - trog against trog: two men chase each other, and no game is ever a draw.
 * SPDX-License-Identifier: MIT
 *
 * On a board of width x height each man steps to a square beside it, not diagonally. Who steps onto
 * the other has won. Positions may come back for ever, so only working backwards solves it. What is
 * known from outside: the side to move loses if the men are an even number of steps apart, and wins
 * otherwise; on 6x6 the longest win takes 17 plies, the longest loss 18.
 *
 * The rules are inline, so that a program can also stamp them. Squares are numbered from 0, row by
 * row; a move is the square the man goes to.
 */
#ifndef TOYS_TROG_H
#define TOYS_TROG_H

#include "quevedo.h"

enum { TROG_MAX_MOVES = 4, TROG_TAKEN = 0xffff, TROG_LARGEST = 255 };

struct trog {
	uint16_t at[2];            /* TROG_TAKEN: it was; then that seat is to move */
	uint8_t turn, width, height, unused;
};
_Static_assert(sizeof(struct trog) == 8, "no padding");

static inline void trog_start(struct trog *s, const int64_t *options)
{
	*s = (struct trog){ .width = (uint8_t)options[0], .height = (uint8_t)options[1] };
	s->at[1] = (uint16_t)(s->width * s->height - 1);
}

static inline int trog_seat(const struct trog *s)
{
	return s->turn;
}

/* The squares beside one. */
static inline int trog_beside(const struct trog *s, int square, int list[4])
{
	const int x = square % s->width, y = square / s->width;
	int n = 0;
	if (y > 0)
		list[n++] = square - s->width;
	if (x > 0)
		list[n++] = square - 1;
	if (x < s->width - 1)
		list[n++] = square + 1;
	if (y < s->height - 1)
		list[n++] = square + s->width;
	return n;
}

static inline int trog_moves(const struct trog *s, qv_move *list)
{
	int squares[4];
	const int n = trog_beside(s, s->at[s->turn], squares);
	for (int i = 0; i < n; i++)
		list[i] = (qv_move)squares[i];
	return n;
}

static inline void trog_play(struct trog *s, qv_move move)
{
	s->at[s->turn] = (uint16_t)move;
	s->turn ^= 1;
	if (s->at[s->turn] == (uint16_t)move)
		s->at[s->turn] = TROG_TAKEN;
}

static inline enum qv_outcome trog_result(const struct trog *s, int32_t *points)
{
	if (s->at[s->turn] != TROG_TAKEN)
		return QV_GOING;
	points[s->turn] = 0;
	points[1 - s->turn] = 1;
	return QV_ENDED;
}

static inline uint64_t trog_hash(const struct trog *s)
{
	return qv_hash_bytes(s, sizeof *s);
}

/* ---- the index: who is to move does not matter, only which square is the mover's ---- */

static inline bool trog_space(const int64_t *options, int space, struct qv_space *out)
{
	const uint64_t squares = (uint64_t)(options[0] * options[1]);
	*out = (struct qv_space){ .name = "two-men", .size = squares * squares };
	return space == 0;
}

static inline uint64_t trog_number(const struct trog *s)
{
	return (uint64_t)s->at[s->turn] * s->width * s->height + s->at[1 - s->turn];
}

static inline bool trog_find(const struct trog *s, const void *aid, struct qv_place *out)
{
	(void)aid;
	if (s->at[s->turn] == TROG_TAKEN)
		return false;
	*out = (struct qv_place){ 0, 1, trog_number(s) };
	return true;
}

static inline bool trog_decode(struct trog *s, const void *aid, const int64_t *options, int space,
			       uint64_t number)
{
	(void)aid;
	const uint64_t squares = (uint64_t)(options[0] * options[1]);
	(void)space;
	trog_start(s, options);
	s->at[0] = (uint16_t)(number / squares);
	s->at[1] = (uint16_t)(number % squares);
	return s->at[0] != s->at[1];
}

/* The one who has just moved came from a square beside, which the other is not on. */
static inline int trog_parents(const struct trog *s, struct trog *list)
{
	const int mover = 1 - s->turn;
	int squares[4], parents = 0;
	const int n = trog_beside(s, s->at[mover], squares);
	for (int i = 0; i < n; i++) {
		if (squares[i] == s->at[s->turn])
			continue;
		list[parents] = *s;
		list[parents].turn = (uint8_t)mover;
		list[parents++].at[mover] = (uint16_t)squares[i];
	}
	return parents;
}

#endif
