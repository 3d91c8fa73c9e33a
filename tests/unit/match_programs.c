/*
 * match_programs.c - matches with programs outside: they are started before the first game, and a
 * game that one of them loses says why.
 * SPDX-License-Identifier: MIT
 */
#include "support/desk.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "match/match.h"

enum { GAMES = 4, FEW = 2, PATH = 64, SPEC = 512 };

/* A match of B, a program, and A, and what came of it. */
struct meeting {
	const struct qv_context *context;
	struct match_player players[2];
	struct match_plan plan;
	struct match_run run;
	struct match_totals totals;
	struct qv_error error;
	char reasons[GAMES][MATCH_REASON];
	struct string pgn;
	int games;
};

static bool take_game(void *ctx, const struct match_game *game, const struct match_totals *totals)
{
	struct meeting *m = ctx;
	(void)totals;
	assert_true(m->games < GAMES);
	snprintf(m->reasons[m->games++], MATCH_REASON, "%s", match_game_reason(game).text);
	if (m->plan.rules.game->alternates) /* only those have PGN */
		assert_int_equal(match_pgn(m->context, &m->plan, game, true, &m->pgn, NULL), QV_OK);
	return true;
}

/* Prepares a match of connect-four, which the caller may change before it runs it. */
static void meeting_plan(struct meeting *m, const struct qv_context *context, const char *spec,
			 const char *journal)
{
	*m = (struct meeting){ .context = context,
			       .players = { { "A", "random" }, { "B", spec } },
			       .run = { .no_times = true, .journal = journal, .resume = true },
			       .pgn = { .allocator = &mem_malloc } };
	m->plan = (struct match_plan){ .players = m->players, .player_count = 2, .games = GAMES,
				       .seed = 3 };
	m->run.listener = (struct match_listener){ .game = take_game, .ctx = m };
	assert_int_equal(qv_rules_parse(context, "connect4", &m->plan.rules, NULL), QV_OK);
}

/* What was begun with `meet` is released with `part`. */
static enum qv_status meet(struct meeting *m, const struct qv_context *context, const char *spec,
			   const char *journal)
{
	meeting_plan(m, context, spec, journal);
	return match_run(context, &m->plan, &m->run, &m->totals, &m->error);
}

static void part(struct meeting *m)
{
	totals_release(&m->totals);
	string_release(&m->pgn);
}

static void new_path(char path[PATH])
{
	snprintf(path, PATH, "/tmp/quevedo-programs-XXXXXX");
	const int file = mkstemp(path);
	assert_true(file >= 0);
	close(file);
}

/* A program of the test's own, which may go away. */
static void copy_mock(char path[PATH])
{
	char command[SPEC];
	new_path(path);
	snprintf(command, sizeof command, "cp %s %s && chmod 700 %s", MOCK_ENGINE, path, path);
	assert_int_equal(system(command), 0);
}

static void file_is_empty(const char *path)
{
	struct stat facts;
	assert_int_equal(stat(path, &facts), 0);
	assert_int_equal(facts.st_size, 0);
}

/* ---- Before the first game ---- */

static void test_programs__one_that_cannot_play_is_found_before_the_first_game(void **state)
{
	static const struct {
		const char *spec, *error;
	} wrong[] = {
		{ "uci:depth=1,cmd=/no/such/engine -x",
		  "player B: /no/such/engine -x: it could not be started: No such file or directory" },
		{ "qgp:/", "player B: /: it could not be started: Permission denied" },
		{ "qgp:false", "player B: false: it ended during the handshake: exit status 1" },
	};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct meeting m;
		char path[PATH];
		new_path(path);
		assert_int_equal(meet(&m, *state, wrong[i].spec, path), QV_IO);
		assert_string_equal(m.error.text, wrong[i].error);
		assert_int_equal(m.games, 0);
		file_is_empty(path);
		part(&m);
		unlink(path);
	}
}

static int64_t no_number(void *ctx)
{
	(void)ctx;
	fail_msg("%s", "a game was asked for");
	return -1;
}

