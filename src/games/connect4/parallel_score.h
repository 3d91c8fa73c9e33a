/*
 * parallel_score.h - connect-four: a hard position for several threads.
 * SPDX-License-Identifier: MIT
 */
#ifndef GAMES_CONNECT4_PARALLEL_SCORE_H
#define GAMES_CONNECT4_PARALLEL_SCORE_H

#include "games/connect4/exact_score.h"

/*
 * As c4_hard_score, whose answer it is, with this table of h's, which grows when the search gets
 * long; then the other threads begin. One that cannot be started only costs speed. h->nodes
 * are those of all.
 */
struct c4_score c4_team_score(struct c4_hard *h, struct c4_table *table, int threads,
			      const struct qv_allocator *allocator, const struct c4 *at, int lowest,
			      int highest);

#endif
