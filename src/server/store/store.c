/*
 * store.c - the queues of writes and reads, the threads that serve them, and delivery.
 * SPDX-License-Identifier: MIT
 *
 * The life of a unit: filled by the caller, queued, taken by the writer's thread together with all
 * others in the queue, committed, delivered to the caller, freed. While one commit waits for the
 * disk the next units gather, so the busier the server is, the fewer commits it needs per move.
 *
 * A question is queued for the threads of the readers, or among the units if it changes rows. It is
 * answered, delivered and freed likewise. In manual mode there are no threads: store_step does their
 * work.
 */
#include "server/store/store.h"

#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "server/store/inside.h"
#include "server/store/upkeep_sql.h"

enum { QUEUE_BYTES = 32 << 20, WRITE_VALUES = 8 };

struct write {
	struct write *next;
	enum write_kind kind;
	int count;
	struct value values[WRITE_VALUES];
	char bytes[]; /* the values point into it */
};

struct unit {
	struct unit *next;
	struct write *first, **last; /* last: where to link the next one */
	size_t size;		     /* bytes of memory, this struct's included */
	bool frees;		     /* it only removes, and so is written even if space is short */
	bool ok;		     /* set by commit_units: it is on disk */
	void (*done)(void *ctx, bool ok);
	void *ctx;
};

static const char *const write_sql[WRITE_KINDS] = {
	[WRITE_PLAY] = "INSERT INTO play (id, game, owner, created, updated, private, going,"
		       " open_seats) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
	[WRITE_EVENT] = "INSERT INTO event (play, number, line) VALUES (?, ?, ?)",
	[WRITE_SET_PLAY] = "UPDATE play SET going = ?2, open_seats = ?3, updated = ?4"
			   " WHERE id = ?1",
	[WRITE_USER] = "INSERT INTO user (id, name, created) VALUES (?, ?, ?)"
		       " ON CONFLICT (id) DO UPDATE SET name = excluded.name",
	[WRITE_SEAT] = "INSERT INTO seat (user, play) VALUES (?, ?) ON CONFLICT DO NOTHING",
	[WRITE_SET_SEATS] = "UPDATE seat SET going = ?2 WHERE play = ?1",
	[WRITE_FINISHED] = "INSERT INTO finished (user, play, ended, game, outcome, opponents,"
			   " entry) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (user, play) DO UPDATE"
			   " SET ended = excluded.ended, game = excluded.game,"
			   " outcome = excluded.outcome, opponents = excluded.opponents,"
			   " entry = excluded.entry",
	[WRITE_DROP_FINISHED] = "DELETE FROM finished WHERE play = ?1"
				" AND (?2 = '' OR user = ?2)",
	[WRITE_EXPLORED] = "INSERT INTO explored (play, game, mark, result, public, entry)"
			   " VALUES (?, ?, ?, ?, ?, ?)",
	[WRITE_VISITS] = "INSERT INTO visit (position, public, explored, move, level, result)"
			 " SELECT json_extract(value, '$[0]'), e.public, e.number,"
			 " json_extract(value, '$[1]'), json_extract(value, '$[2]'), e.result"
			 " FROM explored e, json_each(?2) WHERE e.play = ?1",
	[WRITE_DROP_EXPLORED] = "DELETE FROM explored WHERE play = ?",
	[WRITE_DROP_OUTDATED] = "DELETE FROM explored WHERE game = ?1 AND mark <> ?2",
	[WRITE_DROP_UNLISTED] = "DELETE FROM unlisted WHERE play = ?1",
	[WRITE_PUZZLE] = "INSERT OR REPLACE INTO puzzle (game, id, rating, deviation, volatility,"
			 " tries, solved) VALUES (?, ?, ?, ?, ?, ?, ?)",
	[WRITE_ATTEMPT] = "INSERT INTO puzzle_attempt (user, game, puzzle, day) VALUES (?, ?, ?, ?)"
			  " ON CONFLICT DO NOTHING",
	[WRITE_STUDY] = "INSERT INTO studies (id, owner, version, created, updated, title,"
			" chapters, body) VALUES (?, ?, 1, ?, ?, ?, ?, ?)",
	[WRITE_SET_STUDY] = "UPDATE studies SET version = version + 1, updated = ?3, title = ?4,"
			    " chapters = ?5, body = ?6 WHERE id = ?1 AND version = ?2",
	[WRITE_DROP_STUDY] = "DELETE FROM studies WHERE id = ?1",
	[WRITE_IMCS_USER] = "INSERT INTO imcs_user (name, user, password, rating)"
			    " VALUES (?, ?, ?, ?) ON CONFLICT (name) DO UPDATE"
			    " SET password = excluded.password, rating = excluded.rating",
	[WRITE_IMCS_GAME] = "INSERT INTO imcs_game (id, white, black, play, began, ended, result,"
			    " log) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE"
			    " SET ended = excluded.ended, result = excluded.result,"
			    " log = excluded.log",
	UPKEEP_WRITES,
	[WRITE_PROBE] = NULL, /* made from the version, see open_parts */
	[WRITE_BEGIN] = "BEGIN IMMEDIATE",
	[WRITE_MARK] = "SAVEPOINT unit",
	[WRITE_BACK] = "ROLLBACK TO unit",
	[WRITE_RELEASE] = "RELEASE unit",
	[WRITE_COMMIT] = "COMMIT",
	[WRITE_ROLLBACK] = "ROLLBACK",
};

