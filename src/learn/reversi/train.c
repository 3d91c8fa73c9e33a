/*
 * train.c - reversi: weights of patterns learned in rounds of games and fits.
 * SPDX-License-Identifier: MIT
 */
#include "learn/reversi/train.h"

#include <errno.h>
#include <math.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/file.h"
#include "learn/crew.h"

enum { BATCH = 4096, MOST_PATH = 4096, HEAD = 128 };

struct train {
	const struct train_job *job;
	const struct qv_allocator *allocator;
	struct qv_error *error;
	struct reversi_patterns *patterns;
	bool has_patterns;	   /* not before the first fit */
	struct game_record *games; /* of all rounds */
	size_t game_room;
	struct train_round news;
};

/* ---- files ---- */

static enum qv_status path_of(const struct train *t, const char *name, int round, const char *end,
			      char *path)
{
	char number[16] = "";
	if (round)
		snprintf(number, sizeof number, "-%d", round);
	if (snprintf(path, MOST_PATH, "%s/%s%s%s", t->job->folder, name, number, end) >= MOST_PATH)
		return qv_fail(t->error, QV_BAD_INPUT, "train: the folder's name is too long");
	return QV_OK;
}

/* What the games of a round depend on, padded with blanks to HEAD. */
static void head_text(const struct train *t, int round, char *head)
{
	const struct train_plan *p = &t->job->plan;
	memset(head, ' ', HEAD);
	const int length = snprintf(
		head, HEAD,
		"quevedo-reversi-games 1 round=%d seed=%llu games=%lld depth=%d solve=%d remember=%d "
		"fit=%d,%d,%d",
		round, (unsigned long long)p->seed, (long long)p->games, p->depth, p->solve,
		p->remember, p->fit.iterations, p->fit.penalty, p->fit.least);
	head[length < HEAD ? length : HEAD - 1] = ' ';
	head[HEAD - 1] = '\n';
}

