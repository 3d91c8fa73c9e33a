/*
 * match_run.c - whole matches: the same for any number of workers, counted right, dice paired,
 * stopped, gone on with after a cut at any byte, and audited.
 * SPDX-License-Identifier: MIT
 */
#include "support/desk.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "match/match.h"
#include "support/meter.h"
#include "support/scale.h"

/* Everything a match says, in order. */
struct story {
	struct match_plan plan;
	struct match_run run;
	struct match_totals totals;
	struct string records;
	int64_t enough;                    /* games after which the listener ends it; 0: never */
	int64_t wins[4], seen;             /* by player; counted here from the records alone */
	int64_t most_plies;
};

/* A literal reading of the last line of a record. */
static int winner_of(const struct string *record)
{
	const char *result = strstr(record->data, "{\"result\":\"");
	assert_non_null(result);
	assert_null(strstr(result + 1, "{\"result\""));
	return strncmp(result + 11, "win ", 4) == 0 ? atoi(result + 15) - 1 : -1;
}

static bool take_game(void *ctx, const struct match_game *game, const struct match_totals *totals)
{
	struct story *s = ctx;
	struct match_seating seating;
	assert_int_equal(game->number, s->seen);
	s->seen++;
	assert_int_equal(totals->games, s->seen);
	plan_seating(&s->plan, game->number, &seating);
	const int winner = winner_of(&game->record);
	assert_int_equal(winner, game->winner);
	if (winner >= 0)
		s->wins[seating.player[winner]]++;
	s->most_plies = game->plies > s->most_plies ? game->plies : s->most_plies;
	string_add(&s->records, game->record.data, game->record.length);
	return s->seen != s->enough;
}

static struct story story_of(const struct qv_context *context, const char *game,
			     const struct match_player *players, int count, int64_t games)
{
	struct story s = { .plan = { .players = players, .player_count = count, .games = games,
				     .seed = 11, .hash_mb = 1 },
			   .run = { .no_times = true } };
	struct qv_error error = { "" };
	s.records.allocator = &mem_malloc;
	assert_int_equal(qv_rules_parse(context, game, &s.plan.rules, &error), QV_OK);
	return s;
}

static enum qv_status tell(const struct qv_context *context, struct story *s)
{
	struct qv_error error = { "" };
	s->run.listener = (struct match_listener){ take_game, NULL, s };
	s->seen = 0;
	s->records.length = 0;
	memset(s->wins, 0, sizeof s->wins);
	const enum qv_status status =
		match_run(context, &s->plan, &s->run, &s->totals, &error);
	if (status != QV_OK && status != QV_STOPPED)
		fail_msg("%s", error.text);
	return status;
}

static void forget(struct story *s)
{
	string_release(&s->records);
	totals_release(&s->totals);
}

static const struct match_player randoms[] = { { "A", "random" }, { "B", "random" } };
static const struct match_player searchers[] = { { "A", "alphabeta:nodes=200,random=1" },
						 { "B", "mcts:playouts=20,tt=1" } };
static const struct match_player dicers[] = { { "A", "expectimax:depth=1" }, { "B", "random" } };
static const struct match_player three[] = { { "A", "maxn:depth=2,random=1" }, { "B", "random" } };

/* ---- Reproducible ---- */

static void test_match__is_the_same_for_any_number_of_workers(void **state)
{
	const struct {
		const char *game;
		const struct match_player *players;
		int64_t games;
	} matches[] = { { "noughts", randoms, 200 }, { "connect4", searchers, 10 },
			{ "race", dicers, 10 },	     { "toy-three", three, 30 },
			{ "reversi", searchers, 6 } };
	for (size_t i = 0; i < sizeof matches / sizeof *matches; i++) {
		struct story one = story_of(*state, matches[i].game, matches[i].players, 2,
					    matches[i].games);
		one.plan.random_plies = 2;
		struct story many = one;
		assert_int_equal(tell(*state, &one), QV_OK);
		many.run.jobs = 4;
		assert_int_equal(tell(*state, &many), QV_OK);
		assert_int_equal(one.records.length, many.records.length);
		assert_memory_equal(one.records.data, many.records.data, one.records.length);
		assert_memory_equal(one.totals.total, many.totals.total,
				    2 * sizeof *one.totals.total);
		forget(&one);
		forget(&many);
	}
}

