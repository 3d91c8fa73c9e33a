/*
 * hub.c - Hub, version 2, the engine's side: English draughts with positions of 33 characters.
 * SPDX-License-Identifier: MIT
 *
 * Unknown commands and arguments are ignored, as the protocol demands. What is wrong with a known
 * one is reported as `error message=`, and changes nothing. After a refused position every `go` is
 * an error until a valid one arrives, since a move of the old position would be taken for an answer
 * to the new one. Every other `go` gets one `done`. Lines that may not run during a search wait for
 * its answer.
 */
#include "base/flag.h"
#include "formats/hub.h"
#include "protocols/engine.h"

static enum next_step fail(struct string *out, const struct qv_error *error)
{
	string_addf(out, "error");
	hub_add(out, "message", error->text);
	string_addf(out, "\n");
	return NEXT_LINE;
}

static enum next_step refuse(struct string *out, const char *why)
{
	struct qv_error error;
	qv_fail(&error, QV_BAD_INPUT, "%s", why);
	return fail(out, &error);
}

#define BAD_ARGUMENT "expected NAME=VALUE, quoted if the value holds blanks"

/* ---- Hello and parameters ---- */

/* hub: the identification and the parameters, which are the options of QGP; then `wait`. */
static enum next_step on_hello(struct connection *c, char *rest, struct string *out)
{
	const struct engine_session *e = &c->engine;
	(void)rest;
	string_addf(out, "id name=Quevedo");
	hub_add(out, "version", qv_version());
	string_addf(out, " author=\"the authors of Quevedo\"\n");
	for (const struct option *o = qgp_options; o->name; o++) {
		string_addf(out, "param name=%s", o->name);
		if (o->type == OPTION_INT) {
			string_addf(out, " value=%lld type=int min=%lld max=%lld\n",
				    (long long)engine_option_number(e, o), (long long)o->min,
				    (long long)o->max);
		} else {
			hub_add(out, "value", engine_option_text(e, o));
			string_addf(out, " type=string\n");
		}
	}
	string_addf(out, "wait\n");
	return NEXT_LINE;
}

/* set-param name=N value=V */
static enum next_step on_set_param(struct connection *c, char *rest, struct string *out)
{
	char *name, *value;
	const char *which = NULL, *text = NULL;
	struct qv_error error;
	enum hub_got got;
	while ((got = hub_argument(&rest, &name, &value)) == HUB_ARGUMENT)
		if (strcmp(name, "name") == 0)
			which = value;
		else if (strcmp(name, "value") == 0)
			text = value;
	if (got == HUB_BAD)
		return refuse(out, "set-param: " BAD_ARGUMENT);
	if (!which || !text)
		return refuse(out, "set-param: name= or value= is missing");
	const struct option *option = engine_option_find(qgp_options, which);
	enum qv_status status = QV_OK;
	if (option)
		status = engine_set(&c->engine, option, text, &error);
	else
		status = qv_fail(&error, QV_UNKNOWN,
				 "set-param '%.40s': there is no such parameter", which);
	return status == QV_OK ? NEXT_LINE : fail(out, &error);
}

/* init: the player is made now, so that the first search begins at once. */
static enum next_step on_init(struct connection *c, char *rest, struct string *out)
{
	struct qv_error error;
	(void)rest;
	if (engine_ready(&c->engine, &error) != QV_OK)
		return fail(out, &error);
	string_addf(out, "ready\n");
	return NEXT_LINE;
}

static enum next_step on_ping(struct connection *c, char *rest, struct string *out)
{
	(void)c, (void)rest;
	string_addf(out, "pong\n");
	return NEXT_LINE;
}

/* ---- The game ---- */

static enum next_step on_new_game(struct connection *c, char *rest, struct string *out)
{
	struct qv_error error;
	(void)rest;
	const bool made = engine_new_game(&c->engine, NULL, &error) == QV_OK;
	return made ? NEXT_LINE : fail(out, &error);
}

/* Makes a record that begins with the position; here it is checked whether that is legal. */
static enum qv_status record_of(const struct engine_session *e, const struct draughts *s,
				struct qv_record **out, struct qv_error *error)
{
	char text[QV_POSITION_TEXT] = "";
	struct qv_text position = { text, sizeof text, 0 };
	draughts_position_text(s, &position);
	return qv_record_new(e->context, &e->rules, text, out, error);
}

