/*
 * starchess_mask.c - the mask predictor, straight from its description.
 * SPDX-License-Identifier: MIT
 *
 * A turn is a list of commands in words, each played by the literal rules. Sectors are walked in the
 * order of the faction; lists are sorted by comparing everything with everything.
 */
#include "twins/starchess.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct request {
	struct twin_place at;
	int place;                 /* in the faction's order */
	int priority, minimum, maximum, original;
	bool colonize;
	bool enabled;
};

/* One turn being made. */
struct making {
	struct twin_galaxy g;
	struct request requests[16];
	int count;
	int assigned[4][4];
	struct twin_thought *t;    /* writes the commands down, if it is not NULL */
};

static int min(int a, int b)
{
	return a < b ? a : b;
}

static int max(int a, int b)
{
	return a > b ? a : b;
}

static struct twin_sector *at(struct twin_galaxy *g, struct twin_place p)
{
	return &g->at[p.column][p.row];
}

static bool same(struct twin_place a, struct twin_place b)
{
	return a.column == b.column && a.row == b.row;
}

static bool enemy_ships(const struct twin_sector *s, int faction)
{
	return s->fleet && s->fleet != faction;
}

/* ---- Threat and requests ---- */

/*
 * The ships of all enemy fleets in the sector, plus those of all enemy fleets that could move into it
 * next turn under the movement rule.
 */
static int threat_of(const struct twin_galaxy *g, struct twin_place p, int me,
		     const struct twin_thought *t)
{
	int threat = 0;
	for (int column = 0; column < 4; column++)
		for (int row = 0; row < 4; row++) {
			const struct twin_sector *s = &g->at[column][row];
			const int d = twin_distance(p, (struct twin_place){ column, row });
			if (!enemy_ships(s, me))
				continue;
			if (d == 0 || (d == 1 && twin_supported(g, s->fleet, p)))
				threat += s->ships;
		}
	const struct twin_sector *here = &g->at[p.column][p.row];
	if (t->count_builds && here->colony && here->colony != me)
		threat += min(min(g->materials[here->colony] / 20, g->credits[here->colony] / 40),
			      here->population / 10);
	return threat;
}

static bool is_home(int faction, struct twin_place p)
{
	return same(twin_home(faction), p);
}

static struct request request_for(const struct twin_galaxy *g, struct twin_place p, int threat,
				  const struct twin_thought *t)
{
	const struct twin_sector *s = &g->at[p.column][p.row];
	const int me = g->move;
	struct request r = { .at = p, .enabled = true };
	if (s->colony == me && enemy_ships(s, me)) {
		r.priority = is_home(me, p) ? 1 : 2;
		r.minimum = threat / 3 + 1;
		r.maximum = 3 * threat;
	} else if (s->colony == me) {
		r.priority = t->old_garrison ? 3 : 4;
		r.minimum = threat / 3 + 1;
		r.maximum = 3 * threat;
	} else if (s->colony) {
		r.priority = is_home(s->colony, p) ? 2 : 3;
		r.minimum = threat + 1;
		r.maximum = max(3 * threat, 50);
	} else {
		r.priority = 4;
		r.minimum = threat + 20;
		r.maximum = 3 * threat + 20;
		r.colonize = true;
	}
	r.original = r.minimum;
	return r;
}

/* In the faction's sector order. */
static int list_requests(const struct twin_galaxy *g, struct request list[16],
			 const struct twin_thought *t)
{
	int count = 0;
	for (int n = 0; n < 16; n++) {
		const struct twin_place p = twin_order(g->move, n);
		const int threat = threat_of(g, p, g->move, t);
		const bool safe = g->at[p.column][p.row].colony == g->move && threat == 0;
		if (!twin_supported(g, g->move, p) || safe)
			continue;
		list[count] = request_for(g, p, threat, t);
		list[count++].place = n;
	}
	return count;
}

/* ---- Commands ---- */

