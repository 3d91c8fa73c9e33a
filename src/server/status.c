/*
 * status.c - the words of an error on the web.
 * SPDX-License-Identifier: MIT
 */
#include "server/api.h"

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

/* Messages may quote what a visitor sent, so they are escaped. */
static void put_escaped(struct qv_text *out, const char *text)
{
	for (; *text; text++) {
		const unsigned char c = (unsigned char)*text;
		if (c == '"' || c == '\\')
			qv_put_char(out, '\\');
		qv_put_char(out, c < ' ' || c > '~' ? '?' : (char)c);
	}
}

size_t api_error_text(int status, const char *message, char *buffer, size_t size)
{
	struct qv_text out = { buffer, size, 0 };
	qv_put(&out, "{\"error\":{\"code\":\"");
	qv_put(&out, code_of(status));
	qv_put(&out, "\",\"message\":\"");
	put_escaped(&out, message);
	qv_put(&out, "\"}}");
	return out.length;
}
