/*
 * qgp.c - our own protocol for any game, the engine's side. docs/protocol.md describes it in full.
 * SPDX-License-Identifier: MIT
 *
 * Every line gets exactly one closing answer: `ok`, `error CODE WHY`, or the line that the command
 * asks for. After an error everything is as it was before the line. During a search only stop, ping
 * and quit are accepted, so no line ever waits.
 */
#include "protocols/engine.h"

/* The closing answer of a command that asks for nothing. */
static enum next_step ok(struct string *out)
{
	string_addf(out, "ok\n");
	return NEXT_LINE;
}

/*
 * One line; the error is printable already. The codes are part of the protocol: busy, chance,
 * failed, game, illegal, memory, option, over, position, syntax, unknown, unsupported, version.
 */
static enum next_step fail(struct string *out, const char *code, const struct qv_error *error)
{
	string_addf(out, "error %s %s\n", code, error->text);
	return NEXT_LINE;
}

#define REFUSE(out, code, ...)                                     \
	do {                                                       \
		struct qv_error why_;                              \
		qv_fail(&why_, QV_BAD_INPUT, __VA_ARGS__);         \
		return fail(out, code, &why_);                     \
	} while (0)

/* `ok`, or what went wrong under the code that fits the command. */
static enum next_step close_with(struct string *out, enum qv_status status, const char *code,
				 const struct qv_error *error)
{
	if (status == QV_OK)
		return ok(out);
	return fail(out, status == QV_NO_MEMORY ? "memory" : code, error);
}

/* ---- Hello and options ---- */

/* One line per option: its name, type, value and bounds. */
static void add_options(const struct engine_session *e, struct string *out)
{
	for (const struct option *o = qgp_options; o->name; o++)
		if (o->type == OPTION_INT)
			string_addf(out, "option %s number %lld %lld %lld\n", o->name,
				    (long long)engine_option_number(e, o), (long long)o->min,
				    (long long)o->max);
		else
			string_addf(out, "option %s text%s%s\n", o->name,
				    *engine_option_text(e, o) ? " " : "", engine_option_text(e, o));
}

/* qgp VERSION: answered by the name, the games and the options. */
static enum next_step on_hello(struct connection *c, char *rest, struct string *out)
{
	const struct qv_game *game;
	if (strcmp(rest, "1") != 0)
		REFUSE(out, "version", "qgp '%.40s': only version 1 is spoken here", rest);
	string_addf(out, "name Quevedo %s\ngames", qv_version());
	for (int i = 0; (game = qv_game_at(c->engine.context, i)); i++)
		string_addf(out, " %s", game->name);
	string_addf(out, "\n");
	add_options(&c->engine, out);
	return ok(out);
}

static enum next_step on_options(struct connection *c, char *rest, struct string *out)
{
	(void)rest;
	add_options(&c->engine, out);
	return ok(out);
}

/* set NAME VALUE: the value may be empty and may contain blanks. */
static enum next_step on_set(struct connection *c, char *rest, struct string *out)
{
	struct qv_error error;
	const char *name = words_next(&rest);
	const struct option *option = engine_option_find(qgp_options, name);
	if (!*name)
		REFUSE(out, "syntax", "set: which option?");
	if (!option)
		REFUSE(out, "option", "set '%.40s': there is no such option", name);
	return close_with(out, engine_set(&c->engine, option, rest, &error), "option", &error);
}

/* ---- The game ---- */

/* The seats are only checked: the engine plays whichever seat is to move. */
static enum next_step on_new_game(struct connection *c, char *rest, struct string *out)
{
	struct qv_error error;
	struct qv_rules rules;
	int64_t seat;
	const char *game = words_next(&rest);
	if (!*game)
		REFUSE(out, "syntax", "newgame: which game?");
	enum qv_status status = qv_rules_parse(c->engine.context, game, &rules, &error);
	while (status == QV_OK && *rest) {
		const char *word = words_next(&rest);
		if (!text_to_int(word, 1, rules.game->seats, &seat))
			REFUSE(out, "syntax", "newgame: seat '%.40s' must be 1 to %d", word,
			       rules.game->seats);
	}
	if (status == QV_OK)
		status = engine_new_game(&c->engine, game, &error);
	return close_with(out, status, "game", &error);
}

