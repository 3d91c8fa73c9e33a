/*
 * threads.c - what the threads of the store do: commit units, answer questions.
 * SPDX-License-Identifier: MIT
 *
 * One thread writes. While one commit waits for the disk the next units gather, so the busier the
 * server is, the fewer commits it needs per move. The others read. In manual mode there are no
 * threads: store_step does their work.
 */
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "server/store/inside.h"

enum {
	ANSWERS_MOST = 128 << 20, /* bytes of rows that are not yet delivered, about */
	INTERRUPT_US = 10000,	  /* how often a reader is interrupted that does not end */
	UNKNOWN_MS = 200,  /* at least so often it is tried to find out what became of units */
	UNKNOWN_MOST = 20, /* ... and at most 20 times while the store closes */
};

static void wake(struct store *s)
{
	if (s->wake && !s->manual)
		s->wake(s->ctx);
}

/* Asks the question through the link and puts it among those that are to be delivered. */
static void answer(struct store *s, struct store_link *link, struct question *q)
{
	if (s->driver->ask(link, q->which, q->values, &q->rows, &q->error) != QV_OK)
		q->rows = NULL;
	q->next = NULL;
	const double seconds = (double)(store_now_us(s) - q->since_us) / 1e6;
	mutex_lock(&s->guard);
	histogram_add(&s->figures.read_seconds, histogram_seconds, seconds);
	s->figures.failed_reads += !q->rows;
	*s->answered_end = q;
	s->answered_end = &q->next;
	s->answer_bytes += rows_size(q->rows);
	mutex_unlock(&s->guard);
	wake(s);
}

/* The caller holds the guard. */
static void count_commit(struct store *s, const struct unit *units, int64_t began_us)
{
	struct store_figures *f = &s->figures;
	const int64_t now = store_now_us(s);
	int count = 0;
	for (const struct unit *unit = units; unit; unit = unit->next) {
		const double seconds = (double)(now - unit->since_us) / 1e6;
		histogram_add(&f->unit_seconds, histogram_seconds, seconds);
		f->failed_units += !unit->ok;
		count++;
	}
	histogram_add(&f->commit_seconds, histogram_seconds, (double)(now - began_us) / 1e6);
	histogram_add(&f->commit_units, histogram_sizes, count);
}

/* Notes that units cannot be written for now. Returns whether the store closes. */
static bool note_failing(struct store *s, const struct qv_error *why)
{
	mutex_lock(&s->guard);
	s->failing = true;
	s->failure = *why;
	const bool closing = s->closing;
	mutex_unlock(&s->guard);
	wake(s);
	return closing;
}

/*
 * Commits until it is known what became of the units. If the store closes before that, they count
 * as not written, though they may be.
 */
static enum commit_result commit_for_sure(struct store *s, struct unit *units,
					  struct qv_error *trouble)
{
	long pause_ms = 1;
	for (int left = s->unsure ? 1 : UNKNOWN_MOST; left > 0;) {
		const enum commit_result result = s->driver->commit(s->writer, units, trouble);
		if (result != COMMIT_UNKNOWN)
			return result;
		left -= note_failing(s, trouble);
		const struct timespec pause = { 0, pause_ms * 1000000 };
		nanosleep(&pause, NULL);
		pause_ms = pause_ms * 2 < UNKNOWN_MS ? pause_ms * 2 : UNKNOWN_MS;
	}
	mutex_lock(&s->guard);
	s->unsure = true;
	mutex_unlock(&s->guard);
	return COMMIT_FAILED;
}

void store_commit(struct store *s, struct unit *units)
{
	struct qv_error trouble = { "" };
	const int64_t began_us = store_now_us(s);
	const enum commit_result result = commit_for_sure(s, units, &trouble);
	mutex_lock(&s->guard);
	count_commit(s, units, began_us);
	if (trouble.text[0])
		s->trouble = trouble;
	if (result != COMMIT_NOTHING)
		s->failing = result == COMMIT_FAILED;
	if (result == COMMIT_FAILED)
		s->failure = trouble;
	for (struct unit *unit = units; unit; unit = unit->next)
		unit->failed = !unit->ok && !unit->at_fault;
	if (s->driver->space)
		s->space = s->driver->space(s->writer);
	mutex_unlock(&s->guard);
}

/* Commits a list of units and puts it among those that are to be delivered. */
static void commit(struct store *s, struct unit *units, struct unit *last)
{
	store_commit(s, units);
	bus_echo(s, units);
	mutex_lock(&s->guard);
	*s->written_end = units;
	s->written_end = &last->next;
	mutex_unlock(&s->guard);
	wake(s);
}

/* These are the units that the writer has not finished. */
static void note_serving(struct store *s, const struct unit *units)
{
	mutex_lock(&s->guard);
	s->serving_us = units ? units->since_us : 0;
	mutex_unlock(&s->guard);
}

/* Serves the units in order: those between two questions in one commit. */
static void serve_units(struct store *s, struct unit *units)
{
	for (; units; note_serving(s, units)) {
		struct unit *first = units, *last = units;
		if (first->question) {
			units = first->next;
			answer(s, s->writer, first->question);
			store_give_back(s, first->size);
			free(first);
			continue;
		}
		while (last->next && !last->next->question)
			last = last->next;
		units = last->next;
		last->next = NULL;
		commit(s, first, last);
	}
}

