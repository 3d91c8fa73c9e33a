/*
 * gtp.c - the Go Text Protocol, version 2, the engine's side: reversi, as Edax and Quarry speak it,
 * and go-moku.
 * SPDX-License-Identifier: MIT
 *
 * A line may begin with a number, which its answer repeats. An answer is `=` and a text, or `?` and
 * an error, and ends with an empty line. Everything runs in turn: lines wait for the answer of a
 * search, `quit` too. Points are a letter and a number. As in go, the letters of go-moku leave out I;
 * row 1 of reversi is at the top.
 *
 * A side of reversi that cannot move may pass, or be left out: `play` and `genmove` for its opponent
 * pass for it. When the game is over, both sides may pass without end.
 */
#include "base/clock.h"
#include "base/file.h"
#include "formats/sgf_tree.h"
#include "protocols/engine.h"

enum { OTHELLO_SIZE = 8, MOST_ID = INT32_MAX, MOST_LOAD = 4 << 20, MOST_SECONDS = 1 << 30 };

struct gtp {
	int64_t id; /* of the line, or of the search; -1: none */
	bool keeps; /* the search must not play its move: reg_genmove */
	int passes; /* after the end of the game */
	/* The time control: a main time, and then a time for each number of stones. */
	bool timed;
	int64_t main_ms, period_ms;
	int64_t stones;
	int64_t left_ms[2];
	int64_t left_stones[2]; /* 0: main time */
};

static struct gtp *gtp_of(const struct connection *c)
{
	return c->own;
}

/* ---- Answers ---- */

static void add_id(const struct connection *c, char sign, struct string *out)
{
	string_add(out, &sign, 1);
	if (gtp_of(c)->id >= 0)
		string_addf(out, "%lld", (long long)gtp_of(c)->id);
}

static enum next_step say(const struct connection *c, const char *text, struct string *out)
{
	add_id(c, '=', out);
	string_addf(out, "%s%s\n\n", *text ? " " : "", text);
	return NEXT_LINE;
}

static enum next_step refuse(const struct connection *c, const char *why, struct string *out)
{
	add_id(c, '?', out);
	string_addf(out, " %s\n\n", why);
	return NEXT_LINE;
}

/* ---- Points and colours ---- */

static bool is_othello(const struct connection *c)
{
	return strcmp(c->engine.rules.game->name, "reversi") == 0;
}

/* The place of an option of the game; -1: it has none of that name. */
static int option_of(const struct qv_game *game, const char *name)
{
	for (int i = 0; game->options && game->options[i].name; i++)
		if (strcmp(game->options[i].name, name) == 0)
			return i;
	return -1;
}

/* The move of a vertex, in the game's notation. False: it is no vertex. */
static bool read_vertex(const struct connection *c, const char *text, char move[8])
{
	const char column = to_lower(text[0]);
	int64_t row;
	if (text_same(text, "pass")) {
		snprintf(move, 8, "pass");
		return true;
	}
	if (!is_letter(column) || !text_to_int(text + 1, 1, 99, &row) || !is_digit(text[1]))
		return false;
	if (!is_othello(c) && column == 'i')
		return false;
	snprintf(move, 8, "%c%d", column - (!is_othello(c) && column > 'i'), (int)row);
	return true;
}

/* The vertex of a move: D3, PASS */
static void vertex_of(const struct connection *c, const char *move, char out[8])
{
	const char column = *move;
	if (strcmp(move, "pass") == 0)
		snprintf(out, 8, "PASS");
	else
		snprintf(out, 8, "%c%.3s", column - 'a' + 'A' + (!is_othello(c) && column >= 'i'),
			 move + 1);
}

/* The seat of a colour; -1: it is none. */
static int read_colour(const char *text)
{
	if (text_same(text, "b") || text_same(text, "black"))
		return 0;
	return text_same(text, "w") || text_same(text, "white") ? 1 : -1;
}

static int seat_of(const struct connection *c)
{
	return c->engine.rules.game->seat(engine_state(&c->engine));
}

/*
 * Lets the colour move: the other one passes if it must. *passed: it has. False: it is the other's
 * turn.
 */
