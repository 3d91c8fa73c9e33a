/*
 * build.c - plans and builds the endgame tables of a game, group by group.
 * SPDX-License-Identifier: MIT
 *
 * A group of spaces is solved in memory (retro.c) and written to FOLDER/GAME/SPACE.qvt. While it is
 * being solved, checkpoints go to SPACE.part. They are deleted only after all tables of the group
 * exist, so a run that dies at any moment loses only the work since its last checkpoint. The next
 * run skips finished groups and resumes from the checkpoints. A lock file keeps a second run out.
 *
 * A plan estimates time, memory and disk. Up to 4,000 numbers of each space, or 0.2 s of work, are
 * decoded and expanded; the time per number and the share of real positions are scaled up to the
 * whole space. Memory is the largest group's arrays plus the earlier tables that its moves lead
 * into. Finished tables cost nothing more.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/paths.h"
#include "solve/retro.h"

struct build {
	const struct spaces *spaces;
	const struct qv_tables_job *job;
	struct table_cache cache;
	struct retro retro;        /* the group being solved */
	int lock;                  /* descriptor of the locked lock file; -1: not open */
};

/* ---- the folder ---- */

/* Creates the folder and those above it. */
static enum qv_status make_folder(const char *path, struct qv_error *error)
{
	char part[4096];
	for (size_t length = 1; length <= strlen(path) && length < sizeof part; length++) {
		if (path[length] != '/' && path[length])
			continue;
		memcpy(part, path, length);
		part[length] = '\0';
		if (mkdir(part, 0777) != 0 && errno != EEXIST)
			return qv_fail(error, QV_IO, "%.200s: %s", part, strerror(errno));
	}
	return QV_OK;
}

/*
 * The system releases the lock when the process ends, even by a crash. flock also excludes other
 * threads of this process, since each opens the file itself.
 */
static enum qv_status lock_folder(struct build *b, struct qv_error *error)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/lock", b->cache.folder);
	b->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (b->lock < 0)
		return qv_fail(error, QV_IO, "%.200s: %s", path, strerror(errno));
	if (flock(b->lock, LOCK_EX | LOCK_NB) == 0)
		return QV_OK;
	return qv_fail(error, QV_IO, "%.200s: %s", b->cache.folder,
		       errno == EWOULDBLOCK ? "another run is building these tables" :
					      strerror(errno));
}

/* Deletes the checkpoints and temporary files of the spaces from `first` to before `end`. */
static void remove_parts(const struct build *b, int first, int end)
{
	static const char *const extensions[] = { "part", "part.tmp", "qvt.tmp" };
	char path[4096];
	for (int space = first; space < end; space++)
		for (int i = 0; i < 3; i++)
			if (table_cache_path(&b->cache, space, extensions[i], path))
				unlink(path);
}

/* ---- checkpoints ---- */

/* Writes finished tables ("qvt") or checkpoints ("part") of the group. */
static enum qv_status write_group(const struct build *b, const char *extension, int level,
				  uint64_t progress, struct qv_error *error)
{
	const struct retro *r = &b->retro;
	for (int space = r->first; space < r->end; space++) {
		char path[4096];
		const struct values *values = &r->values[space - r->first];
		struct table_facts facts = { .width = values->width, .size = values->size,
					     .longest = -1, .level = level, .progress = progress };
		strcpy(facts.game, b->spaces->name);
		strcpy(facts.space, b->spaces->list[space].name);
		if (level == TABLE_FINISHED)
			table_count(&facts, values);
		if (!table_cache_path(&b->cache, space, extension, path))
			return qv_fail(error, QV_IO, "%.100s: the path is too long",
				       b->cache.folder);
		const enum qv_status status =
			table_write(b->spaces->allocator, path, &facts, values, error);
		if (status != QV_OK)
			return status;
	}
	/* A renamed file survives a power failure only after its folder was synced, too. */
	folder_sync(b->cache.folder, NULL);
	return QV_OK;
}

/* retro_run.checkpoint */
static enum qv_status save(void *ctx, int level, uint64_t progress, struct qv_error *error)
{
	return write_group(ctx, "part", level, progress, error);
}

/*
 * Reads the headers of the group's checkpoints: the earliest point among them, and the widest
 * values. False: one is missing or unusable, so the group must be solved from scratch.
 */
