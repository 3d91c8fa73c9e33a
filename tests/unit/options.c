/*
 * options.c - option tables: defaults, every type in and out, errors, and values that round-trip.
 * SPDX-License-Identifier: MIT
 */
#include "base/options.h"

#include "support/check.h"

struct values {
	int64_t depth, iterate, time_ms, search, custom;
	double alpha;
	char name[8];
	const char *file;
	bool quick;
	struct option_list hosts;
};

static enum qv_status set_double(void *values, const struct option *option, const char *text,
				 struct qv_error *error)
{
	struct values *v = values;
	int64_t number;
	if (!text_to_int(text, 0, 10, &number))
		return qv_fail(error, QV_BAD_INPUT, "%s: not a small number", option->name);
	v->custom = 2 * number;
	return QV_OK;
}

static const struct option first[] = {
	OPTION(struct values, "depth", OPTION_INT, depth, .min = 1, .max = 100, .def = 6),
	OPTION(struct values, "iterate", OPTION_SWITCH, iterate, .def = 1),
	OPTION(struct values, "time", OPTION_TIME, time_ms, .min = 1, .max = 86400000),
	{ 0 },
};
static const struct option second[] = {
	OPTION(struct values, "search", OPTION_CHOICE, search, .choices = "negamax|negascout|mtdf",
	       .def = 1),
	OPTION(struct values, "alpha", OPTION_REAL, alpha, .real_min = -1, .real_max = 0.9,
	       .real_def = 0.05),
	OPTION(struct values, "name", OPTION_TEXT, name),
	OPTION(struct values, "file", OPTION_POINTER, file),
	OPTION(struct values, "custom", OPTION_CUSTOM, custom, .set = set_double),
	OPTION(struct values, "quick", OPTION_FLAG, quick),
	OPTION(struct values, "host", OPTION_LIST, hosts, .max = 2),
	OPTION(struct values, "again", OPTION_CUSTOM, custom, .set = set_double, .repeats = true),
	{ 0 },
};
static const struct option *const groups[] = { first, second, NULL };

static struct options begin(struct values *v)
{
	memset(v, 0x55, sizeof *v);
	v->custom = 0;
	struct options o = { .groups = groups, .values = v, .owner = "player x" };
	options_init(&o);
	return o;
}

static void test_options__defaults_come_from_the_table(void **state)
{
	struct values v;
	begin(&v);
	(void)state;
	assert_int_equal(v.depth, 6);
	assert_int_equal(v.iterate, 1);
	assert_int_equal(v.time_ms, 0);
	assert_int_equal(v.search, 1);
	assert_true(v.alpha == 0.05);
	assert_string_equal(v.name, "");
	assert_null(v.file);
	assert_false(v.quick);
	assert_int_equal(v.hosts.count, 0);
}

static void test_options__a_list_sets_every_type(void **state)
{
	struct values v;
	struct options o = begin(&v);
	(void)state;
	assert_int_equal(options_parse(&o, "depth=9,iterate=0,time=1.5s,search=mtdf,alpha=0.25,"
					   "name=abcdefg,custom=4",
				       NULL),
			 QV_OK);
	assert_int_equal(v.depth, 9);
	assert_int_equal(v.iterate, 0);
	assert_int_equal(v.time_ms, 1500);
	assert_int_equal(v.search, 2);
	assert_true(v.alpha == 0.25);
	assert_string_equal(v.name, "abcdefg");
	assert_int_equal(v.custom, 8);
	assert_true(options_given(&o, "depth"));
	assert_false(options_given(&o, "file"));
	assert_false(options_given(&o, "nonsense"));
	static const char path[] = "some file";
	assert_int_equal(options_set(&o, "file", path, NULL), QV_OK);
	assert_ptr_equal(v.file, path);
	assert_int_equal(options_parse(&o, "", NULL), QV_OK);
}

static void test_options__whole_numbers_are_seconds(void **state)
{
	struct values v;
	struct options o = begin(&v);
	(void)state;
	assert_int_equal(options_parse(&o, "time=5", NULL), QV_OK);
	assert_int_equal(v.time_ms, 5000);
}

