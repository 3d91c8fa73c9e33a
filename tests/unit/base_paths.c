/*
 * base_paths.c - folders: where data is kept, making them, names inside them.
 * SPDX-License-Identifier: MIT
 */
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/paths.h"

static void test_folder__where_data_is(void **unused)
{
	char out[FOLDER_PATH], too_long[FOLDER_PATH + 1];
	(void)unused;
	setenv("XDG_DATA_HOME", "/x", 1);
	setenv("HOME", "/h", 1);
	assert_int_equal(folder_find("given", NULL, out, NULL), QV_OK);
	assert_string_equal(out, "given");
	assert_int_equal(folder_find("given", "tables", out, NULL), QV_OK);
	assert_string_equal(out, "given");
	assert_int_equal(folder_find(NULL, NULL, out, NULL), QV_OK);
	assert_string_equal(out, "/x/quevedo");
	assert_int_equal(folder_find(NULL, "tables", out, NULL), QV_OK);
	assert_string_equal(out, "/x/quevedo/tables");
	setenv("XDG_DATA_HOME", "relative", 1);
	assert_int_equal(folder_find(NULL, NULL, out, NULL), QV_OK);
	assert_string_equal(out, "/h/.local/share/quevedo");
	assert_int_equal(folder_find(NULL, "tables", out, NULL), QV_OK);
	assert_string_equal(out, "/h/.local/share/quevedo/tables");
	unsetenv("XDG_DATA_HOME");
	unsetenv("HOME");
	assert_int_equal(folder_find(NULL, NULL, out, NULL), QV_BAD_INPUT);
	assert_int_equal(folder_find("", NULL, out, NULL), QV_BAD_INPUT);
	memset(too_long, 'x', FOLDER_PATH);
	too_long[FOLDER_PATH] = '\0';
	assert_int_equal(folder_find(too_long, NULL, out, NULL), QV_BAD_INPUT);
	too_long[0] = '/';
	setenv("HOME", too_long, 1);
	assert_int_equal(folder_find(NULL, NULL, out, NULL), QV_BAD_INPUT);
}

static void test_folder__names_inside(void **unused)
{
	char out[FOLDER_PATH], longest[FOLDER_PATH];
	(void)unused;
	assert_int_equal(folder_path("/a/b", "c", out, NULL), QV_OK);
	assert_string_equal(out, "/a/b/c");
	memset(longest, 'x', FOLDER_PATH - 1);
	longest[FOLDER_PATH - 1] = '\0';
	assert_int_equal(folder_path(longest, "c", out, NULL), QV_BAD_INPUT);
	longest[FOLDER_PATH - 3] = '\0';
	assert_int_equal(folder_path(longest, "c", out, NULL), QV_OK);
	assert_int_equal(strlen(out), FOLDER_PATH - 1);
}

static void test_folder__made_with_its_parents(void **unused)
{
	char base[] = "/tmp/quevedo-paths-XXXXXX", deep[FOLDER_PATH], file[FOLDER_PATH];
	struct qv_error error = { "" };
	struct stat facts;
	(void)unused;
	assert_non_null(mkdtemp(base));
	assert_int_equal(folder_path(base, "one/two", deep, &error), QV_OK);
	assert_int_equal(folder_make(deep, &error), QV_OK);
	assert_int_equal(folder_make(deep, &error), QV_OK);
	assert_int_equal(stat(deep, &facts), 0);
	assert_int_equal(facts.st_mode & 0777, 0700);
	assert_int_equal(folder_sync(deep, &error), QV_OK);

	assert_int_equal(folder_path(deep, "file", file, &error), QV_OK);
	FILE *out = fopen(file, "w");
	assert_non_null(out);
	fclose(out);
	assert_int_equal(folder_make(file, &error), QV_IO);
	assert_non_null(strstr(error.text, "is not a folder"));
	assert_int_equal(folder_sync(file, &error), QV_IO);
	assert_int_equal(folder_make("", &error), QV_BAD_INPUT);

	assert_int_equal(unlink(file), 0);
	assert_int_equal(rmdir(deep), 0);
	assert_int_equal(folder_sync(deep, &error), QV_IO);
	*strrchr(deep, '/') = '\0';
	assert_int_equal(rmdir(deep), 0);
	assert_int_equal(rmdir(base), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_folder__where_data_is),
		cmocka_unit_test(test_folder__names_inside),
		cmocka_unit_test(test_folder__made_with_its_parents),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