static void test_programs__are_started_first_by_who_assists_too(void **state)
{
	static const struct match_player players[] = { { "A", "random" }, { "B", "qgp:/no/such" } };
	struct match_plan plan = { .players = players, .player_count = 2, .games = GAMES };
	const struct match_head head = { .take = no_number };
	const struct match_run run = { 0 };
	struct qv_error error = { "" };
	assert_int_equal(qv_rules_parse(*state, "connect4", &plan.rules, NULL), QV_OK);
	assert_int_equal(match_assist(*state, &plan, &run, &head, &error), QV_IO);
	assert_non_null(strstr(error.text, "player B: /no/such: it could not be started"));
}

/* Nothing is left to play, so nobody needs to be there. */
static void test_programs__a_journal_that_is_whole_needs_none(void **state)
{
	struct meeting m;
	char journal[PATH], program[PATH], spec[SPEC];
	new_path(journal);
	copy_mock(program);
	snprintf(spec, sizeof spec, "qgp:%s good", program);
	assert_int_equal(meet(&m, *state, spec, journal), QV_OK);
	assert_int_equal(m.games, GAMES);
	part(&m);
	unlink(program);
	assert_int_equal(meet(&m, *state, spec, journal), QV_OK);
	assert_int_equal(m.games, GAMES);
	part(&m);
	unlink(journal);
}

/* ---- Later ---- */

/* It cannot be started again after a crash: no game to come could be played. */
static void test_programs__a_failed_handshake_later_ends_the_match(void **state)
{
	struct meeting m;
	char mark[PATH], spec[SPEC];
	new_path(mark);
	unlink(mark);
	snprintf(spec, sizeof spec, "qgp:%s once %s", MOCK_ENGINE, mark);
	assert_int_equal(meet(&m, *state, spec, NULL), QV_IO);
	assert_non_null(strstr(m.error.text, "player B: "));
	assert_true(m.games <= 1);
	if (m.games)
		assert_string_equal(m.reasons[0], "B was killed by signal 6 (Aborted)");
	part(&m);
	unlink(mark);
}

/* Its file is gone: no game to come could be played, and none is counted. */
static void test_programs__one_that_is_gone_ends_the_match(void **state)
{
	struct meeting m;
	char program[PATH], spec[SPEC];
	copy_mock(program);
	snprintf(spec, sizeof spec, "qgp:%s vanish", program);
	assert_int_equal(meet(&m, *state, spec, NULL), QV_IO);
	assert_non_null(strstr(m.error.text, "player B: "));
	assert_non_null(strstr(m.error.text, "it could not be started: No such file or directory"));
	assert_true(m.games <= 1);
	part(&m);
}

/* ---- Reasons ---- */

/* In words, in the record, and as the last comment of the PGN. */
static void test_programs__a_lost_game_says_why(void **state)
{
	static const struct {
		const char *mode, *reason;
	} lost[] = {
		{ "illegal", "B played the illegal move over there" },
		{ "crash", "B was killed by signal 6 (Aborted)" },
		{ "garbage", "B said what the protocol does not know: "
			     "'well, let me think'" },
		{ "refuse", "B refused what it was told: "
			    "error illegal I do not like it" },
	};
	for (size_t i = 0; i < sizeof lost / sizeof *lost; i++) {
		struct meeting m;
		char spec[SPEC];
		snprintf(spec, sizeof spec, "qgp:%s %s", MOCK_ENGINE, lost[i].mode);
		if (meet(&m, *state, spec, NULL) != QV_OK)
			fail_msg("%s", m.error.text);
		assert_int_equal(m.totals.total[1].losses, GAMES);
		for (int k = 0; k < GAMES; k++)
			assert_string_equal(m.reasons[k], lost[i].reason);
		/* Lines are broken at blanks, which are taken back here. */
		for (char *c = m.pgn.data; (c = strchr(c, '\n'));)
			*c = ' ';
		char comment[2 * MATCH_REASON];
		snprintf(comment, sizeof comment, "{%s} 0-1  ", lost[i].reason);
		const char *at = strstr(m.pgn.data, comment);
		if (!at)
			fail_msg("'%s' is not in '%s'", comment, m.pgn.data);
		part(&m);
	}
}

