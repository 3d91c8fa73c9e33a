/*
 * terms.h - what a game tells of a position, for pages and for people.
 * SPDX-License-Identifier: MIT
 */
#ifndef FORMATS_TERMS_H
#define FORMATS_TERMS_H

#include <jansson.h>

#include "base/text.h"

/* Whether the game tells any notions, of whatever position. */
bool notions_are_told(const struct qv_game *game);

enum notion_cells { NOTION_CELL_NUMBERS, NOTION_CELL_NAMES };

/*
 * [{"name", "seat" (from 1; null: nobody's), "value", "cells", "mark", "text"}]; JSON null for a
 * game that tells none. It belongs to the caller; NULL: no memory.
 */
json_t *notions_json(const struct qv_rules *rules, const void *state, enum notion_cells cells);

/*
 * A line for each: "notion seat 1  mobility 4  d3, c4, f5, e6  SENTENCE", with "nobody" for a seat
 * where it is nobody's, and "-" for no cells. Whether memory sufficed, out->failed says.
 */
void notions_text(const struct qv_rules *rules, const void *state, struct string *out);

#endif