/* Takes all queued units. The caller holds the guard. */
static struct unit *take_units(struct store *s)
{
	struct unit *units = s->queued;
	s->queued = NULL;
	s->queue_end = &s->queued;
	s->figures.queued_units = 0;
	s->serving_us = units ? units->since_us : 0;
	return units;
}

void store_serve_queue(struct store *s)
{
	serve_units(s, take_units(s));
}

/* Waits for units, for the next sign of life, or for the end. The caller holds the guard. */
static void wait_for_units(struct store *s)
{
	const int64_t until = bus_next_sign(s);
	while (!s->queued && !s->closing) {
		if (until == INT64_MAX)
			condition_wait(&s->news, &s->guard);
		else if (!condition_wait_until(&s->news, &s->guard, until))
			return;
	}
}

/*
 * The writer's thread: takes all queued units at once, until the store closes. Signs of life come
 * from here, so that a server that cannot write is not taken for one that is alive.
 */
static void write_units(void *ctx)
{
	struct store *s = ctx;
	for (bool ends = false; !ends;) {
		mutex_lock(&s->guard);
		wait_for_units(s);
		struct unit *units = take_units(s);
		ends = s->closing && !units;
		mutex_unlock(&s->guard);
		serve_units(s, units);
		if (ends ? s->sign != NULL : clock_us() >= bus_next_sign(s))
			bus_sign(s, !ends);
	}
}

/* The next question; NULL: none, or too many answers wait. The caller holds the guard. */
static struct question *take_question(struct store *s)
{
	struct question *q = s->answer_bytes < ANSWERS_MOST ? s->asked : NULL;
	if (q) {
		s->asked = q->next;
		s->turn = q->turn;
	}
	return q;
}

/* Damage stays until the store is opened again. */
static void check(struct store *s, struct store_link *link)
{
	struct qv_error error = { "" };
	const enum qv_status status = s->driver->check(link, &error);
	mutex_lock(&s->guard);
	if (status != QV_OK && !s->closing) {
		s->damaged = true;
		s->damage = error;
	}
	mutex_unlock(&s->guard);
	wake(s);
}

/* A reader's thread. The check of the database comes after the questions, and one reader does it. */
static void answer_questions(void *ctx)
{
	struct store_reader *r = ctx;
	struct store *s = r->store;
	mutex_lock(&s->guard);
	while (!s->closing) {
		struct question *q = take_question(s);
		const bool checks = !q && s->unchecked;
		if (!q && !checks) {
			condition_wait(&s->questions, &s->guard);
			continue;
		}
		if (checks)
			s->unchecked = false;
		mutex_unlock(&s->guard);
		if (q)
			answer(s, r->link, q);
		else
			check(s, r->link);
		mutex_lock(&s->guard);
	}
	s->reading--;
	condition_signal(&s->news);
	mutex_unlock(&s->guard);
}

bool store_step(struct store *s)
{
	struct unit *units = NULL;
	struct question *q = NULL;
	mutex_lock(&s->guard);
	if (s->queued && (!s->asked || s->queued->order < s->asked->order))
		units = take_units(s);
	else
		q = take_question(s);
	const bool checks = !units && !q && s->unchecked;
	s->unchecked = s->unchecked && !checks;
	mutex_unlock(&s->guard);
	if (units)
		serve_units(s, units);
	else if (q)
		answer(s, s->link, q);
	else if (checks)
		check(s, s->link);
	return units || q || checks;
}

/* ---- starting and stopping them ---- */

/* With all signals blocked: the main thread handles them. Without one reader the others suffice. */
bool store_start_threads(struct store *s)
{
	sigset_t all, before;
	sigfillset(&all);
	thread_signal_mask(SIG_SETMASK, &all, &before);
	bool started = true;
	for (int i = 0; started && i < STORE_READERS; i++) {
		started = thread_start(&s->readers[i].thread, answer_questions, &s->readers[i]);
		if (started) {
			mutex_lock(&s->guard);
			s->reading++;
			mutex_unlock(&s->guard);
		}
	}
	started = started && thread_start(&s->writer_thread, write_units, s);
	if (s->listener)
		started = started && thread_start(&s->listener_thread, bus_listen, s);
	thread_signal_mask(SIG_SETMASK, &before, NULL);
	return started;
}

void store_stop_threads(struct store *s)
{
	mutex_lock(&s->guard);
	s->closing = true;
	condition_broadcast(&s->news);
	condition_broadcast(&s->questions);
	if (s->listener)
		s->driver->interrupt(s->listener);
	while (s->reading > 0) {
		for (int i = 0; i < STORE_READERS; i++)
			s->driver->interrupt(s->readers[i].link);
		condition_wait_until(&s->news, &s->guard, clock_us() + INTERRUPT_US);
	}
	mutex_unlock(&s->guard);
	for (int i = 0; i < STORE_READERS; i++)
		thread_join(&s->readers[i].thread);
	thread_join(&s->writer_thread);
	thread_join(&s->listener_thread);
}
