/*
 * api.h - the web interface without the web: requests in, answers out, whatever carries them.
 * SPDX-License-Identifier: MIT
 *
 * A request is a method, a path and a JSON body; an answer is a status and a JSON text. HTTP, a
 * message on a WebSocket and a unit test are all the same to it (web.h brings the first two). It
 * runs in one thread, the host's; the store and the workers have threads of their own and ask the
 * host, through `wake`, to call api_turn soon.
 *
 * Answers may come at once, inside api_handle, or later, inside api_turn. A stream answers many
 * times. Nothing is answered after its `end`, or after api_cancel.
 */
#ifndef SERVER_API_API_H
#define SERVER_API_API_H

#include "base/json.h"
#include "quevedo.h"

struct api;

enum { API_PATH = 512, API_COOKIE = 256, API_USER = 24, API_ADDRESS = 64 };

enum api_method { API_GET, API_POST };

/* Who asks. Found once for a request, or once for a socket. */
struct visitor {
	char user[API_USER];       /* names the person or program; "" only before api_identify */
	char play[API_USER];       /* "": all of the user's; else a seat token's one play */
	char address[API_ADDRESS]; /* without the port, IPv4 as a.b.c.d; limits count by it */
	bool fresh;                /* nobody knew it: send it `cookie`, and it will be known */
	char cookie[API_COOKIE];   /* the value to set, signed */
};

struct api_request {
	enum api_method method;
	const char *path;          /* "/api/v1/plays/abc": decoded, NUL-terminated, no query */
	const char *query;         /* "game=connect4": still encoded; "" if there is none */
	json_t *body;              /* of a POST: an object; NULL else. Borrowed */
	const struct visitor *visitor;     /* borrowed */
	uint64_t call;             /* the host's number for it, > 0, never used twice */
};

struct api_response {
	uint64_t call;
	int status;                /* as in HTTP */
	const char *type;          /* "application/json", "application/x-ndjson" for streams; static */
	const char *text;          /* until the callback returns; JSON without a newline at its end */
	size_t size;
	bool stream;               /* of a stream; the first one says so too */
	bool end;                  /* the last one; a stream may end with size 0 */
	const char *cookie;        /* a new cookie value (login, logout); NULL: as it was */
	const char *file;          /* save as (records); NULL: no such name */
};

/* What the API wants of its host. */
struct api_host {
	/* May be called inside api_handle, api_cancel and api_turn, never from another thread. */
	void (*answer)(void *ctx, const struct api_response *answer);
	void (*wake)(void *ctx);   /* from any thread: call api_turn soon */
	int64_t (*now_ms)(void *ctx);      /* a clock that never goes back; for clocks and limits */
	int64_t (*seconds)(void *ctx);     /* since 1970; for dates */
	void *ctx;
};

/* Where lines for the operator go: what fails, and what works again. */
struct api_log {
	/* level: "error" or "info"; text: one line of printable ASCII. In the loop's thread. */
	void (*write)(void *ctx, const char *level, const char *text);     /* NULL: nobody listens */
	void *ctx;
};

struct api_setup {
	const struct qv_context *context;  /* borrowed, with its plug-ins loaded */
	const char *data;          /* a folder for database and secrets; made if it is not there */
	const char *matches;       /* a folder of journals to show; NULL: DATA/matches */
	const char *tables;        /* a folder of tables, which outlives it; NULL: none */
	int workers;               /* that think; 0: one less than there are processors, at least 1 */
	int hash_mb;               /* of one player */
	int per_address;           /* how fast one address may ask: 1 usual, 10 a classroom, ... */
	struct api_host host;
	struct api_log log;
};

enum qv_status api_open(const struct api_setup *setup, struct api **out, struct qv_error *error);
/* Everything that was acknowledged is on disk; streams end. NULL is fine. */
void api_close(struct api *api);

const struct qv_context *api_context(const struct api *api);

/*
 * cookie: the value of ours, or NULL; bearer: what stands after "Authorization: Bearer ", or NULL.
 * False: the bearer is none of ours, which is 401. A bad cookie only makes a fresh visitor.
 */
bool api_identify(struct api *api, const char *cookie, const char *bearer, const char *address,
		  struct visitor *out);

void api_handle(struct api *api, const struct api_request *request);
/* The caller has gone, or wants no more of a stream. Unknown numbers are fine. */
void api_cancel(struct api *api, uint64_t call);

/* Delivers what came from threads and what is due; returns when to come again, in ms; -1: never. */
int64_t api_turn(struct api *api);

/* The host answered a request itself, with a status of 500 or more: for the log. */
void api_failed(struct api *api, int status, const char *why);

/* The answer to every error: {"error":{"code","message"}} in static or caller's memory. */
size_t api_error_text(int status, const char *message, char *buffer, size_t size);

#endif
