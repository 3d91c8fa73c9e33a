/*
 * stack.h - a frame of the two-player search without recursion: the local variables of a node.
 * SPDX-License-Identifier: MIT
 */
#ifndef SEARCH_STACK_H
#define SEARCH_STACK_H

#include "search/duel.h"

struct stack_frame {
	int depth;                 /* plies to the horizon */
	int32_t alpha, beta;       /* the initial window */
	int32_t low, best;         /* the current alpha, and the best value so far */
	int n, place;              /* number of moves; index of the best one */
	struct duel_cursor cursor;
	qv_move move;              /* the one being searched */
	bool scored;               /* the moves have scores: the highest come first */
	bool later;                /* a move has been searched before */
	bool scouted;              /* the move is being searched with a null window */
	bool turns;                /* the other seat moves after the move */
	uint64_t key, guessed;     /* table key; evals + unproven when the node was opened */
	int older_repeated;
};

#endif
