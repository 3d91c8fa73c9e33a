/*
 * train.c - chess: trains the evaluation's weights or the neural network in rounds.
 * SPDX-License-Identifier: MIT
 *
 * Connects self-play (selfplay.c) and fitting (fit.c, net_fit.c) to rounds.c through a struct
 * rounds_subject, and parses the plan.
 */
#include "learn/chess/train.h"

#include "base/options.h"
#include "games/registry.h"
#include "learn/chess/net_fit.h"
#include "search/weights.h"

enum { BATCH = 256, WEIGHTS_TEXT = 1 << 16 };

/* ---- plans ---- */

#define ROW(name_, type_, f, ...) OPTION(struct chess_plan, name_, type_, f, __VA_ARGS__)
static const struct option keys[] = {
	ROW("rounds", OPTION_INT, rounds, .min = 1, .max = 99, .def = 4),
	ROW("games", OPTION_INT, games, .min = 1, .max = 10000000, .def = 20000),
	ROW("nodes", OPTION_INT, nodes, .min = 10, .max = 1000000, .def = 3000),
	ROW("remember", OPTION_INT, remember, .min = 1, .max = 99, .def = 2),
	ROW("iterations", OPTION_INT, iterations, .max = 100000), /* 0: as many as are usual */
	ROW("blend", OPTION_INT, blend, .max = 100, .def = 30),
	ROW("penalty", OPTION_INT, penalty, .max = 100000000, .def = 2000),
	ROW("step", OPTION_INT, step, .min = 1, .max = 10000, .def = 100),
	ROW("net", OPTION_SWITCH, net),
	{ 0 },
};
#undef ROW

enum qv_status chess_plan_parse(const char *text, struct chess_plan *out, struct qv_error *error)
{
	struct chess_plan plan = *out;
	struct options o = {
		.groups = OPTION_GROUPS(keys), .values = &plan, .owner = "plan", .owner_first = true
	};
	options_init(&o);
	const enum qv_status status = options_parse(&o, text, error);
	if (status != QV_OK)
		return status;
	if (!plan.iterations)
		plan.iterations = plan.net ? 20 : 300;
	*out = plan;
	return QV_OK;
}

/* ---- weights ---- */

static const struct qv_evaluation *chess_evaluation(const char *name)
{
	const struct qv_evaluation *e = chess_engine.game->evaluations;
	while (strcmp(e->name, name) != 0)
		e++;
	return e;
}

size_t chess_weights_text(const int32_t *weights, char *out, size_t size)
{
	struct qv_text text = { out, size, 0 };
	for (const struct qv_weight *w = chess_weight_names; w->name; w++) {
		qv_put(&text, w->name);
		qv_put(&text, " =");
		for (int i = 0; i < w->count; i++) {
			qv_put(&text, " ");
			qv_put_int(&text, weights[w->first + i]);
		}
		qv_put(&text, "\n");
	}
	return text.length < size ? text.length : 0;
}

struct learner {
	const struct chess_job *job;
	const struct qv_allocator *allocator;
	int32_t *weights;      /* of the hand-crafted evaluation, */
	struct chess_net *net; /* or the network; the other is NULL */
	bool has_net;	       /* false before the first fit */
	struct chess_round news;
};

static enum qv_status write_weights(void *ctx, char *out, size_t *size, struct qv_error *error)
{
	const struct learner *l = ctx;
	(void)error;
	if (l->net)
		chess_net_write(l->net, out);
	*size = l->net ? CHESS_NET_FILE : chess_weights_text(l->weights, out, WEIGHTS_TEXT);
	return QV_OK;
}

static enum qv_status read_weights(void *ctx, const char *data, size_t size, struct qv_error *error)
{
	struct learner *l = ctx;
	const enum qv_status status =
		l->net ? chess_net_read(data, size, l->net, error)
		       : weights_read(chess_evaluation("default"), data, size, l->weights, error);
	l->has_net |= l->net && status == QV_OK;
	return status;
}

