/*
 * admiral.c - the admiral of Star Chess: plans of forced moves, screened, examined, and extended by
 * a beam that widens.
 * SPDX-License-Identifier: MIT
 *
 * A round screens many plans cheaply, examines the most promising ones with real replies of the
 * others, and takes over those replies for the next round. Plans are independent, so threads share
 * them out.
 */
#include "games/starchess/admiral.h"

#include <stdatomic.h>

#include "base/threads.h"

enum { FIRST_WIDTH = 2, WIDER = 2 };

/* ---- Judging ---- */

/* Plans that the threads share out. */
struct plan_queue {
	struct predictor *workers;
	const struct reply *given; /* the replies to expect from the others */
	struct examined *examined; /* or `plans`, where the replies found do not matter */
	struct plan *plans;
	int count;
	atomic_int next;
};

/*
 * Finds the values of the turns of plans, with the replies that the worker has. A worker that is
 * stopped leaves the rest to the others.
 */
static void judge_plans(void *ctx, int worker)
{
	struct plan_queue *queue = ctx;
	struct predictor *p = &queue->workers[worker];
	int i;
	while ((i = atomic_fetch_add(&queue->next, 1)) < queue->count) {
		struct plan *plan = queue->examined ? &queue->examined[i].plan : &queue->plans[i];
		int32_t scores[SC_FACTIONS];
		struct sc_galaxy next;
		if (plan->known)
			continue;
		memcpy(p->replies, queue->given, sizeof p->replies);
		relative_next(p->maps, &next, &plan->after);
		if (!predict_level(p, &next, 1, 1, scores))
			return;
		plan->value = scores[0];
		plan->known = true;
		if (queue->examined)
			memcpy(queue->examined[i].replies, p->replies, sizeof p->replies);
	}
}

/* Finds the values of the plans in a queue, on all threads if there are several. */
static void judge_all(struct admiral *a, struct plan_queue *queue)
{
	const struct predictor *first = a->workers;
	const int workers = sc_least(a->worker_count, queue->count);
	for (int k = 1; k < workers; k++) {
		struct predictor *p = &a->workers[k];
		p->reply_nodes = first->reply_nodes;
		const uint64_t left = first->give_up_at - first->generated;
		p->give_up_at = first->give_up_at ? p->generated + left : 0;
	}
	queue->workers = a->workers;
	threads_run(workers, judge_plans, queue);
}

/* ---- Plans ---- */

/*
 * Adds a plan to the list, unless its resulting position is already there or the list is full. The
 * table of seen positions is four times as large as the list, so a free slot is near.
 */
static void add_plan(struct admiral *a, struct plan *plan)
{
	plan->hash = qv_hash_bytes(&plan->after, sizeof plan->after) | 1;
	plan->known = plan->extended = false;
	size_t place = plan->hash % ADMIRAL_SEEN;
	for (; a->seen[place]; place = (place + 1) % ADMIRAL_SEEN)
		if (a->seen[place] == plan->hash)
			return;
	if (a->count == ADMIRAL_PLANS)
		return;
	a->seen[place] = plan->hash;
	a->plans[a->count++] = *plan;
}

/* Makes the turn of a plan; false: stopped. */
static bool try_plan(struct admiral *a, struct plan *plan)
{
	struct predictor *p = a->workers;
	if (predict_must_stop(p))
		return false;
	plan->after = a->view;
	turn_make(&plan->after, &a->requests, plan->mask, &a->past, &plan->forced, NULL);
	p->generated++;
	add_plan(a, plan);
	return true;
}

/* Active ships of a fleet that no forced move has taken. */
static int free_ships(const struct admiral *a, const struct plan *plan, unsigned from)
{
	int ships = a->view.ships[from] - a->past.inactive[from];
	for (int i = 0; i < plan->forced.count; i++)
		if (plan->forced.moves[i].from == from)
			ships -= plan->forced.moves[i].count;
	return ships;
}

