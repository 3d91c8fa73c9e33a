/*
 * engine_session.c - what an engine holds behind any protocol: game, options, player, the task at hand.
 * SPDX-License-Identifier: MIT
 */
#include "protocols/engine_session.h"

#include <time.h>

#include "core/context.h"
#include "protocols/engine_options.h"
#include "protocols/words.h"
#include "search/allot.h"
#include "search/analysis.h"

enum { DEFAULT_MS = 1000, DEFAULT_ELO = 1500 };

/* ---- The player ---- */

/* A player of the spec, with the book if it is used. */
static enum qv_status player_of(struct engine_session *e, const char *spec, struct qv_player **out,
				struct qv_error *error)
{
	char with_book[2 * ENGINE_SPEC + 16];
	const bool booked = e->set.book[0] && e->set.own_book && !e->set.analyse;
	const struct qv_defaults defaults = { .seed = (uint64_t)e->set.seed,
					      .threads = (int)e->set.threads,
					      .hash_mb = (int)e->set.hash_mb,
					      .tables = e->tables };
	if (booked)
		snprintf(with_book, sizeof with_book, "%s%sbook=%s", spec,
			 strchr(spec, ':') ? "," : ":", e->set.book);
	return qv_player_new(e->context, &e->rules, booked ? with_book : spec, &defaults, out,
			     error);
}

static enum qv_status new_player(struct engine_session *e, struct qv_player **out,
				 struct qv_error *error)
{
	char own[STRONGEST_SPEC];
	if (e->set.limited && context_rated(e->rules.game, (int)e->set.elo, own))
		return player_of(e, own, out, error);
	if (e->set.spec[0])
		return player_of(e, e->set.spec, out, error);
	strongest_player(e->rules.game, "depth=100", own);
	return player_of(e, own, out, error);
}

enum qv_status engine_ready(struct engine_session *e, struct qv_error *error)
{
	return e->player ? QV_OK : new_player(e, &e->player, error);
}

static void drop_player(struct engine_session *e)
{
	qv_player_free(e->player);
	e->player = NULL;
}

/* ---- Options ---- */

/* The text is not a value of the option; the wording is part of the protocols. */
static enum qv_status bad_value(const struct option *o, const char *text, struct qv_error *error)
{
	switch (o->type) {
	case OPTION_SWITCH:
		return qv_fail(error, QV_BAD_INPUT, "%s: '%.40s' is neither true nor false",
			       o->name, text);
	case OPTION_TEXT:
		return qv_fail(error, QV_BAD_INPUT, "%s: longer than %zu characters", o->name,
			       o->size - 1);
	default:
		return qv_fail(error, QV_BAD_INPUT,
			       "%s: '%.40s' is not a whole number from %lld to %lld", o->name, text,
			       (long long)o->min, (long long)o->max);
	}
}

/* Whether a player made with one is still the player for the other; spec and book aside. */
static bool same_player(const struct engine_settings *a, const struct engine_settings *b)
{
	return a->hash_mb == b->hash_mb && a->threads == b->threads && a->seed == b->seed &&
	       a->depth == b->depth && a->nodes == b->nodes && a->time_ms == b->time_ms &&
	       a->limited == b->limited && (!a->limited || a->elo == b->elo) &&
	       (!a->book[0] || (a->own_book && !a->analyse) == (b->own_book && !b->analyse));
}

/* A new book is tried out as if it were used. */
static enum qv_status try_book(struct engine_session *e, struct qv_error *error)
{
	const int64_t own_book = e->set.own_book, analyse = e->set.analyse;
	struct qv_player *made = NULL;
	if (strchr(e->set.book, ','))
		return qv_fail(error, QV_BAD_INPUT,
			       "book: its name has a comma, or more than %zu characters",
			       sizeof e->set.book - 1);
	e->set.own_book = 1;
	e->set.analyse = 0;
	const enum qv_status status = new_player(e, &made, error);
	e->set.own_book = own_book;
	e->set.analyse = analyse;
	qv_player_free(made);
	return status;
}

