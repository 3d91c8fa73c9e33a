/*
 * game.c - Star Chess stamped into the algorithms.
 * SPDX-License-Identifier: MIT
 *
 * The searches for any game of several seats take a command for a ply; they show how far that goes
 * where a turn is many commands.
 */
#include "games/registry.h"
#include "games/starchess/explain.h"
#include "games/starchess/mask_player.h"
#include "games/starchess/rules.h"

#define G(f) starchess_##f
#define G_STATE struct starchess
#define G_MAX_MOVES SC_MAX_MOVES
#define G_HAS_EVALUATE 1
#define G_HAS_RANK 1
#define G_HAS_COUNTED 1
#define G_HAS_MOVE_PARSE 1
#define G_HAS_DRAW 1
#include "search/mcts.inc.h"
#include "search/multi.inc.h"
#include "search/game.inc.h"
#include "search/perft.inc.h"

static void seat_scores(const void *state, const void *weights, int32_t *values)
{
	(void)weights;
	sc_scores(&((const struct starchess *)state)->g, values);
}

static const struct qv_evaluation evaluations[] = {
	{ .name = "default",
	  .help = "the score: three times own ships and tens of colonies, less the others', the stronger double",
	  .evaluate = starchess_slot_evaluate,
	  .seats = seat_scores },
	{ 0 },
};

static const struct qv_option options[] = {
	[SC_OPTION_GALAXY] = { .name = "galaxy", .help = "the planets beside the home worlds",
			       .choices = "mixed|barren|terran", .preset = SC_MIXED },
	[SC_OPTION_LIMIT] = { .name = "limit", .help = "full turns, after which the game is drawn",
			      .min = 1, .max = SC_MAX_LIMIT, .preset = 200 },
	[SC_OPTION_HOME] = { .name = "home", .help = "inhabitants of a home world at the start",
			     .min = SC_SETTLERS, .max = SC_TERRAN_MOST, .preset = SC_TERRAN_MOST },
	[SC_OPTION_SEED] = { .name = "seed", .help = "which mixed galaxy",
			     .max = INT64_MAX - 1, .preset = 1 },
	{ 0 },
};

static const char *const levels[] = {
	"random",
	"mask:turns=0",
	"mask:masks=0",
	"mask:turns=2",
	"admiral:nodes=1000,model=0",
	"admiral:nodes=5000",
	"admiral:nodes=50000",
	NULL,
};

static const struct qv_game game = {
	.interface = QV_INTERFACE,
	.name = "starchess",
	.title = "Star Chess",
	.aliases = "star-chess",
	.help = "Four factions in a galaxy of 4 x 4 sectors, A1 to D4. Each sector has a planet, terran or barren, with a colony of\n"
		"at most one faction, and at most one fleet of 1 to 999 ships. Home worlds: 1 in A1, 2 in A4, 3 in D4, 4 in D1, each\n"
		"terran, with 1000 inhabitants (home=) and 20 ships. A turn is any number of commands, then end.\n"
		"\n"
		"Commands, any beginning of the word will do, and without a number the largest is meant:\n"
		"  move A1 B2 12  ships that have not moved or been built this turn, to a neighbour that holds a colony of yours\n"
		"                 or is next to one\n"
		"  build A1 5     in an own colony; a ship takes 20 materials, 40 credits and 10 colonists who have not worked\n"
		"                 this turn\n"
		"  colonize B2    20 ships that have not moved become a colony of 20 on a planet without one\n"
		"  terraform C3   1000 materials make the barren planet of an own colony terran\n"
		"  scrap A1 3     ships vanish, those that cannot move first\n"
		"  end            the end of the turn, below\n"
		"\n"
		"Combat: ships that move into or are built in a sector with enemy ships fight at once. The smaller fleet S is\n"
		"destroyed; the larger L loses S if L < 2S, S/2 if L < 3S, else nothing. Equal fleets destroy each other.\n"
		"\n"
		"Per turn and colony        terran                  barren\n"
		"  materials produced       population, up to 200   5 x population, up to 1000\n"
		"  credits produced         population, up to 1000  none\n"
		"  credits consumed         none                    population, up to 200\n"
		"  growth                   20 %, up to 1000        10 %, up to 200\n"
		"A ship needs 10 materials and 20 credits a turn. A colony with enemy ships in its sector is blockaded: it\n"
		"neither produces, nor consumes, nor grows.\n"
		"\n"
		"At the end of a turn, in this order: own fleets with no own colony within one sector are scrapped; colonies\n"
		"produce, and ships that cannot be supported are scrapped, of each fleet its share; own fleets bombard enemy\n"
		"colonies in their sectors, a per cent of the inhabitants for each ship, up to 50, and a colony below 20 is gone,\n"
		"its planet barren; a faction without its home world is defeated, and all that it has vanishes; colonies grow;\n"
		"ships and workers are ready again.\n"
		"\n"
		"The last faction left wins. After 200 full turns (limit=) the game is drawn. Scores: a faction's strength B is its\n"
		"ships and 10 for each colony; its score is 3 B less the B of the others, doubled where larger than its own.\n"
		"\n"
		"Position: SC1 turn=1 move=1, for each faction materials,credits as f1=0,0 or f1=- if defeated, then the sectors\n"
		"A1=... A2=... A3=... A4=... B1=... to D4=...: T or B, 0 or owner:population:worked, and with a fleet\n"
		"/owner:ships:active.\n",
	.seats = SC_FACTIONS,
	.state_size = sizeof(struct starchess),
	.max_moves = G_MAX_MOVES,
	.options = options,
	.evaluations = evaluations,
	.levels = levels,
	G_GAME_FUNCTIONS,
	.board = &starchess_board,
};

static const char *const order_words[] = {
	"move A1 B2 12  ships to a neighbour",
	"build A1 5     ships in a colony",
	"colonize B2    20 ready ships settle",
	"terraform C3   barren becomes terran",
	"scrap A1 3     ships vanish",
	"end            ends your turn",
	NULL,
};

static const struct turn_words turns = {
	.orders = order_words,
	.short_forms = "any beginning of the word will do (m A1 B2 12), and without a number as many ships as "
		       "can be are meant (m A1 B2)",
	.legend = "On the map: T a terran planet, B a barren one, with owner and people; > a fleet with "
		  "owner and ships; ready: how many of them can still move.",
	.is_order = starchess_is_order,
	.tell = starchess_tell,
	.losses = starchess_losses,
	.owner = starchess_drawn_owner,
};

static const struct game_player players[] = {
	{ &mask_kind, NULL, NULL },
	{ &admiral_kind, NULL, NULL },
	{ 0 },
};

const struct engine starchess_engine = {
	.game = &game,
	.players = players,
	.perft = starchess_perft,
	.mcts = &starchess_mcts_ops,
	.multi = &starchess_multi_ops,
	.explain = starchess_explain,
	.explainer = "mask",
	.strongest = "admiral:turns=2",
	.refusal = starchess_refusal,
	.turns = &turns,
};
