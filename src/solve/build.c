/*
 * build.c - plans and builds the endgame tables of a game, group by group.
 * SPDX-License-Identifier: MIT
 *
 * A group of spaces is solved in memory (retro.c) and written to FOLDER/GAME/SPACE.qvt. While it is
 * being solved, checkpoints go to SPACE.part. They are deleted only after all tables of the group
 * exist, so a run that dies at any moment loses only the work since its last checkpoint. The next
 * run skips finished groups and resumes from the checkpoints. A lock file keeps a second run out.
 *
 * With ranks, each saves its own part to SPACE.rank2-of-4.a.part and then, by turns, to .b.part.
 * When it overwrites one of the two, all ranks have the other, from the same level. The next run
 * resumes from the last level that all ranks have saved. It must have as many ranks: the counters
 * and the parts are of no use to another number of them, so the group then starts from scratch.
 *
 * A plan estimates time, memory and disk. Up to 4,000 numbers of each space, or 0.2 s of work, are
 * decoded and expanded; the time per number and the share of real positions are scaled up to the
 * whole space. Memory is the largest group's arrays plus the earlier tables that its moves lead
 * into. Each rank holds a part of the arrays, but these tables whole. Finished tables cost nothing
 * more.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/paths.h"
#include "solve/exchange.h"

/* The two checkpoints of a rank, and the room for their extension. */
enum { SLOTS = 2, EXTENSION = 48 };

struct build {
	const struct spaces *spaces;
	const struct qv_tables_job *job;
	const struct qv_tables_ranks *ranks; /* NULL: this process is alone */
	struct table_cache cache;
	bool counters;		   /* the groups keep counters */
	int slot;		   /* of the next checkpoint of this rank */
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

/* Whether this process is the only one, or the first rank, which writes and deletes tables. */
static bool is_first(const struct build *b)
{
	return !b->ranks || b->ranks->rank == 0;
}

/* Whether a file belongs to a space of the group that begins at `first`. */
static bool is_of_group(const struct build *b, int first, const char *name)
{
	const char *dot = strchr(name, '.');
	for (int space = first; dot && space < spaces_group_end(b->spaces, first); space++) {
		const char *of = b->spaces->list[space].name;
		if (strlen(of) == (size_t)(dot - name) && strncmp(of, name, strlen(of)) == 0)
			return true;
	}
	return false;
}

/*
 * Looks for checkpoints of the group, of any number of ranks; true: there are some. `remove` deletes
 * them, and temporary files.
 */
static bool find_leftovers(const struct build *b, int first, bool remove)
{
	bool any = false;
	DIR *dir = opendir(b->cache.folder);
	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		const char *end = strrchr(entry->d_name, '.');
		const bool part = end && strcmp(end, ".part") == 0;
		char path[4096];
		if ((!part && !(end && strcmp(end, ".tmp") == 0)) ||
		    !is_of_group(b, first, entry->d_name))
			continue;
		any |= part;
		if (remove && snprintf(path, sizeof path, "%s/%s", b->cache.folder, entry->d_name) <
				      (int)sizeof path)
			unlink(path);
	}
	if (dir)
		closedir(dir);
	return any;
}

/* ---- checkpoints ---- */

/* "part", or the extension of this rank's checkpoint in a slot. */
static void part_extension(const struct build *b, int slot, char out[EXTENSION])
{
	if (b->ranks)
		snprintf(out, EXTENSION, "rank%d-of-%d.%c.part", b->ranks->rank, b->ranks->count,
			 'a' + slot);
	else
		strcpy(out, "part");
}

/* Writes a finished table, or a checkpoint, of one space of the group. */
static enum qv_status write_space(const struct build *b, int space, const char *extension,
				  struct table_facts *facts, struct qv_error *error)
{
	const struct retro *r = &b->retro;
	const struct values *values = &r->values[space - r->first];
	const bool finished = facts->level == TABLE_FINISHED;
	char path[4096];
	strcpy(facts->game, b->spaces->name);
	strcpy(facts->space, b->spaces->list[space].name);
	facts->size = b->spaces->list[space].size;
	facts->width = values->width;
	facts->longest = -1;
	/* The ranks have the same folder, so they fail together. */
	if (!table_cache_path(&b->cache, space, extension, path))
		return qv_fail(error, QV_IO, "%.100s: the path is too long", b->cache.folder);
	if (b->ranks && finished)
		return exchange_write_table(r, space, path, facts, error);
	if (b->ranks)
		return exchange_write_part(r, space, path, facts, error);
	if (finished)
		table_count(facts, values);
	return table_write(b->spaces->allocator, path, facts, values, error);
}