static bool order(struct making *m, const char *format, struct twin_place a, struct twin_place b,
		  int count)
{
	char text[32];
	if (strcmp(format, "move") == 0)
		snprintf(text, sizeof text, "move %c%d %c%d %d", 'A' + a.column, a.row + 1,
			 'A' + b.column, b.row + 1, count);
	else if (count)
		snprintf(text, sizeof text, "%s %c%d %d", format, 'A' + a.column, a.row + 1, count);
	else
		snprintf(text, sizeof text, "%s %c%d", format, 'A' + a.column, a.row + 1);
	if (twin_starchess_play(&m->g, text))
		return false;
	if (m->t)
		snprintf(m->t->commands[m->t->count++], 32, "%s", text);
	return true;
}

/* ---- 1. Move ---- */

/*
 * The first steps that leave distance d - 1 are tried, ordered by |dx| + |dy| left to the target, then by
 * sector order; the first that is legal and holds no enemy ships is taken.
 */
static bool step_towards(struct making *m, struct twin_place from, struct twin_place to, int count,
			 struct twin_place *next)
{
	const int d = twin_distance(from, to);
	for (int left = 0; left <= 6; left++)
		for (int n = 0; n < 16; n++) {
			const struct twin_place p = twin_order(m->g.move, n);
			if (twin_distance(from, p) != 1 || twin_distance(p, to) != d - 1 ||
			    abs(p.column - to.column) + abs(p.row - to.row) != left)
				continue;
			if (!twin_supported(&m->g, m->g.move, p) ||
			    enemy_ships(at(&m->g, p), m->g.move))
				continue;
			(void)count;
			*next = p;
			return true;
		}
	return false;
}

static void send(struct making *m, struct twin_place from, struct twin_place to, int count)
{
	struct twin_place next = to;
	if (same(from, to) ||
	    (twin_distance(from, to) > 1 && !step_towards(m, from, to, count, &next))) {
		m->assigned[from.column][from.row] += count;
		return;
	}
	const struct twin_sector before = *at(&m->g, next);
	if (!order(m, "move", from, next, count)) {
		m->assigned[from.column][from.row] += count;
		return;
	}
	const struct twin_sector *s = at(&m->g, next);
	if (before.fleet == m->g.move)
		m->assigned[next.column][next.row] += count;
	else
		m->assigned[next.column][next.row] = s->fleet == m->g.move ? s->ships : 0;
}

/* By priority, then by distance from the fleet, then by sector order: is a before b? */
static bool comes_before(const struct request *a, const struct request *b, struct twin_place from)
{
	const int da = twin_distance(from, a->at), db = twin_distance(from, b->at);
	if (a->priority != b->priority)
		return a->priority < b->priority;
	return da != db ? da < db : a->place < b->place;
}

static void move_fleet(struct making *m, struct twin_place from, int unassigned)
{
	struct request *list[16];
	int count = 0;
	for (int i = 0; i < m->count; i++) {
		if (!m->requests[i].enabled)
			continue;
		int k = count++;
		for (; k > 0 && comes_before(&m->requests[i], list[k - 1], from); k--)
			list[k] = list[k - 1];
		list[k] = &m->requests[i];
	}
	for (int i = 0; i < count && unassigned > 0; i++) {
		struct request *r = list[i];
		const struct twin_sector *target = at(&m->g, r->at);
		if (r->maximum <= 0)
			continue;
		const int n = min(unassigned, r->maximum);
		const int enemies = enemy_ships(target, m->g.move) ? target->ships : 0;
		if (unassigned < r->minimum || n < enemies)
			continue;
		r->minimum = max(r->minimum - n, 0);
		r->maximum -= n;
		unassigned -= n;
		send(m, from, r->at, n);
	}
}

static void move_all(struct making *m)
{
	struct twin_place fleets[16];
	int sizes[16], ready[16], count = 0;
	for (int n = 0; n < 16; n++) {
		const struct twin_place p = twin_order(m->g.move, n);
		const struct twin_sector *s = at(&m->g, p);
		if (s->fleet != m->g.move)
			continue;
		int k = count++;
		for (; k > 0 && sizes[k - 1] < s->ships; k--) {
			fleets[k] = fleets[k - 1];
			sizes[k] = sizes[k - 1];
			ready[k] = ready[k - 1];
		}
		fleets[k] = p;
		sizes[k] = s->ships;
		ready[k] = s->active;
		m->assigned[p.column][p.row] = s->ships - s->active;
	}
	for (int i = 0; i < count; i++)
		move_fleet(m, fleets[i], ready[i]);
}

/* ---- Support ---- */

