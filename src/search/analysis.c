/*
 * analysis.c - the best lines of a position (multi-PV).
 * SPDX-License-Identifier: MIT
 *
 * Each line is one search of the player, restricted to the first moves that no earlier line uses.
 * Two schemes: players that deepen iteratively search all lines depth by depth, in rounds; others
 * search one line after the other. The transposition table is shared by all lines, so a round costs
 * less than `lines` separate searches.
 */
#include "search/analysis.h"

#include "base/clock.h"
#include "base/flag.h"
#include "search/budget.h"
#include "search/legal.h"
#include "search/player_kind.h"

struct analysis {
	const struct analysis_setup *setup;
	int line;              /* being searched, from 1 */
	int lines;             /* number of lines */
	int depth;             /* of the current round */
	qv_move *left;         /* first moves not yet taken by a line */
	int left_count;
	size_t room;           /* capacity of left, in moves */
	int64_t started_us;    /* when the clock started */
	bool ponders;          /* the clock has not started */
	struct qv_answer reported; /* the last answer reported */
	bool has_reported;
	enum qv_status status; /* what the report callback returned */
	struct qv_error error; /* ... and its error, whatever the search returns */
};

/* ---- Reporting ---- */

static void report(struct analysis *a, const struct qv_answer *answer)
{
	a->reported = *answer;
	a->has_reported = true;
	a->status = a->setup->report(a->setup->ctx, a->line, answer, &a->error);
}

static void on_iteration(void *ctx, const struct qv_answer *so_far)
{
	struct analysis *a = ctx;
	if (a->status == QV_OK)
		report(a, so_far);
}

/* Each line's search deepens from 1 again; depths before the round's were reported earlier. */
static void on_root_move(void *ctx, qv_move move, int n, int depth)
{
	const struct analysis *a = ctx;
	if (depth == a->depth)
		a->setup->root_move(a->setup->ctx, move, n + a->line - 1, depth);
}

/* ---- Moves and limits ---- */

static bool add_move(struct analysis *a, qv_move move)
{
	if (!mem_reserve(a->setup->allocator, &a->left, &a->room, (size_t)a->left_count + 1,
			 sizeof *a->left))
		return false;
	a->left[a->left_count++] = move;
	return true;
}

/* Lists the first moves, a counted move with every number it can carry. */
static enum qv_status list_moves(struct analysis *a, struct qv_error *error)
{
	qv_move list[QV_MAX_MOVES];
	const struct qv_limits *l = &a->setup->limits;
	const struct qv_game *game = a->setup->game;
	const int count = l->only_count ? 0 : game->moves(a->setup->state, list);
	bool ok = true;
	a->left_count = 0;
	for (int i = 0; ok && i < l->only_count; i++)
		ok = add_move(a, l->only[i]);
	struct legal_walk walk = { list, count, 0 };
	for (qv_move move; ok && (move = legal_next(game, a->setup->state, &walk)) != QV_NO_MOVE;)
		ok = add_move(a, move);
	return ok ? QV_OK : qv_fail(error, QV_NO_MEMORY, "analyse: out of memory");
}

/* The caller's limits, of which time_left_ms replaces the time. */
static struct qv_limits limits_of(const struct analysis *a)
{
	struct qv_limits limits = a->setup->limits;
	limits.aim_ms = 0;
	if (!a->ponders)
		limits.ponder = NULL;
	return limits;
}

/* The time left for all lines, at least 1 ms; 0: no time limit. */
static int64_t time_left_ms(struct analysis *a)
{
	const struct qv_limits *l = &a->setup->limits;
	const bool aims = l->aim_ms && (!l->time_ms || l->aim_ms < l->time_ms);
	const int64_t all = aims ? l->aim_ms : l->time_ms, now = clock_us();
	if (!all)
		return 0;
	if (a->ponders && flag_is_set(l->ponder))
		return all;
	if (a->ponders)
		a->started_us = now;
	a->ponders = false;
	const int64_t left = all - (now - a->started_us) / 1000;
	return left > 0 ? left : 1;
}

