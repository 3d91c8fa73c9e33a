/*
 * quick_score.c - connect-four: the exact score by null-window searches, for positions that are not
 * too hard.
 * SPDX-License-Identifier: MIT
 *
 * Each search tests whether the score is above a number. A node is a few shifts and one table
 * probe. Moves are ordered by the threats they make.
 */
#include "games/connect4/followup.h"
#include "search/solver.h"
#include "games/connect4/score_search.h"

/* Limits are checked once in so many nodes. */
enum { CHECK_NODES = 1 << 12 };
enum { SCORE_OFFSET = 64, SCORE_MASK = 127, SCORE_SHIFT = 7, KEY_SHIFT = 14 };

enum qv_status c4_scorer_init(struct c4_scorer *s, const struct qv_allocator *allocator)
{
	*s = (struct c4_scorer){ .slots = mem_new(allocator, (size_t)1 << C4_SCORE_BITS,
						  sizeof *s->slots) };
	return s->slots ? QV_OK : QV_NO_MEMORY;
}

void c4_scorer_release(struct c4_scorer *s, const struct qv_allocator *allocator)
{
	mem_free(allocator, s->slots, ((size_t)1 << C4_SCORE_BITS) * sizeof *s->slots);
	*s = (struct c4_scorer){ 0 };
}

static inline uint64_t *score_place(const struct c4_scorer *s, uint64_t key)
{
	return s->slots + (key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - C4_SCORE_BITS));
}

/* Stores the bounds and returns the score. */
static inline int score_keep(struct c4_scorer *s, uint64_t key, struct c4_bounds b, int score)
{
	if (!s->stopped)
		*score_place(s, key) = key << KEY_SHIFT |
				       (uint64_t)(b.low + SCORE_OFFSET) << SCORE_SHIFT |
				       (uint64_t)(b.high + SCORE_OFFSET);
	return score;
}

/* An upper bound from the opponent following up (followup.h), or something above alpha. */
static inline int score_by_following_up(uint64_t mine, uint64_t all, int discs, uint64_t threats,
					int alpha)
{
	const uint64_t open = C4_BOARD ^ all, playable = (all + C4_BOTTOM) & C4_BOARD;
	if (discs % 2 == 0)
		return alpha >= 0 && c4_first_is_held(mine, open, playable) ? 0 : alpha + 1;
	return alpha >= -1 && c4_first_waits(mine, open, playable, threats) ? -1 : alpha + 1;
}

/*
 * Tests whether the score is above alpha, for a side to move that cannot make four at once. A
 * result above alpha is a lower bound of the score, any other an upper bound.
 */
static int score_above(struct c4_scorer *s, uint64_t mine, uint64_t all, int discs, int alpha)
{
	if (s->nodes++ % CHECK_NODES == 0)
		s->stopped |= s->nodes > s->most_nodes ||
			      (s->limits && solve_must_stop(s->limits, s->nodes));
	if (s->stopped)
		return 0;

	/* Step 1. Threats of the opponent must be blocked, and must not be uncovered. */
	const uint64_t theirs = mine ^ all, playable = (all + C4_BOTTOM) & C4_BOARD;
	const uint64_t threats = c4_threats(theirs, all), forced = threats & playable;
	const uint64_t moves = (forced ? forced : playable) & ~(threats >> 1);
	if (forced & (forced - 1) || !moves)
		return -c4_score_win(discs + 2);
	if (discs + 2 >= C4_SQUARES)
		return 0;

	/* Step 2. The rules, following up, or the table may decide. */
	struct c4_bounds b = { -c4_score_win(discs + 4), c4_score_win(discs + 3) };
	if (b.high <= alpha || b.low > alpha)
		return b.high <= alpha ? b.high : b.low;
	const int follow_up = score_by_following_up(mine, all, discs, threats, alpha);
	if (follow_up <= alpha)
		return follow_up;
	const uint64_t key = mine + all + C4_BOTTOM;
	const uint64_t slot = *score_place(s, key);
	if (slot >> KEY_SHIFT == key) {
		const int low = (int)(slot >> SCORE_SHIFT & SCORE_MASK) - SCORE_OFFSET;
		const int high = (int)(slot & SCORE_MASK) - SCORE_OFFSET;
		b.low = low > b.low ? low : b.low;
		b.high = high < b.high ? high : b.high;
	}
	if (b.high <= alpha || b.low > alpha)
		return b.high <= alpha ? b.high : b.low;

	/* Step 3. One move must score above alpha. */
	struct c4_order list;
	c4_order_moves(&list, moves, mine, all);
	int best = -C4_SQUARES;
	for (int i = 0; i < list.count; i++) {
		const uint64_t next = all | list.move[i];
		const int score = -score_above(s, theirs, next, discs + 1, -alpha - 1);
		if (score > alpha) {
			b.low = score > b.low ? score : b.low;
			return score_keep(s, key, b, score);
		}
		best = score > best ? score : best;
	}
	b.high = best < b.high ? best : b.high;
	return score_keep(s, key, b, b.high);
}

/* ---- The position itself ---- */

static int above(void *ctx, const struct c4 *at, int discs, int alpha)
{
	return score_above(ctx, at->mover, at->all, discs, alpha);
}

/* First near 0, where most scores are; then by bisection. */
static int next_alpha(int low, int high)
{
	int middle = low + (high - low) / 2;
	if (middle <= 0 && low / 2 < middle)
		middle = low / 2;
	else if (middle >= 0 && high / 2 > middle)
		middle = high / 2;
	return middle < high ? middle : high - 1;
}

struct c4_score c4_score(struct c4_scorer *s, const struct c4 *at, int lowest, int highest)
{
	const struct c4_score_test test = { s, above, next_alpha, NULL, &s->stopped };
	s->nodes = 0;
	s->stopped = false;
	return c4_find_score(&test, at, lowest, highest, -C4_SQUARES);
}
