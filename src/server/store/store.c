/*
 * store.c - the queue of writes and the thread that empties it.
 * SPDX-License-Identifier: MIT
 *
 * The life of a unit: filled by the caller, queued, taken by the thread together with all others in
 * the queue, committed, delivered to the caller, freed. While one commit waits for the disk the
 * next units gather, so the busier the server is, the fewer commits it needs per move.
 */
#include "server/store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "server/store/parts.h"
#include "server/store/schema.h"

enum { QUEUE_BYTES = 32 << 20 };

/* ---- units ---- */

static void unit_free(struct unit *unit)
{
	for (struct write *write = unit->first, *next; write; write = next) {
		next = write->next;
		free(write);
	}
	free(unit);
}

static bool reserve(struct store *s, size_t bytes)
{
	pthread_mutex_lock(&s->guard);
	const bool fits = bytes <= s->most_bytes - s->bytes;
	if (fits)
		s->bytes += bytes;
	pthread_mutex_unlock(&s->guard);
	return fits;
}

static void give_back(struct store *s, size_t bytes)
{
	pthread_mutex_lock(&s->guard);
	s->bytes -= bytes;
	pthread_mutex_unlock(&s->guard);
}

/* Allocates memory that counts as the unit's; NULL: the queue is full, or out of memory. */
static void *unit_take(struct store *s, struct unit *unit, size_t bytes)
{
	void *block = reserve(s, bytes) ? malloc(bytes) : NULL;
	if (block && unit)
		unit->size += bytes;
	return block;
}

/* The unit being filled, begun if necessary; NULL: the queue is full, or out of memory. */
static struct unit *unit_now(struct store *s)
{
	if (s->unit)
		return s->unit;
	struct unit *unit = unit_take(s, NULL, sizeof *unit);
	if (!unit)
		return NULL;
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

/* ---- queueing ---- */

static struct value number(int64_t n)
{
	return (struct value){ .type = VALUE_NUMBER, .number = n };
}

/* most: size with the NUL. A longer text becomes NULL, which store_write refuses. */
static struct value text(const char *bytes, size_t most)
{
	const size_t size = strlen(bytes);
	return (struct value){ VALUE_TEXT, 0, size < most ? bytes : NULL, size };
}

static struct value hash_value(const uint8_t hash[STORE_TOKEN])
{
	return (struct value){ VALUE_BYTES, 0, hash, STORE_TOKEN };
}

/* Copies the texts of the values into write->bytes and points the values there. */
static void fill_write(struct write *write, const struct value *values, int count)
{
	char *at = write->bytes;
	write->count = count;
	for (int i = 0; i < count; i++) {
		write->values[i] = values[i];
		if (values[i].type == VALUE_NUMBER)
			continue;
		memcpy(at, values[i].bytes, values[i].size);
		write->values[i].bytes = at;
		at += values[i].size;
	}
}

enum qv_status store_write(struct store *s, enum write_kind kind, const struct value *values,
			   int count)
{
	if (s->refused != QV_OK)
		return s->refused;
	size_t size = sizeof(struct write);
	for (int i = 0; i < count; i++) {
		if (values[i].type != VALUE_NUMBER && !values[i].bytes)
			return refuse(s, QV_BAD_INPUT);
		if (values[i].size > s->most_bytes)
			return refuse(s, QV_NO_MEMORY);
		size += values[i].size;
	}
	struct unit *unit = unit_now(s);
	struct write *write = unit ? unit_take(s, unit, size) : NULL;
	if (!write)
		return refuse(s, QV_NO_MEMORY);
	*write = (struct write){ .kind = kind };
	fill_write(write, values, count);
	*unit->last = write;
	unit->last = &write->next;
	return QV_OK;
}

enum qv_status store_add_play(struct store *s, const struct store_play *play)
{
	const struct value values[] = { text(play->id, STORE_ID),    text(play->game, STORE_GAME),
					text(play->owner, STORE_ID), number(play->created),
					number(play->updated),	     number(play->is_private),
					number(play->going),	     number(play->open_seats) };
	return store_write(s, WRITE_PLAY, values, 8);
}

enum qv_status store_add_event(struct store *s, const char *play, int64_t n, const char *line,
			       size_t size)
{
	/* A NUL in a text would hide what follows it from SQL. */
	const bool good = !size || !memchr(line, '\0', size);
	const struct value values[] = { text(play, STORE_ID),
					number(n),
					{ VALUE_TEXT, 0, good ? line : NULL, size } };
	return store_write(s, WRITE_EVENT, values, 3);
}

enum qv_status store_set_play(struct store *s, const char *play, bool going, int open_seats,
			      int64_t updated)
{
	const struct value values[] = { text(play, STORE_ID), number(going), number(open_seats),
					number(updated) };
	return store_write(s, WRITE_SET_PLAY, values, 4);
}

enum qv_status store_put_user(struct store *s, const char *user, const char *name, int64_t created)
{
	const struct value values[] = { text(user, STORE_ID), text(name, STORE_NAME),
					number(created) };
	return store_write(s, WRITE_USER, values, 3);
}

enum qv_status store_put_account(struct store *s, const char *user, const char *login,
				 const char *password_hash)
{
	const struct value values[] = { text(user, STORE_ID), text(login, STORE_NAME),
					text(password_hash, STORE_PASSWORD) };
	return store_write(s, WRITE_ACCOUNT, values, 3);
}

enum qv_status store_put_token(struct store *s, const uint8_t hash[STORE_TOKEN], const char *user,
			       int64_t created)
{
	const struct value values[] = { hash_value(hash), text(user, STORE_ID), number(created) };
	return store_write(s, WRITE_TOKEN, values, 3);
}

enum qv_status store_drop_token(struct store *s, const uint8_t hash[STORE_TOKEN])
{
	const struct value values[] = { hash_value(hash) };
	return store_write(s, WRITE_DROP_TOKEN, values, 1);
}

enum qv_status store_put_seat(struct store *s, const char *user, const char *play)
{
	const struct value values[] = { text(user, STORE_ID), text(play, STORE_ID) };
	return store_write(s, WRITE_SEAT, values, 2);
}

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
	pthread_mutex_lock(&s->guard);
	*s->queue_end = unit;
	s->queue_end = &unit->next;
	pthread_cond_signal(&s->news);
	pthread_mutex_unlock(&s->guard);
	return QV_OK;
}

