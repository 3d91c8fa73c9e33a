/*
 * early.c - connect-four: numbers the positions with a given number of discs.
 * SPDX-License-Identifier: MIT
 *
 * A position with few discs is a shape (how many discs each column holds) and a colouring of it.
 * Both are counted off combinatorially, so the number of a position is computed without any table
 * of positions.
 */
#include "games/connect4/early.h"

#include "games/connect4/score_search.h"

/* ---- places ---- */

static uint32_t heaps(const struct c4_places *p, int column, int discs)
{
	return column == C4_WIDTH ? discs == 0 : p->below[column][discs][C4_HEIGHT + 1];
}

/* Sets the number of discs in each column of a shape. */
static void heights_of(const struct c4_places *p, uint32_t shape, int heights[C4_WIDTH])
{
	int left = p->plies;
	for (int c = 0; c < C4_WIDTH; c++) {
		int h = 0;
		while (h < left && h < C4_HEIGHT && p->below[c][left][h + 1] <= shape)
			h++;
		shape -= p->below[c][left][h];
		left -= h;
		heights[c] = h;
	}
}

static uint32_t image_of(const struct c4_places *p, uint32_t shape)
{
	int heights[C4_WIDTH], left = p->plies;
	uint32_t image = 0;
	heights_of(p, shape, heights);
	for (int c = 0; c < C4_WIDTH; c++) {
		image += p->below[c][left][heights[C4_WIDTH - 1 - c]];
		left -= heights[C4_WIDTH - 1 - c];
	}
	return image;
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
	uint32_t numbered = 0;
	for (uint32_t shape = 0; shape < p->shapes; shape++)
		if (shape <= image_of(p, shape))
			p->number[shape] = (uint16_t)numbered++;
	p->count = numbered * p->colours;
}

static uint64_t first_players(const struct c4 *at, int discs)
{
	return discs % 2 == 0 ? at->mover : at->mover ^ at->all;
}

struct own_place {
	uint32_t shape, colour;
};

/* Colours are numbered as rank.h numbers sets, with discs counted column by column upwards. */
static struct own_place own_place(const struct c4_places *p, uint64_t first, uint64_t all)
{
	struct own_place own = { 0, 0 };
	int left = p->plies, seen = 0, firsts = 0;
	for (int c = 0; c < C4_WIDTH; c++) {
		const int height = bits_count(all & C4_COLUMN(c));
		own.shape += p->below[c][left][height];
		left -= height;
		for (uint64_t discs = first >> c * C4_STRIDE, i = 0; i < (uint64_t)height; i++, seen++)
			if (discs >> i & 1)
				own.colour += ++firsts <= seen ? p->choose[seen][firsts] : 0;
	}
	return own;
}

uint32_t c4_place(const struct c4_places *p, const struct c4 *at)
{
	const uint64_t first = first_players(at, p->plies);
	const struct own_place own = own_place(p, first, at->all);
	const struct own_place image = own_place(p, c4_mirror(first), c4_mirror(at->all));
	const bool smaller =
		own.shape < image.shape || (own.shape == image.shape && own.colour < image.colour);
	const struct own_place *place = smaller ? &own : &image;
	return p->number[place->shape] * p->colours + place->colour;
}

/* ---- what needs no table ---- */

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
