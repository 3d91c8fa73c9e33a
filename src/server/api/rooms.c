/*
 * rooms.c - plays in memory: found by their id, forgotten when idle.
 * SPDX-License-Identifier: MIT
 *
 * After a restart nothing is loaded. A play comes back when somebody looks at it; until then its
 * clock stands still and its computers do not think.
 */
#include <stdlib.h>

#include "server/api/rooms.h"
#include "server/api/allowed_specs.h"
#include "server/api/dice.h"

enum { IDLE_MS = 30000, IDLE_LEAST_MS = 1000, FORGET_MS = 100 };

/* ---- What plays want of us ---- */

static void give_random(void *ctx, void *bytes, size_t size)
{
	(void)ctx;
	secrets_random(bytes, size);
}

static enum qv_status check_spec(void *ctx, const struct qv_rules *rules, const char *spec,
				 struct qv_error *error)
{
	const struct api *api = ctx;
	return specs_check(api->setup.context, api->table_lookup, rules, spec, error);
}

static uint64_t roll_dice(void *ctx, const struct dice *dice, uint64_t weights)
{
	(void)ctx;
	return dice_number(dice, weights);
}

struct hosted_callbacks rooms_host(struct api *api)
{
	return (struct hosted_callbacks){ give_random, roll_dice, check_spec, api };
}

/* ---- The table ---- */

struct room *room_add(struct api *api, struct hosted_game *play, const char *id)
{
	struct room *room = calloc(1, sizeof *room);
	if (room)
		snprintf(room->id, sizeof room->id, "%s", id);
	if (!room || !map_add_text(&api->rooms, room)) {
		free(room);
		hosted_free(play);
		return NULL;
	}
	room->play = play;
	room->used_ms = api_now(api);
	room->moved_ms = room->heard_ms = INT64_MIN / 2;
	room->due_ms = -1;
	room_count_lines(api, room);
	return room;
}

void room_count_lines(struct api *api, struct room *room)
{
	const size_t lines = hosted_lines_before(room->play) + hosted_lines(room->play);
	api->room_lines += lines - room->lines;
	room->lines = lines;
}

static void end_streams(struct api *api, struct room *room)
{
	while (room->streams) {
		struct call *call = room->streams;
		const struct outgoing out = { .call = call->number, .status = 200, .stream = true,
					      .end = true };
		call_free(api, call);
		reply_text(api, &out, "");
	}
}

void room_drop(struct api *api, struct room *room)
{
	end_streams(api, room);
	map_remove_text(&api->rooms, room);
	if (room->job_number)
		worker_pool_cancel(api->pool, room->job_number);
	api->room_lines -= room->lines;
	hosted_free(room->play);
	free(room);
}

void room_break(struct api *api, struct room *room)
{
	room->broken = true;
	room->due_ms = -1;
	if (room->job_number)
		worker_pool_cancel(api->pool, room->job_number);
	room->job_number = 0;
	end_streams(api, room);
}

static void forget_idle(struct api *api, int64_t idle_ms)
{
	const int64_t before = api_now(api) - idle_ms;
	struct room *room;
	for (size_t at = 0; (room = map_next(&api->rooms, &at));)
		if (!room->streams && !room->keeps && !room->job_number &&
		    (room->broken || room->used_ms < before))
			room_drop(api, room);
}

static bool is_crowded(const struct api *api)
{
	return api->rooms.count > ROOMS_MOST || api->room_lines > ROOM_LINES_MOST;
}

void rooms_forget(struct api *api)
{
	const int64_t now = api_now(api);
	if (!is_crowded(api) || now < api->forget_ms)
		return;
	api->forget_ms = now + FORGET_MS; /* if none can be forgotten it is in vain to look */
	forget_idle(api, IDLE_MS);
	if (is_crowded(api))
		forget_idle(api, IDLE_LEAST_MS);
}

/* ---- Finding ---- */

struct room *room_at(struct api *api, const char *id)
{
	struct room *room = map_find_text(&api->rooms, id);
	if (!room || !room->broken || room->keeps)
		return room;
	room_drop(api, room);
	return NULL;
}

struct room *room_find(struct api *api, const char *id, int *status)
{
	*status = 404;
	if (!secrets_is_id(id))
		return NULL;
	struct room *room = room_at(api, id);
	*status = room && room->broken ? 503 : 200;
	if (!room)
		room = room_load(api, id, status);
	if (!room || room->broken) {
		*status = *status == 200 ? 503 : *status;
		return NULL;
	}
	room->used_ms = api_now(api);
	return room;
}

const char *room_user(const struct visitor *visitor, const struct room *room)
{
	return *visitor->play && strcmp(visitor->play, room->id) != 0 ? "" : visitor->user;
}
