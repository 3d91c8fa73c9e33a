/*
 * pattern.h - reversi: an evaluation by patterns of squares, with weights trained on games.
 * SPDX-License-Identifier: MIT
 *
 * A pattern is a list of squares, for example an edge or a corner. Its contents, read as a number
 * in base three (0 empty, 1 a disc of the side to move, 2 one of the opponent's), select one of its
 * weights. The symmetric places of a pattern on the board share the weights, so that 11 patterns
 * are looked up in 46 places. The sum, with one more weight each for the numbers of moves of the
 * two sides, is the expected final disc difference, in eighths of a disc.
 *
 * The 48 numbers of a position are sums of what each square adds. Four squares at a time are looked
 * up, for all 48 at once, and added as vectors of the compiler's own, so no processor needs code of
 * its own.
 */
#ifndef REVERSI_PATTERN_H
#define REVERSI_PATTERN_H

#include "base/embed.h"
#include "games/reversi/rules.h"

enum {
	PATTERN_PLACES = 46,               /* places of patterns on the board */
	PATTERN_MINE = PATTERN_PLACES,     /* the number of my moves */
	PATTERN_THEIRS,                    /* and of the other side's */
	PATTERN_SLOTS,
	PATTERN_KINDS = 13,                /* 11 patterns, and the two numbers of moves */
	PATTERN_SQUARES = 10,              /* of one, at most */
	PATTERN_MOVES = 32,                /* this many moves less one, or more, share a weight */
	PATTERN_PHASE_DISCS = 6,
	PATTERN_PHASES = 10,               /* 4 to 9 discs, 10 to 15, ... 58 to 64 */
	PATTERN_DISC = 8,                  /* the value of one disc */
};
_Static_assert(PATTERN_SLOTS == 48, "three vectors");

/* The weights of a phase, kind after kind. Moves count separately if an odd number is empty. */
enum {
	PATTERN_EDGE = 0,                                      /* a1 to h1, b2, g2 */
	PATTERN_OBLONG = PATTERN_EDGE + 59049,                 /* a1 to e2 */
	PATTERN_CORNER = PATTERN_OBLONG + 59049,               /* a1 to c3 */
	PATTERN_ROW_2 = PATTERN_CORNER + 19683,
	PATTERN_ROW_3 = PATTERN_ROW_2 + 6561,
	PATTERN_ROW_4 = PATTERN_ROW_3 + 6561,
	PATTERN_DIAGONAL_8 = PATTERN_ROW_4 + 6561,
	PATTERN_DIAGONAL_7 = PATTERN_DIAGONAL_8 + 6561,
	PATTERN_DIAGONAL_6 = PATTERN_DIAGONAL_7 + 2187,
	PATTERN_DIAGONAL_5 = PATTERN_DIAGONAL_6 + 729,
	PATTERN_DIAGONAL_4 = PATTERN_DIAGONAL_5 + 243,
	PATTERN_MY_MOVES = PATTERN_DIAGONAL_4 + 81,
	PATTERN_THEIR_MOVES = PATTERN_MY_MOVES + 2 * PATTERN_MOVES,
	PATTERN_WEIGHTS = PATTERN_THEIR_MOVES + 2 * PATTERN_MOVES,
};

/* Plain data: 24 kB of steps, then the weights. */
struct reversi_patterns {
	uint16_t steps[16][16][PATTERN_SLOTS];     /* [four squares][discs on them] */
	int16_t weights[PATTERN_PHASES][PATTERN_WEIGHTS];
};

/* Where the weights of each slot start. */
static const uint32_t reversi_pattern_first[PATTERN_SLOTS] = {
#define FOUR(first) first, first, first, first
	FOUR(PATTERN_EDGE), FOUR(PATTERN_OBLONG), FOUR(PATTERN_OBLONG), FOUR(PATTERN_CORNER),
	FOUR(PATTERN_ROW_2), FOUR(PATTERN_ROW_3), FOUR(PATTERN_ROW_4),
	PATTERN_DIAGONAL_8, PATTERN_DIAGONAL_8, FOUR(PATTERN_DIAGONAL_7), FOUR(PATTERN_DIAGONAL_6),
	FOUR(PATTERN_DIAGONAL_5), FOUR(PATTERN_DIAGONAL_4), PATTERN_MY_MOVES, PATTERN_THEIR_MOVES,
#undef FOUR
};

/* The phase, by the number of discs. */
static inline int reversi_pattern_phase(const struct reversi *s)
{
	const int phase = (bits_count(s->mover | s->other) - 4) / PATTERN_PHASE_DISCS;
	return phase < PATTERN_PHASES ? phase : PATTERN_PHASES - 1;
}

