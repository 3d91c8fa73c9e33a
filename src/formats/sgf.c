/*
 * sgf.c - backgammon in the Smart Game Format (FF[4]GM[6]), as GNU Backgammon writes it.
 * SPDX-License-Identifier: MIT
 *
 * Each game is a tree of its own: (;FF[4]GM[6]MI[length:5][game:0][ws:0][bs:0]PW[ann]PB[rob]
 * RU[Crawford];W[21mkxw];B[double];W[take]...). A turn is the dice and pairs of letters: a to x are
 * points 1 to 24 as White counts them, y is the bar and z is off. Of variations only the first is
 * read. Positions that are set up (AE, AW, AB) are refused.
 */
#include "base/scan.h"
#include "core/context.h"
#include "formats/backgammon_file.h"

enum { KEY = 4, MOST_VALUES = 8, MOST_TURN = 2 + 4 * BACKGAMMON_STEPS, SGF_DEPTH = 100 };

struct sgf {
	struct game_builder builder;
	const char *at, *end;
	struct string value; /* the last one, unescaped */
	struct string note;  /* of the current node */
	struct game_heading heading;
	int winner, points; /* RE; winner -1: unknown */
	bool backgammon;    /* GM[6] */
	bool begun;	    /* the root has been read */
	bool set_up;	    /* a position was set up */
};

static char peek(struct sgf *s)
{
	while (s->at < s->end && (*s->at == ' ' || (*s->at >= '\t' && *s->at <= '\r'))) {
		s->builder.line += *s->at == '\n';
		s->at++;
	}
	return s->at < s->end ? *s->at : '\0';
}

/* Reads a value after its bracket. False: it is not closed. */
static bool read_value(struct sgf *s)
{
	s->value.length = 0;
	string_add(&s->value, "", 0);
	for (; s->at < s->end && *s->at != ']'; s->at++) {
		s->builder.line += *s->at == '\n';
		if (*s->at == '\\' && s->at + 1 < s->end)
			s->at++;
		string_add(&s->value, s->at, 1);
	}
	if (s->at == s->end)
		return false;
	s->at++;
	return !s->value.failed;
}

/* ---- Properties ---- */

/* `length:5`, `game:0`, `ws:3`, `bs:2` */
static void read_match_info(struct game_heading *h, const char *text)
{
	int64_t n;
	const char *at = text;
	if (scan_literal(&at, "length:") && scan_int(&at, 0, 1 << 20, &n))
		h->match = (int)n;
	else if (scan_literal(&at, "ws:") && scan_int(&at, 0, 1 << 20, &n))
		h->score[0] = (int)n;
	else if (scan_literal(&at, "bs:") && scan_int(&at, 0, 1 << 20, &n))
		h->score[1] = (int)n;
}

/* `Crawford:CrawfordGame`, `Jacoby`, `NoCube` */
static void read_rules(struct game_heading *h, const char *text)
{
	char word[24];
	while (scan_piece(&text, ":", " ", word, sizeof word)) {
		h->crawford |= text_same(word, "Crawford");
		if (text_same(word, "CrawfordGame"))
			h->crawford_game = 1;
		h->jacoby |= text_same(word, "Jacoby");
		h->no_cube |= text_same(word, "NoCube");
	}
}

/* `W+2`, `B+4R` */
static void read_result(struct sgf *s, const char *text)
{
	const int winner = to_lower(*text) == 'b';
	int64_t points;
	if (!winner && to_lower(*text) != 'w')
		return;
	text++;
	if (!scan_literal(&text, "+") || !scan_int(&text, 1, 1 << 20, &points))
		return;
	s->winner = winner;
	s->points = (int)points;
}

/* The place of a letter, as the seat counts places; -1: not a letter of a place. */
static int place_of(char letter, int seat, bool from)
{
	const int point = letter - 'a' + 1;
	if (letter == (from ? 'y' : 'z'))
		return from ? BACKGAMMON_BAR : BACKGAMMON_OFF;
	if (point < 1 || point > BACKGAMMON_POINTS)
		return -1;
	return seat ? BACKGAMMON_BAR - point : point;
}

