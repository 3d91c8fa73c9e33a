/*
 * pgn.c - tests of PGN with games of numbers and of letters; chess has its own in chess_files.c.
 * SPDX-License-Identifier: MIT
 */
#include "support/record.h"
#include "support/scale.h"

#include "formats/pgn.h"

#define C4 "[Variant \"connect4\"]\n\n"

static char heard[512];

static void hear(void *ctx, int line, const char *what)
{
	(void)ctx;
	const size_t length = strlen(heard);
	snprintf(heard + length, sizeof heard - length, "%d %s\n", line, what);
}

static struct pgn_reader reader_of(const struct qv_context *context, const char *text, size_t size)
{
	struct pgn_reader r = { .context = context, .reporter = { hear, NULL } };
	heard[0] = '\0';
	assert_int_equal(pgn_reader_init(&r, text, size, NULL), QV_OK);
	return r;
}

static struct qv_record *one_game(const struct qv_context *context, const char *text)
{
	struct pgn_reader r = reader_of(context, text, strlen(text));
	struct qv_record *record = NULL;
	struct qv_error error = { "" };
	if (pgn_next(&r, &record, &error) != QV_OK)
		fail_msg("%s", error.text);
	pgn_reader_release(&r);
	assert_non_null(record);
	return record;
}

static char *written(const struct qv_context *context, const struct qv_record *record)
{
	struct string out = { .allocator = &mem_malloc };
	struct qv_error error = { "" };
	if (pgn_write(context, record, NULL, &out, &error) != QV_OK)
		fail_msg("%s", error.text);
	return out.data;
}

/* Reads a game and compares its journal. */
static void assert_reads(const struct qv_context *context, const char *text, const char *events)
{
	struct qv_record *record = one_game(context, text);
	char *journal = saved(record), *first = strchr(journal, '\n');
	assert_string_equal(first + 1, events);
	free(journal);
	qv_record_free(record);
}

/* The moves of what is written, without the tags. */
static void assert_writes(const struct qv_context *context, const char *text, const char *moves)
{
	struct qv_record *record = one_game(context, text);
	char *out = written(context, record), *body = strstr(out, "\n\n");
	assert_string_equal(body + 2, moves);
	mem_strfree(&mem_malloc, out);
	qv_record_free(record);
}

static void assert_refused(const struct qv_context *context, const char *text, const char *why)
{
	struct pgn_reader r = reader_of(context, text, strlen(text));
	struct qv_record *record = NULL;
	struct qv_error error = { "" };
	assert_true(pgn_next(&r, &record, &error) != QV_OK);
	assert_null(record);
	assert_string_equal(error.text, why);
	pgn_reader_release(&r);
}

static void test_pgn__reads_moves_with_and_without_numbers(void **state)
{
	static const char events[] = "{\"move\":\"d3\",\"seat\":1}\n{\"move\":\"c5\",\"seat\":2}\n"
				     "{\"move\":\"f6\",\"seat\":1}\n";
	static const char *const texts[] = {
		"1. d3 c5 2. f6 *",
		"1.d3 c5 2.f6 *",
		"d3 c5 f6 *",
		"1 d3 c5 2 f6 *",
		"1... d3 1... c5 17. f6 *",
		"1. d3 ... c5 2. f6+ *",
		"1d3 c5 2f6 *",
		"\t1.\r\n%all of this\n% is hidden\r\nd3\r\nc5 <later standards> 2.f6\r\n*",
	};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		char text[256];
		snprintf(text, sizeof text, "\xef\xbb\xbf[Variant \"reversi\"]\n\n%s", texts[i]);
		assert_reads(*state, text, events);
	}
	assert_reads(*state, C4 "1. 4 4 2. 3 3 *",
		     "{\"move\":\"4\",\"seat\":1}\n{\"move\":\"4\",\"seat\":2}\n"
		     "{\"move\":\"3\",\"seat\":1}\n{\"move\":\"3\",\"seat\":2}\n");
}

