/*
 * board.c - Race! on a page: the track in three stretches around the die.
 * SPDX-License-Identifier: MIT
 *
 *     17 16 15 14 13 12 11        The cells in order: squares 1 to 17, the two starts, the two
 *     h1 h2             10        homes, the die.
 *              die       9
 *     s1 s2              8
 *      1  2  3  4  5  6  7
 */
#include "games/pictures.h"
#include "games/race/rules.h"

enum {
	TRACK = RACE_HOME - RACE_ENTRY,
	CELL_START = TRACK,        /* of the first seat; the second's is the next one */
	CELL_HOME = CELL_START + 2,
	CELL_DIE = CELL_HOME + 2,
	PIECE_DIE = 2,             /* the face 1; the others follow */
};

#define DIE "M-29-38H29A9 9 0 0 1 38-29V29A9 9 0 0 1 29 38H-29A9 9 0 0 1-38 29V-29A9 9 0 0 1-29-38Z"
/* Details are lines. A pip is three circles, so close that nothing shows between them. */
#define PIP                                                                                       \
	"m-6 0a6 6 0 1 0 12 0 6 6 0 1 0-12 0m2.5 0a3.5 3.5 0 1 0 7 0 3.5 3.5 0 1 0-7 0m2.5 0" \
	"a1 1 0 1 0 2 0 1 1 0 1 0-2 0"
#define TWO "M-20 20" PIP "M20-20" PIP
#define FOUR TWO "M-20-20" PIP "M20 20" PIP
#define FACE(number, pips)                                                                   \
	{ .name = "die " number, .body = DIE, .detail = pips, .paint = QV_PAINT_LIGHT, .seat = -1 }

static const struct qv_piece pieces[] = {
	{ .name = "blue piece", .body = picture_pawn, .detail = picture_pawn_folds,
	  .paint = QV_PAINT_BLUE, .seat = 0, .most = RACE_PIECES },
	{ .name = "red piece", .body = picture_pawn, .detail = picture_pawn_folds,
	  .paint = QV_PAINT_RED, .seat = 1, .most = RACE_PIECES },
	FACE("1", "M0 0" PIP),
	FACE("2", TWO),
	FACE("3", TWO "M0 0" PIP),
	FACE("4", FOUR),
	FACE("5", FOUR "M0 0" PIP),
	FACE("6", FOUR "M-20 0" PIP "M20 0" PIP),
	{ .name = NULL },
};

/* Adds a cell to a grid of 7 by 5. */
static struct qv_cell *add_cell(struct qv_layout *l, const char *name, int column, int row)
{
	struct qv_cell *cell = qv_add_cell(l, name, 70 + 100 * column, 70 + 100 * row);
	cell->row = (int16_t)row;
	cell->column = (int16_t)column;
	cell->tone = QV_TONE_TRAY;
	return cell;
}

/* Where the pieces of a seat start or end: apart from the track and from each other. */
static void add_tray(struct qv_layout *l, const char *name, int column, int row)
{
	struct qv_cell *cell = add_cell(l, name, column, row);
	cell->width = cell->height = 90;
	cell->x += (int16_t)(10 + 4 * column);
}

static void layout(const int64_t *options, struct qv_layout *l)
{
	(void)options;
	l->width = 740;
	l->height = 540;
	l->ground = QV_TONE_FELT;
	/* To the right at the bottom, up on the right, and back to the left at the top. */
	for (int square = RACE_ENTRY; square < RACE_HOME; square++) {
		char name[QV_CELL_TEXT];
		const int column = square <= 7 ? square - 1 : square <= 11 ? 6 : 17 - square;
		const int row = square <= 7 ? 4 : square <= 11 ? 11 - square : 0;
		snprintf(name, sizeof name, "%d", square);
		struct qv_cell *cell = add_cell(l, name, column, row);
		cell->tone = square % 2 ? QV_TONE_LIGHT : QV_TONE_DARK;
		qv_add_label(l, name, cell->x - 35, cell->y - 37);
	}
	add_tray(l, "start 1", 0, 3);
	add_tray(l, "start 2", 1, 3);
	add_tray(l, "home 1", 0, 1);
	add_tray(l, "home 2", 1, 1);
	struct qv_cell *die = add_cell(l, "die", 3, 2);
	die->x += 50;
	die->width = die->height = 140;
	qv_add_label(l, "home", 132, 236);
	qv_add_label(l, "start", 132, 304);
}

