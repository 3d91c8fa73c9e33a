/*
 * game.c - minichess, stamped into every search and solver.
 * SPDX-License-Identifier: MIT
 *
 * The include files below expand to the searches for this game: G names its functions, and each
 * G_HAS says that an optional one exists. The strongest player is the selective search. The kind
 * `seed` is the player of the document from which this game was first implemented (player_2017.c).
 */
#include "games/registry.h"
#include "search/player_kind.h"
#include "games/minichess/evaluate.h"
#include "games/minichess/rules.h"

#define G(f) minichess_##f
#define G_STATE struct minichess
#define G_MAX_MOVES MINICHESS_MAX_MOVES
#define G_ALTERNATES 1
#define G_HAS_EVALUATE 1
#define G_HAS_LEAF 1
#define G_HAS_RANK 1
#define G_HAS_COUNT 1
#define G_HAS_QUIET 1
#define G_HAS_MOVE_PARSE 1
#define G_HAS_DRAW 1
#include "search/perft.inc.h"
#include "search/duel.inc.h"
#define G_SELECT_PAWN 100
#define G_SELECT_CHECKS struct minichess_checks
#include "search/select.inc.h"
#include "search/mcts.inc.h"
#include "search/prove.inc.h"
#include "search/multi.inc.h"
#include "search/game.inc.h"

/* The slot `material` of struct qv_game. */
static int32_t worth(const void *state, int seat)
{
	return minichess_worth(state, seat, minichess_material_values);
}

/* By the pieces other than pawns and kings: eight at the start. */
static int phase(const void *state)
{
	const struct minichess *s = state;
	const int pieces = bits_count(minichess_occupied(s) & ~s->kind[MINICHESS_PAWN] &
				      ~s->kind[MINICHESS_KING]);
	return pieces > 6 ? QV_OPENING : pieces > 3 ? QV_MIDDLE : QV_END;
}

static const struct qv_weight value_names[] = {
	{ "value", MINICHESS_PAWN, MINICHESS_KINDS - MINICHESS_PAWN }, { 0 }
};

static void terms(const void *state, const void *weights, struct qv_terms *out)
{
	minichess_evaluate_as(state, weights, out);
}

static void piece_terms(const void *state, const void *weights, struct qv_terms *out)
{
	for (int seat = 0; seat < 2; seat++)
		minichess_worth_as(state, seat, weights, out);
}

static const struct qv_evaluation evaluations[] = {
	{ .name = "default", .help = "material, pawn advance, mobility, king safety",
	  .evaluate = minichess_slot_evaluate, .leaf = minichess_slot_leaf,
	  .weights = minichess_weights, .weights_size = sizeof minichess_weights,
	  .names = minichess_weight_names, .terms = terms },
	{ .name = "material", .help = "material only: 100, 300, 300, 500, 900",
	  .evaluate = minichess_ahead_by, .weights = minichess_material_values,
	  .weights_size = sizeof minichess_material_values, .names = value_names,
	  .move = minichess_move_gain, .terms = piece_terms },
	{ .name = "seed", .help = "as in the 2017 document: material, and 1000 for a king",
	  .evaluate = minichess_ahead_by, .weights = minichess_seed_values,
	  .weights_size = sizeof minichess_seed_values, .names = value_names,
	  .move = minichess_move_gain, .terms = piece_terms },
	{ 0 },
};

/* The book was made by a search, so it is for the levels that can continue from it. */
static const struct level_book level_books[] = { { 13, BOOK_BY_WEIGHT, 100 }, { 0 } };

/* From weak to strong. The lower ones blunder, or play any move within a margin of the best. */
static const char *const levels[] = {
	"alphabeta:depth=1,blunder=38,tt=0", "alphabeta:depth=2,margin=850,tt=0",
	"alphabeta:depth=2,margin=185,blunder=100,tt=0",
	"alphabeta:depth=2,margin=185,blunder=69,tt=0",
	"alphabeta:depth=2,margin=185,blunder=40,tt=0",
	"alphabeta:depth=2,margin=185,blunder=13,tt=0", "alphabeta:depth=2,margin=170,tt=0",
	"alphabeta:depth=2,margin=132,tt=0", "alphabeta:depth=2,margin=87,tt=0",
	"alphabeta:depth=2,margin=46,tt=0", "alphabeta:depth=2,margin=18,tt=0",
	"alphabeta:depth=3,margin=55,tt=0", "alphabeta:depth=3,margin=28,tt=0",
	"alphabeta:depth=3,margin=5,tt=0", "negascout:nodes=4500,random=1,tt=1",
	"negascout:nodes=10000,random=1,tt=1", "negascout:nodes=30000,random=1,tt=2",
	"negascout:nodes=100000,random=1,tt=4", "selective:nodes=40000,random=1,tt=4",
	"selective:nodes=150000,random=1,tt=8", NULL
};

static const struct qv_game game = {
	QV_HEAD(qv_game),
	.name = "minichess",
	.title = "Minichess",
	.aliases = "mini-chess minitchess imcs",
	.help = "Chess on a board of five files and six ranks, as played on the Internet MiniChess "
		"Server (IMCS). White moves first.\n"
		"Play: king, queen, rook and knight move as in chess. The bishop moves as in "
		"chess, and may also step one square straight, but not capture that way. A pawn "
		"moves one square forward, captures diagonally forward, and becomes a queen on the "
		"last rank. There is no castling, no double step and no check: watch your king "
		"yourself.\n"
		"End: you win when you capture the enemy king. If you have no legal move, you "
		"lose. After 40 moves by each side the game is a draw.\n"
		"Moves: the two squares, such as a2-a3 or a2a3, or algebraic notation, such as a3, "
		"Nc3 or exd5. Square a1 is at the bottom left.\n"
		"Position: the move number, a blank, the side to move (W or B), then the ranks "
		"from the top, each after a /. Capital letters are White's pieces, small letters "
		"Black's: 1 W/kqbnr/ppppp/...../...../PPPPP/RNBQK\n",
	.seats = 2, .alternates = true, .state_size = sizeof(struct minichess),
	.max_moves = G_MAX_MOVES, .max_plies = MINICHESS_MAX_PLIES,
	.evaluations = evaluations, .levels = levels,
	G_GAME_FUNCTIONS,
	.board = &minichess_board, .material = worth, .phase = phase,
};

/* Besides the players that every game has. */
static const struct game_player players[] = {
	{ &selective_kind, &minichess_select_ops, NULL }, { &seed_kind, NULL, NULL }, { 0 }
};

static const struct classic classics[] = {
	{ .spec = "seed:time=1s",
	  .title = "The student's player of 2017",
	  .by = "Rudd Johnson, 2017",
	  .about =
		  "Rudd Johnson wrote this player in Java for a university course and let it play on the "
		  "Internet MiniChess Server. It gives each move an equal share of its time, which "
		  "was 7.5 seconds and is one second here, and counts nothing but material." },
	{ 0 },
};

const struct engine minichess_engine = {
	.game = &game, .players = players, .perft = minichess_perft,
	.duel = &minichess_duel_ops, .mcts = &minichess_mcts_ops,
	.prove = &minichess_prove_ops, .multi = &minichess_multi_ops,
	.strongest = "selective:quiet=1", .short_text = minichess_short_text,
	.classics = classics, .level_books = level_books,
};
