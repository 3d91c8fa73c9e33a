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

enum {
	ROW_CELLS = 256,   /* of a drawing; what is wider is cut */
	GAP = 3,	   /* columns between board and panels */
	WIDEST_PANEL = 60, /* columns */
	WIDE_BOARD = 45,   /* columns that two panels leave to the board on the narrowest screen */
};

/* One character of UTF-8. */
struct cell {
	char text[5];
};

/* ---- Rows of cells ---- */

/* Whether a cell is empty space; so is everything beside the row. */
static bool is_blank(const struct cell *cells, int count, int at)
{
	return at < 0 || at >= count || cells[at].text[0] == ' ';
}

/* Reads a line of the drawing and steps behind it. */
static int read_row(const char **text, struct cell cells[ROW_CELLS])
{
	int count = 0;
	while (**text && **text != '\n') {
		struct cell cell = { "" };
		size_t n = 0;
		do
			cell.text[n++] = *(*text)++;
		while (n < 4 && ((unsigned char)**text & 0xc0) == 0x80);
		if (count < ROW_CELLS)
			cells[count++] = cell;
	}
	*text += **text == '\n';
	return count;
}

/* Whether the character of a cell is in a set of characters. */
static bool is_one_of(const struct cell *cell, const char *set)
{
	const char *found = strstr(set, cell->text);
	return cell->text[0] && found;
}

/* Characters that games draw where no piece stands: blanks, dots, grid lines. */
static bool is_empty_cell(const struct cell *cell)
{
	return is_one_of(cell, " .\302\267+-|_");
}

/* Box-drawing characters: U+2500 to U+257F. */
static bool is_box(const struct cell *cell)
{
	return memcmp(cell->text, "\342\224", 2) == 0 || memcmp(cell->text, "\342\225", 2) == 0;
}

/* ---- One row on the screen ---- */

/* A row of the board, now and before the last move. */
struct row {
	struct cell cells[ROW_CELLS], before[ROW_CELLS];
	int count, before_count;
	const struct turn_words *words; /* of a game that knows who owns a cell; or NULL */
	const struct qv_game *game;
	const void *state;
	int number; /* of the row */
};

/* Some games draw counts; a digit also stands for a free cell's number. */
static bool is_digit(const struct cell *cell)
{
	return cell->text[0] >= '0' && cell->text[0] <= '9';
}

/* Whether a piece has come to an empty cell. Numbers that only change are counts. */
static bool row_marks(const struct row *r, int at)
{
	const struct cell *before = &r->before[at], *now = &r->cells[at];
	if (at >= r->before_count || strcmp(before->text, now->text) == 0 || is_empty_cell(now) ||
	    is_box(now))
		return false;
	return is_digit(now) ? is_one_of(before, ".\302\267")
			     : is_empty_cell(before) || is_digit(before);
}

/* The colour of a side, that of its pieces if the board has it; parameters as below. */
static const char *side_colour(const struct qv_game *game, int seat)
{
	static const char *const colours[QV_PAINTS] = {
		[QV_PAINT_RED] = "1;31",
		[QV_PAINT_YELLOW] = "1;33",
		[QV_PAINT_BLUE] = "1;34",
		[QV_PAINT_GREEN] = "1;32",
	};
	const struct qv_piece *piece = game->board ? game->board->pieces : NULL;
	for (; piece && piece->name; piece++)
		if (piece->seat == seat && piece->paint < QV_PAINTS && colours[piece->paint])
			return colours[piece->paint];
	return seat ? "1;36" : "1;33";
}