/* ---- Hub and Gomocup ---- */

/*
 * A match of the mock engine in `mode`, as B, over one of the two protocols. In draughts each side
 * has one king, and B, always White, moves its own between two squares; the game is a draw after 20
 * plies if nothing happens. Only B may run out of time.
 */
static enum qv_status meet_over(struct meeting *m, const struct qv_context *context,
				const char *protocol, const char *mode, const char *word)
{
	static const struct match_opening kings = { .position = "B:WK32:BK1", .moves = "" };
	const bool hub = strcmp(protocol, "hub") == 0;
	char spec[SPEC];
	snprintf(spec, sizeof spec, "%s:time=%s,cmd=%s %s %s", protocol,
		 strcmp(mode, "silent-move") == 0 ? "100ms" : "60s", MOCK_ENGINE, mode,
		 *word ? word
		 : hub ? "32-28/28-32"
		       : "");
	meeting_plan(m, context, spec, NULL);
	m->plan.games = FEW;
	m->plan.max_plies = 20;
	m->plan.keep_seats = true;
	assert_int_equal(qv_rules_parse(context, hub ? "draughts" : "gomoku", &m->plan.rules, NULL),
			 QV_OK);
	if (hub)
		m->plan.openings = &kings, m->plan.opening_count = 1;
	return match_run(context, &m->plan, &m->run, &m->totals, &m->error);
}

static void test_programs__hub_and_gomocup_find_those_that_cannot_play(void **state)
{
	static const struct {
		const char *protocol, *mode, *error;
	} wrong[] = {
		{ "hub", "crash-start", "it ended during the handshake: exit status 1" },
		{ "hub", "crash-hello", "it was killed during the handshake by signal 6" },
		{ "hub", "crash-init", "it was killed during the handshake by signal 6" },
		{ "hub", "refuse-game", "it refused what it was told: error not today" },
		{ "gomocup", "crash-start", "it ended during the handshake: exit status 1" },
		{ "gomocup", "crash-hello", "it was killed during the handshake by signal 6" },
		{ "gomocup", "crash-init", "it was killed during the handshake by signal 6" },
		{ "gomocup", "refuse-game", "it refused what it was told: ERROR not today" },
	};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct meeting m;
		assert_int_equal(meet_over(&m, *state, wrong[i].protocol, wrong[i].mode, ""),
				 QV_IO);
		if (!strstr(m.error.text, wrong[i].error))
			fail_msg("%s %s: %s", wrong[i].protocol, wrong[i].mode, m.error.text);
		assert_int_equal(m.games, 0);
		part(&m);
	}
}

