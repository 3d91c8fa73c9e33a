/*
 * game.c - nine men's morris, stamped into every search and solver.
 * SPDX-License-Identifier: MIT
 *
 * The game has an index of its positions without men in hand (index.h), for endgame tables. Placing
 * is the opening; with four men or fewer on a side, flying is near.
 */
#include "games/registry.h"
#include "search/player_kind.h"
#include "games/morris/index.h"
#include "games/morris/lurgee_evaluate.h"

#define G(f) morris_##f
#define G_STATE struct morris
#define G_MAX_MOVES MORRIS_MAX_MOVES
#define G_ALTERNATES 1
#define G_HAS_EVALUATE 1
#define G_HAS_RANK 1
#define G_HAS_QUIET 1
#define G_HAS_REPEATED 1
#define G_HAS_REPEAT_HASH 1
#define G_HAS_IMAGE 1
#define G_HAS_DRAW 1
#define G_HAS_INDEX 1
#define G_HAS_PARENTS 1
#define G_HAS_AID 1
#define G_HAS_LEAVES 1
#define G_HAS_FIND_PARENTS 1
#define G_MAX_PARENTS MORRIS_MAX_PARENTS
#define G_AID_SIZE sizeof(struct morris_aid)
#include "search/perft.inc.h"
#include "search/duel.inc.h"
#include "search/mcts.inc.h"
#include "search/prove.inc.h"
#include "search/multi.inc.h"
#include "search/game.inc.h"
#include "solve/retro.inc.h"
#define G_LURGEE_ROOT struct morris_lurgee_root
#define G_LURGEE_BYES 0
#define G_LURGEE_BEFORE(s) morris_lurgee_mobility(s)
#define G_LURGEE_SCORE(r, s, before, last, ply, w) \
	((void)(last), morris_lurgee_score(r, s, before, ply, w))
#include "lurgee/search.inc.h"

/* The evaluation by men alone, and what a move changes in it. */
static int32_t material(const void *state, const void *weights)
{
	const int mover = morris_seat(state);
	(void)weights;
	return morris_men(state, mover) - morris_men(state, 1 - mover);
}

static int32_t move_takes(const void *state, qv_move move, const void *weights)
{
	(void)state;
	(void)weights;
	return morris_taken(move) != MORRIS_NONE;
}

/* Placing is the opening; with four men or fewer on a side flying is near. */
static int phase(const void *state)
{
	const struct morris *s = state;
	if (s->hand[0] | s->hand[1])
		return QV_OPENING;
	return bits_count(s->men[0]) > 4 && bits_count(s->men[1]) > 4 ? QV_MIDDLE : QV_END;
}

static void terms(const void *state, const void *weights, struct qv_terms *out)
{
	for (int seat = 0; seat < 2; seat++)
		morris_side_value(state, seat, weights, out);
}

static const struct qv_evaluation evaluations[] = {
	{ .name = "default", .help = "men, mobility, mills and points that would close a mill",
	  .evaluate = morris_slot_evaluate, .leaf = morris_slot_leaf, .weights = morris_weights,
	  .weights_size = sizeof morris_weights, .names = morris_weight_names, .terms = terms },
	{ .name = "material", .help = "men only, including those in hand", .evaluate = material,
	  .move = move_takes },
	{ 0 },
};

static const struct qv_option options[] = {
	[MORRIS_FLYING] = { .name = "flying", .help = "a side with three men may move to any empty point",
			    .max = 1, .preset = 1 },
	[MORRIS_QUIET] = { .name = "quiet",
			   .help = "draw after this number of moves without a capture (0: never)",
			   .max = 200, .preset = 20 },
	[MORRIS_REPEAT] = { .name = "repeat",
			    .help = "draw when a position occurs this number of times (0: never)",
			    .max = 10, .preset = 0 },
	{ 0 },
};

