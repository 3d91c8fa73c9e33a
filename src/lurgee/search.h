/*
 * search.h - the search of the Lurgee framework, move for move and count for count.
 * SPDX-License-Identifier: MIT
 *
 * Negamax or negascout with alpha-beta, fail-soft, between bounds of 100000. Its node counts differ
 * from other searches because of its move ordering (highest rank first, of equal ranks the last
 * listed), its killer moves (the best-scoring moves of a ply, updated only at the last ply), a
 * limit of evaluations over all iterations, and passes that cost a ply. Its evaluators depend on
 * the root position and the depth.
 *
 * search.inc.h is the template that is stamped for each game, search.c the driver and the player.
 */
#ifndef LURGEE_SEARCH_H
#define LURGEE_SEARCH_H

#include "lurgee/order_key.h"
#include "search/budget.h"
#include "search/visit.h"

enum {
	LURGEE_MAX_DEPTH = 100,
	LURGEE_MAX_KILLERS = 8,
	LURGEE_BOUND = 100000,          /* the framework's infinity; evaluations may exceed it */
	LURGEE_KILLER_RANK = 1000000,   /* a killer's rank is its score plus this */
	LURGEE_ROOT_SIZE = 5120,
};

/* The killer moves of a ply: its best-scoring moves, best first. */
struct lurgee_killers {
	int count;
	uint64_t filter;                /* bit set of id % 64, for a quick test */
	int32_t scores[LURGEE_MAX_KILLERS];
	uint32_t ids[LURGEE_MAX_KILLERS];
	uint8_t ranks[LURGEE_MAX_KILLERS];      /* as in keys */
	bool odd;                       /* some killers rank below plain moves */
};

/* A search: its switches, its progress and its killers. One thread at a time. */
struct lurgee {
	const struct qv_game *game;
	const struct lurgee_ops *ops;
	const int32_t *weights;
	bool negascout, byes, shuffled;
	int killer_most;                /* 0: no killers */

	/* This search. */
	const struct qv_listener *listener; /* NULL: no callbacks for single nodes */
	qv_move node_best;		    /* for it: the best move of the node left last */
	const qv_move *only;
	int only_count;
	struct qv_random random;
	struct budget budget;
	uint64_t evals, moves;

	/* This pass. */
	int depth;
	uint64_t eval_limit;
	bool stopped;                   /* a limit was reached: its value is meaningless */
	qv_move first, best;            /* QV_NO_MOVE: none yet */
	int32_t best_score;

	_Alignas(16) unsigned char root_state[64];
	/* The evaluator's data about the root. */
	_Alignas(16) unsigned char root[LURGEE_ROOT_SIZE];
	struct lurgee_killers killers[LURGEE_MAX_DEPTH + 2];
};

/* The functions of a stamp. */
struct lurgee_ops {
	/* Fills l->root from l->root_state. */
	void (*prepare)(struct lurgee *l);
	/*
	 * One pass to l->depth, limited to the moves left; returns the value for the side to move.
	 */
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

/* The player kind; a game's part of it is a struct lurgee_kit. */
extern const struct player_kind lurgee_kind;

/* A game's part of this player. */
struct lurgee_kit {
	const struct lurgee_ops *ops;
	const struct qv_evaluation *evaluations;  /* with evaluate NULL: usable only by this search */
	const char *const *documents, *const *release;    /* ladders: specs, NULL-terminated */
	/*
	 * Optional: a random move of the opening library, with the probabilities of the documents
	 * or of the release; QV_NO_MOVE: not in the library. It may be illegal.
	 */
	qv_move (*library)(const void *state, int depth, bool documents, struct qv_random *random);
};

/* ---- killer moves ---- */

/*
 * Maps the killers' ranks to the small ranks of keys, in the framework's order: above all plain
 * moves, or below them if the score is very low, sorted by score; unchanged in between.
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

/*
 * Adds a move if its score beats the worst of a full list; a move in the list only if it improved.
 */
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

/* The key of a move, raised if it is a killer. */
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

/* Puts moves of equal rank in random order, all orders equally likely, and renews the keys. */
void lurgee_shuffle(struct lurgee *l, qv_move *moves, uint32_t *keys, int n);
/* Clears the keys of moves not in l->only, unless none of the moves is in it. */
void lurgee_keep_only(const struct lurgee *l, const qv_move *moves, uint32_t *keys, int n);

/* The rows of struct classic for both ladders; middle: the number of a level, as text. */
#define LURGEE_CLASSICS(middle)                                                            \
	{                                                                                  \
		.spec = "level:" middle ",ladder=lurgee", .title = "Lurgee",               \
		.by = "Michael Patricios, 2006",                                           \
		.about = "Michael Patricios wrote Lurgee, a Java framework for strategy "  \
			 "games, with applets of connect-four, reversi and nine men's "    \
			 "morris. These are its levels as its documents describe them."    \
	}, {                                                                               \
		.spec = "level:" middle ",ladder=lurgee22", .title = "Lurgee 2.2",         \
		.by = "Michael Patricios, 2007",                                           \
		.about = "The same levels of Michael Patricios's framework Lurgee, as its " \
			 "release 2.2 plays them. Its documents and its code differ in "   \
			 "details of the search and the evaluation."                       \
	}

#endif
