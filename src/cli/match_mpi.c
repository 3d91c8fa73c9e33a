/*
 * match_mpi.c - a match on all ranks of mpirun: the first is the referee, the others assist.
 * SPDX-License-Identifier: MIT
 *
 * What is said, to the first rank: PLAN (the header of a journal) by who is ready, then ASK (for a
 * game) and GAME (the journal's lines of it) by turns, and LEAVE at the end, with how it went. From
 * it: NUMBER as the answer to ASK, -1 for "no more", and OVER, once, which may come at any time. A
 * rank leaves when there are no more games, when it is told OVER or when something fails; so nobody
 * waits for what never comes, whatever fails where, as long as all ranks are alive. mpirun sees to
 * that.
 *
 * MPI's own waiting keeps a processor busy. Here everybody looks, and sleeps a little in between.
 */
#include "cli/match_mpi.h"

#include <mpi.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

#include "base/memory.h"
#include "match/journal.h"

enum { TAG_PLAN = 1, TAG_ASK, TAG_GAME, TAG_LEAVE, TAG_NUMBER, TAG_OVER };
enum { FIRST = 0, EAGER_LOOKS = 100, WATCH_US = 5000, LEAVE_ROOM = 320 };

/* A message as it came. */
struct letter {
	int from, tag;
	char *text;                /* a 0 behind it */
	size_t size;
};

/* ---- Waiting ---- */

static void doze(long us)
{
	const struct timespec span = { us / 1000000, us % 1000000 * 1000 };
	nanosleep(&span, NULL);
}

/* After so many looks in vain: at first only others go before, then it sleeps, ever longer. */
static void rest(int looks)
{
	if (looks < EAGER_LOOKS)
		sched_yield();
	else
		doze(looks < 2 * EAGER_LOOKS ? 50 : 1000);
}

static bool look(struct ranks *r, int from, int tag, MPI_Status *found)
{
	int there = 0;
	mutex_lock(&r->lock);
	MPI_Iprobe(from, tag, MPI_COMM_WORLD, &there, found);
	mutex_unlock(&r->lock);
	return there;
}

static void say(struct ranks *r, int to, int tag, const char *text, size_t size)
{
	mutex_lock(&r->lock);
	MPI_Send(text, (int)size, MPI_BYTE, to, tag, MPI_COMM_WORLD);
	mutex_unlock(&r->lock);
}

/* ---- The first rank ---- */

/* Ends all ranks at once, where nothing can be agreed upon any more. The journal is whole. */
static void give_up(const char *why)
{
	fprintf(stderr, "quevedo: --mpi: %s\n", why);
	MPI_Abort(MPI_COMM_WORLD, 2);
}

