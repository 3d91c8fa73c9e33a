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

/* Chances and equity as numbers that can be summed. */
static void values_of(const struct backgammon_chances *c, double values[ROLLOUT_VALUES])
{
	for (int k = 0; k < BACKGAMMON_OUTPUTS; k++)
		values[k] = (double)c->of[k];
	values[ROLLOUT_EQUITY] = (double)backgammon_equity(c);
}

/* A turn, the position after it, and its static chances for the seat that made it. */
struct turn {
	struct backgammon after;
	struct backgammon_chances chances;
	float equity;
};

/* The best turns of a roll by the static evaluation, best first; returns how many, at most `room`. */
static int best_turns(struct equity *e, const struct backgammon *s, int one, int two,
		      struct turn *best, int room)
{
	struct backgammon rolled = *s;
	qv_move list[BACKGAMMON_MAX_MOVES];
	int count = 0;
	rolled.phase = BACKGAMMON_MOVE;
	rolled.dice[0] = (uint8_t)(one > two ? one : two);
	rolled.dice[1] = (uint8_t)(one > two ? two : one);
	for (int i = 0, n = backgammon_moves(&rolled, list); i < n; i++) {
		struct turn t = { .after = rolled };
		backgammon_play(&t.after, list[i]);
		equity_static(e, &t.after, &t.chances);
		t.chances = backgammon_flip(&t.chances);
		t.equity = backgammon_equity(&t.chances);
		int place = count;
		while (place && best[place - 1].equity < t.equity)
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
static const struct turn *choose(struct equity *e, const struct rollout *r, const struct turn *best,
				 int count)
{
	const struct turn *chosen = best;
	float most = -INFINITY;
	for (int i = 0; r->plies && count > 1 && i < count; i++) {
		struct backgammon_chances c;
		equity_look_ahead(e, &best[i].after, r->plies, false, NULL, 0, &c, NULL);
		c = backgammon_flip(&c);
		if (backgammon_equity(&c) > most) {
			most = backgammon_equity(&c);
			chosen = &best[i];
		}
	}
	return chosen;
}

/* ---- Games ---- */

/* Adds the luck of a roll, for the seat that rolls: its static chances minus their mean. */
static void add_luck(struct equity *e, const struct backgammon *s, const struct turn *rolled,
		     double sign, double luck[ROLLOUT_VALUES])
{
	double mean[ROLLOUT_VALUES] = { 0 }, values[ROLLOUT_VALUES];
	struct turn best;
	for (int one = 1; one <= BACKGAMMON_FACES; one++)
		for (int two = 1; two <= one; two++) {
			best_turns(e, s, one, two, &best, 1);
			values_of(&best.chances, values);
			for (int k = 0; k < ROLLOUT_VALUES; k++)
				mean[k] += values[k] * (one == two ? 1 : 2) / ROLLS;
		}
	values_of(&rolled->chances, values);
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

/* Plays one game and adds its values. False: stopped. */
static bool play_game(const struct rollout *r, struct equity *e, int64_t game,
		      struct rollout_block *out)
{
	struct backgammon s = r->start;
	struct backgammon_chances c;
	double luck[ROLLOUT_VALUES] = { 0 }, values[ROLLOUT_VALUES];
	const int most = r->truncate ? r->truncate : ROLLOUT_MAX_TURNS;
	for (int turn = 0; turn < most && !backgammon_has_ended(&s); turn++) {
		struct turn best[CANDIDATES];
		const int roll = roll_at(r, game, turn);
		if (budget_poll(&e->budget, e->nodes, e->evals))
			return false;
		const int n =
			best_turns(e, &s, roll / BACKGAMMON_FACES + 1, roll % BACKGAMMON_FACES + 1,
				   best, r->plies ? CANDIDATES : 1);
		if (!r->plain)
			add_luck(e, &s, &best[0], s.turn == r->start.turn ? 1 : -1, luck);
		s = choose(e, r, best, n)->after;
		e->nodes++;
	}
	equity_static(e, &s, &c);
	if (s.turn != r->start.turn)
		c = backgammon_flip(&c);
	values_of(&c, values);
	for (int k = 0; k < ROLLOUT_VALUES; k++) {
		const double value = values[k] - luck[k];
		out->sum[k] += value;
		out->square[k] += value * value;
	}
	return !e->budget.stopped;
}

bool rollout_block(const struct rollout *r, struct equity *e, int64_t block,
		   struct rollout_block *out)
{
	struct rollout_block sums = { { 0 }, { 0 } };
	const struct cube_view money = cube_view_of(&r->start, r->start.turn, NULL);
	equity_aim(e, &r->start, &money);
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
