/*
 * predict.c - the search tree of the mask predictor.
 * SPDX-License-Identifier: MIT
 *
 * A level is the turn of one faction. If the faction has only one mask, the position is updated in
 * place. If it has several, each is a branch, and the faction chooses the one whose final position
 * is best for itself (maxn). Nothing is allocated: a level is a stack frame.
 */
#include "games/starchess/predict.h"

#include <stdatomic.h>

#include "base/threads.h"

/* The four scores of a galaxy in the view of `who`. */
static void evaluate(struct predictor *p, const struct sc_galaxy *g, int who,
		     int32_t scores[SC_FACTIONS])
{
	int32_t seen[SC_FACTIONS];
	p->evaluated++;
	if (p->how.prospects)
		sc_prospects(g, seen);
	else
		sc_scores(g, seen);
	for (int f = 0; f < SC_FACTIONS; f++)
		scores[(who + f) % SC_FACTIONS] = seen[f];
}

/* ---- The tree that is kept for explanations ---- */

/* The turn that led here, to come back to. */
static int tree_at(const struct predictor *p)
{
	return p->tree ? p->tree->at : -1;
}

/* A turn of `who` is next. */
static void tree_enter(struct predictor *p, int level, int who, unsigned left_out)
{
	struct predict_tree *t = p->tree;
	if (!t)
		return;
	t->seen++;
	if (t->count == t->most || t->at == PREDICT_LEFT_OUT) {
		t->at = PREDICT_LEFT_OUT;
		return;
	}
	t->list[t->count] =
		(struct predict_node){ .parent = t->at,
				       .depth = t->at < 0 ? 1 : t->list[t->at].depth + 1,
				       .level = level,
				       .who = who,
				       .best = -1,
				       .left_out = (uint16_t)left_out };
	t->at = t->count++;
}

/* Goes back to the turn `above`. What is left behind gets the scores; NULL: they are unknown. */
static void tree_leave(struct predictor *p, int above, const int32_t *scores)
{
	struct predict_tree *t = p->tree;
	if (!t)
		return;
	for (int at = t->at; scores && at >= 0 && at != above; at = t->list[at].parent) {
		memcpy(t->list[at].scores, scores, sizeof t->list[at].scores);
		t->list[at].known = true;
	}
	t->at = above;
}

/* ---- The masks of a level ---- */

/*
 * Goes through the masks: all requests, all but one, all but two. From what the turns used it knows
 * which other masks would give the same turn as one already made.
 */
struct walk {
	unsigned full, used_by_all;
	unsigned used[SC_SECTORS]; /* with that one masked */
	unsigned ones;		   /* requests still to be masked alone */
	unsigned firsts, seconds;  /* still to be masked in pairs; the partners of the next first */
	unsigned *note;		   /* where to store what the last turn used; NULL: not needed */
	bool begun, literal;
};

/* A walk before its first mask. literal: no mask is skipped. */
static struct walk walk_from(unsigned full, bool literal)
{
	return (struct walk){ .full = full,
			      .ones = full,
			      .firsts = full,
			      .seconds = full & (full - 1),
			      .literal = literal };
}

/* The next mask whose turn must be made; false: there are no more. */
static bool next_mask(struct walk *w, unsigned *mask)
{
	/* All requests. */
	w->note = &w->used_by_all;
	*mask = w->full;
	if (!w->begun)
		return w->begun = true;
	/* All but one. If the full turn did not use it, the turn is the same. */
	while (w->ones) {
		const unsigned i = (unsigned)bits_lowest(w->ones);
		w->ones &= w->ones - 1;
		w->note = &w->used[i];
		*mask = w->full & ~(1U << i);
		if (w->literal || w->used_by_all >> i & 1)
			return true;
		w->used[i] = w->used_by_all;
	}
	/* All but two. If one is not used once the other is masked, the turn is known. */
	w->note = NULL;
	while (w->firsts) {
		const unsigned i = (unsigned)bits_lowest(w->firsts);
		while (w->seconds) {
			const unsigned j = (unsigned)bits_lowest(w->seconds);
			w->seconds &= w->seconds - 1;
			*mask = w->full & ~(1U << i) & ~(1U << j);
			if (w->literal || (w->used[i] >> j & w->used[j] >> i & 1))
				return true;
		}
		w->firsts &= w->firsts - 1;
		w->seconds = w->firsts & (w->firsts - 1);
	}
	return false;
}

/* Makes the turn of a mask that next_mask gave. */
static void make_turn(struct predictor *p, struct walk *w, const struct requests *r, unsigned mask,
		      const struct turn_past *past, struct sc_galaxy *g)
{
	const unsigned used = turn_make(g, r, mask, past, NULL, NULL);
	if (w->note)
		*w->note = used;
	p->generated++;
}

/* ---- The tree ---- */

/*
 * Whether the position after a turn is not worth searching deeper, by its current score. This is
 * not sound, and off by default.
 */
