/*
 * sgf_tree.c - tests SGF and GGF of reversi, go-moku and nine men's morris: literal files, what is
 * written, errors, and random games that are written and read back.
 * SPDX-License-Identifier: MIT
 */
#include "support/record.h"

#include "core/context.h"
#include "formats/game_file.h"
#include "formats/sgf_tree.h"

/* The first game of a file as a journal; the caller releases it. */
static struct string journal_of(const struct qv_context *context, const char *text)
{
	struct string out = { .allocator = &mem_malloc };
	struct qv_error error = { "" };
	const struct pgn_bounds none = { 0 };
	assert_true(game_file_looks_like(text, strlen(text)));
	if (game_file_to_journal(context, text, strlen(text), none, &out, &error) != QV_OK)
		fail_msg("%s", error.text);
	return out;
}

static void check_journal(const char *text, const char *expected)
{
	struct qv_context *context = qv_context_new(NULL);
	struct string journal = journal_of(context, text);
	assert_string_equal(journal.data, expected);
	string_release(&journal);
	qv_context_free(context);
}

/* The error of a file. */
static void check_error(const char *text, const char *expected)
{
	struct qv_context *context = qv_context_new(NULL);
	struct string out = { .allocator = &mem_malloc };
	struct qv_error error = { "" };
	const struct pgn_bounds none = { 0 };
	assert_int_not_equal(
		game_file_to_journal(context, text, strlen(text), none, &out, &error), QV_OK);
	assert_string_equal(error.text, expected);
	string_release(&out);
	qv_context_free(context);
}

static void test_sgf__othello_with_names_comments_and_variations(void **state)
{
	(void)state;
	check_journal("(;FF[4]GM[2]PB[Ann \\] B.]PW[Rob]EV[Cup]DT[2026-11-16]RO[3]RE[B+R]\n"
		      "C[Soft\\\n line: one\\] end]\n"
		      ";C[first]B[dc]TE[1];W[ce](;B[df]N[main])\n"
		      "(;B[ef]BM[2]C[late]AR[aa:bb][hh:ha]CR[cc]))",
		      "{\"quevedo\":1,\"game\":\"reversi\",\"position\":\"start\","
		      "\"seats\":[\"Ann ] B.\",\"Rob\"],"
		      "\"tags\":{\"Event\":\"Cup\",\"Date\":\"2026.11.16\",\"Round\":\"3\"}}\n"
		      "{\"note\":\"Soft line: one] end\"}\n"
		      "{\"move\":\"d3\",\"seat\":1}\n"
		      "{\"note\":\"$1 first\"}\n"
		      "{\"move\":\"c5\",\"seat\":2}\n"
		      "{\"move\":\"d6\",\"seat\":1}\n"
		      "{\"note\":\"main\"}\n"
		      "{\"undo\":1}\n"
		      "{\"move\":\"e6\",\"seat\":1}\n"
		      "{\"note\":\"$4 [%cal Ga1b2,Gh8h1] [%csl Gc3] late\"}\n"
		      "{\"undo\":1}\n"
		      "{\"move\":\"d6\",\"seat\":1}\n"
		      "{\"result\":\"win 1\",\"reason\":\"resignation\"}\n");
}

/* Row 1 of go-moku is at the bottom, and the first row of SGF at the top. */
static void test_sgf__gomoku_counts_rows_from_the_top(void **state)
{
	(void)state;
	check_journal("(;GM[4]SZ[15]RU[renju]PB[Ann];B[hh];W[ha];B[i7])",
		      "{\"quevedo\":1,\"game\":\"gomoku:rule=renju\",\"position\":\"start\","
		      "\"seats\":[\"Ann\",\"?\"]}\n"
		      "{\"move\":\"h8\",\"seat\":1}\n"
		      "{\"move\":\"h15\",\"seat\":2}\n"
		      "{\"move\":\"i7\",\"seat\":1}\n");
}

static void test_sgf__stones_are_set_up(void **state)
{
	(void)state;
	check_journal("(;GM[4]SZ[9]AB[ee][ff]AW[aa:ba];B[gg])",
		      "{\"quevedo\":1,\"game\":\"gomoku:size=9\","
		      "\"position\":\"oo7/9/9/9/4x4/5x3/9/9/9 x\",\"seats\":[]}\n"
		      "{\"move\":\"g3\",\"seat\":1}\n");
}

static void test_sgf__morris_has_its_own_notation(void **state)
{
	(void)state;
	check_journal("(;GM[5]PW[Ann]PB[Rob];W[a7];B[d7])",
		      "{\"quevedo\":1,\"game\":\"morris\",\"position\":\"start\","
		      "\"seats\":[\"Ann\",\"Rob\"]}\n"
		      "{\"move\":\"a7\",\"seat\":1}\n"
		      "{\"move\":\"d7\",\"seat\":2}\n");
}

