/*
 * search_jobs.c - the searches that workers run: a move, the best lines, exact values,
 * explanations.
 * SPDX-License-Identifier: MIT
 *
 * Each job makes its own player or solver and frees it at the end: nothing is shared between jobs
 * but the endgame tables. `perfect` may be unable to solve a position in time; then the strongest
 * level of the game moves for it, so that a computer always has a move.
 */
#include "server/jobs/search_jobs.h"

#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "core/context.h"
#include "search/analysis.h"
#include "search/player.h"
#include "formats/board_json.h"
#include "core/player.h"

enum {
	SCALE_GAMES = 32,          /* random games from which the scale of scores is taken */
	SCALE_PLIES = 200,
	MOST_LINES = 8,
	SOLVER_MB = 16,
	MCTS_WHOLE = 1000,         /* MCTS scores are thousandths of a win */
	HASTE_MS = 50,             /* for a move when no time is left */
};

struct search_job {
	struct search_job_setup setup;       /* its pointers are those below */
	char *spec;
	void *state, *scratch;
	uint64_t *history;
	/* Of an analysis: the lines so far. */
	struct worker_task *task;
	struct qv_answer answers[MOST_LINES];
	int known;
	double whole, scale;
};

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
	if (!t->state || !t->scratch || !t->history || (setup->spec && !t->spec)) {
		search_job_free(t);
		return NULL;
	}
	memcpy(t->state, setup->state, game->state_size);
	if (hashes)
		memcpy(t->history, setup->history, hashes);
	return t;
}

void search_job_free(void *job)
{
	struct search_job *t = job;
	free(t->spec);
	free(t->state);
	free(t->scratch);
	free(t->history);
	free(t);
}

/* "!WHY" or "+MOVE". */
static char *marked(char mark, const char *text)
{
	char *out = malloc(strlen(text) + 2);
	if (out) {
		out[0] = mark;
		memcpy(out + 1, text, strlen(text) + 1);
	}
	return out;
}

/* ---- Players ---- */

static enum qv_status open_player(struct search_job *t, struct qv_player **out,
				  struct qv_error *error)
{
	const struct qv_defaults defaults = { .seed = t->setup.seed, .threads = 1,
					      .hash_mb = t->setup.hash_mb,
					      .tables = t->setup.tables };
	const bool known = !t->spec && t->setup.table_lookup &&
			   table_lookup_knows(t->setup.table_lookup, &t->setup.rules, t->state);
	if (t->spec || known)
		return qv_player_new(t->setup.context, &t->setup.rules,
				     known ? "perfect" : t->spec, &defaults, out, error);
	/* The job's own limits end the search long before this time. */
	char own[STRONGEST_SPEC];
	strongest_player(t->setup.rules.game, "time=60s", own);
	return qv_player_new(t->setup.context, &t->setup.rules, own, &defaults, out, error);
}

static void move_words(const struct qv_game *game, const void *state, qv_move move,
		       char text[QV_MOVE_TEXT])
{
	struct qv_text out = { text, QV_MOVE_TEXT, 0 };
	text[0] = '\0';
	game->move_text(state, move, &out);
}

static enum qv_status choose(struct search_job *t, struct qv_player *player, int64_t time_ms,
			     const atomic_bool *stop, struct qv_answer *out,
			     struct qv_error *error)
{
	const struct qv_limits limits = { .time_ms = time_ms,
					  .aim_ms = t->setup.aim_ms,
					  .stop = stop,
					  .history = t->history,
					  .history_count = t->setup.history_count };
	return qv_player_think(player, t->state, &limits, NULL, out, error);
}

/* The move of the game's strongest level, for a position that could not be solved in time. */
static enum qv_status fall_back(struct search_job *t, struct worker_task *task,
			       struct qv_answer *out, struct qv_error *error)
{
	const struct qv_defaults defaults = { .seed = t->setup.seed, .threads = 1,
					      .hash_mb = t->setup.hash_mb };
	const char *const *level = qv_levels(t->setup.rules.game);
	struct qv_player *player = NULL;
	while (level[1])
		level++;
	enum qv_status status = qv_player_new(t->setup.context, &t->setup.rules, *level, &defaults,
					      &player, error);
	const bool late = atomic_load(worker_task_stop(task));
	if (status == QV_OK)
		status = choose(t, player, late ? HASTE_MS : worker_task_left_ms(task),
				late ? NULL : worker_task_stop(task), out, error);
	qv_player_free(player);
	return status;
}

/*
 * `perfect` without tables solves for two thirds of the time; then fall_back moves. With tables it
 * spends a quarter of the time on the search above them and as much on a level that chooses among
 * the moves that may be best, so it is done before the alarm.
 */
