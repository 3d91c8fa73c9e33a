/*
 * rounds.c - training in rounds of self-play and fitting: files, threads, resuming.
 * SPDX-License-Identifier: MIT
 *
 * Games are played in batches over all threads and appended to the round's file after each batch,
 * so a stopped run loses at most one batch. The file of weights is written last and marks a round
 * as finished. All games of the run are kept in memory.
 */
#include "learn/rounds.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/threads.h"

enum { MOST_PATH = 4096, HEAD = 128 };

struct training {
	const struct rounds_job *job;
	const struct rounds_subject *subject;
	const struct qv_allocator *allocator;
	struct qv_error *error;
	char *games; /* of all rounds */
	struct rounds_news news;
};

static char *games_from(const struct training *t, char *games, int64_t number)
{
	return games + (size_t)number * t->subject->game_size;
}

/* ---- files ---- */

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

/* The title, padded with blanks to HEAD. */
static void head_text(const struct training *t, int round, char *head)
{
	t->subject->title(t->subject->learner, round, head, HEAD);
	const size_t length = strlen(head);
	memset(head + length, ' ', HEAD - length);
	head[HEAD - 1] = '\n';
}

/* Loads the games of a round from its file; a missing file has none. */
static enum qv_status load_games(const struct training *t, int round, char *games, int64_t *count)
{
	char path[MOST_PATH], head[HEAD];
	struct file_bytes file = { 0 };
	const size_t size = t->subject->game_size;
	const size_t most = HEAD + (size_t)t->job->games * size;
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
		*count = (int64_t)((file.size - HEAD) / size);
		memcpy(games, file.data + HEAD, (size_t)*count * size);
	} else if (file.size) {
		status = qv_fail(t->error, QV_BAD_INPUT,
				 "%.100s: games of another plan; use an empty folder", path);
	}
	file_release(t->allocator, &file);
	return status;
}

