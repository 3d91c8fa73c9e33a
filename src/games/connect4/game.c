/*
 * game.c - connect-four, stamped into every search and solver.
 * SPDX-License-Identifier: MIT
 *
 * Levels: the lower ones make errors (blunder=, margin=), the upper ones search more nodes. The
 * exact solver (solver.c) serves `solve` and perfect play.
 */
#include "games/connect4/solver.h"
#include "games/registry.h"
#include "games/connect4/lurgee_evaluate.h"
#include "games/connect4/threats.h"
#include "search/one_ply.h"

#define G(f) c4_##f
#define G_STATE struct c4
#define G_MAX_MOVES C4_WIDTH
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
#define G_LURGEE_ROOT struct c4_lurgee_root
#define G_LURGEE_BYES 0
#define G_LURGEE_BEFORE(s) 0
#define G_LURGEE_SCORE(r, s, before, last, ply, w) \
	((void)(before), c4_lurgee_score(r, s, last, ply, w))
#include "lurgee/search.inc.h"

static void terms(const void *state, const void *weights, struct qv_terms *out)
{
	c4_evaluate_as(state, weights, out);
}

static void threat_terms(const void *state, const void *weights, struct qv_terms *out)
{
	c4_evaluate_threats_as(state, weights, out);
}

static const struct qv_evaluation evaluations[] = {
	{ .name = "default", .help = "threats to complete a four, and discs in the middle",
	  .evaluate = c4_slot_evaluate, .leaf = c4_slot_leaf,
	  .weights = c4_weights, .weights_size = sizeof c4_weights, .names = c4_weight_names,
	  .terms = terms },
	{ .name = "threats",
	  .help = "threat theory: immediate and distant, odd and even threats, and zugzwang",
	  .evaluate = c4_evaluate_threats, .weights = c4_threat_weights,
	  .weights_size = sizeof c4_threat_weights, .names = c4_threat_weight_names,
	  .terms = threat_terms },
	{ 0 },
};

/* The top level proves its moves, so it needs no book. */
static const struct level_book level_books[] = { { 8, BOOK_BY_WEIGHT, 100 }, { 0 } };

static const char *const levels[] = {
	"alphabeta:depth=2,eval=none,random=1,tt=0,blunder=40",
	"alphabeta:depth=2,eval=none,random=1,tt=0,blunder=15",
	"alphabeta:depth=2,margin=60,tt=0", "alphabeta:depth=2,margin=19,tt=0",
	"alphabeta:depth=2,margin=10,tt=0", "alphabeta:depth=2,margin=3,tt=0",
	"alphabeta:depth=5,random=1,tt=0",
	"negascout:nodes=6000,random=1,tt=1",
	"negascout:nodes=40000,random=1,tt=2",
	"negascout:nodes=500000,random=1,tt=8,prove=2000000",
	NULL,
};

static int places_left(const void *state)
{
	return bits_count(C4_BOARD & ~((const struct c4 *)state)->all);
}

static const struct qv_game game = {
	QV_HEAD(qv_game), .name = "connect4", .title = "Connect-four",
	.aliases = "connect-four four-in-a-row c4",
	.help = "Two players, Red and Yellow, take turns to drop a disc into one of seven columns. "
		"It falls to the lowest empty place of the column. A column holds six discs. "
		"Red moves first.\n"
		"End: the first player with four discs in a row, horizontally, vertically or "
		"diagonally, wins. If the board is full and nobody has four in a row, the game "
		"is a draw.\n"
		"Moves: the number of the column, 1 to 7.\n"
		"Position: the six rows from the top, separated by /, as x (red), o (yellow) or . "
		"(empty), then a blank and the side to move: "
		"......./......./......./......./...o.../...x... x\n"
		"You can also give the columns played so far as digits: 44\n",
	.seats = 2, .alternates = true, .state_size = sizeof(struct c4),
	.max_moves = G_MAX_MOVES, .max_plies = C4_WIDTH * C4_HEIGHT, .symmetries = 2,
	.evaluations = evaluations, .levels = levels, .solved = "win",
	G_GAME_FUNCTIONS, .board = &c4_board,
};

/* ---- The Lurgee player: evaluations, ladders of levels, opening library ---- */

#define TABLE(table) .weights = table, .weights_size = sizeof table, .names = c4_lurgee_names

