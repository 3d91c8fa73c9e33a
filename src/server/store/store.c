/*
 * store.c - the queues of writes and reads, delivery, opening and closing.
 * SPDX-License-Identifier: MIT
 *
 * The life of a unit: filled by the caller, queued, taken by the writer's thread together with all
 * others in the queue, committed, delivered to the caller, freed. A question is queued for the
 * threads of the readers, or among the units if it changes rows. It is answered, delivered and freed
 * likewise. What the threads do is in threads.c.
 */
#include "server/store/store.h"

#include <stdlib.h>

#include "base/clock.h"
#include "server/store/inside.h"

enum {
	QUEUE_BYTES = 32 << 20,
	QUESTIONS_MOST = 10000, /* that are not yet delivered */
};

/* ---- the memory of the queue ---- */

int64_t store_now_us(const struct store *s)
{
	return s->now_us ? s->now_us(s->ctx) : clock_us();
}

/* With all its writes. */
static void unit_free(struct unit *unit)
{
	for (struct write *write = unit->first, *next; write; write = next) {
		next = write->next;
		free(write);
	}
	free(unit);
}

void store_give_back(struct store *s, size_t bytes)
{
	mutex_lock(&s->guard);
	s->bytes -= bytes;
	mutex_unlock(&s->guard);
}

/* Allocates memory that counts as the queue's; NULL: the queue is full, or out of memory. */
static void *queue_alloc(struct store *s, size_t bytes)
{
	mutex_lock(&s->guard);
	const bool fits = bytes <= s->most_bytes - s->bytes;
	if (fits)
		s->bytes += bytes;
	mutex_unlock(&s->guard);
	void *block = fits ? malloc(bytes) : NULL;
	if (fits && !block)
		store_give_back(s, bytes);
	return block;
}

static bool has_bytes(const struct store_value *value)
{
	return value->type == STORE_TEXT || value->type == STORE_BYTES;
}

/* Do the values have the types of the statement's parameters? */
static bool values_fit(int statement, int count, const struct store_value *values)
{
	static const enum store_type types[] = {
		['t'] = STORE_TEXT, ['n'] = STORE_NUMBER, ['r'] = STORE_REAL, ['b'] = STORE_BYTES
	};
	const char *expected = store_statements[statement].types;
	if (count != (int)strlen(expected))
		return false;
	for (int i = 0; i < count; i++)
		if (values[i].type != types[(unsigned char)expected[i]] ||
		    (has_bytes(&values[i]) && !values[i].bytes))
			return false;
	return true;
}

/* The bytes of all values together; more than the queue may hold if that is too much. */
static size_t values_size(const struct store *s, int count, const struct store_value *values)
{
	size_t size = 0;
	for (int i = 0; i < count && size <= s->most_bytes; i++)
		if (has_bytes(&values[i]))
			size += values[i].size <= s->most_bytes ? values[i].size
								: s->most_bytes + 1;
	return size;
}

/* Copies the values, and their bytes to `at`. */
static void copy_values(struct store_value *to, const struct store_value *from, int count, char *at)
{
	for (int i = 0; i < count; i++) {
		to[i] = from[i];
		if (!has_bytes(&from[i]))
			continue;
		if (from[i].size)
			memcpy(at, from[i].bytes, from[i].size);
		to[i].bytes = at;
		at += from[i].size;
	}
}

/* ---- filling a unit ---- */

/* The unit being filled, begun if necessary; NULL: the queue is full, or out of memory. */
static struct unit *unit_now(struct store *s)
{
	struct unit *unit = s->unit;
	if (unit || !(unit = queue_alloc(s, sizeof *unit)))
		return unit;
	*unit = (struct unit){ .size = sizeof *unit };
	unit->last = &unit->first;
	return s->unit = unit;
}

/* Drops the unit being filled; further writes to it are refused until it is ended. */
static enum qv_status refuse(struct store *s, enum qv_status why)
{
	if (s->unit) {
		store_give_back(s, s->unit->size);
		unit_free(s->unit);
		s->unit = NULL;
	}
	return s->refused = why;
}

