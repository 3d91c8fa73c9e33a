/*
 * turn.h - generates the turn that a faction makes for one mask of its requests: move, build,
 * colonize, terraform, build or scrap to support, end.
 * SPDX-License-Identifier: MIT
 *
 * A template: TURN(f) names the functions, and TURN_LOGS is 1 if they record the commands. The tree
 * search uses it without recording, at no cost.
 */
#include "games/starchess/requests.h"
#include "games/starchess/turn_log.h"

#ifndef GAMES_STARCHESS_TURN_H
#define GAMES_STARCHESS_TURN_H

/* What was already done this turn before the rest is generated; in the tree nothing. */
struct turn_past {
	uint16_t inactive[SC_SECTORS], worked[SC_SECTORS];
};

/* Moves of ships that come before all requests; if `from` and `to` are equal, the ships stay. */
enum { FORCED_MOVES = 5 };

struct forced_move {
	uint8_t from, to;
	uint16_t count;
};

struct forced {
	int count;
	struct forced_move moves[FORCED_MOVES];
};

struct turn {
	struct sc_galaxy *g;
	const struct relative_maps *maps;
	struct turn_log *log;
	uint16_t least[SC_SECTORS], most[SC_SECTORS];
	uint16_t assigned[SC_SECTORS];     /* ships that a request has */
	uint16_t inactive[SC_SECTORS];     /* ships that arrived or were built */
	uint16_t worked[SC_SECTORS];
	unsigned by_priority[PRIORITIES];  /* after masking */
	unsigned open;                     /* requests that could use more ships */
	unsigned used;                     /* requests that made a difference */
	unsigned reach, enemies;
	int ships;                         /* all own ships */
	struct sc_income income;
};

#endif

static inline void TURN(write)(struct turn *t, enum sc_command kind, unsigned from, unsigned to,
			       int count)
{
#if TURN_LOGS
	if (t->log->count < TURN_COMMANDS)
		t->log->moves[t->log->count++] = sc_command(kind, from, to, count);
#else
	(void)t, (void)kind, (void)from, (void)to, (void)count;
#endif
}

/* ---- Move ---- */

/* Moves ships and records where they are. */
static inline void TURN(go)(struct turn *t, unsigned from, unsigned to, int count)
{
	struct sc_galaxy *g = t->g;
	TURN(write)(t, SC_MOVE, from, to, count);
	sc_leave(g, 0, from, count);
	const int left = sc_arrive(g, 0, to, count);
	t->assigned[to] = (uint16_t)(t->assigned[to] + left);
	t->inactive[to] = (uint16_t)(t->inactive[to] + left);
	t->ships += left - count;
	t->enemies &= ~(1U << to);         /* the attacker is never the weaker one */
}

static inline bool TURN(has_room)(const struct turn *t, unsigned sector, int count)
{
	return !(t->g->fleets[0] >> sector & 1) || t->g->ships[sector] + count <= SC_MOST_SHIPS;
}

/* The first step of a longer way: nearest as the crow flies, then in order; SC_SECTORS: none. */
static inline unsigned TURN(step)(const struct turn *t, unsigned from, unsigned to)
{
	const unsigned closer = relative_near2[from] >> to & 1 ? relative_near[to] :
								 relative_near2[to];
	unsigned best = SC_SECTORS;
	int best_way = 99;
	SC_EACH(i, relative_near[from] & closer & t->reach & ~t->enemies) {
		const int dx = relative_x[i] - relative_x[to], dy = relative_y[i] - relative_y[to];
		const int way = (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy);
		if (way < best_way) {
			best_way = way;
			best = i;
		}
	}
	return best;
}

/* Sends ships to the sector of a request, or one step towards it; if they cannot go, they stay. */
static inline void TURN(send)(struct turn *t, unsigned from, unsigned to, int count)
{
	unsigned next = to;
	if (from != to && !(relative_near[from] >> to & 1))
		next = TURN(step)(t, from, to);
	if (next == from || next == SC_SECTORS || !TURN(has_room)(t, next, count))
		t->assigned[from] = (uint16_t)(t->assigned[from] + count);
	else
		TURN(go)(t, from, next, count);
}

/* Serves the requests of one priority at one distance; returns the ships that are still free. */
static inline int TURN(serve)(struct turn *t, unsigned from, unsigned set, int ships)
{
	SC_EACH(to, set) {
		const int count = sc_least(ships, t->most[to]);
		if (ships < t->least[to] ||
		    (t->enemies >> to & 1 && count < t->g->ships[to]))
			continue;
		t->least[to] = (uint16_t)(t->least[to] > count ? t->least[to] - count : 0);
		t->most[to] = (uint16_t)(t->most[to] - count);
		t->open &= ~((unsigned)!t->most[to] << to);
		t->used |= 1U << to;
		TURN(send)(t, from, to, count);
		ships -= count;
		if (!ships)
			break;
	}
	return ships;
}

