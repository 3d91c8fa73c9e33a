/*
 * evaluation_json.h - the static evaluation of a position as JSON, with the squares of each term.
 * SPDX-License-Identifier: MIT
 */
#ifndef FORMATS_EVALUATION_JSON_H
#define FORMATS_EVALUATION_JSON_H

#include "formats/terms.h"
#include "search/evaluation.h"

/* The name of a term, as weights are named: "threat", or "corner[2]" in a group of several. */
struct term_name {
	char text[64];
};
struct term_name term_name(const struct qv_evaluation *evaluation, const struct qv_term *term);

/*
 * {"seat", "eval", "value", "terms": [{"name", "counts", "weight", "share", "value", KEY}]}, where
 * KEY is "squares" for names of cells and "cells" for numbers. They are the cells whose pieces,
 * when they are removed, change a count of the term; see the source file. Null: the game has no
 * position editor. The values are for the seat to move. NULL: out of memory. A player is to move.
 */
json_t *evaluation_json(const struct qv_rules *rules, const struct qv_evaluation *evaluation,
			const void *weights, const void *state, enum term_cells cells);

#endif
