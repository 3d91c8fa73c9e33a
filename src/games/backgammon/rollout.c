/*
 * rollout.c - rolls a backgammon position out.
 * SPDX-License-Identifier: MIT
 */
#include "games/backgammon/rollout.h"

#include <math.h>

enum { ROLLS = BACKGAMMON_FACES * BACKGAMMON_FACES, CANDIDATES = 4 };

/* ---- Dice ---- */

/*
 * One of the 36 rolls. The first roll of a game is its place in the block; the second one runs
 * through all rolls in 36 blocks, in an order that the seed and the first roll decide.
 */
static int roll_at(const struct rollout *r, int64_t game, int turn)
{
	const uint64_t key = qv_random_key(r->seed, (uint64_t)turn);
	if (turn == 0)
		return (int)(game % ROLLS);
	if (turn == 1)
		return (int)((qv_random_below_at(key, (uint64_t)(game % ROLLS), ROLLS) +
			      (uint64_t)(game / ROLLS)) %
			     ROLLS);
	return (int)qv_random_below_at(key, (uint64_t)game, ROLLS);
}

/* ---- Turns ---- */

/* A game that is being played. */
struct game {
	struct backgammon s;
	struct cube_view view; /* of s.turn */
	bool cubeful;
};

/* Chances and the value as numbers that can be summed. */
static void values_of(const struct backgammon_chances *c, double worth,
		      double values[ROLLOUT_VALUES])
{
	for (int k = 0; k < BACKGAMMON_OUTPUTS; k++)
		values[k] = (double)c->of[k];
	values[ROLLOUT_EQUITY] = worth;
}

/* A turn, the position after it, and its static chances and value for the seat that made it. */
struct turn {
	struct backgammon after;
	struct backgammon_chances chances;
	double worth; /* cubeful: as in cube.h; else the money equity */
};

/* Values a turn. theirs: the cube as the other seat sees it; NULL: cubeless. */
static double value_turn(struct equity *e, const struct backgammon *after, int plies,
			 const struct cube_view *theirs, struct backgammon_chances *out)
{
	double worth;
	equity_look_ahead(e, after, plies, theirs != NULL, theirs, theirs != NULL, out, &worth);
	*out = backgammon_flip(out);
	return theirs ? -worth : (double)backgammon_equity(out);
}

/* The best turns of a roll by the static evaluation, best first; returns how many, at most `room`. */
static int best_turns(struct equity *e, const struct game *g, int one, int two, struct turn *best,
		      int room)
{
	const struct cube_view theirs = cube_turned(&g->view);
	struct backgammon rolled = g->s;
	qv_move list[BACKGAMMON_MAX_MOVES];
	int count = 0;
	rolled.phase = BACKGAMMON_MOVE;
	rolled.dice[0] = (uint8_t)(one > two ? one : two);
	rolled.dice[1] = (uint8_t)(one > two ? two : one);
	for (int i = 0, n = backgammon_moves(&rolled, list); i < n; i++) {
		struct turn t = { .after = rolled };
		backgammon_play(&t.after, list[i]);
		t.worth = value_turn(e, &t.after, 0, g->cubeful ? &theirs : NULL, &t.chances);
		int place = count;
		while (place && best[place - 1].worth < t.worth)
			place--;
		if (place == room)
			continue;
		const int moved = (count < room ? count : room - 1) - place;
		memmove(&best[place + 1], &best[place], (size_t)moved * sizeof *best);
		best[place] = t;
		count += count < room;
	}
	return count;
}

/* Of the best turns, the one with the best look-ahead. */
static const struct turn *choose(struct equity *e, const struct game *g, int plies,
				 const struct turn *best, int count)
{
	const struct cube_view theirs = cube_turned(&g->view);
	const struct turn *chosen = best;
	double most = -INFINITY;
	for (int i = 0; plies && count > 1 && i < count; i++) {
		struct backgammon_chances c;
		const double worth =
			value_turn(e, &best[i].after, plies, g->cubeful ? &theirs : NULL, &c);
		if (worth > most) {
			most = worth;
			chosen = &best[i];
		}
	}
	return chosen;
}

