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
static enum qv_status player_of(struct thinker *t, const char *spec, struct qv_player **out,
				struct qv_error *error)
{
	char with_book[2 * THINKER_SPEC + 16];
	const bool booked = t->set.book[0] && t->set.own_book && !t->set.analyse;
	const struct qv_defaults defaults = { .seed = (uint64_t)t->set.seed,
					      .threads = (int)t->set.threads,
					      .hash_mb = (int)t->set.hash_mb,
					      .tables = t->tables };
	if (booked)
		snprintf(with_book, sizeof with_book, "%s%sbook=%s", spec,
			 strchr(spec, ':') ? "," : ":", t->set.book);
	return qv_player_new(t->context, &t->rules, booked ? with_book : spec, &defaults, out,
			     error);
}

static enum qv_status new_player(struct thinker *t, struct qv_player **out, struct qv_error *error)
{
	char own[STRONGEST_SPEC];
	if (t->set.limited && context_rated(t->rules.game, (int)t->set.elo, own))
		return player_of(t, own, out, error);
	if (t->set.spec[0])
		return player_of(t, t->set.spec, out, error);
	strongest_player(t->rules.game, "depth=100", own);
	return player_of(t, own, out, error);
}

enum qv_status thinker_ready(struct thinker *t, struct qv_error *error)
{
	return t->player ? QV_OK : new_player(t, &t->player, error);
}

