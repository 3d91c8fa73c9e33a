/*
 * exam.c - the conformance suite: runs every law that applies to a game, along random games.
 * SPDX-License-Identifier: MIT
 *
 * The laws are in the other files, one table per subject. The suite stops at the first violation.
 *
 * All memory is one block: states between guard bytes, move lists, the history, and tables of
 * single laws. Random games depend only on the seed and their number, so every law sees the same
 * games and a violation can be reproduced.
 */
#include "conform/exam.h"

#include "base/sized.h"
#include "core/context.h"
#include "search/random_move.h"

enum { GUARD = 64, GUARD_BYTE = 0xa5 };

/* ---- The watcher ---- */

/* A walk through a random game calls functions that have laws of their own, named after them. */
static void now(const struct exam *x, const char *law, const char *function, const char *input)
{
	const struct conform_place place = { law, function, input, x->at };
	if (x->watch && x->watch->now)
		x->watch->now(x->watch->ctx, &place);
}

void exam_now(const struct exam *x, const char *function, const char *input)
{
	now(x, x->law->name, function, input);
}

/* ---- Violations ---- */

/* Reports a violation of a law, which need not be the current one. */
static bool fail_law(struct exam *x, const char *law, const char *what)
{
	char where[QV_POSITION_TEXT] = "";
	struct qv_text text = { where, sizeof where, 0 };
	now(x, law, "position_text", NULL);
	if (x->at)
		x->game->position_text(x->at, &text);
	x->status = qv_fail(x->error, QV_ILLEGAL, "%s: %s%s%s", law, what, x->at ? "; at " : "",
			    where);
	return false;
}

bool exam_fail(struct exam *x, const char *format, ...)
{
	char what[200];
	va_list args;
	va_start(args, format);
	vsnprintf(what, sizeof what, format, args);
	va_end(args);
	return fail_law(x, x->law->name, what);
}

bool exam_broken(struct exam *x, enum qv_status status, const char *what, const char *why)
{
	if (status != QV_NO_MEMORY)
		return exam_fail(x, "%s: %s", what, why);
	x->status = qv_fail(x->error, status, "%s: %s", x->law->name, why);
	return false;
}

/* ---- Memory ---- */

/* The size rounded up to a multiple of GUARD, which also aligns what follows. */
static size_t rounded(size_t size)
{
	return (size + GUARD - 1) / GUARD * GUARD;
}

size_t exam_memory(const struct qv_evaluation *e)
{
	return e->recall ? rounded(e->memory_size) + GUARD : 0;
}

/* Allocates the memory of the examination. The sizes of the game must have been checked. */
static void exam_init(struct exam *x)
{
	size_t memories = 0;
	for (const struct qv_evaluation *e = x->game->evaluations; e && e->name; e++)
		memories += exam_memory(e);
	x->slot_size = rounded(x->game->state_size) + 2 * GUARD;
	const size_t states = SLOTS * x->slot_size, lists = SLOTS * LIST_ROOM * sizeof(qv_move);
	/* A law may replay a line after the last position of the longest game. */
	const size_t history = ((size_t)x->how.max_plies + LINE_PLIES + 1) * sizeof(uint64_t);
	const size_t seen = 2 * SEEN_SIZE * sizeof(uint64_t), texts = TEXTS * sizeof *x->texts;
	x->room_size = states + lists + history + seen + texts + memories + GUARD;
	x->room = mem_new(context_allocator(x->context), x->room_size, 1);
	if (!x->room) {
		x->status = qv_fail(x->error, QV_NO_MEMORY, "conformance: out of memory");
		return;
	}
	/* All guards are written once, here; whoever overwrites one is found at the next check. */
	memset(x->room, GUARD_BYTE, states);
	x->list = exam_list(x, SLOT_AT);
	/* The block holds, in this order: states, lists, history, seen, texts, memories. */
	x->history = (uint64_t *)(void *)(x->room + states + lists);
	x->seen = (uint64_t *)(void *)(x->room + states + lists + history);
	x->texts = (char(*)[QV_MOVE_TEXT])(x->room + states + lists + history + seen);
	x->memory = (unsigned char *)x->texts + texts;
	x->memory += (GUARD - (uintptr_t)x->memory % GUARD) % GUARD;
}

