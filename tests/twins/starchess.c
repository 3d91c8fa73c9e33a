/*
 * starchess.c - Star Chess, straight from the rules.
 * SPDX-License-Identifier: MIT
 *
 * The comments quote the rules; each function does what its comment says and nothing cleverer.
 */
#include "twins/starchess.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Places ---- */

/* The distance of two sectors is max(|dx|, |dy|). */
int twin_distance(struct twin_place a, struct twin_place b)
{
	const int dx = abs(a.column - b.column), dy = abs(a.row - b.row);
	return dx > dy ? dx : dy;
}

struct twin_place twin_home(int faction)
{
	static const char *const homes[5] = { "", "A1", "A4", "D4", "D1" };
	return (struct twin_place){ homes[faction][0] - 'A', homes[faction][1] - '1' };
}

struct twin_place twin_order(int faction, int n)
{
	static const char *const orders[5] = {
		"",
		"A1 A2 B1 C1 B2 A3 A4 B3 C2 D1 D2 C3 B4 C4 D3 D4",
		"A4 B4 A3 A2 B3 C4 D4 C3 B2 A1 B1 C2 D3 D2 C1 D1",
		"D4 D3 C4 B4 C3 D2 D1 C2 B3 A4 A3 B2 C1 B1 A2 A1",
		"D1 C1 D2 D3 C2 B1 A1 B2 C3 D4 C4 B3 A2 A3 B4 A4",
	};
	const char *name = orders[faction] + 3 * n;
	return (struct twin_place){ name[0] - 'A', name[1] - '1' };
}

/* ---- Texts ---- */

void twin_starchess_read(struct twin_galaxy *g, const char *position, int limit)
{
	memset(g, 0, sizeof *g);
	g->limit = limit;
	sscanf(position, "SC1 turn=%d move=%d", &g->turn, &g->move);
	for (int f = 1; f <= 4; f++) {
		char key[8];
		snprintf(key, sizeof key, " f%d=", f);
		const char *value = strstr(position, key) + strlen(key);
		g->defeated[f] = *value == '-';
		if (!g->defeated[f])
			sscanf(value, "%d,%d", &g->materials[f], &g->credits[f]);
	}
	for (int column = 0; column < 4; column++)
		for (int row = 0; row < 4; row++) {
			struct twin_sector *s = &g->at[column][row];
			char key[8], text[64];
			snprintf(key, sizeof key, " %c%d=", 'A' + column, row + 1);
			sscanf(strstr(position, key) + strlen(key), "%63s", text);
			s->planet = text[0];
			if (text[1] != '0')
				sscanf(text + 1, "%d:%d:%d", &s->colony, &s->population, &s->worked);
			const char *fleet = strchr(text, '/');
			if (fleet)
				sscanf(fleet, "/%d:%d:%d", &s->fleet, &s->ships, &s->active);
		}
}

static void add(char *text, size_t size, const char *more)
{
	const size_t used = strlen(text);
	snprintf(text + used, size - used, "%s", more);
}

void twin_starchess_write(const struct twin_galaxy *g, char *position, size_t size)
{
	char part[64];
	snprintf(position, size, "SC1 turn=%d move=%d", g->turn, g->move);
	for (int f = 1; f <= 4; f++) {
		if (g->defeated[f])
			snprintf(part, sizeof part, " f%d=-", f);
		else
			snprintf(part, sizeof part, " f%d=%d,%d", f, g->materials[f], g->credits[f]);
		add(position, size, part);
	}
	for (int column = 0; column < 4; column++)
		for (int row = 0; row < 4; row++) {
			const struct twin_sector *s = &g->at[column][row];
			snprintf(part, sizeof part, " %c%d=%c", 'A' + column, row + 1, s->planet);
			add(position, size, part);
			if (s->colony)
				snprintf(part, sizeof part, "%d:%d:%d", s->colony, s->population,
					 s->worked);
			else
				snprintf(part, sizeof part, "0");
			add(position, size, part);
			if (!s->fleet)
				continue;
			snprintf(part, sizeof part, "/%d:%d:%d", s->fleet, s->ships, s->active);
			add(position, size, part);
		}
}

