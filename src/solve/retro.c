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
		const enum qv_status status = values_init(
			&(*out)[i], allocator, r->spaces->list[r->first + i].size, width, error);
		if (status != QV_OK) {
			arrays_free(r, out);
			return status;
		}
	}
	return QV_OK;
}

enum qv_status retro_init(struct retro *r, const struct spaces *spaces, struct table_cache *cache,
			  int first, int width, struct qv_error *error)
{
	*r = (struct retro){ .spaces = spaces, .cache = cache, .first = first,
			     .end = spaces_group_end(spaces, first) };
	return arrays_new(r, width, &r->values, error);
}

void retro_release(struct retro *r)
{
	if (!r->spaces)
		return;
	arrays_free(r, &r->values);
	arrays_free(r, &r->counters);
	*r = (struct retro){ .spaces = NULL };
}

/* Switches the group to two bytes a value. */
static enum qv_status widen(struct retro *r, struct qv_error *error)
{
	struct values *wide;
	if (r->values[0].width == 2)
		return qv_fail(error, QV_UNSUPPORTED, "tables: a win takes more than 65000 plies");
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
	h->slots = slots_take(&h->arena, game, 2);
	h->parents = arena_take(&h->arena, most, game->state_size);
	h->places = arena_take(&h->arena, most, sizeof *h->places);
	return h->slots && h->parents && h->places ? QV_OK : QV_NO_MEMORY;
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
};

/* Each space has its own chunks; the last one may be shorter. */
static uint64_t chunks_of(uint64_t size)
{
	return (size + RETRO_CHUNK - 1) / RETRO_CHUNK;
}

/* One thread of a pass: takes chunks until none is left or it is time to pause. */
static void work_chunks(void *ctx, int worker)
{
	struct solve *s = ctx;
	struct retro_worker *h = &s->workers[worker];
	const struct qv_space *list = s->retro->spaces->list;
	while (!atomic_load(&s->pause)) {
		uint64_t chunk = atomic_fetch_add(&s->next, 1);
		if (chunk >= s->chunks)
			break;
		for (h->space = s->retro->first; chunk >= chunks_of(list[h->space].size);
		     h->space++)
			chunk -= chunks_of(list[h->space].size);
		const uint64_t from = chunk * RETRO_CHUNK, to = from + RETRO_CHUNK,
			       size = list[h->space].size;
		s->work(h, from, to < size ? to : size);
		if (h->fault || h->too_far || clock_us() >= s->until ||
		    (s->run->stop && atomic_load(s->run->stop)))
			atomic_store(&s->pause, true);
	}
}

/* Runs the threads until all chunks are done or it is time to pause, and adds up their findings. */
static enum qv_status run_slice(struct solve *s, int level, struct qv_error *error)
{
	const uint64_t left = s->chunks - atomic_load(&s->next);
	const int threads = left < (uint64_t)s->threads ? (int)left : s->threads;
	enum qv_status status = QV_OK;
	atomic_store(&s->pause, false);
	for (int i = 0; i < threads; i++) {
		s->workers[i].level = level;
		s->workers[i].quiet = 0;
		s->workers[i].too_far = false;
	}
	threads_run(threads, work_chunks, s);
	for (int i = 0; i < threads; i++) {
		const struct retro_worker *h = &s->workers[i];
		if (status == QV_OK)
			status = retro_fault_status(s->retro, h, error);
		s->highest = h->highest > s->highest ? h->highest : s->highest;
		s->too_far |= h->too_far;
		s->quiet += h->quiet;
	}
	/* Each thread that found no chunk left has counted `next` up once. */
	if (atomic_load(&s->next) > s->chunks)
		atomic_store(&s->next, s->chunks);
	return status;
}

/*
 * Runs a pass at level `at` from chunk `from` to the end, saving checkpoints. A checkpoint holds
 * `level` and the chunks done, or 0 chunks if the level must be restarted (`again`).
 */
static enum qv_status run_pass(struct solve *s, retro_pass *work, int at, int level, uint64_t from,
			       bool again, struct qv_error *error)
{
	const struct retro_run *run = s->run;
	s->work = work;
	s->too_far = false;
	s->quiet = 0;
	atomic_store(&s->next, from < s->chunks ? from : s->chunks);
	while (!s->too_far && atomic_load(&s->next) < s->chunks) {
		const int64_t slice = clock_us() + PROGRESS_US;
		s->until = slice < s->checkpoint_at ? slice : s->checkpoint_at;
		enum qv_status status = run_slice(s, at, error);
		if (status != QV_OK)
			return status;
		const uint64_t done = atomic_load(&s->next);
		if (run->progress)
			run->progress(run->ctx, level, (double)done / (double)s->chunks);
		const bool stop = run->stop && atomic_load(run->stop);
		if (run->checkpoint && !s->too_far && (stop || clock_us() >= s->checkpoint_at)) {
			status = run->checkpoint(run->ctx, level, again ? 0 : done, error);
			s->checkpoint_at = clock_us() + run->checkpoint_us;
		}
		if (status == QV_OK && stop)
			status = qv_fail(error, QV_STOPPED, "tables: stopped");
		if (status != QV_OK)
			return status;
	}
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
		if (status != QV_OK || (s->quiet == 0 && progress == 0))
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
	for (; status == QV_OK && (uint32_t)level + 1 <= s->highest; level++, progress = 0) {
		bool any = false; /* a position is decided in exactly `level` plies */
		for (int i = 0; !any && i < r->end - r->first; i++)
			any = values_next(&r->values[i], 0, r->values[i].size,
					  (uint32_t)level + 1) < r->values[i].size;
		if (any)
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
	const struct qv_game *game = r->spaces->rules.game;
	const struct qv_allocator *allocator = r->spaces->allocator;
	struct solve s = { .retro = r, .run = run, .threads = threads_count(run->threads),
			   .checkpoint_at = INT64_MAX };
	enum qv_status status = QV_OK;
	if (run->checkpoint)
		s.checkpoint_at = clock_us() + run->checkpoint_us;
	for (int i = r->first; i < r->end; i++)
		s.chunks += chunks_of(r->spaces->list[i].size);
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
		arena_release(&s.workers[i].arena);
	mem_free(allocator, s.workers, (size_t)s.threads * sizeof *s.workers);
	return status;
}
