/*
 * bits.h - sets of up to 64 squares as words. All of it compiles to an instruction or two.
 * SPDX-License-Identifier: MIT
 */
#ifndef BASE_BITS_H
#define BASE_BITS_H

#include <stdint.h>

static inline int bits_count(uint64_t b)
{
	return __builtin_popcountll(b);
}

/* The number of the lowest bit; b must not be 0. */
static inline int bits_lowest(uint64_t b)
{
	return __builtin_ctzll(b);
}

/* The number of the highest bit; b must not be 0. */
static inline int bits_highest(uint64_t b)
{
	return 63 - __builtin_clzll(b);
}

/* Takes the lowest bit away. */
static inline uint64_t bits_rest(uint64_t b)
{
	return b & (b - 1);
}

/* The eight bytes in opposite order: an 8x8 board upside down. */
static inline uint64_t bits_flip_bytes(uint64_t b)
{
	return __builtin_bswap64(b);
}

#endif
