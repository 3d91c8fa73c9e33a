/*
 * game.c - go-moku, stamped into every search.
 * SPDX-License-Identifier: MIT
 */
#include "games/gomoku/evaluate.h"
#include "games/gomoku/solver.h"
#include "games/gomoku/shapes.h"
#include "games/gomoku/threat_search.h"
#include "games/registry.h"

#define G(f) gomoku_##f
#define G_STATE struct gomoku
#define G_MAX_MOVES GOMOKU_MAX_MOVES
#define G_HAS_EVALUATE 1
#define G_HAS_LEAF 1
#define G_HAS_RANK 1
#define G_HAS_RANKS 1
#define G_HAS_COUNT 1
#define G_HAS_IMAGE 1
#define G_HAS_DRAW 1
#include "search/perft.inc.h"
#include "search/duel.inc.h"
#include "search/mcts.inc.h"
#include "search/prove.inc.h"
#include "search/multi.inc.h"
#include "search/game.inc.h"

static void terms(const void *state, const void *weights, struct qv_terms *out)
{
	gomoku_evaluate_as(state, weights, out);
}

static const struct qv_evaluation evaluations[] = {
	{ .name = "lines",
	  .help = "patterns of stones in lines, and whose turn it is",
	  .evaluate = gomoku_slot_evaluate,
	  .leaf = gomoku_slot_leaf,
	  .weights = gomoku_weights,
	  .weights_size = sizeof gomoku_weights,
	  .names = gomoku_weight_names,
	  .terms = terms },
	{ .name = "shapes",
	  .help = "the same, and what stones on empty points make in all directions; the strongest "
		  "with threats",
	  .evaluate = gomoku_shapes_evaluate,
	  .weights = gomoku_shape_weights,
	  .weights_size = sizeof gomoku_shape_weights,
	  .names = gomoku_shape_names,
	  .terms = gomoku_shapes_terms },
	{ 0 },
};

static const struct qv_option options[] = {
	[GOMOKU_OPTION_SIZE] = { .name = "size",
				 .help = "rows and columns of the board",
				 .min = GOMOKU_MIN_SIZE,
				 .max = GOMOKU_SIDE,
				 .preset = 15 },
	[GOMOKU_OPTION_RULE] = { .name = "rule",
				 .help = "freestyle: five or more win; exact: five exactly; renju: "
					 "exact for Black, who also has forbidden moves",
				 .choices = "freestyle|exact|renju",
				 .preset = GOMOKU_FREESTYLE },
	[GOMOKU_OPTION_OPENING] = { .name = "opening",
				    .help = "none: Black begins; swap2: colours are chosen after "
					    "three or five stones",
				    .choices = "none|swap2" },
	{ 0 },
};

/* docs/results/levels.md has the matches between them. */
static const char *const levels[] = {
	"threats:depth=1,blunder=64,random=1,tt=1",
	"threats:depth=1,blunder=48,random=1,tt=1",
	"threats:depth=1,margin=300,tt=1",
	"threats:depth=1,margin=165,tt=1",
	"threats:depth=1,margin=121,tt=1",
	"threats:depth=1,margin=90,tt=1",
	"threats:depth=1,margin=69,tt=1",
	"threats:depth=1,margin=52,tt=1",
	"threats:depth=1,margin=37,tt=1",
	"threats:depth=1,margin=22,tt=1",
	"threats:depth=1,margin=6,tt=1",
	"threats:nodes=1200,eval=shapes,random=1,tt=1",
	"threats:nodes=20000,eval=shapes,random=1,tt=4",
	"threats:nodes=200000,eval=shapes,random=1,tt=16",
	NULL,
};

static const struct qv_game game = {
	QV_HEAD(qv_game),
	.name = "gomoku",
	.title = "Go-moku",
	.aliases = "go-moku five-in-a-row",
	.help = "Black and White take turns to place a stone on an empty point of the board. Black "
		"moves first. Stones are never moved or removed.\n"
		"End: the first player with five stones in an unbroken line, along a row, a column "
		"or a diagonal, wins. A full board is a draw.\n"
		"Rules: in freestyle a line of six or more wins, too; with exact five it does not. "
		"In renju it wins for White only, and some points are forbidden to Black, who "
		"would win too easily otherwise.\n"
		"Renju: Black may not make an overline (six or more in an unbroken line), two "
		"fours at once or two threes at once, unless the same stone makes exactly five, "
		"which wins. A four is four stones in a line that one more stone makes five; they "
		"may have a gap. A straight four has no gap and can become five at both ends. A "
		"three is three stones in a line that one more stone, on a point that is not "
		"forbidden, makes a straight four. If only forbidden points are left when Black is "
		"to move, the game is a draw.\n"
		"Opening: with the swap2 opening the first player places a black, a white and a "
		"black stone. The second player takes white, takes black, or places a white and a "
		"black stone; then the first player takes a colour. White moves next.\n"
		"Moves: column and row, as h8; in swap2 also black and white, to take that colour. "
		"Column a is at the left, row 1 at the bottom.\n"
		"Position: the rows from the top, separated by /, with x (Black), o (White) and "
		"numbers of empty points; a blank, and the side to move, x or o. With swap2 one "
		"more word follows: open while colours are not chosen, kept if the first player "
		"has Black, or swapped. The moves from the start are accepted, too, as h8 i9.\n",
	.seats = 2,
	.state_size = sizeof(struct gomoku),
	.max_moves = G_MAX_MOVES,
	.max_plies = GOMOKU_MAX_PLIES,
	.symmetries = 8,
	.options = options,
	.evaluations = evaluations,
	.levels = levels,
	G_GAME_FUNCTIONS,
	.board = &gomoku_board,
};

static int places_left(const void *state)
{
	const struct gomoku *s = state;
	return s->size * s->size - s->count;
}

static const struct game_player players[] = {
	{ &gomoku_threats_kind, &gomoku_threat_ops, NULL },
	{ 0 },
};

const struct engine gomoku_engine = {
	.game = &game,
	.players = players,
	.perft = gomoku_perft,
	.duel = &gomoku_duel_ops,
	.mcts = &gomoku_mcts_ops,
	.prove = &gomoku_prove_ops,
	.multi = &gomoku_multi_ops,
	.solver = gomoku_solver_new,
	.places_left = places_left,
	.refusal = gomoku_refusal,
	.strongest = "threats:eval=shapes",
};
