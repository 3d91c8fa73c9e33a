/*
 * sgf_tree.c - reads games from SGF and GGF files into records.
 * SPDX-License-Identifier: MIT
 *
 * The properties of a node come in any order, so they are collected and take effect at its end. In
 * GGF all moves are in one node: there a move takes effect when the next one begins. The properties
 * of the root, up to the first move, make the record.
 */
#include "formats/sgf_tree.h"

#include <stdlib.h>

#include "base/scan.h"
#include "core/context.h"

enum { KEY_MOST = 4, CELLS = SGF_MAX_BOARD * SGF_MAX_BOARD, FACTS = 16 };

/* What a node has. */
struct sgf_node {
	int colour; /* of the move: 0 Black, 1 White, -1 none */
	char move[SGF_TEXT];
	double seconds;
	int64_t clock_ms[2]; /* -1: unknown */
	struct string glyphs, arrows, circles, comment;
};

struct sgf_game {
	struct qv_record *record; /* NULL: still in the root */
	const struct sgf_kind *kind;
	int size;
	bool ggf, set_up;
	char cells[CELLS + 1]; /* set up: 'X', 'O' or '-', from the top left */
	int turn;	       /* PL: as colour; -1: not given */
	char rule[SGF_TEXT], result[SGF_TEXT];
	struct string name[2];
	struct string facts[FACTS]; /* in the order of sgf_facts */
	struct sgf_node node;
	struct string value;
	int plies[SGF_MAX_DEPTH];
	int depth;
};

static const struct sgf_kind kinds[] = {
	{ "2", "reversi", true, true, false, 8 },
	{ "Othello", "reversi", true, true, false, 8 },
	{ "4", "gomoku", true, false, false, 15 },
	{ "5", "morris", false, false, true, 7 },
};

const struct sgf_fact sgf_facts[] = {
	{ "EV", "Event", false, true },	       { "PC", "Site", true, true },
	{ "DT", "Date", true, true },	       { "RO", "Round", false, true },
	{ "AN", "Annotator", false, true },    { "GN", "Title", false, true },
	{ "SO", "Source", false, true },       { "ON", "Opening", false, true },
	{ "BR", "BlackRating", false, true },     { "WR", "WhiteRating", false, true },
	{ "RB", "BlackRating", true, false },     { "RW", "WhiteRating", true, false },
	{ "TM", "TimeControl", false, true },  { "TI", "TimeControl", true, false },
	{ "TY", "Type", true, false },
};
const int sgf_fact_count = sizeof sgf_facts / sizeof *sgf_facts;
_Static_assert(sizeof sgf_facts / sizeof *sgf_facts <= FACTS, "room for every fact");

const struct sgf_kind *sgf_kind_of(const char *gm, const char *name)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (gm ? text_same(kinds[i].number, gm) : strcmp(kinds[i].name, name) == 0)
			return &kinds[i];
	return NULL;
}

int sgf_board_size(const struct qv_record *record, const struct sgf_kind *kind)
{
	char rules[QV_POSITION_TEXT] = "";
	struct qv_text text = { rules, sizeof rules, 0 };
	qv_rules_text(&record->rules, &text);
	const char *at = strstr(rules, "size=");
	int64_t size = kind->size;
	if (at && (at += 5))
		scan_int(&at, 1, SGF_MAX_BOARD, &size);
	return (int)size;
}

static enum qv_status no_memory(struct qv_error *error)
{
	return qv_fail(error, QV_NO_MEMORY, "SGF: out of memory");
}

/* ---- Characters and values ---- */

static char peek(struct sgf_reader *r)
{
	while (r->at < r->end && (*r->at == ' ' || (*r->at >= '\t' && *r->at <= '\r'))) {
		r->line += *r->at == '\n';
		r->at++;
	}
	return r->at < r->end ? *r->at : '\0';
}

