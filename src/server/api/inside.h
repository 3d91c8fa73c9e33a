/*
 * inside.h - the API from inside: what its files share. api.h is its outside.
 * SPDX-License-Identifier: MIT
 *
 *   api.c         opening and closing, who asks, the table of routes, the turn
 *   answers.c     requests that are not answered yet, and streams
 *   places.c      positions that requests name
 *   report.c      lines for the operator
 *   rooms.c       plays in memory: found, forgotten
 *   rooms_load.c  plays from the store: at once, or by a worker while the request waits
 *   rooms_keep.c  lines on their way to the disk, and the answers that wait for them
 *   rooms_run.c   what happens by itself: computers, clocks, who is there
 *   api_*.c       the routes, by theme
 *
 * All of it runs in the loop's thread, but for the jobs that are handed to workers. Whatever takes
 * longer the longer a game is belongs into a job: nobody is answered while the loop is busy.
 */
#ifndef SERVER_API_INSIDE_H
#define SERVER_API_INSIDE_H

#include "base/embed.h"
#include "base/map.h"
#include "server/api/api.h"
#include "server/api/buckets.h"
#include "server/jobs/table_lookup.h"
#include "server/api/openings.h"
#include "server/api/play.h"
#include "server/api/secrets.h"
#include "server/store/store.h"
#include "server/jobs/worker_pool.h"

enum {
	ROOMS_MOST = 4000,         /* plays in memory: beyond it idle ones are forgotten */
	ROOM_LINES_MOST = 2000000, /* ... and lines of all of them: some hundred MB */
	STREAMS_MOST = 32,         /* of one visitor */
	GOING_MOST = 200,          /* plays of one user */
	LOBBY_MOST = 50,           /* entries of a kind */
	QUEUE_MOST = 1000,         /* thoughts that wait, of all clients */
	QUEUE_CLIENT = 4,          /* ... of one client */
	NAMES = 1024,              /* of users, kept */
	LONG_LINES = 1000,         /* of a game: as much work as a request; more are for a worker */
};

/* ---- Calls: requests that are not answered yet ---- */

enum call_kind {
	CALL_STORE,                 /* waits for the disk */
	CALL_JOB,                /* waits for a worker, and may be told news */
	CALL_LOAD,                 /* waits for a game that is being loaded; then it runs again */
	CALL_PLAY,                 /* streams */
	CALL_LOBBY,
	CALL_MATCH,
};

struct call {
	uint64_t number;
	enum call_kind kind;
	bool begun;                /* a stream has said something */
	uint64_t job_number;       /* of a worker; 0: none */
	char user[API_USER];
	struct room *room;         /* CALL_PLAY */
	struct call *fellow;       /* the next stream of the same room */
	void (*job_done)(struct api *api, struct call *call, const char *text, bool last);
	void *extra;               /* of job_done; freed with the call */
	void *job_arg;             /* the worker's argument, for job_done; the pool frees it */
	struct parked *parked;     /* the request, if it is to run again */
	char match[128];           /* CALL_MATCH: its name */
	uint64_t stamp;            /* CALL_MATCH: of the file; CALL_LOAD: of the worker's job */
};

/* NULL: no memory; it was answered. */
struct call *call_new(struct api *api, uint64_t number, const char *user, enum call_kind kind);
struct call *call_find(struct api *api, uint64_t number);
/* Forgets it; cancels its thought, leaves its room. */
void call_free(struct api *api, struct call *call);
/* A call that keeps a copy of its request, so that it can run again. NULL: as of call_new. */
struct call *call_park(struct api *api, const struct api_request *r, enum call_kind kind);
/* Frees the call and runs its request again, which has been paid for. */
void call_resume(struct api *api, struct call *call);
bool call_may_stream(struct api *api, const struct api_request *request); /* else it was answered */
/* Hands a job to the workers; what it says goes to job_done. False: refused, and answered. */
bool call_submit(struct api *api, struct call *call, const struct worker_job *job);

/* ---- Answers ---- */

