/*
 * board.c - the board of any game, with the last move marked, and panels beside it.
 * SPDX-License-Identifier: MIT
 *
 * A game draws plain text. What the last move changed is found by drawing the position before it
 * too, and comparing the two, character by character: a piece that was not there before has
 * arrived. It is shown inverse, or, without colours, in brackets where there is room for them.
 */
#include "terminal/turns.h"

#include "search/engine.h"

enum { ROW_CELLS = 256, GAP = 3, WIDEST_PANEL = 60, WIDE_BOARD = 45 };

/* One character of UTF-8. */
struct cell {
	char text[5];
};

/* ---- Rows of cells ---- */

static bool is_blank(const struct cell *cells, int count, int at)
{
	return at < 0 || at >= count || cells[at].text[0] == ' ';
}

static struct cell next_cell(const char **text)
{
	struct cell cell = { "" };
	size_t n = 0;
	do
		cell.text[n++] = *(*text)++;
	while (n < 4 && ((unsigned char)**text & 0xc0) == 0x80);
	return cell;
}

/* A line of the drawing; steps behind it. What is wider than any screen is cut. */
static int read_row(const char **text, struct cell cells[ROW_CELLS])
{
	int count = 0;
	while (**text && **text != '\n') {
		const struct cell cell = next_cell(text);
		if (count < ROW_CELLS)
			cells[count++] = cell;
	}
	if (**text == '\n')
		++*text;
	return count;
}

static bool is_one_of(const struct cell *cell, const char *set)
{
	const char *found = strstr(set, cell->text);
	return cell->text[0] && found;
}

static bool is_empty_cell(const struct cell *cell)
{
	return is_one_of(cell, " .\302\267+-|_");
}

static bool is_box(const struct cell *cell)
{
	return memcmp(cell->text, "\342\224", 2) == 0 || memcmp(cell->text, "\342\225", 2) == 0;
}

/* Whether a piece has come to where there was none. Numbers that only change are counts. */
static bool has_arrived(const struct cell *before, const struct cell *now)
{
	const bool digit = now->text[0] >= '0' && now->text[0] <= '9';
	if (strcmp(before->text, now->text) == 0 || is_empty_cell(now) || is_box(now))
		return false;
	if (digit)
		return is_one_of(before, ".\302\267");
	return is_empty_cell(before) || (before->text[0] >= '0' && before->text[0] <= '9');
}

/* ---- One row on the screen ---- */

struct row {
	struct cell cells[ROW_CELLS], before[ROW_CELLS];
	int count, before_count;
	const struct turn_words *words; /* of a game that says whose a cell is; or NULL */
	const void *state;
	int number; /* of the row */
};

static bool row_marks(const struct row *r, int at)
{
	return at < r->before_count && has_arrived(&r->before[at], &r->cells[at]);
}

/* The colour of a cell, as the terminal is told it; NULL: none. */
static const char *cell_colour(const struct row *r, int at)
{
	static const char *const first = "\342\227\217\342\231\224\342\231\225\342\231\226"
					 "\342\231\227\342\231\230\342\231\231";
	static const char *const second = "\342\227\213\342\231\232\342\231\233\342\231\234"
					  "\342\231\235\342\231\236\342\231\237";
	static const char *const seats[QV_MAX_SEATS] = { "1;31", "1;33", "1;32", "1;34" };
	const struct cell *cell = &r->cells[at];
	const bool empty = is_empty_cell(cell) || is_box(cell);
	const int owner = r->words && !empty ? r->words->owner(r->state, r->number, at) : -1;
	if (owner >= 0)
		return seats[owner];
	const bool alone =
		is_blank(r->cells, r->count, at - 1) && is_blank(r->cells, r->count, at + 1);
	if (is_one_of(cell, first) || (alone && is_one_of(cell, "xX")))
		return "1;33";
	if (is_one_of(cell, second) || (alone && is_one_of(cell, "oO")))
		return "1;36";
	if (alone && is_one_of(cell, "+"))
		return "32";
	if (cell->text[0] != ' ' && empty)
		return "2";
	return row_marks(r, at) ? "1" : NULL;
}

static void add_coloured(const struct row *r, struct string *out)
{
	for (int i = 0; i < r->count; i++) {
		const char *colour = cell_colour(r, i);
		if (colour)
			string_addf(out, "\033[%s%sm%s\033[0m", colour, row_marks(r, i) ? ";7" : "",
				    r->cells[i].text);
		else
			string_addf(out, "%s", r->cells[i].text);
	}
}

/* Brackets want a blank on either side. Returns the columns used. */
static int add_bracketed(struct row *r, struct string *out)
{
	for (int i = 1; i < r->count && i + 1 < ROW_CELLS; i++) {
		if (!row_marks(r, i) || !is_blank(r->cells, r->count, i - 1) ||
		    !is_blank(r->cells, r->count, i + 1))
			continue;
		strcpy(r->cells[i - 1].text, "(");
		strcpy(r->cells[i + 1].text, ")");
		if (i + 1 == r->count)
			r->count++;
	}
	for (int i = 0; i < r->count; i++)
		string_addf(out, "%s", r->cells[i].text);
	return r->count;
}

