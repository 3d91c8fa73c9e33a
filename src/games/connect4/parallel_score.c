/*
 * parallel_score.c - connect-four: the exact score of one hard position, by several threads.
 * SPDX-License-Identifier: MIT
 *
 * All threads search for the alpha that the main thread is testing, and share the table. In early
 * positions each puts off what another is searching, so that they take different branches
 * (exact_score.c). Only the main thread's result counts. It does not depend on the helpers, because
 * table entries hold only true bounds.
 */
#include "games/connect4/exact_score.h"

#include "base/threads.h"

struct team {
	struct c4_exact *first;
	struct c4_table *table;
	const struct qv_allocator *allocator;
	const struct c4 *at;
	int threads;
	struct helper *helpers;    /* the other threads, once it pays to start them */
	struct c4_busy busy;
	atomic_bool halt;
};

struct helper {
	const struct team *team;
	struct c4_exact hard;
	struct thread thread;
};

static void help(void *ctx)
{
	struct helper *h = ctx;
	c4_exact_help(&h->hard, h->team->at);
}

static void begin(void *ctx)
{
	struct team *t = ctx;
	c4_table_grow(t->table);
	t->helpers = t->threads > 1
			     ? mem_new(t->allocator, (size_t)t->threads - 1, sizeof *t->helpers)
			     : NULL;
	if (!t->helpers)
		return;
	atomic_store(&t->busy.alpha, t->first->alpha);
	t->first->busy = &t->busy;
	for (int i = 0; i < t->threads - 1; i++) {
		struct helper *h = &t->helpers[i];
		*h = (struct helper){ .team = t, .hard = *t->first };
		h->hard.stop = &t->halt;
		thread_start(&h->thread, help, h);
	}
}

static void end(struct team *t)
{
	atomic_store(&t->halt, true);
	for (int i = 0; t->helpers && i < t->threads - 1; i++)
		if (t->helpers[i].thread.started) {
			thread_join(&t->helpers[i].thread);
			t->first->nodes += t->helpers[i].hard.nodes;
		}
	mem_free(t->allocator, t->helpers, ((size_t)t->threads - 1) * sizeof *t->helpers);
}

struct c4_score c4_parallel_score(struct c4_exact *h, struct c4_table *table, int threads,
			      const struct qv_allocator *allocator, const struct c4 *at, int lowest,
			      int highest)
{
	struct team t = { .first = h, .table = table, .allocator = allocator, .at = at,
			  .threads = threads_count(threads) };
	h->when_long = begin;
	h->ctx = &t;
	const struct c4_score found = c4_exact_score(h, at, lowest, highest);
	end(&t);
	h->busy = NULL;
	h->when_long = NULL;
	h->ctx = NULL;
	return found;
}
