/*
 * server_api.c - fuzz target: lines of requests, as strangers might send them, through the API.
 * Every request is answered at most once, or is a stream; every answer is JSON and has a status
 * that is documented.
 * SPDX-License-Identifier: MIT
 *
 * A line is "GET PATH[?QUERY]", "POST PATH JSON", "CANCEL NUMBER" or "TURN"; "$" in a path stands
 * for the play made last. One server is kept for all inputs, in a folder that is removed at the
 * end; each input is a new visitor.
 */
#include <dirent.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "fuzz/fuzz.h"
#include "server/api/api.h"

enum { MOST_LINES = 40, MOST_TURNS = 100 };

struct host {
	struct api *api;
	char folder[32], play[64];
	uint64_t first, calls;
	bool ended[MOST_LINES + 1];
};

static struct host host = { .folder = "fuzz-api-XXXXXX" };

static void on_answer(void *ctx, const struct api_response *a)
{
	(void)ctx;
	if (a->call < host.first)
		return;                            /* of an earlier input: it was cancelled */
	const uint64_t place = a->call - host.first;
	fuzz_require(place < MOST_LINES && !host.ended[place] && strlen(a->text) == a->size);
	host.ended[place] = a->end;
	fuzz_require(a->stream || a->end);
	fuzz_require(a->status == 200 || a->status == 201 || (a->status >= 400 && a->status < 504));
	if (a->size && strcmp(a->type, "application/json") == 0) {
		json_t *json = json_loads(a->text, JSON_DECODE_ANY, NULL);
		fuzz_require(json != NULL);
		const char *id = json_string_value(json_object_get(json, "seat_token")) ?
					 json_string_value(json_object_get(json, "id")) : NULL;
		if (id)
			snprintf(host.play, sizeof host.play, "%s", id);
		json_decref(json);
	}
}

static void on_wake(void *ctx)
{
	(void)ctx;
}

static int64_t now_ms(void *ctx)
{
	(void)ctx;
	return clock_us() / 1000;
}

static int64_t seconds(void *ctx)
{
	(void)ctx;
	return 1700000000;
}

static void remove_folder(const char *folder)
{
	DIR *dir = opendir(folder);
	char path[600];
	for (struct dirent *e; dir && (e = readdir(dir));) {
		snprintf(path, sizeof path, "%.200s/%.255s", folder, e->d_name);
		unlink(path);
	}
	if (dir)
		closedir(dir);
	rmdir(folder);
}

static void at_end(void)
{
	api_close(host.api);
	remove_folder(host.folder);
}

static void open_api(void)
{
	if (host.api)
		return;
	fuzz_require(mkdtemp(host.folder) != NULL);
	const struct api_setup setup = { .context = fuzz_games(),
					 .data = host.folder,
					 .workers = 1,
					 .hash_mb = 1,
					 .per_address = 1000000,
					 .host = { on_answer, on_wake, now_ms, seconds, NULL } };
	struct qv_error error = { "" };
	host.first = 1;
	fuzz_require(api_open(&setup, &host.api, &error) == QV_OK);
	atexit(at_end);
}

/* Turns until all but streams are answered, or for a little while. */
static void turn_all(int lines)
{
	for (int turn = 0; turn < MOST_TURNS; turn++) {
		bool open = false;
		api_turn(host.api);
		for (int i = 0; i < lines; i++)
			open |= !host.ended[i];
		if (!open)
			return;
		nanosleep(&(struct timespec){ .tv_nsec = 200000 }, NULL);
	}
}

/* The path with the play's id in it. */
static void put_path(char *out, size_t size, const char *path)
{
	struct qv_text text = { out, size, 0 };
	for (out[0] = '\0'; *path; path++)
		if (*path == '$')
			qv_put(&text, host.play);
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
					     .visitor = who, .call = host.first + host.calls };
	host.calls++;
	api_handle(host.api, &request);
	json_decref(json);
}

static void feed(const struct visitor *who, char *line)
{
	if (strncmp(line, "GET ", 4) == 0)
		send_request(who, API_GET, line + 4);
	else if (strncmp(line, "POST ", 5) == 0)
		send_request(who, API_POST, line + 5);
	else if (strncmp(line, "CANCEL ", 7) == 0)
		api_cancel(host.api, host.first + (uint64_t)(line[7] & 31));
	else
		turn_all((int)host.calls);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct visitor who;
	open_api();
	fuzz_require(api_identify(host.api, text, NULL, "127.0.0.1", &who));
	memset(host.ended, 0, sizeof host.ended);
	for (char *line = text, *next; *line && host.calls < MOST_LINES; line = next) {
		next = fuzz_next_line(line);
		feed(&who, line);
	}
	turn_all((int)host.calls);
	for (uint64_t i = 0; i < host.calls; i++)
		api_cancel(host.api, host.first + i);
	host.first += host.calls;
	host.calls = 0;
	free(text);
	return 0;
}
