/*
 * index.c - laws of the index: numbers and positions correspond.
 * SPDX-License-Identifier: MIT
 *
 * No move leads to a later group, and the parents of a position are those from which a move leads
 * to it. Endgame tables rely on all of this. Small spaces are checked completely, large ones by a
 * sample; the checker of finished tables sees every number.
 */
#include "conform/exam.h"
#include "core/context.h"
#include "solve/spaces.h"

enum {
	NUMBERS = 8000,            /* numbers checked in all, */
	FEWEST = 4,                /* but at least this many of a space, */
	MOST = 2000,               /* and at most this many */
};

/* The index, and the number that is being checked; its position is in SLOT_A. */
struct numbers {
	struct exam *x;
	struct spaces spaces;
	unsigned char *parents;    /* room for max_parents states, and one more as a guard */
	size_t room;
	struct qv_place here;
};

/* Reports a violation at the current number. */
static bool wrong(const struct numbers *n, const char *what)
{
	return exam_fail(n->x, "space %s, number %llu: %s", n->spaces.list[n->here.space].name,
			 (unsigned long long)n->here.number, what);
}

/* The weight of a place; games without weights leave it 0. */
static uint64_t weight_of(const struct qv_place *place)
{
	return place->weight ? place->weight : 1;
}

/* Weights may differ: only space and number identify a place. */
static bool same_place(const struct qv_place *a, const struct qv_place *b)
{
	return a->space == b->space && a->number == b->number;
}

/* Ended by the rules; a draw by a counter does not count, since tables ignore counters. */
static bool has_ended(const struct exam *x, const void *state)
{
	int32_t points[QV_MAX_SEATS];
	return x->game->result(state, points) == QV_ENDED;
}

/* ---- Numbers ---- */

/* Decodes into a slot filled with `dirt`, so that unwritten bytes show. */
static bool decode(const struct numbers *n, const struct qv_place *place, int slot, int dirt)
{
	return n->x->game->index->decode(n->spaces.aid, n->x->rules->options, place->space,
					 place->number, exam_dirty(n->x, slot, dirt));
}

/*
 * Whether nobody can win any more, as with bare kings in chess: then every move leads to a draw,
 * too, and the counters do not matter.
 */
static bool is_drawn_for_good(const struct exam *x, const void *state)
{
	int32_t points[QV_MAX_SEATS];
	qv_move *list = exam_list(x, SLOT_C);
	const int count = x->game->moves(state, list);
	for (int i = 0; i < count; i++)
		if (x->game->result(exam_after(x, SLOT_C, state, list[i]), points) == QV_GOING)
			return false;
	return true;
}

/* decode and find are inverse to each other. *there: the number has a position. */
static bool number_is_restored(struct numbers *n, bool *there)
{
	const struct exam *x = n->x;
	int32_t points[QV_MAX_SEATS];
	struct qv_place found = { .space = -1 };
	*there = decode(n, &n->here, SLOT_A, 0);
	const unsigned char *state = exam_slot(x, SLOT_A);
	/* Decode twice over different bytes: the results must not differ. */
	if (decode(n, &n->here, SLOT_B, 0xff) != *there)
		return wrong(n, "decode gives another result when called again");
	if (!exam_guards_hold(x, SLOT_A))
		return wrong(n, "decode writes outside the state");
	if (!*there)
		return true;
	if (!exam_same(x, state, exam_slot(x, SLOT_B)))
		return wrong(n, "decode does not write all bytes of the state");
	if (x->game->result(state, points) == QV_DRAWN_BY_COUNT && !is_drawn_for_good(x, state))
		return wrong(n, "decode gives a position that is drawn by a counter");
	if (!x->game->index->find(n->spaces.aid, state, &found) || !same_place(&found, &n->here))
		return wrong(n, "find gives its position another number, or none");
	if (!exam_same(x, state, exam_slot(x, SLOT_B)))
		return wrong(n, "find changes the state");
	n->here.weight = found.weight;
	return true;
}

/* ---- Moves ---- */

/* How many moves of the state lead to the place, also if the game ends there. */
static int moves_to(const struct numbers *n, const void *state, const struct qv_place *to, int slot)
{
	const struct exam *x = n->x;
	qv_move *list = exam_list(x, slot);
	const int count = has_ended(x, state) ? 0 : x->game->moves(state, list);
	int many = 0;
	for (int i = 0; i < count; i++) {
		const int most = legal_max_count(x->game, state, list[i]);
		for (int k = 1; k <= most; k++) {
			struct qv_place place;
			const qv_move move = k < most ? x->game->with_count(list[i], k) : list[i];
			const unsigned char *after = exam_after(x, slot, state, move);
			if (x->game->index->find(n->spaces.aid, after, &place))
				many += same_place(&place, to);
		}
	}
	return many;
}

