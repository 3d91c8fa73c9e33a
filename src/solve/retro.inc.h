/*
 * retro.inc.h - template: the passes of a retrograde solution over the positions of a space.
 * SPDX-License-Identifier: MIT
 *
 * Needs G_HAS_INDEX: the game's decode and find; with G_HAS_PARENTS its unmove generator, which
 * lists at most G_MAX_PARENTS predecessors. Threads run a pass together over the same arrays. The
 * result does not depend on their order, for two reasons: at level d only values of at most d plies
 * are relied on, and a pass never writes such a value to a position that it may still read.
 *
 * With G_HAS_LEAVES the game lists the moves that leave the group, and counts those that stay. The
 * positions after those that stay must be in the index even if the game has ended there. The first
 * pass need not play them: ended positions update their parents at level 0. With G_HAS_FIND_PARENTS
 * the game finds the places of all listed parents in one call; all of them must be in the index.
 */
#include "search/stamp.inc.h"
#include "solve/retro.h"

#if G_DYNAMIC
#define G_PARENTS_ROOM(name, h) \
	G_STATE name##_first = { (h)->slots[0].game, (h)->parents }, *const name = &name##_first
#define G_PARENT(name, list, i)                                                                \
	const G_STATE name##_room = { (list)->game,                                            \
				      (unsigned char *)(list)->bytes +                         \
					      (size_t)(i) * (list)->game->state_size },        \
		      *const name = &name##_room
#else
#define G_PARENTS_ROOM(name, h) G_STATE *const name = (h)->parents
#define G_PARENT(name, list, i) const G_STATE *const name = (list) + (i)
#endif

/* The code of a position in which the game has ended. */
static inline uint32_t G(retro_end)(struct retro_worker *h, const G_STATE *s, const int32_t *points)
{
	const int seat = G(seat)(s);
	if (points[seat] > points[1 - seat])
		return retro_fail(h, RETRO_WON_END);
	return points[seat] < points[1 - seat] ? CODE_LOST : CODE_DRAW;
}

/* Plays a move and adds the successor to the view. */
static inline void G(retro_child)(struct retro_worker *h, const G_STATE *s, qv_move move,
				  struct retro_view *view)
{
	int32_t points[QV_MAX_SEATS];
	struct qv_place place;
	bool quiet = false;
	uint32_t code;
	G_CHILD(child, h->slots, 1);
	G(copy_play)(child, s, move);
	if (G(result)(child, points) == QV_ENDED)
		code = G(retro_end)(h, child, points);
	else if (G(find)(child, h->retro->spaces->aid, &place))
		code = retro_lookup(h, &place, &quiet);
	else
		code = retro_fail(h, RETRO_OUTSIDE);
	retro_note(view, code, quiet);
}

/*
 * Looks up the successors of a position that has not ended: all of them, or only until one is not
 * won for the opponent, which shows that the position is not lost.
 */
static inline struct retro_view G(retro_scan_moves)(struct retro_worker *h, const G_STATE *s,
						    bool all)
{
	struct retro_view view = { 0 };
	G_LIST(moves, h->slots, 0);
	const int n = G(moves)(s, moves);
	for (int i = 0; i < n && (all || !(view.open || view.saved)); i++) {
#if G_HAS_COUNTED
		for (int k = G(max_count)(s, moves[i]); k > 1; k--)
			G(retro_child)(h, s, G(with_count)(s, moves[i], k - 1), &view);
#endif
		G(retro_child)(h, s, moves[i], &view);
	}
	if (n == 0)
		retro_fail(h, RETRO_NO_MOVES);
	return view;
}

/* The same for the first pass, in which no value inside the group is known. */
static inline struct retro_view G(retro_first_view)(struct retro_worker *h, const G_STATE *s)
{
#if G_HAS_LEAVES
	struct retro_view view = { 0 };
	G_LIST(moves, h->slots, 0);
	const int n = G(leaves)(s, moves, &view.open);
	h->quiet += (uint64_t)view.open;
	if (n + view.open == 0)
		retro_fail(h, RETRO_NO_MOVES);
	for (int i = 0; i < n; i++)
		G(retro_child)(h, s, moves[i], &view);
	return view;
#else
	return G(retro_scan_moves)(h, s, true);
#endif
}

/* Values every position by its moves out of the group, and counts the others. */
static void G(retro_first)(struct retro_worker *h, uint64_t from, uint64_t to)
{
	const int64_t *options = h->retro->spaces->rules.options;
	struct values *values = retro_values(h, h->space);
	const uint64_t base =
		from - retro_index(h, h->space, from); /* the same in all of the chunk */
	int32_t points[QV_MAX_SEATS];
	G_CHILD(s, h->slots, 0);
	for (h->number = from; h->number < to && !h->fault; h->number++) {
		uint32_t code = CODE_HOLE;
		int open = RETRO_NEVER;
		if (G(decode)(s, h->retro->spaces->aid, options, h->space, h->number)) {
			if (G(result)(s, points) == QV_ENDED) {
				code = G(retro_end)(h, s, points);
			} else {
				const struct retro_view view = G(retro_first_view)(h, s);
				code = retro_code(&view);
				open = code || view.saved ? RETRO_NEVER : view.open;
			}
		}
		retro_set_counter(h, open);
		values_put(values, h->number - base, CODE_DRAW);
		if (code == CODE_HOLE)
			values_put(values, h->number - base, code);
		else
			retro_put(h, h->space, h->number, code);
	}
}

