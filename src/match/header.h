/*
 * header.h - the plan as JSON: the first line of a journal.
 * SPDX-License-Identifier: MIT
 */
#ifndef MATCH_HEADER_H
#define MATCH_HEADER_H

#include "base/json.h"
#include "match/match.h"

/* The plan as {"quevedo":1,"match":{...}}; NULL: out of memory, or a text is not UTF-8. */
json_t *header_of_plan(const struct match_plan *plan);

/* A plan that was read from a header; its texts are in `source`. {0} is a valid empty one. */
struct header_plan {
	struct match_plan plan;
	const struct qv_allocator *allocator;
	struct match_player *players;
	struct match_opening *openings;
	json_t *source;
};
/* Takes a reference to the header. The plan is checked by plan_check; player specs are not. */
enum qv_status header_read(const struct qv_context *context, json_t *header,
			   struct header_plan *out, struct qv_error *error);
void header_release(struct header_plan *h);

/* Fails if the headers differ; the error names the first difference. */
enum qv_status header_compare(const json_t *there, const json_t *wanted, struct qv_error *error);

#endif
