/*
 * train.c - Warp Trog: the plan of a training, and its rounds of games and fits.
 * SPDX-License-Identifier: MIT
 */
#include "learn/warptrog/train.h"

#include "learn/selfplay.h"

enum { BATCH = 256 }; /* games between two writes to the file */

/* ---- The plan ---- */

#define ROW(name_, f, ...) OPTION(struct warptrog_plan, name_, OPTION_INT, f, __VA_ARGS__)
static const struct option keys[] = {
	ROW("rounds", rounds, .min = 1, .max = 1000, .def = 24),
	ROW("games", games, .min = 1, .max = 1000000, .def = 2000),
	ROW("remember", remember, .min = 1, .max = 99, .def = 8),
	ROW("built-in", built_in, .max = 1),
	ROW("depth", depth, .min = 1, .max = 8, .def = 3),
	ROW("samples", samples, .min = 1, .max = 10000, .def = 36),
	ROW("book", book, .max = 100, .def = 80),
	ROW("wild", wild, .max = 100, .def = 25),
	ROW("lambda", lambda, .max = 100, .def = 70),
	ROW("passes", passes, .min = 1, .max = 1000, .def = 2),
	ROW("batch", batch, .min = 1, .max = 1000000, .def = 512),
	ROW("step", step, .min = 1, .max = 1000000, .def = 2000),
	{ 0 },
};
#undef ROW

enum qv_status warptrog_plan_parse(const char *text, struct warptrog_plan *out,
				   struct qv_error *error)
{
	return selfplay_plan_parse(keys, text, out, sizeof *out, error);
}

/* ---- The rounds ---- */

/* A training in progress: the `learner` of the callbacks. */
struct learner {
	const struct warptrog_job *job;
	const struct qv_allocator *allocator;
	struct warptrog_net *net;
	int round; /* the last one whose net this is; 0: none */
	struct warptrog_report news;
};

/* All that the games of a round depend on, but for the net that the training starts from. */
static void title(const void *ctx, int round, char *out, size_t size)
{
	const struct learner *l = ctx;
	const struct warptrog_plan *p = &l->job->plan;
	const int64_t *rules = l->job->rules->options;
	snprintf(
		out, size,
		"quevedo-warptrog-games 1 %lld,%lld round=%d seed=%llu %d,%lld,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d",
		(long long)rules[WARPTROG_OPTION_WARPS], (long long)rules[WARPTROG_OPTION_RULES],
		round, (unsigned long long)p->seed, p->rounds, (long long)p->games, p->remember,
		p->built_in, p->depth, p->samples, p->book, p->wild, p->lambda, p->passes, p->batch,
		p->step);
}

static enum qv_status begin(void *ctx, int worker, uint64_t seed, void *player,
			    struct qv_error *error)
{
	const struct learner *l = ctx;
	(void)worker;
	return warptrog_teacher_begin(l->job, l->net, l->allocator, seed, player, error);
}

static enum qv_status fit(void *ctx, const void *games, int64_t count, int64_t round,
			  struct qv_error *error)
{
	struct learner *l = ctx;
	const struct warptrog_fit_job job = { .plan = &l->job->plan,
					      .games = games,
					      .count = count,
					      .fresh = round,
					      .round = ++l->round,
					      .threads = l->job->threads,
					      .stop = l->job->stop,
					      .allocator = l->allocator };
	const enum qv_status status = warptrog_fit(&job, l->net, &l->news, error);
	memset(l->news.outcomes, 0, sizeof l->news.outcomes);
	for (int64_t i = count - round; status == QV_OK && i < count; i++)
		l->news.outcomes[job.games[i].outcome % WARPTROG_OUTCOMES]++;
	return status;
}

static enum qv_status write_net(void *ctx, char *out, size_t *size, struct qv_error *error)
{
	const struct learner *l = ctx;
	(void)error;
	warptrog_net_write(l->net, out);
	*size = WARPTROG_NET_FILE;
	return QV_OK;
}

static enum qv_status read_net(void *ctx, const char *data, size_t size, struct qv_error *error)
{
	struct learner *l = ctx;
	l->round++;
	return warptrog_net_read(data, size, l->net, error);
}

static uint64_t hash(const void *ctx)
{
	const struct learner *l = ctx;
	return qv_hash_bytes(l->net, sizeof *l->net);
}

static void report(void *ctx, const struct rounds_news *news)
{
	struct learner *l = ctx;
	l->news.round = *news;
	if (l->job->report)
		l->job->report(l->job->ctx, &l->news);
}

enum qv_status warptrog_train(const struct warptrog_job *job, const struct qv_allocator *allocator,
			      struct warptrog_net *out, struct qv_error *error)
{
	const struct warptrog_plan *p = &job->plan;
	struct learner l = { .job = job, .allocator = allocator, .net = out };
	const struct rounds_job rounds = { .seed = p->seed,
					   .rounds = p->rounds,
					   .games = p->games,
					   .remember = p->remember,
					   .folder = job->folder,
					   .threads = job->threads,
					   .stop = job->stop,
					   .progress = job->progress,
					   .ctx = job->ctx };
	const struct rounds_subject subject = { .learner = &l,
						.game_size = sizeof(struct warptrog_lessons),
						.batch = BATCH,
						.file_most = WARPTROG_NET_FILE,
						.title = title,
						.player_size = sizeof(struct warptrog_teacher),
						.begin = begin,
						.end = warptrog_teacher_end,
						.play = warptrog_teacher_play,
						.fit = fit,
						.write = write_net,
						.read = read_net,
						.hash = hash,
						.report = report };
	if (p->built_in)
		*out = warptrog_net_file.net;
	else
		warptrog_net_begin(p->seed, out);
	return rounds_run(&rounds, &subject, allocator, error);
}
