/*
 * responses.c - responses of the API, and the JSON of an error.
 * SPDX-License-Identifier: MIT
 *
 * A response passes through reply_text to the host, which knows how to send it. Every error has the
 * same form: {"error":{"code","message"}}, the message being "WHAT: WHY".
 */
#include <stdlib.h>

#include "server/api/inside.h"

int verdict_http_status(enum verdict verdict)
{
	static const int statuses[] = {
		[VERDICT_OK] = 200,	   [VERDICT_MALFORMED] = 400, [VERDICT_NOT_YOURS] = 403,
		[VERDICT_NOT_NOW] = 409, [VERDICT_NO_MEMORY] = 503,
	};
	return statuses[verdict];
}

static const char *code_of(int status)
{
	static const struct {
		int status;
		const char *code;
	} codes[] = {
		{ 400, "malformed" }, { 401, "unauthorized" }, { 403, "forbidden" },
		{ 404, "not_found" }, { 405, "method" },       { 409, "conflict" },
		{ 411, "length" },    { 413, "too_large" },    { 415, "type" },
		{ 429, "too_fast" },  { 431, "too_large" },    { 503, "unavailable" },
	};
	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
		if (codes[i].status == status)
			return codes[i].code;
	return "failed";
}

size_t api_error_text(int status, const char *message, char *buffer, size_t size)
{
	struct qv_text out = { buffer, size, 0 };
	qv_put(&out, "{\"error\":{\"code\":");
	json_put_quoted(&out, code_of(status));
	qv_put(&out, ",\"message\":");
	json_put_quoted(&out, message);
	qv_put(&out, "}}");
	return out.length;
}

void reply_text(struct api *api, const struct outgoing *out, const char *text)
{
	const struct api_response response = {
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
	api->setup.host.respond(api->setup.host.ctx, &response);
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
