/*
 * evaluation_json.c - the static evaluation of a position as JSON.
 * SPDX-License-Identifier: MIT
 *
 * An evaluation counts, but does not say where. So the squares of a term are found by trial: the
 * board's editor (set_up) makes the position without one of its cells, and every term whose count
 * for a seat is different then has that cell. It works for every game with an editor, and costs one
 * evaluation for each cell with pieces.
 *
 * The editor may set what is not on the board (castling rights, counters) as it likes, so the
 * counts are compared with those of the whole position as the editor makes it. If it refuses a
 * position, it is tried with the other seat to move. If it refuses that, too (a king is missing, a
 * disc would float), the cell is left out.
 */
#include "formats/evaluation_json.h"

#include <stdlib.h>

#include "base/json.h"
#include "core/context.h"

struct term_name term_name(const struct qv_evaluation *evaluation, const struct qv_term *term)
{
	struct term_name name = { "" };
	const struct qv_weight *w = evaluation->names;
	while (term->place >= 0 && w && w->name &&
	       (term->place < w->first || term->place >= w->first + w->count))
		w++;
	if (term->place < 0 || !w || !w->name)
		snprintf(name.text, sizeof name.text, "%s", term->name ? term->name : "");
	else if (w->count == 1)
		snprintf(name.text, sizeof name.text, "%s", w->name);
	else
		snprintf(name.text, sizeof name.text, "%.40s[%d]", w->name,
			 term->place - w->first + 1);
	return name;
}

struct counted {
	struct qv_term list[QV_MAX_TERMS];
	int count;
};

/* Everything that the trials need; large, so it is allocated. */
struct trial {
	const struct qv_rules *rules;
	const struct qv_evaluation *evaluation;
	const void *weights;
	struct qv_standing all[QV_MAX_CELLS], some[QV_MAX_CELLS];
	struct qv_layout layout;
	struct counted own;	 /* of the position itself */
	struct counted whole[2]; /* of what the editor makes of it, for each seat to move */
	struct counted without;
	void *state;
};

/* Counts in the position of the first `count` pieces of t->some. False: the editor refuses it. */
static bool count_set_up(struct trial *t, int count, int seat, struct counted *out)
{
	const struct qv_game *game = t->rules->game;
	struct qv_error why;
	if (game->board->set_up(t->rules->options, t->some, count, seat, t->state, &why) != QV_OK ||
	    game->seat(t->state) != seat)
		return false;
	out->count =
		evaluation_terms(game, t->evaluation, t->weights, t->state, out->list);
	return true;
}

/* Whether a term counts otherwise in another position. A term that is not listed counts nothing. */
static bool differs(const struct qv_term *term, const struct counted *from,
		    const struct counted *to)
{
	const struct counted *const in[] = { from, to };
	int32_t counts[2][QV_MAX_SEATS] = { 0 };
	for (int k = 0; k < 2; k++)
		for (const struct qv_term *t = in[k]->list; t < in[k]->list + in[k]->count; t++)
			if (t->place == term->place &&
			    (t->place >= 0 || strcmp(t->name, term->name) == 0))
				memcpy(counts[k], t->counts, sizeof counts[k]);
	return memcmp(counts[0], counts[1], sizeof counts[0]) != 0;
}

/* Appends the cell to the list of each term that counts otherwise without its pieces. */
static void try_cell(struct trial *t, int standing, int left_out, int seat, json_t **lists,
		     enum term_cells cells)
{
	const int cell = t->all[left_out].cell;
	int kept = 0, mover = seat;
	for (int i = 0; i < standing; i++)
		if (i != left_out)
			t->some[kept++] = t->all[i];
	bool made = count_set_up(t, kept, mover, &t->without);
	if (!made && t->rules->game->seats == 2) {
		mover = 1 - seat;
		made = count_set_up(t, kept, mover, &t->without);
	}
	for (int i = 0; made && i < t->own.count; i++)
		if (differs(&t->own.list[i], &t->whole[mover != seat], &t->without))
			lists[i] = json_item(lists[i], cells == TERM_CELL_NAMES ?
							       json_text(t->layout.cells[cell].name) :
							       json_integer(cell));
}

/* Fills the list of cells of each term. */
static void find_cells(struct trial *t, const void *state, json_t **lists, enum term_cells cells)
{
	const struct qv_game *game = t->rules->game;
	const int seat = game->seat(state);
	const int standing = game->board->stand(state, t->all);
	board_layout(t->rules, &t->layout);
	for (int other = 0; other < 2; other++) {
		memcpy(t->some, t->all, sizeof t->all);
		if ((other && game->seats != 2) ||
		    !count_set_up(t, standing, other ? 1 - seat : seat, &t->whole[other]))
			t->whole[other] = t->own;
	}
	for (int i = 0; i < standing; i++)
		try_cell(t, standing, i, seat, lists, cells);
}

static json_t *term_json(const struct trial *t, const struct qv_term *term, const char *key,
			 json_t *cells)
{
	json_t *counts = json_array();
	for (int seat = 0; seat < t->rules->game->seats; seat++)
		counts = json_item(counts, json_integer(term->counts[seat]));
	return json_pack("{s:s, s:o, s:o, s:f, s:I, s:o}", "name",
			 term_name(t->evaluation, term).text, "counts", counts, "weight",
			 term->place < 0 ? json_null() :
					   json_integer(((const int32_t *)t->weights)[term->place]),
			 "share", term->share, "value", (json_int_t)term->value, key, cells);
}

json_t *evaluation_json(const struct qv_rules *rules, const struct qv_evaluation *evaluation,
			const void *weights, const void *state, enum term_cells cells)
{
	const struct qv_game *game = rules->game;
	const bool edits = game->board && game->board->set_up;
	const char *key = cells == TERM_CELL_NAMES ? "squares" : "cells";
	struct trial *t = calloc(1, sizeof *t);
	json_t **lists = calloc(QV_MAX_TERMS, sizeof *lists), *terms = json_array();
	void *scratch = malloc(game->state_size);
	if (t && lists && scratch) {
		t->rules = rules;
		t->evaluation = evaluation;
		t->weights = weights;
		t->state = scratch;
		t->own.count = evaluation_terms(game, evaluation, weights, state, t->own.list);
		for (int i = 0; i < t->own.count; i++)
			lists[i] = edits ? json_array() : json_null();
		if (edits && t->own.count)
			find_cells(t, state, lists, cells);
		for (int i = 0; i < t->own.count; i++)
			terms = json_item(terms, term_json(t, &t->own.list[i], key, lists[i]));
	} else {
		json_decref(terms);
		terms = NULL;
	}
	free(scratch);
	free(lists);
	free(t);
	return json_pack("{s:i, s:s, s:i, s:o}", "seat", game->seat(state) + 1, "eval",
			 evaluation->name, "value", (int)evaluation->evaluate(state, weights),
			 "terms", terms);
}