static bool give_turn(struct connection *c, int colour, bool *passed)
{
	*passed = seat_of(c) != colour && engine_play(&c->engine, "pass", NULL) == QV_OK;
	if (seat_of(c) == colour && !engine_over(&c->engine))
		return true;
	if (*passed)
		engine_undo(&c->engine, 1, NULL);
	return false;
}

/* ---- The session ---- */

static enum next_step on_protocol_version(struct connection *c, char *rest, struct string *out)
{
	(void)rest;
	return say(c, "2", out);
}

static enum next_step on_name(struct connection *c, char *rest, struct string *out)
{
	(void)rest;
	return say(c, "Quevedo", out);
}

static enum next_step on_version(struct connection *c, char *rest, struct string *out)
{
	(void)rest;
	return say(c, qv_version(), out);
}

static enum next_step on_quit(struct connection *c, char *rest, struct string *out)
{
	(void)rest;
	say(c, "", out);
	return NEXT_QUIT;
}

static const char *game_name(const struct connection *c)
{
	return is_othello(c) ? "Othello" : "Gomoku";
}

static enum next_step on_list_games(struct connection *c, char *rest, struct string *out)
{
	(void)rest;
	return say(c, game_name(c), out);
}

static enum next_step on_set_game(struct connection *c, char *rest, struct string *out)
{
	const bool same =
		text_same(rest, game_name(c)) || (is_othello(c) && text_same(rest, "Reversi"));
	return same ? say(c, "", out) : refuse(c, "unsupported game", out);
}

/* ---- The board ---- */

static void reset_clocks(struct gtp *g)
{
	for (int i = 0; i < 2; i++) {
		g->left_ms[i] = g->main_ms ? g->main_ms : g->period_ms;
		g->left_stones[i] = g->main_ms ? 0 : g->stones;
	}
}

static enum next_step begin_game(struct connection *c, const char *game, struct string *out)
{
	struct qv_error error;
	if (engine_new_game(&c->engine, game, &error) != QV_OK)
		return refuse(c, error.text, out);
	gtp_of(c)->passes = 0;
	reset_clocks(gtp_of(c));
	return say(c, "", out);
}

/* A board of that size, which is empty then. */
static enum next_step on_boardsize(struct connection *c, char *rest, struct string *out)
{
	struct qv_rules rules = c->engine.rules;
	const int option = option_of(rules.game, "size");
	const int64_t min = option < 0 ? OTHELLO_SIZE : rules.game->options[option].min;
	const int64_t max = option < 0 ? OTHELLO_SIZE : rules.game->options[option].max;
	char game[256] = "";
	int64_t size;
	if (!text_to_int(rest, 0, INT32_MAX, &size))
		return refuse(c, "boardsize not an integer", out);
	if (size < min || size > max)
		return refuse(c, "unacceptable size", out);
	if (option >= 0)
		rules.options[option] = size;
	qv_rules_text(&rules, &(struct qv_text){ game, sizeof game, 0 });
	return begin_game(c, game, out);
}

static enum next_step on_clear_board(struct connection *c, char *rest, struct string *out)
{
	(void)rest;
	return begin_game(c, NULL, out);
}

/* Neither game has a komi: it is read and ignored. */
static enum next_step on_komi(struct connection *c, char *rest, struct string *out)
{
	const bool number = *rest && !rest[strspn(rest, "+-.0123456789eE")];
	return number ? say(c, "", out) : refuse(c, "komi not a float", out);
}

static enum next_step on_play(struct connection *c, char *rest, struct string *out)
{
	const int colour = read_colour(words_next(&rest));
	char move[8];
	bool passed;
	if (colour < 0 || !read_vertex(c, rest, move))
		return refuse(c, "invalid color or coordinate", out);
	if (engine_over(&c->engine)) {
		if (strcmp(move, "pass") != 0)
			return refuse(c, "illegal move", out);
		gtp_of(c)->passes++;
		return say(c, "", out);
	}
	if (!give_turn(c, colour, &passed))
		return refuse(c, "illegal move", out);
	if (engine_play(&c->engine, move, NULL) == QV_OK)
		return say(c, "", out);
	if (passed)
		engine_undo(&c->engine, 1, NULL);
	return refuse(c, "illegal move", out);
}

