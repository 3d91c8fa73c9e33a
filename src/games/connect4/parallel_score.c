/*
 * parallel_score.c - connect-four: a hard position for several threads.
 * SPDX-License-Identifier: MIT
 *
 * All search what the first one is asked, and share the table. In early positions each puts off
 * what another is at, so that they go different ways; see hard.c. Only the first one's answer
 * counts, and it depends on true scores alone.
 */
#include "games/connect4/parallel_score.h"

#include "base/threads.h"

struct team {
	struct c4_hard *first;
	struct c4_table *table;
	const struct qv_allocator *allocator;
	const struct c4 *at;
	int threads;
	struct helper *helpers;    /* the other threads, once they are of use */
	struct c4_busy busy;
	atomic_bool halt;
};

struct helper {
	const struct team *team;
	struct c4_hard hard;
	struct thread thread;
};

static void help(void *ctx)
{
	struct helper *h = ctx;
	c4_hard_help(&h->hard, h->team->at);
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

struct c4_score c4_team_score(struct c4_hard *h, struct c4_table *table, int threads,
			      const struct qv_allocator *allocator, const struct c4 *at, int lowest,
			      int highest)
{
	struct team t = { .first = h, .table = table, .allocator = allocator, .at = at,
			  .threads = threads_count(threads) };
	h->when_long = begin;
	h->ctx = &t;
	const struct c4_score found = c4_hard_score(h, at, lowest, highest);
	end(&t);
	h->busy = NULL;
	h->when_long = NULL;
	h->ctx = NULL;
	return found;
}
