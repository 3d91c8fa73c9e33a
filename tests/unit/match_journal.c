/*
 * match_journal.c - a journal read: what is refused, and where; what was written comes back.
 * SPDX-License-Identifier: MIT
 */
#include "support/desk.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "match/journal.h"

static const char header[] =
	"{\"quevedo\":1,\"match\":{\"game\":\"noughts\","
	"\"players\":[{\"name\":\"A\",\"spec\":\"random\"},{\"name\":\"B\",\"spec\":\"random\"}],"
	"\"games\":3,\"seed\":1,\"gauntlet\":false,\"pairs\":false,"
	"\"openings\":[],\"random_plies\":0,\"clock\":{\"kind\":\"none\",\"ms\":0,\"added_ms\":0},"
	"\"max_plies\":0,\"adjudicate\":{\"resign_score\":0,\"resign_moves\":0,\"draw_score\":0,"
	"\"draw_moves\":0,\"draw_plies\":0,\"tables\":\"\"},"
	"\"threads\":1,\"hash\":1,\"sprt\":\"\"}}\n";
static const char begin[] = "{\"number\":2,\"quevedo\":1,\"game\":\"noughts\"}\n";
static const char move[] = "{\"number\":2,\"move\":\"5\",\"seat\":1}\n";
static const char stats[] =
	"{\"number\":2,\"stats\":{\"end\":\"rules\",\"winner\":1,\"fault\":0,\"starter\":1,"
	"\"plies\":5,"
	"\"points\":[1,0],\"work\":[{\"moves\":3,\"nodes\":0,\"evals\":0,\"considered\":0,"
	"\"depths\":[[0,3]]},{\"moves\":2,\"nodes\":7,\"evals\":8,\"considered\":9,"
	"\"depths\":[[1,1],[3,1]],\"us\":1500000}]}}\n";
static const char result[] = "{\"number\":2,\"result\":\"win 1\"}\n";

/* The texts one after the other; NULL ends the list. */
static char *joined(const char *const *texts)
{
	size_t length = 1;
	for (int i = 0; texts[i]; i++)
		length += strlen(texts[i]);
	char *all = calloc(1, length);
	assert_non_null(all);
	for (int i = 0; texts[i]; i++)
		strcat(all, texts[i]);
	return all;
}

static enum qv_status parse(const struct qv_context *context, const char *text,
			    struct journal_contents *out, struct qv_error *error)
{
	*out = (struct journal_contents){ 0 };
	return journal_parse(context, text, strlen(text), out, error);
}

static void test_journal__what_was_written_comes_back(void **state)
{
	const char *const lines[] = { header, begin, move, stats, result, NULL };
	char *text = joined(lines);
	struct journal_contents c;
	struct match_game game;
	struct string again = { .allocator = &mem_malloc };
	assert_int_equal(parse(*state, text, &c, NULL), QV_OK);
	assert_int_equal(c.finished, 1);
	assert_int_equal(c.whole, strlen(text));
	assert_true(c.games[1].finished && !c.games[0].finished);
	assert_int_equal(journal_take(&c, 1, &game, NULL), QV_OK);
	assert_int_equal(game.winner, 0);
	assert_int_equal(game.at_fault, -1);
	assert_int_equal(game.plies, 5);
	assert_int_equal(game.work[1].evals, 8);
	assert_int_equal(game.work[1].depths[3], 1);
	assert_true(game.work[1].seconds == 1.5);
	/* A journal of before these were counted. */
	assert_int_equal(game.work[1].discarded, 0);
	assert_false(game.early);
	game.work[1].discarded = 21;
	game.work[1].evals_discarded = 22;
	game.early = true;
	journal_add_game(&again, 2, &game, true);
	assert_memory_equal(again.data, begin, sizeof begin - 1);
	assert_non_null(strstr(again.data, move));
	assert_non_null(strstr(again.data, result));
	match_game_release(&game);
	journal_contents_release(&c);
	free(text);
	const char *const rewritten[] = { header, again.data, NULL };
	text = joined(rewritten);
	assert_int_equal(parse(*state, text, &c, NULL), QV_OK);
	assert_int_equal(journal_take(&c, 1, &game, NULL), QV_OK);
	assert_int_equal(game.work[1].discarded, 21);
	assert_int_equal(game.work[1].evals_discarded, 22);
	assert_int_equal(game.work[0].discarded, 0);
	assert_true(game.early);
	string_release(&again);
	match_game_release(&game);
	journal_contents_release(&c);
	free(text);
}

/* Half a game, and then the whole of it: only the whole one counts. */
static void test_journal__a_game_that_begins_again_forgets_its_first_half(void **state)
{
	const char *const lines[] = { header, begin, move, move, begin, move, stats, result, NULL };
	char *text = joined(lines);
	struct journal_contents c;
	assert_int_equal(parse(*state, text, &c, NULL), QV_OK);
	assert_string_equal(c.games[1].record.data, "{\"quevedo\":1,\"game\":\"noughts\"}\n"
						    "{\"move\":\"5\",\"seat\":1}\n"
						    "{\"result\":\"win 1\"}\n");
	journal_contents_release(&c);
	free(text);
}

