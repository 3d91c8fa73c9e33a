/*
 * board.c - nine men's morris on a page: three squares on wood, and the men in hand below them.
 * SPDX-License-Identifier: MIT
 *
 * A placement starts in the hand of its side, which is a cell too. A capture is one more click, on
 * the man to remove.
 */
#include "games/pictures.h"
#include "games/morris/evaluate.h"

enum { MARGIN = 70, STEP = 100, TRAY = MORRIS_POINTS, END = MARGIN + 6 * STEP };

static const struct qv_piece pieces[] = {
	{ .name = "white man", .body = picture_disc, .detail = picture_disc_rim,
	  .paint = QV_PAINT_LIGHT, .seat = 0, .most = MORRIS_MEN },
	{ .name = "black man", .body = picture_disc, .detail = picture_disc_rim,
	  .paint = QV_PAINT_DARK, .seat = 1, .most = MORRIS_MEN },
	{ .name = NULL },
};

/* The centre of a point on the page. */
static int x_of(int point)
{
	return MARGIN + STEP * (morris_point_names[point][0] - 'a');
}

static int y_of(int point)
{
	return MARGIN + STEP * ('7' - morris_point_names[point][1]);
}

/* The points at their places in a grid of seven by seven, the hands below the board. */
static void layout(const int64_t *options, struct qv_layout *l)
{
	(void)options;
	l->width = END + MARGIN;
	l->height = END + 190;
	l->ground = QV_TONE_LIGHT;
	for (int point = 0; point < MORRIS_POINTS; point++) {
		const char name[3] = { morris_point_names[point][0], morris_point_names[point][1] };
		struct qv_cell *cell = qv_add_cell(l, name, x_of(point), y_of(point));
		cell->width = cell->height = 84;
		cell->row = (int16_t)('7' - morris_point_names[point][1]);
		cell->column = (int16_t)(morris_point_names[point][0] - 'a');
		cell->shape = QV_POINT;
	}
	for (int side = 0; side < 2; side++) {
		struct qv_cell *hand = qv_add_cell(l, side ? "black's hand" : "white's hand",
						   side ? END - STEP : MARGIN + STEP, END + 120);
		hand->row = 7;
		hand->column = side ? 5 : 1;
		hand->tone = QV_TONE_TRAY;
	}
	/* Lines along the rings, then across them at the middles of the sides, then the points. */
	for (int point = 0; point < MORRIS_POINTS; point += 2) {
		const int next = point / 8 * 8 + (point + 2) % 8;
		qv_add_line(l, x_of(point), y_of(point), x_of(next), y_of(next));
	}
	for (int middle = 1; middle < 8; middle += 2)
		qv_add_line(l, x_of(middle), y_of(middle), x_of(middle + 16), y_of(middle + 16));
	for (int point = 0; point < MORRIS_POINTS; point++)
		qv_add_line(l, x_of(point), y_of(point), x_of(point), y_of(point));
	for (int i = 0; i < 7; i++) {
		const char column[2] = { (char)('a' + i) }, row[2] = { (char)('7' - i) };
		qv_add_label(l, row, 20, MARGIN + STEP * i);
		qv_add_label(l, column, MARGIN + STEP * i, END + 52);
	}
	qv_add_label(l, "in hand", (END + MARGIN) / 2, END + 120);
}

/* Men on the board, then those in hand, for each side. */
static int stand(const void *state, struct qv_standing *list)
{
	const struct morris *s = state;
	int n = 0;
	for (int16_t side = 0; side < 2; side++) {
		for (uint64_t left = s->men[side]; left; left = bits_rest(left))
			list[n++] = (struct qv_standing){ (int16_t)bits_lowest(left), side, 1 };
		if (s->hand[side])
			list[n++] = (struct qv_standing){ (int16_t)(TRAY + side), side,
							  s->hand[side] };
	}
	return n;
}

/* The points of a move in the order from, to, captured. */
static int clicks(const void *state, qv_move move, int16_t *cells)
{
	const int parts[] = { morris_from(move), morris_to(move), morris_taken(move) };
	int n = 0;
	(void)state;
	for (int i = 0; i < 3; i++)
		if (parts[i] != MORRIS_NONE)
			cells[n++] = (int16_t)parts[i];
	return n;
}

/* The arrow leads from the hand or the point to the point; the captured man is not on its way. */
static int touches(const void *state, qv_move move, int16_t *cells)
{
	const int from = morris_from(move);
	cells[0] = (int16_t)(from == MORRIS_NONE ? TRAY + morris_seat(state) : from);
	cells[1] = (int16_t)morris_to(move);
	return 2;
}

/* Goes through the position text, so that the editor refuses what position_parse refuses. */
static enum qv_status set_up(const int64_t *options, const struct qv_standing *list, int count,
			     int seat, void *state, struct qv_error *error)
{
	struct morris s = { .turn = (uint8_t)seat };
	char text[64];
	for (int i = 0; i < count; i++) {
		const int side = list[i].piece, cell = list[i].cell;
		if (cell >= TRAY && cell != TRAY + side)
			return qv_fail(error, QV_ILLEGAL,
				       "position: a man is in the hand of the other side");
		if (cell < TRAY && list[i].count != 1)
			return qv_fail(error, QV_ILLEGAL, "position: more than one man on %s",
				       morris_point_names[cell]);
		if (cell < TRAY)
			s.men[side] |= morris_bit(cell);
		else
			s.hand[side] = (uint8_t)list[i].count;
	}
	struct qv_text out = { text, sizeof text, 0 };
	morris_position_text(&s, &out);
	return morris_position_parse(state, options, text, error);
}

const struct qv_board morris_board = {
	.pieces = pieces, .layout = layout, .stand = stand, .clicks = clicks, .touches = touches,
	.score = morris_men, .set_up = set_up,
};
