/*
 * openings.h - the books that come with the program, for pages: the openings of a game, and what a
 * book says of a position.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_API_OPENINGS_H
#define SERVER_API_OPENINGS_H

#include <jansson.h>

#include "book/book.h"

/* Books are read when they are first asked for, and kept. One thread. */
struct openings;
struct openings *openings_new(const struct qv_context *context);   /* NULL: no memory */
void openings_free(struct openings *o);                            /* NULL is fine */

/* Whether a book for the game with its usual options comes along. */
bool openings_has(const struct qv_game *game);

/*
 * All of these give NULL for want of memory, and JSON's null if there is no book for these rules.
 * The lines of the book, in its order.
 */
json_t *openings_json(struct openings *o, const struct qv_rules *rules);
/* The moves of the book where the record stands, and the last name on the way there. */
json_t *openings_at_json(struct openings *o, struct qv_record *record);

#endif