/* As the description of GGF at skatgame.net has it, with an evaluation and without. */
static void test_ggf__times_and_evaluations(void **state)
{
	(void)state;
	check_journal("1 (;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[Saio]PW[Zebra]\n"
		      "RB[2197.01]RW[2199.72]TI[05:00//02:00]TY[8]RE[-2.000:t]\n"
		      "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- "
		      "-------- *]\n"
		      "B[D3//0.01]W[c5/-1.50/2.5]B[d6/4]W[e3];)",
		      "{\"quevedo\":1,\"game\":\"reversi\",\"position\":\"start\","
		      "\"seats\":[\"Saio\",\"Zebra\"],\"tags\":{\"Site\":\"GGS/os\","
		      "\"Date\":\"2003.12.15_13:24:03.MST\",\"BlackRating\":\"2197.01\","
		      "\"WhiteRating\":\"2199.72\",\"TimeControl\":\"05:00//02:00\",\"Type\":\"8\"}}\n"
		      "{\"move\":\"d3\",\"seat\":1,\"time\":0.01}\n"
		      "{\"move\":\"c5\",\"seat\":2,\"time\":2.5}\n"
		      "{\"note\":\"[%eval -1.50]\"}\n"
		      "{\"move\":\"d6\",\"seat\":1}\n"
		      "{\"note\":\"[%eval 4]\"}\n"
		      "{\"move\":\"e3\",\"seat\":2}\n"
		      "{\"result\":\"win 2\",\"reason\":\"time\"}\n");
}

static void test_sgf__backgammon_goes_to_its_reader(void **state)
{
	(void)state;
	check_journal("(;FF[4]GM[6]PW[Ann]PB[Rob];W[21mkxw]C[so])",
		      "{\"quevedo\":1,\"game\":\"backgammon:cube=1,beavers=1\","
		      "\"position\":\"start\",\"seats\":[\"Ann\",\"Rob\"]}\n"
		      "{\"move\":\"roll 21\",\"seat\":0}\n"
		      "{\"move\":\"24/23 13/11\",\"seat\":1}\n"
		      "{\"note\":\"so\"}\n");
}

static void test_sgf__errors_name_the_line(void **state)
{
	(void)state;
	check_error("(;GM[2]\n;B[dc]\n;W[aa])", "line 3: move 1, 'aa': not a legal move here");
	check_error("(;GM[2]\n;W[dc])", "line 2: move 'dc': it is Black's turn");
	check_error("(;GM[2]\n;B[dc", "line 2: the value of B is not closed by ']'");
	check_error("(;GM[2];B[dc];AB[aa])",
		    "line 1: AB: stones can only be set up before the first move");
	check_error("(;GM[4]SZ[40])", "line 1: SZ: expected a number from 1 to 19");
	check_error("(;GM[2]AB[xx])", "line 1: AB: 'xx' is not a point");
	check_error("(;GM[2]SZ[10])", "line 1: SZ: reversi is played on a board of 8 rows");
	check_error("(;GM[Othello]BO[8 *])", "line 1: BO: expected 8, the squares as *, O and -, "
					     "and the side to move");
	check_error("(;GM[12];B[aa])", "line 1: a game other than backgammon (GM[6])");
}

/* A bad game does not hide the one after it. */
static void test_sgf__goes_on_after_an_error(void **state)
{
	static const char file[] = "(;GM[2];B[aa](;W[bb]C[\\]( ])) (;GM[2]PB[Two];B[dc])";
	struct qv_context *context = qv_context_new(NULL);
	struct sgf_reader r = { .context = context, .at = file, .end = file + strlen(file) };
	struct qv_record *record = NULL;
	struct qv_error error;
	(void)state;
	assert_int_equal(sgf_next(&r, &record, &error), QV_ILLEGAL);
	assert_int_equal(sgf_next(&r, &record, &error), QV_OK);
	assert_int_equal(qv_record_ply(record), 1);
	qv_record_free(record);
	assert_int_equal(sgf_next(&r, &record, &error), QV_OK);
	assert_null(record);
	qv_context_free(context);
}

static void test_sgf__limits(void **state)
{
	struct qv_context *context = qv_context_new(NULL);
	struct string deep = { .allocator = &mem_malloc }, out = deep;
	struct qv_error error = { "" };
	const struct pgn_bounds none = { 0 }, few = { .lines = 2 };
	static const char game[] = "(;GM[2];B[dc];W[ce];B[df])";
	(void)state;
	string_addf(&deep, "(;GM[2]");
	for (int i = 0; i < 2000; i++)
		string_add(&deep, "(;", 2);
	assert_int_equal(game_file_to_journal(context, deep.data, deep.length, none, &out, &error),
			 QV_BAD_INPUT);
	assert_string_equal(error.text, "line 1: variations are nested too deeply");
	assert_int_equal(game_file_to_journal(context, game, strlen(game), few, &out, &error),
			 QV_BAD_INPUT);
	assert_string_equal(error.text, "line 1: the game is too long");
	string_release(&deep);
	string_release(&out);
	qv_context_free(context);
}

/* ---- Random games ---- */

static uint64_t below(struct qv_random *r, uint64_t n)
{
	return qv_random_next(r) % n;
}

