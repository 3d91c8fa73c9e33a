/*
 * evaluate.h - an evaluation of go-moku: patterns in lines, and what the side to move can do now.
 * SPDX-License-Identifier: MIT
 */
#ifndef GOMOKU_EVALUATE_H
#define GOMOKU_EVALUATE_H

#include "games/gomoku/rules.h"

/*
 * Weights of the patterns of the side to move, then of the opponent's, which are worth less because
 * the side to move comes first; then bonuses for the side to move.
 */
enum {
	GOMOKU_THEIRS = GOMOKU_PATTERNS,
	GOMOKU_FIVE_NEXT = 2 * GOMOKU_PATTERNS, /* it completes five */
	GOMOKU_CANNOT_STOP,			/* the opponent has a straight four */
	GOMOKU_STRAIGHT_NEXT,			/* it makes a straight four */
	GOMOKU_WEIGHTS,
};

static const int32_t gomoku_weights[GOMOKU_WEIGHTS] = {
	/* Windows of five points with one to four stones, then of six. */
	2,
	8,
	25,
	80,
	2,
	20,
	90,
	500,
	1,
	5,
	18,
	60,
	1,
	12,
	60,
	500,
	[GOMOKU_FIVE_NEXT] = 20000,
	[GOMOKU_CANNOT_STOP] = 10000,
	[GOMOKU_STRAIGHT_NEXT] = 5000,
};

static const struct qv_weight gomoku_weight_names[] = {
	{ "five", GOMOKU_FIVE_1, 4 },
	{ "six", GOMOKU_SIX_1, 4 },
	{ "their-five", GOMOKU_THEIRS + GOMOKU_FIVE_1, 4 },
	{ "their-six", GOMOKU_THEIRS + GOMOKU_SIX_1, 4 },
	{ "five-next", GOMOKU_FIVE_NEXT, 1 },
	{ "cannot-stop", GOMOKU_CANNOT_STOP, 1 },
	{ "straight-next", GOMOKU_STRAIGHT_NEXT, 1 },
	{ 0 },
};

/* The value for the colour whose turn it is; terms count for the seat `seat` and its opponent. */
QV_ALWAYS_INLINE int32_t gomoku_evaluate_colour(const struct gomoku *s, const int32_t *w, int seat,
						struct qv_terms *terms)
{
	const int16_t *mine = s->patterns[s->turn], *theirs = s->patterns[1 - s->turn];
	int32_t value = 0;
	for (int i = 0; i < GOMOKU_PATTERNS; i++)
		value += qv_weigh(terms, w, i, seat, mine[i]) -
			 qv_weigh(terms, w, GOMOKU_THEIRS + i, 1 - seat, theirs[i]);
	if (mine[GOMOKU_FIVE_4])
		value += qv_weigh(terms, w, GOMOKU_FIVE_NEXT, seat, 1);
	else if (theirs[GOMOKU_SIX_4])
		value -= qv_weigh(terms, w, GOMOKU_CANNOT_STOP, 1 - seat, 1);
	else if (mine[GOMOKU_SIX_3] && !theirs[GOMOKU_FIVE_4])
		value += qv_weigh(terms, w, GOMOKU_STRAIGHT_NEXT, seat, 1);
	return value;
}

/*
 * As long as colours are not chosen, an uneven position is good for the seat that chooses next,
 * which is the one to move where it may choose, and else the other one.
 */
static inline bool gomoku_flips(const struct gomoku *s, int32_t value)
{
	return s->phase == GOMOKU_OPENING && (value > 0) != gomoku_may_take(s);
}

QV_ALWAYS_INLINE int32_t gomoku_evaluate_as(const struct gomoku *s, const void *weights,
					    struct qv_terms *terms)
{
	const int seat = gomoku_seat(s);
	const int32_t value = gomoku_evaluate_colour(s, weights, seat, NULL);
	const bool flips = gomoku_flips(s, value);
	if (terms)
		gomoku_evaluate_colour(s, weights, flips ? 1 - seat : seat, terms);
	return flips ? -value : value;
}

static inline int32_t gomoku_evaluate(const struct gomoku *s, const void *weights)
{
	return gomoku_evaluate_as(s, weights, NULL);
}

/* Only the side that has just moved can have won. */
static inline int32_t gomoku_leaf(const struct gomoku *s, const void *weights)
{
	int32_t points[QV_MAX_SEATS];
	if (gomoku_result(s, points) == QV_ENDED)
		return s->winner ? QV_LEAF_LOST : QV_LEAF_DRAWN;
	return gomoku_evaluate(s, weights);
}

/*
 * Move ordering: the windows through the point, by their stones. A window of the opponent's counts
 * a little less than an own one, since it is the other's turn then.
 */
static const int32_t gomoku_own_ranks[5] = { 0, 4, 20, 160, 20000 };
static const int32_t gomoku_other_ranks[5] = { 0, 3, 14, 110, 9000 };

static inline int32_t gomoku_rank(const struct gomoku *s, qv_move move)
{
	int32_t sum = 0;
	if (move >= GOMOKU_POINTS)
		return 0;
	for (int direction = 0; direction < GOMOKU_DIRECTIONS; direction++) {
		const struct gomoku_place at = gomoku_place((int)move, direction);
		for (int colour = 0; colour < 2; colour++) {
			const int32_t *value =
				colour == s->turn ? gomoku_own_ranks : gomoku_other_ranks;
			const uint32_t mine = s->stones[colour][at.line];
			struct gomoku_windows w;
			if (!(mine >> (at.bit - 4) & 0x1ff))
				continue;
			gomoku_windows(mine, gomoku_free(s, colour, at.line),
				       gomoku_is_strict(s, colour), &w);
			for (int n = 1; n <= 4; n++)
				sum += value[n] * bits_count(w.five[n] >> (at.bit - 4) & 0x1f);
		}
	}
	return sum;
}

/* Adds the value of each window of a line to its five points. */
static inline void gomoku_rank_line(const struct gomoku *s, int colour, int line, int32_t *sums)
{
	const int32_t *value = colour == s->turn ? gomoku_own_ranks : gomoku_other_ranks;
	const int step = line < GOMOKU_COLUMNS	 ? 1
			 : line < GOMOKU_RISING	 ? GOMOKU_SIDE
			 : line < GOMOKU_FALLING ? GOMOKU_SIDE + 1
						 : 1 - GOMOKU_SIDE;
	struct gomoku_windows w;
	gomoku_windows(s->stones[colour][line], gomoku_free(s, colour, line),
		       gomoku_is_strict(s, colour), &w);
	for (int n = 1; n <= 4; n++)
		for (uint64_t left = w.five[n]; left; left = bits_rest(left)) {
			int32_t *sum = &sums[gomoku_point_at(line, bits_lowest(left))];
			for (int i = 0; i < 5; i++, sum += step)
				*sum += value[n];
		}
}

/* The ranks of a list of moves, with one pass over the lines. */
static inline void gomoku_ranks(const struct gomoku *s, const qv_move *moves, int n, int32_t *ranks)
{
	/* The last pointer of a falling line may lie one step outside the points. */
	int32_t sums[GOMOKU_POINTS + 2 * GOMOKU_SIDE] = { 0 };
	for (int colour = 0; colour < 2; colour++)
		for (int line = 0; line < GOMOKU_LINES; line++)
			if (s->stones[colour][line])
				gomoku_rank_line(s, colour, line, sums + GOMOKU_SIDE);
	for (int i = 0; i < n; i++)
		ranks[i] = moves[i] < GOMOKU_POINTS ? sums[GOMOKU_SIDE + (int)moves[i]] : 0;
}

#endif
