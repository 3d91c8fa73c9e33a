/*
 * early_file.h - connect-four: the file format of the early positions' scores, and the shipped
 * files.
 * SPDX-License-Identifier: MIT
 */
#ifndef GAMES_CONNECT4_EARLY_FILE_H
#define GAMES_CONNECT4_EARLY_FILE_H

#include "games/connect4/early.h"

/* The shipped tables, by index. A search from an early position reads only those it needs. */
enum { C4_EARLY_TABLES = 2 };
extern const int c4_early_plies[C4_EARLY_TABLES];

/*
 * Reads a file in memory, which need not be trusted and must outlive *e. QV_BAD_INPUT, with
 * e->codes NULL, unless it is a complete and undamaged table.
 */
enum qv_status c4_early_read(struct c4_early *e, const unsigned char *file, size_t size,
			     struct qv_error *error);

/* Reads an embedded table, by index into c4_early_plies. */
enum qv_status c4_early_shipped(struct c4_early *e, int table, struct qv_error *error);

/*
 * Writes the file for these scores, by index, into c4_early_size(plies) bytes. Scores that
 * c4_seen_at_once finds may be missing.
 */
size_t c4_early_size(int plies);
void c4_early_pack(int plies, const int8_t *scores, unsigned char *file);

#endif
