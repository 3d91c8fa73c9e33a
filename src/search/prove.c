/*
 * prove.c - depth-first proof-number search (df-pn): table, choice of the child, thresholds; and the
 * solver that uses it.
 * SPDX-License-Identifier: MIT
 *
 * The table has buckets of four entries; a new key replaces the entry that cost the fewest nodes.
 * The thresholds let a child grow by a factor (1 + epsilon) before the search switches to another
 * one, which avoids thrashing. Memory is fixed; when a path or the list of children is full, the
 * node counts as undecided.
 */
#include "search/prove.h"

#include <math.h>

#include "search/solver.h"

enum { POLL_NODES = 512, LEAST_BUCKETS = 1 << 8, MOST_CHILDREN = 1 << 18, UNKNOWN_PLIES = 512 };

/* ---- table ---- */

/* The high half of a product maps the key evenly to the buckets. */
static struct prove_entry *bucket_of(const struct prove *p, uint64_t key)
{
	const unsigned __int128 place = (unsigned __int128)qv_mix(key) * p->buckets;
	return p->table + (size_t)(place >> 64) * PROVE_WAYS;
}

bool prove_find(const struct prove *p, uint64_t key, struct prove_numbers *out)
{
	const struct prove_entry *e = bucket_of(p, key ^ p->salt);
	for (int i = 0; i < PROVE_WAYS; i++)
		/* Proofs apply to any width, disproofs with all moves too; others to their own. */
		if (e[i].key == (key ^ p->salt) && e[i].work &&
		    (e[i].pn == 0 || e[i].width == (unsigned)p->width ||
		     (e[i].dn == 0 && e[i].width == 0))) {
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
		/* The sum saturates just below infinite, unless an operand is infinite. */
		const uint32_t other = attacks ? n.dn : n.pn;
		if (needed == PROVE_INFINITE || other == PROVE_INFINITE)
			needed = PROVE_INFINITE;
		else
			needed = needed + other < PROVE_INFINITE ? needed + other
								 : PROVE_INFINITE - 1;
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

/* ---- for listeners ---- */

bool prove_is_fresh(const struct prove *p, uint64_t key)
{
	const struct prove_entry *e = bucket_of(p, key ^ p->salt);
	for (int i = 0; i < PROVE_WAYS; i++)
		if (e[i].key == (key ^ p->salt) && e[i].work > 1)
			return false;
	return true;
}

static double reported(uint32_t number)
{
	return number == PROVE_INFINITE ? (double)INFINITY : number;
}

/*
 * The positions above get the numbers that follow from the expansion at once, while the search
 * itself updates them when it returns to them: what it finds in their lists then is overwritten.
 */
void prove_report(struct prove *p, int ply, int count, bool attacks, bool fresh)
{
	qv_move path[PROVE_MAX_PLIES];
	double numbers[PROVE_MAX_PLIES][2];
	struct prove_child *const list = p->children + (p->children_used - (size_t)count);
	struct prove_numbers sum = prove_choose(list, count, attacks).sum;
	for (int i = ply; i >= 0; i--) {
		numbers[i][0] = reported(sum.pn);
		numbers[i][1] = reported(sum.dn);
		if (!i)
			break;
		const struct prove_step *above = &p->steps[i - 1];
		struct prove_child *const siblings = p->children + above->first;
		path[i - 1] = siblings[above->chosen].move;
		siblings[above->chosen].numbers = sum;
		sum = prove_choose(siblings, above->count, above->attacks).sum;
	}
	struct qv_growth step = { .path = path,
				  .length = ply,
				  .added = !ply && fresh,
				  .count = ply + 1,
				  .numbers = (const double(*)[2])numbers,
				  .attacker = p->attacker };
	p->listener->growth(p->listener->ctx, &step);
	step.length++;
	step.count++;
	step.added = true;
	for (int i = 0; fresh && i < count; i++) {
		path[ply] = list[i].move;
		numbers[ply + 1][0] = reported(list[i].numbers.pn);
		numbers[ply + 1][1] = reported(list[i].numbers.dn);
		p->listener->growth(p->listener->ctx, &step);
	}
}

/* ---- running ---- */

bool prove_poll(struct prove *p)
{
	p->poll_at = p->nodes + POLL_NODES;
	p->stopped |= solve_must_stop(p->limits, p->before + p->nodes);
	return p->stopped;
}

enum prove_verdict prove_win(struct prove *p, const void *state, int attacker, int width,
			     const struct qv_solve_limits *limits, uint64_t before)
{
	p->attacker = attacker;
	p->width = width;
	p->salt = attacker ? UINT64_C(0x9e3779b97f4a7c15) : 0;
	p->root_state = state;
	p->move = QV_NO_MOVE;
	p->answer = (struct prove_numbers){ 1, 1, PROVE_FREE };
	p->children_used = 0;
	p->nodes = p->poll_at = 0;
	p->before = before;
	p->limits = limits;
	p->listener = limits->listener && limits->listener->growth ? limits->listener : NULL;
	p->stopped = false;
	p->ops->search(p);
	if (p->answer.pn == 0)
		return PROVE_YES;
	return p->answer.dn == 0 && p->answer.rests != PROVE_CUT ? PROVE_NO : PROVE_UNKNOWN;
}

/* ---- construction ---- */

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
	const struct qv_game *g = p->game;
	const size_t path = (size_t)p->max_plies, room = (size_t)g->max_moves * path;
	struct arena *a = &p->arena;
	p->children_room = room < MOST_CHILDREN ? room : MOST_CHILDREN;
	const size_t need = arena_need(p->children_room, sizeof *p->children) +
			    arena_need(path, sizeof *p->path) +
			    arena_need(path, sizeof *p->steps) +
			    (p->ops->dynamic ? slots_need(g, path) : 0);
	p->table = mem_new(p->allocator, p->buckets, PROVE_WAYS * sizeof *p->table);
	if (!p->table || arena_init(a, p->allocator, need) != QV_OK) {
		prove_free(p);
		return qv_fail(error, QV_NO_MEMORY, "proof: out of memory");
	}
	mem_prefer_large_pages(p->table, p->buckets * PROVE_WAYS * sizeof *p->table);
	p->children = arena_take(a, p->children_room, sizeof *p->children);
	p->path = arena_take(a, path, sizeof *p->path);
	p->steps = arena_take(a, path, sizeof *p->steps);
	p->slots = p->ops->dynamic ? slots_take(a, g, path) : NULL;
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

/* ---- the solver ---- */

/*
 * Two searches decide the value: can the side to move force a win? If not, can the opponent? If
 * neither can, the position is a draw. Finds no distance.
 */
struct prove_solver {
	struct qv_solver base;
	struct prove *prove;
};

/* One search for one attacker; adds up its nodes. */
static enum prove_verdict search(struct prove_solver *v, const void *state, int attacker,
				 const struct qv_solve_limits *limits, struct qv_solution *out)
{
	const enum prove_verdict verdict =
		prove_win(v->prove, state, attacker, 0, limits, out->nodes);
	out->nodes += v->prove->nodes;
	out->move = v->prove->move;
	return verdict;
}

static enum qv_status solve(struct qv_solver *base, const void *state,
			    const struct qv_solve_limits *limits, struct qv_solution *out,
			    struct qv_error *error)
{
	struct prove_solver *v = (struct prove_solver *)base;
	if (limits->distance)
		return qv_fail(error, QV_UNSUPPORTED, "distance: not found by proof-number search");
	const int mover = base->rules.game->seat(state);
	enum prove_verdict verdict = search(v, state, mover, limits, out);
	if (verdict == PROVE_YES) {
		out->value = QV_VALUE_WIN;
	} else if (verdict == PROVE_NO) {
		verdict = search(v, state, 1 - mover, limits, out);
		out->value = verdict == PROVE_YES  ? QV_VALUE_LOSS
			     : verdict == PROVE_NO ? QV_VALUE_DRAW
						   : QV_VALUE_UNKNOWN;
	}
	if (verdict == PROVE_UNKNOWN)
		out->move = QV_NO_MOVE;
	return v->prove->stopped ? qv_fail(error, QV_STOPPED, "solve: stopped") : QV_OK;
}

static void prove_solver_free(struct qv_solver *base)
{
	struct prove_solver *v = (struct prove_solver *)base;
	prove_free(v->prove);
	mem_free(base->allocator, v, sizeof *v);
}

static const struct solver_ops ops = { .solve = solve, .free = prove_solver_free };

enum qv_status prove_solver_new(const struct solver_setup *setup, struct qv_solver **out,
				struct qv_error *error)
{
	struct prove_solver *v = mem_new(setup->allocator, 1, sizeof *v);
	if (!v)
		return qv_fail(error, QV_NO_MEMORY, "solve: out of memory");
	v->base = (struct qv_solver){ &ops, setup->allocator, *setup->rules };
	const struct prove_setup how = { setup->rules->game, setup->engine->prove, setup->allocator,
					 setup->hash_bytes, NULL };
	enum qv_status status = prove_new(&how, &v->prove, error);
	if (status != QV_OK) {
		mem_free(setup->allocator, v, sizeof *v);
		return status;
	}
	*out = &v->base;
	return QV_OK;
}