static const struct qv_evaluation lurgee_evaluations[] = {
	{ .name = "lurgee", .help = "as in the framework's documents: a win is worth 5000",
	  TABLE(c4_lurgee_weights) },
	{ .name = "lurgee22", .help = "as in release 2.2: quick wins are worth more",
	  TABLE(c4_lurgee22_weights) },
	{ .name = "alternative", .help = "the second evaluation of the release, which is the same",
	  TABLE(c4_lurgee22_weights) },
	{ 0 },
};

#define LADDER(eval)                                                    \
	"lurgee:depth=4,evals=250,killers=4,random=1,eval=" eval,       \
	"lurgee:depth=10,evals=5000,killers=4,random=1,eval=" eval,     \
	"lurgee:depth=12,evals=50000,killers=4,random=1,eval=" eval,    \
	"lurgee:depth=16,evals=100000,killers=4,random=1,eval=" eval, NULL
static const char *const documents[] = { LADDER("lurgee") };
static const char *const release[] = { LADDER("lurgee22") };

/*
 * The framework's opening library: the middle column first, and as a reply a random one of the four
 * outer columns that is empty. QV_NO_MOVE in any other position.
 */
static qv_move library(const void *state, int depth, bool documented, struct qv_random *random)
{
	static const int outer[] = { 0, 1, 5, 6 };
	const struct c4 *s = state;
	qv_move moves[4];
	int n = 0;
	(void)depth, (void)documented;
	if (!s->all)
		return UINT64_C(1) << 3 * C4_STRIDE;
	if (bits_count(s->all) > 1)
		return QV_NO_MOVE;
	for (int i = 0; i < 4; i++) {
		const uint64_t lowest = UINT64_C(1) << outer[i] * C4_STRIDE;
		if (!(s->all & lowest))
			moves[n++] = lowest;
	}
	return moves[qv_random_below(random, (uint64_t)n)];
}

static const struct lurgee_kit lurgee = {
	.ops = &c4_lurgee_ops, .evaluations = lurgee_evaluations, .documents = documents,
	.release = release, .library = library,
};

/*
 * ---- The 1983 book ----
 *
 * The book mentions the game as one for a single ply and gives no program. A line of four squares
 * counts if only one side has discs in it. A three of the opponent's whose gap can be filled at
 * once outweighs everything but an own four.
 */

enum { LINE = 4, AT_ONCE = 1000 };

static const int32_t own_line[LINE + 1] = { 0, 1, 4, 16, 100000 };
static const int32_t other_line[LINE + 1] = { 0, 2, 12, 24, 0 };

static int32_t score_1983(const void *state, qv_move move, bool literal)
{
	static const int steps[] = { 1, C4_STRIDE - 1, C4_STRIDE, C4_STRIDE + 1 };
	struct c4 next = *(const struct c4 *)state;
	int32_t sum = 0;
	(void)literal;
	c4_play(&next, move);
	const uint64_t theirs = next.mover, mine = next.mover ^ next.all;
	const uint64_t playable = c4_playable(&next);
	for (int i = 0; i < 4; i++)
		for (uint64_t left = C4_BOARD; left; left = bits_rest(left)) {
			const uint64_t first = left & (0 - left);
			const uint64_t line = first | first << steps[i] | first << 2 * steps[i] |
					      first << 3 * steps[i];
			const int own = bits_count(mine & line), others = bits_count(theirs & line);
			if (bits_count(line & C4_BOARD) != LINE || (own && others))
				continue;
			sum += own_line[own] - other_line[others];
			sum -= others == LINE - 1 && playable & line ? AT_ONCE : 0;
		}
	return sum;
}

static const struct one_ply_program program_1983 = { .score = score_1983 };

/* ---- The engine ---- */

static const struct game_player players[] = {
	{ &book_kind, &program_1983,
	  "one ply in the style of the 1983 book: lines of one side only" },
	{ &lurgee_kind, &lurgee, NULL },
	{ 0 },
};

static const struct classic classics[] = {
	{ .spec = "book",
	  .title = "One ply in the style of 1983",
	  .by = "John White, 1983",
	  .about =
		  "John White's book describes how to begin a program for this game with one ply, but "
		  "prints none. This player does it in the style of his noughts and crosses: it "
		  "counts the lines that only one side holds." },
	LURGEE_CLASSICS("2"),
	{ 0 },
};

const struct engine connect4_engine = {
	.game = &game, .players = players, .perft = c4_perft, .duel = &c4_duel_ops,
	.solver = c4_solver_new, .mcts = &c4_mcts_ops, .prove = &c4_prove_ops,
	.prove_nodes = 2000000,
	.level_books = level_books,
	.multi = &c4_multi_ops, .places_left = places_left,
	.classics = classics,
};
