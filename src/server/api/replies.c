/*
 * replies.c - the fields of a request, and the responses to it.
 * SPDX-License-Identifier: MIT
 *
 * Also part of the engine for browsers (server/wasm), which has no store, people or threads.
 */
#include <stdlib.h>

#include "base/scan.h"
#include "server/api/inside.h"

/* ---- Fields of a request ---- */

/* A field that is null counts as missing. */
static bool is_given(const struct api_request *r, const char *key)
{
	const json_t *value = json_object_get(r->body, key);
	return value && !json_is_null(value);
}

/* Responds with 400 and the reader's error, if there is one. */
static bool was_read(struct api *api, const struct api_request *r, const struct json_reader *in)
{
	if (in->status != QV_OK)
		reply_error(api, r->call, 400, "%s", in->error->text);
	return in->status == QV_OK;
}

/* The text belongs to the body and lives as long as it does. */
bool body_text(struct api *api, const struct api_request *r, const char *key, const char **out)
{
	struct qv_error error;
	struct json_reader in = { r->body, QV_OK, &error };
	*out = is_given(r, key) ? json_read_text(&in, key) : NULL;
	return was_read(api, r, &in);
}

bool body_integer(struct api *api, const struct api_request *r, const char *key, json_int_t least,
		  json_int_t most, json_int_t default_value, json_int_t *out)
{
	struct qv_error error;
	struct json_reader in = { r->body, QV_OK, &error };
	*out = is_given(r, key) ? json_read_int(&in, key, least, most) : default_value;
	return was_read(api, r, &in);
}

bool body_boolean(struct api *api, const struct api_request *r, const char *key, bool *out)
{
	struct qv_error error;
	struct json_reader in = { r->body, QV_OK, &error };
	*out = is_given(r, key) && json_read_bool(&in, key);
	return was_read(api, r, &in);
}

/* Unknown fields are refused, so that a typing error in an optional field is noticed. */
bool body_keys(struct api *api, const struct api_request *r, const char *names)
{
	const char *key = json_unknown_key(r->body, names);
	if (key)
		reply_error(api, r->call, 400, "%.40s: unknown field; allowed: %s", key,
			    *names ? names : "none");
	return !key;
}

/* The first field of that name counts. */
bool query_value(const char *query, const char *key, char *out, size_t size)
{
	const size_t key_length = strlen(key);
	while (*query) {
		const size_t length = strcspn(query, "&");
		if (strncmp(query, key, key_length) == 0 && query[key_length] == '=')
			return percent_decode(query + key_length + 1, length - key_length - 1, true,
					      out, size);
		query += length + (query[length] == '&');
	}
	return false;
}

/* ---- Responses ---- */

int verdict_http_status(enum verdict verdict)
{
	static const int statuses[] = {
		[VERDICT_OK] = 200,	 [VERDICT_MALFORMED] = 400, [VERDICT_NOT_YOURS] = 403,
		[VERDICT_NOT_NOW] = 409, [VERDICT_NO_MEMORY] = 503,
	};
	return statuses[verdict];
}

/* Every error has the same form; it must not need memory. */
size_t api_error_text(int status, const char *message, char *buffer, size_t size)
{
	static const struct {
		int status;
		const char *code;
	} codes[] = {
		{ 400, "malformed" }, { 401, "unauthorized" }, { 403, "forbidden" },
		{ 404, "not_found" }, { 405, "method" },       { 406, "encoding" },
		{ 409, "conflict" },
		{ 411, "length" },    { 413, "too_large" },    { 415, "type" },
		{ 426, "version" },   { 429, "too_fast" },     { 431, "too_large" },
		{ 503, "unavailable" },
	};
	struct qv_text out = { buffer, size, 0 };
	const char *code = "failed";
	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
		if (codes[i].status == status)
			code = codes[i].code;
	qv_put(&out, "{\"error\":{\"code\":");
	json_put_quoted(&out, code);
	qv_put(&out, ",\"message\":");
	json_put_quoted(&out, message);
	qv_put(&out, "}}");
	return out.length;
}