static enum qv_status find_move(struct search_job *t, struct worker_task *task,
				struct qv_answer *out, struct qv_error *error)
{
	struct qv_player *player = NULL;
	enum qv_status status = open_player(t, &player, error);
	if (status != QV_OK)
		return status;
	const int64_t left = worker_task_left_ms(task);
	if (player->settings.kind != &perfect_kind) {
		status = choose(t, player, left, worker_task_stop(task), out, error);
	} else {
		status = choose(t, player, left / 4, worker_task_alarm(task, 2 * left / 3), out,
				error);
		if (status == QV_STOPPED)
			status = fall_back(t, task, out, error);
	}
	qv_player_free(player);
	return status;
}

void search_job_move(struct worker_task *task, void *job)
{
	struct search_job *t = job;
	struct qv_error error = { "" };
	struct qv_answer answer;
	char text[QV_MOVE_TEXT] = "";
	const enum qv_status status = find_move(t, task, &answer, &error);
	if (status == QV_OK || status == QV_STOPPED) {
		move_words(t->setup.rules.game, t->state, answer.move, text);
		worker_task_result(task, marked('+', text));
	} else {
		worker_task_result(task, marked('!', error.text));
	}
}

/* ---- Expected scores ---- */

double expected_score(const struct qv_answer *answer, double whole, double scale)
{
	const double score = answer->score;
	if (answer->score > QV_MAX_EVAL || answer->score < -QV_MAX_EVAL)
		return answer->score > 0 ? 1 : 0;
	if (answer->proven)
		return 0.5;
	if (whole <= 0)
		return 1 / (1 + exp(-score / scale));
	const double part = score / whole;
	return 0.5 + 0.5 * (part > 1 ? 1 : part < -1 ? -1 : part);
}

/* The score of a sure win if the player's scores are expectations; 0: they are evaluations. */
static double whole_of(const struct qv_player *player)
{
	const struct qv_game *game = player->rules.game;
	if (player->settings.kind == &mcts_kind)
		return MCTS_WHOLE;
	return !game->chance ? 0 : game->win ? game->win : QV_MAX_EVAL;
}

static void random_game(const struct qv_rules *rules, void *state, struct qv_random *random,
			double *squares, int *count)
{
	const struct qv_game *game = rules->game;
	const struct qv_evaluation *eval = &game->evaluations[0];
	qv_move list[QV_MAX_MOVES];
	game->start(rules->options, state);
	for (int ply = 0; ply < SCALE_PLIES; ply++) {
		const int moves = game->moves(state, list);
		int32_t points[QV_MAX_SEATS];
		if (moves == 0 || game->result(state, points) != QV_GOING)
			return;
		const double value = eval->evaluate(state, eval->weights);
		*squares += value * value;
		++*count;
		game->play(state, list[qv_random_below(random, (uint64_t)moves)]);
	}
}

double evaluation_scale(const struct qv_context *context, const struct qv_rules *rules)
{
	struct qv_random random = { .key = 1 };
	double squares = 0;
	int count = 0;
	if (!rules->game->evaluations || !rules->game->evaluations[0].name)
		return 1;
	void *state = qv_state_new(context, rules->game);
	for (int i = 0; state && i < SCALE_GAMES; i++)
		random_game(rules, state, &random, &squares, &count);
	qv_state_free(context, rules->game, state);
	return count && squares > 0 ? sqrt(squares / count) : 1;
}

/* ---- Analysis ---- */

/* The moves of a line; `briefs` gets them in short notation and stays [] if the game has none. */
static json_t *line_moves(struct search_job *t, const struct qv_answer *a, json_t *briefs,
			  bool *ends)
{
	const struct qv_game *game = t->setup.rules.game;
	const int length = a->line_length > 0 ? a->line_length : 1;
	char text[QV_MOVE_TEXT];
	int32_t points[QV_MAX_SEATS];
	json_t *line = json_array();
	memcpy(t->scratch, t->state, game->state_size);
	for (int i = 0; i < length; i++) {
		const qv_move move = i ? a->line[i] : a->move;
		if (!qv_move_legal(game, t->scratch, move))
			break;
		move_words(game, t->scratch, move, text);
		json_array_append_new(line, json_string(text));
		if (move_short(game, t->scratch, move, text))
			json_array_append_new(briefs, json_string(text));
		game->play(t->scratch, move);
	}
	*ends = game->result(t->scratch, points) != QV_GOING;
	return line;
}