/* Opens a round's file of games for appending game number `count`. */
static enum qv_status open_games(const struct training *t, int round, int64_t count, FILE **out)
{
	char path[MOST_PATH], head[HEAD];
	enum qv_status status = path_of(t, "round", round, ".games", path);
	if (status != QV_OK)
		return status;
	head_text(t, round, head);
	*out = fopen(path, count ? "r+b" : "wb");
	const long at = HEAD + (long)((size_t)count * t->subject->game_size);
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

/* The round's own file comes last: its existence marks the round as finished. */
static enum qv_status save_weights(const struct training *t, int round)
{
	const struct rounds_subject *subject = t->subject;
	char *data = mem_new(t->allocator, 1, subject->file_most);
	size_t size = 0;
	if (!data)
		return qv_fail(t->error, QV_NO_MEMORY, "train: out of memory");
	enum qv_status status = subject->write(subject->learner, data, &size, t->error);
	if (status == QV_OK)
		status = write_file(t, "weights", 0, "", data, size);
	if (status == QV_OK)
		status = write_file(t, "round", round, ".weights", data, size);
	mem_free(t->allocator, data, subject->file_most);
	return status;
}

/* Loads the weights of a finished round; *found is false if it is not finished. */
static enum qv_status load_weights(const struct training *t, int round, bool *found)
{
	const struct rounds_subject *subject = t->subject;
	char path[MOST_PATH];
	struct file_bytes file = { 0 };
	struct stat is_there;
	*found = false;
	enum qv_status status = path_of(t, "round", round, ".weights", path);
	if (status != QV_OK || stat(path, &is_there) != 0)
		return status;
	status = file_read(t->allocator, path, subject->file_most, &file, t->error);
	if (status == QV_OK)
		status = subject->read(subject->learner, file.data, file.size, t->error);
	file_release(t->allocator, &file);
	*found = status == QV_OK;
	return status;
}

/* ---- playing ---- */

struct playing {
	struct training *t;
	char *players; /* one per thread */
	char *batch;
	int64_t first;		 /* number of the batch's first game */
	struct qv_error *errors; /* one per thread */
	enum qv_status *statuses;
};

static void *player_of(const struct playing *p, int worker)
{
	return p->players + (size_t)worker * p->t->subject->player_size;
}

static void play_one(void *ctx, int worker, int64_t job)
{
	struct playing *p = ctx;
	if (p->statuses[worker] == QV_OK)
		p->statuses[worker] =
			p->t->subject->play(player_of(p, worker), p->first + job,
					    games_from(p->t, p->batch, job), &p->errors[worker]);
}

static enum qv_status play_batch(struct playing *p, int64_t count)
{
	const struct rounds_job *job = p->t->job;
	if (!threads_for(job->threads, count, job->stop, play_one, p))
		return qv_fail(p->t->error, QV_STOPPED, "train: stopped");
	for (int i = 0; i < job->threads; i++)
		if (p->statuses[i] != QV_OK)
			return qv_fail(p->t->error, p->statuses[i], "%s", p->errors[i].text);
	return QV_OK;
}

static enum qv_status play_games(struct playing *p, int round, char *games)
{
	struct training *t = p->t;
	const struct rounds_job *job = t->job;
	const size_t size = t->subject->game_size;
	int64_t done;
	FILE *file = NULL;
	enum qv_status status = load_games(t, round, games, &done);
	if (status != QV_OK || done >= job->games)
		return status;
	status = open_games(t, round, done, &file);
	while (status == QV_OK && done < job->games) {
		const int64_t left = job->games - done;
		const int64_t count = left < t->subject->batch ? left : t->subject->batch;
		p->batch = games_from(t, games, done);
		p->first = done;
		status = play_batch(p, count);
		if (status == QV_OK &&
		    (fwrite(p->batch, size, (size_t)count, file) != (size_t)count ||
		     fflush(file) != 0))
			status = qv_fail(t->error, QV_IO, "train: cannot write games: %s",
					 strerror(errno));
		done += count;
		if (status == QV_OK && job->progress)
			job->progress(job->ctx, round, done);
	}
	if (file)
		fclose(file);
	return status;
}

static enum qv_status play_round(struct training *t, int round, char *games)
{
	const struct rounds_subject *subject = t->subject;
	const size_t workers = (size_t)t->job->threads;
	struct playing p = { .t = t };
	enum qv_status status = QV_OK;
	p.players = mem_new(t->allocator, workers, subject->player_size);
	p.errors = mem_new(t->allocator, workers, sizeof *p.errors);
	p.statuses = mem_new(t->allocator, workers, sizeof *p.statuses);
	if (!p.players || !p.errors || !p.statuses)
		status = qv_fail(t->error, QV_NO_MEMORY, "train: out of memory");
	const uint64_t seed = qv_random_key(t->job->seed, (uint64_t)round);
	for (int i = 0; status == QV_OK && i < t->job->threads; i++)
		status = subject->begin(subject->learner, i, seed, player_of(&p, i), t->error);
	if (status == QV_OK)
		status = play_games(&p, round, games);
	for (int i = 0; p.players && i < t->job->threads; i++)
		subject->end(player_of(&p, i));
	mem_free(t->allocator, p.players, workers * subject->player_size);
	mem_free(t->allocator, p.errors, workers * sizeof *p.errors);
	mem_free(t->allocator, p.statuses, workers * sizeof *p.statuses);
	return status;
}

/* ---- rounds ---- */

static double seconds_since(int64_t start)
{
	return (double)(clock_us() - start) / 1e6;
}

/* Plays the round, fits the weights and saves them. */
static enum qv_status make_round(struct training *t, int round)
{
	const struct rounds_job *job = t->job;
	const struct rounds_subject *subject = t->subject;
	const int oldest = round > job->remember ? round - job->remember : 0;
	const int64_t start = clock_us();
	enum qv_status status =
		play_round(t, round, games_from(t, t->games, (round - 1) * job->games));
	t->news.seconds_playing = seconds_since(start);
	if (status == QV_OK)
		status =
			subject->fit(subject->learner, games_from(t, t->games, oldest * job->games),
				     (round - oldest) * job->games, job->games, t->error);
	if (status == QV_OK)
		status = save_weights(t, round);
	t->news.seconds_fitting = seconds_since(start) - t->news.seconds_playing;
	return status;
}

static enum qv_status one_round(struct training *t, int round)
{
	const struct rounds_job *job = t->job;
	t->news = (struct rounds_news){ .number = round };
	enum qv_status status = load_weights(t, round, &t->news.resumed);
	if (status == QV_OK && t->news.resumed) {
		int64_t have;
		status = load_games(t, round, games_from(t, t->games, (round - 1) * job->games),
				    &have);
		if (status == QV_OK && have < job->games)
			status = qv_fail(t->error, QV_BAD_INPUT,
					 "train: games of round %d are missing", round);
	} else if (status == QV_OK) {
		status = make_round(t, round);
	}
	t->news.hash = t->subject->hash(t->subject->learner);
	if (status == QV_OK && job->round)
		job->round(job->ctx, &t->news);
	return status;
}

enum qv_status rounds_run(const struct rounds_job *job, const struct rounds_subject *subject,
			  const struct qv_allocator *allocator, struct qv_error *error)
{
	struct training t = {
		.job = job, .subject = subject, .allocator = allocator, .error = error
	};
	enum qv_status status = QV_OK;
	const size_t games = (size_t)(job->rounds * job->games);
	if (mkdir(job->folder, 0777) != 0 && errno != EEXIST)
		return qv_fail(error, QV_IO, "%.100s: %s", job->folder, strerror(errno));
	t.games = mem_new(allocator, games, subject->game_size);
	if (!t.games)
		return qv_fail(error, QV_NO_MEMORY, "train: out of memory for %zu games", games);
	for (int round = 1; status == QV_OK && round <= job->rounds; round++)
		status = one_round(&t, round);
	mem_free(allocator, t.games, games * subject->game_size);
	return status;
}
