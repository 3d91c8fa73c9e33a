/*
 * xboard.c - the XBoard protocol (CECP 2), the engine's side: its commands.
 * SPDX-License-Identifier: MIT
 *
 * One table lists the commands: the function that runs each of them, and when it may run while the
 * engine searches. A line that may not run yet waits in the connection's queue. After each line,
 * xboard_idle (xboard_search.c) begins the search that the new state of the game asks for. A line
 * that is neither a command nor a move is answered with `Error (unknown command)`.
 */
#include "protocols/xboard.h"

#include "base/clock.h"
#include "book/book.h"
#include "core/context.h"

enum { MOST_MS = 7 * 24 * 3600 * 1000 };

/* When a command may run during a search. */
enum when {
	AT_ONCE,
	IN_TURN, /* after the move that is being searched */
	QUIETLY, /* likewise, but pondering and analysis end first */
	BREAKS,	 /* whatever is being searched is dropped */
};

/* What tells apart the commands that share a function, or that the dispatcher treats specially. */
enum id {
	PLAIN,
	ANALYSE,
	BLACK,
	EASY,
	EDIT,
	EXIT,
	FORCE,
	GO,
	HARD,
	INCLUDE,
	MEMORY,
	MOVE_NOW,
	NOPOST,
	OPTION,
	PAUSE,
	PING,
	PLAYOTHER,
	POST,
	QUIT,
	REMOVE,
	RESUME,
	TIME,
	USER_MOVE
};

/* A line with a command: what its handler gets. */
struct request {
	struct connection *c;
	const struct command *command; /* NULL: a move without `usermove` */
	char *rest;		       /* the arguments, trimmed; may be changed */
	struct string *out;
};

struct command {
	const char *name; /* several names are separated by '|' */
	enum when when;
	void (*run)(struct request *r); /* NULL: no effect, or xboard_line runs it */
	enum id id;
};

/* The form of errors that the protocol prescribes. */
static void wrong(const struct request *r, const char *why, const char *what)
{
	string_addf(r->out, "Error (%s): %.200s\n", why, what);
}

/* The argument is missing, malformed or out of range. */
static void bad_argument(const struct request *r)
{
	wrong(r, "bad argument", r->command->name);
}

/* Whether a search for this purpose runs. */
static bool has_job(const struct connection *c, enum xboard_job job)
{
	return c->busy && atomic_load(&xboard_of(c)->job) == (int)job;
}

/* ---- Features and options ---- */

/* protover N: announces the features. A version 1 interface does not know them. */
static void on_protover(struct request *r)
{
	int64_t version;
	if (!text_to_int(words_next(&r->rest), 1, INT32_MAX, &version)) {
		bad_argument(r);
		return;
	}
	if (version < 2)
		return;
	xboard_add_features(r->c, r->out);
}

/* option NAME, option NAME=VALUE, memory MEGABYTES, cores NUMBER */
static void on_option(struct request *r)
{
	const char *name = r->command->id == MEMORY ? "Hash" : "Threads", *value = r->rest;
	struct qv_error error;
	int64_t number;
	if (r->command->id == OPTION) {
		char *equals = strchr(r->rest, '=');
		value = equals ? equals + 1 : "";
		if (equals)
			*equals = '\0';
		name = words_trim(r->rest);
	}
	const struct option *option = xboard_option_find(name);
	if (!option)
		wrong(r, "no such option", r->rest);
	else if (r->command->id != OPTION && !text_to_int(value, option->min, option->max, &number))
		bad_argument(r);
	else if (engine_set(&r->c->engine, option, value, &error) != QV_OK)
		wrong(r, r->command->name, error.text);
}

/* ---- Time ---- */

/* Reads seconds, perhaps with decimals, as milliseconds, and steps past them. */
static bool read_seconds(char **at, int64_t *ms)
{
	int64_t value = 0, unit = 1000;
	char *p = *at;
	if (!is_digit(*p))
		return false;
	for (; is_digit(*p); p++)
		value = value < MOST_MS ? value * 10 + (*p - '0') * 1000 : value;
	if (*p == '.')
		for (p++; is_digit(*p); p++)
			value += (*p - '0') * (unit /= 10);
	*at = p;
	*ms = value < MOST_MS ? value : MOST_MS;
	return true;
}

