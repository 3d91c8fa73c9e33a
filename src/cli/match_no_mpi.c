/*
 * match_no_mpi.c - stands in for match_mpi.c in a build without MPI.
 * SPDX-License-Identifier: MIT
 */
#include "cli/match_mpi.h"

/* Without MPI no process is another rank. */
bool ranks_is_mute(int argc, char **argv)
{
	(void)argc, (void)argv;
	return false;
}

/* The only way to get here is --mpi, which fails. */
enum qv_status ranks_open(struct ranks *r, struct qv_error *error)
{
	*r = (struct ranks){ .open = false };
	return qv_fail(error, QV_UNSUPPORTED, "--mpi: this build has no MPI");
}

/* The rest is never called, since no rank is open. */
struct match_branch ranks_branch(struct ranks *r, const struct match_plan *plan)
{
	(void)r, (void)plan;
	return (struct match_branch){ NULL, NULL, NULL };
}

enum qv_status ranks_assist(struct ranks *r, const struct qv_context *context,
			    const struct match_plan *plan, const struct match_run *run,
			    struct qv_error *error)
{
	(void)r, (void)context, (void)plan, (void)run;
	return qv_fail(error, QV_UNSUPPORTED, "--mpi: this build has no MPI");
}

enum qv_status ranks_meet(struct ranks *r, const char *plan, struct qv_error *error)
{
	(void)r, (void)plan;
	return qv_fail(error, QV_UNSUPPORTED, "--mpi: this build has no MPI");
}

struct qv_tables_ranks ranks_tables(struct ranks *r)
{
	(void)r;
	return (struct qv_tables_ranks){ .size = sizeof(struct qv_tables_ranks), .count = 1 };
}

void ranks_close(struct ranks *r, enum qv_status status, const struct qv_error *error)
{
	(void)r, (void)status, (void)error;
}

bool ranks_settle(int argc, char **argv, enum qv_status status, const struct qv_error *error)
{
	(void)argc, (void)argv, (void)status, (void)error;
	return false;
}
