/*
 * board.c - draughts on a page.
 * SPDX-License-Identifier: MIT
 *
 * Cells are the dark squares, 1 to 32; the light ones are the ground. A move is clicked square by
 * square: where the piece stands, then each square where it lands.
 */
#include "games/draughts/evaluate.h"

enum { MARGIN = 30, END = MARGIN + 800, KINDS = 2 };

/* A man leaves room for the number of its square. A king is two men, one on the other. */
#define MAN "M-38 0A38 38 0 0 1 38 0 38 38 0 0 1-38 0Z"
#define MAN_RIMS \
	"M-29 0A29 29 0 0 1 29 0 29 29 0 0 1-29 0ZM-18 0A18 18 0 0 1 18 0 18 18 0 0 1-18 0Z"
#define KING \
	"M-38-6A38 38 0 0 1 38-6 38 38 0 0 1-38-6ZM-38-6V5A38 38 0 0 0 38 5V-6A38 38 0 0 1-38-6Z"
#define CROWN                                                                        \
	"M-29-6A29 29 0 0 1 29-6 29 29 0 0 1-29-6ZM-19 8V-17L-9-5 0-22 9-5 19-17V8Z" \
	"M-19 2H19"

static const struct qv_piece pieces[] = {
	{ .name = "black man",
	  .body = MAN,
	  .detail = MAN_RIMS,
	  .paint = QV_PAINT_DARK,
	  .seat = DRAUGHTS_BLACK },
	{ .name = "black king",
	  .body = KING,
	  .detail = CROWN,
	  .paint = QV_PAINT_DARK,
	  .seat = DRAUGHTS_BLACK },
	{ .name = "white man",
	  .body = MAN,
	  .detail = MAN_RIMS,
	  .paint = QV_PAINT_LIGHT,
	  .seat = DRAUGHTS_WHITE },
	{ .name = "white king",
	  .body = KING,
	  .detail = CROWN,
	  .paint = QV_PAINT_LIGHT,
	  .seat = DRAUGHTS_WHITE },
	{ .name = NULL },
};

/*
 * Black, who begins, is at the bottom, so square 1 is at the bottom right. The numbers are in the
 * corners of the squares, where pieces leave them visible.
 */
static void layout(const int64_t *options, struct qv_layout *l)
{
	(void)options;
	l->width = l->height = END + MARGIN;
	l->ground = QV_TONE_LIGHT;
	l->turnable = true;
	l->label_size = 16;
	for (int i = 0; i < DRAUGHTS_SQUARES; i++) {
		const int row = 7 - i / 4, column = 7 - 2 * (i % 4) - row % 2;
		const int x = MARGIN + 50 + 100 * column, y = MARGIN + 50 + 100 * row;
		char name[QV_CELL_TEXT];
		snprintf(name, sizeof name, "%d", i + 1);
		struct qv_cell *cell = qv_add_cell(l, name, x, y);
		cell->row = (int16_t)row;
		cell->column = (int16_t)column;
		cell->tone = QV_TONE_DARK;
		qv_add_label(l, name, x - 36, y - 38);
	}
	qv_add_line(l, MARGIN, MARGIN, END, MARGIN);
	qv_add_line(l, END, MARGIN, END, END);
	qv_add_line(l, END, END, MARGIN, END);
	qv_add_line(l, MARGIN, END, MARGIN, MARGIN);
}

/* The cell of a bit. */
static int16_t cell_of(int bit)
{
	return (int16_t)(draughts_square_of(bit) - 1);
}

static int stand(const void *state, struct qv_standing *list)
{
	const struct draughts *s = state;
	int n = 0;
	for (uint64_t left = s->pieces[0] | s->pieces[1]; left; left = bits_rest(left)) {
		const int bit = bits_lowest(left);
		const int side = (int)(s->pieces[DRAUGHTS_WHITE] >> bit & 1);
		const int piece = KINDS * side + (int)(s->kings >> bit & 1);
		list[n++] = (struct qv_standing){ cell_of(bit), (int16_t)piece, 1 };
	}
	return n;
}

static int clicks(const void *state, qv_move move, int16_t *cells)
{
	const int jumps = draughts_jumps(move);
	uint64_t at = draughts_bit(draughts_from(move));
	int n = 0;
	(void)state;
	cells[n++] = cell_of(draughts_from(move));
	for (int i = 0; i < (jumps ? jumps : 1); i++) {
		const int direction = draughts_direction(move, i);
		at = draughts_shift(at, direction);
		if (jumps)
			at = draughts_shift(at, direction);
		cells[n++] = cell_of(bits_lowest(at));
	}
	return n;
}

/* The pieces that must capture are highlighted. */
static int marks(const void *state, int16_t *cells)
{
	int n = 0;
	for (uint64_t left = draughts_takers(state); left; left = bits_rest(left))
		cells[n++] = cell_of(bits_lowest(left));
	return n;
}

static int32_t score(const void *state, int seat)
{
	return bits_count(((const struct draughts *)state)->pieces[seat]);
}

/* Goes through the position text, so that the editor refuses what position_parse refuses. */
static enum qv_status set_up(const int64_t *options, const struct qv_standing *list, int count,
			     int seat, void *state, struct qv_error *error)
{
	struct draughts s = { .turn = (uint8_t)seat };
	char text[512];
	for (int i = 0; i < count; i++) {
		const uint64_t bit = draughts_bit(draughts_bit_of(list[i].cell + 1));
		s.pieces[list[i].piece / KINDS] |= bit;
		s.kings |= list[i].piece % KINDS ? bit : 0;
	}
	struct qv_text out = { text, sizeof text, 0 };
	draughts_position_text(&s, &out);
	return draughts_position_parse(state, options, text, error);
}

const struct qv_board draughts_board = {
	.pieces = pieces,
	.layout = layout,
	.stand = stand,
	.clicks = clicks,
	.marks = marks,
	.score = score,
	.set_up = set_up,
};
