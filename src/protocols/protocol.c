/*
 * protocol.c - the engine's side of any protocol: which one, whether a line is text, and its thinking.
 * SPDX-License-Identifier: MIT
 */
#include "protocols/engine.h"

#include "base/clock.h"
#include "core/context.h"

static const struct protocol_ops *const protocols[] = { &protocol_qgp, &protocol_ugi, &protocol_uci,
							&protocol_xboard };
enum { PROTOCOLS = sizeof protocols / sizeof *protocols, MOVES_AFTER_US = 3000000 };

static enum qv_status find_protocol(const char *name, const struct protocol_ops **out,
				    struct qv_error *error)
{
	for (int i = 0; i < PROTOCOLS; i++)
		if (strcmp(protocols[i]->name, name) == 0) {
			*out = protocols[i];
			return QV_OK;
		}
	return qv_fail(error, QV_UNKNOWN, "protocol '%.40s': there are qgp, ugi, uci and xboard", name);
}

enum qv_status connection_new(const struct connection_setup *setup, struct connection **out,
			      struct qv_error *error)
{
	const struct qv_allocator *allocator = context_allocator(setup->context);
	const struct protocol_ops *ops = NULL;
	enum qv_status status = find_protocol(setup->protocol, &ops, error);
	if (status != QV_OK)
		return status;
	struct connection *c = mem_new(allocator, 1, sizeof *c);
	if (!c)
		return qv_fail(error, QV_NO_MEMORY, "engine: out of memory");
	c->ops = ops;
	c->no_times = setup->no_times;
	c->moves_after_us = setup->moves_after_us ? setup->moves_after_us
			    : setup->no_times	  ? INT64_MAX
						  : MOVES_AFTER_US;
	c->later.allocator = allocator;
	status = engine_init(&c->engine, setup, error);
	if (status == QV_OK && ops->fits)
		status = ops->fits(c->engine.rules.game, error);
	if (status == QV_OK && ops->own_size && !(c->own = mem_new(allocator, 1, ops->own_size)))
		status = qv_fail(error, QV_NO_MEMORY, "engine: out of memory");
	if (status == QV_OK && ops->make)
		status = ops->make(c, error);
	if (status == QV_OK)
		*out = c;
	else
		connection_free(c);
	return status;
}

void connection_free(struct connection *c)
{
	if (!c)
		return;
	const struct qv_allocator *allocator = c->later.allocator;
	if (c->own && c->ops->release)
		c->ops->release(c);
	if (c->own)
		mem_free(allocator, c->own, c->ops->own_size);
	string_release(&c->later);
	engine_release(&c->engine);
	mem_free(allocator, c, sizeof *c);
}

/* ---- Lines ---- */

static bool is_text(const char *line, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (((unsigned char)line[i] < ' ' && line[i] != '\t') || line[i] == 0x7f)
			return false;
	return true;
}

/* Without the NULs in it; its length then. */
static size_t drop_nuls(char *line, size_t length)
{
	size_t kept = 0;
	for (size_t i = 0; i < length; i++)
		if (line[i])
			line[kept++] = line[i];
	line[kept] = '\0';
	return kept;
}

enum next_step connection_line(struct connection *c, char *line, size_t length, struct string *out)
{
	if (!c->ops->strict)
		length = drop_nuls(line, length);
	if (!is_text(line, length)) {
		c->ops->bad_line(c, "the line holds control characters", out);
		return NEXT_LINE;
	}
	const enum next_step next = c->ops->line(c, words_trim(line), out);
	if (next == NEXT_QUIT)
		connection_end(c);
	return next;
}

bool connection_defer(struct connection *c, const char *line)
{
	const size_t length = strlen(line);
	if (!connection_waits(c))
		c->later.length = c->later_at = 0;
	if (c->later.length + length >= CONNECTION_LATER_MOST)
		return false;
	string_add(&c->later, line, length + 1);
	const bool kept = !c->later.failed;
	c->later.failed = false;
	return kept;
}

