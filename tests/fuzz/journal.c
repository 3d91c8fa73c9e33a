/*
 * journal.c - fuzz target: any bytes as the journal of a match. What is accepted and written again
 * must be accepted, and say the same of every finished game.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"

#include "match/journal.h"

static void check_game(const struct qv_context *context, const struct journal_contents *c,
		       int64_t number, struct string *again)
{
	struct match_game game;
	fuzz_require(journal_take(c, number, &game, NULL) == QV_OK);
	fuzz_require(game.number == number);
	const size_t from = again->length;
	journal_add_game(again, c->header.plan.rules.game->seats, &game, false);
	match_game_release(&game);
	fuzz_require(journal_read_game(context, &c->header.plan, again->data + from,
				       again->length - from, &game, NULL) == QV_OK);
	fuzz_require(game.number == number);
	match_game_release(&game);
}

/* Without its first line a journal may be a single game, or not. */
static void check_single(const struct qv_context *context, const struct journal_contents *c,
			 const char *data, size_t size)
{
	struct match_game game;
	const char *end = memchr(data, '\n', size);
	fuzz_require(end != NULL);
	const size_t from = (size_t)(end - data) + 1;
	const bool is_one = journal_read_game(context, &c->header.plan, data + from, size - from,
					      &game, NULL) == QV_OK;
	fuzz_require(!is_one || c->finished == 1);
	if (is_one)
		match_game_release(&game);
}

static void check_round_trip(const struct qv_context *context, const struct journal_contents *c,
			     const char *data, size_t size)
{
	struct string again = { .allocator = &mem_malloc };
	struct journal_contents second;
	const char *end = memchr(data, '\n', size);
	fuzz_require(end != NULL);
	string_add(&again, data, (size_t)(end - data) + 1);
	for (int64_t i = 0; i < c->header.plan.games; i++)
		if (c->games[i].finished)
			check_game(context, c, i, &again);
	fuzz_require(journal_parse(context, again.data, again.length, &second, NULL) == QV_OK);
	fuzz_require(second.finished == c->finished && second.whole == again.length);
	journal_contents_release(&second);
	string_release(&again);
}

/* A plan that was read, written and read again is the same plan. */
static void check_header(const struct qv_context *context, const struct journal_contents *c)
{
	struct header_plan second = { 0 };
	json_t *written = header_of_plan(&c->header.plan);
	fuzz_require(written != NULL);
	fuzz_require(header_read(context, written, &second, NULL) == QV_OK);
	json_t *again = header_of_plan(&second.plan);
	fuzz_require(header_compare(written, again, NULL) == QV_OK);
	json_object_set_new(json_object_get(again, "match"), "games", json_string("many"));
	fuzz_require(header_compare(written, again, NULL) == QV_BAD_INPUT);
	json_decref(again);
	header_release(&second);
	json_decref(written);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct qv_context *context = fuzz_context();
	struct journal_contents contents = { 0 };
	struct qv_error error = { "" };
	if (journal_parse(context, (const char *)data, size, &contents, &error) == QV_OK) {
		fuzz_require(contents.whole <= size);
		if (contents.header.allocator)
			check_header(context, &contents);
		if (contents.games) {
			check_round_trip(context, &contents, (const char *)data, size);
			check_single(context, &contents, (const char *)data, size);
		}
		journal_contents_release(&contents);
	} else {
		fuzz_require(strstr(error.text, ": ") != NULL);
	}
	qv_context_free(context);
	return 0;
}
