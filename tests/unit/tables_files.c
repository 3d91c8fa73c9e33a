/*
 * tables_files.c - the files of tables: what they hold comes back, what is damaged is refused, what
 * is stopped goes on, and memory that is not given leaves nothing behind.
 * SPDX-License-Identifier: MIT
 */
#include "support/desk.h"
#include "support/tables.h"

#include "base/flag.h"
#include "solve/table_file.h"
#include "support/meter.h"
#include "support/scale.h"

/* Zeroed first: the bytes between the members are compared, too. */
static void facts_of(const struct values *values, struct table_facts *out)
{
	memset(out, 0, sizeof *out);
	memcpy(out->game, "game", sizeof "game");
	memcpy(out->space, "space", sizeof "space");
	out->width = values->width;
	out->size = values->size;
	out->level = TABLE_FINISHED;
	table_count(out, values);
}

/* Values with long runs and noise, holes among them. */
static struct values make_values(uint64_t size, int width)
{
	struct values v;
	assert_int_equal(values_init(&v, &mem_malloc, size, width, NULL), QV_OK);
	for (uint64_t i = 0; i < size; i++) {
		const uint64_t r = qv_random_at(size, i / (1 + i % 7));
		const uint32_t code = (uint32_t)(r % values_ones(width));
		assert_true(values_put(&v, i, r % 11 ? code : CODE_HOLE));
	}
	return v;
}

static void test_tables_files__values_come_back(void **state)
{
	static const uint64_t sizes[] = { 1, 2, 32767, 32768, 32769, 65536, 65537, 200001 };
	(void)state;
	struct tables_folder folder = tables_folder_new();
	char path[128];
	snprintf(path, sizeof path, "%s/a.qvt", folder.path);
	for (size_t i = 0; i < 2 * sizeof sizes / sizeof *sizes; i++) {
		struct values v = make_values(sizes[i / 2], 1 + (int)(i % 2)), back;
		struct table_facts facts;
		struct table_file file;
		facts_of(&v, &facts);
		assert_int_equal(table_write(&mem_malloc, path, &facts, &v, NULL), QV_OK);
		assert_int_equal(table_open(&file, &mem_malloc, path, NULL), QV_OK);
		assert_memory_equal(&file.facts, &facts, sizeof facts);
		assert_int_equal(table_read(&file, &back, NULL), QV_OK);
		assert_memory_equal(back.data, v.data, v.size * (uint64_t)v.width);
		table_close(&file);
		values_release(&back, &mem_malloc);
		values_release(&v, &mem_malloc);
	}
	unlink(path);
	tables_folder_free(&folder);
}

/* The first place of a code is found wherever the search begins and ends. */
static void test_tables_files__values_next_is_a_plain_search(void **state)
{
	(void)state;
	for (int width = 1; width <= 2; width++) {
		struct values v;
		assert_int_equal(values_init(&v, &mem_malloc, 200, width, NULL), QV_OK);
		for (uint64_t i = 0; i < v.size; i++)
			values_put(&v, i, i % 23 ? (uint32_t)(qv_random_at(1, i) % 40) : CODE_HOLE);
		for (uint64_t from = 0; from < v.size; from++)
			for (uint32_t code = 0; code < 41; code++) {
				const uint64_t to = from + qv_random_at(2, from) % (v.size - from);
				uint64_t expected = from;
				while (expected < to && values_get(&v, expected) != code)
					expected++;
				assert_int_equal(values_next(&v, from, to, code), expected);
			}
		values_release(&v, &mem_malloc);
	}
}

static bool opens_whole(const unsigned char *bytes, size_t size)
{
	struct table_file file;
	struct values values;
	struct qv_error error = { "" };
	FILE *in = fmemopen((void *)(uintptr_t)bytes, size ? size : 1, "rb");
	assert_non_null(in);
	if (table_open_stream(&file, &mem_malloc, in, "file", &error) != QV_OK) {
		assert_true(error.text[0] != '\0');
		return false;
	}
	const bool whole = table_read(&file, &values, &error) == QV_OK;
	if (whole)
		values_release(&values, &mem_malloc);
	table_close(&file);
	return whole;
}

