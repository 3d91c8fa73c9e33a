/*
 * train.c - chess: weights of the evaluation learned in rounds of games and fits.
 * SPDX-License-Identifier: MIT
 */
#include "learn/chess/train.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/file.h"
#include "engines/registry.h"
#include "learn/crew.h"
#include "learn/plan.h"
#include "search/weights.h"

enum { BATCH = 256, MOST_PATH = 4096, HEAD = 128, WEIGHTS_TEXT = 1 << 16 };

/* ---- plans ---- */

static const struct plan_key keys[] = {
	{ "rounds", 4, 1, 99 },
	{ "games", 20000, 1, 10000000 },
	{ "nodes", 3000, 10, 1000000 },
	{ "remember", 2, 1, 99 },
	{ "iterations", 300, 1, 100000 },
	{ "blend", 30, 0, 100 },
	{ "penalty", 2000, 0, 100000000 },
	{ "step", 100, 1, 10000 },
};
enum { KEYS = sizeof keys / sizeof *keys };

enum qv_status chess_plan_parse(const char *text, struct chess_plan *out, struct qv_error *error)
{
	int64_t v[KEYS];
	const enum qv_status status = plan_parse(text, keys, KEYS, v, error);
	if (status == QV_OK)
		*out = (struct chess_plan){ .seed = out->seed,
					    .rounds = (int)v[0],
					    .games = v[1],
					    .nodes = v[2],
					    .remember = (int)v[3],
					    .iterations = (int)v[4],
					    .blend = (int)v[5],
					    .penalty = (int)v[6],
					    .step = (int)v[7] };
	return status;
}

/* ---- weights ---- */

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

/* ---- files ---- */

struct training {
	const struct chess_job *job;
	const struct qv_allocator *allocator;
	struct qv_error *error;
	int32_t *weights;
	struct lessons *games; /* of all rounds */
	struct chess_round news;
};

static enum qv_status path_of(const struct training *t, const char *name, int round,
			      const char *end, char *path)
{
	char number[16] = "";
	if (round)
		snprintf(number, sizeof number, "-%d", round);
	if (snprintf(path, MOST_PATH, "%s/%s%s%s", t->job->folder, name, number, end) >= MOST_PATH)
		return qv_fail(t->error, QV_BAD_INPUT, "train: the folder's name is too long");
	return QV_OK;
}

/* What the games of a round depend on, padded with blanks to HEAD. */
static void head_text(const struct training *t, int round, char *head)
{
	const struct chess_plan *p = &t->job->plan;
	memset(head, ' ', HEAD);
	const int length = snprintf(
		head, HEAD,
		"quevedo-chess-games 1 round=%d seed=%llu games=%lld nodes=%lld fit=%d,%d,%d,%d,%d",
		round, (unsigned long long)p->seed, (long long)p->games, (long long)p->nodes,
		p->remember, p->iterations, p->blend, p->penalty, p->step);
	head[length < HEAD ? length : HEAD - 1] = ' ';
	head[HEAD - 1] = '\n';
}

/* The games of a round that are in its file. */
static enum qv_status load_games(const struct training *t, int round, struct lessons *games,
				 int64_t *count)
{
	char path[MOST_PATH], head[HEAD];
	struct file_bytes file = { 0 };
	const size_t most = HEAD + (size_t)t->job->plan.games * sizeof *games;
	struct stat is_there;
	*count = 0;
	enum qv_status status = path_of(t, "round", round, ".games", path);
	if (status != QV_OK || stat(path, &is_there) != 0)
		return status;
	status = file_read(t->allocator, path, most, &file, t->error);
	if (status != QV_OK)
		return status;
	head_text(t, round, head);
	if (file.size >= HEAD && memcmp(file.data, head, HEAD) == 0) {
		*count = (int64_t)((file.size - HEAD) / sizeof *games);
		memcpy(games, file.data + HEAD, (size_t)*count * sizeof *games);
	} else if (file.size) {
		status = qv_fail(t->error, QV_BAD_INPUT,
				 "%.100s: games of another plan; take an empty folder", path);
	}
	file_release(t->allocator, &file);
	return status;
}

