/*
 * retro.h - solving a group of spaces backwards from the ends: what the two halves share.
 * SPDX-License-Identifier: MIT
 *
 * The stamped half (retro.inc.h) looks at positions one by one; the plain half (retro.c) deals them
 * out to threads, level by level.
 *
 * A pass goes over all numbers of the group. The first gives every position what its moves out of
 * the group say: a win, which a shorter one within the group may still replace, or a loss if no
 * move stays inside. Then comes level 0, 1, 2, ...: the positions whose value is exactly so many
 * plies are final, and tell their parents. The array of values is itself the list of what is to be
 * looked at: each level scans for its own number. What is never told is a draw.
 *
 * A pass may be done again, from any number of its own or an earlier pass, without harm: values
 * above the level do not count as known, and are only ever replaced by the right ones. So a
 * checkpoint is the array, the level and the number of chunks done, and those of several spaces
 * need not be of the same moment.
 */
#ifndef SOLVE_RETRO_H
#define SOLVE_RETRO_H

#include "search/slots.h"
#include "solve/table_cache.h"

enum {
	RETRO_CHUNK = 1 << 14,     /* numbers that a thread takes at a time */
	RETRO_FIRST = -1,          /* the level of the first pass */
	RETRO_NEVER = 255,         /* a counter that is not counted down: the position is not lost */
};

enum retro_fault {
	RETRO_FINE,
	RETRO_WON_END,             /* the game has ended with a win for the side to move */
	RETRO_OUTSIDE,             /* a move leads to a position that has no number */
	RETRO_NO_PLACE,            /* a number or a space that there is not */
	RETRO_LATER,               /* a move leads to a later group */
	RETRO_INTO_HOLE,           /* a move leads to a number that decodes to nothing */
	RETRO_NO_MOVES,            /* the game goes on, but there is no move */
	RETRO_NO_TABLE,            /* an earlier table cannot be read: the shelf knows why */
	RETRO_FAULTS,
};

struct retro {
	const struct spaces *spaces;
	struct shelf *shelf;       /* of the earlier groups; NULL: their values count as draws */
	int first, end;            /* the spaces of the group */
	struct values *values;     /* of space first, first + 1, ... */
	struct values *counters;   /* moves that may still save the position; NULL: test again */
};

/* What one thread has, and what it found out in a pass. */
struct retro_hand {
	const struct retro *retro;
	struct arena arena;
	struct slot *slots;
	void *parents;             /* room for their states */
	struct qv_place *places;   /* and for where they are */
	int level;
	uint32_t highest;          /* code that was put */
	bool too_far;              /* a code did not fit the width of the values */
	enum retro_fault fault;
	int fault_space;
	uint64_t fault_number;
	int space;                 /* being looked at */
	uint64_t number;
	uint64_t positions;        /* that are no holes, in a sample */
	uint64_t conversions;      /* moves out of the group */
	uint64_t quiet;            /* moves inside it, as far as they were looked at */
	uint64_t met[1 + SPACES_MOST / 64]; /* spaces that conversions led to */
};

/* Looks at the numbers from `from` on, below `to`, of the hand's space, at the hand's level. */
typedef void retro_pass(struct retro_hand *h, uint64_t from, uint64_t to);

struct retro_ops {
	retro_pass *first;
	retro_pass *spread;        /* tells parents; NULL where the game lists none */
	retro_pass *sweep;         /* asks successors instead */
	retro_pass *count;         /* sets the counters */
	retro_pass *sample;        /* does the work and keeps nothing */
	bool counts;               /* the first pass counts for nothing: do so unasked */
};

static inline uint32_t retro_fail(struct retro_hand *h, enum retro_fault fault)
{
	if (!h->fault) {
		h->fault = fault;
		h->fault_space = h->space;
		h->fault_number = h->number;
	}
	return CODE_DRAW;
}

static inline struct values *retro_values(const struct retro_hand *h, int space)
{
	return &h->retro->values[space - h->retro->first];
}

/* Replaces what is not known or further off. */
static inline void retro_put(struct retro_hand *h, int space, uint64_t number, uint32_t code)
{
	struct values *values = retro_values(h, space);
	const uint32_t old = values_get(values, number);
	if (!code || (old && old <= code))
		return;
	if (!values_put(values, number, code))
		h->too_far = true;
	else if (code > h->highest)
		h->highest = code;
}

