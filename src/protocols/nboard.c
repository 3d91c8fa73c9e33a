/*
 * nboard.c - NBoard, versions 1 and 2, the engine's side: reversi, as the program NBoard plays it.
 * SPDX-License-Identifier: MIT
 *
 * Unknown lines are ignored, as the protocol demands. It has no errors, so what is wrong with a known
 * line is shown as a status. After a refused game or move every `go` and `hint` is refused, too,
 * until a valid game arrives: a move of the old position would be taken for an answer to the new one.
 *
 * `ping` stops the search; its `pong` comes after the answer of that. Other lines wait for the answer.
 * The engine does not play the move of its answer: the manager sends it, or another one.
 *
 * Evaluations are in discs, for the side to move. The depth `100%` means that the final difference is
 * exact, `100%W` that the winner is.
 */
#include "base/clock.h"
#include "formats/sgf_tree.h"
#include "games/reversi/pattern.h"
#include "protocols/engine.h"

enum {
	SQUARES = 64,
	/* The strongest player solves the endgame this much earlier than its depth reaches. */
	SOLVE_AHEAD = 4,
	SOLVE_MOST = 24, /* empty squares */
};

struct nboard {
	int64_t depth; /* 0: not set */
	bool timed;    /* the game has a clock */
	int64_t left_ms[2], added_ms[2];
	enum { GO, HINT, ANALYZE } task;
	int plies; /* of the game that is analysed */
	bool told; /* a position was analysed */
};

static struct nboard *nboard_of(const struct connection *c)
{
	return c->own;
}

static const struct reversi *board_of(const struct connection *c)
{
	return engine_state(&c->engine);
}

static enum next_step refuse(struct string *out, const struct qv_error *error)
{
	string_addf(out, "status error: %s\n", error->text);
	return NEXT_LINE;
}

#define REFUSE(out, ...)                                   \
	do {                                               \
		struct qv_error why_;                      \
		qv_fail(&why_, QV_BAD_INPUT, __VA_ARGS__); \
		return refuse(out, &why_);                 \
	} while (0)

/* ---- Settings ---- */

static enum next_step on_nboard(struct connection *c, char *rest, struct string *out)
{
	int64_t version;
	(void)c;
	string_addf(out, "set myname Quevedo\n");
	if (!text_to_int(rest, 1, 2, &version))
		REFUSE(out, "nboard '%.40s': expected version 1 or 2", rest);
	return NEXT_LINE;
}

static enum next_step set_depth(struct connection *c, const char *text, struct string *out)
{
	int64_t depth;
	if (!text_to_int(text, 1, 1000, &depth))
		REFUSE(out, "set depth '%.40s': expected 1 to 1000", text);
	nboard_of(c)->depth = depth;
	string_addf(out, "set myname Quevedo%lld\n", (long long)depth);
	return NEXT_LINE;
}

/* ---- The game ---- */

/* A time of GGF, `15:00` or `1:02:03.5`, in milliseconds; -1: it is none. */
static int64_t read_time(const char **text)
{
	enum { PARTS = 4, MOST = 1000000 };
	int64_t seconds = 0, part, ms = 0;
	for (int i = 0; i < PARTS; i++) {
		if (!is_digit(**text) || !scan_int(text, 0, MOST, &part))
			return -1;
		seconds = seconds * 60 + part;
		if (!scan_literal(text, ":"))
			break;
	}
	if (scan_literal(text, "."))
		for (int unit = 100; is_digit(**text); unit /= 10)
			ms += unit * (*(*text)++ - '0');
	return seconds * 1000 + ms;
}

/* `15:00/0:05/2:00`: the time for the game, and what is added for each move. */
static void read_clock(struct nboard *n, const char *text)
{
	const int64_t base = read_time(&text);
	n->timed = base > 0;
	n->left_ms[0] = n->left_ms[1] = base;
	n->added_ms[0] = n->added_ms[1] = 0;
	if (n->timed && scan_literal(&text, "/")) {
		const int64_t added = read_time(&text);
		n->added_ms[0] = n->added_ms[1] = added > 0 ? added : 0;
	}
}

