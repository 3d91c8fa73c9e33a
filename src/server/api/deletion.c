/*
 * deletion.c - how an account is deleted.
 * SPDX-License-Identifier: MIT
 *
 * Account, address, sessions and tokens go at once, with the name. The rest is done in portions,
 * one game or some rows at a time, so that nobody waits for it: games that only this user had a
 * seat in are removed, and in the others the name is replaced, so that the opponent keeps them. How
 * far it has come is in the store, so that it goes on after a restart. It does not matter which
 * server does it, nor whether a portion is done twice.
 */
#include <stdlib.h>

#include "server/api/inside.h"

enum { ROWS_A_PORTION = 200, RETRY_MS = 10000 };

#define NOBODY STORE_NOBODY

/* ---- The route ---- */

/* POST /api/v1/account/delete */
void post_account_delete(struct api *api, const struct api_request *r)
{
	struct password p = { .text = "" };
	struct store_user row = { .login = "" };
	char cookie[SECRETS_COOKIE];
	static const struct refusal wrong = { 401, "password: wrong password" };
	if (!acts_as_user(api, r) || !may_set_cookie(api, r, "account") ||
	    !body_keys(api, r, "password") || !password_read(api, r, "password", false, p.text) ||
	    read_user(api, r, r->visitor->user, &row) == READ_LATER)
		return;
	snprintf(p.hash, sizeof p.hash, "%s", row.password_hash);
	if (!*row.login) {
		reply_error(api, r->call, 409, "account: you have none; log in first");
	} else if (password_is_right(api, r, &p, row.login, row.id, true, wrong.text)) {
		store_if_password(api->store, row.id, row.password_hash);
		store_delete_user(api->store, row.id, NOBODY, api_seconds(api));
		audit(api, r, row.id, "delete");
		notice_owner(api, &row, "it was deleted");
		json_t *guest = new_guest_json(api, cookie);
		reply_when_changed(api, r->call, 200, guest, cookie, &wrong);
	}
}

/* ---- Names in texts ---- */

/* A part of a deletion: one game, or rows of lists. */
struct portion {
	struct api *api;
	const char *user;
	char play[STORE_ID]; /* "": no game */
	json_t *names;	     /* those that the user had in this game: an object with them as keys */
};

/* Replaces the name wherever the JSON has the user's id beside it, and notes it. */
static bool replace_name(const struct portion *p, json_t *json)
{
	const char *user = json_string_value(json_object_get(json, "user"));
	const char *name = json_string_value(json_object_get(json, "name"));
	const char *key;
	json_t *value;
	size_t i;
	bool changed = false;
	if (user && name && strcmp(user, p->user) == 0 && strcmp(name, NOBODY) != 0) {
		json_object_set_new(p->names, name, json_true());
		json_object_set_new(json, "name", json_string(NOBODY));
		changed = true;
	}
	if (json_is_object(json))
		json_object_foreach(json, key, value) changed |= replace_name(p, value);
	else
		json_array_foreach(json, i, value) changed |= replace_name(p, value);
	return changed;
}

/*
 * Queues the lines without the name. Only those with the id are parsed: the seats of the header, and
 * who has sat down.
 */
static void change_lines(const struct portion *p, const struct store_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		int64_t number;
		size_t size;
		const char *line = store_row_line(rows, i, p->play, &number, &size);
		json_t *json = strstr(line, p->user) ? json_loadb(line, size, 0, NULL) : NULL;
		char *text =
			json && replace_name(p, json) ? json_dumps(json, GAME_JSON_FORM) : NULL;
		if (text)
			store_set_line(p->api->store, p->play, number, text);
		free(text);
		json_decref(json);
	}
}

/* In the entry of a list the seats have names, but no ids. Returns a text for free(). */
static char *entry_without(const struct portion *p, const char *entry)
{
	json_t *json = json_loads(entry, 0, NULL), *seat;
	size_t i;
	json_array_foreach(json_object_get(json, "seats"), i, seat)
	{
		const char *kind = json_string_value(json_object_get(seat, "kind"));
		const char *name = json_string_value(json_object_get(seat, "name"));
		if (kind && name && strcmp(kind, "person") == 0 &&
		    json_object_get(p->names, name)) {
			json_object_set_new(seat, "name", json_string(NOBODY));
			json_object_del(seat, "account");
		}
	}
	char *text = json ? json_dumps(json, GAME_JSON_FORM) : strdup("{}");
	json_decref(json);
	return text;
}

/* A line for each opponent. */
static char *opponents_without(const struct portion *p, const char *opponents)
{
	struct string out = { .allocator = &mem_malloc };
	for (const char *at = opponents; *at;) {
		const size_t length = strcspn(at, "\n");
		char *name = strndup(at, length);
		string_addf(&out, "%s\n", name && !json_object_get(p->names, name) ? name : NOBODY);
		free(name);
		at += length + (at[length] == '\n');
	}
	char *text = out.failed ? NULL : strdup(out.length ? out.data : "");
	string_release(&out);
	return text;
}