enum qv_status store_add_write(struct store *s, enum store_change statement, int count,
			       const struct store_value *values)
{
	if (s->refused != QV_OK)
		return s->refused;
	if (!values_fit((int)statement, count, values))
		return refuse(s, QV_BAD_INPUT);
	const size_t bytes = values_size(s, count, values), size = sizeof(struct write) + bytes;
	struct unit *unit = bytes <= s->most_bytes ? unit_now(s) : NULL;
	struct write *write = unit ? queue_alloc(s, size) : NULL;
	if (!write)
		return refuse(s, QV_NO_MEMORY);
	unit->size += size;
	*write = (struct write){ .statement = (int)statement, .count = count };
	copy_values(write->values, values, count, write->bytes);
	*unit->last = write;
	unit->last = &write->next;
	return QV_OK;
}

/* ---- queueing and delivering ---- */

static void queue_unit(struct store *s, struct unit *unit)
{
	mutex_lock(&s->guard);
	unit->order = ++s->order;
	unit->since_us = store_now_us(s);
	s->figures.queued_units++;
	*s->queue_end = unit;
	s->queue_end = &unit->next;
	condition_signal(&s->news);
	mutex_unlock(&s->guard);
}

/* The bytes that count as those of texts for other servers: all, or none. */
static size_t texts_size(const struct unit *unit)
{
	const struct write *write = unit->first;
	while (write && write->statement == WRITE_TELL)
		write = write->next;
	return unit->first && !write ? unit->size : 0;
}

/* An empty unit is queued, too, since somebody may wait for its `done`. */
enum qv_status store_end_unit(struct store *s, void (*done)(void *ctx, bool ok), void *ctx)
{
	if (s->closing)
		refuse(s, QV_STOPPED); /* a `done` that store_close calls */
	else if (s->refused == QV_OK && !unit_now(s))
		refuse(s, QV_NO_MEMORY);
	const enum qv_status status = s->refused;
	s->refused = QV_OK;
	if (status != QV_OK)
		return status;
	struct unit *unit = s->unit;
	s->unit = NULL;
	unit->done = done;
	unit->ctx = ctx;
	s->text_bytes += texts_size(unit);
	queue_unit(s, unit);
	return QV_OK;
}

/* A text with a NUL: SQL would see the part before it only. */
static bool is_cut(const struct store_value *value)
{
	return value->type == STORE_TEXT && value->size && memchr(value->bytes, '\0', value->size);
}

static struct question *question_new(struct store *s, enum store_question which, int count,
				     const struct store_value *values)
{
	const size_t bytes = values_size(s, count, values), size = sizeof(struct question) + bytes;
	struct question *q = bytes <= s->most_bytes ? queue_alloc(s, size) : NULL;
	if (!q)
		return NULL;
	*q = (struct question){ .which = which, .size = size };
	copy_values(q->values, values, count, q->bytes);
	return q;
}

/* A question that changes rows waits among the units. */
static bool queue_among_units(struct store *s, struct question *q)
{
	struct unit *unit = queue_alloc(s, sizeof *unit);
	if (!unit)
		return false;
	*unit = (struct unit){ .size = sizeof *unit, .question = q };
	queue_unit(s, unit);
	return true;
}

/*
 * In each turn, every group has one question: so a group that asks much waits for itself, not the
 * others for it. The caller holds the guard.
 */
static void queue_in_turn(struct store *s, struct question *q)
{
	struct question **at = &s->asked;
	q->order = ++s->order;
	q->turn = s->turn;
	for (const struct question *before = s->asked; before; before = before->next)
		if (before->group == q->group)
			q->turn = before->turn + 1;
	while (*at && (*at)->turn <= q->turn)
		at = &(*at)->next;
	q->next = *at;
	*at = q;
}

enum qv_status store_read(struct store *s, enum store_question which,
			  const struct store_value *values, int count, store_answer_fn *done,
			  void *ctx)
{
	return store_read_for(s, "", which, values, count, done, ctx);
}

enum qv_status store_read_for(struct store *s, const char *address, enum store_question which,
			      const struct store_value *values, int count, store_answer_fn *done,
			      void *ctx)
{
	if (s->closing)
		return QV_STOPPED;
	if ((int)which < 0 || which >= ASK_KINDS || !values_fit((int)which, count, values))
		return QV_BAD_INPUT;
	for (int i = 0; i < count; i++)
		if (is_cut(&values[i]))
			return QV_BAD_INPUT;
	mutex_lock(&s->guard);
	const bool full = s->waiting >= QUESTIONS_MOST;
	mutex_unlock(&s->guard);
	struct question *q = full ? NULL : question_new(s, which, count, values);
	if (!q)
		return QV_NO_MEMORY;
	q->done = done;
	q->ctx = ctx;
	q->group = qv_hash_bytes(address, strlen(address));
	q->since_us = store_now_us(s);
	const bool changes = store_statements[which].changes;
	if (changes && !queue_among_units(s, q)) {
		store_give_back(s, q->size);
		free(q);
		return QV_NO_MEMORY;
	}
	mutex_lock(&s->guard);
	s->waiting++;
	if (!changes) {
		queue_in_turn(s, q);
		condition_signal(&s->questions);
	}
	mutex_unlock(&s->guard);
	return QV_OK;
}

