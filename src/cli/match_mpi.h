/*
 * match_mpi.h - a match, or a build of tables, on all ranks of mpirun; without MPI match_no_mpi.c
 * stands in.
 * SPDX-License-Identifier: MIT
 *
 * Every rank reads the same command line and makes the same plan. The first one is the referee and
 * plays too; the others play what it gives them, print nothing and write no files. Tables are built
 * by all ranks in step (quevedo/solve.h), after they have met.
 */
#ifndef CLI_MATCH_MPI_H
#define CLI_MATCH_MPI_H

#include "base/threads.h"
#include "match/match.h"
#include "quevedo.h"

/* {0} is a valid one that is closed. */
struct ranks {
	bool open;
	int rank, count;
	struct mutex lock; /* one thread at a time may call MPI */

	/* The first rank. */
	const struct match_plan *plan; /* NULL: no match */
	int64_t *playing; /* by rank: the game that it plays; -1: none */
	int present;	  /* the number of others that have not sent LEAVE */
	bool dismissed;	  /* OVER was sent to the others */
	bool stopped;	  /* another rank has left because of a signal */

	/* The others. */
	struct qv_flag over; /* OVER was received, or a signal asks to stop */
	bool over_received;
	const struct qv_flag *stop; /* set by signals */
	char *introduction;	 /* this rank's plan as text; NULL: it was sent */
};

/* Whether this is a process of mpirun other than the first, which must not print. Needs no MPI. */
bool ranks_is_mute(int argc, char **argv);

/* Starts MPI and joins the other ranks. */
enum qv_status ranks_open(struct ranks *r, struct qv_error *error);
/* What the referee of the first rank needs to share games. The plan must outlive ranks_close. */
struct match_branch ranks_branch(struct ranks *r, const struct match_plan *plan);
/* Plays the games that the first rank hands out, on all other ranks, until there are no more. */
enum qv_status ranks_assist(struct ranks *r, const struct qv_context *context,
			    const struct match_plan *plan, const struct match_run *run,
			    struct qv_error *error);
/*
 * Waits until all ranks are ready to build tables, and compares their plans. It fails if a rank has
 * left or has another plan. Afterwards they can use ranks_tables.
 */
enum qv_status ranks_meet(struct ranks *r, const char *plan, struct qv_error *error);
/* The communication of qv_tables_build. */
struct qv_tables_ranks ranks_tables(struct ranks *r);
/*
 * Leaves the other ranks. Every rank that has joined must call it, with the status of its run; the
 * first one waits for all others. A closed struct is accepted.
 */
void ranks_close(struct ranks *r, enum qv_status status, const struct qv_error *error);

/*
 * For a rank that fails before ranks_open: joins and leaves, so that the first rank can report the
 * failure. mpirun kills all ranks as soon as one exits with an error, and the first rank must have
 * printed by then; so the others exit with success once they have reported. False: this is not a
 * rank, or it has joined before.
 */
bool ranks_settle(int argc, char **argv, enum qv_status status, const struct qv_error *error);

#endif