bool connection_awaits(const struct connection *c, const char *line, const char *until)
{
	const size_t length = strlen(until);
	for (size_t at = c->later_at; at < c->later.length;) {
		const char *waits = c->later.data + at;
		const size_t word = strcspn(waits, " \t");
		if (word == length && memcmp(waits, until, length) == 0)
			return false;
		if (strcmp(waits, line) == 0)
			return true;
		at += strlen(waits) + 1;
	}
	return false;
}

/* Lines that have waited, up to one that begins a task. */
static enum next_step take_waiting(struct connection *c, struct string *out)
{
	enum next_step next = NEXT_LINE;
	while (next == NEXT_LINE && connection_waits(c)) {
		/* A copy: the line may be put back behind the others. */
		const char *first = c->later.data + c->later_at;
		const size_t size = strlen(first) + 1;
		char *line = mem_new(c->later.allocator, size, 1);
		c->later_at += size;
		if (!line) {
			c->ops->bad_line(c, "out of memory", out);
			continue;
		}
		memcpy(line, first, size);
		next = c->ops->line(c, line, out);
		mem_free(c->later.allocator, line, size);
	}
	return next;
}

void connection_line_too_long(struct connection *c, struct string *out)
{
	c->ops->bad_line(c, "the line is too long", out);
}

void connection_stop(struct connection *c)
{
	atomic_store(&c->engine.stop, true);
}

void connection_end(struct connection *c)
{
	c->ended = true;
	connection_stop(c);
}

/* ---- Thinking ---- */

enum next_step connection_begin(struct connection *c)
{
	c->busy = true;
	c->began_us = clock_us();
	c->told = (struct qv_answer){ .move = QV_NO_MOVE };
	return NEXT_THINK;
}

void connection_last_info(struct connection *c, struct string *out)
{
	const struct qv_answer *a = &c->engine.answer, *told = &c->told;
	if (a->move != told->move || a->depth != told->depth || a->nodes != told->nodes ||
	    a->score != told->score || a->proven != told->proven || told->bound)
		c->ops->info(c, 1, a, out);
}

bool connection_says_moves(const struct connection *c)
{
	return c->moves_after_us < INT64_MAX && clock_us() - c->began_us >= c->moves_after_us;
}

struct telling {
	struct connection *connection;
	connection_print *say;
	void *ctx;
};

static void pass_on(const struct telling *t, struct string *lines)
{
	if (lines->length && !lines->failed) /* half a line is worse than none */
		t->say(t->ctx, lines);
	string_release(lines);
}

static void on_line(void *ctx, int line, const struct qv_answer *so_far)
{
	const struct telling *t = ctx;
	struct string lines = { .allocator = t->connection->engine.allocator };
	if (line == 1)
		t->connection->told = *so_far;
	t->connection->ops->info(t->connection, line, so_far, &lines);
	pass_on(t, &lines);
}

static void on_root_move(void *ctx, qv_move move, int n, int depth)
{
	const struct telling *t = ctx;
	struct string lines = { .allocator = t->connection->engine.allocator };
	t->connection->ops->root_move(t->connection, move, n, depth, &lines);
	pass_on(t, &lines);
}

void connection_think(struct connection *c, connection_print *say, void *ctx)
{
	struct telling telling = { c, say, ctx };
	const struct engine_listener ear = { .hear = on_line,
					     .bounds = c->ops->bounds,
					     .root_move = c->ops->root_move ? on_root_move : NULL,
					     .ctx = &telling };
	engine_run(&c->engine, say ? &ear : NULL);
}

enum next_step connection_answer(struct connection *c, struct string *out)
{
	c->ops->answer(c, out);
	c->busy = false;
	c->engine.task = TASK_NONE;
	enum next_step next = take_waiting(c, out);
	if (next == NEXT_LINE && c->ops->idle && !c->ended)
		next = c->ops->idle(c, out);
	if (next == NEXT_THINK && c->ended)
		connection_stop(c);
	return next;
}
