/*
 * pace.c - the limits of a search: nodes, evaluations, time, and the caller's stop flag.
 * SPDX-License-Identifier: MIT
 *
 * The interval between two looks at the clock adapts to the speed of the search: about 50 us, which
 * keeps a limit of 1 ms and costs nothing measurable.
 */
#include "search/pace.h"

#include "base/clock.h"

/* The first and the longest interval in nodes, and the time to aim at. */
enum { POLL_FIRST = 64, POLL_MOST = 1 << 14, POLL_US = 50 };

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Sets the node count of the next poll. */
static void schedule(struct pace *p, uint64_t nodes, uint64_t evals)
{
	p->check_at = smaller(nodes + p->interval, p->node_limit);
	if (p->eval_limit != UINT64_MAX)
		p->check_at = smaller(p->check_at,
				      nodes + (p->eval_limit - evals) / (uint64_t)p->evals_a_node);
}

/* The clock starts when the search notices the end of pondering. */
static void end_ponder(struct pace *p, int64_t now)
{
	p->ponder = NULL;
	if (p->time_us)
		p->deadline_us = now + p->time_us;
	p->stopped = p->enough;
}

static bool ponders(const struct pace *p)
{
	return p->ponder && atomic_load_explicit(p->ponder, memory_order_relaxed);
}

bool pace_poll(struct pace *p, uint64_t nodes, uint64_t evals)
{
	if (p->stopped)
		return true;
	if (nodes >= p->node_limit || evals >= p->eval_limit)
		return p->stopped = true;
	if (p->stop && atomic_load_explicit(p->stop, memory_order_relaxed))
		return p->stopped = p->was_stopped = true;
	const int64_t now = clock_us();
	if (p->ponder && !ponders(p))
		end_ponder(p, now);
	if (p->stopped || now >= p->deadline_us)
		return p->stopped = true;
	/* Adapt the interval to the speed of the search, unless other limits made this one short. */
	if (nodes - p->polled_nodes >= p->interval) {
		if (now - p->polled_at < POLL_US && p->interval < POLL_MOST)
			p->interval *= 2;
		else if (now - p->polled_at > 2 * POLL_US && p->interval > 1)
			p->interval /= 2;
		p->polled_at = now;
		p->polled_nodes = nodes;
	}
	schedule(p, nodes, evals);
	return false;
}

/* The smaller of two limits; 0 or less means no limit. */
static uint64_t at_most(int64_t own, uint64_t theirs)
{
	const uint64_t mine = own > 0 ? (uint64_t)own : 0;
	return mine && theirs ? smaller(mine, theirs) : mine + theirs;
}

void pace_start(struct pace *p, const struct settings *own, const struct qv_limits *limits,
		int evals_a_node)
{
	const uint64_t time_ms =
		at_most(own->time_ms, limits->time_ms > 0 ? (uint64_t)limits->time_ms : 0);
	const uint64_t nodes = at_most(own->nodes, limits->nodes);
	const uint64_t evals = evals_a_node ? at_most(own->evals, limits->evals) : 0;
	const int64_t now = clock_us();
	const bool timed = time_ms && time_ms < INT64_MAX / 2000;
	*p = (struct pace){
		.node_limit = nodes ? nodes : UINT64_MAX,
		.eval_limit = evals ? evals : UINT64_MAX,
		.evals_a_node = evals_a_node,
		.stop = limits->stop,
		.ponder = limits->ponder,
		.started_us = now,
		.deadline_us = timed && !limits->ponder ? now + (int64_t)time_ms * 1000 : INT64_MAX,
		.time_us = timed ? (int64_t)time_ms * 1000 : 0,
		.aim_us = limits->aim_ms > 0 && limits->aim_ms < INT64_MAX / 2000
				  ? limits->aim_ms * 1000
				  : 0,
		.best = QV_NO_MOVE,
		.interval = POLL_FIRST,
		.polled_at = now,
	};
	schedule(p, 0, 0);
}

/* ---- The soft time limit ---- */

bool pace_enough(struct pace *p, const struct qv_answer *so_far)
{
	if (!p->aim_us)
		return false;
	/* The percentage of the soft limit, by the number of iterations that agree on the move. */
	static const int by_steady[] = { 170, 130, 110, 95, 80, 70 };
	enum { MOST = sizeof by_steady / sizeof *by_steady - 1, MUCH_LESS = 30 };
	p->steady = p->best == so_far->move ? p->steady + 1 : 0;
	int percent = by_steady[p->steady < MOST ? p->steady : MOST];
	/* Half as much again if the score has dropped by far. */
	const int64_t size = p->score < 0 ? -(int64_t)p->score : p->score;
	if ((int64_t)p->score - so_far->score > MUCH_LESS + size / 8)
		percent = percent * 3 / 2;
	p->best = so_far->move;
	p->score = so_far->score;
	const int64_t now = clock_us();
	p->enough = now - p->started_us >= p->aim_us / 100 * percent;
	if (p->ponder && !ponders(p))
		end_ponder(p, now);
	return p->enough && !p->ponder;
}

void pace_aim(struct pace *p)
{
	if (!p->aim_us || (p->time_us && p->time_us <= p->aim_us))
		return;
	p->time_us = p->aim_us;
	if (!p->ponder)
		p->deadline_us = p->started_us + p->aim_us;
}

static uint64_t share(uint64_t limit, int id, uint64_t workers)
{
	if (limit == UINT64_MAX)
		return limit;
	return id ? limit / workers : limit - limit / workers * (workers - 1);
}

void pace_share(struct pace *p, int id, int workers)
{
	p->node_limit = share(p->node_limit, id, (uint64_t)workers);
	p->eval_limit = share(p->eval_limit, id, (uint64_t)workers);
	schedule(p, 0, 0);
}

double pace_seconds(const struct pace *p)
{
	return (double)(clock_us() - p->started_us) / 1e6;
}

int pace_depth(const struct settings *own, const struct qv_limits *limits, int most)
{
	const uint64_t depth = at_most(own->depth, limits->depth > 0 ? (uint64_t)limits->depth : 0);
	return depth && depth < (uint64_t)most ? (int)depth : most;
}
