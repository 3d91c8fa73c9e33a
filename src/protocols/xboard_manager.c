/*
 * xboard_manager.c - the XBoard protocol (CECP 2), the manager's side.
 * SPDX-License-Identifier: MIT
 *
 * The engine keeps the game: it is told the opponent's moves one by one and answers of itself.
 * Where a question does not go on from the last one it gets a new game and all moves. It never
 * ponders.
 */
#include "protocols/manager.h"

#include "protocols/words.h"

enum { MATE = 100000 }; /* a score of so much and N is a mate in N moves */

/* What an engine may say of itself; what it may not have is rejected. */
static const struct feature {
	const char *name;
	bool wanted;
} features[] = {
	{ "ping", true },	{ "setboard", true }, { "usermove", true },  { "time", true },
	{ "myname", true },	{ "variants", true }, { "option", true },    { "memory", true },
	{ "smp", true },	{ "analyze", true },  { "playother", true }, { "reuse", true },
	{ "sigint", false },	{ "sigterm", false }, { "colors", false },   { "draw", true },
	{ "san", false },	{ "ics", false },     { "name", true },	     { "pause", false },
	{ "nps", false },	{ "debug", true },    { "exclude", true },   { "setscore", false },
	{ "highlight", false }, { "egt", false },
};
enum { FEATURES = sizeof features / sizeof *features, PING = 0, SETBOARD = 1, USERMOVE = 2 };
_Static_assert(FEATURES <= 32, "a bit for each");

/* FNV-1a, to know a text again. */
static uint64_t mixed(uint64_t hash, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
	return hash;
}

static uint64_t start_hash(const char *start)
{
	const uint64_t seed = UINT64_C(0xcbf29ce484222325);
	return start ? mixed(seed, start, strlen(start)) : seed;
}

static void xboard_hello(struct manager *m, struct string *out)
{
	m->board = (struct manager_board){ .features = 0 };
	string_addf(out, "xboard\nprotover 2\n");
	m->awaited = 1;
}

static void xboard_set(struct manager *m, const char *name, const char *value, struct string *out)
{
	(void)m;
	if (strcmp(name, "memory") == 0 || strcmp(name, "cores") == 0)
		string_addf(out, "%s %s\n", name, value);
	else
		string_addf(out, "option %s%s%s\n", name, *value ? "=" : "", value);
}

static void add_new_game(struct manager *m, struct string *out)
{
	struct manager_board *b = &m->board;
	string_addf(out, "new\neasy\npost\nforce\n");
	b->told_length = 0;
	b->told_hash = start_hash(NULL);
	b->playing = false;
	b->terms_told = false;
}

static void xboard_new_game(struct manager *m, const char *game, struct string *out)
{
	struct manager_board *b = &m->board;
	(void)game;
	for (int i = 0; i < FEATURES && !b->greeted; i++)
		if (b->said >> i & 1)
			string_addf(out, "%s %s\n", features[i].wanted ? "accepted" : "rejected",
				    features[i].name);
	b->greeted = true;
	add_new_game(m, out);
	m->awaited = b->features >> PING & 1;
	if (m->awaited)
		string_addf(out, "ping %d\n", ++b->pings);
}

/* ---- A question ---- */

/* How the question goes on from what was told; NULL: it does not. */
static const char *rest_of(const struct manager *m, const struct manager_question *q)
{
	const struct manager_board *b = &m->board;
	const size_t length = strlen(q->moves);
	if (length < b->told_length ||
	    mixed(start_hash(q->start), q->moves, b->told_length) != b->told_hash)
		return NULL;
	const char *rest = q->moves + b->told_length;
	if (!b->told_length || !*rest)
		return rest;
	return *rest == ' ' ? rest + 1 : NULL;
}

static void add_seconds(struct string *out, int64_t ms)
{
	string_addf(out, "%lld", (long long)(ms / 1000));
	if (ms % 1000)
		string_addf(out, ".%03d", (int)(ms % 1000));
}

/* Once in a game: seconds for each move, or a clock. A part of a second is a clock for one move. */
static void add_terms(struct manager_board *b, const struct manager_question *q, struct string *out)
{
	if (b->terms_told)
		return;
	b->terms_told = true;
	if (q->clocks) {
		const int64_t seconds = (q->left_ms[q->seat] + 999) / 1000;
		string_addf(out, "level 0 %lld:%02d ", (long long)(seconds > 0 ? seconds / 60 : 0),
			    (int)(seconds > 0 ? seconds % 60 : 1));
		add_seconds(out, q->added_ms[q->seat]);
		string_addf(out, "\n");
	} else if (q->time_ms && q->time_ms % 1000 == 0) {
		string_addf(out, "st %lld\n", (long long)(q->time_ms / 1000));
	} else if (q->time_ms) {
		const int64_t seconds = q->time_ms / 1000 + 1;
		string_addf(out, "level 1 %lld:%02d 0\n", (long long)(seconds / 60),
			    (int)(seconds % 60));
	}
	if (q->depth)
		string_addf(out, "sd %lld\n", (long long)q->depth);
}

