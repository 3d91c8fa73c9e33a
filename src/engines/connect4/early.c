/*
 * early.c - connect-four: the places of early positions, and what the table says of one.
 * SPDX-License-Identifier: MIT
 */
#include "engines/connect4/early.h"

#include "base/rank.h"
#include "engines/connect4/ask.h"

/* ---- places ---- */

static uint32_t heaps(const struct c4_places *p, int column, int discs)
{
	return column == C4_WIDTH ? discs == 0 : p->below[column][discs][C4_HEIGHT + 1];
}

void c4_places_init(struct c4_places *p, int plies)
{
	*p = (struct c4_places){ .plies = plies };
	for (int c = C4_WIDTH - 1; c >= 0; c--)
		for (int n = 0; n <= plies; n++)
			for (int h = 0; h <= C4_HEIGHT; h++)
				p->below[c][n][h + 1] =
					p->below[c][n][h] + (h <= n ? heaps(p, c + 1, n - h) : 0);
	for (int n = 0; n <= plies; n++)
		for (int k = 0; k <= n; k++)
			p->choose[n][k] = k == 0 || k == n ? 1 : p->choose[n - 1][k - 1] + p->choose[n - 1][k];
	p->shapes = heaps(p, 0, plies);
	p->colours = p->choose[plies][(plies + 1) / 2];
}

static uint64_t first_players(const struct c4 *at, int discs)
{
	return discs % 2 == 0 ? at->mover : at->mover ^ at->all;
}

/* Colours are numbered as rank.h numbers sets, of discs counted column by column upwards. */
static uint32_t own_place(const struct c4_places *p, uint64_t first, uint64_t all)
{
	uint32_t shape = 0, colour = 0;
	int left = p->plies, seen = 0, firsts = 0;
	for (int c = 0; c < C4_WIDTH; c++) {
		const int height = bits_count(all & C4_COLUMN(c));
		shape += p->below[c][left][height];
		left -= height;
		for (uint64_t discs = first >> c * C4_STRIDE, i = 0; i < (uint64_t)height; i++, seen++)
			if (discs >> i & 1)
				colour += ++firsts <= seen ? p->choose[seen][firsts] : 0;
	}
	return shape * p->colours + colour;
}

uint32_t c4_place(const struct c4_places *p, const struct c4 *at)
{
	const uint64_t first = first_players(at, p->plies);
	const uint32_t own = own_place(p, first, at->all);
	const uint32_t other = own_place(p, c4_mirror(first), c4_mirror(at->all));
	return own < other ? own : other;
}

struct walk {
	const struct c4_places *places;
	c4_place_show *show;
	void *ctx;
	uint32_t shape;
};

/* The next larger set of as many. */
static uint64_t next_set(uint64_t set)
{
	const uint64_t low = set & (0 - set), up = set + low;
	return up | ((set ^ up) >> 2) / low;
}

static bool walk_colours(const struct walk *w, uint64_t all)
{
	const int plies = w->places->plies;
	const uint64_t image = c4_mirror(all);
	if (own_place(w->places, 0, image) < own_place(w->places, 0, all))
		return true;
	uint64_t set = (UINT64_C(1) << (plies + 1) / 2) - 1;
	for (uint32_t colour = 0; colour < w->places->colours; colour++, set = next_set(set)) {
		const uint64_t first = rank_spread(set, ~all);
		const uint32_t place = w->shape * w->places->colours + colour;
		if (c4_has_four(first) || c4_has_four(first ^ all) ||
		    (image == all && own_place(w->places, c4_mirror(first), all) < place))
			continue;
		const struct c4 at = { plies % 2 == 0 ? first : first ^ all, all };
		if (!w->show(w->ctx, place, &at))
			return false;
	}
	return true;
}

static bool walk_shapes(struct walk *w, int column, int left, uint64_t all)
{
	if (column < C4_WIDTH) {
		for (int h = 0; h <= C4_HEIGHT && h <= left; h++)
			if (!walk_shapes(w, column + 1, left - h,
					 all | ((UINT64_C(1) << h) - 1) << column * C4_STRIDE))
				return false;
		return true;
	}
	if (left > 0)
		return true;
	const bool more = walk_colours(w, all);
	w->shape++;
	return more;
}

bool c4_places_walk(const struct c4_places *p, c4_place_show *show, void *ctx)
{
	struct walk w = { p, show, ctx, 0 };
	return walk_shapes(&w, 0, p->plies, 0);
}

/* ---- scores ---- */

bool c4_seen_at_once(const struct c4 *at, int discs, int *score)
{
	const uint64_t playable = c4_playable(at);
	if (c4_threats(at->mover, at->all) & playable) {
		*score = c4_score_win(discs + 1);
		return true;
	}
	const uint64_t threats = c4_threats(at->mover ^ at->all, at->all), forced = threats & playable;
	*score = -c4_score_win(discs + 2);
	return forced & (forced - 1) || !((forced ? forced : playable) & ~(threats >> 1));
}

int c4_early_score(const struct c4_early *e, const struct c4 *at)
{
	int score;
	if (c4_seen_at_once(at, e->plies, &score))
		return score;
	return e->scores[c4_place(&e->places, at)];
}
