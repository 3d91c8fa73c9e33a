/*
 * games.c - routes about the games, their boards and opening books, and about positions.
 * SPDX-License-Identifier: MIT
 *
 * All of it is computed at once from the game's tables, except a position after many moves, which a
 * worker plays first (positions.c). Lists that are the same for everybody are made once and kept as
 * texts for as long as the server runs. The book moves of a position are found by its hash, under
 * all symmetries of the board.
 */
#include <stdlib.h>

#include "book/book.h"
#include "core/context.h"
#include "core/history.h"
#include "formats/board_json.h"
#include "formats/pgn.h"
#include "formats/terms.h"
#include "record/record.h"
#include "server/api/inside.h"

enum {
	GAME_TEXT = 256,
	BOOKS_MOST = 32,  /* one per game; further games have none */
	AHEAD_PLIES = 16, /* within which the next name of an opening is looked for */
};

/* ---- Games ---- */

/* An option with choices has its default as a text, any other as a number. */
static json_t *option_json(const struct qv_option *o)
{
	json_t *choices = o->choices ? json_array() : json_null();
	for (const char *c = o->choices ? o->choices : ""; *c;) {
		const size_t length = strcspn(c, "|");
		json_array_append_new(choices, json_stringn(c, length));
		c += length + (c[length] == '|');
	}
	json_t *preset = o->choices ? json_incref(json_array_get(choices, (size_t)o->preset))
				    : json_integer(o->preset);
	return json_pack("{s:s, s:s, s:o, s:I, s:I, s:o}", "name", o->name, "help",
			 o->help ? o->help : "", "choices", choices, "min", (json_int_t)o->min,
			 "max", (json_int_t)o->max, "preset", preset);
}

/* Everything that the page must know before it offers the game. */
static json_t *game_json(const struct api *api, const struct qv_game *game)
{
	struct qv_rules rules;
	json_t *options = json_array();
	size_t size;
	int levels = 0;
	while (qv_levels(game)[levels])
		levels++;
	for (const struct qv_option *o = game->options; o && o->name; o++)
		json_array_append_new(options, option_json(o));
	/* Is `perfect` a good player of the game with its default options? */
	const bool perfect =
		qv_rules_parse(api->setup.context, game->name, &rules, NULL) == QV_OK &&
		table_lookup_makes_perfect(api->table_lookup, &rules);
	return json_pack(
		"{s:s, s:s, s:i, s:b, s:i, s:o, s:o, s:b, s:s?, s:s, s:o, s:b, s:b, s:b, s:b, s:b, s:b}",
		"name", game->name, "title", game->title, "seats", game->seats, "chance",
		(int)game->chance, "levels", levels, "ladders", ladders_json(game), "classics",
		classics_json(game), "perfect", (int)perfect, "solved", game->solved, "help",
		game->help ? game->help : "", "options", options, "board", game->board != NULL,
		"editor", game->board && game->board->set_up, "exact",
		game->seats == 2 && !game->chance, "notions", (int)game_has_terms(game), "book",
		book_own(game, &size) != NULL, "pgn", pgn_suits(game, NULL) == QV_OK);
}

json_t *games_json(const struct api *api)
{
	json_t *list = json_array();
	for (int i = 0; qv_game_at(api->setup.context, i); i++)
		list = json_item(list, game_json(api, qv_game_at(api->setup.context, i)));
	return list;
}

/* GET /api/v1/games */
void get_games(struct api *api, const struct api_request *r)
{
	if (!api->games)
		api->games = json_to_text(games_json(api), RESPONSE_JSON);
	reply_kept(api, r->call, api->games);
}

/* ---- History ---- */

/* GET /api/v1/history: the people behind the classic opponents. */
void get_history(struct api *api, const struct api_request *r)
{
	json_t *list = json_array();
	const struct history_entry *e;
	for (int i = 0; (e = history_at(i)); i++)
		json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s}", "who", e->who, "when",
						      e->when, "work", e->work, "here", e->here));
	reply_shared(api, r->call, list);
}

/* ---- Opening books ---- */

/* A book, and the response that lists its lines; NULL: not made yet. */
struct opened_book {
	struct book book;
	char *lines;
};

struct openings {
	const struct qv_context *context;
	struct opened_book books[BOOKS_MOST];
	int count;
};

/* No book is open yet. */
struct openings *openings_new(const struct qv_context *context)
{
	struct openings *o = mem_new(&mem_malloc, 1, sizeof *o);
	if (o)
		o->context = context;
	return o;
}