/* The colour of a cell as parameters of an escape sequence; NULL: the default. */
static const char *cell_colour(const struct row *r, int at)
{
	/* Discs, triangles, diamonds and chess pieces of the two sides; other games draw x, o. */
	static const char *const first =
		"\342\227\217\342\226\262\342\227\206\342\231\224\342\231\225\342\231\226"
		"\342\231\227\342\231\230\342\231\231";
	static const char *const second =
		"\342\227\213\342\226\275\342\227\207\342\231\232\342\231\233\342\231\234"
		"\342\231\235\342\231\236\342\231\237";
	const struct cell *cell = &r->cells[at];
	const bool empty = is_empty_cell(cell) || is_box(cell);
	const int owner = r->words && !empty ? r->words->owner(r->state, r->number, at) : -1;
	if (owner >= 0)
		return side_colour(r->game, owner);
	/* Letters are pieces only where they stand alone, not in words. */
	const bool alone =
		is_blank(r->cells, r->count, at - 1) && is_blank(r->cells, r->count, at + 1);
	if (is_one_of(cell, first) || (alone && is_one_of(cell, "xX")))
		return side_colour(r->game, 0);
	if (is_one_of(cell, second) || (alone && is_one_of(cell, "oO")))
		return side_colour(r->game, 1);
	if (alone && is_one_of(cell, "+"))
		return "32";
	if (cell->text[0] != ' ' && empty)
		return "2";
	return row_marks(r, at) ? "1" : NULL;
}

/* Adds the row with the marks in colour or in brackets. Returns the columns used. */
static int add_row(struct row *r, bool coloured, struct string *out)
{
	/* Brackets need a blank on either side. */
	for (int i = 1; !coloured && i < r->count && i + 1 < ROW_CELLS; i++) {
		if (!row_marks(r, i) || !is_blank(r->cells, r->count, i - 1) ||
		    !is_blank(r->cells, r->count, i + 1))
			continue;
		strcpy(r->cells[i - 1].text, "(");
		strcpy(r->cells[i + 1].text, ")");
		if (i + 1 == r->count)
			r->count++;
	}
	for (int i = 0; i < r->count; i++) {
		const char *colour = coloured ? cell_colour(r, i) : NULL;
		if (colour)
			string_addf(out, "\033[%s%sm%s\033[0m", colour, row_marks(r, i) ? ";7" : "",
				    r->cells[i].text);
		else
			string_addf(out, "%s", r->cells[i].text);
	}
	return r->count;
}

/* ---- Panels ---- */

struct panel {
	const char *title;
	struct text_list words;
	int first;	   /* the first word that is shown */
	int rows, columns; /* of words, down the columns; the title stands above them */
	int cell;	   /* the width of a column */
};

/*
 * Fits as many words as there is room for: the last, or the first with a sign that there are more.
 */
static void panel_fit(struct panel *p, int width, int rows, bool last)
{
	p->cell = p->words.count ? text_list_widest(&p->words) + 2 : 1;
	p->rows = rows;
	p->columns = width / p->cell > 0 ? width / p->cell : 1;
	/* Of the moves so far the last ones count, of the legal moves the first ones. */
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

/* Adds a row of a panel: its title, or the words of that row. Returns the columns used. */
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

/* ---- The board ---- */

/* Adds the drawing, or the position's text cut into lines. False: out of memory. */
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
	text = string_extend(out, text.length);
	game->draw(state, screen->unicode, &text);
	return !out->failed;
}

/* What stands beside the board. */
struct panels {
	struct panel list[2];
	int count, width; /* width: of each */
};

/* Keeps the last words if there are too many, after a sign that there are more. */
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

/* Adds what happened before this turn: paragraphs as lines of this width, a word each. */
static void add_news(struct session *s, struct text_list *w, int width)
{
	struct string news = { .allocator = s->allocator }, flow = { .allocator = s->allocator };
	turns_news(s, -1, &news);
	if (news.length)
		view_flow(&flow, width, 2, news.data);
	for (const char *line = flow.data; line && *line;) {
		char word[WORD_ROOM];
		const size_t length = strcspn(line, "\n");
		snprintf(word, sizeof word, "%.*s", (int)length, line);
		text_list_add(w, word);
		line += length + (line[length] == '\n');
	}
	w->failed |= news.failed || flow.failed;
	string_release(&news);
	string_release(&flow);
}

/* Fills in the orders of this turn and what happened before it, each at least half of the room. */
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
	/* The news has a heading below the orders, after an empty line. */
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

