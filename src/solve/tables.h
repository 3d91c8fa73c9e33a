/*
 * tables.h - planning, building and checking all endgame tables of a game.
 * SPDX-License-Identifier: MIT
 *
 * The spaces must outlive the call. All functions return QV_STOPPED soon after job->stop is set.
 */
#ifndef SOLVE_TABLES_H
#define SOLVE_TABLES_H

#include "solve/retro.h"

/* Estimates time, memory and disk from a sample (plan.c). Writes no file. */
enum qv_status tables_plan(const struct spaces *spaces, const struct retro_ops *ops,
			   const struct qv_tables_job *job, struct qv_tables_plan *out,
			   struct qv_error *error);
/* Builds what is missing up to job->up_to, resuming from checkpoints (build.c). */
enum qv_status tables_build(const struct spaces *spaces, const struct retro_ops *ops,
			    const struct qv_tables_job *job, struct qv_error *error);
/*
 * Verifies every entry against its successors (check.c). Wrong entries are counted in *out and are
 * not a failure of the call. Takes no retro_ops: it is independent of the code that builds.
 */
enum qv_status tables_check(const struct spaces *spaces, const struct qv_tables_job *job,
			    struct qv_tables_report *out, struct qv_error *error);

#endif
