/*
 * match_show.h - how a match is printed: log lines, progress, standings, JSON.
 * SPDX-License-Identifier: MIT
 */
#ifndef CLI_MATCH_SHOW_H
#define CLI_MATCH_SHOW_H

#include "cli/cli.h"
#include "match/details.h"
#include "match/match.h"
#include "match/ratings.h"
#include "match/sprt.h"

/* What is printed of a player besides its totals. */
struct match_line {
	double elo, error; /* Elo, and its 95 % error */
	double los;	   /* likelihood of superiority, 0 to 1 */
	bool bounded;	   /* the results were too one-sided for an estimate: elo is a bound */
};

/* The results of an opening; wins are counted by seat. */
struct opening_count {
	int64_t games, draws, wins[QV_MAX_SEATS];
};

/* A match with its figures. The caller sets all fields but `lines`, `order` and `searchers`. */
struct match_view {
	const struct match_plan *plan;
	const struct match_totals *totals;
	const struct sprt *sprt; /* NULL: the match has no SPRT */
	struct match_line lines[MATCH_MAX_PLAYERS];
	int order[MATCH_MAX_PLAYERS]; /* players, the best first */
	struct match_searcher searchers[MATCH_MAX_PLAYERS];
	bool no_times;
	const struct opening_count *openings;  /* one for each of the plan's; NULL: none */
	const struct match_details *details;
	json_t *faults; /* games that were lost by a fault, for JSON; borrowed */
};

/* Computes these fields. Nothing has to be released. */
enum qv_status match_view_make(struct match_view *v, struct qv_error *error);

/* Adds a line about a finished game. */
void match_log_game(const struct match_plan *plan, const struct match_game *game,
		    struct string *out);
/* Adds a line of progress, without its end. */
void match_progress(const struct match_plan *plan, const struct sprt *sprt,
		    const struct match_totals *totals, struct string *out);
/* The whole result, as text or as a JSON object (NULL: no memory). */
void match_table(const struct match_view *v, struct string *out);
json_t *match_json(const struct match_view *v);

#endif