/* The report callback's status if it failed, otherwise the search's. */
static enum qv_status outcome(const struct analysis *a, enum qv_status status,
			      struct qv_error *error)
{
	if (a->status == QV_OK)
		return status;
	if (error)
		*error = a->error;
	return a->status;
}

/* Runs the player on the moves that are left, and removes its move from them. */
static enum qv_status search_left(struct analysis *a, struct qv_limits *limits,
				  const struct qv_listener *listener, struct qv_answer *out,
				  struct qv_error *error)
{
	const struct analysis_setup *s = a->setup;
	if (a->line > 1) {
		limits->only = a->left;
		limits->only_count = a->left_count;
	}
	const enum qv_status status =
		s->run ? s->run(s->run_ctx, s->player, s->state, limits, listener, out, error)
		       : s->player->ops->think(s->player, s->state, limits, listener, out, error);
	if (a->status != QV_OK || (status != QV_OK && status != QV_STOPPED))
		return outcome(a, status, error);
	int i = 0;
	while (i < a->left_count && a->left[i] != out->move)
		i++;
	if (i == a->left_count)
		return qv_fail(error, QV_UNSUPPORTED,
			       "--lines: player '%.60s' cannot search with moves left out",
			       s->spec);
	a->left_count--;
	memmove(a->left + i, a->left + i + 1, (size_t)(a->left_count - i) * sizeof *a->left);
	return status;
}

/* ---- One line after the other ---- */

/* Searches one line to its end. QV_STOPPED: it was reported as far as it was found. */
static enum qv_status search_line(struct analysis *a, struct qv_error *error)
{
	const int64_t left = time_left_ms(a);
	struct qv_limits limits = limits_of(a);
	const struct qv_listener listener = { .iteration = on_iteration, .ctx = a };
	struct qv_answer answer;
	/* The time left is divided among the lines left. */
	limits.time_ms = left ? left / (a->lines - a->line + 1) + 1 : 0;
	if (a->line > 1)
		qv_player_new_game(a->setup->player);
	a->has_reported = false;
	const enum qv_status status = search_left(a, &limits, &listener, &answer, error);
	if (status != QV_OK && status != QV_STOPPED)
		return status;
	/* The last answer may differ from the last one reported in more than counts and times. */
	const struct qv_answer *old = &a->reported;
	if (!a->has_reported || answer.move != old->move || answer.score != old->score ||
	    answer.bound != old->bound || answer.proven != old->proven || answer.depth != old->depth ||
	    answer.line_length != old->line_length ||
	    memcmp(answer.line, old->line, (size_t)answer.line_length * sizeof *old->line) != 0)
		report(a, &answer);
	return outcome(a, status, error);
}

/* ---- All lines, depth by depth ---- */

/*
 * All lines of one depth. The player's limits are for one line, so they are multiplied by the
 * lines.
 */
struct round {
	struct qv_answer *answers;
	int known;       /* answers of this depth so far */
	uint64_t nodes, evals; /* left for all rounds; 0: no limit */
	int64_t time_us; /* likewise */
	bool over;       /* no deeper round is needed or possible */
};

/* What is left of a limit. 0 means no limit, so a limit that is used up becomes 1. */
static uint64_t less(uint64_t limit, uint64_t used)
{
	return !limit ? 0 : used < limit ? limit - used : 1;
}

/*
 * A line that did not reach the depth is not reported and ends the analysis, except in the first
 * round, so that every analysis reports something.
 */
