/*
 * rooms.c - games in progress without a server: their lines go to the host, which keeps them.
 * SPDX-License-Identifier: MIT
 *
 * The routes of server/api that create and change games find here what rooms.c, accounts.c and the
 * store provide in the server. There is one user, who is at the browser. The host makes the moves of
 * computers: a message before the response says what is to be found (engine.h).
 */
#include <stdlib.h>

#include "server/api/allowed_specs.h"
#include "server/api/bounds.h"
#include "server/api/limits.h"
#include "server/wasm/engine.h"
#include "server/wasm/inside.h"
#include "session/hosted_inside.h"

enum { ROOMS_KEPT = 16 }; /* games in memory; with more, all are dropped */

/* ---- Identities: nobody else is here ---- */

bool read_name(struct api *api, const struct api_request *r, const char *user,
	       char out[STORE_NAME])
{
	(void)api, (void)r, (void)user;
	snprintf(out, STORE_NAME, "You");
	return true;
}

bool acts_as_user(struct api *api, const struct api_request *r)
{
	(void)api, (void)r;
	return true;
}

const char *room_user(const struct visitor *visitor, const struct room *room)
{
	(void)room;
	return visitor->user;
}

/* The ids of the server's form: a letter, then letters, digits, '-' and '_'. */
void secrets_play_id(char out[SECRETS_ID])
{
	static const char characters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
	unsigned char bytes[SECRETS_ID_LENGTH];
	engine_random(bytes, sizeof bytes);
	for (int i = 0; i < SECRETS_ID_LENGTH; i++)
		out[i] = characters[bytes[i] % (i ? 64 : 52)];
	out[SECRETS_ID_LENGTH] = '\0';
}

/* The user keeps the seat without a token. */
void secrets_seat(const struct secrets *s, const char *user, const char *play, const char *issuer,
		  char out[SECRETS_SEAT])
{
	(void)s, (void)user, (void)play, (void)issuer;
	out[0] = '\0';
}

/* ---- Limits: nobody else uses this engine ---- */

bool api_limit(struct api *api, const struct api_request *r, const char *what, double per_minute,
	       double burst)
{
	(void)api, (void)r, (void)what, (void)per_minute, (void)burst;
	return true;
}

bool limits_take(struct limits *limits, const char *name, double per_minute, double burst,
		 int64_t now_ms)
{
	(void)limits, (void)name, (void)per_minute, (void)burst, (void)now_ms;
	return true;
}

/* The host keeps the games. */
bool may_begin_game(struct api *api, const struct api_request *r, const char *user)
{
	(void)api, (void)r, (void)user;
	return true;
}

bool bounds_allow(struct api *api, const struct api_request *r)
{
	(void)api, (void)r;
	return true;
}

/* ---- Callbacks of a game ---- */

static void give_random(void *ctx, void *bytes, size_t size)
{
	(void)ctx;
	engine_random(bytes, size);
}

/* Nobody plays here but the owner of the browser, so there is nobody to keep a key from. */
static void give_secret(void *ctx, const char *game, const unsigned char drawn[DICE_SECRET],
			unsigned char out[DICE_SECRET])
{
	(void)ctx, (void)game;
	memcpy(out, drawn, DICE_SECRET);
}

static uint64_t give_roll(void *ctx, const struct dice *dice, uint64_t weights)
{
	(void)ctx;
	return dice_number(dice, weights);
}

static enum qv_status check_spec(void *ctx, const struct qv_rules *rules, const char *spec,
				 struct qv_error *error)
{
	const struct api *api = ctx;
	return specs_check(api->setup.context, api->table_lookup, rules, spec, error);
}

static int64_t seconds_now(void *ctx)
{
	return api_seconds(ctx);
}

struct hosted_callbacks rooms_host(struct api *api)
{
	return (struct hosted_callbacks){ give_random, give_secret, give_roll,
					  check_spec,  seconds_now, api };
}

/* ---- The table ---- */

void room_drop(struct api *api, struct room *room)
{
	map_remove_text(&api->rooms, room);
	hosted_free(room->play);
	free(room);
}

/* Between two requests: nothing refers to a room. */
void rooms_forget(struct api *api)
{
	struct room *room;
	if (api->rooms.count > ROOMS_KEPT)
		for (size_t at = 0; (room = map_next(&api->rooms, &at));)
			room_drop(api, room);
}

