/*
 * selfplay.h - reversi: self-play games for training.
 * SPDX-License-Identifier: MIT
 *
 * A game starts with random moves. Then both sides play by a search of fixed depth, and perfectly
 * when few squares are empty. A game depends only on its number and on the plan, not on the games
 * before it.
 */
#ifndef LEARN_REVERSI_SELFPLAY_H
#define LEARN_REVERSI_SELFPLAY_H

#include "games/reversi/endgame.h"
#include "games/reversi/pattern.h"
#include "search/duel.h"

/* A game. Passes are forced and not stored. 64 bytes, in files too. */
struct game_record {
	uint8_t by_chance;                 /* number of random moves at the beginning */
	uint8_t count;                     /* number of moves */
	int8_t score;                      /* black's discs minus white's; empties to the winner */
	uint8_t moves[61];
};
_Static_assert(sizeof(struct game_record) == 64, "as in files");

struct selfplay_plan {
	uint64_t seed;
	int depth;
	int solve;                         /* empty squares from which play is perfect */
};

/* One thread's player. */
struct selfplay {
	struct selfplay_plan plan;
	struct duel *duel;
	struct endgame endgame;
	struct qv_evaluation evaluation;
	const struct qv_allocator *allocator;
};

/* patterns (borrowed) may be NULL: the hand-crafted evaluation. Release it on failure, too. */
enum qv_status selfplay_init(struct selfplay *p, const struct qv_allocator *allocator,
			     const struct selfplay_plan *plan,
			     const struct reversi_patterns *patterns, struct qv_error *error);
void selfplay_release(struct selfplay *p);

/* Plays game `number`. */
enum qv_status selfplay_game(struct selfplay *p, int64_t number, struct game_record *out,
			     struct qv_error *error);

#endif