/* ---- What the rules speak of ---- */

bool twin_supported(const struct twin_galaxy *g, int faction, struct twin_place p)
{
	for (int column = 0; column < 4; column++)
		for (int row = 0; row < 4; row++)
			if (g->at[column][row].colony == faction &&
			    twin_distance(p, (struct twin_place){ column, row }) <= 1)
				return true;
	return false;
}

int twin_ships(const struct twin_galaxy *g, int faction)
{
	int ships = 0;
	for (int column = 0; column < 4; column++)
		for (int row = 0; row < 4; row++)
			if (g->at[column][row].fleet == faction)
				ships += g->at[column][row].ships;
	return ships;
}

static int colonies_of(const struct twin_galaxy *g, int faction)
{
	int count = 0;
	for (int column = 0; column < 4; column++)
		for (int row = 0; row < 4; row++)
			count += g->at[column][row].colony == faction;
	return count;
}

/* A colony is blockaded while ships of another faction are in its sector. */
static bool blockaded(const struct twin_sector *s)
{
	return s->fleet && s->fleet != s->colony;
}

static int min(int a, int b)
{
	return a < b ? a : b;
}

void twin_income(const struct twin_galaxy *g, int faction, int *materials, int *credits)
{
	*materials = *credits = 0;
	for (int column = 0; column < 4; column++)
		for (int row = 0; row < 4; row++) {
			const struct twin_sector *s = &g->at[column][row];
			if (s->colony != faction || blockaded(s))
				continue;
			if (s->planet == 'T') {
				*materials += min(s->population, 200);
				*credits += min(s->population, 1000);
			} else {
				*materials += min(5 * s->population, 1000);
				*credits -= min(s->population, 200);
			}
		}
}

/*
 * B(p) = ships(p) + 10 x colonies(p). Every other p with B(p) > B(s) counts double. E(s) = 3 x B(s) -
 * sum of the (possibly doubled) B(p).
 */
int twin_starchess_score(const struct twin_galaxy *g, int faction)
{
	const int own = twin_ships(g, faction) + 10 * colonies_of(g, faction);
	int score = 3 * own;
	for (int p = 1; p <= 4; p++) {
		const int b = twin_ships(g, p) + 10 * colonies_of(g, p);
		if (p != faction)
			score -= b > own ? 2 * b : b;
	}
	return score;
}

int twin_starchess_over(const struct twin_galaxy *g)
{
	int living = 0, last = 0;
	for (int f = 1; f <= 4; f++)
		if (!g->defeated[f]) {
			living++;
			last = f;
		}
	if (living == 1)
		return last;
	return g->turn > g->limit ? 5 : 0;
}

/* ---- Commands ---- */

/*
 * Combat of sizes L > S: the smaller fleet is destroyed; the larger loses S if L < 2S, S/2 if 2S <= L
 * < 3S, none if L >= 3S. Equal fleets destroy each other. Ships that arrive or are built are inactive;
 * a surviving fleet that stood there keeps active = min(active, ships).
 */
static void arrive(struct twin_sector *s, int faction, int count)
{
	if (!s->fleet || s->fleet == faction) {
		s->fleet = faction;
		s->ships += count;
		return;
	}
	const int large = count > s->ships ? count : s->ships, small = min(count, s->ships);
	int left;
	if (large == small)
		left = 0;
	else if (large < 2 * small)
		left = large - small;
	else if (large < 3 * small)
		left = large - small / 2;
	else
		left = large;
	if (count > s->ships) {
		s->fleet = faction;
		s->active = 0;
	}
	s->ships = left;
	s->active = min(s->active, left);
	if (!left)
		s->fleet = 0;
}

static void take_away(struct twin_sector *s, int count)
{
	s->ships -= count;
	if (!s->ships)
		s->fleet = s->active = 0;
}

static const char *terraform(struct twin_galaxy *g, struct twin_sector *s)
{
	if (s->colony != g->move)
		return "own colony";
	if (s->planet != 'B')
		return "barren";
	if (g->materials[g->move] < 1000)
		return "materials";
	g->materials[g->move] -= 1000;
	s->planet = 'T';
	return NULL;
}

