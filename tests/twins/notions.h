/*
 * notions.h - the strategic terms of a position a second time: slow, straight from the theory.
 * SPDX-License-Identifier: MIT
 *
 * Positions are texts, cells are names. A twin lists all that the theory names, in any order, and
 * shares nothing with src/games.
 */
#ifndef TWINS_NOTIONS_H
#define TWINS_NOTIONS_H

#include <stdbool.h>

enum { TWIN_NOTIONS = 32 };

struct twin_notion {
	char name[32];
	int seat; /* -1: nobody's */
	int value;
	int cell_count;
	char cells[64][16];
};

int twin_connect4_notions(const char *position, struct twin_notion list[TWIN_NOTIONS]);
int twin_reversi_notions(const char *position, struct twin_notion list[TWIN_NOTIONS]);

#endif
