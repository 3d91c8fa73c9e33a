/*
 * rooms_load.c - games from the store: a short one is read at once, a long one by a worker.
 * SPDX-License-Identifier: MIT
 *
 * A request that needs a long game waits, as a call with a copy of itself. When the worker is done
 * the game becomes a room, and all requests that waited for it run again. A game that is being
 * loaded is not in memory, so nothing can happen to it meanwhile.
 */
#include <stdlib.h>

#include "server/api/rooms.h"

enum {
	LOADS_MOST = 16,           /* that may wait, of one address */
	LOAD_MS = 10000,           /* never reached: the length of a game bounds the work */
};

/* ---- Lines ---- */

struct lines {
	char **text;
	size_t count, room;
	bool failed;
};

static bool take_line(void *ctx, int64_t number, const char *line, size_t size)
{
	struct lines *l = ctx;
	(void)number;
	if (l->count == l->room) {
		const size_t room = l->room ? 2 * l->room : 64;
		char **more = realloc(l->text, room * sizeof *more);
		if (more) {
			l->text = more;
			l->room = room;
		}
		l->failed |= !more;
	}
	char *copy = l->failed ? NULL : strndup(line, size);
	l->failed |= !copy;
	if (copy)
		l->text[l->count++] = copy;
	return !l->failed;
}

static void lines_free(struct lines *l)
{
	for (size_t i = 0; i < l->count; i++)
		free(l->text[i]);
	free(l->text);
}

/* ---- Loading ---- */

/* A game on its way from the store into memory; a worker's argument. */
struct loading {
	struct api *api;
	char id[API_USER];
	bool background;           /* nobody has asked for it */
	uint64_t number;           /* of the worker's job */
	struct lines lines;
	struct hosted_game *play;         /* what came of it; NULL: nothing */
	struct qv_error error;
	struct loading *next;
};

static void loading_free(void *arg)
{
	struct loading *l = arg;
	if (!l)
		return;
	lines_free(&l->lines);
	hosted_free(l->play);
	free(l);
}

/* NULL: *status is 404 or 503. */
static struct loading *loading_new(struct api *api, const char *id, int *status)
{
	struct loading *l = calloc(1, sizeof *l);
	*status = 503;
	if (!l)
		return NULL;
	l->api = api;
	snprintf(l->id, sizeof l->id, "%s", id);
	const enum qv_status read =
		store_load_play(api->store, id, NULL, take_line, &l->lines, &l->error);
	if (read == QV_OK && !l->lines.failed)
		return l;
	*status = read == QV_UNKNOWN ? 404 : 503;
	if (read != QV_UNKNOWN)
		log_unloadable(api, id, l->lines.failed ? "out of memory" : l->error.text);
	loading_free(l);
	return NULL;
}

/* The work: in a worker, or in the loop for a short game. */
static void loading_run(struct worker_task *task, void *arg)
{
	struct loading *l = arg;
	const struct hosted_callbacks host = rooms_host(l->api);
	(void)task;
	hosted_read(l->api->setup.context, &host, (const char *const *)l->lines.text, l->lines.count,
		  &l->play, &l->error);
}

static void know_seats(struct room *room)
{
	for (int s = 0; s < hosted_seat_count(room->play); s++)
		if (hosted_seat_at(room->play, s)->kind == SEAT_PERSON)
			snprintf(room->seated[s], sizeof room->seated[s], "%s",
				 hosted_seat_at(room->play, s)->user);
}

/* The game goes on. NULL: it cannot be loaded. */
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
	know_seats(room);
	room_changed(api, room);
	return room;
}

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

/* ---- Requests that wait ---- */

static void refuse(struct api *api, uint64_t call, int status)
{
	if (status == 404)
		reply_error(api, call, 404, "play: no such game");
	else
		reply_error(api, call, 503, "play: it cannot be loaded now; try again");
}

