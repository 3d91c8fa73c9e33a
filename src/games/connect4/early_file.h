/*
 * early_file.h - connect-four: the file of the early positions' scores, and the one that is
 * shipped.
 * SPDX-License-Identifier: MIT
 */
#ifndef GAMES_CONNECT4_EARLY_FILE_H
#define GAMES_CONNECT4_EARLY_FILE_H

#include "games/connect4/early.h"

/* The shipped tables. Of the later ones a search from an early position needs none. */
enum { C4_EARLY_TABLES = 2 };
extern const int c4_early_plies[C4_EARLY_TABLES];

/*
 * Takes a file in memory, which nobody trusts and which must outlive *e: QV_BAD_INPUT, and e->codes
 * is NULL, if it is not such a table, whole and undamaged.
 */
enum qv_status c4_early_read(struct c4_early *e, const unsigned char *file, size_t size,
			     struct qv_error *error);

/* A table in the program. */
enum qv_status c4_early_shipped(struct c4_early *e, int table, struct qv_error *error);

/*
 * The file for these scores, by place, into c4_early_size(plies) bytes. What is seen at once need
 * not be there.
 */
size_t c4_early_size(int plies);
void c4_early_pack(int plies, const int8_t *scores, unsigned char *file);

#endif
