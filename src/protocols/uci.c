/*
 * uci.c - the Universal Chess Interface and the Universal Game Interface, the engine's side.
 * SPDX-License-Identifier: MIT
 *
 * UGI is UCI's shape for games of two seats: it has other words for some things, a query, and less
 * of everything else. Tables below say which words each of them has.
 *
 * As both have it, what is not known is ignored; a line of UCI begins with the first word that is a
 * command. A bad option changes nothing and is reported as `info string`, which managers may show or
 * not. A refused position is reported in the same way; until a valid one arrives, every `go` is
 * answered `bestmove (none)`, since a manager would take a move of the old position for an answer to
 * the new one. Every `go` gets one `bestmove`, held back for `stop` or `ponderhit` where the protocol
 * wants that. Lines that may not be taken during a search wait for its answer.
 */
#include "base/clock.h"
#include "protocols/engine.h"
#include "protocols/engine_options.h"

enum { UCI = 1, UGI = 2, BOTH = UCI | UGI };

static int dialect(const struct wire *w)
{
	return w->ops == &wire_uci ? UCI : UGI;
}

static bool is_uci(const struct wire *w)
{
	return dialect(w) == UCI;
}

static enum qv_status fits(const struct qv_game *game, struct qv_error *error)
{
	if (game->seats == 2 && !game->chance)
		return QV_OK;
	return qv_fail(error, QV_UNSUPPORTED,
		       "protocol: %.40s does not fit it, two seats without chance do; use qgp",
		       game->name);
}

static enum wire_next remark(struct string *out, const struct qv_error *error)
{
	string_addf(out, "info string error: %s\n", error->text);
	return WIRE_ON;
}

/* ---- Hello and options ---- */

static void add_option(const struct thinker *t, const struct option *row, struct string *out)
{
	struct option o;
	if (!engine_option_here(t, row, &o))
		return;
	string_addf(out, "option name %s type ", o.name);
	if (o.type == OPTION_SWITCH)
		string_addf(out, "check default %s\n",
			    engine_option_number(t, &o) ? "true" : "false");
	else if (o.type == OPTION_INT)
		string_addf(out, "spin default %lld min %lld max %lld\n",
			    (long long)engine_option_number(t, &o), (long long)o.min,
			    (long long)o.max);
	else if (o.type == OPTION_FLAG)
		string_addf(out, "button\n");
	else
		string_addf(out, "string default %s\n",
			    *engine_option_text(t, &o) ? engine_option_text(t, &o) : "<empty>");
}

static const struct option *const *options_of(const struct wire *w)
{
	return is_uci(w) ? uci_options : qgp_options;
}

static enum wire_next on_hello(struct wire *w, char *rest, struct string *out)
{
	(void)rest;
	string_addf(out, "id name Quevedo %s\nid author the authors of Quevedo\n", qv_version());
	for (const struct option *const *group = options_of(w); *group; group++)
		for (const struct option *row = *group; row->name; row++)
			add_option(&w->thinker, row, out);
	string_addf(out, "%sok\n", w->ops->name);
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
	const struct option *option = engine_option_find(options_of(w), name);
	if (!option || thinker_set(&w->thinker, option, value, &error) == QV_OK)
		return WIRE_ON;
	return remark(out, &error);
}

/* The first search should not have to wait for its table. */
static enum wire_next on_is_ready(struct wire *w, char *rest, struct string *out)
{
	struct qv_error error;
	(void)rest;
	if (!w->busy && thinker_ready(&w->thinker, &error) != QV_OK)
		remark(out, &error);
	string_addf(out, "readyok\n");
	return WIRE_ON;
}

static enum wire_next on_debug(struct wire *w, char *rest, struct string *out)
{
	(void)w;
	if (strcmp(rest, "on") == 0)
		string_addf(out, "info string debug: all is told anyway\n");
	return WIRE_ON;
}

