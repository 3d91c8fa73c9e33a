/*
 * hashed.c - finds all positions of a small game and solves them.
 * SPDX-License-Identifier: MIT
 *
 * The solution is retrograde analysis over a list of predecessors. Positions whose value becomes
 * known go into a queue, in the order of their distance: first those where the game has ended. A
 * position taken from it settles its predecessors: one from which the side to move can win is won;
 * one whose last move turns out to lose is lost. What is never settled is a draw.
 */
#include "solve/hashed.h"

#include "search/legal.h"
#include "search/slots.h"
#include "solve/table_file.h"

enum { FIRST_TABLE = 1 << 10, STOP_EVERY = 1 << 12 };

/* ---- The index ---- */

static const unsigned char *state_at(const struct hashed *h, size_t number)
{
	return h->states + number * h->game.state_size;
}

/* The entry of the state, or the free one where it belongs. */
static uint32_t *entry_of(const struct hashed *h, const void *state)
{
	size_t at = qv_mix(h->game.hash(state)) & (h->table_size - 1);
	while (h->table[at] &&
	       memcmp(state_at(h, h->table[at] - 1), state, h->game.state_size) != 0)
		at = (at + 1) & (h->table_size - 1);
	return &h->table[at];
}

static bool index_find(const void *aid, const void *state, struct qv_place *out)
{
	const uint32_t *entry = entry_of(aid, state);
	if (!*entry)
		return false;
	*out = (struct qv_place){ .space = 0, .weight = 1, .number = *entry - 1 };
	return true;
}

static bool index_decode(const void *aid, const int64_t *options, int space, uint64_t number,
			 void *state)
{
	const struct hashed *h = aid;
	(void)options;
	if (space != 0 || number >= h->count)
		return false;
	memcpy(state, state_at(h, (size_t)number), h->game.state_size);
	return true;
}

/* Not called: spaces.c knows the only space. */
static bool index_space(const int64_t *options, int space, struct qv_space *out)
{
	(void)options, (void)space, (void)out;
	return false;
}

static const struct qv_index hashed_index = { .space = index_space,
					      .decode = index_decode,
					      .find = index_find };

/* ---- Moves ---- */

/* Calls `each` for the position after every move of *state; false: it has returned false. */
typedef bool each_child(void *ctx, const void *child);

static bool for_children(const struct hashed *h, struct slot *slots, const void *state,
			 each_child *each, void *ctx)
{
	const struct qv_game *g = &h->game;
	const int n = g->moves(state, slots[0].moves);
	for (int i = 0; i < n; i++) {
		const qv_move listed = slots[0].moves[i];
		const int most = legal_max_count(g, state, listed);
		for (int k = most; k > 0; k--) {
			memcpy(slots[1].state, state, g->state_size);
			g->play(slots[1].state, k < most ? g->with_count(listed, k) : listed);
			if (!each(ctx, slots[1].state))
				return false;
		}
	}
	return true;
}

/* Copies position number i to the first slot; true: the game goes on there. */
static bool take(const struct hashed *h, struct slot *slots, size_t i, int32_t *points)
{
	memcpy(slots[0].state, state_at(h, i), h->game.state_size);
	return h->game.result(slots[0].state, points) != QV_ENDED;
}

/* ---- All positions ---- */

struct collector {
	struct hashed *h;
	void *scratch; /* a state, aligned */
	bool too_many;
};

/* Doubles the table. The states are copied to `scratch`, which is aligned. */
static bool grow_table(struct hashed *h, void *scratch)
{
	const size_t size = h->table_size ? 2 * h->table_size : FIRST_TABLE;
	uint32_t *table = mem_new(h->allocator, size, sizeof *table);
	if (!table)
		return false;
	mem_free(h->allocator, h->table, h->table_size * sizeof *h->table);
	h->table = table;
	h->table_size = size;
	for (size_t i = 0; i < h->count; i++) {
		memcpy(scratch, state_at(h, i), h->game.state_size);
		*entry_of(h, scratch) = (uint32_t)i + 1;
	}
	return true;
}

/* Adds a position unless it is known. */
static bool collect(void *ctx, const void *child)
{
	struct collector *c = ctx;
	struct hashed *h = c->h;
	if (2 * (h->count + 1) > h->table_size && !grow_table(h, c->scratch))
		return false;
	uint32_t *entry = entry_of(h, child);
	if (*entry)
		return true;
	c->too_many = h->count >= HASHED_MOST ||
		      (h->count + 1) * (uint64_t)h->game.state_size > HASHED_BYTES;
	if (c->too_many ||
	    !mem_reserve(h->allocator, &h->states, &h->room, h->count + 1, h->game.state_size))
		return false;
	memcpy(h->states + h->count * h->game.state_size, child, h->game.state_size);
	*entry = (uint32_t)++h->count;
	return true;
}

