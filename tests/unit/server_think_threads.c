/*
 * server_think_threads.c - the pool that thinks: order, bounds, cancelling, limits. Run it under
 * TSan.
 * SPDX-License-Identifier: MIT
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/flag.h"
#include "quevedo.h"
#include "record/record.h"
#include "server/jobs/record_jobs.h"
#include "server/jobs/worker_pool_inside.h"
#include "support/check.h"

enum { JOBS = 64, LIMIT_MS = 600000, PAUSE_AFTER_MS = 100 };

struct bench {
	struct worker_pool *think;
	atomic_int woken;
	atomic_bool gate;          /* jobs that wait for it go on */
	atomic_int begun, started, released;
	_Atomic int64_t now_us;    /* the clock that jobs are charged by */
	uint64_t order[JOBS * 8];  /* numbers, as their answers came */
	int answers, news;
	enum worker_yield yields;  /* of timed jobs, and */
	bool urgent;
	atomic_int paused;         /* times that a job has */
	atomic_bool holds, held;   /* a worker when it wakes the caller; it is held */
	int ran[JOBS * 8];         /* the ids of jobs, as they began */
	int64_t left_ms[JOBS * 8]; /* of their limits, then */
	char text[64], review[64];
	int done; /* positions of the review */
};

struct work {
	struct bench *bench;
	bool waits;                /* for the gate or its stop flag */
	int says, id;
	int64_t takes_ms;          /* of the clock that jobs are charged by */
};

static void nap(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 200000 }, NULL);
}

static void wake(void *ctx)
{
	struct bench *b = ctx;
	atomic_fetch_add(&b->woken, 1);
	while (atomic_load(&b->holds)) {
		atomic_store(&b->held, true);
		nap();
	}
}

static void run(struct worker_task *task, void *arg)
{
	struct work *w = arg;
	const int at = atomic_fetch_add(&w->bench->begun, 1);
	w->bench->ran[at] = w->id;
	w->bench->left_ms[at] = worker_task_left_ms(task);
	atomic_fetch_add(&w->bench->started, 1);
	for (int i = 0; i < w->says; i++)
		worker_task_progress(task, strdup("news"));
	while (w->waits && !atomic_load(&w->bench->gate) && !flag_is_set(worker_task_stop(task))) {
		nap();
		if (w->bench->yields == YIELD_PAUSES && worker_task_pause(task)) {
			atomic_fetch_add(&w->bench->paused, 1);
			return;
		}
	}
	atomic_fetch_add(&w->bench->now_us, w->takes_ms * 1000);
	worker_task_result(task, strdup(flag_is_set(worker_task_stop(task)) ? "stopped" : "done"));
}

/* Stands still unless a job moves it, so that the order depends on nothing else. */
static int64_t now_us(void *ctx)
{
	struct bench *b = ctx;
	return atomic_load(&b->now_us);
}

/* Waits for the alarm, which comes before the limit. */
static void run_alarm(struct worker_task *task, void *arg)
{
	struct work *w = arg;
	const struct qv_flag *alarm = worker_task_alarm(task, 5);
	atomic_fetch_add(&w->bench->started, 1);
	while (!flag_is_set(alarm))
		nap();
	worker_task_result(task, strdup(flag_is_set(worker_task_stop(task)) ? "stopped" : "alarm"));
}

static void release(void *arg)
{
	struct work *w = arg;
	atomic_fetch_add(&w->bench->released, 1);
	free(w);
}

static void deliver(void *ctx, uint64_t number, const char *text, bool last)
{
	struct bench *b = ctx;
	if (!last) {
		b->news++;
		return;
	}
	assert_non_null(text);
	snprintf(b->text, sizeof b->text, "%s", text);
	b->order[b->answers++] = number;
}

/* may_leave: NULL, or which jobs other processes may run. */
static void open_bench_with(struct bench *b, int workers, int most,
			    bool (*may_leave)(const struct worker_job *job))
{
	*b = (struct bench){ 0 };
	const struct worker_pool_setup setup = { .workers = workers, .most = most, .wake = wake,
						 .now_us = now_us, .may_leave = may_leave,
						 .ctx = b };
	b->think = worker_pool_new(&setup);
	assert_non_null(b->think);
}

static void open_bench(struct bench *b, int workers, int most)
{
	open_bench_with(b, workers, most, NULL);
}