/* Writes finished tables ("qvt") or checkpoints ("part") of the group. */
static enum qv_status write_group(const struct build *b, const char *extension, int level,
				  uint64_t progress, struct qv_error *error)
{
	enum qv_status status = QV_OK;
	for (int space = b->retro.first; status == QV_OK && space < b->retro.end; space++) {
		struct table_facts facts = { .level = level, .progress = progress };
		status = write_space(b, space, extension, &facts, error);
	}
	/* A renamed file survives a power failure only after its folder was synced, too. */
	if (status == QV_OK)
		folder_sync(b->cache.folder, NULL);
	return status;
}

/* retro_run.checkpoint */
static enum qv_status save(void *ctx, int level, uint64_t progress, struct qv_error *error)
{
	struct build *b = ctx;
	char extension[EXTENSION];
	part_extension(b, b->slot, extension);
	const enum qv_status status =
		exchange_agree(b->ranks, write_group(b, extension, level, progress, error), error);
	b->slot = (b->slot + 1) % SLOTS;
	return status;
}

/* Opens a checkpoint of this process. QV_BAD_INPUT: it is unusable; QV_IO: it does not exist. */
static enum qv_status open_part(const struct build *b, int space, int slot, struct table_file *out,
				struct qv_error *error)
{
	char extension[EXTENSION];
	part_extension(b, slot, extension);
	if (!b->ranks)
		return table_cache_open(&b->cache, space, extension, out, error);
	const struct retro_part *part = &b->retro.parts[space - b->retro.first];
	return table_cache_open_part(&b->cache, space, extension, part->rank << part->shift,
				     exchange_part_size(part->numbers), out, error);
}

/* The point that the checkpoints of a group have reached, and the width of their values. */
struct point {
	int level, width;
	uint64_t progress;
};

/*
 * Reads the headers of the group's checkpoints in a slot: the earliest point among them, and the
 * widest values. Ranks need them from the same level. QV_IO or QV_BAD_INPUT: one is missing or
 * unusable.
 */
static enum qv_status find_parts(const struct build *b, int slot, struct point *out,
				 struct qv_error *error)
{
	*out = (struct point){ .level = INT32_MAX, .width = 1 };
	for (int space = b->retro.first; space < b->retro.end; space++) {
		struct table_file file;
		const enum qv_status status = open_part(b, space, slot, &file, error);
		if (status != QV_OK)
			return status;
		const struct table_facts facts = file.facts;
		table_close(&file);
		if (b->ranks && out->level != INT32_MAX && facts.level != out->level)
			return qv_fail(error, QV_IO, "checkpoint of %.31s: incomplete",
				       facts.space);
		if (facts.level < out->level ||
		    (facts.level == out->level && facts.progress < out->progress)) {
			out->level = facts.level;
			out->progress = facts.progress;
		}
		out->width = facts.width > out->width ? facts.width : out->width;
	}
	if (b->ranks)
		out->progress = 0;
	return QV_OK;
}

/*
 * Finds the slot to resume from, with ranks that of the last level that all have saved. Returns the
 * same status on all ranks; not QV_OK: there is no usable checkpoint.
 */
static enum qv_status choose_slot(struct build *b, int *slot, struct point *out,
				  struct qv_error *error)
{
	struct point found[SLOTS];
	enum qv_status status[SLOTS];
	int level = RETRO_FIRST;
	enum qv_status best = qv_fail(
		error, QV_IO, "its checkpoints are incomplete, or of another number of ranks");
	for (int i = 0; i < (b->ranks ? SLOTS : 1); i++) {
		struct qv_error why = { "" };
		status[i] = find_parts(b, i, &found[i], &why);
		if (status[i] == QV_OK && (best != QV_OK || found[i].level > level))
			level = found[i].level;
		if (best != QV_OK && status[i] != QV_IO) {
			best = status[i];
			*error = why;
		}
	}
	best = exchange_agree(b->ranks, best, error);
	if (best != QV_OK)
		return best;
	/* The lowest of the last levels. */
	level = -(int)exchange_max(b->ranks, -level);
	*slot = b->ranks && (status[0] != QV_OK || found[0].level != level);
	if (status[*slot] != QV_OK || found[*slot].level != level)
		best = qv_fail(error, QV_IO,
			       "the checkpoints of the ranks are of different levels");
	best = exchange_agree(b->ranks, best, error);
	if (best == QV_OK) {
		*out = found[*slot];
		out->width = (int)exchange_max(b->ranks, out->width);
	}
	return best;
}

