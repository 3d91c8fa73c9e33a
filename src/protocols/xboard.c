/*
 * xboard.c - the XBoard protocol (CECP 2), the engine's side: its commands.
 * SPDX-License-Identifier: MIT
 *
 * What it does not know is answered `Error (unknown command)`, unless it is a move.
 */
#include "protocols/xboard.h"

#include "core/context.h"
#include "protocols/engine_options.h"

enum { MOST_MS = 7 * 24 * 3600 * 1000 };

/* When a command may be taken while something is thought about. */
enum when {
	AT_ONCE,
	IN_TURN, /* after the move that it thinks about */
	QUIETLY, /* likewise, but nothing else is thought about meanwhile */
	BREAKS,	 /* whatever is thought about comes to nothing */
};

typedef enum next_step handler(struct connection *c, char *rest, struct string *out);

static enum next_step wrong(const char *why, const char *what, struct string *out)
{
	string_addf(out, "Error (%s): %.200s\n", why, what);
	return NEXT_LINE;
}

/* ---- Hello ---- */

static void add_option(const struct engine_session *e, const struct option *row, struct string *out)
{
	struct option o;
	if (!engine_option_here(e, row, &o))
		return;
	string_addf(out, "feature option=\"%s ", o.name);
	if (o.type == OPTION_SWITCH)
		string_addf(out, "-check %d\"\n", engine_option_number(e, &o) != 0);
	else if (o.type == OPTION_INT)
		string_addf(out, "-spin %lld %lld %lld\"\n", (long long)engine_option_number(e, &o),
			    (long long)o.min, (long long)o.max);
	else if (o.type == OPTION_FLAG)
		string_addf(out, "-button\"\n");
	else
		string_addf(out, "-string %s\"\n", engine_option_text(e, &o));
}

static enum next_step on_protover(struct connection *c, char *rest, struct string *out)
{
	int64_t version;
	if (!text_to_int(words_next(&rest), 1, INT32_MAX, &version))
		return wrong("bad argument", "protover", out);
	if (version < 2)
		return NEXT_LINE;
	string_addf(out,
		    "feature done=0\n"
		    "feature ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=1\n"
		    "feature sigint=0 sigterm=0 reuse=1 analyze=1 colors=0 name=1 ics=0 nps=0\n"
		    "feature debug=1 memory=1 smp=1 exclude=1 pause=1 variants=\"normal\"\n"
		    "feature myname=\"Quevedo %s\"\n",
		    qv_version());
	for (const struct option *const *group = xboard_options; *group; group++)
		for (const struct option *row = *group; row->name; row++)
			add_option(&c->engine, row, out);
	string_addf(out, "feature done=1\n");
	return NEXT_LINE;
}

static enum next_step on_nothing(struct connection *c, char *rest, struct string *out)
{
	(void)c, (void)rest, (void)out;
	return NEXT_LINE;
}

static enum next_step on_variant(struct connection *c, char *rest, struct string *out)
{
	(void)c;
	return strcmp(rest, "normal") == 0 ? NEXT_LINE : wrong("unsupported variant", rest, out);
}

/* After all that came before it, the move too that it owes. */
static enum next_step on_ping(struct connection *c, char *rest, struct string *out)
{
	const enum next_step next = xboard_idle(c, out);
	char line[64];
	struct qv_text text = { line, sizeof line, 0 };
	if (next == NEXT_THINK && atomic_load(&xboard_of(c)->job) == JOB_MOVE) {
		qv_put(&text, "ping ");
		qv_put(&text, rest);
		connection_defer(c, line);
		return next;
	}
	string_addf(out, "pong %.40s\n", rest);
	return next;
}

static enum next_step on_quit(struct connection *c, char *rest, struct string *out)
{
	(void)c, (void)rest, (void)out;
	xboard_of(c)->discard = true;
	return NEXT_QUIT;
}

/* ---- Settings ---- */

/* A command that sets an option of the engine. */
static enum next_step set_by_command(struct connection *c, const char *command, const char *name,
				     const char *value, struct string *out)
{
	const struct option *option = engine_option_find(uci_options, name);
	struct qv_error error;
	int64_t number;
	if (!text_to_int(value, option->min, option->max, &number))
		return wrong("bad argument", command, out);
	if (engine_set(&c->engine, option, value, &error) != QV_OK)
		return wrong(command, error.text, out);
	return NEXT_LINE;
}

