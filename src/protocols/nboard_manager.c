/*
 * nboard_manager.c - NBoard, the manager's side.
 * SPDX-License-Identifier: MIT
 *
 * Every question has the whole game in GGF, after a `ping` whose `pong` shows that what follows is
 * about it. The protocol knows the time left for the game only, which is written as the time control
 * of the game, without the times of its moves. Its depth must be set, so a default is sent.
 */
#include "games/reversi/pattern.h"
#include "protocols/manager.h"
#include "protocols/words.h"

enum { SQUARES = 64, DEFAULT_DEPTH = 12 };

/* ---- What is sent ---- */

static void add_ping(struct manager *m, struct string *out)
{
	string_addf(out, "ping %d\n", ++m->board.pings);
	m->awaited = 1;
}

static void hello(struct manager *m, struct string *out)
{
	string_addf(out, "nboard 2\nset depth %d\n", DEFAULT_DEPTH);
	m->nboard_depth = DEFAULT_DEPTH;
	add_ping(m, out);
}

static void set(struct manager *m, const char *name, const char *value, struct string *out)
{
	(void)m;
	string_addf(out, "set %s %s\n", name, value);
}

/* Each question has its game. */
static void new_game(struct manager *m, const char *game, struct string *out)
{
	(void)game;
	add_ping(m, out);
}

/* Whole seconds, at least one: 0:00 could mean that there is no clock. */
static void add_time(struct string *out, int64_t ms)
{
	const int64_t seconds = ms < 1000 ? 1 : ms / 1000;
	string_addf(out, "%lld:%02lld", (long long)(seconds / 60), (long long)(seconds % 60));
}

/* The time left. A time for each move is multiplied by the moves that are left. */
static void add_clock(const struct manager_question *q, struct string *out)
{
	const struct reversi *s = q->state;
	const int empty = SQUARES - bits_count(s->mover | s->other);
	if (!q->clocks && !q->time_ms)
		return;
	string_addf(out, "TI[");
	add_time(out, q->clocks ? q->left_ms[q->seat] : q->time_ms * (empty + 1) / 2);
	if (q->clocks && q->added_ms[q->seat] >= 1000) {
		string_addf(out, "/");
		add_time(out, q->added_ms[q->seat]);
	}
	string_addf(out, "]");
}

/* BO[8 SQUARES SIDE], and the moves. */
static void add_game(const struct manager_question *q, struct string *out)
{
	char start[QV_POSITION_TEXT] = "", move[8];
	struct reversi s;
	reversi_start(&s, NULL);
	reversi_position_text(&s, &(struct qv_text){ start, sizeof start, 0 });
	if (q->start)
		snprintf(start, sizeof start, "%s", q->start);
	bool white = strchr(start, ' ') && strcmp(strchr(start, ' '), " O") == 0;
	for (char *at = start; *at; at++)
		*at = *at == 'X' ? '*' : *at;
	string_addf(out, "(;GM[Othello]PC[Quevedo]PB[Black]PW[White]RE[?]");
	add_clock(q, out);
	string_addf(out, "TY[8]BO[8 %s]", start);
	for (const char *at = q->moves; scan_piece(&at, " ", "", move, sizeof move);
	     white = !white) {
		move[0] = to_lower(move[0]) == *move && *move ? (char)(*move - 'a' + 'A') : *move;
		string_addf(out, "%c[%s]", white ? 'W' : 'B',
			    strcmp(move, "Pass") == 0 ? "PA" : move);
	}
	string_addf(out, ";)");
}

static void ask(struct manager *m, const struct manager_question *q, struct string *out)
{
	const int depth = q->depth ? (int)(q->depth < SQUARES ? q->depth : SQUARES) : DEFAULT_DEPTH;
	add_ping(m, out);
	if (depth != m->nboard_depth)
		string_addf(out, "set depth %d\n", depth);
	m->nboard_depth = depth;
	string_addf(out, "set game ");
	add_game(q, out);
	string_addf(out, "\ngo\n");
	m->stops = 0;
	manager_await_move(m);
}

/* A ping stops the search; the move, if the engine sends one, comes before the pong. */
static void stop(struct manager *m, struct string *out)
{
	add_ping(m, out);
	m->stops = 1;
}

/* ---- The engine's lines ---- */

/* The move at the start of the text as the game writes it: `f5`, `pass`; "": no move. */
static struct qv_text copy_move(const char **text, char *to, size_t size)
{
	struct qv_text out = { to, size, 0 };
	const char column = to_lower((*text)[0]), row = column ? (*text)[1] : '\0';
	*to = '\0';
	if (column == 'p' && to_lower(row) == 'a') {
		qv_put(&out, "pass");
		*text += strspn(*text, "pPaAsS");
	} else if (column >= 'a' && column <= 'h' && row >= '1' && row <= '8') {
		qv_put_char(&out, column);
		qv_put_char(&out, row);
		*text += 2;
	}
	return out;
}

