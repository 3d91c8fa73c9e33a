/*
 * api.h - the API without a transport: requests in, responses out.
 * SPDX-License-Identifier: MIT
 *
 * A request is a method, a path and a JSON body; a response is a status and a JSON text. Its host
 * is the web server (server/http, for HTTP and WebSocket), the IMCS server or a unit test. It runs
 * in one thread, the host's. The store and the workers have their own threads; they make the host
 * call api_turn soon, through `wake`.
 *
 * A response may come at once, inside api_handle, or later, inside api_turn. A stream has many.
 * Nothing is sent after the one marked `end`, or after api_cancel.
 */
#ifndef SERVER_API_API_H
#define SERVER_API_API_H

#include "base/json.h"
#include "base/text.h"
#include "quevedo.h"
#include "server/jobs/job_queue.h"
#include "server/jobs/worker_processes.h"
#include "server/store/store.h"

struct api;

/* The cookies of a visitor; over TLS their names begin with __Host-. /privacy lists them. */
#define API_VISITOR_COOKIE "qv"
#define API_DEVICE_COOKIE  "qv-device" /* of a browser that has logged in */
enum { API_COOKIE_DAYS = 365 };

enum { API_PATH = 512, API_COOKIE = 256, API_USER = 24, API_ADDRESS = 64, API_TOKEN = 32 };

enum api_method { API_GET, API_POST };

/* The sender of a request. Identified once per request, or once per socket. */
struct visitor {
	char user[API_USER];	   /* id of the person or program; "" before api_identify, or by_token */
	char play[API_USER];	   /* the one game that a seat token is for; "": no such limit */
	char issuer[API_USER];	   /* the session, or the bearer token; "": a guest's cookie */
	bool program;		   /* the issuer is a bearer token */
	bool unchecked;		   /* whether the cookie or seat token still holds is to be seen */
	int64_t checked;	   /* how many revocations were known then */
	char address[API_ADDRESS]; /* without the port, IPv4 as a.b.c.d; rate limits use it */
	char device[API_USER];	   /* the user that this device has logged in as before; "": none */
	bool by_token;		   /* the user is that of the bearer token, which has this hash */
	uint8_t token[API_TOKEN];
	bool fresh;		   /* a new guest: send it `cookie` */
	char cookie[API_COOKIE];   /* the signed value to set */
};

struct api_request {
	enum api_method method;
	const char *path;	       /* "/api/v1/plays/abc": decoded, NUL-terminated, no query */
	const char *query;	       /* "game=connect4": still encoded; "" without a query */
	json_t *body;		       /* of a POST: an object; otherwise NULL. Borrowed */
	const struct visitor *visitor; /* borrowed */
	const char *words[2];	       /* set by api_handle: parts of the path; "": none */
	uint64_t call;		       /* the host's number for it, > 0, never used twice */
	bool no_cookie;		       /* the response cannot set one */
};

struct api_response {
	uint64_t call;
	int status;	  /* as in HTTP */
	const char *type; /* "application/json", "application/x-ndjson" for streams; static */
	const char *text; /* until the callback returns; JSON without a final newline */
	size_t size;
	bool shared;	    /* the same for everybody, so that clients may keep it */
	bool stream;	    /* a message of a stream, the first one included */
	bool end;	    /* the last one; a stream may end with size 0 */
	/* A new cookie value (login, logout), perhaps a blank and that of the device; NULL: none. */
	const char *cookie;
	const char *file;   /* a file name to save a record under; NULL: none */
	int max_age;	    /* seconds that anybody may keep it, without asking; 0: none */
};

