/*
 * search_jobs.c - the searches that workers run: a move, the best lines, exact values, the static
 * evaluation, explanations.
 * SPDX-License-Identifier: MIT
 *
 * Each job makes its own player or solver and frees it at the end: nothing is shared between jobs
 * but the endgame tables. `perfect` may be unable to solve a position in time; then the strongest
 * level of the game moves for it, so that a computer always has a move.
 *
 * A solver that has searched above the tables of a game remembers what it found. So the solver of
 * the last request is kept: the second request about an opening gets its response sooner. A job
 * that needs one while it is in use, or for other rules, opens another; the one given back last is
 * kept.
 */
#include "server/jobs/search_jobs.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/json.h"
#include "base/threads.h"
#include "core/context.h"
#include "core/expected_score.h"
#include "core/learned_moves.h"
#include "core/player.h"
#include "core/table_solver.h"
#include "formats/board_json.h"
#include "formats/evaluation_json.h"
#include "games/review_words.h"
#include "search/analysis.h"
#include "search/player.h"

enum {
	MOST_LINES = 8,
	SOLVER_MB = 16,
	MCTS_WHOLE = 1000,    /* MCTS scores are thousandths of a win */
	HASTE_MS = 50,	      /* for a move when no time is left */
	PLAYERS_KEPT = 256,   /* that are known to be valid */
	PLAYER_NAME = 128,
	TABLE_SEARCH_MB = 64, /* memory for the search above the tables */
};

/* ---- Endgame tables ---- */

struct table_lookup {
	const struct qv_context *context;
	char *folder;
	struct mutex lock;
	struct qv_solver *solver; /* the one that is kept, or NULL */
	char made[PLAYERS_KEPT][PLAYER_NAME]; /* players that were made, in a ring */
	unsigned made_at;
};

/* Opens no table yet. */
struct table_lookup *table_lookup_new(const struct qv_context *context, const char *folder)
{
	struct table_lookup *d = calloc(1, sizeof *d);
	if (!d)
		return NULL;
	d->context = context;
	d->folder = folder ? strdup(folder) : NULL;
	if (folder && !d->folder) {
		free(d);
		return NULL;
	}
	mutex_init(&d->lock);
	return d;
}

void table_lookup_free(struct table_lookup *d)
{
	if (!d)
		return;
	qv_solver_free(d->solver);
	mutex_release(&d->lock);
	free(d->folder);
	free(d);
}

/*
 * A solver for these rules, the caller's until it is given back; NULL: no tables that would help.
 */
static struct qv_solver *table_lookup_take(struct table_lookup *d, const struct qv_rules *rules)
{
	char kept[QV_POSITION_TEXT] = "", wanted[QV_POSITION_TEXT] = "";
	struct qv_text one = { kept, sizeof kept, 0 }, other = { wanted, sizeof wanted, 0 };
	struct qv_solver *solver = NULL;
	if (!rules->game->index)
		return NULL;
	qv_rules_text(rules, &other);
	mutex_lock(&d->lock);
	if (d->solver)
		qv_rules_text(&d->solver->rules, &one);
	if (d->solver && d->solver->rules.game == rules->game && strcmp(kept, wanted) == 0) {
		solver = d->solver;
		d->solver = NULL;
	}
	mutex_unlock(&d->lock);
	if (!solver && table_solver_useful(context_allocator(d->context), rules, d->folder))
		qv_solver_new_tables(d->context, rules, d->folder, (size_t)TABLE_SEARCH_MB << 20,
				     &solver, NULL);
	return solver;
}

/* NULL is fine. The solver that was kept before is freed outside the lock. */
static void table_lookup_give_back(struct table_lookup *d, struct qv_solver *solver)
{
	if (!solver)
		return;
	mutex_lock(&d->lock);
	struct qv_solver *const before = d->solver;
	d->solver = solver;
	mutex_unlock(&d->lock);
	qv_solver_free(before);
}

/* Looks at the files of the tables, so it takes some time. */
static bool has_tables(const struct table_lookup *d, const struct qv_rules *rules)
{
	return rules->game->index &&
	       table_solver_useful(context_allocator(d->context), rules, d->folder);
}