static void deliver_unit(struct store *s, struct unit *unit)
{
	store_give_back(s, unit->size);
	s->text_bytes -= texts_size(unit);
	s->unit_failed = unit->failed;
	if (unit->done)
		unit->done(unit->ctx, unit->ok);
	unit_free(unit);
}

static void deliver_answer(struct store *s, struct question *q)
{
	mutex_lock(&s->guard);
	s->bytes -= q->size;
	s->answer_bytes -= rows_size(q->rows);
	s->waiting--;
	condition_broadcast(&s->questions); /* the readers may wait for room */
	mutex_unlock(&s->guard);
	q->done(q->ctx, q->rows, q->rows ? NULL : &q->error);
	free(q);
}

/* The lists are taken first: a `done` may queue units, and those may be written at once. */
void store_deliver(struct store *s)
{
	mutex_lock(&s->guard);
	struct unit *units = s->written;
	struct question *answers = s->answered;
	s->written = NULL;
	s->written_end = &s->written;
	s->answered = NULL;
	s->answered_end = &s->answered;
	mutex_unlock(&s->guard);
	for (struct unit *unit = units, *next; unit; unit = next) {
		next = unit->next;
		deliver_unit(s, unit);
	}
	for (struct question *q = answers, *next; q; q = next) {
		next = q->next;
		deliver_answer(s, q);
	}
	bus_deliver(s);
}

struct qv_error store_last_error(struct store *s)
{
	mutex_lock(&s->guard);
	const struct qv_error trouble = s->trouble;
	mutex_unlock(&s->guard);
	return trouble;
}

bool store_failing(struct store *s, struct qv_error *why)
{
	mutex_lock(&s->guard);
	const bool failing = s->failing || s->damaged;
	if (failing && why)
		*why = s->damaged ? s->damage : s->failure;
	mutex_unlock(&s->guard);
	return failing;
}

bool store_is_unsure(struct store *s)
{
	mutex_lock(&s->guard);
	const bool unsure = s->unsure;
	mutex_unlock(&s->guard);
	return unsure;
}

void store_figures(struct store *s, struct store_figures *out)
{
	mutex_lock(&s->guard);
	*out = s->figures;
	out->queued_bytes = s->bytes;
	out->questions = s->waiting;
	mutex_unlock(&s->guard);
	out->oldest_ms = store_delay(s).oldest_ms;
}

static int64_t delay_ms(int64_t now_us, int64_t since_us)
{
	return since_us ? 1 + (now_us - since_us) / 1000 : 0;
}

/* The units are taken in the order in which they were queued. */
struct store_delay store_delay(struct store *s)
{
	mutex_lock(&s->guard);
	const int64_t queued_us = s->queued ? s->queued->since_us : 0, serving_us = s->serving_us;
	mutex_unlock(&s->guard);
	const int64_t now = store_now_us(s);
	const struct store_delay delay = { .queued_ms = delay_ms(now, queued_us),
					   .oldest_ms = delay_ms(now, serving_us ? serving_us
										 : queued_us) };
	return delay;
}

/* Whether it succeeded is known from store_failing. */
static void probe_done(void *ctx, bool ok)
{
	struct store *s = ctx;
	(void)ok;
	s->probing = false;
}

/* Not while a unit is being filled: the probe would become a part of it. */
void store_probe(struct store *s)
{
	if (s->probing || s->unit || s->refused != QV_OK)
		return;
	s->probing = store_add_write(s, WRITE_PROBE, 0, NULL) == QV_OK &&
		     store_end_unit(s, probe_done, s) == QV_OK;
}

/* ---- opening and closing ---- */

/* Also of a store that was only opened in part. The threads have ended. */
static void release(struct store *s)
{
	/* The readers first: the last connection cleans up the log and must be able to write. */
	for (int i = 0; i < STORE_READERS; i++)
		s->driver->close(s->readers[i].link);
	bus_close(s);
	s->driver->close(s->link);
	s->driver->close(s->writer);
	condition_release(&s->questions);
	condition_release(&s->news);
	mutex_release(&s->guard);
	free(s);
}

