/*
 * engine_check.c - the steps by which an engine's protocol is tried.
 * SPDX-License-Identifier: MIT
 *
 * Most steps ask the engine as a match does, through players.h, which already checks every line and
 * every move. Some send lines of their own: what no manager should send, or what a match does not
 * need. A log that calls a function has the dialogue of each step.
 */
#include "match/engine_check.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/threads.h"
#include "core/context.h"
#include "programs/engine_options.h"
#include "programs/players.h"
#include "session/game_session.h"

enum {
	MOVE_MS = 100,	 /* for a move with a time */
	CLOCK_MS = 3000, /* on a clock */
	LITTLE_MS = 50,	 /* on an almost empty one */
	LONG_MS = 30000, /* for a search that is stopped */
	STOP_AFTER_MS = 200,
	SYNC_MS = 5000, /* for an answer that needs no search */
	QUIET_MS = 200, /* how long to listen for what must not come */
	QUIT_MS = 2000,
	GAME_PLIES = 12,
	GAMES = 3,
	GRACE_MS = 50,
};

struct check {
	const struct qv_context *context;
	const struct qv_rules *rules;
	const struct manager_ops *ops;
	const struct dialect *dialect;
	struct qv_player *player;
	struct game_session game;
	struct qv_random random;
	int64_t patience_ms;
	struct check_step step;
	bool unready; /* its first handshake has failed */
	bool dead;    /* it cannot be started any more */
	/* What the log has seen in this step. */
	int64_t came, answers;
	bool pings;	    /* an engine of XBoard has the feature ping */
	char last_pv[4096]; /* the last line of a search that contains moves */
};

/* ---- What the protocols call things ---- */

/* Lines beside the game. NULL: the protocol has no such thing. */
static const struct dialect {
	const struct manager_ops *ops;
	const char *sync, *synced;  /* a line, and the answer that always follows it */
	const char *answer;	    /* how the answer to a question begins; "": any line */
	const char *unknown_option; /* an option that no engine has, */
	const char *option_refused; /* ... and the answer, instead of that of sync */
	const char *bad_position;   /* likewise */
	const char *position_refused;
	const char *unknown_refused; /* the answer to a line that makes no sense */
	const char *pv;		     /* the word before the moves of a search */
	bool needs_name, silent_after_quit;
	const char *search; /* begins a long search of the start, without the manager */
} dialects[] = {
	{ .ops = &manager_uci,
	  .sync = "isready\n",
	  .synced = "readyok",
	  .answer = "bestmove",
	  .unknown_option = "setoption name NoSuchOption value 1\n",
	  .bad_position = "position fen this is no position\n",
	  .pv = " pv ",
	  .needs_name = true,
	  .silent_after_quit = true,
	  .search = "position startpos\ngo movetime 20000\n" },
	{ .ops = &manager_ugi,
	  .sync = "isready\n",
	  .synced = "readyok",
	  .answer = "bestmove",
	  .unknown_option = "setoption name NoSuchOption value 1\n",
	  .bad_position = "position fen this is no position\n",
	  .pv = " pv ",
	  .needs_name = true,
	  .silent_after_quit = true,
	  .search = "position startpos\ngo movetime 20000\n" },
	{ .ops = &manager_qgp,
	  .answer = "bestmove",
	  .unknown_option = "set nosuchoption 1\n",
	  .option_refused = "error",
	  .bad_position = "position this is no position\n",
	  .position_refused = "error",
	  .unknown_refused = "error",
	  .pv = " pv ",
	  .needs_name = true,
	  .silent_after_quit = true },
	{ .ops = &manager_xboard,
	  .sync = "ping 77777\n",
	  .synced = "pong 77777",
	  .answer = "move",
	  .unknown_option = "option NoSuchOption=1\n",
	  .bad_position = "force\nsetboard this is no position\n" },
	{ .ops = &manager_hub,
	  .sync = "ping\n",
	  .synced = "pong",
	  .answer = "done",
	  .unknown_option = "set-param name=no-such-option value=1\n",
	  .needs_name = true,
	  .silent_after_quit = true },
	{ .ops = &manager_nboard,
	  .sync = "ping 77777\n",
	  .synced = "pong 77777",
	  .answer = "===",
	  .bad_position = "set game this is no game\n",
	  .needs_name = true },
	{ .ops = &manager_gtp, .answer = "=", .unknown_refused = "?", .needs_name = true },
	{ .ops = &manager_gomocup, .answer = "", .unknown_refused = "UNKNOWN" },
	{ .ops = &manager_external, .sync = "version\n", .synced = "", .answer = "" },
	{ .ops = &manager_gnubg, .answer = "" },
};