/* A game without an index of positions never has tables. */
bool table_lookup_lacks_tables(const struct table_lookup *d, const struct qv_rules *rules)
{
	return rules->game->index && table_solver_needed(context_allocator(d->context), rules) &&
	       !has_tables(d, rules);
}

/* Only two players without dice can be solved. */
bool table_lookup_makes_perfect(const struct table_lookup *d, const struct qv_rules *rules)
{
	const struct qv_game *game = rules->game;
	if (game->seats != 2 || game->chance || context_engine(game)->tables_alone)
		return false;
	return game->solved ? !table_lookup_lacks_tables(d, rules) : has_tables(d, rules);
}

/* ---- Players that were made before ---- */

/* "GAME SPEC". False: too long to be remembered. */
static bool player_name(const struct qv_rules *rules, const char *spec, char name[PLAYER_NAME])
{
	struct qv_text out = { name, PLAYER_NAME, 0 };
	name[0] = '\0';
	qv_rules_text(rules, &out);
	qv_put_char(&out, ' ');
	qv_put(&out, spec);
	return out.length < PLAYER_NAME;
}

bool table_lookup_knows(struct table_lookup *d, const struct qv_rules *rules, const char *spec)
{
	char name[PLAYER_NAME];
	bool found = false;
	if (!player_name(rules, spec, name))
		return false;
	mutex_lock(&d->lock);
	for (int i = 0; i < PLAYERS_KEPT && !found; i++)
		found = strcmp(d->made[i], name) == 0;
	mutex_unlock(&d->lock);
	return found;
}

void table_lookup_learn(struct table_lookup *d, const struct qv_rules *rules, const char *spec)
{
	char name[PLAYER_NAME];
	if (!player_name(rules, spec, name) || table_lookup_knows(d, rules, spec))
		return;
	mutex_lock(&d->lock);
	memcpy(d->made[d->made_at++ % PLAYERS_KEPT], name, sizeof name);
	mutex_unlock(&d->lock);
}

/* ---- Jobs ---- */

struct search_job {
	struct search_job_setup setup; /* what was copied is below */
	char *spec, *memory;
	void *state, *scratch;
	uint64_t *history;
	struct worker_task *task; /* which reports progress */
	/* Of an analysis. */
	struct qv_answer answers[MOST_LINES]; /* the lines so far */
	int known;			      /* how many */
	double whole, scale;		      /* as for expected_score */
};

/* Copies everything that may change or vanish before the worker runs. */
struct search_job *search_job_new(const struct search_job_setup *setup)
{
	const struct qv_game *game = setup->rules.game;
	const size_t hashes = (size_t)setup->history_count * sizeof *setup->history;
	struct search_job *t = calloc(1, sizeof *t);
	if (!t)
		return NULL;
	t->setup = *setup;
	t->state = malloc(game->state_size);
	t->scratch = malloc(game->state_size);
	t->history = malloc(hashes ? hashes : 1);
	t->spec = setup->spec ? strdup(setup->spec) : NULL;
	t->memory = setup->memory ? strdup(setup->memory) : NULL;
	if (!t->state || !t->scratch || !t->history || (setup->spec && !t->spec) ||
	    (setup->memory && !t->memory)) {
		search_job_free(t);
		return NULL;
	}
	memcpy(t->state, setup->state, game->state_size);
	if (hashes)
		memcpy(t->history, setup->history, hashes);
	return t;
}

/* In any thread, also if the job never ran. */
void search_job_free(void *job)
{
	struct search_job *t = job;
	free(t->spec);
	free(t->memory);
	free(t->state);
	free(t->scratch);
	free(t->history);
	free(t);
}

struct search_job_setup search_job_setup(const void *job)
{
	const struct search_job *t = job;
	struct search_job_setup setup = t->setup;
	setup.state = t->state;
	setup.history = t->history;
	setup.spec = t->spec;
	setup.memory = t->memory;
	return setup;
}

/* Sets the result "!409WHY", or "+MOVE" and a second line, which may be NULL. */
static void set_marked(struct worker_task *task, const char *mark, const char *text,
		       const char *more)
{
	char *out = malloc(strlen(mark) + strlen(text) + (more ? strlen(more) : 0) + 2);
	if (out)
		sprintf(out, "%s%s%s%s", mark, text, more ? "\n" : "", more ? more : "");
	worker_task_result(task, out);
}

/* ---- Players ---- */

