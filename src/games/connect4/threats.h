/*
 * threats.h - the theory of threats in connect-four, and an evaluation based on it.
 * SPDX-License-Identifier: MIT
 *
 * A threat is an empty square that completes a four. It is immediate if a disc can fall there now,
 * and active if one disc is missing below it. Rows count from 1. Near the end nobody wants to play
 * below the opponent's threat. Columns have six squares, so the first player then gets the odd rows
 * and the second player the even ones. Who wins by zugzwang, when no other moves are left, depends
 * on the numbers of odd and even threats; c4_zugzwang has the rules.
 *
 * Sets of squares are bit sets for both seats; an evaluation takes about sixty operations.
 */
#ifndef CONNECT4_THREATS_H
#define CONNECT4_THREATS_H

#include "games/connect4/evaluate.h"

/* Rows 1, 3, 5 and 2, 4, 6, counted from 1. */
#define C4_ODD_ROWS (C4_BOTTOM | C4_BOTTOM << 2 | C4_BOTTOM << 4)
#define C4_EVEN_ROWS (C4_ODD_ROWS << 1)

struct c4_threat_sets {
	uint64_t of[2];	      /* by seat */
	uint64_t next, above; /* where a disc can fall now, and the squares above those */
};

static inline struct c4_threat_sets c4_find_threats(const struct c4 *s)
{
	const uint64_t mine = c4_threats(s->mover, s->all);
	const uint64_t theirs = c4_threats(s->mover ^ s->all, s->all);
	const uint64_t next = c4_playable(s);
	const bool first = c4_seat(s) == 0;
	return (struct c4_threat_sets){
		.of = { first ? mine : theirs, first ? theirs : mine },
		.next = next,
		.above = next << 1 & C4_BOARD,
	};
}

/* The columns that hold any of the squares, each as the bit above its top. */
static inline uint64_t c4_columns_of(uint64_t squares)
{
	return (squares + C4_BOARD) & C4_TOP << 1;
}

/* The threats in these rows (odd or even) that both sides have in the same column. */
static inline uint64_t c4_shared(const struct c4_threat_sets *t, uint64_t rows)
{
	const uint64_t tops = c4_columns_of(t->of[0] & rows) & c4_columns_of(t->of[1] & rows);
	const uint64_t columns = tops - (tops >> C4_HEIGHT); /* six ones under each */
	return (t->of[0] | t->of[1]) & rows & columns;
}

/* The rule that decides who wins by zugzwang. */
enum c4_rule {
	C4_RULE_NONE,
	/* Only one column is open: the lowest of the first's odd and the second's even threats. */
	C4_RULE_LAST_COLUMN_FIRST,
	C4_RULE_LAST_COLUMN_SECOND,
	/* In favour of the first player. */
	C4_RULE_MORE_ODD,
	/* In favour of the second player. */
	C4_RULE_MORE_ODD_SHARED,   /* more odd threats than the first, and a shared threat */
	C4_RULE_SAME_ODD_SHARED,   /* as many, an even number, and a shared threat */
	C4_RULE_SAME_ODD_AND_EVEN, /* as many, perhaps none, and an even threat */
	C4_RULES,
};

/* The threats that decide if a column is filled to its top: each side's in the rows it gets. */
static inline uint64_t c4_rows_of_own(const struct c4_threat_sets *t)
{
	return (t->of[0] & C4_ODD_ROWS) | (t->of[1] & C4_EVEN_ROWS);
}

/* The seat that the rule favours; -1: none. */
static inline int c4_rule_seat(enum c4_rule rule)
{
	return rule == C4_RULE_NONE					       ? -1
	       : rule == C4_RULE_MORE_ODD || rule == C4_RULE_LAST_COLUMN_FIRST ? 0
									       : 1;
}

/* The rule that applies to a position, by the numbers of odd and even threats. */
static inline enum c4_rule c4_zugzwang(const struct c4_threat_sets *t)
{
	if (!bits_rest(t->next)) {
		const uint64_t decide = c4_rows_of_own(t), lowest = decide & (0 - decide);
		return !lowest		      ? C4_RULE_NONE
		       : lowest & C4_ODD_ROWS ? C4_RULE_LAST_COLUMN_FIRST
					      : C4_RULE_LAST_COLUMN_SECOND;
	}
	const int first = bits_count(t->of[0] & C4_ODD_ROWS);
	const int second = bits_count(t->of[1] & C4_ODD_ROWS);
	if (first > second)
		return C4_RULE_MORE_ODD;
	const bool shared = c4_shared(t, C4_ODD_ROWS) | c4_shared(t, C4_EVEN_ROWS);
	if (second > first)
		return shared ? C4_RULE_MORE_ODD_SHARED : C4_RULE_NONE;
	if (shared && first % 2 == 0)
		return C4_RULE_SAME_ODD_SHARED;
	return t->of[1] & C4_EVEN_ROWS ? C4_RULE_SAME_ODD_AND_EVEN : C4_RULE_NONE;
}

