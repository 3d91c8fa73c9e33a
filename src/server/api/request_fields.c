/*
 * request_fields.c - reads the fields of a request: of its JSON body and of its query.
 * SPDX-License-Identifier: MIT
 *
 * A field of the wrong type, out of range or unknown gets a 400 response here, so that a route only
 * has to return.
 */
#include "base/scan.h"
#include "server/api/inside.h"

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

bool body_keys(struct api *api, const struct api_request *r, const char *names)
{
	const char *key = json_unknown_key(r->body, names);
	if (key)
		reply_error(api, r->call, 400, "%.40s: unknown field; allowed: %s", key,
			    *names ? names : "none");
	return !key;
}

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
