/*
 * pgn_write.c - writes records as PGN, in export format.
 * SPDX-License-Identifier: MIT
 *
 * Words are written one after another, and lines break between them before column 80. A word is
 * held back until the next one comes, because brackets are attached to it.
 */
#include "formats/pgn.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "base/scan.h"
#include "core/context.h"
#include "formats/chess960.h"
#include "formats/record_times.h"

enum { LAST_COLUMN = 79, MOST_TAGS = RECORD_MAX_TAGS + 16 };

struct writing {
	const struct qv_record *record; /* a copy, with its cursor at the end of the main line */
	const struct qv_game *game;
	const struct pgn_style *style;
	bool *main_line; /* for each node */
	struct record_times times;
	struct string *out, word;
	size_t column;
	bool attach_next; /* the next word is attached to this one */
	int depth;
	struct qv_error *error;
};

/* ---- Words and lines ---- */

/* Writes the word that was held back, on a new line if it does not fit. */
static void flush_word(struct writing *w)
{
	if (!w->word.length)
		return;
	size_t width = 0; /* in characters of UTF-8 */
	for (const char *c = w->word.data; *c; c++)
		width += ((unsigned char)*c & 0xc0) != 0x80;
	if (w->column && w->column + 1 + width > LAST_COLUMN) {
		string_add(w->out, "\n", 1);
		w->column = 0;
	}
	/* A percent sign at the start of a line would make the line a comment. */
	if (w->column || w->word.data[0] == '%') {
		string_add(w->out, " ", 1);
		w->column++;
	}
	string_add(w->out, w->word.data, w->word.length);
	w->column += width;
	w->word.length = 0;
}

/* Begins a word. put_behind appends to it. */
static void put_word(struct writing *w, const char *text)
{
	if (!w->attach_next)
		flush_word(w);
	w->attach_next = false;
	string_add(&w->word, text, strlen(text));
}

/* Writes an opening bracket, to which the next word is attached. */
static void put_open(struct writing *w, const char *bracket)
{
	put_word(w, bracket);
	w->attach_next = true;
}

/* Appends to the word that is held back. */
static void put_behind(struct writing *w, const char *text)
{
	string_add(&w->word, text, strlen(text));
}

/* ---- Comments ---- */

static const char blanks[] = " \t\r\n\v\f";

/* Writes a comment word by word. It has no closing brace. */
static void put_text(struct writing *w, const char *text)
{
	char piece[256];
	for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
		size_t length = strcspn(text, blanks);
		bool first = true;
		while (length) {
			size_t part = length < sizeof piece ? length : sizeof piece - 1;
			while (part < length && ((unsigned char)text[part] & 0xc0) == 0x80)
				part--;
			memcpy(piece, text, part);
			piece[part] = '\0';
			if (first)
				put_word(w, piece);
			else
				put_behind(w, piece);
			first = false;
			text += part;
			length -= part;
		}
	}
}

/* Writes a comment as lines that begin with ';', the only kind of comment that can have a '}'. */
static void put_lines(struct writing *w, const char *text)
{
	bool is_open = false;
	flush_word(w);
	for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
		const size_t length = strcspn(text, blanks);
		size_t width = 0;
		for (size_t i = 0; i < length; i++)
			width += ((unsigned char)text[i] & 0xc0) != 0x80;
		if (!is_open || w->column + 1 + width > LAST_COLUMN) {
			string_add(w->out, w->column ? "\n;" : ";", w->column ? 2 : 1);
			w->column = 1;
			is_open = true;
		}
		string_add(w->out, " ", 1);
		string_add(w->out, text, length);
		w->column += 1 + width;
		text += length;
	}
	string_add(w->out, "\n", 1);
	w->column = 0;
}

/* Writes the glyphs at the start of a note; returns the rest of it. */
static const char *put_glyphs(struct writing *w, const char *note)
{
	while (*note == '$') {
		int value = 0, length = 1;
		for (; is_digit(note[length]) && length < 5; length++)
			value = 10 * value + note[length] - '0';
		if (length == 1 || value > 255 || (note[length] && note[length] != ' '))
			break;
		char glyph[16];
		snprintf(glyph, sizeof glyph, "$%d", value);
		put_word(w, glyph);
		note += length;
		note += strspn(note, " ");
	}
	return note;
}

struct time_text {
	char text[48];
};

/* "[%clk 1:02:03.5]", with milliseconds and no trailing zeros. */
static struct time_text time_text(const char *command, int64_t ms)
{
	struct time_text t;
	char part[8] = "";
	if (ms % 1000) {
		int length = snprintf(part, sizeof part, ".%03d", (int)(ms % 1000));
		while (part[length - 1] == '0')
			part[--length] = '\0';
	}
	snprintf(t.text, sizeof t.text, "[%%%s %lld:%02d:%02d%s]", command,
		 (long long)(ms / 3600000), (int)(ms / 60000 % 60), (int)(ms / 1000 % 60), part);
	return t;
}

