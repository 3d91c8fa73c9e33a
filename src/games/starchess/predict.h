/*
 * predict.h - the mask predictor: which requests to leave out, by looking some turns ahead.
 * SPDX-License-Identifier: MIT
 */
#ifndef GAMES_STARCHESS_PREDICT_H
#define GAMES_STARCHESS_PREDICT_H

#define TURN(f) turn_##f
#define TURN_LOGS 0
#include "games/starchess/turn.h"
#undef TURN
#undef TURN_LOGS

#include "search/pace.h"

enum { PREDICT_MASKS = 1 + SC_SECTORS + SC_SECTORS * (SC_SECTORS - 1) / 2 };

/* Pruning for gains at short term: positions that are worse than the best so far, or no better. */
enum { GAINS_OFF, GAINS_NOT_WORSE, GAINS_BETTER };

struct predict_how {
	struct mask_habits habits;
	int levels;	/* player turns to make */
	bool vary_last; /* the last one has masks too: there is only one */
	bool vary_all;	/* all factions have masks, not only the one that thinks */
	bool literal;	/* makes every mask, even if its turn is known */
	bool skip_dead; /* defeated factions take no level */
	int gains;
	bool replies;	/* the others' next turns are made as predictor.replies says */
	bool prospects; /* leaves are judged by what can be sustained, too */
};

/* Like the score, of ten times the strength and ten for each ship that colonies can support. */
static inline void sc_prospects(const struct sc_galaxy *g, int32_t values[SC_FACTIONS])
{
	int32_t strength[SC_FACTIONS];
	for (int f = 0; f < SC_FACTIONS; f++) {
		const struct sc_income income = sc_income_of(g, f);
		const int kept = sc_capacity(income.materials, income.credits);
		strength[f] = 10 * sc_strength(g, f) + 10 * kept;
	}
	for (int f = 0; f < SC_FACTIONS; f++) {
		int32_t others = 0;
		for (int p = 0; p < SC_FACTIONS; p++)
			others += (p == f ? 0 : strength[p]) << (strength[p] > strength[f]);
		values[f] = (SC_FACTIONS - 1) * strength[f] - others;
	}
}

/*
 * What is known of positions of the tree, so that turns that lead to the same one are followed
 * once. It is emptied when it is half full.
 */
enum { PREDICT_KNOWN = 1 << 13 };

struct predict_known {
	uint64_t keys[PREDICT_KNOWN]; /* 0: free */
	int32_t scores[PREDICT_KNOWN][SC_FACTIONS];
	int count;
};

/* How another faction is taken to make its next turn. */
enum { REPLY_SURE = 3 };

struct reply {
	int model;	   /* 0: as left_out says; else as a mask predictor of model - 1 turns */
	uint16_t left_out; /* requests that it masks, in its view; what the predictor chose */
	struct sc_galaxy after; /* in its view, if a predictor chose */
};

/* One thread of a prediction. */
struct predictor {
	const struct relative_maps *maps;
	struct predict_known *known; /* NULL: none */
	struct predict_how how;
	struct pace pace;
	uint64_t generated, evaluated;
	uint64_t give_up_at;  /* positions generated until it is stopped for now; 0: none */
	uint64_t reply_nodes; /* a model deeper than REPLY_SURE may take so many; 0: any */
	struct reply replies[SC_FACTIONS]; /* by faction, as the one that thinks counts them */
};

/* Before a position is made. */
static inline bool predict_must_stop(struct predictor *p)
{
	return (p->generated >= p->pace.check_at &&
		pace_poll(&p->pace, p->generated, p->evaluated)) ||
	       (p->give_up_at && p->generated >= p->give_up_at);
}

/*
 * What follows for a galaxy in the view of faction `who` (0: the one that thinks), at a level: the
 * four scores, in the order of the one that thinks. False: it was stopped, and they mean nothing.
 */
bool predict_level(struct predictor *p, const struct sc_galaxy *g, int level, int who,
		   int32_t scores[SC_FACTIONS]);

/* Whether the faction whose turn a level is chooses among masks there. */
bool predict_varies(const struct predict_how *how, int level, int who);

/* The choice of such a level: scores as above, and the mask; chosen may be NULL. */
bool predict_branch(struct predictor *p, const struct sc_galaxy *g, const struct requests *r,
		    int level, int who, int32_t scores[SC_FACTIONS], unsigned *chosen);

/*
 * Makes the turn that a mask predictor would that looks so many turns ahead; *after is in the same
 * view. *left_out: the requests it masks. False: it was stopped.
 */
bool predict_model(struct predictor *p, const struct sc_galaxy *g, int turns,
		   struct sc_galaxy *after, uint16_t *left_out);

/* Makes a turn as *r says; where a model takes too long, *r gets a shallower one. False: stopped. */
bool predict_reply(struct predictor *p, const struct sc_galaxy *g, struct reply *r,
		   struct sc_galaxy *after);

/* The masks of a turn, in the order in which they are tried, and what each leads to. */
struct predict_turn {
	uint16_t mask;
	struct sc_galaxy after; /* in the same view */
	int32_t scores[SC_FACTIONS];
	bool known; /* the scores are */
};

/*
 * Makes the turns of all masks, or of those that differ. Returns how many; the first is that of the
 * full mask.
 */
int predict_turns(struct predictor *p, const struct sc_galaxy *g, const struct requests *r,
		  const struct turn_past *past, bool vary, struct predict_turn *list);

/*
 * Finds the scores of turns, on several threads if there are several predictors. Returns the place
 * of the best, which is the first if no score is known.
 */
int predict_best(struct predictor *workers, int count, struct predict_turn *list, int turns);

#endif
