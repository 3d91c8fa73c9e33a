/*
 * score_search.c - connect-four: finds an exact score by a series of null-window tests.
 * SPDX-License-Identifier: MIT
 *
 * Each test tells whether the score is above alpha. The best move of one test comes first in the
 * next, and moves whose scores are known from a table need no test at all.
 */
#include "games/connect4/score_search.h"

/* The position whose score is wanted. */
struct root {
	const struct c4 *at;
	int discs, sure;
	struct c4_order list;      /* moves that must be searched */
	struct c4_score found;	   /* the best so far: no searched move scores more */
};

/*
 * Whether a move scores above alpha. If so, it is the best so far and comes first from now on. If
 * one move must, the last one left needs no search.
 */
static bool is_above(const struct c4_score_test *test, struct root *r, int alpha, int *bound)
{
	*bound = -C4_SQUARES;
	for (int i = 0; i < r->list.count; i++) {
		const uint64_t move = r->list.move[i];
		const struct c4 next = { r->at->mover ^ r->at->all, r->at->all | move };
		int score;
		if (alpha < r->sure && i == r->list.count - 1)
			score = r->sure;
		else if (c4_has_four(r->at->mover | move))
			score = c4_score_win(r->discs + 1);
		else if (c4_threats(next.mover, next.all) & c4_playable(&next))
			score = -c4_score_win(r->discs + 2);
		else if (next.all == C4_BOARD)
			score = 0;
		else
			score = -test->above(test->ctx, &next, r->discs + 1, -alpha - 1);
		*bound = score > *bound ? score : *bound;
		if (score <= alpha)
			continue;
		memmove(r->list.move + 1, r->list.move, (size_t)i * sizeof move);
		r->list.move[0] = move;
		r->found = (struct c4_score){ score, move };
		return true;
	}
	return false;
}

/* Finds the best move with a known score, and removes all such moves from the list. */
static void take_known(const struct c4_score_test *test, struct root *r)
{
	int left = 0;
	for (int i = 0; i < r->list.count; i++) {
		const uint64_t move = r->list.move[i];
		const struct c4 next = { r->at->mover ^ r->at->all, r->at->all | move };
		int theirs = -c4_score_win(r->discs + 1);
		if (!c4_has_four(r->at->mover | move) &&
		    (next.all == C4_BOARD || !test->known(test->ctx, &next, r->discs + 1, &theirs)))
			r->list.move[left++] = move;
		else if (-theirs > r->found.score)
			r->found = (struct c4_score){ -theirs, move };
	}
	r->list.count = left;
}

struct c4_score c4_find_score(const struct c4_score_test *test, const struct c4 *at, int lowest,
			      int highest, int sure)
{
	struct root r = { .at = at, .discs = bits_count(at->all), .sure = sure };
	c4_order_moves(&r.list, c4_playable(at), at->mover, at->all);
	const int least = -c4_score_win(r.discs + 2), most = c4_score_win(r.discs + 1);
	int low = lowest > least ? lowest : least, high = highest < most ? highest : most;
	if (low < sure - 1)
		low = sure - 1 < high ? sure - 1 : high - 1;     /* some move is above it */
	r.found = (struct c4_score){ low, r.list.move[0] };
	if (test->known)
		take_known(test, &r);
	low = r.found.score;
	while (low < high && r.list.count > 0 && !*test->stopped) {
		int bound;
		if (is_above(test, &r, test->next_alpha(low, high), &bound))
			low = bound;
		else
			high = bound;
	}
	return r.found;
}