/* Writes glyphs and comment of a node. True: there was a comment. */
static bool put_comment(struct writing *w, int32_t node)
{
	const char *note = w->record->nodes[node].note;
	const double seconds = w->times.seconds[node];
	note = note ? put_glyphs(w, note) : "";
	note += strspn(note, " ");
	const bool has_brace = strchr(note, '}') != NULL;
	if (has_brace)
		put_lines(w, note);
	if ((!*note || has_brace) && seconds < 0 && w->times.clocks[node] < 0)
		return has_brace;
	put_open(w, "{");
	if (!w->style->match && w->times.clocks[node] >= 0)
		put_word(w, time_text("clk", w->times.clocks[node]).text);
	if (!w->style->match && seconds >= 0)
		put_word(w, time_text("emt", (int64_t)llround(seconds * 1000)).text);
	if (!has_brace)
		put_text(w, note);
	if (w->style->match && seconds >= 0) {
		char text[40];
		snprintf(text, sizeof text, "%.3fs", seconds);
		put_word(w, text);
	}
	put_behind(w, "}");
	w->attach_next = false;
	return true;
}

/* ---- Moves ---- */

enum qv_status pgn_suits(const struct qv_game *game, struct qv_error *error)
{
	if (game->seats != 2 || game->chance || !game->alternates)
		return qv_fail(error, QV_UNSUPPORTED,
			       "%s: PGN is for games of two players who alternate, without dice",
			       game->name);
	return QV_OK;
}

void pgn_move_text(const struct qv_game *game, const void *state, qv_move move, struct qv_text *out)
{
	const struct engine *engine = context_engine(game);
	(engine->orthodox ? engine->short_text : game->move_text)(state, move, out);
}

/* The moves of the first player, White in chess, always have a number. */
static enum qv_status put_move(struct writing *w, const void *state, qv_move move, int number,
			       bool with_number)
{
	char word[QV_MOVE_TEXT] = "", numeral[24];
	struct qv_text text = { word, sizeof word, 0 };
	const int seat = w->game->seat(state);
	pgn_move_text(w->game, state, move, &text);
	if (strpbrk(word, " \t\r\n{}();[]$<>"))
		return qv_fail(w->error, QV_UNSUPPORTED, "PGN: cannot represent the move '%.40s'",
			       word);
	snprintf(numeral, sizeof numeral, "%d%s", number, seat == 0 ? "." : "...");
	if (seat == 0 || with_number)
		put_word(w, numeral);
	put_word(w, word);
	return QV_OK;
}

/* The child on the main line; elsewhere the first one. NODE_NONE: a leaf, or the game has ended here. */
static int32_t main_child(const struct writing *w, int32_t node)
{
	const struct node *nodes = w->record->nodes;
	for (int32_t child = nodes[node].first; child != NODE_NONE; child = nodes[child].next)
		if (w->main_line[child])
			return child;
	return node && w->main_line[node] ? NODE_NONE : nodes[node].first;
}

static enum qv_status put_line(struct writing *w, int32_t node, int32_t child, void *state,
			       int number);

/*
 * Writes a line as a variation, with its own copy of the state. If `repeat`, the move to `node` is
 * written before it.
 */
static enum qv_status put_variation(struct writing *w, int32_t node, int32_t child, bool repeat,
				    const void *state, int number)
{
	const size_t size = w->game->state_size;
	const qv_move move = w->record->nodes[node].move;
	enum qv_status status = QV_OK;
	if (w->depth == PGN_MAX_DEPTH)
		return qv_fail(w->error, QV_UNSUPPORTED, "PGN: more than %d nested variations",
			       PGN_MAX_DEPTH);
	void *copy = mem_new(w->word.allocator, 1, size);
	if (!copy)
		return qv_fail(w->error, QV_NO_MEMORY, "PGN: out of memory");
	memcpy(copy, state, size);
	put_open(w, "(");
	if (repeat) {
		status = put_move(w, copy, move, number, true);
		number += w->game->seat(copy) == 1;
		w->game->play(copy, move);
	}
	w->depth++;
	if (status == QV_OK)
		status = put_line(w, node, child, copy, number);
	w->depth--;
	put_behind(w, ")");
	mem_free(w->word.allocator, copy, size);
	return status;
}

/*
 * Writes what else could have been played instead of a move as variations; and, if the game has ended
 * with it, what could have followed, as variations that begin with the same move.
 */
