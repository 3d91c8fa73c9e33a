/*
 * players.h - the players of Star Chess: `mask`, the mask predictor, and `admiral`.
 * SPDX-License-Identifier: MIT
 */
#ifndef GAMES_STARCHESS_PLAYERS_H
#define GAMES_STARCHESS_PLAYERS_H

#include "base/text.h"
#include "games/starchess/predict.h"
#include "search/player_kind.h"

/* The options of these kinds alone. */
struct mask_settings {
	int64_t turns, masks, all_masks, gains, skip_dead, build_threat, garrison, miss;
	int64_t model; /* admiral: how the others plan */
};
_Static_assert(sizeof(struct mask_settings) <= SETTINGS_OWN, "own settings are too large");
static inline const struct mask_settings *mask_settings(const struct settings *set)
{
	return (const struct mask_settings *)(const void *)set->own;
}

extern const struct player_kind mask_kind, admiral_kind;

/* How a player of the kind mask with these settings predicts. */
struct predict_how mask_how(const struct settings *set);

/* A command in the view of faction `me` as a move of the rules. */
qv_move turn_absolute(qv_move move, int me);

/*
 * explain.c: appends one JSON object: "seat", "turns" (the player's key), "levels" (faction turns
 * looked ahead), "generated" and "evaluated" positions, "all" (number of masks), "requests"
 * [{"sector", "goal", "priority", "least", "most", "threat"}] in order, "masks" [{"without"
 * (sectors), "scores" (of the four factions; null: unknown)}] in the order they were tried,
 * "chosen" (an index into that list), and "line" [{"seat", "without", "commands", "scores"}]: the
 * turns it expects, its own first, with the scores after each. QV_UNSUPPORTED: the player is not of
 * the kind mask. QV_STOPPED: the object is complete, but found in less time than it needs.
 */
enum qv_status starchess_explain(const struct qv_player *player, const void *state,
				 const struct qv_limits *limits, struct string *out,
				 struct qv_error *error);
/*
 * The same with "tree": {"seen" (all turns that were searched), "nodes" (the first of them, `turns`
 * at most)}. A node is {"parent" (index, -1: the root), "level" (faction turns before it), "seat",
 * "without" (sectors), "commands", "scores" (it leads to; null: unknown), "best" (index of the turn
 * chosen after it, -1: none)}.
 */
enum qv_status starchess_explain_tree(const struct qv_player *player, const void *state,
				      const struct qv_limits *limits, int turns, struct string *out,
				      struct qv_error *error);

#endif
