/*
 * multi.c - the driver of the searches for several seats (max^n, paranoid and best-reply), and the
 * player kinds `maxn`, `paranoid` and `brs`.
 * SPDX-License-Identifier: MIT
 *
 * Creates the search, deepens iteratively within the limits, decides what is proven, and fills in
 * the answer; multi.inc.h has the recursions.
 */
#include "search/multi.h"

#include "search/evaluation.h"
#include "search/player_kind.h"

/* ---- construction ---- */

static enum qv_status take_memory(struct multi *m)
{
	const struct qv_game *g = m->game;
	struct arena *a = &m->arena;
	const size_t need = arena_need(1, g->state_size) +
			    arena_need(MULTI_MAX_PLY, sizeof(qv_move)) +
			    arena_need(MULTI_MAX_PLY, sizeof(struct multi_ply)) +
			    MULTI_MAX_PLY * (arena_need(MULTI_MAX_PLY, sizeof(qv_move)) +
					     arena_need((size_t)g->max_moves, sizeof(int32_t))) +
			    (m->ops->dynamic ? slots_need(g, MULTI_MAX_PLY) : 0);
	if (arena_init(a, m->allocator, need) != QV_OK)
		return QV_NO_MEMORY;
	m->root_state = arena_take(a, 1, g->state_size);
	m->best_line = arena_take(a, MULTI_MAX_PLY, sizeof(qv_move));
	m->plies = arena_take(a, MULTI_MAX_PLY, sizeof *m->plies);
	for (int i = 0; i < MULTI_MAX_PLY; i++) {
		m->plies[i].line = arena_take(a, MULTI_MAX_PLY, sizeof(qv_move));
		m->plies[i].ranks = arena_take(a, (size_t)g->max_moves, sizeof(int32_t));
	}
	m->slots = m->ops->dynamic ? slots_take(a, g, MULTI_MAX_PLY) : NULL;
	return QV_OK;
}

static void restart_random(struct multi *m, uint64_t seed)
{
	m->random_numbers = (struct qv_random){ .key = qv_random_key(seed, 0) };
}

enum qv_status multi_new(const struct search_setup *setup, struct multi **out,
			 struct qv_error *error)
{
	const struct settings *set = setup->settings;
	const struct qv_game *g = setup->game;
	const struct qv_evaluation *chosen = setup->evaluation ? setup->evaluation : g->evaluations;
	struct multi *m = mem_new(setup->allocator, 1, sizeof *m);
	if (!m)
		return qv_fail(error, QV_NO_MEMORY, "search: out of memory");
	*m = (struct multi){
		.game = g,
		.ops = setup->ops,
		.allocator = setup->allocator,
		.settings = *set,
		.weights = setup->weights ? setup->weights : chosen ? chosen->weights : NULL,
		.custom = chosen != g->evaluations ? chosen : NULL,
		.seats = chosen && g->seats > 2 ? chosen->seats : NULL,
		.variant = (enum multi_variant)set->kind->variant,
		.prune = set->prune,
		.sort = set->sort && g->rank,
		.random = set->random,
		.repeats = g->repeated && g->irreversible,
		.win = g->win ? g->win : QV_MAX_EVAL,
	};
	m->bound = root_averages(g) ? m->win : QV_MAX_EVAL;
	if (take_memory(m) != QV_OK) {
		multi_free(m);
		return qv_fail(error, QV_NO_MEMORY, "search: out of memory");
	}
	restart_random(m, set->seed);
	*out = m;
	return QV_OK;
}

void multi_free(struct multi *m)
{
	if (!m)
		return;
	root_release(&m->root, m->allocator);
	mem_free(m->allocator, m->hashes, m->hash_room * sizeof *m->hashes);
	arena_release(&m->arena);
	mem_free(m->allocator, m, sizeof *m);
}

/* ---- the answer ---- */

/*
 * Whether the score is proven. With more than two seats this depends on the assumed play:
 * - max^n: the winners must be proven for all choices that matter. The distance of a loss to
 *   several winners is unknown, since they do not care about it.
 * - paranoid: a win against all opponents together holds against any play; a loss does not, unless
 *   there is only one opponent.
 * - best-reply: only an immediate win, since the opponents' moves were restricted.
 * With dice or margins, only an immediate win is proven.
 */
static bool is_proven(const struct multi *m, bool guessed)
{
	const double value = m->best.of[m->me];
	const bool complete = !m->budget.stopped;
	if (m->best_ends || root_averages(m->game))
		return m->best_ends;
	if (m->variant == MULTI_MAXN)
		return m->best.winners &&
		       (value == 0 || !(m->best.winners & (m->best.winners - 1)));
	if (m->game->seats > 2)
		return m->variant == MULTI_PARANOID && value > QV_MAX_EVAL;
	return value > QV_MAX_EVAL || (complete && (value < -QV_MAX_EVAL || !guessed));
}

/* ---- running ---- */

static void iterate(struct multi *m, const struct qv_listener *listener, struct qv_answer *out)
{
	for (int depth = m->deepen ? 1 : m->max_depth; depth <= m->max_depth; depth++) {
		const uint64_t before = m->evals + m->cut;
		m->rests = false;
		if (listener && listener->iteration_start)
			listener->iteration_start(listener->ctx, depth);
		m->ops->search(m, depth);
		const bool guessed = before != m->evals + m->cut;
		if (!m->budget.stopped)
			out->depth = depth;
		out->nodes = out->considered = m->nodes;
		out->evals = m->evals;
		out->seconds = budget_seconds(&m->budget);
		if (m->found) {
			const double value = m->best.of[m->me];
			out->move = m->best_move;
			out->proven = is_proven(m, guessed);
			out->rests_on_repetition = out->proven && m->rests;
			/* A score that is not proven is clamped below the scores of wins. */
			out->score = !out->proven	      ? chance_rounded(value)
				     : root_averages(m->game) ? QV_WIN - 1
							      : multi_rounded(value);
			out->line_length = m->best_length;
			memcpy(out->line, m->best_line, (size_t)m->best_length * sizeof *out->line);
		}
		if (m->budget.stopped)
			return;
		if (listener && listener->iteration)
			listener->iteration(listener->ctx, out);
		if (out->proven || !guessed)
			return; /* proven, or every line reached the end of the game */
		if (budget_enough(&m->budget, out))
			return;
		root_put_first(&m->root, m->best_move);
	}
}

