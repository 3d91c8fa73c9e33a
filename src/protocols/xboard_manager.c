/*
 * xboard_manager.c - the XBoard protocol (CECP 2), the manager's side.
 * SPDX-License-Identifier: MIT
 *
 * The engine keeps the game: it gets the opponent's moves one by one and answers without being
 * asked. The manager stores a hash of the moves that it has sent. If a question does not continue
 * them, it starts a new game and sends all moves. The engine never ponders.
 */
#include "protocols/manager.h"

#include "formats/chess960.h"
#include "protocols/words.h"

enum { MATE = 100000 }; /* a score of MATE + N is a mate in N moves */

/* Features that an engine may announce; those that are not wanted are rejected. */
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

/* FNV-1a: continues the hash of a text. */
static uint64_t mixed(uint64_t hash, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
	return hash;
}

/* The hash begins with the position, so that another start is another game. */
static uint64_t start_hash(const char *start)
{
	const uint64_t seed = UINT64_C(0xcbf29ce484222325);
	return start ? mixed(seed, start, strlen(start)) : seed;
}

/* The engine has two seconds to name its features (mute_ms): old engines do not answer. */
static void xboard_hello(struct manager *m, struct string *out)
{
	m->board = (struct manager_board){ .features = 0 };
	string_addf(out, "xboard\nprotover 2\n");
	m->awaited = 1;
}

/* memory and cores are commands; everything else is an option that the engine has announced. */
static void xboard_set(struct manager *m, const char *name, const char *value, struct string *out)
{
	(void)m;
	if (strcmp(name, "memory") == 0 || strcmp(name, "cores") == 0)
		string_addf(out, "%s %s\n", name, value);
	else
		string_addf(out, "option %s%s%s\n", name, *value ? "=" : "", value);
}

/*
 * `new` makes the engine play Black and start its clock, so `force` follows at once. `easy`
 * switches pondering off.
 */
static void add_new_game(struct manager *m, struct string *out)
{
	struct manager_board *b = &m->board;
	string_addf(out, "new\n%seasy\npost\nforce\n", b->is_960 ? "variant fischerandom\n" : "");
	b->told_length = 0;
	b->told_hash = start_hash(NULL);
	b->playing = b->terms_told = false;
}

/* The first game also answers the features that the engine has announced. */
static void xboard_new_game(struct manager *m, const char *game, struct string *out)
{
	struct manager_board *b = &m->board;
	b->is_960 = strncmp(game, CHESS960_RULES, strlen(CHESS960_RULES)) == 0;
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

/*
 * Sends the time control once in each stage of it, and the clocks with each question. A time for
 * each move that is not in whole seconds is sent as a clock for one move.
 */
static void add_times(struct manager_board *b, const struct manager_question *q, struct string *out)
{
	const int64_t own = q->clocks ? q->left_ms[q->seat] : q->time_ms;
	const int64_t other = q->clocks ? q->left_ms[1 - q->seat] : q->time_ms;
	const int64_t added = q->added_ms[q->seat];
	const bool first = !b->terms_told || q->stage != b->stage_told;
	b->terms_told = true;
	b->stage_told = q->stage;
	if (first && q->clocks) {
		const int64_t seconds = (own + 999) / 1000;
		string_addf(out, "level %d %lld:%02d %lld", q->moves_to_go,
			    (long long)(seconds > 0 ? seconds / 60 : 0),
			    (int)(seconds > 0 ? seconds % 60 : 1), (long long)(added / 1000));
		if (added % 1000)
			string_addf(out, ".%03d", (int)(added % 1000));
		string_addf(out, "\n");
	} else if (first && q->time_ms && q->time_ms % 1000 == 0) {
		string_addf(out, "st %lld\n", (long long)(q->time_ms / 1000));
	} else if (first && q->time_ms) {
		const int64_t seconds = q->time_ms / 1000 + 1;
		string_addf(out, "level 1 %lld:%02d 0\n", (long long)(seconds / 60),
			    (int)(seconds % 60));
	}
	if (first && q->depth)
		string_addf(out, "sd %lld\n", (long long)q->depth);
	if (q->clocks || q->time_ms)
		string_addf(out, "time %lld\notim %lld\n", (long long)(own > 0 ? own / 10 : 0),
			    (long long)(other > 0 ? other / 10 : 0));
}

/* Engines without the feature usermove expect bare moves. */
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

/*
 * If just one move was added to the game that the engine plays, the move alone makes it answer.
 * Otherwise it is stopped with `force`, gets the moves, and starts with `go`.
 */
static void xboard_ask(struct manager *m, const struct manager_question *q, struct string *out)
{
	struct manager_board *b = &m->board;
	/* The moves that it has not been sent; NULL: the question does not continue the game. */
	const char *rest = q->moves + b->told_length;
	if (strlen(q->moves) < b->told_length ||
	    mixed(start_hash(q->start), q->moves, b->told_length) != b->told_hash)
		rest = NULL;
	else if (b->told_length && *rest)
		rest = *rest == ' ' ? rest + 1 : NULL;
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
	add_times(b, q, out);
	if (answers)
		add_moves(b, rest, out);
	else
		string_addf(out, "go\n");
	b->told_length = strlen(q->moves);
	b->told_hash = mixed(start_hash(q->start), q->moves, b->told_length);
	b->playing = true;
	manager_await_move(m);
}

/* Move now. */
static void xboard_stop(struct manager *m, struct string *out)
{
	(void)m;
	string_addf(out, "?\n");
}

/* ---- The engine's lines ---- */

/* NAME=VALUE NAME="VALUE WITH BLANKS" ...; READY at done=1. */
static enum manager_event read_features(struct manager *m, char *rest)
{
	struct manager_board *b = &m->board;
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
		for (int i = 0; i < FEATURES; i++)
			if (strcmp(features[i].name, name) == 0) {
				const bool on = strcmp(value, "1") == 0 && features[i].wanted;
				b->said |= 1u << i;
				b->features = (b->features & ~(1u << i)) | (unsigned)on << i;
			}
		if (strcmp(name, "myname") == 0)
			manager_take_name(m, value);
		if (strcmp(name, "variants") == 0)
			b->plays_960 = strstr(value, "fischerandom") != NULL;
		if (strcmp(name, "done") == 0) {
			m->slow = strcmp(value, "0") == 0;
			done |= strcmp(value, "1") == 0;
		}
	}
	return done && !b->greeted ? manager_ready(m) : MANAGER_QUIET;
}

