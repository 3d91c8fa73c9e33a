/*
 * uci.c - the Universal Chess Interface, the engine's side; ugi.c has what it shares with UGI.
 * SPDX-License-Identifier: MIT
 *
 * As UCI has it, what is not known is ignored, and a line begins with the first word that is a
 * command. Every `go` is answered by one `bestmove`, held back for `stop` or `ponderhit` where the
 * protocol wants that.
 */
#include "base/clock.h"
#include "protocols/uci_options.h"
#include "protocols/ugi.h"

/* ---- Options ---- */

static void add_option(const struct thinker *t, const struct uci_option *o, struct string *out)
{
	int64_t min, max;
	if (!uci_option_offered(t, o, &min, &max))
		return;
	string_addf(out, "option name %s type ", o->name);
	switch (o->type) {
	case UCI_CHECK:
		string_addf(out, "check default %s\n", o->number(t) ? "true" : "false");
		break;
	case UCI_SPIN:
		string_addf(out, "spin default %lld min %lld max %lld\n", (long long)o->number(t),
			    (long long)min, (long long)max);
		break;
	case UCI_BUTTON:
		string_addf(out, "button\n");
		break;
	case UCI_STRING:
		string_addf(out, "string default %s\n", *o->text(t) ? o->text(t) : "<empty>");
	}
}

static enum wire_next on_uci(struct wire *w, char *rest, struct string *out)
{
	(void)rest;
	string_addf(out, "id name Quevedo %s\nid author the authors of Quevedo\n", qv_version());
	for (const struct uci_option *o = uci_options; o->name; o++)
		add_option(&w->thinker, o, out);
	string_addf(out, "uciok\n");
	return WIRE_ON;
}

/* setoption name N [value V]: both may hold blanks, and N ends at the word `value`. */
static enum wire_next on_set_option(struct wire *w, char *rest, struct string *out)
{
	struct qv_error error;
	if (strcmp(words_next(&rest), "name") != 0)
		return WIRE_ON;
	char *name = rest, *end = rest, *value = rest;
	for (;;) {
		char *word = words_skip(value);
		const size_t length = strcspn(word, " \t");
		if (!length || (length == 5 && memcmp(word, "value", 5) == 0)) {
			value = words_skip(word + length);
			break;
		}
		end = value = word + length;
	}
	*end = '\0';
	if (strcmp(value, "<empty>") == 0)
		value += strlen(value);
	const struct uci_option *option = uci_option_find(name);
	if (!option || uci_option_set(&w->thinker, option, value, &error) == QV_OK)
		return WIRE_ON;
	return ugi_remark(out, &error);
}

/* ---- Searching ---- */

static enum wire_next on_position(struct wire *w, char *rest, struct string *out)
{
	return ugi_position(w, rest, true, out);
}

enum { MOST_PERFT = 100 };

/* What `go` asks for, as it is read. */
struct wish {
	struct thinker_limits limits;
	int64_t moves_to_go, perft;
	qv_move only[QV_MAX_MOVES];
	bool any, lists; /* something was asked for; moves to search are being named */
};

static bool take_number(struct wish *wish, const char *word, char **rest)
{
	struct thinker_limits *l = &wish->limits;
	const struct {
		const char *name;
		int64_t min, max, *to;
	} numbers[] = {
		{ "wtime", INT32_MIN, INT64_MAX / 4, &l->left_ms[0] },
		{ "btime", INT32_MIN, INT64_MAX / 4, &l->left_ms[1] },
		{ "winc", 0, INT32_MAX, &l->added_ms[0] },
		{ "binc", 0, INT32_MAX, &l->added_ms[1] },
		{ "movestogo", 0, INT32_MAX, &wish->moves_to_go },
		{ "movetime", 1, INT64_MAX / 4, &l->time_ms },
		{ "depth", 1, INT32_MAX, &l->depth },
		{ "nodes", 1, INT64_MAX / 2, &l->nodes },
		{ "mate", 1, QV_MAX_LINE, &l->mate },
		{ "perft", 1, MOST_PERFT, &wish->perft },
	};
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (strcmp(word, numbers[i].name) == 0) {
			wish->any = true;
			ugi_number(words_next(rest), numbers[i].min, numbers[i].max, numbers[i].to);
			return true;
		}
	return false;
}

