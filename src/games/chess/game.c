/*
 * game.c - chess, stamped into every search and solver.
 * SPDX-License-Identifier: MIT
 *
 * The strongest player is the selective search with the net. `rated` maps a rating to a player, for
 * UCI_Elo and the like.
 */
#include "base/embed.h"
#include "games/registry.h"
#include "search/one_ply.h"
#include "search/player_kind.h"
#include "games/chess/book_eval.h"
#include "games/chess/net.h"
#include "games/chess/evaluate_terms.h"
#include "games/chess/index.h"
#include "games/chess/material.h"
#include "games/chess/rules.h"

/* The searches below are expanded for chess: these name its functions and what it has. */
#define G(f) chess_##f
#define G_STATE struct chess
#define G_MAX_MOVES CHESS_MAX_MOVES
#define G_ALTERNATES 1
#define G_HAS_EVALUATE 1
#define G_HAS_RANK 1
#define G_HAS_COUNT 1
#define G_HAS_QUIET 1
#define G_HAS_REPEATED 1
#define G_HAS_REPEAT_HASH 1
#define G_HAS_MOVE_PARSE 1
#define G_HAS_DRAW 1
#define G_HAS_INDEX 1
#define G_HAS_PARENTS 1
#define G_MAX_PARENTS CHESS_MAX_PARENTS
#include "search/perft.inc.h"
#include "search/duel.inc.h"
#define G_SELECT_PAWN 100
#define G_SELECT_CHECKS struct chess_checks
#include "search/select.inc.h"
#include "search/mcts.inc.h"
#include "search/prove.inc.h"
#include "search/multi.inc.h"
#include "search/game.inc.h"
#include "solve/retro.inc.h"

static int32_t by_net(const void *state, const void *weights)
{
	return chess_net_evaluate(state, weights, NULL);
}

/* The phases are those of the 1983 book. */
static int phase(const void *state)
{
	return chess_book_phase_of(state);
}

static const struct qv_evaluation evaluations[] = {
	{ .name = "default",
	  .help = "material, piece squares, mobility, pawns, king safety, threats; by phase",
	  .evaluate = chess_slot_evaluate, .leaf = chess_slot_leaf, .weights = chess_weights,
	  .weights_size = sizeof chess_weights, .names = chess_weight_names,
	  .move = chess_move_gain, .phase_weights = chess_phase_weights, .terms = chess_terms },
	{ .name = "net", .help = "a neural network trained on games; the strongest",
	  .evaluate = by_net, .weights = &chess_net_file.net,
	  .weights_size = sizeof chess_net_file.net, .read = chess_net_read,
	  .recall = chess_net_evaluate, .memory_size = sizeof(struct chess_net_memory) },
	{ .name = "material", .help = "material only: 100, 320, 330, 500, 950",
	  .evaluate = chess_material_evaluate, .weights = chess_material_weights,
	  .weights_size = sizeof chess_material_weights, .names = chess_material_names,
	  .move = chess_material_gain, .terms = chess_material_terms },
	{ .name = "book",
	  .help = "as in the 1983 book: material, control of squares, pawns, rooks, castling",
	  .evaluate = chess_book_evaluate, .weights = chess_book_weights,
	  .weights_size = sizeof chess_book_weights, .names = chess_book_weight_names,
	  .move = chess_book_move, .phase_weights = chess_book_phase_weights,
	  .terms = chess_book_terms },
	{ 0 },
};

/* The lower ones err; the last go by the net. */
static const char *const levels[] = {
	"alphabeta:depth=1,blunder=58,tt=0", "alphabeta:depth=2,margin=500,tt=0",
	"alphabeta:depth=2,margin=105,blunder=100,tt=0",
	"alphabeta:depth=2,margin=105,blunder=68,tt=0",
	"alphabeta:depth=2,margin=105,blunder=40,tt=0",
	"alphabeta:depth=2,margin=105,blunder=16,tt=0", "alphabeta:depth=2,margin=100,tt=0",
	"alphabeta:depth=2,margin=82,tt=0", "alphabeta:depth=2,margin=66,tt=0",
	"alphabeta:depth=2,margin=51,tt=0", "alphabeta:depth=2,margin=37,tt=0",
	"alphabeta:depth=2,margin=24,tt=0", "alphabeta:depth=2,margin=5,tt=0",
	"selective:nodes=550,tt=1", "selective:nodes=1300,tt=1",
	"selective:nodes=2200,tt=1", "selective:nodes=3600,tt=2", "selective:nodes=6000,tt=2",
	"selective:nodes=6000,tt=2,eval=net", "selective:nodes=12000,tt=4,eval=net",
	"selective:nodes=40000,tt=4,eval=net", "selective:nodes=130000,tt=8,eval=net",
	"selective:nodes=400000,tt=16,eval=net,prove=30000", NULL
};

/* Beginners know the openings only in part, and the rare ones as well as the main lines. */
static const struct level_book level_books[] = {
	{ 1, BOOK_EVEN, 60 }, { 4, BOOK_BY_WEIGHT, 80 }, { 10, BOOK_BY_WEIGHT, 100 }, { 0 }
};

/*
 * By matches against Stockfish 15.1 limited to ratings of its own, and against each other:
 * docs/protocol.md says how.
 */
static const struct rated_player rated[] = {
	{ 1100, "alphabeta:depth=2,tt=0", "margin", 93 },
	{ 1300, "alphabeta:depth=2,tt=0", "margin", 60 },
	{ 1530, "alphabeta:depth=2,tt=0", "margin", 30 },
	{ 1640, "alphabeta:depth=2,tt=0", "margin", 10 },
	{ 1665, "selective:tt=2", "nodes", 200 },
	{ 1700, "selective:tt=2", "nodes", 320 },
	{ 1725, "selective:tt=2", "nodes", 500 },
	{ 1835, "selective:tt=2", "nodes", 1500 },
	{ 1985, "selective:tt=2", "nodes", 5000 },
	{ 2050, "selective:tt=2", "nodes", 12000 },
	{ 0 },
};

