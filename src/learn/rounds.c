/*
 * rounds.c - training in rounds of self-play and fitting: files, threads, resuming.
 * SPDX-License-Identifier: MIT
 *
 * Games are played in batches over all threads and appended to the round's file after each batch,
 * so a stopped run loses at most one batch. The file of weights is written last and marks a round
 * as finished. All games of the run stay in memory, one block for all rounds, so that a fit can use
 * the games of earlier rounds. Each worker thread has its own player and its own error.
 */
#include "learn/rounds.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/threads.h"

/* A file of games begins with HEAD bytes: the subject's title, padded with blanks. */
enum { MOST_PATH = 4096, HEAD = 128 };

/* A run. The pointers but `games` are the caller's. */
struct training {
	const struct rounds_job *job;
	const struct rounds_subject *subject;
	const struct qv_allocator *allocator;
	struct qv_error *error;
	char *games; /* of all rounds, in their order */
	struct rounds_news news;
};

/* Game `number` of a block of games. */
static char *games_from(const struct training *t, char *games, int64_t number)
{
	return games + (size_t)number * t->subject->game_size;
}

/* ---- files ---- */

/* The path of a round's file; round 0: of the weights of the last finished round. */
static enum qv_status path_of(const struct training *t, int round, const char *end, char *path)
{
	char name[32] = "weights";
	if (round)
		snprintf(name, sizeof name, "round-%d.%s", round, end);
	if (snprintf(path, MOST_PATH, "%s/%s", t->job->folder, name) >= MOST_PATH)
		return qv_fail(t->error, QV_BAD_INPUT, "train: the folder's name is too long");
	return QV_OK;
}

