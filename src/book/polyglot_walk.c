/*
 * polyglot_walk.c - finds the positions of a Polyglot book by walking from the start position.
 * SPDX-License-Identifier: MIT
 *
 * From each position of the book the walk tries all moves and visits those that lead to positions
 * of the book. After a book move that leads out of the book, as happens in books for one side, it
 * also tries every reply. Positions that are not reached this way cannot be recovered; they are
 * counted.
 */
#include "book/polyglot_book.h"

#include "book/inside.h"

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
	const uint32_t first = polyglot_first(p, key);
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

static bool is_book_move(const struct book_option *list, int n, qv_move move)
{
	for (int i = 0; i < n; i++)
		if (list[i].move == move)
			return true;
	return false;
}

static enum qv_status visit_next(struct walk *w, const struct chess *s)
{
	struct book_option list[CHESS_MAX_MOVES];
	qv_move moves[CHESS_MAX_MOVES], replies[CHESS_MAX_MOVES];
	enum qv_status status = QV_OK;
	const int in_book = polyglot_options(w->b, s, list), n = chess_moves(s, moves);
	for (int i = 0; i < n && status == QV_OK; i++) {
		struct chess next = *s;
		chess_play(&next, moves[i]);
		if (visit(w, &next, &status) || !is_book_move(list, in_book, moves[i]))
			continue;
		const int count = chess_moves(&next, replies);
		for (int k = 0; k < count && status == QV_OK; k++) {
			struct chess then = next;
			chess_play(&then, replies[k]);
			visit(w, &then, &status);
		}
	}
	return status;
}

static uint32_t positions(const struct polyglot *p)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < p->count; i++)
		n += !i || p->entries[i].key != p->entries[i - 1].key;
	return n;
}

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
	*unknown = positions(b->bin) - w.found;
	const uint32_t items = status == QV_OK ? b->item_count : 0;
	if (status == QV_OK)
		polyglot_free(b);
	for (uint32_t i = 0; i < items && status == QV_OK; i++)
		status = book_index_item(b, &b->items[i], error);
	return status;
}
