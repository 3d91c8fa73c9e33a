/*
 * tables.c - tables of positions for any game that numbers them: the public functions.
 * SPDX-License-Identifier: MIT
 */
#include "engines/context.h"
#include "engines/registry.h"
#include "engines/table_solver.h"
#include "solve/probe.h"
#include "solve/tables.h"

/* The game's own stamp; else the one over struct qv_game. */
static const struct retro_ops *stamp_of(const struct qv_game *game)
{
	const struct engine *engine = context_engine(game);
	return engine->retro ? engine->retro : plugin_engine.retro;
}

static enum qv_status list_spaces(const struct qv_context *context, const struct qv_rules *rules,
				  struct spaces *out, struct qv_error *error)
{
	return table_spaces(context_allocator(context), rules, out, error);
}

enum qv_status qv_tables_plan(const struct qv_context *context, const struct qv_rules *rules,
			      const struct qv_tables_job *job, struct qv_tables_plan *out,
			      struct qv_error *error)
{
	struct spaces spaces;
	enum qv_status status = list_spaces(context, rules, &spaces, error);
	if (status != QV_OK)
		return status;
	status = tables_plan(&spaces, stamp_of(rules->game), job, out, error);
	spaces_release(&spaces);
	return status;
}

enum qv_status qv_tables_build(const struct qv_context *context, const struct qv_rules *rules,
			       const struct qv_tables_job *job, struct qv_error *error)
{
	struct spaces spaces;
	enum qv_status status = list_spaces(context, rules, &spaces, error);
	if (status != QV_OK)
		return status;
	status = tables_build(&spaces, stamp_of(rules->game), job, error);
	spaces_release(&spaces);
	return status;
}

enum qv_status qv_tables_check(const struct qv_context *context, const struct qv_rules *rules,
			       const struct qv_tables_job *job, struct qv_tables_report *out,
			       struct qv_error *error)
{
	struct spaces spaces;
	enum qv_status status = list_spaces(context, rules, &spaces, error);
	if (status != QV_OK)
		return status;
	status = tables_check(&spaces, job, out, error);
	spaces_release(&spaces);
	return status;
}

enum qv_status qv_tables_open(const struct qv_context *context, const struct qv_rules *rules,
			      const char *folder, struct qv_tables **out, struct qv_error *error)
{
	struct spaces spaces;
	enum qv_status status = list_spaces(context, rules, &spaces, error);
	return status == QV_OK ? probe_new(&spaces, folder, out, error) : status;
}

void qv_tables_close(struct qv_tables *tables)
{
	probe_free(tables);
}

bool qv_tables_at(struct qv_tables *tables, int space, struct qv_table *out)
{
	if (space < 0 || space >= tables->spaces.count)
		return false;
	probe_table(tables, space, out);
	return true;
}

enum qv_status qv_tables_probe(struct qv_tables *tables, const void *state,
			       struct qv_solution *out, struct qv_error *error)
{
	return probe_state(tables, state, out, error);
}

enum qv_status qv_solver_new_tables(const struct qv_context *context, const struct qv_rules *rules,
				    const char *folder, size_t hash_bytes,
				    struct qv_solver **out, struct qv_error *error)
{
	return table_solver_new(context_allocator(context), rules, folder, hash_bytes, out, error);
}
