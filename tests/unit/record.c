/*
 * record.c - tests of the record of a game: play, undo, variations, words, the journal and its
 * refusals.
 * SPDX-License-Identifier: MIT
 */
#include "support/record.h"

#include <math.h>

#define HEADER(game) "{\"quevedo\":1,\"game\":\"" game "\",\"position\":\"start\",\"seats\":[]}\n"
#define NOUGHTS HEADER("noughts")

/* ---- The tree ---- */

static void test_record__starts_at_the_start(void **state)
{
	struct qv_record *r = new_record(*state, "noughts", NULL);
	assert_position(r, "......... x");
	assert_int_equal(qv_record_ply(r), 0);
	assert_int_equal(qv_record_variations(r), 0);
	assert_null(qv_record_note_text(r));
	assert_int_equal(qv_record_result(r, NULL), QV_GOING);
	assert_true(qv_record_move(r, 0) == QV_NO_MOVE && qv_record_move(r, -1) == QV_NO_MOVE);
	assert_true(qv_record_variation(r, 0) == QV_NO_MOVE &&
		    qv_record_variation(r, -1) == QV_NO_MOVE);
	undo(r, 3, 0);
	redo(r, 3, 0);
	assert_saved(r, NOUGHTS);        /* nothing happened, so nothing is written */
	assert_round_trip(*state, r);
	qv_record_free(r);
	qv_record_free(NULL);
}

static void test_record__keeps_the_position_it_starts_from(void **state)
{
	struct qv_record *r = new_record(*state, "noughts", "x..oo..x. x");
	assert_saved(
		r,
		"{\"quevedo\":1,\"game\":\"noughts\",\"position\":\"x..oo..x. x\",\"seats\":[]}\n");
	play(r, "6");
	assert_position(r, "x..oox.x. o");
	assert_round_trip(*state, r);
	qv_record_free(r);
	r = new_record(*state, "noughts", "......... x");        /* the start, said another way */
	assert_saved(r, NOUGHTS);
	qv_record_free(r);
	r = new_record(*state, "noughts", "xxxoo.... o");        /* over before it begins */
	assert_int_equal(qv_record_result(r, NULL), QV_ENDED);
	assert_int_equal(qv_record_play(r, 5, -1, NULL), QV_ILLEGAL);
	assert_saved(
		r,
		"{\"quevedo\":1,\"game\":\"noughts\",\"position\":\"xxxoo.... o\",\"seats\":[]}\n"
		"{\"result\":\"win 1\"}\n");
	assert_round_trip(*state, r);
	qv_record_free(r);
}

static void test_record__refuses_what_the_rules_forbid(void **state)
{
	struct qv_record *r = new_record(*state, "noughts", NULL);
	struct qv_error error = { "" };
	play(r, "5");
	assert_int_equal(qv_record_play(r, 4, 0, &error), QV_ILLEGAL);
	assert_string_equal(error.text, "move: not legal here");
	assert_int_equal(qv_record_play(r, 99, 0, &error), QV_ILLEGAL);
	assert_int_equal(qv_record_play(r, QV_NO_MOVE, 0, &error), QV_ILLEGAL);
	assert_int_equal(qv_record_play(r, 0, NAN, &error), QV_BAD_INPUT);
	assert_int_equal(qv_record_play(r, 0, INFINITY, &error), QV_BAD_INPUT);
	assert_int_equal(qv_record_play(r, 0, 1e10, &error), QV_BAD_INPUT);
	assert_non_null(strstr(error.text, "time: "));
	play_all(r, "126347");           /* x: 5 2 3 7, a diagonal */
	assert_int_equal(qv_record_play(r, 8, 0, &error), QV_ILLEGAL);
	assert_string_equal(error.text, "move: the game has ended");
	assert_int_equal(qv_record_undo(r, -1, NULL), QV_BAD_INPUT);
	assert_int_equal(qv_record_redo(r, -1, NULL), QV_BAD_INPUT);
	assert_int_equal(qv_record_end(r, 1, "resigns"), QV_ILLEGAL);
	assert_int_equal(qv_record_ply(r), 7);
	qv_record_free(r);
}

static void test_record__undo_and_redo_walk_the_line(void **state)
{
	struct qv_record *r = new_record(*state, "noughts", NULL);
	play_all(r, "51937");
	undo(r, 2, 2);
	assert_position(r, "o...x...x o");
	redo(r, 1, 1);
	assert_position(r, "o.o.x...x x");
	undo(r, 99, 4);
	assert_position(r, "......... x");
	redo(r, 99, 5);
	assert_position(r, "o.o.x.x.x o");
	for (int i = 0; i < 5; i++)
		assert_int_equal(qv_record_move(r, i), "51937"[i] - '1');
	assert_true(qv_record_move(r, 5) == QV_NO_MOVE);
	assert_round_trip(*state, r);
	qv_record_free(r);
}