/* The error of an update without a row. */
static const char *const must_change[WRITE_KINDS] = {
	[WRITE_SET_PLAY] = "update of a play that does not exist",
	[WRITE_SET_STUDY] = "update of a study that has another version",
	[WRITE_PASSWORD] = "update of an account that does not exist",
};

/* ---- filling a unit ---- */

/* With all its writes. */
static void unit_free(struct unit *unit)
{
	for (struct write *write = unit->first, *next; write; write = next) {
		next = write->next;
		free(write);
	}
	free(unit);
}

/* Of a unit that was delivered or dropped. */
static void give_back(struct store *s, size_t bytes)
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
		give_back(s, bytes);
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
		give_back(s, s->unit->size);
		unit_free(s->unit);
		s->unit = NULL;
	}
	return s->refused = why;
}

enum qv_status store_add_write(struct store *s, enum write_kind kind, int count,
			       const struct value *values)
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

enum qv_status store_queue(struct store *s, enum write_kind kind, int count,
			   const struct value *values)
{
	const enum qv_status status = add_write(s, kind, count, values);
	if (s->unit)
		s->unit->frees = write_frees(kind);
	return status;
}

/* ---- the writes ---- */

static struct value number(int64_t n)
{
	return (struct value){ .type = VALUE_NUMBER, .number = n };
}

static struct value real(double number)
{
	return (struct value){ .type = VALUE_REAL, .real = number };
}

/* most: size with the NUL. A longer text becomes NULL, which add_write refuses. */
static struct value text(const char *bytes, size_t most)
{
	const size_t size = strlen(bytes);
	return (struct value){ .type = VALUE_TEXT,
			       .bytes = size < most ? bytes : NULL,
			       .size = size };
}

/* Any size, but no NUL: it would hide what follows it from SQL. */
static struct value long_text(const char *bytes, size_t size)
{
	const bool good = !size || !memchr(bytes, '\0', size);
	return (struct value){ .type = VALUE_TEXT, .bytes = good ? bytes : NULL, .size = size };
}

enum qv_status store_add_play(struct store *s, const struct store_play *play)
{
	const struct value values[] = { text(play->id, STORE_ID),    text(play->game, STORE_GAME),
					text(play->owner, STORE_ID), number(play->created),
					number(play->updated),	     number(play->is_private),
					number(play->going),	     number(play->open_seats) };
	return store_add_write(s, WRITE_PLAY, 8, values);
}

/* The trigger event_order refuses a line that does not follow the last one. */
enum qv_status store_add_event(struct store *s, const char *play, int64_t n, const char *line,
			       size_t size)
{
	const struct value values[] = { text(play, STORE_ID), number(n), long_text(line, size) };
	return store_add_write(s, WRITE_EVENT, 3, values);
}

/* run_write checks that the play exists. */
enum qv_status store_set_play(struct store *s, const char *play, bool going, int open_seats,
			      int64_t updated)
{
	const struct value values[] = { text(play, STORE_ID), number(going), number(open_seats),
					number(updated) };
	return store_add_write(s, WRITE_SET_PLAY, 4, values);
}

enum qv_status store_put_user(struct store *s, const char *user, const char *name, int64_t created)
{
	const struct value values[] = { text(user, STORE_ID), text(name, STORE_NAME),
					number(created) };
	return store_add_write(s, WRITE_USER, 3, values);
}

