/*
 * terms.c - names the strategic terms of a reversi position for pages and `--notions`.
 * SPDX-License-Identifier: MIT
 *
 * Mobility, frontier, corners, edges, stability and parity: for each side a count, the squares it
 * concerns and a sentence.
 */
#include "games/reversi/evaluate.h"
#include "games/reversi/stable.h"

struct term_list {
	struct qv_notion *list;
	int count, max;
	int16_t seat;
};

static void add_term(struct term_list *t, const char *name, int value, uint64_t squares,
		     const char *text)
{
	if (t->count == t->max)
		return;
	struct qv_notion *n = &t->list[t->count++];
	snprintf(n->name, sizeof n->name, "%s", name);
	snprintf(n->text, sizeof n->text, "%s", text);
	n->seat = t->seat;
	n->value = value;
	for (; squares; squares = bits_rest(squares))
		n->cells[n->cell_count++] = (int16_t)bits_lowest(squares);
}

static void add_count(struct term_list *t, const char *name, uint64_t squares, const char *text)
{
	add_term(t, name, bits_count(squares), squares, text);
}

/* The region of connected empty squares, corners included, that has the lowest one. */
static uint64_t first_region(uint64_t empty)
{
	uint64_t region = empty & (0 - empty), before;
	do {
		before = region;
		region = reversi_around(region) & empty;
	} while (region != before);
	return region;
}

/*
 * In an odd region, the side to move makes the last move if it starts there and nobody passes; in
 * an even region, the opponent does.
 */
static void add_parity(struct term_list *t, uint64_t empty, uint64_t moves, bool to_move)
{
	uint64_t squares = 0;
	int regions = 0;
	while (empty) {
		const uint64_t region = first_region(empty);
		empty &= ~region;
		if (!(region & moves) || bits_count(region) % 2 != to_move)
			continue;
		squares |= region;
		regions++;
	}
	add_term(
		t, "parity", regions, squares,
		to_move ? "Regions with an odd number of empty squares where it can play: it makes the "
			  "last move there."
			: "Regions with an even number of empty squares where the opponent can play: it "
			  "makes the last move there.");
}

static void add_side(struct term_list *t, const struct reversi *s, bool to_move)
{
	const uint64_t mine = to_move ? s->mover : s->other, theirs = to_move ? s->other : s->mover;
	const uint64_t empty = ~(mine | theirs), open_corners = empty & REVERSI_CORNERS;
	add_count(
		t, "mobility", reversi_mobility(mine, theirs),
		"Moves that it has, or would have on its turn: with few moves it is forced into bad ones.");
	add_count(t, "potential mobility", empty & reversi_around(theirs),
		  "Empty squares beside the opponent's discs: they may become moves.");
	add_count(t, "frontier", mine & reversi_around(empty),
		  "Its discs beside empty squares: they give the opponent moves.");
	add_count(t, "corners", mine & REVERSI_CORNERS,
		  "Discs in corners can never be turned over.");
	add_count(t, "edges", mine & REVERSI_EDGES,
		  "Its discs on the edges, except corners and the squares beside them.");
	add_count(t, "C-squares", mine & reversi_c_squares(open_corners),
		  "Its discs on an edge beside an empty corner: they may give the corner away.");
	add_count(t, "X-squares", mine & reversi_x_squares(open_corners),
		  "Its discs diagonally beside an empty corner: they often give the corner away.");
	add_count(t, "stability", reversi_stable(mine, theirs),
		  "Discs that can never be turned over: it will have at least these at the end.");
	add_parity(t, empty, reversi_mobility(s->mover, s->other), to_move);
}

int reversi_terms(const void *state, struct qv_notion *list, int max)
{
	const struct reversi *s = state;
	struct term_list t = { list, 0, max, 0 };
	for (; t.seat < 2; t.seat++)
		add_side(&t, s, t.seat == reversi_seat(s));
	return t.count;
}