/* ---- the evaluation ---- */

enum {
	C4_T_IMMEDIATE, /* threats by how near they are, for either side */
	C4_T_ACTIVE,
	C4_T_DISTANT,
	C4_T_OWN_ROW,  /* in addition: the first player's odd ones, the second's even ones */
	C4_T_COLUMN,   /* columns whose lowest threat in an own row is one's own */
	C4_T_ZUGZWANG, /* who wins by zugzwang */
	C4_T_MIDDLE,   /* discs, as c4_evaluate counts them */
	C4_T_INNER,
	C4_T_WEIGHTS,
};

static const int32_t c4_threat_weights[C4_T_WEIGHTS] = {
	[C4_T_IMMEDIATE] = 16, [C4_T_ACTIVE] = 16,  [C4_T_DISTANT] = 12, [C4_T_OWN_ROW] = 4,
	[C4_T_COLUMN] = 20,    [C4_T_ZUGZWANG] = 4, [C4_T_MIDDLE] = 4,	 [C4_T_INNER] = 3,
};

static const struct qv_weight c4_threat_weight_names[] = {
	{ "immediate", C4_T_IMMEDIATE, 1 }, { "active", C4_T_ACTIVE, 1 },
	{ "distant", C4_T_DISTANT, 1 },	    { "own-row", C4_T_OWN_ROW, 1 },
	{ "column", C4_T_COLUMN, 1 },	    { "zugzwang", C4_T_ZUGZWANG, 1 },
	{ "middle", C4_T_MIDDLE, 1 },	    { "inner", C4_T_INNER, 1 },
	{ 0 },
};

/* The number of the squares that the first player threatens minus the second's, weighted. */
QV_ALWAYS_INLINE int32_t c4_threats_ahead(const struct c4_threat_sets *t, const int32_t *w,
					  int place, uint64_t squares, struct qv_terms *terms)
{
	return qv_weigh_ahead(terms, w, place, 0, bits_count(t->of[0] & squares),
			      bits_count(t->of[1] & squares));
}

/* The value for the seat to move. The game must not be over. */
QV_ALWAYS_INLINE int32_t c4_evaluate_threats_as(const struct c4 *s, const int32_t *w,
						struct qv_terms *terms)
{
	const struct c4_threat_sets t = c4_find_threats(s);
	const int seat = c4_rule_seat(c4_zugzwang(&t));
	/*
	 * A side gets the columns whose lowest deciding threat is its own. Subtracting one from
	 * each column leaves everything above its lowest bit unchanged.
	 */
	const uint64_t decide = c4_rows_of_own(&t), tops = c4_columns_of(decide);
	const uint64_t lowest = decide & ~(decide - (tops >> C4_HEIGHT));
	const int32_t first =
		c4_threats_ahead(&t, w, C4_T_IMMEDIATE, t.next, terms) +
		c4_threats_ahead(&t, w, C4_T_ACTIVE, t.above, terms) +
		c4_threats_ahead(&t, w, C4_T_DISTANT, ~(t.next | t.above), terms) +
		qv_weigh_ahead(terms, w, C4_T_OWN_ROW, 0, bits_count(t.of[0] & C4_ODD_ROWS),
			       bits_count(t.of[1] & C4_EVEN_ROWS)) +
		qv_weigh_ahead(terms, w, C4_T_COLUMN, 0, bits_count(lowest & C4_ODD_ROWS),
			       bits_count(lowest & C4_EVEN_ROWS)) +
		qv_weigh_ahead(terms, w, C4_T_ZUGZWANG, 0, seat == 0, seat == 1);
	return (c4_seat(s) ? -first : first) + c4_placement(s, w, C4_T_MIDDLE, C4_T_INNER, terms);
}

/* The slot `evaluate` of struct qv_evaluation; the weights are an int32_t[C4_T_WEIGHTS]. */
static inline int32_t c4_evaluate_threats(const void *state, const void *weights)
{
	return c4_evaluate_threats_as(state, weights, NULL);
}

#endif
