/*
 * manager.c - the manager's side of QGP, UGI and UCI, and what the managers of all protocols share.
 * SPDX-License-Identifier: MIT
 *
 * In QGP each line that is sent gets one closing answer, so it is enough to count them. A line that
 * the protocol does not have is an error at once: an engine that sends such lines cannot be trusted
 * with a game. UGI and UCI differ only in some words. There unknown lines mean nothing, as both
 * protocols demand; an engine that sends nothing else runs out of time.
 */
#include "protocols/manager.h"

#include "formats/chess960.h"
#include "protocols/words.h"

static const struct manager_ops *const managers[] = {
	&manager_qgp,	&manager_ugi, &manager_uci,	&manager_xboard, &manager_external,
	&manager_gnubg, &manager_hub, &manager_gomocup, &manager_nboard, &manager_gtp
};
enum { MANAGERS = sizeof managers / sizeof *managers };

enum { QUOTED = 200 }; /* bytes of a line that an error shows */

/* ---- For all protocols ---- */

/* The name need not end with a NUL: it is the part of a spec before the colon. */
const struct manager_ops *manager_find(const char *name, size_t length)
{
	for (int i = 0; i < MANAGERS; i++)
		if (strlen(managers[i]->name) == length &&
		    memcmp(managers[i]->name, name, length) == 0)
			return managers[i];
	return NULL;
}

void manager_quit(struct manager *m, struct string *out)
{
	(void)m;
	string_addf(out, "quit\n");
}

void manager_await_move(struct manager *m)
{
	m->asked = true;
	m->info = (struct manager_info){ 0 };
}

enum manager_event manager_ready(struct manager *m)
{
	if (!m->awaited)
		return MANAGER_QUIET;
	m->awaited = 0;
	return MANAGER_READY;
}

enum manager_event manager_take_move(struct manager *m, const char *text)
{
	snprintf(m->move, sizeof m->move, "%s", text);
	m->asked = false;
	return MANAGER_MOVE;
}

void manager_take_bound(struct manager *m, int bound)
{
	m->info.bound = bound;
	m->info.exact = m->info.proven = false;
}

enum manager_event manager_informed(struct manager *m, const struct manager_info *before)
{
	if (!m->info.bound || !before->exact)
		return MANAGER_INFO;
	const uint64_t nodes = m->info.nodes;
	m->info = *before;
	m->info.nodes = nodes;
	return MANAGER_QUIET;
}

/* Long lines are cut in the middle of a move, which is then not legal and ends the line. */
void manager_take_pv(struct manager *m, const char *text)
{
	snprintf(m->info.pv, sizeof m->info.pv, "%s", text);
}

/* qv_fail replaces control characters, so the name can be shown in a terminal. */
void manager_take_name(struct manager *m, const char *text)
{
	struct qv_error printable;
	qv_fail(&printable, QV_OK, "%.60s", text);
	snprintf(m->name, sizeof m->name, "%.63s", printable.text);
}

/* Engines print numbers of any size; a number beyond what an int64_t holds is not accepted. */
bool manager_number(const char *word, int64_t most, int64_t *out)
{
	int64_t number;
	if (!text_to_int(word, -INT64_MAX, INT64_MAX, &number))
		return false;
	*out = number > most ? most : number < -most ? -most : number;
	return true;
}

/* Limits that are not set are left out, as all three protocols want it. */
static void add_limit(struct string *out, const char *name, int64_t value)
{
	if (value > 0)
		string_addf(out, " %s %lld", name, (long long)value);
}

/* Reads a number that is not negative. */
static bool read_count(const char *word, uint64_t *out)
{
	int64_t number;
	if (!manager_number(word, INT64_MAX, &number) || number < 0)
		return false;
	*out = (uint64_t)number;
	return true;
}

/* Depths of other engines may be negative; they are not interpreted. */
static bool read_depth(const char *word, int *out)
{
	int64_t number;
	if (!manager_number(word, INT32_MAX, &number))
		return false;
	*out = (int)number;
	return true;
}

/* ---- QGP, what is sent ---- */

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

/*
 * position, play, moves and go are sent in one go. Their answers come in order, so only their
 * number counts; the move must not come before the answers of the lines before `go`.
 */
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
	string_addf(out, "go");
	add_limit(out, "depth", q->depth);
	add_limit(out, "nodes", q->nodes);
	add_limit(out, "evals", q->evals);
	add_limit(out, "movetime", q->time_ms);
	for (int seat = 0; q->clocks && seat < q->seats; seat++)
		string_addf(out, " clock %d %lld %lld", seat + 1, (long long)q->left_ms[seat],
			    (long long)q->added_ms[seat]);
	string_addf(out, "\n");
	m->stops = 0;
	manager_await_move(m);
}

