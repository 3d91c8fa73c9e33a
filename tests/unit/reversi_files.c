/*
 * reversi_files.c - files of the reversi world: databases of games (WTHOR), positions with scores
 * (OBF), and GGF as other programs write it.
 * SPDX-License-Identifier: MIT
 */
#include "support/check.h"
#include "support/desk.h"

#include "formats/game_file.h"
#include "formats/obf.h"
#include "formats/wthor.h"

/* ---- WTHOR ---- */

enum { HEADER = 16, GAME = 68 };

struct database {
	char bytes[HEADER + 4 * GAME];
	size_t size;
};

static struct database database_new(void)
{
	struct database d = { { 20, 26, 11, 17 }, HEADER };
	d.bytes[10] = (char)(2026 % 256);
	d.bytes[11] = (char)(2026 / 256);
	d.bytes[12] = 8;
	return d;
}

/* Adds a game whose moves are "f5d6". */
static void add_game(struct database *d, int tournament, int black, int white, int score,
		     const char *moves)
{
	char *at = d->bytes + d->size;
	at[0] = (char)tournament;
	at[2] = (char)black;
	at[4] = (char)white;
	at[6] = (char)score;
	at[7] = 33;
	for (int i = 0; moves[2 * i]; i++)
		at[8 + i] = (char)(10 * (moves[2 * i + 1] - '0') + moves[2 * i] - 'a' + 1);
	d->bytes[4]++;
	d->size += GAME;
}

static void test_wthor__games_with_names(void **state)
{
	(void)state;
	struct qv_context *context = desk_context(NULL);
	struct database d = database_new();
	/* Names of 20 and 26 bytes after a header; e acute in Latin-1. */
	char players[HEADER + 2 * 20] = "", tournaments[HEADER + 26] = "";
	memcpy(players + HEADER, "Andr\xe9 Ann", 10);
	memcpy(players + HEADER + 20, "Rob", 4);
	memcpy(tournaments + HEADER, "Paris", 6);
	add_game(&d, 0, 0, 1, 40, "f5d6c3");
	add_game(&d, 9, 9, 9, 64, "e6f4e3f6g5d6e7f5c5");
	add_game(&d, 0, 0, 0, 32, "a1");
	add_game(&d, 0, 0, 0, 32, "");
	struct wthor_reader r = { .context = context,
				  .games = { d.bytes, d.size },
				  .players = { players, sizeof players },
				  .tournaments = { tournaments, sizeof tournaments } };
	struct qv_record *record = NULL;
	struct qv_error error = { "" };
	assert_true(wthor_looks_like(d.bytes, d.size));
	assert_int_equal(wthor_next(&r, &record, &error), QV_OK);
	assert_string_equal(
		record->journal.data,
		"{\"quevedo\":1,\"game\":\"reversi\",\"position\":\"start\","
		"\"seats\":[\"Andr\xc3\xa9 Ann\",\"Rob\"],\"tags\":{\"Event\":\"Paris\","
		"\"Date\":\"2026.??.??\",\"BlackScore\":\"40\",\"TheoreticalScore\":\"33\"}}\n"
		"{\"move\":\"f5\",\"seat\":1}\n{\"move\":\"d6\",\"seat\":2}\n"
		"{\"move\":\"c3\",\"seat\":1}\n"
		"{\"result\":\"win 1\",\"reason\":\"as the file says\"}\n");
	qv_record_free(record);
	/* The game ends by the rules: White has no disc left. */
	assert_int_equal(wthor_next(&r, &record, &error), QV_OK);
	assert_int_equal(qv_record_winner(record), 0);
	assert_null(strstr(record->journal.data, "reason"));
	assert_non_null(strstr(record->journal.data, "[\"?\",\"?\"]"));
	qv_record_free(record);
	assert_int_equal(wthor_next(&r, &record, &error), QV_ILLEGAL);
	assert_string_equal(error.text, "game 3: move 1, byte 11, is not a legal move");
	assert_int_equal(wthor_next(&r, &record, &error), QV_OK);
	assert_int_equal(qv_record_winner(record), -1);
	qv_record_free(record);
	assert_int_equal(wthor_next(&r, &record, &error), QV_OK);
	assert_null(record);
	qv_context_free(context);
}

/* Passes are left out of the file: here White must pass before the last move. */
static void test_wthor__passes_are_added(void **state)
{
	(void)state;
	struct qv_context *context = desk_context(NULL);
	struct database d = database_new();
	struct string journal = { .allocator = &mem_malloc };
	struct qv_error error = { "" };
	add_game(&d, 0, 0, 0, 60, "f5f6e6f4g6d6g4f7e8h6h5f8h7h3g8c6");
	assert_int_equal(wthor_to_journal(context, d.bytes, d.size, &journal, &error), QV_OK);
	assert_non_null(strstr(journal.data, "{\"move\":\"g8\",\"seat\":1}\n"
					     "{\"move\":\"pass\",\"seat\":2}\n"
					     "{\"move\":\"c6\",\"seat\":1}\n"));
	string_release(&journal);
	qv_context_free(context);
}

