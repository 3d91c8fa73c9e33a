/*
 * match_mpi.c - a match on all ranks of mpirun: the first is the referee, the others assist. And the
 * communication of a build of tables.
 * SPDX-License-Identifier: MIT
 *
 * Messages to the first rank: PLAN (the header of a journal) when a rank is ready, then ASK (for a
 * game) and GAME (the journal's lines of it) by turns, and LEAVE at the end, with its status.
 * Messages from it: NUMBER as the answer to ASK, -1 for "no more", and OVER, once, at any time. A
 * rank leaves when there are no more games, after OVER, or when something fails. So no rank waits
 * forever, whatever fails where, as long as all ranks are alive; mpirun ensures that.
 *
 * For tables each rank sends PLAN, and the first answers NUMBER when all are ready. Only then they
 * call collective functions of MPI, which would wait forever for a rank that has left.
 *
 * The waiting functions of MPI keep a processor busy, so this file polls and sleeps in between.
 */
#include "cli/match_mpi.h"

#include <mpi.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

#include "base/flag.h"
#include "base/memory.h"
#include "match/journal.h"

/* The kinds of messages. */
enum { TAG_PLAN = 1, TAG_ASK, TAG_GAME, TAG_LEAVE, TAG_NUMBER, TAG_OVER };
/* The first rank; polls before sleeping; time between two polls of the watcher; size of LEAVE. */
enum { FIRST = 0, EAGER_POLLS = 100, WATCH_US = 5000, LEAVE_ROOM = 320 };

/* A received message. */
struct message {
	int from, tag;
	char *text; /* followed by a NUL that is not counted */
	size_t size;
};

/* ---- Waiting ---- */

/* Sleeps for some microseconds. */
static void sleep_us(long us)
{
	const struct timespec span = { us / 1000000, us % 1000000 * 1000 };
	nanosleep(&span, NULL);
}

/* Waits after this many polls without a message: first it only yields, then it sleeps, longer. */
static void wait_a_little(int polls)
{
	if (polls < EAGER_POLLS)
		sched_yield();
	else
		sleep_us(polls < 2 * EAGER_POLLS ? 50 : 1000);
}

/* Whether a message has arrived. */
static bool has_message(struct ranks *r, int from, int tag, MPI_Status *found)
{
	int there = 0;
	mutex_lock(&r->lock);
	MPI_Iprobe(from, tag, MPI_COMM_WORLD, &there, found);
	mutex_unlock(&r->lock);
	return there;
}

/* Sends a message; MPI may wait until a long one is received. */
static void send_text(struct ranks *r, int to, int tag, const char *text, size_t size)
{
	mutex_lock(&r->lock);
	MPI_Send(text, (int)size, MPI_BYTE, to, tag, MPI_COMM_WORLD);
	mutex_unlock(&r->lock);
}

/* ---- The first rank ---- */

/* Ends all ranks at once if they cannot communicate any more. The journal stays complete. */
static void abort_all(const char *why)
{
	fprintf(stderr, "quevedo: --mpi: %s\n", why);
	MPI_Abort(MPI_COMM_WORLD, 2);
}

