/*
 * plays.c - routes about plays: looked at, followed, moved in. api_make.c makes them.
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <time.h>

#include "record/record.h"
#include "server/api/opponents.h"
#include "server/api/rooms.h"
#include "formats/pgn.h"

enum {
	MOVES_A_SECOND = 10,
	EXPORTS_MOST = 16,         /* games to be written as PGN that may wait, of one address */
	EXPORT_MS = 10000,         /* never reached: the length of a game bounds the work */
};

/* Its computers think for those who play, not for those who look on. */
static bool has_part(const struct hosted_game *play, const char *user)
{
	return hosted_is_seated(play, user) || strcmp(hosted_owner(play), user) == 0;
}

/* The room of a path. NULL: answered, or the request waits for it. */
static struct room *find(struct api *api, const struct api_request *r, const char *id)
{
	struct room *room = room_for(api, r, id);
	if (room && has_part(room->play, room_user(r->visitor, room)))
		snprintf(room->address, sizeof room->address, "%s", r->visitor->address);
	return room;
}

/* The same, to be told whole. */
static struct room *find_whole(struct api *api, const struct api_request *r, const char *id)
{
	struct room *room = find(api, r, id);
	if (!room)
		return NULL;
	const size_t lines = hosted_lines_before(room->play) + hosted_lines(room->play);
	return api_costs(api, r, lines / LONG_LINES) ? room : NULL;
}

/* ---- Looking ---- */

void get_play(struct api *api, const struct api_request *r, const struct path_words *w)
{
	const struct outgoing out = { .call = r->call, .status = 200, .end = true };
	struct room *room = find_whole(api, r, w->text[0]);
	if (!room)
		return;
	room_run(api, room);
	room_reply_whole(api, room, &out, room_head(api, room, room_user(r->visitor, room)));
}

void get_play_events(struct api *api, const struct api_request *r, const struct path_words *w)
{
	const struct outgoing out = { .call = r->call, .status = 200, .stream = true };
	struct room *room = find_whole(api, r, w->text[0]);
	if (!room || !call_may_stream(api, r))
		return;
	const char *user = room_user(r->visitor, room);
	struct call *call = call_new(api, r->call, user, CALL_PLAY);
	if (!call)
		return;
	room_follow(api, room, call);
	room_reply_whole(api, room, &out, room_head(api, room, user));
	room_run(api, room);
}

/* The names that pages show; NULL: nobody sits there. */
static const char *player_name(const struct hosted_game *play, int seat, char out[HOSTED_SPEC_ROOM])
{
	const struct hosted_seat *s = hosted_seat_at(play, seat);
	if (s->kind == SEAT_OPEN)
		return NULL;
	if (s->kind == SEAT_COMPUTER)
		opponent_name(s->spec, out, HOSTED_SPEC_ROOM);
	else
		snprintf(out, HOSTED_SPEC_ROOM, "%s", s->name);
	return out;
}

/* The day a play was made, unless its record came with another. */
static bool pgn_date(const struct hosted_game *play, char out[16])
{
	const struct string *journal = &hosted_record(play)->journal;
	const time_t created = (time_t)hosted_created(play);
	struct tm day;
	json_t *header = json_loadb(journal->data, strcspn(journal->data, "\n"), 0, NULL);
	const bool has = json_object_get(json_object_get(header, "tags"), "Date") != NULL;
	json_decref(header);
	return !has && gmtime_r(&created, &day) && strftime(out, 16, "%Y.%m.%d", &day) > 0;
}

