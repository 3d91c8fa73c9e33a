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
	LOAD_LINES = 2000, /* of games that are loaded at once for one request, */
	LOAD_WORK = 20000, /* ... and work that it leaves to workers, in lines */
	LIST_WAITS = 2,
};

/* Of a game in the lists of this user; NULL: in the lobby, which is the same for everybody. */
static json_t *entry_json(struct api *api, const struct room *room, const char *user)
{
	const int watchers = room_watchers(room, user ? user : "");
	json_t *entry = seats_add_accounts(api, room->play, game_lobby_json(room->play, watchers));
	if (room->damaged)
		entry = json_field(entry, "damaged", json_integer((json_int_t)room->damaged));
	return user ? game_add_mine(room->play, user, api_now(api), entry) : entry;
}

/* What one request may still load, in lines: in the loop, and by workers. */
struct load_budget {
	size_t loop, workers;
};

/* Is the game in memory? If not, it is loaded now or later. */
static const struct room *room_of_list(struct api *api, const struct api_request *r,
				       const struct store_play *play, struct load_budget *left)
{
	const struct room *room = room_in_memory(api, play->id);
	if (room || room_at(api, play->id))
		return room;
	const size_t lines = (size_t)play->lines, work = play_work(api, play, lines, lines);
	size_t *budget = needs_worker(lines, work) ? &left->workers : &left->loop;
	if (lines > LONG_LINES || work > LOAD_WORK) {
		room_load_later(api, play->id);
	} else if (work > *budget) {
		api->lobby_changed = true; /* it will be loaded in the next turn */
	} else {
		*budget -= work;
		if (!api->run->listed)
			request_wait_for(api, r, play->id);
	}
	return NULL;
}

/*
 * What the other nodes have of the list: an array of objects with "open" and perhaps "going". NULL:
 * they are being asked.
 */
static json_t *others_json(struct api *api, const struct api_request *r, const char *list,
			   const char *user)
{
	json_t *parts = json_array();
	const char *node, *text;
	bool here = true;
	for (int at = 0; (node = cluster_other(api, &at));) {
		if (!request_ask_node(api, r, node, list, user, &text))
			here = false;
		else if (*text)
			json_array_append_new(parts, json_loads(text, 0, NULL));
	}
	if (here)
		return parts;
	json_decref(parts);
	return NULL;
}

/* The entry of a game that another node has; NULL: it has none. */
static json_t *find_entry(const json_t *parts, const char *id)
{
	size_t i, j;
	json_t *part, *entry;
	json_array_foreach(parts, i, part)
		json_array_foreach(json_object_get(part, "open"), j, entry)
		{
			const char *of = json_string_value(json_object_get(entry, "id"));
			if (of && strcmp(of, id) == 0)
				return entry;
		}
	return NULL;
}

/*
 * The entries of the games in the list that are in memory. user: as above; NULL: only games with an
 * open seat. since: those that changed before are left out. parts: what other nodes have; NULL: only
 * those of this node are wanted.
 */
static json_t *entries(struct api *api, const struct api_request *r, const struct store_rows *rows,
		       const char *user, int64_t since, const json_t *parts)
{
	json_t *list = json_array();
	struct load_budget left = { LOAD_LINES, LOAD_WORK };
	struct store_play play;
	for (size_t i = 0; i < rows->count && i < LOBBY_MOST; i++) {
		if (!store_row_play(rows, i, &play) || play.updated < since)
			continue;
		if (cluster_is_other(api, play.node) ||
		    (!parts && strcmp(play.node, cluster_node(api)) != 0)) {
			json_t *entry = find_entry(parts, play.id);
			if (entry)
				json_array_append(list, entry);
			continue;
		}
		const struct room *room = room_of_list(api, r, &play, &left);
		if (room && api->run->listed < LIST_WAITS)
			read_accounts(api, r, room->play);
		if (room && room->stored && !hosted_over(room->play) &&
		    (user || (hosted_has_open_seat(room->play) && !room->damaged))) {
			json_t *entry = entry_json(api, room, user);
			if (user)
				entry = json_field(entry, "updated", json_integer(play.updated));
			json_array_append_new(list, entry);
		}
	}
	return list;
}

/*
 * Is the list complete? A request waits for short games of the list, and then for who plays them. If
 * that cannot be read, it has got its response.
 */
static bool list_is_here(struct api *api)
{
	const bool waits = api->run->listed++ < LIST_WAITS && request_waits(api);
	return !waits && !api->run->settled;
}

/* The user's games: all, or with own those of this node. NULL: READ_LATER. */
static json_t *plays_of(struct api *api, const struct api_request *r, const char *user, bool own)
{
	const struct store_value values[] = { value_number(LOBBY_MOST), value_text(user) };
	const struct store_rows *rows = read_rows(api, r, ASK_GOING_OF, values, 2, NULL);
	json_t *parts = own ? NULL : others_json(api, r, "/inside/plays", user);
	json_t *list = rows && (own || parts) ? entries(api, r, rows, user, 0, parts) : NULL;
	json_decref(parts);
	if (!list || list_is_here(api))
		return list;
	json_decref(list);
	return NULL;
}

