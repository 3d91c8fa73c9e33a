/*
 * tables.h - the tables of a game as a whole: estimated, made, checked.
 * SPDX-License-Identifier: MIT
 *
 * Everything here gets the spaces of the game, which outlive the call, and a struct qv_tables_job.
 */
#ifndef SOLVE_TABLES_H
#define SOLVE_TABLES_H

#include "solve/retro.h"

enum qv_status tables_plan(const struct spaces *spaces, const struct retro_ops *ops,
			   const struct qv_tables_job *job, struct qv_tables_plan *out,
			   struct qv_error *error);
enum qv_status tables_build(const struct spaces *spaces, const struct retro_ops *ops,
			    const struct qv_tables_job *job, struct qv_error *error);
/* Knows nothing of retro_ops: it asks the rules alone. */
enum qv_status tables_check(const struct spaces *spaces, const struct qv_tables_job *job,
			    struct qv_tables_report *out, struct qv_error *error);

#endif
