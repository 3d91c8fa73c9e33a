/*
 * player_kind.c - parses the settings of a player kind, and defines the options that kinds share.
 * SPDX-License-Identifier: MIT
 *
 * Settings come from four places, later ones overriding earlier ones: the options' defaults, the
 * kind's `defaults`, the common options (--seed, --hash, --threads), and the spec itself. If no
 * limit is given, the kind's `limit` applies, until a caller sets one: a search without any would
 * never return.
 */
#include "search/player_kind.h"

#include <stdio.h>

#define ROW(name_, type_, f, ...) OPTION(struct settings, name_, type_, f, __VA_ARGS__)

const struct option depth_option[] = {
	ROW("depth", OPTION_INT, depth, .min = 1, .max = 100, .value = "N",
	    .help = "plies to search; dice rolls do not count"),
	{ 0 },
};

const struct option effort_options[] = {
	ROW("time", OPTION_TIME, time_ms, .min = 1, .max = 86400000, .value = "TIME",
	    .help = "time for a move: 500ms, 2s, 1.5s"),
	ROW("nodes", OPTION_INT, nodes, .min = 1, .max = INT64_MAX / 2, .value = "N",
	    .help = "positions to search for a move"),
	{ 0 },
};

const struct option evaluation_options[] = {
	ROW("evals", OPTION_INT, evals, .min = 1, .max = INT64_MAX / 2, .value = "N",
	    .help = "static evaluations for a move"),
	ROW("iterate", OPTION_SWITCH, iterate, .def = 1,
	    .help = "iterative deepening: depth 1, then 2, 3, ..."),
	ROW("eval", OPTION_TEXT, eval, .value = "NAME",
	    .help = "evaluation, by name (quevedo help GAME)"),
	ROW("weights", OPTION_TEXT, weights, .value = "FILE",
	    .help = "file with the evaluation's weights"),
	ROW("weight", OPTION_TEXT, weight, .value = "NAME:N",
	    .help = "one weight: threat:20, corner[2]:25"),
	{ 0 },
};

const struct option chopper_option[] = {
	ROW("chopper", OPTION_SWITCH, chopper, .help = "play an only move at once"),
	{ 0 },
};

const struct option random_option[] = {
	ROW("random", OPTION_SWITCH, random, .help = "choose at random between equal moves"),
	{ 0 },
};

const struct option error_options[] = {
	ROW("margin", OPTION_INT, margin, .max = QV_MAX_EVAL, .value = "N",
	    .help = "play a random move at most N points below the best"),
	ROW("blunder", OPTION_INT, blunder, .max = 100, .value = "PERCENT",
	    .help = "how often it plays the worst move it sees, or the worst within the margin"),
	{ 0 },
};

const struct option sort_option[] = {
	ROW("sort", OPTION_SWITCH, sort, .def = 1,
	    .help = "move ordering: search the game's most promising moves first"),
	{ 0 },
};

const struct option killers_option[] = {
	ROW("killers", OPTION_INT, killers, .max = 8, .def = 2, .value = "N",
	    .help = "killer moves remembered for each ply"),
	{ 0 },
};

const struct option table_option[] = {
	ROW("tt", OPTION_INT, tt, .max = SETTINGS_MAX_TABLE, .def = 64, .value = "MB",
	    .help = "transposition table (mcts: the tree); 0 turns it off"),
	{ 0 },
};

const struct option threads_option[] = {
	ROW("threads", OPTION_INT, threads, .min = 1, .max = SETTINGS_MAX_THREADS, .def = 1,
	    .value = "N", .help = "search threads; they share the table"),
	{ 0 },
};

const struct option literal_option[] = {
	ROW("literal", OPTION_SWITCH, literal,
	    .help = "follow the listing to the letter, its slips included (mask: keep turns that "
		    "are the same)"),
	{ 0 },
};