/* Reads a value after its bracket. A line break after a backslash does not count. */
static bool read_value(struct sgf_reader *r, struct string *raw)
{
	for (; r->at < r->end && *r->at != ']'; r->at++) {
		r->line += *r->at == '\n';
		if (*r->at == '\\' && r->at + 1 < r->end) {
			r->at++;
			r->line += *r->at == '\n';
			if (*r->at == '\n')
				continue;
		}
		if (raw)
			string_add(raw, r->at, 1);
	}
	if (r->at == r->end)
		return false;
	r->at++;
	return true;
}

/* Reads the capital letters of a property's name; FF[1] to FF[3] have small ones between them. */
static void read_key(struct sgf_reader *r, char key[KEY_MOST + 1])
{
	size_t n = 0;
	for (; r->at < r->end && is_letter(*r->at); r->at++)
		if (n < KEY_MOST && *r->at >= 'A' && *r->at <= 'Z')
			key[n++] = *r->at;
	key[n] = '\0';
}

/* Goes to the first bracket of a game; GGF may have the number of games before it. */
static bool to_game(struct sgf_reader *r)
{
	if (r->end - r->at > 3 && memcmp(r->at, "\xef\xbb\xbf", 3) == 0)
		r->at += 3;
	while (is_digit(peek(r)))
		r->at++;
	return peek(r) == '(';
}

/* Reads the root as far as GM; false: it has none. */
static bool find_game(const char *data, size_t size, struct string *value)
{
	struct sgf_reader r = { .at = data, .end = data + size };
	char key[KEY_MOST + 1] = "";
	if (!to_game(&r))
		return false;
	r.at++;
	if (peek(&r) != ';')
		return false;
	r.at++;
	while (strcmp(key, "GM") != 0 && is_letter(peek(&r))) {
		read_key(&r, key);
		while (peek(&r) == '[') {
			r.at++;
			value->length = 0;
			string_add(value, "", 0);
			if (!read_value(&r, value))
				break;
		}
	}
	return strcmp(key, "GM") == 0 && value->data;
}

bool sgf_tree_looks_like(const char *data, size_t size)
{
	struct string value = { .allocator = &mem_malloc };
	const bool known = find_game(data, size, &value) && sgf_kind_of(value.data, "");
	string_release(&value);
	return known;
}

const char *sgf_other_game(const char *data, size_t size)
{
	static const struct {
		const char *number, *name;
	} others[] = { { "1", "Go" }, { "7", "Chinese chess" }, { "8", "Shogi" },
		       { "9", "Lines of Action" }, { "10", "Ataxx" }, { "11", "Hex" } };
	struct string value = { .allocator = &mem_malloc };
	const char *found = NULL;
	if (find_game(data, size, &value))
		for (size_t i = 0; i < sizeof others / sizeof *others; i++)
			if (strcmp(others[i].number, value.data) == 0)
				found = others[i].name;
	string_release(&value);
	return found;
}

/* ---- Points ---- */

/* Reads two letters as a place of the board, row by row from the top left; -1: they are none. */
static int point_of(const struct sgf_game *g, const char *text)
{
	const int column = text[0] - 'a', row = column >= 0 && text[0] ? text[1] - 'a' : -1;
	if (column < 0 || column >= g->size || row < 0 || row >= g->size || text[2])
		return -1;
	return row * g->size + column;
}

/* The game's own name of a place: a1, with row 1 at the top or at the bottom. */
static void put_point(const struct sgf_game *g, int place, struct qv_text *out)
{
	const int row = place / g->size;
	qv_put_char(out, (char)('a' + place % g->size));
	qv_put_int(out, g->kind->from_top ? row + 1 : g->size - row);
}

/* Reads a place in either notation. */
static int place_of(const struct sgf_game *g, const char *text)
{
	const int place = point_of(g, text), column = to_lower(text[0]) - 'a';
	int64_t row;
	const char *at = text + 1;
	if (place >= 0 || column < 0 || column >= g->size || !is_digit(*at) ||
	    !scan_int(&at, 1, g->size, &row) || *at)
		return place;
	return (int)(g->kind->from_top ? row - 1 : g->size - row) * g->size + column;
}

