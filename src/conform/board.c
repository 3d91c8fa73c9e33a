/*
 * board.c - laws of boards: layout, pieces, clicks, terms, and the editor of positions.
 * SPDX-License-Identifier: MIT
 *
 * The layout is within bounds and pieces stand on existing cells. Moves can be entered by clicks
 * without ambiguity. The editor sets up exactly what it is given, or gives a reason. The terms
 * (features) of a position are within bounds, reproducible, and limited to the requested number.
 *
 * Clicks are compared after sorting: if one move's clicks are the beginning of another's, the two
 * are neighbours in sorted order. So the check is O(n log n) in the number of moves.
 */
#include "conform/exam.h"

#include "core/context.h"

#include <stdlib.h>

enum { EDITS = 20 };                   /* edited positions tried per position */

/* The table of pieces ends with a NULL name. */
static int piece_count(const struct qv_board *board)
{
	int count = 0;
	while (board->pieces[count].name)
		count++;
	return count;
}

/* How many pieces of this kind one cell may hold: `most`, or 1 if it is not set. */
static int32_t most_on_a_cell(const struct qv_piece *piece)
{
	return piece->most > 1 ? piece->most : 1;
}

/* Whether a text is printable, not empty, and ends within `room` bytes. */
static bool is_text(const char *text, size_t room)
{
	size_t length = 0;
	while (length < room && text[length] >= ' ' && text[length] <= '~')
		length++;
	return length && length < room && !text[length];
}

/* ---- Pieces ---- */

/*
 * Names and pictures are printable, names are unique, and paint, seat and count are within bounds.
 */
static bool pieces_are_sane(struct exam *x)
{
	const struct qv_board *board = x->game->board;
	if (!board->pieces || !board->layout || !board->stand || !board->clicks)
		return exam_fail(x, "pieces, layout, stand or clicks is missing");
	if (!board->pieces->name)
		return exam_fail(x, "there are no pieces");
	for (const struct qv_piece *p = board->pieces; p->name; p++) {
		if (!is_text(p->name, 64) || !p->body || !is_text(p->body, QV_MAX_STATE) ||
		    (p->detail && !is_text(p->detail, QV_MAX_STATE)))
			return exam_fail(x, "a piece's name or picture is not printable text");
		if (p->paint >= QV_PAINTS || p->seat < -1 || p->seat >= x->game->seats ||
		    p->most < 0)
			return exam_fail(x, "%s: paint %d, seat %d or most %d is out of bounds",
					 p->name, p->paint, p->seat, p->most);
		for (const struct qv_piece *other = board->pieces; other < p; other++)
			if (!strcmp(other->name, p->name))
				return exam_fail(x, "two pieces have the name %s", p->name);
	}
	return true;
}

/* ---- The layout ---- */

/* Whether a box with this centre and size is inside the board. */
static bool is_inside(const struct qv_layout *l, int x, int y, int width, int height)
{
	return 2 * x >= width && 2 * (l->width - x) >= width && 2 * y >= height &&
	       2 * (l->height - y) >= height;
}

/* A cell has a name, lies inside the board, and shares name and place with no earlier cell. */
static bool cell_is_sane(struct exam *x, const struct qv_layout *l, int number)
{
	const struct qv_cell *c = &l->cells[number];
	if (!is_text(c->name, sizeof c->name))
		return exam_fail(x, "the name of cell %d is not printable text", number);
	if (c->width < 1 || c->height < 1 ||
	    !is_inside(l, c->x, c->y, c->width + abs(c->slant), c->height))
		return exam_fail(x, "cell %s has no size, or is not inside the board", c->name);
	if (c->shape >= QV_SHAPES || c->tone >= QV_TONES || c->stack >= QV_STACKS)
		return exam_fail(x, "%s: invalid shape %d, tone %d or stack %d", c->name, c->shape,
				 c->tone, c->stack);
	if (c->stack && (c->slant || c->height < c->width))
		return exam_fail(x, "%s: a cell with a stack is slanted, or wider than high",
				 c->name);
	for (const struct qv_cell *other = l->cells; other < c; other++) {
		if (!strcmp(other->name, c->name))
			return exam_fail(x, "two cells have the name %s", c->name);
		if (other->row == c->row && other->column == c->column)
			return exam_fail(x, "cells %s and %s share row %d and column %d",
					 other->name, c->name, c->row, c->column);
	}
	return true;
}