static void read_move(struct game_builder *b, int seat, const char *text)
{
	static const char *const cube[] = { "double", "take", "drop", "beaver" };
	char turn[128] = "";
	struct qv_text out = { turn, sizeof turn, 0 };
	for (int i = 0; i < 4; i++)
		if (text_same(text, cube[i])) {
			builder_cube(b, seat, cube[i]);
			return;
		}
	const size_t length = strlen(text);
	if (length < 2 || length > MOST_TURN || length % 2 || text[0] < '1' || text[0] > '6' ||
	    text[1] < '1' || text[1] > '6') {
		builder_wrong(b, "expected dice and pairs of letters, or double, take, drop");
		return;
	}
	for (const char *pair = text + 2; *pair; pair += 2) {
		const int from = place_of(pair[0], seat, true), to = place_of(pair[1], seat, false);
		if (from < 0 || to < 0) {
			builder_wrong(b,
				      "places are the letters a to x, y for the bar and z for off");
			return;
		}
		qv_put(&out, out.length ? " " : "");
		if (from == BACKGAMMON_BAR)
			qv_put(&out, "bar");
		else
			qv_put_int(&out, from);
		qv_put(&out, "/");
		if (to == BACKGAMMON_OFF)
			qv_put(&out, "off");
		else
			qv_put_int(&out, to);
	}
	builder_turn(b, seat, text[0] - '0', text[1] - '0', turn);
}

/* Takes one value of a property. */
static void read_property(struct sgf *s, const char *key)
{
	static const char *const set_up[] = { "AE", "AW", "AB", "PL", "DI", "CV", "CP" };
	struct game_heading *h = &s->heading;
	const char *text = s->value.data;
	const size_t length = s->value.length;
	if (strcmp(key, "GM") == 0)
		s->backgammon = strcmp(text, "6") == 0;
	else if (strcmp(key, "MI") == 0)
		read_match_info(h, text);
	else if (strcmp(key, "RU") == 0)
		read_rules(h, text);
	else if (strcmp(key, "PW") == 0 || strcmp(key, "PB") == 0)
		heading_text(h->name[key[1] == 'B'], sizeof h->name[0], text, length);
	else if (strcmp(key, "DT") == 0)
		heading_text(h->date, sizeof h->date, text, length);
	else if (strcmp(key, "RE") == 0)
		read_result(s, text);
	else if (strcmp(key, "C") == 0)
		string_add(&s->note, text, length);
	else if (s->begun && (strcmp(key, "W") == 0 || strcmp(key, "B") == 0))
		read_move(&s->builder, *key == 'B', text);
	for (size_t i = 0; i < sizeof set_up / sizeof *set_up; i++)
		s->set_up |= strcmp(key, set_up[i]) == 0;
}

/* ---- Nodes and trees ---- */

/* Ends a node: the root begins the game, any other may have a note. */
static void end_node(struct sgf *s)
{
	if (!s->begun) {
		s->begun = true;
		if (s->backgammon)
			builder_begin(&s->builder, &s->heading);
		else
			builder_wrong(&s->builder, "a game other than backgammon (GM[6])");
	}
	if (s->set_up)
		builder_wrong(&s->builder, "positions that are set up cannot be read");
	if (s->note.length)
		builder_note(&s->builder, s->note.data, s->note.length);
	s->note.length = 0;
}

/* Reads the properties after a semicolon. False: not SGF. */
static bool read_node(struct sgf *s)
{
	char key[KEY + 1];
	for (char c = peek(s); is_letter(c); c = peek(s)) {
		size_t n = 0;
		for (; s->at < s->end && is_letter(*s->at); s->at++)
			if (n < KEY && *s->at >= 'A' && *s->at <= 'Z')
				key[n++] = *s->at;
		key[n] = '\0';
		if (peek(s) != '[')
			return false;
		while (peek(s) == '[') {
			s->at++;
			if (!read_value(s))
				return false;
			read_property(s, key);
		}
	}
	end_node(s);
	return true;
}