static int room_to_build(const struct making *m)
{
	const int me = m->g.move, ships = twin_ships(&m->g, me);
	int materials, credits;
	twin_income(&m->g, me, &materials, &credits);
	const int a = m->g.materials[me] + materials - 10 * ships;
	const int b = m->g.credits[me] + credits - 20 * ships;
	return a < 0 || b < 0 ? 0 : min(a / 30, b / 60);
}

static int excess(const struct making *m)
{
	const int me = m->g.move;
	int materials, credits;
	twin_income(&m->g, me, &materials, &credits);
	const int capacity = min((m->g.materials[me] + materials) / 10,
				 max(m->g.credits[me] + credits, 0) / 20);
	return twin_ships(&m->g, me) - capacity;
}

static int can_build(const struct making *m, const struct twin_sector *s)
{
	const int me = m->g.move;
	return min(min(m->g.materials[me] / 20, m->g.credits[me] / 40),
		   min((s->population - s->worked) / 10, 999 - (s->fleet == me ? s->ships : 0)));
}

/* ---- 2. Build to requests ---- */

static void build_to_requests(struct making *m)
{
	for (int priority = 1; priority <= 4; priority++)
		for (int i = 0; i < m->count; i++) {
			struct request *r = &m->requests[i];
			struct twin_sector *s = at(&m->g, r->at);
			if (!r->enabled || r->priority != priority || s->colony != m->g.move ||
			    r->maximum <= 0)
				continue;
			int n = min(r->maximum, can_build(m, s));
			const bool blockaded = enemy_ships(s, m->g.move);
			if (!blockaded)
				n = min(n, room_to_build(m));
			if (n <= 0)
				continue;
			order(m, "build", r->at, r->at, n);
			if (blockaded)
				m->assigned[r->at.column][r->at.row] =
					s->fleet == m->g.move ? s->ships : 0;
			else
				m->assigned[r->at.column][r->at.row] += n;
		}
}

/* ---- 3. Colonize, 4. terraform ---- */

static void colonize(struct making *m)
{
	for (int i = 0; i < m->count; i++) {
		struct request *r = &m->requests[i];
		const struct twin_sector *s = at(&m->g, r->at);
		if (!r->enabled || !r->colonize || s->fleet != m->g.move || s->active < 20 ||
		    s->ships < r->original)
			continue;
		order(m, "colonize", r->at, r->at, 0);
		int *assigned = &m->assigned[r->at.column][r->at.row];
		*assigned = max(*assigned - 20, 0);
	}
}

static void terraform(struct making *m)
{
	int terran = 0, barren = 0, people = -1;
	struct twin_place best = { 0, 0 };
	for (int n = 0; n < 16; n++) {
		const struct twin_place p = twin_order(m->g.move, n);
		const struct twin_sector *s = at(&m->g, p);
		if (s->colony != m->g.move)
			continue;
		if (s->planet == 'T') {
			terran++;
			continue;
		}
		barren++;
		if (!enemy_ships(s, m->g.move) && s->population > people) {
			people = s->population;
			best = p;
		}
	}
	if (barren >= 2 && terran <= 2 * barren && m->g.materials[m->g.move] >= 1000 && people >= 0)
		order(m, "terraform", best, best, 0);
}

/* ---- 5. Build to support, 6. scrap to support ---- */

static void build_to_support(struct making *m)
{
	bool done[16] = { false };
	for (;;) {
		int best = -1, people = -1;
		for (int n = 0; n < 16; n++) {
			const struct twin_sector *s = at(&m->g, twin_order(m->g.move, n));
			if (done[n] || s->colony != m->g.move || enemy_ships(s, m->g.move))
				continue;
			if (s->population > people) {
				people = s->population;
				best = n;
			}
		}
		if (best < 0)
			return;
		const struct twin_place p = twin_order(m->g.move, best);
		const int n = min(room_to_build(m), can_build(m, at(&m->g, p)));
		done[best] = true;
		if (n > 0)
			order(m, "build", p, p, n);
	}
}

static void scrap_to_support(struct making *m)
{
	for (int n = 0; n < 16; n++) {
		const struct twin_place p = twin_order(m->g.move, n);
		const struct twin_sector *s = at(&m->g, p);
		if (s->fleet != m->g.move)
			continue;
		const int count = min(excess(m), s->ships - m->assigned[p.column][p.row]);
		if (count > 0)
			order(m, "scrap", p, p, count);
	}
}

