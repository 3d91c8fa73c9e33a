/*
 * api_desk.h - the web interface on a desk: a host without sockets, whose clock the test turns.
 * Every answer is checked against openapi.json.
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_API_DESK_H
#define TEST_API_DESK_H

#include <dirent.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "support/check.h"
#include "support/json_schema.h"
#include "support/promises.h"
#include "server/api/api.h"

enum { DESK_CALLS = 20000, DESK_ROUTES = 96 };

struct desk_answer {
	int status;
	json_t *json;              /* NULL: no JSON */
	char *text, *type, *file, *cookie, *device; /* device: the second value of the cookie */
	bool stream, end;
	struct desk_answer *next;
};

struct desk_call {
	char method[8], path[256];
	struct desk_answer *first, *last;
	int count;
	bool ended;
};

struct api_desk {
	struct api *api;
	struct qv_context *context;
	char folder[64];
	int64_t now, skew;         /* added to the real clock */
	bool frozen;               /* the clock stands at now */
	bool measured;             /* from the next opening on: requests are charged by `busy` */
	void (*respond)(void *ctx, const struct api_response *response); /* NULL: desk_answer */
	int64_t busy, busy_step;   /* processor time in us; added to it with each look */
	atomic_bool woken;
	uint64_t calls;
	struct desk_call *call;    /* [number] */
	json_t *openapi;           /* NULL: answers are not checked yet */
	bool seen[DESK_ROUTES];    /* which of its routes have given a good answer */
	char fault[512];           /* the first answer that did not keep to it */
	int workers, per_address;
	const char *place;         /* of the database; NULL: in the folder */
	enum api_think think;      /* from the next opening on, and */
	const char *const *worker_command; /* as in api_setup */
	struct api_cluster cluster; /* from the next opening on: other servers */
	const char *mail_command;  /* set it, and call desk_reopen */
	int ended;                 /* how often credentials have ended */
	struct visitor *socket;    /* of a connection that is checked then; NULL: none */
	bool socket_closed;
	bool manual;               /* from the next opening on: desk_step does what threads would */
	/* As in api_setup; to be set before desk_reopen. */
	int64_t max_data, day_bytes;
	int keep_guests, keep_unfinished;
	int64_t overload_ms;       /* 0: nothing is refused for it, however slow the machine is */
	int64_t days;              /* added to the date */
	char log[4096];            /* what was said to the operator, a line each: "level text" */
};

/* The address of a game, or of something of it; good until eight more were made. */
static inline const char *play_path(const char *id, const char *rest)
{
	static char paths[8][128];
	static int next;
	char *path = paths[next++ % 8];
	snprintf(path, sizeof paths[0], "/api/v1/plays/%s%s", id, rest);
	return path;
}

static inline struct visitor desk_visitor(struct api_desk *d);
static inline json_t *desk_ask(struct api_desk *d, const struct visitor *who, const char *method,
			       const char *path, const char *body, int status);
static inline const char *desk_text(const json_t *object, const char *key);

/* ---- The host ---- */

static inline int64_t desk_now(void *ctx)
{
	const struct api_desk *d = ctx;
	return d->frozen ? d->now : clock_us() / 1000 + d->skew;
}

static inline int64_t desk_seconds(void *ctx)
{
	const struct api_desk *d = ctx;
	return 1700000000 + d->days * 86400 + desk_now(ctx) / 1000;
}

static inline int64_t desk_busy(void *ctx)
{
	struct api_desk *d = ctx;
	return d->busy += d->busy_step;
}

static inline void desk_wake(void *ctx)
{
	struct api_desk *d = ctx;
	atomic_store(&d->woken, true);
}

/* What leaves any server of the test, in whatever way. */
static inline void desk_leaves(const char *text, size_t size)
{
	static struct promises promises;
	if (!promises_see(&promises, text, size))
		fail_msg("the secret of a roll to come: %.2000s", text);
}

static inline void desk_log(void *ctx, const char *level, const char *text)
{
	struct api_desk *d = ctx;
	const size_t length = strlen(d->log);
	desk_leaves(text, strlen(text));
	snprintf(d->log + length, sizeof d->log - length, "%s %s\n", level, text);
}

static inline void desk_ended(void *ctx)
{
	struct api_desk *d = ctx;
	d->ended++;
	if (d->socket && !api_recheck(d->api, d->socket))
		d->socket_closed = true;
}

static inline char *copy_text(const char *text)
{
	return text ? strdup(text) : NULL;
}

