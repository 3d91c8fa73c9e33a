/*
 * game.c - Warp Trog, stamped into the searches that handle chance.
 * SPDX-License-Identifier: MIT
 *
 * Landings are moves of the seat QV_CHANCE. A warp can be a long chain of them, with 2^35 lines for a
 * Trog on f6, so searches count a landing as a ply. The strongest player is expectimax.
 */
#include "base/embed.h"
#include "base/real.h"
#include "games/registry.h"
#include "games/warptrog/book_score.h"
#include "games/warptrog/evaluate.h"
#include "games/warptrog/index.h"
#include "games/warptrog/net.h"
#include "games/warptrog/program_1983.h"

#define G(f) warptrog_##f
#define G_STATE struct warptrog
#define G_MAX_MOVES WARPTROG_MAX_MOVES
#define G_HAS_EVALUATE 1
#define G_HAS_RANK 1
#define G_HAS_WEIGHT 1
#define G_HAS_CHAIN 1
#define G_HAS_CONTEMPT 1
#define G_HAS_QUIET 1
#define G_HAS_MOVE_PARSE 1
#define G_HAS_DRAW 1
#define G_HAS_INDEX 1
#define G_HAS_PARENTS 1
#define G_HAS_AID 1
#define G_MAX_PARENTS WARPTROG_MAX_PARENTS
#define G_AID_SIZE sizeof(struct warptrog_aid)
#include "search/chance.inc.h"
#include "search/mcts.inc.h"
#include "search/multi.inc.h"
#include "search/game.inc.h"
#include "search/perft.inc.h"
#include "solve/retro.inc.h"

static void terms(const void *state, const void *weights, struct qv_terms *out)
{
	warptrog_evaluate_as(state, weights, out);
}

/* Hundredths of a Valg, as the 1983 program counts material. */
static int32_t book_material(const void *state, const void *weights)
{
	const struct warptrog *s = state;
	(void)weights;
	return 100 * (warptrog_material(s, s->turn) - warptrog_material(s, 1 - s->turn));
}

/* The 1983 program's score of a move, without its random part. */
static int32_t book_move_score(const void *state, qv_move move, const void *weights)
{
	struct book_board b;
	(void)weights;
	if (move == WARPTROG_WARP)
		return 0;
	book_board_fill(&b, state);
	return book_score(&b, book_move_of(move)) / (BOOK_POINT / 100);
}

static const struct qv_evaluation evaluations[] = {
	{ .name = "default",
	  .help = "men, advance, support, warps, mobility, captures and opposition",
	  .evaluate = warptrog_slot_evaluate,
	  .leaf = warptrog_slot_leaf,
	  .weights = warptrog_weights,
	  .weights_size = sizeof warptrog_weights,
	  .names = warptrog_weight_names,
	  .terms = terms },
	{ .name = "net",
	  .help = "a neural network; 2900 is a sure win",
	  .evaluate = warptrog_net_evaluate,
	  .weights = &warptrog_net_file.net,
	  .weights_size = sizeof warptrog_net_file.net,
	  .read = warptrog_net_read },
	{ .name = "book",
	  .help = "as in the 1983 program: material, and 22 lines that score a move",
	  .evaluate = book_material,
	  .move = book_move_score },
	{ 0 },
};

static const struct qv_option options[] = {
	[WARPTROG_OPTION_WARPS] = { .name = "warps",
				    .help = "warps of each side; 0: no warps",
				    .max = WARPTROG_MOST_WARPS,
				    .preset = 5 },
	[WARPTROG_OPTION_RULES] = { .name = "rules",
				    .help = "text: as the book explains them; 1983: as its program "
					    "plays, with one more warp",
				    .choices = "text|1983",
				    .max = WARPTROG_1983,
				    .preset = WARPTROG_TEXT },
	{ 0 },
};

/* The search options of levels 4 to 7: a warp is searched at the root only. */
#define SEARCH ",quiet=1,twofold=1,chance-cost=6,table=1"

/* The net needs little depth; complete warps are sampled. An analysis takes both sides for equal. */
#define STRONGEST "expectimax:depth=5,eval=net,quiet=1,twofold=1,samples=720"

/* Even depths: an evaluation of the position before its own move is better than one after it. */
static const char *const levels[] = {
	"expectimax:depth=1,margin=3000",
	"expectimax:depth=1,margin=350",
	"expectimax:depth=1,margin=200",
	"expectimax:depth=2,margin=330" SEARCH,
	"expectimax:depth=2,margin=210" SEARCH,
	"expectimax:depth=2,margin=130" SEARCH,
	"expectimax:depth=4,margin=60" SEARCH,
	STRONGEST ",contempt=1,prove=30000",
	NULL,
};

static const struct level_book level_books[] = { { 8, BOOK_BY_WEIGHT, 100 }, { 0 } };

