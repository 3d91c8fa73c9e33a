/*
 * board.c - laws of boards: the layout is within bounds, pieces stand on existing cells, moves can
 * be entered by
 * SPDX-License-Identifier: MIT
 *
 * clicks without ambiguity, and the editor sets up exactly what it is given, or gives a reason.
 *
 * Clicks are compared after sorting: if one move's clicks are the beginning of another's, the two
 * are neighbours in sorted order. So the check is O(n log n) in the number of moves.
 */
#include "conform/exam.h"

#include <stdlib.h>

enum { EDITS = 20 };                   /* edited positions tried per position */

static bool has_board(const struct qv_game *game)
{
	return game->board != NULL;
}

static int piece_count(const struct qv_board *board)
{
	int count = 0;
	while (board->pieces[count].name)
		count++;
	return count;
}

static int32_t most_on_a_cell(const struct qv_piece *piece)
{
	return piece->most > 1 ? piece->most : 1;
}

bool exam_is_text(const char *text, size_t room)
{
	size_t length = 0;
	while (length < room && text[length] >= ' ' && text[length] <= '~')
		length++;
	return length && length < room && !text[length];
}

/* ---- Pieces ---- */

static enum qv_status piece_is_sane(struct exam *x, const struct qv_piece *piece)
{
	if (!exam_is_text(piece->name, 64) || !piece->body || !exam_is_text(piece->body, QV_MAX_STATE) ||
	    (piece->detail && !exam_is_text(piece->detail, QV_MAX_STATE)))
		return exam_fail(x, "a piece's name or picture is not printable text");
	if (piece->paint >= QV_PAINTS || piece->seat < -1 || piece->seat >= x->game->seats ||
	    piece->most < 0)
		return exam_fail(x, "%s: paint %d, seat %d or most %d is out of bounds",
				 piece->name, piece->paint, piece->seat, piece->most);
	for (const struct qv_piece *other = x->game->board->pieces; other < piece; other++)
		if (!strcmp(other->name, piece->name))
			return exam_fail(x, "two pieces have the name %s", piece->name);
	return QV_OK;
}

static enum qv_status pieces_are_sane(struct exam *x)
{
	const struct qv_board *board = x->game->board;
	if (!board->pieces || !board->layout || !board->stand || !board->clicks)
		return exam_fail(x, "pieces, layout, stand or clicks is missing");
	if (!board->pieces->name)
		return exam_fail(x, "there are no pieces");
	enum qv_status status = QV_OK;
	for (const struct qv_piece *p = board->pieces; p->name && status == QV_OK; p++)
		status = piece_is_sane(x, p);
	return status;
}

/* ---- The layout ---- */

static bool is_inside(const struct qv_layout *l, int x, int y, int width, int height)
{
	return 2 * x >= width && 2 * (l->width - x) >= width && 2 * y >= height &&
	       2 * (l->height - y) >= height;
}

static enum qv_status cell_is_sane(struct exam *x, const struct qv_layout *l, int number)
{
	const struct qv_cell *c = &l->cells[number];
	if (!exam_is_text(c->name, sizeof c->name))
		return exam_fail(x, "the name of cell %d is not printable text", number);
	if (c->width < 1 || c->height < 1 ||
	    !is_inside(l, c->x, c->y, c->width + abs(c->slant), c->height))
		return exam_fail(x, "cell %s has no size, or is not inside the board", c->name);
	if (c->shape > QV_POINT || c->tone >= QV_TONES)
		return exam_fail(x, "cell %s: shape %d or tone %d is out of bounds", c->name,
				 c->shape, c->tone);
	for (const struct qv_cell *other = l->cells; other < c; other++) {
		if (!strcmp(other->name, c->name))
			return exam_fail(x, "two cells have the name %s", c->name);
		if (other->row == c->row && other->column == c->column)
			return exam_fail(x, "cells %s and %s share row %d and column %d",
					 other->name, c->name, c->row, c->column);
	}
	return QV_OK;
}

static enum qv_status decoration_is_sane(struct exam *x, const struct qv_layout *l)
{
	for (int i = 0; i < l->line_count; i++)
		if (!is_inside(l, l->lines[i].x1, l->lines[i].y1, 0, 0) ||
		    !is_inside(l, l->lines[i].x2, l->lines[i].y2, 0, 0))
			return exam_fail(x, "line %d is not inside the board", i);
	for (int i = 0; i < l->label_count; i++)
		if (!exam_is_text(l->labels[i].text, sizeof l->labels[i].text) ||
		    !is_inside(l, l->labels[i].x, l->labels[i].y, 0, 0))
			return exam_fail(x, "label %d is not text, or not inside the board", i);
	return QV_OK;
}