static enum submit_result submit(struct bench *b, const char *client, struct work work, bool urgent,
			       int64_t limit_ms, uint64_t *number)
{
	struct work *w = malloc(sizeof *w);
	assert_non_null(w);
	*w = work;
	w->bench = b;
	const struct worker_job job = { .client = client, .urgent = urgent, .most = 4,
				       .limit_ms = limit_ms, .run = run, .release = release,
				       .arg = w, .deliver = deliver, .ctx = b };
	const enum submit_result entry = worker_pool_submit(b->think, &job, number);
	if (entry != SUBMIT_OK)
		free(w);
	return entry;
}

/* A job of a client of a group, which takes that long and is expected to. */
static enum submit_result submit_timed(struct bench *b, const char *client, const char *group,
				       int id, int64_t takes_ms)
{
	uint64_t number;
	struct work *w = malloc(sizeof *w);
	assert_non_null(w);
	*w = (struct work){ .bench = b, .waits = true, .id = id, .takes_ms = takes_ms };
	const struct worker_job job = { .client = client, .group = group, .yields = b->yields,
				       .urgent = b->urgent,
				       .most = 4,
				       .limit_ms = LIMIT_MS, .expected_ms = takes_ms, .run = run,
				       .release = release, .arg = w, .deliver = deliver, .ctx = b };
	const enum submit_result entry = worker_pool_submit(b->think, &job, &number);
	if (entry != SUBMIT_OK)
		free(w);
	return entry;
}

/* One that takes a second. */
static enum submit_result submit_grouped(struct bench *b, const char *client, const char *group,
					 int id)
{
	return submit_timed(b, client, group, id, 1000);
}

static void until_answers(struct bench *b, int count)
{
	while (b->answers < count) {
		worker_pool_deliver(b->think);
		nap();
	}
}

static void until_started(struct bench *b, int count)
{
	while (atomic_load(&b->started) < count)
		nap();
}

static const struct work waits = { .waits = true }, quick = { .waits = false };

/* Jobs that take equally long: in turn. */
static void test_think__clients_take_turns(void **state)
{
	static const int expected[] = { 10, 20, 11, 21, 12, 13 };
	struct bench b;
	uint64_t n;
	(void)state;
	open_bench(&b, 1, 100);
	for (int i = 0; i < 4; i++) {
		const struct work work = { .waits = true, .id = 10 + i, .takes_ms = 1000 };
		assert_int_equal(submit(&b, "a", work, false, 60000, &n), SUBMIT_OK);
		if (i == 0)
			until_started(&b, 1);
	}
	for (int i = 0; i < 2; i++) {
		const struct work work = { .waits = true, .id = 20 + i, .takes_ms = 1000 };
		assert_int_equal(submit(&b, "c", work, false, 60000, &n), SUBMIT_OK);
	}
	atomic_store(&b.gate, true);
	until_answers(&b, 6);
	assert_memory_equal(b.ran, expected, sizeof expected);
	worker_pool_free(b.think);
	assert_int_equal(atomic_load(&b.released), 6);
	assert_true(atomic_load(&b.woken) >= 6);
}

/* Somebody with many names is one address: another address waits for one job of it, not for all. */
static void test_think__groups_take_turns_before_clients(void **state)
{
	static const int expected[] = { 10, 20, 11, 21, 12, 13 };
	static const char *const names[] = { "a", "b", "c", "d" };
	struct bench b;
	(void)state;
	open_bench(&b, 1, 100);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(submit_grouped(&b, names[i], "here", 10 + i), SUBMIT_OK);
		if (i == 0)
			until_started(&b, 1);
	}
	assert_int_equal(submit_grouped(&b, "e", "there", 20), SUBMIT_OK);
	assert_int_equal(submit_grouped(&b, "f", "there", 21), SUBMIT_OK);
	atomic_store(&b.gate, true);
	until_answers(&b, 6);
	assert_memory_equal(b.ran, expected, sizeof expected);
	worker_pool_free(b.think);
	assert_int_equal(atomic_load(&b.released), 6);
}

