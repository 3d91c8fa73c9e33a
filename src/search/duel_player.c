/*
 * duel_player.c - the two-player searches as players (minimax to mtdf, and selective), and their
 * options.
 * SPDX-License-Identifier: MIT
 *
 * Chooses evaluation and weights, and combines the search with the game's endgame solver (key
 * `solve`): with a time limit the solver gets a short try, then the search runs, then the solver
 * gets the rest of the time.
 *
 * One table row per option gives parsing, bounds, defaults and help text. Options marked "not
 * sound" may change the value of a search to the same depth; the others only change its cost.
 */
#include "base/clock.h"
#include "search/duel.h"
#include "search/evaluation.h"
#include "search/player_kind.h"
#include "search/root.h"

struct duel_player {
	struct qv_player base;
	struct duel *duel;
	struct chosen_evaluation chosen;
	const struct engine *engine;
	void *finisher;                    /* endgame solver; NULL: solve=0 */
};

/* ---- the end of the game ---- */

/* A position to search, with the caller's limits and when it was given. */
struct question {
	const void *state;
	const struct qv_limits *limits;
	const struct qv_listener *listener;
	int64_t start_us;
};

/* Runs the endgame solver until the deadline. False: not solved, and *out is unchanged. */
static bool finish(struct duel_player *d, const struct question *q, int64_t deadline_us,
		   struct qv_answer *out)
{
	const struct qv_listener *listener = q->listener;
	struct qv_answer answer;
	if (!d->engine->finisher->finish(d->finisher, q->state, deadline_us, q->limits->stop,
					 &answer))
		return false;
	*out = answer;
	out->seconds = (double)(clock_us() - q->start_us) / 1e6;
	if (listener && listener->iteration)
		listener->iteration(listener->ctx, out);
	return true;
}

/*
 * With a time limit, the solver first gets an eighth of it, at most 100 ms. Then the search gets
 * three eighths, so that there is an answer whenever a stop comes, and the solver gets the rest.
 */
static enum qv_status search_and_finish(struct duel_player *d, const struct question *q,
					struct qv_answer *out, struct qv_error *error)
{
	enum { MOMENT_MS = 100 };
	/* The shorter of the player's own time limit and the caller's; 0: no limit. */
	const int64_t own = d->base.settings.time_ms;
	const int64_t asked = q->limits->aim_ms > 0 ? q->limits->aim_ms : q->limits->time_ms;
	const int64_t theirs = asked > 0 ? asked : 0;
	const int64_t time_ms = own && theirs ? (own < theirs ? own : theirs) : own + theirs;
	const int64_t moment_us = time_ms < 8 * MOMENT_MS ? time_ms * 125 : MOMENT_MS * 1000;
	struct qv_limits share = *q->limits;
	if (finish(d, q, time_ms ? q->start_us + moment_us : 0, out))
		return QV_OK;
	if (time_ms)
		share.time_ms = time_ms * 3 / 8 > 0 ? time_ms * 3 / 8 : 1;
	const enum qv_status status = duel_run(d->duel, q->state, &share, q->listener, out, error);
	if (status == QV_OK && time_ms && !out->proven)
		finish(d, q, q->start_us + time_ms * 900, out);
	return status;
}

/* ---- the player ---- */

static enum qv_status think(struct qv_player *p, const void *state, const struct qv_limits *limits,
			    const struct qv_listener *listener, struct qv_answer *out,
			    struct qv_error *error)
{
	struct duel_player *d = (struct duel_player *)p;
	const struct settings *set = &p->settings;
	const struct question question = { state, limits, listener, clock_us() };
	/* The solver runs if few squares are left, and no limit or listener needs a search. */
	const bool counted = set->nodes || set->evals || limits->nodes || limits->evals;
	int32_t points[QV_MAX_SEATS];
	if (d->finisher && !root_is_watched(listener) && !counted && !limits->only &&
	    !limits->depth && d->engine->places_left(state) <= set->solve &&
	    p->rules.game->result(state, points) == QV_GOING)
		return search_and_finish(d, &question, out, error);
	return duel_run(d->duel, state, limits, listener, out, error);
}

/* A new seed reaches the search through its own copy of the settings. */
static void new_game(struct qv_player *p)
{
	struct duel_player *d = (struct duel_player *)p;
	d->duel->settings.seed = p->settings.seed;
	duel_forget(d->duel);
	if (d->finisher)
		d->engine->finisher->forget(d->finisher);
}

