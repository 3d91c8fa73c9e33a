/*
 * retro.c - retrograde analysis of a group of spaces: levels, threads, checkpoints.
 * SPDX-License-Identifier: MIT
 *
 * retro.h describes the algorithm. A pass over the group is cut into chunks that threads take in
 * order. For a checkpoint or a stop, no further chunk is handed out; once all threads have
 * returned, every chunk before `next` is done, so that number is all the progress a checkpoint
 * needs. Values start with one byte each; if a distance does not fit, the arrays are widened to two
 * bytes and the level begins again.
 */
#include "solve/retro.h"

#include "base/clock.h"
#include "base/threads.h"

enum { PROGRESS_US = 200000 };

/* ---- the arrays ---- */

static int group_count(const struct retro *r)
{
	return r->end - r->first;
}

static enum qv_status arrays_new(const struct retro *r, int width, struct values **out,
				 struct qv_error *error)
{
	const struct qv_allocator *allocator = r->spaces->allocator;
	enum qv_status status = QV_OK;
	*out = mem_new(allocator, (size_t)group_count(r), sizeof **out);
	if (!*out)
		return qv_fail(error, QV_NO_MEMORY, "tables: out of memory");
	for (int i = 0; status == QV_OK && i < group_count(r); i++)
		status = values_init(&(*out)[i], allocator, r->spaces->list[r->first + i].size,
				     width, error);
	return status;
}

static void arrays_free(const struct retro *r, struct values *arrays)
{
	for (int i = 0; arrays && i < group_count(r); i++)
		values_release(&arrays[i], r->spaces->allocator);
	mem_free(r->spaces->allocator, arrays, (size_t)group_count(r) * sizeof *arrays);
}

enum qv_status retro_init(struct retro *r, const struct spaces *spaces, struct table_cache *cache,
			  int first, int width, struct qv_error *error)
{
	*r = (struct retro){ .spaces = spaces, .cache = cache, .first = first,
			     .end = spaces_group_end(spaces, first) };
	enum qv_status status = arrays_new(r, width, &r->values, error);
	if (status != QV_OK)
		retro_release(r);
	return status;
}

void retro_release(struct retro *r)
{
	if (!r->spaces)
		return;
	arrays_free(r, r->values);
	arrays_free(r, r->counters);
	*r = (struct retro){ .spaces = NULL };
}

uint64_t retro_bytes(const struct retro *r)
{
	uint64_t bytes = 0;
	for (int i = 0; i < group_count(r); i++)
		bytes += r->values[i].size * (uint64_t)(r->values[i].width + !!r->counters);
	return bytes;
}

/* Switches the group to two bytes a value. */
static enum qv_status widen(struct retro *r, struct qv_error *error)
{
	struct values *wide;
	if (r->values[0].width == 2)
		return qv_fail(error, QV_UNSUPPORTED, "tables: a win takes more than 65000 plies");
	enum qv_status status = arrays_new(r, 2, &wide, error);
	if (status != QV_OK) {
		arrays_free(r, wide);
		return status;
	}
	for (int i = 0; i < group_count(r); i++)
		for (uint64_t k = 0; k < wide[i].size; k++)
			values_put(&wide[i], k, values_get(&r->values[i], k));
	arrays_free(r, r->values);
	r->values = wide;
	return QV_OK;
}

static uint32_t highest_code(const struct retro *r)
{
	uint32_t highest = 0;
	for (int i = 0; i < group_count(r); i++)
		for (uint64_t k = 0; k < r->values[i].size; k++) {
			const uint32_t code = values_get(&r->values[i], k);
			if (code != CODE_HOLE && code > highest)
				highest = code;
		}
	return highest;
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
	h->slots = slots_take(&h->arena, game, 2);
	h->parents = arena_take(&h->arena, most, game->state_size);
	h->places = arena_take(&h->arena, most, sizeof *h->places);
	return h->slots && h->parents && h->places ? QV_OK : QV_NO_MEMORY;
}

void retro_worker_release(struct retro_worker *h)
{
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
};

enum qv_status retro_fault_status(const struct retro *r, const struct retro_worker *h,
				  struct qv_error *error)
{
	if (h->fault == RETRO_FINE)
		return QV_OK;
	if (h->fault == RETRO_NO_TABLE)
		return qv_fail(error, r->cache->status, "%s", r->cache->error.text);
	const enum qv_status status = h->fault == RETRO_WON_END ? QV_UNSUPPORTED : QV_ILLEGAL;
	return qv_fail(error, status, "game %s: index: space %s, number %llu: %s",
		       r->spaces->rules.game->name, r->spaces->list[h->fault_space].name,
		       (unsigned long long)h->fault_number, fault_texts[h->fault]);
}

