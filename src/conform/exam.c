/*
 * exam.c - scratch memory and random games for the conformance suite.
 * SPDX-License-Identifier: MIT
 *
 * All memory is one block: states between guard bytes, move lists, the history, and tables of
 * single laws. Random games depend only on the seed and their number, so every law sees the same
 * games and a violation can be reproduced.
 */
#include "conform/exam.h"

#include "core/context.h"
#include "search/random_move.h"

enum { GUARD = 64, GUARD_BYTE = 0xa5 };

/* ---- Violations ---- */

enum qv_status exam_fail(struct exam *x, const char *format, ...)
{
	char what[200], where[QV_POSITION_TEXT] = "";
	va_list args;
	va_start(args, format);
	vsnprintf(what, sizeof what, format, args);
	va_end(args);
	if (!x->at)
		return qv_fail(x->error, QV_ILLEGAL, "%s: %s", x->law->name, what);
	struct qv_text text = { where, sizeof where, 0 };
	x->game->position_text(x->at, &text);
	return qv_fail(x->error, QV_ILLEGAL, "%s: %s; at %s", x->law->name, what, where);
}

/* ---- Memory ---- */

static size_t rounded(size_t size)
{
	return (size + GUARD - 1) / GUARD * GUARD;
}

size_t exam_memory(const struct qv_evaluation *e)
{
	return e->recall ? rounded(e->memory_size) + GUARD : 0;
}

enum qv_status exam_init(struct exam *x)
{
	size_t memories = 0;
	for (const struct qv_evaluation *e = x->game->evaluations; e && e->name; e++)
		memories += exam_memory(e);
	const size_t states = SLOTS * (rounded(x->game->state_size) + 2 * GUARD);
	const size_t lists = SLOTS * LIST_ROOM * sizeof(qv_move);
	const size_t history = ((size_t)x->how.max_plies + LINE_PLIES + 1) * sizeof(uint64_t);
	const size_t seen = 2 * SEEN_SIZE * sizeof(uint64_t);
	x->slot_size = rounded(x->game->state_size) + 2 * GUARD;
	const size_t texts = TEXTS * sizeof *x->texts;
	x->room_size = states + lists + history + seen + texts + memories + GUARD;
	x->room = mem_new(context_allocator(x->context), x->room_size, 1);
	if (!x->room)
		return qv_fail(x->error, QV_NO_MEMORY, "conformance: out of memory");
	memset(x->room, GUARD_BYTE, states);
	x->list = exam_list(x, SLOT_AT);
	x->history = (uint64_t *)(void *)(x->room + states + lists);
	x->seen = (uint64_t *)(void *)(x->room + states + lists + history);
	x->texts = (char(*)[QV_MOVE_TEXT])(x->room + states + lists + history + seen);
	x->memory = (unsigned char *)x->texts + texts;
	x->memory += (GUARD - (uintptr_t)x->memory % GUARD) % GUARD;
	return QV_OK;
}

void exam_release(struct exam *x)
{
	mem_free(context_allocator(x->context), x->room, x->room_size);
	x->room = NULL;
	if (x->aid)
		mem_free(context_allocator(x->context), x->aid, x->game->index->aid_size);
	x->aid = NULL;
}

unsigned char *exam_slot(const struct exam *x, int slot)
{
	return x->room + (size_t)slot * x->slot_size + GUARD;
}

qv_move *exam_list(const struct exam *x, int slot)
{
	return (qv_move *)(void *)(x->room + SLOTS * x->slot_size) + (size_t)slot * LIST_ROOM;
}

static bool all_guard(const unsigned char *from, const unsigned char *to)
{
	while (from < to && *from == GUARD_BYTE)
		from++;
	return from == to;
}

bool exam_guards_hold(const struct exam *x, int slot)
{
	const unsigned char *state = exam_slot(x, slot);
	return all_guard(state - GUARD, state) &&
	       all_guard(state + x->game->state_size, state - GUARD + x->slot_size);
}

unsigned char *exam_copy(const struct exam *x, int slot, const void *state)
{
	return memcpy(exam_slot(x, slot), state, x->game->state_size);
}

bool exam_same(const struct exam *x, const void *a, const void *b)
{
	return !memcmp(a, b, x->game->state_size);
}

__attribute__((noinline)) void exam_stir_stack(int byte)
{
	volatile uint64_t dead[512];
	for (size_t i = 0; i < sizeof dead / sizeof *dead; i++)
		dead[i] = (unsigned char)byte * UINT64_C(0x0101010101010101);
}

