/*
 * board.c - go-moku on a page: stones on the crossings of a grid, and the threats of both sides.
 * SPDX-License-Identifier: MIT
 *
 * A cell is a point, numbered from a1, b1 on by rows of the board's size. The choice of a colour in
 * the opening swap2 has no cell, so it gets a button.
 */
#include "games/gomoku/threats.h"
#include "games/gomoku/vcf.h"
#include "games/pictures.h"

static const struct qv_piece pieces[] = {
	{ .name = "black stone", .body = picture_disc, .paint = QV_PAINT_DARK, .seat = 0 },
	{ .name = "white stone", .body = picture_disc, .paint = QV_PAINT_LIGHT, .seat = 1 },
	{ .name = NULL },
};

static int16_t cell_of(const struct gomoku *s, int point)
{
	return (int16_t)(point / GOMOKU_SIDE * s->size + point % GOMOKU_SIDE);
}

/* The lines with star points: the third or fourth from the edge, and the middle one. */
static bool is_star(int size, int place)
{
	const int edge = size < 13 ? 2 : 3;
	return place == edge || place == size - 1 - edge || (size % 2 && place == size / 2);
}

static void layout(const int64_t *options, struct qv_layout *l)
{
	enum { STEP = 100, MARGIN = 112, LABEL = 36 };
	const int size = (int)options[GOMOKU_OPTION_SIZE], end = MARGIN + STEP * (size - 1);
	l->width = l->height = (int16_t)(end + MARGIN);
	l->ground = QV_TONE_LIGHT;
	l->label_size = size > 15 ? 50 : 42; /* readable on a phone */
	for (int i = 0; i < size * size; i++) {
		const int row = i / size, column = i % size;
		char name[QV_CELL_TEXT];
		snprintf(name, sizeof name, "%c%d", 'a' + column, row + 1);
		struct qv_cell *cell =
			qv_add_cell(l, name, MARGIN + STEP * column, end - STEP * row);
		cell->row = (int16_t)(size - 1 - row);
		cell->column = (int16_t)column;
		cell->shape = QV_POINT;
	}
	for (int i = 0; i < size; i++) {
		const int place = MARGIN + STEP * i;
		const char letter[2] = { (char)('a' + i) };
		char number[QV_CELL_TEXT];
		snprintf(number, sizeof number, "%d", i + 1);
		qv_add_line(l, MARGIN, place, end, place);
		qv_add_line(l, place, MARGIN, place, end);
		qv_add_label(l, letter, place, end + MARGIN - LABEL);
		qv_add_label(l, number, LABEL, end - STEP * i);
	}
	for (int i = 0; i < size * size; i++)
		if (is_star(size, i / size) && is_star(size, i % size))
			qv_add_line(l, l->cells[i].x, l->cells[i].y, l->cells[i].x, l->cells[i].y);
}

static int stand(const void *state, struct qv_standing *list)
{
	const struct gomoku *s = state;
	int n = 0;
	for (int16_t colour = 0; colour < 2; colour++)
		for (int row = 0; row < s->size; row++)
			for (uint64_t left = s->stones[colour][row]; left; left = bits_rest(left)) {
				const int column = bits_lowest(left) - GOMOKU_MARGIN;
				list[n++] =
					(struct qv_standing){ cell_of(s, gomoku_point(row, column)),
							      colour, 1 };
			}
	return n;
}

static int clicks(const void *state, qv_move move, int16_t *cells)
{
	if (move >= GOMOKU_POINTS)
		return 0;
	cells[0] = cell_of(state, (int)move);
	return 1;
}

/* The stones of the rows that have won. */
static int marks(const void *state, int16_t *cells)
{
	const struct gomoku *s = state;
	int n = 0;
	for (int point = 0; s->winner && point < GOMOKU_POINTS; point++)
		if (point % GOMOKU_SIDE < s->size && point / GOMOKU_SIDE < s->size &&
		    gomoku_has_stone(s, s->winner - 1, point) &&
		    gomoku_wins_at(s, s->winner - 1, point))
			cells[n++] = cell_of(s, point);
	return n;
}

/*
 * Goes through the position text, so that the editor refuses what position_parse refuses. With
 * swap2, the seat to move decides which player has which colour.
 */
static enum qv_status set_up(const int64_t *options, const struct qv_standing *list, int count,
			     int seat, void *state, struct qv_error *error)
{
	struct gomoku s;
	char text[QV_POSITION_TEXT];
	int black = 0;
	gomoku_start(&s, options);
	for (int i = 0; i < count; i++) {
		const int row = list[i].cell / s.size, column = list[i].cell % s.size;
		gomoku_add(&s, list[i].piece, gomoku_point(row, column));
		black += list[i].piece == GOMOKU_BLACK;
	}
	s.turn = (uint8_t)seat;
	if (s.swap2) {
		s.turn = black > count - black;
		s.phase = count < GOMOKU_FIRST_CHOICE ? GOMOKU_OPENING
			  : s.turn == seat	      ? GOMOKU_KEPT
						      : GOMOKU_SWAPPED;
		if (gomoku_seat(&s) != seat)
			return qv_fail(error, QV_ILLEGAL,
				       "position: the first player places the first three stones");
	}
	struct qv_text out = { text, sizeof text, 0 };
	gomoku_position_text(&s, &out);
	return gomoku_position_parse(state, options, text, error);
}