/* Decodes number h->number into *s; true: it is a position where the game has not ended. */
static inline bool G(retro_open)(struct retro_worker *h, G_STATE *s)
{
	const struct spaces *spaces = h->retro->spaces;
	int32_t points[QV_MAX_SEATS];
	return G(decode)(s, spaces->aid, spaces->rules.options, h->space, h->number) &&
	       G(result)(s, points) != QV_ENDED;
}

/*
 * For games without an unmove generator: every position that is not final looks at its successors.
 */
static void G(retro_sweep)(struct retro_worker *h, uint64_t from, uint64_t to)
{
	G_CHILD(s, h->slots, 0);
	for (h->number = from; h->number < to && !h->fault; h->number++) {
		const uint32_t code = retro_get(h, h->space, h->number);
		const bool final = code == CODE_HOLE || code_loses(code) ||
				   (code && code_plies(code) <= h->level + 1);
		if (final || !G(retro_open)(h, s))
			continue;
		const struct retro_view view = G(retro_scan_moves)(h, s, true);
		retro_put(h, h->space, h->number, retro_code(&view));
	}
}

/* Sets the counter of every open position to its number of moves that are not known to lose. */
static void G(retro_count)(struct retro_worker *h, uint64_t from, uint64_t to)
{
	G_CHILD(s, h->slots, 0);
	for (h->number = from; h->number < to && !h->fault; h->number++) {
		retro_set_counter(h, RETRO_NEVER);
		if (retro_get(h, h->space, h->number) != CODE_DRAW || !G(retro_open)(h, s))
			continue;
		const struct retro_view view = G(retro_scan_moves)(h, s, true);
		if (!view.saved)
			retro_set_counter(h, view.open);
	}
}

#if G_HAS_PARENTS
/*
 * Without counters: tests whether an open parent of a won position is lost now. It cannot be won,
 * since lost positions have updated all of their parents at their own level.
 */
static inline void G(retro_test)(struct retro_worker *h, const G_STATE *parent,
				 const struct qv_place *place)
{
	const struct retro_view view = G(retro_scan_moves)(h, parent, false);
	retro_put(h, place->space, place->number, retro_code(&view));
}

/*
 * The last move of this parent that stays in the group has turned out to lose, at this level. The
 * parent is lost: moves out of the group that save it were seen when the moves were counted. But a
 * move out of the group may lose later, so those are looked up for the distance, as in the first
 * pass. Moves inside the group are not: another rank may hold the positions after them.
 */
static inline void G(retro_mark_lost)(struct retro_worker *h, const G_STATE *parent,
				      const struct qv_place *place)
{
	const int level = h->level;
	h->level = RETRO_FIRST;
	struct retro_view view = G(retro_first_view)(h, parent);
	h->level = level;
	view.open = 0;
	if (view.latest_won < (uint32_t)level + 1)
		view.latest_won = (uint32_t)level + 1;
	retro_put(h, place->space, place->number, retro_code(&view));
}

/*
 * With counters. Symmetric positions share a number, so one listed parent may stand for several of
 * the counted moves, or for a part of one: the ratio of the two places' weights.
 */
static inline void G(retro_count_parents)(struct retro_worker *h, const G_STATE *s,
					  const G_STATE *list, int n)
{
	struct qv_place here;
	const bool found = G(find)(s, h->retro->spaces->aid, &here);
	const uint32_t weight = found && here.weight ? here.weight : 1;
	for (int i = 0; i < n; i++) {
		const struct qv_place *place = &h->places[i];
		if (place->space < 0)
			continue;
		uint64_t by = place->weight ? place->weight : 1;
		if (weight > 1) {
			/* Count how often the place is listed, and mark its duplicates with -1. */
			uint64_t listed = 1;
			for (int k = i + 1; k < n; k++)
				if (h->places[k].space == place->space &&
				    h->places[k].number == place->number) {
					listed++;
					h->places[k].space = -1;
				}
			by = listed * by / weight;
		}
		if (by && !retro_holds(h, place))
			retro_send(h, place, by);
		else if (by && retro_count_down(h, place, by) &&
			 retro_get(h, place->space, place->number) == CODE_DRAW) {
			G_PARENT(parent, list, i);
			G(retro_mark_lost)(h, parent, place);
		}
	}
}

/*
 * Finds the parents' places; those outside the group get space -1. Their values or counters are
 * prefetched, since each is a cache miss.
 */
