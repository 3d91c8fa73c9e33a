/*
 * play_json.c - what pages are told of a play: Play, MoveMessage and LobbyEntry of types.ts.
 * SPDX-License-Identifier: MIT
 */
#include "server/api/game_json.h"

#include <stdlib.h>

#include "core/context.h"
#include "server/api/dice.h"
#include "server/api/opponents.h"
#include "session/hosted_inside.h"
#include "formats/board_json.h"

/* Sets a key and takes the value over; false: no memory, also when the value could not be made. */
static bool put(json_t *object, const char *key, json_t *value)
{
	return json_object_set_new(object, key, value) == 0;
}

static json_t *text_or_null(const char *text)
{
	return text && *text ? json_string(text) : json_null();
}

/* ---- Seats ---- */

/* Of a person, or a computer in words. */
static void seat_name(const struct hosted_seat *seat, char out[HOSTED_SPEC_ROOM])
{
	if (seat->kind == SEAT_PERSON)
		snprintf(out, HOSTED_SPEC_ROOM, "%s", seat->name);
	else if (seat->kind == SEAT_OPEN)
		out[0] = '\0';
	else
		opponent_name(seat->spec, out, HOSTED_SPEC_ROOM);
}

static const char *kind_name(enum hosted_seat_kind kind)
{
	static const char *const names[] = { "open", "person", "computer" };
	return names[kind];
}

static json_t *seat_json(const struct hosted_game *p, int seat, const char *user, unsigned connected)
{
	const struct hosted_seat *s = &p->seats[seat];
	const bool person = s->kind == SEAT_PERSON;
	char name[HOSTED_SPEC_ROOM];
	seat_name(s, name);
	return json_pack(
		"{s:i, s:s, s:s, s:s?, s:b, s:b}", "seat", seat + 1, "kind", kind_name(s->kind),
		"name", name, "spec", s->kind == SEAT_COMPUTER ? s->spec : NULL, "you",
		(int)seat_is(p, seat, user), "connected", (int)(person && (connected >> seat & 1)));
}

static json_t *seats_json(const struct hosted_game *p, const char *user, unsigned connected)
{
	json_t *list = json_array();
	bool done = list;
	for (int i = 0; i < p->seat_count && done; i++)
		done = json_array_append_new(list, seat_json(p, i, user, connected)) == 0;
	if (done)
		return list;
	json_decref(list);
	return NULL;
}

/* ---- Result ---- */

static json_t *result_json(const struct hosted_game *p)
{
	const int winner = qv_record_winner(p->game.record);
	if (p->game.record->outcome == QV_GOING)
		return json_null();
	if (winner == QV_UNDECIDED)
		return json_string("none");
	return winner < 0 ? json_string("draw") : json_sprintf("win %d", winner + 1);
}

/* A word for how the rules ended it, if there is one; null: no such word, or the game goes on. */
static json_t *rule_json(const struct qv_record *r)
{
	int32_t points[QV_MAX_SEATS];
	if (r->outcome == QV_GOING)
		return json_null();
	if (r->rules.game->result(r->state, points) == QV_GOING)
		return json_string("repetition");
	if (context_engine(r->rules.game)->ending)
		return json_string(context_engine(r->rules.game)->ending(r->state));
	return r->outcome == QV_DRAWN_BY_COUNT ? json_string("count") : json_null();
}

/* As the line of the end says, or the rules. */
static json_t *reason_json(const struct hosted_game *p)
{
	if (!p->game.record->ended)
		return rule_json(p->game.record);
	json_t *line = json_loads(tree_cursor(p->game.record)->end, 0, NULL);
	json_t *reason = json_incref(json_object_get(line, "reason"));
	json_decref(line);
	return reason;
}

/* ---- The position ---- */

static json_t *last_json(const struct hosted_game *p)
{
	const struct qv_record *r = p->game.record;
	if (r->ply == 0)
		return json_null();
	const struct node_info *info = &p->node_infos[r->line[r->ply].node];
	tree_state_at(r, r->ply - 1, p->game.scratch);
	return json_pack("{s:s, s:s*, s:i, s:o}", "move", info->move, "short", info->brief,
			 "seat", info->seat + 1, "touches",
			 touches_json(r->rules.game, p->game.scratch, qv_record_move(r, r->ply - 1)));
}

static json_t *rules_json(const struct hosted_game *p)
{
	char name[QV_POSITION_TEXT] = "";
	struct qv_text text = { name, sizeof name, 0 };
	qv_rules_text(&p->game.record->rules, &text);
	return json_string(name);
}

static json_t *game_view_json(const struct hosted_game *p)
{
	const struct qv_record *r = p->game.record;
	json_t *view = view_json(&r->rules, r->state);
	if (view && put(view, "game", rules_json(p)) && put(view, "last", last_json(p)) &&
	    view_set_result(view, r->rules.game, r->outcome, r->points) &&
	    put(view, "result", result_json(p)))
		return view;
	json_decref(view);
	return NULL;
}

