/*
 * duel_kinds.c - the player kinds of the two-player searches, and their options.
 * SPDX-License-Identifier: MIT
 *
 * One table row per option gives parsing, bounds, defaults and help text. Options marked "not
 * sound" may change the value of a search to the same depth; the others only change its cost.
 */
#include "search/duel.h"
#include "search/player_kind.h"

#define ROW(name_, type_, f, ...) OPTION(struct settings, name_, type_, f, __VA_ARGS__)
#define SWITCH(name_, f, def_, help_) ROW(name_, OPTION_SWITCH, f, .def = def_, .help = help_)

/* minimax to mtdf: techniques of the 1983 book, most of which change the value. */
static const struct option basic_options[] = {
	SWITCH("stack", stack, 0, "the same search without recursion"),
	ROW("ply1", OPTION_INT, ply1, .max = 2, .value = "N",
	    .help = "all terms after move 1, then material; 2: all again at the end (changes the "
		    "value)"),
	SWITCH("move-eval", move_eval, 0,
	       "add up scores of moves, not of positions (changes the value)"),
	SWITCH("exchange", exchange, 0,
	       "the side that is ahead gains by trades (changes the value, in hundredths)"),
	SWITCH("phases", phases, 0, "weights by the phase of the game (changes the value)"),
	{ 0 },
};

/* alphabeta, negascout, mtdf */
static const struct option prune_options[] = {
	SWITCH("deep", deep, 1, "deep cut-offs, any number of plies down"),
	SWITCH("keep-line", keep_line, 1, "search the principal variation first"),
	ROW("hard", OPTION_INT, hard, .max = QV_MAX_EVAL, .value = "N",
	    .help = "drop moves that fall N points below the best (not sound)"),
	ROW("top", OPTION_INT, top, .max = 4096, .value = "N",
	    .help = "beyond depth 3 only the N best moves (not sound)"),
	ROW("solve", OPTION_INT, solve, .max = 64, .value = "N",
	    .help = "with N squares left, also run the game's own solver"),
	{ 0 },
};

/* ... and selective */
static const struct option table_search_options[] = {
	SWITCH("history", history, 1, "history heuristic: moves that cut off before come early"),
	SWITCH("tt-exact", tt_exact, 0, "table entries count at their own depth only"),
	SWITCH("quiet", quiet, 1, "quiescence search: captures and the like beyond the depth"),
	{ 0 },
};

/* alphabeta, negascout, selective */
static const struct option window_option[] = {
	ROW("window", OPTION_INT, window, .max = QV_MAX_EVAL, .value = "N",
	    .help = "aspiration window: N points around the last value"),
	{ 0 },
};

/* alphabeta, negascout */
static const struct option razor_option[] = {
	SWITCH("razor", razor, 0,
	       "razoring: a move always improves on standing still (not sound)"),
	{ 0 },
};

static const struct option selective_options[] = {
	SWITCH("null", null_move, 1,
	       "null-move pruning: if a pass is good enough, so is a move (not sound)"),
	SWITCH("lmr", lmr, 1, "late move reductions (not sound)"),
	SWITCH("late", late, 1, "late move pruning: no late quiet moves near the leaves (not sound)"),
	SWITCH("futility", futility, 1, "futility pruning near the leaves (not sound)"),
	SWITCH("see", see, 1,
	       "static exchange evaluation: losing captures come last or not at all (not sound)"),
	SWITCH("delta", delta, 1,
	       "delta pruning: no captures beyond the depth that win too little (not sound)"),
	SWITCH("checks", checks, 0, "checks on the first ply beyond the depth (changes the value)"),
	SWITCH("extend", extend, 1, "check extension: a ply more for checks (changes the value)"),
	SWITCH("singular", singular, 1,
	       "singular extension: a ply more for a move without rival (changes the value)"),
	SWITCH("iir", iir, 1,
	       "internal iterative reduction: a ply less where the table has no move (not sound)"),
	SWITCH("probcut", probcut, 1,
	       "ProbCut: a capture that wins far too much in a shallow search (not sound)"),
	SWITCH("follow", follow, 1, "continuation history and countermoves"),
	SWITCH("correct", correct, 1,
	       "correction history: static values less the error such pawns had (changes the value)"),
	SWITCH("twofold", twofold, 1,
	       "a position that repeats within the search is a draw (not sound)"),
	{ 0 },
};

static const struct option *const full_groups[] = {
	depth_option,  effort_options, evaluation_options, random_option, error_options,
	chopper_option, basic_options,  opening_options,	   NULL,
};
static const struct option *const window_groups[] = {
	depth_option,  effort_options, evaluation_options, random_option,  error_options,
	chopper_option, sort_option,   killers_option,	   table_option,   table_search_options,
	window_option, razor_option,   prune_options,	   threads_option, basic_options,
	opening_options,  NULL,
};
static const struct option *const mtdf_groups[] = {
	depth_option,  effort_options, evaluation_options, random_option,  chopper_option,
	sort_option,   killers_option, table_option,	   table_search_options,
	prune_options, threads_option, basic_options,	   opening_options,   NULL,
};
static const struct option *const selective_groups[] = {
	depth_option,  effort_options,	     evaluation_options, random_option, error_options,
	chopper_option, killers_option,	     table_option,	 table_search_options,
	window_option, selective_options,    threads_option,	 opening_options,	NULL,
};

const struct player_kind minimax_kind = {
	.name = "minimax",
	.help = "full width; maximum at own moves, minimum at the opponent's",
	.options = full_groups,
	.defaults = "iterate=0",
	.limit = "depth=4",
	.variant = DUEL_MINIMAX,
	.deepens = true,
	.counts_work = true,
	.make = duel_player_new,
};

const struct player_kind negamax_kind = {
	.name = "negamax",
	.help = "minimax with one rule: the maximum of the negated replies",
	.options = full_groups,
	.defaults = "iterate=0",
	.limit = "depth=4",
	.variant = DUEL_NEGAMAX,
	.deepens = true,
	.counts_work = true,
	.make = duel_player_new,
};

const struct player_kind alphabeta_kind = {
	.name = "alphabeta",
	.help = "alpha-beta pruning: skips branches that cannot change the value",
	.options = window_groups,
	.limit = "depth=6",
	.variant = DUEL_ALPHABETA,
	.deepens = true,
	.counts_work = true,
	.make = duel_player_new,
};

const struct player_kind negascout_kind = {
	.name = "negascout",
	.help = "alpha-beta that tests later moves with a null window first (PVS)",
	.options = window_groups,
	.limit = "depth=6",
	.variant = DUEL_NEGASCOUT,
	.deepens = true,
	.counts_work = true,
	.make = duel_player_new,
};

const struct player_kind mtdf_kind = {
	.name = "mtdf",
	.help = "MTD(f): converges on the value with null windows",
	.options = mtdf_groups,
	.limit = "depth=6",
	.variant = DUEL_MTDF,
	.deepens = true,
	.counts_work = true,
	.make = duel_player_new,
};

const struct player_kind selective_kind = {
	.name = "selective",
	.help = "selective search with reductions and pruning; for games with captures",
	.options = selective_groups,
	.defaults = "window=20",
	.limit = "depth=6",
	.variant = DUEL_SELECTIVE,
	.needs_game = true,
	.deepens = true,
	.counts_work = true,
	.make = duel_player_new,
};
