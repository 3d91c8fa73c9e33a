/*
 * retro.h - retrograde analysis of a group of spaces: what its two halves share.
 * SPDX-License-Identifier: MIT
 *
 * The template (retro.inc.h) processes positions one by one; the driver (retro.c) hands them out to
 * threads, level by level.
 *
 * A pass goes over all numbers of the group. The first pass values every position by its moves out
 * of the group: a win, which a shorter one within the group may still replace, or a loss if no move
 * stays inside. Then come levels 0, 1, 2, ...: at level d the positions decided in exactly d plies
 * are final, and their parents are updated. There is no work list: each level scans the array of
 * values for its own code. Positions that are never decided are draws.
 *
 * Repeating a pass, or a part of it, does no harm: values above the level are not relied on, and
 * are only ever replaced by correct ones. So a checkpoint is the array, the level and the number of
 * chunks done, and the files of several spaces need not be from the same moment.
 *
 * Ranks (struct qv_tables_ranks) share the chunks of each space: each processes its own, and sends updates of other parents to the ranks that hold them. This needs counters,
 * since without them a parent is tested by looking up all its successors. When a level is done, all
 * updates have been applied; then checkpoints, with the counters, are consistent.
 */
#ifndef SOLVE_RETRO_H
#define SOLVE_RETRO_H

#include "search/slots.h"
#include "solve/table_file.h"

enum {
	RETRO_CHUNK = 14,      /* a thread takes at most 1 << RETRO_CHUNK numbers at a time */
	RETRO_FIRST = -1,      /* the level of the first pass */
	RETRO_NEVER = 255,     /* a counter that never counts down: the position is not lost */
	RETRO_QUEUE = 1 << 16, /* updates that a worker queues before the ranks exchange them */
};

/* The error if a distance does not fit two bytes. */
#define RETRO_TOO_LONG "tables: a win takes more than 65000 plies"

/* What a worker can find wrong with a game's index. */
enum retro_fault {
	RETRO_FINE,
	RETRO_WON_END,	 /* the game has ended with a win for the side to move */
	RETRO_OUTSIDE,	 /* a move leads to a position that is not in the index */
	RETRO_NO_PLACE,	 /* the index gave a space or number that does not exist */
	RETRO_LATER,	 /* a move leads to a later group */
	RETRO_INTO_HOLE, /* a move leads to an unused number */
	RETRO_NO_MOVES,	 /* the game has not ended but there is no legal move */
	RETRO_NO_TABLE,	 /* an earlier table cannot be read; see the cache's error */
	RETRO_NO_MEMORY, /* for the queues of updates */
	RETRO_FAULTS,
};

/*
 * The part of a space that this rank holds. Chunks of numbers go to the ranks by turns, since the
 * positions of one level often lie close together: those where one side is to move, for example.
 */
struct retro_part {
	uint64_t numbers; /* how many it holds */
	uint64_t size;	  /* of the whole space */
	uint64_t rank, ranks;
	int shift; /* a chunk has 1 << shift numbers; the last one of the space may be shorter */
};

/* The group that is being solved. */
struct retro {
	const struct spaces *spaces;
	struct table_cache *cache; /* tables of earlier groups; NULL: their values count as draws */
	const struct qv_tables_ranks *ranks; /* NULL: this process holds the whole group */
	int first, end;            /* the spaces of the group */
	struct retro_part *parts;  /* of space first, first + 1, ... */
	struct values *values;	   /* of the numbers in the parts */
	struct values *counters;   /* moves not known to lose yet; NULL: no counters are kept */
	bool too_far;		   /* with ranks: solve the group again with two bytes a value */
};

/* Updates of positions that another rank holds, as packed by retro_send. */
struct retro_queue {
	uint64_t *list;
	size_t count, room;
};

