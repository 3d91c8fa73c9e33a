/*
 * predict.c - the search tree of the mask predictor.
 * SPDX-License-Identifier: MIT
 *
 * A level is the turn of one faction. If the faction has only one mask, the position is updated in
 * place. If it has several, each is a branch, and the faction chooses the one whose final position
 * is best for itself (maxn). Nothing is allocated: a level is a stack frame.
 */
#include "games/starchess/predict.h"

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

bool predict_varies(const struct predict_how *how, int level, int who)
{
	return (who == 0 || how->vary_all) && (how->vary_last || level + 1 < how->levels);
}

/* ---- The masks of a level ---- */

/*
 * Goes through the masks: all requests, all but one, all but two. From what the turns used it knows
 * which other masks would give the same turn as one already made.
 */
struct walk {
	unsigned full, used_by_all;
	unsigned used[SC_SECTORS]; /* with that one masked */
	unsigned i, j;		   /* masked last; SC_SECTORS: none */
	bool begun, literal;
};

static struct walk walk_from(unsigned full, bool literal)
{
	return (struct walk){ .full = full, .i = SC_SECTORS, .j = SC_SECTORS, .literal = literal };
}

/* The lowest request of the full mask from number `from` on; SC_SECTORS: none. */
static unsigned request_from(const struct walk *w, unsigned from)
{
	const unsigned rest = from < SC_SECTORS ? w->full >> from << from : 0;
	return rest ? (unsigned)bits_lowest(rest) : SC_SECTORS;
}

static bool next_pair(struct walk *w)
{
	if (w->j == SC_SECTORS) {
		w->i = request_from(w, 0);
		w->j = w->i;
	}
	while (w->i < SC_SECTORS) {
		w->j = request_from(w, w->j + 1);
		if (w->j == SC_SECTORS) {
			w->i = request_from(w, w->i + 1);
			w->j = w->i;
		} else if (w->literal || (w->used[w->i] >> w->j & w->used[w->j] >> w->i & 1)) {
			return true;
		}
	}
	w->j = SC_SECTORS;
	return false;
}

/* The next mask whose turn must be made; false: there are no more. */
static bool next_mask(struct walk *w, unsigned *mask)
{
	if (!w->begun) {
		w->begun = true;
		*mask = w->full;
		return true;
	}
	if (w->j == SC_SECTORS) {
		for (;;) {
			w->i = request_from(w, w->i == SC_SECTORS ? 0 : w->i + 1);
			if (w->i == SC_SECTORS)
				break;
			if (w->literal || w->used_by_all >> w->i & 1) {
				*mask = w->full & ~(1U << w->i);
				return true;
			}
			w->used[w->i] = w->used_by_all;
		}
	}
	if (!next_pair(w))
		return false;
	*mask = w->full & ~(1U << w->i) & ~(1U << w->j);
	return true;
}

/* Stores what the turn of the last mask used. */
static void note_used(struct walk *w, unsigned used)
{
	if (w->i == SC_SECTORS)
		w->used_by_all = used;
	else if (w->j == SC_SECTORS)
		w->used[w->i] = used;
}

/* ---- The tree ---- */

/* Whether the position after a turn is not worth searching deeper, by its current score. */
static bool is_pruned(struct predictor *p, const struct sc_galaxy *after, int who, int32_t best)
{
	int32_t scores[SC_FACTIONS];
	if (!p->how.gains)
		return false;
	evaluate(p, after, who, scores);
	return p->how.gains == GAINS_BETTER ? scores[who] <= best : scores[who] < best;
}

/* The slot for a position after a turn; its key tells whether the position is there. */
static size_t place_of(struct predict_known *k, uint64_t key)
{
	size_t place = key % PREDICT_KNOWN;
	while (k->keys[place] && k->keys[place] != key)
		place = (place + 1) % PREDICT_KNOWN;
	return place;
}

/* The key of a position in the view of `who` with this many levels left. */
static uint64_t key_of(const struct predictor *p, const struct sc_galaxy *g, int level, int who)
{
	const int to_go = p->how.levels - level;
	const unsigned salt = (unsigned)to_go << 3 | (unsigned)who << 1 | p->how.prospects;
	return qv_mix(qv_hash_bytes(g, sizeof *g) + salt) | 1;
}