static void test_pgn__reads_tags_into_the_header(void **state)
{
	struct qv_record *record = one_game(
		*state, "[Event \"a \\\"b\\\" \\\\ c\\d\"]\n[Event \"again\"]\n[ Round\n\"7\" ]\n"
			"[White \"Ann\"] [Black \"Bj\xf6rn\"]\n[Variant \"connect4\"]\n"
			"[Result \"1-0\"]\n[SetUp \"1\"]\n"
			"[FEN \"......./......./......./......./......./x...... o\"]\n\n4 1-0");
	char *journal = saved(record);
	*strchr(journal, '\n') = '\0';
	assert_string_equal(
		journal, "{\"quevedo\":1,\"game\":\"connect4\",\"position\":\"......./......./"
			 "......./......./......./x...... o\",\"seats\":[\"Ann\",\"Bj\xc3\xb6rn\"],"
			 "\"tags\":{\"Event\":\"a \\\"b\\\" \\\\ c\\\\d\",\"Round\":\"7\"}}");
	free(journal);
	char *out = written(*state, record);
	assert_string_equal(out,
			    "[Event \"a \\\"b\\\" \\\\ c\\\\d\"]\n[Site \"?\"]\n"
			    "[Date \"????.??.??\"]\n[Round \"7\"]\n[White \"Ann\"]\n"
			    "[Black \"Bj\xc3\xb6rn\"]\n[Result \"1-0\"]\n[FEN \"......./......./"
			    "......./......./......./x...... o\"]\n[SetUp \"1\"]\n"
			    "[Variant \"connect4\"]\n\n1... 4 1-0\n\n");
	mem_strfree(&mem_malloc, out);
	qv_record_free(record);
}

static void test_pgn__reads_variations_comments_and_glyphs(void **state)
{
	static const char text[] = C4
		"{before all} 1. 4 $1 {good;} 4?! (1... 3 {side} 2. 3 (2. 5! 5) ({first} 2. 6) 2... 1)"
		" {behind} 2. 3 ; the rest\n3 *\n";
	assert_reads(*state, text,
		     "{\"note\":\"before all\"}\n{\"move\":\"4\",\"seat\":1}\n"
		     "{\"note\":\"$1 good;\"}\n{\"move\":\"4\",\"seat\":2}\n{\"note\":\"$6\"}\n"
		     "{\"undo\":1}\n{\"move\":\"3\",\"seat\":2}\n{\"note\":\"side\"}\n"
		     "{\"move\":\"3\",\"seat\":1}\n{\"undo\":1}\n{\"move\":\"5\",\"seat\":1}\n"
		     "{\"note\":\"$1\"}\n{\"move\":\"5\",\"seat\":2}\n{\"undo\":2}\n"
		     "{\"move\":\"3\",\"seat\":1}\n{\"undo\":1}\n{\"move\":\"6\",\"seat\":1}\n"
		     "{\"note\":\"first\"}\n{\"undo\":1}\n{\"move\":\"3\",\"seat\":1}\n"
		     "{\"move\":\"1\",\"seat\":2}\n{\"undo\":3}\n{\"move\":\"4\",\"seat\":2}\n"
		     "{\"note\":\"$6 behind\"}\n{\"move\":\"3\",\"seat\":1}\n"
		     "{\"note\":\"the rest\"}\n{\"move\":\"3\",\"seat\":2}\n");
	assert_writes(
		*state, text,
		"{before all} 1. 4 $1 {good;} 1... 4 $6 {behind} (1... 3 {side} 2. 3 (2. 5 $1 5)\n"
		"(2. 6 {first}) 2... 1) 2. 3 {the rest} 2... 3 *\n\n");
}