/* The answer of `stop` may come after the move, since the engine may have moved already. */
static void qgp_stop(struct manager *m, struct string *out)
{
	string_addf(out, "stop\n");
	m->awaited++;
	m->stops++;
}

/* ---- QGP, the engine's lines ---- */

/* score N, score win N, score loss N, score draw, score exact N. */
static bool qgp_read_score(struct manager_info *info, char **rest)
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

/* Pairs of key and value, then `pv` and moves. Unknown keys are skipped with their values. */
static bool qgp_read_info(struct manager *m, char *rest)
{
	struct manager_info *info = &m->info;
	bool good = true;
	while (*rest && good) {
		const char *key = words_next(&rest);
		if (strcmp(key, "pv") == 0) {
			manager_take_pv(m, rest);
			return true;
		}
		if (strcmp(key, "score") == 0) {
			good = qgp_read_score(info, &rest);
			continue;
		}
		const char *value = words_next(&rest);
		if (strcmp(key, "depth") == 0)
			good = read_depth(value, &info->depth);
		else if (strcmp(key, "nodes") == 0)
			good = read_count(value, &info->nodes);
		else if (strcmp(key, "evals") == 0)
			good = read_count(value, &info->evals);
		else if (strcmp(key, "considered") == 0)
			good = read_count(value, &info->considered);
	}
	return good;
}

/*
 * Order matters: `ok` and `error` close a line at any time, `info` and `bestmove` only belong to a
 * question, and the rest only to hello.
 */
static enum manager_event qgp_line(struct manager *m, char *line, size_t length)
{
	char whole[QUOTED], *rest = line; /* whole: for errors, before words are cut off */
	snprintf(whole, sizeof whole, "%.*s", (int)(length < QUOTED ? length : QUOTED), line);
	const bool is_text = strlen(line) == length;
	if (is_text && (!*words_skip(line) || *line == '#'))
		return MANAGER_QUIET;
	const char *word = is_text ? words_next(&rest) : "";
	if (strcmp(word, "ok") == 0 && m->awaited) {
		m->awaited--;
		return m->awaited || m->asked ? MANAGER_QUIET : MANAGER_READY;
	}
	if (strcmp(word, "info") == 0 && m->asked && qgp_read_info(m, rest))
		return MANAGER_INFO;
	if (strcmp(word, "bestmove") == 0 && m->asked && m->awaited <= m->stops)
		return manager_take_move(m, words_trim(rest));
	if (strcmp(word, "error") == 0) {
		qv_fail(&m->error, QV_BAD_INPUT, "%s", whole);
		return MANAGER_REFUSED;
	}
	/* Lines that may precede the `ok` of hello and close nothing. */
	const int hello =
		m->awaited && !m->asked ? scan_choice("name|wants|games|option", word) : -1;
	if (hello == 0)
		manager_take_name(m, rest);
	if (hello == 1)
		m->wants_moves |= strcmp(rest, "moves") == 0;
	if (hello >= 0 && (hello != 1 || strcmp(rest, "moves") == 0))
		return MANAGER_QUIET;
	qv_fail(&m->error, QV_BAD_INPUT, "'%.100s'", whole);
	return MANAGER_GARBAGE;
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
	.quit = manager_quit,
	.line = qgp_line,
	.blanks = true,
	.game_first = true,
};

/* ---- UGI and UCI, what is sent ---- */

/* The words of each; times and increments in the order of seats. */
static const struct dialect {
	const char *hello, *new_game, *times[2], *added[2];
} ugi = { "ugi", "uginewgame", { "p1time", "p2time" }, { "p1inc", "p2inc" } },
  uci = { "uci", "ucinewgame", { "wtime", "btime" }, { "winc", "binc" } };

/* The ops are the only difference between a manager of UCI and one of UGI. */
static const struct dialect *dialect_of(const struct manager *m)
{
	return m->ops == &manager_uci ? &uci : &ugi;
}

/* Closed by uciok or ugiok, before which the engine lists its options. */
static void ugi_hello(struct manager *m, struct string *out)
{
	string_addf(out, "%s\n", dialect_of(m)->hello);
	m->awaited = 1;
}

/* An empty text is written as <empty>, since the value of an option must not be missing. */
static void ugi_set(struct manager *m, const char *name, const char *value, struct string *out)
{
	(void)m;
	string_addf(out, "setoption name %s value %s\n", name, *value ? value : "<empty>");
}

