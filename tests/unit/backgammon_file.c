/*
 * backgammon_file.c - tests of .mat and SGF files. tests/data/backgammon has one match of GNU
 * Backgammon against itself in both formats, as it exported them.
 * SPDX-License-Identifier: MIT
 */
#include "support/record.h"

#include "base/file.h"
#include "formats/backgammon_file.h"
#include "formats/game_file.h"

enum { MOST = 8 };

/* What a file contains: the journals of its records, and what was reported. */
struct heard {
	char *journals[MOST];
	int count;
	char reports[1024];
};

static enum qv_status keep_game(void *ctx, struct qv_record *record)
{
	struct heard *h = ctx;
	assert_true(h->count < MOST);
	h->journals[h->count++] = saved(record);
	return QV_OK;
}

static void keep_report(void *ctx, int line, const char *what, bool harmless)
{
	struct heard *h = ctx;
	const size_t length = strlen(h->reports);
	snprintf(h->reports + length, sizeof h->reports - length, "%d%s %s\n", line,
		 harmless ? "" : "!", what);
}

static enum qv_status hear_file(const struct qv_context *context, backgammon_reader *read,
				const char *data, size_t size, struct heard *h,
				struct qv_error *error)
{
	const struct backgammon_listener listener = { keep_game, keep_report, h };
	*h = (struct heard){ .count = 0 };
	return read(context, data, size, &listener, error);
}

static void forget(struct heard *h)
{
	for (int i = 0; i < h->count; i++)
		free(h->journals[i]);
}

/* The journal from its second line on. */
static const char *events(const char *journal)
{
	return strchr(journal, '\n') + 1;
}

static const char small[] = "; [EventDate \"2026.11.16\"]\n"
			    "\n"
			    " 3 point match\n"
			    "\n"
			    " Game 1\n"
			    " Ann : 0                      Rob B. : 0\n"
			    "  1)                             31: 8/5 6/5\n"
			    "  2) 52: 13/8 24/22              Doubles => 2\n"
			    "  3)  Drops\n"
			    "                                  Wins 1 point\n"
			    "\n"
			    " Game 2\n"
			    " Ann : 0                      Rob B. : 1\n"
			    "  1) 64: 24/14\n"
			    "                                  Wins 2 points and the match\n";

static void test_mat_by_hand(void **state)
{
	struct qv_context *context = qv_context_new(NULL);
	struct heard h;
	struct qv_error error = { "" };
	(void)state;
	assert_int_equal(hear_file(context, mat_read, small, strlen(small), &h, &error), QV_OK);
	assert_string_equal(h.reports, "");
	assert_int_equal(h.count, 1);
	assert_non_null(strstr(h.journals[0], "\"game\":\"backgammon:match=3\""));
	assert_non_null(strstr(h.journals[0], "\"seats\":[\"Ann\",\"Rob B.\"]"));
	assert_string_equal(events(h.journals[0]),
			    "{\"move\":\"roll 13\",\"seat\":0}\n"
			    "{\"move\":\"8/5 6/5\",\"seat\":2}\n"
			    "{\"move\":\"roll\",\"seat\":1}\n"
			    "{\"move\":\"roll 52\",\"seat\":0}\n"
			    "{\"move\":\"24/22 13/8\",\"seat\":1}\n"
			    "{\"move\":\"double\",\"seat\":2}\n"
			    "{\"move\":\"drop\",\"seat\":1}\n"
			    "{\"move\":\"roll 64\",\"seat\":0}\n"
			    "{\"move\":\"24/14\",\"seat\":1}\n"
			    "{\"result\":\"win 2\",\"reason\":\"White resigns a gammon\"}\n");
	forget(&h);
	qv_context_free(context);
}

static struct file_bytes data_file(const char *name)
{
	struct file_bytes bytes;
	struct qv_error error = { "" };
	char path[256];
	snprintf(path, sizeof path, TEST_DATA "/backgammon/%s", name);
	if (file_read(&mem_malloc, path, 1 << 20, &bytes, &error) != QV_OK)
		fail_msg("%s", error.text);
	return bytes;
}

/* Reads what a writer makes of the records; the events must be the same. */
static void assert_survives(const struct qv_context *context, const struct heard *h, bool sgf)
{
	struct string text = { .allocator = &mem_malloc };
	struct backgammon_file file = { 0 };
	struct qv_error error = { "" };
	struct heard again;
	for (int i = 0; i < h->count; i++) {
		struct qv_record *record;
		assert_int_equal(qv_record_load(context, h->journals[i], strlen(h->journals[i]),
						&record, &error),
				 QV_OK);
		assert_int_equal((sgf ? sgf_write : mat_write)(record, &file, &text, &error),
				 QV_OK);
		qv_record_free(record);
	}
	assert_int_equal(hear_file(context, sgf ? sgf_read : mat_read, text.data, text.length,
				   &again, &error),
			 QV_OK);
	assert_string_equal(again.reports, "");
	assert_int_equal(again.count, h->count);
	for (int i = 0; i < h->count; i++)
		assert_string_equal(events(again.journals[i]), events(h->journals[i]));
	forget(&again);
	string_release(&text);
}

