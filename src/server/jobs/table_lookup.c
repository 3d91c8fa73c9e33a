/*
 * table_lookup.c - endgame tables for the workers.
 * SPDX-License-Identifier: MIT
 *
 * One solver is kept, that of the last request. A worker that needs one while it is in use, or for
 * other rules, opens another; the one given back last stays.
 */
#include "server/jobs/table_lookup.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/threads.h"
#include "core/context.h"
#include "core/table_solver.h"

enum {
	TABLE_SEARCH_MB = 64,           /* memory for the search above the tables */
	SOON_US = 20000,           /* time limit of table_lookup_knows */
};

struct table_lookup {
	const struct qv_context *context;
	char *folder;
	struct mutex lock;
	struct qv_solver *solver;          /* the one that is kept, or NULL */
};

struct table_lookup *table_lookup_new(const struct qv_context *context, const char *folder)
{
	struct table_lookup *d = calloc(1, sizeof *d);
	if (!d)
		return NULL;
	d->context = context;
	d->folder = folder ? strdup(folder) : NULL;
	if (folder && !d->folder) {
		free(d);
		return NULL;
	}
	mutex_init(&d->lock);
	return d;
}

void table_lookup_free(struct table_lookup *d)
{
	if (!d)
		return;
	qv_solver_free(d->solver);
	mutex_release(&d->lock);
	free(d->folder);
	free(d);
}

static bool same_rules(const struct qv_rules *a, const struct qv_rules *b)
{
	char first[QV_POSITION_TEXT] = "", second[QV_POSITION_TEXT] = "";
	struct qv_text one = { first, sizeof first, 0 }, other = { second, sizeof second, 0 };
	qv_rules_text(a, &one);
	qv_rules_text(b, &other);
	return a->game == b->game && strcmp(first, second) == 0;
}

/* The solver that is kept, if it is for these rules; else NULL. */
static struct qv_solver *take_kept(struct table_lookup *d, const struct qv_rules *rules)
{
	struct qv_solver *solver = NULL;
	mutex_lock(&d->lock);
	if (d->solver && same_rules(&d->solver->rules, rules)) {
		solver = d->solver;
		d->solver = NULL;
	}
	mutex_unlock(&d->lock);
	return solver;
}

struct qv_solver *table_lookup_take(struct table_lookup *d, const struct qv_rules *rules)
{
	const struct qv_allocator *allocator = context_allocator(d->context);
	if (!d->folder || !rules->game->index)
		return NULL;
	struct qv_solver *solver = take_kept(d, rules);
	if (!solver && table_solver_useful(allocator, rules, d->folder))
		qv_solver_new_tables(d->context, rules, d->folder, (size_t)TABLE_SEARCH_MB << 20,
				     &solver, NULL);
	return solver;
}

void table_lookup_give_back(struct table_lookup *d, struct qv_solver *solver)
{
	if (!solver)
		return;
	mutex_lock(&d->lock);
	struct qv_solver *const before = d->solver;
	d->solver = solver;
	mutex_unlock(&d->lock);
	qv_solver_free(before);
}

bool table_lookup_knows(struct table_lookup *d, const struct qv_rules *rules, const void *state)
{
	const struct table_search_limits soon = { .until_us = clock_us() + SOON_US };
	struct qv_solution found;
	struct qv_solver *solver = table_lookup_take(d, rules);
	const bool known =
		solver && table_solver_look_up(solver, state, &soon, &found, NULL) == QV_OK;
	table_lookup_give_back(d, solver);
	return known;
}

static bool has_tables(const struct table_lookup *d, const struct qv_rules *rules)
{
	return d->folder && rules->game->index &&
	       table_solver_useful(context_allocator(d->context), rules, d->folder);
}

bool table_lookup_lacks_tables(const struct table_lookup *d, const struct qv_rules *rules)
{
	return rules->game->index &&
	       table_solver_needed(context_allocator(d->context), rules) && !has_tables(d, rules);
}

bool table_lookup_makes_perfect(const struct table_lookup *d, const struct qv_rules *rules)
{
	const struct qv_game *game = rules->game;
	if (game->seats != 2 || game->chance)
		return false;
	return game->solved ? !table_lookup_lacks_tables(d, rules) : has_tables(d, rules);
}