/*
 * Hub does not know our draws: after one, the game continues from the position, without the moves
 * before it.
 */
static enum qv_status play_on(struct engine_session *e, struct qv_error *error)
{
	struct draughts s;
	struct qv_record *record;
	memcpy(&s, engine_state(e), sizeof s);
	s.quiet = 0;
	const enum qv_status status = record_of(e, &s, &record, error);
	if (status != QV_OK)
		return status;
	qv_record_free(e->record);
	e->record = record;
	return QV_OK;
}

static enum qv_status play(struct engine_session *e, const char *text, struct qv_error *error)
{
	qv_move move;
	const enum qv_status status = engine_over(e) ? play_on(e, error) : QV_OK;
	if (status != QV_OK)
		return status;
	if (!hub_move_parse(engine_state(e), text, &move))
		return qv_fail(error, QV_ILLEGAL, "pos: move '%.40s' is not legal", text);
	return qv_record_play(e->record, move, -1, error);
}

/* Reads the arguments of `pos`; on success the session has the new record. */
static enum qv_status read_position(struct engine_session *e, char *rest, struct qv_error *error)
{
	char *name, *value, empty[] = "", *moves = empty;
	const char *position = NULL;
	struct draughts s;
	struct qv_record *before = e->record, *record = NULL;
	enum hub_got got;
	while ((got = hub_argument(&rest, &name, &value)) == HUB_ARGUMENT)
		if (strcmp(name, "pos") == 0)
			position = value;
		else if (strcmp(name, "moves") == 0)
			moves = value;
	if (got == HUB_BAD)
		return qv_fail(error, QV_BAD_INPUT, "pos: " BAD_ARGUMENT);
	if (!position)
		return qv_fail(error, QV_BAD_INPUT, "pos: pos= is missing");
	enum qv_status status = hub_position_parse(&s, position, error);
	if (status == QV_OK)
		status = record_of(e, &s, &record, error);
	if (status != QV_OK)
		return status;
	e->record = record;
	moves = words_skip(moves);
	while (status == QV_OK && *moves)
		status = play(e, words_next(&moves), error);
	if (status == QV_OK) {
		qv_record_free(before);
	} else {
		qv_record_free(e->record); /* not `record`: play_on makes another */
		e->record = before;
	}
	return status;
}

/* pos pos=POSITION [moves="MOVE ..."] */
static enum next_step on_position(struct connection *c, char *rest, struct string *out)
{
	c->refused.text[0] = '\0';
	if (read_position(&c->engine, rest, &c->refused) == QV_OK) {
		c->refused.text[0] = '\0';
		return NEXT_LINE;
	}
	return fail(out, &c->refused);
}

/* ---- Searching ---- */

/* The limits that `level` has set stay until the next one. */
static struct engine_limits *level_of(struct connection *c)
{
	return c->own;
}

static int64_t clamp(int64_t n, int64_t min, int64_t max)
{
	return n < min ? min : n > max ? max : n;
}

/* Reads one argument of `level`; unknown ones are ignored. */
static enum qv_status read_limit(struct engine_limits *l, const char *name, const char *value,
				 struct qv_error *error)
{
	enum { DEPTH, NODES, MOVES, MOVE_TIME, TIME, INC };
	static const int64_t least[] = { 1, 1, 0, 0, INT64_MIN, 0 };
	const int key = scan_choice("depth|nodes|moves|move-time|time|inc", name);
	int64_t number;
	if (strcmp(name, "infinite") == 0)
		l->infinite = true;
	if (key < 0)
		return QV_OK;
	if (key < MOVE_TIME ? !text_to_int(value, -INT64_MAX, INT64_MAX, &number)
			    : !hub_number(value, &number))
		return qv_fail(error, QV_BAD_INPUT, "level: %s '%.40s' is not a number", name,
			       value);
	if (number < least[key])
		return qv_fail(error, QV_BAD_INPUT, "level: %s '%.40s' is less than %d", name,
			       value, (int)least[key]);
	if (key == DEPTH)
		l->depth = clamp(number, 1, INT32_MAX);
	else if (key == NODES)
		l->nodes = clamp(number, 1, INT64_MAX / 2);
	else if (key == MOVES)
		l->moves_to_go = (int)clamp(number, 0, INT32_MAX);
	else if (key == MOVE_TIME)
		l->time_ms = clamp(number, 1, INT64_MAX / 4);
	else if (key == TIME) /* of a flag that has fallen it is negative */
		l->left_ms[0] = l->left_ms[1] = clamp(number, INT32_MIN, INT64_MAX / 4);
	else
		l->added_ms[0] = l->added_ms[1] = clamp(number, 0, INT32_MAX);
	l->clocks |= key == TIME;
	return QV_OK;
}

