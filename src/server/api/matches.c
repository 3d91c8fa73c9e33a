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
	LOOK_MS = 1000,	 /* between two checks of the followed files */
	READ_MS = 20000, /* limit of a worker's reading */
	UNREAD = 2,	 /* a stamp that no file has: stamps are odd, or 0 */
};

/* A worker's argument. name "": read the list; number 0: read the match, not a game of it. */
struct reading {
	struct match_folder folder; /* of the API, which outlives the pool */
	char name[MATCH_FILES_NAME + 1];
	int64_t number;
};

/* The result is JSON, or "!" with three digits of an HTTP status and the error. */
static void reading_run(struct worker_task *task, void *arg)
{
	struct reading *in = arg;
	struct qv_error error = { "" };
	char *found = NULL;
	json_t *json = NULL;
	enum qv_status status = QV_OK;
	in->folder.stop = worker_task_stop(task);
	if (!*in->name)
		json = match_files_list(&in->folder);
	else if (in->number)
		status = match_file_game(&in->folder, in->name, in->number, &json, &error);
	else
		status = match_file_text(&in->folder, in->name, &found, &error);
	if (status == QV_OK) {
		worker_task_result(task, found ? found : json_to_text(json, RESPONSE_JSON));
		return;
	}
	char text[300];
	snprintf(text, sizeof text, "!%d%s",
		 status == QV_UNKNOWN	  ? 404
		 : status == QV_BAD_INPUT ? 409
					  : 503,
		 error.text);
	worker_task_result(task, strdup(text));
}

/*
 * Submits a reading; the call may be freed afterwards. All readings for streams belong to one
 * client of the pool, so that many followers do not delay others.
 */
static void read_match(struct api *api, struct call *call, call_done_fn *done, const char *name,
		       int64_t number, const char *address)
{
	const bool follows = call->kind == CALL_MATCH;
	const int most = follows ? QUEUE_MOST : QUEUE_CLIENT + STREAMS_MOST;
	struct reading *reading = calloc(1, sizeof *reading);
	if (!reading) {
		const uint64_t at = call->number;
		call_free(api, call);
		reply_no_memory(api, at);
		return;
	}
	*reading = (struct reading){ .folder = { .context = api->setup.context,
						 .path = api->matches,
						 .cache = api->match_cache },
				     .number = number };
	snprintf(reading->name, sizeof reading->name, "%s", name);
	const struct worker_job job = { .group = address,
					.most = most,
					.limit_ms = READ_MS,
					.run = reading_run,
					.release = free,
					.arg = reading };
	call_submit(api, call, done, "watch", follows ? "" : call->user, &job);
}

/* The same 404 for a name that is not allowed and for one that does not exist. */
static bool check_name(struct api *api, const struct api_request *r, const char *name)
{
	if (strlen(name) <= MATCH_FILES_NAME && match_file_name_ok(name))
		return true;
	reply_error(api, r->call, 404, "match: not found");
	return false;
}

/* The result of the worker is the response. */
static void get_reading(struct api *api, const struct api_request *r, const char *name,
			int64_t number)
{
	struct call *call = call_new(api, r->call, r->visitor->user, CALL_JOB);
	if (call)
		read_match(api, call, call_reply, name, number, r->visitor->address);
}

/* GET /api/v1/matches */
void get_matches(struct api *api, const struct api_request *r)
{
	get_reading(api, r, "", 0);
}

/* GET /api/v1/matches/NAME */
void get_match(struct api *api, const struct api_request *r)
{
	if (check_name(api, r, r->words[0]))
		get_reading(api, r, r->words[0], 0);
}

/* GET /api/v1/matches/NAME/games/NUMBER */
void get_match_game(struct api *api, const struct api_request *r)
{
	char *end;
	const long long number = strtoll(r->words[1], &end, 10);
	if (!check_name(api, r, r->words[0]))
		return;
	if (*end || number < 1 || *r->words[1] < '0' || *r->words[1] > '9')
		reply_error(api, r->call, 404, "match: no such game");
	else
		get_reading(api, r, r->words[0], number);
}

/* ---- Streams: a match is read once for all that follow it ---- */

/* Does another stream follow the same match? */
static bool follows_same(const struct call *c, const struct call *other)
{
	return c != other && c->kind == CALL_MATCH && strcmp(c->match, other->match) == 0;
}

/* By a job of another stream; its result will be sent to all of them. */
static bool is_being_read(const struct api *api, const struct call *call)
{
	const struct call *c;
	for (size_t at = 0; (c = map_next(&api->calls, &at));)
		if (c->job_number && follows_same(c, call))
			return true;
	return false;
}

/* The first failure of a stream is an error; after that the stream just ends. */
static void match_read(struct api *api, struct call *call, const char *text)
{
	const bool begun = call->begun;
	const bool failed = !text || *text == '!';
	const uint64_t number = call->number;
	struct call *c;
	if (failed) {
		call_free(api, call);
		if (begun)
			reply_end(api, number);
		else
			reply_result(api, number, text);
		return;
	}
	call->begun = true;
	/* The others that follow the same match get it, too. */
	for (size_t at = 0; (c = map_next(&api->calls, &at));) {
		if (c->job_number || !follows_same(c, call) || c->stamp == call->stamp)
			continue;
		c->stamp = call->stamp;
		c->begun = true;
		reply_message(api, c->number, text);
	}
	reply_message(api, number, text);
}

/* GET /api/v1/matches/NAME/events: the match now, and again whenever it changes. */
void get_match_events(struct api *api, const struct api_request *r)
{
	if (!check_name(api, r, r->words[0]) || !call_may_stream(api, r))
		return;
	struct call *call = call_stream(api, r, r->visitor->user, CALL_MATCH);
	if (!call)
		return;
	snprintf(call->match, sizeof call->match, "%s", r->words[0]);
	call->stamp = UNREAD;
	if (is_being_read(api, call)) /* then match_read will send the result */
		return;
	call->stamp = match_file_stamp(api->matches, call->match);
	read_match(api, call, match_read, call->match, 0, NULL);
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
		read_match(api, c, match_read, c->match, 0, NULL);
	}
	return any ? now + LOOK_MS : -1;
}
