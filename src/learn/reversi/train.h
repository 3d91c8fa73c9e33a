/*
 * train.h - reversi: trains the weights of the patterns in rounds (rounds.h).
 * SPDX-License-Identifier: MIT
 *
 * The first round's games are played with the hand-crafted evaluation, those of the others with the
 * weights of the round before. Each game starts with random moves. Then both sides play by a search
 * of fixed depth, and perfectly when few squares are empty.
 *
 * Every position after the random opening is a sample: its patterns, and the final disc difference
 * for the side to move. The weights of a phase minimise the squared error over its samples plus an
 * L2 penalty, which keeps rarely seen patterns near 0 (fit.c).
 */
#ifndef LEARN_REVERSI_TRAIN_H
#define LEARN_REVERSI_TRAIN_H

#include "base/memory.h"
#include "games/reversi/pattern.h"
#include "learn/rounds.h"

/* A game. Passes are forced and not stored. 64 bytes, in files too. */
struct game_record {
	uint8_t by_chance; /* number of random moves at the beginning */
	uint8_t count;	   /* number of moves */
	int8_t score;	   /* black's discs minus white's; empties to the winner */
	uint8_t moves[61];
};
_Static_assert(sizeof(struct game_record) == 64, "as in files");

/* The games of a run that a fit may use. */
struct games {
	const struct game_record *list;
	int64_t count, round; /* in all, and of one round */
};

/* ---- fit.c ---- */

struct sample {
	uint64_t mover, other; /* discs of the side to move, and of the opponent */
	int32_t score;	       /* discs at the end, for the side to move */
	int32_t unused;
};

enum { SAMPLE_DISCS = 65 };

/* Samples by their number of discs. {0} is a valid empty one. */
struct samples {
	struct sample *list;
	int64_t count, room;
	int64_t first[SAMPLE_DISCS + 1]; /* of each number of discs; the last is `count` */
};

/*
 * The samples of the games held back for testing, or of the others. QV_BAD_INPUT: a game has an
 * illegal move. Release it on failure, too.
 */
enum qv_status samples_init(struct samples *s, const struct qv_allocator *allocator,
			    const struct games *games, bool held_back, struct qv_error *error);
void samples_release(struct samples *s, const struct qv_allocator *allocator);

struct fit_plan {
	int iterations; /* of the conjugate gradient method */
	int penalty;	/* L2 penalty, in equivalent samples of value 0 */
	int least;	/* a weight with fewer samples is set to 0 */
};

/*
 * Sets the weights of one phase. reversi_patterns_init must have been called for `out`. Phases may
 * be fitted on several threads at once; the result depends on the samples alone. False: not enough
 * memory.
 */
bool fit_phase(const struct samples *s, const struct fit_plan *plan, int phase,
	       struct reversi_patterns *out, const struct qv_allocator *allocator);

/* The root mean squared error of a phase, in discs; -1: it has no samples. Counts its samples. */
double fit_error(const struct samples *s, const struct reversi_patterns *p, int phase,
		 int64_t *count);

/* ---- train.c ---- */

struct train_plan {
	uint64_t seed;
	int rounds;
	int64_t games;                     /* of a round */
	int depth;			   /* of the search that plays */
	int solve;			   /* empty squares from which play is perfect */
	int remember;                      /* rounds whose games a fit uses, its own included */
	struct fit_plan fit;
};

/*
 * Parses a plan, `rounds=4,games=1000`: the keys are the names of the fields, and missing keys get
 * the defaults of train.c. The seed is left alone.
 */
enum qv_status train_plan_parse(const char *text, struct train_plan *out, struct qv_error *error);
void train_plan_text(const struct train_plan *plan, char *out, size_t size);   /* all keys */

/* The result of a round. */
struct train_round {
	struct rounds_news round;
	int64_t samples;                   /* of the fit */
	double before, after;              /* error in discs on the games held back, all phases */
	double error[PATTERN_PHASES];      /* ... after the fit, for each phase; -1: no samples */
};

/* A training to run. The pointers are borrowed. */
struct train_job {
	struct train_plan plan;
	const char *folder;                /* created if it does not exist */
	int threads;
	const struct qv_flag *stop;           /* NULL: never */
	void *ctx;			   /* of the two callbacks */
	void (*progress)(void *ctx, int round, int64_t games);     /* may be NULL */
	void (*round)(void *ctx, const struct train_round *round); /* may be NULL */
};

/*
 * Sets *out to the last round's weights, the same for any number of threads. Fails as rounds_run.
 */
enum qv_status train_run(const struct train_job *job, const struct qv_allocator *allocator,
			 struct reversi_patterns *out, struct qv_error *error);

#endif
