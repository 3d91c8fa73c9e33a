/*
 * predict.h - the mask predictor: looks some turns ahead to find which requests to leave out.
 * SPDX-License-Identifier: MIT
 *
 * A mask is a set of requests that a turn serves. The predictor makes the turn of the full mask,
 * those without one request and those without two, lets the other factions reply, and chooses the
 * mask whose final position is best.
 */
#ifndef GAMES_STARCHESS_PREDICT_H
#define GAMES_STARCHESS_PREDICT_H

#include "games/starchess/turn.h"
#include "search/budget.h"

enum { PREDICT_MASKS = 1 + SC_SECTORS + SC_SECTORS * (SC_SECTORS - 1) / 2 };

/* Pruning by short-term gains: drop positions worse than the best so far, or no better. */
enum { GAINS_OFF, GAINS_NOT_WORSE, GAINS_BETTER };

/* What a predictor takes into account. {0} with levels looks at the plain turns only. */
struct predict_how {
	struct mask_habits habits;
	int levels;	/* faction turns to look ahead */
	bool vary_last; /* the last level has masks too, if it is the only one */
	bool vary_all;	/* all factions use masks, not only the one that plans */
	bool literal;	/* makes every mask, even if its turn is known */
	bool skip_dead; /* defeated factions take no level */
	int gains;	/* one of the three above */
	bool replies;	/* the others' next turns follow predictor.replies */
	bool prospects; /* leaves also count what can be sustained */
	uint16_t overlooked; /* sectors whose requests the turn of the root does not see */
};

/* Like the score, with ten times the strength plus ten for each ship that colonies can support. */
static inline void sc_prospects(const struct sc_galaxy *g, int32_t values[SC_FACTIONS])
{
	int32_t strength[SC_FACTIONS];
	for (int f = 0; f < SC_FACTIONS; f++) {
		const struct sc_income income = sc_income_of(g, f);
		const int kept = sc_capacity(income.materials, income.credits);
		strength[f] = 10 * sc_strength(g, f) + 10 * kept;
	}
	sc_compare(strength, values);
}

/*
 * Scores of positions of the tree, so that turns that lead to the same position are searched once.
 * It is cleared when half full.
 */
enum { PREDICT_KNOWN = 1 << 13 };

struct predict_known {
	uint64_t keys[PREDICT_KNOWN]; /* 0: free */
	int32_t scores[PREDICT_KNOWN][SC_FACTIONS];
	int count;
};

/* Models up to this one are cheap, so they always run to their end. */
enum { REPLY_SURE = 3 };

/* How another faction is expected to make its next turn. */
struct reply {
	/* 0: as left_out says; otherwise as a mask predictor of model - 1 turns */
	int model;
	uint16_t left_out; /* requests that it masks, in its view; the predictor's choice */
	struct sc_galaxy after; /* in its view, if a predictor chose */
};

/* A turn of the tree that a prediction searches. */
struct predict_node {
	int parent;	   /* index of the turn before; -1: the root is before it */
	int depth;	   /* turns from the root, this one included */
	int level, who;	   /* faction turns before it; the faction, 0: the one that plans */
	uint16_t left_out; /* requests that it masks, in its view */
	bool known;	   /* the scores are: it was neither pruned nor stopped */
	int best;	   /* for explanations: the turn chosen after it; -1: none */
	int32_t scores[SC_FACTIONS];
};

/* The first `most` turns of the tree, for a prediction by one thread. */
struct predict_tree {
	struct predict_node *list;
	int count, most;
	uint64_t seen; /* turns in all */
	int at;	       /* the turn that led here; -1: none; PREDICT_LEFT_OUT: one that is not kept */
};
enum { PREDICT_LEFT_OUT = -2 };

/*
 * One thread of a prediction. `maps` may be shared, everything else belongs to the thread. Set maps
 * and how, and call budget_start; zero is right for the rest.
 */
struct predictor {
	const struct relative_maps *maps;
	struct predict_known *known; /* NULL: none */
	struct predict_how how;
	struct budget budget;
	uint64_t generated, evaluated;
	uint64_t give_up_at;  /* stop for now at this number of positions; 0: no limit */
	uint64_t reply_nodes; /* limit for a model deeper than REPLY_SURE; 0: none */
	struct predict_tree *tree; /* gets the turns that are searched; NULL: nobody wants them */
	struct reply replies[SC_FACTIONS]; /* by faction, in the numbering of the one that plans */
};

/* Call before a position is made. True: a limit is reached, or the caller asked to give up here. */
static inline bool predict_must_stop(struct predictor *p)
{
	return (p->generated >= p->budget.check_at &&
		budget_poll(&p->budget, p->generated, p->evaluated)) ||
	       (p->give_up_at && p->generated >= p->give_up_at);
}

/*
 * Sets the four scores that a galaxy leads to, in the order of the faction that plans. The galaxy
 * is in the view of faction `who` (0: the one that plans), at a level. False: it was stopped, and
 * the scores are meaningless.
 */
bool predict_level(struct predictor *p, const struct sc_galaxy *g, int level, int who,
		   int32_t scores[SC_FACTIONS]);

/* Whether the faction to move at a level chooses among masks there. */
static inline bool predict_varies(const struct predict_how *how, int level, int who)
{
	return (who == 0 || how->vary_all) && (how->vary_last || level + 1 < how->levels);
}

/*
 * The choice at such a level: sets the scores as above, and the mask and the galaxy after its turn,
 * each unless NULL. False: it was stopped.
 */
bool predict_branch(struct predictor *p, const struct sc_galaxy *g, const struct requests *r,
		    int level, int who, int32_t scores[SC_FACTIONS], unsigned *chosen,
		    struct sc_galaxy *after);

/*
 * Makes the turn of a mask predictor that looks `turns` turns ahead; *after is in the same view.
 * *left_out: the requests it masks. False: it was stopped.
 */
bool predict_model(struct predictor *p, const struct sc_galaxy *g, int turns,
		   struct sc_galaxy *after, uint16_t *left_out);

/*
 * Makes a turn as *r describes. If a model takes too long, *r gets a shallower one. False: stopped.
 */
bool predict_reply(struct predictor *p, const struct sc_galaxy *g, struct reply *r,
		   struct sc_galaxy *after);

/* The turn of a mask, and the scores it leads to. */
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

/* What the predictor considers at the root. */
struct predict_root {
	struct sc_galaxy view;
	struct turn_past past;
	struct requests requests;
	struct predict_turn turns[PREDICT_MASKS];
	int count, best; /* of the turns; the index of the chosen one */
};

/*
 * Decides the turn of the faction to move, on as many threads as there are workers. The first
 * worker must be set up. It is copied to the others, and gets their counts at the end. masks: try
 * other masks than the full one, whose scores are otherwise those after the turn. If it is stopped
 * early, the scores of the chosen turn may be unknown.
 */
void predict_decide(struct predictor *workers, int count, const struct starchess *s, bool masks,
		    struct predict_root *root);

/* Adds the counts of the other workers to those of the first, and whether any was stopped. */
void predict_sum(struct predictor *workers, int count);

#endif
