/*
 * ratings.c - Elo ratings of several players, by Newton's method on the likelihood.
 * SPDX-License-Identifier: MIT
 *
 * The likelihood has one maximum if every player can be reached from every other by a chain of "did
 * not lose all games to". Where that fails, half a win and half a loss are added between players
 * who met and are not connected both ways, as for two players (statistics.c). Groups that never met
 * are rated separately: the matrix has blocks, and a ridge for each group fixes its mean. A step
 * costs players^3 operations.
 */
#include "match/ratings.h"

#include <float.h>
#include <math.h>

#include "base/memory.h"

#define Z95 1.959963984540054
#define ELO_PER_NAT (400 / 2.302585092994045684)
#define LONGEST_STEP 2.0    /* nats between two who met; the quadratic model is bad beyond it */
#define MOST_DISPERSION 4.0 /* against rounding; results without draws have 1 */

enum { NEWTON_STEPS = 200, HALVINGS = 40 };

struct fit {
	int n;
	double weight;             /* of one comparison */
	double ridge;              /* fixes a group's mean; of the size of the curvature */
	double *games, *score;     /* n by n, both halves: played, and won by the row's player */
	double *matrix;            /* n by n: the curvature, then its Cholesky factor */
	double *rating, *step;     /* in nats */
	double *trial;
	bool *reach;               /* n by n: is there a chain of results that were not all lost? */
	struct rating *out;
};

/* The expected score of i against j (Bradley-Terry). */
static double expected(const double *rating, int i, int j)
{
	return 1 / (1 + exp(rating[j] - rating[i]));
}

/* ---- Which players can be compared ---- */

/* Adds games between i and j, of which i scored `score`, to both halves of the matrices. */
static void add_score(struct fit *f, int i, int j, double games, double score)
{
	f->games[i * f->n + j] += games;
	f->games[j * f->n + i] += games;
	f->score[i * f->n + j] += score;
	f->score[j * f->n + i] += games - score;
}

/* Transitive closure of the links in `reach` (Warshall). */
static void close_reach(struct fit *f)
{
	for (int by = 0; by < f->n; by++)
		for (int i = 0; i < f->n; i++)
			for (int j = 0; f->reach[i * f->n + by] && j < f->n; j++)
				f->reach[i * f->n + j] |= f->reach[by * f->n + j];
}

/* Numbers the groups of players connected by meetings, and regularises their results. */
static void connect(struct fit *f)
{
	int groups = 0;
	for (int k = 0; k < f->n * f->n; k++)
		f->reach[k] = f->games[k] > 0;
	close_reach(f);
	for (int i = 0; i < f->n; i++) {
		int first = 0;
		while (first < i && !f->reach[i * f->n + first])
			first++;
		f->out[i] = (struct rating){ .group = first < i ? f->out[first].group : groups++ };
	}
	/*
	 * Adds half a win and half a loss between players who met and are not connected both ways.
	 */
	for (int k = 0; k < f->n * f->n; k++)
		f->reach[k] = f->score[k] > 0;
	close_reach(f);
	for (int i = 0; i < f->n; i++)
		for (int j = i + 1; j < f->n; j++) {
			const int k = i * f->n + j;
			if (f->games[k] <= 0 || (f->reach[k] && f->reach[j * f->n + i]))
				continue;
			add_score(f, i, j, 1, 0.5);
			f->out[i].bounded = f->out[j].bounded = true;
		}
}

/* ---- The maximum of the likelihood ---- */

/* The logarithm of the likelihood of all results, up to a constant. */
static double likelihood(const struct fit *f, const double *rating)
{
	double sum = 0;
	for (int i = 0; i < f->n; i++)
		for (int j = 0; j < f->n; j++)
			if (f->score[i * f->n + j] > 0)
				sum -= f->score[i * f->n + j] * log1p(exp(rating[j] - rating[i]));
	return sum;
}

/*
 * Sets the curvature at the ratings, plus a ridge for each group, whose mean would otherwise be
 * free, and factorises it.
 */
static void set_matrix(struct fit *f)
{
	double trace = 0;
	for (int i = 0; i < f->n; i++) {
		double sum = 0;
		for (int j = 0; j < f->n; j++) {
			const double s = expected(f->rating, i, j);
			const double curve = j == i ? 0 : f->games[i * f->n + j] * s * (1 - s);
			f->matrix[i * f->n + j] = -curve;
			sum += curve;
		}
		f->matrix[i * f->n + i] = sum * (1 + 1e-12);
		trace += sum;
	}
	f->ridge = trace > 0 ? trace / f->n : 1;
	for (int i = 0; i < f->n; i++)
		for (int j = 0; j < f->n; j++)
			if (f->out[i].group == f->out[j].group)
				f->matrix[i * f->n + j] += f->ridge;
	/* Cholesky: replaces the lower half by L with L L' = matrix. */
	double *m = f->matrix;
	for (int j = 0; j < f->n; j++) {
		for (int i = j; i < f->n; i++)
			for (int k = 0; k < j; k++)
				m[i * f->n + j] -= m[i * f->n + k] * m[j * f->n + k];
		m[j * f->n + j] = sqrt(fmax(m[j * f->n + j], 1e-12 * f->ridge));
		for (int i = j + 1; i < f->n; i++)
			m[i * f->n + j] /= m[j * f->n + j];
	}
}