static const char *const levels[] = {
	"alphabeta:depth=1,blunder=52,tt=0",
	"alphabeta:depth=2,margin=145,tt=0",
	"alphabeta:depth=2,margin=55,blunder=100,tt=0",
	"alphabeta:depth=2,margin=55,blunder=50,tt=0",
	"alphabeta:depth=2,margin=55,blunder=20,tt=0",
	"alphabeta:depth=2,margin=45,tt=0",
	"alphabeta:depth=2,margin=26,tt=0",
	"alphabeta:depth=3,margin=18,tt=0",
	"alphabeta:depth=4,margin=14,tt=1",
	"negascout:nodes=8000,random=1,tt=1",
	"negascout:nodes=128000,random=1,tt=4,prove=30000",
	NULL,
};

static const struct qv_game game = {
	QV_HEAD(qv_game),
	.name = "morris",
	.title = "Nine men's morris",
	.aliases = "nine-mens-morris mill mills merels muehle",
	.help = "White and Black have nine men each. White moves first. The board has 24 points on "
		"three nested squares, which are linked at the middles of their sides.\n"
		"Placing: the players take turns to place a man on any empty point.\n"
		"Moving: when all men have been placed, the players take turns to move a man along "
		"a line to a neighbouring empty point. When you have only three men left, they may "
		"fly to any empty point. You can play without flying.\n"
		"Mills: three men of one side in a row on a line are a mill. When you close a "
		"mill, remove one enemy man, even if you close two mills at once. You may take a "
		"man out of a mill only if the enemy has no other men on the board.\n"
		"End: a player with fewer than three men, or with no legal move, loses. After 20 "
		"moves in a row without a capture the game is a draw. The game options change that "
		"number.\n"
		"Moves: the point to place a man on (d6), or the two points of a move (a1-a4), "
		"followed by the man that a mill removes (a1-a4xb2). Columns are a to g, rows 1 to "
		"7.\n"
		"Position: the 24 points as W, B or . (empty), row by row from a7, then the side "
		"to move, the men in hand of White and of Black, and the number of moves since the "
		"last capture.\n",
	.seats = 2, .alternates = true, .state_size = sizeof(struct morris),
	.max_moves = G_MAX_MOVES, .symmetries = MORRIS_SYMMETRIES,
	.options = options, .evaluations = evaluations, .levels = levels, .solved = "draw",
	G_GAME_FUNCTIONS,
	.material = morris_men, .board = &morris_board, .phase = phase,
};

/* ---- The Lurgee player ---- */

#define TABLE(table) .weights = table, .weights_size = sizeof table, .names = morris_lurgee_names

static const struct qv_evaluation lurgee_evaluations[] = {
	{ .name = "lurgee", .help = "as in the framework's documents: counts all moves of the men",
	  TABLE(morris_lurgee_weights) },
	{ .name = "lurgee22", .help = "as in release 2.2: counts only what the last move changed",
	  TABLE(morris_lurgee22_weights) },
	{ .name = "alternative",
	  .help = "the second evaluation of the release: a draw is worth nothing",
	  TABLE(morris_alternative_weights) },
	{ 0 },
};

#define LADDER(eval)                                                    \
	"lurgee:depth=3,evals=250,killers=5,random=1,eval=" eval,       \
	"lurgee:depth=4,evals=1000,killers=5,random=1,eval=" eval,      \
	"lurgee:depth=6,evals=5000,killers=5,random=1,eval=" eval,      \
	"lurgee:depth=8,evals=50000,killers=5,random=1,eval=" eval,     \
	"lurgee:depth=10,evals=100000,killers=5,random=1,eval=" eval, NULL
static const char *const lurgee_documents[] = { LADDER("lurgee") };
static const char *const lurgee_release[] = { LADDER("lurgee22") };

static const struct lurgee_kit lurgee = {
	.ops = &morris_lurgee_ops, .evaluations = lurgee_evaluations,
	.documents = lurgee_documents, .release = lurgee_release,
};

static const struct game_player players[] = {
	{ &lurgee_kind, &lurgee, NULL },
	{ 0 },
};

static const struct classic classics[] = {
	LURGEE_CLASSICS("3"),
	{ 0 },
};

const struct engine morris_engine = {
	.game = &game, .players = players, .perft = morris_perft, .duel = &morris_duel_ops,
	.mcts = &morris_mcts_ops, .prove = &morris_prove_ops,
	.prove_nodes = 30000, .retro = &morris_retro_ops,
	.multi = &morris_multi_ops,
	.classics = classics,
};