/* ---- The cube ---- */

/*
 * The seat to roll doubles if that is best, and the other one answers for the best. True: a drop
 * has ended the game; *worth and the chances are those of the seat to roll.
 */
static bool use_cube(struct equity *e, int plies, struct game *g, struct backgammon_chances *c,
		     double *worth)
{
	const struct cube_view views[] = { g->view, cube_doubled(&g->view) };
	double values[2];
	if (!cube_can_double(&views[0]) || views[0].value >= 1 << BACKGAMMON_MAX_CUBE)
		return false;
	equity_look_ahead(e, &g->s, plies, false, views, 2, c, values);
	const struct cube_offer offer = { values[0], values[1], cube_points(&views[0], 1) };
	if (!cube_should_double(&views[0], &offer))
		return false;
	g->view = views[1];
	if (cube_should_beaver(&views[0], &offer)) {
		*worth = cube_points(&g->view, -1);
		if (2 * offer.take < *worth)
			return true;
		g->view.value *= 2; /* in the same hands */
	} else if (!cube_should_take(&offer)) {
		*worth = offer.drop;
		return true;
	}
	equity_aim(e, &g->s, &g->view);
	return false;
}

double rollout_points(const struct cube_view *v, double worth)
{
	const double up = cube_points(v, 1), down = cube_points(v, -1);
	return (2 * worth - up - down) / (up - down);
}

double rollout_worth(const struct cube_view *v, double points)
{
	const double up = cube_points(v, 1), down = cube_points(v, -1);
	return (points * (up - down) + up + down) / 2;
}

/* ---- Games ---- */

/* Adds the luck of a roll, for the seat that rolls: its static chances minus their mean. */
static void add_luck(struct equity *e, const struct game *g, const struct turn *rolled, double sign,
		     double luck[ROLLOUT_VALUES])
{
	double mean[ROLLOUT_VALUES] = { 0 }, values[ROLLOUT_VALUES];
	struct turn best;
	for (int one = 1; one <= BACKGAMMON_FACES; one++)
		for (int two = 1; two <= one; two++) {
			best_turns(e, g, one, two, &best, 1);
			values_of(&best.chances, best.worth, values);
			for (int k = 0; k < ROLLOUT_VALUES; k++)
				mean[k] += values[k] * (one == two ? 1 : 2) / ROLLS;
		}
	values_of(&rolled->chances, rolled->worth, values);
	/* The other seat's chances are this seat's in another order. */
	static const int other[ROLLOUT_VALUES] = {
		[BACKGAMMON_WIN_ANY] = BACKGAMMON_WIN_ANY,
		[BACKGAMMON_WIN_GAMMON] = BACKGAMMON_LOSE_GAMMON,
		[BACKGAMMON_WIN_BACKGAMMON] = BACKGAMMON_LOSE_BACKGAMMON,
		[BACKGAMMON_LOSE_GAMMON] = BACKGAMMON_WIN_GAMMON,
		[BACKGAMMON_LOSE_BACKGAMMON] = BACKGAMMON_WIN_BACKGAMMON,
		[ROLLOUT_EQUITY] = ROLLOUT_EQUITY,
	};
	for (int k = 0; k < ROLLOUT_VALUES; k++) {
		const double by = values[k] - mean[k];
		if (sign > 0)
			luck[k] += by;
		else
			luck[other[k]] += k == BACKGAMMON_WIN_ANY || k == ROLLOUT_EQUITY ? -by : by;
	}
}

/* The chances and the value of a game that has ended or is cut, for the seat to roll. */
static double value_end(struct equity *e, const struct game *g, struct backgammon_chances *out)
{
	double worth = 0;
	if (g->cubeful && !backgammon_has_ended(&g->s)) {
		equity_look_ahead(e, &g->s, 0, true, &g->view, 1, out, &worth);
		return worth;
	}
	equity_static(e, &g->s, out);
	return g->cubeful ? cube_dead_worth(&g->view, out) : 0;
}

