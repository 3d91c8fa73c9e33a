/*
 * wire_chess.c - fuzz target: `uci` or `xboard` on the first line, and then any lines to an engine
 * for chess. A line that begins with '!' comes while it thinks about what came before. Every `go`
 * of UCI is answered, that of `perft` by a sum.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"

#include "protocols/protocol.h"

enum { MOST_LINES = 100, MOST_THOUGHTS = 12 };

struct table {
	struct connection *connection;
	bool uci;
	struct string out;
	enum next_step next;
	int thoughts;              /* left */
};

static void collect(void *ctx, const struct string *lines)
{
	string_add(ctx, lines->data, lines->length);
}

static int count_moves(const struct string *out)
{
	int count = 0;
	for (size_t i = 0; i < out->length; i++)
		if ((!i || out->data[i - 1] == '\n') &&
		    (strncmp(out->data + i, "bestmove ", 9) == 0 ||
		     strncmp(out->data + i, "Nodes searched: ", 16) == 0 ||
		     strncmp(out->data + i, "info string error: perft: ", 26) == 0))
			count++;
	return count;
}

static void check_output(struct string *out)
{
	string_add(out, "", 1);
	out->length--;
	fuzz_require(!out->length || out->data[out->length - 1] == '\n');
	for (size_t i = 0; i < out->length; i++)
		fuzz_require(out->data[i] != '\0' && out->data[i] != '\r');
}

/* Every task to its end; whoever thinks is stopped at once. */
static void finish(struct table *t)
{
	while (t->next == NEXT_THINK && t->thoughts > 0) {
		t->thoughts--;
		t->out.length = 0;
		connection_stop(t->connection);
		connection_think(t->connection, collect, &t->out);
		t->next = connection_answer(t->connection, &t->out);
		check_output(&t->out);
		if (t->uci)
			fuzz_require(count_moves(&t->out) >= 1);
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
	char *text = fuzz_text(data, size), *line = fuzz_next_line(text), *next;
	struct qv_error error;
	struct table t = { .uci = strcmp(text, "xboard") != 0,
			   .out = { .allocator = &mem_malloc },
			   .thoughts = MOST_THOUGHTS };
	const struct connection_setup setup = {
		.context = fuzz_games(),
		.protocol = t.uci ? "uci" : "xboard",
		.game = "chess",
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
