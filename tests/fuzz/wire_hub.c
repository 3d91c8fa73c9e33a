/*
 * wire_hub.c - fuzz target: any lines to an engine for draughts that speaks Hub. A line that begins
 * with '!' comes while it searches. Every search is answered once, by `done` or an error.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"

#include "protocols/protocol.h"

enum { MOST_LINES = 100, MOST_SEARCHES = 12 };

struct table {
	struct connection *connection;
	struct string out;
	enum next_step next;
	int searches; /* left */
};

static void collect(void *ctx, const struct string *lines)
{
	string_add(ctx, lines->data, lines->length);
}

/* All lines must be whole, and those of the protocol; returns the number that answer a search. */
static int check_output(struct string *out)
{
	static const char *const words[] = { "done move=", "error message=", "info depth=", "id name=",
					     "param name=", "wait\n", "ready\n", "pong\n" };
	enum { WORDS = sizeof words / sizeof *words };
	int answers = 0;
	string_add(out, "", 1);
	out->length--;
	fuzz_require(!out->length || out->data[out->length - 1] == '\n');
	fuzz_require(strlen(out->data) == out->length);
	for (const char *line = out->data; *line; line = strchr(line, '\n') + 1) {
		int word = 0, quotes = 0;
		while (word < WORDS && strncmp(line, words[word], strlen(words[word])) != 0)
			word++;
		fuzz_require(word < WORDS);
		for (const char *c = line; *c != '\n'; c++)
			quotes += *c == '"';
		fuzz_require(quotes % 2 == 0);
		answers += word < 2;
	}
	return answers;
}

/* Does every task to its end; each is stopped at once. */
static void finish(struct table *t)
{
	while (t->next == NEXT_THINK && t->searches > 0) {
		t->searches--;
		t->out.length = 0;
		connection_stop(t->connection);
		connection_think(t->connection, collect, &t->out);
		t->next = connection_answer(t->connection, &t->out);
		fuzz_require(check_output(&t->out) >= 1);
	}
}

/* False: that was the last line. */
static bool feed(struct table *t, char *line)
{
	const bool meanwhile = *line == '!';
	if (!meanwhile)
		finish(t);
	if (t->next == NEXT_THINK && !meanwhile)
		return false;
	t->out.length = 0;
	const enum next_step next =
		connection_line(t->connection, line + meanwhile, strlen(line + meanwhile), &t->out);
	check_output(&t->out);
	fuzz_require(next != NEXT_THINK || t->next != NEXT_THINK);
	if (next != NEXT_LINE)
		t->next = next == NEXT_QUIT && t->next == NEXT_THINK ? NEXT_THINK : next;
	return next != NEXT_QUIT;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), *line = text, *next;
	struct qv_error error;
	struct table t = { .out = { .allocator = &mem_malloc }, .searches = MOST_SEARCHES };
	const struct connection_setup setup = {
		.context = fuzz_games(),
		.protocol = "hub",
		.game = "draughts",
		.player = "alphabeta:depth=1,tt=0",
		.defaults = { .seed = 1, .threads = 1, .hash_mb = 0 },
		.no_times = true
	};
	fuzz_require(connection_new(&setup, &t.connection, &error) == QV_OK);
	for (int count = 0; *line && count < MOST_LINES; line = next, count++) {
		next = fuzz_next_line(line);
		if (!feed(&t, line))
			break;
	}
	connection_end(t.connection);
	finish(&t);
	connection_free(t.connection);
	string_release(&t.out);
	free(text);
	return 0;
}