static enum qv_status put_variations(struct writing *w, int32_t node, int32_t child,
				     const void *state, int number, bool *any)
{
	const struct node *nodes = w->record->nodes;
	enum qv_status status = QV_OK;
	int32_t next = nodes[node].first;
	for (; next != NODE_NONE && status == QV_OK; next = nodes[next].next)
		if (next != child) {
			status = put_variation(w, node, next, false, state, number);
			*any = true;
		}
	next = main_child(w, child) == NODE_NONE ? nodes[child].first : NODE_NONE;
	for (; next != NODE_NONE && status == QV_OK; next = nodes[next].next) {
		status = put_variation(w, child, next, true, state, number);
		*any = true;
	}
	return status;
}

/*
 * Writes the line that begins with `child`, and the variations that branch off it. Black's moves
 * get a number only at the start and after a comment or a variation.
 */
static enum qv_status put_line(struct writing *w, int32_t node, int32_t child, void *state,
			       int number)
{
	bool with_number = true, first = w->depth > 0; /* of a variation */
	enum qv_status status = QV_OK;
	while (child != NODE_NONE && status == QV_OK) {
		const qv_move move = w->record->nodes[child].move;
		const int seat = w->game->seat(state);
		status = put_move(w, state, move, number, with_number);
		if (status != QV_OK)
			break;
		with_number = put_comment(w, child);
		/* The siblings of a variation's first move are written where it branches off. */
		if (!first)
			status = put_variations(w, node, child, state, number, &with_number);
		first = false;
		w->game->play(state, move);
		number += seat == 1;
		node = child;
		child = main_child(w, node);
	}
	return status;
}

/* ---- Tags ---- */

#define TAG_NAME "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

struct tag_list {
	struct record_tag tags[MOST_TAGS];
	int count;
};

/* Adds a tag, or replaces the value of the one with that name. */
static void set_tag(struct tag_list *l, const char *name, const char *value)
{
	int i = 0;
	while (i < l->count && strcmp(l->tags[i].name, name) != 0)
		i++;
	if (i == MOST_TAGS)
		return;
	l->tags[i] = (struct record_tag){ name, value };
	l->count += i == l->count;
}

/* The order of tags: the seven of the roster first, then the others by name. */
static int roster_place(const char *name)
{
	static const char *const roster[] = { "Event", "Site",	"Date",	 "Round",
					      "White", "Black", "Result" };
	int i = 0;
	while (i < 7 && strcmp(roster[i], name) != 0)
		i++;
	return i;
}

/* For qsort. Sorted tags make the output independent of the order in the record. */
static int tag_order(const void *a, const void *b)
{
	const struct record_tag *one = a, *other = b;
	const int place = roster_place(one->name) - roster_place(other->name);
	return place ? place : strcmp(one->name, other->name);
}

/* The result as the tag and the end of the game have it; "*": it goes on. */
static const char *result_text(const struct qv_record *r)
{
	const int winner = qv_record_winner(r);
	if (winner == QV_UNDECIDED)
		return "*";
	return winner == 0 ? "1-0" : winner == 1 ? "0-1" : "1/2-1/2";
}

/* Later tags replace earlier ones: defaults, the record's, the caller's, then those of the game. */
static void put_tags(struct writing *w, const json_t *header, const void *start)
{
	struct tag_list l = { .count = 0 };
	char rules[QV_POSITION_TEXT] = "", fen[QV_POSITION_TEXT] = "", plies[16];
	struct qv_text text = { rules, sizeof rules, 0 };
	const json_t *seats = json_object_get(header, "seats");
	const char *const *players = w->style->players;
	const char *names[2];
	for (int seat = 0; seat < 2; seat++)
		names[seat] = players[seat]
				      ? players[seat]
				      : json_string_value(json_array_get(seats, (size_t)seat));
	const char *pdn = context_engine(w->game)->pdn_type;
	const char *white = names[pdn != NULL], *black = names[!pdn];
	const char *position = json_string_value(json_object_get(header, "position"));
	static const char *const unknown[] = { "Event", "Site", "Round" };
	const char *name;
	json_t *value;
	for (int i = 0; i < 3; i++)
		set_tag(&l, unknown[i], "?");
	set_tag(&l, "Date", "????.??.??");
	json_object_foreach(json_object_get(header, "tags"), name, value)
		set_tag(&l, name, json_string_value(value));
	for (int i = 0; i < w->style->tag_count; i++)
		set_tag(&l, w->style->tags[i].name, w->style->tags[i].value);
	set_tag(&l, "White", white && *white ? white : "?");
	set_tag(&l, "Black", black && *black ? black : "?");
	set_tag(&l, "Result", result_text(w->record));
	qv_rules_text(&w->record->rules, &text);
	if (pdn)
		set_tag(&l, "GameType", pdn);
	else if (!context_engine(w->game)->orthodox)
		set_tag(&l, "Variant", rules);
	/* Other programs cannot know the start of Chess960 without its FEN. */
	const bool is_960 = rules_are_960(&w->record->rules);
	if (is_960)
		set_tag(&l, "Variant", "Chess960");
	if (is_960 && (!position || strcmp(position, "start") == 0)) {
		w->game->position_text(start, &(struct qv_text){ fen, sizeof fen, 0 });
		position = fen;
	}
	if (position && strcmp(position, "start") != 0) {
		set_tag(&l, "SetUp", "1");
		set_tag(&l, "FEN", position);
	}
	snprintf(plies, sizeof plies, "%d", qv_record_ply(w->record));
	for (int i = 0; i < l.count; i++)
		if (strcmp(l.tags[i].name, "PlyCount") == 0)
			l.tags[i].value = plies;
	qsort(l.tags, (size_t)l.count, sizeof *l.tags, tag_order);
	for (const struct record_tag *t = l.tags; t < l.tags + l.count; t++) {
		/* Other programs cannot read a name with other characters. */
		if (!*t->name || t->name[strspn(t->name, TAG_NAME)])
			continue;
		string_addf(w->out, "[%s \"", t->name);
		for (const char *c = t->value; *c; c++) {
			if (*c == '"' || *c == '\\')
				string_add(w->out, "\\", 1);
			string_add(w->out, (unsigned char)*c < ' ' ? " " : c, 1);
		}
		string_addf(w->out, "\"]\n");
	}
}