/* SGF has any name; in a .mat file the line with the names must not become another one. */
static void test_mat_names_mislead(void **state)
{
	static const char *const names[] = { "; Ann",	      "Game",	"game 2", "3) 31",
					     "5 point match", "Ann: 3", "31: 8/5",
					     " 0 point~ ann" };
	struct qv_context *context = qv_context_new(NULL);
	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char text[256];
		struct heard h;
		struct qv_error error = { "" };
		snprintf(
			text, sizeof text,
			"(;FF[4]GM[6]MI[length:3][game:0][ws:0][bs:0]PW[%s]PB[%s];B[31qtst];W[21xvxw])",
			names[i], names[i]);
		assert_int_equal(hear_file(context, sgf_read, text, strlen(text), &h, &error),
				 QV_OK);
		assert_string_equal(h.reports, "");
		assert_survives(context, &h, false);
		forget(&h);
	}
	qv_context_free(context);
}

/* The same match in both formats has the same moves, and survives both writers. */
static void test_match_of_gnubg(void **state)
{
	struct qv_context *context = qv_context_new(NULL);
	struct file_bytes mat = data_file("match.mat"), sgf = data_file("match.sgf");
	struct heard in_mat, in_sgf;
	struct qv_error error = { "" };
	(void)state;
	assert_true(mat_looks_like(mat.data, mat.size) && !sgf_looks_like(mat.data, mat.size));
	assert_true(sgf_looks_like(sgf.data, sgf.size) && !mat_looks_like(sgf.data, sgf.size));
	assert_int_equal(hear_file(context, mat_read, mat.data, mat.size, &in_mat, &error), QV_OK);
	assert_int_equal(hear_file(context, sgf_read, sgf.data, sgf.size, &in_sgf, &error), QV_OK);
	assert_string_equal(in_mat.reports, "");
	assert_string_equal(in_sgf.reports, "");
	/* What it costs to compute its luck is known without reading it. */
	assert_in_range(game_file_count_dice(sgf.data, sgf.size), 100, sgf.size / 2);
	assert_int_equal(game_file_count_dice(mat.data, mat.size), 0);
	assert_int_equal(in_mat.count, in_sgf.count);
	for (int i = 0; i < in_mat.count; i++)
		assert_string_equal(events(in_mat.journals[i]), events(in_sgf.journals[i]));
	/* The second game was resigned, so that the third begins a record at 2 to 2. */
	assert_int_equal(in_mat.count, 2);
	assert_non_null(strstr(in_mat.journals[0], "\"result\":\"none\""));
	assert_non_null(strstr(in_mat.journals[1], "\"result\":\"win 2\""));
	assert_survives(context, &in_mat, false);
	assert_survives(context, &in_mat, true);
	forget(&in_mat);
	forget(&in_sgf);
	file_release(&mem_malloc, &mat);
	file_release(&mem_malloc, &sgf);
	qv_context_free(context);
}

/* What was read before an error is kept, and the next game is read. */
static void test_damage(void **state)
{
	static const struct {
		const char *text, *reports;
		int records;
	} cases[] = {
		{ " 3 point match\n Game 1\n A : 0  B : 0\n  1) 31: 8/5 6/5  52: 13/8 13/10\n",
		  "4! move '13/8 13/10': not a legal move here\n", 1 },
		{ " 0 point match\n A : 0  B : 0\n  1) 31: 8/5 6/5  52: hello\n A : 0  B : 0\n"
		  "  1) 31: 8/5 6/5\n",
		  "3! this part of the line is not a move\n", 2 },
		{ " 0 point match\n A : 0  B : 0\n  1) 33: 8/5 6/5\n", "", 0 },
		{ " 99 point match\n A : 0  B : 0\n  1) 31: 8/5 6/5\n",
		  "2! the match is too long\n", 0 },
		{ " 3 point match\n A : 3  B : 0\n", "2! the match is over at this score\n", 0 },
		{ "  1) 31: 8/5 6/5\n", "1! a move before the heading of its game\n", 0 },
		{ "(;GM[1];B[aa])", "1! a game other than backgammon (GM[6])\n", 0 },
		{ "(;GM[6]AE[a];W[31hefe])", "1! positions that are set up cannot be read\n", 0 },
		{ "(;GM[6]\n;W[31hefe]\n;B[31]C[odd)", NULL, 1 },
		{ "(;GM[6];W[31hefe];W[31hefe])", "1! it is not this player's turn\n", 1 },
		{ "(;GM[6];W[31hefe](;B[52lqln])(;B[52lqln]))", "1 a variation is ignored\n", 1 },
		{ "(;GM[6];W[3", NULL, 0 },
		{ "", "", 0 },
	};
	struct qv_context *context = qv_context_new(NULL);
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct qv_error error = { "" };
		struct heard h;
		const char *text = cases[i].text;
		const enum qv_status status = hear_file(context, *text == '(' ? sgf_read : mat_read,
							text, strlen(text), &h, &error);
		print_message("%s", h.reports);
		if (cases[i].reports && cases[i].records)
			assert_string_equal(h.reports, cases[i].reports);
		assert_int_equal(h.count, cases[i].records);
		assert_int_equal(status, cases[i].records ? QV_OK : QV_BAD_INPUT);
		assert_true((status == QV_OK) == !*error.text);
		forget(&h);
	}
	qv_context_free(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mat_by_hand),
		cmocka_unit_test(test_mat_names_mislead),
		cmocka_unit_test(test_match_of_gnubg),
		cmocka_unit_test(test_damage),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
