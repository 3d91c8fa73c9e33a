/*
 * wire.h - an engine that gets the lines of an input, for the fuzz targets of protocols. A line that
 * begins with '!' comes while the engine searches. Each search is stopped at once.
 * SPDX-License-Identifier: MIT
 */
#ifndef FUZZ_WIRE_H
#define FUZZ_WIRE_H

#include "fuzz/fuzz.h"

#include "protocols/protocol.h"

struct wire {
	/*
	 * Checks the output, which is whole lines and ends with NUL. Returns how many of them
	 * answer a search.
	 */
	int (*check)(const struct string *out);
	bool answers; /* every search has an answer */
	struct connection *connection;
	struct string out;
	enum next_step next;
	int searches, books; /* left */
};

static inline void wire_collect(void *ctx, const struct string *lines)
{
	string_add(ctx, lines->data, lines->length);
}

static inline int wire_check(struct wire *w)
{
	string_add(&w->out, "", 1);
	w->out.length--;
	fuzz_require(!w->out.length || w->out.data[w->out.length - 1] == '\n');
	return w->check(&w->out);
}

/* Does every task to its end. */
static inline void wire_finish(struct wire *w)
{
	while (w->next == NEXT_THINK && w->searches > 0) {
		w->searches--;
		w->out.length = 0;
		connection_stop(w->connection);
		connection_think(w->connection, wire_collect, &w->out);
		w->next = connection_answer(w->connection, &w->out);
		fuzz_require(wire_check(w) >= 1 || !w->answers);
	}
}

/* False: that was the last line. */
static inline bool wire_feed(struct wire *w, char *line)
{
	const bool meanwhile = *line == '!';
	/* Reading a book of our own, and writing what it has, take as long as thousands of lines. */
	if ((strstr(line, "own:") || strcmp(line, "bk") == 0) && w->books-- <= 0)
		return true;
	if (!meanwhile)
		wire_finish(w);
	if (w->next == NEXT_THINK && !meanwhile)
		return false;
	w->out.length = 0;
	const enum next_step next =
		connection_line(w->connection, line + meanwhile, strlen(line + meanwhile), &w->out);
	wire_check(w);
	fuzz_require(next != NEXT_THINK || w->next != NEXT_THINK);
	if (next != NEXT_LINE)
		w->next = next == NEXT_QUIT && w->next == NEXT_THINK ? NEXT_THINK : next;
	return next != NEXT_QUIT;
}

/* Passes the lines to an engine with this protocol and game. */
static inline void wire_run(struct wire *w, const char *protocol, const char *game, char *line)
{
	enum { MOST_LINES = 100, MOST_SEARCHES = 12, MOST_BOOKS = 8 };
	struct qv_error error;
	const struct connection_setup setup = {
		.context = fuzz_games(),
		.protocol = protocol,
		.game = game,
		.player = "alphabeta:depth=1,tt=0",
		.defaults = { .seed = 1, .threads = 1, .hash_mb = 0 },
		.no_times = true
	};
	w->out = (struct string){ .allocator = &mem_malloc };
	w->searches = MOST_SEARCHES;
	w->books = MOST_BOOKS;
	fuzz_require(connection_new(&setup, &w->connection, &error) == QV_OK);
	for (int count = 0; *line && count < MOST_LINES; count++) {
		char *next = fuzz_next_line(line);
		if (!wire_feed(w, line))
			break;
		line = next;
	}
	connection_end(w->connection);
	wire_finish(w);
	connection_free(w->connection);
	string_release(&w->out);
}

#endif
