/*
 * view.c - sentences, names and lists that keep to the width of the screen.
 * SPDX-License-Identifier: MIT
 *
 * Widths are in characters of UTF-8, each of which takes one column. The rules of a game have
 * paragraphs, tables, and lists of a word and what it means:
 *
 *       move A1 B2 12  ships to a neighbour that holds a colony
 *                      or is next to one
 *
 * A line that fits stays as it is. If it does not, its rest stands under the place where the
 * meaning begins, or, on a narrow screen, a little to the right.
 */
#include "terminal/view.h"

#include "core/context.h"
#include "search/legal.h"

enum {
	SOFT_WIDTH = 80, /* a longer line was broken for the sake of the source */
	STEP = 2,	 /* to the right, on a narrow screen */
};

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

struct qv_text string_extend(struct string *s, size_t length)
{
	if (s->failed ||
	    !mem_reserve(s->allocator, &s->data, &s->capacity, s->length + length + 1, 1)) {
		s->failed = true;
		return (struct qv_text){ NULL, 0, 0 };
	}
	char *at = s->data + s->length;
	s->length += length;
	s->data[s->length] = '\0';
	return (struct qv_text){ at, length + 1, 0 };
}

/* Whether a byte of UTF-8 is not a continuation byte. */
static bool begins_character(char c)
{
	return ((unsigned char)c & 0xc0) != 0x80;
}

/* How many characters begin in the first bytes of a text. */
static int columns_of(const char *text, size_t length)
{
	int columns = 0;
	for (size_t i = 0; i < length; i++)
		columns += begins_character(text[i]);
	return columns;
}

int text_columns(const char *text)
{
	return columns_of(text, strlen(text));
}

/* Begins a line of a paragraph. */
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
		/* A blank goes before the word unless it is the first of its line. */
		const bool blank = column > start;
		if (blank && column + 1 + columns > width)
			new_line(out, start = indent, &column);
		else if (blank)
			string_addf(out, " "), column++;
		if (column + columns > width && width > column) {
			/* A word longer than a line is broken where the line ends. */
			size_t bytes = 0;
			for (int room = width - column; bytes < length; bytes++)
				if (begins_character(text[bytes]) && room-- == 0)
					break;
			length = bytes;
		}
		string_add(out, text, length);
		column += columns_of(text, length);
		text += length;
		/* A newline in the text ends the line; the rest of a word goes to the next one. */
		if (*text == '\n')
			text++, new_line(out, start = 0, &column);
		else if (*text && *text != ' ')
			new_line(out, start = indent, &column);
	}
	if (column)
		string_addf(out, "\n");
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
		size_t letters = 0; /* a title is a word and a colon */
		while ((text[letters] >= 'a' && text[letters] <= 'z') ||
		       (text[letters] >= 'A' && text[letters] <= 'Z'))
			letters++;
		const bool is_title = letters > 1 && text[letters] == ':';
		const bool kept = !is_long || !*text || strchr(" \n", *text) || is_title;
		string_addf(out, "%s", kept ? "\n" : " ");
	}
}

int text_list_widest(const struct text_list *w)
{
	int most = 0;
	for (int i = 0; i < w->count; i++)
		if (text_columns(w->text[i]) > most)
			most = text_columns(w->text[i]);
	return most;
}

void view_columns(struct string *out, int width, const struct text_list *w)
{
	const int widest = text_list_widest(w), cell = (widest > 1 ? widest : 1) + 2;
	const int columns = (width + 2) / cell > 1 ? (width + 2) / cell : 1;
	const int rows = (w->count + columns - 1) / columns;
	/*
	 * Row by row, though the texts run down the columns; the last one of a row is not padded.
	 */
	for (int row = 0; row < rows; row++) {
		for (int i = row; i < w->count; i += rows) {
			const bool last = i + rows >= w->count;
			string_addf(out, "%s%*s", w->text[i],
				    last ? 0 : cell - text_columns(w->text[i]), "");
		}
		string_addf(out, "\n");
	}
}

/* ---- Prose ---- */

/* A line of the text, in bytes. */
struct prose_line {
	size_t length, lead; /* lead: the blanks it begins with */
	size_t hang;	     /* where the meaning of its first word begins; = lead: nowhere */
};

