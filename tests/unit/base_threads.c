/*
 * base_threads.c - threads, locks and shared work; all of it holds in a build without threads too.
 * SPDX-License-Identifier: MIT
 */
#include "support/check.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/memory.h"
#include "base/threads.h"
#include "support/meter.h"

enum { JOBS = 1000 };

struct tally {
	int most; /* workers */
	atomic_int done[JOBS], workers[THREADS_MOST];
	struct qv_flag stop;
	int stop_at; /* the job that sets it; -1: none does */
};

static struct tally *tally_new(int most, int stop_at)
{
	struct tally *t = calloc(1, sizeof *t);
	assert_non_null(t);
	t->most = most;
	t->stop_at = stop_at;
	return t;
}

static void count_worker(void *ctx, int worker)
{
	struct tally *t = ctx;
	assert_true(worker >= 0 && worker < t->most);
	atomic_fetch_add(&t->workers[worker], 1);
}

static void count_job(void *ctx, int worker, int64_t job)
{
	struct tally *t = ctx;
	count_worker(ctx, worker);
	atomic_fetch_add(&t->done[job], 1);
	if (job == t->stop_at)
		flag_set(&t->stop, true);
	while (t->stop_at >= 0 && job > t->stop_at && !flag_is_set(&t->stop))
		; /* so that few jobs come after it */
}

static void test_threads__a_count_is_from_1_to_the_most(void **state)
{
	(void)state;
	assert_int_equal(threads_count(-5), 1);
	assert_int_equal(threads_count(0), 1);
	assert_int_equal(threads_count(1), 1);
	assert_int_equal(threads_count(2), THREADS_MOST > 1 ? 2 : 1);
	assert_int_equal(threads_count(INT64_C(1) << 40), THREADS_MOST);
}

/* The system may refuse a thread, but never the caller. */
static void test_threads__each_worker_runs_once(void **state)
{
	static const int counts[] = { -1, 0, 1, 2, 7, 100000 };
	(void)state;
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		struct tally *t = tally_new(threads_count(counts[i]), -1);
		threads_run(counts[i], count_worker, t);
		assert_int_equal(t->workers[0], 1);
		for (int w = 1; w < THREADS_MOST; w++)
			assert_true(t->workers[w] <= (w < t->most));
		free(t);
	}
}

struct identity {
	struct mutex lock;
	const char *first; /* of a thread-local text */
	int seen;
};

static _Thread_local const char *name_of_thread;

static void look_at_name(void *ctx, int worker)
{
	struct identity *identity = ctx;
	mutex_lock(&identity->lock);
	if (worker == 0)
		identity->first = name_of_thread;
	else
		assert_null(name_of_thread);
	identity->seen++;
	mutex_unlock(&identity->lock);
}

static void test_threads__worker_0_is_the_caller(void **state)
{
	struct identity identity = { .seen = 0 };
	(void)state;
	mutex_init(&identity.lock);
	name_of_thread = "caller";
	threads_run(3, look_at_name, &identity);
	assert_string_equal(identity.first, "caller");
	assert_true(identity.seen >= 1 && identity.seen <= 3);
	mutex_release(&identity.lock);
}

static void test_threads__each_job_is_done_once(void **state)
{
	static const int counts[] = { 0, 1, 2, 3, 300 };
	(void)state;
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		for (int64_t jobs = 0; jobs <= JOBS; jobs = jobs ? 10 * jobs : 1) {
			struct tally *t = tally_new(threads_count(counts[i]), -1);
			assert_true(threads_for(counts[i], jobs, NULL, count_job, t));
			assert_true(threads_for(counts[i], jobs, &t->stop, count_job, t));
			for (int64_t k = 0; k < JOBS; k++)
				assert_int_equal(t->done[k], k < jobs ? 2 : 0);
			free(t);
		}
}

static void test_threads__a_stop_lets_no_new_job_begin(void **state)
{
	(void)state;
	for (int workers = 1; workers <= 3; workers++) {
		struct tally *t = tally_new(threads_count(workers), 500);
		assert_false(threads_for(workers, JOBS, &t->stop, count_job, t));
		assert_int_equal(t->done[500], 1);
		assert_int_equal(t->done[500 + workers], 0);
		/* It is not set back: nothing begins. */
		assert_false(threads_for(workers, JOBS, &t->stop, count_job, t));
		assert_int_equal(t->done[500], 1);
		free(t);
	}
}

static void test_threads__a_pool_does_each_job_once(void **state)
{
	enum { ROUNDS = 300, MOST = 7 };
	(void)state;
	for (int workers = 0; workers <= 3; workers++) {
		struct thread_pool *pool = thread_pool_new(&mem_malloc, workers);
		struct tally *t = tally_new(threads_count(workers), -1);
		assert_non_null(pool);
		for (int i = 0; i < ROUNDS; i++)
			thread_pool_run(pool, i % (MOST + 1), count_job, t);
		thread_pool_free(pool);
		/* Job k is one of each round of more than k jobs. */
		for (int k = 0; k < MOST; k++) {
			int expected = 0;
			for (int i = 0; i < ROUNDS; i++)
				expected += i % (MOST + 1) > k;
			assert_int_equal(t->done[k], expected);
		}
		free(t);
	}
	thread_pool_free(NULL);
}