/* Whatever happens in a game, all games are played, and those with a fault are lost. */
static void test_programs__hub_and_gomocup_lose_by_a_fault(void **state)
{
	static const struct {
		const char *protocol, *mode, *word;
		int crashes, timeouts, illegal; /* in all games together */
		const char *reason;		/* NULL: a game without a fault */
	} games[] = {
		{ "hub", "good", "", 0, 0, 0, NULL },
		{ "hub", "garbage", "", 0, 0, 0, NULL },
		{ "hub", "nul", "", 0, 0, 0, NULL },
		{ "hub", "crash", "", FEW, 0, 0, "B was killed by signal 6 (Aborted)" },
		{ "hub", "crash-later", "", FEW, 0, 0, "B was killed by signal 6 (Aborted)" },
		{ "hub", "half", "", FEW, 0, 0, "B ended: exit status 0" },
		{ "hub", "refuse", "", FEW, 0, 0,
		  "B refused what it was told: error I do not like it" },
		{ "hub", "illegal", "", 0, 0, FEW, "B played the illegal move over there" },
		{ "hub", "good", "32-1", 0, 0, FEW, "B played the illegal move 32-1" },
		{ "hub", "silent-move", "", 0, FEW, 0, "B did not answer in time" },
		{ "hub", "long-line", "", FEW, 0, 0, "B " },
		{ "hub", "flood", "", FEW, 0, 0, "B wrote without end" },
		{ "gomocup", "good", "", 0, 0, 0, NULL },
		{ "gomocup", "garbage", "", 0, 0, 0, NULL },
		{ "gomocup", "nul", "", 0, 0, 0, NULL },
		{ "gomocup", "crash", "", FEW, 0, 0, "B was killed by signal 6 (Aborted)" },
		{ "gomocup", "crash-later", "", FEW, 0, 0, "B was killed by signal 6 (Aborted)" },
		{ "gomocup", "half", "", FEW, 0, 0, "B ended: exit status 0" },
		{ "gomocup", "refuse", "", FEW, 0, 0,
		  "B refused what it was told: ERROR I do not like it" },
		{ "gomocup", "illegal", "", 0, 0, FEW, "B played the illegal move 99,99" },
		{ "gomocup", "silent-move", "", 0, FEW, 0, "B did not answer in time" },
		{ "gomocup", "long-line", "", FEW, 0, 0, "B " },
		{ "gomocup", "flood", "", FEW, 0, 0, "B wrote without end" },
	};
	for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
		struct meeting m;
		if (meet_over(&m, *state, games[i].protocol, games[i].mode, games[i].word) != QV_OK)
			fail_msg("%s", m.error.text);
		const struct match_total *b = &m.totals.total[1];
		const char *reason = games[i].reason;
		if (m.games != FEW || b->crashes != games[i].crashes ||
		    b->timeouts != games[i].timeouts || b->illegal != games[i].illegal ||
		    (reason && b->losses != FEW))
			fail_msg("%s %s: %s", games[i].protocol, games[i].mode, m.reasons[0]);
		for (int k = 0; reason && k < FEW; k++)
			if (!strstr(m.reasons[k], reason))
				fail_msg("%s %s: %s", games[i].protocol, games[i].mode,
					 m.reasons[k]);
		part(&m);
	}
}

/* The first start is one for all games; after the crash it cannot be started again. */
static void test_programs__hub_and_gomocup_fail_in_a_later_handshake(void **state)
{
	static const char *const protocols[] = { "hub", "gomocup" };
	for (int i = 0; i < 2; i++) {
		struct meeting m;
		char mark[PATH];
		new_path(mark);
		unlink(mark);
		assert_int_equal(meet_over(&m, *state, protocols[i], "once", mark), QV_IO);
		assert_non_null(strstr(m.error.text, "player B: "));
		assert_true(m.games <= 1);
		part(&m);
		unlink(mark);
	}
}

/* A journal may hold anything: what reaches a terminal is one printable line. */
static void test_programs__a_reason_is_printable(void **state)
{
	(void)state;
	static char record[] = "{\"quevedo\":1}\n"
			       "{\"result\":\"win 1\",\"reason\":\"a\\u001b[2J\\nb\\u009b c\\u00e9\"}\n";
	struct match_game game = { .record = { .data = record, .length = sizeof record - 1 } };
	assert_string_equal(match_game_reason(&game).text, "a?[2J?b?? c\xc3\xa9");
	game.record.length = 14;
	assert_string_equal(match_game_reason(&game).text, "");
	game.record.length = 0;
	assert_string_equal(match_game_reason(&game).text, "");
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
		cmocka_unit_test(
			test_programs__one_that_cannot_play_is_found_before_the_first_game),
		cmocka_unit_test(test_programs__are_started_first_by_who_assists_too),
		cmocka_unit_test(test_programs__a_journal_that_is_whole_needs_none),
		cmocka_unit_test(test_programs__a_failed_handshake_later_ends_the_match),
		cmocka_unit_test(test_programs__one_that_is_gone_ends_the_match),
		cmocka_unit_test(test_programs__a_lost_game_says_why),
		cmocka_unit_test(test_programs__hub_and_gomocup_find_those_that_cannot_play),
		cmocka_unit_test(test_programs__hub_and_gomocup_lose_by_a_fault),
		cmocka_unit_test(test_programs__hub_and_gomocup_fail_in_a_later_handshake),
		cmocka_unit_test(test_programs__a_reason_is_printable),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
