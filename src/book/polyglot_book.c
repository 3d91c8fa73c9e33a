/*
 * polyglot_book.c - a book from the entries of a Polyglot file, and back.
 * SPDX-License-Identifier: MIT
 *
 * The entries are sorted by key, so a lookup is a binary search. To unfold a book, a walk from the
 * start position tries all moves in each position of the book and visits those that lead to
 * positions of the book. After a book move that leads out of the book, as happens in books for one
 * side, it also tries every reply. Positions that are not reached this way cannot be recovered;
 * they are counted.
 */
#include "book/polyglot_book.h"

#include <stdlib.h>

#include "book/inside.h"
#include "core/context.h"

/* ---- Reading ---- */

/* The size of a struct polyglot with this many entries. */
static size_t bytes_of(uint32_t count)
{
	return sizeof(struct polyglot) + count * sizeof(struct polyglot_entry);
}

/* The file must be sorted by key, or lookups would miss entries. */
enum qv_status polyglot_read(const struct qv_context *context, const char *data, size_t size,
			     struct book *out, struct qv_error *error)
{
	const struct qv_allocator *a = context_allocator(context);
	struct qv_rules rules;
	*out = (struct book){ 0 };
	/* Some files end with a newline. */
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

/* The first entry of the key, or count if the key is absent. */
static uint32_t first_entry(const struct polyglot *p, uint64_t key)
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
	return first_entry(b->bin, polyglot_key(state)) < b->bin->count;
}

/* The same move twice is one, with both weights. */
int polyglot_options(const struct book *b, const void *state, struct book_option *list)
{
	const struct polyglot *p = b->bin;
	const uint64_t key = polyglot_key(state);
	int n = 0;
	for (uint32_t i = first_entry(p, key); i < p->count && p->entries[i].key == key; i++) {
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

/* Writes the entries of all positions, sorted as the format demands. */
static enum qv_status write_places(const struct book *b, struct string *out, struct qv_error *error)
{
	const size_t room = b->choice_count ? b->choice_count : 1;
	struct polyglot_entry *all = mem_new(b->allocator, room, sizeof *all);
	struct book_option options[CHESS_MAX_MOVES];
	uint32_t count = 0;
	if (!all)
		return book_no_memory(error);
	for (uint32_t i = 0; i < b->place_count; i++) {
		const void *state = book_state(b, b->places[i].state);
		const int n = book_options(b, state, options);
		for (int k = 0; k < n; k++) {
			/* Weights are scaled to 16 bits; those that are not 0 stay at least 1. */
			uint64_t weight = options[k].weight;
			const uint64_t most = options[0].weight;
			if (most > UINT16_MAX && weight) {
				weight = (uint64_t)((double)weight / (double)most * UINT16_MAX);
				weight += !weight;
			}
			all[count].key = polyglot_key(state);
			all[count].move = polyglot_move(state, options[k].move);
			all[count++].weight = (uint16_t)weight;
		}
	}
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

/* ---- Unfolding ---- */

/* The state of a walk. */
struct walk {
	struct book *b;
	struct polyglot *bin;
	uint32_t found; /* positions */
	struct qv_error *error;
};

/* Makes an item of a position that is in the book and new. True: it is in the book. */
static bool visit(struct walk *w, const struct chess *s, enum qv_status *status)
{
	struct polyglot *p = w->bin;
	const uint64_t key = polyglot_key(s);
	const uint32_t first = first_entry(p, key);
	if (first == p->count)
		return false;
	if (p->seen[first])
		return true;
	p->seen[first] = true;
	w->found++;
	struct book_item item = { .kind = BOOK_AT };
	*status = book_add_state(w->b, s, &item.from, w->error);
	if (*status == QV_OK)
		*status = book_add_item(w->b, &item, w->error);
	struct book_option list[CHESS_MAX_MOVES];
	const int n = polyglot_options(w->b, s, list);
	for (int i = 0; i < n && *status == QV_OK; i++)
		*status = book_add_move(w->b, list[i].move, (uint32_t)list[i].weight, 0, w->error);
	return true;
}

/* Visits what is one move away from a position, or two after a book move. */
static enum qv_status visit_next(struct walk *w, const struct chess *s)
{
	struct book_option list[CHESS_MAX_MOVES];
	qv_move moves[CHESS_MAX_MOVES], replies[CHESS_MAX_MOVES];
	enum qv_status status = QV_OK;
	const int in_book = polyglot_options(w->b, s, list), n = chess_moves(s, moves);
	for (int i = 0; i < n && status == QV_OK; i++) {
		struct chess next = *s;
		chess_play(&next, moves[i]);
		if (visit(w, &next, &status))
			continue;
		int k = 0;
		while (k < in_book && list[k].move != moves[i])
			k++;
		if (k == in_book) /* not a move of the book */
			continue;
		const int count = chess_moves(&next, replies);
		for (k = 0; k < count && status == QV_OK; k++) {
			struct chess then = next;
			chess_play(&then, replies[k]);
			visit(w, &then, &status);
		}
	}
	return status;
}

/* New items are appended while the loop visits them, so it is a breadth-first walk. */
enum qv_status book_unfold(struct book *b, uint32_t *unknown, struct qv_error *error)
{
	struct walk w = { .b = b, .bin = b->bin, .error = error };
	enum qv_status status = QV_OK;
	*unknown = 0;
	if (!b->bin)
		return QV_OK;
	if (!b->bin->seen)
		b->bin->seen = mem_new(b->allocator, b->bin->count + 1, sizeof *b->bin->seen);
	if (!b->bin->seen)
		return book_no_memory(error);
	struct chess state;
	memcpy(&state, book_state(b, 0), sizeof state);
	/* A book may begin after the first move. */
	if (!visit(&w, &state, &status))
		status = visit_next(&w, &state);
	for (uint32_t i = 0; i < b->item_count && status == QV_OK; i++) {
		memcpy(&state, book_state(b, b->items[i].from), sizeof state);
		status = visit_next(&w, &state);
	}
	for (uint32_t i = 0; i < b->bin->count; i++)
		*unknown += !i || b->bin->entries[i].key != b->bin->entries[i - 1].key;
	*unknown -= w.found;
	const uint32_t items = status == QV_OK ? b->item_count : 0;
	if (status == QV_OK)
		polyglot_free(b);
	for (uint32_t i = 0; i < items && status == QV_OK; i++)
		status = book_index_item(b, &b->items[i], error);
	return status;
}
