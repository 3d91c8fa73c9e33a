/*
 * threads.c - threads, locks, and three ways to share work among threads.
 * SPDX-License-Identifier: MIT
 *
 * threads_run starts threads for one piece of work, threads_for hands out jobs one by one, and a
 * pool keeps its threads for many short rounds. A pool thread spins for some microseconds before it
 * sleeps on a condition variable, because a round of a parallel search or of training is often
 * shorter than a wake-up. Without threads (QV_SINGLE_THREAD) all of it runs in the caller.
 */
#include "base/threads.h"

#include <stdatomic.h>
#include <time.h>

#include "base/flag.h"
#include "base/memory.h"

/* Code for builds with threads only; without threads, its object is unused. */
#ifdef QV_SINGLE_THREAD
#define WITH_THREADS(object, ...) ((void)(object))
#else
#define WITH_THREADS(object, ...) ((void)(__VA_ARGS__))
#endif

/* ---- One thread ---- */

#ifdef QV_SINGLE_THREAD

bool thread_start(struct thread *t, void (*run)(void *ctx), void *ctx)
{
	*t = (struct thread){ .run = run, .ctx = ctx };
	return false;
}

#ifdef SIG_BLOCK
void thread_signal_mask(int how, const sigset_t *set, sigset_t *before)
{
	sigprocmask(how, set, before);
}
#endif

#else

static void *thread_main(void *arg)
{
	const struct thread *t = arg;
	t->run(t->ctx);
	return NULL;
}

bool thread_start(struct thread *t, void (*run)(void *ctx), void *ctx)
{
	*t = (struct thread){ .run = run, .ctx = ctx };
	return t->started = pthread_create(&t->native, NULL, thread_main, t) == 0;
}

void thread_signal_mask(int how, const sigset_t *set, sigset_t *before)
{
	pthread_sigmask(how, set, before);
}

#endif

void thread_join(struct thread *t)
{
	if (t->started)
		WITH_THREADS(t, pthread_join(t->native, NULL));
	t->started = false;
}

/* ---- Locks ---- */

void mutex_init(struct mutex *m)
{
	WITH_THREADS(m, pthread_mutex_init(&m->native, NULL));
}

void mutex_release(struct mutex *m)
{
	WITH_THREADS(m, pthread_mutex_destroy(&m->native));
}

void mutex_lock(struct mutex *m)
{
	WITH_THREADS(m, pthread_mutex_lock(&m->native));
}

void mutex_unlock(struct mutex *m)
{
	WITH_THREADS(m, pthread_mutex_unlock(&m->native));
}

void condition_init(struct condition *c)
{
	(void)c;
#ifndef QV_SINGLE_THREAD
	pthread_condattr_t steady; /* the clock of clock_us */
	pthread_condattr_init(&steady);
	pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
	pthread_cond_init(&c->native, &steady);
	pthread_condattr_destroy(&steady);
#endif
}

void condition_release(struct condition *c)
{
	WITH_THREADS(c, pthread_cond_destroy(&c->native));
}

void condition_wait(struct condition *c, struct mutex *m)
{
	(void)m;
	WITH_THREADS(c, pthread_cond_wait(&c->native, &m->native));
}

bool condition_wait_until(struct condition *c, struct mutex *m, int64_t until_us)
{
#ifdef QV_SINGLE_THREAD
	(void)c, (void)m, (void)until_us;
	return false;
#else
	const struct timespec until = { (time_t)(until_us / 1000000),
					(long)(until_us % 1000000 * 1000) };
	return pthread_cond_timedwait(&c->native, &m->native, &until) == 0;
#endif
}

void condition_signal(struct condition *c)
{
	WITH_THREADS(c, pthread_cond_signal(&c->native));
}

void condition_broadcast(struct condition *c)
{
	WITH_THREADS(c, pthread_cond_broadcast(&c->native));
}

/* ---- Sharing work ---- */

struct worker {
	struct thread thread;
	worker_fn *run;
	void *ctx;
	int number;
};

static void worker_main(void *ctx)
{
	const struct worker *w = ctx;
	w->run(w->ctx, w->number);
}

void threads_run(int workers, worker_fn *run, void *ctx)
{
	struct worker others[THREADS_MOST];
	const int count = threads_count(workers);
	for (int i = 1; i < count; i++) {
		struct worker *w = &others[i];
		w->run = run;
		w->ctx = ctx;
		w->number = i;
		thread_start(&w->thread, worker_main, w);
	}
	run(ctx, 0);
	for (int i = 1; i < count; i++)
		thread_join(&others[i].thread);
}

