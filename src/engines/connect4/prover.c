/*
 * prover.c - connect-four: can this side force four in a row?
 * SPDX-License-Identifier: MIT
 */
#include "engines/connect4/prover.h"

#include "engines/connect4/followup.h"
#include "engines/connect4/order.h"

/* ---- the table ---- */

enum {
	SQUARES = C4_WIDTH * C4_HEIGHT,
	BUCKET = 4,                /* slots looked at for a position */
	KEY_BITS = 50,             /* 49 of the position, one says who attacks */
	TAG_SHIFT = 4,
	LEAST_BITS = 22,           /* with fewer buckets a tag would need more than its 28 bits */
	MOST_BITS = 29,
	WORK_MASK = 7,
	STORE_BELOW = 32,          /* discs: later subtrees are cheaper than a probe */
};

static size_t table_slots(const struct c4_prover *p)
{
	return (size_t)BUCKET << p->bits;
}

enum qv_status c4_prover_init(struct c4_prover *p, const struct qv_allocator *allocator,
			      size_t bytes)
{
	*p = (struct c4_prover){ .bits = LEAST_BITS, .last = SQUARES };
	while (p->bits < MOST_BITS && table_slots(p) * 2 * sizeof *p->slots <= bytes)
		p->bits++;
	p->slots = mem_new(allocator, table_slots(p), sizeof *p->slots);
	if (!p->slots)
		return QV_NO_MEMORY;
	mem_prefer_large_pages(p->slots, table_slots(p) * sizeof *p->slots);
	return QV_OK;
}

void c4_prover_release(struct c4_prover *p, const struct qv_allocator *allocator)
{
	mem_free(allocator, p->slots, table_slots(p) * sizeof *p->slots);
	*p = (struct c4_prover){ 0 };
}

void c4_prover_start(struct c4_prover *p, int last, const atomic_bool *stop)
{
	if (p->last != last)
		memset(p->slots, 0, table_slots(p) * sizeof *p->slots);
	p->last = last;
	p->stop = stop;
	p->stopped = false;
	p->nodes = 0;
	p->poll_at = 0;
}

/* Other keys come out otherwise: the top bits are the bucket, the rest the tag. */
static inline uint32_t *table_place(const struct c4_prover *p, uint64_t mixed)
{
	return p->slots + (mixed >> (KEY_BITS - p->bits)) * BUCKET;
}

static inline uint32_t table_tag(const struct c4_prover *p, uint64_t mixed)
{
	return (uint32_t)(mixed & ((UINT64_C(1) << (KEY_BITS - p->bits)) - 1));
}

/* 1: the attacker wins; 0: he does not; -1: not known. */
static int table_get(const struct c4_prover *p, uint64_t key)
{
	const uint32_t *slot = table_place(p, key), tag = table_tag(p, key);
	for (int i = 0; i < BUCKET; i++)
		if (slot[i] >> TAG_SHIFT == tag && slot[i] & WORK_MASK << 1)
			return (int)(slot[i] & 1);
	return -1;
}

/* Replaces the entry that took least work. */
static void table_put(struct c4_prover *p, uint64_t key, bool won, uint64_t work)
{
	uint32_t *slot = table_place(p, key), *victim = slot;
	const uint32_t tag = table_tag(p, key);
	uint32_t size = (uint32_t)(63 - __builtin_clzll(work | 1)) / 3;
	size = size < 1 ? 1 : size > WORK_MASK ? WORK_MASK : size;
	for (int i = 0; i < BUCKET; i++) {
		if (slot[i] >> TAG_SHIFT == tag) {
			victim = &slot[i];
			break;
		}
		if ((slot[i] >> 1 & WORK_MASK) < (*victim >> 1 & WORK_MASK))
			victim = &slot[i];
	}
	*victim = tag << TAG_SHIFT | size << 1 | won;
}

/* ---- what a node of either side needs ---- */

/* A position for a prover: the attacker's discs and all, as they are and mirrored. */
struct prover_case {
	uint64_t mine, all, mirror_mine, mirror_all;
};

struct prover_child {
	struct prover_case at;
	uint64_t key;
	int score;                 /* below 0: not to be searched, or no more */
};

struct prover_node {
	struct prover_child children[C4_WIDTH];
	int count, discs;
	uint64_t key, nodes_before;
};

static inline bool prover_stops(struct c4_prover *p)
{
	enum { OFTEN = 1 << 14 };
	if (p->nodes++ >= p->poll_at) {
		p->poll_at = p->nodes + OFTEN;
		p->stopped |= p->stop && atomic_load_explicit(p->stop, memory_order_relaxed);
	}
	return p->stopped;
}