/* ---- The root ---- */

/* "aa", or a rectangle "aa:cc": sets up stones. */
static bool set_up_stones(struct sgf_game *g, const char *text, char stone)
{
	char first[SGF_TEXT], *last;
	if (strlen(text) >= sizeof first)
		return false;
	memcpy(first, text, strlen(text) + 1);
	last = strchr(first, ':');
	if (last)
		*last++ = '\0';
	const int from = place_of(g, first), to = last ? place_of(g, last) : from;
	if (from < 0 || to < 0)
		return false;
	for (int row = from / g->size; row <= to / g->size; row++)
		for (int column = from % g->size; column <= to % g->size; column++)
			g->cells[row * g->size + column] = stone;
	return true;
}

/* BO of GGF: the size, the squares row by row (* Black, O White), and the side to move. */
static bool read_board(struct sgf_game *g, const char *text)
{
	int64_t size;
	int place = 0;
	if (!scan_int(&text, 1, SGF_MAX_BOARD, &size) || size != g->size)
		return false;
	for (; *text && place < g->size * g->size; text++)
		if (is_one_of(*text, "*O-"))
			g->cells[place++] = *text == '*' ? 'X' : *text;
		else if (*text != ' ')
			return false;
	text += strspn(text, " ");
	if (!is_one_of(*text, "*O") || text[1])
		return false;
	g->turn = *text == 'O';
	return g->set_up = true;
}

/* The position that was set up, in the notation of the game. */
static void put_position(const struct sgf_game *g, struct qv_text *out)
{
	int count[2] = { 0, 0 };
	for (int i = 0; i < g->size * g->size; i++) {
		count[0] += g->cells[i] == 'X';
		count[1] += g->cells[i] == 'O';
	}
	if (g->kind->from_top) { /* reversi: every square */
		for (int i = 0; i < g->size * g->size; i++)
			qv_put_char(out, g->cells[i]);
		qv_put(out, g->turn == 1 ? " O" : " X");
		return;
	}
	for (int row = 0; row < g->size; row++) { /* go-moku: rows with runs of empty points */
		const char *cells = g->cells + row * g->size;
		qv_put(out, row ? "/" : "");
		for (int i = 0, run; i < g->size; i += run ? run : 1) {
			for (run = 0; i + run < g->size && cells[i + run] == '-';)
				run++;
			if (run)
				qv_put_int(out, run);
			else
				qv_put_char(out, cells[i] == 'X' ? 'x' : 'o');
		}
	}
	qv_put(out, (g->turn < 0 ? count[0] > count[1] : g->turn) ? " o" : " x");
}

/* Makes the record from the properties of the root. */
static enum qv_status begin_record(struct sgf_reader *r, struct qv_error *error)
{
	struct sgf_game *g = r->game;
	struct record_tag tags[FACTS];
	struct qv_rules rules;
	char spec[QV_POSITION_TEXT], position[2 * CELLS] = "";
	struct qv_text text = { position, sizeof position, 0 };
	int count = 0;
	if (!g->kind)
		return qv_fail(error, QV_BAD_INPUT,
			       "GM: expected a game of reversi, go-moku or nine men's morris");
	snprintf(spec, sizeof spec, "%s", g->kind->name);
	if (strcmp(g->kind->name, "gomoku") == 0)
		snprintf(spec, sizeof spec, "gomoku:size=%d,rule=%s", g->size,
			 text_same(g->rule, "renju")   ? "renju"
			 : text_same(g->rule, "exact") ? "exact"
						       : "freestyle");
	else if (g->size != g->kind->size)
		return qv_fail(error, QV_BAD_INPUT, "SZ: %s is played on a board of %d rows",
			       g->kind->name, g->kind->size);
	if (g->set_up && !g->kind->points)
		return qv_fail(error, QV_BAD_INPUT, "AB, AW: %s starts with an empty board",
			       g->kind->name);
	if (g->set_up)
		put_position(g, &text);
	for (int i = 0; i < sgf_fact_count; i++)
		if (g->facts[i].length)
			tags[count++] =
				(struct record_tag){ sgf_facts[i].tag, g->facts[i].data };
	/* GGF and SGF have the same fact under two names: the first counts. */
	for (int i = 0; i < count; i++)
		for (int k = i + 1; k < count; k++)
			if (strcmp(tags[i].name, tags[k].name) == 0)
				tags[k--] = tags[--count];
	const struct string *first = &g->name[g->kind->white_first],
			    *second = &g->name[!g->kind->white_first];
	const char *const seats[2] = { first->length ? first->data : "?",
				       second->length ? second->data : "?" };
	enum qv_status status = qv_rules_parse(r->context, spec, &rules, error);
	if (status == QV_OK)
		status = record_new_tagged(r->context, &rules, g->set_up ? position : NULL, seats,
					   first->length || second->length ? 2 : 0, tags, count,
					   &g->record, error);
	return status;
}

