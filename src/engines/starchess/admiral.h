/*
 * admiral.h - a stronger player of Star Chess than the mask predictor: it tries moves of single fleets
 * that no request asks for, and lets the predictor complete and judge the turn.
 * SPDX-License-Identifier: MIT
 *
 * A plan is a mask and a few forced moves. The first plans are the masks alone. Then the best ones are
 * extended by one more forced move of each kind, again and again, with a beam that grows wider as long as
 * there is time. Each new position is judged once.
 */
#ifndef ENGINES_STARCHESS_ADMIRAL_H
#define ENGINES_STARCHESS_ADMIRAL_H

#include "engines/starchess/write_turn.h"

enum { ADMIRAL_PLANS = 64, ADMIRAL_SEEN = 1 << 14 };

struct plan {
	struct forced forced;
	uint16_t mask;
	int32_t value;
};

struct admiral {
	struct predictor predictor;
	struct sc_galaxy view;
	struct turn_past past;
	struct requests requests;
	struct predict_turn turns[PREDICT_MASKS];
	struct plan best;
	bool found;                        /* best is a plan that was judged */
	struct plan beam[2][ADMIRAL_PLANS]; /* the plans to extend, and those found meanwhile */
	int beam_count[2];
	uint64_t seen[ADMIRAL_SEEN];       /* hashes of positions that were judged; 0: free */
	int seen_count;
	int width;                         /* of the beam now */
};

/*
 * Decides on the turn of the faction to move; predictor has its limits already. The plan is in `best`,
 * and legal, however soon it was stopped.
 */
void admiral_decide(struct admiral *a, const struct starchess *s);

#endif
