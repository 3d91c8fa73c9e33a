/*
 * error_text.c - the words of an error on the web.
 * SPDX-License-Identifier: MIT
 */
#include "server/api/api.h"

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
