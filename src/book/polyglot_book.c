/*
 * polyglot_book.c - a book from the entries of a Polyglot file, and back.
 * SPDX-License-Identifier: MIT
 */
#include "book/polyglot_book.h"

#include <stdlib.h>

#include "book/inside.h"
#include "core/context.h"

/* ---- Reading ---- */

static size_t bytes_of(uint32_t count)
{
	return sizeof(struct polyglot) + count * sizeof(struct polyglot_entry);
}

enum qv_status polyglot_read(const struct qv_context *context, const char *data, size_t size,
			     struct book *out, struct qv_error *error)
{
	const struct qv_allocator *a = context_allocator(context);
	struct qv_rules rules;
	*out = (struct book){ 0 };
	/* Some end with a newline. */
	if (size % POLYGLOT_ENTRY == 1 && data[size - 1] == '\n')
		size--;
	if (size % POLYGLOT_ENTRY)
		return qv_fail(error, QV_BAD_INPUT,
			       "book: the size, %zu bytes, is not a multiple of %d", size,
			       POLYGLOT_ENTRY);
	enum qv_status status = qv_rules_parse(context, "chess", &rules, error);
	if (status == QV_OK)
		status = book_make(out, a, &rules, error);
	if (status != QV_OK)
		return status;
	const uint32_t count = (uint32_t)(size / POLYGLOT_ENTRY);
	out->bin = mem_new(a, 1, bytes_of(count));
	if (!out->bin)
		return book_no_memory(error);
	out->bin->count = count;
	for (uint32_t i = 0; i < count; i++) {
		out->bin->entries[i] = polyglot_get(data, i);
		if (i && out->bin->entries[i].key < out->bin->entries[i - 1].key)
			return qv_fail(error, QV_BAD_INPUT, "book: record %u of %u is out of order",
				       i + 1, count);
	}
	return QV_OK;
}

void polyglot_free(struct book *b)
{
	if (!b->bin)
		return;
	mem_free(b->allocator, b->bin->seen, (b->bin->count + 1) * sizeof *b->bin->seen);
	mem_free(b->allocator, b->bin, bytes_of(b->bin->count));
	b->bin = NULL;
}

/* ---- Looking up ---- */

uint32_t polyglot_first(const struct polyglot *p, uint64_t key)
{
	uint32_t from = 0, to = p->count;
	while (from < to) {
		const uint32_t middle = from + (to - from) / 2;
		if (p->entries[middle].key < key)
			from = middle + 1;
		else
			to = middle;
	}
	return from < p->count && p->entries[from].key == key ? from : p->count;
}

bool polyglot_has(const struct book *b, const void *state)
{
	return polyglot_first(b->bin, polyglot_key(state)) < b->bin->count;
}

/* The same move twice is one, with both weights. */
int polyglot_options(const struct book *b, const void *state, struct book_option *list)
{
	const struct polyglot *p = b->bin;
	const uint64_t key = polyglot_key(state);
	int n = 0;
	for (uint32_t i = polyglot_first(p, key); i < p->count && p->entries[i].key == key; i++) {
		qv_move move;
		int k = 0;
		if (!polyglot_find_move(state, p->entries[i].move, &move))
			continue;
		while (k < n && list[k].move != move)
			k++;
		if (k == n)
			list[n++] = (struct book_option){ .move = move, .note = "" };
		list[k].weight += p->entries[i].weight;
	}
	return n;
}

/* ---- Writing ---- */

/* By key, the heaviest first, then by move. */
static int entry_order(const void *a, const void *b)
{
	const struct polyglot_entry *one = a, *other = b;
	if (one->key != other->key)
		return one->key < other->key ? -1 : 1;
	if (one->weight != other->weight)
		return one->weight > other->weight ? -1 : 1;
	return (one->move > other->move) - (one->move < other->move);
}

static uint16_t scaled_weight(uint64_t weight, uint64_t heaviest)
{
	if (heaviest <= UINT16_MAX || !weight)
		return (uint16_t)weight;
	const uint64_t scaled = (uint64_t)((double)weight / (double)heaviest * UINT16_MAX);
	return (uint16_t)(scaled ? scaled : 1);
}

/* The entries of one position; returns how many. */
static uint32_t entries_of(const struct book *b, const struct book_place *place,
			   struct book_option *options, struct polyglot_entry *out)
{
	const void *state = book_state(b, place->state);
	const int n = book_options(b, state, options);
	for (int i = 0; i < n; i++)
		out[i] = (struct polyglot_entry){ .key = polyglot_key(state),
						   .move = polyglot_move(state, options[i].move),
						   .weight = scaled_weight(options[i].weight,
									   options[0].weight) };
	return (uint32_t)n;
}

static enum qv_status write_places(const struct book *b, struct string *out, struct qv_error *error)
{
	const size_t room = b->choice_count ? b->choice_count : 1;
	struct polyglot_entry *all = mem_new(b->allocator, room, sizeof *all);
	struct book_option options[CHESS_MAX_MOVES];
	uint32_t count = 0;
	if (!all)
		return book_no_memory(error);
	for (uint32_t i = 0; i < b->place_count; i++)
		count += entries_of(b, &b->places[i], options, all + count);
	qsort(all, count, sizeof *all, entry_order);
	for (uint32_t i = 0; i < count; i++)
		polyglot_put(out, &all[i]);
	mem_free(b->allocator, all, room * sizeof *all);
	return out->failed ? book_no_memory(error) : QV_OK;
}

enum qv_status polyglot_write(struct book *b, struct string *out, struct qv_error *error)
{
	if (!context_engine(b->rules.game)->orthodox)
		return qv_fail(error, QV_UNSUPPORTED,
			       "book: the Polyglot format (.bin) is for chess, not for %s",
			       b->rules.game->name);
	if (!b->bin)
		return write_places(b, out, error);
	for (uint32_t i = 0; i < b->bin->count; i++)
		polyglot_put(out, &b->bin->entries[i]);
	return out->failed ? book_no_memory(error) : QV_OK;
}