/* "/api/v1/plays/{id}" and "/api/v1/plays/abc". */
static inline bool path_fits(const char *pattern, const char *path)
{
	while (*pattern) {
		if (*pattern == '{') {
			pattern += strcspn(pattern, "}") + 1;
			const size_t length = strcspn(path, "/");
			if (!length)
				return false;
			path += length;
		} else if (*pattern++ != *path++) {
			return false;
		}
	}
	return !*path;
}

/* The operation of a call, and its place among all of them; NULL: there is none. */
static inline json_t *find_route(const struct api_desk *d, const struct desk_call *call, int *place)
{
	json_t *methods, *operation;
	const char *path, *method;
	char bare[256];
	int i = 0;
	snprintf(bare, sizeof bare, "%.*s", (int)strcspn(call->path, "?"), call->path);
	json_object_foreach(json_object_get(d->openapi, "paths"), path, methods)
		json_object_foreach(methods, method, operation) {
			if (strcasecmp(method, call->method) == 0 && path_fits(path, bare)) {
				*place = i;
				return operation;
			}
			i++;
		}
	return NULL;
}

static inline void check_answer(struct api_desk *d, const struct desk_call *call,
			 const struct desk_answer *answer)
{
	int place = -1;
	char status[16], why[300] = "";
	const json_t *operation = find_route(d, call, &place);
	snprintf(status, sizeof status, "%d", answer->status);
	const json_t *response =
		json_object_get(json_object_get(operation, "responses"), status);
	const json_t *schema = json_object_get(
		json_object_get(json_object_get(response, "content"), answer->type), "schema");
	if (answer->stream && answer->end && !*answer->text)
		return;                            /* the end of a stream, without a message */
	if (answer->status >= 400 && !schema)
		schema = json_object_get(json_object_get(json_object_get(d->openapi, "components"),
							 "schemas"),
					 "Error");
	json_t *text = answer->json ? NULL : json_string(answer->text);
	if (!schema)
		snprintf(why, sizeof why, "openapi.json knows no such answer");
	else if (schema_holds(d->openapi, schema, answer->json ? answer->json : text, why,
			      sizeof why) &&
		 place >= 0 && place < DESK_ROUTES && answer->status < 300)
		d->seen[place] = true;
	json_decref(text);
	if (*why && !*d->fault)
		snprintf(d->fault, sizeof d->fault, "%s %.100s %s: %.300s", call->method,
			 call->path, status, why);
}

static inline void desk_answer(void *ctx, const struct api_response *a)
{
	struct api_desk *d = ctx;
	struct desk_call *call = &d->call[a->call];
	struct desk_answer *answer = calloc(1, sizeof *answer);
	assert_true(answer && a->call > 0 && a->call <= d->calls);
	assert_false(call->ended);                 /* nothing after the end */
	const bool picture = strcmp(a->type, "image/png") == 0;
	if (picture)
		assert_memory_equal(a->text, "\x89PNG\r\n\x1a\n", 8);
	else
		assert_int_equal(strlen(a->text), a->size);
	const char *text = picture ? "a picture" : a->text;
	desk_leaves(text, strlen(text));
	*answer = (struct desk_answer){ .status = a->status,
					.json = json_loads(text, JSON_REJECT_DUPLICATES, NULL),
					.text = copy_text(text),
					.type = copy_text(a->type),
					.file = copy_text(a->file),
					.cookie = copy_text(a->cookie),
					.stream = a->stream,
					.end = a->end };
	char *blank = answer->cookie ? strchr(answer->cookie, ' ') : NULL;
	if (blank) {
		*blank = '\0';
		answer->device = copy_text(blank + 1);
	}
	if (call->last)
		call->last->next = answer;
	else
		call->first = answer;
	call->last = answer;
	call->count++;
	call->ended = a->end;
	assert_true(a->stream || a->end);          /* without a stream there is one answer */
	if (d->openapi)
		check_answer(d, call, answer);
}

/* ---- Opening and closing ---- */

static inline void desk_remove(const char *folder)
{
	DIR *dir = opendir(folder);
	char path[512];
	for (struct dirent *e; dir && (e = readdir(dir));)
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) {
			snprintf(path, sizeof path, "%.200s/%.255s", folder, e->d_name);
			if (unlink(path) != 0)
				desk_remove(path);
		}
	if (dir)
		closedir(dir);
	rmdir(folder);
}