/* Sets path and reads the file; *found is false, and the file empty, if it does not exist. */
static enum qv_status load(const struct training *t, int round, const char *end, size_t most,
			   char *path, struct file_bytes *file, bool *found)
{
	struct stat status_of_file;
	*file = (struct file_bytes){ 0 };
	*found = false;
	const enum qv_status status = path_of(t, round, end, path);
	if (status != QV_OK || stat(path, &status_of_file) != 0)
		return status;
	*found = true;
	return file_read(t->allocator, path, most, file, t->error);
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
	struct file_bytes file;
	bool found;
	const size_t size = t->subject->game_size, most = HEAD + (size_t)t->job->games * size;
	*count = 0;
	enum qv_status status = load(t, round, "games", most, path, &file, &found);
	if (status != QV_OK || !found)
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

/* Opens a round's file of games for appending game number `count`. The caller closes it. */
static enum qv_status open_games(const struct training *t, int round, int64_t count, FILE **out)
{
	char path[MOST_PATH], head[HEAD];
	enum qv_status status = path_of(t, round, "games", path);
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

/* Writes the weights to a round's file, or for round 0 to that of the last round. */
static enum qv_status write_file(const struct training *t, int round, const void *data, size_t size)
{
	char path[MOST_PATH];
	struct file_writer writer = { 0 };
	enum qv_status status = path_of(t, round, "weights", path);
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
	for (int i = 0; i < 2 && status == QV_OK; i++)
		status = write_file(t, i * round, data, size);
	mem_free(t->allocator, data, subject->file_most);
	return status;
}

/* ---- playing ---- */

/* One round's games in progress: the players of all threads, and the current batch. */
struct playing {
	struct training *t;
	char *players; /* one per thread */
	char *batch;
	int64_t first;		 /* number of the batch's first game */
	struct qv_error *errors; /* one per thread */
	enum qv_status *statuses;
};

/* A thread's player. */
static void *player_of(const struct playing *p, int worker)
{
	return p->players + (size_t)worker * p->t->subject->player_size;
}

/* A job of threads_for. After a failure the worker skips the remaining games. */
static void play_one(void *ctx, int worker, int64_t job)
{
	struct playing *p = ctx;
	if (p->statuses[worker] == QV_OK)
		p->statuses[worker] =
			p->t->subject->play(player_of(p, worker), p->first + job,
					    games_from(p->t, p->batch, job), &p->errors[worker]);
}

/* Plays a batch and appends it to the file. */
static enum qv_status play_batch(struct playing *p, int64_t count, FILE *file)
{
	const struct rounds_job *job = p->t->job;
	if (!threads_for(job->threads, count, job->stop, play_one, p))
		return qv_fail(p->t->error, QV_STOPPED, "train: stopped");
	for (int i = 0; i < job->threads; i++)
		if (p->statuses[i] != QV_OK)
			return qv_fail(p->t->error, p->statuses[i], "%s", p->errors[i].text);
	if (fwrite(p->batch, p->t->subject->game_size, (size_t)count, file) != (size_t)count ||
	    fflush(file) != 0)
		return qv_fail(p->t->error, QV_IO, "train: cannot write games: %s",
			       strerror(errno));
	return QV_OK;
}

/* Loads the games that an earlier run has played, and plays the others. */
static enum qv_status play_games(struct playing *p, int round, char *games)
{
	struct training *t = p->t;
	const struct rounds_job *job = t->job;
	FILE *file = NULL;
	enum qv_status status = load_games(t, round, games, &p->first);
	if (status != QV_OK || p->first >= job->games)
		return status;
	status = open_games(t, round, p->first, &file);
	while (status == QV_OK && p->first < job->games) {
		const int64_t left = job->games - p->first;
		const int64_t count = left < t->subject->batch ? left : t->subject->batch;
		p->batch = games_from(t, games, p->first);
		status = play_batch(p, count, file);
		p->first += count;
		if (status == QV_OK && job->progress)
			job->progress(job->ctx, round, p->first);
	}
	if (file)
		fclose(file);
	return status;
}

/* Plays a round's games with a player for each thread. */
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
	/* Each round has its own seed, so that its games differ from those of the others. */
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

/* Loads a finished round; the fits of later ones need its games, too. */
static enum qv_status resume_round(struct training *t, int round, char *games)
{
	const struct rounds_subject *subject = t->subject;
	char path[MOST_PATH];
	struct file_bytes file;
	int64_t count = 0;
	enum qv_status status =
		load(t, round, "weights", subject->file_most, path, &file, &t->news.resumed);
	if (status == QV_OK && t->news.resumed)
		status = subject->read(subject->learner, file.data, file.size, t->error);
	file_release(t->allocator, &file);
	if (status == QV_OK && t->news.resumed)
		status = load_games(t, round, games, &count);
	if (status == QV_OK && t->news.resumed && count < t->job->games)
		status = qv_fail(t->error, QV_BAD_INPUT, "train: games of round %d are missing",
				 round);
	return status;
}

/* Plays a round's games, fits the weights and saves them, unless an earlier run has done that. */
static enum qv_status one_round(struct training *t, int round)
{
	const struct rounds_job *job = t->job;
	const struct rounds_subject *subject = t->subject;
	const int oldest = round > job->remember ? round - job->remember : 0;
	char *games = games_from(t, t->games, (round - 1) * job->games);
	t->news = (struct rounds_news){ .number = round };
	enum qv_status status = resume_round(t, round, games);
	if (status == QV_OK && !t->news.resumed) {
		const int64_t start = clock_us();
		status = play_round(t, round, games);
		const int64_t played = clock_us();
		if (status == QV_OK)
			status = subject->fit(subject->learner,
					      games_from(t, t->games, oldest * job->games),
					      (round - oldest) * job->games, job->games, t->error);
		if (status == QV_OK)
			status = save_weights(t, round);
		t->news.seconds_playing = (double)(played - start) / 1e6;
		t->news.seconds_fitting = (double)(clock_us() - played) / 1e6;
	}
	/* A resumed round is reported, too, so that the caller sees all of them. */
	t->news.hash = subject->hash(subject->learner);
	if (status == QV_OK)
		subject->report(subject->learner, &t->news);
	return status;
}

enum qv_status rounds_run(const struct rounds_job *job, const struct rounds_subject *subject,
			  const struct qv_allocator *allocator, struct qv_error *error)
{
	struct training t = { job, subject, allocator, error, NULL, { 0 } };
	enum qv_status status = QV_OK;
	const size_t games = (size_t)(job->rounds * job->games);
	/* An existing folder may hold a run to resume. */
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
