/*
 * opponent_model.h - how the others think, by what they did: which predictor would have made their last
 * turns.
 * SPDX-License-Identifier: MIT
 *
 * A player sees the galaxy at its own turns only. From what it left behind, each model says what
 * the next faction would have done; of this, what that faction owns is compared with what it owns
 * now. The model that has come nearest most often, of late, is the one to reckon with.
 */
#ifndef GAMES_STARCHESS_OPPONENT_MODEL_H
#define GAMES_STARCHESS_OPPONENT_MODEL_H

#include "games/starchess/predict.h"

enum {
	WATCH_MODELS = 6, /* as in struct reply */
	WATCH_FIRST = 3,  /* to begin with */
};

/* {0} is what is known before a game. */
struct watch {
	bool waits;			    /* for what the others do with `left` */
	struct sc_galaxy left;		    /* at the end of our turn, in our view */
	struct reply expected[SC_FACTIONS]; /* what we thought would follow, if it has a model */
	int32_t merit[SC_FACTIONS][WATCH_MODELS];
};

/* The model of a faction, as the one that thinks counts them: 1 to 3. */
int watch_model(const struct watch *w, int faction);

/* Our turn has been decided. expected: the replies to it, or NULL. */
void watch_begin(struct watch *w, const struct sc_galaxy *left, const struct reply *expected);

/* The galaxy as it is at our next turn, in our view. It takes no more than so many nodes. */
void watch_learn(struct watch *w, struct predictor *p, const struct sc_galaxy *now, uint64_t nodes);

#endif
