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
	LOAD_LINES = 2000,         /* of games that are loaded at once for one request */
};

/* Games of a list of the store: collected first, loaded afterwards. */
struct list {
	struct api *api;
	int64_t since;
	bool going_only;
	struct found {
		char id[STORE_ID];
		int64_t lines;
	} found[LOBBY_MOST];
	int count;
};

static bool take_id(void *ctx, const struct store_play *play, const char *header, size_t size)
{
	struct list *l = ctx;
	(void)header;
	(void)size;
	if (play->updated < l->since)
		return false;                      /* the latest come first */
	if (l->going_only && !play->going)
		return true;
	struct found *found = &l->found[l->count++];
	memcpy(found->id, play->id, STORE_ID);
	found->lines = play->lines;
	return l->count < LOBBY_MOST;
}

static json_t *entry_json(const struct room *room)
{
	return game_lobby_json(room->play, room->stream_count);
}

/* The room, loaded now if it is short enough; NULL: it will be loaded later, or cannot be. */
static struct room *get_room(struct api *api, const struct found *found, int64_t *lines_left)
{
	int status;
	if (!room_at(api, found->id)) {
		if (found->lines > LONG_LINES || found->lines > *lines_left) {
			if (found->lines > LONG_LINES)
				room_load_later(api, found->id);
			else
				api->lobby_changed = true;
			return NULL;
		}
		*lines_left -= found->lines;
	}
	return room_find(api, found->id, &status);
}

static json_t *entries(const struct list *l, bool open_only)
{
	json_t *list = json_array();
	int64_t lines_left = LOAD_LINES;
	for (int i = 0; i < l->count; i++) {
		const struct room *room = get_room(l->api, &l->found[i], &lines_left);
		if (room && room->stored && !hosted_over(room->play) &&
		    (!open_only || hosted_has_open_seat(room->play)))
			json_array_append_new(list, entry_json(room));
	}
	return list;
}

static json_t *open_plays(struct api *api)
{
	struct list l = { .api = api, .since = api_seconds(api) - DAY_S };
	store_list_plays(api->store, STORE_LOBBY, NULL, LOBBY_MOST, take_id, &l, NULL);
	return entries(&l, true);
}

json_t *user_plays(struct api *api, const char *user)
{
	struct list l = { .api = api, .going_only = true };
	store_list_plays(api->store, STORE_OF_USER, user, 1000, take_id, &l, NULL);
	return entries(&l, false);
}

static json_t *going_plays(struct api *api)
{
	json_t *list = json_array();
	const struct room *room;
	for (size_t at = 0; (room = map_next(&api->rooms, &at));)
		if (json_array_size(list) < LOBBY_MOST && room->stored && !room->broken &&
		    (room->streams || room->shown) && !hosted_private(room->play) &&
		    !hosted_over(room->play) && !hosted_has_open_seat(room->play))
			json_array_append_new(list, entry_json(room));
	return list;
}

static json_t *lobby_json(struct api *api)
{
	json_t *open = open_plays(api);
	return json_pack("{s:s, s:o, s:o}", "type", "lobby", "open", open, "going",
			 going_plays(api));
}

void get_lobby(struct api *api, const struct api_request *r, const struct path_words *w)
{
	(void)w;
	reply(api, r->call, 200, lobby_json(api));
}

static void send_message(struct api *api, uint64_t call, const char *text)
{
	const struct outgoing out = { .call = call, .status = 200, .stream = true };
	reply_text(api, &out, text);
}

void get_lobby_events(struct api *api, const struct api_request *r, const struct path_words *w)
{
	(void)w;
	if (!call_may_stream(api, r))
		return;
	char *text = json_to_text(lobby_json(api), RESPONSE_JSON);
	if (!text)
		reply_error(api, r->call, 503, "server: out of memory");
	else if (call_new(api, r->call, r->visitor->user, CALL_LOBBY))
		send_message(api, r->call, text);
	free(text);
}

/* Sends the lobby to all followers unless it is what they have. */
static void send_to_followers(struct api *api)
{
	char *text = json_to_text(lobby_json(api), RESPONSE_JSON);
	if (!text || (api->lobby_sent && strcmp(text, api->lobby_sent) == 0)) {
		free(text);
		return;
	}
	free(api->lobby_sent);
	api->lobby_sent = text;
	const struct call *c;
	for (size_t at = 0; (c = map_next(&api->calls, &at));)
		if (c->kind == CALL_LOBBY)
			send_message(api, c->number, text);
}

static bool is_followed(const struct api *api)
{
	const struct call *c;
	size_t at = 0;
	while ((c = map_next(&api->calls, &at)) && c->kind != CALL_LOBBY)
		;
	return c;
}

int64_t lobby_turn(struct api *api)
{
	const int64_t now = api_now(api);
	if (!api->lobby_changed)
		return -1;
	if (now < api->lobby_ms + EVERY_MS)
		return api->lobby_ms + EVERY_MS;
	api->lobby_changed = false;
	api->lobby_ms = now;
	if (is_followed(api))
		send_to_followers(api);
	return -1;
}