/* Receives the message that was found. The caller frees its text. */
static struct message receive(struct ranks *r, const MPI_Status *found)
{
	int size = 0;
	MPI_Get_count(found, MPI_BYTE, &size);
	struct message l = { found->MPI_SOURCE, found->MPI_TAG, NULL, (size_t)size };
	l.text = mem_new(&mem_malloc, l.size + 1, 1);
	if (!l.text)
		abort_all("out of memory");
	mutex_lock(&r->lock);
	MPI_Recv(l.text, size, MPI_BYTE, l.from, l.tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	mutex_unlock(&r->lock);
	return l;
}

/* Reads the status that a rank leaves with: "STATUS WORDS". */
static enum qv_status read_leave(struct ranks *r, const struct message *l, struct qv_error *error)
{
	char *words;
	const long status = strtol(l->text, &words, 10);
	r->present--;
	if (status == QV_OK)
		return QV_OK;
	return qv_fail(error, (enum qv_status)status, "%.250s", *words ? words + 1 : words);
}

/* Waits for the plan of each other rank, or for the reason why it has none. */
static enum qv_status receive_plans(void *ctx, struct qv_error *error)
{
	struct ranks *r = ctx;
	enum qv_status status = QV_OK;
	MPI_Status found;
	int polls = 0;
	for (int received = 0; received < r->count - 1 && status == QV_OK;) {
		if (!has_message(r, MPI_ANY_SOURCE, TAG_PLAN, &found) &&
		    !has_message(r, MPI_ANY_SOURCE, TAG_LEAVE, &found)) {
			wait_a_little(polls++);
			continue;
		}
		struct qv_error why = { "" };
		struct message l = receive(r, &found);
		if (l.tag == TAG_PLAN && !r->plan) {
			if (strcmp(l.text, r->introduction) != 0)
				status = qv_fail(&why, QV_BAD_INPUT, "plan: %.100s, not %.100s",
						 l.text, r->introduction);
		} else if (l.tag == TAG_PLAN) {
			/* Plans can differ, because files may differ from machine to machine. */
			json_t *wanted = header_of_plan(r->plan), *there;
			json_load_object(l.text, l.size, JSON_ANY_DEPTH, &there, NULL);
			status = wanted && there ? header_compare(there, wanted, &why)
						 : qv_fail(&why, QV_BAD_INPUT,
							   "plan: it cannot be compared");
			json_decref(wanted);
			json_decref(there);
		} else {
			status = read_leave(r, &l, &why);
		}
		/* A signal on one rank stops the match, but is no failure of the plan. */
		if (status == QV_STOPPED) {
			r->stopped = true;
			status = QV_OK; /* serve() returns it to the referee */
		}
		if (status != QV_OK)
			qv_fail(error, status, "rank %d: %.240s", l.from, why.text);
		mem_free(&mem_malloc, l.text, l.size + 1);
		received++;
	}
	return status;
}

/* Sends OVER to all others, once. */
static void dismiss(struct ranks *r)
{
	for (int rank = 1; rank < r->count && !r->dismissed; rank++)
		send_text(r, rank, TAG_OVER, "", 0);
	r->dismissed = true;
}

/*
 * Serves the others until all have left. The first failure ends the match for all; games that are
 * finished are received until the end. Without a desk the others are only dismissed.
 */
static enum qv_status serve(void *ctx, struct match_desk *desk, struct qv_error *error)
{
	struct ranks *r = ctx;
	enum qv_status status = r->stopped ? QV_STOPPED : QV_OK;
	MPI_Status found;
	int polls = 0;
	while (r->present) {
		/*
		 * After a failure, or when the desk takes no more games, the others are sent home.
		 */
		if (status != QV_OK || !desk || desk_is_closed(desk))
			dismiss(r);
		if (!has_message(r, MPI_ANY_SOURCE, MPI_ANY_TAG, &found)) {
			wait_a_little(polls++);
			continue;
		}
		polls = 0;
		struct qv_error why = { "" };
		struct message l = receive(r, &found);
		enum qv_status here = QV_OK;
		/* A rank has at most one game. */
		int64_t *number = &r->playing[l.from];
		if (l.tag == TAG_ASK) {
			*number = desk && !r->dismissed ? desk_take(desk) : -1;
			mutex_lock(&r->lock);
			MPI_Send(number, 1, MPI_INT64_T, l.from, TAG_NUMBER, MPI_COMM_WORLD);
			mutex_unlock(&r->lock);
		} else if (l.tag == TAG_GAME) {
			here = desk ? desk_hand_in(desk, *number, l.text, l.size, &why) : QV_OK;
			*number = -1;
		} else if (l.tag == TAG_LEAVE) {
			here = read_leave(r, &l, &why);
		} /* a plan is not needed any more */
		if (here != QV_OK && status == QV_OK)
			status = qv_fail(error, here, "rank %d: %.240s", l.from, why.text);
		mem_free(&mem_malloc, l.text, l.size + 1);
	}
	dismiss(r);
	return status;
}

/* A single rank has no others to share games with, and needs no branch. */
struct match_branch ranks_branch(struct ranks *r, const struct match_plan *plan)
{
	r->plan = plan;
	if (r->count == 1)
		return (struct match_branch){ NULL, NULL, NULL };
	return (struct match_branch){ receive_plans, serve, r };
}

/* ---- The others ---- */

/* Receives OVER. */
static void receive_over(struct ranks *r)
{
	mutex_lock(&r->lock);
	MPI_Recv(NULL, 0, MPI_BYTE, FIRST, TAG_OVER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	mutex_unlock(&r->lock);
	r->over_received = true;
}

/* A thread that sets `over`, which ends a game in progress, and ends when it is set. */
static void watch(void *arg)
{
	struct ranks *r = arg;
	MPI_Status found;
	while (!flag_is_set(&r->over)) {
		if (has_message(r, FIRST, TAG_OVER, &found)) {
			receive_over(r);
			flag_set(&r->over, true);
		} else if (flag_is_set(r->stop)) {
			flag_set(&r->over, true);
		} else {
			sleep_us(WATCH_US);
		}
	}
}

/* Requests the number of the next game; -1: no more. The first request also sends the plan. */
static int64_t request_number(void *ctx)
{
	struct ranks *r = ctx;
	MPI_Status found;
	int64_t number = -1;
	if (r->introduction)
		send_text(r, FIRST, TAG_PLAN, r->introduction, strlen(r->introduction));
	free(r->introduction);
	r->introduction = NULL;
	send_text(r, FIRST, TAG_ASK, "", 0);
	for (int polls = 0; !has_message(r, FIRST, TAG_NUMBER, &found); polls++)
		wait_a_little(polls);
	mutex_lock(&r->lock);
	MPI_Recv(&number, 1, MPI_INT64_T, FIRST, TAG_NUMBER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	mutex_unlock(&r->lock);
	return number;
}

/* Sends the journal lines of a finished game. */
static enum qv_status send_game(void *ctx, const struct string *game, struct qv_error *error)
{
	if (game->length > INT32_MAX)
		return qv_fail(error, QV_UNSUPPORTED, "match: this game is too long for MPI");
	send_text(ctx, FIRST, TAG_GAME, game->data, game->length);
	return QV_OK;
}

/* The watcher thread sets `over`, the stop flag of the games here, after OVER or a signal. */
enum qv_status ranks_assist(struct ranks *r, const struct qv_context *context,
			    const struct match_plan *plan, const struct match_run *run,
			    struct qv_error *error)
{
	const struct match_head head = { request_number, send_game, r };
	struct match_run here = *run;
	struct thread watcher;
	r->stop = run->stop;
	/* Games here end with `over`, which also covers signals. */
	here.stop = &r->over;
	/* The plan is sent with the first request: then the players are ready, too. */
	r->introduction = json_to_text(header_of_plan(plan), JSON_COMPACT);
	if (!r->introduction)
		return qv_fail(error, QV_BAD_INPUT, "match: a name, spec or opening is not UTF-8");
	if (!thread_start(&watcher, watch, r))
		return qv_fail(error, QV_NO_MEMORY, "match: no thread can be started");
	const enum qv_status status = match_assist(context, plan, &here, &head, error);
	flag_set(&r->over, true);
	thread_join(&watcher);
	/* Stopping after OVER is no failure, unless the signal came to this rank. */
	return status == QV_STOPPED && r->over_received ? QV_OK : status;
}

/* ---- Tables ---- */

enum qv_status ranks_meet(struct ranks *r, const char *plan, struct qv_error *error)
{
	MPI_Status found;
	int64_t number = 0;
	r->introduction = strdup(plan);
	if (!r->introduction)
		return qv_fail(error, QV_NO_MEMORY, "--mpi: out of memory");
	if (r->rank != FIRST) {
		send_text(r, FIRST, TAG_PLAN, plan, strlen(plan));
		for (int polls = 0; !has_message(r, FIRST, TAG_NUMBER, &found); polls++) {
			if (has_message(r, FIRST, TAG_OVER, &found)) {
				receive_over(r);
				return qv_fail(error, QV_STOPPED, "--mpi: stopped");
			}
			wait_a_little(polls);
		}
		MPI_Recv(&number, 1, MPI_INT64_T, FIRST, TAG_NUMBER, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
		return QV_OK;
	}
	const enum qv_status status = receive_plans(r, error);
	if (status == QV_OK && r->stopped)
		return qv_fail(error, QV_STOPPED, "--mpi: stopped");
	for (int rank = 1; status == QV_OK && rank < r->count; rank++)
		MPI_Send(&number, 1, MPI_INT64_T, rank, TAG_NUMBER, MPI_COMM_WORLD);
	return status;
}

/*
 * Waits for the other ranks. It soon sleeps, since they may need this processor. To yield would take
 * longer: on a busy machine the others then use up their time slices.
 */
static void wait_for(MPI_Request *request)
{
	int done = 0;
	for (int polls = 0; MPI_Test(request, &done, MPI_STATUS_IGNORE), !done; polls++)
		if (polls >= EAGER_POLLS)
			sleep_us(50);
}

/* qv_tables_ranks.max */
static void max_of_all(void *ctx, int64_t *values, int count)
{
	(void)ctx;
	MPI_Request request;
	MPI_Iallreduce(MPI_IN_PLACE, values, count, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD, &request);
	wait_for(&request);
}

/* Converts the sizes of a buffer's parts to MPI's counts and offsets, which are ints. */
static void lay_out(const size_t *bytes, int ranks, int *counts, int *offsets)
{
	size_t offset = 0;
	for (int i = 0; i < ranks; i++) {
		counts[i] = (int)bytes[i];
		offsets[i] = (int)offset;
		offset += bytes[i];
	}
	if (offset > INT32_MAX)
		abort_all("there are too many ranks");
}

/* qv_tables_ranks.exchange */
static void exchange_with_all(void *ctx, const void *to, const size_t *to_bytes, void *from,
			      const size_t *from_bytes)
{
	const struct ranks *r = ctx;
	const int n = r->count;
	int *layout = mem_new(&mem_malloc, (size_t)n, 4 * sizeof *layout);
	if (!layout)
		abort_all("out of memory");
	lay_out(to_bytes, n, layout, layout + n);
	lay_out(from_bytes, n, layout + 2 * n, layout + 3 * n);
	MPI_Request request;
	MPI_Ialltoallv(to, layout, layout + n, MPI_BYTE, from, layout + 2 * n, layout + 3 * n,
		       MPI_BYTE, MPI_COMM_WORLD, &request);
	wait_for(&request);
	mem_free(&mem_malloc, layout, (size_t)n * 4 * sizeof *layout);
}

struct qv_tables_ranks ranks_tables(struct ranks *r)
{
	return (struct qv_tables_ranks){ .size = sizeof(struct qv_tables_ranks),
					 .rank = r->rank,
					 .count = r->count,
					 .max = max_of_all,
					 .exchange = exchange_with_all,
					 .ctx = r };
}

/* ---- Beginning and end ---- */

/* The rank of this process if mpirun has started it with --mpi; NULL: it is not a rank. */
static const char *rank_asked(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], "--mpi") == 0)
			return getenv("OMPI_COMM_WORLD_RANK");
	return NULL;
}

/* mpirun sets the rank in the environment before MPI is started. */
bool ranks_is_mute(int argc, char **argv)
{
	const char *rank = rank_asked(argc, argv);
	return rank && strcmp(rank, "0") != 0;
}

/* MPI must allow calls from several threads, one at a time. */
enum qv_status ranks_open(struct ranks *r, struct qv_error *error)
{
	int threads = MPI_THREAD_SINGLE;
	*r = (struct ranks){ .open = false };
	if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &threads) != MPI_SUCCESS)
		return qv_fail(error, QV_IO, "--mpi: MPI cannot be started");
	MPI_Comm_rank(MPI_COMM_WORLD, &r->rank);
	MPI_Comm_size(MPI_COMM_WORLD, &r->count);
	r->playing = mem_new(&mem_malloc, (size_t)r->count, sizeof *r->playing);
	if (threads < MPI_THREAD_SERIALIZED || !r->playing)
		abort_all(r->playing ? "this MPI knows no threads" : "out of memory");
	mutex_init(&r->lock);
	r->present = r->count - 1;
	r->open = true;
	return QV_OK;
}

