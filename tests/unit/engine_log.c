/*
 * engine_log.c - the log of the dialogue with a program: all that is said, what it writes to
 * standard error, and no more than a bounded amount of it.
 * SPDX-License-Identifier: MIT
 */
#include "support/desk.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "programs/child.h"
#include "programs/players.h"

static void read_file(const char *path, char *text, size_t size)
{
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	text[fread(text, 1, size - 1, file)] = '\0';
	fclose(file);
}

enum { LOG_BYTES = 1 << 21, TRIES = 6 };

/* What the log of a player with this command holds after it was asked for a move, or two. */
static char *log_of(const struct qv_context *context, const char *spec)
{
	char path[] = "/tmp/quevedo-log-XXXXXX";
	struct engine_log *log = NULL;
	struct qv_player *player = NULL;
	struct qv_answer answer = { .size = sizeof answer };
	struct desk d;
	int tries = 0;
	char *text = calloc(1, LOG_BYTES);
	assert_non_null(text);
	close(mkstemp(path));
	desk_open(&d, context, "noughts", "start");
	assert_int_equal(engine_log_open(&log, &mem_malloc, path, false, NULL), QV_OK);
	assert_int_equal(player_open(context, &d.rules, spec, NULL, &player, NULL), QV_OK);
	player_log_to(player, log, "the mock");
	do
		qv_player_new_game(player);
	while (player_fault(player) == FAULT_HELLO && ++tries < TRIES);
	for (int i = 0; i < 2; i++)
		player_think(player, NULL, d.state, NULL, NULL, &answer, NULL);
	qv_player_free(player);
	assert_int_equal(engine_log_status(log, NULL), QV_OK);
	engine_log_close(log);
	read_file(path, text, LOG_BYTES);
	desk_close(&d);
	unlink(path);
	return text;
}

/* Whether a line is MS the mock[PID] REST for one of these; and how many are. */
static int count_lines(const char *text, const char *rest)
{
	int count = 0;
	for (const char *end; (end = strchr(text, '\n')); text = end + 1) {
		long long ms;
		int pid, length = 0;
		assert_int_equal(sscanf(text, "%lld the mock[%d] %n", &ms, &pid, &length), 2);
		assert_true(length > 0 && pid > 0 && ms >= 0);
		count += strncmp(text + length, rest, strlen(rest)) == 0 &&
			 text[(size_t)length + strlen(rest)] == '\n';
	}
	assert_string_equal(text, "");
	return count;
}

static void test_engine_log__has_both_directions_and_standard_error(void **state)
{
	char *text = log_of(*state, "qgp:" MOCK_ENGINE " good");
	static const char *const good[] = { "# " MOCK_ENGINE " good", "> qgp 1", "< name mock", "< ok",
					    "> newgame noughts", "> position start", "> go",
					    "< bestmove 1", "> quit" };
	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		if (!count_lines(text, good[i]))
			fail_msg("'%s' is missing in:\n%s", good[i], text);
	assert_int_equal(count_lines(text, "< bestmove 1"), 2);
	free(text);
	/* What it wrote last before it died is the most interesting, even without its end. */
	text = log_of(*state, "qgp:" MOCK_ENGINE " complain");
	static const char *const bad[] = {
		"! mock: begins", "! mock: gives up", "! mock: not a whole line",
		"# it was killed by signal 6 (Aborted): mock: not a whole line"
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		if (count_lines(text, bad[i]) != 2)
			fail_msg("'%s' is not there twice in:\n%s", bad[i], text);
	free(text);
	text = log_of(*state, "qgp:" MOCK_ENGINE " half");
	assert_int_equal(count_lines(text, "< bestmo"), 2);
	free(text);
}

/* A program that floods its standard error plays on, and the log stays small. */
static void test_engine_log__is_bounded(void **state)
{
	char *text = log_of(*state, "qgp:time=60s,cmd=" MOCK_ENGINE " complain-much");
	assert_int_equal(count_lines(text, "< bestmove 1"), 2);
	assert_true(strlen(text) > 2 * CHILD_ERRORS_MOST);
	/* Of 32 MB, what the limit lets through after each write; short lines become twice as long. */
	assert_true(strlen(text) < LOG_BYTES / 2);
	const char *longest = strstr(text, "! xxx");
	assert_non_null(longest);
	assert_int_equal(strcspn(longest, "\n"), 2 + ENGINE_LOG_TEXT);
	assert_memory_equal(strchr(longest, '\n') - 4, " ...", 4);
	free(text);
}

static void test_engine_log__tells_when_it_cannot_be_written(void **state)
{
	(void)state;
	struct engine_log *log = NULL;
	struct qv_error error = { "" };
	assert_int_equal(engine_log_open(&log, &mem_malloc, "/no/such/file", false, &error), QV_IO);
	assert_null(log);
	assert_string_equal(error.text, "/no/such/file: cannot be written: No such file or directory");
	if (access("/dev/full", W_OK) != 0)
		return;
	assert_int_equal(engine_log_open(&log, &mem_malloc, "/dev/full", false, &error), QV_OK);
	const struct engine_log_entry entry = { log, "A" };
	engine_log_line(&entry, 1, '>', "x", 1);
	assert_int_equal(engine_log_status(log, &error), QV_IO);
	assert_non_null(strstr(error.text, "/dev/full: cannot be written: "));
	engine_log_close(log);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_engine_log__has_both_directions_and_standard_error),
		cmocka_unit_test(test_engine_log__is_bounded),
		cmocka_unit_test(test_engine_log__tells_when_it_cannot_be_written),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
