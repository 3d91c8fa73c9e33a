/*
 * game.c - Race! stamped into the algorithms.
 * SPDX-License-Identifier: MIT
 */
#include "games/race/player_1983.h"
#include "games/registry.h"
#include "games/race/evaluate.h"
#include "games/race/rules.h"

#define G(f) race_##f
#define G_STATE struct race
#define G_MAX_MOVES RACE_MAX_MOVES
#define G_HAS_EVALUATE 1
#define G_HAS_RANK 1
#define G_HAS_COUNT 1
#define G_HAS_WEIGHT 1
#define G_HAS_DRAW 1
#include "search/chance.inc.h"
#include "search/mcts.inc.h"
#include "search/multi.inc.h"
#include "search/game.inc.h"
#include "search/perft.inc.h"

static const struct qv_evaluation evaluations[] = {
	{ .name = "default",
	  .help = "the way gone, pieces entered and home, blocks, less what may be hit",
	  .evaluate = race_slot_evaluate,
	  .leaf = race_slot_leaf,
	  .weights = race_weights,
	  .weights_size = sizeof race_weights,
	  .names = race_weight_names },
	{ 0 },
};

static const char *const levels[] = {
	"expectimax:depth=1,blunder=85",
	"expectimax:depth=3,chopper=1",
	NULL,
};

static const struct qv_game game = {
	.interface = QV_INTERFACE,
	.name = "race",
	.title = "Race! (the Ludo of the 1983 book)",
	.aliases = "ludo",
	.help = "Two seats, four pieces each, run the same way along one track: from the start (0) by squares 1 to 17 home (18).\n"
		"Each throws a die and moves one piece so many squares. Only a six lets a piece in, on square 1; a six also gives\n"
		"another throw. Two or more pieces on a square are a block: the other seat may neither pass it nor land on it. A\n"
		"lone piece that the other lands on goes back to the start. Home needs the exact number. Who cannot move passes.\n"
		"The first with four pieces home wins.\n"
		"Moves: FROM-TO, as 0-1 or 12-18; pass, only if there is no other; a throw is roll 1 to roll 6.\n"
		"Position: the squares of each seat's pieces in ascending order, the seat to move, its throw or - before it:\n"
		"0,3,3,18 0,0,7,12 2 5\n",
	.seats = 2,
	.chance = true,
	.state_size = sizeof(struct race),
	.max_moves = G_MAX_MOVES,
	.win = RACE_WIN,
	.evaluations = evaluations,
	.levels = levels,
	G_GAME_FUNCTIONS,
	.board = &race_board,
};

static const struct game_player players[] = {
	{ &book_kind, &race_program_1983,
	  "the 1983 program: captures, blocks, the way; literal=1 is line 890 as printed" },
	{ 0 },
};

const struct engine race_engine = {
	.game = &game,
	.players = players,
	.perft = race_perft,
	.mcts = &race_mcts_ops,
	.multi = &race_multi_ops,
	.chance = &race_chance_ops,
};
