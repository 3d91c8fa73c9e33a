/*
 * ranks.h - ranks that are threads of this process, for tests of builds over ranks.
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_RANKS_H
#define TEST_RANKS_H

#include "base/threads.h"
#include "support/tables.h"

enum { RANKS_MOST = 8 };

/* One rank, and what it passes to the others in a call. */
struct test_rank {
	struct test_ranks *all;
	struct thread thread;
	struct qv_tables_ranks shared;
	const struct qv_context *context;
	const struct qv_rules *rules;
	struct qv_tables_job job;
	enum qv_status status;
	struct qv_error error;
	int64_t *values;
	const unsigned char *to;
	const size_t *to_bytes;
};

struct test_ranks {
	struct mutex lock;
	struct condition turn;
	int count, waiting;
	int64_t turns;
	struct test_rank list[RANKS_MOST];
};

/* Waits for all ranks. */
static inline void test_ranks_wait(struct test_ranks *all)
{
	mutex_lock(&all->lock);
	const int64_t turn = all->turns;
	if (++all->waiting == all->count) {
		all->waiting = 0;
		all->turns++;
		condition_broadcast(&all->turn);
	}
	while (all->turns == turn)
		condition_wait(&all->turn, &all->lock);
	mutex_unlock(&all->lock);
}

/* qv_tables_ranks.max */
static inline void test_ranks_max(void *ctx, int64_t *values, int count)
{
	struct test_rank *r = ctx;
	int64_t most[512];
	r->values = values;
	test_ranks_wait(r->all);
	for (int i = 0; i < count; i++) {
		most[i] = values[i];
		for (int k = 0; k < r->all->count; k++)
			if (r->all->list[k].values[i] > most[i])
				most[i] = r->all->list[k].values[i];
	}
	test_ranks_wait(r->all);
	memcpy(values, most, (size_t)count * sizeof *values);
}

/* qv_tables_ranks.exchange */
static inline void test_ranks_exchange(void *ctx, const void *to, const size_t *to_bytes,
				       void *from, const size_t *from_bytes)
{
	struct test_rank *r = ctx;
	unsigned char *at = from;
	r->to = to;
	r->to_bytes = to_bytes;
	test_ranks_wait(r->all);
	for (int k = 0; k < r->all->count; k++) {
		const struct test_rank *other = &r->all->list[k];
		const unsigned char *mine = other->to;
		for (int i = 0; i < r->shared.rank; i++)
			mine += other->to_bytes[i];
		if (from_bytes[k] != other->to_bytes[r->shared.rank])
			abort();
		if (from_bytes[k])
			memcpy(at, mine, from_bytes[k]);
		at += from_bytes[k];
	}
	test_ranks_wait(r->all);
}

static inline void test_ranks_run(void *ctx)
{
	struct test_rank *r = ctx;
	r->status = qv_tables_build(r->context, r->rules, &r->job, &r->error);
}

/*
 * Builds the tables on so many ranks; the first reports progress. contexts[i] is that of rank i; NULL
 * is that of the first. All ranks must return the same status and error, which is returned.
 */
static inline enum qv_status test_ranks_build(int count, struct qv_context *const *contexts,
					      const struct qv_rules *rules,
					      const struct qv_tables_job *job,
					      struct qv_error *error)
{
	struct test_ranks all = { .count = count };
	mutex_init(&all.lock);
	condition_init(&all.turn);
	for (int i = 0; i < count; i++) {
		struct test_rank *r = &all.list[i];
		*r = (struct test_rank){ .all = &all,
					 .rules = rules,
					 .job = *job,
					 .context = contexts[i] ? contexts[i] : contexts[0] };
		r->shared = (struct qv_tables_ranks){ .size = sizeof r->shared,
						      .rank = i,
						      .count = count,
						      .max = test_ranks_max,
						      .exchange = test_ranks_exchange,
						      .ctx = r };
		r->job.ranks = &r->shared;
		if (i)
			r->job.progress = NULL;
	}
	for (int i = 1; i < count; i++)
		assert_true(thread_start(&all.list[i].thread, test_ranks_run, &all.list[i]));
	test_ranks_run(&all.list[0]);
	for (int i = 1; i < count; i++) {
		thread_join(&all.list[i].thread);
		assert_int_equal(all.list[i].status, all.list[0].status);
		assert_string_equal(all.list[i].error.text, all.list[0].error.text);
	}
	condition_release(&all.turn);
	mutex_release(&all.lock);
	if (error)
		*error = all.list[0].error;
	return all.list[0].status;
}

#endif
