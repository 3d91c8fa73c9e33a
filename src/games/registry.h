/*
 * registry.h - the games that are built in.
 * SPDX-License-Identifier: MIT
 */
#ifndef GAMES_REGISTRY_H
#define GAMES_REGISTRY_H

#include "search/engine.h"

extern const struct engine noughts_engine, connect4_engine, reversi_engine;
extern const struct engine hexapawn_engine, noughts3d_engine;
extern const struct engine race_engine;
extern const struct engine diagram_engine;
extern const struct engine morris_engine;
extern const struct engine minichess_engine;
extern const struct engine chess_engine;
extern const struct engine starchess_engine;

/* Good for any game: everything goes through struct qv_game. Its game is NULL. */
extern const struct engine plugin_engine;

const struct engine *registry_at(int index);     /* NULL ends the list */

#endif
