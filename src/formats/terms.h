/*
 * terms.h - the terms of a position (features such as mobility or threats) as JSON and as text.
 * SPDX-License-Identifier: MIT
 *
 * The game computes them with the function `notions` of its board; QV_MAX_NOTIONS limits their
 * number.
 */
#ifndef FORMATS_TERMS_H
#define FORMATS_TERMS_H

#include <jansson.h>

#include "base/text.h"

/* Whether the game has terms. */
bool game_has_terms(const struct qv_game *game);

enum term_cells { TERM_CELL_NUMBERS, TERM_CELL_NAMES };

/*
 * [{"name", "seat" (from 1; null: nobody's), "value", "cells", "mark", "text"}]; JSON null for a
 * game without terms. The caller releases it; NULL: not enough memory.
 */
json_t *terms_json(const struct qv_rules *rules, const void *state, enum term_cells cells);

/*
 * Appends a line for each term: "notion seat 1  mobility 4  d3, c4, f5, e6  SENTENCE", with
 * "nobody" instead of the seat if it belongs to neither, and "-" for no cells. If memory runs out,
 * out->failed is set.
 */
void terms_text(const struct qv_rules *rules, const void *state, struct string *out);

#endif
