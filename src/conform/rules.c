/*
 * rules.c - laws of play: start, moves, seats, results, hashes and chance, along random games.
 * SPDX-License-Identifier: MIT
 *
 * Each function is called twice with different bytes on the stack and in its output, so that
 * uninitialized bytes show as a difference.
 */
#include "conform/exam.h"

#include <stdlib.h>

enum { TRIED_MOVES = 8 };    /* moves tried per position; trying all would cost too much */

/* The start is the same over any garbage, and start writes the state alone. */
static bool start_depends_on_nothing(struct exam *x)
{
	const struct qv_game *g = x->game;
	struct qv_rules before = *x->rules;
	unsigned char *a = exam_dirty(x, SLOT_A, 0x00), *b = exam_slot(x, SLOT_B);
	g->start(before.options, a);
	exam_dirty(x, SLOT_B, 0xff);
	g->start(before.options, b);
	if (!exam_same(x, a, b))
		return exam_fail(x, "start leaves bytes of the state unwritten");
	if (!exam_guards_hold(x, SLOT_A) || !exam_guards_hold(x, SLOT_B))
		return exam_fail(x, "start writes outside the state");
	return !memcmp(&before, x->rules, sizeof before) ||
	       exam_fail(x, "start changes the options");
}

/* Any total order will do: it brings equal moves together. */
static int compare_moves(const void *a, const void *b)
{
	const qv_move x = *(const qv_move *)a, y = *(const qv_move *)b;
	return (x > y) - (x < y);
}

/*
 * The list is within max_moves, reproducible, and without duplicates; it is empty exactly when the
 * game has ended. The seat to move exists.
 */
static bool moves_are_listed(struct exam *x)
{
	qv_move *again = exam_list(x, SLOT_A);
	const qv_move guard = UINT64_C(0xa5a5a5a5a5a5a5a5);
	if (x->count < 0 || x->count > x->game->max_moves)
		return exam_fail(x, "%d moves, but max_moves is %d", x->count, x->game->max_moves);
	if ((x->count == 0) != (x->outcome == QV_ENDED))
		return exam_fail(x, "%d moves, but by its result the game %s", x->count,
				 x->outcome == QV_ENDED ? "has ended" : "goes on");
	exam_stir_stack(0x5a);
	/* A list of max_moves between two entries that moves must leave alone. */
	qv_move *fence = again + x->game->max_moves + 1;
	*again++ = *fence = guard;
	exam_now(x, "moves", NULL);
	if (x->game->moves(x->at, again) != x->count ||
	    memcmp(again, x->list, (size_t)x->count * sizeof *again))
		return exam_fail(x, "a second call lists other moves");
	if (again[-1] != guard || *fence != guard)
		return exam_fail(x, "moves writes outside a list of max_moves, %d",
				 x->game->max_moves);
	qsort(again, (size_t)x->count, sizeof *again, compare_moves);
	for (int i = 0; i < x->count; i++) {
		if (again[i] == QV_NO_MOVE)
			return exam_fail(x, "the list contains QV_NO_MOVE");
		if (i && again[i] == again[i - 1])
			return exam_fail(x, "a move is listed twice");
	}
	exam_now(x, "seat", NULL);
	const int seat = x->game->seat(x->at);
	if (seat != QV_CHANCE && (seat < 0 || seat >= x->game->seats))
		return exam_fail(x, "the seat to move is %d of %d", seat, x->game->seats);
	return seat != QV_CHANCE || (x->game->chance && x->outcome != QV_ENDED) ||
	       exam_fail(x, "chance is to move, %s",
			 x->game->chance ? "after the end" : "but the game has no chance");
}

/* In a game that alternates, every move gives the turn to the other seat. */
static bool seats_take_turns(struct exam *x)
{
	const int seat = x->game->seat(x->at);
	for (int i = 0; i < x->count; i++) {
		const unsigned char *after = exam_after(x, SLOT_A, x->at, x->list[i]);
		if (x->game->seat(after) != 1 - seat)
			return exam_fail(x, "seat %d is to move again after move %d", seat, i);
	}
	return true;
}

/* The position after a move depends on position and move alone. */
static bool play_is_a_function(struct exam *x)
{
	const unsigned char *before = exam_copy(x, SLOT_C, x->at);
	for (int i = 0; i < TRIED_MOVES && x->count > 0; i++) {
		const qv_move move = exam_any_move(x);
		exam_stir_stack(0x00);
		const unsigned char *a = exam_after(x, SLOT_A, x->at, move);
		exam_stir_stack(0xff);
		const unsigned char *b = exam_after(x, SLOT_B, x->at, move);
		if (!exam_same(x, a, b))
			return exam_fail(x, "played twice, a move gives different bytes");
		if (!exam_guards_hold(x, SLOT_A) || !exam_guards_hold(x, SLOT_B))
			return exam_fail(x, "play writes outside the state");
		if (!exam_same(x, x->at, before))
			return exam_fail(x, "play changes a state other than its own");
	}
	return true;
}

/*
 * The points of every seat are written, and nothing else: the result must not depend on what the
 * array contained.
 */