static enum next_step on_memory(struct connection *c, char *rest, struct string *out)
{
	return set_by_command(c, "memory", "Hash", rest, out);
}

static enum next_step on_cores(struct connection *c, char *rest, struct string *out)
{
	return set_by_command(c, "cores", "Threads", rest, out);
}

/* option NAME, or NAME=VALUE */
static enum next_step on_option(struct connection *c, char *rest, struct string *out)
{
	struct qv_error error;
	char *equals = strchr(rest, '=');
	const char *value = equals ? equals + 1 : "";
	if (equals)
		*equals = '\0';
	const struct option *option = engine_option_find(uci_options, words_trim(rest));
	if (!option)
		return wrong("no such option", rest, out);
	if (engine_set(&c->engine, option, value, &error) != QV_OK)
		return wrong("option", error.text, out);
	return NEXT_LINE;
}

static enum next_step on_post(struct connection *c, char *rest, struct string *out)
{
	(void)rest, (void)out;
	atomic_store(&xboard_of(c)->post, true);
	return NEXT_LINE;
}

static enum next_step on_nopost(struct connection *c, char *rest, struct string *out)
{
	(void)rest, (void)out;
	atomic_store(&xboard_of(c)->post, false);
	return NEXT_LINE;
}

static enum next_step on_hard(struct connection *c, char *rest, struct string *out)
{
	(void)rest, (void)out;
	xboard_of(c)->hard = true;
	return NEXT_LINE;
}

static enum next_step on_easy(struct connection *c, char *rest, struct string *out)
{
	struct xboard *x = xboard_of(c);
	(void)rest, (void)out;
	x->hard = false;
	if (c->busy && atomic_load(&x->job) == JOB_PONDER)
		xboard_break(c);
	return NEXT_LINE;
}

/* ---- Time ---- */

/* Seconds, with decimals perhaps, as milliseconds; steps past them. */
static bool read_seconds(char **at, int64_t *ms)
{
	int64_t value = 0, unit = 1000;
	char *p = *at;
	if (*p < '0' || *p > '9')
		return false;
	for (; *p >= '0' && *p <= '9'; p++)
		value = value < MOST_MS ? value * 10 + (*p - '0') * 1000 : value;
	if (*p == '.')
		for (p++; *p >= '0' && *p <= '9'; p++)
			value += (*p - '0') * (unit /= 10);
	*at = p;
	*ms = value < MOST_MS ? value : MOST_MS;
	return true;
}

/* Minutes, or minutes:seconds. */
static bool read_base(char *word, int64_t *ms)
{
	int64_t minutes, seconds = 0;
	if (!read_seconds(&word, &minutes))
		return false;
	if (*word == ':' && (word++, !read_seconds(&word, &seconds)))
		return false;
	minutes = minutes < MOST_MS / 60 ? minutes * 60 : MOST_MS;
	*ms = minutes + seconds < MOST_MS ? minutes + seconds : MOST_MS;
	return !*word;
}

/* level MOVES BASE INCREMENT */
static enum next_step on_level(struct connection *c, char *rest, struct string *out)
{
	struct xboard *x = xboard_of(c);
	int64_t moves, base, added = 0;
	const bool counted = text_to_int(words_next(&rest), 0, INT32_MAX, &moves);
	char *word = words_next(&rest);
	if (!counted || !read_base(word, &base) || (*rest && !read_seconds(&rest, &added)) || *rest)
		return wrong("bad argument", "level", out);
	const struct time_control control = { .base_ms = base ? base : 1,
					      .added_ms = added,
					      .period_moves = (int)moves };
	game_clock_init(&x->clock, &control);
	return NEXT_LINE;
}

static enum next_step on_st(struct connection *c, char *rest, struct string *out)
{
	struct xboard *x = xboard_of(c);
	int64_t ms;
	if (!read_seconds(&rest, &ms) || *rest)
		return wrong("bad argument", "st", out);
	const struct time_control control = { .move_ms = ms ? ms : 1 };
	game_clock_init(&x->clock, &control);
	return NEXT_LINE;
}

static enum next_step on_sd(struct connection *c, char *rest, struct string *out)
{
	int64_t depth;
	if (!text_to_int(rest, 0, INT32_MAX, &depth))
		return wrong("bad argument", "sd", out);
	xboard_of(c)->depth = depth;
	return NEXT_LINE;
}