/* ---- Threats ---- */

static const struct {
	int threat;
	const char *name, *mark, *text;
} threat_notions[] = {
	{ GOMOKU_MAKES_FIVE, "five", "5", "Points where it completes five in a row." },
	{ GOMOKU_MAKES_STRAIGHT_FOUR, "straight four", "4",
	  "Points where it makes a four with two open ends, which cannot be stopped." },
	{ GOMOKU_MAKES_FOUR, "four", "", "Points where it makes a four, which must be blocked." },
	{ GOMOKU_MAKES_THREE, "three", "",
	  "Points where it makes an open three, which threatens a straight four." },
};
enum { THREAT_NOTIONS = sizeof threat_notions / sizeof *threat_notions };

/* Adds the points of a threat that the colour may play. */
static void add_points(const struct gomoku *s, const struct gomoku_threats *t, int colour,
		       int threat, struct qv_notion *out)
{
	for (int row = 0; row < s->size; row++)
		for (uint64_t left = gomoku_empty_row(s, row); left; left = bits_rest(left)) {
			const int point = gomoku_point(row, bits_lowest(left) - GOMOKU_MARGIN);
			if (gomoku_threat_count(t, colour, point, threat))
				out->cells[out->cell_count++] = cell_of(s, point);
		}
	out->value = out->cell_count;
}

static void add_forbidden(const struct gomoku *s, struct qv_notion *out)
{
	for (int row = 0; row < s->size; row++)
		for (uint64_t left = gomoku_empty_row(s, row); left; left = bits_rest(left)) {
			const int point = gomoku_point(row, bits_lowest(left) - GOMOKU_MARGIN);
			if (gomoku_is_forbidden(s->stones[GOMOKU_BLACK], s->stones[GOMOKU_WHITE],
						s->size, point))
				out->cells[out->cell_count++] = cell_of(s, point);
		}
	out->value = out->cell_count;
}

/*
 * The moves of a shortest win by fours, if the colour is to move or were to move. The search is
 * short, so that it may miss a long one.
 */
static void add_win(const struct gomoku *s, int colour, struct qv_notion *out)
{
	enum { NODES = 10000 };
	struct gomoku_vcf v = { .max_nodes = NODES };
	struct gomoku from = *s;
	int32_t points[QV_MAX_SEATS];
	gomoku_set_turn(&from, colour);
	if (gomoku_result(&from, points) != QV_GOING || !gomoku_vcf(&v, &from, GOMOKU_VCF_MOVES)) {
		snprintf(out->text, sizeof out->text,
			 "A sequence of fours that ends with five: none was found.");
		return;
	}
	out->value = v.length / 2 + 1;
	struct qv_text text = { out->text, sizeof out->text, 0 };
	qv_put(&text, colour == s->turn ? "Moves that win by fours:" : "If it were to move:");
	for (int i = 0; i < v.length; i++) {
		if (i % 2 == 0)
			out->cells[out->cell_count++] = cell_of(s, (int)v.line[i]);
		if (text.length + 12 > sizeof out->text)
			continue;
		qv_put(&text, i ? ", " : " ");
		gomoku_move_text(&from, v.line[i], &text);
	}
	qv_put_char(&text, '.');
}

/*
 * The threats of Black, then those of White, each with its win by fours; in renju, the forbidden
 * points of Black.
 */
static int notions(const void *state, struct qv_notion *list, int max)
{
	const struct gomoku *s = state;
	struct gomoku_threats threats;
	int n = 0;
	if (s->phase == GOMOKU_OPENING)
		return 0;
	gomoku_find_threats(s, &threats);
	for (int colour = 0; colour < 2; colour++) {
		for (int i = 0; i < THREAT_NOTIONS && n < max; i++, n++) {
			snprintf(list[n].name, sizeof list[n].name, "%s", threat_notions[i].name);
			snprintf(list[n].mark, sizeof list[n].mark, "%s", threat_notions[i].mark);
			snprintf(list[n].text, sizeof list[n].text, "%s", threat_notions[i].text);
			list[n].seat = (int16_t)gomoku_seat_of(s, colour);
			add_points(s, &threats, colour, threat_notions[i].threat, &list[n]);
		}
		if (n < max) {
			snprintf(list[n].name, sizeof list[n].name, "win by fours");
			list[n].seat = (int16_t)gomoku_seat_of(s, colour);
			add_win(s, colour, &list[n++]);
		}
		if (s->rule == GOMOKU_RENJU && colour == GOMOKU_BLACK && n < max) {
			snprintf(list[n].name, sizeof list[n].name, "forbidden");
			snprintf(list[n].mark, sizeof list[n].mark, "!");
			snprintf(list[n].text, sizeof list[n].text,
				 "Points where Black may not play: overline, double four, double "
				 "three.");
			list[n].seat = (int16_t)gomoku_seat_of(s, colour);
			add_forbidden(s, &list[n++]);
		}
	}
	return n;
}

const struct qv_board gomoku_board = {
	.pieces = pieces,
	.layout = layout,
	.stand = stand,
	.clicks = clicks,
	.marks = marks,
	.set_up = set_up,
	.notions = notions,
};
