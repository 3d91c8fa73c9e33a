/*
 * rules.c - NAME[:key=value,...]: a game by its name, with its options.
 * SPDX-License-Identifier: MIT
 */
#include "base/scan.h"
#include "base/text.h"
#include "core/context.h"

enum { NAME_ROOM = 64 };

/* The next word of a blank-separated list into word; false: no more. */
static bool next_alias(const char **list, char word[NAME_ROOM])
{
	if (!*list)
		return false;
	*list += strspn(*list, " ");
	const size_t length = strcspn(*list, " ");
	snprintf(word, NAME_ROOM, "%.*s", length < NAME_ROOM ? (int)length : 0, *list);
	*list += length;
	return length > 0;
}

/*
 * Whether that is the game's name or one of its aliases; those that are not are tried for nearness.
 */
static bool is_called(const struct qv_game *game, const char *name, struct text_nearest *near)
{
	char alias[NAME_ROOM];
	if (text_same(game->name, name))
		return true;
	text_nearest_try(near, game->name);
	for (const char *list = game->aliases; next_alias(&list, alias);) {
		if (text_same(alias, name))
			return true;
		const int before = near->distance;
		text_nearest_try(near, alias);
		if (near->distance < before)
			near->best = game->name; /* the alias is about to go; the name is as good */
	}
	return false;
}

static enum qv_status find_game(const struct qv_context *context, const char *name,
				const struct qv_game **out, struct qv_error *error)
{
	struct text_nearest near = text_nearest_to(name);
	for (int i = 0; qv_game_at(context, i); i++)
		if (is_called(qv_game_at(context, i), name, &near)) {
			*out = qv_game_at(context, i);
			return QV_OK;
		}
	if (near.best)
		return qv_fail(error, QV_UNKNOWN, "game '%.40s': no such game; did you mean '%s'?",
			       name, near.best);
	return qv_fail(error, QV_UNKNOWN, "game '%.40s': no such game; 'quevedo games' lists them",
		       name);
}

static enum qv_status set_option(struct qv_rules *rules, int place, const char *value,
				 struct qv_error *error)
{
	const struct qv_option *o = &rules->game->options[place];
	if (o->choices) {
		const int choice = scan_choice(o->choices, value);
		if (choice < 0)
			return qv_fail(error, QV_BAD_INPUT, "%s=%.40s: one of %s is expected",
				       o->name, value, o->choices);
		rules->options[place] = choice;
		return QV_OK;
	}
	if (!text_to_int(value, o->min, o->max, &rules->options[place]))
		return qv_fail(error, QV_BAD_INPUT,
			       "%s=%.40s: a number from %lld to %lld is expected", o->name, value,
			       (long long)o->min, (long long)o->max);
	return QV_OK;
}

static enum qv_status read_option(struct qv_rules *rules, char *item, unsigned *seen,
				  struct qv_error *error)
{
	const struct qv_game *game = rules->game;
	struct text_nearest near = text_nearest_to(item);
	char *value = item;
	scan_cut(&value, '=');
	if (!value)
		return qv_fail(error, QV_BAD_INPUT, "game %s: option '%.40s' is not key=value",
			       game->name, item);
	for (int i = 0; game->options && game->options[i].name; i++) {
		if (strcmp(game->options[i].name, item) == 0) {
			if (*seen >> i & 1)
				return qv_fail(error, QV_BAD_INPUT, "game %s: %s is given twice",
					       game->name, item);
			*seen |= 1U << i;
			return set_option(rules, i, value, error);
		}
		text_nearest_try(&near, game->options[i].name);
	}
	if (near.best)
		return qv_fail(error, QV_UNKNOWN,
			       "game %s: it has no option '%.40s'; did you mean '%s'?", game->name,
			       item, near.best);
	return qv_fail(error, QV_UNKNOWN, "game %s: it has no option '%.40s'", game->name, item);
}

enum qv_status qv_rules_parse(const struct qv_context *context, const char *text,
			      struct qv_rules *out, struct qv_error *error)
{
	char copy[512];
	if (strlen(text) >= sizeof copy)
		return qv_fail(error, QV_BAD_INPUT, "game: longer than %zu characters",
			       sizeof copy - 1);
	strcpy(copy, text);
	char *items = copy;
	scan_cut(&items, ':');
	struct qv_rules rules = { 0 };
	unsigned seen = 0;
	enum qv_status status = find_game(context, copy, &rules.game, error);
	if (status != QV_OK)
		return status;
	for (int i = 0; rules.game->options && rules.game->options[i].name; i++)
		rules.options[i] = rules.game->options[i].preset;
	while (items && status == QV_OK)
		status = read_option(&rules, scan_cut(&items, ','), &seen, error);
	if (status == QV_OK)
		*out = rules;
	return status;
}

static void put_choice(const char *choices, int64_t place, struct qv_text *out)
{
	while (place-- > 0 && strchr(choices, '|'))
		choices = strchr(choices, '|') + 1;
	while (*choices && *choices != '|')
		qv_put_char(out, *choices++);
}

void qv_rules_text(const struct qv_rules *rules, struct qv_text *out)
{
	char mark = ':';
	qv_put(out, rules->game->name);
	for (int i = 0; rules->game->options && rules->game->options[i].name; i++) {
		const struct qv_option *o = &rules->game->options[i];
		if (rules->options[i] == o->preset)
			continue;
		qv_put_char(out, mark);
		mark = ',';
		qv_put(out, o->name);
		qv_put_char(out, '=');
		if (o->choices)
			put_choice(o->choices, rules->options[i], out);
		else
			qv_put_int(out, rules->options[i]);
	}
}