static void test_match__counts_what_the_records_say(void **state)
{
	struct story s = story_of(*state, "noughts", randoms, 2, 300);
	assert_int_equal(tell(*state, &s), QV_OK);
	const struct match_total *a = &s.totals.total[0], *b = &s.totals.total[1];
	assert_int_equal(a->wins, s.wins[0]);
	assert_int_equal(b->wins, s.wins[1]);
	assert_int_equal(a->losses, b->wins);
	assert_int_equal(a->wins + a->draws + a->losses, 300);
	assert_int_equal(a->draws, b->draws);
	assert_int_equal(a->started, 150);
	assert_int_equal(a->seat_games[0], 150);
	assert_int_equal(a->seat_wins[0] + a->seat_wins[1], a->wins);
	assert_true(a->shares == (double)a->wins + (double)a->draws / 2);
	assert_int_equal(a->moves + b->moves, (uint64_t)s.totals.plies);
	assert_int_equal(s.totals.meetings[1].wins, a->wins);
	assert_int_equal(s.totals.meetings[2].wins, b->wins);
	assert_int_equal(pair_tally_pairs(&s.totals.pairs[1]), 150);
	assert_int_equal(s.totals.ends[END_RULES], 300);
	assert_true(s.wins[0] > 50 && s.wins[1] > 50);
	forget(&s);
}

/* ---- Dice ---- */

enum { MOST_THROWS = 400 };

struct throws {
	int count[3];
	char faces[3][MOST_THROWS];
};

/* The throws of each seat: a throw is the seat's that moves after it. */
static const char *read_throws(const char *record, struct throws *t)
{
	char face = 0;
	*t = (struct throws){ 0 };
	for (; !strstr(record, "{\"result\"") || record < strstr(record, "{\"result\"");
	     record = strchr(record, '\n') + 1) {
		const char *end = strchr(record, '\n'), *seat = strstr(record, "\"seat\":");
		if (!end || strncmp(record, "{\"result\"", 9) == 0)
			break;
		if (!seat || seat > end)
			continue;
		const int number = atoi(seat + 7);
		if (number == 0) {
			face = strstr(record, "roll ")[5];
		} else if (face) {
			assert_true(t->count[number] < MOST_THROWS);
			t->faces[number][t->count[number]++] = face;
			face = 0;
		}
	}
	return strchr(record, '\n') + 1;
}

static void test_match__the_kth_throw_of_a_seat_is_the_same_in_a_pair(void **state)
{
	struct story s = story_of(*state, "race", dicers, 2, 8);
	assert_int_equal(tell(*state, &s), QV_OK);
	const char *record = s.records.data;
	char before[MOST_THROWS] = "";
	for (int pair = 0; pair < 4; pair++) {
		struct throws a, b;
		record = read_throws(record, &a);
		record = read_throws(record, &b);
		for (int seat = 1; seat <= 2; seat++) {
			const int shared = a.count[seat] < b.count[seat] ? a.count[seat]
									 : b.count[seat];
			assert_true(shared > 20);
			assert_memory_equal(a.faces[seat], b.faces[seat], (size_t)shared);
			assert_memory_not_equal(a.faces[1], a.faces[2], 20);
		}
		assert_memory_not_equal(before, a.faces[1], 20);
		memcpy(before, a.faces[1], 20);
	}
	forget(&s);
}

/* ---- Ends ---- */

