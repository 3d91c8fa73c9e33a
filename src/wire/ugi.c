/*
 * ugi.c - the Universal Game Interface, the engine's side: UCI's shape for games of two seats.
 * SPDX-License-Identifier: MIT
 *
 * What it does not know it ignores, as UGI has it. A position or an option that is no good changes
 * nothing and is told of as `info string`, which managers may show or not.
 */
#include "wire/engine.h"

#define NOT_SAID INT64_MIN         /* of a clock */

static enum qv_status ugi_fits(const struct qv_game *game, struct qv_error *error)
{
	if (game->seats == 2 && !game->chance)
		return QV_OK;
	return qv_fail(error, QV_UNSUPPORTED,
		       "ugi: %.40s does not fit it, two seats without chance do; use qgp",
		       game->name);
}

static enum wire_next remark(struct string *out, const struct qv_error *error)
{
	string_addf(out, "info string error: %s\n", error->text);
	return WIRE_ON;
}

static enum wire_next on_ugi(struct wire *w, char *rest, struct string *out)
{
	const struct thinker *t = &w->thinker;
	(void)rest;
	string_addf(out, "id name Quevedo %s\nid author the authors of Quevedo\n", qv_version());
	for (const struct thinker_option *o = thinker_options; o->name; o++)
		if (o->get)
			string_addf(out, "option name %s type spin default %lld min %lld max %lld\n",
				    o->name, (long long)o->get(t), (long long)o->min,
				    (long long)o->max);
		else
			string_addf(out, "option name %s type string default %s\n", o->name,
				    t->spec[0] ? t->spec : "<empty>");
	string_addf(out, "ugiok\n");
	return WIRE_ON;
}

static enum wire_next on_is_ready(struct wire *w, char *rest, struct string *out)
{
	(void)w;
	(void)rest;
	string_addf(out, "readyok\n");
	return WIRE_ON;
}

/* setoption name N [value V] */
static enum wire_next on_set_option(struct wire *w, char *rest, struct string *out)
{
	struct qv_error error;
	if (strcmp(words_next(&rest), "name") != 0)
		return WIRE_ON;
	const char *name = words_next(&rest), *value = "";
	if (strcmp(words_next(&rest), "value") == 0 && strcmp(rest, "<empty>") != 0)
		value = rest;
	const struct thinker_option *option = thinker_option_find(name);
	if (!option || thinker_set(&w->thinker, option, value, &error) == QV_OK)
		return WIRE_ON;
	return remark(out, &error);
}

static enum wire_next on_new_game(struct wire *w, char *rest, struct string *out)
{
	char game[512];
	struct qv_text text = { game, sizeof game, 0 };
	struct qv_error error;
	(void)rest;
	qv_rules_text(&w->thinker.rules, &text);
	if (thinker_new_game(&w->thinker, game, &error) == QV_OK)
		return WIRE_ON;
	return remark(out, &error);
}

/* Cuts the line at the word `moves`; returns what follows it, "" if it is not there. */
static char *cut_moves(char *line)
{
	char *at = line;
	while ((at = strstr(at, "moves"))) {
		const bool begins = at == line || at[-1] == ' ' || at[-1] == '\t';
		if (begins && (!at[5] || at[5] == ' ' || at[5] == '\t')) {
			*at = '\0';
			return words_skip(at + 5);
		}
		at += 5;
	}
	return line + strlen(line);
}

/* The position and all of its moves, or nothing. */
static enum wire_next on_position(struct wire *w, char *rest, struct string *out)
{
	struct thinker *t = &w->thinker;
	struct qv_record *before = t->record, *record = NULL;
	struct qv_error error;
	char *moves = cut_moves(rest);
	const char *word = words_next(&rest);
	const bool start = strcmp(word, "startpos") == 0;
	if (!start && strcmp(word, "fen") != 0)
		return WIRE_ON;
	enum qv_status status = qv_record_new(t->context, &t->rules,
					      start ? NULL : words_trim(rest), &record, &error);
	if (status != QV_OK)
		return remark(out, &error);
	t->record = record;
	while (status == QV_OK && *moves)
		status = thinker_play(t, words_next(&moves), &error);
	if (status == QV_OK) {
		qv_record_free(before);
		return WIRE_ON;
	}
	t->record = before;
	qv_record_free(record);
	return remark(out, &error);
}

static void read_limit(struct thinker_limits *limits, const char *word, char **rest)
{
	const struct {
		const char *name;
		int64_t min, max, *to;
	} numbers[] = {
		{ "depth", 1, INT32_MAX, &limits->depth },
		{ "nodes", 1, INT64_MAX / 2, &limits->nodes },
		{ "movetime", 1, INT64_MAX / 4, &limits->time_ms },
		{ "p1time", INT32_MIN, INT64_MAX / 4, &limits->left_ms[0] },
		{ "p2time", INT32_MIN, INT64_MAX / 4, &limits->left_ms[1] },
		{ "p1inc", 0, INT32_MAX, &limits->added_ms[0] },
		{ "p2inc", 0, INT32_MAX, &limits->added_ms[1] },
	};
	if (strcmp(word, "infinite") == 0)
		limits->infinite = true;
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (strcmp(word, numbers[i].name) == 0)
			text_to_int(words_next(rest), numbers[i].min, numbers[i].max,
				    numbers[i].to);
}