/* Plies to the end of a proven line; -1: not known. */
static int plies_to_end(const struct qv_answer *a, const json_t *line, bool ends)
{
	if (a->score > QV_MAX_EVAL || a->score < -QV_MAX_EVAL)
		return QV_WIN - (a->score < 0 ? -a->score : a->score);
	return ends ? (int)json_array_size(line) : -1;
}

static json_t *line_json(struct search_job *t, const struct qv_answer *a)
{
	bool ends;
	json_t *briefs = json_array(), *line = json_object();
	json_t *pv = line_moves(t, a, briefs, &ends);
	const int in = a->proven ? plies_to_end(a, pv, ends) : -1;
	json_object_set(line, "move", json_array_get(pv, 0));
	json_object_set_new(line, "touches",
			    touches_json(t->setup.rules.game, t->state, a->move));
	json_object_set_new(line, "score", json_integer(a->score));
	json_object_set_new(line, "proven", json_boolean(a->proven));
	if (in >= 0)
		json_object_set_new(line, "in", json_integer(in));
	json_object_set_new(line, "depth", json_integer(a->depth));
	json_object_set_new(line, "nodes", json_integer((json_int_t)a->nodes));
	json_object_set_new(line, "pv", pv);
	if (json_array_size(briefs))
		json_object_set(line, "short_pv", briefs);
	json_decref(briefs);
	return line;
}

static char *message_text(struct search_job *t, bool done)
{
	json_t *message = json_object(), *lines = json_array();
	uint64_t nodes = 0;
	for (int i = 0; i < t->known; i++) {
		json_array_append_new(lines, line_json(t, &t->answers[i]));
		nodes += t->answers[i].nodes;
	}
	const struct qv_answer *best = &t->answers[0];
	json_object_set_new(message, "type", json_string("analysis"));
	json_object_set_new(message, "lines", lines);
	json_object_set_new(message, "share",
			    json_real(t->known ? expected_score(best, t->whole, t->scale) : 0.5));
	json_object_set_new(message, "depth", json_integer(t->known ? best->depth : 0));
	json_object_set_new(message, "nodes", json_integer((json_int_t)nodes));
	json_object_set_new(message, "done", json_boolean(done));
	return json_to_text(message, JSON_COMPACT | JSON_REAL_PRECISION(6));
}

static enum qv_status on_line(void *ctx, int line, const struct qv_answer *answer,
			      struct qv_error *error)
{
	struct search_job *t = ctx;
	(void)error;
	t->answers[line - 1] = *answer;
	if (line > t->known)
		t->known = line;
	if (line == 1 || line == t->known)
		worker_task_progress(t->task, message_text(t, false));
	return QV_OK;
}

static void sort_answers(struct search_job *t)
{
	for (int i = 1; i < t->known; i++)
		for (int j = i; j > 0 && t->answers[j - 1].score < t->answers[j].score; j--) {
			const struct qv_answer other = t->answers[j];
			t->answers[j] = t->answers[j - 1];
			t->answers[j - 1] = other;
		}
}