/* Opens the file of a round's games where the next one goes. */
static enum qv_status open_games(const struct training *t, int round, int64_t count, FILE **out)
{
	char path[MOST_PATH], head[HEAD];
	enum qv_status status = path_of(t, "round", round, ".games", path);
	if (status != QV_OK)
		return status;
	head_text(t, round, head);
	*out = fopen(path, count ? "r+b" : "wb");
	const long at = HEAD + (long)(count * (int64_t)sizeof(struct lessons));
	if (*out && (count ? fseek(*out, at, SEEK_SET) == 0 : fwrite(head, 1, HEAD, *out) == HEAD))
		return QV_OK;
	status = qv_fail(t->error, QV_IO, "%.100s: %s", path, strerror(errno));
	if (*out)
		fclose(*out);
	*out = NULL;
	return status;
}

static enum qv_status write_file(const struct training *t, const char *name, int round,
				 const char *end, const void *data, size_t size)
{
	char path[MOST_PATH];
	struct file_writer writer = { 0 };
	enum qv_status status = path_of(t, name, round, end, path);
	if (status == QV_OK)
		status = file_create(&writer, t->allocator, path, t->error);
	if (status == QV_OK)
		status = file_write(&writer, data, size, t->error);
	return status == QV_OK ? file_keep(&writer, t->error) : status;
}

/* The round's own file comes last: it says that the round is finished. */
static enum qv_status save_weights(const struct training *t, int round)
{
	char *data = mem_new(t->allocator, 1, WEIGHTS_TEXT);
	if (!data)
		return qv_fail(t->error, QV_NO_MEMORY, "train: out of memory");
	const size_t size = chess_weights_text(t->weights, data, WEIGHTS_TEXT);
	enum qv_status status = write_file(t, "weights", 0, "", data, size);
	if (status == QV_OK)
		status = write_file(t, "round", round, ".weights", data, size);
	mem_free(t->allocator, data, WEIGHTS_TEXT);
	return status;
}

/* Whether the round was finished; then its weights are taken. */
static enum qv_status load_weights(struct training *t, int round, bool *found)
{
	char path[MOST_PATH];
	struct file_bytes file = { 0 };
	struct stat is_there;
	*found = false;
	enum qv_status status = path_of(t, "round", round, ".weights", path);
	if (status != QV_OK || stat(path, &is_there) != 0)
		return status;
	status = file_read(t->allocator, path, WEIGHTS_TEXT, &file, t->error);
	if (status == QV_OK)
		status = weights_read(chess_engine.game->evaluations, file.data, file.size,
				      t->weights, t->error);
	file_release(t->allocator, &file);
	*found = status == QV_OK;
	return status;
}

/* ---- playing ---- */

struct playing {
	struct training *t;
	struct teacher *teachers; /* one a thread */
	struct lessons *batch;
	int64_t first;		 /* number of the batch's first game */
	struct qv_error *errors; /* one a thread */
	enum qv_status *statuses;
};

static void play_one(void *ctx, int hand, int64_t job)
{
	struct playing *p = ctx;
	if (p->statuses[hand] == QV_OK)
		p->statuses[hand] = teacher_play(&p->teachers[hand], p->first + job, &p->batch[job],
						 &p->errors[hand]);
}

static enum qv_status play_batch(struct playing *p, int64_t count)
{
	const struct chess_job *job = p->t->job;
	const struct crew_work work = { job->threads, count, play_one, p, job->stop };
	if (!crew_run(&work))
		return qv_fail(p->t->error, QV_STOPPED, "train: stopped");
	for (int i = 0; i < job->threads; i++)
		if (p->statuses[i] != QV_OK)
			return qv_fail(p->t->error, p->statuses[i], "%s", p->errors[i].text);
	return QV_OK;
}

static enum qv_status play_games(struct playing *p, int round, struct lessons *games)
{
	struct training *t = p->t;
	const struct chess_job *job = t->job;
	int64_t done;
	FILE *file = NULL;
	enum qv_status status = load_games(t, round, games, &done);
	if (status != QV_OK || done >= job->plan.games)
		return status;
	status = open_games(t, round, done, &file);
	while (status == QV_OK && done < job->plan.games) {
		const int64_t left = job->plan.games - done, count = left < BATCH ? left : BATCH;
		p->batch = games + done;
		p->first = done;
		status = play_batch(p, count);
		if (status == QV_OK &&
		    (fwrite(p->batch, sizeof *p->batch, (size_t)count, file) != (size_t)count ||
		     fflush(file) != 0))
			status = qv_fail(t->error, QV_IO, "train: games cannot be written: %s",
					 strerror(errno));
		done += count;
		if (status == QV_OK && job->progress)
			job->progress(job->ctx, round, done);
	}
	if (file)
		fclose(file);
	return status;
}