/* The protocols have no word for the game: the engine plays only one, perhaps as Chess960. */
static void ugi_new_game(struct manager *m, const char *game, struct string *out)
{
	if (m->ops == &manager_uci && strncmp(game, CHESS960_RULES, strlen(CHESS960_RULES)) == 0)
		ugi_set(m, "UCI_Chess960", "true", out);
	string_addf(out, "%s\nisready\n", dialect_of(m)->new_game);
	m->awaited = 1;
}

/*
 * Times of both players are sent first, then both increments, as in the examples of the protocol.
 */
static void ugi_ask(struct manager *m, const struct manager_question *q, struct string *out)
{
	const struct dialect *d = dialect_of(m);
	string_addf(out, "position %s%s", q->start ? "fen " : "startpos", q->start ? q->start : "");
	string_addf(out, "%s%s\ngo%s", *q->moves ? " moves " : "", q->moves,
		    q->infinite ? " infinite" : "");
	add_limit(out, "depth", q->depth);
	add_limit(out, "nodes", q->nodes);
	add_limit(out, "movetime", q->time_ms);
	for (int seat = 0; q->clocks && seat < 2; seat++)
		string_addf(out, " %s %lld", d->times[seat], (long long)q->left_ms[seat]);
	for (int seat = 0; q->clocks && seat < 2; seat++)
		string_addf(out, " %s %lld", d->added[seat], (long long)q->added_ms[seat]);
	if (q->clocks)
		add_limit(out, "movestogo", q->moves_to_go);
	string_addf(out, "\n");
	manager_await_move(m);
}

/* It has no answer of its own: the bestmove follows at once. */
static void ugi_stop(struct manager *m, struct string *out)
{
	(void)m;
	string_addf(out, "stop\n");
}

/* ---- UGI and UCI, the engine's lines ---- */

/* score cp N, or score mate N in moves; a malformed score is ignored. */
static void ugi_read_score(struct manager_info *info, char **rest)
{
	const char *word = words_next(rest);
	int64_t number;
	const bool mate = strcmp(word, "mate") == 0;
	if ((!mate && strcmp(word, "cp") != 0) ||
	    !manager_number(words_next(rest), mate ? INT32_MAX / 16 : QV_MAX_EVAL, &number))
		return;
	info->proven = mate;
	info->exact = true;
	info->bound = 0;
	if (mate)
		number = number > 0 ? QV_WIN - (2 * number - 1) : -2 * number - QV_WIN;
	info->score = (int32_t)number;
}

/*
 * Keys that are not known have values of unknown length, so every word is taken for a key.
 * `string` and `pv` take the rest of the line.
 */
static void ugi_read_info(struct manager *m, char *rest)
{
	while (*rest) {
		const char *key = words_next(&rest);
		if (strcmp(key, "string") == 0)
			return;
		if (strcmp(key, "pv") == 0) {
			manager_take_pv(m, rest);
			return;
		}
		if (strcmp(key, "score") == 0)
			ugi_read_score(&m->info, &rest);
		else if (strcmp(key, "lowerbound") == 0)
			manager_take_bound(m, 1);
		else if (strcmp(key, "upperbound") == 0)
			manager_take_bound(m, -1);
		else if (strcmp(key, "depth") == 0)
			read_depth(words_next(&rest), &m->info.depth);
		else if (strcmp(key, "nodes") == 0)
			read_count(words_next(&rest), &m->info.nodes);
	}
}

/* A bestmove without a question is a late answer to a question that was given up: it is ignored. */
static enum manager_event ugi_line(struct manager *m, char *line, size_t length)
{
	char *rest = line;
	if (strlen(line) != length)
		return MANAGER_QUIET;
	const char *word = words_next(&rest);
	if (strcmp(word, m->ops->hello_done) == 0 || strcmp(word, "readyok") == 0)
		return manager_ready(m);
	if (strcmp(word, "id") == 0 && strcmp(words_next(&rest), "name") == 0)
		manager_take_name(m, rest);
	if (strcmp(word, "info") == 0 && m->asked) {
		/* Only the best line counts. */
		const char *at = strstr(rest, "multipv ");
		if (at && !(at[8] == '1' && (at[9] == ' ' || !at[9])))
			return MANAGER_QUIET;
		const struct manager_info before = m->info;
		ugi_read_info(m, rest);
		return manager_informed(m, &before);
	}
	if (strcmp(word, "bestmove") == 0 && m->asked)
		return manager_take_move(m, words_next(&rest));
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
	.quit = manager_quit,
	.line = ugi_line,
	.two_seats = true,
	.endless = true,
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
	.quit = manager_quit,
	.line = ugi_line,
	.two_seats = true,
	.endless = true,
};