/* One thread's buffers, and its findings in a pass. */
struct retro_worker {
	const struct retro *retro;
	struct arena arena;
	struct slot *slots;	 /* of the position, and of a successor */
	void *parents;		 /* room for the states of a position's parents */
	struct qv_place *places; /* ... and for their places */
	struct retro_queue *queues; /* one for each rank; NULL: there are no others */
	size_t queued;		    /* updates in all queues */
	int level;
	uint32_t highest;	   /* highest code written */
	bool too_far;              /* a code did not fit the width of the values */
	enum retro_fault fault;
	int fault_space;
	uint64_t fault_number;
	int space; /* the position being processed */
	uint64_t number;
	uint64_t positions;	   /* numbers of a sample that are positions */
	uint64_t conversions;      /* moves out of the group */
	uint64_t quiet;		   /* moves inside the group, as far as they were generated */
	uint64_t met[1 + SPACES_MOST / 64]; /* bit set of the spaces that conversions led to */
};

/* Processes the numbers [from, to) of a chunk of space h->space at level h->level. */
typedef void retro_pass(struct retro_worker *h, uint64_t from, uint64_t to);

/* The passes that the template makes for a game. */
struct retro_ops {
	retro_pass *first;
	retro_pass *spread; /* updates the parents of final positions; NULL: no unmove generator */
	retro_pass *sweep;  /* instead of spread: examines the successors of open positions */
	retro_pass *count;         /* sets the counters */
	retro_pass *sample;	   /* does the work of a pass and stores nothing */
	/* Applies updates that other ranks have sent; NULL without an unmove generator. */
	void (*receive)(struct retro_worker *h, const uint64_t *updates, size_t count);
	bool counts;		   /* counting is free in the first pass: always keep counters */
};

/* Records the first fault. Returns CODE_DRAW, so that callers can return its result. */
static inline uint32_t retro_fail(struct retro_worker *h, enum retro_fault fault)
{
	if (!h->fault) {
		h->fault = fault;
		h->fault_space = h->space;
		h->fault_number = h->number;
	}
	return CODE_DRAW;
}

/* The values of a space of the group, as far as this rank holds them. */
static inline struct values *retro_values(const struct retro_worker *h, int space)
{
	return &h->retro->values[space - h->retro->first];
}

/* Where a number that the rank of this part holds lies in its arrays. */
static inline uint64_t retro_part_index(const struct retro_part *p, uint64_t number)
{
	if (p->ranks == 1)
		return number;
	return (number >> p->shift) / p->ranks << p->shift |
	       (number & ((UINT64_C(1) << p->shift) - 1));
}

/* The same for a space of the group. */
static inline uint64_t retro_index(const struct retro_worker *h, int space, uint64_t number)
{
	return retro_part_index(&h->retro->parts[space - h->retro->first], number);
}

/* The value of a position that this rank holds. */
static inline uint32_t retro_get(const struct retro_worker *h, int space, uint64_t number)
{
	return values_get(retro_values(h, space), retro_index(h, space, number));
}

/* The rank that holds a number. */
static inline uint64_t retro_part_rank(const struct retro_part *p, uint64_t number)
{
	return p->ranks == 1 ? 0 : (number >> p->shift) % p->ranks;
}

/* Whether this rank holds the position. */
static inline bool retro_holds(const struct retro_worker *h, const struct qv_place *place)
{
	const struct retro_part *part = &h->retro->parts[place->space - h->retro->first];
	return retro_part_rank(part, place->number) == part->rank;
}

/*
 * An update in 64 bits: the number of the position (SPACE_LARGEST is 2 to the power of 40), its
 * space, counted from the first of the group, and by how much to decrement its counter.
 */
enum { UPDATE_SPACE = 40, UPDATE_BY = 56 };

/* Queues an update for the rank that holds the position. */
static inline void retro_send(struct retro_worker *h, const struct qv_place *place, uint64_t by)
{
	const struct retro *r = h->retro;
	const uint64_t offset = (uint64_t)(place->space - r->first);
	struct retro_queue *q = &h->queues[retro_part_rank(&r->parts[offset], place->number)];
	if (q->count == q->room &&
	    !mem_reserve(r->spaces->allocator, &q->list, &q->room, q->count + 1, sizeof *q->list)) {
		retro_fail(h, RETRO_NO_MEMORY);
		return;
	}
	q->list[q->count++] = place->number | offset << UPDATE_SPACE | by << UPDATE_BY;
	h->queued++;
}

