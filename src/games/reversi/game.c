/*
 * game.c - reversi, stamped into every search and solver.
 * SPDX-License-Identifier: MIT
 *
 * The lower levels use the hand-written evaluation and make errors (blunder=, margin=). The upper
 * ones use the trained patterns and solve the endgame. The Lurgee player has its own evaluations,
 * ladders of levels and opening library.
 */
#include "games/registry.h"
#include "search/player_kind.h"
#include "games/reversi/evaluate.h"
#include "games/reversi/lurgee_evaluate.h"
#include "games/reversi/pattern.h"
#include "games/reversi/probcut.h"
#include "games/reversi/solver.h"

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

/* engine.places_left: the empty squares. */
static int places_left(const void *state)
{
	const struct reversi *s = state;
	return bits_count(~(s->mover | s->other));
}

static void terms(const void *state, const void *weights, struct qv_terms *out)
{
	const struct reversi *s = state;
	reversi_weigh_as(s, reversi_mobility(s->mover, s->other),
			 reversi_mobility(s->other, s->mover), weights, out);
}

static const struct qv_evaluation evaluations[] = {
	{ .name = "default",
	  .help = "mobility, frontier, corners and the squares beside them, edges; weights by phase",
	  .evaluate = reversi_slot_evaluate, .leaf = reversi_slot_leaf, .weights = reversi_weights,
	  .weights_size = sizeof reversi_weights, .names = reversi_weight_names,
	  .move = reversi_move_square, .phase_weights = reversi_phase_weights, .terms = terms },
	{ .name = "material", .help = "discs only", .evaluate = reversi_material,
	  .move = reversi_move_discs },
	{ .name = "pattern",
	  .help = "edge, corner, row and diagonal patterns, trained on games; the strongest",
	  .evaluate = reversi_pattern_evaluate, .leaf = reversi_pattern_leaf,
	  .weights = &reversi_pattern_weights, .weights_size = sizeof reversi_pattern_weights,
	  .read = reversi_patterns_read },
	{ 0 },
};

/* Beginners play without the book. */
static const struct level_book level_books[] = {
	{ 4, BOOK_BY_WEIGHT, 60 }, { 10, BOOK_BY_WEIGHT, 100 }, { 0 }
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
	QV_HEAD(qv_game),
	.name = "reversi",
	.title = "Reversi (Othello)",
	.aliases = "othello",
	.help = "Black and White take turns to place a disc on an 8x8 board. Black moves first. At "
		"the start, each side has two discs in the middle.\n"
		"Play: your disc must outflank enemy discs: one or more of them, in a straight "
		"line, between the new disc and another disc of yours. All outflanked discs, in "
		"every direction, are turned over to your colour. If you have no legal move, you "
		"pass.\n"
		"End: when neither side can move, the player with more discs wins. Equal numbers "
		"are a draw.\n"
		"Moves: the square, a1 to h8, or pass. Square a1 is at the top left.\n"
		"Position: the 64 squares from a1, b1 to h8 as X (Black), O (White) or - (empty), "
		"a blank, and the side to move, X or O.\n",
	.seats = 2, .alternates = true, .state_size = sizeof(struct reversi),
	.max_moves = G_MAX_MOVES, .max_plies = REVERSI_MAX_PLIES, .symmetries = 8,
	.evaluations = evaluations, .levels = levels,
	G_GAME_FUNCTIONS,
	.board = &reversi_board, .material = reversi_discs, .phase = reversi_phase,
};

/* ---- The Lurgee player ---- */

#define TABLE(table) .weights = table, .weights_size = sizeof table, .names = reversi_lurgee_names

static const struct qv_evaluation lurgee_evaluations[] = {
	{ .name = "lurgee", .help = "as in the framework's documents",
	  TABLE(reversi_lurgee_weights) },
	{ .name = "lurgee22", .help = "as in release 2.2", TABLE(reversi_lurgee22_weights) },
	{ .name = "alternative",
	  .help = "the second evaluation of the release: no mobility, no edges",
	  TABLE(reversi_alternative_weights) },
	{ .name = "greed", .help = "discs gained, and nothing else", TABLE(reversi_greed_weights) },
	{ 0 },
};

#define LEVEL(depth, evals, eval) \
	"lurgee:depth=" #depth ",evals=" #evals ",killers=4,random=1,eval=" #eval
