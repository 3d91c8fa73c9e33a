/*
 * external.c - the protocol by which GNU Backgammon plays with other programs, both sides.
 * SPDX-License-Identifier: MIT
 *
 * One line asks: a board of FIBS (formats/fibs.h), on which the player to decide has a roll, may
 * double or must answer a double. One line answers: `13/8 24/22`, an empty line for a pass, `roll`,
 * `double`, `take`, `drop`, `beaver`, or `Error: ` and the reason. GNU Backgammon reads one line at
 * a time and drops what comes with it, so a manager must wait for each answer. It ends its own
 * lines with a NUL after the line end. `evaluation fibsboard` and a board asks for the static
 * estimate of the position instead of a decision.
 */
#include "formats/fibs.h"
#include "games/backgammon/chances.h"
#include "games/backgammon/equity.h"
#include "protocols/engine.h"
#include "protocols/manager.h"

/* ---- The engine ---- */

static enum next_step refuse(struct string *out, const char *why)
{
	string_addf(out, "Error: %s\n", why);
	return NEXT_LINE;
}

/* on, yes, true; off, no, false. */
static bool read_switch(const char *word, bool *value)
{
	static const char *const words[] = { "off", "no", "false", "on", "yes", "true" };
	for (int i = 0; i < 6; i++)
		if (text_same(word, words[i])) {
			*value = i >= 3;
			return true;
		}
	return false;
}

/* What may follow a board. */
struct asked {
	int64_t options[QV_MAX_OPTIONS]; /* of the game */
	int64_t resignation;		 /* what the opponent offers to lose */
	bool cubeful;			 /* of an evaluation */
};

/* Options of evaluations. There are static evaluations without noise only. */
static bool read_evaluation_option(const char *name, char **rest, struct asked *asked)
{
	int64_t number;
	if (text_same(name, "cubeful") || text_same(name, "cubeless")) {
		asked->cubeful = text_same(name, "cubeful");
		return true;
	}
	if (text_same(name, "cube"))
		return read_switch(words_next(rest), &asked->cubeful);
	return (text_same(name, "plies") || text_same(name, "noise")) &&
	       text_to_int(words_next(rest), 0, 0, &number);
}

static bool read_options(char *rest, bool evaluation, struct asked *asked)
{
	static const struct {
		const char *name;
		int option;
	} switches[] = {
		{ "jacobyrule", BACKGAMMON_OPTION_JACOBY },
		{ "crawfordrule", BACKGAMMON_OPTION_CRAWFORD },
		{ "beavers", BACKGAMMON_OPTION_BEAVERS },
	};
	while (*rest) {
		const char *name = words_next(&rest);
		bool on = false, known = false;
		for (int i = 0; i < 3; i++)
			if (text_same(name, switches[i].name)) {
				known = read_switch(words_next(&rest), &on);
				asked->options[switches[i].option] = on;
			}
		if (text_same(name, "resignation"))
			known = text_to_int(words_next(&rest), 0, 3, &asked->resignation);
		if (!known && !(evaluation && read_evaluation_option(name, &rest, asked)))
			return false;
	}
	return true;
}

/* Reads the board and what follows it; false: refused. */
static bool read_question(struct connection *c, char *line, bool evaluation, struct asked *asked,
			  struct backgammon *s, struct string *out)
{
	struct fibs_board board;
	struct qv_error error;
	const char *rest;
	*asked = (struct asked){ 0 };
	memcpy(asked->options, c->engine.rules.options, sizeof asked->options);
	enum qv_status status = fibs_read(line, &board, &rest, &error);
	if (status == QV_OK && !read_options(words_skip(line + (rest - line)), evaluation, asked))
		status = qv_fail(&error, QV_BAD_INPUT, "board: unknown option after the board");
	if (status == QV_OK) {
		fibs_options(&board, asked->options);
		if (asked->cubeful)
			asked->options[BACKGAMMON_OPTION_CUBE] = 1;
		status = fibs_to_state(&board, asked->options, s, &error);
	}
	if (status != QV_OK)
		refuse(out, error.text);
	return status == QV_OK;
}

/*
 * Five chances of the player on roll (win, then gammons and backgammons won and lost), and the
 * equity in points, or in a match the chance to win it.
 */
static enum next_step on_evaluation(struct connection *c, char *line, struct string *out)
{
	struct asked asked;
	struct backgammon s;
	struct backgammon_chances chances;
	if (!read_question(c, line, true, &asked, &s, out))
		return NEXT_LINE;
	struct backgammon plain = equity_plain(&s);
	plain.phase = BACKGAMMON_ROLL;
	plain.dice[0] = plain.dice[1] = 0;
	backgammon_chances(backgammon_nets(), &plain, &chances);
	double worth = backgammon_equity(&chances);
	if (s.match || asked.cubeful)
		worth = equity_estimate(&s, s.turn);
	if (s.match)
		worth = (worth + 1) / 2;
	for (int i = 0; i < BACKGAMMON_OUTPUTS; i++)
		string_addf(out, "%f ", (double)chances.of[i]);
	string_addf(out, "%f\n", worth);
	return NEXT_LINE;
}