static const struct dialect *find_dialect(const struct manager_ops *ops)
{
	static const struct dialect none = { .answer = "" };
	for (size_t i = 0; i < sizeof dialects / sizeof *dialects; i++)
		if (dialects[i].ops == ops)
			return &dialects[i];
	return &none;
}

/* ---- The dialogue ---- */

/* Keeps a line of the dialogue, in place of the oldest one if there are too many. */
static void take_line(void *ctx, char way, const char *text, size_t length)
{
	struct check *c = ctx;
	struct check_step *s = &c->step;
	struct qv_error printable;
	if (way == '#')
		return;
	if (way == '<') {
		const size_t size = strlen(c->dialect->answer);
		/* Where an answer has no word of its own, these two lines are none. */
		const bool remark = !size && (strncmp(text, "MESSAGE", 7) == 0 ||
					      strncmp(text, "DEBUG", 5) == 0);
		c->came++;
		c->answers +=
			!remark && length >= size && memcmp(text, c->dialect->answer, size) == 0;
		c->pings |= strncmp(text, "feature ", 8) == 0 && strstr(text, "ping=1");
		if (c->dialect->pv && length < sizeof c->last_pv && strstr(text, c->dialect->pv))
			snprintf(c->last_pv, sizeof c->last_pv, "%.*s", (int)length, text);
	}
	if (s->line_count == CHECK_LINES) {
		memmove(s->lines, s->lines + 1, (CHECK_LINES - 1) * sizeof *s->lines);
		s->line_count--;
		s->left_out++;
	}
	struct check_line *line = &s->lines[s->line_count++];
	qv_fail(&printable, QV_OK, "%.*s", (int)(length < CHECK_LINE ? length : CHECK_LINE - 1),
		text);
	line->way = way;
	snprintf(line->text, sizeof line->text, "%.199s", printable.text);
}

/* ---- Outcomes of a step ---- */

static void failed(struct check *c, const char *why)
{
	c->step.result = CHECK_FAILED;
	snprintf(c->step.why, sizeof c->step.why, "%s", why);
}

static void skipped(struct check *c, const char *why)
{
	c->step.result = CHECK_SKIPPED;
	snprintf(c->step.why, sizeof c->step.why, "%s", why);
}

/* The player has failed: its own words, or else the error. */
static void blame(struct check *c, const struct qv_error *error)
{
	const char *words = player_fault_words(c->player);
	failed(c, *words ? words : error->text);
}

/* ---- Positions ---- */

/* Begins a game and plays random moves up to a position in which a player is to move. */
static enum qv_status set_up(struct check *c, int plies, struct qv_error *error)
{
	const struct time_control none = { 0 };
	struct qv_record *record = NULL;
	game_session_release(&c->game);
	enum qv_status status = qv_record_new(c->context, c->rules, NULL, &record, error);
	if (status == QV_OK)
		status = game_session_init(&c->game, c->context, record, &none);
	while (status == QV_OK && !game_is_over(&c->game) &&
	       (plies > 0 || game_seat_to_move(&c->game) == QV_CHANCE)) {
		plies -= game_seat_to_move(&c->game) != QV_CHANCE;
		status = qv_record_play(c->game.record, game_random_move(&c->game, &c->random), -1,
					error);
	}
	/* A short game may be over by then. */
	return status == QV_OK && game_is_over(&c->game) && plies >= 0 ? set_up(c, 0, error)
								       : status;
}

/* ---- Questions ---- */

/* How a question is asked. */
struct question {
	struct qv_limits limits;
	int64_t clock_ms; /* on the clocks of all seats; 0: no clocks */
	bool alone;	  /* the position as a text, without the moves that led to it */
};