void rooms_release(struct api *api)
{
	struct room *room;
	for (size_t at = 0; (room = map_next(&api->rooms, &at));)
		room_drop(api, room);
	map_release(&api->rooms);
}

struct room *room_add(struct api *api, struct hosted_game *play, const char *id)
{
	struct room *room = map_find_text(&api->rooms, id);
	if (room)
		room_drop(api, room);
	room = calloc(1, sizeof *room);
	if (room)
		snprintf(room->id, sizeof room->id, "%s", id);
	if (!room || !map_add_text(&api->rooms, room)) {
		free(room);
		hosted_free(play);
		return NULL;
	}
	room->play = play;
	return room;
}

/* There is no lobby that would show who is present. */
void room_used_by(struct api *api, struct room *room, const struct visitor *visitor)
{
	(void)api, (void)room, (void)visitor;
}

/* A game whose memory ran out: the host loads it again from its lines. */
void room_break(struct api *api, struct room *room)
{
	(void)api;
	room->broken = true;
}

struct room *room_at(struct api *api, const char *id)
{
	return map_find_text(&api->rooms, id);
}

struct room *room_for(struct api *api, const struct api_request *r, const char *id)
{
	struct room *room = room_at(api, id);
	if (room && room->broken) {
		room_drop(api, room);
		room = NULL;
	}
	if (!room)
		reply_error(api, r->call, 404, "play: not loaded");
	return room;
}

/* ---- What the host has to know ---- */

/* The search for a computer's move that is due, or null. */
static json_t *think_json(const struct hosted_game *play, int64_t now)
{
	struct hosted_think t;
	if (!hosted_wants_think(play, now, &t))
		return json_null();
	return json_pack("{s:I, s:i, s:s, s:I, s:I, s:b, s:s?}", "turn", (json_int_t)t.turn, "seat",
			 t.seat + 1, "player", t.spec, "time", (json_int_t)t.time_ms, "aim",
			 (json_int_t)t.aim_ms, "now", (int)t.now, "memory", t.memory);
}

/* Hands new lines over, which counts as storing them: the clock of the turn starts. */
static void report(struct api *api, struct room *room)
{
	const struct outgoing out = { .call = 1, .status = 200, .stream = true };
	struct hosted_game *play = room->play;
	const int64_t now = api_now(api);
	json_t *lines = json_array();
	for (size_t i = 0; i < hosted_lines(play); i++)
		json_array_append_new(lines, json_string(hosted_line(play, i)));
	const json_int_t first = (json_int_t)hosted_lines_before(play);
	hosted_lines_taken(play);
	hosted_committed(play, hosted_version(play), now);
	room->lines = hosted_lines_before(play);
	const int64_t due = hosted_due(play);
	reply_json(api, &out,
		   json_pack("{s:s, s:s, s:I, s:o, s:o, s:o}", "type", "kept", "id", room->id,
			     "first", first, "lines", lines, "think", think_json(play, now), "due",
			     due < 0 ? json_null() : json_integer(due > now ? due - now : 0)));
}

/* The next game of a rematch; NULL: none is due, or it cannot be created. */
static struct room *make_rematch(struct api *api, struct room *room)
{
	struct hosted_setup setup;
	struct hosted_game *play = NULL;
	struct qv_error error;
	const struct hosted_callbacks host = rooms_host(api);
	char id[SECRETS_ID];
	if (!hosted_rematch_due(room->play))
		return NULL;
	secrets_play_id(id);
	hosted_rematch_setup(room->play, &setup);
	setup.id = id;
	setup.created = api_seconds(api);
	if (hosted_new(api->setup.context, &host, &setup, api_now(api), &play, &error) !=
	    VERDICT_OK)
		return NULL;
	if (hosted_rematched(room->play, id, &error) == VERDICT_OK)
		return room_add(api, play, id);
	hosted_free(play);
	return NULL;
}

/* ---- After a command ---- */

bool room_moved(struct api *api, struct room *room, char **moved)
{
	const bool only_moved = hosted_only_moved(room->play);
	struct room *next = make_rematch(api, room);
	*moved = only_moved && !next && hosted_lines(room->play)
			 ? json_to_text(game_move_json(room->play, api_now(api)), RESPONSE_JSON)
			 : NULL;
	if (next)
		report(api, next);
	report(api, room);
	return true;
}

