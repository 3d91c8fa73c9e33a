/*
 * player_kind.h - a kind of player: its name, help, options, defaults and constructor.
 * SPDX-License-Identifier: MIT
 *
 * A kind is one const struct next to its code. Kinds for any game are listed in
 * core/player_kinds.c. A game adds kinds, or its part of a shared kind such as `book`, in the
 * `players` of its struct engine; nothing else names them.
 */
#ifndef SEARCH_PLAYER_KIND_H
#define SEARCH_PLAYER_KIND_H

#include "base/options.h"
#include "search/player.h"

struct player_kind {
	const char *name, *help;
	const struct option *const *options; /* groups; a NULL ends them */
	const char *defaults;		     /* over those of the options: "iterate=0,killers=4" */
	/*
	 * "depth=6": when a spec gives no limit, and the caller none that the kind obeys (see
	 * budget_yields); NULL: none is needed.
	 */
	const char *limit;
	bool ignores_depth; /* no depth, and no number of evaluations, ends its search */
	/*
	 * The option that a first item without '=' sets; NULL: none. If its default is below its
	 * minimum, a spec must set it.
	 */
	const char *first;
	int variant;	   /* which of a family, for its constructor */
	bool needs_game;   /* it plays only games that list it in their `players` */
	bool deepens;	   /* iterative deepening: a search to depth N repeats depths 1 to N - 1 */
	bool counts_work;  /* iterations report all work that was done */
	bool ignores_threads; /* qv_defaults.threads does not apply */
	player_maker *make;
};

/* A game's part of a player kind. A NULL kind ends a list. */
struct game_player {
	const struct player_kind *kind;
	const void *own;  /* player_setup.own; its type is defined by the kind */
	const char *help; /* about this game; may be NULL */
};

/* The game's entry for a kind; NULL: it has none. */
const struct game_player *game_player_find(const struct engine *engine,
					   const struct player_kind *kind);

/*
 * Parses `key=value,...` for a kind. Missing keys get their default from the options, the kind and
 * `defaults` (may be NULL). On failure *out is unchanged.
 */
enum qv_status kind_settings(const struct player_kind *kind, const char *items,
			     const struct qv_defaults *defaults, struct settings *out,
			     struct qv_error *error);

/* ---- Options that kinds share, a group for each set that goes together ---- */

extern const struct option depth_option[], effort_options[], evaluation_options[],
	chopper_option[], random_option[], error_options[], sort_option[], killers_option[],
	table_option[], threads_option[], literal_option[];
/* Every kind lists these, last. */
extern const struct option opening_options[];

/* A row whose field is in the kind's own settings. */
#define OWN_OPTION(type_, name_, kind_, f, ...)                                              \
	{                                                                                    \
		.name = name_, .type = kind_,                                                \
		.at = offsetof(struct settings, own) + offsetof(type_, f),                   \
		.size = sizeof(((type_ *)0)->f), __VA_ARGS__                                 \
	}

extern const struct player_kind random_kind, mcts_kind, expectimax_kind, book_kind;
extern const struct player_kind minimax_kind, negamax_kind, alphabeta_kind, negascout_kind,
	mtdf_kind, selective_kind;
extern const struct player_kind maxn_kind, paranoid_kind, brs_kind;

#endif