/* ---- Panels ---- */

struct panel {
	const char *title;
	struct text_list words;
	int first, rows, columns, cell; /* of the words; the title stands above */
};

/* Fits as many words as there is room for: the last, or the first with a sign that there are more.
 */
static void panel_fit(struct panel *p, int width, int rows, bool last)
{
	p->cell = 1;
	for (int i = 0; i < p->words.count; i++)
		if (text_columns(p->words.text[i]) + 2 > p->cell)
			p->cell = text_columns(p->words.text[i]) + 2;
	p->rows = rows;
	p->columns = width / p->cell > 0 ? width / p->cell : 1;
	const int room = p->rows * p->columns;
	if (room < 1 || p->words.count <= room)
		return;
	if (last) {
		p->first = p->words.count - room;
	} else {
		p->words.count = room;
		snprintf(p->words.text[room - 1], WORD_ROOM, "...");
	}
}

static int panel_row(const struct panel *p, int row, struct string *out)
{
	int used = 0;
	if (row == 0) {
		string_addf(out, "%s", p->title);
		return text_columns(p->title);
	}
	for (int column = 0; column < p->columns; column++) {
		const int i = p->first + column * p->rows + row - 1;
		if (row - 1 >= p->rows || i >= p->words.count)
			break;
		string_addf(out, "%*s%s", column * p->cell - used, "", p->words.text[i]);
		used = column * p->cell + text_columns(p->words.text[i]);
	}
	return used;
}

/* ---- The whole ---- */

/* The drawing, or the position's text cut into lines; NULL: no memory. The caller releases it. */
static bool draw(const struct session *s, const void *state, const struct screen *screen,
		 struct string *out)
{
	const struct qv_game *game = session_game(s);
	struct qv_text text = { NULL, 0, 0 };
	if (!game->draw) {
		char position[QV_POSITION_TEXT] = "";
		text = (struct qv_text){ position, sizeof position, 0 };
		game->position_text(state, &text);
		view_flow(out, screen->width, 0, position);
		return !out->failed;
	}
	game->draw(state, screen->unicode, &text);
	char *data = mem_new(s->allocator, text.length + 1, 1);
	if (!data)
		return false;
	text = (struct qv_text){ data, text.length + 1, 0 };
	game->draw(state, screen->unicode, &text);
	string_add(out, data, strlen(data));
	mem_free(s->allocator, data, text.size);
	return !out->failed;
}

/* The position before the last move that was not chance's, into scratch; false: there is none. */
static bool position_before(struct session *s)
{
	const struct qv_record *record = session_record(s);
	const struct qv_game *game = session_game(s);
	const int ply = qv_record_ply(record);
	int last = -1;
	memcpy(session_current(s)->scratch, record->kept, game->state_size);
	for (int i = 0; i < ply; i++) {
		if (game->seat(session_current(s)->scratch) != QV_CHANCE)
			last = i;
		game->play(session_current(s)->scratch, qv_record_move(record, i));
	}
	memcpy(session_current(s)->scratch, record->kept, game->state_size);
	for (int i = 0; i < last; i++)
		game->play(session_current(s)->scratch, qv_record_move(record, i));
	return last >= 0;
}

static void measure(const char *board, int *rows, int *columns)
{
	struct cell cells[ROW_CELLS];
	*rows = *columns = 0;
	while (*board) {
		const int count = read_row(&board, cells);
		*columns = count > *columns ? count : *columns;
		++*rows;
	}
}

struct panels {
	struct panel list[2];
	int count, width; /* of each */
};

/* Lines as words, each too short to be cut. */
static void add_lines(struct text_list *w, const struct string *text)
{
	for (const char *line = text->data; line && *line;) {
		char word[WORD_ROOM];
		const size_t length = strcspn(line, "\n");
		snprintf(word, sizeof word, "%.*s", (int)length, line);
		text_list_add(w, word);
		line += length + (line[length] == '\n');
	}
	w->failed |= text->failed;
}

/* Paragraphs in lines of a width. */
static void add_flowing(struct text_list *w, const struct string *text, int width)
{
	for (const char *line = text->data; line && *line;) {
		struct string one = { .allocator = w->allocator };
		struct string flow = { .allocator = w->allocator };
		const size_t length = strcspn(line, "\n");
		string_add(&one, line, length);
		if (!one.failed)
			view_flow(&flow, width, 2, one.data);
		add_lines(w, &flow);
		w->failed |= one.failed;
		string_release(&one);
		string_release(&flow);
		line += length + (line[length] == '\n');
	}
}

/* Of too many words the last, behind a sign that there are more. */
static void keep_last(struct text_list *w, int room, const char *sign)
{
	if (w->count <= room)
		return;
	if (room > 0) {
		memmove(w->text, w->text + w->count - room, (size_t)room * sizeof *w->text);
		snprintf(w->text[0], WORD_ROOM, "%s", sign);
	}
	w->count = room;
}

