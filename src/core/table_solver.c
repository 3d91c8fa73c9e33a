/*
 * table_solver.c - endgame tables as a solver: positions outside the tables are searched until they
 * are reached.
 * SPDX-License-Identifier: MIT
 *
 * The tables ignore counters that draw. So a win or loss counts as proven only after its line was
 * followed to the end without meeting such a draw. That costs one lookup per ply.
 */
#include "core/table_solver.h"

#include "core/context.h"
#include "games/registry.h"

/* Up to this number of positions, a search is as fast as a lookup. */
enum { SMALL_GAME = 1 << 24 };

struct table_solver {
	struct qv_solver base;
	struct qv_tables *tables;
	struct table_search *search; /* made when it is needed */
	size_t hash_bytes;
	void *state;               /* scratch: the position while a line is followed */
};

/* The search below the tables is created on first use, since most lookups need none. */
enum qv_status table_solver_look_up(struct qv_solver *solver, const void *state,
				    const struct table_search_limits *limits,
				    struct qv_solution *out, struct qv_error *error)
{
	struct table_solver *s = (struct table_solver *)solver;
	const struct spaces *spaces = &s->tables->spaces;
	const struct qv_game *game = spaces->rules.game;
	int32_t points[QV_MAX_SEATS];
	struct qv_place place;
	enum qv_status status = QV_OK;
	if (game->result(state, points) == QV_ENDED || game->index->find(spaces->aid, state, &place))
		return probe_state(s->tables, state, out, error);
	if (spaces->alone)
		return qv_fail(error, QV_UNKNOWN, "tables: no table contains this position");
	if (!s->search)
		status = table_search_new(s->tables, s->hash_bytes, &s->search, error);
	*out = (struct qv_solution){ .in = -1, .move = QV_NO_MOVE };
	if (status == QV_OK)
		status = table_search_solve(s->search, state, limits, out, error);
	return status;
}

static enum qv_status solve_by_table(struct qv_solver *solver, const void *state,
				     const struct qv_solve_limits *limits, struct qv_solution *out,
				     struct qv_error *error)
{
	struct table_solver *s = (struct table_solver *)solver;
	const struct qv_game *game = solver->rules.game;
	const struct table_search_limits how = { .stop = limits->stop, .solve = limits };
	int32_t points[QV_MAX_SEATS];
	bool drawn = false;
	enum qv_status status = table_solver_look_up(solver, state, &how, out, error);
	if (status == QV_OK && out->value != QV_VALUE_DRAW) {
		/* Follow the line to its end: a counter may draw the game on the way. */
		struct qv_solution at = *out;
		memcpy(s->state, state, game->state_size);
		while (status == QV_OK && !drawn && at.move != QV_NO_MOVE && at.in != 0) {
			game->play(s->state, at.move);
			drawn = game->result(s->state, points) == QV_DRAWN_BY_COUNT;
			status = table_solver_look_up(solver, s->state, &how, &at, error);
		}
	}
	if (status == QV_STOPPED || (status == QV_OK && drawn))
		*out = (struct qv_solution){ .value = QV_VALUE_UNKNOWN, .in = -1,
					     .move = QV_NO_MOVE, .nodes = out->nodes };
	return status;
}

bool table_solver_has(struct qv_solver *solver, const void *state)
{
	struct qv_solution found;
	return probe_value(((struct table_solver *)solver)->tables, state, &found, NULL) == QV_OK;
}

/* Also frees a solver whose construction failed half-way. */
static void free_table_solver(struct qv_solver *solver)
{
	struct table_solver *s = (struct table_solver *)solver;
	table_search_free(s->search);
	probe_free(s->tables);
	mem_free(solver->allocator, s->state, s->state ? solver->rules.game->state_size : 0);
	mem_free(solver->allocator, s, sizeof *s);
}

static const struct solver_ops table_solver_ops = { .solve = solve_by_table,
						    .free = free_table_solver };

