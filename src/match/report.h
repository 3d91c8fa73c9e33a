/*
 * report.h - a match as one picture: standings, Elo over time with its error, lengths of games.
 * SPDX-License-Identifier: MIT
 *
 * Feed it with every game as it is counted, from the listener of match_run; then ask for the
 * picture. However long the match, it keeps a few hundred points of the curves.
 */
#ifndef MATCH_REPORT_H
#define MATCH_REPORT_H

#include "match/match.h"
#include "match/ratings.h"

enum {
	REPORT_POINTS = 256,       /* kept at most; then every second one goes */
	REPORT_LENGTHS = 2048,     /* games are counted by plies up to here, longer as the last */
};

/* {0} is a valid one that keeps nothing. */
struct match_report {
	const struct qv_allocator *allocator;
	int players;
	int64_t stride;                /* a point every so many games */
	int points;
	int64_t at[REPORT_POINTS];     /* games played by then */
	/* [point * players + player]; of two players, the difference as each sees it. */
	struct rating *ratings;
	uint64_t lengths[REPORT_LENGTHS];
	int longest;                   /* plies */
};

/* All players as they stand now, one after the other in *out: the figures of the curves. */
enum qv_status report_rate(const struct match_plan *plan, const struct match_totals *t,
			   struct rating *out);

enum qv_status report_init(struct match_report *r, const struct qv_allocator *a, int players);
void report_release(struct match_report *r);
/* so_far: with this game. Fails only for want of memory. */
enum qv_status report_add(struct match_report *r, const struct match_plan *plan,
			  const struct match_game *game, const struct match_totals *so_far);
/*
 * The picture, an SVG file that needs nothing else; light or dark as its reader prefers. Its text
 * ends up in *out, which fails for want of memory (out->failed).
 */
void report_svg(const struct match_report *r, const struct match_plan *plan,
		const struct match_totals *totals, struct string *out);

#endif