static bool find_checkpoints(const struct build *b, int first, int *level, uint64_t *progress,
			     int *width)
{
	*level = INT32_MAX;
	*progress = 0;
	*width = 1;
	for (int space = first; space < spaces_group_end(b->spaces, first); space++) {
		struct table_file file;
		if (table_cache_open(&b->cache, space, "part", &file, NULL) != QV_OK)
			return false;
		const struct table_facts *facts = &file.facts;
		if (facts->level < *level ||
		    (facts->level == *level && facts->progress < *progress)) {
			*level = facts->level;
			*progress = facts->progress;
		}
		*width = file.facts.width > *width ? file.facts.width : *width;
		table_close(&file);
	}
	return true;
}

/*
 * Prepares the group's arrays and loads its checkpoints. If one of them is missing or damaged,
 * *level and *progress are set to the beginning.
 */
static enum qv_status resume(struct build *b, int first, int *level, uint64_t *progress,
			     struct qv_error *error)
{
	int width = 1;
	bool sound = find_checkpoints(b, first, level, progress, &width);
	enum qv_status status =
		retro_init(&b->retro, b->spaces, &b->cache, first, sound ? width : 1, error);
	if (status != QV_OK)
		return status;
	for (int space = first; sound && space < b->retro.end; space++) {
		struct table_file file;
		struct values read, *values = &b->retro.values[space - first];
		if (table_cache_open(&b->cache, space, "part", &file, NULL) != QV_OK) {
			sound = false;
			break;
		}
		status = table_read(&file, &read, error);
		table_close(&file);
		if (status == QV_NO_MEMORY)
			return status;
		sound = status == QV_OK;
		/* A checkpoint may be narrower than the arrays. */
		for (uint64_t i = 0; sound && i < read.size; i++)
			values_put(values, i, values_get(&read, i));
		if (sound)
			values_release(&read, b->spaces->allocator);
	}
	if (!sound) {
		*level = RETRO_FIRST;
		*progress = 0;
	}
	return QV_OK;
}

/* ---- groups ---- */

/* retro_run.progress */
static void report_progress(void *ctx, int level, double part)
{
	const struct build *b = ctx;
	const struct qv_tables_news news = { .space = b->spaces->list[b->retro.end - 1].name,
					     .level = level, .part = part };
	if (b->job->progress)
		b->job->progress(b->job->ctx, &news);
}

/* Solves a group from its checkpoints, or from scratch, and writes its tables. */
static enum qv_status build_group(struct build *b, const struct retro_ops *ops, int first,
				  struct qv_error *error)
{
	const struct retro_run run = { .ops = ops, .counters = b->job->counters,
				       .threads = b->job->threads, .stop = b->job->stop,
				       .checkpoint_us = b->job->checkpoint_ms * 1000,
				       .checkpoint = save, .progress = report_progress,
				       .ctx = b };
	int level = RETRO_FIRST;
	uint64_t progress = 0;
	enum qv_status status = resume(b, first, &level, &progress, error);
	if (status == QV_OK)
		status = retro_solve(&b->retro, &run, level, progress, error);
	if (status == QV_OK)
		status = write_group(b, "qvt", TABLE_FINISHED, 0, error);
	if (status == QV_OK)
		remove_parts(b, first, b->retro.end);
	retro_release(&b->retro);
	for (int space = 0; space < first; space++)
		table_cache_drop(&b->cache, space);
	return status;
}

/* Whether every space of the group has its finished table. */
static bool group_is_finished(const struct table_cache *cache, int first)
{
	const int end = spaces_group_end(cache->spaces, first);
	int space = first;
	while (space < end && table_cache_has(cache, space))
		space++;
	return space == end;
}

enum qv_status tables_build(const struct spaces *spaces, const struct retro_ops *ops,
			    const struct qv_tables_job *job, struct qv_error *error)
{
	struct build b = { .spaces = spaces, .job = job, .lock = -1 };
	int end = 0;
	enum qv_status status = spaces_up_to(spaces, job->up_to, &end, error);
	if (status == QV_OK)
		status = table_cache_init(&b.cache, spaces, job->folder, error);
	if (status == QV_OK)
		status = make_folder(b.cache.folder, error);
	if (status == QV_OK)
		status = lock_folder(&b, error);
	for (int first = 0; status == QV_OK && first < end;
	     first = spaces_group_end(spaces, first)) {
		if (job->stop && atomic_load(job->stop))
			status = qv_fail(error, QV_STOPPED, "tables: stopped");
		else if (group_is_finished(&b.cache, first))
			remove_parts(&b, first, spaces_group_end(spaces, first));
		else
			status = build_group(&b, ops, first, error);
	}
	if (b.lock >= 0)
		close(b.lock);
	table_cache_release(&b.cache);
	return status;
}