/* No bit can be turned, no byte cut off or put behind, without notice. */
static void test_tables_files__damage_is_noticed(void **state)
{
	(void)state;
	struct tables_folder folder = tables_folder_new();
	char path[128];
	unsigned char bytes[8192];
	snprintf(path, sizeof path, "%s/a.qvt", folder.path);
	struct values v = make_values(400, 2);
	struct table_facts facts;
	facts_of(&v, &facts);
	assert_int_equal(table_write(&mem_malloc, path, &facts, &v, NULL), QV_OK);
	values_release(&v, &mem_malloc);
	FILE *in = fopen(path, "rb");
	const size_t size = fread(bytes, 1, sizeof bytes - 1, in);
	fclose(in);
	assert_true(size > 400 && size < sizeof bytes - 1);
	assert_true(opens_whole(bytes, size));
	for (size_t i = 0; i < size; i++)
		for (int bit = 0; bit < 8; bit++) {
			bytes[i] ^= (unsigned char)(1 << bit);
			if (opens_whole(bytes, size))
				fail_msg("byte %zu, bit %d: not noticed", i, bit);
			bytes[i] ^= (unsigned char)(1 << bit);
		}
	for (size_t cut = 0; cut < size; cut++)
		assert_false(opens_whole(bytes, cut));
	bytes[size] = 0;
	assert_false(opens_whole(bytes, size + 1));
	unlink(path);
	tables_folder_free(&folder);
}

/* ---- a damaged table in the folder ---- */

static void test_tables_files__a_damaged_table_is_never_believed(void **state)
{
	(void)state;
	struct qv_context *context = desk_context(NULL);
	struct tables_folder folder = tables_folder_new();
	struct desk d;
	struct qv_solution s = { .size = sizeof s };
	struct qv_error error;
	struct qv_tables_report report = { .size = sizeof report };
	char path[128];
	const struct qv_tables_job job = { .size = sizeof job, .folder = folder.path };
	desk_open(&d, context, "noughts", "start");
	tables_make(context, &d.rules, &job);
	snprintf(path, sizeof path, "%s/noughts/ply9.qvt", folder.path);
	FILE *file = fopen(path, "r+b");
	assert_non_null(file);
	fseek(file, -3, SEEK_END);
	const int byte = fgetc(file);
	fseek(file, -3, SEEK_END);
	fputc(byte ^ 4, file);
	fclose(file);
	assert_int_equal(qv_tables_check(context, &d.rules, &job, &report, &error), QV_BAD_INPUT);
	assert_non_null(strstr(error.text, "damaged"));
	struct qv_tables *tables = tables_open(context, &d.rules, folder.path);
	assert_int_equal(qv_position_parse(&d.rules, "xoxxoooxx o", d.state, NULL), QV_OK);
	assert_int_equal(qv_tables_probe(tables, d.state, &s, NULL), QV_OK); /* ended: no table */
	assert_int_equal(qv_position_parse(&d.rules, "xoxxoo.xo x", d.state, NULL), QV_OK);
	assert_int_equal(qv_tables_probe(tables, d.state, &s, NULL), QV_OK);
	qv_tables_close(tables);
	/* Another game's table under this name. */
	char other[160];
	snprintf(other, sizeof other, "%s/noughts/ply8.qvt", folder.path);
	assert_int_equal(rename(other, path), 0);
	assert_int_equal(qv_tables_check(context, &d.rules, &job, &report, &error), QV_BAD_INPUT);
	assert_non_null(strstr(error.text, "wrong table: noughts, space ply8"));
	/* Building again makes what is wrong or missing. */
	tables_make(context, &d.rules, &job);
	desk_close(&d);
	qv_context_free(context);
	tables_folder_free(&folder);
}

