/*
 * retro.c - retrograde analysis of a group of spaces: levels, threads, checkpoints.
 * SPDX-License-Identifier: MIT
 *
 * retro.h describes the algorithm. A pass over the group is cut into chunks that threads take in
 * order. For a checkpoint or a stop, no further chunk is handed out; once all threads have
 * returned, every chunk before `next` is done, so that number is all the progress a checkpoint
 * needs. Values start with one byte each; if a distance does not fit, the arrays are widened to two
 * bytes and the level begins again.
 *
 * With ranks, a pass alternates between work on chunks and exchanges of updates, in which all ranks
 * take part until the last one has no chunk left. Checkpoints are saved between levels only.
 */
#include <stdatomic.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/threads.h"
#include "solve/exchange.h"

/* Time between reports of progress; updates that a thread applies at a time. */
enum { PROGRESS_US = 200000, BATCH = 4096 };

/* ---- the arrays ---- */

/* Frees the arrays, of which the last may be empty, and sets the pointer to NULL. */
static void arrays_free(const struct retro *r, struct values **arrays)
{
	const int count = r->end - r->first;
	for (int i = 0; *arrays && i < count; i++)
		values_release(&(*arrays)[i], r->spaces->allocator);
	mem_free(r->spaces->allocator, *arrays, (size_t)count * sizeof **arrays);
	*arrays = NULL;
}

/* Allocates one array for each space of the group. On failure *out is NULL. */
static enum qv_status arrays_new(const struct retro *r, int width, struct values **out,
				 struct qv_error *error)
{
	const struct qv_allocator *allocator = r->spaces->allocator;
	*out = mem_new(allocator, (size_t)(r->end - r->first), sizeof **out);
	if (!*out)
		return qv_fail(error, QV_NO_MEMORY, "tables: out of memory");
	for (int i = 0; i < r->end - r->first; i++) {
		const enum qv_status status =
			values_init(&(*out)[i], allocator, r->parts[i].numbers, width, error);
		if (status != QV_OK) {
			arrays_free(r, out);
			return status;
		}
	}
	return QV_OK;
}

/*
 * The part of a space that this rank holds. Chunks are smaller in small spaces, so that every rank
 * has some, unless there are fewer numbers than ranks.
 */
static struct retro_part part_of(uint64_t size, const struct qv_tables_ranks *ranks)
{
	struct retro_part p = { .size = size, .ranks = 1, .shift = RETRO_CHUNK };
	if (ranks) {
		p.rank = (uint64_t)ranks->rank;
		p.ranks = (uint64_t)ranks->count;
		while (p.shift && size >> p.shift < 8 * p.ranks)
			p.shift--;
	}
	const uint64_t whole = size >> p.shift, rest = size - (whole << p.shift);
	p.numbers = (whole / p.ranks + (whole % p.ranks > p.rank)) << p.shift;
	if (whole % p.ranks == p.rank)
		p.numbers += rest;
	return p;
}

enum qv_status retro_init(struct retro *r, const struct spaces *spaces, struct table_cache *cache,
			  const struct qv_tables_ranks *ranks, const struct retro_size *size,
			  struct qv_error *error)
{
	*r = (struct retro){ .spaces = spaces,
			     .cache = cache,
			     .ranks = ranks,
			     .first = size->first,
			     .end = spaces_group_end(spaces, size->first) };
	r->parts = mem_new(spaces->allocator, (size_t)(r->end - r->first), sizeof *r->parts);
	if (!r->parts)
		return qv_fail(error, QV_NO_MEMORY, "tables: out of memory");
	for (int i = 0; i < r->end - r->first; i++)
		r->parts[i] = part_of(spaces->list[r->first + i].size, ranks);
	enum qv_status status = arrays_new(r, size->width, &r->values, error);
	if (status == QV_OK && size->counters)
		status = arrays_new(r, 1, &r->counters, error);
	return status;
}

void retro_release(struct retro *r)
{
	if (!r->spaces)
		return;
	arrays_free(r, &r->values);
	arrays_free(r, &r->counters);
	mem_free(r->spaces->allocator, r->parts, (size_t)(r->end - r->first) * sizeof *r->parts);
	*r = (struct retro){ .spaces = NULL };
}

