/*
 * wire.c - fuzz target: a protocol and a game on the first line, and then any lines to an engine.
 * In qgp every line that is no remark is closed by exactly one answer, and the engine goes on.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"

#include "base/lines.h"
#include "protocols/protocol.h"

/* Each thought makes a player anew, with a table of a megabyte or more: that is what takes time. */
enum { MOST_LINES = 100, MOST_THOUGHTS = 3 };

static void collect(void *ctx, const struct string *lines)
{
	string_add(ctx, lines->data, lines->length);
}

/* How many lines of the text close a command of qgp; all must be whole and clean. */
static int closings(const struct string *out)
{
	static const char *const words[] = { "ok\n", "error ", "bestmove ", "value ", "pong" };
	int count = 0;
	fuzz_require(!out->length || out->data[out->length - 1] == '\n');
	for (size_t i = 0; i < out->length; i++) {
		fuzz_require(out->data[i] != '\0' && out->data[i] != '\r');
		if (i && out->data[i - 1] != '\n')
			continue;
		for (size_t k = 0; k < sizeof words / sizeof *words; k++)
			count += strncmp(out->data + i, words[k], strlen(words[k])) == 0;
	}
	return count;
}

static bool is_remark(const char *line, size_t length)
{
	size_t i = 0;
	while (i < length && (line[i] == ' ' || line[i] == '\t'))
		i++;
	return i == length || line[i] == '#';
}

/* False: that was the last line. Whoever thinks is stopped at once; *thoughts are left. */
static bool feed(struct connection *w, char *line, size_t length, bool qgp, int *thoughts)
{
	struct string out = { .allocator = &mem_malloc };
	const bool remark = is_remark(line, length) && strlen(line) == length;
	const enum next_step next = connection_line(w, line, length, &out);
	if (next == NEXT_THINK) {
		--*thoughts;
		connection_stop(w);
		connection_think(w, collect, &out);
		connection_answer(w, &out);
	}
	string_add(&out, "", 1);
	out.length--;
	const int closed = closings(&out);
	if (qgp && next != NEXT_QUIT)
		fuzz_require(closed == 1 || (remark && closed == 0));
	string_release(&out);
	return next != NEXT_QUIT && *thoughts > 0;
}

static void feed_all(struct connection *w, const uint8_t *data, size_t size, bool qgp)
{
	struct lines lines;
	char *line;
	size_t length, room;
	int count = 0, thoughts = MOST_THOUGHTS;
	fuzz_require(lines_init(&lines, &mem_malloc, 1000) == QV_OK);
	while (size) {
		char *to = lines_space(&lines, &room);
		const size_t part = size < room ? size : room;
		memcpy(to, data, part);
		lines_took(&lines, part);
		data += part;
		size -= part;
		enum lines_got got;
		while ((got = lines_next(&lines, &line, &length)) != LINES_NONE)
			if (got == LINES_LINE &&
			    (count++ > MOST_LINES || !feed(w, line, length, qgp, &thoughts))) {
				lines_release(&lines);
				return;
			}
	}
	if (lines_last(&lines, &line, &length) == LINES_LINE)
		feed(w, line, length, qgp, &thoughts);
	lines_release(&lines);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), *rest = fuzz_next_line(text);
	const bool qgp = strncmp(text, "qgp ", 4) == 0, external = strncmp(text, "ext ", 4) == 0;
	const bool gomocup = strncmp(text, "gom ", 4) == 0;
	struct qv_error error;
	struct connection *w = NULL;
	const struct connection_setup setup = {
		.context = fuzz_games(),
		.protocol = qgp	       ? "qgp"
			    : external ? "external"
			    : gomocup  ? "gomocup"
				       : "ugi",
		/* Others take more memory than there is. */
		.player = external || gomocup ? "random" : NULL,
		.game = strlen(text) > 4 ? text + 4 : text,
		.defaults = { .seed = 1, .threads = 1, .hash_mb = 0 },
		.no_times = true
	};
	if (connection_new(&setup, &w, &error) == QV_OK)
		feed_all(w, data + (rest - text), size - (size_t)(rest - text), qgp);
	else
		fuzz_require_reason(&error);
	connection_free(w);
	free(text);
	return 0;
}
