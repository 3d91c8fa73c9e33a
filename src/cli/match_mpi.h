/*
 * match_mpi.h - a match on all ranks of mpirun; without MPI match_no_mpi.c stands in.
 * SPDX-License-Identifier: MIT
 *
 * Every rank reads the same command line and makes the same plan. The first one is the referee and
 * plays too; the others play what it gives them, print nothing and write no files.
 */
#ifndef CLI_MATCH_MPI_H
#define CLI_MATCH_MPI_H

#include "base/threads.h"
#include "match/match.h"

/* {0} is a valid one that is closed. */
struct ranks {
	bool open;
	int rank, count;
	struct mutex lock;         /* one thread at a time may call MPI */

	/* The first rank. */
	const struct match_plan *plan;
	int64_t *playing;          /* by rank: the game it has; -1: none */
	int present;               /* of the others, those that did not take their leave */
	bool dismissed;            /* the others were told that it is over */
	bool stopped;              /* one left because of a signal */

	/* The others. */
	atomic_bool over;          /* they were told so, or were asked to stop */
	bool told;
	const atomic_bool *stop;
	char *introduction;        /* its plan; NULL: the first rank has it */
};

/* Before MPI is there: whether this is a process of mpirun that has to leave talking to another. */
bool ranks_is_mute(int argc, char **argv);

/* Joins the other ranks. */
enum qv_status ranks_open(struct ranks *r, struct qv_error *error);
/* For the referee of the first rank; the plan must live until ranks_close. */
struct match_branch ranks_branch(struct ranks *r, const struct match_plan *plan);
/* What the others do. */
enum qv_status ranks_assist(struct ranks *r, const struct qv_context *context,
			    const struct match_plan *plan, const struct match_run *run,
			    struct qv_error *error);
/* Always to be called, on all ranks; `status` is how it went here. */
void ranks_close(struct ranks *r, enum qv_status status, const struct qv_error *error);

/*
 * For who fails before it could join: joins and leaves, so that the first rank hears of it. mpirun
 * ends everybody as soon as one ends badly, and the first rank must have talked by then; the others
 * may end well once they have told it. False: there was nobody to tell.
 */
bool ranks_settle(int argc, char **argv, enum qv_status status, const struct qv_error *error);

#endif
