/*
 * equity.c - looks ahead over the dice.
 * SPDX-License-Identifier: MIT
 *
 * Nearly all time goes into static evaluations of replies. The tree does not depend on the cube, so
 * one pass values all the views of the cube that the decisions within it need: at most two for each
 * ply and each view at the root.
 */
#include "games/backgammon/equity.h"

#include "search/visit.h"

enum { MAX_VIEWS = EQUITY_MAX_VIEWS << EQUITY_MAX_PLIES };

/* ---- The cache ---- */

struct equity_cache_entry {
	uint64_t key; /* 0: empty */
	struct backgammon_chances chances;
};

enum qv_status equity_init(struct equity *e, const struct qv_allocator *allocator,
			   struct backgammon_tables *tables, size_t megabytes)
{
	*e = (struct equity){ .nets = backgammon_nets(), .tables = tables, .allocator = allocator };
	if (!megabytes)
		return QV_OK;
	size_t size = 1;
	while (size * 2 * sizeof *e->cache <= megabytes << 20)
		size *= 2;
	e->cache = mem_new(allocator, size, sizeof *e->cache);
	e->cache_size = e->cache ? size : 0;
	return e->cache ? QV_OK : QV_NO_MEMORY;
}

void equity_release(struct equity *e)
{
	mem_free(e->allocator, e->cache, e->cache_size * sizeof *e->cache);
	e->cache = NULL;
	e->cache_size = 0;
}

static uint64_t key_of(const struct backgammon *s)
{
	uint8_t men[2 * BACKGAMMON_PLACES + 4] = { 0 }; /* a whole number of words */
	memcpy(men, s->men[s->turn], BACKGAMMON_PLACES);
	memcpy(men + BACKGAMMON_PLACES, s->men[1 - s->turn], BACKGAMMON_PLACES);
	return qv_hash_bytes(men, sizeof men) | 1;
}

void equity_static(struct equity *e, const struct backgammon *s, struct backgammon_chances *out)
{
	e->evals++;
	if (e->tables && bearoff_chances(e->tables, s, out))
		return;
	if (!e->cache) {
		backgammon_chances(e->nets, s, out);
		return;
	}
	const uint64_t key = key_of(s);
	struct equity_cache_entry *entry = &e->cache[(key >> 1) & (e->cache_size - 1)];
	if (entry->key != key) {
		backgammon_chances(e->nets, s, &entry->chances);
		entry->key = key;
	}
	*out = entry->chances;
}

/* ---- Positions ---- */

struct backgammon equity_plain(const struct backgammon *s)
{
	struct backgammon plain = { .turn = s->turn,
				    .phase = s->phase == BACKGAMMON_MOVE ? BACKGAMMON_MOVE
									 : BACKGAMMON_ROLL,
				    .dice = { s->dice[0], s->dice[1] },
				    .owner = BACKGAMMON_MIDDLE };
	memcpy(plain.men, s->men, sizeof plain.men);
	return plain;
}

/* ---- Replies ---- */

/*
 * A value that is linear in the chances: that of a dead cube. Gammons count under Jacoby's rule,
 * too, because the cube may still be turned.
 */
void equity_aim(struct equity *e, const struct backgammon *s, const struct cube_view *v)
{
	struct cube_view views[2] = { *v, cube_turned(v) };
	for (int i = 0; i < 2; i++) {
		views[i].jacoby = false;
		double *weight = e->weight[i ? 1 - s->turn : s->turn], up[4], down[4];
		for (int k = 1; k <= 3; k++) {
			up[k] = cube_points(&views[i], k);
			down[k] = cube_points(&views[i], -k);
		}
		weight[BACKGAMMON_WIN_ANY] = up[1] - down[1];
		weight[BACKGAMMON_WIN_GAMMON] = up[2] - up[1];
		weight[BACKGAMMON_WIN_BACKGAMMON] = up[3] - up[2];
		weight[BACKGAMMON_LOSE_GAMMON] = down[2] - down[1];
		weight[BACKGAMMON_LOSE_BACKGAMMON] = down[3] - down[2];
	}
}

/* Counts a node. False: the search must end. */
static bool count_node(struct equity *e)
{
	e->nodes++;
	return e->nodes < e->budget.check_at || !budget_poll(&e->budget, e->nodes, e->evals);
}

static struct backgammon roll(const struct backgammon *s, int one, int two)
{
	struct backgammon rolled = *s;
	rolled.phase = BACKGAMMON_MOVE;
	rolled.dice[0] = (uint8_t)one;
	rolled.dice[1] = (uint8_t)two;
	return rolled;
}