/* Tries one more forced move: of all free ships, half of them, or settlers. False: stopped. */
static bool extend_by(struct admiral *a, const struct plan *plan, unsigned from, unsigned to)
{
	const int all = free_ships(a, plan, from);
	const int counts[] = { all, all / 2, SC_SETTLERS };
	/* A fleet has at most 999 ships. */
	int room = from == to ? SC_MOST_SHIPS : sc_room(&a->view, 0, to);
	for (int i = 0; from != to && i < plan->forced.count; i++)
		if (plan->forced.moves[i].to == to && plan->forced.moves[i].from != to)
			room -= plan->forced.moves[i].count;
	for (int i = 0; i < 3; i++) {
		const int count = counts[i];
		if (count < 1 || count > all || count > room || (i && count == all) ||
		    (i == 2 && count == all / 2))
			continue;
		struct plan longer = *plan;
		longer.forced.moves[longer.forced.count++] =
			(struct forced_move){ (uint8_t)from, (uint8_t)to, (uint16_t)count };
		if (!try_plan(a, &longer))
			return false;
		longer.mask = a->requests.full;
		if (plan->mask != a->requests.full && !try_plan(a, &longer))
			return false;
	}
	return true;
}

/* Tries every forced move of each fleet after those of the plan. False: stopped. */
static bool extend(struct admiral *a, const struct plan *plan)
{
	if (plan->forced.count == FORCED_MOVES)
		return true;
	SC_EACH(from, a->view.fleets[0]) {
		if (free_ships(a, plan, from) < 1)
			continue;
		SC_EACH(to, relative_near[from] & (a->requests.reach | 1U << from))
			if (!extend_by(a, plan, from, to))
				return false;
	}
	return true;
}

/* ---- Screening ---- */

/* The plans of the masks alone. */
static void first_plans(struct admiral *a)
{
	const int turns =
		predict_turns(a->workers, &a->view, &a->requests, &a->past, true, a->turns);
	a->count = 0;
	memset(a->seen, 0, sizeof a->seen);
	for (int i = 0; i < turns; i++) {
		struct plan plan = { .mask = a->turns[i].mask, .after = a->turns[i].after };
		add_plan(a, &plan);
	}
}

/* Sets `beam` to the indices of the best plans of a length, best first; returns how many. */
static int choose_beam(const struct admiral *a, int length, int beam[ADMIRAL_BEAM])
{
	int n = 0;
	for (int i = 0; i < a->count; i++) {
		const struct plan *plan = &a->plans[i];
		int k = n;
		if (!plan->known || plan->forced.count != length ||
		    (n == a->width && a->plans[beam[n - 1]].value >= plan->value))
			continue;
		/* Insert it; if the beam is full, the last one drops out. */
		if (n < a->width)
			n++;
		else
			k--;
		for (; k > 0 && a->plans[beam[k - 1]].value < plan->value; k--)
			beam[k] = beam[k - 1];
		beam[k] = i;
	}
	return n;
}

/* Finds missing values of the plans from index `from` on. False: stopped, or enough for now. */
static bool screen_plans(struct admiral *a, int from)
{
	struct plan_queue queue = { .given = a->screen,
				    .plans = a->plans + from,
				    .count = a->count - from };
	bool before[ADMIRAL_PLANS];
	for (int i = from; a->report && i < a->count; i++)
		before[i] = a->plans[i].known;
	judge_all(a, &queue);
	for (int i = from; a->report && i < a->count; i++)
		if (a->plans[i].known && !before[i])
			a->report(a->report_ctx, &a->plans[i], true);
	return !predict_must_stop(a->workers);
}

/*
 * Continues the last screening if the expected replies are the same: values all plans, then extends
 * the best ones of each length that are not extended yet. False: stopped, or enough for now.
 */
static bool screen(struct admiral *a)
{
	int beam[ADMIRAL_BEAM];
	if (!a->goes_on)
		first_plans(a);
	if (!screen_plans(a, 0))
		return false;
	for (int length = 0; length < FORCED_MOVES; length++) {
		const int n = choose_beam(a, length, beam), from = a->count;
		for (int i = 0; i < n; i++) {
			struct plan *plan = &a->plans[beam[i]];
			if (!plan->extended && !extend(a, plan))
				return false;
			plan->extended = true;
		}
		if (!screen_plans(a, from))
			return false;
	}
	return true;
}

/* ---- Examining ---- */