static bool is_pruned(struct predictor *p, const struct sc_galaxy *after, int who, int32_t best)
{
	int32_t scores[SC_FACTIONS];
	if (!p->how.gains)
		return false;
	evaluate(p, after, who, scores);
	return p->how.gains == GAINS_BETTER ? scores[who] <= best : scores[who] < best;
}

/*
 * The slot for a position after a turn: its own, or a free one. At most half of the slots are
 * taken, so there is always one.
 */
static size_t place_of(struct predict_known *k, uint64_t key)
{
	size_t place = key % PREDICT_KNOWN;
	while (k->keys[place] && k->keys[place] != key)
		place = (place + 1) % PREDICT_KNOWN;
	return place;
}

/* Sets what a position after a turn of `who` leads to. False: stopped. */
static bool follow(struct predictor *p, const struct sc_galaxy *after, int level, int who,
		   int32_t scores[SC_FACTIONS])
{
	struct sc_galaxy next;
	struct predict_known *k = p->known;
	uint64_t key = 0;
	if (k) {
		/*
		 * The scores depend on the levels left, on whose view it is, and on the evaluation.
		 */
		const unsigned to_go = (unsigned)(p->how.levels - level);
		const unsigned salt = to_go << 3 | (unsigned)who << 1 | p->how.prospects;
		key = qv_mix(qv_hash_bytes(after, sizeof *after) + salt) | 1;
		const size_t place = place_of(k, key);
		if (k->keys[place]) {
			memcpy(scores, k->scores[place], sizeof k->scores[place]);
			return true;
		}
	}
	relative_next(p->maps, &next, after);
	if (!predict_level(p, &next, level + 1, (who + 1) % SC_FACTIONS, scores))
		return false;
	if (k) {
		if (k->count >= PREDICT_KNOWN / 2) {
			memset(k->keys, 0, sizeof k->keys);
			k->count = 0;
		}
		const size_t place = place_of(k, key);
		k->count += !k->keys[place];
		k->keys[place] = key;
		memcpy(k->scores[place], scores, sizeof k->scores[place]);
	}
	return true;
}

bool predict_branch(struct predictor *p, const struct sc_galaxy *g, const struct requests *r,
		    int level, int who, int32_t scores[SC_FACTIONS], unsigned *chosen,
		    struct sc_galaxy *after)
{
	struct walk walk = walk_from(r->full, p->how.literal);
	unsigned mask;
	for (bool first = true; next_mask(&walk, &mask); first = false) {
		struct sc_galaxy made = *g;
		int32_t deep[SC_FACTIONS];
		if (predict_must_stop(p))
			return false;
		make_turn(p, &walk, r, mask, NULL, &made);
		const int above = tree_at(p);
		tree_enter(p, level, who, r->full & ~mask);
		const bool pruned = !first && is_pruned(p, &made, who, scores[who]);
		const bool done = pruned || follow(p, &made, level, who, deep);
		tree_leave(p, above, done && !pruned ? deep : NULL);
		if (!done)
			return false;
		if (pruned)
			continue;
		if (!first && deep[who] <= scores[who])
			continue;
		memcpy(scores, deep, sizeof deep);
		if (chosen)
			*chosen = mask;
		if (after)
			*after = made;
	}
	return true;
}

bool predict_model(struct predictor *p, const struct sc_galaxy *g, int turns,
		   struct sc_galaxy *after, uint16_t *left_out)
{
	const struct predict_how own = p->how;
	struct predict_tree *const tree = p->tree; /* this is a tree of its own */
	int32_t scores[SC_FACTIONS];
	struct requests r;
	unsigned mask = 0;
	p->tree = NULL;
	p->how = (struct predict_how){ .levels = 4 * turns + 1, .vary_last = turns == 0 };
	requests_make(&r, p->maps, &p->how.habits, g);
	const bool done = predict_branch(p, g, &r, 0, 0, scores, &mask, after);
	p->how = own;
	p->tree = tree;
	*left_out = (uint16_t)(r.full & ~mask);
	return done;
}

bool predict_reply(struct predictor *p, const struct sc_galaxy *g, struct reply *r,
		   struct sc_galaxy *after)
{
	while (r->model) {
		/*
		 * A deep model may use only some nodes. If it needs more, a shallower one is tried.
		 */
		const uint64_t outer = p->give_up_at, mine = p->generated + p->reply_nodes;
		if (p->reply_nodes && r->model > REPLY_SURE && (!outer || mine < outer))
			p->give_up_at = mine;
		const bool done = predict_model(p, g, r->model - 1, &r->after, &r->left_out);
		p->give_up_at = outer;
		if (done) {
			*after = r->after;
			return true;
		}
		if (predict_must_stop(p))
			return false;
		r->model--;
	}
	struct requests requests;
	if (predict_must_stop(p))
		return false;
	requests_make(&requests, p->maps, &p->how.habits, g);
	*after = *g;
	turn_make(after, &requests, requests.full & ~(unsigned)r->left_out, NULL, NULL, NULL);
	p->generated++;
	return true;
}

