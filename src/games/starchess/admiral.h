/*
 * admiral.h - the admiral, a stronger player of Star Chess than the mask predictor.
 * SPDX-License-Identifier: MIT
 *
 * It also tries moves of single fleets that no request asks for, and predicts the replies of the
 * others.
 *
 * A plan is a mask and a few forced moves; the turn generator completes it. Plans are first
 * *screened*: valued as if the others left out the same requests as after the best plan so far.
 * Masks alone come first, then the best plans are extended by one more forced move of each kind,
 * again and again. The most promising plans are then *examined*: the others plan their replies. The
 * best plan is always an examined one, if there is any. Then everything starts again with a wider
 * beam, as long as there is time.
 */
#ifndef GAMES_STARCHESS_ADMIRAL_H
#define GAMES_STARCHESS_ADMIRAL_H

#include "games/starchess/predict.h"

/* ---- opponent_model.c: which predictor the other factions resemble, by their last turns ---- */

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

/*
 * The model that fits best to a faction, 1 to 3 in the numbering of the faction that watches.
 * Models are numbered as in struct reply.
 */
int watch_model(const struct watch *w, int faction);

/*
 * Call when our turn has been decided. left: the galaxy after it, in our view. expected: the
 * replies to it by faction, or NULL. Both are copied.
 */
void watch_begin(struct watch *w, const struct sc_galaxy *left, const struct reply *expected);

/*
 * Compares what the models predict with the galaxy at our next turn, in our view. Uses at most
 * `nodes` nodes of the predictor. Does nothing if watch_begin was not called since the last time.
 */
void watch_learn(struct watch *w, struct predictor *p, const struct sc_galaxy *now, uint64_t nodes);

/* ---- admiral.c ---- */

enum {
	ADMIRAL_PLANS = 4096, /* screened at a time */
	ADMIRAL_WORKERS = 64,
	ADMIRAL_BEAM = 64,
	ADMIRAL_SEEN = 1 << 14,
	ADMIRAL_EXAMINED = 1024,
};

/* A turn to consider: the forced moves first, then the requests of the mask. */
struct plan {
	struct forced forced;
	uint16_t mask;
	bool known; /* its value is known */
	bool extended; /* plans with one more forced move were tried */
	int32_t value; /* for the faction to move, as the predictor evaluates (sc_prospects) */
	struct sc_galaxy after; /* in the view of the faction to move */
	uint64_t hash;		/* of `after` */
};

/* A plan that was examined. */
struct examined {
	struct plan plan;
	struct reply replies[SC_FACTIONS];
};

/* The state of a decision. About a megabyte; the caller allocates it. */
struct admiral {
	struct predictor *workers; /* the first one counts for all */
	int worker_count;
	struct watch *watch; /* chooses the models of the others; NULL: `models` is given */
	uint64_t budget; /* nodes that it may use, approximately */
	struct sc_galaxy view;
	struct turn_past past;
	struct requests requests;
	struct predict_turn turns[PREDICT_MASKS];
	struct examined best;
	bool found;			  /* best was examined */
	int models[SC_FACTIONS];	  /* how the others plan */
	struct reply screen[SC_FACTIONS]; /* their expected replies in a screening */
	struct plan plans[ADMIRAL_PLANS];
	int count;
	uint64_t seen[ADMIRAL_SEEN];	     /* hashes of positions among the plans; 0: free */
	uint64_t examined[ADMIRAL_EXAMINED]; /* hashes of examined plans */
	int examined_count;
	int width;    /* of the beam now */
	bool goes_on; /* the plans are those of the last screening */
	/* For a listener: called in the caller's thread for each plan with a value; may be NULL. */
	void (*report)(void *ctx, const struct plan *plan, bool screened);
	void *report_ctx;
};

/*
 * Decides the turn of the faction to move; the workers already have their limits. The plan is in
 * `best`, and legal, however early it was stopped.
 */
void admiral_decide(struct admiral *a, const struct starchess *s);

#endif
