/*
 * game.c - backgammon, stamped into the searches that handle dice.
 * SPDX-License-Identifier: MIT
 *
 * Rolls are moves of the seat QV_CHANCE. Gammons count for the searches, by `stakes`; the cube does
 * not.
 */
#include "games/backgammon/equity.h"
#include "games/backgammon/evaluate.h"
#include "games/backgammon/net.h"
#include "games/backgammon/player.h"
#include "games/backgammon/tables.h"
#include "games/registry.h"

#define G(f) backgammon_##f
#define G_STATE struct backgammon
#define G_MAX_MOVES BACKGAMMON_MAX_MOVES
#define G_HAS_EVALUATE 1
#define G_HAS_RANK 1
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
	backgammon_evaluate_as(state, weights, out);
}

static const struct qv_evaluation evaluations[] = {
	{ .name = "default",
	  .help = "the race, held points, men on the bar, and the risk of blots",
	  .evaluate = backgammon_slot_evaluate,
	  .leaf = backgammon_slot_leaf,
	  .weights = backgammon_weights,
	  .weights_size = sizeof backgammon_weights,
	  .names = backgammon_weight_names,
	  .terms = terms },
	{ .name = "net",
	  .help = "neural networks trained by self-play; the equity in thousandths of a point",
	  .evaluate = backgammon_net_evaluate,
	  .weights = &backgammon_net_file.nets,
	  .weights_size = sizeof backgammon_net_file.nets,
	  .read = backgammon_nets_read },
	{ 0 },
};

static const struct qv_option options[] = {
	[BACKGAMMON_OPTION_MATCH] = { "match",
				      "play a match to this many points; 0: one money game", NULL,
				      0, BACKGAMMON_MAX_MATCH, 0 },
	[BACKGAMMON_OPTION_CUBE] = { "cube", "use the doubling cube; matches always do", NULL, 0, 1,
				     0 },
	[BACKGAMMON_OPTION_JACOBY] = { "jacoby",
				       "Jacoby rule: gammons count only after a double was taken; "
				       "needs the cube",
				       NULL, 0, 1, 0 },
	[BACKGAMMON_OPTION_BEAVERS] = { "beavers",
					"beavers: a double may be answered by a redouble; needs "
					"the cube",
					NULL, 0, 1, 0 },
	[BACKGAMMON_OPTION_CRAWFORD] = { "crawford",
					 "Crawford rule: no doubles in the first game after a "
					 "player gets within one point of winning a match",
					 NULL, 0, 1, 1 },
	{ 0 },
};

/*
 * Each wins 68 to 76 % of the games against the one before, except the last, which gains less.
 * Level 1 loses to random moves.
 */
static const char *const levels[] = {
	"equity:0,blunder=62,tt=0",
	"equity:0,blunder=50,tt=0",
	"equity:0,noise=850,tt=0",
	"equity:0,noise=480,tt=0",
	"equity:0,noise=330,tt=0",
	"equity:0,noise=230,tt=0",
	"equity:0,noise=155,tt=0",
	"equity:0,noise=95,tt=0",
	"equity:0,tt=0",
	"equity:2,tt=1",
	NULL,
};

static const struct qv_game game = {
	QV_HEAD(qv_game),
	.name = "backgammon",
	.title = "Backgammon",
	.help = "White and Black have 15 men each and move them in opposite directions, from point "
		"24 down to point 1. Each side counts the points from its own end.\n"
		"Play: roll two dice and move by both numbers, with one man or two. With doubles "
		"you move four times. You cannot land on a point that two or more enemy men hold. "
		"If you land on a single enemy man, a blot, it goes to the bar. Men on the bar "
		"must enter first, on the points 24 to 19. You must use both dice if you can, "
		"otherwise the larger one if you can.\n"
		"Bearing off: when all your men are on points 1 to 6, a die takes a man off that "
		"point. If there is no man on that point or behind it, it takes off your rearmost "
		"man.\n"
		"Opening: each player rolls one die. The larger one moves first, with both "
		"numbers; equal dice are rolled again.\n"
		"End: the first player with all men off wins 1 point, 2 (a gammon) if the opponent "
		"has no man off, 3 (a backgammon) if the opponent also has a man on the bar or on "
		"points 19 to 24.\n"
		"Cube (cube=1): a game can be played with a doubling cube. Before you roll, except "
		"in the opening roll, you may double if the cube is in the middle or yours. The "
		"opponent takes, owns the cube and plays for twice the points, or drops and loses "
		"what the cube showed. The cube goes up to 4096. Two rules are optional. Jacoby: "
		"gammons and backgammons count 1 point until a double is taken. Beavers: the "
		"opponent may also beaver, which doubles the cube once more while the opponent "
		"keeps it; then you take or drop.\n"
		"Match (match=7): you play games with the cube until a player has, say, 7 points. "
		"In the first game after a player needs only one more point, nobody may double. "
		"This is the Crawford rule, which is optional. You may not double if the points on "
		"the cube are enough for you. There are no beavers and no Jacoby rule.\n"
		"Moves: 8/5 6/5, bar/22 13/11*, 6/off(2), or pass if you cannot move. A star marks "
		"a hit and may be left out. Dice rolls are roll 31 and so on; in the opening roll "
		"the first die is White's. With the cube: roll, double, take, drop, beaver.\n"
		"Position: White's men (seat 1) and Black's (seat 2) by place, the seat to move, "
		"and its roll, or - before the roll: 24:2,13:5,8:3,6:5 bar:1,13:5,8:4,6:5 2 31. A "
		"position ID of GNU Backgammon may replace the men. Cube and match follow: cube 2 "
		"1 match 7 3 2; or write a position ID, a colon and a match ID.\n",
	.seats = 2,
	.chance = true,
	.state_size = sizeof(struct backgammon),
	.max_moves = G_MAX_MOVES,
	.win = BACKGAMMON_WIN,
	.options = options,
	.stakes = BACKGAMMON_STAKES,
	.evaluations = evaluations,
	.levels = levels,
	G_GAME_FUNCTIONS,
	.board = &backgammon_board,
};

static const struct game_player players[] = {
	{ &equity_kind, NULL, "looks ahead over the dice and turns the cube" },
	{ 0 },
};

const struct engine backgammon_engine = {
	.game = &game,
	.players = players,
	.strongest = "equity:plies=2",
	.explain = equity_explain,
	.explainer = "equity:plies=2",
	.perft = backgammon_perft,
	.mcts = &backgammon_mcts_ops,
	.multi = &backgammon_multi_ops,
	.chance = &backgammon_chance_ops,
	.shared = &backgammon_shared,
	.equity = equity_estimate,
};