unsigned char *exam_slot(const struct exam *x, int slot)
{
	return x->room + (size_t)slot * x->slot_size + GUARD;
}

qv_move *exam_list(const struct exam *x, int slot)
{
	return (qv_move *)(void *)(x->room + SLOTS * x->slot_size) + (size_t)slot * LIST_ROOM;
}

/* Whether the bytes from `from` up to `to` are untouched. */
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
	/* 4 KiB below the caller's frame: more than the functions of a game use. */
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

const char *exam_text(const struct exam *x, const char *text, bool at_end)
{
	const size_t size = strlen(text) + 1;
	if (!x->watch || !x->watch->texts.begin)
		return text;
	return memcpy(at_end ? x->watch->texts.end - size : x->watch->texts.begin, text, size);
}

/*
 * Where the positions of a random game are. Between guard bytes, what writes outside is named; at
 * one end of a fence or the other, what only reads outside crashes.
 */
static unsigned char *place_of(const struct exam *x, uint64_t number)
{
	const uint64_t way = x->watch && x->watch->states.begin ? number % 4 : 0;
	return way == 1	  ? x->watch->states.end - x->game->state_size
	       : way == 2 ? x->watch->states.begin
			  : exam_slot(x, SLOT_AT);
}

/* ---- Moves ---- */

/* The state may be in another slot, but not in this one. */
unsigned char *exam_after(const struct exam *x, int slot, const void *state, qv_move move)
{
	unsigned char *after = exam_copy(x, slot, state);
	x->game->play(after, move);
	return after;
}

/* Draws the move first, then its count; the current position must have moves. */
qv_move exam_any_move(struct exam *x)
{
	const qv_move move = x->list[qv_random_below(&x->random, (uint64_t)x->count)];
	const int most = legal_max_count(x->game, x->at, move);
	if (most == 1)
		return move;
	return x->game->with_count(move, 1 + (int)qv_random_below(&x->random, (uint64_t)most));
}

/* ---- Random games ---- */

int exam_cut_after(const struct exam *x, const void *state, qv_move move, int cut, int ply)
{
	return x->game->irreversible && x->game->irreversible(state, move) ? ply + 1 : cut;
}

/* Records the hash at history[ply] and counts its earlier occurrences since the cut. */
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

/*
 * Applies the current law at the current position. Whatever the law calls, the position must stay
 * as it is, and so must the bytes around it.
 */
static bool law_holds(struct exam *x)
{
	const char *complaint = NULL;
	if (x->at)
		exam_copy(x, SLOT_BEFORE, x->at);
	exam_now(x, NULL, NULL);
	if (!x->law->holds(x))
		return false;
	if (x->at && !exam_same(x, exam_slot(x, SLOT_BEFORE), x->at)) {
		memcpy(x->at, exam_slot(x, SLOT_BEFORE), x->game->state_size); /* to name it */
		return exam_fail(x, "a function that only reads a state changes it");
	}
	if (x->at && !exam_guards_hold(x, SLOT_AT))
		return exam_fail(x, "a function writes outside the state");
	if (x->watch && x->watch->complaint)
		complaint = x->watch->complaint(x->watch->ctx);
	return !complaint || exam_fail(x, "%s", complaint);
}

