/*
 * uci.c - the Universal Chess Interface and the Universal Game Interface, the engine's side.
 * SPDX-License-Identifier: MIT
 *
 * UGI is UCI for other games of two players: it has other words for some things, a query, and
 * fewer commands. The tables below list which words each of them has.
 *
 * In both, unknown words are ignored; a line of UCI begins with the first word that is a command. A
 * bad option changes nothing and is reported as `info string`, which managers may show or not. A
 * refused position is reported in the same way. Until a valid one arrives, every `go` is answered
 * `bestmove (none)`, since a manager would take a move of the old position for an answer to the new
 * one. Every `go` gets one `bestmove`, held back until `stop` or `ponderhit` where the protocol
 * requires it. Lines that may not run during a search wait for its answer.
 */
#include "base/clock.h"
#include "base/flag.h"
#include "base/real.h"
#include "core/context.h"
#include "protocols/engine.h"

enum { UCI = 1, UGI = 2, BOTH = UCI | UGI };

/* The functions are shared by both protocols, so each asks for the one that is in use. */
static bool is_uci(const struct connection *c)
{
	return c->ops == &protocol_uci;
}

/* Both protocols name the sides, and have no word for dice or further players. */
static enum qv_status fits(const struct qv_game *game, struct qv_error *error)
{
	if (game->seats == 2 && !game->chance)
		return QV_OK;
	return qv_fail(error, QV_UNSUPPORTED,
		       "protocol: %.40s does not fit it, two seats without chance do; use qgp",
		       game->name);
}

/* Reports an error that the protocol has no answer for. */
static enum next_step remark(struct string *out, const struct qv_error *error)
{
	string_addf(out, "info string error: %s\n", error->text);
	return NEXT_LINE;
}

/* ---- Hello and options ---- */

/* UGI has no established names of options, so it uses those of QGP. */
static const struct option *options_of(const struct connection *c)
{
	return is_uci(c) ? uci_options : qgp_options;
}

/* The games as a combo box, of which the current one is the default. */
static void add_variants(const struct engine_session *e, struct string *out)
{
	const char *name;
	string_addf(out, "combo default %s", e->rules.game->name);
	for (int at = 0; (name = engine_variant(e, &at));)
		string_addf(out, " var %s", name);
	string_addf(out, "\n");
}

