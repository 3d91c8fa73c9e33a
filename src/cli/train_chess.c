/*
 * train_chess.c - the command train, for chess.
 * SPDX-License-Identifier: MIT
 */
#include "learn/chess/train.h"

#include "cli/train.h"
#include "games/chess/net.h"
#include "learn/chess/nnue.h"
#include "programs/players.h"

static json_t *fields(json_t *o, const void *ctx)
{
	const struct fit_news *fit = ctx;
	o = json_field(o, "positions", json_integer((json_int_t)fit->lessons));
	o = json_field(o, "curve", json_integer(fit->curve));
	o = json_field(o, "error_before", json_real(fit->before));
	return json_field(o, "error", json_real(fit->after));
}

static void words(struct string *out, const void *ctx)
{
	const struct fit_news *fit = ctx;
	string_addf(out, "%lld positions, error %.4f, before %.4f, curve %d, ",
		    (long long)fit->lessons, fit->after, fit->before, fit->curve);
}

static void on_round(void *ctx, const struct chess_round *round)
{
	train_tell(ctx, &round->round, &round->fit, fields, words);
}

/* ---- somebody else's scores ---- */

/* A player for each thread, or one net and what each thread remembers. */
struct bench {
	struct qv_player **players;
	int count;
	struct nnue *net;
	struct nnue_memory *memories;
};

static enum qv_status ask(void *ctx, int worker, const struct chess *s, int32_t *score,
			  struct qv_error *error)
{
	const struct bench *b = ctx;
	struct qv_answer answer;
	const enum qv_status status =
		player_think(b->players[worker], NULL, s, NULL, NULL, &answer, error);
	*score = answer.score;
	return status;
}

static void forget(void *ctx, int worker)
{
	const struct bench *b = ctx;
	qv_player_new_game(b->players[worker]);
}

static enum qv_status look(void *ctx, int worker, const struct chess *s, int32_t *score,
			   struct qv_error *error)
{
	const struct bench *b = ctx;
	(void)error;
	*score = nnue_value(b->net, s, &b->memories[worker]);
	return QV_OK;
}

static const char nnue_kind[] = "nnue:";

static enum qv_status seat_net(struct cli *c, const char *path, struct bench *b)
{
	b->memories = mem_new(&mem_malloc, (size_t)c->args.threads, sizeof *b->memories);
	if (!b->memories)
		return qv_fail(&c->error, QV_NO_MEMORY, "train: out of memory");
	return nnue_open(&mem_malloc, path, &b->net, &c->error);
}

static enum qv_status seat_players(struct cli *c, const struct qv_rules *rules, struct bench *b)
{
	const struct qv_defaults defaults = { .seed = (uint64_t)c->args.seed,
					      .threads = 1,
					      .hash_mb = (int)c->args.hash_mb };
	enum qv_status status = QV_OK;
	b->players = mem_new(&mem_malloc, (size_t)c->args.threads, sizeof *b->players);
	if (!b->players)
		return qv_fail(&c->error, QV_NO_MEMORY, "train: out of memory");
	while (status == QV_OK && b->count < c->args.threads) {
		status = player_open(c->context, rules, c->args.player, &defaults,
				     &b->players[b->count], &c->error);
		if (status == QV_OK)
			status = player_ready(b->players[b->count++], &c->error);
	}
	return status;
}

static enum qv_status seat(struct cli *c, const struct qv_rules *rules, struct bench *b,
			   struct judge *judge)
{
	const char *spec = c->args.player;
	const size_t kind = sizeof nnue_kind - 1;
	const bool is_net = strncmp(spec, nnue_kind, kind) == 0;
	*judge = (struct judge){ .score = is_net ? look : ask,
				 .forget = is_net ? NULL : forget,
				 .ctx = b,
				 .name = qv_hash_bytes(spec, strlen(spec)) };
	return is_net ? seat_net(c, spec + kind, b) : seat_players(c, rules, b);
}

static void free_bench(struct cli *c, struct bench *b)
{
	const size_t workers = (size_t)c->args.threads;
	for (int i = 0; i < b->count; i++)
		qv_player_free(b->players[i]);
	mem_free(&mem_malloc, b->players, workers * sizeof *b->players);
	mem_free(&mem_malloc, b->memories, workers * sizeof *b->memories);
	nnue_free(&mem_malloc, b->net);
}

/* ---- the whole ---- */

enum qv_status train_chess(struct cli *c, const struct qv_rules *rules)
{
	const struct train_values *own = cli_own(c);
	struct chess_job job = { .plan.seed = (uint64_t)c->args.seed,
				 .folder = c->args.data,
				 .threads = (int)c->args.threads,
				 .stop = cli_stop_flag(),
				 .round = on_round,
				 .progress = train_progress() };
	enum qv_status status = chess_plan_parse(own->plan ? own->plan : "", &job.plan, &c->error);
	if (status != QV_OK)
		return status;
	struct train_run r = { .c = c, .rounds = job.plan.rounds, .games = job.plan.games };
	job.ctx = &r;
	int32_t weights[2 * CHESS_WEIGHTS];
	struct bench bench = { .count = 0 };
	struct judge judge;
	memcpy(weights, chess_weights, sizeof weights);
	if (c->args.player) {
		job.judge = &judge;
		status = seat(c, rules, &bench, &judge);
	}
	struct chess_net *net = mem_new(&mem_malloc, 1, sizeof *net);
	if (status == QV_OK && !net)
		status = qv_fail(&c->error, QV_NO_MEMORY, "train: out of memory");
	if (status == QV_OK)
		status = chess_train(&job, &mem_malloc, job.plan.net ? (void *)net : weights,
				     &c->error);
	mem_free(&mem_malloc, net, sizeof *net);
	free_bench(c, &bench);
	return train_ended(&r, status);
}
