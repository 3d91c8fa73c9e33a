/*
 * referee.c - the run of a match: worker threads play, the calling thread counts.
 * SPDX-License-Identifier: MIT
 *
 * Workers take numbers of games in order and finish them in any order. A finished game is written
 * to the journal and then submitted. The calling thread counts games strictly in the order of their
 * numbers, and all decisions depend on that count alone, so they are the same for any number of
 * workers. Games beyond the end of a match stay in the journal but do not count.
 *
 * match_assist is the other end of a branch, in another process: it gets numbers of games and sends
 * each finished game as lines of the journal. Both ends have the same plan, so a number is enough.
 */
#include "match/match.h"

#include <stdatomic.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/threads.h"
#include "core/context.h"
#include "match/game.h"
#include "match/journal.h"

enum { TICK_MS = 100, SYNC_EVERY_US = 1000000 };

struct worker {
	struct referee *referee;
	struct player_pool pool;
	struct thread thread;
};

struct referee {
	const struct qv_context *context;
	const struct qv_allocator *allocator;
	const struct match_plan *plan;
	const struct match_run *run;
	struct match_totals *totals;

	/* From the journal, if the match is resumed. */
	struct file_bytes bytes;
	struct journal_contents before;

	struct worker *workers;
	int worker_count, started;     /* started 0: no thread could start, so the caller plays */
	struct thread branch;
	struct qv_flag halt;              /* tells workers to abandon their games */
	atomic_bool branch_stopped;    /* the branch was stopped: end the match */

	struct mutex lock;             /* protects everything below */
	struct condition news;
	struct journal journal;
	bool unsynced;
	int64_t next;                  /* the next game to play */
	struct match_game **done;      /* by number: submitted and not yet counted */
	int playing;                   /* workers that are playing */
	enum qv_status status;         /* the first failure */
	struct qv_error error;
};

static enum qv_status no_memory(struct qv_error *error)
{
	return qv_fail(error, QV_NO_MEMORY, "match: out of memory");
}

/* Whether the game was finished before the match was resumed. */
static bool is_journalled(const struct referee *r, int64_t number)
{
	return r->before.games && r->before.games[number].finished;
}

/* ---- Workers ---- */

/* Records the first failure and stops all games. */
static void fail(struct referee *r, enum qv_status status, const struct qv_error *why)
{
	mutex_lock(&r->lock);
	if (r->status == QV_OK) {
		r->status = status;
		r->error = *why;
	}
	mutex_unlock(&r->lock);
	flag_set(&r->halt, true);
}

/* The next game that is not in the journal; -1: none. */
static int64_t take_number(struct referee *r)
{
	mutex_lock(&r->lock);
	while (r->next < r->plan->games && is_journalled(r, r->next))
		r->next++;
	const int64_t number =
		r->next < r->plan->games && !flag_is_set(&r->halt) ? r->next++ : -1;
	mutex_unlock(&r->lock);
	return number;
}

/* Writes to the journal, if there is one. Releases the text. */
static enum qv_status write_journal(struct referee *r, struct string *text, struct qv_error *error)
{
	enum qv_status status = QV_OK;
	if (r->run->journal) {
		mutex_lock(&r->lock);
		status = journal_write(&r->journal, text, error);
		r->unsynced = true;
		mutex_unlock(&r->lock);
	}
	string_release(text);
	return status;
}

/* Journals the lines of a game in progress. */
static bool take_lines(void *ctx, int64_t number, const char *lines, size_t size)
{
	struct referee *r = ctx;
	struct qv_error error = { "" };
	struct string text = { .allocator = r->allocator };
	journal_add_lines(&text, number, lines, size);
	const enum qv_status status = write_journal(r, &text, &error);
	if (status != QV_OK)
		fail(r, status, &error);
	return status == QV_OK;
}