/* ---- the plan ---- */

enum {
	SAMPLE = 4000,	    /* numbers sampled in a space */
	SAMPLE_US = 200000, /* time limit of a space's sample */
	/*
	 * A position with moves inside its group is expanded in the first pass and again when its
	 * successors become known: twice in all, as measured.
	 */
	LOOKS = 2,
};

/*
 * Samples random numbers of the space, the same ones in every run, and adds the estimate for the
 * space to *out. `finished`: its table exists.
 */
static enum qv_status plan_space(struct retro_worker *h, const struct retro_ops *ops, int space,
				 bool finished, struct qv_tables_plan *out, struct qv_error *error)
{
	const struct spaces *spaces = h->retro->spaces;
	const uint64_t size = spaces->list[space].size;
	const int64_t started = clock_thread_us();
	uint64_t looked = 0;
	h->space = space;
	h->level = RETRO_FIRST;
	h->positions = h->quiet = 0;
	for (uint64_t i = 0; i < SAMPLE && !h->fault; i++, looked++) {
		const uint64_t number = size <= SAMPLE ? i : qv_random_below_at(1, i, size);
		if (number >= size || (i % 64 == 63 && clock_thread_us() - started > SAMPLE_US))
			break;
		ops->sample(h, number, number + 1);
	}
	/* How many times the whole space is the sample. */
	const double scale = (double)size / (double)(looked ? looked : 1);
	out->spaces++;
	out->finished += finished;
	out->numbers += size;
	out->positions += (double)h->positions * scale;
	if (!finished) {
		out->disk += table_most_bytes(size, 1);
		out->seconds += (double)(clock_thread_us() - started) / 1e6 * scale *
				(h->quiet ? LOOKS : 1);
		out->open_ended |= h->quiet && !(spaces->rules.game->index->parents && ops->spread);
	}
	return retro_fault_status(h->retro, h, error);
}

/* Adds the estimates for the spaces of the group; the group's memory counts if it is the most. */
static enum qv_status plan_group(const struct table_cache *cache, const struct retro_ops *ops,
				 const struct qv_tables_job *job, int first,
				 struct qv_tables_plan *out, struct qv_error *error)
{
	const struct spaces *spaces = cache->spaces;
	const struct retro group = { .spaces = spaces, .first = first,
				     .end = spaces_group_end(spaces, first) };
	const bool finished = group_is_finished(cache, first);
	const uint64_t width = retro_counts(spaces->rules.game, ops, job->counters) ? 2 : 1;
	struct retro_worker worker;
	uint64_t memory = 0;
	enum qv_status status = retro_worker_init(&worker, &group);
	if (status != QV_OK)
		qv_fail(error, status, "tables: out of memory");
	for (int i = first; status == QV_OK && i < group.end; i++) {
		status = plan_space(&worker, ops, i, finished, out, error);
		memory += spaces->list[i].size * width;
	}
	/* The earlier tables that the sampled moves led into must be in memory, too. */
	for (int i = 0; i < first; i++)
		if (worker.met[i / 64] >> i % 64 & 1)
			memory += spaces->list[i].size;
	if (!finished && memory > out->memory)
		out->memory = memory;
	arena_release(&worker.arena);
	return status;
}

enum qv_status tables_plan(const struct spaces *spaces, const struct retro_ops *ops,
			   const struct qv_tables_job *job, struct qv_tables_plan *out,
			   struct qv_error *error)
{
	struct table_cache cache;
	struct qv_tables_plan plan = { 0 };
	int end;
	enum qv_status status = spaces_up_to(spaces, job->up_to, &end, error);
	if (status == QV_OK)
		status = table_cache_init(&cache, spaces, job->folder, error);
	if (status != QV_OK)
		return status;
	for (int first = 0; status == QV_OK && first < end;
	     first = spaces_group_end(spaces, first)) {
		if (job->stop && atomic_load(job->stop))
			status = qv_fail(error, QV_STOPPED, "tables: stopped");
		else
			status = plan_group(&cache, ops, job, first, &plan, error);
	}
	plan.seconds /= job->threads > 1 ? job->threads : 1;
	table_cache_release(&cache);
	if (status == QV_OK)
		*out = plan;
	return status;
}