/* Puts another code in place of one, with right sums and counts; returns the one before. */
static uint32_t replace_entry(const char *path, uint64_t at, uint32_t code)
{
	struct table_file file;
	struct values values;
	assert_int_equal(table_open(&file, &mem_malloc, path, NULL), QV_OK);
	assert_int_equal(table_read(&file, &values, NULL), QV_OK);
	struct table_facts facts = file.facts;
	const uint32_t before = values_get(&values, at);
	table_close(&file);
	assert_true(values_put(&values, at, code));
	table_count(&facts, &values);
	assert_int_equal(table_write(&mem_malloc, path, &facts, &values, NULL), QV_OK);
	values_release(&values, &mem_malloc);
	return before;
}

/* One wrong entry is found wherever it is and whatever it says. */
static void test_tables_files__the_check_finds_one_wrong_entry(void **state)
{
	static const uint32_t codes[] = { CODE_DRAW, 1, 2, 3, 4, 9, 10, CODE_HOLE };
	(void)state;
	struct qv_context *context = desk_context(NULL);
	struct tables_folder folder = tables_folder_new();
	struct qv_rules rules;
	struct qv_table t = { .size = sizeof t };
	int wrong = 0;
	const struct qv_tables_job job = { .size = sizeof job, .folder = folder.path };
	assert_int_equal(qv_rules_parse(context, "toy-sling", &rules, NULL), QV_OK);
	tables_make(context, &rules, &job);
	struct qv_tables *tables = tables_open(context, &rules, folder.path);
	for (int space = 0; qv_tables_at(tables, space, &t); space++)
		for (uint64_t at = 0; at < t.space.size; at += 3) {
			const uint32_t code = codes[(at + (uint64_t)space) % 8];
			struct qv_tables_report report = { .size = sizeof report };
			char path[160];
			snprintf(path, sizeof path, "%s/toy-sling/%s.qvt", folder.path,
				 t.space.name);
			const uint32_t before = replace_entry(path, at, code);
			assert_int_equal(qv_tables_check(context, &rules, &job, &report, NULL),
					 QV_OK);
			assert_int_equal(report.wrong > 0, code != before);
			wrong += code != before;
			replace_entry(path, at, before);
		}
	assert_true(wrong > 50);
	qv_tables_close(tables);
	qv_context_free(context);
	tables_folder_free(&folder);
}

/* ---- stops ---- */

struct stopper {
	struct qv_flag stop;
	int64_t left;
};

static void stop_soon(void *ctx, const struct qv_tables_news *news)
{
	struct stopper *s = ctx;
	(void)news;
	if (--s->left <= 0)
		flag_set(&s->stop, true);
}

static size_t read_file(const char *folder, const char *name, unsigned char *bytes, size_t size)
{
	char path[256];
	snprintf(path, sizeof path, "%.60s/%.120s", folder, name);
	FILE *in = fopen(path, "rb");
	assert_non_null(in);
	const size_t length = fread(bytes, 1, size, in);
	fclose(in);
	assert_true(length < size);
	return length;
}

/* Stopped ever later, and gone on with each time: the same bytes as in one go. */
static void stop_and_go(const char *game, const char *table, bool counters, int threads)
{
	enum { LARGEST = 1 << 20 };
	struct qv_context *context = desk_context(NULL);
	struct tables_folder once = tables_folder_new(), often = tables_folder_new();
	struct qv_rules rules;
	unsigned char *a = malloc(LARGEST), *b = malloc(LARGEST);
	assert_int_equal(qv_rules_parse(context, game, &rules, NULL), QV_OK);
	struct qv_tables_job job = { .size = sizeof job,
				     .folder = once.path,
				     .checkpoint_ms = 60000 };
	tables_make(context, &rules, &job);
	int runs = 0;
	for (enum qv_status status = QV_STOPPED; status != QV_OK; runs++) {
		struct stopper stopper = { .left = 1 + runs };
		job = (struct qv_tables_job){ .size = sizeof(struct qv_tables_job),
					      .folder = often.path,
					      .counters = counters,
					      .threads = threads,
					      .stop = &stopper.stop,
					      .progress = stop_soon,
					      .ctx = &stopper };
		status = qv_tables_build(context, &rules, &job, NULL);
		assert_true(status == QV_OK || status == QV_STOPPED);
	}
	assert_true(runs > 3);
	const size_t size = read_file(once.path, table, a, LARGEST);
	assert_int_equal(read_file(often.path, table, b, LARGEST), size);
	assert_memory_equal(a, b, size);
	free(a);
	free(b);
	tables_folder_free(&once);
	tables_folder_free(&often);
	qv_context_free(context);
}

