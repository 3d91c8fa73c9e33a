/*
 * turn.h - generates the turn that a faction makes for one mask of its requests: move, build,
 * colonize, terraform, build or scrap to support, end.
 * SPDX-License-Identifier: MIT
 *
 * Everything is in the view of the faction to move (relative.h). The tree search needs only the
 * galaxy after a turn. Once a turn is chosen, it is made again with a log, which records the
 * commands that a player gives.
 */
#ifndef GAMES_STARCHESS_TURN_H
#define GAMES_STARCHESS_TURN_H

#include "games/starchess/requests.h"

enum { TURN_COMMANDS = 512, FORCED_MOVES = 5 };

/* The commands of a turn, in order. A longer turn is cut. */
struct turn_log {
	int count;
	qv_move moves[TURN_COMMANDS];
};

/* What was already done this turn before the rest is generated; in the tree nothing. */
struct turn_past {
	uint16_t inactive[SC_SECTORS], worked[SC_SECTORS];
};

/* Moves of ships that come before all requests; if `from` and `to` are equal, the ships stay. */
struct forced_move {
	uint8_t from, to;
	uint16_t count;
};

struct forced {
	int count;
	struct forced_move moves[FORCED_MOVES];
};

/* A turn while it is made. */
struct turn {
	struct sc_galaxy *g;
	struct turn_log *log;			      /* NULL: the commands are not recorded */
	uint16_t least[SC_SECTORS], most[SC_SECTORS]; /* ships that requests still need */
	uint16_t assigned[SC_SECTORS];		      /* ships that a request has */
	uint16_t inactive[SC_SECTORS];		      /* ships that arrived or were built */
	uint16_t worked[SC_SECTORS];		      /* colonists who have worked */
	unsigned by_priority[PRIORITIES];	      /* after masking */
	unsigned open;				      /* requests that could use more ships */
	unsigned used;				      /* requests that made a difference */
	unsigned reach, enemies; /* where own ships may go; sectors with enemy ships */
	int ships;		 /* all own ships */
	struct sc_income income;
};

/* Records a command. */
static inline void turn_write(struct turn *t, enum sc_command kind, unsigned from, unsigned to,
			      int count)
{
	if (t->log && t->log->count < TURN_COMMANDS)
		t->log->moves[t->log->count++] = sc_command(kind, from, to, count);
}

/* ---- Move ---- */

/* Moves ships and records where they are. */
static inline void turn_go(struct turn *t, unsigned from, unsigned to, int count)
{
	struct sc_galaxy *g = t->g;
	turn_write(t, SC_MOVE, from, to, count);
	sc_leave(g, 0, from, count);
	const int left = sc_arrive(g, 0, to, count);
	t->assigned[to] = (uint16_t)(t->assigned[to] + left);
	t->inactive[to] = (uint16_t)(t->inactive[to] + left);
	t->ships += left - count;
	t->enemies &= ~(1U << to);         /* the attacker is never the weaker one */
}

