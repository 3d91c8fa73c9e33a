/*
 * board.c - Warp Trog on a page: the 6x6 board, and the warps left of each side to its right.
 * SPDX-License-Identifier: MIT
 *
 * Cells are numbered as the squares of rules.h, from a1; two trays with the warps follow. A move is
 * two clicks, from and to; a warp has a button. A landing is clicked on its square.
 */
#include "games/warptrog/rules.h"

enum { CELL_WARPS = WARPTROG_SQUARES }; /* of the first side; the other's is the next one */
enum { VALG, TROG, WARPS, KINDS };	/* for each side */

/* A helmet with a visor. */
#define BODY_VALG "M-30 34V-4A30 30 0 0 1 30-4V34A4 4 0 0 1 26 38H-26A4 4 0 0 1-30 34Z"
#define FOLDS_VALG "M-30 6H-8L0 16 8 6H30M0 16V38M0-34V-14"
/* A round creature with two horns and three eyes. */
#define BODY_TROG                                                                            \
	"M-34 8C-34-4-30-14-23-21L-30-40-12-29C-4-32 4-32 12-29L30-40 23-21C30-14 34-4 34 8" \
	"A34 30 0 0 1-34 8Z"
#define FOLDS_TROG                                                                        \
	"M-22 2A6 6 0 0 1-10 2 6 6 0 0 1-22 2ZM10 2A6 6 0 0 1 22 2 6 6 0 0 1 10 2ZM-5-12" \
	"A5 5 0 0 1 5-12 5 5 0 0 1-5-12ZM-16 20Q0 30 16 20"
/* A spiral in a ring. */
#define BODY_WARP "M-34 0A34 34 0 0 1 34 0 34 34 0 0 1-34 0Z"
#define FOLDS_WARP \
	"M0 0A5 5 0 0 1 10 0 10 10 0 0 1-10 0 15 15 0 0 1 20 0 20 20 0 0 1-20 0 23 23 0 0 1 26 0"

#define SIDE(colour, number, tone)                                                              \
	{ .name = colour " Valg",                                                               \
	  .body = BODY_VALG,                                                                    \
	  .detail = FOLDS_VALG,                                                                 \
	  .paint = tone,                                                                        \
	  .seat = number },                                                                     \
		{ .name = colour " Trog",                                                       \
		  .body = BODY_TROG,                                                            \
		  .detail = FOLDS_TROG,                                                         \
		  .paint = tone,                                                                \
		  .seat = number },                                                             \
	{                                                                                       \
		.name = colour " warp", .body = BODY_WARP, .detail = FOLDS_WARP, .paint = tone, \
		.seat = number, .most = WARPTROG_MOST_WARPS + 1                                 \
	}

static const struct qv_piece pieces[] = {
	SIDE("blue", 0, QV_PAINT_BLUE),
	SIDE("red", 1, QV_PAINT_RED),
	{ .name = NULL },
};

/* A tray at the height of a rank. */
static void add_tray(struct qv_layout *l, const char *name, int square)
{
	const struct qv_cell *beside = &l->cells[square];
	const int16_t row = beside->row;
	struct qv_cell *cell = qv_add_cell(l, name, l->width - 60, beside->y);
	cell->row = row;
	cell->column = WARPTROG_SIZE;
	cell->tone = QV_TONE_TRAY;
	cell->width = cell->height = 90;
}

static void layout(const int64_t *options, struct qv_layout *l)
{
	(void)options;
	qv_add_squares(l, WARPTROG_SIZE, WARPTROG_SIZE);
	l->width += 100;
	l->turnable = true;
	add_tray(l, "warps 1", 0);
	add_tray(l, "warps 2", WARPTROG_SQUARES - WARPTROG_SIZE);
}

static int stand(const void *state, struct qv_standing *list)
{
	const struct warptrog *s = state;
	int n = 0;
	for (int seat = 0; seat < 2; seat++) {
		for (uint64_t left = s->men[seat]; left; left = bits_rest(left)) {
			const int square = bits_lowest(left);
			const int kind = s->trogs >> square & 1 ? TROG : VALG;
			list[n++] = (struct qv_standing){ (int16_t)square,
							  (int16_t)(KINDS * seat + kind), 1 };
		}
		if (s->warps[seat])
			list[n++] = (struct qv_standing){ (int16_t)(CELL_WARPS + seat),
							  (int16_t)(KINDS * seat + WARPS),
							  s->warps[seat] };
	}
	return n;
}

static int clicks(const void *state, qv_move move, int16_t *cells)
{
	const struct warptrog *s = state;
	if (s->warping != WARPTROG_NONE) {
		cells[0] = (int16_t)move;
		return 1;
	}
	if (move == WARPTROG_WARP)
		return 0;
	cells[0] = (int16_t)(move & 63);
	cells[1] = (int16_t)(move >> WARPTROG_TO);
	return 2;
}

/* A landing is shown from where the Trog was, unless it stays there. */
static int touches(const void *state, qv_move move, int16_t *cells)
{
	const struct warptrog *s = state;
	if (s->warping == WARPTROG_NONE)
		return clicks(state, move, cells);
	cells[0] = s->warping;
	cells[1] = (int16_t)move;
	return s->men[s->turn] >> move & 1 ? 1 : 2;
}

/* The Trog that warps next. */
static int marks(const void *state, int16_t *cells)
{
	const struct warptrog *s = state;
	cells[0] = s->warping;
	return s->warping != WARPTROG_NONE;
}

/* Goes through the position text, so that the editor refuses what position_parse refuses. */
static enum qv_status set_up(const int64_t *options, const struct qv_standing *list, int count,
			     int seat, void *state, struct qv_error *error)
{
	static const char letters[2 * KINDS] = { 'V', 'T', '\0', 'v', 't', '\0' };
	char text[QV_POSITION_TEXT], squares[WARPTROG_SQUARES + 1] = "";
	int warps[2] = { 0, 0 };
	memset(squares, '.', WARPTROG_SQUARES);
	for (int i = 0; i < count; i++) {
		const int cell = list[i].cell, piece = list[i].piece;
		const bool tray = cell >= CELL_WARPS;
		if (tray != !letters[piece] || (tray && cell - CELL_WARPS != pieces[piece].seat))
			return qv_fail(error, QV_ILLEGAL,
				       "position: only the warps of a side may be in its tray, and "
				       "nowhere else");
		if (tray)
			warps[cell - CELL_WARPS] = list[i].count;
		else
			squares[cell] = letters[piece];
	}
	snprintf(text, sizeof text, "%s %d %d %d", squares, seat + 1, warps[0], warps[1]);
	return warptrog_position_parse(state, options, text, error);
}

const struct qv_board warptrog_board = {
	.pieces = pieces,
	.layout = layout,
	.stand = stand,
	.clicks = clicks,
	.touches = touches,
	.marks = marks,
	.set_up = set_up,
};
