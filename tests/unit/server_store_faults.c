/*
 * server_store_faults.c - the store on a disk that fails at every possible operation: afterwards it
 * holds every unit that was acknowledged, each of them whole, and nothing else but the units that
 * were on their way.
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "server/store/store.h"
#include "sim/vfs.h"
#include "support/api_desk.h"
#include "support/scale.h"

#define READ_WRITE (SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)

enum { UNITS = 14, REOPEN_AFTER = 9, BATCH = 3, LINES_A_UNIT = 3, LONG_LINE = 9000 };

/* One run of the script, and what it was told. */
struct run {
	struct disk *disk;
	char folder[32];
	struct store *store;
	struct qv_error error; /* why it could not be opened */
	int acknowledged[UNITS]; /* the numbers of the units, in order */
	int count;
	int tried;		/* units so far */
	bool answers[BATCH];
	int answer_count;
};

static void on_done(void *ctx, bool ok)
{
	struct run *r = ctx;
	r->answers[r->answer_count++] = ok;
}

static bool run_open(struct run *r)
{
	const struct store_setup setup = { .folder = r->folder, .manual = true, .vfs = "sim" };
	return store_open(&setup, &r->store, &r->error) == QV_OK;
}

static void run_close(struct run *r)
{
	store_close(r->store);
	r->store = NULL;
}

/* The j-th line of a unit; some units are longer than a page. */
static void unit_line(int unit, int j, char out[LONG_LINE + 1])
{
	const int size = unit % 5 == 4 ? LONG_LINE : 20 + unit;
	snprintf(out, LONG_LINE + 1, "{\"unit\":%d,\"line\":%d,\"text\":\"%0*d\"}", unit, j,
		 size - 40 > 1 ? size - 40 : 1, unit);
}

/* Queues a unit whose first line has this number. */
static bool queue_unit(struct run *r, int unit, int64_t first)
{
	char user[16], name[32], line[LONG_LINE + 1];
	struct store_play play = { .id = "play", .game = "noughts", .owner = "owner", .going = true };
	snprintf(user, sizeof user, "u%d", unit);
	snprintf(name, sizeof name, "name %d", unit);
	store_put_user(r->store, user, name, 1);
	if (first == 0) {
		store_put_user(r->store, "owner", "owner", 1);
		store_add_play(r->store, &play);
	}
	for (int j = 0; j < LINES_A_UNIT; j++) {
		unit_line(unit, j, line);
		store_add_event(r->store, "play", first + j, line, strlen(line));
	}
	store_put_seat(r->store, user, "play");
	store_set_play(r->store, "play", 0, true, 0, unit);
	return store_end_unit(r->store, on_done, r) == QV_OK;
}

/* Queues a batch of units and commits it. */
static void run_batch(struct run *r, int size)
{
	const int first = r->tried;
	int queued = 0;
	r->answer_count = 0;
	for (; queued < size && r->tried < UNITS; queued++, r->tried++)
		assert_true(queue_unit(r, r->tried, (int64_t)(r->count + queued) * LINES_A_UNIT));
	while (store_step(r->store))
		;
	store_deliver(r->store);
	assert_int_equal(r->answer_count, queued);
	/* What the process is told after it was killed it cannot tell anybody. */
	for (int i = 0; i < queued && !disk_stopped(r->disk); i++)
		if (r->answers[i])
			r->acknowledged[r->count++] = first + i;
}

/* Returns false if the store cannot be opened. */
static bool run_script(struct run *r)
{
	if (!run_open(r))
		return false;
	while (r->tried < UNITS) {
		run_batch(r, 1 + r->tried % BATCH);
		if (r->tried < REOPEN_AFTER || r->tried - BATCH >= REOPEN_AFTER ||
		    disk_stopped(r->disk))
			continue;
		run_close(r);
		if (!run_open(r))
			return false;
	}
	run_close(r);
	return true;
}

/* ---- Checking ---- */

struct found {
	int units[2 * UNITS], count, lines;
	bool good;
};

static bool take_line(void *ctx, int64_t number, const char *line, size_t size)
{
	struct found *f = ctx;
	char wanted[LONG_LINE + 1];
	int unit = -1;
	sscanf(line, "{\"unit\":%d", &unit);
	unit_line(unit, f->lines % LINES_A_UNIT, wanted);
	f->good &= number == f->lines && size == strlen(wanted) && strcmp(line, wanted) == 0;
	if (f->lines++ % LINES_A_UNIT == 0)
		f->units[f->count++] = unit;
	f->good &= f->units[f->count - 1] == unit;
	return f->good;
}

