/*
 * sprt.c - the sequential probability ratio test, with the generalised likelihood ratio.
 * SPDX-License-Identifier: MIT
 *
 * Results fall into categories with scores a_i; q_i is how often each came, p_i a law that a
 * hypothesis allows. Among those the one of greatest likelihood has the form q_i / (1 + theta b_i),
 * where sum q_i b_i / (1 + theta b_i) = 0; theta is found by bisection with a fixed number of
 * steps, so that no counts make it hang.
 */
#include "match/sprt.h"

#include <float.h>
#include <math.h>

#include "base/options.h"

#define LOG10 2.302585092994045684
#define NONE_SEEN 1e-3    /* stands for a count of 0, whose logarithm would break */
#define LEAST_SHARE 1e-12 /* of all; with less there is no computing */

enum { MOST_CATEGORIES = 5, BISECTIONS = 100, ITERATIONS = 10 };

struct law {
	int n;
	double count;
	double score[MOST_CATEGORIES], share[MOST_CATEGORIES];
};

/* The law of the counts: categories with evenly spaced scores from 0 to 1. */
static struct law law_of(int n, const double *counts)
{
	struct law l = { .n = n };
	double sum = 0;
	for (int i = 0; i < n; i++)
		sum += counts[i];
	for (int i = 0; i < n; i++) {
		l.score[i] = (double)i / (n - 1);
		l.share[i] = fmax(counts[i] > 0 ? counts[i] : NONE_SEEN, sum * LEAST_SHARE);
		l.count += l.share[i];
	}
	for (int i = 0; i < n; i++)
		l.share[i] /= l.count;
	return l;
}

/* ---- The likeliest law under a hypothesis ---- */

/*
 * p_i = q_i / (1 + theta b_i), with theta so that the p_i balance the offsets b_i. The balance
 * falls from plus to minus infinity between the poles. Offsets of one sign only allow no such law;
 * then q is as near as it gets.
 */
static void tilt(const struct law *q, const double *offsets, double *p)
{
	double least = offsets[0], most = offsets[0];
	for (int i = 1; i < q->n; i++) {
		least = fmin(least, offsets[i]);
		most = fmax(most, offsets[i]);
	}
	double theta = 0;
	if (least < 0 && most > 0) {
		double low = -1 / most, high = -1 / least;
		for (int step = 0; step < BISECTIONS; step++) {
			double balance = 0;
			theta = (low + high) / 2;
			for (int i = 0; i < q->n; i++)
				balance += q->share[i] * offsets[i] / (1 + theta * offsets[i]);
			*(balance > 0 ? &low : &high) = theta;
		}
	}
	for (int i = 0; i < q->n; i++)
		p[i] = q->share[i] / fmax(1 + theta * offsets[i], DBL_EPSILON);
}

/* The law whose mean lies t deviations above 1/2: a fixed point, reached from the even law. */
static void law_with_ratio(const struct law *q, double t, double *p)
{
	for (int i = 0; i < q->n; i++)
		p[i] = 1.0 / q->n;
	for (int round = 0; round < ITERATIONS; round++) {
		double offsets[MOST_CATEGORIES] = { 0 }, before[MOST_CATEGORIES] = { 0 };
		double mean = 0, variance = 0, change = 0;
		for (int i = 0; i < q->n; i++)
			mean += p[i] * q->score[i];
		for (int i = 0; i < q->n; i++)
			variance += p[i] * (q->score[i] - mean) * (q->score[i] - mean);
		const double sigma = fmax(sqrt(variance), DBL_EPSILON);
		for (int i = 0; i < q->n; i++) {
			const double z = (q->score[i] - mean) / sigma;
			offsets[i] = q->score[i] - 0.5 - t * sigma / 2 * (1 + z * z);
			before[i] = p[i];
		}
		tilt(q, offsets, p);
		for (int i = 0; i < q->n; i++)
			change = fmax(change, fabs(p[i] - before[i]));
		if (change < 1e-4)
			break;
	}
}

/* The log-likelihood ratio of two laws for these counts. */
static double ratio_of(const struct law *q, const double *p0, const double *p1)
{
	double sum = 0;
	for (int i = 0; i < q->n; i++)
		sum += q->share[i] * log(p1[i] / p0[i]);
	return q->count * sum;
}

/* The logistic or normalised model; games: in each result, 1 or 2. */
static double llr_of(const struct sprt *s, const struct law *q, int games)
{
	const double elos[2] = { s->elo0, s->elo1 };
	double p[2][MOST_CATEGORIES], offsets[MOST_CATEGORIES] = { 0 };
	for (int h = 0; h < 2; h++) {
		if (s->model == SPRT_NORMALISED) {
			law_with_ratio(q, elos[h] * (sqrt(games) * LOG10 / 800), p[h]);
			continue;
		}
		/* The law with the mean of this Elo difference. */
		for (int i = 0; i < q->n; i++)
			offsets[i] = q->score[i] - score_of_elo(elos[h]);
		tilt(q, offsets, p[h]);
	}
	return ratio_of(q, p[0], p[1]);
}

