/*
 * header.c - the first line of a journal: the plan of the match.
 * SPDX-License-Identifier: MIT
 *
 * It contains everything that determines the games, the openings too, so that a journal can be
 * continued and audited without other files. The version of the program, the hashes of plug-ins and
 * the specs that levels stand for are there to be compared: with others the games to come would have
 * other players.
 */
#include "match/journal.h"

#include <stdlib.h>

#include "core/context.h"
#include "core/player.h"

static enum qv_status no_memory(struct qv_error *error)
{
	return qv_fail(error, QV_NO_MEMORY, "journal: out of memory");
}

/* ---- Writing the plan ---- */

/* A level may stand for another player in another version. */
const char *header_level_spec(const struct qv_game *game, const char *spec)
{
	struct settings given;
	if (spec_parse(spec, NULL, &given, NULL) != QV_OK || given.kind != &level_kind)
		return NULL;
	const char *const *levels = ladder_levels(game, level_settings(&given)->ladder);
	const int64_t level = level_settings(&given)->level;
	for (int64_t i = 1; levels && levels[i - 1]; i++)
		if (i == level)
			return levels[i - 1];
	return NULL;
}

/* The stages of a clock after its first. */
static json_t *later_stages(const struct time_control *clock)
{
	json_t *list = json_array();
	for (int i = 0; i < clock->later_count; i++)
		list = json_item(list, json_pack("{s:I, s:I, s:i}", "ms",
						 (json_int_t)clock->later[i].base_ms, "added_ms",
						 (json_int_t)clock->later[i].added_ms, "moves",
						 clock->later[i].moves));
	return list;
}

json_t *header_of_plan(const struct match_plan *plan)
{
	const struct match_adjudication *a = &plan->adjudication;
	const struct time_control *clock = &plan->clock;
	char name[QV_POSITION_TEXT] = "";
	struct qv_text text = { name, sizeof name, 0 };
	json_t *players = json_array(), *openings = json_array();
	for (int i = 0; i < plan->player_count; i++) {
		const char *spec = plan->players[i].spec,
			   *level = header_level_spec(plan->rules.game, spec);
		json_t *player =
			json_pack("{s:s, s:s}", "name", plan->players[i].name, "spec", spec);
		if (level)
			player = json_field(player, "stands_for", json_string(level));
		players = json_item(players, player);
	}
	for (int i = 0; i < plan->opening_count; i++)
		openings = json_item(openings,
				     json_pack("{s:s, s:s}", "position", plan->openings[i].position,
					       "moves", plan->openings[i].moves));
	const char *kind = clock->move_ms ? "move" : clock->base_ms ? "game" : "none";
	json_t *times = json_pack("{s:s, s:I, s:I}", "kind", kind, "ms",
				  (json_int_t)(clock->move_ms ? clock->move_ms : clock->base_ms),
				  "added_ms", (json_int_t)clock->added_ms);
	if (clock->period_moves)
		times = json_field(times, "moves", json_integer(clock->period_moves));
	if (clock->later_count)
		times = json_field(times, "later", later_stages(clock));
	json_t *adjudicate = json_pack(
		"{s:i, s:i, s:i, s:i, s:i, s:s}", "resign_score", a->resign_score, "resign_moves",
		a->resign_moves, "draw_score", a->draw_score, "draw_moves", a->draw_moves,
		"draw_plies", a->draw_plies, "tables", a->tables ? a->tables : "");
	qv_rules_text(&plan->rules, &text);
	json_t *o = json_field(json_object(), "game", json_string(name));
	o = json_field(o, "players", players);
	o = json_field(o, "games", json_integer(plan->games));
	o = json_field(o, "seed", json_integer((json_int_t)plan->seed));
	o = json_field(o, "gauntlet", json_boolean(plan->gauntlet));
	if (plan->near)
		o = json_field(o, "near", json_integer(plan->near));
	o = json_field(o, "pairs", json_boolean(plan->pairs));
	if (plan->keep_seats)
		o = json_field(o, "keep_seats", json_true());
	o = json_field(o, "openings", openings);
	o = json_field(o, "random_plies", json_integer(plan->random_plies));
	o = json_field(o, "clock", times);
	o = json_field(o, "max_plies", json_integer(plan->max_plies));
	o = json_field(o, "adjudicate", adjudicate);
	o = json_field(o, "threads", json_integer(plan->threads));
	o = json_field(o, "hash", json_integer(plan->hash_mb));
	o = json_field(o, "sprt", json_string(plan->sprt ? plan->sprt : ""));
	o = json_field(o, "version", json_string(qv_version()));
	o = json_field(o, "plugins", json_string(plan->plugins ? plan->plugins : ""));
	return json_field(json_field(json_object(), "quevedo", json_integer(JOURNAL_FORMAT)),
			  "match", o);
}