/* ---- Nodes ---- */

static void clear_node(struct sgf_node *n)
{
	n->colour = -1;
	n->seconds = -1;
	n->clock_ms[0] = n->clock_ms[1] = -1;
	n->glyphs.length = n->arrows.length = n->circles.length = n->comment.length = 0;
}

/* Appends a part of a note, with a blank before it if there is something already. */
static void add_part(struct string *note, const char *before, const struct string *part,
		     const char *after)
{
	if (part->length)
		string_addf(note, "%s%s%s%s", note->length ? " " : "", before, part->data, after);
}

static enum qv_status set_note(struct sgf_game *g, struct qv_error *error)
{
	struct sgf_node *n = &g->node;
	struct string note = { .allocator = g->record->allocator };
	const char *old = qv_record_note_text(g->record);
	const size_t length = strlen(old ? old : "");
	string_add(&note, old ? old : "", length);
	add_part(&note, "", &n->glyphs, "");
	add_part(&note, "[%cal ", &n->arrows, "]");
	add_part(&note, "[%csl ", &n->circles, "]");
	add_part(&note, "", &n->comment, "");
	const bool failed = note.failed || n->glyphs.failed || n->arrows.failed ||
			    n->circles.failed || n->comment.failed;
	enum qv_status status = failed ? QV_NO_MEMORY : QV_OK;
	if (status == QV_OK && note.length > length)
		status = qv_record_note(g->record, note.data);
	string_release(&note);
	if (status == QV_OK)
		return QV_OK;
	return status == QV_NO_MEMORY ? no_memory(error)
				      : qv_fail(error, status, "the notes are too long");
}

/* The move in the game's notation. */
static void move_text(const struct sgf_game *g, char out[SGF_TEXT])
{
	const char *text = g->node.move;
	struct qv_text to = { out, SGF_TEXT, 0 };
	const int place = g->kind->points ? point_of(g, text) : -1;
	out[0] = '\0';
	if (!*text || text_same(text, "tt") || text_same(text, "pa") || text_same(text, "pass"))
		qv_put(&to, "pass");
	else if (place >= 0)
		put_point(g, place, &to);
	else
		for (; *text; text++)
			qv_put_char(&to, to_lower(*text));
}

/* Plays the move of the node. Passes that nobody wrote down are added. */
static enum qv_status play_move(struct sgf_game *g, struct qv_error *error)
{
	struct qv_record *record = g->record;
	const struct qv_game *game = record->rules.game;
	const int seat = g->node.colour ^ (int)g->kind->white_first;
	char text[SGF_TEXT];
	qv_move move;
	move_text(g, text);
	if (record->outcome != QV_GOING)
		return qv_fail(error, QV_ILLEGAL, "move '%.40s': the game has ended", g->node.move);
	if (game->seat(record->state) != seat &&
	    (qv_move_parse(game, record->state, "pass", &move, NULL) != QV_OK ||
	     qv_record_play(record, move, -1, error) != QV_OK || record->outcome != QV_GOING ||
	     game->seat(record->state) != seat))
		return qv_fail(error, QV_ILLEGAL, "move '%.40s': it is %s's turn", g->node.move,
			       g->node.colour ? "Black" : "White");
	if (qv_move_parse(game, record->state, text, &move, NULL) != QV_OK)
		return qv_fail(error, QV_ILLEGAL, "move %d, '%.40s': not a legal move here",
			       1 + qv_record_ply(record) / 2, g->node.move);
	return qv_record_play(record, move, g->node.seconds, error);
}