static int64_t clamp(int64_t number, int64_t min, int64_t max)
{
	return number < min ? min : number > max ? max : number;
}

/*
 * PLY SCORE TIME NODES ... PV; if there are more numbers, a tab stands before the line. A line that
 * ends with ! or ? is of a search that failed high or low.
 */
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
	const struct manager_info before = m->info;
	const char *end = words_trim(rest);
	const char last = *end ? end[strlen(end) - 1] : ' ';
	int64_t score = numbers[1];
	const int64_t moves = (score < 0 ? -score : score) - MATE; /* to a mate */
	m->info.depth = (int)clamp(numbers[0], 0, INT32_MAX);
	m->info.proven = moves > 0 && moves <= QV_MAX_LINE;
	if (!m->info.proven)
		score = clamp(score, -QV_MAX_EVAL, QV_MAX_EVAL);
	else
		score = score > 0 ? QV_WIN - (2 * moves - 1) : 2 * moves - QV_WIN;
	m->info.score = (int32_t)score;
	m->info.exact = true;
	m->info.bound = 0;
	if (last == '!' || last == '?')
		manager_take_bound(m, last == '!' ? 1 : -1);
	m->info.nodes = (uint64_t)clamp(numbers[3], 0, INT64_MAX);
	if (tab && tab + 1 > rest)
		rest = words_skip(tab + 1);
	manager_take_pv(m, rest);
	return manager_informed(m, &before);
}

/* Stores the move, and appends it to the moves that the next question should begin with. */
static enum manager_event take_move(struct manager *m, const char *text)
{
	struct manager_board *b = &m->board;
	if (!m->asked)
		return MANAGER_QUIET;
	manager_take_move(m, text);
	if (b->told_length) {
		b->told_hash = mixed(b->told_hash, " ", 1);
		b->told_length++;
	}
	b->told_hash = mixed(b->told_hash, m->move, strlen(m->move));
	b->told_length += strlen(m->move);
	return MANAGER_MOVE;
}

/* The move of "My move is: e2e4", as old engines write it; NULL: it is another line. */
static const char *old_move(char *rest)
{
	const bool begins = strcmp(words_next(&rest), "move") == 0;
	const char *word = words_next(&rest);
	if (!begins || (strcmp(word, "is") != 0 && strcmp(word, "is:") != 0))
		return NULL;
	const bool colon = word[2] == ':';
	word = words_next(&rest);
	return !colon && strcmp(word, ":") == 0 ? words_next(&rest) : word;
}

/*
 * The engine reports an illegal move. Only a report that names a move counts, because some engines
 * call every command that they do not know an illegal move.
 */
static enum manager_event refused(struct manager *m, const char *line)
{
	const char *text = strrchr(line, ':');
	if (!m->asked || !text)
		return MANAGER_QUIET;
	text += 1 + strspn(text + 1, " ");
	if (strncmp(text, "usermove ", 9) == 0)
		text += 9;
	if (strchr(text, ' ') || !strpbrk(text, "12345678-"))
		return MANAGER_QUIET;
	qv_fail(&m->error, QV_ILLEGAL, "%.100s", line);
	return MANAGER_REFUSED;
}

/* Some engines print `resign`, others the result with a comment. */
static enum manager_event resigns(struct manager *m)
{
	if (!m->asked)
		return MANAGER_QUIET;
	m->asked = false;
	m->board.playing = false;
	return MANAGER_RESIGNS;
}

/*
 * Engines print much that the protocol does not have, such as debug output, so unknown lines are
 * ignored.
 */
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
	if (is_digit(*rest))
		return m->asked ? read_thinking(m, rest) : MANAGER_QUIET;
	const char *word = words_next(&rest);
	if (strcmp(word, "feature") == 0)
		return read_features(m, rest);
	int64_t pong;
	if (strcmp(word, "pong") == 0 && m->board.is_960 && !m->board.plays_960) {
		qv_fail(&m->error, QV_UNSUPPORTED,
			"it does not play Chess960: its feature "
			"variants lacks fischerandom");
		return MANAGER_REFUSED;
	}
	if (strcmp(word, "pong") == 0 && manager_number(words_next(&rest), INT32_MAX, &pong))
		return pong == m->board.pings ? manager_ready(m) : MANAGER_QUIET;
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
	.quit = manager_quit,
	.line = xboard_line,
	.castling_words = true,
	.two_seats = true,
	.no_nodes = true,
	.mute_ms = 2000,
};