/* Switches the group to two bytes a value. */
static enum qv_status widen(struct retro *r, struct qv_error *error)
{
	struct values *wide;
	if (r->values[0].width == 2)
		return qv_fail(error, QV_UNSUPPORTED, RETRO_TOO_LONG);
	const enum qv_status status = arrays_new(r, 2, &wide, error);
	if (status != QV_OK)
		return status;
	for (int i = 0; i < r->end - r->first; i++)
		for (uint64_t k = 0; k < wide[i].size; k++)
			values_put(&wide[i], k, values_get(&r->values[i], k));
	arrays_free(r, &r->values);
	r->values = wide;
	return QV_OK;
}

/* ---- workers ---- */

enum qv_status retro_worker_init(struct retro_worker *h, const struct retro *r)
{
	const struct qv_game *game = r->spaces->rules.game;
	const size_t most = (size_t)(game->index->max_parents > 0 ? game->index->max_parents : 1);
	*h = (struct retro_worker){ .retro = r };
	if (arena_init(&h->arena, r->spaces->allocator,
		       slots_need(game, 2) + arena_need(most, game->state_size) +
			       arena_need(most, sizeof *h->places)) != QV_OK)
		return QV_NO_MEMORY;
	if (r->ranks && !(h->queues = mem_new(r->spaces->allocator, (size_t)r->ranks->count,
					      sizeof *h->queues)))
		return QV_NO_MEMORY;
	h->slots = slots_take(&h->arena, game, 2);
	h->parents = arena_take(&h->arena, most, game->state_size);
	h->places = arena_take(&h->arena, most, sizeof *h->places);
	return h->slots && h->parents && h->places ? QV_OK : QV_NO_MEMORY;
}

void retro_worker_release(struct retro_worker *h)
{
	for (int i = 0; h->queues && i < h->retro->ranks->count; i++)
		mem_free(h->retro->spaces->allocator, h->queues[i].list,
			 h->queues[i].room * sizeof *h->queues[i].list);
	if (h->queues)
		mem_free(h->retro->spaces->allocator, h->queues,
			 (size_t)h->retro->ranks->count * sizeof *h->queues);
	arena_release(&h->arena);
}

static const char *const fault_texts[RETRO_FAULTS] = {
	[RETRO_FINE] = "",
	[RETRO_WON_END] = "the game ended with a win for the side to move; tables cannot hold that",
	[RETRO_OUTSIDE] = "a move leads to a position that is not in the index",
	[RETRO_NO_PLACE] = "the index gives a space or number that does not exist",
	[RETRO_LATER] = "a move leads to a later group",
	[RETRO_INTO_HOLE] = "a move leads to an unused number",
	[RETRO_NO_MOVES] = "the game has not ended but there is no legal move",
	[RETRO_NO_TABLE] = "an earlier table cannot be read",
	[RETRO_NO_MEMORY] = "out of memory",
};

enum qv_status retro_fault_status(const struct retro *r, const struct retro_worker *h,
				  struct qv_error *error)
{
	if (h->fault == RETRO_FINE)
		return QV_OK;
	if (h->fault == RETRO_NO_TABLE)
		return qv_fail(error, r->cache->status, "%s", r->cache->error.text);
	if (h->fault == RETRO_NO_MEMORY)
		return qv_fail(error, QV_NO_MEMORY, "tables: out of memory");
	const enum qv_status status = h->fault == RETRO_WON_END ? QV_UNSUPPORTED : QV_ILLEGAL;
	return qv_fail(error, status, "game %s: index: space %s, number %llu: %s",
		       r->spaces->rules.game->name, r->spaces->list[h->fault_space].name,
		       (unsigned long long)h->fault_number, fault_texts[h->fault]);
}

/* ---- passes ---- */

/* The solution of a group, and the pass that is running. */
struct solve {
	struct retro *retro;
	const struct retro_run *run;
	struct retro_worker *workers; /* one for each thread */
	int threads;
	int64_t checkpoint_at; /* when the next checkpoint is due, by clock_us */
	uint32_t highest;      /* highest code in the arrays */
	bool counted;	       /* the counters are valid for the next level */
	uint64_t chunks;       /* of all spaces of the group */

	/* The pass. */
	retro_pass *work;
	int64_t until;             /* when to pause, by clock_us */
	atomic_uint_fast64_t next; /* the next chunk to hand out */
	atomic_bool pause;
	bool too_far;	/* a code did not fit the width */
	uint64_t quiet; /* moves inside the group */

