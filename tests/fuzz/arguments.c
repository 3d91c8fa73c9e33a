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

/* Commands that have every kind of option. */
struct values {
	int64_t lines, format;
	const char *offer;
	struct option_list hosts;
};

static const struct option first_options[] = {
	COMMAND_OPTION(struct values, "lines", OPTION_INT, lines, .min = 1, .max = 9, .value = "N"),
	COMMAND_OPTION(struct values, "offer", OPTION_POINTER, offer, .optional_value = true,
		       .value = "COLOR"),
	{ 0 },
};

static const struct option other_options[] = {
	COMMAND_OPTION(struct values, "format", OPTION_CHOICE, format, .choices = "text|svg"),
	COMMAND_OPTION(struct values, "allow-host", OPTION_LIST, hosts, .max = 2, .value = "NAME"),
	{ 0 },
};

static enum qv_status no_run(struct cli *c)
{
	(void)c;
	return QV_OK;
}

static const struct command show = { .name = "show",
				     .run = no_run,
				     .options = OPTION_GROUPS(first_options, moves_options,
							      position_options, san_option,
							      common_options) };
static const struct command replay = { .name = "replay",
				       .run = no_run,
				       .options = OPTION_GROUPS(other_options, moves_options,
								position_options, notions_option,
								common_options) };
static const struct command alone = { .name = "quevedo",
				      .run = no_run,
				      .options = OPTION_GROUPS(common_options) };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct command *const all[] = { &show, &replay, NULL };
	const struct command *command = NULL;
	char *text = fuzz_text(data, size), *words[WORDS + 1];
	struct cli c = { .context = fuzz_context() };
	const int count = split(text, words);
	if (arguments_parse(&c.args, all, &alone, count, words, &command, &c.error) != QV_OK)
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