static void test_record__playing_after_undo_makes_a_variation_once(void **state)
{
	struct qv_record *r = new_record(*state, "noughts", NULL);
	play_all(r, "51");
	undo(r, 1, 1);
	play_all(r, "39");
	undo(r, 2, 2);
	assert_int_equal(qv_record_variations(r), 2);
	assert_int_equal(qv_record_variation(r, 0), 0);
	assert_int_equal(qv_record_variation(r, 1), 2);
	redo(r, 9, 2);                   /* the line last walked */
	assert_position(r, "..o.x...x o");
	undo(r, 2, 2);
	play(r, "1");                    /* walks into the first */
	assert_int_equal(qv_record_variations(r), 0);
	undo(r, 1, 1);
	assert_int_equal(qv_record_variations(r), 2);
	redo(r, 9, 1);                   /* which is now the one last walked */
	assert_position(r, "o...x.... x");
	assert_round_trip(*state, r);
	qv_record_free(r);
}

/* ---- Words, clocks, ends ---- */

static void test_record__notes_belong_to_positions(void **state)
{
	struct qv_record *r = new_record(*state, "noughts", NULL);
	assert_int_equal(qv_record_note(r, "empty"), QV_OK);
	play(r, "5");
	assert_null(qv_record_note_text(r));
	assert_int_equal(qv_record_note(r, "first"), QV_OK);
	assert_int_equal(qv_record_note(r, "\"the\" \\centre\\,\n\tof course: \xe2\x9c\x93 \x01"),
			 QV_OK);
	undo(r, 1, 1);
	assert_string_equal(qv_record_note_text(r), "empty");
	redo(r, 1, 1);
	assert_string_equal(qv_record_note_text(r),
			    "\"the\" \\centre\\,\n\tof course: \xe2\x9c\x93 \x01");
	assert_int_equal(qv_record_note(r, "\xff not UTF-8"), QV_BAD_INPUT);
	assert_int_equal(qv_record_note(r, "\xc0\x80"), QV_BAD_INPUT);
	assert_round_trip(*state, r);
	assert_int_equal(qv_record_note(r, ""), QV_OK);
	assert_null(qv_record_note_text(r));
	assert_int_equal(qv_record_note(r, NULL), QV_OK);
	assert_null(qv_record_note_text(r));
	assert_round_trip(*state, r);
	qv_record_free(r);
}

static void test_record__clocks_are_what_was_said_last(void **state)
{
	struct qv_record *r = new_record(*state, "noughts", NULL);
	assert_int_equal(qv_record_clock_left(r, 0), -1);
	assert_int_equal(qv_record_clock(r, 0, 30000), QV_OK);
	assert_int_equal(qv_record_clock(r, 1, INT64_MAX), QV_OK);
	assert_int_equal(qv_record_clock(r, 0, 0), QV_OK);
	assert_int_equal(qv_record_clock_left(r, 0), 0);
	assert_true(qv_record_clock_left(r, 1) == INT64_MAX);
	assert_int_equal(qv_record_clock(r, 0, -1), QV_BAD_INPUT);
	assert_int_equal(qv_record_clock(r, -1, 5), QV_BAD_INPUT);
	assert_int_equal(qv_record_clock(r, 2, 5), QV_BAD_INPUT);
	assert_int_equal(qv_record_clock_left(r, -1), -1);
	assert_int_equal(qv_record_clock_left(r, 2), -1);
	assert_round_trip(*state, r);
	qv_record_free(r);
}

