/*
 * worker_pool_yield.c - jobs of the pool that end or pause because others wait.
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#include "base/clock.h"
#include "server/jobs/worker_pool_inside.h"

enum {
	SEND_MS = 500,	 /* in which a job is sent, if another process has a free thread */
	PAUSED_MOST = 8, /* jobs at a time, since each keeps its memory */
};

void task_stop(struct worker_task *task)
{
	flag_set(&task->stop, true);
	flag_set(&task->alarm, true);
}

/*
 * When the oldest long job was queued (clock_us) of a group without a running job that waits for a
 * thread here, or (away) of another process; 0: none waits.
 */
static int64_t group_waits(const struct worker_pool *t, bool away)
{
	int64_t since = 0;
	if (!away && t->taken < t->setup.workers)
		return 0;
	for (int i = 0; i < 2; i++)
		for (const struct client *c = t->rings[i].first; c; c = c->next)
			if (may_take(t, c, false, away) && !c->group->running)
				since = sooner(since, c->first->queued_us);
	return since;
}

static bool may_yield(const struct worker_pool *t, const struct worker_task *task)
{
	return task->away ? task->began_away && task->job.yields == YIELD_ENDS
			  : task->job.yields == YIELD_ENDS ||
				    (task->job.yields && t->paused < PAUSED_MOST);
}

/* Asks the job that has run longest to yield. Returns in how many us to look again; 0: no need. */
static int64_t free_longest(struct worker_pool *t, bool away)
{
	struct worker_task *longest = NULL;
	for (struct worker_task *task = t->busy; task; task = task->next) {
		if (task->done || task->away != away || is_short(&task->job))
			continue;
		if (flag_is_set(&task->stop) || flag_is_set(&task->pause))
			return 0; /* its thread will be free soon */
		charge(t, task);
		if (may_yield(t, task) && (!longest || task->ran_us > longest->ran_us))
			longest = task;
	}
	const int64_t left = longest ? WORKER_YIELD_MS * 1000 - longest->ran_us : 0;
	if (left > 0)
		return left;
	if (longest && longest->job.yields == YIELD_PAUSES)
		flag_set(&longest->pause, true);
	else if (longest)
		task_stop(longest);
	return 0;
}

/*
 * One address must not stop all others for the time of its longest search. Whether another process
 * has a free thread is not known here: if it has, a waiting job is soon sent. Returns as above.
 */
int64_t make_room(struct worker_pool *t)
{
	const int64_t since = t->sends ? group_waits(t, true) : 0;
	const int64_t waits_us = since ? clock_us() - since : 0;
	int64_t next = group_waits(t, false) ? free_longest(t, false) : 0;
	if (since && waits_us >= SEND_MS * 1000)
		next = sooner(next, free_longest(t, true));
	else if (since)
		next = sooner(next, SEND_MS * 1000 - waits_us);
	return next;
}

/*
 * It continues later, in this process, with what is left of its time. It is expected to take as long
 * as before, so that others go before it: what it has used already counts.
 */
void pause_task(struct worker_pool *t, struct worker_task *task)
{
	if (!task->job.expected_ms)
		task->job.expected_ms = task->job.limit_ms;
	task->before_us += clock_us() - task->began_us;
	task->job.limit_ms = worker_task_left_ms(task);
	task->here = true;
	task->pauses = false;
	flag_set(&task->pause, false);
	free(task->progress); /* it would be late */
	task->progress = NULL;
	queue_return(t, task);
	task->paused = true;
	t->paused++;
}