static enum qv_status search_round(struct analysis *a, struct round *r, int depth, bool first,
				   struct qv_error *error)
{
	const struct qv_listener listener = { .root_move = a->setup->root_move ? on_root_move : NULL,
					      .ctx = a };
	bool proven = true;
	r->known = 0;
	a->depth = depth;
	enum qv_status status = list_moves(a, error);
	if (status != QV_OK)
		return status;
	for (a->line = 1; status == QV_OK && a->line <= a->lines; a->line++) {
		const int64_t left = time_left_ms(a);
		struct qv_limits limits = limits_of(a);
		struct qv_answer answer;
		limits.depth = depth;
		limits.nodes = r->nodes;
		limits.evals = r->evals;
		limits.time_ms = r->time_us ? r->time_us / 1000 + 1 : 0;
		if (left && (!limits.time_ms || left < limits.time_ms))
			limits.time_ms = left;
		status = search_left(a, &limits, &listener, &answer, error);
		if (status != QV_OK && status != QV_STOPPED)
			return status;
		r->nodes = less(r->nodes, answer.nodes);
		r->evals = less(r->evals, answer.evals);
		r->time_us = (int64_t)less((uint64_t)r->time_us, (uint64_t)(answer.seconds * 1e6));
		proven &= answer.proven;
		r->over |= answer.depth < depth && !answer.proven;
		if (r->over && !first)
			break;
		r->answers[r->known++] = answer;
	}
	r->over |= proven;
	/* Best first; equal scores keep their order. */
	for (int i = 1; i < r->known; i++)
		for (int k = i; k > 0 && r->answers[k - 1].score < r->answers[k].score; k--) {
			const struct qv_answer other = r->answers[k];
			r->answers[k] = r->answers[k - 1];
			r->answers[k - 1] = other;
		}
	for (int i = 0; i < r->known && a->status == QV_OK; i++) {
		a->line = i + 1;
		report(a, &r->answers[i]);
	}
	return outcome(a, status, error);
}

/* A limit multiplied by the lines, saturating; 0 stays no limit. */
static uint64_t times(int64_t limit, int lines)
{
	const uint64_t one = limit > 0 ? (uint64_t)limit : 0, most = UINT64_MAX / (uint64_t)lines;
	return one > most ? UINT64_MAX : one * (uint64_t)lines;
}

/* The lower of two limits; 0 is no limit. */
static uint64_t lower(uint64_t a, uint64_t b)
{
	return a && b ? (a < b ? a : b) : a + b;
}

static enum qv_status side_by_side(struct analysis *a, struct qv_error *error)
{
	const struct settings *set = &a->setup->player->settings;
	const struct qv_limits *limits = &a->setup->limits;
	const int last = budget_depth(set, limits, QV_MAX_LINE);
	const bool whole = !set->iterate && last < QV_MAX_LINE;
	const size_t count = (size_t)a->lines;
	struct round r = { .nodes = lower(times(set->nodes, a->lines), limits->nodes),
			   .evals = lower(times(set->evals, a->lines), limits->evals),
			   .time_us = set->time_ms * 1000 * a->lines };
	enum qv_status status = QV_OK;
	r.answers = mem_new(a->setup->allocator, count, sizeof *r.answers);
	if (!r.answers)
		return qv_fail(error, QV_NO_MEMORY, "analyse: out of memory");
	const int from = whole ? last : 1;
	for (int depth = from; status == QV_OK && !r.over && depth <= last; depth++)
		status = search_round(a, &r, depth, depth == from, error);
	mem_free(a->setup->allocator, r.answers, count * sizeof *r.answers);
	return status;
}

enum qv_status analysis_run(const struct analysis_setup *setup, struct qv_error *error)
{
	struct analysis a = { .setup = setup,
			      .started_us = clock_us(),
			      .ponders = setup->limits.ponder != NULL };
	enum qv_status status = list_moves(&a, error);
	a.lines = setup->lines < a.left_count ? setup->lines : a.left_count;
	if (status == QV_OK && a.lines > 1 && setup->player->settings.kind->deepens)
		status = side_by_side(&a, error);
	else
		for (a.line = 1; status == QV_OK && a.line <= a.lines; a.line++)
			status = search_line(&a, error);
	mem_free(setup->allocator, a.left, a.room * sizeof *a.left);
	return status;
}