/* Breadth first: the list of positions is the queue. */
static enum qv_status collect_all(struct hashed *h, const struct qv_rules *rules,
				  struct slot *slots, struct qv_error *error)
{
	const char *name = h->game.name;
	struct collector c = { h, slots[2].state, false };
	int32_t points[QV_MAX_SEATS];
	h->game.start(rules->options, slots[1].state);
	bool room = collect(&c, slots[1].state);
	for (size_t i = 0; room && i < h->count; i++) {
		if (!take(h, slots, i, points))
			continue;
		const size_t before = h->count;
		room = for_children(h, slots, slots[0].state, collect, &c);
		if (room && h->count == before &&
		    h->game.moves(slots[0].state, slots[0].moves) <= 0)
			return qv_fail(error, QV_ILLEGAL,
				       "tables: %s: the game has not ended but there is no legal "
				       "move",
				       name);
	}
	if (c.too_many)
		return qv_fail(error, QV_UNSUPPORTED,
			       "tables: %s has no index of positions, and more than %zu can be "
			       "reached (%llu MB); tables by hashing hold no more",
			       name, h->count, (unsigned long long)(hashed_bytes(h) >> 20));
	if (!room)
		return qv_fail(error, QV_NO_MEMORY, "tables: out of memory after %zu positions",
			       h->count);
	h->digest = h->count;
	for (size_t i = 0; i < h->count; i++)
		h->digest = qv_mix(h->digest ^ qv_hash_bytes(state_at(h, i), h->game.state_size));
	return QV_OK;
}

enum qv_status hashed_new(const struct qv_allocator *allocator, const struct qv_rules *rules,
			  struct hashed **out, struct qv_error *error)
{
	const struct qv_game *game = rules->game;
	struct arena arena;
	if (game->seats != 2 || game->chance)
		return qv_fail(error, QV_UNSUPPORTED,
			       "tables: %s is not a game of two players without chance",
			       game->name);
	struct hashed *h = mem_new(allocator, 1, sizeof *h);
	if (!h || arena_init(&arena, allocator, slots_need(game, 3)) != QV_OK) {
		mem_free(allocator, h, sizeof *h);
		return qv_fail(error, QV_NO_MEMORY, "tables: out of memory");
	}
	h->allocator = allocator;
	h->game = *game;
	h->game.index = &hashed_index;
	const enum qv_status status = collect_all(h, rules, slots_take(&arena, game, 3), error);
	arena_release(&arena);
	if (status == QV_OK)
		*out = h;
	else
		hashed_free(h);
	return status;
}

void hashed_free(struct hashed *h)
{
	if (!h)
		return;
	mem_free(h->allocator, h->states, h->room * h->game.state_size);
	mem_free(h->allocator, h->table, h->table_size * sizeof *h->table);
	mem_free(h->allocator, h, sizeof *h);
}

uint64_t hashed_bytes(const struct hashed *h)
{
	return h->room * (uint64_t)h->game.state_size + h->table_size * sizeof *h->table;
}

/* ---- The solution ---- */

struct solution {
	const struct hashed *h;
	struct values *values;
	uint32_t from; /* the position whose moves are being listed */
	size_t edges;
	size_t *first; /* of each position: where its predecessors begin; one more */
	uint32_t *parents;
	uint32_t *open;	 /* of each position: its moves that are not known to lose */
	uint32_t *queue; /* positions whose value is known */
	size_t queued;
	bool *second; /* of each position: seat 1 is to move */
	bool too_far;
	bool astray; /* a move leads elsewhere when it is played again */
};

/* Counts the moves from and to a position. */
static bool count_edge(void *ctx, const void *child)
{
	struct solution *s = ctx;
	const uint32_t to = *entry_of(s->h, child);
	s->astray |= !to;
	if (s->astray)
		return false;
	s->first[to - 1]++;
	s->open[s->from]++;
	s->edges++;
	return true;
}

/* The lists are filled from their ends, so that `first` ends up where each begins. */
static bool put_edge(void *ctx, const void *child)
{
	struct solution *s = ctx;
	const uint32_t to = *entry_of(s->h, child);
	s->astray |= !to || !s->edges || !s->first[to - 1];
	if (s->astray)
		return false;
	s->edges--;
	s->parents[--s->first[to - 1]] = s->from;
	return true;
}

/* Stores what a position is worth, unless it is known, and queues it. */
static void settle(struct solution *s, uint32_t number, bool wins, uint32_t plies)
{
	if (values_get(s->values, number) != CODE_DRAW)
		return;
	if (!values_put(s->values, number, 2 * plies + (wins ? 2 : 1)))
		s->too_far = true;
	else
		s->queue[s->queued++] = number;
}