/* Lets the others plan their replies to some plans, one for each thread; false: stopped. */
static bool examine(struct admiral *a, struct examined *some, int count)
{
	struct reply thinking[SC_FACTIONS] = { { 0 } };
	for (int f = 1; f < SC_FACTIONS; f++)
		thinking[f].model = a->models[f];
	struct plan_queue queue = { .given = thinking, .examined = some, .count = count };
	judge_all(a, &queue);
	for (int i = 0; i < count; i++) {
		if (!some[i].plan.known)
			return false;
		if (a->report)
			a->report(a->report_ctx, &some[i].plan, false);
		if (!a->found || some[i].plan.value > a->best.plan.value)
			a->best = some[i];
		a->found = true;
	}
	return true;
}

/*
 * Takes plans for examination, starting with the most promising, one for each thread. Returns how
 * many: none, if no other plan promises more than the best one has.
 */
static int take_promising(struct admiral *a, struct examined *some)
{
	int n = 0;
	while (n < a->worker_count && a->examined_count < ADMIRAL_EXAMINED) {
		const struct plan *most = NULL;
		for (int i = 0; i < a->count; i++) {
			const struct plan *plan = &a->plans[i];
			bool better = plan->known &&
				      plan->value > (most ? most->value : a->best.plan.value);
			for (int k = 0; better && k < a->examined_count; k++)
				better = a->examined[k] != plan->hash;
			most = better ? plan : most;
		}
		if (!most)
			break;
		a->examined[a->examined_count++] = most->hash;
		some[n] = (struct examined){ .plan = *most };
		some[n++].plan.known = false;
	}
	return n;
}

/* ---- All of it ---- */

/* The node count at which a fraction of the remaining budget is spent, at most a quarter of it. */
static uint64_t part_of_rest(const struct admiral *a, uint64_t parts)
{
	const uint64_t spent = a->workers->generated, quarter = a->budget / 4;
	const uint64_t rest = a->budget > spent + quarter ? a->budget - spent : quarter;
	return spent + rest / parts + 1;
}

void admiral_decide(struct admiral *a, const struct starchess *s)
{
	struct predictor *p = a->workers;
	struct examined some[ADMIRAL_WORKERS];
	relative_view(&a->view, &s->g, s->seat);
	turn_past_of(s, &a->past);
	requests_make(&a->requests, p->maps, &p->how.habits, &a->view);
	a->best = (struct examined){ .plan = { .mask = a->requests.full } };
	a->found = false;
	a->examined_count = 0;
	/* If every plan leads to the same position, there is no choice. */
	first_plans(a);
	const struct plan first = a->plans[0];
	if (a->count == 1 && extend(a, &first) && a->count == 1)
		return;
	if (a->watch) {
		p->reply_nodes = a->budget / 16;
		watch_learn(a->watch, p, &a->view, a->budget / 4);
		for (int f = 1; f < SC_FACTIONS; f++)
			a->models[f] = watch_model(a->watch, f);
	}
	/* The full mask is examined first; its replies start the first screening. */
	p->reply_nodes = a->budget / 4;
	a->examined[a->examined_count++] = first.hash;
	some[0] = (struct examined){ .plan = first };
	if (!examine(a, some, 1))
		return;
	a->goes_on = false;
	for (a->width = FIRST_WIDTH; a->width <= ADMIRAL_BEAM;) {
		/*
		 * If a model was too deep for the first plan, it is too deep for all. The others
		 * are expected to leave out what they left out after the best plan.
		 */
		for (int f = 1; f < SC_FACTIONS; f++) {
			const struct reply *reply = &a->best.replies[f];
			a->models[f] = reply->model;
			a->goes_on = a->goes_on && a->screen[f].left_out == reply->left_out;
			a->screen[f] = (struct reply){ .left_out = reply->left_out };
		}
		/* A quarter of the rest is for screening. */
		p->give_up_at = part_of_rest(a, 4);
		const bool whole = screen(a);
		p->give_up_at = 0;
		if (p->budget.stopped)
			return;
		const uint64_t until = part_of_rest(a, 1);
		for (int n = 0; p->generated < until && (n = take_promising(a, some));)
			if (!examine(a, some, n))
				return;
		a->width *= whole ? WIDER : 1;
		a->goes_on = true;
	}
}
