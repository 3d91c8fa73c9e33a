/*
 * sprt.h - is a player better than another? A sequential test that stops as soon as it can tell.
 * SPDX-License-Identifier: MIT
 *
 * H0: the Elo difference is elo0; H1: it is elo1. The log-likelihood ratio of the results so far is
 * the generalised one: each hypothesis is given the law nearest to the results that it allows.
 */
#ifndef MATCH_SPRT_H
#define MATCH_SPRT_H

#include "match/statistics.h"

/* How an Elo difference determines the law of the results. */
enum sprt_model {
	SPRT_LOGISTIC,	 /* by the expected score */
	SPRT_NORMALISED, /* by the expected score in units of its standard deviation */
	SPRT_BAYESIAN,	 /* knows no pairs: they count as two games each */
	SPRT_MODELS,
};

struct sprt {
	double elo0, elo1; /* elo0 < elo1 */
	double alpha;      /* how often H1 may be accepted though H0 holds */
	double beta;       /* how often H0 may be accepted though H1 holds */
	enum sprt_model model;
};

enum sprt_verdict { SPRT_GOING_ON, SPRT_H0, SPRT_H1 };

/* The test so far: it ends when llr leaves the range from lower to upper. */
struct sprt_state {
	double llr, lower, upper;
	enum sprt_verdict verdict;
};

/*
 * Reads `elo0=0,elo1=5,alpha=0.05,beta=0.05,model=logistic`: these are the values of what is left
 * out. *out changes only on success.
 */
enum qv_status sprt_parse(const char *text, struct sprt *out, struct qv_error *error);
/* Writes the parameters as sprt_parse reads them. */
void sprt_text(const struct sprt *s, struct qv_text *out);

/* The state after these results. Every figure is finite; without results llr is 0. */
struct sprt_state sprt_of_games(const struct sprt *s, const struct tally *t);
struct sprt_state sprt_of_pairs(const struct sprt *s, const struct pair_tally *t);

/* "going on", "H0" or "H1"; static. */
const char *sprt_verdict_name(enum sprt_verdict verdict);

/* Wald's estimate of the mean number of games (or pairs) until the test ends, if H0 holds. */
double sprt_expected_length(const struct sprt *s, double variance);

#endif
