/*
 * mask_player.h - the player `mask`: the mask predictor of Star Chess.
 * SPDX-License-Identifier: MIT
 */
#ifndef ENGINES_STARCHESS_MASK_PLAYER_H
#define ENGINES_STARCHESS_MASK_PLAYER_H

#include "search/player.h"

player_maker mask_player_new;

#endif