static void free_player(struct qv_player *p)
{
	struct duel_player *d = (struct duel_player *)p;
	duel_free(d->duel);
	if (d->finisher)
		d->engine->finisher->free(d->finisher);
	evaluation_release(p->allocator, &d->chosen);
	mem_free(p->allocator, d, sizeof *d);
}

static const struct player_ops ops = { think, new_game, free_player };

/* QV_UNSUPPORTED if the game or another setting rules out one of the techniques. */
static enum qv_status check_settings(const struct qv_game *game,
				     const struct qv_evaluation *evaluation,
				     const struct settings *set, struct qv_error *error)
{
	const char *name = evaluation ? evaluation->name : "";
	const bool erring = set->margin || set->blunder;
	const bool probcut = set->probcut && set->kind->variant != DUEL_SELECTIVE;
	const struct {
		bool wrong;
		const char *why;
	} list[] = {
		{ set->ply1 && set->move_eval, "ply1: cannot be combined with move-eval" },
		{ set->exchange && set->move_eval, "exchange: cannot be combined with move-eval" },
		{ set->phases && (*set->weights || *set->weight),
		  "phases: cannot be combined with weights= or weight=" },
		{ erring && set->window, "margin, blunder: need window=0" },
		{ erring && (set->razor || set->hard || set->top),
		  "margin, blunder: cannot be combined with razor, hard or top, which skip moves" },
		{ set->stack && set->razor, "stack: cannot be combined with razor" },
		{ set->stack && set->hard, "stack: cannot be combined with hard" },
		{ set->stack && set->top, "stack: cannot be combined with top" },
		{ set->stack && probcut, "stack: cannot be combined with probcut" },
	};
	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		if (list[i].wrong)
			return qv_fail(error, QV_UNSUPPORTED, "%s", list[i].why);
	if ((set->ply1 || set->exchange) && !game->material)
		return qv_fail(error, QV_UNSUPPORTED, "%s: %s has no material to count",
			       set->ply1 ? "ply1" : "exchange", game->name);
	if (set->move_eval && !(evaluation && evaluation->move))
		return qv_fail(error, QV_UNSUPPORTED,
			       "move-eval: %s has no evaluation %s%sthat scores moves", game->name,
			       name, *name ? " " : "");
	if (set->phases && (!game->phase || !evaluation || !evaluation->phase_weights))
		return qv_fail(error, QV_UNSUPPORTED,
			       "phases: %s has no weights for each phase%s%s", game->name,
			       *name ? " in its evaluation " : "", name);
	if (set->stack && set->quiet && game->quiet)
		return qv_fail(error, QV_UNSUPPORTED,
			       "stack: quiescence search needs recursion; add quiet=0");
	return QV_OK;
}

/* The errors of this evaluation; NULL: they are not known. */
static const struct probcut *find_probcut(const struct engine *engine,
					  const struct qv_evaluation *evaluation)
{
	const struct probcut *p = engine->probcut;
	return p && evaluation && strcmp(evaluation->name, p->evaluation) == 0 ? p : NULL;
}

enum qv_status duel_player_new(const struct player_setup *setup, struct qv_player **out,
			       struct qv_error *error)
{
	const struct qv_game *game = setup->rules->game;
	const struct settings *set = setup->settings;
	if (game->seats != 2 || game->chance)
		return qv_fail(error, QV_UNSUPPORTED,
			       "player %s: needs a game of two players without dice; %s is not one",
			       set->kind->name, game->name);
	struct duel_player *d = player_begin(setup, &ops, sizeof *d, error);
	if (!d)
		return QV_NO_MEMORY;
	d->engine = setup->engine;
	enum qv_status status = evaluation_choose(setup->allocator, game, game->evaluations,
						  setup->added, set, &d->chosen, error);
	if (status == QV_OK)
		status = check_settings(game, d->chosen.evaluation, set, error);
	const bool own = set->kind->variant == DUEL_SELECTIVE || set->kind->variant == DUEL_OWN;
	const struct search_setup duel = { game,
					   own ? setup->own : setup->engine->duel,
					   setup->allocator,
					   set,
					   d->chosen.evaluation,
					   d->chosen.weights,
					   setup->search_tables,
					   find_probcut(setup->engine, d->chosen.evaluation) };
	if (status == QV_OK && set->probcut && !own && !duel.probcut)
		status = qv_fail(error, QV_UNSUPPORTED,
				 "probcut: the errors of this evaluation of %.40s are not known",
				 game->name);
	if (status == QV_OK)
		status = duel_new(&duel, &d->duel, error);
	/* The endgame solver gets half of the table's memory, at least 1 MB. */
	if (status == QV_OK && set->solve && !setup->engine->finisher)
		status = qv_fail(error, QV_UNSUPPORTED, "solve=%lld: %.40s has no endgame solver",
				 (long long)set->solve, game->name);
	else if (status == QV_OK && set->solve &&
		 setup->engine->finisher->make(setup->allocator,
					       set->tt > 2 ? (size_t)set->tt << 19 : 1 << 20,
					       &d->finisher) != QV_OK)
		status = qv_fail(error, QV_NO_MEMORY, "player: out of memory");
	return player_finish(status, &d->base, out);
}