json_t *user_plays(struct api *api, const struct api_request *r, const char *user)
{
	return plays_of(api, r, user, false);
}

/* Games to watch: those of this node that somebody follows, and those of other nodes. */
static json_t *going_json(struct api *api, const json_t *parts)
{
	const struct room *room;
	json_t *going = json_array(), *part;
	size_t i;
	for (size_t at = 0; (room = map_next(&api->rooms, &at));)
		if (json_array_size(going) < LOBBY_MOST && room->stored && !room->broken &&
		    (room->streams || room->shown) && !hosted_private(room->play) &&
		    !hosted_over(room->play) && !hosted_has_open_seat(room->play))
			json_array_append_new(going, entry_json(api, room, NULL));
	json_array_foreach(parts, i, part)
		json_array_extend(going, json_object_get(part, "going"));
	while (json_array_size(going) > LOBBY_MOST)
		json_array_remove(going, LOBBY_MOST);
	return going;
}

/* Open games first, as loading them may change which games are in memory. NULL: READ_LATER. */
static json_t *lobby_json(struct api *api, const struct api_request *r, bool own)
{
	const struct store_value most = value_number(LOBBY_MOST);
	const struct store_rows *rows = read_rows(api, r, ASK_LOBBY, &most, 1, NULL);
	const int64_t since = api_seconds(api) - DAY_S;
	json_t *parts = own ? NULL : others_json(api, r, "/inside/lobby", "");
	json_t *open = rows && (own || parts) ? entries(api, r, rows, NULL, since, parts) : NULL;
	json_t *lobby = NULL;
	if (open && list_is_here(api))
		lobby = json_pack("{s:s, s:O, s:o}", "type", "lobby", "open", open, "going",
				  going_json(api, parts));
	json_decref(open);
	json_decref(parts);
	return lobby;
}

/* For another node: what this one has. */
void get_own_lobby(struct api *api, const struct api_request *r)
{
	json_t *lobby = lobby_json(api, r, true);
	if (lobby)
		reply(api, r->call, 200, lobby);
}

void get_own_plays(struct api *api, const struct api_request *r)
{
	json_t *list = plays_of(api, r, r->visitor->user, true);
	if (list)
		reply(api, r->call, 200, json_pack("{s:o}", "open", list));
}

/* GET /api/v1/lobby */
void get_lobby(struct api *api, const struct api_request *r)
{
	json_t *lobby = lobby_json(api, r, false);
	if (lobby)
		reply(api, r->call, 200, lobby);
}

/* GET /api/v1/lobby/events: the lobby now, and again whenever it changes. */
void get_lobby_events(struct api *api, const struct api_request *r)
{
	json_t *lobby = call_may_stream(api, r) ? lobby_json(api, r, false) : NULL;
	if (!lobby)
		return;
	char *text = json_to_text(lobby, RESPONSE_JSON);
	if (!text)
		reply_no_memory(api, r->call);
	else if (call_stream(api, r, r->visitor->user, CALL_LOBBY))
		reply_message(api, r->call, text);
	free(text);
}

/* A follower of the lobby, or NULL. */
static const struct call *find_follower(const struct api *api)
{
	const struct call *c;
	for (size_t at = 0; (c = map_next(&api->calls, &at));)
		if (c->kind == CALL_LOBBY)
			return c;
	return NULL;
}

/* From inside: sends the lobby to the followers, unless it is what they have. */
static void send_lobby(struct api *api, const struct api_request *r)
{
	const struct call *c;
	json_t *lobby = lobby_json(api, r, false);
	char *text = lobby ? json_to_text(lobby, RESPONSE_JSON) : NULL;
	api->lobby_heard |= !lobby && api->run->settled; /* it cannot be read: again in the next turn */
	if (!text || (api->lobby_sent && strcmp(text, api->lobby_sent) == 0)) {
		free(text);
		return;
	}
	free(api->lobby_sent);
	api->lobby_sent = text;
	for (size_t at = 0; (c = map_next(&api->calls, &at));)
		if (c->kind == CALL_LOBBY)
			reply_message(api, c->number, text);
}

/* Loading games for the list may set lobby_changed again: then it is sent once more. */
int64_t lobby_turn(struct api *api)
{
	const int64_t now = api_now(api);
	if (!api->lobby_changed && !api->lobby_heard)
		return -1;
	if (now < api->lobby_ms + EVERY_MS)
		return api->lobby_ms + EVERY_MS;
	if (api->lobby_changed)
		cluster_lobby_changed(api);
	api->lobby_changed = api->lobby_heard = false;
	api->lobby_ms = now;
	if (find_follower(api))
		request_inside(api, send_lobby, NULL, NULL, "", "", "lobby");
	return -1;
}
