/*
 * match_equity.c - computes the match equity table.
 * SPDX-License-Identifier: MIT
 *
 * Scores are handled in the order of the points that are left, so that all scores after a game are
 * known. Before the Crawford game, the value of a score is that of a game that both win with
 * probability 1/2 and a cube in the middle. The formula of cube.c gives it, just as it values
 * positions. After the Crawford game the seat that is behind doubles at once. If it needs an even
 * number of points, the leader may drop for free when his opening went badly.
 */
#include "games/backgammon/match_equity.h"

#include "games/backgammon/cube.h"

#define GAMMON_RATE 0.29 /* of wins */
#define CUBE_LIFE 0.8	 /* over a whole game; a single position uses cube_life */
#define FREE_DROP 0.0125 /* what the leader gains in games of which he drops some */

double match_equity_at(const struct match_equity *t, int mine, int theirs, bool after_crawford)
{
	if (mine <= 0)
		return 1;
	if (theirs <= 0)
		return 0;
	if (after_crawford && theirs == 1)
		return t->after[mine];
	if (after_crawford && mine == 1)
		return 1 - t->after[theirs];
	return t->before[mine][theirs];
}

static double after_crawford(const struct match_equity *t, int points)
{
	return match_equity_at(t, points, 1, true);
}

/* The scores at which one seat needs a point, from the fewest points of the other on. */
static void compute_last_point(struct match_equity *t, int points)
{
	const double g = GAMMON_RATE;
	t->after[0] = 1;
	t->after[1] = 0.5;
	for (int n = 2; n <= points; n++) {
		const double won =
			g * after_crawford(t, n - 4) + (1 - g) * after_crawford(t, n - 2);
		t->after[n] = won * (n % 2 ? 0.5 : 0.5 - FREE_DROP);
		/* The Crawford game, without a cube. */
		t->before[n][1] =
			(g * after_crawford(t, n - 2) + (1 - g) * after_crawford(t, n - 1)) / 2;
		t->before[1][n] = 1 - t->before[n][1];
	}
}

void match_equity_compute(struct match_equity *t, int points)
{
	const float g = (float)GAMMON_RATE / 2;
	const struct backgammon_chances even = { .of = { [BACKGAMMON_WIN_ANY] = 0.5F,
							 [BACKGAMMON_WIN_GAMMON] = g,
							 [BACKGAMMON_LOSE_GAMMON] = g } };
	compute_last_point(t, points);
	for (int n = 1; n <= points; n++)
		t->before[n][n] = 0.5;
	for (int sum = 5; sum < 2 * points; sum++)
		for (int mine = sum > points + 2 ? sum - points : 2; 2 * mine < sum; mine++) {
			const struct cube_view v = {
				.match = t, .value = 1, .away = { mine, sum - mine }, .live = true
			};
			t->before[mine][sum - mine] = (1 + cube_worth(&v, &even, CUBE_LIFE)) / 2;
			t->before[sum - mine][mine] = 1 - t->before[mine][sum - mine];
		}
}
