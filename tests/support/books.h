/*
 * books.h - what tests of opening books share: books out of texts, and the slow way to look one up.
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_BOOKS_H
#define TEST_BOOKS_H

#include "support/desk.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "book/book.h"

enum { BOOKS_STATE = 64, BOOKS_MOVES = 64 };

static inline struct book books_read(const struct qv_context *context, const char *text)
{
	struct book book;
	struct qv_error error = { "" };
	if (book_read(context, text, strlen(text), NULL, &book, &error) != QV_OK)
		fail_msg("%s", error.text);
	return book;
}

/* The reason why a text is no book. */
static inline const char *books_refused(const struct qv_context *context, const char *text,
					struct qv_error *error)
{
	struct book book = { 0 };
	error->text[0] = '\0';
	if (book_read(context, text, strlen(text), NULL, &book, error) == QV_OK)
		fail_msg("it was read: %s", text);
	assert_null(book.allocator);
	return error->text;
}

/* The text of a file, for players; unlink it. */
static inline void books_file(char path[32], const char *text)
{
	snprintf(path, 32, "/tmp/test-books-XXXXXX");
	const int file = mkstemp(path);
	assert_true(file >= 0);
	assert_int_equal(write(file, text, strlen(text)), strlen(text));
	close(file);
}

static inline void books_play(const struct qv_game *g, void *state, const char *moves)
{
	char copy[512];
	snprintf(copy, sizeof copy, "%s", moves);
	for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) {
		qv_move move;
		struct qv_error error = { "" };
		if (qv_move_parse(g, state, word, &move, &error) != QV_OK)
			fail_msg("%s: %s", moves, error.text);
		g->play(state, move);
	}
}

/* The desk after these moves from the start. */
static inline void books_at(struct desk *d, const char *moves)
{
	d->rules.game->start(d->rules.options, d->state);
	books_play(d->rules.game, d->state, moves);
}

static inline const char *books_move(const struct desk *d, qv_move move, char text[QV_MOVE_TEXT])
{
	struct qv_text out = { text, QV_MOVE_TEXT, 0 };
	text[0] = '\0';
	d->rules.game->move_text(d->state, move, &out);
	return text;
}

/* ---- The slow way: every line again, every position of it, in every image ---- */

struct slow {
	qv_move moves[BOOKS_MOVES];
	uint64_t weights[BOOKS_MOVES];
	int count;
	bool known;
};

/* Whether some image that keeps the state takes the one move to the other. */
static inline bool slow_same(const struct qv_game *g, const void *state, qv_move one, qv_move other)
{
	uint64_t image[BOOKS_STATE / 8 + 1];
	if (one == other)
		return true;
	for (int k = 1; g->image && k < g->symmetries; k++) {
		g->image(state, k, image);
		if (memcmp(image, state, g->state_size) == 0 &&
		    g->image_move(state, k, one) == other)
			return true;
	}
	return false;
}

/* If the position of the book is the one asked for, in any image, its move counts. */
static inline void slow_take(const struct qv_game *g, const void *here, qv_move move,
			     uint64_t weight, const void *asked, struct slow *out)
{
	uint64_t image[BOOKS_STATE / 8 + 1];
	for (int k = 0; k == 0 || (g->image && k < g->symmetries); k++) {
		if (g->image)
			g->image(here, k, image);
		else
			memcpy(image, here, g->state_size);
		if (memcmp(image, asked, g->state_size) != 0)
			continue;
		out->known = true;
		if (move == QV_NO_MOVE)
			return;
		const qv_move moved = g->image ? g->image_move(here, k, move) : move;
		int i = 0;
		while (i < out->count && !slow_same(g, asked, out->moves[i], moved))
			i++;
		assert_true(i < BOOKS_MOVES);
		if (i == out->count) {
			out->moves[i] = moved;
			out->weights[out->count++] = 0;
		}
		out->weights[i] += weight;
		return;
	}
}

/* Lines and positions; replies are not looked at. */
static inline struct slow slow_look(const struct book *b, const void *asked)
{
	const struct qv_game *g = b->rules.game;
	struct slow out = { .count = 0 };
	assert_true(g->state_size <= BOOKS_STATE);
	for (uint32_t i = 0; i < b->item_count; i++) {
		uint64_t state[BOOKS_STATE / 8 + 1];
		const struct book_item *item = &b->items[i];
		memcpy(state, book_state(b, item->from), g->state_size);
		for (uint32_t k = 0; item->kind != BOOK_REPLY && k < item->count; k++) {
			const struct book_move *m = &b->moves[item->first + k];
			slow_take(g, state, m->move,
				  item->kind == BOOK_LINE ? item->weight : m->weight, asked, &out);
			if (item->kind == BOOK_LINE)
				g->play(state, m->move);
		}
		if (item->kind != BOOK_REPLY)
			slow_take(g, state, QV_NO_MOVE, 0, asked, &out);
	}
	return out;
}

/* The book says what the slow way says. Returns how many moves it has there. */
static inline int books_agree(const struct book *b, const void *state)
{
	struct book_option list[QV_MAX_MOVES];
	const struct slow slow = slow_look(b, state);
	bool known;
	book_name(b, state, NULL, &known);
	const int n = book_options(b, state, list);
	assert_int_equal(known, slow.known);
	assert_int_equal(n, slow.count);
	for (int i = 0; i < n; i++) {
		int k = 0;
		assert_true(qv_move_legal(b->rules.game, state, list[i].move));
		while (k < n && !slow_same(b->rules.game, state, slow.moves[k], list[i].move))
			k++;
		assert_true(k < n);
		assert_int_equal(list[i].weight, slow.weights[k]);
		if (i)
			assert_true(list[i].weight <= list[i - 1].weight);
	}
	return n;
}

/* What an ear heard. */
struct notes {
	char text[4096];
	int count;
};

static inline void note(void *ctx, int line, const char *what)
{
	struct notes *n = ctx;
	const size_t used = strlen(n->text);
	snprintf(n->text + used, sizeof n->text - used, "%d: %s\n", line, what);
	n->count++;
}

#endif