/* The games of a round that are in its file. */
static enum qv_status load_games(const struct train *t, int round, struct game_record *games,
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
static enum qv_status open_games(const struct train *t, int round, int64_t count, FILE **out)
{
	char path[MOST_PATH], head[HEAD];
	enum qv_status status = path_of(t, "round", round, ".games", path);
	if (status != QV_OK)
		return status;
	head_text(t, round, head);
	*out = fopen(path, count ? "r+b" : "wb");
	const long at = HEAD + (long)(count * (int64_t)sizeof(struct game_record));
	if (*out && (count ? fseek(*out, at, SEEK_SET) == 0 : fwrite(head, 1, HEAD, *out) == HEAD))
		return QV_OK;
	status = qv_fail(t->error, QV_IO, "%.100s: %s", path, strerror(errno));
	if (*out)
		fclose(*out);
	return status;
}

static enum qv_status write_file(const struct train *t, const char *name, int round,
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
static enum qv_status save_weights(const struct train *t, int round)
{
	char *data = mem_new(t->allocator, 1, PATTERN_FILE_MOST);
	size_t size = 0;
	if (!data)
		return qv_fail(t->error, QV_NO_MEMORY, "train: out of memory");
	enum qv_status status = reversi_patterns_pack(t->patterns, data, &size, t->error);
	if (status == QV_OK)
		status = write_file(t, "weights", 0, "", data, size);
	if (status == QV_OK)
		status = write_file(t, "round", round, ".weights", data, size);
	mem_free(t->allocator, data, PATTERN_FILE_MOST);
	return status;
}

/* Whether the round was finished; then its weights are taken. */
static enum qv_status load_weights(struct train *t, int round, bool *found)
{
	char path[MOST_PATH];
	struct file_bytes file = { 0 };
	struct stat is_there;
	*found = false;
	enum qv_status status = path_of(t, "round", round, ".weights", path);
	if (status != QV_OK || stat(path, &is_there) != 0)
		return status;
	status = file_read(t->allocator, path, PATTERN_FILE_MOST, &file, t->error);
	if (status == QV_OK)
		status = reversi_patterns_read(file.data, file.size, t->patterns, t->error);
	file_release(t->allocator, &file);
	*found = status == QV_OK;
	t->has_patterns |= *found;
	return status;
}

/* ---- playing ---- */

struct playing {
	struct train *t;
	struct selfplay *players; /* one a thread */
	struct game_record *batch;
	int64_t first;		 /* number of the batch's first game */
	struct qv_error *errors; /* one a thread */
	enum qv_status *statuses;
};

static void play_one(void *ctx, int hand, int64_t job)
{
	struct playing *p = ctx;
	if (p->statuses[hand] == QV_OK)
		p->statuses[hand] = selfplay_game(&p->players[hand], p->first + job, &p->batch[job],
						  &p->errors[hand]);
}

static enum qv_status play_batch(struct playing *p, int64_t count)
{
	const struct train_job *job = p->t->job;
	const struct crew_work work = { job->threads, count, play_one, p, job->stop };
	if (!crew_run(&work))
		return qv_fail(p->t->error, QV_STOPPED, "train: stopped");
	for (int i = 0; i < job->threads; i++)
		if (p->statuses[i] != QV_OK)
			return qv_fail(p->t->error, p->statuses[i], "%s", p->errors[i].text);
	return QV_OK;
}

static enum qv_status play_games(struct playing *p, int round, struct game_record *games)
{
	struct train *t = p->t;
	const struct train_job *job = t->job;
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

static enum qv_status play_round(struct train *t, int round, struct game_record *games)
{
	const struct train_job *job = t->job;
	const size_t hands = (size_t)job->threads;
	struct playing p = { .t = t };
	enum qv_status status = QV_OK;
	p.players = mem_new(t->allocator, hands, sizeof *p.players);
	p.errors = mem_new(t->allocator, hands, sizeof *p.errors);
	p.statuses = mem_new(t->allocator, hands, sizeof *p.statuses);
	if (!p.players || !p.errors || !p.statuses)
		status = qv_fail(t->error, QV_NO_MEMORY, "train: out of memory");
	const struct selfplay_plan plan = { qv_random_key(job->plan.seed, (uint64_t)round),
					    job->plan.depth, job->plan.solve };
	for (size_t i = 0; status == QV_OK && i < hands; i++)
		status = selfplay_init(&p.players[i], t->allocator, &plan,
				       t->has_patterns ? t->patterns : NULL, t->error);
	if (status == QV_OK)
		status = play_games(&p, round, games);
	for (size_t i = 0; p.players && i < hands; i++)
		selfplay_release(&p.players[i]);
	mem_free(t->allocator, p.players, hands * sizeof *p.players);
	mem_free(t->allocator, p.errors, hands * sizeof *p.errors);
	mem_free(t->allocator, p.statuses, hands * sizeof *p.statuses);
	return status;
}

/* ---- fitting ---- */

struct fitting {
	struct train *t;
	struct samples learned, tested;
	enum qv_status statuses[PATTERN_PHASES];
	double errors[PATTERN_PHASES];
};

static void fit_one(void *ctx, int hand, int64_t job)
{
	struct fitting *f = ctx;
	struct train *t = f->t;
	struct qv_error ignored;
	(void)hand;
	f->statuses[job] = fit_phase(&f->learned, &t->job->plan.fit, (int)job, t->patterns,
				     t->allocator, &ignored);
}

static void test_one(void *ctx, int hand, int64_t job)
{
	struct fitting *f = ctx;
	(void)hand;
	f->errors[job] = fit_error(&f->tested, f->t->patterns, (int)job);
}

/* The error of all phases together, with the weights as they are. */
static double whole_error(struct fitting *f)
{
	const struct crew_work work = { f->t->job->threads, PATTERN_PHASES, test_one, f, NULL };
	double sum = 0;
	crew_run(&work);
	for (int i = 0; i < PATTERN_PHASES; i++)
		if (f->errors[i] >= 0)
			sum += f->errors[i] * f->errors[i] * (double)fit_samples(&f->tested, i);
	return f->tested.count ? sqrt(sum / (double)f->tested.count) : 0;
}

static enum qv_status fit_all(struct fitting *f)
{
	const struct train *t = f->t;
	const struct crew_work work = { t->job->threads, PATTERN_PHASES, fit_one, f, t->job->stop };
	if (!crew_run(&work))
		return qv_fail(t->error, QV_STOPPED, "train: stopped");
	for (int i = 0; i < PATTERN_PHASES; i++)
		if (f->statuses[i] != QV_OK)
			return qv_fail(t->error, f->statuses[i], "train: out of memory");
	return QV_OK;
}

static enum qv_status fit_round(struct train *t, const struct games *games)
{
	struct fitting f = { .t = t };
	struct train_round *news = &t->news;
	enum qv_status status = samples_init(&f.learned, t->allocator, games, false, t->error);
	if (status == QV_OK)
		status = samples_init(&f.tested, t->allocator, games, true, t->error);
	if (status == QV_OK) {
		news->samples = f.learned.count;
		news->before = whole_error(&f);
		status = fit_all(&f);
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

/* ---- rounds ---- */

static double seconds_since(int64_t start)
{
	return (double)(clock_us() - start) / 1e6;
}

static enum qv_status one_round(struct train *t, int round)
{
	const struct train_job *job = t->job;
	const int64_t count = job->plan.games;
	const int oldest = round > job->plan.remember ? round - job->plan.remember : 0;
	bool finished;
	t->news = (struct train_round){ .number = round };
	enum qv_status status = load_weights(t, round, &finished);
	const int64_t start = clock_us();
	if (status == QV_OK && finished) {
		int64_t have;
		t->news.resumed = true;
		status = load_games(t, round, t->games + (round - 1) * count, &have);
		if (status == QV_OK && have < count)
			status = qv_fail(t->error, QV_BAD_INPUT,
					 "train: the games of round %d are not all there", round);
	} else if (status == QV_OK) {
		status = play_round(t, round, t->games + (round - 1) * count);
		t->news.seconds_playing = seconds_since(start);
		const struct games remembered = { t->games + oldest * count,
						  (round - oldest) * count, count };
		if (status == QV_OK)
			status = fit_round(t, &remembered);
		if (status == QV_OK)
			status = save_weights(t, round);
		t->news.seconds_fitting = seconds_since(start) - t->news.seconds_playing;
	}
	t->news.hash = qv_hash_bytes(t->patterns->weights, sizeof t->patterns->weights);
	if (status == QV_OK && job->round)
		job->round(job->ctx, &t->news);
	return status;
}

enum qv_status train_run(const struct train_job *job, const struct qv_allocator *allocator,
			 struct reversi_patterns *out, struct qv_error *error)
{
	struct train t = { .job = job, .allocator = allocator, .error = error, .patterns = out };
	enum qv_status status = QV_OK;
	const size_t games = (size_t)(job->plan.rounds * job->plan.games);
	memset(out, 0, sizeof *out);
	reversi_patterns_init(out);
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
