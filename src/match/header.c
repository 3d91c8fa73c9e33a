/*
 * header.c - the plan as JSON: the first line of a journal.
 * SPDX-License-Identifier: MIT
 *
 * It contains everything that determines the games, the openings too, so that a journal can be
 * continued and audited without other files.
 */
#include "match/header.h"

#include <stdlib.h>

#include "core/context.h"

enum { FORMAT = 1 };

/* ---- Writing ---- */

static json_t *players_value(const struct match_plan *plan)
{
	json_t *list = json_array();
	for (int i = 0; i < plan->player_count; i++) {
		json_t *one = json_field(json_object(), "name", json_string(plan->players[i].name));
		list = json_item(list, json_field(one, "spec", json_string(plan->players[i].spec)));
	}
	return list;
}

static json_t *openings_value(const struct match_plan *plan)
{
	json_t *list = json_array();
	for (int i = 0; i < plan->opening_count; i++) {
		json_t *one = json_field(json_object(), "position",
					 json_string(plan->openings[i].position));
		list = json_item(list,
				 json_field(one, "moves", json_string(plan->openings[i].moves)));
	}
	return list;
}

static json_t *clock_value(const struct match_clock *clock)
{
	static const char *const kinds[] = { "none", "move", "game" };
	json_t *o = json_field(json_object(), "kind", json_string(kinds[clock->kind]));
	o = json_field(o, "ms", json_integer(clock->base_ms));
	return json_field(o, "added_ms", json_integer(clock->added_ms));
}

static json_t *adjudication_value(const struct match_adjudication *a)
{
	json_t *o = json_field(json_object(), "resign_score", json_integer(a->resign_score));
	o = json_field(o, "resign_moves", json_integer(a->resign_moves));
	o = json_field(o, "draw_score", json_integer(a->draw_score));
	o = json_field(o, "draw_moves", json_integer(a->draw_moves));
	o = json_field(o, "draw_plies", json_integer(a->draw_plies));
	return json_field(o, "tables", json_string(a->tables ? a->tables : ""));
}

json_t *header_of_plan(const struct match_plan *plan)
{
	char name[QV_POSITION_TEXT] = "";
	struct qv_text text = { name, sizeof name, 0 };
	qv_rules_text(&plan->rules, &text);
	json_t *o = json_field(json_object(), "game", json_string(name));
	o = json_field(o, "players", players_value(plan));
	o = json_field(o, "games", json_integer(plan->games));
	o = json_field(o, "seed", json_integer((json_int_t)plan->seed));
	o = json_field(o, "gauntlet", json_boolean(plan->gauntlet));
	if (plan->near)
		o = json_field(o, "near", json_integer(plan->near));
	o = json_field(o, "pairs", json_boolean(plan->pairs));
	o = json_field(o, "openings", openings_value(plan));
	o = json_field(o, "random_plies", json_integer(plan->random_plies));
	o = json_field(o, "clock", clock_value(&plan->clock));
	o = json_field(o, "max_plies", json_integer(plan->max_plies));
	o = json_field(o, "adjudicate", adjudication_value(&plan->adjudication));
	o = json_field(o, "threads", json_integer(plan->threads));
	o = json_field(o, "hash", json_integer(plan->hash_mb));
	o = json_field(o, "sprt", json_string(plan->sprt ? plan->sprt : ""));
	return json_field(json_field(json_object(), "quevedo", json_integer(FORMAT)), "match", o);
}

/* ---- Comparing ---- */

