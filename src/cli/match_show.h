/*
 * match_show.h - a match for people and for programs: log, progress, standings, JSON.
 * SPDX-License-Identifier: MIT
 */
#ifndef CLI_MATCH_SHOW_H
#define CLI_MATCH_SHOW_H

#include "cli/cli.h"
#include "match/match.h"
#include "match/ratings.h"
#include "match/sprt.h"

/* What is shown of a player besides its total. */
struct match_line {
	double elo, error, los;
	bool bounded;              /* the results were too one-sided for a figure: it is a bound */
};

/* What came of an opening. */
struct opening_count {
	int64_t games, draws, wins[QV_MAX_SEATS];
};

/* A match with its figures. */
struct match_view {
	const struct match_plan *plan;
	const struct match_totals *totals;
	const struct sprt *sprt;               /* NULL: none */
	struct match_line lines[MATCH_MAX_PLAYERS];
	int order[MATCH_MAX_PLAYERS];          /* players, the best first */
	bool no_times;
	const struct opening_count *openings;  /* one for each of the plan's; NULL: none */
};

enum qv_status match_view_make(struct match_view *v, struct qv_error *error);
/* How the test between the first two players stands. */
struct sprt_state match_sprt(const struct match_plan *plan, const struct sprt *sprt,
			     const struct match_totals *totals);

/* A line about a game that is over. */
void match_log_game(const struct match_plan *plan, const struct match_game *game,
		    struct string *out);
/* One line without its end, for a terminal. */
void match_progress(const struct match_plan *plan, const struct sprt *sprt,
		    const struct match_totals *totals, struct string *out);
void match_table(const struct match_view *v, struct string *out);
json_t *match_json(const struct match_view *v);

#endif
