/*
 * lurgee_kit.c - nine men's morris for the Lurgee player: evaluations and ladders of levels.
 * SPDX-License-Identifier: MIT
 */
#include "games/morris/lurgee_evaluate.h"

#define TABLE(table) .weights = table, .weights_size = sizeof table, .names = morris_lurgee_names

const struct qv_evaluation morris_lurgee_evaluations[] = {
	{ .name = "lurgee", .help = "as in the framework's documents: counts all moves of the men",
	  TABLE(morris_lurgee_weights) },
	{ .name = "lurgee22", .help = "as in release 2.2: counts only what the last move changed",
	  TABLE(morris_lurgee22_weights) },
	{ .name = "alternative", .help = "the second evaluation of the release: a draw is worth nothing",
	  TABLE(morris_alternative_weights) },
	{ 0 },
};

#define LADDER(eval)                                                    \
	"lurgee:depth=3,evals=250,killers=5,random=1,eval=" eval,       \
	"lurgee:depth=4,evals=1000,killers=5,random=1,eval=" eval,      \
	"lurgee:depth=6,evals=5000,killers=5,random=1,eval=" eval,      \
	"lurgee:depth=8,evals=50000,killers=5,random=1,eval=" eval,     \
	"lurgee:depth=10,evals=100000,killers=5,random=1,eval=" eval, NULL
const char *const morris_lurgee_documents[] = { LADDER("lurgee") };
const char *const morris_lurgee_release[] = { LADDER("lurgee22") };