enum qv_status header_compare(const json_t *there, const json_t *wanted, struct qv_error *error)
{
	json_t *old = json_object_get(there, "match"), *new = json_object_get(wanted, "match");
	const char *key;
	json_t *value;
	if (json_object_get(old, "near") && !json_object_get(new, "near"))
		return qv_fail(error, QV_BAD_INPUT, "near: set there, but not here");
	json_object_foreach(new, key, value) {
		json_t *other = json_object_get(old, key);
		char *before = other ? json_dumps(other, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
		char *now = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
		const bool same = other && json_equal(other, value);
		if (!same)
			qv_fail(error, QV_BAD_INPUT, "%s: %.80s there, but %.80s here",
				key, before ? before : "not set", now ? now : "?");
		free(before);
		free(now);
		if (!same)
			return QV_BAD_INPUT;
	}
	return QV_OK;
}

/* ---- Reading ---- */

static void take_clock(struct json_reader *t, struct match_clock *out)
{
	struct json_reader part = { json_object_get(t->object, "clock"), t->status, t->error };
	const char *kind = json_read_text(&part, "kind");
	const int64_t most = INT64_C(1000) * 7 * 24 * 3600;
	out->kind = strcmp(kind, "move") == 0 ? CLOCK_MOVE
		    : strcmp(kind, "game") == 0 ? CLOCK_GAME
						: CLOCK_NONE;
	if (out->kind == CLOCK_NONE && strcmp(kind, "none") != 0)
		json_expected(&part, "clock", "a known kind");
	out->base_ms = json_read_int(&part, "ms", 0, most);
	out->added_ms = json_read_int(&part, "added_ms", 0, most);
	t->status = part.status;
}

static void take_adjudication(struct json_reader *t, struct match_adjudication *out)
{
	struct json_reader part = { json_object_get(t->object, "adjudicate"), t->status, t->error };
	out->resign_score = (int32_t)json_read_int(&part, "resign_score", 0, QV_WIN);
	out->resign_moves = (int)json_read_int(&part, "resign_moves", 0, MATCH_MAX_PLIES);
	out->draw_score = (int32_t)json_read_int(&part, "draw_score", 0, QV_WIN);
	out->draw_moves = (int)json_read_int(&part, "draw_moves", 0, MATCH_MAX_PLIES);
	out->draw_plies = (int)json_read_int(&part, "draw_plies", 0, MATCH_MAX_PLIES);
	const char *tables = json_read_text(&part, "tables");
	out->tables = *tables ? tables : NULL;
	t->status = part.status;
}

static void take_players(struct json_reader *t, struct header_plan *h)
{
	const json_t *list = json_read_list(t, "players", MATCH_MAX_PLAYERS);
	const size_t count = json_array_size(list);
	h->plan.player_count = (int)count;
	h->players = mem_new(h->allocator, count, sizeof *h->players);
	h->plan.players = h->players;
	if (!h->players)
		t->status = QV_NO_MEMORY;
	for (size_t i = 0; h->players && i < count; i++) {
		struct json_reader part = { json_array_get(list, i), t->status, t->error };
		h->players[i].name = json_read_text(&part, "name");
		h->players[i].spec = json_read_text(&part, "spec");
		t->status = part.status;
	}
}

static void take_openings(struct json_reader *t, struct header_plan *h)
{
	const json_t *list = json_read_list(t, "openings", MATCH_MAX_GAMES);
	const size_t count = json_array_size(list);
	h->plan.opening_count = (int)count;
	h->openings = mem_new(h->allocator, count, sizeof *h->openings);
	h->plan.openings = h->openings;
	if (!h->openings)
		t->status = QV_NO_MEMORY;
	for (size_t i = 0; h->openings && i < count; i++) {
		struct json_reader part = { json_array_get(list, i), t->status, t->error };
		h->openings[i].position = json_read_text(&part, "position");
		h->openings[i].moves = json_read_text(&part, "moves");
		t->status = part.status;
	}
}

static void take_plan(struct json_reader *t, struct header_plan *h)
{
	struct match_plan *p = &h->plan;
	p->games = json_read_int(t, "games", 1, MATCH_MAX_GAMES);
	p->seed = (uint64_t)json_read_int(t, "seed", INT64_MIN, INT64_MAX);
	p->gauntlet = json_read_bool(t, "gauntlet");
	if (json_object_get(t->object, "near"))
		p->near = (int)json_read_int(t, "near", 1, MATCH_MAX_PLAYERS);
	p->pairs = json_read_bool(t, "pairs");
	p->random_plies = (int)json_read_int(t, "random_plies", 0, MATCH_MAX_PLIES);
	p->max_plies = (int)json_read_int(t, "max_plies", 0, MATCH_MAX_PLIES);
	p->threads = (int)json_read_int(t, "threads", 0, 256);
	p->hash_mb = (int)json_read_int(t, "hash", 0, 1 << 20);
	p->sprt = json_read_text(t, "sprt");
	take_clock(t, &p->clock);
	take_adjudication(t, &p->adjudication);
	take_players(t, h);
	take_openings(t, h);
}

enum qv_status header_read(const struct qv_context *context, json_t *header,
			   struct header_plan *out, struct qv_error *error)
{
	struct header_plan h = { .allocator = context_allocator(context),
				 .source = json_incref(header) };
	struct json_reader top = { header, QV_OK, error };
	json_read_int(&top, "quevedo", FORMAT, FORMAT);
	struct json_reader t = { json_object_get(header, "match"), top.status, error };
	const char *game = json_read_text(&t, "game");
	if (t.status == QV_OK)
		t.status = qv_rules_parse(context, game, &h.plan.rules, error);
	if (t.status == QV_OK)
		take_plan(&t, &h);
	if (t.status == QV_NO_MEMORY)
		qv_fail(error, QV_NO_MEMORY, "journal: out of memory");
	if (t.status == QV_OK)
		t.status = plan_check(&h.plan, error);
	if (t.status == QV_OK)
		*out = h;
	else
		header_release(&h);
	return t.status;
}

void header_release(struct header_plan *h)
{
	if (!h->allocator)
		return;
	mem_free(h->allocator, h->players, (size_t)h->plan.player_count * sizeof *h->players);
	mem_free(h->allocator, h->openings, (size_t)h->plan.opening_count * sizeof *h->openings);
	json_decref(h->source);
	*h = (struct header_plan){ 0 };
}
