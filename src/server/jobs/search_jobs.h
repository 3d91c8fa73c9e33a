/*
 * search_jobs.h - what the workers think about: a computer's move, the best lines, exact values,
 * and how a player thinks.
 * SPDX-License-Identifier: MIT
 *
 * Jobs for think.h. Everything a job needs is copied into it, so that it knows nothing of plays,
 * visitors and connections. Its texts are JSON as types.ts has it, but for a move's.
 */
#ifndef SERVER_JOBS_SEARCH_JOBS_H
#define SERVER_JOBS_SEARCH_JOBS_H

#include "quevedo.h"
#include "server/jobs/table_lookup.h"
#include "server/jobs/worker_pool.h"

/* Copied by search_job_new, but for the context. */
struct search_job_setup {
	const struct qv_context *context;
	struct qv_rules rules;
	const void *state;         /* the game goes on, and a player is to move */
	const uint64_t *history;   /* as in struct qv_limits */
	int history_count;
	const char *spec; /* of the player; NULL: the strongest. Not looked at for values */
	uint64_t seed;
	int hash_mb, lines;
	const char *tables;        /* for `perfect`; NULL: none */
	struct table_lookup
		*table_lookup; /* tables, for values and for the strongest; both outlive the job */
	int64_t time_ms;           /* for analyses */
	int64_t aim_ms;            /* for a move by a clock, as in struct qv_limits */
};

struct search_job;
struct search_job *search_job_new(const struct search_job_setup *setup);   /* NULL: no memory */
void search_job_free(void *job);                                  /* a release for think_job */

/* Answers "+MOVE", or "!WHY" if there was no answer. */
void search_job_move(struct worker_task *task, void *job);
/* Says an AnalysisMessage for each depth, and answers the last. Answers "!WHY" if it could not. */
void search_job_lines(struct worker_task *task, void *job);
/* Answers Values. */
void search_job_values(struct worker_task *task, void *job);
/* Answers an Explanation: what the engine's `explain` tells of the player of the spec. */
void search_job_explanation(struct worker_task *task, void *job);

/*
 * How much of the points a side may hope for, 0 to 1. A proven score says it. Where scores are
 * chances (dice that are averaged, random games), `whole` is the score of a sure win, and the share
 * lies as far between loss and win as the score. Else (whole is 0) it is 1 / (1 + exp(-score /
 * scale)).
 */
double expected_score(const struct qv_answer *answer, double whole, double scale);
/* What evaluations are in random games of any game: the root of their mean square. */
double evaluation_scale(const struct qv_context *context, const struct qv_rules *rules);

#endif
