/*
 * gomocup_manager.c - the protocol of Gomocup and Piskvork for go-moku brains, the manager's side.
 * SPDX-License-Identifier: MIT
 *
 * A brain keeps the board. If a question adds one stone of the opponent to the position after the
 * brain's last move, the brain gets TURN. Otherwise it gets an empty board with START, and then
 * BEGIN, or BOARD with all stones; in renju they are in playing order, if that is known. A brain
 * that suggests its move is told to play it before the next question.
 */
#include "games/gomoku/rules.h"
#include "protocols/manager.h"
#include "protocols/words.h"

enum { DEFAULT_TURN_MS = 1000, NO_POINT = -1, UNLIMITED_MS = INT32_MAX };

/* Values of INFO rule. */
static const int rule_numbers[] = {
	[GOMOKU_FREESTYLE] = 0, [GOMOKU_EXACT] = 1, [GOMOKU_RENJU] = 4
};

/* The hash of the position after a stone, or before it: the same keys are exchanged. */
static uint64_t hash_with(uint64_t hash, int colour, int point)
{
	return hash ^ gomoku_key(colour * GOMOKU_POINTS + point) ^ gomoku_key(GOMOKU_KEY_TURN) ^
	       gomoku_key(GOMOKU_KEY_TURN + 1);
}

static void add_point(int size, int point, struct string *out)
{
	string_addf(out, "%d,%d", point % GOMOKU_SIDE, size - 1 - point / GOMOKU_SIDE);
}

/* ---- What is sent ---- */

/* A brain that does not know ABOUT answers, too. */
static void hello(struct manager *m, struct string *out)
{
	m->stones = (struct manager_stones){ .suggested = NO_POINT, .turn_ms = -1 };
	string_addf(out, "ABOUT\n");
	m->awaited = 1;
}

static void set(struct manager *m, const char *name, const char *value, struct string *out)
{
	(void)m;
	string_addf(out, "INFO %s %s\n", name, value);
}

static void add_start(struct manager *m, int size, int rule, struct string *out)
{
	m->stones.playing = false;
	m->stones.suggested = NO_POINT;
	m->stones.size = size;
	string_addf(out, "START %d\nINFO rule %d\nINFO game_type 1\n", size, rule_numbers[rule]);
}

/* Reads the game's options from its text, in which defaults are left out. */
static void new_game(struct manager *m, const char *game, struct string *out)
{
	const char *at = strstr(game, "size=");
	int64_t size = 15;
	if (at) {
		at += 5;
		scan_int(&at, GOMOKU_MIN_SIZE, GOMOKU_SIDE, &size);
	}
	add_start(m, (int)size,
		  strstr(game, "rule=exact")   ? GOMOKU_EXACT
		  : strstr(game, "rule=renju") ? GOMOKU_RENJU
					       : GOMOKU_FREESTYLE,
		  out);
	m->awaited = 1;
}

/* The time for a turn is sent when it changes, the time left before each move. */
static void add_times(struct manager *m, const struct manager_question *q, struct string *out)
{
	const int64_t left = q->clocks ? q->left_ms[q->seat] : UNLIMITED_MS;
	const int64_t turn = q->time_ms ? q->time_ms : q->clocks ? left : DEFAULT_TURN_MS;
	/* 0 would mean to play as fast as possible. */
	const int64_t sent = turn > 0 ? turn : 1;
	if (m->stones.turn_ms < 0)
		string_addf(out, "INFO timeout_match %lld\n", (long long)(q->clocks ? left : 0));
	if (sent != m->stones.turn_ms)
		string_addf(out, "INFO timeout_turn %lld\n", (long long)sent);
	m->stones.turn_ms = sent;
	string_addf(out, "INFO time_left %lld\n", (long long)left);
}

/* Reads the next move of the list, such as h8; NO_POINT at its end. */
static int next_point(const char **moves)
{
	*moves += strspn(*moves, " ");
	const int column = **moves - 'a';
	int64_t row;
	if (column < 0 || column >= GOMOKU_SIDE)
		return NO_POINT;
	const char *at = *moves + 1;
	if (!scan_int(&at, 1, GOMOKU_SIDE, &row))
		return NO_POINT;
	*moves = at;
	return gomoku_point((int)row - 1, column);
}

static void add_stone(const struct gomoku *board, int point, struct string *out)
{
	add_point(board->size, point, out);
	string_addf(out, ",%d\n", gomoku_has_stone(board, board->turn, point) ? 1 : 2);
}

/* Stones that were there before the moves come first, from which nobody knows their order. */
static void add_board(const struct gomoku *board, const char *moves, struct string *out)
{
	bool moved[GOMOKU_POINTS] = { false };
	int point;
	const char *at = moves;
	while ((point = next_point(&at)) != NO_POINT)
		moved[point] = true;
	string_addf(out, "BOARD\n");
	for (point = 0; point < GOMOKU_POINTS; point++)
		if (!moved[point] &&
		    (gomoku_has_stone(board, 0, point) || gomoku_has_stone(board, 1, point)))
			add_stone(board, point, out);
	for (at = moves; (point = next_point(&at)) != NO_POINT;)
		add_stone(board, point, out);
	string_addf(out, "DONE\n");
}

