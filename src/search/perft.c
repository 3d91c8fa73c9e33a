/*
 * perft.c - perft, counting leaves: hash table and threads.
 * SPDX-License-Identifier: MIT
 *
 * With threads, each position two plies below the root is a job; the sum does not depend on which
 * thread counts it. The table has one entry per index, always replaced.
 */
#include "search/perft.h"

#include <stdatomic.h>

#include "base/flag.h"
#include "base/threads.h"
#include "search/legal.h"

/* ---- the table: lockless; key ^ data is stored, so that a torn entry does not match ---- */

struct perft_entry {
	_Atomic uint64_t key, leaves;
};

struct perft_table {
	struct perft_entry *entries;
	uint64_t count;
};

/* Depths share the table, so the depth is part of the key. */
static uint64_t entry_key(uint64_t hash, int depth)
{
	return qv_mix(hash + (uint64_t)depth * UINT64_C(0x9e3779b97f4a7c15));
}

bool perft_table_get(const struct perft_table *t, uint64_t hash, int depth, uint64_t *leaves)
{
	const uint64_t key = entry_key(hash, depth);
	struct perft_entry *e = &t->entries[key % t->count];
	const uint64_t data = atomic_load_explicit(&e->leaves, memory_order_relaxed);
	if ((atomic_load_explicit(&e->key, memory_order_relaxed) ^ data) != key)
		return false;
	*leaves = data;
	return true;
}

void perft_table_put(struct perft_table *t, uint64_t hash, int depth, uint64_t leaves)
{
	const uint64_t key = entry_key(hash, depth);
	struct perft_entry *e = &t->entries[key % t->count];
	atomic_store_explicit(&e->key, key ^ leaves, memory_order_relaxed);
	atomic_store_explicit(&e->leaves, leaves, memory_order_relaxed);
}

/* ---- jobs: positions two plies below the root ---- */

struct jobs {
	unsigned char *states;
	size_t count, capacity;    /* in states */
	int depth;                 /* depth left below each */
	atomic_uint_fast64_t leaves;
};

struct frame {
	const struct qv_allocator *allocator;
	const struct qv_game *game;
	perft_fn *count;
	struct perft_table *table;
	const struct qv_flag *stop;
	struct perft_worker *workers;
	struct jobs jobs;
};

/* Adds all positions `plies` below as jobs; slots: one for each ply. False: out of memory. */
static bool split(struct frame *f, const void *state, struct slot *slots, int plies)
{
	const struct qv_game *g = f->game;
	struct jobs *j = &f->jobs;
	if (plies == 0) {
		if (!mem_reserve(f->allocator, &j->states, &j->capacity, j->count + 1,
				 g->state_size))
			return false;
		memcpy(j->states + j->count++ * g->state_size, state, g->state_size);
		return true;
	}
	struct legal_walk walk = { slots->moves, g->moves(state, slots->moves), 0 };
	for (qv_move move; (move = legal_next(g, state, &walk)) != QV_NO_MOVE;) {
		memcpy(slots->state, state, g->state_size);
		g->play(slots->state, move);
		if (!split(f, slots->state, slots + 1, plies - 1))
			return false;
	}
	return true;
}

/* A thread's slots, in its own arena. */
struct perft_worker {
	struct arena arena;
	struct perft_run run;
};

static void count_job(void *ctx, int worker, int64_t job)
{
	struct frame *f = ctx;
	struct jobs *j = &f->jobs;
	const void *state = j->states + (size_t)job * f->game->state_size;
	atomic_fetch_add(&j->leaves, f->count(&f->workers[worker].run, state, j->depth));
}

enum qv_status perft_count(const struct qv_allocator *allocator, const struct qv_game *game,
			   perft_fn *count, const void *state, const struct qv_perft_limits *limits,
			   uint64_t *leaves, struct qv_error *error)
{
	if (limits->depth < 0 || limits->depth > PERFT_MAX_DEPTH)
		return qv_fail(error, QV_BAD_INPUT, "depth: must be from 0 to %d", PERFT_MAX_DEPTH);
	struct perft_table table = { .count = limits->hash_bytes / sizeof(struct perft_entry) };
	if (table.count) {
		table.entries = mem_new(allocator, table.count, sizeof *table.entries);
		if (!table.entries)
			return qv_fail(error, QV_NO_MEMORY, "perft: out of memory for the table");
	}
	struct frame f = { .allocator = allocator, .game = game, .count = count,
			   .table = table.count ? &table : NULL, .stop = limits->stop };
	/* Small counts are done here, without jobs. */
	const bool many = limits->depth > 3 && threads_count(limits->threads) > 1;
	const int threads = many ? threads_count(limits->threads) : 1;
	uint64_t counted = 0;
	f.workers = mem_new(allocator, (size_t)threads, sizeof *f.workers);
	enum qv_status status = f.workers ? QV_OK : QV_NO_MEMORY;
	const size_t slots = (size_t)limits->depth + 2;
	for (int i = 0; status == QV_OK && i < threads; i++) {
		struct perft_worker *w = &f.workers[i];
		status = arena_init(&w->arena, allocator, slots_need(game, slots));
		if (status == QV_OK)
			w->run = (struct perft_run){ game, slots_take(&w->arena, game, slots),
						     f.table, f.stop };
	}
	if (status == QV_OK && !many) {
		counted = count(&f.workers[0].run, state, limits->depth);
	} else if (status == QV_OK) {
		f.jobs.depth = limits->depth - 2;
		if (split(&f, state, f.workers[0].run.slots, 2))
			threads_for(threads, (int64_t)f.jobs.count, f.stop, count_job, &f);
		else
			status = QV_NO_MEMORY;
		counted = atomic_load(&f.jobs.leaves);
	}
	for (int i = 0; f.workers && i < threads; i++)
		arena_release(&f.workers[i].arena);
	mem_free(allocator, f.workers, (size_t)threads * sizeof *f.workers);
	mem_free(allocator, f.jobs.states, f.jobs.capacity * game->state_size);
	mem_free(allocator, table.entries, table.count * sizeof *table.entries);
	if (status != QV_OK)
		return qv_fail(error, status, "perft: out of memory");
	if (flag_is_set(limits->stop))
		return qv_fail(error, QV_STOPPED, "perft: stopped");
	*leaves = counted;
	return QV_OK;
}