unsigned char *exam_dirty(const struct exam *x, int slot, int byte)
{
	memset(exam_slot(x, slot), byte, x->game->state_size);
	exam_stir_stack(byte);
	return exam_slot(x, slot);
}

/* ---- Moves ---- */

unsigned char *exam_after(const struct exam *x, int slot, const void *state, qv_move move)
{
	unsigned char *after = exam_copy(x, slot, state);
	x->game->play(after, move);
	return after;
}

int exam_max_count(const struct exam *x, const void *state, qv_move move)
{
	const int most = x->game->max_count ? x->game->max_count(state, move) : 1;
	return most > 1 ? most : 1;
}

static qv_move any_count(const struct exam *x, qv_move move, struct qv_random *dice)
{
	const int most = exam_max_count(x, x->at, move);
	if (most == 1)
		return move;
	return x->game->with_count(move, 1 + (int)qv_random_below(dice, (uint64_t)most));
}

qv_move exam_any_move(struct exam *x)
{
	return any_count(x, x->list[qv_random_below(&x->random, (uint64_t)x->count)], &x->random);
}

bool exam_is_registered(const struct exam *x)
{
	const struct qv_game *game = qv_game_at(x->context, 0);
	for (int i = 0; game && game != x->game; i++)
		game = qv_game_at(x->context, i + 1);
	return game != NULL;
}

/* ---- Random games ---- */

int exam_cut_after(const struct exam *x, const void *state, qv_move move, int cut, int ply)
{
	return x->game->irreversible && x->game->irreversible(state, move) ? ply + 1 : cut;
}

bool exam_repeats(const struct exam *x, const void *state, int cut, int ply, int32_t *points)
{
	if (!x->game->repeated)
		return false;
	int times = 0;
	x->history[ply] = x->game->repeat_hash ? x->game->repeat_hash(state) : x->game->hash(state);
	for (int i = cut; i < ply; i++)
		times += x->history[i] == x->history[ply];
	return times && x->game->repeated(state, times, points) == QV_ENDED;
}

/* Computes outcome and moves of the position in SLOT_AT. */
static void update_position(struct exam *x)
{
	x->outcome = x->game->result(x->at, x->points);
	x->count = x->game->moves(x->at, x->list);
	int32_t unused[QV_MAX_SEATS];
	x->over = exam_repeats(x, x->at, x->cut, x->ply, unused) || x->outcome == QV_ENDED ||
		  x->count <= 0;
}

static void step(struct exam *x, qv_move move)
{
	x->cut = exam_cut_after(x, x->at, move, x->cut, x->ply);
	x->game->play(x->at, move);
	x->ply++;
}

/*
 * Plays random game `number` for at most `plies` plies. The law, if there is one, must hold at
 * every position.
 */
static enum qv_status random_game(struct exam *x, uint64_t number, int plies, const struct law *law)
{
	enum { CONTINUE = 3 };      /* plies to continue after a draw by count, as perft does */
	struct qv_random dice = { qv_random_key(x->how.seed, number), 0 };
	int drawn = 0;
	x->at = exam_slot(x, SLOT_AT);
	x->ply = x->cut = 0;
	x->game->start(x->rules->options, x->at);
	for (;;) {
		update_position(x);
		drawn += x->outcome == QV_DRAWN_BY_COUNT;
		enum qv_status status = law ? law->holds(x) : QV_OK;
		x->checks += law != NULL;
		if (status != QV_OK)
			return status;
		if (x->over || x->ply >= plies || drawn > CONTINUE)
			return QV_OK;
		step(x, random_move(x->game, x->at, x->list, x->count, &dice));
	}
}

/* Applies the law to one random position of each game, before the end of the game. */
static enum qv_status walk_samples(struct exam *x)
{
	const int64_t samples = ((int64_t)x->law->samples * x->how.games + 99) / 100;
	for (int64_t i = 0; i < samples; i++) {
		random_game(x, (uint64_t)i, x->how.max_plies, NULL);
		if (!x->ply)
			continue;
		const int plies = (int)qv_random_below(&x->random, (uint64_t)x->ply);
		random_game(x, (uint64_t)i, plies, NULL);
		enum qv_status status = x->outcome == QV_GOING ? x->law->holds(x) : QV_OK;
		x->checks++;
		if (status != QV_OK)
			return status;
	}
	return QV_OK;
}

enum qv_status exam_walk(struct exam *x)
{
	if (x->law->place == LAW_SAMPLED)
		return walk_samples(x);
	for (int i = 0; i < x->how.games; i++) {
		enum qv_status status = random_game(x, (uint64_t)i, x->how.max_plies, x->law);
		if (status != QV_OK)
			return status;
	}
	return QV_OK;
}
