/*
 * stack.h - one node of the two-player search without recursion: what the recursive one keeps in
 * its local variables.
 * SPDX-License-Identifier: MIT
 */
#ifndef SEARCH_STACK_H
#define SEARCH_STACK_H

#include "search/duel.h"

struct stack_frame {
	int depth;                 /* plies to the horizon */
	int32_t alpha, beta;       /* the window as it came */
	int32_t low, best;         /* alpha as it rises, and the best value so far */
	int n, place;              /* how many moves there are; where the best one stands */
	struct duel_cursor cursor;
	qv_move move;              /* the one being searched */
	bool scored;               /* the moves have scores: the highest come first */
	bool later;                /* a move has been searched before */
	bool scouted;              /* the move is searched with a window of nothing */
	bool turns;                /* the turn passes with the move */
	uint64_t key, guessed;     /* for the table: the position, and the guesses before it */
	int older_repeated;
};

#endif
