/*
 * board_json.c - boards and positions as JSON.
 * SPDX-License-Identifier: MIT
 *
 * Values are built with the chains of base/json.h, so only the end of a chain is checked for a
 * failure. The list of moves is the largest part of a position: one object per move, with the cells
 * to click.
 */
#include "formats/board_json.h"

#include <stdlib.h>

#include "base/json.h"
#include "core/context.h"

static json_t *cells_json(const int16_t *cells, int count)
{
	json_t *list = json_array();
	for (int i = 0; i < count; i++)
		list = json_item(list, json_integer(cells[i]));
	return list;
}

/* ---- The board ---- */

static const char *const shape_names[] = {
	[QV_RECTANGLE] = "rectangle", [QV_ELLIPSE] = "ellipse",
	[QV_HEXAGON] = "hexagon",     [QV_POINT] = "point",
	[QV_TRIANGLE] = "triangle",   [QV_TRIANGLE_DOWN] = "triangle-down",
};

static const char *const stack_names[QV_STACKS] = {
	[QV_STACK_NONE] = "none",
	[QV_STACK_UP] = "up",
	[QV_STACK_DOWN] = "down",
};

static const char *const tone_names[QV_TONES] = {
	[QV_TONE_NONE] = "none", [QV_TONE_LIGHT] = "light", [QV_TONE_DARK] = "dark",
	[QV_TONE_FELT] = "felt", [QV_TONE_WOOD] = "wood",   [QV_TONE_FRAME] = "frame",
	[QV_TONE_HOLE] = "hole", [QV_TONE_TRAY] = "tray",
};

static const char *const paint_names[QV_PAINTS] = {
	[QV_PAINT_LIGHT] = "light", [QV_PAINT_DARK] = "dark", [QV_PAINT_RED] = "red",
	[QV_PAINT_YELLOW] = "yellow", [QV_PAINT_BLUE] = "blue", [QV_PAINT_GREEN] = "green",
	[QV_PAINT_GREY] = "grey",
};

/* The name of a value. A plug-in may pass an invalid one; then it is the first name. */
static const char *name_of(const char *const *names, size_t count, unsigned value)
{
	return names[value < count ? value : 0];
}
#define NAME_OF(names, value) name_of(names, sizeof names / sizeof *names, value)

static json_t *cell_json(const struct qv_cell *c)
{
	json_t *o = json_pack("{s:o, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:s, s:s}", "name",
			      json_text(c->name), "x", c->x, "y", c->y, "width", c->width, "height",
			      c->height, "slant", c->slant, "row", c->row, "column", c->column,
			      "group", c->group, "shape", NAME_OF(shape_names, c->shape), "tone",
			      NAME_OF(tone_names, c->tone));
	if (c->stack)
		o = json_field(o, "stack", json_text(NAME_OF(stack_names, c->stack)));
	return o;
}