/* level [depth=N] [nodes=N] [move-time=S] [[moves=N] time=S [inc=S]] [infinite] */
static enum next_step on_level(struct connection *c, char *rest, struct string *out)
{
	struct engine_limits limits = { 0 };
	struct qv_error error;
	char *name, *value;
	enum hub_got got;
	while ((got = hub_argument(&rest, &name, &value)) == HUB_ARGUMENT)
		if (read_limit(&limits, name, value, &error) != QV_OK)
			return fail(out, &error);
	if (got == HUB_BAD)
		return refuse(out, "level: " BAD_ARGUMENT);
	*level_of(c) = limits;
	return NEXT_LINE;
}

/*
 * go think|ponder|analyze: an analysis without limits lasts until `stop`. The engine may answer at
 * any time, but a search that was asked to be infinite waits for the stop.
 */
static enum next_step on_go(struct connection *c, char *rest, struct string *out)
{
	struct engine_session *e = &c->engine;
	struct engine_limits limits = *level_of(c);
	struct qv_error error;
	char *name, *value;
	int mode = -1;
	while (hub_argument(&rest, &name, &value) == HUB_ARGUMENT)
		if (scan_choice("think|ponder|analyze", name) >= 0)
			mode = scan_choice("think|ponder|analyze", name);
	if (mode < 0)
		return refuse(out, "go: expected think, ponder or analyze");
	if (c->refused.text[0]) {
		qv_fail(&error, QV_BAD_INPUT, "go: no valid position: %.150s", c->refused.text);
		return fail(out, &error);
	}
	limits.ponder = mode == 1;
	if (mode == 2 && !limits.depth && !limits.nodes && !limits.time_ms && !limits.clocks)
		limits.infinite = true;
	engine_analyse(e, mode == 2);
	enum qv_status status = engine_over(e) ? play_on(e, &error) : QV_OK;
	if (status == QV_OK)
		status = engine_go(e, &limits, &error);
	return status == QV_OK ? connection_begin_queued(c, "ponder-hit") : fail(out, &error);
}

/* stop, ponder-hit: for the running task, or for a `go` that waits. */
static enum next_step on_stop(struct connection *c, char *rest, struct string *out)
{
	(void)rest, (void)out;
	if (c->busy && connection_waits(c))
		connection_defer(c, "stop");
	connection_stop(c);
	return NEXT_LINE;
}

static enum next_step on_ponder_hit(struct connection *c, char *rest, struct string *out)
{
	(void)rest, (void)out;
	if (c->busy && connection_waits(c))
		connection_defer(c, "ponder-hit");
	engine_ponderhit(&c->engine);
	return NEXT_LINE;
}

/* ---- Answers ---- */

static struct move_text text_of(qv_move move)
{
	struct move_text out = { "" };
	struct qv_text text = { out.text, sizeof out.text, 0 };
	hub_move_text(move, &text);
	return out;
}

/* The number of moves of the line that are legal; after them it may be damaged. */
static int legal_length(const struct engine_session *e, const struct qv_answer *a)
{
	const struct qv_game *game = e->rules.game;
	int n = 0;
	memcpy(e->scratch, engine_state(e), game->state_size);
	for (; n < a->line_length && qv_move_legal(game, e->scratch, a->line[n]); n++)
		game->play(e->scratch, a->line[n]);
	return n;
}

