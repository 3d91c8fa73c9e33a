/*
 * tables_ranks.c - tables built on several ranks: the same bytes as on one, stopped and resumed,
 * with damaged checkpoints, without memory, and what ranks refuse.
 * SPDX-License-Identifier: MIT
 */
#include "support/desk.h"
#include "support/ranks.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/flag.h"
#include "support/meter.h"
#include "support/scale.h"

enum { LARGEST = 1 << 20 };

/* The context of all ranks. */
struct one_context {
	struct qv_context *list[RANKS_MOST];
};

static struct one_context one_context_new(void)
{
	return (struct one_context){ { desk_context(NULL) } };
}

/* Reads a whole file; returns its size. */
static size_t read_file(const char *path, unsigned char *bytes)
{
	FILE *in = fopen(path, "rb");
	assert_non_null(in);
	const size_t size = fread(bytes, 1, LARGEST, in);
	fclose(in);
	assert_true(size < LARGEST);
	return size;
}

/* Both folders hold the same files with the same bytes. */
static void same_files(const char *one, const char *other)
{
	unsigned char *a = malloc(LARGEST), *b = malloc(LARGEST);
	int files[2] = { 0, 0 };
	for (int i = 0; i < 2; i++) {
		DIR *dir = opendir(i ? other : one);
		assert_non_null(dir);
		for (struct dirent *entry; (entry = readdir(dir));) {
			char path[2][512];
			if (entry->d_name[0] == '.')
				continue;
			files[i]++;
			snprintf(path[0], sizeof path[0], "%.200s/%.255s", one, entry->d_name);
			snprintf(path[1], sizeof path[1], "%.200s/%.255s", other, entry->d_name);
			const size_t size = read_file(path[0], a);
			assert_int_equal(read_file(path[1], b), size);
			assert_memory_equal(a, b, size);
		}
		closedir(dir);
	}
	assert_true(files[0] > 1); /* the tables, and the lock */
	assert_int_equal(files[0], files[1]);
	free(a);
	free(b);
}

/* The folder of a game in a folder of tables. */
static const char *inside(char path[192], const struct tables_folder *folder, const char *game)
{
	snprintf(path, 192, "%s/%s", folder->path, game);
	return path;
}

/* On 1, 2, 4 and 5 ranks, as far as `least` and `most` allow. */
static void compare_bytes(const char *game, const char *up_to, int least, int most)
{
	struct one_context context = one_context_new();
	struct tables_folder plain = tables_folder_new();
	struct qv_rules rules;
	struct qv_tables_job job = { .size = sizeof job, .folder = plain.path, .up_to = up_to };
	char a[192], b[192];
	assert_int_equal(qv_rules_parse(context.list[0], game, &rules, NULL), QV_OK);
	tables_make(context.list[0], &rules, &job);
	for (int count = least; count <= most; count += count == 2 ? 2 : 1) {
		struct tables_folder folder = tables_folder_new();
		struct qv_error error = { "" };
		job.folder = folder.path;
		job.threads = 1 + count % 3 / 2;
		job.checkpoint_ms = count % 2 ? 0 : 60000;
		if (test_ranks_build(count, context.list, &rules, &job, &error) != QV_OK)
			fail_msg("%s, %d ranks: %s", game, count, error.text);
		same_files(inside(a, &plain, game), inside(b, &folder, game));
		tables_folder_free(&folder);
	}
	tables_folder_free(&plain);
	qv_context_free(context.list[0]);
}

static void test_ranks__the_same_bytes(void **state)
{
	(void)state;
	compare_bytes("toy-trog", NULL, 1, 5);
	compare_bytes("toy-trog-images:width=9,height=9", NULL, 1, 5);
	compare_bytes("draughts", "kk-m", 1, 4);
}

/* Ranks with nothing to hold, and more plies than a byte holds. */
static void test_ranks__small_parts_and_wide_values(void **state)
{
	(void)state;
	compare_bytes("toy-trog:width=2,height=2", NULL, 1, 5);
	compare_bytes("toy-trog:width=2,height=140", NULL, scaled(100) < 100 ? 2 : 1, 2);
}

/* ---- stops ---- */

struct stopper {
	struct qv_flag stop;
	int64_t left;
	int first_level; /* the level of the first report; -2: none yet */
	char note[256];
};