/* Plays random game `number` for at most `plies` plies. The law is applied everywhere, or not. */
static bool random_game(struct exam *x, uint64_t number, int plies, bool law)
{
	enum { CONTINUE = 3 };      /* plies to continue after a draw by count, as perft does */
	struct qv_random dice = { qv_random_key(x->how.seed, number), 0 };
	int drawn = 0;
	x->at = NULL;
	x->ply = x->cut = 0;
	now(x, "start", "start", NULL);
	x->at = place_of(x, number);
	x->game->start(x->rules->options, x->at);
	for (;;) {
		int32_t unused[QV_MAX_SEATS];
		now(x, "result", "result", NULL);
		x->outcome = x->game->result(x->at, x->points);
		now(x, "moves", "moves", NULL);
		x->count = x->game->moves(x->at, x->list);
		if (x->game->repeated)
			now(x, "repetition", "hash", NULL);
		/* The result of a repetition is not needed here. */
		x->over = exam_repeats(x, x->at, x->cut, x->ply, unused) ||
			  x->outcome == QV_ENDED || x->count <= 0;
		drawn += x->outcome == QV_DRAWN_BY_COUNT;
		if (law && !law_holds(x))
			return false;
		x->checks += law;
		if (x->over || x->ply >= plies || drawn > CONTINUE)
			return true;
		const qv_move move = random_move(x->game, x->at, x->list, x->count, &dice);
		x->cut = exam_cut_after(x, x->at, move, x->cut, x->ply);
		now(x, "play", "play", NULL);
		x->game->play(x->at, move);
		if (!exam_guards_hold(x, SLOT_AT))
			return fail_law(x, "play", "play writes outside the state");
		x->ply++;
	}
}

/* Applies the current law where its place says. False: it failed. */
static bool run_law(struct exam *x)
{
	const struct law *law = x->law;
	const int64_t samples = ((int64_t)law->samples * x->how.games + 99) / 100;
	x->checks = 0;
	/* A law must not depend on those before it: its random choices begin again. */
	x->random = (struct qv_random){ qv_random_key(x->how.seed, UINT64_MAX), 0 };
	x->at = NULL;
	x->idle = NULL;
	if (law->place == LAW_ONCE) {
		x->checks++;
		return law_holds(x);
	}
	for (int i = 0; law->place == LAW_EVERYWHERE && i < x->how.games; i++)
		if (!random_game(x, (uint64_t)i, x->how.max_plies, true))
			return false;
	/* Sample one random position of each game, before the end of the game. */
	for (int64_t i = 0; law->place == LAW_SAMPLED && i < samples; i++) {
		random_game(x, (uint64_t)i, x->how.max_plies, false);
		if (!x->ply)
			continue;
		const int plies = (int)qv_random_below(&x->random, (uint64_t)x->ply);
		random_game(x, (uint64_t)i, plies, false);
		if (x->outcome == QV_GOING && !law_holds(x))
			return false;
		x->checks++;
	}
	return true;
}

/* ---- The suite ---- */

/* Whether the evaluations of a game have the optional function that each feature needs. */
static void look_at_evaluations(const struct qv_game *g, bool has[FEATURES])
{
	for (const struct qv_evaluation *e = g->evaluations; e && e->name; e++) {
		has[EVALUATION_TERMS] |= e->terms != NULL;
		has[LEAF] |= e->leaf != NULL;
		has[MOVE_SCORES] |= e->move != NULL;
		has[RECALL] |= e->recall != NULL;
		has[SEAT_VALUES] |= g->seats > 2 && e->seats;
	}
}

