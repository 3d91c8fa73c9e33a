/*
 * registry.h - the list of built-in games.
 * SPDX-License-Identifier: MIT
 *
 * To add a game:
 *
 *  1. Write the folder src/games/NAME: rules.h and text.c (start from those of noughts), board.c
 *     for pages, and game.c, which stamps the rules into the searches and defines NAME_engine.
 *  2. Add one line to GAME_LIST below.
 *
 * The build compiles every .c file of the folder. The commands, the server, the conformance suite
 * and the fuzz targets find the game through this list. A second, literal version of the rules for
 * the tests goes to tests/twins.
 */
#ifndef GAMES_REGISTRY_H
#define GAMES_REGISTRY_H

#include "search/engine.h"

/* In the order in which commands and pages list the games. */
#define GAME_LIST(X)  \
	X(noughts)    \
	X(connect4)   \
	X(reversi)    \
	X(hexapawn)   \
	X(noughts3d)  \
	X(race)       \
	X(warptrog)   \
	X(backgammon) \
	X(morris)     \
	X(draughts)   \
	X(minichess)  \
	X(gomoku)     \
	X(diagram)    \
	X(chess)      \
	X(starchess)

#define DECLARE_ENGINE(name) extern const struct engine name##_engine;
GAME_LIST(DECLARE_ENGINE)
#undef DECLARE_ENGINE

/* For plug-ins: works with any game, through struct qv_game alone. Its own `game` is NULL. */
extern const struct engine plugin_engine;

/* The built-in game at an index from 0; NULL for any other index. */
const struct engine *registry_at(int index);

#endif
