/*
 * server_restore.c - restore, and the list of what a restore must not bring back.
 * SPDX-License-Identifier: MIT
 *
 * After a restore all sessions and one-time codes end, rolls to come get other secrets, and what was
 * deleted or changed for safety since the backup is deleted or changed again. The list of that is in
 * the database that is replaced, if it can still be read, and in a file that `server removals` has
 * printed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "cli/server.h"
#include "server/api/secrets.h"
#include "server/store/moderation.h"

enum { LIST_BYTES = 256 << 20, BATCH = 200, DICE_BYTES = 16, AHEAD_S = 3600 };

/* Removals in the order in which they are done again. */
struct list {
	struct store_removal *items;
	size_t count, room;
	bool failed; /* out of memory */
	struct store_suspension *suspended;
	size_t suspended_count, suspended_room;
};

static void add(void *ctx, const struct store_removal *removal)
{
	struct list *l = ctx;
	if (mem_reserve(&mem_malloc, &l->items, &l->room, l->count + 1, sizeof *l->items))
		l->items[l->count++] = *removal;
	else
		l->failed = true;
}

/* Adds the lines of a file; "" adds nothing. */
static enum qv_status read_list(struct cli *c, const char *path, struct list *out)
{
	struct file_bytes file;
	enum qv_status status = QV_OK;
	if (!path || !*path || (status = cli_read_text(c, path, LIST_BYTES, &file)) != QV_OK)
		return status;
	int number = 1;
	for (const char *at = file.data; status == QV_OK && *at; number++) {
		const size_t size = strcspn(at, "\n");
		struct store_removal removal;
		struct qv_error why;
		status = store_read_removal(at, size, &removal, &why);
		/* Else nobody could change that password any more. */
		if (status == QV_OK && removal.made > (int64_t)time(NULL) + AHEAD_S)
			status = qv_fail(&why, QV_BAD_INPUT, "made: is in the future");
		if (status == QV_OK)
			add(out, &removal);
		else
			qv_fail(&c->error, QV_BAD_INPUT, "%.100s: line %d: %.100s", path, number,
				why.text);
		at += size + (at[size] == '\n');
	}
	file_release(&mem_malloc, &file);
	return status == QV_OK && out->failed ? QV_NO_MEMORY : status;
}

/* Is there a database in the folder? Its path. */
static bool has_database(const char *folder, char path[FOLDER_PATH])
{
	struct qv_error ignored;
	return folder_path(folder, "quevedo.db", path, &ignored) == QV_OK &&
	       access(path, F_OK) == 0;
}

static enum qv_status read_suspensions(struct store *store, struct list *out, struct qv_error *error)
{
	struct store_rows *rows = NULL;
	const enum qv_status status = store_read_now(store, ASK_SUSPENSIONS, NULL, &rows, error);
	if (status != QV_OK)
		return status;
	out->failed |= !mem_reserve(&mem_malloc, &out->suspended, &out->suspended_room,
				    rows->count + 1, sizeof *out->suspended);
	while (!out->failed && store_row_suspension(rows, out->suspended_count,
						    &out->suspended[out->suspended_count]))
		out->suspended_count++;
	store_rows_free(rows);
	return QV_OK;
}

/* Adds those of the database that is replaced. */
static void read_old(const char *folder, struct list *out)
{
	const struct store_setup setup = { .folder = folder };
	struct store *store = NULL;
	struct qv_error error;
	char path[FOLDER_PATH];
	if (!has_database(folder, path))
		return;
	enum qv_status status = store_open_reader(&setup, &store, &error);
	if (status == QV_OK)
		status = store_list_removals(store, add, out, &error);
	if (status == QV_OK)
		status = read_suspensions(store, out, &error);
	store_close_reader(store);
	if (status != QV_OK)
		fprintf(stderr,
			"quevedo: %.200s cannot be read, so what was deleted since the backup may be "
			"back, and who was suspended since may not be\n",
			path);
}

/* The newest first: it counts as made now, so that an older one for the same changes nothing. */
static int compare_made(const void *a, const void *b)
{
	const struct store_removal *x = a, *y = b;
	return (x->made < y->made) - (x->made > y->made);
}

/* What follows a restore, in a store that nobody else uses. */
static enum qv_status settle(struct cli *c, struct store *store, const struct list *list)
{
	const int64_t now = (int64_t)time(NULL);
	unsigned char random[DICE_BYTES];
	char dice[2 * DICE_BYTES + 1];
	if (!secrets_ready())
		return qv_fail(&c->error, QV_IO, "the system provides no random numbers");
	secrets_random(random, sizeof random);
	for (int i = 0; i < DICE_BYTES; i++)
		snprintf(dice + 2 * i, 3, "%02x", random[i]);
	store_end_all(store, dice);
	server_note(store, "restore", "", "");
	/* Before the removals: an account that is deleted again takes its own with it. */
	for (size_t i = 0; i < list->suspended_count; i++)
		store_suspend(store, &list->suspended[i]);
	if (list->count)
		qsort(list->items, list->count, sizeof *list->items, compare_made);
	enum qv_status status = server_commit(c, store);
	for (size_t i = 0; status == QV_OK && i < list->count; i++) {
		status = store_redo(store, &list->items[i], now, &c->error);
		/* A game that is in the list twice is only found if the first time is written. */
		if (status == QV_OK && (i % BATCH == 0 || strcmp(list->items[i].what, "game") == 0))
			status = server_commit(c, store);
	}
	return status == QV_OK ? server_commit(c, store) : status;
}