/* Who asks: constants in each of the four functions that are stamped. */
struct prover_role {
	bool first;                /* the first player attacks */
	bool attacks;              /* the attacker is to move */
};

/*
 * A position's number, the smaller of its own and its mirror image's, with the attacker, mixed:
 * multiplying by an odd number and folding the top half in lose nothing.
 */
static inline uint64_t prover_key(const struct prover_case *c, struct prover_role role)
{
	const uint64_t mask = (UINT64_C(1) << KEY_BITS) - 1;
	const uint64_t own = (role.attacks ? c->mine : c->mine ^ c->all) + c->all;
	const uint64_t other =
		(role.attacks ? c->mirror_mine : c->mirror_mine ^ c->mirror_all) + c->mirror_all;
	const uint64_t key = ((own < other ? own : other) + C4_BOTTOM) << 1 | role.first;
	const uint64_t spread = key * UINT64_C(0x9e3779b97f4a7c15) & mask;
	return (spread ^ spread >> 25) * UINT64_C(0xbf58476d1ce4e5b9) & mask;
}

/* True: the table knows the node, and *won is what it says. */
static inline bool prover_knows(const struct c4_prover *p, const struct prover_case *c,
				struct prover_role role, struct prover_node *node, bool *won)
{
	node->nodes_before = p->nodes;
	node->key = prover_key(c, role);
	const int known = table_get(p, node->key);
	*won = known == 1;
	return known >= 0;
}

/* Adds the i-th column from the middle outwards, if there is a move. */
static inline struct prover_child *prover_add(struct prover_node *node, const struct prover_case *c,
					      uint64_t moves, int i, bool attacker)
{
	const int column = c4_from_middle[i], shift = (C4_WIDTH - 1 - 2 * column) * C4_STRIDE;
	const uint64_t move = moves & C4_COLUMN(column);
	if (!move)
		return NULL;
	const uint64_t mirror = shift >= 0 ? move << shift : move >> -shift;
	struct prover_child *child = &node->children[node->count++];
	child->at = (struct prover_case){ c->mine | (attacker ? move : 0), c->all | move,
				      c->mirror_mine | (attacker ? mirror : 0),
				      c->mirror_all | mirror };
	return child;
}

/* Asks the table for the children. True: one decides the node. Those that cannot are dropped. */
static inline bool prover_child_decides(struct c4_prover *p, struct prover_node *node,
					struct prover_role role)
{
	if (node->discs + 1 >= STORE_BELOW)
		return false;
	const struct prover_role next = { role.first, !role.attacks };
	for (int i = 0; i < node->count; i++) {
		node->children[i].key = prover_key(&node->children[i].at, next);
		__builtin_prefetch(table_place(p, node->children[i].key));
	}
	for (int i = 0; i < node->count; i++) {
		const int known = table_get(p, node->children[i].key);
		if (known == role.attacks)
			return true;
		if (known >= 0)
			node->children[i].score = -1;
	}
	return false;
}

/* How promising a move is that makes these threats; in good_rows they win by waiting. */
static inline int prover_score(uint64_t made, uint64_t good_rows, uint64_t move, bool by_square)
{
	return 4 * bits_count(made) + 2 * bits_count(made & good_rows) +
	       (by_square ? c4_fours_through[bits_lowest(move)] : 0);
}

/* The best child not yet searched, of equals the one nearest to the middle; NULL: no more. */
static inline struct prover_child *prover_best(struct prover_node *node)
{
	struct prover_child *best = NULL;
	for (int i = 0; i < node->count; i++)
		if (node->children[i].score >= 0 &&
		    (!best || node->children[i].score > best->score))
			best = &node->children[i];
	if (best)
		best->score = -1;
	return best;
}

static inline bool prover_store(struct c4_prover *p, const struct prover_node *node, bool won)
{
	if (!p->stopped)
		table_put(p, node->key, won, p->nodes - node->nodes_before);
	return won;
}

/* ---- the two provers ---- */

#define P(f) first_##f
#define P_FIRST 1
#include "engines/connect4/prover.inc.h"
#undef P
#undef P_FIRST

#define P(f) second_##f
#define P_FIRST 0
#include "engines/connect4/prover.inc.h"

bool c4_first_wins(struct c4_prover *p, const struct c4 *s)
{
	return first_proves(p, s);
}

bool c4_second_wins(struct c4_prover *p, const struct c4 *s)
{
	return second_proves(p, s);
}