/* Why a law that needs the feature does not apply to the game; NULL: it does. */
static const char *missing_feature(const struct qv_game *g, enum feature feature)
{
	static const char *const why[FEATURES] = {
		[ALTERNATES] = "the seats do not alternate", [BOARD] = "no board",
		[CHANCE] = "no chance", [COUNT] = "no count function",
		[COUNTED_MOVES] = "no counted moves", [DRAWING] = "no draw function",
		[DUEL] = "not a game of two seats without chance",
		[EDITOR] = "no set_up function", [EVALUATION] = "no evaluation",
		[EVALUATION_TERMS] = "no terms function", [INDEX] = "no index",
		[LEAF] = "no leaf function", [LEVELS] = "no levels of its own",
		[MARKS] = "no marks function", [MATERIAL] = "no material function",
		[MAX_PLIES] = "max_plies is 0", [MOVE_SCORES] = "no evaluation has move",
		[PHASES] = "no phase function", [RANK] = "no rank function",
		[RECALL] = "no recall function", [REPEAT_HASH] = "no repeat_hash function",
		[REPETITION] = "no repetition rule",
		[SEAT_VALUES] = "no seats function, or fewer than three seats",
		[SEVERAL_SEATS] = "one seat", [SYMMETRY] = "no symmetry",
		[TERMS] = "no notions function",
	};
	const struct qv_board *board = g->board;
	bool has[FEATURES] = {
		[ANY_GAME] = true, [ALTERNATES] = g->alternates, [BOARD] = board,
		[CHANCE] = g->chance, [COUNT] = g->count, [COUNTED_MOVES] = g->max_count,
		[DRAWING] = g->draw, [DUEL] = g->seats == 2 && !g->chance,
		[EDITOR] = board && board->set_up, [EVALUATION] = g->evaluations,
		[INDEX] = g->index && (g->alternates || (g->chance && g->seats == 2)),
		[LEVELS] = g->levels,
		[MARKS] = board && board->marks, [MATERIAL] = g->material,
		[MAX_PLIES] = g->max_plies > 0, [PHASES] = g->phase, [RANK] = g->rank,
		[REPEAT_HASH] = g->repeat_hash, [REPETITION] = g->repeated,
		[SEVERAL_SEATS] = g->seats > 1, [SYMMETRY] = g->image,
		[TERMS] = board && board->notions,
	};
	look_at_evaluations(g, has);
	return has[feature] ? NULL : why[feature];
}

/* Runs the current law if it applies, and reports. */
static void examine_law(struct exam *x)
{
	/* The facts check what the features are taken from. */
	x->idle = x->law->needs == ANY_GAME ? NULL : missing_feature(x->game, x->law->needs);
	if (!x->idle && !run_law(x))
		return;
	if (x->idle && x->watch && x->watch->skipped)
		x->watch->skipped(x->watch->ctx, x->law->name, x->idle);
	else if (!x->idle && x->how.progress)
		x->how.progress(x->how.ctx, x->law->name, x->checks);
}

/*
 * The contract is in quevedo.h. Laws of later tables may rely on what earlier ones have checked, so
 * the order of the tables matters, and the suite stops at the first failure.
 */
enum qv_status conform_run(const struct qv_context *context, const struct qv_rules *rules,
			   const struct qv_conformance *how, const struct conform_watch *watch,
			   struct qv_error *error)
{
	/* The facts come first, because everything else relies on the sizes. */
	static const struct law *const tables[] = { fact_laws,	rules_laws, extra_laws, text_laws,
						    board_laws, index_laws, search_laws };
	struct exam x = { .context = context, .rules = rules, .game = rules->game,
			  .watch = watch,     .error = error };
	x.status = sized_in("qv_conformance", &x.how, sizeof x.how, how, error);
	/* Zero or less means the default. */
	x.how.games = x.how.games > 0 ? x.how.games : 100;
	x.how.max_plies = x.how.max_plies > 0 ? x.how.max_plies : 400;
	x.how.search_depth = x.how.search_depth > 0 ? x.how.search_depth : 3;

	for (size_t i = 0; i < sizeof tables / sizeof *tables && x.status == QV_OK; i++) {
		if (i == 1)
			exam_init(&x);
		for (x.law = tables[i]; x.law->name && x.status == QV_OK; x.law++)
			examine_law(&x);
	}
	if (x.status == QV_OK && watch && watch->advise) {
		x.law = &advice_law;
		run_law(&x);
	}
	if (x.status == QV_OK && watch && watch->advise)
		advice_give(&x);
	/* Nothing was allocated if the facts failed; freeing NULL is fine. */
	mem_free(context_allocator(context), x.room, x.room_size);
	if (x.aid)
		mem_free(context_allocator(context), x.aid, x.game->index->aid_size);
	return x.status;
}

enum qv_status qv_conform(const struct qv_context *context, const struct qv_rules *rules,
			  const struct qv_conformance *how, struct qv_error *error)
{
	return conform_run(context, rules, how, NULL, error);
}