/* Skips a tree after its bracket, whatever is in it. */
static bool skip_tree(struct sgf *s)
{
	for (int depth = 1; depth;) {
		const char c = peek(s);
		if (!c && s->at >= s->end)
			return false;
		s->at++;
		if (c == '[' && !read_value(s))
			return false;
		depth += (c == '(') - (c == ')');
	}
	return true;
}

/* Reads a game after its bracket: nodes, and of variations the first. */
static bool read_game(struct sgf *s)
{
	bool ended[SGF_DEPTH] = { false }; /* a variation of this depth has been read */
	int depth = 0;
	s->heading = (struct game_heading){ .crawford_game = 0 };
	s->winner = -1;
	s->backgammon = s->begun = s->set_up = false;
	for (;;) {
		const char c = peek(s);
		if (s->at >= s->end || !is_one_of(c, ";()"))
			return false;
		s->at++;
		if (c == ';' && !read_node(s))
			return false;
		if (c == '(' && (depth == SGF_DEPTH - 1 || ended[depth])) {
			builder_odd(&s->builder, "a variation is ignored");
			if (!skip_tree(s))
				return false;
		} else if (c == '(') {
			ended[++depth] = false;
		} else if (c == ')' && depth) {
			ended[--depth] = true;
		} else if (c == ')') {
			if (s->winner >= 0)
				builder_win(&s->builder, s->winner, s->points);
			return true;
		}
	}
}

bool sgf_looks_like(const char *data, size_t size)
{
	const char *end = data + size;
	if (size > 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0)
		data += 3;
	while (data < end && (*data == ' ' || (*data >= '\t' && *data <= '\r')))
		data++;
	if (data == end || *data++ != '(')
		return false;
	while (data < end && (*data == ' ' || (*data >= '\t' && *data <= '\r')))
		data++;
	return data < end && *data == ';';
}

enum qv_status sgf_read(const struct qv_context *context, const char *data, size_t size,
			const struct backgammon_listener *listener, struct qv_error *error)
{
	const struct qv_allocator *a = context_allocator(context);
	struct sgf s = {
		.builder = { .context = context, .listener = listener, .error = error, .line = 1 },
		.at = data,
		.end = data + size,
		.value = { .allocator = a },
		.note = { .allocator = a }
	};
	if (size > 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0)
		s.at += 3;
	while (s.builder.status == QV_OK && peek(&s) == '(') {
		s.at++;
		if (!read_game(&s)) {
			builder_wrong(&s.builder,
				      "the file ends in the middle of a game, or is not SGF");
			break;
		}
	}
	if (s.value.failed || s.note.failed)
		s.builder.status = qv_fail(error, QV_NO_MEMORY, "SGF: out of memory");
	string_release(&s.value);
	string_release(&s.note);
	return builder_finish(&s.builder);
}

/* ---- Writing ---- */

struct sgf_writing {
	struct backgammon_file *file;
	const struct qv_record *record;
	struct string *out, nodes; /* the root's result comes before the moves */
	struct string root;
};

static void put_escaped(struct string *out, const char *text)
{
	for (; *text; text++) {
		if (*text == ']' || *text == '\\')
			string_add(out, "\\", 1);
		string_add(out, text, 1);
	}
}

