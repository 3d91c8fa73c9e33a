/*
 * team.c - connect-four: a hard position for several threads.
 * SPDX-License-Identifier: MIT
 *
 * All search what the first one is asked, and share the table. In early positions each puts off
 * what another is at, so that they go different ways; see hard.c. Only the first one's answer
 * counts, and it depends on true scores alone.
 */
#include "engines/connect4/team.h"

#include <pthread.h>

struct team {
	struct c4_hard *first;
	struct c4_table *table;
	const struct qv_allocator *allocator;
	const struct c4 *at;
	int threads;
	struct hand *hands;        /* of the other threads, once they are of use */
	struct c4_busy busy;
	atomic_bool halt;
};

struct hand {
	const struct team *team;
	struct c4_hard hard;
	pthread_t thread;
	bool started;
};

static void *work(void *arg)
{
	struct hand *hand = arg;
	c4_hard_help(&hand->hard, hand->team->at);
	return NULL;
}

static void begin(void *ctx)
{
	struct team *t = ctx;
	c4_table_grow(t->table);
	t->hands = t->threads > 1 ?
			   mem_new(t->allocator, (size_t)t->threads - 1, sizeof *t->hands) : NULL;
	if (!t->hands)
		return;
	atomic_store(&t->busy.alpha, t->first->alpha);
	t->first->busy = &t->busy;
	for (int i = 0; i < t->threads - 1; i++) {
		struct hand *hand = &t->hands[i];
		*hand = (struct hand){ .team = t, .hard = *t->first };
		hand->hard.stop = &t->halt;
		hand->started = pthread_create(&hand->thread, NULL, work, hand) == 0;
	}
}

static void end(struct team *t)
{
	atomic_store(&t->halt, true);
	for (int i = 0; t->hands && i < t->threads - 1; i++)
		if (t->hands[i].started) {
			pthread_join(t->hands[i].thread, NULL);
			t->first->nodes += t->hands[i].hard.nodes;
		}
	mem_free(t->allocator, t->hands, ((size_t)t->threads - 1) * sizeof *t->hands);
}

struct c4_score c4_team_score(struct c4_hard *h, struct c4_table *table, int threads,
			      const struct qv_allocator *allocator, const struct c4 *at, int lowest,
			      int highest)
{
	struct team t = { .first = h, .table = table, .allocator = allocator, .at = at,
			  .threads = threads > 1 ? threads : 1 };
	h->when_long = begin;
	h->ctx = &t;
	const struct c4_score found = c4_hard_score(h, at, lowest, highest);
	end(&t);
	h->busy = NULL;
	h->when_long = NULL;
	h->ctx = NULL;
	return found;
}
