/*
 * worker_pool.c - the pool: two queues of clients, one lock, workers, and a watchdog.
 * SPDX-License-Identifier: MIT
 *
 * One lock guards everything here: a job takes milliseconds at least, the lock some hundred
 * nanoseconds. A task is waiting (in its client's queue), running (in its worker and in the list
 * `busy`) or done (in `busy` until it is delivered). The watchdog thread sets the stop flags of
 * tasks that exceed their limit, so that limits do not depend on how busy the event loop is.
 *
 * The order is that of start-time fair queueing: `floor_us` is what the client, or group, that was
 * served last had used then. A client without jobs is remembered as long as it owes time, so that
 * somebody who sends one job after the other does not look new each time; there are at most
 * IDLE_MOST of them.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "server/jobs/worker_pool_inside.h"

enum {
	NICE = 5,	 /* the event loop and the store have priority over workers */
	GROUP_PART = 4,	 /* a group may fill a quarter of the queue */
	IDLE_MOST = 256, /* clients without jobs that are remembered, of each ring */
};

/* ---- Figures ---- */

/* The kind of a client's jobs, added if there is room. */
static struct worker_kind *kind_of(struct worker_pool *t, const char *client)
{
	struct worker_pool_figures *f = &t->figures;
	char name[WORKER_KIND];
	const size_t length = strcspn(client, " ");
	snprintf(name, sizeof name, "%.*s", length < WORKER_KIND ? (int)length : WORKER_KIND - 1,
		 client);
	for (int i = 0; i < f->kind_count; i++)
		if (strcmp(f->kinds[i].name, name) == 0)
			return &f->kinds[i];
	if (f->kind_count == WORKER_KINDS)
		return &f->kinds[WORKER_KINDS - 1];
	struct worker_kind *kind = &f->kinds[f->kind_count++];
	memcpy(kind->name, f->kind_count == WORKER_KINDS ? "other" : name,
	       f->kind_count == WORKER_KINDS ? sizeof "other" : sizeof name);
	return kind;
}

void worker_pool_figures(struct worker_pool *t, struct worker_pool_figures *out)
{
	mutex_lock(&t->lock);
	*out = t->figures;
	mutex_unlock(&t->lock);
}

/* ---- Time ---- */

static int64_t now_us(const struct worker_pool *t)
{
	return t->setup.now_us ? t->setup.now_us(t->setup.ctx) : clock_us();
}

void charge(struct worker_pool *t, struct worker_task *task)
{
	const int64_t now = now_us(t), passed = now - task->charged_us;
	task->charged_us = now;
	task->ran_us += passed;
	task->client->used_us += passed;
	task->client->group->used_us += passed;
}

/* Nobody saves up time while away, and nobody owes more than some time. */
static int64_t after_pause(int64_t used_us, int64_t floor_us)
{
	const int64_t most = floor_us + (int64_t)WORKER_DEBT_MS * 1000;
	return used_us < floor_us ? floor_us : used_us > most ? most : used_us;
}

/* ---- Clients ---- */

static void ring_add(struct ring *ring, struct client *c)
{
	c->next = NULL;
	if (ring->last)
		ring->last->next = c;
	else
		ring->first = c;
	ring->last = c;
}

/* The client is in the ring. */
static void ring_remove(struct ring *ring, struct client *c)
{
	struct client *before = NULL;
	for (struct client *at = ring->first; at != c; at = at->next)
		before = at;
	if (before)
		before->next = c->next;
	else
		ring->first = c->next;
	if (ring->last == c)
		ring->last = before;
}

/* Cut to the size of the buffer. */
static void copy_name(char out[WORKER_CLIENT], const char *name)
{
	const size_t length = strnlen(name, WORKER_CLIENT - 1);
	memcpy(out, name, length);
	out[length] = '\0';
}