/* The writer first: it creates and migrates the database. */
static enum qv_status open_links(struct store *s, const struct store_setup *setup,
				 struct qv_error *error)
{
	enum qv_status status = s->driver->open(setup, LINK_WRITER, &s->writer, error);
	if (status == QV_OK) {
		s->unchecked = s->driver->needs_check && s->driver->needs_check(s->writer);
		if (s->driver->space)
			s->space = s->driver->space(s->writer);
		status = s->driver->open(setup, LINK_READER, &s->link, error);
	}
	for (int i = 0; status == QV_OK && !s->manual && i < STORE_READERS; i++) {
		s->readers[i].store = s;
		status = s->driver->open(setup, LINK_READER, &s->readers[i].link, error);
	}
	if (status == QV_OK)
		status = bus_open(s, setup, error);
	if (status == QV_OK && s->sign)
		bus_sign(s, true); /* before anybody knows the address */
	return status;
}

enum qv_status store_find_driver(const char *place, const struct store_driver **out,
				  struct qv_error *error)
{
	*out = &store_sqlite;
	if (!place || !*place)
		return QV_OK;
	if (strncmp(place, "postgres://", 11) != 0 && strncmp(place, "postgresql://", 13) != 0)
		return qv_fail(error, QV_BAD_INPUT,
			       "store: the address does not begin with postgres://");
	*out = store_postgres;
	if (!store_postgres)
		return qv_fail(error, QV_BAD_INPUT, "store: built without PostgreSQL");
	return QV_OK;
}

/* NULL: error is set. */
static struct store *store_new(const struct store_setup *setup, struct qv_error *error,
			       enum qv_status *status)
{
	const struct store_driver *driver;
	*status = store_find_driver(setup->place, &driver, error);
	struct store *s = *status == QV_OK ? calloc(1, sizeof *s) : NULL;
	if (!s) {
		if (*status == QV_OK)
			*status = qv_fail(error, QV_NO_MEMORY, "store: out of memory");
		return NULL;
	}
	s->driver = driver;
	s->wake = setup->wake;
	s->ctx = setup->ctx;
	s->manual = setup->manual;
	s->now_us = setup->now_us;
	s->most_bytes = setup->queue_bytes ? setup->queue_bytes : QUEUE_BYTES;
	s->queue_end = &s->queued;
	s->written_end = &s->written;
	s->answered_end = &s->answered;
	s->heard_end = &s->heard;
	mutex_init(&s->guard);
	condition_init(&s->news);
	condition_init(&s->questions);
	return s;
}

/* The threads are started last, when nothing else can fail any more. */
enum qv_status store_open(const struct store_setup *setup, struct store **out,
			  struct qv_error *error)
{
	enum qv_status status;
	struct store *s = store_new(setup, error, &status);
	if (!s)
		return status;
	status = open_links(s, setup, error);
	if (status == QV_OK && !s->manual && !store_start_threads(s)) {
		store_stop_threads(s);
		status = qv_fail(error, QV_NO_MEMORY, "store: cannot start its threads");
	}
	if (status == QV_OK)
		*out = s;
	else
		release(s);
	return status;
}

/* Questions that nobody has answered get an error. */
static void refuse_questions(struct store *s)
{
	struct question *q = s->asked;
	*s->answered_end = q;
	for (; q; q = q->next) {
		qv_fail(&q->error, QV_STOPPED, "store: is closing");
		s->answered_end = &q->next;
	}
	s->asked = NULL;
}

/* The threads write what is queued and end; then the last results are delivered. */
void store_close(struct store *s)
{
	if (!s)
		return;
	if (s->unit)
		store_end_unit(s, NULL, NULL);
	store_stop_threads(s);
	store_serve_queue(s); /* in manual mode */
	refuse_questions(s);
	store_deliver(s);
	refuse(s, QV_STOPPED);
	release(s);
}

/* A store without writer, threads and lock. */
enum qv_status store_open_reader(const struct store_setup *setup, struct store **out,
				 struct qv_error *error)
{
	enum qv_status status;
	struct store *s = store_new(setup, error, &status);
	if (!s)
		return status;
	status = s->driver->open(setup, LINK_READER, &s->link, error);
	if (status == QV_OK)
		*out = s;
	else
		release(s);
	return status;
}

void store_close_reader(struct store *s)
{
	if (s)
		release(s);
}
