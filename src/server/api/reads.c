/*
 * reads.c - what routes read from the store, and the caches that spare most of it.
 * SPDX-License-Identifier: MIT
 *
 * Names of users and bearer tokens are needed by nearly every request, so they are cached. An entry
 * is valid until it is changed here, or forgotten: there is no other time limit.
 */
#include "server/api/inside.h"

/* The row must be right: one that does not fit was not written by this program. */
static enum read_result bad_row(struct api *api, const struct api_request *r)
{
	reply_error(api, r->call, 503, "store: it cannot be read: a row is damaged");
	return READ_LATER;
}

/* ---- Users ---- */

static enum read_result user_by(struct api *api, const struct api_request *r,
				enum store_question question, struct store_value key,
				struct store_user *out, bool *fresh)
{
	const struct store_rows *rows = read_rows(api, r, question, &key, 1, fresh);
	if (!rows)
		return READ_LATER;
	if (!rows->count)
		return READ_NONE;
	return store_row_user(rows, 0, out) ? READ_FOUND : bad_row(api, r);
}

enum read_result read_user(struct api *api, const struct api_request *r, const char *id,
			   struct store_user *out)
{
	return user_by(api, r, ASK_USER_BY_ID, value_text(id), out, NULL);
}

enum read_result read_login(struct api *api, const struct api_request *r, const char *login,
			    struct store_user *out)
{
	return user_by(api, r, ASK_USER_BY_LOGIN, value_text(login), out, NULL);
}

enum read_result read_skeleton(struct api *api, const struct api_request *r, const char *skeleton,
			       struct store_user *out)
{
	return user_by(api, r, ASK_USER_BY_SKELETON, value_text(skeleton), out, NULL);
}

/* ---- Names ---- */

/* A direct-mapped cache: a name replaces another one of the same slot. */
static struct known_name *slot_of(struct api *api, const char *user)
{
	return &api->names[qv_hash_bytes(user, strlen(user)) % NAMES];
}

static bool is_cached(struct api *api, const char *user)
{
	return strcmp(slot_of(api, user)->user, user) == 0;
}

/* A guest's number follows from the id, so that it stays the same without being stored. */
void guest_name(const char *user, char out[STORE_NAME])
{
	snprintf(out, STORE_NAME, "Guest %d",
		 1000 + (int)(qv_hash_bytes(user, strlen(user)) % 9000));
}

/* A new guest is not in the store yet. */
static bool is_new(const struct api_request *r, const char *user)
{
	return r->visitor->fresh && strcmp(user, r->visitor->user) == 0;
}

enum read_result read_known(struct api *api, const struct api_request *r, const char *user,
			    struct known_name *out)
{
	struct store_user row;
	bool fresh = true;
	if (is_cached(api, user)) {
		*out = *slot_of(api, user);
		return READ_FOUND;
	}
	*out = (struct known_name){ .stored = false };
	snprintf(out->user, sizeof out->user, "%s", user);
	guest_name(user, out->name);
	if (!*user)
		return READ_FOUND;
	enum read_result result = READ_NONE;
	if (!is_new(r, user))
		result = user_by(api, r, ASK_USER_BY_ID, value_text(user), &row, &fresh);
	if (result == READ_LATER)
		return READ_LATER;
	if (result == READ_FOUND) {
		snprintf(out->name, sizeof out->name, "%s", row.name);
		out->stored = true;
		out->account = *row.login;
		out->epoch = row.epoch;
	}
	if (fresh)
		*slot_of(api, user) = *out;
	return READ_FOUND;
}

bool read_name(struct api *api, const struct api_request *r, const char *user,
	       char out[STORE_NAME])
{
	struct known_name known;
	if (read_known(api, r, user, &known) == READ_LATER)
		return false;
	snprintf(out, STORE_NAME, "%s", known.name);
	return true;
}

/* All are asked for at once. */
bool read_accounts(struct api *api, const struct api_request *r, const struct hosted_game *play)
{
	bool all = true;
	for (int s = 0; s < hosted_seat_count(play); s++) {
		const struct hosted_seat *seat = hosted_seat_at(play, s);
		struct known_name known;
		if (seat->kind == SEAT_PERSON)
			all &= read_known(api, r, seat->user, &known) != READ_LATER;
	}
	return all;
}

json_t *seats_add_accounts(struct api *api, const struct hosted_game *play, json_t *json)
{
	json_t *seats = json_object_get(json, "seats");
	for (int s = 0; s < hosted_seat_count(play); s++) {
		const struct hosted_seat *seat = hosted_seat_at(play, s);
		if (seat->kind == SEAT_PERSON && is_cached(api, seat->user) &&
		    slot_of(api, seat->user)->account)
			json_object_set_new(json_array_get(seats, (size_t)s), "account",
					    json_true());
	}
	return json;
}

void user_forget(struct api *api, const char *user)
{
	if (is_cached(api, user))
		*slot_of(api, user) = (struct known_name){ .user = "" };
	api->renames++;
}