/* The settings were `before`: makes the rest of the engine follow, or takes the change back. */
static enum qv_status follow(struct engine_session *e, const struct engine_settings *before,
			     struct qv_error *error)
{
	struct qv_player *made = NULL;
	enum qv_status status = QV_OK;
	const bool spec = strcmp(e->set.spec, before->spec) != 0;
	const bool book = strcmp(e->set.book, before->book) != 0;
	if (spec && e->set.spec[0])
		status = player_of(e, e->set.spec, &made, error);
	if (book)
		status = try_book(e, error);
	if (status != QV_OK) {
		e->set = *before;
		return status;
	}
	if (spec || book || !same_player(&e->set, before))
		drop_player(e);
	if (made && !e->set.limited)
		e->player = made;
	else
		qv_player_free(made); /* it is not its turn */
	if (e->set.clear_hash && e->player)
		qv_player_new_game(e->player);
	e->set.clear_hash = false;
	e->set.ponder = 0; /* each search says itself whether it ponders */
	return QV_OK;
}

enum qv_status engine_set(struct engine_session *e, const struct option *option, const char *text,
			  struct qv_error *error)
{
	const struct engine_settings before = e->set;
	struct option row;
	if (!engine_option_here(e, option, &row))
		return qv_fail(error, QV_UNSUPPORTED, "%s: it is not for this game", option->name);
	const char *value = text;
	if (row.type == OPTION_SWITCH && (text_same(text, "true") || text_same(text, "false")))
		value = text_same(text, "true") ? "1" : "0";
	if (row.type == OPTION_TEXT && !*text)
		((char *)e)[row.at] = '\0';
	else if (option_read(&row, e, value, NULL) != QV_OK)
		return bad_value(&row, text, error);
	return follow(e, &before, error);
}

void engine_analyse(struct engine_session *e, bool analyse)
{
	const struct engine_settings before = e->set;
	e->set.analyse = analyse;
	follow(e, &before, NULL);
}

/* ---- The game ---- */

static bool same_rules(const struct qv_rules *a, const struct qv_rules *b)
{
	return a->game == b->game && memcmp(a->options, b->options, sizeof a->options) == 0;
}

enum qv_status engine_new_game(struct engine_session *e, const char *game, struct qv_error *error)
{
	struct qv_rules rules;
	struct qv_record *record;
	enum qv_status status = qv_rules_parse(e->context, game, &rules, error);
	if (status == QV_OK)
		status = qv_record_new(e->context, &rules, NULL, &record, error);
	if (status != QV_OK)
		return status;
	void *scratch = qv_state_new(e->context, rules.game);
	if (!scratch) {
		qv_record_free(record);
		return qv_fail(error, QV_NO_MEMORY, "game: out of memory");
	}
	/* The same game again needs no other player: tables are dear to make. */
	struct qv_player *player = same_rules(&rules, &e->rules) ? e->player : NULL;
	if (player) {
		qv_player_new_game(player);
		e->player = NULL;
	}
	engine_release(e);
	e->rules = rules;
	e->record = record;
	e->scratch = scratch;
	e->player = player;
	return QV_OK;
}

enum qv_status engine_position(struct engine_session *e, const char *position,
			       struct qv_error *error)
{
	struct qv_record *record;
	const enum qv_status status =
		qv_record_new(e->context, &e->rules, position, &record, error);
	if (status != QV_OK)
		return status;
	qv_record_free(e->record);
	e->record = record;
	return QV_OK;
}

const void *engine_state(const struct engine_session *e)
{
	return qv_record_state(e->record);
}

bool engine_over(const struct engine_session *e)
{
	int32_t points[QV_MAX_SEATS];
	return qv_record_result(e->record, points) != QV_GOING;
}

