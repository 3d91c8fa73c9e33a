/*
 * view.c - sentences, names and lists that keep to the width of the screen.
 * SPDX-License-Identifier: MIT
 */
#include "terminal/view.h"

#include "core/context.h"
#include "search/legal.h"

enum { SOFT_WIDTH = 80 }; /* a longer line was broken for the sake of the source */

/* ---- Words and lines ---- */

void text_list_add(struct text_list *w, const char *text)
{
	if (mem_reserve(w->allocator, &w->text, &w->room, (size_t)w->count + 1, WORD_ROOM))
		snprintf(w->text[w->count++], WORD_ROOM, "%s", text);
	else
		w->failed = true;
}

void text_list_release(struct text_list *w)
{
	mem_free(w->allocator, w->text, w->room * WORD_ROOM);
	*w = (struct text_list){ .allocator = w->allocator };
}

static bool begins_character(char c)
{
	return ((unsigned char)c & 0xc0) != 0x80;
}

int text_columns(const char *text)
{
	int columns = 0;
	for (; *text; text++)
		columns += begins_character(*text);
	return columns;
}

/* The bytes of the first so many characters. */
static size_t bytes_of(const char *text, size_t length, int characters)
{
	size_t bytes = 0;
	for (; bytes < length; bytes++)
		if (begins_character(text[bytes]) && characters-- == 0)
			break;
	return bytes;
}

static int columns_of(const char *text, size_t length)
{
	int columns = 0;
	for (size_t i = 0; i < length; i++)
		columns += begins_character(text[i]);
	return columns;
}

static void new_line(struct string *out, int indent, int *column)
{
	string_addf(out, "\n%*s", indent, "");
	*column = indent;
}

void view_flow(struct string *out, int width, int indent, const char *text)
{
	int column = 0, start = 0; /* where the line's first word stands */
	while (*(text += strspn(text, " "))) {
		size_t length = strcspn(text, " \n");
		const int columns = columns_of(text, length);
		const bool blank = column > start;
		if (blank && column + 1 + columns > width)
			new_line(out, start = indent, &column);
		else if (blank)
			string_addf(out, " "), column++;
		if (column + columns > width && width > column)
			length = bytes_of(text, length, width - column);
		string_add(out, text, length);
		column += columns_of(text, length);
		text += length;
		if (*text == '\n')
			text++, new_line(out, start = 0, &column);
		else if (*text && *text != ' ')
			new_line(out, start = indent, &column);
	}
	if (column)
		string_addf(out, "\n");
}

static bool is_title(const char *line)
{
	size_t i = 0;
	while ((line[i] >= 'a' && line[i] <= 'z') || (line[i] >= 'A' && line[i] <= 'Z'))
		i++;
	return i > 1 && line[i] == ':';
}

void view_unbreak(struct string *out, const char *text)
{
	while (*text) {
		const size_t length = strcspn(text, "\n");
		string_add(out, text, length);
		const bool is_long = columns_of(text, length) > SOFT_WIDTH;
		text += length;
		if (!*text)
			return;
		text++;
		const bool kept = !is_long || !*text || strchr(" \n", *text) || is_title(text);
		string_addf(out, "%s", kept ? "\n" : " ");
	}
}

static int widest(const struct text_list *w)
{
	int most = 1;
	for (int i = 0; i < w->count; i++)
		if (text_columns(w->text[i]) > most)
			most = text_columns(w->text[i]);
	return most;
}

static void add_padded(struct string *out, const char *text, int width)
{
	string_addf(out, "%s%*s", text, width > text_columns(text) ? width - text_columns(text) : 0,
		    "");
}

void view_columns(struct string *out, int width, const struct text_list *w)
{
	const int cell = widest(w) + 2;
	const int columns = (width + 2) / cell > 1 ? (width + 2) / cell : 1;
	const int rows = (w->count + columns - 1) / columns;
	for (int row = 0; row < rows; row++) {
		for (int i = row; i < w->count; i += rows)
			if (i + rows < w->count)
				add_padded(out, w->text[i], cell);
			else
				string_addf(out, "%s", w->text[i]);
		string_addf(out, "\n");
	}
}

/* ---- Names ---- */

struct move_name move_name(const struct session *s, const void *state, qv_move move)
{
	const struct qv_game *game = session_game(s);
	const struct engine *engine = context_engine(game);
	struct move_name name = { "" };
	struct qv_text out = { name.text, sizeof name.text, 0 };
	(s->setup.san && engine->short_text ? engine->short_text : game->move_text)(state, move,
										    &out);
	return name;
}

struct seat_name seat_name(const struct session *s, int seat, bool begins)
{
	struct seat_name name;
	const char *spec = session_spec(s, seat);
	const int level = session_level_of(spec);
	if (session_is_person(s, seat) && session_persons(s) == 1)
		snprintf(name.text, sizeof name.text, "%s (seat %d)", begins ? "You" : "you",
			 seat + 1);
	else if (session_is_person(s, seat))
		snprintf(name.text, sizeof name.text, "%s %d", begins ? "Seat" : "seat", seat + 1);
	else if (level)
		snprintf(name.text, sizeof name.text, "%s %d (level %d)", begins ? "Seat" : "seat",
			 seat + 1, level);
	else
		snprintf(name.text, sizeof name.text, "%s %d (%.60s)", begins ? "Seat" : "seat",
			 seat + 1, spec);
	return name;
}

