/*
 * board.c - connect-four on a page: a blue rack with round holes.
 * SPDX-License-Identifier: MIT
 *
 * Hole 6 * column + row, row 0 at the bottom. A move is entered at the hole where the disc lands.
 * The holes of a column are one group, so a click on any of them enters the move.
 */
#include "games/pictures.h"
#include "games/connect4/rules.h"

static const struct qv_piece pieces[] = {
	{ .name = "red disc", .body = picture_disc, .detail = picture_disc_rim,
	  .paint = QV_PAINT_RED, .seat = 0 },
	{ .name = "yellow disc", .body = picture_disc, .detail = picture_disc_rim,
	  .paint = QV_PAINT_YELLOW, .seat = 1 },
	{ .name = NULL },
};

enum { HOLES = C4_WIDTH * C4_HEIGHT };

static void layout(const int64_t *options, struct qv_layout *l)
{
	(void)options;
	l->width = 30 + 100 * C4_WIDTH;
	l->height = 30 + 100 * C4_HEIGHT + 25;
	l->ground = QV_TONE_FRAME;
	for (int column = 0; column < C4_WIDTH; column++) {
		const char number[2] = { (char)('1' + column) };
		qv_add_label(l, number, 65 + 100 * column, l->height - 22);
		for (int row = 0; row < C4_HEIGHT; row++) {
			const int down = C4_HEIGHT - 1 - row;
			char name[QV_CELL_TEXT];
			snprintf(name, sizeof name, "column %d row %d", column + 1, row + 1);
			struct qv_cell *cell =
				qv_add_cell(l, name, 65 + 100 * column, 65 + 100 * down);
			cell->width = cell->height = 90;
			cell->shape = QV_ELLIPSE;
			cell->tone = QV_TONE_HOLE;
			cell->row = (int16_t)down;
			cell->column = (int16_t)column;
			cell->group = (int16_t)(column + 1);
		}
	}
}

static uint64_t bit_of(int hole)
{
	return UINT64_C(1) << (hole / C4_HEIGHT * C4_STRIDE + hole % C4_HEIGHT);
}

static int stand(const void *state, struct qv_standing *list)
{
	const struct c4 *s = state;
	const uint64_t second = c4_seat(s) ? s->mover : s->mover ^ s->all;
	int n = 0;
	for (int16_t i = 0; i < HOLES; i++)
		if (s->all & bit_of(i))
			list[n++] = (struct qv_standing){ i, (second & bit_of(i)) != 0, 1 };
	return n;
}

static int clicks(const void *state, qv_move move, int16_t *cells)
{
	(void)state;
	const int bit = bits_lowest(move);
	cells[0] = (int16_t)(bit / C4_STRIDE * C4_HEIGHT + bit % C4_STRIDE);
	return 1;
}

/* All discs that are part of a four. */
static int marks(const void *state, int16_t *cells)
{
	static const int steps[] = { 1, C4_STRIDE - 1, C4_STRIDE, C4_STRIDE + 1 };
	const struct c4 *s = state;
	const uint64_t discs = s->mover ^ s->all;
	uint64_t marked = 0;
	int n = 0;
	for (int i = 0; i < 4; i++) {
		const uint64_t pairs = discs & discs >> steps[i];
		const uint64_t fours = pairs & pairs >> 2 * steps[i];
		const uint64_t twos = fours | fours << steps[i];
		marked |= twos | twos << 2 * steps[i];
	}
	for (int16_t i = 0; i < HOLES; i++)
		if (marked & bit_of(i))
			cells[n++] = i;
	return n;
}

/* Goes through the position text, so that the editor refuses what position_parse refuses. */
static enum qv_status set_up(const int64_t *options, const struct qv_standing *list, int count,
			     int seat, void *state, struct qv_error *error)
{
	char text[] = "......./......./......./......./......./....... x";
	for (int i = 0; i < count; i++) {
		const int column = list[i].cell / C4_HEIGHT, row = list[i].cell % C4_HEIGHT;
		text[(C4_WIDTH + 1) * (C4_HEIGHT - 1 - row) + column] = "xo"[list[i].piece];
	}
	text[(C4_WIDTH + 1) * C4_HEIGHT] = "xo"[seat];
	return c4_position_parse(state, options, text, error);
}

const struct qv_board c4_board = {
	.pieces = pieces, .layout = layout, .stand = stand, .clicks = clicks, .marks = marks,
	.set_up = set_up, .notions = c4_terms,
};
