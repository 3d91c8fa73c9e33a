/*
 * game_json.c - games in progress as JSON: Play, MoveMessage, LobbyEntry and FinishedGame
 * of types.ts.
 * SPDX-License-Identifier: MIT
 *
 * A chain of json_field and json_item needs one check at its end: they pass NULL on, and json_pack
 * fails if a part is NULL. Line and tree grow with the game, so they are written as text, which is
 * quicker than by way of JSON objects.
 */
#include "server/api/game_json.h"

#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "core/context.h"
#include "core/player.h"
#include "formats/board_json.h"
#include "record/luck.h"
#include "server/api/secrets.h"
#include "session/hosted_inside.h"

/* ---- Seats ---- */

static const char *const seat_kinds[] = { "open", "person", "computer" };

/* "you" and "connected" differ from reader to reader. */
static json_t *seats_json(const struct hosted_game *p, const char *user, unsigned connected)
{
	json_t *list = json_array();
	for (int i = 0; i < p->seat_count; i++) {
		const struct hosted_seat *s = &p->seats[i];
		const bool here = s->kind == SEAT_PERSON && (connected >> i & 1);
		char name[HOSTED_SPEC_ROOM];
		hosted_seat_name(game_rules(&p->game), s, name);
		list = json_item(list, json_pack("{s:i, s:s, s:s, s:s?, s:b, s:b}", "seat", i + 1,
						 "kind", seat_kinds[s->kind], "name", name, "spec",
						 s->kind == SEAT_COMPUTER ? s->spec : NULL, "you",
						 (int)seat_is(p, i, user), "connected", (int)here));
	}
	return list;
}

/* ---- Result ---- */

/* "win N", "draw", "none" for a game that ended without a result; null while it is in progress. */
static json_t *result_json(const struct hosted_game *p)
{
	const int winner = qv_record_winner(p->game.record);
	if (p->game.record->outcome == QV_GOING)
		return json_null();
	if (winner == QV_UNDECIDED)
		return json_string("none");
	return winner < 0 ? json_string("draw") : json_sprintf("win %d", winner + 1);
}

/*
 * Why it ended: as the line of the end says, or a word for how the rules ended it; null: there is
 * no such word, or the game is in progress.
 */
static json_t *reason_json(const struct hosted_game *p)
{
	const struct qv_record *r = p->game.record;
	int32_t points[QV_MAX_SEATS];
	if (r->ended) {
		json_t *line = json_loads(tree_cursor(r)->end, 0, NULL);
		json_t *reason = json_incref(json_object_get(line, "reason"));
		json_decref(line);
		return reason;
	}
	if (r->outcome == QV_GOING)
		return json_null();
	if (r->rules.game->result(r->state, points) == QV_GOING)
		return json_string("repetition");
	if (context_engine(r->rules.game)->ending)
		return json_string(context_engine(r->rules.game)->ending(r->state));
	return r->outcome == QV_DRAWN_BY_COUNT ? json_string("count") : json_null();
}

/* ---- The position ---- */

/* The game's name with its options, as in "game" of a request. */
static json_t *rules_json(const struct hosted_game *p)
{
	char name[QV_POSITION_TEXT] = "";
	struct qv_text text = { name, sizeof name, 0 };
	qv_rules_text(&p->game.record->rules, &text);
	return json_string(name);
}

/* The position for the board, with the last move and the result. */
static json_t *game_view_json(const struct hosted_game *p)
{
	const struct qv_record *r = p->game.record;
	const struct qv_game *game = r->rules.game;
	json_t *view = json_field(view_json(&r->rules, r->state), "game", rules_json(p));
	json_t *last = json_null();
	if (r->ply > 0) { /* the last move, with the cells that it touches */
		const struct node_info *info = &p->node_infos[r->line[r->ply].node];
		last = json_pack("{s:s, s:s*, s:i, s:o}", "move", info->move, "short", info->brief,
				 "seat", info->seat + 1, "touches",
				 last_touches_json(r, p->game.scratch));
	}
	view = json_field(view, "last", last);
	if (view && view_set_result(view, game, r->outcome, r->points))
		return json_field(view, "result", result_json(p));
	json_decref(view);
	return NULL;
}

/* ---- The line and the tree ---- */