static inline void G(retro_find_parents)(struct retro_worker *h, const G_STATE *list, int n)
{
	const struct retro *r = h->retro;
#if G_HAS_FIND_PARENTS
	G(find_parents)(list, n, r->spaces->aid, h->places);
#endif
	for (int i = 0; i < n; i++) {
		struct qv_place *place = &h->places[i];
		bool found = true;
#if !G_HAS_FIND_PARENTS
		G_PARENT(parent, list, i);
		found = G(find)(parent, r->spaces->aid, place);
#endif
		if (found && !spaces_have(r->spaces, place))
			retro_fail(h, RETRO_NO_PLACE);
		if (!found || place->space < r->first || place->space >= r->end || h->fault)
			place->space = -1;
		else if (retro_holds(h, place))
			retro_prefetch(h, place);
	}
}

/* Finds the parents of a position that is final at this level, and updates their values. */
static inline void G(retro_update_parents)(struct retro_worker *h, const G_STATE *s)
{
	G_PARENTS_ROOM(list, h);
	const int n = G(parents)(s, list);
	G(retro_find_parents)(h, list, n);
	if (retro_counting(h)) {
		G(retro_count_parents)(h, s, list, h->fault ? 0 : n);
		return;
	}
	for (int i = 0; i < n && !h->fault; i++) {
		const struct qv_place *place = &h->places[i];
		G_PARENT(parent, list, i);
		if (place->space < 0)
			continue;
		if (!retro_holds(h, place)) {
			retro_send(h, place, 0);
			continue;
		}
		const uint32_t code = retro_get(h, place->space, place->number);
		if (code == CODE_HOLE)
			continue;
		if (h->level % 2 == 0)
			retro_put(h, place->space, place->number, (uint32_t)h->level + 2);
		else if (code == CODE_DRAW)
			G(retro_test)(h, parent, place);
	}
}

/* Every position decided in exactly h->level plies updates its parents. */
static void G(retro_spread)(struct retro_worker *h, uint64_t from, uint64_t to)
{
	const int64_t *options = h->retro->spaces->rules.options;
	const struct values *values = retro_values(h, h->space);
	const uint64_t base = from - retro_index(h, h->space, from), end = to - base;
	const uint32_t code = (uint32_t)h->level + 1;
	G_CHILD(s, h->slots, 0);
	for (uint64_t i = values_next(values, from - base, end, code); i < end && !h->fault;
	     i = values_next(values, i + 1, end, code)) {
		h->number = base + i;
		if (G(decode)(s, h->retro->spaces->aid, options, h->space, h->number))
			G(retro_update_parents)(h, s);
	}
}

/* Does for the parents that other ranks have found what retro_update_parents does for its own. */
static void G(retro_receive)(struct retro_worker *h, const uint64_t *updates, size_t count)
{
	enum { AHEAD = 8 }; /* updates to prefetch, since each is a cache miss */
	const struct retro *r = h->retro;
	G_CHILD(s, h->slots, 0);
	for (size_t i = 0; i < count && !h->fault; i++) {
		const struct qv_place place = retro_update_place(r, updates[i]),
				      later = retro_update_place(
					      r, updates[i + AHEAD < count ? i + AHEAD : i]);
		retro_prefetch(h, &later);
		h->space = place.space;
		h->number = place.number;
		if (!retro_counting(h)) {
			if (retro_get(h, place.space, place.number) != CODE_HOLE)
				retro_put(h, place.space, place.number, (uint32_t)h->level + 2);
		} else if (retro_count_down(h, &place, updates[i] >> UPDATE_BY) &&
			   retro_get(h, place.space, place.number) == CODE_DRAW &&
			   G(decode)(s, r->spaces->aid, r->spaces->rules.options, place.space,
				     place.number)) {
			G(retro_mark_lost)(h, s, &place);
		}
	}
}
#endif

/* Does the work of a pass and stores nothing, for time estimates. */
static void G(retro_sample)(struct retro_worker *h, uint64_t from, uint64_t to)
{
	const int64_t *options = h->retro->spaces->rules.options;
	int32_t points[QV_MAX_SEATS];
	G_CHILD(s, h->slots, 0);
	for (h->number = from; h->number < to && !h->fault; h->number++) {
		if (!G(decode)(s, h->retro->spaces->aid, options, h->space, h->number))
			continue;
		h->positions++;
		if (G(result)(s, points) == QV_ENDED)
			continue;
		const struct retro_view view = G(retro_scan_moves)(h, s, true);
		h->highest |= view.latest_won; /* keeps the compiler from dropping the work */
#if G_HAS_PARENTS
		G_PARENTS_ROOM(list, h);
		const int n = h->retro->spaces->rules.game->index->parents ? G(parents)(s, list) : 0;
		for (int i = 0; i < n; i++) {
			G_PARENT(parent, list, i);
			if (G(find)(parent, h->retro->spaces->aid, &h->places[i]))
				h->highest |= (uint32_t)h->places[i].space;
		}
#endif
	}
}

static const struct retro_ops G(retro_ops) = {
	.first = G(retro_first),
#if G_HAS_PARENTS
	.spread = G(retro_spread),
	.receive = G(retro_receive),
#endif
	.sweep = G(retro_sweep),
	.count = G(retro_count),
	.sample = G(retro_sample),
	.counts = G_HAS_LEAVES,
};