void put_clock(struct qv_text *out, int64_t ms)
{
	char text[32];
	const long long seconds = ms > 0 ? (ms + 999) / 1000 : 0; /* 0:00 is the flag, not before */
	if (seconds >= 3600)
		snprintf(text, sizeof text, "%lld:%02lld:%02lld", seconds / 3600, seconds / 60 % 60,
			 seconds % 60);
	else
		snprintf(text, sizeof text, "%lld:%02lld", seconds / 60, seconds % 60);
	qv_put(out, text);
}

/* ---- Lists ---- */

qv_move only_move(const struct session *s)
{
	const struct qv_game *game = session_game(s);
	qv_move list[QV_MAX_MOVES];
	const bool asked = session_turn(s) != TURN_OVER && session_seat(s) != QV_CHANCE;
	const int count = asked ? game->moves(session_state(s), list) : 0;
	const bool only = count == 1 && legal_max_count(game, session_state(s), list[0]) <= 1;
	return only ? list[0] : QV_NO_MOVE;
}

void legal_words(const struct session *s, bool counts, struct text_list *w)
{
	const struct qv_game *game = session_game(s);
	qv_move list[QV_MAX_MOVES];
	const bool over = session_turn(s) == TURN_OVER;
	const int count = over ? 0 : game->moves(session_state(s), list);
	for (int i = 0; i < count; i++) {
		char text[WORD_ROOM];
		const int most = legal_max_count(game, session_state(s), list[i]);
		const struct move_name name = move_name(s, session_state(s), list[i]);
		if (counts && most > 1)
			snprintf(text, sizeof text, "%s (1 to %d)", name.text, most);
		else
			snprintf(text, sizeof text, "%s", name.text);
		text_list_add(w, text);
	}
}

void line_words(struct session *s, struct text_list *w)
{
	const struct qv_record *record = session_record(s);
	const struct qv_game *game = session_game(s);
	memcpy(session_current(s)->scratch, record->kept, game->state_size);
	for (int ply = 0; ply < qv_record_ply(record); ply++) {
		char text[WORD_ROOM];
		const qv_move move = qv_record_move(record, ply);
		snprintf(text, sizeof text, "%d. %s", ply + 1, move_name(s, session_current(s)->scratch, move).text);
		text_list_add(w, text);
		game->play(session_current(s)->scratch, move);
	}
}

/* ---- Status ---- */

/* What ended the game, where its rules have a word for it; " by count" and nothing else. */
static void put_ending(const struct session *s, enum qv_outcome outcome, struct qv_text *out)
{
	const struct engine *engine = context_engine(session_game(s));
	int32_t points[QV_MAX_SEATS];
	if (session_record(s)->ended)
		return;
	if (session_game(s)->result(session_state(s), points) == QV_GOING) {
		qv_put(out, " by repetition");
	} else if (engine->ending) {
		qv_put(out, ": ");
		qv_put(out, engine->ending(session_state(s)));
	} else if (outcome == QV_DRAWN_BY_COUNT) {
		qv_put(out, " by count");
	}
}

static void put_result(const struct session *s, struct qv_text *out)
{
	const struct qv_record *record = session_record(s);
	const struct qv_game *game = session_game(s);
	int32_t points[QV_MAX_SEATS] = { 0 };
	const enum qv_outcome outcome = qv_record_result(record, points);
	const int winner = outcome == QV_DRAWN_BY_COUNT ? -1 : qv_winner(game, points);
	if (qv_record_winner(record) == QV_UNDECIDED) {
		qv_put(out, "Broken off");
	} else if (game->seats == 1) {
		qv_put(out, "The game is over");
	} else if (winner < 0) {
		qv_put(out, "A draw");
	} else {
		const bool you = session_is_person(s, winner) && session_persons(s) == 1;
		qv_put(out, seat_name(s, winner, true).text);
		qv_put(out, you ? " win" : " wins");
	}
	put_ending(s, outcome, out);
	qv_put_char(out, '.');
	if (record->ended)
		return;
	qv_put(out, " Score ");
	for (int seat = 0; seat < game->seats; seat++) {
		qv_put(out, seat ? " : " : "");
		qv_put_int(out, points[seat]);
	}
	qv_put_char(out, '.');
}

static void put_turn(const struct session *s, struct qv_text *out)
{
	const int seat = session_seat(s);
	if (seat == QV_CHANCE) {
		qv_put(out, "Roll the dice.");
	} else {
		qv_put(out, seat_name(s, seat, true).text);
		qv_put(out, " to move.");
	}
	const qv_move only = only_move(s);
	if (only != QV_NO_MOVE) {
		qv_put(out, " The only move: ");
		qv_put(out, move_name(s, session_state(s), only).text);
		qv_put(out, session_turn(s) == TURN_PERSON ? " (Enter plays it)." : ".");
	}
}

static void put_clocks(const struct session *s, struct qv_text *out)
{
	for (int seat = 0; seat < session_game(s)->seats; seat++) {
		qv_put(out, seat ? ", " : " Clocks ");
		put_clock(out, session_left_ms(s, seat));
	}
	qv_put_char(out, '.');
}

void view_status(struct session *s, const struct screen *screen, struct string *out)
{
	char text[512] = "";
	struct qv_text line = { text, sizeof text, 0 };
	if (session_turn(s) == TURN_OVER)
		put_result(s, &line);
	else
		put_turn(s, &line);
	if (game_clock_on(&session_current(s)->clock))
		put_clocks(s, &line);
	view_flow(out, screen->width, 0, text);
}