/* Moves are nearly always plain text; notes may be anything. */
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
	char *quoted = json_to_text(json_string(text), GAME_JSON_FORM);
	if (quoted)
		string_add(out, quoted, strlen(quoted));
	out->failed |= !quoted;
	free(quoted);
}

/* Without printf: a long game has thousands of numbers. */
static void add_number(struct string *out, const char *before, int64_t number)
{
	char digits[64] = "";
	struct qv_text text = { digits, sizeof digits, 0 };
	qv_put(&text, before);
	qv_put_int(&text, number);
	string_add(out, digits, text.length);
}

/* The root of the tree has no move: null. */
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
static void add_real(struct string *out, const char *before, double value)
{
	char digits[32];
	snprintf(digits, sizeof digits - 2, "%.10g", value);
	if (!strpbrk(digits, ".e"))
		memcpy(digits + strlen(digits), ".0", sizeof ".0");
	string_add(out, before, strlen(before));
	string_add(out, digits, strlen(digits));
}

/* ---- Luck ---- */

/* Losses are for one person alone, or after the end: they are advice. */
static bool shows_losses(const struct hosted_game *p)
{
	return hosted_is_free(p) || hosted_over(p);
}

/* Adds the luck of a roll, or what a move lost, if they are known. */
static void add_luck(const struct hosted_game *p, struct string *out, const struct node_info *info)
{
	if (!isnan(info->luck)) {
		add_real(out, ",\"luck\":", info->luck);
		add_number(out, ",\"roller\":", info->roller + 1);
	}
	if (isnan(info->loss) || !shows_losses(p))
		return;
	add_real(out, ",\"loss\":", info->loss);
	if (info->best) {
		string_add(out, ",\"best\":", 8);
		add_quoted(out, info->best);
	}
}

/* The same as fields of an object. Takes the JSON. */
static json_t *luck_fields(const struct hosted_game *p, json_t *o, const struct node_info *info)
{
	if (!isnan(info->luck))
		o = json_field(json_field(o, "luck", json_real(info->luck)), "roller",
			       json_integer(info->roller + 1));
	if (!isnan(info->loss) && shows_losses(p))
		o = json_field(o, "loss", json_real(info->loss));
	if (!isnan(info->loss) && shows_losses(p) && info->best)
		o = json_field(o, "best", json_text(info->best));
	return o;
}

/* The sums of luck by seat along the line; with two seats also the result and the rest, skill. */
static json_t *luck_json(const struct hosted_game *p)
{
	const struct qv_record *r = p->game.record;
	const struct qv_game *game = r->rules.game;
	double sums[QV_MAX_SEATS] = { 0 }, result = 0;
	json_t *seats = json_array();
	if (!game->chance) {
		json_decref(seats);
		return json_null();
	}
	for (int ply = 1; ply <= r->ply; ply++) {
		const struct node_info *info = &p->node_infos[r->line[ply].node];
		if (!isnan(info->luck))
			sums[info->roller] += info->luck;
	}
	for (int seat = 0; seat < game->seats; seat++)
		seats = json_item(seats, json_real(round(sums[seat] * 1000) / 1000));
	const bool decided = record_margin(p->game.context, r, &result);
	const double skill = result - (sums[0] - sums[1]);
	json_t *o = json_field(json_object(), "seats", seats);
	o = json_field(o, "result", decided ? json_real(result) : json_null());
	return json_field(o, "skill",
			  decided ? json_real(round(skill * 1000) / 1000) : json_null());
}

/* Adds "line":[...]. */
static void add_line(const struct hosted_game *p, struct string *out)
{
	const struct qv_record *r = p->game.record;
	string_addf(out, "\"line\":[");
	for (int ply = 1; ply <= r->ply; ply++) {
		const struct node_info *info = &p->node_infos[r->line[ply].node];
		string_addf(out, "%s{", ply == 1 ? "" : ",");
		add_move(out, info);
		add_number(out, ",\"seat\":", info->seat + 1);
		if (info->seconds >= 0)
			add_real(out, ",\"seconds\":", info->seconds);
		else
			string_add(out, ",\"seconds\":null", 15);
		add_luck(p, out, info);
		string_add(out, "}", 1);
	}
	string_add(out, "]", 1);
}

/* Nodes in the order of their creation; a parent comes before its children. */
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

struct string game_line_and_tree(const struct hosted_game *p)
{
	struct string out = { .allocator = &mem_malloc };
	add_line(p, &out);
	string_add(&out, ",", 1);
	game_add_tree(p, &out);
	return out;
}

