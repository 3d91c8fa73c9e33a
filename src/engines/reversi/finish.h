/*
 * finish.h - reversi: the endgame solver for players that search.
 * SPDX-License-Identifier: MIT
 */
#ifndef ENGINES_REVERSI_FINISH_H
#define ENGINES_REVERSI_FINISH_H

#include "search/engine.h"

extern const struct finisher_ops reversi_finisher;

#endif