/* ---- Comparing ---- */

/* Where two specs begin to differ, at a key: "alphabeta:depth=7" and "alphabeta:depth=8" at depth. */
static size_t difference_at(const char *a, const char *b)
{
	size_t from = 0;
	for (size_t i = 0; a[i] && a[i] == b[i]; i++)
		if (strchr(":,", a[i]))
			from = i + 1;
	return from;
}

/* What two texts of the field are, from where they begin to differ. */
static enum qv_status differ(const char *field, const char *there, const char *here,
			     struct qv_error *error)
{
	const size_t from = difference_at(there, here);
	return qv_fail(error, QV_BAD_INPUT, "%.60s: %s%.50s there, but %s%.50s here", field,
		       from ? "..." : "", *there ? there + from : "none", from ? "..." : "",
		       *here ? here + from : "none");
}

/* As differ, for values of any kind. NULL: it is not there. */
static enum qv_status differ_json(const char *field, const json_t *there, const json_t *here,
				  struct qv_error *error)
{
	char *before = there ? json_dumps(there, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
	char *now = here ? json_dumps(here, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
	if (json_is_string(there) && json_is_string(here))
		differ(field, json_string_value(there), json_string_value(here), error);
	else
		differ(field, before ? before : "not set", now ? now : "not set", error);
	free(before);
	free(now);
	return QV_BAD_INPUT;
}

/* Lists of objects: `word` names an element, as "player A" or "opening 3". */
static enum qv_status compare_lists(const char *word, const json_t *there, const json_t *here,
				    struct qv_error *error)
{
	char field[100];
	const size_t count = json_array_size(here);
	if (json_array_size(there) != count)
		return qv_fail(error, QV_BAD_INPUT, "%ss: %zu there, but %zu here", word,
			       json_array_size(there), count);
	for (size_t i = 0; i < count; i++) {
		const json_t *old = json_array_get(there, i);
		json_t *new = json_array_get(here, i), *value;
		const char *name = json_string_value(json_object_get(new, "name")), *key;
		json_object_foreach(new, key, value)
		{
			const json_t *other = json_object_get(old, key);
			if (!other && strcmp(key, "stands_for") == 0)
				continue; /* of an older version */
			if (other && json_equal(other, value))
				continue;
			if (name && strcmp(key, "name") != 0)
				snprintf(field, sizeof field, "%s %.40s, %s", word, name, key);
			else
				snprintf(field, sizeof field, "%s %zu, %s", word, i + 1, key);
			return differ_json(field, other, value, error);
		}
	}
	return QV_OK;
}

static enum qv_status compare_fields(const char *owner, json_t *there, json_t *here,
				     struct qv_error *error);

static enum qv_status compare_field(const char *owner, const char *key, json_t *there, json_t *here,
				    struct qv_error *error)
{
	char field[60];
	snprintf(field, sizeof field, "%s%s%.40s", owner, *owner ? "." : "", key);
	if (!there && (strcmp(key, "version") == 0 || strcmp(key, "plugins") == 0))
		return QV_OK; /* of an older version */
	if (there && json_equal(there, here))
		return QV_OK;
	if (strcmp(key, "players") == 0)
		return compare_lists("player", there, here, error);
	if (strcmp(key, "openings") == 0)
		return compare_lists("opening", there, here, error);
	if (json_is_object(there) && json_is_object(here))
		return compare_fields(field, there, here, error);
	return differ_json(field, there, here, error);
}

/* A field that is missing here counts, too: `near` and others are only written if they are set. */
static enum qv_status compare_fields(const char *owner, json_t *there, json_t *here,
				     struct qv_error *error)
{
	const char *key;
	json_t *value;
	enum qv_status status = QV_OK;
	json_object_foreach(here, key, value) if (status == QV_OK) status =
		compare_field(owner, key, json_object_get(there, key), value, error);
	json_object_foreach(there, key, value) if (status == QV_OK && !json_object_get(here, key))
		status = differ_json(key, value, NULL, error);
	return status;
}

enum qv_status header_compare(const json_t *there, const json_t *wanted, struct qv_error *error)
{
	return compare_fields("", json_object_get(there, "match"), json_object_get(wanted, "match"),
			      error);
}

/* ---- Reading the plan ---- */

/* Reads the kind of clock and its times, in ms; a week at most. */
static void read_clock(struct json_reader *t, struct time_control *out)
{
	struct json_reader part = { json_object_get(t->object, "clock"), t->status, t->error };
	const int64_t most = INT64_C(1000) * 7 * 24 * 3600;
	const char *kind = json_read_text(&part, "kind");
	const bool move = strcmp(kind, "move") == 0, game = strcmp(kind, "game") == 0;
	if (!move && !game && strcmp(kind, "none") != 0)
		json_expected(&part, "clock", "a known kind");
	const int64_t ms = json_read_int(&part, "ms", move || game, most);
	const int64_t added_ms = json_read_int(&part, "added_ms", 0, most);
	*out = (struct time_control){ .base_ms = game ? ms : 0,
				      .added_ms = game ? added_ms : 0,
				      .move_ms = move ? ms : 0 };
	if (game && json_object_get(part.object, "moves"))
		out->period_moves = (int)json_read_int(&part, "moves", 1, MATCH_MAX_PLIES);
	const json_t *later = json_object_get(part.object, "later"), *value;
	size_t i;
	if (json_array_size(later) > TIME_LATER_STAGES)
		json_expected(&part, "later", "a list of at most three stages");
	json_array_foreach(later, i, value) if (game && i < TIME_LATER_STAGES)
	{
		struct json_reader stage = { value, part.status, part.error };
		out->later[i] = (struct time_stage){ json_read_int(&stage, "ms", 1, most),
						     json_read_int(&stage, "added_ms", 0, most),
						     (int)json_read_int(&stage, "moves", 0,
									MATCH_MAX_PLIES) };
		out->later_count = (int)i + 1;
		part.status = stage.status;
	}
	t->status = part.status;
}

/* Reads when games end early. An empty folder of tables: they decide nothing. */
static void read_adjudication(struct json_reader *t, struct match_adjudication *out)
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

/* An object of a list with two texts. */
static void read_texts(struct json_reader *t, const json_t *object, const char *key,
		       const char **out, const char *other_key, const char **other)
{
	struct json_reader part = { object, t->status, t->error };
	*out = json_read_text(&part, key);
	*other = json_read_text(&part, other_key);
	t->status = part.status;
}

/*
 * Reads the fields of the plan into the header, which owns the lists; the texts stay in the JSON.
 */
static void read_plan(struct json_reader *t, struct header_plan *h)
{
	struct match_plan *p = &h->plan;
	p->games = json_read_int(t, "games", 1, MATCH_MAX_GAMES);
	p->seed = (uint64_t)json_read_int(t, "seed", INT64_MIN, INT64_MAX);
	p->gauntlet = json_read_bool(t, "gauntlet");
	if (json_object_get(t->object, "near"))
		p->near = (int)json_read_int(t, "near", 1, MATCH_MAX_PLAYERS);
	p->pairs = json_read_bool(t, "pairs");
	if (json_object_get(t->object, "keep_seats"))
		p->keep_seats = json_read_bool(t, "keep_seats");
	p->random_plies = (int)json_read_int(t, "random_plies", 0, MATCH_MAX_PLIES);
	p->max_plies = (int)json_read_int(t, "max_plies", 0, MATCH_MAX_PLIES);
	p->threads = (int)json_read_int(t, "threads", 0, 256);
	p->hash_mb = (int)json_read_int(t, "hash", 0, 1 << 20);
	p->sprt = json_read_text(t, "sprt");
	read_clock(t, &p->clock);
	read_adjudication(t, &p->adjudication);
	const json_t *players = json_read_list(t, "players", MATCH_MAX_PLAYERS);
	const json_t *openings = json_read_list(t, "openings", MATCH_MAX_GAMES);
	const size_t player_count = json_array_size(players);
	const size_t opening_count = json_array_size(openings);
	p->player_count = (int)player_count;
	p->opening_count = (int)opening_count;
	p->players = h->players = mem_new(h->allocator, player_count, sizeof *h->players);
	p->openings = h->openings = mem_new(h->allocator, opening_count, sizeof *h->openings);
	if (!h->players || !h->openings) {
		t->status = QV_NO_MEMORY;
		return;
	}
	for (size_t i = 0; i < player_count; i++)
		read_texts(t, json_array_get(players, i), "name", &h->players[i].name, "spec",
			   &h->players[i].spec);
	for (size_t i = 0; i < opening_count; i++)
		read_texts(t, json_array_get(openings, i), "position", &h->openings[i].position,
			   "moves", &h->openings[i].moves);
}

enum qv_status header_read(const struct qv_context *context, json_t *header,
			   struct header_plan *out, struct qv_error *error)
{
	struct header_plan h = { .allocator = context_allocator(context),
				 .source = json_incref(header) };
	struct json_reader top = { header, QV_OK, error };
	json_read_int(&top, "quevedo", JOURNAL_FORMAT, JOURNAL_FORMAT);
	struct json_reader t = { json_object_get(header, "match"), top.status, error };
	const char *game = json_read_text(&t, "game");
	if (t.status == QV_OK)
		t.status = qv_rules_parse(context, game, &h.plan.rules, error);
	if (t.status == QV_OK)
		read_plan(&t, &h);
	if (t.status == QV_NO_MEMORY)
		no_memory(error);
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