/* The first step of a longer way: nearest as the crow flies, then in order; SC_SECTORS: none. */
static inline unsigned turn_step(const struct turn *t, unsigned from, unsigned to)
{
	const bool close = relative_near2[from] >> to & 1;
	const unsigned closer = close ? relative_near[to] : relative_near2[to];
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
static inline void turn_send(struct turn *t, unsigned from, unsigned to, int count)
{
	unsigned next = to;
	if (from != to && !(relative_near[from] >> to & 1))
		next = turn_step(t, from, to);
	if (next == from || next == SC_SECTORS || count > sc_room(t->g, 0, next))
		t->assigned[from] = (uint16_t)(t->assigned[from] + count);
	else
		turn_go(t, from, next, count);
}

/* Serves the requests of one priority at one distance; returns the ships that are still free. */
static inline int turn_serve(struct turn *t, unsigned from, unsigned set, int ships)
{
	SC_EACH(to, set) {
		const int count = sc_least(ships, t->most[to]);
		if (ships < t->least[to] || (t->enemies >> to & 1 && count < t->g->ships[to]))
			continue;
		t->least[to] = (uint16_t)(t->least[to] > count ? t->least[to] - count : 0);
		t->most[to] = (uint16_t)(t->most[to] - count);
		t->open &= ~((unsigned)!t->most[to] << to);
		t->used |= 1U << to;
		turn_send(t, from, to, count);
		ships -= count;
		if (!ships)
			break;
	}
	return ships;
}

/* Sends a fleet to requests by priority, and within a priority by distance. */
static inline void turn_move_fleet(struct turn *t, unsigned from, int ships)
{
	const unsigned near = relative_near[from], near2 = relative_near2[from];
	const unsigned rings[] = { 1U << from, near & ~(1U << from), near2 & ~near, ~near2 & 0xffff };
	for (int p = 0; p < PRIORITIES; p++)
		for (int d = 0; d < 4 && t->by_priority[p] & t->open; d++) {
			const unsigned set = t->by_priority[p] & t->open & rings[d];
			if (set)
				ships = turn_serve(t, from, set, ships);
			if (!ships)
				return;
		}
}

/*
 * Makes the forced moves. These ships no longer serve requests; where they go, fewer others are
 * needed.
 */
static inline void turn_force(struct turn *t, const struct forced *forced)
{
	for (int i = 0; i < forced->count; i++) {
		const struct forced_move *f = &forced->moves[i];
		const int before = t->assigned[f->to];
		if (f->from == f->to)
			t->assigned[f->to] = (uint16_t)(before + f->count);
		else
			turn_go(t, f->from, f->to, f->count);
		const int left = t->assigned[f->to] - before;
		t->least[f->to] = (uint16_t)(t->least[f->to] > left ? t->least[f->to] - left : 0);
		t->most[f->to] = (uint16_t)(t->most[f->to] > left ? t->most[f->to] - left : 0);
		t->open &= ~((unsigned)!t->most[f->to] << f->to);
	}
	t->enemies = sc_enemy_fleets(t->g, 0);
}

/* ---- Build ---- */

/*
 * The number of ships that can be built and supported at the end of this turn, with what reserves
 * and income leave after all present ships.
 */
static inline int turn_support_room(const struct turn *t)
{
	const int m = t->g->materials[0] + t->income.materials - SC_KEEP_MATERIALS * t->ships;
	const int c = t->g->credits[0] + t->income.credits - SC_KEEP_CREDITS * t->ships;
	if (m < 0 || c < 0)
		return 0;
	return sc_least(m / (SC_SHIP_MATERIALS + SC_KEEP_MATERIALS),
			c / (SC_SHIP_CREDITS + SC_KEEP_CREDITS));
}

/* Builds ships in a colony; if assign, for its request. */
static inline void turn_build(struct turn *t, unsigned at, int count, bool assign)
{
	struct sc_galaxy *g = t->g;
	turn_write(t, SC_BUILD, at, 0, count);
	g->materials[0] -= SC_SHIP_MATERIALS * count;
	g->credits[0] -= SC_SHIP_CREDITS * count;
	t->worked[at] = (uint16_t)(t->worked[at] + SC_SHIP_WORKERS * count);
	const int left = sc_arrive(g, 0, at, count);
	t->inactive[at] = (uint16_t)(t->inactive[at] + left);
	t->assigned[at] = (uint16_t)(t->assigned[at] + (assign ? left : 0));
	t->ships += left;
}

/* Builds what the requests in the colonies' own sectors still need. */
static inline void turn_build_to_requests(struct turn *t)
{
	for (int p = 0; p < PRIORITIES; p++)
		SC_EACH(at, t->by_priority[p] & t->open & t->g->colonies[0]) {
			const bool blockaded = t->enemies >> at & 1;
			int count = sc_least(t->most[at], sc_can_build(t->g, 0, at, t->worked[at]));
			if (!blockaded)
				count = sc_least(count, turn_support_room(t));
			if (count <= 0)
				continue;
			t->used |= 1U << at;
			turn_build(t, at, count, true);
			if (!blockaded)
				continue;
			/* The new ships may have freed the colony. */
			t->enemies = sc_enemy_fleets(t->g, 0);
			t->income = sc_income_of(t->g, 0);
		}
}

/* The most populous of a set; ties as numbered. */
static inline unsigned turn_most_populous(const struct turn *t, unsigned set)
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
static inline void turn_build_to_support(struct turn *t)
{
	unsigned left = t->g->colonies[0] & ~t->enemies;
	for (int room = turn_support_room(t); room > 0 && left;) {
		const unsigned at = turn_most_populous(t, left);
		const int count = sc_least(room, sc_can_build(t->g, 0, at, t->worked[at]));
		left &= ~(1U << at);
		if (count <= 0)
			continue;
		turn_build(t, at, count, false);
		room = turn_support_room(t);
	}
}

/* ---- Colonize, terraform, scrap ---- */

/* Turns ships into colonies where a request asked for them. */
static inline void turn_settle(struct turn *t, const struct requests *r)
{
	struct sc_galaxy *g = t->g;
	SC_EACH(at, r->settle & t->by_priority[PRIORITIES - 1] & g->fleets[0]) {
		if (g->ships[at] - t->inactive[at] < SC_SETTLERS || g->ships[at] < r->least[at])
			continue;
		turn_write(t, SC_COLONIZE, at, 0, 0);
		t->used |= 1U << at;
		sc_leave(g, 0, at, SC_SETTLERS);
		g->population[at] = SC_SETTLERS;
		g->colonies[0] |= (uint16_t)(1U << at);
		t->assigned[at] -= (uint16_t)sc_least(t->assigned[at], SC_SETTLERS);
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
static inline void turn_terraform(struct turn *t)
{
	struct sc_galaxy *g = t->g;
	const unsigned barren = g->colonies[0] & ~(unsigned)g->terran, free = barren & ~t->enemies;
	const int barrens = bits_count(barren), terrans = bits_count(g->colonies[0]) - barrens;
	if (barrens < 2 || terrans > 2 * barrens || g->materials[0] < SC_TERRAFORM || !free)
		return;
	const unsigned at = turn_most_populous(t, free);
	turn_write(t, SC_TERRAFORM_PLANET, at, 0, 0);
	g->materials[0] -= SC_TERRAFORM;
	g->terran |= (uint16_t)(1U << at);
	t->income = sc_income_of(g, 0);
}

/* Scraps ships that could not be supported, as far as no request has them. */
static inline void turn_scrap_to_support(struct turn *t)
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
		turn_write(t, SC_SCRAP, at, 0, count);
		sc_leave(g, 0, at, count);
		t->ships -= count;
		excess -= count;
	}
}

/* ---- All of it ---- */

/*
 * Makes the turn of a mask on *g, from its start. past and forced may be NULL; log, too, otherwise
 * its commands are replaced. Returns the requests that made a difference: masking any other changes
 * nothing.
 */
static inline unsigned turn_make(struct sc_galaxy *g, const struct requests *r, unsigned mask,
				 const struct turn_past *past, const struct forced *forced,
				 struct turn_log *log)
{
	struct turn t; /* not set as a whole, because most of the time is spent here */
	t.g = g;
	t.log = log;
	t.open = mask;
	t.used = 0;
	t.reach = r->reach;
	t.enemies = sc_enemy_fleets(g, 0);
	t.ships = sc_ships_of(g, 0);
	if (log)
		log->count = 0;
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
	if (forced)
		turn_force(&t, forced);
	for (int i = 0; i < r->fleet_count; i++) {
		const unsigned from = r->fleets[i];
		const int ships = g->ships[from] - t.assigned[from];
		if (ships > 0)
			turn_move_fleet(&t, from, ships);
	}
	t.income = sc_income_of(g, 0);
	turn_build_to_requests(&t);
	turn_settle(&t, r);
	turn_terraform(&t);
	turn_build_to_support(&t);
	turn_scrap_to_support(&t);
	turn_write(&t, SC_END, 0, 0, 0);
	sc_end_turn(g, 0, t.reach, relative_homes, NULL);
	return t.used;
}

/* Sets *past to what the faction to move has already done this turn, in its view. */
static inline void turn_past_of(const struct starchess *s, struct turn_past *past)
{
	for (int i = 0; i < SC_SECTORS; i++) {
		const unsigned at = sc_orders[s->seat][i];
		const bool own = s->g.fleets[s->seat] >> at & 1;
		past->inactive[i] = (uint16_t)(own ? s->g.ships[at] - s->active[at] : 0);
		past->worked[i] = s->worked[at];
	}
}

#endif
