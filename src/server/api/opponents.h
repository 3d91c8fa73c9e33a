/*
 * opponents.h - whom a game can be played against, as data for pages and in words for people.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_API_OPPONENTS_H
#define SERVER_API_OPPONENTS_H

#include <jansson.h>

#include "quevedo.h"

/*
 * The ladders of a game, its own first: [{name, title, help, levels: [{spec, name, player}]}]. A
 * level's spec is what a seat may ask for, its player the one that it stands for. NULL: no memory.
 */
json_t *ladders_json(const struct qv_game *game);

/* The name of a computer's seat: "level 4", "Lurgee level 6 (documents)", "perfect", or its spec.
 */
void opponent_name(const char *spec, char *out, size_t size);

#endif
