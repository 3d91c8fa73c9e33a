/*
 * cube.c - Janowski's formula for money games and matches.
 * SPDX-License-Identifier: MIT
 *
 * Money: the live cube has a closed form, since each cube is worth twice the one before. Match: the
 * cash points follow from those of the next cube, up to one that is of no use to its owner.
 */
#include "games/backgammon/cube.h"

struct cube_view cube_view_of(const struct backgammon *s, int seat,
			      const struct match_equity *table)
{
	const int other = 1 - seat;
	const bool crawford = s->flags & BACKGAMMON_CRAWFORD_GAME;
	struct cube_view v = { .value = 1 << s->cube,
			       .live = s->flags & BACKGAMMON_HAS_CUBE && !crawford,
			       .jacoby = s->flags & BACKGAMMON_JACOBY,
			       .beavers = s->flags & BACKGAMMON_BEAVERS };
	if (s->owner != BACKGAMMON_MIDDLE)
		v.owner = s->owner == seat ? 1 : -1;
	if (!s->match)
		return v;
	v.match = table;
	v.away[0] = s->match - s->score[seat];
	v.away[1] = s->match - s->score[other];
	/* A game that leads to 1-away is followed by the Crawford game, except this one. */
	v.after_crawford = !(s->flags & BACKGAMMON_CRAWFORD) || v.away[0] == 1 || v.away[1] == 1;
	return v;
}

struct cube_view cube_turned(const struct cube_view *v)
{
	struct cube_view turned = *v;
	turned.owner = -v->owner;
	turned.away[0] = v->away[1];
	turned.away[1] = v->away[0];
	return turned;
}

struct cube_view cube_doubled(const struct cube_view *v)
{
	struct cube_view doubled = *v;
	doubled.value = 2 * v->value;
	doubled.owner = -1;
	return doubled;
}

bool cube_can_double(const struct cube_view *v)
{
	return v->live && v->owner >= 0 && (!v->match || v->away[0] > v->value);
}

/* The value of winning or losing so many points. */
static double worth_of(const struct cube_view *v, int points)
{
	if (!v->match)
		return points;
	const int mine = v->away[0] - (points > 0 ? points : 0);
	const int theirs = v->away[1] + (points < 0 ? points : 0);
	return 2 * match_equity_at(v->match, mine, theirs, v->after_crawford) - 1;
}

double cube_points(const struct cube_view *v, int points)
{
	const bool single = v->jacoby && !v->match && v->live && v->owner == 0;
	if (single)
		points = points > 0 ? 1 : -1;
	return worth_of(v, points * v->value);
}

/* ---- The dead cube ---- */

/* What wins and losses are worth on average. */
struct stakes {
	double p;		/* the chance to win */
	double won[3], lost[3]; /* the shares of plain results, gammons and backgammons */
};

static void shares(double all, double gammons, double backgammons, double out[3])
{
	const double scale = all > 1e-9 ? 1 / all : 0;
	const double g = gammons * scale < 1 ? gammons * scale : 1;
	const double b = backgammons * scale < g ? backgammons * scale : g;
	out[0] = 1 - g;
	out[1] = g - b;
	out[2] = b;
}

static struct stakes stakes_of(const struct backgammon_chances *c)
{
	struct stakes k = { .p = (double)c->of[BACKGAMMON_WIN_ANY] };
	shares(k.p, (double)c->of[BACKGAMMON_WIN_GAMMON], (double)c->of[BACKGAMMON_WIN_BACKGAMMON],
	       k.won);
	shares(1 - k.p, (double)c->of[BACKGAMMON_LOSE_GAMMON],
	       (double)c->of[BACKGAMMON_LOSE_BACKGAMMON], k.lost);
	return k;
}

/* The mean value of a win, or of a loss, with a cube of this value. */
static double won(const struct cube_view *v, const struct stakes *k, int value)
{
	double sum = 0;
	for (int i = 0; i < 3; i++)
		sum += k->won[i] * worth_of(v, (i + 1) * value);
	return sum;
}

static double lost(const struct cube_view *v, const struct stakes *k, int value)
{
	double sum = 0;
	for (int i = 0; i < 3; i++)
		sum += k->lost[i] * worth_of(v, -(i + 1) * value);
	return sum;
}

double cube_dead_worth(const struct cube_view *v, const struct backgammon_chances *c)
{
	const struct stakes k = stakes_of(c);
	double up = 0, down = 0;
	for (int i = 0; i < 3; i++) {
		up += k.won[i] * cube_points(v, i + 1);
		down += k.lost[i] * cube_points(v, -(i + 1));
	}
	return down + k.p * (up - down);
}

/* ---- The live cube ---- */

/* The line through (x0, y0) and (x1, y1) at x. */
static double line(double x0, double y0, double x1, double y1, double x)
{
	return x1 - x0 > 1e-9 ? y0 + (y1 - y0) * (x - x0) / (x1 - x0) : y1;
}

/*
 * A value that is linear between four points: a loss, the point where the other seat cashes, the
 * point where this seat cashes, a win. Without such a point it is that of the loss or win.
 */
struct curve {
	double low_p, low; /* the other seat cashes */
	double high_p, high;
	double bottom, top; /* at p = 0 and p = 1 */
};

static double curve_at(const struct curve *u, double p)
{
	if (p < u->low_p)
		return line(0, u->bottom, u->low_p, u->low, p);
	if (p > u->high_p)
		return line(u->high_p, u->high, 1, u->top, p);
	return line(u->low_p, u->low, u->high_p, u->high, p);
}

