/*
 * api_plays.c - routes about plays: made, looked at, followed, moved in.
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <time.h>

#include "record/record.h"
#include "server/opponents.h"
#include "server/rooms.h"
#include "server/specs.h"
#include "wire/pgn.h"

enum {
	NEW_A_MINUTE = 30,
	RECORDS_A_MINUTE = 60, /* that are only read */
	MOVES_A_SECOND = 10,
	PLAY_MOVES_MOST = 4000,
	LONG_LINES = 1000,         /* of a play: to write them all is as much work as a request */
};

/* Its computers think for those who play, not for those who look on. */
static bool has_part(const struct play *play, const char *user)
{
	return play_is_seated(play, user) || strcmp(play_owner(play), user) == 0;
}

/* The room of a path, or the answer that there is none. */
static struct room *find(struct api *api, const struct api_request *r, const char *id)
{
	int status;
	struct room *room = room_find(api, id, &status);
	if (!room && status == 404)
		reply_error(api, r->call, 404, "play: there is none of that id");
	else if (!room)
		reply_error(api, r->call, 503, "play: it cannot be loaded just now; try again");
	else if (has_part(room->play, room_user(r->visitor, room)))
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

/* ---- Making one ---- */

/* What a request for a new play comes to. */
struct wish {
	struct play_setup setup;
	struct qv_rules rules;
	char name[STORE_NAME], id[SECRETS_ID];
	const char **moves;
	struct string journal;     /* of a record that came as PGN */
};

/* The rules of a game by its name, or those of a record: its first line has them. */
static bool read_rules(struct api *api, const struct api_request *r, struct wish *wish)
{
	const char *game;
	struct qv_error error;
	struct qv_record *record = NULL;
	enum qv_status status;
	if (!body_text(api, r, "game", &game))
		return false;
	if (game) {
		status = qv_rules_parse(api->setup.context, game, &wish->rules, &error);
	} else if (wish->setup.record) {
		const char *end = strchr(wish->setup.record, '\n');
		status = qv_record_load(api->setup.context, wish->setup.record,
					end ? (size_t)(end - wish->setup.record) + 1
					    : wish->setup.record_size,
					&record, &error);
		if (status == QV_OK)
			wish->rules = *qv_record_rules(record);
		qv_record_free(record);
	} else {
		status = qv_fail(&error, QV_BAD_INPUT, "game: which one?");
	}
	if (status != QV_OK)
		reply_error(api, r->call, status == QV_NO_MEMORY ? 503 : 400, "%s", error.text);
	wish->setup.rules = &wish->rules;
	return status == QV_OK;
}

static bool read_seat(struct api *api, const struct api_request *r, struct wish *wish, int seat,
		      const char *text)
{
	const struct play_person me = { r->visitor->user, wish->name };
	struct play_seat *out = &wish->setup.seats[seat];
	struct qv_error error = { "seats: a text of each is expected" };
	if (!text || !play_seat_read(out, text, &me)) {
		reply_error(api, r->call, 400,
			    "seat %d: \"human\", \"open\" or a player is expected", seat + 1);
		return false;
	}
	if (out->kind == SEAT_COMPUTER &&
	    specs_check(api->setup.context, api->lookup, &wish->rules, out->spec, &error) != QV_OK) {
		reply_error(api, r->call, 400, "%s", error.text);
		return false;
	}
	return true;
}

static bool read_seats(struct api *api, const struct api_request *r, struct wish *wish)
{
	const json_t *seats = json_object_get(r->body, "seats");
	const int count = wish->rules.game->seats;
	if (!seats || json_is_null(seats))
		return true;
	if (!json_is_array(seats) || json_array_size(seats) != (size_t)count) {
		reply_error(api, r->call, 400, "seats: a list of %d texts is expected", count);
		return false;
	}
	wish->setup.seat_count = count;
	for (int i = 0; i < count; i++)
		if (!read_seat(api, r, wish, i,
			       json_string_value(json_array_get(seats, (size_t)i))))
			return false;
	return true;
}

static bool read_moves(struct api *api, const struct api_request *r, struct wish *wish)
{
	const json_t *moves = json_object_get(r->body, "moves");
	const size_t count = json_array_size(moves);
	bool good = !moves || json_is_null(moves) ||
		    (json_is_array(moves) && count <= PLAY_MOVES_MOST);
	if (good && count && !(wish->moves = calloc(count, sizeof *wish->moves))) {
		reply_error(api, r->call, 503, "server: out of memory");
		return false;
	}
	for (size_t i = 0; good && i < count; i++)
		good = (wish->moves[i] = json_string_value(json_array_get(moves, i))) != NULL;
	if (!good)
		reply_error(api, r->call, 400, "moves: a list of at most %d texts is expected",
			    PLAY_MOVES_MOST);
	wish->setup.moves = wish->moves;
	wish->setup.move_count = count;
	return good;
}

static bool read_dice(struct api *api, const struct api_request *r, struct wish *wish)
{
	const char *dice;
	if (!body_text(api, r, "dice", &dice))
		return false;
	wish->setup.typed_dice = dice && strcmp(dice, "typed") == 0;
	if (!dice || wish->setup.typed_dice || strcmp(dice, "server") == 0)
		return true;
	reply_error(api, r->call, 400, "dice: \"server\" or \"typed\" is expected");
	return false;
}

static bool read_name(struct api *api, const struct api_request *r, struct wish *wish)
{
	const char *name;
	if (!body_text(api, r, "name", &name))
		return false;
	if (name && !play_name_ok(name)) {
		reply_error(api, r->call, 400, "name: 1 to %d printable characters are expected",
			    PLAY_NAME);
		return false;
	}
	user_name(api, r->visitor->user, wish->name);
	if (name)
		snprintf(wish->name, sizeof wish->name, "%s", name);
	wish->setup.owner_name = wish->name;
	return true;
}

/* A record may also be a PGN file: its first game. */
static bool read_pgn(struct api *api, const struct api_request *r, struct wish *wish)
{
	struct play_setup *s = &wish->setup;
	struct qv_error error = { "" };
	if (!s->record || !pgn_looks_like(s->record, s->record_size))
		return true;
	wish->journal.allocator = &mem_malloc;
	const struct pgn_bounds most = { PLAY_MAX_LINES, PLAY_MAX_BYTES };
	const enum qv_status status = pgn_to_journal(api->setup.context, NULL, s->record,
						     s->record_size, most, &wish->journal, &error);
	if (status != QV_OK) {
		reply_error(api, r->call, status == QV_NO_MEMORY ? 503 : 400, "record: %s",
			    error.text);
		return false;
	}
	s->record = wish->journal.data;
	s->record_size = wish->journal.length;
	return true;
}

static bool read_wish(struct api *api, const struct api_request *r, struct wish *wish)
{
	struct play_setup *s = &wish->setup;
	secrets_play_id(wish->id);
	s->id = wish->id;
	s->owner = r->visitor->user;
	s->created = api_seconds(api);
	if (!body_keys(api, r, "game seats position moves record clock dice private name") ||
	    !body_text(api, r, "position", &s->position) ||
	    !body_text(api, r, "record", &s->record) || !body_text(api, r, "clock", &s->clock) ||
	    !body_boolean(api, r, "private", &s->closed) || !read_name(api, r, wish) ||
	    !read_dice(api, r, wish))
		return false;
	s->record_size = s->record ? strlen(s->record) : 0;
	return read_pgn(api, r, wish) && read_rules(api, r, wish) && read_seats(api, r, wish) &&
	       read_moves(api, r, wish);
}

static bool count_going(void *ctx, const struct store_play *play, const char *header, size_t size)
{
	int *count = ctx;
	(void)header;
	(void)size;
	*count += play->going;
	return *count < GOING_MOST;
}

static bool may_make(struct api *api, const struct api_request *r)
{
	int going = 0;
	if (*r->visitor->play) {
		reply_error(api, r->call, 403, "token: it is for one play only");
		return false;
	}
	if (!api_limit(api, r, "new", NEW_A_MINUTE, NEW_A_MINUTE))
		return false;
	store_list_plays(api->store, STORE_OF_USER, r->visitor->user, 1000, count_going, &going,
			 NULL);
	if (going < GOING_MOST)
		return true;
	reply_error(api, r->call, 429, "plays: %d of yours go on already; end some first", going);
	return false;
}

static json_t *created_json(struct api *api, const char *user, const char *id)
{
	char token[SECRETS_SEAT], url[64];
	secrets_seat(&api->secrets, user, id, token);
	snprintf(url, sizeof url, "/play/%s", id);
	return json_pack("{s:s, s:s, s:s}", "id", id, "url", url, "seat_token", token);
}

static void make_play(struct api *api, const struct api_request *r, const struct wish *wish)
{
	const struct outgoing out = { .call = r->call, .status = 201, .end = true };
	const struct play_host host = rooms_host(api);
	struct play *play = NULL;
	struct qv_error error;
	const play_verdict verdict = play_new(api->setup.context, &host, &wish->setup,
					      api_now(api), &play, &error);
	if (verdict != 200) {
		reply_error(api, r->call, verdict, "%s", error.text);
		return;
	}
	struct room *room = room_add(api, play, wish->id);
	if (room)
		snprintf(room->address, sizeof room->address, "%s", r->visitor->address);
	if (room && room_changed(api, room))
		room_reply(api, room, &out, created_json(api, r->visitor->user, wish->id));
	else
		reply_error(api, r->call, 503, "store: too much waits; try again soon");
}

void post_play(struct api *api, const struct api_request *r, const struct words *w)
{
	struct wish wish = { 0 };
	(void)w;
	if (may_make(api, r) && read_wish(api, r, &wish))
		make_play(api, r, &wish);
	free(wish.moves);
	string_release(&wish.journal);
}

/* ---- Records that are only read ---- */

/* PGN, or JSON's null for a game that is not written so; NULL: no memory. */
static json_t *pgn_json(struct api *api, const struct qv_record *record)
{
	struct string text = { .allocator = &mem_malloc };
	const enum qv_status status = pgn_write(api->setup.context, record, NULL, &text, NULL);
	json_t *json = status == QV_OK		? json_string(text.data)
		       : status == QV_NO_MEMORY ? NULL
						: json_null();
	string_release(&text);
	return json;
}

/* What a play made of the record would tell, without one: nobody sits there, nothing is kept. */
static json_t *record_json(struct api *api, const struct play *play)
{
	static const char *const keys[] = { "game",   "title",	"start", "tree",
					    "cursor", "result", "reason" };
	json_t *whole = play_json(play, "", 0, api_now(api)), *json = json_object();
	bool done = whole && json;
	for (size_t i = 0; i < sizeof keys / sizeof *keys && done; i++)
		done = json_object_set(json, keys[i], json_object_get(whole, keys[i])) == 0;
	done = done && json_object_set_new(json, "pgn", pgn_json(api, play_record(play))) == 0;
	json_decref(whole);
	if (done)
		return json;
	json_decref(json);
	return NULL;
}

static bool read_record(struct api *api, const struct api_request *r, struct wish *wish)
{
	struct play_setup *s = &wish->setup;
	secrets_play_id(wish->id);
	s->id = wish->id;
	s->owner = r->visitor->user;
	if (!body_keys(api, r, "record") || !body_text(api, r, "record", &s->record))
		return false;
	if (!s->record) {
		reply_error(api, r->call, 400, "record: which one?");
		return false;
	}
	s->record_size = strlen(s->record);
	if (!read_pgn(api, r, wish) || !read_rules(api, r, wish))
		return false;
	s->seat_count = wish->rules.game->seats; /* all of them open */
	return true;
}

void post_record(struct api *api, const struct api_request *r, const struct words *w)
{
	const struct play_host host = rooms_host(api);
	struct wish wish = { 0 };
	struct play *play = NULL;
	struct qv_error error;
	(void)w;
	if (api_limit(api, r, "record", RECORDS_A_MINUTE, RECORDS_A_MINUTE) &&
	    read_record(api, r, &wish)) {
		const play_verdict verdict = play_new(api->setup.context, &host, &wish.setup,
						      api_now(api), &play, &error);
		if (verdict == 200)
			reply(api, r->call, 200, record_json(api, play));
		else
			reply_error(api, r->call, verdict, "%s", error.text);
	}
	play_free(play);
	string_release(&wish.journal);
}

/* ---- Looking ---- */

void get_play(struct api *api, const struct api_request *r, const struct words *w)
{
	const struct outgoing out = { .call = r->call, .status = 200, .end = true };
	struct room *room = find_whole(api, r, w->text[0]);
	if (!room)
		return;
	room_run(api, room);
	room_reply(api, room, &out, room_json(api, room, room_user(r->visitor, room)));
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
	json_t *json = room_json(api, room, user);
	if (!json) {
		call_free(api, call);
		reply_error(api, r->call, 503, "server: out of memory");
		return;
	}
	room_reply(api, room, &out, json);
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
	json_t *json = room_json(api, room, user);
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
		room_reply(api, room, &out, accepted_json(api, r, room));
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
