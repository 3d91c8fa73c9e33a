/*
 * gomocup.c - the protocol of Gomocup and Piskvork for go-moku brains, the engine's side.
 * SPDX-License-Identifier: MIT
 *
 * A point is `x,y` from 0; x is the column, and y counts from the top row. The manager keeps the
 * clock and sends what is left of it as INFO, which is never answered. Every other command gets one
 * answer, before which MESSAGE and DEBUG lines may come: OK, points, SWAP, SUGGEST, ERROR for what
 * cannot be done and UNKNOWN for what is not a command. After an ERROR the board is as it was, but
 * a stone that ends the game stays.
 *
 * INFO with impossible rules or too little memory is reported by the next command that asks for a
 * move: the answer is an ERROR until the manager sends something else. Other values that cannot be
 * read are ignored; a MESSAGE says so.
 *
 * During a search all lines wait for its answer, except END. START, RECTSTART and RESTART also stop
 * the search.
 */
#include <stdatomic.h>

#include "base/clock.h"
#include "games/gomoku/rules.h"
#include "protocols/engine.h"

#define NOT_SENT INT64_MIN /* of a number that INFO may send */

enum {
	MARGIN_MS = 50,		  /* of each turn, for all that is not searching */
	UNLIMITED_MS = INT32_MAX, /* time_left of a match without a limit */
	MEMORY_LEAST = 16 << 20,  /* bytes besides the hash table */
	RULE_EXACT = 1,
	RULE_RENJU = 4 /* values of INFO rule; 0 is freestyle */
};

/* The command whose list of stones is being read. */
enum reading { READING_NONE, READING_BOARD, READING_SWAP2 };

/* A line of BOARD or SWAP2BOARD. */
struct stone {
	int16_t point;
	int8_t field; /* 1: own; 2: the opponent's; 0 in SWAP2BOARD */
};

struct gomocup {
	atomic_bool ended; /* END came: nothing may be printed any more */
	bool started;
	int first_rule; /* enum gomoku_rule, unless INFO rule was sent */
	int64_t first_hash_mb, openings;
	int64_t rule, memory, turn_ms, match_ms, left_ms; /* as sent, or NOT_SENT */
	int64_t suggest;				  /* 1: answer SUGGEST, and wait for PLAY */
	int64_t used_us;				  /* of this match, in own turns */
	struct qv_error ignored; /* what the next MESSAGE reports; "": nothing */

	enum reading reading;
	struct stone stones[GOMOKU_POINTS];
	int count;
	struct qv_error fault; /* of the list; "": none */
	bool chooses;	       /* the search decides whether to swap */
};

static struct gomocup *gomocup_of(const struct connection *c)
{
	return c->own;
}

static const struct gomoku *board_of(const struct connection *c)
{
	return engine_state(&c->engine);
}

static enum next_step refuse(struct string *out, const struct qv_error *error)
{
	string_addf(out, "ERROR %s\n", error->text);
	return NEXT_LINE;
}

#define REFUSE(out, ...)                                   \
	do {                                               \
		struct qv_error why_;                      \
		qv_fail(&why_, QV_BAD_INPUT, __VA_ARGS__); \
		return refuse(out, &why_);                 \
	} while (0)

static enum next_step ok(struct string *out)
{
	string_addf(out, "OK\n");
	return NEXT_LINE;
}

/* ---- Points ---- */

/* A number, with blanks before and after it. */
static bool read_number(const char **text, int64_t *out)
{
	*text += strspn(*text, " \t");
	if (!scan_int(text, INT32_MIN, INT32_MAX, out))
		return false;
	*text += strspn(*text, " \t");
	return true;
}

/* Reads `x,y`. The error does not name the command. */
static bool read_point(const struct connection *c, const char **text, int *point,
		       struct qv_error *error)
{
	const int size = board_of(c)->size;
	const char *at = *text;
	int64_t x, y;
	if (!read_number(&at, &x) || !scan_literal(&at, ",") || !read_number(&at, &y)) {
		qv_fail(error, QV_BAD_INPUT, "'%.40s': expected X,Y", *text);
		return false;
	}
	if (x < 0 || x >= size || y < 0 || y >= size) {
		qv_fail(error, QV_BAD_INPUT, "%lld,%lld is not on the board of size %d",
			(long long)x, (long long)y, size);
		return false;
	}
	*text = at;
	*point = gomoku_point(size - 1 - (int)y, (int)x);
	return true;
}

