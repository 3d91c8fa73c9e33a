/*
 * prove.c - depth-first proof-number search (df-pn): table, choice of the child, thresholds.
 * SPDX-License-Identifier: MIT
 *
 * The table has buckets of four entries; a new key replaces the entry that cost the fewest nodes.
 * The thresholds let a child grow by a factor (1 + epsilon) before the search switches to another
 * one, which avoids thrashing. Memory is fixed; when a path or the list of children is full, the
 * node counts as undecided.
 */
#include "search/prove.h"

enum { POLL_NODES = 512, LEAST_BUCKETS = 1 << 8, MOST_CHILDREN = 1 << 18, UNKNOWN_PLIES = 512 };

/* ---- table ---- */

static struct prove_entry *bucket_of(const struct prove *p, uint64_t key)
{
	const unsigned __int128 place = (unsigned __int128)qv_mix(key) * p->buckets;
	return p->table + (size_t)(place >> 64) * PROVE_WAYS;
}

/*
 * Proofs apply to any width, disproofs with all moves too; other entries to their own width only.
 */
static bool is_good(const struct prove *p, const struct prove_entry *e)
{
	return e->pn == 0 || e->width == (unsigned)p->width || (e->dn == 0 && e->width == 0);
}

bool prove_find(const struct prove *p, uint64_t key, struct prove_numbers *out)
{
	const struct prove_entry *e = bucket_of(p, key ^ p->salt);
	for (int i = 0; i < PROVE_WAYS; i++)
		if (e[i].key == (key ^ p->salt) && e[i].work && is_good(p, &e[i])) {
			*out = (struct prove_numbers){ e[i].pn, e[i].dn, PROVE_FREE };
			return true;
		}
	return false;
}

void prove_keep(struct prove *p, uint64_t key, struct prove_numbers numbers, uint64_t work)
{
	struct prove_entry *const bucket = bucket_of(p, key ^ p->salt), *to = bucket;
	unsigned log = 1;
	for (; work > 1; work /= 2)
		log++;
	for (int i = 0; i < PROVE_WAYS; i++) {
		if (bucket[i].work && bucket[i].key == (key ^ p->salt)) {
			to = &bucket[i];
			log = to->work > log ? to->work : log;
			break;
		}
		if (bucket[i].work < to->work)
			to = &bucket[i];
	}
	*to = (struct prove_entry){ .key = key ^ p->salt, .pn = numbers.pn & PROVE_INFINITE,
				    .dn = numbers.dn & PROVE_INFINITE,
				    .width = (unsigned)p->width & 0xff, .work = log & 0xff };
}

/* ---- children ---- */

int prove_on_path(const struct prove *p, uint64_t key, int plies)
{
	int ply = plies - 1;
	while (ply >= 0 && p->path[ply] != key)
		ply--;
	return ply;
}

/* Saturates just below infinite, unless an operand is infinite. */
static uint32_t plus(uint32_t a, uint32_t b)
{
	if (a == PROVE_INFINITE || b == PROVE_INFINITE)
		return PROVE_INFINITE;
	return a + b < PROVE_INFINITE ? a + b : PROVE_INFINITE - 1;
}

/*
 * At an OR node (attacker to move) the proof number is the minimum of the children's, the disproof
 * number their sum; at an AND node the other way round. `wanted` is the number that is minimised,
 * `needed` the one that is summed up.
 */
