/*
 * prover.h - connect-four: can this side force four in a row?
 * SPDX-License-Identifier: MIT
 *
 * One side attacks, the other defends; a draw is as good as a win for the defender. So a position
 * has one bit of value, and a slot of the table is 4 bytes:
 *
 *    31............4 3......1 0
 *    tag             work     attacker wins
 *
 * Tag and bucket together are the number of the position and the attacker, well mixed, so a hit is
 * never another's. An entry holds for one `last` only.
 */
#ifndef CONNECT4_PROVER_H
#define CONNECT4_PROVER_H

#include "base/memory.h"
#include "games/connect4/rules.h"

struct c4_prover {
	uint32_t *slots;
	int bits;                  /* there are 2^bits buckets */
	int last;                  /* the four must stand with so many discs on the board */
	uint64_t nodes, poll_at;
	const atomic_bool *stop;   /* NULL: never */
	bool stopped;              /* then no answer means anything */
};

enum qv_status c4_prover_init(struct c4_prover *p, const struct qv_allocator *allocator,
			      size_t bytes);
void c4_prover_release(struct c4_prover *p, const struct qv_allocator *allocator);
/* Before a question: counts nodes from 0, and forgets answers for another `last`. */
void c4_prover_start(struct c4_prover *p, int last, const atomic_bool *stop);

/* Whether the first (second) player can force a four, whoever is to move; the game goes on. */
bool c4_first_wins(struct c4_prover *p, const struct c4 *s);
bool c4_second_wins(struct c4_prover *p, const struct c4 *s);

#endif
