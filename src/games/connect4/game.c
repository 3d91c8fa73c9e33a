/*
 * game.c - connect-four, stamped into every search and solver.
 * SPDX-License-Identifier: MIT
 *
 * Levels: the lower ones make errors (blunder=, margin=), the upper ones search more nodes. The
 * exact solver (solver.c) serves `solve` and perfect play.
 */
#include "games/connect4/player_1983.h"
#include "games/connect4/solver.h"
#include "games/registry.h"
#include "games/connect4/evaluate.h"
#include "games/connect4/lurgee_evaluate.h"
#include "games/connect4/rules.h"
#include "games/connect4/threats.h"

#define G(f) c4_##f
#define G_STATE struct c4
#define G_MAX_MOVES C4_WIDTH
#define G_ALTERNATES 1
#define G_HAS_EVALUATE 1
#define G_HAS_LEAF 1
#define G_HAS_RANK 1
#define G_HAS_COUNT 1
#define G_HAS_IMAGE 1
#define G_HAS_DRAW 1
#include "search/perft.inc.h"
#include "search/duel.inc.h"
#include "search/mcts.inc.h"
#include "search/prove.inc.h"
#include "search/multi.inc.h"
#include "search/game.inc.h"
#define G_LURGEE_ROOT struct c4_lurgee_root
#define G_LURGEE_BYES 0
#define G_LURGEE_BEFORE(s) 0
#define G_LURGEE_SCORE(r, s, before, last, ply, w) \
	((void)(before), c4_lurgee_score(r, s, last, ply, w))
#include "lurgee/search.inc.h"

static int32_t by_threats(const void *state, const void *weights)
{
	return c4_evaluate_threats(state, weights);
}

static const struct qv_evaluation evaluations[] = {
	{ .name = "default", .help = "threats to complete a four, and discs in the middle",
	  .evaluate = c4_slot_evaluate, .leaf = c4_slot_leaf,
	  .weights = c4_weights, .weights_size = sizeof c4_weights, .names = c4_weight_names },
	{ .name = "threats",
	  .help = "threat theory: immediate and distant, odd and even threats, and zugzwang",
	  .evaluate = by_threats, .weights = c4_threat_weights,
	  .weights_size = sizeof c4_threat_weights, .names = c4_threat_weight_names },
	{ 0 },
};

static const char *const levels[] = {
	"alphabeta:depth=2,eval=none,random=1,tt=0,blunder=40",
	"alphabeta:depth=2,eval=none,random=1,tt=0,blunder=15",
	"alphabeta:depth=2,margin=60,tt=0",
	"alphabeta:depth=2,margin=19,tt=0",
	"alphabeta:depth=2,margin=10,tt=0",
	"alphabeta:depth=2,margin=3,tt=0",
	"alphabeta:depth=5,random=1,tt=0",
	"negascout:nodes=6000,random=1,tt=1",
	"negascout:nodes=40000,random=1,tt=2",
	"negascout:nodes=500000,random=1,tt=8",
	NULL,
};

static int places_left(const void *state)
{
	return bits_count(C4_BOARD & ~((const struct c4 *)state)->all);
}

static const struct qv_game game = {
	.interface = QV_INTERFACE,
	.name = "connect4",
	.title = "Connect-four",
	.aliases = "connect-four four-in-a-row c4",
	.help = "Two players, x and o, take turns to drop a disc into one of seven columns. It "
		"falls to the lowest empty place of the column. A column holds six discs. "
		"Player x moves first.\n"
		"End: the first player with four discs in a row, horizontally, vertically or "
		"diagonally, wins. If the board is full and nobody has four in a row, the game "
		"is a draw.\n"
		"Moves: the number of the column, 1 to 7.\n"
		"Position: the six rows from the top, separated by /, as x, o or . (empty), "
		"then a blank and the side to move: "
		"......./......./......./......./...o.../...x... x\n"
		"You can also give the columns played so far as digits: 44\n",
	.seats = 2,
	.alternates = true,
	.state_size = sizeof(struct c4),
	.max_moves = G_MAX_MOVES,
	.max_plies = C4_WIDTH * C4_HEIGHT,
	.symmetries = 2,
	.evaluations = evaluations,
	.levels = levels,
	.solved = "win",
	G_GAME_FUNCTIONS,
	.board = &c4_board,
};

static const struct lurgee_kit lurgee = {
	.ops = &c4_lurgee_ops,
	.evaluations = c4_lurgee_evaluations,
	.documents = c4_lurgee_documents,
	.release = c4_lurgee_release,
	.library = c4_lurgee_library,
};

static const struct game_player players[] = {
	{ &book_kind, &c4_program_1983,
	  "one ply in the style of the 1983 book: lines of one side only" },
	{ &lurgee_kind, &lurgee, NULL },
	{ 0 },
};

const struct engine connect4_engine = {
	.game = &game,
	.players = players,
	.perft = c4_perft,
	.duel = &c4_duel_ops,
	.solver = c4_solver_new,
	.mcts = &c4_mcts_ops,
	.prove = &c4_prove_ops,
	.multi = &c4_multi_ops,
	.places_left = places_left,
};
