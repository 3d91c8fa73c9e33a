/*
 * shop.h - a store in a folder of its own, for tests: it waits for what was queued and counts.
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_SHOP_H
#define TEST_SHOP_H

#include "support/check.h"

#include <dirent.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/store/store.h"
#include "support/cluster.h"
#include "support/database.h"

enum { SHOP_PATH = 128, SHOP_ENDS = 4096 };

struct shop {
	char folder[64];
	char place[256]; /* "": a file in the folder */
	struct store *store;
	bool manual;	    /* the store has no threads: shop_wait does their work */
	size_t check_bytes; /* as in struct store_setup */
	size_t rows_bytes;  /* likewise */
	const char *node;   /* likewise */
	void (*heard)(void *shop, const char *from, const char *text, size_t size);
	sem_t news;
	int queued, ended;  /* units */
	bool ok[SHOP_ENDS]; /* of the ended ones, in order */
	bool failed[SHOP_ENDS]; /* likewise, for those that are not ok: store_unit_failed */
	struct store_marks marks;
};

static inline void shop_wake(void *ctx)
{
	sem_post(&((struct shop *)ctx)->news);
}

static inline enum qv_status shop_try(struct shop *shop, size_t queue_bytes, struct qv_error *error)
{
	const struct store_setup setup = { .place = shop->place,
					   .folder = shop->folder,
					   .wake = shop_wake,
					   .ctx = shop,
					   .queue_bytes = queue_bytes,
					   .check_bytes = shop->check_bytes,
					   .rows_bytes = shop->rows_bytes,
					   .manual = shop->manual,
					   .node = shop->node,
					   .address = "host:1",
					   .heard = shop->heard,
					   .marks = shop->marks };
	return store_open(&setup, &shop->store, error);
}

static inline void shop_open(struct shop *shop)
{
	struct qv_error error = { "" };
	if (shop_try(shop, 0, &error) != QV_OK)
		fail_msg("%s", error.text);
}

static inline void shop_close(struct shop *shop)
{
	store_close(shop->store);
	shop->store = NULL;
}

static inline struct shop *shop_new(void)
{
	struct shop *shop = calloc(1, sizeof *shop);
	assert_non_null(shop);
	assert_int_equal(sem_init(&shop->news, 0, 0), 0);
	strcpy(shop->folder, "/tmp/quevedo-store-XXXXXX");
	assert_non_null(mkdtemp(shop->folder));
	return shop;
}

/* One in PostgreSQL, if that was started. */
static inline struct shop *shop_new_in(struct cluster *cluster)
{
	struct shop *shop = shop_new();
	if (*cluster->folder)
		cluster_new_place(cluster, shop->place);
	return shop;
}

/* Runs SQL past the store, in the shop's schema of PostgreSQL or in its file. */
static inline void shop_sql(const struct cluster *cluster, const struct shop *shop, const char *sql,
			    char out[64])
{
	char all[1024];
	const char *schema = strstr(shop->place, "%3D");
	if (!*shop->place) {
		database_sql(shop->folder, sql, out);
		return;
	}
	snprintf(all, sizeof all, "SET search_path = %s; %s", schema ? schema + 3 : "public", sql);
	cluster_sql(cluster, all, out);
}

/* The first number of a result. */
static inline int64_t shop_number(const struct cluster *cluster, const struct shop *shop,
				  const char *sql)
{
	char out[64] = "";
	shop_sql(cluster, shop, sql, out);
	return atoll(out);
}

static inline void shop_free(struct shop *shop)
{
	store_close(shop->store);
	DIR *dir = opendir(shop->folder);
	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		char path[SHOP_PATH + 256];
		snprintf(path, sizeof path, "%s/%s", shop->folder, entry->d_name);
		if (entry->d_name[0] != '.' && unlink(path) != 0)
			rmdir(path);
	}
	if (dir)
		closedir(dir);
	rmdir(shop->folder);
	sem_destroy(&shop->news);
	free(shop);
}

static inline const char *shop_path(const struct shop *shop, const char *name, char out[SHOP_PATH])
{
	snprintf(out, SHOP_PATH, "%s/%s", shop->folder, name);
	return out;
}

static inline void shop_done(void *ctx, bool ok)
{
	struct shop *shop = ctx;
	if (shop->ended < SHOP_ENDS) {
		shop->ok[shop->ended] = ok;
		shop->failed[shop->ended] = !ok && store_unit_failed(shop->store);
	}
	shop->ended++;
}

/* Ends the unit. */
static inline void shop_after(struct shop *shop)
{
	assert_int_equal(store_end_unit(shop->store, shop_done, shop), QV_OK);
	shop->queued++;
}

/* Waits until something can be delivered, and delivers it. */
static inline void shop_turn(struct shop *shop)
{
	if (shop->manual)
		assert_true(store_step(shop->store));
	else
		while (sem_wait(&shop->news) != 0)
			continue;
	store_deliver(shop->store);
}

static inline void shop_wait(struct shop *shop)
{
	while (shop->ended < shop->queued)
		shop_turn(shop);
}

/* Ends the unit, waits for all, and says how this one went. */
static inline bool shop_finish(struct shop *shop)
{
	shop_after(shop);
	shop_wait(shop);
	assert_in_range(shop->ended, 1, SHOP_ENDS);
	return shop->ok[shop->ended - 1];
}

static inline void shop_line(struct shop *shop, const char *play, int64_t number)
{
	char line[64];
	const int size = snprintf(line, sizeof line, "{\"line\":%lld}", (long long)number);
	store_add_event(shop->store, play, number, line, (size_t)size);
}

/* A play of the user "ann" (who is made too) with no lines; not yet ended as a unit. */
static inline void shop_play(struct shop *shop, const char *id)
{
	struct store_play play = {
		.game = "connect4", .owner = "ann", .created = 5, .updated = 5, .going = true
	};
	snprintf(play.id, sizeof play.id, "%.20s", id);
	store_put_user(shop->store, "ann", "Ann", 1);
	store_add_play(shop->store, &play);
}

/* How many lines the play has; -1: there is no such play. They must be numbered without gaps. */
struct shop_count {
	int64_t lines;
};

static inline bool shop_count_line(void *ctx, int64_t number, const char *line, size_t size)
{
	struct shop_count *count = ctx;
	char expected[64];
	const int length =
		snprintf(expected, sizeof expected, "{\"line\":%lld}", (long long)count->lines);
	assert_int_equal(number, count->lines);
	assert_int_equal(size, length);
	assert_string_equal(line, expected);
	count->lines++;
	return true;
}

static inline int64_t shop_lines(struct shop *shop, const char *id)
{
	struct shop_count count = { 0 };
	struct store_play play;
	struct qv_error error = { "" };
	const enum qv_status status =
		store_load_play(shop->store, id, &play, shop_count_line, &count, &error);
	if (status == QV_UNKNOWN)
		return -1;
	if (status != QV_OK)
		fail_msg("%s", error.text);
	assert_int_equal(play.lines, count.lines);
	return count.lines;
}

/* The shop, opened, with the game "p1" in it. */
static inline struct shop *shop_with_play(struct shop *shop)
{
	shop_open(shop);
	shop_play(shop, "p1");
	assert_true(shop_finish(shop));
	return shop;
}

#endif
