/*
 * admiral.h - a stronger player of Star Chess than the mask predictor: it tries moves of single
 * fleets that no request asks for, and asks what the others will do.
 * SPDX-License-Identifier: MIT
 *
 * A plan is a mask and a few forced moves; the generator completes the turn. Plans are first
 * *screened*: judged as if the others left out the same requests as they would after the best plan
 * so far. Masks alone come first, then the best ones are extended by one more forced move of each
 * kind, again and again. The most promising plans are then *examined*: the others think about their
 * replies. The best plan is always one that was examined, if any was. Then all begins again, with a
 * wider beam, as long as there is time.
 */
#ifndef GAMES_STARCHESS_ADMIRAL_H
#define GAMES_STARCHESS_ADMIRAL_H

#include "games/starchess/opponent_model.h"
#include "games/starchess/write_turn.h"

enum {
	ADMIRAL_PLANS = 4096, /* that are screened at a time */
	ADMIRAL_WORKERS = 64,
	ADMIRAL_BEAM = 64,
	ADMIRAL_SEEN = 1 << 14,
	ADMIRAL_EXAMINED = 1024,
};

struct plan {
	struct forced forced;
	uint16_t mask;
	bool known; /* its value is */
	bool extended;
	int32_t value;
	struct sc_galaxy after; /* in our view */
	uint64_t hash;		/* of that */
};

/* A plan that was examined. */
struct examined {
	struct plan plan;
	struct reply replies[SC_FACTIONS];
};

struct admiral {
	struct predictor *workers; /* the first one counts for all */
	int worker_count;
	struct watch *watch;
	uint64_t budget; /* nodes that it will have, more or less */
	struct sc_galaxy view;
	struct turn_past past;
	struct requests requests;
	struct predict_turn turns[PREDICT_MASKS];
	struct examined best;
	bool found;			  /* best was examined */
	int models[SC_FACTIONS];	  /* how the others think */
	struct reply screen[SC_FACTIONS]; /* what they do in a screening */
	struct plan plans[ADMIRAL_PLANS];
	int count;
	uint64_t seen[ADMIRAL_SEEN];	     /* hashes of positions among the plans; 0: free */
	uint64_t examined[ADMIRAL_EXAMINED]; /* hashes of plans that were */
	int examined_count;
	int width;    /* of the beam now */
	bool goes_on; /* the plans are those of the last screening */
};

/*
 * Decides on the turn of the faction to move; workers have their limits already. The plan is in
 * `best`, and legal, however soon it was stopped.
 */
void admiral_decide(struct admiral *a, const struct starchess *s);

#endif