/* As predict_level; the tree stays at the last turn. */
static bool search_level(struct predictor *p, const struct sc_galaxy *g, int level, int who,
			 int32_t scores[SC_FACTIONS])
{
	struct sc_galaxy room[2], after;
	const struct sc_galaxy *at = g;
	for (int other = 0; level < p->how.levels && !sc_is_won(at); other ^= 1) {
		struct sc_galaxy *next = &room[other];
		/* In the first round the others may follow their models. */
		const bool modelled = p->how.replies && who && level < SC_FACTIONS;
		if (at->defeated & 1) {
			relative_next(p->maps, next, at);
			level += !p->how.skip_dead;
		} else if (!modelled && predict_varies(&p->how, level, who)) {
			struct requests r;
			requests_make(&r, p->maps, &p->how.habits, at);
			return predict_branch(p, at, &r, level, who, scores, NULL, NULL);
		} else {
			struct reply unmasked, *how = modelled ? &p->replies[who] : &unmasked;
			unmasked.model = unmasked.left_out = 0;
			if (!predict_reply(p, at, how, &after))
				return false;
			tree_enter(p, level, who, how->left_out);
			relative_next(p->maps, next, &after);
			level++;
		}
		at = next;
		who = (who + 1) % SC_FACTIONS;
	}
	evaluate(p, at, who, scores);
	return true;
}

bool predict_level(struct predictor *p, const struct sc_galaxy *g, int level, int who,
		   int32_t scores[SC_FACTIONS])
{
	const int above = tree_at(p);
	const bool done = search_level(p, g, level, who, scores);
	tree_leave(p, above, done ? scores : NULL);
	return done;
}

/* ---- The root ---- */

int predict_turns(struct predictor *p, const struct sc_galaxy *g, const struct requests *r,
		  const struct turn_past *past, bool vary, struct predict_turn *list)
{
	struct walk walk = walk_from(vary ? r->full : 0, p->how.literal);
	unsigned mask;
	int n = 0;
	while (next_mask(&walk, &mask) && !(n && predict_must_stop(p))) {
		const unsigned chosen = vary ? mask : r->full;
		list[n] = (struct predict_turn){ .mask = (uint16_t)chosen, .after = *g };
		make_turn(p, &walk, r, chosen, past, &list[n++].after);
	}
	return n;
}

/* The turns that the threads share out. */
struct turn_queue {
	struct predictor *workers;
	struct predict_turn *list;
	int turns;
	unsigned full; /* all requests */
	atomic_int next;
};

/*
 * Finds scores. A worker that is stopped leaves the rest to the others. Pruning compares a turn
 * with the best before it, so there must be one worker only.
 */
static void score_turns(void *ctx, int worker)
{
	struct turn_queue *queue = ctx;
	struct predictor *p = &queue->workers[worker];
	int32_t best = 0;
	int i;
	while ((i = atomic_fetch_add(&queue->next, 1)) < queue->turns) {
		struct sc_galaxy next;
		struct predict_turn *turn = &queue->list[i];
		tree_enter(p, 0, 0, queue->full & ~(unsigned)turn->mask);
		if (i && is_pruned(p, &turn->after, 0, best)) {
			tree_leave(p, -1, NULL);
			continue;
		}
		relative_next(p->maps, &next, &turn->after);
		turn->known = predict_level(p, &next, 1, 1, turn->scores);
		tree_leave(p, -1, turn->known ? turn->scores : NULL);
		if (!turn->known)
			return;
		if (!i || turn->scores[0] > best)
			best = turn->scores[0];
	}
}

void predict_decide(struct predictor *workers, int count, const struct starchess *s, bool masks,
		    struct predict_root *root)
{
	struct predictor *p = workers;
	struct predict_turn *list = root->turns;
	relative_view(&root->view, &s->g, s->seat);
	turn_past_of(s, &root->past);
	requests_make(&root->requests, p->maps, &p->how.habits, &root->view);
	requests_drop(&root->requests, p->how.overlooked);
	root->count = predict_turns(p, &root->view, &root->requests, &root->past, masks, list);
	root->best = 0;
	if (!masks) {
		sc_scores(&list->after, list->scores);
		list->known = true;
		p->evaluated++;
		return;
	}
	for (int k = 1; k < count; k++) {
		workers[k] = *p;
		workers[k].generated = workers[k].evaluated = 0;
	}
	struct turn_queue queue = {
		.workers = workers, .list = list, .turns = root->count, .full = root->requests.full
	};
	threads_run(p->how.gains ? 1 : count, score_turns, &queue);
	predict_sum(workers, count);
	for (int i = 1; i < root->count; i++)
		if (list[i].known &&
		    (!list[root->best].known || list[i].scores[0] > list[root->best].scores[0]))
			root->best = i;
}

void predict_sum(struct predictor *workers, int count)
{
	for (int k = 1; k < count; k++) {
		workers->generated += workers[k].generated;
		workers->evaluated += workers[k].evaluated;
		workers->budget.stopped |= workers[k].budget.stopped;
		workers->budget.was_stopped |= workers[k].budget.was_stopped;
	}
}
