/*
 * api_desk.h - for fuzz targets whose inputs are lines of requests to one API: opening it, sending the requests, checking the
 * responses.
 * SPDX-License-Identifier: MIT
 */
#ifndef FUZZ_API_DESK_H
#define FUZZ_API_DESK_H

#include "fuzz/host.h"

enum { MOST_LINES = 40, MOST_TURNS = 100, INPUTS_OF_ONE = 500 };

static struct {
	struct fuzz_host host;
	int inputs;	       /* since the API was opened */
	uint64_t first, calls; /* of this input */
	bool answered[MOST_LINES], ended[MOST_LINES];
} desk = { .first = 1 };

/* ---- The API ---- */

static inline void desk_close(void)
{
	api_close(desk.host.api);
	desk.host.api = NULL;
	if (desk.host.folder[0])
		fuzz_folder_remove(desk.host.folder);
}

/* Many inputs share an API, which saves time. True: this one has a new one. */
static inline bool desk_open(void (*respond)(void *ctx, const struct api_response *))
{
	struct qv_error error = { "" };
	if (desk.host.api && desk.inputs++ < INPUTS_OF_ONE)
		return false;
	if (!desk.host.folder[0]) {
		fuzz_use_own_random();
		fuzz_games(); /* they are freed after the API */
		atexit(desk_close);
	}
	desk_close();
	desk.inputs = 0;
	fuzz_folder_make(desk.host.folder);
	fuzz_require(host_open(&desk.host, respond, &error) == QV_OK);
	return true;
}

/* ---- Requests ---- */

/* What holds for every response. False: it is of an earlier input, which was cancelled. */
static inline bool desk_check(const struct api_response *a)
{
	host_leaves(a->text, a->size);
	if (a->call < desk.first)
		return false;
	const uint64_t place = a->call - desk.first;
	fuzz_require(place < MOST_LINES && !desk.ended[place]);
	fuzz_require(a->stream || a->end);
	desk.answered[place] = true;
	desk.ended[place] = a->end;
	return true;
}

/* Ends the text at the mark. Returns what follows; NULL: there is no mark. */
static inline char *desk_cut(char *text, char mark)
{
	char *at = strchr(text, mark);
	if (at)
		*at++ = '\0';
	return at;
}

/* query and body may be NULL. */
static inline void desk_send(const struct visitor *who, enum api_method method, const char *path,
			     const char *query, const char *body)
{
	json_t *json =
		body ? json_loads(body, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, NULL) : NULL;
	const struct api_request request = { .method = method,
					     .path = path,
					     .query = query ? query : "",
					     .body = json,
					     .visitor = who,
					     .call = desk.first + desk.calls };
	desk.calls++;
	api_handle(desk.host.api, &request);
	json_decref(json);
}

/* ---- Inputs ---- */

/* "TURN [MS]": moves the clock, by 1 ms if the number is missing or not below `most`. */
static inline void desk_pass_time(const char *line, long most)
{
	const long ms = strncmp(line, "TURN ", 5) == 0 ? strtol(line + 5, NULL, 10) : 1;
	desk.host.now += ms > 0 && ms < most ? ms : 1;
}

/* All lines of an input; each sends one request at most. `turn` waits for the last responses. */
static inline void desk_run(char *text, const struct visitor *who,
			    void (*feed)(const struct visitor *who, char *line), void (*turn)(void))
{
	memset(desk.answered, 0, sizeof desk.answered);
	memset(desk.ended, 0, sizeof desk.ended);
	for (char *line = text, *next; *line && desk.calls < MOST_LINES; line = next) {
		next = fuzz_next_line(line);
		work_set_aside(false); /* a request alone */
		feed(who, line);
	}
	turn();
	for (uint64_t i = 0; i < desk.calls; i++)
		api_cancel(desk.host.api, desk.first + i);
	desk.first += desk.calls;
	desk.calls = 0;
}

#endif
