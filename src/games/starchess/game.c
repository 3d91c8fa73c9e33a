/*
 * game.c - Star Chess, stamped into the searches for several seats.
 * SPDX-License-Identifier: MIT
 *
 * These searches take one command as a ply. They show how far that goes where a turn has many
 * commands; the game's own players (players.c) plan whole turns.
 */
#include "games/registry.h"
#include "games/starchess/players.h"
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
	  .help = "the score: three times its strength minus the others', stronger doubled",
	  .evaluate = starchess_slot_evaluate,
	  .seats = seat_scores },
	{ 0 },
};

static const struct qv_option options[] = {
	[SC_OPTION_GALAXY] = { .name = "galaxy", .help = "planets other than the home worlds",
			       .choices = "mixed|barren|terran", .preset = SC_MIXED },
	[SC_OPTION_LIMIT] = { .name = "limit", .help = "full turns after which the game is a draw",
			      .min = 1, .max = SC_MAX_LIMIT, .preset = 200 },
	[SC_OPTION_HOME] = { .name = "home", .help = "inhabitants of a home world at the start",
			     .min = SC_SETTLERS, .max = SC_TERRAN_MOST, .preset = SC_TERRAN_MOST },
	[SC_OPTION_SEED] = { .name = "seed", .help = "number of the mixed galaxy",
			     .max = INT64_MAX - 1, .preset = 1 },
	{ 0 },
};

static const char *const levels[] = {
	"mask:masks=0,miss=80", "mask:masks=0,miss=50", "mask:masks=0", "mask:turns=2",
	"admiral:nodes=1000,model=0", "admiral:nodes=5000", "admiral:nodes=50000", NULL,
};

static const struct qv_game game = {
	QV_HEAD(qv_game), .name = "starchess", .title = "Star Chess",
	.aliases = "star-chess",
	.help = "Four factions, 1 red, 2 yellow, 3 green and 4 blue, compete for a galaxy of 4 "
		"x 4 sectors, A1 to D4. Each sector has one planet, terran or barren, with a "
		"colony of at most one faction, and at most one fleet of 1 to 999 ships. The "
		"home worlds are A1, A4, D4 and D1. Each is terran and starts with 1000 "
		"inhabitants (option home) and 20 ships. A turn is any number of commands, "
		"then end.\n"
		"\n"
		"Commands (you may shorten the word; without a number, the largest is used):\n"
		"  move A1 B2 12  moves ships that have not moved or been built this turn to a neighbouring sector\n"
		"                 that has a colony of yours or is next to one\n"
		"  build A1 5     builds ships in your colony; each takes 20 materials, 40 credits and 10 colonists\n"
		"                 who have not worked this turn\n"
		"  colonize B2    turns 20 ships that have not moved into a colony of 20 on a planet without one\n"
		"  terraform C3   makes the barren planet of your colony terran, for 1000 materials\n"
		"  scrap A1 3     removes ships, those that cannot move first\n"
		"  end            ends your turn (see below)\n"
		"\n"
		"Combat: ships that move into a sector with enemy ships, or are built there, "
		"fight at once. The smaller fleet S is destroyed. The larger fleet L loses S "
		"ships if L < 2S, S/2 if L < 3S, and none otherwise. Equal fleets destroy each "
		"other.\n"
		"\n"
		"Per turn and colony        terran                  barren\n"
		"  materials produced       population, up to 200   5 x population, up to 1000\n"
		"  credits produced         population, up to 1000  none\n"
		"  credits consumed         none                    population, up to 200\n"
		"  growth                   20 %, up to 1000        10 %, up to 200\n"
		"Each ship costs 10 materials and 20 credits a turn. A colony with enemy ships "
		"in its sector is blockaded: it does not produce, consume or grow.\n"
		"\n"
		"When a turn ends, these steps follow in order. (1) Your fleets more than one "
		"sector away from your colonies are scrapped. (2) Your colonies produce. Ships "
		"that you cannot support are scrapped, from each fleet in proportion. (3) Your "
		"fleets bombard enemy colonies in their sectors: each ship kills one per cent "
		"of the inhabitants, up to 50 per cent. A colony with fewer than 20 is "
		"destroyed and its planet becomes barren. (4) A faction that has lost its home "
		"world is defeated, and everything it owns is removed. (5) Your colonies grow. "
		"(6) All ships and workers are ready again.\n"
		"\n"
		"End: the last faction left wins. After 200 full turns (option limit) the game "
		"is a draw. The strength of a faction is its number of ships plus 10 for each "
		"colony. Its score is three times its strength minus the strengths of the "
		"others, where a stronger faction counts double.\n"
		"\n"
		"Position: SC1 turn=1 move=1, then for each faction materials,credits such as "
		"f1=0,0, or f1=- if defeated, then the sectors A1=... A2=... A3=... A4=... "
		"B1=... to D4=.... A sector is T or B, then 0 or owner:population:worked, then "
		"/owner:ships:active if there is a fleet.\n",
	.seats = SC_FACTIONS, .state_size = sizeof(struct starchess), .max_moves = G_MAX_MOVES,
	.options = options, .evaluations = evaluations, .levels = levels,
	G_GAME_FUNCTIONS, .board = &starchess_board,
};

static const char *const order_words[] = {
	"move A1 B2 12  ships go to a neighbour",
	"build A1 5     builds ships",
	"colonize B2    settles 20 ready ships",
	"terraform C3   makes a planet terran",
	"scrap A1 3     removes ships",
	"end            ends your turn",
	NULL,
};

static const struct turn_words turns = {
	.orders = order_words,
	.short_forms = "you may shorten the command word (m A1 B2 12); without a number, as many ships as "
		       "possible are used (m A1 B2)",
	.legend = "On the map: T is a terran planet, B a barren one, with owner and population; > is a "
		  "fleet with owner and ships; ready is the number of ships that can still move.",
	.is_order = starchess_is_order, .report = starchess_report_turn,
	.losses = starchess_losses, .owner = starchess_drawn_owner,
};

static const struct game_player players[] = {
	{ &mask_kind, NULL, NULL }, { &admiral_kind, NULL, NULL }, { 0 },
};

static const struct classic classics[] = {
	{ .spec = "mask",
	  .title = "The mask predictor",
	  .by = "Christoph Nahr, 1999",
	  .about =
		  "Christoph Nahr wrote this player for his game and explained it in the paper Computer "
		  "Players in the Star Chess Game. It makes a request for each sector, tries to leave "
		  "out one or two of them (a mask), and looks whole turns ahead.",
	  .keys = "turns=0|1|2|3 masks all-masks" },
	{ 0 },
};

const struct engine starchess_engine = {
	.game = &game, .players = players, .perft = starchess_perft,
	.mcts = &starchess_mcts_ops, .multi = &starchess_multi_ops,
	.explain = starchess_explain, .explainer = "mask", .strongest = "admiral:turns=2",
	.refusal = starchess_refusal, .turns = &turns,
	.classics = classics,
};
