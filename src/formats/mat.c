/*
 * mat.c - backgammon matches as Jellyfish writes them (.mat), read and written.
 * SPDX-License-Identifier: MIT
 *
 *     5 point match
 *
 *     Game 1
 *     ann : 0                        rob : 0
 *      1) 21: 13/11 24/23             65: 24/18 18/13
 *      2)  Doubles => 2                Takes
 *                                      Wins 2 points
 *
 * The bar is 25 and off is 0. Writers differ in the widths of the columns. So if a line has one
 * action only, its place decides whose it is.
 */
#include "base/scan.h"
#include "formats/backgammon_file.h"

enum {
	RIGHT_COLUMN = 20, /* a single action from this column on is the second player's */
	MOST_POINTS = 1 << 20,
	LINE = 512, /* longer lines are cut */
};

struct mat {
	struct game_builder builder;
	struct game_heading heading;
};

/* ---- Actions ---- */

static bool is_move_character(char c)
{
	return is_digit(c) || is_one_of(c, "/*()") || is_letter(c);
}

/* Steps past a word that is read without regard to case. */
static bool skip_word(const char **text, const char *word)
{
	const char *at = *text;
	for (; *word; word++, at++)
		if (to_lower(*at) != *word)
			return false;
	if (is_letter(*at))
		return false;
	*text = at;
	return true;
}

/*
 * Reads the ways of a turn into `turn`, with `bar` and `off` for 25 and 0, and stops before the next
 * action.
 */
static void read_turn(const char **text, char *turn, size_t size)
{
	struct qv_text out = { turn, size, 0 };
	*turn = '\0';
	for (;;) {
		const char *at = *text + strspn(*text, " \t"), *end = at;
		while (is_move_character(*end))
			end++;
		if (!memchr(at, '/', (size_t)(end - at)))
			return;
		qv_put(&out, out.length ? " " : "");
		while (at < end) {
			const char *number = at;
			int64_t place;
			if (is_digit(*at) && scan_int(&at, 0, 99, &place) && place == 25)
				qv_put(&out, "bar");
			else if (at > number && !place && at[-1] == '0' && number[-1] == '/')
				qv_put(&out, "off");
			else if (at > number)
				qv_put_int(&out, place);
			else
				qv_put_char(&out, *at++);
		}
		*text = end;
	}
}

/* What a player does. */
struct action {
	int column;
	char cube[8]; /* a move with the cube; "": a turn, or a win of `points` */
	int dice[2];
	char turn[128];
	int64_t points; /* 0: not a win */
};

/* Reads the next action of a line. False: the line has no more actions. */
static bool read_action(const char *line, const char **text, struct action *a)
{
	static const struct {
		const char *word, *move;
	} words[] = { { "doubles", "double" }, { "redoubles", "double" }, { "beavers", "beaver" },
		      { "takes", "take" },     { "accepts", "take" },	  { "drops", "drop" },
		      { "passes", "drop" },    { "rejects", "drop" } };
	const char *at = *text + strspn(*text, " \t");
	*a = (struct action){ .column = (int)(at - line) };
	if (at[0] >= '1' && at[0] <= '6' && at[1] >= '1' && at[1] <= '6' && at[2] == ':') {
		a->dice[0] = at[0] - '0';
		a->dice[1] = at[1] - '0';
		at += 3;
		read_turn(&at, a->turn, sizeof a->turn);
		const char *rest = at + strspn(at, " \t");
		if (skip_word(&rest, "cannot") || skip_word(&rest, "can't")) {
			rest += strspn(rest, " \t");
			skip_word(&rest, "move");
			at = rest;
		}
		*text = at;
		return true;
	}
	if (skip_word(&at, "wins")) {
		at += strspn(at, " \t");
		if (!scan_int(&at, 1, MOST_POINTS, &a->points))
			return false;
		*text = at + strlen(at); /* "points and the match" */
		return true;
	}
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (!skip_word(&at, words[i].word))
			continue;
		snprintf(a->cube, sizeof a->cube, "%s", words[i].move);
		at += strspn(at, " \t");
		if (scan_literal(&at, "=>")) {
			int64_t value;
			at += strspn(at, " \t");
			scan_int(&at, 1, MOST_POINTS, &value);
		}
		*text = at;
		return true;
	}
	return false;
}

static void apply(struct game_builder *b, const struct action *a, int seat)
{
	if (a->points)
		builder_win(b, seat, (int)a->points);
	else if (*a->cube)
		builder_cube(b, seat, a->cube);
	else
		builder_turn(b, seat, a->dice[0], a->dice[1], a->turn);
}

/* Reads the actions of one or both players. `text` is in the line. */
static void read_actions(struct game_builder *b, const char *line, const char *text)
{
	struct action left, right;
	if (!text[strspn(text, " \t")])
		return;
	if (!read_action(line, &text, &left)) {
		builder_wrong(b, "expected dice and a move, or what a player does with the cube");
		return;
	}
	const bool both = read_action(line, &text, &right);
	apply(b, &left, both ? 0 : left.column >= RIGHT_COLUMN);
	if (both)
		apply(b, &right, 1);
	if (text[strspn(text, " \t")])
		builder_wrong(b, "this part of the line is not a move");
}