/* Puts the rest before the closing brace of the head, so that the whole is one object. */
char *game_text(json_t *head, const struct string *rest)
{
	char *first = json_to_text(head, GAME_JSON_FORM);
	const size_t length = first ? strlen(first) : 0;
	char *text = first && !rest->failed ? realloc(first, length + rest->length + 2) : NULL;
	if (!text) {
		free(first);
		return NULL;
	}
	text[length - 1] = ','; /* where the head ended */
	memcpy(text + length, rest->data, rest->length);
	memcpy(text + length + rest->length, "}", 2);
	return text;
}

/* ---- Dice ---- */

/* Commitments are published before a roll, secrets only after it. */
static json_t *dice_json(const struct hosted_game *p)
{
	const struct qv_record *r = p->game.record;
	char commit[DICE_HEX] = "", secret[DICE_HEX];
	json_t *roll = NULL;
	if (p->last_roll >= 0) {
		const struct dice_roll *last = &p->rolls[p->last_roll];
		dice_commit(last->secret, commit);
		dice_hex(last->secret, secret);
		roll = json_pack("{s:s, s:s, s:s, s:i, s:I, s:I, s:s}", "commit", commit, "secret",
				 secret, "seed", last->seed, "ply", last->ply, "weights",
				 (json_int_t)last->weights, "number", (json_int_t)last->number,
				 "move", last->move);
	}
	const struct dice_roll *due = hosted_dice_due(p) ? roll_at(p, r->line[r->ply].node) : NULL;
	if (due) {
		unsigned char hidden[DICE_SECRET];
		roll_secret(p, due, hidden);
		dice_commit(hidden, commit);
	}
	return json_pack("{s:s, s:s?, s:o}", "mode", p->typed_dice ? "typed" : "server", "commit",
			 due ? commit : NULL, "last", p->last_roll < 0 ? json_null() : roll);
}

/* ---- Messages ---- */

/* Adds the fields that both messages have. Takes the JSON. */
static json_t *add_present(json_t *json, const struct hosted_game *p, int64_t now)
{
	json_t *clocks = json_null();
	if (game_clock_on(&p->game.clock)) { /* what is left to each seat, in ms */
		json_t *left = json_array();
		for (int i = 0; i < p->seat_count; i++) {
			const int64_t ms = game_clock_left(&p->game.clock, i, now);
			left = json_item(left, json_integer(ms > 0 ? ms : 0));
		}
		clocks = json_pack("{s:s, s:o, s:i}", "terms", p->control_text, "left", left,
				   "running", p->game.clock.seat + 1);
	}
	json_t *present = json_pack("{s:s, s:I, s:I, s:o, s:i, s:o, s:o, s:o, s:b, s:o, s:o}", "id",
				    p->id, "version", (json_int_t)p->version, "turn",
				    (json_int_t)p->turn, "view", game_view_json(p), "redo",
				    (int)game_redo_most(&p->game), "clocks", clocks, "dice",
				    p->game.record->rules.game->chance ? dice_json(p) : json_null(),
				    "luck", luck_json(p), "thinking", (int)hosted_is_thinking(p),
				    "result", result_json(p), "reason", reason_json(p));
	const bool good = json && present && json_object_update(json, present) == 0;
	json_decref(present);
	if (good)
		return json;
	json_decref(json);
	return NULL;
}

/* Everything but line and tree. The keys are those of Play in types.ts. */
json_t *game_head_json(const struct hosted_game *p, const char *user, unsigned connected,
		       int64_t now)
{
	const struct qv_record *r = p->game.record;
	const bool owner = *user && strcmp(user, p->owner) == 0;
	json_t *offers = json_array(); /* those that wait for an answer, such as a draw */
	for (int i = 0; i < OFFER_KINDS; i++)
		if (p->offers[i].open)
			offers = json_item(offers, json_pack("{s:s, s:i}", "kind",
							     offer_name((enum offer_kind)i), "seat",
							     p->offers[i].seat + 1));
	json_t *json = json_pack(
		"{s:s, s:o, s:o, s:s, s:I, s:b, s:o, s:b, s:s, s:i, s:o, s:s, s:o, s:o}", "type",
		"play", "url", json_sprintf("/play/%s", p->id), "game", rules_json(p), "title",
		r->rules.game->title, "created", (json_int_t)p->created, "private", (int)p->closed,
		"seats", seats_json(p, user, connected), "owner", (int)owner, "start", p->start,
		"cursor", (int)r->line[r->ply].node, "offers", offers, "engine",
		hosted_uses_own_engine(p) ? "browser" : "server", "rematch",
		text_or_null(p->rematch), "memory", text_or_null(p->memory));
	return add_present(json, p, now);
}

