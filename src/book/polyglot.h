/*
 * polyglot.h - opening books of chess in the Polyglot format: files .bin.
 * SPDX-License-Identifier: MIT
 *
 * A file is records of 16 bytes, big end first, sorted by key:
 *
 *     key 8, move 2, weight 2, learn 4        several records may have one key
 *     move: 14..12 promotion, 11..9 from row, 8..6 from file, 5..3 to row, 2..0 to file
 *
 * Castling is the king's way to its rook, e1h1; promotions are 1 knight to 4 queen. The key is of a
 * position, which cannot be had back from it: a book that came from such a file looks positions up
 * in the records, and only when its items are asked for they are found, by walking from the start
 * along what is in the book (book_unfold).
 */
#ifndef BOOK_POLYGLOT_H
#define BOOK_POLYGLOT_H

#include "book/book.h"
#include "games/chess/rules.h"

enum { POLYGLOT_NUMBERS = 781, POLYGLOT_RECORD = 16 };

extern const uint64_t polyglot_random[POLYGLOT_NUMBERS]; /* polyglot_keys.c */

/*
 * The key of a position. The format counts the file of a pawn that may be taken en passant if an
 * enemy pawn stands beside it; we know only of those that may be taken by the rules.
 */
uint64_t polyglot_key(const struct chess *s);

struct polyglot_record {
	uint64_t key;
	uint16_t move, weight;
	uint32_t learn;
};

/* A legal move as the format has it. */
uint16_t polyglot_move(const struct chess *s, qv_move move);
/* The legal move that is meant; false: none is. */
bool polyglot_find_move(const struct chess *s, uint16_t move, qv_move *out);

/* The records of a file. */
struct polyglot {
	uint32_t count;
	bool *seen; /* of the first record of a key: it has been walked to */
	struct polyglot_record records[];
};

/* The first record of the key; count: there is none. */
uint32_t polyglot_first(const struct polyglot *p, uint64_t key);

/* A book of chess, its records as in the file. Release it whatever comes back. */
enum qv_status polyglot_read(const struct qv_context *context, const char *data, size_t size,
			     struct book *out, struct qv_error *error);
/* The book as a file; of chess alone. The heaviest weight of a position fits 16 bits. */
enum qv_status polyglot_write(struct book *b, struct string *out, struct qv_error *error);

/* Whether a name ends with .bin. */
bool polyglot_is_name(const char *path);

/* For the index: what book_options and book_name give. */
int polyglot_options(const struct book *b, const void *state, struct book_option *list);
bool polyglot_has(const struct book *b, const void *state);
void polyglot_free(struct book *b);

#endif
