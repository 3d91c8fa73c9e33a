/*
 * prover.c - connect-four: can this side force four in a row?
 * SPDX-License-Identifier: MIT
 */
#include "engines/connect4/prover.h"

/* ---- the table ---- */

enum {
	KEY_BITS = 49,
	LEAST_BITS = 22,           /* with fewer buckets a tag would need more than its 27 bits */
	MOST_BITS = 29,
};

static size_t table_slots(const struct c4_prover *p)
{
	return (size_t)C4_BUCKET << p->bits;
}

enum qv_status c4_prover_init(struct c4_prover *p, const struct qv_allocator *allocator,
			      size_t bytes)
{
	*p = (struct c4_prover){ .bits = LEAST_BITS, .last = C4_SQUARES };
	while (p->bits < MOST_BITS && table_slots(p) * 2 * sizeof *p->slots <= bytes)
		p->bits++;
	p->slots = mem_new(allocator, table_slots(p), sizeof *p->slots);
	p->touched = mem_new(allocator, C4_TOUCHED, sizeof *p->touched);
	if (p->slots && p->touched) {
		mem_prefer_large_pages(p->slots, table_slots(p) * sizeof *p->slots);
		return QV_OK;
	}
	c4_prover_release(p, allocator);
	return QV_NO_MEMORY;
}

void c4_prover_release(struct c4_prover *p, const struct qv_allocator *allocator)
{
	mem_free(allocator, p->slots, table_slots(p) * sizeof *p->slots);
	mem_free(allocator, p->touched, C4_TOUCHED * sizeof *p->touched);
	*p = (struct c4_prover){ 0 };
}

void c4_prover_clear(struct c4_prover *p)
{
	if (p->touched_count > C4_TOUCHED)
		memset(p->slots, 0, table_slots(p) * sizeof *p->slots);
	else
		for (uint64_t i = 0; i < p->touched_count; i++)
			p->slots[p->touched[i]] = 0;
	p->touched_count = 0;
}

/* A key is mixed so that another key always comes out otherwise: the top bits are its bucket, the rest its tag. */
static inline uint32_t *table_place(const struct c4_prover *p, uint64_t mixed)
{
	return p->slots + (mixed >> (KEY_BITS - p->bits)) * C4_BUCKET;
}

static inline uint32_t table_tag(const struct c4_prover *p, uint64_t mixed)
{
	return (uint32_t)(mixed & ((UINT64_C(1) << (KEY_BITS - p->bits)) - 1));
}

/* 1: the attacker wins; 0: he does not; -1: not known. */
static int table_get(const struct c4_prover *p, uint64_t key)
{
	const uint32_t *slot = table_place(p, key), tag = table_tag(p, key);
	for (int i = 0; i < C4_BUCKET; i++)
		if (slot[i] >> C4_TAG_SHIFT == tag && slot[i] & 30)
			return (int)(slot[i] & 1);
	return -1;
}

/* Replaces the entry that took least work. */
static void table_put(struct c4_prover *p, uint64_t key, bool won, uint64_t work)
{
	uint32_t *slot = table_place(p, key), *victim = slot;
	const uint32_t tag = table_tag(p, key);
	uint32_t size = (uint32_t)(63 - __builtin_clzll(work | 1)) / 2;
	size = size < 1 ? 1 : size > 15 ? 15 : size;
	for (int i = 0; i < C4_BUCKET; i++) {
		if (slot[i] >> C4_TAG_SHIFT == tag) {
			victim = &slot[i];
			break;
		}
		if ((slot[i] >> 1 & 15) < (*victim >> 1 & 15))
			victim = &slot[i];
	}
	if (!*victim && p->touched_count++ < C4_TOUCHED)
		p->touched[p->touched_count - 1] = (uint32_t)(victim - p->slots);
	*victim = tag << C4_TAG_SHIFT | size << 1 | won;
}

/* ---- what a node of either side needs ---- */