struct queue {
	int64_t jobs;
	const struct qv_flag *stop;
	job_fn *run;
	void *ctx;
	_Atomic int64_t next;
};

static void take_jobs(void *ctx, int worker)
{
	struct queue *q = ctx;
	while (!q->stop || !flag_is_set(q->stop)) {
		const int64_t job = atomic_fetch_add(&q->next, 1);
		if (job >= q->jobs)
			return;
		q->run(q->ctx, worker, job);
	}
}

bool threads_for(int workers, int64_t jobs, const struct qv_flag *stop, job_fn *run, void *ctx)
{
	struct queue q = { .jobs = jobs, .stop = stop, .run = run, .ctx = ctx };
	threads_run(jobs < workers ? (int)jobs : workers, take_jobs, &q);
	return atomic_load(&q.next) >= jobs;
}

/* ---- The pool ---- */

enum { SPINS = 1 << 14 }; /* polls before a thread goes to sleep */

struct pool_worker {
	struct thread thread;
	struct thread_pool *pool;
	int number;
};

struct thread_pool {
	const struct qv_allocator *allocator;
	int count; /* workers, including the caller */
	/* The current work; set before `rounds` grows. */
	int64_t jobs;
	job_fn *run;
	void *ctx;
	bool closing;
	_Atomic uint64_t rounds; /* rounds of work started so far */
	_Atomic int busy;	 /* threads that have not finished this round */
	struct mutex lock;
	struct condition begun, done;
	struct pool_worker workers[THREADS_MOST];
};

static void do_share(const struct thread_pool *pool, int worker)
{
	for (int64_t job = worker; job < pool->jobs; job += pool->count)
		pool->run(pool->ctx, worker, job);
}

/* Waits until a round after round number `seen` has started. */
static void await_round(struct thread_pool *pool, uint64_t seen)
{
	for (int i = 0; i < SPINS; i++)
		if (atomic_load_explicit(&pool->rounds, memory_order_acquire) != seen)
			return;
	mutex_lock(&pool->lock);
	while (atomic_load(&pool->rounds) == seen)
		condition_wait(&pool->begun, &pool->lock);
	mutex_unlock(&pool->lock);
}

static void await_workers(struct thread_pool *pool)
{
	for (int i = 0; i < SPINS; i++)
		if (!atomic_load_explicit(&pool->busy, memory_order_acquire))
			return;
	mutex_lock(&pool->lock);
	while (atomic_load(&pool->busy))
		condition_wait(&pool->done, &pool->lock);
	mutex_unlock(&pool->lock);
}

static void pool_worker_main(void *ctx)
{
	const struct pool_worker *w = ctx;
	struct thread_pool *pool = w->pool;
	for (uint64_t seen = 0;; seen++) {
		await_round(pool, seen);
		if (pool->closing)
			return;
		do_share(pool, w->number);
		if (atomic_fetch_sub(&pool->busy, 1) == 1) {
			mutex_lock(&pool->lock);
			condition_signal(&pool->done);
			mutex_unlock(&pool->lock);
		}
	}
}

static void begin_round(struct thread_pool *pool)
{
	atomic_store(&pool->busy, pool->count - 1);
	mutex_lock(&pool->lock);
	atomic_fetch_add_explicit(&pool->rounds, 1, memory_order_release);
	condition_broadcast(&pool->begun);
	mutex_unlock(&pool->lock);
}

struct thread_pool *thread_pool_new(const struct qv_allocator *allocator, int workers)
{
	struct thread_pool *pool = mem_new(allocator, 1, sizeof *pool);
	if (!pool)
		return NULL;
	pool->allocator = allocator;
	mutex_init(&pool->lock);
	condition_init(&pool->begun);
	condition_init(&pool->done);
	for (pool->count = 1; pool->count < threads_count(workers); pool->count++) {
		struct pool_worker *w = &pool->workers[pool->count];
		w->pool = pool;
		w->number = pool->count;
		if (!thread_start(&w->thread, pool_worker_main, w))
			break;
	}
	return pool;
}

void thread_pool_run(struct thread_pool *pool, int64_t jobs, job_fn *run, void *ctx)
{
	pool->jobs = jobs;
	pool->run = run;
	pool->ctx = ctx;
	begin_round(pool);
	do_share(pool, 0);
	await_workers(pool);
}

void thread_pool_free(struct thread_pool *pool)
{
	if (!pool)
		return;
	pool->closing = true;
	begin_round(pool);
	for (int i = 1; i < pool->count; i++)
		thread_join(&pool->workers[i].thread);
	mutex_release(&pool->lock);
	condition_release(&pool->begun);
	condition_release(&pool->done);
	mem_free(pool->allocator, pool, sizeof *pool);
}