/* How answers are written. */
#define RESPONSE_JSON PLAY_FORM

struct outgoing {
	uint64_t call;
	int status;
	const char *type, *file, *cookie;  /* NULL: JSON; no name; as it was */
	bool stream, end;
};
/* Whole: what the host is told. */
void reply_text(struct api *api, const struct outgoing *out, const char *text);
/* One answer, the only one. Takes the JSON; NULL is an answer 503. */
void reply(struct api *api, uint64_t call, int status, json_t *json);
void reply_error(struct api *api, uint64_t call, int status, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* ---- Bodies and queries ---- */

/* A text of the body: false if it is there and no text (answered with 400). *out NULL: not there.
 */
bool body_text(struct api *api, const struct api_request *r, const char *key, const char **out);
bool body_integer(struct api *api, const struct api_request *r, const char *key, json_int_t least,
		  json_int_t most, json_int_t preset, json_int_t *out);
bool body_boolean(struct api *api, const struct api_request *r, const char *key, bool *out);
/* Refuses keys that are not among the names, blank-separated (answered with 400). */
bool body_keys(struct api *api, const struct api_request *r, const char *names);
/* Decoded; false: not there, too long, or badly encoded. */
bool query_value(const char *query, const char *key, char *out, size_t size);

/* ---- Rooms: plays in memory ---- */

struct keep;                       /* lines on their way, rooms_keep.c */

struct room {
	struct play *play;
	char id[API_USER];
	char address[API_ADDRESS]; /* where its players were last heard from; "": not yet */
	struct call *streams;
	int stream_count;
	struct keep *last_keep;    /* the newest that is on its way; what is said waits for it */
	int keeps;                 /* on their way */
	size_t lines;              /* of the play, as counted in api->room_lines */
	bool stored;               /* its header is on disk */
	bool shown;                /* it is played elsewhere: in the lobby without a follower */
	bool broken;               /* something was not stored: forget it as soon as can be */
	char seated[QV_MAX_SEATS][API_USER];   /* users known to the store as seated */
	uint64_t job_number, turn; /* a worker's; of which turn */
	int64_t used_ms, moved_ms; /* last asked for; last move of a computer */
	int64_t due_ms;            /* when room_run has something to do; -1: never */
	int64_t heard_ms;          /* when the followers last heard who is there */
	unsigned connected;        /* seats whose persons follow, as the followers know it */
};

/* The play of that id, loaded at once if need be. NULL: *status is 404 or 503. */
struct room *room_find(struct api *api, const char *id, int *status);
/* The same, if it is in memory; it may be broken. */
struct room *room_at(struct api *api, const char *id);
/*
 * The same for a request, which pays for the loading before it begins. NULL: it was answered, or it
 * waits for a worker that loads the game, and will run again.
 */
struct room *room_for(struct api *api, const struct api_request *r, const char *id);
/* A worker loads a game that nobody waits for; one at a time. The lobby hears of it. */
void room_load_later(struct api *api, const char *id);
/* It has more lines than when it was last counted. */
void room_count_lines(struct api *api, struct room *room);
/* A new play, with its lines waiting; the play becomes the room's. NULL: no memory, play freed. */
struct room *room_add(struct api *api, struct play *play, const char *id);
void room_drop(struct api *api, struct room *room);   /* at once; nothing is on its way */
void rooms_forget(struct api *api);                   /* idle ones, if there are too many */
const char *room_user(const struct visitor *visitor, const struct room *room);

/* An answer that waits for what is on its way, or leaves at once. Takes the JSON. */
void room_reply(struct api *api, struct room *room, const struct outgoing *out, json_t *json);
void room_reply_text(struct api *api, struct room *room, const struct outgoing *out,
		     const char *text);
/*
 * After every command: sends waiting lines to the disk, tells the followers, and sees to what is
 * due next. False: it could not be kept, and the room is broken: answer 503.
 */
bool room_changed(struct api *api, struct room *room);
/* The same; *moved becomes the MoveMessage, if the command was no more than a move. Free it. */
bool room_moved(struct api *api, struct room *room, char **moved);
/* No more use: followers are sent away, and it is loaded anew when somebody asks. */
void room_break(struct api *api, struct room *room);
void room_tell(struct api *api, struct room *room);   /* the whole play to all followers */
/* The play as the user sees it, without line and tree. */
json_t *room_head(struct api *api, const struct room *room, const char *user);
/* An answer as room_reply: the head, which it takes, with line and tree. */
void room_reply_whole(struct api *api, struct room *room, const struct outgoing *out, json_t *head);
unsigned room_connected(const struct room *room);

void room_follow(struct api *api, struct room *room, struct call *call);
void room_unfollow(struct api *api, struct room *room, struct call *call);
/* Computers, clocks, who is there: does what is due and says when the next thing is. */
void room_run(struct api *api, struct room *room);
void room_thought_done(void *ctx, uint64_t number, const char *text, bool last);

/* ---- People ---- */

/* The name of a user, as stored or as made up. */
void user_name(struct api *api, const char *user, char out[STORE_NAME]);
/* Queues the user's row unless it is there. */
void user_ensure(struct api *api, const char *user);
/* Forgets what was queued and may not have been written. */
void users_forget(struct api *api);
/* Ends the unit of work; once it is on disk the answer, which sets no cookie, leaves. Takes the
 * JSON. */
void reply_when_stored(struct api *api, const struct outgoing *out, json_t *json);

/* ---- Lines for the operator: report.c ---- */

/* Lines of one kind: at most one in ten seconds; the next one says how many were left out. */
struct log_limit {
	int64_t next_ms;           /* not before; 0: at any time */
	int left_out;
};

enum { LOG_TIME = 24 };
/* "2026-11-16T03:04:05Z" */
void log_time(int64_t seconds, char out[LOG_TIME]);
/* Looks at the store: a line whenever it begins or ends to fail. */
void log_store_state(struct api *api);
/* An answer of 500 or more. */
void log_failure(struct api *api, int status, const char *why);
/* A game that is in the store and cannot be loaded. */
void log_unloadable(struct api *api, const char *id, const char *why);

/* ---- The whole ---- */

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
	size_t room_lines;         /* of all plays in memory */
	int64_t forget_ms;         /* when to look again for plays to forget */
	int64_t next_due_ms;       /* of all rooms; -1: nothing */
	bool lobby_changed;
	int64_t lobby_ms;          /* when it was last told */
	char *lobby_told;
	int64_t matches_ms;        /* when journals were last looked at */
	int64_t store_fails_since; /* seconds since 1970; 0: it works */
	struct log_limit failures, unloadable;
	struct loading *loadings;  /* games that workers are loading */
	struct opened_position *place;       /* made by a worker for the request that runs again; NULL: none */
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

bool api_limit(struct api *api, const struct api_request *r, const char *what, double per_minute,
	       double burst);      /* by address; false: answered with 429 */
/* What is long work counts as so many requests. False: answered with 429. */
bool api_costs(struct api *api, const struct api_request *r, size_t requests);

/* Answers the request, without asking whether it comes too fast. */
void run_route(struct api *api, const struct api_request *r);

/* ---- Routes: what stands for * in their pattern comes in `word` ---- */

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

/* Turns: what is due; each returns when it wants to come again, in ms of the clock, -1: never. */
int64_t lobby_turn(struct api *api);
int64_t matches_turn(struct api *api);
int64_t rooms_turn(struct api *api);
/* Plays of a user that go on, as LobbyEntry. */
json_t *user_plays(struct api *api, const char *user);

/* A position named by a body: rules, and a record with the moves played. */
struct opened_position {
	struct qv_rules rules;
	struct qv_record *record;
	json_t *course;            /* what each move led to, if the body asks for it; else NULL */
};
/*
 * False: it was answered, or a worker plays its many moves, and the request will run again. Call it
 * before anything that is to happen once. Release what comes back.
 */
bool position_open(struct api *api, const struct api_request *r, struct opened_position *out);
void position_release(struct opened_position *place);

#endif