/* The node is complete: its properties take effect. */
static enum qv_status end_node(struct sgf_reader *r, struct qv_error *error)
{
	struct sgf_game *g = r->game;
	enum qv_status status = g->record ? QV_OK : begin_record(r, error);
	if (status == QV_OK && g->node.colour >= 0)
		status = play_move(g, error);
	if (status == QV_OK)
		status = set_note(g, error);
	for (int colour = 0; status == QV_OK && colour < 2; colour++)
		if (g->node.clock_ms[colour] >= 0 &&
		    qv_record_clock(g->record, colour ^ (int)g->kind->white_first,
				    g->node.clock_ms[colour]) != QV_OK)
			status = qv_fail(error, QV_BAD_INPUT, "the record is too long");
	clear_node(&g->node);
	if (status != QV_OK)
		return status;
	if ((r->most.lines && g->record->lines > r->most.lines) ||
	    (r->most.bytes && g->record->journal.length > r->most.bytes))
		return qv_fail(error, QV_BAD_INPUT, "the game is too long");
	return QV_OK;
}

/* ---- Properties ---- */

/* A decimal number of seconds as milliseconds, in any locale; -1: not a number. */
static int64_t read_seconds(const char *text)
{
	int64_t whole = 0, scale = 100;
	const char *at = text;
	if (!is_digit(*at) || !scan_int(&at, 0, RECORD_MAX_SECONDS, &whole))
		return -1;
	whole *= 1000;
	if (*at == '.')
		for (at++; is_digit(*at); at++, scale /= 10)
			whole += scale * (*at - '0');
	return *at ? -1 : whole;
}

/* B or W. GGF: move/evaluation/seconds, the last two optional. */
static enum qv_status read_move(struct sgf_reader *r, int colour, char *text,
				struct qv_error *error)
{
	struct sgf_game *g = r->game;
	struct sgf_node *n = &g->node;
	enum qv_status status = QV_OK;
	if (n->colour >= 0)
		status = end_node(r, error);
	if (status != QV_OK)
		return status;
	char *evaluation = g->ggf ? strchr(text, '/') : NULL, *time = NULL;
	if (evaluation) {
		*evaluation++ = '\0';
		time = strchr(evaluation, '/');
	}
	if (time)
		*time++ = '\0';
	if (time && read_seconds(time) >= 0)
		n->seconds = (double)read_seconds(time) / 1000;
	if (evaluation && *evaluation && !evaluation[strspn(evaluation, "+-.0123456789")])
		string_addf(&n->comment, "[%%eval %s]", evaluation);
	if (strlen(text) >= sizeof n->move)
		return qv_fail(error, QV_BAD_INPUT, "a move is too long");
	memcpy(n->move, text, strlen(text) + 1);
	n->colour = colour;
	return QV_OK;
}

/* AR[aa:bb], CR[aa] and the like, in green. Others are ignored. */
static void read_mark(struct sgf_game *g, bool arrow, char *text)
{
	char *second = arrow ? strchr(text, ':') : NULL;
	struct string *list = arrow ? &g->node.arrows : &g->node.circles;
	char mark[SGF_TEXT] = "";
	struct qv_text out = { mark, sizeof mark, 0 };
	if (second)
		*second++ = '\0';
	const int from = g->kind ? place_of(g, text) : -1, to = second ? place_of(g, second) : -1;
	if (from < 0 || (arrow && to < 0))
		return;
	qv_put(&out, list->length ? ",G" : "G");
	put_point(g, from, &out);
	if (arrow)
		put_point(g, to, &out);
	string_add(list, mark, out.length);
}