/* The value of a successor at this place, as far as it is final; CODE_DRAW if it is not. */
static inline uint32_t retro_look(struct retro_hand *h, const struct qv_place *place, bool *quiet)
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
		if (r->shelf && !shelf_get(r->shelf, place->space, place->number, &code))
			return retro_fail(h, RETRO_NO_TABLE);
		return code == CODE_HOLE ? retro_fail(h, RETRO_INTO_HOLE) : code;
	}
	h->quiet++;
	if (h->level == RETRO_FIRST)
		return CODE_DRAW;
	code = values_get(retro_values(h, place->space), place->number);
	if (code == CODE_HOLE)
		return retro_fail(h, RETRO_INTO_HOLE);
	return code_plies(code) <= h->level ? code : CODE_DRAW;
}

/* What is known of a position from its successors. */
struct retro_view {
	uint32_t soonest_lost;     /* successor lost for the opponent; 0: none */
	uint32_t latest_won;
	int open;                  /* successors in the group that are not known */
	bool saved;                /* one outside is a draw */
};

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

/* CODE_DRAW: not known. */
static inline uint32_t retro_code(const struct retro_view *v)
{
	if (v->soonest_lost)
		return v->soonest_lost + 1;
	return v->open || v->saved ? CODE_DRAW : v->latest_won + 1;
}

/* Whether this level counts moves down: positions that are won tell their parents. */
static inline bool retro_counting(const struct retro_hand *h)
{
	return h->retro->counters && h->level % 2;
}

/* Asks memory for what the level needs of a place. */
static inline void retro_fetch(const struct retro_hand *h, const struct qv_place *place)
{
	const struct retro *r = h->retro;
	const struct values *values = retro_values(h, place->space);
	if (retro_counting(h))
		values = &r->counters[place->space - r->first];
	__builtin_prefetch(values->data + place->number * (uint64_t)values->width);
}

/* Of the number looked at, if there are counters. */
static inline void retro_set_counter(struct retro_hand *h, int open)
{
	const struct retro *r = h->retro;
	if (r->counters)
		r->counters[h->space - r->first].data[h->number] =
			(unsigned char)(open < RETRO_NEVER ? open : RETRO_NEVER);
}

/* Counts one down; true: it was the last. */
static inline bool retro_count_down(struct retro_hand *h, const struct qv_place *place, uint64_t by)
{
	struct values *counters = &h->retro->counters[place->space - h->retro->first];
	unsigned char *counter = counters->data + place->number;
	if (__atomic_load_n(counter, __ATOMIC_RELAXED) == RETRO_NEVER)
		return false;
	return __atomic_sub_fetch(counter, (unsigned char)by, __ATOMIC_RELAXED) == 0;
}

/* ---- the plain half ---- */

struct retro_run {
	const struct retro_ops *ops;
	bool counters;             /* the other test for lost */
	int threads;
	const atomic_bool *stop;   /* may be NULL */
	int64_t checkpoint_us;     /* between checkpoints */
	/* Saves the arrays; level and progress are where to go on. */
	enum qv_status (*checkpoint)(void *ctx, int level, uint64_t progress,
				     struct qv_error *error);
	/* Told now and then; may be NULL. */
	void (*progress)(void *ctx, int level, double part);
	void *ctx;
};

enum qv_status retro_init(struct retro *r, const struct spaces *spaces, struct shelf *shelf,
			  int first, int width, struct qv_error *error);
void retro_release(struct retro *r);
uint64_t retro_bytes(const struct retro *r);     /* of its arrays */

/*
 * Whether counters are kept, asked for or because they are cheap here: without parents there is
 * nothing to count down, and a byte is too small for the moves of some games, with their counts.
 */
bool retro_counts(const struct qv_game *game, const struct retro_ops *ops, bool wanted);

/*
 * Solves the group from this point on: RETRO_FIRST and 0, or where a checkpoint stands. QV_STOPPED
 * after a last checkpoint. QV_ILLEGAL: the game's index contradicts its rules.
 */
enum qv_status retro_solve(struct retro *r, const struct retro_run *run, int level,
			   uint64_t progress, struct qv_error *error);

enum qv_status retro_hand_init(struct retro_hand *h, const struct retro *r);
void retro_hand_release(struct retro_hand *h);
enum qv_status retro_fault_status(const struct retro *r, const struct retro_hand *h,
				  struct qv_error *error);

#endif
