/*
 * explain.h - how the mask predictor comes to its turn, told for people.
 * SPDX-License-Identifier: MIT
 */
#ifndef GAMES_STARCHESS_EXPLAIN_H
#define GAMES_STARCHESS_EXPLAIN_H

#include "base/text.h"
#include "games/starchess/predict.h"
#include "search/player.h"

/* mask_player.c */
struct predict_how mask_how(const struct settings *set);

/*
 * One JSON object: "seat", "turns" (the player's key), "levels" (player turns looked at),
 * "generated" and "evaluated" positions, "all" (masks there are), "requests" [{"sector", "goal",
 * "priority", "least", "most", "threat"}] in their order, "masks" [{"without" (sectors), "scores"
 * (of the four factions; null: not known)}] in the order they were tried, "chosen" (a place in that
 * list), and "line" [{"seat", "without", "commands", "scores"}]: the turns it expects, its own
 * first, with the scores after each.
 */
enum qv_status starchess_explain(const struct qv_player *player, const void *state,
				 const struct qv_limits *limits, struct string *out,
				 struct qv_error *error);

#endif
