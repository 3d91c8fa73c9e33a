/*
 * inside.h - what the files of src/book share: adding to a book, and its index.
 * SPDX-License-Identifier: MIT
 */
#ifndef BOOK_INSIDE_H
#define BOOK_INSIDE_H

#include "book/book.h"

/*
 * The scratch states of a book. A function that uses one may be called only by functions that do
 * not.
 */
enum { SCRATCH_IMAGE, SCRATCH_WALK, SCRATCH_NEXT, SCRATCH_THEN, SCRATCH_COUNT };

static inline void *book_scratch(const struct book *b, int n)
{
	return b->scratch + (size_t)n * b->stride;
}

static inline enum qv_status book_no_memory(struct qv_error *error)
{
	return qv_fail(error, QV_NO_MEMORY, "book: out of memory");
}

/* Allocates what lookups write to. False: out of memory; book_release frees what there is. */
bool book_make_room(struct book *b);

/* ---- States, texts and items ---- */

/* Each returns QV_NO_MEMORY, or QV_BAD_INPUT if the book gets too large. Texts are copied. */
enum qv_status book_add_state(struct book *b, const void *state, uint32_t *number,
			      struct qv_error *error);
/* Stores a text; *place is its offset, 0 for "". */
enum qv_status book_add_text(struct book *b, const char *text, size_t *place,
			     struct qv_error *error);
/* Adds an item without moves. */
enum qv_status book_add_item(struct book *b, const struct book_item *item, struct qv_error *error);
/* Adds a move to the last item. */
enum qv_status book_add_move(struct book *b, qv_move move, uint32_t weight, size_t note,
			     struct qv_error *error);

/* Whether two items are the same except for their weights; symmetric positions are the same. */
bool book_same_item(const struct book *b, const struct book_item *one, const struct book *c,
		    const struct book_item *other);
/* A hash that is equal for items that are the same. */
uint64_t book_item_key(const struct book *b, const struct book_item *item);

static inline struct book_item *book_last_item(const struct book *b)
{
	return b->item_count ? &b->items[b->item_count - 1] : NULL;
}

/* ---- The index ---- */

enum { BOOK_NOWHERE = UINT32_MAX };

/*
 * The index of a position's place, or BOOK_NOWHERE, and the symmetry that maps the stored
 * orientation to `state`.
 */
uint32_t book_find(const struct book *b, const void *state, int *image);
/* The same, but adds a position that is missing. */
enum qv_status book_place_of(struct book *b, const void *state, uint32_t *place,
			     struct qv_error *error);
/*
 * Adds weight to a move of the position, and the move if it is missing. *choice is its index;
 * choice may be NULL.
 */
enum qv_status book_add_choice(struct book *b, const void *state, qv_move move, uint64_t weight,
			       bool general, uint32_t *choice, struct qv_error *error);
/* The symmetry that maps one position to the other; -1: they are not symmetric. */
int book_turn(const struct book *b, const void *from, const void *to);
/* The move under symmetry k. */
qv_move book_image_of_move(const struct book *b, const void *state, int k, qv_move move);
/* Whether two positions are the same to a book: equal except for counters. */
bool book_alike(const struct book *b, const void *one, const void *other);
/* Adds an item with its moves and names to the index. */
enum qv_status book_index_item(struct book *b, const struct book_item *item,
			       struct qv_error *error);
/* Whether a seat has to choose a move: the game has not ended, and it is no chance node. */
bool book_has_choice(const struct book *b, const void *state);

/*
 * Whether blanks can separate the moves of this position in a file: no move text contains a blank.
 */
bool book_blanks_separate(const struct book *b, const void *state);

#endif
