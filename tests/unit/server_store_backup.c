/*
 * server_store_backup.c - a backup is a whole database of one moment, and overwrites nothing.
 * SPDX-License-Identifier: MIT
 */
#include "support/shop.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

static int set_up(void **state)
{
	*state = shop_with_play(shop_new());
	return 0;
}

static int tear_down(void **state)
{
	shop_free(*state);
	return 0;
}

static void queue_lines(struct shop *shop, int64_t from, int64_t to)
{
	for (int64_t i = from; i < to; i++) {
		shop_line(shop, "p1", i);
		shop_after(shop);
	}
}

/* The file becomes the database of another store: how many lines are there? */
static int64_t lines_in(const char *file)
{
	struct shop *other = shop_new();
	char path[SHOP_PATH];
	assert_int_equal(rename(file, shop_path(other, "quevedo.db", path)), 0);
	shop_open(other);
	const int64_t lines = shop_lines(other, "p1");
	shop_free(other);
	return lines;
}

static void test_backup__while_writing(void **state)
{
	enum { LINES = 400 };
	struct shop *shop = *state;
	char file[SHOP_PATH];
	struct qv_error error = { "" };
	shop_path(shop, "copy", file);
	for (int64_t at = 0; at < LINES; at += 100) {
		queue_lines(shop, at, at + 50);
		shop_wait(shop);
		queue_lines(shop, at + 50, at + 100); /* while these are being written */
		if (store_backup(shop->folder, file, &error) != QV_OK)
			fail_msg("%s", error.text);
		shop_wait(shop);
		assert_in_range(lines_in(file), at + 50, at + 100);
	}
	assert_int_equal(shop_lines(shop, "p1"), LINES);
}

static void test_backup__is_one_file_for_its_owner(void **state)
{
	struct shop *shop = *state;
	char file[SHOP_PATH];
	struct stat about;
	int others = 0;
	shop_path(shop, "copy", file);
	assert_int_equal(store_backup(shop->folder, file, NULL), QV_OK);
	assert_int_equal(stat(file, &about), 0);
	assert_int_equal(about.st_mode & 0777, 0600);
	DIR *dir = opendir(shop->folder);
	for (struct dirent *entry; (entry = readdir(dir));)
		others += strncmp(entry->d_name, "copy", 4) == 0 && entry->d_name[4];
	closedir(dir);
	assert_int_equal(others, 0);
}

static void test_backup__without_a_server(void **state)
{
	struct shop *shop = *state;
	char file[SHOP_PATH];
	queue_lines(shop, 0, 10);
	shop_close(shop);
	assert_int_equal(store_backup(shop->folder, shop_path(shop, "copy", file), NULL), QV_OK);
	assert_int_equal(lines_in(file), 10);
	shop_open(shop);
	assert_int_equal(shop_lines(shop, "p1"), 10);
}

/* The same by the program; a second time it refuses. */
static void test_backup__by_the_command(void **state)
{
	struct shop *shop = *state;
	char file[SHOP_PATH], command[1024];
	queue_lines(shop, 0, 10);
	shop_wait(shop);
	shop_path(shop, "copy", file);
	snprintf(command, sizeof command, "'%s' backup '%s' --data '%s' >'%s/said' 2>&1", QUEVEDO,
		 file, shop->folder, shop->folder);
	assert_int_equal(system(command), 0);
	const int again = system(command);
	assert_true(WIFEXITED(again) && WEXITSTATUS(again) == 2);
	assert_int_equal(lines_in(file), 10);
}

