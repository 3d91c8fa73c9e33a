/*
 * lobby.c - the lobby: games that wait for a player, and games to watch.
 * SPDX-License-Identifier: MIT
 *
 * Both are games in memory. One with an open seat is an invitation, which is shown while its owner is
 * there: follows the game or the lobby, or has asked for one of them lately. So nobody fills the
 * lobby and leaves; and of one user, address or site few are shown, the first of each before the
 * second of any. Followers of the lobby get the whole lobby when it has changed, at most once a
 * second.
 */
#include <stdlib.h>

#include "server/api/inside.h"
#include "server/api/limits.h"

enum {
	EVERY_MS = 1000,
	CHECK_MS = 10000,   /* between two looks whether the owners are still there */
	PRESENT_MS = 60000, /* after a request somebody counts as present for this long */
	OPEN_EACH = 3,	    /* invitations of one user, or from one address before scaling */
	SITE_EACH = 4,	    /* a site may have as many as so many addresses */
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
 * The entries of the user's games that are in memory. parts: what other nodes have; NULL: only those
 * of this node are wanted.
 */
static json_t *entries(struct api *api, const struct api_request *r, const struct store_rows *rows,
		       const char *user, const json_t *parts)
{
	json_t *list = json_array();
	struct load_budget left = { LOAD_LINES, LOAD_WORK };
	struct store_play play;
	for (size_t i = 0; i < rows->count && i < LOBBY_MOST; i++) {
		if (!store_row_play(rows, i, &play))
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
		if (room && room->stored && !hosted_over(room->play))
			json_array_append_new(list, json_field(entry_json(api, room, user), "updated",
							       json_integer(play.updated)));
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
	json_t *list = rows && (own || parts) ? entries(api, r, rows, user, parts) : NULL;
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

/* ---- The lobby ---- */

/* A game for a list, and how many of the same user, address or site stand before it. */
struct candidate {
	const struct room *room;
	int rank;
};

/* The newest first. */
static int compare_created(const void *a, const void *b)
{
	const struct room *x = ((const struct candidate *)a)->room;
	const struct room *y = ((const struct candidate *)b)->room;
	const int64_t older = hosted_created(x->play), newer = hosted_created(y->play);
	return older != newer ? (older < newer) - (older > newer) : strcmp(x->id, y->id);
}

static int compare_rank(const void *a, const void *b)
{
	const int x = ((const struct candidate *)a)->rank, y = ((const struct candidate *)b)->rank;
	return x != y ? x - y : compare_created(a, b);
}

/* How many games of a user, an address or a site have been ranked. */
struct tally {
	char name[LIMIT_NAME];
	int count;
};

/* The count before this one; without memory it is not counted. */
static int count_one(struct map *tallies, char kind, const char *whose)
{
	char name[LIMIT_NAME];
	snprintf(name, sizeof name, "%c %.90s", kind, whose);
	struct tally *t = map_find_text(tallies, name);
	if (!*whose)
		return 0;
	if (!t && (t = calloc(1, sizeof *t))) {
		memcpy(t->name, name, sizeof t->name);
		if (!map_add_text(tallies, t)) {
			free(t);
			t = NULL;
		}
	}
	return t ? t->count++ : 0;
}

/* Ranks the games and sorts them by that. */
static void rank(struct candidate *list, size_t count)
{
	struct map tallies = { .allocator = &mem_malloc, .text_at = offsetof(struct tally, name) };
	char site[LIMIT_ADDRESS];
	void *entry;
	qsort(list, count, sizeof *list, compare_created);
	for (size_t i = 0; i < count; i++) {
		const struct room *room = list[i].room;
		const int of_user = count_one(&tallies, 'u', hosted_owner(room->play));
		const int of_address = count_one(&tallies, 'a', room->owner_address);
		const int of_site = limits_site(room->owner_address, site)
					    ? count_one(&tallies, 's', site) / SITE_EACH
					    : 0;
		const int most = of_user > of_address ? of_user : of_address;
		list[i].rank = most > of_site ? most : of_site;
	}
	qsort(list, count, sizeof *list, compare_rank);
	for (size_t at = 0; (entry = map_next(&tallies, &at));)
		free(entry);
	map_release(&tallies);
}

static bool was_here_lately(struct api *api, const struct room *room)
{
	return api_now(api) - room->owner_ms < PRESENT_MS;
}

/* Whoever comes back to an invitation sees it in the lobby again. */
void room_used_by(struct api *api, struct room *room, const struct visitor *visitor)
{
	snprintf(room->address, sizeof room->address, "%s", visitor->address);
	if (strcmp(hosted_owner(room->play), visitor->user) != 0)
		return;
	api->lobby_changed |= hosted_has_open_seat(room->play) && !was_here_lately(api, room);
	snprintf(room->owner_address, sizeof room->owner_address, "%s", visitor->address);
	room->owner_ms = api_now(api);
}

/* A use of the lobby by the owner of the game counts, too. */
static bool owner_is_there(struct api *api, struct room *room, const struct map *followers,
			   const char *visitor)
{
	const char *owner = hosted_owner(room->play);
	bool there = *owner && (strcmp(owner, visitor) == 0 || map_find_text(followers, owner));
	for (const struct call *c = room->streams; c && !there && *owner; c = c->next_stream)
		there = strcmp(c->user, owner) == 0;
	if (there)
		room->owner_ms = api_now(api);
	return was_here_lately(api, room);
}

static bool is_invitation(struct api *api, struct room *room, const struct map *followers,
			  const char *visitor)
{
	return hosted_has_open_seat(room->play) && !room->damaged &&
	       !suspension_of(api, hosted_owner(room->play), room->owner_address) &&
	       owner_is_there(api, room, followers, visitor);
}

static bool is_watched(const struct room *room)
{
	return (room->streams || room->shown) && !hosted_has_open_seat(room->play);
}

/* The users who follow the lobby here: their calls. */
static struct map find_followers(const struct api *api)
{
	struct map followers = { .allocator = &mem_malloc,
				 .text_at = offsetof(struct call, visitor_user) };
	struct call *c;
	for (size_t at = 0; api->lobby_followers && (c = map_next(&api->calls, &at));)
		if (c->kind == CALL_LOBBY && !map_find_text(&followers, c->visitor_user))
			map_add_text(&followers, c);
	return followers;
}

/*
 * The best of this node's invitations, or games to watch, each with its rank; at most `each` of a
 * user or address.
 */
static json_t *own_list(struct api *api, const struct api_request *r, bool open, int each)
{
	struct candidate *list = calloc(api->rooms.count + 1, sizeof *list);
	json_t *entries = json_array();
	struct map followers = find_followers(api);
	struct room *room;
	size_t count = 0;
	for (size_t at = 0; list && (room = map_next(&api->rooms, &at));)
		if (room->stored && !room->broken && !hosted_private(room->play) &&
		    !hosted_over(room->play) &&
		    (open ? is_invitation(api, room, &followers, r->visitor->user)
			  : is_watched(room)))
			list[count++].room = room;
	map_release(&followers);
	rank(list, count);
	for (size_t i = 0; i < count && i < LOBBY_MOST && list[i].rank < each; i++) {
		if (api->run->listed < LIST_WAITS)
			read_accounts(api, r, list[i].room->play);
		json_array_append_new(entries, json_field(entry_json(api, list[i].room, NULL), "rank",
							  json_integer(list[i].rank)));
	}
	free(list);
	return entries;
}

/* The entries of all nodes by rank, each of which is a list in that order. Takes the lists. */
static json_t *merge(json_t *own, const json_t *parts, const char *key)
{
	json_t *merged = json_array(), *part, *entry;
	size_t i, k;
	for (int rank = 0; rank <= LOBBY_MOST && json_array_size(merged) < LOBBY_MOST; rank++)
		for (i = 0; i <= json_array_size(parts); i++) {
			part = json_array_get(parts, i);
			json_array_foreach(part ? json_object_get(part, key) : own, k, entry)
				if (json_integer_value(json_object_get(entry, "rank")) == rank &&
				    json_array_size(merged) < LOBBY_MOST)
					json_array_append(merged, entry);
		}
	json_array_foreach(merged, k, entry)
		json_object_del(entry, "rank");
	json_decref(own);
	return merged;
}

/* own: what this node has, with ranks, for another one. NULL: READ_LATER. */
static json_t *lobby_json(struct api *api, const struct api_request *r, bool own)
{
	const int times = api->setup.per_address > 1 ? api->setup.per_address : 1;
	json_t *parts = own ? NULL : others_json(api, r, "/inside/lobby", r->visitor->user);
	json_t *open = own || parts ? own_list(api, r, true, OPEN_EACH * times) : NULL;
	json_t *going = open ? own_list(api, r, false, LOBBY_MOST) : NULL;
	json_t *lobby = NULL;
	if (open && !own) {
		open = merge(open, parts, "open");
		going = merge(going, parts, "going");
	}
	if (open && list_is_here(api))
		lobby = json_pack("{s:s, s:O, s:O}", "type", "lobby", "open", open, "going", going);
	json_decref(open);
	json_decref(going);
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

/* Loading games for the lists of users may set lobby_changed again: then it is sent once more. */
int64_t lobby_turn(struct api *api)
{
	const int64_t now = api_now(api);
	const bool news = api->lobby_changed || api->lobby_heard;
	const int64_t due = api->lobby_ms + (news ? EVERY_MS : CHECK_MS);
	if (!news && !api->lobby_followers)
		return -1;
	if (now < due)
		return due;
	if (api->lobby_changed)
		cluster_lobby_changed(api);
	api->lobby_changed = api->lobby_heard = false;
	api->lobby_ms = now;
	if (!api->lobby_followers)
		return -1;
	request_inside(api, send_lobby, NULL, NULL, "", "", "lobby");
	return now + CHECK_MS;
}