enum qv_status engine_play(struct engine_session *e, const char *text, struct qv_error *error)
{
	qv_move move;
	if (engine_over(e))
		return qv_fail(error, QV_ILLEGAL, "move '%.60s': the game has ended", text);
	const enum qv_status status =
		qv_move_parse(e->rules.game, engine_state(e), text, &move, error);
	return status == QV_OK ? qv_record_play(e->record, move, -1, error) : status;
}

enum qv_status engine_undo(struct engine_session *e, int plies, struct qv_error *error)
{
	if (plies > qv_record_ply(e->record))
		return qv_fail(error, QV_ILLEGAL, "undo %d: only %d moves were played", plies,
			       qv_record_ply(e->record));
	return qv_record_undo(e->record, plies, NULL);
}

enum qv_status engine_play_on(struct engine_session *e, struct qv_error *error)
{
	char text[QV_POSITION_TEXT] = "", again[QV_POSITION_TEXT] = "", *rest = text;
	struct qv_text out = { text, sizeof text, 0 }, to = { again, sizeof again, 0 };
	e->rules.game->position_text(engine_state(e), &out);
	for (int field = 1; *rest; field++) {
		int64_t number;
		const char *word = words_next(&rest);
		/* The fifth word of a FEN counts the moves without progress. */
		const bool counts = field == 5 && text_to_int(word, 0, INT32_MAX, &number);
		if (field > 1)
			qv_put_char(&to, ' ');
		qv_put(&to, counts ? "0" : word);
	}
	return engine_position(e, again, error);
}

struct move_text move_text(const struct qv_game *game, const void *state, qv_move move)
{
	struct move_text out = { "" };
	struct qv_text text = { out.text, sizeof out.text, 0 };
	game->move_text(state, move, &text);
	return out;
}

struct move_text engine_reply(const struct engine_session *e)
{
	const struct qv_game *game = e->rules.game;
	const struct qv_answer *a = &e->answer;
	const struct move_text none = { "" };
	memcpy(e->scratch, engine_state(e), game->state_size);
	if (a->line_length < 2 || a->line[0] != a->move)
		return none;
	game->play(e->scratch, a->move);
	if (!qv_move_legal(game, e->scratch, a->line[1]))
		return none;
	return move_text(game, e->scratch, a->line[1]);
}

void engine_add_line(const struct engine_session *e, const struct qv_answer *answer,
		     const char *separator, struct string *out)
{
	const struct qv_game *game = e->rules.game;
	memcpy(e->scratch, engine_state(e), game->state_size);
	for (int i = 0; i < answer->line_length; i++) {
		if (!qv_move_legal(game, e->scratch, answer->line[i]))
			return;
		string_addf(out, "%s%s", i ? separator : "",
			    move_text(game, e->scratch, answer->line[i]).text);
		game->play(e->scratch, answer->line[i]);
	}
}

/* ---- Thinking ---- */

static int64_t least(int64_t a, int64_t b)
{
	return a && b ? (a < b ? a : b) : a + b; /* 0 is no limit */
}

static void set_limits(struct engine_session *e, const struct engine_limits *asked)
{
	const int seat = e->rules.game->seat(engine_state(e));
	const int64_t time_ms = least(asked->time_ms, e->set.time_ms);
	e->limits = (struct qv_limits){ .depth = (int)least(asked->depth, e->set.depth),
					.nodes = (uint64_t)least(asked->nodes, e->set.nodes),
					.evals = (uint64_t)asked->evals,
					.time_ms = time_ms,
					.stop = &e->stop };
	if (asked->clocks) {
		const struct allot_clock clock = { .left_ms = asked->left_ms[seat],
						   .added_ms = asked->added_ms[seat],
						   .moves = asked->moves_to_go,
						   .lag_ms = e->set.lag_ms };
		allot(&clock, &e->limits);
	}
	const bool limited = asked->mate || e->limits.depth || e->limits.nodes || e->limits.evals ||
			     e->limits.time_ms;
	if (!limited && !e->set.spec[0] && !asked->infinite)
		e->limits.time_ms = DEFAULT_MS; /* a chosen player has limits of its own */
	e->limits.history = qv_record_history(e->record, &e->limits.history_count);
	e->infinite = asked->infinite;
	e->mate = asked->mate;
	e->limits.only_count = asked->only_count < QV_MAX_MOVES ? asked->only_count : QV_MAX_MOVES;
	if (e->limits.only_count)
		e->limits.only = memcpy(e->only, asked->only,
					(size_t)e->limits.only_count * sizeof *e->only);
	atomic_store(&e->ponder, asked->ponder);
	if (asked->ponder)
		e->limits.ponder = &e->ponder;
}

