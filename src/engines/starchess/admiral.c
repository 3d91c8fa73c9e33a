/*
 * admiral.c - plans of forced moves, extended by a beam that grows wider.
 * SPDX-License-Identifier: MIT
 */
#include "engines/starchess/admiral.h"

enum { FIRST_WIDTH = 2, WIDER = 4 };

/* ---- Judging ---- */

/* False: a position like this was judged before, or there is no room to remember it. */
static bool is_new(struct admiral *a, const struct sc_galaxy *after)
{
	const uint64_t hash = qv_hash_bytes(after, sizeof *after) | 1;
	size_t place = hash % ADMIRAL_SEEN;
	if (a->seen_count > ADMIRAL_SEEN / 2)
		return false;
	for (; a->seen[place]; place = (place + 1) % ADMIRAL_SEEN)
		if (a->seen[place] == hash)
			return false;
	a->seen[place] = hash;
	a->seen_count++;
	return true;
}

/* Puts a judged plan among the best of the round. */
static void enter_beam(struct admiral *a, const struct plan *plan)
{
	struct plan *beam = a->beam[1];
	int k = a->beam_count[1];
	if (k == a->width && beam[k - 1].value >= plan->value)
		return;
	if (k < a->width)
		a->beam_count[1]++;
	else
		k--;
	for (; k > 0 && beam[k - 1].value < plan->value; k--)
		beam[k] = beam[k - 1];
	beam[k] = *plan;
}

/* What a turn leads to. False: stopped. */
static bool judge(struct admiral *a, const struct sc_galaxy *after, struct plan *plan)
{
	struct predictor *p = &a->predictor;
	int32_t scores[SC_FACTIONS];
	struct sc_galaxy next;
	relative_next(p->maps, &next, after);
	if (!predict_level(p, &next, 1, 1, scores))
		return false;
	plan->value = scores[0];
	enter_beam(a, plan);
	if (!a->found || plan->value > a->best.value)
		a->best = *plan;
	a->found = true;
	return true;
}

static bool try_plan(struct admiral *a, struct plan *plan)
{
	struct sc_galaxy after = a->view;
	if (predict_must_stop(&a->predictor))
		return false;
	turn_make(&after, a->predictor.maps, &a->requests, plan->mask, &a->past, &plan->forced, NULL);
	a->predictor.generated++;
	return !is_new(a, &after) || judge(a, &after, plan);
}

/* ---- Forced moves ---- */

/* Active ships of a fleet that no forced move has taken. */
static int free_ships(const struct admiral *a, const struct plan *plan, unsigned from)
{
	int ships = a->view.ships[from] - a->past.inactive[from];
	for (int i = 0; i < plan->forced.count; i++)
		if (plan->forced.moves[i].from == from)
			ships -= plan->forced.moves[i].count;
	return ships;
}

/* Ships that could still come to a sector: more than 999 never stand together. */
static int room_in(const struct admiral *a, const struct plan *plan, unsigned to)
{
	int room = SC_MOST_SHIPS - (a->view.fleets[0] >> to & 1 ? a->view.ships[to] : 0);
	for (int i = 0; i < plan->forced.count; i++)
		if (plan->forced.moves[i].to == to && plan->forced.moves[i].from != to)
			room -= plan->forced.moves[i].count;
	return room;
}

/* One more forced move, of all free ships, half of them, or settlers. False: stopped. */
static bool extend_by(struct admiral *a, const struct plan *plan, unsigned from, unsigned to)
{
	const int all = free_ships(a, plan, from);
	const int counts[] = { all, all / 2, SC_SETTLERS };
	const int room = from == to ? SC_MOST_SHIPS : room_in(a, plan, to);
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

/* ---- Rounds ---- */

/* The masks alone. False: stopped. */
static bool first_plans(struct admiral *a)
{
	struct predictor *p = &a->predictor;
	const int turns = predict_turns(p, &a->view, &a->requests, &a->past, true, a->turns);
	for (int i = 0; i < turns; i++) {
		struct plan plan = { .mask = a->turns[i].mask };
		if (is_new(a, &a->turns[i].after) && !judge(a, &a->turns[i].after, &plan))
			return false;
	}
	return true;
}

/* Extends the plans of the last round, up to the most forced moves. False: stopped. */
static bool rounds(struct admiral *a)
{
	for (int length = 0; length < FORCED_MOVES; length++) {
		memcpy(a->beam[0], a->beam[1], sizeof a->beam[0]);
		a->beam_count[0] = a->beam_count[1];
		a->beam_count[1] = 0;
		for (int i = 0; i < a->beam_count[0]; i++)
			if (!extend(a, &a->beam[0][i]))
				return false;
	}
	return true;
}

/* Once more with a wider beam. What was judged is not judged again, so the round begins anew. */
static void begin_again(struct admiral *a)
{
	memset(a->seen, 0, sizeof a->seen);
	a->seen_count = 0;
	a->beam_count[1] = 0;
}

void admiral_decide(struct admiral *a, const struct starchess *s)
{
	relative_view(&a->view, &s->g, s->seat);
	turn_past_of(s, &a->past);
	requests_make(&a->requests, a->predictor.maps, &a->predictor.how.habits, &a->view);
	a->best = (struct plan){ .mask = a->requests.full };
	a->found = false;
	for (a->width = FIRST_WIDTH; a->width <= ADMIRAL_PLANS; a->width *= WIDER) {
		begin_again(a);
		if (!first_plans(a) || !rounds(a))
			return;
	}
}