static void test_record__an_end_by_word_can_be_taken_back(void **state)
{
	struct qv_record *r = new_record(*state, "noughts", NULL);
	int32_t points[2] = { 7, 7 };
	play_all(r, "51");
	assert_int_equal(qv_record_result(r, points), QV_GOING);
	assert_true(points[0] == 7 && points[1] == 7);
	assert_int_equal(qv_record_end(r, 2, "x"), QV_BAD_INPUT);
	assert_int_equal(qv_record_end(r, QV_UNDECIDED - 1, "x"), QV_BAD_INPUT);
	assert_int_equal(qv_record_end(r, 0, NULL), QV_BAD_INPUT);
	assert_int_equal(qv_record_end(r, 0, ""), QV_BAD_INPUT);
	assert_int_equal(qv_record_end(r, 0, "\xff"), QV_BAD_INPUT);
	assert_int_equal(qv_record_end(r, 1, "resigns"), QV_OK);
	assert_int_equal(qv_record_result(r, points), QV_ENDED);
	assert_true(points[0] == 0 && points[1] == 1);
	assert_int_equal(qv_record_play(r, 2, -1, NULL), QV_ILLEGAL);
	assert_int_equal(qv_record_end(r, 0, "x"), QV_ILLEGAL);
	assert_round_trip(*state, r);
	undo(r, 0, 0);                   /* the end alone */
	assert_int_equal(qv_record_result(r, points), QV_GOING);
	assert_int_equal(qv_record_ply(r), 2);
	redo(r, 0, 0);
	assert_int_equal(qv_record_result(r, points), QV_ENDED);
	redo(r, 0, 0);
	undo(r, 1, 1);                   /* the end and a move */
	assert_int_equal(qv_record_result(r, points), QV_GOING);
	redo(r, 1, 1);
	assert_int_equal(qv_record_result(r, points), QV_ENDED);
	assert_round_trip(*state, r);
	undo(r, 1, 1);
	play(r, "1");                    /* played, not redone: the game goes on */
	assert_int_equal(qv_record_result(r, points), QV_GOING);
	play(r, "9");
	undo(r, 1, 1);
	redo(r, 1, 1);
	assert_position(r, "o...x...x o");
	assert_int_equal(qv_record_end(r, -1, "agreed"), QV_OK);
	assert_int_equal(qv_record_result(r, points), QV_ENDED);
	assert_true(points[0] == 0 && points[1] == 0);
	assert_round_trip(*state, r);
	qv_record_free(r);
}

static void test_record__a_game_broken_off_is_no_draw(void **state)
{
	struct qv_record *r = new_record(*state, "noughts", NULL), *read = NULL;
	int32_t points[2];
	play_all(r, "51");
	assert_int_equal(qv_record_winner(r), QV_UNDECIDED);
	assert_int_equal(qv_record_end(r, QV_UNDECIDED, "server stopped"), QV_OK);
	assert_int_equal(qv_record_result(r, points), QV_ENDED);
	assert_true(points[0] == 0 && points[1] == 0);
	assert_int_equal(qv_record_winner(r), QV_UNDECIDED);
	assert_int_equal(qv_record_play(r, 2, -1, NULL), QV_ILLEGAL);
	assert_round_trip(*state, r);
	undo(r, 0, 0);
	assert_int_equal(qv_record_end(r, -1, "agreed"), QV_OK);
	assert_int_equal(qv_record_winner(r), -1);
	static const char text[] = "{\"quevedo\":1,\"game\":\"noughts\",\"position\":\"start\"}\n"
				   "{\"result\":\"none\",\"reason\":\"so\"}\n";
	assert_int_equal(qv_record_load(*state, text, sizeof text - 1, &read, NULL), QV_OK);
	assert_int_equal(qv_record_winner(read), QV_UNDECIDED);
	qv_record_free(read);
	qv_record_free(r);
}

static void test_record__an_end_stops_redo_where_it_was_said(void **state)
{
	struct qv_record *r = new_record(*state, "noughts", NULL);
	play_all(r, "519");
	undo(r, 2, 2);
	assert_int_equal(qv_record_end(r, 0, "flag"), QV_OK);
	undo(r, 1, 1);
	redo(r, 9, 1);
	assert_int_equal(qv_record_result(r, NULL), QV_ENDED);
	assert_int_equal(qv_record_variations(r), 1);
	undo(r, 0, 0);
	play(r, "1");                    /* the game goes on, and redo with it */
	undo(r, 2, 2);
	redo(r, 9, 3);
	assert_int_equal(qv_record_result(r, NULL), QV_GOING);
	assert_round_trip(*state, r);
	qv_record_free(r);
}

/* ---- The journal ---- */

static void test_record__journal_reads_as_documented(void **state)
{
	struct qv_record *r = new_record(*state, "noughts", NULL);
	assert_int_equal(qv_record_play(r, 4, 0.5, NULL), QV_OK);
	assert_int_equal(qv_record_play(r, 0, 12, NULL), QV_OK);
	assert_int_equal(qv_record_play(r, 1, 0.0000014, NULL), QV_OK);
	assert_int_equal(qv_record_play(r, 6, 1e9, NULL), QV_OK);
	undo(r, 5, 4);
	redo(r, 3, 3);
	assert_int_equal(qv_record_note(r, "caf\xc3\xa9 \"x\"\n"), QV_OK);
	assert_int_equal(qv_record_clock(r, 1, 30000), QV_OK);
	play(r, "8");
	assert_int_equal(qv_record_end(r, -1, "agreed"), QV_OK);
	undo(r, 0, 0);
	redo(r, 0, 0);
	const char *expected = NOUGHTS
		"{\"move\":\"5\",\"seat\":1,\"time\":0.5}\n"
		"{\"move\":\"1\",\"seat\":2,\"time\":12}\n"
		"{\"move\":\"2\",\"seat\":1,\"time\":0.000001}\n"
		"{\"move\":\"7\",\"seat\":2,\"time\":1000000000}\n"
		"{\"undo\":4}\n"
		"{\"redo\":3}\n"
		"{\"note\":\"caf\xc3\xa9 \\\"x\\\"\\n\"}\n"
		"{\"clock\":{\"seat\":2,\"ms\":30000}}\n"
		"{\"move\":\"8\",\"seat\":2}\n"
		"{\"result\":\"draw\",\"reason\":\"agreed\"}\n"
		"{\"undo\":0}\n"
		"{\"redo\":0}\n"
		"{\"result\":\"draw\",\"reason\":\"agreed\"}\n";
	assert_saved(r, expected);
	assert_round_trip(*state, r);
	qv_record_free(r);
}

