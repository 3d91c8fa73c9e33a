/*
 * inside.h - what the files of the API share; api.h is its public side.
 * SPDX-License-Identifier: MIT
 *
 * - api.c: routes, rate limits, pending calls, the operator's log, turns, opening and closing
 * - waiting.c: requests that wait for rows or games, and run again; reads.c: what routes read
 * - replies.c: fields of a request, responses
 * - rooms.c: games in memory, their commits and what happens in them by itself; rooms_load.c: games
 *   from the store; people.c: who is there, and what players say to each other
 * - bounds.c: what visitors may store, and the removal of what is old
 * - overload.c: writes that wait for too long, and what is refused then
 * - positions.c: the position that a request names; new_players.c: is a spec valid?; login_limits.c: how often a password is tried
 * - cluster.c, letters.c: several servers; shared_limits.c: their rate limits
 * - identity.c: whether a visitor's credentials hold; names.c: names that look alike; mail.c: mail
 * - accounts.c, credentials.c, passwords.c, deletion.c, export.c,
 *   analysis.c, create.c, explorer.c, finished.c, gallery.c, games.c, lobby.c, matches.c,
 *   pictures.c, plays.c, puzzles.c, studies.c: the routes, by theme
 *
 * Everything runs in the host's thread except jobs for workers and reads of the store. Work that
 * grows with the length of a game belongs in a job: while the thread is busy nobody gets a response.
 */
#ifndef SERVER_API_INSIDE_H
#define SERVER_API_INSIDE_H

#include "base/json.h"
#include "base/map.h"
#include "server/api/api.h"
#include "server/api/game_json.h"
#include "server/api/moderation.h"
#include "server/api/secrets.h"
#include "server/jobs/search_jobs.h"
#include "server/store/store.h"

enum {
	ROOMS_MOST = 4000,	   /* games in memory; beyond it idle ones are dropped */
	ROOM_LINES_MOST = 2000000, /* lines of all games in memory: some hundred MB */
	STREAMS_MOST = 32,	   /* open streams of one visitor */
	PHRASES_KEPT = 8,	   /* of one game, for those who come later */
	CLAIM_MS = 300000,	   /* after which a game without a clock is lost by leaving it */
	GOING_MOST = 200,	   /* games in progress of one user */
	LOBBY_MOST = 50,	   /* entries of each list */
	QUEUE_MOST = 1000,	   /* waiting jobs of all clients */
	QUEUE_ADDRESS = 64,	   /* waiting jobs of one address, times setup.per_address */
	QUEUE_CLIENT = 4,	   /* waiting jobs of one client */
	NAMES = 1024,		   /* cached names of users */
	TOKENS = 256,		   /* cached bearer tokens */
	ISSUERS = 1024,		   /* ... sessions, and tokens by their ids */
	REVOCATIONS_KEPT = 4096,   /* the latest */
	TOKENS_MOST = 20,	   /* of one user */
	LONG_LINES = 1000, /* lines of a game that cost as much as a request */
	SHORT_LINES = 100, /* that the host's thread replays: some games need 10 us for a move */
	LINES_A_MS = 50,  /* that a worker replays, and */
	BYTES_A_MS = 500, /* ... of a record that it reads: to tell long jobs from short ones */
};

/* Is a game of so many lines, which take as long as `work` plain ones, to be replayed by a worker? */
static inline bool needs_worker(size_t lines, size_t work)
{
	return lines > SHORT_LINES || work > LONG_LINES;
}

/* ---- Calls: requests without a complete response ---- */

enum call_kind {
	CALL_STORE, /* waits for the disk */
	CALL_JOB,   /* waits for a worker, and may get progress messages */
	CALL_WAIT,  /* waits for rows or games; then it runs again */
	CALL_REMOTE, /* waits for the node that has the game; may be a stream */
	CALL_PLAY,  /* this and the next two are streams */
	CALL_LOBBY,
	CALL_MATCH,
};

struct call;
/*
 * Receives the texts of the call's job: progress while call->job_number is set, then the result.
 * NULL: out of memory. It frees the call after the result, except that of a stream.
 */
typedef void call_done_fn(struct api *api, struct call *call, const char *text);

/* Known by the host's number; the map api->calls holds all of them. */
struct call {
	uint64_t number;
	enum call_kind kind;
	bool begun;	     /* a stream has sent something */
	uint64_t job_number; /* of the worker's job; 0: none, or it has ended */
	char user[API_USER];
	char address[API_ADDRESS]; /* whose job it is, which pays for its result; "": nobody */
	/* Streams, and requests for one: of the visitor; `user` is "" without rights in the game. */
	char visitor_user[API_USER], issuer[API_USER], visitor_address[API_ADDRESS];
	bool program;
	struct room *room;	  /* CALL_PLAY */
	bool thoughts;		  /* CALL_PLAY: with those of computers */
	bool people;		  /* CALL_PLAY: with phrases and spectators */
	bool again;		  /* CALL_PLAY: the user has an earlier stream of the room, too */
	struct call *next_stream; /* of the same room */
	call_done_fn *job_done;
	void *job_arg;	       /* the job's argument, for job_done; the pool frees it */
	struct parked *parked; /* the request, if it will run again */
	char match[128];       /* CALL_MATCH: its name; CALL_REMOTE: id of the game */
	uint64_t stamp;	       /* CALL_MATCH: of the file; CALL_REMOTE: call that waits for it, or 0 */
	int64_t asked_ms;      /* CALL_REMOTE */
	int waits;	       /* CALL_WAIT: for how many things */
	int64_t since_ms;
	char node[STORE_NODE]; /* CALL_REMOTE: which; "": it need not know of the end */
	int64_t heard;	       /* CALL_REMOTE: responses so far */
};