/* Functions that the host provides. */
struct api_host {
	/* Called inside api_handle, api_cancel and api_turn only, never from another thread. */
	void (*respond)(void *ctx, const struct api_response *response);
	void (*wake)(void *ctx);       /* from any thread: call api_turn soon */
	int64_t (*now_ms)(void *ctx);  /* a monotonic clock, for game clocks and rate limits */
	int64_t (*seconds)(void *ctx); /* since 1970, for dates */
	void *ctx;
	/*
	 * Credentials have ended: close the connections whose visitor api_recheck refuses. Called
	 * inside api_turn and api_handle. NULL: nothing is to be closed.
	 */
	void (*ended)(void *ctx);
	/* Logs why a response with status 500 or more was sent, now and then. NULL: api_log does. */
	void (*failed)(void *ctx, uint64_t call, const char *why);
	/* Processor time of the host's thread in us, by which requests are charged. NULL: they are not. */
	int64_t (*busy_us)(void *ctx);
};

/* The operator's log: what fails, and what works again. */
struct api_log {
	/* level: "error", "warn", "info" or "debug"; text: one line of printable ASCII. In the host's thread. */
	void (*write)(void *ctx, const char *level, const char *text); /* NULL: no log */
	void *ctx;
};

/* Other servers that share the database. */
struct api_cluster {
	const char *node; /* a name of this server that no other has; NULL: it is alone */
	int lease_ms;	  /* it counts as dead after so long without a sign of life; 0: 1500 */
	/* Sends a text to a node, or with "" to all. False: it cannot. NULL: the store does it. */
	bool (*send)(void *ctx, const char *node, const char *text);
	void *ctx;
};

/* Where searches run; with workers (server/jobs/job_worker.h) only if the store is PostgreSQL. */
enum api_think {
	THINK_HERE,
	THINK_WORKERS, /* and here while no worker is alive */
	THINK_BOTH,
};

struct api_setup {
	const struct qv_context *context; /* borrowed, with its plug-ins loaded */
	const char *place;   /* of the database, as in struct store_setup; NULL: in the folder */
	const char *data;    /* a folder for database and secrets; created if missing */
	const char *matches; /* a folder of match journals; NULL: DATA/matches */
	const char *tables;  /* a folder of endgame tables; borrowed; NULL: none */
	const struct qv_prober *prober; /* other tables; NULL: none */
	enum api_think think;
	/*
	 * The words that start a process without rights for searches and files (worker_processes.h),
	 * with a NULL at the end; borrowed. NULL: threads do it all.
	 */
	const char *const *worker_command;
	int workers;	     /* search threads; 0: one less than the processors, at least 1 */
	int hash_mb;	     /* transposition table of one player */
	int per_address;     /* multiplies the per-address rate limits; 10 for a classroom */
	const char *contact; /* of the operator, for /privacy; borrowed; NULL: none */
	bool logs_requests;  /* the host's log has a line for each request */
	const char *mail_command; /* a program that sends mail, with arguments; NULL: none */
	const char *mail_from;	  /* the sender's address; NULL: the program chooses it */
	const char *site;    /* the address of the page, for mail: "https://games.example"; NULL */
	int64_t max_data;    /* bytes of the database; 0: as the disk allows (store_marks) */
	int64_t min_free;    /* likewise, of the disk; 0: the store's default */
	int64_t day_bytes;   /* that an address or a user may store in a day; 0: 16 MiB */
	/*
	 * While the oldest write that waits is older than this, in ms, further ones are refused.
	 * 0: a second; negative: never.
	 */
	int64_t overload_ms;
	int keep_guests;     /* days after which guests' finished games are removed; 0: never */
	int keep_unfinished; /* likewise of those in progress */
	struct api_host host;
	struct api_log log;
	struct api_cluster cluster;
	bool manual;	 /* without threads: the host calls api_step. For simulations */
	const char *vfs; /* as in struct store_setup */
	size_t check_bytes; /* likewise */
};

/* Opens store, secrets and workers. QV_IO, for example: the data folder is in use. */
enum qv_status api_open(const struct api_setup *setup, struct api **out, struct qv_error *error);
/* Ends the streams and commits everything that was acknowledged. NULL is fine. */
void api_close(struct api *api);

const struct qv_context *api_context(const struct api *api);

