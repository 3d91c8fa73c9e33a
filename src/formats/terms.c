/*
 * terms.c - the terms of a position as JSON and as lines of text.
 * SPDX-License-Identifier: MIT
 *
 * Both need the layout of the board for the names of cells. The 65 kB of both structures are on the
 * stack, since the functions are called for single positions only.
 */
#include "formats/terms.h"

#include "base/json.h"

bool game_has_terms(const struct qv_game *game)
{
	return game->board && game->board->notions;
}

/* The terms of a position, and the board whose cells they name. 65 kB. */
struct term_list {
	struct qv_notion list[QV_MAX_NOTIONS];
	int count;
	struct qv_layout layout;
};

static void list_terms(struct term_list *t, const struct qv_rules *rules, const void *state)
{
	memset(t, 0, sizeof *t);
	rules->game->board->layout(rules->options, &t->layout);
	t->count = rules->game->board->notions(state, t->list, QV_MAX_NOTIONS);
}

static json_t *term_json(const struct term_list *t, const struct qv_notion *n, enum term_cells how)
{
	json_t *cells = json_array();
	for (int i = 0; i < n->cell_count; i++)
		cells = json_item(cells, how == TERM_CELL_NAMES
						 ? json_text(t->layout.cells[n->cells[i]].name)
						 : json_integer(n->cells[i]));
	json_t *o = json_field(json_object(), "name", json_text(n->name));
	o = json_field(o, "seat", n->seat < 0 ? json_null() : json_integer(n->seat + 1));
	o = json_field(o, "value", json_integer(n->value));
	o = json_field(o, "cells", cells);
	o = json_field(o, "mark", json_text(n->mark));
	return json_field(o, "text", json_text(n->text));
}

json_t *terms_json(const struct qv_rules *rules, const void *state, enum term_cells cells)
{
	struct term_list t;
	if (!game_has_terms(rules->game))
		return json_null();
	list_terms(&t, rules, state);
	json_t *list = json_array();
	for (int i = 0; i < t.count; i++)
		list = json_item(list, term_json(&t, &t.list[i], cells));
	return list;
}

void terms_text(const struct qv_rules *rules, const void *state, struct string *out)
{
	struct term_list t;
	if (!game_has_terms(rules->game))
		return;
	list_terms(&t, rules, state);
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