static void begin(struct engine_session *e, enum engine_task task)
{
	e->task = task;
	e->status = QV_OK;
	e->error.text[0] = '\0';
	atomic_store(&e->stop, false);
}

enum qv_status engine_go(struct engine_session *e, const struct engine_limits *limits,
			 struct qv_error *error)
{
	if (engine_over(e))
		return qv_fail(error, QV_ILLEGAL, "go: the game has ended");
	const enum qv_status status = engine_ready(e, error);
	if (status != QV_OK)
		return status;
	set_limits(e, limits);
	begin(e, TASK_MOVE);
	return QV_OK;
}

enum qv_status engine_solve(struct engine_session *e, bool distance, struct qv_error *error)
{
	const struct qv_game *game = e->rules.game;
	if (game->seats != 2 || game->chance)
		return qv_fail(error, QV_UNSUPPORTED,
			       "solve: only games of two seats without chance are solved");
	if (engine_over(e))
		return qv_fail(error, QV_ILLEGAL, "solve: the game has ended");
	e->distance = distance;
	begin(e, TASK_SOLVE);
	return QV_OK;
}

static void solve(struct engine_session *e)
{
	const size_t hash = (size_t)e->set.hash_mb << 20;
	const struct qv_solve_limits limits = { .distance = e->distance, .stop = &e->stop };
	struct qv_solver *solver = NULL;
	e->status = qv_solver_new(e->context, &e->rules, hash, &solver, &e->error);
	if (e->status == QV_OK)
		e->status =
			qv_solver_solve(solver, engine_state(e), &limits, &e->solution, &e->error);
	qv_solver_free(solver);
}

void engine_hold(struct engine_session *e, const struct engine_limits *limits)
{
	e->infinite = limits->infinite;
	atomic_store(&e->ponder, limits->ponder);
	begin(e, TASK_HOLD);
}

void engine_perft(struct engine_session *e, int depth)
{
	e->perft_depth = depth;
	begin(e, TASK_PERFT);
}

static void perft(struct engine_session *e)
{
	const struct qv_game *game = e->rules.game;
	const struct qv_perft_limits limits = { .depth = e->perft_depth - 1,
						.threads = (int)e->set.threads,
						.stop = &e->stop };
	const int count = game->moves(engine_state(e), e->only);
	for (e->perft_count = 0; e->status == QV_OK && e->perft_count < count; e->perft_count++) {
		memcpy(e->scratch, engine_state(e), game->state_size);
		game->play(e->scratch, e->only[e->perft_count]);
		e->status = qv_perft(e->context, game, e->scratch, &limits,
				     &e->perft_leaves[e->perft_count], &e->error);
	}
}

/* Some protocols forbid an answer before the stop, however much is known. */
static void wait_for_stop(const struct engine_session *e)
{
	const struct timespec moment = { 0, 2000000 };
	while (!atomic_load(&e->stop) && (e->infinite || atomic_load(&e->ponder)))
		nanosleep(&moment, NULL);
}

void engine_ponderhit(struct engine_session *e)
{
	atomic_store(&e->ponder, false);
}

struct run {
	struct engine_session *engine;
	const struct engine_listener *ear;
};