/* Sets up the game that the board belongs to, and its position. */
static enum qv_status set_up(struct engine_session *e, const struct qv_rules *rules,
			     const struct backgammon *s, struct qv_error *error)
{
	char game[256] = "", position[QV_POSITION_TEXT] = "";
	struct qv_text game_text = { game, sizeof game, 0 };
	struct qv_text text = { position, sizeof position, 0 };
	enum qv_status status = QV_OK;
	qv_rules_text(rules, &game_text);
	if (memcmp(rules->options, e->rules.options, sizeof rules->options) != 0)
		status = engine_new_game(e, game, error);
	e->rules.game->position_text(s, &text);
	return status == QV_OK ? engine_position(e, position, error) : status;
}

/* Begins the search for the decision; a player who can only roll needs none. */
static enum next_step on_board(struct connection *c, char *line, struct string *out)
{
	static const struct engine_limits no_limits = { 0 };
	struct engine_session *e = &c->engine;
	struct qv_rules rules = e->rules;
	struct asked asked;
	struct backgammon s;
	struct qv_error error;
	if (!read_question(c, line, false, &asked, &s, out))
		return NEXT_LINE;
	/* GNU Backgammon, too, lets an external player accept only the loss of a backgammon. */
	if (asked.resignation || s.phase == BACKGAMMON_ROLL) {
		string_addf(out, "%s\n",
			    !asked.resignation	     ? "roll"
			    : asked.resignation == 3 ? "accept"
						     : "reject");
		return NEXT_LINE;
	}
	memcpy(rules.options, asked.options, sizeof rules.options);
	enum qv_status status = set_up(e, &rules, &s, &error);
	if (status == QV_OK)
		status = engine_go(e, &no_limits, &error);
	return status == QV_OK ? connection_begin(c) : refuse(out, error.text);
}

static enum next_step external_line(struct connection *c, char *line, struct string *out)
{
	char *rest = line;
	if (c->busy)
		return connection_defer(c, line) ? NEXT_LINE
						 : refuse(out, "too many lines during a search");
	if (strncmp(line, "board:", 6) == 0)
		return on_board(c, line, out);
	const char *word = words_next(&rest);
	if (text_same(word, "evaluation") && text_same(words_next(&rest), "fibsboard"))
		return on_evaluation(c, rest, out);
	if (text_same(word, "exit") || text_same(word, "quit"))
		return NEXT_QUIT;
	if (text_same(word, "version")) {
		string_addf(out, "Interface: 2\nRFBF: 0\nEngine: Quevedo\nSoftware: %s\n",
			    qv_version());
		return NEXT_LINE;
	}
	return refuse(out,
		      *word ? "unknown command; expected board:..., evaluation, version or exit"
			    : "no command given");
}

static void external_bad_line(struct connection *c, const char *why, struct string *out)
{
	(void)c;
	refuse(out, why);
}

/* The protocol has no words for the progress of a search. */
static void external_info(struct connection *c, int line, const struct qv_answer *so_far,
			  struct string *out)
{
	(void)c, (void)line, (void)so_far, (void)out;
}

static void external_answer(struct connection *c, struct string *out)
{
	const struct engine_session *e = &c->engine;
	if (e->status != QV_OK && e->status != QV_STOPPED) {
		refuse(out, e->error.text);
		return;
	}
	const struct move_text move = move_text(e->rules.game, engine_state(e), e->answer.move);
	string_addf(out, "%s\n", strcmp(move.text, "pass") == 0 ? "" : move.text);
}

static enum qv_status external_fits(const struct qv_game *game, struct qv_error *error)
{
	return strcmp(game->name, "backgammon") == 0
		       ? QV_OK
		       : qv_fail(error, QV_UNSUPPORTED,
				 "protocol external: only backgammon fits it, not %.40s",
				 game->name);
}

const struct protocol_ops protocol_external = { .name = "external",
						.line = external_line,
						.bad_line = external_bad_line,
						.info = external_info,
						.answer = external_answer,
						.fits = external_fits };

/* ---- The manager ---- */

/* A peer that does not know `version` answers with an error, which shows that it is alive, too. */
static void manager_hello(struct manager *m, struct string *out)
{
	string_addf(out, "version\n");
	m->awaited = 1;
}

/* GNU Backgammon reads settings before it opens its socket; a peer has none. */
static void gnubg_set(struct manager *m, const char *name, const char *value, struct string *out)
{
	(void)m;
	string_addf(out, "set %s %s\n", name, value);
}

static void no_set(struct manager *m, const char *name, const char *value, struct string *out)
{
	(void)m, (void)name, (void)value, (void)out;
}

static void no_new_game(struct manager *m, const char *game, struct string *out)
{
	(void)m, (void)game, (void)out;
}

/*
 * All is set, because the defaults of GNU Backgammon depend on what its user has saved. Plies count
 * as it counts them: 0 is a static evaluation.
 */
