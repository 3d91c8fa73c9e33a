/*
 * learned.c - fuzz target: a learner's file, for the game that it names.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"

#include "core/learned_moves.h"

/* The game of the first line, or noughts, if there is none of that name. */
static struct qv_rules rules_of(const struct qv_context *context, const char *text)
{
	static const char head[] = "quevedo-learned 1 ";
	struct qv_rules rules;
	char name[128] = "noughts";
	if (strncmp(text, head, sizeof head - 1) == 0)
		snprintf(name, sizeof name, "%.*s", (int)strcspn(text + sizeof head - 1, "\n"),
			 text + sizeof head - 1);
	if (qv_rules_parse(context, name, &rules, NULL) != QV_OK)
		fuzz_require(qv_rules_parse(context, "noughts", &rules, NULL) == QV_OK);
	return rules;
}

/* What was read is written, and reads back as the same. */
static void check_round_trip(const struct learned *l)
{
	struct string text = { .allocator = l->allocator }, again = { .allocator = l->allocator };
	struct learned copy = learned_make(l->allocator, &l->rules);
	learned_write(l, &text);
	if (!text.failed) {
		fuzz_require(learned_read(&copy, text.data, text.length, NULL) == QV_OK);
		fuzz_require(copy.count == l->count);
		learned_write(&copy, &again);
		fuzz_require(again.failed || (again.length == text.length &&
					      memcmp(again.data, text.data, text.length) == 0));
	}
	string_release(&text);
	string_release(&again);
	learned_release(&copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct qv_allocator allocator = { fuzz_resize, NULL };
	char *text = fuzz_text(data, size);
	const struct qv_rules rules = rules_of(fuzz_games(), text);
	struct learned l = learned_make(&allocator, &rules);
	struct qv_error error = { "" };
	if (learned_read(&l, text, size, &error) == QV_OK)
		check_round_trip(&l);
	else
		fuzz_require_reason(&error);
	learned_release(&l);
	free(text);
	return 0;
}
