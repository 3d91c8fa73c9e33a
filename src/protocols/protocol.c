/*
 * protocol.c - the connection of an engine, whichever protocol it uses: checks lines, queues those
 * that must wait for an answer, and passes the progress of a search on.
 * SPDX-License-Identifier: MIT
 *
 * While a task runs, the protocol decides which lines must wait. They are stored one after another
 * in one string and are handled after the answer, up to the one that begins the next task.
 */
#include "protocols/engine.h"

#include "base/clock.h"
#include "base/flag.h"
#include "core/context.h"

static const struct protocol_ops *const protocols[] = { &protocol_qgp,	    &protocol_ugi,
							&protocol_uci,	    &protocol_xboard,
							&protocol_external, &protocol_hub,
							&protocol_gomocup,  &protocol_nboard,
							&protocol_gtp };
enum { PROTOCOLS = sizeof protocols / sizeof *protocols, MOVES_AFTER_US = 3000000 };

/*
 * The session is made first, because the other checks need the game. connection_free can release
 * any state in between.
 */
enum qv_status connection_new(const struct connection_setup *setup, struct connection **out,
			      struct qv_error *error)
{
	const struct qv_allocator *allocator = context_allocator(setup->context);
	const struct protocol_ops *ops = NULL;
	for (int i = 0; i < PROTOCOLS; i++)
		if (strcmp(protocols[i]->name, setup->protocol) == 0)
			ops = protocols[i];
	if (!ops)
		return qv_fail(
			error, QV_UNKNOWN,
			"protocol '%.40s': there are qgp, ugi, uci, xboard, external, hub, gomocup, nboard "
			"and gtp",
			setup->protocol);
	struct connection *c = mem_new(allocator, 1, sizeof *c);
	if (!c)
		return qv_fail(error, QV_NO_MEMORY, "engine: out of memory");
	c->ops = ops;
	c->no_times = setup->no_times;
	c->moves_after_us = setup->moves_after_us ? setup->moves_after_us
			    : setup->no_times	  ? INT64_MAX
						  : MOVES_AFTER_US;
	c->later.allocator = allocator;
	enum qv_status status = engine_init(&c->engine, setup, error);
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

/* The protocol's own data goes first: releasing it may need the game's rules. */
void connection_free(struct connection *c)
{
	if (!c)
		return;
	const struct qv_allocator *allocator = c->later.allocator;
	if (c->own && c->ops->release)
		c->ops->release(c);
	mem_free(allocator, c->own, c->ops->own_size);
	string_release(&c->later);
	engine_release(&c->engine);
	mem_free(allocator, c, sizeof *c);
}

/* ---- Lines ---- */

/* Bytes from 0x80 on are passed on as they are: names of files may be in any encoding. */
enum next_step connection_line(struct connection *c, char *line, size_t length, struct string *out)
{
	/* Remove NULs, unless the protocol is strict; then they are control characters. */
	size_t kept = 0;
	bool is_text = true;
	for (size_t i = 0; i < length; i++) {
		const unsigned char byte = (unsigned char)line[i];
		if (!byte && !c->ops->strict)
			continue;
		if (c->ops->drops_controls && byte != '\t' && (byte < ' ' || byte == 0x7f))
			continue;
		is_text &= (byte >= ' ' || byte == '\t') && byte != 0x7f;
		line[kept++] = line[i];
	}
	line[kept] = '\0';
	if (!is_text) {
		c->ops->bad_line(c, "the line holds control characters", out);
		return NEXT_LINE;
	}
	const enum next_step next = c->ops->line(c, words_trim(line), out);
	if (next == NEXT_QUIT)
		connection_end(c);
	return next;
}

void connection_line_too_long(struct connection *c, struct string *out)
{
	c->ops->bad_line(c, "the line is too long", out);
}

void connection_stop(struct connection *c)
{
	flag_set(&c->engine.stop, true);
}

/* Whatever begins later is stopped at once, so that a script without `quit` ends, too. */
void connection_end(struct connection *c)
{
	c->ended = true;
	connection_stop(c);
}

/*
 * When the queue is empty, its memory is used again from the start. The limit keeps a client that
 * never stops sending from filling the memory.
 */
bool connection_defer(struct connection *c, const char *line)
{
	const size_t length = strlen(line);
	if (!connection_waits(c))
		c->later.length = c->later_at = 0;
	if (c->later.length + length >= CONNECTION_LATER_MOST)
		return false;
	string_add(&c->later, line, length + 1);
	const bool stored = !c->later.failed;
	c->later.failed = false;
	return stored;
}

/* Lines before later_at have been handled. */
const char *connection_waiting(const struct connection *c, size_t *at)
{
	if (*at < c->later_at)
		*at = c->later_at;
	if (*at >= c->later.length)
		return NULL;
	const char *line = c->later.data + *at;
	*at += strlen(line) + 1;
	return line;
}

/* ---- Tasks ---- */

/* Call it only after engine_go and its like have succeeded. */
enum next_step connection_begin(struct connection *c)
{
	c->busy = true;
	c->began_us = clock_us();
	c->told = (struct qv_answer){ .move = QV_NO_MOVE };
	return NEXT_THINK;
}

/* Such a word behind another `go` is meant for that one. */
enum next_step connection_begin_queued(struct connection *c, const char *hit)
{
	const enum next_step next = connection_begin(c);
	size_t at = 0;
	for (const char *line; (line = connection_waiting(c, &at));) {
		if (strncmp(line, "go", 2) == 0 && (!line[2] || is_one_of(line[2], " \t")))
			break;
		if (strcmp(line, hit) == 0)
			engine_ponderhit(&c->engine);
		if (strcmp(line, "stop") == 0)
			connection_stop(c);
	}
	return next;
}

/* A search may end between two reports; its last result must be visible, too. */
void connection_last_info(struct connection *c, struct string *out)
{
	const struct qv_answer *a = &c->engine.answer, *told = &c->told;
	if (a->move != told->move || a->depth != told->depth || a->nodes != told->nodes ||
	    a->score != told->score || a->proven != told->proven || told->bound)
		c->ops->info(c, 1, a, out);
}

/* Where the lines of a task go. */
struct printer {
	struct connection *connection;
	connection_print *print;
	void *ctx;
};

/* Each report is a string of its own, because the thread of connection_line has another one. */
static void print_lines(const struct printer *p, struct string *lines)
{
	if (lines->length && !lines->failed) /* half a line is worse than none */
		p->print(p->ctx, lines);
	string_release(lines);
}

/* Runs in the searching thread. connection_answer reads `told` only after that thread's end. */
static void on_line(void *ctx, int line, const struct qv_answer *so_far)
{
	const struct printer *p = ctx;
	struct connection *c = p->connection;
	struct string lines = { .allocator = c->engine.allocator };
	if (line == 1)
		c->told = *so_far;
	c->ops->info(c, line, so_far, &lines);
	print_lines(p, &lines);
}

static void on_root_move(void *ctx, qv_move move, int n, int depth)
{
	const struct printer *p = ctx;
	struct string lines = { .allocator = p->connection->engine.allocator };
	p->connection->ops->root_move(p->connection, move, n, depth, &lines);
	print_lines(p, &lines);
}

/* Without a print function nothing is reported during the search, only at its end. */
void connection_think(struct connection *c, connection_print *print, void *ctx)
{
	struct printer printer = { c, print, ctx };
	const struct engine_listener listener = { .line = on_line,
						  .bounds = c->ops->bounds,
						  .root_move =
							  c->ops->root_move ? on_root_move : NULL,
						  .ctx = &printer };
	engine_run(&c->engine, print ? &listener : NULL);
}

/*
 * Returns NEXT_QUIT if a waiting line was `quit`. After connection_end the waiting lines are still
 * handled, but what they begin is stopped.
 */
enum next_step connection_answer(struct connection *c, struct string *out)
{
	enum next_step next = NEXT_LINE;
	c->ops->answer(c, out);
	c->busy = false;
	c->engine.task = TASK_NONE;
	/* Handle lines that have waited, up to one that begins a task. */
	while (next == NEXT_LINE && connection_waits(c)) {
		/* A copy, because the line may be queued again, behind the others. */
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
	if (next == NEXT_LINE && c->ops->idle && !c->ended)
		next = c->ops->idle(c, out);
	if (next == NEXT_THINK && c->ended)
		connection_stop(c);
	return next;
}
