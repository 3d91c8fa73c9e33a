/*
 * rules.h - a tree as a game: the position is the tree itself, so that you can watch a search on
 * known values.
 * SPDX-License-Identifier: MIT
 *
 * Two seats take turns to move from node to node, away from the root. Scores are for the first
 * seat. The evaluation of a position is the score of its node, whatever lies below; for an inner
 * node that is what a search sees that stops there. At a leaf there is nothing to choose, but its
 * score must still be there for a search as deep as the tree, whose other branches may be longer.
 * So the players wait at a leaf until as many plies are played as the tree is high. Then the move
 * `end` counts the score: above 0 the first seat wins.
 *
 * A tree is either typed (up to DIAGRAM_NODES nodes, in the state) or uniform. In a uniform tree a
 * score is the sum of what each step added, so no nodes are stored. A typed tree is stored in
 * preorder, each node with the size of its subtree: the first child follows its parent, the next
 * child follows the subtree of the one before it.
 */
#ifndef DIAGRAM_RULES_H
#define DIAGRAM_RULES_H

#include "quevedo.h"

enum {
	DIAGRAM_NODES = 240,
	DIAGRAM_MAX_HEIGHT = 21,
	DIAGRAM_MAX_MOVES = 26,	  /* first moves are named A to Z */
	DIAGRAM_MAX_SCORE = 9999, /* of a typed node */
	DIAGRAM_RANDOM_STEP = 9,  /* a random step adds up to this, either way */
	DIAGRAM_WAIT = 255,	  /* the only move at a leaf; the others are 0, 1, 2, ... */
};

/*
 * What move i of n costs its player: in an ideal tree i, so that the best is always first; in the
 * worst tree n - 1 - i; in a random tree up to DIAGRAM_RANDOM_STEP, or it gains as much.
 */
enum diagram_kind { DIAGRAM_TYPED, DIAGRAM_IDEAL, DIAGRAM_WORST, DIAGRAM_RANDOM };

struct diagram_node {
	int16_t score;
	uint16_t size; /* of its subtree, including itself; 0: not in use */
};

/* The state: the whole tree, and the current node. */
struct diagram {
	uint64_t seed; /* of a random tree; else 0 */
	int32_t score; /* of the current node */
	uint16_t at;   /* its index, if the tree is typed */
	uint8_t kind;
	uint8_t width, height;			  /* width: of a uniform tree; else 0 */
	uint8_t ply, steps;			  /* plies played; and without waiting */
	uint8_t path[DIAGRAM_MAX_HEIGHT];	  /* the steps */
	struct diagram_node nodes[DIAGRAM_NODES]; /* of a typed tree; the root is the first */
};
_Static_assert(sizeof(struct diagram) == 40 + 4 * DIAGRAM_NODES, "no padding");

/* text.c */
void diagram_start(struct diagram *s, const int64_t *options); /* the first diagram of the book */

/* The seat to move: the first one at even plies. */
static inline int diagram_seat(const struct diagram *s)
{
	return s->ply & 1;
}

/* Whether a typed node, or the current node of any tree, is a leaf. */
static inline bool diagram_is_leaf(const struct diagram *s, int node)
{
	return s->nodes[node].size == 1;
}

static inline bool diagram_at_leaf(const struct diagram *s)
{
	return s->kind ? s->steps == s->height : diagram_is_leaf(s, s->at);
}

/* The index of child `number` of a typed node. */
static inline int diagram_child(const struct diagram *s, int node, int number)
{
	int child = node + 1;
	while (number--)
		child += s->nodes[child].size;
	return child;
}

/* The number of children of a typed node. */
static inline int diagram_children(const struct diagram *s, int node)
{
	const int end = node + s->nodes[node].size;
	int count = 0;
	for (int child = node + 1; child < end; child += s->nodes[child].size)
		count++;
	return count;
}

/* The children of the node; at a leaf the single move DIAGRAM_WAIT. */
static inline int diagram_moves(const struct diagram *s, qv_move *list)
{
	if (diagram_at_leaf(s)) {
		list[0] = DIAGRAM_WAIT;
		return 1;
	}
	const int count = s->kind ? s->width : diagram_children(s, s->at);
	for (int i = 0; i < count; i++)
		list[i] = (qv_move)i;
	return count;
}

/*
 * What a step of a uniform tree adds for the first seat. In a random tree it depends on the whole
 * path.
 */
static inline int32_t diagram_step(const struct diagram *s, int number)
{
	if (s->kind == DIAGRAM_RANDOM) {
		enum { STEPS = 2 * DIAGRAM_RANDOM_STEP + 1 };
		uint64_t key = qv_random_key(s->seed, 0);
		for (int i = 0; i < s->steps; i++)
			key = qv_random_key(key, s->path[i]);
		return (int32_t)qv_random_below_at(key, (uint64_t)number, STEPS) -
		       DIAGRAM_RANDOM_STEP;
	}
	const int cost = s->kind == DIAGRAM_IDEAL ? number : s->width - 1 - number;
	return diagram_seat(s) ? cost : -cost;
}

/* Moves to a child, or waits at a leaf. */
static inline void diagram_play(struct diagram *s, qv_move move)
{
	const int number = (int)move;
	if (number == DIAGRAM_WAIT) {
		s->ply++;
		return;
	}
	if (s->kind) {
		s->score += diagram_step(s, number);
	} else {
		s->at = (uint16_t)diagram_child(s, s->at, number);
		s->score = s->nodes[s->at].score;
	}
	/* Waiting adds no step. */
	s->path[s->steps++] = (uint8_t)number;
	s->ply++;
}

/* The first seat wins with a score above 0, once the players have waited to the full height. */
static inline enum qv_outcome diagram_result(const struct diagram *s, int32_t *points)
{
	if (s->ply <= s->height)
		return QV_GOING;
	points[0] = s->score;
	points[1] = -s->score;
	return QV_ENDED;
}

/* All bytes: the tree belongs to the position. */
static inline uint64_t diagram_hash(const struct diagram *s)
{
	return qv_hash_bytes(s, sizeof *s);
}

/* The score of the current node for the side to move. */
static inline int32_t diagram_evaluate(const struct diagram *s, const void *weights)
{
	(void)weights;
	return diagram_seat(s) ? -s->score : s->score;
}

/*
 * The score of the node that the move leads to, for the side to move. The score of a leaf is
 * hidden, because looking at leaves is what a search should save.
 */
static inline int32_t diagram_rank(const struct diagram *s, qv_move move)
{
	struct diagram next = *s;
	diagram_play(&next, move);
	return diagram_at_leaf(&next) ? 0 : -diagram_evaluate(&next, NULL);
}

/* text.c: the slots of struct qv_game with these names. */
void diagram_move_text(const struct diagram *s, qv_move move, struct qv_text *out);
void diagram_position_text(const struct diagram *s, struct qv_text *out);
enum qv_status diagram_position_parse(struct diagram *s, const int64_t *options, const char *text,
				      struct qv_error *error);
void diagram_draw(const struct diagram *s, bool unicode, struct qv_text *out);

#endif