void store_deliver(struct store *s)
{
	pthread_mutex_lock(&s->guard);
	struct unit *units = s->written;
	s->written = NULL;
	s->written_end = &s->written;
	pthread_mutex_unlock(&s->guard);
	for (struct unit *unit = units, *next; unit; unit = next) {
		next = unit->next;
		give_back(s, unit->size);
		if (unit->done)
			unit->done(unit->ctx, unit->ok);
		unit_free(unit);
	}
}

struct qv_error store_last_error(struct store *s)
{
	pthread_mutex_lock(&s->guard);
	const struct qv_error trouble = s->trouble;
	pthread_mutex_unlock(&s->guard);
	return trouble;
}

bool store_failing(struct store *s, struct qv_error *why)
{
	pthread_mutex_lock(&s->guard);
	const bool failing = s->failing;
	if (failing && why)
		*why = s->failure;
	pthread_mutex_unlock(&s->guard);
	return failing;
}

static void probe_done(void *ctx, bool ok)
{
	struct store *s = ctx;
	(void)ok;
	s->probing = false;
}

void store_probe(struct store *s)
{
	if (s->probing || s->unit || s->refused != QV_OK)
		return;
	s->probing = store_write(s, WRITE_PROBE, NULL, 0) == QV_OK &&
		     store_end_unit(s, probe_done, s) == QV_OK;
}

/* ---- the thread ---- */

/* Waits for units and takes all of them; NULL: the store is closing and the queue is empty. */
static struct unit *take_units(struct store *s)
{
	pthread_mutex_lock(&s->guard);
	while (!s->queued && !s->closing)
		pthread_cond_wait(&s->news, &s->guard);
	struct unit *units = s->queued;
	s->queued = NULL;
	s->queue_end = &s->queued;
	pthread_mutex_unlock(&s->guard);
	return units;
}

