/*
 * explain.h - explains how the mask predictor finds its turn.
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
 * Appends one JSON object: "seat", "turns" (the player's key), "levels" (faction turns looked
 * ahead), "generated" and "evaluated" positions, "all" (number of masks), "requests" [{"sector",
 * "goal", "priority", "least", "most", "threat"}] in order, "masks" [{"without" (sectors), "scores"
 * (of the four factions; null: unknown)}] in the order they were tried, "chosen" (an index into
 * that list), and "line" [{"seat", "without", "commands", "scores"}]: the turns it expects, its own
 * first, with the scores after each.
 */
enum qv_status starchess_explain(const struct qv_player *player, const void *state,
				 const struct qv_limits *limits, struct string *out,
				 struct qv_error *error);

#endif