/* One of those that wait for the job; NULL: none is left. */
static struct call *find_waiting(struct api *api, uint64_t job)
{
	struct call *c;
	for (size_t at = 0; (c = map_next(&api->calls, &at));)
		if (c->kind == CALL_LOAD && c->stamp == job)
			return c;
	return NULL;
}

static void answer_waiting(struct api *api, uint64_t job, bool loaded)
{
	for (struct call *c; (c = find_waiting(api, job));) {
		const uint64_t number = c->number;
		if (loaded) {
			api->resuming = true;
			call_resume(api, c);
			api->resuming = false;
		} else {
			call_free(api, c);
			refuse(api, number, 503);
		}
	}
}

/* ---- By a worker ---- */

static void loading_done(void *ctx, uint64_t number, const char *text, bool last)
{
	struct loading *l = ctx, **at = &l->api->loadings;
	(void)text;
	(void)last;                /* nothing is said before the end */
	while (*at != l)
		at = &(*at)->next;
	*at = l->next;
	const bool loaded = room_at(l->api, l->id) || loading_finish(l);
	l->api->lobby_changed = true;
	answer_waiting(l->api, number, loaded);
}

static enum submit_result loading_submit(struct loading *l, const char *address)
{
	char client[WORKER_CLIENT];
	snprintf(client, sizeof client, "load %s", address);
	const struct worker_job job = {
		.client = client,
		.group = address,
		.urgent = true,
		.most = LOADS_MOST,
		.limit_ms = LOAD_MS,
		.run = loading_run,
		.release = loading_free,
		.arg = l,
		.deliver = loading_done,
		.ctx = l,
	};
	const enum submit_result entry = worker_pool_submit(l->api->pool, &job, &l->number);
	if (entry == SUBMIT_OK) {
		l->next = l->api->loadings;
		l->api->loadings = l;
	}
	return entry;
}

static struct loading *loading_of(const struct api *api, const char *id)
{
	struct loading *l = api->loadings;
	while (l && strcmp(l->id, id) != 0)
		l = l->next;
	return l;
}

/* The job that loads the game, begun if need be; 0: answered. */
static uint64_t loading_for(struct api *api, const struct api_request *r, const char *id)
{
	const struct loading *going = loading_of(api, id);
	int status;
	if (going)
		return going->number;
	struct loading *l = loading_new(api, id, &status);
	if (!l) {
		refuse(api, r->call, status);
		return 0;
	}
	const enum submit_result entry = loading_submit(l, r->visitor->address);
	if (entry == SUBMIT_OK)
		return l->number;
	loading_free(l);
	if (entry == SUBMIT_CLIENT_FULL)
		reply_error(api, r->call, 429, "play: %d long games of yours are being loaded",
			    LOADS_MOST);
	else
		refuse(api, r->call, 503);
	return 0;
}

static void park(struct api *api, const struct api_request *r, const char *id)
{
	/* A game that was loaded and is gone again could be loaded again and again. */
	if (api->resuming) {
		refuse(api, r->call, 503);
		return;
	}
	const uint64_t job = loading_for(api, r, id);
	struct call *call = job ? call_park(api, r, CALL_LOAD) : NULL;
	if (call)
		call->stamp = job;
}

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

/* ---- For a request ---- */

/* False: answered, or parked. */
static bool is_at_hand(struct api *api, const struct api_request *r, const char *id)
{
	struct store_play row;
	if (!secrets_is_id(id) || room_at(api, id))
		return true;
	const enum qv_status status = store_find_play(api->store, id, &row, NULL);
	if (status != QV_OK) {
		refuse(api, r->call, status == QV_UNKNOWN ? 404 : 503);
		return false;
	}
	if (!api_costs(api, r, (size_t)row.lines / LONG_LINES))
		return false;
	if (row.lines <= LONG_LINES)
		return true;
	park(api, r, id);
	return false;
}

struct room *room_for(struct api *api, const struct api_request *r, const char *id)
{
	int status;
	if (!is_at_hand(api, r, id))
		return NULL;
	struct room *room = room_find(api, id, &status);
	if (!room)
		refuse(api, r->call, status);
	return room;
}
