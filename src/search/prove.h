/*
 * prove.h - proof search (df-pn): what the frame (prove.c) and the stamped recursion
 * (prove.inc.h) share.
 * SPDX-License-Identifier: MIT
 *
 * One question at a time: can this seat, the attacker, force a win? The proof number of a position
 * is how many more positions must at least be won for a yes, the disproof number the same for a
 * no. The search goes where the smaller of the two is smallest, and keeps both in a table of fixed
 * size. It finds no distance.
 *
 * Play that never ends is no win. So a position that stands on the path already is not won there,
 * and a no that rests on it is good for this path only: it is not kept. A yes never rests on it.
 */
#ifndef SEARCH_PROVE_H
#define SEARCH_PROVE_H

#include "search/slots.h"

#define PROVE_INFINITE 0xffffffu   /* a number: nothing is enough */

enum {
	PROVE_FREE = INT32_MAX,            /* a no that rests on no position of the path */
	PROVE_CUT = -1,                    /* ... on a limit of the search: no answer at all */
	PROVE_MAX_PLIES = 1024,            /* of a path */
};

struct prove_numbers {
	uint32_t pn, dn;                   /* 0: proven, disproven; the other is then infinite */
	int32_t rests;                     /* disproven: the highest ply that it rests on */
};

struct prove_child {
	qv_move move;
	uint64_t key;
	struct prove_numbers numbers;
	int32_t rank;
};

/* A table entry. Numbers of 24 bits, and what they cost as a power of two. */
struct prove_entry {
	uint64_t key;
	uint64_t pn : 24, dn : 24, width : 8, work : 8;
};
_Static_assert(sizeof(struct prove_entry) == 16, "four to a cache line");

enum { PROVE_WAYS = 4 };               /* places for a key */

struct prove_ops;

struct prove {
	const struct qv_game *game;
	const struct prove_ops *ops;
	const struct qv_allocator *allocator;
	void *tools;                       /* of the hooks; the caller's */

	struct prove_entry *table;
	size_t buckets;

	/* The question. */
	int attacker;
	int width;                         /* the attacker's candidates; 0: all moves */
	uint64_t salt;                     /* tells the two attackers' entries apart */
	const void *root_state;
	struct prove_numbers answer;
	qv_move move;                      /* at the root; QV_NO_MOVE: none decides */

	/* The path: the children of all its positions, one list on top of the other. */
	struct prove_child *children;
	size_t children_room, children_used;
	uint64_t *path;
	int max_plies;
	bool cyclic;                       /* positions can come back */

	uint64_t nodes, poll_at;
	const atomic_bool *stop;
	bool stopped;
	struct slot *slots;                /* a ply's each, for plug-ins; NULL for stamped games */
	struct arena arena;
};

/* What a stamp offers: answers the question about root_state into `answer` and `move`. */
struct prove_ops {
	bool dynamic;                      /* needs slots */
	void (*search)(struct prove *p);
};

/* ---- for the stamp ---- */

static inline struct prove_numbers prove_won(void)
{
	return (struct prove_numbers){ 0, PROVE_INFINITE, PROVE_FREE };
}

static inline struct prove_numbers prove_not_won(int rests)
{
	return (struct prove_numbers){ PROVE_INFINITE, 0, rests };
}

/* False: nothing is known of it. */
bool prove_find(const struct prove *p, uint64_t key, struct prove_numbers *out);
void prove_keep(struct prove *p, uint64_t key, struct prove_numbers numbers, uint64_t work);
/* The ply of the path at which the position stands; -1: it does not. */
int prove_on_path(const struct prove *p, uint64_t key, int plies);
/* Called when `nodes` gets to poll_at: true if the search must stop. */
bool prove_poll(struct prove *p);

struct prove_choice {
	struct prove_numbers sum;          /* of the position itself */
	int best;                          /* the child to go to; -1: there is none */
	uint32_t second;                   /* the number of the next best */
};
struct prove_choice prove_choose(const struct prove_child *children, int count, bool attacks);
/* How large the chosen child's numbers may grow. */
struct prove_numbers prove_limit(const struct prove_choice *choice,
				 const struct prove_child *child, struct prove_numbers limit,
				 bool attacks);
/* Whether the last child has the key of one of those before it. */
static inline bool prove_listed(const struct prove_child *children, int last)
{
	int i = 0;
	while (children[i].key != children[last].key)
		i++;
	return i < last;
}
/* Children of high rank first; equals keep their order. */
void prove_sort(struct prove_child *children, int count);

/* ---- for those who ask ---- */

struct prove_setup {
	const struct qv_game *game;
	const struct prove_ops *ops;
	const struct qv_allocator *allocator;
	size_t hash_bytes;
	void *tools;
};

enum prove_verdict {
	PROVE_UNKNOWN,                     /* stopped, or beyond the limits */
	PROVE_YES,
	PROVE_NO,                          /* with a width: not with these candidates */
};

enum qv_status prove_new(const struct prove_setup *setup, struct prove **out,
			 struct qv_error *error);
void prove_free(struct prove *p);      /* NULL is fine */
/*
 * Can the attacker force a win? The game goes on. The table is kept from question to question:
 * what is proven holds for any width, the rest for its own. `move` then is, for a yes where the
 * attacker is to move, one that wins, and for a no where he is not, one that holds.
 */
enum prove_verdict prove_ask(struct prove *p, const void *state, int attacker, int width,
			     const atomic_bool *stop);

#endif
