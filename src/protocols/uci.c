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

static int dialect(const struct connection *c)
{
	return c->ops == &protocol_uci ? UCI : UGI;
}

static bool is_uci(const struct connection *c)
{
	return dialect(c) == UCI;
}

static enum qv_status fits(const struct qv_game *game, struct qv_error *error)
{
	if (game->seats == 2 && !game->chance)
		return QV_OK;
	return qv_fail(error, QV_UNSUPPORTED,
		       "protocol: %.40s does not fit it, two seats without chance do; use qgp",
		       game->name);
}

static enum next_step remark(struct string *out, const struct qv_error *error)
{
	string_addf(out, "info string error: %s\n", error->text);
	return NEXT_LINE;
}

/* ---- Hello and options ---- */

static void add_option(const struct engine_session *e, const struct option *row, struct string *out)
{
	struct option o;
	if (!engine_option_here(e, row, &o))
		return;
	string_addf(out, "option name %s type ", o.name);
	if (o.type == OPTION_SWITCH)
		string_addf(out, "check default %s\n",
			    engine_option_number(e, &o) ? "true" : "false");
	else if (o.type == OPTION_INT)
		string_addf(out, "spin default %lld min %lld max %lld\n",
			    (long long)engine_option_number(e, &o), (long long)o.min,
			    (long long)o.max);
	else if (o.type == OPTION_FLAG)
		string_addf(out, "button\n");
	else
		string_addf(out, "string default %s\n",
			    *engine_option_text(e, &o) ? engine_option_text(e, &o) : "<empty>");
}

static const struct option *const *options_of(const struct connection *c)
{
	return is_uci(c) ? uci_options : qgp_options;
}

static enum next_step on_hello(struct connection *c, char *rest, struct string *out)
{
	(void)rest;
	string_addf(out, "id name Quevedo %s\nid author the authors of Quevedo\n", qv_version());
	for (const struct option *const *group = options_of(c); *group; group++)
		for (const struct option *row = *group; row->name; row++)
			add_option(&c->engine, row, out);
	string_addf(out, "%sok\n", c->ops->name);
	return NEXT_LINE;
}

/* setoption name N [value V]: both may hold blanks, and N ends at the word `value`. */
static enum next_step on_set_option(struct connection *c, char *rest, struct string *out)
{
	struct qv_error error;
	if (strcmp(words_next(&rest), "name") != 0)
		return NEXT_LINE;
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
	const struct option *option = engine_option_find(options_of(c), name);
	if (!option || engine_set(&c->engine, option, value, &error) == QV_OK)
		return NEXT_LINE;
	return remark(out, &error);
}

/* The first search should not have to wait for its table. */
static enum next_step on_is_ready(struct connection *c, char *rest, struct string *out)
{
	struct qv_error error;
	(void)rest;
	if (!c->busy && engine_ready(&c->engine, &error) != QV_OK)
		remark(out, &error);
	string_addf(out, "readyok\n");
	return NEXT_LINE;
}

static enum next_step on_debug(struct connection *c, char *rest, struct string *out)
{
	(void)c;
	if (strcmp(rest, "on") == 0)
		string_addf(out, "info string debug: all is told anyway\n");
	return NEXT_LINE;
}

static enum next_step on_quit(struct connection *c, char *rest, struct string *out)
{
	(void)c, (void)rest, (void)out;
	return NEXT_QUIT;
}

/* ---- The game ---- */

