/*
 * budget.c - what a search may use (nodes, evaluations, time), the caller's stop flag, and how long
 * to search for a move under a time control.
 * SPDX-License-Identifier: MIT
 *
 * The interval between two looks at the clock adapts to the speed of the search: about 50 us, which
 * keeps a limit of 1 ms and costs nothing measurable.
 */
#include "search/budget.h"

#include "base/clock.h"
#include "base/flag.h"
#include "search/player_kind.h"

/* The first and the longest interval in nodes, and the time to aim at. */
enum { POLL_FIRST = 64, POLL_MOST = 1 << 14, POLL_US = 50 };

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Sets the node count of the next poll. */
static void schedule(struct budget *p, uint64_t nodes, uint64_t evals)
{
	p->check_at = smaller(nodes + p->interval, p->node_limit);
	if (p->eval_limit != UINT64_MAX)
		p->check_at = smaller(p->check_at,
				      nodes + (p->eval_limit - evals) / (uint64_t)p->evals_a_node);
}

/* The clock starts when the search notices the end of pondering. */
static void end_ponder(struct budget *p, int64_t now)
{
	p->ponder = NULL;
	if (p->time_us)
		p->deadline_us = now + p->time_us;
	p->stopped = p->enough;
}

static bool ponders(const struct budget *p)
{
	return flag_is_set(p->ponder);
}

bool budget_poll(struct budget *p, uint64_t nodes, uint64_t evals)
{
	if (p->stopped)
		return true;
	if (nodes >= p->node_limit || evals >= p->eval_limit)
		return p->stopped = true;
	if (flag_is_set(p->stop))
		return p->stopped = p->was_stopped = true;
	if (p->watch && !p->watch(p->watch_ctx, nodes))
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

bool budget_yields(const struct settings *own, const struct qv_limits *limits)
{
	return own->default_limit &&
	       (limits->time_ms > 0 || limits->aim_ms > 0 || limits->nodes ||
		(!own->kind->ignores_depth && (limits->depth > 0 || limits->evals)));
}

void budget_start(struct budget *p, const struct settings *own, const struct qv_limits *limits,
		  int evals_a_node)
{
	const bool yields = budget_yields(own, limits);
	const uint64_t time_ms = at_most(yields ? 0 : own->time_ms,
					 limits->time_ms > 0 ? (uint64_t)limits->time_ms : 0);
	const uint64_t nodes = at_most(yields ? 0 : own->nodes, limits->nodes);
	const uint64_t evals = evals_a_node ? at_most(own->evals, limits->evals) : 0;
	const int64_t now = clock_us();
	const bool timed = time_ms && time_ms < INT64_MAX / 2000;
	*p = (struct budget){
		.node_limit = nodes ? nodes : UINT64_MAX,
		.eval_limit = evals ? evals : UINT64_MAX,
		.evals_a_node = evals_a_node,
		.stop = limits->stop,
		.ponder = limits->ponder,
		.watch = limits->watch,
		.watch_ctx = limits->watch_ctx,
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

bool budget_enough(struct budget *p, const struct qv_answer *so_far)
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

void budget_aim(struct budget *p)
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

void budget_divide(struct budget *p, int id, int workers)
{
	if (id)
		p->watch = NULL; /* it runs in the caller's thread */
	p->node_limit = share(p->node_limit, id, (uint64_t)workers);
	p->eval_limit = share(p->eval_limit, id, (uint64_t)workers);
	schedule(p, 0, 0);
}

double budget_seconds(const struct budget *p)
{
	return (double)(clock_us() - p->started_us) / 1e6;
}

int budget_depth(const struct settings *own, const struct qv_limits *limits, int most)
{
	const uint64_t depth = at_most(budget_yields(own, limits) ? 0 : own->depth,
				       limits->depth > 0 ? (uint64_t)limits->depth : 0);
	return depth && depth < (uint64_t)most ? (int)depth : most;
}

/* ---- Time allocation ---- */

/*
 * The time left, plus the increments to come, is divided by the moves to go (30 if the time control
 * does not say). Three quarters of that share is the aim; the hard limit is four shares, but never
 * more than 40 to 95 % of the clock. Pure arithmetic: no clock is read here.
 */
enum {
	MOVES_LEFT = 30,  /* estimate of the moves to the end of a game */
	MOVES_MOST = 40,  /* plan at most this many moves ahead */
	AIM_PERCENT = 75, /* of a share, since a started iteration is usually finished */
	SHARES_MOST = 4,  /* most shares for one move */
};

static int64_t clamped(int64_t value, int64_t low, int64_t high)
{
	return value < low ? low : value > high ? high : value;
}

void allocate_time(const struct move_clock *c, struct qv_limits *limits)
{
	const int64_t week = INT64_C(7) * 24 * 3600 * 1000;
	const int64_t added = clamped(c->added_ms, 0, week), lag = clamped(c->lag_ms, 0, week);
	const int64_t left = clamped(c->left_ms, 0, week) - lag;
	const int64_t moves = c->moves > 0 ? clamped(c->moves, 1, MOVES_MOST) : MOVES_LEFT;
	const int64_t usable = left > 1 ? left : 1;
	const int64_t all = usable + (moves - 1) * (added - lag);
	const int64_t share = all / moves > 1 ? all / moves : 1;
	/* The percentage of the time left that one move may take; a large increment refills it. */
	const int percent = c->moves == 1 ? 95 : c->moves || c->added_ms >= usable / 4 ? 70 : 40;
	const int64_t most = clamped(usable / 100 * percent + usable % 100 * percent / 100, 1,
				     share * SHARES_MOST);
	const int64_t aim = clamped(share * AIM_PERCENT / 100, 1, most);
	if (limits->time_ms <= 0 || limits->time_ms > most)
		limits->time_ms = most;
	if (limits->aim_ms <= 0 || limits->aim_ms > aim)
		limits->aim_ms = aim;
}