/* The player of the spec, or the strongest, which uses the solver and the tables, too. */
static enum qv_status open_player(struct search_job *t, struct qv_player **out,
				  struct qv_error *error)
{
	const struct qv_defaults defaults = { .size = sizeof defaults, .seed = t->setup.seed,
					      .threads = 1,
					      .hash_mb = t->setup.hash_mb,
					      .tables = t->setup.tables,
					      .prober = t->setup.prober,
					      .no_book = t->setup.no_book };
	char strongest[STRONGEST_SPEC];
	const char *spec = t->spec;
	if (!spec) {
		/* The job's own limits end the search long before this time. */
		(t->setup.hint ? hint_player : strongest_player)(t->setup.rules.game, "time=60s",
								 strongest);
		spec = strongest;
	}
	const enum qv_status status =
		qv_player_new(t->setup.context, &t->setup.rules, spec, &defaults, out, error);
	/* What can be read of the memory was checked when it came; a learner can play without it. */
	if (status == QV_OK && t->memory && (*out)->settings.kind == &learn_kind)
		learn_player_read(*out, t->memory, strlen(t->memory), NULL);
	return status;
}

/* As in records and requests. */
static void move_words(const struct qv_game *game, const void *state, qv_move move,
		       char text[QV_MOVE_TEXT])
{
	struct qv_text out = { text, QV_MOVE_TEXT, 0 };
	text[0] = '\0';
	game->move_text(state, move, &out);
}

/* AnalysisLine of types.ts: one of the best lines. */
static json_t *line_json(struct search_job *t, const struct qv_answer *a)
{
	const struct qv_game *game = t->setup.rules.game;
	const int length = a->line_length > 0 ? a->line_length : 1;
	char text[QV_MOVE_TEXT];
	int32_t points[QV_MAX_SEATS];
	/* The moves, also in short notation; that stays [] if the game has none. */
	json_t *pv = json_array(), *briefs = json_array();
	memcpy(t->scratch, t->state, game->state_size);
	for (int i = 0; i < length; i++) {
		const qv_move move = i ? a->line[i] : a->move;
		if (!qv_move_legal(game, t->scratch, move))
			break;
		move_words(game, t->scratch, move, text);
		json_array_append_new(pv, json_string(text));
		if (move_short(game, t->scratch, move, text))
			json_array_append_new(briefs, json_string(text));
		game->play(t->scratch, move);
	}
	/* Plies to the end of a proven line; -1: not known. */
	int in = -1;
	if (a->proven && (a->score > QV_MAX_EVAL || a->score < -QV_MAX_EVAL))
		in = QV_WIN - (a->score < 0 ? -a->score : a->score);
	else if (a->proven && game->result(t->scratch, points) != QV_GOING)
		in = (int)json_array_size(pv);
	json_t *line = json_pack(
		"{s:O*, s:o, s:i, s:b, s:o*, s:i, s:I, s:o, s:O*, s:s*}", "move",
		json_array_get(pv, 0), "touches", touches_json(game, t->state, a->move), "score",
		(int)a->score, "proven", (int)a->proven, "in", in < 0 ? NULL : json_integer(in),
		"depth", (int)a->depth, "nodes", (json_int_t)a->nodes, "pv", pv, "short_pv",
		json_array_size(briefs) ? briefs : NULL, "book", *a->book ? a->book : NULL);
	json_decref(briefs);
	return line;
}

/* The best line so far of a computer that thinks about its move: ThoughtsMessage of types.ts. */
static char *thoughts_text(struct search_job *t, const struct qv_answer *answer, bool done)
{
	const int seat = t->setup.rules.game->seat(t->state);
	return json_to_text(json_pack("{s:s, s:I, s:i, s:b, s:o}", "type", "thoughts", "version",
				      (json_int_t)t->setup.turn, "seat", seat + 1, "done",
				      (int)done, "line", line_json(t, answer)),
			    JSON_COMPACT);
}

static void on_iteration(void *ctx, const struct qv_answer *so_far)
{
	struct search_job *t = ctx;
	worker_task_progress(t->task, thoughts_text(t, so_far, false));
}

/*
 * The time that a search gets of what is left of its job. A player without a limit in its spec uses its
 * kind's, which any time would replace: the job's own is a bound, not what somebody wants to spend.
 */