static enum qv_status layout_is_sane(struct exam *x)
{
	struct qv_layout l = { 0 }, again = { 0 };
	exam_stir_stack(0xff);
	x->game->board->layout(x->rules->options, &l);
	exam_stir_stack(0x00);
	x->game->board->layout(x->rules->options, &again);
	if (memcmp(&l, &again, sizeof l) != 0)
		return exam_fail(x, "a second call gives another layout");
	if (l.cell_count < 1 || l.cell_count > QV_MAX_CELLS || l.line_count < 0 ||
	    l.line_count > QV_MAX_LINES || l.label_count < 0 || l.label_count > QV_MAX_LABELS)
		return exam_fail(x, "%d cells, %d lines or %d labels are out of bounds",
				 l.cell_count, l.line_count, l.label_count);
	if (l.width < 1 || l.height < 1 || l.ground >= QV_TONES)
		return exam_fail(x, "the board has no size, or its tone, %d, is out of bounds",
				 l.ground);
	enum qv_status status = QV_OK;
	for (int i = 0; i < l.cell_count && status == QV_OK; i++)
		status = cell_is_sane(x, &l, i);
	return status == QV_OK ? decoration_is_sane(x, &l) : status;
}

int exam_cell_count(const struct exam *x)
{
	struct qv_layout l = { 0 };
	x->game->board->layout(x->rules->options, &l);
	return l.cell_count;
}

/* ---- Pieces on the board ---- */

static enum qv_status standing_is_sane(struct exam *x)
{
	const struct qv_board *board = x->game->board;
	struct qv_standing list[QV_MAX_CELLS];
	bool taken[QV_MAX_CELLS] = { false };
	const int cells = exam_cell_count(x), pieces = piece_count(board);
	const int count = board->stand(x->at, list);
	if (count < 0 || count > cells)
		return exam_fail(x, "%d entries for %d cells", count, cells);
	for (const struct qv_standing *s = list; s < list + count; s++) {
		if (s->cell < 0 || s->cell >= cells || s->piece < 0 || s->piece >= pieces)
			return exam_fail(x, "cell %d or piece %d does not exist", s->cell,
					 s->piece);
		if (taken[s->cell])
			return exam_fail(x, "cell %d is listed twice", s->cell);
		if (s->count < 1 || s->count > most_on_a_cell(&board->pieces[s->piece]))
			return exam_fail(x, "%d of %s on one cell", s->count,
					 board->pieces[s->piece].name);
		taken[s->cell] = true;
	}
	return QV_OK;
}

static bool has_marks(const struct qv_game *game)
{
	return game->board && game->board->marks;
}

static enum qv_status marks_are_sane(struct exam *x)
{
	int16_t marked[QV_MAX_CELLS];
	bool taken[QV_MAX_CELLS] = { false };
	const int cells = exam_cell_count(x), count = x->game->board->marks(x->at, marked);
	if (count < 0 || count > cells)
		return exam_fail(x, "%d marks for %d cells", count, cells);
	for (int i = 0; i < count; i++) {
		if (marked[i] < 0 || marked[i] >= cells || taken[marked[i]])
			return exam_fail(x, "cell %d does not exist or is marked twice", marked[i]);
		taken[marked[i]] = true;
	}
	return QV_OK;
}

/* ---- Clicks ---- */

/*
 * The clicks of a move. Each is the place of its cell in an order in which the cells of a group are
 * next to each other. They are stored in x->texts.
 */
struct click_row {
	int16_t count;
	int16_t places[QV_MAX_CLICKS];
};
_Static_assert(sizeof(struct click_row) <= QV_MOVE_TEXT, "they share memory");

static struct click_row *row_at(const struct exam *x, int number)
{
	return (struct click_row *)(void *)x->texts[number];
}

static int compare_rows(const void *a, const void *b)
{
	const struct click_row *one = a, *two = b;
	for (int i = 0; i < one->count && i < two->count; i++)
		if (one->places[i] != two->places[i])
			return one->places[i] - two->places[i];
	return one->count - two->count;
}

/* The order of cells, and the group of each place; a cell without a group is its own. */
struct order {
	int16_t place[QV_MAX_CELLS];       /* of a cell */
	int32_t group[QV_MAX_CELLS];       /* of a place */
	int cells;
};