/* The place of an update. */
static inline struct qv_place retro_update_place(const struct retro *r, uint64_t update)
{
	return (struct qv_place){ .space = r->first + (int)(update >> UPDATE_SPACE & 0xffff),
				  .number = update & ((UINT64_C(1) << UPDATE_SPACE) - 1) };
}

/* Stores the code unless the present one is nearer to the end. CODE_DRAW stores nothing. */
static inline void retro_put(struct retro_worker *h, int space, uint64_t number, uint32_t code)
{
	struct values *values = retro_values(h, space);
	const uint64_t at = retro_index(h, space, number);
	const uint32_t old = values_get(values, at);
	if (!code || (old && old <= code))
		return;
	if (!values_put(values, at, code))
		h->too_far = true;
	else if (code > h->highest)
		h->highest = code;
}

/*
 * The code of a successor if it is final at this level, otherwise CODE_DRAW. *quiet: the move stays
 * in the group.
 */
static inline uint32_t retro_lookup(struct retro_worker *h, const struct qv_place *place,
				    bool *quiet)
{
	const struct retro *r = h->retro;
	uint32_t code = CODE_DRAW;
	*quiet = place->space >= r->first;
	if (!spaces_have(r->spaces, place))
		return retro_fail(h, RETRO_NO_PLACE);
	if (place->space >= r->end)
		return retro_fail(h, RETRO_LATER);
	if (!*quiet) {
		h->conversions++;
		h->met[place->space / 64] |= UINT64_C(1) << place->space % 64;
		if (r->cache && !table_cache_get(r->cache, place->space, place->number, &code))
			return retro_fail(h, RETRO_NO_TABLE);
		return code == CODE_HOLE ? retro_fail(h, RETRO_INTO_HOLE) : code;
	}
	h->quiet++;
	if (h->level == RETRO_FIRST)
		return CODE_DRAW;
	code = retro_get(h, place->space, place->number);
	if (code == CODE_HOLE)
		return retro_fail(h, RETRO_INTO_HOLE);
	return code_plies(code) <= h->level ? code : CODE_DRAW;
}

/* A position's successors, summed up. */
struct retro_view {
	uint32_t soonest_lost; /* lowest code of a successor lost for the opponent; 0: none */
	uint32_t latest_won;   /* highest code of a successor won for the opponent; 0: none */
	int open;	       /* successors in the group that are not final */
	bool saved;	       /* a successor outside the group is a draw */
};

/* Adds a successor of this code to the view; `quiet` is as in retro_lookup. */
static inline void retro_note(struct retro_view *v, uint32_t code, bool quiet)
{
	if (code == CODE_DRAW) {
		v->open += quiet;
		v->saved |= !quiet;
	} else if (code_wins(code)) {
		v->latest_won = code > v->latest_won ? code : v->latest_won;
	} else if (!v->soonest_lost || code < v->soonest_lost) {
		v->soonest_lost = code;
	}
}

/* The position's own code; CODE_DRAW: not known yet. */
static inline uint32_t retro_code(const struct retro_view *v)
{
	if (v->soonest_lost)
		return v->soonest_lost + 1;
	return v->open || v->saved ? CODE_DRAW : v->latest_won + 1;
}

/* Whether this level decrements counters: at odd levels, won positions update their parents. */
static inline bool retro_counting(const struct retro_worker *h)
{
	return h->retro->counters && h->level % 2;
}

/* Prefetches the value or counter that this level will need. */
static inline void retro_prefetch(const struct retro_worker *h, const struct qv_place *place)
{
	const struct retro *r = h->retro;
	const struct values *values = retro_values(h, place->space);
	if (retro_counting(h))
		values = &r->counters[place->space - r->first];
	__builtin_prefetch(values->data +
			   retro_index(h, place->space, place->number) * (uint64_t)values->width);
}

/* Sets the counter of position h->number, if counters are kept. */
static inline void retro_set_counter(struct retro_worker *h, int open)
{
	const struct retro *r = h->retro;
	if (r->counters)
		r->counters[h->space - r->first].data[retro_index(h, h->space, h->number)] =
			(unsigned char)(open < RETRO_NEVER ? open : RETRO_NEVER);
}