void openings_free(struct openings *o)
{
	if (!o)
		return;
	for (int i = 0; i < o->count; i++) {
		book_release(&o->books[i].book);
		free(o->books[i].lines);
	}
	mem_free(&mem_malloc, o, sizeof *o);
}

/* The book for these rules. NULL: there is none, or *status is QV_NO_MEMORY. */
static struct opened_book *find_book(struct openings *o, const struct qv_rules *rules,
				     enum qv_status *status)
{
	for (int i = 0; i < o->count; i++)
		if (book_is_for(&o->books[i].book, rules))
			return &o->books[i];
	struct opened_book *next = &o->books[o->count];
	*status = o->count == BOOKS_MOST
			  ? QV_UNKNOWN
			  : book_open_own(o->context, rules, &next->book, NULL);
	o->count += *status == QV_OK;
	return *status == QV_OK ? next : NULL;
}

/* A named line of the book; `state` is for its positions. */
static json_t *book_line_json(const struct book *b, const struct book_item *item, void *state)
{
	const struct qv_game *g = b->rules.game;
	char position[QV_POSITION_TEXT] = "start";
	struct qv_text from = { position, sizeof position, 0 };
	json_t *moves = json_array(), *briefs = json_array();
	memcpy(state, book_state(b, item->from), g->state_size);
	if (memcmp(state, book_state(b, 0), g->state_size) != 0)
		g->position_text(state, &from);
	for (uint32_t i = 0; i < item->count; i++) {
		char move[QV_MOVE_TEXT] = "";
		struct qv_text out = { move, sizeof move, 0 };
		g->move_text(state, b->moves[item->first + i].move, &out);
		json_array_append_new(moves, json_string(move));
		if (move_short(g, state, b->moves[item->first + i].move, move))
			json_array_append_new(briefs, json_string(move));
		g->play(state, b->moves[item->first + i].move);
	}
	json_t *line =
		json_pack("{s:s, s:s, s:o, s:I, s:o, s:O*}", "name", book_text(b, item->name),
			  "position", position, "moves", moves, "weight", (json_int_t)item->weight,
			  "note", text_or_null(book_text(b, item->note)), "short",
			  json_array_size(briefs) ? briefs : NULL);
	json_decref(briefs);
	return line;
}

/* The named lines of the book in its order. NULL: out of memory. */
static json_t *openings_json(const struct qv_context *context, const struct book *b)
{
	const struct qv_game *game = b->rules.game;
	void *state = qv_state_new(context, game);
	if (!state)
		return NULL;
	json_t *lines = json_array();
	for (uint32_t i = 0; i < b->item_count; i++)
		if (b->items[i].kind == BOOK_LINE)
			json_array_append_new(lines, book_line_json(b, &b->items[i], state));
	qv_state_free(context, game, state);
	return json_pack("{s:s, s:s, s:o, s:o}", "game", game->name, "title",
			 book_text(b, b->title), "note", text_or_null(book_text(b, b->note)),
			 "lines", lines);
}

/* Collects the lines of the book that continue with a move of the position. */
struct passing_lines {
	const struct book *book;
	const void *state;
	qv_move move;
	json_t *lines;
};

/* For book_lines_through: keeps the lines that continue with the move or an equivalent one. */
static void pass(void *ctx, struct book_passing passing)
{
	const struct passing_lines *p = ctx;
	if (book_same_move(p->book, p->state, p->move, passing.move))
		json_array_append_new(p->lines, json_integer(passing.line));
}

