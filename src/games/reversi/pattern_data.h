/*
 * pattern_data.h - reversi: the weights of the patterns that come with the library.
 * SPDX-License-Identifier: MIT
 */
#ifndef GAMES_REVERSI_PATTERN_DATA_H
#define GAMES_REVERSI_PATTERN_DATA_H

#include "base/embed.h"
#include "games/reversi/pattern.h"

/* As tools/expand-patterns.c expands them. */
EMBEDDED(struct reversi_patterns reversi_pattern_weights);

#endif
