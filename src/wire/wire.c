/*
 * wire.c - the engine's side of any protocol: which one, whether a line is text, and its thinking.
 * SPDX-License-Identifier: MIT
 */
#include "wire/engine.h"

#include "engines/context.h"

static const struct wire_ops *const protocols[] = { &wire_qgp, &wire_ugi };
enum { PROTOCOLS = sizeof protocols / sizeof *protocols };

static enum qv_status find_protocol(const char *name, const struct wire_ops **out,
				    struct qv_error *error)
{
	for (int i = 0; i < PROTOCOLS; i++)
		if (strcmp(protocols[i]->name, name) == 0) {
			*out = protocols[i];
			return QV_OK;
		}
	return qv_fail(error, QV_UNKNOWN, "protocol '%.40s': there are qgp and ugi", name);
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
	status = thinker_init(&w->thinker, setup, error);
	if (status == QV_OK && ops->fits)
		status = ops->fits(w->thinker.rules.game, error);
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
	const struct qv_allocator *allocator = w->thinker.allocator;
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

enum wire_next wire_line(struct wire *w, char *line, size_t length, struct string *out)
{
	if (!is_text(line, length)) {
		w->ops->bad_line(w, "the line holds control characters", out);
		return WIRE_ON;
	}
	const enum wire_next next = w->ops->line(w, words_trim(line), out);
	if (next == WIRE_QUIT)
		wire_stop(w);
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

/* ---- Thinking ---- */

enum wire_next wire_begin(struct wire *w)
{
	w->busy = true;
	w->told = (struct qv_answer){ .move = QV_NO_MOVE };
	return WIRE_THINK;
}

void wire_last_info(struct wire *w, struct string *out)
{
	const struct qv_answer *a = &w->thinker.answer, *told = &w->told;
	if (a->move != told->move || a->depth != told->depth || a->nodes != told->nodes ||
	    a->score != told->score || a->proven != told->proven)
		w->ops->info(w, a, out);
}

struct telling {
	struct wire *wire;
	wire_say *say;
	void *ctx;
};

static void on_iteration(void *ctx, const struct qv_answer *so_far)
{
	const struct telling *t = ctx;
	struct string lines = { .allocator = t->wire->thinker.allocator };
	t->wire->told = *so_far;
	t->wire->ops->info(t->wire, so_far, &lines);
	if (!lines.failed) /* half a line is worse than none */
		t->say(t->ctx, &lines);
	string_release(&lines);
}

void wire_think(struct wire *w, wire_say *say, void *ctx)
{
	struct telling telling = { w, say, ctx };
	const struct qv_listener listener = { .iteration = on_iteration, .ctx = &telling };
	thinker_run(&w->thinker, say ? &listener : NULL);
}

void wire_answer(struct wire *w, struct string *out)
{
	w->ops->answer(w, out);
	w->busy = false;
	w->thinker.task = TASK_NONE;
}