static const char *const lurgee_documents[] = {
	LEVEL(5, 250, lurgee),	LEVEL(7, 1000, lurgee),	  LEVEL(8, 2500, lurgee),
	LEVEL(9, 7500, lurgee), LEVEL(10, 25000, lurgee), LEVEL(16, 50000, lurgee),
	NULL,
};
static const char *const lurgee_release[] = {
	LEVEL(5, 200, lurgee22),  LEVEL(5, 500, lurgee22),    LEVEL(7, 2000, lurgee22),
	LEVEL(8, 5000, lurgee22), LEVEL(10, 25000, lurgee22), LEVEL(16, 50000, lurgee22),
	NULL,
};

/* ---- openings ---- */

enum { PARALLEL, DIAGONAL, PERPENDICULAR, OPENINGS };

#define SQUARE(column, row) ((column) - 'a' + ((row) - 1) * 8)

/* The replies to the first disc, by its square; the last four are first moves of White. */
static const struct {
	uint8_t first, replies[OPENINGS];
} openings[] = {
	{ SQUARE('d', 3), { SQUARE('e', 3), SQUARE('c', 3), SQUARE('c', 5) } },
	{ SQUARE('c', 4), { SQUARE('c', 5), SQUARE('c', 3), SQUARE('e', 3) } },
	{ SQUARE('f', 5), { SQUARE('f', 4), SQUARE('f', 6), SQUARE('d', 6) } },
	{ SQUARE('e', 6), { SQUARE('d', 6), SQUARE('f', 6), SQUARE('f', 4) } },
	{ SQUARE('e', 3), { SQUARE('d', 3), SQUARE('f', 3), SQUARE('f', 5) } },
	{ SQUARE('f', 4), { SQUARE('f', 5), SQUARE('f', 3), SQUARE('d', 3) } },
	{ SQUARE('c', 5), { SQUARE('c', 4), SQUARE('c', 6), SQUARE('e', 6) } },
	{ SQUARE('d', 6), { SQUARE('e', 6), SQUARE('c', 6), SQUARE('c', 4) } },
};
enum { FIRST_DISCS = sizeof openings / sizeof *openings };

/*
 * The framework's opening library: answers Black's first disc with the parallel, the diagonal or
 * the perpendicular opening, chosen at random. QV_NO_MOVE in any other position.
 *
 * The odds of parallel : diagonal : perpendicular are 1 : 3 : 5 in the documents, and 0 : 3 : 6 for
 * deep searches. The release intends the same, but the remainder it draws is 0 twice as often as
 * any other value.
 */
static qv_move lurgee_library(const void *state, int depth, bool documents,
			      struct qv_random *random)
{
	enum { DEEP = 3 };
	const struct reversi *s = state;
	const uint64_t discs = s->mover | s->other;
	int i = 0;
	while (i < FIRST_DISCS && !(discs >> openings[i].first & 1))
		i++;
	if (bits_count(discs) != 5 || i == FIRST_DISCS)
		return QV_NO_MOVE;
	const uint64_t drawn = qv_random_below(random, documents ? 9 : 10);
	if (drawn == 0)
		return openings[i].replies[depth > DEEP ? PERPENDICULAR : PARALLEL];
	return openings[i].replies[drawn <= 3 ? DIAGONAL : PERPENDICULAR];
}

static const struct lurgee_kit lurgee = {
	.ops = &reversi_lurgee_ops, .evaluations = lurgee_evaluations,
	.documents = lurgee_documents, .release = lurgee_release, .library = lurgee_library,
};

static const struct game_player players[] = {
	{ &lurgee_kind, &lurgee, NULL },
	{ 0 },
};

static const struct classic classics[] = {
	LURGEE_CLASSICS("3"),
	{ 0 },
};

const struct engine reversi_engine = {
	.game = &game, .players = players, .perft = reversi_perft, .duel = &reversi_duel_ops,
	.solver = reversi_solver_new, .mcts = &reversi_mcts_ops, .prove = &reversi_prove_ops,
	.multi = &reversi_multi_ops, .places_left = places_left, .finisher = &reversi_finisher,
	.probcut = &reversi_probcut,
	.strongest = "negascout:eval=pattern,solve=24,probcut=100",
	.classics = classics, .level_books = level_books,
};