/* The same, up to the end of the line. */
static bool read_only_point(const struct connection *c, const char *text, int *point,
			    struct qv_error *error)
{
	const char *at = text;
	if (!read_point(c, &at, point, error))
		return false;
	if (*at)
		qv_fail(error, QV_BAD_INPUT, "'%.40s': expected X,Y and nothing else", text);
	return !*at;
}

static void add_point(const struct connection *c, int point, struct string *out)
{
	string_addf(out, "%d,%d", point % GOMOKU_SIDE, board_of(c)->size - 1 - point / GOMOKU_SIDE);
}

/* Plays a stone of the side to move. */
static enum qv_status play(struct connection *c, int point, struct qv_error *error)
{
	const struct move_text text = move_text(c->engine.rules.game, board_of(c), (qv_move)point);
	return engine_play(&c->engine, text.text, error);
}

/* ---- The board ---- */

/* Sets up a board, of which only size, stones and turn count. */
static enum qv_status set_board(struct connection *c, const struct gomoku *board,
				struct qv_error *error)
{
	char text[QV_POSITION_TEXT] = "";
	gomoku_position_text(board, &(struct qv_text){ text, sizeof text, 0 });
	return engine_position(&c->engine, text, error);
}

/* The rule that the manager asked for; -1: there is no such rule. */
static int wanted_rule(const struct gomocup *g)
{
	return g->rule == NOT_SENT     ? g->first_rule
	       : g->rule == 0	       ? GOMOKU_FREESTYLE
	       : g->rule == RULE_EXACT ? GOMOKU_EXACT
	       : g->rule == RULE_RENJU ? GOMOKU_RENJU
				       : -1;
}

/* Starts a game of the size by the wanted rule. */
static enum qv_status new_game(struct connection *c, int size, struct qv_error *error)
{
	struct qv_rules rules = c->engine.rules;
	const int rule = wanted_rule(gomocup_of(c));
	char game[256] = "";
	rules.options[GOMOKU_OPTION_SIZE] = size;
	rules.options[GOMOKU_OPTION_OPENING] = 0;
	if (rule >= 0)
		rules.options[GOMOKU_OPTION_RULE] = rule;
	qv_rules_text(&rules, &(struct qv_text){ game, sizeof game, 0 });
	return engine_new_game(&c->engine, game, error);
}

/* The rule may be sent at any time: keeps the stones. */
static enum qv_status follow_rule(struct connection *c, struct qv_error *error)
{
	const struct gomoku before = *board_of(c);
	if (before.rule == wanted_rule(gomocup_of(c)))
		return QV_OK;
	const enum qv_status status = new_game(c, before.size, error);
	return status == QV_OK && before.count ? set_board(c, &before, error) : status;
}

/*
 * Whether a command that asks for a move can be obeyed; false: refused. Reports what was wrong with
 * INFO, as nothing may be printed when that comes.
 */
static bool is_ready(struct connection *c, struct string *out)
{
	struct gomocup *g = gomocup_of(c);
	struct qv_error error = { "" };
	if (g->ignored.text[0])
		string_addf(out, "MESSAGE %s\n", g->ignored.text);
	g->ignored.text[0] = '\0';
	if (!g->started)
		qv_fail(&error, QV_ILLEGAL, "START must come first");
	else if (wanted_rule(g) < 0)
		qv_fail(&error, QV_UNSUPPORTED,
			"INFO rule %lld: expected 0, 1 or 4; continuous games and caro are not "
			"supported",
			(long long)g->rule);
	else if (g->memory > 0 && g->memory < MEMORY_LEAST)
		qv_fail(&error, QV_UNSUPPORTED, "INFO max_memory %lld: at least %d are needed",
			(long long)g->memory, MEMORY_LEAST);
	else if (follow_rule(c, &error) == QV_OK)
		return true;
	refuse(out, &error);
	return false;
}