/* ---- Headings ---- */

/* `NAME : SCORE` at the end of the text before `end`; returns where it begins to be one. */
static const char *read_score(const char *from, const char *end, int *score, const char **name_end)
{
	while (end > from && end[-1] == ' ')
		end--;
	const char *digits = end;
	while (digits > from && is_digit(digits[-1]))
		digits--;
	const char *colon = digits;
	while (colon > from && colon[-1] == ' ')
		colon--;
	int64_t value;
	const char *at = digits;
	if (digits == end || end - digits > 6 || colon == from || colon[-1] != ':' ||
	    !scan_int(&at, 0, MOST_POINTS, &value))
		return NULL;
	*score = (int)value;
	*name_end = colon - 1;
	return from;
}

/* The line with both names and scores. The first name ends at the first colon with a number. */
static bool read_names(struct mat *m, const char *line)
{
	struct game_heading *h = &m->heading;
	const char *name_end, *second_end;
	for (const char *colon = strchr(line, ':'); colon; colon = strchr(colon + 1, ':')) {
		const char *end = colon + 1 + strspn(colon + 1, " ");
		const size_t digits = strspn(end, "0123456789");
		end += digits;
		if (!digits || !read_score(line, end, &h->score[0], &name_end) ||
		    !read_score(end, line + strlen(line), &h->score[1], &second_end))
			continue;
		const char *first = line + strspn(line, " "), *second = end + strspn(end, " ");
		if (name_end < first || second_end < second)
			continue;
		heading_text(h->name[0], sizeof h->name[0], first, (size_t)(name_end - first));
		heading_text(h->name[1], sizeof h->name[1], second, (size_t)(second_end - second));
		return true;
	}
	return false;
}

/* `; [EventDate "2026.11.16"]`, `; [Crawford "Off"]` */
static void read_remark(struct mat *m, const char *line)
{
	if (strstr(line, "[Crawford \"Off\"]"))
		m->builder.crawford_played = true;
	const char *from = strstr(line, "Date \""), *to = from ? strchr(from + 6, '"') : NULL;
	if (to)
		heading_text(m->heading.date, sizeof m->heading.date, from + 6,
			     (size_t)(to - from - 6));
}

static void read_line(struct mat *m, const char *line)
{
	struct game_builder *b = &m->builder;
	const char *at = line + strspn(line, " \t");
	int64_t number;
	if (!*at || skip_word(&at, "game"))
		return;
	if (*at == ';') {
		read_remark(m, at);
		return;
	}
	const char *after = at;
	if (scan_int(&after, 0, MOST_POINTS, &number)) {
		const char *word = after + strspn(after, " \t");
		if (*after == ')') {
			read_actions(b, line, after + 1);
			return;
		}
		if (skip_word(&word, "point")) {
			m->heading.match = (int)number;
			b->crawford_played = false;
			return;
		}
	}
	if (read_names(m, line))
		builder_begin(b, &m->heading);
	else
		read_actions(b, line, line);
}

bool mat_looks_like(const char *data, size_t size)
{
	char head[LINE];
	size_t n = size < sizeof head - 1 ? size : sizeof head - 1;
	memcpy(head, data, n);
	head[n] = '\0';
	return strstr(head, " point match") != NULL;
}

enum qv_status mat_read(const struct qv_context *context, const char *data, size_t size,
			const struct backgammon_listener *listener, struct qv_error *error)
{
	struct mat m = { .builder = { .context = context, .listener = listener, .error = error },
			 .heading = { .crawford = true, .crawford_game = -1 } };
	const char *end = data + size;
	while (data < end && m.builder.status == QV_OK) {
		char line[LINE];
		const char *next = memchr(data, '\n', (size_t)(end - data));
		const char *line_end = next ? next : end;
		size_t n = 0;
		m.builder.line++;
		for (; data < line_end && n < sizeof line - 1; data++)
			line[n++] = *data == '\r' || !*data ? ' ' : *data;
		line[n] = '\0';
		read_line(&m, line);
		data = next ? next + 1 : end;
	}
	return builder_finish(&m.builder);
}

/* ---- Writing ---- */

struct mat_writing {
	struct backgammon_file *file;
	struct string *out;
	int number;  /* of the line of moves */
	int written; /* cells of the line so far */
};

enum { LEFT_WIDTH = 27 };

/* Writes an action in its column; a line has one of each player. */
static void put_cell(struct mat_writing *w, int seat, const char *text)
{
	if (w->written > seat)
		string_addf(w->out, "\n");
	if (w->written > seat || !w->written)
		string_addf(w->out, "%3d) ", ++w->number);
	if (seat && w->written != 1)
		string_addf(w->out, "%*s", LEFT_WIDTH + 1, "");
	if (seat)
		string_addf(w->out, "%s\n", text);
	else
		string_addf(w->out, "%-*s ", LEFT_WIDTH, text);
	w->written = !seat;
}

