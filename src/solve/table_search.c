/*
 * table_search.c - alpha-beta search from positions before the tables down to the tables.
 * SPDX-License-Identifier: MIT
 *
 * Values are win, draw and loss only. Two null-window searches, "is it lost?" and "is it won?",
 * each finish much sooner than one search for the exact value. Every leaf costs a probe of the
 * tables, which dominates the time.
 *
 * Bounds are kept in a transposition table under the smallest hash of the position's symmetries. It
 * is set-associative: a key may be in 4 entries, and a new key replaces the one that was cheapest
 * to compute.
 *
 * Saved bounds (FOLDER/GAME/start.qva) are a header, then one zstd frame: all keys in ascending
 * order as differences of 8 bytes, then one byte of bounds for each. Only bounds that took
 * TABLE_SEARCH_WORTH nodes or more are saved. Files are untrusted: the checksum, the frame's size
 * and every record are checked before any is used.
 */
#include "solve/table_search.h"

#include <stdlib.h>
#include <unistd.h>
#include <zstd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/flag.h"
#include "search/slots.h"
#include "search/solver.h"

enum { WAYS = 4, MOST_BYTES = 1 << 30, STOP_EVERY = 1 << 4 };

enum qv_status table_search_memory_init(struct table_search_memory *m,
					const struct qv_allocator *allocator, size_t bytes)
{
	*m = (struct table_search_memory){ .allocator = allocator, .places = WAYS };
	while (m->places * 2 * sizeof *m->list <= bytes)
		m->places *= 2;
	m->list = mem_new(allocator, m->places, sizeof *m->list);
	return m->list ? QV_OK : QV_NO_MEMORY;
}

void table_search_memory_release(struct table_search_memory *m)
{
	mem_free(m->allocator, m->list, m->list ? m->places * sizeof *m->list : 0);
	*m = (struct table_search_memory){ .places = 0 };
}

/* The four entries where a key may be. */
static struct table_search_bounds *set_of(const struct table_search_memory *m, uint64_t key)
{
	return m->list + (qv_mix(key) & (m->places - 1) & ~(size_t)(WAYS - 1));
}

struct table_search_bounds *table_search_memory_entry(struct table_search_memory *m, uint64_t key)
{
	struct table_search_bounds *set = set_of(m, key), *cheapest = set;
	for (int i = 0; i < WAYS; i++) {
		if (set[i].key == key)
			return &set[i];
		if (set[i].nodes < cheapest->nodes)
			cheapest = &set[i];
	}
	*cheapest = (struct table_search_bounds){ key, 0, TABLE_SEARCH_LOSS, TABLE_SEARCH_WIN };
	return cheapest;
}

/* Grows to at least 2 * count entries, since a key has only four to choose from. */
static enum qv_status reserve(struct table_search_memory *m, size_t count)
{
	struct table_search_memory larger;
	size_t places = m->places;
	if (places >= 2 * count)
		return QV_OK;
	while (places < 2 * count)
		places *= 2;
	const enum qv_status status =
		table_search_memory_init(&larger, m->allocator, places * sizeof *larger.list);
	if (status != QV_OK)
		return status;
	for (size_t i = 0; i < m->places; i++)
		if (table_search_is_bounded(&m->list[i]))
			*table_search_memory_entry(&larger, m->list[i].key) = m->list[i];
	table_search_memory_release(m);
	*m = larger;
	return QV_OK;
}

/* ---- files ---- */

enum {
	AT_GAME_NAME = 8,
	AT_COUNT = AT_GAME_NAME + SPACES_NAME,
	AT_PACKED_SUM = AT_COUNT + 8,
	AT_PACKED = AT_PACKED_SUM + 8,
	RECORD = 9,
	MOST_RECORDS = 1 << 26,
};

static const char magic[8] = "QVABOVE1";

/* One byte more than needed, so that an empty memory is no special case. */
static size_t plain_size(size_t count)
{
	return count * RECORD + 1;
}

