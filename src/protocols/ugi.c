/*
 * ugi.c - the Universal Game Interface, the engine's side: UCI's shape for games of two seats; and
 * what UCI has in common with it.
 * SPDX-License-Identifier: MIT
 *
 * What it does not know it ignores, as UGI has it. A bad option changes nothing and is reported as
 * `info string`, which managers may show or not. A refused position is reported in the same way;
 * until a valid one arrives, every `go` is answered `bestmove (none)`. Lines that may not be taken
 * while it thinks wait for the answer.
 */
#include "protocols/ugi.h"

enum qv_status ugi_fits(const struct qv_game *game, struct qv_error *error)
{
	if (game->seats == 2 && !game->chance)
		return QV_OK;
	return qv_fail(error, QV_UNSUPPORTED,
		       "protocol: %.40s does not fit it, two seats without chance do; use qgp",
		       game->name);
}

enum wire_next ugi_remark(struct string *out, const struct qv_error *error)
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

/* The first search should not have to wait for its table. */
enum wire_next ugi_is_ready(struct wire *w, char *rest, struct string *out)
{
	struct qv_error error;
	(void)rest;
	if (!w->busy && thinker_ready(&w->thinker, &error) != QV_OK)
		ugi_remark(out, &error);
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
	return ugi_remark(out, &error);
}

enum wire_next ugi_new_game(struct wire *w, char *rest, struct string *out)
{
	char game[512];
	struct qv_text text = { game, sizeof game, 0 };
	struct qv_error error;
	(void)rest;
	qv_rules_text(&w->thinker.rules, &text);
	if (thinker_new_game(&w->thinker, game, &error) == QV_OK)
		return WIRE_ON;
	return ugi_remark(out, &error);
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

/*
 * A drawn game may be played on, by those who do not claim it: from here as from a new start, with
 * the count of moves without progress, which is the fifth word of a FEN, at nothing.
 */
enum qv_status ugi_play_on(struct thinker *t, struct qv_error *error)
{
	char text[QV_POSITION_TEXT] = "", anew[QV_POSITION_TEXT] = "", *rest = text;
	struct qv_text out = { text, sizeof text, 0 }, to = { anew, sizeof anew, 0 };
	t->rules.game->position_text(thinker_state(t), &out);
	for (int field = 1; *rest; field++) {
		int64_t number;
		const char *word = words_next(&rest);
		const bool counts = field == 5 && text_to_int(word, 0, INT32_MAX, &number);
		if (field > 1)
			qv_put_char(&to, ' ');
		qv_put(&to, counts ? "0" : word);
	}
	return thinker_position(t, anew, error);
}

enum qv_status ugi_play(struct thinker *t, const char *move, bool on, struct qv_error *error)
{
	enum qv_status status = QV_OK;
	if (on && thinker_over(t))
		status = ugi_play_on(t, error);
	return status == QV_OK ? thinker_play(t, move, error) : status;
}

bool ugi_no_position(const struct wire *w, struct string *out)
{
	if (w->refused.text[0])
		string_addf(out, "info string error: no valid position: %s\n", w->refused.text);
	return w->refused.text[0];
}

/* A new record with the position and its moves. */
static enum qv_status set_position(struct thinker *t, char *rest, bool on, struct qv_error *error)
{
	struct qv_record *before = t->record, *record = NULL;
	char *moves = cut_moves(rest);
	const char *word = words_next(&rest), *fen = words_trim(rest);
	const bool start = strcmp(word, "startpos") == 0;
	if (!start && strcmp(word, "fen") != 0)
		return qv_fail(error, QV_BAD_INPUT, "position: expected startpos or fen");
	if (!start && !*fen)
		return qv_fail(error, QV_BAD_INPUT, "position: no FEN follows");
	enum qv_status status =
		qv_record_new(t->context, &t->rules, start ? NULL : fen, &record, error);
	if (status != QV_OK)
		return status;
	t->record = record;
	while (status == QV_OK && *moves)
		status = ugi_play(t, words_next(&moves), on, error);
	if (status == QV_OK) {
		qv_record_free(before);
		return QV_OK;
	}
	qv_record_free(t->record);
	t->record = before;
	return status;
}

enum wire_next ugi_position(struct wire *w, char *rest, bool on, struct string *out)
{
	w->refused.text[0] = '\0';
	if (set_position(&w->thinker, rest, on, &w->refused) == QV_OK)
		return WIRE_ON;
	return ugi_remark(out, &w->refused);
}

static enum wire_next on_position(struct wire *w, char *rest, struct string *out)
{
	return ugi_position(w, rest, false, out);
}

bool ugi_number(const char *word, int64_t min, int64_t max, int64_t *out)
{
	int64_t number;
	if (!text_to_int(word, -INT64_MAX, INT64_MAX, &number))
		return false;
	*out = number < min ? min : number > max ? max : number;
	return true;
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
			ugi_number(words_next(rest), numbers[i].min, numbers[i].max,
				   numbers[i].to);
}

static enum wire_next on_go(struct wire *w, char *rest, struct string *out)
{
	struct thinker *t = &w->thinker;
	struct thinker_limits limits = { .left_ms = { UGI_NOT_SAID, UGI_NOT_SAID } };
	struct qv_error error;
	while (*rest) {
		const char *word = words_next(&rest);
		read_limit(&limits, word, &rest);
	}
	limits.clocks = limits.left_ms[t->rules.game->seat(thinker_state(t))] != UGI_NOT_SAID;
	if (!ugi_no_position(w, out)) {
		if (thinker_go(t, &limits, &error) == QV_OK)
			return ugi_begin(w);
		ugi_remark(out, &error);
	}
	string_addf(out, "bestmove (none)\n");
	return WIRE_ON;
}

/*
 * What is meant at once may be meant for a `go` that waits for its turn: it is kept behind it too,
 * where ugi_begin sees it.
 */
static void keep_for_later(struct wire *w, const char *line)
{
	if (w->busy && wire_waits(w))
		wire_defer(w, line);
}

enum wire_next ugi_begin(struct wire *w)
{
	const enum wire_next next = wire_begin(w);
	if (wire_awaits(w, "ponderhit", "go"))
		thinker_ponderhit(&w->thinker);
	if (wire_awaits(w, "stop", "go"))
		wire_stop(w);
	return next;
}

enum wire_next ugi_stop(struct wire *w, char *rest, struct string *out)
{
	(void)rest;
	(void)out;
	keep_for_later(w, "stop");
	wire_stop(w);
	return WIRE_ON;
}

enum wire_next ugi_ponder_hit(struct wire *w, char *rest, struct string *out)
{
	(void)rest, (void)out;
	keep_for_later(w, "ponderhit");
	thinker_ponderhit(&w->thinker);
	return WIRE_ON;
}

enum wire_next ugi_quit(struct wire *w, char *rest, struct string *out)
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
	const bool known = strcmp(rest, "gameover") == 0 || strcmp(rest, "p1turn") == 0 ||
			   strcmp(rest, "result") == 0;
	if (known && ugi_no_position(w, out))
		string_addf(out, "response none\n");
	else if (strcmp(rest, "gameover") == 0)
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
void ugi_add_score(const struct qv_answer *a, struct string *out)
{
	if (a->score > QV_MAX_EVAL)
		string_addf(out, " score mate %d", (QV_WIN - a->score + 1) / 2);
	else if (a->score < -QV_MAX_EVAL)
		string_addf(out, " score mate -%d", (QV_WIN + a->score + 1) / 2);
	else
		string_addf(out, " score cp %d", a->score);
}

static void ugi_info(struct wire *w, int line, const struct qv_answer *a, struct string *out)
{
	(void)line;
	string_addf(out, "info depth %d", a->depth);
	ugi_add_score(a, out);
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
		ugi_remark(out, &t->error);
		string_addf(out, "bestmove (none)\n");
		return;
	}
	wire_last_info(w, out);
	string_addf(out, "bestmove %s\n",
		    thinker_move(t->rules.game, thinker_state(t), t->answer.move).text);
}

