/*
 * terms.c - what strategy sees in a reversi position: mobility, frontier, corners, edges,
 * stability, parity.
 * SPDX-License-Identifier: MIT
 */
#include "games/reversi/evaluate.h"
#include "games/reversi/stable.h"

struct teller {
	struct qv_notion *list;
	int count, max;
	int16_t seat;
};

static void tell(struct teller *t, const char *name, int value, uint64_t squares, const char *text)
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

static void tell_count(struct teller *t, const char *name, uint64_t squares, const char *text)
{
	tell(t, name, bits_count(squares), squares, text);
}

/* Empty squares that hang together by sides or corners, from the lowest one on. */
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
 * Where a region is odd, the side to move has the last word in it if it begins there and nobody
 * passes; where it is even, the other side.
 */
static void tell_parity(struct teller *t, uint64_t empty, uint64_t moves, bool to_move)
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
	tell(t, "parity", regions, squares,
	     to_move ? "Regions of an odd number of empty squares where it can play: by turns it has "
		       "the last word there."
		     : "Regions of an even number of empty squares where the opponent can play: by "
		       "turns it has the last word there.");
}

static void tell_side(struct teller *t, const struct reversi *s, bool to_move)
{
	const uint64_t mine = to_move ? s->mover : s->other, theirs = to_move ? s->other : s->mover;
	const uint64_t empty = ~(mine | theirs), open_corners = empty & REVERSI_CORNERS;
	tell_count(
		t, "mobility", reversi_mobility(mine, theirs),
		"Moves that it has, or would have on its turn: who has few is forced to bad ones.");
	tell_count(t, "potential mobility", empty & reversi_around(theirs),
		   "Empty squares beside the opponent's discs: moves may come from there.");
	tell_count(t, "frontier", mine & reversi_around(empty),
		   "Its discs beside empty squares: they give the opponent moves.");
	tell_count(t, "corners", mine & REVERSI_CORNERS, "Discs in corners can never be turned.");
	tell_count(t, "edges", mine & REVERSI_EDGES,
		   "Its discs on the sides, but for corners and the squares beside them.");
	tell_count(t, "C-squares", mine & reversi_c_squares(open_corners),
		   "Its discs on a side beside an empty corner: they may give the corner away.");
	tell_count(t, "X-squares", mine & reversi_x_squares(open_corners),
		   "Its discs diagonally beside an empty corner: they often give the corner away.");
	tell_count(t, "stability", reversi_stable(mine, theirs),
		   "Discs that can never be turned: the least it will have at the end.");
	tell_parity(t, empty, reversi_mobility(s->mover, s->other), to_move);
}

int reversi_notions(const void *state, struct qv_notion *list, int max)
{
	const struct reversi *s = state;
	struct teller t = { list, 0, max, 0 };
	for (; t.seat < 2; t.seat++)
		tell_side(&t, s, t.seat == reversi_seat(s));
	return t.count;
}
