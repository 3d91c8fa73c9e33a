/*
 * lurgee_kit.c - connect-four for the Lurgee player: evaluations, ladders of levels, opening
 * library.
 * SPDX-License-Identifier: MIT
 */
#include "games/connect4/lurgee_evaluate.h"

#define TABLE(table) .weights = table, .weights_size = sizeof table, .names = c4_lurgee_names

const struct qv_evaluation c4_lurgee_evaluations[] = {
	{ .name = "lurgee", .help = "as in the framework's documents: a win is worth 5000",
	  TABLE(c4_lurgee_weights) },
	{ .name = "lurgee22", .help = "as in release 2.2: quick wins are worth more",
	  TABLE(c4_lurgee22_weights) },
	{ .name = "alternative", .help = "the second evaluation of the release, which is the same",
	  TABLE(c4_lurgee22_weights) },
	{ 0 },
};

#define LADDER(eval)                                                    \
	"lurgee:depth=4,evals=250,killers=4,random=1,eval=" eval,       \
	"lurgee:depth=10,evals=5000,killers=4,random=1,eval=" eval,     \
	"lurgee:depth=12,evals=50000,killers=4,random=1,eval=" eval,    \
	"lurgee:depth=16,evals=100000,killers=4,random=1,eval=" eval, NULL
const char *const c4_lurgee_documents[] = { LADDER("lurgee") };
const char *const c4_lurgee_release[] = { LADDER("lurgee22") };

qv_move c4_lurgee_library(const void *state, int depth, bool documents, struct qv_random *random)
{
	static const int outer[] = { 0, 1, 5, 6 };
	const struct c4 *s = state;
	qv_move moves[4];
	int n = 0;
	(void)depth, (void)documents;
	if (!s->all)
		return UINT64_C(1) << 3 * C4_STRIDE;
	if (bits_count(s->all) > 1)
		return QV_NO_MOVE;
	for (int i = 0; i < 4; i++) {
		const uint64_t lowest = UINT64_C(1) << outer[i] * C4_STRIDE;
		if (!(s->all & lowest))
			moves[n++] = lowest;
	}
	return moves[qv_random_below(random, (uint64_t)n)];
}
