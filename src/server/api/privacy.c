/*
 * privacy.c - what the server stores about visitors, for the page /privacy.
 * SPDX-License-Identifier: MIT
 */
#include "server/api/inside.h"
#include "server/store/privacy.h"

/* The names of a row's fields as an array. */
static json_t *fields_of(const struct store_privacy *row)
{
	json_t *fields = json_array();
	for (const char *at = row->fields; *at; at += strspn(at, " ")) {
		const size_t length = strcspn(at, " ");
		json_array_append_new(fields, json_stringn(at, length));
		at += length;
	}
	return fields;
}

static json_t *row_json(const struct store_privacy *row)
{
	return json_pack("{s:s, s:o, s:s, s:s, s:o*}", "table", row->table, "fields",
			 fields_of(row), "purpose", row->purpose, "kept", row->kept, "days",
			 row->days ? json_integer(row->days) : NULL);
}

static json_t *cookies_json(void)
{
	static const char *const cookies[][2] = { { API_VISITOR_COOKIE, "visitor" },
						  { API_DEVICE_COOKIE, "device" } };
	json_t *list = json_array();
	for (size_t i = 0; i < sizeof cookies / sizeof cookies[0]; i++)
		json_array_append_new(list, json_pack("{s:s, s:s, s:i}", "name", cookies[i][0],
						      "purpose", cookies[i][1], "days",
						      API_COOKIE_DAYS));
	return list;
}

/* GET /api/v1/privacy */
void get_privacy(struct api *api, const struct api_request *r)
{
	const bool is_postgres = api->setup.place && *api->setup.place;
	json_t *stored = json_array();
	for (int i = 0; i < store_privacy_count; i++)
		if (is_postgres || !store_privacy[i].postgres)
			json_array_append_new(stored, row_json(&store_privacy[i]));
	reply_shared(api, r->call,
		     json_pack("{s:s?, s:b, s:i, s:i, s:o, s:o}", "contact", api->setup.contact,
			       "logs_requests", api->setup.logs_requests, "keep_guests",
			       api->setup.keep_guests, "keep_unfinished",
			       api->setup.keep_unfinished, "stored", stored, "cookies",
			       cookies_json()));
}
