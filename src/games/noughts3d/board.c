/*
 * board.c - 3D noughts and crosses on a page: the four levels as four boards, two by two.
 * SPDX-License-Identifier: MIT
 *
 * A cell is the number of its square. The levels stand two by two, because that is nearly square
 * and fits phones and desktop screens alike.
 */
#include "games/pictures.h"
#include "games/noughts3d/rules.h"

static const struct qv_piece pieces[] = {
	{ .name = "cross", .body = picture_cross, .detail = picture_cross_shine,
	  .paint = QV_PAINT_BLUE, .seat = 0 },
	{ .name = "nought", .body = picture_ring, .detail = picture_ring_shine,
	  .paint = QV_PAINT_RED, .seat = 1 },
	{ .name = NULL },
};

/* Sizes and distances: two levels side by side, and two below them. */
enum { SIDE = 100, LEFT = 44, TOP = 46, LEVEL = N3_SIDE * SIDE, APART = LEVEL + 56, EDGE = 16 };

/* The top left corner of a level. */
static void corner_of(int level, int *left, int *top)
{
	*left = LEFT + (level & 1) * APART;
	*top = TOP + (level >> 1) * APART;
}

static void layout(const int64_t *options, struct qv_layout *l)
{
	int left, top;
	(void)options;
	l->width = LEFT + APART + LEVEL + EDGE;
	l->height = TOP + APART + LEVEL + 40;
	for (int square = 0; square < N3_SQUARES; square++) {
		const int column = square & 3, row = square >> 2 & 3, level = square >> 4;
		const char name[4] = { (char)('a' + column), (char)('1' + row),
				       (char)('A' + level) };
		corner_of(level, &left, &top);
		struct qv_cell *cell = qv_add_cell(l, name, left + column * SIDE + SIDE / 2,
						   top + row * SIDE + SIDE / 2);
		cell->width = cell->height = SIDE;
		cell->row = (int16_t)((level >> 1) * N3_SIDE + row);
		cell->column = (int16_t)((level & 1) * N3_SIDE + column);
		cell->tone = QV_TONE_LIGHT;
	}
	/* Five lines each way, the letter of the level above it and the row numbers beside it. */
	for (int level = 0; level < N3_SIDE; level++) {
		const char letter[2] = { (char)('A' + level) };
		corner_of(level, &left, &top);
		for (int i = 0; i <= N3_SIDE; i++) {
			qv_add_line(l, left + i * SIDE, top, left + i * SIDE, top + LEVEL);
			qv_add_line(l, left, top + i * SIDE, left + LEVEL, top + i * SIDE);
		}
		qv_add_label(l, letter, left + LEVEL / 2, top - 24);
		for (int row = 0; row < N3_SIDE; row++) {
			const char number[2] = { (char)('1' + row) };
			qv_add_label(l, number, left - 20, top + row * SIDE + SIDE / 2);
		}
	}
	for (int i = 0; i < 2 * N3_SIDE; i++) {
		const char column[2] = { (char)('a' + (i & 3)) };
		corner_of(i >> 2, &left, &top);
		qv_add_label(l, column, left + (i & 3) * SIDE + SIDE / 2, l->height - 20);
	}
}

static int stand(const void *state, struct qv_standing *list)
{
	const struct n3 *s = state;
	const uint64_t noughts = n3_seat(s) ? s->mine : s->theirs;
	int n = 0;
	for (uint64_t left = s->mine | s->theirs; left; left = bits_rest(left)) {
		const int square = bits_lowest(left);
		list[n++] = (struct qv_standing){ (int16_t)square, noughts >> square & 1, 1 };
	}
	return n;
}

static int clicks(const void *state, qv_move move, int16_t *cells)
{
	(void)state;
	cells[0] = (int16_t)bits_lowest(move);
	return 1;
}

/* All marks that are part of a four. */
static int marks(const void *state, int16_t *cells)
{
	const struct n3 *s = state;
	uint64_t marked = 0;
	int n = 0;
#define X(step, starts, word, place)                                                        \
	{                                                                                   \
		const uint64_t fours = n3_fours(s->theirs, step, starts);                   \
		marked |= fours | fours << (step) | fours << 2 * (step) | fours << 3 * (step); \
	}
	N3_EACH_DIRECTION(X)
#undef X
	for (; marked; marked = bits_rest(marked))
		cells[n++] = (int16_t)bits_lowest(marked);
	return n;
}

/* Goes through the position text, so that the editor refuses what position_parse refuses. */
static enum qv_status set_up(const int64_t *options, const struct qv_standing *list, int count,
			     int seat, void *state, struct qv_error *error)
{
	char text[N3_SQUARES + 3] = { [N3_SQUARES] = ' ', "xo"[seat], '\0' };
	memset(text, '.', N3_SQUARES);
	for (int i = 0; i < count; i++)
		text[list[i].cell] = "xo"[list[i].piece];
	return n3_position_parse(state, options, text, error);
}

const struct qv_board n3_board = {
	.pieces = pieces, .layout = layout, .stand = stand, .clicks = clicks, .marks = marks,
	.set_up = set_up,
};
