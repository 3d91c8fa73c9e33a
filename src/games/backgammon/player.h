/*
 * player.h - the player kind `equity` of backgammon.
 * SPDX-License-Identifier: MIT
 */
#ifndef BACKGAMMON_PLAYER_H
#define BACKGAMMON_PLAYER_H

#include "search/player_kind.h"

struct string; /* base/text.h */

extern const struct player_kind equity_kind;

/*
 * Appends one JSON object: "seat", "evaluated" (positions) and "candidates": the moves, the best
 * first, each with "move", "plies" (how deep it was looked at), "equity" (of the move, with the
 * cube; in a match 2 * the chance to win it - 1) and the chances "win", "win_gammon",
 * "win_backgammon", "lose_gammon" and "lose_backgammon" without the cube. Deliberate errors are left
 * out. QV_UNSUPPORTED: the player is not of the kind equity. QV_STOPPED: the object is complete, but
 * found in less time than it needs.
 */
enum qv_status equity_explain(const struct qv_player *player, const void *state,
			      const struct qv_limits *limits, struct string *out,
			      struct qv_error *error);

#endif
