/*
 * selfplay.h - chess: games to learn from, which a search plays against itself.
 * SPDX-License-Identifier: MIT
 *
 * A game begins with moves by chance; from there both sides play by the selective search with so
 * many nodes a move. Of the quiet positions it went through some are kept, with how it ended. What
 * a game is depends on its number and on the plan, not on the games before it.
 */
#ifndef LEARN_CHESS_SELFPLAY_H
#define LEARN_CHESS_SELFPLAY_H

#include "games/chess/weights.h"
#include "games/chess/rules.h"
#include "search/duel.h"

/* A quiet position. 32 bytes, in files too. */
struct lesson {
	uint64_t men;	   /* where men stand; */
	uint8_t kinds[16]; /* which, from a1 on, four bits each */
	int16_t score;	   /* the search's, for white, in hundredths of a pawn */
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

void lesson_pack(const struct chess *s, struct lesson *out);
/* False: no such position, in a broken file. What no evaluation asks for is left empty. */
bool lesson_unpack(const struct lesson *l, struct chess *out);

/* Somebody else who scores positions. */
struct judge {
	/* For who moves, in hundredths of a pawn. worker: the number of the thread that asks. */
	enum qv_status (*score)(void *ctx, int worker, const struct chess *s, int32_t *score,
				struct qv_error *error);
	/* Forgets: what it says in a game must not depend on the games before. NULL: it cannot. */
	void (*forget)(void *ctx, int worker);
	void *ctx;
	uint64_t name; /* a hash of who it is */
};

struct teaching_plan {
	uint64_t seed;
	int64_t nodes;		   /* for a move */
	const struct judge *judge; /* NULL: positions have the score of the search that plays */
	int worker;
};

/* One thread's player. */
struct teacher {
	struct teaching_plan plan;
	struct duel *duel;
};

/* Evaluation and weights (NULL: its own) are borrowed. Release it on failure too. */
enum qv_status teacher_init(struct teacher *t, const struct qv_allocator *allocator,
			    const struct teaching_plan *plan,
			    const struct qv_evaluation *evaluation, const void *weights,
			    struct qv_error *error);
void teacher_release(struct teacher *t);

enum qv_status teacher_play(struct teacher *t, int64_t number, struct lessons *out,
			    struct qv_error *error);

#endif
