/*
 * prover.h - connect-four: can this side force four in a row? The table, and what both provers share.
 * SPDX-License-Identifier: MIT
 *
 * One side attacks, the other defends; a draw is as good as a win for the defender. So a position
 * has one bit of value, and a slot of the table is 4 bytes:
 *
 *    31............5 4......1 0
 *    tag             work     attacker wins
 *
 * Tag and bucket together are the position's number, well mixed, so a hit is never another position.
 */
#ifndef CONNECT4_PROVER_H
#define CONNECT4_PROVER_H

#include "base/memory.h"
#include "games/connect4/evaluate.h"

enum {
	C4_SQUARES = C4_WIDTH * C4_HEIGHT,
	C4_BUCKET = 4,             /* slots looked at for a position */
	C4_STORE_BELOW = 32,       /* discs: later subtrees are cheaper than a probe */
	C4_TAG_SHIFT = 5,
	C4_TOUCHED = 1 << 16,      /* slots filled that are remembered one by one */
};

/* Rows 1, 3, 5 and 2, 4, 6, counted from 1. The first player gets the last move of odd columns. */
#define C4_ODD_ROWS (C4_BOTTOM | C4_BOTTOM << 2 | C4_BOTTOM << 4)
#define C4_EVEN_ROWS (C4_ODD_ROWS << 1)

struct c4_prover {
	uint32_t *slots;
	int bits;                  /* there are 2^bits buckets */
	uint32_t *touched;         /* so that a small search need not clear a large table */
	uint64_t touched_count;
	int last;                  /* the four must stand with so many discs on the board */
	uint64_t nodes, poll_at;
	const atomic_bool *stop;   /* NULL: never */
	bool stopped;              /* then no answer means anything */
};

/* A position for a prover: the attacker's discs and all, as they are and mirrored. */
struct c4_case {
	uint64_t mine, all, mirror_mine, mirror_all;
};

enum qv_status c4_prover_init(struct c4_prover *p, const struct qv_allocator *allocator,
			      size_t bytes);
void c4_prover_release(struct c4_prover *p, const struct qv_allocator *allocator);
/* Forgets the table; needed when `last` or the attacker changes. */
void c4_prover_clear(struct c4_prover *p);

/* Whether the first (second) player, whoever is to move, can force a four. */
bool c4_first_wins(struct c4_prover *p, const struct c4 *s);
bool c4_second_wins(struct c4_prover *p, const struct c4 *s);

#endif