/* NULL: out of memory; an error was sent. */
struct call *call_new(struct api *api, uint64_t number, const char *user, enum call_kind kind);
/* A stream, for the visitor of the request. As call_new. */
struct call *call_stream(struct api *api, const struct api_request *r, const char *user,
			 enum call_kind kind);
/* NULL: it has ended. */
struct call *call_find(struct api *api, uint64_t number);
/* Also cancels its job and leaves its room. Sends nothing. */
void call_free(struct api *api, struct call *call);
/* A call with a copy of its request, so that it can run again. NULL: as call_new. */
struct call *call_park(struct api *api, const struct api_request *r, enum call_kind kind);
/* Frees the call and runs its request again, without charging rate limits again. */
void call_resume(struct api *api, struct call *call);
/* The same with the text of a job, or NULL, in request_run.job_text. */
void call_resume_with(struct api *api, struct call *call, const char *text);
void parked_free(struct parked *parked); /* NULL is fine */
bool request_is_get(const struct parked *parked);
const struct visitor *parked_visitor(const struct parked *parked); /* who sent the request */
/* It may wait again for the games that it has waited for. */
void request_forget_games(struct parked *parked);
/* False: the visitor has too many streams; an error was sent. */
bool call_may_stream(struct api *api, const struct api_request *request);
/*
 * Submits a job whose texts go to `done`; the pool's client is "WHAT WHOM". The job names neither a
 * client nor where to deliver. If the pool refuses it, an error is sent, and call and job->arg are
 * freed. A call that is NULL only frees job->arg.
 */
void call_submit(struct api *api, struct call *call, call_done_fn *done, const char *what,
		 const char *whom, const struct worker_job *job);
/* An urgent job that does the work of a request; its input bounds the work. */
struct request_work {
	const char *what; /* with the visitor's address, the pool's client */
	int most;	  /* that may wait, of one address */
	void (*run)(struct worker_task *task, void *arg);
	void (*release)(void *arg);
	call_done_fn *done;
	int64_t expected_ms; /* 0: short */
};
/* As call_submit. */
void call_work(struct api *api, const struct api_request *r, struct call *call,
	       const struct request_work *work, void *arg);
/*
 * For jobs whose result is a response: JSON, or "!" with three digits of an HTTP status and the
 * error. call_reply frees the call and sends the result; reply_result only sends it.
 */
call_done_fn call_reply;
void reply_result(struct api *api, uint64_t call, const char *text);

/* ---- Requests that wait: waiting.c ---- */

typedef void route_fn(struct api *api, const struct api_request *r);

/* The position that a body names: the rules, and a record with the moves played. positions.c */
struct request_position {
	struct qv_rules rules;
	struct qv_record *record;
	json_t *move_list; /* each move and where it led, if the body asks for it; or NULL */
};

/* What a request keeps from one run to the next. { 0 } is one that has not run. */
struct request_run {
	uint64_t call;
	route_fn *route; /* NULL: by the path */
	void *ctx;	 /* of the route; `release`, if not NULL, frees it */
	void (*release)(void *ctx);
	struct read *reads;
	struct load_wait *loads;
	struct node_ask *asks;
	const char *list; /* which the nodes are asked for; static */
	char list_user[API_USER];
	int runs;
	int limits, paid;     /* rate limits: met in this run; paid in all runs */
	bool admitted;	      /* by bounds_admit */
	int64_t guess_time;   /* of login_may_try */
	bool guessed;	      /* login_was_right */
	int hops;	      /* nodes that it has passed through */
	bool load_paid;	      /* for the loading of its game */
	int listed;	      /* how often it has come to the games of a list */
	bool settled;	      /* it has got a response, or is parked: nothing more is asked for */
	bool job_ended;	      /* a worker has done its job, with this result */
	char *job_text;	      /* NULL: none */
	struct request_position kept; /* until it runs again */
};

/* Runs the request's route, and parks the request if the route waits for something. */
void request_run(struct api *api, const struct api_request *r, struct request_run *run);
/*
 * Runs a route on behalf of the server itself; there is no response. Returns the number for
 * api_cancel. `release` frees ctx after the last run.
 */
uint64_t request_inside(struct api *api, route_fn *route, void *ctx, void (*release)(void *ctx),
			const char *path, const char *query, const char *address);
/* A new number for a call to which nobody gets a response. */
uint64_t request_number(struct api *api);
/* Was the number made for that, or by request_inside? */
bool request_is_inside(uint64_t number);
/* Finds the route by the path and runs it: api.c. */
route_fn route_request;
/* All responses pass through here on their way to the host. */
void api_respond(struct api *api, const struct api_response *response);

/*
 * The rows of a question; NULL: the store is asked for them and the request runs again, or an error
 * was sent, so the route returns. It may ask several questions before. *fresh (may be NULL): no
 * user has another name since the question was asked.
 */
