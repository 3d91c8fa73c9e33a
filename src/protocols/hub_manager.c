/*
 * hub_manager.c - Hub, version 2, the manager's side.
 * SPDX-License-Identifier: MIT
 *
 * `init` is sent once, after the parameters, and closed by `ready`. Later games are closed by the
 * `pong` of a ping, because `new-game` has no answer. An `error` of the engine is always a refusal.
 * Unknown lines and arguments mean nothing, as the protocol demands.
 */
#include "formats/hub.h"
#include "protocols/manager.h"
#include "protocols/words.h"

/* ---- What is sent ---- */

static void hub_hello(struct manager *m, struct string *out)
{
	string_addf(out, "hub\n");
	m->awaits = "wait";
	m->awaited = 1;
}

static void hub_set(struct manager *m, const char *name, const char *value, struct string *out)
{
	(void)m;
	string_addf(out, "set-param");
	hub_add(out, "name", name);
	hub_add(out, "value", value);
	string_addf(out, "\n");
}

/* Only after hello no game has been played yet. */
static void hub_new_game(struct manager *m, const char *game, struct string *out)
{
	const bool first = !m->awaits || strcmp(m->awaits, "wait") == 0;
	(void)game;
	string_addf(out, first ? "init\n" : "new-game\nping\n");
	m->awaits = first ? "ready" : "pong";
	m->awaited = 1;
}

/* Times are in seconds. */
static void add_time(struct string *out, const char *name, int64_t ms)
{
	ms = ms > 0 ? ms : 0;
	string_addf(out, " %s=%lld.%03lld", name, (long long)(ms / 1000), (long long)(ms % 1000));
}

/* All limits are in one `level`; without any it clears those of the last question. */
static void hub_ask(struct manager *m, const struct manager_question *q, struct string *out)
{
	string_addf(out, "pos");
	hub_add(out, "pos", q->start ? q->start : HUB_START);
	if (*q->moves)
		hub_add(out, "moves", q->moves);
	string_addf(out, "\nlevel%s", q->infinite ? " infinite" : "");
	if (q->depth > 0)
		string_addf(out, " depth=%lld", (long long)q->depth);
	if (q->nodes > 0)
		string_addf(out, " nodes=%lld", (long long)q->nodes);
	if (q->time_ms > 0)
		add_time(out, "move-time", q->time_ms);
	if (q->clocks) {
		add_time(out, "time", q->left_ms[q->seat]);
		add_time(out, "inc", q->added_ms[q->seat]);
		if (q->moves_to_go)
			string_addf(out, " moves=%d", q->moves_to_go);
	}
	string_addf(out, "\ngo think\n");
	manager_await_move(m);
}

static void hub_stop(struct manager *m, struct string *out)
{
	(void)m;
	string_addf(out, "stop\n");
}

/* ---- The engine's lines ---- */

/* Malformed scores are ignored; those beyond HUB_WIN_LEAST are wins. */
static void read_score(struct manager_info *info, const char *text)
{
	int64_t thousandths;
	if (!hub_number(text, &thousandths))
		return;
	const int64_t score = thousandths / 10, size = score < 0 ? -score : score;
	const int64_t plies = HUB_WIN - size;
	int64_t value = size < QV_MAX_EVAL ? size : QV_MAX_EVAL;
	info->proven = plies >= 0 && plies < HUB_WIN - HUB_WIN_LEAST;
	if (info->proven)
		value = QV_WIN - plies;
	info->score = (int32_t)(score < 0 ? -value : value);
}

static void read_info(struct manager *m, char *rest)
{
	char *name, *value;
	int64_t number;
	while (hub_argument(&rest, &name, &value) == HUB_ARGUMENT) {
		if (strcmp(name, "score") == 0)
			read_score(&m->info, value);
		else if (strcmp(name, "pv") == 0)
			manager_take_pv(m, words_trim(value));
		else if (strcmp(name, "depth") == 0 && manager_number(value, INT32_MAX, &number))
			m->info.depth = (int)number;
		else if (strcmp(name, "nodes") == 0 && manager_number(value, INT64_MAX, &number) &&
			 number >= 0)
			m->info.nodes = (uint64_t)number;
	}
}

/* The value of an argument; "" if it is missing. */
static const char *argument_of(char *rest, const char *wanted)
{
	char *name, *value;
	while (hub_argument(&rest, &name, &value) == HUB_ARGUMENT)
		if (strcmp(name, wanted) == 0)
			return value;
	return "";
}

/* id name=N version=V, in either order. */
static void read_name(struct manager *m, char *rest)
{
	const char *of = "", *version = "";
	char *name, *value, whole[sizeof m->name];
	while (hub_argument(&rest, &name, &value) == HUB_ARGUMENT)
		if (strcmp(name, "name") == 0)
			of = value;
		else if (strcmp(name, "version") == 0)
			version = value;
	snprintf(whole, sizeof whole, "%.40s%s%.20s", of, *version ? " " : "", version);
	manager_take_name(m, whole);
}

/* A `done` without a question is a late answer to one that was given up: it is ignored. */
static enum manager_event hub_line(struct manager *m, char *line, size_t length)
{
	char *rest = line;
	if (strlen(line) != length)
		return MANAGER_QUIET;
	const char *word = words_next(&rest);
	if (m->awaits && strcmp(word, m->awaits) == 0)
		return manager_ready(m);
	if (strcmp(word, "id") == 0)
		read_name(m, rest);
	if (strcmp(word, "error") == 0) {
		qv_fail(&m->error, QV_BAD_INPUT, "error %.120s", argument_of(rest, "message"));
		return MANAGER_REFUSED;
	}
	if (strcmp(word, "info") == 0 && m->asked) {
		read_info(m, rest);
		return MANAGER_INFO;
	}
	if (strcmp(word, "done") == 0 && m->asked)
		return manager_take_move(m, argument_of(rest, "move"));
	return MANAGER_QUIET;
}

/* ---- Notation ---- */

static void move_text(const void *state, qv_move move, struct qv_text *out)
{
	(void)state;
	hub_move_text(move, out);
}

static bool move_parse(const void *state, const char *text, qv_move *move)
{
	return hub_move_parse(state, text, move);
}

static void position_text(const void *state, struct qv_text *out)
{
	hub_position_text(state, out);
}

static enum qv_status fits(const struct qv_rules *rules, struct qv_error *error)
{
	return hub_fits(rules->game, error);
}

const struct manager_ops manager_hub = {
	.name = "hub",
	.separator = " ",
	.hello_done = "wait",
	.new_game_done = "ready' or 'pong",
	.hello = hub_hello,
	.set = hub_set,
	.new_game = hub_new_game,
	.ask = hub_ask,
	.stop = hub_stop,
	.quit = manager_quit,
	.line = hub_line,
	.two_seats = true,
	.endless = true,
	.fits = fits,
	.move_text = move_text,
	.move_parse = move_parse,
	.position_text = position_text,
};