/* position start, or position TEXT in the notation of the game. */
static enum next_step on_position(struct connection *c, char *rest, struct string *out)
{
	struct qv_error error;
	if (!*rest)
		REFUSE(out, "syntax", "position: 'start' or a position is missing");
	return close_with(out, engine_position(&c->engine, rest, &error), "position", &error);
}

/* All of the moves, or none. */
static enum next_step on_play(struct connection *c, char *rest, struct string *out)
{
	struct qv_error error;
	enum qv_status status = QV_OK;
	int played = 0;
	for (char *move; status == QV_OK && (move = words_item(&rest)); played++) {
		if (*move)
			status = engine_play(&c->engine, move, &error);
		else
			status = qv_fail(&error, QV_BAD_INPUT, "play: move %d is empty",
					 played + 1);
		if (status != QV_OK)
			break;
	}
	if (status != QV_OK)
		qv_record_undo(c->engine.record, played, NULL);
	return close_with(out, status, status == QV_BAD_INPUT ? "syntax" : "illegal", &error);
}

/* undo [PLIES]: more than were played is an error, and nothing is undone. */
static enum next_step on_undo(struct connection *c, char *rest, struct string *out)
{
	struct qv_error error;
	int64_t plies = 1;
	if (*rest && !text_to_int(rest, 1, INT32_MAX, &plies))
		REFUSE(out, "syntax", "undo '%.40s': how many moves?", rest);
	return close_with(out, engine_undo(&c->engine, (int)plies, &error), "illegal", &error);
}

/* ---- Looking ---- */

/*
 * show: the position, the seat to move, the result and the legal moves. The list of moves can be
 * large, so it is not on the stack.
 */
static enum next_step on_show(struct connection *c, char *rest, struct string *out)
{
	const struct engine_session *e = &c->engine;
	char text[QV_POSITION_TEXT] = "";
	struct qv_text position = { text, sizeof text, 0 };
	const struct qv_game *game = e->rules.game;
	const void *state = engine_state(e);
	const int seat = game->seat(state);
	const size_t most = (size_t)game->max_moves;
	(void)rest;
	qv_move *list = mem_new(e->allocator, most, sizeof *list);
	if (!list)
		REFUSE(out, "memory", "show: out of memory");
	game->position_text(state, &position);
	string_addf(out, "position %s\n", text);
	if (seat == QV_CHANCE)
		string_addf(out, "seat chance\n");
	else
		string_addf(out, "seat %d\n", seat + 1);
	int32_t points[QV_MAX_SEATS];
	const bool over = qv_record_result(e->record, points) != QV_GOING;
	const int winner = over ? qv_winner(game, points) : -1;
	if (winner >= 0)
		string_addf(out, "result win %d\n", winner + 1);
	else
		string_addf(out, over ? "result draw\n" : "result none\n");
	const int count = over ? 0 : game->moves(state, list);
	string_addf(out, "moves");
	for (int i = 0; i < count; i++)
		string_addf(out, "%s%s", i ? ", " : " ", move_text(game, state, list[i]).text);
	string_addf(out, "\n");
	mem_free(e->allocator, list, most * sizeof *list);
	return ok(out);
}

/* ping [TEXT]: returns the text, also during a search, to show that the engine is alive. */
static enum next_step on_ping(struct connection *c, char *rest, struct string *out)
{
	(void)c;
	string_addf(out, "pong%s%s\n", *rest ? " " : "", rest);
	return NEXT_LINE;
}

/* ---- Thinking ---- */

/* clock SEAT LEFT ADDED. `given` has a bit for each seat that has a clock. */
static bool read_clock(struct engine_limits *limits, int seats, unsigned *given, char **rest)
{
	int64_t seat, left, added;
	if (!text_to_int(words_next(rest), 1, seats, &seat) ||
	    !text_to_int(words_next(rest), INT32_MIN, INT64_MAX / 4, &left) ||
	    !text_to_int(words_next(rest), 0, INT32_MAX, &added) || *given >> seat & 1)
		return false;
	*given |= 1u << seat;
	limits->left_ms[seat - 1] = left;
	limits->added_ms[seat - 1] = added;
	return true;
}