static void test_record__journal_says_the_result_whenever_the_game_ends(void **state)
{
	struct qv_record *r = new_record(*state, "noughts", "xx.oo.... x");
	int32_t points[2];
	play(r, "3");
	assert_int_equal(qv_record_result(r, points), QV_ENDED);
	assert_true(points[0] == 1 && points[1] == 0);
	undo(r, 1, 1);
	assert_int_equal(qv_record_result(r, points), QV_GOING);
	redo(r, 1, 1);
	assert_saved(
		r,
		"{\"quevedo\":1,\"game\":\"noughts\",\"position\":\"xx.oo.... x\",\"seats\":[]}\n"
		"{\"move\":\"3\",\"seat\":1}\n"
		"{\"result\":\"win 1\"}\n"
		"{\"undo\":1}\n"
		"{\"redo\":1}\n"
		"{\"result\":\"win 1\"}\n");
	assert_round_trip(*state, r);
	qv_record_free(r);
}

static void test_record__repetition_counts_since_the_last_irreversible_move(void **state)
{
	struct qv_record *r = new_record(*state, "toy-repeat", NULL);
	int count;
	int32_t points[2];
	play(r, "rest");
	play(r, "rest");
	qv_record_history(r, &count);
	assert_int_equal(count, 0);
	for (int i = 0; i < 2;
	     i++) { /* out and back: the position after the rests comes a second and a third time */
		assert_int_equal(qv_record_result(r, points), QV_GOING);
		play(r, "2");
		play(r, "8");
		play(r, "1");
		play(r, "9");
	}
	const uint64_t *history = qv_record_history(r, &count);
	assert_int_equal(count, 8);
	assert_true(history[0] == history[4] && history[1] == history[5] &&
		    history[0] != history[1]);
	assert_int_equal(qv_record_result(r, points), QV_ENDED);
	assert_true(points[0] == 0 && points[1] == 0);
	assert_int_equal(qv_record_play(r, 1, -1, NULL), QV_ILLEGAL);
	assert_int_equal(qv_record_end(r, 0, "x"), QV_ILLEGAL);
	assert_round_trip(*state, r);
	undo(r, 1, 1);
	assert_int_equal(qv_record_result(r, points), QV_GOING);
	play(r, "rest");
	qv_record_history(r, &count);
	assert_int_equal(count, 0);
	assert_round_trip(*state, r);
	qv_record_free(r);
	r = new_record(*state, "noughts", NULL);
	play_all(r, "51");
	qv_record_history(r, &count);    /* a game in which nothing can come back */
	assert_int_equal(count, 0);
	qv_record_free(r);
}

static void test_record__chance_is_seat_0_and_counts_are_kept(void **state)
{
	struct qv_record *r = new_record(*state, "toy-die", NULL);
	play(r, "roll 3");
	play(r, "run");
	assert_saved(
		r,
		HEADER("toy-die") "{\"move\":\"roll 3\",\"seat\":0}\n{\"move\":\"run\",\"seat\":1}\n");
	assert_round_trip(*state, r);
	qv_record_free(r);
	r = new_record(*state, "toy-counted:heaps=2,size=5", NULL);
	play(r, "take b 3");
	play(r, "take b 1");
	char *journal = saved(r);
	assert_non_null(strstr(
		journal,
		"\n{\"move\":\"take b 3\",\"seat\":1}\n{\"move\":\"take b 1\",\"seat\":2}\n"));
	free(journal);
	assert_round_trip(*state, r);
	qv_record_free(r);
}