static enum next_step set_clock(struct connection *c, int whose, const char *name, const char *rest,
				struct string *out)
{
	int64_t hundredths;
	if (!text_to_int(rest, -MOST_MS, MOST_MS, &hundredths))
		return wrong("bad argument", name, out);
	game_clock_set(&xboard_of(c)->clock, whose, hundredths * 10);
	return NEXT_LINE;
}

static enum next_step on_time(struct connection *c, char *rest, struct string *out)
{
	return set_clock(c, XBOARD_OWN, "time", rest, out);
}

static enum next_step on_otim(struct connection *c, char *rest, struct string *out)
{
	return set_clock(c, XBOARD_OPPONENT, "otim", rest, out);
}

/* ---- The game ---- */

static void forget_position(struct xboard *x)
{
	x->excluded_count = 0;
	x->expected = QV_NO_MOVE;
	x->knows_score = false;
}

static enum next_step on_new(struct connection *c, char *rest, struct string *out)
{
	struct xboard *x = xboard_of(c);
	const struct time_control control = x->clock.control;
	char game[512];
	struct qv_text text = { game, sizeof game, 0 };
	struct qv_error error;
	(void)rest;
	qv_rules_text(&c->engine.rules, &text);
	if (engine_new_game(&c->engine, game, &error) != QV_OK)
		string_addf(out, "tellusererror %s\n", error.text);
	x->force = x->analyse; /* an analysis goes on, from the start */
	x->paused = false;
	x->seat = 1;
	x->depth = 0;
	game_clock_init(&x->clock, &control);
	forget_position(x);
	return NEXT_LINE;
}

static enum next_step on_force(struct connection *c, char *rest, struct string *out)
{
	(void)rest, (void)out;
	xboard_of(c)->force = true;
	xboard_of(c)->paused = false;
	return NEXT_LINE;
}

/* What it thinks about is broken off, and begun again, with what is in the table, at `resume`. */
static enum next_step on_pause(struct connection *c, char *rest, struct string *out)
{
	(void)rest, (void)out;
	xboard_of(c)->paused = true;
	return NEXT_LINE;
}

static enum next_step on_resume(struct connection *c, char *rest, struct string *out)
{
	(void)rest, (void)out;
	xboard_of(c)->paused = false;
	return NEXT_LINE;
}

static int seat_to_move(const struct connection *c)
{
	return c->engine.rules.game->seat(engine_state(&c->engine));
}

static enum next_step on_go(struct connection *c, char *rest, struct string *out)
{
	struct xboard *x = xboard_of(c);
	(void)rest, (void)out;
	x->force = x->analyse = false;
	x->seat = seat_to_move(c);
	return NEXT_LINE;
}

static enum next_step on_playother(struct connection *c, char *rest, struct string *out)
{
	struct xboard *x = xboard_of(c);
	(void)rest, (void)out;
	x->force = x->analyse = false;
	x->seat = 1 - seat_to_move(c);
	return NEXT_LINE;
}

static enum next_step set_board(struct connection *c, const char *fen, struct string *out)
{
	struct qv_error error;
	if (engine_position(&c->engine, fen, &error) != QV_OK)
		string_addf(out, "tellusererror Illegal position: %s\n", error.text);
	else
		forget_position(xboard_of(c));
	return NEXT_LINE;
}

static enum next_step on_setboard(struct connection *c, char *rest, struct string *out)
{
	return *rest ? set_board(c, rest, out) : wrong("bad argument", "setboard", out);
}

static enum next_step on_edit(struct connection *c, char *rest, struct string *out)
{
	(void)rest, (void)out;
	forget_position(xboard_of(c));
	xboard_edit_begin(c);
	return NEXT_LINE;
}

/* The old commands white and black: who is to move; the engine has the other side. */
static enum next_step set_side(struct connection *c, int seat, struct string *out)
{
	char text[QV_POSITION_TEXT] = "", *rest = text;
	struct qv_text from = { text, sizeof text, 0 };
	xboard_of(c)->seat = 1 - seat;
	if (seat_to_move(c) == seat)
		return NEXT_LINE;
	c->engine.rules.game->position_text(engine_state(&c->engine), &from);
	const char *board = words_next(&rest);
	words_next(&rest);
	const char *rights = words_next(&rest);
	char fen[QV_POSITION_TEXT] = "";
	struct qv_text to = { fen, sizeof fen, 0 };
	qv_put(&to, board);
	qv_put(&to, seat ? " b " : " w ");
	qv_put(&to, rights);
	qv_put(&to, " - 0 1");
	return set_board(c, fen, out);
}