bool room_changed(struct api *api, struct room *room)
{
	char *moved;
	room_moved(api, room, &moved);
	free(moved);
	return true;
}

/* A flag that falls, or dice that roll by themselves. */
void room_run(struct api *api, struct room *room)
{
	const int64_t now = api_now(api), due = hosted_due(room->play);
	bool broken = false;
	if (due >= 0 && due <= now)
		hosted_tick(room->play, now, &broken);
	if (broken)
		room_break(api, room);
	else
		report(api, room);
}

/* ---- Responses ---- */

json_t *room_head(struct api *api, const struct room *room, const char *user)
{
	return game_head_json(room->play, user, ~0U, api_now(api));
}

void room_reply_text(struct api *api, struct room *room, const struct outgoing *out,
		     const char *text)
{
	(void)room;
	if (text)
		reply_text(api, out, text);
	else
		reply_no_memory(api, out->call);
}

void room_reply(struct api *api, struct room *room, const struct outgoing *out, json_t *json)
{
	(void)room;
	reply_json(api, out, json);
}

void room_reply_whole(struct api *api, struct room *room, const struct outgoing *out, json_t *head)
{
	struct string rest = game_line_and_tree(room->play);
	char *text = game_text(head, &rest);
	room_reply_text(api, room, out, text);
	string_release(&rest);
	free(text);
}

/* ---- Routes that only exist here ---- */

/* The room's game as its user sees it. */
static void reply_play(struct api *api, const struct api_request *r, struct room *room)
{
	const struct outgoing out = { .call = r->call, .status = 200, .end = true };
	room_reply_whole(api, room, &out, room_head(api, room, r->visitor->user));
}

/* plays/load {lines}: a game that the host has kept. */
void post_play_lines(struct api *api, const struct api_request *r)
{
	const struct hosted_callbacks host = rooms_host(api);
	const json_t *list = json_object_get(r->body, "lines");
	const size_t count = json_array_size(list);
	struct hosted_game *play = NULL;
	struct qv_error error = { "" };
	enum verdict verdict = VERDICT_MALFORMED;
	if (!body_keys(api, r, "lines"))
		return;
	const char **lines = calloc(count + 1, sizeof *lines);
	if (!lines) {
		reply_no_memory(api, r->call);
		return;
	}
	bool good = count > 0;
	for (size_t i = 0; i < count && good; i++)
		good = (lines[i] = json_string_value(json_array_get(list, i))) != NULL;
	if (good)
		verdict = hosted_load(api->setup.context, &host, lines, count, api_now(api), &play,
				      &error);
	free(lines);
	struct room *room = verdict == VERDICT_OK ? room_add(api, play, play->id) : NULL;
	if (!good) {
		reply_error(api, r->call, 400, "lines: must be a list of strings");
	} else if (verdict != VERDICT_OK) {
		reply_error(api, r->call, verdict_http_status(verdict), "%s", error.text);
	} else if (!room) {
		reply_no_memory(api, r->call);
	} else {
		room_run(api, room);
		reply_play(api, r, room);
	}
}

/* plays/ID/computer {turn, move}: the move that the host has found; null: the computer fails. */
void post_computer(struct api *api, const struct api_request *r)
{
	struct qv_error error = { "" };
	enum verdict verdict;
	const char *text;
	json_int_t turn;
	qv_move move;
	if (!body_keys(api, r, "turn move") || !body_text(api, r, "move", &text) ||
	    !body_integer(api, r, "turn", 0, INT64_MAX, -1, &turn))
		return;
	struct room *room = room_for(api, r, r->words[0]);
	if (!room)
		return;
	const struct qv_record *record = hosted_record(room->play);
	if (!text) {
		verdict = hosted_computer_fails(room->play, (uint64_t)turn, api_now(api), &error);
	} else if (qv_move_parse(qv_record_rules(record)->game, qv_record_state(record), text,
				 &move, &error) == QV_OK) {
		verdict = hosted_computer_move(room->play, (uint64_t)turn, move, -1, api_now(api),
					       &error);
	} else {
		verdict = VERDICT_NOT_NOW;
	}
	if (verdict != VERDICT_OK) {
		reply_error(api, r->call, verdict_http_status(verdict), "%s", error.text);
		return;
	}
	room_changed(api, room);
	reply_play(api, r, room);
}
