/*
 * context.h - the inside of a context: its allocator, its games, and what is chosen for a game by
 * default.
 * SPDX-License-Identifier: MIT
 */
#ifndef CORE_CONTEXT_H
#define CORE_CONTEXT_H

#include "base/memory.h"
#include "search/engine.h"

/* The context's allocator; valid as long as the context. */
const struct qv_allocator *context_allocator(const struct qv_context *context);

/* The path of the plug-in that was loaded as number `index`, from 0; NULL after the last one. */
const char *context_plugin_at(const struct qv_context *context, int index);

/*
 * Checks that the facts of a game are within bounds and that its required functions are set. Calls
 * none of them. QV_UNSUPPORTED: another interface version. QV_ILLEGAL: anything else.
 */
enum qv_status check_game(const struct qv_game *game, struct qv_error *error);
/* The name of the first required function that the game lacks; NULL: it has all of them. */
const char *missing_function(const struct qv_game *game);

/*
 * The evaluations that were added to a game, up to a NULL name; NULL: none. Valid as long as the
 * context.
 */
const struct qv_evaluation *context_added(const struct qv_context *context,
					  const struct qv_game *game);
/* The table added as number `index`, from 0, and its game; NULL after the last one. */
const struct qv_evaluation *context_added_at(const struct qv_context *context, int index,
					     const struct qv_game **game);

struct solver_setup;
struct qv_solver;
/*
 * Creates the solver for a game: its own if it has one, else the general search. QV_UNSUPPORTED:
 * the game has chance or does not have two seats.
 */
enum qv_status solver_for(const struct solver_setup *setup, struct qv_solver **out,
			  struct qv_error *error);

/*
 * As qv_player_think, for use inside the library: the sizes of limits, listeners and answer need
 * not be set, and are not.
 */
enum qv_status player_choose(struct qv_player *player, const void *state,
			     const struct qv_limits *limits, const struct qv_listener *listener,
			     struct qv_answer *out, struct qv_error *error);
/*
 * As qv_solver_solve, for use inside the library: the sizes of limits and solution need not be set,
 * and are not.
 */
enum qv_status solver_run(struct qv_solver *solver, const void *state,
			  const struct qv_solve_limits *limits, struct qv_solution *out,
			  struct qv_error *error);

/* Copies the defaults of a caller, of whatever size; NULL gives zeros. */
enum qv_status defaults_in(const struct qv_defaults *from, struct qv_defaults *to,
			   struct qv_error *error);

/* Writes the empty board of a game that has one, also of a plug-in of an older interface. */
void board_layout(const struct qv_rules *rules, struct qv_layout *out);

/* The search code compiled for this game if it is built in, else the general code for plug-ins. */
const struct engine *context_engine(const struct qv_game *game);

/*
 * What the context's players share in this game (struct shared_ops); NULL: nothing. Valid as long
 * as the context.
 */
void *context_shared(const struct qv_context *context, const struct engine *engine);

/*
 * What users of a context in several threads share about a built-in game, made when it is first
 * needed and freed with the context. Made by a higher layer: the parsed books that are built into
 * the program (book/read.c). A game has one such value. QV_UNKNOWN: the game is not built in.
 */
struct kept_ops {
	enum qv_status (*make)(const struct qv_context *context, const struct qv_game *game,
			       void **out, struct qv_error *error);
	void (*free)(const struct qv_allocator *allocator, void *kept);
};
enum qv_status context_keep(const struct qv_context *context, const struct qv_game *game,
			    const struct kept_ops *ops, void **out, struct qv_error *error);

/*
 * The player specs of a ladder's levels (LADDER_x of core/player.h); NULL: the game has no such
 * ladder.
 */
const char *const *ladder_levels(const struct qv_game *game, int64_t ladder);

enum { LEVEL_NAME = 24 };
/*
 * Writes the name of one of the game's own levels: "Beginner" to "Master", or "Perfect" for a last
 * level that is proved to play perfectly.
 */
void level_name(const struct qv_game *game, int64_t level, char out[LEVEL_NAME]);

enum { STRONGEST_SPEC = 128 };
/*
 * Writes the spec of the game's strongest player with a limit, "time=1s" or "depth=100". Analyses
 * and engine protocols use it by default. With a time limit it first tries to prove the position,
 * where the game has a solver or tables that may be fast enough.
 */
void strongest_player(const struct qv_game *game, const char *limit, char spec[STRONGEST_SPEC]);
/*
 * The same for a move rather than a score. `best` and hints use it by default: it plays the main
 * lines of the program's opening book, if the levels of the game use that book.
 */
void hint_player(const struct qv_game *game, const char *limit, char spec[STRONGEST_SPEC]);

/* The range of Elo ratings for which the game has players; false: it has no rated players. */
bool context_rated_range(const struct qv_game *game, int *least, int *most);
/*
 * Writes the spec of a player of about this rating, or of the nearest one; false: no rated players.
 */
bool context_rated(const struct qv_game *game, int elo, char spec[STRONGEST_SPEC]);

#endif
