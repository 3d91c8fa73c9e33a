/*
 * game.c - reversi, stamped into every search and solver.
 * SPDX-License-Identifier: MIT
 *
 * The lower levels use the hand-written evaluation and make errors (blunder=, margin=). The upper
 * ones use the trained patterns and solve the endgame.
 */
#include "games/registry.h"
#include "search/player_kind.h"
#include "games/reversi/solver.h"
#include "games/reversi/evaluate.h"
#include "games/reversi/lurgee_evaluate.h"
#include "games/reversi/pattern.h"
#include "games/reversi/rules.h"

#define G(f) reversi_##f
#define G_STATE struct reversi
#define G_MAX_MOVES REVERSI_MAX_MOVES
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
#define G_LURGEE_ROOT struct reversi_lurgee_root
#define G_LURGEE_BYES 1
#define G_LURGEE_PASS REVERSI_PASS
#define G_LURGEE_BEFORE(s) 0
#define G_LURGEE_SCORE(r, s, before, last, ply, w) \
	((void)(before), (void)(last), reversi_lurgee_score(r, s, ply, w))
#include "lurgee/search.inc.h"

static int32_t material(const void *state, const void *weights)
{
	return reversi_material(state, weights);
}

static int32_t discs(const void *state, int seat)
{
	return reversi_discs(state, seat);
}

static int phase(const void *state)
{
	return reversi_phase(state);
}

static int places_left(const void *state)
{
	const struct reversi *s = state;
	return bits_count(~(s->mover | s->other));
}

static int32_t move_discs(const void *state, qv_move move, const void *weights)
{
	(void)weights;
	return reversi_move_discs(state, move);
}

static int32_t move_square(const void *state, qv_move move, const void *weights)
{
	return reversi_move_square(state, move, weights);
}

static int32_t pattern(const void *state, const void *weights)
{
	return reversi_pattern_evaluate(state, weights);
}

static int32_t pattern_leaf(const void *state, const void *weights)
{
	return reversi_pattern_leaf(state, weights);
}

static const struct qv_evaluation evaluations[] = {
	{ .name = "default",
	  .help = "mobility, frontier, corners and the squares beside them, edges; weights by phase",
	  .evaluate = reversi_slot_evaluate,
	  .leaf = reversi_slot_leaf,
	  .weights = reversi_weights,
	  .weights_size = sizeof reversi_weights,
	  .names = reversi_weight_names,
	  .move = move_square,
	  .phase_weights = reversi_phase_weights },
	{ .name = "material", .help = "discs only", .evaluate = material, .move = move_discs },
	{ .name = "pattern",
	  .help = "edge, corner, row and diagonal patterns, trained on games; the strongest",
	  .evaluate = pattern,
	  .leaf = pattern_leaf,
	  .weights = &reversi_pattern_weights,
	  .weights_size = sizeof reversi_pattern_weights,
	  .read = reversi_patterns_read },
	{ 0 },
};

static const char *const levels[] = {
	"alphabeta:depth=1,eval=default,blunder=78,tt=0",
	"alphabeta:depth=1,eval=default,blunder=63,tt=0",
	"alphabeta:depth=2,eval=default,margin=255,tt=0",
	"alphabeta:depth=2,eval=default,margin=175,tt=0",
	"alphabeta:depth=2,eval=default,margin=125,tt=0",
	"alphabeta:depth=2,eval=default,margin=90,tt=0",
	"alphabeta:depth=2,eval=default,margin=59,tt=0",
	"alphabeta:depth=2,eval=default,margin=30,tt=0",
	"alphabeta:depth=3,eval=default,margin=33,tt=0",
	"alphabeta:depth=3,eval=default,random=1,tt=0",
	"alphabeta:depth=4,eval=default,margin=20,tt=0",
	"negascout:nodes=1200,eval=default,random=1,tt=1",
	"negascout:nodes=3500,eval=default,random=1,tt=1",
	"negascout:nodes=11000,eval=default,random=1,tt=1",
	"negascout:nodes=40000,eval=default,random=1,tt=2",
	"negascout:nodes=7500,eval=pattern,solve=14,random=1,tt=1",
	"negascout:nodes=25000,eval=pattern,solve=16,random=1,tt=2",
	NULL,
};

static const struct qv_game game = {
	.interface = QV_INTERFACE,
	.name = "reversi",
	.title = "Reversi (Othello)",
	.aliases = "othello",
	.help = "Black (X) and White (O) take turns to place a disc on an 8x8 board. Black "
		"moves first.\n"
		"Play: your disc must outflank enemy discs: one or more of them, in a straight "
		"line, between the new disc and another disc of yours. All outflanked discs, "
		"in every direction, are turned over to your colour. If you have no legal "
		"move, you pass.\n"
		"End: when neither side can move, the player with more discs wins. Equal "
		"numbers are a draw.\n"
		"Moves: the square, a1 to h8, or pass. Square a1 is at the top left.\n"
		"Position: the 64 squares from a1, b1 to h8 as X, O or - (empty), a blank, and "
		"the side to move, X or O.\n",
	.seats = 2,
	.alternates = true,
	.state_size = sizeof(struct reversi),
	.max_moves = G_MAX_MOVES,
	.max_plies = REVERSI_MAX_PLIES,
	.symmetries = 8,
	.evaluations = evaluations,
	.levels = levels,
	G_GAME_FUNCTIONS,
	.board = &reversi_board,
	.material = discs,
	.phase = phase,
};

static const struct lurgee_kit lurgee = {
	.ops = &reversi_lurgee_ops,
	.evaluations = reversi_lurgee_evaluations,
	.documents = reversi_lurgee_documents,
	.release = reversi_lurgee_release,
	.library = reversi_lurgee_library,
};

static const struct game_player players[] = {
	{ &lurgee_kind, &lurgee, NULL },
	{ 0 },
};

const struct engine reversi_engine = {
	.game = &game,
	.players = players,
	.perft = reversi_perft,
	.duel = &reversi_duel_ops,
	.solver = reversi_solver_new,
	.mcts = &reversi_mcts_ops,
	.prove = &reversi_prove_ops,
	.multi = &reversi_multi_ops,
	.places_left = places_left,
	.finisher = &reversi_finisher,
	.strongest = "negascout:eval=pattern,solve=24",
};
