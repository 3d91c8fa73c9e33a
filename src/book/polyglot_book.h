/*
 * polyglot_book.h - books of chess that come from Polyglot files, or are written to them.
 * SPDX-License-Identifier: MIT
 *
 * The format has keys in place of positions. So a book that was read from such a file looks up
 * positions in the file's entries. Its items exist only after book_unfold, which finds the
 * positions by walking from the start along the moves of the book.
 */
#ifndef BOOK_POLYGLOT_BOOK_H
#define BOOK_POLYGLOT_BOOK_H

#include "book/book.h"
#include "formats/polyglot.h"

/* The entries of a file. */
struct polyglot {
	uint32_t count;
	bool *seen; /* of the first entry of a key: book_unfold has reached it */
	struct polyglot_entry entries[];
};

/* A book of chess, its entries as in the file. Release it whatever the status. */
enum qv_status polyglot_read(const struct qv_context *context, const char *data, size_t size,
			     struct book *out, struct qv_error *error);
/* The book as a file; of chess alone. Weights are scaled so that the largest fits 16 bits. */
enum qv_status polyglot_write(struct book *b, struct string *out, struct qv_error *error);

/* For the index: the moves of a position, and whether the file has it (book_options, book_name). */
int polyglot_options(const struct book *b, const void *state, struct book_option *list);
bool polyglot_has(const struct book *b, const void *state);
void polyglot_free(struct book *b); /* frees the entries; a book without them is accepted */

#endif
