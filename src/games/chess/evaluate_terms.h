/*
 * evaluate_terms.h - chess: the terms of the hand-written evaluation.
 * SPDX-License-Identifier: MIT
 *
 * Every weight is a pair, so it makes two terms: name[1], name[3] and so on for the middle game,
 * name[2], name[4] and so on for the ending. The phase decides how much of each counts. Each term
 * is rounded to whole points. The evaluation rounds only once; the term `rounding` is the
 * difference.
 */
#ifndef CHESS_EVALUATE_TERMS_H
#define CHESS_EVALUATE_TERMS_H

#include "games/chess/evaluate.h"

enum { CHESS_TERM_WHOLE = CHESS_WHOLE * CHESS_SCALE_ONE };

/* Adds the term of the weight at `place`, of which `share` / CHESS_TERM_WHOLE counts. */
static inline void chess_put_term(struct qv_terms *out, const struct chess_trace *trace,
				  const int32_t *weights, int place, int share)
{
	const int white = trace->times[CHESS_WHITE][place / 2];
	const int black = trace->times[CHESS_BLACK][place / 2];
	struct qv_term *term = white || black ? qv_term_find(out, place, NULL) : NULL;
	if (!term)
		return;
	const int32_t ahead = out->seat == CHESS_WHITE ? white - black : black - white;
	const int64_t value = (int64_t)weights[place] * ahead * share;
	const int64_t half = value < 0 ? -CHESS_TERM_WHOLE / 2 : CHESS_TERM_WHOLE / 2;
	term->counts[CHESS_WHITE] = white;
	term->counts[CHESS_BLACK] = black;
	term->share = (double)share / CHESS_TERM_WHOLE;
	term->value = (value + half) / CHESS_TERM_WHOLE;
}

/* The slot `terms` of struct qv_evaluation. Weights of which nothing counts are left out. */
static inline void chess_terms(const void *state, const void *weights, struct qv_terms *out)
{
	struct chess_trace trace = { .phase = 0 };
	int64_t rest = chess_evaluate_as(state, weights, &trace);
	const int middle = trace.phase * CHESS_SCALE_ONE;
	const int end = (CHESS_WHOLE - trace.phase) * trace.scale;
	for (int place = 0; place < 2 * CHESS_WEIGHTS; place++) {
		const int share = place % 2 ? end : middle;
		if (share)
			chess_put_term(out, &trace, weights, place, share);
	}
	for (int side = 0; side < 2; side++) {
		const int32_t mop_up = chess_mop_up(state, side);
		if (mop_up)
			qv_term_add(out, -1, "mop-up", side, mop_up, mop_up);
	}
	for (int i = 0; i < out->count; i++)
		rest -= out->list[i].value;
	if (rest)
		qv_term_add(out, -1, "rounding", out->seat, 0, rest);
}

#endif
