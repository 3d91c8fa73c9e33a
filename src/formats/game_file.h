/*
 * game_file.h - the first game of a file in any format that we read, as a journal.
 * SPDX-License-Identifier: MIT
 */
#ifndef FORMATS_GAME_FILE_H
#define FORMATS_GAME_FILE_H

#include "formats/pgn.h"

/* Whether the text is in one of the formats that are not ours: PGN, PDN, SGF, GGF. */
bool game_file_looks_like(const char *data, size_t size);

/* How many moves and rolls the text may have if its game has dice; else 0. */
size_t game_file_count_dice(const char *data, size_t size);

/*
 * Appends the first game as a journal. most: as for PGN. An error is "line N: WHY", as far as a line
 * is to blame.
 */
enum qv_status game_file_to_journal(const struct qv_context *context, const char *data, size_t size,
				    struct pgn_bounds most, struct string *out,
				    struct qv_error *error);

#endif