static const struct qv_game game = {
	QV_HEAD(qv_game),
	.name = "warptrog",
	.title = "Warp Trog",
	.aliases = "warp-trog",
	.help = "A game from John White's book of 1983, on a 6x6 board. Blue starts at the bottom "
		"and moves first; Red starts at the top. Each side has four Valgs and a Trog.\n"
		"Play: a Valg moves one square straight forward. In the far row it becomes a Trog. "
		"A Trog moves one square up, down, left or right. Both capture by moving onto an "
		"enemy.\n"
		"Support: a Valg cannot capture a man that has a friend directly to its left or "
		"right. A Trog can.\n"
		"Warp: instead of a move you may warp, five times in a game. Each of your Trogs "
		"goes to a random square and removes an enemy there. If one of your men is there, "
		"the Trog stays. Trogs warp in the order of their squares: column f first, then e "
		"to a, each from row 6 down to 1. A Trog that lands on a square later in this "
		"order warps again.\n"
		"End: if it is your turn and none of your men can move, you lose, even if you have "
		"warps left.\n"
		"Moves: the two squares, such as a2a3, or warp (w). Landings are land a1 to land "
		"f6.\n"
		"Position: the 36 squares a1 to f1, a2 to f2 and so on, with V and T for Blue's "
		"men (side 1), v and t for Red's (side 2) and . for an empty square; the side to "
		"move; the warps left of side 1 and of side 2: "
		"......VVT.VV............vv.tvv...... 1 5 5\n"
		"In the middle of a warp, the word warp and the square of the Trog that warps next "
		"follow.\n",
	.seats = 2,
	.chance = true,
	.state_size = sizeof(struct warptrog),
	.max_moves = G_MAX_MOVES,
	.win = WARPTROG_WIN,
	.options = options,
	.evaluations = evaluations,
	.levels = levels,
	G_GAME_FUNCTIONS,
	.board = &warptrog_board,
};

/* ---- Luck ---- */

static double equity(const void *state, int seat)
{
	const struct warptrog *s = state;
	const double value = warptrog_evaluate(s, warptrog_weights) / WARPTROG_SCALE;
	return real_tanh(s->turn == seat ? value : -value);
}

static int roller(const void *state)
{
	return ((const struct warptrog *)state)->turn;
}

/* ---- The engine ---- */

static void refusal(const void *state, const char *text, struct qv_text *why)
{
	warptrog_refusal(state, text, why);
}

static void chance_text(const void *state, qv_move move, struct qv_text *out)
{
	warptrog_chance_text(state, move, out);
}

/* The keys of the 1983 program. */
static const char *const keys[][2] = {
	{ "q", "hint" },
	{ "y", "yes" },
	{ "w", "warp" },
	{ NULL, NULL },
};

static const struct play_words words = {
	.keys = keys,
	.chance = chance_text,
	.chance_prompt = "Type the square where the Trog lands.",
	.counts_moves = true,
};

static const struct game_player players[] = {
	{ &book_kind, &warptrog_program_1983,
	  "the 1983 program: two plies on move scores, its openings, and when to warp; literal=1 "
	  "follows its faults" },
	{ 0 },
};

static const struct classic classics[] = {
	{ .spec = "book",
	  .title = "John White's Warp Trog",
	  .by = "John White, 1983",
	  .about =
		  "John White invented this game and printed its program in chapter 13 of his book. It "
		  "looks two plies ahead with alpha-beta, sorting and a killer move, and decides when "
		  "to warp.",
	  .keys = "literal" },
	{ 0 },
};

/* ---- Endgame tables ---- */

#define TABLE(space)                                      \
	EMBEDDED(unsigned char warptrog_table_##space[]); \
	EMBEDDED(uint64_t warptrog_table_##space##_size)
TABLE(t_t);
TABLE(t_v);
TABLE(v_v);
TABLE(tt_t);
TABLE(tt_v);
TABLE(tv_t);
TABLE(tv_v);
TABLE(t_vv);
TABLE(vv_v);
#undef TABLE

/* The spaces with at most three men, in the order of the index. */
static const struct built_in_table built_in_tables[] = {
	{ warptrog_table_t_t, &warptrog_table_t_t_size },
	{ warptrog_table_t_v, &warptrog_table_t_v_size },
	{ warptrog_table_v_v, &warptrog_table_v_v_size },
	{ warptrog_table_tt_t, &warptrog_table_tt_t_size },
	{ warptrog_table_tt_v, &warptrog_table_tt_v_size },
	{ warptrog_table_tv_t, &warptrog_table_tv_t_size },
	{ warptrog_table_tv_v, &warptrog_table_tv_v_size },
	{ warptrog_table_t_vv, &warptrog_table_t_vv_size },
	{ warptrog_table_vv_v, &warptrog_table_vv_v_size },
	{ 0 },
};

const struct engine warptrog_engine = {
	.game = &game,
	.players = players,
	.classics = classics,
	.perft = warptrog_perft,
	.refusal = refusal,
	.words = &words,
	.mcts = &warptrog_mcts_ops,
	.multi = &warptrog_multi_ops,
	.chance = &warptrog_chance_ops,
	.retro = &warptrog_retro_ops,
	.tables = built_in_tables,
	.tables_alone = true,
	.prove_nodes = 30000,
	.equity = equity,
	.roller = roller,
	.strongest = STRONGEST,
	.level_books = level_books,
};