enum qv_status table_spaces(const struct qv_allocator *allocator, const struct qv_rules *rules,
			    bool sizes_only, struct spaces *out, struct qv_error *error)
{
	char name[QV_POSITION_TEXT] = "";
	qv_rules_text(rules, &(struct qv_text){ name, sizeof name, 0 });
#ifndef __wasm__ /* browsers load no plug-ins */
	/* The built-in games without an index are too large for it. */
	if (!sizes_only && !rules->game->index && context_engine(rules->game) == &plugin_engine)
		return spaces_init_hashed(out, allocator, rules, name, error);
#endif
	const enum qv_status status =
		(sizes_only ? spaces_list : spaces_init)(out, allocator, rules, name, error);
	if (status == QV_OK) {
		out->built_in = context_engine(rules->game)->tables;
		out->alone = context_engine(rules->game)->tables_alone;
	}
	return status;
}

bool table_solver_useful(const struct qv_allocator *allocator, const struct qv_rules *rules,
			 const char *folder)
{
	struct spaces spaces;
	struct qv_tables *tables;
	struct qv_table table = { .size = sizeof table };
	int there = 0, all = 0;
	uint64_t positions = 0;
	if (table_spaces(allocator, rules, true, &spaces, NULL) != QV_OK ||
	    probe_new(&spaces, folder, &tables, NULL) != QV_OK)
		return false;
	/* Count the tables in the folder, and the positions of the whole game. */
	for (; all < tables->spaces.count; all++) {
		probe_table(tables, all, &table);
		there += table.there;
		positions += table.space.size;
	}
	probe_free(tables);
	/* Some tables help only where a search alone would take too long. */
	return there == all || (there && positions > SMALL_GAME);
}

bool table_solver_needed(const struct qv_allocator *allocator, const struct qv_rules *rules)
{
	struct spaces spaces;
	uint64_t positions = 0;
	if (table_spaces(allocator, rules, true, &spaces, NULL) != QV_OK)
		return false;
	for (int i = 0; i < spaces.count; i++)
		positions += spaces.list[i].size;
	spaces_release(&spaces);
	return positions > SMALL_GAME;
}

enum qv_status table_solver_new(const struct qv_allocator *allocator, const struct qv_rules *rules,
				const char *folder, size_t hash_bytes, struct qv_solver **out,
				struct qv_error *error)
{
	struct spaces spaces;
	struct table_solver *s = mem_new(allocator, 1, sizeof *s);
	if (!s)
		return qv_fail(error, QV_NO_MEMORY, "tables: out of memory");
	s->base = (struct qv_solver){ &table_solver_ops, allocator, *rules };
	s->hash_bytes = hash_bytes;
	s->state = mem_new(allocator, 1, rules->game->state_size);
	enum qv_status status = s->state ? table_spaces(allocator, rules, false, &spaces, error)
					 : qv_fail(error, QV_NO_MEMORY, "tables: out of memory");
	if (status == QV_OK)
		status = probe_new(&spaces, folder, &s->tables, error);
	if (status == QV_OK)
		*out = &s->base;
	else
		free_table_solver(&s->base);
	return status;
}

/* ---- Tables for the inner nodes of a search ---- */

/* One thread's tables. Which of them exist is found out once: opening files takes long. */
struct search_prober {
	const struct qv_allocator *allocator;
	struct qv_tables *tables;
	bool *there; /* of each space */
	int count;
};

static void close_prober(void *prober)
{
	struct search_prober *p = prober;
	if (!p)
		return;
	probe_free(p->tables);
	mem_free(p->allocator, p->there, (size_t)p->count * sizeof *p->there);
	mem_free(p->allocator, p, sizeof *p);
}

static enum qv_status open_prober(const struct search_tables *tables, void **prober,
				  struct qv_error *error)
{
	struct spaces spaces;
	struct qv_table table = { .size = sizeof table };
	struct search_prober *p = mem_new(tables->allocator, 1, sizeof *p);
	if (!p)
		return qv_fail(error, QV_NO_MEMORY, "tables: out of memory");
	p->allocator = tables->allocator;
	enum qv_status status =
		table_spaces(tables->allocator, tables->rules, false, &spaces, error);
	if (status == QV_OK)
		status = probe_new(&spaces, tables->folder, &p->tables, error);
	if (status == QV_OK) {
		p->count = p->tables->spaces.count;
		p->there = mem_new(p->allocator, (size_t)p->count, sizeof *p->there);
		if (!p->there)
			status = qv_fail(error, QV_NO_MEMORY, "tables: out of memory");
	}
	for (int i = 0; status == QV_OK && i < p->count; i++) {
		probe_table(p->tables, i, &table);
		p->there[i] = table.there;
	}
	if (status == QV_OK)
		*prober = p;
	else
		close_prober(p);
	return status;
}

