/*
 * crew.c - many small jobs on a few threads.
 * SPDX-License-Identifier: MIT
 */
#include "learn/crew.h"

#include <pthread.h>

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
