/*
 * game.c - noughts and crosses stamped into the algorithms.
 * SPDX-License-Identifier: MIT
 */
#include "games/noughts/player_1983.h"
#include "games/registry.h"
#include "games/noughts/index.h"
#include "games/noughts/rules.h"

#define G(f) noughts_##f
#define G_STATE struct noughts
#define G_MAX_MOVES 9
#define G_ALTERNATES 1
#define G_HAS_EVALUATE 1
#define G_HAS_RANK 1
#define G_HAS_IMAGE 1
#define G_HAS_DRAW 1
#define G_HAS_INDEX 1
#include "search/perft.inc.h"
#include "search/duel.inc.h"
#include "search/mcts.inc.h"
#include "search/prove.inc.h"
#include "search/multi.inc.h"
#include "search/game.inc.h"
#include "solve/retro.inc.h"

static const int32_t weights[] = { 0, 1, 4, 16 };
static const struct qv_weight weight_names[] = { { "open", 0, 4 }, { 0 } };

static const struct qv_evaluation evaluations[] = {
	{ .name = "lines", .help = "lines still open to each side, by the stones in them",
	  .evaluate = noughts_slot_evaluate, .leaf = noughts_slot_leaf,
	  .weights = weights, .weights_size = sizeof weights, .names = weight_names },
	{ 0 },
};

static const char *const levels[] = {
	"alphabeta:depth=2,eval=none,random=1,tt=0,blunder=75",
	"alphabeta:depth=2,eval=none,random=1,tt=0,blunder=36",
	"alphabeta:depth=2,margin=10,tt=0",
	"alphabeta:depth=9,random=1,tt=0",
	NULL,
};

static int places_left(const void *state)
{
	return bits_count((uint64_t)(NOUGHTS_FULL & ~noughts_occupied(state)));
}

static const struct qv_game game = {
	.interface = QV_INTERFACE,
	.name = "noughts",
	.title = "Noughts and crosses",
	.aliases = "tictactoe tic-tac-toe noughts-and-crosses",
	.help = "Two sides, x and o, take turns to mark a square of a 3x3 board; x begins. Three of one's own marks in a row,\n"
		"a column or a diagonal win; a full board without them is a draw.\n"
		"Moves: the squares 1 to 9, row by row from the top left.\n"
		"Position: nine characters x, o or . from square 1, a blank, the side to move: x..oo..x. x\n",
	.seats = 2,
	.alternates = true,
	.state_size = sizeof(struct noughts),
	.max_moves = G_MAX_MOVES,
	.max_plies = 9,
	.symmetries = 8,
	.evaluations = evaluations,
	.levels = levels,
	.solved = "draw",
	G_GAME_FUNCTIONS,
	.board = &noughts_board,
};

static const struct game_player players[] = {
	{ &book_kind, &noughts_program_1983,
	  "the 1983 program; the weights of its lines are lost, these are a reconstruction" },
	{ 0 },
};

const struct engine noughts_engine = {
	.game = &game,
	.players = players,
	.perft = noughts_perft,
	.duel = &noughts_duel_ops,
	.mcts = &noughts_mcts_ops,
	.prove = &noughts_prove_ops,
	.retro = &noughts_retro_ops,
	.places_left = places_left,
	.multi = &noughts_multi_ops,
};