/* Plays the turn with these dice that is best by the static evaluation; returns it. */
static qv_move play_best(struct equity *e, const struct backgammon *s, int one, int two,
			 struct backgammon *after)
{
	const struct backgammon rolled = roll(s, one, two);
	qv_move list[BACKGAMMON_MAX_MOVES], best = QV_NO_MOVE;
	const int n = backgammon_moves(&rolled, list);
	const double *weight = e->weight[1 - s->turn];
	double worst = 0;
	for (int i = 0; i < n && !e->budget.stopped; i++) {
		struct backgammon next = rolled;
		struct backgammon_chances c;
		double value = 0;
		backgammon_play(&next, list[i]);
		if (!count_node(e))
			return best;
		if (n > 1) {
			equity_static(e, &next, &c);
			for (int k = 0; k < BACKGAMMON_OUTPUTS; k++)
				value += weight[k] * (double)c.of[k];
		}
		if (i == 0 || value < worst) {
			worst = value;
			*after = next;
			best = list[i];
		}
	}
	return best;
}

/* ---- Exact values ---- */

/* The exact value of a position of the two-sided table; it decides about the cube first. */
static double exact_worth(const struct two_sided *table, const struct backgammon *s, bool doubles,
			  const struct cube_view *v)
{
	const enum two_sided_cube cube = !v->live	? TWO_SIDED_CUBELESS
					 : v->owner > 0 ? TWO_SIDED_OWNED
					 : v->owner < 0 ? TWO_SIDED_THEIRS
							: TWO_SIDED_CENTRED;
	return v->value * (doubles ? two_sided_decide(table, s, cube).equity
				   : two_sided_equity(table, s, cube));
}

/*
 * Values a position by the tables, if they are exact for it in all the views. A match is decided by
 * more than points, so there they have only the chances.
 */
static bool value_exactly(struct equity *e, const struct backgammon *s, bool doubles,
			  const struct cube_view *views, int count, struct backgammon_chances *out,
			  double *worth)
{
	if (!e->tables || (count && views[0].match) || !two_sided_has(s) || backgammon_has_ended(s))
		return false;
	const struct two_sided *table = backgammon_two_sided(e->tables);
	if (!table)
		return false;
	equity_static(e, s, out);
	for (int i = 0; i < count; i++)
		worth[i] = exact_worth(table, s, doubles, &views[i]);
	if (e->listener && count)
		visit_why(e->listener, e->ply, QV_WHY_SOLVED, EQUITY_UNIT * worth[0]);
	return true;
}

/* ---- Looking ahead ---- */

static void value_leaf(struct equity *e, const struct backgammon *s, const struct cube_view *views,
		       int count, struct backgammon_chances *out, double *worth)
{
	equity_static(e, s, out);
	const double life = count ? cube_life(s) : 0;
	for (int i = 0; i < count; i++)
		worth[i] = cube_worth(&views[i], out, life);
	if (e->listener && count)
		visit_why(e->listener, e->ply, backgammon_has_ended(s) ? QV_WHY_ENDED : QV_WHY_LEAF,
			  EQUITY_UNIT * worth[0]);
}

static void look(struct equity *e, const struct backgammon *s, int plies,
		 const struct cube_view *views, int count, struct backgammon_chances *out,
		 double *worth);

/* One node of the tree for a listener; its values are those of the seat to roll or to move. */
static void enter(const struct equity *e, const struct backgammon *s, qv_move move, int plies,
		  int ply)
{
	visit_enter(e->listener, &(struct qv_visit){ .state = s,
						     .move = move,
						     .ply = ply,
						     .depth = plies,
						     .seat = s->turn,
						     .alpha = -INFINITY,
						     .beta = INFINITY });
}

/* `look` after a roll and the turn that is played, as visits to both. */
static void visit_roll(struct equity *e, const struct backgammon *s, int one, int two, qv_move best,
		       const struct backgammon *after, int plies, const struct cube_view *views,
		       int count, struct backgammon_chances *out, double *worth)
{
	const struct backgammon rolled = roll(s, one, two);
	enter(e, &rolled, (qv_move)(one | two << 3), plies, e->ply + 1);
	enter(e, after, best, plies - 1, e->ply + 2);
	e->ply += 2;
	look(e, after, plies - 1, views, count, out, worth);
	e->ply -= 2;
	if (e->budget.stopped)
		return;
	visit_leave(e->listener, e->ply + 2, EQUITY_UNIT * worth[0], QV_NO_MOVE);
	visit_leave(e->listener, e->ply + 1, -EQUITY_UNIT * worth[0], best);
}

