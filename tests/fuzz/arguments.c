/*
 * arguments.c - fuzz target: a command line, one word a line, and the position that it names.
 * SPDX-License-Identifier: MIT
 */
#include "cli/cli.h"
#include "fuzz/fuzz.h"

enum { WORDS = 16 };

static int split(char *text, char *words[WORDS + 1])
{
	int count = 0;
	words[count++] = "quevedo";
	while (*text && count < WORDS) {
		char *next = fuzz_next_line(text);
		words[count++] = text;
		text = next;
	}
	words[count] = NULL;
	return count;
}

static void open_position(struct cli *c)
{
	struct position p;
	char text[QV_POSITION_TEXT];
	struct qv_text out = { text, sizeof text, 0 };
	if (position_open(c, c->args.words[1], c->args.words[2], &p) != QV_OK) {
		fuzz_require_reason(&c->error);
		return;
	}
	p.rules.game->position_text(p.state, &out);
	fuzz_require(out.length > 0 && out.length < sizeof text);
	position_release(&p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), *words[WORDS + 1];
	struct cli c = { .context = fuzz_context() };
	const int count = split(text, words);
	if (arguments_parse(&c.args, count, words, &c.error) != QV_OK)
		fuzz_require_reason(&c.error);
	/* An input must not read whatever is on the disk. */
	if (c.args.moves_from && *c.args.moves_from)
		c.args.moves_from = "/dev/null";
	if (c.args.position_from && *c.args.position_from)
		c.args.position_from = "/dev/null";
	if (!c.error.text[0] && c.args.word_count > 1 && c.args.word_count <= MAX_WORDS)
		open_position(&c);
	qv_context_free(c.context);
	free(text);
	return 0;
}
