/*
 * twins.h - games that are compiled twice: portably, and for newer processors.
 * SPDX-License-Identifier: MIT
 *
 * On x86-64 a portable build does without what processors have got since about 2013 (AVX2, BMI,
 * POPCNT). Where that costs much, CMakeLists.txt compiles the sources of a game once more with it,
 * as NAME_engine_fast. Both forms do the same, to the node. registry_at returns the one for this
 * processor, and everybody takes engines from there, so that a game has one address.
 */
#ifndef GAMES_TWINS_H
#define GAMES_TWINS_H

#include "games/registry.h"

/* The games of CMakeLists.txt's fast_objects. */
#define TWIN_LIST(X) \
	X(chess)     \
	X(gomoku)    \
	X(minichess) \
	X(morris)    \
	X(noughts3d) \
	X(reversi)   \
	X(starchess)

/* Indices for registry_at: GAME_noughts, GAME_connect4 ... */
#define NUMBER_GAME(name) GAME_##name,
enum { GAME_LIST(NUMBER_GAME) GAME_COUNT };
#undef NUMBER_GAME

/* As registry_at, but always the portable form. For tests. */
const struct engine *registry_portable(int index);

#endif