static const struct qv_option options[] = {
	[CHESS_OPTION_START] = { .name = "start",
				 .help = "normal: orthodox chess; 960: Chess960 (Fischer random), "
					 "with castling from any files",
				 .choices = "normal|960" },
	[CHESS_OPTION_NUMBER] = { .name = "number",
				  .help = "which of the 960 start positions; 518 is that of chess",
				  .max = CHESS_STARTS - 1,
				  .preset = CHESS_NORMAL_START },
	{ 0 },
};

static const struct qv_game game = {
	QV_HEAD(qv_game),
	.name = "chess",
	.title = "Chess",
	.aliases = "schach echecs ajedrez scacchi",
	.help = "White and Black each have a king, a queen, two rooks, two bishops, two knights "
		"and eight pawns. White moves first.\n"
		"Pieces: the king moves one square in any direction. The queen moves any distance "
		"along ranks, files and diagonals, the rook along ranks and files, the bishop "
		"along diagonals. The knight jumps two squares along a rank or file and one to the "
		"side. A pawn moves one square forward, or two from its first square, and captures "
		"one square diagonally forward. Every piece captures by moving onto an enemy "
		"piece.\n"
		"Promotion: a pawn that reaches the last rank becomes a queen, rook, bishop or "
		"knight.\n"
		"Castling: the king moves two squares towards a rook, and the rook jumps to his "
		"other side. Neither of them may have moved before, nothing may stand between "
		"them, and no enemy may attack the king or the two squares of his move.\n"
		"Chess960 (start=960): the pieces behind the pawns begin in another order. "
		"Castling ends as in chess, with king and rook on the c- and d-file or the g- and "
		"f-file. Apart from the two of them, every square that either crosses or reaches "
		"must be empty.\n"
		"En passant: if an enemy pawn moves two squares and stops beside your pawn, you "
		"may capture it with your next move, as if it had moved one square.\n"
		"Check: a king that is attacked is in check. You must get it out of check with "
		"your next move. If you cannot, it is checkmate and you lose. If you have no legal "
		"move and are not in check, it is stalemate: a draw.\n"
		"Draws: the game is drawn at once, without a claim, when a position occurs for the "
		"third time, after 50 moves by each side without a capture or pawn move, and when "
		"neither side can mate: bare kings, one knight, or only bishops on squares of one "
		"colour.\n"
		"Moves: the two squares (e2e4, castling e1g1), with a letter for a promotion "
		"(e7e8q). Algebraic notation (Nf3, exd5, e8=Q, O-O or 0-0) and castling as king "
		"takes rook (e1h1) are accepted too. In Chess960 castling is king takes rook.\n"
		"Position: FEN. You may leave out the two counters. Castling rights may be KQkq or "
		"the files of the rooks (HAha). In Chess960 KQkq are the outermost rooks.\n",
	.seats = 2,
	.alternates = true,
	.state_size = sizeof(struct chess),
	.max_moves = G_MAX_MOVES,
	.options = options,
	.evaluations = evaluations,
	.levels = levels,
	G_GAME_FUNCTIONS,
	.material = chess_material,
	.board = &chess_board,
	.phase = phase,
};

/* Besides the players that every game has. */
static const struct game_player players[] = {
	{ &selective_kind, &chess_select_ops, NULL },
	{ &machine_kind, &chess_machine_program, NULL }, { 0 }
};

static const struct classic classics[] = {
	{ .spec = "machine",
	  .title = "The automaton of 1912",
	  .by = "Leonardo Torres y Quevedo, 1912",
	  .about =
		  "Leonardo Torres y Quevedo built an electromechanical automaton that mates with king "
		  "and rook, and this project bears his name. It follows six rules, of which the "
		  "first that applies decides, and searches nothing; you have the lone king.",
	  .position = "4K3/R7/8/8/4k3/8/8/8 w - - 0 1",
	  .seat = 1 },
	{ 0 },
};

#define TABLE(space)                                   \
	EMBEDDED(unsigned char chess_table_##space[]); \
	EMBEDDED(uint64_t chess_table_##space##_size)
TABLE(kk);
TABLE(krk);
TABLE(kqk);
TABLE(knk);
TABLE(kbk);
TABLE(kpk);
#undef TABLE

/* The spaces with at most three pieces, in the order of the index. */
static const struct built_in_table built_in_tables[] = {
	{ chess_table_kk, &chess_table_kk_size },
	{ chess_table_krk, &chess_table_krk_size },
	{ chess_table_kqk, &chess_table_kqk_size },
	{ chess_table_knk, &chess_table_knk_size },
	{ chess_table_kbk, &chess_table_kbk_size },
	{ chess_table_kpk, &chess_table_kpk_size },
	{ 0 },
};

const struct engine chess_engine = {
	.game = &game, .orthodox = true, .players = players, .perft = chess_perft,
	.duel = &chess_duel_ops, .mcts = &chess_mcts_ops, .prove = &chess_prove_ops,
	.prove_nodes = 30000,
	.multi = &chess_multi_ops, .retro = &chess_retro_ops, .tables = built_in_tables,
	.tables_alone = true,
	.short_text = chess_san_put, .ending = chess_ending, .rated = rated,
	.strongest = "selective:quiet=1,eval=net",
	.classics = classics, .level_books = level_books,
};