static void test_journal__refuses_with_the_number_of_the_line(void **state)
{
	static const char other[] = "{\"number\":4,\"move\":\"5\"}\n";
	static const struct {
		const char *lines[8], *expected;
	} cases[] = {
		{ { "{}\n" }, "line 1: quevedo: " },
		{ { "nonsense\n" }, "line 1: invalid JSON" },
		{ { "\n" }, "line 1: invalid JSON" },
		{ { header, other }, "line 2: number: must be a game from 1 to 3" },
		{ { header, move }, "line 2: number: this game has not begun" },
		{ { header, begin, result }, "line 3: result: the statistics" },
		{ { header, begin, stats, result, move }, "line 5: number: this game already has a result" },
		{ { header, begin, stats, result, begin }, "line 5: number: this game already has a result" },
		{ { header, "{\"number\":2,\"quevedo\":1\n" }, "line 2: line: not a JSON event" },
		{ { header, "{\"number\":2,\n" }, "line 2: line: not a JSON event" },
		{ { header, "\n" }, "line 2: number: " },
		{ { header, "{\"number\":-1,\"a\":1}\n" }, "line 2: number: " },
		{ { header, "{\"number\":99999999999999999999,\"a\":1}\n" }, "line 2: number: " },
		{ { header, begin, "{\"number\":2,\"stats\":{}}\n" }, "line 3: end: " },
		{ { header, begin, "{\"number\":2,\"stats\":7}\n" }, "line 3: end: " },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *text = joined(cases[i].lines);
		struct journal_contents c;
		struct qv_error error = { "" };
		assert_int_not_equal(parse(*state, text, &c, &error), QV_OK);
		if (strncmp(error.text, cases[i].expected, strlen(cases[i].expected)) != 0)
			fail_msg("'%s' is expected, not '%s'", cases[i].expected, error.text);
		free(text);
	}
}

/* One value of the header or of the statistics after another, replaced by what it cannot be. */
static void test_journal__refuses_every_wrong_value(void **state)
{
	static const char *const wrong[][2] = {
		{ "\"games\":3", "\"games\":0" },
		{ "\"games\":3", "\"games\":\"3\"" },
		{ "\"games\":3", "\"games\":3000000" },
		{ "\"game\":\"noughts\"", "\"game\":\"nougats\"" },
		{ "\"gauntlet\":false", "\"gauntlet\":0" },
		{ "\"gauntlet\":false", "\"gauntlet\":false,\"near\":0" },
		{ "\"gauntlet\":false", "\"gauntlet\":false,\"near\":33" },
		{ "\"gauntlet\":false", "\"gauntlet\":true,\"near\":1" },
		{ "\"kind\":\"none\"", "\"kind\":\"nine\"" },
		{ "\"ms\":0", "\"ms\":-1" },
		{ "\"draw_moves\":0", "\"draw_moves\":-1" },
		{ "\"name\":\"A\"", "\"name\":\"B\"" },
		{ "\"name\":\"A\"", "\"name\":1" },
		{ "\"openings\":[]", "\"openings\":{}" },
		{ "\"openings\":[]", "\"openings\":[1]" },
		{ "\"sprt\":\"\"", "\"spart\":\"\"" },
		{ "\"quevedo\":1,\"match\"", "\"quevedo\":2,\"match\"" },
		{ "\"end\":\"rules\"", "\"end\":\"rulers\"" },
		{ "\"end\":\"rules\"", "\"end\":\"crash\"" },
		{ "\"fault\":0", "\"fault\":1" },
		{ "\"winner\":1", "\"winner\":3" },
		{ "\"points\":[1,0]", "\"points\":[1]" },
		{ "\"points\":[1,0]", "\"points\":[1,0.5]" },
		{ "\"points\":[1,0]", "\"points\":[1,99999999999]" },
		{ "\"points\":[1,0]", "\"points\":[1,0],\"luck\":[0.5]" },
		{ "\"points\":[1,0]", "\"points\":[1,0],\"luck\":[0.5,\"x\"]" },
		{ "\"points\":[1,0]", "\"points\":[1,0],\"luck\":[0.5,-1e99]" },
		{ "\"moves\":3,", "\"moves\":-3," },
		{ "\"moves\":3,", "\"moves\":3,\"discarded\":-3," },
		{ "\"moves\":3,", "\"moves\":3,\"evals_discarded\":true," },
		{ "\"plies\":5,", "\"plies\":5,\"early\":1," },
		{ "[[0,3]]", "[[0,3],[0,3]]" },
		{ "[[0,3]]", "[[128,3]]" },
		{ "[[0,3]]", "[[0]]" },
		{ "[[0,3]]", "7" },
		{ "\"us\":1500000", "\"us\":1.5" },
	};
	const char *const lines[] = { header, begin, move, stats, result, NULL };
	char *text = joined(lines);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		const char *at = strstr(text, wrong[i][0]);
		struct journal_contents c;
		struct qv_error error = { "" };
		assert_non_null(at);
		char head[2048];
		snprintf(head, sizeof head, "%.*s", (int)(at - text), text);
		const char *const parts[] = { head, wrong[i][1], at + strlen(wrong[i][0]), NULL };
		char *changed = joined(parts);
		if (parse(*state, changed, &c, &error) == QV_OK)
			fail_msg("%s was accepted", wrong[i][1]);
		assert_non_null(strstr(error.text, ": "));
		free(changed);
	}
	free(text);
}

