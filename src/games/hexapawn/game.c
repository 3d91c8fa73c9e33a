/*
 * game.c - hexapawn, stamped into every search and solver.
 * SPDX-License-Identifier: MIT
 *
 * The game is tiny, so its table of all positions is complete and every level above the first two
 * plays well. The option `blocked` is part of the state, because the result depends on it.
 */
#include "games/hexapawn/index.h"
#include "games/registry.h"
#include "search/one_ply.h"

#define G(f) hexapawn_##f
#define G_STATE struct hexapawn
#define G_MAX_MOVES HEXAPAWN_MAX_MOVES
#define G_ALTERNATES 1
#define G_HAS_EVALUATE 1
#define G_HAS_RANK 1
#define G_HAS_IMAGE 1
#define G_HAS_DRAW 1
#define G_HAS_INDEX 1
#define G_HAS_MOVE_PARSE 1
#include "search/perft.inc.h"
#include "search/duel.inc.h"
#include "search/mcts.inc.h"
#include "search/prove.inc.h"
#include "search/multi.inc.h"
#include "search/game.inc.h"
#include "solve/retro.inc.h"

static int32_t pawns(const void *state, int seat)
{
	return bits_count(((const struct hexapawn *)state)->pawns[seat]);
}

static int32_t material(const void *state, const void *weights)
{
	(void)weights;
	return hexapawn_material(state);
}

/* What a move changes in the evaluation `book`: the step, and the pawn that it captures. */
static int32_t move_gain(const void *state, qv_move move, const void *weights)
{
	const struct hexapawn *s = state;
	struct hexapawn alone = { .turn = s->turn };
	alone.pawns[s->turn] = (uint16_t)hexapawn_from(move);
	alone.pawns[1 - s->turn] = (uint16_t)(hexapawn_to(move) & s->pawns[1 - s->turn]);
	const int32_t value = hexapawn_evaluate(&alone, weights);
	hexapawn_play(&alone, move);
	return -hexapawn_evaluate(&alone, weights) - value;
}

/* What it changes in `material`. */
static int32_t move_takes(const void *state, qv_move move, const void *weights)
{
	const struct hexapawn *s = state;
	(void)weights;
	return (s->pawns[1 - s->turn] & hexapawn_to(move)) != 0;
}

static void terms(const void *state, const void *weights, struct qv_terms *out)
{
	for (int seat = 0; seat < 2; seat++)
		hexapawn_side_value_as(state, seat, weights, out);
}

static const struct qv_evaluation evaluations[] = {
	{ .name = "book", .help = "as in the 1983 program: pawns by the rank they have reached",
	  .evaluate = hexapawn_slot_evaluate, .leaf = hexapawn_slot_leaf,
	  .weights = hexapawn_weights, .weights_size = sizeof hexapawn_weights,
	  .names = hexapawn_weight_names, .move = move_gain, .terms = terms },
	{ .name = "material", .help = "pawns only", .evaluate = material, .move = move_takes },
	{ 0 },
};

static const struct qv_option options[] = {
	{ .name = "blocked", .help = "result for a player who has no legal move",
	  .choices = "loss|draw", .max = HEXAPAWN_DRAW, .preset = HEXAPAWN_LOSS },
	{ 0 },
};

static const char *const levels[] = {
	"alphabeta:depth=2,eval=none,random=1,tt=0,blunder=50",
	"alphabeta:depth=2,eval=none,random=1,tt=0,blunder=18",
	"alphabeta:depth=7,random=1,tt=0",
	NULL,
};

static const struct qv_game game = {
	QV_HEAD(qv_game), .name = "hexapawn", .title = "Hexapawn",
	.aliases = "hexa-pawn six-pawns",
	.help = "White and Black have three pawns each, on opposite sides of a 3x3 board. White "
		"moves first and moves up the board.\n"
		"Play: a pawn moves one square straight forward if that square is empty. It "
		"captures an enemy pawn one square diagonally forward.\n"
		"End: you win when one of your pawns reaches the far row. If it is your turn and "
		"you have no legal move, you lose. You can also play it as a draw: see the game "
		"options.\n"
		"Moves: the two squares, such as a1-a2 or a1a2. Square a1 is at the bottom left. "
		"Column and row as numbers, as in the 1983 program, are read too: 1,1 1,2\n"
		"Position: the three ranks from the top, separated by /, with P for a white pawn, "
		"p for a black pawn and . for an empty square, then a blank and the side to move: "
		"ppp/.../PPP w\n",
	.seats = 2, .alternates = true, .state_size = sizeof(struct hexapawn),
	.max_moves = G_MAX_MOVES, .max_plies = 7, .symmetries = 2,
	.options = options, .evaluations = evaluations, .levels = levels, .solved = "loss",
	G_GAME_FUNCTIONS, .board = &hexapawn_board, .material = pawns,
};

/*
 * ---- The 1983 program ----
 *
 * One ply with the evaluation `book`. The listing compares partial sums and adds its random number
 * nine times. This program does what the text means: each once. It plays either side; the listing
 * plays the upper side only.
 */

static int32_t score_1983(const void *state, qv_move move, bool literal)
{
	struct hexapawn next = *(const struct hexapawn *)state;
	(void)literal;
	hexapawn_play(&next, move);
	return -hexapawn_evaluate(&next, hexapawn_weights);
}

static const struct one_ply_program program_1983 = { .score = score_1983 };

/* ---- The engine ---- */

static const struct game_player players[] = {
	{ &book_kind, &program_1983,
	  "the 1983 program: pawns by the rank they have reached" },
	{ 0 },
};

static const struct classic classics[] = {
	{ .spec = "book",
	  .title = "John White's hexapawn",
	  .by = "John White, 1983",
	  .about =
		  "John White wrote this program in Atari BASIC for chapter 6 of his book, to show how "
		  "a move generator works. It looks one ply ahead and counts each pawn by the rank "
		  "that it has reached." },
	LEARNER_CLASSIC,
	{ 0 },
};

const struct engine hexapawn_engine = {
	.game = &game, .players = players, .perft = hexapawn_perft, .duel = &hexapawn_duel_ops,
	.mcts = &hexapawn_mcts_ops, .prove = &hexapawn_prove_ops,
	.prove_nodes = 100000, .retro = &hexapawn_retro_ops,
	.multi = &hexapawn_multi_ops,
	.classics = classics,
};
