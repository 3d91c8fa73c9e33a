/*
 * board.c - backgammon on a page, as seat 1 sees it.
 * SPDX-License-Identifier: MIT
 *
 *     13 14 15 16 17 18 | bar 1 | 19 20 21 22 23 24 | off 2
 *          die 1          die 2
 *     12 11 10  9  8  7 | bar 2 |  6  5  4  3  2  1 | off 1
 *
 * The cells in order: points 1 to 24 as seat 1 counts, the two bars, the two trays of men that are
 * off, the two dice. A turn is entered step by step: for each die the place that a man leaves and
 * the one it reaches, the rearmost man first.
 */
#include "games/backgammon/rules.h"
#include "games/pictures.h"

enum {
	CELL_BAR = BACKGAMMON_POINTS, /* of the first seat; the second's is the next one */
	CELL_OFF = CELL_BAR + 2,
	CELL_DIE = CELL_OFF + 2,
	PIECE_DIE = 2, /* the face 1; the others follow */
};

#define DIE "M-29-38H29A9 9 0 0 1 38-29V29A9 9 0 0 1 29 38H-29A9 9 0 0 1-38 29V-29A9 9 0 0 1-29-38Z"
/* Details are lines. A pip is three circles, so close that nothing shows between them. */
#define PIP                                                                                   \
	"m-6 0a6 6 0 1 0 12 0 6 6 0 1 0-12 0m2.5 0a3.5 3.5 0 1 0 7 0 3.5 3.5 0 1 0-7 0m2.5 0" \
	"a1 1 0 1 0 2 0 1 1 0 1 0-2 0"
#define TWO "M-20 20" PIP "M20-20" PIP
#define FOUR TWO "M-20-20" PIP "M20 20" PIP
#define FACE(number, pips)                                                                   \
	{                                                                                    \
		.name = "die " number, .body = DIE, .detail = pips, .paint = QV_PAINT_LIGHT, \
		.seat = -1                                                                   \
	}

static const struct qv_piece pieces[] = {
	{ .name = "white man",
	  .body = picture_disc,
	  .detail = picture_disc_rim,
	  .paint = QV_PAINT_LIGHT,
	  .seat = 0,
	  .most = BACKGAMMON_MEN },
	{ .name = "black man",
	  .body = picture_disc,
	  .detail = picture_disc_rim,
	  .paint = QV_PAINT_DARK,
	  .seat = 1,
	  .most = BACKGAMMON_MEN },
	FACE("1", "M0 0" PIP),
	FACE("2", TWO),
	FACE("3", TWO "M0 0" PIP),
	FACE("4", FOUR),
	FACE("5", FOUR "M0 0" PIP),
	FACE("6", FOUR "M-20 0" PIP "M20 0" PIP),
	{ .name = NULL },
};

/* Adds a cell to a grid of 14 columns (7th: the bar, 14th: off) by 3 rows. */
static struct qv_cell *add_cell(struct qv_layout *l, const char *name, int column, int row)
{
	struct qv_cell *cell = qv_add_cell(l, name, 60 + 100 * column, 165 + 200 * row);
	cell->row = (int16_t)row;
	cell->column = (int16_t)column;
	cell->tone = QV_TONE_TRAY;
	return cell;
}

static void layout(const int64_t *options, struct qv_layout *l)
{
	(void)options;
	l->width = 1420;
	l->height = 730;
	l->ground = QV_TONE_WOOD;
	for (int point = 1; point <= BACKGAMMON_POINTS; point++) {
		char name[QV_CELL_TEXT];
		const bool upper = point > 12;
		const int place = upper ? point - 13 : 12 - point;
		snprintf(name, sizeof name, "%d", point);
		struct qv_cell *cell = add_cell(l, name, place + (place >= 6), upper ? 0 : 2);
		cell->height = 200;
		cell->tone = point % 2 ? QV_TONE_LIGHT : QV_TONE_DARK;
		qv_add_label(l, name, cell->x, upper ? 35 : 695);
	}
	add_cell(l, "bar 1", 6, 0)->height = 200;
	add_cell(l, "bar 2", 6, 2)->height = 200;
	add_cell(l, "off 1", 13, 2)->height = 200;
	add_cell(l, "off 2", 13, 0)->height = 200;
	add_cell(l, "die 1", 9, 1);
	add_cell(l, "die 2", 10, 1);
	qv_add_label(l, "bar", 660, 365);
	qv_add_label(l, "off", 1360, 365);
}

