/*
 * nnue.h - chess: evaluates positions with an NNUE network of Stockfish 15, as a training target.
 * SPDX-License-Identifier: MIT
 *
 * Reads the files of Stockfish 15 and 15.1 (`export_net`): an accumulator of 1024 neurons per side
 * (HalfKAv2_hm features) and behind it eight small networks, chosen by the number of pieces. The
 * value is the network's own as printed by that program's `eval`, in its centipawns. An evaluation
 * takes some ten microseconds; a query to the program itself takes hundreds.
 */
#ifndef LEARN_CHESS_NNUE_H
#define LEARN_CHESS_NNUE_H

#include "base/memory.h"
#include "games/chess/rules.h"

enum {
	NNUE_SIZE = 1024,	  /* neurons of a side's accumulator */
	NNUE_ROWS = 32 * 11 * 64, /* features: own king's square, kind of piece, its square */
	NNUE_STAGES = 8,	  /* networks, by the number of pieces */
	NNUE_FIRST = 16, NNUE_SECOND = 32, /* neurons of the two layers behind it */
	NNUE_FILE_MOST = 1 << 26,
};

/* A network in memory; evaluating does not change it, so threads may share it. */
struct nnue;

/* Parses a file's contents, which may be anything. Free the result with the same allocator. */
enum qv_status nnue_read(const struct qv_allocator *a, const char *data, size_t size,
			 struct nnue **out, struct qv_error *error);
/* The same for a file; QV_IO: it cannot be read. */
enum qv_status nnue_open(const struct qv_allocator *a, const char *path, struct nnue **out,
			 struct qv_error *error);
/* net may be NULL. */
void nnue_free(const struct qv_allocator *a, struct nnue *net);

/* The last position's accumulators, for incremental updates. {0} is a valid empty one. */
struct nnue_memory {
	uint8_t board[CHESS_SQUARES];
	bool known[2];
	int area[2];
	uint16_t sums[2][NNUE_SIZE];
	int32_t stages[2][NNUE_STAGES]; /* sums of the piece-square values of each stage */
};

/* The value for the side to move. It depends on the position alone, not on *memory. */
int32_t nnue_value(const struct nnue *net, const struct chess *s, struct nnue_memory *memory);

#endif