/* A user may come back to a seat: the second row is ignored. */
enum qv_status store_put_seat(struct store *s, const char *user, const char *play)
{
	const struct value values[] = { text(user, STORE_ID), text(play, STORE_ID) };
	return store_add_write(s, WRITE_SEAT, 2, values);
}

enum qv_status store_set_seats(struct store *s, const char *play, bool going)
{
	const struct value values[] = { text(play, STORE_ID), number(going) };
	return add_write(s, WRITE_SET_SEATS, 2, values);
}

/* The entry is limited by the queue alone. */
enum qv_status store_put_finished(struct store *s, const struct store_finished *f)
{
	const struct value values[] = { text(f->user, STORE_ID),
					text(f->play, STORE_ID),
					number(f->ended),
					text(f->game, STORE_GAME),
					text(f->outcome, STORE_NAME),
					long_text(f->opponents, strlen(f->opponents)),
					long_text(f->entry, strlen(f->entry)) };
	return store_add_write(s, WRITE_FINISHED, 7, values);
}

enum qv_status store_drop_finished(struct store *s, const char *user, const char *play)
{
	const struct value values[] = { text(play, STORE_ID), text(user, STORE_ID) };
	return store_add_write(s, WRITE_DROP_FINISHED, 2, values);
}

enum qv_status store_drop_unlisted(struct store *s, const char *play)
{
	return store_add_write(s, WRITE_DROP_UNLISTED, 0, NULL);
}

enum qv_status store_put_puzzle(struct store *s, const char *game, const struct store_puzzle *p)
{
	const struct value values[] = { text(game, STORE_GAME), text(p->id, STORE_ID),
					real(p->rating),	real(p->deviation),
					real(p->volatility),	number(p->tries),
					number(p->solved) };
	return store_add_write(s, WRITE_PUZZLE, 7, values);
}

enum qv_status store_put_attempt(struct store *s, const char *user, const char *game,
				 const char *puzzle, int64_t day)
{
	const struct value values[] = { text(user, STORE_ID), text(game, STORE_GAME),
					text(puzzle, STORE_ID) };
	return store_add_write(s, WRITE_ATTEMPT, 3, values);
}

/* The visits follow the row that they refer to; both are written, or neither. */
enum qv_status store_put_explored(struct store *s, const struct store_explored *e)
{
	const struct value drop = text(e->play, STORE_ID);
	const struct value row[] = {
		text(e->play, STORE_ID), text(e->game, STORE_GAME),
		number(e->mark),	 number(e->result),
		number(e->is_public),	 long_text(e->entry, strlen(e->entry))
	};
	const struct value visits[] = { text(e->play, STORE_ID),
					long_text(e->visits, strlen(e->visits)) };
	enum qv_status status = store_add_write(s, WRITE_DROP_EXPLORED, 1, &drop);
	if (status == QV_OK)
		status = store_add_write(s, WRITE_EXPLORED, 6, row);
	return status == QV_OK ? store_add_write(s, WRITE_VISITS, 2, visits) : status;
}

enum qv_status store_drop_explored(struct store *s, const char *play)
{
	const struct value value = text(play, STORE_ID);
	return store_add_write(s, WRITE_DROP_EXPLORED, 1, &value);
}

enum qv_status store_drop_outdated(struct store *s, const char *game, int64_t mark)
{
	const struct value values[] = { text(game, STORE_GAME), number(mark) };
	return store_add_write(s, WRITE_DROP_OUTDATED, 2, values);
}

/* The body is limited by the queue alone. */
enum qv_status store_add_study(struct store *s, const struct store_study *study, const char *body)
{
	const struct value values[] = { text(study->id, STORE_ID),
					text(study->owner, STORE_ID),
					number(study->created),
					number(study->updated),
					text(study->title, STORE_TITLE),
					number(study->chapters),
					long_text(body, strlen(body)) };
	return store_add_write(s, WRITE_STUDY, 7, values);
}

/* run_write checks that a row has this version. */
enum qv_status store_set_study(struct store *s, const struct store_study *study, const char *body)
{
	const struct value values[] = { text(study->id, STORE_ID),
					number(study->version),
					number(study->updated),
					text(study->title, STORE_TITLE),
					number(study->chapters),
					long_text(body, strlen(body)) };
	return store_add_write(s, WRITE_SET_STUDY, 6, values);
}