const struct option opening_options[] = {
	ROW("book", OPTION_TEXT, book, .value = "FILE",
	    .help = "opening book; own: the program's; auto: the same, if it has one for the game; "
		    "none: no book, not even lurgee's own"),
	ROW("line", OPTION_TEXT, line, .value = "NAME", .commas = true,
	    .help = "a line of the book, by name or number; other lines once it is left"),
	ROW("weighted", OPTION_CHOICE, weighted, .choices = "0|1|even", .value = "0|1|even",
	    .def = BOOK_BY_WEIGHT,
	    .help = "book moves at random by weight; 0: the heaviest; even: all equally often"),
	ROW("recall", OPTION_INT, recall, .min = 1, .max = 100, .def = 100, .value = "PERCENT",
	    .help = "how often it plays a move of the book, rather than search"),
	{ 0 },
};

void *player_begin(const struct player_setup *setup, const struct player_ops *ops, size_t size,
		   struct qv_error *error)
{
	struct qv_player *p = mem_new(setup->allocator, 1, size);
	if (p)
		*p = (struct qv_player){ ops, setup->allocator, *setup->rules, *setup->settings };
	else
		qv_fail(error, QV_NO_MEMORY, "player: out of memory");
	return p;
}

enum qv_status player_finish(enum qv_status status, struct qv_player *player,
			     struct qv_player **out)
{
	if (status == QV_OK)
		*out = player;
	else
		player->ops->free(player);
	return status;
}

const struct game_player *game_player_find(const struct engine *engine,
					   const struct player_kind *kind)
{
	for (const struct game_player *p = engine->players; p && p->kind; p++)
		if (p->kind == kind)
			return p;
	return NULL;
}

enum qv_status kind_settings(const struct player_kind *kind, const char *items,
			     const struct qv_defaults *defaults, struct settings *out,
			     struct qv_error *error)
{
	char owner[48], first[32];
	struct settings set = { .kind = kind, .seed = 1, .threads = 1, .deep = 1 };
	struct options o = {
		.groups = kind->options, .values = &set, .owner = owner, .lists = true
	};
	enum qv_status status = QV_OK;
	snprintf(owner, sizeof owner, "player %s", kind->name);
	options_init(&o);
	if (kind->defaults)
		options_default(&o, kind->defaults);
	if (defaults && (defaults->threads > SETTINGS_MAX_THREADS || defaults->hash_mb < 0 ||
			 defaults->hash_mb > SETTINGS_MAX_TABLE))
		return qv_fail(error, QV_BAD_INPUT,
			       "player: at most %d threads, and tables from 0 to %d MB",
			       SETTINGS_MAX_THREADS, SETTINGS_MAX_TABLE);
	/* --hash and --threads are defaults of the kinds that have such an option. */
	if (defaults)
		set.seed = defaults->seed;
	if (defaults && options_find(&o, "tt", NULL))
		set.tt = defaults->hash_mb;
	if (defaults && options_find(&o, "threads", NULL) && !kind->ignores_threads &&
	    defaults->threads > 0)
		set.threads = defaults->threads;
	/* `level:3`: an item without a '=' sets the kind's first option. */
	const size_t length = strcspn(items, ",");
	if (kind->first && length && !memchr(items, '=', length)) {
		snprintf(first, sizeof first, "%.*s", length < sizeof first ? (int)length : 0,
			 items);
		items += length + (items[length] == ',');
		status = options_set(&o, kind->first, first, error);
	}
	if (status == QV_OK)
		status = options_parse(&o, items, error);
	if (status != QV_OK)
		return status;
	const struct option *leading = kind->first ? options_find(&o, kind->first, NULL) : NULL;
	if (leading && leading->def < leading->min && !options_given(&o, kind->first))
		return qv_fail(error, QV_BAD_INPUT, "player %s: expected %s:N, as in %s:1",
			       kind->name, kind->name, kind->name);
	if (strcmp(set.book, "none") == 0) {
		set.book[0] = '\0';
		set.no_book = 1;
	}
	if (*set.line && !*set.book)
		return qv_fail(error, QV_BAD_INPUT, "line=%.60s needs book=FILE", set.line);
	/* A search without any limit would never return. */
	if (kind->limit && !set.depth && !set.time_ms && !set.nodes && !set.evals && !set.playouts &&
	    !(kind->first && options_given(&o, kind->first))) {
		options_default(&o, kind->limit);
		set.default_limit = true;
	}
	*out = set;
	return QV_OK;
}