/* Measures a line: two blanks after the first word separate it from its meaning. */
static struct prose_line read_line(const char *text)
{
	struct prose_line l = { .length = strcspn(text, "\n") };
	while (l.lead < l.length && text[l.lead] == ' ')
		l.lead++;
	l.hang = l.lead;
	for (size_t i = l.lead; l.lead && i + 2 < l.length; i++)
		if (text[i] == ' ' && text[i + 1] == ' ') {
			l.hang = i + strspn(text + i, " ");
			break;
		}
	return l;
}

/* Adds text that flows in a column of this indent; its first line continues the present one. */
static void add_under(struct string *out, int width, size_t indent, const char *text)
{
	struct string flow = { .allocator = out->allocator };
	view_flow(&flow, width - (int)indent, 0, text);
	for (const char *line = flow.data; line && *line;) {
		const size_t length = strcspn(line, "\n");
		string_addf(out, "%*s", line == flow.data ? 0 : (int)indent, "");
		string_add(out, line, length);
		string_addf(out, "\n");
		line += length + (line[length] == '\n');
	}
	out->failed |= flow.failed;
	string_release(&flow);
}

/* Adds a line of prose, broken if it is wider than the screen. */
static void add_line(struct string *out, int width, const struct prose_line *l, const char *text)
{
	const size_t narrow = l->lead + STEP;
	if (text_columns(text) <= width) {
		string_addf(out, "%s\n", text);
	} else if (l->hang > l->lead && l->hang * 2 <= (size_t)width) {
		string_add(out, text, l->hang);
		add_under(out, width, l->hang, text + l->hang);
	} else if (l->lead && narrow * 2 <= (size_t)width) {
		string_addf(out, "%*s", (int)l->lead, "");
		add_under(out, width, narrow, text + l->lead);
	} else {
		view_flow(out, width, 0, text);
	}
}

void view_prose(struct string *out, int width, const char *text)
{
	while (*text) {
		struct string line = { .allocator = out->allocator };
		const struct prose_line first = read_line(text);
		string_add(&line, text, first.length);
		text += first.length + (text[first.length] == '\n');
		/* Lines that continue the meaning of a word belong to it. */
		for (struct prose_line next = read_line(text);
		     *text && first.hang > first.lead && next.lead == first.hang &&
		     next.length > next.lead;
		     next = read_line(text)) {
			string_addf(&line, " ");
			string_add(&line, text + next.lead, next.length - next.lead);
			text += next.length + (text[next.length] == '\n');
		}
		if (!line.failed)
			add_line(out, width, &first, line.data ? line.data : "");
		out->failed |= line.failed;
		string_release(&line);
	}
}

/* ---- Names ---- */

/* The short notation needs the position: it leaves out what is plain there. */
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

/*
 * How a side is called: by its name if the game has names, by the colour of its pieces if two sides
 * have one, as on the page, else by the number of its seat.
 */
static void put_side(const struct qv_game *game, int seat, bool begins, struct qv_text *out)
{
	const struct qv_piece *piece = game->board ? game->board->pieces : NULL;
	if (qv_game_seat_name(game, seat)) {
		qv_put(out, qv_game_seat_name(game, seat));
		return;
	}
	while (piece && piece->name && piece->seat != seat)
		piece++;
	const char *space = piece && piece->name ? strchr(piece->name, ' ') : NULL;
	if (!space || strchr(space + 1, ' ') || game->seats != 2) {
		qv_put(out, begins ? "Seat " : "seat ");
		qv_put_int(out, seat + 1);
		return;
	}
	qv_put_char(out, (char)(piece->name[0] - 'a' + 'A')); /* names are in small letters */
	for (const char *c = piece->name + 1; c < space; c++)
		qv_put_char(out, *c);
}

struct seat_name seat_name(const struct session *s, int seat, bool begins)
{
	struct seat_name name = { "" };
	struct qv_text out = { name.text, sizeof name.text, 0 };
	const char *spec = session_spec(s, seat);
	const int level = session_level_of(spec);
	const bool you = session_is_person(s, seat) && session_people(s) == 1;
	if (you)
		qv_put(&out, begins ? "You (" : "you (");
	put_side(session_game(s), seat, begins && !you, &out);
	if (you) {
		qv_put(&out, ")");
	} else if (level) {
		qv_put(&out, " (level ");
		qv_put_int(&out, level);
		qv_put(&out, ")");
	} else if (!session_is_person(s, seat)) {
		char text[64];
		snprintf(text, sizeof text, " (%.60s)", spec);
		qv_put(&out, text);
	}
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

/* A move with a number to choose is several moves. */
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
		snprintf(text, sizeof text, "%s (1 to %d)", name.text, most);
		text_list_add(w, counts && most > 1 ? text : name.text);
	}
}

