/*
 * worker_pool_inside.h - the inside of the worker pool: worker_pool.c has queues and threads,
 * worker_pool_away.c the jobs that other processes run, worker_pool_yield.c those that make room.
 * SPDX-License-Identifier: MIT
 *
 * All functions are called with the lock held.
 */
#ifndef SERVER_JOBS_WORKER_POOL_INSIDE_H
#define SERVER_JOBS_WORKER_POOL_INSIDE_H

#include "base/flag.h"
#include "base/threads.h"
#include "server/jobs/worker_pool.h"

struct worker_task {
	struct worker_pool *pool;
	struct worker_job job;
	uint64_t number;
	struct qv_flag stop, alarm;
	int64_t alarm_us; /* 0: not set */
	struct qv_flag pause; /* it is asked to */
	bool pauses;	      /* it does, when it returns */
	bool paused;	      /* it waits to continue */
	bool cancelled, done;
	bool away;	 /* another process runs it, or will */
	bool began_away; /* that process has said that it runs */
	bool here; /* no other process could: only threads of this one take it */
	struct worker_kind *kind;
	int64_t queued_us, began_us;
	int64_t until_us;	 /* its limit, once it runs */
	int64_t charged_us;	 /* up to when its client has been charged for it */
	int64_t ran_us;		 /* what it has been charged, since it began */
	int64_t before_us;	 /* how long it ran before its last pause; 0: it has not paused */
	char *progress, *result; /* not yet delivered */
	int64_t delivered_us;	 /* when progress was last delivered; 0: never */
	struct client *client;
	struct worker_task *next; /* in its queue, or in the list of those that run or are done */
};

struct group {
	char name[WORKER_CLIENT];
	int clients, active, waiting; /* active: clients with a job */
	int running;
	int64_t used_us, floor_us; /* floor: of its clients */
	struct client *best;	      /* for ring_take */
	struct group *next;
};

struct client {
	char name[WORKER_CLIENT];
	bool urgent, running, active; /* active: it has a job */
	int waiting;
	int64_t used_us;
	uint64_t turn; /* when it began to wait: of equals, the first is served first */
	struct group *group;
	struct worker_task *first, *last;
	struct client *next; /* in its ring */
};

struct ring {
	struct client *first, *last; /* those that became idle last are at the end */
	struct group *groups;
	int64_t floor_us; /* of its groups */
	int idle;	  /* clients without a job */
	uint64_t turns;
};

struct worker {
	struct worker_pool *pool;
	bool short_only;
	struct thread thread;
};

struct worker_pool {
	struct worker_pool_setup setup;
	struct mutex lock;
	struct condition work, watch;
	bool closing;
	bool sends; /* threads of this process leave jobs that may leave to others */
	struct ring rings[2];	  /* [urgent] */
	struct worker_task *busy; /* running, or done and not yet delivered */
	uint64_t last_number;
	int waiting, running;
	int paused; /* tasks that wait to continue */
	int taken; /* threads, without the one for short jobs, that run a job */
	bool urgent_last; /* the last long job was an urgent one */
	struct worker_pool_figures figures;
	struct thread watchdog;
	int worker_count;
	struct worker workers[];
};

/* Charges the task's client for the time since it was last charged. */
void charge(struct worker_pool *t, struct worker_task *task);
/* See WORKER_SHORT_MS. */
bool is_short(const struct worker_job *job);
/*
 * May the client's next task be taken, if it is a short or a long one, by a thread here or (away) by
 * another process?
 */
bool may_take(const struct worker_pool *t, const struct client *c, bool is_short, bool away);
/*
 * Takes a short or a long task of the client that has used the least, of such a group; away: one
 * that may leave. NULL: nothing to do.
 */
struct worker_task *pool_take(struct worker_pool *t, bool is_short, bool away);
/* Puts a task back that has begun: it is the next one of its client. */
void queue_return(struct worker_pool *t, struct worker_task *task);

/* It runs from now on; or has ended, and is to be delivered. */
void task_begin(struct worker_pool *t, struct worker_task *task);
void task_end(struct worker_pool *t, struct worker_task *task);
/* Safe from any thread; the job sees it at its next check. */
void task_stop(struct worker_task *task);

/*
 * Asks a job to yield if it has run long and others wait. Returns in how many us to look again; 0: no
 * need.
 */
int64_t make_room(struct worker_pool *t);
/* The task has returned in order to continue later. */
void pause_task(struct worker_pool *t, struct worker_task *task);

/* 0 means never. */
static inline int64_t sooner(int64_t a, int64_t b)
{
	return !a || (b && b < a) ? b : a;
}

#endif
