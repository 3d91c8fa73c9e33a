/*
 * rooms_load.c - games from the store: a short one is read at once, a long one by a worker.
 * SPDX-License-Identifier: MIT
 *
 * A request that needs a long game waits, as a call with a copy of itself. When the worker is done
 * the game becomes a room, and all requests that waited for it run again. A game that is being
 * loaded is not in memory, so nothing can happen to it meanwhile.
 */
#include <stdlib.h>

#include "server/api/inside.h"

enum {
	LOADS_MOST = 16, /* games that may wait for a worker, of one address */
	LOAD_MS = 10000, /* never reached: the length of a game bounds the work */
};

/* A game on its way from the store into memory; a worker's argument. */
struct loading {
	struct api *api;
	char id[API_USER];
	bool background; /* for the lobby; no request waits for it */
	bool to_index;	 /* for explorer_take, not for a room */
	uint64_t number; /* of the worker's job */
	char **lines;	 /* of the game, in order */
	size_t count, room;
	bool failed;		  /* out of memory while they were read */
	struct hosted_game *play; /* the result; NULL: none */
	struct qv_error error;
	struct loading *next; /* in api->loadings, while the job is the pool's */
};

/* Fits worker_job.release. In the list of the API it must not be any more. */
static void loading_free(void *arg)
{
	struct loading *l = arg;
	for (size_t i = 0; i < l->count; i++)
		free(l->lines[i]);
	free(l->lines);
	hosted_free(l->play);
	free(l);
}

/* For store_load_play: copies a line. */
static bool take_line(void *ctx, int64_t number, const char *line, size_t size)
{
	struct loading *l = ctx;
	(void)number;
	if (!mem_reserve(&mem_malloc, &l->lines, &l->room, l->count + 1, sizeof *l->lines) ||
	    !(l->lines[l->count] = strndup(line, size))) {
		l->failed = true;
		return false;
	}
	l->count++;
	return true;
}

/* Reads the lines from the store. NULL: *status is 404 or 503. */
static struct loading *loading_new(struct api *api, const char *id, int *status)
{
	struct loading *l = calloc(1, sizeof *l);
	*status = 503;
	if (!l)
		return NULL;
	l->api = api;
	snprintf(l->id, sizeof l->id, "%s", id);
	const enum qv_status read = store_load_play(api->store, id, NULL, take_line, l, &l->error);
	if (read == QV_OK && !l->failed)
		return l;
	*status = read == QV_UNKNOWN ? 404 : 503;
	if (read != QV_UNKNOWN)
		log_unloadable(api, id, l->failed ? "out of memory" : l->error.text);
	loading_free(l);
	return NULL;
}

/* The work: in a worker, or in the loop for a short game. */
static void loading_run(struct worker_task *task, void *arg)
{
	struct loading *l = arg;
	const struct hosted_callbacks host = rooms_host(l->api);
	(void)task;
	hosted_read(l->api->setup.context, &host, (const char *const *)l->lines, l->count, &l->play,
		    &l->error);
}

/* Makes the loaded game a room and lets it continue. NULL: it cannot be loaded. */
static struct room *loading_finish(struct loading *l)
{
	struct api *api = l->api;
	struct hosted_game *play = l->play;
	if (!play || hosted_start(play, api_now(api), &l->error) != VERDICT_OK) {
		log_unloadable(api, l->id, l->error.text);
		return NULL;
	}
	l->play = NULL;
	struct room *room = room_add(api, play, l->id);
	if (!room)
		return NULL;
	room->stored = true;
	room->finished = hosted_over(play);
	/* The store has the users of these seats already. */
	for (int s = 0; s < hosted_seat_count(play); s++)
		if (hosted_seat_at(play, s)->kind == SEAT_PERSON)
			snprintf(room->seated[s], sizeof room->seated[s], "%s",
				 hosted_seat_at(play, s)->user);
	room_changed(api, room);
	return room;
}

struct hosted_game *game_load(struct api *api, const char *id)
{
	int status;
	struct loading *l = loading_new(api, id, &status);
	if (!l)
		return NULL;
	loading_run(NULL, l);
	struct hosted_game *play = l->play;
	if (!play)
		log_unloadable(api, id, l->error.text);
	l->play = NULL;
	loading_free(l);
	return play;
}

/* For a short game, or when the caller cannot wait. */
struct room *room_load(struct api *api, const char *id, int *status)
{
	struct loading *l = loading_new(api, id, status);
	if (!l)
		return NULL;
	loading_run(NULL, l);
	struct room *room = loading_finish(l);
	*status = room ? 200 : 503;
	loading_free(l);
	return room;
}

