/*
 * chess_nnue.c - the large net of another program: beside that program where it is installed, its
 * memory, and broken files.
 * SPDX-License-Identifier: MIT
 */
#include <unistd.h>

#include "support/chess_positions.h"
#include "support/nnue_file.h"

static int32_t fresh_value(const struct nnue *net, const struct chess *s)
{
	struct nnue_memory nothing = { .known = { false } };
	return nnue_value(net, s, &nothing);
}

static void test_chess_nnue__a_value_is_of_the_position_alone(void **state)
{
	struct qv_random random = { 3, 0 };
	struct qv_error error;
	struct nnue *net;
	struct nnue_memory memory = { .known = { false } };
	char *file = nnue_file_new(1, 0);
	int32_t least = INT32_MAX, most = INT32_MIN;
	assert_non_null(file);
	assert_int_equal(nnue_read(&mem_malloc, file, NNUE_FILE, &net, &error), QV_OK);
	for (int k = (int)scaled(200); k > 0; k--) {
		const struct chess s = any_position(*state, &random);
		const int32_t value = nnue_value(net, &s, &memory);
		assert_int_equal(value, fresh_value(net, &s));
		least = value < least ? value : least;
		most = value > most ? value : most;
	}
	assert_true(least < most);
	nnue_free(&mem_malloc, net);
	free(file);
}

static void test_chess_nnue__broken_files_are_refused(void **state)
{
	static const size_t sizes[] = { 0, 3, 11, 15, 19, 20, 5000, NNUE_FILE - 1, NNUE_FILE + 1 };
	static const size_t marks[] = { 0, 4, 11, 16, NNUE_FILE - NNUE_STAGE_BYTES };
	struct qv_error error;
	struct nnue *net;
	char *file = nnue_file_new(2, 1);
	(void)state;
	assert_non_null(file);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		assert_int_equal(nnue_read(&mem_malloc, file, sizes[i], &net, &error),
				 QV_BAD_INPUT);
		assert_null(net);
	}
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
		file[marks[i]] ^= 1;
		assert_int_equal(nnue_read(&mem_malloc, file, NNUE_FILE, &net, &error),
				 QV_BAD_INPUT);
		file[marks[i]] ^= 1;
	}
	assert_int_equal(nnue_read(&mem_malloc, file, NNUE_FILE, &net, &error), QV_OK);
	nnue_free(&mem_malloc, net);
	assert_int_equal(nnue_open(&mem_malloc, "/nowhere/net", &net, &error), QV_IO);
	free(file);
}

/* ---- beside the program itself ---- */

enum { ASKED = 60 };

static void ask_all(struct qv_context *context, const char *folder, struct chess *list)
{
	struct qv_random random = { 4, 0 };
	char path[128], fen[256];
	snprintf(path, sizeof path, "%s/asked", folder);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fprintf(f, "export_net %s/net\n", folder);
	for (int i = 0; i < ASKED; i++) {
		do
			list[i] = any_position(context, &random);
		while (chess_checkers(&list[i])); /* it says nothing then */
		struct qv_text text = { fen, sizeof fen, 0 };
		chess_position_text(&list[i], &text);
		fprintf(f, "position fen %s\neval\n", fen);
	}
	fprintf(f, "quit\n");
	fclose(f);
}

static void test_chess_nnue__says_what_stockfish_says(void **state)
{
	static const char program[] = "/usr/games/stockfish";
	char folder[] = "/tmp/chess-nnue-XXXXXX", text[256], line[256];
	struct chess list[ASKED];
	struct qv_error error = { "" };
	struct nnue *net = NULL;
	int said = 0;
	if (access(program, X_OK) != 0) {
		skip();
		return;
	}
	assert_non_null(mkdtemp(folder));
	ask_all(*state, folder, list);
	snprintf(text, sizeof text, "%s < %s/asked", program, folder);
	FILE *f = popen(text, "r");
	assert_non_null(f);
	while (fgets(line, sizeof line, f)) {
		double pawns;
		if (sscanf(line, "NNUE evaluation %lf", &pawns) != 1)
			continue;
		assert_true(said < ASKED);
		if (!net) {
			snprintf(text, sizeof text, "%s/net", folder);
			assert_int_equal(nnue_open(&mem_malloc, text, &net, &error), QV_OK);
		}
		const struct chess *s = &list[said++];
		const int32_t value = fresh_value(net, s), white = s->turn ? -value : value;
		const double off = white - pawns * 100;
		assert_true(off < 1.01 && off > -1.01); /* one of us rounds, the other cuts */
	}
	assert_int_equal(pclose(f), 0);
	assert_int_equal(said, ASKED);
	nnue_free(&mem_malloc, net);
	snprintf(text, sizeof text, "%s/net", folder);
	assert_int_equal(remove(text), 0);
	snprintf(text, sizeof text, "%s/asked", folder);
	assert_int_equal(remove(text), 0);
	rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chess_nnue__a_value_is_of_the_position_alone),
		cmocka_unit_test(test_chess_nnue__broken_files_are_refused),
		cmocka_unit_test(test_chess_nnue__says_what_stockfish_says),
	};
	return cmocka_run_group_tests_name("chess_nnue", tests, setup, teardown);
}