enum qv_status multi_run(struct multi *m, const void *state, const struct qv_limits *limits,
			 const struct qv_listener *listener, struct qv_answer *out,
			 struct qv_error *error)
{
	const struct settings *set = &m->settings;
	budget_start(&m->budget, set, limits, 1);
	m->max_depth = budget_depth(set, limits, MULTI_MAX_DEPTH);
	m->deepen = set->iterate || m->max_depth == MULTI_MAX_DEPTH;
	m->nodes = m->evals = m->cut = 0;
	m->rests = m->found = m->best_ends = false;
	if (root_has_ended(m->game, state, out))
		return QV_OK;
	m->me = m->game->seat(state);
	if (m->me == QV_CHANCE)
		return qv_fail(error, QV_ILLEGAL, "search: chance is to move, not a player");
	m->listener = root_is_watched(listener) ? listener : NULL;
	memcpy(m->root_state, state, m->game->state_size);
	m->plies[0].first = 0;
	if (!root_list(&m->root, m->allocator, m->game, state, m->sort, limits) ||
	    (m->repeats && !root_load_history(m->allocator, limits, MULTI_MAX_PLY + 1, &m->hashes,
					      &m->hash_room, &m->history_count)))
		return qv_fail(error, QV_NO_MEMORY, "search: out of memory");
	/* Until an iteration has a better one, the answer is the first move and the static value. */
	int32_t values[QV_MAX_SEATS] = { 0 };
	const struct qv_evaluation *e = m->custom ? m->custom : m->game->evaluations;
	if (m->seats)
		m->seats(m->root_state, m->weights, values);
	else
		values[m->me] = e ? e->evaluate(m->root_state, m->weights) : 0;
	*out = (struct qv_answer){ .move = m->root.list[0],
				   .score = chance_rounded(multi_cut(m, values[m->me])),
				   .line_length = 1, .line = { m->root.list[0] } };
	if (set->chopper && m->root.count == 1)
		m->max_depth = 1; /* an only move needs no search */
	iterate(m, listener, out);
	return m->budget.was_stopped ? qv_fail(error, QV_STOPPED, "search: stopped") : QV_OK;
}

/* ---- the players ---- */

struct multi_player {
	struct qv_player base;
	struct multi *search;
	struct chosen_evaluation chosen;
};

static enum qv_status think(struct qv_player *p, const void *state, const struct qv_limits *limits,
			    const struct qv_listener *listener, struct qv_answer *out,
			    struct qv_error *error)
{
	return multi_run(((struct multi_player *)p)->search, state, limits, listener, out, error);
}

static void new_game(struct qv_player *p)
{
	restart_random(((struct multi_player *)p)->search, p->settings.seed);
}

static void free_player(struct qv_player *p)
{
	struct multi_player *m = (struct multi_player *)p;
	multi_free(m->search);
	evaluation_release(p->allocator, &m->chosen);
	mem_free(p->allocator, m, sizeof *m);
}

static const struct player_ops ops = { think, new_game, free_player };

static enum qv_status make(const struct player_setup *setup, struct qv_player **out,
			   struct qv_error *error)
{
	const struct qv_game *game = setup->rules->game;
	const struct settings *set = setup->settings;
	if (game->seats < 2 || !setup->engine->multi)
		return qv_fail(error, QV_UNSUPPORTED,
			       "player %s: needs a game of two or more players; %s is not one",
			       set->kind->name, game->name);
	struct multi_player *m = player_begin(setup, &ops, sizeof *m, error);
	if (!m)
		return QV_NO_MEMORY;
	enum qv_status status = evaluation_choose(setup->allocator, game, game->evaluations,
						  setup->added, set, &m->chosen, error);
	const struct search_setup search = { .game = game,
					     .ops = setup->engine->multi,
					     .allocator = setup->allocator,
					     .settings = set,
					     .evaluation = m->chosen.evaluation,
					     .weights = m->chosen.weights };
	if (status == QV_OK)
		status = multi_new(&search, &m->search, error);
	return player_finish(status, &m->base, out);
}

static const struct option own_options[] = {
	OPTION(struct settings, "prune", OPTION_SWITCH, prune, .def = 1,
	       .help = "skip branches that cannot change the value"),
	{ 0 },
};
static const struct option *const options[] = {
	depth_option, effort_options, evaluation_options, random_option, chopper_option,
	sort_option,  own_options,    opening_options,	  NULL,
};

#define KIND(name_, help_, variant_)                                                         \
	{                                                                                    \
		.name = name_, .help = help_, .options = options, .limit = "depth=4",        \
		.variant = variant_, .deepens = true, .counts_work = true, .make = make,     \
	}
const struct player_kind maxn_kind =
	KIND("maxn", "for two or more players, also with dice: each plays for itself", MULTI_MAXN);
const struct player_kind paranoid_kind =
	KIND("paranoid", "as maxn, but all others play against the one to move", MULTI_PARANOID);
const struct player_kind brs_kind =
	KIND("brs", "best-reply search: as paranoid, but only one opponent replies", MULTI_BRS);