/* Reads one other limit; false: unknown, out of range, or given before. */
static bool read_limit(struct engine_limits *limits, const char *word, char **rest)
{
	const struct {
		const char *name;
		int64_t max, *to;
	} numbers[] = {
		{ "depth", INT32_MAX, &limits->depth },
		{ "nodes", INT64_MAX / 2, &limits->nodes },
		{ "evals", INT64_MAX / 2, &limits->evals },
		{ "movetime", INT64_MAX / 4, &limits->time_ms },
	};
	if (strcmp(word, "infinite") == 0 && !limits->infinite)
		return limits->infinite = true;
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (strcmp(word, numbers[i].name) == 0 && !*numbers[i].to)
			return text_to_int(words_next(rest), 1, numbers[i].max, numbers[i].to);
	return false;
}

/*
 * go LIMITS. The limits may come in any order, but each only once. Clocks count only if the seat
 * to move has one; the others are for engines that consider them.
 */
static enum next_step on_go(struct connection *c, char *rest, struct string *out)
{
	struct engine_session *e = &c->engine;
	struct engine_limits limits = { 0 };
	struct qv_error error;
	unsigned clocks = 0;
	const int seat = e->rules.game->seat(engine_state(e));
	while (*rest) {
		const char *word = words_next(&rest);
		const bool read =
			strcmp(word, "clock") == 0
				? read_clock(&limits, e->rules.game->seats, &clocks, &rest)
				: read_limit(&limits, word, &rest);
		if (!read)
			REFUSE(out, "syntax",
			       "go: '%.40s' is no limit, has no right value or is given twice",
			       word);
	}
	if (engine_over(e))
		REFUSE(out, "over", "go: the game has ended");
	if (seat == QV_CHANCE)
		REFUSE(out, "chance", "go: chance is to move; tell the throw with 'play'");
	limits.clocks = clocks >> (seat + 1) & 1;
	const enum qv_status status = engine_go(e, &limits, &error);
	return status == QV_OK ? connection_begin(c) : close_with(out, status, "option", &error);
}

/* solve [distance]: finds the value of the position, with `distance` the number of plies, too. */
static enum next_step on_solve(struct connection *c, char *rest, struct string *out)
{
	struct qv_error error;
	const bool distance = strcmp(rest, "distance") == 0;
	if (*rest && !distance)
		REFUSE(out, "syntax", "solve '%.40s': only 'distance' may stand here", rest);
	const enum qv_status status = engine_solve(&c->engine, distance, &error);
	if (status == QV_OK)
		return connection_begin(c);
	return close_with(out, status, status == QV_ILLEGAL ? "over" : "unsupported", &error);
}

/* stop: ends the search, whose answer follows; without a search it does nothing. */
static enum next_step on_stop(struct connection *c, char *rest, struct string *out)
{
	(void)rest;
	connection_stop(c);
	return ok(out);
}

/* ---- Answers ---- */

/* A win that is not certain scores UNCERTAIN_WIN, less the plies to it. */
static int32_t estimate(int32_t score)
{
	enum { UNCERTAIN_WIN = 1000000 };
	return score > QV_MAX_EVAL    ? UNCERTAIN_WIN - (QV_WIN - score)
	       : score < -QV_MAX_EVAL ? (QV_WIN + score) - UNCERTAIN_WIN
				      : score;
}