struct prover_child {
	struct c4_case at;
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

/*
 * A position's number, the smaller of its own and its mirror image's, mixed: multiplying by an odd
 * number and folding the top half in lose nothing. mover: who is to move.
 */
static inline uint64_t prover_key(const struct c4_case *c, uint64_t mover, uint64_t mirror_mover)
{
	const uint64_t mask = (UINT64_C(1) << KEY_BITS) - 1;
	const uint64_t own = mover + c->all, other = mirror_mover + c->mirror_all;
	const uint64_t key = ((own < other ? own : other) + C4_BOTTOM) & mask;
	const uint64_t spread = key * UINT64_C(0x9e3779b97f4a7c15) & mask;
	return (spread ^ spread >> 25) * UINT64_C(0xbf58476d1ce4e5b9) & mask;
}

/* The whole columns of these squares, at most one in each and none in the lowest row. */
static inline uint64_t prover_columns(uint64_t even_squares)
{
	return ((even_squares >> 1 | even_squares >> 3 | even_squares >> 5) & C4_BOTTOM) *
	       ((1 << C4_HEIGHT) - 1);
}

/* The first player's waiting move: see prover.inc.h. next_even: the next squares of odd columns. */
static inline bool prover_waits(const struct c4_case *c, uint64_t threats, uint64_t next_even)
{
	if (!next_even || next_even & (next_even - 1) || !(threats & next_even << 1))
		return false;
	const uint64_t elsewhere = (C4_BOARD ^ c->all) & ~prover_columns(next_even);
	return !c4_has_four((c->mine ^ c->all) | (elsewhere & C4_ODD_ROWS) | next_even);
}

/* True: the table knows the node, and *won is what it says. */
static inline bool prover_knows(const struct c4_prover *p, const struct c4_case *c, uint64_t mover,
				uint64_t mirror_mover, struct prover_node *node, bool *won)
{
	node->nodes_before = p->nodes;
	node->key = prover_key(c, mover, mirror_mover);
	const int known = table_get(p, node->key);
	*won = known == 1;
	return known >= 0;
}

/* Adds the i-th column from the middle outwards, if there is a move; its table entry is fetched meanwhile. */
static inline struct prover_child *prover_add(struct prover_node *node, const struct c4_case *c,
					      uint64_t moves, int i, bool attacker)
{
	static const int from_middle[C4_WIDTH] = { 3, 2, 4, 1, 5, 0, 6 };
	const int column = from_middle[i], shift = (C4_WIDTH - 1 - 2 * column) * C4_STRIDE;
	const uint64_t move = moves & C4_COLUMN(column);
	if (!move)
		return NULL;
	const uint64_t mirror = shift >= 0 ? move << shift : move >> -shift;
	struct prover_child *child = &node->children[node->count++];
	child->at = (struct c4_case){ c->mine | (attacker ? move : 0), c->all | move,
				      c->mirror_mine | (attacker ? mirror : 0),
				      c->mirror_all | mirror };
	return child;
}

/* Asks the table for the children. True: one of them decides the node; those that cannot are dropped. */
static inline bool prover_child_decides(struct c4_prover *p, struct prover_node *node, bool attacker)
{
	if (node->discs + 1 >= C4_STORE_BELOW)
		return false;
	for (int i = 0; i < node->count; i++) {
		const struct c4_case *at = &node->children[i].at;
		const uint64_t flip = attacker ? at->all : 0;
		const uint64_t mirror_flip = attacker ? at->mirror_all : 0;
		node->children[i].key =
			prover_key(at, at->mine ^ flip, at->mirror_mine ^ mirror_flip);
		__builtin_prefetch(table_place(p, node->children[i].key));
	}
	for (int i = 0; i < node->count; i++) {
		const int known = table_get(p, node->children[i].key);
		if (known == attacker)
			return true;
		if (known >= 0)
			node->children[i].score = -1;
	}
	return false;
}

/* The best of the children not yet searched, the one nearest to the middle of equals; NULL: no more. */
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