/* Sends a fleet to requests by priority, and within a priority by distance. */
static inline void TURN(move_fleet)(struct turn *t, unsigned from, int ships)
{
	const unsigned near = relative_near[from], near2 = relative_near2[from];
	const unsigned rings[] = { 1U << from, near & ~(1U << from), near2 & ~near, ~near2 & 0xffff };
	for (int p = 0; p < PRIORITIES; p++)
		for (int d = 0; d < 4 && t->by_priority[p] & t->open; d++) {
			const unsigned set = t->by_priority[p] & t->open & rings[d];
			if (set)
				ships = TURN(serve)(t, from, set, ships);
			if (!ships)
				return;
		}
}

/* These ships no longer serve requests; where they go, fewer others are needed. */
static inline void TURN(force)(struct turn *t, const struct forced *forced)
{
	for (int i = 0; i < forced->count; i++) {
		const struct forced_move *f = &forced->moves[i];
		const int before = t->assigned[f->to];
		if (f->from == f->to)
			t->assigned[f->to] = (uint16_t)(before + f->count);
		else
			TURN(go)(t, f->from, f->to, f->count);
		const int left = t->assigned[f->to] - before;
		t->least[f->to] = (uint16_t)(t->least[f->to] > left ? t->least[f->to] - left : 0);
		t->most[f->to] = (uint16_t)(t->most[f->to] > left ? t->most[f->to] - left : 0);
		t->open &= ~((unsigned)!t->most[f->to] << f->to);
	}
	t->enemies = sc_enemy_fleets(t->g, 0);
}

/* ---- Build ---- */

/* The number of ships that can be built and supported. */
static inline int TURN(support_room)(const struct turn *t)
{
	const int m = t->g->materials[0] + t->income.materials - SC_KEEP_MATERIALS * t->ships;
	const int c = t->g->credits[0] + t->income.credits - SC_KEEP_CREDITS * t->ships;
	if (m < 0 || c < 0)
		return 0;
	return sc_least(m / (SC_SHIP_MATERIALS + SC_KEEP_MATERIALS),
			c / (SC_SHIP_CREDITS + SC_KEEP_CREDITS));
}

static inline int TURN(most_built)(const struct turn *t, unsigned at)
{
	const struct sc_galaxy *g = t->g;
	const int paid = sc_least(g->materials[0] / SC_SHIP_MATERIALS,
				  g->credits[0] / SC_SHIP_CREDITS);
	const int idle = g->population[at] - t->worked[at];
	const int room = SC_MOST_SHIPS - (g->fleets[0] >> at & 1 ? g->ships[at] : 0);
	return sc_least(sc_least(paid, idle / SC_SHIP_WORKERS), room);
}

/* Builds ships in a colony; if assign, for its request. */
static inline void TURN(build)(struct turn *t, unsigned at, int count, bool assign)
{
	struct sc_galaxy *g = t->g;
	TURN(write)(t, SC_BUILD, at, 0, count);
	g->materials[0] -= SC_SHIP_MATERIALS * count;
	g->credits[0] -= SC_SHIP_CREDITS * count;
	t->worked[at] = (uint16_t)(t->worked[at] + SC_SHIP_WORKERS * count);
	const int left = sc_arrive(g, 0, at, count);
	t->inactive[at] = (uint16_t)(t->inactive[at] + left);
	t->assigned[at] = (uint16_t)(t->assigned[at] + (assign ? left : 0));
	t->ships += left;
}

/* Builds what the request in a colony's own sector still needs. */
static inline void TURN(build_for)(struct turn *t, unsigned at)
{
	const bool blockaded = t->enemies >> at & 1;
	int count = sc_least(t->most[at], TURN(most_built)(t, at));
	if (!blockaded)
		count = sc_least(count, TURN(support_room)(t));
	if (count <= 0)
		return;
	t->used |= 1U << at;
	TURN(build)(t, at, count, true);
	if (!blockaded)
		return;
	t->enemies = sc_enemy_fleets(t->g, 0);
	t->income = sc_income_of(t->g, 0);
}

static inline void TURN(build_to_requests)(struct turn *t)
{
	for (int p = 0; p < PRIORITIES; p++)
		SC_EACH(at, t->by_priority[p] & t->open & t->g->colonies[0])
			TURN(build_for)(t, at);
}

/* The most populous of a set; ties as numbered. */
static inline unsigned TURN(most_populous)(const struct turn *t, unsigned set)
{
	unsigned best = 0;
	int people = -1;
	SC_EACH(i, set)
		if (t->g->population[i] > people) {
			people = t->g->population[i];
			best = i;
		}
	return best;
}

/* Builds with what is left, as far as the ships can be supported. */
static inline void TURN(build_to_support)(struct turn *t)
{
	unsigned left = t->g->colonies[0] & ~t->enemies;
	for (int room = TURN(support_room)(t); room > 0 && left;) {
		const unsigned at = TURN(most_populous)(t, left);
		const int count = sc_least(room, TURN(most_built)(t, at));
		left &= ~(1U << at);
		if (count <= 0)
			continue;
		TURN(build)(t, at, count, false);
		room = TURN(support_room)(t);
	}
}

