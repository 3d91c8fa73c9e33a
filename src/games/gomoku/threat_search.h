/*
 * threat_search.h - go-moku: the player kind `threats`, an alpha-beta search of threats.
 * SPDX-License-Identifier: MIT
 */
#ifndef GOMOKU_THREAT_SEARCH_H
#define GOMOKU_THREAT_SEARCH_H

#include "search/duel.h"
#include "search/player_kind.h"

extern const struct player_kind gomoku_threats_kind;
extern const struct duel_ops gomoku_threat_ops; /* its part of the game */

#endif
