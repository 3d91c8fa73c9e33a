/*
 * gtp_manager.c - the Go Text Protocol, version 2, the manager's side: reversi and go-moku.
 * SPDX-License-Identifier: MIT
 *
 * An engine keeps the game: of a question it is sent the moves that it does not know. Answers come in
 * the order of the commands, so they are counted; the last one has the move. The protocol has no
 * positions, so that a game must begin at its start (player_think refuses others). Times are whole
 * seconds, rounded down. A time for each move is a period of one stone.
 */
#include "protocols/manager.h"
#include "protocols/words.h"

enum { OTHELLO_SIZE = 8, GOMOKU_SIZE = 15 };

static void send(struct manager *m, struct string *out, const char *line)
{
	string_addf(out, "%s\n", line);
	m->awaited++;
}

/* ---- What is sent ---- */

static void hello(struct manager *m, struct string *out)
{
	m->awaited = 0;
	m->gtp.names = true;
	send(m, out, "name");
}

/* Engines have their own commands for what others have as options. */
static void set(struct manager *m, const char *name, const char *value, struct string *out)
{
	string_addf(out, "%s %s\n", name, value);
	m->awaited++;
}

static void add_clear(struct manager *m, struct string *out)
{
	send(m, out, "clear_board");
	m->gtp.told[0] = '\0';
}

/* Reads the size from the text of the game, in which the default is left out. */
static void new_game(struct manager *m, const char *game, struct string *out)
{
	const char *at = strstr(game, "size=");
	int64_t size = strncmp(game, "gomoku", 6) == 0 ? GOMOKU_SIZE : OTHELLO_SIZE;
	if (at) {
		at += 5;
		scan_int(&at, 1, 25, &size);
	}
	m->gtp.skips_i = strncmp(game, "gomoku", 6) == 0;
	string_addf(out, "boardsize %d\n", (int)size);
	m->awaited++;
	add_clear(m, out);
	m->gtp.timed = false;
}

/* time_settings when the time control changes, time_left before each move. */
static void add_times(struct manager *m, const struct manager_question *q, struct string *out)
{
	const int64_t left = q->left_ms[q->seat] / 1000, each = (q->time_ms + 999) / 1000;
	if (!q->clocks && !q->time_ms)
		return;
	if (!m->gtp.timed && q->clocks)
		string_addf(out, "time_settings %lld %lld %d\n", (long long)left,
			    (long long)(q->added_ms[q->seat] / 1000), q->added_ms[q->seat] >= 1000);
	else if (!m->gtp.timed)
		string_addf(out, "time_settings 0 %lld 1\n", (long long)each);
	m->awaited += !m->gtp.timed;
	m->gtp.timed = true;
	string_addf(out, "time_left %c %lld %d\n", q->seat ? 'w' : 'b',
		    (long long)(q->clocks ? left > 0 ? left : 0 : each), q->clocks ? 0 : 1);
	m->awaited++;
}

/* The moves that the engine does not know; NULL: the question does not continue its game. */
static const char *unknown_moves(const struct manager *m, const char *moves)
{
	const size_t length = strlen(m->gtp.told);
	if (strncmp(moves, m->gtp.told, length) != 0)
		return NULL;
	moves += length;
	return !*moves || !length ? moves : *moves == ' ' ? moves + 1 : NULL;
}

/* The colours alternate, and a pass is a move. */
static void add_moves(struct manager *m, const char *moves, int colour, struct string *out)
{
	char move[8];
	for (; scan_piece(&moves, " ", "", move, sizeof move); colour ^= 1) {
		const bool pass = strcmp(move, "pass") == 0;
		if (!pass && m->gtp.skips_i && move[0] >= 'i')
			move[0]++;
		string_addf(out, "play %c %s\n", colour ? 'w' : 'b', move);
		m->awaited++;
	}
}

static void ask(struct manager *m, const struct manager_question *q, struct string *out)
{
	int known = 0;
	m->awaited = 0;
	const char *rest = unknown_moves(m, q->moves);
	if (!rest) {
		add_clear(m, out);
		rest = q->moves;
	}
	for (const char *at = m->gtp.told; *at; at++)
		known += *at == ' ' || at == m->gtp.told;
	add_moves(m, rest, known & 1, out);
	/* A game that is too long to be remembered is sent whole with the next question. */
	snprintf(m->gtp.told, sizeof m->gtp.told, "%s", q->moves);
	add_times(m, q, out);
	string_addf(out, "genmove %c\n", q->seat ? 'w' : 'b');
	m->awaited++;
	manager_await_move(m);
}

/* The protocol has no command for it: the engine answers when its time is over. */
static void stop(struct manager *m, struct string *out)
{
	(void)m, (void)out;
}

/* ---- The engine's lines ---- */

/* The text of an answer, after its sign and number. */
static char *text_of(char *line)
{
	line++;
	line += strspn(line, "0123456789");
	return words_trim(line);
}

/* D3 or PASS becomes the game's own text, and one of the moves that the engine knows. */
static enum manager_event take_vertex(struct manager *m, const char *text)
{
	char move[8];
	snprintf(move, sizeof move, "%.7s", text);
	for (char *at = move; *at; at++)
		*at = to_lower(*at);
	if (strcmp(move, "resign") == 0)
		return MANAGER_RESIGNS;
	if (m->gtp.skips_i && strcmp(move, "pass") != 0 && *move > 'i')
		(*move)--;
	const size_t length = strlen(m->gtp.told);
	snprintf(m->gtp.told + length, sizeof m->gtp.told - length, "%s%s", length ? " " : "",
		 move);
	return manager_take_move(m, move);
}

/* Lines that begin with neither sign belong to an answer of several lines. */
static enum manager_event take_line(struct manager *m, char *line, size_t length)
{
	if (strlen(line) != length || !is_one_of(*line, "=?") || !m->awaited)
		return MANAGER_QUIET;
	m->awaited--;
	char *text = text_of(line);
	if (*line == '?') {
		qv_fail(&m->error, QV_BAD_INPUT, "? %.150s", text);
		return MANAGER_REFUSED;
	}
	if (m->gtp.names)
		manager_take_name(m, text);
	m->gtp.names = false;
	if (m->awaited)
		return MANAGER_QUIET;
	if (!m->asked)
		return MANAGER_READY;
	m->asked = false;
	return take_vertex(m, text);
}

static enum qv_status fits(const struct qv_rules *rules, struct qv_error *error)
{
	const bool gomoku = strcmp(rules->game->name, "gomoku") == 0;
	if (strcmp(rules->game->name, "reversi") != 0 && !gomoku)
		return qv_fail(error, QV_UNSUPPORTED,
			       "protocol gtp: only reversi and gomoku fit it, not %.40s",
			       rules->game->name);
	for (int i = 0; gomoku && rules->game->options[i].name; i++)
		if (strcmp(rules->game->options[i].name, "opening") == 0 && rules->options[i])
			return qv_fail(error, QV_UNSUPPORTED,
				       "player gtp: not available with opening=swap2");
	return QV_OK;
}

const struct manager_ops manager_gtp = {
	.name = "gtp",
	.separator = " ",
	.hello_done = "the answer to name",
	.new_game_done = "the answer to clear_board",
	.hello = hello,
	.set = set,
	.new_game = new_game,
	.ask = ask,
	.stop = stop,
	.quit = manager_quit,
	.line = take_line,
	.two_seats = true,
	.no_nodes = true,
	.no_depth = true,
	.no_positions = true,
	.fits = fits,
};