static void test_match__bounds_and_adjudication_end_games(void **state)
{
	static const struct match_player perfect[] = { { "A", "alphabeta:depth=9" },
						       { "B", "alphabeta:depth=9" } };
	static const struct match_player uneven[] = { { "A", "alphabeta:depth=6" },
						      { "B", "alphabeta:depth=3" } };
	struct story s = story_of(*state, "reversi", randoms, 2, 6);
	s.plan.max_plies = 20;
	assert_int_equal(tell(*state, &s), QV_OK);
	assert_int_equal(s.totals.ends[END_MAX_PLIES], 6);
	assert_int_equal(s.totals.total[0].draws, 6);
	assert_int_equal(s.totals.plies, 120);
	forget(&s);

	s = story_of(*state, "noughts", perfect, 2, 4);
	s.plan.adjudication = (struct match_adjudication){ .draw_moves = 2, .draw_plies = 5 };
	assert_int_equal(tell(*state, &s), QV_OK);
	assert_int_equal(s.totals.ends[END_ADJUDICATED], 4);
	assert_int_equal(s.totals.total[0].draws, 4);
	assert_int_equal(s.totals.plies, 20);
	forget(&s);

	s = story_of(*state, "connect4", uneven, 2, 6);
	assert_int_equal(tell(*state, &s), QV_OK);
	const int64_t wins = s.totals.total[0].wins, plies = s.totals.plies;
	forget(&s);
	s.plan.adjudication =
		(struct match_adjudication){ .resign_score = QV_MAX_EVAL, .resign_moves = 1 };
	s.records = (struct string){ .allocator = &mem_malloc };
	assert_int_equal(tell(*state, &s), QV_OK);
	assert_true(wins > 0 && s.totals.ends[END_ADJUDICATED] > 0);
	assert_int_equal(s.totals.total[0].wins, wins);
	assert_true(s.totals.plies < plies);
	forget(&s);
}

static void test_match__random_players_are_never_adjudicated(void **state)
{
	struct story s = story_of(*state, "noughts", randoms, 2, 20);
	s.plan.adjudication = (struct match_adjudication){ .draw_score = 5, .draw_moves = 1 };
	assert_int_equal(tell(*state, &s), QV_OK);
	assert_int_equal(s.totals.ends[END_RULES], 20);
	forget(&s);
}

static void test_match__the_listener_ends_it_at_the_same_game(void **state)
{
	for (int jobs = 1; jobs <= 3; jobs++) {
		struct story s = story_of(*state, "noughts", randoms, 2, 500);
		s.run.jobs = jobs;
		s.enough = 41;
		assert_int_equal(tell(*state, &s), QV_OK);
		assert_int_equal(s.totals.games, 41);
		assert_int_equal(s.seen, 41);
		forget(&s);
	}
}

static void test_match__stops_when_told(void **state)
{
	struct qv_flag stop = { 1 };
	struct story s = story_of(*state, "reversi", randoms, 2, 1000000);
	s.run.stop = &stop;
	s.run.jobs = 2;
	assert_int_equal(tell(*state, &s), QV_STOPPED);
	assert_true(s.totals.games < 1000000);
	forget(&s);
}

static void test_match__a_wrong_spec_is_refused_before_anything(void **state)
{
	static const struct match_player wrong[] = { { "A", "random" }, { "B", "rndom" } };
	struct story s = story_of(*state, "noughts", wrong, 2, 2);
	struct qv_error error = { "" };
	assert_int_not_equal(match_run(*state, &s.plan, &s.run, &s.totals, &error), QV_OK);
	assert_non_null(strstr(error.text, "player B: "));
	forget(&s);
}

/* ---- The journal ---- */

enum { JOURNAL_PATH = 64 };

/* In memory if that can be: journals are brought to the disk, which takes long. */
static void new_journal(char path[JOURNAL_PATH])
{
	const char *folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
	snprintf(path, JOURNAL_PATH, "%s/test-match-XXXXXX", folder);
	const int file = mkstemp(path);
	assert_true(file >= 0);
	close(file);
}