/* A book move. next: room for a state; list: for the book moves of later positions. */
static json_t *book_move_json(const struct book *b, const void *state,
			      const struct book_option *option, uint64_t total, void *next,
			      struct book_option *list)
{
	const struct qv_game *g = b->rules.game;
	char text[QV_MOVE_TEXT] = "", other[QV_MOVE_TEXT];
	struct qv_text out = { text, sizeof text, 0 };
	struct passing_lines passing = { b, state, option->move, json_array() };
	qv_move moves[QV_MAX_MOVES];
	g->move_text(state, option->move, &out);
	memcpy(next, state, g->state_size);
	g->play(next, option->move);
	const double share = total ? (double)option->weight / (double)total : 0;
	json_t *name = text_or_null(book_name(b, next, NULL, NULL));
	/* The first name reached by following the heaviest moves; "": none. */
	const char *ahead = book_name(b, next, NULL, NULL);
	for (int ply = 0; ply < AHEAD_PLIES && !*ahead && book_options(b, next, list); ply++) {
		g->play(next, list[0].move);
		ahead = book_name(b, next, NULL, NULL);
	}
	book_lines_through(b, state, pass, &passing);
	/* The other moves that are equivalent to this one because the position is symmetric. */
	json_t *alike = json_array();
	const int count = g->symmetries > 1 ? g->moves(state, moves) : 0;
	for (int i = 0; i < count; i++) {
		struct qv_text other_out = { other, sizeof other, 0 };
		if (moves[i] == option->move || !book_same_move(b, state, option->move, moves[i]))
			continue;
		other[0] = '\0';
		g->move_text(state, moves[i], &other_out);
		json_array_append_new(alike, json_string(other));
	}
	json_t *json = json_pack(
		"{s:s, s:f, s:o, s:o, s:o, s:o, s:o, s:o}", "move", text, "share", share, "name",
		name, "towards", text_or_null(ahead), "note", text_or_null(option->note), "touches",
		touches_json(g, state, option->move), "alike", alike, "lines", passing.lines);
	return put_short(json, g, state, option->move);
}

/*
 * The book moves at the record's cursor and the name of the opening so far; JSON null: no book for
 * these rules; NULL: out of memory. The record is moved meanwhile but ends up where it was.
 */
static json_t *openings_at_json(struct openings *o, struct qv_record *record)
{
	const struct qv_rules *rules = qv_record_rules(record);
	const size_t room = (size_t)rules->game->max_moves;
	const char *note;
	bool known;
	enum qv_status status;
	const struct opened_book *opened = find_book(o, rules, &status);
	if (!opened)
		return status == QV_NO_MEMORY ? NULL : json_null();
	const struct book *b = &opened->book;
	/* Two arrays: for the moves here, and for those further on. */
	struct book_option *list = mem_new(&mem_malloc, 2 * room, sizeof *list);
	void *next = qv_state_new(o->context, rules->game);
	json_t *json = NULL;
	if (list && next) {
		json_t *moves = json_array();
		const void *state = qv_record_state(record);
		/* The name of the last named position up to the cursor. */
		const char *opening = book_name(b, state, NULL, NULL);
		int back = 0, undone;
		while (!*opening && qv_record_undo(record, 1, &undone) == QV_OK && undone == 1) {
			back++;
			opening = book_name(b, qv_record_state(record), NULL, NULL);
		}
		qv_record_redo(record, back, NULL);
		state = qv_record_state(record);
		json_t *name = text_or_null(book_name(b, state, &note, &known));
		const int count = book_options(b, state, list);
		uint64_t total = 0;
		for (int i = 0; i < count; i++)
			total += list[i].weight;
		for (int i = 0; i < count; i++)
			json_array_append_new(moves, book_move_json(b, state, &list[i], total, next,
								    list + room));
		json = json_pack("{s:b, s:o, s:o, s:o, s:o}", "known", (int)known, "opening",
				 text_or_null(opening), "name", name, "note", text_or_null(note),
				 "moves", moves);
	}
	mem_free(&mem_malloc, list, 2 * room * sizeof *list);
	qv_state_free(o->context, rules->game, next);
	return json;
}

/* The rules that the query's `game` names; `what` is the route. False: an error was sent. */
static bool query_rules(struct api *api, const struct api_request *r, const char *what,
			struct qv_rules *rules)
{
	char text[GAME_TEXT];
	struct qv_error error;
	if (!query_value(r->query, "game", text, sizeof text)) {
		reply_error(api, r->call, 400, "game: missing; use %s?game=NAME", what);
		return false;
	}
	const enum qv_status status = qv_rules_parse(api->setup.context, text, rules, &error);
	if (status != QV_OK)
		reply_error(api, r->call, status == QV_UNKNOWN ? 404 : 400, "%s", error.text);
	return status == QV_OK;
}

/* The game has none of them. */
static void reply_lacks(struct api *api, const struct api_request *r, const char *what,
			const char *lacks, const struct qv_rules *rules)
{
	reply_error(api, r->call, 404, "%s: %s has no %s", what, rules->game->name, lacks);
}

