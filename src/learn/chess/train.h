/*
 * train.h - chess: trains the evaluation's weights or the neural network in rounds (rounds.h).
 * SPDX-License-Identifier: MIT
 *
 * The first round's games are played with the hand-crafted evaluation, with the caller's weights if
 * those are being trained. A game starts with random moves; then both sides play by the selective
 * search with a fixed number of nodes per move. Up to 127 of its quiet positions ("lessons") are
 * kept, with the game's result. A game depends only on its number and on the plan, not on the games
 * before it.
 *
 * The fit of the weights is Texel tuning: the evaluation is a linear combination of weights, whose
 * coefficients chess_trace records. A logistic curve maps it to an expected score. Gradient descent
 * (Adam) minimises the squared error against the games' results blended with the search's scores.
 */
#ifndef LEARN_CHESS_TRAIN_H
#define LEARN_CHESS_TRAIN_H

#include "base/memory.h"
#include "games/chess/rules.h"
#include "games/chess/weights.h"
#include "learn/rounds.h"

/* A quiet position. 32 bytes, in files too. */
struct lesson {
	uint64_t occupied; /* squares */
	uint8_t kinds[16]; /* the pieces on them from a1 on, four bits each */
	int16_t score;	   /* the search's, for white, in centipawns */
	uint8_t turn;
	uint8_t result; /* 0: black won, 1: drawn, 2: white won */
	uint32_t unused;
};
_Static_assert(sizeof(struct lesson) == 32, "as in files");

enum { LESSONS_A_GAME = 127 };

/* A game's lessons. 4096 bytes, in files too. */
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

/* ---- fitting: fit.c ---- */

/* What to fit, and how. All of it is borrowed. */
struct fit_job {
	const struct lessons *games;
	int64_t count; /* of games */
	int64_t round; /* games of a round; some of each are held back for testing */
	uint64_t seed; /* of the random numbers */
	int iterations;
	int blend;   /* percentage of the search's score in the target */
	int penalty; /* L2 penalty on changes of the weights, in equivalent positions */
	int step;    /* initial learning rate, in hundredths of a weight */
	int threads;
	const struct qv_flag *stop; /* NULL: never */
	const struct qv_allocator *allocator;
};

/* The result of a fit. */
struct fit_news {
	int64_t lessons;      /* positions trained on */
	double before, after; /* root mean squared error on the games held back */
	int curve;	      /* scale of the logistic curve, in centipawns */
};

/* Of the games [first, last): those held back, or the others. */
struct fit_games {
	int64_t first, last;
	bool held_back;
};

/*
 * Calls `take` for each position of the games. If it returns false, the result is QV_NO_MEMORY.
 * QV_BAD_INPUT: a position is invalid.
 */
enum qv_status fit_each_lesson(const struct fit_job *job, const struct fit_games *which,
			       bool (*take)(void *ctx, const struct lesson *lesson,
					    const struct chess *s),
			       void *ctx, struct qv_error *error);

/* The number of positions that fit_each_lesson visits. */
int64_t fit_count_lessons(const struct fit_job *job, const struct fit_games *which);

/*
 * Changes the weights, an int32_t[2 * CHESS_WEIGHTS]. QV_BAD_INPUT: a position is invalid, or no
 * position was given; QV_STOPPED: job->stop was set. The result does not depend on the number of
 * threads.
 */
enum qv_status chess_fit(const struct fit_job *job, int32_t *weights, struct fit_news *news,
			 struct qv_error *error);

/* 1 / (1 + exp(-x)) by additions and multiplications only: the same on every machine. */
double chess_logistic(double x);

/* The scales of the curve that are tried, in centipawns. */
enum { CURVE_LEAST = 80, CURVE_MOST = 600, CURVE_STEP = 10 };

/* ---- the whole: train.c ---- */

struct chess_plan {
	uint64_t seed;
	int rounds;
	int64_t games;			      /* of a round */
	int64_t nodes;			      /* per move */
	int remember;			      /* rounds whose games a fit uses, its own included */
	int iterations, blend, penalty, step; /* as in struct fit_job */
	bool net;			      /* trains the network, not the weights */
};

/* Parses `rounds=4,games=1000`; missing keys get their defaults. The seed is left alone. */
enum qv_status chess_plan_parse(const char *text, struct chess_plan *out, struct qv_error *error);

/* The result of a round. */
struct chess_round {
	struct rounds_news round;
	struct fit_news fit; /* not set if the round was resumed */
};

/* A training to run. The pointers are borrowed. */
struct chess_job {
	struct chess_plan plan;
	const char *folder; /* created if it does not exist */
	int threads;
	const struct judge *judge; /* scores positions; NULL: the playing search does */
	const struct qv_flag *stop;   /* NULL: never */
	void *ctx;		   /* of the two callbacks */
	void (*progress)(void *ctx, int round, int64_t games);	   /* may be NULL */
	void (*round)(void *ctx, const struct chess_round *round); /* may be NULL */
};

/*
 * Sets weights to the last round's: int32_t[2 * CHESS_WEIGHTS], which hold the initial weights
 * before, or, with plan.net, a struct chess_net. The same plan gives the same result, on any number
 * of threads. Fails as rounds_run does.
 */
enum qv_status chess_train(const struct chess_job *job, const struct qv_allocator *allocator,
			   void *weights, struct qv_error *error);

/* Writes the weights as text, `name = mg eg ...`. Returns the length; 0: out is too small. */
size_t chess_weights_text(const int32_t *weights, char *out, size_t size);

#endif
