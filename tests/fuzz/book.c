/*
 * book.c - fuzz target: an opening book, of whatever game it names; read, written, checked, merged
 * with itself and looked up.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"

#include "book/book.h"

static void hear(void *ctx, int line, const char *what)
{
	(void)line;
	fuzz_require(*what != '\0');
	++*(int *)ctx;
}

/* What was read is written, and reads back as the same. */
static void check_round_trip(const struct book *b)
{
	struct string text = { .allocator = b->allocator }, again = { .allocator = b->allocator };
	struct book copy = { 0 };
	struct qv_error error = { "" };
	book_write(b, &text);
	if (!text.failed) {
		const enum qv_status status =
			book_read(fuzz_games(), text.data, text.length, NULL, &copy, &error);
		fuzz_require(status == QV_OK || status == QV_NO_MEMORY);
		if (status == QV_OK) {
			fuzz_require(copy.item_count == b->item_count);
			fuzz_require(copy.place_count == b->place_count);
			fuzz_require(copy.choice_count == b->choice_count);
			book_write(&copy, &again);
			fuzz_require(again.failed ||
				     (again.length == text.length &&
				      memcmp(again.data, text.data, text.length) == 0));
		}
	}
	string_release(&text);
	string_release(&again);
	book_release(&copy);
}

/* What the book has in its own positions is legal there. */
static void check_options(const struct book *b)
{
	const struct qv_game *g = b->rules.game;
	struct book_option list[QV_MAX_MOVES];
	for (uint32_t i = 0; i < b->place_count && i < 64; i++) {
		const void *state = book_state(b, b->places[i].state);
		const int n = book_options(b, state, list);
		fuzz_require(n <= g->max_moves);
		for (int k = 0; k < n; k++)
			fuzz_require(qv_move_legal(g, state, list[k].move));
	}
}

static void check_merge(struct book *b, const char *text, size_t size)
{
	struct book more = { 0 };
	const uint32_t places = b->place_count;
	if (book_read(fuzz_games(), text, size, NULL, &more, NULL) == QV_OK &&
	    book_merge(b, &more, NULL) == QV_OK)
		fuzz_require(b->place_count == places);
	book_release(&more);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct book book = { 0 };
	struct qv_error error = { "" };
	int heard = 0, found = 0;
	const struct book_reporter ear = { hear, &heard };
	if (book_read(fuzz_games(), text, size, NULL, &book, &error) == QV_OK) {
		check_round_trip(&book);
		check_options(&book);
		check_merge(&book, text, size);
		if (book_check(&book, &ear, &found, &error) == QV_OK)
			fuzz_require(heard == found);
	} else {
		fuzz_require_reason(&error);
		/* With a reporter only a first line can be wrong, or memory short. */
		book = (struct book){ 0 };
		if (book_read(fuzz_games(), text, size, &ear, &book, &error) == QV_OK)
			fuzz_require(heard > 0);
	}
	book_release(&book);
	free(text);
	return 0;
}
