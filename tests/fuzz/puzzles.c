/*
 * puzzles.c - fuzz target: any bytes as a file of puzzles. One that is accepted is written and read
 * again as the same text, and can be checked.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"

#include "puzzle/puzzle.h"

enum { MOST_NODES = 2000 };

/* Checking may fail, but not without a reason. */
static void check_all(const struct qv_context *context, const struct puzzle_list *list)
{
	struct puzzle_checker *checker = NULL;
	struct qv_error error = { "" };
	uint64_t used;
	if (list->rules.game->chance) /* roll-outs take long */
		return;
	if (puzzle_checker_new(context, &list->rules, 1, 36, &checker, &error) != QV_OK)
		return; /* little memory */
	for (int i = 0; i < list->count && i < 4; i++)
		if (puzzle_check(checker, &list->puzzles[i], MOST_NODES, NULL, &used, &error) != QV_OK)
			fuzz_require_reason(&error);
	puzzle_checker_free(checker);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct qv_context *context = fuzz_context();
	struct puzzle_list list, again;
	struct qv_error error = { "" };
	const struct qv_allocator memory = { fuzz_resize, NULL };
	if (puzzles_read(context, (const char *)data, size, &list, &error) == QV_OK) {
		struct string one = { .allocator = &memory }, two = { .allocator = &memory };
		puzzles_write(&list, NULL, &one);
		fuzz_require(puzzles_read(context, one.data, one.length, &again, &error) == QV_OK);
		puzzles_write(&again, NULL, &two);
		fuzz_require(one.length == two.length && memcmp(one.data, two.data, one.length) == 0);
		check_all(context, &list);
		string_release(&one);
		string_release(&two);
		puzzles_release(&again);
		puzzles_release(&list);
	} else {
		fuzz_require(strchr(error.text, ':') != NULL);
	}
	qv_context_free(context);
	return 0;
}