/* All responses leave through here. The host looks up the connection by the call's number. */
void reply_bytes(struct api *api, const struct outgoing *out, const char *bytes, size_t size)
{
	const char *type = out->stream ? "application/x-ndjson" : "application/json";
	const struct api_response response = { .call = out->call,
					       .status = out->status,
					       .type = out->type ? out->type : type,
					       .text = bytes,
					       .size = size,
					       .shared = out->shared,
					       .stream = out->stream,
					       .end = out->end,
					       .cookie = out->cookie,
					       .file = out->file,
					       .max_age = out->max_age };
	api_respond(api, &response);
}

void reply_text(struct api *api, const struct outgoing *out, const char *text)
{
	reply_bytes(api, out, text, strlen(text));
}

/* Failures of the server itself are logged; those of requests are the client's business. */
void reply_error(struct api *api, uint64_t call, int status, const char *format, ...)
{
	const struct outgoing out = { .call = call, .status = status, .end = true };
	char message[512], text[1200];
	va_list args;
	va_start(args, format);
	vsnprintf(message, sizeof message, format, args);
	va_end(args);
	if (status >= 500)
		api_failed(api, call, status, message);
	api_error_text(status, message, text, sizeof text);
	reply_text(api, &out, text);
}

void reply_no_memory(struct api *api, uint64_t call)
{
	reply_error(api, call, 503, "server: out of memory");
}

void reply_not_stored(struct api *api, uint64_t call)
{
	const bool unsure = store_is_unsure(api->store);
	reply_error(api, call, 503,
		    unsure ? "store: it is unknown whether this was stored; check, then try again"
			   : "store: this could not be stored; try again");
}

void reply_ok(struct api *api, uint64_t call, const char *text)
{
	const struct outgoing out = { .call = call, .status = 200, .end = true };
	if (text)
		reply_text(api, &out, text);
	else
		reply_no_memory(api, call);
}

void reply_message(struct api *api, uint64_t call, const char *text)
{
	reply_text(api, &(struct outgoing){ .call = call, .status = 200, .stream = true }, text);
}

/*
 * The three digits are those of reading_run and search_jobs.c. A process that a visitor's file has
 * broken may write anything.
 */
void reply_result(struct api *api, uint64_t call, const char *text)
{
	const char *digits = text && *text == '!' ? text + 1 : NULL;
	if (!digits)
		reply_ok(api, call, text);
	else if ((*digits == '4' || *digits == '5') && strspn(digits, "0123456789") >= 3)
		reply_error(api, call, (digits[0] - '0') * 100 + (digits[1] - '0') * 10 + digits[2] - '0',
			    "%s", digits + 3);
	else
		reply_error(api, call, 500, "worker: a result is malformed");
}

void reply_json(struct api *api, const struct outgoing *out, json_t *json)
{
	char *text = json_to_text(json, RESPONSE_JSON);
	if (text)
		reply_text(api, out, text);
	else
		reply_no_memory(api, out->call);
	free(text);
}

void reply(struct api *api, uint64_t call, int status, json_t *json)
{
	reply_json(api, &(struct outgoing){ .call = call, .status = status, .end = true }, json);
}

void reply_shared(struct api *api, uint64_t call, json_t *json)
{
	reply_json(
		api,
		&(struct outgoing){ .call = call, .status = 200, .shared = true, .end = true },
		json);
}

void reply_kept(struct api *api, uint64_t call, const char *text)
{
	const struct outgoing out = { .call = call, .status = 200, .shared = true, .end = true };
	if (text)
		reply_text(api, &out, text);
	else
		reply_no_memory(api, call);
}

void reply_end(struct api *api, uint64_t call)
{
	const struct outgoing end = { .call = call, .status = 200, .stream = true, .end = true };
	reply_text(api, &end, "");
}