/* What followers need after a mere move; they append it to their line and tree. */
json_t *game_move_json(const struct hosted_game *p, int64_t now)
{
	const struct qv_record *r = p->game.record;
	const int32_t node = r->line[r->ply].node;
	const struct node_info *info = &p->node_infos[node];
	json_t *move = json_null();
	if (r->ply)
		move = json_pack("{s:s, s:s*, s:i, s:o}", "move", info->move, "short", info->brief,
				 "seat", info->seat + 1, "seconds",
				 info->seconds < 0 ? json_null() : json_real(info->seconds));
	if (r->ply)
		move = luck_fields(p, move, info);
	return add_present(
		json_pack("{s:s, s:o, s:i}", "type", "move", "move", move, "node", (int)node), p,
		now);
}

/* Names only: the lobby is the same for everybody. */
/* NULL: the game has no dice. */
static const char *dice_mode(const struct hosted_game *p)
{
	const char *const mode = p->typed_dice ? "typed" : "server";
	return p->game.record->rules.game->chance ? mode : NULL;
}

json_t *game_lobby_json(const struct hosted_game *p, int watchers)
{
	const char *terms = game_clock_on(&p->game.clock) ? p->control_text : NULL;
	json_t *seats = json_array();
	char name[HOSTED_SPEC_ROOM];
	for (int i = 0; i < p->seat_count; i++) {
		hosted_seat_name(game_rules(&p->game), &p->seats[i], name);
		seats = json_item(seats, json_pack("{s:s, s:s}", "kind",
						   seat_kinds[p->seats[i].kind], "name", name));
	}
	return json_pack("{s:s, s:o, s:s, s:o, s:s?, s:s?, s:I, s:i}", "id", p->id, "game",
			 rules_json(p), "title", p->game.record->rules.game->title, "seats", seats,
			 "clock", terms, "dice", dice_mode(p), "created", (json_int_t)p->created, "watchers", watchers);
}

/* Whether somebody has moved in a game of one person against computers; other games have begun. */
static bool has_begun(const struct hosted_game *p)
{
	const struct qv_record *r = p->game.record;
	int people = 0, open = 0;
	for (int i = 0; i < p->seat_count; i++) {
		people += p->seats[i].kind == SEAT_PERSON;
		open += p->seats[i].kind == SEAT_OPEN;
	}
	if (people != 1 || open || p->seat_count == 1)
		return true;
	for (int ply = 1; ply <= r->ply; ply++) {
		const int seat = p->node_infos[r->line[ply].node].seat;
		if (seat != QV_CHANCE && p->seats[seat].kind == SEAT_PERSON)
			return true;
	}
	return false;
}

json_t *game_add_mine(const struct hosted_game *p, const char *user, int64_t now, json_t *entry)
{
	const int seat = hosted_seat_to_act(p);
	const int64_t left = seat < 0 ? -1 : hosted_time_left(p, seat, now);
	entry = json_field(entry, "turn", json_integer(seat + 1));
	entry = json_field(entry, "your_turn", json_boolean(seat >= 0 && seat_is(p, seat, user)));
	entry = json_field(entry, "begun", json_boolean(has_begun(p)));
	return json_field(entry, "left", left < 0 ? json_null() : json_integer(left));
}

/* For a list; the seats as in a Play. */
json_t *game_finished_json(const struct hosted_game *p, const char *user, int64_t ended)
{
	const struct qv_record *r = p->game.record;
	return json_pack("{s:s, s:o, s:s, s:o, s:I, s:I, s:o, s:o, s:i, s:b}", "id", p->id, "game",
			 rules_json(p), "title", r->rules.game->title, "seats",
			 seats_json(p, user, 0), "created", (json_int_t)p->created, "ended",
			 (json_int_t)ended, "result", result_json(p), "reason", reason_json(p),
			 "plies", (int)r->ply, "rated", (int)hosted_is_rated(p));
}