/* Asks for a move in the current position; false: the step has failed. */
static bool ask(struct check *c, const struct question *q, struct qv_answer *answer)
{
	struct qv_error error = { "" };
	struct player_news news = { .record = q->alone ? NULL : c->game.record,
				    .clocks = q->clock_ms > 0,
				    .patience_ms = c->patience_ms };
	for (int seat = 0; seat < QV_MAX_SEATS; seat++)
		news.left_ms[seat] = q->clock_ms;
	const enum qv_status status =
		player_think(c->player, &news, qv_record_state(c->game.record), &q->limits, NULL,
			     answer, &error);
	if (status == QV_UNSUPPORTED)
		skipped(c, error.text);
	else if (status != QV_OK && status != QV_STOPPED)
		blame(c, &error);
	return status == QV_OK || status == QV_STOPPED;
}

/* Asks in a position of its own. */
static bool ask_at(struct check *c, int plies, const struct question *q)
{
	struct qv_answer answer;
	struct qv_error error = { "" };
	if (set_up(c, plies, &error) != QV_OK) {
		failed(c, error.text);
		return false;
	}
	return ask(c, q, &answer);
}

/* The usual question of a step that tests something else. */
static bool ask_simply(struct check *c)
{
	return ask_at(c, 0, &(struct question){ .limits = { .time_ms = MOVE_MS } });
}

/* ---- Lines ---- */

/* Sends lines and waits for the answer; false: the step has failed. */
static bool exchange(struct check *c, const char *text, const char *wanted)
{
	const int64_t ms = c->patience_ms < SYNC_MS ? c->patience_ms : SYNC_MS;
	struct qv_error error = { "" };
	bool came = false;
	enum qv_status status = player_send(c->player, text, &error);
	if (status == QV_OK)
		status = player_listen(c->player, wanted, ms, &came, &error);
	if (status != QV_OK) {
		blame(c, &error);
	} else if (!came) {
		char why[120];
		snprintf(why, sizeof why, "no line that begins with '%s' came in time", wanted);
		failed(c, why);
	}
	return status == QV_OK && came;
}

/*
 * Sends a line that makes no sense. The answer is `refused`, or nothing, which shows when it answers
 * the line that synchronizes. Then it must still play.
 */
static void try_nonsense(struct check *c, const char *text, const char *refused)
{
	char whole[200];
	const bool xboard = c->ops == &manager_xboard;
	if (!text || (!refused && (!c->dialect->sync || (xboard && !c->pings)))) {
		skipped(c, "the protocol has no answer by which this could be seen");
		return;
	}
	snprintf(whole, sizeof whole, "%s%s", text, refused ? "" : c->dialect->sync);
	if (!exchange(c, whole, refused ? refused : c->dialect->synced))
		return;
	/* Such an engine keeps the game, which the lines may have changed. */
	if (xboard)
		qv_player_new_game(c->player);
	ask_simply(c);
}

/* ---- The steps ---- */

/* Both steps of the handshake are one call; the fault tells how far it came. */
static void try_start(struct check *c)
{
	struct qv_error error = { "" };
	if (player_ready(c->player, &error) == QV_OK)
		return;
	c->unready = true;
	if (player_fault(c->player) == FAULT_START) {
		blame(c, &error);
		c->dead = true;
	}
}

static void try_hello(struct check *c)
{
	struct qv_error error = { "" };
	if (c->unready) {
		blame(c, &error);
		c->dead = true;
		return;
	}
	snprintf(c->step.why, sizeof c->step.why, "%s", player_engine_name(c->player));
}

static void try_name(struct check *c)
{
	if (*player_engine_name(c->player))
		return;
	if (c->dialect->needs_name)
		failed(c, "it does not say its name");
	else
		skipped(c, "the protocol does not ask for one");
}