static void ask(struct manager *m, const struct manager_question *q, struct string *out)
{
	const struct gomoku *board = q->state;
	struct manager_stones *s = &m->stones;
	int last = NO_POINT, point;
	for (const char *at = q->moves; (point = next_point(&at)) != NO_POINT;)
		last = point;
	const bool goes_on = s->playing && last != NO_POINT &&
			     hash_with(board->hash, 1 - board->turn, last) == s->hash;
	m->awaited = 0;
	if (!goes_on && s->playing) {
		add_start(m, board->size, board->rule, out);
	} else if (goes_on && s->suggested != NO_POINT) {
		string_addf(out, "PLAY ");
		add_point(s->size, s->suggested, out);
		string_addf(out, "\n");
		m->awaited = 1; /* it repeats the point */
	}
	add_times(m, q, out);
	if (goes_on) {
		string_addf(out, "TURN ");
		add_point(s->size, last, out);
		string_addf(out, "\n");
	} else if (board->count) {
		add_board(board, q->moves, out);
	} else {
		string_addf(out, "BEGIN\n");
	}
	s->hash = board->hash;
	s->turn = board->turn;
	s->playing = true;
	manager_await_move(m);
}

/* The protocol has no command for it: the brain answers when its time is over. */
static void stop(struct manager *m, struct string *out)
{
	(void)m, (void)out;
}

static void quit(struct manager *m, struct string *out)
{
	(void)m;
	string_addf(out, "END\n");
}

/* ---- The brain's lines ---- */

/* Reads x,y up to the end of the line; NO_POINT: it is something else. */
static int read_point(int size, const char *text)
{
	int64_t x, y;
	if (!scan_int(&text, 0, size - 1, &x))
		return NO_POINT;
	text += strspn(text, " ");
	if (!scan_literal(&text, ","))
		return NO_POINT;
	text += strspn(text, " ");
	if (!scan_int(&text, 0, size - 1, &y) || *text)
		return NO_POINT;
	return gomoku_point(size - 1 - (int)y, (int)x);
}

/* A point that is not on the board is passed on as it is; it is not a legal move then. */
static enum manager_event take_point(struct manager *m, const char *text, bool suggests)
{
	struct manager_stones *s = &m->stones;
	const int point = read_point(s->size, text);
	char move[16];
	if (point == NO_POINT)
		return manager_take_move(m, text);
	if (m->awaited) {
		m->awaited = 0;
		if (point == s->suggested) {
			s->suggested = NO_POINT;
			return MANAGER_QUIET;
		}
		qv_fail(&m->error, QV_BAD_INPUT, "'%.100s' is the answer to another PLAY", text);
		return MANAGER_GARBAGE;
	}
	s->suggested = suggests ? point : NO_POINT;
	s->hash = hash_with(s->hash, s->turn, point);
	snprintf(move, sizeof move, "%c%d", 'a' + point % GOMOKU_SIDE, point / GOMOKU_SIDE + 1);
	return manager_take_move(m, move);
}

/* name="X", version="1.0"; old brains answer with any text. */
static void take_about(struct manager *m, const char *line)
{
	const char *name = strstr(line, "name=\"");
	char text[64];
	if (!name)
		return;
	snprintf(text, sizeof text, "%.*s", (int)strcspn(name + 6, "\""), name + 6);
	manager_take_name(m, text);
}

/* Lines that are nothing of the protocol are ignored: brains print much. */
static enum manager_event take_line(struct manager *m, char *line, size_t length)
{
	if (strlen(line) != length)
		return MANAGER_QUIET;
	char *rest = words_trim(line);
	char whole[200];
	snprintf(whole, sizeof whole, "%s", rest);
	const bool is_point = is_digit(*rest) || *rest == '-';
	const char *word = is_point ? "" : words_next(&rest);
	if (strcmp(word, "MESSAGE") == 0 || strcmp(word, "DEBUG") == 0 || !*whole)
		return MANAGER_QUIET;
	const bool refuses = strcmp(word, "ERROR") == 0 || strcmp(word, "UNKNOWN") == 0;
	if (m->awaited && !m->asked && !m->stones.size) {
		take_about(m, whole);
		return manager_ready(m);
	}
	if (refuses) {
		qv_fail(&m->error, QV_BAD_INPUT, "%.150s", whole);
		return MANAGER_REFUSED;
	}
	if (!m->asked)
		return strcmp(word, "OK") == 0 ? manager_ready(m) : MANAGER_QUIET;
	if (strcmp(word, "SUGGEST") == 0)
		return take_point(m, rest, true);
	return is_point ? take_point(m, rest, false) : MANAGER_QUIET;
}

/* The choice of colours is no move of a brain. */
static enum qv_status fits(const struct qv_rules *rules, struct qv_error *error)
{
	if (strcmp(rules->game->name, "gomoku") != 0)
		return qv_fail(error, QV_UNSUPPORTED,
			       "protocol gomocup: only gomoku fits it, not %.40s",
			       rules->game->name);
	if (rules->options[GOMOKU_OPTION_OPENING])
		return qv_fail(error, QV_UNSUPPORTED,
			       "player gomocup: not available with opening=swap2");
	return QV_OK;
}

const struct manager_ops manager_gomocup = {
	.name = "gomocup",
	.separator = " ",
	.hello_done = "the answer to ABOUT",
	.new_game_done = "OK",
	.hello = hello,
	.set = set,
	.new_game = new_game,
	.ask = ask,
	.stop = stop,
	.quit = quit,
	.line = take_line,
	.two_seats = true,
	.no_nodes = true,
	.no_depth = true,
	.fits = fits,
};
