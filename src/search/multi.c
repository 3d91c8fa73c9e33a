/*
 * multi.c - the driver of the searches for several seats: max^n, paranoid and best-reply.
 * SPDX-License-Identifier: MIT
 *
 * Creates the search, deepens iteratively within the limits, decides what is proven, and fills in
 * the answer; multi.inc.h has the recursions.
 */
#include "search/multi.h"
#include "search/player_kind.h"

/* ---- construction ---- */

static size_t search_need(const struct qv_game *g, const struct multi_ops *ops)
{
	return arena_need(1, g->state_size) + arena_need(MULTI_MAX_PLY, sizeof(qv_move)) +
	       arena_need(MULTI_MAX_PLY, sizeof(struct multi_ply)) +
	       MULTI_MAX_PLY * (arena_need(MULTI_MAX_PLY, sizeof(qv_move)) +
				arena_need((size_t)g->max_moves, sizeof(int32_t))) +
	       (ops->dynamic ? slots_need(g, MULTI_MAX_PLY) : 0);
}

static enum qv_status take_memory(struct multi *m)
{
	const struct qv_game *g = m->game;
	struct arena *a = &m->arena;
	if (arena_init(a, m->allocator, search_need(g, m->ops)) != QV_OK)
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

static void set_switches(struct multi *m, const struct multi_setup *setup)
{
	const struct settings *set = setup->settings;
	const struct qv_game *g = setup->game;
	const struct qv_evaluation *chosen = setup->evaluation ? setup->evaluation : g->evaluations;
	m->game = g;
	m->ops = setup->ops;
	m->allocator = setup->allocator;
	m->settings = *set;
	m->weights = setup->weights ? setup->weights : chosen ? chosen->weights : NULL;
	m->custom = chosen != g->evaluations ? chosen : NULL;
	m->seats = chosen && g->seats > 2 ? chosen->seats : NULL;
	m->variant = (enum multi_variant)set->kind->variant;
	m->prune = set->prune;
	m->sort = set->sort && g->rank;
	m->random = set->random;
	m->repeats = g->repeated && g->irreversible;
	m->win = g->win ? g->win : QV_MAX_EVAL;
	m->bound = g->chance ? m->win : QV_MAX_EVAL;
}

enum qv_status multi_new(const struct multi_setup *setup, struct multi **out,
			 struct qv_error *error)
{
	struct multi *m = mem_new(setup->allocator, 1, sizeof *m);
	if (!m)
		return qv_fail(error, QV_NO_MEMORY, "search: out of memory");
	set_switches(m, setup);
	if (take_memory(m) != QV_OK) {
		multi_free(m);
		return qv_fail(error, QV_NO_MEMORY, "search: out of memory");
	}
	multi_forget(m);
	*out = m;
	return QV_OK;
}

void multi_free(struct multi *m)
{
	if (!m)
		return;
	root_release(&m->root, m->allocator);
	mem_free(m->allocator, m->hashes, (size_t)m->hash_capacity * sizeof *m->hashes);
	arena_release(&m->arena);
	mem_free(m->allocator, m, sizeof *m);
}

void multi_forget(struct multi *m)
{
	m->random_numbers = (struct qv_random){ .key = qv_random_key(m->settings.seed, 0) };
}

/* ---- the answer ---- */

/*
 * Whether the score is proven. With more than two seats this depends on the assumed play:
 * - max^n: the winners must be proven for all choices that matter. The distance of a loss to
 * several
 *   winners is unknown, since they do not care about it.
 * - paranoid: a win against all opponents together holds against any play; a loss does not, unless
 *   there is only one opponent.
 * - best-reply: only an immediate win, since the opponents' moves were restricted.
 * With dice, only an immediate win is proven.
 */
static bool is_proven(const struct multi *m, bool guessed)
{
	const double value = m->best.of[m->me];
	const bool complete = !m->pace.stopped;
	if (m->best_ends || m->game->chance)
		return m->best_ends;
	if (m->variant == MULTI_MAXN)
		return m->best.winners &&
		       (value == 0 || !(m->best.winners & (m->best.winners - 1)));
	if (m->game->seats > 2)
		return m->variant == MULTI_PARANOID && value > QV_MAX_EVAL;
	return value > QV_MAX_EVAL || (complete && (value < -QV_MAX_EVAL || !guessed));
}

/* A score that is not proven is clamped below the scores of wins. */
static int32_t score_of(const struct multi *m, bool proven)
{
	if (proven)
		return m->game->chance ? QV_WIN - 1 : multi_rounded(m->best.of[m->me]);
	return chance_rounded(m->best.of[m->me]);
}

static void fill_answer(const struct multi *m, bool guessed, struct qv_answer *out)
{
	out->nodes = out->considered = m->nodes;
	out->evals = m->evals;
	out->seconds = pace_seconds(&m->pace);
	if (!m->found)
		return;
	out->move = m->best_move;
	out->proven = is_proven(m, guessed);
	out->rests_on_repetition = out->proven && m->rests;
	out->score = score_of(m, out->proven);
	out->line_length = m->best_length;
	memcpy(out->line, m->best_line, (size_t)m->best_length * sizeof *out->line);
}

/* ---- running ---- */

static void take_limits(struct multi *m, const struct qv_limits *limits)
{
	const struct settings *set = &m->settings;
	pace_start(&m->pace, set, limits, 1);
	m->max_depth = pace_depth(set, limits, MULTI_MAX_DEPTH);
	m->deepen = set->iterate || (set->depth <= 0 && limits->depth <= 0);
	m->nodes = m->evals = m->cut = 0;
	m->rests = m->found = m->best_ends = false;
}

static enum qv_status set_history(struct multi *m, const struct qv_limits *limits)
{
	if (!m->repeats)
		return QV_OK;
	const int count = limits->history_count > 0 ? limits->history_count : 0;
	const int need = count + MULTI_MAX_PLY + 1;
	if (need > m->hash_capacity) {
		uint64_t *hashes = mem_resize(m->allocator, m->hashes,
					      (size_t)m->hash_capacity * sizeof *hashes,
					      (size_t)need * sizeof *hashes);
		if (!hashes)
			return QV_NO_MEMORY;
		m->hashes = hashes;
		m->hash_capacity = need;
	}
	if (count)
		memcpy(m->hashes, limits->history, (size_t)count * sizeof *m->hashes);
	m->history_count = count;
	m->plies[0].first = 0;
	return QV_OK;
}

static void iterate(struct multi *m, const struct qv_listener *listener, struct qv_answer *out)
{
	for (int depth = m->deepen ? 1 : m->max_depth; depth <= m->max_depth; depth++) {
		const uint64_t before = m->evals + m->cut;
		m->rests = false;
		m->ops->search(m, depth);
		const bool guessed = before != m->evals + m->cut;
		if (!m->pace.stopped)
			out->depth = depth;
		fill_answer(m, guessed, out);
		if (m->pace.stopped)
			return;
		if (listener && listener->iteration)
			listener->iteration(listener->ctx, out);
		if (out->proven || !guessed)
			return; /* proven, or every line reached the end of the game */
		if (pace_enough(&m->pace, out))
			return;
		root_put_first(&m->root, m->best_move);
	}
}

static int32_t ended_score(const struct multi *m, const void *state, const int32_t *points)
{
	const unsigned winners = multi_winners(m->game->seats, points);
	const unsigned mine = 1U << m->game->seat(state);
	return winners == mine ? QV_WIN : winners & mine ? 0 : -QV_WIN;
}

static int32_t static_score(const struct multi *m)
{
	int32_t values[QV_MAX_SEATS] = { 0 };
	const struct qv_evaluation *e = m->custom ? m->custom : m->game->evaluations;
	if (m->seats)
		m->seats(m->root_state, m->weights, values);
	else
		values[m->me] = e ? e->evaluate(m->root_state, m->weights) : 0;
	return chance_rounded(multi_cut(m, values[m->me]));
}

enum qv_status multi_run(struct multi *m, const void *state, const struct qv_limits *limits,
			 const struct qv_listener *listener, struct qv_answer *out,
			 struct qv_error *error)
{
	int32_t points[QV_MAX_SEATS];
	take_limits(m, limits);
	if (m->game->result(state, points) != QV_GOING) {
		*out = (struct qv_answer){ .move = QV_NO_MOVE, .proven = true };
		out->score = ended_score(m, state, points);
		return QV_OK;
	}
	m->me = m->game->seat(state);
	if (m->me == QV_CHANCE)
		return qv_fail(error, QV_ILLEGAL, "search: chance is to move, not a player");
	const bool asked = listener && (listener->branch || listener->node || listener->leaf);
	m->listener = asked ? listener : NULL;
	memcpy(m->root_state, state, m->game->state_size);
	if (root_list(&m->root, m->allocator, m->game, state, m->sort, limits) != QV_OK ||
	    set_history(m, limits) != QV_OK)
		return qv_fail(error, QV_NO_MEMORY, "search: out of memory");
	*out = (struct qv_answer){ .move = m->root.list[0],
				   .score = static_score(m),
				   .line_length = 1,
				   .line = { m->root.list[0] } };
	if (m->settings.chopper && m->root.count == 1)
		m->max_depth = 1; /* an only move needs no search */
	iterate(m, listener, out);
	if (m->pace.was_stopped)
		return qv_fail(error, QV_STOPPED, "search: stopped");
	return QV_OK;
}
