/*
 * tables.c - the public functions of endgame tables.
 * SPDX-License-Identifier: MIT
 *
 * They connect a context with solve/, which builds, checks and probes tables. Building ends with a
 * search from the start position down to the tables, for games whose tables do not include the
 * start; its results are kept in a file of their own.
 */
#include "base/clock.h"
#include "base/flag.h"
#include "base/sized.h"
#include "core/context.h"
#include "core/table_solver.h"
#include "games/registry.h"
#include "solve/exchange.h"
#include "solve/table_search.h"

const struct retro_ops *table_retro_ops(const struct qv_game *game)
{
	const struct engine *engine = context_engine(game);
	return engine->retro ? engine->retro : plugin_engine.retro;
}

/* A caller's job, of whatever size, and its ranks. */
struct known_job {
	struct qv_tables_job job;
	struct qv_tables_ranks ranks;
};

static enum qv_status job_in(const struct qv_tables_job *from, struct known_job *to,
			     struct qv_error *error)
{
	enum qv_status status =
		sized_in("qv_tables_job", &to->job, sizeof to->job, from, error);
	if (status == QV_OK && to->job.ranks) {
		status = sized_in("qv_tables_ranks", &to->ranks, sizeof to->ranks, to->job.ranks,
				  error);
		to->job.ranks = &to->ranks;
	}
	return status;
}

/* Each of the following initializes the game's spaces, which the call in solve/ then uses. */
enum qv_status qv_tables_plan(const struct qv_context *context, const struct qv_rules *rules,
			      const struct qv_tables_job *job, struct qv_tables_estimate *out,
			      struct qv_error *error)
{
	struct known_job known;
	struct qv_tables_estimate estimate = { 0 };
	struct spaces spaces;
	enum qv_status status = sized_check("qv_tables_estimate", out, error);
	if (status == QV_OK)
		status = job_in(job, &known, error);
	if (status == QV_OK)
		status = table_spaces(context_allocator(context), rules, false, &spaces, error);
	if (status != QV_OK)
		return status;
	status = tables_plan(&spaces, table_retro_ops(rules->game), &known.job, &estimate, error);
	spaces_release(&spaces);
	if (status == QV_OK)
		sized_out(out, &estimate, sizeof estimate);
	return status;
}

/*
 * Searches from the start position down to the tables until its value is known. Saves the results
 * at each checkpoint.
 */
static enum qv_status search_start(struct qv_tables *tables, const void *start,
				   const struct qv_tables_job *job, struct qv_error *error)
{
	enum { LEAST_MS = 60000, BYTES = 1 << 27 };
	const int64_t between = job->checkpoint_ms > LEAST_MS ? job->checkpoint_ms : LEAST_MS;
	struct table_search *search;
	enum qv_status status = table_search_new(tables, BYTES, &search, error);
	if (status != QV_OK)
		return status;
	/* Search for the time between two checkpoints, save, and go on until the value is known. */
	bool on;
	do {
		struct qv_solution solution;
		const struct table_search_limits limits = {
			.stop = job->stop, .until_us = clock_us() + 1000 * between
		};
		/* A named const: as a compound literal, gcc keeps it in .data on arm64. */
		static const struct qv_tables_news start_news = { .space = "start", .level = -1 };
		if (job->progress)
			job->progress(job->ctx, &start_news);
		status = table_search_solve(search, start, &limits, &solution, error);
		on = status == QV_STOPPED && !flag_is_set(job->stop);
		struct qv_error why = { "" };
		/* A failure to save ends the search, but does not hide its own failure. */
		const enum qv_status kept = table_search_save(search, &why);
		if (kept != QV_OK && (on || status == QV_OK)) {
			status = qv_fail(error, kept, "%s", why.text);
			on = false;
		}
	} while (on);
	table_search_free(search);
	/* Too far from the tables for a search: they are of use without it. */
	return status == QV_UNKNOWN ? QV_OK : status;
}