/* The job's client, created with its group if necessary. NULL: out of memory. */
static struct client *client_get(struct worker_pool *t, const struct worker_job *job)
{
	struct ring *ring = &t->rings[job->urgent];
	struct client *c = ring->first;
	struct group *g = ring->groups;
	char name[WORKER_CLIENT], group[WORKER_CLIENT];
	copy_name(name, job->client);
	copy_name(group, job->group ? job->group : job->client);
	while (c && strcmp(c->name, name) != 0)
		c = c->next;
	if (c || !(c = calloc(1, sizeof *c)))
		return c;
	while (g && strcmp(g->name, group) != 0)
		g = g->next;
	if (!g && !(g = calloc(1, sizeof *g))) {
		free(c);
		return NULL;
	}
	if (!g->clients) { /* a new one */
		memcpy(g->name, group, sizeof group);
		g->next = ring->groups;
		ring->groups = g;
	}
	g->clients++;
	memcpy(c->name, name, sizeof name);
	c->group = g;
	c->urgent = job->urgent;
	ring->idle++;
	ring_add(ring, c);
	return c;
}

/* The client has a job again, or its first. */
static void client_enter(struct worker_pool *t, struct client *c)
{
	struct ring *ring = &t->rings[c->urgent];
	struct group *g = c->group;
	if (c->active)
		return;
	if (!g->active++)
		g->used_us = after_pause(g->used_us, ring->floor_us);
	c->used_us = after_pause(c->used_us, g->floor_us);
	c->active = true;
	c->turn = ++ring->turns;
	ring->idle--;
}

/* Frees a client without jobs, and its group with the last one. */
static void client_free(struct ring *ring, struct client *c)
{
	struct group *g = c->group, **at = &ring->groups;
	ring->idle--;
	ring_remove(ring, c);
	free(c);
	if (--g->clients)
		return;
	while (*at != g)
		at = &(*at)->next;
	*at = g->next;
	free(g);
}

/*
 * Makes a client that has no job idle, and forgets those that have been idle longest. One that owes
 * nothing is as good as new, and forgotten at once.
 */
static void client_leave(struct worker_pool *t, struct client *c)
{
	struct ring *ring = &t->rings[c->urgent];
	if (c->running || c->first)
		return;
	if (c->active) {
		c->active = false;
		c->group->active--;
		ring->idle++;
		ring_remove(ring, c);
		ring_add(ring, c);
	}
	if (c->used_us <= c->group->floor_us) {
		client_free(ring, c);
		return;
	}
	for (struct client *at = ring->first, *next; at && ring->idle > IDLE_MOST; at = next) {
		next = at->next;
		if (!at->active)
			client_free(ring, at);
	}
}

/* ---- Tasks ---- */

/* Outside the lock, since `release` is the caller's. */
static void task_free(struct worker_task *task)
{
	const struct worker_pool_setup *setup = &task->pool->setup;
	if (setup->forget)
		setup->forget(setup->processes, task->number);
	free(task->progress);
	free(task->result);
	task->job.release(task->job.arg);
	free(task);
}

/* Three counters, for the three limits. */
static void count_waiting(struct worker_pool *t, struct client *c, int change)
{
	c->waiting += change;
	c->group->waiting += change;
	t->waiting += change;
}

/* Takes the first task out of the client's queue, or the one of that number. NULL: not there. */
static struct worker_task *queue_take(struct worker_pool *t, struct client *c, uint64_t number)
{
	struct worker_task **at = &c->first, *before = NULL;
	while (*at && number && (*at)->number != number) {
		before = *at;
		at = &(*at)->next;
	}
	struct worker_task *task = *at;
	if (!task)
		return NULL;
	*at = task->next;
	task->next = NULL;
	t->paused -= task->paused;
	task->paused = false;
	if (c->last == task)
		c->last = before;
	task->kind->waiting--;
	count_waiting(t, c, -1);
	return task;
}

static int64_t expected_ms(const struct worker_job *job)
{
	return job->expected_ms ? job->expected_ms : job->limit_ms;
}

bool is_short(const struct worker_job *job)
{
	return job->urgent && expected_ms(job) <= WORKER_SHORT_MS;
}

