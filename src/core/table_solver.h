/*
 * table_solver.h - endgame tables as a solver, for `solve` and for the player `perfect`.
 * SPDX-License-Identifier: MIT
 */
#ifndef CORE_TABLE_SOLVER_H
#define CORE_TABLE_SOLVER_H

#include "search/settings.h"
#include "search/solver.h"
#include "solve/table_search.h"

/*
 * Initializes the spaces of the game under the name of its tables' folder. sizes_only: only their
 * names and sizes, which takes no precomputation. Release them with spaces_release.
 */
enum qv_status table_spaces(const struct qv_allocator *allocator, const struct qv_rules *rules,
			    bool sizes_only, struct spaces *out, struct qv_error *error);
/* The retrograde analysis compiled for the game, else the general one. (tables.c) */
const struct retro_ops *table_retro_ops(const struct qv_game *game);

/*
 * As qv_solver_new_tables, with an allocator that must outlive the solver. Folder NULL: only the
 * tables of the library, here and below.
 */
enum qv_status table_solver_new(const struct qv_allocator *allocator, const struct qv_rules *rules,
				const char *folder, size_t hash_bytes, struct qv_solver **out,
				struct qv_error *error);

/* Whether an existing table contains the position, or the game has ended. */
bool table_solver_has(struct qv_solver *solver, const void *state);

/*
 * A solver for games whose tables stand alone (struct engine): it looks a position up in the tables
 * of setup->tables and of the library, and searches positions that they do not contain.
 */
enum qv_status tables_first_new(const struct solver_setup *setup, struct qv_solver **out,
				struct qv_error *error);
/* Whether this is such a solver, and an existing table contains the position. */
bool tables_first_has(struct qv_solver *solver, const void *state);

/* Sets up endgame tables for the inner nodes of a search; allocator and rules are borrowed. */
void table_solver_for_search(const struct qv_allocator *allocator, const struct qv_rules *rules,
			     const char *folder, struct search_tables *out);

/*
 * Whether the folder's tables are better than a search alone: all tables of a game are, and so are
 * some tables of a game that is too large to be searched.
 */
bool table_solver_useful(const struct qv_allocator *allocator, const struct qv_rules *rules,
			 const char *folder);

/* Whether the game, which must have an index, is too large to be searched without tables. */
bool table_solver_needed(const struct qv_allocator *allocator, const struct qv_rules *rules);

/*
 * What the tables say, or a search that ends at them, whatever counters do: value, plies (-1: not
 * known), a move that keeps them. Fails as qv_tables_probe and table_search_solve do.
 */
enum qv_status table_solver_look_up(struct qv_solver *solver, const void *state,
				    const struct table_search_limits *limits,
				    struct qv_solution *out, struct qv_error *error);

#endif
