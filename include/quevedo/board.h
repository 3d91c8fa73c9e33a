/*
 * board.h - how a game describes its board, so that any user interface can draw it and take
 * moves on it.
 * SPDX-License-Identifier: MIT
 *
 * A part of quevedo.h, which includes it. A board is data: cells with positions and shapes, lines
 * and labels; pieces with pictures; which pieces stand where in a position; and which cells you
 * click to enter a move. That is enough to draw a board, to click on it, to walk it by keyboard and
 * to read it aloud.
 *
 * Lengths are in hundredths of the usual cell size. x grows to the right and y grows downwards,
 * from the top left. The drawing order is ground, cells, lines, labels, pieces.
 */
#ifndef QUEVEDO_BOARD_H
#define QUEVEDO_BOARD_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
	QV_MAX_CELLS = 512,
	QV_MAX_LINES = 512,
	QV_MAX_LABELS = 128,
	QV_MAX_CLICKS = 16,        /* cells that one move is entered by */
	QV_CELL_TEXT = 16,         /* size of names and labels, NUL included */
	QV_MAX_NOTIONS = 32,       /* upper limit for one position */
	QV_NOTION_NAME = 32,
	QV_NOTION_MARK = 8,
	QV_NOTION_TEXT = 200,
};

enum qv_shape {
	QV_RECTANGLE,
	QV_ELLIPSE,                /* its bounding box can be clicked */
	QV_HEXAGON,                /* with a corner at the top */
	QV_POINT,                  /* a crossing of lines: not drawn, but it can be clicked */
	QV_TRIANGLE,               /* with its tip at the top; its bounding box can be clicked */
	QV_TRIANGLE_DOWN,          /* with its tip at the bottom */
	QV_SHAPES,
};

/*
 * How several pieces on a cell are drawn. Pieces of a stack are as wide as the cell and
 * QV_STACK_STEP hundredths of that apart. Those that do not fit are counted on the last one.
 */
enum qv_stack {
	QV_STACK_NONE,             /* one piece with a number */
	QV_STACK_UP,               /* a row from the lower edge upwards */
	QV_STACK_DOWN,             /* a row from the upper edge downwards */
	QV_STACKS,
};
enum { QV_STACK_STEP = 88 };

/*
 * The colour of a cell or of the ground. A user interface chooses the actual colours, also for a
 * dark theme.
 */
enum qv_tone {
	QV_TONE_NONE,
	QV_TONE_LIGHT,
	QV_TONE_DARK,
	QV_TONE_FELT,              /* the green of card tables and reversi */
	QV_TONE_WOOD,
	QV_TONE_FRAME,             /* the blue of a connect-four rack */
	QV_TONE_HOLE,              /* an empty hole in a frame */
	QV_TONE_TRAY,              /* beside the board: pieces in hand, dice, the start, home */
	QV_TONES,
};

/* The colour of a piece. */
enum qv_paint {
	QV_PAINT_LIGHT,
	QV_PAINT_DARK,
	QV_PAINT_RED,
	QV_PAINT_YELLOW,
	QV_PAINT_BLUE,
	QV_PAINT_GREEN,
	QV_PAINT_GREY,
	QV_PAINTS,
};

struct qv_cell {
	char name[QV_CELL_TEXT];   /* printable ASCII and unique: "e4", "die", "home 1" */
	int16_t x, y;              /* the centre */
	int16_t width, height;     /* > 0 */
	int16_t slant;             /* how far the upper edge is to the right of the lower one */
	int16_t row, column;       /* for arrow keys and screen readers; unique as a pair */
	/*
	 * Cells of the same group, if it is not 0, are interchangeable for clicks: a click on a
	 * cell that starts or continues no move counts as a click on the cell of its group that
	 * does. In connect-four each column is a group, though a move names only the cell where the
	 * disc lands.
	 */
	int16_t group;
	uint8_t shape, tone;       /* enum qv_shape, enum qv_tone */
	uint8_t stack;             /* enum qv_stack */
};

/* A line. One that ends where it begins is drawn as a dot, such as a star point. */
struct qv_line {
	int16_t x1, y1, x2, y2;
};

struct qv_label {              /* centred on x, y */
	char text[QV_CELL_TEXT];
	int16_t x, y;
};