	/* With ranks. */
	struct exchange exchange;
	size_t received; /* updates that are being applied */
};

/* Each space has its own chunks; the last one may be shorter. */
static uint64_t chunks_of(const struct retro_part *part)
{
	return (part->numbers + (UINT64_C(1) << part->shift) - 1) >> part->shift;
}

/* One thread of a pass: takes chunks until none is left or it is time to pause. */
static void work_chunks(void *ctx, int worker)
{
	struct solve *s = ctx;
	struct retro_worker *h = &s->workers[worker];
	while (!atomic_load(&s->pause)) {
		uint64_t chunk = atomic_fetch_add(&s->next, 1);
		if (chunk >= s->chunks)
			break;
		const struct retro_part *part = s->retro->parts;
		for (; chunk >= chunks_of(part); part++)
			chunk -= chunks_of(part);
		const uint64_t from = (chunk * part->ranks + part->rank) << part->shift,
			       to = from + (UINT64_C(1) << part->shift);
		h->space = s->retro->first + (int)(part - s->retro->parts);
		s->work(h, from, to < part->size ? to : part->size);
		if (h->fault || h->too_far || h->queued >= RETRO_QUEUE || clock_us() >= s->until ||
		    flag_is_set(s->run->stop))
			atomic_store(&s->pause, true);
	}
}

/* Prepares the workers for work at this level. */
static void begin_work(struct solve *s, int level)
{
	for (int i = 0; i < s->threads; i++) {
		s->workers[i].level = level;
		s->workers[i].quiet = 0;
		s->workers[i].too_far = false;
	}
}

/* Adds up the findings of the workers. */
static enum qv_status end_work(struct solve *s, struct qv_error *error)
{
	enum qv_status status = QV_OK;
	for (int i = 0; i < s->threads; i++) {
		const struct retro_worker *h = &s->workers[i];
		if (status == QV_OK)
			status = retro_fault_status(s->retro, h, error);
		s->highest = h->highest > s->highest ? h->highest : s->highest;
		s->too_far |= h->too_far;
		s->quiet += h->quiet;
	}
	return status;
}

/* Runs the threads until all chunks are done or it is time to pause. */
static enum qv_status run_slice(struct solve *s, int level, struct qv_error *error)
{
	const uint64_t left = s->chunks - atomic_load(&s->next);
	const int threads = left < (uint64_t)s->threads ? (int)left : s->threads;
	if (!left)
		return QV_OK;
	atomic_store(&s->pause, false);
	begin_work(s, level);
	threads_run(threads, work_chunks, s);
	/* Each thread that found no chunk left has counted `next` up once. */
	if (atomic_load(&s->next) > s->chunks)
		atomic_store(&s->next, s->chunks);
	return end_work(s, error);
}

/* A job of threads_for: applies a batch of received updates. */
static void apply_batch(void *ctx, int worker, int64_t batch)
{
	struct solve *s = ctx;
	const size_t from = (size_t)batch * BATCH, left = s->received - from;
	s->run->ops->receive(&s->workers[worker], s->exchange.in + from,
			     left < BATCH ? left : BATCH);
}

/* Sets up a pass from chunk `from` on. */
static void begin_pass(struct solve *s, retro_pass *work, uint64_t from)
{
	s->work = work;
	s->too_far = false;
	s->quiet = 0;
	atomic_store(&s->next, from < s->chunks ? from : s->chunks);
}

/* Reports how much of the pass is done. */
static void report(const struct solve *s, int level)
{
	if (s->run->progress)
		s->run->progress(s->run->ctx, level,
				 s->chunks ? (double)atomic_load(&s->next) / (double)s->chunks : 1);
}

/*
 * Runs a pass at level `at` from chunk `from` to the end, saving checkpoints. A checkpoint holds
 * `level` and the chunks done, or 0 chunks if the level must be restarted (`again`).
 */