/* Searches the start position if it is not in the tables. */
static enum qv_status settle_start(const struct qv_context *context, const struct qv_rules *rules,
				   const struct qv_tables_job *job, struct qv_error *error)
{
	struct qv_tables *tables;
	enum qv_status status;
	struct qv_place place;
	int32_t points[QV_MAX_SEATS];
	const struct qv_game *game = rules->game;
	void *start = qv_state_new(context, game);
	if (!start)
		return qv_fail(error, QV_NO_MEMORY, "tables: out of memory");
	status = qv_tables_open(context, rules, job->folder, &tables, error);
	if (status == QV_OK) {
		game->start(rules->options, start);
		if (!tables->spaces.alone && game->result(start, points) == QV_GOING &&
		    !tables->spaces.rules.game->index->find(tables->spaces.aid, start, &place))
			status = search_start(tables, start, job, error);
		qv_tables_close(tables);
	}
	qv_state_free(context, game, start);
	return status;
}

enum qv_status qv_tables_build(const struct qv_context *context, const struct qv_rules *rules,
			       const struct qv_tables_job *given, struct qv_error *error)
{
	struct known_job known;
	const struct qv_tables_job *const job = &known.job;
	struct spaces spaces;
	enum qv_status status = job_in(given, &known, error);
	if (status != QV_OK)
		return status;
	status = table_spaces(context_allocator(context), rules, false, &spaces, error);
	const bool listed = status == QV_OK;
	status = exchange_agree(job->ranks, status, error);
	if (status == QV_OK)
		status = tables_build(&spaces, table_retro_ops(rules->game), job, error);
	if (listed)
		spaces_release(&spaces);
	if (status != QV_OK || job->up_to)
		return status;
	/* The first rank does the rest. */
	if (!job->ranks || job->ranks->rank == 0)
		status = settle_start(context, rules, job, error);
	return exchange_agree(job->ranks, status, error);
}

enum qv_status qv_tables_check(const struct qv_context *context, const struct qv_rules *rules,
			       const struct qv_tables_job *job, struct qv_tables_report *out,
			       struct qv_error *error)
{
	struct known_job known;
	struct qv_tables_report report = { 0 };
	struct spaces spaces;
	enum qv_status status = sized_check("qv_tables_report", out, error);
	if (status == QV_OK)
		status = job_in(job, &known, error);
	if (status == QV_OK)
		status = table_spaces(context_allocator(context), rules, false, &spaces, error);
	if (status != QV_OK)
		return status;
	status = tables_check(&spaces, &known.job, &report, error);
	spaces_release(&spaces);
	if (status == QV_OK)
		sized_out(out, &report, sizeof report);
	return status;
}

enum qv_status qv_tables_open(const struct qv_context *context, const struct qv_rules *rules,
			      const char *folder, struct qv_tables **out, struct qv_error *error)
{
	struct spaces spaces;
	enum qv_status status =
		table_spaces(context_allocator(context), rules, false, &spaces, error);
	return status == QV_OK ? probe_new(&spaces, folder, out, error) : status;
}

void qv_tables_close(struct qv_tables *tables)
{
	probe_free(tables);
}

bool qv_tables_at(struct qv_tables *tables, int space, struct qv_table *out)
{
	struct qv_table table;
	if (space < 0 || space >= tables->spaces.count || sized_check("", out, NULL) != QV_OK)
		return false;
	probe_table(tables, space, &table);
	sized_out(out, &table, sizeof table);
	return true;
}

enum qv_status qv_tables_longest(struct qv_tables *tables, int space, void *state,
				 struct qv_error *error)
{
	if (space < 0 || space >= tables->spaces.count)
		return qv_fail(error, QV_UNKNOWN, "tables: there is no space %d", space);
	return probe_longest(tables, space, state, error);
}

enum qv_status qv_tables_probe(struct qv_tables *tables, const void *state,
			       struct qv_solution *out, struct qv_error *error)
{
	struct qv_solution found = { 0 };
	enum qv_status status = sized_check("qv_solution", out, error);
	if (status == QV_OK)
		status = probe_state(tables, state, &found, error);
	if (status == QV_OK)
		sized_out(out, &found, sizeof found);
	return status;
}

enum qv_status qv_solver_new_tables(const struct qv_context *context, const struct qv_rules *rules,
				    const char *folder, size_t hash_bytes,
				    struct qv_solver **out, struct qv_error *error)
{
	return table_solver_new(context_allocator(context), rules, folder, hash_bytes, out, error);
}
