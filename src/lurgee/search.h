/*
 * search.h - the search of the Lurgee framework, move for move and count for count.
 * SPDX-License-Identifier: MIT
 *
 * Negamax or negascout with alpha-beta, fail-soft, between bounds of 100000. What makes its counts
 * its own: the order of moves (highest rank first, of equals the last listed), killers that are the
 * best-scoring moves of a ply and are told only of leaves, a limit of evaluations over all
 * iterations, passes that cost a ply. Its evaluators know the position at the root and the depth.
 *
 * lurgee.inc.h is the half that is stamped for each game, lurgee.c the rest.
 */
#ifndef LURGEE_SEARCH_H
#define LURGEE_SEARCH_H

#include "lurgee/order_key.h"
#include "search/pace.h"

enum {
	LURGEE_MAX_DEPTH = 100,
	LURGEE_MAX_KILLERS = 8,
	LURGEE_BOUND = 100000,          /* the framework's infinity; evaluations may exceed it */
	LURGEE_KILLER_RANK = 1000000,   /* a killer's rank is its score and this */
	LURGEE_ROOT_SIZE = 5120,
};

/* The best-scoring moves of a ply, best first. */
struct lurgee_killers {
	int count;
	uint64_t filter;                /* a bit for each id % 64 that is there */
	int32_t scores[LURGEE_MAX_KILLERS];
	uint32_t ids[LURGEE_MAX_KILLERS];
	uint8_t ranks[LURGEE_MAX_KILLERS];      /* as keys have them */
	bool odd;                       /* some do not come before all other moves */
};

struct lurgee {
	const struct qv_game *game;
	const struct lurgee_ops *ops;
	const int32_t *weights;
	bool negascout, byes, shuffled;
	int killer_most;                /* 0: no killers */

	/* This search. */
	const struct qv_listener *listener;     /* NULL: nobody asked */
	const qv_move *only;
	int only_count;
	struct qv_random random;
	struct pace pace;
	uint64_t evals, moves;

	/* This pass. */
	int depth;
	uint64_t eval_limit;
	bool stopped;                   /* a limit was reached: its value means nothing */
	qv_move first, best;            /* QV_NO_MOVE: none yet */
	int32_t best_score;

	_Alignas(16) unsigned char root_state[64];
	/* What the game's evaluator keeps of it. */
	_Alignas(16) unsigned char root[LURGEE_ROOT_SIZE];
	struct lurgee_killers killers[LURGEE_MAX_DEPTH + 2];
};

/* What a stamp offers. */
struct lurgee_ops {
	void (*prepare)(struct lurgee *l);
	/* One pass to l->depth, which is cut to the moves left; its value for the side to move. */
	int32_t (*search)(struct lurgee *l);
};

/* Settings of the kind `lurgee` alone. */
struct lurgee_settings {
	int64_t search, bye;
};
enum { LURGEE_NEGAMAX, LURGEE_NEGASCOUT };
_Static_assert(sizeof(struct lurgee_settings) <= SETTINGS_OWN, "own settings are too large");
static inline const struct lurgee_settings *lurgee_settings(const struct settings *set)
{
	return (const struct lurgee_settings *)(const void *)set->own;
}

extern const struct player_kind lurgee_kind; /* a game's part of it is a struct lurgee_kit */

/* What a game has for this player. */
struct lurgee_kit {
	const struct lurgee_ops *ops;
	const struct qv_evaluation *evaluations;  /* `evaluate` is NULL: only this search can ask */
	const char *const *documents, *const *release;    /* ladders: specs, NULL-terminated */
	/*
	 * Optional: a move of the opening library, by the odds of the documents or of the release;
	 * QV_NO_MOVE where it has none. It may be illegal.
	 */
	qv_move (*library)(const void *state, int depth, bool documents, struct qv_random *random);
};

/* ---- killers ---- */

/*
 * Ranks small enough for a key, in the order of the framework's: above all plain moves, or below
 * them, if the score is so low, killers by their scores; between, as it is.
 */
static inline void lurgee_killers_rank(struct lurgee_killers *k)
{
	enum { ABOVE = 2 * ORDER_PLAIN, BELOW = ORDER_PLAIN / 2 };
	int lower = 0;             /* scores below this one */
	k->filter = 0;
	k->odd = false;
	for (int i = k->count - 1; i >= 0; i--) {
		const int64_t rank = (int64_t)LURGEE_KILLER_RANK + k->scores[i];
		if (i + 1 < k->count && k->scores[i] > k->scores[i + 1])
			lower = k->count - 1 - i;
		k->ranks[i] = (uint8_t)(rank >= ORDER_PLAIN ? ABOVE + lower
					: rank < 0	     ? BELOW + lower
							     : ORDER_PLAIN + rank);
		k->filter |= UINT64_C(1) << (k->ids[i] & 63);
		k->odd |= rank < ORDER_PLAIN;
	}
}

/* Only a score above the worst of a full list gets in; a move that is there must have improved. */
static inline void lurgee_killers_add(struct lurgee_killers *k, int most, uint32_t id,
				      int32_t score)
{
	if (k->count == most && score <= k->scores[most - 1])
		return;
	int place = 0;
	while (place < k->count && k->ids[place] != id)
		place++;
	if (place < k->count && score <= k->scores[place])
		return;
	if (place == k->count)
		place = k->count < most ? k->count++ : most - 1;
	for (; place > 0 && score >= k->scores[place - 1]; place--) {
		k->scores[place] = k->scores[place - 1];
		k->ids[place] = k->ids[place - 1];
	}
	k->scores[place] = score;
	k->ids[place] = id;
	lurgee_killers_rank(k);
}

/* The key of a move that may be a killer; else as it was. */
static inline uint32_t lurgee_killer_key(const struct lurgee_killers *k, uint32_t id, uint32_t key)
{
	if (!(k->filter >> (id & 63) & 1))
		return key;
	for (int i = 0; i < k->count; i++)
		if (k->ids[i] == id)
			return (uint32_t)k->ranks[i] << ORDER_RANK |
			       (key & ((UINT32_C(1) << ORDER_RANK) - 1));
	return key;
}

/* Moves of equal rank in an order by chance, each as likely as the others. */
void lurgee_shuffle(struct lurgee *l, qv_move *moves, uint32_t *keys, int n);
/* Drops the moves that the caller does not allow, unless it allows none of these. */
void lurgee_keep_only(const struct lurgee *l, const qv_move *moves, uint32_t *keys, int n);

/* ---- running ---- */

struct lurgee_setup {
	const struct qv_game *game;
	const struct lurgee_kit *kit;
	const struct settings *settings;
	const struct qv_evaluation *evaluation;
	const int32_t *weights;         /* NULL: the evaluation's own */
};

void lurgee_init(struct lurgee *l, const struct lurgee_setup *setup);
/* The library is asked first, unless the player's settings say otherwise. */
enum qv_status lurgee_run(struct lurgee *l, const struct lurgee_setup *setup, const void *state,
			  const struct qv_limits *limits, const struct qv_listener *listener,
			  struct qv_answer *out, struct qv_error *error);

#endif
