/*
 * calls.c - calls: requests whose response comes later, and streams.
 * SPDX-License-Identifier: MIT
 *
 * A call waits for the disk, for a worker's job or for a game that is being loaded, or it is a
 * stream. It is known by the host's number; the map api->calls holds all of them. A parked call
 * has a copy of its request, which runs again once what it waited for is there.
 */
#include <stdlib.h>

#include "server/api/inside.h"

struct call *call_new(struct api *api, uint64_t number, const char *user, enum call_kind kind)
{
	struct call *call = calloc(1, sizeof *call);
	if (!call || !map_add(&api->calls, number, call)) {
		free(call);
		reply_error(api, number, 503, "server: out of memory");
		return NULL;
	}
	call->number = number;
	call->kind = kind;
	snprintf(call->user, sizeof call->user, "%s", user);
	api->stream_count += kind >= CALL_PLAY;
	return call;
}

/* A copy of a request that will run again. */
struct parked {
	struct api_request request;        /* its pointers point to the fields below */
	struct visitor visitor;
	char path[API_PATH];
	char query[];
};

static void parked_free(struct parked *parked)
{
	if (parked)
		json_decref(parked->request.body);
	free(parked);
}

static struct parked *parked_new(const struct api_request *r)
{
	const size_t size = strlen(r->query) + 1;
	struct parked *parked = malloc(sizeof *parked + size);
	if (!parked)
		return NULL;
	parked->request = *r;
	parked->visitor = *r->visitor;
	snprintf(parked->path, sizeof parked->path, "%s", r->path);
	memcpy(parked->query, r->query, size);
	parked->request.visitor = &parked->visitor;
	parked->request.path = parked->path;
	parked->request.query = parked->query;
	json_incref(r->body);
	return parked;
}

struct call *call_park(struct api *api, const struct api_request *r, enum call_kind kind)
{
	struct parked *parked = parked_new(r);
	struct call *call = NULL;
	if (parked)
		call = call_new(api, r->call, r->visitor->user, kind);
	else
		reply_error(api, r->call, 503, "server: out of memory");
	if (call)
		call->parked = parked;
	else
		parked_free(parked);
	return call;
}

void call_resume(struct api *api, struct call *call)
{
	struct parked *parked = call->parked;
	call->parked = NULL;
	call_free(api, call);
	run_route(api, &parked->request);
	parked_free(parked);
}

struct call *call_find(struct api *api, uint64_t number)
{
	return map_find(&api->calls, number);
}

void call_free(struct api *api, struct call *call)
{
	map_remove(&api->calls, call->number, call);
	if (call->job_number)
		worker_pool_cancel(api->pool, call->job_number);
	if (call->room)
		room_unfollow(api, call->room, call);
	api->stream_count -= call->kind >= CALL_PLAY;
	parked_free(call->parked);
	free(call->extra);
	free(call);
}

bool call_may_stream(struct api *api, const struct api_request *request)
{
	const struct call *c;
	int count = 0;
	for (size_t at = 0; (c = map_next(&api->calls, &at));)
		count += c->kind >= CALL_PLAY && strcmp(c->user, request->visitor->user) == 0;
	if (count < STREAMS_MOST)
		return true;
	reply_error(api, request->call, 429, "streams: you already have %d open", count);
	return false;
}

/* ---- Jobs ---- */

/* Progress or the result of a worker's job goes to the call that waits for it. */
static void on_job_text(void *ctx, uint64_t number, const char *text, bool last)
{
	struct api *api = ctx;
	struct call *c;
	for (size_t at = 0; (c = map_next(&api->calls, &at));)
		if (c->job_number == number) {
			if (last)
				c->job_number = 0;
			c->job_done(api, c, text, last);
			return;
		}
}

bool call_submit(struct api *api, struct call *call, const struct worker_job *job)
{
	const uint64_t number = call->number;
	struct worker_job mine = *job;
	mine.deliver = on_job_text;
	mine.ctx = api;
	call->job_arg = job->arg;
	const enum submit_result result = worker_pool_submit(api->pool, &mine, &call->job_number);
	if (result == SUBMIT_OK)
		return true;
	call->job_number = 0;
	call_free(api, call);
	mine.release(mine.arg);
	if (result == SUBMIT_CLIENT_FULL)
		reply_error(api, number, 429, "queue: %d of your requests are already waiting",
			    job->most);
	else
		reply_error(api, number, 503, "queue: the server is busy; try again soon");
	return false;
}
