/*
 * openings.c - the built-in opening books as JSON for the page.
 * SPDX-License-Identifier: MIT
 *
 * A book is parsed when it is first needed and kept for as long as the server runs: there is one
 * per game. Moves of a position are found by its hash, under all symmetries of the board.
 */
#include "server/api/openings.h"

#include "base/memory.h"
#include "formats/board_json.h"

enum { BOOKS_MOST = 32 }; /* one per game; further games have none */

struct openings {
	const struct qv_context *context;
	struct book books[BOOKS_MOST];
	int count;
};

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
	for (int i = 0; i < o->count; i++)
		book_release(&o->books[i]);
	mem_free(&mem_malloc, o, sizeof *o);
}

bool openings_has(const struct qv_game *game)
{
	size_t size;
	return book_own(game, &size) != NULL;
}

/* The book for these rules. QV_UNKNOWN: no book. */
static enum qv_status find_book(struct openings *o, const struct qv_rules *rules,
				const struct book **out)
{
	size_t size;
	for (int i = 0; i < o->count; i++)
		if (o->books[i].rules.game == rules->game) {
			*out = &o->books[i];
			return book_is_for(*out, rules) ? QV_OK : QV_UNKNOWN;
		}
	const char *text = book_own(rules->game, &size);
	if (!text || o->count == BOOKS_MOST)
		return QV_UNKNOWN;
	const enum qv_status status =
		book_read(o->context, text, size, NULL, &o->books[o->count], NULL);
	if (status != QV_OK)
		return status == QV_NO_MEMORY ? QV_NO_MEMORY : QV_UNKNOWN;
	*out = &o->books[o->count++];
	return book_is_for(*out, rules) ? QV_OK : QV_UNKNOWN;
}

static json_t *text_or_null(const char *text)
{
	return *text ? json_string(text) : json_null();
}

/* ---- Lines ---- */

static json_t *line_json(const struct book *b, const struct book_item *item, void *state)
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
		json_pack("{s:s, s:s, s:o, s:I, s:o}", "name", book_text(b, item->name), "position",
			  position, "moves", moves, "weight", (json_int_t)item->weight, "note",
			  text_or_null(book_text(b, item->note)));
	if (json_array_size(briefs))
		json_object_set(line, "short", briefs);
	json_decref(briefs);
	return line;
}

json_t *openings_json(struct openings *o, const struct qv_rules *rules)
{
	const struct book *b;
	const enum qv_status status = find_book(o, rules, &b);
	void *state = status == QV_OK ? qv_state_new(o->context, rules->game) : NULL;
	if (!state)
		return status == QV_UNKNOWN ? json_null() : NULL;
	json_t *lines = json_array();
	for (uint32_t i = 0; i < b->item_count; i++)
		if (b->items[i].kind == BOOK_LINE)
			json_array_append_new(lines, line_json(b, &b->items[i], state));
	qv_state_free(o->context, rules->game, state);
	return json_pack("{s:s, s:s, s:o, s:o}", "game", rules->game->name, "title",
			 book_text(b, b->title), "note", text_or_null(book_text(b, b->note)),
			 "lines", lines);
}

/* ---- A position ---- */

/* The first name reached by following the heaviest moves, which are played on the state; or "". */
static const char *name_ahead(const struct book *b, void *state, struct book_option *list)
{
	enum { MOST = 16 };
	const char *name = book_name(b, state, NULL, NULL);
	for (int ply = 0; ply < MOST && !*name && book_options(b, state, list); ply++) {
		b->rules.game->play(state, list[0].move);
		name = book_name(b, state, NULL, NULL);
	}
	return name;
}

/* The other moves that are equivalent to this one because the position is symmetric. */
static json_t *alike_json(const struct book *b, const void *state, qv_move move, qv_move *list)
{
	const struct qv_game *g = b->rules.game;
	json_t *alike = json_array();
	const int n = g->symmetries > 1 ? g->moves(state, list) : 0;
	for (int i = 0; i < n; i++) {
		char text[QV_MOVE_TEXT] = "";
		struct qv_text out = { text, sizeof text, 0 };
		if (list[i] == move || !book_same_move(b, state, move, list[i]))
			continue;
		g->move_text(state, list[i], &out);
		json_array_append_new(alike, json_string(text));
	}
	return alike;
}