/* Names that were cached before a failed write may be missing in the store. */
void users_forget(struct api *api)
{
	memset(api->names, 0, sizeof api->names);
	memset(api->issuers, 0, sizeof api->issuers);
	api->renames++;
}

/* Who is not cached is read again later; whoever changes a name has read it before. */
void user_put(struct api *api, const char *user, const char *name)
{
	struct known_name *slot = slot_of(api, user);
	store_put_user(api->store, user, name, api_seconds(api));
	if (is_cached(api, user)) {
		snprintf(slot->name, sizeof slot->name, "%s", name);
		slot->stored = true;
	}
	api->renames++;
	api->renamed = true;
	cluster_forget(api, false);
}

/* Rows that refer to a user need that user's row first. The store keeps the name that it has. */
void user_ensure(struct api *api, const char *user)
{
	char name[STORE_NAME];
	struct known_name *slot = slot_of(api, user);
	const bool cached = is_cached(api, user);
	if (cached && slot->stored)
		return;
	guest_name(user, name);
	store_add_user(api->store, user, name, api_seconds(api));
	if (cached)
		slot->stored = true;
}

/* ---- Tokens ---- */

static struct known_token *token_slot(struct api *api, const uint8_t hash[STORE_TOKEN])
{
	return &api->tokens[(hash[0] | hash[1] << 8) % TOKENS];
}

/* Unknown tokens are not cached: they would drive out the others. */
enum read_result read_token(struct api *api, const struct api_request *r,
			    const uint8_t hash[STORE_TOKEN], struct known_token *out)
{
	const struct store_value key = value_bytes(hash, STORE_TOKEN);
	struct known_token *slot = token_slot(api, hash);
	struct store_token row;
	bool fresh = true;
	if (*slot->user && memcmp(slot->hash, hash, STORE_TOKEN) == 0 && !cluster_is_lost(api)) {
		*out = *slot;
		return READ_FOUND;
	}
	const struct store_rows *rows = read_rows(api, r, ASK_TOKEN, &key, 1, &fresh);
	if (!rows)
		return READ_LATER;
	if (!rows->count)
		return READ_NONE;
	if (!store_row_token(rows, 0, &row))
		return bad_row(api, r);
	*out = (struct known_token){ .day = row.used, .fresh = fresh };
	memcpy(out->hash, hash, STORE_TOKEN);
	snprintf(out->id, sizeof out->id, "%s", row.id);
	snprintf(out->user, sizeof out->user, "%s", row.user);
	if (fresh)
		*slot = *out;
	return READ_FOUND;
}

void tokens_forget(struct api *api, const char *user)
{
	for (int i = 0; i < TOKENS; i++)
		if (!user || strcmp(api->tokens[i].user, user) == 0)
			api->tokens[i] = (struct known_token){ .user = "" };
	api->renames++;
}

/* ---- Games ---- */

enum read_result read_play(struct api *api, const struct api_request *r, const char *id,
			   struct store_play *out)
{
	const struct store_value key = value_text(id);
	const struct store_rows *rows =
		secrets_is_id(id) ? read_rows(api, r, ASK_PLAY, &key, 1, NULL) : NULL;
	if (!secrets_is_id(id))
		return READ_NONE;
	if (!rows)
		return READ_LATER;
	if (!rows->count)
		return READ_NONE;
	return store_row_play(rows, 0, out) ? READ_FOUND : bad_row(api, r);
}

bool may_begin_game(struct api *api, const struct api_request *r, const char *user)
{
	const struct store_value key = value_text(user);
	if (is_new(r, user))
		return true;
	const struct store_rows *rows = read_rows(api, r, ASK_COUNT_GOING, &key, 1, NULL);
	const int going = rows ? (int)store_rows_number(rows, 0, 0) : 0;
	if (going >= GOING_MOST)
		reply_error(api, r->call, 429,
			    "games: you have %d games in progress; finish some first", going);
	return rows && going < GOING_MOST;
}

json_t *entries_json(const struct store_rows *rows)
{
	json_t *list = json_array();
	for (size_t i = 0; i < rows->count; i++) {
		size_t size;
		const char *entry = store_row_entry(rows, i, &size);
		list = json_item(list, json_loadb(entry, size, 0, NULL));
	}
	return list;
}

/* ---- Studies ---- */

enum read_result read_study(struct api *api, const struct api_request *r, const char *id,
			    struct store_study *out, const char **body)
{
	const struct store_value key = value_text(id);
	if (!secrets_is_id(id))
		return READ_NONE;
	const struct store_rows *rows = read_rows(api, r, ASK_STUDY, &key, 1, NULL);
	if (!rows)
		return READ_LATER;
	if (!rows->count)
		return READ_NONE;
	return store_row_study(rows, 0, out, body) ? READ_FOUND : bad_row(api, r);
}