/* Loads the checkpoint of one space into the group's arrays. */
static enum qv_status load_part(struct build *b, int space, int slot, struct qv_error *error)
{
	struct table_file file;
	struct values read, *values = &b->retro.values[space - b->retro.first];
	enum qv_status status = open_part(b, space, slot, &file, error);
	if (status != QV_OK)
		return status;
	if (b->ranks) {
		status = exchange_read_part(&file, values,
					    &b->retro.counters[space - b->retro.first], error);
		table_close(&file);
		return status;
	}
	status = table_read(&file, &read, error);
	table_close(&file);
	if (status != QV_OK)
		return status;
	/* A checkpoint may be narrower than the arrays. */
	for (uint64_t i = 0; i < read.size; i++)
		values_put(values, i, values_get(&read, i));
	values_release(&read, b->spaces->allocator);
	return QV_OK;
}

/* Reports that the group starts from the beginning though there are checkpoints. */
static void note_unused(const struct build *b, const struct qv_error *why)
{
	char note[512];
	const char *space = b->spaces->list[b->retro.end - 1].name;
	snprintf(note, sizeof note, "tables: %s starts from the beginning: %s", space, why->text);
	const struct qv_tables_news news = { .space = space, .level = RETRO_FIRST, .note = note };
	if (b->job->progress)
		b->job->progress(b->job->ctx, &news);
}

/*
 * Prepares the group's arrays and loads its checkpoints. If one of them is missing or damaged,
 * *point is set to the beginning. Returns the same status on all ranks.
 */