/* Journals a finished game and passes it to the counting thread. Takes the game. */
static enum qv_status submit_game(struct referee *r, struct match_game *game,
				  struct qv_error *error)
{
	struct string text = { .allocator = r->allocator };
	if (r->run->journal)
		journal_add_game(&text, r->plan->rules.game->seats, game, r->run->no_times);
	const enum qv_status status = write_journal(r, &text, error);
	struct match_game *copy = status == QV_OK ? mem_new(r->allocator, 1, sizeof *copy) : NULL;
	if (!copy) {
		match_game_release(game);
		return status == QV_OK ? no_memory(error) : status;
	}
	*copy = *game;
	mutex_lock(&r->lock);
	r->done[copy->number] = copy;
	condition_signal(&r->news);
	mutex_unlock(&r->lock);
	return QV_OK;
}

/* A worker or the branch begins (1) or has ended (-1). */
static void count_playing(struct referee *r, int change)
{
	mutex_lock(&r->lock);
	r->playing += change;
	condition_signal(&r->news);
	mutex_unlock(&r->lock);
}

/* Plays one game; false: no games are left, or playing must end. */
static bool play_next(struct worker *w)
{
	struct referee *r = w->referee;
	struct qv_error error = { "" };
	struct match_game game;
	const int64_t number = take_number(r);
	if (number < 0)
		return false;
	enum qv_status status = match_play_game(&w->pool, number, &game, &error);
	if (status == QV_OK)
		status = submit_game(r, &game, &error);
	if (status != QV_OK && status != QV_STOPPED)
		fail(r, status, &error);
	return status == QV_OK;
}

/* A worker thread: plays games until none are left. */
static void work(void *ctx)
{
	struct worker *w = ctx;
	while (play_next(w))
		;
	count_playing(w->referee, -1);
}

/* ---- The branch ---- */

/* A desk is the referee itself, under an opaque type. */
static struct referee *referee_at(const struct match_desk *desk)
{
	return (struct referee *)(uintptr_t)desk;
}

/* As for a worker: the branch takes its games from the same counter. */
int64_t desk_take(struct match_desk *desk)
{
	return take_number(referee_at(desk));
}

bool desk_is_closed(const struct match_desk *desk)
{
	return flag_is_set(&referee_at(desk)->halt);
}

enum qv_status desk_hand_in(struct match_desk *desk, int64_t number, const char *text, size_t size,
			    struct qv_error *error)
{
	struct referee *r = referee_at(desk);
	struct match_game game;
	const enum qv_status status =
		journal_read_game(r->context, r->plan, text, size, &game, error);
	if (status != QV_OK)
		return status;
	if (game.number == number)
		return submit_game(r, &game, error);
	match_game_release(&game);
	return qv_fail(error, QV_ILLEGAL, "number: not the game that was taken");
}

/* The thread that serves the branch until it has no more games. */
static void run_branch(void *ctx)
{
	struct referee *r = ctx;
	struct qv_error error = { "" };
	const struct match_branch *branch = &r->run->branch;
	const enum qv_status status =
		branch->work(branch->ctx, (struct match_desk *)(void *)r, &error);
	if (status == QV_STOPPED)
		atomic_store(&r->branch_stopped, true);
	else if (status != QV_OK)
		fail(r, status, &error);
	count_playing(r, -1);
}

/* ---- Counting ---- */

/* Takes the next game in order, if it is finished; the caller releases it. */
static bool take_game(struct referee *r, struct match_game *out)
{
	const int64_t number = r->totals->games;
	if (is_journalled(r, number)) {
		struct qv_error error;
		const enum qv_status status = journal_take(&r->before, number, out, &error);
		if (status != QV_OK)
			fail(r, status, &error);
		return status == QV_OK;
	}
	mutex_lock(&r->lock);
	struct match_game *game = r->done[number];
	r->done[number] = NULL;
	mutex_unlock(&r->lock);
	if (!game)
		return false;
	*out = *game;
	mem_free(r->allocator, game, sizeof *game);
	return true;
}