static void add_clocks(const struct manager_question *q, struct string *out)
{
	const int64_t own = q->clocks ? q->left_ms[q->seat] : q->time_ms;
	const int64_t other = q->clocks ? q->left_ms[1 - q->seat] : q->time_ms;
	if (q->clocks || q->time_ms)
		string_addf(out, "time %lld\notim %lld\n", (long long)(own > 0 ? own / 10 : 0),
			    (long long)(other > 0 ? other / 10 : 0));
}

static void add_moves(const struct manager_board *b, const char *moves, struct string *out)
{
	while (*moves) {
		const size_t length = strcspn(moves, " ");
		string_addf(out, "%s%.*s\n", b->features >> USERMOVE & 1 ? "usermove " : "",
			    (int)length, moves);
		moves += length;
		moves += strspn(moves, " ");
	}
}

static void xboard_ask(struct manager *m, const struct manager_question *q, struct string *out)
{
	struct manager_board *b = &m->board;
	const char *rest = rest_of(m, q);
	const bool answers = rest && b->playing && *rest && !strchr(rest, ' ');
	if (!rest) {
		add_new_game(m, out);
		if (q->start)
			string_addf(out, "setboard %s\n", q->start);
		rest = q->moves;
	} else if (b->playing && !answers) {
		string_addf(out, "force\n");
	}
	if (!answers)
		add_moves(b, rest, out);
	add_terms(b, q, out);
	add_clocks(q, out);
	if (answers)
		add_moves(b, rest, out);
	else
		string_addf(out, "go\n");
	b->told_length = strlen(q->moves);
	b->told_hash = mixed(start_hash(q->start), q->moves, b->told_length);
	b->playing = true;
	m->asked = true;
	m->info = (struct manager_info){ 0 };
}

static void xboard_stop(struct manager *m, struct string *out)
{
	(void)m;
	string_addf(out, "?\n");
}

static void xboard_quit(struct manager *m, struct string *out)
{
	(void)m;
	string_addf(out, "quit\n");
}

/* ---- Its lines ---- */

static void take_feature(struct manager *m, const char *name, const char *value)
{
	struct manager_board *b = &m->board;
	for (int i = 0; i < FEATURES; i++)
		if (strcmp(features[i].name, name) == 0) {
			b->said |= 1u << i;
			b->features &= ~(1u << i);
			if (strcmp(value, "1") == 0 && features[i].wanted)
				b->features |= 1u << i;
		}
	if (strcmp(name, "myname") == 0)
		manager_take_name(m, value);
	if (strcmp(name, "done") == 0)
		m->slow = strcmp(value, "0") == 0;
}

/* NAME=VALUE NAME="VALUE WITH BLANKS" ...; READY at done=1. */
static enum manager_event read_features(struct manager *m, char *rest)
{
	bool done = false;
	while (*(rest = words_skip(rest))) {
		char *name = rest, *equals = name + strcspn(name, "= \t");
		if (*equals != '=')
			break;
		*equals = '\0';
		char *value = equals + 1;
		const bool quoted = *value == '"';
		value += quoted;
		char *end = value + strcspn(value, quoted ? "\"" : " \t");
		rest = *end ? end + 1 : end;
		*end = '\0';
		take_feature(m, name, value);
		done |= strcmp(name, "done") == 0 && strcmp(value, "1") == 0;
	}
	if (!done || !m->awaited || m->board.greeted)
		return MANAGER_QUIET;
	m->awaited = 0;
	return MANAGER_READY;
}

static int32_t score_of(int64_t claimed, bool *proven)
{
	const int64_t size = claimed < 0 ? -claimed : claimed;
	*proven = size > MATE && size <= MATE + QV_MAX_LINE;
	if (!*proven)
		return (int32_t)(claimed > QV_MAX_EVAL	  ? QV_MAX_EVAL
				 : claimed < -QV_MAX_EVAL ? -QV_MAX_EVAL
							  : claimed);
	const int64_t moves = size - MATE;
	return (int32_t)(claimed > 0 ? QV_WIN - (2 * moves - 1) : 2 * moves - QV_WIN);
}

