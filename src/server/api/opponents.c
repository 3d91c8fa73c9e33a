/*
 * opponents.c - the computer opponents of a game: ladders of levels, and the names of their seats.
 * SPDX-License-Identifier: MIT
 *
 * A ladder is a list of levels from weakest to strongest. Every game has its own; some have the two
 * of the Lurgee framework as well.
 */
#include "server/api/opponents.h"

#include <stdio.h>

#include "core/context.h"
#include "core/player.h"

enum { NAME_ROOM = 64 };

/* In the order in which the page offers them. */
static const struct {
	const char *name, *title, *help; /* ladder=NAME */
	const char *before, *after;	 /* of a level's number, in its name */
} ladders[] = {
	[LADDER_OWN] = { "own", "Own levels", "this program's players, from beginner to strongest",
			 "level", "" },
	[LADDER_LURGEE] = { "lurgee", "Lurgee (documents)",
			    "the Lurgee framework's levels, as its documents describe them",
			    "Lurgee level", " (documents)" },
	[LADDER_LURGEE22] = { "lurgee22", "Lurgee (release)",
			      "the same levels, as its release 2.2 plays them", "Lurgee level",
			      " (release)" },
};

enum { LADDERS = sizeof ladders / sizeof *ladders };

static void level_name(int ladder, int64_t level, char *out, size_t size)
{
	snprintf(out, size, "%s %lld%s", ladders[ladder].before, (long long)level,
		 ladders[ladder].after);
}

static json_t *level_json(int ladder, int level, const char *player)
{
	char name[NAME_ROOM], spec[NAME_ROOM];
	level_name(ladder, level, name, sizeof name);
	snprintf(spec, sizeof spec, "level:%d%s%s", level, ladder == LADDER_OWN ? "" : ",ladder=",
		 ladder == LADDER_OWN ? "" : ladders[ladder].name);
	return json_pack("{s:s, s:s, s:s}", "spec", spec, "name", name, "player", player);
}

static json_t *ladder_json(int ladder, const char *const *players)
{
	json_t *levels = json_array();
	for (int i = 0; players[i]; i++)
		json_array_append_new(levels, level_json(ladder, i + 1, players[i]));
	return json_pack("{s:s, s:s, s:s, s:o}", "name", ladders[ladder].name, "title",
			 ladders[ladder].title, "help", ladders[ladder].help, "levels", levels);
}

json_t *ladders_json(const struct qv_game *game)
{
	json_t *list = json_array();
	for (int i = 0; i < LADDERS; i++)
		if (ladder_levels(game, i))
			json_array_append_new(list, ladder_json(i, ladder_levels(game, i)));
	return list;
}

void opponent_name(const char *spec, char *out, size_t size)
{
	const struct qv_defaults defaults = { .seed = 1, .threads = 1, .hash_mb = 1 };
	struct settings set;
	char name[NAME_ROOM];
	if (spec_parse(spec, &defaults, &set, NULL) != QV_OK || set.kind != &level_kind) {
		snprintf(out, size, "%s", spec);
		return;
	}
	level_name((int)level_settings(&set)->ladder, level_settings(&set)->level, name,
		   sizeof name);
	snprintf(out, size, "%s%s", name, *set.book ? " with a book" : "");
}
