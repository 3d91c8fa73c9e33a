/*
 * plays.c - routes about existing games: look, follow, export, move, act. create.c creates them.
 * SPDX-License-Identifier: MIT
 *
 * A command changes the hosted game (session/hosted_game.h); room_moved then queues its lines for
 * the disk, and the response waits until they are there. Refusals wait for the same commits, so
 * that responses leave in the order of the requests.
 */
#include <stdlib.h>
#include <time.h>

#include "formats/pgn.h"
#include "record/record.h"
#include "server/api/bounds.h"
#include "server/api/inside.h"
#include "server/api/limits.h"

enum {
	MOVES_A_SECOND = 10,
	EXPORTS_MOST = 16, /* games to be written as PGN that may wait, of one address */
};

/* The room of the path. NULL: an error was sent, or the request waits for the game. */
static struct room *find(struct api *api, const struct api_request *r)
{
	struct room *room = room_for(api, r, r->words[0]);
	const char *user = room ? room_user(r->visitor, room) : NULL;
	/* Computers think on behalf of the players' address, not of those who watch. */
	if (room &&
	    (hosted_is_seated(room->play, user) || strcmp(hosted_owner(room->play), user) == 0))
		room_used_by(api, room, r->visitor);
	return room;
}

/* The same for a response with the whole game, which is charged by its length. */
static struct room *find_whole(struct api *api, const struct api_request *r)
{
	struct room *room = find(api, r);
	if (!room)
		return NULL;
	const size_t lines = hosted_lines_before(room->play) + hosted_lines(room->play);
	return api_costs(api, r, lines / LONG_LINES) ? room : NULL;
}

/* ---- Looking ---- */

/* GET /api/v1/plays/ID */
void get_play(struct api *api, const struct api_request *r)
{
	const struct outgoing out = { .call = r->call, .status = 200, .end = true };
	struct room *room = find_whole(api, r);
	if (!room)
		return;
	room_run(api, room);
	room_reply_whole(api, room, &out, room_head(api, room, room_user(r->visitor, room)));
}

/* False: neither 0 nor 1, and an error was sent. A missing one is 0. */
static bool query_flag(struct api *api, const struct api_request *r, const char *key, bool *flag)
{
	char text[8] = "0";
	query_value(r->query, key, text, sizeof text);
	*flag = strcmp(text, "1") == 0;
	if (!*flag && strcmp(text, "0") != 0)
		reply_error(api, r->call, 400, "%s: 0 or 1 is expected", key);
	return *flag || strcmp(text, "0") == 0;
}

/*
 * GET /api/v1/plays/ID/events: the game now, then every move and change; with ?thoughts=1 also what
 * a computer finds while it thinks, with ?people=1 also phrases and the number of spectators.
 */
void get_play_events(struct api *api, const struct api_request *r)
{
	const struct outgoing out = { .call = r->call, .status = 200, .stream = true };
	bool thoughts, people;
	if (!query_flag(api, r, "thoughts", &thoughts) || !query_flag(api, r, "people", &people))
		return;
	struct room *room = find_whole(api, r);
	if (!room || !call_may_stream(api, r))
		return;
	const char *user = room_user(r->visitor, room);
	struct call *call = call_stream(api, r, user, CALL_PLAY);
	if (!call)
		return;
	call->thoughts = thoughts;
	call->people = people;
	room_follow(api, room, call);
	room_reply_whole(api, room, &out, room_head(api, room, user));
	/* The call is gone if memory ran out. */
	call = call_find(api, r->call);
	if (call)
		room_send_thoughts(api, room, call);
	call = call_find(api, r->call);
	if (call)
		room_send_phrases(api, room, call);
	room_run(api, room);
}

/* ---- Records ---- */

/* A game to be written as PGN: a worker's argument. */
struct exporting {
	const struct qv_context *context;
	char id[API_USER], file[64];
	char *journal; /* a copy; NULL: work on the record itself */
	char white[HOSTED_SPEC_ROOM], black[HOSTED_SPEC_ROOM], date[16]; /* "": none */
	enum qv_status status;						 /* the outcome */
	struct qv_error error;
	struct string text;
};

static void exporting_free(void *arg)
{
	struct exporting *e = arg;
	free(e->journal);
	string_release(&e->text);
	free(e);
}

