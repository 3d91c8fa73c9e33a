/*
 * train_chess.c - the command train, for chess.
 * SPDX-License-Identifier: MIT
 */
#include <inttypes.h>
#include <stdio.h>

#include "cli/train.h"
#include "learn/chess/train.h"

struct run {
	struct cli *c;
	struct chess_job job;
	enum qv_status told; /* of what was printed */
};

static void show_progress(void *ctx, int round, int64_t games)
{
	const struct run *r = ctx;
	fprintf(stderr, "\r\033[Kround %d of %d: game %lld of %lld", round, r->job.plan.rounds,
		(long long)games, (long long)r->job.plan.games);
}

static json_t *round_json(const struct run *r, const struct chess_round *round, const char *hash)
{
	json_t *o = json_field(json_object(), "round", json_integer(round->number));
	o = json_field(o, "resumed", json_boolean(round->resumed));
	if (!round->resumed) {
		o = json_field(o, "positions", json_integer((json_int_t)round->fit.lessons));
		o = json_field(o, "curve", json_integer(round->fit.curve));
		o = json_field(o, "error_before", json_real(round->fit.before));
		o = json_field(o, "error", json_real(round->fit.after));
	}
	if (!round->resumed && !arguments_given(&r->c->args, OPT_NO_TIMES)) {
		o = json_field(o, "seconds_playing", json_seconds(round->seconds_playing));
		o = json_field(o, "seconds_fitting", json_seconds(round->seconds_fitting));
	}
	return json_field(o, "hash", json_text(hash));
}

static void print_round(const struct run *r, const struct chess_round *round, const char *hash)
{
	struct string *out = &r->c->out;
	string_addf(out, "round %d: ", round->number);
	if (round->resumed)
		string_addf(out, "was there, ");
	else
		string_addf(out, "%lld positions, error %.4f, before %.4f, curve %d, ",
			    (long long)round->fit.lessons, round->fit.after, round->fit.before,
			    round->fit.curve);
	if (!round->resumed && !arguments_given(&r->c->args, OPT_NO_TIMES))
		string_addf(out, "%.1f s playing, %.1f s fitting, ", round->seconds_playing,
			    round->seconds_fitting);
	string_addf(out, "weights %s\n", hash);
}

static void on_round(void *ctx, const struct chess_round *round)
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

enum qv_status train_chess(struct cli *c)
{
	struct run r = { .c = c };
	int32_t weights[2 * CHESS_WEIGHTS];
	r.job.plan.seed = (uint64_t)c->args.seed;
	enum qv_status status =
		chess_plan_parse(c->args.plan ? c->args.plan : "", &r.job.plan, &c->error);
	if (status != QV_OK)
		return status;
	r.job.folder = c->args.data;
	r.job.threads = (int)c->args.threads;
	r.job.stop = cli_stop_flag();
	r.job.ctx = &r;
	r.job.round = on_round;
	r.job.progress = cli_shows_progress() ? show_progress : NULL;
	memcpy(weights, chess_weights, sizeof weights);
	status = chess_train(&r.job, &mem_malloc, weights, &c->error);
	return train_ended(c, r.job.progress != NULL, status, r.told);
}