static bool results_are_whole(struct exam *x)
{
	int32_t points[2][QV_MAX_SEATS + 1];
	enum qv_outcome outcome[2];
	/* Call result twice, over different bytes and with one entry too many. */
	for (int i = 0; i < 2; i++) {
		for (int seat = 0; seat <= QV_MAX_SEATS; seat++)
			points[i][seat] = i ? 0x5a5a5a5a : -77;
		outcome[i] = x->game->result(x->at, points[i]);
		for (int seat = x->game->seats; seat <= QV_MAX_SEATS; seat++)
			if (points[i][seat] != (i ? 0x5a5a5a5a : -77))
				return exam_fail(x, "the result writes points for seat %d of %d",
						 seat, x->game->seats);
	}
	if (outcome[0] != outcome[1] || outcome[0] != x->outcome)
		return exam_fail(x, "a second call gives another result");
	if (outcome[0] == QV_GOING)
		return true;
	if (outcome[0] != QV_ENDED && outcome[0] != QV_DRAWN_BY_COUNT)
		return exam_fail(x, "the result is %d, which is not an outcome", (int)outcome[0]);
	for (int seat = 0; seat < x->game->seats; seat++)
		if (points[0][seat] != points[1][seat])
			return exam_fail(x, "the points of seat %d are not written", seat);
	const int winner = x->game->seats > 1 ? qv_winner(x->game, points[0]) : -1;
	return outcome[0] != QV_DRAWN_BY_COUNT || winner < 0 ||
	       exam_fail(x, "drawn by count, but seat %d has the most points", winner);
}

/* After max_plies plies no game goes on. */
static bool length_is_bounded(struct exam *x)
{
	return x->ply < x->game->max_plies || x->over || x->outcome != QV_GOING ||
	       exam_fail(x, "the game goes on after max_plies, %d", x->game->max_plies);
}

/* FNV-1a, continued from h. */
static uint64_t fingerprint(const void *data, size_t size, uint64_t h)
{
	const unsigned char *bytes = data;
	for (size_t i = 0; i < size; i++)
		h = (h ^ bytes[i]) * UINT64_C(0x100000001b3);
	return h;
}

/*
 * The hash of the current position depends on the state alone, and no position with another id has
 * it. Hashes and ids are recorded in a table that is cleared at the first check of a law.
 */
static bool is_distinct(struct exam *x, const char *name, uint64_t (*hash_of)(const void *state),
			uint64_t id)
{
	const uint64_t hash = hash_of(x->at);
	exam_stir_stack(0xc3);
	if (hash_of(exam_copy(x, SLOT_A, x->at)) != hash)
		return exam_fail(x, "equal states have different %ses", name);
	if (!x->checks)
		memset(x->seen, 0, 2 * SEEN_SIZE * sizeof *x->seen);
	if (x->checks > SEEN_SIZE / 2)
		return true;               /* keep free entries in the table */
	/* Open addressing; an entry is a pair of hash and id. */
	size_t place = qv_mix(hash) % SEEN_SIZE;
	while (x->seen[2 * place + 1] && x->seen[2 * place] != hash)
		place = (place + 1) % SEEN_SIZE;
	const bool other = x->seen[2 * place + 1] && x->seen[2 * place + 1] != (id | 1);
	x->seen[2 * place] = hash;
	x->seen[2 * place + 1] = id | 1;   /* never 0, which marks a free entry */
	return !other || exam_fail(x, "another position has the same %s, %016llx", name,
				   (unsigned long long)hash);
}

static const uint64_t basis = UINT64_C(0xcbf29ce484222325);

/*
 * States are identified by a fingerprint, not by qv_hash_bytes, which may be the game's own hash.
 */
static bool hashes_are_distinct(struct exam *x)
{
	const uint64_t id = fingerprint(x->at, x->game->state_size, basis);
	return is_distinct(x, "hash", x->game->hash, id);
}

/*
 * Positions with the same repeat hash may differ in counters, but not in the seat to move and the
 * legal moves.
 */
static bool repeat_hashes_are_distinct(struct exam *x)
{
	const uint64_t seat = (uint64_t)(x->game->seat(x->at) + 1);
	const uint64_t id = fingerprint(x->list, (size_t)x->count * sizeof *x->list, basis + seat);
	return is_distinct(x, "repeat hash", x->game->repeat_hash, id);
}

/* Each outcome of chance has a positive weight. */
static bool outcomes_have_weight(struct exam *x)
{
	if (x->game->seat(x->at) != QV_CHANCE)
		return true;
	for (int i = 0; i < x->count; i++) {
		const uint32_t weight = x->game->weight(x->at, x->list[i]);
		if (!weight || weight != x->game->weight(x->at, x->list[i]))
			return exam_fail(x, "chance outcome %d weighs %lu", i,
					 (unsigned long)weight);
	}
	return true;
}

const struct law rules_laws[] = {
	{ "start", LAW_ONCE, start_depends_on_nothing, ANY_GAME, 0 },
	{ "moves", LAW_EVERYWHERE, moves_are_listed, ANY_GAME, 0 },
	{ "chance", LAW_EVERYWHERE, outcomes_have_weight, CHANCE, 0 },
	{ "play", LAW_EVERYWHERE, play_is_a_function, ANY_GAME, 0 },
	{ "turns", LAW_EVERYWHERE, seats_take_turns, ALTERNATES, 0 },
	{ "result", LAW_EVERYWHERE, results_are_whole, ANY_GAME, 0 },
	{ "length", LAW_EVERYWHERE, length_is_bounded, MAX_PLIES, 0 },
	{ "hash", LAW_EVERYWHERE, hashes_are_distinct, ANY_GAME, 0 },
	{ "repeat-hash", LAW_EVERYWHERE, repeat_hashes_are_distinct, REPEAT_HASH, 0 },
	{ 0 },
};