static void sgf_begin(void *ctx, const struct backgammon *start, const struct qv_record *record)
{
	struct sgf_writing *w = ctx;
	struct backgammon_file *f = w->file;
	char name[BACKGAMMON_NAME];
	const bool same = f->games && f->match == start->match && f->score[0] == start->score[0] &&
			  f->score[1] == start->score[1];
	if (!same)
		f->games = 0;
	w->root.length = w->nodes.length = 0;
	string_addf(&w->root,
		    "(;FF[4]GM[6]CA[UTF-8]AP[Quevedo:" QV_VERSION
		    "]MI[length:%d][game:%d][ws:%d][bs:%d]",
		    start->match, f->games++, start->score[0], start->score[1]);
	f->match = start->match;
	for (int seat = 0; seat < 2; seat++) {
		f->score[seat] = start->score[seat];
		player_name(record, seat, name);
		string_addf(&w->root, "P%c[", seat ? 'B' : 'W');
		put_escaped(&w->root, name);
		string_addf(&w->root, "]");
	}
	if (start->match && (start->flags & BACKGAMMON_CRAWFORD))
		string_addf(&w->root, "RU[Crawford%s]",
			    start->flags & BACKGAMMON_CRAWFORD_GAME ? ":CrawfordGame" : "");
	else if (!start->match && !(start->flags & BACKGAMMON_HAS_CUBE))
		string_addf(&w->root, "RU[NoCube]");
	else if (start->flags & BACKGAMMON_JACOBY)
		string_addf(&w->root, "RU[Jacoby]");
}

static void put_place(struct string *out, int place, int seat)
{
	const char letter = place == BACKGAMMON_BAR ? 'y'
			    : place == BACKGAMMON_OFF
				    ? 'z'
				    : (char)('a' + (seat ? 24 - place : place - 1));
	string_add(out, &letter, 1);
}

static void sgf_act(void *ctx, enum game_action action, const struct backgammon *before,
		    qv_move move, const char *note)
{
	static const char *const cube[] = { [ACTION_DOUBLE] = "double",
					    [ACTION_BEAVER] = "double",
					    [ACTION_TAKE] = "take",
					    [ACTION_DROP] = "drop" };
	struct sgf_writing *w = ctx;
	const int seat = backgammon_mover(before);
	if (action == ACTION_TURN && move == QV_NO_MOVE)
		return; /* SGF has no roll without a turn */
	string_addf(&w->nodes, "\n;%c[", seat ? 'B' : 'W');
	if (action != ACTION_TURN)
		string_addf(&w->nodes, "%s", cube[action]);
	else
		string_addf(&w->nodes, "%d%d", before->dice[0], before->dice[1]);
	for (int i = 0; action == ACTION_TURN && i < backgammon_steps(move); i++) {
		const int from = backgammon_step_from(move, i);
		put_place(&w->nodes, from, seat);
		put_place(&w->nodes, backgammon_target(from, backgammon_step_die(move, i)), seat);
	}
	string_addf(&w->nodes, "]");
	if (note && *note) {
		string_addf(&w->nodes, "C[");
		put_escaped(&w->nodes, note);
		string_addf(&w->nodes, "]");
	}
}

/* Writes the game that has ended. */
static void put_game(struct sgf_writing *w)
{
	string_add(w->out, w->root.data ? w->root.data : "", w->root.length);
	string_add(w->out, w->nodes.data ? w->nodes.data : "", w->nodes.length);
	string_addf(w->out, ")\n");
}

static void sgf_won(void *ctx, int seat, int points, bool resigned, bool match_over)
{
	struct sgf_writing *w = ctx;
	(void)match_over;
	string_addf(&w->root, "RE[%c+%d%s]", seat ? 'B' : 'W', points, resigned ? "R" : "");
	put_game(w);
	w->file->score[seat] += points;
}

static void sgf_stop(void *ctx)
{
	struct sgf_writing *w = ctx;
	put_game(w);
	w->file->games = 0;
}

enum qv_status sgf_write(const struct qv_record *record, struct backgammon_file *file,
			 struct string *out, struct qv_error *error)
{
	struct sgf_writing w = { .file = file, .record = record, .out = out };
	w.nodes.allocator = w.root.allocator = record->allocator;
	const struct game_visitor visitor = { sgf_begin, sgf_act, sgf_won, sgf_stop, &w };
	enum qv_status status = visit_games(record, &visitor, error);
	if (status == QV_OK && (out->failed || w.nodes.failed || w.root.failed))
		status = qv_fail(error, QV_NO_MEMORY, "SGF: out of memory");
	string_release(&w.nodes);
	string_release(&w.root);
	return status;
}