/* PLY SCORE TIME NODES ... PV, where a tab stands before the line if there are more numbers. */
static enum manager_event read_thinking(struct manager *m, char *line)
{
	int64_t numbers[4];
	char *tab = strchr(line, '\t'), *rest = line;
	for (int i = 0; i < 4; i++) {
		char *word = words_next(&rest);
		const size_t length = strlen(word);
		if (i == 0 && length > 1 && strchr(".&+-", word[length - 1]))
			word[length - 1] = '\0';
		if (!manager_number(word, INT64_MAX, &numbers[i]))
			return MANAGER_QUIET;
	}
	m->info.depth = (int)(numbers[0] < 0 ? 0 : numbers[0] < INT32_MAX ? numbers[0] : INT32_MAX);
	m->info.score = score_of(numbers[1], &m->info.proven);
	m->info.nodes = numbers[3] > 0 ? (uint64_t)numbers[3] : 0;
	if (tab && tab + 1 > rest)
		rest = words_skip(tab + 1);
	manager_take_pv(m, rest);
	return MANAGER_INFO;
}

static enum manager_event take_move(struct manager *m, const char *text)
{
	struct manager_board *b = &m->board;
	if (!m->asked)
		return MANAGER_QUIET;
	manager_take_move(m, text);
	m->asked = false;
	/* So it will stand in the next question, unless it is written otherwise. */
	if (b->told_length) {
		b->told_hash = mixed(b->told_hash, " ", 1);
		b->told_length++;
	}
	b->told_hash = mixed(b->told_hash, m->move, strlen(m->move));
	b->told_length += strlen(m->move);
	return MANAGER_MOVE;
}

static enum manager_event take_pong(struct manager *m, const char *word)
{
	int64_t number;
	if (!m->awaited || !manager_number(word, INT32_MAX, &number) || number != m->board.pings)
		return MANAGER_QUIET;
	m->awaited = 0;
	return MANAGER_READY;
}

/* My move is: e2e4, as old engines have it. */
static const char *old_move(char *rest)
{
	if (strcmp(words_next(&rest), "move") != 0)
		return NULL;
	const char *word = words_next(&rest);
	if (strcmp(word, "is") == 0)
		word = words_next(&rest);
	else if (strcmp(word, "is:") != 0)
		return NULL;
	else
		return words_next(&rest);
	return strcmp(word, ":") == 0 ? words_next(&rest) : word;
}

/*
 * Whether a complaint is of a move: some call every command that they do not know an illegal move.
 */
static bool names_move(const char *line)
{
	const char *colon = strrchr(line, ':');
	if (!colon)
		return false;
	const char *text = colon + 1 + strspn(colon + 1, " ");
	if (strncmp(text, "usermove ", 9) == 0)
		text += 9;
	return !strchr(text, ' ') && (strpbrk(text, "12345678") || strstr(text, "-"));
}

static enum manager_event refused(struct manager *m, const char *line)
{
	if (!m->asked || !names_move(line))
		return MANAGER_QUIET;
	qv_fail(&m->error, QV_ILLEGAL, "%.100s", line);
	return MANAGER_REFUSED;
}

static enum manager_event resigns(struct manager *m)
{
	if (!m->asked)
		return MANAGER_QUIET;
	m->asked = false;
	m->board.playing = false;
	return MANAGER_RESIGNS;
}

static enum manager_event xboard_line(struct manager *m, char *line, size_t length)
{
	if (strlen(line) != length)
		return MANAGER_QUIET;
	if (strncmp(line, "Illegal move", 12) == 0 || strncmp(line, "Invalid move", 12) == 0)
		return refused(m, line);
	if ((strncmp(line, "1-0", 3) == 0 || strncmp(line, "0-1", 3) == 0) &&
	    strstr(line, "resign"))
		return resigns(m);
	char *rest = words_skip(line);
	if (*rest >= '0' && *rest <= '9')
		return m->asked ? read_thinking(m, rest) : MANAGER_QUIET;
	const char *word = words_next(&rest);
	if (strcmp(word, "feature") == 0)
		return read_features(m, rest);
	if (strcmp(word, "pong") == 0)
		return take_pong(m, words_next(&rest));
	if (strcmp(word, "move") == 0)
		return take_move(m, words_next(&rest));
	if (strcmp(word, "resign") == 0)
		return resigns(m);
	if (strcmp(word, "My") == 0 || strcmp(word, "my") == 0) {
		const char *move = old_move(rest);
		return move ? take_move(m, move) : MANAGER_QUIET;
	}
	return MANAGER_QUIET;
}

const struct manager_ops manager_xboard = {
	.name = "xboard",
	.separator = " ",
	.hello_done = "feature done=1",
	.new_game_done = "pong",
	.hello = xboard_hello,
	.set = xboard_set,
	.new_game = xboard_new_game,
	.ask = xboard_ask,
	.stop = xboard_stop,
	.quit = xboard_quit,
	.line = xboard_line,
	.two_seats = true,
	.no_nodes = true,
	.mute_ms = 2000,
};