/* ---- By a worker ---- */

/* The same text for everything but a game that does not exist; the log has the reason. */
void room_refuse(struct api *api, uint64_t call, int status)
{
	if (status == 404)
		reply_error(api, call, 404, "play: no such game");
	else
		reply_error(api, call, 503, "play: it cannot be loaded now; try again");
}

/* Adds the room and serves all requests that wait for it. */
static void loading_done(void *ctx, uint64_t number, const char *text, bool last)
{
	struct loading *l = ctx, **link = &l->api->loadings;
	struct api *api = l->api;
	struct call *c;
	(void)text;
	(void)last; /* the job reports no progress */
	if (l->to_index) {
		explorer_take(api, l->id, l->play);
		return;
	}
	while (*link != l)
		link = &(*link)->next;
	*link = l->next;
	const bool loaded = room_at(api, l->id) || loading_finish(l);
	api->lobby_changed = true;
	for (size_t at = 0; (c = map_next(&api->calls, &at));) {
		const uint64_t call = c->number;
		if (c->kind != CALL_LOAD || c->stamp != number)
			continue;
		if (loaded) {
			api->resuming = true;
			call_resume(api, c);
			api->resuming = false;
		} else {
			call_free(api, c);
			room_refuse(api, call, 503);
		}
		at = 0; /* a request that runs may have added calls: look at all of them again */
	}
}

/* SUBMIT_OK: the pool owns it; otherwise the caller still does. */
static enum submit_result loading_submit(struct loading *l, const char *address)
{
	char client[WORKER_CLIENT];
	snprintf(client, sizeof client, "load %s", address);
	const struct worker_job job = { .client = client,
					.group = address,
					.urgent = !l->to_index,
					.most = LOADS_MOST,
					.limit_ms = LOAD_MS,
					.run = loading_run,
					.release = loading_free,
					.arg = l,
					.deliver = loading_done,
					.ctx = l };
	const enum submit_result result = worker_pool_submit(l->api->pool, &job, &l->number);
	if (result == SUBMIT_OK && !l->to_index) {
		l->next = l->api->loadings;
		l->api->loadings = l;
	}
	return result;
}

/* Failures are logged, and the lobby does without the game. */
void room_load_later(struct api *api, const char *id)
{
	int status;
	for (const struct loading *l = api->loadings; l; l = l->next)
		if (l->background || strcmp(l->id, id) == 0)
			return;
	struct loading *l = loading_new(api, id, &status);
	if (!l)
		return;
	l->background = true;
	if (loading_submit(l, "lobby") != SUBMIT_OK)
		loading_free(l);
}

/* No request waits for it, so it is not in the list. */
bool room_read_later(struct api *api, const char *id)
{
	int status;
	struct loading *l = loading_new(api, id, &status);
	if (!l)
		return false;
	l->to_index = true;
	if (loading_submit(l, "explorer") == SUBMIT_OK)
		return true;
	loading_free(l);
	return false;
}

/* ---- For a request ---- */

/* Parks the request until a worker has loaded the game. */
static void wait_for_game(struct api *api, const struct api_request *r, const char *id)
{
	struct loading *l = api->loadings;
	int status = 503;
	/* A game that was loaded and is gone again could be loaded again and again. */
	if (api->resuming) {
		room_refuse(api, r->call, 503);
		return;
	}
	while (l && strcmp(l->id, id) != 0)
		l = l->next;
	if (!l) {
		l = loading_new(api, id, &status);
		const enum submit_result result =
			l ? loading_submit(l, r->visitor->address) : SUBMIT_POOL_FULL;
		if (result != SUBMIT_OK) {
			if (l)
				loading_free(l);
			if (result == SUBMIT_CLIENT_FULL)
				reply_error(api, r->call, 429,
					    "play: %d long games of yours are being loaded",
					    LOADS_MOST);
			else
				room_refuse(api, r->call, status);
			return;
		}
	}
	struct call *call = call_park(api, r, CALL_LOAD);
	if (call)
		call->stamp = l->number;
}

bool room_loadable(struct api *api, const struct api_request *r, const char *id)
{
	struct store_play row;
	if (!secrets_is_id(id))
		return true; /* room_find will refuse it */
	const enum qv_status status = store_find_play(api->store, id, &row, NULL);
	if (status != QV_OK)
		room_refuse(api, r->call, status == QV_UNKNOWN ? 404 : 503);
	if (status != QV_OK || !api_costs(api, r, (size_t)row.lines / LONG_LINES))
		return false;
	if (row.lines > LONG_LINES)
		wait_for_game(api, r, id);
	return row.lines <= LONG_LINES;
}