/* The message that was found. */
static struct letter take_letter(struct ranks *r, const MPI_Status *found)
{
	int size = 0;
	MPI_Get_count(found, MPI_BYTE, &size);
	struct letter l = { found->MPI_SOURCE, found->MPI_TAG, NULL, (size_t)size };
	l.text = mem_new(&mem_malloc, l.size + 1, 1);
	if (!l.text)
		give_up("out of memory");
	mutex_lock(&r->lock);
	MPI_Recv(l.text, size, MPI_BYTE, l.from, l.tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	mutex_unlock(&r->lock);
	return l;
}

static void answer(struct ranks *r, struct match_desk *desk, int rank)
{
	const int64_t number = desk && !r->dismissed ? desk_take(desk) : -1;
	r->playing[rank] = number;
	mutex_lock(&r->lock);
	MPI_Send(&number, 1, MPI_INT64_T, rank, TAG_NUMBER, MPI_COMM_WORLD);
	mutex_unlock(&r->lock);
}

/* Another plan would be another match: files may differ from machine to machine. */
static enum qv_status compare_plans(const struct ranks *r, const struct letter *l,
				    struct qv_error *error)
{
	json_t *wanted = header_of_plan(r->plan);
	json_t *there;
	json_load_object(l->text, l->size, JSON_ANY_DEPTH, &there, NULL);
	const enum qv_status status =
		wanted && there ? header_compare(there, wanted, error)
				: qv_fail(error, QV_BAD_INPUT, "plan: it cannot be compared");
	json_decref(wanted);
	json_decref(there);
	return status;
}

/* How it went there: "STATUS WORDS". */
static enum qv_status take_leave(struct ranks *r, const struct letter *l, struct qv_error *error)
{
	char *words;
	const long status = strtol(l->text, &words, 10);
	r->present--;
	if (status == QV_OK)
		return QV_OK;
	return qv_fail(error, (enum qv_status)status, "%.250s", *words ? words + 1 : words);
}

/* Waits for a word of each of the others: its plan, or why there is none. */
static enum qv_status hear_all(void *ctx, struct qv_error *error)
{
	struct ranks *r = ctx;
	enum qv_status status = QV_OK;
	MPI_Status found;
	int looks = 0;
	for (int heard = 0; heard < r->count - 1 && status == QV_OK;) {
		if (!look(r, MPI_ANY_SOURCE, TAG_PLAN, &found) &&
		    !look(r, MPI_ANY_SOURCE, TAG_LEAVE, &found)) {
			rest(looks++);
			continue;
		}
		struct qv_error why = { "" };
		struct letter l = take_letter(r, &found);
		status = l.tag == TAG_PLAN ? compare_plans(r, &l, &why) : take_leave(r, &l, &why);
		if (status == QV_STOPPED) {
			r->stopped = true;
			status = QV_OK;        /* the referee will hear of it from the desk */
		}
		if (status != QV_OK)
			qv_fail(error, status, "rank %d: %.240s", l.from, why.text);
		mem_free(&mem_malloc, l.text, l.size + 1);
		heard++;
	}
	return status;
}

static enum qv_status take_game(struct ranks *r, struct match_desk *desk, const struct letter *l,
				struct qv_error *error)
{
	const int64_t number = r->playing[l->from];
	r->playing[l->from] = -1;
	return desk ? desk_hand_in(desk, number, l->text, l->size, error) : QV_OK;
}

static enum qv_status read_letter(struct ranks *r, struct match_desk *desk, const struct letter *l,
				  struct qv_error *error)
{
	switch (l->tag) {
	case TAG_ASK:
		answer(r, desk, l->from);
		return QV_OK;
	case TAG_GAME:
		return take_game(r, desk, l, error);
	case TAG_LEAVE:
		return take_leave(r, l, error);
	default:                       /* a plan that nobody waits for any more */
		return QV_OK;
	}
}

static void dismiss(struct ranks *r)
{
	for (int rank = 1; rank < r->count && !r->dismissed; rank++)
		say(r, rank, TAG_OVER, "", 0);
	r->dismissed = true;
}

/*
 * Serves the others until all have left. The first failure ends it for all; what is finished
 * comes in until the end. Without a desk they are only sent home.
 */
static enum qv_status serve(struct ranks *r, struct match_desk *desk, struct qv_error *error)
{
	enum qv_status status = r->stopped ? QV_STOPPED : QV_OK;
	MPI_Status found;
	int looks = 0;
	while (r->present) {
		if (status != QV_OK || !desk || desk_is_closed(desk))
			dismiss(r);
		if (!look(r, MPI_ANY_SOURCE, MPI_ANY_TAG, &found)) {
			rest(looks++);
			continue;
		}
		looks = 0;
		struct qv_error why = { "" };
		struct letter l = take_letter(r, &found);
		const enum qv_status here = read_letter(r, desk, &l, &why);
		if (here != QV_OK && status == QV_OK)
			status = qv_fail(error, here, "rank %d: %.240s", l.from, why.text);
		mem_free(&mem_malloc, l.text, l.size + 1);
	}
	dismiss(r);
	return status;
}

static enum qv_status work_branch(void *ctx, struct match_desk *desk, struct qv_error *error)
{
	return serve(ctx, desk, error);
}

struct match_branch ranks_branch(struct ranks *r, const struct match_plan *plan)
{
	r->plan = plan;
	if (r->count == 1)
		return (struct match_branch){ NULL, NULL, NULL };
	return (struct match_branch){ hear_all, work_branch, r };
}

/* ---- The others ---- */

static void take_over(struct ranks *r)
{
	mutex_lock(&r->lock);
	MPI_Recv(NULL, 0, MPI_BYTE, FIRST, TAG_OVER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	mutex_unlock(&r->lock);
	r->told = true;
}

/* Sets `over`, which ends a game in progress; ends when it is set. */
static void watch(void *arg)
{
	struct ranks *r = arg;
	MPI_Status found;
	while (!atomic_load(&r->over)) {
		if (look(r, FIRST, TAG_OVER, &found)) {
			take_over(r);
			atomic_store(&r->over, true);
		} else if (r->stop && atomic_load(r->stop)) {
			atomic_store(&r->over, true);
		} else {
			doze(WATCH_US);
		}
	}
}

static int64_t take_number(void *ctx)
{
	struct ranks *r = ctx;
	MPI_Status found;
	int64_t number = -1;
	if (r->introduction)
		say(r, FIRST, TAG_PLAN, r->introduction, strlen(r->introduction));
	free(r->introduction);
	r->introduction = NULL;
	say(r, FIRST, TAG_ASK, "", 0);
	for (int looks = 0; !look(r, FIRST, TAG_NUMBER, &found); looks++)
		rest(looks);
	mutex_lock(&r->lock);
	MPI_Recv(&number, 1, MPI_INT64_T, FIRST, TAG_NUMBER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	mutex_unlock(&r->lock);
	return number;
}

static enum qv_status give_game(void *ctx, const struct string *game, struct qv_error *error)
{
	if (game->length > INT32_MAX)
		return qv_fail(error, QV_UNSUPPORTED, "match: this game is too long for MPI");
	say(ctx, FIRST, TAG_GAME, game->data, game->length);
	return QV_OK;
}

/* Said with the first question: then the players are ready too. */
static enum qv_status prepare_plan(struct ranks *r, const struct match_plan *plan,
				   struct qv_error *error)
{
	r->introduction = json_to_text(header_of_plan(plan), JSON_COMPACT);
	if (!r->introduction)
		return qv_fail(error, QV_BAD_INPUT, "match: a name, spec or opening is not UTF-8");
	return QV_OK;
}

enum qv_status ranks_assist(struct ranks *r, const struct qv_context *context,
			    const struct match_plan *plan, const struct match_run *run,
			    struct qv_error *error)
{
	const struct match_head head = { take_number, give_game, r };
	struct match_run here = *run;
	struct thread watcher;
	r->stop = run->stop;
	here.stop = &r->over;
	enum qv_status status = prepare_plan(r, plan, error);
	if (status != QV_OK)
		return status;
	if (!thread_start(&watcher, watch, r))
		return qv_fail(error, QV_NO_MEMORY, "match: no thread can be started");
	status = match_assist(context, plan, &here, &head, error);
	atomic_store(&r->over, true);
	thread_join(&watcher);
	/* Giving up is what it was told to do, unless the signal came to this rank. */
	return status == QV_STOPPED && r->told ? QV_OK : status;
}

static void say_leave(struct ranks *r, enum qv_status status, const struct qv_error *error)
{
	char text[LEAVE_ROOM];
	MPI_Status found;
	const int length = snprintf(text, sizeof text, "%d %.250s", (int)status, error->text);
	say(r, FIRST, TAG_LEAVE, text, (size_t)length);
	for (int looks = 0; !r->told; looks++) {
		if (look(r, FIRST, TAG_OVER, &found))
			take_over(r);
		else
			rest(looks);
	}
}

/* ---- Beginning and end ---- */

/* Of a process of mpirun that was asked to play with the others; NULL: it is none. */
static const char *rank_asked(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], "--mpi") == 0)
			return getenv("OMPI_COMM_WORLD_RANK");
	return NULL;
}

bool ranks_is_mute(int argc, char **argv)
{
	const char *rank = rank_asked(argc, argv);
	return rank && strcmp(rank, "0") != 0;
}

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
		give_up(r->playing ? "this MPI knows no threads" : "out of memory");
	mutex_init(&r->lock);
	r->present = r->count - 1;
	r->open = true;
	return QV_OK;
}

void ranks_close(struct ranks *r, enum qv_status status, const struct qv_error *error)
{
	if (!r->open)
		return;
	if (r->rank == FIRST)
		serve(r, NULL, NULL);
	else
		say_leave(r, status, error);
	MPI_Finalize();
	mutex_release(&r->lock);
	free(r->introduction);
	mem_free(&mem_malloc, r->playing, (size_t)r->count * sizeof *r->playing);
	*r = (struct ranks){ .open = false };
}

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
