/*
 * mask_player.h - the players of Star Chess: `mask`, the mask predictor, and `admiral`.
 * SPDX-License-Identifier: MIT
 */
#ifndef GAMES_STARCHESS_MASK_PLAYER_H
#define GAMES_STARCHESS_MASK_PLAYER_H

#include "search/player.h"

player_maker mask_player_new;
player_maker admiral_player_new;           /* admiral_player.c */

#endif
