/*
 * terms.c - what a game tells of a position, as JSON and as lines of text.
 * SPDX-License-Identifier: MIT
 */
#include "formats/terms.h"

#include "base/json.h"

bool notions_are_told(const struct qv_game *game)
{
	return game->board && game->board->notions;
}

/* What is told, with the board whose cells it names. 65 kB. */
struct told {
	struct qv_notion list[QV_MAX_NOTIONS];
	int count;
	struct qv_layout layout;
};

static void ask(struct told *t, const struct qv_rules *rules, const void *state)
{
	memset(t, 0, sizeof *t);
	rules->game->board->layout(rules->options, &t->layout);
	t->count = rules->game->board->notions(state, t->list, QV_MAX_NOTIONS);
}

static json_t *notion_json(const struct told *t, const struct qv_notion *n, enum notion_cells how)
{
	json_t *cells = json_array();
	for (int i = 0; i < n->cell_count; i++)
		cells = json_item(cells, how == NOTION_CELL_NAMES
						 ? json_text(t->layout.cells[n->cells[i]].name)
						 : json_integer(n->cells[i]));
	json_t *o = json_field(json_object(), "name", json_text(n->name));
	o = json_field(o, "seat", n->seat < 0 ? json_null() : json_integer(n->seat + 1));
	o = json_field(o, "value", json_integer(n->value));
	o = json_field(o, "cells", cells);
	o = json_field(o, "mark", json_text(n->mark));
	return json_field(o, "text", json_text(n->text));
}

json_t *notions_json(const struct qv_rules *rules, const void *state, enum notion_cells cells)
{
	struct told t;
	if (!notions_are_told(rules->game))
		return json_null();
	ask(&t, rules, state);
	json_t *list = json_array();
	for (int i = 0; i < t.count; i++)
		list = json_item(list, notion_json(&t, &t.list[i], cells));
	return list;
}

void notions_text(const struct qv_rules *rules, const void *state, struct string *out)
{
	struct told t;
	if (!notions_are_told(rules->game))
		return;
	ask(&t, rules, state);
	for (const struct qv_notion *n = t.list; n < t.list + t.count; n++) {
		if (n->seat < 0)
			string_addf(out, "notion nobody");
		else
			string_addf(out, "notion seat %d", n->seat + 1);
		string_addf(out, "  %s %d  ", n->name, n->value);
		for (int i = 0; i < n->cell_count; i++)
			string_addf(out, "%s%s", i ? ", " : "", t.layout.cells[n->cells[i]].name);
		string_addf(out, "%s  %s\n", n->cell_count ? "" : "-", n->text);
	}
}