static void add_text(struct string *to, const char *text)
{
	if (to->length)
		string_add(to, " ", 1);
	pgn_add_text(to, text, strlen(text));
}

/* TE[1] is a good move and TE[2] a very good one; DO and IT have no value. */
static void read_glyph(struct sgf_game *g, int glyph, const char *text)
{
	const int number = glyph < 5 && *text == '2' ? glyph + 2 : glyph;
	string_addf(&g->node.glyphs, "%s$%d", g->node.glyphs.length ? " " : "", number);
}

/* Reads a property of the root. False: the root has no such property. */
static bool read_fact(struct sgf_game *g, const char *key, char *text)
{
	if (strcmp(key, "GM") == 0) {
		g->kind = sgf_kind_of(text, "");
		g->ggf = text_same(text, "Othello");
		g->size = g->kind ? g->kind->size : 0;
	} else if (strcmp(key, "PB") == 0 || strcmp(key, "PW") == 0) {
		g->name[key[1] == 'W'].length = 0;
		pgn_add_text(&g->name[key[1] == 'W'], text, strlen(text));
	} else if (strcmp(key, "RU") == 0) {
		snprintf(g->rule, sizeof g->rule, "%.60s", text);
	} else if (strcmp(key, "RE") == 0) {
		snprintf(g->result, sizeof g->result, "%.60s", text);
	} else if (strcmp(key, "PL") == 0) {
		g->turn = to_lower(*text) == 'w';
	} else {
		int i = 0;
		while (i < sgf_fact_count && strcmp(sgf_facts[i].property, key) != 0)
			i++;
		if (i == sgf_fact_count)
			return false;
		/* Dates: 2026-11-16 becomes 2026.11.16, as PGN has them. */
		if (strcmp(key, "DT") == 0 && !text[strspn(text, "0123456789-")])
			for (char *c = text; (c = strchr(c, '-'));)
				*c = '.';
		if (!g->facts[i].length)
			pgn_add_text(&g->facts[i], text, strlen(text));
	}
	return true;
}

/* SZ, AB, AW, AE and BO. */
static enum qv_status read_set_up(struct sgf_game *g, const char *key, const char *text,
				  struct qv_error *error)
{
	int64_t size;
	if (!g->kind)
		return qv_fail(error, QV_BAD_INPUT, "%s: GM must come before it", key);
	if (g->record)
		return qv_fail(error, QV_BAD_INPUT,
			       "%s: stones can only be set up before the first move", key);
	if (strcmp(key, "SZ") == 0) {
		if (!text_to_int(text, 1, SGF_MAX_BOARD, &size))
			return qv_fail(error, QV_BAD_INPUT, "SZ: expected a number from 1 to %d",
				       SGF_MAX_BOARD);
		g->size = (int)size;
		return QV_OK;
	}
	if (!g->set_up)
		memset(g->cells, '-', CELLS);
	g->set_up = true;
	if (strcmp(key, "BO") == 0)
		return read_board(g, text) ? QV_OK
					   : qv_fail(error, QV_BAD_INPUT,
						     "BO: expected %d, the squares as *, O and -, "
						     "and the side to move",
						     g->size);
	return set_up_stones(g, text, key[1] == 'B' ? 'X' : key[1] == 'W' ? 'O' : '-')
		       ? QV_OK
		       : qv_fail(error, QV_BAD_INPUT, "%s: '%.20s' is not a point", key, text);
}

