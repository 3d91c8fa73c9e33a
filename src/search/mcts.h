/*
 * mcts.h - Monte Carlo tree search: what the frame (mcts.c) and the stamped walk (mcts.inc.h)
 * share.
 * SPDX-License-Identifier: MIT
 *
 * The frame owns limits, memory, the choice between children, what is proven, and the answer; the
 * template knows the game: it makes the children of a node and plays one random game. The tree is
 * one array; a node is its number there, and the children of a node stand side by side.
 */
#ifndef SEARCH_MCTS_H
#define SEARCH_MCTS_H

#include "search/pace.h"
#include "search/slots.h"

#define MCTS_NONE UINT32_MAX

enum {
	MCTS_MAX_DEPTH = QV_MAX_LINE,      /* of the tree, so that every proof has its line */
	MCTS_PLAYOUT_PLIES = 4096,         /* a playout longer than that is shared by all seats */
	MCTS_LEAST_NODES = 1 << 14,        /* of the tree, however little memory it is given */
};

enum mcts_mark {
	MCTS_PROVEN = 1,                   /* winners, points and plies are the game's own */
	MCTS_RESTS = 2,                    /* ... with the history of this search alone */
	MCTS_HOLDS = 4,                    /* of two seats, the one to move has a draw for sure */
};

struct mcts_node {
	qv_move move;                      /* that led here */
	double sum;                        /* rewards, for the seat that played it */
	uint32_t visits;
	uint32_t first, count;             /* the children; count 0: not made yet, or ended */
	int32_t points;                    /* proven: of the only seat; 0 if there are more */
	int8_t seat;                       /* to move here */
	uint8_t winners;                   /* proven: a bit for each seat with most points */
	uint8_t plies;                     /* proven: to the end */
	uint8_t marks;
};

struct mcts_ops;

struct mcts {
	const struct qv_game *game;
	const struct mcts_ops *ops;
	const struct qv_allocator *allocator;
	struct settings settings;
	double explore;

	/* The tree: node 0 is the root. */
	struct mcts_node *nodes;
	uint32_t capacity, used;
	int deepest;

	/* The way from the root to where the walk now is. */
	uint32_t path[MCTS_MAX_DEPTH + 2];
	int depth;

	/* Repetition: hashes of the game so far and of the walk; none before `first` can recur. */
	bool repeats;
	uint64_t *hashes;
	int hash_capacity, history_count, place, first;

	/* One seat: the fewest and the most points seen, which make rewards out of points. */
	double low, high;

	/* Counters and limits. */
	uint64_t made, playouts;           /* positions; random games, or ends found in the tree */
	uint64_t playout_limit;
	struct pace pace;
	int max_depth;

	struct qv_random random;
	const struct qv_limits *limits;    /* while a search runs */
	void *root_state;
	struct slot *slots;                /* two, for plug-ins; NULL for stamped games */
	struct arena arena;
};

/* What a stamp offers. */
struct mcts_ops {
	bool dynamic;                      /* needs slots */
	/* Makes the root's children, and theirs. */
	void (*prepare)(struct mcts *m);
	/* One walk down the tree and one random game from its end. */
	void (*playout)(struct mcts *m);
};

/* True if the search must stop now: between the positions of a playout. */
static inline bool mcts_must_stop(struct mcts *m)
{
	return m->made >= m->pace.check_at && pace_poll(&m->pace, m->made, 0);
}

/* The child that the walk goes to: an untried one, or the one with the highest bound. */
uint32_t mcts_select(struct mcts *m, uint32_t node);
/* Enters the points of an ended game into its node. */
void mcts_end_node(const struct mcts *m, struct mcts_node *node, const int32_t *points);
/* Leaves the root with the children that the limits allow. */
void mcts_keep_only(struct mcts *m);
/* After the end of the path got children, or was proven: proves what follows from it. */
void mcts_prove(struct mcts *m);
/* The end of the walk: what the game was worth goes to all nodes of the path. */
void mcts_back_up_points(struct mcts *m, const int32_t *points);
void mcts_back_up_shared(struct mcts *m);        /* nobody has won, or nobody knows */
void mcts_back_up_proven(struct mcts *m);        /* as the last node of the path says */

/* A whole number below n > 0; the high half of a product is a fair one without a division. */
static inline uint64_t mcts_below(struct mcts *m, uint64_t n)
{
	return (uint64_t)(((unsigned __int128)qv_random_next(&m->random) * n) >> 64);
}

static inline bool mcts_is_proven(const struct mcts_node *node)
{
	return node->marks & MCTS_PROVEN;
}

/* How often the hash stands at the places first to last of the walk; *oldest: the first of them. */
static inline int mcts_times(const struct mcts *m, uint64_t hash, int first, int last, int *oldest)
{
	int times = 0;
	for (int i = last; i >= first; i--)
		if (m->hashes[i] == hash) {
			times++;
			*oldest = i;
		}
	return times;
}

struct mcts_setup {
	const struct qv_game *game;
	const struct mcts_ops *ops;
	const struct qv_allocator *allocator;
	const struct settings *settings;
};

enum qv_status mcts_new(const struct mcts_setup *setup, struct mcts **out, struct qv_error *error);
void mcts_free(struct mcts *m);
void mcts_forget(struct mcts *m);      /* starts the random numbers anew; no tree is ever kept */
enum qv_status mcts_run(struct mcts *m, const void *state, const struct qv_limits *limits,
			const struct qv_listener *listener, struct qv_answer *out,
			struct qv_error *error);

#endif