static enum next_step on_white(struct connection *c, char *rest, struct string *out)
{
	(void)rest;
	return set_side(c, 0, out);
}

static enum next_step on_black(struct connection *c, char *rest, struct string *out)
{
	(void)rest;
	return set_side(c, 1, out);
}

static enum next_step take_back(struct connection *c, int plies, const char *name,
				struct string *out)
{
	struct xboard *x = xboard_of(c);
	struct qv_error error;
	if (engine_undo(&c->engine, plies, &error) != QV_OK)
		return wrong("nothing to take back", name, out);
	game_clock_unmove(&x->clock, XBOARD_OWN, plies / 2);
	forget_position(x);
	return NEXT_LINE;
}

static enum next_step on_undo(struct connection *c, char *rest, struct string *out)
{
	(void)rest;
	return take_back(c, 1, "undo", out);
}

static enum next_step on_remove(struct connection *c, char *rest, struct string *out)
{
	(void)rest;
	return take_back(c, 2, "remove", out);
}

static enum next_step on_analyse(struct connection *c, char *rest, struct string *out)
{
	struct xboard *x = xboard_of(c);
	(void)rest, (void)out;
	x->analyse = x->force = true;
	return NEXT_LINE;
}

static enum next_step on_exit(struct connection *c, char *rest, struct string *out)
{
	struct xboard *x = xboard_of(c);
	(void)rest, (void)out;
	x->analyse = false;
	x->excluded_count = 0;
	return NEXT_LINE;
}

static enum next_step on_user_move(struct connection *c, char *rest, struct string *out)
{
	struct engine_session *e = &c->engine;
	struct qv_error error;
	qv_move move;
	if (engine_over(e) && !xboard_of(c)->analyse && !xboard_of(c)->force) {
		string_addf(out, "Illegal move (the game has ended): %.100s\n", rest);
		return NEXT_LINE;
	}
	if (engine_over(e))
		engine_play_on(e, &error);
	if (qv_move_parse(e->rules.game, engine_state(e), rest, &move, NULL) != QV_OK ||
	    qv_record_play(e->record, move, -1, NULL) != QV_OK) {
		string_addf(out, "Illegal move: %.100s\n", rest);
		return NEXT_LINE;
	}
	xboard_of(c)->excluded_count = 0;
	if (!xboard_of(c)->analyse && !xboard_of(c)->force)
		xboard_add_result(c, out);
	return NEXT_LINE;
}

/* ---- While it thinks ---- */

static enum next_step on_move_now(struct connection *c, char *rest, struct string *out)
{
	(void)rest, (void)out;
	if (c->busy && atomic_load(&xboard_of(c)->job) == JOB_MOVE)
		connection_stop(c);
	return NEXT_LINE;
}

static enum next_step on_status(struct connection *c, char *rest, struct string *out)
{
	(void)rest;
	xboard_tell_status(c, out);
	return NEXT_LINE;
}

static enum next_step on_hint(struct connection *c, char *rest, struct string *out)
{
	(void)rest;
	xboard_tell_hint(c, out);
	return NEXT_LINE;
}

static enum next_step on_book(struct connection *c, char *rest, struct string *out)
{
	(void)rest;
	xboard_tell_book(c, out);
	return NEXT_LINE;
}

/* It takes a draw when it sees itself behind. */
static enum next_step on_draw(struct connection *c, char *rest, struct string *out)
{
	enum { BEHIND = -30 };
	const struct xboard *x = xboard_of(c);
	(void)rest;
	if (!x->force && x->knows_score && x->score <= BEHIND)
		string_addf(out, "offer draw\n");
	return NEXT_LINE;
}

static bool find_excluded(const struct xboard *x, qv_move move, int *at)
{
	for (*at = 0; *at < x->excluded_count; ++*at)
		if (x->excluded[*at] == move)
			return true;
	return false;
}

