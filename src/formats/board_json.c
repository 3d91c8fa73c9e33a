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
	[QV_RECTANGLE] = "rectangle",
	[QV_ELLIPSE] = "ellipse",
	[QV_HEXAGON] = "hexagon",
	[QV_POINT] = "point",
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
static json_t *name_of(const char *const *names, size_t count, unsigned value)
{
	return json_string(names[value < count ? value : 0]);
}
#define NAME_OF(names, value) name_of(names, sizeof names / sizeof *names, value)

static json_t *cell_json(const struct qv_cell *cell)
{
	json_t *o = json_field(json_object(), "name", json_text(cell->name));
	o = json_field(o, "x", json_integer(cell->x));
	o = json_field(o, "y", json_integer(cell->y));
	o = json_field(o, "width", json_integer(cell->width));
	o = json_field(o, "height", json_integer(cell->height));
	o = json_field(o, "slant", json_integer(cell->slant));
	o = json_field(o, "row", json_integer(cell->row));
	o = json_field(o, "column", json_integer(cell->column));
	o = json_field(o, "group", json_integer(cell->group));
	o = json_field(o, "shape", NAME_OF(shape_names, cell->shape));
	return json_field(o, "tone", NAME_OF(tone_names, cell->tone));
}

static json_t *line_json(const struct qv_line *line)
{
	return cells_json((const int16_t[]){ line->x1, line->y1, line->x2, line->y2 }, 4);
}

static json_t *label_json(const struct qv_label *label)
{
	json_t *o = json_field(json_object(), "text", json_text(label->text));
	o = json_field(o, "x", json_integer(label->x));
	return json_field(o, "y", json_integer(label->y));
}

static json_t *piece_json(const struct qv_piece *piece)
{
	json_t *o = json_field(json_object(), "name", json_text(piece->name));
	o = json_field(o, "body", json_text(piece->body));
	o = json_field(o, "detail", json_text(piece->detail));
	o = json_field(o, "paint", NAME_OF(paint_names, piece->paint));
	o = json_field(o, "seat", piece->seat < 0 ? json_null() : json_integer(piece->seat + 1));
	return json_field(o, "most", json_integer(piece->most > 1 ? piece->most : 1));
}

static json_t *layout_json(json_t *o, const struct qv_layout *l)
{
	json_t *cells = json_array(), *lines = json_array(), *labels = json_array();
	for (int i = 0; i < l->cell_count; i++)
		cells = json_item(cells, cell_json(&l->cells[i]));
	for (int i = 0; i < l->line_count; i++)
		lines = json_item(lines, line_json(&l->lines[i]));
	for (int i = 0; i < l->label_count; i++)
		labels = json_item(labels, label_json(&l->labels[i]));
	o = json_field(o, "width", json_integer(l->width));
	o = json_field(o, "height", json_integer(l->height));
	o = json_field(o, "ground", NAME_OF(tone_names, l->ground));
	o = json_field(o, "turnable", json_boolean(l->turnable));
	o = json_field(o, "cells", cells);
	o = json_field(o, "lines", lines);
	return json_field(o, "labels", labels);
}

static json_t *rules_json(const struct qv_rules *rules)
{
	char text[512];
	struct qv_text out = { text, sizeof text, 0 };
	qv_rules_text(rules, &out);
	return json_text(text);
}

json_t *board_json(const struct qv_rules *rules)
{
	const struct qv_board *board = rules->game->board;
	if (!board)
		return json_null();
	struct qv_layout layout = { 0 };
	board->layout(rules->options, &layout);
	json_t *pieces = json_array();
	for (const struct qv_piece *piece = board->pieces; piece->name; piece++)
		pieces = json_item(pieces, piece_json(piece));
	json_t *o = json_field(json_object(), "game", rules_json(rules));
	o = json_field(o, "title", json_text(rules->game->title));
	return json_field(layout_json(o, &layout), "pieces", pieces);
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
	const int most = game->max_count ? game->max_count(state, move) : 1;
	return most > 1 ? json_field(o, "max", json_integer(most)) : o;
}

/* ---- Moves with the same clicks, such as promotions ---- */

struct clicked_move {
	uint64_t clicks; /* a hash; a collision would only add a needless "piece" */
	int place;	 /* index of the move */
	int cell, piece; /* the last cell, and the piece there after the move; -1: none */
};

static int by_clicks(const void *one, const void *other)
{
	const struct clicked_move *a = one, *b = other;
	if (a->clicks != b->clicks)
		return a->clicks < b->clicks ? -1 : 1;
	return a->place - b->place;
}

static struct clicked_move clicked_move(const struct qv_game *game, const void *state, qv_move move,
					int place)
{
	int16_t cells[QV_MAX_CLICKS];
	const int count = game->board->clicks(state, move, cells);
	struct clicked_move e = { qv_mix((uint64_t)count), place, count ? cells[count - 1] : -1,
				  -1 };
	for (int i = 0; i < count; i++)
		e.clicks = qv_mix(e.clicks ^ (uint64_t)(uint16_t)cells[i]);
	return e;
}

static int piece_after(const struct qv_game *game, const void *state, qv_move move, int cell,
		       void *scratch)
{
	struct qv_standing list[QV_MAX_CELLS];
	memcpy(scratch, state, game->state_size);
	game->play(scratch, move);
	const int count = game->board->stand(scratch, list);
	for (int i = 0; i < count; i++)
		if (list[i].cell == cell)
			return list[i].piece;
	return -1;
}

