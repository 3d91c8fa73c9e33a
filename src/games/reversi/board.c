/*
 * board.c - reversi on a page: green felt in a wooden frame, two-sided discs, and named terms.
 * SPDX-License-Identifier: MIT
 *
 * Cells are numbered as the squares of rules.h, from a1 at the top left. The terms are mobility,
 * quiet moves, frontier, corners, edges, stability and parity: for each side a count, the squares
 * it concerns and a sentence.
 */
#include "games/pictures.h"
#include "games/reversi/evaluate.h"

static const struct qv_piece pieces[] = {
	{ .name = "black disc", .body = picture_disc, .detail = picture_disc_rim,
	  .paint = QV_PAINT_DARK, .seat = 0 },
	{ .name = "white disc", .body = picture_disc, .detail = picture_disc_rim,
	  .paint = QV_PAINT_LIGHT, .seat = 1 },
	{ .name = NULL },
};

static void layout(const int64_t *options, struct qv_layout *l)
{
	enum { MARGIN = 50, END = MARGIN + 800 };
	(void)options;
	l->width = l->height = END + MARGIN;
	l->ground = QV_TONE_WOOD;
	for (int i = 0; i < 64; i++) {
		const int column = i % 8, row = i / 8;
		const char name[3] = { (char)('a' + column), (char)('1' + row) };
		struct qv_cell *cell = qv_add_cell(l, name, MARGIN + 50 + 100 * column,
						   MARGIN + 50 + 100 * row);
		cell->row = (int16_t)row;
		cell->column = (int16_t)column;
		cell->tone = QV_TONE_FELT;
	}
	for (int i = 0; i <= 8; i++) {
		qv_add_line(l, MARGIN + 100 * i, MARGIN, MARGIN + 100 * i, END);
		qv_add_line(l, MARGIN, MARGIN + 100 * i, END, MARGIN + 100 * i);
	}
	for (int i = 0; i < 4; i++) {
		const int x = MARGIN + (i % 2 ? 600 : 200), y = MARGIN + (i / 2 ? 600 : 200);
		qv_add_line(l, x, y, x, y);
	}
	for (int i = 0; i < 8; i++) {
		const char column[2] = { (char)('a' + i) }, row[2] = { (char)('1' + i) };
		qv_add_label(l, column, MARGIN + 50 + 100 * i, MARGIN / 2);
		qv_add_label(l, row, MARGIN / 2, MARGIN + 50 + 100 * i);
	}
}

static int stand(const void *state, struct qv_standing *list)
{
	const struct reversi *s = state;
	const int16_t mover = (int16_t)s->seat, other = (int16_t)(1 - mover);
	int n = 0;
	for (int16_t i = 0; i < 64; i++)
		if ((s->mover | s->other) >> i & 1)
			list[n++] = (struct qv_standing){ i, s->other >> i & 1 ? other : mover, 1 };
	return n;
}

static int clicks(const void *state, qv_move move, int16_t *cells)
{
	(void)state;
	cells[0] = (int16_t)move;
	return move != REVERSI_PASS;
}

/* Goes through the position text, so that the editor refuses what position_parse refuses. */
static enum qv_status set_up(const int64_t *options, const struct qv_standing *list, int count,
			     int seat, void *state, struct qv_error *error)
{
	char text[64 + 3] = { [64] = ' ', "XO"[seat], '\0' };
	memset(text, '-', 64);
	for (int i = 0; i < count; i++)
		text[list[i].cell] = "XO"[list[i].piece];
	return reversi_position_parse(state, options, text, error);
}

/* ---- Terms ---- */

struct term_list {
	struct qv_notion *list;
	int count, max;
	int16_t seat;
};

/* Adds a term of t->seat unless the list is full. */
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

/* Adds a term whose value is the number of its squares. */
static void add_count(struct term_list *t, const char *name, uint64_t squares, const char *text)
{
	add_term(t, name, bits_count(squares), squares, text);
}

/* The moves that turn over no disc beside an empty square, apart from the square of the move. */
static uint64_t quiet_moves(uint64_t mine, uint64_t theirs)
{
	uint64_t quiet = 0;
	for (uint64_t moves = reversi_mobility(mine, theirs); moves; moves = bits_rest(moves)) {
		const int square = bits_lowest(moves);
		const uint64_t move = UINT64_C(1) << square;
		if (!(reversi_turned(mine, theirs, square) &
		      reversi_around(~(mine | theirs | move))))
			quiet |= move;
	}
	return quiet;
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
		/* The region of the lowest empty square, connected along corners, too. */
		uint64_t region = empty & (0 - empty), before;
		do {
			before = region;
			region = reversi_around(region) & empty;
		} while (region != before);
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

/* qv_board.notions: the terms of Black, then those of White. */
static int list_terms(const void *state, struct qv_notion *list, int max)
{
	const struct reversi *s = state;
	struct term_list t = { list, 0, max, 0 };
	for (; t.seat < 2; t.seat++) {
		const bool to_move = t.seat == reversi_seat(s);
		const uint64_t mine = to_move ? s->mover : s->other;
		const uint64_t theirs = to_move ? s->other : s->mover;
		const uint64_t empty = ~(mine | theirs), open_corners = empty & REVERSI_CORNERS;
		add_count(&t, "mobility", reversi_mobility(mine, theirs),
			  "Moves that it has, or would have on its turn: with few moves it is forced "
			  "into bad ones.");
		add_count(&t, "quiet moves", quiet_moves(mine, theirs),
			  "Moves that turn over no frontier disc: they open few moves for the "
			  "opponent.");
		add_count(&t, "potential mobility", empty & reversi_around(theirs),
			  "Empty squares beside the opponent's discs: they may become moves.");
		add_count(&t, "frontier", mine & reversi_around(empty),
			  "Its discs beside empty squares: they give the opponent moves.");
		add_count(&t, "corners", mine & REVERSI_CORNERS,
			  "Discs in corners can never be turned over.");
		add_count(&t, "edges", mine & REVERSI_EDGES,
			  "Its discs on A-squares (c1, f1 and so on) and B-squares (d1, e1 and so "
			  "on): A-squares are stronger. Early edge moves are often bad.");
		add_count(&t, "C-squares", mine & reversi_c_squares(open_corners),
			  "Its discs on an edge beside an empty corner: they may give the corner "
			  "away.");
		add_count(&t, "X-squares", mine & reversi_x_squares(open_corners),
			  "Its discs diagonally beside an empty corner: they often give the corner "
			  "away.");
		add_count(&t, "stability", reversi_stable(mine, theirs),
			  "Discs that can never be turned over: it will have at least these at the "
			  "end.");
		add_parity(&t, empty, reversi_mobility(s->mover, s->other), to_move);
	}
	return t.count;
}

const struct qv_board reversi_board = {
	.pieces = pieces, .layout = layout, .stand = stand, .clicks = clicks,
	.score = reversi_discs, .set_up = set_up, .notions = list_terms,
};
