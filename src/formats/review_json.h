/*
 * review_json.h - the review of a game as JSON.
 * SPDX-License-Identifier: MIT
 */
#ifndef FORMATS_REVIEW_JSON_H
#define FORMATS_REVIEW_JSON_H

#include <jansson.h>

#include "record/review.h"

/*
 * {"game", "sides", "accuracy", "unit", "start", "plies"}: Review of types.ts and docs/formats.md. The
 * review is of this record, whose cursor is at the same place. NULL: out of memory.
 */
json_t *review_json(const struct qv_context *context, const struct qv_record *record,
		    const struct review *review);

#endif