json_t *board_json(const struct qv_rules *rules)
{
	const struct qv_board *board = rules->game->board;
	struct qv_layout l = { 0 };
	char game[512];
	struct qv_text out = { game, sizeof game, 0 };
	if (!board)
		return json_null();
	json_t *cells = json_array(), *lines = json_array(), *labels = json_array();
	json_t *pieces = json_array();
	board_layout(rules, &l);
	qv_rules_text(rules, &out);
	for (const struct qv_cell *c = l.cells; c < l.cells + l.cell_count; c++)
		cells = json_item(cells, cell_json(c));
	for (const struct qv_line *i = l.lines; i < l.lines + l.line_count; i++)
		lines = json_item(lines, json_pack("[i, i, i, i]", i->x1, i->y1, i->x2, i->y2));
	for (const struct qv_label *i = l.labels; i < l.labels + l.label_count; i++)
		labels = json_item(labels, json_pack("{s:o, s:i, s:i}", "text", json_text(i->text),
						     "x", i->x, "y", i->y));
	for (const struct qv_piece *p = board->pieces; p->name; p++)
		pieces = json_item(pieces,
				   json_pack("{s:o, s:o, s:o, s:s, s:o, s:i}", "name",
					     json_text(p->name), "body", json_text(p->body),
					     "detail", json_text(p->detail), "paint",
					     NAME_OF(paint_names, p->paint), "seat",
					     p->seat < 0 ? json_null() : json_integer(p->seat + 1),
					     "most", p->most > 1 ? p->most : 1));
	json_t *o = json_pack("{s:o, s:o, s:i, s:i, s:s, s:b, s:o, s:o, s:o, s:o}", "game",
			      json_text(game), "title", json_text(rules->game->title), "width",
			      l.width, "height", l.height, "ground", NAME_OF(tone_names, l.ground),
			      "turnable", l.turnable, "cells", cells, "lines", lines, "labels",
			      labels, "pieces", pieces);
	if (rules->game->seat_names) {
		json_t *names = json_array();
		for (int seat = 0; seat < rules->game->seats; seat++)
			names = json_item(names, json_text(rules->game->seat_names[seat]));
		o = json_field(o, "seat_names", names);
	}
	return l.label_size ? json_field(o, "label_size", json_integer(l.label_size)) : o;
}

/* ---- A position ---- */

json_t *touches_json(const struct qv_game *game, const void *state, qv_move move)
{
	const struct qv_board *board = game->board;
	int16_t cells[QV_MAX_CLICKS];
	if (!board)
		return json_array();
	const int count = board->touches ? board->touches(state, move, cells)
					 : board->clicks(state, move, cells);
	return cells_json(cells, count);
}

json_t *last_touches_json(const struct qv_record *record, void *scratch)
{
	enum { MOST_BACK = 8 };
	const struct qv_game *game = record->rules.game;
	const int first = record->ply > MOST_BACK ? record->ply - MOST_BACK : 0;
	for (int ply = record->ply; ply-- > first;) {
		tree_state_at(record, ply, scratch);
		json_t *touches = touches_json(game, scratch, qv_record_move(record, ply));
		if (json_array_size(touches) || !game->chance || ply == first)
			return touches;
		json_decref(touches);
	}
	return json_array();
}

bool move_short(const struct qv_game *game, const void *state, qv_move move, char out[QV_MOVE_TEXT])
{
	const struct engine *engine = context_engine(game);
	struct qv_text text = { out, QV_MOVE_TEXT, 0 };
	if (!engine->short_text)
		return false;
	engine->short_text(state, move, &text);
	return true;
}

json_t *put_short(json_t *object, const struct qv_game *game, const void *state, qv_move move)
{
	char text[QV_MOVE_TEXT] = "";
	return move_short(game, state, move, text) ? json_field(object, "short", json_text(text))
						   : object;
}

/* The other ways to enter a move. */
static json_t *ways_json(const struct qv_board *board, const void *state, qv_move move)
{
	json_t *ways = json_array();
	int16_t cells[QV_MAX_CLICKS];
	for (int way = 1, count; (count = board->ways(state, move, way, cells)) > 0; way++)
		ways = json_item(ways, cells_json(cells, count));
	return ways;
}

/* One object of "moves"; "piece" is added later, where several moves have the same clicks. */
static json_t *move_json(const struct qv_game *game, const void *state, qv_move move)
{
	char text[QV_MOVE_TEXT] = "";
	struct qv_text out = { text, sizeof text, 0 };
	int16_t cells[QV_MAX_CLICKS];
	game->move_text(state, move, &out);
	const int clicks = game->board ? game->board->clicks(state, move, cells) : 0;
	json_t *o =
		put_short(json_field(json_object(), "move", json_text(text)), game, state, move);
	o = json_field(o, "clicks", cells_json(cells, clicks));
	if (game->board && game->board->touches)
		o = json_field(o, "touches", touches_json(game, state, move));
	if (game->board && game->board->ways)
		o = json_field(o, "ways", ways_json(game->board, state, move));
	const uint32_t weight = game->seat(state) == QV_CHANCE ? game->weight(state, move) : 1;
	if (weight != 1)
		o = json_field(o, "weight", json_integer(weight));
	const int most = game->max_count ? game->max_count(state, move) : 1;
	return most > 1 ? json_field(o, "max", json_integer(most)) : o;
}