/* By time, not by jobs: three jobs of 1 s are less than one of 5 s, for clients and for groups. */
static void test_think__who_has_used_least_is_served(void **state)
{
	static const int expected[] = { 0, 20, 21, 22, 10, 11 };
	struct bench b;
	(void)state;
	for (int groups = 0; groups < 2; groups++) {
		const char *here = "here", *there = groups ? "there" : here;
		open_bench(&b, 1, 100);
		assert_int_equal(submit_timed(&b, "first", "gate", 0, 0), SUBMIT_OK);
		until_started(&b, 1);
		for (int i = 0; i < 2; i++)
			assert_int_equal(submit_timed(&b, "slow", here, 10 + i, 5000), SUBMIT_OK);
		for (int i = 0; i < 3; i++)
			assert_int_equal(submit_timed(&b, "quick", there, 20 + i, 1000), SUBMIT_OK);
		atomic_store(&b.gate, true);
		until_answers(&b, 6);
		assert_memory_equal(b.ran, expected, sizeof expected);
		worker_pool_free(b.think);
	}
}

/* level:1 and twenty analyses of one address: it is answered first, and so is its next move. */
static void test_think__a_short_job_passes_twenty_long_ones(void **state)
{
	char name[16];
	struct bench b;
	(void)state;
	open_bench(&b, 1, 200);
	for (int i = 0; i < 20; i++) {
		snprintf(name, sizeof name, "analysis %d", i);
		assert_int_equal(submit_timed(&b, name, "school", 100 + i, 5000), SUBMIT_OK);
		if (i == 0)
			until_started(&b, 1);
	}
	assert_int_equal(submit_timed(&b, "level", "school", 1, 50), SUBMIT_OK);
	assert_int_equal(submit_timed(&b, "level", "school", 2, 50), SUBMIT_OK);
	atomic_store(&b.gate, true);
	until_answers(&b, 22);
	assert_int_equal(b.ran[0], 100);
	assert_int_equal(b.ran[1], 1);
	assert_int_equal(b.ran[2], 2);
	for (int i = 1; i < 20; i++)
		assert_int_equal(b.ran[2 + i], 100 + i);
	worker_pool_free(b.think);
}

/* A client that sends one job after another does not count as new, but no client waits indefinitely. */
static void test_think__time_is_remembered_within_bounds(void **state)
{
	struct bench b;
	(void)state;
	open_bench(&b, 1, 100);
	atomic_store(&b.gate, true);
	/* Uses much more than the debt that is remembered, and has then no job. */
	for (int i = 0; i < 10; i++) {
		assert_int_equal(submit_timed(&b, "greedy", "here", 1, 60000), SUBMIT_OK);
		until_answers(&b, i + 1);
	}
	atomic_store(&b.gate, false);
	assert_int_equal(submit_timed(&b, "gate", "gate", 2, 0), SUBMIT_OK);
	until_started(&b, 11);
	/* Comes first, and waits for others who have used nothing, up to the bound. */
	assert_int_equal(submit_timed(&b, "greedy", "here", 3, 20000), SUBMIT_OK);
	for (int i = 0; i < 8; i++) {
		const char *const names[] = { "a", "a", "a", "a", "b", "b", "b", "b" };
		assert_int_equal(submit_timed(&b, names[i], "there", 10 + i, 20000), SUBMIT_OK);
	}
	atomic_store(&b.gate, true);
	until_answers(&b, 20);
	int place = 11;
	while (b.ran[place] != 3)
		place++;
	assert_in_range(place - 11, 1, 1 + WORKER_DEBT_MS / 20000);
	worker_pool_free(b.think);
}

/* A thread looks in the background, so this waits for it; "none": it has seen no reason. */
static void expect_first(struct bench *b, const char *expected)
{
	const bool none = strcmp(expected, "none") == 0;
	for (int i = 0; i < (none ? 50 : 50000) && !b->answers; i++) {
		worker_pool_deliver(b->think);
		nap();
	}
	assert_string_equal(b->answers ? b->text : "none", expected);
}