/* The first rank serves the others until all have left; the others send their status. */
void ranks_close(struct ranks *r, enum qv_status status, const struct qv_error *error)
{
	if (!r->open)
		return;
	if (r->rank == FIRST) {
		serve(r, NULL, NULL);
	} else {
		/* Wait for OVER, so that the first rank has printed before this one ends. */
		char text[LEAVE_ROOM];
		MPI_Status found;
		const int length =
			snprintf(text, sizeof text, "%d %.250s", (int)status, error->text);
		send_text(r, FIRST, TAG_LEAVE, text, (size_t)length);
		for (int polls = 0; !r->over_received; polls++) {
			if (has_message(r, FIRST, TAG_OVER, &found))
				receive_over(r);
			else
				wait_a_little(polls);
		}
	}
	MPI_Finalize();
	mutex_release(&r->lock);
	free(r->introduction);
	mem_free(&mem_malloc, r->playing, (size_t)r->count * sizeof *r->playing);
	*r = (struct ranks){ .open = false };
}

/* Once MPI was started and ended it cannot be started again. */
bool ranks_settle(int argc, char **argv, enum qv_status status, const struct qv_error *error)
{
	struct ranks r;
	struct qv_error ignored;
	int joined = 1;
	MPI_Initialized(&joined);
	if (joined || !rank_asked(argc, argv) || ranks_open(&r, &ignored) != QV_OK)
		return false;
	ranks_close(&r, status, error);
	return true;
}