static void test_options__an_unknown_one_lists_the_known(void **state)
{
	struct values v;
	struct options o = begin(&v);
	struct qv_error error = { "" };
	(void)state;
	o.lists = true;
	assert_int_equal(options_parse(&o, "zzzzzz=3", &error), QV_UNKNOWN);
	assert_non_null(strstr(error.text, "no option 'zzzzzz'; its options: depth, "));
}

static void test_options__a_value_may_have_commas(void **state)
{
	static const struct option line[] = {
		OPTION(struct values, "name", OPTION_TEXT, name, .commas = true),
		OPTION(struct values, "depth", OPTION_INT, depth, .min = 1, .max = 100),
		{ 0 },
	};
	struct values v;
	struct options o = { .groups = OPTION_GROUPS(line), .values = &v, .owner = "player x" };
	struct qv_error error = { "" };
	(void)state;
	options_init(&o);
	assert_int_equal(options_parse(&o, "name=a,b, c,depth=4", NULL), QV_OK);
	assert_string_equal(v.name, "a,b, c");
	assert_int_equal(v.depth, 4);
	/* A number has none, and nothing may follow the last one. */
	options_init(&o);
	assert_int_equal(options_parse(&o, "depth=4,b", &error), QV_BAD_INPUT);
	assert_string_equal(error.text, "player x: 'b' is not key=value");
	options_init(&o);
	assert_int_equal(options_parse(&o, "name=a,", &error), QV_BAD_INPUT);
}

static void test_options__bad_items_are_refused_and_change_nothing(void **state)
{
	static const struct {
		const char *text, *why;
		enum qv_status status;
	} cases[] = {
		{ "depht=3", "player x: no option 'depht'; did you mean 'depth'?", QV_UNKNOWN },
		{ "zzzzzz=3", "player x: no option 'zzzzzz'", QV_UNKNOWN },
		{ "depth", "player x: 'depth' is not key=value", QV_BAD_INPUT },
		{ ",", "player x: '' is not key=value", QV_BAD_INPUT },
		{ "depth=3,", "player x: nothing follows the last comma", QV_BAD_INPUT },
		{ "depth=3,depth=3", "player x: depth is given twice", QV_BAD_INPUT },
		{ "depth=0", "depth=0: expected a number from 1 to 100", QV_BAD_INPUT },
		{ "depth=101", "depth=101: expected a number from 1 to 100", QV_BAD_INPUT },
		{ "depth=", "depth=: expected a number from 1 to 100", QV_BAD_INPUT },
		{ "depth=3x", "depth=3x: expected a number from 1 to 100", QV_BAD_INPUT },
		{ "iterate=2", "iterate=2: expected a number from 0 to 1", QV_BAD_INPUT },
		{ "time=0ms", "time=0ms: expected a time such as 500ms, 2s or 1.5s, at most 86400s",
		  QV_BAD_INPUT },
		{ "time=1.5ms",
		  "time=1.5ms: expected a time such as 500ms, 2s or 1.5s, at most 86400s",
		  QV_BAD_INPUT },
		{ "time=99999999999999999999s",
		  "time=99999999999999999999s: expected a time such as 500ms, 2s or 1.5s, at most "
		  "86400s",
		  QV_BAD_INPUT },
		{ "search=neg", "search=neg: expected one of negamax|negascout|mtdf", QV_UNKNOWN },
		{ "search=", "search=: expected one of negamax|negascout|mtdf", QV_UNKNOWN },
		{ "alpha=nan", "alpha=nan: expected a number from -1 to 0.9", QV_BAD_INPUT },
		{ "alpha=1e999", "alpha=1e999: expected a number from -1 to 0.9", QV_BAD_INPUT },
		{ "alpha=0x1", "alpha=0x1: expected a number from -1 to 0.9", QV_BAD_INPUT },
		{ "alpha=0.91", "alpha=0.91: expected a number from -1 to 0.9", QV_BAD_INPUT },
		{ "alpha=-1.5", "alpha=-1.5: expected a number from -1 to 0.9", QV_BAD_INPUT },
		{ "alpha=0.1234567", "alpha=0.1234567: expected a number from -1 to 0.9",
		  QV_BAD_INPUT },
		{ "alpha=.", "alpha=.: expected a number from -1 to 0.9", QV_BAD_INPUT },
		{ "quick=1", "player x: quick takes no value", QV_BAD_INPUT },
		{ "name=abcdefgh", "name=abcdefgh: expected 1 to 7 characters", QV_BAD_INPUT },
		{ "name=", "name=: expected 1 to 7 characters", QV_BAD_INPUT },
		{ "custom=11", "custom: not a small number", QV_BAD_INPUT },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct values v, before;
		struct options o = begin(&v);
		struct qv_error error = { "" };
		memcpy(&before, &v, sizeof v);
		assert_int_equal(options_parse(&o, cases[i].text, &error), cases[i].status);
		assert_string_equal(error.text, cases[i].why);
		if (!strstr(cases[i].text, "depth=3,"))
			assert_memory_equal(&v, &before, sizeof v);
	}
	char long_item[2000];
	struct values v;
	struct options o = begin(&v);
	memset(long_item, 'a', sizeof long_item);
	memcpy(long_item, "name=", 5);
	long_item[sizeof long_item - 1] = '\0';
	assert_int_equal(options_parse(&o, long_item, NULL), QV_BAD_INPUT);
}

