/*
 * moves.c - the turns of backgammon, each resulting position once.
 * SPDX-License-Identifier: MIT
 *
 * Doubles: steps by descending source reach every position, and each exactly once. A step from a
 * lower source never makes one from a higher source possible. The number of steps from each place
 * follows from the men that are left, counted from the rear. Two different dice are tried in both
 * orders, and a turn whose change of the board was seen before is dropped.
 */
#include "games/backgammon/rules.h"

struct generator {
	uint8_t mine[BACKGAMMON_PLACES];
	uint32_t blocked; /* points of the mover that the other seat holds, as a set */
	qv_move *list;
	int count, best; /* best: the most steps of a turn so far */
};

static struct generator make_generator(const struct backgammon *s, qv_move *list)
{
	struct generator g = { .list = list };
	const uint8_t *theirs = s->men[1 - s->turn];
	memcpy(g.mine, s->men[s->turn], sizeof g.mine);
	for (int point = 1; point <= BACKGAMMON_POINTS; point++)
		g.blocked |= (uint32_t)(theirs[BACKGAMMON_BAR - point] > 1) << point;
	return g;
}

uint32_t backgammon_blots(const struct backgammon *s)
{
	const uint8_t *theirs = s->men[1 - s->turn];
	uint32_t blots = 0;
	for (int point = 1; point <= BACKGAMMON_POINTS; point++)
		blots |= (uint32_t)(theirs[BACKGAMMON_BAR - point] == 1) << point;
	return blots;
}

struct backgammon_change backgammon_change_of(const struct backgammon *s, qv_move move)
{
	struct backgammon_change c = { { 0, 0 }, 0 };
	uint32_t landed = 0;
	for (int i = 0, n = backgammon_steps(move); i < n; i++) {
		const int from = backgammon_step_from(move, i);
		const int to = backgammon_target(from, backgammon_step_die(move, i));
		backgammon_change_men(&c, from, to);
		landed |= UINT32_C(1) << to;
	}
	c.hits = landed & backgammon_blots(s);
	return c;
}

/* Men on the bar must enter first. A man is borne off if all are in the home board; with a larger
 * number only from the rearmost point. */
static bool can_step(const struct generator *g, int from, int die)
{
	if (!g->mine[from] || (g->mine[BACKGAMMON_BAR] && from != BACKGAMMON_BAR))
		return false;
	if (from > die)
		return !(g->blocked >> (from - die) & 1);
	const int rear = backgammon_rear(g->mine);
	return rear <= BACKGAMMON_HOME && (from == die || from == rear);
}

static void step(struct generator *g, int from, int die)
{
	g->mine[from]--;
	g->mine[backgammon_target(from, die)]++;
}

static void step_back(struct generator *g, int from, int die)
{
	g->mine[from]++;
	g->mine[backgammon_target(from, die)]--;
}

static qv_move encode(int from, int die)
{
	return (qv_move)(from | die << 5);
}

/* ---- Doubles ---- */

static void add_doubles(struct generator *g, int die, int highest, int steps, qv_move so_far)
{
	if (steps > g->best) {
		g->best = steps;
		g->count = 0; /* a turn uses as many dice as possible */
	}
	if (steps == g->best)
		g->list[g->count++] = so_far;
	if (steps == BACKGAMMON_STEPS)
		return;
	for (int from = highest; from > BACKGAMMON_OFF; from--)
		if (can_step(g, from, die)) {
			step(g, from, die);
			add_doubles(g, die, from, steps + 1,
				    so_far | encode(from, die) << 8 * steps);
			step_back(g, from, die);
		}
}

/* ---- Two different dice ---- */

/* One man moves by the larger die and another by the smaller, or one by both, in either order. */
enum { MAX_PAIRS = BACKGAMMON_MEN * (BACKGAMMON_MEN - 1) + 2 * BACKGAMMON_MEN };

struct seen {
	struct backgammon_change change[MAX_PAIRS];
};

static bool is_same_change(const struct backgammon_change *a, const struct backgammon_change *b)
{
	return a->men[0] == b->men[0] && a->men[1] == b->men[1] && a->hits == b->hits;
}

static qv_move join_pair(qv_move one, qv_move two)
{
	const bool ordered = (one & 31) > (two & 31) || ((one & 31) == (two & 31) && one < two);
	return ordered ? one | two << 8 : two | one << 8;
}