/* Takes one value of a property. */
static enum qv_status read_property(struct sgf_reader *r, const char *key, struct qv_error *error)
{
	static const char *const glyphs[] = { "", "TE", "BM", "", "", "IT", "DO" };
	struct sgf_game *g = r->game;
	char *text = g->value.data;
	if (strcmp(key, "B") == 0 || strcmp(key, "W") == 0)
		return read_move(r, *key == 'W', text, error);
	if (scan_choice("SZ|AB|AW|AE|BO", key) >= 0)
		return read_set_up(g, key, text, error);
	if (!g->record && read_fact(g, key, text))
		return QV_OK;
	if (scan_choice("C|GC|N", key) >= 0)
		add_text(&g->node.comment, text);
	else if (strcmp(key, "AR") == 0 || scan_choice("CR|MA|TR|SQ", key) >= 0)
		read_mark(g, *key == 'A', text);
	else if (strcmp(key, "BL") == 0 || strcmp(key, "WL") == 0)
		g->node.clock_ms[*key == 'W'] = read_seconds(text);
	for (int i = 1; i < 7; i++)
		if (*glyphs[i] && strcmp(key, glyphs[i]) == 0)
			read_glyph(g, i, text);
	return QV_OK;
}

/* Reads the properties after a semicolon, up to the next bracket or semicolon. */
static enum qv_status read_node(struct sgf_reader *r, struct qv_error *error)
{
	struct sgf_game *g = r->game;
	char key[KEY_MOST + 1];
	enum qv_status status = QV_OK;
	while (status == QV_OK && is_letter(peek(r))) {
		read_key(r, key);
		if (peek(r) != '[')
			return qv_fail(error, QV_BAD_INPUT, "expected '[' after %s", key);
		while (status == QV_OK && peek(r) == '[') {
			r->at++;
			g->value.length = 0;
			string_add(&g->value, "", 0);
			if (!read_value(r, &g->value))
				return qv_fail(error, QV_BAD_INPUT,
					       "the value of %s is not closed by ']'", key);
			if (g->value.failed)
				return no_memory(error);
			/* No text of a record may have a NUL in it. */
			for (size_t i = 0; i < g->value.length; i++)
				g->value.data[i] = g->value.data[i] ? g->value.data[i] : ' ';
			status = read_property(r, key, error);
		}
	}
	return status == QV_OK ? end_node(r, error) : status;
}

/* ---- Games ---- */

/* The winner as RE says: a colour, 2 for a draw, -1 unknown. */
static int winner_of(const struct sgf_game *g)
{
	const char *text = g->result;
	const char *at = text + (*text == '+' || *text == '-');
	const char *end = at;
	int64_t discs;
	/* Edax writes -127 for a game that goes on. */
	if (g->ggf && is_digit(*at) && !scan_int(&end, 0, 64, &discs))
		return -1;
	if (g->ggf && is_digit(*at))
		return !at[strspn(at, "0.")] || at[strspn(at, "0.")] == ':' ? 2 : *text == '-';
	if (strcmp(text, "0") == 0 || text_same(text, "draw"))
		return 2;
	return text[0] && text[1] == '+' ? scan_choice("b|w", (char[2]){ to_lower(*text), 0 }) : -1;
}

/* Goes to the end of the main line, which the file has first, and ends the game there. */
static enum qv_status finish_game(struct sgf_game *g, struct qv_error *error)
{
	struct qv_record *record = g->record;
	const struct node *nodes = record->nodes;
	const int winner = winner_of(g);
	/* The main line is the first child of each node. */
	int common = 0;
	while (common < record->ply &&
	       nodes[record->line[common].node].first == record->line[common + 1].node)
		common++;
	enum qv_status status = QV_OK;
	if (common < record->ply)
		status = qv_record_undo(record, record->ply - common, NULL);
	while (status == QV_OK && tree_cursor(record)->first != NODE_NONE)
		status = qv_record_play(record, record->nodes[tree_cursor(record)->first].move, -1,
					error);
	const char *flag = strrchr(g->result, g->ggf ? ':' : '+');
	const char *why = !flag || !flag[1]	  ? "as the file says"
			  : to_lower(flag[1]) == 'r' ? "resignation"
			  : to_lower(flag[1]) == 't' ? "time"
						     : "as the file says";
	if (status == QV_OK && winner >= 0 && record->outcome == QV_GOING)
		status = qv_record_end(record, winner == 2 ? -1 : winner ^ (int)g->kind->white_first,
				       why);
	if (status == QV_OK || error->text[0])
		return status;
	return status == QV_NO_MEMORY ? no_memory(error)
				      : qv_fail(error, status, "the record is too long");
}