/* Finds where a move from SLOT_A leads: a place, or space -1 for the end of the game. */
static bool move_leads_down(struct numbers *n, qv_move move, struct qv_place *to)
{
	const struct exam *x = n->x;
	const unsigned char *after = exam_after(x, SLOT_B, exam_slot(x, SLOT_A), move);
	*to = (struct qv_place){ .space = -1 };
	if (x->game->seat(after) != 1 - x->game->seat(exam_slot(x, SLOT_A)))
		return wrong(n, "a move does not give the turn to the other player");
	if (has_ended(x, after))
		return true;
	if (!x->game->index->find(n->spaces.aid, after, to))
		return wrong(n, "a move leads to a position without a number");
	if (!spaces_have(&n->spaces, to))
		return wrong(n, "a move leads to a number or space that does not exist");
	if (n->spaces.list[to->space].group > n->spaces.list[n->here.space].group)
		return wrong(n, "a move leads to a later group");
	return decode(n, to, SLOT_C, 0) ||
	       wrong(n, "a move leads to a number that does not decode");
}

/* ---- Parents ---- */

/* The i-th state in the list of parents. */
static unsigned char *parent_at(const struct numbers *n, int i)
{
	return n->parents + (size_t)i * n->x->game->state_size;
}

/* Lists the parents of a state; -1: there are more than max_parents. */
static int list_parents(const struct numbers *n, const void *state)
{
	const struct qv_index *index = n->x->game->index;
	enum { GUARD = 0xa5 };
	/* The guard behind the last allowed parent shows an overflow. */
	memset(n->parents, GUARD, n->room);
	const int count = index->parents(state, n->parents);
	const unsigned char *end = n->parents + n->room;
	for (const unsigned char *p = parent_at(n, index->max_parents); p < end; p++)
		if (*p != GUARD)
			return -1;
	return count > index->max_parents ? -1 : count;
}

/* Whether the place is in the group of the current number. */
static bool in_this_group(const struct numbers *n, const struct qv_place *place)
{
	return place->space >= 0 && place->space < n->spaces.count &&
	       n->spaces.list[place->space].group == n->spaces.list[n->here.space].group;
}

/*
 * From each listed parent in this group, a move must lead here. Others may be in other groups, in
 * no space, or without a number.
 */
static bool parents_lead_here(struct numbers *n)
{
	const struct exam *x = n->x;
	const int count = list_parents(n, exam_slot(x, SLOT_A));
	if (count < 0)
		return wrong(n, "the number of parents listed is negative, or above max_parents");
	for (int i = 0; i < count; i++) {
		struct qv_place place;
		const unsigned char *parent = exam_copy(x, SLOT_B, parent_at(n, i));
		if (!x->game->index->find(n->spaces.aid, parent, &place) || !in_this_group(n, &place))
			continue;
		if (!spaces_have(&n->spaces, &place))
			return wrong(n, "a parent has a number that does not exist");
		if (decode(n, &place, SLOT_C, 0) && !moves_to(n, parent, &n->here, SLOT_D))
			return wrong(n, "a parent is listed, but none of its moves leads here");
	}
	return true;
}

/*
 * After a move within the group, this position must be among the parents of the next one, as often
 * as there are such moves and the weights require.
 */
static bool move_is_listed(struct numbers *n, const struct qv_place *to)
{
	const struct exam *x = n->x;
	uint64_t listed = 0;
	const uint64_t moves = (uint64_t)moves_to(n, exam_slot(x, SLOT_A), to, SLOT_B);
	if (!decode(n, to, SLOT_C, 0))
		return wrong(n, "decode gives another result when called again");
	const int count = list_parents(n, exam_slot(x, SLOT_C));
	for (int i = 0; i < count; i++) {
		struct qv_place place;
		const unsigned char *parent = exam_copy(x, SLOT_D, parent_at(n, i));
		listed += x->game->index->find(n->spaces.aid, parent, &place) &&
			  same_place(&place, &n->here);
	}
	if (!listed)
		return wrong(n, "a move leads to a position that does not list it as a parent");
	return listed * weight_of(&n->here) == moves * weight_of(to) ||
	       wrong(n, "as a parent it is not listed once for each move, with its weight");
}

/* ---- All of it ---- */