/* ---- Colonize, terraform, scrap ---- */

/* Turns ships into colonies where a request asked for them. */
static inline void TURN(settle)(struct turn *t, const struct requests *r)
{
	struct sc_galaxy *g = t->g;
	SC_EACH(at, r->settle & t->by_priority[PRIORITIES - 1] & g->fleets[0]) {
		if (g->ships[at] - t->inactive[at] < SC_SETTLERS || g->ships[at] < r->least[at])
			continue;
		TURN(write)(t, SC_COLONIZE, at, 0, 0);
		t->used |= 1U << at;
		sc_leave(g, 0, at, SC_SETTLERS);
		g->population[at] = SC_SETTLERS;
		g->colonies[0] |= (uint16_t)(1U << at);
		t->assigned[at] = (uint16_t)(t->assigned[at] > SC_SETTLERS ?
					     t->assigned[at] - SC_SETTLERS : 0);
		t->reach |= relative_near[at];
		t->ships -= SC_SETTLERS;
		const struct sc_income new = sc_colony_income(g, at);
		t->income.materials += new.materials;
		t->income.credits += new.credits;
	}
}

/*
 * Makes at most one planet terran, that of the most populous barren colony, if the faction has two
 * barren colonies or more and not too many terran ones.
 */
static inline void TURN(terraform)(struct turn *t)
{
	struct sc_galaxy *g = t->g;
	const unsigned barren = g->colonies[0] & ~(unsigned)g->terran, free = barren & ~t->enemies;
	const int barrens = bits_count(barren), terrans = bits_count(g->colonies[0]) - barrens;
	if (barrens < 2 || terrans > 2 * barrens || g->materials[0] < SC_TERRAFORM || !free)
		return;
	const unsigned at = TURN(most_populous)(t, free);
	TURN(write)(t, SC_TERRAFORM_PLANET, at, 0, 0);
	g->materials[0] -= SC_TERRAFORM;
	g->terran |= (uint16_t)(1U << at);
	t->income = sc_income_of(g, 0);
}

/* Scraps ships that could not be supported, as far as no request has them. */
static inline void TURN(scrap_to_support)(struct turn *t)
{
	struct sc_galaxy *g = t->g;
	int excess = t->ships - sc_capacity(g->materials[0] + t->income.materials,
					    g->credits[0] + t->income.credits);
	if (excess <= 0)
		return;
	SC_EACH(at, g->fleets[0]) {
		const int count = sc_least(excess, g->ships[at] - t->assigned[at]);
		if (count <= 0)
			continue;
		TURN(write)(t, SC_SCRAP, at, 0, count);
		sc_leave(g, 0, at, count);
		t->ships -= count;
		excess -= count;
		if (excess <= 0)
			return;
	}
}

/* ---- All of it ---- */

/*
 * Makes the turn of a mask on *g, from its start. past and forced may be NULL. Returns the requests
 * that made a difference: masking any other changes nothing.
 */
static inline unsigned TURN(make)(struct sc_galaxy *g, const struct relative_maps *maps,
				  const struct requests *r, unsigned mask,
				  const struct turn_past *past, const struct forced *forced,
				  struct turn_log *log)
{
	struct turn t;
	t.g = g;
	t.maps = maps;
	t.log = log;
	memcpy(t.least, r->least, sizeof t.least);
	memcpy(t.most, r->most, sizeof t.most);
	if (past) {
		memcpy(t.assigned, past->inactive, sizeof t.assigned);
		memcpy(t.inactive, past->inactive, sizeof t.inactive);
		memcpy(t.worked, past->worked, sizeof t.worked);
	} else {
		memset(t.assigned, 0, sizeof t.assigned);
		memset(t.inactive, 0, sizeof t.inactive);
		memset(t.worked, 0, sizeof t.worked);
	}
	for (int p = 0; p < PRIORITIES; p++)
		t.by_priority[p] = r->by_priority[p] & mask;
	t.open = mask;
	t.used = 0;
	t.reach = r->reach;
	t.enemies = sc_enemy_fleets(g, 0);
	t.ships = sc_ships_of(g, 0);
	if (forced)
		TURN(force)(&t, forced);
	for (int i = 0; i < r->fleet_count; i++) {
		const unsigned from = r->fleets[i];
		const int ships = g->ships[from] - t.assigned[from];
		if (ships > 0)
			TURN(move_fleet)(&t, from, ships);
	}
	t.income = sc_income_of(g, 0);
	TURN(build_to_requests)(&t);
	TURN(settle)(&t, r);
	TURN(terraform)(&t);
	TURN(build_to_support)(&t);
	TURN(scrap_to_support)(&t);
	TURN(write)(&t, SC_END, 0, 0, 0);
	sc_end_turn(g, 0, t.reach, relative_homes, NULL);
	return t.used;
}
