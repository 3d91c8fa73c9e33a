/*
 * uci_manager.c - the Universal Game Interface and UCI, the manager's side: they differ in words.
 * SPDX-License-Identifier: MIT
 *
 * As UGI has it, lines that are not known mean nothing; an engine that says no other runs out of
 * time.
 */
#include "protocols/manager.h"

#include "protocols/words.h"

/* The words of each; times and increments in the order of seats. */
struct dialect {
	const char *hello, *new_game, *times[2], *added[2];
};

static const struct dialect ugi = { "ugi", "uginewgame",
				    { "p1time", "p2time" }, { "p1inc", "p2inc" } };
static const struct dialect uci = { "uci", "ucinewgame",
				    { "wtime", "btime" }, { "winc", "binc" } };

static const struct dialect *dialect_of(const struct manager *m)
{
	return m->ops == &manager_uci ? &uci : &ugi;
}

static void ugi_hello(struct manager *m, struct string *out)
{
	string_addf(out, "%s\n", dialect_of(m)->hello);
	m->awaited = 1;
}

static void ugi_set(struct manager *m, const char *name, const char *value, struct string *out)
{
	(void)m;
	string_addf(out, "setoption name %s value %s\n", name, *value ? value : "<empty>");
}

/* It has no word for the game: the engine knows which it plays. */
static void ugi_new_game(struct manager *m, const char *game, struct string *out)
{
	(void)game;
	string_addf(out, "%s\nisready\n", dialect_of(m)->new_game);
	m->awaited = 1;
}

static void add_limit(struct string *out, const char *name, int64_t value)
{
	if (value > 0)
		string_addf(out, " %s %lld", name, (long long)value);
}

static void ugi_ask(struct manager *m, const struct manager_question *q, struct string *out)
{
	const struct dialect *d = dialect_of(m);
	string_addf(out, "position %s%s", q->start ? "fen " : "startpos", q->start ? q->start : "");
	string_addf(out, "%s%s\ngo", *q->moves ? " moves " : "", q->moves);
	add_limit(out, "depth", q->depth);
	add_limit(out, "nodes", q->nodes);
	add_limit(out, "movetime", q->time_ms);
	for (int seat = 0; q->clocks && seat < 2; seat++)
		string_addf(out, " %s %lld", d->times[seat], (long long)q->left_ms[seat]);
	for (int seat = 0; q->clocks && seat < 2; seat++)
		string_addf(out, " %s %lld", d->added[seat], (long long)q->added_ms[seat]);
	string_addf(out, "\n");
	m->asked = true;
	m->info = (struct manager_info){ 0 };
}

static void ugi_stop(struct manager *m, struct string *out)
{
	(void)m;
	string_addf(out, "stop\n");
}

static void ugi_quit(struct manager *m, struct string *out)
{
	(void)m;
	string_addf(out, "quit\n");
}

/* ---- Its lines ---- */

/* score cp N, or score mate N in moves; what is malformed says nothing. */
static void read_score(struct manager_info *info, char **rest)
{
	const char *word = words_next(rest);
	int64_t number;
	const bool mate = strcmp(word, "mate") == 0;
	if ((!mate && strcmp(word, "cp") != 0) ||
	    !manager_number(words_next(rest), mate ? INT32_MAX / 16 : QV_MAX_EVAL, &number))
		return;
	info->proven = mate;
	if (mate)
		number = number > 0 ? QV_WIN - (2 * number - 1) : -2 * number - QV_WIN;
	info->score = (int32_t)number;
}

/* Whether the line is of a move that is not the best. */
static bool is_lesser(const char *info)
{
	const char *at = strstr(info, "multipv ");
	return at && !(at[8] == '1' && (at[9] == ' ' || !at[9]));
}

static void read_info(struct manager *m, char *rest)
{
	int64_t number;
	while (*rest) {
		const char *key = words_next(&rest);
		if (strcmp(key, "string") == 0)
			return;
		if (strcmp(key, "pv") == 0) {
			manager_take_pv(m, rest);
			return;
		}
		if (strcmp(key, "score") == 0)
			read_score(&m->info, &rest);
		else if (strcmp(key, "depth") == 0 &&
			 manager_number(words_next(&rest), INT32_MAX, &number))
			m->info.depth = (int)number;
		else if (strcmp(key, "nodes") == 0 &&
			 manager_number(words_next(&rest), INT64_MAX, &number) && number >= 0)
			m->info.nodes = (uint64_t)number;
	}
}

static enum manager_event awaited_word(struct manager *m)
{
	if (!m->awaited)
		return MANAGER_QUIET;
	m->awaited = 0;
	return MANAGER_READY;
}

static enum manager_event ugi_line(struct manager *m, char *line, size_t length)
{
	char *rest = line;
	if (strlen(line) != length)
		return MANAGER_QUIET;
	const char *word = words_next(&rest);
	if (strcmp(word, m->ops->hello_done) == 0 || strcmp(word, "readyok") == 0)
		return awaited_word(m);
	if (strcmp(word, "id") == 0 && strcmp(words_next(&rest), "name") == 0)
		manager_take_name(m, rest);
	if (strcmp(word, "info") == 0 && m->asked && !is_lesser(rest)) {
		read_info(m, rest);
		return MANAGER_INFO;
	}
	if (strcmp(word, "bestmove") == 0 && m->asked) {
		manager_take_move(m, words_next(&rest));
		m->asked = false;
		return MANAGER_MOVE;
	}
	return MANAGER_QUIET;
}

const struct manager_ops manager_ugi = {
	.name = "ugi",
	.separator = " ",
	.hello_done = "ugiok",
	.new_game_done = "readyok",
	.hello = ugi_hello,
	.set = ugi_set,
	.new_game = ugi_new_game,
	.ask = ugi_ask,
	.stop = ugi_stop,
	.quit = ugi_quit,
	.line = ugi_line,
	.two_seats = true,
};

const struct manager_ops manager_uci = {
	.name = "uci",
	.separator = " ",
	.hello_done = "uciok",
	.new_game_done = "readyok",
	.hello = ugi_hello,
	.set = ugi_set,
	.new_game = ugi_new_game,
	.ask = ugi_ask,
	.stop = ugi_stop,
	.quit = ugi_quit,
	.line = ugi_line,
	.two_seats = true,
};
