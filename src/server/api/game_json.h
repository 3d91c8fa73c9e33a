/*
 * game_json.h - a game in progress as JSON for the page: Play, MoveMessage and LobbyEntry of
 * types.ts; and the computer opponents of a game.
 * SPDX-License-Identifier: MIT
 *
 * Whatever returns JSON or text returns NULL if memory runs out; otherwise the caller owns it.
 */
#ifndef SERVER_API_GAME_JSON_H
#define SERVER_API_GAME_JSON_H

#include <jansson.h>

#include "base/text.h"
#include "session/hosted_game.h"

/* Jansson flags for all JSON of the API. */
#define GAME_JSON_FORM (JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(10))

/* A string, or null for "" and NULL. */
static inline json_t *text_or_null(const char *text)
{
	return text && *text ? json_string(text) : json_null();
}

/* ---- Games in progress ---- */

/*
 * Play of types.ts has two parts: the head, and the line and tree, which grow with the game and are
 * the same for everybody. user: the reader. connected: bit s is set if the person in seat s follows
 * the game. now: ms of the game's clock.
 */
json_t *game_head_json(const struct hosted_game *p, const char *user, unsigned connected,
		       int64_t now);
/* "line":[...],"tree":[...]; check `failed`, or pass it to game_text. The caller releases it. */
struct string game_line_and_tree(const struct hosted_game *p);
/* Adds "tree":[...]. */
void game_add_tree(const struct hosted_game *p, struct string *out);
/* The head, which it takes, with further keys, as text for free(). */
char *game_text(json_t *head, const struct string *rest);

json_t *game_move_json(const struct hosted_game *p, int64_t now);
/* FinishedGame of types.ts, as the user sees it. ended: seconds since 1970. */
json_t *game_finished_json(const struct hosted_game *p, const char *user, int64_t ended);
json_t *game_lobby_json(const struct hosted_game *p, int watchers);
/* The same for the user's own list: whose turn it is, and what time is left. Takes the JSON. */
json_t *game_add_mine(const struct hosted_game *p, const char *user, int64_t now, json_t *entry);

/* ---- Opponents: opponents.c ---- */

/*
 * The ladders of a game, its own first: [{name, title, help, levels: [{spec, name, player}]}]. A
 * seat is given a level's spec; the player is the spec that the level stands for.
 */
json_t *ladders_json(const struct qv_game *game);

/* The classic opponents of a game: Classic of types.ts. */
json_t *classics_json(const struct qv_game *game);

/*
 * Writes the name that pages show for a seat: of a person, "" for an open seat, and for a computer
 * "Casual 2", "Lurgee level 6", the title of a classic opponent, or its spec.
 */
void hosted_seat_name(const struct qv_game *game, const struct hosted_seat *seat,
		      char out[HOSTED_SPEC_ROOM]);

#endif
