/*
 * game.c - 3D noughts and crosses, stamped into every search and solver.
 * SPDX-License-Identifier: MIT
 *
 * The proof search here is the general one; solver.c stamps a second one with the game's own hooks.
 */
#include "games/noughts3d/evaluate.h"
#include "games/noughts3d/solver.h"
#include "games/registry.h"
#include "search/one_ply.h"

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

static void terms(const void *state, const void *weights, struct qv_terms *out)
{
	n3_evaluate_as(state, weights, out);
}

static const struct qv_evaluation evaluations[] = {
	{ .name = "lines", .help = "lines with marks of one side only, by the number of marks",
	  .evaluate = n3_slot_evaluate, .leaf = n3_slot_leaf,
	  .weights = n3_weights, .weights_size = sizeof n3_weights, .names = n3_weight_names,
	  .terms = terms },
	{ 0 },
};

static const char *const levels[] = {
	"alphabeta:depth=2,eval=none,random=1,tt=0,blunder=40",
	"alphabeta:depth=2,eval=none,random=1,tt=0,blunder=17",
	"alphabeta:depth=2,margin=44,tt=0", "alphabeta:depth=2,margin=29,tt=0",
	"alphabeta:depth=2,margin=21,tt=0", "alphabeta:depth=2,margin=17,tt=0",
	"alphabeta:depth=2,margin=13,tt=0", "alphabeta:depth=2,margin=9,tt=0",
	"alphabeta:depth=2,margin=5,tt=0", "alphabeta:depth=2,margin=2,tt=0",
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
	QV_HEAD(qv_game), .name = "noughts3d", .title = "3D noughts and crosses",
	.aliases = "qubic tictactoe3d noughts-3d",
	.help = "Noughts and crosses in a cube of 4x4x4 cells, also known as Qubic. Crosses and "
		"Noughts take turns to mark an empty cell. Crosses moves first. The cube has four "
		"levels, A to D.\n"
		"End: the first player with four marks in a straight line wins. A line may lie "
		"within a level, go through the same place of all four levels, or cross them "
		"diagonally; there are 76 lines. If the cube is full and nobody has four in a "
		"line, the game is a draw.\n"
		"Moves: column a to d, row 1 to 4, level A to D, from a1A to d4D.\n"
		"Position: the 64 cells as x (cross), o (nought) or . (empty), a blank, and the "
		"side to move. Level A comes first, in each level row 1, in each row column a.\n",
	.seats = 2, .alternates = true, .state_size = sizeof(struct n3),
	.max_moves = G_MAX_MOVES, .max_plies = N3_SQUARES, .symmetries = N3_SYMMETRIES,
	.evaluations = evaluations, .levels = levels, .solved = "win",
	G_GAME_FUNCTIONS, .board = &n3_board,
};

/*
 * ---- The 1983 book ----
 *
 * The book says that one ply with an evaluation of lines plays well, but gives no program. Here a
 * line counts if only one side has marks in it, as in the book's game on the square. An own four
 * comes first, then the opponent's three; the opponent's marks count more than one's own.
 */

static const int32_t own_line[N3_SIDE + 1] = { 0, 1, 4, 16, 100000 };
static const int32_t other_line[N3_SIDE + 1] = { 0, 2, 12, 1000, 0 };

static int32_t score_1983(const void *state, qv_move move, bool literal)
{
	const struct n3 *s = state;
	const uint64_t mine = s->mine | move;
	int32_t sum = 0;
	(void)literal;
#define X(step, starts, word, place)                                                         \
	for (uint64_t left = starts; left; left = bits_rest(left)) {                         \
		const uint64_t first = left & (0 - left);                                    \
		const uint64_t line = first | first << (step) | first << 2 * (step) |        \
				      first << 3 * (step);                                   \
		const int own = bits_count(mine & line), other = bits_count(s->theirs & line); \
		sum += own && other ? 0 : own_line[own] - other_line[other];                 \
	}
	N3_EACH_DIRECTION(X)
#undef X
	return sum;
}

static const struct one_ply_program program_1983 = { .score = score_1983 };

/* ---- The engine ---- */

static const struct game_player players[] = {
	{ &book_kind, &program_1983,
	  "one ply in the style of the 1983 book: lines of one side only" },
	{ 0 },
};

static const struct classic classics[] = {
	{ .spec = "book",
	  .title = "One ply in the style of 1983",
	  .by = "John White, 1983",
	  .about =
		  "John White's book says that one ply is enough for a good program, as W. N. James "
		  "had shown in 1981, but prints none. This player does it in the style of his "
		  "noughts and crosses: it counts the lines that only one side holds." },
	{ 0 },
};

const struct engine noughts3d_engine = {
	.game = &game, .players = players, .perft = n3_perft, .duel = &n3_duel_ops,
	.mcts = &n3_mcts_ops, .prove = &n3_prove_ops, .solver = n3_solver_new,
	.places_left = places_left, .multi = &n3_multi_ops, .prove_nodes = 30000,
	.classics = classics,
};