static void add_score(int32_t score, struct string *out)
{
	const int32_t size = score < 0 ? -score : score;
	int32_t hundredths = size < HUB_WIN_LEAST ? size : HUB_WIN_LEAST;
	if (size > QV_MAX_EVAL && QV_WIN - size < HUB_WIN - HUB_WIN_LEAST)
		hundredths = HUB_WIN - (QV_WIN - size);
	string_addf(out, " score=%s%d.%02d", score < 0 ? "-" : "", hundredths / 100,
		    hundredths % 100);
}

static void info(struct connection *c, int line, const struct qv_answer *a, struct string *out)
{
	const int length = legal_length(&c->engine, a);
	(void)line;
	string_addf(out, "info depth=%d", a->depth);
	if (!a->unsolved)
		add_score(a->score, out);
	string_addf(out, " nodes=%llu", (unsigned long long)a->nodes);
	if (!c->no_times)
		string_addf(out, " time=%.3f nps=%.3f", a->seconds,
			    (double)a->nodes / 1e6 / (a->seconds > 1e-6 ? a->seconds : 1e-6));
	string_addf(out, " pv=\"");
	for (int i = 0; i < length; i++)
		string_addf(out, "%s%s", i ? " " : "", text_of(a->line[i]).text);
	string_addf(out, "\"\n");
}

/* done move=MOVE [ponder=REPLY], or an error if the search failed. */
static void answer(struct connection *c, struct string *out)
{
	const struct engine_session *e = &c->engine;
	const struct qv_answer *a = &e->answer;
	if (e->status != QV_OK && e->status != QV_STOPPED) {
		fail(out, &e->error);
		return;
	}
	connection_last_info(c, out);
	string_addf(out, "done move=%s", text_of(a->move).text);
	if (a->line_length > 1 && a->line[0] == a->move && legal_length(e, a) > 1)
		string_addf(out, " ponder=%s", text_of(a->line[1]).text);
	string_addf(out, "\n");
}

/* ---- Lines ---- */

static const struct hub_command {
	const char *name;
	enum next_step (*run)(struct connection *c, char *rest, struct string *out);
	enum {
		LATER, /* after the answer of a running task */
		AT_ONCE,
		IN_TURN, /* at once, but after waiting lines if the search is stopping */
	} when;
} commands[] = {
	{ "hub", on_hello, LATER },
	{ "set-param", on_set_param, LATER },
	{ "init", on_init, LATER },
	{ "new-game", on_new_game, LATER },
	{ "pos", on_position, LATER },
	{ "level", on_level, LATER },
	{ "go", on_go, LATER },
	{ "ping", on_ping, IN_TURN },
	{ "ponder-hit", on_ponder_hit, AT_ONCE },
	{ "stop", on_stop, AT_ONCE },
	{ "quit", connection_quit, AT_ONCE },
};

/* A position was lost. During a task a bare `pos`, which will be refused, waits in its place. */
static void lose_position(struct connection *c, const char *why)
{
	if (!c->busy || !connection_defer(c, "pos"))
		qv_fail(&c->refused, QV_BAD_INPUT, "%s", why);
}

static enum next_step line(struct connection *c, char *text, struct string *out)
{
	const struct hub_command *command = NULL;
	const size_t length = strcspn(text, " \t");
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		if (strlen(commands[i].name) == length &&
		    memcmp(commands[i].name, text, length) == 0)
			command = &commands[i];
	if (!command)
		return NEXT_LINE;
	const bool stopping = connection_waits(c) && flag_is_set(&c->engine.stop);
	const bool waits = command->when == LATER || (command->when == IN_TURN && stopping);
	if (!c->busy || !waits)
		return command->run(c, words_skip(text + length), out);
	if (!connection_defer(c, text)) {
		if (command->run == on_position)
			lose_position(c, "too many lines wait");
		return refuse(out, "too many lines wait");
	}
	return NEXT_LINE;
}

/* The unreadable line may have been a position; then the one before it must not be searched. */
static void bad_line(struct connection *c, const char *why, struct string *out)
{
	lose_position(c, why);
	refuse(out, why);
}

const struct protocol_ops protocol_hub = {
	.name = "hub",
	.line = line,
	.bad_line = bad_line,
	.info = info,
	.answer = answer,
	.fits = hub_fits,
	.own_size = sizeof(struct engine_limits),
};