/* What a position after a turn of `who` leads to. */
static bool follow(struct predictor *p, const struct sc_galaxy *after, int level, int who,
		   int32_t scores[SC_FACTIONS])
{
	struct sc_galaxy next;
	struct predict_known *k = p->known;
	const uint64_t key = k ? key_of(p, after, level, who) : 0;
	if (k) {
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
		    int level, int who, int32_t scores[SC_FACTIONS], unsigned *chosen)
{
	struct walk walk = walk_from(r->full, p->how.literal);
	unsigned mask;
	for (bool first = true; next_mask(&walk, &mask); first = false) {
		struct sc_galaxy after = *g;
		int32_t deep[SC_FACTIONS];
		if (predict_must_stop(p))
			return false;
		note_used(&walk, turn_make(&after, p->maps, r, mask, NULL, NULL, NULL));
		p->generated++;
		if (!first && is_pruned(p, &after, who, scores[who]))
			continue;
		if (!follow(p, &after, level, who, deep))
			return false;
		if (!first && deep[who] <= scores[who])
			continue;
		memcpy(scores, deep, sizeof deep);
		if (chosen)
			*chosen = mask;
	}
	return true;
}

/* Whether a turn at this level follows the model of its faction. */
static bool is_modelled(const struct predict_how *how, int level, int who)
{
	return how->replies && who && level < SC_FACTIONS;
}

static bool choose_turn(struct predictor *p, const struct sc_galaxy *g, struct sc_galaxy *after,
			uint16_t *left_out)
{
	struct requests r;
	unsigned mask;
	int32_t best = 0;
	requests_make(&r, p->maps, &p->how.habits, g);
	struct walk walk = walk_from(r.full, p->how.literal);
	for (bool first = true; next_mask(&walk, &mask); first = false) {
		struct sc_galaxy made = *g;
		int32_t deep[SC_FACTIONS];
		if (predict_must_stop(p))
			return false;
		note_used(&walk, turn_make(&made, p->maps, &r, mask, NULL, NULL, NULL));
		p->generated++;
		if (!follow(p, &made, 0, 0, deep))
			return false;
		if (!first && deep[0] <= best)
			continue;
		best = deep[0];
		*after = made;
		*left_out = (uint16_t)(r.full & ~mask);
	}
	return true;
}

bool predict_model(struct predictor *p, const struct sc_galaxy *g, int turns,
		   struct sc_galaxy *after, uint16_t *left_out)
{
	const struct predict_how own = p->how;
	p->how = (struct predict_how){ .levels = 4 * turns + 1, .vary_last = turns == 0 };
	const bool done = choose_turn(p, g, after, left_out);
	p->how = own;
	return done;
}

/* The same, unless it takes too many nodes. */
static bool model_within(struct predictor *p, const struct sc_galaxy *g, struct reply *r)
{
	const uint64_t outer = p->give_up_at, mine = p->generated + p->reply_nodes;
	if (p->reply_nodes && r->model > REPLY_SURE && (!outer || mine < outer))
		p->give_up_at = mine;
	const bool done = predict_model(p, g, r->model - 1, &r->after, &r->left_out);
	p->give_up_at = outer;
	return done;
}

bool predict_reply(struct predictor *p, const struct sc_galaxy *g, struct reply *r,
		   struct sc_galaxy *after)
{
	if (r->model) {
		while (!model_within(p, g, r)) {
			if (predict_must_stop(p))
				return false;
			r->model--;
		}
		*after = r->after;
		return true;
	}
	struct requests requests;
	if (predict_must_stop(p))
		return false;
	requests_make(&requests, p->maps, &p->how.habits, g);
	*after = *g;
	turn_make(after, p->maps, &requests, requests.full & ~(unsigned)r->left_out, NULL, NULL,
		  NULL);
	p->generated++;
	return true;
}

bool predict_level(struct predictor *p, const struct sc_galaxy *g, int level, int who,
		   int32_t scores[SC_FACTIONS])
{
	struct sc_galaxy room[2];
	const struct sc_galaxy *at = g;
	int other = 0;
	while (level < p->how.levels && !sc_is_won(at)) {
		struct sc_galaxy *next = &room[other];
		if (at->defeated & 1) {
			relative_next(p->maps, next, at);
			level += !p->how.skip_dead;
		} else if (is_modelled(&p->how, level, who)) {
			struct sc_galaxy after;
			if (!predict_reply(p, at, &p->replies[who], &after))
				return false;
			relative_next(p->maps, next, &after);
			level++;
		} else {
			struct requests r;
			requests_make(&r, p->maps, &p->how.habits, at);
			if (predict_varies(&p->how, level, who))
				return predict_branch(p, at, &r, level, who, scores, NULL);
			if (predict_must_stop(p))
				return false;
			struct sc_galaxy after = *at;
			turn_make(&after, p->maps, &r, r.full, NULL, NULL, NULL);
			p->generated++;
			relative_next(p->maps, next, &after);
			level++;
		}
		at = next;
		other ^= 1;
		who = (who + 1) % SC_FACTIONS;
	}
	evaluate(p, at, who, scores);
	return true;
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
		note_used(&walk, turn_make(&list[n].after, p->maps, r, chosen, past, NULL, NULL));
		p->generated++;
		n++;
	}
	return n;
}

/* The turns that the threads share out. */
struct turn_queue {
	struct predictor *workers;
	struct predict_turn *list;
	int turns;
	atomic_int next;
};

/* A worker that is stopped leaves the rest to the others. */
static void score_turns(void *ctx, int worker)
{
	struct turn_queue *queue = ctx;
	struct predictor *p = &queue->workers[worker];
	int i;
	while ((i = atomic_fetch_add(&queue->next, 1)) < queue->turns) {
		struct sc_galaxy next;
		struct predict_turn *turn = &queue->list[i];
		relative_next(p->maps, &next, &turn->after);
		turn->known = predict_level(p, &next, 1, 1, turn->scores);
		if (!turn->known)
			return;
	}
}

static void prune_root(struct predictor *p, struct predict_turn *list, int turns);

int predict_best(struct predictor *workers, int count, struct predict_turn *list, int turns)
{
	struct turn_queue queue = { .workers = workers, .list = list, .turns = turns };
	if (workers->how.gains)
		prune_root(workers, list, turns);
	else
		threads_run(count, score_turns, &queue);
	int best = -1;
	for (int i = 0; i < turns; i++)
		if (list[i].known && (best < 0 || list[i].scores[0] > list[best].scores[0]))
			best = i;
	return best < 0 ? 0 : best;
}

/* One after the other, because each depends on the best before it. */
static void prune_root(struct predictor *p, struct predict_turn *list, int turns)
{
	int32_t best = 0;
	for (int i = 0; i < turns; i++) {
		struct sc_galaxy next;
		if (i && is_pruned(p, &list[i].after, 0, best))
			continue;
		relative_next(p->maps, &next, &list[i].after);
		list[i].known = predict_level(p, &next, 1, 1, list[i].scores);
		if (!list[i].known)
			return;
		if (!i || list[i].scores[0] > best)
			best = list[i].scores[0];
	}
}
