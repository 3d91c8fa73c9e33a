/*
 * train.h - backgammon: trains the nets by self-play.
 * SPDX-License-Identifier: MIT
 *
 * Training runs in rounds. A round plays games with the current nets at 0-ply, labels their
 * positions, stores them in a window of recent positions, and fits the nets to random samples of
 * that window with Adam. There are two stages:
 *
 *   1  temporal differences: the label of a position is the value of the next one
 *   2  look-ahead: the label is the mean over all 21 rolls of the value after the best move; the
 *      window starts empty again
 *
 * In both, a share `lambda` of the later differences between label and value is added, as in
 * TD(lambda). In stage 2 these differences are free of the luck of the dice. In some games the
 * moves are partly random, so that the nets see unusual positions; a difference is never carried
 * back across a random move.
 */
#ifndef LEARN_BACKGAMMON_TRAIN_H
#define LEARN_BACKGAMMON_TRAIN_H

#include "base/memory.h"
#include "base/threads.h"
#include "games/backgammon/net.h"

/* A position with its label. */
struct labelled {
	uint8_t men[2][BACKGAMMON_PLACES]; /* of the seat to roll, of the other */
	struct backgammon_chances label;
};

/* Lessons of one class: the newest `room` of them, in a ring. {0} is a valid empty one. */
struct label_window {
	struct labelled *list;
	int64_t room, added; /* added: ever */
};

struct backgammon_plan {
	uint64_t seed;
	int rounds;		 /* of both stages; not used with a time limit */
	int built_in;		 /* 1: start from the built-in nets, not from random weights */
	int first;		 /* per cent of the training in stage 1 */
	int64_t games;		 /* of a round in stage 1 */
	int64_t deep;		 /* of a round in stage 2 */
	int lambda, deep_lambda; /* per cent, in stages 1 and 2 */
	int wild;		 /* per cent of the games with random moves */
	int64_t window;		 /* positions of each class that a fit draws from */
	int batch, deep_batch;	 /* positions of a step of Adam, in stages 1 and 2 */
	int passes, deep_passes; /* samples for each new position, in stages 1 and 2 */
	int step, deep_step;	 /* size of Adam's step in millionths, at the start of each stage */
	int gauge;		 /* games against the built-in nets at each report */
};

/*
 * Parses a plan, `rounds=20,games=100`: the keys are the names of the fields, and missing keys get
 * the defaults of train.c. The seed is left alone.
 */
enum qv_status backgammon_plan_parse(const char *text, struct backgammon_plan *out,
				     struct qv_error *error);
void backgammon_plan_text(const struct backgammon_plan *plan, char *out, size_t size);

/* ---- selfplay.c ---- */

/* How the games of a round are played. */
struct selfplay_round {
	const struct backgammon_nets *nets;
	uint64_t seed;
	bool deep; /* stage 2 */
	float lambda;
	int wild; /* per cent */
};

/* Lessons of one class or of all, in the order of their games. {0} is a valid empty one. */
struct labelled_list {
	struct labelled *list;
	size_t count, room;
};

/*
 * Plays a game and appends its positions. They depend on the round and on the number of the game
 * alone. False: not enough memory.
 */
bool selfplay(const struct selfplay_round *round, int64_t number,
	      const struct qv_allocator *allocator, struct labelled_list *out);

/*
 * The points that `nets` win against others in two games with the same dice and exchanged seats,
 * both at 0-ply.
 */
int selfplay_pair(const struct backgammon_nets *nets, const struct backgammon_nets *others,
		  uint64_t seed, int64_t number);

/* ---- fit.c ---- */

/* Nets and the state of Adam, plain data. */
struct adam_state {
	struct backgammon_nets nets, mean, square;
	int64_t steps[BACKGAMMON_CLASSES];
};

struct adam;
/* Random initial weights. */
void adam_begin(struct adam_state *state, uint64_t seed);
/* `state` is borrowed. NULL: not enough memory. */
struct adam *adam_new(const struct qv_allocator *allocator, struct adam_state *state, int threads);
void adam_free(struct adam *f); /* NULL is fine */
/*
 * One step of Adam for the net of a class, on `batch` random positions of the window. Returns the sum
 * of the squared equity errors before the step. The result is the same for any number of threads.
 */
double adam_step(struct adam *f, enum backgammon_class c, const struct label_window *window,
		 int batch, float step, uint64_t seed);

/* ---- train.c ---- */

/* The state of a training, for a report. */
struct backgammon_report {
	int round; /* the last one; 0: resumed */
	int stage;
	double progress;		  /* 0 to 1 */
	int64_t games, positions;	  /* in all */
	double error[BACKGAMMON_CLASSES]; /* root mean squared, in points, since the last report */
	double equity, deviation; /* points a game against the built-in nets; standard error */
	double seconds;
	uint64_t hash; /* of the nets */
};

/* A training to run. The pointers are borrowed. */
struct backgammon_job {
	struct backgammon_plan plan;
	const char *folder; /* created if it does not exist */
	int threads;
	int64_t time_ms;	 /* 0: the plan's rounds decide */
	const struct qv_flag *stop; /* NULL: never */
	void *ctx;
	void (*report)(void *ctx, const struct backgammon_report *report); /* may be NULL */
};

/*
 * Trains, or continues from the folder's checkpoint. The files `weights` and `checkpoint` are
 * rewritten at each report and at the end, and `window` if the training is stopped. With the plan's
 * rounds the result is the same for any number of threads, and for a training that was stopped and
 * continued. If it was killed, its window is lost, and the result differs.
 * QV_STOPPED: job->stop was set; QV_BAD_INPUT: another plan's folder.
 */
enum qv_status backgammon_train(const struct backgammon_job *job,
				const struct qv_allocator *allocator, struct backgammon_nets *out,
				struct qv_error *error);

#endif