static inline void desk_api_open(struct api_desk *d)
{
	struct qv_error error = { "" };
	const struct api_setup setup = {
		.context = d->context,
		.data = d->folder,
		.workers = d->workers,
		.hash_mb = 1,
		.per_address = d->per_address,
		.max_data = d->max_data,
		.day_bytes = d->day_bytes,
		.keep_guests = d->keep_guests,
		.overload_ms = d->overload_ms ? d->overload_ms : -1,
		.keep_unfinished = d->keep_unfinished,
		.host = { .respond = d->respond ? d->respond : desk_answer,
			  .wake = desk_wake,
			  .now_ms = desk_now,
			  .seconds = desk_seconds,
			  .ctx = d,
			  .ended = desk_ended,
			  .busy_us = d->measured ? desk_busy : NULL },
		.mail_command = d->mail_command,
		.mail_from = "games@games.example",
		.site = "https://games.example",
		.log = { desk_log, d },
		.manual = d->manual,
		.cluster = d->cluster,
		.place = d->place,
		.think = d->think,
		.worker_command = d->worker_command,
	};
	if (api_open(&setup, &d->api, &error) != QV_OK)
		fail_msg("%s", error.text);
}

/* A new folder under the current one, removed at the end. */
static inline void desk_open(struct api_desk *d, int workers, int per_address)
{
	*d = (struct api_desk){ .folder = "test-api-XXXXXX" };
	d->workers = workers;
	d->per_address = per_address;
	assert_non_null(mkdtemp(d->folder));
	d->context = qv_context_new(NULL);
	d->call = calloc(DESK_CALLS, sizeof *d->call);
	assert_true(d->context && d->call);
	desk_api_open(d);
	const struct visitor who = desk_visitor(d);
	json_t *openapi = desk_ask(d, &who, "GET", "/api/v1/openapi.json", NULL, 200);
	d->openapi = json_incref(openapi);
	assert_string_equal(desk_text(d->openapi, "openapi"), "3.1.0");
	desk_ask(d, &who, "GET", "/api/v1/openapi.json", NULL, 200);
}

/* Closed, and opened on the same folder. */
static inline void desk_reopen(struct api_desk *d)
{
	api_close(d->api);
	desk_api_open(d);
}

static inline void desk_close(struct api_desk *d)
{
	api_close(d->api);
	for (uint64_t i = 1; i <= d->calls; i++)
		while (d->call[i].first) {
			struct desk_answer *a = d->call[i].first;
			d->call[i].first = a->next;
			json_decref(a->json);
			free(a->text);
			free(a->type);
			free(a->file);
			free(a->device);
			free(a->cookie);
			free(a);
		}
	free(d->call);
	json_decref(d->openapi);
	qv_context_free(d->context);
	desk_remove(d->folder);
}

static inline void copy_file(const char *from, const char *to)
{
	char buffer[4096];
	FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
	assert_true(in && out);
	for (size_t n; (n = fread(buffer, 1, sizeof buffer, in)) > 0;)
		assert_int_equal(fwrite(buffer, 1, n, out), n);
	fclose(in);
	fclose(out);
	chmod(to, 0600);
}

static inline void desk_copy_folder(const struct api_desk *d, char out[64])
{
	char from[600], to[600];
	strcpy(out, "test-copy-XXXXXX");
	assert_non_null(mkdtemp(out));
	DIR *dir = opendir(d->folder);
	assert_non_null(dir);
	for (struct dirent *e; (e = readdir(dir));) {
		snprintf(from, sizeof from, "%.63s/%.255s", d->folder, e->d_name);
		snprintf(to, sizeof to, "%.63s/%.255s", out, e->d_name);
		struct stat info;
		/* What is only in memory (the index of the log) a crash would lose too. */
		if (stat(from, &info) == 0 && S_ISREG(info.st_mode) && !strstr(from, "-shm"))
			copy_file(from, to);
	}
	closedir(dir);
}

/* ---- Asking ---- */

static inline struct visitor desk_visitor(struct api_desk *d)
{
	struct visitor fresh, who;
	assert_true(api_identify(d->api, NULL, NULL, "127.0.0.1", &fresh));
	assert_true(fresh.fresh);
	assert_true(api_identify(d->api, fresh.cookie, NULL, "127.0.0.1", &who));
	assert_false(who.fresh);
	assert_string_equal(who.user, fresh.user);
	return who;
}