/* Collects the lines of the book that continue with a move of the position. */
struct passing_lines {
	const struct book *book;
	const void *state;
	qv_move move;
	json_t *lines;
};

static void pass(void *ctx, struct book_passing passing)
{
	const struct passing_lines *p = ctx;
	if (book_same_move(p->book, p->state, p->move, passing.move))
		json_array_append_new(p->lines, json_integer(passing.line));
}

static json_t *lines_json(const struct book *b, const void *state, qv_move move)
{
	struct passing_lines p = { b, state, move, json_array() };
	book_lines_through(b, state, pass, &p);
	return p.lines;
}

static json_t *option_json(const struct book *b, const void *state,
			   const struct book_option *option, uint64_t total, void *next,
			   struct book_option *list)
{
	const struct qv_game *g = b->rules.game;
	char move[QV_MOVE_TEXT] = "";
	struct qv_text out = { move, sizeof move, 0 };
	qv_move moves[QV_MAX_MOVES];
	g->move_text(state, option->move, &out);
	memcpy(next, state, g->state_size);
	g->play(next, option->move);
	const double share = total ? (double)option->weight / (double)total : 0;
	json_t *name = text_or_null(book_name(b, next, NULL, NULL));
	json_t *towards = text_or_null(name_ahead(b, next, list));
	json_t *json =
		json_pack("{s:s, s:f, s:o, s:o, s:o, s:o, s:o, s:o}", "move", move, "share", share,
			  "name", name, "towards", towards, "note", text_or_null(option->note),
			  "touches", touches_json(g, state, option->move), "alike",
			  alike_json(b, state, option->move, moves), "lines",
			  lines_json(b, state, option->move));
	return put_short(json, g, state, option->move);
}

/* list: two arrays of max_moves, for the moves here and for those further on. */
static json_t *options_json(const struct book *b, const void *state, struct book_option *list,
			    void *next)
{
	const int room = b->rules.game->max_moves;
	json_t *moves = json_array();
	const int n = book_options(b, state, list);
	uint64_t total = 0;
	for (int i = 0; i < n; i++)
		total += list[i].weight;
	for (int i = 0; i < n; i++)
		json_array_append_new(moves,
				      option_json(b, state, &list[i], total, next, list + room));
	return moves;
}

/* The name of the last named position up to the cursor; the cursor is back where it was. */
static const char *last_name(const struct book *b, struct qv_record *record)
{
	const char *name = book_name(b, qv_record_state(record), NULL, NULL);
	int back = 0, done;
	while (!*name && qv_record_undo(record, 1, &done) == QV_OK && done == 1) {
		back++;
		name = book_name(b, qv_record_state(record), NULL, NULL);
	}
	qv_record_redo(record, back, NULL);
	return name;
}

json_t *openings_at_json(struct openings *o, struct qv_record *record)
{
	const struct qv_rules *rules = qv_record_rules(record);
	const size_t room = 2 * (size_t)rules->game->max_moves;
	const struct book *b;
	const char *note;
	bool known;
	const enum qv_status status = find_book(o, rules, &b);
	if (status != QV_OK)
		return status == QV_UNKNOWN ? json_null() : NULL;
	struct book_option *list = mem_new(&mem_malloc, room, sizeof *list);
	void *next = qv_state_new(o->context, rules->game);
	json_t *json = NULL;
	if (list && next) {
		json_t *opening = text_or_null(last_name(b, record));
		const void *state = qv_record_state(record);
		json_t *name = text_or_null(book_name(b, state, &note, &known));
		json = json_pack("{s:b, s:o, s:o, s:o, s:o}", "known", (int)known, "opening",
				 opening, "name", name, "note", text_or_null(note), "moves",
				 options_json(b, state, list, next));
	}
	mem_free(&mem_malloc, list, room * sizeof *list);
	qv_state_free(o->context, rules->game, next);
	return json;
}