static void test_backup__refuses(void **state)
{
	struct shop *shop = *state;
	char file[SHOP_PATH], data[SHOP_PATH];
	struct qv_error error = { "" };
	struct stat about;
	shop_path(shop, "copy", file);
	FILE *there = fopen(file, "w");
	assert_true(fputs("precious", there) >= 0);
	fclose(there);
	assert_int_equal(store_backup(shop->folder, file, &error), QV_ILLEGAL);
	assert_non_null(strstr(error.text, "copy: already exists"));
	assert_int_equal(stat(file, &about), 0);
	assert_int_equal(about.st_size, 8);
	assert_int_equal(store_backup(file, shop_path(shop, "b", data), &error), QV_IO);
	assert_int_equal(store_backup(shop->folder, shop_path(shop, "no/b", data), &error), QV_IO);
	assert_non_null(strstr(error.text, "no/b: cannot be written: No such file"));
	shop_close(shop);
	assert_int_equal(rename(file, shop_path(shop, "quevedo.db", data)), 0);
	assert_int_equal(store_backup(shop->folder, file, &error), QV_IO);
	assert_non_null(strstr(error.text, "quevedo.db: is not a database"));
	assert_int_not_equal(stat(file, &about), 0);
	assert_int_equal(unlink(data), 0);
	assert_int_equal(store_backup(shop->folder, file, &error), QV_IO);
	assert_non_null(strstr(error.text, "quevedo.db: No such file"));
}

static void test_backup__a_full_disk_leaves_nothing(void **state)
{
	struct shop *shop = *state;
	struct rlimit before, small = { .rlim_cur = 40960 }; /* room for what SQLite shares */
	char file[SHOP_PATH];
	struct qv_error error = { "" };
	struct stat about;
	shop_close(shop);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	small.rlim_max = before.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	const enum qv_status status =
		store_backup(shop->folder, shop_path(shop, "copy", file), &error);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(status, QV_IO);
	assert_non_null(strstr(error.text, "/copy: "));
	assert_true(stat(file, &about) != 0 && errno == ENOENT);
}

/* ---- The other way round ---- */

/* A backup after 10 lines, a database with 20, and no server. */
static void make_both(struct shop *shop, char file[SHOP_PATH])
{
	queue_lines(shop, 0, 10);
	shop_wait(shop);
	assert_int_equal(store_backup(shop->folder, shop_path(shop, "copy", file), NULL), QV_OK);
	queue_lines(shop, 10, 20);
	shop_close(shop);
}

static void test_restore__the_old_database_stays(void **state)
{
	struct shop *shop = *state;
	char file[SHOP_PATH], kept[STORE_KEPT];
	struct qv_error error = { "" };
	struct stat about;
	make_both(shop, file);
	if (store_restore(shop->folder, file, NULL, NULL, kept, &error) != QV_OK)
		fail_msg("%s", error.text);
	shop_open(shop);
	assert_int_equal(shop_lines(shop, "p1"), 10);
	queue_lines(shop, 10, 12);
	shop_close(shop);
	assert_int_equal(lines_in(kept), 20);
	assert_int_equal(lines_in(file), 10); /* the backup is as it was */
	char path[SHOP_PATH];
	assert_int_equal(stat(shop_path(shop, "quevedo.db", path), &about), 0);
	assert_int_equal(about.st_mode & 0777, 0600);
	assert_int_not_equal(stat(shop_path(shop, "restoring", path), &about), 0);
}

/* A server that was killed leaves lines in its log only. */
static void test_restore__keeps_the_log_of_a_killed_server(void **state)
{
	struct shop *shop = *state;
	char file[SHOP_PATH], kept[STORE_KEPT];
	shop_close(shop);
	const pid_t child = fork();
	if (child == 0) {
		shop_open(shop);
		queue_lines(shop, 0, 20);
		shop_wait(shop);
		_exit(shop_lines(shop, "p1") != 20); /* without closing it */
	}
	int status;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	struct shop *other = shop_new();
	shop_open(other);
	shop_close(other);
	assert_int_equal(store_backup(other->folder, shop_path(shop, "copy", file), NULL), QV_OK);
	shop_free(other);
	assert_int_equal(store_restore(shop->folder, file, NULL, NULL, kept, NULL), QV_OK);
	assert_int_equal(lines_in(kept), 20);
	shop_open(shop);
	assert_int_equal(shop_lines(shop, "p1"), -1);
}