/* Every acknowledged unit in order; after them, at most units that were not answered. */
static void check_found(struct run *r, int surely)
{
	struct found f = { .good = true };
	struct store_play play;
	struct store_user user;
	struct qv_error error = { "" };
	const enum qv_status status =
		store_load_play(r->store, "play", &play, take_line, &f, &error);
	assert_true(status == QV_OK || (status == QV_UNKNOWN && surely == 0));
	assert_true(f.good && f.lines % LINES_A_UNIT == 0);
	assert_true(f.count >= surely);
	assert_memory_equal(f.units, r->acknowledged, (size_t)surely * sizeof *f.units);
	for (int i = 0; i + 1 < f.count; i++)
		assert_true(f.units[i] < f.units[i + 1]);
	if (f.count)
		assert_int_equal(play.updated, f.units[f.count - 1]);
	/* The other rows of a unit are there with its lines, or not at all. */
	for (int unit = 0, i = 0; unit < UNITS; unit++) {
		char id[16];
		const bool there = i < f.count && f.units[i] == unit;
		i += there;
		snprintf(id, sizeof id, "u%d", unit);
		assert_int_equal(store_user_by_id(r->store, id, &user, &error),
				 there ? QV_OK : QV_UNKNOWN);
	}
}


/* ---- Runs ---- */

enum fault { FAIL_ONCE, FAIL_LASTING, FULL, KILL, POWER, FAULTS };

static void plan(struct disk *d, enum fault fault, uint64_t n)
{
	if (fault == FAIL_ONCE || fault == FAIL_LASTING)
		disk_fail(d, (1u << DISK_OPS) - 1, n, fault == FAIL_LASTING);
	else if (fault == FULL)
		disk_limit(d, disk_bytes(d) + 1 + n * 512);
	else
		disk_stop(d, n, fault == POWER);
}

/* The script with a fault at the n-th operation, then without faults again. */
static void run_with(struct disk *d, const char *folder, enum fault fault, uint64_t n)
{
	struct run r = { .disk = d };
	snprintf(r.folder, sizeof r.folder, "%s", folder);
	assert_true(disk_load(d));
	plan(d, fault, n);
	run_script(&r);
	const bool stopped = disk_stopped(d);
	if (r.store && !stopped)
		run_close(&r);
	if (stopped) {
		store_close(r.store);
		disk_restart(d);
	}
	disk_heal(d);
	r.store = NULL;
	if (!run_open(&r))
		fail_msg("fault %d at %d: %s", (int)fault, (int)n, r.error.text);
	check_found(&r, r.count);
	/* It goes on from there. */
	struct found f = { .good = true };
	struct qv_error error;
	store_load_play(r.store, "play", NULL, take_line, &f, &error);
	r.count = f.count;
	memcpy(r.acknowledged, f.units, sizeof r.acknowledged);
	r.tried = UNITS - 1;
	if (!f.count || f.units[f.count - 1] < UNITS - 1) {
		run_batch(&r, 1);
		assert_int_equal(r.count, f.count + 1);
	}
	check_found(&r, r.count);
	run_close(&r);
}

struct bench {
	struct disk *disk;
	char folder[32];
};

static int open_bench(void **state)
{
	static struct bench b = { .folder = "test-faults-XXXXXX" };
	b.disk = disk_new("sim", 1);
	*state = &b;
	return b.disk && mkdtemp(b.folder) ? 0 : 1;
}

static int close_bench(void **state)
{
	struct bench *b = *state;
	disk_free(b->disk);
	desk_remove(b->folder);
	return 0;
}

/* fresh: the store does not exist yet. */
static void walk(struct bench *b, bool fresh)
{
	struct disk *d = b->disk;
	struct run r = { .disk = d };
	disk_format(d, 1);
	snprintf(r.folder, sizeof r.folder, "%s", b->folder);
	if (!fresh) {
		assert_true(run_open(&r));
		run_close(&r);
	}
	assert_true(disk_save(d));
	const uint64_t before = disk_operations(d);
	assert_true(run_script(&r));
	assert_int_equal(r.count, UNITS);
	const uint64_t operations = disk_operations(d) - before;
	assert_true(run_open(&r));
	check_found(&r, UNITS);
	run_close(&r);
	assert_in_range(operations, 100, 5000);
	/* All operations in a soak, otherwise some of them. */
	const uint64_t wanted = (uint64_t)scaled(fresh ? 5 : 20), least = fresh ? 4 : 10;
	const uint64_t some = wanted > least ? wanted : least;
	const uint64_t stride = operations > some ? operations / some : 1;
	for (int fault = 0; fault < FAULTS; fault++)
		for (uint64_t n = (uint64_t)fault % stride; n < operations; n += stride)
			run_with(d, b->folder, (enum fault)fault, n);
	const struct disk_counts c = disk_counts(d);
	assert_true(c.failed[DISK_READ] > 0 && c.failed[DISK_WRITE] > 0 && c.failed[DISK_SYNC] > 0);
	assert_true(c.full > 0 && c.kills > 0 && c.cuts > 0 && c.lost > 0);
}

