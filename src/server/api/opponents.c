/*
 * opponents.c - the computer opponents of a game: ladders, classic opponents, names of seats.
 * SPDX-License-Identifier: MIT
 *
 * A ladder is a list of levels of computer opponents from weakest to strongest. Every game has its
 * own; some have the two of the Lurgee framework as well.
 */
#include <stdlib.h>

#include "base/json.h"
#include "core/context.h"
#include "core/player.h"
#include "server/api/game_json.h"

/* ---- Ladders ---- */

enum { NAME_ROOM = 64 };

/* In the order in which the page offers them. */
static const struct {
	const char *name, *title, *help; /* ladder=NAME */
	const char *before;		 /* a level's number, in its name; NULL: see level_name */
} ladders[] = {
	[LADDER_OWN] = { "own", "Own levels", "Quevedo's own players, from beginner to strongest",
			 NULL },
	[LADDER_LURGEE] = { "lurgee", "Lurgee, a Java program of 2006",
			    "the levels of Lurgee, a Java program of 2006, as its documents "
			    "describe them",
			    "Lurgee level" },
	[LADDER_LURGEE22] = { "lurgee22", "Lurgee 2.2, its release of 2007",
			      "the same levels, as Lurgee's release 2.2 of 2007 plays them",
			      "Lurgee 2.2 level" },
};

enum { LADDERS = sizeof ladders / sizeof *ladders };

/* "Casual 2", "Lurgee level 6": what the page shows. */
static void name_level(const struct qv_game *game, int ladder, int64_t level, char out[NAME_ROOM])
{
	_Static_assert((int)LEVEL_NAME <= (int)NAME_ROOM, "no room for the name of a level");
	if (ladder == LADDER_OWN)
		level_name(game, level, out);
	else
		snprintf(out, NAME_ROOM, "%s %lld", ladders[ladder].before, (long long)level);
}

/* The spec of a level names the ladder only if it is not the game's own. */
json_t *ladders_json(const struct qv_game *game)
{
	json_t *list = json_array();
	for (int i = 0; i < LADDERS; i++) {
		const char *const *players = ladder_levels(game, i);
		char name[NAME_ROOM], spec[NAME_ROOM];
		if (!players)
			continue;
		json_t *levels = json_array();
		for (int level = 1; players[level - 1]; level++) {
			name_level(game, i, level, name);
			snprintf(spec, sizeof spec, "level:%d%s%s", level,
				 i == LADDER_OWN ? "" : ",ladder=",
				 i == LADDER_OWN ? "" : ladders[i].name);
			json_array_append_new(levels,
					      json_pack("{s:s, s:s, s:s}", "spec", spec, "name",
							name, "player", players[level - 1]));
		}
		json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:o}", "name",
						      ladders[i].name, "title", ladders[i].title,
						      "help", ladders[i].help, "levels", levels));
	}
	return list;
}

/* ---- Classic opponents ---- */

/* A setting of a classic opponent, in the form of a game's option. values: "a|b|c"; "": any. */
static json_t *setting_json(const struct option *row, const struct settings *set,
			    const char *values)
{
	char value[NAME_ROOM] = "";
	struct qv_text out = { value, sizeof value, 0 };
	json_t *choices = *values ? json_array() : json_null();
	option_write(row, set, &out);
	while (*values) {
		const size_t length = strcspn(values, "|");
		choices = json_item(choices, json_stringn(values, length));
		values += length + (values[length] == '|');
	}
	const bool number = json_is_null(choices);
	return json_pack("{s:s, s:s, s:o, s:I, s:I, s:o}", "name", row->name, "help", row->help,
			 "choices", choices, "min", (json_int_t)row->min, "max",
			 (json_int_t)(row->type == OPTION_SWITCH ? 1 : row->max), "preset",
			 number ? json_integer(strtoll(value, NULL, 10)) : json_string(value));
}

/* The settings that its keys name. */
static json_t *settings_json(const struct classic *c, const struct settings *set)
{
	const struct options all = { .groups = set->kind->options };
	json_t *list = json_array();
	for (const char *key = c->keys ? c->keys : ""; *key;) {
		const size_t length = strcspn(key, " ");
		char name[NAME_ROOM];
		snprintf(name, sizeof name, "%.*s", (int)length, key);
		char *values = name + strcspn(name, "=");
		if (*values)
			*values++ = '\0';
		list = json_item(list, setting_json(options_find(&all, name, NULL), set, values));
		key += length + strspn(key + length, " ");
	}
	return list;
}

json_t *classics_json(const struct qv_game *game)
{
	json_t *list = json_array();
	for (const struct classic *c = context_engine(game)->classics; c && c->spec; c++) {
		struct settings set;
		if (spec_parse(c->spec, NULL, &set, NULL) != QV_OK)
			continue;
		const char *ladder =
			set.kind == &level_kind ? ladders[level_settings(&set)->ladder].name : NULL;
		list = json_item(list,
				 json_pack("{s:s, s:s, s:s, s:s, s:s?, s:o, s:s?, s:o, s:b}",
					   "spec", c->spec, "title", c->title, "by", c->by, "about",
					   c->about, "ladder", ladder, "settings",
					   settings_json(c, &set), "position", c->position, "seat",
					   c->seat ? json_integer(c->seat) : json_null(), "memory",
					   (int)c->memory));
	}
	return list;
}

/*
 * The classic opponent with this spec, or else the only one of its kind, with other settings; NULL:
 * none. Levels have names of their own.
 */
static const struct classic *classic_of(const struct qv_game *game, const char *spec,
					const struct settings *set)
{
	const struct classic *c = context_engine(game)->classics, *same_kind = NULL;
	int count = 0;
	for (; c && c->spec; c++) {
		const size_t length = strlen(set->kind->name);
		if (strcmp(c->spec, spec) == 0)
			return c;
		if (strncmp(c->spec, set->kind->name, length) == 0 &&
		    (!c->spec[length] || c->spec[length] == ':')) {
			same_kind = c;
			count++;
		}
	}
	return count == 1 ? same_kind : NULL;
}

/* ---- Seats ---- */

/* A level or a classic opponent has a name; any other spec is its own name. */
void hosted_seat_name(const struct qv_game *game, const struct hosted_seat *seat,
		      char out[HOSTED_SPEC_ROOM])
{
	const struct qv_defaults defaults = {
		.size = sizeof defaults, .seed = 1, .threads = 1, .hash_mb = 1
	};
	struct settings set;
	char name[NAME_ROOM];
	const bool known = seat->kind == SEAT_COMPUTER &&
			   spec_parse(seat->spec, &defaults, &set, NULL) == QV_OK;
	const struct classic *classic = known ? classic_of(game, seat->spec, &set) : NULL;
	if (known && set.kind == &level_kind) {
		name_level(game, (int)level_settings(&set)->ladder, level_settings(&set)->level,
			   name);
		snprintf(out, HOSTED_SPEC_ROOM, "%s%s", name, *set.book ? " with a book" : "");
		return;
	}
	if (classic) {
		/* With the settings, if they are not those of the list. */
		const char *items = seat->spec + strcspn(seat->spec, ":");
		const bool usual = !*items || strcmp(seat->spec, classic->spec) == 0;
		snprintf(out, HOSTED_SPEC_ROOM, "%s%s%.120s%s", classic->title, usual ? "" : " (",
			 usual ? "" : items + 1, usual ? "" : ")");
		return;
	}
	snprintf(out, HOSTED_SPEC_ROOM, "%s",
		 seat->kind == SEAT_COMPUTER ? seat->spec
		 : seat->kind == SEAT_PERSON ? seat->name
					     : "");
}