/* A proven score is given in plies to the end. There is only one line, the best. */
static void qgp_info(struct connection *c, int line, const struct qv_answer *a, struct string *out)
{
	(void)line;
	string_addf(out, "info depth %d", a->depth);
	if (a->proven && a->score > QV_MAX_EVAL)
		string_addf(out, " score win %d", QV_WIN - a->score);
	else if (a->proven && a->score < -QV_MAX_EVAL)
		string_addf(out, " score loss %d", QV_WIN + a->score);
	else if (a->proven && a->score == 0)
		string_addf(out, " score draw");
	else if (!a->unsolved)
		string_addf(out, " score %s%d", a->proven ? "exact " : "", estimate(a->score));
	string_addf(out, " nodes %llu evals %llu considered %llu", (unsigned long long)a->nodes,
		    (unsigned long long)a->evals, (unsigned long long)a->considered);
	if (!c->no_times)
		string_addf(out, " time %lld", (long long)(a->seconds * 1000));
	string_addf(out, " pv ");
	engine_add_line(&c->engine, a, ", ", out);
	string_addf(out, "\n");
}

/* bestmove MOVE, value VALUE [in PLIES] [move MOVE], or an error. */
static void qgp_answer(struct connection *c, struct string *out)
{
	static const char *const words[] = { [QV_VALUE_UNKNOWN] = "unknown",
					     [QV_VALUE_LOSS] = "loss",
					     [QV_VALUE_DRAW] = "draw",
					     [QV_VALUE_WIN] = "win" };
	const struct engine_session *e = &c->engine;
	const void *state = engine_state(e);
	if (e->status != QV_OK && e->status != QV_STOPPED) {
		close_with(out, e->status, "failed", &e->error);
	} else if (e->task == TASK_SOLVE) {
		const struct qv_solution *s = &e->solution;
		const bool known = s->value != QV_VALUE_UNKNOWN;
		string_addf(out, "value %s", words[s->value]);
		if (known && e->distance && s->in >= 0 && s->value != QV_VALUE_DRAW)
			string_addf(out, " in %d", s->in);
		if (known && qv_move_legal(e->rules.game, state, s->move))
			string_addf(out, " move %s", move_text(e->rules.game, state, s->move).text);
		string_addf(out, "\n");
	} else {
		connection_last_info(c, out);
		string_addf(out, "bestmove %s\n",
			    move_text(e->rules.game, state, e->answer.move).text);
	}
}

/* ---- Lines ---- */

static const struct {
	const char *name;
	enum next_step (*run)(struct connection *c, char *rest, struct string *out);
	bool alone;    /* takes no argument */
	bool any_time; /* also during a search */
} commands[] = {
	{ "qgp", on_hello, false, false },
	{ "options", on_options, true, false },
	{ "set", on_set, false, false },
	{ "newgame", on_new_game, false, false },
	{ "position", on_position, false, false },
	{ "play", on_play, false, false },
	{ "undo", on_undo, false, false },
	{ "show", on_show, true, false },
	{ "go", on_go, false, false },
	{ "solve", on_solve, false, false },
	{ "stop", on_stop, true, true },
	{ "ping", on_ping, false, true },
	{ "quit", connection_quit, true, true },
};
enum { COMMANDS = sizeof commands / sizeof *commands };

/* Empty lines and lines that begin with # get no answer at all. */
static enum next_step qgp_line(struct connection *c, char *line, struct string *out)
{
	char *rest = line;
	if (!*line || *line == '#')
		return NEXT_LINE;
	const char *word = words_next(&rest);
	for (int i = 0; i < COMMANDS; i++) {
		if (strcmp(commands[i].name, word) != 0)
			continue;
		if (c->busy && !commands[i].any_time)
			REFUSE(out, "busy", "%s: not while thinking; 'stop' ends that", word);
		if (commands[i].alone && *rest)
			REFUSE(out, "syntax", "%s: nothing may follow it", word);
		return commands[i].run(c, rest, out);
	}
	REFUSE(out, "unknown", "'%.40s': there is no such command", word);
}

/* A line that cannot be read still gets its closing answer. */
static void qgp_bad_line(struct connection *c, const char *why, struct string *out)
{
	struct qv_error error;
	(void)c;
	qv_fail(&error, QV_BAD_INPUT, "%s", why);
	fail(out, "syntax", &error);
}

const struct protocol_ops protocol_qgp = { .name = "qgp",
					   .strict = true,
					   .line = qgp_line,
					   .bad_line = qgp_bad_line,
					   .info = qgp_info,
					   .answer = qgp_answer };
