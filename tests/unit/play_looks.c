/*
 * play_looks.c - what a game in progress looks like: widths, marks, completion; and times in
 * writing.
 * SPDX-License-Identifier: MIT
 */
#include "support/scale.h"
#include "support/table.h"

static void test_game_clock__reads_times(void **unused)
{
	(void)unused;
	static const struct {
		const char *text;
		int64_t base, added;
	} good[] = { { "5m", 300000, 0 },	{ "300", 300000, 0 },
		     { "300+3", 300000, 3000 }, { "1h", 3600000, 0 },
		     { "90s+0.5", 90000, 500 }, { "500ms", 500, 0 },
		     { "10+0.1", 10000, 100 },	{ "1.5m+2s", 90000, 2000 },
		     { "off", 0, 0 },		{ "1ms", 1, 0 },
		     { "168h", 604800000, 0 },	{ "1d/move", 86400000, 0 },
		     { "14d/move", 1209600000, 0 } };
	static const char *const bad[] = { "",
					   "m",
					   "0",
					   "-5",
					   "5x",
					   "5m+",
					   "+3",
					   "5m3",
					   "5 m",
					   "1e3",
					   "9999999999999999",
					   "169h",
					   "5m+169h",
					   "300++3",
					   "0.0001",
					   "5m ",
					   "1.2345",
					   "0d/move",
					   "15d/move",
					   "1d",
					   "2d/moves",
					   "-1d/move" };
	struct time_control terms;
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		char text[64] = "";
		struct qv_text out = { text, sizeof text, 0 };
		assert_true(time_control_parse(good[i].text, &terms));
		assert_int_equal(terms.base_ms, good[i].base);
		assert_int_equal(terms.added_ms, good[i].added);
		time_control_text(&terms, &out);
		assert_true(time_control_parse(text, &terms));
		assert_int_equal(terms.base_ms, good[i].base);
		assert_int_equal(terms.added_ms, good[i].added);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		if (time_control_parse(bad[i], &terms))
			fail_msg("'%s' was taken for a time", bad[i]);
}

/* ---- What it looks like ---- */

static void test_view__flow_keeps_to_the_width_and_loses_nothing(void **unused)
{
	(void)unused;
	struct qv_random random = { .key = 7 };
	for (int i = 0; i < scaled(2000); i++) {
		char text[200];
		struct string out = { .allocator = &mem_malloc };
		const int width = 10 + (int)qv_random_below(&random, 60);
		const int indent = (int)qv_random_below(&random, 4);
		const size_t length = (size_t)qv_random_below(&random, sizeof text - 1);
		for (size_t j = 0; j < length; j++)
			text[j] = "ab \303\251c"[qv_random_below(&random, 3)
							 ? 0
							 : qv_random_below(&random, 3)];
		text[length] = '\0';
		view_flow(&out, width, indent, text);
		const char *from = text;
		int column = 0;
		for (const char *c = out.data; c && *c; c++) {
			column = *c == '\n' ? 0 : column + 1;
			assert_true(column <= width);
			if (*c == ' ' || *c == '\n')
				continue;
			from += strspn(from, " ");
			assert_int_equal(*from++, *c);
		}
		from += strspn(from, " ");
		assert_int_equal(*from, '\0');
		string_release(&out);
	}
}

static void assert_narrow(const char *text, int width)
{
	int column = 0;
	for (const char *c = text; *c; c++) {
		column = *c == '\n' ? 0 : column + (((unsigned char)*c & 0xc0) != 0x80);
		if (column > width)
			fail_msg("wider than %d: %s", width, text);
	}
}

static void test_view__every_game_fits_every_screen(void **state)
{
	static const char *const lines[] = {
		"",
		"help",
		"moves",
		HINT,
		"line",
		"position",
		"rules",
		"level",
		"seat",
		"clock 5m",
		"go",
		"go",
		"something that is not there",
		"edit",
		"",
		"note the quick brown fox jumps over the lazy dog, and then again",
		"note",
		"go",
		"undo",
		"variations",
		"resign",
		"new"
	};
	static const int widths[] = { 40, 80, 200 };
	for (int g = 0; qv_game_at(*state, g); g++)
		for (int w = 0; w < 3; w++)
			for (int unicode = 0; unicode < 2; unicode++) {
				struct table t;
				char prompt[TALK_PROMPT];
				if (scaled(100) < 50 && unicode != w % 2) /* each width once */
					continue;
				table_open(
					&t, *state, qv_game_at(*state, g)->name,
					(struct session_setup){ .seats = { "human" }, .level = 1 });
				t.talk.screen = (struct screen){ .width = widths[w],
								 .unicode = unicode,
								 .terminal = true };
				for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
					assert_narrow(say(&t, lines[i]), widths[w]);
					talk_prompt(&t.talk, prompt);
					assert_narrow(prompt, 24);
				}
				talk_end(&t.talk);
				assert_narrow(heard(&t), widths[w]);
				table_close(&t);
			}
}

static void test_view__the_last_move_is_marked(void **state)
{
	struct table t;
	table_open(&t, *state, "reversi", SEATS("human", "human"));
	const char *text = say(&t, "d3");
	assert_says(text, "(X)");
	t.talk.screen.colour = true;
	text = say(&t, "");
	assert_null(strstr(text, "(X)"));
	assert_says(text, "\033[1;33;7mX\033[0m");
	table_close(&t);
	table_open(&t, *state, "race", SEATS("human", "human"));
	t.talk.session->setup.typed_dice = true;
	t.talk.screen.colour = true;
	say(&t, "6");
	assert_says(say(&t, "0-1"), "\033[1;7m1\033[0m");
	table_close(&t);
}

static void test_view__sides_have_the_colours_of_their_pieces(void **state)
{
	static const struct {
		const char *game, *first, *second; /* their colours */
	} games[] = {
		{ "connect4", "1;31", "1;33" },
		{ "noughts", "1;34", "1;31" },
		{ "reversi", "1;33", "1;36" }, /* black and white are no colours of a terminal */
	};
	for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
		struct table t;
		char first[32], second[32];
		table_open(&t, *state, games[i].game, SEATS("human", "human"));
		t.talk.screen.colour = true;
		snprintf(first, sizeof first, "\033[%smX", games[i].first);
		snprintf(second, sizeof second, "\033[%s;7mO", games[i].second);
		say(&t, i == 2 ? "d3" : "4");
		const char *text = say(&t, i == 2 ? "c3" : "3");
		assert_says(text, first);
		assert_says(text, second);
		table_close(&t);
	}
}

static void test_play__completion_offers_moves_and_commands(void **state)
{
	struct table t;
	struct text_list found = { .allocator = &mem_malloc };
	table_open(&t, *state, "reversi", SEATS("human", "human"));
	talk_complete(&t.talk, "D", &found);
	assert_int_equal(found.count, 2);
	assert_string_equal(found.text[0], "d3");
	assert_string_equal(found.text[1], "dice");
	text_list_release(&found);
	talk_complete(&t.talk, "qu", &found);
	assert_int_equal(found.count, 1);
	text_list_release(&found);
	talk_complete(&t.talk, "zzz", &found);
	assert_int_equal(found.count, 0);
	text_list_release(&found);
	table_close(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_game_clock__reads_times),
		cmocka_unit_test(test_view__flow_keeps_to_the_width_and_loses_nothing),
		cmocka_unit_test(test_view__every_game_fits_every_screen),
		cmocka_unit_test(test_view__the_last_move_is_marked),
		cmocka_unit_test(test_view__sides_have_the_colours_of_their_pieces),
		cmocka_unit_test(test_play__completion_offers_moves_and_commands),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
