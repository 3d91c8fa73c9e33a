/*
 * order.h - connect-four: moves ordered by the number of threats they make.
 * SPDX-License-Identifier: MIT
 */
#ifndef GAMES_CONNECT4_ORDER_H
#define GAMES_CONNECT4_ORDER_H

#include "games/connect4/evaluate.h"

struct c4_order {
	uint64_t move[C4_WIDTH];
	int threats[C4_WIDTH];
	int count;
};

/* Columns from the middle outwards: the middle is in most fours. */
static const int c4_from_middle[C4_WIDTH] = { 3, 2, 4, 1, 5, 0, 6 };

/* Sorts a set of moves; among equals the one nearest the middle comes first. */
static inline void c4_order_moves(struct c4_order *list, uint64_t moves, uint64_t mine,
				  uint64_t all)
{
	list->count = 0;
	for (int i = 0; i < C4_WIDTH; i++) {
		const uint64_t move = moves & C4_COLUMN(c4_from_middle[i]);
		if (!move)
			continue;
		const int threats = bits_count(c4_threats(mine | move, all | move));
		int at = list->count++;
		for (; at > 0 && list->threats[at - 1] < threats; at--) {
			list->move[at] = list->move[at - 1];
			list->threats[at] = list->threats[at - 1];
		}
		list->move[at] = move;
		list->threats[at] = threats;
	}
}

#endif