/* level MOVES BASE INCREMENT, where BASE is MINUTES or MINUTES:SECONDS */
static void on_level(struct request *r)
{
	int64_t moves, minutes, seconds = 0, added = 0;
	bool good = text_to_int(words_next(&r->rest), 0, INT32_MAX, &moves);
	char *base = words_next(&r->rest);
	good = good && read_seconds(&base, &minutes);
	if (good && *base == ':') {
		base++;
		good = read_seconds(&base, &seconds);
	}
	if (!good || *base || (*r->rest && !read_seconds(&r->rest, &added)) || *r->rest) {
		bad_argument(r);
		return;
	}
	minutes = minutes < MOST_MS / 60 ? minutes * 60 : MOST_MS; /* now in milliseconds, too */
	const int64_t ms = minutes + seconds < MOST_MS ? minutes + seconds : MOST_MS;
	const struct time_control control = { .base_ms = ms ? ms : 1,
					      .added_ms = added,
					      .period_moves = (int)moves };
	game_clock_init(&xboard_of(r->c)->clock, &control);
}

/* st SECONDS: for each move */
static void on_st(struct request *r)
{
	int64_t ms;
	if (!read_seconds(&r->rest, &ms) || *r->rest) {
		bad_argument(r);
		return;
	}
	const struct time_control control = { .move_ms = ms ? ms : 1 };
	game_clock_init(&xboard_of(r->c)->clock, &control);
}

/* sd DEPTH */
static void on_sd(struct request *r)
{
	if (!text_to_int(r->rest, 0, INT32_MAX, &xboard_of(r->c)->depth))
		bad_argument(r);
}

/* time CENTISECONDS, otim CENTISECONDS: what is left on the clocks */
static void on_time(struct request *r)
{
	const int side = r->command->id == TIME ? XBOARD_OWN : XBOARD_OPPONENT;
	int64_t hundredths;
	if (text_to_int(r->rest, -MOST_MS, MOST_MS, &hundredths))
		game_clock_set(&xboard_of(r->c)->clock, side, hundredths * 10);
	else
		bad_argument(r);
}

/* ---- The game ---- */

/* What was known about the position on the board does not hold for the next one. */
static void forget_position(struct xboard *x)
{
	x->excluded_count = 0;
	x->expected = QV_NO_MOVE;
	x->knows_score = false;
	x->told_end = false;
}

/*
 * The time control stays, as the protocol prescribes; depth and pause end. The engine plays Black.
 */
static void on_new(struct request *r)
{
	struct connection *c = r->c;
	struct xboard *x = xboard_of(c);
	const struct time_control control = x->clock.control;
	struct qv_error error;
	if ((x->by_variant && !xboard_set_variant(c, "normal", &error)) ||
	    engine_new_game(&c->engine, NULL, &error) != QV_OK)
		string_addf(r->out, "tellusererror %s\n", error.text);
	x->by_variant = false;
	x->force = x->analyse; /* an analysis continues, from the start */
	x->paused = false;
	x->seat = 1;
	x->depth = 0;
	game_clock_init(&x->clock, &control);
	forget_position(x);
}

/* variant normal, variant fischerandom: the board is set up next; `new` ends the variant. */
static void on_variant(struct request *r)
{
	struct qv_error error;
	if (xboard_set_variant(r->c, r->rest, &error)) {
		xboard_of(r->c)->by_variant = true;
		forget_position(xboard_of(r->c));
	} else if (error.text[0]) {
		string_addf(r->out, "tellusererror %s\n", error.text);
	} else {
		wrong(r, "unsupported variant", r->rest);
	}
}

/* An illegal position is reported to the user, and the game stays as it was. */
static void set_board(struct connection *c, const char *fen, struct string *out)
{
	struct qv_error error;
	if (engine_position(&c->engine, fen, &error) != QV_OK)
		string_addf(out, "tellusererror Illegal position: %s\n", error.text);
	else
		forget_position(xboard_of(c));
}

/* setboard FEN */
static void on_setboard(struct request *r)
{
	if (*r->rest)
		set_board(r->c, r->rest, r->out);
	else
		bad_argument(r);
}