/* Every declaration is well-formed and its name is new. */
static void try_options(struct check *c)
{
	const char *lines = player_declared(c->player);
	const char *warnings = player_warnings(c->player);
	int count = 0;
	char line[4096], names[ENGINE_OPTIONS_MOST / 16] = "\n";
	while (*lines && c->step.result == CHECK_PASSED) {
		const size_t length = strcspn(lines, "\n");
		struct engine_option o;
		snprintf(line, sizeof line, "%.*s", (int)(length < 4095 ? length : 4095), lines);
		for (size_t at = 0; engine_option_read(c->ops, line, &at, &o); count++) {
			char why[300], name[ENGINE_OPTION_NAME + 2];
			const char *flaw = engine_option_flaw(&o);
			snprintf(name, sizeof name, "\n%s\n", o.name);
			if (!flaw && strstr(names, name))
				flaw = "it is declared twice";
			if (strlen(names) + strlen(name) < sizeof names)
				strcat(names, name + 1);
			snprintf(why, sizeof why, "option %s: %s", o.name, flaw ? flaw : "");
			if (flaw)
				failed(c, why);
		}
		lines += length + (lines[length] == '\n');
	}
	if (c->step.result == CHECK_PASSED && *warnings)
		failed(c, warnings);
	else if (c->step.result == CHECK_PASSED && !count)
		skipped(c, "it declares none");
	else if (c->step.result == CHECK_PASSED)
		snprintf(c->step.why, sizeof c->step.why, "%d of them", count);
}

static void try_unknown_option(struct check *c)
{
	try_nonsense(c, c->dialect->unknown_option, c->dialect->option_refused);
}

static void try_new_game(struct check *c)
{
	struct qv_error error = { "" };
	qv_player_new_game(c->player);
	if (player_ready(c->player, &error) != QV_OK)
		blame(c, &error);
}

static void try_depth(struct check *c)
{
	if (c->ops->no_depth)
		skipped(c, "the protocol has no limit of depth");
	else
		ask_at(c, 0, &(struct question){ .limits = { .depth = 1 } });
}

static void try_nodes(struct check *c)
{
	if (c->ops->no_nodes)
		skipped(c, "the protocol has no limit of nodes");
	else
		ask_at(c, 0, &(struct question){ .limits = { .nodes = 100 } });
}

static void put_ms(struct check *c, int64_t from_us)
{
	snprintf(c->step.why, sizeof c->step.why, "%lld ms",
		 (long long)((clock_us() - from_us) / 1000));
}

static void try_time(struct check *c)
{
	const int64_t from = clock_us();
	if (ask_at(c, 0, &(struct question){ .limits = { .time_ms = MOVE_MS } }))
		put_ms(c, from);
}

/* On a clock that has time, the engine must not use it up. */
static void try_clock(struct check *c)
{
	const int64_t from = clock_us();
	if (!ask_at(c, 0, &(struct question){ .clock_ms = CLOCK_MS }))
		return;
	put_ms(c, from);
	if (clock_us() - from > INT64_C(1000) * (CLOCK_MS + GRACE_MS))
		failed(c, "it used more time than its clock had");
}

static void try_short_clock(struct check *c)
{
	const int64_t from = clock_us();
	if (ask_at(c, 0, &(struct question){ .clock_ms = LITTLE_MS }))
		put_ms(c, from);
}

/* The engine and a random player by turns, from the start of the game. */
static void try_game(struct check *c)
{
	const struct question q = { .limits = { .time_ms = LITTLE_MS } };
	struct qv_error error = { "" };
	enum qv_status status = set_up(c, 0, &error);
	bool engine = true;
	for (int ply = 0; status == QV_OK && ply < GAME_PLIES && !game_is_over(&c->game); ply++) {
		struct qv_answer answer;
		qv_move move;
		if (game_seat_to_move(&c->game) == QV_CHANCE || !engine) {
			move = game_random_move(&c->game, &c->random);
			engine |= game_seat_to_move(&c->game) != QV_CHANCE;
		} else {
			if (!ask(c, &q, &answer))
				return;
			move = answer.move;
			engine = false;
		}
		status = qv_record_play(c->game.record, move, -1, &error);
	}
	if (status != QV_OK)
		failed(c, error.text);
}

static void try_position(struct check *c)
{
	ask_at(c, GAME_PLIES / 2,
	       &(struct question){ .limits = { .time_ms = MOVE_MS }, .alone = true });
}