static void test_pgn__a_brace_in_a_comment_is_kept(void **state)
{
	static const char text[] =
		C4 "; {odd} one\n1. 4 $1 ; a } that\n; goes {on} [%clk 0:00:09]\n"
		   "(1. 3 ; }\n) 4 *";
	static const char out[] =
		"; {odd} one\n1. 4 $1\n; a } that goes {on}\n{[%clk 0:00:09]} (1. 3\n"
		"; }\n) 1... 4 *\n\n";
	static const char events[] = "{\"note\":\"{odd} one\"}\n{\"move\":\"4\",\"seat\":1}\n"
				     "{\"note\":\"$1 a } that goes {on}\"}\n"
				     "{\"clock\":{\"seat\":1,\"ms\":9000}}\n{\"undo\":1}\n"
				     "{\"move\":\"3\",\"seat\":1}\n{\"note\":\"}\"}\n{\"undo\":1}\n"
				     "{\"move\":\"4\",\"seat\":1}\n{\"move\":\"4\",\"seat\":2}\n";
	char again[sizeof C4 + sizeof out];
	assert_reads(*state, text, events);
	assert_writes(*state, text, out);
	snprintf(again, sizeof again, "%s%s", C4, out);
	assert_reads(*state, again, events);
	assert_writes(*state, again, out);
}

static void test_pgn__times_and_clocks_are_kept(void **state)
{
	static const char text[] = C4 "1. 4 {[%clk 1:02:03.5] [%emt 0:00:02.25] so} 4 {[%clk 59]}\n"
				      "2. 3 {[%emt 1:00]} 3 {[%clk soon] [%eval 0.25]} *";
	assert_reads(*state, text,
		     "{\"move\":\"4\",\"seat\":1,\"time\":2.25}\n{\"note\":\"so\"}\n"
		     "{\"clock\":{\"seat\":1,\"ms\":3723500}}\n{\"move\":\"4\",\"seat\":2}\n"
		     "{\"clock\":{\"seat\":2,\"ms\":59000}}\n"
		     "{\"move\":\"3\",\"seat\":1,\"time\":60}\n{\"move\":\"3\",\"seat\":2}\n"
		     "{\"note\":\"[%clk soon] [%eval 0.25]\"}\n");
	assert_writes(*state, text,
		      "1. 4 {[%clk 1:02:03.5] [%emt 0:00:02.25] so} 1... 4 {[%clk 0:00:59]} 2. 3\n"
		      "{[%emt 0:01:00]} 2... 3 {[%clk soon] [%eval 0.25]} *\n\n");
}

/* What is written reads back and is written again as the same. */
static void assert_stable(void **state, const char *text, const char *out)
{
	char again[512];
	assert_writes(*state, text, out);
	snprintf(again, sizeof again, "%s%s", C4, out);
	assert_writes(*state, again, out);
}

static void test_pgn__no_time_stays_in_a_comment(void **state)
{
	assert_stable(state, C4 "1. 4 {[%clk} {0:05] a [%clk 7]} *",
		      "1. 4 {[%clk 0:00:05] a} *\n\n");
	assert_stable(state, C4 "1. 4 {[%em[%clk 1]t 5]} *",
		      "1. 4 {[%clk 0:00:01] [%emt 0:00:05]} *\n\n");
	assert_stable(state, C4 "1. 4 ; } [%clk 9] [%emt [%clk5]\n *",
		      "1. 4\n; } [%emt\n{[%clk 0:00:09]} *\n\n");
	assert_stable(state, C4 "1. 4 ({[%clk 3]} 1. 3) {[%clk 8]} *",
		      "1. 4 {[%clk 0:00:08]} (1. 3 {[%clk 0:00:03]}) *\n\n");
}

static void test_pgn__what_could_follow_the_end_is_a_variation(void **state)
{
	assert_stable(state, C4 "1. 4 4 {end} (1... 3) (1... 4 2. 5 5) (1... 4 2. 6) 1-0",
		      "1. 4 4 {end} (1... 3) (1... 4 2. 5 5) (1... 4 2. 6) 1-0\n\n");
}

static void test_pgn__matches_have_their_own_comments(void **state)
{
	struct qv_record *record =
		load(*state, "{\"quevedo\":1,\"game\":\"connect4\",\"position\":\"start\"}\n"
			     "{\"move\":\"4\",\"time\":0.3234}\n{\"note\":\"+0.31/14\"}\n"
			     "{\"clock\":{\"seat\":1,\"ms\":5}}\n{\"move\":\"4\"}\n");
	const struct record_tag tags[] = { { "PlyCount", "" }, { "Event", "Match" } };
	const struct pgn_style style = { .match = true, .tags = tags, .tag_count = 2 };
	struct string out = { .allocator = &mem_malloc };
	assert_int_equal(pgn_write(*state, record, &style, &out, NULL), QV_OK);
	assert_string_equal(out.data,
			    "[Event \"Match\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n"
			    "[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n"
			    "[PlyCount \"2\"]\n[Variant \"connect4\"]\n\n"
			    "1. 4 {+0.31/14 0.323s} 1... 4 *\n\n");
	string_release(&out);
	qv_record_free(record);
}