/* ---- Searching ---- */

/*
 * The time of a turn, less a margin, and a share of the time left. A turn of 0 ms means to play as
 * fast as possible. Without any limit a move takes as long as in the other protocols.
 */
static enum next_step go(struct connection *c, bool chooses, struct string *out)
{
	struct gomocup *g = gomocup_of(c);
	struct engine_limits limits = { 0 };
	struct qv_error error;
	const int seat = gomoku_seat(board_of(c));
	g->chooses = chooses;
	if (g->turn_ms > 0) {
		limits.time_ms =
			g->turn_ms - (g->turn_ms < 2 * MARGIN_MS ? g->turn_ms / 2 : MARGIN_MS);
	} else if (g->turn_ms == 0) {
		limits.depth = 1;
		limits.time_ms = MARGIN_MS;
	}
	/* time_left counts; before it was sent, the time of the match less what was used. */
	limits.clocks = g->left_ms != NOT_SENT ? g->left_ms < UNLIMITED_MS : g->match_ms > 0;
	limits.left_ms[seat] =
		g->left_ms != NOT_SENT ? g->left_ms : g->match_ms - g->used_us / 1000;
	if (engine_go(&c->engine, &limits, &error) != QV_OK)
		return refuse(out, &error);
	return connection_begin(c);
}

/* What a search has found, after MESSAGE or DEBUG. */
static void add_findings(struct connection *c, const struct qv_answer *a, struct string *out)
{
	const struct engine_session *e = &c->engine;
	const struct qv_game *game = e->rules.game;
	string_addf(out, "depth %d", a->depth);
	if (a->score > QV_MAX_EVAL)
		string_addf(out, " win in %d", QV_WIN - a->score);
	else if (a->score < -QV_MAX_EVAL)
		string_addf(out, " loss in %d", QV_WIN + a->score);
	else
		string_addf(out, " score %d", a->score);
	string_addf(out, " nodes %llu", (unsigned long long)a->nodes);
	if (!c->no_times)
		string_addf(out, " time %lld", (long long)(a->seconds * 1000));
	string_addf(out, " line");
	memcpy(e->scratch, engine_state(e), game->state_size);
	for (int i = 0; i < a->line_length && qv_move_legal(game, e->scratch, a->line[i]); i++) {
		string_addf(out, " ");
		add_point(c, (int)a->line[i], out);
		game->play(e->scratch, a->line[i]);
	}
	string_addf(out, "\n");
}

static void gomocup_info(struct connection *c, int line, const struct qv_answer *so_far,
			 struct string *out)
{
	(void)line;
	if (atomic_load(&gomocup_of(c)->ended))
		return;
	string_addf(out, "DEBUG ");
	add_findings(c, so_far, out);
}

/*
 * In swap2 the side to move is White; whoever finds that White is behind takes Black. A suggestion
 * changes nothing until PLAY comes.
 */
static void gomocup_answer(struct connection *c, struct string *out)
{
	struct gomocup *g = gomocup_of(c);
	const struct engine_session *e = &c->engine;
	struct qv_error error = e->error;
	enum qv_status status = e->status == QV_STOPPED ? QV_OK : e->status;
	const bool suggests = g->suggest == 1 && !g->chooses;
	const bool swaps = g->chooses && e->answer.score < 0;
	const int point = (int)e->answer.move;
	g->used_us += clock_us() - c->began_us;
	if (atomic_load(&g->ended))
		return;
	if (status == QV_OK && e->answer.depth)
		string_addf(out, "MESSAGE "), add_findings(c, &e->answer, out);
	if (status == QV_OK && !suggests && !swaps)
		status = play(c, point, &error);
	if (status != QV_OK) {
		refuse(out, &error);
	} else if (swaps) {
		string_addf(out, "SWAP\n");
	} else {
		string_addf(out, suggests ? "SUGGEST " : "");
		add_point(c, point, out);
		string_addf(out, "\n");
	}
}