static void stop_soon(void *ctx, const struct qv_tables_news *news)
{
	struct stopper *s = ctx;
	if (news->note) {
		snprintf(s->note, sizeof s->note, "%s", news->note);
		return;
	}
	if (s->first_level == -2)
		s->first_level = news->level;
	if (--s->left <= 0)
		flag_set(&s->stop, true);
}

/* Builds on ranks until the stopper says stop. */
static enum qv_status build_some(struct one_context *context, const struct qv_rules *rules,
				 const char *folder, int count, struct stopper *s)
{
	const struct qv_tables_job job = {
		.size = sizeof job,
		.folder = folder, .threads = 1, .stop = &s->stop, .progress = stop_soon, .ctx = s
	};
	s->first_level = -2;
	return test_ranks_build(count, context->list, rules, &job, NULL);
}

/* Stopped ever later and resumed each time: the same bytes as in one go. */
static void test_ranks__a_stopped_build_goes_on(void **state)
{
	static const char *const games[] = { "toy-trog:width=12,height=12",
					     "toy-trog:width=2,height=140" };
	(void)state;
	for (int i = 0; i < 2; i++) {
		struct one_context context = one_context_new();
		struct tables_folder once = tables_folder_new(), often = tables_folder_new();
		struct qv_rules rules;
		const struct qv_tables_job job = { .size = sizeof job,
						   .folder = once.path,
						   .counters = true };
		char a[192], b[192];
		int runs = 0, resumed = 0;
		assert_int_equal(qv_rules_parse(context.list[0], games[i], &rules, NULL), QV_OK);
		tables_make(context.list[0], &rules, &job);
		for (enum qv_status status = QV_STOPPED; status != QV_OK; runs++) {
			struct stopper s = { .left = 1 + 2 * runs };
			status = build_some(&context, &rules, often.path, 3, &s);
			assert_true(status == QV_OK || status == QV_STOPPED);
			assert_string_equal(s.note, "");
			resumed += s.first_level > 0;
		}
		assert_true(runs > 3 && resumed > 1);
		same_files(inside(a, &once, games[i]), inside(b, &often, games[i]));
		tables_folder_free(&once);
		tables_folder_free(&often);
		qv_context_free(context.list[0]);
	}
}

/* Turns a bit near the end of a file, or cuts the file there. */
static void damage(const char *folder, const char *name, bool cut)
{
	char path[256];
	snprintf(path, sizeof path, "%.190s/%.60s", folder, name);
	FILE *file = fopen(path, "r+b");
	assert_non_null(file);
	assert_int_equal(fseek(file, -9, SEEK_END), 0);
	const int byte = fgetc(file);
	assert_int_equal(fseek(file, -9, SEEK_END), 0);
	if (cut)
		assert_int_equal(ftruncate(fileno(file), ftell(file)), 0);
	else
		fputc(byte ^ 4, file);
	fclose(file);
}

/* Checkpoints that cannot be used are reported, and the build starts from the beginning. */
static void test_ranks__bad_checkpoints_are_reported(void **state)
{
	enum { BIT, CUT, FOREIGN, OTHER_RANKS, ALONE, WAYS };
	static const char game[] = "toy-trog:width=12,height=12";
	(void)state;
	struct one_context context = one_context_new();
	struct tables_folder plain = tables_folder_new();
	struct qv_rules rules;
	const struct qv_tables_job job = { .size = sizeof job,
					   .folder = plain.path,
					   .counters = true };
	char a[192], b[192], from[256], to[256];
	assert_int_equal(qv_rules_parse(context.list[0], game, &rules, NULL), QV_OK);
	tables_make(context.list[0], &rules, &job);
	for (int way = 0; way < WAYS; way++) {
		struct tables_folder folder = tables_folder_new();
		struct stopper s = { .left = 20 };
		inside(b, &folder, game);
		assert_int_equal(build_some(&context, &rules, folder.path, 2, &s), QV_STOPPED);
		if (way == BIT || way == CUT) {
			damage(b, "two-men.rank1-of-2.a.part", way == CUT);
			damage(b, "two-men.rank1-of-2.b.part", way == CUT);
		} else if (way == FOREIGN) {
			/* The part of another rank, whole and of the same size. */
			for (int slot = 0; slot < 2; slot++) {
				snprintf(from, sizeof from, "%.190s/two-men.rank0-of-2.%c.part", b,
					 'a' + slot);
				snprintf(to, sizeof to, "%.190s/two-men.rank1-of-2.%c.part", b,
					 'a' + slot);
				assert_int_equal(rename(from, to), 0);
				assert_int_equal(symlink(to, from), 0);
			}
		}
		s = (struct stopper){ .left = INT64_MAX };
		const int count = way == OTHER_RANKS ? 3 : way == ALONE ? 1 : 2;
		assert_int_equal(build_some(&context, &rules, folder.path, count, &s), QV_OK);
		assert_int_equal(s.first_level, -1);
		if (!strstr(s.note, "two-men starts from the beginning: ") ||
		    (way < OTHER_RANKS && !strstr(s.note, "rank 1: ")) ||
		    (way < FOREIGN && !strstr(s.note, way == CUT ? "truncated" : "damaged")) ||
		    (way >= OTHER_RANKS && !strstr(s.note, "another number of ranks")))
			fail_msg("way %d: %s", way, s.note);
		same_files(inside(a, &plain, game), b);
		tables_folder_free(&folder);
	}
	tables_folder_free(&plain);
	qv_context_free(context.list[0]);
}