static void order_init(struct order *o, const struct exam *x)
{
	struct qv_layout l = { 0 };
	bool done[QV_MAX_CELLS] = { false };
	int16_t next = 0;
	x->game->board->layout(x->rules->options, &l);
	o->cells = l.cell_count;
	for (int i = 0; i < l.cell_count; i++) {
		const int16_t group = l.cells[i].group;
		const int end = group ? l.cell_count : i + 1;
		for (int j = i; j < end && (j > i || !done[i]); j++) {
			if (l.cells[j].group != group)
				continue;
			o->place[j] = next;
			o->group[next++] = i;
			done[j] = true;
		}
	}
}

/* Clicks must show when a move is complete, and which cell of a group is meant. */
static enum qv_status rows_are_unambiguous(struct exam *x, const struct order *o,
				       const struct click_row *a, const struct click_row *b)
{
	const int shorter = a->count < b->count ? a->count : b->count;
	int same = 0;
	while (same < shorter && a->places[same] == b->places[same])
		same++;
	if (same == shorter && shorter && a->count != b->count)
		return exam_fail(x, "the clicks of a move are the beginning of another's");
	if (same < shorter && o->group[a->places[same]] == o->group[b->places[same]])
		return exam_fail(x, "two cells of a group continue different moves");
	return QV_OK;
}

static enum qv_status read_clicks(struct exam *x, const struct order *o, qv_move move,
				  struct click_row *row)
{
	const struct qv_board *board = x->game->board;
	int16_t cells[QV_MAX_CLICKS];
	const int touched = board->touches ? board->touches(x->at, move, cells) : 0;
	for (int i = 0; i < touched && touched <= QV_MAX_CLICKS; i++)
		if (cells[i] < 0 || cells[i] >= o->cells)
			return exam_fail(x, "a move touches cell %d, which does not exist",
					 cells[i]);
	const int count = board->clicks(x->at, move, cells);
	if (count < 0 || count > QV_MAX_CLICKS || touched < 0 || touched > QV_MAX_CLICKS)
		return exam_fail(
			x, "a move has %d clicks and touches %d cells, but at most %d are allowed",
			count, touched, QV_MAX_CLICKS);
	row->count = (int16_t)count;
	for (int i = 0; i < count; i++) {
		if (cells[i] < 0 || cells[i] >= o->cells)
			return exam_fail(x, "a move is entered at cell %d, which does not exist",
					 cells[i]);
		row->places[i] = o->place[cells[i]];
	}
	return QV_OK;
}

static enum qv_status clicks_are_sane(struct exam *x)
{
	struct order order;
	enum qv_status status = QV_OK;
	order_init(&order, x);
	for (int i = 0; i < x->count && status == QV_OK; i++)
		status = read_clicks(x, &order, x->list[i], row_at(x, i));
	if (status != QV_OK)
		return status;
	/* After sorting, any conflict is between neighbours. */
	qsort(x->texts, (size_t)x->count, sizeof *x->texts, compare_rows);
	for (int i = 1; i < x->count && status == QV_OK; i++)
		status = rows_are_unambiguous(x, &order, row_at(x, i - 1), row_at(x, i));
	return status;
}

/* ---- The editor ---- */

static bool has_editor(const struct qv_game *game)
{
	return game->board && game->board->set_up;
}

static int compare_standings(const void *a, const void *b)
{
	return ((const struct qv_standing *)a)->cell - ((const struct qv_standing *)b)->cell;
}

/* Whether exactly these pieces are on the board and the seat, or chance, is to move. */
static bool is_set_up(const struct exam *x, const void *state, struct qv_standing *list, int count,
		      int seat)
{
	struct qv_standing there[QV_MAX_CELLS];
	const int to_move = x->game->seat(state);
	if (x->game->board->stand(state, there) != count ||
	    (to_move != seat && to_move != QV_CHANCE))
		return false;
	qsort(list, (size_t)count, sizeof *list, compare_standings);
	qsort(there, (size_t)count, sizeof *there, compare_standings);
	for (int i = 0; i < count; i++)
		if (there[i].cell != list[i].cell || there[i].piece != list[i].piece ||
		    there[i].count != list[i].count)
			return false;
	return true;
}

/* The position that was set up in SLOT_A must be a valid one. */
static enum qv_status set_up_is_sane(struct exam *x)
{
	char text[QV_POSITION_TEXT] = "";
	struct qv_text out = { text, sizeof text, 0 };
	struct qv_error why;
	x->game->position_text(exam_slot(x, SLOT_A), &out);
	if (qv_position_parse(x->rules, text, exam_slot(x, SLOT_B), &why) != QV_OK)
		return exam_fail(x, "'%s' is set up, but its text is rejected: %s", text, why.text);
	if (!exam_same(x, exam_slot(x, SLOT_A), exam_slot(x, SLOT_B)))
		return exam_fail(x, "'%s' is set up, but its text is read as another state", text);
	return QV_OK;
}

