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

typedef enum wire_next handler(struct wire *w, char *rest, struct string *out);

static enum wire_next wrong(const char *why, const char *what, struct string *out)
{
	string_addf(out, "Error (%s): %.200s\n", why, what);
	return WIRE_ON;
}

/* ---- Hello ---- */

static void add_option(const struct thinker *t, const struct option *row, struct string *out)
{
	struct option o;
	if (!engine_option_here(t, row, &o))
		return;
	string_addf(out, "feature option=\"%s ", o.name);
	if (o.type == OPTION_SWITCH)
		string_addf(out, "-check %d\"\n", engine_option_number(t, &o) != 0);
	else if (o.type == OPTION_INT)
		string_addf(out, "-spin %lld %lld %lld\"\n", (long long)engine_option_number(t, &o),
			    (long long)o.min, (long long)o.max);
	else if (o.type == OPTION_FLAG)
		string_addf(out, "-button\"\n");
	else
		string_addf(out, "-string %s\"\n", engine_option_text(t, &o));
}

static enum wire_next on_protover(struct wire *w, char *rest, struct string *out)
{
	int64_t version;
	if (!text_to_int(words_next(&rest), 1, INT32_MAX, &version))
		return wrong("bad argument", "protover", out);
	if (version < 2)
		return WIRE_ON;
	string_addf(out,
		    "feature done=0\n"
		    "feature ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=1\n"
		    "feature sigint=0 sigterm=0 reuse=1 analyze=1 colors=0 name=1 ics=0 nps=0\n"
		    "feature debug=1 memory=1 smp=1 exclude=1 pause=1 variants=\"normal\"\n"
		    "feature myname=\"Quevedo %s\"\n",
		    qv_version());
	for (const struct option *const *group = xboard_options; *group; group++)
		for (const struct option *row = *group; row->name; row++)
			add_option(&w->thinker, row, out);
	string_addf(out, "feature done=1\n");
	return WIRE_ON;
}

static enum wire_next on_nothing(struct wire *w, char *rest, struct string *out)
{
	(void)w, (void)rest, (void)out;
	return WIRE_ON;
}

static enum wire_next on_variant(struct wire *w, char *rest, struct string *out)
{
	(void)w;
	return strcmp(rest, "normal") == 0 ? WIRE_ON : wrong("unsupported variant", rest, out);
}

/* After all that came before it, the move too that it owes. */
static enum wire_next on_ping(struct wire *w, char *rest, struct string *out)
{
	const enum wire_next next = xboard_idle(w, out);
	char line[64];
	struct qv_text text = { line, sizeof line, 0 };
	if (next == WIRE_THINK && atomic_load(&xboard_of(w)->job) == JOB_MOVE) {
		qv_put(&text, "ping ");
		qv_put(&text, rest);
		wire_defer(w, line);
		return next;
	}
	string_addf(out, "pong %.40s\n", rest);
	return next;
}

static enum wire_next on_quit(struct wire *w, char *rest, struct string *out)
{
	(void)w, (void)rest, (void)out;
	xboard_of(w)->discard = true;
	return WIRE_QUIT;
}

/* ---- Settings ---- */

/* A command that sets an option of the engine. */
static enum wire_next set_by_command(struct wire *w, const char *command, const char *name,
				     const char *value, struct string *out)
{
	const struct option *option = engine_option_find(uci_options, name);
	struct qv_error error;
	int64_t number;
	if (!text_to_int(value, option->min, option->max, &number))
		return wrong("bad argument", command, out);
	if (thinker_set(&w->thinker, option, value, &error) != QV_OK)
		return wrong(command, error.text, out);
	return WIRE_ON;
}

static enum wire_next on_memory(struct wire *w, char *rest, struct string *out)
{
	return set_by_command(w, "memory", "Hash", rest, out);
}

static enum wire_next on_cores(struct wire *w, char *rest, struct string *out)
{
	return set_by_command(w, "cores", "Threads", rest, out);
}

/* option NAME, or NAME=VALUE */
static enum wire_next on_option(struct wire *w, char *rest, struct string *out)
{
	struct qv_error error;
	char *equals = strchr(rest, '=');
	const char *value = equals ? equals + 1 : "";
	if (equals)
		*equals = '\0';
	const struct option *option = engine_option_find(uci_options, words_trim(rest));
	if (!option)
		return wrong("no such option", rest, out);
	if (thinker_set(&w->thinker, option, value, &error) != QV_OK)
		return wrong("option", error.text, out);
	return WIRE_ON;
}

