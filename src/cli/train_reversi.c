/*
 * train_reversi.c - the command train, for reversi.
 * SPDX-License-Identifier: MIT
 */
#include "learn/reversi/train.h"

#include "cli/train.h"

static json_t *fields(json_t *o, const void *ctx)
{
	const struct train_round *round = ctx;
	json_t *errors = json_array();
	for (int i = 0; i < PATTERN_PHASES; i++)
		errors = json_item(errors,
				   round->error[i] < 0 ? json_null() : json_real(round->error[i]));
	o = json_field(o, "positions", json_integer((json_int_t)round->samples));
	o = json_field(o, "error_before", json_real(round->before));
	o = json_field(o, "error", json_real(round->after));
	return json_field(o, "errors", errors);
}

static void words(struct string *out, const void *ctx)
{
	const struct train_round *round = ctx;
	string_addf(out, "%lld positions, error %.3f discs, before %.3f, ",
		    (long long)round->samples, round->after, round->before);
}

static void on_round(void *ctx, const struct train_round *round)
{
	train_tell(ctx, &round->round, round, fields, words);
}

enum qv_status train_reversi(struct cli *c, const struct qv_rules *rules)
{
	const struct train_values *own = cli_own(c);
	(void)rules; /* it has no options */
	struct train_job job = { .folder = c->args.data,
				 .threads = (int)c->args.threads,
				 .stop = cli_stop_flag(),
				 .round = on_round,
				 .progress = train_progress() };
	enum qv_status status = train_plan_parse(own->plan ? own->plan : "", &job.plan, &c->error);
	if (status != QV_OK)
		return status;
	struct train_run r = { .c = c, .rounds = job.plan.rounds, .games = job.plan.games };
	job.plan.seed = (uint64_t)c->args.seed;
	job.ctx = &r;
	struct reversi_patterns *patterns = mem_new(&mem_malloc, 1, sizeof *patterns);
	if (!patterns)
		return qv_fail(&c->error, QV_NO_MEMORY, "train: out of memory");
	status = train_run(&job, &mem_malloc, patterns, &c->error);
	mem_free(&mem_malloc, patterns, sizeof *patterns);
	return train_ended(&r, status);
}
