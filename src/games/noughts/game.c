/*
 * game.c - noughts and crosses, stamped into every search and solver.
 * SPDX-License-Identifier: MIT
 *
 * This is the model for a new game. The G_ macros name the rules and say what they offer; each
 * included template then becomes a search for this game alone, with the rules inlined. The rest is
 * data: evaluation, levels, help text and the struct engine that the registry lists.
 */
#include "games/noughts/index.h"
#include "games/registry.h"
#include "search/one_ply.h"

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

static void terms(const void *state, const void *w, struct qv_terms *out)
{
	noughts_evaluate_as(state, w, out);
}

static const struct qv_evaluation evaluations[] = {
	{ .name = "lines", .help = "lines still open to each side, by the number of marks in them",
	  .evaluate = noughts_slot_evaluate, .leaf = noughts_slot_leaf,
	  .weights = weights, .weights_size = sizeof weights, .names = weight_names,
	  .terms = terms },
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
	QV_HEAD(qv_game), .name = "noughts", .title = "Noughts and crosses",
	.aliases = "tictactoe tic-tac-toe noughts-and-crosses",
	.help = "Crosses and Noughts take turns to mark an empty square of a 3x3 board. Crosses "
		"moves first.\n"
		"End: the first player with three marks in a row, column or diagonal wins. If the "
		"board is full and nobody has three in a row, the game is a draw.\n"
		"Moves: the number of the square, 1 to 9, row by row from the top left.\n"
		"Position: the nine squares from 1 to 9 as x (cross), o (nought) or . (empty), a "
		"blank, and the side to move: x..oo..x. x\n",
	.seats = 2, .alternates = true, .state_size = sizeof(struct noughts),
	.max_moves = G_MAX_MOVES, .max_plies = 9, .symmetries = 8,
	.evaluations = evaluations, .levels = levels, .solved = "draw",
	G_GAME_FUNCTIONS, .board = &noughts_board,
};

/*
 * ---- The 1983 program: one ply, and two positions by heart ----
 *
 * The sum of a line counts 1 for each own mark and -1 for each of the opponent's. Each sum has a
 * weight, and a move is worth the weights of the eight lines after it. The lines of the listing
 * that held the weights are lost. The weights here are a reconstruction that agrees with everything
 * the text says about the program; with them it never loses.
 */

enum { LOWEST_SUM = -3, SUMS = 7, CENTRE = 4 };

static const int32_t weights_1983[SUMS] = {
	[-2 - LOWEST_SUM] = -12, [-1 - LOWEST_SUM] = -2, [0 - LOWEST_SUM] = 0,
	[1 - LOWEST_SUM] = 1,	 [2 - LOWEST_SUM] = 4,	 [3 - LOWEST_SUM] = 100,
};

static int32_t score_1983(const void *state, qv_move move, bool literal)
{
	const struct noughts *s = state;
	const int me = noughts_seat(s), mine = s->stones[me] | 1 << move,
		  theirs = s->stones[1 - me];
	int32_t sum = 0;
	(void)literal;
	for (int i = 0; i < NOUGHTS_LINES; i++)
		sum += weights_1983[bits_count((uint64_t)(mine & noughts_lines[i])) -
				    bits_count((uint64_t)(theirs & noughts_lines[i])) - LOWEST_SUM];
	return sum;
}

/*
 * Known by heart: the empty board, and the centre held against two opposite corners, where the
 * evaluation would choose a corner and lose.
 */
static bool has_reply(const void *state)
{
	const struct noughts *s = state;
	const int me = noughts_seat(s), mine = s->stones[me], theirs = s->stones[1 - me];
	return !noughts_occupied(s) ||
	       (mine == 1 << CENTRE && (theirs == 0x101 || theirs == 0x044));
}

/* The moves known by heart: the centre of the empty board, else an edge square. */
static bool is_reply(const void *state, qv_move move)
{
	return noughts_occupied(state) ? move & 1 : move == CENTRE;
}

static const struct one_ply_program program_1983 = { .score = score_1983, .knows = has_reply, .prefers = is_reply };

/* ---- The engine ---- */

static const struct game_player players[] = {
	{ &book_kind, &program_1983,
	  "the 1983 program; its weights are lost and reconstructed here" },
	{ 0 },
};

static const struct classic classics[] = {
	{ .spec = "book",
	  .title = "John White's noughts and crosses",
	  .by = "John White, 1983",
	  .about =
		  "John White printed this program in chapter 7 of his book Writing Strategy Games on "
		  "Your Atari Computer. It looks one ply ahead and knows two book replies; the "
		  "weights of its evaluation are lost, and those used here are a reconstruction." },
	LEARNER_CLASSIC,
	{ 0 },
};

const struct engine noughts_engine = {
	.game = &game, .players = players, .perft = noughts_perft, .duel = &noughts_duel_ops,
	.mcts = &noughts_mcts_ops, .prove = &noughts_prove_ops,
	.prove_nodes = 100000, .retro = &noughts_retro_ops,
	.places_left = places_left, .multi = &noughts_multi_ops,
	.classics = classics,
};