/* BayesElo: the share of draws says how far apart wins and losses lie (drawelo). */
static void bayes_law(double elo, double drawelo, double p[3])
{
	p[2] = 1 / (1 + pow(10, (drawelo - elo) / 400));
	p[0] = 1 / (1 + pow(10, (drawelo + elo) / 400));
	p[1] = p[0] * p[2] * expm1(drawelo * LOG10 / 200); /* 1 - p[0] - p[2], and never 0 */
}

/* The BayesElo model. Half a count is added to each category, so that no share is 0. */
static double llr_bayesian(const struct sprt *s, const double counts[3])
{
	double more[3], p0[3], p1[3];
	for (int i = 0; i < 3; i++)
		more[i] = counts[i] + 0.5;
	const struct law q = law_of(3, more);
	const double drawelo = 200 * log10((1 - q.share[0]) / q.share[0] * (1 - q.share[2]) /
					   q.share[2]);
	bayes_law(s->elo0, fmax(drawelo, DBL_EPSILON), p0);
	bayes_law(s->elo1, fmax(drawelo, DBL_EPSILON), p1);
	return ratio_of(&q, p0, p1);
}

/* ---- The test ---- */

/* Wald's bounds for alpha and beta, and which of them the ratio has passed. */
static struct sprt_state state_of(const struct sprt *s, double llr)
{
	struct sprt_state out = { llr, log(s->beta / (1 - s->alpha)), log((1 - s->beta) / s->alpha),
				  SPRT_GOING_ON };
	out.verdict = llr >= out.upper ? SPRT_H1 : llr <= out.lower ? SPRT_H0 : SPRT_GOING_ON;
	return out;
}

struct sprt_state sprt_of_games(const struct sprt *s, const struct tally *t)
{
	const double counts[] = { (double)t->losses, (double)t->draws, (double)t->wins };
	const struct law q = law_of(3, counts);
	if (!tally_games(t))
		return state_of(s, 0);
	return state_of(s, s->model == SPRT_BAYESIAN ? llr_bayesian(s, counts) : llr_of(s, &q, 1));
}

struct sprt_state sprt_of_pairs(const struct sprt *s, const struct pair_tally *t)
{
	const double counts[] = { (double)t->ll, (double)t->ld, (double)t->wl + (double)t->dd,
				  (double)t->wd, (double)t->ww };
	const struct law q = law_of(5, counts);
	const struct tally games = { .wins = 2 * t->ww + t->wd + t->wl,
				     .draws = 2 * t->dd + t->wd + t->ld,
				     .losses = 2 * t->ll + t->ld + t->wl };
	if (s->model == SPRT_BAYESIAN)
		return sprt_of_games(s, &games);
	return state_of(s, pair_tally_pairs(t) ? llr_of(s, &q, 2) : 0);
}

double sprt_expected_length(const struct sprt *s, double variance)
{
	const struct sprt_state ends = state_of(s, 0);
	const double apart = score_of_elo(s->elo1) - score_of_elo(s->elo0);
	const double end = (1 - s->alpha) * ends.lower + s->alpha * ends.upper;
	return -end * 2 * variance / (apart * apart);
}

/* ---- Text ---- */

/* The order of enum sprt_model, and another spelling. */
#define MODELS "logistic|normalised|bayesian|normalized"
enum { OTHER_SPELLING = SPRT_MODELS };

#define ROW(name_, f, ...) OPTION(struct sprt, name_, OPTION_REAL, f, __VA_ARGS__)
static const struct option keys[] = {
	ROW("elo0", elo0, .real_min = -1000, .real_max = 1000),
	ROW("elo1", elo1, .real_min = -1000, .real_max = 1000, .real_def = 5),
	ROW("alpha", alpha, .real_min = 0.0001, .real_max = 0.4999, .real_def = 0.05),
	ROW("beta", beta, .real_min = 0.0001, .real_max = 0.4999, .real_def = 0.05),
	OPTION(struct sprt, "model", OPTION_CHOICE, model, .choices = MODELS),
	{ 0 },
};
#undef ROW
static const struct option *const groups[] = { keys, NULL };

const char *sprt_verdict_name(enum sprt_verdict verdict)
{
	static const char *const names[] = { "going on", "H0", "H1" };
	return names[verdict];
}

enum qv_status sprt_parse(const char *text, struct sprt *out, struct qv_error *error)
{
	struct sprt s;
	struct options o = { .groups = groups, .values = &s, .owner = "sprt", .owner_first = true };
	options_init(&o);
	if (!*text)
		return qv_fail(error, QV_BAD_INPUT, "sprt: '' is not key=value");
	const enum qv_status status = options_parse(&o, text, error);
	if (status != QV_OK)
		return status;
	if ((int)s.model == OTHER_SPELLING)
		s.model = SPRT_NORMALISED;
	if (s.elo0 >= s.elo1)
		return qv_fail(error, QV_BAD_INPUT, "sprt: elo0=%g is not below elo1=%g", s.elo0,
			       s.elo1);
	*out = s;
	return QV_OK;
}

void sprt_text(const struct sprt *s, struct qv_text *out)
{
	struct sprt copy = *s;
	options_text(&(struct options){ .groups = groups, .values = &copy }, out);
}