static const char *colonize(struct twin_galaxy *g, struct twin_sector *s)
{
	if (s->colony)
		return "no colony";
	if (s->fleet != g->move)
		return "own fleet";
	if (s->active < 20)
		return "active ships";
	s->active -= 20;
	take_away(s, 20);
	s->colony = g->move;
	s->population = 20;
	s->worked = 0;
	return NULL;
}

static const char *build(struct twin_galaxy *g, struct twin_sector *s, int count)
{
	if (s->colony != g->move)
		return "own colony";
	if (count < 1)
		return "count";
	if (g->materials[g->move] < 20 * count)
		return "materials";
	if (g->credits[g->move] < 40 * count)
		return "credits";
	if (s->population - s->worked < 10 * count)
		return "workers";
	if ((s->fleet == g->move ? s->ships : 0) + count > 999)
		return "999";
	g->materials[g->move] -= 20 * count;
	g->credits[g->move] -= 40 * count;
	s->worked += 10 * count;
	arrive(s, g->move, count);
	return NULL;
}

static const char *move_ships(struct twin_galaxy *g, struct twin_place from, struct twin_place to,
			      int count)
{
	struct twin_sector *a = &g->at[from.column][from.row], *b = &g->at[to.column][to.row];
	if (a->fleet != g->move)
		return "own fleet";
	if (count < 1)
		return "count";
	if (a->active < count)
		return "active ships";
	if (twin_distance(from, to) != 1)
		return "neighbour";
	if (!twin_supported(g, g->move, to))
		return "support";
	if ((b->fleet == g->move ? b->ships : 0) + count > 999)
		return "999";
	a->active -= count;
	take_away(a, count);
	arrive(b, g->move, count);
	return NULL;
}

/* Inactive ships go first. */
static const char *scrap(struct twin_galaxy *g, struct twin_sector *s, int count)
{
	if (s->fleet != g->move)
		return "own fleet";
	if (count < 1 || count > s->ships)
		return "ships";
	s->active = min(s->active, s->ships - count);
	take_away(s, count);
	return NULL;
}

/* ---- The end of a turn ---- */

/* 1. Each own fleet with no own colony within distance 1 is scrapped. */
static void scrap_unsupported(struct twin_galaxy *g)
{
	for (int n = 0; n < 16; n++) {
		const struct twin_place p = twin_order(g->move, n);
		struct twin_sector *s = &g->at[p.column][p.row];
		if (s->fleet == g->move && !twin_supported(g, g->move, p))
			s->fleet = s->ships = s->active = 0;
	}
}

/*
 * Fleet i loses excess x ships_i / ships (truncated); what is left over is taken one ship each from
 * the fleets with the largest remainders, ties in the faction's sector order.
 */
static void scrap_excess(struct twin_galaxy *g, int excess)
{
	const int all = twin_ships(g, g->move);
	int remainder[16], left = excess;
	for (int n = 0; n < 16; n++) {
		const struct twin_place p = twin_order(g->move, n);
		struct twin_sector *s = &g->at[p.column][p.row];
		remainder[n] = 0;
		if (s->fleet != g->move)
			continue;
		const int share = excess * s->ships / all;
		remainder[n] = excess * s->ships % all;
		left -= share;
		take_away(s, share);
	}
	while (left-- > 0) {
		int best = 0;
		for (int n = 1; n < 16; n++)
			if (remainder[n] > remainder[best])
				best = n;
		const struct twin_place p = twin_order(g->move, best);
		take_away(&g->at[p.column][p.row], 1);
		remainder[best] = 0;
	}
}

/* 2. Economy. */
static void economy(struct twin_galaxy *g)
{
	const int me = g->move;
	int materials, credits;
	twin_income(g, me, &materials, &credits);
	g->materials[me] += materials;
	g->credits[me] += credits;
	const int rich = g->credits[me] > 0 ? g->credits[me] : 0;
	const int capacity = min(g->materials[me] / 10, rich / 20);
	if (twin_ships(g, me) > capacity)
		scrap_excess(g, twin_ships(g, me) - capacity);
	g->materials[me] -= 10 * twin_ships(g, me);
	g->credits[me] -= 20 * twin_ships(g, me);
	if (g->credits[me] < 0)
		g->credits[me] = 0;
	g->materials[me] = min(g->materials[me], 999999999);
	g->credits[me] = min(g->credits[me], 999999999);
}

