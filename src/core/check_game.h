/*
 * check_game.h - whether a struct qv_game can be trusted with anything at all.
 * SPDX-License-Identifier: MIT
 */
#ifndef CORE_CHECK_GAME_H
#define CORE_CHECK_GAME_H

#include "quevedo.h"

/* The facts are in their bounds and the functions that must be there are; nothing is called. */
enum qv_status check_game(const struct qv_game *game, struct qv_error *error);

#endif
