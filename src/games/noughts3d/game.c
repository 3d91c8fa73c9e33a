/*
 * game.c - noughts and crosses in a cube stamped into the algorithms.
 * SPDX-License-Identifier: MIT
 */
#include "games/noughts3d/player_1983.h"
#include "games/noughts3d/solver.h"
#include "games/registry.h"
#include "games/noughts3d/evaluate.h"
#include "games/noughts3d/rules.h"

#define G(f) n3_##f
#define G_STATE struct n3
#define G_MAX_MOVES N3_SQUARES
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

static const struct qv_evaluation evaluations[] = {
	{ .name = "lines", .help = "lines that only one side has stones in, by how many",
	  .evaluate = n3_slot_evaluate, .leaf = n3_slot_leaf,
	  .weights = n3_weights, .weights_size = sizeof n3_weights, .names = n3_weight_names },
	{ 0 },
};

static const char *const levels[] = {
	"alphabeta:depth=2,eval=none,random=1,tt=0,blunder=40",
	"alphabeta:depth=2,eval=none,random=1,tt=0,blunder=17",
	"alphabeta:depth=2,margin=44,tt=0",
	"alphabeta:depth=2,margin=29,tt=0",
	"alphabeta:depth=2,margin=21,tt=0",
	"alphabeta:depth=2,margin=17,tt=0",
	"alphabeta:depth=2,margin=13,tt=0",
	"alphabeta:depth=2,margin=9,tt=0",
	"alphabeta:depth=2,margin=5,tt=0",
	"alphabeta:depth=2,margin=2,tt=0",
	"negascout:nodes=6000,random=1,tt=1",
	"negascout:nodes=50000,random=1,tt=2",
	NULL,
};

static int places_left(const void *state)
{
	const struct n3 *s = state;
	return bits_count(~(s->mine | s->theirs));
}

static const struct qv_game game = {
	.interface = QV_INTERFACE,
	.name = "noughts3d",
	.title = "Noughts and crosses in a 4x4x4 cube",
	.aliases = "qubic tictactoe3d noughts-3d",
	.help = "Two sides, x and o, take turns to mark one of the 64 cells of a 4x4x4 cube; x begins. Four of one's own marks\n"
		"in a straight line win, along an edge, a diagonal of a slice or a diagonal of the cube: there are 76 lines.\n"
		"A full cube without them is a draw.\n"
		"Moves: column a to d, row 1 to 4, level A to D: a1A to d4D.\n"
		"Position: 64 characters x, o or ., level A first, in a level row 1 first, in a row column a first; a blank, the side.\n",
	.seats = 2,
	.alternates = true,
	.state_size = sizeof(struct n3),
	.max_moves = G_MAX_MOVES,
	.max_plies = N3_SQUARES,
	.symmetries = N3_SYMMETRIES,
	.evaluations = evaluations,
	.levels = levels,
	.solved = "win",
	G_GAME_FUNCTIONS,
	.board = &n3_board,
};

static const struct game_player players[] = {
	{ &book_kind, &n3_program_1983,
	  "in the manner of the 1983 book, which has none: lines of one side alone" },
	{ 0 },
};

const struct engine noughts3d_engine = {
	.game = &game,
	.players = players,
	.perft = n3_perft,
	.duel = &n3_duel_ops,
	.mcts = &n3_mcts_ops,
	.prove = &n3_prove_ops,
	.solver = n3_solver_new,
	.places_left = places_left,
	.multi = &n3_multi_ops,
};
