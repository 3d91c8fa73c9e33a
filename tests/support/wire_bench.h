/*
 * wire_bench.h - an engine without a process, to which a test passes lines: for transcripts. And
 * managers, to which it passes the lines of an engine.
 * SPDX-License-Identifier: MIT
 */
#ifndef SUPPORT_WIRE_BENCH_H
#define SUPPORT_WIRE_BENCH_H

#include "support/check.h"
#include "support/desk.h"

#include <stdlib.h>

#include "protocols/manager.h"
#include "protocols/protocol.h"

struct bench {
	struct qv_context *context;
	struct connection *connection;
	struct string out;
	bool stop_first;	/* the stop comes before the thinking has begun */
	int64_t moves_after_us; /* as in struct connection_setup */
};

static inline void collect(void *ctx, const struct string *lines)
{
	struct bench *b = ctx;
	string_add(&b->out, lines->data, lines->length);
}

static inline void bench_open_game(struct bench *b, const char *protocol, const char *game,
				   const char *player)
{
	struct qv_error error = { "" };
	b->context = desk_context(NULL);
	b->out = (struct string){ .allocator = &mem_malloc };
	const struct connection_setup setup = {
		.context = b->context,
		.protocol = protocol,
		.game = game,
		.player = player,
		.defaults = { .seed = 1, .threads = 1, .hash_mb = 1 },
		.no_times = true,
		.moves_after_us = b->moves_after_us
	};
	if (connection_new(&setup, &b->connection, &error) != QV_OK)
		fail_msg("%s", error.text);
}

/* The same with the protocol's own game. */
static inline void bench_open(struct bench *b, const char *protocol, const char *player)
{
	bench_open_game(b, protocol, strcmp(protocol, "hub") == 0 ? "draughts" : "chess", player);
}

static inline void bench_close(struct bench *b)
{
	connection_free(b->connection);
	string_release(&b->out);
	qv_context_free(b->context);
}

static inline enum next_step feed(struct bench *b, const char *bytes)
{
	const size_t length = strlen(bytes);
	char *line = malloc(length + 1);
	memcpy(line, bytes, length + 1);
	const enum next_step next = connection_line(b->connection, line, length, &b->out);
	free(line);
	return next;
}

static inline const char *text_of(struct bench *b)
{
	string_add(&b->out, "", 1);
	b->out.length--;
	return b->out.data;
}

/* All tasks that a line begins, to their end. */
static inline void finish(struct bench *b, enum next_step next)
{
	while (next == NEXT_THINK) {
		if (b->stop_first)
			connection_stop(b->connection);
		connection_think(b->connection, collect, b);
		next = connection_answer(b->connection, &b->out);
	}
}

/* What a line is answered, thinking included; stands until the next call. */
static inline const char *ask(struct bench *b, const char *line)
{
	b->out.length = 0;
	finish(b, feed(b, line));
	return text_of(b);
}

struct turn {
	const char *line, *answer;
};

/* An answer that begins with '*' is the end of what is said. */
static inline void transcript(const char *protocol, const char *player, const struct turn *turns)
{
	struct bench b = { 0 };
	bench_open(&b, protocol, player);
	for (int i = 0; turns[i].line; i++) {
		const char *answer = ask(&b, turns[i].line), *want = turns[i].answer;
		const size_t all = strlen(answer), part = *want == '*' ? strlen(want + 1) : 0;
		const bool same =
			*want == '*' ? all >= part && strcmp(answer + all - part, want + 1) == 0
				     : strcmp(answer, want) == 0;
		if (!same)
			fail_msg("line %d, '%s': expected '%s', got '%s'", i, turns[i].line, want,
				 answer);
	}
	bench_close(&b);
}

/* ---- Managers ---- */

/* Passes a line of the engine to its manager. */
static inline enum manager_event tell(struct manager *m, const char *line)
{
	char copy[512];
	snprintf(copy, sizeof copy, "%s", line);
	return m->ops->line(m, copy, strlen(copy));
}

/* What the manager has sent since the last call. */
static inline const char *said(struct string *out)
{
	string_add(out, "", 1);
	out->length = 0;
	return out->data;
}

#endif