/* Others wait for a job of another address for so long, and no longer. */
static void test_think__a_long_job_yields_to_another_group(void **state)
{
	static const struct {
		int64_t submitted_ms, then_ms; /* on the clock, since the first has begun */
		enum worker_yield yields;
		const char *group, *first;
		bool urgent; /* the first one: for a long move, too */
	} cases[] = {
		{ WORKER_YIELD_MS, WORKER_YIELD_MS, YIELD_ENDS, "there", "stopped", false },
		{ WORKER_YIELD_MS, WORKER_YIELD_MS, YIELD_ENDS, "there", "stopped", true },
		{ WORKER_YIELD_MS - 100, WORKER_YIELD_MS, YIELD_ENDS, "there", "stopped", false },
		{ 0, WORKER_YIELD_MS - 1, YIELD_ENDS, "there", "none", false },
		{ WORKER_YIELD_MS, WORKER_YIELD_MS, YIELD_NEVER, "there", "none", false },
		{ WORKER_YIELD_MS, WORKER_YIELD_MS, YIELD_ENDS, "here", "none", false },
	};
	struct bench b;
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		open_bench(&b, 1, 100);
		b.yields = cases[i].yields;
		b.urgent = cases[i].urgent;
		assert_int_equal(submit_timed(&b, "a", "here", 0, 0), SUBMIT_OK);
		b.urgent = false;
		until_started(&b, 1);
		atomic_store(&b.now_us, cases[i].submitted_ms * 1000);
		assert_int_equal(submit_timed(&b, "b", cases[i].group, 1, 0), SUBMIT_OK);
		atomic_store(&b.now_us, cases[i].then_ms * 1000);
		expect_first(&b, cases[i].first);
		assert_true(!b.answers || b.order[0] == 1);
		atomic_store(&b.gate, true);
		until_answers(&b, 2);
		assert_string_equal(b.text, "done");
		worker_pool_free(b.think);
	}
}

/* Who has a thread waits for it; who has none gets that of the job that has run longest. */
static void test_think__one_of_two_threads_is_enough(void **state)
{
	struct bench b;
	(void)state;
	open_bench(&b, 2, 100);
	b.yields = YIELD_ENDS;
	assert_int_equal(submit_timed(&b, "a", "here", 0, 0), SUBMIT_OK);
	until_started(&b, 1);
	atomic_store(&b.now_us, WORKER_YIELD_MS * 1000);
	assert_int_equal(submit_timed(&b, "b", "there", 1, 0), SUBMIT_OK);
	until_started(&b, 2); /* a thread is free */
	atomic_store(&b.now_us, (WORKER_YIELD_MS + 1000) * 1000);
	assert_int_equal(submit_timed(&b, "c", "there", 2, 0), SUBMIT_OK);
	expect_first(&b, "none");
	assert_int_equal(submit_timed(&b, "d", "elsewhere", 3, 0), SUBMIT_OK);
	expect_first(&b, "stopped");
	assert_int_equal(b.order[0], 1);
	until_started(&b, 3);
	assert_int_equal(b.ran[2], 3);
	atomic_store(&b.gate, true);
	until_answers(&b, 4);
	worker_pool_free(b.think);
}

/* A job of "here" that pauses for one of "there". */
static void open_paused(struct bench *b)
{
	open_bench(b, 1, 100);
	b->yields = YIELD_PAUSES;
	assert_int_equal(submit_timed(b, "a", "here", 0, 0), SUBMIT_OK);
	until_started(b, 1);
	nanosleep(&(struct timespec){ .tv_nsec = PAUSE_AFTER_MS * 1000000L }, NULL);
	atomic_store(&b->now_us, WORKER_YIELD_MS * 1000);
	/* It goes first by what the other one has used, not by what the other one still needs. */
	const int64_t longer_ms = WORKER_YIELD_MS - PAUSE_AFTER_MS / 2;
	assert_int_equal(submit_timed(b, "b", "there", 1, LIMIT_MS + longer_ms), SUBMIT_OK);
	until_started(b, 2);
	assert_int_equal(b->ran[1], 1);
	assert_int_equal(atomic_load(&b->paused), 1);
}

/* It continues when its group is next, with what is left of its time. */
static void test_think__a_paused_job_goes_on(void **state)
{
	struct bench b;
	(void)state;
	open_paused(&b);
	expect_first(&b, "none");
	atomic_store(&b.gate, true);
	until_answers(&b, 2);
	assert_string_equal(b.text, "done");
	assert_int_equal(atomic_load(&b.started), 3);
	assert_int_equal(b.ran[2], 0);
	assert_in_range(b.left_ms[2], 1, b.left_ms[0] - PAUSE_AFTER_MS);
	assert_int_equal(atomic_load(&b.released), 2);
	worker_pool_free(b.think);
}