/* ---- Commands ---- */

static enum next_step start(struct connection *c, int64_t size, struct string *out)
{
	struct gomocup *g = gomocup_of(c);
	struct qv_error error;
	if (size < GOMOKU_MIN_SIZE || size > GOMOKU_SIDE)
		REFUSE(out, "size %lld: expected %d to %d", (long long)size, GOMOKU_MIN_SIZE,
		       GOMOKU_SIDE);
	/* Make the player now: the time for a turn does not include START. */
	if (new_game(c, (int)size, &error) != QV_OK || engine_ready(&c->engine, &error) != QV_OK)
		return refuse(out, &error);
	g->started = true;
	g->used_us = 0;
	return ok(out);
}

static enum next_step on_start(struct connection *c, const char *rest, struct string *out)
{
	int64_t size;
	if (!text_to_int(rest, INT32_MIN, INT32_MAX, &size))
		REFUSE(out, "START '%.40s': expected a size", rest);
	return start(c, size, out);
}

static enum next_step on_rect_start(struct connection *c, const char *rest, struct string *out)
{
	const char *at = rest;
	int64_t width, height;
	if (!read_number(&at, &width) || !scan_literal(&at, ",") || !read_number(&at, &height) ||
	    *at)
		REFUSE(out, "RECTSTART '%.40s': expected WIDTH,HEIGHT", rest);
	if (width != height)
		REFUSE(out, "RECTSTART %lld,%lld: only square boards are supported",
		       (long long)width, (long long)height);
	return start(c, width, out);
}

static enum next_step on_restart(struct connection *c, const char *rest, struct string *out)
{
	(void)rest;
	if (!gomocup_of(c)->started)
		REFUSE(out, "START must come first");
	return start(c, board_of(c)->size, out);
}

static enum next_step on_begin(struct connection *c, const char *rest, struct string *out)
{
	(void)rest;
	if (!is_ready(c, out))
		return NEXT_LINE;
	if (board_of(c)->count)
		REFUSE(out, "BEGIN: the board is not empty; send RESTART first");
	return go(c, false, out);
}

static enum next_step on_turn(struct connection *c, const char *rest, struct string *out)
{
	struct qv_error error;
	int point;
	if (!is_ready(c, out))
		return NEXT_LINE;
	if (!read_only_point(c, rest, &point, &error) || play(c, point, &error) != QV_OK)
		return refuse(out, &error);
	const enum next_step next = go(c, false, out);
	if (next != NEXT_THINK && !engine_over(&c->engine))
		engine_undo(&c->engine, 1, NULL);
	return next;
}

static enum next_step on_play(struct connection *c, const char *rest, struct string *out)
{
	struct qv_error error;
	int point;
	if (!is_ready(c, out))
		return NEXT_LINE;
	if (!read_only_point(c, rest, &point, &error) || play(c, point, &error) != QV_OK)
		return refuse(out, &error);
	add_point(c, point, out);
	string_addf(out, "\n");
	return NEXT_LINE;
}

/*
 * After BOARD the order of the moves need not be known, so any stone is removed whose removal leaves
 * a position of a game.
 */
static enum next_step on_take_back(struct connection *c, const char *rest, struct string *out)
{
	struct gomoku board = *board_of(c);
	struct qv_error error;
	int point;
	if (!gomocup_of(c)->started)
		REFUSE(out, "START must come first");
	if (!read_only_point(c, rest, &point, &error))
		return refuse(out, &error);
	if (gomoku_is_empty(&board, point))
		REFUSE(out, "TAKEBACK %.40s: there is no stone", rest);
	const struct gomoku_place at = gomoku_place(point, 0);
	for (int colour = 0; colour < 2; colour++)
		board.stones[colour][at.line] &= ~(UINT32_C(1) << at.bit);
	board.turn ^= 1;
	return set_board(c, &board, &error) == QV_OK ? ok(out) : refuse(out, &error);
}

static enum next_step on_about(struct connection *c, const char *rest, struct string *out)
{
	(void)c, (void)rest;
	string_addf(out, "name=\"Quevedo\", version=\"%s\", author=\"the authors of Quevedo\"\n",
		    qv_version());
	return NEXT_LINE;
}

