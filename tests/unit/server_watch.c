/*
 * server_watch.c - journals as a page sees them, held against the matches they were written by.
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE      /* for flock */
#include "support/check.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "match/match.h"
#include "server/api/match_files.h"

static const struct match_player players[] = { { "first", "alphabeta:nodes=200,random=1" },
					       { "second", "random" } };
enum { GAMES = 7 };

struct opened_position {
	char folder[64], path[128];
	struct qv_context *context;
	struct match_totals totals;
};

static int open_place(void **state)
{
	static struct opened_position place;
	struct match_plan plan = { .players = players, .player_count = 2, .games = GAMES,
				   .seed = 3, .hash_mb = 1 };
	struct qv_error error = { "" };
	place = (struct opened_position){ "/tmp/quevedo-watch-XXXXXX", "", qv_context_new(NULL), { 0 } };
	assert_non_null(mkdtemp(place.folder));
	snprintf(place.path, sizeof place.path, "%s/final.jsonl", place.folder);
	assert_int_equal(qv_rules_parse(place.context, "connect4", &plan.rules, &error), QV_OK);
	const struct match_run run = { .journal = place.path };
	assert_int_equal(match_run(place.context, &plan, &run, &place.totals, &error), QV_OK);
	*state = &place;
	return 0;
}

static int close_place(void **state)
{
	struct opened_position *place = *state;
	totals_release(&place->totals);
	unlink(place->path);
	assert_int_equal(rmdir(place->folder), 0);
	qv_context_free(place->context);
	return 0;
}

static json_int_t number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);
	assert_true(json_is_integer(value));
	return json_integer_value(value);
}

static const char *word(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));
	assert_non_null(text);
	return text;
}

static json_t *look(const struct opened_position *place, const char *name)
{
	json_t *match = NULL;
	struct qv_error error = { "" };
	if (match_file_read(place->context, place->folder, name, &match, &error) != QV_OK)
		fail_msg("%s", error.text);
	return match;
}

static void test_watch__lists_journals_and_nothing_else(void **state)
{
	const struct opened_position *place = *state;
	char other[128];
	snprintf(other, sizeof other, "%s/notes.txt", place->folder);
	FILE *file = fopen(other, "w");
	assert_non_null(file);
	fputs("no journal\n", file);
	fclose(file);
	json_t *list = match_files_list(place->context, place->folder);
	unlink(other);
	assert_int_equal(json_array_size(list), 1);
	const json_t *entry = json_array_get(list, 0);
	assert_string_equal(word(entry, "name"), "final.jsonl");
	assert_string_equal(word(entry, "game"), "connect4");
	assert_int_equal(number(entry, "games"), GAMES);
	assert_int_equal(number(entry, "planned"), GAMES);
	assert_true(json_is_false(json_object_get(entry, "running")));
	json_decref(list);
	list = match_files_list(place->context, "/nowhere");
	assert_int_equal(json_array_size(list), 0);
	json_decref(list);
}

static void test_watch__standings_are_those_of_the_match(void **state)
{
	const struct opened_position *place = *state;
	json_t *match = look(place, "final.jsonl");
	const json_t *standings = json_object_get(match, "standings");
	assert_int_equal(json_array_size(standings), 2);
	double shares = 2;
	for (size_t i = 0; i < 2; i++) {
		const json_t *line = json_array_get(standings, i);
		const int who = strcmp(word(line, "name"), "second") == 0;
		const struct match_total *t = &place->totals.total[who];
		assert_int_equal(number(line, "games"), t->games);
		assert_int_equal(number(line, "wins"), t->wins);
		assert_int_equal(number(line, "draws"), t->draws);
		assert_int_equal(number(line, "losses"), t->losses);
		const double points = json_real_value(json_object_get(line, "points"));
		assert_true(points == t->shares && points / GAMES <= shares);
		shares = points / GAMES;
	}
	assert_int_equal(json_array_size(json_object_get(match, "elo")), GAMES);
	assert_int_equal(json_array_size(json_object_get(match, "list")), GAMES);
	assert_true(json_is_null(json_object_get(match, "live")));
	json_decref(match);
}