/* The old commands white and black: that side is to move, and the engine gets the other one. */
static void on_side(struct request *r)
{
	struct connection *c = r->c;
	const int seat = r->command->id == BLACK;
	char text[QV_POSITION_TEXT] = "", fen[QV_POSITION_TEXT] = "";
	struct qv_text from = { text, sizeof text, 0 }, to = { fen, sizeof fen, 0 };
	xboard_of(c)->seat = 1 - seat;
	if (xboard_seat_to_move(c) == seat)
		return;
	c->engine.rules.game->position_text(engine_state(&c->engine), &from);
	r->rest = text;
	const char *board = words_next(&r->rest);
	words_next(&r->rest);
	const char *rights = words_next(&r->rest);
	qv_put(&to, board);
	qv_put(&to, seat ? " b " : " w ");
	qv_put(&to, rights);
	qv_put(&to, " - 0 1");
	set_board(c, fen, r->out);
}

/* undo takes back one move, remove one of each side. */
static void on_undo(struct request *r)
{
	struct connection *c = r->c;
	struct xboard *x = xboard_of(c);
	const int plies = r->command->id == REMOVE ? 2 : 1;
	if (engine_undo(&c->engine, plies, NULL) != QV_OK) {
		wrong(r, "nothing to take back", r->command->name);
		return;
	}
	game_clock_unmove(&x->clock, XBOARD_OWN, plies / 2);
	forget_position(x);
}

/*
 * usermove MOVE, or just the move. A draw that nobody claimed does not end a game that is only
 * entered or analysed.
 */
static void on_user_move(struct request *r)
{
	struct connection *c = r->c;
	struct engine_session *e = &c->engine;
	const bool plays = !xboard_of(c)->analyse && !xboard_of(c)->force;
	qv_move move;
	if (engine_over(e) && plays) {
		string_addf(r->out, "Illegal move (the game has ended): %.100s\n", r->rest);
		return;
	}
	if (engine_over(e))
		engine_play_on(e, NULL);
	if (qv_move_parse(e->rules.game, engine_state(e), r->rest, &move, NULL) != QV_OK ||
	    qv_record_play(e->record, move, -1, NULL) != QV_OK) {
		string_addf(r->out, "Illegal move: %.100s\n", r->rest);
		return;
	}
	xboard_of(c)->excluded_count = 0;
	xboard_of(c)->told_end = false;
	if (plays)
		xboard_add_result(c, r->out);
}

/* ---- edit: pieces one by one, then a dot ---- */

/* a1 to h8; what follows is not looked at. */
static bool is_square(const char *text)
{
	return text[0] >= 'a' && text[0] <= 'h' && text[1] >= '1' && text[1] <= '8';
}

/*
 * The board is kept as 64 characters until the dot, because positions in between are seldom legal.
 */
static void edit_begin(struct connection *c)
{
	struct xboard *x = xboard_of(c);
	char text[QV_POSITION_TEXT] = "";
	struct qv_text fen = { text, sizeof text, 0 };
	int at = 0;
	forget_position(x);
	c->engine.rules.game->position_text(engine_state(&c->engine), &fen);
	memset(x->edited, ' ', sizeof x->edited);
	for (const char *p = text; *p && *p != ' ' && at < XBOARD_SQUARES; p++)
		if (is_digit(*p))
			at += *p - '0';
		else if (*p != '/')
			x->edited[at++] = *p;
	x->editing = true;
	x->edits_black = false;
}

/*
 * Sets up the edited position. The side to move stays. The command has no word for castling
 * rights: a king and a rook on their first squares have them.
 */