/* ---- INFO ---- */

/* The hash table gets what the limit leaves, at most what it has without a limit. */
static enum qv_status follow_memory(struct connection *c, struct qv_error *error)
{
	const struct gomocup *g = gomocup_of(c);
	const struct option *hash = engine_option_find(qgp_options, "hash");
	const int64_t spare = g->memory > MEMORY_LEAST ? (g->memory - MEMORY_LEAST) >> 20 : 0;
	const bool limited = g->memory > 0 && spare < g->first_hash_mb;
	char text[24];
	snprintf(text, sizeof text, "%lld", (long long)(limited ? spare : g->first_hash_mb));
	return engine_set(&c->engine, hash, text, error);
}

/* Other keys are ignored: game_type, evaluate, folder, and what is not known. */
static enum next_step on_info(struct connection *c, const char *rest, struct string *out)
{
	struct gomocup *g = gomocup_of(c);
	struct {
		const char *name;
		int64_t min, max, *to;
	} keys[] = {
		{ "timeout_turn", 0, INT64_MAX / 4, &g->turn_ms },
		{ "timeout_match", 0, INT64_MAX / 4, &g->match_ms },
		{ "time_left", INT64_MIN / 4, INT64_MAX / 4, &g->left_ms },
		{ "max_memory", 0, INT64_MAX / 4, &g->memory },
		{ "rule", INT32_MIN, INT32_MAX, &g->rule },
		{ "suggest", 0, 1, &g->suggest },
	};
	const size_t length = strcspn(rest, " \t");
	const char *value = rest + length + strspn(rest + length, " \t");
	char key[16];
	(void)out;
	snprintf(key, sizeof key, "%.*s", (int)(length < sizeof key ? length : 0), rest);
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		if (!text_same(key, keys[i].name))
			continue;
		if (!text_to_int(value, keys[i].min, keys[i].max, keys[i].to))
			qv_fail(&g->ignored, QV_BAD_INPUT,
				"INFO %s '%.40s' is ignored: expected a "
				"whole number",
				keys[i].name, value);
		else if (keys[i].to == &g->memory)
			follow_memory(c, &g->ignored);
	}
	return NEXT_LINE;
}

/* ---- Lists of stones ---- */

static enum next_step begin_list(struct connection *c, enum reading reading)
{
	struct gomocup *g = gomocup_of(c);
	g->reading = reading;
	g->count = 0;
	g->fault.text[0] = '\0';
	return NEXT_LINE;
}

static enum next_step on_board(struct connection *c, const char *rest, struct string *out)
{
	(void)rest, (void)out;
	return begin_list(c, READING_BOARD);
}

static enum next_step on_swap2(struct connection *c, const char *rest, struct string *out)
{
	(void)rest, (void)out;
	return begin_list(c, READING_SWAP2);
}

/*
 * A line of the list. The first fault is kept until DONE, which answers for the whole list. Some
 * programs send the field in SWAP2BOARD, too, where it means nothing.
 */
static void take_stone(struct connection *c, const char *line)
{
	struct gomocup *g = gomocup_of(c);
	const char *at = line;
	int64_t field = 0;
	int point;
	if (g->fault.text[0] || !read_point(c, &at, &point, &g->fault))
		return;
	const bool whole = (g->reading == READING_SWAP2 && !*at) ||
			   (scan_literal(&at, ",") && read_number(&at, &field));
	if (!whole || *at) {
		qv_fail(&g->fault, QV_BAD_INPUT, "'%.40s': expected %s", line,
			g->reading == READING_SWAP2 ? "X,Y" : "X,Y,FIELD");
		return;
	}
	if (g->reading == READING_BOARD && field != 1 && field != 2)
		qv_fail(&g->fault, QV_BAD_INPUT, "'%.40s': expected the field 1 or 2", line);
	for (int i = 0; i < g->count; i++)
		if (g->stones[i].point == point)
			qv_fail(&g->fault, QV_BAD_INPUT, "'%.40s': this point was sent twice",
				line);
	if (!g->fault.text[0])
		g->stones[g->count++] =
			(struct stone){ (int16_t)point,
					(int8_t)(g->reading == READING_SWAP2 ? 0 : field) };
}