static void take_word(struct wish *wish, const struct thinker *t, const char *word, char **rest)
{
	struct thinker_limits *l = &wish->limits;
	qv_move move;
	const bool listed = wish->lists;
	wish->lists = false;
	if (take_number(wish, word, rest))
		return;
	if (strcmp(word, "searchmoves") == 0) {
		wish->lists = true;
	} else if (strcmp(word, "infinite") == 0) {
		l->infinite = true;
	} else if (strcmp(word, "ponder") == 0) {
		l->ponder = wish->any = true;
	} else if (listed) {
		wish->lists = true;
		if (l->only_count < QV_MAX_MOVES &&
		    qv_move_parse(t->rules.game, thinker_state(t), word, &move, NULL) == QV_OK)
			wish->only[l->only_count++] = move;
	}
}

/* Whoever names one clock alone means it for both. */
static void set_clocks(struct thinker_limits *l, int64_t moves_to_go)
{
	for (int seat = 0; seat < 2; seat++)
		if (l->left_ms[seat] == UGI_NOT_SAID) {
			l->left_ms[seat] = l->left_ms[1 - seat];
			l->added_ms[seat] = l->added_ms[1 - seat];
		}
	l->clocks = l->left_ms[0] != UGI_NOT_SAID;
	l->moves_to_go = (int)moves_to_go;
}

/* There is no move. `go infinite` and `go ponder` get that answer after the stop or the hit. */
static enum wire_next answer_none(struct wire *w, const struct wish *wish, struct string *out)
{
	const struct thinker_limits *limits = &wish->limits;
	if (limits->infinite || limits->ponder) {
		thinker_hold(&w->thinker, limits);
		return ugi_begin(w);
	}
	string_addf(out, "bestmove (none)\n");
	return WIRE_ON;
}

/* Where the game has ended. */
static enum wire_next answer_ended(struct wire *w, const struct wish *wish, struct string *out)
{
	int32_t points[QV_MAX_SEATS];
	qv_record_result(w->thinker.record, points);
	const int winner = qv_winner(w->thinker.rules.game, points);
	string_addf(out, "info depth 0 score %s\n", winner < 0 ? "cp 0" : "mate 0");
	return answer_none(w, wish, out);
}

static enum wire_next go(struct wire *w, struct wish *wish, char *rest, struct string *out)
{
	struct thinker *t = &w->thinker;
	struct qv_error error;
	wish->limits.left_ms[0] = wish->limits.left_ms[1] = UGI_NOT_SAID;
	const bool refused = ugi_no_position(w, out);
	if (!refused && thinker_over(t) && ugi_play_on(t, &error) != QV_OK)
		ugi_remark(out, &error);
	while (*rest) {
		const char *word = words_next(&rest);
		take_word(wish, t, word, &rest);
	}
	if (refused) /* a perft has no bestmove */
		return wish->perft ? WIRE_ON : answer_none(w, wish, out);
	if (thinker_over(t))
		return answer_ended(w, wish, out);
	if (wish->perft) {
		thinker_perft(t, (int)wish->perft);
		return ugi_begin(w);
	}
	set_clocks(&wish->limits, wish->moves_to_go);
	wish->limits.only = wish->only;
	wish->limits.infinite |= !wish->any;
	wish->limits.mate = 2 * wish->limits.mate - (wish->limits.mate > 0);
	if (thinker_go(t, &wish->limits, &error) == QV_OK)
		return ugi_begin(w);
	ugi_remark(out, &error);
	string_addf(out, "bestmove (none)\n");
	return WIRE_ON;
}

static enum wire_next on_go(struct wire *w, char *rest, struct string *out)
{
	struct wish *wish = w->own;
	*wish = (struct wish){ 0 };
	return go(w, wish, rest, out);
}

static enum wire_next on_debug(struct wire *w, char *rest, struct string *out)
{
	(void)w;
	if (strcmp(rest, "on") == 0)
		string_addf(out, "info string debug: all is told anyway\n");
	return WIRE_ON;
}

/* ---- Answers ---- */

/* Of several lines each knows its own share alone; the time is for all of them. */
static void add_times(const struct wire *w, const struct qv_answer *a, struct string *out)
{
	const double passed = (double)(clock_us() - w->began_us) / 1e6;
	const double seconds = a->seconds > 1e-6 ? a->seconds : 1e-6;
	string_addf(out, " nps %llu time %lld", (unsigned long long)((double)a->nodes / seconds),
		    (long long)((w->thinker.lines > 1 ? passed : a->seconds) * 1000));
}

