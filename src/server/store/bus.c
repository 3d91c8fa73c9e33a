/*
 * bus.c - texts from server to server, and the signs of life of this one.
 * SPDX-License-Identifier: MIT
 *
 * A text is a write of a unit, so it goes out if the unit is written, and only then. PostgreSQL
 * carries it (NOTIFY). Its payloads are short, so a long text is cut into pieces, each with a header:
 * "SENDER NUMBER INDEX COUNT\n". The pieces of a text arrive one after the other, since those of a
 * transaction do. A database without a bus has one server, which hears itself.
 */
#include <stdlib.h>

#include "base/clock.h"
#include "server/store/inside.h"

enum {
	PIECE_BYTES = 7500,	  /* of a text in one payload, which has less than 8000 */
	WAITING_BYTES = 16 << 20, /* of texts that are not yet delivered */
	BEAT_US = 500000,
	ALIVE_MS = 1500,
	PAUSE_US = 100000, /* until a lost connection is tried again */
	TRY_US = 5000000,
};
#define TRY "- 0 0 0\n" /* is no text */

/* A text that was heard, or a note that some may be missing. */
struct heard {
	struct heard *next;
	bool missing;
	char from[STORE_NODE];
	size_t size;
	char text[];
};

/* ---- telling ---- */

bool bus_is_node(const char *node)
{
	const size_t length = strlen(node);
	return length < STORE_NODE &&
	       strspn(node, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
			    "0123456789.:_-") == length;
}

/* How many bytes of the rest go into the next piece: not a part of a character. */
static size_t piece_size(const char *text, size_t left)
{
	size_t size = left < PIECE_BYTES ? left : PIECE_BYTES;
	while (size < left && size > 1 && ((unsigned char)text[size] & 0xc0) == 0x80)
		size--;
	return size;
}

static int count_pieces(const char *text, size_t size)
{
	int count = 0;
	for (size_t at = 0; at < size || !count; count++)
		at += piece_size(text + at, size - at);
	return count;
}

bool store_tell_fits(const struct store *s, size_t size, int share)
{
	return s->text_bytes + size <= s->most_bytes / (size_t)share;
}

enum qv_status store_tell(struct store *s, const char *to, const char *text, size_t size)
{
	char payload[PIECE_BYTES + 128];
	enum qv_status status = QV_OK;
	const bool good = bus_is_node(to) && size <= STORE_TELL_MOST &&
			  !(size && memchr(text, 0, size));
	const int count = good ? count_pieces(text, size) : 1;
	s->told++;
	for (int index = 1; status == QV_OK && index <= count; index++) {
		const size_t part = good ? piece_size(text, size) : 0;
		const int header =
			snprintf(payload, sizeof payload, "%s %lld %d %d\n",
				 *s->node ? s->node : "-", (long long)s->told, index, count);
		memcpy(payload + header, text, part);
		const struct store_value values[] = { value_text(to),
						      { .type = STORE_TEXT,
							.bytes = good ? payload : NULL,
							.size = (size_t)header + part } };
		status = store_add_write(s, WRITE_TELL, 2, values);
		text += part;
		size -= part;
	}
	return status;
}

/* ---- hearing, in a thread of the store ---- */

static void queue_heard(struct store *s, struct heard *heard)
{
	mutex_lock(&s->guard);
	*s->heard_end = heard;
	s->heard_end = &heard->next;
	s->heard_bytes += sizeof *heard + heard->size;
	mutex_unlock(&s->guard);
}

/* One such note is enough. */
static void note_missing(struct store *s)
{
	mutex_lock(&s->guard);
	const bool noted = s->heard_missing;
	s->heard_missing = true;
	mutex_unlock(&s->guard);
	struct heard *heard = noted ? NULL : calloc(1, sizeof *heard);
	if (!heard)
		return;
	heard->missing = true;
	queue_heard(s, heard);
}

/* Too much waits: what is lost is noted. */
static void take_text(struct store *s, const char *from, const struct string *text)
{
	mutex_lock(&s->guard);
	const bool full = s->heard_bytes + text->length > WAITING_BYTES;
	mutex_unlock(&s->guard);
	struct heard *heard = full ? NULL : malloc(sizeof *heard + text->length + 1);
	if (!heard) {
		note_missing(s);
		return;
	}
	*heard = (struct heard){ .size = text->length };
	snprintf(heard->from, sizeof heard->from, "%s", from);
	memcpy(heard->text, text->data, text->length);
	heard->text[text->length] = '\0';
	queue_heard(s, heard);
}

/* Reads a number and the character after it. */
static bool take_number(const char **at, char after, long long *out)
{
	char *end;
	*out = strtoll(*at, &end, 10);
	if (end == *at || *end != after)
		return false;
	*at = end + 1;
	return true;
}

void bus_hear(void *ctx, const char *payload)
{
	struct store *s = ctx;
	struct bus_text *t = &s->text;
	char from[STORE_NODE];
	long long number, index, count;
	if (!payload) {
		note_missing(s);
		return;
	}
	const size_t length = strcspn(payload, " ");
	const char *at = payload + length;
	snprintf(from, sizeof from, "%.*s", (int)length, payload);
	if (length >= sizeof from || !*at++ || !take_number(&at, ' ', &number) ||
	    !take_number(&at, ' ', &index) || !take_number(&at, '\n', &count))
		return; /* of another program */
	const bool follows = index == 1 || (index == t->index + 1 && number == t->number &&
					    strcmp(from, t->from) == 0);
	if (index == 1)
		t->text.length = 0;
	t->index = follows ? index : 0;
	t->number = number;
	snprintf(t->from, sizeof t->from, "%s", from);
	string_add(&t->text, at, strlen(at));
	if (!follows || t->text.failed || t->text.length > STORE_TELL_MOST) {
		string_release(&t->text);
		t->text = (struct string){ .allocator = t->text.allocator };
		t->index = 0;
		note_missing(s);
	} else if (index == count) {
		take_text(s, from, &t->text);
		t->index = 0;
	}
}