/* What people write by hand is accepted and put into canonical form. */
static void test_record__accepts_other_ways_of_saying_the_same(void **state)
{
	struct qv_record *r = load(
		*state,
		" { \"game\" : \"noughts\", \"quevedo\" : 1, \"position\" : \"......... x\" } \r\n"
		"{\"time\":5e-1,\"move\":\"5\"}\n"
		"{\"note\":\"\\u00e9\\/\"}\n"
		"{\"move\":\"1\",\"seat\":2,\"time\":2.0}"); /* whole, though without a newline */
	assert_saved(r, NOUGHTS
		"{\"move\":\"5\",\"seat\":1,\"time\":0.5}\n"
		"{\"note\":\"\xc3\xa9/\"}\n"
		"{\"move\":\"1\",\"seat\":2,\"time\":2}\n");
	qv_record_free(r);
	const char *seated =
		"{\"quevedo\":1,\"game\":\"noughts\",\"position\":\"start\",\"seats\":[\"human\",\"level:3\"]}\n";
	r = load(*state, seated);
	assert_saved(r, seated);
	qv_record_free(r);
	/*
	 * The last result is missing, as after a kill between two lines; and a result said twice is
	 * still one.
	 */
	r = load(
		*state,
		"{\"quevedo\":1,\"game\":\"noughts\",\"position\":\"xx.oo.... x\"}\n{\"move\":\"3\"}");
	char *journal = saved(r);
	assert_non_null(strstr(journal, "{\"result\":\"win 1\"}\n"));
	qv_record_free(r);
	char twice[512];
	snprintf(twice, sizeof twice, "%s{\"result\":\"win 1\"}\n", journal);
	r = load(*state, twice);
	assert_saved(r, journal);
	qv_record_free(r);
	free(journal);
}

/* A kill can cut the file anywhere: what was whole is there, and nothing else. */
static void test_record__a_cut_journal_loses_the_cut_line_only(void **state)
{
	const char *journal =
		NOUGHTS "{\"move\":\"5\",\"seat\":1,\"time\":0.5}\n{\"note\":\"\xc3\xa9\"}\n"
			"{\"clock\":{\"seat\":2,\"ms\":30000}}\n{\"undo\":1}\n{\"redo\":1}\n"
			"{\"result\":\"win 1\",\"reason\":\"resigns\"}\n";
	const size_t header = strlen(NOUGHTS);
	for (size_t size = 0; size <= strlen(journal); size++) {
		struct qv_record *r = NULL;
		struct qv_error error = { "" };
		const enum qv_status status = qv_record_load(*state, journal, size, &r, &error);
		if (size < header - 1) {     /* no header: nothing to keep */
			assert_int_equal(status, QV_BAD_INPUT);
			assert_null(r);
			continue;
		}
		assert_int_equal(status, QV_OK);
		size_t whole = size;
		while (journal[whole] != '\n' && journal[whole - 1] != '\n')
			whole--;
		whole += journal[whole] == '\n' && journal[whole - 1] == '}';
		char *text = saved(r);
		assert_int_equal(strlen(text), whole);
		assert_memory_equal(text, journal, whole);
		free(text);
		qv_record_free(r);
	}
}

/* ---- Refusals ---- */