/* `F5d6C3` or `F5-D6-C3`: moves with blanks between them. */
static void take_pv(struct manager *m, const char *text)
{
	char pv[MANAGER_PV] = "", move[8];
	struct qv_text out = { pv, sizeof pv, 0 };
	while (copy_move(&text, move, sizeof move).length) {
		qv_put(&out, out.length ? " " : "");
		qv_put(&out, move);
		text += strspn(text, "-");
	}
	manager_take_pv(m, pv);
}

/* A number of discs, or two with a comma between them, of which the first counts. */
static bool read_score(const char *text, int32_t *score)
{
	const bool minus = *text == '-';
	int64_t discs = 0, hundredths = 0;
	text += minus || *text == '+';
	if (!is_digit(*text) || !scan_int(&text, 0, 1000000, &discs))
		return false;
	if (scan_literal(&text, "."))
		for (int unit = 10; is_digit(*text); unit /= 10)
			hundredths += unit * (*text++ - '0');
	discs = discs > SQUARES ? SQUARES : discs;
	const int64_t value = (discs * 100 + hundredths) * PATTERN_DISC / 100;
	*score = (int32_t)(minus ? -value : value);
	return true;
}

/* search PV EVALUATION GAMES DEPTH, and the same with `book`. */
static enum manager_event take_search(struct manager *m, char *rest)
{
	const char *pv = words_next(&rest), *score = words_next(&rest);
	int64_t depth;
	words_next(&rest);
	const char *text = words_next(&rest);
	/* `hint` reports several moves; of a `go` the last line counts. */
	if (!read_score(score, &m->info.score))
		return MANAGER_QUIET;
	take_pv(m, pv);
	m->info.depth = scan_int(&text, 0, 1000, &depth) ? (int)depth : 0;
	return MANAGER_INFO;
}

/* `=== F5/1.25/0.31`, as the protocol has it, or `=== f5 1.25 0.31`, as Edax writes it. */
static enum manager_event take_answer(struct manager *m, char *rest)
{
	const char *at = rest;
	char move[8];
	if (!copy_move(&at, move, sizeof move).length || (*at && !is_one_of(*at, "/ \t")))
		return manager_take_move(m, rest);
	if (*at)
		read_score(at + 1, &m->info.score);
	return manager_take_move(m, move);
}

/* The pong of the last ping: what was sent before it has been done. */
static enum manager_event take_pong(struct manager *m, const char *number)
{
	char move[8];
	int64_t pong;
	if (!manager_number(number, INT32_MAX, &pong) || pong != m->board.pings)
		return MANAGER_QUIET;
	if (!m->asked)
		return manager_ready(m);
	m->awaited = 0;
	/* A search that was stopped need not have an answer; its line tells the move. */
	const char *pv = m->info.pv;
	if (m->stops && copy_move(&pv, move, sizeof move).length)
		return manager_take_move(m, move);
	return MANAGER_QUIET;
}

/* What comes before the pong belongs to an earlier question, except after a stop. */
static enum manager_event take_line(struct manager *m, char *line, size_t length)
{
	char *rest = line;
	uint64_t nodes;
	int64_t number;
	if (strlen(line) != length)
		return MANAGER_QUIET;
	const char *word = words_next(&rest);
	if (strcmp(word, "pong") == 0)
		return take_pong(m, rest);
	if (strcmp(word, "set") == 0 && strcmp(words_next(&rest), "myname") == 0)
		manager_take_name(m, rest);
	if (!m->asked || (m->awaited && !m->stops))
		return MANAGER_QUIET;
	if (strcmp(word, "===") == 0)
		return take_answer(m, rest);
	if (strcmp(word, "search") == 0 || strcmp(word, "book") == 0)
		return take_search(m, rest);
	if (strcmp(word, "nodestats") != 0 ||
	    !manager_number(words_next(&rest), INT64_MAX, &number) || number < 0)
		return MANAGER_QUIET;
	nodes = (uint64_t)number;
	m->info.nodes = nodes;
	return MANAGER_INFO;
}

static enum qv_status fits(const struct qv_rules *rules, struct qv_error *error)
{
	return strcmp(rules->game->name, "reversi") == 0
		       ? QV_OK
		       : qv_fail(error, QV_UNSUPPORTED,
				 "protocol nboard: only reversi fits it, not %.40s",
				 rules->game->name);
}

const struct manager_ops manager_nboard = {
	.name = "nboard",
	.separator = " ",
	.hello_done = "pong",
	.new_game_done = "pong",
	.hello = hello,
	.set = set,
	.new_game = new_game,
	.ask = ask,
	.stop = stop,
	.quit = manager_quit,
	.line = take_line,
	.two_seats = true,
	.no_nodes = true,
	.fits = fits,
};
