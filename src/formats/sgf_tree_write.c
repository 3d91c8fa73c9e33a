/*
 * sgf_tree_write.c - writes records as SGF (reversi, go-moku, nine men's morris) and as GGF.
 * SPDX-License-Identifier: MIT
 *
 * A note stays as it is in the comment, but for the glyphs at its start that SGF has properties for.
 * GGF has no comments: of a note it keeps the evaluation.
 */
#include <stdlib.h>

#include "base/scan.h"
#include "core/context.h"
#include "formats/record_times.h"
#include "formats/sgf_tree.h"

struct sgf_writing {
	const struct sgf_kind *kind;
	struct record_times times;
	const struct qv_record *record; /* the copy in `times` */
	const struct qv_game *game;
	bool *main_line; /* for each node */
	int size, depth;
	bool ggf;
	struct string *out;
	struct qv_error *error;
};

static void put_escaped(struct string *out, const char *text)
{
	for (; *text; text++) {
		if (*text == ']' || *text == '\\')
			string_add(out, "\\", 1);
		string_add(out, text, 1);
	}
}

static void put_property(struct string *out, const char *key, const char *text)
{
	string_addf(out, "%s[", key);
	put_escaped(out, text);
	string_add(out, "]", 1);
}

/* ---- The root ---- */

/* The discs by which a game that the rules have not ended was won: WTHOR's score, or all. */
static int declared_discs(const struct sgf_writing *w)
{
	const json_t *tags = json_object_get(w->times.header, "tags");
	const char *black = json_string_value(json_object_get(tags, "BlackScore"));
	int64_t discs;
	return black && text_to_int(black, 0, 64, &discs) ? abs((int)(2 * discs) - 64) : 64;
}

/* "B+", "W+Resign", "0"; GGF: "+1.000" for the first player. */
static void put_result(struct sgf_writing *w)
{
	const struct qv_record *r = w->record;
	const int winner = qv_record_winner(r), colour = winner ^ (int)w->kind->white_first;
	int32_t points[QV_MAX_SEATS] = { 0 };
	char text[32] = "";
	if (winner == QV_UNDECIDED)
		return;
	json_t *line = r->ended ? json_loads(tree_cursor(r)->end, 0, NULL) : NULL;
	const char *why = json_string_value(json_object_get(line, "reason"));
	const int flag = why ? scan_choice("resignation|time", why) : -1;
	qv_record_result(r, points);
	if (w->ggf)
		snprintf(text, sizeof text, "%s%d.000%s", winner == 1 ? "-" : "+",
			 winner < 0  ? 0
			 : r->ended  ? declared_discs(w)
				     : abs(points[0] - points[1]),
			 flag == 0 ? ":r" : flag == 1 ? ":t" : "");
	else
		snprintf(text, sizeof text, "%s%s", winner < 0 ? "0" : colour ? "W+" : "B+",
			 winner < 0 ? "" : flag == 0 ? "Resign" : flag == 1 ? "Time" : "");
	put_property(w->out, "RE", text);
	json_decref(line);
}

/* The names and facts of the header. Dates are written with hyphens in SGF. */
static void put_facts(struct sgf_writing *w)
{
	const json_t *seats = json_object_get(w->times.header, "seats");
	const json_t *tags = json_object_get(w->times.header, "tags");
	for (int colour = 0; colour < 2; colour++) {
		const char *name = json_string_value(
			json_array_get(seats, (size_t)(colour ^ (int)w->kind->white_first)));
		if (name && strcmp(name, "?") != 0)
			put_property(w->out, colour ? "PW" : "PB", name);
	}
	for (int i = 0; i < sgf_fact_count; i++) {
		const struct sgf_fact *fact = &sgf_facts[i];
		const char *value = json_string_value(json_object_get(tags, fact->tag));
		char date[SGF_TEXT];
		if (!value || !*value || !(w->ggf ? fact->ggf : fact->sgf))
			continue;
		if (!w->ggf && strcmp(fact->property, "DT") == 0 && strlen(value) < sizeof date &&
		    !value[strspn(value, "0123456789.")]) {
			memcpy(date, value, strlen(value) + 1);
			for (char *c = date; (c = strchr(c, '.'));)
				*c = '-';
			value = date;
		}
		put_property(w->out, fact->property, value);
	}
}

/* The place of the point with this name, such as a1; -1: no point has it. */
static int place_of(const struct sgf_writing *w, const char *name)
{
	const char *at = name + 1;
	int64_t row;
	if (name[0] < 'a' || name[0] >= 'a' + w->size || !scan_int(&at, 1, w->size, &row) || *at)
		return -1;
	return (int)(w->kind->from_top ? row - 1 : w->size - row) * w->size + name[0] - 'a';
}

static void put_point(const struct sgf_writing *w, int place)
{
	const char point[2] = { (char)('a' + place % w->size), (char)('a' + place / w->size) };
	string_add(w->out, point, sizeof point);
}

