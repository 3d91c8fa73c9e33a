/*
 * wave.c - a small game solved backwards in memory, wave by wave.
 * SPDX-License-Identifier: MIT
 *
 * The cache, which otherwise loads tables of earlier groups from files, gets each group as soon as
 * it is solved.
 */
#include "core/wave.h"

#include <stdatomic.h>

#include "core/context.h"
#include "core/table_solver.h"

/* Solves the group that begins at `first`, with values of so many bytes. */
static enum qv_status solve_group(struct wave *w, int first, int width, struct retro *r,
				  struct qv_error *error)
{
	const struct qv_game *game = w->spaces.rules.game;
	const struct retro_ops *ops = table_retro_ops(game);
	const struct retro_run run = { .ops = ops, .threads = 1 };
	const struct retro_size size = { first, width, retro_counts(game, ops, false) };
	enum qv_status status = retro_init(r, &w->spaces, &w->cache, NULL, &size, error);
	if (status == QV_OK)
		status = retro_solve(r, &run, RETRO_FIRST, 0, error);
	return status;
}

/* Gives the values of the group to the cache. */
static void keep_group(struct wave *w, struct retro *r)
{
	for (int space = r->first; space < r->end; space++) {
		struct table_cache_space *to = &w->cache.list[space];
		to->values = r->values[space - r->first];
		r->values[space - r->first] = (struct values){ 0 };
		atomic_store(&to->loaded, true);
	}
}

static enum qv_status solve_all(struct wave *w, struct qv_error *error)
{
	enum qv_status status = QV_OK;
	for (int first = 0; first < w->end && status == QV_OK;
	     first = spaces_group_end(&w->spaces, first)) {
		struct retro r = { 0 };
		/* Distances below 254 fit a byte. */
		status = solve_group(w, first, 1, &r, error);
		if (status == QV_OK && r.too_far) {
			retro_release(&r);
			status = solve_group(w, first, 2, &r, error);
		}
		if (status == QV_OK)
			keep_group(w, &r);
		retro_release(&r);
	}
	return status;
}

static void count_codes(struct wave *w)
{
	for (int space = 0; space < w->end; space++) {
		const struct values *values = &w->cache.list[space].values;
		for (uint64_t i = 0; i < values->size; i++) {
			const uint32_t code = values_get(values, i);
			if (code == CODE_HOLE)
				continue;
			w->positions++;
			w->draws += code == CODE_DRAW;
			if (code == CODE_DRAW)
				continue;
			struct wave_count *to = &w->counts[code_plies(code)];
			to->wins += code_wins(code);
			to->losses += code_loses(code);
			if (w->plies <= code_plies(code))
				w->plies = code_plies(code) + 1;
		}
	}
}

/* Whether the spaces are small enough. */
static enum qv_status check_size(struct wave *w, const char *up_to, struct qv_error *error)
{
	uint64_t numbers = 0;
	const enum qv_status status = spaces_up_to(&w->spaces, up_to, &w->end, error);
	for (int space = 0; status == QV_OK && space < w->end; space++) {
		numbers += w->spaces.list[space].size;
		if (numbers > WAVE_NUMBERS)
			return qv_fail(error, QV_UNSUPPORTED,
				       "wave: %.60s has too many positions; choose a smaller space",
				       w->spaces.name);
	}
	return status;
}

enum qv_status wave_new(const struct qv_allocator *allocator, const struct qv_rules *rules,
			const char *up_to, struct wave **out, struct qv_error *error)
{
	*out = NULL;
	struct wave *w = mem_new(allocator, 1, sizeof *w);
	if (!w)
		return qv_fail(error, QV_NO_MEMORY, "wave: out of memory");
	/* The sizes first: preparing the index of a large game takes long. */
	enum qv_status status = table_spaces(allocator, rules, true, &w->spaces, error);
	if (status == QV_OK) {
		status = check_size(w, up_to, error);
		spaces_release(&w->spaces);
	}
	if (status == QV_OK)
		status = table_spaces(allocator, rules, false, &w->spaces, error);
	if (status != QV_OK) {
		mem_free(allocator, w, sizeof *w);
		return status;
	}
	w->counts = mem_new(allocator, WAVE_PLIES, sizeof *w->counts);
	if (!w->counts)
		status = qv_fail(error, QV_NO_MEMORY, "wave: out of memory");
	if (status == QV_OK)
		status = table_cache_init(&w->cache, &w->spaces, NULL, error);
	if (status == QV_OK)
		status = solve_all(w, error);
	if (status != QV_OK) {
		wave_free(w);
		return status;
	}
	count_codes(w);
	*out = w;
	return QV_OK;
}

void wave_free(struct wave *w)
{
	if (!w)
		return;
	const struct qv_allocator *allocator = w->spaces.allocator;
	table_cache_release(&w->cache);
	mem_free(allocator, w->counts, WAVE_PLIES * sizeof *w->counts);
	spaces_release(&w->spaces);
	mem_free(allocator, w, sizeof *w);
}

bool wave_position(const struct wave *w, int plies, uint64_t index, void *state)
{
	const uint32_t code = (uint32_t)plies + 1;
	for (int space = 0; plies >= 0 && space < w->end; space++) {
		const struct values *values = &w->cache.list[space].values;
		for (uint64_t at = values_next(values, 0, values->size, code); at < values->size;
		     at = values_next(values, at + 1, values->size, code))
			if (index-- == 0)
				return w->spaces.rules.game->index->decode(
					w->spaces.aid, w->spaces.rules.options, space, at, state);
	}
	return false;
}

bool wave_code(const struct wave *w, const void *state, uint32_t *code)
{
	struct qv_place place;
	if (!w->spaces.rules.game->index->find(w->spaces.aid, state, &place) ||
	    !spaces_have(&w->spaces, &place) || place.space >= w->end)
		return false;
	*code = values_get(&w->cache.list[place.space].values, place.number);
	return true;
}
