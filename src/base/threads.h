/*
 * threads.h - threads, locks, and three ways to share work among threads.
 * SPDX-License-Identifier: MIT
 *
 * Nothing else in the library uses pthreads. A build with QV_THREADS=OFF (QV_SINGLE_THREAD is
 * defined) has no threads at all: thread_start fails, locks do nothing, and the caller does all the
 * work itself. A thread that cannot start costs speed, nothing else, so code that uses this header
 * is the same in both builds.
 */
#ifndef BASE_THREADS_H
#define BASE_THREADS_H

#include <signal.h>
#ifndef QV_SINGLE_THREAD
#include <pthread.h>
#endif

#include "quevedo.h"

/* THREADS_MOST: workers that may share one piece of work, the caller included. */
#ifdef QV_SINGLE_THREAD
enum { THREADS_MOST = 1 };
typedef char native_thread, native_mutex, native_condition;
#else
enum { THREADS_MOST = 256 };
typedef pthread_t native_thread;
typedef pthread_mutex_t native_mutex;
typedef pthread_cond_t native_condition;
#endif

/* The number of workers to use if `wanted` were requested: from 1 to THREADS_MOST. */
static inline int threads_count(int64_t wanted)
{
	return wanted < 1 ? 1 : wanted > THREADS_MOST ? THREADS_MOST : (int)wanted;
}

/* ---- Sharing work ---- */

/* The work of one worker. Workers are numbered from 0, and worker 0 is the calling thread. */
typedef void worker_fn(void *ctx, int worker);
/* One job of many; two jobs with the same worker never run at the same time. */
typedef void job_fn(void *ctx, int worker, int64_t job);

/*
 * Runs run(ctx, 0) here and the other workers, up to THREADS_MOST in all, in threads of their own.
 * Returns when all have ended. A worker whose thread cannot start does not run, so worker 0 must be
 * able to do everything.
 */
void threads_run(int workers, worker_fn *run, void *ctx);

/*
 * Does jobs 0 to jobs - 1 in any order: each worker, this thread included, takes the next one when
 * it is free. Once *stop is set no new job begins; NULL: never. False: it was stopped and some jobs
 * were not begun.
 */
bool threads_for(int workers, int64_t jobs, const struct qv_flag *stop, job_fn *run, void *ctx);

/*
 * Threads that stay for many short pieces of work. They spin for a moment before they sleep. Job n
 * is always done by the same worker, so that its data may still be in that processor's cache.
 */
struct thread_pool;
/* `workers` includes the thread that calls thread_pool_run. NULL: no memory. */
struct thread_pool *thread_pool_new(const struct qv_allocator *allocator, int workers);
/* Returns when all jobs are done. One thread at a time may call it. */
void thread_pool_run(struct thread_pool *pool, int64_t jobs, job_fn *run, void *ctx);
void thread_pool_free(struct thread_pool *pool); /* joins its threads; NULL is fine */

/* ---- One thread ---- */

/* {0} is one that was not started. It must stay where it is until it is joined. */
struct thread {
	native_thread native;
	void (*run)(void *ctx);
	void *ctx;
	bool started;
};

/* False: no thread could be created. */
bool thread_start(struct thread *t, void (*run)(void *ctx), void *ctx);
/* Waits for its end; does nothing if it was not started. It may be started again. */
void thread_join(struct thread *t);
#ifdef SIG_BLOCK /* WebAssembly has no signals */
/* As sigprocmask, for the calling thread. */
void thread_signal_mask(int how, const sigset_t *set, sigset_t *before);
#endif

/* ---- Locks ---- */

struct mutex {
	native_mutex native;
};

struct condition {
	native_condition native;
};

/*
 * Making one cannot fail: the default kind of both needs no resource of the system. Release them
 * when no thread uses them any more.
 */
void mutex_init(struct mutex *m);
void mutex_release(struct mutex *m);
void mutex_lock(struct mutex *m);
void mutex_unlock(struct mutex *m);

void condition_init(struct condition *c);
void condition_release(struct condition *c);
/*
 * Waits with the mutex held. It may return without a signal, so call it in a loop that tests what
 * is waited for. Without threads it returns at once: do not wait for a thread that did not start.
 */
void condition_wait(struct condition *c, struct mutex *m);
/* The same, but at most until clock_us() reaches until_us. False: that time has come. */
bool condition_wait_until(struct condition *c, struct mutex *m, int64_t until_us);
void condition_signal(struct condition *c);
void condition_broadcast(struct condition *c);

#endif