/*
 * The layout depends on the options alone, and all its cells, lines and labels are inside the
 * board.
 */
static bool layout_is_sane(struct exam *x)
{
	struct qv_layout l = { 0 }, again = { 0 };
	exam_stir_stack(0xff);
	board_layout(x->rules, &l);
	exam_stir_stack(0x00);
	board_layout(x->rules, &again);
	if (memcmp(&l, &again, sizeof l) != 0)
		return exam_fail(x, "a second call gives another layout");
	if (l.cell_count < 1 || l.cell_count > QV_MAX_CELLS || l.line_count < 0 ||
	    l.line_count > QV_MAX_LINES || l.label_count < 0 || l.label_count > QV_MAX_LABELS)
		return exam_fail(x, "%d cells, %d lines or %d labels are out of bounds",
				 l.cell_count, l.line_count, l.label_count);
	if (l.width < 1 || l.height < 1 || l.ground >= QV_TONES)
		return exam_fail(x, "the board has no size, or tone %d is out of bounds", l.ground);
	for (int i = 0; i < l.cell_count; i++)
		if (!cell_is_sane(x, &l, i))
			return false;
	for (int i = 0; i < l.line_count; i++)
		if (!is_inside(&l, l.lines[i].x1, l.lines[i].y1, 0, 0) ||
		    !is_inside(&l, l.lines[i].x2, l.lines[i].y2, 0, 0))
			return exam_fail(x, "line %d is not inside the board", i);
	for (int i = 0; i < l.label_count; i++)
		if (!is_text(l.labels[i].text, sizeof l.labels[i].text) ||
		    !is_inside(&l, l.labels[i].x, l.labels[i].y, 0, 0))
			return exam_fail(x, "label %d is not text, or not inside the board", i);
	return true;
}

/* The number of cells of the board with the rules of the examination. */
static int cell_count(const struct exam *x)
{
	struct qv_layout l = { 0 };
	board_layout(x->rules, &l);
	return l.cell_count;
}

/* ---- Pieces on the board ---- */

/*
 * Each entry is an existing piece on an existing cell, no cell is listed twice, and counts are
 * possible.
 */
static bool standing_is_sane(struct exam *x)
{
	const struct qv_board *board = x->game->board;
	struct qv_standing list[QV_MAX_CELLS];
	bool taken[QV_MAX_CELLS] = { false };
	const int cells = cell_count(x), pieces = piece_count(board);
	const int count = board->stand(x->at, list);
	if (count < 0 || count > cells)
		return exam_fail(x, "%d entries for %d cells", count, cells);
	for (const struct qv_standing *s = list; s < list + count; s++) {
		if (s->cell < 0 || s->cell >= cells || s->piece < 0 || s->piece >= pieces)
			return exam_fail(x, "there is no cell %d or piece %d", s->cell, s->piece);
		if (taken[s->cell])
			return exam_fail(x, "cell %d is listed twice", s->cell);
		if (s->count < 1 || s->count > most_on_a_cell(&board->pieces[s->piece]))
			return exam_fail(x, "%d of %s on one cell", s->count,
					 board->pieces[s->piece].name);
		taken[s->cell] = true;
	}
	return true;
}

/*
 * Whether the cells that a function lists exist: at most QV_MAX_CLICKS of them, or, if `unique`,
 * each at most once. `what` names the function or term.
 */
