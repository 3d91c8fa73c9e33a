/*
 * check.c - verifies every entry of the tables against its successors.
 * SPDX-License-Identifier: MIT
 *
 * The check is independent of the builder: the two share only the file reader, and the check calls
 * the game through struct qv_game alone. Agreement of every entry with its successors proves the
 * whole table: a win or loss in n plies follows from one in n - 1 plies, down to the end of the
 * game, and a draw can be held indefinitely by moving from draw to draw. The cost is one move
 * generation and one lookup per successor for every position, spread over threads.
 */
#include <errno.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/flag.h"
#include "base/threads.h"
#include "search/legal.h"
#include "solve/retro.h"

enum { CHECK_CHUNK = 1 << 12 };

/* The meaning of an entry, decoded without the builder's helpers. */
struct claim {
	enum { HOLE, DRAW, WIN, LOSS } kind;
	int in;
};

struct check {
	const struct spaces *spaces;
	const struct qv_tables_job *job;
	struct table_cache cache;
	struct checker *checkers;  /* one for each thread */
	int threads, space;
	atomic_bool failed;        /* a table cannot be read */
};

/* The state and the findings of one thread. */
struct checker {
	struct check *check;
	struct arena arena;
	struct slot *slots;        /* the position, a successor */
	uint64_t entries, wrong, first_wrong;
	char why[96];              /* what is wrong with entry first_wrong */
};

/* Reads an entry; false: its table is unreadable, and the check ends. */
static bool read_claim(struct checker *c, int space, uint64_t number, struct claim *out)
{
	uint32_t code;
	if (!table_cache_get(&c->check->cache, space, number, &code)) {
		atomic_store(&c->check->failed, true);
		return false;
	}
	if (code == CODE_HOLE || code == 0)
		*out = (struct claim){ code ? HOLE : DRAW, 0 };
	else
		*out = (struct claim){ (code - 1) % 2 ? WIN : LOSS, c->check->spaces->hashed
									    ? (int)(code - 1) / 2
									    : (int)code - 1 };
	return true;
}

/* True if the game has ended; *out is then the result for the side to move. */
static bool ended(const struct qv_game *game, const void *state, struct claim *out)
{
	int32_t points[QV_MAX_SEATS];
	if (game->result(state, points) != QV_ENDED)
		return false;
	const int seat = game->seat(state);
	const int32_t ahead = points[seat] - points[1 - seat];
	*out = (struct claim){ ahead > 0 ? WIN : ahead < 0 ? LOSS : DRAW, 0 };
	return true;
}

/*
 * Replaces *best if moving to a position of value `next` is better: win sooner, lose later. `same`:
 * the same side is to move there.
 */
static void improve(struct claim *best, struct claim next, bool same)
{
	static const int worth[] = { [HOLE] = -1, [LOSS] = 0, [DRAW] = 1, [WIN] = 2 };
	const bool turned = !same && next.kind != DRAW;
	struct claim mine = { !turned		 ? next.kind
			      : next.kind == WIN ? LOSS
						 : WIN,
			      next.kind == DRAW ? 0 : next.in + 1 };
	const int gain = worth[mine.kind] - worth[best->kind];
	if (gain > 0 || (gain == 0 && (mine.kind == WIN ? mine.in < best->in :
							  mine.in > best->in)))
		*best = mine;
}

/*
 * Computes the entry from its successors into *out. Returns NULL, or what is wrong; "": a table is
 * unreadable.
 */
static const char *derive(struct checker *c, const void *state, struct claim *out)
{
	const struct spaces *spaces = c->check->spaces;
	const struct qv_game *game = spaces->rules.game;
	*out = (struct claim){ HOLE, 0 };
	if (ended(game, state, out))
		return NULL;
	void *child = c->slots[1].state;
	qv_move *moves = c->slots[0].moves;
	const int n = game->moves(state, moves);
	for (int i = 0; i < n; i++) {
		const int most = legal_max_count(game, state, moves[i]);
		for (int k = 1; k <= most; k++) {
			struct claim next;
			struct qv_place place;
			memcpy(child, state, game->state_size);
			game->play(child, k < most ? game->with_count(moves[i], k) : moves[i]);
			if (!ended(game, child, &next)) {
				if (!game->index->find(spaces->aid, child, &place) ||
				    !spaces_have(spaces, &place))
					return "a move leads to a position that is not in the index";
				if (!read_claim(c, place.space, place.number, &next))
					return "";
				if (next.kind == HOLE)
					return "a move leads to an unused number";
			}
			improve(out, next, game->seat(child) == game->seat(state));
		}
	}
	return n ? NULL : "the game has not ended but there is no legal move";
}

/* Compares the entry with the index and with its successors. Returns as derive does. */
static const char *check_entry(struct checker *c, uint64_t number)
{
	const struct spaces *spaces = c->check->spaces;
	const struct qv_index *index = spaces->rules.game->index;
	void *state = c->slots[0].state;
	struct claim claim, derived;
	struct qv_place place;
	if (!read_claim(c, c->check->space, number, &claim))
		return "";
	const bool there = index->decode(spaces->aid, spaces->rules.options, c->check->space,
					 number, state);
	if (there != (claim.kind != HOLE))
		return there ? "the value of a position is missing" :
			       "a value at an unused number";
	if (!there)
		return NULL;
	if (!index->find(spaces->aid, state, &place) || place.space != c->check->space ||
	    place.number != number)
		return "the index gives its position another number";
	const char *wrong = derive(c, state, &derived);
	if (wrong)
		return wrong;
	return claim.kind == derived.kind && claim.in == derived.in
		       ? NULL
		       : "its value contradicts its successors";
}

