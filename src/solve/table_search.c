/*
 * table_search.c - alpha-beta search from positions before the tables down to the tables.
 * SPDX-License-Identifier: MIT
 *
 * Values are win, draw and loss only. Two null-window searches, "is it lost?" and "is it won?",
 * each finish much sooner than one search for the exact value. Bounds are kept in a transposition
 * table (table_search_memory.c) under the smallest hash of the position's symmetries. Every leaf
 * costs a probe of the tables, which dominates the time.
 */
#include "solve/table_search.h"

#include "base/clock.h"
#include "search/slots.h"
#include "solve/table_search_memory.h"

enum {
	LOSS = TABLE_SEARCH_LOSS,
	DRAW = TABLE_SEARCH_DRAW,
	WIN = TABLE_SEARCH_WIN,
	STOP_EVERY = 1 << 4
};

struct table_search {
	struct qv_tables *tables;
	struct arena arena;
	struct slot *slots;
	void *symmetric; /* room for a symmetric state */
	struct table_search_memory memory;
	struct table_search_limits limits;
	struct qv_error *error;
	uint64_t nodes, searched;
	qv_move root_move; /* best move of the last search */
};

static const struct qv_game *game_of(const struct table_search *a)
{
	return a->tables->spaces.rules.game;
}

/* The path of the saved memory; false: it is too long. */
static bool memory_path(const struct qv_tables *tables, char path[4096])
{
	return snprintf(path, 4096, "%s/start.qva", tables->cache.folder) < 4096;
}

enum qv_status table_search_new(struct qv_tables *tables, size_t bytes, struct table_search **out,
				struct qv_error *error)
{
	const struct qv_allocator *allocator = tables->spaces.allocator;
	const struct qv_game *game = tables->spaces.rules.game;
	struct table_search *a = mem_new(allocator, 1, sizeof *a);
	if (a) {
		a->tables = tables;
		table_search_memory_init(&a->memory, allocator, bytes);
		a->symmetric = mem_new(allocator, 1, game->state_size);
		if (arena_init(&a->arena, allocator, slots_need(game, TABLE_SEARCH_PLIES + 1)) ==
		    QV_OK)
			a->slots = slots_take(&a->arena, game, TABLE_SEARCH_PLIES + 1);
	}
	enum qv_status status = a && a->memory.list && a->symmetric && a->slots
					? QV_OK
					: qv_fail(error, QV_NO_MEMORY, "tables: out of memory");
	char path[4096];
	if (status == QV_OK && memory_path(tables, path))
		status = table_search_memory_load(&a->memory, tables->spaces.name, path, error);
	if (status == QV_OK)
		*out = a;
	else
		table_search_free(a);
	return status;
}

void table_search_free(struct table_search *a)
{
	if (!a)
		return;
	const struct qv_allocator *allocator = a->tables->spaces.allocator;
	table_search_memory_release(&a->memory);
	mem_free(allocator, a->symmetric, a->symmetric ? game_of(a)->state_size : 0);
	arena_release(&a->arena);
	mem_free(allocator, a, sizeof *a);
}

/* ---- memory ---- */

/* The same key for all symmetries of a position; never 0, which marks an empty entry. */
static uint64_t key_of(const struct table_search *a, const void *state)
{
	const struct qv_game *game = game_of(a);
	uint64_t key = game->hash(state);
	for (int k = 1; game->image && k < game->symmetries; k++) {
		game->image(state, k, a->symmetric);
		const uint64_t other = game->hash(a->symmetric);
		key = other < key ? other : key;
	}
	return key ? key : 1;
}

/* Stores what a search with window (alpha, beta) has shown. */
static void remember(struct table_search *a, uint64_t key, int value, int alpha, int beta,
		     uint64_t nodes)
{
	struct table_search_bounds *m = table_search_memory_entry(&a->memory, key);
	if (nodes > m->nodes)
		m->nodes = nodes < UINT32_MAX ? (uint32_t)nodes : UINT32_MAX;
	if (value > alpha && value > m->low)
		m->low = (int8_t)value;
	if (value < beta && value < m->high)
		m->high = (int8_t)value;
}

/* ---- the search ---- */

/* Insertion sort by the game's rank, highest first. */
static void order(const struct qv_game *game, const void *state, qv_move *list, int n)
{
	int32_t ranks[QV_MAX_MOVES];
	for (int i = 0; game->rank && i < n; i++) {
		const qv_move move = list[i];
		const int32_t rank = game->rank(state, move);
		int k = i;
		for (; k > 0 && ranks[k - 1] < rank; k--) {
			ranks[k] = ranks[k - 1];
			list[k] = list[k - 1];
		}
		ranks[k] = rank;
		list[k] = move;
	}
}

static enum qv_status search(struct table_search *a, int ply, int alpha, int beta, int *value);