/* ---- options and kinds ---- */

#define ROW(name_, type_, f, ...) OPTION(struct settings, name_, type_, f, __VA_ARGS__)
#define SWITCH(name_, f, def_, help_) ROW(name_, OPTION_SWITCH, f, .def = def_, .help = help_)

/* minimax to mtdf: techniques of the 1983 book, most of which change the value. */
static const struct option basic_options[] = {
	SWITCH("stack", stack, 0, "the same search without recursion"),
	ROW("ply1", OPTION_INT, ply1, .max = 2, .value = "N",
	    .help = "all terms after move 1, then material; 2: all again at the end (changes the "
		    "value)"),
	SWITCH("move-eval", move_eval, 0,
	       "add up scores of moves, not of positions (changes the value)"),
	SWITCH("exchange", exchange, 0,
	       "the side that is ahead gains by trades (changes the value, in hundredths)"),
	SWITCH("phases", phases, 0, "weights by the phase of the game (changes the value)"),
	{ 0 },
};

/* alphabeta, negascout, mtdf */
static const struct option prune_options[] = {
	SWITCH("deep", deep, 1, "deep cut-offs, any number of plies down"),
	SWITCH("keep-line", keep_line, 1, "search the principal variation first"),
	ROW("hard", OPTION_INT, hard, .max = QV_MAX_EVAL, .value = "N",
	    .help = "drop moves that fall N points below the best (not sound)"),
	ROW("top", OPTION_INT, top, .max = 4096, .value = "N",
	    .help = "beyond depth 3 only the N best moves (not sound)"),
	ROW("solve", OPTION_INT, solve, .max = 64, .value = "N",
	    .help = "with N squares left, also run the game's own solver"),
	{ 0 },
};

/* negascout, mtdf: they have null windows */
static const struct option probcut_option[] = {
	ROW("probcut", OPTION_INT, probcut, .max = 1000, .value = "N",
	    .help = "Multi-ProbCut: cut where a shallow search misses a null window by N hundredths "
		    "of its standard error (not sound)"),
	{ 0 },
};

/* ... and selective */
static const struct option table_search_options[] = {
	SWITCH("history", history, 1, "history heuristic: moves that cut off before come early"),
	SWITCH("tt-exact", tt_exact, 0, "table entries count at their own depth only"),
	SWITCH("quiet", quiet, 1, "quiescence search: captures and the like beyond the depth"),
	ROW("prove", OPTION_INT, prove, .max = INT64_MAX / 2, .value = "N",
	    .help = "first try to prove the value by the game's solver or tables, for N nodes"),
	{ 0 },
};

/* alphabeta, negascout, selective */
static const struct option window_option[] = {
	ROW("window", OPTION_INT, window, .max = QV_MAX_EVAL, .value = "N",
	    .help = "aspiration window: N points around the last value"),
	{ 0 },
};

/* alphabeta, negascout */
static const struct option razor_option[] = {
	SWITCH("razor", razor, 0, "razoring: a move always improves on standing still (not sound)"),
	{ 0 },
};