static void gnubg_settings(struct manager *m, const struct qv_rules *rules, int plies,
			   struct string *out)
{
	static const char *const kinds[] = { "chequerplay", "cubedecision" };
	const struct backgammon s = backgammon_with_options(rules->options);
	(void)m;
	for (int i = 0; i < 2; i++)
		string_addf(out,
			    "set evaluation %s type evaluation\n"
			    "set evaluation %s evaluation plies %d\n"
			    "set evaluation %s evaluation noise 0\n"
			    "set evaluation %s evaluation deterministic on\n",
			    kinds[i], kinds[i], plies, kinds[i], kinds[i]);
	string_addf(out, "set beavers 0\nset evaluation chequerplay evaluation cubeful %s\n",
		    s.flags & BACKGAMMON_HAS_CUBE ? "on" : "off");
}

static void gnubg_serve(struct manager *m, const char *path, struct string *out)
{
	(void)m;
	string_addf(out, "external %s\n", path);
}

/* The names must be words: GNU Backgammon accepts letters, digits and underscores only. */
static void manager_ask(struct manager *m, const struct manager_question *q, struct string *out)
{
	char line[512] = "";
	struct qv_text text = { line, sizeof line, 0 };
	struct fibs_board board;
	const struct backgammon *s = q->state;
	fibs_from_state(s, &board);
	strcpy(board.name[0], "one");
	strcpy(board.name[1], "two");
	fibs_write(&board, &text);
	string_addf(out, "%s jacobyrule %s crawfordrule %s beavers %s\n", line,
		    s->flags & BACKGAMMON_JACOBY ? "on" : "off",
		    s->flags & BACKGAMMON_CRAWFORD ? "on" : "off",
		    s->flags & BACKGAMMON_BEAVERS ? "on" : "off");
	manager_await_move(m);
}

/* A board cannot say that the double was answered by a beaver. */
static enum qv_status manager_fits(const struct qv_rules *rules, struct qv_error *error)
{
	const enum qv_status status = external_fits(rules->game, error);
	if (status == QV_OK && rules->options[BACKGAMMON_OPTION_BEAVERS])
		return qv_fail(error, QV_UNSUPPORTED,
			       "protocol external: it cannot represent beavers");
	return status;
}

static void no_stop(struct manager *m, struct string *out)
{
	(void)m, (void)out;
}

static void manager_exit(struct manager *m, struct string *out)
{
	(void)m;
	string_addf(out, "exit\n");
}

/* Copies a move; GNU Backgammon writes 25 for the bar and 0 for men off. */
static void copy_move(const char *from, struct qv_text *out)
{
	while (*from) {
		int64_t place = -1;
		if (is_digit(*from))
			scan_int(&from, 0, BACKGAMMON_BAR, &place);
		if (place == BACKGAMMON_BAR)
			qv_put(out, "bar");
		else if (place == BACKGAMMON_OFF)
			qv_put(out, "off");
		else if (place > 0)
			qv_put_int(out, place);
		else
			qv_put_char(out, *from++);
	}
}

/* An answer to hello has several lines, of which the last begins with Software. */
static enum manager_event manager_line(struct manager *m, char *line, size_t length)
{
	const bool is_error = strncmp(line, "Error", 5) == 0;
	if (strlen(line) != length)
		return MANAGER_QUIET;
	if (m->awaited)
		return is_error || strncmp(line, "Software", 8) == 0 ? manager_ready(m)
								     : MANAGER_QUIET;
	if (!m->asked)
		return MANAGER_QUIET;
	if (is_error) {
		qv_fail(&m->error, QV_BAD_INPUT, "%.200s", line);
		return MANAGER_REFUSED;
	}
	char move[sizeof m->move] = "";
	copy_move(words_trim(line), &(struct qv_text){ move, sizeof move, 0 });
	/* GNU Backgammon ignores `beavers off` after a board. A beaver accepts the double, too. */
	if (strcmp(move, "beaver") == 0)
		return manager_take_move(m, "take");
	return manager_take_move(m, *move ? move : "pass");
}

const struct manager_ops manager_external = {
	.name = "external",
	.separator = ", ",
	.hello_done = "Software",
	.hello = manager_hello,
	.set = no_set,
	.new_game = no_new_game,
	.ask = manager_ask,
	.stop = no_stop,
	.quit = manager_exit,
	.line = manager_line,
	.blanks = true,
	.fits = manager_fits,
	.link = MANAGER_ADDRESS,
};

const struct manager_ops manager_gnubg = {
	.name = "gnubg",
	.separator = ", ",
	.hello_done = "Software",
	.hello = manager_hello,
	.set = gnubg_set,
	.new_game = no_new_game,
	.ask = manager_ask,
	.stop = no_stop,
	.quit = manager_exit,
	.line = manager_line,
	.settings = gnubg_settings,
	.serve = gnubg_serve,
	.blanks = true,
	.fits = manager_fits,
	.link = MANAGER_SERVED,
};