/* Plays one game and adds its values. False: stopped. */
static bool play_game(const struct rollout *r, struct equity *e, int64_t game,
		      struct rollout_block *out)
{
	struct game g = { r->start, r->cubeful ? r->cube : (struct cube_view){ .value = 1 },
			  r->cubeful };
	struct backgammon_chances c;
	double luck[ROLLOUT_VALUES] = { 0 }, values[ROLLOUT_VALUES], worth = 0;
	const int most = r->truncate ? r->truncate : ROLLOUT_MAX_TURNS;
	bool dropped = false;
	equity_aim(e, &g.s, &g.view);
	for (int turn = 0; turn < most && !backgammon_has_ended(&g.s); turn++) {
		struct turn best[CANDIDATES];
		const int roll = roll_at(r, game, turn);
		if (budget_poll(&e->budget, e->nodes, e->evals))
			return false;
		dropped = r->cubeful && (turn > 0 || !r->rolls_first) &&
			  use_cube(e, r->plies, &g, &c, &worth);
		if (dropped)
			break;
		const int n =
			best_turns(e, &g, roll / BACKGAMMON_FACES + 1, roll % BACKGAMMON_FACES + 1,
				   best, r->plies ? CANDIDATES : 1);
		if (!r->plain)
			add_luck(e, &g, &best[0], g.s.turn == r->start.turn ? 1 : -1, luck);
		g.s = choose(e, &g, r->plies, best, n)->after;
		g.view = cube_turned(&g.view);
		e->nodes++;
	}
	if (!dropped)
		worth = value_end(e, &g, &c);
	if (g.s.turn != r->start.turn) {
		c = backgammon_flip(&c);
		worth = -worth;
	}
	values_of(&c, r->cubeful ? worth : (double)backgammon_equity(&c), values);
	for (int k = 0; k < ROLLOUT_VALUES; k++) {
		double value = values[k] - luck[k];
		if (r->cubeful && k == ROLLOUT_EQUITY)
			value = rollout_points(&r->unit, value);
		out->sum[k] += value;
		out->square[k] += value * value;
	}
	return !e->budget.stopped;
}

bool rollout_block(const struct rollout *r, struct equity *e, int64_t block,
		   struct rollout_block *out)
{
	struct rollout_block sums = { { 0 }, { 0 } };
	for (int i = 0; i < ROLLOUT_BLOCK; i++)
		if (!play_game(r, e, block * ROLLOUT_BLOCK + i, &sums))
			return false;
	*out = sums;
	return true;
}

/* ---- Statistics ---- */

struct rollout_result rollout_sum(const struct rollout_block *blocks, int64_t count)
{
	struct rollout_result result = { .games = count * ROLLOUT_BLOCK };
	const double n = (double)result.games;
	if (!count)
		return result;
	for (int k = 0; k < ROLLOUT_VALUES; k++) {
		double sum = 0, square = 0;
		for (int64_t i = 0; i < count; i++) {
			sum += blocks[i].sum[k];
			square += blocks[i].square[k];
		}
		const double variance = (square - sum * sum / n) / (n - 1);
		result.mean[k] = sum / n;
		result.error[k] = sqrt(variance > 0 ? variance / n : 0);
	}
	return result;
}

double rollout_difference_error(const struct rollout_block *a, const struct rollout_block *b,
				int64_t count)
{
	double sum = 0, square = 0;
	if (count < 2)
		return 0;
	for (int64_t i = 0; i < count; i++) {
		const double d =
			(a[i].sum[ROLLOUT_EQUITY] - b[i].sum[ROLLOUT_EQUITY]) / ROLLOUT_BLOCK;
		sum += d;
		square += d * d;
	}
	const double n = (double)count, variance = (square - sum * sum / n) / (n - 1);
	return sqrt(variance > 0 ? variance / n : 0);
}
