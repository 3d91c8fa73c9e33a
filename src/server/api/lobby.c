/*
 * lobby.c - the lobby: games that wait for a player, and games to watch.
 * SPDX-License-Identifier: MIT
 *
 * Games with an open seat come from the store, from the last day. Games to watch are those in
 * memory that somebody follows. Followers of the lobby get the whole lobby when it has changed, at
 * most once a second.
 */
#include <stdlib.h>

#include "server/api/inside.h"

enum {
	EVERY_MS = 1000,
	DAY_S = 86400,
	LOAD_LINES = 2000, /* of games that are loaded at once for one request */
};

/* Games of a list of the store: collected first, loaded afterwards. */
struct list {
	struct api *api;
	int64_t since;
	bool going_only;
	struct found {
		char id[STORE_ID];
		int64_t lines, updated;
	} found[LOBBY_MOST];
	int count;
};

/* Only collects ids; the rooms are loaded once the list is complete. */
static bool take_id(void *ctx, const struct store_play *play, const char *header, size_t size)
{
	struct list *l = ctx;
	(void)header;
	(void)size;
	if (play->updated < l->since)
		return false; /* the latest come first */
	if (l->going_only && !play->going)
		return true;
	struct found *found = &l->found[l->count++];
	memcpy(found->id, play->id, STORE_ID);
	found->lines = play->lines;
	found->updated = play->updated;
	return l->count < LOBBY_MOST;
}

/* Of a game in the lists of this user; NULL: in the lobby, which is the same for everybody. */
static json_t *entry_json(struct api *api, const struct room *room, const char *user)
{
	const int watchers = room_watchers(room, user ? user : "");
	json_t *entry = game_lobby_json(room->play, watchers);
	return user ? game_add_mine(room->play, user, api_now(api), entry) : entry;
}

/*
 * The entries of the games that are loaded, or are short enough to be loaded now. user: as above;
 * NULL: only games with an open seat.
 */
static json_t *entries(const struct list *l, const char *user)
{
	struct api *api = l->api;
	json_t *list = json_array();
	int64_t lines_left = LOAD_LINES;
	for (int i = 0; i < l->count; i++) {
		const struct found *found = &l->found[i];
		int status;
		if (!room_at(api, found->id)) {
			if (found->lines > LONG_LINES) {
				room_load_later(api, found->id);
				continue;
			}
			if (found->lines > lines_left) {
				api->lobby_changed = true; /* it will be loaded in the next turn */
				continue;
			}
			lines_left -= found->lines;
		}
		const struct room *room = room_find(api, found->id, &status);
		if (room && room->stored && !hosted_over(room->play) &&
		    (user || hosted_has_open_seat(room->play))) {
			json_t *entry = entry_json(api, room, user);
			if (user)
				entry = json_field(entry, "updated", json_integer(found->updated));
			json_array_append_new(list, entry);
		}
	}
	return list;
}

/* Finished games are skipped in take_id, since the user's list has both. */
json_t *user_plays(struct api *api, const char *user)
{
	struct list l = { .api = api, .going_only = true };
	store_list_plays(api->store, STORE_OF_USER, user, 1000, take_id, &l, NULL);
	return entries(&l, user);
}

/* Open games first, as loading them may change which games are in memory. */
static json_t *lobby_json(struct api *api)
{
	struct list l = { .api = api, .since = api_seconds(api) - DAY_S };
	json_t *going = json_array();
	const struct room *room;
	store_list_plays(api->store, STORE_LOBBY, NULL, LOBBY_MOST, take_id, &l, NULL);
	json_t *open = entries(&l, NULL);
	for (size_t at = 0; (room = map_next(&api->rooms, &at));)
		if (json_array_size(going) < LOBBY_MOST && room->stored && !room->broken &&
		    (room->streams || room->shown) && !hosted_private(room->play) &&
		    !hosted_over(room->play) && !hosted_has_open_seat(room->play))
			json_array_append_new(going, entry_json(api, room, NULL));
	return json_pack("{s:s, s:o, s:o}", "type", "lobby", "open", open, "going", going);
}

/* GET /api/v1/lobby */
void get_lobby(struct api *api, const struct api_request *r)
{
	reply(api, r->call, 200, lobby_json(api));
}

/* GET /api/v1/lobby/events: the lobby now, and again whenever it changes. */
void get_lobby_events(struct api *api, const struct api_request *r)
{
	if (!call_may_stream(api, r))
		return;
	char *text = json_to_text(lobby_json(api), RESPONSE_JSON);
	if (!text)
		reply_no_memory(api, r->call);
	else if (call_new(api, r->call, r->visitor->user, CALL_LOBBY))
		reply_message(api, r->call, text);
	free(text);
}

/* Loading games for the list may set lobby_changed again: then it is sent once more. */
int64_t lobby_turn(struct api *api)
{
	const int64_t now = api_now(api);
	const struct call *c;
	size_t at = 0;
	if (!api->lobby_changed)
		return -1;
	if (now < api->lobby_ms + EVERY_MS)
		return api->lobby_ms + EVERY_MS;
	api->lobby_changed = false;
	api->lobby_ms = now;
	while ((c = map_next(&api->calls, &at)) && c->kind != CALL_LOBBY)
		;
	/* The followers get the lobby unless it is what they have. */
	char *text = c ? json_to_text(lobby_json(api), RESPONSE_JSON) : NULL;
	if (!text || (api->lobby_sent && strcmp(text, api->lobby_sent) == 0)) {
		free(text);
		return -1;
	}
	free(api->lobby_sent);
	api->lobby_sent = text;
	for (at = 0; (c = map_next(&api->calls, &at));)
		if (c->kind == CALL_LOBBY)
			reply_message(api, c->number, text);
	return -1;
}
