/*
 * strategy.h - 3D noughts and crosses: the moves that win for the crosses from the empty cube.
 * SPDX-License-Identifier: MIT
 *
 * The strategy has a move for each position that can arise while the crosses follow it, except
 * where the move is found without it: where the crosses win by threats alone, and where they must
 * block a four. Of symmetric positions it has one (n3_least_image). strategy.c describes the file.
 */
#ifndef GAMES_NOUGHTS3D_STRATEGY_H
#define GAMES_NOUGHTS3D_STRATEGY_H

#include "games/noughts3d/rules.h"

/* A strategy in a file's bytes, which it borrows. {0} is valid and has no moves. */
struct n3_strategy {
	const unsigned char *records;
	size_t count;
};

/*
 * The move for a position of the crosses, a smallest symmetric one; 0: the strategy has none.
 * Whatever the file holds, the square is empty.
 */
uint64_t n3_strategy_find(const struct n3_strategy *t, const struct n3 *s);

/*
 * Reads a file in memory, which need not be trusted and must outlive *t. QV_BAD_INPUT, with no
 * moves in *t, unless it is complete and undamaged.
 */
enum qv_status n3_strategy_read(struct n3_strategy *t, const unsigned char *file, size_t size,
				struct qv_error *error);

/* Reads the embedded file. */
enum qv_status n3_strategy_shipped(struct n3_strategy *t, struct qv_error *error);

/* A position of the crosses and their move. */
struct n3_strategy_record {
	struct n3 position;
	uint64_t move;
};

/* Writes the file of these records, which it sorts, into n3_strategy_size(count) bytes. */
size_t n3_strategy_size(size_t count);
void n3_strategy_pack(struct n3_strategy_record *records, size_t count, unsigned char *file);

#endif