/* It waits like any other: it can be hurried, cancelled, and released with the pool. */
static void test_think__a_paused_job_waits(void **state)
{
	struct bench b;
	int waiting, running;
	(void)state;
	open_paused(&b);
	worker_pool_count(b.think, &waiting, &running);
	assert_int_equal(waiting, 1);
	assert_int_equal(running, 1);
	worker_pool_cancel(b.think, 1);
	assert_int_equal(atomic_load(&b.released), 1);
	atomic_store(&b.gate, true);
	until_answers(&b, 1);
	assert_int_equal(atomic_load(&b.started), 2);
	worker_pool_free(b.think);

	open_paused(&b);
	worker_pool_hurry(b.think, 1);
	worker_pool_cancel(b.think, 2);
	until_answers(&b, 1);
	assert_int_equal(b.order[0], 1);
	assert_string_equal(b.text, "stopped");
	worker_pool_free(b.think);

	open_paused(&b);
	worker_pool_free(b.think);
	assert_int_equal(atomic_load(&b.released), 2);
}

/* A random game of chess. */
static struct qv_record *play_game(const struct qv_context *context, int plies)
{
	struct qv_rules rules;
	struct qv_record *record = NULL;
	static qv_move list[QV_MAX_MOVES];
	struct qv_random random = { .key = 3 };
	assert_int_equal(qv_rules_parse(context, "chess", &rules, NULL), QV_OK);
	assert_int_equal(qv_record_new(context, &rules, "start", &record, NULL), QV_OK);
	for (int i = 0; i < plies; i++) {
		const int count = rules.game->moves(qv_record_state(record), list);
		const qv_move move = list[qv_random_below(&random, (uint64_t)count)];
		assert_int_equal(qv_record_play(record, move, -1, NULL), QV_OK);
	}
	return record;
}

/* What waits to continue keeps its memory, so not all do. */
static void test_think__few_jobs_pause_at_a_time(void **state)
{
	enum { MOST = 8 };
	struct bench b;
	char name[8];
	int waiting, running;
	(void)state;
	open_bench(&b, 1, 100);
	b.yields = YIELD_PAUSES;
	for (int i = 0; i < MOST + 2; i++) {
		snprintf(name, sizeof name, "%d", i);
		atomic_fetch_add(&b.now_us, WORKER_YIELD_MS * 1000);
		assert_int_equal(submit_timed(&b, name, name, i, 0), SUBMIT_OK);
		if (i <= MOST)
			until_started(&b, i + 1);
	}
	nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL);
	assert_int_equal(atomic_load(&b.started), MOST + 1);
	assert_int_equal(atomic_load(&b.paused), MOST);
	worker_pool_count(b.think, &waiting, &running);
	assert_int_equal(waiting, MOST + 1);
	/* When one of them has gone, there is room again. */
	worker_pool_cancel(b.think, 1);
	atomic_fetch_add(&b.now_us, WORKER_YIELD_MS * 1000);
	snprintf(name, sizeof name, "%d", MOST + 2);
	assert_int_equal(submit_timed(&b, name, name, MOST + 2, 0), SUBMIT_OK);
	until_started(&b, MOST + 2);
	worker_pool_free(b.think);
}

static void deliver_review(void *ctx, uint64_t number, const char *text, bool last)
{
	struct bench *b = ctx;
	int done;
	(void)number;
	assert_non_null(text);
	assert_int_equal(sscanf(text, "{\"type\":\"review\",\"done\":%d,", &done), 1);
	assert_true(done >= b->done);
	b->done = done;
	snprintf(b->review, sizeof b->review, "%s", text);
	b->answers += last;
}

/* The only job that has begun was asked to pause. */
static bool shall_pause(struct bench *b)
{
	mutex_lock(&b->think->lock);
	const bool shall = flag_is_set(&b->think->busy->pause);
	mutex_unlock(&b->think->lock);
	return shall;
}