/* One chunk of the space, in one of the threads. */
static void check_chunk(void *ctx, int worker, int64_t chunk)
{
	const struct check *k = ctx;
	struct checker *c = &k->checkers[worker];
	const uint64_t size = k->spaces->list[k->space].size, from = (uint64_t)chunk * CHECK_CHUNK;
	if (atomic_load(&k->failed))
		return;
	for (uint64_t i = from; i < from + CHECK_CHUNK && i < size; i++) {
		const char *why = check_entry(c, i);
		c->entries++;
		if (!why || !*why || c->wrong++)
			continue;
		c->first_wrong = i;
		snprintf(c->why, sizeof c->why, "%s", why);
	}
}

/* ---- a space at a time ---- */

/* Checks the counts in the header of a table and loads it. */
static enum qv_status check_facts(struct check *k, struct qv_tables_report *out,
				  struct qv_error *error)
{
	struct table_file file;
	struct table_facts counted = { 0 };
	enum qv_status status = table_cache_open(&k->cache, k->space, "qvt", &file, error);
	if (status != QV_OK)
		return status;
	const struct table_facts facts = file.facts;
	table_close(&file);
	if (!table_cache_load(&k->cache, k->space))
		return qv_fail(error, k->cache.status, "%s", k->cache.error.text);
	table_count(&counted, &k->cache.list[k->space].values);
	if (facts.wins == counted.wins && facts.draws == counted.draws &&
	    facts.losses == counted.losses && facts.holes == counted.holes &&
	    facts.longest == counted.longest)
		return QV_OK;
	if (!out->wrong++)
		snprintf(out->first_wrong, sizeof out->first_wrong,
			 "space %s: the counts in its header are wrong", facts.space);
	return QV_OK;
}

/* Checks all entries of space k->space with all threads, and adds the findings to *out. */
static enum qv_status check_space(struct check *k, struct qv_tables_report *out,
				  struct qv_error *error)
{
	enum qv_status status = check_facts(k, out, error);
	if (status != QV_OK)
		return status;
	const struct qv_space *space = &k->spaces->list[k->space];
	const struct qv_tables_news news = { .space = space->name };
	if (k->job->progress)
		k->job->progress(k->job->ctx, &news);
	for (int i = 0; i < k->threads; i++)
		k->checkers[i].entries = k->checkers[i].wrong = 0;
	threads_for(k->threads, (int64_t)((space->size + CHECK_CHUNK - 1) / CHECK_CHUNK),
		    k->job->stop, check_chunk, k);
	/* Report the wrong entry with the lowest number, whichever thread found it. */
	const struct checker *first = NULL;
	const bool earlier = out->wrong;
	for (const struct checker *c = k->checkers; c < k->checkers + k->threads; c++) {
		out->entries += c->entries;
		out->wrong += c->wrong;
		if (c->wrong && (!first || c->first_wrong < first->first_wrong))
			first = c;
	}
	if (first && !earlier)
		snprintf(out->first_wrong, sizeof out->first_wrong, "space %s, number %llu: %s",
			 space->name, (unsigned long long)first->first_wrong, first->why);
	if (atomic_load(&k->failed))
		return qv_fail(error, k->cache.status, "space %s leads to %.180s", space->name,
			       k->cache.error.text);
	if (flag_is_set(k->job->stop))
		return qv_fail(error, QV_STOPPED, "tables: stopped");
	return QV_OK;
}

/* Whether the space has no file. A damaged one counts as a file: it must be reported. */
static bool is_missing(const struct check *k, int space)
{
	char path[4096];
	return table_cache_path(&k->cache, space, "qvt", path) && access(path, F_OK) != 0 &&
	       errno == ENOENT;
}

enum qv_status tables_check(const struct spaces *spaces, const struct qv_tables_job *job,
			    struct qv_tables_report *out, struct qv_error *error)
{
	const struct qv_allocator *allocator = spaces->allocator;
	const struct qv_game *game = spaces->rules.game;
	struct check k = { .spaces = spaces, .job = job, .threads = threads_count(job->threads) };
	struct qv_tables_report report = { .size = sizeof report };
	int end = 0;
	enum qv_status status = spaces_up_to(spaces, job->up_to, &end, error);
	if (status == QV_OK)
		status = table_cache_init(&k.cache, spaces, job->folder, error);
	if (status != QV_OK)
		return status;
	report.spaces = end;
	/* Make the checkers. */
	k.checkers = mem_new(allocator, (size_t)k.threads, sizeof *k.checkers);
	bool room = k.checkers;
	for (int i = 0; room && i < k.threads; i++) {
		struct checker *c = &k.checkers[i];
		c->check = &k;
		room = arena_init(&c->arena, allocator, slots_need(game, 2)) == QV_OK &&
		       (c->slots = slots_take(&c->arena, game, 2));
	}
	if (!room)
		status = qv_fail(error, QV_NO_MEMORY, "tables: out of memory");
	/* Check the spaces group by group, keeping the tables that one group needs in memory. */
	for (k.space = 0; status == QV_OK && k.space < end; k.space++) {
		if (job->up_to || !is_missing(&k, k.space)) {
			status = check_space(&k, &report, error);
			report.checked++;
		}
		const bool group_ends = k.space + 1 == spaces_group_end(spaces, k.space);
		for (int i = 0; group_ends && i < spaces->count; i++)
			table_cache_drop(&k.cache, i);
	}
	if (status == QV_OK && !report.checked)
		status =
			qv_fail(error, QV_IO, "%.200s: no tables of %s", job->folder, spaces->name);
	for (int i = 0; k.checkers && i < k.threads; i++)
		arena_release(&k.checkers[i].arena);
	mem_free(allocator, k.checkers, (size_t)k.threads * sizeof *k.checkers);
	table_cache_release(&k.cache);
	if (status == QV_OK)
		*out = report;
	return status;
}
