/*
 * obf.h - reversi positions with the values of their moves: lines of Othello Board Files (OBF).
 * SPDX-License-Identifier: MIT
 *
 *     --XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12; % ffo-1
 *
 * A line has a position, then moves with the final difference of discs after best play, for the side
 * to move, each ended by a semicolon. A number without a move is the value of the position. A percent
 * sign begins a comment.
 */
#ifndef FORMATS_OBF_H
#define FORMATS_OBF_H

#include "games/reversi/rules.h"

enum { OBF_MAX_COMMENT = 80 };

struct obf {
	struct reversi state;
	int count;
	qv_move moves[REVERSI_MAX_MOVES + 1];
	int scores[REVERSI_MAX_MOVES + 1];
	bool has_best;
	int best;		       /* of the position, or of the best move that has a score */
	char comment[OBF_MAX_COMMENT]; /* cut if it is long */
};

/* Whether the text begins with a line of a file; comments and empty lines may precede it. */
bool obf_looks_like(const char *text);
/* Reads a line, NUL-terminated. On failure *out is undefined. */
enum qv_status obf_read(const char *line, struct obf *out, struct qv_error *error);
/* The score of the move; false: the line has none for it. */
bool obf_score(const struct obf *o, qv_move move, int *score);

#endif