/* The cell of a seat's men on a place. */
static int16_t cell_of(int seat, int place)
{
	return (int16_t)(place == BACKGAMMON_BAR   ? CELL_BAR + seat
			 : place == BACKGAMMON_OFF ? CELL_OFF + seat
			 : seat			   ? BACKGAMMON_POINTS - place
						   : place - 1);
}

static int stand(const void *state, struct qv_standing *list)
{
	const struct backgammon *s = state;
	int n = 0;
	for (int seat = 0; seat < 2; seat++)
		for (int place = 0; place < BACKGAMMON_PLACES; place++)
			if (s->men[seat][place])
				list[n++] =
					(struct qv_standing){ cell_of(seat, place), (int16_t)seat,
							      s->men[seat][place] };
	for (int16_t i = 0; s->phase == BACKGAMMON_MOVE && i < 2; i++)
		list[n++] = (struct qv_standing){ (int16_t)(CELL_DIE + i),
						  (int16_t)(PIECE_DIE + s->dice[i] - 1), 1 };
	return n;
}

static int clicks(const void *state, qv_move move, int16_t *cells)
{
	const struct backgammon *s = state;
	int n = 0;
	if (s->phase != BACKGAMMON_MOVE)
		return 0;
	for (int i = 0, steps = backgammon_steps(move); i < steps; i++) {
		const int from = backgammon_step_from(move, i);
		const int to = backgammon_target(from, backgammon_step_die(move, i));
		cells[n++] = cell_of(s->turn, from);
		cells[n++] = cell_of(s->turn, to);
	}
	return n;
}

/* Pips to go. */
static int32_t score(const void *state, int seat)
{
	return backgammon_pips(((const struct backgammon *)state)->men[seat]);
}

/* ---- The editor ---- */

/* The place of a cell as the seat counts; -1: the cell belongs to the other seat. */
static int place_of(int seat, int cell)
{
	for (int place = 0; place < BACKGAMMON_PLACES; place++)
		if (cell_of(seat, place) == cell)
			return place;
	return -1;
}

static enum qv_status set_up(const int64_t *options, const struct qv_standing *list, int count,
			     int seat, void *state, struct qv_error *error)
{
	struct backgammon s = backgammon_with_options(options);
	int men[2] = { 0, 0 };
	s.turn = (uint8_t)seat;
	s.phase = BACKGAMMON_ROLL;
	for (int i = 0; i < count; i++) {
		const int piece = list[i].piece, cell = list[i].cell;
		if ((piece >= PIECE_DIE) != (cell >= CELL_DIE))
			return qv_fail(error, QV_ILLEGAL,
				       "position: only dice may be on the squares of the dice");
		if (cell >= CELL_DIE) {
			s.dice[cell - CELL_DIE] = (uint8_t)(piece - PIECE_DIE + 1);
			continue;
		}
		const int place = place_of(piece, cell);
		if (place < 0)
			return qv_fail(error, QV_ILLEGAL,
				       "position: a man is on the bar or tray of the other seat");
		s.men[piece][place] = (uint8_t)list[i].count;
		men[piece] += list[i].count;
	}
	for (int k = 0; k < 2; k++)
		if (men[k] != BACKGAMMON_MEN)
			return qv_fail(error, QV_ILLEGAL,
				       "position: seat %d has %d men instead of %d", k + 1, men[k],
				       BACKGAMMON_MEN);
	if (s.dice[0] < s.dice[1] || !s.dice[0] != !s.dice[1])
		return qv_fail(error, QV_ILLEGAL,
			       "position: set both dice, the larger one first, or none");
	if (s.dice[0])
		s.phase = BACKGAMMON_MOVE;
	const enum qv_status status = backgammon_check(&s, error);
	if (status == QV_OK)
		memcpy(state, &s, sizeof s);
	return status;
}

const struct qv_board backgammon_board = {
	.pieces = pieces,
	.layout = layout,
	.stand = stand,
	.clicks = clicks,
	.score = score,
	.set_up = set_up,
};