static void pass_on(const struct run *r, int line, const struct qv_answer *so_far)
{
	struct engine_session *e = r->engine;
	if (r->ear)
		r->ear->hear(r->ear->ctx, line, so_far);
	if (e->mate && line == 1 && !so_far->bound && so_far->score >= QV_WIN - e->mate)
		atomic_store(&e->stop, true);
}

static void take_iteration(void *ctx, const struct qv_answer *so_far)
{
	pass_on(ctx, 1, so_far);
}

static void take_root_move(void *ctx, qv_move move, int n, int depth)
{
	const struct run *r = ctx;
	r->ear->root_move(r->ear->ctx, move, n, depth);
}

static enum qv_status take_line(void *ctx, int line, const struct qv_answer *so_far,
				struct qv_error *error)
{
	const struct run *r = ctx;
	(void)error;
	if (line == 1)
		r->engine->answer = *so_far;
	pass_on(r, line, so_far);
	return QV_OK;
}

static enum qv_status run_lines(struct run *r)
{
	struct engine_session *e = r->engine;
	const struct analysis_setup setup = {
		.allocator = e->allocator,
		.player = e->player,
		.spec = e->set.spec[0] ? e->set.spec : "the strongest",
		.game = e->rules.game,
		.state = engine_state(e),
		.lines = (int)e->set.lines,
		.limits = e->limits,
		.report = take_line,
		.root_move = r->ear && r->ear->root_move ? take_root_move : NULL,
		.ctx = r,
	};
	e->answer = (struct qv_answer){ .move = QV_NO_MOVE };
	const enum qv_status status = analysis_run(&setup, &e->error);
	/* Some players have one move alone, whatever is left out; that one is known. */
	return status == QV_UNSUPPORTED && e->answer.move != QV_NO_MOVE ? QV_OK : status;
}

void engine_run(struct engine_session *e, const struct engine_listener *ear)
{
	struct run run = { .engine = e, .ear = ear };
	const struct qv_listener listener = {
		.iteration = take_iteration,
		.bound = ear && ear->bounds ? take_iteration : NULL,
		.root_move = ear && ear->root_move ? take_root_move : NULL,
		.ctx = &run,
	};
	if (e->task == TASK_SOLVE || e->task == TASK_PERFT) {
		if (e->task == TASK_SOLVE)
			solve(e);
		else
			perft(e);
		return;
	}
	if (e->task == TASK_HOLD)
		e->answer = (struct qv_answer){ .move = QV_NO_MOVE };
	else if (e->set.lines > 1)
		e->status = run_lines(&run);
	else
		e->status =
			qv_player_think(e->player, engine_state(e), &e->limits,
					ear || e->mate ? &listener : NULL, &e->answer, &e->error);
	wait_for_stop(e);
}

/* ---- Life ---- */

enum qv_status engine_init(struct engine_session *e, const struct connection_setup *setup,
			   struct qv_error *error)
{
	*e = (struct engine_session){ .context = setup->context,
				      .allocator = context_allocator(setup->context),
				      .tables = setup->defaults.tables,
				      .set = { .hash_mb = setup->defaults.hash_mb,
					       .threads = setup->defaults.threads,
					       .seed = (int64_t)setup->defaults.seed,
					       .lines = 1,
					       .lag_ms = ALLOT_LAG_MS,
					       .elo = DEFAULT_ELO,
					       .own_book = 1 } };
	enum qv_status status = engine_new_game(e, setup->game, error);
	if (status == QV_OK && setup->player)
		status = engine_set(e, engine_option_find(qgp_options, "player"), setup->player,
				    error);
	if (status != QV_OK)
		engine_release(e);
	return status;
}

void engine_release(struct engine_session *e)
{
	drop_player(e);
	qv_record_free(e->record);
	if (e->scratch)
		qv_state_free(e->context, e->rules.game, e->scratch);
	e->record = NULL;
	e->scratch = NULL;
}