/* The cell of a seat's piece on a square. */
static int16_t cell_of(int seat, int square)
{
	return (int16_t)(square == RACE_START  ? CELL_START + seat
			 : square == RACE_HOME ? CELL_HOME + seat
					       : square - RACE_ENTRY);
}

/* Equal squares are adjacent in the state, because it is sorted. */
static int stand(const void *state, struct qv_standing *list)
{
	const struct race *s = state;
	int n = 0;
	for (int seat = 0; seat < 2; seat++)
		for (int i = 0; i < RACE_PIECES; i++) {
			if (i && s->at[seat][i] == s->at[seat][i - 1])
				list[n - 1].count++;
			else
				list[n++] = (struct qv_standing){ cell_of(seat, s->at[seat][i]),
								  (int16_t)seat, 1 };
		}
	if (s->roll)
		list[n++] = (struct qv_standing){ CELL_DIE, (int16_t)(PIECE_DIE + s->roll - 1), 1 };
	return n;
}

/* The piece alone: the die determines where it goes. */
static int clicks(const void *state, qv_move move, int16_t *cells)
{
	const struct race *s = state;
	if (!s->roll || move == RACE_PASS)
		return 0;
	cells[0] = cell_of(s->turn, (int)move);
	return 1;
}

/* The cells that a move changes: where the piece was, and where it goes. */
static int touches(const void *state, qv_move move, int16_t *cells)
{
	const struct race *s = state;
	const int n = clicks(state, move, cells);
	if (!n)
		return 0;
	cells[n] = cell_of(s->turn, race_target((int)move, s->roll));
	return n + 1;
}

/* Pieces that are home. */
static int32_t score(const void *state, int seat)
{
	return race_pieces_on(state, seat, RACE_HOME);
}

/* ---- The editor ---- */

/*
 * Goes through the position text, so that the editor refuses what position_parse refuses. Pieces
 * are counted by square first, because the text has them in ascending order.
 */
static enum qv_status set_up(const int64_t *options, const struct qv_standing *list, int count,
			     int seat, void *state, struct qv_error *error)
{
	int on[2][RACE_HOME + 1] = { { 0 } }; /* pieces of each seat on each square */
	char text[QV_POSITION_TEXT], roll = '-';
	struct qv_text out = { text, sizeof text, 0 };
	for (int i = 0; i < count; i++) {
		const int piece = list[i].piece, cell = list[i].cell;
		const bool die = piece >= PIECE_DIE;
		const int square = cell < TRACK			? cell + RACE_ENTRY
				   : cell == CELL_START + piece ? RACE_START
				   : cell == CELL_HOME + piece	? RACE_HOME
								: -1;
		if (die != (cell == CELL_DIE))
			return qv_fail(error, QV_ILLEGAL,
				       "position: only the die may be on the square of the die");
		if (!die && square < 0)
			return qv_fail(
				error, QV_ILLEGAL,
				"position: a piece is on the start or home of the other seat");
		if (die)
			roll = (char)('1' + piece - PIECE_DIE);
		else
			on[piece][square] += list[i].count;
	}
	for (int k = 0; k < 2; k++) {
		int put = 0;
		for (int square = 0; square <= RACE_HOME; square++)
			for (int i = 0; i < on[k][square]; i++) {
				qv_put_int(&out, square);
				qv_put_char(&out, ++put < RACE_PIECES ? ',' : ' ');
			}
		if (put != RACE_PIECES)
			return qv_fail(error, QV_ILLEGAL,
				       "position: seat %d has %d pieces instead of %d", k + 1, put,
				       RACE_PIECES);
	}
	qv_put_int(&out, seat + 1);
	qv_put_char(&out, ' ');
	qv_put_char(&out, roll);
	return race_position_parse(state, options, text, error);
}

const struct qv_board race_board = {
	.pieces = pieces, .layout = layout, .stand = stand, .clicks = clicks, .touches = touches,
	.score = score, .set_up = set_up,
};
