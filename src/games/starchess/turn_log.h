/*
 * turn_log.h - the commands of a turn, written down.
 * SPDX-License-Identifier: MIT
 */
#ifndef GAMES_STARCHESS_TURN_LOG_H
#define GAMES_STARCHESS_TURN_LOG_H

#include "games/starchess/rules.h"

enum { TURN_COMMANDS = 512 };

/* In the numbering of the view. */
struct turn_log {
	int count;
	qv_move moves[TURN_COMMANDS];
};

#endif