const struct store_rows *read_rows(struct api *api, const struct api_request *r,
				   enum store_question question, const struct store_value *values,
				   int count, bool *fresh);
/*
 * Lets the request wait until the game is loaded. 0: it runs again, or an error was sent; 404, 429
 * or 503: it has waited, and the game is not there.
 */
int request_wait_for(struct api *api, const struct api_request *r, const char *id);
/* Has the route asked for rows or games that are not there yet? */
bool request_waits(const struct api *api);
/* Charges the call, once, for loading its game. False: it cannot pay, or it is gone. */
bool request_pays(struct api *api, uint64_t call, size_t requests);
/* A game for which the call waits is loaded: 200, or is not: 404, 429 or 503. */
void request_loaded(struct api *api, uint64_t call, const char *id, int status);
/*
 * The list of games that another node has, as it responds to this path for this user. One list for
 * a request. False: it is asked for, or an error was sent. *text "": it could not be had.
 */
bool request_ask_node(struct api *api, const struct api_request *r, const char *node,
		      const char *list, const char *user, const char **text);
/* What the node has responded, or NULL, for a call that waits for it. */
void request_heard(struct api *api, uint64_t call, const char *node, const char *text);
/* Takes the position for request_position_open of the next run: call it before the route waits. */
void request_keep_position(struct api *api, struct request_position *position);

/* ---- What routes read: reads.c ---- */

enum read_result {
	READ_FOUND,
	READ_NONE,
	READ_LATER, /* the request runs again, or an error was sent: return at once */
};

enum read_result read_user(struct api *api, const struct api_request *r, const char *id,
			   struct store_user *out);
enum read_result read_login(struct api *api, const struct api_request *r, const char *login,
			    struct store_user *out);
/* An account whose name looks like that. */
enum read_result read_skeleton(struct api *api, const struct api_request *r, const char *skeleton,
			       struct store_user *out);
/* What the server has to know of any user; from a cache if possible. Never READ_NONE. */
struct known_name;
enum read_result read_known(struct api *api, const struct api_request *r, const char *user,
			    struct known_name *out);
/* The bearer token with this hash; from a cache if possible. */
struct known_token;
enum read_result read_token(struct api *api, const struct api_request *r,
			    const uint8_t hash[STORE_TOKEN], struct known_token *out);
/* Is it known of all people in the game whether they have an account? False: READ_LATER. */
bool read_accounts(struct api *api, const struct api_request *r, const struct hosted_game *play);
/* Marks the people with an account, as far as that is known, in a game's JSON, which it takes. */
json_t *seats_add_accounts(struct api *api, const struct hosted_game *play, json_t *json);
/* The name of a user, or "Guest N"; from a cache if possible. False: READ_LATER. */
bool read_name(struct api *api, const struct api_request *r, const char *user,
	       char out[STORE_NAME]);
/* The name of a user who has not chosen one. */
void guest_name(const char *user, char out[STORE_NAME]);
/* Without the lines. */
enum read_result read_play(struct api *api, const struct api_request *r, const char *id,
			   struct store_play *out);
/* Has the user fewer than GOING_MOST games in progress? False: a 429 was sent, or READ_LATER. */
bool may_begin_game(struct api *api, const struct api_request *r, const char *user);
/* The entries of rows for store_row_entry, as a list of JSON. NULL: out of memory. */
json_t *entries_json(const struct store_rows *rows);
/* body: of the study, as long as the route runs. */
enum read_result read_study(struct api *api, const struct api_request *r, const char *id,
			    struct store_study *out, const char **body);

/* Clears the cache of names, after a write that failed; or takes one user out of it. */
void users_forget(struct api *api);
void user_forget(struct api *api, const char *user);
/* The same for the bearer tokens of a user; NULL: of all. */
void tokens_forget(struct api *api, const char *user);
/* Queues the user's row with this name, and caches the name. */
void user_put(struct api *api, const char *user, const char *name);
/* Queues the user's row unless the store is known to have one. */
void user_ensure(struct api *api, const char *user);

/* ---- Responses ---- */

/* Jansson flags for the JSON of responses. */
#define RESPONSE_JSON GAME_JSON_FORM

