/*
 * server_api.c - fuzz target: lines of requests, as strangers might send them, through the API.
 * Every request is answered at most once, or is a stream; every answer is JSON and has a status
 * that is documented.
 * SPDX-License-Identifier: MIT
 *
 * A line is "GET PATH[?QUERY]", "POST PATH JSON", "CANCEL NUMBER" or "TURN [MS]"; "$" in a path stands for the play made last.
 * Each input is a new visitor at a new address, so that rate limits apply to it as to anybody.
 */
#include "fuzz/api_desk.h"

static char play[64]; /* "$" */

static void on_answer(void *ctx, const struct api_response *a)
{
	(void)ctx;
	if (!desk_check(a))
		return;
	fuzz_require(strlen(a->text) == a->size || strncmp(a->type, "image/", 6) == 0);
	fuzz_require(a->status == 200 || a->status == 201 || (a->status >= 400 && a->status < 504));
	if (a->size && strcmp(a->type, "application/json") == 0) {
		json_t *json = json_loads(a->text, JSON_DECODE_ANY, NULL);
		fuzz_require(json != NULL);
		const char *id = json_string_value(json_object_get(json, "seat_token")) ?
					 json_string_value(json_object_get(json, "id")) : NULL;
		if (id)
			snprintf(play, sizeof play, "%s", id);
		json_decref(json);
	}
}

/* Turns until everything has an answer, or nothing more comes. */
static void turn_all(void)
{
	for (int turn = 0; turn < MOST_TURNS; turn++) {
		bool open = false;
		api_turn(desk.host.api);
		for (uint64_t i = 0; i < desk.calls; i++)
			open |= !desk.answered[i];
		if (!open || !host_step(&desk.host))
			return;
	}
}

/* The path with the play's id in it. */
static void put_path(char *out, size_t size, const char *path)
{
	struct qv_text text = { out, size, 0 };
	for (out[0] = '\0'; *path; path++)
		if (*path == '$')
			qv_put(&text, play);
		else
			qv_put_char(&text, *path);
}

static void send_request(const struct visitor *who, enum api_method method, char *rest)
{
	char path[2000];
	const char *body = method == API_POST ? desk_cut(rest, ' ') : NULL;
	const char *query = desk_cut(rest, '?');
	put_path(path, sizeof path, rest);
	desk_send(who, method, path, query, body);
}

static void feed(const struct visitor *who, char *line)
{
	if (strncmp(line, "GET ", 4) == 0)
		send_request(who, API_GET, line + 4);
	else if (strncmp(line, "POST ", 5) == 0)
		send_request(who, API_POST, line + 5);
	else if (strncmp(line, "CANCEL ", 7) == 0)
		api_cancel(desk.host.api, desk.first + (uint64_t)(line[7] & 31));
	else {
		desk_pass_time(line, 1000000);
		turn_all();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	char address[32];
	struct visitor who;
	if (desk_open(on_answer))
		play[0] = '\0';
	snprintf(address, sizeof address, "10.%d.%d.1", desk.inputs / 250, desk.inputs % 250);
	fuzz_require(api_identify(desk.host.api, text, NULL, address, &who));
	desk_run(text, &who, feed, turn_all);
	free(text);
	return 0;
}