/* F5/EVALUATION/SECONDS: takes the time off the clock of its colour. */
static void use_time(struct nboard *n, int colour, const char *move)
{
	const char *at = strchr(move, '/');
	at = at ? strchr(at + 1, '/') : NULL;
	if (!at || !n->timed)
		return;
	at++;
	const int64_t used = read_time(&at);
	if (used >= 0)
		n->left_ms[colour] += n->added_ms[colour] - used;
}

/* The clock of a game: TI, and the times of all moves. The reader has checked the text. */
static void read_times(struct nboard *n, const char *ggf)
{
	n->timed = false;
	for (const char *open = strchr(ggf, '['); open; open = strchr(open, '[')) {
		const char *key = open;
		char value[SGF_TEXT];
		while (key > ggf && is_letter(key[-1]))
			key--;
		const size_t length = strcspn(++open, "]");
		snprintf(value, sizeof value, "%.*s", (int)(length < SGF_TEXT ? length : 0), open);
		if (strncmp(key, "TI[", 3) == 0)
			read_clock(n, value);
		else if (strncmp(key, "B[", 2) == 0 || strncmp(key, "W[", 2) == 0)
			use_time(n, *key == 'W', value);
		open += length;
	}
}

/*
 * Sets up the start and plays the moves of a record. Its result is left out: NBoard sends one with
 * games that it has taken back.
 */
static enum qv_status replay(struct engine_session *e, const struct qv_record *from,
			     struct qv_error *error)
{
	char start[QV_POSITION_TEXT] = "";
	struct reversi s;
	tree_state_at(from, 0, &s);
	reversi_position_text(&s, &(struct qv_text){ start, sizeof start, 0 });
	enum qv_status status = engine_position(e, start, error);
	for (int i = 0; i < qv_record_ply(from) && status == QV_OK; i++)
		status = qv_record_play(e->record, qv_record_move(from, i), -1, error);
	return status;
}

static enum qv_status read_game(struct connection *c, const char *ggf, struct qv_error *error)
{
	struct engine_session *e = &c->engine;
	struct sgf_reader reader = { .context = e->context, .at = ggf, .end = ggf + strlen(ggf) };
	struct qv_record *record = NULL;
	if (!sgf_tree_looks_like(ggf, strlen(ggf)))
		return qv_fail(error, QV_BAD_INPUT, "set game: expected a game in GGF");
	enum qv_status status = sgf_next(&reader, &record, error);
	if (status == QV_OK && record->rules.game != e->rules.game)
		status = qv_fail(error, QV_BAD_INPUT, "set game: expected GM[Othello]");
	if (status == QV_OK)
		status = replay(e, record, error);
	qv_record_free(record);
	if (status == QV_OK)
		read_times(nboard_of(c), ggf);
	return status;
}

static enum next_step set_game(struct connection *c, const char *ggf, struct string *out)
{
	c->refused.text[0] = '\0';
	if (read_game(c, ggf, &c->refused) == QV_OK) {
		c->refused.text[0] = '\0';
		return NEXT_LINE;
	}
	return refuse(out, &c->refused);
}

/* set depth N, set game GGF; `set contempt` concerns draws in a book, of which this has none. */
static enum next_step on_set(struct connection *c, char *rest, struct string *out)
{
	const char *name = words_next(&rest);
	if (strcmp(name, "depth") == 0)
		return set_depth(c, rest, out);
	return strcmp(name, "game") == 0 ? set_game(c, rest, out) : NEXT_LINE;
}

/* move F5/EVALUATION/SECONDS, or PA */
static enum next_step on_move(struct connection *c, char *rest, struct string *out)
{
	const int colour = reversi_seat(board_of(c));
	const size_t length = strcspn(rest, "/ \t");
	char move[8];
	snprintf(move, sizeof move, "%.*s", (int)(length < sizeof move ? length : 0), rest);
	for (char *at = move; *at; at++)
		*at = to_lower(*at);
	if (c->refused.text[0])
		return refuse(out, &c->refused);
	if (engine_play(&c->engine, strcmp(move, "pa") == 0 ? "pass" : move, &c->refused) != QV_OK)
		return refuse(out, &c->refused);
	use_time(nboard_of(c), colour, rest);
	return NEXT_LINE;
}