static void test_options__defaults_by_text_do_not_count_as_given(void **state)
{
	struct values v;
	struct options o = begin(&v);
	(void)state;
	options_default(&o, "depth=3,search=negamax");
	assert_int_equal(v.depth, 3);
	assert_int_equal(v.search, 0);
	assert_false(options_given(&o, "depth"));
	assert_int_equal(options_parse(&o, "depth=4", NULL), QV_OK);
	options_default(&o, "depth=5");
	assert_true(options_given(&o, "depth"));
}

static void test_options__values_read_back_as_written(void **state)
{
	struct values v, again;
	struct options o = begin(&v), other = begin(&again);
	(void)state;
	assert_int_equal(options_parse(&o, "depth=100,iterate=0,time=250ms,search=mtdf,alpha=0.1,"
					   "name=x",
				       NULL),
			 QV_OK);
	for (const struct option *const *group = groups; *group; group++)
		for (const struct option *row = *group; row->name; row++) {
			char text[64];
			struct qv_text out = { text, sizeof text, 0 };
			option_write(row, &v, &out);
			if (row->type < OPTION_POINTER)
				assert_int_equal(options_set(&other, row->name, text, NULL), QV_OK);
		}
	again.file = v.file;
	again.custom = v.custom;
	assert_memory_equal(&again.depth, &v.depth, 4 * sizeof v.depth);
	assert_true(again.alpha == v.alpha);
	assert_string_equal(again.name, v.name);
}

static void test_options__flags_lists_and_repeats(void **state)
{
	struct values v;
	struct options o = begin(&v);
	struct qv_error error = { "" };
	(void)state;
	assert_int_equal(options_parse(&o, "depth=3,quick,alpha=-.5", NULL), QV_OK);
	assert_true(v.quick && v.alpha == -0.5);
	assert_int_equal(options_set(&o, "quick", "", &error), QV_BAD_INPUT);
	assert_string_equal(error.text, "player x: quick is given twice");
	assert_int_equal(options_set(&o, "host", "a", NULL), QV_OK);
	assert_int_equal(options_set(&o, "host", "b", NULL), QV_OK);
	assert_int_equal(options_set(&o, "host", "c", &error), QV_BAD_INPUT);
	assert_string_equal(error.text, "host=c: given more than 2 times");
	assert_int_equal(v.hosts.count, 2);
	assert_string_equal(v.hosts.texts[0], "a");
	assert_string_equal(v.hosts.texts[1], "b");
	assert_int_equal(options_parse(&o, "again=1,again=2", NULL), QV_OK);
	assert_int_equal(v.custom, 4);
}