/* Sets up a position in SLOT_A. Success and failure must both be clean. *done: it was set up. */
static enum qv_status try_set_up(struct exam *x, struct qv_standing *list, int count, int seat,
				 bool *done)
{
	struct qv_error why = { "" };
	const unsigned char *a = exam_dirty(x, SLOT_A, 0x55);
	const enum qv_status status = x->game->board->set_up(x->rules->options, list, count, seat,
							     exam_slot(x, SLOT_A), &why);
	*done = status == QV_OK;
	if (!exam_guards_hold(x, SLOT_A))
		return exam_fail(x, "setting up writes outside the state");
	if (*done && !is_set_up(x, a, list, count, seat))
		return exam_fail(
			x,
			"the position has other pieces than were set up, or another seat to move");
	if (*done)
		return set_up_is_sane(x);
	memset(exam_slot(x, SLOT_B), 0x55, x->game->state_size);
	if (!exam_is_text(why.text, sizeof why.text) || !exam_same(x, a, exam_slot(x, SLOT_B)))
		return exam_fail(x, "rejected without a reason, or the state was changed");
	return QV_OK;
}

/*
 * The pieces of a position can be set up again. Counters and rights that are not visible on the
 * board may differ. Before a dice roll the board does not show whose turn it is, so any seat is
 * accepted.
 */
static enum qv_status standing_sets_up(struct exam *x)
{
	struct qv_standing list[QV_MAX_CELLS];
	const int count = x->game->board->stand(x->at, list), seat = x->game->seat(x->at);
	enum qv_status status = QV_OK;
	bool done = false;
	for (int s = 0; s < x->game->seats && status == QV_OK && !done; s++)
		if (seat == s || seat == QV_CHANCE)
			status = try_set_up(x, list, count, s, &done);
	if (status == QV_OK && !done)
		return exam_fail(x, "the pieces of the position cannot be set up again");
	return status;
}

/* Adds, changes or removes a piece; returns the new number of entries. */
static int edit(struct exam *x, struct qv_standing *list, int count, int cells)
{
	const struct qv_board *board = x->game->board;
	const int16_t cell = (int16_t)qv_random_below(&x->random, (uint64_t)cells);
	const int16_t piece =
		(int16_t)qv_random_below(&x->random, (uint64_t)piece_count(board));
	const uint64_t most = (uint64_t)most_on_a_cell(&board->pieces[piece]);
	int at = 0;
	while (at < count && list[at].cell != cell)
		at++;
	if (at < count && qv_random_below(&x->random, 2)) {
		list[at] = list[count - 1];
		return count - 1;
	}
	list[at] = (struct qv_standing){ cell, piece,
					 1 + (int32_t)qv_random_below(&x->random, most) };
	return at < count ? count : count + 1;
}

static enum qv_status edited_standing_is_handled(struct exam *x)
{
	enum qv_status status = QV_OK;
	const int cells = exam_cell_count(x);
	for (int i = 0; i < EDITS && status == QV_OK; i++) {
		struct qv_standing list[QV_MAX_CELLS];
		int count = x->game->board->stand(x->at, list);
		bool done;
		for (uint64_t n = 1 + qv_random_below(&x->random, 4); n; n--)
			count = edit(x, list, count, cells);
		const int seat = (int)qv_random_below(&x->random, (uint64_t)x->game->seats);
		status = try_set_up(x, list, count, seat, &done);
	}
	return status;
}

const struct law board_laws[] = {
	{ "board-pieces", LAW_ONCE, pieces_are_sane, has_board, 0 },
	{ "board-layout", LAW_ONCE, layout_is_sane, has_board, 0 },
	{ "standing", LAW_EVERYWHERE, standing_is_sane, has_board, 0 },
	{ "marks", LAW_EVERYWHERE, marks_are_sane, has_marks, 0 },
	{ "clicks", LAW_EVERYWHERE, clicks_are_sane, has_board, 0 },
	{ "set-up", LAW_EVERYWHERE, standing_sets_up, has_editor, 0 },
	{ "edited-set-up", LAW_SAMPLED, edited_standing_is_handled, has_editor, 100 },
	{ 0 },
};
