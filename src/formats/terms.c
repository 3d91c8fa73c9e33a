/*
 * terms.c - the terms of a position as JSON and as lines of text.
 * SPDX-License-Identifier: MIT
 *
 * Both need the layout of the board for the names of cells. The 65 kB of both structures are on the
 * stack, since the functions are called for single positions only.
 */
#include "formats/terms.h"

#include "base/json.h"
#include "core/context.h"

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

/* The game must have terms. The layout is cleared first, as its function expects it. */
static void list_terms(struct term_list *t, const struct qv_rules *rules, const void *state)
{
	memset(t, 0, sizeof *t);
	board_layout(rules, &t->layout);
	t->count = rules->game->board->notions(state, t->list, QV_MAX_NOTIONS);
}

json_t *terms_json(const struct qv_rules *rules, const void *state, enum term_cells cells)
{
	struct term_list t;
	if (!game_has_terms(rules->game))
		return json_null();
	list_terms(&t, rules, state);
	json_t *list = json_array();
	for (const struct qv_notion *n = t.list; n < t.list + t.count; n++) {
		json_t *places = json_array();
		for (int i = 0; i < n->cell_count; i++)
			places = json_item(places,
					   cells == TERM_CELL_NAMES
						   ? json_text(t.layout.cells[n->cells[i]].name)
						   : json_integer(n->cells[i]));
		list = json_item(list,
				 json_pack("{s:o, s:o, s:i, s:o, s:o, s:o}", "name",
					   json_text(n->name), "seat",
					   n->seat < 0 ? json_null() : json_integer(n->seat + 1),
					   "value", n->value, "cells", places, "mark",
					   json_text(n->mark), "text", json_text(n->text)));
	}
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
