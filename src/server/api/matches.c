/*
 * matches.c - routes about matches: workers read the journals (match_files.h).
 * SPDX-License-Identifier: MIT
 *
 * Streams share the work: once a second the followed files are checked for changes, and a changed
 * one is read once for all streams that follow it.
 */
#include <stdlib.h>

#include "server/api/inside.h"
#include "server/api/match_files.h"

enum {
	LOOK_MS = 1000,
	READ_MS = 20000,
	UNREAD = 2,                /* a stamp that no file has: stamps are odd, or 0 */
};

/* A worker's argument. name "": read the list; number 0: read the match, not a game of it. */
struct reading {
	const struct qv_context *context;
	char *folder;
	char name[MATCH_FILES_NAME + 1];
	int64_t number;
};

static void reading_free(void *arg)
{
	struct reading *reading = arg;
	free(reading->folder);
	free(reading);
}

/* The result is JSON, or "!" with three digits of an HTTP status and the error. */
static void reading_run(struct worker_task *task, void *arg)
{
	const struct reading *in = arg;
	struct qv_error error = { "" };
	json_t *json = NULL;
	enum qv_status status = QV_OK;
	if (!*in->name)
		json = match_files_list(in->context, in->folder);
	else if (in->number)
		status = match_file_game(in->context, in->folder, in->name, in->number, &json,
					 &error);
	else
		status = match_file_read(in->context, in->folder, in->name, &json, &error);
	if (status == QV_OK) {
		worker_task_result(task, json_to_text(json, RESPONSE_JSON));
		return;
	}
	char text[300];
	snprintf(text, sizeof text, "!%d%s",
		 status == QV_UNKNOWN   ? 404
		 : status == QV_BAD_INPUT ? 409
					  : 503,
		 error.text);
	worker_task_result(task, strdup(text));
}

static void reading_failed(struct api *api, uint64_t call, const char *text)
{
	if (!text)
		reply_error(api, call, 503, "server: out of memory");
	else
		reply_error(api, call, (text[1] - '0') * 100 + (text[2] - '0') * 10 + text[3] - '0',
			    "%s", text + 4);
}

static void reading_done(struct api *api, struct call *call, const char *text, bool last)
{
	const struct outgoing out = { .call = call->number, .status = 200, .end = true };
	if (!last)
		return;
	call_free(api, call);
	if (text && *text != '!')
		reply_text(api, &out, text);
	else
		reading_failed(api, out.call, text);
}

/*
 * Submits a reading; the call may be freed afterwards. All readings for streams belong to one
 * client of the pool, so that many followers do not delay others.
 */
static void read_match(struct api *api, struct call *call, const char *name, int64_t number,
		       const char *address)
{
	const bool follows = call->kind == CALL_MATCH;
	char client[WORKER_CLIENT];
	struct reading *reading = calloc(1, sizeof *reading);
	char *folder = strdup(api->matches);
	if (!reading || !folder) {
		const uint64_t at = call->number;
		free(reading);
		free(folder);
		call_free(api, call);
		reply_error(api, at, 503, "server: out of memory");
		return;
	}
	reading->context = api->setup.context;
	reading->folder = folder;
	reading->number = number;
	snprintf(reading->name, sizeof reading->name, "%s", name);
	snprintf(client, sizeof client, "watch %s", follows ? "" : call->user);
	const struct worker_job job = { .client = client, .group = address,
				       .most = follows ? QUEUE_MOST
						       : QUEUE_CLIENT + STREAMS_MOST,
				       .limit_ms = READ_MS, .run = reading_run,
				       .release = reading_free, .arg = reading };
	call_submit(api, call, &job);
}

static bool check_name(struct api *api, const struct api_request *r, const char *name)
{
	if (strlen(name) <= MATCH_FILES_NAME && match_file_name_ok(name))
		return true;
	reply_error(api, r->call, 404, "match: not found");
	return false;
}