/* What the client, or its group, will have used after its next job. */
static int64_t used_then(const struct client *c, int64_t used_us)
{
	return used_us + 1000 * expected_ms(&c->first->job);
}

/* Is `c` to be served before `than`, a client of the same group or NULL? */
static bool goes_before(const struct client *c, const struct client *than)
{
	if (!than)
		return true;
	const int64_t a = used_then(c, c->used_us), b = used_then(than, than->used_us);
	return a < b || (a == b && c->turn < than->turn);
}

/* The same for the best clients of two groups. */
static bool group_goes_before(const struct group *g, const struct group *than)
{
	if (!than)
		return true;
	const int64_t a = used_then(g->best, g->used_us), b = used_then(than->best, than->used_us);
	return a < b || (a == b && g->best->turn < than->best->turn);
}

bool may_take(const struct worker_pool *t, const struct client *c, bool is_short_one, bool away)
{
	const struct worker_task *task = c->first;
	if (c->running || !task || is_short(&task->job) != is_short_one)
		return false;
	const bool leaves = (away || t->sends) && !task->here && t->setup.may_leave(&task->job);
	return away ? leaves : !leaves;
}

static struct worker_task *ring_take(struct worker_pool *t, bool urgent, bool is_short_one,
				     bool away)
{
	struct ring *ring = &t->rings[urgent];
	struct group *best = NULL;
	for (struct worker_task *task = t->busy; task; task = task->next)
		if (!task->done)
			charge(t, task);
	for (struct group *g = ring->groups; g; g = g->next)
		g->best = NULL;
	for (struct client *c = ring->first; c; c = c->next)
		if (may_take(t, c, is_short_one, away) && goes_before(c, c->group->best))
			c->group->best = c;
	for (struct group *g = ring->groups; g; g = g->next)
		if (g->best && group_goes_before(g, best))
			best = g;
	if (!best)
		return NULL;
	struct client *c = best->best;
	if (best->used_us > ring->floor_us)
		ring->floor_us = best->used_us;
	if (c->used_us > best->floor_us)
		best->floor_us = c->used_us;
	c->running = true;
	best->running++;
	return queue_take(t, c, 0);
}

struct worker_task *pool_take(struct worker_pool *t, bool is_short_one, bool away)
{
	if (is_short_one)
		return ring_take(t, true, true, away);
	const bool urgent = !t->urgent_last;
	struct worker_task *task = ring_take(t, urgent, false, away);
	t->urgent_last = task ? urgent : !urgent;
	return task ? task : ring_take(t, !urgent, false, away);
}

/* ---- Workers ---- */

void task_begin(struct worker_pool *t, struct worker_task *task)
{
	task->began_us = clock_us();
	task->until_us = task->began_us + task->job.limit_ms * 1000;
	if (!task->before_us)
		histogram_add(&task->kind->wait_seconds, histogram_seconds,
			      (double)(task->began_us - task->queued_us) / 1e6);
	task->kind->running++;
	task->charged_us = now_us(t);
	task->ran_us = 0;
	task->next = t->busy;
	t->busy = task;
	t->running++;
}

/* The client can have its next one. */
static void client_ends(struct worker_pool *t, struct worker_task *task)
{
	t->running--;
	task->kind->running--;
	charge(t, task);
	task->client->running = false;
	task->client->group->running--;
	task->client->turn = ++t->rings[task->client->urgent].turns;
	condition_broadcast(&t->work);
}

void task_end(struct worker_pool *t, struct worker_task *task)
{
	histogram_add(&task->kind->run_seconds, histogram_seconds,
		      (double)(task->before_us + clock_us() - task->began_us) / 1e6);
	client_ends(t, task);
	task->done = true;
	client_leave(t, task->client);
	task->client = NULL;
}