/* Queues the changes of the game in the lists of the others, and in the index of positions. */
static void change_lists(const struct portion *p, const struct store_rows *finished,
			 const struct store_rows *explored)
{
	struct store *store = p->api->store;
	for (size_t i = 0; i < finished->count; i++) {
		const char *user = store_rows_text(finished, i, 0);
		char *names = opponents_without(p, store_rows_text(finished, i, 1));
		char *entry = entry_without(p, store_rows_text(finished, i, 2));
		if (names && entry && strcmp(user, p->user) != 0)
			store_set_finished(store, user, p->play, names, entry);
		free(names);
		free(entry);
	}
	char *entry = explored->count ? entry_without(p, store_rows_text(explored, 0, 0)) : NULL;
	if (entry)
		store_set_explored(store, p->play, entry);
	free(entry);
	store_drop_finished(store, p->user, p->play);
}

/* ---- Portions ---- */

/* Called by the store. */
static void portion_stored(void *ctx, bool ok)
{
	struct portion *p = ctx;
	struct api *api = p->api;
	/* Whoever has loaded the game meanwhile has the old names. */
	room_unload(api, p->play);
	if (ok && *p->play)
		cluster_unload(api, p->play, true);
	api->deleting = api->deleting_portion = false;
	api->deletion_ms = ok ? 0 : api_now(api) + RETRY_MS;
	if (!api->closing)
		api->setup.host.wake(api->setup.host.ctx);
	free(p);
}

/* Ends the unit of a portion. */
static void end_portion(const struct portion *p)
{
	struct api *api = p->api;
	struct portion *copy = malloc(sizeof *copy);
	if (copy)
		*copy = (struct portion){ .api = api };
	if (copy)
		memcpy(copy->play, p->play, sizeof copy->play);
	api->deleting_portion =
		store_end_unit(api->store, copy ? portion_stored : NULL, copy) == QV_OK && copy;
	if (!api->deleting_portion)
		free(copy);
}

/* A game. False: READ_LATER. */
static bool delete_game(struct portion *p, const struct api_request *r, bool shared)
{
	struct api *api = p->api;
	const struct store_value id = value_text(p->play);
	if (!shared) {
		store_drop_play(api->store, p->play, INT64_MAX);
	} else {
		const struct store_rows *lines = read_rows(api, r, ASK_LOAD, &id, 1, NULL);
		const struct store_rows *finished =
			read_rows(api, r, ASK_FINISHED_OF, &id, 1, NULL);
		const struct store_rows *explored =
			read_rows(api, r, ASK_EXPLORED_OF, &id, 1, NULL);
		if (!lines || !finished || !explored)
			return false;
		p->names = json_object();
		change_lines(p, lines->next);
		change_lists(p, finished, explored);
		json_decref(p->names);
	}
	room_unload(api, p->play);
	cluster_unload(api, p->play, false);
	store_deletion_at(api->store, p->user, p->play);
	return true;
}

/* No game is left: the rows of the lists, and then the end. False: READ_LATER. */
static bool delete_rest(struct portion *p, const struct api_request *r)
{
	const struct store_value values[] = { value_text(p->user), value_number(1) };
	const struct store_rows *studies = read_rows(p->api, r, ASK_STUDIES, values, 2, NULL);
	const struct store_rows *attempts = read_rows(p->api, r, ASK_ATTEMPTS, values, 1, NULL);
	if (!studies || !attempts)
		return false;
	if (studies->count || attempts->count)
		store_drop_lists(p->api->store, p->user, ROWS_A_PORTION);
	else
		store_drop_deletion(p->api->store, p->user);
	return true;
}

/* From inside: the next portion of a deletion. */
static void delete_portion(struct api *api, const struct api_request *r)
{
	const struct store_rows *rows = read_rows(api, r, ASK_DELETION, NULL, 0, NULL);
	struct portion p = { .api = api };
	if (!rows)
		return;
	api->deletions_due = rows->count > 0;
	if (!rows->count)
		return;
	p.user = store_rows_text(rows, 0, 0);
	const struct store_value values[] = { value_text(p.user),
					      value_text(store_rows_text(rows, 0, 1)) };
	rows = read_rows(api, r, ASK_NEXT_PLAY, values, 2, NULL);
	if (!rows)
		return;
	snprintf(p.play, sizeof p.play, "%s", store_rows_text(rows, 0, 0));
	if (rows->count ? delete_game(&p, r, store_rows_number(rows, 0, 1) > 0)
			: delete_rest(&p, r))
		end_portion(&p);
}

/* The portion was queued, or could not be read. */
static void portion_ran(void *ctx)
{
	struct api *api = ctx;
	if (!api->deleting_portion) /* otherwise portion_stored follows */
		api->deleting = false;
	api->deletion_ms = api->deletions_due && !api->deleting ? api_now(api) + RETRY_MS : 0;
}

/* One portion at a time. */
int64_t deletions_turn(struct api *api)
{
	if (!api->deletions_due || api->deleting || api->closing)
		return -1;
	if (api_now(api) < api->deletion_ms)
		return api->deletion_ms;
	api->deleting = true;
	request_inside(api, delete_portion, api, portion_ran, "", "", "deletion");
	return -1;
}