/* ---- Moves with the same clicks, such as promotions ---- */

struct clicked_move {
	uint64_t clicks; /* a hash; a collision would only add a needless "piece" */
	int place;	 /* index of the move */
	int cell, piece; /* the last cell, and the piece there after the move; -1: none */
};

/* A total order, so that qsort need not be stable. */
static int by_clicks(const void *one, const void *other)
{
	const struct clicked_move *a = one, *b = other;
	if (a->clicks != b->clicks)
		return a->clicks < b->clicks ? -1 : 1;
	return a->place - b->place;
}

/*
 * Adds "piece" to the moves of a run with the same clicks, if they lead to different pieces. The
 * scratch state is for playing the moves. False: not enough memory.
 */
static bool put_piece(json_t *moves, const struct qv_game *game, const void *state,
		      const qv_move *list, struct clicked_move *run, int count, void *scratch)
{
	struct qv_standing after[QV_MAX_CELLS];
	bool differ = false;
	for (int i = 0; i < count; i++) {
		memcpy(scratch, state, game->state_size);
		game->play(scratch, list[run[i].place]);
		for (int n = game->board->stand(scratch, after); n--;)
			if (after[n].cell == run[i].cell)
				run[i].piece = after[n].piece;
		differ |= run[i].piece != run[0].piece;
	}
	for (int i = 0; i < count && differ; i++)
		if (run[i].piece >= 0 &&
		    json_object_set_new(json_array_get(moves, (size_t)run[i].place), "piece",
					json_integer(run[i].piece)) != 0)
			return false;
	return true;
}

/* Adds "piece" to moves where it is needed; releases them and returns NULL if memory runs out. */
static json_t *put_pieces(json_t *moves, const struct qv_game *game, const void *state,
			  const qv_move *list, int count)
{
	struct clicked_move *all = mem_new(&mem_malloc, (size_t)count + 1, sizeof *all);
	void *scratch = mem_new(&mem_malloc, game->state_size, 1);
	bool done = moves && all && scratch;
	for (int i = 0; i < count && done; i++) {
		int16_t cells[QV_MAX_CLICKS];
		const int clicks = game->board->clicks(state, list[i], cells);
		const int last = clicks ? cells[clicks - 1] : -1;
		all[i] = (struct clicked_move){ qv_mix((uint64_t)clicks), i, last, -1 };
		for (int k = 0; k < clicks; k++)
			all[i].clicks = qv_mix(all[i].clicks ^ (uint64_t)(uint16_t)cells[k]);
	}
	/* Moves with the same clicks become neighbours, in the order of the list. */
	if (done)
		qsort(all, (size_t)count, sizeof *all, by_clicks);
	for (int i = 0, end; i < count && done; i = end) {
		for (end = i + 1; end < count && all[end].clicks == all[i].clicks;)
			end++;
		if (end > i + 1 && all[i].cell >= 0)
			done = put_piece(moves, game, state, list, all + i, end - i, scratch);
	}
	mem_free(&mem_malloc, all, ((size_t)count + 1) * sizeof *all);
	mem_free(&mem_malloc, scratch, game->state_size);
	if (done)
		return moves;
	json_decref(moves);
	return NULL;
}

static json_t *moves_json(const struct qv_game *game, const void *state)
{
	qv_move list[QV_MAX_MOVES];
	const int count = game->moves(state, list);
	json_t *moves = json_array();
	for (int i = 0; i < count; i++)
		moves = json_item(moves, move_json(game, state, list[i]));
	return game->board ? put_pieces(moves, game, state, list, count) : moves;
}

