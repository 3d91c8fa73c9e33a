/*
 * player_2017.h - the player of the minichess document (kind `seed`).
 * SPDX-License-Identifier: MIT
 */
#ifndef GAMES_MINICHESS_PLAYER_2017_H
#define GAMES_MINICHESS_PLAYER_2017_H

#include "search/player_kind.h"

enum {
	SEED_FIRST_DEPTH = 2,
	SEED_LAST_DEPTH = 40,
};

extern const struct player_kind seed_kind;

#endif
