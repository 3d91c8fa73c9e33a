/*
 * values.h - the values of a space's positions: one or two bytes each, for the side to move.
 * SPDX-License-Identifier: MIT
 *
 * A code is 0 for a draw (during a build: not known yet), otherwise the plies to the end plus one:
 * an even number of plies is a loss, an odd one a win. All ones is a hole: a number that stands for
 * no position. Threads read and write concurrently with relaxed atomics; retro.inc.h says why the
 * result does not depend on their order.
 */
#ifndef SOLVE_VALUES_H
#define SOLVE_VALUES_H

#include "base/memory.h"

#define CODE_DRAW UINT32_C(0)
#define CODE_LOST UINT32_C(1) /* the game has ended, and the side to move has lost */
#define CODE_HOLE UINT32_MAX

struct values {
	unsigned char *data;
	uint64_t size;
	int width;                 /* bytes of a value, 1 or 2 */
};

static inline bool code_wins(uint32_t code)
{
	return code != CODE_HOLE && code && code % 2 == 0;
}

static inline bool code_loses(uint32_t code)
{
	return code != CODE_HOLE && code % 2 == 1;
}

static inline int code_plies(uint32_t code)
{
	return (int)code - 1;
}

/* The stored code of a hole: one more than the greatest code that the width can hold. */
static inline uint32_t values_ones(int width)
{
	return width == 1 ? 0xff : 0xffff;
}

static inline uint32_t values_get(const struct values *v, uint64_t at)
{
	uint32_t code;
	if (v->width == 1)
		code = __atomic_load_n(v->data + at, __ATOMIC_RELAXED);
	else
		code = __atomic_load_n((const uint16_t *)(const void *)v->data + at,
				       __ATOMIC_RELAXED);
	return code == values_ones(v->width) ? CODE_HOLE : code;
}

/* False: the code is too large for the width, and nothing was changed. */
static inline bool values_put(struct values *v, uint64_t at, uint32_t code)
{
	if (code == CODE_HOLE)
		code = values_ones(v->width);
	else if (code >= values_ones(v->width))
		return false;
	if (v->width == 1)
		__atomic_store_n(v->data + at, (uint8_t)code, __ATOMIC_RELAXED);
	else
		__atomic_store_n((uint16_t *)(void *)v->data + at, (uint16_t)code,
				 __ATOMIC_RELAXED);
	return true;
}

/* values_next scans eight bytes at a time. */
typedef uint64_t __attribute__((may_alias)) values_word;

/*
 * The first place in [from, to) with this code, which must not be CODE_HOLE; `to` if there is no
 * such.
 */
static inline uint64_t values_next(const struct values *v, uint64_t from, uint64_t to,
				   uint32_t code)
{
	const int lane = 8 * v->width;
	const uint64_t lanes = 8 / (uint64_t)v->width, ones = UINT64_MAX / values_ones(v->width);
	if (code >= values_ones(v->width))
		return to;
	while (from < to) {
		if (from % lanes == 0 && to - from >= lanes) {
			const values_word *word = (const void *)(v->data + from * (uint64_t)v->width);
			const uint64_t x = __atomic_load_n(word, __ATOMIC_RELAXED) ^ ones * code;
			if (!((x - ones) & ~x & ones << (lane - 1))) {
				from += lanes;
				continue;
			}
		}
		do {
			if (values_get(v, from) == code)
				return from;
		} while (++from < to && from % lanes);
	}
	return to;
}

#endif
