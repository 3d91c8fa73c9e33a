/*
 * engine_options.c - the options of an engine, and which of them each protocol offers.
 * SPDX-License-Identifier: MIT
 *
 * UCI_LimitStrength goes before Player while it is on.
 */
#include "protocols/engine_options.h"

#include "core/context.h"

enum { MOST_THREADS = 256, MOST_HASH = 1 << 20, MOST_LINES = 256, MOST_LAG_MS = 10000 };

#define ROW(name_, type_, f, ...) OPTION(struct engine_session, name_, type_, set.f, __VA_ARGS__)

static const struct option plain_names[] = {
	ROW("player", OPTION_TEXT, spec, .help = "a player spec; empty: the strongest player"),
	ROW("depth", OPTION_INT, depth, .max = 100, .help = "most plies to search; 0: no limit"),
	ROW("nodes", OPTION_INT, nodes, .max = INT64_MAX / 2,
	    .help = "most positions to search; 0: no limit"),
	ROW("time", OPTION_INT, time_ms, .max = 86400000,
	    .help = "most ms for a move; 0: no limit"),
	ROW("threads", OPTION_INT, threads, .min = 1, .max = MOST_THREADS,
	    .help = "search threads"),
	ROW("hash", OPTION_INT, hash_mb, .max = MOST_HASH, .help = "size of hash tables, MB"),
	ROW("seed", OPTION_INT, seed, .max = INT64_MAX, .help = "seed of all random numbers"),
	{ 0 },
};
const struct option *const qgp_options[] = { plain_names, NULL };

static const struct option sizes[] = {
	ROW("Hash", OPTION_INT, hash_mb, .min = 1, .max = MOST_HASH),
	ROW("Threads", OPTION_INT, threads, .min = 1, .max = MOST_THREADS),
	{ 0 },
};

static const struct option search[] = {
	ROW("Clear Hash", OPTION_FLAG, clear_hash),
	ROW("MultiPV", OPTION_INT, lines, .min = 1, .max = MOST_LINES),
	{ 0 },
};

static const struct option ponder[] = {
	ROW("Ponder", OPTION_SWITCH, ponder),
	{ 0 },
};

static const struct option play[] = {
	ROW("Move Overhead", OPTION_INT, lag_ms, .max = MOST_LAG_MS),
	ROW("OwnBook", OPTION_SWITCH, own_book),
	ROW("BookFile", OPTION_TEXT, book),
	ROW("Player", OPTION_TEXT, spec),
	ROW("UCI_LimitStrength", OPTION_SWITCH, limited),
	ROW("UCI_Elo", OPTION_INT, elo), /* its bounds are the game's */
	{ 0 },
};

static enum qv_status set_nothing(void *values, const struct option *option, const char *text,
				  struct qv_error *error)
{
	(void)values, (void)option, (void)text, (void)error;
	return QV_OK;
}

static const struct option analysis[] = {
	ROW("UCI_AnalyseMode", OPTION_SWITCH, analyse),
	{ .name = "UCI_Opponent", .type = OPTION_CUSTOM, .set = set_nothing, .value = "" },
	{ .name = "UCI_EngineAbout",
	  .type = OPTION_CUSTOM,
	  .set = set_nothing,
	  .value = "Quevedo: plays, searches, solves and teaches strategy games" },
	{ 0 },
};

const struct option *const uci_options[] = { sizes, search, ponder, play, analysis, NULL };
const struct option *const xboard_options[] = { search, play, NULL };

const struct option *engine_option_find(const struct option *const *groups, const char *name)
{
	for (; *groups; groups++)
		for (const struct option *row = *groups; row->name; row++)
			if (text_same(row->name, name))
				return row;
	return NULL;
}

bool engine_option_here(const struct engine_session *e, const struct option *row,
			struct option *out)
{
	const bool elo = row->at == offsetof(struct engine_session, set.elo);
	int min, max;
	*out = *row;
	if (!elo && row->at != offsetof(struct engine_session, set.limited))
		return true;
	if (!context_rated_range(e->rules.game, &min, &max))
		return false;
	if (elo) {
		out->min = min;
		out->max = max;
	}
	return true;
}

int64_t engine_option_number(const struct engine_session *e, const struct option *row)
{
	int64_t number;
	memcpy(&number, (const char *)e + row->at, sizeof number);
	if (row->type == OPTION_INT)
		number = number < row->min ? row->min : number > row->max ? row->max : number;
	return number;
}

const char *engine_option_text(const struct engine_session *e, const struct option *row)
{
	return row->type == OPTION_CUSTOM ? row->value : (const char *)e + row->at;
}