/* ---- The line and the tree ---- */

static json_t *line_move_json(const struct node_info *info)
{
	json_t *seconds = info->seconds < 0 ? json_null() : json_real(info->seconds);
	return json_pack("{s:s, s:s*, s:i, s:o}", "move", info->move, "short", info->brief,
			 "seat", info->seat + 1, "seconds", seconds);
}

/* The two lists grow with the game, so they are written as text: quicker than by way of JSON objects. */

/* Moves are plain nearly always; notes are anything. */
static void add_quoted(struct string *out, const char *text)
{
	const char *c = text;
	while (*c >= ' ' && *c <= '~' && *c != '"' && *c != '\\')
		c++;
	if (!*c) {
		string_add(out, "\"", 1);
		string_add(out, text, (size_t)(c - text));
		string_add(out, "\"", 1);
		return;
	}
	json_t *json = json_string(text);
	char *quoted = json ? json_dumps(json, GAME_JSON_FORM) : NULL;
	if (quoted)
		string_add(out, quoted, strlen(quoted));
	out->failed |= !quoted;
	free(quoted);
	json_decref(json);
}

static void add_number(struct string *out, const char *before, int64_t number)
{
	char digits[64] = "";
	struct qv_text text = { digits, sizeof digits, 0 };
	qv_put(&text, before);
	qv_put_int(&text, number);
	string_add(out, digits, text.length);
}

static void add_move(struct string *out, const struct node_info *info)
{
	string_add(out, "\"move\":", 7);
	if (info->move)
		add_quoted(out, info->move);
	else
		string_add(out, "null", 4);
	if (!info->brief)
		return;
	string_add(out, ",\"short\":", 9);
	add_quoted(out, info->brief);
}

/* As jansson writes a real number. */
static void add_seconds(struct string *out, double seconds)
{
	char text[32] = "null";
	if (seconds >= 0)
		snprintf(text, sizeof text - 2, "%.10g", seconds);
	if (seconds >= 0 && !strpbrk(text, ".e"))
		memcpy(text + strlen(text), ".0", sizeof ".0");
	string_add(out, text, strlen(text));
}

void game_add_line(const struct hosted_game *p, struct string *out)
{
	const struct qv_record *r = p->game.record;
	string_addf(out, "\"line\":[");
	for (int ply = 1; ply <= r->ply; ply++) {
		const struct node_info *info = &p->node_infos[r->line[ply].node];
		string_addf(out, "%s{", ply == 1 ? "" : ",");
		add_move(out, info);
		add_number(out, ",\"seat\":", info->seat + 1);
		string_add(out, ",\"seconds\":", 11);
		add_seconds(out, info->seconds);
		string_add(out, "}", 1);
	}
	string_add(out, "]", 1);
}

void game_add_tree(const struct hosted_game *p, struct string *out)
{
	const struct qv_record *r = p->game.record;
	string_addf(out, "\"tree\":[");
	for (size_t i = 0; i < r->node_count; i++) {
		add_number(out, i ? ",{\"parent\":" : "{\"parent\":", r->nodes[i].parent);
		string_add(out, ",", 1);
		add_move(out, &p->node_infos[i]);
		if (r->nodes[i].note) {
			string_add(out, ",\"note\":", 8);
			add_quoted(out, r->nodes[i].note);
		}
		string_add(out, "}", 1);
	}
	string_add(out, "]", 1);
}

char *game_text(json_t *head, const struct string *rest)
{
	char *first = head && !rest->failed ? json_dumps(head, GAME_JSON_FORM) : NULL;
	const size_t length = first ? strlen(first) : 0;
	char *text = first ? realloc(first, length + rest->length + 2) : NULL;
	json_decref(head);
	if (!text) {
		free(first);
		return NULL;
	}
	text[length - 1] = ',';            /* where the head ended */
	memcpy(text + length, rest->data, rest->length);
	memcpy(text + length + rest->length, "}", 2);
	return text;
}

/* ---- Clocks, dice, offers ---- */

static json_t *clocks_json(const struct hosted_game *p, int64_t now)
{
	if (!game_clock_on(&p->game.clock))
		return json_null();
	json_t *left = json_array();
	bool done = left;
	for (int i = 0; i < p->seat_count && done; i++) {
		const int64_t ms = game_clock_left(&p->game.clock, i, now);
		done = json_array_append_new(left, json_integer(ms > 0 ? ms : 0)) == 0;
	}
	if (!done) {
		json_decref(left);
		return NULL;
	}
	return json_pack("{s:s, s:o, s:i}", "terms", p->control_text, "left", left, "running",
			 p->game.clock.seat + 1);
}

