/*
 * context.h - a context inside: its allocator, and the games it knows.
 * SPDX-License-Identifier: MIT
 */
#ifndef CORE_CONTEXT_H
#define CORE_CONTEXT_H

#include "base/memory.h"
#include "search/engine.h"

const struct qv_allocator *context_allocator(const struct qv_context *context);

struct solver_setup;
struct qv_solver;
/* The solver for that game: its own, or one for any. */
enum qv_status solver_for(const struct solver_setup *setup, struct qv_solver **out,
			  struct qv_error *error);

/* The game's own stamp if it is built in, else the one over struct qv_game. */
const struct engine *context_engine(const struct qv_game *game);

/* The players of a ladder's levels (LADDER_x of core/player.h); NULL: the game has no such ladder. */
const char *const *ladder_levels(const struct qv_game *game, int64_t ladder);

enum { STRONGEST_SPEC = 96 };
/*
 * The strongest player of a game with a limit, "time=1s" or "depth=100": what `best`, hints, the
 * page and engines use unless told otherwise.
 */
void strongest_player(const struct qv_game *game, const char *limit, char spec[STRONGEST_SPEC]);

/* The ratings that players of the game can be asked for; false: none. */
bool context_rated_range(const struct qv_game *game, int *least, int *most);
/* A player of about that rating, or of the nearest there is; false: none. */
bool context_rated(const struct qv_game *game, int elo, char spec[STRONGEST_SPEC]);

#endif