/* Whether a line that begins with this name would be read as something else: `; x`, `Game`, `3) x`. */
static bool is_misleading(const char *name)
{
	const char *at = name + strspn(name, " \t");
	int64_t number;
	if (*at == ';' || skip_word(&at, "game"))
		return true;
	if (!scan_int(&at, 0, MOST_POINTS, &number))
		return false;
	const char *word = at + strspn(at, " ");
	return *at == ')' || skip_word(&word, "point");
}

static void mat_begin(void *ctx, const struct backgammon *start, const struct qv_record *record)
{
	struct mat_writing *w = ctx;
	struct backgammon_file *f = w->file;
	char name[2][BACKGAMMON_NAME], left[BACKGAMMON_NAME + 16];
	const bool same = f->games && f->match && f->match == start->match &&
			  f->score[0] == start->score[0] && f->score[1] == start->score[1];
	if (!same) {
		string_addf(w->out, "%s %d point match\n", f->games ? "\n" : "", start->match);
		f->games = 0;
	}
	f->games++;
	f->match = start->match;
	for (int seat = 0; seat < 2; seat++) {
		player_name(record, seat, name[seat]);
		f->score[seat] = start->score[seat];
		/* A number after a colon would be the score. */
		for (char *c = name[seat]; (c = strchr(c, ':')); c++)
			if (is_digit(c[1 + strspn(c + 1, " ")]))
				*c = '.';
	}
	/* Otherwise the first game with one point to go is taken for the Crawford game. */
	const int last = start->match - 1;
	const bool near = start->match && (start->score[0] == last) != (start->score[1] == last);
	if (near && !(start->flags & BACKGAMMON_CRAWFORD_GAME))
		string_addf(w->out, "\n; [Crawford \"Off\"]");
	snprintf(left, sizeof left, "%s%s : %d", is_misleading(name[0]) ? "_" : "", name[0],
		 start->score[0]);
	string_addf(w->out, "\n Game %d\n %-28s %s : %d\n", f->games, left, name[1],
		    start->score[1]);
	w->number = w->written = 0;
}

static void mat_act(void *ctx, enum game_action action, const struct backgammon *before,
		    qv_move move, const char *note)
{
	struct mat_writing *w = ctx;
	const int seat = backgammon_mover(before);
	char cell[128] = "";
	struct qv_text text = { cell, sizeof cell, 0 };
	(void)note; /* the format has no place for it */
	if (action == ACTION_TURN) {
		qv_put_int(&text, 10 * before->dice[0] + before->dice[1]);
		qv_put(&text, ":");
		uint32_t blots = backgammon_blots(before);
		for (int i = 0; move != QV_NO_MOVE && i < backgammon_steps(move); i++) {
			const int from = backgammon_step_from(move, i);
			const int to = backgammon_target(from, backgammon_step_die(move, i));
			qv_put(&text, " ");
			qv_put_int(&text, from);
			qv_put(&text, "/");
			qv_put_int(&text, to);
			qv_put(&text, blots >> to & 1 ? "*" : "");
			blots &= ~(UINT32_C(1) << to);
		}
	} else if (action == ACTION_DOUBLE || action == ACTION_BEAVER) {
		qv_put(&text, action == ACTION_DOUBLE ? " Doubles => " : " Beavers => ");
		qv_put_int(&text, (action == ACTION_DOUBLE ? INT64_C(2) : INT64_C(4))
					  << before->cube);
	} else {
		qv_put(&text, action == ACTION_TAKE ? " Takes" : " Drops");
	}
	put_cell(w, seat, cell);
}

static void mat_won(void *ctx, int seat, int points, bool resigned, bool match_over)
{
	struct mat_writing *w = ctx;
	(void)resigned;
	string_addf(w->out, "%s%*s Wins %d point%s%s\n", w->written ? "\n" : "",
		    seat ? LEFT_WIDTH + 6 : 5, "", points, points == 1 ? "" : "s",
		    match_over ? " and the match" : "");
	w->written = 0;
	w->file->score[seat] += points;
}

static void mat_stop(void *ctx)
{
	struct mat_writing *w = ctx;
	string_addf(w->out, "%s", w->written ? "\n" : "");
	w->written = 0;
	w->file->games = 0;
}

enum qv_status mat_write(const struct qv_record *record, struct backgammon_file *file,
			 struct string *out, struct qv_error *error)
{
	struct mat_writing w = { .file = file, .out = out };
	const struct game_visitor visitor = { mat_begin, mat_act, mat_won, mat_stop, &w };
	const enum qv_status status = visit_games(record, &visitor, error);
	return status == QV_OK && out->failed ? qv_fail(error, QV_NO_MEMORY, "out of memory")
					      : status;
}
