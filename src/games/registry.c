/*
 * registry.c - the table of built-in games, made from GAME_LIST.
 * SPDX-License-Identifier: MIT
 *
 * The table is constant data. Nothing registers itself at run time, so the order of the games is
 * fixed and no code runs before main.
 */
#include "games/registry.h"

#define ENGINE(name) &name##_engine,
static const struct engine *const engines[] = { GAME_LIST(ENGINE) };

const struct engine *registry_at(int index)
{
	return index < 0 || index >= (int)(sizeof engines / sizeof *engines) ? NULL
									     : engines[index];
}
