/*
 * early_file.h - connect-four: the file of the early positions' scores, and the one that is shipped.
 * SPDX-License-Identifier: MIT
 */
#ifndef CONNECT4_EARLY_FILE_H
#define CONNECT4_EARLY_FILE_H

#include "engines/connect4/early.h"

/* The shipped tables. Of the later ones a search from an early position needs none. */
enum { C4_EARLY_TABLES = 2 };
extern const int c4_early_plies[C4_EARLY_TABLES];

/*
 * Reads a file in memory, which nobody trusts: QV_BAD_INPUT if it is anything else than what
 * c4_early_pack makes. *e is then empty. Release with c4_early_release, which takes {0} too.
 */
enum qv_status c4_early_read(struct c4_early *e, const struct qv_allocator *allocator,
			     const unsigned char *file, size_t size, struct qv_error *error);
void c4_early_release(struct c4_early *e, const struct qv_allocator *allocator);

/* A table in the program. */
enum qv_status c4_early_shipped(struct c4_early *e, int table, const struct qv_allocator *allocator,
				struct qv_error *error);

/* A place that no game reaches, among the scores to be packed: anything will do. */
enum { C4_EARLY_ANY = C4_EARLY_UNKNOWN + 1 };

/*
 * The file for these scores, by place, into c4_early_room(plies) bytes. What is seen at once need
 * not be there.
 */
size_t c4_early_room(int plies);
enum qv_status c4_early_pack(int plies, int8_t *scores, const struct qv_allocator *allocator,
			     unsigned char *file, size_t *size, struct qv_error *error);

#endif
