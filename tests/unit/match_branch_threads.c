/*
 * match_branch_threads.c - games that are played elsewhere: a match with a branch is the same as
 * one without, its failures end the match, and the desk takes nothing but what was asked for.
 * SPDX-License-Identifier: MIT
 */
#include "support/desk.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "match/journal.h"
#include "support/meter.h"
#include "support/scale.h"

enum { GAMES = 40, MOST_PATH = 64 };

/* A branch in this process, and what it is to do wrong. */
struct office {
	const struct qv_context *context;
	const struct match_plan *plan;
	struct match_run run;
	struct match_desk *desk;
	int64_t number, given;
	int64_t last;                      /* after so many games it goes wrong; 0: never */
	enum qv_status wrong;
	const char *instead;               /* handed in for a game; NULL: the game */
};

static int64_t take(void *ctx)
{
	struct office *o = ctx;
	return o->number = desk_take(o->desk);
}

static enum qv_status give(void *ctx, const struct string *game, struct qv_error *error)
{
	struct office *o = ctx;
	const char *text = o->instead ? o->instead : game->data;
	const enum qv_status status = desk_hand_in(o->desk, o->number, text,
						   o->instead ? strlen(text) : game->length, error);
	if (status != QV_OK)
		return status;
	return ++o->given == o->last ? qv_fail(error, o->wrong, "branch: it went wrong") : QV_OK;
}

static enum qv_status work(void *ctx, struct match_desk *desk, struct qv_error *error)
{
	struct office *o = ctx;
	const struct match_head head = { take, give, o };
	o->desk = desk;
	return match_assist(o->context, o->plan, &o->run, &head, error);
}

static bool take_record(void *ctx, const struct match_game *game, const struct match_totals *totals)
{
	assert_int_equal(game->number + 1, totals->games);
	string_add(ctx, game->record.data, game->record.length);
	return true;
}

static const struct match_player players[] = { { "A", "alphabeta:nodes=300,random=1" },
					       { "B", "mcts:playouts=20,tt=1" } };

static struct match_plan plan_of(const struct qv_context *context, int64_t games)
{
	struct match_plan plan = { .players = players, .player_count = 2, .games = games,
				   .seed = 5, .hash_mb = 1, .random_plies = 2 };
	assert_int_equal(qv_rules_parse(context, "noughts", &plan.rules, NULL), QV_OK);
	return plan;
}

static struct office office_of(const struct qv_context *context, const struct match_plan *plan)
{
	return (struct office){ .context = context, .plan = plan, .run = { .no_times = true } };
}

static void new_journal(char path[MOST_PATH])
{
	snprintf(path, MOST_PATH, "/tmp/quevedo-branch-XXXXXX");
	const int file = mkstemp(path);
	assert_true(file >= 0);
	close(file);
}

static void test_branch__gives_the_same_match(void **state)
{
	const struct match_plan plan = plan_of(*state, GAMES);
	struct string alone = { .allocator = &mem_malloc }, both = alone;
	struct match_totals totals;
	struct qv_error error = { "" };
	struct match_run run = { .no_times = true, .listener = { take_record, NULL, &alone } };
	assert_int_equal(match_run(*state, &plan, &run, &totals, &error), QV_OK);
	totals_release(&totals);

	struct office office = office_of(*state, &plan);
	run.listener.ctx = &both;
	run.branch = (struct match_branch){ NULL, work, &office };
	/* Whoever is faster plays more; the branch must have had some for this to say anything. */
	for (int64_t given = 0; given == 0; given += office.given) {
		both.length = 0;
		assert_int_equal(match_run(*state, &plan, &run, &totals, &error), QV_OK);
		totals_release(&totals);
		assert_int_equal(both.length, alone.length);
		assert_memory_equal(both.data, alone.data, alone.length);
	}
	string_release(&alone);
	string_release(&both);
}

/* What is finished before the failure is in the journal, and a later run goes on from there. */
static void test_branch__its_failure_ends_the_match_and_keeps_the_games(void **state)
{
	static const enum qv_status ways[] = { QV_IO, QV_STOPPED };
	const struct match_plan plan = plan_of(*state, MATCH_MAX_GAMES);
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		char path[MOST_PATH];
		struct match_totals totals;
		struct match_audit audit;
		struct qv_error error = { "" };
		struct office office = office_of(*state, &plan);
		new_journal(path);
		office.last = 3;
		office.wrong = ways[i];
		const struct match_run run = { .no_times = true, .journal = path,
					       .branch = { NULL, work, &office } };
		assert_int_equal(match_run(*state, &plan, &run, &totals, &error), ways[i]);
		assert_non_null(strstr(error.text, ways[i] == QV_IO ? "branch: it went wrong"
								     : "match: stopped after"));
		assert_int_equal(match_audit(*state, path, 50, 1, 2, NULL, &audit, &error), QV_OK);
		assert_true(audit.games >= 3 && audit.games >= totals.games);
		assert_int_equal(audit.wrong, 0);
		totals_release(&totals);
		unlink(path);
	}
}

static enum qv_status never_ready(void *ctx, struct qv_error *error)
{
	(void)ctx;
	return qv_fail(error, QV_UNKNOWN, "branch: not there");
}