/* Sends it; body may be NULL. Returns the number of the call. */
static inline uint64_t desk_send(struct api_desk *d, const struct visitor *who, const char *method,
		   const char *path, const char *body)
{
	const uint64_t number = ++d->calls;
	const char *query = strchr(path, '?');
	char bare[1024];
	assert_true(number < DESK_CALLS);
	snprintf(d->call[number].method, sizeof d->call[number].method, "%s", method);
	snprintf(d->call[number].path, sizeof d->call[number].path, "%s", path);
	snprintf(bare, sizeof bare, "%.*s", query ? (int)(query - path) : (int)strlen(path), path);
	json_t *json = body ? json_loads(body, 0, NULL) : NULL;
	const struct api_request request = {
		.method = strcmp(method, "POST") == 0 ? API_POST : API_GET,
		.path = bare,
		.query = query ? query + 1 : "",
		.body = json,
		.visitor = who,
		.call = number,
	};
	assert_true(!body || json);
	api_handle(d->api, &request);
	json_decref(json);
	return number;
}

static inline void nap(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 500000 }, NULL);
}

/* Without threads: does all that waits for the store and for workers. Returns how much it was. */
static inline int desk_step(struct api_desk *d)
{
	int steps = 0;
	while (d->manual && (api_step(d->api, API_STORE) || api_step(d->api, API_WORKER)))
		steps++;
	return steps;
}

/* Turns until there are so many answers, or it ended; fails the test after a minute. */
static inline struct desk_call *desk_wait(struct api_desk *d, uint64_t call, int count)
{
	struct desk_call *c = &d->call[call];
	const int64_t until = clock_us() + 60 * 1000000;
	while (c->count < count && !c->ended) {
		const int steps = desk_step(d);
		api_turn(d->api);
		if (!steps && c->count < count && !c->ended)
			nap();
		if (clock_us() > until)
			fail_msg("%s %s: no answer", c->method, c->path);
	}
	return c;
}

/* For so long, in real time, and some turns at least, however long the machine stands still. */
static inline void desk_turn(struct api_desk *d, int ms)
{
	const int64_t until = clock_us() + ms * 1000;
	for (int i = 0; i < 2 || clock_us() < until; i++, nap())
		api_turn(d->api);
}

/* Both; the last answer must have that status. Borrowed, until desk_close. */
static inline json_t *desk_ask(struct api_desk *d, const struct visitor *who, const char *method,
		 const char *path, const char *body, int status)
{
	const struct desk_call *c = desk_wait(d, desk_send(d, who, method, path, body), 1);
	if (c->last->status != status)
		fail_msg("%s %s %s: %d, not %d: %s", method, path, body ? body : "",
			 c->last->status, status, c->last->text);
	return c->last->json;
}

/* The preview of a page; it has no route, so that it is not checked against openapi.json. */
static inline const json_t *desk_preview(struct api_desk *d, const struct visitor *who,
					 const char *path)
{
	const uint64_t number = ++d->calls;
	const struct api_request request = {
		.path = path, .query = "", .visitor = who, .call = number
	};
	json_t *openapi = d->openapi;
	d->openapi = NULL;
	api_preview(d->api, &request);
	const struct desk_call *c = desk_wait(d, number, 1);
	d->openapi = openapi;
	assert_true(c->last->status == 200 || c->last->status == 404);
	return c->last->json;
}

static inline const char *desk_text(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));
	return text ? text : "";
}

/* Every route of openapi.json has given a good answer, and no answer was at fault. */
static inline void desk_check_routes(const struct api_desk *d)
{
	json_t *methods, *operation;
	const char *path, *method;
	int i = 0;
	assert_string_equal(d->fault, "");
	json_object_foreach(json_object_get(d->openapi, "paths"), path, methods)
		json_object_foreach(methods, method, operation)
			if (!d->seen[i++])
				fail_msg("%s %s: never answered well", method, path);
	assert_in_range(i, 20, DESK_ROUTES);
}

/* A body with a record of noughts, of so many moves that were taken back; the caller frees it. */
static inline char *desk_record_body(int pairs, const char *seats)
{
	static const char pair[] = "{\"move\":\"5\",\"seat\":1}\n{\"undo\":1}\n";
	const size_t size = 200 + (size_t)pairs * sizeof pair;
	char *record = malloc(size);
	assert_non_null(record);
	strcpy(record, "{\"quevedo\":1,\"game\":\"noughts\",\"position\":\"start\",\"seats\":[]}\n");
	for (char *end = record + strlen(record); pairs > 0; pairs--, end += sizeof pair - 1)
		memcpy(end, pair, sizeof pair);
	json_t *body = json_pack("{s:s}", "record", record);
	if (seats)
		json_object_set_new(body, "seats", json_pack("[s, s]", seats, seats));
	char *text = json_dumps(body, 0);
	json_decref(body);
	free(record);
	return text;
}

#endif
