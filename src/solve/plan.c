/*
 * plan.c - estimates the time, memory and disk that building a game's tables takes.
 * SPDX-License-Identifier: MIT
 *
 * Up to 4,000 numbers of each space, or 0.2 s of work, are decoded and expanded; the time per
 * number and the share of real positions are scaled up to the whole space. Memory is the largest
 * group's arrays plus the earlier tables that its moves lead into. Finished tables cost nothing
 * more.
 */
#include "base/clock.h"
#include "solve/tables.h"

enum {
	SAMPLE = 4000,             /* numbers sampled in a space */
	SAMPLE_US = 200000,        /* time limit of a space's sample */
	/*
	 * A position with moves inside its group is expanded in the first pass and again when its
	 * successors become known: twice in all, as measured.
	 */
	LOOKS = 2,
};

struct sample {
	double seconds;            /* mean time for one number, used or not */
	double positions;          /* fraction of the numbers that are positions */
	bool quiet;                /* some moves stay in the group */
};

/* Samples random numbers of the space; the same ones in every run. */
static enum qv_status take_sample(struct retro_worker *h, const struct retro_ops *ops, int space,
				  struct sample *out, struct qv_error *error)
{
	const uint64_t size = h->retro->spaces->list[space].size;
	const int64_t started = clock_thread_us();
	uint64_t looked = 0;
	h->space = space;
	h->level = RETRO_FIRST;
	h->positions = h->quiet = 0;
	for (int i = 0; i < SAMPLE && !h->fault; i++, looked++) {
		const uint64_t number = size <= SAMPLE ? (uint64_t)i :
							 qv_random_below_at(1, (uint64_t)i, size);
		if (number >= size || (i % 64 == 63 && clock_thread_us() - started > SAMPLE_US))
			break;
		ops->sample(h, number, number + 1);
	}
	out->seconds = (double)(clock_thread_us() - started) / 1e6 / (double)(looked ? looked : 1);
	out->positions = (double)h->positions / (double)(looked ? looked : 1);
	out->quiet = h->quiet > 0;
	return retro_fault_status(h->retro, h, error);
}

/* Bytes of the group's arrays and of the earlier tables that its sampled moves led into. */
static uint64_t group_memory(const struct retro_worker *h, bool counters)
{
	const struct retro *r = h->retro;
	uint64_t bytes = 0;
	for (int i = r->first; i < r->end; i++)
		bytes += r->spaces->list[i].size * (counters ? 2 : 1);
	for (int i = 0; i < r->first; i++)
		if (h->met[i / 64] >> i % 64 & 1)
			bytes += r->spaces->list[i].size;
	return bytes;
}

static enum qv_status plan_group(const struct table_cache *cache, const struct retro_ops *ops,
				 const struct qv_tables_job *job, int first,
				 struct qv_tables_plan *out, struct qv_error *error)
{
	const struct spaces *spaces = cache->spaces;
	const struct retro group = { .spaces = spaces, .first = first,
				     .end = spaces_group_end(spaces, first) };
	const bool parents = spaces->rules.game->index->parents && ops->spread;
	struct retro_worker worker;
	bool there = true;
	for (int i = first; i < group.end; i++)
		there &= table_cache_has(cache, i);
	enum qv_status status = retro_worker_init(&worker, &group) == QV_OK ?
					QV_OK :
					qv_fail(error, QV_NO_MEMORY, "tables: out of memory");
	for (int i = first; status == QV_OK && i < group.end; i++) {
		const double size = (double)spaces->list[i].size;
		struct sample sample;
		status = take_sample(&worker, ops, i, &sample, error);
		out->spaces++;
		out->finished += there;
		out->numbers += spaces->list[i].size;
		out->positions += sample.positions * size;
		out->disk += there ? 0 : table_most_bytes(spaces->list[i].size, 1);
		if (!there)
			out->seconds += sample.seconds * size * (sample.quiet ? LOOKS : 1);
		out->open_ended |= !there && sample.quiet && !parents;
	}
	const uint64_t memory =
		group_memory(&worker, retro_counts(spaces->rules.game, ops, job->counters));
	if (!there && memory > out->memory)
		out->memory = memory;
	retro_worker_release(&worker);
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