enum qv_status store_drop_study(struct store *s, const char *study)
{
	const struct value value = text(study, STORE_ID);
	return store_add_write(s, WRITE_DROP_STUDY, 1, &value);
}

enum qv_status store_put_imcs_user(struct store *s, const struct store_imcs_user *u)
{
	const struct value values[] = { text(u->name, STORE_NAME), text(u->user, STORE_ID),
					text(u->password_hash, STORE_PASSWORD), number(u->rating) };
	return store_add_write(s, WRITE_IMCS_USER, 4, values);
}

/* The log may be long and is limited by the queue alone. */
enum qv_status store_put_imcs_game(struct store *s, const struct store_imcs_game *g)
{
	const struct value values[] = { number(g->id),
					text(g->white, STORE_NAME),
					text(g->black, STORE_NAME),
					text(g->play, STORE_ID),
					number(g->began),
					number(g->ended),
					long_text(g->result, strlen(g->result)),
					long_text(g->log, g->log_size) };
	return store_add_write(s, WRITE_IMCS_GAME, 8, values);
}

/* ---- queueing and delivering ---- */

static void queue_unit(struct store *s, struct unit *unit)
{
	mutex_lock(&s->guard);
	unit->order = ++s->order;
	unit->since_us = clock_us();
	s->figures.queued_units++;
	*s->queue_end = unit;
	s->queue_end = &unit->next;
	condition_signal(&s->news);
	mutex_unlock(&s->guard);
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

enum qv_status store_read(struct store *s, enum store_question which,
			  const struct store_value *values, int count,
			  void (*done)(void *ctx, struct store_rows *rows,
				       const struct qv_error *error),
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
	q->since_us = clock_us();
	const bool changes = store_statements[which].changes;
	if (changes && !queue_among_units(s, q)) {
		give_back(s, q->size);
		free(q);
		return QV_NO_MEMORY;
	}
	mutex_lock(&s->guard);
	s->waiting++;
	if (!changes) {
		q->order = ++s->order;
		*s->asked_end = q;
		s->asked_end = &q->next;
		condition_signal(&s->questions);
	}
	mutex_unlock(&s->guard);
	return QV_OK;
}

static void deliver_unit(struct store *s, struct unit *unit)
{
	give_back(s, unit->size);
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

void store_figures(struct store *s, struct store_figures *out)
{
	mutex_lock(&s->guard);
	*out = s->figures;
	out->queued_bytes = s->bytes;
	out->questions = s->waiting;
	mutex_unlock(&s->guard);
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

/* ---- the work of the threads ---- */

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
	const double seconds = (double)(clock_us() - q->since_us) / 1e6;
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
	const int64_t now = clock_us();
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

/* Commits a list of units, none of which asks, and puts it among those that are to be delivered. */
static void commit(struct store *s, struct unit *units, struct unit *last)
{
	struct qv_error trouble = { "" };
	const int64_t began_us = clock_us();
	const enum commit_result result = s->driver->commit(s->writer, units, &trouble);
	mutex_lock(&s->guard);
	count_commit(s, units, began_us);
	*s->written_end = units;
	s->written_end = &last->next;
	if (trouble.text[0])
		s->trouble = trouble;
	if (result != COMMIT_NOTHING)
		s->failing = result == COMMIT_FAILED;
	if (result == COMMIT_FAILED)
		s->failure = trouble;
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

/* Serves the units in order: those between two questions in one commit. */
static void serve_units(struct store *s, struct unit *units)
{
	while (units) {
		struct unit *first = units, *last = units;
		if (first->question) {
			units = first->next;
			answer(s, s->writer, first->question);
			give_back(s, first->size);
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
	return units;
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
static bool is_in_place(struct store *s, struct qv_error *trouble)
{
	struct writer *w = &s->writer;
	char log[1024];
	int moved = 0;
	snprintf(log, sizeof log, "%.1000s-wal", s->path);
	sqlite3_file_control(w->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
	if (w->lost || moved || !mark_is_right(&w->database, s->path) ||
	    !mark_is_right(&w->log, log)) {
		w->lost = w->at_fault = true;
		qv_fail(trouble, QV_IO,
			"%.120s: was removed or replaced; nothing is stored until the server is "
			"restarted",
			s->path);
	}
	return !w->lost;
}

/* ---- committing, in the store's thread ---- */

/* A unit that violates a constraint or is too large is itself at fault; otherwise the disk is. */
static void note_failure(struct writer *w, struct qv_error *trouble)
{
	const int code = sqlite3_errcode(w->db) & 0xff;
	w->at_fault |= code != SQLITE_CONSTRAINT && code != SQLITE_TOOBIG;
	qv_fail(trouble, QV_IO, "database: %.200s", sqlite3_errmsg(w->db));
}

/* Runs a statement without results. The reset does not change SQLite's error state. */
static bool run(struct writer *w, enum write_kind kind, struct qv_error *trouble)
{
	const bool ok = sqlite3_step(w->writes[kind]) == SQLITE_DONE;
	if (!ok)
		note_failure(w, trouble);
	sqlite3_reset(w->writes[kind]);
	return ok;
}

/* Binds the values and runs the statement. */
static bool run_write(struct writer *w, const struct write *write, struct qv_error *trouble)
{
	sqlite3_stmt *statement = w->writes[write->kind];
	int code = SQLITE_OK;
	for (int i = 0; code == SQLITE_OK && i < write->count; i++) {
		const struct value *v = &write->values[i];
		if (v->type == VALUE_NUMBER)
			code = sqlite3_bind_int64(statement, i + 1, v->number);
		else if (v->type == VALUE_REAL)
			code = sqlite3_bind_double(statement, i + 1, v->real);
		else if (v->type == VALUE_TEXT)
			code = sqlite3_bind_text64(statement, i + 1, v->bytes, v->size,
						   SQLITE_STATIC, SQLITE_UTF8);
		else
			code = sqlite3_bind_blob64(statement, i + 1, v->bytes, v->size,
						   SQLITE_STATIC);
	}
	if (code != SQLITE_OK)
		note_failure(w, trouble);
	const bool ok = code == SQLITE_OK && run(w, write->kind, trouble);
	sqlite3_clear_bindings(statement);
	if (ok && must_change[write->kind] && sqlite3_changes(w->db) != 1) {
		qv_fail(trouble, QV_IO, "database: %s", must_change[write->kind]);
		return false;
	}
	return ok;
}

/* Writes a unit in its own savepoint. False: the whole transaction is lost. */
static bool write_unit(struct writer *w, struct unit *unit, struct qv_error *trouble)
{
	if (!run(w, WRITE_MARK, trouble))
		return false;
	unit->ok = true;
	for (const struct write *write = unit->first; unit->ok && write; write = write->next)
		unit->ok = run_write(w, write, trouble);
	if (sqlite3_get_autocommit(w->db))
		return false;
	if (!unit->ok && !run(w, WRITE_BACK, trouble))
		return false;
	return run(w, WRITE_RELEASE, trouble);
}

enum commit_result {
	COMMIT_WRITTEN, /* something is on disk */
	COMMIT_NOTHING, /* nothing to write, or all of it violated a constraint */
	COMMIT_FAILED,	/* it cannot write: disk full, I/O error, file removed */
};

/*
 * Commits the units and sets `ok` of each. trouble gets one failure, if any. A unit is ok only if
 * the path named the same file before and after the commit.
 */
static enum commit_result commit_units(struct store *s, struct unit *units,
				       struct qv_error *trouble)
{
	struct writer *w = &s->writer;
	const bool was_lost = w->lost;
	bool wrote = false;
	w->at_fault = false;
	bool ok = !w->lost && run(w, WRITE_BEGIN, trouble);
	for (struct unit *unit = units; ok && unit; unit = unit->next) {
		ok = write_unit(w, unit, trouble);
		wrote |= unit->ok && unit->first;
	}
	ok = ok && is_in_place(s, trouble) && run(w, WRITE_COMMIT, trouble) &&
	     is_in_place(s, trouble);
	if (ok && !w->at_fault)
		return wrote ? COMMIT_WRITTEN : COMMIT_NOTHING;
	if (ok)
		return COMMIT_FAILED; /* some units failed; the others are on disk */
	if (!sqlite3_get_autocommit(w->db))
		run(w, WRITE_ROLLBACK, trouble);
	for (struct unit *unit = units; unit; unit = unit->next)
		unit->ok = false;
	/*
	 * Moves everything in the log into the database, wherever that is now. Otherwise the next
	 * server would apply this log to whatever database it finds beside it.
	 */
	if (w->lost && !was_lost)
		sqlite3_wal_checkpoint_v2(w->db, "main", SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
	if (w->lost)
		is_in_place(s, trouble); /* sets the error */
	return COMMIT_FAILED;
}

/* The thread: takes all queued units at once and commits them, until the store closes. */
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

/* The oldest question; NULL: none, or too many answers wait. The caller holds the guard. */
static struct question *take_question(struct store *s)
{
	struct question *q = s->answer_bytes < ANSWERS_MOST ? s->asked : NULL;
	if (q && !(s->asked = q->next))
		s->asked_end = &s->asked;
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

/* ---- opening and closing ---- */

/* The system releases the lock when the process ends, however it ends; the file stays. */
static enum qv_status lock_folder(const char *folder, int *out, bool *in_use,
				  struct qv_error *error)
{
	char path[FOLDER_PATH];
	enum qv_status status = folder_path(folder, "lock", path, error);
	if (status != QV_OK)
		return status;
	*out = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (*out < 0)
		return qv_fail(error, QV_IO, "%.160s: cannot be opened: %s", path, strerror(errno));
	if (flock(*out, LOCK_EX | LOCK_NB) == 0)
		return QV_OK;
	*in_use = errno == EWOULDBLOCK;
	if (*in_use)
		return qv_fail(error, QV_IO, "%.160s: is in use by another quevedo serve", folder);
	return qv_fail(error, QV_IO, "%.160s: cannot be locked: %s", path, strerror(errno));
}

/* Also of a store that was only opened in part. The thread has ended. */
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

/* The folder is locked before the database is touched. */
static enum qv_status open_parts(struct store *s, const struct store_setup *setup,
				 struct qv_error *error)
{
	const char *folder = setup->folder;
	struct writer *w = &s->writer;
	sigset_t all, before;
	char probe[64];
	bool in_use = false;
	enum qv_status status = folder_make(folder, error);
	if (status == QV_OK)
		status = folder_path(folder, STORE_DATABASE, s->path, error);
	if (status == QV_OK)
		status = lock_folder(folder, &s->lock, &in_use, error);
	if (in_use && setup->beside)
		status = store_join(s->path, &w->db, error);
	else if (status == QV_OK)
		status = store_connect(s->path, &w->db, error);
	/* SQLite writes the page of the probe even if the version does not change. */
	snprintf(probe, sizeof probe, "PRAGMA user_version = %d", store_step_count);
	for (int kind = 0; status == QV_OK && kind < WRITE_KINDS; kind++)
		if (sqlite3_prepare_v3(w->db,
				       kind == WRITE_PROBE ? probe
				       : write_sql[kind]   ? write_sql[kind]
							   : account_sql[kind],
				       -1, SQLITE_PREPARE_PERSISTENT, &w->writes[kind],
				       NULL) != SQLITE_OK)
			status = store_fault(w->db, s->path, error);
	if (status == QV_OK && !s->vfs) {
		mark_is_right(&w->database, s->path);
		status = folder_sync(folder, error);
	}
	if (status == QV_OK)
		status = reader_open(&s->reader, s->path, s->vfs, error);
	if (status != QV_OK || s->manual)
		return status;
	space_measure(s);
	/* The thread runs with all signals blocked: the main thread handles them. */
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

/* The readers end soon: what they do is interrupted until they have. The writer ends its queue. */
static void stop_threads(struct store *s)
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
			       "store: '%.60s' is not an address that begins with postgres://", place);
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
	s->vfs = setup->vfs;
	s->most_bytes = setup->queue_bytes ? setup->queue_bytes : QUEUE_BYTES;
	s->queue_end = &s->queued;
	s->written_end = &s->written;
	s->asked_end = &s->asked;
	s->answered_end = &s->answered;
	s->heard_end = &s->heard;
	mutex_init(&s->guard);
	condition_init(&s->news);
	const enum qv_status status = open_parts(s, setup, error);
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
	s->asked_end = &s->asked;
}

/* The threads write what is queued and end; then the last results are delivered. */
void store_close(struct store *s)
{
	if (!s)
		return;
	if (s->unit)
		store_end_unit(s, NULL, NULL);
	mutex_lock(&s->guard);
	s->closing = true;
	condition_signal(&s->news);
	mutex_unlock(&s->guard);
	if (s->manual)
		store_step(s);
	thread_join(&s->thread);
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
