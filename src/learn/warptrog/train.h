/*
 * train.h - Warp Trog: trains the net by games against itself and against the 1983 program.
 * SPDX-License-Identifier: MIT
 *
 * Training runs in rounds (learn/rounds.h). A round plays games with the net of the round before, by
 * a search of a few plies that samples complete warps. The plan's share `book` of them is against the
 * 1983 program, so the weights for such games are fitted to its habits. The label of a position is
 * the value of its search, blended with the labels of the positions after it, as in TD(lambda); it is
 * never carried back across a random move. Then Adam fits the net to random positions of the last
 * rounds.
 */
#ifndef LEARN_WARPTROG_TRAIN_H
#define LEARN_WARPTROG_TRAIN_H

#include "base/memory.h"
#include "base/threads.h"
#include "games/warptrog/net.h"
#include "learn/rounds.h"

enum {
	WARPTROG_PLIES_MOST = 200, /* a longer game is cut and counts as drawn */
	WARPTROG_NO_WARP = INT16_MIN,
};

/* A position with its labels, in the unit of WARPTROG_NET_VALUE. */
struct warptrog_lesson {
	struct warptrog s;
	int16_t label; /* for s.turn */
	int16_t warp;  /* the value of a warp, or WARPTROG_NO_WARP */
	uint8_t unused[4];
};

/* How a game against the 1983 program ended, for the net. */
enum warptrog_outcome {
	WARPTROG_SELF_PLAY,
	WARPTROG_BOOK_WON,
	WARPTROG_BOOK_DRAWN,
	WARPTROG_BOOK_LOST,
	WARPTROG_OUTCOMES,
};

/* A game, as in files. */
struct warptrog_lessons {
	int32_t count;
	int32_t outcome;
	struct warptrog_lesson list[WARPTROG_PLIES_MOST];
};

struct warptrog_plan {
	uint64_t seed;
	int rounds;
	int64_t games; /* of a round */
	int remember;  /* rounds whose games a fit uses, its own included */
	int built_in;  /* 1: start from the built-in net, not from random weights */
	int depth;     /* of the search that plays */
	int samples;   /* of a warp */
	int book;      /* per cent of the games against the 1983 program */
	int wild;      /* per cent of the games with random moves */
	int lambda;    /* per cent */
	int passes;    /* samples for each new position */
	int batch;     /* positions of a step of Adam */
	int step;      /* size of Adam's step in millionths, at the start */
};

/*
 * Parses a plan, `rounds=20,games=100`: the keys are the names of the fields, and missing keys get
 * the defaults of train.c. The seed is left alone.
 */
enum qv_status warptrog_plan_parse(const char *text, struct warptrog_plan *out,
				   struct qv_error *error);

/* The result of a round. */
struct warptrog_report {
	struct rounds_news round;
	int64_t positions;		     /* that the fit could use */
	double error, warp_error;	     /* root mean squared, of the two outputs; 1 is a win */
	int64_t outcomes[WARPTROG_OUTCOMES]; /* games of the round */
};

/* A training to run. The pointers are borrowed. */
struct warptrog_job {
	struct warptrog_plan plan;
	const struct qv_context *context; /* of the 1983 program */
	const struct qv_rules *rules;
	const char *folder; /* created if it does not exist */
	int threads;
	const struct qv_flag *stop; /* NULL: never */
	void *ctx;
	void (*report)(void *ctx, const struct warptrog_report *report); /* may be NULL */
	void (*progress)(void *ctx, int round, int64_t games);		 /* may be NULL */
};

/*
 * Trains, or resumes from the folder's last round. The result is the same for any number of threads,
 * and for a training that was stopped and continued.
 * QV_STOPPED: job->stop was set; QV_BAD_INPUT: another plan's folder.
 */
enum qv_status warptrog_train(const struct warptrog_job *job, const struct qv_allocator *allocator,
			      struct warptrog_net *out, struct qv_error *error);

/* ---- selfplay.c ---- */

struct chance_search;

/* One thread's player. */
struct warptrog_teacher {
	const struct warptrog_job *job;
	uint64_t seed; /* of the round */
	struct chance_search *search;
};

/* The callbacks of rounds. `net` is borrowed. */
enum qv_status warptrog_teacher_begin(const struct warptrog_job *job,
				      const struct warptrog_net *net,
				      const struct qv_allocator *allocator, uint64_t seed,
				      struct warptrog_teacher *out, struct qv_error *error);
void warptrog_teacher_end(void *teacher);
enum qv_status warptrog_teacher_play(void *teacher, int64_t number, void *game,
				     struct qv_error *error);

/* ---- fit.c ---- */

/* A fit to run. The games are borrowed. */
struct warptrog_fit_job {
	const struct warptrog_plan *plan;
	const struct warptrog_lessons *games;
	int64_t count; /* of games */
	int64_t fresh; /* games of the last round, at the end of the list */
	int round;     /* from 1 */
	int threads;
	const struct qv_flag *stop;
	const struct qv_allocator *allocator;
};

/* Random initial weights. */
void warptrog_net_begin(uint64_t seed, struct warptrog_net *out);
/* Sets positions and errors of the report. QV_BAD_INPUT: a game is damaged. */
enum qv_status warptrog_fit(const struct warptrog_fit_job *job, struct warptrog_net *net,
			    struct warptrog_report *report, struct qv_error *error);

#endif