static int64_t time_for(const struct search_job *t, const struct qv_player *player, int64_t time_ms)
{
	const bool wanted = t->setup.time_ms || t->setup.aim_ms;
	return player->settings.default_limit && !wanted ? 0 : time_ms;
}

/* stop NULL: only the time limits it. */
static enum qv_status choose(struct search_job *t, struct qv_player *player, int64_t time_ms,
			     const struct qv_flag *stop, struct qv_answer *out,
			     struct qv_error *error)
{
	const struct qv_limits limits = { .time_ms = time_for(t, player, time_ms),
					  .aim_ms = t->setup.aim_ms,
					  .stop = stop,
					  .watch = worker_task_watch,
					  .watch_ctx = t->task,
					  .history = t->history,
					  .history_count = t->setup.history_count };
	const struct qv_listener listener = { .iteration = on_iteration, .ctx = t };
	return player_choose(player, t->state, &limits, &listener, out, error);
}

/*
 * `perfect` without tables solves for two thirds of the time; then the game's strongest level moves
 * for it. With tables it spends a quarter of the time on the search above them and as much on a
 * level that chooses among the moves that may be best, so it is done before the alarm.
 */
void search_job_move(struct worker_task *task, void *job)
{
	struct search_job *t = job;
	struct qv_error error = { "" };
	struct qv_answer answer;
	struct qv_player *player = NULL;
	char text[QV_MOVE_TEXT];
	t->task = task;
	enum qv_status status = open_player(t, &player, &error);
	const int64_t left = worker_task_left_ms(task);
	if (status == QV_OK && player->settings.kind != &perfect_kind) {
		status = choose(t, player, left, worker_task_stop(task), &answer, &error);
	} else if (status == QV_OK) {
		status = choose(t, player, left / 4, worker_task_alarm(task, 2 * left / 3), &answer,
				&error);
		/* It could not be solved in time, or within the limits of the spec. */
		if (status == QV_STOPPED ||
		    (status == QV_OK && answer.unsolved && !answer.depth)) {
			const struct qv_defaults defaults = { .size = sizeof defaults,
							      .seed = t->setup.seed,
							      .threads = 1,
							      .hash_mb = t->setup.hash_mb };
			const char *const *level = qv_levels(t->setup.rules.game);
			while (level[1])
				level++;
			qv_player_free(player);
			player = NULL;
			status = qv_player_new(t->setup.context, &t->setup.rules, *level, &defaults,
					       &player, &error);
			const bool late = flag_is_set(worker_task_stop(task));
			if (status == QV_OK)
				status = choose(
					t, player, late ? HASTE_MS : worker_task_left_ms(task),
					late ? NULL : worker_task_stop(task), &answer, &error);
		}
	}
	qv_player_free(player);
	if (status == QV_OK || status == QV_STOPPED) {
		char *thoughts = thoughts_text(t, &answer, true);
		move_words(t->setup.rules.game, t->state, answer.move, text);
		set_marked(task, "+", text, thoughts);
		free(thoughts);
	} else {
		set_marked(task, "!409", error.text, NULL);
	}
}

/* ---- Analysis ---- */

/* AnalysisMessage of types.ts. NULL: out of memory. */
static char *message_text(struct search_job *t, bool done)
{
	const struct qv_answer *best = &t->answers[0];
	json_t *lines = json_array();
	uint64_t nodes = 0;
	for (int i = 0; i < t->known; i++) {
		json_t *line = line_json(t, &t->answers[i]);
		const double share = expected_score(&t->answers[i], t->whole, t->scale);
		json_array_append_new(lines, json_field(line, "share", json_real(share)));
		nodes += t->answers[i].nodes;
	}
	const struct review_words *words = review_words(t->setup.rules.game);
	json_t *unit = words->unit && t->whole <= 0 ? json_pack("{s:s, s:f}", "name", words->unit,
								"one", words->one)
						    : NULL;
	return json_to_text(json_pack("{s:s, s:o, s:f, s:i, s:I, s:b, s:o*}", "type", "analysis",
				      "lines", lines, "share",
				      t->known ? expected_score(best, t->whole, t->scale) : 0.5,
				      "depth", t->known ? best->depth : 0, "nodes",
				      (json_int_t)nodes, "done", (int)done, "unit", unit),
			    JSON_COMPACT | JSON_REAL_PRECISION(6));
}

