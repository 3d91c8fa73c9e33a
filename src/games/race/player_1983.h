/*
 * player_1983.h - the 1983 book's program for Race!: one ply, scoring the move itself.
 * SPDX-License-Identifier: MIT
 *
 * Line 890 subtracts 10 if the piece that moves stands alone. Breaking up a pair was certainly
 * meant, because a pair is a block; literal=1 follows the line as printed. A piece leaving the
 * start does neither.
 */
#ifndef GAMES_RACE_PLAYER_1983_H
#define GAMES_RACE_PLAYER_1983_H

#include "games/race/rules.h"
#include "search/one_ply.h"

enum {
	DUMMIES = 5,               /* the book's number of a square is ours plus these */
	CAPTURE = 40,
	NEW_BLOCK = 20,
	LINE_890 = -10,
	ENTERING = 5,
	HOME = 40,
	NO_MOVE = -999,
};

static int race_1983_pieces_on(const struct race *s, int seat, int square)
{
	int n = 0;
	for (int i = 0; i < RACE_PIECES; i++)
		n += s->at[seat][i] == square;
	return RACE_TRACK >> square & 1 ? n : 0;
}

static int32_t race_1983_score(const void *state, qv_move move, bool literal)
{
	const struct race *s = state;
	if (move == RACE_PASS)
		return NO_MOVE;
	const int from = (int)move, to = race_target(from, s->roll), me = s->turn;
	int32_t sum = to + DUMMIES;
	sum += race_1983_pieces_on(s, 1 - me, to) == 1 ? CAPTURE : 0;
	sum += race_1983_pieces_on(s, me, to) == 1 ? NEW_BLOCK : 0;
	sum += race_1983_pieces_on(s, me, from) == (literal ? 1 : 2) ? LINE_890 : 0;
	sum += to == RACE_ENTRY ? ENTERING : 0;
	sum += to == RACE_HOME ? HOME : 0;
	return sum;
}

static const struct one_ply_program race_program_1983 = { race_1983_score, NULL, NULL, true };

#endif
