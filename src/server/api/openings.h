/*
 * openings.h - the built-in opening books for the page: the openings of a game, and the book moves
 * of a position.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_API_OPENINGS_H
#define SERVER_API_OPENINGS_H

#include <jansson.h>

#include "book/book.h"

/* A cache of parsed books. For one thread. */
struct openings;
struct openings *openings_new(const struct qv_context *context);   /* NULL: out of memory */
void openings_free(struct openings *o);                            /* NULL is fine */

/* Is there a built-in book for the game with its default options? */
bool openings_has(const struct qv_game *game);

/*
 * The named lines of the book in its order; JSON null: no book for these rules; NULL: out of
 * memory.
 */
json_t *openings_json(struct openings *o, const struct qv_rules *rules);
/*
 * The book moves at the record's cursor and the name of the opening so far. Returns as above. The
 * record is moved meanwhile but ends up where it was.
 */
json_t *openings_at_json(struct openings *o, struct qv_record *record);

#endif
