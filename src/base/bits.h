/*
 * bits.h - bit sets of up to 64 squares. Every function compiles to one or two instructions.
 * SPDX-License-Identifier: MIT
 */
#ifndef BASE_BITS_H
#define BASE_BITS_H

#include <stdint.h>

/* The number of bits that are set. */
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

/* b without its lowest bit; 0 stays 0. */
static inline uint64_t bits_rest(uint64_t b)
{
	return b & (b - 1);
}

/* The eight bytes in reverse order: mirrors an 8x8 board top to bottom. */
static inline uint64_t bits_flip_bytes(uint64_t b)
{
	return __builtin_bswap64(b);
}

#endif