static enum wire_next on_quit(struct wire *w, char *rest, struct string *out)
{
	(void)w, (void)rest, (void)out;
	return WIRE_QUIT;
}

/* ---- The game ---- */

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

/* `on`: past a draw that nobody claims. */
static enum qv_status play(struct thinker *t, const char *move, bool on, struct qv_error *error)
{
	enum qv_status status = QV_OK;
	if (on && thinker_over(t))
		status = thinker_play_on(t, error);
	return status == QV_OK ? thinker_play(t, move, error) : status;
}

/* Whether the last position was refused. If so, prints the reason. */
static bool no_position(const struct wire *w, struct string *out)
{
	if (w->refused.text[0])
		string_addf(out, "info string error: no valid position: %s\n", w->refused.text);
	return w->refused.text[0];
}

/* A new record with the position and its moves; `on`: past a draw that nobody claims. */
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
		status = play(t, words_next(&moves), on, error);
	if (status == QV_OK) {
		qv_record_free(before);
	} else { /* not `record`: a game that is played on has another */
		qv_record_free(t->record);
		t->record = before;
	}
	return status;
}

static enum wire_next on_position(struct wire *w, char *rest, struct string *out)
{
	w->refused.text[0] = '\0';
	if (set_position(&w->thinker, rest, is_uci(w), &w->refused) == QV_OK)
		return WIRE_ON;
	return remark(out, &w->refused);
}