static json_t *last_roll_json(const struct hosted_game *p)
{
	char commit[DICE_HEX], secret[DICE_HEX];
	if (p->last_roll < 0)
		return json_null();
	const struct dice_roll *last = &p->rolls[p->last_roll];
	dice_commit(last->secret, commit);
	dice_hex(last->secret, secret);
	return json_pack("{s:s, s:s, s:s, s:i, s:I, s:I, s:s}", "commit", commit, "secret", secret,
			 "seed", last->seed, "ply", last->ply, "weights", (json_int_t)last->weights,
			 "number", (json_int_t)last->number, "move", last->move);
}

static json_t *dice_json(const struct hosted_game *p)
{
	const struct qv_record *r = p->game.record;
	char commit[DICE_HEX] = "";
	if (!r->rules.game->chance)
		return json_null();
	const struct dice_roll *due = hosted_dice_due(p) ? roll_at(p, r->line[r->ply].node) : NULL;
	if (due)
		dice_commit(due->secret, commit);
	return json_pack("{s:s, s:o, s:o}", "mode", p->typed_dice ? "typed" : "server", "commit",
			 text_or_null(commit), "last", last_roll_json(p));
}

static json_t *offers_json(const struct hosted_game *p)
{
	json_t *list = json_array();
	bool done = list;
	for (int i = 0; i < OFFER_KINDS && done; i++)
		if (p->offers[i].open)
			done = json_array_append_new(list,
						     json_pack("{s:s, s:i}", "kind",
							       offer_name((enum offer_kind)i),
							       "seat", p->offers[i].seat + 1)) == 0;
	if (done)
		return list;
	json_decref(list);
	return NULL;
}

/* ---- Messages ---- */

/* What both messages have. */
static bool put_present(json_t *json, const struct hosted_game *p, int64_t now)
{
	struct hosted_think think;
	return put(json, "id", json_string(p->id)) &&
	       put(json, "version", json_integer((json_int_t)p->version)) &&
	       put(json, "view", game_view_json(p)) &&
	       put(json, "redo", json_integer(game_redo_most(&p->game))) &&
	       put(json, "clocks", clocks_json(p, now)) && put(json, "dice", dice_json(p)) &&
	       put(json, "thinking", json_boolean(hosted_wants_think(p, now, &think))) &&
	       put(json, "result", result_json(p)) && put(json, "reason", reason_json(p));
}

static bool put_play(json_t *json, const struct hosted_game *p, const char *user, unsigned connected)
{
	const struct qv_record *r = p->game.record;
	const bool owner = *user && strcmp(user, p->owner) == 0;
	return put(json, "type", json_string("play")) &&
	       put(json, "url", json_sprintf("/play/%s", p->id)) &&
	       put(json, "game", rules_json(p)) &&
	       put(json, "title", json_string(r->rules.game->title)) &&
	       put(json, "created", json_integer(p->created)) &&
	       put(json, "private", json_boolean(p->closed)) &&
	       put(json, "seats", seats_json(p, user, connected)) &&
	       put(json, "owner", json_boolean(owner)) &&
	       put(json, "start", json_string(p->start)) &&
	       put(json, "cursor", json_integer(r->line[r->ply].node)) &&
	       put(json, "offers", offers_json(p)) &&
	       put(json, "rematch", text_or_null(p->rematch));
}

json_t *game_head_json(const struct hosted_game *p, const char *user, unsigned connected, int64_t now)
{
	json_t *json = json_object();
	if (json && put_play(json, p, user, connected) && put_present(json, p, now))
		return json;
	json_decref(json);
	return NULL;
}

json_t *game_move_json(const struct hosted_game *p, int64_t now)
{
	const struct qv_record *r = p->game.record;
	const int32_t node = r->line[r->ply].node;
	json_t *json = json_object();
	if (json && put(json, "type", json_string("move")) &&
	    put(json, "move", r->ply ? line_move_json(&p->node_infos[node]) : json_null()) &&
	    put(json, "node", json_integer(node)) && put_present(json, p, now))
		return json;
	json_decref(json);
	return NULL;
}

/* ---- The lobby ---- */

static json_t *lobby_seats_json(const struct hosted_game *p)
{
	json_t *list = json_array();
	bool done = list;
	char name[HOSTED_SPEC_ROOM];
	for (int i = 0; i < p->seat_count && done; i++) {
		seat_name(&p->seats[i], name);
		done = json_array_append_new(list, json_pack("{s:s, s:s}", "kind",
							     kind_name(p->seats[i].kind), "name",
							     name)) == 0;
	}
	if (done)
		return list;
	json_decref(list);
	return NULL;
}

json_t *game_lobby_json(const struct hosted_game *p, int watchers)
{
	const char *terms = game_clock_on(&p->game.clock) ? p->control_text : NULL;
	return json_pack("{s:s, s:o, s:s, s:o, s:s?, s:I, s:i}", "id", p->id, "game", rules_json(p),
			 "title", p->game.record->rules.game->title, "seats", lobby_seats_json(p),
			 "clock", terms, "created", (json_int_t)p->created, "watchers", watchers);
}