/* uci, ugi: the identification, the options with their current values, then uciok or ugiok. */
static enum next_step on_hello(struct connection *c, char *rest, struct string *out)
{
	const struct engine_session *e = &c->engine;
	struct option o;
	(void)rest;
	string_addf(out, "id name Quevedo %s\nid author the authors of Quevedo\n", qv_version());
	for (const struct option *row = options_of(c); row->name; row++) {
		if (!engine_option_here(e, row, &o))
			continue;
		string_addf(out, "option name %s type ", o.name);
		const long long number = engine_option_number(e, &o);
		const char *text = engine_option_text(e, &o);
		if (o.type == OPTION_SWITCH)
			string_addf(out, "check default %s\n", number ? "true" : "false");
		else if (o.type == OPTION_INT)
			string_addf(out, "spin default %lld min %lld max %lld\n", number,
				    (long long)o.min, (long long)o.max);
		else if (o.type == OPTION_FLAG)
			string_addf(out, "button\n");
		else if (strcmp(o.name, "UCI_Variant") == 0)
			add_variants(e, out);
		else
			string_addf(out, "string default %s\n", *text ? text : "<empty>");
	}
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

/* Nothing more could be printed in debug mode. */
static enum next_step on_debug(struct connection *c, char *rest, struct string *out)
{
	(void)c;
	if (strcmp(rest, "on") == 0)
		string_addf(out, "info string debug: all is told anyway\n");
	return NEXT_LINE;
}

/* ---- The game ---- */

/*
 * ucinewgame, uginewgame: clears the hash table. The game stays the same: the protocols have no
 * word for it.
 */
static enum next_step on_new_game(struct connection *c, char *rest, struct string *out)
{
	struct qv_error error;
	(void)rest;
	const bool made = engine_new_game(&c->engine, NULL, &error) == QV_OK;
	return made ? NEXT_LINE : remark(out, &error);
}

/* Whether the last position was refused. If so, prints the reason. */
static bool no_position(const struct connection *c, struct string *out)
{
	if (c->refused.text[0])
		string_addf(out, "info string error: no valid position: %s\n", c->refused.text);
	return c->refused.text[0];
}

/*
 * position startpos or fen FEN, then `moves` and moves. A new record replaces the old one only if
 * all moves are legal. UCI continues after a draw that nobody claims.
 */
static enum next_step on_position(struct connection *c, char *rest, struct string *out)
{
	struct engine_session *e = &c->engine;
	struct qv_error *error = &c->refused;
	struct qv_record *before = e->record, *record = NULL;
	char *moves = rest;
	enum qv_status status;
	/* Cut the line at the word `moves`, which no FEN contains. */
	while ((moves = strstr(moves, "moves"))) {
		const bool begins = moves == rest || is_one_of(moves[-1], " \t");
		if (begins && (!moves[5] || is_one_of(moves[5], " \t")))
			break;
		moves += 5;
	}
	char *played = moves ? words_skip(moves + 5) : rest + strlen(rest);
	if (moves)
		*moves = '\0';
	const char *word = words_next(&rest), *fen = words_trim(rest);
	const bool start = strcmp(word, "startpos") == 0;
	error->text[0] = '\0';
	if (!start && strcmp(word, "fen") != 0)
		status = qv_fail(error, QV_BAD_INPUT, "position: expected startpos or fen");
	else if (!start && !*fen)
		status = qv_fail(error, QV_BAD_INPUT, "position: no FEN follows");
	else
		status = qv_record_new(e->context, &e->rules, start ? NULL : fen, &record, error);
	if (status != QV_OK)
		return remark(out, error);
	e->record = record;
	while (status == QV_OK && *played) {
		if (is_uci(c) && engine_over(e))
			status = engine_play_on(e, error);
		if (status == QV_OK)
			status = engine_play(e, words_next(&played), error);
	}
	if (status == QV_OK) {
		qv_record_free(before);
		return NEXT_LINE;
	}
	qv_record_free(e->record); /* not `record`: engine_play_on makes another */
	e->record = before;
	return remark(out, error);
}

/* query gameover, p1turn or result, answered by one line. */
static enum next_step on_query(struct connection *c, char *rest, struct string *out)
{
	const struct engine_session *e = &c->engine;
	int32_t points[QV_MAX_SEATS];
	const bool over = qv_record_result(e->record, points) != QV_GOING;
	const int what = scan_choice("gameover|p1turn|result", rest);
	const char *response = "none";
	if (what < 0)
		return NEXT_LINE;
	const bool valid = !no_position(c, out);
	const int winner = over ? qv_winner(e->rules.game, points) : -1;
	if (valid && what == 0)
		response = over ? "true" : "false";
	else if (valid && what == 1)
		response = e->rules.game->seat(engine_state(e)) == 0 ? "true" : "false";
	else if (valid && over)
		response = winner < 0 ? "draw" : winner == 0 ? "p1win" : "p2win";
	string_addf(out, "response %s\n", response);
	return NEXT_LINE;
}

/* ---- go ---- */

#define NOT_GIVEN INT64_MIN /* of a clock */
enum { MOST_PERFT = 100 };

/* What `go` asks for, as it is read. */
struct request {
	struct engine_limits limits;
	int64_t moves_to_go, perft; /* perft: a depth; 0: no perft */
	qv_move only[QV_MAX_MOVES];
	bool any;   /* something was asked for */
	bool lists; /* the words that follow are moves of `searchmoves` */
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

/* Reads a word of `go` and its number. Out of bounds it is the bound; no number is ignored. */
static bool take_number(struct request *r, int in, const char *word, char **rest)
{
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		int64_t n;
		if (!(numbers[i].in & in) || strcmp(word, numbers[i].name) != 0)
			continue;
		if (text_to_int(words_next(rest), -INT64_MAX, INT64_MAX, &n)) {
			n = n < numbers[i].min ? numbers[i].min : n;
			n = n > numbers[i].max ? numbers[i].max : n;
			memcpy((char *)r + numbers[i].at, &n, sizeof n);
		}
		return r->any = true;
	}
	return false;
}

/*
 * Takes one word of `go` and its value. Words after `searchmoves` are moves until a word is known;
 * moves that are not legal are ignored.
 */
static void take_word(struct request *r, const struct connection *c, const char *word, char **rest)
{
	const struct engine_session *e = &c->engine;
	struct engine_limits *l = &r->limits;
	qv_move move;
	const bool listed = r->lists;
	r->lists = false;
	if (take_number(r, is_uci(c) ? UCI : UGI, word, rest))
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

/* There is no move. After `go infinite` and `go ponder`, this answer waits, too. */
static enum next_step answer_none(struct connection *c, const struct engine_limits *limits,
				  struct string *out)
{
	if (is_uci(c) && (limits->infinite || limits->ponder)) {
		engine_hold(&c->engine, limits);
		return connection_begin_queued(c, "ponderhit");
	}
	string_addf(out, "bestmove (none)\n");
	return NEXT_LINE;
}

/*
 * go [LIMITS]: in UCI, without any limit it searches until `stop`. All words are read even if
 * there is nothing to search, because they tell whether the answer has to wait.
 */
static enum next_step on_go(struct connection *c, char *rest, struct string *out)
{
	struct engine_session *e = &c->engine;
	struct request *r = c->own;
	struct engine_limits *l = &r->limits;
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
		return r->perft ? NEXT_LINE : answer_none(c, l, out);
	if (r->perft) { /* it counts beyond draws; a mate has no leaves */
		engine_perft(e, (int)r->perft);
		return connection_begin_queued(c, "ponderhit");
	}
	if (is_uci(c) && engine_over(e)) {
		int32_t points[QV_MAX_SEATS];
		qv_record_result(e->record, points);
		const bool draw = qv_winner(e->rules.game, points) < 0;
		string_addf(out, "info depth 0 score %s\n", draw ? "cp 0" : "mate 0");
		return answer_none(c, l, out);
	}
	/* In UCI a single clock is for both players. */
	for (int seat = 0; is_uci(c) && seat < 2; seat++)
		if (l->left_ms[seat] == NOT_GIVEN) {
			l->left_ms[seat] = l->left_ms[1 - seat];
			l->added_ms[seat] = l->added_ms[1 - seat];
		}
	l->clocks = l->left_ms[e->rules.game->seat(engine_state(e))] != NOT_GIVEN;
	l->moves_to_go = (int)r->moves_to_go;
	if (l->time_ms)
		l->time_ms = engine_move_time(e, l->time_ms);
	l->only = r->only;
	l->infinite |= is_uci(c) && !r->any;
	l->mate = 2 * l->mate - (l->mate > 0); /* moves to plies */
	if (engine_go(e, l, &error) == QV_OK)
		return connection_begin_queued(c, "ponderhit");
	remark(out, &error);
	string_addf(out, "bestmove (none)\n");
	return NEXT_LINE;
}

/*
 * stop, ponderhit: for the running task. If lines wait, it may be meant for a `go` among them. So
 * it is queued, too, and connection_begin_queued finds it.
 */
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
		connection_defer(c, "ponderhit");
	engine_ponderhit(&c->engine);
	return NEXT_LINE;
}

/* ---- Answers ---- */

/*
 * The chance of a win in thousandths, for a score in hundredths of a pawn: half at WDL_EVEN, with a
 * logistic curve around it. Fitted by maximum likelihood to 18,604 scores of 160 games of
 * selective:nodes=3000,eval=net against itself. Longer searches draw more often.
 */
static int win_permille(int32_t score)
{
	enum { WDL_EVEN = 128, WDL_SPREAD = 100 };
	return (int)(1000 / (1 + real_exp((double)(WDL_EVEN - score) / WDL_SPREAD)) + 0.5);
}

/* UCI_ShowWDL: wins, draws and losses in thousandths, for the side to move. */
static void add_wdl(const struct engine_session *e, int32_t score, struct string *out)
{
	const bool mates = score > QV_MAX_EVAL || score < -QV_MAX_EVAL;
	const int wins = mates ? 1000 * (score > 0) : win_permille(score);
	const int losses = mates ? 1000 * (score < 0) : win_permille(-score);
	if (e->set.show_wdl && context_engine(e->rules.game)->orthodox)
		string_addf(out, " wdl %d %d %d", wins, 1000 - wins - losses, losses);
}

/* UGI has fewer fields than UCI. */
static void info(struct connection *c, int line, const struct qv_answer *a, struct string *out)
{
	const bool uci = is_uci(c);
	string_addf(out, "info depth %d", a->depth);
	if (uci && a->deepest)
		string_addf(out, " seldepth %d", a->deepest > a->depth ? a->deepest : a->depth);
	if (uci)
		string_addf(out, " multipv %d", line);
	/* A mate is counted in moves of the side that gives it. */
	if (a->score > QV_MAX_EVAL)
		string_addf(out, " score mate %d", (QV_WIN - a->score + 1) / 2);
	else if (a->score < -QV_MAX_EVAL)
		string_addf(out, " score mate -%d", (QV_WIN + a->score + 1) / 2);
	else if (!a->unsolved)
		string_addf(out, " score cp %d", a->score);
	if (uci && a->bound)
		string_addf(out, a->bound > 0 ? " lowerbound" : " upperbound");
	if (uci && !a->unsolved)
		add_wdl(&c->engine, a->score, out);
	string_addf(out, " nodes %llu", (unsigned long long)a->nodes);
	if (uci && a->table_permille)
		string_addf(out, " hashfull %d", a->table_permille);
	if (uci && a->table_hits)
		string_addf(out, " tbhits %llu", (unsigned long long)a->table_hits);
	/* Of several lines, each has its own nodes and seconds; the time is that of all of them. */
	const double passed =
		c->engine.set.lines > 1 ? (double)(clock_us() - c->began_us) / 1e6 : a->seconds;
	const double seconds = a->seconds > 1e-6 ? a->seconds : 1e-6;
	if (!c->no_times && uci)
		string_addf(out, " nps %llu", (unsigned long long)((double)a->nodes / seconds));
	if (!c->no_times)
		string_addf(out, " time %lld", (long long)(passed * 1000));
	string_addf(out, " pv ");
	engine_add_line(&c->engine, a, " ", out);
	string_addf(out, "\n");
}

static void root_move(struct connection *c, qv_move move, int n, int depth, struct string *out)
{
	const struct engine_session *e = &c->engine;
	/* Short searches would flood the manager with lines. */
	if (c->moves_after_us < INT64_MAX && clock_us() - c->began_us >= c->moves_after_us)
		string_addf(out, "info depth %d currmove %s currmovenumber %d\n", depth,
			    move_text(e->rules.game, engine_state(e), move).text, n);
}

/* As Stockfish prints it: each move with its leaves, and their sum. There is no bestmove. */
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

/*
 * With several lines the last info was printed by the search itself. `ponder` is the reply that
 * the engine expects.
 */
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

/*
 * The commands of both protocols, and when each may run during a search. `stop` and `quit` must
 * work at once; most others change what is being searched and wait for its answer.
 */
static const struct uci_command {
	const char *name;
	int in;
	enum next_step (*run)(struct connection *c, char *rest, struct string *out);
	enum {
		LATER, /* after the answer of a running task */
		AT_ONCE,
		IN_TURN, /* at once, but after waiting lines if the search is stopping */
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
	{ "quit", BOTH, connection_quit, AT_ONCE },
	{ "debug", UCI, on_debug, AT_ONCE },
	{ "query", UGI, on_query, LATER },
};

/* The command at the start of the line; NULL: none of this protocol. */
static const struct uci_command *find_command(const struct connection *c, const char *line)
{
	const size_t length = strcspn(line, " \t");
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		if ((commands[i].in & (is_uci(c) ? UCI : UGI)) &&
		    strlen(commands[i].name) == length &&
		    memcmp(commands[i].name, line, length) == 0)
			return &commands[i];
	return NULL;
}

/*
 * A position was lost. During a task, a bare `position` waits in its place: it will be refused, as
 * if the lost one had been.
 */
static void lose_position(struct connection *c, const char *why)
{
	if (!c->busy || !connection_defer(c, "position"))
		qv_fail(&c->refused, QV_BAD_INPUT, "%s", why);
}

/*
 * In UCI words before the first known command are skipped, as the protocol demands. Unknown lines
 * are ignored in both.
 */
static enum next_step line(struct connection *c, char *text, struct string *out)
{
	while (is_uci(c) && *text && !find_command(c, text))
		words_next(&text);
	const struct uci_command *command = find_command(c, text);
	if (!command)
		return NEXT_LINE;
	const bool stopping = connection_waits(c) && flag_is_set(&c->engine.stop);
	const bool waits = command->when == LATER || (command->when == IN_TURN && stopping);
	if (!c->busy || !waits) {
		words_next(&text);
		return command->run(c, text, out);
	}
	if (!connection_defer(c, text)) {
		string_addf(out, "info string error: too much to do later\n");
		if (strcmp(command->name, "position") == 0)
			lose_position(c, "too much to do later");
	}
	return NEXT_LINE;
}

/* The unreadable line may have been a position; then the one before it must not be searched. */
static void bad_line(struct connection *c, const char *why, struct string *out)
{
	(void)out;
	lose_position(c, why);
}

const struct protocol_ops protocol_uci = {
	.name = "uci",
	.line = line,
	.bad_line = bad_line,
	.info = info,
	.bounds = true,
	.root_move = root_move,
	.answer = answer,
	.fits = fits,
	.own_size = sizeof(struct request),
};
const struct protocol_ops protocol_ugi = {
	.name = "ugi",
	.line = line,
	.bad_line = bad_line,
	.info = info,
	.answer = answer,
	.fits = fits,
	.own_size = sizeof(struct request),
};