static void test_pgn__results_come_from_the_rules_or_the_file(void **state)
{
#define SEVEN C4 "1. 1 2 2. 1 2 3. 1 2 4. 1 "
	struct qv_record *record = one_game(*state, SEVEN "1-0");
	int32_t points[QV_MAX_SEATS];
	assert_int_equal(qv_record_result(record, points), QV_ENDED);
	assert_string_equal(heard, "");
	qv_record_free(record);
	qv_record_free(one_game(*state, SEVEN "0-1"));
	assert_string_equal(heard, "3 the result 0-1 contradicts the rules\n");
	assert_reads(*state, "[Termination \"time forfeit\"]\n" C4 "1. 1 0-1",
		     "{\"move\":\"1\",\"seat\":1}\n"
		     "{\"result\":\"win 2\",\"reason\":\"time forfeit\"}\n");
	assert_reads(*state, "[Result \"1/2-1/2\"]\n" C4 "1. 1",
		     "{\"move\":\"1\",\"seat\":1}\n"
		     "{\"result\":\"draw\",\"reason\":\"as the file says\"}\n");
	assert_string_equal(heard, "4 the game has no result at its end\n");
	assert_writes(*state, C4 "1. 1 (1. 2 1-0) 1/2", "1. 1 (1. 2) 1/2-1/2\n\n");
#undef SEVEN
}

static void test_pgn__goes_on_where_nobody_claims_a_draw(void **state)
{
	struct qv_record *record = one_game(
		*state,
		"[Variant \"toy-repeat\"]\n\n1. rest rest 2. rest rest 3. 2 (3. 4) 6 1-0\n");
	int32_t points[QV_MAX_SEATS];
	assert_int_equal(qv_record_ply(record), 4);
	assert_int_equal(qv_record_result(record, points), QV_DRAWN_BY_COUNT);
	assert_string_equal(heard, "3 the game is drawn before move 2; the rest is ignored\n"
				   "3 the result 1-0 contradicts the rules\n");
	qv_record_free(record);
}

/* From the normal array and from another; other programs get the FEN in any case. */
static void test_pgn__chess960(void **state)
{
	static const char *const games[][2] = {
		{ "[Variant \"Chess960\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O *\n",
		  "\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n"
		  "[SetUp \"1\"]\n[Variant \"Chess960\"]\n\n"
		  "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O *\n\n" },
		{ "[Variant \"fischerandom\"]\n[SetUp \"1\"]\n"
		  "[FEN \"4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 7\"]\n\n7. O-O-O Ke7 8. Kc2 *\n",
		  "\n[FEN \"4k3/8/8/8/8/8/8/1R3KR1 w KQ - 0 7\"]\n"
		  "[SetUp \"1\"]\n[Variant \"Chess960\"]\n\n7. O-O-O Ke7 8. Kc2 *\n\n" },
	};
	for (size_t i = 0; i < 2; i++) {
		struct qv_record *record = one_game(*state, games[i][0]);
		char *out = written(*state, record), *tags = strstr(out, "\n[FEN");
		assert_string_equal(tags, games[i][1]);
		mem_strfree(&mem_malloc, out);
		qv_record_free(record);
	}
}

/* The game ends there, with the rest as a note, and its result is that of the file. */
static void test_pgn__null_moves(void **state)
{
	assert_writes(*state, "1. e4 e5 2. -- Nc6 3. Bc4 1-0\n",
		      "1. e4 e5 {After a null move: -- Nc6 3. Bc4} 1-0\n\n");
	assert_string_equal(heard, "1 a null move; the rest of the game is kept as a note\n");
	assert_writes(*state, "1. e4 {why} e5 (1... c5 2. Z0 d6) 2. Nf3 Z0\n\n",
		      "1. e4 {why} 1... e5 (1... c5) 2. Nf3 {After a null move: Z0} *\n\n");
	assert_writes(*state, "1. -- e5 2. e4 (2. d4 --) *\n",
		      "{After a null move: -- e5 2. e4 (2. d4 --)} *\n\n");
}