/* Adds "piece" to moves with the same clicks, if they lead to different pieces. */
static bool put_piece(json_t *moves, const struct qv_game *game, const void *state,
		      const qv_move *list, struct clicked_move *run, int count, void *scratch)
{
	bool differ = false;
	for (int i = 0; i < count; i++) {
		run[i].piece = piece_after(game, state, list[run[i].place], run[i].cell, scratch);
		differ |= run[i].piece != run[0].piece;
	}
	for (int i = 0; i < count && differ; i++)
		if (run[i].piece >= 0 &&
		    json_object_set_new(json_array_get(moves, (size_t)run[i].place), "piece",
					json_integer(run[i].piece)) != 0)
			return false;
	return true;
}

static json_t *put_pieces(json_t *moves, const struct qv_game *game, const void *state,
			  const qv_move *list, int count)
{
	struct clicked_move *all = mem_new(&mem_malloc, (size_t)count + 1, sizeof *all);
	void *scratch = mem_new(&mem_malloc, game->state_size, 1);
	bool done = moves && all && scratch;
	for (int i = 0; i < count && done; i++)
		all[i] = clicked_move(game, state, list[i], i);
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

static json_t *standing_json(const struct qv_board *board, const void *state)
{
	struct qv_standing list[QV_MAX_CELLS];
	json_t *standing = json_array();
	const int count = board ? board->stand(state, list) : 0;
	for (int i = 0; i < count; i++) {
		json_t *entry = json_item(json_array(), json_integer(list[i].cell));
		entry = json_item(entry, json_integer(list[i].piece));
		standing = json_item(standing, json_item(entry, json_integer(list[i].count)));
	}
	return standing;
}

static json_t *marks_json(const struct qv_board *board, const void *state)
{
	int16_t cells[QV_MAX_CELLS];
	return cells_json(cells, board && board->marks ? board->marks(state, cells) : 0);
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

static json_t *result_json(const struct qv_game *game, enum qv_outcome outcome,
			   const int32_t *points)
{
	char text[16] = "draw";
	if (outcome == QV_GOING)
		return json_null();
	const int winner = outcome == QV_DRAWN_BY_COUNT ? -1 : qv_winner(game, points);
	if (winner >= 0)
		snprintf(text, sizeof text, "win %d", winner + 1);
	return json_string(text);
}

static json_t *points_json(const struct qv_game *game, enum qv_outcome outcome,
			   const int32_t *points)
{
	if (outcome == QV_GOING)
		return json_null();
	json_t *list = json_array();
	for (int seat = 0; seat < game->seats; seat++)
		list = json_item(list, json_integer(points[seat]));
	return list;
}

/* The seat to move after the dice roll; QV_CHANCE: that depends on the roll. */
static int seat_after_chance(const struct qv_game *game, const void *state, void *scratch)
{
	qv_move list[QV_MAX_MOVES];
	int seat = QV_CHANCE;
	const int count = game->moves(state, list);
	for (int i = 0; i < count; i++) {
		memcpy(scratch, state, game->state_size);
		game->play(scratch, list[i]);
		const int next = game->seat(scratch);
		if (i && next != seat)
			return QV_CHANCE;
		seat = next;
	}
	return seat;
}

static json_t *turn_json(const struct qv_game *game, const void *state)
{
	int seat = game->seat(state);
	if (seat == QV_CHANCE) {
		void *scratch = mem_new(&mem_malloc, game->state_size, 1);
		if (!scratch)
			return NULL;
		seat = seat_after_chance(game, state, scratch);
		mem_free(&mem_malloc, scratch, game->state_size);
	}
	return seat == QV_CHANCE ? json_null() : json_integer(seat + 1);
}

bool view_set_result(json_t *view, const struct qv_game *game, enum qv_outcome outcome,
		     const int32_t *points)
{
	const bool over = outcome != QV_GOING;
	return (!over || json_object_set_new(view, "moves", json_array()) == 0) &&
	       json_object_set_new(view, "over", json_boolean(over)) == 0 &&
	       json_object_set_new(view, "result", result_json(game, outcome, points)) == 0 &&
	       json_object_set_new(view, "points", points_json(game, outcome, points)) == 0;
}

json_t *view_json(const struct qv_rules *rules, const void *state)
{
	const struct qv_game *game = rules->game;
	char position[QV_POSITION_TEXT] = "";
	struct qv_text out = { position, sizeof position, 0 };
	int32_t points[QV_MAX_SEATS];
	const enum qv_outcome outcome = game->result(state, points);
	game->position_text(state, &out);
	json_t *o = json_field(json_object(), "position", json_text(position));
	o = json_field(o, "seat", json_integer(game->seat(state) + 1)); /* QV_CHANCE is -1 */
	o = json_field(o, "turn", turn_json(game, state));
	o = json_field(o, "moves", outcome == QV_GOING ? moves_json(game, state) : json_array());
	o = json_field(o, "standing", standing_json(game->board, state));
	o = json_field(o, "marks", marks_json(game->board, state));
	o = json_field(o, "scores", scores_json(game, state));
	if (!o || !view_set_result(o, game, outcome, points)) {
		json_decref(o);
		return NULL;
	}
	return json_field(o, "text", drawing_json(game, state));
}

/* ---- A position set up by hand ---- */

struct reading {
	const struct qv_board *board;
	struct qv_layout layout;
	int piece_count;
	struct qv_standing list[QV_MAX_CELLS];
	bool taken[QV_MAX_CELLS];
};

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
	r.board->layout(rules->options, &r.layout);
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