/* An empty board. The struct takes 25 kB. */
struct qv_layout {
	int16_t width, height;
	uint8_t ground;            /* enum qv_tone, behind everything */
	bool turnable;             /* may be rotated so that each seat sees it from its own side */
	uint8_t label_size;        /* of the letters; 0: the usual 22 */
	int cell_count, line_count, label_count;
	struct qv_cell cells[QV_MAX_CELLS];
	struct qv_line lines[QV_MAX_LINES];
	struct qv_label labels[QV_MAX_LABELS];
};

/*
 * A kind of piece. Its pictures are the `d` attributes of SVG paths in the box -50 to 50. The box
 * is centred in the cell and as large as the cell allows. In a slanted cell it fills the cell and
 * is slanted with it.
 */
struct qv_piece {
	const char *name;          /* as read aloud, of one: "white king"; NULL ends the table */
	const char *body;          /* filled with the paint, and outlined */
	const char *detail;        /* lines drawn on it, about 3 wide; may be NULL */
	uint8_t paint;             /* enum qv_paint */
	int8_t seat;               /* the owner; -1 for dice, blocks and the like */
	int32_t most;              /* how many may stand on one cell; 0 means 1 */
};

/* Pieces on a cell. A cell holds at most one kind of piece. */
struct qv_standing {
	int16_t cell, piece;
	int32_t count;             /* at least 1; shown as a number or a stack unless it is 1 */
};

/*
 * A feature of a position, in terms of the game's theory: a threat, mobility, parity of a region.
 * Texts are printable ASCII and NUL-terminated. A seat has at most one feature of each name.
 */
struct qv_notion {
	char name[QV_NOTION_NAME]; /* "mobility" */
	char text[QV_NOTION_TEXT]; /* a sentence about it; it need not name the seat */
	/*
	 * Written on its cells when all features are shown. Empty: its cells are shown only when
	 * this feature is selected.
	 */
	char mark[QV_NOTION_MARK];
	int16_t seat;              /* the seat it belongs to; -1: to neither */
	int16_t cell_count;
	int32_t value;             /* its size, for example the number of safe moves */
	int16_t cells[QV_MAX_CELLS]; /* no duplicates; may be empty */
};

/*
 * The board of a game: the pieces, and functions that describe positions and moves. As with struct
 * qv_game, the functions change only their outputs and may be called from any thread.
 */
struct qv_board {
	const struct qv_piece *pieces;
	/* Describes the empty board in *out, which the caller has zeroed. */
	void (*layout)(const int64_t *options, struct qv_layout *out);
	/*
	 * Writes what stands where, at most one entry per cell, and returns the number of entries.
	 * list has room for QV_MAX_CELLS.
	 */
	int (*stand)(const void *state, struct qv_standing *list);
	/*
	 * Writes the cells that you click, in order, to play a legal move, and returns their
	 * number; cells has room for QV_MAX_CLICKS. 0: the move gets a button, as a pass or a dice
	 * roll does. If several moves have the same clicks, the user chooses from a list. Otherwise
	 * the clicks of one move must not be the beginning of another's.
	 */
	int (*clicks)(const void *state, qv_move move, int16_t *cells);

	/* Optional: each may be NULL. */
	/*
	 * Writes the cells to highlight, such as the winning line or a king in check, without
	 * duplicates, and returns their number. cells has room for QV_MAX_CELLS.
	 */
	int (*marks)(const void *state, int16_t *cells);
	/*
	 * Writes the cells that a legal move is shown on, for arrows and the highlight of the last
	 * move: from where to where. cells has room for QV_MAX_CLICKS. NULL: the same as the
	 * clicks.
	 */
	int (*touches)(const void *state, qv_move move, int16_t *cells);
	int32_t (*score)(const void *state, int seat);     /* the current score: discs, points */
	/*
	 * For position editors: builds the position with exactly these pieces and this seat to
	 * move. In games with dice the seat has yet to roll, unless a die is on the board. Fails
	 * with the reason if the position breaks the rules. The caller guarantees that cells and
	 * pieces exist, that no cell occurs twice, and that counts are from 1 to the piece's
	 * `most`. Without this function, positions are set up by their text.
	 */
	enum qv_status (*set_up)(const int64_t *options, const struct qv_standing *list, int count,
				 int seat, void *state, struct qv_error *error);
	/*
	 * Writes the first `max` features of a position (at most QV_MAX_NOTIONS), always in the
	 * same order, to list, which the caller has zeroed. Returns their number.
	 */
	int (*notions)(const void *state, struct qv_notion *list, int max);
	/*
	 * For moves of several steps. With this function, the clicks of every move are pairs of
	 * cells, from and to, and the pairs may be clicked in any order. The function writes other
	 * pairs that enter the same move, for way 1, 2, ... as often as there are some, and returns
	 * their number of cells; 0: there is no such way. cells has room for QV_MAX_CLICKS.
	 */
	int (*ways)(const void *state, qv_move move, int way, int16_t *cells);
};