static void store_faults__survives_each_operation_that_fails(void **state)
{
	walk(*state, false);
}

static void store_faults__also_while_it_is_created(void **state)
{
	walk(*state, true);
}

/* How many lines are not what was stored, and the number of the last of them. */
struct damage {
	int count;
	int64_t number;
};

static bool find_damage(void *ctx, int64_t number, const char *line, size_t size)
{
	struct damage *damage = ctx;
	(void)size;
	damage->count += line[0] != '{';
	if (line[0] != '{')
		damage->number = number;
	return true;
}

/* The pages of the database are sound; only the text of a line has changed. */
static void store_faults__a_flipped_bit_is_noticed(void **state)
{
	struct bench *b = *state;
	struct run r = { .disk = b->disk };
	struct qv_error error;
	for (int unit = 0; unit < UNITS; unit++) {
		struct damage damage = { 0 };
		char text[32];
		disk_format(b->disk, 1);
		r.count = r.tried = 0;
		snprintf(r.folder, sizeof r.folder, "%s", b->folder);
		assert_true(run_script(&r));
		snprintf(text, sizeof text, "unit\":%d,\"line\":1,", unit);
		assert_true(disk_damage(b->disk, text));
		assert_true(run_open(&r));
		assert_int_equal(store_load_play(r.store, "play", NULL, find_damage, &damage, &error),
				 QV_OK);
		run_close(&r);
		assert_int_equal(damage.count, 1);
		assert_int_equal(damage.number, unit * LINES_A_UNIT + 1);
	}
}

/* The disk itself must be able to lose things: a file that is never synced does. */
static void store_faults__disk_loses_what_is_not_synced(void **state)
{
	struct bench *b = *state;
	struct disk *d = b->disk;
	int lost = 0;
	for (uint64_t seed = 0; seed < 40; seed++) {
		sqlite3 *db;
		disk_format(d, seed);
		assert_int_equal(sqlite3_open_v2("x/quevedo.db", &db,
						 READ_WRITE, "sim"), SQLITE_OK);
		assert_int_equal(sqlite3_exec(db, "PRAGMA synchronous=FULL; CREATE TABLE t (a);"
						  "PRAGMA synchronous=OFF", NULL, NULL, NULL),
				 SQLITE_OK);
		sqlite3_exec(db, "BEGIN", NULL, NULL, NULL);
		for (int i = 0; i < 100; i++)
			sqlite3_exec(db, "INSERT INTO t VALUES (zeroblob(500))", NULL, NULL, NULL);
		assert_int_equal(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
		disk_stop(d, 0, true);
		sqlite3_exec(db, "INSERT INTO t VALUES (1)", NULL, NULL, NULL);
		sqlite3_close(db);
		disk_restart(d);
		sqlite3_stmt *row = NULL;
		assert_int_equal(sqlite3_open_v2("x/quevedo.db", &db,
						 READ_WRITE, "sim"), SQLITE_OK);
		sqlite3_prepare_v2(db, "PRAGMA integrity_check", -1, &row, NULL);
		const bool sound = sqlite3_step(row) == SQLITE_ROW &&
				   strcmp((const char *)sqlite3_column_text(row, 0), "ok") == 0;
		sqlite3_finalize(row);
		sqlite3_prepare_v2(db, "SELECT count(*) FROM t", -1, &row, NULL);
		lost += !sound || sqlite3_step(row) != SQLITE_ROW ||
			sqlite3_column_int(row, 0) != 100;
		sqlite3_finalize(row);
		sqlite3_close(db);
	}
	assert_in_range(lost, 20, 40);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(store_faults__disk_loses_what_is_not_synced),
		cmocka_unit_test(store_faults__survives_each_operation_that_fails),
		cmocka_unit_test(store_faults__a_flipped_bit_is_noticed),
		cmocka_unit_test(store_faults__also_while_it_is_created),
	};
	return cmocka_run_group_tests(tests, open_bench, close_bench);
}
