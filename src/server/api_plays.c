/*
 * api_plays.c - routes about plays: looked at, followed, moved in. api_make.c makes them.
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <time.h>

#include "record/record.h"
#include "server/opponents.h"
#include "server/rooms.h"
#include "wire/pgn.h"

enum { MOVES_A_SECOND = 10 };

/* Its computers think for those who play, not for those who look on. */
static bool has_part(const struct play *play, const char *user)
{
	return play_is_seated(play, user) || strcmp(play_owner(play), user) == 0;
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
	const size_t lines = play_lines_before(room->play) + play_lines(room->play);
	return api_costs(api, r, lines / LONG_LINES) ? room : NULL;
}

/* ---- Looking ---- */

void get_play(struct api *api, const struct api_request *r, const struct words *w)
{
	const struct outgoing out = { .call = r->call, .status = 200, .end = true };
	struct room *room = find_whole(api, r, w->text[0]);
	if (!room)
		return;
	room_run(api, room);
	room_reply_whole(api, room, &out, room_head(api, room, room_user(r->visitor, room)));
}

void get_play_events(struct api *api, const struct api_request *r, const struct words *w)
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
static const char *player_name(const struct play *play, int seat, char out[PLAY_SPEC_ROOM])
{
	const struct play_seat *s = play_seat_at(play, seat);
	if (s->kind == SEAT_OPEN)
		return NULL;
	if (s->kind == SEAT_COMPUTER)
		opponent_name(s->spec, out, PLAY_SPEC_ROOM);
	else
		snprintf(out, PLAY_SPEC_ROOM, "%s", s->name);
	return out;
}

/* The day a play was made, unless its record came with another. */
static bool pgn_date(const struct play *play, char out[16])
{
	const struct string *journal = &play_record(play)->journal;
	const time_t created = (time_t)play_created(play);
	struct tm day;
	json_t *header = json_loadb(journal->data, strcspn(journal->data, "\n"), 0, NULL);
	const bool has = json_object_get(json_object_get(header, "tags"), "Date") != NULL;
	json_decref(header);
	return !has && gmtime_r(&created, &day) && strftime(out, 16, "%Y.%m.%d", &day) > 0;
}

static void reply_pgn(struct api *api, const struct api_request *r, struct room *room)
{
	const struct qv_record *record = play_record(room->play);
	struct string text = { .allocator = &mem_malloc };
	struct qv_error error = { "" };
	char name[64], white[PLAY_SPEC_ROOM], black[PLAY_SPEC_ROOM], date[16];
	const struct record_tag tag = { "Date", date };
	struct pgn_style style = { .tags = &tag, .tag_count = pgn_date(room->play, date) };
	if (play_seat_count(room->play) == 2) {
		style.players[0] = player_name(room->play, 0, white);
		style.players[1] = player_name(room->play, 1, black);
	}
	snprintf(name, sizeof name, "%.24s-%.16s.pgn", qv_record_rules(record)->game->name,
		 room->id);
	const struct outgoing out = { .call = r->call, .status = 200, .end = true, .file = name,
				      .type = "application/x-chess-pgn" };
	const enum qv_status status =
		pgn_write(api->setup.context, record, &style, &text, &error);
	if (status == QV_OK)
		room_reply_text(api, room, &out, text.data);
	else
		reply_error(api, r->call, status == QV_NO_MEMORY ? 503 : 400, "record: %s",
			    error.text);
	string_release(&text);
}

void get_play_record(struct api *api, const struct api_request *r, const struct words *w)
{
	struct room *room = find_whole(api, r, w->text[0]);
	char name[64], format[16] = "";
	if (!room)
		return;
	if (query_value(r->query, "format", format, sizeof format) &&
	    strcmp(format, "record") != 0) {
		if (strcmp(format, "pgn") == 0)
			reply_pgn(api, r, room);
		else
			reply_error(api, r->call, 400, "format: record or pgn is expected");
		return;
	}
	const struct qv_record *record = play_record(room->play);
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
		   play_verdict verdict, const struct qv_error *error)
{
	const struct outgoing out = { .call = r->call, .status = verdict, .end = true };
	char text[600];
	if (verdict == 503)
		room_break(api, room);
	api_error_text(verdict, error->text, text, sizeof text);
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

void post_move(struct api *api, const struct api_request *r, const struct words *w)
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
	const struct play_person who = { room_user(r->visitor, room), name };
	user_name(api, who.user, name);
	const play_verdict verdict = play_move(room->play, &who, move, api_now(api), &error);
	if (verdict == 200)
		accept(api, r, room, false);
	else
		refuse(api, r, room, verdict, &error);
}

void post_action(struct api *api, const struct api_request *r, const struct words *w)
{
	struct room *room = find_whole(api, r, w->text[0]);
	struct qv_error error = { "" };
	char name[STORE_NAME];
	if (!room || too_fast(api, r, room))
		return;
	const struct play_person who = { room_user(r->visitor, room), name };
	user_name(api, who.user, name);
	const play_verdict verdict = play_act(room->play, &who, r->body, api_now(api), &error);
	if (verdict == 200)
		accept(api, r, room, true);
	else
		refuse(api, r, room, verdict, &error);
}
