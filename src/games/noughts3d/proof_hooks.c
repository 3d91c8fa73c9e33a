/*
 * proof_hooks.c - game knowledge for the proof search of 3D noughts and crosses.
 * SPDX-License-Identifier: MIT
 *
 * The key of a position must be the same for all 192 symmetries, but trying all of them at each
 * node would be slow. So n3_tools_init finds, for each pattern of marks on the sixteen squares with
 * seven lines, the symmetries that make it smallest. A key then needs only these few.
 */
#include "games/noughts3d/proof_hooks.h"

/* ---- The key ---- */

/*
 * The marks on the sixteen squares with seven lines, as bits of a number: the corners of the outer
 * levels, and the middles of the inner ones.
 */
static unsigned rich_squares(uint64_t stones)
{
	const unsigned a = stones & 0xffff, b = stones >> 16 & 0xffff;
	const unsigned c = stones >> 32 & 0xffff, d = (unsigned)(stones >> 48);
	const unsigned bottom = (a & 1) | (a >> 2 & 2) | (a >> 10 & 4) | (a >> 12 & 8);
	const unsigned top = (d & 1) | (d >> 2 & 2) | (d >> 10 & 4) | (d >> 12 & 8);
	return bottom | ((b >> 5 & 3) | (b >> 7 & 12)) << 4 | ((c >> 5 & 3) | (c >> 7 & 12)) << 8 |
	       top << 12;
}

/* Where a symmetry takes a pattern, by the two halves of its number. */
struct halves {
	uint16_t low[256], high[256];
};

/* Fills the tables of symmetry k. */
static void make_halves(struct halves *h, int k)
{
	h->low[0] = h->high[0] = 0;
	for (int square = 0; square < N3_SQUARES; square++) {
		const uint64_t stone = UINT64_C(1) << square;
		const unsigned from = rich_squares(stone), to = rich_squares(n3_transform(stone, k));
		if (from >= 256)
			h->high[from >> 8] = (uint16_t)to;
		else if (from)
			h->low[from] = (uint16_t)to;
	}
	for (unsigned i = 1; i < 256; i++) {
		const unsigned rest = i & (i - 1), lowest = i ^ rest;
		h->low[i] = h->low[rest] | h->low[lowest];
		h->high[i] = h->high[rest] | h->high[lowest];
	}
}

/* For each pattern: its smallest symmetric pattern, and the symmetries that lead there. */
void n3_tools_init(struct n3_tools *t)
{
	struct halves h;
	for (int square = 0; square < N3_SQUARES; square++)
		t->fours.through[square] = n3_lines_through(square, t->fours.lines[square]);
	for (unsigned p = 0; p < N3_RICH_PATTERNS; p++)
		t->least[p] = (uint16_t)p;
	/* First find the smallest, then count the ways to it, then list them. */
	for (int pass = 0; pass < 3; pass++) {
		for (int k = 0; k < N3_SYMMETRIES; k++) {
			make_halves(&h, k);
			for (unsigned p = 0; p < N3_RICH_PATTERNS; p++) {
				const uint16_t image = h.low[p & 255] | h.high[p >> 8];
				struct n3_ways *ways = &t->ways[p];
				if (pass == 0 && image < t->least[p])
					t->least[p] = image;
				if (pass == 2 && image == t->least[p])
					t->symmetries[ways->first + ways->count] = (uint8_t)k;
				ways->count += pass > 0 && image == t->least[p];
			}
		}
		for (unsigned p = 1; pass == 1 && p < N3_RICH_PATTERNS; p++)
			t->ways[p].first = t->ways[p - 1].first + t->ways[p - 1].count;
		for (unsigned p = 0; pass == 1 && p < N3_RICH_PATTERNS; p++)
			t->ways[p].count = 0;
	}
}

/*
 * Hashes one chosen symmetric position, the same for all symmetries: first the smallest pattern of
 * the mover's marks on the rich squares, then the smallest position. Few symmetries are left to
 * compare.
 */
uint64_t n3_prove_key(const struct n3 *s, const void *tools)
{
	const struct n3_tools *t = tools;
	const struct n3_ways ways = t->ways[rich_squares(s->mine)];
	struct n3 least = { ~UINT64_C(0), ~UINT64_C(0) };
	for (int i = 0; i < ways.count; i++) {
		struct n3 image;
		n3_image(s, t->symmetries[ways.first + i], &image);
		if (image.mine < least.mine ||
		    (image.mine == least.mine && image.theirs < least.theirs))
			least = image;
	}
	return n3_hash(&least);
}

/* ---- The attacker ---- */

bool n3_forced(const struct n3 *s, void *tools, qv_move *first)
{
	struct n3_line line;
	if (!n3_fours_win(&((struct n3_tools *)tools)->fours, s, &line))
		return false;
	*first = line.threat[0];
	return true;
}

/*
 * The moves of the highest ranks, or the one that blocks an immediate threat of the defender. Moves
 * of equal rank are all in or all out, so that symmetric positions have symmetric candidates: what
 * is proven for one can then be looked up for the other.
 */
int n3_candidates(const struct n3 *s, void *tools, int width, qv_move *list)
{
	int32_t ranks[N3_SQUARES];
	const uint64_t danger = n3_completing(s->theirs, s->mine);
	(void)tools;
	if (danger) {
		list[0] = danger & (0 - danger);
		return 1;
	}
	/* Sort: highest rank first; equal ranks in the order of the squares. */
	const int n = n3_moves(s, list);
	for (int i = 0; i < n; i++) {
		const qv_move move = list[i];
		const int32_t rank = n3_rank(s, move);
		int to = i;
		for (; to > 0 && ranks[to - 1] < rank; to--) {
			list[to] = list[to - 1];
			ranks[to] = ranks[to - 1];
		}
		list[to] = move;
		ranks[to] = rank;
	}
	if (n <= width)
		return n;
	int cut = width;
	while (cut > 0 && ranks[cut - 1] == ranks[width])
		cut--;
	for (; cut == 0 || (cut < n && ranks[cut] == ranks[cut - 1]); cut++)
		;
	return cut;
}

/* ---- The defender ---- */

/*
 * Completing or blocking a four decides. Otherwise, if the attacker could win by threats with the
 * move, only the replies that break this win matter: replaying it shows that it works against all
 * others.
 */
int n3_replies(const struct n3 *s, void *tools, qv_move *list)
{
	struct n3_fours *const fours = &((struct n3_tools *)tools)->fours;
	struct n3_line line;
	const struct n3 passed = { s->theirs, s->mine };
	uint64_t only = n3_completing(s->mine, s->theirs);
	if (!only)
		only = n3_completing(s->theirs, s->mine);
	if (only) {
		list[0] = only & (0 - only);
		return 1;
	}
	if (!n3_fours_win(fours, &passed, &line))
		return n3_moves(s, list);
	int n = 0;
	for (uint64_t left = n3_line_spoilers(&line, &passed); left; left = bits_rest(left)) {
		const uint64_t stone = left & (0 - left);
		if (!n3_line_survives(fours, &line, &passed, stone))
			list[n++] = stone;
	}
	return n;
}