static bool probe_in_search(void *prober, const void *state, struct qv_solution *out)
{
	const struct search_prober *p = prober;
	const struct spaces *spaces = &p->tables->spaces;
	struct qv_place place;
	return spaces->rules.game->index->find(spaces->aid, state, &place) &&
	       spaces_have(spaces, &place) && p->there[place.space] &&
	       probe_value(p->tables, state, out, NULL) == QV_OK;
}

void table_solver_for_search(const struct qv_allocator *allocator, const struct qv_rules *rules,
			     const char *folder, struct search_tables *out)
{
	*out = (struct search_tables){ allocator,   rules,	  folder,
				       open_prober, close_prober, probe_in_search };
}

/* ---- Tables, and another solver for the positions that they do not contain ---- */

struct tables_first {
	struct qv_solver base;
	struct qv_solver *tables;
	struct qv_solver *search; /* made when it is needed */
	const struct engine *engine;
	const struct qv_prober *prober; /* NULL: none */
	size_t hash_bytes;
};

static enum qv_status solve_tables_first(struct qv_solver *solver, const void *state,
					 const struct qv_solve_limits *limits,
					 struct qv_solution *out, struct qv_error *error)
{
	struct tables_first *s = (struct tables_first *)solver;
	const struct qv_solution none = *out;
	enum qv_status status = QV_OK;
	if (table_solver_has(s->tables, state)) {
		status = solve_by_table(s->tables, state, limits, out, error);
		/* A counter may draw the shortest line, but not every line. */
		if (status != QV_OK || out->value != QV_VALUE_UNKNOWN)
			return status;
		*out = none;
	} else if (s->prober && s->prober->probe(s->prober->ctx, &solver->rules, state, out)) {
		return QV_OK;
	}
	if (solver->rules.game->chance)
		return qv_fail(error, QV_UNKNOWN,
			       "solve: %s has chance, and no table contains this position",
			       solver->rules.game->name);
	if (!s->search) {
		const struct solver_setup setup = { solver->allocator, s->engine, &solver->rules,
						    s->hash_bytes,     NULL,	  NULL };
		status = search_solver_new(&setup, &s->search, error);
	}
	return status == QV_OK ? s->search->ops->solve(s->search, state, limits, out, error)
			       : status;
}

static void free_tables_first(struct qv_solver *solver)
{
	struct tables_first *s = (struct tables_first *)solver;
	qv_solver_free(s->tables);
	qv_solver_free(s->search);
	mem_free(solver->allocator, s, sizeof *s);
}

static const struct solver_ops tables_first_ops = { .solve = solve_tables_first,
						    .free = free_tables_first };

enum qv_status tables_first_new(const struct solver_setup *setup, struct qv_solver **out,
				struct qv_error *error)
{
	struct tables_first *s = mem_new(setup->allocator, 1, sizeof *s);
	if (!s)
		return qv_fail(error, QV_NO_MEMORY, "solve: out of memory");
	s->base = (struct qv_solver){ &tables_first_ops, setup->allocator, *setup->rules };
	s->engine = setup->engine;
	s->prober = setup->prober;
	s->hash_bytes = setup->hash_bytes;
	const enum qv_status status = table_solver_new(setup->allocator, setup->rules,
						       setup->tables, 0, &s->tables, error);
	if (status == QV_OK)
		*out = &s->base;
	else
		free_tables_first(&s->base);
	return status;
}

bool tables_first_has(struct qv_solver *solver, const void *state)
{
	return solver->ops == &tables_first_ops &&
	       table_solver_has(((struct tables_first *)solver)->tables, state);
}