/* A game to be written as PGN: a worker's argument. */
struct exporting {
	const struct qv_context *context;
	char id[API_USER], file[64];
	char *journal;             /* a copy; NULL: work on the record itself */
	char white[HOSTED_SPEC_ROOM], black[HOSTED_SPEC_ROOM], date[16];       /* "": none */
	enum qv_status status;     /* what came of it */
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

static struct exporting *exporting_new(struct api *api, const struct room *room, bool copy)
{
	const struct qv_record *record = hosted_record(room->play);
	const bool of_two = hosted_seat_count(room->play) == 2;
	struct exporting *e = calloc(1, sizeof *e);
	if (!e)
		return NULL;
	e->context = api->setup.context;
	e->text.allocator = &mem_malloc;
	memcpy(e->id, room->id, sizeof e->id);
	snprintf(e->file, sizeof e->file, "%.24s-%.16s.pgn", qv_record_rules(record)->game->name,
		 room->id);
	if (!of_two || !player_name(room->play, 0, e->white))
		e->white[0] = '\0';
	if (!of_two || !player_name(room->play, 1, e->black))
		e->black[0] = '\0';
	if (!pgn_date(room->play, e->date))
		e->date[0] = '\0';
	e->journal = copy ? strdup(record->journal.data) : NULL;
	if (!copy || e->journal)
		return e;
	exporting_free(e);
	return NULL;
}

static void export_record(struct exporting *e, const struct qv_record *record)
{
	const struct record_tag tag = { "Date", e->date };
	const struct pgn_style style = { .tags = &tag,
					 .tag_count = e->date[0] != '\0',
					 .players = { e->white[0] ? e->white : NULL,
						      e->black[0] ? e->black : NULL } };
	e->status = pgn_write(e->context, record, &style, &e->text, &e->error);
}

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

static void reply_pgn(struct api *api, uint64_t call, struct room *room, const struct exporting *e)
{
	const struct outgoing out = { .call = call, .status = 200, .end = true, .file = e->file,
				      .type = "application/x-chess-pgn" };
	if (e->status == QV_OK)
		room_reply_text(api, room, &out, e->text.data);
	else
		reply_error(api, call, e->status == QV_NO_MEMORY ? 503 : 400, "record: %s",
			    e->error.text);
}

static void exporting_done(struct api *api, struct call *call, const char *text, bool last)
{
	const struct exporting *e = call->job_arg;
	const uint64_t number = call->number;
	struct room *room = room_at(api, e->id);
	(void)text;
	(void)last;                /* nothing is said before the end */
	call_free(api, call);
	/* If its last lines could not be stored, nobody may see them. */
	if (room && !room->broken)
		reply_pgn(api, number, room, e);
	else
		reply_error(api, number, 503, "play: it is being loaded again; try again");
}

static void export_later(struct api *api, const struct api_request *r, struct exporting *e)
{
	char client[WORKER_CLIENT];
	struct call *call = call_new(api, r->call, r->visitor->user, CALL_JOB);
	if (!call) {
		exporting_free(e);
		return;
	}
	call->job_done = exporting_done;
	snprintf(client, sizeof client, "pgn %s", r->visitor->address);
	const struct worker_job job = { .client = client, .group = r->visitor->address,
				       .urgent = true, .most = EXPORTS_MOST,
				       .limit_ms = EXPORT_MS, .run = exporting_run,
				       .release = exporting_free, .arg = e };
	call_submit(api, call, &job);
}

/* A long game is written by a worker, from a copy of its journal. */
static void export_pgn(struct api *api, const struct api_request *r, struct room *room)
{
	const bool is_long = room->lines > LONG_LINES;
	struct exporting *e = exporting_new(api, room, is_long);
	if (!e) {
		reply_error(api, r->call, 503, "server: out of memory");
	} else if (is_long) {
		export_later(api, r, e);
	} else {
		export_record(e, hosted_record(room->play));
		reply_pgn(api, r->call, room, e);
		exporting_free(e);
	}
}

void get_play_record(struct api *api, const struct api_request *r, const struct path_words *w)
{
	struct room *room = find_whole(api, r, w->text[0]);
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
	const struct outgoing out = { .call = r->call, .status = 200, .end = true, .file = name,
				      .type = "application/x-ndjson" };
	struct qv_text size = { NULL, 0, 0 };
	qv_record_save(record, &size);
	struct qv_text text = { malloc(size.length + 1), size.length + 1, 0 };
	if (text.data) {
		text.data[0] = '\0';
		qv_record_save(record, &text);
		room_reply_text(api, room, &out, text.data);
	} else {
		reply_error(api, r->call, 503, "server: out of memory");
	}
	free(text.data);
}

/* ---- Doing something ---- */

/* The answer to a command that was refused; it too leaves after those before it. */
static void refuse(struct api *api, const struct api_request *r, struct room *room,
		   enum verdict verdict, const struct qv_error *error)
{
	const int status = verdict_http_status(verdict);
	const struct outgoing out = { .call = r->call, .status = status, .end = true };
	char text[600];
	if (verdict == VERDICT_NO_MEMORY) {
		room_break(api, room);
		log_failure(api, status, error->text);
	}
	api_error_text(status, error->text, text, sizeof text);
	room_reply_text(api, room, &out, text);
}

/* The whole play; whoever joins it without a cookie needs a token to go on as the same person. */
static json_t *accepted_json(struct api *api, const struct api_request *r, struct room *room)
{
	const char *user = room_user(r->visitor, room);
	const char *action = json_string_value(json_object_get(r->body, "action"));
	json_t *json = room_head(api, room, user);
	char token[SECRETS_SEAT];
	if (json && action && strcmp(action, "join") == 0) {
		secrets_seat(&api->secrets, user, room->id, token);
		json_object_set_new(json, "seat_token", json_string(token));
	}
	return json;
}

static void accept(struct api *api, const struct api_request *r, struct room *room, bool whole)
{
	const struct outgoing out = { .call = r->call, .status = 200, .end = true };
	char *moved;
	if (!room_moved(api, room, &moved)) {
		reply_error(api, r->call, 503, "store: too much waits; try again soon");
		return;
	}
	if (moved && !whole)
		room_reply_text(api, room, &out, moved);
	else
		room_reply_whole(api, room, &out, accepted_json(api, r, room));
	free(moved);
}

static bool too_fast(struct api *api, const struct api_request *r, const struct room *room)
{
	char name[BUCKETS_NAME];
	snprintf(name, sizeof name, "seat %s %s", r->visitor->user, room->id);
	if (buckets_take(api->buckets, name, 60 * MOVES_A_SECOND, 2 * MOVES_A_SECOND, api_now(api)))
		return false;
	reply_error(api, r->call, 429, "moves: at most %d in a second", MOVES_A_SECOND);
	return true;
}

void post_move(struct api *api, const struct api_request *r, const struct path_words *w)
{
	const char *move;
	struct qv_error error = { "" };
	if (!body_keys(api, r, "move") || !body_text(api, r, "move", &move))
		return;
	if (!move) {
		reply_error(api, r->call, 400, "move: which one?");
		return;
	}
	struct room *room = find(api, r, w->text[0]);
	if (!room || too_fast(api, r, room))
		return;
	char name[STORE_NAME];
	const struct hosted_user who = { room_user(r->visitor, room), name };
	user_name(api, who.user, name);
	const enum verdict verdict = hosted_move(room->play, &who, move, api_now(api), &error);
	if (verdict == VERDICT_OK)
		accept(api, r, room, false);
	else
		refuse(api, r, room, verdict, &error);
}

void post_action(struct api *api, const struct api_request *r, const struct path_words *w)
{
	struct room *room = find_whole(api, r, w->text[0]);
	struct qv_error error = { "" };
	char name[STORE_NAME];
	if (!room || too_fast(api, r, room))
		return;
	const struct hosted_user who = { room_user(r->visitor, room), name };
	user_name(api, who.user, name);
	const enum verdict verdict = hosted_act(room->play, &who, r->body, api_now(api), &error);
	if (verdict == VERDICT_OK)
		accept(api, r, room, true);
	else
		refuse(api, r, room, verdict, &error);
}