/* copy: for a worker, which must not use the record. NULL: out of memory. */
static struct exporting *exporting_new(struct api *api, const struct room *room, bool copy)
{
	const struct qv_record *record = hosted_record(room->play);
	const char *journal = record->journal.data;
	const time_t created = (time_t)hosted_created(room->play);
	struct tm day;
	struct exporting *e = calloc(1, sizeof *e);
	if (!e)
		return NULL;
	e->context = api->setup.context;
	e->text.allocator = &mem_malloc;
	memcpy(e->id, room->id, sizeof e->id);
	snprintf(e->file, sizeof e->file, "%.24s-%.16s.pgn", qv_record_rules(record)->game->name,
		 room->id);
	if (hosted_seat_count(room->play) == 2) {
		const struct qv_game *game = qv_record_rules(record)->game;
		hosted_seat_name(game, hosted_seat_at(room->play, 0), e->white);
		hosted_seat_name(game, hosted_seat_at(room->play, 1), e->black);
	}
	/* The day the game was created, unless its record came with another. */
	json_t *header = json_loadb(journal, strcspn(journal, "\n"), 0, NULL);
	if (!json_object_get(json_object_get(header, "tags"), "Date") && gmtime_r(&created, &day) &&
	    !strftime(e->date, sizeof e->date, "%Y.%m.%d", &day))
		e->date[0] = '\0';
	json_decref(header);
	e->journal = copy ? strdup(journal) : NULL;
	if (!copy || e->journal)
		return e;
	exporting_free(e);
	return NULL;
}

/* Adds the tags that the record itself does not have. */
static void export_record(struct exporting *e, const struct qv_record *record)
{
	const struct record_tag tag = { "Date", e->date };
	const struct pgn_style style = { .tags = &tag,
					 .tag_count = e->date[0] != '\0',
					 .players = { e->white[0] ? e->white : NULL,
						      e->black[0] ? e->black : NULL } };
	e->status = pgn_write(e->context, record, &style, &e->text, &e->error);
}

/* Loads the record from the copy of its journal. */
static void exporting_run(struct worker_task *task, void *arg)
{
	struct exporting *e = arg;
	struct qv_record *record = NULL;
	(void)task;
	e->status = qv_record_load(e->context, e->journal, strlen(e->journal), &record, &e->error);
	if (e->status == QV_OK)
		export_record(e, record);
	qv_record_free(record);
}

/* Waits for the commits of the room, as every response about a game does. */
static void reply_pgn(struct api *api, uint64_t call, struct room *room, const struct exporting *e)
{
	const struct outgoing out = { .call = call,
				      .status = 200,
				      .end = true,
				      .file = e->file,
				      .type = "application/x-chess-pgn" };
	if (e->status == QV_OK)
		room_reply_text(api, room, &out, e->text.data);
	else
		reply_error(api, call, e->status == QV_NO_MEMORY ? 503 : 400, "record: %s",
			    e->error.text);
}

/* The room may have been dropped or broken while the worker wrote. */
static void exporting_done(struct api *api, struct call *call, const char *text)
{
	const struct exporting *e = call->job_arg;
	const uint64_t number = call->number;
	struct room *room = room_at(api, e->id);
	(void)text;
	call_free(api, call);
	/* If its last lines could not be stored, nobody may see them. */
	if (room && !room->broken)
		reply_pgn(api, number, room, e);
	else
		reply_error(api, number, 503, "play: it is being loaded again; try again");
}

/* A long game is written by a worker, from a copy of its journal. */
static void export_pgn(struct api *api, const struct api_request *r, struct room *room)
{
	static const struct request_work work = { "pgn", EXPORTS_MOST, exporting_run,
						  exporting_free, exporting_done, 0 };
	const bool is_long = room->lines > SHORT_LINES;
	struct exporting *e = exporting_new(api, room, is_long);
	if (!e) {
		reply_no_memory(api, r->call);
	} else if (is_long) {
		call_work(api, r, call_new(api, r->call, r->visitor->user, CALL_JOB), &work, e);
	} else {
		export_record(e, hosted_record(room->play));
		reply_pgn(api, r->call, room, e);
		exporting_free(e);
	}
}

/* GET /api/v1/plays/ID/record: the record as it is stored, or as PGN. */
void get_play_record(struct api *api, const struct api_request *r)
{
	struct room *room = find_whole(api, r);
	char name[64], format[16] = "";
	if (!room)
		return;
	if (query_value(r->query, "format", format, sizeof format) &&
	    strcmp(format, "record") != 0) {
		if (strcmp(format, "pgn") == 0)
			export_pgn(api, r, room);
		else
			reply_error(api, r->call, 400, "format: record or pgn is expected");
		return;
	}
	const struct qv_record *record = hosted_record(room->play);
	snprintf(name, sizeof name, "%.24s-%.16s.jsonl", qv_record_rules(record)->game->name,
		 room->id);
	const struct outgoing out = { .call = r->call,
				      .status = 200,
				      .end = true,
				      .file = name,
				      .type = "application/x-ndjson" };
	struct qv_text size = { NULL, 0, 0 };
	qv_record_save(record, &size);
	struct qv_text text = { calloc(1, size.length + 1), size.length + 1, 0 };
	if (text.data)
		qv_record_save(record, &text);
	room_reply_text(api, room, &out, text.data);
	free(text.data);
}