/* ---- The game ---- */

/* Writes the tags, the moves and the result. */
static enum qv_status put_game(struct writing *w, const json_t *header)
{
	const struct qv_record *r = w->record;
	void *state = mem_new(w->word.allocator, 1, w->game->state_size);
	if (!state)
		return qv_fail(w->error, QV_NO_MEMORY, "PGN: out of memory");
	tree_state_at(r, 0, state);
	for (int i = 0; i <= r->ply; i++)
		w->main_line[r->line[i].node] = true;
	put_tags(w, header, state);
	string_add(w->out, "\n", 1);
	put_comment(w, 0);
	/* The number of the first move is the last word of a position of chess, the first of minichess. */
	const char *position = json_string_value(json_object_get(header, "position"));
	const char *last = position ? strrchr(position, ' ') : NULL;
	const size_t digits = position ? strspn(position, "0123456789") : 0;
	int64_t number = 1;
	if (context_engine(w->game)->orthodox && last)
		text_to_int(last + 1, 1, 1000000, &number);
	else if (digits > 0 && digits < 7 && position[digits] == ' ')
		number = strtol(position, NULL, 10);
	const enum qv_status status = put_line(w, 0, main_child(w, 0), state, (int)number);
	if (w->style->last_comment && strchr(w->style->last_comment, '}')) {
		put_lines(w, w->style->last_comment);
	} else if (w->style->last_comment && *w->style->last_comment) {
		put_open(w, "{");
		put_text(w, w->style->last_comment);
		put_behind(w, "}");
	}
	put_word(w, result_text(r));
	flush_word(w);
	string_add(w->out, "\n\n", 2);
	mem_free(w->word.allocator, state, w->game->state_size);
	return status;
}

enum qv_status pgn_write(const struct qv_context *context, const struct qv_record *record,
			 const struct pgn_style *style, struct string *out, struct qv_error *error)
{
	static const struct pgn_style plain = { 0 };
	const struct qv_allocator *a = context_allocator(context);
	const size_t n = record->node_count;
	struct writing w = { .game = record->rules.game,
			     .style = style ? style : &plain,
			     .out = out,
			     .word = { .allocator = a },
			     .error = error };
	enum qv_status status = pgn_suits(w.game, error);
	if (status != QV_OK)
		return status;
	w.main_line = mem_new(a, n, sizeof *w.main_line);
	status = w.main_line ? record_times_read(&w.times, context, record, error)
			     : qv_fail(error, QV_NO_MEMORY, "PGN: out of memory");
	w.record = w.times.copy;
	if (status == QV_OK)
		status = put_game(&w, w.times.header);
	if (status == QV_OK && (out->failed || w.word.failed))
		status = qv_fail(error, QV_NO_MEMORY, "PGN: out of memory");
	record_times_release(&w.times);
	mem_free(a, w.main_line, n * sizeof *w.main_line);
	string_release(&w.word);
	return status;
}

enum qv_status pdn_write(const struct qv_context *context, const struct qv_record *record,
			 const struct pgn_style *style, struct string *out, struct qv_error *error)
{
	const struct qv_game *game = record->rules.game;
	if (!context_engine(game)->pdn_type)
		return qv_fail(error, QV_UNSUPPORTED, "PDN is for games of draughts, not for %s",
			       game->name);
	return pgn_write(context, record, style, out, error);
}
