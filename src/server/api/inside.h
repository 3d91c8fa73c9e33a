/*
 * inside.h - what the files of the API share; api.h is its public side.
 * SPDX-License-Identifier: MIT
 *
 * - api.c: the table of routes, visitors, rate limits, turns, opening and closing
 * - calls.c, responses.c, request_fields.c: pending requests, responses, fields of a request
 * - positions.c: the position that a request names
 * - operator_log.c: log lines for the operator
 * - rooms.c: games in memory; rooms_load.c: games from the store; rooms_commit.c: lines on their
 *   way to the disk and the responses that wait for them; rooms_run.c: what happens by itself
 * - accounts.c, analysis.c, create.c, games.c, lobby.c, matches.c, plays.c: the routes, by theme
 *
 * Everything runs in the host's thread except jobs for workers. Work that grows with the length of
 * a game belongs in a job: while the thread is busy nobody gets a response.
 */
#ifndef SERVER_API_INSIDE_H
#define SERVER_API_INSIDE_H

#include "base/embed.h"
#include "base/map.h"
#include "server/api/api.h"
#include "server/api/buckets.h"
#include "server/jobs/table_lookup.h"
#include "server/api/openings.h"
#include "server/api/game_json.h"
#include "server/api/secrets.h"
#include "server/store/store.h"
#include "server/jobs/worker_pool.h"

enum {
	ROOMS_MOST = 4000,	   /* games in memory; beyond it idle ones are dropped */
	ROOM_LINES_MOST = 2000000, /* lines of all games in memory: some hundred MB */
	STREAMS_MOST = 32,	   /* open streams of one visitor */
	GOING_MOST = 200,	   /* games in progress of one user */
	LOBBY_MOST = 50,	   /* entries of each list */
	QUEUE_MOST = 1000,	   /* waiting jobs of all clients */
	QUEUE_CLIENT = 4,	   /* waiting jobs of one client */
	NAMES = 1024,		   /* cached names of users */
	LONG_LINES = 1000, /* lines of a game that cost as much as a request; more need a worker */
};

/* ---- Calls: requests without a complete response, calls.c ---- */

enum call_kind {
	CALL_STORE,                /* waits for the disk */
	CALL_JOB,                  /* waits for a worker, and may get progress messages */
	CALL_LOAD,                 /* waits for a game that is being loaded; then it runs again */
	CALL_PLAY,                 /* this and the next two are streams */
	CALL_LOBBY,
	CALL_MATCH,
};

struct call {
	uint64_t number;
	enum call_kind kind;
	bool begun;                /* a stream has sent something */
	uint64_t job_number;       /* of the worker's job; 0: none */
	char user[API_USER];
	struct room *room;         /* CALL_PLAY */
	struct call *fellow;       /* the next stream of the same room */
	void (*job_done)(struct api *api, struct call *call, const char *text, bool last);
	void *extra;               /* data of job_done; freed with the call */
	void *job_arg;             /* the job's argument, for job_done; the pool frees it */
	struct parked *parked;     /* the request, if it will run again */
	char match[128];           /* CALL_MATCH: its name */
	uint64_t stamp; /* CALL_MATCH: of the file; CALL_LOAD: number of the loading job */
};

/* NULL: out of memory; an error was sent. */
struct call *call_new(struct api *api, uint64_t number, const char *user, enum call_kind kind);
/* NULL: it has ended. */
struct call *call_find(struct api *api, uint64_t number);
/* Also cancels its job and leaves its room. Sends nothing. */
void call_free(struct api *api, struct call *call);
/* A call with a copy of its request, so that it can run again. NULL: as call_new. */
struct call *call_park(struct api *api, const struct api_request *r, enum call_kind kind);
/* Frees the call and runs its request again, without charging the rate limit again. */
void call_resume(struct api *api, struct call *call);
/* False: the visitor has too many streams; an error was sent. */
bool call_may_stream(struct api *api, const struct api_request *request);
/*
 * Submits a job; its progress and result go to call->job_done. False: refused; an error was sent,
 * and call and job->arg are freed.
 */
bool call_submit(struct api *api, struct call *call, const struct worker_job *job);

/* ---- Responses: responses.c ---- */

/* Jansson flags for the JSON of responses. */
#define RESPONSE_JSON GAME_JSON_FORM