void bus_echo(struct store *s, const struct unit *units)
{
	char payload[PIECE_BYTES + 128];
	if (s->driver->hear || !s->heard_fn)
		return;
	for (const struct unit *unit = units; unit; unit = unit->next)
		for (const struct write *write = unit->first; unit->ok && write;
		     write = write->next) {
			const struct store_value *to = write->values, *text = to + 1;
			if (write->statement != WRITE_TELL ||
			    (to->size && (to->size != strlen(s->node) ||
					  memcmp(to->bytes, s->node, to->size) != 0)))
				continue;
			snprintf(payload, sizeof payload, "%.*s", (int)text->size, text->bytes);
			bus_hear(s, payload);
		}
}

void bus_listen(void *ctx)
{
	struct store *s = ctx;
	for (;;) {
		struct qv_error error = { "" };
		mutex_lock(&s->guard);
		const bool closing = s->closing;
		mutex_unlock(&s->guard);
		if (closing)
			return;
		const enum qv_status status = s->driver->hear(s->listener, bus_hear, s, &error);
		mutex_lock(&s->guard);
		const bool any = s->heard != NULL;
		if (status != QV_OK && !s->closing)
			condition_wait_until(&s->questions, &s->guard, clock_us() + PAUSE_US);
		mutex_unlock(&s->guard);
		if (any && s->wake)
			s->wake(s->ctx);
	}
}

void bus_deliver(struct store *s)
{
	mutex_lock(&s->guard);
	struct heard *heard = s->heard;
	s->heard = NULL;
	s->heard_end = &s->heard;
	s->heard_bytes = 0;
	s->heard_missing = false;
	mutex_unlock(&s->guard);
	for (struct heard *next; heard; heard = next) {
		next = heard->next;
		if (s->heard_fn)
			s->heard_fn(s->ctx, heard->from, heard->missing ? NULL : heard->text,
				    heard->size);
		free(heard);
	}
}

/* ---- signs of life ---- */

static struct write *sign_new(struct store *s)
{
	struct write *sign = malloc(sizeof *sign);
	if (!sign)
		return NULL;
	*sign = (struct write){ .statement = WRITE_NODE, .count = 3 };
	sign->values[0] = value_text(s->node);
	sign->values[1] = value_number(ALIVE_MS);
	sign->values[2] = value_text(s->address);
	return sign;
}

static void hear_try(void *ctx, const char *payload)
{
	bool *heard = ctx;
	*heard = *heard || (payload && strcmp(payload, TRY) == 0);
}

/*
 * What is told to this server must reach it. Behind a pooler that works per transaction it does not:
 * nobody's connection listens there for long.
 */
static enum qv_status try_bus(struct store *s, struct qv_error *error)
{
	struct write tell = { .statement = WRITE_TELL,
			      .count = 2,
			      .values = { value_text(s->node), value_text(TRY) } };
	struct unit unit = { .first = &tell, .since_us = store_now_us(s) };
	const int64_t until = unit.since_us + TRY_US;
	bool heard = false;
	store_commit(s, &unit);
	if (!unit.ok) /* nothing can be written, which is told elsewhere */
		return QV_OK;
	while (!heard && clock_us() < until)
		if (s->driver->hear(s->listener, hear_try, &heard, error) != QV_OK)
			return QV_IO;
	if (heard)
		return QV_OK;
	return qv_fail(error, QV_IO, "database: notifications do not arrive; a pooler must work per session");
}

enum qv_status bus_open(struct store *s, const struct store_setup *setup, struct qv_error *error)
{
	const char *node = setup->node ? setup->node : "";
	const char *address = setup->address ? setup->address : "";
	s->heard_fn = setup->heard;
	s->text.text.allocator = &mem_malloc;
	if (!bus_is_node(node) || strlen(address) >= sizeof s->address)
		return qv_fail(error, QV_BAD_INPUT, "store: bad name or address of this server");
	snprintf(s->node, sizeof s->node, "%s", node);
	snprintf(s->address, sizeof s->address, "%s", address);
	if (!*node || s->manual || !s->driver->hear)
		return QV_OK;
	if (*address && !(s->sign = sign_new(s)))
		return qv_fail(error, QV_NO_MEMORY, "store: out of memory");
	const enum qv_status status = s->driver->open(setup, LINK_LISTENER, &s->listener, error);
	return status == QV_OK ? try_bus(s, error) : status;
}

int64_t bus_next_sign(const struct store *s)
{
	return s->sign ? s->last_sign_us + BEAT_US : INT64_MAX;
}

void bus_sign(struct store *s, bool alive)
{
	struct unit unit = { .first = s->sign, .since_us = store_now_us(s) };
	if (!alive) {
		s->sign->statement = WRITE_DROP_NODE;
		s->sign->count = 1;
	}
	s->last_sign_us = unit.since_us;
	store_commit(s, &unit);
	/* A server that has counted as dead must notice it first: see cluster.c. */
	if (alive && unit.ok)
		s->sign->statement = WRITE_SIGN;
}

void bus_close(struct store *s)
{
	s->heard_fn = NULL;
	bus_deliver(s);
	string_release(&s->text.text);
	s->driver->close(s->listener);
	free(s->sign);
}