static enum wire_next on_go(struct wire *w, char *rest, struct string *out)
{
	struct thinker *t = &w->thinker;
	struct thinker_limits limits = { .left_ms = { NOT_SAID, NOT_SAID } };
	struct qv_error error;
	while (*rest) {
		const char *word = words_next(&rest);
		read_limit(&limits, word, &rest);
	}
	limits.clocks = limits.left_ms[t->rules.game->seat(thinker_state(t))] != NOT_SAID;
	if (thinker_go(t, &limits, &error) == QV_OK)
		return wire_begin(w);
	remark(out, &error);
	string_addf(out, "bestmove (none)\n");
	return WIRE_ON;
}

static enum wire_next on_stop(struct wire *w, char *rest, struct string *out)
{
	(void)rest;
	(void)out;
	wire_stop(w);
	return WIRE_ON;
}

static enum wire_next on_quit(struct wire *w, char *rest, struct string *out)
{
	(void)w;
	(void)rest;
	(void)out;
	return WIRE_QUIT;
}

static enum wire_next on_query(struct wire *w, char *rest, struct string *out)
{
	const struct thinker *t = &w->thinker;
	int32_t points[QV_MAX_SEATS];
	const bool over = qv_record_result(t->record, points) != QV_GOING;
	if (strcmp(rest, "gameover") == 0)
		string_addf(out, "response %s\n", over ? "true" : "false");
	else if (strcmp(rest, "p1turn") == 0)
		string_addf(out, "response %s\n",
			    t->rules.game->seat(thinker_state(t)) == 0 ? "true" : "false");
	else if (strcmp(rest, "result") == 0 && !over)
		string_addf(out, "response none\n");
	else if (strcmp(rest, "result") == 0)
		switch (qv_winner(t->rules.game, points)) {
		case 0: string_addf(out, "response p1win\n"); break;
		case 1: string_addf(out, "response p2win\n"); break;
		default: string_addf(out, "response draw\n");
		}
	return WIRE_ON;
}

/* ---- Answers ---- */

/* Plies to the end as moves of the one who moves first, as UCI counts. */
static void add_score(const struct qv_answer *a, struct string *out)
{
	if (a->proven && a->score > QV_MAX_EVAL)
		string_addf(out, " score mate %d", (QV_WIN - a->score + 1) / 2);
	else if (a->proven && a->score < -QV_MAX_EVAL)
		string_addf(out, " score mate -%d", (QV_WIN + a->score + 1) / 2);
	else
		string_addf(out, " score cp %d", a->score);
}

static void ugi_info(struct wire *w, const struct qv_answer *a, struct string *out)
{
	string_addf(out, "info depth %d", a->depth);
	add_score(a, out);
	string_addf(out, " nodes %llu", (unsigned long long)a->nodes);
	if (!w->no_times)
		string_addf(out, " time %lld", (long long)(a->seconds * 1000));
	string_addf(out, " pv ");
	thinker_add_line(&w->thinker, a, " ", out);
	string_addf(out, "\n");
}

static void ugi_answer(struct wire *w, struct string *out)
{
	const struct thinker *t = &w->thinker;
	if (t->status != QV_OK && t->status != QV_STOPPED) {
		remark(out, &t->error);
		string_addf(out, "bestmove (none)\n");
		return;
	}
	wire_last_info(w, out);
	string_addf(out, "bestmove %s\n",
		    thinker_move(t->rules.game, thinker_state(t), t->answer.move).text);
}

/* ---- Lines ---- */

static const struct {
	const char *name;
	enum wire_next (*run)(struct wire *w, char *rest, struct string *out);
	bool any_time;
} commands[] = {
	{ "ugi", on_ugi, false },	     { "isready", on_is_ready, true },
	{ "setoption", on_set_option, false }, { "uginewgame", on_new_game, false },
	{ "position", on_position, false },  { "go", on_go, false },
	{ "stop", on_stop, true },	     { "quit", on_quit, true },
	{ "query", on_query, false },
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static enum wire_next ugi_line(struct wire *w, char *line, struct string *out)
{
	char *rest = line;
	const char *word = words_next(&rest);
	for (int i = 0; i < COMMANDS; i++)
		if (strcmp(commands[i].name, word) == 0 && (!w->busy || commands[i].any_time))
			return commands[i].run(w, rest, out);
	return WIRE_ON;
}

static void ugi_bad_line(struct wire *w, const char *why, struct string *out)
{
	(void)w;
	(void)why;
	(void)out;
}

const struct wire_ops wire_ugi = { "ugi",    ugi_line,	 ugi_bad_line,
				   ugi_info, ugi_answer, ugi_fits };