struct outgoing {
	uint64_t call;
	int status;
	const char *type, *file, *cookie; /* NULL: JSON; no file name; no change */
	int max_age;			  /* as in api_response */
	bool shared, stream, end;
};
/* Passes a complete response, or a message of a stream, to the host. */
void reply_text(struct api *api, const struct outgoing *out, const char *text);
/* The same for bytes, such as those of a picture. */
void reply_bytes(struct api *api, const struct outgoing *out, const char *bytes, size_t size);
/* The only response to a call: 200 and JSON, as text. NULL (out of memory) becomes a 503. */
void reply_ok(struct api *api, uint64_t call, const char *text);
/* The next message of a stream. */
void reply_message(struct api *api, uint64_t call, const char *text);
/* As reply_text for JSON, which it takes; NULL (out of memory) becomes a 503. */
void reply_json(struct api *api, const struct outgoing *out, json_t *json);
/* The only response to a call, as reply_json. */
void reply(struct api *api, uint64_t call, int status, json_t *json);
/* The only response to a call: 200 and JSON that is the same for everybody. As reply_json. */
void reply_shared(struct api *api, uint64_t call, json_t *json);
/* The same for a text that is kept; NULL (out of memory) becomes a 503. */
void reply_kept(struct api *api, uint64_t call, const char *text);
/* Ends a stream. */
void reply_end(struct api *api, uint64_t call);
/* The HTTP status of a verdict. */
int verdict_http_status(enum verdict verdict);
/* The only response to a call: an error. The message is "WHAT: WHY". 500 and up are logged. */
void reply_error(struct api *api, uint64_t call, int status, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* ... 503: what it has changed could not be stored, or nobody knows whether it was. */
void reply_not_stored(struct api *api, uint64_t call);
/* The only response to a call: 503, out of memory. */
void reply_no_memory(struct api *api, uint64_t call);

/* ---- Fields of a request. False: wrong, and a 400 was sent ---- */

/* *out NULL: the field is missing or null. */
bool body_text(struct api *api, const struct api_request *r, const char *key, const char **out);
/* A missing field has the default value. */
bool body_integer(struct api *api, const struct api_request *r, const char *key, json_int_t least,
		  json_int_t most, json_int_t default_value, json_int_t *out);
/* A missing field is false. */
bool body_boolean(struct api *api, const struct api_request *r, const char *key, bool *out);
/* Refuses fields that are not among the names, which are separated by blanks. */
bool body_keys(struct api *api, const struct api_request *r, const char *names);
/* Sends nothing. Decodes the value; false: missing, too long, or badly encoded. */
bool query_value(const char *query, const char *key, char *out, size_t size);

/* ---- Rooms: games in memory, rooms.c ---- */

struct commit; /* lines on their way to the disk */

/* What a player has said: one of a fixed list, so that nobody has to read it before others do. */
struct phrase {
	int seat;	  /* from 0 */
	const char *name; /* static */
	int64_t number;	  /* grows in the game, also after the server was started again */
};

struct room {
	struct hosted_game *play;
	char id[API_USER];
	int64_t epoch;		   /* of its row in the store */
	char address[API_ADDRESS]; /* from which its players last sent something; "": not yet */
	char owner_address[API_ADDRESS]; /* the same for its owner, */
	int64_t owner_ms;		 /* ... and when: the lobby shows invitations of present ones */
	struct call *streams;	   /* of its followers */
	int stream_count;
	struct commit *last_commit; /* the newest on its way; messages wait for it */
	int commits;		    /* on their way */
	size_t lines;		    /* of the game, as counted in api->room_lines */
	bool stored;		    /* its header is on disk */
	bool shown;		    /* played over IMCS: in the lobby even without a follower */
	bool finished;		    /* its players have it in their lists of finished games */
	size_t damaged;		    /* the first line that cannot be read, from 1: nobody may change it */
	bool broken;		    /* a line could not be stored: drop it as soon as possible */
	char seated[QV_MAX_SEATS][API_USER]; /* users that the store knows as seated */
	uint64_t job_number, turn; /* the worker's job (0: none), and the turn it is for */
	char *thoughts;		   /* the last ThoughtsMessage of a computer; NULL: none yet */
	int64_t used_ms, moved_ms; /* last request; last move of a computer */
	int64_t due_ms;		   /* when room_run has something to do; -1: never */
	int64_t sent_ms;	   /* when the whole game was last sent to the followers */
	unsigned connected;	   /* bit set of seats whose users follow, as last sent */
	int watchers;		   /* as last sent */
	/* When the user of each seat was last there, in ms; meaningless while one follows. */
	int64_t here_ms[QV_MAX_SEATS];
	struct phrase phrases[PHRASES_KEPT]; /* the newest last; never stored */
	int phrase_count;
};

/* The callbacks of a game that the API hosts. */
struct hosted_callbacks rooms_host(struct api *api);
/*
 * The game for a request, which is charged for the loading. NULL: an error was sent, or the game is
 * being loaded and the request will run again.
 */
struct room *room_for(struct api *api, const struct api_request *r, const char *id);
/* The game of that id if it is in memory, else NULL; it may be broken. */
struct room *room_at(struct api *api, const char *id);
/* The same, but never a broken one; counts as a use of the room. */
struct room *room_in_memory(struct api *api, const char *id);
/* Calls `act` with the game once it is in memory, or with NULL if it cannot be loaded. */
typedef void room_fn(struct api *api, struct room *room, const void *argument);
/* The argument is copied. */
void room_when_loaded(struct api *api, const char *id, room_fn *act, const void *argument,
		      size_t size);
/* A new game whose lines are not stored yet. Takes the play; NULL: out of memory, play freed. */
struct room *room_add(struct api *api, struct hosted_game *play, const char *id);
/* Drops a room at once; no commit of it may be on its way. */
void room_drop(struct api *api, struct room *room);
/* Drops idle rooms if there are too many. */
void rooms_forget(struct api *api);
/* The visitor's user id in this game; "": the visitor's seat token is for another one. */
const char *room_user(const struct visitor *visitor, const struct room *room);

/*
 * Responses that wait for the commits on their way, if any: a text, JSON (which is taken), or the
 * game as the user sees it. room_reply_whole adds line and tree to the head, which it takes.
 */
void room_reply_text(struct api *api, struct room *room, const struct outgoing *out,
		     const char *text);
void room_reply(struct api *api, struct room *room, const struct outgoing *out, json_t *json);
void room_reply_whole(struct api *api, struct room *room, const struct outgoing *out, json_t *head);
/* The game as the user sees it, without line and tree. */
json_t *room_head(struct api *api, const struct room *room, const char *user);
/*
 * After every command: queues new lines for the disk, informs the followers, and computes what is
 * due next. False: the lines cannot be stored and the room is broken: respond with 503.
 */
bool room_changed(struct api *api, struct room *room);
/* The same; *moved becomes the MoveMessage, if the command was no more than a move. Free it. */
bool room_moved(struct api *api, struct room *room, char **moved);
/* Ends the followers' streams and drops the room; the next request loads it from the store. */
void room_break(struct api *api, struct room *room);
/* The same, if it is in memory: the next request loads the game again. */
void room_unload(struct api *api, const char *play);
/* Other nodes may have taken all games over: breaks the rooms, and those that are being loaded. */
void rooms_lose(struct api *api);
/* Another node has taken the game over with that epoch. */
void room_taken(struct api *api, const char *play, int64_t epoch);

/* Adds the stream to the followers of the room, or takes it out. */
void room_follow(struct api *api, struct room *room, struct call *call);
void room_unfollow(struct api *api, struct call *call);
/*
 * Sends the last thoughts of a computer to a follower who wants them: only if at most one person
 * plays, who has no opponent to be protected.
 */
void room_send_thoughts(struct api *api, struct room *room, const struct call *stream);
/*
 * Sends a text to all followers, or to those who want messages about people, once the commits on
 * their way are on disk.
 */
void room_send_all(struct api *api, struct room *room, const char *text, bool people);
/* Does what is due (computers, clocks, connected users) and sets room->due_ms. */
void room_run(struct api *api, struct room *room);

/* ---- Who is there: people.c ---- */

/* Bit set of the seats whose users follow the game. */
unsigned room_connected(const struct room *room);
/* How many users without a seat follow it, except this one. */
int room_watchers(const struct room *room, const char *except);
/* The user is there: for requests of those who do not follow. */
void room_seen(struct api *api, struct room *room, const char *user);
/* Adds to a message whether and when the game can be claimed. Takes the JSON. */
json_t *room_add_claim(struct api *api, const struct room *room, json_t *message);
/* Sends the number of spectators to the followers, if it has changed. */
void room_send_watchers(struct api *api, struct room *room);
/* Sends the phrases that were said before to a new follower. */
void room_send_phrases(struct api *api, struct room *room, const struct call *stream);

/* ---- Games from the store: rooms_load.c ---- */

/* Responds to a request whose game was not found (404) or cannot be loaded (429, 500, 503). */
void room_refuse(struct api *api, uint64_t call, int status);
/* A damaged game can only be looked at. False: an error was sent. */
bool room_allows(struct api *api, const struct api_request *r, const struct room *room);
/*
 * Loads the game for a call: request_loaded follows, in a later turn and in the order of the calls.
 * 0, or the status of an error.
 */
int room_load_for(struct api *api, const char *id, const char *address, uint64_t call);
/* As hosted_work, for the game of the row: by it, loop or worker is chosen, and requests pay. */
size_t play_work(const struct api *api, const struct store_play *row, size_t lines, size_t moves);
/* Loads a long game for the lobby, which is then updated; one at a time. */
void room_load_later(struct api *api, const char *id);
/*
 * Reads a game that does not become a room. done gets the game, which is freed afterwards, and its
 * row; NULL: it cannot be read. False: not now, and done is not called.
 */
typedef void game_read_fn(struct api *api, const char *id, const struct store_play *row,
			  const struct hosted_game *play);
bool game_read(struct api *api, const char *id, game_read_fn *done);

/* ---- Several servers: cluster.c. Without them the functions do nothing ---- */

enum { STATUS_ELSEWHERE = 421 }; /* of a game that another node has */

/* Sets api->secret_mark. */
void cluster_mark(struct api *api);
/* Fails if another server has another secret: then each would refuse the other's cookies. */
enum qv_status cluster_check(struct api *api, struct qv_error *error);
/* False: out of memory. cluster_leave: before the store closes; cluster_close: at the end. */
bool cluster_open(struct api *api);
void cluster_leave(struct api *api);
void cluster_close(struct api *api);
/* The name of this node; "": it is alone. */
const char *cluster_node(const struct api *api);
/* Has this node not been able to renew its lease? Then it has no games. */
bool cluster_is_lost(const struct api *api);
/* Keeps in mind which node has a game; "": unknown. */
void cluster_found_owner(struct api *api, const char *play, const char *node);
/* This node has claimed the play, which was that node's: it is told, since it may not know. */
void cluster_claimed(struct api *api, const char *play, const char *node, int64_t epoch);
/* Passes the request on to the node that has the game. False: it is not known to be elsewhere. */
bool cluster_forward(struct api *api, const struct api_request *r, const char *play);
/* The other nodes that are alive, one by one, then NULL; and whether a name is one of them. */
const char *cluster_other(const struct api *api, int *at);
bool cluster_is_other(const struct api *api, const char *node);
/* Asks a node for a list, for a call; request_heard follows. False: it cannot be reached. */
bool cluster_ask(struct api *api, const char *node, const char *list, const char *user,
		 uint64_t waiter);
/* The lobby of this node has changed: the others send it to their followers, too. */
void cluster_lobby_changed(struct api *api);
bool cluster_is_guest(uint64_t call); /* does another node wait for it? */
/* The client of a call that was passed on has left. */
void cluster_cancelled(struct api *api, const struct call *call);
/* Sends a response to the node whose request it is for. False: it is for this one. */
bool cluster_respond(struct api *api, const struct api_response *response);
/*
 * Changed names, revoked tokens: the caches of all nodes forget them. Call it when the unit is
 * filled, so that it goes out with it, and when it is stored, for hosts with a `send` of their own.
 */
void cluster_forget(struct api *api, bool stored);
/* Likewise: the stored lines of the game have been changed, and its owner must load it again. */
void cluster_unload(struct api *api, const char *play, bool stored);

/* ---- Rate limits of several servers: shared_limits.c ---- */

/* Tells the other nodes what visitors have taken here; and takes what a node tells. */
void charges_tell(struct api *api);
void charges_hear(struct api *api, const json_t *charges);

/* ---- People: accounts.c ---- */

/* A seat token allows nothing but its game. False: the visitor has one, and an error was sent. */
bool acts_as_user(struct api *api, const struct api_request *r);
/* False: the response cannot set a cookie, and an error was sent. */
bool may_set_cookie(struct api *api, const struct api_request *r, const char *what);
/* User of types.ts: with the games in progress. NULL: READ_LATER. */
json_t *me_json(struct api *api, const struct api_request *r, const char *user);
/* The same for a new guest; NULL: out of memory. cookie: that of the guest. */
json_t *new_guest_json(struct api *api, char cookie[SECRETS_COOKIE]);
/* The field "label", or "". False: an error was sent. */
bool label_read(struct api *api, const struct api_request *r, char out[STORE_LABEL]);

/* A password for a worker: to be checked, then perhaps a new one to be hashed. */
enum { PASSWORD_ROOM = 136 };
struct password {
	char text[PASSWORD_ROOM], hash[SECRETS_PASSWORD]; /* what, against what; text "": nothing */
	char next[PASSWORD_ROOM];			  /* to hash; "": nothing */
};
/*
 * The request runs again with the result, in api->run->job_text: the new hash, or "+" if there is
 * nothing to hash; NULL: the password is wrong.
 */
void password_submit(struct api *api, const struct api_request *r, const struct password *p);
/* A password of the body. is_new: the rules for passwords apply. False: an error was sent. */
bool password_read(struct api *api, const struct api_request *r, const char *key, bool is_new,
		   char out[PASSWORD_ROOM]);
/*
 * Has the worker found the password of this account right? It is asked first, if it may be
 * (login_limits.c). exists: false for a name that nobody has. False: the request runs again, or an
 * error was sent, which is `wrong` for a wrong password.
 */
bool password_is_right(struct api *api, const struct api_request *r, const struct password *p,
		       const char *login, const char *user, bool exists, const char *wrong);
/*
 * A mail to the owner of an account, at its present address, that goes when the response is stored,
 * which must follow. what: what has changed; its first 16 bytes name its kind. The second reads the account; false: READ_LATER. what
 * NULL: no mail.
 */
void notice_owner(struct api *api, const struct store_user *user, const char *what);
bool notice_read(struct api *api, const struct api_request *r, const char *user, const char *what);
enum { COOKIES_ROOM = SECRETS_COOKIE + 64 }; /* for the cookies of a session and its device */
/*
 * Queues a new session of the user, and the end of the visitor's own. What else ends with it is
 * queued afterwards and keeps it by its id: other servers may know it before they know what ended.
 */
void session_begin(struct api *api, const struct api_request *r, const char *user,
		   const char *label, char id[STORE_ID], char cookies[COOKIES_ROOM]);
/* How many tokens the user has: credentials.c. False: READ_LATER. */
bool read_token_count(struct api *api, const struct api_request *r, const char *user, int *count);

/* ---- Who sends a request: identity.c ---- */

/*
 * Finds out whether the visitor's credentials hold, and whose token it is; `who` is room for the
 * result, to which r->visitor then points. False: an error was sent, or READ_LATER.
 */
bool request_identify(struct api *api, struct api_request *r, struct visitor *who);
/* Reads what has ended since the last time; then calls `then`, if it is not NULL. */
void revocations_read(struct api *api, void (*then)(void *ctx), void *ctx);
int64_t revocations_turn(struct api *api);
enum qv_status revocations_open(struct api *api, struct qv_error *error);

/* ---- Mail: mail.c ---- */

struct mail;
/* The text is what follows the headers. NULL: out of memory, which was logged. */
struct mail *mail_new(struct api *api, const char *address, const char *subject, const char *text);
/* A worker sends the mail, if `ok`, and logs if that fails. Takes the mail. Fits store_end_unit. */
void mail_send(void *mail, bool ok);
/* Ends the store's unit of work, without a response. The mail, if there is one, is sent afterwards. */
void mail_when_stored(struct api *api, struct mail *mail);

/* ---- The API itself ---- */

/* Limits one kind of log line to one in ten seconds; the next line says how many were left out. */
struct log_limit {
	int64_t next_ms; /* no line before; 0: at any time */
	int left_out;
};
/* Writes a line to the operator's log; level: "error" or "info". Changes what is not printable. */
void log_line(const struct api *api, const char *level, char *line);
/* Logs a game in the store that cannot be loaded. */
void log_unloadable(struct api *api, const char *id, const char *why);
/* Logs a mail that was not sent; why: without the recipient's address. */
void log_unsent(struct api *api, const char *why);

struct known_name {
	char user[API_USER], name[STORE_NAME];
	bool stored; /* the user is in the store; otherwise the name is that of a guest */
	bool account;
	int64_t epoch; /* as in struct store_user */
};

struct known_token {
	uint8_t hash[STORE_TOKEN];
	char id[API_USER], user[API_USER]; /* user "": the entry is free */
	int64_t day;			   /* of its last use */
	bool fresh;			   /* it may be cached: nothing has ended meanwhile */
};

/* A session or bearer token, by its id. */
struct known_issuer {
	char id[API_USER], user[API_USER];
	bool program; /* a token */
	int64_t day;  /* of the last use */
};

/* The latest revocations, in a ring; the newest is kept[count % REVOCATIONS_KEPT]. */
struct revocations {
	struct store_revocation kept[REVOCATIONS_KEPT];
	int64_t count;	/* that were ever read */
	int64_t last;	/* the number of the newest, or of the last one before the start */
	int64_t due_ms; /* when to look for new ones */
	bool asked;	/* the store has been asked */
};

struct api {
	struct api_setup setup;
	char *data, *matches; /* folders */
	struct secrets secrets;
	char dice_mark[STORE_MARK]; /* see secrets_dice */
	struct store *store;
	struct worker_pool *pool;
	struct table_lookup *table_lookup;
	struct openings *openings;
	struct match_cache *match_cache;
	struct limits *limits, *host_limits; /* host_limits: NULL, or those of the host */
	struct map calls; /* by number */
	struct map rooms; /* by id */
	int stream_count, lobby_followers, workers;
	struct worker_processes *processes; /* on this machine; NULL: threads do it all */
	struct job_queue *jobs; /* for other machines; NULL: all jobs run here */
	size_t room_lines;   /* of all games in memory */
	int64_t forget_ms;   /* when to look again for idle rooms to drop */
	int64_t next_due_ms; /* of all rooms; -1: nothing is due */
	bool lobby_changed, lobby_heard; /* here; on another node */
	int64_t lobby_ms;	   /* when it was last sent */
	char *lobby_sent;	   /* the JSON that was last sent */
	struct rated_puzzles *puzzles; /* of all games; NULL: not needed yet */
	char *gallery, *games;	   /* the responses of these routes; NULL: not made yet */
	int64_t matches_ms;	   /* when the journals were last checked for changes */
	int64_t store_fails_since; /* seconds since 1970; 0: it works */
	int64_t store_late_since;  /* likewise: since when a write has waited; 0: not for long */
	struct log_limit failures, unloadable, unsent;
	struct bounds *bounds;
	struct loading *loadings; /* games on their way from the store */
	/* Made by a worker for the request that runs again, or NULL. */
	struct request_position *position;
	/* The index of finished games: may be filled, is being filled, has all games. */
	bool index_ready, index_busy, index_complete;
	char index_game[STORE_GAME]; /* the last rules whose mark was looked at, */
	int64_t index_mark;	     /* ... and that mark */
	char index_last[STORE_ID]; /* the last game that was looked at for it */
	int64_t index_ms;	   /* when to ask for the next one */
	char secret_mark[32];	 /* the same for servers with the same secret */
	char node[SECRETS_ID];	 /* a name for this server, if the host has none */
	struct cluster *cluster; /* NULL: this server is alone */
	const struct cluster_watch *watch; /* cluster_watch.h; NULL: nobody */
	struct request_run *run; /* of the request that runs; NULL: none */
	struct api_busy *busy;	 /* for whom the thread works; NULL: nobody */
	int64_t busy_us;	 /* until when somebody was charged for it */
	uint64_t inside_count;	 /* requests from inside so far */
	uint64_t renames;	 /* changes of names so far */
	bool renamed;		 /* the unit that is being filled changes names or tokens */
	struct known_name names[NAMES];
	struct known_token tokens[TOKENS];
	struct known_issuer issuers[ISSUERS];
	struct revocations revocations;
	struct suspensions suspensions;
	struct mail *notice; /* goes with the next response that waits for the store; NULL: none */
	/* Perhaps a user is to be deleted; it is being done; the store writes a part of it. */
	bool deletions_due, deleting, deleting_portion;
	int64_t deletion_ms;	      /* not before: the last portion failed */
	bool draining, drained; /* the host will end soon; the streams have been ended once */
	bool closing;  /* nothing new begins */
};

/* The host's clocks: monotonic in ms, and in seconds since 1970. */
static inline int64_t api_now(const struct api *api)
{
	return api->setup.host.now_ms(api->setup.host.ctx);
}

static inline int64_t api_seconds(const struct api *api)
{
	return api->setup.host.seconds(api->setup.host.ctx);
}

/* The earlier of two times; a negative one means never. */
static inline int64_t earlier(int64_t a, int64_t b)
{
	return a < 0 || (b >= 0 && b < a) ? b : a;
}

/* Applies a rate limit per address, scaled by setup.per_address. */
bool api_take(struct api *api, const char *what, const char *address, double per_minute,
	      double burst);
/* The same for a request, which pays it once however often it runs. */
bool api_take_once(struct api *api, const char *what, const char *address, double per_minute,
		   double burst);
/* The same. False: a 429 was sent. */
bool api_limit(struct api *api, const struct api_request *r, const char *what, double per_minute,
	       double burst);
/* Charges the request limit this many times, for long work. False: a 429 was sent. */
bool api_costs(struct api *api, const struct api_request *r, size_t requests);
/* The same for an address, without a response. */
bool api_take_requests(struct api *api, const char *address, size_t requests);

/* ---- Routes: r->words has the parts of the path that match the * of the pattern ---- */

route_fn get_games, get_gallery, get_picture, get_history, get_board, get_openings, post_position;
route_fn post_analysis, post_values, post_evaluation, post_luck, post_review, post_explanation;
route_fn post_play, get_play, get_play_events, get_play_record, post_move, post_action, post_record;
route_fn post_move_once, post_phrase, post_claim;
route_fn get_lobby, get_lobby_events;
route_fn get_own_lobby, get_own_plays; /* for other nodes */
route_fn get_finished, post_finished, post_explorer;
route_fn get_puzzles, post_attempt;
route_fn get_studies, post_study, get_study, get_study_version, put_study, post_study_delete;
route_fn post_report;
route_fn get_me, post_me, post_account, post_login, post_named_play, post_named_action;
route_fn post_logout, get_sessions, post_session_end, get_tokens, post_token, post_token_revoke;
route_fn post_password, post_forgotten, post_reset, post_email, post_email_confirm;
route_fn post_account_delete, get_export;
route_fn get_privacy;
route_fn get_matches, get_match, get_match_events, get_match_game;

/* Each does what is due; returns when to call it again, in ms of the clock; -1: no need. */
int64_t lobby_turn(struct api *api);
/* A player, or the owner, has sent a request about the game. */
void room_used_by(struct api *api, struct room *room, const struct visitor *visitor);
int64_t overload_turn(struct api *api);
int64_t matches_turn(struct api *api);
int64_t explorer_turn(struct api *api);
int64_t deletions_turn(struct api *api);
int64_t rooms_turn(struct api *api);
int64_t cluster_turn(struct api *api);
/* May something more be written now? False: an error was sent. overload.c */
bool overload_allows(struct api *api, const struct api_request *r);
/* The list of all games: Game of types.ts. NULL: out of memory. */
json_t *games_json(const struct api *api);
/* The moves of the sample game of a game, with commas between them; "": none. */
const char *sample_moves(const char *game);
/* The user's games in progress, as MyGame of types.ts. NULL: READ_LATER. */
json_t *user_plays(struct api *api, const struct api_request *r, const char *user);
/* The title of a study and the game and position of its first chapter. */
enum read_result study_preview(struct api *api, const struct api_request *r, const char *id,
			       char title[STORE_TITLE], char game[QV_POSITION_TEXT],
			       char position[QV_POSITION_TEXT]);
/* Queues the changes of the lists of finished games, if the game has ended or continues. */
void finished_write(struct api *api, struct room *room);
/* Queues the entries of games that ended before there were such lists. */
void finished_catch_up(struct api *api);
/* Queues the change of the index of finished games: the game has ended, or continues. */
void explorer_write(struct api *api, const struct room *room);
/* Ends the store's unit of work and responds once it is on disk. No cookie. Takes the JSON. */
void reply_when_stored(struct api *api, uint64_t call, int status, json_t *json);
/* The response if the unit breaks a rule of the database. Static; the text, too. */
struct refusal {
	int status;
	const char *text;
};
void reply_unless_refused(struct api *api, uint64_t call, int status, json_t *json,
			  const struct refusal *refusal);
/* Also sends the mail, if the unit is stored. Takes it; NULL: out of memory, which is the response. */
void reply_with_mail(struct api *api, uint64_t call, int status, json_t *json, struct mail *mail,
		     const struct refusal *refusal);
/*
 * The same for a change of credentials: what it ends has ended when the response is sent. cookie:
 * the visitor's new one; NULL: no change. refusal: as before, or NULL.
 */
void reply_when_changed(struct api *api, uint64_t call, int status, json_t *json,
			const char *cookie, const struct refusal *refusal);
/* For store_if_issuer: the visitor's own credentials have ended meanwhile. */
extern const struct refusal visitor_ended;

/* What puzzles.c keeps in memory. NULL is fine. */
void puzzles_forget(struct rated_puzzles *puzzles);

/* ---- Players: new_players.c ---- */

/*
 * Is the spec known to be valid, or has a worker looked? False: a worker looks now, and the request
 * runs again, with the position if it is not NULL; or an error was sent.
 */
bool player_is_known(struct api *api, const struct api_request *r, const struct qv_rules *rules,
		     const char *spec, struct request_position *position);

/* ---- Opening books: games.c. For one thread ---- */

/* The books and the lists of their lines. NULL: out of memory; NULL is fine to free. */
struct openings *openings_new(const struct qv_context *context);
void openings_free(struct openings *o);

/* ---- Positions: positions.c ---- */

/*
 * False: an error was sent, or a worker plays the many moves and the request will run again; so
 * call it before anything that must happen only once. The caller releases *out.
 */
bool request_position_open(struct api *api, const struct api_request *r,
			   struct request_position *out);
void request_position_release(struct request_position *position);

#endif
