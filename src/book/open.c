/*
 * open.c - the public functions of opening books.
 * SPDX-License-Identifier: MIT
 */
#include "book/book.h"
#include "core/context.h"

struct qv_book {
	struct book book;
	struct book_option *options; /* max_moves of room */
};

void qv_book_close(struct qv_book *b)
{
	if (!b)
		return;
	const struct qv_allocator *a = b->book.allocator;
	const size_t most = (size_t)b->book.rules.game->max_moves;
	mem_free(a, b->options, most * sizeof *b->options);
	book_release(&b->book);
	mem_free(a, b, sizeof *b);
}

enum qv_status qv_book_open(const struct qv_context *context, const struct qv_rules *rules,
			    const char *path, struct qv_book **out, struct qv_error *error)
{
	const struct qv_allocator *a = context_allocator(context);
	struct book book = { 0 };
	enum qv_status status = book_open(context, path, NULL, &book, error);
	if (status == QV_OK && !book_is_for(&book, rules))
		status = qv_fail(error, QV_BAD_INPUT, "book %.60s: it is for another game", path);
	struct qv_book *b = status == QV_OK ? mem_new(a, 1, sizeof *b) : NULL;
	if (b)
		b->options = mem_new(a, (size_t)rules->game->max_moves, sizeof *b->options);
	if (status == QV_OK && (!b || !b->options))
		status = qv_fail(error, QV_NO_MEMORY, "book: out of memory");
	if (status != QV_OK) {
		mem_free(a, b, b ? sizeof *b : 0);
		book_release(&book);
		return status;
	}
	b->book = book;
	*out = b;
	return QV_OK;
}

int qv_book_moves(const struct qv_book *b, const void *state, qv_move *list, uint64_t *weights,
		  int max)
{
	const int count = book_options(&b->book, state, b->options);
	for (int i = 0; i < count && i < max; i++) {
		if (list)
			list[i] = b->options[i].move;
		if (weights)
			weights[i] = b->options[i].weight;
	}
	return count;
}

const char *qv_book_name(const struct qv_book *b, const void *state)
{
	return book_name(&b->book, state, NULL, NULL);
}