void search_job_lines(struct worker_task *task, void *job)
{
	struct search_job *t = job;
	struct qv_player *player = NULL;
	struct qv_error error = { "" };
	t->task = task;
	t->scale = evaluation_scale(t->setup.context, &t->setup.rules);
	enum qv_status status = open_player(t, &player, &error);
	if (status == QV_OK) {
		t->whole = whole_of(player);
		const struct analysis_setup setup = {
			.allocator = &mem_malloc,
			.player = player,
			.spec = t->spec ? t->spec : "the strongest",
			.game = t->setup.rules.game,
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
	sort_answers(t);
	if (status == QV_OK || (status == QV_STOPPED && t->known))
		worker_task_result(task, message_text(t, true));
	else
		worker_task_result(task, marked('!', *error.text ? error.text : "stopped"));
}

/* ---- Values ---- */

static const char *const value_names[] = {
	[QV_VALUE_UNKNOWN] = "unknown",
	[QV_VALUE_LOSS] = "loss",
	[QV_VALUE_DRAW] = "draw",
	[QV_VALUE_WIN] = "win",
};

struct solvers {
	struct qv_solver *tables;          /* NULL: no tables for these rules */
	struct qv_solver *search;
};

/* Tries the tables first, then the search. */
static struct qv_solution solve(const struct solvers *by, const void *state,
				const struct qv_solve_limits *limits)
{
	struct qv_solution s = { .in = -1 };
	if (by->tables && qv_solver_solve(by->tables, state, limits, &s, NULL) == QV_OK &&
	    s.value != QV_VALUE_UNKNOWN)
		return s;
	const enum qv_status status = qv_solver_solve(by->search, state, limits, &s, NULL);
	return status == QV_OK || status == QV_STOPPED ? s : (struct qv_solution){ .in = -1 };
}

/* The value of a move for the seat that plays it. */
static struct qv_solution value_of(struct search_job *t, const struct solvers *by, qv_move move,
				   bool distance, const atomic_bool *stop)
{
	const struct qv_game *game = t->setup.rules.game;
	const struct qv_solve_limits limits = { .distance = distance, .stop = stop };
	const int seat = game->seat(t->state);
	memcpy(t->scratch, t->state, game->state_size);
	game->play(t->scratch, move);
	struct qv_solution s = solve(by, t->scratch, &limits);
	if (s.in >= 0)
		s.in++;
	if (game->seat(t->scratch) != seat && s.value != QV_VALUE_UNKNOWN)
		s.value = s.value == QV_VALUE_WIN    ? QV_VALUE_LOSS
			  : s.value == QV_VALUE_LOSS ? QV_VALUE_WIN
						     : QV_VALUE_DRAW;
	return s;
}

static json_t *value_json(const struct qv_game *game, const void *state, qv_move move,
			  const struct qv_solution *s)
{
	char text[QV_MOVE_TEXT];
	json_t *o = json_object();
	move_words(game, state, move, text);
	json_object_set_new(o, "move", json_string(text));
	json_object_set_new(o, "value", json_string(value_names[s->value]));
	json_object_set_new(o, "in", s->in < 0 ? json_null() : json_integer(s->in));
	return o;
}

/*
 * First the values of all moves, then the distances to the end, which may be much harder. Each move
 * gets an equal part of the time that is left, so that one hard move does not starve the others.
 */
static void find_values(struct search_job *t, struct worker_task *task, const struct solvers *by,
			const qv_move *list, int count, struct qv_solution *found)
{
	for (int i = 0; i < count; i++) {
		const atomic_bool *alarm =
			worker_task_alarm(task, worker_task_left_ms(task) / (count - i));
		found[i] = value_of(t, by, list[i], false, alarm);
	}
	for (int i = 0; i < count; i++) {
		const atomic_bool *alarm =
			worker_task_alarm(task, worker_task_left_ms(task) / (count - i));
		if (found[i].value == QV_VALUE_WIN || found[i].value == QV_VALUE_LOSS)
			found[i].in = value_of(t, by, list[i], true, alarm).in;
	}
}

static char *values_text(struct search_job *t, struct worker_task *task, const struct solvers *by)
{
	const struct qv_game *game = t->setup.rules.game;
	qv_move list[QV_MAX_MOVES];
	const int count = game->moves(t->state, list);
	struct qv_solution *found = calloc((size_t)count + 1, sizeof *found);
	json_t *values = json_array();
	bool exact = true;
	if (found)
		find_values(t, task, by, list, count, found);
	for (int i = 0; found && i < count; i++) {
		exact &= found[i].value != QV_VALUE_UNKNOWN;
		json_array_append_new(values, value_json(game, t->state, list[i], &found[i]));
	}
	free(found);
	json_t *o = json_object();
	json_object_set_new(o, "exact", json_boolean(exact));
	json_object_set_new(o, "values", values);
	return json_to_text(o, JSON_COMPACT);
}

void search_job_values(struct worker_task *task, void *job)
{
	struct search_job *t = job;
	struct solvers by = { NULL, NULL };
	struct qv_error error = { "" };
	const enum qv_status status = qv_solver_new(t->setup.context, &t->setup.rules,
						    (size_t)SOLVER_MB << 20, &by.search, &error);
	if (status == QV_OK) {
		by.tables = table_lookup_take(t->setup.table_lookup, &t->setup.rules);
		worker_task_result(task, values_text(t, task, &by));
		table_lookup_give_back(t->setup.table_lookup, by.tables);
	} else {
		worker_task_result(task, marked('!', error.text));
	}
	qv_solver_free(by.search);
}

/* ---- Explanations ---- */

void search_job_explanation(struct worker_task *task, void *job)
{
	struct search_job *t = job;
	const struct engine *engine = context_engine(t->setup.rules.game);
	const struct qv_limits limits = { .time_ms = worker_task_left_ms(task),
					  .stop = worker_task_stop(task) };
	struct string out = { .allocator = &mem_malloc };
	struct qv_player *player = NULL;
	struct qv_error error = { "" };
	enum qv_status status = open_player(t, &player, &error);
	if (status == QV_OK)
		status = engine->explain(player, t->state, &limits, &out, &error);
	qv_player_free(player);
	if (status == QV_OK || (status == QV_STOPPED && out.length))
		worker_task_result(task, strdup(out.data));
	else
		worker_task_result(task, marked('!', error.text));
	string_release(&out);
}