/* Solves matrix * y = x with the factor L; y replaces x. */
static void solve(const struct fit *f, double *x)
{
	const double *m = f->matrix;
	for (int i = 0; i < f->n; i++) {
		for (int k = 0; k < i; k++)
			x[i] -= m[i * f->n + k] * x[k];
		x[i] /= m[i * f->n + i];
	}
	for (int i = f->n - 1; i >= 0; i--) {
		for (int k = i + 1; k < f->n; k++)
			x[i] -= m[k * f->n + i] * x[k];
		x[i] /= m[i * f->n + i];
	}
}

/* Computes the next step, cut to LONGEST_STEP; returns its size before that. */
static double newton_step(struct fit *f)
{
	double longest = 0;
	for (int i = 0; i < f->n; i++) {
		f->step[i] = 0;
		for (int j = 0; j < f->n; j++)
			f->step[i] += f->score[i * f->n + j] -
				      f->games[i * f->n + j] * expected(f->rating, i, j);
	}
	set_matrix(f);
	solve(f, f->step);
	for (int k = 0; k < f->n * f->n; k++)
		if (f->games[k] > 0)
			longest = fmax(longest, fabs(f->step[k / f->n] - f->step[k % f->n]));
	for (int i = 0; longest > LONGEST_STEP && i < f->n; i++)
		f->step[i] *= LONGEST_STEP / longest;
	return longest;
}

/* Newton's method; a step that does not increase the likelihood is halved. */
static void climb(struct fit *f)
{
	double height = likelihood(f, f->rating);
	for (int round = 0; round < NEWTON_STEPS && newton_step(f) > 1e-10; round++) {
		double part = 1, there = height;
		for (int halving = 0; halving < HALVINGS; halving++, part /= 2) {
			for (int i = 0; i < f->n; i++)
				f->trial[i] = f->rating[i] + part * f->step[i];
			if ((there = likelihood(f, f->trial)) >= height)
				break;
		}
		if (there < height)
			break; /* no increase within the precision of doubles */
		height = there;
		memcpy(f->rating, f->trial, (size_t)f->n * sizeof *f->rating);
	}
}

/* ---- Errors ---- */

/*
 * The variance of the results around their expectation, relative to that of games without draws;
 * regularised results included. If they have no variance at all, one more decided game is assumed.
 */
static double dispersion(const struct fit *f, const struct tally *meetings)
{
	double seen = 0, without_draws = 0;
	for (int i = 0; i < f->n; i++)
		for (int j = i + 1; j < f->n; j++) {
			const int k = i * f->n + j;
			const double s = expected(f->rating, i, j);
			const double draws = (double)meetings[k].draws;
			const double wins = f->score[k] - draws / 2;
			const double losses = f->games[k] - draws - wins;
			seen += wins * (1 - s) * (1 - s) + draws * (0.5 - s) * (0.5 - s) +
				losses * s * s;
			without_draws += f->games[k] * s * (1 - s);
		}
	if (seen <= 0)
		return 0.25 / (without_draws + 0.25);
	return fmin(seen / fmax(without_draws, DBL_MIN), MOST_DISPERSION);
}

/* Fills in the ratings and their errors; the matrix is factorised at the maximum. */
static void set_ratings(struct fit *f, double spread)
{
	for (int i = 0; i < f->n; i++) {
		double members = 0, mean = 0;
		for (int j = 0; j < f->n; j++)
			if (f->out[j].group == f->out[i].group) {
				members++;
				mean += f->rating[j];
			}
		memset(f->step, 0, (size_t)f->n * sizeof *f->step);
		f->step[i] = 1;
		solve(f, f->step);
		/*
		 * Without what the ridge adds to the inverse: the variance of the mean, which is
		 * fixed.
		 */
		const double variance = f->step[i] - 1 / (f->ridge * members * members);
		f->out[i].elo = (f->rating[i] - mean / members) * ELO_PER_NAT;
		f->out[i].error = Z95 * ELO_PER_NAT *
				  sqrt(fmax(variance, 0) * spread / f->weight);
		if (members < 2) {
			const struct tally none = { 0 };
			f->out[i].error = statistics_of_games(&none).elo_error / 2;
			f->out[i].bounded = true;
		}
	}
}

enum qv_status ratings_of_meetings(const struct qv_allocator *a, int players,
				   const struct tally *meetings, int seats, struct rating *out)
{
	struct fit f = { .n = players, .weight = 2.0 / (seats > 2 ? seats : 2), .out = out };
	struct arena arena = { 0 };
	if (players <= 0)
		return QV_OK;
	const size_t n = (size_t)players;
	const size_t need = 3 * arena_need(n * n, sizeof(double)) +
			    3 * arena_need(n, sizeof(double)) + arena_need(n * n, sizeof(bool));
	if (arena_init(&arena, a, need) != QV_OK)
		return QV_NO_MEMORY;
	f.games = arena_take(&arena, n * n, sizeof(double));
	f.score = arena_take(&arena, n * n, sizeof(double));
	f.matrix = arena_take(&arena, n * n, sizeof(double));
	f.rating = arena_take(&arena, n, sizeof(double));
	f.step = arena_take(&arena, n, sizeof(double));
	f.trial = arena_take(&arena, n, sizeof(double));
	f.reach = arena_take(&arena, n * n, sizeof(bool));
	for (int i = 0; i < players; i++)
		for (int j = i + 1; j < players; j++) {
			const struct tally *t = &meetings[i * players + j];
			const double games = (double)t->wins + (double)t->draws + (double)t->losses;
			add_score(&f, i, j, games, (double)t->wins + (double)t->draws / 2);
		}
	connect(&f);
	climb(&f);
	set_matrix(&f);
	set_ratings(&f, dispersion(&f, meetings));
	arena_release(&arena);
	return QV_OK;
}
