/*
 * crew.c - many small jobs on a few threads.
 * SPDX-License-Identifier: MIT
 */
#include "learn/crew.h"

#include <pthread.h>

#include "base/memory.h"

struct crew {
	const struct crew_work *work;
	_Atomic int64_t next;
};

struct hand {
	struct crew *crew;
	int number;
	pthread_t thread;
	bool started;
};

static bool is_stopped(const struct crew_work *work)
{
	return work->stop && atomic_load_explicit(work->stop, memory_order_relaxed);
}

static void *hand_main(void *arg)
{
	const struct hand *h = arg;
	const struct crew_work *work = h->crew->work;
	while (!is_stopped(work)) {
		const int64_t job = atomic_fetch_add(&h->crew->next, 1);
		if (job >= work->jobs)
			break;
		work->run(work->ctx, h->number, job);
	}
	return NULL;
}

bool crew_run(const struct crew_work *work)
{
	struct crew crew = { .work = work };
	struct hand hands[CREW_MOST];
	const int count = work->threads < CREW_MOST ? work->threads : CREW_MOST;
	for (int i = 0; i < count; i++)
		hands[i] = (struct hand){ .crew = &crew, .number = i };
	for (int i = 1; i < count; i++) /* one that cannot start only costs speed */
		hands[i].started =
			pthread_create(&hands[i].thread, NULL, hand_main, &hands[i]) == 0;
	hand_main(&hands[0]);
	for (int i = 1; i < count; i++)
		if (hands[i].started)
			pthread_join(hands[i].thread, NULL);
	return atomic_load(&crew.next) >= work->jobs;
}

/* ---- a crew that stays ---- */

enum { AWAKE = 1 << 14 }; /* looks before a thread goes to sleep */

struct standing_hand {
	struct standing_crew *crew;
	int number;
	pthread_t thread;
};

struct standing_crew {
	const struct qv_allocator *allocator;
	int count; /* of threads, the caller's too */
	/* The work; set before `works` grows. */
	int64_t jobs;
	void (*run)(void *ctx, int hand, int64_t job);
	void *ctx;
	bool ends;
	_Atomic uint64_t works; /* given out so far */
	_Atomic int busy;	/* hands that have not yet done theirs */
	pthread_mutex_t lock;
	pthread_cond_t begun, done;
	struct standing_hand hands[CREW_MOST];
};

static void do_share(const struct standing_crew *crew, int hand)
{
	for (int64_t job = hand; job < crew->jobs; job += crew->count)
		crew->run(crew->ctx, hand, job);
}

/* Waits until there is more work than `seen`. */
static void await_work(struct standing_crew *crew, uint64_t seen)
{
	for (int i = 0; i < AWAKE; i++)
		if (atomic_load_explicit(&crew->works, memory_order_acquire) != seen)
			return;
	pthread_mutex_lock(&crew->lock);
	while (atomic_load(&crew->works) == seen)
		pthread_cond_wait(&crew->begun, &crew->lock);
	pthread_mutex_unlock(&crew->lock);
}

static void await_hands(struct standing_crew *crew)
{
	for (int i = 0; i < AWAKE; i++)
		if (!atomic_load_explicit(&crew->busy, memory_order_acquire))
			return;
	pthread_mutex_lock(&crew->lock);
	while (atomic_load(&crew->busy))
		pthread_cond_wait(&crew->done, &crew->lock);
	pthread_mutex_unlock(&crew->lock);
}

static void *standing_main(void *arg)
{
	const struct standing_hand *h = arg;
	struct standing_crew *crew = h->crew;
	for (uint64_t seen = 0;; seen++) {
		await_work(crew, seen);
		if (crew->ends)
			return NULL;
		do_share(crew, h->number);
		if (atomic_fetch_sub(&crew->busy, 1) == 1) {
			pthread_mutex_lock(&crew->lock);
			pthread_cond_signal(&crew->done);
			pthread_mutex_unlock(&crew->lock);
		}
	}
}

static void give_out(struct standing_crew *crew)
{
	atomic_store(&crew->busy, crew->count - 1);
	pthread_mutex_lock(&crew->lock);
	atomic_fetch_add_explicit(&crew->works, 1, memory_order_release);
	pthread_cond_broadcast(&crew->begun);
	pthread_mutex_unlock(&crew->lock);
}

struct standing_crew *crew_hire(const struct qv_allocator *allocator, int threads)
{
	struct standing_crew *crew = mem_new(allocator, 1, sizeof *crew);
	if (!crew)
		return NULL;
	crew->allocator = allocator;
	crew->count = 1;
	pthread_mutex_init(&crew->lock, NULL);
	pthread_cond_init(&crew->begun, NULL);
	pthread_cond_init(&crew->done, NULL);
	for (int i = 1; i < threads && i < CREW_MOST; i++) {
		struct standing_hand *h = &crew->hands[i];
		*h = (struct standing_hand){ .crew = crew, .number = i };
		if (pthread_create(&h->thread, NULL, standing_main, h) != 0)
			break;
		crew->count++;
	}
	return crew;
}

void crew_do(struct standing_crew *crew, int64_t jobs,
	     void (*run)(void *ctx, int hand, int64_t job), void *ctx)
{
	crew->jobs = jobs;
	crew->run = run;
	crew->ctx = ctx;
	give_out(crew);
	do_share(crew, 0);
	await_hands(crew);
}

void crew_dismiss(struct standing_crew *crew)
{
	if (!crew)
		return;
	crew->ends = true;
	give_out(crew);
	for (int i = 1; i < crew->count; i++)
		pthread_join(crew->hands[i].thread, NULL);
	pthread_mutex_destroy(&crew->lock);
	pthread_cond_destroy(&crew->begun);
	pthread_cond_destroy(&crew->done);
	mem_free(crew->allocator, crew, sizeof *crew);
}