static enum next_step on_undo(struct connection *c, char *rest, struct string *out)
{
	(void)rest;
	if (gtp_of(c)->passes) {
		gtp_of(c)->passes--;
		return say(c, "", out);
	}
	return engine_undo(&c->engine, 1, NULL) == QV_OK ? say(c, "", out)
							 : refuse(c, "cannot undo", out);
}

/* The letters of go-moku are those of go: I is left out. */
static enum next_step on_showboard(struct connection *c, char *rest, struct string *out)
{
	char board[4096] = "";
	struct qv_text text = { board, sizeof board, 0 };
	(void)rest;
	c->engine.rules.game->draw(engine_state(&c->engine), false, &text);
	char *last = strrchr(board, 'a');
	for (char *at = is_othello(c) ? NULL : last; at && *at; at++)
		if (*at >= 'i' && *at <= 'z')
			(*at)++;
	add_id(c, '=', out);
	string_addf(out, "\n%s\n", board);
	return NEXT_LINE;
}

/* B+12, W+2 or 0: the difference of the points. */
static enum next_step on_final_score(struct connection *c, char *rest, struct string *out)
{
	int32_t points[QV_MAX_SEATS];
	char text[24] = "0";
	(void)rest;
	if (qv_record_result(c->engine.record, points) == QV_GOING)
		return refuse(c, "cannot score", out);
	const int lead = points[0] - points[1];
	if (lead)
		snprintf(text, sizeof text, "%c+%d", lead > 0 ? 'B' : 'W', lead > 0 ? lead : -lead);
	return say(c, text, out);
}

/* Plays the moves of a record, those before the number; the size of the board may change. */
static enum qv_status load(struct connection *c, const struct qv_record *from, int64_t number,
			   struct qv_error *error)
{
	char game[256] = "", start[QV_POSITION_TEXT] = "";
	struct engine_session *e = &c->engine;
	void *first = mem_new(e->allocator, 1, e->rules.game->state_size);
	if (!first)
		return QV_NO_MEMORY;
	tree_state_at(from, 0, first);
	e->rules.game->position_text(first, &(struct qv_text){ start, sizeof start, 0 });
	mem_free(e->allocator, first, e->rules.game->state_size);
	qv_rules_text(&from->rules, &(struct qv_text){ game, sizeof game, 0 });
	enum qv_status status = engine_new_game(e, game, error);
	if (status == QV_OK)
		status = engine_position(e, start, error);
	for (int i = 0; i < qv_record_ply(from) && i + 1 < number && status == QV_OK; i++)
		status = qv_record_play(e->record, qv_record_move(from, i), -1, error);
	return status;
}

/* loadsgf FILE [NUMBER]: the position before that move, or at the end of the game. */
static enum next_step on_loadsgf(struct connection *c, char *rest, struct string *out)
{
	const struct qv_allocator *a = c->engine.allocator;
	const char *path = words_next(&rest);
	struct file_bytes file;
	struct qv_record *record = NULL;
	struct qv_error error;
	int64_t number = INT32_MAX;
	if (*rest && !text_to_int(rest, 1, INT32_MAX, &number))
		return refuse(c, "syntax error: expected FILE [MOVE NUMBER]", out);
	/* "-" would be the input of this protocol. */
	if (!*path || strcmp(path, "-") == 0 ||
	    file_read(a, path, MOST_LOAD, &file, &error) != QV_OK)
		return refuse(c, "cannot load file", out);
	struct sgf_reader reader = { .context = c->engine.context,
				     .at = file.data,
				     .end = file.data + file.size };
	enum qv_status status = sgf_tree_looks_like(file.data, file.size)
					? sgf_next(&reader, &record, &error)
					: QV_BAD_INPUT;
	if (status == QV_OK && (!record || record->rules.game != c->engine.rules.game))
		status = QV_BAD_INPUT;
	if (status == QV_OK)
		status = load(c, record, number, &error);
	qv_record_free(record);
	file_release(a, &file);
	gtp_of(c)->passes = 0;
	return status == QV_OK ? say(c, "", out) : refuse(c, "cannot load file", out);
}

/* ---- Time ---- */

