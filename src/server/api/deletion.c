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

#define NOBODY "Deleted user"

/* ---- The route ---- */

static void deletion_checked(struct api *api, struct call *call, const char *text)
{
	const struct password *p = call->job_arg;
	const uint64_t number = call->number;
	char user[SECRETS_ID], cookie[SECRETS_COOKIE];
	call_free(api, call);
	if (!text) {
		reply_error(api, number, 401, "password: wrong password");
		return;
	}
	store_delete_user(api->store, p->user, NOBODY, api_seconds(api));
	secrets_user_id(user);
	secrets_cookie(&api->secrets, user, "", cookie);
	reply_when_changed(api, number, 200, me_json(api, user), cookie);
}

/* POST /api/v1/account/delete */
void post_account_delete(struct api *api, const struct api_request *r)
{
	struct store_user row;
	const char *password;
	if (!acts_as_user(api, r) || !may_set_cookie(api, r, "account") ||
	    !api_limit(api, r, "login", 5, 5) || !body_keys(api, r, "password") ||
	    !body_text(api, r, "password", &password))
		return;
	if (store_user_by_id(api->store, r->visitor->user, &row, NULL) != QV_OK || !*row.login) {
		reply_error(api, r->call, 409, "account: you have none; log in first");
		return;
	}
	struct password *p = password_new(api, r);
	if (!p)
		return;
	if (!password || !*password || strlen(password) >= sizeof p->text) {
		reply_error(api, r->call, 400, "password: missing");
		password_free(p);
		return;
	}
	snprintf(p->hash, sizeof p->hash, "%s", row.password_hash);
	snprintf(p->text, sizeof p->text, "%s", password);
	password_submit(api, r, p, deletion_checked);
}

/* ---- Names in texts ---- */

struct portion {
	struct api *api;
	char user[STORE_ID], play[STORE_ID]; /* play "": no game, but rows of lists */
	json_t *names;	/* those that the user had in this game: an object with them as keys */
	json_t *writes; /* [[number, line]], [[user, opponents, entry]], [entry] */
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

/* Only lines with the id are parsed: the seats of the header, and who has sat down. */
static bool take_line(void *ctx, int64_t number, const char *line, size_t size)
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

static void take_finished(void *ctx, const char *user, const char *opponents, const char *entry)
{
	struct portion *p = ctx;
	char *names = opponents_without(p, opponents), *text = entry_without(p, entry);
	if (names && text && strcmp(user, p->user) != 0)
		json_array_append_new(p->writes, json_pack("[sss]", user, names, text));
	free(names);
	free(text);
}

static void take_explored(void *ctx, const char *entry, size_t size)
{
	struct portion *p = ctx;
	char *text = entry_without(p, entry);
	(void)size;
	if (text)
		json_array_append_new(p->writes, json_pack("[s]", text));
	free(text);
}

/* ---- Portions ---- */

/* Whoever has loaded the game meanwhile has the old names: the next request loads it again. */
static void forget_room(struct api *api, const char *play)
{
	struct room *room = *play ? room_at(api, play) : NULL;
	if (room)
		room_break(api, room);
}

static void portion_free(struct portion *p)
{
	json_decref(p->names);
	json_decref(p->writes);
	free(p);
}

/* Called by the store. */
static void portion_stored(void *ctx, bool ok)
{
	struct portion *p = ctx;
	struct api *api = p->api;
	forget_room(api, p->play);
	api->deleting = false;
	api->deletion_ms = ok ? 0 : api_now(api) + RETRY_MS;
	if (!api->closing)
		api->setup.host.wake(api->setup.host.ctx);
	portion_free(p);
}

/* Queues what was read. All reads come before. */
static void write_portion(struct portion *p, bool shared)
{
	struct store *store = p->api->store;
	json_t *item;
	size_t i;
	if (!shared) {
		store_drop_play(store, p->play);
		store_deletion_at(store, p->user, p->play);
		return;
	}
	json_array_foreach(p->writes, i, item)
	{
		const json_t *first = json_array_get(item, 0), *second = json_array_get(item, 1);
		if (json_is_integer(first))
			store_set_line(store, p->play, json_integer_value(first),
				       json_string_value(second));
		else if (second)
			store_set_finished(store, json_string_value(first), p->play,
					   json_string_value(second),
					   json_string_value(json_array_get(item, 2)));
		else
			store_set_explored(store, p->play, json_string_value(first));
	}
	store_drop_finished(store, p->user, p->play);
	store_deletion_at(store, p->user, p->play);
}

static void count_entry(void *ctx, const char *entry, size_t size)
{
	(void)entry, (void)size;
	++*(int *)ctx;
}

static void count_study(void *ctx, const struct store_study *study, const char *body)
{
	(void)study, (void)body;
	++*(int *)ctx;
}

/* No game is left: the rows of the lists, and then the end. */
static void write_rest(struct portion *p)
{
	struct store *store = p->api->store;
	int rows = 0;
	p->play[0] = '\0';
	store_list_studies(store, p->user, 1, count_study, &rows, NULL);
	store_list_attempts(store, p->user, count_entry, &rows, NULL);
	if (rows)
		store_drop_lists(store, p->user, ROWS_A_PORTION);
	else
		store_drop_deletion(store, p->user);
}

/* Reads the next portion, and queues it. False: it cannot be read. */
static bool take_portion(struct portion *p)
{
	struct store *store = p->api->store;
	bool shared = false;
	const enum qv_status status =
		store_next_play(store, p->user, p->play, p->play, &shared, NULL);
	if (status == QV_UNKNOWN) {
		write_rest(p);
		return true;
	}
	if (status != QV_OK)
		return false;
	if (shared && (store_load_play(store, p->play, NULL, take_line, p, NULL) != QV_OK ||
		       store_list_finished_of(store, p->play, take_finished, p, NULL) != QV_OK ||
		       store_find_explored(store, p->play, take_explored, p, NULL) != QV_OK))
		return false;
	forget_room(p->api, p->play);
	write_portion(p, shared);
	return true;
}

/* One portion at a time. */
int64_t deletions_turn(struct api *api)
{
	const int64_t now = api_now(api);
	if (!api->deletions_due || api->deleting || api->closing)
		return -1;
	if (now < api->deletion_ms)
		return api->deletion_ms;
	struct portion *p = calloc(1, sizeof *p);
	const enum qv_status found =
		p ? store_find_deletion(api->store, p->user, p->play, NULL) : QV_NO_MEMORY;
	if (found == QV_UNKNOWN)
		api->deletions_due = false;
	bool good = found == QV_OK;
	if (good) {
		p->api = api;
		p->names = json_object();
		p->writes = json_array();
		api->deleting = good =
			take_portion(p) && store_end_unit(api->store, portion_stored, p) == QV_OK;
	}
	if (good)
		return -1;
	if (p)
		portion_free(p);
	api->deletion_ms = now + RETRY_MS;
	return api->deletions_due ? api->deletion_ms : -1;
}