/* Counts the games that are next in order; false: the match is over. */
static bool count_games(struct referee *r)
{
	const struct match_listener *listener = &r->run->listener;
	struct match_game game;
	bool goes_on = true;
	while (goes_on && r->totals->games < r->plan->games && take_game(r, &game)) {
		totals_add(r->totals, r->plan, &game);
		if (listener->game)
			goes_on = listener->game(listener->ctx, &game, r->totals);
		match_game_release(&game);
	}
	return goes_on && r->totals->games < r->plan->games;
}

/* Writes the journal to disk, if there is anything new in it. A failure ends the match. */
static void sync_journal(struct referee *r)
{
	struct qv_error error;
	mutex_lock(&r->lock);
	const bool needed = r->unsynced;
	r->unsynced = false;
	mutex_unlock(&r->lock);
	const enum qv_status status = needed ? journal_sync(&r->journal, &error) : QV_OK;
	if (status != QV_OK)
		fail(r, status, &error);
}

/*
 * Counts games until all are played or the listener ends the match. QV_STOPPED: run->stop was set.
 */
static enum qv_status supervise(struct referee *r)
{
	const struct match_listener *listener = &r->run->listener;
	int64_t synced = clock_us(), ticked = 0;
	for (;;) {
		/* Checked before counting, so that the last game is not missed. */
		bool nobody = r->started || !play_next(r->workers);
		mutex_lock(&r->lock);
		nobody &= !r->playing;
		mutex_unlock(&r->lock);
		if (!count_games(r))
			return QV_OK;
		if (flag_is_set(r->run->stop) ||
		    atomic_load(&r->branch_stopped))
			return QV_STOPPED;
		if (nobody)
			return QV_OK;
		const int64_t now = clock_us();
		if (listener->tick && now - ticked >= INT64_C(1000) * TICK_MS) {
			listener->tick(listener->ctx, r->totals);
			ticked = now;
		}
		if (now - synced >= SYNC_EVERY_US) {
			sync_journal(r);
			synced = now;
		}
		/* Waits for the next game in order, at most until the next tick. */
		const int64_t until = clock_us() + TICK_MS * 1000;
		mutex_lock(&r->lock);
		while (r->playing && !r->done[r->totals->games] &&
		       condition_wait_until(&r->news, &r->lock, until))
			;
		mutex_unlock(&r->lock);
	}
}

/* ---- The run ---- */

/* Makes the pools, opens the journal and checks that all players can start. */
static enum qv_status prepare(struct referee *r, struct qv_error *error)
{
	const int jobs = r->run->jobs < 1 ? 1 : r->run->jobs;
	enum qv_status status = plan_check(r->plan, error);
	if (status != QV_OK)
		return status;
	r->workers = mem_new(r->allocator, (size_t)jobs, sizeof *r->workers);
	r->done = mem_new(r->allocator, (size_t)r->plan->games, sizeof *r->done);
	r->worker_count = r->workers ? jobs : 0;
	if (!r->workers || !r->done)
		return no_memory(error);
	for (int i = 0; i < jobs; i++) {
		struct worker *w = &r->workers[i];
		status = player_pool_init(&w->pool, r->context, r->plan, r->run, error);
		if (status != QV_OK)
			return status;
		w->referee = r;
		w->pool.stop = &r->halt;
		if (r->run->journal)
			w->pool.reader = (struct game_reader){ take_lines, r };
	}
	if (totals_init(r->totals, r->allocator, r->plan->player_count) != QV_OK)
		return no_memory(error);
	if (r->run->journal)
		status = journal_open(&r->journal, r->context, r->plan, r->run->journal,
				      r->run->resume, &r->bytes, &r->before, error);
	/* One worker's programs are enough for this check. A complete journal needs none. */
	if (status == QV_OK && r->before.finished < r->plan->games)
		status = player_pool_start(&r->workers[0].pool, r->run->stop, error);
	for (int i = 0; status == QV_OK && i < r->plan->player_count; i++) {
		const char *words = player_pool_warnings(&r->workers[0].pool, i);
		if (*words && r->run->warning)
			r->run->warning(r->run->listener.ctx, i, words);
	}
	if (status == QV_OK && r->run->branch.ready)
		status = r->run->branch.ready(r->run->branch.ctx, error);
	if (status == QV_OK && r->run->journal)
		status = journal_begin(&r->journal, r->context, r->plan, &r->before, error);
	return status;
}