/* Fields of any width, a list that is written back, and errors that begin with the owner. */
static void test_options__plain_fields_and_their_text(void **state)
{
	struct plan {
		int rounds;
		int64_t games;
		bool net;
		enum { RED, GREEN } colour;
		double step;
	} plan, again;
	static const struct option keys[] = {
		OPTION(struct plan, "rounds", OPTION_INT, rounds, .min = 1, .max = 99, .def = 4),
		OPTION(struct plan, "games", OPTION_INT, games, .max = 1000, .def = 20),
		OPTION(struct plan, "net", OPTION_SWITCH, net, .def = 1),
		OPTION(struct plan, "colour", OPTION_CHOICE, colour, .choices = "red|green"),
		OPTION(struct plan, "step", OPTION_REAL, step, .real_max = 2, .real_def = 0.5),
		{ 0 },
	};
	const struct option *const list[] = { keys, NULL };
	struct options o = {
		.groups = list, .values = &plan, .owner = "plan", .owner_first = true
	};
	struct qv_error error = { "" };
	char text[80] = "";
	struct qv_text out = { text, sizeof text, 0 };
	(void)state;
	options_init(&o);
	assert_true(plan.rounds == 4 && plan.games == 20 && plan.net && plan.colour == RED);
	options_text(&o, &out);
	assert_string_equal(text, "rounds=4,games=20,net=1,colour=red,step=0.5");
	assert_int_equal(options_parse(&o, "rounds=9,net=0,colour=green,step=1.25", NULL), QV_OK);
	assert_true(plan.rounds == 9 && plan.games == 20 && !plan.net && plan.colour == GREEN);
	out.length = 0;
	options_text(&o, &out);
	assert_string_equal(text, "rounds=9,games=20,net=0,colour=green,step=1.25");
	o.values = &again;
	options_init(&o);
	assert_int_equal(options_parse(&o, text, NULL), QV_OK);
	assert_true(again.rounds == 9 && !again.net && again.colour == GREEN && again.step == 1.25);
	options_init(&o);
	assert_int_equal(options_parse(&o, "rounds=0", &error), QV_BAD_INPUT);
	assert_string_equal(error.text, "plan: rounds=0: expected a number from 1 to 99");
}

static void test_options__a_mark_stands_before_names(void **state)
{
	struct values v;
	struct options o = begin(&v);
	struct qv_error error = { "" };
	(void)state;
	o.mark = "--";
	assert_int_equal(options_set(&o, "depht", "3", &error), QV_UNKNOWN);
	assert_string_equal(error.text, "player x: no option 'depht'; did you mean '--depth'?");
	assert_int_equal(options_set(&o, "depth", "x", &error), QV_BAD_INPUT);
	assert_string_equal(error.text, "--depth=x: expected a number from 1 to 100");
	assert_int_equal(options_set(&o, "depth", "3", &error), QV_OK);
	assert_int_equal(options_set(&o, "depth", "3", &error), QV_BAD_INPUT);
	assert_string_equal(error.text, "player x: --depth is given twice");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_options__defaults_come_from_the_table),
		cmocka_unit_test(test_options__a_list_sets_every_type),
		cmocka_unit_test(test_options__whole_numbers_are_seconds),
		cmocka_unit_test(test_options__an_unknown_one_lists_the_known),
		cmocka_unit_test(test_options__a_value_may_have_commas),
		cmocka_unit_test(test_options__bad_items_are_refused_and_change_nothing),
		cmocka_unit_test(test_options__defaults_by_text_do_not_count_as_given),
		cmocka_unit_test(test_options__values_read_back_as_written),
		cmocka_unit_test(test_options__flags_lists_and_repeats),
		cmocka_unit_test(test_options__plain_fields_and_their_text),
		cmocka_unit_test(test_options__a_mark_stands_before_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