/* For analysis_run: a line of a new depth. The first and the last one make a message. */
static enum qv_status on_line(void *ctx, int line, const struct qv_answer *answer,
			      struct qv_error *error)
{
	struct search_job *t = ctx;
	(void)error;
	if (answer->unsolved)
		return QV_OK;
	/* A move that was further down takes the place of the one that it replaces: no line comes twice. */
	for (int i = line; i < t->known; i++)
		if (t->answers[i].move == answer->move)
			t->answers[i] = t->answers[line - 1];
	t->answers[line - 1] = *answer;
	if (line > t->known)
		t->known = line;
	if (line == 1 || line == t->known)
		worker_task_progress(t->task, message_text(t, false));
	return QV_OK;
}

/* A player that was stopped in time has lines, which are the result. */
void search_job_lines(struct worker_task *task, void *job)
{
	struct search_job *t = job;
	struct qv_player *player = NULL;
	struct qv_error error = { "" };
	t->task = task;
	t->scale = evaluation_scale(t->setup.context, &t->setup.rules);
	enum qv_status status = open_player(t, &player, &error);
	if (status == QV_OK) {
		const struct qv_game *game = t->setup.rules.game;
		/* MCTS scores and those of games with dice are expectations. */
		if (player->settings.kind == &mcts_kind)
			t->whole = MCTS_WHOLE;
		else
			t->whole = !game->chance && !game->stakes ? 0
				   : game->win			  ? game->win
								  : QV_MAX_EVAL;
		if (game->stakes)
			t->whole /= game->stakes; /* a win by one point is a sure win */
		const struct analysis_setup setup = {
			.allocator = &mem_malloc,
			.player = player,
			.spec = t->spec ? t->spec : "the strongest",
			.game = game,
			.state = t->state,
			.lines = t->setup.lines < MOST_LINES ? t->setup.lines : MOST_LINES,
			.limits = { .time_ms = t->setup.time_ms,
				    .stop = worker_task_stop(task),
				    .history = t->history,
				    .history_count = t->setup.history_count },
			.report = on_line,
			.ctx = t,
		};
		status = analysis_run(&setup, &error);
	}
	qv_player_free(player);
	/* Best first. */
	for (int i = 1; i < t->known; i++)
		for (int j = i; j > 0 && t->answers[j - 1].score < t->answers[j].score; j--) {
			const struct qv_answer other = t->answers[j];
			t->answers[j] = t->answers[j - 1];
			t->answers[j - 1] = other;
		}
	if (t->known && (status == QV_OK || status == QV_STOPPED))
		worker_task_result(task, message_text(t, true));
	else
		set_marked(task, "!409",
			   *error.text ? error.text : "the position was not solved in time", NULL);
}

/* ---- Values ---- */

static const char *const value_names[] = {
	[QV_VALUE_UNKNOWN] = "unknown",
	[QV_VALUE_LOSS] = "loss",
	[QV_VALUE_DRAW] = "draw",
	[QV_VALUE_WIN] = "win",
};

struct solvers {
	struct qv_solver *tables; /* NULL: no tables for these rules */
	struct qv_solver *search;
};

/* The value of a move for the seat that plays it: from the tables, or by the search. */
static struct qv_solution value_of(struct search_job *t, const struct solvers *by, qv_move move,
				   bool distance, const struct qv_flag *stop)
{
	const struct qv_game *game = t->setup.rules.game;
	const struct qv_solve_limits limits = {
		.distance = distance, .stop = stop, .watch = worker_task_watch, .ctx = t->task
	};
	const int seat = game->seat(t->state);
	struct qv_solution s = { .in = -1 };
	memcpy(t->scratch, t->state, game->state_size);
	game->play(t->scratch, move);
	if (!by->tables || solver_run(by->tables, t->scratch, &limits, &s, NULL) != QV_OK ||
	    s.value == QV_VALUE_UNKNOWN) {
		const enum qv_status status =
			solver_run(by->search, t->scratch, &limits, &s, NULL);
		if (status != QV_OK && status != QV_STOPPED)
			s = (struct qv_solution){ .in = -1 };
	}
	if (s.in >= 0)
		s.in++;
	if (game->seat(t->scratch) != seat && s.value != QV_VALUE_UNKNOWN)
		s.value = s.value == QV_VALUE_WIN    ? QV_VALUE_LOSS
			  : s.value == QV_VALUE_LOSS ? QV_VALUE_WIN
						     : QV_VALUE_DRAW;
	return s;
}