/* time_settings MAIN PERIOD STONES: seconds; a period without stones means no limit at all. */
static enum next_step on_time_settings(struct connection *c, char *rest, struct string *out)
{
	struct gtp *g = gtp_of(c);
	int64_t main_time, period, stones;
	if (!text_to_int(words_next(&rest), 0, MOST_SECONDS, &main_time) ||
	    !text_to_int(words_next(&rest), 0, MOST_SECONDS, &period) ||
	    !text_to_int(rest, 0, MOST_SECONDS, &stones))
		return refuse(c, "syntax error: expected three whole numbers", out);
	g->timed = !(period && !stones) && (main_time || (period && stones));
	g->main_ms = main_time * 1000;
	g->period_ms = stones ? period * 1000 : 0;
	g->stones = period ? stones : 0;
	reset_clocks(g);
	return say(c, "", out);
}

/* time_left COLOUR SECONDS STONES; Edax and others send fractions of a second, too. */
static enum next_step on_time_left(struct connection *c, char *rest, struct string *out)
{
	struct gtp *g = gtp_of(c);
	const int colour = read_colour(words_next(&rest));
	char *time = words_next(&rest), *point = strchr(time, '.');
	int64_t seconds, stones;
	if (point && !point[1 + strspn(point + 1, "0123456789")])
		*point = '\0';
	if (colour < 0 || !text_to_int(time, 0, MOST_SECONDS, &seconds) ||
	    !text_to_int(rest, 0, MOST_SECONDS, &stones))
		return refuse(c, "syntax error: expected COLOR TIME STONES", out);
	g->timed = true;
	g->left_ms[colour] = seconds * 1000;
	g->left_stones[colour] = stones;
	return say(c, "", out);
}

/* The engine keeps its own clock between two time_left, or without them. */
static void use_time(struct gtp *g, int seat, int64_t used_ms)
{
	g->left_ms[seat] -= used_ms;
	if (g->left_stones[seat] && --g->left_stones[seat] > 0)
		return;
	/* The main time is over, or all stones of a period have been played. */
	if (g->stones && (g->left_ms[seat] <= 0 || !g->main_ms)) {
		g->left_ms[seat] = g->period_ms;
		g->left_stones[seat] = g->stones;
	}
}

/* ---- Searching ---- */

static enum next_step go(struct connection *c, char *rest, bool keeps, struct string *out)
{
	struct gtp *g = gtp_of(c);
	struct engine_limits limits = { 0 };
	struct qv_error error;
	const int colour = read_colour(rest);
	bool passed;
	if (colour < 0)
		return refuse(c, "invalid color", out);
	if (engine_over(&c->engine)) {
		g->passes += !keeps;
		return say(c, "PASS", out);
	}
	if (!give_turn(c, colour, &passed))
		return refuse(c, "wrong color", out);
	if (g->timed) {
		limits.clocks = true;
		limits.left_ms[colour] = g->left_ms[colour];
		limits.moves_to_go = (int)g->left_stones[colour];
		/* In the main time, the periods after it are an increment. */
		if (!g->left_stones[colour] && g->stones)
			limits.added_ms[colour] = g->period_ms / g->stones;
	}
	g->keeps = keeps;
	if (engine_go(&c->engine, &limits, &error) == QV_OK)
		return connection_begin(c);
	if (passed)
		engine_undo(&c->engine, 1, NULL);
	return refuse(c, error.text, out);
}

static enum next_step on_genmove(struct connection *c, char *rest, struct string *out)
{
	return go(c, rest, false, out);
}

/* The same move every time, which is not played. */
static enum next_step on_reg_genmove(struct connection *c, char *rest, struct string *out)
{
	return go(c, rest, true, out);
}

static void answer(struct connection *c, struct string *out)
{
	struct gtp *g = gtp_of(c);
	const struct engine_session *e = &c->engine;
	const int seat = seat_of(c);
	char vertex[8] = "";
	if (e->status != QV_OK && e->status != QV_STOPPED) {
		refuse(c, e->error.text, out);
		return;
	}
	const struct move_text move = move_text(e->rules.game, engine_state(e), e->answer.move);
	vertex_of(c, move.text, vertex);
	if (!g->keeps) {
		use_time(g, seat, (clock_us() - c->began_us) / 1000);
		engine_play(&c->engine, move.text, NULL);
	}
	say(c, vertex, out);
}