static void edit_end(struct connection *c, struct string *out)
{
	static const struct {
		int king, rook;
		char king_piece, rook_piece, right;
	} castling[] = { { 60, 63, 'K', 'R', 'K' },
			 { 60, 56, 'K', 'R', 'Q' },
			 { 4, 7, 'k', 'r', 'k' },
			 { 4, 0, 'k', 'r', 'q' } };
	struct xboard *x = xboard_of(c);
	char text[QV_POSITION_TEXT] = "";
	struct qv_text fen = { text, sizeof text, 0 };
	int empty = 0;
	x->editing = false;
	for (int i = 0; i < XBOARD_SQUARES; i++) {
		const bool row_ends = i % XBOARD_SIDE == XBOARD_SIDE - 1;
		empty += x->edited[i] == ' ';
		if (empty && (row_ends || x->edited[i] != ' ')) {
			qv_put_int(&fen, empty);
			empty = 0;
		}
		if (x->edited[i] != ' ')
			qv_put_char(&fen, x->edited[i]);
		if (row_ends && i < XBOARD_SQUARES - 1)
			qv_put_char(&fen, '/');
	}
	qv_put(&fen, xboard_seat_to_move(c) ? " b " : " w ");
	const size_t before = fen.length;
	for (int i = 0; i < 4; i++)
		if (x->edited[castling[i].king] == castling[i].king_piece &&
		    x->edited[castling[i].rook] == castling[i].rook_piece)
			qv_put_char(&fen, castling[i].right);
	qv_put(&fen, fen.length == before ? "- - 0 1" : " - 0 1");
	set_board(c, text, out);
}

/* One line: '#' clears the board, 'c' changes the colour, 'x' empties a square, '.' ends it. */
static enum next_step edit_line(struct connection *c, const char *line, struct string *out)
{
	struct xboard *x = xboard_of(c);
	if (strcmp(line, ".") == 0) {
		edit_end(c, out);
		return xboard_idle(c, out);
	}
	if (strcmp(line, "#") == 0) {
		memset(x->edited, ' ', sizeof x->edited);
	} else if (strcmp(line, "c") == 0) {
		x->edits_black = !x->edits_black;
	} else if (strlen(line) == 3 && is_one_of(line[0], "PNBRQKx") && is_square(line + 1)) {
		const char piece = x->edits_black ? to_lower(line[0]) : line[0];
		const int row = '8' - line[2];
		x->edited[row * XBOARD_SIDE + line[1] - 'a'] = line[0] == 'x' ? ' ' : piece;
	} else {
		string_addf(out, "Error (no such man or square): %.100s\n", line);
	}
	return NEXT_LINE;
}

/* ---- Modes ---- */

/* The commands that only change the state of the engine. */
static void on_mode(struct request *r)
{
	struct connection *c = r->c;
	struct xboard *x = xboard_of(c);
	const enum id id = r->command->id;
	switch (id) {
	case FORCE:
		x->force = true;
		x->paused = false;
		break;
	case GO:
	case PLAYOTHER:
		x->force = x->analyse = false;
		x->seat = id == GO ? xboard_seat_to_move(c) : 1 - xboard_seat_to_move(c);
		break;
	case ANALYSE:
		x->analyse = x->force = true;
		x->told_end = false;
		break;
	case EXIT:
		x->analyse = false;
		x->excluded_count = 0;
		break;
	/* A search is dropped by `pause` and begins again, with what is in the table, at `resume`. */
	case PAUSE:
	case RESUME:
		x->paused = id == PAUSE;
		break;
	case POST:
	case NOPOST:
		atomic_store(&x->post, id == POST);
		break;
	case HARD:
	case EASY:
		x->hard = id == HARD;
		if (!x->hard && has_job(c, JOB_PONDER))
			xboard_break(c);
		break;
	case MOVE_NOW:
		if (has_job(c, JOB_MOVE))
			connection_stop(c);
		break;
	case EDIT:
		edit_begin(c);
		break;
	default:
		break;
	}
}

/* The list is short, so a linear search is enough. */
int xboard_find_excluded(const struct xboard *x, qv_move move)
{
	int at = 0;
	while (at < x->excluded_count && x->excluded[at] != move)
		at++;
	return at;
}

/* exclude MOVE or all, include MOVE or all */
static void on_exclude(struct request *r)
{
	struct connection *c = r->c;
	struct xboard *x = xboard_of(c);
	const struct engine_session *e = &c->engine;
	const struct qv_game *game = e->rules.game;
	const bool include = r->command->id == INCLUDE;
	qv_move move;
	if (strcmp(r->rest, "all") == 0) {
		x->excluded_count = include ? 0 : game->moves(engine_state(e), x->excluded);
		return;
	}
	if (qv_move_parse(game, engine_state(e), r->rest, &move, NULL) != QV_OK) {
		string_addf(r->out, "Illegal move: %.100s\n", r->rest);
		return;
	}
	const int at = xboard_find_excluded(x, move);
	if (include && at < x->excluded_count)
		x->excluded[at] = x->excluded[--x->excluded_count];
	else if (!include && at == x->excluded_count && at < QV_MAX_MOVES)
		x->excluded[x->excluded_count++] = move;
}

