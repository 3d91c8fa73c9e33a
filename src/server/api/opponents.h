/*
 * opponents.h - the computer opponents of a game, for the page, and their names.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_API_OPPONENTS_H
#define SERVER_API_OPPONENTS_H

#include <jansson.h>

#include "quevedo.h"

/*
 * The ladders of a game, its own first: [{name, title, help, levels: [{spec, name, player}]}]. A
 * seat is given a level's spec; the player is the spec that the level stands for. NULL: out of
 * memory.
 */
json_t *ladders_json(const struct qv_game *game);

/* Writes the name of a computer's seat: "level 4", "Lurgee level 6 (documents)", or its spec. */
void opponent_name(const char *spec, char *out, size_t size);

#endif