/* What happened before this turn, in lines of a width. */
static void add_news(struct session *s, struct text_list *w, int width)
{
	struct string news = { .allocator = s->allocator };
	turns_news(s, -1, &news);
	add_flowing(w, &news, width);
	w->failed |= news.failed;
	string_release(&news);
}

/* The orders of this turn, and what happened before it; half of the room at least for either. */
static void fill_turn(struct panel *p, struct session *s, int width, int rows)
{
	const bool over = session_turn(s) == TURN_OVER;
	struct text_list news = { .allocator = s->allocator };
	struct text_list *orders = &p->words;
	p->rows = rows;
	p->columns = 1;
	p->title = over ? "what happened last" : "orders of this turn";
	add_news(s, &news, width);
	turns_orders(s, orders);
	if (!orders->count && !over)
		text_list_add(orders, "(none yet)");
	const int heading = over || !news.count ? 0 : 2;
	const int left = rows - heading - orders->count, half = (rows - heading) / 2;
	keep_last(&news, left > half ? left : half, "... ('news' has all)");
	keep_last(orders, rows - heading - news.count, "... ('orders' has all)");
	for (int i = 0; i < heading; i++)
		text_list_add(orders, i ? "what happened last" : "");
	for (int i = 0; i < news.count; i++)
		text_list_add(orders, news.text[i]);
	text_list_release(&news);
}

static void panels_init(struct panels *p, struct session *s, int width, int rows)
{
	p->count = width >= TWO_PANELS - WIDE_BOARD ? 2 : 1;
	p->width =
		(width - GAP) / p->count < WIDEST_PANEL ? (width - GAP) / p->count : WIDEST_PANEL;
	p->list[0] = (struct panel){ .title = "moves so far", .words.allocator = s->allocator };
	if (turns_words(s)) {
		fill_turn(&p->list[0], s, p->width - GAP, rows - 1);
	} else {
		line_words(s, &p->list[0].words);
		panel_fit(&p->list[0], p->width - GAP, rows - 1, true);
	}
	if (p->count < 2)
		return;
	p->list[1] = (struct panel){ .title = "legal moves", .words.allocator = s->allocator };
	legal_words(s, false, &p->list[1].words);
	panel_fit(&p->list[1], p->width - GAP, rows - 1, false);
}

static void add_panels(const struct panels *p, int row, int room, struct string *out)
{
	struct string text = { .allocator = out->allocator };
	int column = 0;
	for (int i = 0; i < p->count; i++) {
		if (i)
			string_addf(&text, "%*s", p->width * i - column, "");
		column = p->width * i + panel_row(&p->list[i], row, &text);
	}
	while (text.length && text.data[text.length - 1] == ' ')
		text.data[--text.length] = '\0';
	if (text.length)
		string_addf(out, "%*s%s", room, "", text.data);
	string_release(&text);
}

/* Where the panels begin; 0: there is no room for any. */
static int panels_left(const struct screen *screen, const char *board, int *rows)
{
	int columns;
	measure(board, rows, &columns);
	const int left = columns + 1 + GAP;
	const bool room = screen->terminal && screen->width >= PANEL_WIDTH && *rows > 2 &&
			  screen->width - left >= PANEL_WIDTH / 3;
	return room ? left : 0;
}

static void add_rows(struct session *s, const struct screen *screen, const char *board,
		     const char *before, struct string *out)
{
	struct row r = { .words = turns_words(s), .state = session_state(s) };
	struct panels panels = { .count = 0 };
	int rows;
	const int left = panels_left(screen, board, &rows);
	if (left)
		panels_init(&panels, s, screen->width - left, rows);
	for (; *board; r.number++) {
		r.count = read_row(&board, r.cells);
		r.before_count = *before ? read_row(&before, r.before) : 0;
		int used = r.count;
		if (screen->colour)
			add_coloured(&r, out);
		else
			used = add_bracketed(&r, out);
		add_panels(&panels, r.number, left - used, out);
		string_addf(out, "\n");
	}
	for (int i = 0; i < panels.count; i++)
		text_list_release(&panels.list[i].words);
}

void view_board(struct session *s, const struct screen *screen, struct string *out)
{
	struct string board = { .allocator = s->allocator }, before = { .allocator = s->allocator };
	const bool drawn = draw(s, session_state(s), screen, &board);
	/* Where a turn is many moves, the panels and the news say what changed. */
	if (drawn && !turns_words(s) && position_before(s) && session_game(s)->draw)
		draw(s, session_current(s)->scratch, screen, &before);
	if (drawn && board.length)
		add_rows(s, screen, board.data, before.data ? before.data : "", out);
	out->failed |= !drawn;
	string_release(&board);
	string_release(&before);
}

bool view_has_panels(struct session *s, const struct screen *screen)
{
	struct string board = { .allocator = s->allocator };
	int rows;
	const bool drawn = draw(s, session_state(s), screen, &board);
	const bool has = drawn && board.length && panels_left(screen, board.data, &rows) > 0;
	string_release(&board);
	return has;
}