/* The slot value for a number of moves, and for the parity of the empty squares. */
static inline uint16_t reversi_pattern_moves(uint64_t moves, const struct reversi *s)
{
	const int count = bits_count(moves), odd = bits_count(s->mover | s->other) & 1;
	return (uint16_t)((count < PATTERN_MOVES ? count : PATTERN_MOVES - 1) +
			  odd * PATTERN_MOVES);
}

/* The number of each slot, given the moves of the two sides. */
static inline void reversi_pattern_numbers(const struct reversi_patterns *p,
					   const struct reversi *s, uint64_t mine, uint64_t theirs,
					   uint16_t *out)
{
	typedef uint16_t vector __attribute__((vector_size(32), aligned(2), may_alias));
	vector a = { 0 }, b = { 0 }, c = { 0 }, a2 = { 0 }, b2 = { 0 }, c2 = { 0 };
	for (int i = 0; i < 16; i++) {
		const vector *mover = (const vector *)p->steps[i][s->mover >> 4 * i & 15];
		const vector *other = (const vector *)p->steps[i][s->other >> 4 * i & 15];
		a += mover[0], b += mover[1], c += mover[2];
		a2 += other[0], b2 += other[1], c2 += other[2];
	}
	vector *sums = (vector *)out;
	sums[0] = a + a2 + a2, sums[1] = b + b2 + b2, sums[2] = c + c2 + c2;
	out[PATTERN_MINE] = reversi_pattern_moves(mine, s);
	out[PATTERN_THEIRS] = reversi_pattern_moves(theirs, s);
}

/* Adds up the weights of all slots. */
static inline int32_t reversi_pattern_weigh(const struct reversi *s, uint64_t mine,
					    uint64_t theirs, const struct reversi_patterns *p)
{
	const int16_t *w = p->weights[reversi_pattern_phase(s)];
	uint16_t numbers[PATTERN_SLOTS];
	int32_t sum = 0;
	reversi_pattern_numbers(p, s, mine, theirs, numbers);
#pragma GCC unroll 48
	for (int i = 0; i < PATTERN_SLOTS; i++)
		sum += w[reversi_pattern_first[i] + numbers[i]];
	return sum;
}

/* The expected final disc difference for the side to move, in units of 1 / PATTERN_DISC. */
static inline int32_t reversi_pattern_evaluate(const void *state, const void *weights)
{
	const struct reversi *s = state;
	return reversi_pattern_weigh(s, reversi_mobility(s->mover, s->other),
				     reversi_mobility(s->other, s->mover), weights);
}

/* Evaluation and result in one, as qv_evaluation.leaf. */
static inline int32_t reversi_pattern_leaf(const void *state, const void *weights)
{
	const struct reversi *s = state;
	const uint64_t mine = reversi_mobility(s->mover, s->other);
	const uint64_t theirs = reversi_mobility(s->other, s->mover);
	if (mine | theirs)
		return reversi_pattern_weigh(s, mine, theirs, weights);
	const int32_t margin = bits_count(s->mover) - bits_count(s->other);
	return margin > 0 ? QV_LEAF_WON : margin < 0 ? QV_LEAF_LOST : QV_LEAF_DRAWN;
}

/* ---- pattern.c ---- */

/* Fills in the steps; the weights are unchanged. */
void reversi_patterns_init(struct reversi_patterns *p);

/*
 * The index of the weight that this one equals because the pattern is symmetric: itself, or one
 * before it.
 */
uint32_t reversi_pattern_same(uint32_t place);

/*
 * The file format: a line of text, then a zstd frame. For each index that is not the mirror image
 * of an earlier one, and for each phase in turn, one byte is the difference from the weight of the
 * phase before. -128 precedes a larger difference of two bytes, the lower one first.
 */

#define PATTERN_FILE_HEADER "quevedo-reversi-patterns 1\n"

/* Sets all weights from a file; the steps are unchanged. On an error some weights may be set. */
enum qv_status reversi_patterns_read(const char *data, size_t size, void *weights,
				     struct qv_error *error);

enum { PATTERN_FILE_MOST = 4 << 20 };      /* large enough for any file */

/* Writes a file into out, which has PATTERN_FILE_MOST bytes, and sets *size. */
enum qv_status reversi_patterns_pack(const struct reversi_patterns *p, char *out, size_t *size,
				     struct qv_error *error);

/* The shipped weights: pattern.weights, expanded by tools/expand-patterns.c. */
EMBEDDED(struct reversi_patterns reversi_pattern_weights);

#endif