/* ---- a full disk ---- */

/* A file that cannot be written: the next one of that name goes to a device that is full. */
static void fill_disk(const char *folder, const char *name)
{
	char path[256];
	snprintf(path, sizeof path, "%.190s/%.50s.tmp", folder, name);
	assert_int_equal(symlink("/dev/full", path), 0);
}

/*
 * The disk is full for one file of one rank, or of a build with threads: all ranks report it. A
 * later build has no use for what was left, and gives the same bytes as if nothing had happened.
 */
static void test_ranks__a_full_disk_is_reported(void **state)
{
	static const struct {
		int ranks, threads;
		const char *name, *error;
	} cases[] = {
		{ 1, 1, "two-men.part", "two-men.part: No space left on device" },
		{ 1, 3, "two-men.part", "two-men.part: No space left on device" },
		{ 1, 3, "two-men.qvt", "two-men.qvt: No space left on device" },
		{ 3, 1, "two-men.rank0-of-3.a.part", "rank0-of-3.a.part: No space left" },
		{ 3, 1, "two-men.rank2-of-3.a.part", "rank 2: " },
		{ 3, 2, "two-men.rank1-of-3.b.part", "rank1-of-3.b.part: No space left" },
		{ 3, 1, "two-men.qvt", "two-men.qvt: No space left on device" },
	};
	static const char game[] = "toy-trog:width=12,height=12";
	(void)state;
	struct one_context context = one_context_new();
	struct tables_folder plain = tables_folder_new();
	struct qv_rules rules;
	struct qv_tables_job job = { .size = sizeof job, .folder = plain.path };
	char a[192], b[192], table[256];
	assert_int_equal(qv_rules_parse(context.list[0], game, &rules, NULL), QV_OK);
	tables_make(context.list[0], &rules, &job);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct tables_folder folder = tables_folder_new();
		struct qv_tables_report report = { .size = sizeof report };
		struct qv_error error = { "" };
		job = (struct qv_tables_job){ .size = sizeof(struct qv_tables_job),
					      .folder = folder.path,
					      .threads = cases[i].threads };
		assert_int_equal(mkdir(inside(b, &folder, game), 0700), 0);
		fill_disk(b, cases[i].name);
		assert_int_equal(
			test_ranks_build(cases[i].ranks, context.list, &rules, &job, &error),
			QV_IO);
		if (!strstr(error.text, cases[i].error) || !strstr(error.text, "No space left"))
			fail_msg("%s: %s", cases[i].name, error.text);
		/* There is no table: neither a file of that name, nor one that a check accepts. */
		snprintf(table, sizeof table, "%s/two-men.qvt", b);
		assert_int_not_equal(access(table, F_OK), 0);
		assert_int_equal(qv_tables_check(context.list[0], &rules, &job, &report, NULL),
				 QV_IO);
		assert_int_equal(
			test_ranks_build(cases[i].ranks, context.list, &rules, &job, &error),
			QV_OK);
		same_files(inside(a, &plain, game), b);
		tables_folder_free(&folder);
	}
	tables_folder_free(&plain);
	qv_context_free(context.list[0]);
}

/* ---- refusals ---- */

