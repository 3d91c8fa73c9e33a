/*
 * plan.c - what the tables of a game would take, from a short sample, before anything is made.
 * SPDX-License-Identifier: MIT
 */
#include "base/clock.h"
#include "solve/tables.h"

enum {
	SAMPLE = 4000,             /* numbers of a space that are looked at */
	SAMPLE_US = 200000,        /* at most so long for a space */
	/*
	 * A position with moves inside its group is looked at in the first pass, tells its parents,
	 * and is asked again as its successors become known: so often in all, by experience.
	 */
	LOOKS = 2,
};

struct sample {
	double seconds;            /* for one number, holes among them */
	double positions;          /* part of the numbers that is no hole */
	bool quiet;                /* moves stay in the group */
};

/* Looks at numbers spread over the space, always the same ones. */
static enum qv_status take_sample(struct retro_hand *h, const struct retro_ops *ops, int space,
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

/* The arrays of a group, and the earlier spaces that its moves lead to. */
static uint64_t group_memory(const struct retro_hand *h, bool counters)
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

static enum qv_status plan_group(const struct shelf *shelf, const struct retro_ops *ops,
				 const struct qv_tables_job *job, int first,
				 struct qv_tables_plan *out, struct qv_error *error)
{
	const struct spaces *spaces = shelf->spaces;
	const struct retro group = { .spaces = spaces, .first = first,
				     .end = spaces_group_end(spaces, first) };
	const bool parents = spaces->rules.game->index->parents && ops->spread;
	struct retro_hand hand;
	bool there = true;
	for (int i = first; i < group.end; i++)
		there &= shelf_has(shelf, i);
	enum qv_status status = retro_hand_init(&hand, &group) == QV_OK ?
					QV_OK :
					qv_fail(error, QV_NO_MEMORY, "tables: out of memory");
	for (int i = first; status == QV_OK && i < group.end; i++) {
		const double size = (double)spaces->list[i].size;
		struct sample sample;
		status = take_sample(&hand, ops, i, &sample, error);
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
		group_memory(&hand, retro_counts(spaces->rules.game, ops, job->counters));
	if (!there && memory > out->memory)
		out->memory = memory;
	retro_hand_release(&hand);
	return status;
}

enum qv_status tables_plan(const struct spaces *spaces, const struct retro_ops *ops,
			   const struct qv_tables_job *job, struct qv_tables_plan *out,
			   struct qv_error *error)
{
	struct shelf shelf;
	struct qv_tables_plan plan = { 0 };
	int end;
	enum qv_status status = spaces_up_to(spaces, job->up_to, &end, error);
	if (status == QV_OK)
		status = shelf_init(&shelf, spaces, job->folder, error);
	if (status != QV_OK)
		return status;
	for (int first = 0; status == QV_OK && first < end;
	     first = spaces_group_end(spaces, first)) {
		if (job->stop && atomic_load(job->stop))
			status = qv_fail(error, QV_STOPPED, "tables: stopped");
		else
			status = plan_group(&shelf, ops, job, first, &plan, error);
	}
	plan.seconds /= job->threads > 1 ? job->threads : 1;
	shelf_release(&shelf);
	if (status == QV_OK)
		*out = plan;
	return status;
}
