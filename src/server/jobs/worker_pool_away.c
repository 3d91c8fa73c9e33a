/*
 * worker_pool_away.c - jobs of the pool that another process runs.
 * SPDX-License-Identifier: MIT
 *
 * For the pool such a task is one that runs, only not in a thread of this process: its client has
 * no other task meanwhile, is charged for the time, and its texts are delivered as usual. Its limit
 * is the other process's business, and that of whoever sent it.
 */
#include <stdlib.h>
#include <string.h>

#include "server/jobs/worker_pool_inside.h"

/* NULL: it has ended. */
static struct worker_task *find(const struct worker_pool *t, uint64_t number)
{
	struct worker_task *task = t->busy;
	while (task && task->number != number)
		task = task->next;
	return task && task->away && !task->done ? task : NULL;
}

const struct worker_job *worker_pool_send(struct worker_pool *t, bool is_short, uint64_t *number)
{
	const struct worker_job *job = NULL;
	mutex_lock(&t->lock);
	struct worker_task *task = pool_take(t, is_short, true);
	if (task) {
		task->away = true;
		task_begin(t, task);
		*number = task->number;
		job = &task->job;
	}
	mutex_unlock(&t->lock);
	return job;
}

enum away_state worker_pool_away(struct worker_pool *t, uint64_t number)
{
	mutex_lock(&t->lock);
	const struct worker_task *task = find(t, number);
	const enum away_state state = !task			 ? AWAY_GONE
				      : flag_is_set(&task->stop) ? AWAY_HURRIED
								 : AWAY_WANTED;
	mutex_unlock(&t->lock);
	return state;
}

/* Its time begins now: others wait for what it runs, not for what it waited. */
void worker_pool_away_began(struct worker_pool *t, uint64_t number)
{
	mutex_lock(&t->lock);
	struct worker_task *task = find(t, number);
	if (task) {
		charge(t, task);
		task->ran_us = 0;
		task->began_away = true;
		condition_signal(&t->watch);
	}
	mutex_unlock(&t->lock);
}

void worker_pool_away_progress(struct worker_pool *t, uint64_t number, const char *text)
{
	mutex_lock(&t->lock);
	struct worker_task *task = find(t, number);
	char *copy = task ? strdup(text) : NULL;
	if (copy) {
		free(task->progress);
		task->progress = copy;
	}
	mutex_unlock(&t->lock);
	if (copy)
		t->setup.wake(t->setup.ctx);
}

void worker_pool_away_result(struct worker_pool *t, uint64_t number, const char *text)
{
	mutex_lock(&t->lock);
	struct worker_task *task = find(t, number);
	if (task) {
		worker_task_result(task, strdup(text));
		task_end(t, task);
	}
	mutex_unlock(&t->lock);
	if (task)
		t->setup.wake(t->setup.ctx);
}

void worker_pool_away_back(struct worker_pool *t, uint64_t number)
{
	mutex_lock(&t->lock);
	struct worker_task *task = find(t, number);
	if (task) {
		task->away = task->began_away = false;
		task->here = true;
		queue_return(t, task);
	}
	mutex_unlock(&t->lock);
}

void worker_pool_leave_to_others(struct worker_pool *t, bool leave)
{
	mutex_lock(&t->lock);
	const bool changed = t->sends != leave;
	t->sends = leave;
	if (changed && !leave)
		condition_broadcast(&t->work);
	mutex_unlock(&t->lock);
}