/*
 * cookie: the value of our cookie, or NULL; bearer: the token after "Authorization: Bearer ", or
 * NULL. False: the token is malformed (401). Requests with a token that is unknown or has ended get a
 * 401; so do those with a cookie that has ended, and a new guest's cookie with it. An invalid cookie
 * only makes a new guest.
 */
bool api_identify(struct api *api, const char *cookie, const char *bearer, const char *address,
		  struct visitor *out);

/*
 * From api_busy_begin to api_busy_end the thread works for this address, which lives as long. A
 * request pays for a millisecond in advance; what it costs beyond that is taken from the address
 * afterwards. These may be nested: the inner one pays for itself. api may be NULL.
 */
struct api_busy {
	const char *address;
	struct api_busy *outer;
};
void api_busy_begin(struct api *api, struct api_busy *busy, const char *address);
void api_busy_end(struct api *api, const struct api_busy *busy);
/* How many requests the address may still begin; below 0: it owes for earlier ones. */
double api_requests_left(struct api *api, const char *address);

/* False: its credentials have ended. Otherwise it was checked until now. */
bool api_recheck(const struct api *api, struct visitor *who);
/* cookie: the value of the device's own cookie. Sets who->device; call it after api_identify. */
void api_know_device(const struct api *api, const char *cookie, struct visitor *who);

/* Runs the request's route. The response comes through the host's `respond`, now or later. */
void api_handle(struct api *api, const struct api_request *request);
/* The client has left, or wants no more of a stream. Unknown numbers are fine. */
void api_cancel(struct api *api, uint64_t call);

/*
 * Delivers results of threads and does what is due. Returns in how many ms to call it again; -1: no
 * need.
 */
int64_t api_turn(struct api *api);

/*
 * The host's rate limits, which are borrowed until api_close: if there are other servers, they count
 * for all of them together.
 */
struct limits;
void api_share_limits(struct api *api, struct limits *limits);

/* A node has sent this text, with its `send`; NULL: some texts may be missing. */
void api_hear(struct api *api, const char *text);

/* For an API that is `manual`: what a thread would do next. False: it has nothing to do. */
enum api_part { API_STORE, API_WORKER };
bool api_step(struct api *api, enum api_part part);

/*
 * What other sites show of a link to the page whose path and query the request has. The response is
 * {"title","text","picture"}: UTF-8, to be escaped; the picture's path and query, or "".
 */
void api_preview(struct api *api, const struct api_request *request);

/* ---- For the operator ---- */

/* The number of the route that such a request takes; -1: none. */
int api_route(enum api_method method, const char *path);
/* "/api/v1/plays/" and a star, with the stars of its pattern; NULL: there are fewer routes. Static. */
const char *api_route_path(int route);
enum api_method api_route_method(int route);

/* What the API is doing. */
struct api_figures {
	size_t games, game_lines; /* in memory */
	int streams, calls; /* calls: requests without a complete response, streams included */
	int workers;
	bool failing; /* nothing can be stored */
	struct store_figures store;
	struct store_space space;
	struct worker_pool_figures pool;
	bool has_processes; /* on this machine: */
	struct worker_processes_figures processes;
	bool thinks_elsewhere; /* with workers: */
	struct job_queue_figures queue;
};
void api_figures(struct api *api, struct api_figures *out);

/* The server will be closed soon: from now on GET /health/ready is 503. The rest works as before. */
void api_deny_ready(struct api *api);
/*
 * Afterwards: ends the streams. Requests that are under way continue. They may be requests for
 * streams, so call it again until they have ended; it then leaves visitors of other nodes alone.
 */
void api_drain(struct api *api);

/* A line for the operator's log. level: "error", "warn", "info" or "debug". */
void api_log(struct api *api, const char *level, const char *text);
/* For the log: the call gets a status of 500 or more. 0: no call of this server. */
void api_failed(struct api *api, uint64_t call, int status, const char *why);

/*
 * Writes the JSON of an error, {"error":{"code","message"}}, into the buffer. Returns the length of
 * the whole text, which was cut if that is >= size.
 */
size_t api_error_text(int status, const char *message, char *buffer, size_t size);

#endif