/* A start position other than the usual one, from the text of the position. */
static enum qv_status put_start(struct sgf_writing *w)
{
	const char *position =
		json_string_value(json_object_get(w->times.header, "position"));
	const bool usual = !position || strcmp(position, "start") == 0;
	if (w->ggf && usual)
		position = "---------------------------OX------XO--------------------------- X";
	if (usual && !w->ggf)
		return QV_OK;
	if (!w->kind->points)
		return qv_fail(w->error, QV_UNSUPPORTED, "SGF: cannot represent the start position");
	const char *turn = strchr(position, ' ');
	if (w->ggf) {
		string_addf(w->out, "BO[%d ", w->size);
		for (; *position && *position != ' '; position++)
			string_add(w->out, *position == 'X' ? "*" : position, 1);
		string_addf(w->out, " %s]", turn && turn[1] == 'O' ? "O" : "*");
		return QV_OK;
	}
	for (int colour = 0; colour < 2; colour++) {
		int place = 0, run = 0;
		bool any = false;
		for (const char *c = position; *c && *c != ' '; c++) {
			if (is_digit(*c)) {
				run = 10 * run + *c - '0';
				continue;
			}
			place += run;
			run = 0;
			if (to_lower(*c) == (colour ? 'o' : 'x')) {
				string_addf(w->out, "%s[", any ? "" : colour ? "AW" : "AB");
				put_point(w, place);
				string_add(w->out, "]", 1);
				any = true;
			}
			place += *c != '/';
		}
	}
	string_addf(w->out, "PL[%s]", turn && to_lower(turn[1]) == 'o' ? "W" : "B");
	return QV_OK;
}

/* ---- Nodes ---- */

/* Glyphs that SGF has properties for, then the comment. */
static void put_note(struct sgf_writing *w, int32_t node)
{
	static const char *const glyphs[] = { "",	"TE[1]", "BM[1]", "TE[2]",
					      "BM[2]", "IT[]",	 "DO[]" };
	const char *note = w->record->nodes[node].note;
	if (!note)
		return;
	while (note[0] == '$' && note[1] >= '1' && note[1] <= '6' && (!note[2] || note[2] == ' ')) {
		string_addf(w->out, "%s", glyphs[note[1] - '0']);
		note += note[2] ? 3 : 2;
	}
	if (*note)
		put_property(w->out, "C", note);
}

/* GGF: the evaluation of the note and the time, "d3/1.50/0.01". */
static void put_details(struct sgf_writing *w, int32_t node)
{
	const char *note = w->record->nodes[node].note;
	const char *from = note ? strstr(note, "[%eval ") : NULL;
	const double seconds = w->times.seconds[node];
	size_t length = from ? strspn(from + 7, "+-.0123456789") : 0;
	length = length && from[7 + length] == ']' ? length : 0;
	if (length || seconds >= 0)
		string_add(w->out, "/", 1);
	if (length)
		string_add(w->out, from + 7, length);
	if (seconds >= 0)
		string_addf(w->out, "/%.2f", seconds);
}

/* The move that leads to a node, from the state before it. */
static void put_move(struct sgf_writing *w, int32_t node, const void *state)
{
	const int colour = w->game->seat(state) ^ (int)w->kind->white_first;
	char word[QV_MOVE_TEXT] = "";
	struct qv_text text = { word, sizeof word, 0 };
	w->game->move_text(state, w->record->nodes[node].move, &text);
	const int place = w->kind->points ? place_of(w, word) : -1;
	string_addf(w->out, "%s%s[", w->ggf ? "" : ";", colour ? "W" : "B");
	if (w->ggf)
		string_addf(w->out, "%s", strcmp(word, "pass") == 0 ? "PA" : word);
	else if (place >= 0)
		put_point(w, place);
	else if (strcmp(word, "pass") != 0)
		put_escaped(w->out, word);
	if (w->ggf)
		put_details(w, node);
	string_add(w->out, "]", 1);
	if (!w->ggf)
		put_note(w, node);
}

/* ---- The tree ---- */

/* The child on the main line; elsewhere the first one. NODE_NONE: a leaf. */
static int32_t main_child(const struct sgf_writing *w, int32_t node)
{
	const struct node *nodes = w->record->nodes;
	for (int32_t child = nodes[node].first; child != NODE_NONE; child = nodes[child].next)
		if (w->main_line[child])
			return child;
	return nodes[node].first;
}

static enum qv_status put_line(struct sgf_writing *w, int32_t node, void *state);