/* The value of the position at `ply` for its side to move, by a probe or by searching on. */
static enum qv_status value_at(struct table_search *a, int ply, int alpha, int beta, int *value)
{
	const struct qv_game *game = game_of(a);
	const void *state = a->slots[ply].state;
	int32_t points[QV_MAX_SEATS];
	struct qv_place place;
	struct qv_solution known;
	a->nodes++;
	if (game->result(state, points) != QV_ENDED &&
	    !game->index->find(a->tables->spaces.aid, state, &place))
		return search(a, ply, alpha, beta, value);
	const enum qv_status status = probe_value(a->tables, state, &known, a->error);
	*value = (int)known.value - (int)QV_VALUE_DRAW;
	return status;
}

static enum qv_status try_moves(struct table_search *a, int ply, int alpha, int beta, int *best)
{
	const struct qv_game *game = game_of(a);
	const struct slot *slot = &a->slots[ply];
	const int n = game->moves(slot->state, slot->moves);
	order(game, slot->state, slot->moves, n);
	*best = LOSS - 1;
	for (int i = 0; i < n && *best < beta; i++) {
		int value = LOSS;
		const int floor = *best > alpha ? *best : alpha;
		memcpy(a->slots[ply + 1].state, slot->state, game->state_size);
		game->play(a->slots[ply + 1].state, slot->moves[i]);
		const enum qv_status status = value_at(a, ply + 1, -beta, -floor, &value);
		if (status != QV_OK)
			return status;
		if (-value <= *best)
			continue;
		*best = -value;
		if (ply == 0)
			a->root_move = slot->moves[i];
	}
	return QV_OK;
}

/*
 * Whether the memory answers the question at the root: its value is at most alpha, or one of its
 * moves reaches beta. All moves are tried, since the entries may stem from a symmetric position
 * whose moves come in another order.
 */
static bool root_is_known(struct table_search *a, const struct table_search_bounds *known,
			  int alpha, int beta, int *value)
{
	const struct qv_game *game = game_of(a);
	const struct slot *slot = &a->slots[0];
	const int n = game->moves(slot->state, slot->moves);
	struct qv_place place;
	if (known->high <= alpha) {
		a->root_move = slot->moves[0];
		*value = known->high;
		return true;
	}
	for (int i = 0; i < n; i++) {
		void *child = a->slots[1].state;
		memcpy(child, slot->state, game->state_size);
		game->play(child, slot->moves[i]);
		if (game->index->find(a->tables->spaces.aid, child, &place))
			continue;
		const struct table_search_bounds *there =
			table_search_memory_find(&a->memory, key_of(a, child));
		if (there && -there->high >= beta) {
			a->root_move = slot->moves[i];
			*value = -there->high;
			return true;
		}
	}
	return false;
}

static bool is_over(const struct table_search *a)
{
	const struct table_search_limits *l = &a->limits;
	return (l->stop && atomic_load(l->stop)) || (l->until_us && clock_us() >= l->until_us);
}

static enum qv_status search(struct table_search *a, int ply, int alpha, int beta, int *value)
{
	if (ply >= TABLE_SEARCH_PLIES)
		return qv_fail(a->error, QV_UNKNOWN, "tables: no table contains this position");
	if ((a->searched++ % STOP_EVERY == 0 || ply == 0) && is_over(a))
		return qv_fail(a->error, QV_STOPPED, "tables: stopped");
	const uint64_t key = key_of(a, a->slots[ply].state);
	const struct table_search_bounds known = *table_search_memory_entry(&a->memory, key);
	if (ply > 0 && (known.low >= beta || known.low == known.high || known.high <= alpha)) {
		*value = known.low >= beta ? known.low : known.high;
		return QV_OK;
	}
	if (ply == 0 && root_is_known(a, &known, alpha, beta, value))
		return QV_OK;
	const uint64_t before = a->nodes;
	const enum qv_status status = try_moves(a, ply, alpha, beta, value);
	if (status == QV_OK)
		remember(a, key, *value, alpha, beta, a->nodes - before);
	return status;
}

/* Asks "is it lost?" and then, if not, "is it won?": each is a null-window search. */
enum qv_status table_search_solve(struct table_search *a, const void *state,
				  const struct table_search_limits *limits, struct qv_solution *out,
				  struct qv_error *error)
{
	static const enum qv_value values[] = { QV_VALUE_LOSS, QV_VALUE_DRAW, QV_VALUE_WIN };
	int value = DRAW;
	a->limits = *limits;
	a->error = error;
	a->nodes = 0;
	memcpy(a->slots[0].state, state, game_of(a)->state_size);
	enum qv_status status = search(a, 0, LOSS, DRAW, &value);
	const qv_move held = a->root_move;
	if (status == QV_OK && value >= DRAW) {
		out->move = held;
		status = search(a, 0, DRAW, WIN, &value);
	}
	out->nodes = a->nodes;
	if (status != QV_OK)
		return status;
	out->value = values[value - LOSS];
	out->move = value == DRAW ? held : a->root_move;
	return QV_OK;
}

enum qv_status table_search_save(const struct table_search *a, struct qv_error *error)
{
	char path[4096];
	if (!memory_path(a->tables, path))
		return qv_fail(error, QV_IO, "%.100s: the path is too long",
			       a->tables->cache.folder);
	return table_search_memory_save(&a->memory, a->tables->spaces.name, path, error);
}