void queue_return(struct worker_pool *t, struct worker_task *task)
{
	struct client *c = task->client;
	struct worker_task **at = &t->busy;
	while (*at != task)
		at = &(*at)->next;
	*at = task->next;
	client_ends(t, task);
	task->next = c->first;
	c->first = task;
	if (!c->last)
		c->last = task;
	task->queued_us = clock_us();
	task->kind->waiting++;
	count_waiting(t, c, 1);
	condition_signal(&t->watch);
}

/* Called with the lock held; releases it while the job runs. */
static void run_task(struct worker_pool *t, struct worker_task *task)
{
	task_begin(t, task);
	condition_signal(&t->watch);
	mutex_unlock(&t->lock);
	if (!t->setup.pass_on ||
	    !t->setup.pass_on(t->setup.processes, task, task->number, &task->job))
		task->job.run(task, task->job.arg);
	mutex_lock(&t->lock);
	if (task->pauses && !task->cancelled && !task->result) {
		pause_task(t, task);
		return;
	}
	task_end(t, task);
	mutex_unlock(&t->lock);
	t->setup.wake(t->setup.ctx);
	mutex_lock(&t->lock);
}

/* Short jobs first; the last worker takes nothing else. */
static void worker_main(void *ctx)
{
	const struct worker *w = ctx;
	struct worker_pool *t = w->pool;
	setpriority(PRIO_PROCESS, 0, NICE); /* on Linux this affects the calling thread only */
	mutex_lock(&t->lock);
	while (!t->closing) {
		struct worker_task *task = pool_take(t, true, false);
		if (!task && !w->short_only)
			task = pool_take(t, false, false);
		if (task) {
			t->taken += !w->short_only;
			run_task(t, task);
			t->taken -= !w->short_only;
		} else {
			condition_wait(&t->work, &t->lock);
		}
	}
	mutex_unlock(&t->lock);
}

bool worker_pool_step(struct worker_pool *t)
{
	mutex_lock(&t->lock);
	struct worker_task *task = pool_take(t, true, false);
	if (!task)
		task = pool_take(t, false, false);
	if (task)
		run_task(t, task);
	mutex_unlock(&t->lock);
	return task != NULL;
}

/*
 * Sets the flags that are due. Sleeps until the next one is due, or until a task enters the queue,
 * begins or sets an alarm.
 */
static void watchdog_main(void *ctx)
{
	struct worker_pool *t = ctx;
	mutex_lock(&t->lock);
	while (!t->closing) {
		const int64_t now = clock_us();
		const int64_t room = make_room(t);
		int64_t next = room ? now + room : 0;
		for (struct worker_task *task = t->busy; task; task = task->next) {
			if (task->done || task->away || flag_is_set(&task->stop))
				continue;
			if (task->until_us <= now) {
				task_stop(task);
				continue;
			}
			next = sooner(next, task->until_us);
			if (task->alarm_us && task->alarm_us <= now) {
				task->alarm_us = 0;
				flag_set(&task->alarm, true);
			} else if (task->alarm_us) {
				next = sooner(next, task->alarm_us);
			}
		}
		if (next)
			condition_wait_until(&t->watch, &t->lock, next);
		else
			condition_wait(&t->watch, &t->lock);
	}
	mutex_unlock(&t->lock);
}

/* ---- Starting and stopping ---- */

/* If a thread cannot start, worker_pool_free joins the others. */
struct worker_pool *worker_pool_new(const struct worker_pool_setup *setup)
{
	const size_t workers = (size_t)setup->workers + 1; /* the last one for short jobs */
	struct worker_pool *t = calloc(1, sizeof *t + workers * sizeof *t->workers);
	if (!t)
		return NULL;
	t->setup = *setup;
	mutex_init(&t->lock);
	condition_init(&t->work);
	condition_init(&t->watch);
	if (setup->manual)
		return t;
	bool ok = thread_start(&t->watchdog, watchdog_main, t);
	while (ok && t->worker_count <= setup->workers) {
		struct worker *w = &t->workers[t->worker_count];
		w->pool = t;
		w->short_only = t->worker_count++ == setup->workers;
		ok = thread_start(&w->thread, worker_main, w);
	}
	if (ok)
		return t;
	worker_pool_free(t);
	return NULL;
}