struct prove_choice prove_choose(const struct prove_child *children, int count, bool attacks)
{
	uint32_t wanted = PROVE_INFINITE, second = PROVE_INFINITE, needed = 0;
	int32_t all_rest = PROVE_FREE, one_rests = PROVE_CUT;
	int best = -1;
	for (int i = 0; i < count; i++) {
		const struct prove_numbers n = children[i].numbers;
		const uint32_t one = attacks ? n.pn : n.dn;
		needed = plus(needed, attacks ? n.dn : n.pn);
		if (best < 0 || one < wanted) {
			second = best < 0 ? PROVE_INFINITE : wanted;
			wanted = one;
			best = i;
		} else if (one < second) {
			second = one;
		}
		if (!n.dn) {
			all_rest = n.rests < all_rest ? n.rests : all_rest;
			one_rests = n.rests > one_rests ? n.rests : one_rests;
		}
	}
	if (attacks)
		return (struct prove_choice){ { wanted, needed, all_rest }, best, second };
	return (struct prove_choice){ { needed, wanted, one_rests }, best, second };
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/*
 * The search leaves the child when its number exceeds the second best one by a half (at AND nodes
 * by a quarter), since switching often is expensive, or when the parent exceeds its own threshold.
 */
struct prove_numbers prove_limit(const struct prove_choice *choice,
				 const struct prove_child *child, struct prove_numbers limit,
				 bool attacks)
{
	const struct prove_numbers n = child->numbers, sum = choice->sum;
	const uint32_t more = choice->second / (attacks ? 2 : 4) + 1;
	const uint32_t next = smaller(choice->second + more, PROVE_INFINITE);
	if (attacks)
		return (struct prove_numbers){ smaller(limit.pn, next),
					       smaller(limit.dn - sum.dn + n.dn, PROVE_INFINITE),
					       0 };
	return (struct prove_numbers){ smaller(limit.pn - sum.pn + n.pn, PROVE_INFINITE),
				       smaller(limit.dn, next), 0 };
}

void prove_sort(struct prove_child *children, int count)
{
	for (int i = 1; i < count; i++) {
		const struct prove_child moved = children[i];
		int to = i;
		for (; to > 0 && children[to - 1].rank < moved.rank; to--)
			children[to] = children[to - 1];
		children[to] = moved;
	}
}

/* ---- running ---- */

bool prove_poll(struct prove *p)
{
	p->poll_at = p->nodes + POLL_NODES;
	if (p->stop && atomic_load_explicit(p->stop, memory_order_relaxed))
		p->stopped = true;
	return p->stopped;
}

enum prove_verdict prove_win(struct prove *p, const void *state, int attacker, int width,
			     const atomic_bool *stop)
{
	p->attacker = attacker;
	p->width = width;
	p->salt = attacker ? UINT64_C(0x9e3779b97f4a7c15) : 0;
	p->root_state = state;
	p->move = QV_NO_MOVE;
	p->answer = (struct prove_numbers){ 1, 1, PROVE_FREE };
	p->children_used = 0;
	p->nodes = p->poll_at = 0;
	p->stop = stop;
	p->stopped = false;
	p->ops->search(p);
	if (p->answer.pn == 0)
		return PROVE_YES;
	return p->answer.dn == 0 && p->answer.rests != PROVE_CUT ? PROVE_NO : PROVE_UNKNOWN;
}

/* ---- construction ---- */

static size_t children_room(const struct qv_game *g, int plies)
{
	const size_t room = (size_t)g->max_moves * (size_t)plies;
	return room < MOST_CHILDREN ? room : MOST_CHILDREN;
}

static enum qv_status take_memory(struct prove *p)
{
	const struct qv_game *g = p->game;
	const size_t plies = (size_t)p->max_plies;
	struct arena *a = &p->arena;
	p->children_room = children_room(g, p->max_plies);
	const size_t need = arena_need(p->children_room, sizeof *p->children) +
			    arena_need(plies, sizeof *p->path) +
			    (p->ops->dynamic ? slots_need(g, plies) : 0);
	if (arena_init(a, p->allocator, need) != QV_OK)
		return QV_NO_MEMORY;
	p->children = arena_take(a, p->children_room, sizeof *p->children);
	p->path = arena_take(a, plies, sizeof *p->path);
	p->slots = p->ops->dynamic ? slots_take(a, g, plies) : NULL;
	p->table = mem_new(p->allocator, p->buckets, PROVE_WAYS * sizeof *p->table);
	if (!p->table)
		return QV_NO_MEMORY;
	mem_prefer_large_pages(p->table, p->buckets * PROVE_WAYS * sizeof *p->table);
	return QV_OK;
}

enum qv_status prove_new(const struct prove_setup *setup, struct prove **out,
			 struct qv_error *error)
{
	const size_t buckets = setup->hash_bytes / (PROVE_WAYS * sizeof(struct prove_entry));
	const int plies = setup->game->max_plies;
	struct prove *p = mem_new(setup->allocator, 1, sizeof *p);
	if (!p)
		return qv_fail(error, QV_NO_MEMORY, "proof: out of memory");
	p->game = setup->game;
	p->ops = setup->ops;
	p->allocator = setup->allocator;
	p->tools = setup->tools;
	p->buckets = buckets > LEAST_BUCKETS ? buckets : LEAST_BUCKETS;
	p->cyclic = !plies;
	p->max_plies = !plies		       ? UNKNOWN_PLIES :
		       plies < PROVE_MAX_PLIES ? plies + 1 : PROVE_MAX_PLIES;
	if (take_memory(p) != QV_OK) {
		prove_free(p);
		return qv_fail(error, QV_NO_MEMORY, "proof: out of memory");
	}
	*out = p;
	return QV_OK;
}

void prove_free(struct prove *p)
{
	if (!p)
		return;
	mem_free(p->allocator, p->table, p->buckets * PROVE_WAYS * sizeof *p->table);
	arena_release(&p->arena);
	mem_free(p->allocator, p, sizeof *p);
}
