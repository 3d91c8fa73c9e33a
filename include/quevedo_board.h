/*
 * quevedo_board.h - how a game describes its board, so that any page can draw it and be played on.
 * SPDX-License-Identifier: MIT
 *
 * A part of quevedo.h, which includes it. A board is data: cells with places and shapes, lines and
 * labels; pieces with pictures; which pieces stand where in a position; which cells a move is
 * entered by. Nothing else is needed for a board that is drawn, clicked, walked by keyboard and
 * read aloud.
 *
 * Lengths are in hundredths of a usual cell; x goes right and y goes down, from the top left. Drawn
 * one upon the other: the ground, cells, lines, labels, pieces.
 */
#ifndef QUEVEDO_BOARD_H
#define QUEVEDO_BOARD_H

enum {
	QV_MAX_CELLS = 512,
	QV_MAX_LINES = 512,
	QV_MAX_LABELS = 128,
	QV_MAX_CLICKS = 16,        /* of one move */
	QV_CELL_TEXT = 16,         /* names and labels fit, with their NUL */
	QV_MAX_NOTIONS = 32,       /* told of one position */
	QV_NOTION_NAME = 32,
	QV_NOTION_MARK = 8,
	QV_NOTION_TEXT = 200,
};

enum qv_shape {
	QV_RECTANGLE,
	QV_ELLIPSE,                /* the box around it can be clicked too */
	QV_HEXAGON,                /* a corner at the top */
	QV_POINT,                  /* where lines meet: nothing is drawn, but it can be clicked */
};

/* How a cell or the ground is coloured; a page has its own colours for each, light or dark. */
enum qv_tone {
	QV_TONE_NONE,
	QV_TONE_LIGHT,
	QV_TONE_DARK,
	QV_TONE_FELT,              /* the green of card tables and reversi */
	QV_TONE_WOOD,
	QV_TONE_FRAME,             /* the blue of a connect-four rack */
	QV_TONE_HOLE,              /* an empty place in a frame */
	QV_TONE_TRAY,              /* beside the board: pieces in hand, dice, the start, home */
	QV_TONES,
};

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
	char name[QV_CELL_TEXT];   /* printable ASCII, different for each: "e4", "die", "home 1" */
	int16_t x, y;              /* the middle */
	int16_t width, height;     /* > 0 */
	int16_t slant;             /* the upper edge is so far to the right of the lower one */
	int16_t row, column;       /* for arrow keys and screen readers; no two cells share both */
	/*
	 * Cells of a group other than 0 are as good as each other for clicks: one that begins or
	 * carries on no move stands for the one of its group that does. (A whole column of
	 * connect-four, though the move names only the place where the disc lands.)
	 */
	int16_t group;
	uint8_t shape, tone;       /* enum qv_shape, enum qv_tone */
};

/* One that ends where it begins is a dot: a star point. */
struct qv_line {
	int16_t x1, y1, x2, y2;
};

struct qv_label {              /* the middle of it is at x, y */
	char text[QV_CELL_TEXT];
	int16_t x, y;
};

/* A board without anything on it. 24 kB. */
struct qv_layout {
	int16_t width, height;
	uint8_t ground;            /* enum qv_tone, behind everything */
	bool turnable;             /* each seat may see it from its own side */
	int cell_count, line_count, label_count;
	struct qv_cell cells[QV_MAX_CELLS];
	struct qv_line lines[QV_MAX_LINES];
	struct qv_label labels[QV_MAX_LABELS];
};

/*
 * What stands on boards. A picture is the `d` of an SVG path in the box -50 to 50. That box is laid
 * into the middle of a cell, as large as the cell allows; in a slanted one it fills the cell,
 * slanted with it.
 */
