/*
 * inside.h - what the files of the book share: adding to a book, and its index.
 * SPDX-License-Identifier: MIT
 */
#ifndef BOOK_INSIDE_H
#define BOOK_INSIDE_H

#include "book/book.h"

/* The room for states. */
enum { SCRATCH_IMAGE, SCRATCH_WALK, SCRATCH_NEXT, SCRATCH_THEN, SCRATCH_COUNT };

static inline void *book_scratch(const struct book *b, int n)
{
	return b->scratch + (size_t)n * b->stride;
}

static inline enum qv_status book_no_memory(struct qv_error *error)
{
	return qv_fail(error, QV_NO_MEMORY, "book: out of memory");
}

/* ---- The pool and the items ---- */

enum qv_status book_add_state(struct book *b, const void *state, uint32_t *number,
			      struct qv_error *error);
/* Its place in texts; 0 for "". */
enum qv_status book_add_text(struct book *b, const char *text, size_t *place,
			     struct qv_error *error);
/* An item without moves yet. */
enum qv_status book_add_item(struct book *b, const struct book_item *item, struct qv_error *error);
/* A move of the last item. */
enum qv_status book_add_move(struct book *b, qv_move move, uint32_t weight, size_t note,
			     struct qv_error *error);

/* Whether two items say the same, but for weights: a position also if it is turned. */
bool book_same_item(const struct book *b, const struct book_item *one, const struct book *c,
		    const struct book_item *other);
/* Those that say the same have the same number. */
uint64_t book_item_key(const struct book *b, const struct book_item *item);

static inline struct book_item *book_last_item(const struct book *b)
{
	return b->item_count ? &b->items[b->item_count - 1] : NULL;
}

/* ---- The index ---- */

enum { BOOK_NOWHERE = UINT32_MAX };

/* The place of a position, and the image that takes its form there to the one asked for. */
uint32_t book_find(const struct book *b, const void *state, int *image);
/* The same; one that is not there is added. */
enum qv_status book_place_of(struct book *b, const void *state, uint32_t *place,
			     struct qv_error *error);
/* Adds weight to the move at that position; *choice may be NULL. */
enum qv_status book_add_choice(struct book *b, const void *state, qv_move move, uint64_t weight,
			       bool general, uint32_t *choice, struct qv_error *error);
/* The image that takes the one to the other; -1: there is none. */
int book_turn(const struct book *b, const void *from, const void *to);
qv_move book_image_of_move(const struct book *b, const void *state, int k, qv_move move);
/* Whether the two may stand for each other in a book: equal but for counters. */
bool book_alike(const struct book *b, const void *one, const void *other);
/* Puts an item into the index, names and all. */
enum qv_status book_index_item(struct book *b, const struct book_item *item,
			       struct qv_error *error);
/* Whether somebody can choose there: the game goes on, and it is not the dice's turn. */
bool book_has_choice(const struct book *b, const void *state);

/* Whether blanks separate the moves in writing here: not if one of them holds one. */
bool book_blanks_separate(const struct book *b, const void *state);

#endif
