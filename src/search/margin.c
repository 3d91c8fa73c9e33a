/*
 * margin.c - the exact margin of points: alpha-beta search to the end of the game, with a table.
 * SPDX-License-Identifier: MIT
 *
 * For any game, through struct qv_game. All values are margins of seat 0, cut to the stakes. The
 * window at the root is that of all margins, so its value is exact.
 */
#include "search/margin.h"

#include "search/root.h"
#include "search/solver.h"

/* Bounds of a position's margin, and the move that was best there. */
struct margin_entry {
	uint64_t hash;
	int32_t lower, upper;
	qv_move best;
	bool used;
};

enum { LOOK_EVERY = 1024, FEWEST_ENTRIES = 1 << 10, RANKED_MOST = 64 };

bool margin_applies(const struct qv_game *game)
{
	return game->stakes > 0 && game->seats == 2 && !game->chance && !game->repeated &&
	       game->max_plies > 0;
}

void margin_release(struct margin_search *m)
{
	mem_free(m->allocator, m->table, m->table ? m->entries * sizeof *m->table : 0);
	m->table = NULL;
	if (m->slots)
		arena_release(&m->arena);
	m->slots = NULL;
}

/* Takes the memory for the table and for each ply, at the first search. */
static enum qv_status take_memory(struct margin_search *m, struct qv_error *error)
{
	const size_t plies = (size_t)m->game->max_plies + 1;
	if (m->slots)
		return QV_OK;
	m->entries = FEWEST_ENTRIES;
	while (m->entries * 2 * sizeof *m->table <= m->table_bytes)
		m->entries *= 2;
	m->table = mem_new(m->allocator, m->entries, sizeof *m->table);
	if (m->table &&
	    arena_init(&m->arena, m->allocator, slots_need(m->game, plies)) == QV_OK &&
	    (m->slots = slots_take(&m->arena, m->game, plies)))
		return QV_OK;
	margin_release(m);
	return qv_fail(error, QV_NO_MEMORY, "solve: out of memory");
}

static struct margin_entry *entry_of(const struct margin_search *m, uint64_t hash)
{
	return &m->table[qv_mix(hash) & (m->entries - 1)];
}

/* Brings the next move to try to the place `at` of the list: the table's, then by rank. */
static void bring_next(const struct qv_game *g, const void *state, qv_move *list, int at, int n,
		       qv_move first)
{
	int best = at;
	if (at == 0 && first != QV_NO_MOVE) {
		for (int i = 0; i < n; i++)
			if (list[i] == first)
				best = i;
	} else if (g->rank && n <= RANKED_MOST) {
		int32_t most = g->rank(state, list[at]);
		for (int i = at + 1; i < n; i++) {
			const int32_t rank = g->rank(state, list[i]);
			best = rank > most ? i : best;
			most = rank > most ? rank : most;
		}
	}
	const qv_move move = list[best];
	list[best] = list[at];
	list[at] = move;
}

static int32_t search(struct margin_search *m, const void *state, int ply, int32_t alpha,
		      int32_t beta, qv_move *best);

/* The best of the moves here, each with its counts, by turns: alpha and beta are of seat 0. */
static int32_t try_moves(struct margin_search *m, const void *state, int ply, int32_t alpha,
			 int32_t beta, qv_move first, qv_move *best)
{
	const struct qv_game *g = m->game;
	const bool up = g->seat(state) == 0;
	struct slot *slot = &m->slots[ply];
	const int n = g->moves(state, slot->moves);
	int32_t value = up ? -g->stakes : g->stakes;
	*best = QV_NO_MOVE;
	for (int i = 0; i < n && alpha < beta; i++) {
		bring_next(g, state, slot->moves, i, n, first);
		const int most = g->max_count ? g->max_count(state, slot->moves[i]) : 1;
		for (int k = most > 1 ? most : 1; k >= 1 && alpha < beta; k--) {
			const qv_move move = most > 1 ? g->with_count(slot->moves[i], k)
						      : slot->moves[i];
			qv_move reply;
			memcpy(slot->state, state, g->state_size);
			g->play(slot->state, move);
			const int32_t here =
				search(m, slot->state, ply + 1, alpha, beta, &reply);
			if (m->stopped)
				return 0;
			if (*best == QV_NO_MOVE || (up ? here > value : here < value)) {
				value = here;
				*best = move;
			}
			if (up && value > alpha)
				alpha = value;
			if (!up && value < beta)
				beta = value;
		}
	}
	return value;
}

static int32_t search(struct margin_search *m, const void *state, int ply, int32_t alpha,
		      int32_t beta, qv_move *best)
{
	const struct qv_game *g = m->game;
	int32_t points[QV_MAX_SEATS];
	*best = QV_NO_MOVE;
	if (g->result(state, points) != QV_GOING)
		return root_margin(g, points);
	m->nodes++;
	/* A game that breaks the limit of its length ends the search, too. */
	if (ply >= g->max_plies ||
	    (m->nodes % LOOK_EVERY == 0 && solve_must_stop(m->limits, m->nodes)))
		m->stopped = true;
	if (m->stopped)
		return 0;
	const uint64_t hash = g->hash(state);
	struct margin_entry *e = entry_of(m, hash);
	const bool known = e->used && e->hash == hash;
	if (known && (e->lower == e->upper || e->lower >= beta || e->upper <= alpha)) {
		*best = e->best;
		return e->lower >= beta || e->lower == e->upper ? e->lower : e->upper;
	}
	const int32_t value =
		try_moves(m, state, ply, alpha, beta, known ? e->best : QV_NO_MOVE, best);
	if (m->stopped)
		return 0;
	/* What lies outside of the window is a bound only. */
	*e = (struct margin_entry){ .hash = hash,
				    .lower = value > alpha ? value : -g->stakes,
				    .upper = value < beta ? value : g->stakes,
				    .best = *best,
				    .used = true };
	return value;
}

enum qv_status margin_find(struct margin_search *m, const void *state,
			   const struct qv_solve_limits *limits, struct qv_solution *out,
			   struct qv_error *error)
{
	const enum qv_status status = take_memory(m, error);
	qv_move best;
	if (status != QV_OK)
		return status;
	m->limits = limits;
	m->nodes = out->nodes;
	m->stopped = false;
	const int32_t stakes = m->game->stakes,
		      value = search(m, state, 0, -stakes, stakes, &best);
	out->nodes = m->nodes;
	if (m->stopped)
		return qv_fail(error, QV_STOPPED, "solve: stopped");
	out->has_margin = true;
	out->margin = m->game->seat(state) ? -value : value;
	out->move = best;
	return QV_OK;
}
