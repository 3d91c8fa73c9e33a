/*
 * flips.h - reversi: the discs that a move turns over, by a table of rays.
 * SPDX-License-Identifier: MIT
 *
 * The table has the four rays from a square to higher squares. On a board with its bits reversed
 * the other four rays lead to higher squares too, so the same four rays of the opposite square
 * serve for them. A carry runs along a ray through the opponent's discs and stops at the first
 * other square.
 *
 * There are two versions, which a test holds equal: plain C, and NEON, where the board and the
 * reversed board are the halves of one vector.
 */
#ifndef GAMES_REVERSI_FLIPS_H
#define GAMES_REVERSI_FLIPS_H

#include "games/reversi/rules.h"

#ifdef __ARM_NEON
#include <arm_neon.h>
#endif

enum { FLIP_RAYS = 4 };

struct flip_rays {
	/*
	 * For each square and each kind of ray: from the square up, and from the opposite square
	 * up.
	 */
	uint64_t ray[64][FLIP_RAYS][2];
	uint64_t around[64];               /* the neighbouring squares */
};

/* Fills the table. */
void flip_rays_init(struct flip_rays *t);

/* The bits in reverse order: the board rotated by half a turn. */
static inline uint64_t flip_board_plain(uint64_t b)
{
	b = (b >> 1 & UINT64_C(0x5555555555555555)) | (b & UINT64_C(0x5555555555555555)) << 1;
	b = (b >> 2 & UINT64_C(0x3333333333333333)) | (b & UINT64_C(0x3333333333333333)) << 2;
	b = (b >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f)) | (b & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4;
	return bits_flip_bytes(b);
}

/* The discs that my disc on the empty square turns over; 0: the move is not legal. */
static inline uint64_t flips_plain(const struct flip_rays *t, uint64_t mine, uint64_t theirs,
				   int square)
{
	const uint64_t back_mine = flip_board_plain(mine);
	const uint64_t back_theirs = flip_board_plain(theirs);
	uint64_t up = 0, down = 0;
	for (int i = 0; i < FLIP_RAYS; i++) {
		up |= reversi_turned_up(mine, theirs, t->ray[square][i][0]);
		down |= reversi_turned_up(back_mine, back_theirs, t->ray[square][i][1]);
	}
	return up | flip_board_plain(down);
}

#ifdef __ARM_NEON
/* The board, and the board rotated by half a turn. */
static inline uint64x2_t flip_both_ways(uint64_t b)
{
	const uint8x8_t bytes = vcreate_u8(b);
	return vcombine_u64(vreinterpret_u64_u8(bytes),
			    vreinterpret_u64_u8(vrev64_u8(vrbit_u8(bytes))));
}

/* reversi_turned_up for both boards at once. */
static inline uint64x2_t flip_ray_both(uint64x2_t mine, uint64x2_t theirs, const uint64_t *rays)
{
	const uint64x2_t ray = vld1q_u64(rays), none = vdupq_n_u64(~UINT64_C(0));
	const uint64x2_t carried = vsubq_u64(vornq_u64(theirs, ray), none);
	const uint64x2_t end = vandq_u64(vandq_u64(mine, ray), carried);
	return vandq_u64(vaddq_u64(end, vtstq_u64(end, end)), ray);
}

static inline uint64_t flips_neon(const struct flip_rays *t, uint64_t mine, uint64_t theirs,
				  int square)
{
	const uint64x2_t m = flip_both_ways(mine), o = flip_both_ways(theirs);
	const uint64_t *rays = t->ray[square][0];
	const uint64x2_t turned =
		vorrq_u64(vorrq_u64(flip_ray_both(m, o, rays), flip_ray_both(m, o, rays + 2)),
			  vorrq_u64(flip_ray_both(m, o, rays + 4), flip_ray_both(m, o, rays + 6)));
	const uint8x8_t back = vreinterpret_u8_u64(vget_high_u64(turned));
	const uint64x1_t down = vreinterpret_u64_u8(vrev64_u8(vrbit_u8(back)));
	return vget_lane_u64(vorr_u64(vget_low_u64(turned), down), 0);
}
#endif

/* The faster version for this processor. */
static inline uint64_t flips(const struct flip_rays *t, uint64_t mine, uint64_t theirs, int square)
{
#ifdef __ARM_NEON
	return flips_neon(t, mine, theirs, square);
#else
	return flips_plain(t, mine, theirs, square);
#endif
}

/*
 * For the last empty square. Every disc that is not mine is the opponent's, so my discs in a line
 * tell how many are turned over in it. A multiplication gathers a line into a byte.
 */
struct flip_counts {
	uint8_t turned[8][256];            /* by the place in the line, and my discs in it */
	uint64_t diagonal[64][2];
};

/* Fills the table. */
void flip_counts_init(struct flip_counts *t);

/* The number of discs that my disc on the last empty square turns over. */
static inline int flip_count(const struct flip_counts *t, uint64_t mine, int square)
{
	const int column = square & 7, row = square >> 3;
	const uint64_t left = UINT64_C(0x0101010101010101);
	const uint8_t *by_column = t->turned[column];
	const uint64_t upright = (mine >> column & left) * UINT64_C(0x0102040810204080) >> 56;
	return by_column[mine >> (square & 56) & 0xff] + t->turned[row][upright] +
	       by_column[(mine & t->diagonal[square][0]) * left >> 56] +
	       by_column[(mine & t->diagonal[square][1]) * left >> 56];
}

#endif
