/*
 * mcts.h - Monte Carlo tree search (UCT): what the driver (mcts.c) and the stamped playouts
 * (mcts.inc.h) share.
 * SPDX-License-Identifier: MIT
 *
 * The driver manages limits, memory, selection (UCB1), proofs (MCTS-Solver) and the answer; the
 * template expands nodes and plays random games. The tree is one array; a node is an index into it,
 * and the children of a node are adjacent.
 */
#ifndef SEARCH_MCTS_H
#define SEARCH_MCTS_H

#include "search/budget.h"
#include "search/player.h"
#include "search/root.h"
#include "search/slots.h"

#define MCTS_NONE UINT32_MAX

enum {
	MCTS_MAX_DEPTH = QV_MAX_LINE,      /* of the tree, so that the line of every proof fits */
	MCTS_PLAYOUT_PLIES = 4096,         /* a longer playout counts as a draw */
	MCTS_LEAST_NODES = 1 << 14,        /* minimum size of the tree */
};

enum mcts_mark {
	MCTS_PROVEN = 1,                   /* winners, points and plies are proven */
	MCTS_RESTS = 2,                    /* ... but depend on a repetition of the game so far */
	MCTS_HOLDS = 4,                    /* two seats: the one to move has at least a draw */
};

struct mcts_node {
	qv_move move;                      /* the move that led here */
	double sum; /* of rewards, for the seat that played it; else for the seat to move */
	uint32_t visits;
	uint32_t first, count;             /* the children; count 0: not expanded, or ended */
	int32_t points;			   /* proven: as mcts_points */
	int8_t seat;                       /* to move here */
	uint8_t winners;                   /* proven: a bit for each seat with most points */
	uint8_t plies;                     /* proven: to the end */
	uint8_t marks;
};

/* The search, which is also the player `mcts`. */
struct mcts {
	struct qv_player base;
	const struct qv_game *game;
	const struct mcts_ops *ops;
	double explore;                    /* exploration constant of UCB1 */

	/* The tree: node 0 is the root. */
	struct mcts_node *nodes;
	uint32_t capacity, used;
	int deepest;

	/* The path from the root to the current node. */
	uint32_t path[MCTS_MAX_DEPTH + 2];
	int depth;

	/* Repetition: hashes of the game so far and of the path; none before `first` can recur. */
	bool repeats;
	uint64_t *hashes;
	size_t hash_room;                  /* capacity of hashes */
	int history_count, place, first;

	/* One seat: the fewest and the most points seen, to scale points to rewards. */
	double low, high;

	/* Counters and limits. */
	uint64_t made, playouts;           /* positions generated; playouts */
	uint64_t playout_limit;
	struct budget budget;
	int max_depth;

	struct qv_random random;
	const struct qv_limits *limits;    /* while a search runs */
	const struct qv_listener *listener; /* of its growth; NULL: nobody follows it */
	void *root_state;
	struct slot *slots;                /* two, for plug-ins; NULL for stamped games */
	struct arena arena;
};

/* The functions of a stamp. */
struct mcts_ops {
	bool dynamic;                      /* needs slots */
	/* Expands the root and its children. */
	void (*prepare)(struct mcts *m);
	/* Selection, expansion, one random game, and backing up its result. */
	void (*playout)(struct mcts *m);
};

/* Called between the positions of a playout: true if the search must stop now. */
static inline bool mcts_must_stop(struct mcts *m)
{
	return m->made >= m->budget.check_at && budget_poll(&m->budget, m->made, 0);
}

/* Selection: a random unvisited child, otherwise the child with the highest UCB1 bound. */
uint32_t mcts_select(struct mcts *m, uint32_t node);
/* Marks a node as proven, with the points of the ended game. */
void mcts_end_node(const struct mcts *m, struct mcts_node *node, const int32_t *points);
/* Removes the root's children that limits->only does not name. */
void mcts_keep_only(struct mcts *m);
/* After the last node of the path was expanded or proven: propagates proofs up the path. */
void mcts_prove(struct mcts *m);
/*
 * Backs up the result of a playout to all nodes of the path. winners: a bit for each seat with the
 * most points, all of them for a draw or an unfinished game. points: as mcts_points.
 */
void mcts_back_up(struct mcts *m, unsigned winners, int32_t points);

/* The points of a single seat; the margin of seat 0 in a game with stakes; else 0. */
static inline int32_t mcts_points(const struct mcts *m, const int32_t *points)
{
	return m->game->seats == 1 ? points[0] : m->game->stakes ? root_margin(m->game, points) : 0;
}

/* A random number below n > 0, without a division: the high half of a product. */
static inline uint64_t mcts_below(struct mcts *m, uint64_t n)
{
	return (uint64_t)(((unsigned __int128)qv_random_next(&m->random) * n) >> 64);
}

static inline bool mcts_is_proven(const struct mcts_node *node)
{
	return node->marks & MCTS_PROVEN;
}

/* How often the hash occurs at the places first to last; *oldest: its first occurrence. */
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

#endif