/* 3. Bombardment. */
static void bombard(struct twin_galaxy *g)
{
	for (int column = 0; column < 4; column++)
		for (int row = 0; row < 4; row++) {
			struct twin_sector *s = &g->at[column][row];
			if (s->fleet != g->move || !s->colony || s->colony == g->move)
				continue;
			s->population -= s->population * min(s->ships, 50) / 100;
			s->worked = min(s->worked, s->population);
			if (s->population >= 20)
				continue;
			s->colony = s->population = s->worked = 0;
			s->planet = 'B';
		}
}

/* 4. A faction whose home-world colony is gone is defeated. */
static void defeat(struct twin_galaxy *g)
{
	for (int f = 1; f <= 4; f++) {
		const struct twin_place home = twin_home(f);
		if (g->defeated[f] || g->at[home.column][home.row].colony == f)
			continue;
		g->defeated[f] = true;
		g->materials[f] = g->credits[f] = 0;
		for (int column = 0; column < 4; column++)
			for (int row = 0; row < 4; row++) {
				struct twin_sector *s = &g->at[column][row];
				if (s->colony == f)
					s->colony = s->population = s->worked = 0;
				if (s->fleet == f)
					s->fleet = s->ships = s->active = 0;
			}
	}
}

/* 5. Growth, and 6. ships become active, workers free. */
static void grow_and_rest(struct twin_galaxy *g)
{
	for (int column = 0; column < 4; column++)
		for (int row = 0; row < 4; row++) {
			struct twin_sector *s = &g->at[column][row];
			if (s->colony == g->move && !blockaded(s)) {
				const int most = s->planet == 'T' ? 1000 : 200;
				const int rate = s->planet == 'T' ? 20 : 10;
				if (s->population < most)
					s->population =
						min(s->population + s->population * rate / 100, most);
			}
			if (s->colony == g->move)
				s->worked = 0;
			if (s->fleet == g->move)
				s->active = s->ships;
		}
}

static const char *end_turn(struct twin_galaxy *g)
{
	scrap_unsupported(g);
	economy(g);
	bombard(g);
	defeat(g);
	grow_and_rest(g);
	const int over = twin_starchess_over(g);
	if (over >= 1 && over <= 4)
		return NULL;
	do {
		if (++g->move > 4) {
			g->move = 1;
			g->turn++;
		}
	} while (g->defeated[g->move]);
	return NULL;
}

static bool read_place(const char *text, struct twin_place *out)
{
	if (strlen(text) != 2 || text[0] < 'A' || text[0] > 'D' || text[1] < '1' || text[1] > '4')
		return false;
	*out = (struct twin_place){ text[0] - 'A', text[1] - '1' };
	return true;
}

const char *twin_starchess_play(struct twin_galaxy *g, const char *command)
{
	char word[16] = "", a[8] = "", b[8] = "", c[8] = "";
	struct twin_place from = { 0, 0 }, to = { 0, 0 };
	sscanf(command, "%15s %7s %7s %7s", word, a, b, c);
	if (twin_starchess_over(g))
		return "the game has ended";
	if (strcmp(word, "end") == 0)
		return end_turn(g);
	if (!read_place(a, &from))
		return "a sector";
	struct twin_sector *s = &g->at[from.column][from.row];
	if (strcmp(word, "terraform") == 0)
		return terraform(g, s);
	if (strcmp(word, "colonize") == 0)
		return colonize(g, s);
	if (strcmp(word, "build") == 0)
		return build(g, s, atoi(b));
	if (strcmp(word, "scrap") == 0)
		return scrap(g, s, atoi(b));
	if (strcmp(word, "move") == 0)
		return read_place(b, &to) ? move_ships(g, from, to, atoi(c)) : "a sector";
	return "a command";
}
