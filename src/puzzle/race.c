/*
 * race.c - puzzles of Race!: the exact chances of positions where each side has two pieces left.
 * SPDX-License-Identifier: MIT
 *
 * The chance that seat 0 wins is bounded from below and from above for every position before a roll.
 * Sweeps over all positions improve both bounds: each is the mean over the faces of the die of the
 * best move's bound, so a lower bound stays one, and so does an upper bound. They meet because every
 * game ends. A piece that is home stays there, so no other positions occur.
 */
#include "base/scan.h"
#include "games/race/rules.h"
#include "puzzle/inside.h"

enum {
	SQUARES = RACE_HOME + 1,
	PAIRS = SQUARES * SQUARES, /* of a seat's two pieces, the smaller square first */
	STATES = PAIRS * PAIRS * 2,
	CHOICES = 2, /* pieces that can move */
	MOST_SWEEPS = 4000,
};
#define CLOSE 1e-7
#define LEAST_GAP 0.01 /* between the best move and the next */

struct race_table {
	const struct qv_allocator *allocator;
	const struct qv_game *game;
	double *low, *high;
	int32_t (*next)[RACE_FACES][CHOICES]; /* -1: no second move */
};

static int pair_of(const uint8_t *at)
{
	return at[0] * SQUARES + at[1];
}

/* The number of a position before a roll. */
static int number_of(const struct race *s)
{
	return (pair_of(s->at[0]) * PAIRS + pair_of(s->at[1])) * 2 + s->turn;
}

/* The position of a number; false: it is no position. */
static bool position_of(int number, struct race *s)
{
	const int pairs[2] = { number / 2 / PAIRS, number / 2 % PAIRS };
	*s = (struct race){ .turn = (uint8_t)(number % 2) };
	for (int seat = 0; seat < 2; seat++) {
		const int low = pairs[seat] / SQUARES, high = pairs[seat] % SQUARES;
		if (low > high)
			return false;
		s->at[seat][0] = (uint8_t)low;
		s->at[seat][1] = (uint8_t)high;
		s->at[seat][2] = s->at[seat][3] = RACE_HOME;
	}
	return !(race_is_home(s, 0) && race_is_home(s, 1));
}

/* Lists where the moves lead. */
static void link_positions(struct race_table *t)
{
	for (int number = 0; number < STATES; number++) {
		struct race s;
		const bool real = position_of(number, &s);
		const bool open = real && !race_has_ended(&s);
		t->low[number] = real && race_is_home(&s, 0);
		t->high[number] = !real || !race_is_home(&s, 1);
		t->next[number][0][0] = -1; /* nothing to compute */
		for (int face = 1; open && face <= RACE_FACES; face++) {
			qv_move list[RACE_MAX_MOVES];
			s.roll = (uint8_t)face;
			const int n = race_moves(&s, list);
			for (int i = 0; i < CHOICES; i++) {
				struct race after = s;
				if (i < n)
					race_play(&after, list[i]);
				t->next[number][face - 1][i] = i < n ? number_of(&after) : -1;
			}
		}
	}
}

/* The mean over the faces of the best move. */
static double improve(const struct race_table *t, const double *bounds, int number)
{
	double sum = 0;
	for (int face = 0; face < RACE_FACES; face++) {
		const int32_t *next = t->next[number][face];
		double best = bounds[next[0]];
		if (next[1] >= 0) {
			const double other = bounds[next[1]];
			best = (number % 2 == 0) == (other > best) ? other : best;
		}
		sum += best;
	}
	return sum / RACE_FACES;
}

/* Sweeps from the end of the track to its start, until the bounds meet. */
static void solve(struct race_table *t)
{
	double widest = 1;
	for (int sweep = 0; sweep < MOST_SWEEPS && widest > CLOSE; sweep++) {
		widest = 0;
		for (int number = STATES - 1; number >= 0; number--) {
			if (t->next[number][0][0] < 0)
				continue;
			t->low[number] = improve(t, t->low, number);
			t->high[number] = improve(t, t->high, number);
			const double width = t->high[number] - t->low[number];
			widest = width > widest ? width : widest;
		}
	}
}

