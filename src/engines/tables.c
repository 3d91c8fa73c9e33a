/*
 * tables.c - tables of positions for any game that numbers them: the public functions.
 * SPDX-License-Identifier: MIT
 */
#include "engines/context.h"
#include "engines/registry.h"
#include "search/solver.h"
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
	char name[QV_POSITION_TEXT] = "";
	struct qv_text text = { name, sizeof name, 0 };
	qv_rules_text(rules, &text);
	return spaces_init(out, context_allocator(context), rules, name, error);
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

/* ---- tables as a solver ---- */

struct table_solver {
	struct qv_solver base;
	struct qv_tables *tables;
};

static enum qv_status solve_by_table(struct qv_solver *solver, const void *state,
				     const struct qv_solve_limits *limits, struct qv_solution *out,
				     struct qv_error *error)
{
	(void)limits;
	return probe_state(((struct table_solver *)solver)->tables, state, out, error);
}

static void free_table_solver(struct qv_solver *solver)
{
	probe_free(((struct table_solver *)solver)->tables);
	mem_free(solver->allocator, solver, sizeof(struct table_solver));
}

static const struct solver_ops table_solver_ops = { .solve = solve_by_table,
						    .free = free_table_solver };

enum qv_status qv_solver_new_tables(const struct qv_context *context, const struct qv_rules *rules,
				    const char *folder, struct qv_solver **out,
				    struct qv_error *error)
{
	const struct qv_allocator *allocator = context_allocator(context);
	struct table_solver *s = mem_new(allocator, 1, sizeof *s);
	if (!s)
		return qv_fail(error, QV_NO_MEMORY, "tables: out of memory");
	s->base = (struct qv_solver){ &table_solver_ops, allocator, *rules };
	enum qv_status status = qv_tables_open(context, rules, folder, &s->tables, error);
	if (status == QV_OK)
		*out = &s->base;
	else
		mem_free(allocator, s, sizeof *s);
	return status;
}