static void hand_over(struct store *s, struct unit *units, enum commit_result result,
		      const struct qv_error *trouble)
{
	struct unit *last = units;
	while (last->next)
		last = last->next;
	pthread_mutex_lock(&s->guard);
	*s->written_end = units;
	s->written_end = &last->next;
	if (trouble->text[0])
		s->trouble = *trouble;
	if (result != COMMIT_NOTHING)
		s->failing = result == COMMIT_FAILED;
	if (result == COMMIT_FAILED)
		s->failure = *trouble;
	pthread_mutex_unlock(&s->guard);
	if (s->wake)
		s->wake(s->ctx);
}

static void *write_units(void *ctx)
{
	struct store *s = ctx;
	for (struct unit *units; (units = take_units(s));) {
		struct qv_error trouble = { "" };
		const enum commit_result result = writer_commit(&s->writer, units, &trouble);
		hand_over(s, units, result, &trouble);
	}
	return NULL;
}

/* Starts it with all signals blocked: the main thread handles them. */
static int start_thread(struct store *s)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	const int failed = pthread_create(&s->thread, NULL, write_units, s);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return failed;
}

/* ---- opening and closing ---- */

/* The system releases the lock when the process ends, however it ends; the file stays. */
static enum qv_status lock_folder(const char *folder, int *out, struct qv_error *error)
{
	char path[FOLDER_PATH];
	enum qv_status status = folder_path(folder, "lock", path, error);
	if (status != QV_OK)
		return status;
	const int descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (descriptor < 0)
		return qv_fail(error, QV_IO, "%.160s: cannot be opened: %s", path, strerror(errno));
	if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) {
		*out = descriptor;
		return QV_OK;
	}
	const int why = errno;
	close(descriptor);
	if (why == EWOULDBLOCK)
		return qv_fail(error, QV_IO, "%.160s: is in use by another quevedo serve", folder);
	return qv_fail(error, QV_IO, "%.160s: cannot be locked: %s", path, strerror(why));
}

static void release(struct store *s)
{
	/* The reader first: the last connection cleans up the log and must be able to write. */
	reader_close(&s->reader);
	writer_close(&s->writer);
	if (s->lock >= 0)
		close(s->lock);
	pthread_cond_destroy(&s->news);
	pthread_mutex_destroy(&s->guard);
	free(s);
}

static enum qv_status open_parts(struct store *s, const char *folder, struct qv_error *error)
{
	enum qv_status status = folder_make(folder, error);
	if (status == QV_OK)
		status = folder_path(folder, STORE_DATABASE, s->path, error);
	if (status == QV_OK)
		status = lock_folder(folder, &s->lock, error);
	if (status == QV_OK)
		status = writer_open(&s->writer, s->path, error);
	if (status == QV_OK)
		status = folder_sync(folder, error);
	if (status == QV_OK)
		status = reader_open(&s->reader, s->path, error);
	if (status == QV_OK && start_thread(s) != 0)
		status = qv_fail(error, QV_NO_MEMORY, "%.160s: cannot start the writer thread",
				 s->path);
	return status;
}

enum qv_status store_open(const struct store_setup *setup, struct store **out,
			  struct qv_error *error)
{
	struct store *s = calloc(1, sizeof *s);
	if (!s)
		return qv_fail(error, QV_NO_MEMORY, "store: out of memory");
	s->lock = -1;
	s->wake = setup->wake;
	s->ctx = setup->ctx;
	s->most_bytes = setup->queue_bytes ? setup->queue_bytes : QUEUE_BYTES;
	s->queue_end = &s->queued;
	s->written_end = &s->written;
	pthread_mutex_init(&s->guard, NULL);
	pthread_cond_init(&s->news, NULL);
	const enum qv_status status = open_parts(s, setup->folder, error);
	if (status == QV_OK)
		*out = s;
	else
		release(s);
	return status;
}

void store_close(struct store *s)
{
	if (!s)
		return;
	if (s->unit)
		store_end_unit(s, NULL, NULL);
	pthread_mutex_lock(&s->guard);
	s->closing = true;
	pthread_cond_signal(&s->news);
	pthread_mutex_unlock(&s->guard);
	pthread_join(s->thread, NULL);
	store_deliver(s);
	refuse(s, QV_STOPPED);
	release(s);
}