/* ---- Searching ---- */

static int empty_squares(const struct reversi *s)
{
	return SQUARES - bits_count(s->mover | s->other);
}

/*
 * A depth is for the middle game, as the protocol says. Where the end can be solved in about the
 * same time, the strongest player solves it; a limit of depth would forbid that.
 */
static void set_limits(const struct connection *c, bool timed, struct engine_limits *limits)
{
	const struct nboard *n = nboard_of(c);
	const int empty = empty_squares(board_of(c));
	*limits = (struct engine_limits){ .depth = n->depth };
	if (!c->engine.set.spec[0] && empty <= n->depth + SOLVE_AHEAD && empty <= SOLVE_MOST) {
		limits->depth = 0;
		limits->mate = 1; /* so that no time is the limit instead */
	}
	limits->clocks = timed && n->timed;
	memcpy(limits->left_ms, n->left_ms, sizeof n->left_ms);
	memcpy(limits->added_ms, n->added_ms, sizeof n->added_ms);
}

static enum next_step begin(struct connection *c, int64_t lines, struct string *out)
{
	struct nboard *n = nboard_of(c);
	struct engine_limits limits;
	struct qv_error error;
	if (c->refused.text[0])
		return refuse(out, &c->refused);
	set_limits(c, n->task == GO, &limits);
	c->engine.set.lines = lines;
	engine_analyse(&c->engine, n->task == ANALYZE);
	if (engine_go(&c->engine, &limits, &error) != QV_OK)
		return refuse(out, &error);
	return connection_begin(c);
}

static enum next_step on_go(struct connection *c, char *rest, struct string *out)
{
	(void)rest;
	nboard_of(c)->task = GO;
	const enum next_step next = begin(c, 1, out);
	if (next == NEXT_THINK)
		string_addf(out, "status Quevedo is thinking\n");
	return next;
}

/* hint N: the N best moves. */
static enum next_step on_hint(struct connection *c, char *rest, struct string *out)
{
	int64_t lines = 1;
	if (*rest && !text_to_int(rest, 1, SQUARES, &lines))
		REFUSE(out, "hint '%.40s': expected 1 to %d", rest, SQUARES);
	nboard_of(c)->task = HINT;
	const enum next_step next = begin(c, lines, out);
	if (next == NEXT_THINK)
		string_addf(out, "status Quevedo is analyzing\n");
	return next;
}

/* ---- Evaluations ---- */

/* The final difference of discs for the mover, empty squares to the winner. */
static int final_difference(const struct reversi *s)
{
	const int own = bits_count(s->mover), other = bits_count(s->other);
	const int empty = SQUARES - own - other;
	return own - other + (own > other ? empty : own < other ? -empty : 0);
}

/* Whether the line leads to the end of the game; the difference there, for the side to move. */
static bool line_ends(const struct connection *c, const struct qv_answer *a, int *difference)
{
	struct reversi s = *board_of(c);
	const uint64_t seat = s.seat;
	int32_t points[QV_MAX_SEATS];
	for (int i = 0; i < a->line_length; i++) {
		if (!qv_move_legal(c->engine.rules.game, &s, a->line[i]))
			return false;
		reversi_play(&s, a->line[i]);
	}
	*difference = s.seat == seat ? final_difference(&s) : -final_difference(&s);
	return reversi_result(&s, points) == QV_ENDED;
}

/*
 * The evaluation in hundredths of a disc; *depth gets its depth. The endgame solver, which calls no
 * evaluation, plays for discs; other searches prove only who wins.
 */
static int evaluation_of(const struct connection *c, const struct qv_answer *a, char depth[16])
{
	const int most = SQUARES * PATTERN_DISC;
	int difference;
	if (a->proven && !a->evals && line_ends(c, a, &difference)) {
		snprintf(depth, 16, "100%%");
		return difference * 100;
	}
	snprintf(depth, 16, a->proven ? "100%%W" : "%d", a->depth);
	if (a->proven)
		return (a->score > 0) * 100 - (a->score < 0) * 100;
	const int score = a->score < -most ? -most : a->score > most ? most : a->score;
	return score * 100 / PATTERN_DISC;
}