/* ---- a pass ---- */

struct pass {
	struct retro *retro;
	struct retro_worker *workers;  /* one for each thread */
	const struct retro_run *run;
	retro_pass *work;
	int level;
	int64_t until;             /* when to pause, by clock_us */
	atomic_uint_fast64_t next; /* the next chunk to hand out */
	uint64_t chunks;
	atomic_bool pause;
};

static uint64_t chunks_of(uint64_t size)
{
	return (size + RETRO_CHUNK - 1) / RETRO_CHUNK;
}

static uint64_t all_chunks(const struct retro *r)
{
	uint64_t chunks = 0;
	for (int i = r->first; i < r->end; i++)
		chunks += chunks_of(r->spaces->list[i].size);
	return chunks;
}

static void work_chunk(struct retro_worker *h, const struct pass *p, uint64_t chunk)
{
	const struct qv_space *list = p->retro->spaces->list;
	h->space = p->retro->first;
	while (chunk >= chunks_of(list[h->space].size))
		chunk -= chunks_of(list[h->space++].size);
	const uint64_t from = chunk * RETRO_CHUNK, to = from + RETRO_CHUNK,
		       size = list[h->space].size;
	p->work(h, from, to < size ? to : size);
}

static void work_chunks(void *ctx, int worker)
{
	struct pass *p = ctx;
	struct retro_worker *h = &p->workers[worker];
	while (!atomic_load(&p->pause)) {
		const uint64_t chunk = atomic_fetch_add(&p->next, 1);
		if (chunk >= p->chunks)
			break;
		work_chunk(h, p, chunk);
		if (h->fault || h->too_far || clock_us() >= p->until ||
		    (p->run->stop && atomic_load(p->run->stop)))
			atomic_store(&p->pause, true);
	}
}

/* The workers' findings, combined. */
struct pass_result {
	uint32_t highest;
	bool too_far;
	uint64_t quiet;
};

/* Runs the threads until all chunks are done or it is time to pause. */
static enum qv_status run_slice(struct pass *p, struct pass_result *result, struct qv_error *error)
{
	const uint64_t left = p->chunks - atomic_load(&p->next);
	const int most = threads_count(p->run->threads),
		  threads = left < (uint64_t)most ? (int)left : most;
	enum qv_status status = QV_OK;
	atomic_store(&p->pause, false);
	for (int i = 0; i < threads; i++) {
		p->workers[i].level = p->level;
		p->workers[i].quiet = 0;
		p->workers[i].too_far = false;
	}
	threads_run(threads, work_chunks, p);
	for (int i = 0; i < threads; i++) {
		const struct retro_worker *h = &p->workers[i];
		if (status == QV_OK)
			status = retro_fault_status(p->retro, h, error);
		result->highest = h->highest > result->highest ? h->highest : result->highest;
		result->too_far |= h->too_far;
		result->quiet += h->quiet;
	}
	if (atomic_load(&p->next) > p->chunks)
		atomic_store(&p->next, p->chunks);
	return status;
}

/* ---- levels ---- */

struct solve {
	struct retro *retro;
	const struct retro_run *run;
	struct retro_worker *workers;  /* one for each thread */
	int threads;
	int64_t until;             /* when the next checkpoint is due */
	uint32_t highest;          /* highest code in the arrays */
	bool counted;              /* the counters are valid for the next level */
};

static enum qv_status save(struct solve *s, int level, uint64_t progress, struct qv_error *error)
{
	if (!s->run->checkpoint)
		return QV_OK;
	enum qv_status status = s->run->checkpoint(s->run->ctx, level, progress, error);
	s->until = clock_us() + s->run->checkpoint_us;
	return status;
}

/*
 * Runs a pass from chunk p->next to the end, saving checkpoints. A checkpoint holds `level` and the
 * chunks done, or 0 chunks if the level must be restarted (`again`).
 */
