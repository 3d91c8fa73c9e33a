/*
 * train.c - reversi: trains the weights of the patterns in rounds.
 * SPDX-License-Identifier: MIT
 *
 * Connects self-play (selfplay.c) and fitting (fit.c) to rounds.c through a struct rounds_subject.
 * The phases of the game are fitted in parallel, one thread each.
 */
#include "learn/reversi/train.h"

#include <math.h>

#include "base/threads.h"

struct train {
	const struct train_job *job;
	const struct qv_allocator *allocator;
	struct reversi_patterns *patterns;
	bool has_patterns; /* false before the first fit */
	struct train_round news;
};

/* ---- playing ---- */

static void title(const void *learner, int round, char *out, size_t size)
{
	const struct train_plan *p = &((const struct train *)learner)->job->plan;
	snprintf(
		out, size,
		"quevedo-reversi-games 1 round=%d seed=%llu games=%lld depth=%d solve=%d remember=%d "
		"fit=%d,%d,%d",
		round, (unsigned long long)p->seed, (long long)p->games, p->depth, p->solve,
		p->remember, p->fit.iterations, p->fit.penalty, p->fit.least);
}

static enum qv_status begin(void *learner, int worker, uint64_t seed, void *player,
			    struct qv_error *error)
{
	(void)worker;
	const struct train *t = learner;
	const struct train_plan *p = &t->job->plan;
	const struct selfplay_plan plan = { seed, p->depth, p->solve };
	return selfplay_init(player, t->allocator, &plan, t->has_patterns ? t->patterns : NULL,
			     error);
}

static void end(void *player)
{
	selfplay_release(player);
}

static enum qv_status play(void *player, int64_t number, void *game, struct qv_error *error)
{
	return selfplay_game(player, number, game, error);
}

/* ---- fitting ---- */

struct fitting {
	struct train *t;
	struct samples learned, tested;
	enum qv_status statuses[PATTERN_PHASES];
	double errors[PATTERN_PHASES];
};

static void fit_one(void *ctx, int worker, int64_t job)
{
	struct fitting *f = ctx;
	struct train *t = f->t;
	struct qv_error ignored;
	(void)worker;
	f->statuses[job] = fit_phase(&f->learned, &t->job->plan.fit, (int)job, t->patterns,
				     t->allocator, &ignored);
}

static void test_one(void *ctx, int worker, int64_t job)
{
	struct fitting *f = ctx;
	(void)worker;
	f->errors[job] = fit_error(&f->tested, f->t->patterns, (int)job);
}

/* The error of all phases together, with the current weights. */
static double whole_error(struct fitting *f)
{
	double sum = 0;
	threads_for(f->t->job->threads, PATTERN_PHASES, NULL, test_one, f);
	for (int i = 0; i < PATTERN_PHASES; i++)
		if (f->errors[i] >= 0)
			sum += f->errors[i] * f->errors[i] * (double)fit_samples(&f->tested, i);
	return f->tested.count ? sqrt(sum / (double)f->tested.count) : 0;
}

static enum qv_status fit_all(struct fitting *f, struct qv_error *error)
{
	const struct train *t = f->t;
	if (!threads_for(t->job->threads, PATTERN_PHASES, t->job->stop, fit_one, f))
		return qv_fail(error, QV_STOPPED, "train: stopped");
	for (int i = 0; i < PATTERN_PHASES; i++)
		if (f->statuses[i] != QV_OK)
			return qv_fail(error, f->statuses[i], "train: out of memory");
	return QV_OK;
}

static enum qv_status fit(void *learner, const void *games, int64_t count, int64_t round,
			  struct qv_error *error)
{
	struct train *t = learner;
	struct fitting f = { .t = t };
	struct train_round *news = &t->news;
	const struct games all = { games, count, round };
	enum qv_status status = samples_init(&f.learned, t->allocator, &all, false, error);
	if (status == QV_OK)
		status = samples_init(&f.tested, t->allocator, &all, true, error);
	if (status == QV_OK) {
		news->samples = f.learned.count;
		news->before = whole_error(&f);
		status = fit_all(&f, error);
	}
	if (status == QV_OK) {
		news->after = whole_error(&f);
		memcpy(news->error, f.errors, sizeof news->error);
		t->has_patterns = true;
	}
	samples_release(&f.learned, t->allocator);
	samples_release(&f.tested, t->allocator);
	return status;
}

/* ---- weights ---- */

static enum qv_status write_weights(void *learner, char *out, size_t *size, struct qv_error *error)
{
	const struct train *t = learner;
	return reversi_patterns_pack(t->patterns, out, size, error);
}

static enum qv_status read_weights(void *learner, const char *data, size_t size,
				   struct qv_error *error)
{
	struct train *t = learner;
	const enum qv_status status = reversi_patterns_read(data, size, t->patterns, error);
	t->has_patterns |= status == QV_OK;
	return status;
}

static uint64_t hash(const void *learner)
{
	const struct reversi_patterns *p = ((const struct train *)learner)->patterns;
	return qv_hash_bytes(p->weights, sizeof p->weights);
}

/* ---- the whole ---- */

static void on_progress(void *ctx, int round, int64_t games)
{
	const struct train *t = ctx;
	if (t->job->progress)
		t->job->progress(t->job->ctx, round, games);
}

static void on_round(void *ctx, const struct rounds_news *news)
{
	struct train *t = ctx;
	t->news.round = *news;
	if (t->job->round)
		t->job->round(t->job->ctx, &t->news);
}

enum qv_status train_run(const struct train_job *job, const struct qv_allocator *allocator,
			 struct reversi_patterns *out, struct qv_error *error)
{
	struct train t = { .job = job, .allocator = allocator, .patterns = out };
	const struct rounds_job rounds = {
		.seed = job->plan.seed,
		.rounds = job->plan.rounds,
		.games = job->plan.games,
		.remember = job->plan.remember,
		.folder = job->folder,
		.threads = job->threads,
		.stop = job->stop,
		.ctx = &t,
		.progress = on_progress,
		.round = on_round,
	};
	const struct rounds_subject subject = {
		.learner = &t,
		.game_size = sizeof(struct game_record),
		.batch = 4096,
		.file_most = PATTERN_FILE_MOST,
		.title = title,
		.player_size = sizeof(struct selfplay),
		.begin = begin,
		.end = end,
		.play = play,
		.fit = fit,
		.write = write_weights,
		.read = read_weights,
		.hash = hash,
	};
	memset(out, 0, sizeof *out);
	reversi_patterns_init(out);
	return rounds_run(&rounds, &subject, allocator, error);
}