/* ---- restore FILE ---- */

struct restoring {
	struct cli *c;
	const char *folder;
	bool untrusted;
	struct list list;
};

static enum qv_status settle_copy(void *ctx, const char *folder, struct qv_error *error)
{
	struct restoring *r = ctx;
	const struct store_setup setup = { .folder = folder };
	struct store *store = NULL;
	if (!r->untrusted)
		read_old(r->folder, &r->list);
	if (r->list.failed)
		return QV_NO_MEMORY;
	enum qv_status status = store_open(&setup, &store, &r->c->error);
	if (status == QV_OK)
		status = settle(r->c, store, &r->list);
	store_close(store);
	if (status != QV_OK)
		*error = r->c->error;
	return status;
}

struct restore_values {
	const char *removals;
	bool untrusted;
};

static const struct option restore_options[] = {
	COMMAND_OPTION(struct restore_values, "removals", OPTION_POINTER, removals, .value = "FILE",
		       .help = "also delete again what is listed there ('server removals')"),
	COMMAND_OPTION(struct restore_values, "untrusted", OPTION_FLAG, untrusted,
		       .help = "somebody may have written to the old database: take no list from it"),
	{ 0 },
};

static enum qv_status run_restore(struct cli *c)
{
	const struct restore_values *own = cli_own(c);
	char folder[FOLDER_PATH], kept[STORE_KEPT];
	const char *file = c->args.words[1];
	struct restoring r = { .c = c, .folder = folder, .untrusted = own->untrusted };
	if (!*file)
		return cli_refuse(c, "FILE: the name is empty");
	enum qv_status status = folder_find(c->args.data, NULL, folder, &c->error);
	if (status == QV_OK)
		status = read_list(c, own->removals, &r.list);
	if (status == QV_OK)
		status = store_restore(folder, file, settle_copy, &r, kept, &c->error);
	free(r.list.items);
	free(r.list.suspended);
	if (status != QV_OK)
		return status;
	server_hand_over(folder);
	if (c->args.json)
		return cli_json(c, json_fields(json_object(), "file", json_text(file), "data",
					       json_text(folder), "kept",
					       *kept ? json_text(kept) : json_null(), "removals",
					       json_integer((json_int_t)r.list.count), NULL));
	string_addf(&c->out,
		    "restored %s in %s\nended all sessions and codes; %zu removals are done again\n",
		    file, folder, r.list.count);
	if (*kept)
		string_addf(&c->out, "the old database is %s\n", kept);
	return QV_OK;
}

const struct command command_restore = {
	.name = "restore",
	.run = run_restore,
	.least = 1,
	.most = 1,
	.usage = "restore FILE",
	.help = "make a backup the database of a server",
	.more = "The server must not be running. FILE is checked first and stays; so does the old "
		"database, under another name in the same folder. All sessions and one-time codes "
		"end, and what the old database or --removals lists as deleted is deleted again. "
		"See docs/server.md.\n",
	.options = OPTION_GROUPS(restore_options, server_data_option, common_options),
};

/* ---- server restored, server removals ---- */

enum qv_status server_restored(struct cli *c, const char *place, const char *removals)
{
	char folder[FOLDER_PATH] = "", path[FOLDER_PATH];
	struct store *store = NULL;
	struct list list = { 0 };
	size_t alive = 0;
	const bool shared = place && *place;
	enum qv_status status = shared ? QV_OK : folder_find(c->args.data, NULL, folder, &c->error);
	const struct store_setup setup = { .folder = folder, .place = place, .shared = shared };
	if (status == QV_OK && !shared && !has_database(folder, path))
		status = qv_fail(&c->error, QV_IO, "%.160s: has no database", folder);
	if (status == QV_OK)
		status = read_list(c, removals, &list);
	if (status == QV_OK)
		status = store_open(&setup, &store, &c->error);
	if (status == QV_OK)
		status = store_count_nodes(store, &alive, &c->error);
	if (status == QV_OK && alive)
		status = qv_fail(&c->error, QV_IO, "database: is in use by a server");
	if (status == QV_OK)
		status = settle(c, store, &list);
	store_close(store);
	free(list.items);
	if (status != QV_OK)
		return status;
	if (c->args.json)
		return cli_json(c, json_fields(json_object(), "removals",
					       json_integer((json_int_t)list.count), NULL));
	string_addf(&c->out, "ended all sessions and codes; %zu removals are done again\n",
		    list.count);
	return QV_OK;
}

/* A line each, as a list of JSON objects, with --json or without. */
static void print_removal(void *ctx, const struct store_removal *r)
{
	struct cli *c = ctx;
	json_t *o = json_fields(json_object(), "made", json_integer(r->made), "what",
				json_text(r->what), "id", json_text(r->id), "value",
				json_text(r->value), NULL);
	char *line = o ? json_dumps(o, JSON_COMPACT) : NULL;
	string_addf(&c->out, "%s\n", line ? line : "");
	free(line);
	json_decref(o);
}

enum qv_status server_removals(struct cli *c)
{
	char folder[FOLDER_PATH];
	struct store *store = NULL;
	enum qv_status status = server_open(c, folder, &store);
	if (status == QV_OK)
		status = store_list_removals(store, print_removal, c, &c->error);
	store_close(store);
	return status;
}
