/*
 * tables.h - what tests of tables need: a folder that goes away again, and tables made in it.
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_TABLES_H
#define TEST_TABLES_H

#include "support/check.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/context.h"

struct tables_folder {
	char path[64];
};

/* In memory if that can be: tables are brought to the disk before they count, which takes long. */
static inline struct tables_folder tables_folder_new(void)
{
	struct tables_folder f = { "/dev/shm/quevedo-tables-XXXXXX" };
	if (mkdtemp(f.path))
		return f;
	f = (struct tables_folder){ "/tmp/quevedo-tables-XXXXXX" };
	assert_non_null(mkdtemp(f.path));
	return f;
}

/* Two levels: a folder for each game, files in them. */
static inline void tables_remove(const char *path, int levels)
{
	DIR *dir = opendir(path);
	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		char inside[512];
		if (entry->d_name[0] == '.')
			continue;
		snprintf(inside, sizeof inside, "%.200s/%.255s", path, entry->d_name);
		if (levels)
			tables_remove(inside, levels - 1);
		else
			unlink(inside);
	}
	if (dir)
		closedir(dir);
	rmdir(path);
}

static inline void tables_folder_free(struct tables_folder *f)
{
	tables_remove(f->path, 1);
}

/* Makes and checks the tables of a game; fails on anything wrong. */
static inline void tables_make(const struct qv_context *context, const struct qv_rules *rules,
			       const struct qv_tables_job *job)
{
	struct qv_error error = { "" };
	struct qv_tables_report report = { .size = sizeof report };
	if (qv_tables_build(context, rules, job, &error) != QV_OK)
		fail_msg("%s", error.text);
	if (qv_tables_check(context, rules, job, &report, &error) != QV_OK)
		fail_msg("%s", error.text);
	if (report.wrong)
		fail_msg("%s", report.first_wrong);
	assert_true(report.entries > 0);
}

static inline struct qv_tables *tables_open(const struct qv_context *context,
					    const struct qv_rules *rules, const char *folder)
{
	struct qv_tables *tables = NULL;
	struct qv_error error = { "" };
	if (qv_tables_open(context, rules, folder, &tables, &error) != QV_OK)
		fail_msg("%s", error.text);
	return tables;
}

/* Checks every entry of the tables that are built in, up to this space. Returns how many. */
static inline int64_t tables_check_built_in(const struct qv_context *context,
					    const struct qv_rules *rules, const char *up_to)
{
	struct tables_folder folder = tables_folder_new();
	const struct built_in_table *table = context_engine(rules->game)->tables;
	const struct qv_tables_job job = {
		.size = sizeof job, .folder = folder.path, .up_to = up_to, .threads = 1
	};
	struct qv_tables_report report = { .size = sizeof report };
	struct qv_space space;
	char path[160];
	snprintf(path, sizeof path, "%s/%s", folder.path, rules->game->name);
	assert_int_equal(mkdir(path, 0777), 0);
	for (int i = 0; table[i].bytes; i++) {
		assert_true(rules->game->index->space(rules->options, i, &space));
		snprintf(path, sizeof path, "%s/%s/%s.qvt", folder.path, rules->game->name,
			 space.name);
		FILE *out = fopen(path, "wb");
		assert_non_null(out);
		assert_int_equal(fwrite(table[i].bytes, 1, *table[i].size, out), *table[i].size);
		assert_int_equal(fclose(out), 0);
	}
	assert_int_equal(qv_tables_check(context, rules, &job, &report, NULL), QV_OK);
	assert_int_equal(report.wrong, 0);
	tables_folder_free(&folder);
	return (int64_t)report.entries;
}

#endif