/* If not all threads can start, fewer are used; if none can, `supervise` plays the games itself. */
static enum qv_status start_threads(struct referee *r, struct qv_error *error)
{
	for (int i = 0; i < r->worker_count && r->started == i; i++) {
		count_playing(r, 1);
		if (thread_start(&r->workers[i].thread, work, &r->workers[i]))
			r->started++;
		else
			count_playing(r, -1);
	}
	if (!r->started && r->run->stop)
		r->workers->pool.stop = r->run->stop; /* no other thread checks it during a game */
	if (!r->run->branch.work)
		return QV_OK;
	count_playing(r, 1);
	if (thread_start(&r->branch, run_branch, r))
		return QV_OK;
	count_playing(r, -1);
	return qv_fail(error, QV_NO_MEMORY, "match: cannot start a thread");
}

enum qv_status match_run(const struct qv_context *context, const struct match_plan *plan,
			 const struct match_run *run, struct match_totals *totals,
			 struct qv_error *error)
{
	struct referee r = { .context = context, .allocator = context_allocator(context),
			     .plan = plan, .run = run, .totals = totals,
			     .journal = { .descriptor = -1 } };
	*totals = (struct match_totals){ 0 };
	mutex_init(&r.lock);
	condition_init(&r.news);
	enum qv_status status = prepare(&r, error);
	if (status == QV_OK)
		status = start_threads(&r, error);
	if (status == QV_OK)
		status = supervise(&r);
	flag_set(&r.halt, true);
	for (int i = 0; i < r.started; i++)
		thread_join(&r.workers[i].thread);
	thread_join(&r.branch);
	if (status == QV_STOPPED) {
		count_games(&r);               /* those finished meanwhile */
		qv_fail(error, QV_STOPPED, "match: stopped after %lld games",
			(long long)totals->games);
	}
	if (r.journal.descriptor >= 0)
		sync_journal(&r);
	if (r.status != QV_OK) {
		status = r.status;
		if (error)
			*error = r.error;
	}
	for (int i = 0; i < r.worker_count; i++)
		player_pool_release(&r.workers[i].pool);
	mem_free(r.allocator, r.workers, (size_t)r.worker_count * sizeof *r.workers);
	for (int64_t i = 0; r.done && i < plan->games; i++)
		if (r.done[i]) {
			match_game_release(r.done[i]);
			mem_free(r.allocator, r.done[i], sizeof *r.done[i]);
		}
	mem_free(r.allocator, r.done, (size_t)plan->games * sizeof *r.done);
	journal_close(&r.journal);
	journal_contents_release(&r.before);
	file_release(r.allocator, &r.bytes);
	condition_release(&r.news);
	mutex_release(&r.lock);
	return status;
}

/* ---- The other end of a branch ---- */

enum qv_status match_assist(const struct qv_context *context, const struct match_plan *plan,
			    const struct match_run *run, const struct match_head *head,
			    struct qv_error *error)
{
	struct player_pool pool;
	int64_t number;
	enum qv_status status = plan_check(plan, error);
	if (status == QV_OK)
		status = player_pool_init(&pool, context, plan, run, error);
	if (status != QV_OK)
		return status;
	status = player_pool_start(&pool, run->stop, error);
	while (status == QV_OK && (number = head->take(head->ctx)) >= 0) {
		struct match_game game;
		struct string text = { .allocator = context_allocator(context) };
		status = match_play_game(&pool, number, &game, error);
		if (status != QV_OK)
			break;
		journal_add_game(&text, plan->rules.game->seats, &game, run->no_times);
		status = text.failed ? no_memory(error) : head->give(head->ctx, &text, error);
		string_release(&text);
		match_game_release(&game);
	}
	player_pool_release(&pool);
	return status;
}