/* Pieces of either colour, as ChessBase and web pages have them. */
static void test_pgn__figurines(void **state)
{
	assert_writes(*state,
		      "1. e4 e5 2. \xe2\x99\x98"
		      "f3 \xe2\x99\x9e"
		      "c6 3. \xe2\x99\x97"
		      "b5 *\n",
		      "1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n\n");
	assert_writes(*state, "[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8=\xe2\x99\x95 *\n",
		      "1. a8=Q *\n\n");
	assert_refused(*state,
		       "1. \xe2\x99\xa0"
		       "f3 *\n",
		       "line 1: move 1, '???f3': not a legal move here");
}

static void test_pgn__says_where_it_is_wrong(void **state)
{
	assert_refused(*state, C4 "1. 4\n9 *", "line 4: move 1, '9': not a legal move here");
	assert_refused(*state, C4 "1. 4 { never\n\nends", "line 3: a comment is not closed by '}'");
	assert_refused(*state, C4 "( 1. 4 )",
		       "line 3: a variation without a move before it");
	assert_refused(*state, C4 "1. 4 (1. 3 (2. 1)", "line 3: the game ends within a variation");
	assert_refused(*state, C4 "1. 4 )", "line 3: ')' without an open variation");
	assert_refused(*state, C4 "1. 4 $999",
		       "line 3: expected a number from 0 to 255 after '$'");
	assert_refused(*state, C4 "1. 4 \"", "line 3: unexpected character");
	assert_refused(*state, "[Event x]\n", "line 1: expected a tag [Name \"value\"]");
	assert_refused(*state, "[Variant \"race\"]\n\n1. x *",
		       "line 3: race: PGN is for games of two players who alternate, without dice");
	assert_refused(*state, C4 "1. 1 2 2. 1 2 3. 1 2 4. 1 2 1-0",
		       "line 3: move '2': the game has ended");
}

static void test_pgn__goes_on_with_the_game_behind_a_wrong_one(void **state)
{
	static const char text[] =
		"[Event \"1\"]\n[Variant \"connect4\"]\n\n1. 4 4 *\n\n"
		"[Event 2]\n[Variant \"connect4\"]\n[Site \"x\"]\n\n1. 4 *\n\n"
		"[Event \"3\"]\n[Variant \"connect4\"]\n\n1. 9 {\n[%clk 1]} 4 *\n\n"
		"[Event \"4\"]\n[Variant \"connect4\"]\n\n1. 4 { open\n\n"
		"[Event \"5\"]\n[Variant \"connect4\"]\n\n1. 7 *\n; the end\n";
	static const int lines[] = { 1, 6, 12, 18, 23 };
	static const bool good[] = { true, false, false, false, true };
	struct pgn_reader r = reader_of(*state, text, sizeof text - 1);
	struct qv_record *record;
	struct qv_error error;
	for (int i = 0; i < 5; i++) {
		assert_int_equal(pgn_next(&r, &record, &error) == QV_OK, good[i]);
		assert_int_equal(r.line, lines[i]);
		assert_int_equal(record != NULL, good[i]);
		qv_record_free(record);
	}
	assert_int_equal(pgn_next(&r, &record, &error), QV_OK);
	assert_null(record);
	pgn_reader_release(&r);
}

/* Where it is refused shows how much of the file was read. */
static void assert_too_long(const struct qv_context *context, const char *text,
			   struct pgn_bounds most, const char *why)
{
	struct string journal = { .allocator = &mem_malloc };
	struct qv_error error = { "" };
	assert_int_equal(pgn_to_journal(context, NULL, text, strlen(text), most, &journal, &error),
			 QV_BAD_INPUT);
	assert_string_equal(error.text, why);
	string_release(&journal);
}

