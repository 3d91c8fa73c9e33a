/*
 * table_search.c - the value of positions that are in no space but lead into one: a search that remembers.
 * SPDX-License-Identifier: MIT
 */
#include "solve/table_search.h"

#include "base/clock.h"
#include "search/slots.h"
#include "solve/table_search_memory.h"

enum { LOSS = ABOVE_LOSS, DRAW = ABOVE_DRAW, WIN = ABOVE_WIN, STOP_EVERY = 1 << 4 };

struct above {
	struct qv_tables *tables;
	struct arena arena;
	struct slot *slots;
	void *image;
	struct above_memory memory;
	struct above_limits limits;
	struct qv_error *error;
	uint64_t nodes, searched;
	qv_move root_move;         /* that gave the root the value of the last search */
};

static const struct qv_game *game_of(const struct above *a)
{
	return a->tables->spaces.rules.game;
}

/* Where what was found from the start is kept; false: the name is too long. */
static bool file_of(const struct qv_tables *tables, char path[4096])
{
	return snprintf(path, 4096, "%s/start.qva", tables->shelf.folder) < 4096;
}

enum qv_status above_new(struct qv_tables *tables, size_t bytes, struct above **out,
			 struct qv_error *error)
{
	const struct qv_allocator *allocator = tables->spaces.allocator;
	const struct qv_game *game = tables->spaces.rules.game;
	struct above *a = mem_new(allocator, 1, sizeof *a);
	if (a) {
		a->tables = tables;
		above_memory_init(&a->memory, allocator, bytes);
		a->image = mem_new(allocator, 1, game->state_size);
		if (arena_init(&a->arena, allocator, slots_need(game, ABOVE_PLIES + 1)) == QV_OK)
			a->slots = slots_take(&a->arena, game, ABOVE_PLIES + 1);
	}
	enum qv_status status = a && a->memory.list && a->image && a->slots ?
					QV_OK : qv_fail(error, QV_NO_MEMORY, "tables: out of memory");
	char path[4096];
	if (status == QV_OK && file_of(tables, path))
		status = above_memory_take(&a->memory, tables->spaces.name, path, error);
	if (status == QV_OK)
		*out = a;
	else
		above_free(a);
	return status;
}

void above_free(struct above *a)
{
	if (!a)
		return;
	const struct qv_allocator *allocator = a->tables->spaces.allocator;
	above_memory_release(&a->memory);
	mem_free(allocator, a->image, a->image ? game_of(a)->state_size : 0);
	arena_release(&a->arena);
	mem_free(allocator, a, sizeof *a);
}

/* ---- memory ---- */

/* The same for all images of a position; never 0, which is an empty place. */
static uint64_t key_of(const struct above *a, const void *state)
{
	const struct qv_game *game = game_of(a);
	uint64_t key = game->hash(state);
	for (int k = 1; game->image && k < game->symmetries; k++) {
		game->image(state, k, a->image);
		const uint64_t other = game->hash(a->image);
		key = other < key ? other : key;
	}
	return key ? key : 1;
}

static void remember(struct above *a, uint64_t key, int value, int alpha, int beta, uint64_t nodes)
{
	struct above_bounds *m = above_recall(&a->memory, key);
	if (nodes > m->nodes)
		m->nodes = nodes < UINT32_MAX ? (uint32_t)nodes : UINT32_MAX;
	if (value > alpha && value > m->low)
		m->low = (int8_t)value;
	if (value < beta && value < m->high)
		m->high = (int8_t)value;
}

/* ---- the search ---- */

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

static enum qv_status search(struct above *a, int ply, int alpha, int beta, int *value);

/* The value of the position in the slot, for its side to move. */
static enum qv_status value_at(struct above *a, int ply, int alpha, int beta, int *value)
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

static enum qv_status try_moves(struct above *a, int ply, int alpha, int beta, int *best)
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
 * Whether the answer is remembered already: that the root is worth no more than alpha, or that one
 * of its moves is worth beta. Moves are sought whatever their order: an image of the position may
 * have been searched, whose moves come in another.
 */
static bool root_is_known(struct above *a, const struct above_bounds *known, int alpha, int beta,
			  int *value)
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
		const struct above_bounds *there = above_peek(&a->memory, key_of(a, child));
		if (there && -there->high >= beta) {
			a->root_move = slot->moves[i];
			*value = -there->high;
			return true;
		}
	}
	return false;
}

static bool is_over(const struct above *a)
{
	const struct above_limits *l = &a->limits;
	return (l->stop && atomic_load(l->stop)) || (l->until_us && clock_us() >= l->until_us);
}

static enum qv_status search(struct above *a, int ply, int alpha, int beta, int *value)
{
	if (ply >= ABOVE_PLIES)
		return qv_fail(a->error, QV_UNKNOWN, "tables: the position is in none of them");
	if ((a->searched++ % STOP_EVERY == 0 || ply == 0) && is_over(a))
		return qv_fail(a->error, QV_STOPPED, "tables: stopped");
	const uint64_t key = key_of(a, a->slots[ply].state);
	const struct above_bounds known = *above_recall(&a->memory, key);
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

/* Two questions, since each is answered much sooner than both at once: is it lost? is it won? */
enum qv_status above_solve(struct above *a, const void *state,
			   const struct above_limits *limits, struct qv_solution *out,
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

enum qv_status above_keep(const struct above *a, struct qv_error *error)
{
	char path[4096];
	if (!file_of(a->tables, path))
		return qv_fail(error, QV_IO, "%.100s: the name is too long", a->tables->shelf.folder);
	return above_memory_keep(&a->memory, a->tables->spaces.name, path, error);
}