/* Checks the parents and every move of the position in SLOT_A; the way back of one move only. */
static bool position_is_right(struct numbers *n)
{
	struct exam *x = n->x;
	const unsigned char *state = exam_slot(x, SLOT_A);
	qv_move *list = exam_list(x, SLOT_A);
	const int count = has_ended(x, state) ? 0 : x->game->moves(state, list);
	const int chosen = count > 0 ? (int)qv_random_below(&x->random, (uint64_t)count) : -1;
	const bool parents = x->game->index->parents;
	if (parents && !parents_lead_here(n))
		return false;
	for (int i = 0; i < count; i++) {
		struct qv_place to;
		const int most = legal_max_count(x->game, state, list[i]);
		for (int k = 1; k < most; k++)
			if (!move_leads_down(n, x->game->with_count(list[i], k), &to))
				return false;
		if (!move_leads_down(n, list[i], &to) ||
		    (parents && i == chosen && in_this_group(n, &to) && !move_is_listed(n, &to)))
			return false;
	}
	return true;
}

/* Checks random numbers of the space, or all of them if it is small. */
static bool space_is_right(struct numbers *n, int space)
{
	const uint64_t size = n->spaces.list[space].size;
	uint64_t checks = (uint64_t)(NUMBERS / n->spaces.count);
	checks = checks < FEWEST ? FEWEST : checks > MOST ? MOST : checks;
	for (uint64_t i = 0; i < checks && i < size; i++, n->x->checks++) {
		bool there;
		const uint64_t number = size <= checks ? i : qv_random_below(&n->x->random, size);
		n->here = (struct qv_place){ .space = space, .number = number };
		exam_now(n->x, NULL, NULL);
		if (!number_is_restored(n, &there) || (there && !position_is_right(n)))
			return false;
	}
	return true;
}

/* Checks a sample of each space, and leaves the index's precomputed data for index-play. */
static bool numbers_are_right(struct exam *x)
{
	const struct qv_allocator *allocator = context_allocator(x->context);
	struct numbers n = { .x = x };
	struct qv_error why = { "" };
	exam_now(x, "space or prepare", NULL);
	const enum qv_status status = spaces_init(&n.spaces, allocator, x->rules, "index", &why);
	if (status == QV_UNSUPPORTED) {
		x->idle = "these options exclude tables";
		return true;
	}
	if (status != QV_OK)
		return exam_broken(x, status, "index", why.text);
	n.room = ((size_t)x->game->index->max_parents + 1) * x->game->state_size;
	n.parents = mem_new(allocator, n.room, 1);
	bool good = n.parents || exam_broken(x, QV_NO_MEMORY, "index", "out of memory");
	for (int space = 0; good && space < n.spaces.count; space++)
		good = space_is_right(&n, space);
	mem_free(allocator, n.parents, n.parents ? n.room : 0);
	x->aid = n.spaces.aid;     /* for the law index-play */
	n.spaces.aid = NULL;
	spaces_release(&n.spaces);
	return good;
}

/* ---- In play ---- */

/*
 * A position of a game is either in no space, since an index may cover only the last part of a
 * game, or its number decodes to a position where the game has not ended. After a position with a
 * number, all positions have numbers.
 */
static bool play_is_numbered(struct exam *x)
{
	const struct qv_index *index = x->game->index;
	/* Before the end of the game; where the index begins is up to the game. */
	struct qv_place place, again, next;
	struct qv_space space = { .size = 0 };
	if (x->outcome == QV_ENDED || !x->count || !index->find(x->aid, x->at, &place))
		return true;
	exam_stir_stack(0x5a);
	if (!index->find(x->aid, x->at, &again) || !same_place(&place, &again) ||
	    weight_of(&place) != weight_of(&again))
		return exam_fail(x, "find gives another result when called again");
	if (place.space < 0 || place.space >= SPACES_MOST ||
	    !index->space(x->rules->options, place.space, &space) || place.number >= space.size)
		return exam_fail(x, "find returns a number or space that does not exist");
	unsigned char *named = exam_dirty(x, SLOT_A, 0);
	if (!index->decode(x->aid, x->rules->options, place.space, place.number, named))
		return exam_fail(x, "its number does not decode");
	if (has_ended(x, named))
		return exam_fail(x, "its number decodes to a position where the game has ended");
	const unsigned char *after = exam_after(x, SLOT_B, x->at, exam_any_move(x));
	return has_ended(x, after) || index->find(x->aid, after, &next) ||
	       exam_fail(x, "a move leads to a position without a number");
}

const struct law index_laws[] = {
	{ "index", LAW_ONCE, numbers_are_right, INDEX, 0 },
	{ "index-play", LAW_EVERYWHERE, play_is_numbered, INDEX, 0 },
	{ 0 },
};