/*
 * Writes the piece on each of the first `count` cells, as an index of the table of pieces, or -1 for
 * an empty cell. Cells have the order of the layout. For evaluations that know a game only through
 * its board; `pieces[i].seat` is the owner.
 */
static inline void qv_read_cells(const struct qv_board *board, const void *state, int16_t *pieces,
				 int count)
{
	struct qv_standing list[QV_MAX_CELLS];
	for (int i = 0; i < count; i++)
		pieces[i] = -1;
	for (int n = board->stand(state, list); n-- > 0;)
		if (list[n].cell < count)
			pieces[list[n].cell] = list[n].piece;
}

/*
 * Adds a cell of the usual size, centred on x, y, and returns it for further changes. If the layout
 * is full, it returns the last cell.
 */
static inline struct qv_cell *qv_add_cell(struct qv_layout *l, const char *name, int x, int y)
{
	if (l->cell_count >= QV_MAX_CELLS)
		return &l->cells[QV_MAX_CELLS - 1];
	struct qv_cell *cell = &l->cells[l->cell_count++];
	snprintf(cell->name, sizeof cell->name, "%s", name);
	cell->x = (int16_t)x;
	cell->y = (int16_t)y;
	cell->width = cell->height = 100;
	return cell;
}

/* Adds a line; does nothing if the layout is full. */
static inline void qv_add_line(struct qv_layout *l, int x1, int y1, int x2, int y2)
{
	if (l->line_count >= QV_MAX_LINES)
		return;
	struct qv_line *line = &l->lines[l->line_count++];
	line->x1 = (int16_t)x1;
	line->y1 = (int16_t)y1;
	line->x2 = (int16_t)x2;
	line->y2 = (int16_t)y2;
}

/* Adds a label, centred on x, y; does nothing if the layout is full. */
static inline void qv_add_label(struct qv_layout *l, const char *text, int x, int y)
{
	if (l->label_count >= QV_MAX_LABELS)
		return;
	struct qv_label *label = &l->labels[l->label_count++];
	snprintf(label->text, sizeof label->text, "%s", text);
	label->x = (int16_t)x;
	label->y = (int16_t)y;
}

/*
 * Makes a chequered board of any size: cells a1, b1, ... row by row from the bottom left, with
 * letters and numbers along the edges. At most 26 columns and QV_MAX_CELLS cells.
 */
static inline void qv_add_squares(struct qv_layout *l, int columns, int rows)
{
	enum { MARGIN = 30 };
	char text[QV_CELL_TEXT];
	l->width = (int16_t)(100 * columns + 2 * MARGIN);
	l->height = (int16_t)(100 * rows + 2 * MARGIN);
	l->ground = QV_TONE_WOOD;
	for (int i = 0; i < columns * rows; i++) {
		const int column = i % columns, row = i / columns;
		const int x = MARGIN + 50 + 100 * column, y = l->height - MARGIN - 50 - 100 * row;
		snprintf(text, sizeof text, "%c%d", 'a' + column, row + 1);
		struct qv_cell *cell = qv_add_cell(l, text, x, y);
		cell->row = (int16_t)(rows - 1 - row);
		cell->column = (int16_t)column;
		cell->tone = (uint8_t)((column + row) % 2 ? QV_TONE_LIGHT : QV_TONE_DARK);
		if (column == 0)
			qv_add_label(l, text + 1, MARGIN / 2, y);
		text[1] = '\0';
		if (row == 0)
			qv_add_label(l, text, x, l->height - MARGIN / 2);
	}
}

#ifdef __cplusplus
}
#endif

#endif