static void write_file(const char *path, const char *data, size_t size)
{
	FILE *out = fopen(path, "wb");
	assert_non_null(out);
	assert_int_equal(fwrite(data, 1, size, out), size);
	fclose(out);
}

static int count_results(const struct file_bytes *bytes, int number)
{
	char head[64];
	int count = 0;
	snprintf(head, sizeof head, "{\"number\":%d,\"result\"", number);
	for (const char *at = bytes->data; (at = strstr(at, head)); at++)
		count++;
	return count;
}

/* Cut anywhere, it goes on to the same end: nothing is lost, nothing is played twice. */
static void test_journal__goes_on_after_a_cut_at_any_byte(void **state)
{
	char path[JOURNAL_PATH];
	new_journal(path);
	struct story s = story_of(*state, "noughts", randoms, 2, 8);
	s.run.journal = path;
	s.run.jobs = 2;
	assert_int_equal(tell(*state, &s), QV_OK);
	struct file_bytes whole, again;
	assert_int_equal(file_read(&mem_malloc, path, 1 << 20, &whole, NULL), QV_OK);
	const size_t step = (size_t)(100 / scaled(100)) * 3 + 1;
	for (size_t cut = 0; cut <= whole.size; cut += cut < 600 ? 1 : step) {
		struct story t = story_of(*state, "noughts", randoms, 2, 8);
		t.run.journal = path;
		t.run.resume = true;
		write_file(path, whole.data, cut);
		assert_int_equal(tell(*state, &t), QV_OK);
		assert_string_equal(t.records.data, s.records.data);
		assert_int_equal(file_read(&mem_malloc, path, 1 << 20, &again, NULL), QV_OK);
		size_t kept = cut;
		while (kept && whole.data[kept - 1] != '\n')
			kept--;
		assert_memory_equal(again.data, whole.data, kept);
		for (int number = 1; number <= 8; number++)
			assert_int_equal(count_results(&again, number), 1);
		file_release(&mem_malloc, &again);
		forget(&t);
	}
	file_release(&mem_malloc, &whole);
	forget(&s);
	unlink(path);
}

static void test_journal__refuses_another_match(void **state)
{
	char path[JOURNAL_PATH];
	new_journal(path);
	struct story s = story_of(*state, "noughts", randoms, 2, 4);
	struct qv_error error = { "" };
	s.run.journal = path;
	assert_int_equal(tell(*state, &s), QV_OK);
	totals_release(&s.totals);
	assert_int_equal(match_run(*state, &s.plan, &s.run, &s.totals, &error), QV_IO);
	totals_release(&s.totals);
	s.run.resume = true;
	s.plan.seed++;
	assert_int_equal(match_run(*state, &s.plan, &s.run, &s.totals, &error), QV_BAD_INPUT);
	assert_non_null(strstr(error.text, "seed: 11 there, but 12 here"));
	forget(&s);
	unlink(path);
}

static struct match_audit audit(const struct qv_context *context, const char *path)
{
	struct match_audit a;
	struct qv_error error = { "" };
	if (match_audit(context, path, 0, 1, 1, NULL, &a, &error) != QV_OK)
		fail_msg("%s", error.text);
	return a;
}

/* The field that differs is named, not cut out of JSON. */
static void test_journal__names_what_differs(void **state)
{
	char path[JOURNAL_PATH];
	new_journal(path);
	struct story s = story_of(*state, "noughts", randoms, 2, 4);
	const struct match_player before[] = { { "A", "alphabeta:depth=7,tt=1" },
					       { "B", "level:1" } };
	const struct match_player other[] = { { "A", "alphabeta:depth=8,tt=1" },
					      { "B", "level:1" } };
	struct qv_error error = { "" };
	s.run.journal = path;
	s.plan.players = before;
	s.plan.plugins = "sha256:aa";
	assert_int_equal(tell(*state, &s), QV_OK);
	totals_release(&s.totals);
	s.run.resume = true;
	s.plan.players = other;
	assert_int_equal(match_run(*state, &s.plan, &s.run, &s.totals, &error), QV_BAD_INPUT);
	assert_non_null(strstr(error.text,
			       "player A, spec: ...depth=7,tt=1 there, but ...depth=8,tt=1 here"));
	totals_release(&s.totals);
	s.plan.players = before;
	s.plan.plugins = "sha256:bb";
	assert_int_equal(match_run(*state, &s.plan, &s.run, &s.totals, &error), QV_BAD_INPUT);
	assert_non_null(strstr(error.text, "plugins: ...aa there, but ...bb here"));
	totals_release(&s.totals);
	s.plan.plugins = "sha256:aa";
	s.plan.clock.move_ms = 1000;
	assert_int_equal(match_run(*state, &s.plan, &s.run, &s.totals, &error), QV_BAD_INPUT);
	assert_non_null(strstr(error.text, "clock.kind: none there, but move here"));
	forget(&s);
	unlink(path);
}

