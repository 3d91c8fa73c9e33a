/*
 * search_jobs.h - the searches that workers run: a computer's move, the best lines of a position,
 * exact values of its moves, its static evaluation, and the explanation of a player's choice.
 * SPDX-License-Identifier: MIT
 *
 * Jobs for worker_pool.h. A job has a copy of everything it needs, so it is independent of games,
 * visitors and connections. Its texts are JSON as in the page's types.ts, except that of a move.
 */
#ifndef SERVER_JOBS_SEARCH_JOBS_H
#define SERVER_JOBS_SEARCH_JOBS_H

#include "quevedo.h"
#include "server/jobs/worker_pool.h"

/* ---- Endgame tables ---- */

/* The tables of all games, shared by all jobs. Safe from any thread. */
struct table_lookup;
/* folder: the tables of all games; NULL: only built-in ones. Returns NULL if out of memory. */
struct table_lookup *table_lookup_new(const struct qv_context *context, const char *folder);
/* No job may run any more. NULL is fine. */
void table_lookup_free(struct table_lookup *d);

/* Is the game too large to be solved by search, and are its tables missing here? */
bool table_lookup_lacks_tables(const struct table_lookup *d, const struct qv_rules *rules);
/*
 * Is `perfect` a good player here: with tables for these rules, or a solved game that needs none?
 */
bool table_lookup_makes_perfect(const struct table_lookup *d, const struct qv_rules *rules);

/* ---- Players that were made before ---- */

/* Whether a player of this spec was made for these rules, of which the latest are remembered. */
bool table_lookup_knows(struct table_lookup *d, const struct qv_rules *rules, const char *spec);
void table_lookup_learn(struct table_lookup *d, const struct qv_rules *rules, const char *spec);

/* ---- Jobs ---- */

/* Copied by search_job_new, except context, tables, prober and table_lookup, which outlive the job. */
struct search_job_setup {
	const struct qv_context *context;
	struct qv_rules rules;
	const void *state;	 /* the game is not over, and a player is to move */
	const uint64_t *history; /* as in struct qv_limits */
	int history_count;
	const char *spec; /* the player; NULL: the strongest. Not used for values */
	uint64_t seed;
	int hash_mb, lines;
	const char *tables;		/* the folder of endgame tables; NULL: only built-in ones */
	const struct qv_prober *prober; /* other tables; NULL: none */
	struct table_lookup *table_lookup; /* for values */
	int64_t time_ms;		   /* that the search shall take; 0: as its player likes */
	int64_t aim_ms;			   /* for a move with a clock, as in struct qv_limits */
	uint64_t turn;			   /* for a move: the number of its ThoughtsMessages */
	const char *memory;		   /* what the player `learn` has learned; NULL: nothing */
	bool hint;    /* without a spec: the strongest, but from the opening book first */
	bool no_book; /* a level plays without the opening book */
};

struct search_job;
struct search_job *search_job_new(const struct search_job_setup *setup); /* NULL: out of memory */
void search_job_free(void *job); /* fits worker_job.release */
/* What the job was made of; its texts, state and history are the job's. */
struct search_job_setup search_job_setup(const void *job);

/*
 * The functions for worker_job.run. A result "!409WHY" is an error: the HTTP status and a message.
 */

/*
 * Reports a ThoughtsMessage for each depth. The result is "+MOVE", a newline and the last
 * ThoughtsMessage, which is missing if memory ran out.
 */
void search_job_move(struct worker_task *task, void *job);
/* Reports an AnalysisMessage for each depth; the last one is the result. */
void search_job_lines(struct worker_task *task, void *job);
/* The result is Values: win, draw or loss for each legal move. */
void search_job_values(struct worker_task *task, void *job);
/* The result is an Evaluation: the terms of the game's first evaluation, with their cells. */
void search_job_evaluation(struct worker_task *task, void *job);
/* The result is an Explanation: what the engine's `explain` writes for the player of the spec. */
void search_job_explanation(struct worker_task *task, void *job);

#endif