/* Running jobs are stopped and joined; waiting ones are released without having run. */
void worker_pool_free(struct worker_pool *t)
{
	if (!t)
		return;
	mutex_lock(&t->lock);
	t->closing = true;
	for (struct worker_task *task = t->busy; task; task = task->next)
		task_stop(task);
	condition_broadcast(&t->work);
	condition_broadcast(&t->watch);
	mutex_unlock(&t->lock);
	for (int i = 0; i < t->worker_count; i++)
		thread_join(&t->workers[i].thread);
	thread_join(&t->watchdog);
	for (int i = 0; i < 2; i++) {
		for (struct client *c = t->rings[i].first; c; c = c->next)
			while (c->first)
				task_free(queue_take(t, c, 0));
		while (t->rings[i].first)
			client_free(&t->rings[i], t->rings[i].first);
	}
	while (t->busy) {
		struct worker_task *task = t->busy;
		t->busy = task->next;
		task_free(task);
	}
	condition_release(&t->work);
	condition_release(&t->watch);
	mutex_release(&t->lock);
	free(t);
}

/* ---- For the caller ---- */

/* The limits are checked before the task enters the queue, so nothing is undone. */
enum submit_result worker_pool_submit(struct worker_pool *t, const struct worker_job *job,
				      uint64_t *number)
{
	const int group_most = !job->group	   ? t->setup.most
			       : t->setup.group_most ? t->setup.group_most
						     : t->setup.most / GROUP_PART;
	enum submit_result result = SUBMIT_POOL_FULL;
	struct worker_task *task = calloc(1, sizeof *task);
	if (!task)
		return result;
	mutex_lock(&t->lock);
	struct client *c = t->waiting < t->setup.most ? client_get(t, job) : NULL;
	if (c && c->waiting < job->most && c->group->waiting < group_most) {
		*task = (struct worker_task){ .pool = t,
					      .job = *job,
					      .client = c,
					      .kind = kind_of(t, job->client),
					      .queued_us = clock_us() };
		task->kind->waiting++;
		*number = task->number = ++t->last_number;
		if (c->last)
			c->last->next = task;
		else
			c->first = task;
		c->last = task;
		client_enter(t, c);
		count_waiting(t, c, 1);
		condition_broadcast(&t->work);
		condition_signal(&t->watch);
		result = SUBMIT_OK;
	} else if (c) {
		client_leave(t, c);
		result = SUBMIT_CLIENT_FULL;
	}
	const bool sends = result == SUBMIT_OK && t->setup.may_leave && t->setup.may_leave(job);
	mutex_unlock(&t->lock);
	if (result != SUBMIT_OK)
		free(task);
	if (sends)
		t->setup.wake(t->setup.ctx); /* for worker_pool_send */
	return result;
}

/* A waiting task is released at once, a running one when it has returned. */
void worker_pool_cancel(struct worker_pool *t, uint64_t number)
{
	struct worker_task *waiting = NULL;
	bool away = false;
	mutex_lock(&t->lock);
	for (int i = 0; number && i < 2 && !waiting; i++)
		for (struct client *c = t->rings[i].first, *next; c && !waiting; c = next) {
			next = c->next;
			waiting = queue_take(t, c, number);
			if (waiting)
				client_leave(t, c);
		}
	for (struct worker_task *task = t->busy; task && !waiting; task = task->next)
		if (task->number == number) {
			task->cancelled = true;
			task_stop(task);
			away = task->away && !task->done;
			if (away)
				task_end(t, task);
		}
	mutex_unlock(&t->lock);
	if (waiting)
		task_free(waiting);
	if (away)
		t->setup.wake(t->setup.ctx);
}