/* ---- Commands ---- */

/* Responds to a command. whole: with the game, even if only a move was made. */
static void finish(struct api *api, const struct api_request *r, struct room *room,
		   enum verdict verdict, const struct qv_error *error, bool whole)
{
	const int status = verdict_http_status(verdict);
	const struct outgoing out = { .call = r->call, .status = status, .end = true };
	const char *user = room_user(r->visitor, room);
	const char *action = json_string_value(json_object_get(r->body, "action"));
	char text[600], token[SECRETS_SEAT], *moved;
	if (verdict != VERDICT_OK) {
		if (verdict == VERDICT_NO_MEMORY) {
			room_break(api, room);
			api_failed(api, r->call, status, error->text);
		}
		api_error_text(status, error->text, text, sizeof text);
		room_reply_text(api, room, &out, text);
		return;
	}
	if (!room_moved(api, room, &moved)) {
		reply_error(api, r->call, 503, "store: the server is busy; try again soon");
		return;
	}
	if (moved && !whole) {
		room_reply_text(api, room, &out, moved);
	} else {
		json_t *json = room_head(api, room, user);
		/* A player who joins without a cookie needs a token to stay the same user. */
		if (json && action && strcmp(action, "join") == 0) {
			secrets_seat(&api->secrets, user, room->id, r->visitor->issuer, token);
			json_object_set_new(json, "seat_token", json_string(token));
		}
		room_reply_whole(api, room, &out, json);
	}
	free(moved);
}

/* By user and game, so that a program that plays many games is not slowed down. */
static bool too_fast(struct api *api, const struct api_request *r, const struct room *room)
{
	char name[LIMIT_NAME];
	snprintf(name, sizeof name, "seat %s %s", r->visitor->user, room->id);
	if (limits_take(api->limits, name, 60 * MOVES_A_SECOND, 2 * MOVES_A_SECOND, api_now(api)))
		return false;
	reply_error(api, r->call, 429, "moves: at most %d in a second", MOVES_A_SECOND);
	return true;
}

/* POST /api/v1/plays/ID/moves; with "turn" it is the move of a computer. */
void post_move(struct api *api, const struct api_request *r)
{
	const char *move;
	struct qv_error error = { "" };
	json_int_t turn;
	if (!body_keys(api, r, "move turn ply") || !body_text(api, r, "move", &move) ||
	    !body_integer(api, r, "turn", 0, INT64_MAX, -1, &turn))
		return;
	if (!move) {
		reply_error(api, r->call, 400, "move: which one?");
		return;
	}
	struct room *room = find(api, r);
	if (!room || too_fast(api, r, room))
		return;
	const struct hosted_user who = { room_user(r->visitor, room), "" };
	const int64_t now = api_now(api);
	const enum verdict verdict =
		turn < 0 ? hosted_move(room->play, &who, move, now, &error)
			 : hosted_engine_move(room->play, &who, (uint64_t)turn, move, now, &error);
	finish(api, r, room, verdict, &error, false);
}

static bool is_about_rematch(const json_t *body)
{
	const char *action = json_string_value(json_object_get(body, "action"));
	const char *kind = json_string_value(json_object_get(body, "kind"));
	return (action && strcmp(action, "rematch") == 0) || (kind && strcmp(kind, "rematch") == 0);
}

/* Is a computer to sit down whose player was never made? Then a worker looks whether it is valid. */
static bool waits_for_player(struct api *api, const struct api_request *r, struct room *room)
{
	const char *action = json_string_value(json_object_get(r->body, "action"));
	const char *spec = json_string_value(json_object_get(r->body, "spec"));
	return action && spec && strcmp(action, "seat") == 0 && strcmp(spec, "human") != 0 &&
	       !player_is_known(api, r, &hosted_record(room->play)->rules, spec, NULL);
}

/* POST /api/v1/plays/ID/actions: everything else, such as join, resign, draw, undo and notes. */
void post_action(struct api *api, const struct api_request *r)
{
	struct room *room = find_whole(api, r);
	struct qv_error error = { "" };
	char name[STORE_NAME];
	const char *user = room ? room_user(r->visitor, room) : "";
	const bool adds = !hosted_act_plays(r->body);
	if (!room || (adds && !bounds_allow(api, r)))
		return;
	const bool named = read_name(api, r, user, name);
	if ((adds && is_about_rematch(r->body) && !may_begin_game(api, r, user)) || !named ||
	    waits_for_player(api, r, room) || too_fast(api, r, room))
		return;
	const struct hosted_user who = { user, name };
	const enum verdict verdict = hosted_act(room->play, &who, r->body, api_now(api), &error);
	finish(api, r, room, verdict, &error, true);
}