/* The order of the records in the file. */
static int by_key(const void *a, const void *b)
{
	const uint64_t x = ((const struct table_search_bounds *)a)->key;
	const uint64_t y = ((const struct table_search_bounds *)b)->key;
	return (x > y) - (x < y);
}

enum qv_status table_search_memory_pack(const struct table_search_memory *m, const char *game,
					struct table_search_packed *out, struct qv_error *error)
{
	enum { LEVEL = 9 };
	size_t count = 0, packed = 0, n = 0;
	for (size_t i = 0; i < m->places; i++)
		count += table_search_is_worth_saving(&m->list[i]);
	*out = (struct table_search_packed){ .room = AT_PACKED +
						     ZSTD_compressBound(count * RECORD) };
	if (count > MOST_RECORDS)
		return qv_fail(error, QV_UNSUPPORTED, "tables: too many search results to save");
	struct table_search_bounds *sorted = mem_new(m->allocator, count + 1, sizeof *sorted);
	unsigned char *plain = mem_new(m->allocator, 1, plain_size(count));
	unsigned char *file = mem_new(m->allocator, 1, out->room);
	if (sorted && plain && file) {
		for (size_t i = 0; i < m->places; i++)
			if (table_search_is_worth_saving(&m->list[i]))
				sorted[n++] = m->list[i];
		qsort(sorted, n, sizeof *sorted, by_key);
		for (size_t i = 0; i < n; i++) {
			const struct table_search_bounds *b = &sorted[i];
			table_put_number(plain + 8 * i, b->key - (i ? b[-1].key : 0), 8);
			plain[8 * count + i] = (unsigned char)((b->low + 1) | (b->high + 1) << 2);
		}
		packed = ZSTD_compress(file + AT_PACKED, out->room - AT_PACKED, plain,
				       count * RECORD, LEVEL);
	}
	mem_free(m->allocator, sorted, sorted ? (count + 1) * sizeof *sorted : 0);
	mem_free(m->allocator, plain, plain ? plain_size(count) : 0);
	if (!packed || ZSTD_isError(packed)) {
		mem_free(m->allocator, file, file ? out->room : 0);
		return qv_fail(error, QV_NO_MEMORY, "tables: out of memory");
	}
	memcpy(file, magic, sizeof magic);
	snprintf((char *)file + AT_GAME_NAME, SPACES_NAME, "%s", game);
	table_put_number(file + AT_COUNT, count, 8);
	table_put_number(file + AT_PACKED_SUM, qv_hash_bytes(file + AT_PACKED, packed), 8);
	out->file = file;
	out->size = AT_PACKED + packed;
	return QV_OK;
}

/*
 * Adds the records to the memory, which must have room for them, or only checks them if m is NULL.
 * False: keys do not ascend, or a record does not bound the value.
 */
static bool add_records(struct table_search_memory *m, const unsigned char *plain, size_t count)
{
	uint64_t key = 0;
	for (size_t i = 0; i < count; i++) {
		const uint64_t more = table_number(plain + 8 * i, 8);
		const unsigned char both = plain[8 * count + i];
		const int low = (both & 3) - 1, high = (both >> 2) - 1;
		if (!more || key + more < key || low > high || high > 1 || high - low > 1)
			return false;
		key += more;
		if (!m)
			continue;
		struct table_search_bounds *b = table_search_memory_entry(m, key);
		b->low = (int8_t)(low > b->low ? low : b->low);
		b->high = (int8_t)(high < b->high ? high : b->high);
		b->nodes = b->nodes > TABLE_SEARCH_WORTH ? b->nodes : TABLE_SEARCH_WORTH;
	}
	return true;
}