static void get_reading(struct api *api, const struct api_request *r, const char *name,
			int64_t number)
{
	struct call *call = call_new(api, r->call, r->visitor->user, CALL_JOB);
	if (!call)
		return;
	call->job_done = reading_done;
	read_match(api, call, name, number, r->visitor->address);
}

void get_matches(struct api *api, const struct api_request *r, const struct path_words *w)
{
	(void)w;
	get_reading(api, r, "", 0);
}

void get_match(struct api *api, const struct api_request *r, const struct path_words *w)
{
	if (check_name(api, r, w->text[0]))
		get_reading(api, r, w->text[0], 0);
}

void get_match_game(struct api *api, const struct api_request *r, const struct path_words *w)
{
	char *end;
	const long long number = strtoll(w->text[1], &end, 10);
	if (!check_name(api, r, w->text[0]))
		return;
	if (*end || number < 1 || *w->text[1] < '0' || *w->text[1] > '9')
		reply_error(api, r->call, 404, "match: no such game");
	else
		get_reading(api, r, w->text[0], number);
}

/* ---- Streams: a match is read once for all that follow it ---- */

static bool is_fellow(const struct call *c, const struct call *other)
{
	return c != other && c->kind == CALL_MATCH && strcmp(c->match, other->match) == 0;
}

static bool is_being_read(const struct api *api, const struct call *call)
{
	const struct call *c;
	for (size_t at = 0; (c = map_next(&api->calls, &at));)
		if (c->job_number && is_fellow(c, call))
			return true;
	return false;
}

/* Sends what was read for one stream to the others that follow the same match. */
static void send_to_fellows(struct api *api, const struct call *from, const char *text)
{
	struct call *c;
	for (size_t at = 0; (c = map_next(&api->calls, &at));) {
		const struct outgoing out = { .call = c->number, .status = 200, .stream = true };
		if (c->job_number || !is_fellow(c, from) || c->stamp == from->stamp)
			continue;
		c->stamp = from->stamp;
		c->begun = true;
		reply_text(api, &out, text);
	}
}

static void match_read(struct api *api, struct call *call, const char *text, bool last)
{
	const bool begun = call->begun;
	const bool failed = !text || *text == '!';
	const struct outgoing out = { .call = call->number, .status = 200, .stream = true,
				      .end = failed };
	if (!last)
		return;
	call->begun = true;
	if (failed)
		call_free(api, call);
	else
		send_to_fellows(api, call, text);
	if (!failed || begun)
		reply_text(api, &out, failed ? "" : text);
	else
		reading_failed(api, out.call, text);
}

void get_match_events(struct api *api, const struct api_request *r, const struct path_words *w)
{
	if (!check_name(api, r, w->text[0]) || !call_may_stream(api, r))
		return;
	struct call *call = call_new(api, r->call, r->visitor->user, CALL_MATCH);
	if (!call)
		return;
	call->job_done = match_read;
	snprintf(call->match, sizeof call->match, "%s", w->text[0]);
	call->stamp = UNREAD;
	if (is_being_read(api, call)) /* then send_to_fellows will send the result */
		return;
	call->stamp = match_file_stamp(api->matches, call->match);
	read_match(api, call, call->match, 0, NULL);
}

/* Checks the followed files once a second and reads those that have changed. */
int64_t matches_turn(struct api *api)
{
	const int64_t now = api_now(api);
	bool any = false;
	if (now < api->matches_ms + LOOK_MS)
		return api->stream_count ? api->matches_ms + LOOK_MS : -1;
	api->matches_ms = now;
	struct call *c;
	for (size_t at = 0; (c = map_next(&api->calls, &at));) {
		if (c->kind != CALL_MATCH)
			continue;
		any = true;
		const uint64_t stamp =
			c->job_number ? c->stamp : match_file_stamp(api->matches, c->match);
		if (stamp == c->stamp || is_being_read(api, c))
			continue;
		c->stamp = stamp;
		read_match(api, c, c->match, 0, NULL);
	}
	return any ? now + LOOK_MS : -1;
}