static void uci_info(struct wire *w, int line, const struct qv_answer *a, struct string *out)
{
	string_addf(out, "info depth %d", a->depth);
	if (a->deepest)
		string_addf(out, " seldepth %d", a->deepest > a->depth ? a->deepest : a->depth);
	string_addf(out, " multipv %d", line);
	ugi_add_score(a, out);
	if (a->bound)
		string_addf(out, a->bound > 0 ? " lowerbound" : " upperbound");
	string_addf(out, " nodes %llu", (unsigned long long)a->nodes);
	if (a->table_permille)
		string_addf(out, " hashfull %d", a->table_permille);
	if (!w->no_times)
		add_times(w, a, out);
	string_addf(out, " pv ");
	thinker_add_line(&w->thinker, a, " ", out);
	string_addf(out, "\n");
}

static void uci_root_move(struct wire *w, qv_move move, int n, int depth, struct string *out)
{
	const struct thinker *t = &w->thinker;
	if (wire_says_moves(w))
		string_addf(out, "info depth %d currmove %s currmovenumber %d\n", depth,
			    thinker_move(t->rules.game, thinker_state(t), move).text, n);
}

/* As Stockfish does: each move with its leaves, and their sum. There is no bestmove. */
static void answer_perft(const struct thinker *t, struct string *out)
{
	uint64_t all = 0;
	if (t->status != QV_OK) {
		ugi_remark(out, &t->error);
		return;
	}
	for (int i = 0; i < t->perft_count; i++) {
		string_addf(out, "%s: %llu\n",
			    thinker_move(t->rules.game, thinker_state(t), t->only[i]).text,
			    (unsigned long long)t->perft_leaves[i]);
		all += t->perft_leaves[i];
	}
	string_addf(out, "\nNodes searched: %llu\n", (unsigned long long)all);
}

static void uci_answer(struct wire *w, struct string *out)
{
	const struct thinker *t = &w->thinker;
	if (t->task == TASK_PERFT) {
		answer_perft(t, out);
		return;
	}
	if (t->task == TASK_HOLD) {
		string_addf(out, "bestmove (none)\n");
		return;
	}
	if (t->status != QV_OK && t->status != QV_STOPPED) {
		ugi_remark(out, &t->error);
		string_addf(out, "bestmove (none)\n");
		return;
	}
	if (t->lines < 2)
		wire_last_info(w, out);
	string_addf(out, "bestmove %s",
		    thinker_move(t->rules.game, thinker_state(t), t->answer.move).text);
	const struct thinker_move reply = thinker_reply(t);
	string_addf(out, "%s%s\n", reply.text[0] ? " ponder " : "", reply.text);
}

/* ---- Lines ---- */

static const struct ugi_command commands[] = {
	{ "uci", on_uci, UGI_LATER },
	{ "isready", ugi_is_ready, UGI_IN_TURN },
	{ "setoption", on_set_option, UGI_LATER },
	{ "ucinewgame", ugi_new_game, UGI_LATER },
	{ "position", on_position, UGI_LATER },
	{ "go", on_go, UGI_LATER },
	{ "stop", ugi_stop, UGI_AT_ONCE },
	{ "ponderhit", ugi_ponder_hit, UGI_AT_ONCE },
	{ "quit", ugi_quit, UGI_AT_ONCE },
	{ "debug", on_debug, UGI_AT_ONCE },
	{ 0 },
};

static bool is_command(const char *line)
{
	const size_t length = strcspn(line, " \t");
	for (const struct ugi_command *c = commands; c->name; c++)
		if (strlen(c->name) == length && memcmp(c->name, line, length) == 0)
			return true;
	return false;
}

static enum wire_next uci_line(struct wire *w, char *line, struct string *out)
{
	while (*line && !is_command(line))
		words_next(&line);
	return ugi_dispatch(w, commands, line, out);
}

const struct wire_ops wire_uci = { .name = "uci",
				   .line = uci_line,
				   .bad_line = ugi_bad_line,
				   .info = uci_info,
				   .bounds = true,
				   .root_move = uci_root_move,
				   .answer = uci_answer,
				   .fits = ugi_fits,
				   .own_size = sizeof(struct wish) };