struct owners {
	int by_job[12]; /* worker + 1 */
};

static void note_owner(void *ctx, int worker, int64_t job)
{
	struct owners *o = ctx;
	if (o->by_job[job])
		assert_int_equal(o->by_job[job], worker + 1);
	o->by_job[job] = worker + 1;
}

static void test_threads__a_job_of_a_pool_keeps_its_worker(void **state)
{
	struct thread_pool *pool = thread_pool_new(&mem_malloc, 3);
	struct owners o = { { 0 } };
	(void)state;
	assert_non_null(pool);
	for (int i = 0; i < 100; i++)
		thread_pool_run(pool, 12, note_owner, &o);
	assert_int_equal(o.by_job[0], 1); /* the caller does the first one */
	thread_pool_free(pool);
}

static void test_threads__a_pool_without_memory_is_none(void **state)
{
	struct meter meter = meter_make();
	const struct qv_allocator allocator = { meter_resize, &meter };
	(void)state;
	meter_arm(&meter, 1, false);
	assert_null(thread_pool_new(&allocator, 3));
	assert_int_equal(meter.blocks, 0);
	struct thread_pool *pool = thread_pool_new(&allocator, 3);
	assert_non_null(pool);
	thread_pool_free(pool);
	assert_int_equal(meter.blocks, 0);
	assert_int_equal(meter.wrong_sizes, 0);
}

/* Two threads pass a number to and fro. */
struct rally {
	struct mutex lock;
	struct condition turn;
	int number;
};

enum { RALLY = 2000 };

static void play_odd(void *ctx)
{
	struct rally *r = ctx;
	mutex_lock(&r->lock);
	while (r->number < RALLY) {
		if (r->number % 2) {
			r->number++;
			condition_broadcast(&r->turn);
		} else {
			condition_wait(&r->turn, &r->lock);
		}
	}
	mutex_unlock(&r->lock);
}

static void test_threads__a_condition_wakes_who_waits(void **state)
{
	struct rally r = { .number = 0 };
	struct thread other = { .started = false };
	(void)state;
	mutex_init(&r.lock);
	condition_init(&r.turn);
	if (thread_start(&other, play_odd, &r)) {
		mutex_lock(&r.lock);
		while (r.number < RALLY) {
			if (r.number % 2 == 0) {
				r.number++;
				condition_signal(&r.turn);
			} else {
				condition_wait_until(&r.turn, &r.lock, clock_us() + 60000000);
			}
		}
		condition_signal(&r.turn);
		mutex_unlock(&r.lock);
		thread_join(&other);
		assert_int_equal(r.number, RALLY);
	}
	assert_true(other.started == false);
	condition_release(&r.turn);
	mutex_release(&r.lock);
}

static void test_threads__a_moment_that_has_passed_ends_the_wait(void **state)
{
	struct mutex lock;
	struct condition never;
	(void)state;
	mutex_init(&lock);
	condition_init(&never);
	mutex_lock(&lock);
	const int64_t until = clock_us() + 1000;
	while (condition_wait_until(&never, &lock, until))
		;
	assert_false(condition_wait_until(&never, &lock, 0));
	mutex_unlock(&lock);
	condition_release(&never);
	mutex_release(&lock);
}

static void count_up(void *ctx)
{
	++*(int *)ctx;
}

static void test_threads__one_can_start_again_after_a_join(void **state)
{
	struct thread t = { .started = false };
	int runs = 0, started = 0;
	(void)state;
	thread_join(&t); /* was not started */
	for (int i = 0; i < 3; i++) {
		started += thread_start(&t, count_up, &runs);
		thread_join(&t);
		thread_join(&t);
		assert_int_equal(runs, started);
	}
}

static void test_threads__a_signal_mask_comes_back(void **state)
{
	sigset_t some, before, now;
	(void)state;
	sigemptyset(&some);
	sigaddset(&some, SIGUSR1);
	thread_signal_mask(SIG_BLOCK, &some, &before);
	thread_signal_mask(SIG_SETMASK, &before, &now);
	assert_true(sigismember(&now, SIGUSR1));
	thread_signal_mask(SIG_BLOCK, NULL, &now);
	assert_int_equal(sigismember(&now, SIGUSR1), sigismember(&before, SIGUSR1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_threads__a_count_is_from_1_to_the_most),
		cmocka_unit_test(test_threads__each_worker_runs_once),
		cmocka_unit_test(test_threads__worker_0_is_the_caller),
		cmocka_unit_test(test_threads__each_job_is_done_once),
		cmocka_unit_test(test_threads__a_stop_lets_no_new_job_begin),
		cmocka_unit_test(test_threads__a_pool_does_each_job_once),
		cmocka_unit_test(test_threads__a_job_of_a_pool_keeps_its_worker),
		cmocka_unit_test(test_threads__a_pool_without_memory_is_none),
		cmocka_unit_test(test_threads__a_condition_wakes_who_waits),
		cmocka_unit_test(test_threads__a_moment_that_has_passed_ends_the_wait),
		cmocka_unit_test(test_threads__one_can_start_again_after_a_join),
		cmocka_unit_test(test_threads__a_signal_mask_comes_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