/* ---- Questions, also during a search ---- */

/* The position on the board: while pondering, the one before the expected move. */
static const void *board_state(const struct connection *c)
{
	return has_job(c, JOB_PONDER) ? xboard_of(c)->before : engine_state(&c->engine);
}

/* '.', answered by "stat01: time nodes ply moves-left moves [move]" of the current depth. */
static void on_status(struct request *r)
{
	struct connection *c = r->c;
	struct xboard *x = xboard_of(c);
	const struct engine_session *e = &c->engine;
	if (!has_job(c, JOB_ANALYSE))
		return;
	const qv_move move = atomic_load(&x->told_move);
	const int left = x->move_count - atomic_load(&x->told_number);
	const int64_t us = c->no_times ? 0 : clock_us() - x->began_us;
	string_addf(r->out, "stat01: %lld %llu %d %d %d", (long long)us / 10000,
		    (unsigned long long)atomic_load(&x->told_nodes), atomic_load(&x->told_depth),
		    left > 0 ? left : 0, x->move_count);
	if (move != QV_NO_MOVE)
		string_addf(r->out, " %s", xboard_move_text(c, engine_state(e), move).text);
	string_addf(r->out, "\n");
}

/* The best move of an analysis, else the move that the engine expects from the opponent. */
static void on_hint(struct request *r)
{
	struct connection *c = r->c;
	struct xboard *x = xboard_of(c);
	const struct qv_game *game = c->engine.rules.game;
	const void *state = board_state(c);
	const qv_move move = has_job(c, JOB_ANALYSE) ? atomic_load(&x->told_best) : x->expected;
	if (move != QV_NO_MOVE && qv_move_legal(game, state, move))
		string_addf(r->out, "Hint: %s\n", xboard_move_text(c, state, move).text);
}

/* Lists each move of the book with its weight in percent. The book is opened for this alone. */
static void on_book(struct request *r)
{
	struct connection *c = r->c;
	const struct engine_session *e = &c->engine;
	const struct qv_game *game = e->rules.game;
	const void *state = board_state(c);
	const size_t room = (size_t)game->max_moves;
	struct qv_error error;
	struct book book = { 0 };
	struct book_option *list = mem_new(e->allocator, room, sizeof *list);
	if (!e->set.book[0]) {
		string_addf(r->out, " There is no book.\n");
	} else if (!list) {
		string_addf(r->out, " There is no memory to look it up.\n");
	} else if (book_open(e->context, e->set.book, NULL, &book, &error) != QV_OK) {
		string_addf(r->out, " %s\n", error.text);
	} else if (!book_is_for(&book, &e->rules)) {
		string_addf(r->out, " The book is of another game.\n");
	} else {
		const int count = book_options(&book, state, list);
		uint64_t all = 0;
		for (int i = 0; i < count; i++)
			all += list[i].weight;
		for (int i = 0; i < count; i++)
			string_addf(r->out, " %s %.1f %%%s%s\n",
				    move_text(game, state, list[i].move).text,
				    all ? 100.0 * (double)list[i].weight / (double)all : 0.0,
				    *list[i].note ? " " : "", list[i].note);
		if (!count)
			string_addf(r->out, " The position is not in the book.\n");
	}
	string_addf(r->out, "\n");
	book_release(&book);
	mem_free(e->allocator, list, room * sizeof *list);
}

/* The engine accepts a draw if its last search saw it behind. */
static void on_draw(struct request *r)
{
	enum { BEHIND = -30 };
	const struct xboard *x = xboard_of(r->c);
	if (!x->force && x->knows_score && x->score <= BEHIND)
		string_addf(r->out, "offer draw\n");
}

/* ---- Lines ---- */