/* Each game, walked from its start, ends as the list says. */
static void test_watch__games_can_be_played_again(void **state)
{
	const struct opened_position *place = *state;
	json_t *match = look(place, "final.jsonl");
	for (int n = 1; n <= GAMES; n++) {
		json_t *game = NULL;
		struct qv_error error = { "" };
		struct qv_record *record = NULL;
		assert_int_equal(match_file_game(place->context, place->folder, "final.jsonl", n, &game,
					    &error),
				 QV_OK);
		const json_t *entry =
			json_array_get(json_object_get(match, "list"), (size_t)n - 1);
		const char *journal = word(game, "record");
		assert_int_equal(qv_record_load(place->context, journal, strlen(journal), &record,
						&error),
				 QV_OK);
		assert_int_equal(qv_record_ply(record), number(entry, "plies"));
		assert_int_equal(json_array_size(json_object_get(game, "moves")),
				 number(entry, "plies"));
		assert_string_equal(word(game, "result"), word(entry, "result"));
		assert_string_equal(word(entry, "end"), "rules");
		assert_true(json_equal(json_object_get(game, "seats"),
				       json_object_get(entry, "seats")));
		qv_record_free(record);
		json_decref(game);
	}
	json_decref(match);
}

/* A journal cut off anywhere after its plan is a match that goes on. */
static void test_watch__reads_a_journal_that_is_being_written(void **state)
{
	const struct opened_position *place = *state;
	struct stat facts;
	char cut[128];
	snprintf(cut, sizeof cut, "%s/cut", place->folder);
	FILE *whole = fopen(place->path, "r");
	assert_non_null(whole);
	assert_int_equal(fstat(fileno(whole), &facts), 0);
	char *bytes = malloc((size_t)facts.st_size);
	assert_int_equal(fread(bytes, 1, (size_t)facts.st_size, whole), facts.st_size);
	fclose(whole);
	const size_t header = (size_t)((char *)memchr(bytes, '\n', (size_t)facts.st_size) - bytes);
	bool live = false;
	for (size_t size = header + 1; size < (size_t)facts.st_size; size += 211) {
		const int file = open(cut, O_RDWR | O_CREAT | O_TRUNC, 0600);
		assert_int_equal(write(file, bytes, size), size);
		assert_int_equal(flock(file, LOCK_EX), 0);
		json_t *match = look(place, "cut");
		assert_true(json_is_true(json_object_get(match, "running")));
		assert_true(number(match, "games") <= GAMES);
		live |= json_is_object(json_object_get(match, "live"));
		json_decref(match);
		close(file);
	}
	assert_true(live);
	const uint64_t before = match_file_stamp(place->folder, "cut");
	assert_int_equal(truncate(cut, 5), 0);
	assert_true(before && match_file_stamp(place->folder, "cut") != before);
	unlink(cut);
	assert_int_equal(match_file_stamp(place->folder, "cut"), 0);
	free(bytes);
}

static void test_watch__refuses_what_is_not_there(void **state)
{
	const struct opened_position *place = *state;
	static const char *const names[] = { "", ".", "..", "../final.jsonl", "none", "a/b",
					     "final.jsonl\n", ".hidden" };
	json_t *out = NULL;
	struct qv_error error = { "" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_int_equal(match_file_read(place->context, place->folder, names[i], &out, &error),
				 QV_UNKNOWN);
	static const int64_t numbers[] = { 0, -1, GAMES + 1, INT64_MAX, INT64_MIN };
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		assert_int_equal(match_file_game(place->context, place->folder, "final.jsonl",
					    numbers[i], &out, &error),
				 QV_UNKNOWN);
	assert_null(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_watch__lists_journals_and_nothing_else),
		cmocka_unit_test(test_watch__standings_are_those_of_the_match),
		cmocka_unit_test(test_watch__games_can_be_played_again),
		cmocka_unit_test(test_watch__reads_a_journal_that_is_being_written),
		cmocka_unit_test(test_watch__refuses_what_is_not_there),
	};
	return cmocka_run_group_tests_name("server_watch", tests, open_place, close_place);
}