/* What is wrong with the header; NULL: nothing. */
static const char *header_fault(const unsigned char *file, size_t size, const char *game)
{
	if (size < AT_PACKED || memcmp(file, magic, sizeof magic) != 0)
		return "not a file of search results before the tables";
	if (strncmp((const char *)file + AT_GAME_NAME, game, SPACES_NAME) != 0)
		return "belongs to another game";
	const uint64_t count = table_number(file + AT_COUNT, 8);
	if (count > MOST_RECORDS ||
	    qv_hash_bytes(file + AT_PACKED, size - AT_PACKED) !=
		    table_number(file + AT_PACKED_SUM, 8) ||
	    ZSTD_getFrameContentSize(file + AT_PACKED, size - AT_PACKED) != count * RECORD)
		return "damaged";
	return NULL;
}

enum qv_status table_search_memory_read(struct table_search_memory *m, const char *game,
					const void *file, size_t size, const char *name,
					struct qv_error *error)
{
	const unsigned char *const bytes = file;
	const char *fault = header_fault(bytes, size, game);
	if (fault)
		return qv_fail(error, QV_BAD_INPUT, "%.150s: %s", name, fault);
	const size_t count = (size_t)table_number(bytes + AT_COUNT, 8);
	unsigned char *plain = mem_new(m->allocator, 1, plain_size(count));
	enum qv_status status = plain ? QV_OK : QV_NO_MEMORY;
	if (plain && (ZSTD_decompress(plain, count * RECORD, bytes + AT_PACKED, size - AT_PACKED) !=
			      count * RECORD ||
		      !add_records(NULL, plain, count)))
		status = QV_BAD_INPUT;
	if (status == QV_OK)
		status = reserve(m, count);
	if (status == QV_OK)
		add_records(m, plain, count);
	mem_free(m->allocator, plain, plain ? plain_size(count) : 0);
	if (status == QV_OK)
		return QV_OK;
	return qv_fail(error, status, "%.150s: %s", name,
		       status == QV_NO_MEMORY ? "out of memory" : "damaged");
}

enum qv_status table_search_memory_load(struct table_search_memory *m, const char *game,
					const char *path, struct qv_error *error)
{
	struct file_bytes file = { 0 };
	if (access(path, F_OK) != 0)
		return QV_OK;
	enum qv_status status = file_read(m->allocator, path, MOST_BYTES, &file, error);
	if (status == QV_OK)
		status = table_search_memory_read(m, game, file.data, file.size, path, error);
	file_release(m->allocator, &file);
	return status;
}

/* ---- the search ---- */

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

/* The path of the saved bounds; false: it is too long. */
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
	enum qv_status status = QV_OK;
	char path[4096];
	if (!a || !a->memory.list || !a->symmetric || !a->slots)
		status = qv_fail(error, QV_NO_MEMORY, "tables: out of memory");
	else if (*tables->cache.folder && memory_path(tables, path))
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
		const uint64_t key = key_of(a, child);
		const struct table_search_bounds *set = set_of(&a->memory, key);
		for (int k = 0; k < WAYS; k++)
			if (set[k].key == key && -set[k].high >= beta) {
				a->root_move = slot->moves[i];
				*value = -set[k].high;
				return true;
			}
	}
	return false;
}

/*
 * The value of the position at `ply` for its side to move, within the window (alpha, beta). Its
 * successors are probed in the tables or searched on.
 */
