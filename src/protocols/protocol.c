/*
 * protocol.c - the engine's side of any protocol: which one, whether a line is text, and its thinking.
 * SPDX-License-Identifier: MIT
 */
#include "protocols/engine.h"

#include "base/clock.h"
#include "core/context.h"

static const struct wire_ops *const protocols[] = { &wire_qgp, &wire_ugi, &wire_uci,
						    &wire_xboard };
enum { PROTOCOLS = sizeof protocols / sizeof *protocols, MOVES_AFTER_US = 3000000 };

static enum qv_status find_protocol(const char *name, const struct wire_ops **out,
				    struct qv_error *error)
{
	for (int i = 0; i < PROTOCOLS; i++)
		if (strcmp(protocols[i]->name, name) == 0) {
			*out = protocols[i];
			return QV_OK;
		}
	return qv_fail(error, QV_UNKNOWN, "protocol '%.40s': there are qgp, ugi, uci and xboard", name);
}

enum qv_status wire_new(const struct wire_setup *setup, struct wire **out, struct qv_error *error)
{
	const struct qv_allocator *allocator = context_allocator(setup->context);
	const struct wire_ops *ops = NULL;
	enum qv_status status = find_protocol(setup->protocol, &ops, error);
	if (status != QV_OK)
		return status;
	struct wire *w = mem_new(allocator, 1, sizeof *w);
	if (!w)
		return qv_fail(error, QV_NO_MEMORY, "engine: out of memory");
	w->ops = ops;
	w->no_times = setup->no_times;
	w->moves_after_us = setup->moves_after_us ? setup->moves_after_us
			    : setup->no_times	  ? INT64_MAX
						  : MOVES_AFTER_US;
	w->later.allocator = allocator;
	status = thinker_init(&w->thinker, setup, error);
	if (status == QV_OK && ops->fits)
		status = ops->fits(w->thinker.rules.game, error);
	if (status == QV_OK && ops->own_size && !(w->own = mem_new(allocator, 1, ops->own_size)))
		status = qv_fail(error, QV_NO_MEMORY, "engine: out of memory");
	if (status == QV_OK && ops->make)
		status = ops->make(w, error);
	if (status == QV_OK)
		*out = w;
	else
		wire_free(w);
	return status;
}

void wire_free(struct wire *w)
{
	if (!w)
		return;
	const struct qv_allocator *allocator = w->later.allocator;
	if (w->own && w->ops->release)
		w->ops->release(w);
	if (w->own)
		mem_free(allocator, w->own, w->ops->own_size);
	string_release(&w->later);
	thinker_release(&w->thinker);
	mem_free(allocator, w, sizeof *w);
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

enum wire_next wire_line(struct wire *w, char *line, size_t length, struct string *out)
{
	if (!w->ops->strict)
		length = drop_nuls(line, length);
	if (!is_text(line, length)) {
		w->ops->bad_line(w, "the line holds control characters", out);
		return WIRE_ON;
	}
	const enum wire_next next = w->ops->line(w, words_trim(line), out);
	if (next == WIRE_QUIT)
		wire_end(w);
	return next;
}

bool wire_defer(struct wire *w, const char *line)
{
	const size_t length = strlen(line);
	if (!wire_waits(w))
		w->later.length = w->later_at = 0;
	if (w->later.length + length >= WIRE_LATER_MOST)
		return false;
	string_add(&w->later, line, length + 1);
	const bool kept = !w->later.failed;
	w->later.failed = false;
	return kept;
}

bool wire_awaits(const struct wire *w, const char *line, const char *until)
{
	const size_t length = strlen(until);
	for (size_t at = w->later_at; at < w->later.length;) {
		const char *waits = w->later.data + at;
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
static enum wire_next take_waiting(struct wire *w, struct string *out)
{
	enum wire_next next = WIRE_ON;
	while (next == WIRE_ON && wire_waits(w)) {
		/* A copy: the line may be put back behind the others. */
		const char *first = w->later.data + w->later_at;
		const size_t size = strlen(first) + 1;
		char *line = mem_new(w->later.allocator, size, 1);
		w->later_at += size;
		if (!line) {
			w->ops->bad_line(w, "out of memory", out);
			continue;
		}
		memcpy(line, first, size);
		next = w->ops->line(w, line, out);
		mem_free(w->later.allocator, line, size);
	}
	return next;
}

void wire_line_too_long(struct wire *w, struct string *out)
{
	w->ops->bad_line(w, "the line is too long", out);
}

void wire_stop(struct wire *w)
{
	atomic_store(&w->thinker.stop, true);
}

void wire_end(struct wire *w)
{
	w->ended = true;
	wire_stop(w);
}

/* ---- Thinking ---- */

enum wire_next wire_begin(struct wire *w)
{
	w->busy = true;
	w->began_us = clock_us();
	w->told = (struct qv_answer){ .move = QV_NO_MOVE };
	return WIRE_THINK;
}

void wire_last_info(struct wire *w, struct string *out)
{
	const struct qv_answer *a = &w->thinker.answer, *told = &w->told;
	if (a->move != told->move || a->depth != told->depth || a->nodes != told->nodes ||
	    a->score != told->score || a->proven != told->proven || told->bound)
		w->ops->info(w, 1, a, out);
}

bool wire_says_moves(const struct wire *w)
{
	return w->moves_after_us < INT64_MAX && clock_us() - w->began_us >= w->moves_after_us;
}

struct telling {
	struct wire *wire;
	wire_say *say;
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
	struct string lines = { .allocator = t->wire->thinker.allocator };
	if (line == 1)
		t->wire->told = *so_far;
	t->wire->ops->info(t->wire, line, so_far, &lines);
	pass_on(t, &lines);
}

static void on_root_move(void *ctx, qv_move move, int n, int depth)
{
	const struct telling *t = ctx;
	struct string lines = { .allocator = t->wire->thinker.allocator };
	t->wire->ops->root_move(t->wire, move, n, depth, &lines);
	pass_on(t, &lines);
}

void wire_think(struct wire *w, wire_say *say, void *ctx)
{
	struct telling telling = { w, say, ctx };
	const struct thinker_ear ear = { .hear = on_line,
					 .bounds = w->ops->bounds,
					 .root_move = w->ops->root_move ? on_root_move : NULL,
					 .ctx = &telling };
	thinker_run(&w->thinker, say ? &ear : NULL);
}

enum wire_next wire_answer(struct wire *w, struct string *out)
{
	w->ops->answer(w, out);
	w->busy = false;
	w->thinker.task = TASK_NONE;
	enum wire_next next = take_waiting(w, out);
	if (next == WIRE_ON && w->ops->idle && !w->ended)
		next = w->ops->idle(w, out);
	if (next == WIRE_THINK && w->ended)
		wire_stop(w);
	return next;
}