/* Between two positions, for a job of another group; it continues with the next position. */
static void test_think__a_review_pauses(void **state)
{
	enum { PLIES = 150 };
	struct qv_context *context = qv_context_new(NULL);
	struct bench b;
	uint64_t number;
	int waiting, running;
	(void)state;
	open_bench(&b, 1, 100);
	atomic_store(&b.holds, true);
	const struct worker_job job = {
		.client = "a", .group = "here", .yields = YIELD_PAUSES, .most = 1,
		.limit_ms = 600000, .run = record_job_review, .release = record_job_free,
		.arg = record_job_new(context, play_game(context, PLIES), 0, NULL),
		.deliver = deliver_review, .ctx = &b
	};
	assert_int_equal(worker_pool_submit(b.think, &job, &number), SUBMIT_OK);
	while (!atomic_load(&b.held)) /* at its first position */
		nap();
	atomic_store(&b.now_us, WORKER_YIELD_MS * 1000);
	assert_int_equal(submit_timed(&b, "b", "there", 1, 0), SUBMIT_OK);
	while (!shall_pause(&b))
		nap();
	atomic_store(&b.holds, false);
	until_started(&b, 1);
	worker_pool_count(b.think, &waiting, &running);
	assert_int_equal(waiting, 1);
	assert_int_equal(running, 1);
	atomic_store(&b.gate, true);
	until_answers(&b, 2);
	assert_non_null(strstr(b.review, "\"done\":150,\"of\":150,"));
	worker_pool_free(b.think);
	qv_context_free(context);
}

static bool any_leaves(const struct worker_job *job)
{
	(void)job;
	return true;
}

/* The only thread of another process has a long job, and a job of another group waits for it. */
static void test_think__a_job_elsewhere_yields_if_it_can_end(void **state)
{
	static const struct {
		enum worker_yield yields;
		bool begins;
		const char *group;
		enum away_state expected;
	} cases[] = {
		{ YIELD_ENDS, true, "there", AWAY_HURRIED }, { YIELD_ENDS, false, "there", AWAY_WANTED },
		{ YIELD_NEVER, true, "there", AWAY_WANTED }, { YIELD_PAUSES, true, "there", AWAY_WANTED },
		{ YIELD_ENDS, true, "here", AWAY_WANTED },
	};
	struct bench b;
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint64_t number;
		open_bench_with(&b, 1, 100, any_leaves);
		b.yields = cases[i].yields;
		worker_pool_leave_to_others(b.think, true);
		assert_int_equal(submit_timed(&b, "a", "here", 0, 0), SUBMIT_OK);
		assert_non_null(worker_pool_send(b.think, false, &number));
		atomic_store(&b.now_us, 1000);
		if (cases[i].begins)
			worker_pool_away_began(b.think, number);
		atomic_store(&b.now_us, (WORKER_YIELD_MS + 1) * 1000);
		assert_int_equal(worker_pool_away(b.think, number), AWAY_WANTED);
		assert_int_equal(submit_timed(&b, "b", cases[i].group, 1, 0), SUBMIT_OK);
		const int64_t wait_ms = cases[i].expected == AWAY_HURRIED ? 60000 : 700;
		for (const int64_t until = clock_us() + wait_ms * 1000;
		     clock_us() < until && worker_pool_away(b.think, number) == AWAY_WANTED;)
			nap();
		assert_int_equal(worker_pool_away(b.think, number), cases[i].expected);
		worker_pool_free(b.think);
		assert_int_equal(atomic_load(&b.started), 0);
	}
}

static void test_think__a_group_fills_no_more_than_its_part(void **state)
{
	char name[8];
	struct bench b;
	(void)state;
	open_bench(&b, 1, 16); /* a quarter, unless the setup says otherwise */
	assert_int_equal(submit_grouped(&b, "first", "here", 0), SUBMIT_OK);
	until_started(&b, 1);
	for (int i = 0; i < 5; i++) {
		snprintf(name, sizeof name, "%d", i);
		assert_int_equal(submit_grouped(&b, name, "here", i),
				 i < 4 ? SUBMIT_OK : SUBMIT_CLIENT_FULL);
	}
	assert_int_equal(submit_grouped(&b, "other", "there", 0), SUBMIT_OK);
	worker_pool_free(b.think);
	assert_int_equal(atomic_load(&b.released), 6);
}

static void test_think__queues_are_bounded(void **state)
{
	struct bench b;
	uint64_t n;
	(void)state;
	open_bench(&b, 1, 6);
	assert_int_equal(submit(&b, "a", waits, false, 60000, &n), SUBMIT_OK);
	until_started(&b, 1);
	for (int i = 0; i < 4; i++)
		assert_int_equal(submit(&b, "a", waits, false, 60000, &n), SUBMIT_OK);
	assert_int_equal(submit(&b, "a", waits, false, 60000, &n), SUBMIT_CLIENT_FULL);
	assert_int_equal(submit(&b, "c", waits, false, 60000, &n), SUBMIT_OK);
	assert_int_equal(submit(&b, "d", waits, false, 60000, &n), SUBMIT_OK);
	assert_int_equal(submit(&b, "e", waits, false, 60000, &n), SUBMIT_POOL_FULL);
	int waiting, running;
	worker_pool_count(b.think, &waiting, &running);
	assert_int_equal(waiting, 6);
	assert_int_equal(running, 1);
	worker_pool_free(b.think);                       /* with all of that under way */
	assert_int_equal(atomic_load(&b.released), 7);
	assert_int_equal(b.answers, 0);
}

