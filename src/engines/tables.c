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
	void *state;               /* for following a line */
};

/*
 * Whether a counter draws the game before the line of the tables, which know no counters, has come
 * to its end: then its value is not proven.
 */
static enum qv_status meets_a_counter(struct table_solver *s, const void *state,
				      struct qv_solution at, bool *drawn, struct qv_error *error)
{
	const struct qv_game *game = s->base.rules.game;
	int32_t points[QV_MAX_SEATS];
	enum qv_status status = QV_OK;
	*drawn = false;
	memcpy(s->state, state, game->state_size);
	while (status == QV_OK && !*drawn && at.move != QV_NO_MOVE && at.in > 0) {
		game->play(s->state, at.move);
		*drawn = game->result(s->state, points) == QV_DRAWN_BY_COUNT;
		status = probe_state(s->tables, s->state, &at, error);
	}
	return status;
}

static enum qv_status solve_by_table(struct qv_solver *solver, const void *state,
				     const struct qv_solve_limits *limits, struct qv_solution *out,
				     struct qv_error *error)
{
	struct table_solver *s = (struct table_solver *)solver;
	bool drawn = false;
	(void)limits;
	enum qv_status status = probe_state(s->tables, state, out, error);
	if (status == QV_OK && out->value != QV_VALUE_DRAW)
		status = meets_a_counter(s, state, *out, &drawn, error);
	if (status == QV_OK && drawn)
		*out = (struct qv_solution){ .value = QV_VALUE_UNKNOWN, .in = -1,
					     .move = QV_NO_MOVE, .nodes = out->nodes };
	return status;
}

static void free_table_solver(struct qv_solver *solver)
{
	struct table_solver *s = (struct table_solver *)solver;
	probe_free(s->tables);
	mem_free(solver->allocator, s->state, s->state ? solver->rules.game->state_size : 0);
	mem_free(solver->allocator, s, sizeof *s);
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
	s->state = mem_new(allocator, 1, rules->game->state_size);
	enum qv_status status = QV_NO_MEMORY;
	if (s->state)
		status = qv_tables_open(context, rules, folder, &s->tables, error);
	else
		qv_fail(error, status, "tables: out of memory");
	if (status == QV_OK)
		*out = &s->base;
	else
		free_table_solver(&s->base);
	return status;
}