/* Decrements a parent's counter by `by`; true: it reached 0, so no move saves the parent. */
static inline bool retro_count_down(struct retro_worker *h, const struct qv_place *place,
				    uint64_t by)
{
	struct values *counters = &h->retro->counters[place->space - h->retro->first];
	unsigned char *counter = counters->data + retro_index(h, place->space, place->number);
	if (__atomic_load_n(counter, __ATOMIC_RELAXED) == RETRO_NEVER)
		return false;
	return __atomic_sub_fetch(counter, (unsigned char)by, __ATOMIC_RELAXED) == 0;
}

/* ---- the driver ---- */

/* How to solve a group. */
struct retro_run {
	const struct retro_ops *ops;
	int threads;
	const struct qv_flag *stop;   /* may be NULL */
	int64_t checkpoint_us;     /* between checkpoints */
	/*
	 * Saves the arrays; level and progress are where to resume. NULL: no checkpoints. With
	 * ranks, all of them call it at the beginning of the same level; it saves the counters, too,
	 * and returns the same status on all of them.
	 */
	enum qv_status (*checkpoint)(void *ctx, int level, uint64_t progress,
				     struct qv_error *error);
	/* Called a few times a second with the fraction of the pass that is done; may be NULL. */
	void (*progress)(void *ctx, int level, double part);
	void *ctx;
};

/* What retro_init allocates: arrays for the group that begins at space `first`. */
struct retro_size {
	int first;
	int width;     /* bytes of a value */
	bool counters; /* keep counters (retro_counts) */
};

/*
 * Allocates the arrays, all CODE_DRAW, for the whole group or for this rank's part of it. Ranks need
 * counters. The spaces, the cache and the ranks must outlive it. On failure it can still be
 * released.
 */
enum qv_status retro_init(struct retro *r, const struct spaces *spaces, struct table_cache *cache,
			  const struct qv_tables_ranks *ranks, const struct retro_size *size,
			  struct qv_error *error);
/* Frees the arrays; a {0} one is fine. */
void retro_release(struct retro *r);
/*
 * Whether counters are kept: if wanted, or if they are free for this game. They need an unmove
 * generator, and a byte must be able to count all moves of a position.
 */
bool retro_counts(const struct qv_game *game, const struct retro_ops *ops, bool wanted);

/*
 * Solves the group from this point on: RETRO_FIRST and 0, or the point of a checkpoint. QV_STOPPED:
 * run->stop was set, and a last checkpoint was saved, unless there are ranks. QV_ILLEGAL: the game's
 * index contradicts its rules. All ranks return the same status. If r->too_far is set, the values
 * are incomplete.
 */
enum qv_status retro_solve(struct retro *r, const struct retro_run *run, int level,
			   uint64_t progress, struct qv_error *error);

/* Release it, also on failure. QV_NO_MEMORY sets no error text. */
enum qv_status retro_worker_init(struct retro_worker *h, const struct retro *r);
void retro_worker_release(struct retro_worker *h); /* a {0} one is fine */
/* The status and error text for the worker's fault; QV_OK if it has none. */
enum qv_status retro_fault_status(const struct retro *r, const struct retro_worker *h,
				  struct qv_error *error);

/*
 * ---- All endgame tables of a game ----
 *
 * The spaces must outlive the call. All functions return QV_STOPPED soon after job->stop is set.
 */

/* Estimates time, memory and disk from a sample (plan.c). Writes no file. */
enum qv_status tables_plan(const struct spaces *spaces, const struct retro_ops *ops,
			   const struct qv_tables_job *job, struct qv_tables_estimate *out,
			   struct qv_error *error);
/* Builds what is missing up to job->up_to, resuming from checkpoints (build.c). */
enum qv_status tables_build(const struct spaces *spaces, const struct retro_ops *ops,
			    const struct qv_tables_job *job, struct qv_error *error);
/*
 * Verifies every entry against its successors (check.c). Wrong entries are counted in *out and are
 * not a failure of the call. Takes no retro_ops: it is independent of the code that builds.
 */
enum qv_status tables_check(const struct spaces *spaces, const struct qv_tables_job *job,
			    struct qv_tables_report *out, struct qv_error *error);

#endif