static void test_branch__must_be_ready_before_anything_is_written(void **state)
{
	const struct match_plan plan = plan_of(*state, GAMES);
	char path[MOST_PATH];
	struct file_bytes bytes;
	struct match_totals totals;
	struct qv_error error = { "" };
	struct office office = office_of(*state, &plan);
	new_journal(path);
	const struct match_run run = { .journal = path, .branch = { never_ready, work, &office } };
	assert_int_equal(match_run(*state, &plan, &run, &totals, &error), QV_UNKNOWN);
	assert_string_equal(error.text, "branch: not there");
	assert_int_equal(totals.games, 0);
	assert_int_equal(file_read(&mem_malloc, path, 100, &bytes, NULL), QV_OK);
	assert_int_equal(bytes.size, 0);
	file_release(&mem_malloc, &bytes);
	totals_release(&totals);
	unlink(path);
}

static void test_desk__refuses_what_is_no_game_that_was_asked_for(void **state)
{
	static const char *const texts[] = {
		"", "\n", "nonsense\n", "{\"number\":1,\"result\":\"draw\"}\n",
		"{\"number\":1,\"quevedo\":1,\"game\":\"noughts\",\"seats\":[\"A\",\"B\"]}\n",
	};
	const struct match_plan plan = plan_of(*state, MATCH_MAX_GAMES);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct match_totals totals;
		struct qv_error error = { "" };
		struct office office = office_of(*state, &plan);
		office.instead = texts[i];
		const struct match_run run = { .branch = { NULL, work, &office } };
		assert_int_not_equal(match_run(*state, &plan, &run, &totals, &error), QV_OK);
		assert_non_null(strstr(error.text, ": "));
		totals_release(&totals);
	}
}

/* The texts that a branch gives, kept. */
static enum qv_status keep(void *ctx, const struct string *game, struct qv_error *error)
{
	(void)error;
	string_add(ctx, game->data, game->length);
	return QV_OK;
}

static int64_t seventh_once(void *ctx)
{
	const struct string *kept = ctx;
	return kept->length ? -1 : 6;
}

static void test_single_game__is_whole_or_refused(void **state)
{
	const struct match_plan plan = plan_of(*state, GAMES);
	const struct match_run run = { .no_times = true };
	struct string text = { .allocator = &mem_malloc }, again = text;
	const struct match_head head = { seventh_once, keep, &text };
	struct match_game game;
	struct qv_error error = { "" };
	assert_int_equal(match_assist(*state, &plan, &run, &head, &error), QV_OK);
	assert_int_equal(
		journal_read_game(*state, &plan, text.data, text.length, &game, &error), QV_OK);
	assert_int_equal(game.number, 6);
	journal_add_game(&again, 2, &game, true);
	assert_string_equal(again.data, text.data);
	match_game_release(&game);
	for (size_t cut = 0; cut < text.length; cut++)
		assert_int_not_equal(
			journal_read_game(*state, &plan, text.data, cut, &game, &error), QV_OK);
	/* Two games are not one, and a game of another match is none of this one. */
	string_add(&again, text.data, text.length);
	assert_int_not_equal(
		journal_read_game(*state, &plan, again.data, again.length, &game, &error), QV_OK);
	const struct match_plan shorter = plan_of(*state, 6);
	assert_int_equal(
		journal_read_game(*state, &shorter, text.data, text.length, &game, &error),
		QV_BAD_INPUT);
	string_release(&text);
	string_release(&again);
}

static void test_single_game__survives_want_of_memory(void **state)
{
	struct meter meter = meter_make();
	const struct qv_allocator allocator = { meter_resize, &meter };
	struct qv_context *context = desk_context(&allocator);
	const struct match_plan plan = plan_of(context, GAMES);
	const struct match_run run = { .no_times = true };
	const int64_t before = meter.blocks;
	bool failed = true;
	(void)state;
	for (int64_t n = 1; failed; n += 1 + n / (4 * scaled(10))) {
		struct string text = { .allocator = &mem_malloc };
		const struct match_head head = { seventh_once, keep, &text };
		struct match_game game;
		struct qv_error error = { "" };
		meter_arm(&meter, n, n % 2);
		enum qv_status status = match_assist(context, &plan, &run, &head, &error);
		if (status == QV_OK)
			status = journal_read_game(context, &plan, text.data, text.length, &game,
						   &error);
		failed = meter.failed;
		meter_arm(&meter, 0, false);
		assert_true(status == QV_NO_MEMORY || status == QV_OK);
		if (status == QV_OK)
			match_game_release(&game);
		else
			assert_non_null(strstr(error.text, ": "));
		string_release(&text);
		assert_int_equal(meter.blocks, before);
	}
	qv_context_free(context);
	assert_int_equal(meter.blocks, 0);
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
		cmocka_unit_test(test_branch__gives_the_same_match),
		cmocka_unit_test(test_branch__its_failure_ends_the_match_and_keeps_the_games),
		cmocka_unit_test(test_branch__must_be_ready_before_anything_is_written),
		cmocka_unit_test(test_desk__refuses_what_is_no_game_that_was_asked_for),
		cmocka_unit_test(test_single_game__is_whole_or_refused),
		cmocka_unit_test(test_single_game__survives_want_of_memory),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