json_t *scores_json(const struct qv_game *game, const void *state)
{
	if (!game->board || !game->board->score)
		return json_null();
	json_t *scores = json_array();
	for (int seat = 0; seat < game->seats; seat++)
		scores = json_item(scores, json_integer(game->board->score(state, seat)));
	return scores;
}

/* The board as text. The first call of draw only measures how long it is. */
static json_t *drawing_json(const struct qv_game *game, const void *state)
{
	if (!game->draw)
		return json_null();
	struct qv_text out = { NULL, 0, 0 };
	game->draw(state, true, &out);
	const size_t size = out.length + 1;
	out = (struct qv_text){ mem_new(&mem_malloc, size, 1), size, 0 };
	if (!out.data)
		return NULL;
	game->draw(state, true, &out);
	json_t *text = json_text(out.data);
	mem_free(&mem_malloc, out.data, size);
	return text;
}

/* The seat to move, from 1. At a dice roll: the one that moves after it; null: the roll decides. */
static json_t *turn_json(const struct qv_game *game, const void *state)
{
	int seat = game->seat(state);
	if (seat != QV_CHANCE)
		return json_integer(seat + 1);
	qv_move list[QV_MAX_MOVES];
	void *after = mem_new(&mem_malloc, game->state_size, 1);
	if (!after)
		return NULL;
	const int count = game->moves(state, list);
	for (int i = 0; i < count; i++) {
		memcpy(after, state, game->state_size);
		game->play(after, list[i]);
		const int next = game->seat(after);
		const bool differs = i && next != seat;
		seat = differs ? QV_CHANCE : next;
		if (differs)
			break;
	}
	mem_free(&mem_malloc, after, game->state_size);
	return seat == QV_CHANCE ? json_null() : json_integer(seat + 1);
}

bool view_set_result(json_t *view, const struct qv_game *game, enum qv_outcome outcome,
		     const int32_t *points)
{
	const bool over = outcome != QV_GOING;
	json_t *result = json_null(), *list = json_null();
	if (over) {
		const int winner = outcome == QV_DRAWN_BY_COUNT ? -1 : qv_winner(game, points);
		result = winner < 0 ? json_string("draw") : json_sprintf("win %d", winner + 1);
		list = json_array();
		for (int seat = 0; seat < game->seats; seat++)
			list = json_item(list, json_integer(points[seat]));
	}
	/* All three are set in any case, since each call takes over its value. */
	int failed = over ? json_object_set_new(view, "moves", json_array()) : 0;
	failed |= json_object_set_new(view, "over", json_boolean(over));
	failed |= json_object_set_new(view, "result", result);
	failed |= json_object_set_new(view, "points", list);
	return !failed;
}

json_t *view_json(const struct qv_rules *rules, const void *state)
{
	const struct qv_game *game = rules->game;
	char position[QV_POSITION_TEXT] = "";
	struct qv_text out = { position, sizeof position, 0 };
	int32_t points[QV_MAX_SEATS];
	struct qv_standing pieces[QV_MAX_CELLS];
	int16_t marks[QV_MAX_CELLS];
	const struct qv_board *board = game->board;
	const enum qv_outcome outcome = game->result(state, points);
	const int marked = board && board->marks ? board->marks(state, marks) : 0;
	const int count = board ? board->stand(state, pieces) : 0;
	json_t *standing = json_array();
	for (int i = 0; i < count; i++)
		standing = json_item(standing, json_pack("[i, i, i]", pieces[i].cell,
							 pieces[i].piece, pieces[i].count));
	game->position_text(state, &out);
	json_t *o = json_field(json_object(), "position", json_text(position));
	o = json_field(o, "seat", json_integer(game->seat(state) + 1)); /* QV_CHANCE is -1 */
	o = json_field(o, "turn", turn_json(game, state));
	o = json_field(o, "moves", outcome == QV_GOING ? moves_json(game, state) : json_array());
	o = json_field(o, "standing", standing);
	o = json_field(o, "marks", cells_json(marks, marked));
	o = json_field(o, "scores", scores_json(game, state));
	if (!o || !view_set_result(o, game, outcome, points)) {
		json_decref(o);
		return NULL;
	}
	return json_field(o, "text", drawing_json(game, state));
}

