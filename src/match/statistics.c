/*
 * statistics.c - score, Elo, normalised Elo and LOS of two players, with their errors.
 * SPDX-License-Identifier: MIT
 *
 * Games and pairs of games are both a sum over categories: how often each score occurred. If
 * nothing was played, or all results are equal, half a loss and half a win are added to the counts.
 * If the interval would leave the range 0 to 1, Wilson's is used, which never does.
 */
#include "match/statistics.h"

#include <math.h>

#define Z95 1.959963984540054              /* 97.5 % quantile of the normal distribution */
#define NORMALISED (800 / 2.302585092994045684) /* nElo per deviation of a game: 800 / ln 10 */
#define MOST_CATEGORIES 5
#define NEAREST 1e-12                      /* least distance of a score from 0 and 1 */

/* How often each score of a game or a pair occurred; the scores are evenly spaced from 0 to 1. */
struct sample {
	int categories;
	double counts[MOST_CATEGORIES];
	double deviations;         /* standard deviation, in units of that of a single game */
};

struct moments {
	double count, mean, variance;
};

/* Mean and variance of the scores. Without results the mean is 1/2. */
static struct moments moments_of(const struct sample *s)
{
	struct moments m = { 0, 0.5, 0 };
	double sum = 0;
	for (int i = 0; i < s->categories; i++) {
		m.count += s->counts[i];
		sum += s->counts[i] * i / (s->categories - 1);
	}
	if (m.count <= 0)
		return m;
	m.mean = sum / m.count;
	for (int i = 0; i < s->categories; i++) {
		const double off = (double)i / (s->categories - 1) - m.mean;
		m.variance += s->counts[i] * off * off / m.count;
	}
	if (m.variance > 0)
		m.mean = fmin(fmax(m.mean, NEAREST), 1 - NEAREST);
	return m;
}

double elo_of_score(double score)
{
	return 400 * log10(score / (1 - score));
}

double score_of_elo(double elo)
{
	return 1 / (1 + pow(10, -elo / 400));
}

/*
 * From the mean to that end of Wilson's interval which is nearer to 1/2. The formula is for two
 * possible results; draws reduce the variance as more games would.
 */
static double wilson_error(const struct moments *m)
{
	const double games = m->count * m->mean * (1 - m->mean) / m->variance;
	const double share = Z95 * Z95 / games, towards = m->mean > 0.5 ? -1 : 1;
	const double middle = (m->mean + share / 2) / (1 + share);
	const double half = Z95 / (1 + share) *
			    sqrt(m->mean * (1 - m->mean) / games + share / (4 * games));
	return fabs(elo_of_score(middle + towards * half) - elo_of_score(m->mean));
}

/* All figures of a sample. */
static struct statistics statistics_of(struct sample s)
{
	struct moments m = moments_of(&s);
	struct statistics out = { .score = m.mean, .pairs_ratio = 1 };
	const bool alike = m.variance <= 0;
	if (alike) {
		s.counts[0] += 0.5;
		s.counts[s.categories - 1] += 0.5;
		m = moments_of(&s);
	}
	/* Do the ends of the normal interval lie within 0 to 1? */
	const double unit = NORMALISED / s.deviations, error = sqrt(m.variance / m.count);
	const double low = m.mean - Z95 * error, high = m.mean + Z95 * error;
	out.bounded = alike || !(low > 0 && high < 1);
	out.score_error = Z95 * error;
	out.elo = elo_of_score(m.mean);
	if (out.bounded)
		out.elo_error = wilson_error(&m);
	else /* rounding may make a tiny interval negative */
		out.elo_error = fmax((elo_of_score(high) - elo_of_score(low)) / 2, 0);
	out.nelo = (m.mean - 0.5) / sqrt(m.variance) * unit;
	out.nelo_error = Z95 / sqrt(m.count) * unit;
	out.los = (1 + erf((m.mean - 0.5) / (error * sqrt(2)))) / 2;
	return out;
}

struct statistics statistics_of_games(const struct tally *t)
{
	return statistics_of_meetings(t, 2);
}

/* The weight makes the number of independent results smaller, not the score. */
struct statistics statistics_of_meetings(const struct tally *t, int seats)
{
	const double weight = 2.0 / seats;
	const struct sample s = { 3,
				  { weight * (double)t->losses, weight * (double)t->draws,
				    weight * (double)t->wins },
				  1 };
	struct statistics out = statistics_of(s);
	out.count = tally_games(t);
	out.draw_ratio = out.count ? (double)t->draws / (double)out.count : 0;
	return out;
}

struct statistics statistics_of_pairs(const struct pair_tally *t)
{
	const double even = (double)t->wl + (double)t->dd;
	const struct sample s = { 5,
				  { (double)t->ll, (double)t->ld, even, (double)t->wd,
				    (double)t->ww },
				  sqrt(2) };
	struct statistics out = statistics_of(s);
	out.count = pair_tally_pairs(t);
	out.draw_ratio = out.count ? even / (double)out.count : 0;
	/* Pairs won to pairs lost; half of each is added if none was lost. */
	const double won = s.counts[3] + s.counts[4], lost = s.counts[0] + s.counts[1];
	out.pairs_ratio = lost > 0 ? won / lost : (won + 0.5) / 0.5;
	return out;
}

/* ---- Counting ---- */

void tally_add(struct tally *t, int32_t points, int32_t other)
{
	t->wins += points > other;
	t->draws += points == other;
	t->losses += points < other;
}

void pair_tally_add(struct pair_tally *t, int first, int second)
{
	uint64_t *const counts[] = { &t->ll, &t->ld, first == 1 ? &t->dd : &t->wl, &t->wd, &t->ww };
	++*counts[first + second];
}

uint64_t tally_games(const struct tally *t)
{
	return t->wins + t->draws + t->losses;
}

uint64_t pair_tally_pairs(const struct pair_tally *t)
{
	return t->ll + t->ld + t->wl + t->dd + t->wd + t->ww;
}

/* ---- Luck ---- */

void luck_tally_add(struct luck_tally *t, double result, double luck)
{
	t->rounds++;
	t->result += result;
	t->luck += luck;
	t->results += result * result;
	t->lucks += luck * luck;
	t->products += result * luck;
}

/* Half of the 95 % interval of a mean, from the sum of squared deviations. */
static double mean_error(double deviations, double n, double freedom)
{
	return freedom > 0 && deviations > 0 ? Z95 * sqrt(deviations / freedom / n) : 0;
}

struct luck_figures luck_figures_of(const struct luck_tally *t)
{
	const double n = (double)t->rounds;
	struct luck_figures out = { .factor = 1 };
	if (!t->rounds)
		return out;
	/* Sums of squared deviations from the means, and of their products. */
	const double xx = t->results - t->result * t->result / n,
		     yy = t->lucks - t->luck * t->luck / n,
		     xy = t->products - t->result * t->luck / n;
	const bool fitted = t->rounds >= LUCK_LEAST_ROUNDS && yy > 0;
	if (fitted)
		out.factor = xy / yy;
	out.mean = t->result / n;
	out.luck = t->luck / n;
	out.error = mean_error(xx, n, n - 1);
	out.adjusted = out.mean - out.factor * out.luck;
	out.adjusted_error = mean_error(xx - 2 * out.factor * xy + out.factor * out.factor * yy, n,
					n - (fitted ? 2 : 1));
	return out;
}
