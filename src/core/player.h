/*
 * player.h - from a spec to a player without a book, in two steps.
 * SPDX-License-Identifier: MIT
 */
#ifndef CORE_PLAYER_H
#define CORE_PLAYER_H

#include "search/player.h"

/* Reads a spec; a level is replaced by what it stands for, and keeps the book it was given. */
enum qv_status player_settings(const struct qv_game *game, const char *spec,
			       const struct qv_defaults *defaults, struct settings *out,
			       struct qv_error *error);
/* The player of those settings. What they say of a book is not looked at. */
enum qv_status player_make(const struct qv_context *context, const struct qv_rules *rules,
			   const struct settings *settings, const struct qv_defaults *defaults,
			   struct qv_player **out, struct qv_error *error);

#endif
