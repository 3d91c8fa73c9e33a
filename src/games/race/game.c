/*
 * game.c - Race!, stamped into the searches that handle dice.
 * SPDX-License-Identifier: MIT
 *
 * Rolls are moves of the seat QV_CHANCE. The strongest player is expectimax.
 */
#include "base/real.h"
#include "games/race/evaluate.h"
#include "games/registry.h"
#include "search/one_ply.h"

#define G(f) race_##f
#define G_STATE struct race
#define G_MAX_MOVES RACE_MAX_MOVES
#define G_HAS_EVALUATE 1
#define G_HAS_RANK 1
#define G_HAS_COUNT 1
#define G_HAS_WEIGHT 1
#define G_HAS_MOVE_PARSE 1
#define G_HAS_DRAW 1
#include "search/chance.inc.h"
#include "search/mcts.inc.h"
#include "search/multi.inc.h"
#include "search/game.inc.h"
#include "search/perft.inc.h"

static void terms(const void *state, const void *weights, struct qv_terms *out)
{
	race_evaluate_as(state, weights, out);
}

static const struct qv_evaluation evaluations[] = {
	{ .name = "default",
	  .help = "progress, pieces entered and home, blocks, minus the risk of being hit",
	  .evaluate = race_slot_evaluate, .leaf = race_slot_leaf,
	  .weights = race_weights, .weights_size = sizeof race_weights,
	  .names = race_weight_names, .terms = terms },
	{ 0 },
};

static const char *const levels[] = { "expectimax:depth=1,blunder=85",
				      "expectimax:depth=3,chopper=1", NULL };

static const struct qv_game game = {
	QV_HEAD(qv_game), .name = "race", .title = "Race!", .aliases = "ludo",
	.help = "A race game like Ludo, from John White's book of 1983. Blue and Red have four "
		"pieces each. All pieces run the same way along one track: from the start (0) over "
		"squares 1 to 17 to home (18).\n"
		"Play: roll the die and move one of your pieces by the number rolled. A piece "
		"leaves the start only with a six, to square 1. A six also gives you another roll. "
		"A piece gets home only with the exact number. If you have no legal move, you "
		"pass.\n"
		"Blocks: two or more pieces of one player on a square form a block. The opponent "
		"cannot pass it or land on it. If you land on a single enemy piece, it goes back "
		"to the start.\n"
		"End: the first player with all four pieces home wins.\n"
		"Moves: the square a piece leaves and the one it reaches, such as 0-1 or 12-18, or "
		"pass if there is no other move. The number of a piece works too: 1 is your last "
		"piece on the track, 4 the first. Dice rolls are roll 1 to roll 6.\n"
		"Position: the squares of the pieces of Blue (seat 1) and of Red (seat 2), each in "
		"ascending order, the seat to move, and its roll, or - before the roll: 0,3,3,18 "
		"0,0,7,12 2 5\n",
	.seats = 2, .chance = true, .state_size = sizeof(struct race), .max_moves = G_MAX_MOVES,
	.win = RACE_WIN, .evaluations = evaluations, .levels = levels,
	G_GAME_FUNCTIONS, .board = &race_board,
};

/*
 * ---- The 1983 program ----
 *
 * It looks one ply ahead and scores the move itself. Line 890 subtracts 10 if the piece that moves
 * stands alone. Breaking up a pair was certainly meant, because a pair is a block; literal=1
 * follows the line as printed. A piece leaving the start does neither.
 */

/* DUMMIES: the book's number of a square is ours plus these. The others are its scores. */
enum { DUMMIES = 5, CAPTURE = 40, NEW_BLOCK = 20, LINE_890 = -10, ENTERING = 5, HOME = 40 };
enum { NO_MOVE = -999 };

static int32_t score_1983(const void *state, qv_move move, bool literal)
{
	const struct race *s = state;
	if (move == RACE_PASS)
		return NO_MOVE;
	const int from = (int)move, to = race_target(from, s->roll), me = s->turn;
	const bool on_track = RACE_TRACK >> to & 1, from_track = RACE_TRACK >> from & 1;
	int32_t sum = to + DUMMIES;
	sum += on_track && race_pieces_on(s, 1 - me, to) == 1 ? CAPTURE : 0;
	sum += on_track && race_pieces_on(s, me, to) == 1 ? NEW_BLOCK : 0;
	sum += from_track && race_pieces_on(s, me, from) == (literal ? 1 : 2) ? LINE_890 : 0;
	sum += to == RACE_ENTRY ? ENTERING : 0;
	sum += to == RACE_HOME ? HOME : 0;
	return sum;
}

static const struct one_ply_program program_1983 = { .score = score_1983, .has_literal = true };

/* ---- Luck ---- */

static double equity(const void *state, int seat)
{
	const struct race *s = state;
	const double value = race_evaluate(s, race_weights) / RACE_SCALE;
	return real_tanh(s->turn == seat ? value : -value);
}

/* ---- The engine ---- */

static const struct game_player players[] = {
	{ &book_kind, &program_1983,
	  "the 1983 program: captures, blocks, progress; literal=1 follows line 890 as printed" },
	{ 0 },
};

static const struct classic classics[] = {
	{ .spec = "book",
	  .title = "John White's Race!",
	  .by = "John White, 1983",
	  .about =
		  "John White printed the game Race! and this program in chapter 7 of his book. It "
		  "looks one ply ahead and weighs captures, blocks and progress." },
	{ 0 },
};

const struct engine race_engine = {
	.game = &game,
	.players = players,
	.perft = race_perft,
	.mcts = &race_mcts_ops,
	.multi = &race_multi_ops,
	.chance = &race_chance_ops,
	.classics = classics,
	.equity = equity,
};