/*
 * Sets up the stones. In a BOARD with as many own stones as others we are Black; with one fewer,
 * White. Their order tells nothing more, in renju neither. In SWAP2BOARD colours alternate.
 */
static enum qv_status set_stones(struct connection *c, struct qv_error *error)
{
	const struct gomocup *g = gomocup_of(c);
	struct gomoku board;
	int own = 0;
	for (int i = 0; i < g->count; i++)
		own += g->stones[i].field == 1;
	const int others = g->count - own, colour = others > own;
	if (g->reading == READING_BOARD && others != own && others != own + 1)
		return qv_fail(error, QV_ILLEGAL,
			       "BOARD: %d own stones and %d of the opponent; expected as many, or "
			       "one more of the opponent",
			       own, others);
	gomoku_start(&board, c->engine.rules.options);
	for (int i = 0; i < g->count; i++)
		gomoku_add(&board,
			   g->reading == READING_SWAP2 ? i % 2
			   : g->stones[i].field == 1   ? colour
						       : 1 - colour,
			   g->stones[i].point);
	board.turn = (uint8_t)(g->count % 2);
	return set_board(c, &board, error);
}

/*
 * The first three stones of swap2, from a table of points near a corner, which fit any board. On a
 * board of 15, a search of 1.5 s gave each a score between -25 and 0.
 */
static void place_opening(struct gomocup *g, const struct gomoku *board, int64_t seed)
{
	static const int8_t openings[][3][2] = {
		{ { 0, 3 }, { 2, 2 }, { 3, 5 } },
		{ { 1, 0 }, { 1, 4 }, { 4, 3 } },
		{ { 0, 2 }, { 2, 2 }, { 3, 5 } },
		{ { 1, 2 }, { 0, 2 }, { 2, 4 } },
	};
	enum { OPENINGS = sizeof openings / sizeof *openings };
	const uint64_t mixed = qv_mix((uint64_t)(seed + g->openings++));
	for (int i = 0; i < 3; i++) {
		const int8_t *at = openings[mixed % OPENINGS][i];
		const int point = gomoku_image_point(board->size, (int)(mixed >> 32 & 7),
						     gomoku_point(at[1], at[0]));
		g->stones[i] = (struct stone){ (int16_t)point, 0 };
	}
	g->count = 3;
}

/* Three or five stones: White is to move, and the search tells which colour is better. */
static enum next_step swap2(struct connection *c, struct string *out)
{
	struct gomocup *g = gomocup_of(c);
	struct qv_error error;
	const bool first = !g->count;
	if (!first && g->count != GOMOKU_FIRST_CHOICE && g->count != GOMOKU_LAST_CHOICE)
		REFUSE(out, "SWAP2BOARD: %d stones; expected 0, 3 or 5", g->count);
	if (first)
		place_opening(g, board_of(c), c->engine.set.seed);
	if (set_stones(c, &error) != QV_OK)
		return refuse(out, &error);
	if (!first)
		return go(c, true, out);
	for (int i = 0; i < g->count; i++) {
		string_addf(out, i ? " " : "");
		add_point(c, g->stones[i].point, out);
	}
	string_addf(out, "\n");
	return NEXT_LINE;
}

static enum next_step on_done(struct connection *c, const char *rest, struct string *out)
{
	struct gomocup *g = gomocup_of(c);
	const enum reading reading = g->reading;
	struct qv_error error;
	enum next_step next = NEXT_LINE;
	(void)rest;
	if (reading == READING_NONE)
		REFUSE(out, "DONE: BOARD must come first");
	if (is_ready(c, out)) {
		if (g->fault.text[0])
			refuse(out, &g->fault);
		else if (reading == READING_SWAP2)
			next = swap2(c, out);
		else if (set_stones(c, &error) != QV_OK)
			refuse(out, &error);
		else
			next = go(c, false, out);
	}
	g->reading = READING_NONE;
	return next;
}

