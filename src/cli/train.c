/*
 * train.c - the command train: an evaluation's weights from self-play.
 * SPDX-License-Identifier: MIT
 */
#include "learn/reversi/train.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/cli.h"
#include "cli/train.h"

struct run {
	struct cli *c;
	struct train_job job;
	enum qv_status told; /* of what was printed */
};

static void show_progress(void *ctx, int round, int64_t games)
{
	const struct run *r = ctx;
	fprintf(stderr, "\r\033[Kround %d of %d: game %lld of %lld", round, r->job.plan.rounds,
		(long long)games, (long long)r->job.plan.games);
}

static json_t *round_json(const struct run *r, const struct train_round *round, const char *hash)
{
	json_t *o = json_field(json_object(), "round", json_integer(round->number));
	o = json_field(o, "resumed", json_boolean(round->resumed));
	if (!round->resumed) {
		json_t *errors = json_array();
		for (int i = 0; i < PATTERN_PHASES; i++)
			errors =
				json_item(errors, round->error[i] < 0 ? json_null()
								      : json_real(round->error[i]));
		o = json_field(o, "positions", json_integer((json_int_t)round->samples));
		o = json_field(o, "error_before", json_real(round->before));
		o = json_field(o, "error", json_real(round->after));
		o = json_field(o, "errors", errors);
	}
	if (!round->resumed && !arguments_given(&r->c->args, OPT_NO_TIMES)) {
		o = json_field(o, "seconds_playing", json_seconds(round->seconds_playing));
		o = json_field(o, "seconds_fitting", json_seconds(round->seconds_fitting));
	}
	return json_field(o, "hash", json_text(hash));
}

static void print_round(const struct run *r, const struct train_round *round, const char *hash)
{
	struct string *out = &r->c->out;
	string_addf(out, "round %d: ", round->number);
	if (round->resumed)
		string_addf(out, "was there, ");
	else
		string_addf(out, "%lld positions, error %.3f discs, before %.3f, ",
			    (long long)round->samples, round->after, round->before);
	if (!round->resumed && !arguments_given(&r->c->args, OPT_NO_TIMES))
		string_addf(out, "%.1f s playing, %.1f s fitting, ", round->seconds_playing,
			    round->seconds_fitting);
	string_addf(out, "weights %s\n", hash);
}

static void on_round(void *ctx, const struct train_round *round)
{
	struct run *r = ctx;
	char hash[24];
	enum qv_status status = QV_OK;
	snprintf(hash, sizeof hash, "%016" PRIx64, round->hash);
	if (r->job.progress)
		fprintf(stderr, "\r\033[K");
	if (arguments_given(&r->c->args, OPT_JSON))
		status = cli_json(r->c, round_json(r, round, hash));
	else
		print_round(r, round, hash);
	if (status == QV_OK)
		status = cli_flush(r->c);
	if (r->told == QV_OK)
		r->told = status;
}

static enum qv_status make_job(struct run *r)
{
	struct cli *c = r->c;
	const enum qv_status status =
		train_plan_parse(c->args.plan ? c->args.plan : "", &r->job.plan, &c->error);
	r->job.plan.seed = (uint64_t)c->args.seed;
	r->job.folder = c->args.data;
	r->job.threads = (int)c->args.threads;
	r->job.stop = cli_stop_flag();
	r->job.ctx = r;
	r->job.round = on_round;
	r->job.progress = cli_shows_progress() ? show_progress : NULL;
	return status;
}

static enum qv_status train_reversi(struct cli *c)
{
	struct run r = { .c = c };
	enum qv_status status = make_job(&r);
	if (status != QV_OK)
		return status;
	struct reversi_patterns *patterns = mem_new(&mem_malloc, 1, sizeof *patterns);
	if (!patterns)
		return qv_fail(&c->error, QV_NO_MEMORY, "train: out of memory");
	status = train_run(&r.job, &mem_malloc, patterns, &c->error);
	mem_free(&mem_malloc, patterns, sizeof *patterns);
	return train_ended(c, r.job.progress != NULL, status, r.told);
}

enum qv_status train_ended(struct cli *c, bool shown, enum qv_status status, enum qv_status told)
{
	if (shown)
		fprintf(stderr, "\r\033[K");
	if (status == QV_STOPPED) {
		fprintf(stderr, "quevedo: train: stopped; the same command goes on from there\n");
		c->answer_is_no = true;
		status = QV_OK;
	}
	return status == QV_OK ? told : status;
}

enum qv_status cmd_train(struct cli *c)
{
	struct qv_rules rules;
	const enum qv_status status =
		qv_rules_parse(c->context, c->args.words[1], &rules, &c->error);
	if (status != QV_OK)
		return status;
	const bool chess = strcmp(rules.game->name, "chess") == 0;
	if (!chess && strcmp(rules.game->name, "reversi") != 0)
		return qv_fail(
			&c->error, QV_UNSUPPORTED,
			"train: nothing of %.40s is learned; reversi has patterns, chess weights",
			rules.game->name);
	if (!c->args.data || !*c->args.data)
		return qv_fail(&c->error, QV_BAD_INPUT, "--data: where to? A folder is expected");
	return chess ? train_chess(c) : train_reversi(c);
}