/* ---- A position set up by hand ---- */

/* The pieces that were read so far. */
struct reading {
	const struct qv_board *board;
	struct qv_layout layout;
	int piece_count;
	struct qv_standing list[QV_MAX_CELLS];
	bool taken[QV_MAX_CELLS]; /* the cell has been given */
};

/* Reads the entry at a place of the list, [cell, piece, count] or [cell, piece]. */
static enum qv_status read_standing(struct reading *r, const json_t *entry, int place,
				    struct qv_error *error)
{
	int64_t cell, piece, count = 1;
	if (json_array_size(entry) != 2 && json_array_size(entry) != 3)
		return qv_fail(error, QV_BAD_INPUT,
			       "standing: entry %d is not [cell, piece, count]", place + 1);
	if (!json_int_between(json_array_get(entry, 0), 0, r->layout.cell_count - 1, &cell))
		return qv_fail(error, QV_BAD_INPUT,
			       "standing: entry %d: the cell is not a number from 0 to %d",
			       place + 1, r->layout.cell_count - 1);
	if (!json_int_between(json_array_get(entry, 1), 0, r->piece_count - 1, &piece))
		return qv_fail(error, QV_BAD_INPUT,
			       "standing: entry %d: the piece is not a number from 0 to %d",
			       place + 1, r->piece_count - 1);
	const int32_t most = r->board->pieces[piece].most > 1 ? r->board->pieces[piece].most : 1;
	if (json_array_size(entry) == 3 &&
	    !json_int_between(json_array_get(entry, 2), 1, most, &count))
		return qv_fail(error, QV_BAD_INPUT,
			       "standing: %s: a cell can hold 1 to %d of %s",
			       r->layout.cells[cell].name, most, r->board->pieces[piece].name);
	if (r->taken[cell])
		return qv_fail(error, QV_BAD_INPUT, "standing: %s is given twice",
			       r->layout.cells[cell].name);
	r->taken[cell] = true;
	r->list[place] =
		(struct qv_standing){ (int16_t)cell, (int16_t)piece, (int32_t)count };
	return QV_OK;
}

enum qv_status view_set_up(const struct qv_rules *rules, const json_t *standing, int seat,
			   void *state, struct qv_error *error)
{
	struct reading r = { .board = rules->game->board };
	if (!r.board || !r.board->set_up)
		return qv_fail(error, QV_UNSUPPORTED,
			       "%s: the game has no position editor", rules->game->name);
	if (seat < 0 || seat >= rules->game->seats)
		return qv_fail(error, QV_BAD_INPUT, "seat: expected 1 to %d, not %d",
			       rules->game->seats, seat + 1);
	board_layout(rules, &r.layout);
	while (r.board->pieces[r.piece_count].name)
		r.piece_count++;
	const int count = (int)json_array_size(standing);
	if (!json_is_array(standing) || json_array_size(standing) > (size_t)r.layout.cell_count)
		return qv_fail(error, QV_BAD_INPUT,
			       "standing: expected a list of at most %d entries",
			       r.layout.cell_count);
	enum qv_status status = QV_OK;
	for (int i = 0; i < count && status == QV_OK; i++)
		status = read_standing(&r, json_array_get(standing, (size_t)i), i, error);
	if (status != QV_OK)
		return status;
	return r.board->set_up(rules->options, r.list, count, seat, state, error);
}