static enum qv_status run_pass(struct solve *s, struct pass *p, int level, bool again,
			       struct pass_result *result, struct qv_error *error)
{
	enum qv_status status = QV_OK;
	*result = (struct pass_result){ 0 };
	while (status == QV_OK && !result->too_far && atomic_load(&p->next) < p->chunks) {
		const int64_t slice = clock_us() + PROGRESS_US;
		p->until = slice < s->until ? slice : s->until;
		status = run_slice(p, result, error);
		if (status != QV_OK)
			break;
		const uint64_t done = atomic_load(&p->next);
		if (s->run->progress)
			s->run->progress(s->run->ctx, level, (double)done / (double)p->chunks);
		const bool stop = s->run->stop && atomic_load(s->run->stop);
		if (!result->too_far && (stop || clock_us() >= s->until))
			status = save(s, level, again ? 0 : done, error);
		if (status == QV_OK && stop)
			status = qv_fail(error, QV_STOPPED, "tables: stopped");
	}
	s->highest = result->highest > s->highest ? result->highest : s->highest;
	return status;
}

static struct pass make_pass(const struct solve *s, retro_pass *work, int level, uint64_t from)
{
	struct pass p = { .retro = s->retro, .workers = s->workers, .run = s->run, .work = work,
			  .level = level, .chunks = all_chunks(s->retro) };
	atomic_store(&p.next, from < p.chunks ? from : p.chunks);
	return p;
}

/* Checkpoints hold no counters: after a restart they are recomputed for the level before. */
static enum qv_status count_again(struct solve *s, int level, struct qv_error *error)
{
	struct pass_result result;
	struct pass p = make_pass(s, s->run->ops->count, level - 1, 0);
	s->counted = true;
	return run_pass(s, &p, level, true, &result, error);
}

/*
 * Runs one level. If a value does not fit the width, widens the arrays and starts the level again.
 */
static enum qv_status run_level(struct solve *s, retro_pass *work, int level, uint64_t from,
				struct pass_result *result, struct qv_error *error)
{
	const bool counting = s->retro->counters && level >= 0 && level % 2 == 1;
	for (;;) {
		enum qv_status status = QV_OK;
		if (counting && !s->counted)
			status = count_again(s, level, error);
		struct pass p = make_pass(s, work, level, counting ? 0 : from);
		if (status == QV_OK)
			status = run_pass(s, &p, level, counting, result, error);
		if (status == QV_OK && level == RETRO_FIRST && from == 0)
			s->counted = true; /* the first pass sets the counters, too */
		if (status != QV_OK || !result->too_far)
			return status;
		status = widen(s->retro, error);
		if (status != QV_OK)
			return status;
		s->counted = false;
		from = 0;
	}
}

static bool group_has(const struct retro *r, uint32_t code)
{
	for (int i = 0; i < group_count(r); i++)
		if (values_next(&r->values[i], 0, r->values[i].size, code) < r->values[i].size)
			return true;
	return false;
}

static enum qv_status run_levels(struct solve *s, int level, uint64_t progress,
				 struct qv_error *error)
{
	const struct qv_game *game = s->retro->spaces->rules.game;
	const struct retro_ops *ops = s->run->ops;
	retro_pass *work = game->index->parents && ops->spread ? ops->spread : ops->sweep;
	struct pass_result result = { .quiet = 1 };
	enum qv_status status = QV_OK;
	if (level == RETRO_FIRST) {
		status = run_level(s, ops->first, level++, progress, &result, error);
		if (status != QV_OK || (result.quiet == 0 && progress == 0))
			return status; /* no move stays in the group: every value is final */
		progress = 0;
	}
	s->highest = highest_code(s->retro);
	for (; status == QV_OK && (uint32_t)level + 1 <= s->highest; level++, progress = 0)
		if (group_has(s->retro, (uint32_t)level + 1))
			status = run_level(s, work, level, progress, &result, error);
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
	const struct qv_game *game = r->spaces->rules.game;
	const struct qv_allocator *allocator = r->spaces->allocator;
	struct solve s = { .retro = r, .run = run, .threads = threads_count(run->threads),
			   .until = INT64_MAX };
	enum qv_status status = QV_OK;
	if (run->checkpoint)
		s.until = clock_us() + run->checkpoint_us;
	if (retro_counts(game, run->ops, run->counters))
		status = arrays_new(r, 1, &r->counters, error);
	s.workers = mem_new(allocator, (size_t)s.threads, sizeof *s.workers);
	bool room = s.workers;
	for (int i = 0; room && i < s.threads; i++)
		room = retro_worker_init(&s.workers[i], r) == QV_OK;
	if (status == QV_OK && !room)
		status = qv_fail(error, QV_NO_MEMORY, "tables: out of memory");
	if (status == QV_OK)
		status = run_levels(&s, level, progress, error);
	for (int i = 0; s.workers && i < s.threads; i++)
		retro_worker_release(&s.workers[i]);
	mem_free(allocator, s.workers, (size_t)s.threads * sizeof *s.workers);
	return status;
}