/* The mean over the rolls, none of which is doubled. */
static void average(struct equity *e, const struct backgammon *s, int plies,
		    const struct cube_view *views, int count, struct backgammon_chances *out,
		    double *worth)
{
	struct cube_view turned[MAX_VIEWS];
	double sum[BACKGAMMON_OUTPUTS] = { 0 };
	if (value_exactly(e, s, false, views, count, out, worth))
		return;
	if (plies == 0 || backgammon_has_ended(s)) {
		value_leaf(e, s, views, count, out, worth);
		return;
	}
	for (int i = 0; i < count; i++) {
		turned[i] = cube_turned(&views[i]);
		worth[i] = 0;
	}
	for (int one = 1; one <= BACKGAMMON_FACES; one++)
		for (int two = 1; two <= one; two++) {
			const double weight = (one == two ? 1 : 2) / 36.0;
			struct backgammon after;
			struct backgammon_chances c;
			double values[MAX_VIEWS];
			const qv_move best = play_best(e, s, one, two, &after);
			if (e->budget.stopped)
				return;
			if (e->listener)
				visit_roll(e, s, one, two, best, &after, plies, turned, count, &c,
					   values);
			else
				look(e, &after, plies - 1, turned, count, &c, values);
			c = backgammon_flip(&c);
			for (int k = 0; k < BACKGAMMON_OUTPUTS; k++)
				sum[k] += weight * (double)c.of[k];
			for (int i = 0; i < count; i++)
				worth[i] -= weight * values[i];
		}
	for (int k = 0; k < BACKGAMMON_OUTPUTS; k++)
		out->of[k] = (float)sum[k];
}

/* As `average`, but the seat to roll may double first, except at the leaves. */
static void look(struct equity *e, const struct backgammon *s, int plies,
		 const struct cube_view *views, int count, struct backgammon_chances *out,
		 double *worth)
{
	if (value_exactly(e, s, true, views, count, out, worth))
		return;
	if (plies == 0 || backgammon_has_ended(s)) {
		value_leaf(e, s, views, count, out, worth);
		return;
	}
	struct cube_view all[MAX_VIEWS] = { { 0 } };
	double values[MAX_VIEWS];
	int n = 0;
	for (int i = 0; i < count; i++) {
		all[n++] = views[i];
		if (cube_can_double(&views[i]))
			all[n++] = cube_doubled(&views[i]);
	}
	average(e, s, plies, all, n, out, values);
	n = 0;
	for (int i = 0; i < count; i++) {
		worth[i] = values[n++];
		if (!cube_can_double(&views[i]))
			continue;
		const struct cube_offer offer = { worth[i], values[n++],
						  cube_points(&views[i], 1) };
		if (cube_should_double(&views[i], &offer))
			worth[i] = cube_offer_worth(&views[i], &offer);
	}
}

void equity_look_ahead(struct equity *e, const struct backgammon *s, int plies, bool doubles,
		       const struct cube_view *views, int count, struct backgammon_chances *out,
		       double *worth)
{
	(doubles ? look : average)(e, s, plies, views, count, out, worth);
}

/* ---- The static estimate ---- */

double equity_estimate(const void *state, int seat)
{
	const struct backgammon *s = state;
	struct match_equity table;
	const int needed = s->match - (s->score[0] < s->score[1] ? s->score[0] : s->score[1]);
	if (s->match)
		match_equity_compute(&table, needed);
	const struct cube_view v = cube_view_of(s, s->turn, &table);
	double value = 0;
	if (s->phase == BACKGAMMON_OPENING && s->match) {
		/* Between games. The Crawford game is about to begin, if this is it. */
		const bool after = v.after_crawford && !(s->flags & BACKGAMMON_CRAWFORD_GAME);
		value = 2 * match_equity_at(&table, v.away[0], v.away[1], after) - 1;
	} else if (s->phase != BACKGAMMON_OPENING) {
		const struct backgammon plain = equity_plain(s);
		const struct cube_view doubled = cube_doubled(&v);
		const double life = cube_life(s);
		struct backgammon_chances c;
		backgammon_chances(backgammon_nets(), &plain, &c);
		value = cube_worth(&v, &c, life);
		const struct cube_offer o = { value, cube_worth(&doubled, &c, life),
					      cube_points(&v, 1) };
		if (s->phase == BACKGAMMON_ANSWER && s->flags & BACKGAMMON_BEAVERED)
			value = o.take > cube_points(&v, -1) ? o.take : cube_points(&v, -1);
		else if (s->phase == BACKGAMMON_ANSWER)
			value = cube_offer_worth(&v, &o);
	}
	return s->turn == seat ? value : -value;
}