static const struct command commands[] = {
	{ "accepted|computer|egtpath|ics|name|nps|random|rating|rejected|xboard", AT_ONCE, NULL,
	  PLAIN },
	{ "protover", AT_ONCE, on_protover, PLAIN },
	{ "new", BREAKS, on_new, PLAIN },
	{ "variant", BREAKS, on_variant, PLAIN },
	{ "quit", AT_ONCE, NULL, QUIT },
	{ "force|result", BREAKS, on_mode, FORCE },
	{ "go", QUIETLY, on_mode, GO },
	{ "playother", QUIETLY, on_mode, PLAYOTHER },
	{ "level", AT_ONCE, on_level, PLAIN },
	{ "st", AT_ONCE, on_st, PLAIN },
	{ "sd", AT_ONCE, on_sd, PLAIN },
	{ "time", AT_ONCE, on_time, TIME },
	{ "otim", AT_ONCE, on_time, PLAIN },
	{ "usermove", QUIETLY, on_user_move, USER_MOVE },
	{ "?", AT_ONCE, on_mode, MOVE_NOW },
	{ "pause", BREAKS, on_mode, PAUSE },
	{ "resume", IN_TURN, on_mode, RESUME },
	{ "ping", IN_TURN, NULL, PING },
	{ "draw", AT_ONCE, on_draw, PLAIN },
	{ "setboard", BREAKS, on_setboard, PLAIN },
	{ "edit", BREAKS, on_mode, EDIT },
	{ "hint", AT_ONCE, on_hint, PLAIN },
	{ "bk", AT_ONCE, on_book, PLAIN },
	{ "undo", BREAKS, on_undo, PLAIN },
	{ "remove", BREAKS, on_undo, REMOVE },
	{ "hard", AT_ONCE, on_mode, HARD },
	{ "easy", AT_ONCE, on_mode, EASY },
	{ "post", AT_ONCE, on_mode, POST },
	{ "nopost", AT_ONCE, on_mode, NOPOST },
	{ "analyze", BREAKS, on_mode, ANALYSE },
	{ "exit", BREAKS, on_mode, EXIT },
	{ ".", AT_ONCE, on_status, PLAIN },
	{ "white", BREAKS, on_side, PLAIN },
	{ "black", BREAKS, on_side, BLACK },
	{ "memory", QUIETLY, on_option, MEMORY },
	{ "cores", QUIETLY, on_option, PLAIN },
	{ "option", QUIETLY, on_option, OPTION },
	{ "exclude", QUIETLY, on_exclude, PLAIN },
	{ "include", QUIETLY, on_exclude, INCLUDE },
};
enum { COMMANDS = sizeof commands / sizeof *commands };

/* The command of the line's first word; NULL: no such command. */
static const struct command *find_command(const char *line)
{
	char word[16]; /* longer than any command */
	snprintf(word, sizeof word, "%.*s", (int)strcspn(line, " \t"), line);
	for (int i = 0; i < COMMANDS; i++)
		if (scan_choice(commands[i].name, word) >= 0)
			return &commands[i];
	return NULL;
}

/* A line that will drop the search makes it useless to begin one. */
enum xboard_fate xboard_fate(const struct connection *c)
{
	enum xboard_fate fate = FATE_NONE;
	size_t at = 0;
	for (const char *line; (line = connection_waiting(c, &at));) {
		const struct command *command = find_command(line);
		if (command && command->when == BREAKS)
			return FATE_BREAKS;
		if (command && command->id == MOVE_NOW)
			fate = FATE_HURRIES;
	}
	return fate;
}

/* Whether a line waits after which the engine may have a move to make. */
static bool awaits_move(const struct connection *c)
{
	size_t at = 0;
	for (const char *line; (line = connection_waiting(c, &at));) {
		const struct command *command = find_command(line);
		const enum id id = command ? command->id : USER_MOVE;
		if (id == USER_MOVE || id == GO || id == PLAYOTHER)
			return true;
	}
	return false;
}