/* The protocol has no words for the progress of a search. */
static void info(struct connection *c, int line, const struct qv_answer *so_far, struct string *out)
{
	(void)c, (void)line, (void)so_far, (void)out;
}

/* ---- Lines ---- */

static enum next_step on_known_command(struct connection *c, char *rest, struct string *out);
static enum next_step on_list_commands(struct connection *c, char *rest, struct string *out);

static const struct gtp_command {
	const char *name;
	enum next_step (*run)(struct connection *c, char *rest, struct string *out);
} commands[] = {
	{ "protocol_version", on_protocol_version },
	{ "name", on_name },
	{ "version", on_version },
	{ "known_command", on_known_command },
	{ "list_commands", on_list_commands },
	{ "quit", on_quit },
	{ "boardsize", on_boardsize },
	{ "clear_board", on_clear_board },
	{ "komi", on_komi },
	{ "play", on_play },
	{ "genmove", on_genmove },
	{ "undo", on_undo },
	{ "time_settings", on_time_settings },
	{ "time_left", on_time_left },
	{ "set_game", on_set_game },
	{ "list_games", on_list_games },
	{ "loadsgf", on_loadsgf },
	{ "reg_genmove", on_reg_genmove },
	{ "final_score", on_final_score },
	{ "showboard", on_showboard },
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static const struct gtp_command *find(const char *name)
{
	for (int i = 0; i < COMMANDS; i++)
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	return NULL;
}

static enum next_step on_known_command(struct connection *c, char *rest, struct string *out)
{
	return say(c, find(words_next(&rest)) ? "true" : "false", out);
}

static enum next_step on_list_commands(struct connection *c, char *rest, struct string *out)
{
	(void)rest;
	add_id(c, '=', out);
	for (int i = 0; i < COMMANDS; i++)
		string_addf(out, "%s%s\n", i ? "" : " ", commands[i].name);
	string_addf(out, "\n");
	return NEXT_LINE;
}

/* What follows a '#' is a comment. Lines without a command are ignored. */
static enum next_step line(struct connection *c, char *text, struct string *out)
{
	const char *number = text;
	text[strcspn(text, "#")] = '\0';
	text = words_trim(text);
	if (!*text)
		return NEXT_LINE;
	if (c->busy) {
		if (!connection_defer(c, text))
			return refuse(c, "too many lines during a search", out);
		return NEXT_LINE;
	}
	number = text;
	gtp_of(c)->id = -1;
	if (is_digit(*text)) {
		if (!scan_int(&number, 0, MOST_ID, &gtp_of(c)->id))
			return refuse(c, "syntax error: the number of the command is too large",
				      out);
		text = words_skip(text + (number - text));
		if (!*text)
			return NEXT_LINE;
	}
	const struct gtp_command *command = find(words_next(&text));
	return command ? command->run(c, words_trim(text), out) : refuse(c, "unknown command", out);
}

static void bad_line(struct connection *c, const char *why, struct string *out)
{
	if (!c->busy)
		gtp_of(c)->id = -1;
	refuse(c, why, out);
}

static enum qv_status fits(const struct qv_game *game, struct qv_error *error)
{
	return strcmp(game->name, "reversi") == 0 || strcmp(game->name, "gomoku") == 0
		       ? QV_OK
		       : qv_fail(error, QV_UNSUPPORTED,
				 "protocol gtp: only reversi and gomoku fit it, not %.40s",
				 game->name);
}

/* The choice of colours of go-moku is no move of the protocol. */
static enum qv_status make(struct connection *c, struct qv_error *error)
{
	struct qv_rules rules = c->engine.rules;
	const int opening = option_of(rules.game, "opening");
	char game[256] = "";
	gtp_of(c)->id = -1;
	if (opening < 0 || !rules.options[opening])
		return QV_OK;
	rules.options[opening] = 0;
	qv_rules_text(&rules, &(struct qv_text){ game, sizeof game, 0 });
	return engine_new_game(&c->engine, game, error);
}

const struct protocol_ops protocol_gtp = {
	.name = "gtp",
	.drops_controls = true,
	.line = line,
	.bad_line = bad_line,
	.info = info,
	.answer = answer,
	.fits = fits,
	.own_size = sizeof(struct gtp),
	.make = make,
};