/* All moves of the last line that the engine reported must be legal in the position. */
static void try_line(struct check *c)
{
	const struct qv_game *game = c->rules->game;
	const char *separator = c->ops->separator;
	if (!c->dialect->pv) {
		skipped(c, "not read in this protocol");
		return;
	}
	c->last_pv[0] = '\0';
	if (!ask_simply(c))
		return;
	const char *at = strstr(c->last_pv, c->dialect->pv);
	void *state = at ? qv_state_new(c->context, game) : NULL;
	if (!state) {
		skipped(c, "it reported none");
		return;
	}
	memcpy(state, qv_record_state(c->game.record), game->state_size);
	at += strlen(c->dialect->pv);
	while (*(at += strspn(at, " \t")) && c->step.result == CHECK_PASSED) {
		int32_t points[QV_MAX_SEATS];
		char word[QV_MOVE_TEXT], why[200];
		qv_move move;
		const char *end = strstr(at, separator);
		const size_t length = end ? (size_t)(end - at) : strlen(at);
		snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), at);
		snprintf(why, sizeof why, "the move %s of its line is not legal", word);
		if (game->result(state, points) != QV_GOING || game->seat(state) == QV_CHANCE ||
		    qv_move_parse(game, state, word, &move, NULL) != QV_OK)
			failed(c, why);
		else
			game->play(state, move);
		at = end ? end + strlen(separator) : at + length;
	}
	qv_state_free(c->context, game, state);
}

/* A thread that sets a flag after a moment. */
struct stopper {
	struct qv_flag flag;
	struct qv_flag done; /* it need not wait any longer */
};

static void stop_soon(void *ctx)
{
	struct stopper *s = ctx;
	const struct timespec moment = { 0, 5000000 };
	const int64_t until = clock_us() + INT64_C(1000) * STOP_AFTER_MS;
	while (clock_us() < until && !flag_is_set(&s->done))
		nanosleep(&moment, NULL);
	qv_flag_set(&s->flag);
}

/* Whether the protocol has a line that ends a search. */
static bool can_stop(struct check *c)
{
	struct manager m = { .ops = c->ops };
	struct string said = { .allocator = context_allocator(c->context) };
	c->ops->stop(&m, &said);
	const bool can = said.length > 0;
	string_release(&said);
	if (!can)
		skipped(c, "the protocol has no stop");
	return can;
}

/* at_once: the stop follows without waiting. */
static void stop_search(struct check *c, bool at_once)
{
	struct stopper s = { 0 };
	struct thread thread;
	if (!can_stop(c))
		return;
	const struct question q = { .limits = { .time_ms = LONG_MS, .stop = &s.flag } };
	const bool threaded = !at_once && thread_start(&thread, stop_soon, &s);
	if (!threaded)
		qv_flag_set(&s.flag);
	ask_at(c, 0, &q);
	qv_flag_set(&s.done);
	if (threaded)
		thread_join(&thread);
}

static void try_stop(struct check *c)
{
	stop_search(c, false);
}

static void try_stop_at_once(struct check *c)
{
	stop_search(c, true);
}

/* After an answer nothing may follow that looks like another one. */
static void try_once(struct check *c)
{
	struct qv_error error = { "" };
	bool came = false;
	if (!ask_simply(c))
		return;
	c->answers = 0;
	if (player_listen(c->player, NULL, QUIET_MS, &came, &error) != QV_OK)
		blame(c, &error);
	else if (c->answers)
		failed(c, "it answered again without a question");
}

/* While it searches it must answer the line that synchronizes, and then still move. */
static void try_ready(struct check *c)
{
	char text[200];
	if (!c->dialect->search) {
		skipped(c, "the protocol does not demand it");
		return;
	}
	snprintf(text, sizeof text, "%s%s", c->dialect->search, c->dialect->sync);
	c->answers = 0;
	if (!exchange(c, text, c->dialect->synced))
		return;
	if (c->answers)
		failed(c, "it answered only after its search");
	else
		exchange(c, "stop\n", c->dialect->answer);
}

static void try_unknown_line(struct check *c)
{
	try_nonsense(c, "this line means nothing 1 2 3\n", c->dialect->unknown_refused);
}