static uint64_t hash(const void *ctx)
{
	const struct learner *l = ctx;
	return l->net ? qv_hash_bytes(l->net, sizeof *l->net)
		      : qv_hash_bytes(l->weights, 2 * CHESS_WEIGHTS * sizeof *l->weights);
}

/* ---- playing and fitting ---- */

static void title(const void *ctx, int round, char *out, size_t size)
{
	const struct chess_plan *p = &((const struct learner *)ctx)->job->plan;
	const struct judge *judge = ((const struct learner *)ctx)->job->judge;
	snprintf(
		out, size,
		"quevedo-chess-games 2 round=%d seed=%llu games=%lld nodes=%lld fit=%d,%d,%d,%d,%d%s %08x",
		round, (unsigned long long)p->seed, (long long)p->games, (long long)p->nodes,
		p->remember, p->iterations, p->blend, p->penalty, p->step, p->net ? " net" : "",
		judge ? (unsigned)judge->name : 0);
}

static enum qv_status begin(void *ctx, int worker, uint64_t seed, void *player,
			    struct qv_error *error)
{
	const struct learner *l = ctx;
	const struct teaching_plan plan = { seed, l->job->plan.nodes, l->job->judge, worker };
	if (l->has_net)
		return teacher_init(player, l->allocator, &plan, chess_evaluation("net"), l->net,
				    error);
	return teacher_init(player, l->allocator, &plan, chess_evaluation("default"), l->weights,
			    error);
}

static void end(void *player)
{
	teacher_release(player);
}

static enum qv_status play(void *player, int64_t number, void *game, struct qv_error *error)
{
	return teacher_play(player, number, game, error);
}

static enum qv_status fit(void *ctx, const void *games, int64_t count, int64_t round,
			  struct qv_error *error)
{
	struct learner *l = ctx;
	const struct chess_plan *p = &l->job->plan;
	const struct fit_job job = {
		.games = games,
		.count = count,
		.round = round,
		.seed = p->seed,
		.iterations = p->iterations,
		.blend = p->blend,
		.penalty = p->penalty,
		.step = p->step,
		.threads = l->job->threads,
		.stop = l->job->stop,
		.allocator = l->allocator,
	};
	const enum qv_status status = l->net ? chess_net_fit(&job, l->net, &l->news.fit, error)
					     : chess_fit(&job, l->weights, &l->news.fit, error);
	l->has_net |= l->net && status == QV_OK;
	return status;
}

/* ---- the whole ---- */

static void on_progress(void *ctx, int round, int64_t games)
{
	const struct learner *l = ctx;
	if (l->job->progress)
		l->job->progress(l->job->ctx, round, games);
}

static void on_round(void *ctx, const struct rounds_news *news)
{
	struct learner *l = ctx;
	l->news.round = *news;
	if (l->job->round)
		l->job->round(l->job->ctx, &l->news);
}

enum qv_status chess_train(const struct chess_job *job, const struct qv_allocator *allocator,
			   void *weights, struct qv_error *error)
{
	const struct chess_plan *p = &job->plan;
	struct learner l = {
		.job = job,
		.allocator = allocator,
		.weights = p->net ? NULL : weights,
		.net = p->net ? weights : NULL,
	};
	const struct rounds_job rounds = {
		.seed = p->seed,
		.rounds = p->rounds,
		.games = p->games,
		.remember = p->remember,
		.folder = job->folder,
		.threads = job->threads,
		.stop = job->stop,
		.ctx = &l,
		.progress = on_progress,
		.round = on_round,
	};
	const struct rounds_subject subject = {
		.learner = &l,
		.game_size = sizeof(struct lessons),
		.batch = BATCH,
		.file_most = p->net ? CHESS_NET_FILE : WEIGHTS_TEXT,
		.title = title,
		.player_size = sizeof(struct teacher),
		.begin = begin,
		.end = end,
		.play = play,
		.fit = fit,
		.write = write_weights,
		.read = read_weights,
		.hash = hash,
	};
	return rounds_run(&rounds, &subject, allocator, error);
}