struct outgoing {
	uint64_t call;
	int status;
	const char *type, *file, *cookie;  /* NULL: JSON; no file name; no change */
	bool stream, end;
};
/* Passes a complete response, or a message of a stream, to the host. */
void reply_text(struct api *api, const struct outgoing *out, const char *text);
/* The only response to a call. Takes the JSON; NULL (out of memory) becomes a 503. */
void reply(struct api *api, uint64_t call, int status, json_t *json);
/* What HTTP calls a verdict. */
int verdict_http_status(enum verdict verdict);
/* The only response to a call: an error. The message is "WHAT: WHY". 500 and up are logged. */
void reply_error(struct api *api, uint64_t call, int status, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* ---- Fields of a request: request_fields.c. False: wrong, and a 400 was sent ---- */

/* *out NULL: the field is missing or null. */
bool body_text(struct api *api, const struct api_request *r, const char *key, const char **out);
bool body_integer(struct api *api, const struct api_request *r, const char *key, json_int_t least,
		  json_int_t most, json_int_t default_value, json_int_t *out);
/* A missing field is false. */
bool body_boolean(struct api *api, const struct api_request *r, const char *key, bool *out);
/* Refuses fields that are not among the names, which are separated by blanks. */
bool body_keys(struct api *api, const struct api_request *r, const char *names);
/* Sends nothing. Decodes the value; false: missing, too long, or badly encoded. */
bool query_value(const char *query, const char *key, char *out, size_t size);

/* ---- Rooms: games in memory ---- */

struct keep;                       /* lines on their way to the disk, rooms_commit.c */

struct room {
	struct hosted_game *play;
	char id[API_USER];
	char address[API_ADDRESS]; /* from which its players last sent something; "": not yet */
	struct call *streams;
	int stream_count;
	struct keep *last_keep;    /* the newest on its way; messages wait for it */
	int keeps;                 /* commits on their way */
	size_t lines;              /* of the game, as counted in api->room_lines */
	bool stored;               /* its header is on disk */
	bool shown;                /* played over IMCS: in the lobby even without a follower */
	bool broken;               /* a line could not be stored: drop it as soon as possible */
	char seated[QV_MAX_SEATS][API_USER];   /* users that the store knows as seated */
	uint64_t job_number, turn; /* the worker's job, and the turn it is for */
	int64_t used_ms, moved_ms; /* last request; last move of a computer */
	int64_t due_ms;            /* when room_run has something to do; -1: never */
	int64_t heard_ms;          /* when followers were last told who is connected */
	unsigned connected;        /* bit set of seats whose users follow, as last sent */
};

/* The game of that id, loaded at once if necessary. NULL: *status is 404 or 503. */
struct room *room_find(struct api *api, const char *id, int *status);
/* The game of that id if it is in memory, else NULL; it may be broken. */
struct room *room_at(struct api *api, const char *id);
/*
 * The game for a request, which is charged for the loading. NULL: an error was sent, or a worker
 * loads the game and the request will run again.
 */
struct room *room_for(struct api *api, const struct api_request *r, const char *id);
/* Loads a game in a worker for the lobby, which is then updated; one at a time. */
void room_load_later(struct api *api, const char *id);
/* Updates the count of lines after the game has grown. */
void room_count_lines(struct api *api, struct room *room);
/* A new game whose lines are not stored yet. Takes the play; NULL: out of memory, play freed. */
struct room *room_add(struct api *api, struct hosted_game *play, const char *id);
/* Drops a room at once; no commit of it may be on its way. */
void room_drop(struct api *api, struct room *room);
/* Drops idle rooms if there are too many. */
void rooms_forget(struct api *api);
const char *room_user(const struct visitor *visitor, const struct room *room);

/* A response that waits for the commits on their way, if any. Takes the JSON. */
void room_reply(struct api *api, struct room *room, const struct outgoing *out, json_t *json);
void room_reply_text(struct api *api, struct room *room, const struct outgoing *out,
		     const char *text);
/*
 * After every command: queues new lines for the disk, informs the followers, and computes what is
 * due next. False: the lines cannot be stored and the room is broken: respond with 503.
 */
bool room_changed(struct api *api, struct room *room);
/* The same; *moved becomes the MoveMessage, if the command was no more than a move. Free it. */
bool room_moved(struct api *api, struct room *room, char **moved);
/* Ends the followers' streams and drops the room; the next request loads it from the store. */
void room_break(struct api *api, struct room *room);
/* Sends the whole game to all followers. */
void room_tell(struct api *api, struct room *room);
/* The game as the user sees it, without line and tree. */
json_t *room_head(struct api *api, const struct room *room, const char *user);
/* As room_reply: the head, which it takes, with line and tree. */
void room_reply_whole(struct api *api, struct room *room, const struct outgoing *out, json_t *head);
unsigned room_connected(const struct room *room);

void room_follow(struct api *api, struct room *room, struct call *call);
void room_unfollow(struct api *api, struct room *room, struct call *call);
/* Does what is due (computers, clocks, connected users) and sets room->due_ms. */
void room_run(struct api *api, struct room *room);
void room_thought_done(void *ctx, uint64_t number, const char *text, bool last);

/* ---- People ---- */

/* The user's name in the store, or "Guest N". */
void user_name(struct api *api, const char *user, char out[STORE_NAME]);
/* Queues the user's row unless the store has one. */
void user_ensure(struct api *api, const char *user);
/* Clears the cache of names, after a write that failed. */
void users_forget(struct api *api);
/* Ends the store's unit of work and responds once it is on disk. No cookie. Takes the JSON. */
void reply_when_stored(struct api *api, const struct outgoing *out, json_t *json);

/* ---- The operator's log: operator_log.c ---- */

/* Limits one kind of line to one in ten seconds; the next line says how many were left out. */
struct log_limit {
	int64_t next_ms;           /* no line before; 0: at any time */
	int left_out;
};

enum { LOG_TIME = 24 };
/* "2026-11-16T03:04:05Z" */
void log_time(int64_t seconds, char out[LOG_TIME]);
/* Writes a line when the store has begun to fail, or works again. */
void log_store_state(struct api *api);
/* A response with a status of 500 or more. */
void log_failure(struct api *api, int status, const char *why);
/* A game in the store that cannot be loaded. */
void log_unloadable(struct api *api, const char *id, const char *why);

/* ---- The API itself ---- */

struct known_name {
	char user[API_USER], name[STORE_NAME];
};

struct api {
	struct api_setup setup;
	char *data, *matches;
	struct secrets secrets;
	struct store *store;
	struct worker_pool *pool;
	struct table_lookup *table_lookup;
	struct openings *openings;
	struct buckets *buckets;
	struct map calls;          /* by number */
	struct map rooms;          /* by id */
	int stream_count, workers;
	size_t room_lines;         /* of all games in memory */
	int64_t forget_ms;         /* when to look again for idle rooms to drop */
	int64_t next_due_ms;       /* of all rooms; -1: nothing is due */
	bool lobby_changed;
	int64_t lobby_ms;          /* when it was last sent */
	char *lobby_sent;          /* the JSON that was last sent */
	int64_t matches_ms;        /* when the journals were last checked for changes */
	int64_t store_fails_since; /* seconds since 1970; 0: it works */
	struct log_limit failures, unloadable;
	struct loading *loadings;  /* games that workers are loading */
	struct request_position
		*position;	   /* made by a worker for the request that runs again, or NULL */
	bool resuming;             /* a request that waited for a game runs again */
	struct known_name names[NAMES];
	bool closing;              /* nothing new begins */
};

static inline int64_t api_now(const struct api *api)
{
	return api->setup.host.now_ms(api->setup.host.ctx);
}

static inline int64_t api_seconds(const struct api *api)
{
	return api->setup.host.seconds(api->setup.host.ctx);
}

EMBEDDED(char openapi_file[]); /* the description of the interface */

/* Applies a rate limit per address, scaled by setup.per_address. False: a 429 was sent. */
bool api_limit(struct api *api, const struct api_request *r, const char *what, double per_minute,
	       double burst);
/* Charges the request limit this many times, for long work. False: a 429 was sent. */
bool api_costs(struct api *api, const struct api_request *r, size_t requests);

/* Runs the request's route without charging the rate limit. */
void run_route(struct api *api, const struct api_request *r);

/* ---- Routes ---- */

/* The parts of the path that match the * of a route's pattern; "" if it has fewer. */
struct path_words {
	const char *text[2];
};
typedef void route_fn(struct api *api, const struct api_request *r, const struct path_words *w);

route_fn get_health, get_openapi;
route_fn get_games, get_board, get_openings, post_position;
route_fn post_analysis, post_values, post_explanation;
route_fn post_play, get_play, get_play_events, get_play_record, post_move, post_action, post_record;
route_fn get_lobby, get_lobby_events;
route_fn get_me, post_me, post_account, post_login, post_logout, post_token;
route_fn get_matches, get_match, get_match_events, get_match_game;

/* Each does what is due; returns when to call it again, in ms of the clock; -1: no need. */
int64_t lobby_turn(struct api *api);
int64_t matches_turn(struct api *api);
int64_t rooms_turn(struct api *api);
/* The user's games in progress, as LobbyEntry. */
json_t *user_plays(struct api *api, const char *user);

/* The position that a body names: the rules, and a record with the moves played. */
struct request_position {
	struct qv_rules rules;
	struct qv_record *record;
	json_t *move_list; /* each move and where it led, if the body asks for it; or NULL */
};
/*
 * False: an error was sent, or a worker plays the many moves and the request will run again; so
 * call it before anything that must happen only once. The caller releases *out.
 */
bool request_position_open(struct api *api, const struct api_request *r,
			   struct request_position *out);
void request_position_release(struct request_position *position);

#endif