/* Applies `each` to all moves of all positions. False: it was stopped. */
static bool for_edges(struct solution *s, struct slot *slots, each_child *each,
		      const struct qv_flag *stop)
{
	int32_t points[QV_MAX_SEATS];
	for (size_t i = 0; i < s->h->count; i++) {
		if (i % STOP_EVERY == 0 && flag_is_set(stop))
			return false;
		s->from = (uint32_t)i;
		if (take(s->h, slots, i, points))
			for_children(s->h, slots, slots[0].state, each, s);
	}
	return true;
}

/* Notes whose turn it is everywhere, and settles the positions where the game has ended. */
static void settle_ends(struct solution *s, struct slot *slots)
{
	const struct qv_game *g = &s->h->game;
	int32_t points[QV_MAX_SEATS];
	for (size_t i = 0; i < s->h->count; i++) {
		const bool on = take(s->h, slots, i, points);
		const int seat = g->seat(slots[0].state);
		s->second[i] = seat == 1;
		values_put(s->values, i, CODE_DRAW);
		if (!on && points[seat] != points[1 - seat])
			settle(s, (uint32_t)i, points[seat] > points[1 - seat], 0);
	}
}

/* Takes positions from the queue; each settles those from which a move leads to it. */
static void spread(struct solution *s)
{
	for (size_t done = 0; done < s->queued && !s->too_far; done++) {
		const uint32_t here = s->queue[done], code = values_get(s->values, here);
		const uint32_t plies = (code - 1) / 2 + 1;
		for (size_t i = s->first[here]; i < s->first[here + 1]; i++) {
			const uint32_t parent = s->parents[i];
			/* After an extra turn the same side is to move. */
			const bool same = s->second[parent] == s->second[here];
			if (code_wins(code) == same)
				settle(s, parent, true, plies);
			else if (--s->open[parent] == 0)
				settle(s, parent, false, plies);
		}
	}
}

/* Lists the moves backwards. */
static enum qv_status list_parents(struct solution *s, struct slot *slots, const struct qv_flag *stop,
				   struct qv_error *error)
{
	const size_t count = s->h->count;
	if (!for_edges(s, slots, count_edge, stop))
		return qv_fail(error, QV_STOPPED, "tables: stopped");
	s->parents = mem_new(s->h->allocator, s->edges ? s->edges : 1, sizeof *s->parents);
	if (!s->parents)
		return qv_fail(error, QV_NO_MEMORY,
			       "tables: out of memory: %zu positions with %zu moves take %zu MB",
			       count, s->edges, s->edges * sizeof *s->parents >> 20);
	for (size_t i = 1; i <= count; i++)
		s->first[i] += s->first[i - 1];
	const size_t edges = s->edges;
	const bool stopped = !s->astray && !for_edges(s, slots, put_edge, stop);
	s->astray |= s->edges && !stopped;
	s->edges = edges;
	if (s->astray)
		return qv_fail(error, QV_ILLEGAL, "tables: %s: a move played again leads elsewhere",
			       s->h->game.name);
	return stopped ? qv_fail(error, QV_STOPPED, "tables: stopped") : QV_OK;
}

enum qv_status hashed_solve(const struct hashed *h, struct values *values, const struct qv_flag *stop,
			    bool *too_far, struct qv_error *error)
{
	const size_t count = h->count;
	struct solution s = { .h = h, .values = values };
	struct arena arena = { 0 };
	struct slot *slots = NULL;
	enum qv_status status = QV_OK;
	s.first = mem_new(h->allocator, count + 1, sizeof *s.first);
	s.open = mem_new(h->allocator, count, sizeof *s.open);
	s.queue = mem_new(h->allocator, count, sizeof *s.queue);
	s.second = mem_new(h->allocator, count, sizeof *s.second);
	if (arena_init(&arena, h->allocator, slots_need(&h->game, 2)) == QV_OK)
		slots = slots_take(&arena, &h->game, 2);
	if (!s.first || !s.open || !s.queue || !s.second || !slots)
		status = qv_fail(error, QV_NO_MEMORY, "tables: out of memory for %zu positions",
				 count);
	if (status == QV_OK)
		status = list_parents(&s, slots, stop, error);
	if (status == QV_OK) {
		settle_ends(&s, slots);
		spread(&s);
		*too_far = s.too_far;
	}
	mem_free(h->allocator, s.first, (count + 1) * sizeof *s.first);
	mem_free(h->allocator, s.open, count * sizeof *s.open);
	mem_free(h->allocator, s.queue, count * sizeof *s.queue);
	mem_free(h->allocator, s.second, count * sizeof *s.second);
	mem_free(h->allocator, s.parents, (s.edges ? s.edges : 1) * sizeof *s.parents);
	arena_release(&arena);
	return status;
}
