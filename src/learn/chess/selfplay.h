/*
 * selfplay.h - chess: self-play games that provide training positions ("lessons").
 * SPDX-License-Identifier: MIT
 *
 * A game starts with random moves; then both sides play by the selective search with a fixed number
 * of nodes per move. Up to 127 of its quiet positions are kept, with the game's result. A game
 * depends only on its number and on the plan, not on the games before it.
 */
#ifndef LEARN_CHESS_SELFPLAY_H
#define LEARN_CHESS_SELFPLAY_H

#include "games/chess/weights.h"
#include "games/chess/rules.h"
#include "search/duel.h"

/* A quiet position. 32 bytes, in files too. */
struct lesson {
	uint64_t men;	   /* occupied squares */
	uint8_t kinds[16]; /* the pieces on them from a1 on, four bits each */
	int16_t score;	   /* the search's, for white, in centipawns */
	uint8_t turn;
	uint8_t result; /* 0: black won, 1: drawn, 2: white won */
	uint32_t unused;
};
_Static_assert(sizeof(struct lesson) == 32, "as in files");

enum { LESSONS_A_GAME = 127 };

struct lessons {
	uint8_t count, result;
	uint16_t plies;
	uint32_t unused[7];
	struct lesson list[LESSONS_A_GAME];
};
_Static_assert(sizeof(struct lessons) == 4096, "as in files");

/* Sets the position and the side to move; score and result are left at 0. */
void lesson_pack(const struct chess *s, struct lesson *out);
/* False: not a position, as in a damaged file. Sets only what an evaluation reads. */
bool lesson_unpack(const struct lesson *l, struct chess *out);

/* An external evaluator that scores training positions. */
struct judge {
	/* The score for the side to move, in centipawns. worker: the calling thread's number. */
	enum qv_status (*score)(void *ctx, int worker, const struct chess *s, int32_t *score,
				struct qv_error *error);
	/* Before each game, so that scores do not depend on earlier games. NULL: not needed. */
	void (*forget)(void *ctx, int worker);
	void *ctx;
	uint64_t name; /* a hash that identifies the evaluator */
};

struct teaching_plan {
	uint64_t seed;
	int64_t nodes;		   /* per move */
	const struct judge *judge; /* NULL: positions get the playing search's score */
	int worker;
};

/* One thread's player. */
struct teacher {
	struct teaching_plan plan;
	struct duel *duel;
};

/* Evaluation and weights (NULL: its own) are borrowed. Release it on failure, too. */
enum qv_status teacher_init(struct teacher *t, const struct qv_allocator *allocator,
			    const struct teaching_plan *plan,
			    const struct qv_evaluation *evaluation, const void *weights,
			    struct qv_error *error);
void teacher_release(struct teacher *t);

/* Plays game `number` and stores its training positions. */
enum qv_status teacher_play(struct teacher *t, int64_t number, struct lessons *out,
			    struct qv_error *error);

#endif