static void test_pgn__a_long_game_is_refused_while_it_is_read(void **state)
{
	static const char *const moves = C4 "1.\n2\n3\n4\n5\n6\n*";
	static const char *const notes = C4 "1. 4 {aaaaaaaaaa}\n(2) {aaaaaaaaaa}\n(2) {aaaaaaaaaa}\n"
					    "(2) {aaaaaaaaaa}\n(2) {aaaaaaaaaa}\n*";
	struct string journal = { .allocator = &mem_malloc };
	const struct pgn_bounds enough = { .lines = 7, .bytes = 1000 };
	assert_too_long(*state, moves, (struct pgn_bounds){ .lines = 4 },
		       "line 8: the game needs more than 4 lines as a record");
	assert_too_long(*state, notes, (struct pgn_bounds){ .bytes = 200 },
		       "line 5: the game needs more than 200 bytes as a record");
	assert_int_equal(pgn_to_journal(*state, NULL, moves, strlen(moves), enough, &journal, NULL),
			 QV_OK);
	string_release(&journal);
}

static void test_pgn__b15_moves_are_numbered_from_the_position(void **state)
{
	assert_writes(*state,
		      "[FEN \"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3\"]\n\n"
		      "Nc6 Nf3 Nf6 *",
		      "3... Nc6 4. Nf3 Nf6 *\n\n");
	assert_writes(*state,
		      "[Variant \"minichess\"]\n"
		      "[FEN \"7 B/kqbnr/ppppp/...../...../PPPPP/RNBQK\"]\n\na5-a4 a2-a3 *",
		      "7... a5-a4 8. a2-a3 *\n\n");
}

static void test_pgn__lines_have_79_columns(void **state)
{
	struct qv_record *record = new_record(*state, "reversi", NULL);
	struct qv_random random = { 7, 0 };
	char note[300];
	for (int i = 0; i < 40; i++) {
		qv_move list[QV_MAX_MOVES];
		const struct qv_game *game = qv_record_rules(record)->game;
		const int n = game->moves(qv_record_state(record), list);
		assert_int_equal(qv_record_play(record, list[qv_random_below(&random, (uint64_t)n)],
						-1, NULL),
				 QV_OK);
		size_t length = 0;
		for (uint64_t w = qv_random_below(&random, 12); w; w--)
			length += (size_t)snprintf(note + length, sizeof note - length, "%.*s ",
						   (int)qv_random_below(&random, 14) + 3,
						   "%\xc3\xbc}bc(ef)hijklmnopq");
		note[length] = '\0';
		assert_int_equal(qv_record_note(record, note), QV_OK);
	}
	char *out = written(*state, record);
	size_t widest = 0;
	for (char *line = strstr(out, "\n\n") + 2; *line; line += strcspn(line, "\n") + 1) {
		size_t width = 0;
		for (char *c = line; *c && *c != '\n'; c++)
			width += ((unsigned char)*c & 0xc0) != 0x80;
		widest = width > widest ? width : widest;
		assert_true(*line != '%');
	}
	assert_int_equal(widest, 79);
	struct qv_record *again = one_game(*state, out);
	char *out_again = written(*state, again);
	assert_string_equal(out, out_again);
	assert_int_equal(qv_record_ply(again), 40);
	mem_strfree(&mem_malloc, out);
	mem_strfree(&mem_malloc, out_again);
	qv_record_free(record);
	qv_record_free(again);
}