/* GET /api/v1/openings?game=NAME */
void get_openings(struct api *api, const struct api_request *r)
{
	struct qv_rules rules;
	enum qv_status status;
	if (!query_rules(api, r, "openings", &rules))
		return;
	struct opened_book *opened = find_book(api->openings, &rules, &status);
	if (opened && !opened->lines)
		opened->lines = json_to_text(openings_json(api->setup.context, &opened->book),
					     RESPONSE_JSON);
	if (opened || status == QV_NO_MEMORY)
		reply_kept(api, r->call, opened ? opened->lines : NULL);
	else
		reply_lacks(api, r, "openings", "opening book", &rules);
}

/* GET /api/v1/boards?game=NAME */
void get_board(struct api *api, const struct api_request *r)
{
	struct qv_rules rules;
	if (!query_rules(api, r, "boards", &rules))
		return;
	json_t *board = board_json(&rules);
	if (!json_is_null(board)) {
		reply_shared(api, r->call, board);
		return;
	}
	json_decref(board);
	reply_lacks(api, r, "board", "board description", &rules);
}

/* ---- Positions ---- */

/* The last move. Its text depends on the position before it, so it is taken back for a moment. */
static json_t *last_json(const struct qv_context *context, struct qv_record *record)
{
	const struct qv_rules *rules = qv_record_rules(record);
	const int ply = qv_record_ply(record);
	char text[QV_MOVE_TEXT] = "";
	struct qv_text out = { text, sizeof text, 0 };
	if (ply == 0)
		return json_null();
	const qv_move move = qv_record_move(record, ply - 1);
	void *scratch = qv_state_new(context, rules->game);
	json_t *touches = scratch ? last_touches_json(record, scratch) : NULL;
	qv_state_free(context, rules->game, scratch);
	if (qv_record_undo(record, 1, NULL) != QV_OK) {
		json_decref(touches);
		return json_null();
	}
	const void *state = qv_record_state(record);
	rules->game->move_text(state, move, &out);
	json_t *last =
		json_pack("{s:s, s:i, s:o}", "move", text, "seat", rules->game->seat(state) + 1,
			  "touches", touches);
	last = put_short(last, rules->game, state, move);
	qv_record_redo(record, 1, NULL);
	return last;
}

/* All moves that led here, in short notation. */
static json_t *line_json(const struct qv_context *context, const struct qv_record *record)
{
	const struct qv_game *game = qv_record_rules(record)->game;
	void *state = qv_state_new(context, game);
	if (!state)
		return NULL;
	json_t *line = json_array();
	tree_state_at(record, 0, state);
	for (int i = 0; i < qv_record_ply(record); i++) {
		char text[QV_MOVE_TEXT] = "";
		move_short(game, state, qv_record_move(record, i), text);
		json_array_append_new(line, json_string(text));
		game->play(state, qv_record_move(record, i));
	}
	qv_state_free(context, game, state);
	return line;
}

/*
 * POST /api/v1/positions: a position with its legal moves, and on request the book, the terms of
 * the evaluation and all positions before it.
 */
void post_position(struct api *api, const struct api_request *r)
{
	struct request_position at;
	int32_t points[QV_MAX_SEATS];
	char game[GAME_TEXT];
	struct qv_text text = { game, sizeof game, 0 };
	bool notions, book, course; /* request_position_open reads `course` too */
	if (!body_keys(api, r, "game position moves standing seat notions book course") ||
	    !body_boolean(api, r, "notions", &notions) || !body_boolean(api, r, "book", &book) ||
	    !body_boolean(api, r, "course", &course) || !request_position_open(api, r, &at))
		return;
	const void *state = qv_record_state(at.record);
	const enum qv_outcome outcome = qv_record_result(at.record, points);
	json_t *view = view_json(&at.rules, state);
	qv_rules_text(&at.rules, &text);
	if (view && !view_set_result(view, at.rules.game, outcome, points)) {
		json_decref(view);
		view = NULL;
	}
	view = json_field(view, "game", json_string(game));
	view = json_field(view, "last", last_json(api->setup.context, at.record));
	if (context_engine(at.rules.game)->short_text)
		view = json_field(view, "line", line_json(api->setup.context, at.record));
	if (course)
		view = json_field(view, "course", json_incref(at.move_list));
	if (book)
		view = json_field(view, "book", openings_at_json(api->openings, at.record));
	if (notions)
		view = json_field(
			view, "notions",
			terms_json(&at.rules, qv_record_state(at.record), TERM_CELL_NUMBERS));
	request_position_release(&at);
	reply(api, r->call, 200, view);
}