/* Fills the panels beside a board of `rows` rows. A wide screen has two of them. */
static void panels_init(struct panels *p, struct session *s, int width, int rows)
{
	p->count = width >= TWO_PANELS - WIDE_BOARD ? 2 : 1;
	p->width =
		(width - GAP) / p->count < WIDEST_PANEL ? (width - GAP) / p->count : WIDEST_PANEL;
	p->list[0] = (struct panel){ .title = "moves so far", .words.allocator = s->allocator };
	if (turns_words(s)) {
		fill_turn(&p->list[0], s, p->width - GAP, rows - 1);
	} else {
		line_words(s, 0, &p->list[0].words);
		panel_fit(&p->list[0], p->width - GAP, rows - 1, true);
	}
	if (p->count < 2)
		return;
	p->list[1] = (struct panel){ .title = "legal moves", .words.allocator = s->allocator };
	legal_words(s, false, &p->list[1].words);
	panel_fit(&p->list[1], p->width - GAP, rows - 1, false);
}

/* Adds a row of the panels, after `room` blanks. */
static void add_panels(const struct panels *p, int row, int room, struct string *out)
{
	struct string text = { .allocator = out->allocator };
	int column = 0;
	for (int i = 0; i < p->count; i++) {
		if (i)
			string_addf(&text, "%*s", p->width * i - column, "");
		column = p->width * i + panel_row(&p->list[i], row, &text);
	}
	/* No blanks at the ends of lines. */
	while (text.length && text.data[text.length - 1] == ' ')
		text.data[--text.length] = '\0';
	if (text.length)
		string_addf(out, "%*s%s", room, "", text.data);
	string_release(&text);
}

/*
 * The column where the panels begin, and how many rows there are; 0: there is no room for panels.
 */
static int panels_left(const struct screen *screen, const char *board, int *rows)
{
	struct cell cells[ROW_CELLS];
	int columns = 0;
	for (*rows = 0; *board; ++*rows) {
		const int count = read_row(&board, cells);
		columns = count > columns ? count : columns;
	}
	const int left = columns + 1 + GAP;
	const bool room = screen->terminal && screen->width >= PANEL_WIDTH && *rows > 2 &&
			  screen->width - left >= PANEL_WIDTH / 3;
	return room ? left : 0;
}

void view_board(struct session *s, const struct screen *screen, struct string *out)
{
	struct string board = { .allocator = s->allocator }, before = { .allocator = s->allocator };
	struct row r = { .words = turns_words(s), .game = session_game(s),
			 .state = session_state(s) };
	struct panels panels = { .count = 0 };
	const bool drawn = draw(s, session_state(s), screen, &board);
	/*
	 * The position before the last move that was not chance's. Where a turn has many moves, the
	 * panels and the news report what changed.
	 */
	const bool marks = drawn && !r.words && session_game(s)->draw;
	void *state = session_current(s)->scratch;
	for (int ply = qv_record_ply(session_record(s)) - 1; marks && ply >= 0; ply--) {
		tree_state_at(session_record(s), ply, state);
		if (session_game(s)->seat(state) == QV_CHANCE)
			continue;
		draw(s, state, screen, &before);
		break;
	}
	const char *now = drawn && board.length ? board.data : "";
	const char *then = before.data ? before.data : "";
	int rows;
	const int left = panels_left(screen, now, &rows);
	if (left)
		panels_init(&panels, s, screen->width - left, rows);
	for (; *now; r.number++) {
		r.count = read_row(&now, r.cells);
		r.before_count = *then ? read_row(&then, r.before) : 0;
		const int used = add_row(&r, screen->colour, out);
		add_panels(&panels, r.number, left - used, out);
		string_addf(out, "\n");
	}
	for (int i = 0; i < panels.count; i++)
		text_list_release(&panels.list[i].words);
	out->failed |= !drawn;
	string_release(&board);
	string_release(&before);
}

/* Draws the board only to measure it, which is cheap beside everything that is printed. */
bool view_has_panels(struct session *s, const struct screen *screen)
{
	struct string board = { .allocator = s->allocator };
	int rows;
	const bool drawn = draw(s, session_state(s), screen, &board);
	const bool has = drawn && board.length && panels_left(screen, board.data, &rows) > 0;
	string_release(&board);
	return has;
}