/* A record with variations everywhere is written, read and written again to the same text. */
static void test_pgn__random_trees_survive(void **state)
{
	for (int64_t seed = 0; seed < scaled(60); seed++) {
		struct qv_random random = { (uint64_t)seed, 0 };
		struct qv_record *record =
			new_record(*state, seed % 2 ? "reversi" : "connect4", NULL);
		for (int i = 0; i < 60; i++) {
			const struct qv_game *game = qv_record_rules(record)->game;
			qv_move list[QV_MAX_MOVES];
			if (qv_random_below(&random, 4) == 0 ||
			    qv_record_result(record, NULL) != QV_GOING) {
				qv_record_undo(record, (int)qv_random_below(&random, 5), NULL);
				continue;
			}
			const int n = game->moves(qv_record_state(record), list);
			const qv_move move = list[qv_random_below(&random, (uint64_t)n)];
			assert_int_equal(
				qv_record_play(record, move,
					       (double)qv_random_below(&random, 4000) / 1000, NULL),
				QV_OK);
			if (qv_random_below(&random, 3) == 0)
				qv_record_note(record, "$5 $17 a note");
		}
		char *out = written(*state, record);
		struct qv_record *again = one_game(*state, out);
		char *out_again = written(*state, again);
		assert_string_equal(out, out_again);
		assert_int_equal(again->node_count, record->node_count);
		mem_strfree(&mem_malloc, out);
		mem_strfree(&mem_malloc, out_again);
		qv_record_free(record);
		qv_record_free(again);
	}
}

/* Every allocation fails once; what comes out is an error, and nothing is lost. */
static void test_pgn__survives_want_of_memory(void **state)
{
	static const char text[] = C4 "{a} 1. 4 $1 {b} 4 (1... 3 {c}) 2. 3 *";
	(void)state;
	for (int n = 1;; n++) {
		struct meter m = { .until_failure = 0 };
		struct qv_context *context = new_context(&m);
		m.until_failure = n;
		const int64_t before = m.blocks;
		struct pgn_reader r = { .context = context };
		struct qv_record *record = NULL;
		struct string out = { .allocator = &mem_malloc };
		enum qv_status status = pgn_reader_init(&r, text, sizeof text - 1, NULL);
		if (status == QV_OK)
			status = pgn_next(&r, &record, NULL);
		if (status == QV_OK)
			status = pgn_write(context, record, NULL, &out, NULL);
		assert_int_equal(status, m.failed ? QV_NO_MEMORY : QV_OK);
		qv_record_free(record);
		pgn_reader_release(&r);
		string_release(&out);
		assert_int_equal(m.blocks, before);
		const bool done = !m.failed;
		qv_context_free(context);
		if (done)
			break;
	}
}

/* ---- PDN ---- */

#define PDN "[GameType \"21\"]\n\n"

static void test_pgn__reads_pdn(void **state)
{
	static const char events[] =
		"{\"move\":\"11-15\",\"seat\":1}\n{\"move\":\"22-18\",\"seat\":2}\n"
		"{\"move\":\"15x22\",\"seat\":1}\n{\"move\":\"25x18\",\"seat\":2}\n";
	static const char *const texts[] = {
		"[GameType \"21\"]\n\n1. 11-15 22-18 2. 15x22 25x18 *",
		"[GameType \"21,B,8,8,N1,0\"]\n\n1.11-15 22-18 2.15x22 25x18",
		"[Variant \"checkers\"]\n\n11-15 22-18 15:22 25:18 *",
		"[GameType \"21\"]\n\n1. 1115 2218 2. 1522 2518 *",
		"[GameType \"21\"]\n\n1. 11-15 22-18 2. 15-22* 25-18 0-0",
		"[Event \"no type\"]\n\n1. 11-15 22-18 2. 15x22 25x18 *",
		"[FEN \"B:W21-32:B1-12\"]\n\n1. 11-15 22-18 2. 15x22 25x18 *",
	};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		assert_reads(*state, texts[i], events);
	assert_reads(*state, PDN "{begin} 1. 11-15(!) 22-18 (1... 23-19 $2 {so}) *",
		     "{\"note\":\"begin\"}\n{\"move\":\"11-15\",\"seat\":1}\n{\"note\":\"$1\"}\n"
		     "{\"move\":\"22-18\",\"seat\":2}\n{\"undo\":1}\n"
		     "{\"move\":\"23-19\",\"seat\":2}\n{\"note\":\"$2 so\"}\n{\"undo\":1}\n"
		     "{\"move\":\"22-18\",\"seat\":2}\n");
	assert_refused(*state, "[GameType \"20\"]\n\n1. 32-28 *",
		       "line 3: GameType 20: this kind of draughts is not supported");
	assert_refused(*state, PDN "1. 11-16 24-19 2. 16-21 *",
		       "line 3: move 2, '16-21': not a legal move here");
}

