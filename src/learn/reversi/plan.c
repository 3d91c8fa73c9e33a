/*
 * plan.c - reversi: a plan of training from text.
 * SPDX-License-Identifier: MIT
 */
#include "learn/plan.h"
#include "learn/reversi/train.h"

static const struct plan_key keys[] = {
	{ "rounds", 6, 1, 99 },	      { "games", 20000, 1, 10000000 },
	{ "depth", 4, 1, 20 },	      { "solve", 14, 0, 30 },
	{ "remember", 4, 1, 99 },     { "iterations", 20, 1, 1000 },
	{ "penalty", 64, 1, 100000 }, { "least", 16, 0, 100000 },
};
enum { KEYS = sizeof keys / sizeof *keys };

static void take(const int64_t *values, struct train_plan *out)
{
	out->rounds = (int)values[0];
	out->games = values[1];
	out->depth = (int)values[2];
	out->solve = (int)values[3];
	out->remember = (int)values[4];
	out->fit = (struct fit_plan){ (int)values[5], (int)values[6], (int)values[7] };
}

enum qv_status train_plan_parse(const char *text, struct train_plan *out, struct qv_error *error)
{
	int64_t values[KEYS];
	const enum qv_status status = plan_parse(text, keys, KEYS, values, error);
	if (status == QV_OK)
		take(values, out);
	return status;
}

void train_plan_text(const struct train_plan *p, char *out, size_t size)
{
	snprintf(
		out, size,
		"rounds=%d,games=%lld,depth=%d,solve=%d,remember=%d,iterations=%d,penalty=%d,least=%d",
		p->rounds, (long long)p->games, p->depth, p->solve, p->remember, p->fit.iterations,
		p->fit.penalty, p->fit.least);
}
