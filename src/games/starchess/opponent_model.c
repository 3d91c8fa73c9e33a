/*
 * opponent_model.c - Star Chess: learns how the other factions plan.
 * SPDX-License-Identifier: MIT
 *
 * A player sees the galaxy at its own turns only. Starting from what it left behind, each model
 * predicts the turn of the next faction. What that faction owns after the prediction is compared
 * with what it owns now. Each faction has a merit for every model, which decays from turn to turn.
 * The model whose predicted turn is nearest to the real one gains.
 */
#include "games/starchess/admiral.h"

/* The merit of the nearest model, and what remains of a merit after each turn, in eighths. */
enum { NEAREST = 64, KEPT = 7, IN = 8 };

int watch_model(const struct watch *w, int faction)
{
	int best = WATCH_FIRST;
	int32_t most = 0;
	for (int m = 0; m < WATCH_MODELS; m++) {
		/* Other factions' merits count too: opponents are often of the same kind. */
		int32_t merit = 2 * w->merit[faction][m];
		for (int f = 1; f < SC_FACTIONS; f++)
			merit += w->merit[f][m];
		if (merit > most || (merit == most && m == WATCH_FIRST)) {
			most = merit;
			best = m;
		}
	}
	return best;
}

void watch_begin(struct watch *w, const struct sc_galaxy *left, const struct reply *expected)
{
	w->waits = true;
	w->left = *left;
	memset(w->expected, 0, sizeof w->expected);
	if (expected)
		memcpy(w->expected, expected, sizeof w->expected);
}

/*
 * The number of differences between what the faction owns after the predicted turn and what it owns
 * now.
 */
static int distance(const struct sc_galaxy *after, const struct sc_galaxy *now)
{
	const unsigned fleets = after->fleets[0] | now->fleets[0];
	int ways = (after->materials[0] != now->materials[0]) +
		   (after->credits[0] != now->credits[0]) +
		   bits_count((unsigned)(after->colonies[0] ^ now->colonies[0]));
	SC_EACH(i, fleets) {
		const int there = after->fleets[0] >> i & 1 ? after->ships[i] : 0;
		ways += there != (now->fleets[0] >> i & 1 ? now->ships[i] : 0);
	}
	return ways;
}

/*
 * Learns from the turn of one faction, between the galaxies `at` and `now`; *after: its most likely
 * turn, in its view. as_expected: so far everybody moved as expected, so the expected reply still
 * stands. False: stopped.
 */
static bool learn_of(struct watch *w, struct predictor *p, int faction, const struct sc_galaxy *at,
		     const struct sc_galaxy *now, bool as_expected, struct sc_galaxy *after)
{
	const struct reply *expected = &w->expected[faction];
	struct reply replies[WATCH_MODELS];
	int distances[WATCH_MODELS]; /* -1: unknown */
	int best = -1, most = -1;
	for (int m = 0; m < WATCH_MODELS; m++) {
		distances[m] = -1;
		replies[m] = (struct reply){ .model = m };
	}
	if (as_expected && expected->model) {
		replies[expected->model] = *expected;
		distances[expected->model] = distance(&expected->after, now);
		if (distances[expected->model] == 0) {
			*after = expected->after;
			return true;
		}
	}
	/* The turns that the models would make; deeper models only while there are nodes. */
	for (int m = 0; m < WATCH_MODELS; m++) {
		struct reply *r = &replies[m];
		if (distances[m] >= 0)
			continue;
		if (!predict_reply(p, at, r, after))
			return false;
		r->after = *after;
		if (r->model == m)
			distances[m] = distance(after, now);
	}
	for (int m = 0; m < WATCH_MODELS; m++) {
		most = distances[m] > most ? distances[m] : most;
		if (distances[m] >= 0 && (best < 0 || distances[m] < distances[best]))
			best = m;
	}
	if (best < 0)
		return false;
	/* If the models agree, there is nothing to learn. */
	for (int m = 0; m < WATCH_MODELS && distances[best] != most; m++) {
		int32_t *merit = &w->merit[faction][m];
		if (distances[m] >= 0)
			*merit = *merit * KEPT / IN +
				 (distances[m] == distances[best] ? NEAREST : 0);
	}
	*after = replies[best].after;
	return true;
}

void watch_learn(struct watch *w, struct predictor *p, const struct sc_galaxy *now, uint64_t nodes)
{
	struct sc_galaxy at, seen;
	const uint64_t outer = p->give_up_at;
	bool as_expected = true;
	if (!w->waits)
		return;
	w->waits = false;
	p->give_up_at = p->generated + nodes;
	relative_next(p->maps, &at, &w->left);
	relative_next(p->maps, &seen, now);
	for (int f = 1; f < SC_FACTIONS; f++) {
		struct sc_galaxy after = at, next;
		if (!(at.defeated & 1)) {
			if (!learn_of(w, p, f, &at, &seen, as_expected, &after))
				break;
			as_expected = as_expected && w->expected[f].model &&
				      memcmp(&after, &w->expected[f].after, sizeof after) == 0;
		}
		relative_next(p->maps, &next, &after);
		at = next;
		relative_next(p->maps, &next, &seen);
		seen = next;
	}
	p->give_up_at = outer;
}