#define CASE(journal, words) { journal, sizeof(journal) - 1, words }
static const struct {
	const char *journal;
	size_t size;
	const char *words;         /* in the reason */
} refusals[] = {
	/* The header. */
	CASE("", "record: is empty"),
	CASE("\n", "line 1: invalid JSON"),
	CASE("\n" NOUGHTS, "line 1: invalid JSON"),
	CASE("hello", "line 1: invalid JSON"),
	CASE("\xef\xbb\xbf" NOUGHTS, "line 1: invalid JSON"),
	CASE("{}\n", "line 1: expected a header"),
	CASE("[]\n", "line 1: a JSON object is expected"),
	CASE("{\"move\":\"5\"}\n", "line 1: expected a header"),
	CASE("{\"quevedo\":2,\"game\":\"noughts\",\"position\":\"start\",\"verse\":1}\n",
	     "line 1: quevedo: format 2 is newer"),
	CASE("{\"quevedo\":0,\"game\":\"noughts\",\"position\":\"start\"}\n",
	     "line 1: quevedo: a whole number"),
	CASE("{\"quevedo\":\"1\",\"game\":\"noughts\",\"position\":\"start\"}\n",
	     "line 1: quevedo: a whole number"),
	CASE("{\"quevedo\":1.0,\"game\":\"noughts\",\"position\":\"start\"}\n",
	     "line 1: quevedo: a whole number"),
	CASE("{\"quevedo\":1,\"position\":\"start\"}\n", "line 1: game: is missing"),
	CASE("{\"quevedo\":1,\"game\":7,\"position\":\"start\"}\n",
	     "line 1: game: a text is expected"),
	CASE("{\"quevedo\":1,\"game\":\"nowts\",\"position\":\"start\"}\n", "line 1: "),
	CASE("{\"quevedo\":1,\"game\":\"noughts:size=4\",\"position\":\"start\"}\n", "line 1: "),
	CASE("{\"quevedo\":1,\"game\":\"noughts\"}\n", "line 1: position: is missing"),
	CASE("{\"quevedo\":1,\"game\":\"noughts\",\"position\":null}\n",
	     "line 1: position: a text is expected"),
	CASE("{\"quevedo\":1,\"game\":\"noughts\",\"position\":\"xxx...... x\"}\n",
	     "line 1: position: "),
	CASE("{\"quevedo\":1,\"game\":\"noughts\",\"position\":\"start\",\"seats\":2}\n",
	     "line 1: seats: expected an empty list or a list of 2"),
	CASE("{\"quevedo\":1,\"game\":\"noughts\",\"position\":\"start\",\"seats\":[\"a\"]}\n",
	     "line 1: seats: expected an empty list or a list of 2"),
	CASE("{\"quevedo\":1,\"game\":\"noughts\",\"position\":\"start\",\"seats\":[\"a\",\"b\",\"c\",\"d\",\"e\"]}\n",
	     "line 1: seats: expected an empty list or a list of 2"),
	CASE("{\"quevedo\":1,\"game\":\"noughts\",\"position\":\"start\",\"seats\":[\"a\",1]}\n",
	     "line 1: seats: expected a list of texts"),
	CASE("{\"quevedo\":1,\"game\":\"noughts\",\"position\":\"start\",\"round\":1}\n",
	     "line 1: round: unknown key"),
	CASE("{\"quevedo\":1,\"quevedo\":1,\"game\":\"noughts\",\"position\":\"start\"}\n",
	     "line 1: invalid JSON: duplicate"),
	CASE("{\"quevedo\":1,\"game\":\"noughts\\u0000\",\"position\":\"start\"}\n",
	     "line 1: invalid JSON: \\u0000"),
	/* Lines. */
	CASE(NOUGHTS "\n", "line 2: invalid JSON"),
	CASE(NOUGHTS "{\"undo\":1} x\n", "line 2: invalid JSON: end of file expected"),
	CASE(NOUGHTS "{\"move\":\"5\"}{\"move\":\"1\"}\n", "line 2: invalid JSON: end of file expected"),
	CASE(NOUGHTS "{\"move\":\"5\"\n}\n", "line 2: invalid JSON"),
	CASE(NOUGHTS "{\"move\":\"5\n", "line 2: invalid JSON"),
	CASE(NOUGHTS "{\"move\":\"5\"}\0\n", "line 2: invalid JSON"),
	CASE(NOUGHTS "{\"note\":\"a\0b\"}\n", "line 2: invalid JSON: control character"),
	CASE(NOUGHTS "{\"note\":\"\xff\"}\n", "line 2: invalid JSON: unable to decode"),
	CASE(NOUGHTS "{\"note\":\"\xed\xa0\x80\"}\n", "line 2: invalid JSON: unable to decode"),
	CASE(NOUGHTS "{\"note\":\"\\ud800\"}\n", "line 2: invalid JSON: invalid Unicode"),
	CASE(NOUGHTS "{'note':'a'}\n", "line 2: invalid JSON"),
	CASE(NOUGHTS "null\n", "line 2: invalid JSON"),
	CASE(NOUGHTS "[\"move\",\"5\"]\n", "line 2: a JSON object is expected"),
	CASE(NOUGHTS "{}\n", "line 2: unknown event"),
	CASE(NOUGHTS "{\"mvoe\":\"5\"}\n", "line 2: unknown event"),
	CASE(NOUGHTS NOUGHTS, "line 2: unknown event"),
	CASE(NOUGHTS "{\"move\":\"5\",\"move\":\"5\"}\n", "line 2: invalid JSON: duplicate"),
	CASE(NOUGHTS "{\"move\":\"5\"}\n{\"move\":\"1\"}\n{\"mo\n", "line 4: invalid JSON"),
	/* Moves. */
	CASE(NOUGHTS "{\"move\":5}\n", "line 2: move: a text is expected"),
	CASE(NOUGHTS "{\"move\":\"0\"}\n", "line 2: "),
	CASE(NOUGHTS "{\"move\":\"\"}\n", "line 2: "),
	CASE(NOUGHTS "{\"move\":\"5\"}\n{\"move\":\"5\"}\n", "line 3: "),
	CASE(NOUGHTS "{\"move\":\"5\"}", NULL), /* the table itself is tested: this one is good */
	CASE(NOUGHTS "{\"move\":\"5\",\"seat\":2}\n",
	     "line 2: seat: it is seat 1's turn, not seat 2's"),
	CASE(NOUGHTS "{\"move\":\"5\",\"seat\":0}\n",
	     "line 2: seat: it is seat 1's turn, not seat 0's"),
	CASE(NOUGHTS "{\"move\":\"5\",\"seat\":3}\n", "line 2: seat: a whole number from 0 to 2"),
	CASE(NOUGHTS "{\"move\":\"5\",\"seat\":\"1\"}\n", "line 2: seat: a whole number"),
	CASE(NOUGHTS "{\"move\":\"5\",\"seat\":null}\n", "line 2: seat: a whole number"),
	CASE(HEADER("toy-die") "{\"move\":\"roll 2\",\"seat\":1}\n",
	     "line 2: seat: it is seat 0's turn, not seat 1's"),
	CASE(NOUGHTS "{\"move\":\"5\",\"time\":-1}\n", "line 2: time: expected seconds from 0"),
	CASE(NOUGHTS "{\"move\":\"5\",\"time\":1e99}\n", "line 2: time: expected seconds from 0"),
	CASE(NOUGHTS "{\"move\":\"5\",\"time\":1e999}\n", "line 2: invalid JSON: real number overflow"),
	CASE(NOUGHTS "{\"move\":\"5\",\"time\":99999999999999999999}\n",
	     "line 2: invalid JSON: too big integer"),
	CASE(NOUGHTS "{\"move\":\"5\",\"time\":\"1\"}\n", "line 2: time: expected seconds from 0"),
	CASE(NOUGHTS "{\"move\":\"5\",\"time\":NaN}\n", "line 2: invalid JSON"),
	CASE(NOUGHTS "{\"move\":\"5\",\"eval\":3}\n", "line 2: eval: unknown key next to 'move'"),
	CASE(NOUGHTS "{\"move\":\"5\",\"undo\":1}\n", "line 2: undo: unknown key next to 'move'"),
	/* Walks. */
	CASE(NOUGHTS "{\"undo\":1}\n", "line 2: undo: cannot undo 1 plies, only 0"),
	CASE(NOUGHTS "{\"move\":\"5\"}\n{\"undo\":2}\n",
	     "line 3: undo: cannot undo 2 plies, only 1"),
	CASE(NOUGHTS "{\"move\":\"5\"}\n{\"undo\":0}\n",
	     "line 3: undo: nothing to undo"),
	CASE(NOUGHTS "{\"move\":\"5\"}\n{\"redo\":1}\n",
	     "line 3: redo: cannot redo 1 plies, only 0"),
	CASE(NOUGHTS "{\"redo\":0}\n", "line 2: redo: nothing to redo"),
	CASE(NOUGHTS "{\"move\":\"5\"}\n{\"undo\":-1}\n", "line 3: undo: a whole number from 0"),
	CASE(NOUGHTS "{\"move\":\"5\"}\n{\"undo\":4294967297}\n",
	     "line 3: undo: a whole number from 0"),
	CASE(NOUGHTS "{\"move\":\"5\"}\n{\"undo\":true}\n", "line 3: undo: a whole number from 0"),
	CASE(NOUGHTS "{\"move\":\"5\"}\n{\"undo\":1,\"seat\":1}\n",
	     "line 3: seat: unknown key next to 'undo'"),
	/* Words and clocks. */
	CASE(NOUGHTS "{\"note\":1}\n", "line 2: note: a text is expected"),
	CASE(NOUGHTS "{\"note\":null}\n", "line 2: note: a text is expected"),
	CASE(NOUGHTS "{\"clock\":30000}\n", "line 2: clock: expected an object"),
	CASE(NOUGHTS "{\"clock\":{}}\n", "line 2: seat: is missing"),
	CASE(NOUGHTS "{\"clock\":{\"seat\":1}}\n", "line 2: ms: is missing"),
	CASE(NOUGHTS "{\"clock\":{\"seat\":0,\"ms\":1}}\n",
	     "line 2: seat: a whole number from 1 to 2"),
	CASE(NOUGHTS "{\"clock\":{\"seat\":3,\"ms\":1}}\n",
	     "line 2: seat: a whole number from 1 to 2"),
	CASE(NOUGHTS "{\"clock\":{\"seat\":1,\"ms\":-1}}\n", "line 2: ms: a whole number from 0"),
	CASE(NOUGHTS "{\"clock\":{\"seat\":1,\"ms\":1.5}}\n", "line 2: ms: a whole number from 0"),
	CASE(NOUGHTS "{\"clock\":{\"seat\":1,\"ms\":1,\"inc\":1}}\n",
	     "line 2: inc: unknown key next to 'seat'"),
	/* Results. */
	CASE(NOUGHTS "{\"result\":\"win 1\"}\n", "line 2: result: the rules do not end the game here"),
	CASE(NOUGHTS "{\"result\":\"win 1\",\"reason\":\"\"}\n", "line 2: reason: is empty"),
	CASE(NOUGHTS "{\"result\":\"win 1\",\"reason\":1}\n", "line 2: reason: a text is expected"),
	CASE(NOUGHTS "{\"result\":\"win 3\",\"reason\":\"flag\"}\n",
	     "line 2: result: expected draw, none, or win"),
	CASE(NOUGHTS "{\"result\":\"win 0\",\"reason\":\"flag\"}\n",
	     "line 2: result: expected draw, none, or win"),
	CASE(NOUGHTS "{\"result\":\"win 01\",\"reason\":\"flag\"}\n",
	     "line 2: result: expected draw, none, or win"),
	CASE(NOUGHTS "{\"result\":\"win\",\"reason\":\"flag\"}\n",
	     "line 2: result: expected draw, none, or win"),
	CASE(NOUGHTS "{\"result\":\"loss 1\",\"reason\":\"flag\"}\n",
	     "line 2: result: expected draw, none, or win"),
	CASE(NOUGHTS "{\"result\":null}\n", "line 2: result: a text is expected"),
	CASE(NOUGHTS "{\"result\":\"draw\",\"reason\":\"x\"}\n{\"move\":\"5\"}\n",
	     "line 3: move: the game has ended"),
	CASE(NOUGHTS
	     "{\"result\":\"draw\",\"reason\":\"x\"}\n{\"result\":\"draw\",\"reason\":\"y\"}\n",
	     "line 3: result: the game has already ended"),
#define WON "{\"quevedo\":1,\"game\":\"noughts\",\"position\":\"xx.oo.... x\"}\n{\"move\":\"3\"}\n"
	CASE(WON "{\"result\":\"win 2\"}\n", "line 3: result: the game has already ended"),
	CASE(WON "{\"result\":\"draw\"}\n", "line 3: result: the game has already ended"),
	CASE(WON "{\"result\":\"win 1\",\"reason\":\"resigns\"}\n",
	     "line 3: result: the game has already ended"),
	CASE(WON "{\"move\":\"9\"}\n", "line 3: move: the game has ended"),
};

