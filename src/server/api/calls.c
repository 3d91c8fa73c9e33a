/*
 * answers.c - requests that are not answered yet, streams, and answers; and what requests say.
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#include "base/scan.h"
#include "server/api/inside.h"

/* ---- Answers ---- */

void reply_text(struct api *api, const struct outgoing *out, const char *text)
{
	const struct api_response answer = {
		.call = out->call,
		.status = out->status,
		.type = out->type     ? out->type
			: out->stream ? "application/x-ndjson"
				      : "application/json",
		.text = text,
		.size = strlen(text),
		.stream = out->stream,
		.end = out->end,
		.cookie = out->cookie,
		.file = out->file,
	};
	api->setup.host.answer(api->setup.host.ctx, &answer);
}

void reply_error(struct api *api, uint64_t call, int status, const char *format, ...)
{
	const struct outgoing out = { .call = call, .status = status, .end = true };
	char message[512], text[1200];
	va_list args;
	va_start(args, format);
	vsnprintf(message, sizeof message, format, args);
	va_end(args);
	if (status >= 500)
		log_failure(api, status, message);
	api_error_text(status, message, text, sizeof text);
	reply_text(api, &out, text);
}

void reply(struct api *api, uint64_t call, int status, json_t *json)
{
	const struct outgoing out = { .call = call, .status = status, .end = true };
	char *text = json_to_text(json, RESPONSE_JSON);
	if (text)
		reply_text(api, &out, text);
	else
		reply_error(api, call, 503, "server: out of memory");
	free(text);
}

/* ---- Calls ---- */

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

/* A copy of a request. */
struct parked {
	struct api_request request;        /* its pointers are those below */
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
	reply_error(api, request->call, 429, "streams: you have %d already", count);
	return false;
}

/* ---- Thinking ---- */

static void on_thought(void *ctx, uint64_t number, const char *text, bool last)
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
	mine.deliver = on_thought;
	mine.ctx = api;
	call->job_arg = job->arg;
	const enum submit_result entry = worker_pool_submit(api->pool, &mine, &call->job_number);
	if (entry == SUBMIT_OK)
		return true;
	call->job_number = 0;
	call_free(api, call);
	mine.release(mine.arg);
	if (entry == SUBMIT_CLIENT_FULL)
		reply_error(api, number, 429, "thinking: %d of your requests wait already",
			    job->most);
	else
		reply_error(api, number, 503, "thinking: too many requests wait; try again soon");
	return false;
}

/* ---- Bodies and queries ---- */

/* A field that is null counts as missing. */
static bool is_given(const struct api_request *r, const char *key)
{
	const json_t *value = json_object_get(r->body, key);
	return value && !json_is_null(value);
}

/* Answers with what the reader objects to. */
static bool was_read(struct api *api, const struct api_request *r, const struct json_reader *in)
{
	if (in->status != QV_OK)
		reply_error(api, r->call, 400, "%s", in->error->text);
	return in->status == QV_OK;
}

bool body_text(struct api *api, const struct api_request *r, const char *key, const char **out)
{
	struct qv_error error;
	struct json_reader in = { r->body, QV_OK, &error };
	*out = is_given(r, key) ? json_read_text(&in, key) : NULL;
	return was_read(api, r, &in);
}

bool body_integer(struct api *api, const struct api_request *r, const char *key, json_int_t least,
		  json_int_t most, json_int_t preset, json_int_t *out)
{
	struct qv_error error;
	struct json_reader in = { r->body, QV_OK, &error };
	*out = is_given(r, key) ? json_read_int(&in, key, least, most) : preset;
	return was_read(api, r, &in);
}

bool body_boolean(struct api *api, const struct api_request *r, const char *key, bool *out)
{
	struct qv_error error;
	struct json_reader in = { r->body, QV_OK, &error };
	*out = is_given(r, key) && json_read_bool(&in, key);
	return was_read(api, r, &in);
}

bool body_keys(struct api *api, const struct api_request *r, const char *names)
{
	const char *key = json_unknown_key(r->body, names);
	if (key)
		reply_error(api, r->call, 400, "%.40s: no such field; there are: %s", key,
			    *names ? names : "none");
	return !key;
}

static bool decode(const char *from, size_t length, char *out, size_t size)
{
	size_t n = 0;
	for (size_t i = 0; i < length; i++) {
		int c = from[i] == '+' ? ' ' : (unsigned char)from[i];
		if (c == '%') {
			if (length - i < 3 || hex_digit(from[i + 1]) < 0 ||
			    hex_digit(from[i + 2]) < 0)
				return false;
			c = hex_digit(from[i + 1]) * 16 + hex_digit(from[i + 2]);
			i += 2;
		}
		if (c == 0 || n + 1 >= size)
			return false;
		out[n++] = (char)c;
	}
	out[n] = '\0';
	return true;
}

bool query_value(const char *query, const char *key, char *out, size_t size)
{
	const size_t key_length = strlen(key);
	while (*query) {
		const size_t length = strcspn(query, "&");
		if (strncmp(query, key, key_length) == 0 && query[key_length] == '=')
			return decode(query + key_length + 1, length - key_length - 1, out, size);
		query += length + (query[length] == '&');
	}
	return false;
}