static enum next_step on_end(struct connection *c, const char *rest, struct string *out)
{
	(void)rest, (void)out;
	atomic_store(&gomocup_of(c)->ended, true);
	return NEXT_QUIT;
}

/* ---- Lines ---- */

static const struct command {
	const char *name;
	enum next_step (*run)(struct connection *c, const char *rest, struct string *out);
	bool stops; /* it ends a game, and so the search in it */
} commands[] = {
	{ "START", on_start, true },
	{ "RECTSTART", on_rect_start, true },
	{ "RESTART", on_restart, true },
	{ "BEGIN", on_begin, false },
	{ "TURN", on_turn, false },
	{ "PLAY", on_play, false },
	{ "TAKEBACK", on_take_back, false },
	{ "BOARD", on_board, false },
	{ "SWAP2BOARD", on_swap2, false },
	{ "DONE", on_done, false },
	{ "INFO", on_info, false },
	{ "ABOUT", on_about, false },
	{ "END", on_end, false },
};

/* The command that the line begins with, letter case ignored; NULL: none. */
static const struct command *find(const char *line)
{
	const size_t length = strcspn(line, " \t");
	char word[16];
	snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : 0), line);
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		if (text_same(commands[i].name, word))
			return &commands[i];
	return NULL;
}

static enum next_step gomocup_line(struct connection *c, char *line, struct string *out)
{
	struct gomocup *g = gomocup_of(c);
	const struct command *command = find(line);
	if (atomic_load(&g->ended))
		return NEXT_QUIT;
	if (!*line)
		return NEXT_LINE;
	if (c->busy && !(command && command->run == on_end)) {
		if (!connection_defer(c, line))
			REFUSE(out, "too many lines during a search");
		if (command && command->stops)
			connection_stop(c);
		return NEXT_LINE;
	}
	if (g->reading != READING_NONE && !command) {
		take_stone(c, line);
		return NEXT_LINE;
	}
	if (!command) {
		struct qv_error printable;
		qv_fail(&printable, QV_UNKNOWN, "command '%.40s'", line);
		string_addf(out, "UNKNOWN %s\n", printable.text);
		return NEXT_LINE;
	}
	/* Another command than DONE and INFO: the list has no end. */
	if (g->reading != READING_NONE && command->run != on_done && command->run != on_info &&
	    command->run != on_end) {
		g->reading = READING_NONE;
		string_addf(out, "ERROR the list of stones has no DONE\n");
	}
	line += strcspn(line, " \t");
	return command->run(c, words_skip(line), out);
}

static void gomocup_bad_line(struct connection *c, const char *why, struct string *out)
{
	struct gomocup *g = gomocup_of(c);
	if (g->reading != READING_NONE && !c->busy)
		qv_fail(&g->fault, QV_BAD_INPUT, "%s", why);
	else
		string_addf(out, "ERROR %s\n", why);
}

static enum qv_status gomocup_fits(const struct qv_game *game, struct qv_error *error)
{
	return strcmp(game->name, "gomoku") == 0
		       ? QV_OK
		       : qv_fail(error, QV_UNSUPPORTED,
				 "protocol gomocup: only gomoku fits it, not %.40s", game->name);
}

static enum qv_status gomocup_make(struct connection *c, struct qv_error *error)
{
	struct gomocup *g = gomocup_of(c);
	g->first_rule = (int)c->engine.rules.options[GOMOKU_OPTION_RULE];
	g->first_hash_mb = c->engine.set.hash_mb;
	g->rule = g->memory = g->turn_ms = g->match_ms = g->left_ms = NOT_SENT;
	return new_game(c, (int)c->engine.rules.options[GOMOKU_OPTION_SIZE], error);
}

const struct protocol_ops protocol_gomocup = { .name = "gomocup",
					       .line = gomocup_line,
					       .bad_line = gomocup_bad_line,
					       .info = gomocup_info,
					       .answer = gomocup_answer,
					       .fits = gomocup_fits,
					       .own_size = sizeof(struct gomocup),
					       .make = gomocup_make };