static void test_tables_files__a_stopped_build_goes_on(void **state)
{
	(void)state;
	stop_and_go("toy-trog:width=12,height=12",
		    "toy-trog:width=12,height=12/two-men.qvt", false, 1);
	stop_and_go("toy-trog:width=2,height=140", "toy-trog:width=2,height=140/two-men.qvt", true,
		    2);
	stop_and_go("toy-trog-images:width=12,height=12",
		    "toy-trog-images:width=12,height=12/two-men.qvt", true, 1);
	stop_and_go("toy-trog-forward:width=9,height=7",
		    "toy-trog-forward:width=9,height=7/two-men.qvt", false, 2);
	stop_and_go("toy-sling", "toy-sling/hits-0-0.qvt", false, 1);
}

/* ---- memory ---- */

/* Fails the n-th allocation; returns whether there were so many. */
static bool survive(int64_t n, int what)
{
	struct meter meter = meter_make();
	const struct qv_allocator allocator = { meter_resize, &meter };
	struct qv_context *context = desk_context(&allocator);
	struct tables_folder folder = tables_folder_new();
	struct desk d;
	struct qv_tables_estimate plan = { .size = sizeof plan };
	struct qv_tables_report report = { .size = sizeof report };
	struct qv_solution s = { .size = sizeof s };
	struct qv_tables *tables = NULL;
	struct qv_error error = { "" };
	const struct qv_tables_job job = {
		.size = sizeof job, .folder = folder.path, .counters = true, .threads = 2
	};
	desk_open(&d, context, "toy-trog-images:width=3,height=3", "start");
	if (what > 1)
		assert_int_equal(qv_tables_build(context, &d.rules, &job, NULL), QV_OK);
	meter_arm(&meter, n, false);
	enum qv_status status = what == 0 ? qv_tables_plan(context, &d.rules, &job, &plan, &error)
				: what == 1 ? qv_tables_build(context, &d.rules, &job, &error)
				: what == 2 ? qv_tables_check(context, &d.rules, &job, &report, &error)
					    : qv_tables_open(context, &d.rules, folder.path, &tables,
							     &error);
	if (status == QV_OK && tables)
		status = qv_tables_probe(tables, d.state, &s, &error);
	const bool failed = meter.failed;
	meter_arm(&meter, 0, false);
	if (failed && status != QV_OK) {
		assert_int_equal(status, QV_NO_MEMORY);
		assert_non_null(strstr(error.text, "out of memory"));
	} else {
		assert_int_equal(status, QV_OK);
	}
	qv_tables_close(tables);
	desk_close(&d);
	qv_context_free(context);
	assert_int_equal(meter.blocks, 0);
	assert_int_equal(meter.bytes, 0);
	assert_int_equal(meter.wrong_sizes, 0);
	tables_folder_free(&folder);
	return failed;
}

static void test_tables_files__survive_without_memory(void **state)
{
	(void)state;
	for (int what = 0; what < 4; what++) {
		int64_t n = 1;
		while (n < scaled(400) && survive(n, what))
			n++;
		assert_true(n > 3);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tables_files__values_come_back),
		cmocka_unit_test(test_tables_files__values_next_is_a_plain_search),
		cmocka_unit_test(test_tables_files__damage_is_noticed),
		cmocka_unit_test(test_tables_files__a_damaged_table_is_never_believed),
		cmocka_unit_test(test_tables_files__the_check_finds_one_wrong_entry),
		cmocka_unit_test(test_tables_files__a_stopped_build_goes_on),
		cmocka_unit_test(test_tables_files__survive_without_memory),
	};
	return cmocka_run_group_tests_name("tables_files", tests, NULL, NULL);
}