/* ---- Lines ---- */

static const struct ugi_command *find_command(const struct ugi_command *commands, const char *line)
{
	const size_t length = strcspn(line, " \t");
	for (const struct ugi_command *c = commands; c->name; c++)
		if (strlen(c->name) == length && memcmp(c->name, line, length) == 0)
			return c;
	return NULL;
}

/* Whether the line waits until the thinking is over, behind those that do. */
static bool must_wait(const struct wire *w, const struct ugi_command *c)
{
	if (!w->busy || c->when == UGI_AT_ONCE)
		return false;
	return c->when == UGI_LATER || (wire_waits(w) && atomic_load(&w->thinker.stop));
}

/* A position was lost. While a task runs, a bare `position`, which is refused, waits in its place. */
static void lose_position(struct wire *w, const char *why)
{
	if (!w->busy || !wire_defer(w, "position"))
		qv_fail(&w->refused, QV_BAD_INPUT, "%s", why);
}

enum wire_next ugi_dispatch(struct wire *w, const struct ugi_command *commands, char *line,
			    struct string *out)
{
	const struct ugi_command *c = find_command(commands, line);
	if (!c)
		return WIRE_ON;
	if (must_wait(w, c)) {
		if (!wire_defer(w, line)) {
			string_addf(out, "info string error: too much to do later\n");
			if (strcmp(c->name, "position") == 0)
				lose_position(w, "too much to do later");
		}
		return WIRE_ON;
	}
	words_next(&line);
	return c->run(w, line, out);
}

static enum wire_next ugi_line(struct wire *w, char *line, struct string *out)
{
	static const struct ugi_command commands[] = {
		{ "ugi", on_ugi, UGI_LATER },
		{ "isready", ugi_is_ready, UGI_IN_TURN },
		{ "setoption", on_set_option, UGI_LATER },
		{ "uginewgame", ugi_new_game, UGI_LATER },
		{ "position", on_position, UGI_LATER },
		{ "go", on_go, UGI_LATER },
		{ "stop", ugi_stop, UGI_AT_ONCE },
		{ "quit", ugi_quit, UGI_AT_ONCE },
		{ "query", on_query, UGI_LATER },
		{ 0 },
	};
	return ugi_dispatch(w, commands, line, out);
}

/* The unreadable line may have been a position; then the one before it must not be searched. */
void ugi_bad_line(struct wire *w, const char *why, struct string *out)
{
	(void)out;
	lose_position(w, why);
}

const struct wire_ops wire_ugi = { .name = "ugi",
				   .line = ugi_line,
				   .bad_line = ugi_bad_line,
				   .info = ugi_info,
				   .answer = ugi_answer,
				   .fits = ugi_fits };
