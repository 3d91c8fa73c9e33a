/*
 * pattern_data.h - reversi: the weights of the patterns that come with the library.
 * SPDX-License-Identifier: MIT
 */
#ifndef ENGINES_REVERSI_PATTERN_DATA_H
#define ENGINES_REVERSI_PATTERN_DATA_H

#include "games/reversi/pattern.h"

extern const struct reversi_patterns reversi_pattern_weights
	__attribute__((visibility("hidden")));

#endif
