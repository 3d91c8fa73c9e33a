/*
 * probe.c - looks positions up in finished endgame tables.
 * SPDX-License-Identifier: MIT
 *
 * A probe reads one compressed block of 64 KB and keeps it in a set-associative cache: 4,096 sets
 * of 4 blocks, least recently used first out. At most PROBE_FILES files stay open. A best move is
 * found by probing every successor.
 */
#include "solve/probe.h"

#include "search/legal.h"
#include "search/slots.h"

enum qv_status probe_new(struct spaces *spaces, const char *folder, struct qv_tables **out,
			 struct qv_error *error)
{
	const struct qv_allocator *allocator = spaces->allocator;
	struct qv_tables *t = mem_new(allocator, 1, sizeof *t);
	if (!t) {
		spaces_release(spaces);
		return qv_fail(error, QV_NO_MEMORY, "tables: out of memory");
	}
	t->spaces = *spaces;
	*spaces = (struct spaces){ .count = 0 };
	const struct qv_game *game = t->spaces.rules.game;
	enum qv_status status = table_cache_init(&t->cache, &t->spaces, folder, error);
	if (status != QV_OK)
		goto failed;
	t->files = mem_new(allocator, (size_t)t->spaces.count, sizeof *t->files);
	t->blocks = mem_new(allocator, PROBE_SETS, sizeof *t->blocks);
	if (t->files && t->blocks && arena_init(&t->arena, allocator, slots_need(game, 2)) == QV_OK)
		t->slots = slots_take(&t->arena, game, 2);
	if (t->slots) {
		*out = t;
		return QV_OK;
	}
	status = qv_fail(error, QV_NO_MEMORY, "tables: out of memory");
failed:
	probe_free(t);
	return status;
}

void probe_free(struct qv_tables *t)
{
	if (!t)
		return;
	const struct qv_allocator *allocator = t->spaces.allocator;
	for (int i = 0; t->files && i < t->spaces.count; i++)
		if (t->files[i].in)
			table_close(&t->files[i]);
	mem_free(allocator, t->files, (size_t)t->spaces.count * sizeof *t->files);
	for (int i = 0; t->blocks && i < PROBE_SETS; i++)
		for (int k = 0; k < PROBE_WAYS; k++)
			mem_free(allocator, t->blocks[i][k].data,
				 t->blocks[i][k].data ? TABLE_BLOCK : 0);
	mem_free(allocator, t->blocks, t->blocks ? PROBE_SETS * sizeof *t->blocks : 0);
	arena_release(&t->arena);
	if (t->cache.list)
		table_cache_release(&t->cache);
	spaces_release(&t->spaces);
	mem_free(allocator, t, sizeof *t);
}

/* Opens a table that is part of the library. False: the space has none, and *status is QV_OK. */
static bool open_built_in(const struct qv_tables *t, int space, struct table_file *out,
			  enum qv_status *status, struct qv_error *error)
{
	const struct built_in_table *table = t->spaces.built_in;
	*status = QV_OK;
	for (int i = 0; table && table->bytes && i < space; i++)
		table++;
	if (!table || !table->bytes)
		return false;
	/* The stream only reads, so the bytes stay constant. */
	FILE *in = fmemopen((void *)(uintptr_t)table->bytes, (size_t)*table->size, "rb");
	*status = in ? table_open_stream(out, t->spaces.allocator, in, t->spaces.list[space].name,
					 error)
		     : qv_fail(error, QV_NO_MEMORY, "tables: out of memory");
	return true;
}

/* Opens the file of a space unless it is open, closing the one that was opened first. */
static enum qv_status open_space(struct qv_tables *t, int space, struct qv_error *error)
{
	if (t->files[space].in)
		return QV_OK;
	struct table_file file;
	enum qv_status status;
	if (!open_built_in(t, space, &file, &status, error))
		status = table_cache_open(&t->cache, space, "qvt", &file, error);
	if (status != QV_OK)
		return status;
	int *const open = &t->open[t->oldest_file];
	if (*open)
		table_close(&t->files[*open - 1]);
	*open = space + 1;
	t->oldest_file = (t->oldest_file + 1) % PROBE_FILES;
	t->files[space] = file;
	return QV_OK;
}

void probe_table(struct qv_tables *t, int space, struct qv_table *out)
{
	*out = (struct qv_table){ .size = sizeof(struct qv_table),
				  .space = t->spaces.list[space],
				  .longest = -1 };
	if (open_space(t, space, NULL) != QV_OK)
		return;
	const struct table_facts *f = &t->files[space].facts;
	*out = (struct qv_table){
		.size = sizeof(struct qv_table),
		.space = out->space,
		.there = true,
		.wins = f->wins,
		.draws = f->draws,
		.losses = f->losses,
		.holes = f->holes,
		.longest = f->longest < 0 ? -1 : spaces_plies(&t->spaces, (uint32_t)f->longest + 1),
		.bytes = t->files[space].bytes
	};
}

/*
 * Returns a block, reading it over the least recently used one of its set if necessary. NULL:
 * *status is not QV_OK.
 */
