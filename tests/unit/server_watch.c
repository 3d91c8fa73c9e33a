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

#define HERE(place_) (&(struct match_folder){ .context = (place_)->context, .path = (place_)->folder })

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
	if (match_file_read(HERE(place), name, &match, &error) != QV_OK)
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
	json_t *list = match_files_list(HERE(place));
	unlink(other);
	assert_int_equal(json_array_size(list), 1);
	const json_t *entry = json_array_get(list, 0);
	assert_string_equal(word(entry, "name"), "final.jsonl");
	assert_string_equal(word(entry, "game"), "connect4");
	assert_int_equal(number(entry, "games"), GAMES);
	assert_int_equal(number(entry, "planned"), GAMES);
	assert_true(json_is_false(json_object_get(entry, "running")));
	json_decref(list);
	list = match_files_list(&(struct match_folder){ .context = place->context, .path = "/nowhere" });
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
		assert_int_equal(match_file_game(HERE(place), "final.jsonl", n, &game,
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
		assert_int_equal(match_file_read(HERE(place), names[i], &out, &error),
				 QV_UNKNOWN);
	static const int64_t numbers[] = { 0, -1, GAMES + 1, INT64_MAX, INT64_MIN };
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		assert_int_equal(match_file_game(HERE(place), "final.jsonl",
					    numbers[i], &out, &error),
				 QV_UNKNOWN);
	assert_null(out);
}

/* ---- What is read ---- */

/* Copies the journal, and makes the copy as long as that if it is shorter. */
static void copy_journal(const struct opened_position *place, const char *path, off_t least)
{
	char buffer[4096];
	FILE *in = fopen(place->path, "rb"), *out = fopen(path, "wb");
	assert_true(in && out);
	for (size_t n; (n = fread(buffer, 1, sizeof buffer, in)) > 0;)
		assert_int_equal(fwrite(buffer, 1, n, out), n);
	fclose(in);
	fclose(out);
	struct stat facts;
	assert_int_equal(stat(path, &facts), 0);
	if (facts.st_size < least)
		assert_int_equal(truncate(path, least), 0);
}

static int64_t bytes_of(const char *path)
{
	struct stat facts;
	assert_int_equal(stat(path, &facts), 0);
	return facts.st_size;
}

/* Lists the folder. Returns how many bytes of journals that took. */
static int64_t list_bytes(const struct match_folder *folder, json_t **list)
{
	const int64_t before = match_cache_bytes(folder->cache);
	*list = match_files_list(folder);
	return match_cache_bytes(folder->cache) - before;
}

static void test_watch__what_has_not_changed_is_not_read_again(void **state)
{
	const struct opened_position *place = *state;
	struct match_folder folder = *HERE(place);
	struct qv_error error = { "" };
	json_t *list, *again;
	char *text, *same, other[128];
	folder.cache = match_cache_new();
	snprintf(other, sizeof other, "%s/other.jsonl", place->folder);
	copy_journal(place, other, 0);
	const int64_t size = bytes_of(place->path);
	/* The plan is read with what follows it, so some is read twice. */
	assert_in_range(list_bytes(&folder, &list), 2 * size, 2 * size + 2 * 4096);
	assert_int_equal(list_bytes(&folder, &again), 0);
	assert_true(json_equal(list, again));
	assert_int_equal(json_array_size(list), 2);
	assert_int_equal(number(json_array_get(list, 0), "games"), GAMES);
	json_decref(list);
	json_decref(again);
	/* Of a journal that has grown, only what is new. */
	FILE *file = fopen(other, "ab");
	assert_non_null(file);
	fputs("{\"quevedo\":1,\"games\":9}\n{\"number\":8,\"result\":\"draw\"}\n{\"number\":9,\"resu", file);
	fclose(file);
	assert_in_range(list_bytes(&folder, &list), 50, 4096 + 200);
	assert_int_equal(number(json_array_get(list, 1), "games"), GAMES + 1);
	assert_int_equal(number(json_array_get(list, 1), "planned"), 9);
	json_decref(list);
	/* One that was replaced is read from its beginning. */
	copy_journal(place, other, 0);
	assert_in_range(list_bytes(&folder, &list), size, size + 4096);
	assert_int_equal(number(json_array_get(list, 1), "games"), GAMES);
	json_decref(list);
	/* A match is kept whole. */
	const int64_t before = match_cache_bytes(folder.cache);
	assert_int_equal(match_file_text(&folder, "final.jsonl", &text, &error), QV_OK);
	assert_int_equal(match_cache_bytes(folder.cache) - before, size);
	assert_int_equal(match_file_text(&folder, "final.jsonl", &same, &error), QV_OK);
	assert_int_equal(match_cache_bytes(folder.cache) - before, size);
	assert_string_equal(text, same);
	free(same);
	/* Whether it runs is not in the file. */
	const int lock = open(place->path, O_RDONLY);
	assert_int_equal(flock(lock, LOCK_EX), 0);
	assert_int_equal(match_file_text(&folder, "final.jsonl", &same, &error), QV_OK);
	assert_string_not_equal(text, same);
	close(lock);
	free(same);
	free(text);
	assert_int_equal(unlink(other), 0);
	match_cache_free(folder.cache);
}

static void test_watch__a_list_reads_so_much_at_once(void **state)
{
	enum { FILES = 4, LONG = MATCH_FILES_LIST_BYTES / 3 };
	const struct opened_position *place = *state;
	struct match_folder folder = *HERE(place);
	char path[128];
	json_t *list;
	folder.cache = match_cache_new();
	for (int i = 0; i < FILES; i++) {
		snprintf(path, sizeof path, "%s/long-%d", place->folder, i);
		copy_journal(place, path, LONG); /* a line of zeros that nobody has ended */
	}
	int lists = 0;
	for (int64_t bytes; (bytes = list_bytes(&folder, &list)) > 0; lists++) {
		assert_true(bytes <= MATCH_FILES_LIST_BYTES);
		assert_int_equal(json_array_size(list), FILES + 1); /* though not all are counted */
		json_decref(list);
		assert_in_range(lists, 0, 2);
	}
	assert_int_equal(lists, 2);
	assert_int_equal(json_array_size(list), FILES + 1);
	for (int i = 0; i <= FILES; i++)
		assert_int_equal(number(json_array_get(list, (size_t)i), "games"), GAMES);
	json_decref(list);
	match_cache_free(folder.cache);
	for (int i = 0; i < FILES; i++) {
		snprintf(path, sizeof path, "%s/long-%d", place->folder, i);
		assert_int_equal(unlink(path), 0);
	}
}

static void test_watch__a_flag_ends_it(void **state)
{
	const struct opened_position *place = *state;
	struct qv_flag stop = { 0 };
	struct match_folder folder = *HERE(place);
	struct qv_error error = { "" };
	json_t *json = NULL;
	char *text = NULL;
	folder.cache = match_cache_new();
	folder.stop = &stop;
	qv_flag_set(&stop);
	assert_int_equal(list_bytes(&folder, &json), 0);
	assert_null(json);
	assert_int_equal(match_file_read(&folder, "final.jsonl", &json, &error), QV_STOPPED);
	assert_int_equal(match_file_game(&folder, "final.jsonl", 1, &json, &error), QV_STOPPED);
	assert_int_equal(match_file_text(&folder, "final.jsonl", &text, &error), QV_STOPPED);
	qv_flag_clear(&stop);
	assert_int_equal(match_file_text(&folder, "final.jsonl", &text, &error), QV_OK);
	free(text);
	match_cache_free(folder.cache);
}

/* tests/CMakeLists.txt makes the linker send calls of pread here. */
static struct qv_flag *set_by_block; /* NULL: by none */
ssize_t __real_pread(int file, void *out, size_t size, off_t at);
ssize_t __wrap_pread(int file, void *out, size_t size, off_t at);

ssize_t __wrap_pread(int file, void *out, size_t size, off_t at)
{
	const ssize_t got = __real_pread(file, out, size, at);
	if (set_by_block && got == 1 << 20) /* only blocks are as long */
		qv_flag_set(set_by_block);
	return got;
}

/* SIGTERM sets it while a list of long journals is being read. */
static void test_watch__a_flag_ends_a_list_after_its_first_block(void **state)
{
	enum { LONG = 20 << 20 };
	const struct opened_position *place = *state;
	struct qv_flag stop = { 0 };
	struct match_folder folder = *HERE(place);
	char path[128];
	json_t *list = NULL;
	folder.cache = match_cache_new();
	folder.stop = &stop;
	snprintf(path, sizeof path, "%s/long", place->folder);
	copy_journal(place, path, LONG);
	set_by_block = &stop;
	assert_in_range(list_bytes(&folder, &list), 1 << 20, 2 << 20);
	set_by_block = NULL;
	assert_null(list);
	/* The next list continues. */
	qv_flag_clear(&stop);
	assert_in_range(list_bytes(&folder, &list), LONG - (2 << 20), LONG + (1 << 20));
	assert_int_equal(json_array_size(list), 2);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(number(json_array_get(list, i), "games"), GAMES);
	json_decref(list);
	match_cache_free(folder.cache);
	assert_int_equal(unlink(path), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_watch__lists_journals_and_nothing_else),
		cmocka_unit_test(test_watch__standings_are_those_of_the_match),
		cmocka_unit_test(test_watch__games_can_be_played_again),
		cmocka_unit_test(test_watch__reads_a_journal_that_is_being_written),
		cmocka_unit_test(test_watch__refuses_what_is_not_there),
		cmocka_unit_test(test_watch__what_has_not_changed_is_not_read_again),
		cmocka_unit_test(test_watch__a_list_reads_so_much_at_once),
		cmocka_unit_test(test_watch__a_flag_ends_it),
		cmocka_unit_test(test_watch__a_flag_ends_a_list_after_its_first_block),
	};
	return cmocka_run_group_tests_name("server_watch", tests, open_place, close_place);
}
