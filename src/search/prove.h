/*
 * prove.h - depth-first proof-number search (df-pn): what the driver (prove.c) and the stamped
 * recursion (prove.inc.h) share.
 * SPDX-License-Identifier: MIT
 *
 * It answers one question: can this seat, the attacker, force a win? The proof number of a position
 * is the least number of leaves that must still be proven for a yes, the disproof number the same
 * for a no. The search expands a most-proving node and keeps both numbers in a table of fixed size.
 * It finds no distance.
 *
 * Infinite play is not a win, so a position that repeats on the path counts as not won. A disproof
 * that depends on such a repetition holds on this path only and is not stored (the graph history
 * interaction problem). A proof never depends on one.
 */
#ifndef SEARCH_PROVE_H
#define SEARCH_PROVE_H

#include "search/slots.h"

#define PROVE_INFINITE 0xffffffu   /* an infinite proof or disproof number */

enum {
	PROVE_FREE = INT32_MAX,            /* rests: the disproof does not depend on the path */
	PROVE_CUT = -1,                    /* rests: a limit was reached, so it is no disproof */
	PROVE_MAX_PLIES = 1024,            /* longest path */
};

struct prove_numbers {
	uint32_t pn, dn;                   /* 0: proven, disproven; the other is then infinite */
	int32_t rests;                     /* disproven: the earliest ply that it depends on */
};

/* A position of the path, for a listener: its children on the stack, and which of them is next. */
struct prove_step {
	size_t first;
	int count, chosen;
	bool attacks;
};

struct prove_child {
	qv_move move;
	uint64_t key;
	struct prove_numbers numbers;
	int32_t rank;
};

/* A table entry: numbers of 24 bits, and the nodes they cost as a power of two. */
struct prove_entry {
	uint64_t key;
	uint64_t pn : 24, dn : 24, width : 8, work : 8;
};
_Static_assert(sizeof(struct prove_entry) == 16, "four to a cache line");

enum { PROVE_WAYS = 4 };               /* entries in a bucket */

struct prove_ops;

struct prove {
	const struct qv_game *game;
	const struct prove_ops *ops;
	const struct qv_allocator *allocator;
	void *tools;                       /* passed to the hooks; owned by the caller */

	struct prove_entry *table;
	size_t buckets;

	/* The question. */
	int attacker;
	int width;                         /* the attacker's candidates; 0: all moves */
	uint64_t salt;                     /* separates the two attackers' table entries */
	const void *root_state;
	struct prove_numbers answer;
	qv_move move;                      /* at the root; QV_NO_MOVE: none decides */

	/* The path: the children of its positions, as a stack of lists. */
	struct prove_child *children;
	size_t children_room, children_used;
	uint64_t *path;
	struct prove_step *steps;	   /* as many as `path`; used while somebody listens */
	const struct qv_listener *listener; /* of its growth; NULL: nobody follows it */
	int max_plies;
	bool cyclic;                       /* positions can repeat */

	uint64_t nodes, poll_at;
	uint64_t before;                   /* nodes of earlier questions under the same limits */
	const struct qv_solve_limits *limits;
	bool stopped;
	struct slot *slots;                /* a ply's each, for plug-ins; NULL for stamped games */
	struct arena arena;
};

/* The functions of a stamp. search sets `answer` and `move` for root_state. */
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

/* Looks up a position's numbers; false: the table has none that apply. */
bool prove_find(const struct prove *p, uint64_t key, struct prove_numbers *out);
/* Stores numbers that took `work` nodes, over the same key or the cheapest entry of the bucket. */
void prove_keep(struct prove *p, uint64_t key, struct prove_numbers numbers, uint64_t work);
/* The ply at which the position occurs on the path; -1: it does not. */
int prove_on_path(const struct prove *p, uint64_t key, int plies);
/* Called when `nodes` gets to poll_at: true if the search must stop. */
bool prove_poll(struct prove *p);

struct prove_choice {
	struct prove_numbers sum;          /* the parent's numbers */
	int best;                          /* the most-proving child; -1: there are no children */
	uint32_t second;                   /* the second-best child's number */
};
/* Combines the children's numbers; attacks: the attacker moves (an OR node). */
struct prove_choice prove_choose(const struct prove_child *children, int count, bool attacks);
/* The thresholds for the chosen child. */
struct prove_numbers prove_limit(const struct prove_choice *choice,
				 const struct prove_child *child, struct prove_numbers limit,
				 bool attacks);
/* Whether an earlier child has the same key as the last one. */
static inline bool prove_listed(const struct prove_child *children, int last)
{
	int i = 0;
	while (children[i].key != children[last].key)
		i++;
	return i < last;
}
/* Children of high rank first; equals keep their order. */
void prove_sort(struct prove_child *children, int count);
/* Notes that the search goes on to this child of the position at `ply`. */
static inline void prove_descend(struct prove *p, int ply, const struct prove_child *list,
				 int count, int chosen, bool attacks)
{
	if (p->listener)
		p->steps[ply] = (struct prove_step){ (size_t)(list - p->children), count, chosen,
						     attacks };
}
/*
 * Reports the expansion of the position at `ply`, whose children are the last `count` on the stack;
 * fresh: it was never expanded before.
 */
void prove_report(struct prove *p, int ply, int count, bool attacks, bool fresh);
/* Whether the table has no more than the initial numbers of the position. */
bool prove_is_fresh(const struct prove *p, uint64_t key);

/* ---- for callers ---- */

struct prove_setup {
	const struct qv_game *game;
	const struct prove_ops *ops;
	const struct qv_allocator *allocator;
	size_t hash_bytes;
	void *tools;
};

enum prove_verdict {
	PROVE_UNKNOWN,                     /* stopped, or a limit was reached */
	PROVE_YES,
	PROVE_NO,                          /* with a width: no win with these candidates */
};

/* Allocates the table, at least 256 buckets. Free it with prove_free. */
enum qv_status prove_new(const struct prove_setup *setup, struct prove **out,
			 struct qv_error *error);
void prove_free(struct prove *p);      /* NULL is fine */
/*
 * Decides whether the attacker can force a win; the game must not have ended. The table is kept
 * between calls: proofs apply to any width, other entries to their own. Afterwards p->move is a
 * winning move (PROVE_YES, attacker to move) or a move that holds (PROVE_NO, defender to move).
 * `before` nodes of the limits are used up already.
 */
enum prove_verdict prove_win(struct prove *p, const void *state, int attacker, int width,
			     const struct qv_solve_limits *limits, uint64_t before);

#endif