static void drop_player(struct thinker *t)
{
	qv_player_free(t->player);
	t->player = NULL;
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
static enum qv_status try_book(struct thinker *t, struct qv_error *error)
{
	const int64_t own_book = t->set.own_book, analyse = t->set.analyse;
	struct qv_player *made = NULL;
	if (strchr(t->set.book, ','))
		return qv_fail(error, QV_BAD_INPUT,
			       "book: its name has a comma, or more than %zu characters",
			       sizeof t->set.book - 1);
	t->set.own_book = 1;
	t->set.analyse = 0;
	const enum qv_status status = new_player(t, &made, error);
	t->set.own_book = own_book;
	t->set.analyse = analyse;
	qv_player_free(made);
	return status;
}

/* The settings were `before`: makes the rest of the engine follow, or takes the change back. */
static enum qv_status follow(struct thinker *t, const struct engine_settings *before,
			     struct qv_error *error)
{
	struct qv_player *made = NULL;
	enum qv_status status = QV_OK;
	const bool spec = strcmp(t->set.spec, before->spec) != 0;
	const bool book = strcmp(t->set.book, before->book) != 0;
	if (spec && t->set.spec[0])
		status = player_of(t, t->set.spec, &made, error);
	if (book)
		status = try_book(t, error);
	if (status != QV_OK) {
		t->set = *before;
		return status;
	}
	if (spec || book || !same_player(&t->set, before))
		drop_player(t);
	if (made && !t->set.limited)
		t->player = made;
	else
		qv_player_free(made); /* it is not its turn */
	if (t->set.clear_hash && t->player)
		qv_player_new_game(t->player);
	t->set.clear_hash = false;
	t->set.ponder = 0; /* each search says itself whether it ponders */
	return QV_OK;
}

enum qv_status thinker_set(struct thinker *t, const struct option *option, const char *text,
			   struct qv_error *error)
{
	const struct engine_settings before = t->set;
	struct option row;
	if (!engine_option_here(t, option, &row))
		return qv_fail(error, QV_UNSUPPORTED, "%s: it is not for this game", option->name);
	const char *value = text;
	if (row.type == OPTION_SWITCH && (text_same(text, "true") || text_same(text, "false")))
		value = text_same(text, "true") ? "1" : "0";
	if (row.type == OPTION_TEXT && !*text)
		((char *)t)[row.at] = '\0';
	else if (option_read(&row, t, value, NULL) != QV_OK)
		return bad_value(&row, text, error);
	return follow(t, &before, error);
}

void thinker_analyse(struct thinker *t, bool analyse)
{
	const struct engine_settings before = t->set;
	t->set.analyse = analyse;
	follow(t, &before, NULL);
}

/* ---- The game ---- */

static bool same_rules(const struct qv_rules *a, const struct qv_rules *b)
{
	return a->game == b->game && memcmp(a->options, b->options, sizeof a->options) == 0;
}

enum qv_status thinker_new_game(struct thinker *t, const char *game, struct qv_error *error)
{
	struct qv_rules rules;
	struct qv_record *record;
	enum qv_status status = qv_rules_parse(t->context, game, &rules, error);
	if (status == QV_OK)
		status = qv_record_new(t->context, &rules, NULL, &record, error);
	if (status != QV_OK)
		return status;
	void *scratch = qv_state_new(t->context, rules.game);
	if (!scratch) {
		qv_record_free(record);
		return qv_fail(error, QV_NO_MEMORY, "game: out of memory");
	}
	/* The same game again needs no other player: tables are dear to make. */
	struct qv_player *player = same_rules(&rules, &t->rules) ? t->player : NULL;
	if (player) {
		qv_player_new_game(player);
		t->player = NULL;
	}
	thinker_release(t);
	t->rules = rules;
	t->record = record;
	t->scratch = scratch;
	t->player = player;
	return QV_OK;
}

enum qv_status thinker_position(struct thinker *t, const char *position, struct qv_error *error)
{
	struct qv_record *record;
	const enum qv_status status =
		qv_record_new(t->context, &t->rules, position, &record, error);
	if (status != QV_OK)
		return status;
	qv_record_free(t->record);
	t->record = record;
	return QV_OK;
}

const void *thinker_state(const struct thinker *t)
{
	return qv_record_state(t->record);
}

bool thinker_over(const struct thinker *t)
{
	int32_t points[QV_MAX_SEATS];
	return qv_record_result(t->record, points) != QV_GOING;
}

enum qv_status thinker_play(struct thinker *t, const char *text, struct qv_error *error)
{
	qv_move move;
	if (thinker_over(t))
		return qv_fail(error, QV_ILLEGAL, "move '%.60s': the game has ended", text);
	const enum qv_status status =
		qv_move_parse(t->rules.game, thinker_state(t), text, &move, error);
	return status == QV_OK ? qv_record_play(t->record, move, -1, error) : status;
}

enum qv_status thinker_undo(struct thinker *t, int plies, struct qv_error *error)
{
	if (plies > qv_record_ply(t->record))
		return qv_fail(error, QV_ILLEGAL, "undo %d: only %d moves were played", plies,
			       qv_record_ply(t->record));
	return qv_record_undo(t->record, plies, NULL);
}

enum qv_status thinker_play_on(struct thinker *t, struct qv_error *error)
{
	char text[QV_POSITION_TEXT] = "", again[QV_POSITION_TEXT] = "", *rest = text;
	struct qv_text out = { text, sizeof text, 0 }, to = { again, sizeof again, 0 };
	t->rules.game->position_text(thinker_state(t), &out);
	for (int field = 1; *rest; field++) {
		int64_t number;
		const char *word = words_next(&rest);
		/* The fifth word of a FEN counts the moves without progress. */
		const bool counts = field == 5 && text_to_int(word, 0, INT32_MAX, &number);
		if (field > 1)
			qv_put_char(&to, ' ');
		qv_put(&to, counts ? "0" : word);
	}
	return thinker_position(t, again, error);
}

struct thinker_move thinker_move(const struct qv_game *game, const void *state, qv_move move)
{
	struct thinker_move out = { "" };
	struct qv_text text = { out.text, sizeof out.text, 0 };
	game->move_text(state, move, &text);
	return out;
}

struct thinker_move thinker_reply(const struct thinker *t)
{
	const struct qv_game *game = t->rules.game;
	const struct qv_answer *a = &t->answer;
	const struct thinker_move none = { "" };
	memcpy(t->scratch, thinker_state(t), game->state_size);
	if (a->line_length < 2 || a->line[0] != a->move)
		return none;
	game->play(t->scratch, a->move);
	if (!qv_move_legal(game, t->scratch, a->line[1]))
		return none;
	return thinker_move(game, t->scratch, a->line[1]);
}

void thinker_add_line(const struct thinker *t, const struct qv_answer *answer,
		      const char *separator, struct string *out)
{
	const struct qv_game *game = t->rules.game;
	memcpy(t->scratch, thinker_state(t), game->state_size);
	for (int i = 0; i < answer->line_length; i++) {
		if (!qv_move_legal(game, t->scratch, answer->line[i]))
			return;
		string_addf(out, "%s%s", i ? separator : "",
			    thinker_move(game, t->scratch, answer->line[i]).text);
		game->play(t->scratch, answer->line[i]);
	}
}

/* ---- Thinking ---- */

static int64_t least(int64_t a, int64_t b)
{
	return a && b ? (a < b ? a : b) : a + b; /* 0 is no limit */
}

static void set_limits(struct thinker *t, const struct thinker_limits *asked)
{
	const int seat = t->rules.game->seat(thinker_state(t));
	const int64_t time_ms = least(asked->time_ms, t->set.time_ms);
	t->limits = (struct qv_limits){ .depth = (int)least(asked->depth, t->set.depth),
					.nodes = (uint64_t)least(asked->nodes, t->set.nodes),
					.evals = (uint64_t)asked->evals,
					.time_ms = time_ms,
					.stop = &t->stop };
	if (asked->clocks) {
		const struct allot_clock clock = { .left_ms = asked->left_ms[seat],
						   .added_ms = asked->added_ms[seat],
						   .moves = asked->moves_to_go,
						   .lag_ms = t->set.lag_ms };
		allot(&clock, &t->limits);
	}
	const bool limited = asked->mate || t->limits.depth || t->limits.nodes || t->limits.evals ||
			     t->limits.time_ms;
	if (!limited && !t->set.spec[0] && !asked->infinite)
		t->limits.time_ms = DEFAULT_MS; /* a chosen player has limits of its own */
	t->limits.history = qv_record_history(t->record, &t->limits.history_count);
	t->infinite = asked->infinite;
	t->mate = asked->mate;
	t->limits.only_count = asked->only_count < QV_MAX_MOVES ? asked->only_count : QV_MAX_MOVES;
	if (t->limits.only_count)
		t->limits.only = memcpy(t->only, asked->only,
					(size_t)t->limits.only_count * sizeof *t->only);
	atomic_store(&t->ponder, asked->ponder);
	if (asked->ponder)
		t->limits.ponder = &t->ponder;
}

static void begin(struct thinker *t, enum thinker_task task)
{
	t->task = task;
	t->status = QV_OK;
	t->error.text[0] = '\0';
	atomic_store(&t->stop, false);
}

enum qv_status thinker_go(struct thinker *t, const struct thinker_limits *limits,
			  struct qv_error *error)
{
	if (thinker_over(t))
		return qv_fail(error, QV_ILLEGAL, "go: the game has ended");
	const enum qv_status status = thinker_ready(t, error);
	if (status != QV_OK)
		return status;
	set_limits(t, limits);
	begin(t, TASK_MOVE);
	return QV_OK;
}

enum qv_status thinker_solve(struct thinker *t, bool distance, struct qv_error *error)
{
	const struct qv_game *game = t->rules.game;
	if (game->seats != 2 || game->chance)
		return qv_fail(error, QV_UNSUPPORTED,
			       "solve: only games of two seats without chance are solved");
	if (thinker_over(t))
		return qv_fail(error, QV_ILLEGAL, "solve: the game has ended");
	t->distance = distance;
	begin(t, TASK_SOLVE);
	return QV_OK;
}

static void solve(struct thinker *t)
{
	const size_t hash = (size_t)t->set.hash_mb << 20;
	const struct qv_solve_limits limits = { .distance = t->distance, .stop = &t->stop };
	struct qv_solver *solver = NULL;
	t->status = qv_solver_new(t->context, &t->rules, hash, &solver, &t->error);
	if (t->status == QV_OK)
		t->status = qv_solver_solve(solver, thinker_state(t), &limits, &t->solution,
					    &t->error);
	qv_solver_free(solver);
}

void thinker_hold(struct thinker *t, const struct thinker_limits *limits)
{
	t->infinite = limits->infinite;
	atomic_store(&t->ponder, limits->ponder);
	begin(t, TASK_HOLD);
}

void thinker_perft(struct thinker *t, int depth)
{
	t->perft_depth = depth;
	begin(t, TASK_PERFT);
}

static void perft(struct thinker *t)
{
	const struct qv_game *game = t->rules.game;
	const struct qv_perft_limits limits = { .depth = t->perft_depth - 1,
						.threads = (int)t->set.threads,
						.stop = &t->stop };
	const int count = game->moves(thinker_state(t), t->only);
	for (t->perft_count = 0; t->status == QV_OK && t->perft_count < count; t->perft_count++) {
		memcpy(t->scratch, thinker_state(t), game->state_size);
		game->play(t->scratch, t->only[t->perft_count]);
		t->status = qv_perft(t->context, game, t->scratch, &limits,
				     &t->perft_leaves[t->perft_count], &t->error);
	}
}

/* Some protocols forbid an answer before the stop, however much is known. */
static void wait_for_stop(const struct thinker *t)
{
	const struct timespec moment = { 0, 2000000 };
	while (!atomic_load(&t->stop) && (t->infinite || atomic_load(&t->ponder)))
		nanosleep(&moment, NULL);
}

void thinker_ponderhit(struct thinker *t)
{
	atomic_store(&t->ponder, false);
}

struct run {
	struct thinker *thinker;
	const struct thinker_ear *ear;
};

static void pass_on(const struct run *r, int line, const struct qv_answer *so_far)
{
	struct thinker *t = r->thinker;
	if (r->ear)
		r->ear->hear(r->ear->ctx, line, so_far);
	if (t->mate && line == 1 && !so_far->bound && so_far->score >= QV_WIN - t->mate)
		atomic_store(&t->stop, true);
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
		r->thinker->answer = *so_far;
	pass_on(r, line, so_far);
	return QV_OK;
}

static enum qv_status run_lines(struct run *r)
{
	struct thinker *t = r->thinker;
	const struct analysis_setup setup = {
		.allocator = t->allocator,
		.player = t->player,
		.spec = t->set.spec[0] ? t->set.spec : "the strongest",
		.game = t->rules.game,
		.state = thinker_state(t),
		.lines = (int)t->set.lines,
		.limits = t->limits,
		.report = take_line,
		.root_move = r->ear && r->ear->root_move ? take_root_move : NULL,
		.ctx = r,
	};
	t->answer = (struct qv_answer){ .move = QV_NO_MOVE };
	const enum qv_status status = analysis_run(&setup, &t->error);
	/* Some players have one move alone, whatever is left out; that one is known. */
	return status == QV_UNSUPPORTED && t->answer.move != QV_NO_MOVE ? QV_OK : status;
}

void thinker_run(struct thinker *t, const struct thinker_ear *ear)
{
	struct run run = { .thinker = t, .ear = ear };
	const struct qv_listener listener = {
		.iteration = take_iteration,
		.bound = ear && ear->bounds ? take_iteration : NULL,
		.root_move = ear && ear->root_move ? take_root_move : NULL,
		.ctx = &run,
	};
	if (t->task == TASK_SOLVE || t->task == TASK_PERFT) {
		if (t->task == TASK_SOLVE)
			solve(t);
		else
			perft(t);
		return;
	}
	if (t->task == TASK_HOLD)
		t->answer = (struct qv_answer){ .move = QV_NO_MOVE };
	else if (t->set.lines > 1)
		t->status = run_lines(&run);
	else
		t->status = qv_player_think(t->player, thinker_state(t), &t->limits,
					    ear || t->mate ? &listener : NULL, &t->answer,
					    &t->error);
	wait_for_stop(t);
}

/* ---- Life ---- */

enum qv_status thinker_init(struct thinker *t, const struct wire_setup *setup,
			    struct qv_error *error)
{
	*t = (struct thinker){ .context = setup->context,
			       .allocator = context_allocator(setup->context),
			       .tables = setup->defaults.tables,
			       .set = { .hash_mb = setup->defaults.hash_mb,
					.threads = setup->defaults.threads,
					.seed = (int64_t)setup->defaults.seed,
					.lines = 1,
					.lag_ms = ALLOT_LAG_MS,
					.elo = DEFAULT_ELO,
					.own_book = 1 } };
	enum qv_status status = thinker_new_game(t, setup->game, error);
	if (status == QV_OK && setup->player)
		status = thinker_set(t, engine_option_find(qgp_options, "player"), setup->player,
				     error);
	if (status != QV_OK)
		thinker_release(t);
	return status;
}

void thinker_release(struct thinker *t)
{
	drop_player(t);
	qv_record_free(t->record);
	if (t->scratch)
		qv_state_free(t->context, t->rules.game, t->scratch);
	t->record = NULL;
	t->scratch = NULL;
}
