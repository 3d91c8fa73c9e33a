/*
 * opponent_model.h - Star Chess: which predictor the other factions resemble, by their last turns.
 * SPDX-License-Identifier: MIT
 *
 * A player sees the galaxy at its own turns only. Starting from what it left behind, each model
 * predicts the turn of the next faction. What that faction owns after the prediction is compared
 * with what it owns now. The model that was nearest most often, recently, is the one to expect.
 */
#ifndef GAMES_STARCHESS_OPPONENT_MODEL_H
#define GAMES_STARCHESS_OPPONENT_MODEL_H

#include "games/starchess/predict.h"

enum {
	WATCH_MODELS = 6, /* as in struct reply */
	WATCH_FIRST = 3,  /* to start with */
};

/* {0} is the state before a game. */
struct watch {
	bool waits;			    /* for the others' turns after `left` */
	struct sc_galaxy left;		    /* at the end of our turn, in our view */
	struct reply expected[SC_FACTIONS]; /* the replies that we expected, if they have a model */
	int32_t merit[SC_FACTIONS][WATCH_MODELS];
};

/* The model of a faction, 1 to 3 in the numbering of the faction that watches. */
int watch_model(const struct watch *w, int faction);

/* Our turn has been decided. expected: the replies to it, or NULL. */
void watch_begin(struct watch *w, const struct sc_galaxy *left, const struct reply *expected);

/* Compares with the galaxy at our next turn, in our view. Uses at most `nodes` nodes. */
void watch_learn(struct watch *w, struct predictor *p, const struct sc_galaxy *now, uint64_t nodes);

#endif