/* Neither for analyses nor for a long search that is urgent, too; with one thread and with two. */
static void test_think__short_jobs_wait_for_no_other(void **state)
{
	struct bench b;
	uint64_t slow, soon;
	(void)state;
	for (int workers = 1; workers <= 2; workers++) {
		open_bench(&b, workers, 100);
		assert_int_equal(submit(&b, "a", waits, workers == 1, LIMIT_MS, &slow), SUBMIT_OK);
		assert_int_equal(submit(&b, "b", waits, true, LIMIT_MS, &slow), SUBMIT_OK);
		assert_int_equal(submit(&b, "c", waits, true, LIMIT_MS, &slow), SUBMIT_OK);
		until_started(&b, workers);
		assert_int_equal(submit(&b, "m", quick, true, WORKER_SHORT_MS, &soon), SUBMIT_OK);
		until_answers(&b, 1);
		assert_true(b.order[0] == soon);
		assert_int_equal(atomic_load(&b.started), workers + 1);
		worker_pool_free(b.think);
	}
}

/* Long moves of computers cannot keep analyses waiting for good, nor the other way round. */
static void test_think__long_jobs_take_turns(void **state)
{
	static const int expected[] = { 0, 20, 10, 21, 11, 22 };
	struct bench b;
	uint64_t n;
	(void)state;
	open_bench(&b, 1, 100);
	assert_int_equal(submit(&b, "first", (struct work){ .waits = true }, true, LIMIT_MS, &n),
			 SUBMIT_OK);
	until_started(&b, 1);
	for (int i = 0; i < 2; i++)
		assert_int_equal(submit(&b, "moves", (struct work){ .waits = true, .id = 10 + i },
					true, LIMIT_MS, &n),
				 SUBMIT_OK);
	for (int i = 0; i < 3; i++)
		assert_int_equal(submit(&b, "lines", (struct work){ .waits = true, .id = 20 + i },
					false, LIMIT_MS, &n),
				 SUBMIT_OK);
	atomic_store(&b.gate, true);
	until_answers(&b, 6);
	assert_memory_equal(b.ran, expected, sizeof expected);
	worker_pool_free(b.think);
}

static void test_think__cancelled_jobs_say_nothing(void **state)
{
	struct bench b;
	uint64_t runs, queued, last;
	(void)state;
	open_bench(&b, 1, 100);
	assert_int_equal(submit(&b, "a", waits, false, 60000, &runs), SUBMIT_OK);
	until_started(&b, 1);
	assert_int_equal(submit(&b, "a", quick, false, 60000, &queued), SUBMIT_OK);
	assert_int_equal(submit(&b, "a", quick, false, 60000, &last), SUBMIT_OK);
	worker_pool_cancel(b.think, queued);
	worker_pool_cancel(b.think, runs);
	worker_pool_cancel(b.think, 999);
	until_answers(&b, 1);
	assert_true(b.order[0] == last && b.answers == 1);
	worker_pool_cancel(b.think, last);
	worker_pool_deliver(b.think);
	assert_int_equal(atomic_load(&b.released), 3);
	worker_pool_free(b.think);
}

/* One that runs and one that waits both return early, with a result. */
static void test_think__hurried_jobs_return_what_they_have(void **state)
{
	struct bench b;
	uint64_t runs, queued;
	(void)state;
	open_bench(&b, 1, 100);
	assert_int_equal(submit(&b, "a", waits, false, 60000, &runs), SUBMIT_OK);
	until_started(&b, 1);
	assert_int_equal(submit(&b, "a", waits, false, 60000, &queued), SUBMIT_OK);
	worker_pool_hurry(b.think, 999);
	worker_pool_hurry(b.think, queued); /* still waits for the one before it */
	worker_pool_hurry(b.think, runs);
	until_answers(&b, 1);
	assert_string_equal(b.text, "stopped");
	until_answers(&b, 2);
	assert_string_equal(b.text, "stopped");
	worker_pool_hurry(b.think, queued);
	worker_pool_free(b.think);
	assert_int_equal(atomic_load(&b.released), 2);
}