static enum qv_status run_pass(struct solve *s, retro_pass *work, int at, int level, uint64_t from,
			       bool again, struct qv_error *error)
{
	const struct retro_run *run = s->run;
	begin_pass(s, work, from);
	while (!s->too_far && atomic_load(&s->next) < s->chunks) {
		const int64_t slice = clock_us() + PROGRESS_US;
		s->until = slice < s->checkpoint_at ? slice : s->checkpoint_at;
		enum qv_status status = run_slice(s, at, error);
		if (status != QV_OK)
			return status;
		report(s, level);
		const bool stop = flag_is_set(run->stop);
		if (run->checkpoint && !s->too_far && (stop || clock_us() >= s->checkpoint_at)) {
			status = run->checkpoint(run->ctx, level, again ? 0 : atomic_load(&s->next),
						 error);
			s->checkpoint_at = clock_us() + run->checkpoint_us;
		}
		if (status == QV_OK && stop)
			status = qv_fail(error, QV_STOPPED, "tables: stopped");
		if (status != QV_OK)
			return status;
	}
	return QV_OK;
}

/* Updates that wait in the queues. */
static size_t queued_updates(const struct solve *s)
{
	size_t queued = 0;
	for (int i = 0; i < s->threads; i++)
		queued += s->workers[i].queued;
	return queued;
}

/*
 * With ranks: runs a whole pass. In each round all ranks work on their chunks for a while and then
 * exchange updates, if any of them has some. The round after the last exchange finds nothing to do,
 * but what went wrong in it. All ranks return the same status.
 */
static enum qv_status run_rounds(struct solve *s, retro_pass *work, int level,
				 struct qv_error *error)
{
	enum { FAILED, STOP, TOO_FAR, MORE, QUEUED, FLAGS };
	const struct qv_tables_ranks *ranks = s->retro->ranks;
	const struct qv_flag *stop = s->run->stop;
	enum qv_status status = QV_OK;
	int64_t flags[FLAGS];
	begin_pass(s, work, 0);
	do {
		s->until = clock_us() + PROGRESS_US;
		if (status == QV_OK)
			status = run_slice(s, level, error);
		report(s, level);
		flags[FAILED] = exchange_failure(ranks, status);
		flags[STOP] = flag_is_set(stop);
		flags[TOO_FAR] = s->too_far;
		flags[MORE] = atomic_load(&s->next) < s->chunks;
		flags[QUEUED] = (int64_t)queued_updates(s);
		ranks->max(ranks->ctx, flags, FLAGS);
		if (flags[FAILED])
			return exchange_spread(ranks, flags[FAILED], status, error);
		if (flags[STOP])
			return qv_fail(error, QV_STOPPED, "tables: stopped");
		s->too_far = flags[TOO_FAR];
		if (s->too_far || !flags[QUEUED])
			continue;
		status = exchange_updates(&s->exchange, s->retro, s->workers, s->threads,
					  &s->received, error);
		if (status != QV_OK)
			return status;
		begin_work(s, level);
		threads_for(s->threads, (int64_t)((s->received + BATCH - 1) / BATCH), NULL,
			    apply_batch, s);
		status = end_work(s, error);
	} while (!s->too_far && (flags[MORE] || flags[QUEUED]));
	return QV_OK;
}

/* ---- levels ---- */

/*
 * Runs one level. If a value does not fit the width, widens the arrays and starts the level again.
 * Checkpoints hold no counters: after a restart they are recomputed for the level before.
 */
static enum qv_status run_level(struct solve *s, retro_pass *work, int level, uint64_t from,
				struct qv_error *error)
{
	const bool counting = s->retro->counters && level >= 0 && level % 2 == 1;
	/* The counters of ranks cannot be recomputed, so all levels must be done again. */
	if (s->retro->ranks) {
		const enum qv_status status = run_rounds(s, work, level, error);
		s->retro->too_far = s->too_far;
		return status;
	}
	for (;;) {
		enum qv_status status = QV_OK;
		if (counting && !s->counted) {
			s->counted = true;
			status = run_pass(s, s->run->ops->count, level - 1, level, 0, true, error);
		}
		if (status == QV_OK)
			status = run_pass(s, work, level, level, counting ? 0 : from, counting,
					  error);
		if (status == QV_OK && level == RETRO_FIRST && from == 0)
			s->counted = true; /* the first pass sets the counters, too */
		if (status != QV_OK || !s->too_far)
			return status;
		status = widen(s->retro, error);
		if (status != QV_OK)
			return status;
		s->counted = false;
		from = 0;
	}
}