static enum qv_status resume(struct build *b, int first, int width, struct point *point,
			     struct qv_error *error)
{
	const struct retro_size size = { first, width, b->counters };
	struct qv_error why = { "" };
	int slot;
	/* The parts of the ranks must be known to find the checkpoints that fit them. */
	enum qv_status status = exchange_agree(
		b->ranks, retro_init(&b->retro, b->spaces, &b->cache, b->ranks, &size, error),
		error);
	if (status != QV_OK)
		return status;
	enum qv_status found = choose_slot(b, &slot, point, &why);
	if (found == QV_OK && point->width > width) {
		const struct retro_size wide = { first, point->width, b->counters };
		retro_release(&b->retro);
		status = exchange_agree(
			b->ranks,
			retro_init(&b->retro, b->spaces, &b->cache, b->ranks, &wide, error), error);
		if (status != QV_OK)
			return status;
	}
	for (int space = first; found == QV_OK && space < b->retro.end; space++)
		found = exchange_agree(b->ranks, load_part(b, space, slot, &why), &why);
	if (found == QV_NO_MEMORY)
		return qv_fail(error, found, "%s", why.text);
	if (found == QV_OK) {
		b->slot = (slot + 1) % SLOTS;
		return QV_OK;
	}
	*point = (struct point){ .level = RETRO_FIRST };
	b->slot = 0;
	if (is_first(b) && find_leftovers(b, first, false))
		note_unused(b, &why);
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
	const struct retro_run run = { .ops = ops,
				       .threads = b->job->threads,
				       .stop = b->job->stop,
				       .checkpoint_us = b->job->checkpoint_ms * 1000,
				       .checkpoint = save,
				       .progress = report_progress,
				       .ctx = b };
	enum qv_status status;
	bool again;
	int width = 1;
	do {
		struct point point = { .level = RETRO_FIRST };
		status = resume(b, first, width, &point, error);
		if (status == QV_OK && b->spaces->hashed)
			status = hashed_solve(b->spaces->hashed, b->retro.values, run.stop,
					      &b->retro.too_far, error);
		else if (status == QV_OK)
			status = retro_solve(&b->retro, &run, point.level, point.progress, error);
		again = status == QV_OK && b->retro.too_far;
		if (again && b->retro.values[0].width == 2) {
			again = false;
			status = qv_fail(error, QV_UNSUPPORTED, RETRO_TOO_LONG);
		}
		if (again)
			retro_release(&b->retro);
		width = 2;
	} while (again);
	if (status == QV_OK)
		status = write_group(b, "qvt", TABLE_FINISHED, 0, error);
	if (status == QV_OK && is_first(b))
		find_leftovers(b, first, true);
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

/* The ranks of a job; a single one builds as if there were none. */
static const struct qv_tables_ranks *several_ranks(const struct qv_tables_job *job)
{
	return job->ranks && job->ranks->count > 1 ? job->ranks : NULL;
}

enum qv_status tables_build(const struct spaces *spaces, const struct retro_ops *ops,
			    const struct qv_tables_job *job, struct qv_error *error)
{
	struct build b = { .spaces = spaces, .job = job, .ranks = several_ranks(job), .lock = -1 };
	int end = 0;
	b.counters = retro_counts(spaces->rules.game, ops, job->counters || b.ranks);
	enum qv_status status = spaces_up_to(spaces, job->up_to, &end, error);
	if (status == QV_OK && b.ranks && !b.counters)
		status = qv_fail(error, QV_UNSUPPORTED,
				 "tables: %s cannot be built on several ranks, which need an index "
				 "with parents and at most 254 moves",
				 spaces->name);
	if (status == QV_OK)
		status = table_cache_init(&b.cache, spaces, job->folder, error);
	if (status == QV_OK && is_first(&b))
		status = make_folder(b.cache.folder, error);
	if (status == QV_OK && is_first(&b))
		status = lock_folder(&b, error);
	status = exchange_agree(b.ranks, status, error);
	for (int first = 0; status == QV_OK && first < end;
	     first = spaces_group_end(spaces, first)) {
		/* The first rank looks for all: a shared folder may be slow to show new files. */
		const bool stop = exchange_any(b.ranks, flag_is_set(job->stop)),
			   finished = exchange_any(
				   b.ranks, is_first(&b) && group_is_finished(&b.cache, first));
		if (stop)
			status = qv_fail(error, QV_STOPPED, "tables: stopped");
		else if (!finished)
			status = build_group(&b, ops, first, error);
		else if (is_first(&b))
			find_leftovers(&b, first, true);
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
	/* Guesses for games without an index: moves of a position, positions in a second. */
	HASHED_USUAL_MOVES = 8,
	HASHED_SPEED = 500000,
};

/*
 * Samples random numbers of the space, the same ones in every run, and adds the estimate for the
 * space to *out. `finished`: its table exists.
 */
static enum qv_status plan_space(struct retro_worker *h, const struct retro_ops *ops, int space,
				 bool finished, struct qv_tables_estimate *out,
				 struct qv_error *error)
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
				 struct qv_tables_estimate *out, struct qv_error *error)
{
	const struct spaces *spaces = cache->spaces;
	const struct retro group = { .spaces = spaces, .first = first,
				     .end = spaces_group_end(spaces, first) };
	const bool finished = group_is_finished(cache, first);
	const uint64_t ranks = several_ranks(job) ? (uint64_t)job->ranks->count : 1;
	const uint64_t width =
		retro_counts(spaces->rules.game, ops, job->counters || ranks > 1) ? 2 : 1;
	struct retro_worker worker;
	uint64_t memory = 0;
	enum qv_status status = retro_worker_init(&worker, &group);
	if (status != QV_OK)
		qv_fail(error, status, "tables: out of memory");
	for (int i = first; status == QV_OK && i < group.end; i++) {
		status = plan_space(&worker, ops, i, finished, out, error);
		memory += (spaces->list[i].size + ranks - 1) / ranks * width;
	}
	/* The earlier tables that the sampled moves led into must be in memory, of each rank. */
	for (int i = 0; i < first; i++)
		if (worker.met[i / 64] >> i % 64 & 1)
			memory += spaces->list[i].size;
	if (!finished && memory > out->memory)
		out->memory = memory;
	retro_worker_release(&worker);
	return status;
}

/* The positions of a game without an index have been found already; solving takes about as long. */
static struct qv_tables_estimate plan_hashed(const struct table_cache *cache)
{
	const struct spaces *spaces = cache->spaces;
	const uint64_t size = spaces->list[0].size;
	struct qv_tables_estimate plan = { .spaces = 1,
				       .finished = group_is_finished(cache, 0),
				       .numbers = size,
				       .positions = (double)size };
	if (!plan.finished) {
		/* Besides: heads of lists, moves, counters, the queue, turns and values. */
		plan.memory = hashed_bytes(spaces->hashed) +
			      size * (8 + 4 * HASHED_USUAL_MOVES + 4 + 4 + 1 + 1);
		plan.disk = table_most_bytes(size, 1);
		plan.seconds = (double)size / HASHED_SPEED;
	}
	return plan;
}

enum qv_status tables_plan(const struct spaces *spaces, const struct retro_ops *ops,
			   const struct qv_tables_job *job, struct qv_tables_estimate *out,
			   struct qv_error *error)
{
	struct table_cache cache;
	struct qv_tables_estimate plan = { .size = sizeof plan };
	int end;
	enum qv_status status = spaces_up_to(spaces, job->up_to, &end, error);
	if (status == QV_OK)
		status = table_cache_init(&cache, spaces, job->folder, error);
	if (status != QV_OK)
		return status;
	if (spaces->hashed)
		plan = plan_hashed(&cache);
	for (int first = 0; !spaces->hashed && status == QV_OK && first < end;
	     first = spaces_group_end(spaces, first)) {
		if (flag_is_set(job->stop))
			status = qv_fail(error, QV_STOPPED, "tables: stopped");
		else
			status = plan_group(&cache, ops, job, first, &plan, error);
	}
	plan.seconds /= job->threads > 1 ? job->threads : 1;
	plan.seconds /= several_ranks(job) ? job->ranks->count : 1;
	table_cache_release(&cache);
	if (status == QV_OK)
		*out = plan;
	return status;
}
