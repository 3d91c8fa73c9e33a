/*
 * rules.c - a game by its name, with its options: NAME[:key=value,...].
 * SPDX-License-Identifier: MIT
 *
 * Names and aliases are compared without regard to letter case. An unknown name or key gets a
 * suggestion, because these texts are typed by users.
 */
#include "base/options.h"
#include "core/context.h"

enum { NAME_ROOM = 64 };

/* Finds a game by its name or an alias. If no name matches, the error suggests the nearest. */
static enum qv_status find_game(const struct qv_context *context, const char *name,
				const struct qv_game **out, struct qv_error *error)
{
	struct text_nearest near = text_nearest_to(name);
	for (int i = 0; (*out = qv_game_at(context, i)); i++) {
		if (text_same((*out)->name, name))
			return QV_OK;
		text_nearest_try(&near, (*out)->name);
		/* Aliases are separated by blanks. */
		const char *list = (*out)->aliases ? (*out)->aliases : "";
		for (list += strspn(list, " "); *list; list += strspn(list, " ")) {
			char alias[NAME_ROOM];
			const size_t length = strcspn(list, " ");
			snprintf(alias, sizeof alias, "%.*s", length < NAME_ROOM ? (int)length : 0,
				 list);
			list += length;
			if (text_same(alias, name))
				return QV_OK;
			const int before = near.distance;
			text_nearest_try(&near, alias);
			/* The alias is a local copy; suggest the name instead. */
			if (near.distance < before)
				near.best = (*out)->name;
		}
	}
	return qv_fail(error, QV_UNKNOWN, "game '%.40s': no such game%s", name,
		       near.best ? suggest(&near).text : "; 'quevedo games' lists them");
}

const struct qv_game *qv_game_find(const struct qv_context *context, const char *name)
{
	const struct qv_game *game;
	return find_game(context, name, &game, NULL) == QV_OK ? game : NULL;
}

/* The game's options as rows of a table whose values are struct qv_rules. */
static void make_rows(const struct qv_game *game, struct option rows[QV_MAX_OPTIONS + 1])
{
	int count = 0;
	for (const struct qv_option *o = game->options; o && o->name && count < QV_MAX_OPTIONS;
	     o++) {
		const size_t at =
			offsetof(struct qv_rules, options) + (size_t)count * sizeof(int64_t);
		rows[count++] = (struct option){
			.name = o->name, .type = o->choices ? OPTION_CHOICE : OPTION_INT,
			.at = at, .size = sizeof(int64_t), .min = o->min, .max = o->max,
			.def = o->preset, .choices = o->choices
		};
	}
	rows[count] = (struct option){ 0 };
}

enum qv_status qv_rules_parse(const struct qv_context *context, const char *text,
			      struct qv_rules *out, struct qv_error *error)
{
	char copy[512], owner[NAME_ROOM];
	struct option rows[QV_MAX_OPTIONS + 1];
	struct qv_rules rules = { 0 };
	struct options o = { .groups = OPTION_GROUPS(rows), .values = &rules, .owner = owner };
	if (strlen(text) >= sizeof copy)
		return qv_fail(error, QV_BAD_INPUT, "game: longer than %zu characters",
			       sizeof copy - 1);
	strcpy(copy, text);
	/* The name ends at the colon; options follow. */
	char *items = strchr(copy, ':');
	if (items)
		*items++ = '\0';
	enum qv_status status = find_game(context, copy, &rules.game, error);
	if (status != QV_OK)
		return status;
	snprintf(owner, sizeof owner, "game %.40s", rules.game->name);
	make_rows(rules.game, rows);
	options_init(&o);
	if (items && !*items)
		return qv_fail(error, QV_BAD_INPUT, "%s: nothing follows the colon", owner);
	status = items ? options_parse(&o, items, error) : QV_OK;
	if (status == QV_OK)
		*out = rules;
	return status;
}

/* Writes only the options that differ from their defaults, so that equal rules have equal texts. */
void qv_rules_text(const struct qv_rules *rules, struct qv_text *out)
{
	struct option rows[QV_MAX_OPTIONS + 1];
	char mark = ':';
	qv_put(out, rules->game->name);
	make_rows(rules->game, rows);
	for (int i = 0; rows[i].name; i++) {
		if (rules->options[i] == rows[i].def)
			continue;
		qv_put_char(out, mark);
		mark = ',';
		qv_put(out, rows[i].name);
		qv_put_char(out, '=');
		option_write(&rows[i], rules, out);
	}
}