/* Without gammons all points count once while the cube is in the middle and Jacoby's rule holds. */
static double money_live(const struct cube_view *v, const struct stakes *k)
{
	const double w = won(v, k, 1), l = -lost(v, k, 1);
	const double take = (l - 0.5) / (w + l + 0.5), cash = (l + 1) / (w + l + 0.5);
	const bool single = v->jacoby && v->owner == 0;
	struct curve u = { 0, -l, 1, w, single ? -1 : -l, single ? 1 : w };
	if (v->owner <= 0) {
		u.low_p = take;
		u.low = -1;
	}
	if (v->owner >= 0) {
		u.high_p = cash;
		u.high = 1;
	}
	return v->value * curve_at(&u, k->p);
}

static double their_cash_point(const struct cube_view *v, const struct stakes *k, int value);

/*
 * The chance to win at which the other seat may as well drop a double from `value`. 1: a double is
 * of no use.
 */
static double cash_point(const struct cube_view *v, const struct stakes *k, int value)
{
	if (v->away[0] <= value)
		return 1;
	const double dropped = worth_of(v, value), top = won(v, k, 2 * value);
	if (v->away[1] <= 2 * value) { /* the new cube is of no use to its owner */
		const double bottom = lost(v, k, 2 * value);
		return line(bottom, 0, top, 1, dropped);
	}
	const double p = their_cash_point(v, k, 2 * value);
	return line(worth_of(v, -2 * value), p, top, 1, dropped);
}

/* Likewise for a double of the other seat, as this seat's chance to win. */
static double their_cash_point(const struct cube_view *v, const struct stakes *k, int value)
{
	if (v->away[1] <= value)
		return 0;
	const double dropped = worth_of(v, -value), bottom = lost(v, k, 2 * value);
	if (v->away[0] <= 2 * value) {
		const double top = won(v, k, 2 * value);
		return line(bottom, 0, top, 1, dropped);
	}
	const double p = cash_point(v, k, 2 * value);
	return line(bottom, 0, worth_of(v, 2 * value), p, dropped);
}

static double match_live(const struct cube_view *v, const struct stakes *k)
{
	const double bottom = lost(v, k, v->value), top = won(v, k, v->value);
	struct curve u = { 0, bottom, 1, top, bottom, top };
	if (v->owner <= 0 && v->away[1] > v->value) {
		u.low_p = their_cash_point(v, k, v->value);
		u.low = worth_of(v, -v->value);
	}
	if (v->owner >= 0 && v->away[0] > v->value) {
		u.high_p = cash_point(v, k, v->value);
		u.high = worth_of(v, v->value);
	}
	return curve_at(&u, k->p);
}

/*
 * Whether a seat has nothing to lose by a double, since the other one wins the match with the cube
 * as it is. It doubles at its next turn, unless it is too good.
 */
static bool doubles_for_free(const struct cube_view *v)
{
	return v->match && cube_can_double(v) && v->away[1] <= v->value;
}

static double smaller(double a, double b)
{
	return a < b ? a : b;
}

/* The value for a seat that doubles for free: the other one takes or drops, or it plays on. */
static double free_double_worth(const struct cube_view *v, const struct backgammon_chances *c,
				double live, double life)
{
	const struct cube_view doubled = cube_doubled(v);
	const double dropped = worth_of(v, v->value), plain = cube_dead_worth(v, c);
	const double value = (1 - life) * smaller(cube_dead_worth(&doubled, c), dropped) +
			     life * smaller(live, dropped);
	return value > plain ? value : plain;
}

double cube_worth(const struct cube_view *v, const struct backgammon_chances *c, double life)
{
	if (!v->live)
		return cube_dead_worth(v, c);
	const struct stakes k = stakes_of(c);
	const double live = v->match ? match_live(v, &k) : money_live(v, &k);
	const struct cube_view theirs = cube_turned(v);
	if (doubles_for_free(v))
		return free_double_worth(v, c, live, life);
	if (doubles_for_free(&theirs)) {
		const struct backgammon_chances turned = backgammon_flip(c);
		return -free_double_worth(&theirs, &turned, -live, life);
	}
	return (1 - life) * cube_dead_worth(v, c) + life * live;
}

double cube_life(const struct backgammon *s)
{
	if (backgammon_rear(s->men[0]) + backgammon_rear(s->men[1]) > BACKGAMMON_POINTS)
		return 0.68;
	const double life = 0.55 + backgammon_pips(s->men[s->turn]) / 800.0;
	return life < 0.6 ? 0.6 : life > 0.7 ? 0.7 : life;
}

/* ---- Decisions ---- */

bool cube_should_take(const struct cube_offer *o)
{
	return o->take <= o->drop;
}

bool cube_should_beaver(const struct cube_view *v, const struct cube_offer *o)
{
	return v->beavers && o->take < 0;
}

double cube_beaver_worth(const struct cube_view *v, const struct cube_offer *o)
{
	/* The cube is in the same hands and counts twice as much. */
	const double taken = 2 * o->take, dropped = worth_of(v, -2 * v->value);
	return taken > dropped ? taken : dropped;
}

double cube_offer_worth(const struct cube_view *v, const struct cube_offer *o)
{
	if (cube_should_beaver(v, o))
		return cube_beaver_worth(v, o);
	return cube_should_take(o) ? o->take : o->drop;
}

bool cube_should_double(const struct cube_view *v, const struct cube_offer *o)
{
	if (!cube_can_double(v))
		return false;
	const double doubled = cube_offer_worth(v, o);
	return doubled > o->keep || (doubles_for_free(v) && doubled > o->keep - 1e-6);
}