static enum next_step exclude(struct connection *c, const char *rest, bool in, struct string *out)
{
	struct xboard *x = xboard_of(c);
	const struct engine_session *e = &c->engine;
	qv_move move;
	int at;
	if (strcmp(rest, "all") == 0) {
		x->excluded_count = in ? 0 : e->rules.game->moves(engine_state(e), x->excluded);
		return NEXT_LINE;
	}
	if (qv_move_parse(e->rules.game, engine_state(e), rest, &move, NULL) != QV_OK) {
		string_addf(out, "Illegal move: %.100s\n", rest);
		return NEXT_LINE;
	}
	const bool found = find_excluded(x, move, &at);
	if (in && found)
		x->excluded[at] = x->excluded[--x->excluded_count];
	else if (!in && !found && x->excluded_count < QV_MAX_MOVES)
		x->excluded[x->excluded_count++] = move;
	return NEXT_LINE;
}

static enum next_step on_exclude(struct connection *c, char *rest, struct string *out)
{
	return exclude(c, rest, false, out);
}

static enum next_step on_include(struct connection *c, char *rest, struct string *out)
{
	return exclude(c, rest, true, out);
}

/* ---- Lines ---- */

static const struct command {
	const char *name;
	handler *run;
	enum when when;
} commands[] = {
	{ "xboard", on_nothing, AT_ONCE },
	{ "protover", on_protover, AT_ONCE },
	{ "accepted", on_nothing, AT_ONCE },
	{ "rejected", on_nothing, AT_ONCE },
	{ "new", on_new, BREAKS },
	{ "variant", on_variant, BREAKS },
	{ "quit", on_quit, AT_ONCE },
	{ "random", on_nothing, AT_ONCE },
	{ "force", on_force, BREAKS },
	{ "go", on_go, QUIETLY },
	{ "playother", on_playother, QUIETLY },
	{ "level", on_level, AT_ONCE },
	{ "st", on_st, AT_ONCE },
	{ "sd", on_sd, AT_ONCE },
	{ "nps", on_nothing, AT_ONCE },
	{ "time", on_time, AT_ONCE },
	{ "otim", on_otim, AT_ONCE },
	{ "usermove", on_user_move, QUIETLY },
	{ "?", on_move_now, AT_ONCE },
	{ "pause", on_pause, BREAKS },
	{ "resume", on_resume, IN_TURN },
	{ "ping", on_ping, IN_TURN },
	{ "draw", on_draw, AT_ONCE },
	{ "result", on_force, BREAKS },
	{ "setboard", on_setboard, BREAKS },
	{ "edit", on_edit, BREAKS },
	{ "hint", on_hint, AT_ONCE },
	{ "bk", on_book, AT_ONCE },
	{ "undo", on_undo, BREAKS },
	{ "remove", on_remove, BREAKS },
	{ "hard", on_hard, AT_ONCE },
	{ "easy", on_easy, AT_ONCE },
	{ "post", on_post, AT_ONCE },
	{ "nopost", on_nopost, AT_ONCE },
	{ "analyze", on_analyse, BREAKS },
	{ "exit", on_exit, BREAKS },
	{ ".", on_status, AT_ONCE },
	{ "name", on_nothing, AT_ONCE },
	{ "rating", on_nothing, AT_ONCE },
	{ "ics", on_nothing, AT_ONCE },
	{ "computer", on_nothing, AT_ONCE },
	{ "white", on_white, BREAKS },
	{ "black", on_black, BREAKS },
	{ "memory", on_memory, QUIETLY },
	{ "cores", on_cores, QUIETLY },
	{ "egtpath", on_nothing, AT_ONCE },
	{ "option", on_option, QUIETLY },
	{ "exclude", on_exclude, QUIETLY },
	{ "include", on_include, QUIETLY },
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static const struct command *find_command(const char *word, size_t length)
{
	for (int i = 0; i < COMMANDS; i++)
		if (strlen(commands[i].name) == length &&
		    memcmp(commands[i].name, word, length) == 0)
			return &commands[i];
	return NULL;
}

enum xboard_fate xboard_fate(const struct connection *c)
{
	enum xboard_fate fate = FATE_NONE;
	for (size_t at = c->later_at; at < c->later.length;) {
		const char *line = c->later.data + at;
		const struct command *command = find_command(line, strcspn(line, " \t"));
		if (command && command->when == BREAKS)
			return FATE_BREAKS;
		if (command && command->run == on_move_now)
			fate = FATE_HURRIES;
		at += strlen(line) + 1;
	}
	return fate;
}

/* Whether a line waits after which there may be a move to make. */
static bool awaits_move(const struct connection *c)
{
	for (size_t at = c->later_at; at < c->later.length;) {
		const char *line = c->later.data + at;
		const struct command *command = find_command(line, strcspn(line, " \t"));
		if (!command || command->run == on_user_move || command->run == on_go ||
		    command->run == on_playother)
			return true;
		at += strlen(line) + 1;
	}
	return false;
}

/* e2e4, e7e8q: what can be nothing but a move. */
static bool looks_like_move(const char *line)
{
	const size_t length = strlen(line);
	return (length == 4 || length == 5) && line[0] >= 'a' && line[0] <= 'h' && line[1] >= '1' &&
	       line[1] <= '8' && line[2] >= 'a' && line[2] <= 'h' && line[3] >= '1' &&
	       line[3] <= '8';
}

/* With a job at hand: true if the line is done with, or waits. */
static bool put_off(struct connection *c, enum when when, bool urgent, const char *line)
{
	const bool moves = atomic_load(&xboard_of(c)->job) == JOB_MOVE;
	if (!c->busy || urgent)
		return false;
	if (when == AT_ONCE && !connection_waits(c))
		return false;
	if (when == IN_TURN && !moves && !connection_waits(c))
		return false;
	if (when == BREAKS || (when == QUIETLY && !moves))
		xboard_break(c);
	return connection_defer(c, line);
}

/* A line that is no command may be a move. */
static enum next_step take_move(struct connection *c, char *line, struct string *out)
{
	const struct engine_session *e = &c->engine;
	if (!looks_like_move(line) &&
	    qv_move_parse(e->rules.game, engine_state(e), line, &(qv_move){ 0 }, NULL) != QV_OK)
		return wrong("unknown command", line, out);
	return on_user_move(c, line, out);
}

static enum next_step xboard_line(struct connection *c, char *line, struct string *out)
{
	const size_t length = strcspn(line, " \t");
	const struct command *command = find_command(line, length);
	const bool is_move = !command || command->run == on_user_move;
	if (!*line)
		return NEXT_LINE;
	if (xboard_of(c)->editing && !c->busy)
		return xboard_edit_line(c, line, out);
	if (is_move && c->busy && xboard_ponder_hit(c, command ? words_skip(line + length) : line))
		return NEXT_LINE;
	/* A move is hurried at once, unless it is one that lines which wait will ask for. */
	const bool moves = atomic_load(&xboard_of(c)->job) == JOB_MOVE && !xboard_of(c)->discard;
	const bool urgent =
		command && (command->run == on_quit || (command->run == on_move_now && moves));
	if (put_off(c, command ? command->when : QUIETLY, urgent, line))
		return NEXT_LINE;
	if (urgent && command->run == on_move_now && awaits_move(c))
		connection_defer(c, line); /* it may be meant for that one */
	char *rest = words_skip(line + length);
	const enum next_step next = command ? command->run(c, rest, out) : take_move(c, line, out);
	return next == NEXT_LINE ? xboard_idle(c, out) : next;
}

static void xboard_bad_line(struct connection *c, const char *why, struct string *out)
{
	(void)c;
	string_addf(out, "Error (%s): ?\n", why);
}

static enum qv_status xboard_fits(const struct qv_game *game, struct qv_error *error)
{
	if (context_engine(game)->orthodox)
		return QV_OK;
	return qv_fail(error, QV_UNSUPPORTED, "xboard: it is for chess, not for %.40s; use qgp",
		       game->name);
}

static enum qv_status xboard_make(struct connection *c, struct qv_error *error)
{
	struct xboard *x = xboard_of(c);
	const struct qv_game *game = c->engine.rules.game;
	x->seat = 1;
	x->expected = QV_NO_MOVE;
	x->before = mem_new(c->engine.allocator, 1, game->state_size);
	return x->before ? QV_OK : qv_fail(error, QV_NO_MEMORY, "engine: out of memory");
}

static void xboard_release(struct connection *c)
{
	struct xboard *x = xboard_of(c);
	if (x->before)
		mem_free(c->engine.allocator, x->before, c->engine.rules.game->state_size);
}

const struct protocol_ops protocol_xboard = { .name = "xboard",
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
					      .release = xboard_release };