static enum qv_status play_round(struct training *t, int round, struct lessons *games)
{
	const struct chess_job *job = t->job;
	const size_t hands = (size_t)job->threads;
	struct playing p = { .t = t };
	enum qv_status status = QV_OK;
	p.teachers = mem_new(t->allocator, hands, sizeof *p.teachers);
	p.errors = mem_new(t->allocator, hands, sizeof *p.errors);
	p.statuses = mem_new(t->allocator, hands, sizeof *p.statuses);
	if (!p.teachers || !p.errors || !p.statuses)
		status = qv_fail(t->error, QV_NO_MEMORY, "train: out of memory");
	const struct teaching_plan plan = { qv_random_key(job->plan.seed, (uint64_t)round),
					    job->plan.nodes };
	for (size_t i = 0; status == QV_OK && i < hands; i++)
		status = teacher_init(&p.teachers[i], t->allocator, &plan, t->weights, t->error);
	if (status == QV_OK)
		status = play_games(&p, round, games);
	for (size_t i = 0; p.teachers && i < hands; i++)
		teacher_release(&p.teachers[i]);
	mem_free(t->allocator, p.teachers, hands * sizeof *p.teachers);
	mem_free(t->allocator, p.errors, hands * sizeof *p.errors);
	mem_free(t->allocator, p.statuses, hands * sizeof *p.statuses);
	return status;
}

/* ---- rounds ---- */

static double seconds_since(int64_t start)
{
	return (double)(clock_us() - start) / 1e6;
}

static enum qv_status fit_round(struct training *t, int round)
{
	const struct chess_plan *p = &t->job->plan;
	const int oldest = round > p->remember ? round - p->remember : 0;
	const struct fit_job job = {
		.games = t->games + oldest * p->games,
		.count = (round - oldest) * p->games,
		.round = p->games,
		.iterations = p->iterations,
		.blend = p->blend,
		.penalty = p->penalty,
		.step = p->step,
		.threads = t->job->threads,
		.stop = t->job->stop,
		.allocator = t->allocator,
	};
	return chess_fit(&job, t->weights, &t->news.fit, t->error);
}

static enum qv_status one_round(struct training *t, int round)
{
	const struct chess_job *job = t->job;
	struct lessons *games = t->games + (round - 1) * job->plan.games;
	bool finished;
	t->news = (struct chess_round){ .number = round };
	enum qv_status status = load_weights(t, round, &finished);
	const int64_t start = clock_us();
	if (status == QV_OK && finished) {
		int64_t have;
		t->news.resumed = true;
		status = load_games(t, round, games, &have);
		if (status == QV_OK && have < job->plan.games)
			status = qv_fail(t->error, QV_BAD_INPUT,
					 "train: the games of round %d are not all there", round);
	} else if (status == QV_OK) {
		status = play_round(t, round, games);
		t->news.seconds_playing = seconds_since(start);
		if (status == QV_OK)
			status = fit_round(t, round);
		if (status == QV_OK)
			status = save_weights(t, round);
		t->news.seconds_fitting = seconds_since(start) - t->news.seconds_playing;
	}
	t->news.hash = qv_hash_bytes(t->weights, 2 * CHESS_WEIGHTS * sizeof *t->weights);
	if (status == QV_OK && job->round)
		job->round(job->ctx, &t->news);
	return status;
}

enum qv_status chess_train(const struct chess_job *job, const struct qv_allocator *allocator,
			   int32_t *weights, struct qv_error *error)
{
	struct training t = {
		.job = job, .allocator = allocator, .error = error, .weights = weights
	};
	enum qv_status status = QV_OK;
	const size_t games = (size_t)(job->plan.rounds * job->plan.games);
	if (mkdir(job->folder, 0777) != 0 && errno != EEXIST)
		return qv_fail(error, QV_IO, "%.100s: %s", job->folder, strerror(errno));
	t.games = mem_new(allocator, games, sizeof *t.games);
	if (!t.games)
		return qv_fail(error, QV_NO_MEMORY, "train: out of memory for %zu games", games);
	for (int round = 1; status == QV_OK && round <= job->plan.rounds; round++)
		status = one_round(&t, round);
	mem_free(allocator, t.games, games * sizeof *t.games);
	return status;
}