static enum wire_next on_query(struct wire *w, char *rest, struct string *out)
{
	const struct thinker *t = &w->thinker;
	int32_t points[QV_MAX_SEATS];
	const bool over = qv_record_result(t->record, points) != QV_GOING;
	const bool known = strcmp(rest, "gameover") == 0 || strcmp(rest, "p1turn") == 0 ||
			   strcmp(rest, "result") == 0;
	if (known && no_position(w, out))
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

/* ---- go ---- */

#define NOT_GIVEN INT64_MIN /* of a clock */
enum { MOST_PERFT = 100 };

/* What `go` asks for, as it is read. */
struct request {
	struct thinker_limits limits;
	int64_t moves_to_go, perft;
	qv_move only[QV_MAX_MOVES];
	bool any, lists; /* something was asked for; moves to search are being named */
};

static const struct {
	const char *name;
	int in; /* which of the two has the word */
	int64_t min, max;
	size_t at;
} numbers[] = {
#define AT(f) offsetof(struct request, f)
	{ "depth", BOTH, 1, INT32_MAX, AT(limits.depth) },
	{ "nodes", BOTH, 1, INT64_MAX / 2, AT(limits.nodes) },
	{ "movetime", BOTH, 1, INT64_MAX / 4, AT(limits.time_ms) },
	{ "wtime", UCI, INT32_MIN, INT64_MAX / 4, AT(limits.left_ms[0]) },
	{ "btime", UCI, INT32_MIN, INT64_MAX / 4, AT(limits.left_ms[1]) },
	{ "winc", UCI, 0, INT32_MAX, AT(limits.added_ms[0]) },
	{ "binc", UCI, 0, INT32_MAX, AT(limits.added_ms[1]) },
	{ "p1time", UGI, INT32_MIN, INT64_MAX / 4, AT(limits.left_ms[0]) },
	{ "p2time", UGI, INT32_MIN, INT64_MAX / 4, AT(limits.left_ms[1]) },
	{ "p1inc", UGI, 0, INT32_MAX, AT(limits.added_ms[0]) },
	{ "p2inc", UGI, 0, INT32_MAX, AT(limits.added_ms[1]) },
	{ "movestogo", UCI, 0, INT32_MAX, AT(moves_to_go) },
	{ "mate", UCI, 1, QV_MAX_LINE, AT(limits.mate) },
	{ "perft", UCI, 1, MOST_PERFT, AT(perft) },
#undef AT
};

/* A number beyond its bounds is the bound; what is no number is passed over. */
static bool take_number(struct request *r, int in, const char *word, char **rest)
{
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if ((numbers[i].in & in) && strcmp(word, numbers[i].name) == 0) {
			int64_t n;
			if (text_to_int(words_next(rest), -INT64_MAX, INT64_MAX, &n)) {
				n = n < numbers[i].min ? numbers[i].min : n;
				n = n > numbers[i].max ? numbers[i].max : n;
				memcpy((char *)r + numbers[i].at, &n, sizeof n);
			}
			r->any = true;
			return true;
		}
	return false;
}

static void take_word(struct request *r, const struct wire *w, const char *word, char **rest)
{
	const struct thinker *t = &w->thinker;
	struct thinker_limits *l = &r->limits;
	qv_move move;
	const bool listed = r->lists;
	r->lists = false;
	if (take_number(r, dialect(w), word, rest))
		return;
	if (strcmp(word, "infinite") == 0) {
		l->infinite = true;
	} else if (!is_uci(w)) {
		return;
	} else if (strcmp(word, "searchmoves") == 0) {
		r->lists = true;
	} else if (strcmp(word, "ponder") == 0) {
		l->ponder = r->any = true;
	} else if (listed) {
		r->lists = true;
		if (l->only_count < QV_MAX_MOVES &&
		    qv_move_parse(t->rules.game, thinker_state(t), word, &move, NULL) == QV_OK)
			r->only[l->only_count++] = move;
	}
}

/* In UCI one clock alone is for both seats. */
static void set_clocks(const struct wire *w, struct request *r)
{
	struct thinker_limits *l = &r->limits;
	for (int seat = 0; is_uci(w) && seat < 2; seat++)
		if (l->left_ms[seat] == NOT_GIVEN) {
			l->left_ms[seat] = l->left_ms[1 - seat];
			l->added_ms[seat] = l->added_ms[1 - seat];
		}
	l->clocks =
		l->left_ms[w->thinker.rules.game->seat(thinker_state(&w->thinker))] != NOT_GIVEN;
	l->moves_to_go = (int)r->moves_to_go;
}

/* As wire_begin; a stop or a hit that waits behind the line is for this task. */
static enum wire_next begin(struct wire *w)
{
	const enum wire_next next = wire_begin(w);
	if (wire_awaits(w, "ponderhit", "go"))
		thinker_ponderhit(&w->thinker);
	if (wire_awaits(w, "stop", "go"))
		wire_stop(w);
	return next;
}

/* There is no move. `go infinite` and `go ponder` get that answer after the stop or the hit. */
static enum wire_next answer_none(struct wire *w, const struct thinker_limits *limits,
				  struct string *out)
{
	if (is_uci(w) && (limits->infinite || limits->ponder)) {
		thinker_hold(&w->thinker, limits);
		return begin(w);
	}
	string_addf(out, "bestmove (none)\n");
	return WIRE_ON;
}

static enum wire_next answer_ended(struct wire *w, const struct thinker_limits *limits,
				   struct string *out)
{
	int32_t points[QV_MAX_SEATS];
	qv_record_result(w->thinker.record, points);
	const int winner = qv_winner(w->thinker.rules.game, points);
	string_addf(out, "info depth 0 score %s\n", winner < 0 ? "cp 0" : "mate 0");
	return answer_none(w, limits, out);
}

static enum wire_next on_go(struct wire *w, char *rest, struct string *out)
{
	struct thinker *t = &w->thinker;
	struct request *r = w->own;
	struct qv_error error;
	*r = (struct request){ .limits.left_ms = { NOT_GIVEN, NOT_GIVEN } };
	const bool refused = no_position(w, out);
	if (!refused && is_uci(w) && thinker_over(t) && thinker_play_on(t, &error) != QV_OK)
		remark(out, &error);
	while (*rest) {
		const char *word = words_next(&rest);
		take_word(r, w, word, &rest);
	}
	if (refused) /* a perft has no bestmove */
		return r->perft ? WIRE_ON : answer_none(w, &r->limits, out);
	if (is_uci(w) && thinker_over(t))
		return answer_ended(w, &r->limits, out);
	if (r->perft) {
		thinker_perft(t, (int)r->perft);
		return begin(w);
	}
	set_clocks(w, r);
	r->limits.only = r->only;
	r->limits.infinite |= is_uci(w) && !r->any;
	r->limits.mate = 2 * r->limits.mate - (r->limits.mate > 0);
	if (thinker_go(t, &r->limits, &error) == QV_OK)
		return begin(w);
	remark(out, &error);
	string_addf(out, "bestmove (none)\n");
	return WIRE_ON;
}

/* It may be meant for a `go` that still waits: it is kept behind it, too, where begin() sees it. */
static void keep_for_later(struct wire *w, const char *line)
{
	if (w->busy && wire_waits(w))
		wire_defer(w, line);
}

static enum wire_next on_stop(struct wire *w, char *rest, struct string *out)
{
	(void)rest, (void)out;
	keep_for_later(w, "stop");
	wire_stop(w);
	return WIRE_ON;
}

static enum wire_next on_ponder_hit(struct wire *w, char *rest, struct string *out)
{
	(void)rest, (void)out;
	keep_for_later(w, "ponderhit");
	thinker_ponderhit(&w->thinker);
	return WIRE_ON;
}

/* ---- Answers ---- */

/* Plies to the end as moves of the one who moves first, as UCI counts. */
static void add_score(const struct qv_answer *a, struct string *out)
{
	if (a->score > QV_MAX_EVAL)
		string_addf(out, " score mate %d", (QV_WIN - a->score + 1) / 2);
	else if (a->score < -QV_MAX_EVAL)
		string_addf(out, " score mate -%d", (QV_WIN + a->score + 1) / 2);
	else
		string_addf(out, " score cp %d", a->score);
}

/* Of several lines each knows its own share alone; the time is for all of them. */
static void add_times(const struct wire *w, const struct qv_answer *a, struct string *out)
{
	const double passed = (double)(clock_us() - w->began_us) / 1e6;
	const double seconds = a->seconds > 1e-6 ? a->seconds : 1e-6;
	if (is_uci(w))
		string_addf(out, " nps %llu", (unsigned long long)((double)a->nodes / seconds));
	string_addf(out, " time %lld",
		    (long long)((w->thinker.set.lines > 1 ? passed : a->seconds) * 1000));
}

static void info(struct wire *w, int line, const struct qv_answer *a, struct string *out)
{
	string_addf(out, "info depth %d", a->depth);
	if (is_uci(w) && a->deepest)
		string_addf(out, " seldepth %d", a->deepest > a->depth ? a->deepest : a->depth);
	if (is_uci(w))
		string_addf(out, " multipv %d", line);
	add_score(a, out);
	if (is_uci(w) && a->bound)
		string_addf(out, a->bound > 0 ? " lowerbound" : " upperbound");
	string_addf(out, " nodes %llu", (unsigned long long)a->nodes);
	if (is_uci(w) && a->table_permille)
		string_addf(out, " hashfull %d", a->table_permille);
	if (!w->no_times)
		add_times(w, a, out);
	string_addf(out, " pv ");
	thinker_add_line(&w->thinker, a, " ", out);
	string_addf(out, "\n");
}

static void root_move(struct wire *w, qv_move move, int n, int depth, struct string *out)
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
		remark(out, &t->error);
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

static void answer(struct wire *w, struct string *out)
{
	const struct thinker *t = &w->thinker;
	const bool failed = t->status != QV_OK && t->status != QV_STOPPED;
	if (t->task == TASK_PERFT) {
		answer_perft(t, out);
		return;
	}
	if (failed && t->task != TASK_HOLD)
		remark(out, &t->error);
	if (failed || t->task == TASK_HOLD) {
		string_addf(out, "bestmove (none)\n");
		return;
	}
	if (t->set.lines < 2)
		wire_last_info(w, out);
	string_addf(out, "bestmove %s",
		    thinker_move(t->rules.game, thinker_state(t), t->answer.move).text);
	const struct thinker_move reply = thinker_reply(t);
	if (is_uci(w) && reply.text[0])
		string_addf(out, " ponder %s", reply.text);
	string_addf(out, "\n");
}

/* ---- Lines ---- */

static const struct uci_command {
	const char *name;
	int in;
	enum wire_next (*run)(struct wire *w, char *rest, struct string *out);
	enum {
		LATER, /* after the answer of a task that runs */
		AT_ONCE,
		IN_TURN, /* at once, but after lines that wait for a search that is to stop */
	} when;
} commands[] = {
	{ "uci", UCI, on_hello, LATER },
	{ "ugi", UGI, on_hello, LATER },
	{ "isready", BOTH, on_is_ready, IN_TURN },
	{ "setoption", BOTH, on_set_option, LATER },
	{ "ucinewgame", UCI, on_new_game, LATER },
	{ "uginewgame", UGI, on_new_game, LATER },
	{ "position", BOTH, on_position, LATER },
	{ "go", BOTH, on_go, LATER },
	{ "stop", BOTH, on_stop, AT_ONCE },
	{ "ponderhit", UCI, on_ponder_hit, AT_ONCE },
	{ "quit", BOTH, on_quit, AT_ONCE },
	{ "debug", UCI, on_debug, AT_ONCE },
	{ "query", UGI, on_query, LATER },
};

static const struct uci_command *find_command(const struct wire *w, const char *line)
{
	const size_t length = strcspn(line, " \t");
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		if ((commands[i].in & dialect(w)) && strlen(commands[i].name) == length &&
		    memcmp(commands[i].name, line, length) == 0)
			return &commands[i];
	return NULL;
}

/* Whether the line waits until the search is over, behind those that do. */
static bool must_wait(const struct wire *w, const struct uci_command *c)
{
	if (!w->busy || c->when == AT_ONCE)
		return false;
	return c->when == LATER || (wire_waits(w) && atomic_load(&w->thinker.stop));
}

/* A position was lost. While a task runs, a bare `position`, which is refused, waits in its place. */
static void lose_position(struct wire *w, const char *why)
{
	if (!w->busy || !wire_defer(w, "position"))
		qv_fail(&w->refused, QV_BAD_INPUT, "%s", why);
}

static enum wire_next line(struct wire *w, char *text, struct string *out)
{
	while (is_uci(w) && *text && !find_command(w, text))
		words_next(&text);
	const struct uci_command *c = find_command(w, text);
	if (!c)
		return WIRE_ON;
	if (must_wait(w, c)) {
		if (!wire_defer(w, text)) {
			string_addf(out, "info string error: too much to do later\n");
			if (strcmp(c->name, "position") == 0)
				lose_position(w, "too much to do later");
		}
		return WIRE_ON;
	}
	words_next(&text);
	return c->run(w, text, out);
}

/* The unreadable line may have been a position; then the one before it must not be searched. */
static void bad_line(struct wire *w, const char *why, struct string *out)
{
	(void)out;
	lose_position(w, why);
}

const struct wire_ops wire_uci = { .name = "uci",
				   .line = line,
				   .bad_line = bad_line,
				   .info = info,
				   .bounds = true,
				   .root_move = root_move,
				   .answer = answer,
				   .fits = fits,
				   .own_size = sizeof(struct request) };
const struct wire_ops wire_ugi = { .name = "ugi",
				   .line = line,
				   .bad_line = bad_line,
				   .info = info,
				   .answer = answer,
				   .fits = fits,
				   .own_size = sizeof(struct request) };