/* What a level stood for, and the version, are in the journal; another one is refused. */
static void test_journal__levels_and_versions_count(void **state)
{
	static const struct {
		const char *from, *to, *why;
	} changes[] = {
		{ "\"stands_for\":\"", "\"stands_for\":\"x", "player B, stands_for: x" },
		{ "\"version\":\"", "\"version\":\"x", "version: x" },
	};
	const struct match_player players[] = { { "A", "random" }, { "B", "level:1" } };
	for (int i = 0; i < 2; i++) {
		char path[JOURNAL_PATH];
		new_journal(path);
		struct story s = story_of(*state, "noughts", players, 2, 2);
		struct file_bytes bytes;
		struct qv_error error = { "" };
		s.run.journal = path;
		assert_int_equal(tell(*state, &s), QV_OK);
		totals_release(&s.totals);
		assert_int_equal(file_read(&mem_malloc, path, 1 << 20, &bytes, NULL), QV_OK);
		const char *at = strstr(bytes.data, changes[i].from);
		assert_non_null(at);
		struct string text = { .allocator = &mem_malloc };
		string_add(&text, bytes.data, (size_t)(at - bytes.data));
		string_addf(&text, "%s%s", changes[i].to, at + strlen(changes[i].from));
		write_file(path, text.data, text.length);
		s.run.resume = true;
		assert_int_equal(match_run(*state, &s.plan, &s.run, &s.totals, &error),
				 QV_BAD_INPUT);
		assert_non_null(strstr(error.text, changes[i].why));
		string_release(&text);
		file_release(&mem_malloc, &bytes);
		forget(&s);
		unlink(path);
	}
}

/* A match of four games that is continued to ten is the same as one of ten. */
static void test_journal__a_match_can_be_lengthened(void **state)
{
	char path[JOURNAL_PATH];
	new_journal(path);
	struct story s = story_of(*state, "noughts", randoms, 2, 10);
	assert_int_equal(tell(*state, &s), QV_OK);
	struct story t = story_of(*state, "noughts", randoms, 2, 4);
	struct qv_error error = { "" };
	t.run.journal = path;
	assert_int_equal(tell(*state, &t), QV_OK);
	totals_release(&t.totals);
	t.run.resume = true;
	for (int games = 7; games <= 10; games += 3) {
		t.records.length = 0;
		t.plan.games = games;
		assert_int_equal(tell(*state, &t), QV_OK);
		assert_int_equal(t.totals.games, games);
		totals_release(&t.totals);
	}
	assert_string_equal(t.records.data, s.records.data);
	assert_int_equal(audit(*state, path).games, 10);
	t.plan.games = 9;
	assert_int_equal(match_run(*state, &t.plan, &t.run, &t.totals, &error), QV_BAD_INPUT);
	assert_non_null(strstr(error.text, "games: 10 there, but 9 here"));
	forget(&s);
	forget(&t);
	unlink(path);
}

static void change(char *text, const char *from, const char *to)
{
	char *at = strstr(text, from);
	assert_non_null(at);
	assert_int_equal(strlen(from), strlen(to));
	memcpy(at, to, strlen(to));
}