static void test_record__refuses_bad_journals_with_the_line_and_the_reason(void **state)
{
	for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
		struct qv_record *r = NULL;
		struct qv_error error = { "" };
		/* A copy of the exact size, so that the sanitizer sees a step beyond it. */
		char *copy = malloc(refusals[i].size + 1);
		memcpy(copy, refusals[i].journal, refusals[i].size);
		copy = realloc(copy, refusals[i].size ? refusals[i].size : 1);
		const enum qv_status status =
			qv_record_load(*state, copy, refusals[i].size, &r, &error);
		if (refusals[i].words
			    ? status == QV_OK || r || !strstr(error.text, refusals[i].words)
			    : status != QV_OK || !r)
			fail_msg("case %zu: '%s' expected, '%s' said of\n%s", i, refusals[i].words,
				 error.text, refusals[i].journal);
		qv_record_free(r);
		free(copy);
	}
}

static void test_record__refuses_deep_json(void **state)
{
	enum { DEPTH = 1000000 };
	char *journal = malloc(sizeof NOUGHTS + DEPTH + 2);
	struct qv_record *r = NULL;
	struct qv_error error = { "" };
	memcpy(journal, NOUGHTS, sizeof NOUGHTS - 1);
	memset(journal + sizeof NOUGHTS - 1, '[', DEPTH);
	journal[sizeof NOUGHTS - 1 + DEPTH] = '\n';
	assert_int_equal(qv_record_load(*state, journal, sizeof NOUGHTS + DEPTH, &r, &error),
			 QV_BAD_INPUT);
	assert_non_null(strstr(error.text, "line 2: invalid JSON: maximum parsing depth"));
	assert_null(r);
	free(journal);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_record__starts_at_the_start),
		cmocka_unit_test(test_record__keeps_the_position_it_starts_from),
		cmocka_unit_test(test_record__refuses_what_the_rules_forbid),
		cmocka_unit_test(test_record__undo_and_redo_walk_the_line),
		cmocka_unit_test(test_record__playing_after_undo_makes_a_variation_once),
		cmocka_unit_test(test_record__notes_belong_to_positions),
		cmocka_unit_test(test_record__clocks_are_what_was_said_last),
		cmocka_unit_test(test_record__an_end_by_word_can_be_taken_back),
		cmocka_unit_test(test_record__a_game_broken_off_is_no_draw),
		cmocka_unit_test(test_record__an_end_stops_redo_where_it_was_said),
		cmocka_unit_test(test_record__journal_reads_as_documented),
		cmocka_unit_test(test_record__journal_says_the_result_whenever_the_game_ends),
		cmocka_unit_test(test_record__repetition_counts_since_the_last_irreversible_move),
		cmocka_unit_test(test_record__chance_is_seat_0_and_counts_are_kept),
		cmocka_unit_test(test_record__accepts_other_ways_of_saying_the_same),
		cmocka_unit_test(test_record__a_cut_journal_loses_the_cut_line_only),
		cmocka_unit_test(test_record__refuses_bad_journals_with_the_line_and_the_reason),
		cmocka_unit_test(test_record__refuses_deep_json),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