/* Writes a move and what follows it as a tree of its own. */
static enum qv_status put_tree(struct sgf_writing *w, int32_t child, const void *state)
{
	const size_t size = w->game->state_size;
	void *copy = w->depth < SGF_MAX_DEPTH ? mem_new(w->record->allocator, 1, size) : NULL;
	if (!copy)
		return w->depth < SGF_MAX_DEPTH
			       ? qv_fail(w->error, QV_NO_MEMORY, "SGF: out of memory")
			       : qv_fail(w->error, QV_UNSUPPORTED,
					 "SGF: more than %d nested variations", SGF_MAX_DEPTH);
	memcpy(copy, state, size);
	string_addf(w->out, "\n(");
	w->depth++;
	put_move(w, child, copy);
	w->game->play(copy, w->record->nodes[child].move);
	const enum qv_status status = put_line(w, child, copy);
	w->depth--;
	string_addf(w->out, ")");
	mem_free(w->record->allocator, copy, size);
	return status;
}

/* Writes what follows a node: moves, until they branch into trees. */
static enum qv_status put_line(struct sgf_writing *w, int32_t node, void *state)
{
	const struct node *nodes = w->record->nodes;
	int32_t child = main_child(w, node);
	for (int column = 0; child != NODE_NONE && (w->ggf || nodes[node].first == nodes[node].last);
	     child = main_child(w, node), column++) {
		if (column && column % 10 == 0)
			string_add(w->out, "\n", 1);
		put_move(w, child, state);
		w->game->play(state, nodes[child].move);
		node = child;
	}
	if (child == NODE_NONE)
		return QV_OK;
	enum qv_status status = put_tree(w, child, state);
	for (int32_t other = nodes[node].first; other != NODE_NONE && status == QV_OK;
	     other = nodes[other].next)
		if (other != child)
			status = put_tree(w, other, state);
	return status;
}

/* ---- Files ---- */

static enum qv_status put_game(struct sgf_writing *w)
{
	const struct qv_record *r = w->record;
	void *state = mem_new(r->allocator, 1, w->game->state_size);
	if (!state)
		return qv_fail(w->error, QV_NO_MEMORY, "SGF: out of memory");
	tree_state_at(r, 0, state);
	for (int i = 0; i <= r->ply; i++)
		w->main_line[r->line[i].node] = true;
	if (w->ggf)
		string_addf(w->out, "(;GM[Othello]");
	else
		string_addf(w->out, "(;FF[4]GM[%s]CA[UTF-8]AP[Quevedo:" QV_VERSION "]SZ[%d]",
			    w->kind->number, w->size);
	char rules[QV_POSITION_TEXT] = "";
	struct qv_text text = { rules, sizeof rules, 0 };
	qv_rules_text(&r->rules, &text);
	if (strstr(rules, "rule=renju") || strstr(rules, "rule=exact"))
		put_property(w->out, "RU", strstr(rules, "rule=renju") ? "renju" : "exact");
	put_facts(w);
	put_result(w);
	enum qv_status status = put_start(w);
	if (!w->ggf)
		put_note(w, 0);
	if (status == QV_OK)
		status = put_line(w, 0, state);
	string_addf(w->out, w->ggf ? ";)\n" : ")\n");
	mem_free(r->allocator, state, w->game->state_size);
	return status;
}

static enum qv_status write_game(const struct qv_context *context, const struct qv_record *record,
				 bool ggf, struct string *out, struct qv_error *error)
{
	const struct qv_game *game = record->rules.game;
	const struct qv_allocator *a = context_allocator(context);
	struct sgf_writing w = { .game = game,
				 .kind = sgf_kind_of(NULL, game->name),
				 .ggf = ggf,
				 .out = out,
				 .error = error };
	char rules[QV_POSITION_TEXT] = "";
	struct qv_text text = { rules, sizeof rules, 0 };
	qv_rules_text(&record->rules, &text);
	if (!w.kind || (ggf && !w.kind->from_top) || strstr(rules, "swap2"))
		return qv_fail(error, QV_UNSUPPORTED,
			       ggf ? "GGF is for games of reversi, not for %s"
				   : "SGF is for backgammon, reversi, go-moku without swap2 and "
				     "nine men's morris, not for %s",
			       rules);
	w.size = sgf_board_size(record, w.kind);
	w.main_line = mem_new(a, record->node_count, sizeof *w.main_line);
	enum qv_status status = w.main_line
					? record_times_read(&w.times, context, record, error)
					: qv_fail(error, QV_NO_MEMORY, "SGF: out of memory");
	w.record = w.times.copy;
	if (status == QV_OK)
		status = put_game(&w);
	if (status == QV_OK && out->failed)
		status = qv_fail(error, QV_NO_MEMORY, "SGF: out of memory");
	record_times_release(&w.times);
	mem_free(a, w.main_line, record->node_count * sizeof *w.main_line);
	return status;
}

enum qv_status sgf_tree_write(const struct qv_context *context, const struct qv_record *record,
			      struct string *out, struct qv_error *error)
{
	return write_game(context, record, false, out, error);
}

enum qv_status ggf_write(const struct qv_context *context, const struct qv_record *record,
			 struct string *out, struct qv_error *error)
{
	return write_game(context, record, true, out, error);
}
