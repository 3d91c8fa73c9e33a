/*
 * lurgee_kit.c - reversi for the Lurgee player: evaluations, ladders of levels, opening library.
 * SPDX-License-Identifier: MIT
 */
#include "games/reversi/lurgee_evaluate.h"

#define TABLE(table) \
	.weights = table, .weights_size = sizeof table, .names = reversi_lurgee_names

const struct qv_evaluation reversi_lurgee_evaluations[] = {
	{ .name = "lurgee", .help = "as in the framework's documents", TABLE(reversi_lurgee_weights) },
	{ .name = "lurgee22", .help = "as in release 2.2",
	  TABLE(reversi_lurgee22_weights) },
	{ .name = "alternative", .help = "the second evaluation of the release: no mobility, no edges",
	  TABLE(reversi_alternative_weights) },
	{ .name = "greed", .help = "discs gained, and nothing else", TABLE(reversi_greed_weights) },
	{ 0 },
};

#define LEVEL(depth, evals, eval) \
	"lurgee:depth=" #depth ",evals=" #evals ",killers=4,random=1,eval=" #eval
const char *const reversi_lurgee_documents[] = {
	LEVEL(5, 250, lurgee),	LEVEL(7, 1000, lurgee),	  LEVEL(8, 2500, lurgee),
	LEVEL(9, 7500, lurgee), LEVEL(10, 25000, lurgee), LEVEL(16, 50000, lurgee),
	NULL,
};
const char *const reversi_lurgee_release[] = {
	LEVEL(5, 200, lurgee22),  LEVEL(5, 500, lurgee22),    LEVEL(7, 2000, lurgee22),
	LEVEL(8, 5000, lurgee22), LEVEL(10, 25000, lurgee22), LEVEL(16, 50000, lurgee22),
	NULL,
};

/* ---- openings ---- */

enum { PARALLEL, DIAGONAL, PERPENDICULAR, OPENINGS };

#define SQUARE(column, row) ((column) - 'a' + ((row) - 1) * 8)

/* The replies to the first disc, by its square; the last four are first moves of White. */
static const struct {
	uint8_t first, replies[OPENINGS];
} openings[] = {
	{ SQUARE('d', 3), { SQUARE('e', 3), SQUARE('c', 3), SQUARE('c', 5) } },
	{ SQUARE('c', 4), { SQUARE('c', 5), SQUARE('c', 3), SQUARE('e', 3) } },
	{ SQUARE('f', 5), { SQUARE('f', 4), SQUARE('f', 6), SQUARE('d', 6) } },
	{ SQUARE('e', 6), { SQUARE('d', 6), SQUARE('f', 6), SQUARE('f', 4) } },
	{ SQUARE('e', 3), { SQUARE('d', 3), SQUARE('f', 3), SQUARE('f', 5) } },
	{ SQUARE('f', 4), { SQUARE('f', 5), SQUARE('f', 3), SQUARE('d', 3) } },
	{ SQUARE('c', 5), { SQUARE('c', 4), SQUARE('c', 6), SQUARE('e', 6) } },
	{ SQUARE('d', 6), { SQUARE('e', 6), SQUARE('c', 6), SQUARE('c', 4) } },
};
enum { FIRST_DISCS = sizeof openings / sizeof *openings };

/*
 * The odds of parallel : diagonal : perpendicular. The documents say 1 : 3 : 5, and 0 : 3 : 6 for
 * deep searches. The release intends the same, but the remainder it draws is 0 twice as often as
 * any other value.
 */
static int draw_opening(int depth, bool documents, struct qv_random *random)
{
	enum { DEEP = 3 };
	const uint64_t of = documents ? 9 : 10, drawn = qv_random_below(random, of);
	if (drawn == 0)
		return depth > DEEP ? PERPENDICULAR : PARALLEL;
	return drawn <= 3 ? DIAGONAL : PERPENDICULAR;
}

qv_move reversi_lurgee_library(const void *state, int depth, bool documents,
			       struct qv_random *random)
{
	const struct reversi *s = state;
	const uint64_t discs = s->mover | s->other;
	if (bits_count(discs) != 5)
		return QV_NO_MOVE;
	for (int i = 0; i < FIRST_DISCS; i++)
		if (discs >> openings[i].first & 1)
			return openings[i].replies[draw_opening(depth, documents, random)];
	return QV_NO_MOVE;
}