/* What there is to do at a level, the same on all ranks. */
struct next_level {
	bool last; /* no position is decided at this level or a later one */
	bool any;  /* a position is decided in exactly `level` plies */
	bool save; /* ranks save a checkpoint first, since it is time for one on any of them */
};

static struct next_level look_ahead(const struct solve *s, int level)
{
	const struct retro *r = s->retro;
	const uint32_t code = (uint32_t)level + 1;
	bool any = false;
	for (int i = 0; code <= s->highest && !any && i < r->end - r->first; i++)
		any = values_next(&r->values[i], 0, r->values[i].size, code) < r->values[i].size;
	int64_t flags[] = { code <= s->highest, any, r->ranks && clock_us() >= s->checkpoint_at };
	if (r->ranks)
		r->ranks->max(r->ranks->ctx, flags, 3);
	return (struct next_level){ !flags[0], flags[1], flags[1] && flags[2] };
}

/* With ranks: saves a checkpoint before a level. */
static enum qv_status save_level(struct solve *s, int level, struct qv_error *error)
{
	const enum qv_status status = s->run->checkpoint(s->run->ctx, level, 0, error);
	s->checkpoint_at = clock_us() + s->run->checkpoint_us;
	return status;
}

/* Runs the first pass, then the levels, as long as the arrays hold codes above the level. */
static enum qv_status run_levels(struct solve *s, int level, uint64_t progress,
				 struct qv_error *error)
{
	const struct retro *r = s->retro;
	const struct retro_ops *ops = s->run->ops;
	retro_pass *work =
		r->spaces->rules.game->index->parents && ops->spread ? ops->spread : ops->sweep;
	enum qv_status status = QV_OK;
	if (level == RETRO_FIRST) {
		status = run_level(s, ops->first, level++, progress, error);
		if (status != QV_OK || r->too_far ||
		    (!exchange_any(r->ranks, s->quiet) && progress == 0))
			return status; /* no move stays in the group: every value is final */
		progress = 0;
	}
	/* A checkpoint does not store the highest code. */
	s->highest = 0;
	for (int i = 0; i < r->end - r->first; i++)
		for (uint64_t k = 0; k < r->values[i].size; k++) {
			const uint32_t code = values_get(&r->values[i], k);
			if (code != CODE_HOLE && code > s->highest)
				s->highest = code;
		}
	for (; status == QV_OK && !r->too_far; level++, progress = 0) {
		const struct next_level next = look_ahead(s, level);
		if (next.last)
			break;
		if (next.save)
			status = save_level(s, level, error);
		if (status == QV_OK && next.any)
			status = run_level(s, work, level, progress, error);
	}
	return status;
}

bool retro_counts(const struct qv_game *game, const struct retro_ops *ops, bool wanted)
{
	return (wanted || ops->counts) && game->index->parents && ops->spread &&
	       game->max_moves < RETRO_NEVER && !game->max_count;
}

enum qv_status retro_solve(struct retro *r, const struct retro_run *run, int level,
			   uint64_t progress, struct qv_error *error)
{
	const struct qv_allocator *allocator = r->spaces->allocator;
	struct solve s = { .retro = r, .run = run, .threads = threads_count(run->threads),
			   .checkpoint_at = INT64_MAX };
	enum qv_status status = QV_OK;
	if (run->checkpoint)
		s.checkpoint_at = clock_us() + run->checkpoint_us;
	for (int i = 0; i < r->end - r->first; i++)
		s.chunks += chunks_of(&r->parts[i]);
	s.counted = r->ranks; /* the checkpoints of ranks include the counters */
	s.workers = mem_new(allocator, (size_t)s.threads, sizeof *s.workers);
	bool room = exchange_init(&s.exchange, r) && s.workers;
	for (int i = 0; room && i < s.threads; i++)
		room = retro_worker_init(&s.workers[i], r) == QV_OK;
	if (!room)
		status = qv_fail(error, QV_NO_MEMORY, "tables: out of memory");
	status = exchange_agree(r->ranks, status, error);
	if (status == QV_OK)
		status = run_levels(&s, level, progress, error);
	for (int i = 0; s.workers && i < s.threads; i++)
		retro_worker_release(&s.workers[i]);
	exchange_release(&s.exchange, r);
	mem_free(allocator, s.workers, (size_t)s.threads * sizeof *s.workers);
	return status;
}
