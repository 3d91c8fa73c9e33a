/*
 * game.c - game trees typed by the user, stamped into every search.
 * SPDX-License-Identifier: MIT
 *
 * The game has no board for pages; `tree` and `show` draw it. It exists to demonstrate searches.
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
#include "search/prove.inc.h"
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
	QV_HEAD(qv_game),
	.name = "diagram",
	.title = "Tree diagram",
	.aliases = "diagrams tree-diagram",
	.help = "A game tree that you type in, so that you can watch a search at work on it. "
		"Two players take turns to move from node to node, starting at the root. The "
		"number at a node is its score for the first player.\n"
		"End: at a leaf the players wait until they have played as many plies as the "
		"tree is high. Then the move end counts the score: above 0 the first player "
		"wins, below 0 the second, and 0 is a draw. A search as deep as the tree sees "
		"the scores of all leaves.\n"
		"Moves: the name of the next node. First moves are A, B, C and so on, replies "
		"to A are A1, A2 and so on, then A11 (after 9 come a, b, c).\n"
		"Position: the first moves, each with its score and, in parentheses, its "
		"replies: A4(6,-1,1) B5(-3,3,1) C2(0,1,2). You may leave out the letters, and "
		"the score of a move that has replies (it is 0 then). The current node comes "
		"last: ... @ B2. A tree has up to 239 moves, 21 plies, and 26 moves at a node.\n"
		"Uniform: uniform 10 4 ideal is a tree with ten moves at every node and four "
		"plies, where each move costs its player one point more than the move before "
		"it. With worst instead of ideal, each move costs one point less. With seed=N, "
		"each move gains or loses up to 9 points at random.\n"
		"Book: the diagrams of the 1983 book are 3-1 3-2 3-5 3-6 4-1 4-2 4-3. Diagram "
		"4-2 is the tree of 4-1, for a search that sorts moves.\n",
	.seats = 2, .alternates = true, .state_size = sizeof(struct diagram),
	.max_moves = G_MAX_MOVES, .max_plies = DIAGRAM_MAX_HEIGHT + 1,
	.evaluations = evaluations, .levels = levels, .solved = "draw",
	G_GAME_FUNCTIONS,
};

const struct engine diagram_engine = {
	.game = &game, .perft = diagram_perft, .duel = &diagram_duel_ops,
	.mcts = &diagram_mcts_ops, .prove = &diagram_prove_ops,
	.multi = &diagram_multi_ops,
};
