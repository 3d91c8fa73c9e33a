/*
 * game_json.h - a game in progress as JSON for the page: Play, MoveMessage and LobbyEntry of types.ts.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_API_GAME_JSON_H
#define SERVER_API_GAME_JSON_H

#include <jansson.h>

#include "base/text.h"
#include "session/hosted_game.h"

/* How JSON is written. */
#define GAME_JSON_FORM (JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(10))

/*
 * Play of types.ts has two parts: the head, and the line and tree, which grow with the game and are
 * the same for everybody. user: who is going to read it. connected: bit s is set if the person in
 * seat s follows the game. NULL: not enough memory.
 */
json_t *game_head_json(const struct hosted_game *p, const char *user, unsigned connected,
		       int64_t now);
/* Adds "line":[...] or "tree":[...]. */
void game_add_line(const struct hosted_game *p, struct string *out);
void game_add_tree(const struct hosted_game *p, struct string *out);
/* The head, which it takes, with further keys, as text: malloc'd. NULL: not enough memory. */
char *game_text(json_t *head, const struct string *rest);

/* NULL: not enough memory. The caller owns what comes back. */
json_t *game_move_json(const struct hosted_game *p, int64_t now);
json_t *game_lobby_json(const struct hosted_game *p, int watchers);

#endif