static bool cells_exist(struct exam *x, const char *what, const int16_t *list, int count, int cells,
			bool unique)
{
	bool taken[QV_MAX_CELLS] = { false };
	const int most = unique ? cells : QV_MAX_CLICKS;
	if (count < 0 || count > most)
		return exam_fail(x, "%s: %d cells, but at most %d are allowed", what, count, most);
	for (int i = 0; i < count; i++) {
		if (list[i] < 0 || list[i] >= cells || (unique && taken[list[i]]))
			return exam_fail(x, "%s: cell %d is missing or repeated", what, list[i]);
		taken[list[i]] = true;
	}
	return true;
}

/* Marks, the cells that the page highlights, exist and are listed once. */
static bool marks_are_sane(struct exam *x)
{
	int16_t marked[QV_MAX_CELLS];
	const int count = x->game->board->marks(x->at, marked);
	return cells_exist(x, "marks", marked, count, cell_count(x), true);
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

/* The rows share the memory of the move texts, since no law needs both. */
static struct click_row *row_at(const struct exam *x, int number)
{
	return (struct click_row *)(void *)x->texts[number];
}

/* Lexicographic order: a row that is the beginning of another comes first. */
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

/* Numbers the cells in the order of the layout, but a group as a whole where its first cell is. */
static void order_init(struct order *o, const struct exam *x)
{
	struct qv_layout l = { 0 };
	int16_t next = 0;
	board_layout(x->rules, &l);
	o->cells = l.cell_count;
	memset(o->place, 0xff, sizeof o->place);   /* -1: not numbered yet */
	for (int i = 0; i < l.cell_count; i++)
		for (int j = i; j < l.cell_count && (j > i || o->place[i] < 0); j++)
			if (j == i || (l.cells[i].group && l.cells[j].group == l.cells[i].group)) {
				o->place[j] = next;
				o->group[next++] = i;
			}
}

/* Clicks must show when a move is complete, and which cell of a group is meant. */
static bool rows_are_unambiguous(struct exam *x, const struct order *o, const struct click_row *a,
				 const struct click_row *b)
{
	const int shorter = a->count < b->count ? a->count : b->count;
	int same = 0;
	while (same < shorter && a->places[same] == b->places[same])
		same++;
	if (same == shorter && shorter && a->count != b->count)
		return exam_fail(x, "the clicks of a move are the beginning of another's");
	return same == shorter || o->group[a->places[same]] != o->group[b->places[same]] ||
	       exam_fail(x, "two cells of a group continue different moves");
}

/* With `ways`, clicks are pairs, and each way has as many steps as the clicks. */
static bool ways_are_sane(struct exam *x, qv_move move, int clicks, int cells)
{
	enum { MOST = 64 };
	const struct qv_board *board = x->game->board;
	int16_t list[QV_MAX_CLICKS];
	for (int way = 1, count = 1; board->ways && count; way++) {
		count = board->ways(x->at, move, way, list);
		if (!cells_exist(x, "ways", list, count, cells, false))
			return false;
		if (clicks % 2 || (count && count != clicks) || way > MOST)
			return exam_fail(x,
					 "ways: %d cells instead of %d, an odd number, or ways "
					 "without end",
					 count, clicks);
	}
	return true;
}

/* Reads the clicks of every move, then compares neighbours in sorted order. */
static bool clicks_are_sane(struct exam *x)
{
	const struct qv_board *board = x->game->board;
	struct order order;
	int16_t cells[QV_MAX_CLICKS];
	order_init(&order, x);
	for (int i = 0; i < x->count; i++) {
		const int touched = board->touches ? board->touches(x->at, x->list[i], cells) : 0;
		if (!cells_exist(x, "touches", cells, touched, order.cells, false))
			return false;
		const int count = board->clicks(x->at, x->list[i], cells);
		if (!cells_exist(x, "clicks", cells, count, order.cells, false))
			return false;
		if (!ways_are_sane(x, x->list[i], count, order.cells))
			return false;
		row_at(x, i)->count = (int16_t)count;
		for (int k = 0; k < count; k++)
			row_at(x, i)->places[k] = order.place[cells[k]];
	}
	/* After sorting, any conflict is between neighbours. */
	qsort(x->texts, (size_t)x->count, sizeof *x->texts, compare_rows);
	for (int i = 1; i < x->count; i++)
		if (!rows_are_unambiguous(x, &order, row_at(x, i - 1), row_at(x, i)))
			return false;
	return true;
}

/* ---- The editor ---- */

/* By cell; no cell occurs twice. */
static int compare_standings(const void *a, const void *b)
{
	return ((const struct qv_standing *)a)->cell - ((const struct qv_standing *)b)->cell;
}

/* Sets up a position in SLOT_A. Success and failure must both be clean. *done: it was set up. */
static bool try_set_up(struct exam *x, struct qv_standing *list, int count, int seat, bool *done)
{
	struct qv_error why = { "" };
	unsigned char *a = exam_dirty(x, SLOT_A, 0x55), *b = exam_slot(x, SLOT_B);
	exam_now(x, "set_up", NULL);
	*done = x->game->board->set_up(x->rules->options, list, count, seat, a, &why) == QV_OK;
	if (!exam_guards_hold(x, SLOT_A))
		return exam_fail(x, "setting up writes outside the state");
	if (!*done) {
		memset(b, 0x55, x->game->state_size);
		return (is_text(why.text, sizeof why.text) && exam_same(x, a, b)) ||
		       exam_fail(x, "rejected without a reason, or the state was changed");
	}
	/* Exactly these pieces must be on the board, and the seat, or chance, to move. */
	struct qv_standing there[QV_MAX_CELLS];
	const int to_move = x->game->seat(a);
	bool same = x->game->board->stand(a, there) == count &&
		    (to_move == seat || to_move == QV_CHANCE);
	qsort(list, (size_t)count, sizeof *list, compare_standings);
	if (same)
		qsort(there, (size_t)count, sizeof *there, compare_standings);
	for (int i = 0; i < count && same; i++)
		same = there[i].cell == list[i].cell && there[i].piece == list[i].piece &&
		       there[i].count == list[i].count;
	if (!same)
		return exam_fail(x, "the position has other pieces than set up, or another seat");
	char text[QV_POSITION_TEXT] = "";
	struct qv_text out = { text, sizeof text, 0 };
	x->game->position_text(a, &out);
	if (qv_position_parse(x->rules, text, b, &why) != QV_OK)
		return exam_fail(x, "'%s' is set up, but its text is rejected: %s", text, why.text);
	return exam_same(x, a, b) ||
	       exam_fail(x, "'%s' is set up, but its text is read as another state", text);
}

/*
 * The pieces of a position can be set up again. Counters and rights that are not visible on the
 * board may differ. Before a dice roll the board does not show whose turn it is, so any seat is
 * accepted.
 */
static bool standing_sets_up(struct exam *x)
{
	struct qv_standing list[QV_MAX_CELLS];
	const int count = x->game->board->stand(x->at, list), seat = x->game->seat(x->at);
	bool done = false;
	for (int s = 0; s < x->game->seats && !done; s++)
		if ((seat == s || seat == QV_CHANCE) && !try_set_up(x, list, count, s, &done))
			return false;
	return done || exam_fail(x, "the pieces of the position cannot be set up again");
}

/* Adds, changes or removes a piece; returns the new number of entries. */
static int edit(struct exam *x, struct qv_standing *list, int count, int cells)
{
	const struct qv_board *board = x->game->board;
	/* One cell and one piece at random; the piece may already be there. */
	const int16_t cell = (int16_t)qv_random_below(&x->random, (uint64_t)cells);
	const int16_t piece = (int16_t)qv_random_below(&x->random, (uint64_t)piece_count(board));
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

/*
 * Random edits of real positions are mostly illegal: the editor must accept or reject them cleanly.
 */
static bool edited_standing_is_handled(struct exam *x)
{
	const int cells = cell_count(x);
	for (int i = 0; i < EDITS; i++) {
		struct qv_standing list[QV_MAX_CELLS];
		int count = x->game->board->stand(x->at, list);
		bool done;
		for (uint64_t n = 1 + qv_random_below(&x->random, 4); n; n--)
			count = edit(x, list, count, cells);
		const int seat = (int)qv_random_below(&x->random, (uint64_t)x->game->seats);
		if (!try_set_up(x, list, count, seat, &done))
			return false;
	}
	return true;
}

/* ---- Terms ---- */

/* One entry more than may be written, to see that it is not. */
struct term_list {
	struct qv_notion list[QV_MAX_NOTIONS + 1];
	int count;
};

/* Lists at most `max` terms into a cleared list. */
static void list_terms(const struct exam *x, struct term_list *t, int max, int stir)
{
	memset(t, 0, sizeof *t);
	exam_stir_stack(stir);
	t->count = x->game->board->notions(x->at, t->list, max);
}

/* Name, sentence and mark are printable, seat and cells exist, and the name is new for its seat. */
static bool term_is_sane(struct exam *x, const struct qv_notion *list, int number, int cells)
{
	const struct qv_notion *n = &list[number];
	if (!is_text(n->name, sizeof n->name) || !is_text(n->text, sizeof n->text) ||
	    (n->mark[0] && !is_text(n->mark, sizeof n->mark)))
		return exam_fail(x, "name, text or mark of term %d is not printable text", number);
	if (n->seat < -1 || n->seat >= x->game->seats)
		return exam_fail(x, "%s: there is no seat %d", n->name, n->seat);
	for (const struct qv_notion *other = list; other < n; other++)
		if (other->seat == n->seat && !strcmp(other->name, n->name))
			return exam_fail(x, "%s: listed twice for a seat", n->name);
	return cells_exist(x, n->name, n->cells, n->cell_count, cells, true);
}

/* All terms are sane, and a shorter list is the beginning of the whole one. */
static bool terms_are_sane(struct exam *x)
{
	static const struct qv_notion nothing;
	struct term_list whole, again;
	const int cells = cell_count(x);
	list_terms(x, &whole, QV_MAX_NOTIONS, 0xff);
	if (whole.count < 0 || whole.count > QV_MAX_NOTIONS)
		return exam_fail(x, "%d terms, more than %d", whole.count, QV_MAX_NOTIONS);
	for (int i = 0; i < whole.count; i++)
		if (!term_is_sane(x, whole.list, i, cells))
			return false;
	/* List the first `max` again: they must be the same, and nothing may be written after. */
	const int max = (int)qv_random_below(&x->random, QV_MAX_NOTIONS + 1);
	list_terms(x, &again, max, 0x00);
	if (again.count != (whole.count < max ? whole.count : max))
		return exam_fail(x, "at most %d of %d were requested, %d were returned", max,
				 whole.count, again.count);
	if (memcmp(again.list, whole.list, (size_t)again.count * sizeof *again.list) != 0)
		return exam_fail(x, "a second call gives other terms");
	return !memcmp(&again.list[again.count], &nothing, sizeof nothing) ||
	       exam_fail(x, "more terms are written than requested");
}

const struct law board_laws[] = {
	{ "board-pieces", LAW_ONCE, pieces_are_sane, BOARD, 0 },
	{ "board-layout", LAW_ONCE, layout_is_sane, BOARD, 0 },
	{ "standing", LAW_EVERYWHERE, standing_is_sane, BOARD, 0 },
	{ "marks", LAW_EVERYWHERE, marks_are_sane, MARKS, 0 },
	{ "clicks", LAW_EVERYWHERE, clicks_are_sane, BOARD, 0 },
	{ "set-up", LAW_EVERYWHERE, standing_sets_up, EDITOR, 0 },
	{ "edited-set-up", LAW_SAMPLED, edited_standing_is_handled, EDITOR, 100 },
	{ "notions", LAW_EVERYWHERE, terms_are_sane, TERMS, 0 },
	{ 0 },
};