/* A waiting task keeps its place in the queue. */
void worker_pool_hurry(struct worker_pool *t, uint64_t number)
{
	mutex_lock(&t->lock);
	for (int i = 0; i < 2; i++)
		for (struct client *c = t->rings[i].first; c; c = c->next)
			for (struct worker_task *task = c->first; task; task = task->next)
				if (task->number == number)
					task_stop(task);
	bool away = false;
	for (struct worker_task *task = t->busy; task; task = task->next)
		if (task->number == number) {
			task_stop(task);
			away |= task->away;
		}
	mutex_unlock(&t->lock);
	if (away)
		t->setup.wake(t->setup.ctx);
}

/*
 * The first task with something to deliver, unlinked if it is done. *text: its progress, or NULL.
 * *next: in how many us progress of another one is due.
 */
static struct worker_task *take_due(struct worker_pool *t, char **text, int64_t *next)
{
	const int64_t now = clock_us();
	for (struct worker_task **at = &t->busy; *at; at = &(*at)->next) {
		struct worker_task *task = *at;
		if (task->done) {
			*at = task->next;
			*text = NULL;
			return task;
		}
		const int64_t due = task->delivered_us + WORKER_PROGRESS_MS * 1000;
		if (!task->progress)
			continue;
		if (task->cancelled || (task->delivered_us && due > now)) {
			if (!task->cancelled && (*next < 0 || due - now < *next))
				*next = due - now;
			continue;
		}
		task->delivered_us = now;
		*text = task->progress;
		task->progress = NULL;
		return task;
	}
	return NULL;
}

/* Callbacks run without the lock, so they may submit and cancel. */
int64_t worker_pool_deliver(struct worker_pool *t)
{
	for (;;) {
		char *text = NULL;
		int64_t next_us = -1;
		mutex_lock(&t->lock);
		struct worker_task *task = take_due(t, &text, &next_us);
		const bool last = task && task->done;
		/* A running task may end meanwhile, but only this function frees it. */
		const bool wanted = task && !task->cancelled;
		mutex_unlock(&t->lock);
		if (!task)
			return next_us < 0 ? -1 : next_us / 1000 + 1;
		if (wanted)
			task->job.deliver(task->job.ctx, task->number, last ? task->result : text,
					  last);
		free(text);
		if (last)
			task_free(task);
	}
}

void worker_pool_count(struct worker_pool *t, int *waiting, int *running)
{
	mutex_lock(&t->lock);
	*waiting = t->waiting;
	*running = t->running;
	mutex_unlock(&t->lock);
}

/* ---- For jobs ---- */

const struct qv_flag *worker_task_stop(const struct worker_task *task)
{
	return &task->stop;
}

/* Time spent waiting in the queue does not count. */
int64_t worker_task_left_ms(const struct worker_task *task)
{
	const int64_t left = (task->until_us - clock_us()) / 1000;
	return left > 0 ? left : 1;
}

/* If the task was stopped already, the flag is set from the start. */
const struct qv_flag *worker_task_alarm(struct worker_task *task, int64_t ms)
{
	struct worker_pool *t = task->pool;
	mutex_lock(&t->lock);
	flag_set(&task->alarm, flag_is_set(&task->stop));
	task->alarm_us = clock_us() + ms * 1000;
	condition_signal(&t->watch);
	mutex_unlock(&t->lock);
	return &task->alarm;
}

bool worker_task_watch(void *task, uint64_t nodes)
{
	(void)task, (void)nodes;
	return true;
}

/* Replaces progress that was not delivered yet: only the newest counts. */
void worker_task_progress(struct worker_task *task, char *text)
{
	struct worker_pool *t = task->pool;
	if (!text)
		return;
	mutex_lock(&t->lock);
	const bool first = !task->progress && !task->cancelled;
	free(task->progress);
	task->progress = text;
	mutex_unlock(&t->lock);
	if (first)
		t->setup.wake(t->setup.ctx);
}

bool worker_task_pause(struct worker_task *task)
{
	task->pauses = flag_is_set(&task->pause);
	return task->pauses;
}

/* Read after `done` is set under the lock, so it needs none. */
void worker_task_result(struct worker_task *task, char *text)
{
	free(task->result);
	task->result = text;
}