enum qv_status race_table_new(const struct qv_allocator *a, const struct qv_game *game,
			      struct race_table **out, struct qv_error *error)
{
	struct race_table *t = mem_new(a, 1, sizeof *t);
	if (!t)
		return qv_fail(error, QV_NO_MEMORY, "puzzles: out of memory");
	*t = (struct race_table){ .allocator = a, .game = game };
	t->low = mem_new(a, STATES, sizeof *t->low);
	t->high = mem_new(a, STATES, sizeof *t->high);
	t->next = mem_new(a, STATES, sizeof *t->next);
	if (!t->low || !t->high || !t->next) {
		race_table_free(t);
		return qv_fail(error, QV_NO_MEMORY, "puzzles: out of memory");
	}
	link_positions(t);
	solve(t);
	*out = t;
	return QV_OK;
}

void race_table_free(struct race_table *t)
{
	if (!t)
		return;
	mem_free(t->allocator, t->low, STATES * sizeof *t->low);
	mem_free(t->allocator, t->high, STATES * sizeof *t->high);
	mem_free(t->allocator, t->next, STATES * sizeof *t->next);
	mem_free(t->allocator, t, sizeof *t);
}

/* The bounds of a move for the seat that makes it. */
static void bounds_after(const struct race_table *t, const struct race *s, qv_move move,
			 double *low, double *high)
{
	struct race after = *s;
	race_play(&after, move);
	const int number = number_of(&after);
	*low = s->turn ? 1 - t->high[number] : t->low[number];
	*high = s->turn ? 1 - t->low[number] : t->high[number];
}

/* Only two pieces of each side are left, and a move is due. */
static bool is_late(const struct race *s)
{
	return s->roll && !race_has_ended(s) && s->at[0][2] == RACE_HOME &&
	       s->at[1][2] == RACE_HOME;
}

/* Of two positions that differ by the names of the sides, one is taken. */
static bool is_one_of_two(const struct race *s)
{
	return (pair_of(s->at[0]) + pair_of(s->at[1])) % 2 == s->turn;
}

bool race_table_make(const struct race_table *t, const void *state, struct puzzle *out)
{
	const struct race *s = state;
	qv_move list[RACE_MAX_MOVES];
	double low[CHOICES], high[CHOICES];
	if (!is_late(s) || !is_one_of_two(s) || race_moves(s, list) != CHOICES)
		return false;
	for (int i = 0; i < CHOICES; i++)
		bounds_after(t, s, list[i], &low[i], &high[i]);
	const int best = low[1] > low[0];
	const double gap = low[best] - high[1 - best];
	if (gap < LEAST_GAP)
		return false;
	out->goal = (struct puzzle_goal){ .kind = PUZZLE_ODDS, .loss = low[best],
					  .error = high[1 - best] };
	struct qv_text line = { out->line, sizeof out->line, 0 };
	t->game->move_text(s, list[best], &line);
	out->nodes = (uint64_t)(50 / gap); /* the closer, the harder */
	return true;
}

enum qv_status race_table_check(const struct race_table *t, const void *state,
				const struct puzzle *p, struct qv_error *error)
{
	const struct race *s = state;
	qv_move list[RACE_MAX_MOVES], key;
	const enum qv_status status = qv_move_parse(t->game, s, p->line, &key, error);
	if (status != QV_OK)
		return status;
	if (!is_late(s))
		return qv_fail(error, QV_ILLEGAL, "more than two pieces of a side are not home");
	double low, high, unused;
	bounds_after(t, s, key, &low, &unused);
	for (int i = 0, n = race_moves(s, list); i < n; i++) {
		if (list[i] == key)
			continue;
		bounds_after(t, s, list[i], &unused, &high);
		if (low - high < LEAST_GAP)
			return qv_fail(error, QV_ILLEGAL, "another move wins with %.4f, not less than %.4f",
				       high, low - LEAST_GAP);
		if (high > p->goal.error + 1e-4 || low < p->goal.loss - 1e-4)
			return qv_fail(error, QV_ILLEGAL, "the chances are %.4f and %.4f", low, high);
	}
	return QV_OK;
}