/* The first player, Black, has won if it is 1-0 or 2-0. */
static void test_pgn__results_of_pdn(void **state)
{
	static const struct {
		const char *tag, *end;
		int winner;
	} cases[] = {
		{ "?", "1-0", 0 }, { "?", "2-0", 0 },	   { "?", "0-1", 1 },
		{ "?", "0-2", 1 }, { "?", "1/2-1/2", -1 }, { "?", "1-1", -1 },
		{ "2-0", "*", 0 }, { "0-1", "", 1 },	   { "1-1", "*", -1 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[128];
		snprintf(text, sizeof text, "[GameType \"21\"]\n[Result \"%s\"]\n\n11-15 %s",
			 cases[i].tag, cases[i].end);
		struct qv_record *record = one_game(*state, text);
		assert_int_equal(qv_record_winner(record), cases[i].winner);
		qv_record_free(record);
	}
}

static void test_pgn__writes_pdn(void **state)
{
	struct qv_record *record = one_game(
		*state, "[White \"Ann\"]\n[Black \"Bob\"]\n[GameType \"21\"]\n[SetUp \"1\"]\n"
			"[FEN \"W:W18,K22,32:B1,14,K15.\"]\n\n"
			"1. 18x9 {forced} (1. 18x11) 15-18 2. 22x15 1-5 0-1");
	char *out = written(*state, record);
	assert_string_equal(out, "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n"
				 "[Round \"?\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n"
				 "[Result \"0-1\"]\n[FEN \"W:W18,K22,32:B1,14,K15\"]\n"
				 "[GameType \"21\"]\n[SetUp \"1\"]\n\n"
				 "1... 18x9 {forced} (1... 18x11) 2. 15-18 22x15 3. 1-5 0-1\n\n");
	mem_strfree(&mem_malloc, out);
	qv_record_free(record);
	assert_writes(*state, PDN "11-15 22-18 15x22 25x18 1-0",
		      "1. 11-15 22-18 2. 15x22 25x18 1-0\n\n");
}

static void test_pgn__names_of_files(void **unused)
{
	(void)unused;
	assert_true(pgn_is_name("a.pgn"));
	assert_true(pgn_is_name("a.PDN"));
	assert_false(pgn_is_name("a.pdf"));
	assert_false(pgn_is_name(".pdn"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pgn__reads_moves_with_and_without_numbers),
		cmocka_unit_test(test_pgn__reads_tags_into_the_header),
		cmocka_unit_test(test_pgn__reads_pdn),
		cmocka_unit_test(test_pgn__results_of_pdn),
		cmocka_unit_test(test_pgn__writes_pdn),
		cmocka_unit_test(test_pgn__names_of_files),
		cmocka_unit_test(test_pgn__reads_variations_comments_and_glyphs),
		cmocka_unit_test(test_pgn__a_brace_in_a_comment_is_kept),
		cmocka_unit_test(test_pgn__times_and_clocks_are_kept),
		cmocka_unit_test(test_pgn__no_time_stays_in_a_comment),
		cmocka_unit_test(test_pgn__what_could_follow_the_end_is_a_variation),
		cmocka_unit_test(test_pgn__matches_have_their_own_comments),
		cmocka_unit_test(test_pgn__results_come_from_the_rules_or_the_file),
		cmocka_unit_test(test_pgn__goes_on_where_nobody_claims_a_draw),
		cmocka_unit_test(test_pgn__chess960),
		cmocka_unit_test(test_pgn__null_moves),
		cmocka_unit_test(test_pgn__figurines),
		cmocka_unit_test(test_pgn__says_where_it_is_wrong),
		cmocka_unit_test(test_pgn__goes_on_with_the_game_behind_a_wrong_one),
		cmocka_unit_test(test_pgn__a_long_game_is_refused_while_it_is_read),
		cmocka_unit_test(test_pgn__b15_moves_are_numbered_from_the_position),
		cmocka_unit_test(test_pgn__lines_have_79_columns),
		cmocka_unit_test(test_pgn__random_trees_survive),
		cmocka_unit_test(test_pgn__survives_want_of_memory),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
