/*
 * qgp_manager.c - our own protocol, the manager's side. docs/protocol.md has it in full.
 * SPDX-License-Identifier: MIT
 *
 * Each line that is sent is closed by one answer, so it is enough to count them. What the protocol
 * does not have is garbage at once: an engine that says such things cannot be trusted with a game.
 */
#include "protocols/manager.h"

#include "protocols/words.h"

enum { QUOTED = 200 };             /* bytes of a line that an error shows */

static void qgp_hello(struct manager *m, struct string *out)
{
	string_addf(out, "qgp 1\n");
	m->awaited++;
}

static void qgp_set(struct manager *m, const char *name, const char *value, struct string *out)
{
	string_addf(out, "set %s %s\n", name, value);
	m->awaited++;
}

static void qgp_new_game(struct manager *m, const char *game, struct string *out)
{
	string_addf(out, "newgame %s\n", game);
	m->awaited++;
}

static void add_limit(struct string *out, const char *name, int64_t value)
{
	if (value > 0)
		string_addf(out, " %s %lld", name, (long long)value);
}

static void add_go(const struct manager_question *q, struct string *out)
{
	string_addf(out, "go");
	add_limit(out, "depth", q->depth);
	add_limit(out, "nodes", q->nodes);
	add_limit(out, "evals", q->evals);
	add_limit(out, "movetime", q->time_ms);
	for (int seat = 0; q->clocks && seat < q->seats; seat++)
		string_addf(out, " clock %d %lld %lld", seat + 1, (long long)q->left_ms[seat],
			    (long long)q->added_ms[seat]);
	string_addf(out, "\n");
}

static void qgp_ask(struct manager *m, const struct manager_question *q, struct string *out)
{
	string_addf(out, "position %s\n", q->start ? q->start : "start");
	m->awaited++;
	if (*q->moves) {
		string_addf(out, "play %s\n", q->moves);
		m->awaited++;
	}
	if (m->wants_moves) {
		string_addf(out, "moves %s\n", q->legal);
		m->awaited++;
	}
	add_go(q, out);
	m->stops = 0;
	m->asked = true;
	m->info = (struct manager_info){ 0 };
}

static void qgp_stop(struct manager *m, struct string *out)
{
	string_addf(out, "stop\n");
	m->awaited++;
	m->stops++;
}

static void qgp_quit(struct manager *m, struct string *out)
{
	(void)m;
	string_addf(out, "quit\n");
}

/* ---- Its lines ---- */

/* score N, score win N, score loss N, score draw, score exact N. */
static bool read_score(struct manager_info *info, char **rest)
{
	const char *word = words_next(rest);
	int64_t number = 0;
	const bool win = strcmp(word, "win") == 0, loss = strcmp(word, "loss") == 0;
	const bool exact = strcmp(word, "exact") == 0, draw = strcmp(word, "draw") == 0;
	if (win || loss) {
		if (!manager_number(words_next(rest), QV_WIN - QV_MAX_EVAL - 1, &number) ||
		    number < 0)
			return false;
		number = win ? QV_WIN - number : number - QV_WIN;
	} else if (!draw &&
		   !manager_number(exact ? words_next(rest) : word, QV_MAX_EVAL, &number)) {
		return false;
	}
	info->score = (int32_t)number;
	info->proven = win || loss || draw || exact;
	return true;
}

static bool read_count(const char *word, uint64_t *out)
{
	int64_t number;
	if (!manager_number(word, INT64_MAX, &number) || number < 0)
		return false;
	*out = (uint64_t)number;
	return true;
}

static bool read_depth(const char *word, int *out)
{
	int64_t number;
	if (!manager_number(word, INT32_MAX, &number))
		return false;
	*out = (int)number;
	return true;
}

/* Pairs of a key and a value, then the line; keys that are not known are skipped with theirs. */
static bool read_info(struct manager *m, char *rest)
{
	struct manager_info *info = &m->info;
	while (*rest) {
		const char *key = words_next(&rest);
		bool good = true;
		if (strcmp(key, "pv") == 0) {
			manager_take_pv(m, rest);
			return true;
		}
		if (strcmp(key, "score") == 0)
			good = read_score(info, &rest);
		else if (strcmp(key, "depth") == 0)
			good = read_depth(words_next(&rest), &info->depth);
		else if (strcmp(key, "nodes") == 0)
			good = read_count(words_next(&rest), &info->nodes);
		else if (strcmp(key, "evals") == 0)
			good = read_count(words_next(&rest), &info->evals);
		else if (strcmp(key, "considered") == 0)
			good = read_count(words_next(&rest), &info->considered);
		else
			words_next(&rest);
		if (!good)
			return false;
	}
	return true;
}

static enum manager_event settled(const struct manager *m)
{
	return m->awaited || m->asked ? MANAGER_QUIET : MANAGER_READY;
}

/* What may come before the `ok` of hello and settles nothing. */
static bool read_hello(struct manager *m, const char *word, const char *rest)
{
	if (strcmp(word, "name") == 0)
		manager_take_name(m, rest);
	else if (strcmp(word, "wants") == 0 && strcmp(rest, "moves") == 0)
		m->wants_moves = true;
	else
		return strcmp(word, "games") == 0 || strcmp(word, "option") == 0;
	return true;
}

static enum manager_event qgp_line(struct manager *m, char *line, size_t length)
{
	char whole[QUOTED], *rest = line; /* whole: as it was before words are cut off */
	const size_t kept = length < QUOTED ? length : QUOTED - 1;
	memcpy(whole, line, kept);
	whole[kept] = '\0';
	if (strlen(line) != length)
		return manager_garbage(m, whole);
	if (!*words_skip(line) || *line == '#')
		return MANAGER_QUIET;
	const char *word = words_next(&rest);
	if (strcmp(word, "ok") == 0 && m->awaited) {
		m->awaited--;
		return settled(m);
	}
	if (strcmp(word, "info") == 0 && m->asked && read_info(m, rest))
		return MANAGER_INFO;
	if (strcmp(word, "bestmove") == 0 && m->asked && m->awaited <= m->stops) {
		manager_take_move(m, words_trim(rest));
		m->asked = false;
		return MANAGER_MOVE;
	}
	if (strcmp(word, "error") == 0) {
		qv_fail(&m->error, QV_BAD_INPUT, "%s", whole);
		return MANAGER_REFUSED;
	}
	if (m->awaited && !m->asked && read_hello(m, word, rest))
		return MANAGER_QUIET;
	return manager_garbage(m, whole);
}

const struct manager_ops manager_qgp = {
	.name = "qgp",
	.separator = ", ",
	.hello_done = "ok",
	.new_game_done = "ok",
	.hello = qgp_hello,
	.set = qgp_set,
	.new_game = qgp_new_game,
	.ask = qgp_ask,
	.stop = qgp_stop,
	.quit = qgp_quit,
	.line = qgp_line,
	.blanks = true,
	.game_first = true,
};