static enum wire_next on_post(struct wire *w, char *rest, struct string *out)
{
	(void)rest, (void)out;
	atomic_store(&xboard_of(w)->post, true);
	return WIRE_ON;
}

static enum wire_next on_nopost(struct wire *w, char *rest, struct string *out)
{
	(void)rest, (void)out;
	atomic_store(&xboard_of(w)->post, false);
	return WIRE_ON;
}

static enum wire_next on_hard(struct wire *w, char *rest, struct string *out)
{
	(void)rest, (void)out;
	xboard_of(w)->hard = true;
	return WIRE_ON;
}

static enum wire_next on_easy(struct wire *w, char *rest, struct string *out)
{
	struct xboard *x = xboard_of(w);
	(void)rest, (void)out;
	x->hard = false;
	if (w->busy && atomic_load(&x->job) == JOB_PONDER)
		xboard_break(w);
	return WIRE_ON;
}

/* ---- Time ---- */

/* Seconds, with decimals perhaps, as milliseconds; steps past them. */
static bool read_seconds(char **at, int64_t *ms)
{
	int64_t value = 0, unit = 1000;
	char *c = *at;
	if (*c < '0' || *c > '9')
		return false;
	for (; *c >= '0' && *c <= '9'; c++)
		value = value < MOST_MS ? value * 10 + (*c - '0') * 1000 : value;
	if (*c == '.')
		for (c++; *c >= '0' && *c <= '9'; c++)
			value += (*c - '0') * (unit /= 10);
	*at = c;
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
static enum wire_next on_level(struct wire *w, char *rest, struct string *out)
{
	struct xboard *x = xboard_of(w);
	int64_t moves, base, added = 0;
	const bool counted = text_to_int(words_next(&rest), 0, INT32_MAX, &moves);
	char *word = words_next(&rest);
	if (!counted || !read_base(word, &base) || (*rest && !read_seconds(&rest, &added)) || *rest)
		return wrong("bad argument", "level", out);
	const struct time_control control = { .base_ms = base ? base : 1,
					      .added_ms = added,
					      .period_moves = (int)moves };
	game_clock_init(&x->clock, &control);
	return WIRE_ON;
}

static enum wire_next on_st(struct wire *w, char *rest, struct string *out)
{
	struct xboard *x = xboard_of(w);
	int64_t ms;
	if (!read_seconds(&rest, &ms) || *rest)
		return wrong("bad argument", "st", out);
	const struct time_control control = { .move_ms = ms ? ms : 1 };
	game_clock_init(&x->clock, &control);
	return WIRE_ON;
}

static enum wire_next on_sd(struct wire *w, char *rest, struct string *out)
{
	int64_t depth;
	if (!text_to_int(rest, 0, INT32_MAX, &depth))
		return wrong("bad argument", "sd", out);
	xboard_of(w)->depth = depth;
	return WIRE_ON;
}

static enum wire_next set_clock(struct wire *w, int whose, const char *name, const char *rest,
				struct string *out)
{
	int64_t hundredths;
	if (!text_to_int(rest, -MOST_MS, MOST_MS, &hundredths))
		return wrong("bad argument", name, out);
	game_clock_set(&xboard_of(w)->clock, whose, hundredths * 10);
	return WIRE_ON;
}

static enum wire_next on_time(struct wire *w, char *rest, struct string *out)
{
	return set_clock(w, XBOARD_OWN, "time", rest, out);
}

static enum wire_next on_otim(struct wire *w, char *rest, struct string *out)
{
	return set_clock(w, XBOARD_OPPONENT, "otim", rest, out);
}

/* ---- The game ---- */

static void forget_position(struct xboard *x)
{
	x->excluded_count = 0;
	x->expected = QV_NO_MOVE;
	x->knows_score = false;
}

static enum wire_next on_new(struct wire *w, char *rest, struct string *out)
{
	struct xboard *x = xboard_of(w);
	const struct time_control control = x->clock.control;
	char game[512];
	struct qv_text text = { game, sizeof game, 0 };
	struct qv_error error;
	(void)rest;
	qv_rules_text(&w->thinker.rules, &text);
	if (thinker_new_game(&w->thinker, game, &error) != QV_OK)
		string_addf(out, "tellusererror %s\n", error.text);
	x->force = x->analyse; /* an analysis goes on, from the start */
	x->paused = false;
	x->seat = 1;
	x->depth = 0;
	game_clock_init(&x->clock, &control);
	forget_position(x);
	return WIRE_ON;
}

static enum wire_next on_force(struct wire *w, char *rest, struct string *out)
{
	(void)rest, (void)out;
	xboard_of(w)->force = true;
	xboard_of(w)->paused = false;
	return WIRE_ON;
}

/* What it thinks about is broken off, and begun again, with what is in the table, at `resume`. */
static enum wire_next on_pause(struct wire *w, char *rest, struct string *out)
{
	(void)rest, (void)out;
	xboard_of(w)->paused = true;
	return WIRE_ON;
}

static enum wire_next on_resume(struct wire *w, char *rest, struct string *out)
{
	(void)rest, (void)out;
	xboard_of(w)->paused = false;
	return WIRE_ON;
}

static int seat_to_move(const struct wire *w)
{
	return w->thinker.rules.game->seat(thinker_state(&w->thinker));
}

static enum wire_next on_go(struct wire *w, char *rest, struct string *out)
{
	struct xboard *x = xboard_of(w);
	(void)rest, (void)out;
	x->force = x->analyse = false;
	x->seat = seat_to_move(w);
	return WIRE_ON;
}

static enum wire_next on_playother(struct wire *w, char *rest, struct string *out)
{
	struct xboard *x = xboard_of(w);
	(void)rest, (void)out;
	x->force = x->analyse = false;
	x->seat = 1 - seat_to_move(w);
	return WIRE_ON;
}

static enum wire_next set_board(struct wire *w, const char *fen, struct string *out)
{
	struct qv_error error;
	if (thinker_position(&w->thinker, fen, &error) != QV_OK)
		string_addf(out, "tellusererror Illegal position: %s\n", error.text);
	else
		forget_position(xboard_of(w));
	return WIRE_ON;
}

static enum wire_next on_setboard(struct wire *w, char *rest, struct string *out)
{
	return *rest ? set_board(w, rest, out) : wrong("bad argument", "setboard", out);
}

static enum wire_next on_edit(struct wire *w, char *rest, struct string *out)
{
	(void)rest, (void)out;
	forget_position(xboard_of(w));
	xboard_edit_begin(w);
	return WIRE_ON;
}

/* The old commands white and black: who is to move; the engine has the other side. */
static enum wire_next set_side(struct wire *w, int seat, struct string *out)
{
	char text[QV_POSITION_TEXT] = "", *rest = text;
	struct qv_text from = { text, sizeof text, 0 };
	xboard_of(w)->seat = 1 - seat;
	if (seat_to_move(w) == seat)
		return WIRE_ON;
	w->thinker.rules.game->position_text(thinker_state(&w->thinker), &from);
	const char *board = words_next(&rest);
	words_next(&rest);
	const char *rights = words_next(&rest);
	char fen[QV_POSITION_TEXT] = "";
	struct qv_text to = { fen, sizeof fen, 0 };
	qv_put(&to, board);
	qv_put(&to, seat ? " b " : " w ");
	qv_put(&to, rights);
	qv_put(&to, " - 0 1");
	return set_board(w, fen, out);
}

static enum wire_next on_white(struct wire *w, char *rest, struct string *out)
{
	(void)rest;
	return set_side(w, 0, out);
}

static enum wire_next on_black(struct wire *w, char *rest, struct string *out)
{
	(void)rest;
	return set_side(w, 1, out);
}

static enum wire_next take_back(struct wire *w, int plies, const char *name, struct string *out)
{
	struct xboard *x = xboard_of(w);
	struct qv_error error;
	if (thinker_undo(&w->thinker, plies, &error) != QV_OK)
		return wrong("nothing to take back", name, out);
	game_clock_unmove(&x->clock, XBOARD_OWN, plies / 2);
	forget_position(x);
	return WIRE_ON;
}

static enum wire_next on_undo(struct wire *w, char *rest, struct string *out)
{
	(void)rest;
	return take_back(w, 1, "undo", out);
}

static enum wire_next on_remove(struct wire *w, char *rest, struct string *out)
{
	(void)rest;
	return take_back(w, 2, "remove", out);
}

static enum wire_next on_analyse(struct wire *w, char *rest, struct string *out)
{
	struct xboard *x = xboard_of(w);
	(void)rest, (void)out;
	x->analyse = x->force = true;
	return WIRE_ON;
}

static enum wire_next on_exit(struct wire *w, char *rest, struct string *out)
{
	struct xboard *x = xboard_of(w);
	(void)rest, (void)out;
	x->analyse = false;
	x->excluded_count = 0;
	return WIRE_ON;
}

static enum wire_next on_user_move(struct wire *w, char *rest, struct string *out)
{
	struct thinker *t = &w->thinker;
	struct qv_error error;
	qv_move move;
	if (thinker_over(t) && !xboard_of(w)->analyse && !xboard_of(w)->force) {
		string_addf(out, "Illegal move (the game has ended): %.100s\n", rest);
		return WIRE_ON;
	}
	if (thinker_over(t))
		thinker_play_on(t, &error);
	if (qv_move_parse(t->rules.game, thinker_state(t), rest, &move, NULL) != QV_OK ||
	    qv_record_play(t->record, move, -1, NULL) != QV_OK) {
		string_addf(out, "Illegal move: %.100s\n", rest);
		return WIRE_ON;
	}
	xboard_of(w)->excluded_count = 0;
	if (!xboard_of(w)->analyse && !xboard_of(w)->force)
		xboard_add_result(w, out);
	return WIRE_ON;
}

/* ---- While it thinks ---- */

static enum wire_next on_move_now(struct wire *w, char *rest, struct string *out)
{
	(void)rest, (void)out;
	if (w->busy && atomic_load(&xboard_of(w)->job) == JOB_MOVE)
		wire_stop(w);
	return WIRE_ON;
}

static enum wire_next on_status(struct wire *w, char *rest, struct string *out)
{
	(void)rest;
	xboard_tell_status(w, out);
	return WIRE_ON;
}

static enum wire_next on_hint(struct wire *w, char *rest, struct string *out)
{
	(void)rest;
	xboard_tell_hint(w, out);
	return WIRE_ON;
}

static enum wire_next on_book(struct wire *w, char *rest, struct string *out)
{
	(void)rest;
	xboard_tell_book(w, out);
	return WIRE_ON;
}

/* It takes a draw when it sees itself behind. */
static enum wire_next on_draw(struct wire *w, char *rest, struct string *out)
{
	enum { BEHIND = -30 };
	const struct xboard *x = xboard_of(w);
	(void)rest;
	if (!x->force && x->knows_score && x->score <= BEHIND)
		string_addf(out, "offer draw\n");
	return WIRE_ON;
}

static bool find_excluded(const struct xboard *x, qv_move move, int *at)
{
	for (*at = 0; *at < x->excluded_count; ++*at)
		if (x->excluded[*at] == move)
			return true;
	return false;
}

static enum wire_next exclude(struct wire *w, const char *rest, bool in, struct string *out)
{
	struct xboard *x = xboard_of(w);
	const struct thinker *t = &w->thinker;
	qv_move move;
	int at;
	if (strcmp(rest, "all") == 0) {
		x->excluded_count = in ? 0 : t->rules.game->moves(thinker_state(t), x->excluded);
		return WIRE_ON;
	}
	if (qv_move_parse(t->rules.game, thinker_state(t), rest, &move, NULL) != QV_OK) {
		string_addf(out, "Illegal move: %.100s\n", rest);
		return WIRE_ON;
	}
	const bool found = find_excluded(x, move, &at);
	if (in && found)
		x->excluded[at] = x->excluded[--x->excluded_count];
	else if (!in && !found && x->excluded_count < QV_MAX_MOVES)
		x->excluded[x->excluded_count++] = move;
	return WIRE_ON;
}

static enum wire_next on_exclude(struct wire *w, char *rest, struct string *out)
{
	return exclude(w, rest, false, out);
}

static enum wire_next on_include(struct wire *w, char *rest, struct string *out)
{
	return exclude(w, rest, true, out);
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

enum xboard_fate xboard_fate(const struct wire *w)
{
	enum xboard_fate fate = FATE_NONE;
	for (size_t at = w->later_at; at < w->later.length;) {
		const char *line = w->later.data + at;
		const struct command *c = find_command(line, strcspn(line, " \t"));
		if (c && c->when == BREAKS)
			return FATE_BREAKS;
		if (c && c->run == on_move_now)
			fate = FATE_HURRIES;
		at += strlen(line) + 1;
	}
	return fate;
}

/* Whether a line waits after which there may be a move to make. */
static bool awaits_move(const struct wire *w)
{
	for (size_t at = w->later_at; at < w->later.length;) {
		const char *line = w->later.data + at;
		const struct command *c = find_command(line, strcspn(line, " \t"));
		if (!c || c->run == on_user_move || c->run == on_go || c->run == on_playother)
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
static bool put_off(struct wire *w, enum when when, bool urgent, const char *line)
{
	const bool moves = atomic_load(&xboard_of(w)->job) == JOB_MOVE;
	if (!w->busy || urgent)
		return false;
	if (when == AT_ONCE && !wire_waits(w))
		return false;
	if (when == IN_TURN && !moves && !wire_waits(w))
		return false;
	if (when == BREAKS || (when == QUIETLY && !moves))
		xboard_break(w);
	return wire_defer(w, line);
}

/* A line that is no command may be a move. */
static enum wire_next take_move(struct wire *w, char *line, struct string *out)
{
	const struct thinker *t = &w->thinker;
	if (!looks_like_move(line) &&
	    qv_move_parse(t->rules.game, thinker_state(t), line, &(qv_move){ 0 }, NULL) != QV_OK)
		return wrong("unknown command", line, out);
	return on_user_move(w, line, out);
}

static enum wire_next xboard_line(struct wire *w, char *line, struct string *out)
{
	const size_t length = strcspn(line, " \t");
	const struct command *c = find_command(line, length);
	const bool is_move = !c || c->run == on_user_move;
	if (!*line)
		return WIRE_ON;
	if (xboard_of(w)->editing && !w->busy)
		return xboard_edit_line(w, line, out);
	if (is_move && w->busy && xboard_ponder_hit(w, c ? words_skip(line + length) : line))
		return WIRE_ON;
	/* A move is hurried at once, unless it is one that lines which wait will ask for. */
	const bool moves = atomic_load(&xboard_of(w)->job) == JOB_MOVE && !xboard_of(w)->discard;
	const bool urgent = c && (c->run == on_quit || (c->run == on_move_now && moves));
	if (put_off(w, c ? c->when : QUIETLY, urgent, line))
		return WIRE_ON;
	if (urgent && c->run == on_move_now && awaits_move(w))
		wire_defer(w, line); /* it may be meant for that one */
	char *rest = words_skip(line + length);
	const enum wire_next next = c ? c->run(w, rest, out) : take_move(w, line, out);
	return next == WIRE_ON ? xboard_idle(w, out) : next;
}

static void xboard_bad_line(struct wire *w, const char *why, struct string *out)
{
	(void)w;
	string_addf(out, "Error (%s): ?\n", why);
}

static enum qv_status xboard_fits(const struct qv_game *game, struct qv_error *error)
{
	if (context_engine(game)->orthodox)
		return QV_OK;
	return qv_fail(error, QV_UNSUPPORTED, "xboard: it is for chess, not for %.40s; use qgp",
		       game->name);
}

static enum qv_status xboard_make(struct wire *w, struct qv_error *error)
{
	struct xboard *x = xboard_of(w);
	const struct qv_game *game = w->thinker.rules.game;
	x->seat = 1;
	x->expected = QV_NO_MOVE;
	x->before = mem_new(w->thinker.allocator, 1, game->state_size);
	return x->before ? QV_OK : qv_fail(error, QV_NO_MEMORY, "engine: out of memory");
}

static void xboard_release(struct wire *w)
{
	struct xboard *x = xboard_of(w);
	if (x->before)
		mem_free(w->thinker.allocator, x->before, w->thinker.rules.game->state_size);
}

const struct wire_ops wire_xboard = { .name = "xboard",
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
