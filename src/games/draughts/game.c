/*
 * game.c - English draughts, stamped into every search.
 * SPDX-License-Identifier: MIT
 */
#include "base/embed.h"
#include "games/registry.h"
#include "search/player_kind.h"
#include "games/draughts/evaluate.h"
#include "games/draughts/programs.h"
#include "games/draughts/index.h"
#include "games/draughts/pattern.h"

#define G(f) draughts_##f
#define G_STATE struct draughts
#define G_MAX_MOVES DRAUGHTS_MAX_MOVES
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
#define G_HAS_AID 1
#define G_HAS_LEAVES 1
#define G_MAX_PARENTS DRAUGHTS_MAX_PARENTS
#define G_AID_SIZE sizeof(struct draughts_aid)
#include "search/perft.inc.h"
#include "search/duel.inc.h"
#define G_SELECT_PAWN 100
#define G_SELECT_CHECKS struct draughts_checks
#define G_SELECT_TABLES 1
#include "search/select.inc.h"
#include "search/mcts.inc.h"
#include "search/prove.inc.h"
#include "search/multi.inc.h"
#include "search/game.inc.h"
#include "solve/retro.inc.h"

static int32_t material(const void *state, const void *weights)
{
	const int mover = draughts_seat(state);
	(void)weights;
	return draughts_material(state, mover) - draughts_material(state, 1 - mover);
}

static int32_t material_gain(const void *state, qv_move move, const void *weights)
{
	(void)weights;
	return draughts_gain(state, move);
}

static int32_t pattern(const void *state, const void *weights)
{
	return draughts_pattern_value(state, weights);
}

static void terms(const void *state, const void *weights, struct qv_terms *out)
{
	for (int seat = 0; seat < 2; seat++)
		draughts_side_value(state, seat, weights, out);
}

/* The opening ends when each side has lost a few pieces; with five or fewer it is the endgame. */
static int phase(const void *state)
{
	const struct draughts *s = state;
	const int black = bits_count(s->pieces[DRAUGHTS_BLACK]);
	const int white = bits_count(s->pieces[DRAUGHTS_WHITE]);
	if (black <= 5 || white <= 5)
		return QV_END;
	return black + white >= 20 ? QV_OPENING : QV_MIDDLE;
}

/* The programs that the 1983 book describes. */
DRAUGHTS_PROGRAM(samuel)
DRAUGHTS_PROGRAM(borchek)
DRAUGHTS_PROGRAM(mcheckers)

#define PROGRAM_SLOTS(program)                                                                    \
	.evaluate = draughts_##program##_evaluate, .weights = draughts_##program##_weights,       \
	.weights_size = sizeof draughts_##program##_weights, .names = draughts_##program##_names, \
	.terms = draughts_##program##_terms

static const struct qv_evaluation evaluations[] = {
	{ .name = "default",
	  .help = "pieces, advance of the men, back row, centre, edges",
	  .evaluate = draughts_slot_evaluate,
	  .leaf = draughts_slot_leaf,
	  .weights = draughts_weights,
	  .weights_size = sizeof draughts_weights,
	  .names = draughts_weight_names,
	  .terms = terms },
	{ .name = "pattern",
	  .help = "patterns of men, kings and mobility, trained on games; the strongest",
	  .evaluate = pattern,
	  .weights = &draughts_pattern_file.patterns,
	  .weights_size = sizeof draughts_pattern_file.patterns,
	  .read = draughts_patterns_read },
	{ .name = "material",
	  .help = "pieces only: a man 100, a king 300",
	  .evaluate = material,
	  .move = material_gain },
	{ .name = "samuel",
	  .help = "after Samuel: pieces, mobility, bridge, centre, advance; use with exchange=1",
	  PROGRAM_SLOTS(samuel) },
	{ .name = "creative",
	  .help = "Creative Computing's Checkers: six features of a move; use with move-eval=1",
	  PROGRAM_SLOTS(creative),
	  .move = draughts_creative_move },
	{ .name = "borchek",
	  .help = "after Borchek: pieces, backed-up pieces, the sides of the board",
	  PROGRAM_SLOTS(borchek) },
	{ .name = "mcheckers",
	  .help = "after M-Checkers: also the centre, away from the sides and from enemies, and "
		  "rules for the endgame",
	  PROGRAM_SLOTS(mcheckers) },
	{ 0 },
};

/* Measured: docs/results/levels.md. The first is about as strong as random moves. */
#define TRAINED "eval=pattern,extend=0,late=0"
static const char *const levels[] = {
	"alphabeta:depth=1,blunder=30,tt=0",
	"alphabeta:depth=2,margin=125,tt=0",
	"alphabeta:depth=2,eval=material,margin=99,tt=0",
	"alphabeta:depth=2,margin=30,tt=0",
	"alphabeta:depth=2,eval=pattern,margin=40,tt=0",
	"alphabeta:depth=2,eval=pattern,margin=28,tt=0",
	"alphabeta:depth=2,eval=pattern,margin=18,tt=0",
	"alphabeta:depth=2,eval=pattern,margin=9,tt=0",
	"selective:nodes=45," TRAINED ",tt=1",
	"selective:nodes=80," TRAINED ",tt=1",
	"selective:nodes=150," TRAINED ",tt=1",
	"selective:nodes=330," TRAINED ",tt=1",
	"selective:nodes=750," TRAINED ",tt=1",
	"selective:nodes=1400," TRAINED ",tt=1",
	"selective:nodes=3300," TRAINED ",tt=1",
	"selective:nodes=9000," TRAINED ",tt=2",
	"selective:nodes=40000," TRAINED ",tt=4,prove=30000",
	NULL,
};