/* ---- A turn for one mask ---- */

static struct twin_galaxy make_turn(const struct twin_galaxy *g, const struct request *requests,
				    int count, struct twin_thought *t, bool write)
{
	struct making m = { .g = *g, .count = count, .t = write ? t : NULL };
	memcpy(m.requests, requests, sizeof m.requests);
	move_all(&m);
	build_to_requests(&m);
	colonize(&m);
	terraform(&m);
	build_to_support(&m);
	scrap_to_support(&m);
	twin_starchess_play(&m.g, "end");
	if (write)
		snprintf(t->commands[t->count++], 32, "end");
	else
		t->generated++;
	return m.g;
}

/* ---- The tree ---- */

struct mask {
	int i, j;                  /* requests that are disabled; -1: none */
};

/* The full mask, then each request disabled, then each pair. */
static int list_masks(int requests, bool vary, struct mask list[137])
{
	int n = 0;
	list[n++] = (struct mask){ -1, -1 };
	for (int i = 0; vary && i < requests; i++)
		list[n++] = (struct mask){ i, -1 };
	for (int i = 0; vary && i < requests; i++)
		for (int j = i + 1; j < requests; j++)
			list[n++] = (struct mask){ i, j };
	return n;
}

static struct twin_galaxy turn_of(const struct twin_galaxy *g, struct mask mask,
				  struct twin_thought *t, bool write)
{
	struct request requests[16];
	const int count = list_requests(g, requests, t);
	if (mask.i >= 0)
		requests[mask.i].enabled = false;
	if (mask.j >= 0)
		requests[mask.j].enabled = false;
	return make_turn(g, requests, count, t, write);
}

/* The turn limit is not seen in the tree; a won game is over. */
static bool is_won(const struct twin_galaxy *g)
{
	const int over = twin_starchess_over(g);
	return over >= 1 && over <= 4;
}

static void leaf(const struct twin_galaxy *g, struct twin_thought *t, int scores[5])
{
	t->evaluated++;
	for (int f = 1; f <= 4; f++)
		scores[f] = twin_starchess_score(g, f);
}

/*
 * `faction` has level number `level` of `levels`; scores are those of the leaf that is best for it. The
 * chosen mask, if asked for.
 */
static void look_ahead(const struct twin_galaxy *g, int faction, int level, int levels, int root,
		       struct twin_thought *t, int scores[5], struct mask *chosen)
{
	struct request requests[16];
	struct mask masks[137];
	const int next = faction % 4 + 1;
	if (level == levels || is_won(g)) {
		leaf(g, t, scores);
		return;
	}
	if (g->defeated[faction]) {
		look_ahead(g, next, t->skip_dead ? level : level + 1, levels, root, t, scores, NULL);
		return;
	}
	const bool last = level == levels - 1;
	const bool vary = (faction == root || t->all_masks) && (t->turns == 0 || !last);
	const int count = list_masks(list_requests(g, requests, t), vary, masks);
	for (int i = 0; i < count; i++) {
		int deep[5];
		const struct twin_galaxy after = turn_of(g, masks[i], t, false);
		if (i && t->gains) {
			leaf(&after, t, deep);
			if (deep[faction] < scores[faction])
				continue;
		}
		look_ahead(&after, next, level + 1, levels, root, t, deep, NULL);
		if (i && deep[faction] <= scores[faction])
			continue;
		memcpy(scores, deep, sizeof deep);
		if (chosen)
			*chosen = masks[i];
	}
}

void twin_starchess_think(const struct twin_galaxy *g, struct twin_thought *t)
{
	struct twin_galaxy endless = *g;
	struct mask chosen = { -1, -1 };
	int scores[5];
	endless.limit = 1 << 20;
	t->generated = t->evaluated = t->count = 0;
	if (t->masks) {
		look_ahead(&endless, g->move, 0, 4 * t->turns + 1, g->move, t, scores, &chosen);
	} else {
		const struct twin_galaxy after = turn_of(&endless, chosen, t, false);
		leaf(&after, t, scores);
	}
	t->score = scores[g->move];
	turn_of(&endless, chosen, t, true);
}