static enum qv_status search(struct table_search *a, int ply, int alpha, int beta, int *value)
{
	const struct table_search_limits *limits = &a->limits;
	const struct qv_game *game = game_of(a);
	const struct slot *slot = &a->slots[ply], *next = slot + 1;
	if (ply >= TABLE_SEARCH_PLIES)
		return qv_fail(a->error, QV_UNKNOWN, "tables: no table contains this position");
	if ((a->searched++ % STOP_EVERY == 0 || ply == 0) &&
	    (flag_is_set(limits->stop) ||
	     (limits->until_us && clock_us() >= limits->until_us) ||
	     (limits->solve && solve_must_stop(limits->solve, a->nodes))))
		return qv_fail(a->error, QV_STOPPED, "tables: stopped");
	/* The memory may answer the question. */
	const uint64_t key = key_of(a, slot->state), before = a->nodes;
	const struct table_search_bounds known = *table_search_memory_entry(&a->memory, key);
	if (ply > 0 && (known.low >= beta || known.low == known.high || known.high <= alpha)) {
		*value = known.low >= beta ? known.low : known.high;
		return QV_OK;
	}
	if (ply == 0 && root_is_known(a, &known, alpha, beta, value))
		return QV_OK;
	/* Try the moves. */
	const int n = game->moves(slot->state, slot->moves);
	order(game, slot->state, slot->moves, n);
	int best = TABLE_SEARCH_LOSS - 1;
	for (int i = 0; i < n && best < beta; i++) {
		int32_t points[QV_MAX_SEATS];
		struct qv_place place;
		struct qv_solution found;
		int after = TABLE_SEARCH_LOSS;
		enum qv_status status;
		memcpy(next->state, slot->state, game->state_size);
		game->play(next->state, slot->moves[i]);
		a->nodes++;
		if (game->result(next->state, points) != QV_ENDED &&
		    !game->index->find(a->tables->spaces.aid, next->state, &place)) {
			status = search(a, ply + 1, -beta, -(best > alpha ? best : alpha), &after);
		} else {
			status = probe_value(a->tables, next->state, &found, a->error);
			after = (int)found.value - (int)QV_VALUE_DRAW;
		}
		if (status != QV_OK)
			return status;
		if (-after > best && ply == 0)
			a->root_move = slot->moves[i];
		best = -after > best ? -after : best;
	}
	/* Store what this search has shown. */
	struct table_search_bounds *m = table_search_memory_entry(&a->memory, key);
	const uint64_t nodes = a->nodes - before;
	if (nodes > m->nodes)
		m->nodes = nodes < UINT32_MAX ? (uint32_t)nodes : UINT32_MAX;
	if (best > alpha && best > m->low)
		m->low = (int8_t)best;
	if (best < beta && best < m->high)
		m->high = (int8_t)best;
	*value = best;
	return QV_OK;
}

/* Asks "is it lost?" and then, if not, "is it won?": each is a null-window search. */
enum qv_status table_search_solve(struct table_search *a, const void *state,
				  const struct table_search_limits *limits, struct qv_solution *out,
				  struct qv_error *error)
{
	static const enum qv_value values[] = { QV_VALUE_LOSS, QV_VALUE_DRAW, QV_VALUE_WIN };
	int value = TABLE_SEARCH_DRAW;
	a->limits = *limits;
	a->error = error;
	a->nodes = 0;
	memcpy(a->slots[0].state, state, game_of(a)->state_size);
	enum qv_status status = search(a, 0, TABLE_SEARCH_LOSS, TABLE_SEARCH_DRAW, &value);
	const qv_move held = a->root_move;
	if (status == QV_OK && value >= TABLE_SEARCH_DRAW) {
		out->move = held;
		status = search(a, 0, TABLE_SEARCH_DRAW, TABLE_SEARCH_WIN, &value);
	}
	out->nodes = a->nodes;
	if (status != QV_OK)
		return status;
	out->value = values[value - TABLE_SEARCH_LOSS];
	out->move = value == TABLE_SEARCH_DRAW ? held : a->root_move;
	return QV_OK;
}

enum qv_status table_search_save(const struct table_search *a, struct qv_error *error)
{
	char path[4096];
	if (!memory_path(a->tables, path))
		return qv_fail(error, QV_IO, "%.100s: the path is too long",
			       a->tables->cache.folder);
	struct table_search_packed packed;
	struct file_writer writer = { 0 };
	const struct table_search_memory *m = &a->memory;
	enum qv_status status = table_search_memory_pack(m, a->tables->spaces.name, &packed, error);
	if (status != QV_OK)
		return status;
	status = file_create(&writer, m->allocator, path, error);
	if (status == QV_OK)
		status = file_write(&writer, packed.file, packed.size, error);
	if (status == QV_OK)
		status = file_keep(&writer, error);
	else
		file_abandon(&writer);
	mem_free(m->allocator, packed.file, packed.room);
	return status;
}