void line_words(struct session *s, int first, struct text_list *w)
{
	const struct qv_record *record = session_record(s);
	const struct qv_game *game = session_game(s);
	void *at = session_current(s)->scratch;
	tree_state_at(record, first, at);
	for (int ply = first; ply < qv_record_ply(record); ply++) {
		char text[WORD_ROOM];
		const qv_move move = qv_record_move(record, ply);
		snprintf(text, sizeof text, "%d. %s", ply - first + 1, move_name(s, at, move).text);
		text_list_add(w, text);
		game->play(at, move);
	}
}

/* ---- Status ---- */

/* Writes who won and why, and the points unless the end was declared. */
static void put_result(const struct session *s, struct qv_text *out)
{
	const struct qv_record *record = session_record(s);
	const struct qv_game *game = session_game(s);
	const struct engine *engine = context_engine(game);
	int32_t points[QV_MAX_SEATS] = { 0 }, now[QV_MAX_SEATS];
	const enum qv_outcome outcome = qv_record_result(record, points);
	const int winner = outcome == QV_DRAWN_BY_COUNT ? -1 : qv_winner(game, points);
	if (qv_record_winner(record) == QV_UNDECIDED) {
		qv_put(out, "Broken off");
	} else if (game->seats == 1) {
		qv_put(out, "The game is over");
	} else if (winner < 0) {
		qv_put(out, "A draw");
	} else {
		const bool you = session_is_person(s, winner) && session_people(s) == 1;
		qv_put(out, seat_name(s, winner, true).text);
		qv_put(out, you ? " win" : " wins");
	}
	if (record->ended) {
		qv_put_char(out, '.');
		return;
	}
	/* What ended the game, where its rules have a word for it. */
	if (game->result(session_state(s), now) == QV_GOING) {
		qv_put(out, " by repetition");
	} else if (engine->ending) {
		qv_put(out, ": ");
		qv_put(out, engine->ending(session_state(s)));
	} else if (outcome == QV_DRAWN_BY_COUNT) {
		qv_put(out, " by count");
	}
	for (int seat = 0; seat < game->seats; seat++) {
		qv_put(out, seat ? " : " : ". Score ");
		qv_put_int(out, points[seat]);
	}
	qv_put_char(out, '.');
}

/* The number of the move: how often the seats have moved, and one. */
static int move_number(struct session *s)
{
	const struct qv_record *record = session_record(s);
	const struct qv_game *game = session_game(s);
	void *at = session_current(s)->scratch;
	int moves = 0;
	tree_state_at(record, 0, at);
	for (int ply = 0; ply < qv_record_ply(record); ply++) {
		moves += game->seat(at) != QV_CHANCE;
		game->play(at, qv_record_move(record, ply));
	}
	return moves / game->seats + 1;
}

void view_status(struct session *s, const struct screen *screen, struct string *out)
{
	char text[512] = "";
	struct qv_text line = { text, sizeof text, 0 };
	const int seat_to_move = session_seat(s);
	const qv_move only = only_move(s);
	const struct play_words *words = context_engine(session_game(s))->words;
	if (session_turn(s) == TURN_OVER) {
		put_result(s, &line);
	} else if (seat_to_move == QV_CHANCE) {
		qv_put(&line, words ? words->chance_prompt : "Roll the dice.");
	} else {
		if (words && words->counts_moves) {
			qv_put(&line, "Move ");
			qv_put_int(&line, move_number(s));
			qv_put(&line, ". ");
		}
		qv_put(&line, seat_name(s, seat_to_move, true).text);
		qv_put(&line, " to move.");
	}
	if (only != QV_NO_MOVE) {
		qv_put(&line, " The only move: ");
		qv_put(&line, move_name(s, session_state(s), only).text);
		qv_put(&line, session_turn(s) == TURN_PERSON ? " (Enter plays it)." : ".");
	}
	if (game_clock_on(&session_current(s)->clock)) {
		for (int seat = 0; seat < session_game(s)->seats; seat++) {
			qv_put(&line, seat ? ", " : " Clocks ");
			put_clock(&line, session_left_ms(s, seat));
		}
		qv_put_char(&line, '.');
	}
	view_flow(out, screen->width, 0, text);
}