static void test_audit__finds_what_was_changed(void **state)
{
	char path[JOURNAL_PATH];
	new_journal(path);
	struct story s = story_of(*state, "noughts", randoms, 2, 30);
	struct file_bytes bytes;
	s.run.journal = path;
	assert_int_equal(tell(*state, &s), QV_OK);
	struct match_audit a = audit(*state, path);
	assert_int_equal(a.games, 30);
	assert_int_equal(a.checked, 30);
	assert_int_equal(a.replayed, 30);
	assert_int_equal(a.wrong, 0);

	/* A result that its moves do not give. */
	assert_int_equal(file_read(&mem_malloc, path, 1 << 20, &bytes, NULL), QV_OK);
	change(bytes.data, "\"result\":\"win 1\"", "\"result\":\"win 2\"");
	write_file(path, bytes.data, bytes.size);
	a = audit(*state, path);
	assert_int_equal(a.wrong, 1);
	change(bytes.data, "\"result\":\"win 2\"", "\"result\":\"win 1\"");

	/* Another seed: legal games, but not those that these players play. */
	change(bytes.data, "\"seed\":11", "\"seed\":12");
	write_file(path, bytes.data, bytes.size);
	a = audit(*state, path);
	assert_int_equal(a.checked, 30);
	assert_true(a.wrong > 20);
	assert_non_null(strstr(a.first_wrong, "the players play it differently"));
	file_release(&mem_malloc, &bytes);
	forget(&s);
	unlink(path);
}

/* ---- Memory ---- */

static void test_match__survives_want_of_memory(void **state)
{
	struct meter meter = meter_make();
	const struct qv_allocator allocator = { meter_resize, &meter };
	struct qv_context *context = desk_context(&allocator);
	char path[JOURNAL_PATH];
	(void)state;
	new_journal(path);
	struct story s = story_of(context, "noughts", searchers, 2, 2);
	const int64_t before = meter.blocks;
	bool failed = true;
	s.run.journal = path;
	s.run.listener = (struct match_listener){ 0 };
	for (int64_t n = 1; failed; n += 1 + n / (4 * scaled(10))) {
		struct qv_error error = { "" };
		write_file(path, "", 0);
		meter_arm(&meter, n, n % 2);
		const enum qv_status status =
			match_run(context, &s.plan, &s.run, &s.totals, &error);
		failed = meter.failed;
		meter_arm(&meter, 0, false);
		assert_true(status == QV_NO_MEMORY || (status == QV_OK && s.totals.games == 2));
		assert_true(status == QV_OK || strstr(error.text, ": "));
		totals_release(&s.totals);
		assert_int_equal(meter.blocks, before);
	}
	qv_context_free(context);
	assert_int_equal(meter.blocks, 0);
	unlink(path);
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
		cmocka_unit_test(test_match__is_the_same_for_any_number_of_workers),
		cmocka_unit_test(test_match__counts_what_the_records_say),
		cmocka_unit_test(test_match__the_kth_throw_of_a_seat_is_the_same_in_a_pair),
		cmocka_unit_test(test_match__bounds_and_adjudication_end_games),
		cmocka_unit_test(test_match__random_players_are_never_adjudicated),
		cmocka_unit_test(test_match__the_listener_ends_it_at_the_same_game),
		cmocka_unit_test(test_match__stops_when_told),
		cmocka_unit_test(test_match__a_wrong_spec_is_refused_before_anything),
		cmocka_unit_test(test_journal__goes_on_after_a_cut_at_any_byte),
		cmocka_unit_test(test_journal__refuses_another_match),
		cmocka_unit_test(test_journal__names_what_differs),
		cmocka_unit_test(test_journal__levels_and_versions_count),
		cmocka_unit_test(test_journal__a_match_can_be_lengthened),
		cmocka_unit_test(test_audit__finds_what_was_changed),
		cmocka_unit_test(test_match__survives_want_of_memory),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
