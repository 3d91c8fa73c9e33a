/*
 * finisher.h - reversi: the endgame solver for players that search.
 * SPDX-License-Identifier: MIT
 */
#ifndef GAMES_REVERSI_FINISHER_H
#define GAMES_REVERSI_FINISHER_H

#include "search/engine.h"

extern const struct finisher_ops reversi_finisher;

#endif