/* Goes back to where the variation began. */
static enum qv_status close_tree(struct sgf_game *g, struct qv_error *error)
{
	const int back = g->record ? qv_record_ply(g->record) - g->plies[--g->depth] : 0;
	if (back > 0 && qv_record_undo(g->record, back, NULL) != QV_OK)
		return qv_fail(error, QV_BAD_INPUT, "the record is too long");
	return QV_OK;
}

/* Reads a game after its bracket. */
static enum qv_status read_game(struct sgf_reader *r, struct qv_error *error)
{
	struct sgf_game *g = r->game;
	enum qv_status status = QV_OK;
	while (status == QV_OK) {
		const char c = peek(r);
		if (r->at == r->end || !is_one_of(c, ";()"))
			return qv_fail(error, QV_BAD_INPUT,
				       "expected ';', '(' or ')' in the tree of the game");
		r->at++;
		if (c == ';') {
			status = read_node(r, error);
		} else if (c == '(') {
			if (g->depth == SGF_MAX_DEPTH || !g->record)
				return qv_fail(error, QV_BAD_INPUT,
					       g->record ? "variations are nested too deeply"
							 : "expected ';' after '('");
			g->plies[g->depth++] = qv_record_ply(g->record);
		} else if (g->depth) {
			status = close_tree(g, error);
		} else {
			return g->record ? finish_game(g, error)
					 : qv_fail(error, QV_BAD_INPUT, "the game is empty");
		}
	}
	return status;
}

/* Skips the rest of a game that cannot be read, to the bracket of the next one. */
static void skip_game(struct sgf_reader *r, int depth)
{
	while (depth > 0 && peek(r)) {
		const char c = *r->at++;
		if (c == '[')
			read_value(r, NULL);
		depth += (c == '(') - (c == ')');
	}
}

static void release_game(struct sgf_game *g, const struct qv_allocator *a)
{
	struct string *const all[] = { &g->name[0],	  &g->name[1],	     &g->value,
				       &g->node.glyphs, &g->node.arrows, &g->node.circles,
				       &g->node.comment };
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		string_release(all[i]);
	for (int i = 0; i < FACTS; i++)
		string_release(&g->facts[i]);
	mem_free(a, g, sizeof *g);
}

static struct sgf_game *new_game(const struct qv_allocator *a)
{
	struct sgf_game *g = mem_new(a, 1, sizeof *g);
	if (!g)
		return NULL;
	g->turn = -1;
	for (int i = 0; i < FACTS; i++)
		g->facts[i].allocator = a;
	g->name[0].allocator = g->name[1].allocator = g->value.allocator = a;
	g->node.glyphs.allocator = g->node.arrows.allocator = a;
	g->node.circles.allocator = g->node.comment.allocator = a;
	clear_node(&g->node);
	return g;
}

enum qv_status sgf_next(struct sgf_reader *r, struct qv_record **out, struct qv_error *error)
{
	const struct qv_allocator *a = context_allocator(r->context);
	struct qv_error why = { "" };
	*out = NULL;
	if (!to_game(r)) {
		const bool ends = r->at == r->end;
		const int line = r->line + 1;
		r->at = r->end;
		return ends ? QV_OK
			    : qv_fail(error, QV_BAD_INPUT, "line %d: expected '(' at the start "
							   "of a game",
				      line);
	}
	r->at++;
	r->game = new_game(a);
	if (!r->game)
		return no_memory(error);
	const enum qv_status status = read_game(r, &why);
	const int line = r->line + 1;
	if (status == QV_OK)
		*out = r->game->record;
	else
		qv_record_free(r->game->record);
	if (status != QV_OK)
		skip_game(r, r->game->depth + 1);
	release_game(r->game, a);
	r->game = NULL;
	return status == QV_OK ? status : qv_fail(error, status, "line %d: %s", line, why.text);
}
