/*
 * nnue.h - chess: static values by a large net of another program, to learn from.
 * SPDX-License-Identifier: MIT
 *
 * The file is one that Stockfish 15 and 15.1 read and write (`export_net`): 1024 sums a side of
 * what stands where relative to the own king, and behind them eight small nets, by the number of
 * men. The value is what that program's `eval` prints as the net's own, in its hundredths of a
 * pawn. Asking costs some ten microseconds, where asking the program itself takes hundreds.
 */
#ifndef LEARN_CHESS_NNUE_H
#define LEARN_CHESS_NNUE_H

#include "base/memory.h"
#include "games/chess/rules.h"

enum {
	NNUE_SIZE = 1024,	  /* of each side's sum */
	NNUE_ROWS = 32 * 11 * 64, /* the own king's place, a kind of man, its place */
	NNUE_STAGES = 8,	  /* by the number of men */
	NNUE_FIRST = 16,
	NNUE_SECOND = 32, /* layers */
	NNUE_FILE_MOST = 1 << 26,
};

struct nnue;

/* Any bytes. Free it with the same allocator. */
enum qv_status nnue_read(const struct qv_allocator *a, const char *data, size_t size,
			 struct nnue **out, struct qv_error *error);
enum qv_status nnue_open(const struct qv_allocator *a, const char *path, struct nnue **out,
			 struct qv_error *error);
void nnue_free(const struct qv_allocator *a, struct nnue *net);

/* The last position's sums, so that the next one's need but what differs. {0} knows none. */
struct nnue_memory {
	uint8_t board[CHESS_SQUARES];
	bool known[2];
	int area[2];
	uint16_t sums[2][NNUE_SIZE];
	int32_t stages[2][NNUE_STAGES]; /* sums of what the men are worth at each stage */
};

/* For who moves. It depends on the position alone. */
int32_t nnue_value(const struct nnue *net, const struct chess *s, struct nnue_memory *memory);

#endif