/*
 * First the values of all moves, then the distances to the end, which may be much harder. Each move
 * gets an equal part of the time that is left, so that one hard move does not starve the others.
 */
static char *values_text(struct search_job *t, struct worker_task *task, const struct solvers *by)
{
	const struct qv_game *game = t->setup.rules.game;
	qv_move list[QV_MAX_MOVES];
	const int count = game->moves(t->state, list);
	struct qv_solution *found = calloc((size_t)count + 1, sizeof *found);
	json_t *values = json_array();
	char text[QV_MOVE_TEXT];
	bool exact = true;
	for (int i = 0; found && i < 2 * count; i++) {
		const bool distance = i >= count;
		const int at = distance ? i - count : i;
		const struct qv_flag *alarm =
			worker_task_alarm(task, worker_task_left_ms(task) / (count - at));
		if (!distance)
			found[at] = value_of(t, by, list[at], false, alarm);
		else if (found[at].value == QV_VALUE_WIN || found[at].value == QV_VALUE_LOSS)
			found[at].in = value_of(t, by, list[at], true, alarm).in;
	}
	for (int i = 0; found && i < count; i++) {
		exact &= found[i].value != QV_VALUE_UNKNOWN;
		move_words(game, t->state, list[i], text);
		json_array_append_new(
			values,
			json_pack("{s:s, s:s, s:o}", "move", text, "value",
				  value_names[found[i].value], "in",
				  found[i].in < 0 ? json_null() : json_integer(found[i].in)));
	}
	free(found);
	return json_to_text(json_pack("{s:b, s:o}", "exact", (int)exact, "values", values),
			    JSON_COMPACT);
}

/* Two solvers: endgame tables if there are any, and a search for the rest. */
void search_job_values(struct worker_task *task, void *job)
{
	struct search_job *t = job;
	struct solvers by = { NULL, NULL };
	struct qv_error error = { "" };
	const struct qv_defaults defaults = { .size = sizeof defaults, .prober = t->setup.prober };
	t->task = task;
	const enum qv_status status =
		qv_solver_new_with(t->setup.context, &t->setup.rules, &defaults,
				   (size_t)SOLVER_MB << 20, &by.search, &error);
	if (status == QV_OK) {
		by.tables = table_lookup_take(t->setup.table_lookup, &t->setup.rules);
		worker_task_result(task, values_text(t, task, &by));
		table_lookup_give_back(t->setup.table_lookup, by.tables);
	} else {
		set_marked(task, "!409", error.text, NULL);
	}
	qv_solver_free(by.search);
}

/* ---- Evaluation ---- */

/* A few evaluations for each cell with pieces: no search. */
void search_job_evaluation(struct worker_task *task, void *job)
{
	const struct search_job *t = job;
	const struct qv_evaluation *evaluation = t->setup.rules.game->evaluations;
	worker_task_result(
		task, json_to_text(evaluation_json(&t->setup.rules, evaluation, evaluation->weights,
						   t->state, TERM_CELL_NUMBERS),
				   JSON_COMPACT | JSON_REAL_PRECISION(6)));
}

/* ---- Explanations ---- */

/* What the engine has written before it was stopped is the result. */
void search_job_explanation(struct worker_task *task, void *job)
{
	struct search_job *t = job;
	const struct engine *engine = context_engine(t->setup.rules.game);
	struct qv_limits limits = { .stop = worker_task_stop(task) };
	struct string out = { .allocator = &mem_malloc };
	struct qv_player *player = NULL;
	struct qv_error error = { "" };
	enum qv_status status = open_player(t, &player, &error);
	limits.time_ms = status == QV_OK ? time_for(t, player, worker_task_left_ms(task)) : 0;
	if (status == QV_OK)
		status = engine->explain(player, t->state, &limits, &out, &error);
	qv_player_free(player);
	if (status == QV_OK || (status == QV_STOPPED && out.length))
		worker_task_result(task, strdup(out.data));
	else
		set_marked(task, "!409", error.text, NULL);
	string_release(&out);
}
