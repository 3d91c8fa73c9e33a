/*
 * mask_player.h - the players of Star Chess: `mask`, the mask predictor, and `admiral`.
 * SPDX-License-Identifier: MIT
 */
#ifndef GAMES_STARCHESS_MASK_PLAYER_H
#define GAMES_STARCHESS_MASK_PLAYER_H

#include "search/player_kind.h"

/* Settings of these kinds alone. */
struct mask_settings {
	int64_t turns, masks, all_masks, gains, skip_dead, build_threat, garrison;
	int64_t model; /* admiral: how the others plan */
};
_Static_assert(sizeof(struct mask_settings) <= SETTINGS_OWN, "own settings are too large");
static inline const struct mask_settings *mask_settings(const struct settings *set)
{
	return (const struct mask_settings *)(const void *)set->own;
}

extern const struct option turns_option[];
extern const struct player_kind mask_kind, admiral_kind;

#endif
