/*
 * report.h - a match as one SVG picture: standings, Elo curves with errors, lengths of games.
 * SPDX-License-Identifier: MIT
 *
 * Call report_add for every game as it is counted, in the listener of match_run; then report_svg.
 * However long the match, at most REPORT_POINTS points of each curve are kept.
 */
#ifndef MATCH_REPORT_H
#define MATCH_REPORT_H

#include "match/match.h"
#include "match/ratings.h"

enum {
	REPORT_POINTS = 256,       /* when they are full, every second one is dropped */
	REPORT_LENGTHS = 2048,     /* games are counted by plies; longer ones count as the last */
};

/* {0} is a valid report that records nothing. */
struct match_report {
	const struct qv_allocator *allocator;
	int players;
	int64_t stride;                /* games per point */
	int points;
	int64_t at[REPORT_POINTS];     /* games played at that point */
	/* [point * players + player]; with two players, each one's difference to the other. */
	struct rating *ratings;
	uint64_t lengths[REPORT_LENGTHS];
	int longest;                   /* plies */
};

/*
 * Computes the current ratings of all players, into an array of t->players. Of two
 * players, each gets the Elo difference to the other.
 */
enum qv_status report_rate(const struct match_plan *plan, const struct match_totals *t,
			   struct rating *out);

/* For this many players. QV_NO_MEMORY is the only failure. */
enum qv_status report_init(struct match_report *r, const struct qv_allocator *a, int players);
/* Frees the points. An empty report is fine. */
void report_release(struct match_report *r);
/*
 * Counts the length of a game and, at every stride, adds a point to the curves. so_far includes the
 * game. QV_NO_MEMORY is the only failure.
 */
enum qv_status report_add(struct match_report *r, const struct match_plan *plan,
			  const struct match_game *game, const struct match_totals *so_far);
/*
 * Adds the picture to *out: a self-contained SVG file, light or dark as the viewer prefers. Sets
 * out->failed if memory runs out.
 */
void report_svg(const struct match_report *r, const struct match_plan *plan,
		const struct match_totals *totals, struct string *out);

#endif
