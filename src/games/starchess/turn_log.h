/*
 * turn_log.h - the commands of a generated turn, in order.
 * SPDX-License-Identifier: MIT
 *
 * The tree search makes turns without their commands, because it needs only the galaxy after them.
 * Once a turn is chosen, log_turn makes it again and records the commands that a player gives.
 */
#ifndef GAMES_STARCHESS_TURN_LOG_H
#define GAMES_STARCHESS_TURN_LOG_H

#include "games/starchess/rules.h"

struct forced;
struct relative_maps;
struct requests;
struct turn_past;

enum { TURN_COMMANDS = 512 };

/* Sectors are numbered in the view of the faction to move (relative.h). */
struct turn_log {
	int count;
	qv_move moves[TURN_COMMANDS];
};

/*
 * Makes the turn of a mask on *g, which is in the view of the faction to move, and sets *log to its
 * commands. past: what the faction has already done this turn. forced: may be NULL.
 */
void log_turn(const struct relative_maps *maps, const struct requests *r, unsigned mask,
	      const struct turn_past *past, const struct forced *forced, struct sc_galaxy *g,
	      struct turn_log *log);

/* Sets *past to what the faction to move has already done this turn, in its view. */
void turn_past_of(const struct starchess *s, struct turn_past *past);

#endif