/* Answers a ping after everything before it, including the move that the engine owes. */
static enum next_step ping(struct connection *c, const char *argument, struct string *out)
{
	const enum next_step next = xboard_idle(c, out);
	char line[64];
	struct qv_text text = { line, sizeof line, 0 };
	if (next == NEXT_THINK && atomic_load(&xboard_of(c)->job) == JOB_MOVE) {
		qv_put(&text, "ping ");
		qv_put(&text, argument);
		connection_defer(c, line);
	} else {
		string_addf(out, "pong %.40s\n", argument);
	}
	return next;
}

/*
 * The steps: lines of `edit`, a ponder hit, lines that have to wait, the two commands with their
 * own result, then the table. Afterwards there may be a search to begin.
 */
static enum next_step xboard_line(struct connection *c, char *line, struct string *out)
{
	struct xboard *x = xboard_of(c);
	const struct engine_session *e = &c->engine;
	const struct command *command = find_command(line);
	const enum id id = command ? command->id : USER_MOVE;
	const enum when when = command ? command->when : QUIETLY;
	char *rest = words_skip(line + strcspn(line, " \t"));
	if (!*line)
		return NEXT_LINE;
	if (x->editing && !c->busy)
		return edit_line(c, line, out);
	if (id == USER_MOVE && c->busy && xboard_ponder_hit(c, command ? rest : line))
		return NEXT_LINE;
	/* `?` applies at once to the move being searched, if there is one, else it waits its turn. */
	const bool searches_move = atomic_load(&x->job) == JOB_MOVE;
	const bool urgent = id == QUIT || (id == MOVE_NOW && searches_move && !x->discard);
	const bool now =
		(when == AT_ONCE || (when == IN_TURN && !searches_move)) && !connection_waits(c);
	if (c->busy && !urgent && !now) {
		if (when == BREAKS || (when == QUIETLY && !searches_move))
			xboard_break(c);
		if (connection_defer(c, line))
			return NEXT_LINE;
	}
	/* It may be meant for a move that a waiting line will ask for, so that gets it, too. */
	if (urgent && id == MOVE_NOW && awaits_move(c))
		connection_defer(c, line);
	if (id == PING)
		return ping(c, rest, out);
	if (id == QUIT) {
		x->discard = true;
		return NEXT_QUIT;
	}
	const size_t length = strlen(line);
	const bool looks_like_move =
		(length == 4 || length == 5) && is_square(line) && is_square(line + 2);
	struct request r = { c, command, command ? rest : line, out };
	if (command && command->run)
		command->run(&r);
	else if (!command && !looks_like_move &&
		 qv_move_parse(e->rules.game, engine_state(e), line, &(qv_move){ 0 }, NULL) !=
			 QV_OK)
		wrong(&r, "unknown command", line);
	else if (!command)
		on_user_move(&r);
	return xboard_idle(c, out);
}

/* ---- The protocol ---- */

static void xboard_bad_line(struct connection *c, const char *why, struct string *out)
{
	(void)c;
	string_addf(out, "Error (%s): ?\n", why);
}

/* Its moves, positions and results are those of chess. */
static enum qv_status xboard_fits(const struct qv_game *game, struct qv_error *error)
{
	if (context_engine(game)->orthodox)
		return QV_OK;
	return qv_fail(error, QV_UNSUPPORTED, "xboard: it is for chess, not for %.40s; use qgp",
		       game->name);
}

/* The engine plays Black until `go` says otherwise. */
static enum qv_status xboard_make(struct connection *c, struct qv_error *error)
{
	struct xboard *x = xboard_of(c);
	x->seat = 1;
	x->expected = QV_NO_MOVE;
	x->before = mem_new(c->engine.allocator, 1, c->engine.rules.game->state_size);
	return x->before ? QV_OK : qv_fail(error, QV_NO_MEMORY, "engine: out of memory");
}

static void xboard_release(struct connection *c)
{
	mem_free(c->engine.allocator, xboard_of(c)->before, c->engine.rules.game->state_size);
}

const struct protocol_ops protocol_xboard = {
	.name = "xboard",
	.line = xboard_line,
	.bad_line = xboard_bad_line,
	.info = xboard_info,
	.bounds = true,
	.root_move = xboard_root_move,
	.answer = xboard_answer,
	.idle = xboard_idle,
	.fits = xboard_fits,
	.own_size = sizeof(struct xboard),
	.make = xboard_make,
	.release = xboard_release,
};