static enum next_step on_new_game(struct connection *c, char *rest, struct string *out)
{
	char game[512];
	struct qv_text text = { game, sizeof game, 0 };
	struct qv_error error;
	(void)rest;
	qv_rules_text(&c->engine.rules, &text);
	if (engine_new_game(&c->engine, game, &error) == QV_OK)
		return NEXT_LINE;
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
static enum qv_status play(struct engine_session *e, const char *move, bool on,
			   struct qv_error *error)
{
	enum qv_status status = QV_OK;
	if (on && engine_over(e))
		status = engine_play_on(e, error);
	return status == QV_OK ? engine_play(e, move, error) : status;
}

/* Whether the last position was refused. If so, prints the reason. */
static bool no_position(const struct connection *c, struct string *out)
{
	if (c->refused.text[0])
		string_addf(out, "info string error: no valid position: %s\n", c->refused.text);
	return c->refused.text[0];
}

/* A new record with the position and its moves; `on`: past a draw that nobody claims. */
static enum qv_status set_position(struct engine_session *e, char *rest, bool on,
				   struct qv_error *error)
{
	struct qv_record *before = e->record, *record = NULL;
	char *moves = cut_moves(rest);
	const char *word = words_next(&rest), *fen = words_trim(rest);
	const bool start = strcmp(word, "startpos") == 0;
	if (!start && strcmp(word, "fen") != 0)
		return qv_fail(error, QV_BAD_INPUT, "position: expected startpos or fen");
	if (!start && !*fen)
		return qv_fail(error, QV_BAD_INPUT, "position: no FEN follows");
	enum qv_status status =
		qv_record_new(e->context, &e->rules, start ? NULL : fen, &record, error);
	if (status != QV_OK)
		return status;
	e->record = record;
	while (status == QV_OK && *moves)
		status = play(e, words_next(&moves), on, error);
	if (status == QV_OK) {
		qv_record_free(before);
	} else { /* not `record`: a game that is played on has another */
		qv_record_free(e->record);
		e->record = before;
	}
	return status;
}

static enum next_step on_position(struct connection *c, char *rest, struct string *out)
{
	c->refused.text[0] = '\0';
	if (set_position(&c->engine, rest, is_uci(c), &c->refused) == QV_OK)
		return NEXT_LINE;
	return remark(out, &c->refused);
}

static enum next_step on_query(struct connection *c, char *rest, struct string *out)
{
	const struct engine_session *e = &c->engine;
	int32_t points[QV_MAX_SEATS];
	const bool over = qv_record_result(e->record, points) != QV_GOING;
	const bool known = strcmp(rest, "gameover") == 0 || strcmp(rest, "p1turn") == 0 ||
			   strcmp(rest, "result") == 0;
	if (known && no_position(c, out))
		string_addf(out, "response none\n");
	else if (strcmp(rest, "gameover") == 0)
		string_addf(out, "response %s\n", over ? "true" : "false");
	else if (strcmp(rest, "p1turn") == 0)
		string_addf(out, "response %s\n",
			    e->rules.game->seat(engine_state(e)) == 0 ? "true" : "false");
	else if (strcmp(rest, "result") == 0 && !over)
		string_addf(out, "response none\n");
	else if (strcmp(rest, "result") == 0)
		switch (qv_winner(e->rules.game, points)) {
		case 0: string_addf(out, "response p1win\n"); break;
		case 1: string_addf(out, "response p2win\n"); break;
		default: string_addf(out, "response draw\n");
		}
	return NEXT_LINE;
}

/* ---- go ---- */

#define NOT_GIVEN INT64_MIN /* of a clock */
enum { MOST_PERFT = 100 };

/* What `go` asks for, as it is read. */
struct request {
	struct engine_limits limits;
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

static void take_word(struct request *r, const struct connection *c, const char *word, char **rest)
{
	const struct engine_session *e = &c->engine;
	struct engine_limits *l = &r->limits;
	qv_move move;
	const bool listed = r->lists;
	r->lists = false;
	if (take_number(r, dialect(c), word, rest))
		return;
	if (strcmp(word, "infinite") == 0) {
		l->infinite = true;
	} else if (!is_uci(c)) {
		return;
	} else if (strcmp(word, "searchmoves") == 0) {
		r->lists = true;
	} else if (strcmp(word, "ponder") == 0) {
		l->ponder = r->any = true;
	} else if (listed) {
		r->lists = true;
		if (l->only_count < QV_MAX_MOVES &&
		    qv_move_parse(e->rules.game, engine_state(e), word, &move, NULL) == QV_OK)
			r->only[l->only_count++] = move;
	}
}

/* In UCI one clock alone is for both seats. */
static void set_clocks(const struct connection *c, struct request *r)
{
	struct engine_limits *l = &r->limits;
	for (int seat = 0; is_uci(c) && seat < 2; seat++)
		if (l->left_ms[seat] == NOT_GIVEN) {
			l->left_ms[seat] = l->left_ms[1 - seat];
			l->added_ms[seat] = l->added_ms[1 - seat];
		}
	l->clocks = l->left_ms[c->engine.rules.game->seat(engine_state(&c->engine))] != NOT_GIVEN;
	l->moves_to_go = (int)r->moves_to_go;
}

/* As connection_begin; a stop or a hit that waits behind the line is for this task. */
static enum next_step begin(struct connection *c)
{
	const enum next_step next = connection_begin(c);
	if (connection_awaits(c, "ponderhit", "go"))
		engine_ponderhit(&c->engine);
	if (connection_awaits(c, "stop", "go"))
		connection_stop(c);
	return next;
}

/* There is no move. `go infinite` and `go ponder` get that answer after the stop or the hit. */
static enum next_step answer_none(struct connection *c, const struct engine_limits *limits,
				  struct string *out)
{
	if (is_uci(c) && (limits->infinite || limits->ponder)) {
		engine_hold(&c->engine, limits);
		return begin(c);
	}
	string_addf(out, "bestmove (none)\n");
	return NEXT_LINE;
}

static enum next_step answer_ended(struct connection *c, const struct engine_limits *limits,
				   struct string *out)
{
	int32_t points[QV_MAX_SEATS];
	qv_record_result(c->engine.record, points);
	const int winner = qv_winner(c->engine.rules.game, points);
	string_addf(out, "info depth 0 score %s\n", winner < 0 ? "cp 0" : "mate 0");
	return answer_none(c, limits, out);
}

static enum next_step on_go(struct connection *c, char *rest, struct string *out)
{
	struct engine_session *e = &c->engine;
	struct request *r = c->own;
	struct qv_error error;
	*r = (struct request){ .limits.left_ms = { NOT_GIVEN, NOT_GIVEN } };
	const bool refused = no_position(c, out);
	if (!refused && is_uci(c) && engine_over(e) && engine_play_on(e, &error) != QV_OK)
		remark(out, &error);
	while (*rest) {
		const char *word = words_next(&rest);
		take_word(r, c, word, &rest);
	}
	if (refused) /* a perft has no bestmove */
		return r->perft ? NEXT_LINE : answer_none(c, &r->limits, out);
	if (is_uci(c) && engine_over(e))
		return answer_ended(c, &r->limits, out);
	if (r->perft) {
		engine_perft(e, (int)r->perft);
		return begin(c);
	}
	set_clocks(c, r);
	r->limits.only = r->only;
	r->limits.infinite |= is_uci(c) && !r->any;
	r->limits.mate = 2 * r->limits.mate - (r->limits.mate > 0);
	if (engine_go(e, &r->limits, &error) == QV_OK)
		return begin(c);
	remark(out, &error);
	string_addf(out, "bestmove (none)\n");
	return NEXT_LINE;
}

/* It may be meant for a `go` that still waits: it is kept behind it, too, where begin() sees it. */
static void keep_for_later(struct connection *c, const char *line)
{
	if (c->busy && connection_waits(c))
		connection_defer(c, line);
}

static enum next_step on_stop(struct connection *c, char *rest, struct string *out)
{
	(void)rest, (void)out;
	keep_for_later(c, "stop");
	connection_stop(c);
	return NEXT_LINE;
}

static enum next_step on_ponder_hit(struct connection *c, char *rest, struct string *out)
{
	(void)rest, (void)out;
	keep_for_later(c, "ponderhit");
	engine_ponderhit(&c->engine);
	return NEXT_LINE;
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
static void add_times(const struct connection *c, const struct qv_answer *a, struct string *out)
{
	const double passed = (double)(clock_us() - c->began_us) / 1e6;
	const double seconds = a->seconds > 1e-6 ? a->seconds : 1e-6;
	if (is_uci(c))
		string_addf(out, " nps %llu", (unsigned long long)((double)a->nodes / seconds));
	string_addf(out, " time %lld",
		    (long long)((c->engine.set.lines > 1 ? passed : a->seconds) * 1000));
}

static void info(struct connection *c, int line, const struct qv_answer *a, struct string *out)
{
	string_addf(out, "info depth %d", a->depth);
	if (is_uci(c) && a->deepest)
		string_addf(out, " seldepth %d", a->deepest > a->depth ? a->deepest : a->depth);
	if (is_uci(c))
		string_addf(out, " multipv %d", line);
	add_score(a, out);
	if (is_uci(c) && a->bound)
		string_addf(out, a->bound > 0 ? " lowerbound" : " upperbound");
	string_addf(out, " nodes %llu", (unsigned long long)a->nodes);
	if (is_uci(c) && a->table_permille)
		string_addf(out, " hashfull %d", a->table_permille);
	if (!c->no_times)
		add_times(c, a, out);
	string_addf(out, " pv ");
	engine_add_line(&c->engine, a, " ", out);
	string_addf(out, "\n");
}

static void root_move(struct connection *c, qv_move move, int n, int depth, struct string *out)
{
	const struct engine_session *e = &c->engine;
	if (connection_says_moves(c))
		string_addf(out, "info depth %d currmove %s currmovenumber %d\n", depth,
			    move_text(e->rules.game, engine_state(e), move).text, n);
}

/* As Stockfish does: each move with its leaves, and their sum. There is no bestmove. */
static void answer_perft(const struct engine_session *e, struct string *out)
{
	uint64_t all = 0;
	if (e->status != QV_OK) {
		remark(out, &e->error);
		return;
	}
	for (int i = 0; i < e->perft_count; i++) {
		string_addf(out, "%s: %llu\n",
			    move_text(e->rules.game, engine_state(e), e->only[i]).text,
			    (unsigned long long)e->perft_leaves[i]);
		all += e->perft_leaves[i];
	}
	string_addf(out, "\nNodes searched: %llu\n", (unsigned long long)all);
}

static void answer(struct connection *c, struct string *out)
{
	const struct engine_session *e = &c->engine;
	const bool failed = e->status != QV_OK && e->status != QV_STOPPED;
	if (e->task == TASK_PERFT) {
		answer_perft(e, out);
		return;
	}
	if (failed && e->task != TASK_HOLD)
		remark(out, &e->error);
	if (failed || e->task == TASK_HOLD) {
		string_addf(out, "bestmove (none)\n");
		return;
	}
	if (e->set.lines < 2)
		connection_last_info(c, out);
	string_addf(out, "bestmove %s",
		    move_text(e->rules.game, engine_state(e), e->answer.move).text);
	const struct move_text reply = engine_reply(e);
	if (is_uci(c) && reply.text[0])
		string_addf(out, " ponder %s", reply.text);
	string_addf(out, "\n");
}

/* ---- Lines ---- */

static const struct uci_command {
	const char *name;
	int in;
	enum next_step (*run)(struct connection *c, char *rest, struct string *out);
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

static const struct uci_command *find_command(const struct connection *c, const char *line)
{
	const size_t length = strcspn(line, " \t");
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		if ((commands[i].in & dialect(c)) && strlen(commands[i].name) == length &&
		    memcmp(commands[i].name, line, length) == 0)
			return &commands[i];
	return NULL;
}

/* Whether the line waits until the search is over, behind those that do. */
static bool must_wait(const struct connection *c, const struct uci_command *command)
{
	if (!c->busy || command->when == AT_ONCE)
		return false;
	return command->when == LATER || (connection_waits(c) && atomic_load(&c->engine.stop));
}

/* A position was lost. While a task runs, a bare `position`, which is refused, waits in its place. */
static void lose_position(struct connection *c, const char *why)
{
	if (!c->busy || !connection_defer(c, "position"))
		qv_fail(&c->refused, QV_BAD_INPUT, "%s", why);
}

static enum next_step line(struct connection *c, char *text, struct string *out)
{
	while (is_uci(c) && *text && !find_command(c, text))
		words_next(&text);
	const struct uci_command *command = find_command(c, text);
	if (!command)
		return NEXT_LINE;
	if (must_wait(c, command)) {
		if (!connection_defer(c, text)) {
			string_addf(out, "info string error: too much to do later\n");
			if (strcmp(command->name, "position") == 0)
				lose_position(c, "too much to do later");
		}
		return NEXT_LINE;
	}
	words_next(&text);
	return command->run(c, text, out);
}

/* The unreadable line may have been a position; then the one before it must not be searched. */
static void bad_line(struct connection *c, const char *why, struct string *out)
{
	(void)out;
	lose_position(c, why);
}

const struct protocol_ops protocol_uci = { .name = "uci",
					   .line = line,
					   .bad_line = bad_line,
					   .info = info,
					   .bounds = true,
					   .root_move = root_move,
					   .answer = answer,
					   .fits = fits,
					   .own_size = sizeof(struct request) };
const struct protocol_ops protocol_ugi = { .name = "ugi",
					   .line = line,
					   .bad_line = bad_line,
					   .info = info,
					   .answer = answer,
					   .fits = fits,
					   .own_size = sizeof(struct request) };