static int set_up(void **state)
{
	*state = desk_context(NULL);
	return 0;
}

static int tear_down(void **state)
{
	qv_context_free(*state);
	return 0;
}

/* ---- The file ---- */

enum { ROOM = 1000 };

static void new_file(char path[32], const char *text)
{
	snprintf(path, 32, "/tmp/test-journal-XXXXXX");
	const int file = mkstemp(path);
	assert_true(file >= 0);
	assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
	close(file);
}

static enum qv_status reopen(const struct qv_context *context, const char *path, struct journal *j,
			     int64_t *finished, struct qv_error *error)
{
	static const struct match_player players[] = { { "A", "random" }, { "B", "random" } };
	struct match_plan plan = { .players = players, .player_count = 2, .games = 3, .seed = 1,
				   .threads = 1, .hash_mb = 1 };
	struct file_bytes bytes = { 0 };
	struct journal_contents contents = { 0 };
	assert_int_equal(qv_rules_parse(context, "noughts", &plan.rules, NULL), QV_OK);
	const enum qv_status status =
		journal_open(j, context, &plan, path, true, &bytes, &contents, error);
	*finished = contents.finished;
	journal_contents_release(&contents);
	file_release(&mem_malloc, &bytes);
	return status;
}

/* What is not the beginning of this match's journal is refused, and not a byte of it is lost. */
static void test_journal__leaves_the_files_of_others_alone(void **state)
{
	static const char *const others[] = { "notes", "two\nlines", "{\"quevedo\":1,\"mat?",
					      "{\"quevedo\":1,\"match\":{\"game\":\"reversi\"," };
	char path[32];
	struct journal j;
	int64_t finished;
	struct qv_error error;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		struct file_bytes bytes;
		new_file(path, others[i]);
		assert_int_equal(reopen(*state, path, &j, &finished, &error), QV_BAD_INPUT);
		assert_non_null(strstr(error.text, path));
		assert_int_equal(file_read(&mem_malloc, path, 1000, &bytes, NULL), QV_OK);
		assert_string_equal(bytes.data, others[i]);
		file_release(&mem_malloc, &bytes);
		unlink(path);
	}
	assert_int_equal(reopen(*state, "", &j, &finished, &error), QV_IO);
	assert_string_equal(error.text, "file: the name is empty");
}

/* Room for so many bytes in any file; without one, as many as one likes. */
static void set_room(rlim_t bytes)
{
	struct rlimit limit;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/*
 * The disk is full in the middle of a line, and then there is room again: nothing is written behind
 * the half line, and after it is cut off the match goes on.
 */
static void test_journal__a_full_disk_loses_no_game(void **state)
{
	const char *const lines[] = { header, begin, move, stats, result, NULL };
	char path[32], *text = joined(lines);
	struct journal j;
	int64_t finished;
	struct qv_error error = { "" };
	struct string more = { .allocator = &mem_malloc };
	void (*before)(int) = signal(SIGXFSZ, SIG_IGN);
	new_file(path, text);
	assert_int_equal(reopen(*state, path, &j, &finished, &error), QV_OK);
	assert_int_equal(finished, 1);
	string_addf(&more, "{\"number\":1,\"quevedo\":1,\"game\":\"%*s\"}\n", ROOM, "noughts");
	set_room(strlen(text) + ROOM / 2);
	assert_int_equal(journal_write(&j, &more, &error), QV_IO);
	assert_non_null(strstr(error.text, "cannot write the journal: File too large"));
	set_room(RLIM_INFINITY);
	assert_int_equal(journal_write(&j, &more, &error), QV_IO);
	journal_close(&j);
	assert_int_equal(reopen(*state, path, &j, &finished, &error), QV_OK);
	assert_int_equal(finished, 1);
	assert_int_equal(journal_write(&j, &more, &error), QV_OK);
	journal_close(&j);
	assert_int_equal(reopen(*state, path, &j, &finished, &error), QV_OK);
	assert_int_equal(finished, 1);
	journal_close(&j);
	signal(SIGXFSZ, before);
	string_release(&more);
	free(text);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_journal__what_was_written_comes_back),
		cmocka_unit_test(test_journal__a_game_that_begins_again_forgets_its_first_half),
		cmocka_unit_test(test_journal__refuses_with_the_number_of_the_line),
		cmocka_unit_test(test_journal__refuses_every_wrong_value),
		cmocka_unit_test(test_journal__leaves_the_files_of_others_alone),
		cmocka_unit_test(test_journal__a_full_disk_loses_no_game),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