static void add_hundredths(struct string *out, int value)
{
	const int size = value < 0 ? -value : value;
	string_addf(out, "%s%d.%02d", value < 0 ? "-" : "", size / 100, size % 100);
}

/* `F5`, or `PA` */
static void add_move(struct string *out, qv_move move)
{
	if (move == REVERSI_PASS)
		string_addf(out, "PA");
	else
		string_addf(out, "%c%d", 'A' + (int)(move & 7), 1 + (int)(move >> 3));
}

/* search PV EVALUATION 0 DEPTH, or the same with `book`; then the nodes so far. */
static void info(struct connection *c, int line, const struct qv_answer *a, struct string *out)
{
	struct reversi s = *board_of(c);
	char depth[16];
	const int value = evaluation_of(c, a, depth);
	if (nboard_of(c)->task == ANALYZE || a->unsolved || !a->line_length)
		return;
	string_addf(out, *a->book ? "book " : "search ");
	for (int i = 0; i < a->line_length; i++) {
		if (!qv_move_legal(c->engine.rules.game, &s, a->line[i]))
			break;
		add_move(out, a->line[i]);
		reversi_play(&s, a->line[i]);
	}
	string_addf(out, " ");
	add_hundredths(out, value);
	string_addf(out, " 0 %s%s%s\n", depth, *a->book ? " " : "", a->book);
	if (line == 1)
		string_addf(out, "nodestats %llu %.2f\n", (unsigned long long)a->nodes,
			    c->no_times ? 0 : a->seconds);
}

/* === F5/1.25/0.31; a forced move has no evaluation. */
static void add_answer(struct connection *c, struct string *out)
{
	const struct qv_answer *a = &c->engine.answer;
	qv_move moves[QV_MAX_MOVES];
	char depth[16];
	const bool forced = c->engine.rules.game->moves(board_of(c), moves) == 1;
	string_addf(out, "=== ");
	add_move(out, a->move);
	string_addf(out, "/");
	if (!forced && !a->unsolved)
		add_hundredths(out, evaluation_of(c, a, depth));
	const int64_t ms = c->no_times ? 0 : (clock_us() - c->began_us) / 1000;
	string_addf(out, "/%lld.%02lld\n", (long long)(ms / 1000), (long long)(ms % 1000 / 10));
}

/* ---- Analysis of a game, from its end to its start ---- */

static void add_analysis(struct connection *c, int hundredths, struct string *out)
{
	string_addf(out, "analysis %d ", qv_record_ply(c->engine.record));
	add_hundredths(out, hundredths);
	string_addf(out, "\n");
}

/* The analysis is over: goes to the end of the game again. */
static void end_analysis(struct connection *c, struct string *out)
{
	const int plies = nboard_of(c)->plies - qv_record_ply(c->engine.record);
	if (plies)
		qv_record_redo(c->engine.record, plies, NULL);
	nboard_of(c)->task = GO;
	string_addf(out, "status\n");
}

/* Begins with the current position, or with the one before it. */
static enum next_step analyse_next(struct connection *c, struct string *out)
{
	struct nboard *n = nboard_of(c);
	if (n->told &&
	    (!qv_record_ply(c->engine.record) || engine_undo(&c->engine, 1, NULL) != QV_OK)) {
		end_analysis(c, out);
		return NEXT_LINE;
	}
	n->told = true;
	if (engine_over(&c->engine)) {
		add_analysis(c, final_difference(board_of(c)) * 100, out);
		return analyse_next(c, out);
	}
	const enum next_step next = begin(c, 1, out);
	if (next != NEXT_THINK)
		end_analysis(c, out);
	return next;
}

static enum next_step on_analyze(struct connection *c, char *rest, struct string *out)
{
	struct nboard *n = nboard_of(c);
	(void)rest;
	if (c->refused.text[0])
		return refuse(out, &c->refused);
	n->task = ANALYZE;
	n->plies = qv_record_ply(c->engine.record);
	n->told = false;
	string_addf(out, "status Quevedo is analyzing the game\n");
	return analyse_next(c, out);
}