static unsigned char *find_block(struct qv_tables *t, int space, uint64_t number,
				 enum qv_status *status, struct qv_error *error)
{
	const uint64_t key = (uint64_t)space << 32 ^ number;
	struct probe_block *set = t->blocks[qv_mix(key + 1) % PROBE_SETS];
	int way = 0;
	while (way < PROBE_WAYS - 1 && set[way].space &&
	       (set[way].space != space + 1 || set[way].number != number))
		way++;
	/* The most recently used block comes first. */
	const struct probe_block block = set[way];
	memmove(set + 1, set, (size_t)way * sizeof *set);
	*set = block;
	if (set->space == space + 1 && set->number == number)
		return set->data;
	if (!set->data)
		set->data = mem_new(t->spaces.allocator, 1, TABLE_BLOCK);
	set->space = 0; /* empty, should reading fail */
	if (!set->data)
		*status = qv_fail(error, QV_NO_MEMORY, "tables: out of memory");
	else
		*status = table_read_block(&t->files[space], number, set->data, error);
	if (*status != QV_OK)
		return NULL;
	*set = (struct probe_block){ space + 1, number, set->data };
	return set->data;
}

enum qv_status probe_longest(struct qv_tables *t, int space, void *state, struct qv_error *error)
{
	const struct spaces *spaces = &t->spaces;
	enum qv_status status = open_space(t, space, error);
	if (status != QV_OK)
		return status;
	const struct table_facts *f = &t->files[space].facts;
	const uint64_t per_block = TABLE_BLOCK / (uint64_t)f->width;
	if (f->longest < 0)
		return qv_fail(error, QV_UNKNOWN, "tables: all positions of %s are draws",
			       spaces->list[space].name);
	for (uint64_t first = 0; first < f->size; first += per_block) {
		const uint64_t left = f->size - first, count = left < per_block ? left : per_block;
		const struct values values = {
			find_block(t, space, first / per_block, &status, error), per_block, f->width
		};
		if (status != QV_OK)
			return status;
		const uint64_t at = values_next(&values, 0, count, (uint32_t)f->longest + 1);
		if (at < count &&
		    spaces->rules.game->index->decode(spaces->aid, spaces->rules.options, space,
						      first + at, state))
			return QV_OK;
	}
	return qv_fail(error, QV_BAD_INPUT, "tables: %s has no win or loss in %d plies",
		       spaces->list[space].name, f->longest);
}

enum qv_status probe_value(struct qv_tables *t, const void *state, struct qv_solution *out,
			   struct qv_error *error)
{
	const struct qv_game *game = t->spaces.rules.game;
	int32_t points[QV_MAX_SEATS];
	struct qv_place place;
	uint32_t code = CODE_HOLE;
	*out = (struct qv_solution){ .value = QV_VALUE_DRAW, .in = -1, .move = QV_NO_MOVE };
	if (game->result(state, points) == QV_ENDED) {
		const int seat = game->seat(state);
		const int32_t ahead = points[seat] - points[1 - seat];
		out->value = ahead > 0 ? QV_VALUE_WIN : ahead < 0 ? QV_VALUE_LOSS : QV_VALUE_DRAW;
		out->in = ahead ? 0 : -1;
		return QV_OK;
	}
	enum qv_status status = QV_OK;
	if (game->index->find(t->spaces.aid, state, &place) && spaces_have(&t->spaces, &place)) {
		status = open_space(t, place.space, error);
		if (status != QV_OK)
			return status;
		const int width = t->files[place.space].facts.width;
		const uint64_t per_block = TABLE_BLOCK / (uint64_t)width;
		struct values values = { NULL, per_block, width };
		values.data = find_block(t, place.space, place.number / per_block, &status, error);
		if (status == QV_OK)
			code = values_get(&values, place.number % per_block);
	}
	if (status == QV_OK && code == CODE_HOLE)
		return qv_fail(error, QV_UNKNOWN, "tables: no table contains this position");
	if (status != QV_OK || code == CODE_DRAW)
		return status;
	out->value = code_wins(code) ? QV_VALUE_WIN : QV_VALUE_LOSS;
	out->in = spaces_plies(&t->spaces, code);
	return QV_OK;
}

/* The move is the first one that keeps the value and, unless it is a draw, the distance. */
enum qv_status probe_state(struct qv_tables *t, const void *state, struct qv_solution *out,
			   struct qv_error *error)
{
	const struct qv_game *game = t->spaces.rules.game;
	qv_move *moves = t->slots[0].moves;
	void *child = t->slots[1].state;
	struct qv_solution here, next;
	enum qv_status status = probe_value(t, state, &here, error);
	if (status != QV_OK)
		return status;
	const bool drawn = here.value == QV_VALUE_DRAW;
	const int seat = game->seat(state);
	const int n = game->moves(state, moves);
	for (int i = 0; i < n && here.move == QV_NO_MOVE; i++) {
		const int most = legal_max_count(game, state, moves[i]);
		for (int k = most; k >= 1 && here.move == QV_NO_MOVE; k--) {
			const qv_move move = k < most ? game->with_count(moves[i], k) : moves[i];
			memcpy(child, state, game->state_size);
			game->play(child, move);
			here.nodes++;
			status = probe_value(t, child, &next, error);
			if (status != QV_OK)
				return status;
			/* After an extra turn the value is for the same side. */
			const bool same = game->seat(child) == seat;
			if (drawn ? next.value == QV_VALUE_DRAW
				  : next.value != QV_VALUE_DRAW &&
					    (next.value == here.value) == same &&
					    next.in == here.in - 1)
				here.move = move;
		}
	}
	*out = here;
	return QV_OK;
}
