/*
 * server_api.c - fuzz target: lines of requests, as strangers might send them, through the API.
 * Every request is answered at most once, or is a stream; every answer is JSON and has a status
 * that is documented.
 * SPDX-License-Identifier: MIT
 *
 * A line is "GET PATH[?QUERY]", "POST PATH JSON", "CANCEL NUMBER" or "TURN [MS]"; "$" in a path stands for the play made last.
 * Each input is a new visitor at a new address, so that rate limits apply to it as to anybody.
 */
#include "fuzz/host.h"

enum { MOST_LINES = 40, MOST_TURNS = 100, INPUTS_OF_ONE = 500 };

struct desk {
	struct fuzz_host host;
	int inputs; /* since the API was opened */
	char play[64];
	uint64_t first, calls;
	bool answered[MOST_LINES], ended[MOST_LINES];
};

static struct desk desk = { .first = 1 };

static void on_answer(void *ctx, const struct api_response *a)
{
	(void)ctx;
	if (a->call < desk.first)
		return;                            /* of an earlier input: it was cancelled */
	const uint64_t place = a->call - desk.first;
	fuzz_require(place < MOST_LINES && !desk.ended[place]);
	fuzz_require(strlen(a->text) == a->size || strncmp(a->type, "image/", 6) == 0);
	desk.answered[place] = true;
	desk.ended[place] = a->end;
	fuzz_require(a->stream || a->end);
	fuzz_require(a->status == 200 || a->status == 201 || (a->status >= 400 && a->status < 504));
	if (a->size && strcmp(a->type, "application/json") == 0) {
		json_t *json = json_loads(a->text, JSON_DECODE_ANY, NULL);
		fuzz_require(json != NULL);
		const char *id = json_string_value(json_object_get(json, "seat_token")) ?
					 json_string_value(json_object_get(json, "id")) : NULL;
		if (id)
			snprintf(desk.play, sizeof desk.play, "%s", id);
		json_decref(json);
	}
}

static void close_api(void)
{
	api_close(desk.host.api);
	desk.host.api = NULL;
	if (desk.host.folder[0])
		fuzz_folder_remove(desk.host.folder);
}

static void open_api(void)
{
	struct qv_error error = { "" };
	if (desk.host.api && desk.inputs++ < INPUTS_OF_ONE)
		return;
	if (!desk.host.folder[0]) {
		fuzz_use_own_random();
		fuzz_games(); /* they are freed after the API */
		atexit(close_api);
	}
	close_api();
	desk.inputs = 0;
	desk.play[0] = '\0';
	fuzz_folder_make(desk.host.folder);
	fuzz_require(host_open(&desk.host, on_answer, &error) == QV_OK);
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
			qv_put(&text, desk.play);
		else
			qv_put_char(&text, *path);
}

static void send_request(const struct visitor *who, enum api_method method, char *rest)
{
	char path[2000];
	char *body = method == API_POST ? strchr(rest, ' ') : NULL;
	if (body)
		*body++ = '\0';
	char *query = strchr(rest, '?');
	if (query)
		*query++ = '\0';
	put_path(path, sizeof path, rest);
	json_t *json =
		body ? json_loads(body, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, NULL) : NULL;
	const struct api_request request = { .method = method, .path = path,
					     .query = query ? query : "", .body = json,
					     .visitor = who, .call = desk.first + desk.calls };
	desk.calls++;
	api_handle(desk.host.api, &request);
	json_decref(json);
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
		const long ms = strncmp(line, "TURN ", 5) == 0 ? strtol(line + 5, NULL, 10) : 1;
		desk.host.now += ms > 0 && ms < 1000000 ? ms : 1;
		turn_all();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	char address[32];
	struct visitor who;
	open_api();
	snprintf(address, sizeof address, "10.%d.%d.1", desk.inputs / 250, desk.inputs % 250);
	fuzz_require(api_identify(desk.host.api, text, NULL, address, &who));
	memset(desk.answered, 0, sizeof desk.answered);
	memset(desk.ended, 0, sizeof desk.ended);
	for (char *line = text, *next; *line && desk.calls < MOST_LINES; line = next) {
		next = fuzz_next_line(line);
		feed(&who, line);
	}
	turn_all();
	for (uint64_t i = 0; i < desk.calls; i++)
		api_cancel(desk.host.api, desk.first + i);
	desk.first += desk.calls;
	desk.calls = 0;
	free(text);
	return 0;
}