/* Managers send good positions; only some protocols demand an answer to a bad one. */
static void try_bad_position(struct check *c)
{
	if (player_wants_moves(c->player)) {
		skipped(c, "it knows no rules, and wants the moves");
		return;
	}
	try_nonsense(c, c->dialect->bad_position, c->dialect->position_refused);
	if (c->step.result == CHECK_FAILED && !c->dialect->position_refused)
		c->step.result = CHECK_ADVICE;
}

static void try_games(struct check *c)
{
	for (int i = 0; i < GAMES && c->step.result == CHECK_PASSED; i++) {
		try_new_game(c);
		if (c->step.result == CHECK_PASSED)
			ask_simply(c);
	}
}

/* How the program ended. */
static void judge_end(struct check *c, bool ended, int status)
{
	char why[80];
	if (!ended) {
		failed(c, "it did not end by itself");
	} else if (WIFSIGNALED(status)) {
		snprintf(why, sizeof why, "it was killed by signal %d (%s)", WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
		failed(c, why);
	} else if (WEXITSTATUS(status)) {
		snprintf(why, sizeof why, "its exit status was %d", WEXITSTATUS(status));
		failed(c, why);
	}
}

/* Quits, if the program was started here; says: with the protocol's word. */
static void end_program(struct check *c, bool says, bool searching)
{
	bool ended = false;
	int status = 0;
	if (c->ops->link != MANAGER_PIPES) {
		skipped(c, "it was not started by this program, or not over pipes");
		return;
	}
	c->came = 0;
	player_quit(c->player, says, c->patience_ms < QUIT_MS ? c->patience_ms : QUIT_MS, &ended,
		    &status);
	judge_end(c, ended, status);
	if (c->step.result == CHECK_PASSED && says && !searching && c->came &&
	    c->dialect->silent_after_quit)
		failed(c, "it wrote something after it was told to quit");
}

static void try_quit(struct check *c)
{
	end_program(c, true, false);
}

/* An engine that goes on without its manager stays behind; only QGP forbids it. */
static void try_end_of_input(struct check *c)
{
	end_program(c, false, false);
	if (c->step.result == CHECK_FAILED && c->ops != &manager_qgp)
		c->step.result = CHECK_ADVICE;
}

static void try_quit_searching(struct check *c)
{
	struct qv_error error = { "" };
	if (!c->dialect->search)
		skipped(c, "the protocol does not demand it");
	else if (player_send(c->player, c->dialect->search, &error) != QV_OK)
		blame(c, &error);
	else
		end_program(c, true, true);
}

/* ---- The run ---- */

/* In this order; the first two start the program, and the last three end it. */
static const struct {
	const char *name, *expected;
	void (*run)(struct check *c);
} steps[] = {
	{ "start", "the program starts", try_start },
	{ "hello", "it completes the handshake within 5 s", try_hello },
	{ "name", "it says its name", try_name },
	{ "options",
	  "each declared option has a type, a name of its own and a default in its bounds",
	  try_options },
	{ "unknown option",
	  "an option that it does not have is refused or ignored, and it plays on",
	  try_unknown_option },
	{ "new game", "it accepts a new game within 5 s", try_new_game },
	{ "depth", "a legal move after a search of depth 1", try_depth },
	{ "nodes", "a legal move after a search of 100 nodes", try_nodes },
	{ "time", "a legal move after 100 ms, and at most 1 s more", try_time },
	{ "clock", "a legal move before a clock of 3 s has run down", try_clock },
	{ "short clock", "a legal move within about 1 s when 50 ms are left", try_short_clock },
	{ "game", "legal moves during a game", try_game },
	{ "position", "a legal move in a position that is sent without moves", try_position },
	{ "line", "its line consists of legal moves", try_line },
	{ "stop", "a legal move within 1 s of a stop", try_stop },
	{ "stop at once", "a legal move if the stop follows the question at once",
	  try_stop_at_once },
	{ "one answer", "one answer to one question", try_once },
	{ "ready", "it answers isready during a search, and still moves", try_ready },
	{ "unknown line", "a line without meaning is refused or ignored, and it plays on",
	  try_unknown_line },
	{ "bad position", "a malformed position is refused or ignored, and it plays on",
	  try_bad_position },
	{ "games", "three more games, one after the other", try_games },
	{ "quit", "it ends within 2 s, with exit status 0 and no more output", try_quit },
	{ "end of input", "it ends within 2 s when its input ends", try_end_of_input },
	{ "quit in a search", "it ends within 2 s although it searches", try_quit_searching },
};
enum { STEPS = sizeof steps / sizeof *steps, FIRST_STEPS = 2 };

const char *engine_check_step(int number)
{
	return number >= 0 && number < STEPS ? steps[number].name : NULL;
}

/* A program that a step has ended is started again; false: it cannot be. */
static bool revive(struct check *c)
{
	struct qv_error error = { "" };
	if (player_ready(c->player, &error) == QV_OK)
		return true;
	blame(c, &error);
	c->dead = player_fault(c->player) == FAULT_START;
	return false;
}

static void run_step(struct check *c, int i)
{
	const int64_t from = clock_us();
	const bool goes_on = steps[i].run == try_hello; /* its dialogue was that of the start */
	c->step.result = CHECK_PASSED;
	c->step.why[0] = '\0';
	c->step.line_count = goes_on ? c->step.line_count : 0;
	c->step.left_out = goes_on ? c->step.left_out : 0;
	c->step.name = steps[i].name;
	c->step.expected = steps[i].expected;
	c->came = c->answers = 0;
	if (c->dead)
		skipped(c, "not tried: it could not be started");
	else if (i < FIRST_STEPS || revive(c))
		steps[i].run(c);
	c->step.seconds = (double)(clock_us() - from) / 1e6;
}

enum qv_status engine_check(const struct qv_context *context, const struct qv_rules *rules,
			    const char *spec, const struct check_run *run, struct check_totals *out,
			    struct qv_error *error)
{
	const struct qv_allocator *allocator = context_allocator(context);
	const struct qv_defaults defaults = { .size = sizeof defaults, .seed = 1, .threads = 1 };
	struct check *c = mem_new(allocator, 1, sizeof *c); /* too large for the stack */
	struct engine_log *log = NULL;
	*out = (struct check_totals){ 0 };
	if (!c)
		return qv_fail(error, QV_NO_MEMORY, "engine check: out of memory");
	c->context = context;
	c->rules = rules;
	c->random = (struct qv_random){ 1, 0 };
	c->patience_ms = run->patience_ms ? run->patience_ms : CHECK_PATIENCE_MS;
	enum qv_status status = player_open(context, rules, spec, &defaults, &c->player, error);
	if (status == QV_OK && !player_protocol(c->player))
		status = qv_fail(error, QV_UNSUPPORTED,
				 "player '%.60s': not a program; write PROTOCOL:PROGRAM, as in "
				 "uci:stockfish",
				 spec);
	if (status == QV_OK)
		status = engine_log_tap(&log, allocator, &(struct engine_tap){ take_line, c },
					error);
	if (status == QV_OK) {
		c->ops = player_protocol(c->player);
		c->dialect = find_dialect(c->ops);
		player_log_to(c->player, log, "engine");
	}
	for (int i = 0; status == QV_OK && i < STEPS; i++) {
		if (run->only && i >= FIRST_STEPS && strcmp(run->only, steps[i].name) != 0)
			continue;
		if (flag_is_set(run->stop)) {
			status = qv_fail(error, QV_STOPPED, "engine check: stopped");
			break;
		}
		run_step(c, i);
		out->passed += c->step.result == CHECK_PASSED;
		out->failed += c->step.result == CHECK_FAILED;
		out->advice += c->step.result == CHECK_ADVICE;
		out->skipped += c->step.result == CHECK_SKIPPED;
		run->step(run->ctx, &c->step);
	}
	if (c->player) {
		snprintf(out->name, sizeof out->name, "%.63s", player_engine_name(c->player));
		player_log_to(c->player, NULL, NULL);
	}
	qv_player_free(c->player);
	engine_log_close(log);
	game_session_release(&c->game);
	mem_free(allocator, c, sizeof *c);
	return status;
}