static void test_restore__into_a_new_folder(void **state)
{
	struct shop *shop = *state;
	char file[SHOP_PATH], folder[SHOP_PATH], kept[STORE_KEPT], path[2 * SHOP_PATH];
	make_both(shop, file);
	shop_path(shop, "new", folder);
	assert_int_equal(store_restore(folder, file, NULL, NULL, kept, NULL), QV_OK);
	assert_string_equal(kept, "");
	snprintf(path, sizeof path, "%s/quevedo.db", folder);
	assert_int_equal(lines_in(path), 10);
}

/* Whatever is wrong, the database is as it was. */
static void test_restore__refuses(void **state)
{
	struct shop *shop = *state;
	char file[SHOP_PATH], other[SHOP_PATH], kept[STORE_KEPT];
	struct qv_error error = { "" };
	make_both(shop, file);
	shop_open(shop);
	assert_int_equal(store_restore(shop->folder, file, NULL, NULL, kept, &error), QV_IO);
	assert_non_null(strstr(error.text, "is in use by another quevedo serve"));
	shop_close(shop);
	assert_int_equal(store_restore(shop->folder, shop_path(shop, "no", other), NULL, NULL, kept, &error),
			 QV_IO);
	assert_non_null(strstr(error.text, "/no: No such file"));
	FILE *bad = fopen(shop_path(shop, "bad", other), "w");
	assert_true(fputs("not a database at all", bad) >= 0);
	fclose(bad);
	assert_int_equal(store_restore(shop->folder, other, NULL, NULL, kept, &error), QV_IO);
	assert_non_null(strstr(error.text, "/bad: is not a database"));
	/* A page of zeros in the middle. */
	bad = fopen(file, "r+");
	static const char zeros[4096];
	assert_int_equal(fseek(bad, 4096, SEEK_SET), 0);
	assert_int_equal(fwrite(zeros, 1, sizeof zeros, bad), sizeof zeros);
	fclose(bad);
	assert_int_equal(store_restore(shop->folder, file, NULL, NULL, kept, &error), QV_IO);
	shop_open(shop);
	assert_int_equal(shop_lines(shop, "p1"), 20);
	shop_close(shop);
	DIR *dir = opendir(shop->folder);
	for (struct dirent *entry; (entry = readdir(dir));)
		assert_null(strstr(entry->d_name, "before"));
	closedir(dir);
}

static void test_restore__by_the_command(void **state)
{
	struct shop *shop = *state;
	char file[SHOP_PATH], command[1024], said[256] = "", path[SHOP_PATH];
	make_both(shop, file);
	snprintf(command, sizeof command, "'%s' restore '%s' --data '%s' --json >'%s/said'",
		 QUEVEDO, file, shop->folder, shop->folder);
	assert_int_equal(system(command), 0);
	FILE *in = fopen(shop_path(shop, "said", path), "r");
	assert_non_null(fgets(said, sizeof said, in));
	fclose(in);
	assert_non_null(strstr(said, "\"kept\":\""));
	assert_non_null(strstr(said, "/quevedo.db.before-20"));
	shop_open(shop);
	assert_int_equal(shop_lines(shop, "p1"), 10);
	const int busy = system(command);
	assert_true(WIFEXITED(busy) && WEXITSTATUS(busy) == 2);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_backup__while_writing),
		CASE(test_backup__is_one_file_for_its_owner),
		CASE(test_backup__without_a_server),
		CASE(test_backup__by_the_command),
		CASE(test_backup__refuses),
		CASE(test_backup__a_full_disk_leaves_nothing),
		CASE(test_restore__the_old_database_stays),
		CASE(test_restore__keeps_the_log_of_a_killed_server),
		CASE(test_restore__into_a_new_folder),
		CASE(test_restore__refuses),
		CASE(test_restore__by_the_command),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
