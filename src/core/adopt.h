/*
 * adopt.h - games and evaluations of plug-ins that were built for an older interface.
 * SPDX-License-Identifier: MIT
 *
 * The structs of a plug-in have the layout of the header that it was compiled with. What has the
 * present layout is used as it is. Older tables are copied into the present layout, in which the
 * members that they lack are NULL or 0.
 */
#ifndef CORE_ADOPT_H
#define CORE_ADOPT_H

#include "base/memory.h"

enum { OLDEST_INTERFACE = 6, FIRST_SIZED_INTERFACE = 9 };

/* The copy of an older game. */
struct adopted {
	struct qv_game game;
	struct qv_board board;
	struct qv_evaluation *evaluations;
	size_t room; /* of evaluations, their end included */
};

/*
 * Gives the game in the present layout as *game: `given` itself, and *copy becomes NULL; or the game
 * of *copy. Nothing but sizes is checked. QV_UNSUPPORTED: an interface before 6 or after the
 * present one, or other sizes.
 */
enum qv_status adopt_game(const struct qv_allocator *a, const struct qv_game *given,
			  const struct qv_game **game, struct adopted **copy,
			  struct qv_error *error);
void adopted_free(const struct qv_allocator *a, struct adopted *copy); /* NULL is fine */

/*
 * The size of an element of these evaluations. QV_UNSUPPORTED: as for adopt_game, or a pointer to
 * the game is wanted in the layout of an interface before 8.
 */
enum qv_status adopt_added(const struct qv_added_evaluations *added, size_t *element,
			   struct qv_error *error);

/* The evaluations of a table whose elements have `element` bytes, without the end. */
size_t evaluations_count(const struct qv_evaluation *list, size_t element);
/* Copies that many into the present layout. */
void evaluations_copy(struct qv_evaluation *to, const struct qv_evaluation *list, size_t element,
		      size_t count);

#endif