/* Plays a random game with variations, notes and times, and sometimes a set-up position. */
static struct qv_record *random_game(const struct qv_context *context, const char *rules_text,
				     struct qv_random *rng, bool plain)
{
	static const char *const notes[] = { "$1 good", "plain ] \\ text", "$14 $1", "$5",
					     "[%csl Ga1] two", "$2 $6 [%eval -0.5]" };
	const char *const seats[] = { "Ann [x]", "Rob\\" };
	const struct record_tag tags[] = { { "Date", "2026.11.17" }, { "Site", "Here" } };
	struct qv_rules rules;
	struct qv_record *r = NULL;
	struct qv_error error = { "" };
	qv_move moves[QV_MAX_MOVES];
	assert_int_equal(qv_rules_parse(context, rules_text, &rules, &error), QV_OK);
	assert_int_equal(record_new_tagged(context, &rules, NULL, seats, 2, tags, 2, &r, &error),
			 QV_OK);
	for (int i = 0; i < 60; i++) {
		if (qv_record_result(r, NULL) != QV_GOING || (!plain && below(rng, 8) == 0)) {
			if (plain)
				break;
			qv_record_undo(r, (int)below(rng, 4), NULL);
			if (qv_record_result(r, NULL) != QV_GOING)
				continue;
		}
		const int count = rules.game->moves(r->state, moves);
		const qv_move move = moves[below(rng, (uint64_t)count)];
		const double seconds = plain ? (double)below(rng, 1000) / 100 : -1;
		assert_int_equal(qv_record_play(r, move, seconds, &error), QV_OK);
		if (below(rng, 3) == 0)
			qv_record_note(r, plain ? "[%eval -1.25]"
						: notes[below(rng, sizeof notes / sizeof *notes)]);
	}
	return r;
}

/* What is read from the text, written once more, is the same text; so nothing was lost. */
static void check_round_trip(const struct qv_context *context, const struct qv_record *record,
			     bool ggf)
{
	struct string text = { .allocator = &mem_malloc }, again = text, pgn = text, pgn_again = text;
	struct qv_record *copy = NULL;
	struct qv_error error = { "" };
	assert_int_equal((ggf ? ggf_write : sgf_tree_write)(context, record, &text, &error), QV_OK);
	struct sgf_reader r = { .context = context, .at = text.data,
				.end = text.data + text.length };
	if (sgf_next(&r, &copy, &error) != QV_OK)
		fail_msg("%s: %s", error.text, text.data);
	assert_int_equal((ggf ? ggf_write : sgf_tree_write)(context, copy, &again, &error), QV_OK);
	assert_string_equal(again.data, text.data);
	assert_int_equal(copy->node_count, record->node_count);
	/* PGN has everything but the clocks, so it compares trees, notes, names, tags and times. */
	if (pgn_write(context, record, NULL, &pgn, &error) == QV_OK) {
		assert_int_equal(pgn_write(context, copy, NULL, &pgn_again, &error), QV_OK);
		assert_string_equal(pgn_again.data, pgn.data);
	}
	qv_record_free(copy);
	string_release(&text);
	string_release(&again);
	string_release(&pgn);
	string_release(&pgn_again);
}

static void test_sgf__random_games_survive(void **state)
{
	static const char *const games[] = { "reversi", "gomoku", "gomoku:size=9,rule=exact",
					     "gomoku:rule=renju", "morris" };
	struct qv_context *context = qv_context_new(NULL);
	struct qv_random rng = { .key = 21 };
	(void)state;
	for (size_t i = 0; i < sizeof games / sizeof *games; i++)
		for (int k = 0; k < 12; k++) {
			struct qv_record *r = random_game(context, games[i], &rng, false);
			check_round_trip(context, r, false);
			qv_record_free(r);
		}
	qv_context_free(context);
}

static void test_ggf__random_games_survive(void **state)
{
	struct qv_context *context = qv_context_new(NULL);
	struct qv_random rng = { .key = 22 };
	(void)state;
	for (int k = 0; k < 12; k++) {
		struct qv_record *r = random_game(context, "reversi", &rng, true);
		check_round_trip(context, r, true);
		qv_record_free(r);
	}
	qv_context_free(context);
}

static void test_sgf__other_games_have_names(void **state)
{
	(void)state;
	check_error("(;GM[1]FF[4]SZ[19];B[pd];W[dp])",
		    "This is a game of Go. Quevedo does not play Go.");
	check_error("(;FF[4]GM[8])", "This is a game of Shogi. Quevedo does not play Shogi.");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sgf__othello_with_names_comments_and_variations),
		cmocka_unit_test(test_sgf__gomoku_counts_rows_from_the_top),
		cmocka_unit_test(test_sgf__stones_are_set_up),
		cmocka_unit_test(test_sgf__morris_has_its_own_notation),
		cmocka_unit_test(test_ggf__times_and_evaluations),
		cmocka_unit_test(test_sgf__backgammon_goes_to_its_reader),
		cmocka_unit_test(test_sgf__errors_name_the_line),
		cmocka_unit_test(test_sgf__goes_on_after_an_error),
		cmocka_unit_test(test_sgf__limits),
		cmocka_unit_test(test_sgf__other_games_have_names),
		cmocka_unit_test(test_sgf__random_games_survive),
		cmocka_unit_test(test_ggf__random_games_survive),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