/* A line that waits ends the analysis, since it may change the game. */
static void answer(struct connection *c, struct string *out)
{
	const struct engine_session *e = &c->engine;
	const bool failed = e->status != QV_OK && e->status != QV_STOPPED;
	char depth[16];
	if (failed)
		refuse(out, &e->error);
	if (nboard_of(c)->task == ANALYZE) {
		if (e->status == QV_OK)
			add_analysis(c, evaluation_of(c, &e->answer, depth), out);
		if (e->status != QV_OK || connection_waits(c))
			end_analysis(c, out);
		return;
	}
	if (failed)
		return;
	connection_last_info(c, out);
	if (nboard_of(c)->task == GO)
		add_answer(c, out);
	string_addf(out, "status\n");
}

static enum next_step idle(struct connection *c, struct string *out)
{
	return nboard_of(c)->task == ANALYZE ? analyse_next(c, out) : NEXT_LINE;
}

/* ---- Lines ---- */

static enum next_step on_ping(struct connection *c, char *rest, struct string *out)
{
	int64_t number;
	(void)c;
	if (!text_to_int(rest, INT64_MIN, INT64_MAX, &number))
		REFUSE(out, "ping '%.40s': expected a number", rest);
	string_addf(out, "pong %lld\n", (long long)number);
	return NEXT_LINE;
}

/* A book cannot be changed, so that nothing is learnt from a game. */
static enum next_step on_learn(struct connection *c, char *rest, struct string *out)
{
	(void)c, (void)rest;
	string_addf(out, "learned\n");
	return NEXT_LINE;
}

static const struct nboard_command {
	const char *name;
	enum next_step (*run)(struct connection *c, char *rest, struct string *out);
} commands[] = {
	{ "nboard", on_nboard }, { "set", on_set },	    { "move", on_move },
	{ "hint", on_hint },	 { "go", on_go },	    { "ping", on_ping },
	{ "learn", on_learn },	 { "analyze", on_analyze }, { "quit", connection_quit },
};

/* In version 1 a move is a line of its own. */
static bool is_move(const char *line)
{
	char small[3] = { to_lower(line[0]), to_lower(*line ? line[1] : '\0'), '\0' };
	return strlen(line) == 2 &&
	       (strcmp(small, "pa") == 0 ||
		(small[0] >= 'a' && small[0] <= 'h' && small[1] >= '1' && small[1] <= '8'));
}

static enum next_step line(struct connection *c, char *text, struct string *out)
{
	const size_t length = strcspn(text, " \t");
	const struct nboard_command *command = NULL;
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		if (strlen(commands[i].name) == length &&
		    memcmp(commands[i].name, text, length) == 0)
			command = &commands[i];
	if (!command && !is_move(text))
		return NEXT_LINE;
	if (c->busy && (!command || command->run != connection_quit)) {
		if (!connection_defer(c, text))
			REFUSE(out, "too many lines during a search");
		if (command && command->run == on_ping)
			connection_stop(c);
		return NEXT_LINE;
	}
	return command ? command->run(c, words_skip(text + length), out) : on_move(c, text, out);
}

/* The unreadable line may have been a game; then the one before it must not be searched. */
static void bad_line(struct connection *c, const char *why, struct string *out)
{
	struct qv_error error;
	qv_fail(&error, QV_BAD_INPUT, "%s", why);
	if (!c->busy || !connection_defer(c, "set game"))
		c->refused = error;
	refuse(out, &error);
}

static enum qv_status fits(const struct qv_game *game, struct qv_error *error)
{
	return strcmp(game->name, "reversi") == 0
		       ? QV_OK
		       : qv_fail(error, QV_UNSUPPORTED,
				 "protocol nboard: only reversi fits it, not %.40s", game->name);
}

const struct protocol_ops protocol_nboard = {
	.name = "nboard",
	.line = line,
	.bad_line = bad_line,
	.info = info,
	.answer = answer,
	.idle = idle,
	.fits = fits,
	.own_size = sizeof(struct nboard),
};