static void test_think__limits_and_alarms_stop(void **state)
{
	struct bench b;
	uint64_t n;
	(void)state;
	open_bench(&b, 1, 100);
	assert_int_equal(submit(&b, "a", waits, false, 10, &n), SUBMIT_OK);
	until_answers(&b, 1);
	assert_string_equal(b.text, "stopped");
	struct work *w = calloc(1, sizeof *w);
	assert_non_null(w);
	w->bench = &b;
	const struct worker_job job = { .client = "a", .most = 1, .limit_ms = 60000,
				       .run = run_alarm, .release = release, .arg = w,
				       .deliver = deliver, .ctx = &b };
	assert_int_equal(worker_pool_submit(b.think, &job, &n), SUBMIT_OK);
	until_answers(&b, 2);
	assert_string_equal(b.text, "alarm");
	worker_pool_free(b.think);
}

static void test_think__news_are_gathered(void **state)
{
	struct bench b;
	uint64_t n;
	(void)state;
	open_bench(&b, 1, 100);
	const struct work chatty = { .waits = true, .says = 1000 };
	assert_int_equal(submit(&b, "a", chatty, false, 60000, &n), SUBMIT_OK);
	while (b.news == 0) {
		worker_pool_deliver(b.think);
		nap();
	}
	atomic_store(&b.gate, true);
	until_answers(&b, 1);
	assert_in_range(b.news, 1, 999);
	worker_pool_free(b.think);
}

/* Everything at once, from the loop's side; TSan looks on. */
static void test_think__many_at_once(void **state)
{
	struct bench b;
	struct qv_random random = { .key = 5 };
	int taken = 0, cancelled = 0;
	(void)state;
	open_bench(&b, 3, JOBS);
	for (int i = 0; i < JOBS * 4; i++) {
		char client[16];
		uint64_t n;
		snprintf(client, sizeof client, "%d", (int)qv_random_below(&random, 9));
		const struct work work = { .waits = false,
					   .says = (int)qv_random_below(&random, 4) };
		if (submit(&b, client, work, qv_random_below(&random, 3) == 0, 1000, &n) ==
		    SUBMIT_OK)
			taken++;
		else
			nap();
		if (taken && qv_random_below(&random, 8) == 0) {
			worker_pool_cancel(b.think, n);
			cancelled++;
		}
		worker_pool_deliver(b.think);
	}
	for (int waiting = 1, running = 0; waiting + running; nap())
		worker_pool_count(b.think, &waiting, &running);
	worker_pool_deliver(b.think);
	assert_int_equal(atomic_load(&b.released), taken);
	assert_in_range(b.answers, taken - cancelled, taken);
	worker_pool_free(b.think);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_think__clients_take_turns),
		cmocka_unit_test(test_think__groups_take_turns_before_clients),
		cmocka_unit_test(test_think__who_has_used_least_is_served),
		cmocka_unit_test(test_think__a_short_job_passes_twenty_long_ones),
		cmocka_unit_test(test_think__time_is_remembered_within_bounds),
		cmocka_unit_test(test_think__a_long_job_yields_to_another_group),
		cmocka_unit_test(test_think__one_of_two_threads_is_enough),
		cmocka_unit_test(test_think__a_paused_job_goes_on),
		cmocka_unit_test(test_think__a_paused_job_waits),
		cmocka_unit_test(test_think__few_jobs_pause_at_a_time),
		cmocka_unit_test(test_think__a_review_pauses),
		cmocka_unit_test(test_think__a_job_elsewhere_yields_if_it_can_end),
		cmocka_unit_test(test_think__a_group_fills_no_more_than_its_part),
		cmocka_unit_test(test_think__queues_are_bounded),
		cmocka_unit_test(test_think__short_jobs_wait_for_no_other),
		cmocka_unit_test(test_think__long_jobs_take_turns),
		cmocka_unit_test(test_think__cancelled_jobs_say_nothing),
		cmocka_unit_test(test_think__hurried_jobs_return_what_they_have),
		cmocka_unit_test(test_think__limits_and_alarms_stop),
		cmocka_unit_test(test_think__news_are_gathered),
		cmocka_unit_test(test_think__many_at_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