static void test_ranks__games_without_parents_are_refused(void **state)
{
	(void)state;
	struct one_context context = one_context_new();
	struct tables_folder folder = tables_folder_new();
	struct qv_rules rules;
	struct qv_error error = { "" };
	const struct qv_tables_job job = { .size = sizeof job, .folder = folder.path };
	assert_int_equal(qv_rules_parse(context.list[0], "noughts", &rules, NULL), QV_OK);
	assert_int_equal(test_ranks_build(2, context.list, &rules, &job, &error), QV_UNSUPPORTED);
	assert_non_null(strstr(error.text, "noughts cannot be built on several ranks"));
	/* One rank is the same as none. */
	assert_int_equal(test_ranks_build(1, context.list, &rules, &job, &error), QV_OK);
	tables_folder_free(&folder);
	qv_context_free(context.list[0]);
}

/* If one rank is short of memory, all end with the same error, and none waits for it. */
static bool survive(int64_t n, int short_rank)
{
	struct meter meter = meter_make();
	const struct qv_allocator allocator = { meter_resize, &meter };
	struct one_context context = one_context_new();
	struct qv_context *metered = desk_context(&allocator);
	struct tables_folder folder = tables_folder_new();
	struct qv_rules rules;
	struct qv_error error = { "" };
	const struct qv_tables_job job = { .size = sizeof job, .folder = folder.path };
	if (short_rank == 0)
		context.list[1] = context.list[0];
	context.list[short_rank] = metered;
	assert_int_equal(qv_rules_parse(metered, "toy-trog-images:width=3,height=3", &rules, NULL),
			 QV_OK);
	meter_arm(&meter, n, false);
	const enum qv_status status = test_ranks_build(2, context.list, &rules, &job, &error);
	const bool failed = meter.failed;
	meter_arm(&meter, 0, false);
	if (failed && status != QV_OK) {
		assert_int_equal(status, QV_NO_MEMORY);
		assert_non_null(strstr(error.text, short_rank ? "rank 1: " : ""));
		assert_non_null(strstr(error.text, "out of memory"));
	} else {
		assert_int_equal(status, QV_OK);
	}
	qv_context_free(context.list[!short_rank]);
	qv_context_free(metered);
	assert_int_equal(meter.blocks, 0);
	assert_int_equal(meter.bytes, 0);
	assert_int_equal(meter.wrong_sizes, 0);
	tables_folder_free(&folder);
	return failed;
}

static void test_ranks__survive_without_memory(void **state)
{
	(void)state;
	for (int rank = 0; rank < 2; rank++) {
		int64_t n = 1;
		while (n < scaled(200) && survive(n, rank))
			n++;
		assert_true(n > 3);
	}
}

/* ---- plans ---- */

static void test_ranks__the_plan_divides_memory_and_time(void **state)
{
	(void)state;
	struct one_context context = one_context_new();
	struct tables_folder folder = tables_folder_new();
	struct qv_rules rules;
	struct qv_tables_estimate alone = { .size = sizeof alone },
				  shared = { .size = sizeof shared };
	const struct qv_tables_ranks ranks = { .size = sizeof ranks, .rank = 0, .count = 4 };
	struct qv_tables_job job = { .size = sizeof job, .folder = folder.path, .counters = true };
	assert_int_equal(
		qv_rules_parse(context.list[0], "toy-trog:width=32,height=32", &rules, NULL),
		QV_OK);
	assert_int_equal(qv_tables_plan(context.list[0], &rules, &job, &alone, NULL), QV_OK);
	job.ranks = &ranks;
	assert_int_equal(qv_tables_plan(context.list[0], &rules, &job, &shared, NULL), QV_OK);
	assert_int_equal(alone.memory, 2 * alone.numbers);
	assert_int_equal(shared.memory, alone.memory / 4);
	assert_int_equal(shared.disk, alone.disk);
	tables_folder_free(&folder);
	qv_context_free(context.list[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ranks__the_same_bytes),
		cmocka_unit_test(test_ranks__small_parts_and_wide_values),
		cmocka_unit_test(test_ranks__a_stopped_build_goes_on),
		cmocka_unit_test(test_ranks__bad_checkpoints_are_reported),
		cmocka_unit_test(test_ranks__a_full_disk_is_reported),
		cmocka_unit_test(test_ranks__games_without_parents_are_refused),
		cmocka_unit_test(test_ranks__survive_without_memory),
		cmocka_unit_test(test_ranks__the_plan_divides_memory_and_time),
	};
	return cmocka_run_group_tests_name("tables_ranks", tests, NULL, NULL);
}