static void test_wthor__headers(void **state)
{
	(void)state;
	static const struct {
		int at, value;
		enum qv_status status;
	} wrong[] = { { 4, 2, QV_BAD_INPUT },	 { 0, 18, QV_BAD_INPUT }, { 2, 13, QV_BAD_INPUT },
		      { 12, 10, QV_UNSUPPORTED }, { 13, 1, QV_UNSUPPORTED } };
	struct qv_context *context = desk_context(NULL);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct database d = database_new();
		struct qv_record *record = NULL;
		struct qv_error error = { "" };
		add_game(&d, 0, 0, 0, 32, "f5");
		d.bytes[wrong[i].at] = (char)wrong[i].value;
		struct wthor_reader r = { .context = context, .games = { d.bytes, d.size } };
		assert_int_equal(wthor_next(&r, &record, &error), wrong[i].status);
		/* One error, and then the end. */
		assert_int_equal(wthor_next(&r, &record, &error), QV_OK);
		assert_null(record);
	}
	qv_context_free(context);
}

/* ---- OBF ---- */

#define FFO_1 "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"

static void test_obf__lines(void **state)
{
	(void)state;
	struct obf o;
	int score;
	assert_true(obf_looks_like("% a comment\n\n" FFO_1 "; G8:+18;\n"));
	assert_false(obf_looks_like("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"));
	assert_int_equal(obf_read(FFO_1 "; G8:+18; h1:12 ; A2:-6; % ffo-1", &o, NULL), QV_OK);
	assert_int_equal(o.count, 3);
	assert_int_equal(o.best, 18);
	assert_string_equal(o.comment, "ffo-1");
	assert_true(obf_score(&o, 7, &score)); /* h1 */
	assert_int_equal(score, 12);
	assert_false(obf_score(&o, 1, &score));
	assert_int_equal(obf_read(FFO_1 "; -4;", &o, NULL), QV_OK);
	assert_true(o.has_best);
	assert_int_equal(o.best, -4);
	assert_int_equal(obf_read(FFO_1, &o, NULL), QV_OK);
	assert_false(o.has_best);
}

static void test_obf__errors(void **state)
{
	(void)state;
	static const char *const bad[] = { FFO_1 "; G8;",	   FFO_1 "; G8:+65;",
					   FFO_1 "; A1:+2;",	   FFO_1 "; G8:+18; G8:+18;",
					   FFO_1 "; G8:+18 x;",	   FFO_1 "; pass:+1;",
					   "-" FFO_1 "; G8:+18;", "" };
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct obf o;
		struct qv_error error = { "" };
		assert_int_not_equal(obf_read(bad[i], &o, &error), QV_OK);
		assert_true(error.text[0]);
	}
}

/* A position is accepted with its scores, and with nothing else. */
static void test_obf__positions(void **state)
{
	(void)state;
	struct reversi s;
	assert_int_equal(reversi_position_parse(&s, NULL, FFO_1 "; G8:+18; H1:+12;", NULL), QV_OK);
	assert_int_equal(reversi_position_parse(&s, NULL, FFO_1 "; % any text", NULL), QV_OK);
	assert_int_equal(reversi_position_parse(&s, NULL, FFO_1 " G8:+18;", NULL), QV_BAD_INPUT);
	assert_int_equal(reversi_position_parse(&s, NULL, FFO_1 "; junk!", NULL), QV_BAD_INPUT);
}

/* ---- GGF ---- */

/* Edax writes the board with blanks, and a result of -127 while the game goes on. */
static void test_ggf__of_edax(void **state)
{
	(void)state;
	static const char text[] =
		"(;GM[othello]PC[Edax]PB[?]PW[?]RE[-127.000]BO[8 -------- -------- -------- "
		"---O*--- ---*O--- -------- -------- -------- *]B[F5]W[D6];)\n";
	struct qv_context *context = desk_context(NULL);
	struct string journal = { .allocator = &mem_malloc };
	struct qv_error error = { "" };
	assert_int_equal(game_file_to_journal(context, text, sizeof text - 1,
					      (struct pgn_bounds){ 0 }, &journal, &error),
			 QV_OK);
	assert_non_null(strstr(journal.data, "\"d6\""));
	assert_null(strstr(journal.data, "result"));
	string_release(&journal);
	qv_context_free(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wthor__games_with_names),
		cmocka_unit_test(test_wthor__passes_are_added),
		cmocka_unit_test(test_wthor__headers),
		cmocka_unit_test(test_obf__lines),
		cmocka_unit_test(test_obf__errors),
		cmocka_unit_test(test_obf__positions),
		cmocka_unit_test(test_ggf__of_edax),
	};
	return cmocka_run_group_tests_name("reversi_files", tests, NULL, NULL);
}
