/*
 * build.c - builds the endgame tables of a game by retrograde analysis, group by group.
 * SPDX-License-Identifier: MIT
 *
 * A group of spaces is solved in memory (retro.c) and written to FOLDER/GAME/SPACE.qvt. While it is
 * being solved, checkpoints go to SPACE.part. They are deleted only after all tables of the group
 * exist, so a run that dies at any moment loses only the work since its last checkpoint. The next
 * run skips finished groups and resumes from the checkpoints. A lock file keeps a second run out.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "solve/tables.h"

struct build {
	const struct spaces *spaces;
	const struct qv_tables_job *job;
	struct table_cache cache;
	struct retro retro;        /* the group being solved */
	int lock;                  /* descriptor of the locked lock file; -1: not open */
};

/* ---- the folder ---- */

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

/* A new or renamed file survives a power failure only after its folder was synced, too. */
static void sync_folder(const struct build *b)
{
	const int folder = open(b->cache.folder, O_RDONLY | O_CLOEXEC);
	if (folder < 0)
		return;
	(void)fsync(folder);
	close(folder);
}

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

static enum qv_status write_group(const struct build *b, const char *extension, int level,
				  uint64_t progress, struct qv_error *error)
{
	const struct retro *r = &b->retro;
	enum qv_status status = QV_OK;
	for (int space = r->first; status == QV_OK && space < r->end; space++) {
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
		status = table_write(b->spaces->allocator, path, &facts, values, error);
	}
	if (status == QV_OK)
		sync_folder(b);
	return status;
}

static enum qv_status save(void *ctx, int level, uint64_t progress, struct qv_error *error)
{
	return write_group(ctx, "part", level, progress, error);
}

/* Lowers *kept_level and *kept_progress to the given point if that comes earlier. */
static void keep_earlier(int level, uint64_t progress, int *kept_level, uint64_t *kept_progress)
{
	if (level > *kept_level || (level == *kept_level && progress >= *kept_progress))
		return;
	*kept_level = level;
	*kept_progress = progress;
}

/* Copies a checkpoint's values, of either width, into the group's array of that space. */
static enum qv_status load_checkpoint(struct build *b, int space, struct table_file *file,
				struct qv_error *error)
{
	struct values *values = &b->retro.values[space - b->retro.first];
	struct values read;
	enum qv_status status = table_read(file, &read, error);
	if (status != QV_OK)
		return status;
	for (uint64_t i = 0; i < read.size; i++)
		values_put(values, i, values_get(&read, i));
	values_release(&read, b->spaces->allocator);
	return QV_OK;
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
		keep_earlier(file.facts.level, file.facts.progress, level, progress);
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
	int width;
	const bool parts = find_checkpoints(b, first, level, progress, &width);
	enum qv_status status =
		retro_init(&b->retro, b->spaces, &b->cache, first, parts ? width : 1, error);
	bool sound = parts;
	for (int space = first; status == QV_OK && sound && space < b->retro.end; space++) {
		struct table_file file;
		sound = table_cache_open(&b->cache, space, "part", &file, NULL) == QV_OK;
		if (!sound)
			break;
		status = load_checkpoint(b, space, &file, error);
		table_close(&file);
		if (status == QV_NO_MEMORY)
			return status;
		sound = status == QV_OK;
		status = QV_OK;
	}
	if (!sound) {
		*level = RETRO_FIRST;
		*progress = 0;
	}
	return status;
}

/* ---- groups ---- */

static void report_progress(void *ctx, int level, double part)
{
	const struct build *b = ctx;
	const struct qv_tables_news news = { .space = b->spaces->list[b->retro.end - 1].name,
					     .level = level, .part = part };
	if (b->job->progress)
		b->job->progress(b->job->ctx, &news);
}

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

static bool group_is_finished(const struct build *b, int first)
{
	for (int space = first; space < spaces_group_end(b->spaces, first); space++)
		if (!table_cache_has(&b->cache, space))
			return false;
	return true;
}

static enum qv_status build_all(struct build *b, const struct retro_ops *ops, int end,
				struct qv_error *error)
{
	enum qv_status status = make_folder(b->cache.folder, error);
	if (status == QV_OK)
		status = lock_folder(b, error);
	for (int first = 0; status == QV_OK && first < end;
	     first = spaces_group_end(b->spaces, first)) {
		if (b->job->stop && atomic_load(b->job->stop))
			status = qv_fail(error, QV_STOPPED, "tables: stopped");
		else if (group_is_finished(b, first))
			remove_parts(b, first, spaces_group_end(b->spaces, first));
		else
			status = build_group(b, ops, first, error);
	}
	if (b->lock >= 0)
		close(b->lock);
	return status;
}

enum qv_status tables_build(const struct spaces *spaces, const struct retro_ops *ops,
			    const struct qv_tables_job *job, struct qv_error *error)
{
	struct build b = { .spaces = spaces, .job = job, .lock = -1 };
	int end;
	enum qv_status status = spaces_up_to(spaces, job->up_to, &end, error);
	if (status == QV_OK)
		status = table_cache_init(&b.cache, spaces, job->folder, error);
	if (status != QV_OK)
		return status;
	status = build_all(&b, ops, end, error);
	table_cache_release(&b.cache);
	return status;
}
