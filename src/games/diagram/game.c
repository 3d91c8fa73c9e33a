/*
 * game.c - typed trees stamped into the algorithms.
 * SPDX-License-Identifier: MIT
 */
#include "games/registry.h"
#include "games/diagram/rules.h"

#define G(f) diagram_##f
#define G_STATE struct diagram
#define G_MAX_MOVES DIAGRAM_MAX_MOVES
#define G_ALTERNATES 1
#define G_HAS_EVALUATE 1
#define G_HAS_RANK 1
#define G_HAS_DRAW 1
#include "search/perft.inc.h"
#include "search/duel.inc.h"
#include "search/mcts.inc.h"
#include "search/multi.inc.h"
#include "search/game.inc.h"

static const struct qv_evaluation evaluations[] = {
	{ .name = "score", .help = "the score of the node", .evaluate = diagram_slot_evaluate,
	  .leaf = diagram_slot_leaf },
	{ 0 },
};

static const char *const levels[] = {
	"random",
	"alphabeta:depth=1,random=1,tt=0",
	"alphabeta:depth=2,random=1,tt=0",
	"alphabeta:depth=4,random=1,tt=0",
	NULL,
};

static const struct qv_game game = {
	.interface = QV_INTERFACE,
	.name = "diagram",
	.title = "Tree diagram",
	.aliases = "diagrams tree-diagram",
	.help = "The position is a tree with scores, to watch a search at work. Two seats walk away from its root in turn; scores are for\n"
		"the first. At a leaf one waits until as many plies are played as the tree is high; then `end` counts the score: above 0\n"
		"the first seat has won, below 0 the second. A search as deep as the tree sees the scores of all leaves and no end.\n"
		"Moves: the node that it leads to. First moves are A, B, C, ...; replies to A are A1, A2, ..., then A11, ... (after 9: a, b, ...).\n"
		"Position: the first moves, each its score and its replies in parentheses: A4(6,-1,1) B5(-3,3,1) C2(0,1,2). The letters may be\n"
		"left out, and the score of a move that has replies (then it is 0). Where one stands comes behind: ... @ B2. Up to 239 moves in all,\n"
		"21 plies, 26 moves at a node.\n"
		"uniform 10 4 ideal: ten moves everywhere, four plies; each move costs its player one point more than the one before it.\n"
		"worst: one less. seed=N: each move brings between -9 and 9 points by chance.\n"
		"Diagrams of the 1983 book: 3-1 3-2 3-5 3-6 4-1 4-2 4-3; 4-2 is the tree of 4-1, for a search that sorts.\n",
	.seats = 2,
	.alternates = true,
	.state_size = sizeof(struct diagram),
	.max_moves = G_MAX_MOVES,
	.max_plies = DIAGRAM_MAX_HEIGHT + 1,
	.evaluations = evaluations,
	.levels = levels,
	.solved = "draw",
	G_GAME_FUNCTIONS,
};

const struct engine diagram_engine = {
	.game = &game,
	.perft = diagram_perft,
	.duel = &diagram_duel_ops,
	.mcts = &diagram_mcts_ops,
	.multi = &diagram_multi_ops,
};