static const struct level_book level_books[] = { { 9, BOOK_BY_WEIGHT, 100 }, { 0 } };

static const struct qv_game game = {
	QV_HEAD(qv_game),
	.name = "draughts",
	.title = "Draughts (checkers)",
	.aliases = "checkers english-draughts american-checkers",
	.help = "Black and White have twelve men each on the dark squares of an 8x8 board. Black "
		"moves first.\n"
		"Men: a man moves one square diagonally forward to an empty square. A man that "
		"reaches the far row becomes a king.\n"
		"Kings: a king moves one square diagonally to an empty square, forward or "
		"backward.\n"
		"Captures: to capture an enemy piece on a neighbouring square, jump over it along "
		"the diagonal to the empty square behind it. The captured piece is removed. Men "
		"jump forward only, kings also backward. If the piece that has jumped can capture "
		"again, it must go on in the same move, but a man that becomes a king stops.\n"
		"Compulsory: if you can capture, you must. You may choose any capture; it need not be "
		"the largest one.\n"
		"End: a player who has no pieces left or cannot move loses. The game is drawn when "
		"a position occurs for the third time, and after 40 moves by each side without a "
		"capture or a move of a man.\n"
		"Moves: with Black at the top, the dark squares are numbered 1 to 32, row by row "
		"from the left. Black starts on 1 to 12, White on 21 to 32. A move is its two "
		"squares (11-15). A capture names every square where the piece "
		"lands (22x15x8); 22x8 or 22-8 is enough if only one move fits.\n"
		"Position: the side to move and the squares of each side, as in PDN: "
		"B:W21,22,K23:B1-12. K marks a king, and 1-12 means squares 1 to 12. :H12 at the "
		"end is the number of moves of both sides since the last capture or move of a "
		"man.\n",
	.seats = 2,
	.alternates = true,
	.state_size = sizeof(struct draughts),
	.max_moves = G_MAX_MOVES,
	.evaluations = evaluations,
	.levels = levels,
	G_GAME_FUNCTIONS,
	.material = draughts_material,
	.board = &draughts_board,
	.phase = phase,
};

static const struct game_player players[] = { { &selective_kind, &draughts_select_ops, NULL },
					      { 0 } };

/* Their depths are those that the book gives. */
static const struct classic classics[] = {
	{ .spec = "alphabeta:depth=3,eval=samuel,exchange=1,random=1,tt=0",
	  .title = "Arthur Samuel's checkers",
	  .by = "Arthur Samuel, 1959",
	  .about =
		  "Arthur Samuel's program, which ran on the IBM 704, was the first strong one. As John "
		  "White describes it, it looks three plies ahead, further for captures, and exchanges "
		  "pieces when it is ahead." },
	{ .spec = "alphabeta:depth=1,move-eval=1,eval=creative,quiet=0,random=1,tt=0",
	  .title = "Creative Computing's Checkers",
	  .by = "Alan Segal, 1978",
	  .about =
		  "Alan Segal wrote this game in BASIC for the books of Creative Computing. It looks "
		  "one ply ahead and scores moves: captures, crowns, the sides, support, and "
		  "pieces at risk." },
	{ .spec = "alphabeta:depth=5,eval=borchek,random=1,tt=0",
	  .title = "Borchek, lowest level",
	  .by = "John White, 1983",
	  .about =
		  "Borchek was a cartridge for the Great Game Machine; John White's book describes how "
		  "it played. It looks five plies ahead and counts little but pieces." },
	{ .spec = "alphabeta:depth=3,eval=mcheckers,random=1,tt=0",
	  .title = "John White's M-Checkers",
	  .by = "John White, 1983",
	  .about =
		  "John White describes his own commercial program in chapter 10 of his book. It looks "
		  "three plies ahead, keeps to the centre, and has rules for the endgame." },
	{ 0 },
};

/* ---- Endgame tables ---- */

#define TABLE(space)                                      \
	EMBEDDED(unsigned char draughts_table_##space[]); \
	EMBEDDED(uint64_t draughts_table_##space##_size)
TABLE(k_k);
TABLE(k_m);
TABLE(m_m);
TABLE(kk_k);
TABLE(kk_m);
TABLE(km_k);
TABLE(km_m);
TABLE(mm_k);
TABLE(mm_m);
#undef TABLE

/* The spaces with at most three pieces, in the order of the index. */
static const struct built_in_table built_in_tables[] = {
	{ draughts_table_k_k, &draughts_table_k_k_size },
	{ draughts_table_k_m, &draughts_table_k_m_size },
	{ draughts_table_m_m, &draughts_table_m_m_size },
	{ draughts_table_kk_k, &draughts_table_kk_k_size },
	{ draughts_table_kk_m, &draughts_table_kk_m_size },
	{ draughts_table_km_k, &draughts_table_km_k_size },
	{ draughts_table_km_m, &draughts_table_km_m_size },
	{ draughts_table_mm_k, &draughts_table_mm_k_size },
	{ draughts_table_mm_m, &draughts_table_mm_m_size },
	{ 0 },
};

const struct engine draughts_engine = {
	.game = &game,
	.players = players,
	.classics = classics,
	.perft = draughts_perft,
	.duel = &draughts_duel_ops,
	.mcts = &draughts_mcts_ops,
	.prove = &draughts_prove_ops,
	.multi = &draughts_multi_ops,
	.retro = &draughts_retro_ops,
	.tables = built_in_tables,
	.tables_alone = true,
	.tables_in_search = true,
	.prove_nodes = 30000,
	.pdn_type = "21",
	.refusal = draughts_refusal,
	.strongest = "selective:quiet=1," TRAINED,
	.level_books = level_books,
};