/* Adds a turn of two steps, unless it leads to a position that another one leads to. */
static void add_pair(struct generator *g, const struct backgammon *s, struct seen *seen,
		     qv_move one, qv_move two)
{
	const qv_move move = join_pair(one, two);
	const struct backgammon_change c = backgammon_change_of(s, move);
	for (int i = 0; i < g->count; i++)
		if (is_same_change(&seen->change[i], &c))
			return;
	seen->change[g->count] = c;
	g->list[g->count++] = move;
}

static void add_pairs(struct generator *g, const struct backgammon *s, struct seen *seen, int first,
		      int second)
{
	for (int one = BACKGAMMON_BAR; one > BACKGAMMON_OFF; one--) {
		if (!can_step(g, one, first))
			continue;
		step(g, one, first);
		for (int two = BACKGAMMON_BAR; two > BACKGAMMON_OFF; two--)
			if (can_step(g, two, second))
				add_pair(g, s, seen, encode(one, first), encode(two, second));
		step_back(g, one, first);
	}
}

static void add_single(struct generator *g, int die)
{
	for (int from = BACKGAMMON_BAR; from > BACKGAMMON_OFF; from--)
		if (can_step(g, from, die))
			g->list[g->count++] = encode(from, die);
}

/* ---- All moves ---- */

static int list_rolls(const struct backgammon *s, qv_move *list)
{
	const bool opening = s->phase == BACKGAMMON_OPENING;
	int n = 0;
	for (unsigned one = 1; one <= BACKGAMMON_FACES; one++)
		for (unsigned two = 1; two <= BACKGAMMON_FACES; two++)
			if (opening ? one != two : one >= two)
				list[n++] = one | two << 3;
	return n;
}

static int list_decisions(const struct backgammon *s, qv_move *list)
{
	const bool before = s->phase == BACKGAMMON_CUBE;
	int n = 0;
	list[n++] = before ? BACKGAMMON_DO_ROLL : BACKGAMMON_TAKE;
	list[n++] = before ? BACKGAMMON_DOUBLE : BACKGAMMON_DROP;
	if (!before && backgammon_can_beaver(s))
		list[n++] = BACKGAMMON_BEAVER;
	return n;
}

int backgammon_moves(const struct backgammon *s, qv_move *list)
{
	if (s->phase > BACKGAMMON_MOVE)
		return list_decisions(s, list);
	if (s->phase != BACKGAMMON_MOVE)
		return list_rolls(s, list);
	struct generator g = make_generator(s, list);
	if (s->dice[0] == s->dice[1]) {
		add_doubles(&g, s->dice[0], BACKGAMMON_BAR, 0, BACKGAMMON_PASS);
		return g.count;
	}
	/* Both dice if possible, else the larger, else the smaller. */
	struct seen seen;
	add_pairs(&g, s, &seen, s->dice[0], s->dice[1]);
	add_pairs(&g, s, &seen, s->dice[1], s->dice[0]);
	if (!g.count)
		add_single(&g, s->dice[0]);
	if (!g.count)
		add_single(&g, s->dice[1]);
	if (!g.count)
		list[g.count++] = BACKGAMMON_PASS;
	return g.count;
}

/* ---- Other steps with the same result ---- */

/* Adds the pairs with this change, the first die used first. */
static void add_ways(struct generator *g, const struct backgammon *s, int first, int second,
		     qv_move move, const struct backgammon_change *change)
{
	for (int one = BACKGAMMON_BAR; one > BACKGAMMON_OFF; one--) {
		if (!can_step(g, one, first))
			continue;
		step(g, one, first);
		for (int two = BACKGAMMON_BAR; two > BACKGAMMON_OFF; two--) {
			if (!can_step(g, two, second))
				continue;
			const qv_move way = join_pair(encode(one, first), encode(two, second));
			const struct backgammon_change c = backgammon_change_of(s, way);
			bool known = way == move || !is_same_change(&c, change);
			for (int i = 0; i < g->count; i++)
				known = known || g->list[i] == way;
			if (!known && g->count < BACKGAMMON_WAYS)
				g->list[g->count++] = way;
		}
		step_back(g, one, first);
	}
}

int backgammon_ways(const struct backgammon *s, qv_move move, qv_move *list)
{
	if (s->phase != BACKGAMMON_MOVE || s->dice[0] == s->dice[1] || backgammon_steps(move) != 2)
		return 0;
	struct generator g = make_generator(s, list);
	const struct backgammon_change change = backgammon_change_of(s, move);
	add_ways(&g, s, s->dice[0], s->dice[1], move, &change);
	add_ways(&g, s, s->dice[1], s->dice[0], move, &change);
	return g.count;
}