static const struct option selective_options[] = {
	SWITCH("null", null_move, 1,
	       "null-move pruning: if a pass is good enough, so is a move (not sound)"),
	SWITCH("lmr", lmr, 1, "late move reductions (not sound)"),
	SWITCH("late", late, 1,
	       "late move pruning: no late quiet moves near the leaves (not sound)"),
	SWITCH("futility", futility, 1, "futility pruning near the leaves (not sound)"),
	SWITCH("see", see, 1,
	       "static exchange evaluation: losing captures come last or not at all (not sound)"),
	SWITCH("delta", delta, 1,
	       "delta pruning: no captures beyond the depth that win too little (not sound)"),
	SWITCH("checks", checks, 0, "checks on the first ply beyond the depth (changes the value)"),
	SWITCH("extend", extend, 1, "check extension: a ply more for checks (changes the value)"),
	SWITCH("singular", singular, 1,
	       "singular extension: a ply more for a move without rival (changes the value)"),
	SWITCH("iir", iir, 1,
	       "internal iterative reduction: a ply less where the table has no move (not sound)"),
	SWITCH("probcut", probcut, 1,
	       "ProbCut: a capture that wins far too much in a shallow search (not sound)"),
	SWITCH("follow", follow, 1, "continuation history and countermoves"),
	SWITCH("correct", correct, 1,
	       "correction history: static values less the error such pawns had (changes the value)"),
	SWITCH("twofold", twofold, 1,
	       "a position that repeats within the search is a draw (not sound)"),
	{ 0 },
};

/* The options of each kind, in the order of the help text. */
static const struct option *const full_groups[] = {
	depth_option,  effort_options, evaluation_options, random_option, error_options,
	chopper_option, basic_options,  opening_options,	   NULL,
};
static const struct option *const window_groups[] = {
	depth_option,  effort_options, evaluation_options, random_option,  error_options,
	chopper_option, sort_option,   killers_option,	   table_option,   table_search_options,
	window_option, razor_option,   prune_options,	   threads_option, basic_options,
	opening_options,  NULL,
};
static const struct option *const negascout_groups[] = {
	depth_option,  effort_options, evaluation_options, random_option,  error_options,
	chopper_option, sort_option,   killers_option,	   table_option,   table_search_options,
	window_option, razor_option,   prune_options,	   probcut_option, threads_option,
	basic_options, opening_options, NULL,
};
static const struct option *const mtdf_groups[] = {
	depth_option,  effort_options, evaluation_options, random_option,  chopper_option,
	sort_option,   killers_option, table_option,	   table_search_options,
	prune_options, probcut_option, threads_option,	   basic_options,     opening_options,
	NULL,
};
static const struct option *const selective_groups[] = {
	depth_option,  effort_options,	     evaluation_options, random_option, error_options,
	chopper_option, killers_option,	     table_option,	 table_search_options,
	window_option, selective_options,    threads_option,	 opening_options,	NULL,
};

const struct player_kind minimax_kind = {
	.name = "minimax", .help = "full width; maximum at own moves, minimum at the opponent's",
	.options = full_groups, .defaults = "iterate=0", .limit = "depth=4",
	.variant = DUEL_MINIMAX, .deepens = true, .counts_work = true, .make = duel_player_new
};

const struct player_kind negamax_kind = {
	.name = "negamax", .help = "minimax with one rule: the maximum of the negated replies",
	.options = full_groups, .defaults = "iterate=0", .limit = "depth=4",
	.variant = DUEL_NEGAMAX, .deepens = true, .counts_work = true, .make = duel_player_new
};

const struct player_kind alphabeta_kind = {
	.name = "alphabeta",
	.help = "alpha-beta pruning: skips branches that cannot change the value",
	.options = window_groups, .limit = "depth=6", .variant = DUEL_ALPHABETA,
	.deepens = true, .counts_work = true, .make = duel_player_new
};

const struct player_kind negascout_kind = {
	.name = "negascout",
	.help = "alpha-beta that tests later moves with a null window first (PVS)",
	.options = negascout_groups, .limit = "depth=6", .variant = DUEL_NEGASCOUT,
	.deepens = true, .counts_work = true, .make = duel_player_new
};

const struct player_kind mtdf_kind = {
	.name = "mtdf", .help = "MTD(f): converges on the value with null windows",
	.options = mtdf_groups, .limit = "depth=6", .variant = DUEL_MTDF,
	.deepens = true, .counts_work = true, .make = duel_player_new
};

const struct player_kind selective_kind = {
	.name = "selective",
	.help = "selective search with reductions and pruning; built-in games with captures",
	.options = selective_groups, .defaults = "window=20", .limit = "depth=6",
	.variant = DUEL_SELECTIVE, .needs_game = true, .deepens = true, .counts_work = true,
	.make = duel_player_new
};