struct qv_piece {
	const char *name;          /* as read aloud: "white king"; NULL ends the table */
	const char *body;          /* filled with paint, and outlined */
	const char *detail;        /* lines upon it, about 3 wide; may be NULL */
	uint8_t paint;             /* enum qv_paint */
	int8_t seat;               /* whose it is; -1: nobody's (dice, blocks) */
	int32_t most;              /* so many may stand on one cell; 0: one */
};

/* A piece on a cell. At most one kind of piece stands on a cell. */
struct qv_standing {
	int16_t cell, piece;
	int32_t count;             /* 1, or how many; shown as a number if it is not 1 */
};

/*
 * What the game's theory sees in a position: a threat, mobility, a region with parity. Texts are
 * printable ASCII with their NUL. A seat has each name at most once.
 */
struct qv_notion {
	char name[QV_NOTION_NAME]; /* "mobility" */
	char text[QV_NOTION_TEXT]; /* a sentence about it; it need not say whose it is */
	/* Written on its cells where all notions are shown; empty: its cells show only by name. */
	char mark[QV_NOTION_MARK];
	int16_t seat;              /* whose; -1: nobody's */
	int16_t cell_count;
	int32_t value;             /* how much of it there is */
	int16_t cells[QV_MAX_CELLS]; /* each once; may be none */
};

struct qv_board {
	const struct qv_piece *pieces;
	/* Fills *out, which is zeroed. */
	void (*layout)(const int64_t *options, struct qv_layout *out);
	/* What stands where, at most one entry a cell; returns how many (QV_MAX_CELLS of room). */
	int (*stand)(const void *state, struct qv_standing *list);
	/*
	 * The cells that are clicked, in order, to play a legal move (QV_MAX_CLICKS of room). 0:
	 * the move gets a button (a pass, a throw). Moves that share all their clicks become a
	 * choice; else no move's clicks are the beginning of another's.
	 */
	int (*clicks)(const void *state, qv_move move, int16_t *cells);

	/* Optional (NULL: not there). */
	/* The winning line, a king in check: each cell once (QV_MAX_CELLS of room). */
	int (*marks)(const void *state, int16_t *cells);
	/*
	 * The cells a legal move shows on, for arrows and the mark of the last move (QV_MAX_CLICKS
	 * of room): from where to where, if the clicks do not say so. NULL: the clicks.
	 */
	int (*touches)(const void *state, qv_move move, int16_t *cells);
	int32_t (*score)(const void *state, int seat);     /* as it stands now: discs, points */
	/*
	 * The editor: the position in which exactly this stands and it is this seat's turn (with no
	 * die on the board, to throw). Refused with the reason if it breaks the rules. The caller
	 * sees to it that cells and pieces exist, that no cell comes twice, and that counts are 1
	 * to the piece's most. Without it positions are set up by their text.
	 */
	enum qv_status (*set_up)(const int64_t *options, const struct qv_standing *list, int count,
				 int seat, void *state, struct qv_error *error);
	/*
	 * The notions of a position, always in the same order: the first `max` of them, which is at
	 * most QV_MAX_NOTIONS. Fills list, which is zeroed; returns how many it filled.
	 */
	int (*notions)(const void *state, struct qv_notion *list, int max);
};

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

static inline void qv_add_line(struct qv_layout *l, int x1, int y1, int x2, int y2)
{
	if (l->line_count < QV_MAX_LINES)
		l->lines[l->line_count++] = (struct qv_line){ (int16_t)x1, (int16_t)y1,
							      (int16_t)x2, (int16_t)y2 };
}

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
 * A chess board of any size: cells a1, b1, ... row by row from the bottom left, light and dark,
 * with their letters and numbers around them. At most 26 columns, and QV_MAX_CELLS in all.
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
		cell->tone = (column + row) % 2 ? QV_TONE_LIGHT : QV_TONE_DARK;
		if (column == 0)
			qv_add_label(l, text + 1, MARGIN / 2, y);
		text[1] = '\0';
		if (row == 0)
			qv_add_label(l, text, x, l->height - MARGIN / 2);
	}
}

#endif
